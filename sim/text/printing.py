"""Text, tables and groups for a terminal of any width, or for a file."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

from ...profiles.letters import visible
from .speech import translated

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.containers import Lines
    from rich.text import Text

Block: TypeAlias = "RenderableType"  # a part of what is shown: text, a table, a group

_HELD = {0xA0: 0xE000, 0x202F: 0xE001}  # no-break spaces, and letters of nobody as wide
_FREED = {letter: space for space, letter in _HELD.items()}


def rendered(renderable: "RenderableType", width: int) -> str:
    """Return an answer, a table or a card as lines of text without colours."""
    from io import StringIO

    file = StringIO()
    console = _console(
        file=file,
        width=width,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
        legacy_windows=False,
    )
    console.print(group([renderable]), crop=False)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def print_renderable(renderable: "RenderableType") -> None:
    """Print a table or a card on standard output."""
    standard_output().print(group([renderable]), crop=False)


def standard_output() -> "Console":
    """Return a console that leaves a closed pipe to its caller."""
    return _console(force_jupyter=False)


def _console(**how: Any) -> "Console":
    """Return a console that shows what a terminal would obey."""
    from rich.console import Console
    from rich.segment import Segment

    class Output(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

        def render(self, *what: Any, **more: Any) -> "Iterable[Segment]":
            """Yield what is shown; `styled` has made most of it visible, before it was laid out."""
            for text, style, control in super().render(*what, **more):
                seen = text if control or text.isprintable() else visible(text)
                yield Segment(seen, style, control)

    return Output(**how)


def styled(text: str, style: str = "", whole: bool = False) -> "Text":
    """Return text in the language in use, without markup.

    ``whole`` lines are never broken, nor translated: they are commands.
    """
    return _unbroken()(
        visible(text if whole else translated(text)),
        style,
        no_wrap=whole,
        overflow="ignore" if whole else "fold",
    )


@cache
def _unbroken() -> "type[Text]":
    """Return the text of rich that keeps together what a no-break space joins."""
    from rich.text import Text

    class Unbroken(Text):
        def wrap(self, console: "Console", width: int, *how: Any, **more: Any) -> "Lines":
            """Return lines; rich takes every kind of space for one to break at."""
            held = Text.copy(self)
            held.plain = self.plain.translate(_HELD)
            lines = held.wrap(console, width, *how, **more)
            for line in lines:
                line.plain = line.plain.translate(_FREED)
            return lines

    return Unbroken


def verbatim(text: str) -> "Text":
    """Return text that is the same in every language."""
    from rich.text import Text

    return Text(visible(text), overflow="fold")


def group(parts: "Sequence[RenderableType]") -> "RenderableType":
    """Return parts as one, below one another."""
    from rich.console import Group

    return Group(*parts)


def apart(parts: "Sequence[RenderableType]") -> "RenderableType":
    """Return parts with an empty line between any two."""
    return group([piece for part in parts for piece in ("", part)][1:])


def table_of(
    headings: Sequence[str],
    lines: "Iterable[Sequence[str | Text]]",
    kinds: str = "t",
    *,
    title: str = "",
    legend: str = "",
    dull: Collection[str] = (),
) -> "RenderableType":
    """Return a table.

    Parameters
    ----------
    headings : sequence of str
        None is shown if all are empty.
    lines : iterable of sequences
    kinds : str
        A letter for each column: ``t`` text, ``w`` whole words, never broken, ``i`` such words
        as a person types, never translated, ``k`` such text, which may be broken, and ``n``
        numbers, which the columns without a letter are.
    title, legend : str
        Bold above the table, pale below it.
    dull : collection of str
        A column that says only these is left out.
    """
    from rich import box
    from rich.table import Table

    table = Table(
        box=box.SIMPLE_HEAD, show_header=any(headings), show_edge=False, padding=(0, 1, 0, 0)
    )
    lines = [list(line) for line in lines]
    columns = list(zip(headings, kinds.ljust(len(headings), "n"), strict=True))
    used = [
        i for i in range(len(columns)) if not dull or any(line[i] not in dull for line in lines)
    ]
    for heading, kind in (columns[i] for i in used):
        table.add_column(
            styled(heading),
            justify="right" if kind == "n" else "left",
            overflow="fold",
            no_wrap=kind not in "tk",
        )
    for line in lines:
        table.add_row(*(_cell(line[i], columns[i][1] in "ik") for i in used))
    parts: list[RenderableType] = [styled(title, "bold")] * bool(title)
    parts += [table] * bool(headings) + [styled(legend, "dim")] * bool(legend)
    return group(parts) if len(parts) > 1 else parts[0]


def _cell(cell: "str | Text", is_typed: bool) -> "Text":
    """Return a cell of a table, in the language in use unless it is typed."""
    if not isinstance(cell, str):
        return cell
    return verbatim(cell) if is_typed else styled(cell)


def natural_width(lines: Sequence[Sequence[str]]) -> int:
    """Return how wide a table is when no cell is broken."""
    return sum(max(map(len, column)) + 2 for column in zip(*lines, strict=True))


def short_names(labels: Iterable[str]) -> dict[str, str]:
    """Return each ``name@origin`` without its origin where the name alone says who."""
    known = dict.fromkeys(labels)
    names = [label.partition("@")[0] for label in known]
    return {
        label: name if names.count(name) == 1 else label
        for label, name in zip(known, names, strict=True)
    }
