"""A log told in words, for golden files and for reading."""

from __future__ import annotations

from reference.book import LOCATIONS, OUTCOMES
from reference.combat import ATTACK, DIE, END, INITIATIVE, PARRY, PLACE, STRIKE, WOUND, Log, Row
from reference.rolls import COIN, DEFENCE
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
        }
        for row in log:
            tell[row[0]](row)
        return "\n".join(self.lines) + "\n"

    def dice(self, slot: int) -> str:
        """The chain of a slot, as in 6→4; the dice are then told."""
        return "→".join(str(value) for value in self.chains.pop(slot))

    def say(self, text: str) -> None:
        self.lines.append(text)

    def place(self, row: Row) -> None:
        _, turn, _, fighter, _, _, attack, defence, _ = row
        self.say(f"turn {turn + 1}: {self.names[fighter]}: {attack} attack, {defence} defence")

    def die(self, row: Row) -> None:
        slot, value = row[5], row[7]
        self.chains.setdefault(slot, []).append(value)

    def initiative(self, row: Row) -> None:
        _, _, _, lone, other, winner, result_lone, result_other, _ = row
        tests = f"{self.names[lone]} {self.dice(0)} = {result_lone}"
        tests += f", {self.names[other]} {self.dice(1)} = {result_other}"
        coin = f", coin {self.dice(COIN)}" if COIN in self.chains else ""
        end = "tie, again" if winner == -1 else f"{self.names[(lone, other)[winner]]} first"
        self.say(f"initiative: {tests}{coin}: {end}")

    def strike(self, row: Row) -> None:
        _, _, number, striker, target, committed, sustained, _, _ = row
        defence = "undefended"
        if committed > 0:
            defence = f"{committed} defence {'die' if committed == 1 else 'dice'}"
        if sustained:
            defence += ", sustained"
        self.say(f"pass {number + 1}: {self.names[striker]} → {self.names[target]}, {defence}")

    def attack(self, row: Row) -> None:
        _, _, _, _, _, _, _, result, failed = row
        end = ": automatic failure" if failed else ""
        self.say(f"  attack {self.dice(0)} = {result}{end}")

    def parry(self, row: Row) -> None:
        _, _, _, _, _, _, _, result, parried = row
        slots = sorted(slot for slot in self.chains if slot >= DEFENCE)
        dice = ", ".join(self.dice(slot) for slot in slots)
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
