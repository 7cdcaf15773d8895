"""Commands about what can be named: fighters, armies, editions, policies."""
