"""A log told in words, for golden files and for reading."""

from __future__ import annotations

from reference.book import LOCATIONS, OUTCOMES
from reference.combat import (
    ATTACK,
    DIE,
    END,
    FEAT,
    INITIATIVE,
    PARRY,
    PLACE,
    STRIKE,
    WOUND,
    Log,
    Row,
)
from reference.feats import CODES
from reference.rolls import COIN, DEFENCE, LUCKY, SURVIVAL, TOXIC
from reference.rolls import WOUND as WOUND_SLOT
from reference.state import Combat

WORDS = dict(
    zip(OUTCOMES, ("nothing", "stunned", "light", "serious", "critical", "killed"), strict=True)
)
STATES = ("unhurt", "stunned", "light", "light and stunned", "serious", "serious and stunned")
STATES = (*STATES, "critical", "critical and stunned", "dead")


class Transcript:
    """Reads a log row by row; dice wait until a row sums them up."""

    def __init__(self, combat: Combat):
        self.names = [fighter.name for fighter in combat.fighters]
        self.lines: list[str] = []
        self.chains: dict[int, list[int]] = {}

    def read(self, log: Log) -> str:
        tell = {
            PLACE: self.place,
            DIE: self.die,
            INITIATIVE: self.initiative,
            STRIKE: self.strike,
            ATTACK: self.attack,
            PARRY: self.parry,
            WOUND: self.wound,
            END: self.end,
            FEAT: self.feat,
        }
        for row in log:
            tell[row[0]](row)
        return "\n".join(self.lines) + "\n"

    def dice(self, slot: int) -> str:
        """The chain of a slot, as in 6→4; the dice are then told."""
        return "→".join(str(value) for value in self.chains.pop(slot))

    def all_dice(self, first: int, last: int = 99) -> str:
        """The chains of these slots."""
        slots = sorted(slot for slot in self.chains if first <= slot <= last)
        return ", ".join(self.dice(slot) for slot in slots)

    def say(self, text: str) -> None:
        self.lines.append(text)

    def place(self, row: Row) -> None:
        _, turn, _, fighter, _, _, attack, defence, _ = row
        held = f", {row[8]} held back" if row[8] else ""
        dice = f"{attack} attack, {defence} defence{held}"
        self.say(f"turn {turn + 1}: {self.names[fighter]}: {dice}")

    def die(self, row: Row) -> None:
        slot, index, value = row[5], row[6], row[7]
        if slot == WOUND_SLOT and index in (TOXIC, SURVIVAL):
            return  # the ability's own row tells it
        self.chains.setdefault(slot, []).append(value)

    def feat(self, row: Row) -> None:
        _, turn, _, fighter, other, effect, x, y, z = row
        name = next(name for name, code in CODES.items() if code == effect)
        told = {
            "fury": f"{x} more, all in attack",
            "chain": f"{x} more, for ATT and DEF",
            "luck": f"rolls again {self.luck(x) if name == 'luck' else ''} = {y}",
            "hold_back": f"a held die in {'defence' if x else 'attack'}",
            "master_stroke": f"{x} dice in one attack",
            "counter_attack": f"{x} more to attack",
            "parry_dice": f"{x} more to attack",
            "feint": f"takes {x} attack, {y} defence, {z} held",
            "survival": f"{x}: {'no wound roll' if y else 'in vain'}",
            "toxic": f"{x}: {y} worse",
            "diehard": "fights on",
        }[name]
        turns = f"turn {turn + 1}: " if other == -1 else "  "
        self.say(f"{turns}{self.names[fighter]}, {name.replace('_', ' ')}: {told}")

    def luck(self, slot: int) -> str:
        """The dice of a test that is given up: in initiative the first or the last ones."""
        if slot == DEFENCE:
            return self.all_dice(DEFENCE, LUCKY - 1)
        alike = [k for k in self.chains if k % 2 == slot and k != COIN]
        return self.dice(max(alike))

    def initiative(self, row: Row) -> None:
        _, _, _, lone, other, winner, result_lone, result_other, _ = row
        one, two = (max(k for k in self.chains if k % 2 == n and k != COIN) for n in (0, 1))
        tests = f"{self.names[lone]} {self.dice(one)} = {result_lone}"
        tests += f", {self.names[other]} {self.dice(two)} = {result_other}"
        coin = f", coin {self.dice(COIN)}" if COIN in self.chains else ""
        end = "tie, again" if winner == -1 else f"{self.names[(lone, other)[winner]]} first"
        self.say(f"initiative: {tests}{coin}: {end}")

    def strike(self, row: Row) -> None:
        _, _, number, striker, target, committed, sustained, _, _ = row
        self.chains = {}
        defence = "undefended"
        if committed > 0:
            defence = f"{committed} defence {'die' if committed == 1 else 'dice'}"
        if sustained:
            defence += ", sustained"
        self.say(f"pass {number + 1}: {self.names[striker]} → {self.names[target]}, {defence}")

    def attack(self, row: Row) -> None:
        _, _, _, _, _, _, _, result, failed = row
        end = ": automatic failure" if failed else ""
        self.say(f"  attack {self.dice(max(self.chains))} = {result}{end}")

    def parry(self, row: Row) -> None:
        _, _, _, _, _, _, _, result, parried = row
        dice = self.all_dice(DEFENCE)
        self.say(f"  defence {dice} = {result}: {'parried' if parried else 'the attack lands'}")

    def wound(self, row: Row) -> None:
        _, _, _, _, target, outcome, lower, number, state = row
        dice = ", ".join(str(value) for value in self.chains.pop(WOUND_SLOT))
        where = LOCATIONS[lower - 1]
        wound = f"{where}, result {number}: {WORDS[OUTCOMES[outcome]]}"
        self.say(f"  wound {dice}: {wound}; {self.names[target]} is {STATES[state]}")

    def end(self, row: Row) -> None:
        self.say(f"end of the combat of turn {row[1] + 1}")


def transcript(combat: Combat, log: Log) -> str:
    """The log of a combat as text."""
    return Transcript(combat).read(log)
