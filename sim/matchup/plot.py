"""A matchup as a picture: everyone against everyone, and everyone against the field."""

from collections.abc import Sequence

from ...profiles.message import joined, say, wrapped
from ..base.result import Result, Row, sections
from ..text.drawing import Axes, Figure, figure, ink, lay_grid
from .result import MatchupResult
from .table import range_text, score_text

_COLOURS = "RdBu"
_EVEN = "#F2F2F2"
_KNOWN = "#FFFFFF"
_PALE = 0.25  # how much of its colour a cell keeps that cannot be told from one half
_WRITTEN = 24  # most entrants whose scores are written into the cells
_CELL, _SMALL = 0.55, 0.2  # inches
_BLUE, _GREY = "#0072B2", "#8C8C8C"


def matrix_and_forest(result: Result) -> Figure:
    """Return the picture of a matchup: a heat map, a forest plot, or both side by side."""
    found = sections(result)
    wanted = result.picture if isinstance(result, MatchupResult) else "both"
    size = len(found["field"])
    cell = _CELL if size <= _WRITTEN else _SMALL
    heat, forest = (cell * size + 3.6, cell * size + 1.8), (6.0, max(0.34 * size + 1.8, 2.6))
    if wanted == "heat":
        picture, (axes,) = figure(heat, 1, 1)
        draw_heat(axes, found["score"], _names(found["field"]))
    elif wanted == "forest":
        picture, (axes,) = figure(forest, 1, 1)
        draw_forest(axes, found["field"])
    else:
        across = heat[0] + forest[0]
        picture, (left, right) = figure((across, max(heat[1], forest[1])), 1, 2)
        draw_heat(left, found["score"], _names(found["field"]))
        draw_forest(right, found["field"])
    row = result.rows[0]
    players = say("policies {}, seed {}", row["policy"], row["seed"])
    lines = [wrapped(text, 90) for text in (result.title, players)]
    picture.suptitle(joined("\n", lines), fontsize=9)
    return picture


def _names(rows: Sequence[Row]) -> list[str]:
    return [row["entrant"] for row in rows]


def draw_heat(axes: Axes, rows: Sequence[Row], names: list[str], ranges: bool = False) -> None:
    """Draw all scores, the rows' against the columns': pale where not told from one half.

    With ``ranges``, the interval stands below the score.
    """
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import PatchCollection
    from matplotlib.colors import Normalize
    from matplotlib.patches import Rectangle

    drawn = [(names.index(row["other"]), names.index(row["entrant"]), row) for row in rows]
    colours = [_colour(row) for _, _, row in drawn]
    squares = PatchCollection(
        [Rectangle((x - 0.5, y - 0.5), 1, 1) for x, y, _ in drawn],
        facecolor=colours,
        edgecolor="white",
        linewidth=1.0,
    )
    axes.add_collection(squares, autolim=False)
    for (x, y, row), colour in zip(drawn, colours, strict=True):
        if len(names) <= _WRITTEN:
            known = ranges and row["score_low"] is not None and row["score_low"] != row["score"]
            text = f"{score_text(row)}\n{range_text(row)}" if known else score_text(row)
            size = 7 if ranges else 8
            axes.text(x, y, text, color=ink(colour), ha="center", va="center", fontsize=size)
    lay_grid(axes, names, names, rotation=45, ha="right", rotation_mode="anchor")
    scale, ticks = ScalarMappable(Normalize(0, 100), _COLOURS), [0, 25, 50, 75, 100]
    bar = axes.figure.colorbar(scale, ax=axes, fraction=0.04, ticks=ticks)
    bar.outline.set_visible(False)
    axes.set_title(
        "score of the row against the column, %;\n"
        "pale: not told from 50 (95 %);\nwhite: itself, 50 by symmetry"
    )


def _colour(row: Row) -> tuple[float, float, float]:
    """Return blue for a score above one half, red below, pale where that is not shown."""
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    if row["entrant"] == row["other"] or row["score"] is None:
        return to_rgb(_KNOWN)
    full = colormaps[_COLOURS](float(row["score"]))[:3]
    kept = 1.0 if row["shown"] else _PALE
    red, green, blue = (
        kept * part + (1 - kept) * pale for part, pale in zip(full, to_rgb(_EVEN), strict=True)
    )
    return red, green, blue


def draw_forest(axes: Axes, rows: Sequence[Row]) -> None:
    """Draw what each scores against all others, the best on top, with its interval."""
    known = sorted((row for row in rows if row["score"] is not None), key=lambda row: row["score"])
    for height, row in enumerate(known):
        colour = _BLUE if row["shown"] else _GREY
        value, low, high = (100 * row[key] for key in ("score", "score_low", "score_high"))
        axes.hlines(height, low, high, color=colour, linewidth=2)
        axes.plot(value, height, "o", color=colour, markersize=4)
        axes.annotate(
            f"{score_text(row)}  ({range_text(row)})",
            (1.02, height),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=8,
        )
    axes.axvline(50, color="black", linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(known)), _names(known))
    axes.set_ylim(-0.6, len(known) - 0.4)
    axes.set_xlim(0, 100)
    axes.set_xlabel("score against the field, %, with a 95 % interval by pairs of battles")
    axes.grid(axis="x", color="#E0E0E0", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines.left.set_visible(False)
    axes.tick_params(axis="y", length=0)
