"""The one place where numba options are chosen."""

import os
import tempfile
from collections.abc import Callable
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config as numba_config
from numba.core import types
from numba.core.compiler import Compiler
from numba.core.dispatcher import Dispatcher
from numba.core.runtime import nrt

F = TypeVar("F", bound=Callable[..., Any])
config: Any = numba_config
_SOURCES = sorted(Path(__file__).parent.glob("*.py"))
_KEY = sha256(b"".join(p.read_bytes() for p in _SOURCES)).hexdigest()[:12]
# Versions whose inner workings `_Linked` and `_load_quickly` were tried with; others do without.
_QUICK = numba.__version__.split(".")[:2] == ["0", "68"]


def _cache_dir() -> Path:
    """Make the folder of compiled kernels; a temporary one where the home cannot be written.

    numba would fall back to a folder beside the source, whose name has no key.
    """
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    folder = Path(config.CACHE_DIR or Path(home, "estoc")) / f"kernels-{_KEY}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        os.utime(folder)  # in use: the launchers remove what was not for days
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(tempfile.mkdtemp(prefix="estoc-"))
    return folder


CACHE_DIR = _cache_dir()


class _NeverRun:
    """Stands for compiled code that only other code is made of."""

    @property
    def codegen(self) -> "_NeverRun":
        return self

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def set_env(self, name: str, env: object) -> None:
        """Do nothing: code that is linked into a kernel has the kernel's."""


class _Linked(Compiler):
    """Compile a function that is only linked into kernels: these are optimised, as a whole.

    numba would optimise each function and turn it into machine code as well, with all that it
    calls: twice the time, for the same kernels.
    """

    def _compile_core(self) -> Any:
        state = self.state
        context = state.targetctx
        library = context.codegen().create_library(state.func_id.func_qualname)
        library.enable_object_caching()
        library._optimize_final_module = lambda: None
        library._finalize_final_module = partial(setattr, library, "_finalized", True)
        wrap = context.get_executable
        context.get_executable = lambda _, *rest: wrap(_NeverRun(), *rest)
        state.library = library
        return super()._compile_core()


def kernel(function: F) -> F:
    """Compile a kernel that Python calls; the cache is keyed on the text of all kernels.

    numba stamps a cached function with its own file only, so an edit in another
    kernel would leave a stale caller behind; the folder's name prevents that.
    """
    outer, config.CACHE_DIR = config.CACHE_DIR, str(CACHE_DIR)
    try:
        compiled: Any = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = outer
    if isinstance(compiled, Dispatcher) and _QUICK:
        _load_quickly(compiled)
    return cast(F, compiled)


def _load_quickly(dispatcher: Any) -> None:
    """Load a compiled kernel without all that numba needs to compile one: 0.3 seconds less."""
    cache = dispatcher._cache

    def load(signature: Any, context: Any) -> Any:
        """Do what numba's own does, except for its refresh of the context."""
        nrt.rtsys.initialize(context)
        with cache._guard_against_spurious_io_errors():
            return cache._load_overload(signature, context)

    cache.load_overload = load


def part(function: F) -> F:
    """Compile a function into the kernels that call it; Python cannot call it."""
    return _internal(function, forceinline=True)


def routine(function: F) -> F:
    """Compile a function that kernels call but that is too large or rare to be a part of them."""
    return _internal(function, forceinline=False)


def _internal(function: F, forceinline: bool) -> F:
    options: dict[str, Any] = {
        "nogil": True,
        "error_model": "numpy",
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "forceinline": forceinline,
        "_nrt": False,  # nothing is allocated there, so that no reference needs counting
    }
    if _QUICK:
        options["pipeline_class"] = _Linked
    compiled: Any = numba.njit(**options)(function)
    if isinstance(compiled, Dispatcher):
        _widen_arguments(compiled)
    return cast(F, compiled)


def _widen_arguments(dispatcher: Any) -> None:
    """Pass literals, enum members and truth values as int64.

    Left alone, numba compiles a function once for each combination of them: four
    times the compilation, for the same machine code.
    """
    narrow = (types.IntegerLiteral, types.IntEnumMember, types.Boolean)
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return resolve([types.int64 if isinstance(a, narrow) else a for a in args], kws)

    dispatcher.get_call_template = get_call_template
