"""Fighters, editions, armies and scenarios as the arrays of `kernels.layout`, kind by kind."""
