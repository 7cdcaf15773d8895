"""Commands about combats: odds, grids of them, best play, what a change is worth."""
