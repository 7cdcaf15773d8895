"""What comes of a shot: whether it hits, which wound, how the target stands after it (W-6)."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import OUTCOMES, Outcome
from ...profiles.compile.combat import compile_rules, state_names
from ...profiles.compile.shooting import compile_shooting
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import Options
from ..base.result import Result, Row
from ..base.run import USUAL_RUN, Method, Run, asks, runs_odds
from .rolling import ORIGIN, Parts, Trials, chosen, combatants, interval, rolled, share, whole
from .shooting_question import Shooting, Variant

SHOOT = AnswerKind(
    "shoot",
    columns("text", "who shoots, and at whom", "shooter", "target", unit="fighter")
    + columns("text", "range of the weapon: short, medium or long", "band")
    + columns("text", "its short, medium and long range in cm", "ranges")
    + columns("number", "how far the target is", "distance", unit="cm")
    + columns("truth", "whether the shooter has moved", "moved")
    + columns("whole", "cover of the target", "cover")
    + columns("whole", "what the die is added to", "aim")
    + columns("whole", "difficulty of the shot", "difficulty")
    + columns("whole", "least natural result that hits", "goal")
    + columns("whole", "strength of the shot", "strength")
    + columns("whole", "RES of the target as it is", "resistance")
    + columns("text", "clause of the shot", "clause")
    + origin_columns("method", "remainder")
    + columns("number", "chance of a hit", "p_hit", unit="share")
    + columns("whole", "trials that hit", "hit", unit="trials")
    + columns("number", "end of its interval", "p_hit_low", "p_hit_high", unit="share")
    + columns("number", "chance that the shot does this", "p_outcome_{outcome}", unit="share")
    + columns("number", "chance that the target is so after it", "p_state_{state}", unit="share")
    + columns("whole", "trials in which it did this", "outcome_{outcome}", unit="trials")
    + columns("whole", "trials after which the target was so", "state_{state}", unit="trials"),
    origin=ORIGIN,
    text="rolls.shooting_table:blocks",
)

_NAMES = tuple(f"outcome_{outcome.name.lower()}" for outcome in Outcome)


def shooting(
    shooter: str | Profile,
    target: str | Profile,
    *,
    distance: float | None = None,
    moved: bool | None = None,
    cover: int = 0,
    charged: bool = False,
    options: Options | None = None,
    roster: Roster | None = None,
) -> Shooting:
    """Return the question about a shot; parameters and errors are `shoot`'s."""
    options = options or Options()
    a, b = combatants(shooter, target, options, roster)
    if distance is not None and moved is None:
        moved = False
    return Shooting(a, b, options, distance, moved, cover, charged)


@runs_odds
@asks(shooting)
def shoot(question: Shooting, *, run: Run) -> Result:
    """Return the odds of a shot (W-6).

    Parameters
    ----------
    shooter, target : str or Profile
        Sides A and B, in the options.
    distance : float, optional
        In cm; all three ranges are answered if not given.
    moved : bool, optional
        Whether the shooter moved. If not given: that it did not where a distance is told, else
        both are answered.
    cover : int
        X of the target's Target/+X in all (M-6.2, W-7).
    charged : bool
        Whether the shooter suffers the penalty of a charge (M-5.1).
    options : Options, optional
        Edition, rules, values of cards, wounds.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials
        of each shot, with the same dice, where sampling is asked for.

    Returns
    -------
    Result
        A row for each range and whether the shooter moved, with ``both`` exact ones first:
        ``difficulty``, ``goal`` (the least natural result that hits), ``p_hit``, the chance of
        each result of the wound roll, ``p_outcome_…``, and of each state of the target after
        the shot, ``p_state_…``; the chances are of the shot, not of a hit.

    Raises
    ------
    InputError
        If the shooter may not shoot, or not so far, or a name, a cell or an option cannot be
        used.

    Examples
    --------
    >>> own, foe = Profile("Own", TIR=3, weapon="bow"), Profile("Foe", RES=4)
    >>> row = shoot(own, foe, distance=30).rows[0]
    >>> row["band"], row["difficulty"], row["goal"], round(row["p_hit"], 6)
    ('medium', 7, 4, 0.5)
    """
    return answer(question, chosen(run), run)


