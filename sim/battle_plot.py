"""A battle as a picture: how the points differ, and what is destroyed turn by turn."""

from textwrap import fill
from typing import TYPE_CHECKING

from estoc.sim.battle_table import sections
from estoc.sim.drawing import figure, style
from estoc.sim.params import SIDES
from estoc.sim.percent import percent
from estoc.sim.result import Result, Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLOURS = {"A": "#0072B2", "B": "#D55E00"}  # told apart by the colour-blind
_BARS = 40  # most bars of differences


def margins(result: Result) -> "Figure":
    """Return the picture of many battles.

    Parameters
    ----------
    result : Result
        Of `estoc.sim.battle.battle`.
    """
    found = sections(result)
    with style():
        picture, (left, right) = figure((9.0, 3.8), 1, 2)
        _differences(left, found["points"])
        _by_turn(right, found["destroyed"])
        outcome = ", ".join(
            f"{row['what']} {percent(row['count'], row['trials'])}" for row in found["outcome"]
        )
        row = result.rows[0]
        text = f"{outcome}; policy {row['policy']}, {row['trials']:,} trials, seed {row['seed']}"
        picture.suptitle(f"{fill(result.title, 80)}\n{fill(text, 100)}", fontsize=9)
        return picture


def _differences(axes: "Axes", rows: list[Row]) -> None:
    """Draw how often there was each difference of points, in bars of equal width."""
    low, high = rows[0]["number"], rows[-1]["number"]
    width = -(-(high - low + 1) // _BARS)
    bars: dict[int, float] = {}
    for row in rows:
        # 0 has a bar of its own where bars are narrow, and lies in the middle of one elsewhere
        bar = (row["number"] + width // 2) // width
        bars[bar] = bars.get(bar, 0.0) + 100 * row["p"]
    for bar, share in bars.items():
        colour = "#8C8C8C" if bar == 0 else _COLOURS["A" if bar > 0 else "B"]
        middle = bar * width + (width % 2 == 0) * -0.5
        axes.bar(middle, share, width=0.9 * width, color=colour)
    axes.set_xlabel("A's points less B's")
    axes.set_ylabel("% of trials")
    axes.spines[["right", "top"]].set_visible(False)


def _by_turn(axes: "Axes", rows: list[Row]) -> None:
    """Draw the points that each side has destroyed by each turn, with their intervals."""
    for side in SIDES:
        own = [row for row in rows if row["side"] == side]
        turns, values = [row["turn"] for row in own], [row["value"] for row in own]
        axes.plot(turns, values, "o-", color=_COLOURS[side], label=f"destroyed by {side}")
        if own[0]["value_low"] is not None:
            ends = ([row["value_low"] for row in own], [row["value_high"] for row in own])
            axes.fill_between(turns, *ends, color=_COLOURS[side], alpha=0.2, linewidth=0)
    axes.set_xticks(turns)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turn")
    axes.set_ylabel("points so far, on average")
    axes.legend(frameon=False)
    axes.spines[["right", "top"]].set_visible(False)
