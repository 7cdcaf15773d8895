"""Files that are written whole or not at all."""

import os
import stat
from functools import partial
from pathlib import Path
from stat import S_IMODE

from ...profiles.errors import InputError
from ...profiles.files.reading import is_stream, kind_of, same_file, will_write


def check_writable(path: str | Path) -> None:
    """Refuse, before any work, a file that could not be written after it, or is read for it."""
    mode = _mode(path)
    if mode is not None:
        if stat.S_ISDIR(mode):
            raise InputError('"{}" is a folder; give the name of a file', path)
        if not os.access(path, os.W_OK):
            raise InputError('"{}" is there and cannot be written', path)
        if _is_special(path):
            return
        if not stat.S_ISREG(mode):
            raise InputError('"{}" is {}; give the name of a file', path, kind_of(mode))
    folder = _followed(path).parent
    if not folder.is_dir():
        raise InputError('"{}": there is no folder "{}"', path, folder)
    if not os.access(folder, os.W_OK):
        raise InputError('"{}": the folder "{}" cannot be written', path, folder)
    will_write(path)


def _mode(path: str | Path) -> int | None:
    """Return what sort of file is there; None if nothing is."""
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:  # ValueError: a NUL
        why = getattr(error, "strerror", "a path cannot hold a NUL")
        raise InputError('"{}" cannot be written: {}', path, why) from None


def _followed(path: str | Path) -> Path:
    """Return the path of the file that a link leads to; any other path as it is."""
    return Path(os.path.realpath(path)) if Path(path).is_symlink() else Path(path)


def _is_special(path: str | Path) -> bool:
    """Whether a path is a stream or the null device: written to, and never replaced."""
    return is_stream(path) or same_file(path, os.devnull)


def write_whole(path: str | Path, data: bytes) -> None:
    """Write a file under a temporary name, then rename it; a link stays a link."""
    check_writable(path)
    try:
        if _is_special(path):
            Path(path).write_bytes(data)
        else:
            _replace(_followed(path), data)
    except OSError as error:
        raise InputError('"{}" could not be written: {}', path, error.strerror) from None


def _replace(target: Path, data: bytes) -> None:
    temporary = target.with_name(f".{target.name}.{os.getpid()}.part")
    mode = S_IMODE(target.stat().st_mode) if target.exists() else None
    # what others may not read, they may not read while it is written either
    opener = partial(os.open, mode=0o666 if mode is None else 0o600)
    try:
        with open(temporary, "wb", opener=opener) as file:
            file.write(data)
        if mode is not None:
            temporary.chmod(mode)
        os.replace(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
