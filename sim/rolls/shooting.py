"""What comes of a shot: whether it hits, which wound, how the target stands after it (W-6)."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import OUTCOMES, Outcome, Rule
from ...profiles.compile.combat import compile_rules, state_names
from ...profiles.compile.shooting import compile_shooting
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import PLAYED, AnswerKind, columns, origin_columns
from ..base.options import Options, estoc_version
from ..base.result import Result, Row
from ..base.run import EXACT, SAMPLED, USUAL_RUN, Method, Run, runs_odds
from ..base.sequence import STOPPING, end_notes
from ..combat.combat import profiles_of
from ..combat.combatants import numbered, with_options
from ..combat.method import method_of
from ..combat.sampling import Kind, Tally, count_kinds, cut_short
from .fear import TOLD
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
    origin=PLAYED + origin_columns("seed") + STOPPING + origin_columns(lacking=TOLD),
    text="rolls.shooting_table:blocks",
)

TRIALS = 1_000_000
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
    own, foe = profiles_of([shooter, target], roster)
    a, b = with_options((*numbered([own], "A"), *numbered([foe], "B")), options)
    if distance is not None and moved is None:
        moved = False
    return Shooting(a, b, options, distance, moved, cover, charged)


@runs_odds
def shoot(
    shooter: str | Profile,
    target: str | Profile,
    *,
    distance: float | None = None,
    moved: bool | None = None,
    cover: int = 0,
    charged: bool = False,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
) -> Result:
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
    question = shooting(
        shooter,
        target,
        distance=distance,
        moved=moved,
        cover=cover,
        charged=charged,
        options=options,
        roster=roster,
    )
    return answer(question, chosen(run), run)


def chosen(run: Run) -> Method:
    """Return how to answer a question of this kind."""
    return method_of(run, TRIALS, obstacle="", open_play=False)


def answer(question: Shooting, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return the odds of the shots that are asked about; see `shoot`."""
    records = _record(question, how)
    base = [_row(question, variant) for variant in question.variants]
    rows: list[Row] = []
    stopped = ""
    if how.exact:
        for row, variant in zip(base, question.variants, strict=True):
            law = _law(records, question, variant)
            rows.append({**row, **_exact(question, law), **how.stopping.cells()})
    if how.sampled:
        kinds = [_kind(records, question, variant) for variant in question.variants]
        tallies = count_kinds(kinds, how, run)
        stopped = cut_short(tallies, how.stopping)
        for row, tally in zip(base, tallies, strict=True):
            rows.append({**row, **_sampled(question, tally, how)})
    command = question.command_line(how)
    told = _origin(question)
    return Result(
        SHOOT,
        [{**row, **told, "command": command} for row in rows],
        _title(question),
        notes=(*question.remarks(), *end_notes(rows)),
        assumed=question.assumed,
        readings=question.readings,
        command=command,
        stopped=stopped,
    )


def _record(question: Shooting, how: Method) -> NDArray[np.void]:
    from ...kernels.rolls.shooting import new_shooting

    rules, more = compile_rules(question.edition), compile_shooting(question.edition)
    fighters = (question.shooter, question.target)
    flags, numbers = zip(*(question.feats(fighter) for fighter in fighters), strict=True)
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


def _law(records: NDArray[np.void], question: Shooting, variant: Variant) -> NDArray[np.float64]:
    """Return the chances of a miss, and of each outcome of a hit."""
    from ...kernels.rolls.shooting import shot_law

    law = np.zeros(1 + OUTCOMES)
    still = not variant.moved
    shot_law(records, question.aim, variant.difficulty, question.difference, still, law)
    return law


