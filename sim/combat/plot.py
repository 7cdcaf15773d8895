"""Combats as pictures: bars of a duel, bars of final states, a heat map of a sweep."""

import math
from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...profiles.message import joined, say, wrapped
from ..base.percent import fraction, range_of, rate
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.drawing import Axes, Figure, figure, ink, lay_grid
from ..text.printing import short_names
from .sweep import safest
from .table import Pair, charge_text, pairs, state_columns, state_told

if TYPE_CHECKING:
    from matplotlib.colors import Colormap


_PANELS = 12  # most panels of a sweep; more pairs make one matrix
_ACROSS = 3  # panels side by side
_A, _B, _NEITHER = "#0072B2", "#D55E00", "#C8C8C8"  # told apart by the colour-blind
_DIVERGING = "RdBu"
_PALE = "#F2F2F2"
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])  # of a cell
_WRITTEN = 40  # most fighters on a side of a matrix whose scores are written
_SAME = 1e-12  # exact chances that differ by less are equal
_HATCHED = say("hatched: A and B cannot be told apart (95 %)")
_HATCHED_EXACT = say("hatched: A and B win as often")


class Cell(NamedTuple):
    """A cell of a grid: its place, the duel that colours it, and what is written in it."""

    x: int
    y: int
    row: Row
    text: str


def heat_map(result: Result) -> Figure:
    """Return the picture of a sweep: the score, what A wins less what B wins.

    A few pairs get a panel each, dice of A by dice of B; many pairs get a matrix for each
    charge, fighters A by fighters B, where both place their safest dice.
    """
    found = pairs(result)
    few = len(found) <= _PANELS and any(len(rows) > 1 for rows in found.values())
    return _panels(result, found) if few else _matrices(result, found)


def outcome_bar(result: Result) -> Figure:
    """Return the picture of a duel: a bar of what A wins, what nobody wins, what B wins."""
    row = result.exact_rows[0]
    names = short_names([row["a"], row["b"]])
    parts = [
        (say("A wins: {}", names[row["a"]]), "p_a", _A, "white"),
        ("undecided", "p_undecided", _NEITHER, "black"),
        (say("B wins: {}", names[row["b"]]), "p_b", _B, "white"),
    ]
    picture, (axes,) = figure((7.5, 2.6), 1, 1)
    left = 0.0
    for who, name, colour, letters in parts:
        width = 100 * fraction(row, name)
        share = rate(row, name)
        label = say("{}, {} %", who, share)
        if row["trials"] is not None:
            label = say("{}, {} % ({})", who, share, range_of(row, name))
        axes.barh([0], [width], left=left, color=colour, edgecolor="white", label=label)
        if width > 10:
            place = (left + width / 2, 0)
            axes.annotate(f"{share} %", place, color=letters, ha="center", va="center")
        left += width
    axes.set_yticks([])
    _percent_axis(axes)
    picture.suptitle(wrapped(say("{}, {}", result.title, charge_text(row["charge"])), 80))
    picture.legend(loc="outside lower center", frameon=False)
    return picture


def state_bars(result: Result) -> Figure:
    """Return the picture of a combat: a bar for each fighter, cut into its final states."""
    from matplotlib import colormaps

    sides, *fighters = result.exact_rows
    levels = list(dict.fromkeys(map(_level, state_columns(result))))
    picture, (axes,) = figure((7.5, 2.3 + 0.45 * len(fighters)), 1, 1)
    left = [0.0] * len(fighters)
    for state in state_columns(result):
        widths = [100 * fraction(row, f"p_{state}") for row in fighters]
        depth = levels.index(_level(state)) / (len(levels) - 1)
        axes.barh(
            range(len(fighters)),
            widths,
            left=left,
            color=colormaps["cividis_r"](depth),
            hatch="////" if "stunned" in state else None,
            edgecolor="black" if depth < 0.4 else "white",
            linewidth=0.5,
            label=state_told(state),
        )
        left = [a + b for a, b in zip(left, widths, strict=True)]
    axes.set_yticks(range(len(fighters)), [_who_died(row) for row in fighters])
    axes.invert_yaxis()
    _percent_axis(axes)
    axes.set_title(_who_won(sides))
    picture.legend(loc="outside lower center", ncols=4, frameon=False)
    return picture


