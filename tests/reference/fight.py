"""One combat of a battle, from placing dice to its end (C-3 to C-7, W-7)."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf
from typing import Any

from reference.decisions import must
from reference.field import Game, Warrior
from reference.rolls import attack_can_fail
from reference.testing import Tested, luck_is_used, opposed, parry_of, test_of, wound

SLOWED, FREE = 1, 2  # a sustained defence that costs DEF, one with a held die that does not


@dataclass
class Hand:
    """The combat dice of a fighter."""

    attack: int = 0
    defence: int = 0
    held: int = 0  # unplaced (W-7)
    sustained: int = 0
    into_attack: int = 0  # allocated so far (C-7.1)
    into_defence: int = 0
    chain: int = 0  # dice taken for less ATT and DEF (W-7)
    fresh: bool = False  # the first wound roll after a charge is to come (W-7)

    @property
    def may_sustain(self) -> bool:
        """Allocated at least as many in defence (C-7.1)."""
        return self.into_defence >= self.into_attack

    @property
    def all_attack(self) -> bool:
        """All dice in attack: none in defence, none unplaced (W-7)."""
        return self.into_attack > 0 and self.into_defence == 0 and self.held == 0


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
    def both_live(self) -> bool:
        return bool(self.living(0) and self.living(1))

    @property
    def dice_left(self) -> bool:
        """An attack die is left (C-5.5)."""
        return any(self.hand(w).attack for w in self.living(0) + self.living(1))

    def despair(self, warrior: Warrior, enemies: list[Warrior]) -> int:
        """What is added for one outnumbered, or against a dearer enemy (W-7)."""
        own = warrior.card["PA"]
        alone = warrior is self.lone and len(self.living(1)) > 1
        worths = [enemy.card["PA"] for enemy in enemies]
        dearer = own is not None and any(w is not None and w > own for w in worths)
        return warrior.amount("desperate", "desperate_result") if alone or dearer else 0

    def chain_cost(self, warrior: Warrior) -> int:
        return self.hand(warrior).chain * warrior.amount("chain", "chain_cost")

    def attack_value(self, striker: Warrior, target: Warrior) -> int:
        """ATT in a test, with what abilities add (W-7)."""
        value = self.game.current(striker, "ATT") + self.despair(striker, [target])
        if self.hand(striker).all_attack:
            value += striker.amount("all_attack_result", "all_attack_result")
        return value - self.chain_cost(striker)

    def defence_value(self, target: Warrior, striker: Warrior) -> int:
        """DEF in a test, less what a sustained defence takes (C-7.2)."""
        value = self.game.current(target, "DEF") + self.despair(target, [striker])
        if self.hand(target).sustained == SLOWED:
            value -= self.game.edition["defence.sustained_penalty"]
        return value - self.chain_cost(target)


def fight(game: Game, fighters: list[Warrior], chooser: int) -> None:
    """The whole combat."""
    combat = Fight(game, fighters[0], fighters[1:], chooser)
    place_dice(combat)
    first = initiative(combat)
    passes(combat, first)
    game.fall()
    game.tell("end_combat")


def feats_told(game: Game, *effects: str) -> list[dict[str, Any]]:
    """What players say next of these abilities."""
    found = []
    while any(game.choices.next_is("feat", effect=effect) for effect in effects):
        found.append(game.choices.take("feat", "W-7"))
    return found


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
    for warrior in placing_order(combat):
        place(combat, warrior, feats_told(combat.game, "fury", "chain"))


def place(combat: Fight, warrior: Warrior, feats: list[dict[str, Any]]) -> None:
    """One fighter's dice; some abilities give more, or keep some back (W-7)."""
    game, edition, who = combat.game, combat.game.edition, f"fighter {warrior.number}"
    enemies = 1 if warrior is not combat.lone else len(combat.others)
    dice = edition["dice.base"] + edition["dice.per_enemy"] * enemies
    dice += warrior.amount("extra_dice", "extra_dice")
    said = game.choices.take("place", "C-3.2", fighter=warrior.number)
    attack, defence = said["attack"], said["defence"]
    barred = "defence" in warrior.markers
    barred |= warrior.routed and edition["fear.routed_all_defence"]
    hand = Hand(fresh=warrior.charging)
    if barred:
        must((attack, defence, feats) == (0, dice, []), "C-3.6", f"{who} may only defend")
    else:
        attack, hand.held = place_freely(warrior, hand, dice, attack, defence, feats)
    for feat in feats:
        game.feat(warrior, feat["effect"], None, feat["x"], feat["y"], feat["z"])
    hand.attack, hand.defence = attack, defence
    hand.into_attack, hand.into_defence = attack, defence
    combat.hands[warrior.number] = hand
    held = {"held": hand.held} if hand.held else {}
    game.tell("place", fighter=warrior.number, attack=attack, defence=defence, **held)


