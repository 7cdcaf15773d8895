"""How it rolls: compiled kernels over arrays and integers (no names, no files)."""

if __name__ != "estoc.kernels":
    raise ImportError("import estoc.kernels, not kernels (the repository root is on sys.path)")
