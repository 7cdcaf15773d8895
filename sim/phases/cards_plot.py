"""When cards act in an activation phase, as a picture: a line for each card."""

from collections.abc import Sequence

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.percent import chance
from ..base.result import Result, Row
from ..text.drawing import Axes, Figure, figure
from .cards_table import sections

_COLOURS = {"A": "#0072B2", "B": "#D55E00"}  # told apart by the colour-blind
_HELD = "#C8C8C8"
_FAINT = 0.06  # a chance that can be seen at all
_WRITTEN = 0.05  # a chance that is written in its box


def timetable(result: Result) -> Figure:
    """Return the picture of many phases: how likely each card acts in each speaking turn."""
    rows = sections(result, exact=True).get("acts", [])
    if not rows:
        raise InputError("cards: there is nothing to draw")
    names = sorted(dict.fromkeys((row["side"], row["card"]) for row in rows), key=lambda n: n[0])
    most = max(row["p"] for row in rows)
    picture, (axes,) = figure((7.5, 1.6 + 0.32 * len(names)), 1, 1)
    for row in rows:
        _box(axes, names.index((row["side"], row["card"])), row, row["p"] / most)
    for height, name in enumerate(names):
        mean = sum(row["turn"] * row["p"] for row in rows if (row["side"], row["card"]) == name)
        axes.plot([mean], [height + 0.33], "^", color="black", markersize=5, zorder=3)
    _frame(axes, names, rows)
    axes.set_title(say("chance that a card acts in a turn, %; darkest {}; ▲ mean", chance(most)))
    return picture


def played(result: Result) -> Figure:
    """Return the picture of one phase: when each card is put in reserve, and when it acts."""
    held: dict[tuple[str, str], int] = {}
    acts: dict[tuple[str, str], int] = {}
    for row in result:
        for card in filter(None, (row["from_reserve"], row["from_pile"])):
            acts[row["side"], card] = row["turn"]
        if row["put_in_reserve"]:
            held[row["side"], row["put_in_reserve"]] = row["turn"]
    names = sorted(acts, key=lambda name: (name[0], acts[name]))
    picture, (axes,) = figure((7.5, 1.6 + 0.32 * len(names)), 1, 1)
    for height, name in enumerate(names):
        if name in held:
            since = held[name] - 0.5
            axes.barh(height, acts[name] - since, left=since, height=0.3, color=_HELD)
        axes.barh(height, 1, left=acts[name] - 0.5, height=0.8, color=_COLOURS[name[0]])
    for row in result:
        if row["move"] == "refuse":
            axes.axvspan(row["turn"] - 0.5, row["turn"] + 0.5, color="#F2F2F2", zorder=0)
    _frame(axes, names, result.rows)
    axes.set_title("grey: in reserve; pale column: a refusal")
    return picture


def _box(axes: Axes, height: int, row: Row, share: float) -> None:
    """Draw how likely a card acts in a speaking turn: the darker the likelier."""
    turn, depth = row["turn"], _FAINT + (1 - _FAINT) * share
    colour = _COLOURS[row["side"]]
    axes.barh(height, 1, left=turn - 0.5, height=0.8, color=colour, alpha=depth, linewidth=0)
    if row["p"] >= _WRITTEN:
        ink, text = ("white" if share > 0.5 else "black"), _whole(row["p"])
        axes.text(turn, height, text, ha="center", va="center", color=ink, fontsize=7)


def _whole(p: float) -> str:
    """Return a chance in whole percent that is 100 only if it is certain."""
    return f"{min(100 * p, 99) if p < 1 else 100:.0f}"


def _frame(axes: Axes, names: list[tuple[str, str]], rows: Sequence[Row]) -> None:
    """Name the cards, number the speaking turns, say how it was found."""
    turns = max(row["turn"] for row in rows)
    axes.set_yticks(range(len(names)), [f"{name}  {side}" for side, name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.set_xlim(0.5, turns + 0.5)
    axes.set_xticks(range(1, turns + 1))
    row = rows[0]
    how = say("exact odds") if row["seed"] is None else say("seed {}", row["seed"])
    axes.set_xlabel(say("speaking turn\npolicy {}, {}", row["policy"], how))
    axes.spines.left.set_visible(False)
    axes.tick_params(axis="y", length=0)
