"""A battle as pictures, one after the other, or as an animation."""

import io
from collections.abc import Sequence
from math import hypot
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import TYPE_CHECKING, Any

from estoc.profiles import InputError
from estoc.sim.battle_field import Frame, described, frames
from estoc.sim.chronicle import Step
from estoc.sim.drawing import style
from estoc.sim.result import Result, Row, check_writable, write_whole
from estoc.sim.tabletop_plot import SIDES, draw_board, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_DPI = 110
_A_SECOND = 1  # pictures of an animation
_ACROSS, _BESIDE, _ABOVE, _BELOW = 7.5, 0.15, 0.35, 0.7  # inches of the table and its margins
_ARROW = {"charge": "#B2182B", "engage": "#B2182B", "pursue": "#B2182B", "flee": "#7B3294"}
_WAY = "#404040"
_LEGEND = (
    "arrows: moves, red to attack, violet in rout; dotted: shots, pale where missed; "
    "thick edge: in a melee"
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
        raise InputError(f'"{path}": battles are drawn in a folder, or in a .gif file')
    elif place.exists() and not place.is_dir():
        raise InputError(f'"{path}" is there and is no folder')
    elif not place.absolute().parent.is_dir():
        raise InputError(f'"{path}": there is no folder "{place.absolute().parent}"')


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
        _draw(picture, axes, frame)
        picture.savefig(buffer, format="png", dpi=_DPI, metadata={"Software": None})
    return buffer.getvalue()


def _animated(shown: Sequence[Frame]) -> bytes:
    """Return pictures as a GIF that starts again at its end."""
    from matplotlib.animation import PillowWriter

    with TemporaryDirectory() as folder, style():
        file = Path(folder) / "battle.gif"
        writer = PillowWriter(fps=_A_SECOND)
        picture, axes = _sheet(shown[0])
        with writer.saving(picture, str(file), _DPI):
            for frame in shown:
                axes.clear()
                _draw(picture, axes, frame)
                writer.grab_frame()
        return file.read_bytes()


def _sheet(frame: Frame) -> "tuple[Figure, Axes]":
    """Return an empty picture of the shape of the table, which no window knows."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    table = frame.rows[0]
    width, depth = _ACROSS, _ACROSS * table["depth"] / table["width"]
    height = depth + _ABOVE + _BELOW
    picture = Figure(figsize=(width + 2 * _BESIDE, height))
    FigureCanvasAgg(picture)
    across = width + 2 * _BESIDE
    place = (_BESIDE / across, _BELOW / height, width / across, depth / height)
    return picture, picture.add_axes(place)


def _draw(picture: "Figure", axes: "Axes", frame: Frame) -> None:
    living = [row for row in frame.rows if row.get("alive", True)]
    draw_board(axes, Result("table", living))
    for row in frame.rows:
        if not row.get("alive", True):
            _cross_out(axes, row)
    for move in frame.moves:
        _ghost(axes, move.corners)
        look = {"arrowstyle": "-|>", "color": _ARROW.get(move.action, _WAY), "lw": 0.9}
        axes.annotate("", move.end, move.start, arrowprops=look, zorder=7)
    for shot in frame.shots:
        xs, ys = zip(shot.start, shot.end, strict=True)
        axes.plot(xs, ys, ":", color="black", lw=1.2, alpha=1.0 if shot.hit else 0.35, zorder=7)
    axes.set_title(fill(f"{frame.rows[0]['name']}: {frame.title}", 90), fontsize=9)
    axes.text(1.0, -0.06, _LEGEND, transform=axes.transAxes, ha="right", va="center", fontsize=6)


def _cross_out(axes: "Axes", row: Row) -> None:
    """Draw where a fighter died."""
    corners = points(row["corners"])
    if len(corners) == 2:
        (x, y), aim = corners
        half = hypot(aim[0] - x, aim[1] - y)
        corners = [
            (x - half, y - half),
            (x + half, y - half),
            (x + half, y + half),
            (x - half, y + half),
        ]
    look: dict[str, Any] = {"color": SIDES[row["side"]], "alpha": 0.6, "lw": 1.2, "zorder": 2}
    for one, other in ((corners[0], corners[2]), (corners[1], corners[3])):
        axes.plot((one[0], other[0]), (one[1], other[1]), **look)
    x, y = sum(c[0] for c in corners) / 4, min(c[1] for c in corners)
    axes.text(x, y, row["name"], ha="center", va="top", fontsize=5, color="#808080", zorder=2)


def _ghost(axes: "Axes", corners: str) -> None:
    """Draw where a move began."""
    shape = points(corners)
    look: dict[str, Any] = {
        "facecolor": "none",
        "edgecolor": "#A0A0A0",
        "linestyle": "--",
        "linewidth": 0.6,
    }
    if len(shape) == 2:
        from matplotlib.patches import Circle

        (x, y), aim = shape
        axes.add_patch(Circle((x, y), hypot(aim[0] - x, aim[1] - y), **look))
    else:
        axes.fill(*zip(*shape, strict=True), **look)
