"""Words for the steps of a battle: dice, tests, moves, lists of names."""

from collections.abc import Sequence
from typing import Any

Dice = Sequence[Sequence[int]]

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
BANDS = ("short", "medium", "long")


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
