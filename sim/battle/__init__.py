"""Battles: armies, players, sampling, results, and one battle told, drawn and filmed."""
