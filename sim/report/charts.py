"""Charts of a report: heat map, forest, losses, rounds, what an answer hangs on."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import cycle
from math import erfc, sqrt
from typing import Any

import numpy as np

from ...profiles.message import say
from ..base.options import SIDES
from ..base.percent import scaled, unit
from ..base.printed import loaded
from ..base.result import Result, Row, sections
from ..base.stats import LEVEL, quantile, wilson
from ..battle.losses import FIGHTERS, POINTS
from ..matchup.plot import draw_forest, draw_heat
from ..text.drawing import Axes, Bar, Figure, figure, strips, style, translate_figure
from ..text.speech import tr, translated

DISCOVERY = 0.05  # expected share of wrong ones among the meetings that are told from 50 %
_MEETINGS = 6  # of a matchup whose losses are drawn; all of them are in its table
_SHAPES = 2_000  # most that are drawn as such; more are pixels
_BARS = 24  # most changes that a chart shows
_TOLD, _QUIET = "#D55E00", "#8C8C8C"
_COLOURS = ("#0072B2", "#D55E00")  # told apart by the colour-blind
_PARTS = (("p", "exactly"), ("p_at_least", say("at least")))
_CLASSES = 20  # most bars for each side


@dataclass(frozen=True)
class Chart:
    """A picture of a report as a ``data:`` address; its caption says how to read it."""

    title: str
    picture: str
    caption: str


Drawn = Iterator[tuple[str, Figure, str]]  # titles, figures and captions


def charts(result: Result) -> Iterator[Chart]:
    """Yield the charts of an answer that has rows."""
    with style():
        drawn = loaded(result.kind.charts)(result) if result.kind.charts else usual(result)
        found = list(drawn)
    for title, picture, caption in found:
        yield Chart(title, _drawn(picture), caption)


def usual(result: Result) -> Drawn:
    """Yield the picture that ``--plot`` draws, if there is one of such an answer."""
    if result.kind.picture:
        yield tr("In a picture"), result.plot(), translated(result.title)


def _drawn(picture: Figure) -> str:
    """Return a figure as an address; the same to the byte each time."""
    buffer = BytesIO()
    _thin_out(picture)
    with style():
        translate_figure(picture)
        picture.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    return f"data:image/svg+xml;base64,{b64encode(buffer.getvalue()).decode()}"


def _thin_out(picture: Figure) -> None:
    """Make pixels of what has too many shapes for a page to open quickly."""
    for axes in picture.axes:
        for shapes in axes.collections:
            shapes.set_rasterized(len(shapes.get_paths()) > _SHAPES)


def of_matchup(result: Result) -> Drawn:
    """Yield each against each, each against the field, losses and turns."""
    found = sections(result)
    names = [row["entrant"] for row in found["field"]]
    told = told_apart(found["score"])
    picture, (axes,) = figure((0.8 * len(names) + 3.4, 0.8 * len(names) + 2.2), 1, 1)
    draw_heat(axes, [{**row, "shown": shown} for row, shown in told], names, ranges=True)
    axes.set_title("")
    yield (
        tr("Each against each"),
        picture,
        tr(
            "Score of the row against the column, in percent; pale: cannot be told from 50 % "
            "(Benjamini–Hochberg over all meetings, at most {level} % of those told apart wrong "
            "on average). Below it: its 95 % interval by pairs of battles.",
            level=f"{100 * DISCOVERY:g}",
        ),
    )
    picture, (axes,) = figure((7.5, max(0.34 * len(names) + 1.6, 2.4)), 1, 1)
    draw_forest(axes, found["field"])
    yield (
        tr("Each against the field"),
        picture,
        tr(
            "Score against all others, in percent, with 95 % intervals by pairs of battles; grey: "
            "could be even."
        ),
    )
    yield from _losses_of_meetings(found.get("loss", []))
    yield from _rounds(found.get("round", []), pairs=True)


def told_apart(rows: Sequence[Row]) -> list[tuple[Row, bool]]:
    """Return scores with whether each is told from one half, of all meetings together.

    Benjamini–Hochberg. A meeting is seen from both sides and counts once.
    """
    from scipy.stats import false_discovery_control

    pairs = sorted({_meeting(row) for row in rows if _is_played(row)})
    chances = {_meeting(row): _chance(row) for row in rows if _is_played(row)}
    if not pairs:
        return [(row, False) for row in rows]
    adjusted = false_discovery_control([chances[pair] for pair in pairs])
    told = {pair for pair, p in zip(pairs, adjusted, strict=True) if p <= DISCOVERY}
    return [(row, _is_played(row) and _meeting(row) in told) for row in rows]


def _meeting(row: Row) -> tuple[str, ...]:
    return tuple(sorted((row["entrant"], row["other"])))


def _is_played(row: Row) -> bool:
    return row["entrant"] != row["other"] and row["score_low"] is not None


def _chance(row: Row) -> float:
    """Return how likely chance alone is to give a score as far from one half (normal)."""
    middle = (row["score_low"] + row["score_high"]) / 2
    error = (row["score_high"] - row["score_low"]) / 2 / quantile(LEVEL)
    return erfc(abs(middle - 0.5) / error / sqrt(2)) if error else 1.0


def _losses_of_meetings(rows: Sequence[Row]) -> Drawn:
    """Yield what both sides of the first meetings lose."""
    meetings = list(dict.fromkeys(_meeting(row) for row in rows))
    for pair in meetings[:_MEETINGS]:
        own = [row for row in rows if _meeting(row) == pair]
        sides = {name: [row for row in own if row["entrant"] == name] for name in pair}
        yield _losses(" – ".join(pair), sides)


def _losses(title: str, sides: Mapping[str, Sequence[Row]]) -> tuple[str, Figure, str]:
    return (
        tr("Losses: {meeting}", meeting=title),
        draw_losses(sides),
        tr(
            "How often each side loses exactly so many fighters, and at least so many, with 95 % "
            "Wilson intervals. Below: the same of their PA, in classes and without intervals on "
            "the left."
        ),
    )


def of_battle(result: Result) -> Drawn:
    """Yield the usual picture, losses and turns."""
    yield from usual(result)
    found = sections(result)
    losses = found.get("loss", [])
    if losses:
        names = {side: [row for row in losses if row["side"] == side] for side in SIDES}
        yield _losses(translated(result.title), names)
    yield from _rounds(found.get("round", []))


def _rounds(rows: Sequence[Row], pairs: bool = False) -> Drawn:
    """Yield how often a battle ends in which turn; two of a pair have the same dice."""
    if not rows:
        return
    picture = draw_rounds(rows, lambda battles: battles / (2 if pairs else 1))
    text = tr("How often a battle ends in which turn, with 95 % Wilson intervals.")
    yield tr("Turns to the end"), picture, text


def of_changes(result: Result) -> Drawn:
    """Yield by how much each change moves A's score, with the same dice."""
    rows = [row for row in result if row["section"] == "change" and row["value"] is not None]
    if not rows:
        return
    caption = tr(
        "By how many points each change moves A's score, both with the same dice, with 95 % "
        "intervals of paired differences; orange: told from none."
    )
    if result.question == "sensitivity":
        caption += " " + tr("Values that nobody found come first.")
    rows.sort(key=lambda row: (_key(row) not in result.assumed, -abs(row["value"])))
    bars = [
        (row["what"], *(_percent(row[k]) for k in ("value", "value_low", "value_high")))
        for row in rows
    ]
    title = tr("What the answer hangs on")
    yield title, _strips(bars[:_BARS], say("percentage points of A's score")), caption


