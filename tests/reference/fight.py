"""One combat of a battle, from placing dice to its end (C-3 to C-7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from reference.decisions import must
from reference.field import Game, Warrior
from reference.rolls import attack_can_fail
from reference.testing import opposed, parry_of, test_of, wound


@dataclass
class Hand:
    """The combat dice of a fighter."""

    attack: int = 0
    defence: int = 0
    may_sustain: bool = False  # placed at least as many in defence (C-7.1)
    sustained: bool = False


@dataclass
class Fight:
    """A combat: the lone fighter first; side 0 here is his (C-1.2)."""

    game: Game
    lone: Warrior
    others: list[Warrior]
    chooser: int  # side of the battle that chose it (C-3.3)
    hands: dict[int, Hand] = field(default_factory=dict)

    @property
    def fighters(self) -> list[Warrior]:
        return [self.lone, *self.others]

    def living(self, side: int) -> list[Warrior]:
        """The living of the lone fighter's side, 0, or of the others'."""
        return [w for w in (self.others if side else [self.lone]) if w.alive]

    def hand(self, warrior: Warrior) -> Hand:
        return self.hands[warrior.number]

    @property
    def goes_on(self) -> bool:
        """Both sides live and an attack die is left (C-5.5)."""
        both = self.living(0) + self.living(1)
        left = any(self.hand(warrior).attack for warrior in both)
        return bool(self.living(0) and self.living(1)) and left


def fight(game: Game, fighters: list[Warrior], chooser: int) -> None:
    """The whole combat."""
    combat = Fight(game, fighters[0], fighters[1:], chooser)
    place_dice(combat)
    first = initiative(combat)
    passes(combat, first)
    game.tell("end_combat")


# --- C-3 ---------------------------------------------------------------------------------


def placing_order(combat: Fight) -> list[Warrior]:
    """Pure casters, then by PA, of equal enemies the side that did not choose (C-3.2 to C-3.4)."""
    lone_value = combat.lone.card["PA"]
    rule = combat.game.edition["defaults.missing_PA"]
    mine = combat.lone.side == combat.chooser
    unknown = inf if rule == "last" or (rule == "equal" and mine) else -inf
    if rule == "equal" and lone_value is not None:
        unknown = lone_value

    def rank(warrior: Warrior) -> tuple[bool, float, bool]:
        value = warrior.card["PA"]
        chose = warrior.side == combat.chooser
        return not warrior.card["caster"], unknown if value is None else value, chose

    return sorted(combat.fighters, key=rank)


def place_dice(combat: Fight) -> None:
    """Everybody places his dice (C-3.1, C-3.6)."""
    game, edition = combat.game, combat.game.edition
    for warrior in placing_order(combat):
        enemies = 1 if warrior is not combat.lone else len(combat.others)
        dice = edition["dice.base"] + edition["dice.per_enemy"] * enemies
        said = game.choices.take("place", "C-3.2", fighter=warrior.number)
        attack, defence = said["attack"], said["defence"]
        whole = min(attack, defence) >= 0 and attack + defence == dice
        must(whole, "C-3.1", f"fighter {warrior.number} has {dice} dice")
        barred = "defence" in warrior.markers
        barred |= warrior.routed and edition["fear.routed_all_defence"]
        must(not (barred and attack), "C-3.6", f"fighter {warrior.number} may only defend")
        combat.hands[warrior.number] = Hand(attack, defence, defence >= attack)
        game.tell("place", fighter=warrior.number, attack=attack, defence=defence)


# --- C-4 ---------------------------------------------------------------------------------


def initiative(combat: Fight) -> int:
    """Which side strikes first: 0, the lone fighter's, or 1 (C-4)."""
    game = combat.game
    chosen = game.choices.take("testers", "C-4.1")["testers"]
    testers = game[chosen[0]], game[chosen[1]]
    own = testers[0] is combat.lone and testers[1] in combat.others
    must(own, "C-4.1", f"{chosen} is not one fighter a side")
    bonus = game.edition["initiative.numbers_bonus"] * (len(combat.others) - 1)
    values = game.current(testers[0], "INI"), game.current(testers[1], "INI") + bonus
    chooser = int(combat.lone.side != combat.chooser)
    told = len(game.steps)
    winner = opposed(game, "initiative", testers, values, game.book.opposed_tie, chooser)
    again = sum(step.kind == "opposed" for step in game.steps[told:]) - 1
    for _ in range(again):  # a tie is rolled again by the same two
        same = game.choices.take("testers", "C-4.3")["testers"]
        must(same == chosen, "C-4.3", f"{same} take up a test of {chosen}")
    return winner


