"""What a fighter of a battle can do where he stands: march, shoot, cast, charge, fear."""
