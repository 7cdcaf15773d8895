"""Battles compared: what one change does, what uncertain values do, tuning a policy."""
