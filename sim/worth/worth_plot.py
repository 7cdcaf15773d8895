"""What changes are worth, as a picture: a strip for each change, a dot for each enemy."""

from collections.abc import Sequence
from textwrap import fill

from ...profiles.message import say, wrapped
from ..base.percent import scaled, shown, unit
from ..base.result import Result, Row
from ..text.drawing import Axes, Figure, figure
from ..text.printing import short_names
from .worth import MEAN, SECOND
from .worth_table import by_mean, rows_of

# Told apart by the colour-blind (Okabe and Ito), and in print by their shapes.
_MARKS = (
    ("o", "#0072B2"),
    ("s", "#E69F00"),
    ("^", "#009E73"),
    ("D", "#CC79A7"),
    ("v", "#56B4E9"),
    ("P", "#D55E00"),
    ("X", "#000000"),
)
_MANY = ("o", "#0072B2")
_SPREAD = 0.7  # of the space between two strips, that the dots of one take


def strips(result: Result) -> Figure:
    """Return the picture: a strip for each change, sorted by the mean, a dot for each enemy.

    Few enemies have a mark each, and are named. A second attacker, worth far more than the
    rest, has a scale of his own.
    """
    means = by_mean(result)
    names = short_names(row["b"] for row in result if row["b"] != MEAN)
    parts = [
        [row for row in means if (row["change"] == SECOND) == apart] for apart in (False, True)
    ]
    picture, panels = figure((7.5, 2.4 + 0.4 * len(means)), len(parts), 1)
    grid = panels[0].get_gridspec()
    assert grid is not None  # made with it
    grid.set_height_ratios([len(part) for part in parts])
    for axes, part in zip(panels, parts, strict=True):
        _panel(axes, result, part, names)
    panels[-1].set_xlabel(wrapped(say("change of {}", unit(means[0]["score"])), 75))
    handles, labels = panels[0].get_legend_handles_labels()
    picture.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return picture


def _panel(axes: Axes, result: Result, means: Sequence[Row], names: dict[str, str]) -> None:
    """Draw the strips of some changes."""
    named = len(names) <= len(_MARKS)
    axes.axvline(0, color="black", linewidth=0.8, zorder=1)
    _draw_means(axes, means)
    rows = [(h, row) for h, mean in enumerate(means) for row in rows_of(result, mean["change"])]
    for place, (enemy, name) in enumerate(names.items()):
        below = _SPREAD * ((place + 0.5) / len(names) - 0.5)
        dots = [(h + below, row) for h, row in rows if row["b"] == enemy]
        shape, colour = _MARKS[place] if named else _MANY
        axes.scatter(
            [_difference(row) for _, row in dots],
            [height for height, _ in dots],
            marker=shape,
            color=colour,
            s=24 if named else 16,
            alpha=1 if named else 0.6,
            linewidths=0,
            label=fill(name, 34) if named else "" if place else say("an enemy"),
            zorder=3,
        )
    labels = [say("{}  {}", row["change"], shown(row["difference"], row["score"])) for row in means]
    axes.set_yticks(range(len(means)), labels)
    axes.set_ylim(len(means) - 0.5, -0.5)
    axes.grid(axis="y", color="#E0E0E0", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines.left.set_visible(False)
    axes.tick_params(axis="y", length=0)


def _draw_means(axes: Axes, means: Sequence[Row]) -> None:
    """Draw the mean of each strip as an upright line, where there are several enemies."""
    known = [(h, row) for h, row in enumerate(means) if row["difference"] is not None]
    if max((row["enemies"] for _, row in known), default=0) < 2:
        return
    axes.vlines(
        [_difference(row) for _, row in known],
        [height - 0.4 for height, _ in known],
        [height + 0.4 for height, _ in known],
        color="#606060",
        linewidth=2.5,
        label="mean",
        zorder=2,
    )


def _difference(row: Row) -> float:
    """Return what a change is worth, in the unit of the picture."""
    return float(scaled(row["difference"], row["score"]) or 0.0)
