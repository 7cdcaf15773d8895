"""A battle as pictures, one after the other, or as an animation."""

import io
from collections.abc import Sequence
from math import hypot
from pathlib import Path
from re import fullmatch
from tempfile import TemporaryDirectory
from textwrap import shorten
from typing import Any

from ...profiles.errors import InputError
from ...profiles.message import say, wrapped
from ..base.result import Row
from ..table.tabletop_plot import SIDES, draw_board, points
from ..text.drawing import Axes, Figure, fitting_dpi, style, translate_figure
from ..text.speech import translated
from ..text.writing import check_writable, write_whole
from .field import Frame, described, frames
from .log import Step

_DPI = 110
_PNG = b"\x89PNG\r\n\x1a\n"  # with which such a file begins
_A_SECOND = 1  # pictures of an animation
# Inches of the table, of the list of fighters right of it, and of the margins.
_ACROSS, _LIST, _BESIDE, _ABOVE, _BELOW = 7.5, 2.7, 0.15, 0.35, 0.6
_LINE, _LETTERS = 0.165, 48  # of the list: height of a line, most letters
_INK = {"A": "#00507A", "B": "#8A5A00"}  # the sides' colours, dark enough for letters
_ARROW = {"charge": "#B2182B", "engage": "#B2182B", "pursue": "#B2182B", "flee": "#7B3294"}
_WAY, _HURT = "#404040", "#B2182B"
_LEGEND = say(
    "arrows: moves, red to attack, violet in rout; dotted: shots, pale where missed; thick edge: "
    "in a melee"
)


def check_film(path: str | Path) -> None:
    """Refuse, before any work, pictures that could not be written after it.

    Raises
    ------
    InputError
        For another ending than ``.gif``, or a folder that cannot be made or written.
    """
    place = Path(path)
    if place.suffix.lower() == ".gif":
        check_writable(place)
    elif place.suffix:
        raise InputError('"{}": battles are drawn in a folder, or in a .gif file', path)
    elif place.exists() and not place.is_dir():
        raise InputError('"{}" is there and is no folder', path)
    elif not place.absolute().parent.is_dir():
        raise InputError('"{}": there is no folder "{}"', path, place.absolute().parent)
    elif place.exists():
        _check_replaceable(place)


def _check_replaceable(folder: Path) -> None:
    """Refuse a folder in which a picture would take the place of something else."""
    for entry in sorted(folder.iterdir()):
        ours = fullmatch(r"turn-\d+-\d-[a-z]+\.png", entry.name)
        if ours and (entry.is_symlink() or not entry.is_file() or not _is_png(entry)):
            raise InputError('"{}" is no picture of a battle: name another folder', entry)


def _is_png(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_PNG)) == _PNG


def save_film(steps: Sequence[Step], path: str | Path) -> int:
    """Draw a battle turn by turn.

    Parameters
    ----------
    steps : sequence of Step
        A transcript.
    path : str or Path
        A folder, for three pictures a turn and one of the end; or a ``.gif`` file, for an
        animation with one for each speaking turn and each combat that moves something.

    Returns
    -------
    int
        How many pictures.
    """
    check_film(path)
    if Path(path).suffix.lower() == ".gif":
        shown = list(frames(steps, each=True))
        write_whole(path, _animated(shown))
        return len(shown)
    Path(path).mkdir(exist_ok=True)
    pictures = described(frames(steps))
    for name, frame in pictures:
        write_whole(Path(path) / name, _png(frame))
    return len(pictures)


def _png(frame: Frame) -> bytes:
    buffer = io.BytesIO()
    with style():
        picture, axes = _sheet(frame)
        _draw(axes, frame)
        translate_figure(picture)
        dpi = fitting_dpi(picture, _DPI)
        picture.savefig(buffer, format="png", dpi=dpi, metadata={"Software": None})
    return buffer.getvalue()


def _animated(shown: Sequence[Frame]) -> bytes:
    """Return pictures as a GIF that starts again at its end."""
    from matplotlib.animation import PillowWriter

    with TemporaryDirectory() as folder, style():
        file = Path(folder) / "battle.gif"
        writer = PillowWriter(fps=_A_SECOND)
        picture, axes = _sheet(shown[0])
        dpi = fitting_dpi(picture, _DPI)
        with writer.saving(picture, str(file), dpi):
            for frame in shown:
                axes.clear()
                _draw(axes, frame)
                translate_figure(picture)
                writer.grab_frame()
        return file.read_bytes()


