"""Shots, Courage tests and disengagements: question, odds, table."""
