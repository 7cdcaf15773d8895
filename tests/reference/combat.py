"""A combat played by the rules, die by die, with a log.

``play(combat, tape)`` returns the final position and the log. The log's rows are tuples
of nine integers, in the format of ``kernels/layout.py``; where that page leaves a choice:

* DIE: written as each die is rolled, before the row that sums it up. roller and other
  are, for an attack die and the wound dice, striker and target; for a defence die the
  target and the striker; in initiative the side's tester and the other tester (the
  coin: the lone fighter and the other tester). The third column is the pass, or the
  roll-off.
* INITIATIVE: one row a roll-off; results as numbers compared; a coin's winner stands in
  the row of the roll-off that it decides.
* STRIKE: committed = number of defence dice; sustained = 1 when this parry is a sustained
  one, declared now or before; defended = 1 when any die is committed.
* ATTACK: natural and result also of a test that failed. A test failed by a rule (a 1 in
  some editions) has natural 1 and result ``FAILED``; the same in PARRY and INITIATIVE.
* PARRY: natural and result of the die that counts (the best result, first listed).
* WOUND: outcome 0..5 for - St L S C K, location = the lower die 1..6, row = higher die +
  FOR - RES (also for a double 6), state after = 2 * level + stunned, 8 = dead.
* PLACE: living fighters only. END: after each turn's combat, whatever ended it.

Readings: a sustained defence that is declared stands (with its -2) even if the attack
then fails automatically (C-7.6); initiative is tested even if no attack die was placed;
stunned is removed between turns, so a final position still has it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from reference.book import OUTCOMES, maintain, suffer
from reference.choices import (
    can_go_on,
    committed_dice,
    initiative_fighter,
    next_striker,
    next_target,
    placing_order,
    policy_of,
    split,
    sustains_now,
    wants_attack_reroll,
)
from reference.rolls import (
    DEFENCE,
    OTHER,
    Opposed,
    Result,
    Roll,
    WoundRoll,
    attack_can_fail,
    attack_test,
    defence_test,
    opposed_test,
    wound_roll,
)
from reference.state import (
    Combat,
    Position,
    alive,
    beginning,
    change,
    current,
    enemies,
    living,
)
from reference.tape import Address, Tape

PLACE, DIE, INITIATIVE, STRIKE, ATTACK, PARRY, WOUND, END = range(8)
Row = tuple[int, int, int, int, int, int, int, int, int]
Log = list[Row]


class Blow(NamedTuple):
    """An attack after its first two steps: target named, dice committed (C-6.1, C-6.2)."""

    striker: int
    target: int
    committed: int


class InitiativeTest(NamedTuple):
    """An Initiative test: who tests for the other side, with what (C-4.1, C-4.2)."""

    other: int
    characteristics: tuple[int, int]


# --- C-3: placing dice ----------------------------------------------------------------


def combat_dice(combat: Combat, position: Position, i: int) -> int:
    """Number of combat dice of a fighter (C-3.1)."""
    book = combat.book
    return book.dice_base + book.dice_per_enemy * len(enemies(position, i))


def place_dice(combat: Combat, position: Position, log: Log) -> Position:
    """Everybody alive places his dice, one after the other (C-3.2)."""
    placed: set[int] = set()
    for i in placing_order(combat):
        if not alive(position, i):
            continue
        dice = combat_dice(combat, position, i)
        attack, defence = split(combat, position, i, dice, placed)
        allowed = defence >= attack  # C-7.1
        position = change(position, i, attack=attack, defence=defence, may_sustain=allowed)
        placed.add(i)
        log.append((PLACE, position.turn, 0, i, -1, 0, attack, defence, 0))
    return position


# --- C-4: initiative ------------------------------------------------------------------


def initiative_values(combat: Combat, position: Position) -> InitiativeTest:
    """The Initiative test to make: INI + bonus for additional living friends (C-4.2)."""
    values = []
    for side in (0, 1):
        chosen = initiative_fighter(combat, position, side)
        bonus = combat.book.numbers_bonus * (len(living(position, side)) - 1)
        values.append(current(combat, position, chosen, "INI") + bonus)
    return InitiativeTest(initiative_fighter(combat, position, 1), (values[0], values[1]))


def roll_off(combat: Combat, test: InitiativeTest, roll: Roll) -> Opposed:
    """One opposed Initiative test (C-4.1)."""
    rerolls = (combat.policies[0].reroll_initiative, combat.policies[1].reroll_initiative)
    return opposed_test(combat.book, roll, test.characteristics, rerolls, combat.chooser)


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
        winner, results = roll_off(combat, test, roll)
        log.append((INITIATIVE, position.turn, number, 0, test.other, winner, *results, 0))
        if winner != -1:
            return with_first(position, winner)
        number += 1


# --- C-5: passes of arms --------------------------------------------------------------


def next_pair(combat: Combat, position: Position) -> tuple[int, int] | None:
    """Striker and target of the next attack in this side's part of the pass."""
    if position.striking == 0:  # C-5.3
        targets = [j for j in living(position, 1) if not position.done[j]]
        if position.attack[0] == 0 or not targets:
            return None
        return 0, next_target(combat, position, targets)
    strikers = [  # C-5.4
        i for i in living(position, 1) if position.attack[i] > 0 and not position.done[i]
    ]
    if not strikers:
        return None
    return next_striker(combat, position, strikers), 0


