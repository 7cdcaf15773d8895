"""Both tapes of a battle: its dice, and what its players decided.

A transcript is taken apart here: `Dice` are all its dice in the order rolled, `Choices` what
the rules leave to players, a kind and the few cells that say it. Nothing else of a transcript
is handed on, so that all other cells have to be found anew from the clauses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple


class Step(NamedTuple):
    """A step of a transcript."""

    kind: str
    data: dict[str, Any]


class Illegal(AssertionError):
    """A decision, or a die, that a clause forbids."""

    def __init__(self, clause: str, text: str):
        super().__init__(f"{clause}: {text}")
        self.clause, self.text = clause, text


def must(holds: bool, clause: str, text: str) -> None:
    """Refuse what a clause forbids."""
    if not holds:
        raise Illegal(clause, text)


# The cells of each kind of step that its player decided.
DECIDED = {
    "sequence": ("side", "cards"),
    "coin": ("purpose", "winner"),
    "first": ("side",),
    "speak": ("move", "fighters"),
    "announce": ("fighter", "action", "targets", "disengages"),
    "disengage": ("fighter", "way"),
    "move": ("fighter", "action", "targets", "aimed", "at", "facing", "length", "toll"),
    "announce_walk": ("fighter",),
    "shoot": ("shooter", "target"),
    "throw": ("fighter", "shooter"),
    "cast": ("fighter", "mystic", "target", "outside"),
    "separation": ("combats",),
    "named": ("side", "combat"),
    "combat": ("fighters",),
    "place": ("fighter", "attack", "defence"),
    "strike": ("striker", "target", "committed", "sustained"),
    "pursuit": ("fighter", "choice"),
    "upkeep": ("source", "effect", "goes_on"),
    "feat": ("fighter", "effect", "x", "y", "z"),
}
# Abilities that are used, or not, as their player wants (W-7).
CHOSEN = ("luck", "fury", "chain", "hold_back", "master_stroke", "feint")


class Choice(NamedTuple):
    """A decision."""

    kind: str
    cells: dict[str, Any]


def decided(steps: Sequence[Step]) -> list[Choice]:
    """The decisions of a transcript; who takes an Initiative test is one as well (C-4.1).

    That a test is rolled again by luck is told before the test, and decided after it was begun.
    """
    found: list[Choice] = []
    again: list[Choice] = []
    for k, (kind, data) in enumerate(steps):
        if kind == "feat":
            if data["effect"] == "luck":
                again.append(Choice(kind, {key: data[key] for key in DECIDED[kind]}))
            elif data["effect"] in CHOSEN:
                found.append(Choice(kind, {key: data[key] for key in DECIDED[kind]}))
            continue
        if kind in DECIDED:
            cells = {key: data.get(key) for key in DECIDED[kind]}
            if kind in ("pursuit", "move"):
                cells["then"] = aim_of(steps[k + 1 :], data["fighter"])
            if kind == "cast":
                cells["when"] = k  # a decision as well, of one outside an activation
            found.append(Choice(kind, cells))
        elif kind == "opposed" and data["purpose"] == "initiative":
            found.append(Choice("testers", {"testers": data["testers"]}))
        found += again
        again = []
    return found


def aim_of(following: Sequence[Step], fighter: int) -> int | None:
    """Whom a fighter means to assail now: he may fail his Courage and never move (W-4.1)."""
    kind, data = next(step for step in following if step.kind != "feat")
    if data.get("fighter") != fighter:
        return None
    if kind == "courage":
        against: int = data["against"]
        return against
    if kind == "move":
        named = [*data["targets"], data.get("aimed")]
        return named[0]
    return None


class Choices:
    """The decisions, one after the other."""

    def __init__(self, choices: list[Choice]):
        self.left = list(reversed(choices))

    def next_is(self, kind: str, **cells: Any) -> bool:
        """Whether the next decision is of a kind and has these cells."""
        if not self.left or self.left[-1].kind != kind:
            return False
        return all(self.left[-1].cells[key] == value for key, value in cells.items())

    def coming(self, kind: str, after: str) -> dict[str, Any] | None:
        """The next decision of a kind, of those that only some of another kind come before."""
        for choice in reversed(self.left):
            if choice.kind == kind:
                return choice.cells
            if choice.kind != after:
                return None
        return None

    def take(self, kind: str, clause: str, **cells: Any) -> dict[str, Any]:
        """The next decision, which has to be of a kind: the clause asks for it now."""
        following = self.left[-1] if self.left else None
        must(self.next_is(kind, **cells), clause, f"{kind} {cells} is due, not {following}")
        return self.left.pop().cells


class Dice:
    """The dice, one after the other: who rolls, the value, place in the chain."""

    def __init__(self, dice: list[list[int]]):
        self.left = list(reversed(dice))

    def follows(self, roller: int, index: int, place: int = 0) -> bool:
        """Whether the next die is a re-roll of this chain."""
        if not self.left or index == 0:
            return False
        return [self.left[-1][k] for k in (0, 2, 3)] == [roller, index, place]

    def take(self, roller: int, index: int, place: int = 0) -> list[int]:
        """The next die, which has to be this one."""
        must(bool(self.left), "W-1.1", f"fighter {roller} has to roll a die")
        die = self.left.pop()
        wanted = [roller, die[1], index, place]
        must(die == wanted, "W-1.2", f"die {wanted} has to be rolled, not {die}")
        must(die[1] in range(1, 7), "W-1.1", f"a die shows 1 to 6, not {die[1]}")
        return die


def dice_of(steps: Iterable[Step]) -> list[list[int]]:
    """All dice of a transcript; the place of a die that is alone may be left out.

    Poison is told before the wound that it makes worse, and rolled after its dice (W-7).
    """
    found: list[list[int]] = []
    poison: list[list[int]] = []
    for kind, data in steps:
        dice = [[*die, 0][:4] for die in data.get("dice") or ()]
        if kind == "feat" and data["effect"] == "toxic":
            poison += dice
            continue
        found += dice
        if kind == "wound":
            found += poison
            poison = []
    return found
