"""A combat played by the rules, die by die, with a log.

``play(combat, tape)`` returns the final position and the log. The log's rows are tuples
of nine integers, in the format of ``kernels/layout/log.py``; where that page leaves a choice:

* DIE: written as each die is rolled, before the row that sums it up. roller and other
  are, for an attack die and the wound dice, striker and target; for a defence die the
  target and the striker; in initiative the side's tester and the other tester (the
  coin: the lone fighter and the other tester). The third column is the pass, or the
  roll-off.
* INITIATIVE: one row a roll-off; results as numbers compared; a coin's winner stands in
  the row of the roll-off that it decides.
* STRIKE: committed = number of defence dice; sustained = 1 when this parry is a sustained
  one, declared now or before; defended = 1 when any die is committed; last column: 1 for an
  attack with a held die, 2 for a master stroke (W-7).
* ATTACK: natural and result also of a test that failed. A test failed by a rule (a 1 in
  some editions) has natural 1 and result ``FAILED``; the same in PARRY and INITIATIVE.
* PARRY: natural and result of the die that counts (the best result, first listed).
* WOUND: outcome 0..5 for - St L S C K, location = the lower die 1..6, row = higher die +
  FOR - RES (also for a double 6), state after = 2 * level + stunned, 8 = dead.
* PLACE: living fighters only; last column: dice held back. END: after each turn's combat,
  whatever ended it.
* FEAT: an ability was used (W-7): whose, against whom, its effect, three numbers; -1 for
  nobody. The die of survival is the target's, that of poison the striker's.

Readings: a sustained defence that is declared stands (with its -2) even if the attack
then fails automatically (C-7.6); initiative is tested even if no attack die was placed;
stunned is removed between turns, so a final position still has it. A held die that is used
in defence is a defence die from then on: it is still there after an automatic failure.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from estoc.kernels.layout.abilities import Roll as Kind
from reference.book import DEAD, OUTCOMES, Wounds, maintain, suffer
from reference.choices import (
    can_go_on,
    can_strike,
    chained,
    commits_held,
    committed_dice,
    feints,
    initiative_fighter,
    masters,
    next_striker,
    next_target,
    placing_order,
    policy_of,
    poor_attack,
    rages,
    split,
    sustains_now,
    tries_luck,
    wants_attack_reroll,
    wants_held_attack,
)
from reference.feats import CODES, amount, has, number, open_faces
from reference.rolls import ATTACK as ATTACK_SLOT
from reference.rolls import (
    COIN,
    DEFENCE,
    LONE,
    LUCKY,
    LUCKY_ROLL_OFF,
    SURVIVAL,
    Faces,
    Opposed,
    Result,
    Roll,
    attack_can_fail,
    attack_test,
    defence_test,
    opposed_test,
    opposed_winner,
    rolled_again,
)
from reference.rolls import WOUND as WOUND_SLOT
from reference.state import (
    Combat,
    Fighter,
    Position,
    alive,
    attack_value,
    bare,
    beginning,
    change,
    current,
    defence_value,
    enemies,
    initiative_value,
    living,
    matters,
    strength_value,
)
from reference.tape import Address, Tape
from reference.wounding import Hit, Wounding, wound_test

PLACE, DIE, INITIATIVE, STRIKE, ATTACK, PARRY, WOUND, END, FEAT = range(9)
Row = tuple[int, int, int, int, int, int, int, int, int]
Log = list[Row]


class Blow(NamedTuple):
    """An attack after its first two steps: target named, dice committed (C-6.1, C-6.2)."""

    striker: int
    target: int
    committed: int
    held: bool = False  # the attack die is one that was held back
    master: bool = False
    parried_held: int = 0  # of the dice committed, those that were held back


class InitiativeTest(NamedTuple):
    """An Initiative test: who tests for the other side, with what (C-4.1, C-4.2)."""

    other: int
    characteristics: tuple[int, int]


def use(
    log: Log,
    position: Position,
    effect: str,
    who: tuple[int, int],
    *numbers: int,
    roll_off: int = 0,
) -> None:
    """Log that an ability was used; in initiative in which roll-off."""
    x, y, z = (*numbers, 0, 0, 0)[:3]
    pass_or_roll_off = position.number + roll_off
    log.append((FEAT, position.turn, pass_or_roll_off, *who, CODES[effect], x, y, z))


# --- C-3: placing dice ----------------------------------------------------------------


class Placed(NamedTuple):
    """Dice of a fighter as he places them."""

    attack: int
    defence: int
    held: int = 0
    chain: int = 0
    rage: int = 0  # dice of fury


def combat_dice(combat: Combat, position: Position, i: int) -> int:
    """Number of combat dice of a fighter (C-3.1), Tueur né included."""
    book = combat.book
    dice = book.dice_base + book.dice_per_enemy * len(enemies(position, i))
    return dice + amount(combat.fighters[i], "extra_dice")


def forced_to_defend(combat: Combat, position: Position, i: int) -> bool:
    """Whether all his dice are in defence (C-3.6)."""
    return combat.fighters[i].all_defence and position.turn == 0


def charges(combat: Combat, position: Position, i: int) -> bool:
    """Whether it is the combat after his charge."""
    return combat.fighters[i].charging and position.turn == 0


def filled(
    combat: Combat, position: Position, i: int, placed: Placed, rage: bool = False
) -> Placed:
    """What fury and a charge make of the dice placed."""
    fighter = combat.fighters[i]
    if rage:
        dice = number(fighter, "fury_dice")
        attack = placed.attack + placed.defence + placed.held + dice
        placed = placed._replace(attack=attack, defence=0, held=0, rage=dice)
    if charges(combat, position, i):
        placed = placed._replace(attack=placed.attack + amount(fighter, "charge_dice"))
    return placed


def dice_of(combat: Combat, position: Position, i: int, placed: set[int]) -> Placed:
    """How he places his dice by his policy (C-3.1, W-7)."""
    dice = combat_dice(combat, position, i)
    if forced_to_defend(combat, position, i):
        return Placed(0, dice)
    held = min(amount(combat.fighters[i], "hold_back", "held_dice"), dice)
    chain = chained(combat, i)
    to_place = dice - held + chain
    attack, defence = split(combat, position, i, to_place, placed)
    rage = rages(combat, i, all_attack=attack == to_place)
    return filled(combat, position, i, Placed(attack, defence, held, chain), rage)


def counts_all_attack(fighter: Fighter) -> bool:
    """Whether it matters to him that all his dice are in attack."""
    return matters(fighter, "all_attack_result", "all_attack_wound")


def with_placed(combat: Combat, position: Position, i: int, placed: Placed) -> Position:
    """The position with his dice placed, and with what is new in each turn."""
    fighter, (attack, defence, held, chain, _) = combat.fighters[i], placed
    fresh = charges(combat, position, i) and has(fighter, "wound_dice")
    position = change(position, i, attack=attack, defence=defence, held=held, chain=chain)
    position = change(position, i, luck=amount(fighter, "luck", "luck_tests"), fresh=fresh)
    return allotted(combat, position, i, attack, defence)


def allotted(combat: Combat, position: Position, i: int, attack: int, defence: int) -> Position:
    """What follows from the dice that he has put to attack and to defence (C-7.1, W-7).

    While he holds dice back they are kept count of; then it is settled.
    """
    holds = position.held[i] > 0
    all_attack = not holds and defence == 0 and attack > 0
    return change(
        position,
        i,
        used=(attack, defence) if holds else (0, 0),
        may_sustain=defence >= attack,
        all_attack=all_attack and counts_all_attack(combat.fighters[i]),
    )


def use_held(
    combat: Combat, position: Position, i: int, attack: int = 0, defence: int = 0, lost: int = 0
) -> Position:
    """Held dice are put to attack or to defence, or lost."""
    if attack + defence + lost == 0:
        return position
    put = position.used[i][0] + attack, position.used[i][1] + defence
    position = change(position, i, held=position.held[i] - attack - defence - lost)
    position = change(position, i, defence=position.defence[i] + defence)
    return allotted(combat, position, i, *put)


def place_dice(combat: Combat, position: Position, log: Log) -> Position:
    """Everybody alive places his dice, one after the other (C-3.2)."""
    seen: set[int] = set()
    for i in placing_order(combat):
        if not alive(position, i):
            continue
        placed = dice_of(combat, position, i, seen)
        position = with_placed(combat, position, i, placed)
        seen.add(i)
        if placed.rage > 0:
            use(log, position, "fury", (i, -1), placed.rage)
        if placed.chain > 0:
            use(log, position, "chain", (i, -1), placed.chain)
        log.append((PLACE, position.turn, 0, i, -1, 0, placed.attack, placed.defence, placed.held))
    return position


# --- C-4: initiative ------------------------------------------------------------------


def initiative_values(combat: Combat, position: Position) -> InitiativeTest:
    """The Initiative test to make: INI + bonus for additional living friends (C-4.2)."""
    values = []
    for side in (0, 1):
        chosen = initiative_fighter(combat, position, side)
        bonus = combat.book.numbers_bonus * (len(living(position, side)) - 1)
        values.append(initiative_value(combat, position, chosen) + bonus)
    return InitiativeTest(initiative_fighter(combat, position, 1), (values[0], values[1]))


def roll_off(combat: Combat, test: InitiativeTest, roll: Roll) -> Opposed:
    """One opposed Initiative test (C-4.1)."""
    rerolls = (combat.policies[0].reroll_initiative, combat.policies[1].reroll_initiative)
    faces = initiative_faces(combat, test)
    return opposed_test(combat.book, roll, test.characteristics, rerolls, combat.chooser, faces)


def initiative_faces(combat: Combat, test: InitiativeTest) -> tuple[Faces, Faces]:
    """Faces of each side's die that may be re-rolled (W-1.2)."""
    lone, other = combat.fighters[0], combat.fighters[test.other]
    return open_faces(lone, Kind.INITIATIVE), open_faces(other, Kind.INITIATIVE)


