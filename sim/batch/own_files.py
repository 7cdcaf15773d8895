"""Files of a run's folder: read and written as Estoc's own, whatever a person has put there.

Nothing here follows a link, waits for a pipe, or writes through a second name of a file.
"""

import os
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG

from ...profiles.errors import InputError
from ...profiles.message import say

UNFINISHED = ".part"  # ends the name of a file while it is written
_CAUTION = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
FILE, FOLDER = say("a file"), say("a folder")
_KINDS = ((S_ISLNK, say("a link")), (S_ISDIR, FOLDER), (S_ISREG, FILE))


def kind_of(path: Path) -> str:
    """Return what stands at a path, in words; nothing if there is nothing.

    >>> kind_of(Path("/")), kind_of(Path("/nowhere"))
    ('a folder', '')
    """
    try:
        mode = path.lstat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return ""
    return next((word for test, word in _KINDS if test(mode)), say("no file"))


def own_bytes(path: Path) -> bytes:
    """Return what a file holds."""
    with os.fdopen(own_number(path, os.O_RDONLY), "rb") as file:
        return file.read()


def own_number(path: Path, flags: int) -> int:
    """Return the number of a regular file that is opened without following a link."""
    number = os.open(path, flags | _CAUTION, 0o666)
    found = os.fstat(number)
    fault = "" if S_ISREG(found.st_mode) else say("Not a regular file")
    if not fault and flags & (os.O_WRONLY | os.O_RDWR) and found.st_nlink > 1:
        fault = say("Has a second name (a hard link)")
    if fault:
        os.close(number)
        raise OSError(0, fault, str(path))
    return number


def add_line(path: Path, line: str) -> None:
    """Add a line to a file, made if it is not there."""
    number = own_number(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    with os.fdopen(number, "w", encoding="utf-8") as file:
        file.write(f"{line}\n")


def write_durably(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all, even if the machine stops."""
    temporary = path.with_name(f"{path.name}{UNFINISHED}")
    clear_unfinished(path)
    number = own_number(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        with os.fdopen(number, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _flush_folder(path.parent)


def clear_unfinished(path: Path) -> None:
    """Take away what was cut off while this file was written, if it is a file."""
    temporary = path.with_name(f"{path.name}{UNFINISHED}")
    if kind_of(temporary) == FILE:
        temporary.unlink()


def put_aside(path: Path, ending: str) -> Path:
    """Give what stands at a path a name that nothing has yet; that name."""
    aside, number = path.with_suffix(ending), 1
    while os.path.lexists(aside):
        number += 1
        aside = path.with_suffix(f".{number}{ending}")
    os.rename(path, aside)
    return aside


def check_own(folder: Path, kinds: dict[str, str], added_to: tuple[str, ...]) -> None:
    """Refuse links and whatever else stands where a folder of Estoc has files and folders."""
    for name, right in kinds.items():
        place = folder / name
        found = kind_of(place)
        if found == right and name in added_to and place.lstat().st_nlink > 1:
            found = say("a file of two names (a hard link)")
        if found not in ("", right):
            raise InputError(
                '"{}" is {} where a run has {} of its own: Estoc leaves it alone; move it '
                "away, or name another folder",
                place,
                found,
                right,
            )


def _flush_folder(folder: Path) -> None:
    """Make a renaming last; not every system can be asked to."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    finally:
        os.close(number)
