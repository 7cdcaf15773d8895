"""Commands about a few rolls of a fighter: shots, Courage, disengagement."""
