"""The standard streams and what surrounds them: closed, full, narrow, or watched by nobody."""

import io
import os
import sys
import warnings
from errno import EBADF
from typing import Any

from ...profiles.message import say
from . import encoding as encoding  # makes its way to write errors known
from .speech import translated

_SHORT = 100  # letters of a line that is never cut
_NARROW = 20  # columns below which nothing can be shown in lines


class UnwritableError(OSError):
    """Standard output cannot be written; the message says why."""

    def __str__(self) -> str:
        return say("it is closed") if self.errno == EBADF else str(self.strerror)


class _Output(io.FileIO):
    """Standard output, whose faults can be told from those of files."""

    def write(self, data: Any) -> int:
        """Write as a file does."""
        try:
            return super().write(data)
        except BrokenPipeError:  # without its number, by which click would leave with 1
            raise BrokenPipeError from None
        except OSError as error:
            raise UnwritableError(error.errno, error.strerror) from None


class _Error(io.FileIO):
    """Standard error: where nobody can be told, the answer and the exit code still stand."""

    def write(self, data: Any) -> int:
        """Write as a file does, or not at all."""
        try:
            return super().write(data)
        except OSError:
            return len(data)


def prepare() -> None:
    """Make the streams and the surroundings of a command such as everything may rely on."""
    for number in range(3):
        _fill(number)
    sys.stdout = _guarded(sys.stdout, 1, _Output)
    sys.stderr = _guarded(sys.stderr, 2, _Error)
    make_safe(sys.stdout, sys.stderr)
    columns = os.environ.get("COLUMNS", "")
    if not (columns.isascii() and columns.isdigit() and _NARROW <= int(columns[:9]) < 10_000):
        os.environ.pop("COLUMNS", None)  # rich believes any
    os.environ["MPLBACKEND"] = "agg"  # no window is opened, and matplotlib refuses unknown ones
    if not os.environ.get("ESTOC_DEBUG"):
        warnings.showwarning = _told


def make_safe(*streams: object) -> None:
    """Let text streams write what their encoding lacks in another way, as `encoding.safe` does."""
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="estoc")


def give_up_output() -> None:
    """Let what is left to be written go nowhere: else the end of the process writes it again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def shown(line: str, cut: bool = False) -> str:
    """Return a line that a terminal can be given; ``cut`` also as an error, where it is long."""
    if line.isprintable() and (len(line) <= _SHORT or not cut):
        return line
    from ...profiles.errors import one_line  # loads much
    from ...profiles.letters import visible

    return one_line(line) if cut else visible(line, kept="")


def tell(line: str) -> None:
    """Print a line on standard error, in the language in use."""
    print(f"estoc: {shown(translated(line))}", file=sys.stderr)


def _fill(number: int) -> None:
    """Open a standard stream that is closed, lest a file be opened under its number."""
    try:
        os.fstat(number)
    except OSError:
        # writing to standard output fails, to standard error does not matter
        os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)


def _guarded(stream: Any, number: int, kind: type[io.FileIO]) -> Any:
    """Return a stream by one of ours; one that is no file, or another's, as it is."""
    usual = (sys.__stdout__, sys.__stderr__)[number - 1]
    if stream is not usual:
        return stream
    if stream is None:
        return io.TextIOWrapper(_buffered(number, kind), "utf-8")
    raw = getattr(stream.buffer, "raw", stream.buffer)  # without a buffer where Python is told so
    if not isinstance(raw, io.FileIO):  # a console of Windows
        return stream
    stream.flush()
    return io.TextIOWrapper(
        _buffered(number, kind),
        stream.encoding,
        line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )


def _buffered(number: int, kind: type[io.FileIO]) -> io.BufferedWriter:
    return io.BufferedWriter(kind(number, "w", closefd=False))


_warned: set[str] = set()


def _told(message: Warning | str, category: type[Warning], *where: Any, **more: Any) -> None:
    """Tell once what a library warns of in numbers; the rest is for whoever writes programs."""
    if issubclass(category, RuntimeWarning) and str(message) not in _warned:
        _warned.add(str(message))
        tell(say("a library remarks: {} (ESTOC_DEBUG=1 shows where)", message))
