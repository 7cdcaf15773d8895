"""The one place where numba options are chosen."""

import os
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as numba_config

F = TypeVar("F", bound=Callable[..., Any])
config: Any = numba_config
_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
_KEY = sha256(b"".join(p.read_bytes() for p in _SOURCES)).hexdigest()[:12]
_HOME = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
CACHE_DIR = Path(config.CACHE_DIR or Path(_HOME, "estoc")) / f"kernels-{_KEY}"


def kernel(function: F) -> F:
    """Compile ``function``; the cache is keyed on the text of all kernels.

    numba stamps a cached function with its own file only, so an edit in another
    kernel would leave a stale caller behind; the folder's name prevents that.
    """
    outer, config.CACHE_DIR = config.CACHE_DIR, str(CACHE_DIR)
    try:
        return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
    finally:
        config.CACHE_DIR = outer
