"""Who decides what in a battle: one file for each style of player."""