def lucky_side(
    combat: Combat, position: Position, test: InitiativeTest, results: tuple[int, int]
) -> int | None:
    """The side that rolls its test again: it is behind, and its tester has luck (Chance)."""
    if results[0] == results[1]:
        return None
    behind = 0 if results[0] < results[1] else 1
    return behind if tries_luck(combat, position, (0, test.other)[behind]) else None


def lucky_roll_off(
    combat: Combat, test: InitiativeTest, side: int, standing: int, roll: Roll, slot: int
) -> int:
    """The result of a side that rolls its test again, the other's stands."""
    reroll = combat.policies[side].reroll_initiative
    value, faces = test.characteristics[side], initiative_faces(combat, test)[side]
    return rolled_again(combat.book, roll, slot, value, standing, reroll, faces)


def use_luck(position: Position, i: int) -> Position:
    return change(position, i, luck=position.luck[i] - 1)


def decided_by_luck(
    combat: Combat,
    position: Position,
    test: InitiativeTest,
    number: int,
    rolled: Opposed,
    roll: Roll,
    log: Log,
) -> tuple[Position, Opposed]:
    """A roll-off after all luck is used: whoever is behind may roll again."""
    times, results = [0, 0], rolled.results
    while (side := lucky_side(combat, position, test, results)) is not None:
        pair = ((0, test.other), (test.other, 0))[side]
        use(log, position, "luck", pair, side, results[side], roll_off=number)
        position = use_luck(position, pair[0])
        slot = LUCKY_ROLL_OFF + 2 * times[side] + side
        times[side] += 1
        new = lucky_roll_off(combat, test, side, results[1 - side], roll, slot)
        results = (new, results[1]) if side == 0 else (results[0], new)
    if times == [0, 0]:
        return position, rolled
    book, values = combat.book, test.characteristics
    return position, opposed_winner(book, roll, results, values, combat.chooser)


