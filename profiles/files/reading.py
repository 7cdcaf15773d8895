"""Files that come with the program, and those that people write: read now, or as a run kept them.

A run is asked about files that may change while it goes on, or that other machines do not have.
While `kept` or `noted` inputs are in use, all files are read through them.

Nothing that a command reads may be what it writes: whoever comes second, the reader or the writer,
is refused (`one_command`).
"""

import csv
import errno
import os
import re
import select
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from ..errors import InputError
from ..letters import from_cell
from ..message import say

T = TypeVar("T")

DELIMITERS = ",;\t"
DATA = Path(__file__).parents[1] / "data"
MOST_BYTES = 4 * 2**20  # of a file that a person writes
DEEPEST = 32  # tables and lists in one another

_STREAM = re.compile(r"/dev/(stdin|stdout|stderr|fd/\d+)|/proc/self/fd/\d+")
_PATIENCE = 30.0  # seconds without a byte of a stream
_BLOCK = 2**20


@cache
def shipped_files(kind: str, ending: str = ".toml") -> dict[str, Path]:
    """Return the files of a kind, as ``edition``, by their names, which come after it.

    >>> sorted(shipped_files("field"))
    ['open', 'village']
    """
    found = sorted(DATA.glob(f"*/{kind}-*{ending}"), key=lambda path: path.name)
    return {path.stem.removeprefix(f"{kind}-"): path for path in found}


def shipped_file(name: str) -> Path:
    """Return one file by its room of ``data`` and its name, as ``sheet/sheet-world.toml``."""
    return DATA / name


@dataclass(frozen=True)
class Inputs:
    """Files and folders that were read."""

    base: str  # folder that relative paths start from
    files: dict[str, bytes] = field(default_factory=dict)  # contents by absolute path
    # names of the CSV files of a folder, by its absolute path; of none that is there: None
    folders: dict[str, list[str] | None] = field(default_factory=dict)
    frozen: bool = False  # whether nothing else may be read
    # what was made of the files, for those who would make it again; it does not travel
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

    def read(self, path: Path, most: int = MOST_BYTES) -> bytes:
        """Return what a file holds, and note it."""
        place = str(self.place(path))
        if place not in self.files:
            if self.frozen:
                raise FileNotFoundError(
                    2, say("is not among the inputs that the run has kept"), place
                )
            self.files[place] = contents(place, most)
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
    for place in inputs.files:
        _note_read(place)
    token = _inputs.set(inputs)
    try:
        yield inputs
    finally:
        _inputs.reset(token)