def _who_died(row: Row) -> str:
    return say("{}  {}\ndead {} %", row["side"], fill(row["fighter"], 26), rate(row, "p_dead"))


def _who_won(row: Row) -> str:
    shares = (rate(row, name) for name in ("p_a", "p_b", "p_undecided"))
    return say("A wins {} %, B wins {} %, undecided {} %", *shares)


def _level(state: str) -> str:
    """Return the wounds of a state, stunned or not."""
    return state.removesuffix("_stunned").replace("stunned", "unhurt")


def points(row: Row) -> float:
    """Return the score of a duel, what A wins less what B wins, in points of percentage."""
    return 100 * score(row)


def score(row: Row) -> float:
    """Return the chance that A kills less the chance that A dies."""
    return fraction(row, "p_a") - fraction(row, "p_b")


def told_apart(row: Row) -> bool:
    """Return whether a score is surely not 0: A won more of the decided trials, or fewer."""
    if row["trials"] is None:
        return abs(score(row)) > _SAME
    decided = row["wins_a"] + row["wins_b"]
    low, high = stopping_of(row).proportions(row["wins_a"], decided)
    return not low <= 0.5 <= high


def safest_duel(rows: Sequence[Row]) -> Row:
    """Return the duel of a pair in which both place the dice that fear the other's least."""
    of_a = safest({(r["dice_a"], r["dice_b"]): score(r) for r in rows})
    of_b = safest({(r["dice_b"], r["dice_a"]): -score(r) for r in rows})
    return next((r for r in rows if (r["dice_a"], r["dice_b"]) == (of_a, of_b)), rows[0])


def _panels(result: Result, found: dict[Pair, list[Row]]) -> Figure:
    """Return a panel for each pair: dice of A by dice of B."""
    names = short_names(label for a, b, _ in found for label in (a, b))
    charges = {charge for _, _, charge in found} != {"none"}
    most = max(len({row["dice_b"] for row in rows}) for rows in found.values())
    across = min(len(found), _ACROSS)
    down = math.ceil(len(found) / across)
    size = max(2.6, 0.85 * most + 0.6)
    scale = _Scale(result.rows)
    picture, panels = figure((size * across + 1.6, size * down + 1.1), down, across)
    for axes in panels[len(found) :]:
        axes.set_axis_off()
    for axes, ((a, b, charge), rows) in zip(panels, found.items(), strict=False):
        _panel(axes, rows, scale)
        title = f"A {names[a]}\nB {names[b]}"
        axes.set_title(joined("\n", [title, charge_text(charge)]) if charges else title)
    scale.explain(picture, panels, _in_a_cell(result))
    picture.suptitle(wrapped(result.title, 30 * across + 25))
    return picture


def _in_a_cell(result: Result) -> str:
    """Return what the cells of a panel say."""
    trials = [row["trials"] for row in result.exact_rows]
    if trials[0] is None:
        return say("in a cell: % chance that A wins, over B\n{}", _hatched(result))
    return say(
        "in a cell: % of {} trials that A wins, over B\n{}", trials_told(trials), _hatched(result)
    )


def _panel(axes: Axes, rows: Sequence[Row], scale: "_Scale") -> None:
    """Draw one pair."""
    placed, replies = (list(dict.fromkeys(row[d] for row in rows)) for d in ("dice_a", "dice_b"))
    lay_grid(axes, replies, placed)
    axes.set_xlabel("dice of B")
    axes.set_ylabel("dice of A")
    cells = [
        Cell(
            replies.index(row["dice_b"]),
            placed.index(row["dice_a"]),
            row,
            "\n".join(rate(row, name) for name in ("p_a", "p_b")),
        )
        for row in rows
    ]
    scale.draw(axes, cells, 8)


