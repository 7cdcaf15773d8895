"""Figures that no window knows, drawn the same whatever a person's settings are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from math import sqrt
from textwrap import fill
from typing import TYPE_CHECKING, Any

from estoc.sim.language import language, translated

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_SIDE, _MOST_DOTS = 32_000, 50_000_000  # of a picture made of dots

_STYLE: Mapping[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, and has all accents
    "font.size": 9,
    "axes.titlesize": 9,
    "figure.titlesize": 11,
    "text.parse_math": False,  # a $ in a name is a $
    "text.usetex": False,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "estoc",
    "svg.fonttype": "path",
}


def figure(size: tuple[float, float], down: int, across: int) -> "tuple[Figure, list[Axes]]":
    """Return a figure that no window knows, and its axes."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    from estoc.sim.picture import Picture

    engine = ConstrainedLayoutEngine(compress=True, h_pad=0.1, w_pad=0.1)
    picture = Picture(figsize=size, layout=engine)
    return picture, list(picture.subplots(down, across, squeeze=False).flat)


def fitting_dpi(picture: "Figure", usual: float) -> float:
    """Return the dots per inch of a picture: fewer than usual where it is very large."""
    across, down = picture.get_figwidth(), picture.get_figheight()
    dpi: float = min(usual, _MOST_SIDE / max(across, down), sqrt(_MOST_DOTS / (across * down)))
    return dpi


@contextmanager
def style() -> Iterator[None]:
    """Draw with this module's settings, whatever a person's own are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield


def translate_figure(picture: "Figure") -> None:
    """Tell the texts of a picture in the language in use, and write its numbers as that does."""
    if language() == "en":
        return
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter

    for axes in picture.axes:
        for axis in (axes.xaxis, axes.yaxis):
            usual = axis.get_major_formatter()
            usual.set_locs(list(axis.get_majorticklocs()))

            def told(value: float, place: int | None, usual: Any = usual) -> str:
                return _told(usual(value, place))

            axis.set_major_formatter(FuncFormatter(told))
    for text in picture.findobj(Text):
        text.set_text(_told(text.get_text()))


def _told(text: str) -> str:
    """Return a text in the language in use, broken into lines where it was."""
    lines = text.splitlines()
    whole = " ".join(lines)
    told = translated(whole)
    if len(lines) < 2 or told == whole or not any(letter.isalpha() for letter in text):
        return translated(text)
    return fill(told, max(map(len, lines)) + 4)
