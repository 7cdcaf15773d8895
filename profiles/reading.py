"""Files that people write: read as they are now, noted, or as a run has kept them.

A run is asked about files that may change while it goes on, or that other machines do not have.
While `kept` or `noted` inputs are in use, all files are read through them.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from estoc.profiles.errors import InputError

T = TypeVar("T")

_OURS = Path(__file__).parent  # what comes with the package needs no keeping


@dataclass(frozen=True)
class Inputs:
    """Files and folders that were read.

    Parameters
    ----------
    base : str
        Folder that relative paths start from.
    files : dict of bytes
        Contents by absolute path.
    folders : dict of list of str
        Names of the CSV files of a folder, by its absolute path; of none that is there: None.
    frozen : bool
        Whether nothing else may be read.
    made : dict
        What was made of the files, for those who would make it again; it does not travel.
    """

    base: str
    files: dict[str, bytes] = field(default_factory=dict)
    folders: dict[str, list[str] | None] = field(default_factory=dict)
    frozen: bool = False
    made: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return Inputs, (self.base, self.files, self.folders, self.frozen)

    @property
    def digests(self) -> dict[str, str]:
        """SHA-256 of each file and of each folder's list of names, by path."""
        found = {path: sha256(data).hexdigest() for path, data in self.files.items()}
        for path, names in self.folders.items():
            told = "\0".join(["-"] if names is None else ["+", *names])
            found[f"{path}/"] = sha256(told.encode()).hexdigest()
        return dict(sorted(found.items()))

    def read(self, path: Path) -> bytes:
        """Return what a file holds, and note it."""
        place = str(self.place(path))
        if place not in self.files:
            if self.frozen:
                raise FileNotFoundError(2, "is not among the inputs that the run has kept", place)
            self.files[place] = Path(place).read_bytes()
        return self.files[place]

    def listed(self, folder: Path) -> list[str] | None:
        """Return the names of a folder's CSV files, and note them; None if there is no folder."""
        place = str(self.place(folder))
        if place not in self.folders:
            self.folders[place] = None if self.frozen else _listed(Path(place))
        return self.folders[place]

    def place(self, path: Path) -> Path:
        """Return the absolute path of one that a person wrote."""
        return Path(os.path.normpath(Path(self.base, path)))


_inputs: ContextVar[Inputs | None] = ContextVar("inputs", default=None)


@contextmanager
def using(inputs: Inputs) -> Iterator[Inputs]:
    """Read all files of this block through some inputs."""
    token = _inputs.set(inputs)
    try:
        yield inputs
    finally:
        _inputs.reset(token)


def read_bytes(path: Path) -> bytes:
    """Return what a file holds.

    Raises
    ------
    OSError
        If it cannot be read.
    """
    inputs = _inputs.get()
    if inputs is None or path.parent == _OURS:
        return path.read_bytes()
    return inputs.read(path)


def made_once(key: Any, make: Callable[[], T]) -> T:
    """Return what is made of files, made but once of the same inputs."""
    inputs = _inputs.get()
    if inputs is None:
        return make()
    if key not in inputs.made:
        inputs.made[key] = make()
    found: T = inputs.made[key]
    return found


def csv_files(folder: Path) -> list[Path] | None:
    """Return the CSV files of a folder in the order of their names; None if it is no folder."""
    inputs = _inputs.get()
    names = _listed(folder) if inputs is None else inputs.listed(folder)
    return None if names is None else [folder / name for name in names]


def _listed(folder: Path) -> list[str] | None:
    if not folder.is_dir():
        return None
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix.lower() == ".csv")
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
