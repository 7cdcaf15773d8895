"""What a terminal shows, as HTML for a notebook: its tables as tables."""

from html import escape
from typing import TYPE_CHECKING

from .printing import Block, rendered
from .speech import tr

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

_WIDTH = 100  # of what does not become a table
_MOST = 60  # lines of a table that are all shown
_SHOWN = 20  # lines that are shown of a longer one


def as_html(renderable: Block) -> str:
    """Return text, a table or a group of them as HTML; anything else as a terminal shows it.

    It has no scripts and no colours of its own, and all text is escaped. Of a table of more than
    60 lines the first 20 are shown.
    """
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    if isinstance(renderable, Group):
        return "".join(as_html(part) for part in renderable.renderables)
    if isinstance(renderable, Table):
        return _table(renderable)
    if isinstance(renderable, Text):
        return _text(renderable)
    if renderable == "":
        return ""
    return preserved(rendered(renderable, _WIDTH))


def preserved(text: str) -> str:
    """Return text as HTML with its lines and columns as they are."""
    return f"<pre>{escape(text)}</pre>"


def folded(heading: str, text: str) -> str:
    """Return a text as HTML that is shown below its heading when somebody asks for it."""
    return f"<details><summary>{escape(heading)}</summary>{escape(text)}</details>"


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
