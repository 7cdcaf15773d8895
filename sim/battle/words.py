"""Words for the steps of a battle in which both sides fight: tests, melees, combats."""

from collections.abc import Sequence
from typing import Any

from ...profiles.message import say
from ..base.options import SIDES
from ..combat.events import Dice, Teller, number, placed_words, rolled, total

Data = dict[str, Any]

_TESTS = {
    "tactics": (say("Tactics roll"), "DIS", "T-2.3"),
    "separation": (say("Test for the separation"), "DIS", "C-1.4"),
    "authority": (say("Authority roll"), "DIS", "C-2.1"),
    "initiative": ("Initiative", "INI", "C-4"),
}
_CHOICES = {
    "stay": say("stays where it is (C-8.1)"),
    "move": say("goes on (C-8.1)"),
    "engage": say("pursues to engage (C-8.1)"),
}


def listed(names: Sequence[str]) -> str:
    """Return names as ``a, b and c``."""
    *first, last = names or [""]
    return say("{} and {}", first, last) if first else last


def sums(dice: Dice, stat: str, value: int, result: int | None, roller: int | None = None) -> str:
    """Return a test as ``6→4: 10 + ATT 3 = 13``."""
    return total(rolled(dice, roller), f"{stat} {number(value)}", value, result)


def against(data: Data, stat: str) -> str:
    """Return a test of a step against its difficulty."""
    text = sums(data["dice"], stat, data["value"], data["result"])
    return say("{} against {}", text, number(data["difficulty"]))


class Bouts(Teller):
    """Tells what happens in combats, and the tests that both sides make.

    The method for a kind of step is called like it, with ``_`` before its name.
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []  # of the fighters
        self.combat: list[int] = []

    def name(self, i: int) -> str:
        """Return what a fighter is called."""
        return self.names[i]

    def named(self, fighters: Sequence[int]) -> str:
        """Return fighters as ``a, b and c``."""
        return listed([self.names[i] for i in fighters])

    def _opposed(self, data: Data) -> None:
        purpose, stat, clause = _TESTS[data["purpose"]]
        again = say(", roll-off {}", data["roll_off"] + 1) if data["roll_off"] else f" ({clause})"
        # a test of a combat is further in than those of sides
        inside = 2 * (data["purpose"] == "initiative")
        self.say(say("{}{}", purpose, again), inside)
        dice = self.all_dice(data["dice"])
        tests = zip(data["testers"], data["values"], data["results"], strict=True)
        for tester, value, result in tests:
            if tester >= 0:
                shown = sums(dice, stat, value, result, tester)
                self.say(f"{self.name(tester)}: {shown}", inside + 2)
        self.say(self._winner(data), inside + 2)

    def _coin(self, data: Data) -> None:
        purpose, _, _ = _TESTS[data["purpose"]]
        inside = 2 * (data["purpose"] == "initiative")
        self.say(say("{}: a coin decides; {}", purpose, self._winner(data)), inside)

    def _winner(self, data: Data) -> str:
        winner = data["winner"]
        if winner < 0:
            return say("equal: both roll again")
        if data["purpose"] == "initiative":
            first = [self.combat[0]] if winner == 0 else self.combat[1:]
            return say("{} strike{} first", self.named(first), "s" * (len(first) == 1))
        return say("{} wins", SIDES[winner])

    def _melee(self, data: Data) -> None:
        if not data["melee"]:
            self.head("Melees (C-1.1)", "-")
        self.say(f"{data['melee'] + 1}: {self.named(data['fighters'])}")

    def _separation(self, data: Data) -> None:
        combats = "; ".join(map(self._sides, data["combats"]))
        who = SIDES[data["side"]] if data["side"] >= 0 else ""
        if data["cause"] == "pursuit":
            text = say("{} separates anew (C-8.4)", who or "It")
        else:
            text = say("Melee {}, separated by {}", data["melee"] + 1, who) if who else ""
            text = text or say("Melee {}, nothing to choose (C-1.3)", data["melee"] + 1)
        self.say(f"{text}: {combats}")

    def _sides(self, combat: Sequence[int]) -> str:
        return say("{} against {}", self.name(combat[0]), self.named(combat[1:]))

    def _named(self, data: Data) -> None:
        text = say("{} names {}", SIDES[data["side"]], self._sides(data["combat"]))
        if data["fighter"] >= 0:
            text += say("; {} tests", self.name(data["fighter"]))
        self.say(f"{text} (C-2.1)")

    def _combat(self, data: Data) -> None:
        self.combat = data["fighters"]
        why = say("chosen by {}", SIDES[data["side"]])
        if data["cause"] == "pursuit":
            why = say("caused by a pursuit (C-8)")
        self.head(say("Combat, {}", why))
        self.say(self._sides(self.combat))

    def _place(self, data: Data) -> None:
        dice = placed_words(data["attack"], data["defence"], data.get("held", 0))
        self.say(f"{self.name(data['fighter'])}: {dice}", 2)

    def _strike(self, data: Data) -> None:
        how = "undefended"
        if data["committed"]:
            dice = "die" if data["committed"] == 1 else "dice"
            how = say("{} defence {}", data["committed"], dice)
        if data["sustained"]:
            how = say("sustained defence (C-7.2)")
        striker, target = self.name(data["striker"]), self.name(data["target"])
        self.say(say("{} strikes {}, {}", striker, target, how), 2)

    def _attack(self, data: Data) -> None:
        failed = ": failed" if data["failed"] and data["result"] is not None else ""
        self._test("attack", "ATT", data, failed)

    def _parry(self, data: Data) -> None:
        self._test("defence", "DEF", data, ": parried" if data["parried"] else ": hit")

    def _test(self, label: str, stat: str, data: Data, end: str) -> None:
        natural, result = data["natural"], data["result"]
        if natural is None:
            result = None
        value = 0 if result is None else result - natural
        self.say(f"{label:<9}{sums(data['dice'], stat, value, result)}{end}", 4)

    def _wound(self, data: Data) -> None:
        target, outcome = self.name(data["target"]), data["outcome"]
        dice = [die[1] for die in data["dice"]]
        strength, resistance = data["strength"], data["resistance"]
        line = max(dice) + strength - resistance
        shown = say(
            "{} + FOR {} − RES {} = {}",
            max(dice),
            number(strength),
            number(resistance),
            number(line),
        )
        still = say(", read further down as the shooter stood still") if data["still"] else ""
        text = say("{:<9}{}: {}{}", "wound", map(str, dice), shown, still)
        if dice == [6, 6] and outcome == "killed":
            outcome = say("killed (6-6, W-2.2)")
        if data["state"] == "dead":
            adds_up = say(" (wounds add up, W-3.1)") if data["outcome"] != "killed" else ""
            after = say("; {} is dead{}", target, adds_up)
        else:
            after = "" if data["state"] == outcome else f"; {target}: {data['state']}"
        self.say(f"{text}: {outcome}{after}", 4)

    def _end_combat(self, _: Data) -> None:
        self.combat = []

    def _pursuit(self, data: Data) -> None:
        self.say(f"{self.name(data['fighter'])} {_CHOICES[data['choice']]}")
