"""What we ask: questions, statistics, tables."""

if __name__ != "estoc.sim":
    raise ImportError("import estoc.sim, not sim (the repository root is on sys.path)")
