"""Exact chances where somebody has an ability: single tests, then whole combats (W-7)."""
