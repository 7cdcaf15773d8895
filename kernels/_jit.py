"""The one place where numba's options are chosen, and its inner workings are used.

Each use of what numba keeps to itself is behind a look whether it is there, and says what happens
without: another version compiles longer, or anew in each process, but computes the same.
"""

import os
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Any, TypeVar, cast

from .telling import SettingError

try:
    with warnings.catch_warnings():
        # numba would go on without the value, after 20 lines of traceback
        warnings.filterwarnings("error", "Environment variable 'NUMBA_", RuntimeWarning)
        import numba
except Exception as error:  # of a value that numba cannot use, or of a library that it lacks
    why = str(error).strip().partition("\n")[0].rstrip(".") or type(error).__name__
    setting = ", ".join(f"{k}={v}" for k, v in os.environ.items() if k.startswith("NUMBA_"))
    raise SettingError(f"{why} ({setting[:100] or 'no NUMBA_… set'})") from None
from numba.core import config as numba_config
from numba.core import types
from numba.core.codegen import CPUCodegen
from numba.core.compiler import Compiler
from numba.core.cpu import CPUTargetOptions
from numba.core.runtime import nrt

from ._cache import KernelCache, sources_key, usual_folder

F = TypeVar("F", bound=Callable[..., Any])
config: Any = numba_config
# The version that `_Linked` and `_make_ready` were tried with. Others compile twice as long, and
# load a kernel 0.3 s later.
_TRIED = numba.__version__.split(".")[:2] == ["0", "68"]
# what code that is loaded needs of a context, or all that compiling does
_make_ready: Callable[[Any], Any] = nrt.rtsys.initialize if _TRIED else methodcaller("refresh")
_KEY = sources_key(Path(__file__).parent)
CACHE_DIR = Path(config.CACHE_DIR or usual_folder()) / f"kernels-{_KEY}"
with suppress(OSError):
    os.utime(CACHE_DIR)  # in use: the launchers remove what was not for days


class _NeverRun:
    """Compiled code that is only linked into other code: it has no address."""

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
    calls: twice the time, for the same kernels. Only with a version that was tried.
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

    numba's own key is the function's file only: a kernel whose parts were edited would be stale.
    """
    compiled: Any = numba.njit(nogil=True, error_model="numpy")(function)
    # without either: a kernel is compiled in each process
    if hasattr(compiled, "_cache") and hasattr(CPUCodegen, "magic_tuple"):
        compiled._cache = KernelCache(function, CACHE_DIR, _make_ready)
    return cast(F, compiled)


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
    }
    if hasattr(CPUTargetOptions, "_nrt"):  # without: references are counted, which costs time
        options["_nrt"] = False  # nothing is allocated there
    if _TRIED:
        options["pipeline_class"] = _Linked
    compiled: Any = numba.njit(**options)(function)
    if hasattr(compiled, "get_call_template"):  # without: four times the compilation
        _widen_arguments(compiled)
    return cast(F, compiled)


def _widen_arguments(dispatcher: Any) -> None:
    """Pass literals, enum members and truth values as int64.

    Left alone, numba compiles a function once for each combination of them, to the same code.
    """
    narrow = (types.IntegerLiteral, types.IntEnumMember, types.Boolean)
    resolve = dispatcher.get_call_template

    def get_call_template(args: Any, kws: Any) -> Any:
        return resolve([types.int64 if isinstance(a, narrow) else a for a in args], kws)

    dispatcher.get_call_template = get_call_template
