"""The one exception for input that cannot be used."""

from collections.abc import Iterable
from difflib import get_close_matches

from estoc.profiles.names import fold

_SHOWN = 25


class InputError(ValueError):
    """Input from a person cannot be used; the message is one line to show as it is.

    Only the check of a whole file gives several faults, one line each. A line says where
    (file, line, column, option), what is wrong and what would be right.
    """


def nearest(word: str, known: Iterable[str], count: int = 3, likeness: float = 0.6) -> list[str]:
    """Return the known words nearest to one that was mistyped, best first, if like enough."""
    by_fold = {fold(name): name for name in known}
    return [
        by_fold[near] for near in get_close_matches(fold(word), by_fold, n=count, cutoff=likeness)
    ]


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return the end of a message about an unknown word: the nearest ones, or the first.

    Examples
    --------
    >>> suggestion("many_dise", ["many_dice", "opposed_tie"])
    'nearest: many_dice'
    >>> suggestion("x", ["many_dice", "opposed_tie"])
    'known: many_dice, opposed_tie'
    """
    names = list(known)
    near = nearest(word, names)
    if near:
        return f"nearest: {', '.join(near)}"
    return f"known: {', '.join(names[:_SHOWN])}{', …' if len(names) > _SHOWN else ''}"
