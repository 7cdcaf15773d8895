"""The beginning of a combat of a transcript: dice placed, the Initiative test (C-3, C-4)."""

from collections.abc import Sequence
from math import inf

from .dice import check_roll_off
from .ledger import Data, Fighter, Hand, Ledger


class Beginning:
    """The beginning of a combat that is read: its dice placed, and who strikes first.

    Parameters
    ----------
    ledger : Ledger
    members : sequence of Fighter
        The lone fighter, then his enemies (C-1.2).
    chooser : {0, 1}
        Side that chose it (C-3.3).
    """

    def __init__(self, ledger: Ledger, members: Sequence[Fighter], chooser: int) -> None:
        self.ledger = ledger
        self.lone, self.others = members[0], list(members[1:])
        self.members = [f for f in members if f.alive]
        self.chooser = chooser
        self.hands = {f.number: Hand() for f in members}
        self.struck: set[int] = set()  # who has struck, or was struck by the lone one, in this part

    def side(self, group: int) -> list[Fighter]:
        """Return the living of the lone fighter's side, 0, or of his enemies, 1."""
        fighters = self.others if group else [self.lone]
        return [f for f in fighters if f.alive]

    # C-3

    def _places(self) -> None:
        ledger = self.ledger
        placed: list[Fighter] = []
        while ledger.coming("place") is not None:
            feats = self._feats("fury", "chain")
            data = ledger.take("place", "C-3.2")
            fighter = ledger.fighters[data["fighter"]]
            name = fighter.label
            if not ledger.check(
                fighter in self.members, "C-3.1", f"{name} has no dice to place in this combat"
            ):
                continue
            ledger.check(fighter not in placed, "C-3.2", f"{name} places its dice twice")
            self._check_dice(data, fighter, feats)
            if placed:
                self._check_order(placed[-1], fighter)
            placed.append(fighter)
        for fighter in self.members:
            if fighter not in placed:
                ledger.breach("C-3.2", f"{fighter.label} has placed no dice", ledger.at)

    def _feats(self, *effects: str) -> list[Data]:
        """Take the steps that come of these abilities (W-7)."""
        found: list[Data] = []
        while self.ledger.peek() == "feat" and self.ledger.next()["effect"] in effects:
            found.append(self.ledger.read())
        return found

    def _check_dice(self, data: Data, fighter: Fighter, feats: Sequence[Data]) -> None:
        ledger, rule, name = self.ledger, self.ledger.rule, fighter.label
        enemies = len(self.side(1)) if fighter is self.lone else 1
        dice = rule["dice.base"] + rule["dice.per_enemy"] * enemies
        dice += fighter.amount("extra_dice", "extra_dice")
        attack, defence = data["attack"], data["defence"]
        routed = fighter.routed and rule["fear.routed_all_defence"]
        bound = routed or "defence" in fighter.markers
        ledger.check(attack == 0 or not bound, "C-3.6", f"{name} has all its dice in defence")
        hand = self.hands[fighter.number]
        whole = dice if bound else self._whole(fighter, hand, dice, feats, data)
        ledger.check(not bound or not feats, "C-3.6", f"{name} may only defend")
        right = attack + defence == whole and min(attack, defence) >= 0
        ledger.check(right, "C-3.1", f"{name} has {whole} dice, not {attack} and {defence}")
        held = data.get("held", 0) == hand.held
        ledger.check(held, "W-7", f"{name} holds {hand.held} dice back")
        hand.attack = hand.into_attack = attack
        hand.defence = hand.into_defence = defence
        hand.fresh = fighter.charging

    def _whole(
        self, fighter: Fighter, hand: Hand, dice: int, feats: Sequence[Data], data: Data
    ) -> int:
        """Return the dice to place of one who has some by abilities (W-7); note those held back."""
        ledger, name = self.ledger, fighter.label
        used = {feat["effect"]: feat["x"] for feat in feats}
        own = all(feat["fighter"] == fighter.number for feat in feats)
        ledger.check(own and len(used) == len(feats), "W-7", f"{name} places its dice now")
        held = min(fighter.amount("hold_back", "held_dice"), dice)
        hand.chain = used.get("chain", 0)
        most = fighter.amount("chain", "chain_dice")
        ledger.check(0 <= hand.chain <= most, "W-7", f"{name} may take {most} dice in a chain")
        whole = dice - held + hand.chain
        if "fury" in used:
            right = fighter.has("fury") and used["fury"] == fighter.amount("fury", "fury_dice")
            ledger.check(right and data["defence"] == 0, "W-7", f"{name} cannot be furious so")
            whole, held = whole + used["fury"] + held, 0
        hand.held = held
        if fighter.charging:
            more = fighter.amount("charge_dice", "charge_dice")
            ledger.check(data["attack"] >= more, "W-7", f"{name} has {more} attack dice more")
            whole += more
        return whole

    def _rank(self, fighter: Fighter) -> tuple[bool, float, bool]:
        """Return a key that ascends in the order of placing (C-3.2 to C-3.4)."""
        worth = fighter.card["PA"]
        if worth is None:
            worth = self._unknown_worth()
        return not fighter.card["caster"], worth, fighter.side == self.chooser

    def _unknown_worth(self) -> float:
        rule, lone = self.ledger.rule["defaults.missing_PA"], self.lone.card["PA"]
        if rule == "equal" and lone is not None:
            return float(lone)
        first = rule == "first" or (rule == "equal" and self.lone.side != self.chooser)
        return -inf if first else inf

    def _check_order(self, before: Fighter, fighter: Fighter) -> None:
        one, other = self._rank(before), self._rank(fighter)
        if one <= other:
            return
        clause = "C-3.4" if one[0] != other[0] else "C-3.2" if one[1] != other[1] else "C-3.3"
        self.ledger.breach(clause, f"{fighter.label} places its dice before {before.label}")

    # C-4

    def _initiative(self) -> int:
        """Check the Initiative test; the group that strikes first."""
        ledger = self.ledger
        if not self.side(0) or not self.side(1):
            return 0
        chooser = 0 if self.lone.side == self.chooser else 1
        while True:
            data = ledger.take("opposed", "C-4.1")
            ledger.check(data["purpose"] == "initiative", "C-4.1", "an Initiative test comes here")
            data = {**data, "purpose": "initiative"}
            for group, tester in enumerate(data["testers"]):
                self._check_tester(data, group, tester)
            winner = check_roll_off(ledger, data, chooser)
            if winner < 0 and ledger.peek() == "coin":
                winner = ledger.read()["winner"]
            if winner >= 0:
                return winner

    def _check_tester(self, data: Data, group: int, tester: int) -> None:
        ledger, friends = self.ledger, self.side(group)
        fighter = ledger.fighters[tester]
        name = ledger.name(tester)
        if not ledger.check(
            tester >= 0 and fighter in friends, "C-4.1", f"{name} is not of that side of the combat"
        ):
            return
        value = ledger.value(fighter, "INI")
        value += ledger.rule["initiative.numbers_bonus"] * (len(friends) - 1)
        value += self._despair(fighter, self.side(1 - group))
        said, failed = data["values"][group], data["results"][group] is None
        ledger.check(said == value or failed, "C-4.2", f"{name} tests with {value}, not {said}")

    def _despair(self, fighter: Fighter, enemies: Sequence[Fighter]) -> int:
        """Return what is added for one outnumbered, or against a dearer enemy (W-7)."""
        own = fighter.card["PA"]
        alone = fighter is self.lone and len(self.side(1)) > 1
        worths = [enemy.card["PA"] for enemy in enemies]
        dearer = own is not None and any(worth is not None and worth > own for worth in worths)
        return fighter.amount("desperate", "desperate_result") if alone or dearer else 0