def answer(question: Shooting, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of the shots that are asked about; see `shoot`."""
    records, variants = _record(question, how), question.variants
    rows, stopped = rolled(
        [_row(question, variant) for variant in variants],
        how,
        run,
        [_law(records, question, variant) for variant in variants],
        [_trials(records, question, variant) for variant in variants],
        lambda _, parts, done: _chances(question, parts, done, how),
    )
    provenance = question.provenance(how)
    rows = [row | provenance.cells() for row in rows]
    return Result.of(SHOOT, rows, question.title, provenance, stopped=stopped)


def _record(question: Shooting, how: Method) -> NDArray[np.void]:
    from ...kernels.rolls.shooting import new_shooting

    rules, more = compile_rules(question.edition), compile_shooting(question.edition)
    flags, numbers = zip(*map(question.feats, question.fighters), strict=True)
    return new_shooting(
        rules,
        more.still_wound,
        more.shots,
        how.seed or 0,
        question.cell,
        more.still_lines,
        np.array(flags),
        np.stack(numbers),
        question.is_bane,
    )


def _law(records: NDArray[np.void], question: Shooting, variant: Variant) -> list[float]:
    """Return the chances of a miss, and of each outcome of a hit."""
    from ...kernels.rolls.shooting import shot_law

    law = np.zeros(1 + OUTCOMES)
    still = not variant.moved
    shot_law(records, question.aim, variant.difficulty, question.difference, still, law)
    return law.tolist()


def _trials(records: NDArray[np.void], question: Shooting, variant: Variant) -> Trials:
    """Return trials of a shot; counted are misses, and each outcome of a hit."""
    from ...kernels.rolls.shooting import count_shots

    shot = question.aim, variant.difficulty, question.difference, not variant.moved

    def add(first: int, trials: int, counts: NDArray[np.int64]) -> None:
        count_shots(records, *shot, 0, 0, first, trials, counts)

    return Trials(1 + OUTCOMES, add, lambda counts: counts[1:].sum())


def _row(question: Shooting, variant: Variant) -> Row:
    """Return what is told of a shot, but the chances."""
    return {
        "shooter": question.shooter.label,
        "target": question.target.label,
        "band": variant.band.name.lower(),
        "ranges": "/".join(f"{reach:g}" if reach else "-" for reach in question.weapon.ranges),
        "distance": question.distance,
        "moved": variant.moved,
        "cover": question.cover,
        "aim": question.aim,
        "difficulty": variant.difficulty,
        "goal": question.goal(variant.difficulty, question.aim),
        "strength": question.weapon.strength,
        "resistance": question.resistance,
        "clause": "W-6",
    }


def _by_state(question: Shooting, law: Parts) -> Row:
    """Return a law of misses and outcomes as one of the target's states after the shot."""
    after = compile_rules(question.edition).after
    found = [type(law[0])(0)] * len(after)
    for outcome, part in zip((Outcome.NOTHING, *Outcome), law, strict=True):
        found[after[question.start, outcome]] += part
    names = (f"state_{name.replace(', ', '_')}" for name in state_names(question.edition))
    return dict(zip(names, found, strict=True))


def _chances(question: Shooting, law: Parts, done: int | None, how: Method) -> Row:
    """Return the chances of a shot, of misses and outcomes."""
    parts = {**dict(zip(_NAMES, law[1:], strict=True)), **_by_state(question, law)}
    hits = (1.0 if done is None else done) - law[0]
    low, high = interval(hits, done, how)
    return {
        "p_hit": share(hits, done),
        "hit": whole(hits, done),
        "p_hit_low": low,
        "p_hit_high": high,
        **{f"p_{name}": share(part, done) for name, part in parts.items()},
        **{name: whole(part, done) for name, part in parts.items()},
    }
