"""What a fighter of a battle does on the table: march, shoot, cast, charge, stand fear."""
