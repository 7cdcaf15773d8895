"""What kernels have to tell a person: they have no words, so whoever has some sets these."""

from collections.abc import Callable


class SettingError(OSError):
    """The machine is set up so that no kernel can run; the message is one line."""


def _nobody_is_told(*_: str) -> None:
    """Do nothing: nobody has words for it."""


# Told once that compiled code cannot be kept in a folder, and why; that it is kept elsewhere, or
# why not.
not_kept: Callable[[str, str, str, str], None] = _nobody_is_told
# Called with the name of each kernel that is going to be compiled.
compiling: Callable[[str], None] = _nobody_is_told
_told: set[tuple[str, ...]] = set()


def tell_not_kept(folder: str, why: str, there: str, why_not: str = "") -> None:
    """Tell of a folder that cannot be written in, if it has not been told yet."""
    if (folder, there) not in _told:
        _told.add((folder, there))
        not_kept(folder, why, there, why_not)
