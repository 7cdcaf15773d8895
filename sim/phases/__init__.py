"""Phases off the table: activation cards, the Tactics roll, actions, maintenance."""
