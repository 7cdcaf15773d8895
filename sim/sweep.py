"""Duels of many fighters against many, over dice and charges."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, product

from estoc.profiles import InputError, Profile, Roster
from estoc.sim.combat import profiles_of, result_of
from estoc.sim.combatants import Combatant, numbered, with_options, with_sets
from estoc.sim.duel import duel_rows
from estoc.sim.method import answers, chosen_method
from estoc.sim.naming import missing_cells
from estoc.sim.params import SIDES, Dice, Options, number_of_dice
from estoc.sim.question import Question, more_dice
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress

TRIALS = 100_000
CHARGES = ("none", "A", "B")


def allocations(text: str, options: Options, more: int = 0) -> list[Dice | None]:
    """Return the dice that ``all``, ``policy`` or ``2/0,1/1`` says, most attack first.

    ``more`` is how many a fighter places besides those of C-3.1.
    """
    dice = max(number_of_dice(options.edition, 1) + more, 0)
    if text.strip().lower() == "all":
        return [Dice(dice - defence, defence) for defence in range(dice + 1)]
    return list(dict.fromkeys(Dice.parse(part) for part in text.split(",")))


def sweep_questions(
    a: Sequence[Profile],
    b: Sequence[Profile],
    options: Options,
    dice: str,
    charges: Sequence[str],
) -> list[Question]:
    """Return every duel of a sweep; an option is about the fighters it names, in all of them."""
    both = with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    # in its duels each is alone on its side
    alone = [replace(c, label=c.profile.name, place=1) for c in both]
    sides = [[c for c in alone if c.side == side] for side in SIDES]
    questions = []
    for charge in dict.fromkeys(charges):
        if charge not in CHARGES:
            raise InputError(f'charge "{charge}" should be one of {", ".join(CHARGES)}')
        for ca, cb in product(*sides):
            for da, db in product(placings(ca, dice, options), placings(cb, dice, options)):
                placed_a = replace(ca, dice=da, charges=charge == "A")
                placed_b = replace(cb, dice=db, charges=charge == "B")
                questions.append(Question((placed_a,), (placed_b,), options, "duel"))
    return questions


def placings(fighter: Combatant, dice: str, options: Options) -> list[Dice | None]:
    """Return the dice that a fighter tries: of ``all`` those that he may place (C-3.6)."""
    tried = allocations(dice, options, more_dice(fighter, options))
    if dice.strip().lower() == "all" and fighter.all_defence and options.turns == 1:
        return tried[-1:]
    return tried


def sweep(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    dice: str = "all",
    charges: Sequence[str] = ("none",),
    best: bool = False,
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    precision: float | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
    sampler: str | None = None,
    device: str | None = None,
) -> Result:
    """Return the odds of every duel of a grid: fighters A and B, dice of both, who charges.

    Where they are sampled, all duels of one pair roll the same dice, so that differences
    between its rows are sharper than their intervals say.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
    dice : str
        ``all``, ``policy``, or a list as ``2/0,1/1``, for both sides.
    charges : sequence of {"none", "A", "B"}
    best : bool
        Add ``best_a`` (the best answer of A to these dice of B) and ``safest_a`` (the dice
        of A that do best against B's best reply), by ``value``.
    method, trials, seed, precision
        As in `estoc.sim.combat.combat`; 100,000 trials a row where sampling is asked for. With a
        precision, each duel ends by itself.
    options, roster, threads, chunk, progress, partial, sampler, device
        As in `estoc.sim.combat.combat` and `estoc.sim.sampling.count_trials`; the draws of chains
        are no dice that rows could share.

    Returns
    -------
    Result
        One row a duel, with the columns of `estoc.sim.duel.duel`; two with ``both``.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = sweep("Garde prétorien", "Guerrier de l'aube")
    >>> len(result)
    9
    """
    options = options or Options()
    profiles_a, profiles_b = profiles_of(a, roster), profiles_of(b, roster)
    if options.charge or isinstance(charges, str):
        raise InputError('who charges in a sweep is told by charges, as ["none", "A"]')
    if options.dice:
        raise InputError('the dice of a sweep are told by dice, as "all" or "2/0,1/1"')
    questions = sweep_questions(profiles_a, profiles_b, options, dice, charges)
    chosen = chosen_method(
        questions, method, trials, seed, TRIALS, precision, sampler=sampler, device=device
    )
    found = answers(
        questions, chosen, threads=threads, chunk=chunk, progress=progress, partial=partial
    )
    done = [answer for answer in found if answer.is_whole(chosen)]
    rows = [row for answer in done for row in duel_rows(answer, chosen)]
    if best:
        # duels stand pair by pair, so only the last pair of a stopped run may lack some
        unplayed = [pair_of_question(a.question) for a in found if not a.is_whole(chosen)]
        _mark_best(rows, {pair_of(row) for row in rows} - set(unplayed[:1]))
    stopped = ""
    if len(done) < len(questions):
        stopped = f"{len(done):,} of {len(questions):,} cells"
    title = title_of(profiles_a, profiles_b, len(done))
    # each row has a command; all of them together have the caller's
    return replace(result_of("sweep", questions, rows, title, chosen, stopped), command="")


def lacking(
    a: Sequence[Profile], b: Sequence[Profile], options: Options
) -> dict[tuple[str, str], list[str]]:
    """Return, by side and label, the fighters without a characteristic, and which."""
    found = {}
    for c in with_sets((*numbered(a, "A"), *numbered(b, "B")), options.sets):
        missing = missing_cells(c.profile)
        if missing:
            found[c.side, c.profile.label] = missing
    return found


def title_of(a: Sequence[Profile], b: Sequence[Profile], duels: int) -> str:
    """Return what a sweep of so many duels asked, in a line."""
    return f"{_names(a)} against {_names(b)}: {duels:,} duels"


def _names(profiles: Sequence[Profile]) -> str:
    return profiles[0].name if len(profiles) == 1 else f"{len(profiles)} fighters"


def score(row: Row) -> float:
    """Return what A wants: by default the chance to kill less the chance to die."""
    return float(row["value"])


def safest(worth: Mapping[tuple[str, str], float]) -> str:
    """Return one's dice that do best against the reply that is worst for them.

    Parameters
    ----------
    worth : mapping
        What a duel is worth to the one who chooses, by his dice and the enemy's.
    """
    worst: dict[str, float] = {}
    for (own, _), value in worth.items():
        worst[own] = min(value, worst.get(own, value))
    return max(worst, key=lambda own: worst[own])


def _mark_best(rows: list[Row], complete: Collection[tuple[str, ...]]) -> None:
    """Add ``best_a`` and ``safest_a``, None where not all duels of a pair were played."""
    for row in rows:
        row["best_a"] = row["safest_a"] = None
    by_method = sorted(rows, key=lambda row: row["method"])
    for (pair, _), group in groupby(by_method, lambda row: (pair_of(row), row["method"])):
        if pair not in complete:
            continue
        duels = list(group)
        chosen = safest({(r["dice_a"], r["dice_b"]): score(r) for r in duels})
        for row in duels:
            same_reply = [r for r in duels if r["dice_b"] == row["dice_b"]]
            row["best_a"] = row is max(same_reply, key=score)
            row["safest_a"] = row["dice_a"] == chosen


def pair_of_question(question: Question) -> tuple[str, str, str]:
    """Return the same of a duel that has no row."""
    a, b = question.a[0], question.b[0]
    charge = "".join(c.side for c in (a, b) if c.charges) or "none"
    return a.profile.label, b.profile.label, charge


def pair_of(row: Row) -> tuple[str, str, str]:
    """Return who meets whom, and who charges."""
    return row["a"], row["b"], row["charge"]
