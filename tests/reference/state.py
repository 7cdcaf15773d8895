"""Fighters, sides and the position of a combat (C-1.2, C-3, W-3)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from reference.book import UNHURT, Book, Wounds, table_penalty, wound_penalty


@dataclass(frozen=True)
class Fighter:
    """A fighter as it enters the combat."""

    name: str
    INI: int
    ATT: int
    FOR: int
    DEF: int
    RES: int
    PA: int | None = None  # strategic value, None = unknown
    pure_caster: bool = False  # C-3.4
    wounds: Wounds = UNHURT
    charged: bool = False  # M-5.1, turn 0 only
    all_defence: bool = False  # C-3.6, turn 0 only
    placed: tuple[int, int] | None = None  # attack and defence dice


@dataclass(frozen=True)
class Policy:
    """How a side decides what the rules leave to its player."""

    placement: str = "answer"  # "even", "attack", "defence"
    initiative: str = "best"  # "listed"
    strike_order: str = "weakest"  # "strongest", "listed"
    target: str = "wounded"  # "undefended", "dearest", "frail", "listed"
    parry: str | int = 1  # "none", "spread", "all", or a number of dice
    sustain: str = "useful"  # "never", "always"
    reroll_attack: str = "needed"  # "never", "always"
    margin: int = 5
    reroll_defence: str = "needed"
    reroll_initiative: str = "needed"


@dataclass(frozen=True)
class Combat:
    """One lone fighter, index 0 and side 0, against enemies, indices 1.. and side 1."""

    fighters: tuple[Fighter, ...]
    policies: tuple[Policy, Policy] = (Policy(), Policy())
    chooser: int = 0  # side that chose the combat (C-3.3)
    book: Book = field(default_factory=Book)
    turns: int = 1
    order: tuple[int, ...] | None = None  # placing order, overrides C-3.2 to C-3.4


@dataclass(frozen=True)
class Position:
    """Everything that can still matter for the rest of a combat."""

    wounds: tuple[Wounds, ...]
    attack: tuple[int, ...]  # attack dice left
    defence: tuple[int, ...]  # defence dice left, a sustained one included
    may_sustain: tuple[bool, ...]  # placed at least as many defence as attack dice (C-7.1)
    sustained: tuple[bool, ...]
    done: tuple[bool, ...]  # in this side's part of the pass: has struck, or was struck by 0
    turn: int = 0
    number: int = 0  # pass of arms
    first: int = -1  # winner of this turn's initiative
    opening: int = -1  # winner of turn 0's initiative
    striking: int = -1  # side whose part of the pass it is


def beginning(combat: Combat) -> Position:
    """Position before any die is placed."""
    count = len(combat.fighters)
    nobody = (False,) * count
    wounds = tuple(fighter.wounds for fighter in combat.fighters)
    return Position(wounds, (0,) * count, (0,) * count, nobody, nobody, nobody)


def put(values: tuple, i: int, value: object) -> tuple:
    """The tuple with one entry changed."""
    return (*values[:i], value, *values[i + 1 :])


def change(position: Position, i: int, **fields: object) -> Position:
    """The position with entry i of the named fields changed."""
    return replace(
        position, **{name: put(getattr(position, name), i, new) for name, new in fields.items()}
    )


def side_of(i: int) -> int:
    return 0 if i == 0 else 1


def alive(position: Position, i: int) -> bool:
    return not position.wounds[i].dead


def living(position: Position, side: int) -> list[int]:
    """Living fighters of a side in listed order."""
    return [i for i in range(len(position.wounds)) if side_of(i) == side and alive(position, i)]


def enemies(position: Position, i: int) -> list[int]:
    """Living enemies of a fighter in listed order."""
    return living(position, 1 - side_of(i))


def current(combat: Combat, position: Position, i: int, characteristic: str) -> int:
    """Current characteristic: wounds, charge and sustained defence taken off.

    W-3.2 (at once, within the combat: C-6.7), M-5.1 (until the end of the turn), C-7.2
    (once, until the end of the combat).
    """
    fighter, book = combat.fighters[i], combat.book
    value = getattr(fighter, characteristic)
    value -= wound_penalty(book, position.wounds[i], characteristic)
    if fighter.charged and position.turn == 0:
        value -= table_penalty(book, "charged", characteristic)
    if characteristic == "DEF" and position.sustained[i]:
        value -= book.sustained_penalty
    return value
