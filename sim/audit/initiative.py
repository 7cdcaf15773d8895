"""The beginning of a combat of a transcript: dice placed, the Initiative test (C-3, C-4)."""

from collections.abc import Sequence
from math import inf

from ...profiles.message import say_n
from .dice import check_roll_off
from .fighters import Fighter
from .ledger import Hand, Ledger
from .steps import Coin, Feat, Opposed, Placing


class Beginning:
    """The beginning of a combat: its dice placed, and who strikes first.

    Members are the lone fighter, then his enemies (C-1.2); a side has chosen it (C-3.3).
    """

    def __init__(self, ledger: Ledger, members: Sequence[Fighter], chooser: int) -> None:
        self.ledger = ledger
        self.lone, *self.others = members
        self.members = [f for f in members if f.alive]
        self.chooser = chooser
        self.hands = {f: Hand() for f in members}
        self.struck: set[Fighter] = set()  # by the lone one, or who has struck him, in this part

    def side(self, group: int) -> list[Fighter]:
        """Return the living of the lone fighter's side, 0, or of his enemies, 1."""
        return [f for f in (self.others if group else [self.lone]) if f.alive]

    # C-3

    def _places(self) -> None:
        ledger = self.ledger
        placed: list[Fighter] = []
        while ledger.after_feats(Placing):
            feats = self._feats("fury", "chain")
            data = ledger.take(Placing, "C-3.2")
            who = data.fighter
            if not ledger.check(
                who in self.members, "C-3.1", "{} has no dice to place in this combat", who
            ):
                continue
            ledger.check(who not in placed, "C-3.2", "{} places its dice twice", who)
            self._check_dice(data, feats)
            if placed:
                self._check_order(placed[-1], who)
            placed.append(who)
        for who in self.members:
            ledger.check_next(who in placed, "C-3.2", "{} has placed no dice", who)

    def _feats(self, *effects: str) -> list[Feat]:
        """Take the steps that come of these abilities (W-7)."""
        feats: list[Feat] = []
        while (feat := self.ledger.coming(Feat)) and feat.effect in effects:
            feats.append(self.ledger.read(feat))
        return feats

    def _check_dice(self, data: Placing, feats: Sequence[Feat]) -> None:
        who, rule, check = data.fighter, self.ledger.rule, self.ledger.check
        attack, defence, hand = data.attack, data.defence, self.hands[who]
        enemies = len(self.side(1)) if who is self.lone else 1
        dice = rule["dice.base"] + rule["dice.per_enemy"] * enemies + who.amount("extra_dice")
        bound = (who.routed and rule["fear.routed_all_defence"]) or "defence" in who.markers
        check(attack == 0 or not bound, "C-3.6", "{} has all its dice in defence", who)
        check(not bound or not feats, "C-3.6", "{} may only defend", who)
        if not bound:
            dice = self._whole(data, dice, feats)
        right = attack + defence == dice and min(attack, defence) >= 0
        check(
            right,
            "C-3.1",
            say_n(
                "{1} has {0} die, not {2} and {3}",
                "{1} has {0} dice, not {2} and {3}",
                dice,
                who,
                attack,
                defence,
            ),
        )
        right = data.held == hand.held
        check(
            right, "W-7", say_n("{1} holds {0} die back", "{1} holds {0} dice back", hand.held, who)
        )
        hand.attack = hand.into_attack = attack
        hand.defence = hand.into_defence = defence
        hand.fresh = who.charging

    def _whole(self, data: Placing, dice: int, feats: Sequence[Feat]) -> int:
        """Return the dice to place of one who has some by abilities (W-7); note those held back."""
        who, check, hand = data.fighter, self.ledger.check, self.hands[data.fighter]
        used = {str(feat.effect): feat.x for feat in feats}
        own = all(feat.fighter is who for feat in feats)
        check(own and len(used) == len(feats), "W-7", "{} places its dice now", who)
        held = min(who.amount("held_dice"), dice)
        hand.chain, most = used.get("chain", 0), who.amount("chain_dice")
        check(
            0 <= hand.chain <= most,
            "W-7",
            say_n("{1} may take {0} die in a chain", "{1} may take {0} dice in a chain", most, who),
        )
        whole = dice - held + hand.chain
        if "fury" in used:
            right = who.has("fury") and used["fury"] == who.amount("fury_dice")
            check(right and data.defence == 0, "W-7", "{} cannot be furious so", who)
            whole, held = whole + used["fury"] + held, 0
        hand.held = held
        if who.charging:
            more = who.amount("charge_dice")
            check(
                data.attack >= more,
                "W-7",
                say_n("{1} has {0} attack die more", "{1} has {0} attack dice more", more, who),
            )
            whole += more
        return whole

    def _check_order(self, before: Fighter, who: Fighter) -> None:
        one, other = self._rank(before), self._rank(who)
        clause = "C-3.4" if one[0] != other[0] else "C-3.2" if one[1] != other[1] else "C-3.3"
        self.ledger.check(one <= other, clause, "{} places its dice before {}", who, before)

    def _rank(self, fighter: Fighter) -> tuple[bool, float, bool]:
        """Return a key that ascends in the order of placing (C-3.2 to C-3.4)."""
        worth: float | None = fighter.card.PA
        if worth is None:
            worth = self._unknown_worth()
        return not fighter.card.caster, worth, fighter.side == self.chooser

    def _unknown_worth(self) -> float:
        rule, lone = self.ledger.rule["defaults.missing_PA"], self.lone.card.PA
        if rule == "equal" and lone is not None:
            return lone
        first = rule == "first" or (rule == "equal" and self.lone.side != self.chooser)
        return -inf if first else inf

    # C-4

    def _initiative(self) -> int:
        """Check the Initiative test; the group that strikes first."""
        ledger = self.ledger
        if not self.side(0) or not self.side(1):
            return 0
        chooser = 0 if self.lone.side == self.chooser else 1
        while True:
            data = ledger.take(Opposed, "C-4.1")
            right = data.purpose == "initiative"
            ledger.check(right, "C-4.1", "an Initiative test comes here")
            data = data.model_copy(update={"purpose": "initiative"})
            for group, tester in enumerate(data.testers):
                self._check_tester(data, group, tester)
            winner = check_roll_off(ledger, data, chooser)
            if winner < 0 and (coin := ledger.accept(Coin)):
                winner = coin.winner
            if winner >= 0:
                return winner

    def _check_tester(self, data: Opposed, group: int, who: Fighter | None) -> None:
        ledger, friends = self.ledger, self.side(group)
        if (
            ledger.check(
                who in friends, "C-4.1", "{} is not of that side of the combat", who or "nobody"
            )
            and who
        ):
            value = ledger.value(who, "INI") + self._despair(who, self.side(1 - group))
            value += ledger.rule["initiative.numbers_bonus"] * (len(friends) - 1)
            said, failed = data.values[group], data.results[group] is None
            ledger.check(
                said == value or failed, "C-4.2", "{} tests with {}, not {}", who, value, said
            )

    def _despair(self, fighter: Fighter, enemies: Sequence[Fighter]) -> int:
        """Return what is added for one outnumbered, or against a dearer enemy (W-7)."""
        own = fighter.card.PA
        alone = fighter is self.lone and len(self.side(1)) > 1
        dearer = own is not None and any((enemy.card.PA or 0) > own for enemy in enemies)
        return fighter.amount("desperate_result") if alone or dearer else 0