def place_freely(
    warrior: Warrior, hand: Hand, dice: int, attack: int, defence: int, feats: list[dict[str, Any]]
) -> tuple[int, int]:
    """Attack dice, and those held back, of one who may place as he likes (C-3.1, W-7)."""
    who = f"fighter {warrior.number}"
    used = {feat["effect"]: feat["x"] for feat in feats}
    mine = all(feat["fighter"] == warrior.number for feat in feats)
    must(mine and len(used) == len(feats), "W-7", f"{who} does not place now")
    held = min(warrior.amount("hold_back", "held_dice"), dice)
    hand.chain = used.get("chain", 0)
    most = warrior.amount("chain", "chain_dice")
    must(0 <= hand.chain <= most, "W-7", f"{who} may take {most} dice")
    whole = dice - held + hand.chain
    if "fury" in used:
        right = warrior.has("fury") and used["fury"] == warrior.amount("fury", "fury_dice")
        must(right and not defence, "W-7", f"{who} cannot be furious")
        whole, held = whole + used["fury"] + held, 0
    whole += warrior.amount("charge_dice", "charge_dice") if warrior.charging else 0
    right = min(attack, defence) >= 0 and attack + defence == whole
    must(right, "C-3.1", f"{who} has {whole} dice, not {attack} and {defence}")
    if warrior.charging:
        given = attack >= warrior.amount("charge_dice", "charge_dice")
        must(given, "W-7", f"{who} has the dice of his charge in attack")
    return attack, held


# --- C-4 ---------------------------------------------------------------------------------


def initiative(combat: Fight) -> int:
    """Which side strikes first: 0, the lone fighter's, or 1 (C-4)."""
    game = combat.game
    chosen = game.choices.take("testers", "C-4.1")["testers"]
    testers = game[chosen[0]], game[chosen[1]]
    own = testers[0] is combat.lone and testers[1] in combat.others
    must(own, "C-4.1", f"{chosen} is not one fighter a side")
    bonus = game.edition["initiative.numbers_bonus"] * (len(combat.others) - 1)
    own, other = (game.current(tester, "INI") for tester in testers)
    own += combat.despair(testers[0], combat.living(1))
    other += combat.despair(testers[1], [combat.lone])
    values = own, other + bonus
    chooser = int(combat.lone.side != combat.chooser)

    def same() -> None:
        """A tie is rolled again by the same two."""
        again = game.choices.take("testers", "C-4.3")["testers"]
        must(again == chosen, "C-4.3", f"{again} take up a test of {chosen}")

    return opposed(game, "initiative", testers, values, game.book.opposed_tie, chooser, same)


# --- C-5 ---------------------------------------------------------------------------------


def passes(combat: Fight, first: int) -> None:
    """Attacks in passes of arms until the combat is over (C-5).

    With held dice only a fighter need not strike; the combat is over once nobody does (W-7).
    """
    striking, done, idle = first, set(), 0
    choices = combat.game.choices
    while combat.both_live and (combat.dice_left or choices.coming("strike", "feat")):
        said = choices.coming("strike", "feat")
        pairs = possible(combat, striking, done)
        pair = (said["striker"], said["target"]) if said else None
        wanted = pair in pairs or pair in possible(combat, striking, done, held=True)
        if not wanted and not pairs:
            striking, done, idle = 1 - striking, set(), idle + 1
            must(idle < 3, "C-5.2", f"{pair} has no die to strike with")
            continue
        must(wanted, "C-5.3" if striking == 0 else "C-5.4", f"{pair} is none of {pairs}")
        assert pair is not None
        idle = 0
        done.add(pair[1 - striking])
        strike(combat, combat.game[pair[0]], combat.game[pair[1]])


