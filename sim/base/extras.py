"""Libraries that not every installation has: asked for before any work, never after it."""

from importlib.util import find_spec

from ...profiles.errors import InputError

_EXTRAS = {"cma": "tune", "distributed": "cluster", "statsmodels": "stats"}


def installed(library: str) -> bool:
    """Return whether a library can be imported."""
    return find_spec(library) is not None


def how_to_install(library: str) -> str:
    """Return what brings a library that is not installed."""
    return f'pip install "estoc[{_EXTRAS[library]}]"'


def check_installed(library: str, command: str) -> None:
    """Refuse a command whose library is not installed.

    Raises
    ------
    InputError
        With what brings it.
    """
    if not installed(library):
        raise InputError(
            f"{command}: needs the library {library}, which is not installed: "
            f"{how_to_install(library)}"
        )
