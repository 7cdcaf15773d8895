"""Libraries that estoc stands on: their versions, and those that not every installation has."""

import platform
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from ...profiles.errors import InputError

LIBRARIES = ("numpy", "numba", "scipy", "pandas", "pyarrow")
_EXTRAS = {"cma": "tune", "distributed": "cluster", "statsmodels": "stats"}


def program_files() -> Iterator[tuple[str, Path]]:
    """Yield all code and data of the program, room by room, each with its name in it."""
    from ... import kernels, profiles, sim

    for package in (kernels, profiles, sim):
        folder = Path(str(package.__file__)).parent
        for path in sorted(folder.rglob("*")):
            if path.suffix in (".py", ".toml", ".csv"):
                yield f"{package.__name__}/{path.relative_to(folder).as_posix()}", path


@cache
def program_digest() -> str:
    """Return the SHA-256 of the program: its code and its data, nothing that people add."""
    found = sha256()
    for name, path in program_files():
        found.update(f"{name}\0".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def versions() -> dict[str, str]:
    """Return what a run was made with, by name."""
    found = {"estoc": version("estoc"), "python": platform.python_version()}
    found |= {name: version(name) for name in LIBRARIES}
    return {**found, "program": program_digest()[:12]}


def installed(library: str) -> bool:
    """Return whether a library can be imported."""
    return find_spec(library) is not None


def how_to_install(library: str) -> str:
    """Return what brings a library that is not installed."""
    return f'pip install "estoc[{_EXTRAS[library]}]"'


def check_installed(library: str, command: str) -> None:
    """Refuse a command whose library is not installed, with what brings it."""
    if not installed(library):
        raise InputError(
            "{}: needs the library {}, which is not installed: {}",
            command,
            library,
            how_to_install(library),
        )
