"""Files of contacts: who touches whom."""

from pathlib import Path
from typing import NamedTuple

from ..errors import InputError, echoed
from ..files.reading import csv_rows, read_text
from ..files.toml import read_toml
from ..letters import fold, tidy
from ..message import joined, say

_HEADINGS = ("fighter", "touches")
_LIKE = '"A1" = ["B1", "B2"]'


class Contact(NamedTuple):
    """Two fighters who touch, as a person names them, and where it is said."""

    one: str
    other: str
    where: str


def read_contacts(path: Path) -> list[Contact]:
    """Return the contacts of a file, in its order.

    ``.toml``: a key for a fighter, with the list of those he touches; ``.csv``: two columns headed
    fighter and touches, a line a contact.
    """
    suffix = path.suffix.lower()
    if suffix not in (".toml", ".csv"):
        raise InputError(
            'contacts "{}" should be all, or a .toml or .csv file that says who touches whom', path
        )
    found = _of_toml(path) if suffix == ".toml" else _of_csv(path)
    if not found:
        raise InputError("{}: says of nobody whom he touches; it should be like {}", path, _LIKE)
    return found


def _of_toml(path: Path) -> list[Contact]:
    found = []
    for one, touched in read_toml(path).items():
        if not isinstance(touched, list):
            raise InputError('{}: "{}" should be a list of names, like {}', path, one, _LIKE)
        for number, other in enumerate(touched, 1):
            where = say('{}: "{}", item {}', path, one, number)
            if not isinstance(other, str):
                raise InputError("{}: should be a name in quotes, not {}", where, echoed(other))
            found.append(Contact(one, other, where))
    return found


def _of_csv(path: Path) -> list[Contact]:
    rows = csv_rows(read_text(path), path)
    line, headings = next(rows, (1, []))
    if tuple(map(fold, headings)) != _HEADINGS:
        raise InputError("{}:{}: the headings should be {}", path, line, joined(",", _HEADINGS))
    found = []
    for line, cells in rows:
        names = [tidy(cell) for cell in cells]
        if len(names) != 2 or not all(names):
            raise InputError(
                "{}:{}: should be two names, of a fighter and of one whom he touches", path, line
            )
        found.append(Contact(names[0], names[1], f"{path}:{line}"))
    return found
