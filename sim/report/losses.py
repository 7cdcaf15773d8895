"""Charts of a report on how battles go: what both sides lose, and in which turn they end."""

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np

from ..base.result import Row
from ..base.stats import wilson
from ..battle.losses import FIGHTERS, POINTS
from ..text.drawing import Axes, Figure, figure

SIDES = ("#0072B2", "#D55E00")  # told apart by the colour-blind
_PARTS = (("p", "exactly"), ("p_at_least", "at least"))
_CLASSES = 20  # most bars for each side


def draw_losses(sides: Mapping[str, Sequence[Row]]) -> Figure:
    """Return how often both sides lose so many fighters, and so much PA: exactly, and at least."""
    picture, axes = figure((7.5, 5.6), 2, 2)
    for line, what in enumerate((FIGHTERS, POINTS)):
        for place, (key, heading) in enumerate(_PARTS):
            axis = axes[2 * line + place]
            _draw_part(axis, sides, what, key)
            axis.set_title(heading if line == 0 else "")
            axis.set_xlabel(what)
        axes[2 * line].set_ylabel("battles, %")
    axes[0].legend(frameon=False, fontsize=8)
    return picture


def _draw_part(axis: Axes, sides: Mapping[str, Sequence[Row]], what: str, key: str) -> None:
    for number, ((name, rows), colour) in enumerate(zip(sides.items(), SIDES, strict=True)):
        own = [row for row in rows if row["what"] == what]
        if what == FIGHTERS:
            _bars(axis, own, key, colour, (number - 0.5) * 0.4, name)
        elif key == "p":
            most = max((row["number"] for each in sides.values() for row in each), default=0)
            _classes(axis, own, colour, number, step_of(most))
        else:
            _steps(axis, own, key, colour)
    axis.set_ylim(bottom=0)


def _bars(axis: Axes, rows: Sequence[Row], key: str, colour: str, shift: float, name: str) -> None:
    from matplotlib.ticker import MaxNLocator

    numbers = [row["number"] + shift for row in rows]
    low, high = (np.array([row[f"{key}_{end}"] for row in rows]) for end in ("low", "high"))
    axis.bar(numbers, [100 * row[key] for row in rows], 0.4, color=colour, label=name)
    axis.vlines(numbers, 100 * low, 100 * high, color="black", linewidth=0.8)
    axis.xaxis.set_major_locator(MaxNLocator(integer=True))


def _classes(axis: Axes, rows: Sequence[Row], colour: str, number: int, step: int) -> None:
    """Draw bars of classes of PA, the first of what is below the step."""
    counts: dict[int, float] = {}
    for row in rows:
        low = row["number"] // step
        counts[low] = counts.get(low, 0.0) + row["p"]
    at = [step * (low + 0.25 + 0.5 * number) for low in counts]
    axis.bar(at, [100 * share for share in counts.values()], 0.5 * step, color=colour)


def _steps(axis: Axes, rows: Sequence[Row], key: str, colour: str) -> None:
    """Draw how often it is so much or more, with its intervals as a band."""
    numbers = [row["number"] for row in rows]
    values, low, high = (
        [100 * row[name] for row in rows] for name in (key, f"{key}_low", f"{key}_high")
    )
    axis.step(numbers, values, where="pre", color=colour)
    axis.fill_between(numbers, low, high, step="pre", color=colour, alpha=0.2, linewidth=0)


def step_of(most: int) -> int:
    """Return the width of classes of PA: a round number, so that they are few.

    Examples
    --------
    >>> step_of(19), step_of(150), step_of(300)
    (1, 10, 20)
    """
    step, factors = 1, cycle((2, 2.5, 2))  # 1, 2, 5, 10, 20, 50 …
    while most // step >= _CLASSES:
        step = int(step * next(factors))
    return step


def draw_rounds(rows: Sequence[Row], independent: Callable[[Any], Any]) -> Figure:
    """Return in which turn battles end, with intervals of as many `independent` battles."""
    turns = sorted({row["turn"] for row in rows})
    counts = np.array([sum(row["count"] for row in rows if row["turn"] == turn) for turn in turns])
    lows, highs = wilson(independent(counts), independent(counts.sum()))
    picture, (axes,) = figure((5.0, 2.6), 1, 1)
    axes.bar(turns, 100 * counts / max(counts.sum(), 1), 0.6, color=SIDES[0])
    axes.vlines(turns, 100 * lows, 100 * highs, color="black", linewidth=0.8)
    axes.set_xlabel("last turn")
    axes.set_ylabel("battles, %")
    axes.set_xticks(turns)
    axes.set_ylim(bottom=0)
    return picture
