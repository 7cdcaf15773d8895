"""Combats: a duel, one against several, a sweep; sampled, exact, told, as table and plot."""
