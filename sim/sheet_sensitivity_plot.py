"""How much each reading of the sheet matters, as a picture: bars, the greatest change on top."""

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING

from estoc.sim.drawing import figure, style
from estoc.sim.result import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MORE, _LESS = "#D55E00", "#0072B2"  # told apart by the colour-blind


def plot_sheet_sensitivity(result: Result) -> "Figure":
    """Return the picture of an answer: a bar for each reading, with its interval of 95 %."""
    rows = result.rows
    with style():
        picture, (axes,) = figure((7.5, 1.6 + 0.24 * len(rows)), 1, 1)
        changes = [row["difference"] for row in rows]
        axes.barh(
            range(len(rows)),
            changes,
            xerr=_errors(rows),
            color=[_MORE if change > 0 else _LESS for change in changes],
            error_kw={"linewidth": 0.8},
        )
        axes.set_yticks(range(len(rows)), [f"{row['question']}  {row['read_as']}" for row in rows])
        axes.invert_yaxis()
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_xlabel(f"change; as it is read now: {rows[0]['before']:.4g}")
        axes.spines[["left", "right", "top"]].set_visible(False)
        axes.tick_params(axis="y", length=0)
        picture.suptitle(fill(result.title, 80))
        return picture


def _errors(rows: Sequence[Row]) -> list[list[float]] | None:
    """Return how far intervals reach down and up; None of exact odds."""
    if rows[0]["low"] is None:
        return None
    return [
        [row["difference"] - row["low"] for row in rows],
        [row["high"] - row["difference"] for row in rows],
    ]
