"""Words for the steps of a battle: dice, tests, moves, lists of names; combats told in them."""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from ..base.options import SIDES

Dice = Sequence[Sequence[int]]
Data = dict[str, Any]
BANDS = ("short", "medium", "long")

# What a move is called as something announced, as something done, and its clause.
MOVES = {
    "charge": ("a charge", "charges", "M-4.1"),
    "engage": ("an engagement", "engages", "M-4.2"),
    "run": ("a run", "runs", "M-3.1"),
    "under_cover": ("a move under cover", "moves under cover", "M-6.1"),
    "walk": ("a walk", "walks", "M-2.2"),
    "turn": ("a turn", "turns on the spot", "M-1.5"),
    "flee": ("flight", "flees", "W-4.3"),
    "pursue": ("a pursuit", "pursues", "C-8.1"),
}

_TESTS = {
    "tactics": ("Tactics roll", "DIS", "T-2.3"),
    "separation": ("Test for the separation", "DIS", "C-1.4"),
    "authority": ("Authority roll", "DIS", "C-2.1"),
    "initiative": ("Initiative", "INI", "C-4"),
}
_CHOICES = {
    "stay": "stays where it is (C-8.1)",
    "move": "goes on (C-8.1)",
    "engage": "pursues to engage (C-8.1)",
}


def number(value: float) -> str:
    """Return a number with a true minus sign, and at most one decimal."""
    return f"{round(value, 1):g}".replace("-", "−")


def centimetres(value: float) -> str:
    """Return a length as ``12.5 cm``."""
    return f"{number(value)} cm"


