"""Fighters, sides and the position of a combat (C-1.2, C-3, W-3, W-7)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from reference.book import UNHURT, Book, Wounds, table_penalty, wound_penalty
from reference.feats import EFFECTS, amount, has, number


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
    effects: frozenset[str] = frozenset()  # of his abilities (W-7), as in `feats`
    numbers: tuple[tuple[str, int], ...] = ()
    banes: frozenset[int] = frozenset()  # whom he is a bane of
    charging: bool = False  # he charged, turn 0 only

    def __post_init__(self) -> None:
        if unknown := self.effects - EFFECTS:
            raise KeyError(*unknown)


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
    fury: str = "useful"  # "never", "always"
    chain: int = 1  # dice taken, if he may
    master: str = "useful"  # "never", "always"
    held: str = "useful"  # "attack", "defence"
    feint: str = "useful"  # "never", "always"
    luck: str = "useful"  # "never"


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
    # of abilities (W-7); what does not matter to a fighter stays as it is before dice are placed
    held: tuple[int, ...] = ()  # dice not placed yet
    used: tuple[tuple[int, int], ...] = ()  # attack, defence allotted, while he holds dice
    all_attack: tuple[bool, ...] = ()  # all his dice are or were in attack
    free: tuple[bool, ...] = ()  # his sustained die was a held one: it costs no DEF
    chain: tuple[int, ...] = ()  # dice taken for less ATT and DEF
    luck: tuple[int, ...] = ()  # tests that he may roll again
    fresh: tuple[bool, ...] = ()  # his first wound roll after a charge is to come
    doomed: tuple[bool, ...] = ()  # killed, he fights on
    struck: bool = False  # somebody in this pass, while held dice are used as is best


def bare(wounds: tuple[Wounds, ...], **fields: int) -> Position:
    """Position of fighters without any die."""
    count = len(wounds)
    nobody, nothing = (False,) * count, (0,) * count
    return Position(
        wounds,
        attack=nothing,
        defence=nothing,
        may_sustain=nobody,
        sustained=nobody,
        done=nobody,
        held=nothing,
        used=((0, 0),) * count,
        all_attack=nobody,
        free=nobody,
        chain=nothing,
        luck=nothing,
        fresh=nobody,
        doomed=nobody,
        **fields,
    )


def beginning(combat: Combat) -> Position:
    """Position before any die is placed."""
    return bare(tuple(fighter.wounds for fighter in combat.fighters))


def put(values: tuple, i: int, value: object) -> tuple:
    """The tuple with one entry changed."""
    return (*values[:i], value, *values[i + 1 :])


def change(position: Position, i: int, **fields: object) -> Position:
    """The position with entry i of the named fields changed."""
    new = {name: value for name, value in fields.items() if getattr(position, name)[i] != value}
    if not new:
        return position
    return replace(
        position, **{name: put(getattr(position, name), i, value) for name, value in new.items()}
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


def felt(fighter: Fighter, wounds: Wounds) -> Wounds:
    """His wounds as they cost him: some levels may cost less, or nothing (W-7)."""
    if wounds.level <= amount(fighter, "ignore_penalty", "ignored_level"):
        return replace(wounds, level=0)
    lighter = amount(fighter, "lighter_penalty", "lighter_levels")
    return replace(wounds, level=max(wounds.level - lighter, 0))


def current(combat: Combat, position: Position, i: int, characteristic: str) -> int:
    """Current characteristic: wounds, charge and sustained defence taken off.

    W-3.2 (at once, within the combat: C-6.7), M-5.1 (until the end of the turn), C-7.2
    (once, until the end of the combat; not with a held die: W-7).
    """
    fighter, book = combat.fighters[i], combat.book
    value = getattr(fighter, characteristic)
    value -= wound_penalty(book, felt(fighter, position.wounds[i]), characteristic)
    if fighter.charged and position.turn == 0:
        value -= table_penalty(book, "charged", characteristic)
    if characteristic == "DEF" and position.sustained[i] and not position.free[i]:
        value -= book.sustained_penalty
    return value


# --- what abilities add in a test (W-7) -----------------------------------------------


def despairs(combat: Combat, position: Position, i: int, j: int) -> bool:
    """Whether he is outnumbered, or this enemy costs more."""
    own, other = combat.fighters[i].PA, combat.fighters[j].PA
    dearer = own is not None and other is not None and other > own
    return dearer or len(enemies(position, i)) > len(living(position, side_of(i)))


def despair(combat: Combat, position: Position, i: int, j: int) -> int:
    """What Désespéré adds to his result against an enemy."""
    bonus = amount(combat.fighters[i], "desperate", "desperate_result")
    return bonus if despairs(combat, position, i, j) else 0


def chain_cost(combat: Combat, position: Position, i: int) -> int:
    """What Enchaînement takes from his ATT and DEF in this combat."""
    return amount(combat.fighters[i], "chain", "chain_cost") * position.chain[i]


def attack_value(combat: Combat, position: Position, i: int, j: int) -> int:
    """What is added to his attack die against an enemy."""
    value = current(combat, position, i, "ATT") + despair(combat, position, i, j)
    if position.all_attack[i]:
        value += amount(combat.fighters[i], "all_attack_result")
    return value - chain_cost(combat, position, i)


def defence_value(combat: Combat, position: Position, j: int, i: int) -> int:
    """What is added to his defence dice against an enemy."""
    value = current(combat, position, j, "DEF") + despair(combat, position, j, i)
    return value - chain_cost(combat, position, j)


def initiative_value(combat: Combat, position: Position, i: int) -> int:
    """What is added to his die of initiative, but for the bonus of numbers (C-4.2)."""
    value = current(combat, position, i, "INI")
    return value + max(despair(combat, position, i, j) for j in enemies(position, i))


def strength_value(combat: Combat, position: Position, i: int, master: bool) -> int:
    """Strength of his blow: FOR, in a master stroke with ATT as printed and its number."""
    value = current(combat, position, i, "FOR")
    if master:
        value += combat.fighters[i].ATT + number(combat.fighters[i], "master_strength")
    return value


def matters(fighter: Fighter, *effects: str) -> bool:
    """Whether he has one of these effects, so that something is kept track of."""
    return any(has(fighter, effect) for effect in effects)
