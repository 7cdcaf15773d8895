"""One writer at a time: a lock that ends with its process, however that ends."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from estoc.profiles import InputError


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock of a file while the block runs.

    Parameters
    ----------
    path : Path
        Made if it is not there; it stays, empty.
    what : str
        What is locked, for the refusal.

    Raises
    ------
    InputError
        If another process holds it.
    """
    with path.open("a+") as file:
        if not _taken(file):
            file.seek(0)
            other = file.read().strip()
            who = f"process {other}" if other else "another process"
            raise InputError(f"{what}: {who} is at work there; wait for it, or stop it first")
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        try:
            yield
        finally:
            file.truncate(0)


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
