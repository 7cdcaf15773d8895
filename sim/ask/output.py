"""Where an answer goes: the terminal, standard output, a file, a picture."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from ...profiles.errors import InputError
from ...profiles.files.reading import same_file
from ...profiles.message import joined, say, say_n
from ..base.result import Result, checked_format
from ..text import streams
from ..text.printing import Block
from ..text.writing import check_writable, write_whole

WIDTH = 100  # of a table in a file


@dataclass
class Output:
    """Where one answer goes; made before the work, so that a wrong place costs nothing."""

    # "table", "csv", "json" or "parquet": what the file's ending says, or a table, if not given
    form: str | None = None
    path: str | None = None  # a file; standard output if not given
    plot: str | None = None  # a picture as well

    def __post_init__(self) -> None:
        if self.path:
            check_writable(self.path)
            self.form = checked_format(self.path, self.form)
        elif self.form == "parquet" and sys.stdout.isatty():
            raise InputError("parquet is not for a terminal: add -o FILE")
        if self.plot:
            from ..text.drawing import check_plot

            check_plot(self.plot)
            if self.path and same_file(self.path, self.plot):
                raise InputError('"{}": the table and the picture need two files', self.plot)
        self.form = self.form or "table"

    def deliver(self, result: Result) -> None:
        """Print or write a result, and draw it."""
        if self.path:
            write_whole(self.path, result.encoded(str(self.form), WIDTH))
            seeds = dict.fromkeys(row.get("seed") for row in result)
            what = [say_n("{:,} row", "{:,} rows", len(result))]
            what += [say("seed {}", seed) for seed in seeds if seed is not None]
            tell(say("wrote {}, {}", self.path, joined(", ", what)))
        elif self.form == "table":
            from ..base.printed import print_result

            print_result(result)
        else:
            print_bytes(result.encoded(str(self.form)))
        if self.plot and len(result):
            from ..text.drawing import save_figure

            save_figure(result.plot(), self.plot)
            tell(say("drew {}", self.plot))

    def deliver_listing(self, result: Result, table: Block) -> None:
        """Print or write a listing that has a table of its own."""
        from ..text.printing import print_renderable, rendered

        if self.form != "table":
            self.deliver(result)
        elif self.path:
            write_whole(self.path, rendered(table, WIDTH).encode())
        else:
            print_renderable(table)


_listener: ContextVar[Callable[[str], None] | None] = ContextVar("listener", default=None)


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    """Give somebody the lines that are told in the block, instead of printing them."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def checked_page(path: str) -> str:
    """Return where a page goes, before it is worked out.

    Raises
    ------
    InputError
        If it is no ``.html`` file, or cannot be written.
    """
    if Path(path).suffix.lower() not in (".html", ".htm"):
        raise InputError('"{}": a page should be a file .html', path)
    check_writable(path)
    return path


def tell(line: str) -> None:
    """Print a line that is not the answer, or give it to whoever listens."""
    line = streams.shown(line)
    listener = _listener.get()
    if listener is not None:
        listener(line)
    else:
        streams.tell(line)


def print_bytes(data: bytes) -> None:
    """Write UTF-8 to standard output whatever its encoding: it is a file's content."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