def _sheet(frame: Frame) -> tuple[Figure, Axes]:
    """Return an empty picture of the shape of the table, which no window knows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    table = frame.rows[0]
    width, depth = _ACROSS, _ACROSS * table["depth"] / table["width"]
    listed = _LINE * (sum(row["section"] == "fighter" for row in frame.rows) + 1)
    height, across = max(depth, listed) + _ABOVE + _BELOW, width + _LIST + 2 * _BESIDE
    picture = Figure(figsize=(across, height))
    FigureCanvasAgg(picture)
    place = (_BESIDE / across, _BELOW / height, width / across, depth / height)
    return picture, picture.add_axes(place)


def _draw(axes: Axes, frame: Frame) -> None:
    dead = [row for row in frame.rows if not row.get("alive", True)]
    draw_board(axes, [row for row in frame.rows if row not in dead])
    for row in dead:
        _cross_out(axes, row)
    for move in frame.moves:
        _ghost(axes, move.corners)
        look = {"arrowstyle": "-|>", "color": _ARROW.get(move.action, _WAY), "lw": 0.9}
        axes.annotate("", move.end, move.start, arrowprops=look, zorder=7)
    for shot in frame.shots:
        xs, ys = zip(shot.start, shot.end, strict=True)
        axes.plot(xs, ys, ":", color="black", lw=1.2, alpha=1.0 if shot.hit else 0.35, zorder=7)
    axes.set_title(wrapped(say("{}: {}", frame.rows[0]["name"], frame.title), 90), fontsize=9)
    beside: Any = {"xycoords": "axes fraction", "textcoords": "offset points"}
    axes.annotate(_LEGEND, (1, 0), (0, -14), **beside, ha="right", va="top", fontsize=6)
    _list(axes, frame)


def _list(axes: Axes, frame: Frame) -> None:
    """Write right of the table who is who, and how each is; red is who was just hurt."""
    rows = [row for row in frame.rows if row["section"] == "fighter"]
    look: Any = {"xycoords": "axes fraction", "textcoords": "offset points", "va": "center"}
    for number, row in enumerate(sorted(rows, key=lambda row: row["side"])):
        who = f"{row['key']} {row['name']}"
        words = say("{}: {}", who, row["state"]) if row["state"] else who
        text = shorten(translated(words), _LETTERS, placeholder="…")
        ink = _INK[row["side"]] if row["alive"] else "#909090"
        at, look["color"] = (8, -72 * _LINE * (number + 0.5)), _HURT if row["hurt"] else ink
        axes.annotate(text, (1, 1), at, **look, fontsize=7, annotation_clip=False)


def _cross_out(axes: Axes, row: Row) -> None:
    """Draw where a fighter died."""
    corners = points(row["corners"])
    if len(corners) == 2:
        (x, y), aim = corners
        half = hypot(aim[0] - x, aim[1] - y)
        corners = [(x + half * a, y + half * b) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    look: dict[str, Any] = {"color": SIDES[row["side"]], "alpha": 0.6, "lw": 1.2, "zorder": 2}
    for diagonal in (corners[::2], corners[1::2]):
        axes.plot(*zip(*diagonal, strict=True), **look)
    x, y = sum(c[0] for c in corners) / 4, min(c[1] for c in corners)
    axes.text(x, y, row["key"], ha="center", va="top", fontsize=5, color="#808080", zorder=2)


def _ghost(axes: Axes, corners: str) -> None:
    """Draw where a move began."""
    from matplotlib.patches import Circle, Polygon

    shape = points(corners)
    look: Any = {"fill": False, "edgecolor": "#A0A0A0", "linestyle": "--", "linewidth": 0.6}
    if len(shape) == 2:
        (x, y), aim = shape
        axes.add_patch(Circle((x, y), hypot(aim[0] - x, aim[1] - y), **look))
    else:
        axes.add_patch(Polygon(shape, **look))
