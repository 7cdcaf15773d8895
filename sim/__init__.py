"""What we ask: questions, statistics, tables. For Python, all of it is in `estoc.sim.api`."""

if __name__ != "estoc.sim":
    raise ImportError("import estoc.sim, not sim (the repository root is on sys.path)")


def __getattr__(name: str) -> object:
    if name == "api":
        from importlib import import_module

        return import_module("estoc.sim.api")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
