"""Words for the steps of a battle in which both sides fight: tests, melees, combats."""

from collections.abc import Sequence
from typing import Any

from ...profiles.message import joined, say, say_all, say_n
from ..base.options import SIDES
from ..combat.events import Dice, Teller, number, placed_words, rolled, total

Data = dict[str, Any]

_TESTS = say_all(
    {
        "tactics": ("Tactics roll", "DIS", "T-2.3"),
        "separation": ("Test for the separation", "DIS", "C-1.4"),
        "authority": ("Authority roll", "DIS", "C-2.1"),
        "initiative": ("Initiative", "INI", "C-4"),
    }
)
_CHOICES = say_all(
    {
        "stay": "{} stays where it is (C-8.1)",
        "move": "{} goes on (C-8.1)",
        "engage": "{} pursues to engage (C-8.1)",
    }
)


def listed(names: Sequence[str]) -> str:
    """Return names as ``a, b and c``."""
    *first, last = names or [""]
    return say("{} and {}", first, last) if first else last


def sums(dice: Dice, stat: str, value: int, result: int | None, roller: int | None = None) -> str:
    """Return a test as ``6→4: 10 + ATT 3 = 13``."""
    return total(rolled(dice, roller), say("{} {}", stat, number(value)), value, result)


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
        head = say("{} ({})", purpose, clause)
        if data["roll_off"]:
            head = say("{}, roll-off {}", purpose, data["roll_off"] + 1)
        # a test of a combat is further in than those of sides
        inside = 2 * (data["purpose"] == "initiative")
        self.say(head, inside)
        dice = self.all_dice(data["dice"])
        tests = zip(data["testers"], data["values"], data["results"], strict=True)
        for tester, value, result in tests:
            if tester >= 0:
                shown = sums(dice, stat, value, result, tester)
                self.say(say("{}: {}", self.name(tester), shown), inside + 2)
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
            return say_n("{1} strikes first", "{1} strike first", len(first), self.named(first))
        return say("{} wins", SIDES[winner])

    def _melee(self, data: Data) -> None:
        if not data["melee"]:
            self.head("Melees (C-1.1)", "-")
        self.say(say("{}: {}", data["melee"] + 1, self.named(data["fighters"])))

    def _separation(self, data: Data) -> None:
        combats = joined("; ", map(self._sides, data["combats"]))
        who = SIDES[data["side"]] if data["side"] >= 0 else ""
        melee = data["melee"] + 1
        if data["cause"] == "pursuit":
            text = (
                say("{} separates anew (C-8.4)", who) if who else say("It separates anew (C-8.4)")
            )
        elif who:
            text = say("Melee {}, separated by {}", melee, who)
        else:
            text = say("Melee {}, nothing to choose (C-1.3)", melee)
        self.say(say("{}: {}", text, combats))

    def _sides(self, combat: Sequence[int]) -> str:
        return say("{} against {}", self.name(combat[0]), self.named(combat[1:]))

    def _named(self, data: Data) -> None:
        side, combat = SIDES[data["side"]], self._sides(data["combat"])
        if data["fighter"] < 0:
            self.say(say("{} names {} (C-2.1)", side, combat))
            return
        self.say(say("{} names {}; {} tests (C-2.1)", side, combat, self.name(data["fighter"])))

    def _combat(self, data: Data) -> None:
        self.combat = data["fighters"]
        if data["cause"] == "pursuit":
            self.head("Combat, caused by a pursuit (C-8)")
        else:
            self.head(say("Combat, chosen by {}", SIDES[data["side"]]))
        self.say(self._sides(self.combat))

    def _place(self, data: Data) -> None:
        dice = placed_words(data["attack"], data["defence"], data.get("held", 0))
        self.say(say("{}: {}", self.name(data["fighter"]), dice), 2)

    def _strike(self, data: Data) -> None:
        how = say("undefended")
        if data["committed"]:
            how = say_n("{} defence die", "{} defence dice", data["committed"])
        if data["sustained"]:
            how = say("sustained defence (C-7.2)")
        striker, target = self.name(data["striker"]), self.name(data["target"])
        self.say(say("{} strikes {}, {}", striker, target, how), 2)

    def _attack(self, data: Data) -> None:
        failed = data["failed"] and data["result"] is not None
        self._test(say("attack"), "ATT", data, say("failed") if failed else "")

    def _parry(self, data: Data) -> None:
        self._test(say("defence"), "DEF", data, say("parried" if data["parried"] else "hit"))

    def _test(self, label: str, stat: str, data: Data, end: str) -> None:
        natural, result = data["natural"], data["result"]
        if natural is None:
            result = None
        value = 0 if result is None else result - natural
        shown = sums(data["dice"], stat, value, result)
        self.say(say("{:<9}{}", label, say("{}: {}", shown, end) if end else shown), 4)

    def _wound(self, data: Data) -> None:
        target, outcome, state = self.name(data["target"]), data["outcome"], data["state"]
        dice = [die[1] for die in data["dice"]]
        strength, resistance = data["strength"], data["resistance"]
        terms = (max(dice), strength, resistance, max(dice) + strength - resistance)
        line = say("{} + FOR {} − RES {} = {}", *map(number, terms))
        if data["still"]:
            line = say("{}, read further down as the shooter stood still", line)
        double_six = dice == [6, 6] and outcome == "killed"
        end = say("killed (6-6, W-2.2)") if double_six else outcome
        text = say("{:<9}{}: {}: {}", say("wound"), map(str, dice), line, end)
        if state == "dead" and outcome == "killed":
            text = say("{}; {} is dead", text, target)
        elif state == "dead":
            text = say("{}; {} is dead (wounds add up, W-3.1)", text, target)
        elif state != outcome:
            text = say("{}; {}: {}", text, target, state)
        self.say(text, 4)

    def _end_combat(self, _: Data) -> None:
        self.combat = []

    def _pursuit(self, data: Data) -> None:
        self.say(say(_CHOICES[data["choice"]], self.name(data["fighter"])))
