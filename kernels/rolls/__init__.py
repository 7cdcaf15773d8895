"""Tests outside combats: a shot, Courage, a disengagement; rolled, and as exact chances."""
