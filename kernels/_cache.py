"""A cache of compiled kernels on disk: each overload in a file that begins with its digest.

numba's own cache trusts its files: a truncated one ends every later run, a changed bit is run as
another program, and where two processes write at once a kernel can get another's code. Here a file
gets its name once it is written, and is made again if anything about it is wrong.
"""

import errno
import os
import pickle
import stat
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import llvmlite
import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from . import telling

_DIGEST = 32  # bytes


class KernelCache(NullCache):
    """numba's cache of one function, in the folder of all kernels.

    The folder is made when there is something to write. Where it cannot be written, code goes to
    the user's own folder among the temporary ones. ``make_ready`` prepares numba's context for
    code that is loaded.
    """

    def __init__(
        self, function: Callable[..., Any], folder: Path, make_ready: Callable[[Any], None]
    ) -> None:
        self._function, self._folder, self._make_ready = function, folder, make_ready

    @property
    def cache_path(self) -> str:
        """The folder, for numba's statistics."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for arguments of these types, None if it is to be compiled.

        ``_rebuild`` and ``_reduce`` are numba's own: a version without them compiles each time.
        """
        self._make_ready(target_context)
        name = self._name(sig, target_context.codegen())
        for place in (lambda: self._folder, self._fallback):
            # whatever is wrong with a file, or with its folder: it is made again
            with suppress(Exception):
                known, reduced = pickle.loads(_read_whole(place() / name))
                if known == sig:
                    return CompileResult._rebuild(target_context, *reduced)
        telling.compiling(self._function.__name__)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write compiled code to disk; if that fails, say so.

        What numba does not tell of the code is taken as a reason not to keep it.
        """
        lasting = not getattr(data.library, "has_dynamic_globals", True)
        if getattr(data, "lifted", True) or not lasting or not hasattr(data, "_reduce"):
            return
        whole = dumps((sig, data._reduce()))
        try:
            _write_whole(self._folder / self._name(sig, data.codegen), whole)
        except OSError as error:
            self._keep_elsewhere(self._name(sig, data.codegen), whole, error)

    def _keep_elsewhere(self, name: str, whole: bytes, why: OSError) -> None:
        lost, there = (str(self._folder), _reason(why)), None
        try:
            there = self._fallback(make=True)
            _write_whole(there / name, whole)
            telling.tell_not_kept(*lost, str(there))
        except OSError as error:
            telling.tell_not_kept(*lost, str(there or error.filename), _reason(error))

    def _fallback(self, make: bool = False) -> Path:
        return private_folder(make) / self._folder.name

    def _name(self, sig: Any, codegen: Any) -> str:
        """Return the name of the file of an overload, by all that it depends on."""
        code = self._function.__code__
        parts = (
            *(numba.__version__, llvmlite.__version__, sys.implementation.cache_tag),
            *(str(sig), codegen.magic_tuple(), sha256(code.co_code).hexdigest()),
            _digest_of(code.co_filename),
        )
        module = Path(code.co_filename).stem
        digest = sha256(repr(parts).encode()).hexdigest()[:16]
        return f"{module}.{self._function.__name__}-{code.co_firstlineno}.{digest}.nbc"


def sources_key(folder: Path) -> str:
    """Return a key of the names and texts of all source files."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:12]


def usual_folder() -> Path:
    """Return where compiled kernels are cached by default."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):  # no place, by the XDG specification
        base = os.path.expanduser("~/.cache")
    # without a home directory: where nothing can be written
    return Path(base if os.path.isabs(base) else os.devnull, "estoc")


def private_folder(make: bool = False) -> Path:
    """Return the user's own folder among the temporary ones, which others cannot write in.

    OSError if it does not exist and is not to be made, or belongs to somebody else.
    """
    temporary = tempfile.gettempdir()
    if temporary in (os.curdir, os.getcwd()) and not os.stat(temporary).st_mode & stat.S_ISVTX:
        raise FileNotFoundError(
            2, "no place for temporary files", temporary
        )  # Python's last resort
    user = f"-{os.getuid()}" if hasattr(os, "getuid") else ""  # on Windows, each has his own
    folder = Path(temporary, f"estoc{user}")
    if make:
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode):
        raise OSError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    if user and (status.st_uid != os.geteuid() or status.st_mode & 0o022):
        raise OSError(errno.EACCES, "others can write there", str(folder))
    return folder


def _read_whole(path: Path) -> bytes:
    """Return what was written, if the digest is right."""
    if not path.is_file():
        raise FileNotFoundError(path)
    data = path.read_bytes()
    if sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        raise ValueError(f"{path} is damaged")
    return data[_DIGEST:]


def _write_whole(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{uuid4().hex[:16]}")
    try:
        part.write_bytes(sha256(data).digest() + data)
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def _reason(error: OSError) -> str:
    return error.strerror or str(error)


@cache
def _digest_of(path: str) -> str:
    """Return the digest of a source file; a kernel's constants are not in its code."""
    return sha256(Path(path).read_bytes()).hexdigest()
