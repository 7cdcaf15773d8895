"""One combat, die by die: dice placed, Initiative, attacks, wounds, abilities."""
