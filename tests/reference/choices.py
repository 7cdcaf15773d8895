"""What the rules leave to a player, decided by a named policy."""

from __future__ import annotations

from itertools import product
from math import inf

from reference.book import Book, wound_outcome
from reference.feats import amount, has, number
from reference.rolls import Result
from reference.state import (
    Combat,
    Fighter,
    Policy,
    Position,
    alive,
    current,
    enemies,
    living,
    side_of,
)


def policy_of(combat: Combat, i: int) -> Policy:
    return combat.policies[side_of(i)]


def ceil_div(a: int, b: int) -> int:
    return -(-a // b)


# --- placing dice (C-3) ---------------------------------------------------------------


def strategic_value(combat: Combat, i: int) -> float:
    """PA of a fighter; unknown PA counts as equal to his enemy's.

    A lone fighter of unknown PA is equal to each of his enemies: he places after all of
    them when his side chose the combat (C-3.3), else before all of them.
    """
    own, lone = combat.fighters[i].PA, combat.fighters[0].PA
    if own is not None:
        return own
    if lone is not None:
        return lone
    return inf if combat.chooser == 0 else -inf


def placing_order(combat: Combat) -> list[int]:
    """Who places when: casters, then PA, then the side that did not choose (C-3.2 to C-3.4)."""
    if combat.order is not None:
        return list(combat.order)
    return sorted(
        range(len(combat.fighters)),
        key=lambda i: (
            not combat.fighters[i].pure_caster,
            strategic_value(combat, i),
            side_of(i) == combat.chooser,
            i,
        ),
    )


def scaled(placed: tuple[int, int], dice: int) -> tuple[int, int]:
    """The wanted split, in proportion when he has another number of dice."""
    a, d = placed
    if a + d == dice:
        return placed
    attack = (2 * a * dice + (a + d)) // (2 * (a + d))
    return attack, dice - attack


def attacks_to_answer(combat: Combat, position: Position, i: int, placed: set[int]) -> int | None:
    """Attack dice already placed that can come at him; None if no enemy has placed."""
    seen = [j for j in enemies(position, i) if j in placed]
    if not seen:
        return None
    coming = sum(position.attack[j] for j in seen)
    if i == 0:
        return coming
    return ceil_div(coming, len(living(position, 1)))


def worth(combat: Combat, position: Position, i: int) -> int:
    """How good a fighter is at striking and at standing: ATT + FOR + DEF + RES, as they are now."""
    return sum(current(combat, position, i, c) for c in ("ATT", "FOR", "DEF", "RES"))


def outclassed(combat: Combat, position: Position, i: int) -> bool:
    """Whether some living enemy is the better fighter."""
    own = worth(combat, position, i)
    return any(worth(combat, position, j) > own for j in enemies(position, i))


def split(
    combat: Combat, position: Position, i: int, dice: int, placed: set[int]
) -> tuple[int, int]:
    """Attack and defence dice of a fighter (C-3.1), seeing what was placed (C-3.2)."""
    fighter, placement = combat.fighters[i], policy_of(combat, i).placement
    if fighter.all_defence and position.turn == 0:  # C-3.6
        return 0, dice
    if fighter.placed is not None:
        return scaled(fighter.placed, dice)
    if placement == "attack":
        return dice, 0
    if placement == "answer" and not outclassed(combat, position, i):
        return dice, 0
    if placement == "defence":
        return 0, dice
    answer = None
    if placement == "answer":
        answer = attacks_to_answer(combat, position, i, placed)
    attack = (dice + 1) // 2 if answer is None else dice - min(answer, max(dice - 1, 0))
    return attack, dice - attack


def chained(combat: Combat, i: int) -> int:
    """Dice that he takes for less ATT and DEF (Enchaînement)."""
    most = amount(combat.fighters[i], "chain", "chain_dice")
    return min(policy_of(combat, i).chain, most)


def may_rage(fighter: Fighter) -> bool:
    """Whether fury is open to him; not with defence dice that the caller placed."""
    placed = fighter.placed or (0, 0)
    return has(fighter, "fury") and placed[1] == 0


def rages(combat: Combat, i: int, all_attack: bool) -> bool:
    """Whether he declares his fury (Furie guerrière)."""
    fury = policy_of(combat, i).fury
    return may_rage(combat.fighters[i]) and (fury == "always" or (fury == "useful" and all_attack))


# --- initiative (C-4) -----------------------------------------------------------------


def initiative_fighter(combat: Combat, position: Position, side: int) -> int:
    """Who takes the Initiative test for a side (C-4.1)."""
    candidates = living(position, side)
    if combat.policies[side].initiative == "listed":
        return candidates[0]
    return max(candidates, key=lambda i: current(combat, position, i, "INI"))


# --- striking (C-5) -------------------------------------------------------------------


def next_striker(combat: Combat, position: Position, candidates: list[int]) -> int:
    """Which of several fighters strikes next (C-5.4)."""
    strike_order = combat.policies[1].strike_order

    def power(i: int) -> tuple[int, int]:
        return current(combat, position, i, "ATT"), current(combat, position, i, "FOR")

    if strike_order == "weakest":
        return min(candidates, key=power)
    if strike_order == "strongest":
        return max(candidates, key=power)
    return candidates[0]


def next_target(combat: Combat, position: Position, candidates: list[int]) -> int:
    """Whom the lone fighter strikes next (C-5.3)."""
    target = combat.policies[0].target
    fighters = combat.fighters

    def value(fighter: Fighter) -> int:
        return -1 if fighter.PA is None else fighter.PA

    def severity(i: int) -> tuple[int, int]:
        return position.wounds[i].level, position.wounds[i].stunned

    def resistance(i: int) -> int:
        return current(combat, position, i, "RES")

    if target == "wounded":
        worst = max(severity(i) for i in candidates)
        candidates = [i for i in candidates if severity(i) == worst]
        return min(candidates, key=resistance)
    if target == "undefended":
        return min(candidates, key=lambda i: position.defence[i])
    if target == "dearest":
        return max(candidates, key=lambda i: value(fighters[i]))
    if target == "frail":
        return min(candidates, key=resistance)
    return candidates[0]


def wants_held_attack(combat: Combat, position: Position, i: int) -> bool:
    """Whether he uses a held die as attack now (Bretteur)."""
    if position.held[i] == 0 or position.attack[i] > 0:
        return False
    held = policy_of(combat, i).held
    if held == "useful":
        return not any(position.attack[j] or position.held[j] for j in enemies(position, i))
    return held == "attack"


def can_strike(combat: Combat, position: Position, i: int) -> bool:
    """Whether he has a die to attack with, and wants to use it."""
    return position.attack[i] > 0 or wants_held_attack(combat, position, i)


def may_master(combat: Combat, position: Position, i: int) -> bool:
    """Whether he has the dice of a master stroke (Coup de maître)."""
    fighter = combat.fighters[i]
    return has(fighter, "master_stroke") and position.attack[i] >= number(fighter, "master_dice")


def masters(combat: Combat, position: Position, i: int, j: int) -> bool:
    """Whether he makes a master stroke of his attack."""
    master = policy_of(combat, i).master
    if not may_master(combat, position, i) or master == "never":
        return False
    weak = current(combat, position, i, "FOR") < current(combat, position, j, "RES")
    return master == "always" or weak


# --- defending (C-6.2, C-7) -----------------------------------------------------------


def coming_attacks(position: Position, defender: int) -> int:
    """Attacks that can still come at him after this one, whose die is already used."""
    if defender == 0:
        return sum(position.attack[j] for j in enemies(position, 0))
    waiting = [
        i for i in living(position, 1) if i != defender and not position.done[i]
    ]  # C-5.3: the lone fighter must strike them first
    return max(0, position.attack[0] - len(waiting))


def committed_dice(combat: Combat, position: Position, defender: int) -> int:
    """Dice committed to a parry (C-6.2); a sustained die must be used (C-7.3)."""
    left = position.defence[defender]
    if position.sustained[defender]:
        return 1
    parry = policy_of(combat, defender).parry
    if parry == "none":
        return 0
    if parry == "all":
        return left
    if parry == "spread":
        return ceil_div(left, 1 + coming_attacks(position, defender))
    return min(int(parry), left)


def commits_held(combat: Combat, position: Position, defender: int) -> bool:
    """Whether he parries with a held die, as soon as he has no other one."""
    policy = policy_of(combat, defender)
    able = position.held[defender] > 0 and position.defence[defender] == 0
    return able and policy.held != "attack" and policy.parry != "none"


def may_sustain(position: Position, defender: int, committed: int) -> bool:
    """Whether this die may be a sustained one: the last of all, alone (C-7.1, C-7.5)."""
    if position.sustained[defender] or not position.may_sustain[defender]:
        return False
    last = position.defence[defender] == 1 and position.held[defender] == 0
    return last and committed == 1


def sustains_now(combat: Combat, position: Position, defender: int, committed: int) -> bool:
    """Whether he declares a sustained defence with this die (C-7.1, C-7.2, C-7.6)."""
    if not may_sustain(position, defender, committed):
        return False
    sustain = policy_of(combat, defender).sustain
    if sustain == "useful":
        return coming_attacks(position, defender) > 0
    return sustain == "always"


# --- re-rolling the attack die (W-1.2, C-6.3) -----------------------------------------


def wants_attack_reroll(
    book: Book, policy: Policy, natural: int, attack: int, defence: int | None
) -> bool:
    """Whether the attacker re-rolls a 6; ``defence`` is None for an undefended attack."""
    if policy.reroll_attack != "needed":
        return policy.reroll_attack == "always"
    if defence is None:
        return natural + attack <= book.automatic_failure
    return natural + attack - defence <= policy.margin


# --- luck, feints (W-7) ---------------------------------------------------------------


def poor_attack(test: Result, committed: int) -> bool:
    """Whether an attack test is worth another try (Chance)."""
    return not test.passed or (committed > 0 and test.natural <= 2)


def tries_luck(combat: Combat, position: Position, i: int) -> bool:
    """Whether he has luck, and uses it where it is useful."""
    return position.luck[i] > 0 and policy_of(combat, i).luck == "useful"


def dice_left(position: Position, i: int) -> int:
    """Combat dice that he has left."""
    return position.attack[i] + position.defence[i] + position.held[i]


def feints(combat: Combat, position: Position, i: int, j: int) -> bool:
    """Whether he takes dice instead of a wound roll (Feinte)."""
    feint = policy_of(combat, i).feint
    if not has(combat.fighters[i], "feint") or dice_left(position, j) == 0 or feint == "never":
        return False
    return feint == "always" or light_throws(combat, position, i, j) < 18


def light_throws(combat: Combat, position: Position, i: int, j: int) -> int:
    """Throws of two dice, out of 36, that are a light wound at least, without abilities."""
    margin = current(combat, position, i, "FOR") - current(combat, position, j, "RES")
    throws = (sorted(dice) for dice in product(range(1, 7), repeat=2))
    outcomes = [wound_outcome(combat.book, low, high, high + margin) for low, high in throws]
    return sum(outcome not in ("-", "St") for outcome in outcomes)


def can_go_on(combat: Combat, position: Position) -> bool:
    """Whether the combat of this turn goes on: both sides live, a die is left (C-5.5)."""
    if not living(position, 0) or not living(position, 1):
        return False
    fighters = range(len(combat.fighters))
    return any(can_strike(combat, position, i) for i in fighters if alive(position, i))
