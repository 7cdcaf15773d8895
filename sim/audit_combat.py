"""One combat of a transcript: dice, initiative, passes of arms, parries (C-3 to C-7)."""

from collections.abc import Sequence
from math import inf

from estoc.sim.audit_dice import check_roll_off, many_dice, one_die, passes
from estoc.sim.audit_shots import read_wound
from estoc.sim.audit_state import Data, Fighter, Ledger


class Combat:
    """A combat that is read, from the placing of dice to its end.

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
        self.attack = dict.fromkeys((f.number for f in members), 0)
        self.defence = dict.fromkeys((f.number for f in members), 0)
        self.may_sustain: set[int] = set()
        self.sustaining: set[int] = set()
        self.struck: set[int] = set()  # who has struck, or was struck by the lone one, in this part

    def read(self) -> None:
        """Check the whole combat."""
        self._places()
        first = self._initiative()
        self._passes(first)
        self.ledger.take("end_combat", "C-5.5")

    def side(self, group: int) -> list[Fighter]:
        """Return the living of the lone fighter's side, 0, or of his enemies, 1."""
        fighters = self.others if group else [self.lone]
        return [f for f in fighters if f.alive]

    # C-3

    def _places(self) -> None:
        ledger = self.ledger
        placed: list[Fighter] = []
        while ledger.peek() == "place":
            data = ledger.read()
            fighter = ledger.fighters[data["fighter"]]
            name = fighter.label
            if not ledger.check(
                fighter in self.members, "C-3.1", f"{name} has no dice to place in this combat"
            ):
                continue
            ledger.check(fighter not in placed, "C-3.2", f"{name} places its dice twice")
            self._check_dice(data, fighter)
            if placed:
                self._check_order(placed[-1], fighter)
            placed.append(fighter)
        for fighter in self.members:
            if fighter not in placed:
                ledger.breach("C-3.2", f"{fighter.label} has placed no dice", ledger.at)

    def _check_dice(self, data: Data, fighter: Fighter) -> None:
        ledger, rule, name = self.ledger, self.ledger.rule, fighter.label
        enemies = len(self.side(1)) if fighter is self.lone else 1
        dice = rule["dice.base"] + rule["dice.per_enemy"] * enemies
        attack, defence = data["attack"], data["defence"]
        right = attack + defence == dice and min(attack, defence) >= 0
        ledger.check(right, "C-3.1", f"{name} has {dice} dice, not {attack} and {defence}")
        routed = fighter.routed and rule["fear.routed_all_defence"]
        bound = routed or "defence" in fighter.markers
        ledger.check(attack == 0 or not bound, "C-3.6", f"{name} has all its dice in defence")
        self.attack[fighter.number], self.defence[fighter.number] = attack, defence
        if defence >= attack:
            self.may_sustain.add(fighter.number)

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
        said, failed = data["values"][group], data["results"][group] is None
        ledger.check(said == value or failed, "C-4.2", f"{name} tests with {value}, not {said}")

    # C-5

    def _passes(self, first: int) -> None:
        ledger, striking = self.ledger, first
        while self.side(0) and self.side(1) and any(self.attack.values()):
            if not self._able(striking):
                striking = 1 - striking
                self.struck.clear()
                continue
            if ledger.peek() == "end_combat":
                clause = "C-5.4" if striking else "C-5.3"
                names = ledger.name([f.number for f in self._able(striking)])
                ledger.breach(clause, f"an attack is due: of {names}", ledger.at)
                return
            self._strike(striking)
        while ledger.peek() == "strike":
            data = ledger.next()
            text = f"{ledger.name(data['striker'])} strikes though the combat is over"
            ledger.breach("C-5.5", text, ledger.at)
            self._strike(int(data["striker"] != self.lone.number))

    def _able(self, group: int) -> list[Fighter]:
        """Return who can be struck by the lone one, or who can strike him, in this part."""
        if group == 0 and self.attack[self.lone.number] <= 0:
            return []
        left = [f for f in self.side(1) if f.number not in self.struck]
        return left if group == 0 else [f for f in left if self.attack[f.number] > 0]

    def _strike(self, group: int) -> None:
        """Check an attack from its announcement on (C-6)."""
        ledger = self.ledger
        data = ledger.take("strike", "C-5.1")
        striker, target = ledger.fighters[data["striker"]], ledger.fighters[data["target"]]
        name, number = striker.label, striker.number
        if number not in self.attack or target.number not in self.attack:
            ledger.breach("C-1.2", f"{name} and {target.label} are not both in this combat")
            for one in (striker, target):
                self.attack.setdefault(one.number, 0)
                self.defence.setdefault(one.number, 0)
        ledger.check(striker.alive, "C-6.6", f"{name} is dead and strikes")
        ledger.check(target.alive, "C-6.6", f"{target.label} is dead and is struck")
        ledger.check(self.attack[number] > 0, "C-5.2", f"{name} has no attack die left")
        is_lone = striker is self.lone
        ledger.check(
            is_lone == (group == 0), "C-5.1", f"it is not the turn of the side of {name} to strike"
        )
        foe = target if is_lone else striker
        ledger.check(
            foe.number not in self.struck,
            "C-5.3" if is_lone else "C-5.4",
            f"{name} strikes {target.label} a second time in this pass",
        )
        ledger.check(
            foe in self.others and self.lone in (striker, target),
            "C-1.2",
            f"{name} strikes {target.label}, who is not its enemy here",
        )
        self.struck.add(foe.number)
        self.attack[number] = max(self.attack[number] - 1, 0)
        self._commit(data, target)
        self._attack(data, striker, target)

    # C-6, C-7

    def _commit(self, data: Data, target: Fighter) -> None:
        """Check the defence dice that are committed (C-6.2, C-7)."""
        ledger, name, number = self.ledger, target.label, target.number
        committed, left = data["committed"], self.defence[number]
        right = 0 <= committed <= left
        ledger.check(
            right, "C-6.2", f"{name} commits {committed} defence dice, and has {left} left"
        )
        if number in self.sustaining:
            must = bool(data["sustained"]) and committed == 1
            ledger.check(must, "C-7.3", f"{name} must sustain its defence against every attack")
            return
        if data["sustained"]:
            last = left == 1 and committed == 1
            ledger.check(last, "C-7.1", f"{name} sustains with its last defence die, alone")
            may = number in self.may_sustain
            ledger.check(may, "C-7.1", f"{name} placed more dice in attack than in defence")
            self.sustaining.add(number)

    def _attack(self, strike: Data, striker: Fighter, target: Fighter) -> None:
        ledger, name = self.ledger, striker.label
        committed, value = strike["committed"], ledger.value(striker, "ATT")
        rule = ledger.rule
        may_fail = rule["tests.natural_one_fails"] or 1 + value <= rule["tests.automatic_failure"]
        if ledger.peek() == "attack":
            data = ledger.read()
            self._check_pair(data["striker"], data["target"], striker, target)
            tested = one_die(ledger, data["dice"], striker.number)
            result = tested.natural + value
            ledger.check(
                tested.failed or data["result"] == result,
                "W-1.1",
                f"{name}: {tested.natural} and ATT {value} make {result}, not {data['result']}",
            )
            failed = not passes(ledger, tested, value, -99)
            text = f"the attack of {name} {'fails' if failed else 'does not fail'}"
            ledger.check(bool(data["failed"]) == failed, "W-1.3", text)
            if data["failed"]:
                return  # no defence die is lost (C-6.3)
            if committed > 0 and self._parry(strike, data, striker, target):
                return
        elif committed > 0 or may_fail:
            ledger.breach("C-6.3", f"{name} does not roll its attack on {target.label}", ledger.at)
        self._wound(striker, target)

    def _check_pair(self, a: int, b: int, striker: Fighter, target: Fighter) -> None:
        pair = (a, b) == (striker.number, target.number)
        text = f"{striker.label} has struck {target.label}; this step is of others"
        self.ledger.check(pair, "C-6.1", text)

    def _parry(self, strike: Data, attack: Data, striker: Fighter, target: Fighter) -> bool:
        """Check a defence test (C-6.4); whether it parries."""
        ledger, name, number = self.ledger, target.label, target.number
        committed = strike["committed"]
        data = ledger.take("parry", "C-6.4")
        self._check_pair(data["striker"], data["fighter"], striker, target)
        tested = many_dice(ledger, data["dice"], number, committed)
        value = ledger.value(target, "DEF")
        if number in self.sustaining:
            value -= ledger.rule["defence.sustained_penalty"]
        ledger.check(
            tested.failed or data["natural"] == tested.natural,
            "W-1.4",
            f"the best die of {name} makes {tested.natural}, not {data['natural']}",
        )
        result = tested.natural + value
        ledger.check(
            tested.failed or data["result"] == result,
            "C-7.2" if number in self.sustaining else "W-1.1",
            f"{name}: {tested.natural} and DEF {value} make {result}, not {data['result']}",
        )
        parried = passes(ledger, tested, value, attack["result"] or 0)
        text = f"{name} {'parries' if parried else 'does not parry'} the attack"
        ledger.check(bool(data["parried"]) == parried, "C-6.4", text)
        if not strike["sustained"]:
            self.defence[number] = max(self.defence[number] - committed, 0)
        return bool(data["parried"])

    def _wound(self, striker: Fighter, target: Fighter) -> None:
        read_wound(self.ledger, striker, target, self.ledger.value(striker, "FOR"), False)
        if not target.alive:
            self.attack[target.number] = self.defence[target.number] = 0
            self.sustaining.discard(target.number)