def other_side_strikes(position: Position) -> Position:
    """The other side's part of the pass, or a new pass (C-5.1)."""
    nobody = (False,) * len(position.done)
    number = position.number + (1 if position.striking != position.first else 0)
    return replace(position, striking=1 - position.striking, number=number, done=nobody)


def declare(combat: Combat, position: Position, striker: int, target: int) -> tuple[Position, Blow]:
    """Use an attack die, name the target, commit defence dice (C-5.2, C-6.1, C-6.2, C-7.6)."""
    marked = target if striker == 0 else striker
    position = change(position, striker, attack=position.attack[striker] - 1)
    position = change(position, marked, done=True)
    committed = committed_dice(combat, position, target)
    if sustains_now(combat, position, target, committed):
        position = change(position, target, sustained=True)
    return position, Blow(striker, target, committed)


def next_blow(combat: Combat, position: Position) -> tuple[Position, Blow | None]:
    """The next attack, declared; None when this turn's combat is over (C-5.5)."""
    while can_go_on(position):
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
    return attack_can_fail(combat.book, current(combat, position, blow.striker, "ATT"))


def make_attack_test(combat: Combat, position: Position, blow: Blow, roll: Roll) -> Result:
    """Attack test (C-6.3)."""
    attack = current(combat, position, blow.striker, "ATT")
    defence = current(combat, position, blow.target, "DEF") if blow.committed > 0 else None
    policy = policy_of(combat, blow.striker)

    def wants(natural: int) -> bool:
        return wants_attack_reroll(combat.book, policy, natural, attack, defence)

    return attack_test(combat.book, roll, attack, wants)


def make_defence_test(
    combat: Combat, position: Position, blow: Blow, difficulty: int, roll: Roll
) -> Result:
    """Defence test (C-6.4)."""
    defence = current(combat, position, blow.target, "DEF")
    reroll = policy_of(combat, blow.target).reroll_defence
    return defence_test(combat.book, roll, blow.committed, defence, difficulty, reroll)


def wound_of_blow(combat: Combat, position: Position, blow: Blow, roll: Roll) -> WoundRoll:
    """Wound roll with the attacker's current FOR against RES (C-6.5)."""
    strength = current(combat, position, blow.striker, "FOR")
    resistance = current(combat, position, blow.target, "RES")
    return wound_roll(combat.book, roll, strength, resistance)


def spend(position: Position, blow: Blow) -> Position:
    """Committed dice are lost (C-6.4), but for a sustained one (C-7.2)."""
    if position.sustained[blow.target]:
        return position
    return change(position, blow.target, defence=position.defence[blow.target] - blow.committed)


def wound(combat: Combat, position: Position, target: int, outcome: str) -> Position:
    """What the wound roll does; the dead lose all their dice at once (C-6.6)."""
    wounds = suffer(combat.book, position.wounds[target], outcome)
    position = change(position, target, wounds=wounds)
    if wounds.dead:
        position = change(position, target, attack=0, defence=0, may_sustain=False)
        position = change(position, target, sustained=False)
    return position


def strike(combat: Combat, position: Position, blow: Blow, tape: Tape, log: Log) -> Position:
    """An attack from its announcement on, in the order of C-6."""
    striker, target, committed = blow
    head = (position.turn, position.number)
    roll = attack_dice(position, blow, tape, log)
    sustained = int(position.sustained[target])
    log.append((STRIKE, *head, striker, target, committed, sustained, int(committed > 0), 0))
    if needs_attack_test(combat, position, blow):
        attack = make_attack_test(combat, position, blow, roll)
        numbers = (0, attack.natural, attack.result, int(not attack.passed))
        log.append((ATTACK, *head, striker, target, *numbers))
        if not attack.passed:
            return position  # no defence die is lost (C-6.3)
        if committed > 0:
            parry = make_defence_test(combat, position, blow, attack.result, roll)
            numbers = (0, parry.natural, parry.result, int(parry.passed))
            log.append((PARRY, *head, target, striker, *numbers))
            position = spend(position, blow)
            if parry.passed:
                return position
    rolled = wound_of_blow(combat, position, blow, roll)
    position = wound(combat, position, target, rolled.outcome)
    numbers = (OUTCOMES.index(rolled.outcome), rolled.lower, rolled.row)
    log.append((WOUND, *head, striker, target, *numbers, position.wounds[target].code))
    return position


# --- the whole ------------------------------------------------------------------------


def one_side_dead(position: Position) -> bool:
    return not living(position, 0) or not living(position, 1)


def next_turn(position: Position) -> Position:
    """Maintenance: stunned removed, no dice on the table, everything else as it is."""
    count = len(position.wounds)
    nobody = (False,) * count
    return Position(
        wounds=tuple(maintain(wounds) for wounds in position.wounds),
        attack=(0,) * count,
        defence=(0,) * count,
        may_sustain=nobody,
        sustained=nobody,
        done=nobody,
        turn=position.turn + 1,
        opening=position.opening,
    )


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
        who = (other, 0) if slot == OTHER else (0, other)
        log.append((DIE, turn, number, *who, slot, index, value, 0))
        return value

    return roll


def attack_dice(position: Position, blow: Blow, tape: Tape, log: Log) -> Roll:
    """A roll for one attack that logs each die."""
    turn, number = position.turn, position.number
    striker, target = blow.striker, blow.target

    def roll(slot: int, index: int) -> int:
        value = tape.die(Address(turn, "attack", number, striker, target, slot, index))
        who = (target, striker) if slot >= DEFENCE else (striker, target)
        log.append((DIE, turn, number, *who, slot, index, value, 0))
        return value

    return roll
