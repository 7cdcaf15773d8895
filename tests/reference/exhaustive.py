"""Exact laws as Fractions, by enumerating dice on a replaying tape.

``law`` enumerates every sequence of dice of one test; a sequence longer than ``depth``
dice is cut and its mass is returned as the rest. ``exact`` puts the laws of the tests of
a combat together, merging equal positions after each attack. ``every_die`` enumerates
every die of whole combats and merges nothing: it is the check of ``exact``.

Tests are walked through die by die, chains merged that are alike for all that follows; `law`
merges nothing, and is the check of that.

All masses are exact: outcomes and rest sum to 1. ``faces`` replaces the six faces of a
die, so that whole combats with many dice can be enumerated die by die in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from estoc.kernels.layout.abilities import Roll as Kind
from reference.book import Book
from reference.choices import feints, policy_of, poor_attack, tries_luck, wants_attack_reroll
from reference.combat import (
    Blow,
    InitiativeTest,
    after_wound_roll,
    counter_margin,
    end_of_combat,
    gain_of,
    hit_of,
    initiative_faces,
    initiative_values,
    needs_attack_test,
    next_blow,
    next_turn,
    one_side_dead,
    place_dice,
    play,
    spend,
    taken_by_feint,
    use_luck,
    with_first,
    with_gain,
    without,
)
from reference.feats import SIXES, open_faces
from reference.rolls import (
    Faces,
    Result,
    Roll,
    defence_result,
    defence_test,
    die_to_reroll,
    final_result,
    natural_result,
    opposed_results,
    opposed_winner,
    shows_six,
    wants_opposed_reroll,
    who_rerolls,
    wound_roll,
)
from reference.state import (
    Combat,
    Policy,
    Position,
    attack_value,
    beginning,
    change,
    defence_value,
)
from reference.tape import Cut, ReplayTape
from reference.wounding import Hit, Wounding, wound_test

SIX = (1, 2, 3, 4, 5, 6)
DEPTH = 20  # dice of one test: what is cut off weighs about 6^-20

Masses = dict[Hashable, Fraction]


class Law(NamedTuple):
    """Masses of outcomes, and the rest that was cut off."""

    masses: Masses
    rest: Fraction


class Final(NamedTuple):
    """How a combat ended: state code of each fighter, winner of the first initiative."""

    states: tuple[int, ...]
    first: int


def collect(pairs: Iterable[tuple[Hashable, Fraction]]) -> Masses:
    """Add up the masses of equal outcomes."""
    masses: Masses = {}
    for outcome, mass in pairs:
        masses[outcome] = masses.get(outcome, Fraction(0)) + mass
    return masses


def branches(
    test: Callable[[ReplayTape], Hashable], faces: tuple[int, ...], depth: int
) -> Iterable[tuple[Hashable, Fraction]]:
    """Outcome and mass of every sequence of dice; outcome None where it was cut."""
    beginning_of_next: list[int] | None = []
    while beginning_of_next is not None:
        tape = ReplayTape(beginning_of_next, faces, depth)
        try:
            outcome = test(tape)
        except Cut:
            outcome = None
        yield outcome, Fraction(1, len(faces) ** tape.used)
        beginning_of_next = tape.following()


def law(test: Callable[[Roll], Hashable], faces: tuple[int, ...] = SIX, depth: int = DEPTH) -> Law:
    """Law of a test that is a function of a roll."""

    def on(tape: ReplayTape) -> Hashable:
        return test(lambda slot, index: tape.next_die())

    masses = collect(branches(on, faces, depth))
    return Law(masses, masses.pop(None, Fraction(0)))


# --- tests, die by die, equal chains merged -------------------------------------------

Dice = tuple[int, ...]
Lying = tuple[Dice, ...]  # the chains of a test


def alike(dice: Dice) -> Dice:
    """A chain of two dice at most with the same sum and the same last die."""
    return dice if len(dice) < 3 else (sum(dice[:-1]), dice[-1])


def walk(
    count: int,
    next_die: Callable[[Lying], int | None],
    faces: tuple[int, ...],
    depth: int,
    merged: Callable[[Dice], Dice] = alike,
) -> Law:
    """Law of the chains of a test of so many dice; ``next_die`` says which one is re-rolled."""
    going: Masses = {((),) * count: Fraction(1)}
    ended: list[tuple[Hashable, Fraction]] = []
    for rolled in range(depth + 1):
        after: list[tuple[Hashable, Fraction]] = []
        for chains, mass in going.items():
            waiting = [k for k, dice in enumerate(chains) if not dice]
            k = waiting[0] if waiting else next_die(chains)
            if k is None:
                ended.append((chains, mass))
                continue
            for face in faces if rolled < depth else ():
                dice = merged((*chains[k], face))
                after.append(((*chains[:k], dice, *chains[k + 1 :]), mass / len(faces)))
        going = collect(after)
    masses = collect(ended)
    return Law(masses, 1 - sum(masses.values()))


@cache
def attack_tests(
    book: Book,
    policy: Policy,
    attack: int,
    defence: int | None,
    faces: tuple,
    depth: int,
    open_to: Faces = SIXES,
) -> Law:
    """An attack test as it was made (C-6.3)."""

    def next_die(chains: Lying) -> int | None:
        if not shows_six(chains[0], open_to):
            return None
        natural = natural_result(book, chains[0])
        return 0 if wants_attack_reroll(book, policy, natural, attack, defence) else None

    def made(dice: Dice) -> Result:
        result = final_result(book, dice, attack)
        return Result(natural_result(book, dice), result, result > book.automatic_failure)

    chains = walk(1, next_die, faces, depth)
    return Law(collect((made(dice), mass) for (dice,), mass in chains.masses.items()), chains.rest)


@cache
def attack_law(
    book: Book,
    policy: Policy,
    attack: int,
    defence: int | None,
    faces: tuple,
    depth: int,
    open_to: Faces = SIXES,
) -> Law:
    """Final result of an attack test, None for an automatic failure (C-6.3)."""
    tests = attack_tests(book, policy, attack, defence, faces, depth, open_to)
    results = ((t.result if t.passed else None, mass) for t, mass in tests.masses.items())
    return Law(collect(((result,), mass) for result, mass in results), tests.rest)


@cache
def parry_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
    open_to: Faces = SIXES,
) -> Law:
    """Whether a defence test parries (C-6.4).

    With "best_chain" each die has its own chain, and whether it is re-rolled depends on
    the other dice only in that nobody goes on once the attack is parried: the attack
    lands when each die, taken alone, fails. So one die's law is enough; "one_chain" is
    walked through as it stands.
    """
    if committed > 1 and book.many_dice == "best_chain":
        one = parry_law(book, reroll, 1, defence, difficulty, faces, depth, open_to)
        lands = one.masses.get(False, Fraction(0)) ** committed
        unknown = (one.masses.get(False, Fraction(0)) + one.rest) ** committed - lands
        return Law({True: 1 - lands - unknown, False: lands}, unknown)
    beaten = beaten_law(book, reroll, committed, defence, difficulty, 0, faces, depth, open_to)
    masses = collect((by is not None, mass) for by, mass in beaten.masses.items())
    return Law(masses, beaten.rest)


@cache
def beaten_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    margin: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
    open_to: Faces = SIXES,
) -> Law:
    """Whether a parry beats the attack by a margin; None where it does not parry (C-6.4, W-7)."""
    seen: dict[Hashable, Dice] = {}

    def degree(dice: Dice) -> int:
        """How good a chain is: it fails, it parries, it beats the attack by the margin."""
        result = final_result(book, dice, defence)
        return (result >= difficulty) + (result >= difficulty + margin)

    def merged(dice: Dice) -> Dice:
        """Chains alike: closed ones as good as each other; open ones that nothing but a 1 hurts."""
        if shows_six(dice, open_to):
            most = max(difficulty, difficulty + margin, book.automatic_failure + 1) - defence
            dice = alike(dice)
            return dice if sum(dice) < most else seen.setdefault("open", dice)
        return seen.setdefault(degree(dice), dice)

    def next_die(chains: Lying) -> int | None:
        listed = [list(dice) for dice in chains]
        result = defence_result(book, listed, defence, difficulty).result
        return die_to_reroll(book, listed, reroll, result >= difficulty, open_to)

    def beats(chains: Lying) -> bool | None:
        test = defence_result(book, [list(dice) for dice in chains], defence, difficulty)
        return test.result >= difficulty + margin if test.passed else None

    started = book.many_dice == "one_chain"  # who has started must be seen
    chains = walk(committed, next_die, faces, depth, alike if started else merged)
    return Law(collect((beats(c), mass) for c, mass in chains.masses.items()), chains.rest)


def raw_parry_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
) -> Law:
    """The same law, all dice of the test enumerated together."""

    def test(roll: Roll) -> bool:
        return defence_test(book, roll, committed, defence, difficulty, reroll).passed

    return law(test, faces, depth)


# --- laws of attacks ------------------------------------------------------------------


class Feats(NamedTuple):
    """What abilities change in an attack that is rolled (W-7)."""

    attack_open: Faces = SIXES
    defence_open: Faces = SIXES
    attack_luck: bool = False
    defence_luck: bool = False
    counter: int | None = None  # margin of a counter-attack


PLAIN = Feats()


class Exchange(NamedTuple):
    """What came of an attack before its wound roll, and whether luck was used."""

    what: str  # "failed", "parried", "countered" or "lands"
    attack_luck: bool = False
    defence_luck: bool = False


@cache
def exchanges(
    book: Book,
    attacker: Policy,
    reroll_defence: str,
    attack: int,
    defence: int,
    committed: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
    feats: Feats = PLAIN,
) -> Law:
    """An attack that is rolled: law of ``Exchange`` (C-6.3, C-6.4)."""
    pairs: list[tuple[Hashable, Fraction]] = []
    against = defence if committed else None
    tests = attack_tests(book, attacker, attack, against, faces, depth, feats.attack_open)
    rest = tests.rest
    made: list[tuple[Result, bool, Fraction]] = []
    for test, mass in tests.masses.items():
        if not (feats.attack_luck and poor_attack(test, committed)):
            made.append((test, False, mass))
            continue
        made += [(again, True, mass * part) for again, part in tests.masses.items()]
        rest += mass * tests.rest
    for test, lucky, mass in made:
        if not test.passed:
            pairs.append((Exchange("failed", lucky), mass))
        elif committed == 0:
            pairs.append((Exchange("lands", lucky), mass))
        else:
            parries = lucky_parry_law(
                book, reroll_defence, committed, defence, test.result, faces, depth, feats
            )
            for (what, again), part in parries.masses.items():
                pairs.append((Exchange(what, lucky, again), mass * part))
            rest += mass * parries.rest
    return Law(collect(pairs), rest)


@cache
def lucky_parry_law(
    book: Book,
    reroll: str,
    committed: int,
    defence: int,
    difficulty: int,
    faces: tuple,
    depth: int,
    feats: Feats,
) -> Law:
    """What comes of a defence test, and whether it was made again by luck."""
    dice = (book, reroll, committed, defence, difficulty)
    if feats.counter is None:
        parry = parry_law(*dice, faces, depth, feats.defence_open)
        words = {True: "parried", False: "lands"}
    else:
        parry = beaten_law(*dice, feats.counter, faces, depth, feats.defence_open)
        words = {True: "countered", False: "parried", None: "lands"}
    masses = collect((words[end], mass) for end, mass in parry.masses.items())
    if not feats.defence_luck:
        return Law({(word, False): mass for word, mass in masses.items()}, parry.rest)
    lands = masses.pop("lands", Fraction(0))
    pairs = [((word, False), mass) for word, mass in masses.items()]
    pairs += [((word, True), lands * mass) for word, mass in masses.items()]
    pairs.append((("lands", True), lands * lands))
    return Law(collect(pairs), parry.rest + lands * parry.rest)


def exchange_law(
    book: Book,
    attacker: Policy,
    reroll_defence: str,
    attack: int,
    defence: int,
    committed: int,
    faces: tuple = SIX,
    depth: int = DEPTH,
) -> Law:
    """The same without abilities: "failed", "parried" or "lands"."""
    dice = (attack, defence, committed, faces, depth)
    exchange = exchanges(book, attacker, reroll_defence, *dice)
    return Law(collect((end.what, mass) for end, mass in exchange.masses.items()), exchange.rest)


@cache
def wound_law(book: Book, strength: int, resistance: int, faces: tuple = SIX) -> Law:
    """Outcome of a wound roll (W-2)."""
    return law(lambda roll: wound_roll(book, roll, strength, resistance).outcome, faces)


@cache
def wounding_law(book: Book, hit: Hit, faces: tuple = SIX) -> Law:
    """A wound roll with abilities, of which only what it does is kept (W-7)."""

    def made(roll: Roll) -> Wounding:
        rolled = wound_test(book, roll, hit)
        return Wounding(rolled.survived, rolled.outcome)

    return law(made, faces)


# --- laws of initiative ---------------------------------------------------------------


@cache
def roll_off_results(combat: Combat, test: InitiativeTest, faces: tuple, depth: int) -> Law:
    """Results of both sides in a roll-off, before luck (W-1.5)."""
    rerolls = (combat.policies[0].reroll_initiative, combat.policies[1].reroll_initiative)
    open_to = initiative_faces(combat, test)

    def results(chains: Lying) -> tuple[int, int]:
        return opposed_results(combat.book, (chains[0], chains[1]), test.characteristics)

    def next_die(chains: Lying) -> int | None:
        pair = (chains[0], chains[1])
        return who_rerolls(pair, results(chains), rerolls, combat.chooser, open_to)

    chains = walk(2, next_die, faces, depth)
    return Law(collect((results(c), mass) for c, mass in chains.masses.items()), chains.rest)


@cache
def tried_again(
    combat: Combat,
    test: InitiativeTest,
    side: int,
    standing: int,
    faces: tuple,
    depth: int,
) -> Law:
    """Result of a side that rolls its part again by luck (W-7)."""
    book, value = combat.book, test.characteristics[side]
    reroll, open_to = (
        combat.policies[side].reroll_initiative,
        initiative_faces(combat, test)[side],
    )

    def next_die(chains: Lying) -> int | None:
        result = final_result(book, chains[0], value)
        again = wants_opposed_reroll(reroll, result, standing, chains[0], open_to)
        return 0 if again else None

    chains = walk(1, next_die, faces, depth)
    ends = ((final_result(book, dice, value), mass) for (dice,), mass in chains.masses.items())
    return Law(collect(ends), chains.rest)


Luck = tuple[int, int]  # of both testers, none if they do not want to use it


@cache
def winners(
    combat: Combat,
    test: InitiativeTest,
    results: tuple[int, int],
    luck: Luck,
    faces: tuple,
    depth: int,
) -> Law:
    """Winner of a roll-off with these results, and the luck that is left (C-4.3, W-7)."""
    behind = 0 if results[0] < results[1] else 1
    if results[0] == results[1] or luck[behind] == 0:

        def winner(roll: Roll) -> tuple[int, Luck]:
            values, chooser = test.characteristics, combat.chooser
            return opposed_winner(combat.book, roll, results, values, chooser).winner, luck

        return law(winner, faces)
    left = (luck[0] - 1, luck[1]) if behind == 0 else (luck[0], luck[1] - 1)
    again = tried_again(combat, test, behind, results[1 - behind], faces, depth)
    pairs: list[tuple[Hashable, Fraction]] = []
    rest = again.rest
    for new, mass in again.masses.items():
        pair = (new, results[1]) if behind == 0 else (results[0], new)
        then = winners(combat, test, pair, left, faces, depth)
        pairs += [(end, mass * part) for end, part in then.masses.items()]
        rest += mass * then.rest
    return Law(collect(pairs), rest)


NO_LUCK: Luck = (0, 0)


@cache
def lucky_roll_off_law(
    combat: Combat, test: InitiativeTest, luck: Luck, faces: tuple, depth: int
) -> Law:
    """Winner of a roll-off, -1 for a tie that is rolled again, and the luck that is left."""
    once = roll_off_results(combat, test, faces, depth)
    pairs: list[tuple[Hashable, Fraction]] = []
    rest = once.rest
    for results, mass in once.masses.items():
        then = winners(combat, test, results, luck, faces, depth)
        pairs += [(end, mass * part) for end, part in then.masses.items()]
        rest += mass * then.rest
    return Law(collect(pairs), rest)


def roll_off_law(
    combat: Combat, characteristics: tuple[int, int], faces: tuple = SIX, depth: int = DEPTH
) -> Law:
    """Winner of one Initiative roll-off without luck, -1 for a tie that is rolled again."""
    test = InitiativeTest(1, characteristics)
    once = lucky_roll_off_law(combat, test, NO_LUCK, faces, depth)
    masses = collect((winner, mass) for (winner, _), mass in once.masses.items())
    return Law(masses, once.rest)


@cache
def lucky_initiative_law(
    combat: Combat, test: InitiativeTest, luck: Luck, faces: tuple = SIX, depth: int = DEPTH
) -> Law:
    """Winner of the Initiative test and the luck that is left.

    Roll-offs that end in a tie count for nothing, but for the luck that they cost (C-4.3).
    """
    once = lucky_roll_off_law(combat, test, luck, faces, depth)
    masses = dict(once.masses)
    decided = 1 - masses.pop((-1, luck), Fraction(0))
    if decided == 0:
        raise ValueError("every roll-off is a tie: the test never ends")
    pairs: list[tuple[Hashable, Fraction]] = []
    rest = once.rest / decided
    for (winner, left), mass in masses.items():
        if winner != -1:
            pairs.append(((winner, left), mass / decided))
            continue
        again = lucky_initiative_law(combat, test, left, faces, depth)
        pairs += [(end, mass / decided * part) for end, part in again.masses.items()]
        rest += mass / decided * again.rest
    return Law(collect(pairs), rest)


def initiative_law(
    combat: Combat, characteristics: tuple[int, int], faces: tuple = SIX, depth: int = DEPTH
) -> Law:
    """Winner of the Initiative test without luck."""
    test = InitiativeTest(1, characteristics)
    ends = lucky_initiative_law(combat, test, NO_LUCK, faces, depth)
    return Law({winner: mass for (winner, _), mass in ends.masses.items()}, ends.rest)


# --- a whole combat, positions merged -------------------------------------------------


def feats_of(combat: Combat, position: Position, blow: Blow) -> Feats:
    """What abilities change in this attack."""
    striker, target = combat.fighters[blow.striker], combat.fighters[blow.target]
    return Feats(
        open_faces(striker, Kind.ATTACK),
        open_faces(target, Kind.DEFENCE),
        tries_luck(combat, position, blow.striker),
        tries_luck(combat, position, blow.target),
        counter_margin(combat, position, blow) if blow.committed else None,
    )


def exchange_of(combat: Combat, position: Position, blow: Blow, faces: tuple, depth: int) -> Law:
    """Law of what comes of this attack before its wound roll (C-6)."""
    if not needs_attack_test(combat, position, blow):
        return Law({Exchange("lands"): Fraction(1)}, Fraction(0))
    striker, target = blow.striker, blow.target
    return exchanges(
        combat.book,
        policy_of(combat, striker),
        policy_of(combat, target).reroll_defence,
        attack_value(combat, position, striker, target),
        defence_value(combat, position, target, striker),
        blow.committed,
        faces,
        depth,
        feats_of(combat, position, blow),
    )


def after_exchange(combat: Combat, position: Position, blow: Blow, end: Exchange) -> Position:
    """Position after the tests of an attack (C-6.3, C-6.4)."""
    if end.attack_luck:
        position = use_luck(position, blow.striker)
    if end.defence_luck:
        position = use_luck(position, blow.target)
    if end.what != "failed" and blow.committed > 0:
        position = spend(position, blow)
    if end.what in ("parried", "countered"):
        gain = gain_of(combat, position, blow, counters=end.what == "countered")
        position = with_gain(position, blow.target, gain)
    return position


def after_landing(
    combat: Combat, position: Position, blow: Blow, faces: tuple
) -> Iterable[tuple[Position, Fraction]]:
    """Positions after an attack that was not parried (C-6.5, C-6.6)."""
    if feints(combat, position, blow.striker, blow.target):
        taken = taken_by_feint(combat, position, blow)
        return [(without(combat, position, blow.target, taken), Fraction(1))]
    wounds = wounding_law(combat.book, hit_of(combat, position, blow), faces)
    return [
        (after_wound_roll(combat, position, blow, rolled), mass)
        for rolled, mass in wounds.masses.items()
    ]


def resolve_passes(
    combat: Combat, positions: Masses, faces: tuple, depth: int
) -> tuple[Masses, Fraction]:
    """All passes of arms of one turn, equal positions merged after each attack (C-5)."""
    over: list[tuple[Position, Fraction]] = []
    cut = Fraction(0)
    while positions:
        after: list[tuple[Position, Fraction]] = []
        for before, mass in positions.items():
            position, blow = next_blow(combat, before)
            if blow is None:
                over.append((end_of_combat(position), mass))
                continue
            exchange = exchange_of(combat, position, blow, faces, depth)
            cut += mass * exchange.rest
            for end, part in exchange.masses.items():
                then = after_exchange(combat, position, blow, end)
                if end.what != "lands":
                    after.append((then, mass * part))
                    continue
                for last, share in after_landing(combat, then, blow, faces):
                    after.append((last, mass * part * share))
        positions = collect((p, mass) for p, mass in after if mass > 0)
    return collect(over), cut


def decide_initiative(
    combat: Combat, positions: Masses, faces: tuple, depth: int
) -> tuple[Masses, Fraction]:
    """Dice placed, then the Initiative test, from every position (C-3, C-4)."""
    pairs: list[tuple[Position, Fraction]] = []
    cut = Fraction(0)
    for before, mass in positions.items():
        position = place_dice(combat, before, [])
        test = initiative_values(combat, position)
        testers = (0, test.other)
        has_luck = [position.luck[i] * tries_luck(combat, position, i) for i in testers]
        luck = has_luck[0], has_luck[1]
        initiative = lucky_initiative_law(combat, test, luck, faces, depth)
        cut += mass * initiative.rest
        for (winner, left), part in initiative.masses.items():
            after = with_first(position, winner)
            for i, had, has in zip(testers, luck, left, strict=True):
                after = change(after, i, luck=after.luck[i] - (had - has))
            pairs.append((after, mass * part))
    return collect(pairs), cut


def final(position: Position) -> Final:
    return Final(tuple(wounds.code for wounds in position.wounds), position.opening)


def exact(combat: Combat, faces: tuple = SIX, depth: int = DEPTH) -> Law:
    """Law of the end of a combat: ``Final`` -> mass, and the rest that was cut off."""
    positions: Masses = {beginning(combat): Fraction(1)}
    ended: list[tuple[Hashable, Fraction]] = []
    rest = Fraction(0)
    for turn in range(combat.turns):
        going_on = {p: mass for p, mass in positions.items() if not one_side_dead(p)}
        ended += [(final(p), mass) for p, mass in positions.items() if p not in going_on]
        if turn > 0:
            going_on = collect((next_turn(p), mass) for p, mass in going_on.items())
        positions, cut = decide_initiative(combat, going_on, faces, depth)
        rest += cut
        positions, cut = resolve_passes(combat, positions, faces, depth)
        rest += cut
    ended += [(final(p), mass) for p, mass in positions.items()]
    return Law(collect(ended), rest)


# --- a whole combat, die by die -------------------------------------------------------


def every_die(combat: Combat, faces: tuple = SIX, depth: int = 1000) -> Law:
    """The same law with nothing merged: every sequence of dice is played.

    For combats whose 6s are never re-rolled and whose ties are not rolled again (or for
    ``faces`` without such dice): the others have no longest sequence and are cut.
    """
    masses = collect(branches(lambda tape: final(play(combat, tape)[0]), faces, depth))
    return Law(masses, masses.pop(None, Fraction(0)))
