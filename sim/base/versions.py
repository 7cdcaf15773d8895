"""Which program gave an answer: estoc to the letter, and the libraries it stands on."""

import platform
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

LIBRARIES = ("numpy", "numba", "scipy", "pandas", "pyarrow")


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
