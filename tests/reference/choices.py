"""What the rules leave to a player, decided by a named policy."""

from __future__ import annotations

from math import inf

from reference.book import Book
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


def sustains_now(combat: Combat, position: Position, defender: int, committed: int) -> bool:
    """Whether he declares a sustained defence with this die (C-7.1, C-7.2, C-7.6)."""
    if position.sustained[defender] or not position.may_sustain[defender]:
        return False
    if not (position.defence[defender] == 1 and committed == 1):
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


def can_go_on(position: Position) -> bool:
    """Whether the combat of this turn goes on: both sides live, a die is left (C-5.5)."""
    if not living(position, 0) or not living(position, 1):
        return False
    return any(dice > 0 for i, dice in enumerate(position.attack) if alive(position, i))
