"""A whole battle, turn by turn: phases, combats, pursuits; counted or logged."""
