"""Commands about the unit activation sheet of a hex wargame."""
