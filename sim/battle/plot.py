"""A battle as a picture: how the points differ; turn by turn, what is destroyed and who lives."""

from ...profiles.message import joined, say, wrapped
from ..base.options import SIDES
from ..base.percent import percent
from ..base.result import Result, Row, sections
from ..text.drawing import Axes, Figure, figure

_COLOURS = {"A": "#0072B2", "B": "#D55E00"}  # told apart by the colour-blind
_BARS = 40  # most bars of differences
_LINE = 0.23  # inches a fighter
_LIVES = {"A": "Blues", "B": "Oranges"}
_DARK = 55  # percent: white letters are read on what is above


def margins(result: Result) -> Figure:
    """Return the picture of many battles."""
    found = sections(result)
    fighters = {(row["side"], row["fighter"]) for row in found["fighter"]}
    height = max(3.8, 1.6 + _LINE * len(fighters))
    picture, (left, middle, right) = figure((13.5, height), 1, 3)
    _differences(left, found["points"])
    _by_turn(middle, found["destroyed"])
    _survival(right, found["death"])
    shares = [(row["what"], percent(row["count"], row["trials"])) for row in found["outcome"]]
    outcome = joined(", ", (say("{} {}", *share) for share in shares))
    row = result.rows[0]
    text = say(
        "{}; policy {}, {:,} trials, seed {}", outcome, row["policy"], row["trials"], row["seed"]
    )
    picture.suptitle(joined("\n", [wrapped(result.title, 80), wrapped(text, 100)]), fontsize=9)
    return picture


def _differences(axes: Axes, rows: list[Row]) -> None:
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


def _by_turn(axes: Axes, rows: list[Row]) -> None:
    """Draw the points that each side has destroyed by each turn, with their intervals."""
    for side in SIDES:
        own = [row for row in rows if row["side"] == side]
        turns, values = [row["turn"] for row in own], [row["value"] for row in own]
        axes.plot(turns, values, "o-", color=_COLOURS[side], label=say("destroyed by {}", side))
        if own[0]["value_low"] is not None:
            ends = ([row["value_low"] for row in own], [row["value_high"] for row in own])
            axes.fill_between(turns, *ends, color=_COLOURS[side], alpha=0.2, linewidth=0)
    axes.set_xticks(turns)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turn")
    axes.set_ylabel("points so far, on average")
    axes.legend(frameon=False)


def _survival(axes: Axes, rows: list[Row]) -> None:
    """Draw how many of a hundred of each fighter live after each turn, side A on top."""
    from matplotlib import colormaps

    lives: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        own = lives.setdefault((row["side"], row["fighter"]), [100.0])
        own.append(own[-1] - 100 * row["p"])
    order = sorted(lives, key=lambda who: who[0])
    for line, who in enumerate(order):
        colours = colormaps[_LIVES[who[0]]]
        for turn, share in enumerate(lives[who][1:], 1):
            axes.barh(line, 1, left=turn - 0.5, height=1, color=colours(0.9 * share / 100))
            ink = "white" if share > _DARK else "black"
            axes.annotate(
                f"{share:.0f}", (turn, line), color=ink, ha="center", va="center", fontsize=7
            )
    axes.set_yticks(range(len(order)), [f"{side}  {name}" for side, name in order], fontsize=7)
    axes.set_ylim(len(order) - 0.5, -0.5)
    axes.set_xlim(0.5, max(len(own) for own in lives.values()) - 0.5)
    axes.set_xticks(range(1, max(len(own) for own in lives.values())))
    axes.set_xlabel("turn")
    axes.set_title("% that live after it")
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
