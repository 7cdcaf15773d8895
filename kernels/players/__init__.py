"""How the players of a battle choose among that: one file for each style."""