def read_bytes(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return what a file, or a stream that the program was given (``/dev/stdin``), holds.

    A file that is larger than ``most`` bytes, or that the command is going to write, is refused.
    """
    _note_read(path)
    inputs = _inputs.get()
    if inputs is None or DATA in path.parents:  # what comes with the program needs no keeping
        return contents(path, most)
    return inputs.read(path, most)


def contents(path: str | Path, most: int = MOST_BYTES) -> bytes:
    """Return what a file holds, without waiting for ever and without end; as `read_bytes`."""
    if "\0" in str(path):
        raise OSError(errno.EINVAL, say("a path cannot hold a NUL"), str(path))
    status = os.stat(path)
    flowing = is_stream(path) and stat.S_ISFIFO(status.st_mode)
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not flowing and not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, say("it is {}, not a file", kind_of(status.st_mode)), str(path))
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    number = os.open(path, flags)
    try:
        return b"".join(_blocks(number, most, flowing))
    finally:
        os.close(number)


def _blocks(number: int, most: int, flowing: bool) -> Iterator[bytes]:
    """Yield what an open file holds; of a stream, as it comes."""
    size = 0
    while True:
        if flowing and not select.select([number], [], [], _PATIENCE)[0]:
            raise TimeoutError(errno.ETIMEDOUT, say("nothing came from it for {:.0f} s", _PATIENCE))
        block = os.read(number, _BLOCK)
        if not block:
            return
        size += len(block)
        if size > most:
            raise OSError(
                errno.EFBIG, say("it has more than {} MB, which no such file needs", most >> 20)
            )
        yield block


def is_too_deep(data: Any) -> bool:
    """Whether lists and tables lie in one another deeper than any file of ours has them."""
    level = [data]
    for _ in range(DEEPEST):
        level = [
            item
            for each in level
            if isinstance(each, dict | list)
            for item in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True


def is_stream(path: str | Path) -> bool:
    """Whether a path names a stream that the program was given, as ``/dev/stdin``."""
    return bool(_STREAM.fullmatch(str(path)))


def kind_of(mode: int) -> str:
    """Return what is there instead of a file, in words."""
    if stat.S_ISFIFO(mode):
        return say("a pipe")
    return say("a socket" if stat.S_ISSOCK(mode) else "a device")


@dataclass
class _Command:
    """What a command has read, and what it is going to write."""

    inputs: dict[str, None] = field(default_factory=dict)
    outputs: dict[str, None] = field(default_factory=dict)


_command: ContextVar[_Command | None] = ContextVar("command", default=None)


@contextmanager
def one_command() -> Iterator[None]:
    """Refuse in this block to write what is read, and to read what is going to be written."""
    token = _command.set(_Command())
    try:
        yield
    finally:
        _command.reset(token)


def will_write(path: str | Path) -> None:
    """Say that a file is going to be written by the command."""
    command = _command.get()
    if command is not None and not any(same_file(path, read) for read in command.inputs):
        command.outputs[str(path)] = None
    elif command is not None:
        raise _both(path)


def _note_read(path: str | Path) -> None:
    command = _command.get()
    if command is None:
        return
    for output in command.outputs:
        if same_file(path, output):
            raise _both(output)
    command.inputs[os.path.abspath(path)] = None


def _both(path: str | Path) -> InputError:
    return InputError(
        '"{}" is one of the files that the command reads: write to another file', path
    )


def same_file(one: str | Path, other: str | Path) -> bool:
    """Whether two paths lead to one file: by links, hard links, or names in another case."""
    try:
        if os.path.realpath(one) == os.path.realpath(other):
            return True
        return os.path.samefile(one, other)
    except (OSError, ValueError):  # one is not there
        return False


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
    """Return the CSV files of a folder by name; None if it is no folder."""
    inputs = _inputs.get()
    names = _listed(folder) if inputs is None else inputs.listed(folder)
    return None if names is None else [folder / name for name in names]


def _listed(folder: Path) -> list[str] | None:
    if not folder.is_dir():
        return None
    try:
        return sorted(path.name for path in folder.iterdir() if path.suffix.lower() == ".csv")
    except OSError as error:
        raise InputError("{}: cannot be read: {}", folder, error.strerror) from None


def read_text(path: Path) -> str:
    """Return the decoded text of a file with line feeds as line ends and without mark."""
    try:
        data = read_bytes(path)
    except IsADirectoryError:
        raise InputError("{}: is a folder, not a CSV file", path) from None
    except OSError as error:
        raise InputError("{}: cannot be read: {}", path, error.strerror) from None
    if data.startswith(b"PK\x03\x04"):
        raise InputError("{}: is a spreadsheet or an archive; save the sheet as CSV UTF-8", path)
    if b"\0" in data:
        where = _place(path, data, data.index(b"\0"))
        raise InputError("{}: holds a NUL byte (UTF-16, or no text?); save it as CSV UTF-8", where)
    text = _decode(data, path).lstrip("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _decode(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        bad = error.start
    # Bytes that are right in UTF-8 beside one that is not: a mixture, no guess is safe.
    letters = data.decode("utf-8", "surrogateescape")
    mixed = any(letter > "\x7f" and not "\ud800" <= letter <= "\udfff" for letter in letters)
    try:
        if not mixed:
            return data.decode("cp1252")
    except UnicodeDecodeError as error:
        bad = error.start
    where = _place(path, data, bad)
    raise InputError(
        "{}: byte 0x{:02x} is not UTF-8, and the file is not all cp1252 either; save it as UTF-8",
        where,
        data[bad],
    )


def _place(path: Path, data: bytes, offset: int) -> str:
    before = data[:offset].replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return say("{}:{}, character {}", path, len(before), len(before[-1]) + 1)


def csv_rows(text: str, path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield (line on which it begins, cells) of each row of a CSV file that is not blank."""
    lines = [line + "\n" for line in text.split("\n")]
    line = 1
    try:
        reader = csv.reader(lines, delimiter=_delimiter(lines), strict=True)
        for cells in reader:
            if any(map(str.strip, cells)):
                yield line, [from_cell(cell) if cell[:1] == "'" else cell for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            raise InputError(
                "{}:{}: a cell has more than {:,} characters; is a quoted cell not closed?",
                path,
                line,
                csv.field_size_limit(),
            ) from None
        raise InputError(
            "{}:{}: a quoted cell is not closed, or text follows its quotes ({})", path, line, error
        ) from None


def _delimiter(lines: list[str]) -> str:
    """Return the delimiter that cuts the first line that is not blank into most cells."""
    heading = next(filter(str.strip, lines), "")
    return max(DELIMITERS, key=lambda mark: len(next(csv.reader([heading], delimiter=mark), [])))
