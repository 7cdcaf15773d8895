"""Fighters: cards and their cells, CSV files, the roster, abilities, the price list."""