def possible(
    combat: Fight, striking: int, done: set[int], *, held: bool = False
) -> list[tuple[int, int]]:
    """Who has to strike whom next, or with a held die may, in one side's part (C-5.3, C-5.4)."""
    lone = combat.lone

    def able(warrior: Warrior) -> bool:
        hand = combat.hand(warrior)
        return bool(hand.held if held else hand.attack)

    if striking == 0:
        others = [w for w in combat.living(1) if w.number not in done]
        return [(lone.number, w.number) for w in others] if able(lone) else []
    strikers = [w for w in combat.living(1) if able(w) and w.number not in done]
    return [(w.number, lone.number) for w in strikers]


# --- C-6, C-7 ----------------------------------------------------------------------------


def strike(combat: Fight, striker: Warrior, target: Warrior) -> None:
    """One attack (C-6)."""
    game = combat.game
    feats = feats_told(game, "hold_back", "master_stroke")
    said = game.choices.take("strike", "C-5.3")
    held = take_held(combat, striker, target, feats, 0)
    master = take_dice(combat, striker, target, feats, held)
    readied = take_held(combat, target, striker, feats, 1)
    must(not feats, "W-7", f"{feats} have nothing to do with this attack")
    hand = combat.hand(target)
    commit(target, hand, said["committed"], said["sustained"], readied)
    manner = {"held": True} if held else {"master": True} if master else {}
    game.tell(
        "strike",
        striker=striker.number,
        target=target.number,
        committed=said["committed"],
        sustained=hand.sustained > 0 and said["committed"] > 0,
        **manner,
    )
    if lands(combat, striker, target, said["committed"], held):
        hit(combat, striker, target, master)


def take_held(
    combat: Fight, warrior: Warrior, other: Warrior, feats: list[dict[str, Any]], use: int
) -> bool:
    """Whether a fighter uses a held die, for an attack (0) or for a parry (1) (W-7)."""
    wanted = {"fighter": warrior.number, "effect": "hold_back", "x": use, "y": 0, "z": 0}
    if wanted not in feats:
        return False
    feats.remove(wanted)
    hand = combat.hand(warrior)
    must(hand.held > 0, "W-7", f"fighter {warrior.number} holds no die back")
    hand.held -= 1
    if use:
        hand.defence += 1
        hand.into_defence += 1
    else:
        hand.into_attack += 1
    combat.game.feat(warrior, "hold_back", other, use)
    return True


def take_dice(
    combat: Fight, striker: Warrior, target: Warrior, feats: list[dict[str, Any]], held: bool
) -> bool:
    """Take the dice of an attack; whether it is a master stroke (C-5.2, W-7)."""
    hand, needed = combat.hand(striker), 0 if held else 1
    master = [feat for feat in feats if feat["effect"] == "master_stroke"]
    if master:
        feats.remove(master[0])
        needed = striker.amount("master_stroke", "master_dice")
        right = striker.has("master_stroke") and master[0]["fighter"] == striker.number
        must(right and not held, "W-7", f"fighter {striker.number} makes no master stroke")
        combat.game.feat(striker, "master_stroke", target, needed)
    must(hand.attack >= needed, "C-5.2", f"fighter {striker.number} has not {needed} dice left")
    hand.attack -= needed
    return bool(master)