# --- C-5 ---------------------------------------------------------------------------------


def passes(combat: Fight, first: int) -> None:
    """Attacks in passes of arms until the combat is over (C-5)."""
    striking, done = first, set()
    while combat.goes_on:
        pairs = possible(combat, striking, done)
        if not pairs:
            striking, done = 1 - striking, set()
            continue
        said = combat.game.choices.take("strike", "C-5.3")
        pair = (said["striker"], said["target"])
        must(pair in pairs, "C-5.3" if striking == 0 else "C-5.4", f"{pair} is none of {pairs}")
        done.add(pair[1 - striking])
        striker, target = combat.game[pair[0]], combat.game[pair[1]]
        strike(combat, striker, target, said["committed"], said["sustained"])


def possible(combat: Fight, striking: int, done: set[int]) -> list[tuple[int, int]]:
    """Who can strike whom next, in one side's part of a pass (C-5.3, C-5.4)."""
    lone = combat.lone
    if striking == 0:
        if not combat.hand(lone).attack:
            return []
        return [(lone.number, w.number) for w in combat.living(1) if w.number not in done]
    able = [w for w in combat.living(1) if combat.hand(w).attack]
    return [(w.number, lone.number) for w in able if w.number not in done]


# --- C-6, C-7 ----------------------------------------------------------------------------


def strike(
    combat: Fight, striker: Warrior, target: Warrior, committed: int, sustained: bool
) -> None:
    """One attack (C-6)."""
    game, hand = combat.game, combat.hand(target)
    combat.hand(striker).attack -= 1
    commit(target, hand, committed, sustained)
    game.tell(
        "strike",
        striker=striker.number,
        target=target.number,
        committed=committed,
        sustained=hand.sustained,
    )
    value = game.current(striker, "ATT")
    if committed or attack_can_fail(game.book, value):
        test = test_of(game, striker, value)
        failed = not test.number > game.book.automatic_failure
        game.tell(
            "attack",
            striker=striker.number,
            target=target.number,
            natural=test.natural,
            result=test.result,
            failed=failed,
            dice=test.dice,
        )
        if failed:
            return
        if committed and parries(combat, striker, target, committed, test.number):
            return
    wound(game, striker, target, game.current(striker, "FOR"))
    if not target.alive:
        combat.hands[target.number] = Hand()  # C-6.6


def commit(target: Warrior, hand: Hand, committed: int, sustained: bool) -> None:
    """Defence dice put against an attack (C-6.2, C-7.1 to C-7.3)."""
    who = f"fighter {target.number}"
    must(0 <= committed <= hand.defence, "C-6.2", f"{who} has {hand.defence} defence dice")
    if hand.sustained:
        must(sustained and committed == 1, "C-7.3", f"{who} must use the die that he sustains")
    elif sustained:
        able = hand.may_sustain and hand.defence == committed == 1
        must(able, "C-7.1", f"{who} cannot sustain")
    hand.sustained = sustained


def parries(
    combat: Fight, striker: Warrior, target: Warrior, committed: int, difficulty: int
) -> bool:
    """A defence test; the dice are spent, but for a sustained one (C-6.4, C-7.2)."""
    game, hand = combat.game, combat.hand(target)
    value = game.current(target, "DEF")
    if hand.sustained:
        value -= game.edition["defence.sustained_penalty"]
    else:
        hand.defence -= committed
    test = parry_of(game, target, committed, value)
    parried = test.reaches(game, difficulty)
    game.tell(
        "parry",
        fighter=target.number,
        striker=striker.number,
        natural=test.natural,
        result=test.result,
        parried=parried,
        dice=test.dice,
    )
    return parried