def _matrices(result: Result, found: dict[Pair, list[Row]]) -> Figure:
    """Return a matrix for each charge, fighters A by fighters B."""
    names = short_names(label for a, b, _ in found for label in (a, b))
    played = {pair: safest_duel(rows) for pair, rows in found.items()}
    left, right, charges = (list(dict.fromkeys(pair[i] for pair in found)) for i in range(3))
    scale = _Scale(list(played.values()))
    written = max(len(left), len(right)) <= _WRITTEN
    cell = 0.34 if written else 0.13
    size = max(5.0, cell * len(right) + 3.5), max(2.5, cell * len(left) + 2.5) * len(charges) + 0.8
    picture, panels = figure(size, len(charges), 1)
    for axes, charge in zip(panels, charges, strict=True):
        lay_grid(axes, [_brief(names[b]) for b in right], [_brief(names[a]) for a in left])
        axes.tick_params(axis="x", labelrotation=90)
        axes.tick_params(labelsize=8 if written else 5)
        axes.set_title(charge_text(charge))
        axes.set_xlabel("B")
        axes.set_ylabel("A")
        cells = [
            Cell(right.index(b), left.index(a), row, _signed(points(row)) if written else "")
            for (a, b, who), row in played.items()
            if who == charge
        ]
        scale.draw(axes, cells, 6)
    placed = {row["dice_a"] for row in result} | {row["dice_b"] for row in result}
    dice = say("both place their safest dice") if len(placed) > 1 else say("dice: {}", placed.pop())
    legend = _hatched(result)
    scale.explain(picture, panels, say("in a cell: the score\n{}", legend) if written else legend)
    picture.suptitle(wrapped(say("{}; {}", result.title, dice), max(45, int(size[0] * 9))))
    return picture


def _hatched(result: Result) -> str:
    """Return what a hatched cell means."""
    return _HATCHED if result.exact_rows[0]["trials"] is not None else _HATCHED_EXACT


def _signed(points: float) -> str:
    """Return a score with its sign, and a digit that tells it from 0."""
    text = f"{points:+.0f}" if abs(points) >= 1 else f"{points:+.1g}"
    return text.replace("-", "−") if points else "0"


def _brief(name: str) -> str:
    """Return a name that is not too long for the edge of a matrix."""
    return name if len(name) <= 28 else f"{name[:27].rstrip()}…"


class _Scale:
    """Colours of scores, white where A and B win as much."""

    def __init__(self, rows: Sequence[Row]):
        from matplotlib import colormaps
        from matplotlib.colors import Normalize

        most = max((abs(points(row)) for row in rows), default=0.0)
        limit = max(10, 10 * math.ceil(most / 10))
        self.norm = Normalize(-limit, limit)
        self.colours: Colormap = colormaps[_DIVERGING]

    def draw(self, axes: Axes, cells: Sequence[Cell], fontsize: float) -> None:
        """Draw the cells of a grid: colours, hatched where the score may be 0, and texts."""
        from matplotlib.collections import PolyCollection

        told = [told_apart(cell.row) for cell in cells]
        for sure in (True, False):
            drawn = [cell for cell, is_told in zip(cells, told, strict=True) if is_told == sure]
            colours = self.colours(self.norm([points(cell.row) for cell in drawn]))
            middles = np.array([[(cell.x, cell.y)] for cell in drawn]).reshape(-1, 1, 2)
            squares = PolyCollection(
                middles + _CORNERS,
                facecolor=colours if sure else _PALE,
                edgecolor="white" if sure else "#B0B0B0",
                linewidth=0.5,
                hatch=None if sure else "////",
            )
            axes.add_collection(squares, autolim=False)
            for cell, colour in zip(drawn, colours, strict=True):
                if cell.text:
                    self._write(axes, cell, ink(colour) if sure else "black", fontsize, sure)

    def _write(self, axes: Axes, cell: Cell, ink: str, fontsize: float, sure: bool) -> None:
        text = axes.text(
            cell.x, cell.y, cell.text, color=ink, ha="center", va="center", fontsize=fontsize
        )
        text.set_in_layout(False)
        if not sure:
            text.set_bbox({"facecolor": _PALE, "edgecolor": "none", "pad": 1})

    def explain(self, picture: Figure, panels: Sequence[Axes], legend: str) -> None:
        """Add the bar of colours and a line that says what is in a cell."""
        from matplotlib.cm import ScalarMappable

        bar = picture.colorbar(
            ScalarMappable(self.norm, self.colours), ax=list(panels), shrink=0.8, aspect=30
        )
        bar.set_label(say("score: % that A wins − % that B wins"))
        picture.supxlabel(legend, fontsize=8)


def _percent_axis(axes: Axes) -> None:
    axes.set_xlim(0, 100)
    axes.set_xlabel("%")
    axes.spines.left.set_visible(False)
    axes.tick_params(axis="y", length=0)
