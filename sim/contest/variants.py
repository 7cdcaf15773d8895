"""One battle and many changes to it, each compared with it by the same dice."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from ..base.answer import PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Run, until_stopped
from ..base.sequence import spans
from .compare import CHANCE, DIFFERING, provenance_of
from .paired import CHUNK, LEAD, SCORE, Paired, holm, marks_of_each, same_battle
from .setting import Contest, Setting

SENSITIVITY = AnswerKind(
    "sensitivity",
    SECTION
    + columns("text", "the change", "what")
    + columns("text", "side that it is about", "side")
    + columns("text", "remark on it, or why it cannot be made", "text")
    + columns("whole", "points that it costs", "number", unit="PA")
    + estimates(say("A's score with it less without it"), "value", unit="")
    + CHANCE
    + columns("number", "the same for all changes together (Holm)", "chance_any")
    + estimates(say("A's points with it less without it"), "mean_points", unit="PA")
    + DIFFERING,
    origin=PLAYED + origin_columns(lacking=["sampler", "remainder"]),
    text="contest.variants_table:sensitivity_blocks",
    sentences="report.words:of_variants",
    charts="report.charts:of_changes",
)
FAVOURS = replace(SENSITIVITY, name="favours", text="contest.variants_table:favours_blocks")

BASE, CHANGED, KEPT = "base", "change", "kept"  # sections
BLOCK = CHUNK  # trials of all changes: Ctrl-C keeps whole blocks


@dataclass(frozen=True)
class Variant:
    """A change to a battle."""

    what: str  # what is changed, in words
    setting: Setting | None  # the battle with the change; None where there is none
    side: str = ""  # "", "A" or "B": whom it is given to
    text: str = ""  # what is said beside it; why there is none
    number: int | None = None  # PA


def answer(
    kind: str,
    base: Setting,
    variants: Sequence[Variant],
    how: Method,
    run: Run = USUAL_RUN,
    *,
    roster: Roster | None = None,
) -> Result:
    """Return what each change to a battle is worth to A.

    Parameters
    ----------
    kind : {"favours", "sensitivity"}
        The option that asks.
    base : Setting
    variants : sequence of Variant
    how : Method
        From `estoc.sim.battle.battle.sampled`.
    run : Run
        Progress is told of the battles that have been fought; Ctrl-C gives the trials done so far,
        the same of all changes.
    roster : Roster, optional

    Returns
    -------
    Result
        Rows by ``section``: ``base`` (A's score and points as it is), ``change`` and ``kept``
        (what cannot be changed, and why). Of a change, ``value`` is A's score with it less
        without it, ``mean_points`` the same of points, both with intervals; ``chance`` is how
        likely as much score is without any effect, ``chance_any`` the same by Holm's correction
        for all changes.
    """
    contest = base.contest(roster)
    found = [_changed(variant, roster) for variant in variants]
    seed, stopping = how.seed or 0, how.stopping
    records = contest.compiled(seed)
    others = [None if isinstance(one, str) else one.compiled(seed) for one in found]
    # who is the same as the base is not fought again
    others = [None if one is None or same_battle(records, one) else one for one in others]
    fought = [records, *(one for one in others if one is not None)]
    sums = [Paired.none(len(records))] * len(fought)
    with until_stopped(run.partial):
        for first, trials in spans((stopping.most,), BLOCK):
            marks = marks_of_each(fought, first, trials, run)
            # in one step, so that Ctrl-C leaves all changes after as many trials
            sums = [done + Paired.of(marks[0], one) for done, one in zip(sums, marks, strict=True)]
    trials = sums[0].trials
    why = [one if isinstance(one, str) else "" for one in found]
    different = [other is not None for other in others]
    rows = list(_rows(variants, why, different, sums)) if trials else []
    _correct([row for row in rows if row["section"] == CHANGED])
    words = base.arguments()
    provenance = provenance_of((contest,), how, (*words, f"--{kind}") if words else ())
    cells = provenance.cells(method=how.name, seed=how.seed)
    return Result.of(
        FAVOURS if kind == FAVOURS.name else SENSITIVITY,
        [{**row, "trials": trials, **cells} for row in rows],
        contest.question.title,
        replace(provenance, remarks=contest.question.remarks()),  # those of one way
        stopped="" if trials == how.trials else stopping.cut_short(trials),
    )


def _changed(variant: Variant, roster: Roster | None) -> Contest | str:
    """Return the battle with a change, or why there is none."""
    if variant.setting is None:
        return variant.text
    try:
        return variant.setting.contest(roster)
    except InputError as error:
        return str(error)


def _rows(
    variants: Sequence[Variant], why: Sequence[str], different: Sequence[bool], sums: list[Paired]
) -> Iterator[Row]:
    """Yield the battle as it is, of which the first sums are, and each change or why it is none."""
    base, *rest = sums
    changed = iter(rest)
    values = {"value": base.mean(0, SCORE), "mean_points": base.mean(0, LEAD)}
    yield SENSITIVITY.row(BASE, say("as it is"), **values)
    for variant, kept, differs in zip(variants, why, different, strict=True):
        if kept:
            yield SENSITIVITY.row(KEPT, variant.what, side=variant.side, text=kept)
        else:
            yield _change(variant, next(changed) if differs else base, not differs)


def _change(variant: Variant, counts: Paired, same: bool) -> Row:
    score, points = counts.gain(SCORE), counts.gain(LEAD)
    ends, reach = (score.low, score.high), (points.low, points.high)
    if same:
        ends = reach = (0.0, 0.0)
    return SENSITIVITY.row(
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
        mean_points_low=reach[0],
        mean_points_high=reach[1],
        differing=counts.changed,
        saving=score.saving,
    )


def _correct(rows: Sequence[Row]) -> None:
    for row, chance in zip(rows, holm([row["chance"] for row in rows]), strict=True):
        row["chance_any"] = chance
