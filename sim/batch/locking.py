"""One writer at a time: a lock that ends with its process, however that ends."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ...profiles.errors import InputError
from ...profiles.message import say
from .own_files import own_number

# filelock 4.3 would lock a pipe, or a file of two names, and on Windows hide who holds it
_MOST = 64  # bytes that are read of a lock
_HOLDER = re.compile(r"(?:estoc )?(\d{1,20})\s*")


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of a file while the block runs."""
    number = own_number(path, os.O_RDWR | os.O_CREAT)
    with os.fdopen(number, "r+", encoding="utf-8", errors="replace") as file:
        other = file.read(_MOST)
        if not is_lock(other):
            raise InputError('"{}" is no lock of Estoc, which leaves it alone: move it away', path)
        if not _taken(file):
            holder = _HOLDER.fullmatch(other)
            who = say("process {}", holder[1]) if holder else say("another process")
            raise InputError("{}: {} is at work there; wait for it, or stop it first", what, who)
        _write(file, f"estoc {os.getpid()}")
        try:
            yield
        finally:
            _write(file, "")


def is_lock(text: str) -> bool:
    """Whether a file that holds this may be a lock of Estoc."""
    return not text or _HOLDER.fullmatch(text) is not None


def holds_mark(text: str) -> bool:
    """Whether a file that holds this is the lock of a process of Estoc, at work or killed."""
    return text.startswith("estoc ") and is_lock(text)


def _write(file: IO[str], text: str) -> None:
    file.seek(0)
    file.truncate()
    file.write(text)
    file.flush()


def _taken(file: IO[str]) -> bool:
    """Take the lock of an open file, which the system gives back when the process ends."""
    try:
        import fcntl
    except ImportError:  # Windows
        return _taken_there(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _taken_there(file: IO[str]) -> bool:
    import msvcrt

    file.seek(1 << 30)  # beyond what is written: the process number stays readable
    try:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    return True