def listed(names: Sequence[str]) -> str:
    """Return names as ``a, b and c``."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def chains(dice: Dice, roller: int | None = None) -> list[list[int]]:
    """Return the dice of a fighter as chains: each die, then its re-rolls (W-1.2).

    Dice have a roller, a value, their place in the chain and, of several dice, that of the die.
    """
    found: dict[int, list[int]] = {}
    for die in dice:
        if roller is None or die[0] == roller:
            found.setdefault(die[3] if len(die) > 3 else 0, []).append(die[1])
    return list(found.values())


def rolled(dice: Dice, roller: int | None = None) -> str:
    """Return dice as ``6→4, 3``."""
    return ", ".join("→".join(map(str, chain)) for chain in chains(dice, roller))


def total(dice: Dice, stat: str, value: int, result: int | None, roller: int | None = None) -> str:
    """Return a test as ``6→4: 10 + ATT 3 = 13``."""
    shown = rolled(dice, roller)
    if result is None:
        return f"{shown}: automatic failure (W-1.3)"
    natural = result - value
    counts = "" if shown == str(natural) else f"{shown}: "
    return f"{counts}{natural} + {stat} {number(value)} = {number(result)}"


def against(data: dict[str, Any], stat: str) -> str:
    """Return a test of a step against its difficulty."""
    text = total(data["dice"], stat, data["value"], data["result"])
    return f"{text} against {number(data['difficulty'])}"


class Teller(Protocol):
    """What a story gives to those who tell parts of it."""

    def say(self, text: str, indent: int = 0) -> None:
        """Add a paragraph."""

    def head(self, text: str, rule: str = "") -> None:
        """Add a heading."""

    def name(self, i: int) -> str:
        """Return what a fighter is called."""

    def named(self, fighters: Sequence[int]) -> str:
        """Return fighters as ``a, b and c``."""


class Bouts:
    """Tells what happens in combats, and the tests that both sides make."""

    def __init__(self, story: Teller) -> None:
        self.story = story
        self.combat: list[int] = []
        self.standing: list[list[int]] = []  # dice of who has not given up his (W-7)
        self.tellers: dict[str, Callable[[Data], None]] = {
            "opposed": self.tell_opposed,
            "coin": self.tell_coin,
            "melee": self.tell_melee,
            "separation": self.tell_separation,
            "named": self.tell_named,
            "combat": self.tell_combat,
            "place": self.tell_place,
            "strike": self.tell_strike,
            "attack": self.tell_attack,
            "parry": self.tell_parry,
            "wound": self.tell_wound,
            "end_combat": self.tell_end,
            "pursuit": self.tell_pursuit,
        }

    def give_up(self, data: Data) -> list[list[int]]:
        """Return the dice that luck gives up; the other's stand until the test is told (W-7)."""
        thrown = [*self.standing, *data["dice"]]
        self.standing = [die for die in thrown if die[0] != data["fighter"]]
        return [die for die in thrown if die[0] == data["fighter"]]

    def tell_opposed(self, data: Data) -> None:
        """Tell a test that both sides make."""
        purpose, stat, clause = _TESTS[data["purpose"]]
        again = f", roll-off {data['roll_off'] + 1}" if data["roll_off"] else f" ({clause})"
        self.story.say(f"{purpose}{again}", self._inside(data))
        dice, self.standing = [*self.standing, *data["dice"]], []
        for tester, value, result in zip(
            data["testers"], data["values"], data["results"], strict=True
        ):
            if tester >= 0:
                sums = total(dice, stat, value, result, tester)
                self.story.say(f"{self.story.name(tester)}: {sums}", self._inside(data) + 2)
        self.story.say(self._winner(data), self._inside(data) + 2)

    def _inside(self, data: Data) -> int:
        """Return how far in a test stands: that of a combat further than those of sides."""
        return 2 if data["purpose"] == "initiative" else 0

    def _winner(self, data: Data) -> str:
        winner = data["winner"]
        if winner < 0:
            return "equal: both roll again"
        if data["purpose"] == "initiative":
            first = [self.combat[0]] if winner == 0 else self.combat[1:]
            return f"{self.story.named(first)} strike{'s' * (len(first) == 1)} first"
        return f"{SIDES[winner]} wins"

    def tell_coin(self, data: Data) -> None:
        """Tell what a coin decides."""
        purpose, _, _ = _TESTS[data["purpose"]]
        self.story.say(f"{purpose}: a coin decides; {self._winner(data)}", self._inside(data))

    def tell_melee(self, data: Data) -> None:
        """Say who is in a melee."""
        if not data["melee"]:
            self.story.head("Melees (C-1.1)", "-")
        self.story.say(f"{data['melee'] + 1}: {self.story.named(data['fighters'])}")

    def tell_separation(self, data: Data) -> None:
        """Say into which combats a melee is separated."""
        combats = "; ".join(self._combat(combat) for combat in data["combats"])
        who = SIDES[data["side"]] if data["side"] >= 0 else ""
        if data["cause"] == "pursuit":
            text = f"{who or 'It'} separates anew (C-8.4)"
        else:
            text = f"Melee {data['melee'] + 1}, separated by {who}" if who else ""
            text = text or f"Melee {data['melee'] + 1}, nothing to choose (C-1.3)"
        self.story.say(f"{text}: {combats}")

    def _combat(self, combat: Sequence[int]) -> str:
        return f"{self.story.name(combat[0])} against {self.story.named(combat[1:])}"

    def tell_named(self, data: Data) -> None:
        """Say which combat a side names."""
        text = f"{SIDES[data['side']]} names {self._combat(data['combat'])}"
        if data["fighter"] >= 0:
            text += f"; {self.story.name(data['fighter'])} tests"
        self.story.say(f"{text} (C-2.1)")

    def tell_combat(self, data: Data) -> None:
        """Begin a combat."""
        self.combat = data["fighters"]
        why = f"chosen by {SIDES[data['side']]}"
        if data["cause"] == "pursuit":
            why = "caused by a pursuit (C-8)"
        self.story.head(f"Combat, {why}")
        self.story.say(self._combat(self.combat))

    def tell_place(self, data: Data) -> None:
        """Say how a fighter places its dice."""
        attack, defence, held = data["attack"], data["defence"], data.get("held")
        dice = f"{attack} in attack, {defence} in defence"
        if held:
            dice = f"{attack} in attack, {defence} in defence, {held} held"
        self.story.say(f"{self.story.name(data['fighter'])}: {dice}", 2)

    def tell_strike(self, data: Data) -> None:
        """Say who strikes whom, and how it is defended."""
        how = "undefended"
        if data["committed"]:
            dice = "die" if data["committed"] == 1 else "dice"
            how = f"{data['committed']} defence {dice}"
        if data["sustained"]:
            how = "sustained defence (C-7.2)"
        striker, target = self.story.name(data["striker"]), self.story.name(data["target"])
        self.story.say(f"{striker} strikes {target}, {how}", 2)

    def tell_attack(self, data: Data) -> None:
        """Tell an attack test."""
        failed = ": failed" if data["failed"] and data["result"] is not None else ""
        self._test("attack", "ATT", data, failed)

    def tell_parry(self, data: Data) -> None:
        """Tell a defence test."""
        self._test("defence", "DEF", data, ": parried" if data["parried"] else ": hit")

    def _test(self, label: str, stat: str, data: Data, end: str) -> None:
        natural, result = data["natural"], data["result"]
        if natural is None:
            result = None
        value = 0 if result is None else result - natural
        self.story.say(f"{label:<9}{total(data['dice'], stat, value, result)}{end}", 4)

    def tell_wound(self, data: Data) -> None:
        """Tell a wound roll, and how the one who was hit stands after it."""
        target, outcome = self.story.name(data["target"]), data["outcome"]
        dice = [die[1] for die in data["dice"]]
        strength, resistance = data["strength"], data["resistance"]
        line = max(dice) + strength - resistance
        sums = f"{max(dice)} + FOR {number(strength)} − RES {number(resistance)} = {number(line)}"
        still = ", read further down as the shooter stood still" if data["still"] else ""
        text = f"{'wound':<9}{', '.join(map(str, dice))}: {sums}{still}"
        if dice == [6, 6] and outcome == "killed":
            outcome = "killed (6-6, W-2.2)"
        if data["state"] == "dead":
            adds_up = " (wounds add up, W-3.1)" if data["outcome"] != "killed" else ""
            after = f"; {target} is dead{adds_up}"
        else:
            after = "" if data["state"] == outcome else f"; {target}: {data['state']}"
        self.story.say(f"{text}: {outcome}{after}", 4)

    def tell_end(self, data: Data) -> None:
        """Close a combat."""
        self.combat = []

    def tell_pursuit(self, data: Data) -> None:
        """Say what a survivor does."""
        self.story.say(f"{self.story.name(data['fighter'])} {_CHOICES[data['choice']]}")
