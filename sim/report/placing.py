"""Small tables of a report: the dice to place and what others cost, habits, trials to watch."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import hypot, sqrt
from typing import NamedTuple

from ...profiles.message import say
from ..base.percent import KILLS, shown, unit
from ..base.result import Result, Row, sections
from ..base.stats import quantile
from ..combat.duel import pair_of
from ..combat.sweep import score
from ..text.speech import tr, translated
from .cards import StaticTable
from .words import pair_text

_HABITS = 12  # most habits whose cost is listed
_PAIRS = 6  # whose dice are compared; those of all are in the rows


class Placing(NamedTuple):
    """Dice of A, the reply of B that is worst for them, and the duel that this gives."""

    dice: str
    reply: str
    row: Row
    cost: float  # what it is worth less than A's best dice
    told: bool  # whether that can be told from nothing


def placing_tables(result: Result) -> Iterator[StaticTable]:
    """Yield a table for each of the first pairs of a sweep whose duels are all there."""
    by_method = sorted(result, key=lambda row: row["method"])
    groups = (
        list(own) for _, own in groupby(by_method, lambda row: (*pair_of(row), row["method"]))
    )
    compared = [rows for rows in groups if _is_whole(rows)]
    for rows in compared[:_PAIRS]:
        a, b, charge = pair_of(rows[0])
        purpose = rows[0]["score"]
        yield StaticTable(
            tr("What to place: {pair}", pair=pair_text(a, b, charge)),
            tr("Worth to A against B's worst reply ({unit})", unit=unit(purpose)),
            [tr("dice in attack / in defence"), tr("worth to A"), tr("reply of B"), tr("costs")],
            [
                [one.dice, _shown(score(one.row), purpose), one.reply, _cost(one, purpose)]
                for one in placings(rows)
            ],
        )


def placings(rows: Sequence[Row]) -> list[Placing]:
    """Return all dice of A, the safest first: best against the reply that is worst for them."""
    worst: dict[str, Row] = {}
    for row in rows:
        dice = row["dice_a"]
        if dice not in worst or score(row) < score(worst[dice]):
            worst[dice] = row
    ranked = sorted(worst.values(), key=score, reverse=True)
    best = ranked[0]
    return [
        Placing(row["dice_a"], row["dice_b"], row, score(best) - score(row), _is_told(best, row))
        for row in ranked
    ]


def _is_whole(rows: Sequence[Row]) -> bool:
    """Whether A has a choice, and all dice of both have met."""
    mine, theirs = ({row[key] for row in rows} for key in ("dice_a", "dice_b"))
    met = {(row["dice_a"], row["dice_b"]) for row in rows}
    return len(mine) > 1 and len(met) == len(rows) == len(mine) * len(theirs)


def _is_told(best: Row, row: Row) -> bool:
    """Whether two duels differ in worth: sampled ones by more than both errors together."""
    difference = score(best) - score(row)
    if row["trials"] is None:
        return difference != 0
    if row["score"] != KILLS:
        return False  # rows carry no error of other scores
    return difference > quantile() * hypot(_error(best), _error(row))


def _error(row: Row) -> float:
    """Return the standard error of the chance to kill less the chance to die."""
    a, b, n = row["p_a"], row["p_b"], row["trials"]
    return sqrt(max(a + b - (a - b) ** 2, 1 / n) / n)


def _cost(one: Placing, purpose: str) -> str:
    if one.cost == 0:
        return "0"
    text = _shown(-one.cost, purpose)
    return text if one.told else tr("{cost}, cannot be told from 0", cost=text)


def _shown(value: float, purpose: str) -> str:
    """Return a value as the language in use writes it."""
    return translated(shown(value, purpose))


def solved_tables(result: Result) -> Iterator[StaticTable]:
    """Yield what each way to place costs, then what habits cost, dearest first."""
    found = sections(result)
    score = result.rows[0]["score"]
    if found.get("placement"):
        rows = sorted(found["placement"], key=lambda row: -row["value"])
        yield StaticTable(
            tr("What to place"),
            tr("Worth to A ({unit}), the rest being best play", unit=unit(score)),
            [tr("dice in attack / in defence"), tr("worth to A"), tr("against best play")],
            [
                [row["what"], _shown(row["value"], score), _shown(row["difference"], score)]
                for row in rows
            ],
        )
    habits = sorted(found.get("habit", []), key=lambda row: -abs(row["difference"]))
    if habits:
        yield StaticTable(
            tr("What a wrong habit costs"),
            tr("How it changes what the combat is worth to A; best play of both is 0"),
            [tr("habit"), tr("side"), tr("difference")],
            [
                [translated(_habit(row)), row["side"], _shown(row["difference"], score)]
                for row in habits[:_HABITS]
            ],
        )


def _habit(row: Row) -> str:
    """Return a habit in words; that of a whole policy is told by what it is made of."""
    key, _, name = row["what"].partition("=")
    return say("the whole policy {}", name) if key == "policy" else str(row["text"])


def watched_tables(result: Result) -> Iterator[StaticTable]:
    """Yield the trials of a battle that are worth replaying, with the commands for it."""
    run = result.command.replace("estoc battle", "estoc replay", 1)
    yield StaticTable(
        tr("Worth replaying"),
        tr("Trials from the lowest to the highest difference of points"),
        [tr("trial"), tr("A's points less B's"), tr("number"), tr("command")],
        [
            [
                translated(row["what"]),
                f"{row['number']:+}",
                str(row["trial"]),
                f"{run} --trial {row['trial']}",
            ]
            for row in sections(result)["watch"]
        ],
    )