def _kind(records: NDArray[np.void], question: Shooting, variant: Variant) -> Kind:
    """Return trials of a shot; counted are misses, and each outcome of a hit."""
    from ...kernels.rolls.shooting import count_shots

    shot = question.aim, variant.difficulty, question.difference, not variant.moved

    def add(first: int, trials: int, counts: NDArray[np.int64]) -> None:
        count_shots(records, *shot, 0, 0, first, trials, counts)

    return Kind(1 + OUTCOMES, add, lambda counts: counts[1:].sum())


def _row(question: Shooting, variant: Variant) -> Row:
    """Return what is told of a shot, but the chances."""
    failure = int(compile_rules(question.edition).scalars[Rule.AUTOMATIC_FAILURE])
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
        "goal": max(variant.difficulty, failure + 1) - question.aim,
        "strength": question.weapon.strength,
        "resistance": question.resistance,
        "clause": "W-6",
    }


def _by_state(question: Shooting, law: Sequence[float]) -> list[float]:
    """Return a law of misses and outcomes as one of the target's states after the shot."""
    after = compile_rules(question.edition).after
    found = [type(law[0])(0)] * len(after)
    for outcome, share in zip((Outcome.NOTHING, *Outcome), law, strict=True):
        found[after[question.start, outcome]] += share
    return found


def _state_columns(question: Shooting) -> list[str]:
    names = state_names(question.edition)
    return [f"state_{name.replace(', ', '_')}" for name in names]


def _exact(question: Shooting, law: NDArray[np.float64]) -> Row:
    told = law.tolist()
    states = zip(_state_columns(question), _by_state(question, told), strict=True)
    parts = {**dict(zip(_NAMES, told[1:], strict=True)), **dict(states)}
    return {
        "method": EXACT,
        "remainder": 0.0,
        "p_hit": 1.0 - told[0],
        **dict.fromkeys(("hit", "p_hit_low", "p_hit_high")),
        **{f"p_{name}": share for name, share in parts.items()},
        **dict.fromkeys(parts),
        "trials": None,
        "seed": None,
    }


def _sampled(question: Shooting, tally: Tally, how: Method) -> Row:
    told, done = tally.counts.tolist(), tally.trials
    states = zip(_state_columns(question), _by_state(question, told), strict=True)
    parts = {**dict(zip(_NAMES, told[1:], strict=True)), **dict(states)}
    hits = done - told[0]
    low, high = map(float, how.stopping.proportions(hits, done))
    return {
        "method": SAMPLED,
        "remainder": None,
        "p_hit": hits / done if done else None,
        "hit": hits,
        "p_hit_low": low,
        "p_hit_high": high,
        **{f"p_{name}": count / done if done else None for name, count in parts.items()},
        **parts,
        "trials": done,
        "seed": how.seed,
        **how.stopping.cells(hits, done),
    }


def _origin(question: Shooting) -> Row:
    """Return what the rows came from."""
    rules, more = compile_rules(question.edition), compile_shooting(question.edition)
    shot = np.array([question.aim, question.difference, question.start, *question.weapon.ranges])
    arrays = [rules.scalars, rules.wound, rules.after, more.still_wound, more.shots, shot]
    for fighter in (question.shooter, question.target):
        flags, numbers = question.feats(fighter)
        arrays += [np.append(numbers, (flags, question.is_bane))] * bool(flags)
    return {
        "policy": "a 6 that is not enough is re-rolled",
        "edition": question.edition.name,
        "inputs": sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()[:12],
        "assumed": " ".join(question.assumed),
        "readings": " ".join(question.readings),
        "remarks": "; ".join(question.remarks()),
        "version": estoc_version(),
    }


def _title(question: Shooting) -> str:
    own, foe = question.shooter, question.target
    told = [f"starts {own.wounds}"] if own.wounds else []
    told += ["charged"] * question.charged
    special = f" ({', '.join(told)})" if told else ""
    hurt = f" (starts {foe.wounds})" if foe.wounds else ""
    where = f" at {question.distance:g} cm" if question.distance is not None else ""
    return f"{own.label}{special} shoots at {foe.label}{hurt}{where}"