def with_first(position: Position, winner: int) -> Position:
    """The winner's side strikes first in every pass (C-5.1)."""
    opening = winner if position.turn == 0 else position.opening
    return replace(position, first=winner, striking=winner, opening=opening)


def initiative(combat: Combat, position: Position, tape: Tape, log: Log) -> Position:
    """Initiative test, equal results by the book (C-4.3)."""
    test = initiative_values(combat, position)
    number = 0
    while True:
        roll = initiative_dice(position.turn, number, test.other, tape, log)
        rolled = roll_off(combat, test, roll)
        position, rolled = decided_by_luck(combat, position, test, number, rolled, roll, log)
        winner, results = rolled
        log.append((INITIATIVE, position.turn, number, 0, test.other, winner, *results, 0))
        if winner != -1:
            return with_first(position, winner)
        number += 1


# --- C-5: passes of arms --------------------------------------------------------------


def next_pair(combat: Combat, position: Position) -> tuple[int, int] | None:
    """Striker and target of the next attack in this side's part of the pass."""
    if position.striking == 0:  # C-5.3
        targets = [j for j in living(position, 1) if not position.done[j]]
        if not can_strike(combat, position, 0) or not targets:
            return None
        return 0, next_target(combat, position, targets)
    strikers = [  # C-5.4
        i for i in living(position, 1) if can_strike(combat, position, i) and not position.done[i]
    ]
    if not strikers:
        return None
    return next_striker(combat, position, strikers), 0


