"""Phases off the table: activation cards, actions, the Tactics roll, maintenance."""
