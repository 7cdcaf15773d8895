"""What a combat is worth when players decide as well as they can: every decision branched on.

``Game(combat, score, best)`` plays the rules of C-3 to C-7 in their order. Where a side's
decision is in ``best``, every choice is tried: the lone fighter's player (side 0) takes the
one that is worth most, his enemies' player the one that is worth least. All others follow
the named policies of `choices`. Values are Fractions; a chain of 6s is kept after ``SIXES``
of them, which is wrong by at most 6**-SIXES of the span of the scores, a test.

With abilities (W-7), how fury, chains, held dice, master strokes, feints and luck are used are
decisions too. Who has a held die and no attack die may strike no more in his part of a pass; a
pass in which nobody strikes is the last one.

Equal positions are worked out once. Nothing else is merged, but for two remarks:

* A defence test matters only in whether it parries, so its tree is one of chances to parry.
  A chain is then no more than: too low, high enough, or an open 6 that is still so and so
  far from the difficulty (a 6 after which nothing can be missing any more is one position,
  and re-rolling it for ever is a choice).
* A tie that is rolled again leads back to the same test: its worth is the number that the
  tree, asked with it, gives back (`chance_of_first_strike` checks that it does, exactly).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from estoc.kernels.layout.abilities import Roll as Kind
from reference.book import Book, Wounds
from reference.choices import (
    can_strike,
    chained,
    commits_held,
    committed_dice,
    dice_left,
    feints,
    initiative_fighter,
    masters,
    may_master,
    may_rage,
    may_sustain,
    next_striker,
    next_target,
    placing_order,
    policy_of,
    poor_attack,
    rages,
    split,
    sustains_now,
    wants_attack_reroll,
    wants_held_attack,
)
from reference.combat import (
    Blow,
    InitiativeTest,
    Placed,
    after_wound_roll,
    announce,
    combat_dice,
    commit,
    counter_margin,
    dice_of,
    end_of_combat,
    filled,
    forced_to_defend,
    gain_of,
    hit_of,
    initiative_faces,
    needs_attack_test,
    next_turn,
    one_side_dead,
    other_side_strikes,
    spend,
    taken_by_feint,
    use_held,
    use_luck,
    with_first,
    with_gain,
    with_placed,
    without,
)
from reference.exhaustive import beaten_law, parry_law, wounding_law
from reference.feats import SIXES as SIX_ONLY
from reference.feats import amount, has, number, open_faces
from reference.rolls import Faces, Result, wants_opposed_reroll
from reference.state import (
    Combat,
    Position,
    alive,
    attack_value,
    beginning,
    change,
    defence_value,
    initiative_value,
    living,
    side_of,
)

SIXES = 16
DICE = (1, 2, 3, 4, 5)
ZERO, ONE = Fraction(0), Fraction(1)
BEST = "best"
FAR_BELOW = -(10**6)  # the result of a test that a rule failed

Score = Callable[[tuple[Wounds, ...]], Fraction]
Choices = frozenset[str]  # names of fields of ``Policy``
EVERY: Choices = frozenset(
    (
        "placement",
        "initiative",
        "strike_order",
        "target",
        "parry",
        "sustain",
        "reroll_attack",
        "reroll_defence",
        "reroll_initiative",
    )
)
FEATS: Choices = frozenset(("fury", "chain", "master", "held", "feint", "luck"))  # W-7
NOTHING: Choices = frozenset()


def best_of(side: int, values: Iterable[Fraction]) -> Fraction:
    """What a side makes of its choices."""
    return max(values) if side == 0 else min(values)


# --- a die and its chain (W-1.2, W-1.3) -------------------------------------------------


class Chain(NamedTuple):
    """A die with its re-rolls: natural result, whether it shows a 6, whether a rule failed it."""

    natural: int
    open: bool = False
    failed: bool = False


def first_faces(book: Book, open_to: Faces = SIX_ONLY) -> list[Chain]:
    """What a first die may show, each with 1/6."""
    one = Chain(1, failed=book.natural_one_fails)
    return [one, *(Chain(die, die in open_to) for die in (*DICE[1:], 6))]


def faces_after(book: Book, chain: Chain, open_to: Faces = SIX_ONLY) -> list[Chain]:
    """What the re-roll of a 6 may lead to, each with 1/6."""
    one = {
        "reset": Chain(1),
        "add": Chain(chain.natural + 1),
        "fail": Chain(1, failed=True),
    }[book.reroll_one]
    return [one, *(Chain(chain.natural + die, die in open_to) for die in (*DICE[1:], 6))]


# --- the defence test (C-6.4, W-1.4) ----------------------------------------------------

LOW, ENOUGH = -1, -2  # a die that is closed; 0, 1, 2, ... are open dice: 6s shown less one


@cache
def chance_to_parry(book: Book, dice: int, goal: int, wanted: bool) -> Fraction:
    """Most, or least, that dice re-rolled at will can do to reach a natural result (W-1.4).

    Every open 6 may be re-rolled, in any order, each starting a chain of its own; in
    editions of one chain, one 6 only, again and again.
    """
    choose = max if wanted else min

    def closed(chain: Chain) -> int:
        if chain.failed or chain.natural < goal:
            return LOW
        return ENOUGH

    def code(chain: Chain) -> int:
        """An open 6 that is enough stays so, however many come after it."""
        if not chain.open:
            return closed(chain)
        return min(chain.natural, 6 * max(1, -(-goal // 6))) // 6 - 1

    @cache
    def worth(shown: tuple[int, ...], last: int | None) -> Fraction:
        """Chance to parry from here; ``last`` is the die that one chain is bound to."""
        if ENOUGH in shown:
            return ONE
        naturals = [6 * (die + 1) for die in shown if die >= 0]
        kept = ONE if any(natural >= goal for natural in naturals) else ZERO
        choices = [kept]
        for k, die in enumerate(shown):
            if die < 0 or (last is not None and last != k):
                continue
            bound = k if book.many_dice == "one_chain" else None
            six = Chain(6 * (die + 1), open=True)
            if 6 * (die + 1) >= 6 * SIXES:
                continue
            *ends, again = (put(shown, k, code(face)) for face in faces_after(book, six))
            total = sum((worth(*follow(end, bound)) for end in ends), ZERO)
            if again == shown and bound == last:
                choices.append(total / 5)  # re-rolled until it is no 6
            else:
                choices.append((total + worth(*follow(again, bound))) / 6)
        return choose(choices)

    def follow(shown: tuple[int, ...], bound: int | None) -> tuple[tuple[int, ...], int | None]:
        """Equal positions alike: without a bound die, the order does not matter."""
        return (tuple(sorted(shown)), None) if bound is None else (shown, bound)

    def put(shown: tuple[int, ...], k: int, die: int) -> tuple[int, ...]:
        return (*shown[:k], die, *shown[k + 1 :])

    def rolled(shown: tuple[int, ...]) -> Fraction:
        if len(shown) == dice:
            return worth(*follow(shown, None))
        total = sum((rolled((*shown, code(face))) for face in first_faces(book)), ZERO)
        return total / 6

    return rolled(())


Degrees = tuple[Fraction, Fraction, Fraction]  # worth if it fails, parries, counter-attacks


@cache
def best_parry(
    book: Book, dice: int, needs: tuple[int, int], open_to: Faces, worths: Degrees, most: bool
) -> Fraction:
    """What a defence test is worth to who re-rolls at will; ``needs`` are two natural results.

    With the first one it parries, with the second it counter-attacks as well. At most ``SIXES``
    dice are re-rolled.
    """
    choose = max if most else min
    top = max(needs)

    def degree(chain: Chain) -> int:
        if chain.failed or chain.natural < needs[0]:
            return 0
        return 1 + (chain.natural >= needs[1])

    def lying(chain: Chain) -> Chain:
        """Chains alike as one: what is more than enough, and closed dice as good as each other."""
        if chain.open:
            return chain._replace(natural=min(chain.natural, top))
        return Chain(degree(chain) - 3)  # a number below all naturals stands for the degree

    def good(chain: Chain) -> int:
        return degree(chain) if chain.open else chain.natural + 3

    @cache
    def worth(shown: tuple[Chain, ...], bound: int | None, left: int) -> Fraction:
        values = [worths[max(good(chain) for chain in shown)]]
        for k, chain in enumerate(shown):
            if not chain.open or left == 0 or bound not in (None, k):
                continue
            now = k if book.many_dice == "one_chain" else None
            after = [lying(face) for face in faces_after(book, chain, open_to)]
            total = [
                worth(*follow((*shown[:k], face, *shown[k + 1 :]), now), left - 1) for face in after
            ]
            values.append(sum(total, ZERO) / 6)
        return choose(values)

    def follow(shown: tuple[Chain, ...], bound: int | None) -> tuple[tuple[Chain, ...], int | None]:
        return (tuple(sorted(shown)), None) if bound is None else (shown, bound)

    def rolled(shown: tuple[Chain, ...]) -> Fraction:
        if len(shown) == dice:
            return worth(*follow(shown, None), SIXES)
        faces = first_faces(book, open_to)
        return sum((rolled((*shown, lying(face))) for face in faces), ZERO) / 6

    return rolled(())


# --- the opposed test (C-4, W-1.5) ------------------------------------------------------


class Roll(NamedTuple):
    """Chances that the lone fighter's side wins a roll-off, and that it is a tie."""

    wins: Fraction
    ties: Fraction


