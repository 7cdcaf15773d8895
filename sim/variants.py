"""One battle and many changes to it, each compared with it by the same dice."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from estoc.profiles import InputError, Roster
from estoc.sim.compare import origin_of
from estoc.sim.contest import Contest, Setting
from estoc.sim.method import Method
from estoc.sim.paired import LEAD, SCORE, Paired, holm, marks_of, same_battle
from estoc.sim.progress import announce_compilation, until_stopped
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress

BASE, CHANGED, KEPT = "base", "change", "kept"  # sections

_COLUMNS = (
    *("section", "what", "side", "text", "number"),
    *("value", "value_low", "value_high", "chance", "chance_any"),
    *("mean_points", "mean_points_low", "mean_points_high", "differing", "saving"),
)


@dataclass(frozen=True)
class Variant:
    """A change to a battle.

    Parameters
    ----------
    what : str
        What is changed, in words.
    setting : Setting or None
        The battle with the change; None where there is none.
    side : {"", "A", "B"}
        Whom it is given to.
    text : str
        What is said beside it; why there is none.
    number : int, optional
        PA.
    """

    what: str
    setting: Setting | None
    side: str = ""
    text: str = ""
    number: int | None = None


def answer(
    kind: str,
    base: Setting,
    variants: Sequence[Variant],
    how: Method,
    *,
    roster: Roster | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Return what each change to a battle is worth to A.

    Parameters
    ----------
    kind : {"favours", "sensitivity"}
        The option that asks.
    base : Setting
    variants : sequence of Variant
    how : Method
        From `estoc.sim.battle.sampled`.
    roster : Roster, optional
    threads : int, optional
    progress : callable, optional
        Told of the battles that have been fought.
    partial : bool
        Whether Ctrl-C gives the answer about the changes done so far.

    Returns
    -------
    Result
        Rows by ``section``: ``base`` (A's score and points as it is), ``change`` and ``kept``
        (what cannot be changed, and why). Of a change, ``value`` is A's score with it less
        without it, ``mean_points`` the same of points, both with intervals; ``chance`` is how
        likely as much score is without any effect, ``chance_any`` the same by Holm's correction
        for all changes.
    """
    assert how.trials is not None
    assert how.seed is not None
    contest = base.contest(roster)
    rows, done = [], 0
    announce_compilation("play_battles", 150)
    with until_stopped(partial):
        records = contest.compiled(how.seed)
        marks = marks_of(records, 0, how.trials, threads, progress)
        counts = Paired.of(marks, marks)
        values = {"value": counts.mean(0, SCORE), "mean_points": counts.mean(0, LEAD)}
        rows.append(_row(BASE, "as it is", **values))
        for variant in variants:
            found = _changed(variant, roster)
            if isinstance(found, str):
                rows.append(_row(KEPT, variant.what, side=variant.side, text=found))
            else:
                other = found.compiled(how.seed)
                same = same_battle(records, other)
                others = marks if same else marks_of(other, 0, how.trials, threads, progress)
                rows.append(_change(variant, Paired.of(marks, others), same))
            done += 1
    _correct([row for row in rows if row["section"] == CHANGED])
    question = contest.question
    origin = origin_of(question, how, (*base.arguments(), f"--{kind}") if base.arguments() else ())
    return Result(
        kind,
        [{**row, "trials": how.trials, **origin} for row in rows],
        question.title,
        notes=question.remarks(),
        assumed=question.assumed,
        readings=question.readings,
        command=origin["command"],
        stopped="" if done == len(variants) else f"{done:,} of {len(variants):,} changes",
    )


def _changed(variant: Variant, roster: Roster | None) -> Contest | str:
    """Return the battle with a change, or why there is none."""
    if variant.setting is None:
        return variant.text
    try:
        return variant.setting.contest(roster)
    except InputError as error:
        return str(error)


def _row(section: str, what: str, **cells: Any) -> Row:
    return {**dict.fromkeys(_COLUMNS), "section": section, "what": what, **cells}


def _change(variant: Variant, counts: Paired, same: bool) -> Row:
    score, points = counts.gain(SCORE), counts.gain(LEAD)
    ends = (0.0, 0.0) if same else (score.low, score.high)
    return _row(
        CHANGED,
        variant.what,
        side=variant.side,
        text=variant.text,
        number=variant.number,
        value=score.value,
        value_low=ends[0],
        value_high=ends[1],
        chance=score.p,
        mean_points=points.value,
        mean_points_low=points.low,
        mean_points_high=points.high,
        differing=counts.changed,
        saving=score.saving,
    )


def _correct(rows: Sequence[Row]) -> None:
    for row, chance in zip(rows, holm([row["chance"] for row in rows]), strict=True):
        row["chance_any"] = chance
