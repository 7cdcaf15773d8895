"""Figures that no window knows, drawn the same whatever a person's settings are."""

import io
import logging
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from math import sqrt
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any, TypeAlias

from ...profiles.errors import InputError
from ...profiles.message import Message, say
from .encoding import safe
from .speech import language, translated
from .writing import check_writable, write_whole

if TYPE_CHECKING:
    import matplotlib.axes
    import matplotlib.figure

Axes: TypeAlias = "matplotlib.axes.Axes"
Figure: TypeAlias = "matplotlib.figure.Figure"
Bar = tuple[str, float, float | None, float | None]  # its name, its value, ends of an interval

_MOST_SIDE, _MOST_DOTS = 32_000, 50_000_000  # of a picture made of dots

# What a file says of itself, dates left out, by the ending of its name.
METADATA: Mapping[str, dict[str, Any]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None, "Creator": None},
    ".pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}

_DPI = 150

# Matplotlib tells of missing fonts and folders by logging, to whom nobody else listens.
logging.getLogger("matplotlib").addHandler(logging.NullHandler())

_USUAL = say("DejaVu Sans")  # comes with matplotlib, and has all accents
# Fonts with many other letters; those that a person has are used where the usual one lacks one.
_MORE = (
    *("Noto_Sans", "Noto_Sans_CJK_JP", "Noto_Sans_CJK_SC", "Noto_Sans_Symbols2", "Noto_Emoji"),
    *("Segoe_UI_Symbol", "Segoe_UI_Emoji", "Apple_Symbols", "Arial_Unicode_MS", "MS_Gothic"),
    *("Hiragino_Sans", "WenQuanYi_Zen_Hei", "Symbola", "Unifont"),
)

_STYLE: Mapping[Any, Any] = {
    "font.family": _USUAL,
    "font.size": 9,
    "axes.titlesize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.titlesize": 11,
    "text.parse_math": False,  # a $ in a name is a $
    "text.usetex": False,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "estoc",
    "svg.fonttype": "path",
}


def figure(size: tuple[float, float], down: int, across: int) -> tuple[Figure, list[Axes]]:
    """Return a figure that no window knows, and its axes."""
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine(compress=True, h_pad=0.1, w_pad=0.1)
    picture = _picture_class()(figsize=size, layout=engine)
    return picture, list(picture.subplots(down, across, squeeze=False).flat)


def lay_grid(axes: Axes, across: Sequence[str], down: Sequence[str], **names: Any) -> None:
    """Lay out an empty grid of squares, its first line on top."""
    axes.set_xlim(-0.5, len(across) - 0.5)
    axes.set_ylim(len(down) - 0.5, -0.5)
    axes.set_aspect("equal")
    axes.set_xticks(range(len(across)), across, **names)
    axes.set_yticks(range(len(down)), down)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def ink(colour: Sequence[float]) -> str:
    """Return white or black, whichever is read on a colour."""
    red, green, blue = colour[:3]
    return "white" if 0.3 * red + 0.59 * green + 0.11 * blue < 0.5 else "black"


def strips(bars: Sequence[Bar], label: str, colours: Sequence[str]) -> Figure:
    """Return horizontal bars from zero with their intervals, the first on top."""
    picture, (axes,) = figure((7.5, 0.3 * len(bars) + 1.0), 1, 1)
    axes.barh(range(len(bars)), [value for _, value, _, _ in bars], 0.6, color=colours)
    ends = [(h, low, high) for h, (_, _, low, high) in enumerate(bars) if low is not None]
    if ends:
        axes.hlines(*zip(*ends, strict=True), color="black", linewidth=0.8)
    axes.set_yticks(range(len(bars)), [name for name, *_ in bars])
    axes.invert_yaxis()
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(label)
    axes.spines.left.set_visible(False)
    axes.tick_params(axis="y", length=0)
    return picture


@cache
def _picture_class() -> type[Figure]:
    """Return the class of our figures, made late: matplotlib is slow to load."""
    from matplotlib.figure import Figure

    class Picture(Figure):
        """A figure that no window knows; the last value of a notebook's cell is shown once."""

        def _repr_png_(self) -> bytes:
            buffer = io.BytesIO()
            dpi = fitting_dpi(self, self.dpi)
            with style():
                translate_figure(self)
                self.savefig(buffer, format="png", dpi=dpi, bbox_inches="tight")
            return buffer.getvalue()

    return Picture


