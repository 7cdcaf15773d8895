"""How far a rout spreads, by the order in which units are activated."""
