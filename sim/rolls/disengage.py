"""Whether a fighter gets away from the enemies that touch it: both ways, with what chance (M-7)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.rolls import WAYS, Try, Way
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from ..base.answer import PLAYED, AnswerKind, columns, optional, origin_columns
from ..base.options import Options
from ..base.result import Result, Row
from ..base.run import SAMPLED, USUAL_RUN, Method, Run, asks, runs_odds
from ..base.sequence import STOPPING, end_notes
from ..combat.combat import combat
from .disengage_question import Disengagement
from .rolling import TOLD, Trials, chosen, combatants, interval, rolled, share, whole

DISENGAGE = AnswerKind(
    "disengage",
    columns("text", "agility or force", "way")
    + columns("truth", "whether it may be tried so", "possible")
    + columns("text", "why it may not", "why")
    + columns("text", "clause of the way", "clause")
    + columns("whole", "enemies in contact", "enemies", unit="fighters")
    + columns("whole", "most enemies whom one of its size may leave", "most", unit="fighters")
    + columns("text", "clause that says so", "most_clause")
    + columns("text", "characteristic that is tested", "test")
    + columns("whole", "what the die is added to", "value")
    + columns("whole", "difficulty of the test", "difficulty")
    + columns("whole", "least natural result that succeeds", "goal")
    + columns("text", "what it may do after a success", "success")
    + columns("text", "what it may do after a failure", "failure")
    + origin_columns("method", "remainder")
    + columns("number", "chance of a success", "p_success", unit="share")
    + columns("whole", "trials that succeeded", "successes", unit="trials")
    + columns("number", "end of its interval", "p_success_low", "p_success_high", unit="share"),
    origin=PLAYED
    + origin_columns("seed")
    + STOPPING
    + optional(
        columns("text", "how the combat after a failure was answered", "failure_method")
        + columns("whole", "trials of that combat", "failure_trials", unit="trials")
        + columns("number", "most that its chances may lack", "failure_remainder")
        + columns("number", "chance that the enemies die in it", "failure_p_a", unit="share")
        + columns("number", "chance that the fighter dies in it", "failure_p_b", unit="share")
        + columns("number", "chance that neither does", "failure_p_undecided", unit="share")
    )
    + origin_columns(lacking=TOLD),
    text="rolls.disengage_table:blocks",
)

_TESTS = {Way.AGILITY: "INI", Way.FORCE: "FOR"}
_AFTER = ("p_a", "p_b", "p_undecided")  # columns of a combat that are told after a failure


def disengagement(
    fighter: str | Profile,
    enemies: str | Profile | Sequence[str | Profile],
    *,
    charged: bool = False,
    assaulted: bool = False,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Disengagement:
    """Return the question about a disengagement; parameters and errors are `disengage`'s."""
    options = options or Options()
    own, *foes = combatants(fighter, enemies, options, roster)
    return Disengagement(own, tuple(foes), options, charged, assaulted)


@runs_odds
@asks(disengagement)
def disengage(question: Disengagement, *, odds: bool = False, run: Run) -> Result:
    """Return the chances of a fighter to disengage from all enemies that touch it (M-7).

    Parameters
    ----------
    fighter : str or Profile
        Side A, in the options.
    enemies : str, Profile or a sequence of them
        Side B: all that are in contact with it.
    charged : bool
        Whether it was charged this turn, and suffers the penalty of it (M-5.1): only where an
        edition lets the assaulted disengage.
    assaulted : bool
        Whether it was charged or engaged in this activation phase (M-7.1).
    odds : bool
        Whether the combat of this turn after a failure is told as well: ``failure_p_a``,
        that its enemies die, ``failure_p_b``, that it dies, and ``failure_p_undecided``.
    options : Options, optional
        Edition, rules, values of cards, wounds; for the odds, policies.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials
        by each way, with the same dice, where sampling is asked for.

    Returns
    -------
    Result
        A row for each way, with ``both`` exact ones first: ``possible``, or ``why`` not and
        the ``clause``; ``value`` that the die is added to, ``difficulty``, ``goal`` (the least
        natural result that succeeds), ``p_success``, and what follows.

    Raises
    ------
    InputError
        If the fighter may not try at all (M-7.1), or a name, a cell or an option cannot
        be used.

    Examples
    --------
    >>> own, foe = Profile("Own", INI=3), Profile("Foe")
    >>> agility, force = disengage(own, [foe] * 2)
    >>> agility["difficulty"], agility["goal"], round(agility["p_success"], 6)
    (8, 5, 0.333333)
    >>> force["possible"], force["why"], force["clause"]
    (False, 'not larger than each enemy in contact', 'M-7.3')
    """
    return answer(question, chosen(run), run, odds=odds)