def fitting_dpi(picture: Figure, usual: float) -> float:
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


def _make_legible(picture: Figure) -> None:
    """Write what the usual font lacks in another one, or in letters that it has, as `safe` does."""
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter

    for axis in (axis for axes in picture.axes for axis in (axes.xaxis, axes.yaxis)):
        usual = axis.get_major_formatter()
        labels = usual.format_ticks(list(axis.get_majorticklocs()))
        if any(_is_lacking(label) for label in labels):

            def told(value: float, place: int | None, usual: Any = usual) -> str:
                return _legible(usual(value, place))

            axis.set_major_formatter(FuncFormatter(told))
            for label in axis.get_majorticklabels():
                label.set_fontfamily([_USUAL, *_installed()])
    for text in picture.findobj(Text):
        if _is_lacking(text.get_text()):
            text.set_fontfamily([_USUAL, *_installed()])
            text.set_text(_legible(text.get_text()))


def _is_lacking(text: str) -> bool:
    return not text.isascii() and bool(_lacking(text, _USUAL))


def _legible(text: str) -> str:
    """Return a text with what stands for letters that no font has."""
    missing = _lacking(text, _USUAL).intersection(*(_lacking(text, f) for f in _installed()))
    return text.translate({ord(letter): _replacement(letter) for letter in missing})


def _replacement(letter: str) -> str:
    """Return what stands for a letter that no font has; a sign without width is left out."""
    if unicodedata.category(letter) in ("Mn", "Cf"):
        return ""
    return safe(letter, "ascii")


def _lacking(text: str, font: str) -> set[str]:
    """Return the letters of a text that a font has no picture of."""
    return set(text) - {"\n"} - {letter for letter in text if _letters(font).get(ord(letter))}


@cache
def _letters(font: str) -> Mapping[int, int]:
    """Return the number of the picture of each letter that a font has."""
    from matplotlib.font_manager import FontProperties, findfont, get_font

    found: Mapping[int, int] = get_font(findfont(FontProperties(family=font))).get_charmap()
    return found


@cache
def _installed() -> tuple[str, ...]:
    """Return the fonts of this machine that may help."""
    from matplotlib.font_manager import fontManager

    names = {font.name for font in fontManager.ttflist}
    return tuple(name for name in (m.replace("_", " ") for m in _MORE) if name in names)


def translate_figure(picture: Figure) -> None:
    """Tell the texts of a picture in the language in use, and write its numbers as that does.

    Letters that no font has are replaced.
    """
    from matplotlib.text import Text
    from matplotlib.ticker import FuncFormatter

    if language() != "en":
        for axis in (axis for axes in picture.axes for axis in (axes.xaxis, axes.yaxis)):
            usual = axis.get_major_formatter()
            usual.set_locs(list(axis.get_majorticklocs()))

            def told(value: float, place: int | None, usual: Any = usual) -> str:
                return _told(usual(value, place))

            axis.set_major_formatter(FuncFormatter(told))
        for text in picture.findobj(Text):
            text.set_text(_told(text.get_text()))
    _make_legible(picture)


def _told(text: str) -> str:
    """Return a text in the language in use, broken into lines where it was."""
    lines = text.splitlines()
    whole = " ".join(lines)
    told = translated(whole)
    if (
        isinstance(text, Message)
        or len(lines) < 2
        or told == whole
        or not any(map(str.isalpha, text))
    ):
        return translated(text)
    return fill(told, max(map(len, lines)) + 4)


def check_plot(path: str | Path) -> None:
    """Refuse, before any work, a picture that could not be written after it.

    Raises
    ------
    InputError
        For another ending than ``.png``, ``.svg`` or ``.pdf``, or a wrong place.
    """
    if Path(path).suffix.lower() not in METADATA:
        raise InputError('"{}": the ending of a picture should be {}', path, METADATA)
    check_writable(path)


def save_figure(picture: Figure, path: str | Path) -> None:
    """Write a picture into a file, whole or not at all; its ending says the format."""
    ending = Path(path).suffix.lower()
    buffer = io.BytesIO()
    dpi = fitting_dpi(picture, _DPI)
    with style():
        translate_figure(picture)
        picture.savefig(
            buffer, format=ending[1:], dpi=dpi, metadata=METADATA[ending], bbox_inches="tight"
        )
    write_whole(path, buffer.getvalue())