def other_side_strikes(position: Position) -> Position:
    """The other side's part of the pass, or a new pass (C-5.1)."""
    nobody = (False,) * len(position.done)
    number = position.number + (1 if position.striking != position.first else 0)
    return replace(position, striking=1 - position.striking, number=number, done=nobody)


def announce(combat: Combat, position: Position, blow: Blow) -> Position:
    """Use the dice of an attack that is announced (C-5.2, W-7)."""
    striker, target = blow.striker, blow.target
    position = change(position, target if striker == 0 else striker, done=True)
    if blow.held:
        return use_held(combat, position, striker, attack=1)
    dice = number(combat.fighters[striker], "master_dice") if blow.master else 1
    return change(position, striker, attack=position.attack[striker] - dice)


def commit(combat: Combat, position: Position, blow: Blow, sustains: bool) -> Position:
    """Defence declared: held dice committed, a sustained one announced (C-6.2, C-7.6)."""
    if not sustains:
        return position
    return change(position, blow.target, sustained=True, free=blow.parried_held > 0)


def declare(combat: Combat, position: Position, striker: int, target: int) -> tuple[Position, Blow]:
    """Use an attack die, name the target, commit defence dice (C-5.2, C-6.1, C-6.2, C-7.6)."""
    held = wants_held_attack(combat, position, striker)
    master = not held and masters(combat, position, striker, target)
    blow = Blow(striker, target, 0, held, master)
    position = announce(combat, position, blow)
    if commits_held(combat, position, target):
        blow = blow._replace(committed=1, parried_held=1)
        position = use_held(combat, position, target, defence=1)
    else:
        blow = blow._replace(committed=committed_dice(combat, position, target))
    sustains = sustains_now(combat, position, target, blow.committed)
    return commit(combat, position, blow, sustains), blow


def next_blow(combat: Combat, position: Position) -> tuple[Position, Blow | None]:
    """The next attack, declared; None when this turn's combat is over (C-5.5)."""
    while can_go_on(combat, position):
        pair = next_pair(combat, position)
        if pair is not None:
            return declare(combat, position, *pair)
        position = other_side_strikes(position)
    return position, None


# --- C-6: an attack -------------------------------------------------------------------


def needs_attack_test(combat: Combat, position: Position, blow: Blow) -> bool:
    """Whether the attack die is rolled (C-6.5)."""
    if blow.committed > 0:
        return True
    return attack_can_fail(combat.book, attack_value(combat, position, blow.striker, blow.target))


def make_attack_test(
    combat: Combat, position: Position, blow: Blow, roll: Roll, slot: int = ATTACK_SLOT
) -> Result:
    """Attack test (C-6.3)."""
    attack = attack_value(combat, position, blow.striker, blow.target)
    defence = None
    if blow.committed > 0:
        defence = defence_value(combat, position, blow.target, blow.striker)
    policy = policy_of(combat, blow.striker)

    def wants(natural: int) -> bool:
        return wants_attack_reroll(combat.book, policy, natural, attack, defence)

    faces = open_faces(combat.fighters[blow.striker], Kind.ATTACK)
    return attack_test(combat.book, roll, attack, wants, faces, slot)


