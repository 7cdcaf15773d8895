"""Duels of many fighters against many, over dice and charges."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice, product
from math import prod

from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say, say_n
from ..base.answer import AnswerKind, columns, optional
from ..base.naming import missing_cells
from ..base.options import SIDES, Dice, Options, number_of_dice
from ..base.result import Result, Row
from ..base.run import CHAIN, USUAL_RUN, Method, Run, runs, until_stopped
from .combat import profiles_of, provenance_of
from .combatants import Combatant, numbered, with_options, with_sets
from .duel import DUEL, duel_rows, pair_of
from .method import Answer, answers, chosen_method
from .question import Question, more_dice

SWEEP = AnswerKind(
    "sweep",
    DUEL.columns,
    origin=DUEL.origin
    + optional(
        columns("truth", "whether A answers best so to these dice of B", "best_a")
        + columns("truth", "whether these dice do best against the worst reply", "safest_a")
    ),
    text="combat.table:sweep_blocks",
    picture="combat.plot:heat_map",
    sentences="report.words:of_sweep",
    tables="report.placing:placing_tables",
)

TRIALS = 100_000
CHARGES = ("none", "A", "B")
_TOGETHER = 512  # duels that are answered, then made rows


def allocations(text: str, options: Options, more: int = 0) -> list[Dice | None]:
    """Return the dice that ``all``, ``policy`` or ``2/0,1/1`` says, most attack first.

    ``more`` is how many a fighter places besides those of C-3.1.
    """
    dice = max(number_of_dice(options.edition, 1) + more, 0)
    if text.strip().lower() == "all":
        return [Dice(dice - defence, defence) for defence in range(dice + 1)]
    return list(dict.fromkeys(Dice.parse(part) for part in text.split(",")))


Tried = tuple[Combatant, list[Dice | None]]  # a fighter, and the dice that he tries


@dataclass(frozen=True)
class Duels:
    """The duels of a sweep, each made when it is asked for: there may be very many."""

    # the fighters of both sides, and the dice that each tries
    a: tuple[Tried, ...]
    b: tuple[Tried, ...]
    charges: tuple[str, ...]
    options: Options

    def __len__(self) -> int:
        sides = (sum(len(dice) for _, dice in side) for side in (self.a, self.b))
        return len(self.charges) * prod(sides)

    def __iter__(self) -> Iterator[Question]:
        """Yield all duels, pair by pair, the dice of B running fastest."""
        for charge, one, other in product(self.charges, self.a, self.b):
            yield from self._of(charge, one, other)

    def telling(self) -> list[Question]:
        """Return duels that tell what is refused, assumed and remarked in any of them.

        That hangs on a fighter, his dice and who charges, not on whom he meets: each fighter
        meets the first of the other side.
        """
        first, rest = self.a[:1], self.a[1:]
        pairs = [*product(first, self.b), *product(rest, self.b[:1])]
        return [
            duel
            for charge, (one, other) in product(self.charges, pairs)
            for duel in self._of(charge, one, other)
        ]

    def pairs_within(self, done: int) -> set[tuple[str, str, str]]:
        """Return who meets whom, and who charges, in pairs that the first so many duels end."""
        found, last = set(), 0
        for charge, (one, dice_a), (other, dice_b) in product(self.charges, self.a, self.b):
            last += len(dice_a) * len(dice_b)
            if last > done:
                break
            found.add((one.profile.label, other.profile.label, charge))
        return found

    def _of(self, charge: str, one: Tried, other: Tried) -> Iterator[Question]:
        for dice_a, dice_b in product(one[1], other[1]):
            placed_a = replace(one[0], dice=dice_a, charges=charge == "A")
            placed_b = replace(other[0], dice=dice_b, charges=charge == "B")
            yield Question((placed_a,), (placed_b,), self.options, "duel")


def duels_of(
    a: Sequence[Profile],
    b: Sequence[Profile],
    options: Options,
    dice: str,
    charges: Sequence[str],
) -> Duels:
    """Return every duel of a sweep; an option is about the fighters it names, in all of them."""
    for charge in charges:
        if charge not in CHARGES:
            raise InputError('charge "{}" should be one of {}', charge, CHARGES)
    both = with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    # in its duels each is alone on its side
    alone = [replace(c, label=c.profile.name, place=1) for c in both]
    one, other = (
        tuple((c, placings(c, dice, options)) for c in alone if c.side == side) for side in SIDES
    )
    return Duels(one, other, tuple(dict.fromkeys(charges)), options)


def method_asked(duels: Duels, run: Run) -> Method:
    """Return how the duels are answered."""
    # whether a duel can be a chain hangs on both fighters
    asked = list(duels) if run.sampler == CHAIN else duels.telling()
    return chosen_method(asked, run, TRIALS)


def placings(fighter: Combatant, dice: str, options: Options) -> list[Dice | None]:
    """Return the dice that a fighter tries: of ``all`` those that he may place (C-3.6)."""
    tried = allocations(dice, options, more_dice(fighter, options))
    if dice.strip().lower() == "all" and fighter.all_defence and options.turns == 1:
        return tried[-1:]
    return tried


@runs
def sweep(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    dice: str = "all",
    charges: Sequence[str] = ("none",),
    best: bool = False,
    options: Options | None = None,
    roster: Roster | None = None,
    run: Run,
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
    options, roster : optional
        As in `estoc.sim.combat.combat.combat`.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 100,000 trials a row where
        sampling is asked for. With a precision, each duel ends by itself; the draws of chains are
        no dice that rows could share.

    Returns
    -------
    Result
        One row a duel, with the columns of `estoc.sim.combat.duel.duel`; two with ``both``.

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
    duels = duels_of(profiles_a, profiles_b, options, dice, charges)
    return answer(duels, method_asked(duels, run), run, best=best)


def answer(duels: Duels, how: Method, run: Run = USUAL_RUN, *, best: bool = False) -> Result:
    """Return the odds of duels; parameters and result of `sweep`."""
    rows: list[Row] = []
    done = 0
    with until_stopped(run.partial):
        for found in _answered(duels, how, run):
            rows += duel_rows(found, how)
            done += 1
    if best:
        _mark_best(rows, duels.pairs_within(done))
    return sweep_result(duels, rows, done, how)


def _answered(duels: Duels, how: Method, run: Run) -> Iterator[Answer]:
    """Yield the whole answers, some duels at a time: what is done is kept by who takes them."""
    pending = iter(duels)
    while some := list(islice(pending, _TOGETHER)):
        whole = [answer for answer in answers(some, how, run) if answer.is_whole(how)]
        yield from whole
        if len(whole) < len(some):  # stopped
            return


def sweep_result(duels: Duels, rows: list[Row], done: int, how: Method) -> Result:
    """Return the rows of the first duels of a sweep as its result."""
    stopped = say("{:,} of {:,} cells", done, len(duels)) if done < len(duels) else ""
    names = [[c.profile.name for c, _ in side] for side in (duels.a, duels.b)]
    one, other = (side[0] if len(side) == 1 else say("{} fighters", len(side)) for side in names)
    title = say_n("{1} against {2}: {0:,} duel", "{1} against {2}: {0:,} duels", done, one, other)
    # each row has a command; all of them together have the caller's
    provenance = provenance_of(duels.telling(), how).of("")
    return Result.of(SWEEP, rows, title, provenance, note=how.note, stopped=stopped)


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


def score(row: Row) -> float:
    """Return what A wants: by default the chance to kill less the chance to die."""
    return float(row["value"])


def safest(worth: Mapping[tuple[str, str], float]) -> str:
    """Return one's dice that do best against the reply that is worst for them."""
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
