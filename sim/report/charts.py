"""Charts of a report: heat map, forest, losses, rounds, what an answer hangs on."""

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import erfc, sqrt
from typing import Any

from ..base.answer import loaded
from ..base.options import SIDES
from ..base.result import Result, Row, sections
from ..base.scores import scaled, unit
from ..base.stats import LEVEL, quantile
from ..matchup.plot import draw_forest, draw_heat
from ..text.drawing import Figure, figure, style, translate_figure
from ..text.speech import tr, translated
from .losses import draw_losses, draw_rounds

DISCOVERY = 0.05  # expected share of wrong ones among the meetings that are told from 50 %
_MEETINGS = 6  # of a matchup whose losses are drawn; all of them are in its table
_SHAPES = 2_000  # most that are drawn as such; more are pixels
_BARS = 24  # most changes that a chart shows
_TOLD, _QUIET = "#D55E00", "#8C8C8C"


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
    yield title, _strips(bars[:_BARS], "percentage points of A's score"), caption


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
        _strips(bars, f"change of {unit(score)}"),
        tr("By how much best play is worth more to A with another value of what nobody found."),
    )


def _strips(bars: "Sequence[tuple[str, float, float | None, float | None]]", label: str) -> Figure:
    """Return horizontal bars from zero, the first on top."""
    picture, (axes,) = figure((7.5, 0.3 * len(bars) + 1.0), 1, 1)
    for height, (_, value, low, high) in enumerate(reversed(bars)):
        told = low is None or high is None or low > 0 or high < 0
        axes.barh(height, value, 0.6, color=_TOLD if told else _QUIET)
        if low is not None and high is not None:
            axes.hlines(height, low, high, color="black", linewidth=0.8)
    axes.set_yticks(range(len(bars)), [name for name, *_ in reversed(bars)])
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_xlabel(label)
    axes.spines.left.set_visible(False)
    return picture
