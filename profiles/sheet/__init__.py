"""Situations of the activation sheet: maps, pieces, clauses, readings, tests, the world."""