def make_defence_test(
    combat: Combat, position: Position, blow: Blow, difficulty: int, roll: Roll, slot: int = DEFENCE
) -> Result:
    """Defence test (C-6.4)."""
    defence = defence_value(combat, position, blow.target, blow.striker)
    reroll = policy_of(combat, blow.target).reroll_defence
    faces = open_faces(combat.fighters[blow.target], Kind.DEFENCE)
    book, committed = combat.book, blow.committed
    return defence_test(book, roll, committed, defence, difficulty, reroll, faces, slot)


def spend(position: Position, blow: Blow) -> Position:
    """Committed dice are lost (C-6.4), but for a sustained one (C-7.2)."""
    if position.sustained[blow.target]:
        return position
    return change(position, blow.target, defence=position.defence[blow.target] - blow.committed)


class Gain(NamedTuple):
    """Attack dice that a parry gives: of a counter-attack, and besides it."""

    counter: int = 0
    parry: int = 0


def counter_margin(combat: Combat, position: Position, blow: Blow) -> int | None:
    """By how much a parry counter-attacks; None if it cannot (C-7.4, W-7)."""
    fighter = combat.fighters[blow.target]
    if blow.held or position.sustained[blow.target] or not has(fighter, "counter_attack"):
        return None
    return number(fighter, "counter_margin")


def gain_of(combat: Combat, position: Position, blow: Blow, counters: bool) -> Gain:
    """What a parry gives; a sustained die gives nothing (C-7.4)."""
    fighter = combat.fighters[blow.target]
    if position.sustained[blow.target]:
        return Gain()
    counter = number(fighter, "counter_dice") if counters else 0
    return Gain(counter, amount(fighter, "parry_dice"))


def with_gain(position: Position, target: int, gain: Gain) -> Position:
    return change(position, target, attack=position.attack[target] + sum(gain))


def taken_by_feint(combat: Combat, position: Position, blow: Blow) -> tuple[int, int, int]:
    """Dice that a feint takes: attack dice first, then defence dice, then held ones."""
    left, taken = number(combat.fighters[blow.striker], "feint_dice"), []
    for dice in (position.attack, position.defence, position.held):
        taken.append(min(left, dice[blow.target]))
        left -= taken[-1]
    return taken[0], taken[1], taken[2]


def without(
    combat: Combat, position: Position, target: int, taken: tuple[int, int, int]
) -> Position:
    """The position once these attack, defence and held dice are taken."""
    attack = position.attack[target] - taken[0]
    defence = position.defence[target] - taken[1]
    position = change(position, target, attack=attack, defence=defence)
    if defence == 0:
        position = change(position, target, sustained=False, free=False)
    return use_held(combat, position, target, lost=taken[2])


def hit_of(combat: Combat, position: Position, blow: Blow) -> Hit:
    """The wound roll to make: with the current FOR against RES (C-6.5)."""
    striker, target = blow.striker, blow.target
    return Hit(
        combat.fighters[striker],
        combat.fighters[target],
        strength_value(combat, position, striker, blow.master),
        current(combat, position, target, "RES"),
        target in combat.fighters[striker].banes and has(combat.fighters[striker], "bane"),
        position.fresh[striker],
        position.all_attack[striker],
    )


def fights_on(combat: Combat, position: Position, target: int, outcome: str) -> bool:
    """Whether he would be killed now, and fights on (Acharné)."""
    if position.doomed[target] or not has(combat.fighters[target], "diehard"):
        return False
    return suffer(combat.book, position.wounds[target], outcome).dead


def wound(combat: Combat, position: Position, target: int, outcome: str) -> Position:
    """What the wound roll does; the dead lose all their dice at once (C-6.6)."""
    if position.doomed[target]:
        return position
    if fights_on(combat, position, target, outcome):
        level = min(number(combat.fighters[target], "diehard_level"), combat.book.killing - 1)
        return change(position, target, wounds=Wounds(level), doomed=True)
    wounds = suffer(combat.book, position.wounds[target], outcome)
    position = change(position, target, wounds=wounds)
    return buried(position, target) if wounds.dead else position


