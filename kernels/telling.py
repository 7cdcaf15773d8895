"""Hooks by which kernels report to a person; texts are `sim`'s, which sets them."""

from collections.abc import Callable


class SettingError(OSError):
    """numba cannot run with the settings of this machine; the message is one line."""


def _ignore(*_: str) -> None:
    """Do nothing."""


# Called once for a folder where compiled code cannot be written, with the reason, the folder where
# it is written instead, and why it is not written there either.
not_kept: Callable[[str, str, str, str], None] = _ignore
# Called with the name of each kernel that is going to be compiled.
compiling: Callable[[str], None] = _ignore
_told: set[tuple[str, ...]] = set()


def tell_not_kept(folder: str, why: str, there: str, why_not: str = "") -> None:
    """Report a folder that cannot be written, once."""
    if (folder, there) not in _told:
        _told.add((folder, there))
        not_kept(folder, why, there, why_not)
