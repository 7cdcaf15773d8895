"""Hooks by which kernels report to a person; texts are `sim`'s, which sets them."""

from collections.abc import Callable


class SettingError(OSError):
    """numba cannot run with the settings of this machine; the message is one line."""


<<<<<<< HEAD
def _nobody_is_told(*_: str) -> None:
    """Do nothing: nobody has words for it."""


# Told once that compiled code cannot be kept in a folder, and why; that it is kept elsewhere, or
# why not.
not_kept: Callable[[str, str, str, str], None] = _nobody_is_told
# Called with the name of each kernel that is going to be compiled.
compiling: Callable[[str], None] = _nobody_is_told
=======
def _ignore(folder: str, why: str, there: str, why_not: str) -> None:
    """Do nothing."""


# Called once for a folder where compiled code cannot be written, with the reason, the folder where
# it is written instead, and why it is not written there either.
not_kept: Callable[[str, str, str, str], None] = _ignore
>>>>>>> h4
_told: set[tuple[str, ...]] = set()


def tell_not_kept(folder: str, why: str, there: str, why_not: str = "") -> None:
    """Report a folder that cannot be written, once."""
    if (folder, there) not in _told:
        _told.add((folder, there))
        not_kept(folder, why, there, why_not)
<<<<<<< HEAD
=======


def before_compiling(kernel: str, then: Callable[[], None]) -> None:
    """Call ``then`` just before a kernel of this name is compiled, if it ever is."""
    _waiting[kernel] = then


def compiling(kernel: str) -> None:
    """Call what `before_compiling` was given for this kernel, once."""
    then = _waiting.pop(kernel, None)
    if then is not None:
        then()
>>>>>>> h4