def _percent(value: float | None) -> Any:
    return None if value is None else 100 * value


def _key(row: Row) -> str:
    """Return the value of the edition that a change is about."""
    return str(row["what"]).partition("=")[0]


def of_assumed(result: Result) -> Drawn:
    """Yield by how much each assumed value moves the worth of best play."""
    rows = [row for row in result if row["section"] == "assumed" and row["difference"]]
    if not rows:
        return
    rows.sort(key=lambda row: -abs(row["difference"]))
    score = rows[0]["score"]
    bars = [
        (row["what"], scaled(row["difference"], score) or 0.0, None, None) for row in rows[:_BARS]
    ]
    yield (
        tr("What the answer hangs on"),
        _strips(bars, say("change of {}", unit(score))),
        tr("By how much best play is worth more to A with another value of what nobody found."),
    )


def _strips(bars: Sequence[Bar], label: str) -> Figure:
    """Return bars from zero, orange where they are told from it."""
    told = (low is None or high is None or low > 0 or high < 0 for _, _, low, high in bars)
    return strips(bars, label, [_TOLD if is_told else _QUIET for is_told in told])


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
    for number, ((name, rows), colour) in enumerate(zip(sides.items(), _COLOURS, strict=True)):
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
    axes.bar(turns, 100 * counts / max(counts.sum(), 1), 0.6, color=_COLOURS[0])
    axes.vlines(turns, 100 * lows, 100 * highs, color="black", linewidth=0.8)
    axes.set_xlabel("last turn")
    axes.set_ylabel("battles, %")
    axes.set_xticks(turns)
    axes.set_ylim(bottom=0)
    return picture
