"""Editions of the rules and the book of all their keys."""
