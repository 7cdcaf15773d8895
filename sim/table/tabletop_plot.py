"""The table as a picture: bases to scale with their facing, terrain, melees, a scale bar."""

from collections.abc import Iterable, Sequence
from math import hypot
from typing import Any

from ...profiles.message import say, say_n
from ..base.result import Result, Row
from ..text.drawing import Axes, Figure, figure

SIDES = {"A": "#56B4E9", "B": "#E69F00"}  # told apart by the colour-blind (Okabe and Ito)
_MELEES = ("#CC79A7", "#009E73", "#D55E00", "#0072B2", "#F0E442", "#000000")
_IMPASSABLE, _RELIEF = "#8C8C8C", "#E4DCCB"
_ZONE = "#7B3294"
_REACH = {"walk": "#C3E8C3", "run": "#E8F4E8"}
_BAR = 10.0  # cm


def drawn(result: Result) -> Figure:
    """Return the picture of a table."""
    picture, _ = board(result)
    return picture


def board(result: Result) -> tuple[Figure, Axes]:
    """Return a picture with the rows of a table drawn, and its axes, one unit a cm."""
    frame = frame_of(result)
    picture, (axes,) = figure((8.0, 1.2 + 7.0 * frame["depth"] / frame["width"]), 1, 1)
    draw_board(axes, result.rows)
    return picture, axes


def frame_of(rows: Iterable[Row]) -> Row:
    """Return the row with the size of the table."""
    return next(row for row in rows if row["section"] == "table")


def draw_board(axes: Axes, rows: Sequence[Row]) -> None:
    """Draw the rows of a table."""
    frame = frame_of(rows)
    width, depth = frame["width"], frame["depth"]
    draw = {"terrain": _draw_terrain, "zone": _draw_zone, "fighter": _draw_fighter}
    for row in rows:
        if row["section"] in draw:
            draw[row["section"]](axes, row)
    axes.set_xlim(0, width)
    axes.set_ylim(0, depth)
    axes.set_aspect("equal")
    axes.spines[:].set_visible(True)
    axes.set_xticks([])
    axes.set_yticks([])
    _scale_bar(axes, width, depth)


def points(text: str) -> list[tuple[float, float]]:
    """Return the corners that a row holds."""
    pairs = (pair.split(",") for pair in text.split())
    return [(float(x), float(y)) for x, y in pairs]


def _draw_terrain(axes: Axes, row: Row) -> None:
    colour = _IMPASSABLE if row["kind"] == "impassable" else _RELIEF
    corners = points(row["corners"])
    axes.fill(*zip(*corners, strict=True), facecolor=colour, edgecolor="#606060", linewidth=0.8)
    text = (
        row["name"]
        if row["kind"] == "impassable"
        else say("{}, {:g} cm", row["name"], row["height"])
    )
    _write(axes, corners, text)


def _draw_zone(axes: Axes, row: Row) -> None:
    corners = points(row["corners"])
    look: dict[str, Any] = {"facecolor": "none", "edgecolor": _ZONE, "linestyle": "--"}
    axes.fill(*zip(*corners, strict=True), **look, linewidth=1.0, zorder=1)
    x, y = min(x for x, _ in corners), max(y for _, y in corners)
    text = say("{}, {}", row["name"], say_n("{} point", "{} points", row["points"]))
    axes.text(x, y + 0.4, text, va="bottom", color=_ZONE, fontsize=6, zorder=2)


def _draw_fighter(axes: Axes, row: Row) -> None:
    """Draw a base, a mark at its aim point, and its name, or its key inside where it has one.

    Its edge says in which melee it is.
    """
    corners = points(row["corners"])
    melee = row["melee"]
    edge = "#404040" if melee is None else _MELEES[(melee - 1) % len(_MELEES)]
    look: dict[str, Any] = {"facecolor": SIDES[row["side"]], "edgecolor": edge, "zorder": 3}
    radius = 0.0
    look["linewidth"] = 0.8 if melee is None else 2.2
    if len(corners) == 2:
        from matplotlib.patches import Circle

        centre, aim = corners
        radius = hypot(aim[0] - centre[0], aim[1] - centre[1])
        axes.add_patch(Circle(centre, radius, **look))
        corners = [centre]
    else:
        axes.fill(*zip(*corners, strict=True), **look)
    x, y = (sum(c[k] for c in corners) / len(corners) for k in (0, 1))
    axes.plot([x, row["x"]], [y, row["y"]], color="#404040", lw=0.8, zorder=4)
    axes.plot([row["x"]], [row["y"]], "o", color="black", markersize=2.5, zorder=5)
    if row.get("key"):
        axes.text(x, y, row["key"], ha="center", va="center", fontsize=6, zorder=6)
        return
    above = row["side"] == "A"  # so that the names of two who touch do not meet
    heights = [c[1] for c in points(row["corners"])]
    edge_y = max(heights) if above else min(heights)
    if len(heights) == 2:
        edge_y = y + (radius if above else -radius)
    axes.annotate(
        row["name"],
        (x, edge_y),
        (0, 3 if above else -3),
        textcoords="offset points",
        ha="center",
        va="bottom" if above else "top",
        fontsize=6,
        zorder=6,
    )


def _write(axes: Axes, corners: Sequence[tuple[float, float]], text: str) -> None:
    """Write a text in the middle of a shape."""
    x, y = (sum(c[k] for c in corners) / len(corners) for k in (0, 1))
    axes.text(x, y, text, ha="center", va="center", fontsize=6, zorder=2)


def _scale_bar(axes: Axes, width: float, depth: float) -> None:
    """Draw how long ten centimetres are, below the table."""
    low = -0.06 * depth
    axes.plot([0, _BAR], [low, low], color="black", lw=2, clip_on=False)
    axes.text(_BAR + 1, low, say("{:g} cm", _BAR), va="center", fontsize=7, clip_on=False)


def reach(result: Result) -> Figure:
    """Return the picture of a table with the places where a fighter may go."""
    picture, axes = board(result)
    for row in reversed(result.rows):  # a run below a walk
        if row["section"] == "places" and row["corners"]:
            xs, ys = zip(*points(row["corners"]), strict=True)
            label = say("{}, {:g} cm", row["action"], row["reach"])
            axes.scatter(
                xs, ys, s=14, marker="s", color=_REACH[row["action"]], label=label, zorder=0
            )
    for row in result:
        if row["section"] == "assault" and row["allowed"]:
            other = next(r for r in result if r["name"] == row["enemy"])
            text = say("{}, {:.1f} cm", row["action"], row["distance"])
            place = (other["x"], other["y"])
            axes.annotate(text, place, (0, 12), textcoords="offset points", fontsize=7)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="lower right", frameon=True, title="its aim point may end here")
    return picture
