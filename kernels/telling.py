"""What kernels have to tell a person: they have no words, so whoever has some sets these."""

from collections.abc import Callable


class SettingError(OSError):
    """The machine is set up so that no kernel can run; the message is one line."""


def _nobody_is_told(folder: str, why: str, there: str, why_not: str) -> None:
    """Do nothing: nobody has words for it."""


# Told once that compiled code cannot be kept in a folder, and why; that it is kept elsewhere, or
# why not.
not_kept: Callable[[str, str, str, str], None] = _nobody_is_told
_told: set[tuple[str, ...]] = set()
_waiting: dict[str, Callable[[], None]] = {}


def tell_not_kept(folder: str, why: str, there: str, why_not: str = "") -> None:
    """Tell of a folder that cannot be written in, if it has not been told yet."""
    if (folder, there) not in _told:
        _told.add((folder, there))
        not_kept(folder, why, there, why_not)


def before_compiling(kernel: str, then: Callable[[], None]) -> None:
    """Have something done just before a kernel of this name is compiled, if it ever is."""
    _waiting[kernel] = then


def compiling(kernel: str) -> None:
    """Do what waits for this kernel to be compiled, once."""
    then = _waiting.pop(kernel, None)
    if then is not None:
        then()