def buried(position: Position, i: int) -> Position:
    """The position with a dead fighter, who has no dice and no abilities any more."""
    return change(
        position,
        i,
        wounds=DEAD,
        attack=0,
        defence=0,
        may_sustain=False,
        sustained=False,
        held=0,
        used=(0, 0),
        all_attack=False,
        free=False,
        chain=0,
        luck=0,
        fresh=False,
        doomed=False,
    )


def after_wound_roll(combat: Combat, position: Position, blow: Blow, rolled: Wounding) -> Position:
    """The position after a wound roll, or after the die that cancelled it."""
    if rolled.survived:
        return position
    position = change(position, blow.striker, fresh=False)
    return wound(combat, position, blow.target, rolled.outcome)


def log_declared(combat: Combat, position: Position, blow: Blow, log: Log) -> None:
    """Rows of an attack as it is announced."""
    striker, target, committed = blow[:3]
    there, back = (striker, target), (target, striker)
    if blow.master:
        dice = number(combat.fighters[striker], "master_dice")
        use(log, position, "master_stroke", there, dice)
    if blow.held:
        use(log, position, "hold_back", there, 0)
    if blow.parried_held > 0:
        use(log, position, "hold_back", back, 1)
    sustained, defended = int(position.sustained[target]), int(committed > 0)
    numbers = (committed, sustained, defended, blow.held + 2 * blow.master)
    log.append((STRIKE, position.turn, position.number, striker, target, *numbers))


def attack_tested(
    combat: Combat, position: Position, blow: Blow, roll: Roll, log: Log
) -> tuple[Position, Result]:
    """The attack test, and once more by luck (C-6.3, W-7)."""
    striker, target = blow.striker, blow.target
    test = make_attack_test(combat, position, blow, roll)
    if tries_luck(combat, position, striker) and poor_attack(test, blow.committed):
        use(log, position, "luck", (striker, target), ATTACK_SLOT, test.result)
        position = use_luck(position, striker)
        test = make_attack_test(combat, position, blow, roll, LUCKY + ATTACK_SLOT)
    numbers = (0, test.natural, test.result, int(not test.passed))
    log.append((ATTACK, position.turn, position.number, striker, target, *numbers))
    return position, test


def defence_tested(
    combat: Combat, position: Position, blow: Blow, difficulty: int, roll: Roll, log: Log
) -> tuple[Position, Result]:
    """The defence test, and once more by luck (C-6.4, W-7)."""
    striker, target = blow.striker, blow.target
    test = make_defence_test(combat, position, blow, difficulty, roll)
    if tries_luck(combat, position, target) and not test.passed:
        use(log, position, "luck", (target, striker), DEFENCE, test.result)
        position = use_luck(position, target)
        test = make_defence_test(combat, position, blow, difficulty, roll, LUCKY + DEFENCE)
    numbers = (0, test.natural, test.result, int(test.passed))
    log.append((PARRY, position.turn, position.number, target, striker, *numbers))
    return position, test


def parried(combat: Combat, position: Position, blow: Blow, beaten_by: int, log: Log) -> Position:
    """What a parry gives to the one who parried (W-7)."""
    margin = counter_margin(combat, position, blow)
    gain = gain_of(combat, position, blow, counters=margin is not None and beaten_by >= margin)
    pair = (blow.target, blow.striker)
    if gain.counter > 0:
        use(log, position, "counter_attack", pair, gain.counter)
    if gain.parry > 0:
        use(log, position, "parry_dice", pair, gain.parry)
    return with_gain(position, blow.target, gain)


def landed(combat: Combat, position: Position, blow: Blow, roll: Roll, log: Log) -> Position:
    """An attack that was not parried: a feint or the wound roll (C-6.5, W-7)."""
    striker, target = blow.striker, blow.target
    if feints(combat, position, striker, target):
        taken = taken_by_feint(combat, position, blow)
        use(log, position, "feint", (striker, target), *taken)
        return without(combat, position, target, taken)
    hit = hit_of(combat, position, blow)
    rolled = wound_test(combat.book, survival_told(position, blow, roll, log, hit), hit)
    after = after_wound_roll(combat, position, blow, rolled)
    if rolled.survived:
        return after
    if rolled.toxic > 0:
        use(log, position, "toxic", (striker, target), rolled.dice[1], rolled.toxic)
    if fights_on(combat, position, target, rolled.outcome):
        use(log, position, "diehard", (target, striker), 0)
    numbers = (OUTCOMES.index(rolled.outcome), rolled.lower, rolled.row)
    code = after.wounds[target].code
    log.append((WOUND, position.turn, position.number, striker, target, *numbers, code))
    return after


