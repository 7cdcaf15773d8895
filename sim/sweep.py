"""Duels of many fighters against many, over dice and charges."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, product

from estoc.profiles import InputError, Profile, Roster
from estoc.profiles.schema import CHARACTERISTICS
from estoc.sim.combat import Progress, count_trials, profiles_of, result_of
from estoc.sim.duel import duel_row, pairing
from estoc.sim.params import Dice, Options, checked_seed, checked_trials, number_of_dice
from estoc.sim.question import Question, numbered, with_options
from estoc.sim.result import Result, Row

TRIALS = 100_000
CHARGES = ("none", "A", "B")


def allocations(text: str, options: Options) -> list[Dice | None]:
    """Return the dice that ``all``, ``policy`` or ``2/0,1/1`` says, most attack first."""
    dice = number_of_dice(options.edition, 1)
    if text.strip().lower() == "all":
        return [Dice(dice - defence, defence) for defence in range(dice + 1)]
    return list(dict.fromkeys(Dice.parse(part) for part in text.split(",")))


def sweep_questions(
    a: Sequence[Profile],
    b: Sequence[Profile],
    options: Options,
    dice: Sequence[Dice | None],
    charges: Sequence[str],
) -> list[Question]:
    """Return every duel of a sweep; options may be about some of the fighters only."""
    with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    questions = []
    for charge in dict.fromkeys(charges):
        if charge.upper() not in ("NONE", "A", "B"):
            raise InputError(f'charge "{charge}" should be one of {", ".join(CHARGES)}')
        charging = () if charge.upper() == "NONE" else (charge.upper(),)
        changed = replace(options, charge=charging)
        for (pa, pb), (da, db) in product(product(a, b), product(dice, repeat=2)):
            questions.append(pairing(pa, pb, changed, (da, db), required=False))
    return questions


def sweep(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    dice: str = "all",
    charges: Sequence[str] = ("none",),
    best: bool = False,
    trials: int = TRIALS,
    seed: int | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play every duel of a grid: fighters A, fighters B, dice of both, who charges.

    All duels of one pair roll the same dice, so that differences between its rows are
    sharper than their intervals say.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
    dice : str
        ``all``, ``policy``, or a list as ``2/0,1/1``, for both sides.
    charges : sequence of {"none", "A", "B"}
    best : bool
        Add ``best_a`` (the best answer of A to these dice of B) and ``safest_a`` (the dice
        of A that do best against B's best reply), by the difference of ``p_a`` and ``p_b``.
    trials : int
        Of each row.
    seed, options, roster, threads, chunk, progress
        As in `estoc.sim.combat.combat` and `count_trials`.

    Returns
    -------
    Result
        One row a duel, with the columns of `estoc.sim.duel.duel`.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = sweep("Garde prétorien", "Guerrier de l'aube", trials=100, seed=1)
    >>> len(result)
    9
    """
    options = options or Options()
    profiles_a, profiles_b = profiles_of(a, roster), profiles_of(b, roster)
    questions = sweep_questions(
        profiles_a, profiles_b, options, allocations(dice, options), charges
    )
    seed, trials = checked_seed(seed), checked_trials(trials)
    counted = count_trials(questions, trials, seed, threads=threads, chunk=chunk, progress=progress)
    done = [(q, c) for q, c in zip(questions, counted, strict=True) if c.trials == trials]
    rows = [duel_row(q, c, seed) for q, c in done]
    if best:
        _mark_best(rows)
    stopped = ""
    if len(done) < len(questions):
        stopped = f"{len(done):,} of {len(questions):,} cells"
    title = f"{_names(profiles_a)} against {_names(profiles_b)}: {len(rows):,} duels"
    # each row has a command; all of them together have the caller's
    return replace(result_of("sweep", questions, rows, title, stopped), command="")


def complete(
    profiles: Sequence[Profile], options: Options
) -> tuple[list[Profile], dict[str, list[str]]]:
    """Return the fighters who can fight, and what the others lack."""
    sets = replace(options, wounds=(), dice=(), charge=(), all_defence=())
    fit, lacking = [], {}
    for profile in profiles:
        known = with_options(numbered([profile], "A"), sets, required=False)[0].profile
        missing = [c for c in CHARACTERISTICS if getattr(known, c) is None]
        if missing:
            lacking[profile.label] = missing
        else:
            fit.append(profile)
    return fit, lacking


def _names(profiles: Sequence[Profile]) -> str:
    return profiles[0].name if len(profiles) == 1 else f"{len(profiles)} fighters"


def score(row: Row) -> float:
    """Return what A wants: the chance to kill less the chance to die."""
    return float(row["p_a"] - row["p_b"])


def _mark_best(rows: list[Row]) -> None:
    """Add ``best_a`` and ``safest_a`` to the rows of complete pairs."""

    def pair(row: Row) -> tuple[str, ...]:
        return row["a"], row["b"], row["charge"]

    for row in rows:
        row["best_a"] = row["safest_a"] = False
    for _, group in groupby(rows, pair):
        duels = list(group)
        for reply in dict.fromkeys(row["dice_b"] for row in duels):
            max((r for r in duels if r["dice_b"] == reply), key=score)["best_a"] = True
        worst = {
            placed: min(score(r) for r in duels if r["dice_a"] == placed)
            for placed in dict.fromkeys(row["dice_a"] for row in duels)
        }
        safest = max(worst, key=lambda placed: worst[placed])
        for row in duels:
            row["safest_a"] = row["dice_a"] == safest