def answer(
    question: Disengagement, how: Method, run: Run = USUAL_RUN, *, odds: bool = False
) -> Result:
    """Return the chances of both ways; see `disengage`."""
    records, found, chances = question.ways(how.seed or 0)
    base = _rows(question, found)
    rows, stopped = rolled(
        base,
        how,
        run,
        [chances.tolist()] * WAYS,
        [_trials(records, found)],
        lambda way, parts, done: _chances(base[way], parts[way], done, how),
    )
    after = _after_failure(question, how, run) if odds and not stopped else Result(DISENGAGE, [])
    if after.stopped:
        stopped = say("{} of the combat after a failure", after.stopped)
    ends = end_notes(after.rows)
    more = [note for note in after.notes if note not in ends]
    more += [say("the combat after a failure {}", note) for note in ends[:1]]
    provenance = replace(
        question.provenance(how),
        policy=question.options.policy if odds else question.policy,
        assumed=tuple(dict.fromkeys((*question.assumed, *after.assumed))),
        readings=tuple(dict.fromkeys((*question.readings, *after.readings))),
        remarks=tuple(dict.fromkeys((*question.remarks(), *end_notes(rows), *more))),
        command=question.command_line(how, odds),
    )
    cells = {**(_ends(after) if odds else {}), **provenance.cells()}
    rows = [row | cells for row in rows]
    return Result.of(DISENGAGE, rows, question.title, provenance, stopped=stopped)


def _trials(records: NDArray[np.void], rows: NDArray[np.int64]) -> Trials:
    """Return trials of both ways, with the same dice; counted are successes."""
    from ...kernels.rolls.disengage import count_disengagements

    def add(first: int, trials: int, counts: NDArray[np.int64]) -> None:
        count_disengagements(records, rows, 0, 0, first, trials, counts)

    return Trials(WAYS, add, lambda counts: counts)


def _rows(question: Disengagement, found: NDArray[np.int64]) -> list[Row]:
    """Return what is told of both ways, but the chances."""
    most, cap = question.room
    rows: list[Row] = []
    for way in Way:
        possible = bool(found[way, Try.POSSIBLE])
        why = "" if possible else _why(question, int(found[way, Try.VALUE]))
        cells = found[way].tolist() if possible or question.larger else [None] * len(Try)
        rows.append(
            {
                "way": way.name.lower(),
                "possible": possible,
                "why": why,
                "clause": "M-7.2" if way == Way.AGILITY else "M-7.3",
                "enemies": len(question.enemies),
                "most": most,
                "most_clause": cap.clause if cap else "M-7.1",
                "test": _TESTS[way],
                "value": cells[Try.VALUE],
                "difficulty": int(found[way, Try.DIFFICULTY]),
                "goal": cells[Try.GOAL] if possible else None,
                "success": question.follows(True),
                "failure": question.follows(False),
            }
        )
    return rows


def _why(question: Disengagement, left: int) -> str:
    """Return why a try by force is not possible (M-7.3)."""
    if not question.larger:
        return say("not larger than each enemy in contact")
    return say("FOR less the highest RES is {}", left)


def _chances(row: Row, part: float, done: int | None, how: Method) -> Row:
    """Return the chance of a way, where it is possible."""
    low, high = interval(part, done, how)
    found: Row = {
        "p_success": share(part, done),
        "successes": whole(part, done),
        "p_success_low": low,
        "p_success_high": high,
    }
    return found if row["possible"] else dict.fromkeys(found)


def _after_failure(question: Disengagement, how: Method, run: Run) -> Result:
    """Return the odds of this turn's combat with all dice in defence (M-7.5)."""
    own, options = question.fighter, question.options
    profile = own.profile
    if question.charged:
        profile = replace(profile, power=0)  # so that whoever charged it, the penalty is there
    told = replace(
        options,
        turns=1,
        sets=(),
        wounds=tuple(f"{c.side}{c.place}={c.wounds}" for c in (own, *question.enemies) if c.wounds),
        all_defence=("A",),
        charge=("B",) * question.charged,
    )
    foes = [enemy.profile for enemy in question.enemies]
    after = Run(threads=run.threads, partial=run.partial)
    if how.name == SAMPLED:
        after = after.but(method=SAMPLED, trials=how.trials, seed=how.seed, precision=how.precision)
    return combat(profile, foes, options=told, run=after)


def _ends(after: Result) -> Row:
    """Return how the combat after a failure ends; nothing of one that Ctrl-C left out."""
    sides = after.rows[0] if after.rows else {}
    keys = ("method", "trials", "remainder", *_AFTER)
    return {f"failure_{key}": sides.get(key) for key in keys}