def survival_told(position: Position, blow: Blow, roll: Roll, log: Log, hit: Hit) -> Roll:
    """The same roll, that also logs what the die of survival did, once it is rolled."""

    def told(slot: int, index: int) -> int:
        value = roll(slot, index)
        if (slot, index) == (WOUND_SLOT, SURVIVAL):
            saved = int(value >= number(hit.target, "survival_die"))
            use(log, position, "survival", (blow.target, blow.striker), value, saved)
        return value

    return told


def strike(combat: Combat, position: Position, blow: Blow, tape: Tape, log: Log) -> Position:
    """An attack from its announcement on, in the order of C-6."""
    roll = attack_dice(position, blow, tape, log)
    log_declared(combat, position, blow, log)
    if needs_attack_test(combat, position, blow):
        position, attack = attack_tested(combat, position, blow, roll, log)
        if not attack.passed:
            return position  # no defence die is lost (C-6.3)
        if blow.committed > 0:
            position, parry = defence_tested(combat, position, blow, attack.result, roll, log)
            position = spend(position, blow)
            if parry.passed:
                return parried(combat, position, blow, parry.result - attack.result, log)
    return landed(combat, position, blow, roll, log)


# --- the whole ------------------------------------------------------------------------


def one_side_dead(position: Position) -> bool:
    return not living(position, 0) or not living(position, 1)


def next_turn(position: Position) -> Position:
    """Maintenance: stunned removed, no dice on the table, everything else as it is."""
    wounds = tuple(maintain(wounds) for wounds in position.wounds)
    return bare(wounds, turn=position.turn + 1, opening=position.opening)


def end_of_combat(position: Position) -> Position:
    """Who was killed and fought on dies at the end of a turn's combat (Acharné)."""
    for i, doomed in enumerate(position.doomed):
        if doomed:
            position = buried(position, i)
    return position


def play(combat: Combat, tape: Tape) -> tuple[Position, Log]:
    """Play a combat for its turns or until one side is dead."""
    log: Log = []
    position = beginning(combat)
    while not one_side_dead(position):
        position = place_dice(combat, position, log)
        position = initiative(combat, position, tape, log)
        position, blow = next_blow(combat, position)
        while blow is not None:
            position = strike(combat, position, blow, tape, log)
            position, blow = next_blow(combat, position)
        position = end_of_combat(position)
        log.append((END, position.turn, 0, -1, -1, 0, 0, 0, 0))
        if position.turn + 1 == combat.turns:
            break
        if not one_side_dead(position):
            position = next_turn(position)
    return position, log


# --- dice with addresses --------------------------------------------------------------


def initiative_dice(turn: int, number: int, other: int, tape: Tape, log: Log) -> Roll:
    """A roll for one roll-off that logs each die."""

    def roll(slot: int, index: int) -> int:
        value = tape.die(Address(turn, "initiative", number, 0, other, slot, index))
        who = (0, other) if slot == COIN or slot % 2 == LONE else (other, 0)
        log.append((DIE, turn, number, *who, slot, index, value, 0))
        return value

    return roll


def attack_dice(position: Position, blow: Blow, tape: Tape, log: Log) -> Roll:
    """A roll for one attack that logs each die."""
    turn, number = position.turn, position.number
    striker, target = blow.striker, blow.target

    def roll(slot: int, index: int) -> int:
        value = tape.die(Address(turn, "attack", number, striker, target, slot, index))
        defends = DEFENCE <= slot < LUCKY or slot >= LUCKY + DEFENCE
        survives = (slot, index) == (WOUND_SLOT, SURVIVAL)
        who = (target, striker) if defends or survives else (striker, target)
        log.append((DIE, turn, number, *who, slot, index, value, 0))
        return value

    return roll
