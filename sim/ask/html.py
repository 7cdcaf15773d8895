"""Answers as HTML, for a notebook: the tables that a terminal shows, as tables."""

from html import escape
from typing import TYPE_CHECKING

from ..base.result import Result
from ..text.speech import tr

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table
    from rich.text import Text

_WIDTH = 100  # of what does not become a table
_MOST = 60  # lines of a table that are all shown
_SHOWN = 20  # lines that are shown of a longer one


def result_html(result: Result) -> str:
    """Return what a terminal shows of a result, as HTML.

    Parameters
    ----------
    result : Result

    Returns
    -------
    str
        Title, tables, notes, what is assumed and the command, without scripts and colours
        of its own; all text is escaped. Of a table of more than 60 lines, the first 20.
    """
    from .text import answer, plain_text

    if result.question == "replay":
        return f"<pre>{escape(plain_text(result, _WIDTH))}</pre>"
    return as_html(answer(result, _WIDTH)) + _assumed(result)


def _assumed(result: Result) -> str:
    """Return all assumed values, of which a terminal names a few, folded."""
    if not result.assumed:
        return ""
    listed = escape(", ".join(result.assumed))
    heading = escape(tr("assumed values"))
    return f"<details><summary>{heading}</summary>{listed}</details>"


def as_html(renderable: "RenderableType") -> str:
    """Return text, a table or a group of them as HTML; anything else as a terminal shows it."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from ..text.printing import rendered

    if isinstance(renderable, Group):
        return "".join(as_html(part) for part in renderable.renderables)
    if isinstance(renderable, Table):
        return _table(renderable)
    if isinstance(renderable, Text):
        return _text(renderable)
    if renderable == "":
        return ""
    return f"<pre>{escape(rendered(renderable, _WIDTH))}</pre>"


def _text(text: "Text") -> str:
    if text.no_wrap:  # a command
        return f'<pre style="white-space: pre-wrap">{escape(text.plain)}</pre>'
    tag = "b" if text.style == "bold" else "span"
    return f'<p style="white-space: pre-wrap"><{tag}>{escape(text.plain)}</{tag}></p>'


def _table(table: "Table") -> str:
    columns = table.columns
    sides = [f' style="text-align: {column.justify}"' for column in columns]
    headings = [_plain(column.header) for column in columns] if table.show_header else []
    lines = [
        [_plain(cell) for cell in line] for line in zip(*(c.cells for c in columns), strict=True)
    ]
    shown = lines if len(lines) <= _MOST else lines[:_SHOWN]
    head = f"<thead>{_line('th', headings, sides)}</thead>" if headings else ""
    body = "".join(_line("td", line, sides) for line in shown)
    more = len(lines) - len(shown)
    rest = tr("… and {more} more lines: see to_frame()", more=f"{more:,}")
    told = f"<p>{escape(rest)}</p>" if more else ""
    whole = f"<table>{head}<tbody>{body}</tbody></table>"
    return f'<div style="overflow-x: auto">{whole}</div>{told}'


def _line(tag: str, cells: list[str], sides: list[str]) -> str:
    both = zip(cells, sides, strict=True)
    return "<tr>" + "".join(f"<{tag}{side}>{escape(cell)}</{tag}>" for cell, side in both) + "</tr>"


def _plain(cell: object) -> str:
    from rich.text import Text

    return cell.plain if isinstance(cell, Text) else str(cell)