def commit(target: Warrior, hand: Hand, committed: int, sustained: bool, readied: bool) -> None:
    """Defence dice put against an attack (C-6.2, C-7.1 to C-7.3).

    ``readied``: with a die that was held back until now; sustained, it costs no DEF (W-7).
    """
    who = f"fighter {target.number}"
    must(0 <= committed <= hand.defence, "C-6.2", f"{who} has {hand.defence} defence dice")
    must(not readied or committed > 0, "W-7", f"{who} uses the die that he held back")
    if hand.sustained:
        must(sustained and committed == 1, "C-7.3", f"{who} must use the die that he sustains")
    elif sustained:
        able = hand.may_sustain and hand.defence == committed == 1 and hand.held == 0
        must(able, "C-7.1", f"{who} cannot sustain")
        hand.sustained = FREE if readied else SLOWED


def lands(combat: Fight, striker: Warrior, target: Warrior, committed: int, held: bool) -> bool:
    """The attack test and the defence test: whether there is a hit (C-6.3, C-6.4)."""
    game = combat.game
    value = combat.attack_value(striker, target)
    if not committed and not attack_can_fail(game.book, value):
        return True
    test = test_of(game, striker, value, "attack", target, 0, None)
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
        return False
    return not committed or not parries(combat, striker, target, committed, test.number, held)


def parries(
    combat: Fight, striker: Warrior, target: Warrior, committed: int, difficulty: int, held: bool
) -> bool:
    """A defence test; the dice are spent, but for a sustained one (C-6.4, C-7.2)."""
    game, hand = combat.game, combat.hand(target)
    value, sustained = combat.defence_value(target, striker), hand.sustained
    if not sustained:
        hand.defence -= committed
    test = parry_of(game, target, committed, value)
    if not test.reaches(game, difficulty) and luck_is_used(game, target):
        game.feat(target, "luck", striker, 2, test.result, dice=test.dice)
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
    if parried and not sustained:
        answer(combat, striker, target, test, difficulty, held)
    return parried


def answer(
    combat: Fight, striker: Warrior, target: Warrior, test: Tested, difficulty: int, held: bool
) -> None:
    """Attack dice that a parry gives: none of a sustained die (C-7.4, W-7)."""
    hand, margin = combat.hand(target), target.amount("counter_attack", "counter_margin")
    if target.has("counter_attack") and not held and test.number - difficulty >= margin:
        dice = target.amount("counter_attack", "counter_dice")
        hand.attack += dice
        combat.game.feat(target, "counter_attack", striker, dice)
    if target.has("parry_dice"):
        dice = target.amount("parry_dice", "parry_dice")
        hand.attack += dice
        combat.game.feat(target, "parry_dice", striker, dice)


def hit(combat: Fight, striker: Warrior, target: Warrior, master: bool) -> None:
    """A wound, or dice that a feint takes (C-6.5, W-7)."""
    game, own = combat.game, combat.hand(striker)
    if feats_told(game, "feint"):
        feint(combat, striker, target)
        return
    strength = game.current(striker, "FOR")
    if master:
        strength += game.printed(striker, "ATT")
        strength += striker.amount("master_stroke", "master_strength")
    if own.all_attack:
        strength += striker.amount("all_attack_wound", "all_attack_wound")
    more = striker.has("wound_dice") and own.fresh
    rolled = striker.amount("wound_dice", "wound_dice") if more else 2
    if wound(game, striker, target, strength, rolled=rolled):
        own.fresh = False
    if not target.alive:
        combat.hands[target.number] = Hand()  # C-6.6


def feint(combat: Fight, striker: Warrior, target: Warrior) -> None:
    """Take dice from the enemy: in attack, then in defence, then held back (W-7)."""
    hand, most = combat.hand(target), striker.amount("feint", "feint_dice")
    must(striker.has("feint"), "W-7", f"fighter {striker.number} makes no feint")
    taken = []
    for dice in (hand.attack, hand.defence, hand.held):
        taken.append(min(dice, most - sum(taken)))
    must(sum(taken) > 0, "W-7", f"fighter {target.number} has no dice to lose")
    hand.attack -= taken[0]
    hand.defence -= taken[1]
    hand.held -= taken[2]
    if not hand.defence:
        hand.sustained = 0
    combat.game.feat(striker, "feint", target, *taken)