def mean(rolls: Iterable[Roll]) -> Roll:
    listed = list(rolls)
    count = len(listed)
    return Roll(sum(r.wins for r in listed) / count, sum(r.ties for r in listed) / count)


def roll_off(
    book: Book,
    chooser: int,
    rerolls: tuple[str, str],
    characteristics: tuple[int, int],
    wants: int,
    tie: Fraction,
) -> Roll:
    """One roll-off, a tie being worth ``tie``; ``wants`` is the side that wants to strike first.

    Both roll; the side behind is asked about its 6 (equal: the one that did not choose the
    combat), then the other, until neither wants to. A side re-rolls by name, or as is best.
    """

    def worth(roll: Roll) -> Fraction:
        return roll.wins + roll.ties * tie

    def result(chain: Chain, side: int) -> int:
        return FAR_BELOW if chain.failed else chain.natural + characteristics[side]

    @cache
    def play(one: Chain, other: Chain) -> Roll:
        results = result(one, 0), result(other, 1)
        behind = 1 - chooser
        if results[0] != results[1]:
            behind = 0 if results[0] < results[1] else 1
        return asked((one, other), results, (behind, 1 - behind))

    def asked(
        chains: tuple[Chain, Chain], results: tuple[int, int], sides: tuple[int, ...]
    ) -> Roll:
        if not sides:
            return Roll(Fraction(results[0] > results[1]), Fraction(results[0] == results[1]))
        side, *others = sides
        declined = asked(chains, results, tuple(others))
        if not chains[side].open or sum(chain.natural // 6 for chain in chains) > SIXES:
            return declined
        named = rerolls[side] != BEST
        if named and not wants_opposed_reroll(rerolls[side], results[side], results[1 - side], [6]):
            return declined
        faces = faces_after(book, chains[side])
        rolled = mean(play(f, chains[1]) if side == 0 else play(chains[0], f) for f in faces)
        if named:
            return rolled
        gain = worth(rolled) - worth(declined)
        return rolled if (gain > 0 if side == wants else gain < 0) else declined

    faces = first_faces(book)
    return mean(play(one, other) for one in faces for other in faces)


@cache
def chance_of_first_strike(
    book: Book, chooser: int, rerolls: tuple[str, str], lead: int, wants: int
) -> Fraction:
    """Chance that the lone fighter's side strikes first, by how far his INI leads (C-4.3)."""
    characteristics = lead, 0
    known = None
    if book.opposed_tie == "coin":
        known = Fraction(1, 2)
    elif book.opposed_tie == "first":
        known = Fraction(chooser == 0)
    elif book.opposed_tie == "higher_characteristic" and lead != 0:
        known = Fraction(lead > 0)
    if known is not None:
        wins, ties = roll_off(book, chooser, rerolls, characteristics, wants, known)
        return wins + ties * known
    tie = Fraction(1, 2)
    for _ in range(20):
        wins, ties = roll_off(book, chooser, rerolls, characteristics, wants, tie)
        if wins + ties * tie == tie:
            return tie
        tie = wins / (1 - ties)
    raise AssertionError("no worth of a tie is what the roll-off gives back")


# --- the combat -------------------------------------------------------------------------


class Game:
    """One combat, its score, and the decisions left open to each side."""

    def __init__(self, combat: Combat, score: Score, best: tuple[Choices, Choices]):
        self.combat, self.score, self.best = combat, score, best
        self.passes: dict[Position, Fraction] = {}
        self.turns: dict[Position, Fraction] = {}
        self.known: dict[tuple[Position, Blow], Degrees] = {}

    def is_open(self, side: int, decision: str) -> bool:
        return decision in self.best[side]

    def value(self) -> Fraction:
        """What the combat is worth to side 0."""
        return self.turn(beginning(self.combat))

    def turn(self, position: Position) -> Fraction:
        """A turn, from the placing of dice on (C-3)."""
        if position not in self.turns:
            self.turns[position] = self.place(position, placing_order(self.combat), set())
        return self.turns[position]

    def end(self, position: Position) -> Fraction:
        """The end of a turn's combat."""
        position = end_of_combat(position)
        if one_side_dead(position) or position.turn + 1 == self.combat.turns:
            return self.score(position.wounds)
        return self.turn(replace(next_turn(position), opening=-1))

    def place(self, position: Position, order: list[int], placed: set[int]) -> Fraction:
        """Everybody alive places his dice, one after the other (C-3.2)."""
        if one_side_dead(position):
            return self.end(position)
        if not order:
            return self.initiative(position)
        i, *rest = order
        if not alive(position, i):
            return self.place(position, rest, placed)
        values = [
            self.place(with_placed(self.combat, position, i, dice), rest, placed | {i})
            for dice in self.placements(position, i, placed)
        ]
        return best_of(side_of(i), values)

    def placements(self, position: Position, i: int, placed: set[int]) -> list[Placed]:
        """Every way in which he may place his dice: chains, splits, fury."""
        combat, fighter, side = self.combat, self.combat.fighters[i], side_of(i)
        if forced_to_defend(combat, position, i):
            return [dice_of(combat, position, i, placed)]
        dice = combat_dice(combat, position, i)
        held = min(amount(fighter, "hold_back", "held_dice"), dice)
        chains = [chained(combat, i)]
        if self.is_open(side, "chain"):
            chains = list(range(amount(fighter, "chain", "chain_dice") + 1))
        found = []
        for chain in chains:
            to_place = dice - held + chain
            splits = [split(combat, position, i, to_place, placed)]
            if self.is_open(side, "placement") and fighter.placed is None:
                splits = [(attack, to_place - attack) for attack in range(to_place + 1)]
            for attack, defence in splits:
                declares = [rages(combat, i, all_attack=attack == to_place)]
                if self.is_open(side, "fury"):
                    declares = [False, True] if may_rage(fighter) else [False]
                way = Placed(attack, defence, held, chain)
                found += [filled(combat, position, i, way, rage) for rage in declares]
        return found

    def initiative(self, position: Position) -> Fraction:
        """Who tests for the several, and the test (C-4)."""
        combat = self.combat
        testers = [initiative_fighter(combat, position, 1)]
        if self.is_open(1, "initiative"):
            testers = living(position, 1)
        bonus = combat.book.numbers_bonus * (len(living(position, 1)) - 1)
        own = initiative_value(combat, position, 0)
        values = []
        for i in testers:
            test = InitiativeTest(i, (own, initiative_value(combat, position, i) + bonus))
            values.append(self.test_initiative(position, test))
        return best_of(1, values)

    def test_initiative(self, position: Position, test: InitiativeTest) -> Fraction:
        """The Initiative test of two fighters."""
        lucky = any(self.has_luck(position, i) for i in (0, test.other))
        if lucky or initiative_faces(self.combat, test) != (SIX_ONLY, SIX_ONLY):
            return RollOff(self, position, test).value()
        worths = [self.strike_next(with_first(position, side)) for side in (0, 1)]
        lead = test.characteristics[0] - test.characteristics[1]
        chance = self.chance_of_first(lead, 0 if worths[0] >= worths[1] else 1)
        return chance * worths[0] + (1 - chance) * worths[1]

    def has_luck(self, position: Position, i: int) -> bool:
        """Whether he has luck that he may use."""
        fixed = policy_of(self.combat, i).luck == "useful"
        return position.luck[i] > 0 and (fixed or self.is_open(side_of(i), "luck"))

    def luck_of(self, i: int, useful: bool, kept: Fraction, again: Fraction) -> Fraction:
        """What he makes of a test that he has luck for: as it is, or again."""
        if self.is_open(side_of(i), "luck"):
            return best_of(side_of(i), [kept, again])
        return again if useful else kept

    def rerolls(self) -> tuple[str, str]:
        """How each side re-rolls in initiative."""
        one, two = (
            BEST if self.is_open(side, "reroll_initiative") else policy.reroll_initiative
            for side, policy in enumerate(self.combat.policies)
        )
        return one, two

    def chance_of_first(self, lead: int, wants: int) -> Fraction:
        book, chooser = self.combat.book, self.combat.chooser
        return chance_of_first_strike(book, chooser, self.rerolls(), lead, wants)

    def strike_next(self, position: Position) -> Fraction:
        """The rest of a turn's combat, before an attack is named (C-5)."""
        if position not in self.passes:
            self.passes[position] = self.name_attack(position)
        return self.passes[position]

    def holds(self, position: Position, i: int) -> bool:
        """Whether he has a held die, and it is open to him what he does with it."""
        return position.held[i] > 0 and self.is_open(side_of(i), "held")

    def attacks_with(self, position: Position, i: int) -> list[bool]:
        """With which dice he may attack: False for one that is placed, True for a held one."""
        if not self.is_open(side_of(i), "held"):
            wants = wants_held_attack(self.combat, position, i)
            return [wants] if can_strike(self.combat, position, i) else []
        return [False] * (position.attack[i] > 0) + [True] * (position.held[i] > 0)

    def name_attack(self, position: Position) -> Fraction:
        combat, side = self.combat, position.striking
        everybody = living(position, 0) + living(position, 1)
        if one_side_dead(position) or not any(self.attacks_with(position, i) for i in everybody):
            return self.end(position)
        if side == 0:
            able = bool(self.attacks_with(position, 0))
            pairs = [(0, j) for j in living(position, 1) if able and not position.done[j]]
            if pairs and not self.is_open(0, "target"):
                pairs = [(0, next_target(combat, position, [j for _, j in pairs]))]
        else:
            ready = [i for i in living(position, 1) if self.attacks_with(position, i)]
            pairs = [(i, 0) for i in ready if not position.done[i]]
            if pairs and not self.is_open(1, "strike_order"):
                pairs = [(next_striker(combat, position, [i for i, _ in pairs]), 0)]
        if not pairs:
            return self.part_over(position)
        values = []
        for i, j in pairs:
            values += [
                self.strikes(position, i, j, held) for held in self.attacks_with(position, i)
            ]
            if position.attack[i] == 0 and self.holds(position, i):
                values.append(self.declines(position, i))
        return best_of(side, values)

    def declines(self, position: Position, i: int) -> Fraction:
        """He strikes no more in this part of the pass."""
        if i == 0:
            return self.part_over(position)
        return self.strike_next(change(position, i, done=True))

    def part_over(self, position: Position) -> Fraction:
        """The other side's part, or a new pass, unless nobody struck in the whole pass."""
        everybody = living(position, 0) + living(position, 1)
        last = position.striking != position.first
        if last and not position.struck and any(self.holds(position, i) for i in everybody):
            return self.end(position)
        return self.strike_next(
            replace(other_side_strikes(position), struck=position.struck and not last)
        )

    def strikes(self, position: Position, striker: int, target: int, held: bool) -> Fraction:
        """Target named, the dice of the attack used (C-5.2, C-6.1, W-7)."""
        combat, side = self.combat, side_of(striker)
        everybody = living(position, 0) + living(position, 1)
        if any(self.holds(position, i) for i in everybody):
            position = replace(position, struck=True)
        ways = [not held and masters(combat, position, striker, target)]
        if self.is_open(side, "master"):
            able = not held and may_master(combat, position, striker)
            ways = [False, True] if able else [False]
        values = []
        for master in ways:
            blow = Blow(striker, target, 0, held, master)
            values.append(self.defend(announce(combat, position, blow), blow))
        return best_of(side, values)

    def defend(self, position: Position, blow: Blow) -> Fraction:
        """Dice committed to the defence, placed and held ones (C-6.2, C-7)."""
        combat, target = self.combat, blow.target
        side = side_of(target)
        placed = [committed_dice(combat, position, target)]
        if self.is_open(side, "parry") and not position.sustained[target]:
            placed = list(range(position.defence[target] + 1))
        held = [int(commits_held(combat, position, target))]
        if self.is_open(side, "held"):
            held = list(range(position.held[target] + 1))
        values = []
        for one, other in product(placed, held):
            after = use_held(combat, position, target, defence=other)
            declared = blow._replace(committed=one + other, parried_held=other)
            declares = [sustains_now(combat, after, target, one + other)]
            if self.is_open(side, "sustain"):
                may = may_sustain(after, target, one + other)
                declares = [False, True] if may else [False]
            for sustains in declares:
                values.append(self.attack(commit(combat, after, declared, sustains), declared))
        return best_of(side, values)

    def attack(self, position: Position, blow: Blow) -> Fraction:
        """The attack test, the defence test, the wound roll (C-6.3 to C-6.5)."""
        if not needs_attack_test(self.combat, position, blow):
            return self.landed(position, blow)
        return self.attack_test(position, blow)

    def attack_test(self, position: Position, blow: Blow, again: bool = False) -> Fraction:
        """The attack test with its re-rolls, ``again`` by luck (C-6.3, W-7)."""
        combat, book = self.combat, self.combat.book
        striker, target, committed = blow[:3]
        side, policy = side_of(striker), policy_of(combat, striker)
        attack = attack_value(combat, position, striker, target)
        against = defence_value(combat, position, target, striker) if committed else None
        open_to = open_faces(combat.fighters[striker], Kind.ATTACK)
        lucky = not again and self.has_luck(position, striker)
        second = ZERO
        if lucky:
            second = self.attack_test(use_luck(position, striker), blow, again=True)

        def resolved(natural: int, passed: bool) -> Fraction:
            if not passed:
                return self.strike_next(position)
            if committed == 0:
                return self.landed(position, blow)
            return self.parry(position, blow, natural + attack)

        def kept(chain: Chain) -> Fraction:
            result = chain.natural + attack
            passed = not chain.failed and result > book.automatic_failure
            value = resolved(chain.natural, passed)
            if not lucky:
                return value
            poor = poor_attack(Result(chain.natural, result, passed), committed)
            return self.luck_of(striker, poor, value, second)

        @cache
        def decided(chain: Chain) -> Fraction:
            if not chain.open or chain.natural >= 6 * SIXES:
                return kept(chain)
            if self.is_open(side, "reroll_attack"):
                return best_of(side, [kept(chain), rolled(faces_after(book, chain, open_to))])
            if wants_attack_reroll(book, policy, chain.natural, attack, against):
                return rolled(faces_after(book, chain, open_to))
            return kept(chain)

        def rolled(faces: list[Chain]) -> Fraction:
            return sum((decided(face) for face in faces), ZERO) / 6

        return rolled(first_faces(book, open_to))

    def parry(self, position: Position, blow: Blow, result: int) -> Fraction:
        """The defence test, and once more by luck (C-6.4, W-7)."""
        target = blow.target
        lands, parries, counters = self.degrees(position, blow)
        if self.has_luck(position, target):
            after = use_luck(position, target)
            again = self.defence_test(after, blow, self.degrees(after, blow), result)
            lands = self.luck_of(target, True, lands, again)
            parries = self.luck_of(target, False, parries, again)
            counters = self.luck_of(target, False, counters, again)
        return self.defence_test(position, blow, (lands, parries, counters), result)

    def degrees(self, position: Position, blow: Blow) -> Degrees:
        """What an attack that lands, a parry and a parry that counter-attacks are worth."""
        if (position, blow) not in self.known:
            combat, spent = self.combat, spend(position, blow)
            lands, gains = self.landed(spent, blow), []
            margin = counter_margin(combat, position, blow)
            for counters in (False, margin is not None):
                gain = gain_of(combat, position, blow, counters)
                gains.append(self.strike_next(with_gain(spent, blow.target, gain)))
            self.known[position, blow] = lands, gains[0], gains[1]
        return self.known[position, blow]

    def defence_test(
        self, position: Position, blow: Blow, worths: Degrees, result: int
    ) -> Fraction:
        """What a defence test against an attack's result is worth (C-6.4)."""
        combat, book, target = self.combat, self.combat.book, blow.target
        lands, parries, counters = worths
        defence = defence_value(combat, position, target, blow.striker)
        margin = counter_margin(combat, position, blow)
        side, open_to = side_of(target), open_faces(combat.fighters[target], Kind.DEFENCE)
        if self.is_open(side, "reroll_defence"):
            need = result - defence
            if parries == counters and open_to == SIX_ONLY:
                wanted = parries >= lands if side == 0 else parries <= lands
                chance = chance_to_parry(book, blow.committed, need, wanted)
                return lands + chance * (parries - lands)
            needs = need, need + (margin or 0)
            return best_parry(book, blow.committed, needs, open_to, worths, side == 0)
        test = (book, policy_of(combat, target).reroll_defence, blow.committed, defence, result)
        if margin is None:
            parry = parry_law(*test, open_to=open_to).masses
            return lands + parry.get(True, ZERO) * (parries - lands)
        beaten = beaten_law(*test, margin, open_to=open_to).masses
        gain = beaten.get(False, ZERO) * (parries - lands)
        return lands + gain + beaten.get(True, ZERO) * (counters - lands)

    def landed(self, position: Position, blow: Blow) -> Fraction:
        """A feint, or the wound roll of an attack that landed (C-6.5 to C-6.7, W-7)."""
        combat, striker, target = self.combat, blow.striker, blow.target
        able = has(combat.fighters[striker], "feint") and dice_left(position, target) > 0
        if able and self.is_open(side_of(striker), "feint"):
            values = [self.wound_roll(position, blow)]
            values += [
                self.strike_next(without(combat, position, target, taken))
                for taken in self.takings(position, blow)
            ]
            return best_of(side_of(striker), values)
        if feints(combat, position, striker, target):
            taken = taken_by_feint(combat, position, blow)
            return self.strike_next(without(combat, position, target, taken))
        return self.wound_roll(position, blow)

    def takings(self, position: Position, blow: Blow) -> list[tuple[int, int, int]]:
        """Which dice a feint may take."""
        target = blow.target
        most = number(self.combat.fighters[blow.striker], "feint_dice")
        most = min(most, dice_left(position, target))
        kinds = (position.attack[target], position.defence[target], position.held[target])
        return [
            (attack, defence, held)
            for attack, defence, held in product(*(range(dice + 1) for dice in kinds))
            if attack + defence + held == most
        ]

    def wound_roll(self, position: Position, blow: Blow) -> Fraction:
        """The wound roll, and what comes after."""
        combat = self.combat
        law = wounding_law(combat.book, hit_of(combat, position, blow))
        return sum(
            (
                mass * self.strike_next(after_wound_roll(combat, position, blow, rolled))
                for rolled, mass in law.masses.items()
            ),
            ZERO,
        )


# --- initiative with abilities (W-7) ----------------------------------------------------


class Worth(NamedTuple):
    """A worth that hangs on what a tie, rolled again, is worth."""

    sure: Fraction
    ties: Fraction = ZERO


def mean_worth(worths: Iterable[Worth]) -> Worth:
    listed = list(worths)
    count = len(listed)
    return Worth(sum((w.sure for w in listed), ZERO) / count, sum(w.ties for w in listed) / count)


Luck = tuple[int, int]


class RollOff:
    """The Initiative test of two fighters with luck, or whose 5s are open, or whose 6s are not."""

    def __init__(self, game: Game, position: Position, test: InitiativeTest):
        self.game, self.position, self.test = game, position, test
        self.testers = (0, test.other)
        self.open_to = initiative_faces(game.combat, test)
        self.rerolls = game.rerolls()
        self.known: dict[Luck, Fraction] = {}

    def value(self) -> Fraction:
        return self.contest(self.luck_before())

    def luck_before(self) -> Luck:
        """Luck of both testers that they may use."""
        one, two = (
            self.position.luck[i] if self.game.has_luck(self.position, i) else 0
            for i in self.testers
        )
        return one, two

    def first(self, side: int, spent: Luck) -> Fraction:
        """What it is worth that a side strikes first, so much luck being spent."""
        position = self.position
        for i, luck in zip(self.testers, spent, strict=True):
            position = change(position, i, luck=position.luck[i] - luck)
        return self.game.strike_next(with_first(position, side))

    def contest(self, luck: Luck) -> Fraction:
        """Roll-offs from this luck on: what a tie is worth is what the roll-off gives back."""
        if luck not in self.known:
            tie = self.first(0, (0, 0))
            for _ in range(40):
                sure, ties = Once(self, luck, tie).roll()
                if sure + ties * tie == tie:
                    break
                tie = sure / (1 - ties)
            else:
                raise AssertionError("no worth of a tie is what the roll-off gives back")
            self.known[luck] = tie
        return self.known[luck]


class Once:
    """One roll-off, a tie being worth so much."""

    def __init__(self, contest: RollOff, luck: Luck, tie: Fraction):
        self.contest, self.luck, self.tie_worth = contest, luck, tie
        self.book = contest.game.combat.book
        self.play, self.after = cache(self._play), cache(self._after)
        self.tried = cache(self._tried)

    def worth(self, worth: Worth) -> Fraction:
        return worth.sure + worth.ties * self.tie_worth

    def best(self, side: int, worths: list[Worth]) -> Worth:
        return (max if side == 0 else min)(worths, key=self.worth)

    def result(self, chain: Chain, side: int) -> int:
        return (
            FAR_BELOW if chain.failed else chain.natural + self.contest.test.characteristics[side]
        )

    def first_faces(self, side: int) -> list[Chain]:
        return first_faces(self.book, self.contest.open_to[side])

    def roll(self) -> Worth:
        return mean_worth(
            self.play(one, other) for one in self.first_faces(0) for other in self.first_faces(1)
        )

    def _play(self, one: Chain, other: Chain) -> Worth:
        results = self.result(one, 0), self.result(other, 1)
        behind = 1 - self.contest.game.combat.chooser
        if results[0] != results[1]:
            behind = 0 if results[0] < results[1] else 1
        return self.asked((one, other), results, (behind, 1 - behind))

    def asked(
        self, chains: tuple[Chain, Chain], results: tuple[int, int], sides: tuple[int, ...]
    ) -> Worth:
        if not sides:
            return self.after(results, self.luck)
        side, *others = sides
        declined = self.asked(chains, results, tuple(others))
        if not self.may_go_on(chains[side]) or not self.wants(side, results):
            return declined
        faces = faces_after(self.book, chains[side], self.contest.open_to[side])
        rolled = mean_worth(
            self.play(face, chains[1]) if side == 0 else self.play(chains[0], face)
            for face in faces
        )
        return self.chosen(side, declined, rolled)

    def may_go_on(self, chain: Chain) -> bool:
        return chain.open and chain.natural < 6 * SIXES

    def wants(self, side: int, results: tuple[int, int]) -> bool:
        """Whether a side may re-roll, and by its policy does."""
        reroll = self.contest.rerolls[side]
        own, other = results[side], results[1 - side]
        return reroll == BEST or wants_opposed_reroll(reroll, own, other, [6])

    def chosen(self, side: int, declined: Worth, rolled: Worth) -> Worth:
        if self.contest.rerolls[side] != BEST:
            return rolled
        return self.best(side, [declined, rolled])

    def _after(self, results: tuple[int, int], luck: Luck) -> Worth:
        """The roll-off with these results: who is behind may have luck (Chance)."""
        if results[0] == results[1]:
            return self.tie(luck)
        behind = 0 if results[0] < results[1] else 1
        kept = Worth(self.contest.first(1 - behind, self.spent(luck)))
        if luck[behind] == 0:
            return kept
        left = (luck[0] - 1, luck[1]) if behind == 0 else (luck[0], luck[1] - 1)
        again = mean_worth(
            self.tried(face, behind, results[1 - behind], left) for face in self.first_faces(behind)
        )
        if self.contest.game.is_open(behind, "luck"):
            return self.best(behind, [kept, again])
        return again

    def _tried(self, chain: Chain, side: int, standing: int, luck: Luck) -> Worth:
        """A side's test again, against the result that stands."""
        new = self.result(chain, side)
        results = (new, standing) if side == 0 else (standing, new)
        declined = self.after(results, luck)
        if not self.may_go_on(chain) or not self.wants(side, results):
            return declined
        faces = faces_after(self.book, chain, self.contest.open_to[side])
        rolled = mean_worth(self.tried(face, side, standing, luck) for face in faces)
        return self.chosen(side, declined, rolled)

    def spent(self, luck: Luck) -> Luck:
        one, two = self.contest.luck_before()
        return one - luck[0], two - luck[1]

    def tie(self, luck: Luck) -> Worth:
        """Equal results (C-4.3)."""
        first, values = self.contest.first, self.contest.test.characteristics
        combat, spent = self.contest.game.combat, self.spent(luck)
        if self.book.opposed_tie == "coin":
            return Worth((first(0, spent) + first(1, spent)) / 2)
        if self.book.opposed_tie == "first":
            return Worth(first(combat.chooser, spent))
        if self.book.opposed_tie == "higher_characteristic" and values[0] != values[1]:
            return Worth(first(0 if values[0] > values[1] else 1, spent))
        if luck == self.luck:
            return Worth(ZERO, ONE)
        return Worth(self.contest.contest(luck))
