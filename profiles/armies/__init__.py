"""Armies, scenarios, mystic actions, weapons, and policies that people write."""
