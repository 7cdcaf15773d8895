"""Battles compared: one change, many changes, sensitivity, a policy tuned."""
