"""Pictures of results, made without a screen and the same to the byte each time."""

from pathlib import Path
from typing import TYPE_CHECKING

from ...profiles.errors import InputError
from ..base.result import Result
from ..text.drawing import check_plot, save_figure
from .registry import PICTURES, loaded

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def save_plot(result: Result, path: str | Path) -> None:
    """Draw a result into a file, whole or not at all.

    Parameters
    ----------
    result : Result
    path : str or Path
        Its ending says the format: ``.png``, ``.svg`` or ``.pdf``.

    Raises
    ------
    InputError
        For another ending, a wrong place, or a result that has no picture.
    """
    check_plot(path)
    save_figure(plot(result), path)


def plot(result: Result) -> "Figure":
    """Return the picture of a result, by its question.

    Raises
    ------
    InputError
        If there is nothing to draw.
    """
    if result.question not in PICTURES:
        drawn = ", ".join(PICTURES)
        raise InputError(f"{result.question}: there is no picture of it; {drawn} have")
    if not result.rows:
        raise InputError(f"{result.question}: there is nothing to draw")
    picture: Figure = loaded(PICTURES[result.question])(result)
    return picture


def is_drawn(result: Result) -> bool:
    """Whether there is a picture of a result."""
    return result.question in PICTURES and bool(result.rows)
