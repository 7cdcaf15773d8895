"""Profiles and editions as the arrays of `estoc.kernels.layout.combat`."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import IGNORED, LIGHTER, Number
from ...kernels.layout.combat import (
    COLUMNS,
    Column,
    Outcome,
    RerollOne,
    Rule,
    Rules,
    Sharing,
    Stat,
    Tie,
)
from ..edition.edition import Edition
from ..edition.rulebook import LEVELS
from ..errors import InputError, suggestion
from ..fighters.card import Profile
from ..letters import fold
from ..message import joined

_OUTCOMES = {
    "-": Outcome.NOTHING,
    "St": Outcome.STUNNED,
    "L": Outcome.LIGHT,
    "S": Outcome.SERIOUS,
    "C": Outcome.CRITICAL,
    "K": Outcome.KILLED,
}
_PLACES = ("legs", "arms", "abdomen", "thorax", "head")  # columns of ``wounds.table``
_WOUNDS = {Outcome.LIGHT: "light", Outcome.SERIOUS: "serious", Outcome.CRITICAL: "critical"}
_TIES = {
    "reroll": Tie.REROLL,
    "coin": Tie.COIN,
    "higher_characteristic": Tie.HIGHER_CHARACTERISTIC,
    "first": Tie.FIRST,
}
_REROLLS = {"reset": RerollOne.RESET, "add": RerollOne.ADD, "fail": RerollOne.FAIL}

UNHURT, STUNNED, DEAD = "unhurt", "stunned", "dead"
_STATE_WORDS = {
    UNHURT: ("indemne",),
    STUNNED: ("sonné", "sonnée"),
    "light": ("légère", "léger"),
    "serious": ("grave",),
    "critical": ("critique",),
    DEAD: ("mort", "morte", "tué", "tuée", "killed"),
}
_BY_WORD = {fold(w): word for word, others in _STATE_WORDS.items() for w in (word, *others)}


@lru_cache(maxsize=64)
def compile_rules(edition: Edition) -> Rules:
    """Return an edition as arrays, made once, not to be written to; `Rules` says which."""
    wound, offset = wound_table(edition)
    scalars = np.zeros(len(Rule), np.int64)
    scalars[Rule.REROLL_ONE] = _REROLLS[edition["tests.reroll_one"]]
    scalars[Rule.NATURAL_ONE_FAILS] = edition["tests.natural_one_fails"]
    scalars[Rule.AUTOMATIC_FAILURE] = edition["tests.automatic_failure"]
    scalars[Rule.ONE_CHAIN] = edition["tests.many_dice"] == "one_chain"
    scalars[Rule.OPPOSED_TIE] = _TIES[edition["tests.opposed_tie"]]
    scalars[Rule.DICE_BASE] = edition["dice.base"]
    scalars[Rule.DICE_PER_ENEMY] = edition["dice.per_enemy"]
    scalars[Rule.NUMBERS_BONUS] = edition["initiative.numbers_bonus"]
    scalars[Rule.SUSTAINED_PENALTY] = edition["defence.sustained_penalty"]
    scalars[Rule.WOUND_OFFSET] = offset
    scalars[Rule.DOUBLE_SIX_KILLS] = edition["wounds.double_six_kills"]
    states = _states(edition)
    killed = edition["wounds.killed_level"]
    return Rules(
        scalars=scalars,
        wound=wound,
        after=_after(edition),
        penalty=np.stack([pain_penalties(edition, stat.name) for stat in Stat], axis=2),
        charge=np.array([edition[f"charge.{stat.name}"] for stat in Stat], np.int64),
        recover=np.array(
            [states.index((level, 0)) for level, _ in states] + [len(states)], np.int64
        ),
        level=np.array([level for level, _ in states] + [killed], np.int64),
        starts=np.array(edition["wounds.starts"], np.int64),
        lines=_wound_lines(edition),
    )


def _wound_lines(edition: Edition) -> NDArray[np.int64]:
    """Return the outcomes by line of the wound table and by lower die - 1 (W-2.1)."""
    places = [_PLACES.index(place) for place in edition["wounds.places"]]
    lines = [[_OUTCOMES[code] for code in line.split()] for line in edition["wounds.table"]]
    return np.array([[line[place] for place in places] for line in lines], np.int64)


def wound_table(edition: Edition, lines_down: int = 0) -> tuple[NDArray[np.int64], int]:
    """Return ``Rules.wound`` and its offset (W-2), or as it is read some lines down.

    The first row of the array is so low that every roll reads the first line of the
    table, the last so high that every roll reads the last. A line is one of the printed
    table; towards killed, reading stops at the last.
    """
    starts, lines = edition["wounds.starts"], _wound_lines(edition)
    lowest, highest = starts[0] - 7, starts[-1] - 1
    dice = np.array(list(product(range(1, 7), repeat=2)))
    totals = np.arange(lowest, highest + 1)[:, None] + dice.max(axis=1)
    line = np.searchsorted(starts, totals, side="right") + lines_down
    wound = lines[np.minimum(line, len(lines) - 1), dice.min(axis=1) - 1]
    if edition["wounds.double_six_kills"]:
        wound[:, -1] = Outcome.KILLED
    return wound, -lowest


def _states(edition: Edition) -> list[tuple[int, int]]:
    """Return (wound level, stunned results) of every state but the last, dead."""
    most = 3 if edition["wounds.stunned_stacks"] else 1
    return list(product(range(edition["wounds.killed_level"]), range(most + 1)))


def _after(edition: Edition) -> NDArray[np.int64]:
    """Return the state after each state and outcome (W-3.1, W-3.3)."""
    states = _states(edition)
    most = states[-1][1]
    dead = len(states)
    after = np.full((dead + 1, len(Outcome)), dead, np.int64)
    for state, (level, stunned) in enumerate(states):
        after[state, Outcome.NOTHING] = state
        after[state, Outcome.STUNNED] = states.index((level, min(stunned + 1, most)))
        for outcome, wound in _WOUNDS.items():
            total = level + edition[f"wounds.{wound}"]
            if total < edition["wounds.killed_level"]:
                after[state, outcome] = states.index((total, stunned))
    return after


def pain_penalties(edition: Edition, stat: str) -> NDArray[np.int64]:
    """Return what each state takes from a characteristic, from the dead nothing (W-3.2).

    By how a fighter bears wounds, shape (PAINS, s): those up to a level cost nothing, the others
    what those of so many levels less cost (W-7); stunned costs what it does.
    """
    ignored, lighter = np.array(list(product(range(IGNORED), range(LIGHTER)))).T[:, :, None]
    suffered, stunned = np.array(_states(edition)).T
    levels = np.where(suffered <= ignored, 0, suffered - lighter)
    costs = np.array([0, *(edition[f"penalty.{wound}.{stat}"] for wound in LEVELS)], np.int64)
    worst = np.searchsorted([edition[f"wounds.{wound}"] for wound in LEVELS], levels, side="right")
    alive = costs[worst] + stunned * edition[f"penalty.stunned.{stat}"]
    return np.pad(alive, ((0, 0), (0, 1)))


def pain_of(numbers: NDArray[np.int64]) -> int:
    """Return which table of penalties a fighter with these numbers of abilities has (W-7)."""
    ignored, lighter = numbers[Number.IGNORED_LEVEL], numbers[Number.LIGHTER_LEVELS]
    return LIGHTER * min(int(ignored), IGNORED - 1) + min(int(lighter), LIGHTER - 1)


@lru_cache(maxsize=64)
def state_names(edition: Edition) -> tuple[str, ...]:
    """Return the names of the states, by code: "unhurt", "stunned", "light", … "dead".

    A name is the wounds that lead to the state: `state_code` reads it.
    """
    names = []
    for level, stunned in _states(edition):
        words = []
        for wound in reversed(LEVELS):
            while level >= edition[f"wounds.{wound}"]:
                words.append(wound)
                level -= edition[f"wounds.{wound}"]
        words = words + [STUNNED] * stunned or [UNHURT]
        names.append(joined(", ", words) if len(words) > 1 else words[0])
    return (*names, DEAD)


def state_code(edition: Edition, text: str, *, dead: bool = False) -> int:
    """Return the state of a fighter who has suffered these wounds."""
    level = stunned = 0
    for typed in filter(None, re.split(r"[\s,+]+", text)):
        word = _BY_WORD.get(fold(typed))
        if word is None:
            known = [w for w in _STATE_WORDS if w != DEAD]
            raise InputError('state "{}": no state "{}"; {}', text, typed, suggestion(typed, known))
        if word in LEVELS:
            level += edition[f"wounds.{word}"]
        elif word == STUNNED:
            stunned += 1
        elif word == DEAD:
            level = edition["wounds.killed_level"]
    states = _states(edition)
    if level >= edition["wounds.killed_level"]:
        if dead:
            return len(states)
        raise InputError('state "{}": he would be dead; a fighter starts alive', text)
    return states.index((level, min(stunned, states[-1][1])))


def fighter_row(
    profile: Profile,
    edition: Edition,
    *,
    state: int = 0,
    charged: bool = False,
    all_defence: bool = False,
    placed: tuple[int, int] | None = None,
    charging: bool = False,
    numbers: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """Return a fighter as a row of ``Setup.fighters``; ``placed``: his dice in attack and defence.

    ``numbers`` are those of his abilities (`compile_abilities`); the five characteristics of combat
    are needed of his card.
    """
    alive = len(_states(edition))
    if not 0 <= state < alive:
        raise InputError(
            'fighter "{}": state {} should be from 0 to {}', profile.name, state, alive - 1
        )
    if placed is not None and (min(placed) < 0 or sum(placed) == 0):
        raise InputError('fighter "{}": placed dice {} should be one or more', profile.name, placed)
    row = np.empty(COLUMNS, np.int64)
    for stat in Stat:
        row[stat] = profile.need(stat.name)
    row[Column.START] = state
    row[Column.CHARGED] = charged
    row[Column.ALL_DEFENCE] = all_defence
    row[Column.PA] = -1 if profile.PA is None else profile.PA
    row[Column.PLACED_ATTACK], row[Column.PLACED_DEFENCE] = placed or (-1, -1)
    row[Column.CHARGING], row[Column.PAIN] = charging, 0
    if numbers is not None:
        row[Column.PAIN] = pain_of(numbers)
    return row


def placing_order(
    fighters: Sequence[Profile], chooser_side: int, missing_pa: str = "equal"
) -> NDArray[np.int64]:
    """Return the order in which fighters place their dice (C-3.2 to C-3.4).

    Pure casters first, then by ascending PA; of equal enemies the side that did not
    choose the combat first; equal friends as listed. The first of the fighters is the lone one
    (side 0). An unknown PA (``defaults.missing_PA``) is before or after those of all others, or
    "equal": that of the lone fighter, and if it is his, equal to those of all his enemies.
    """
    unknown = _unknown_pa(fighters[0].PA, chooser_side, missing_pa)

    def rank(index: int) -> tuple[bool, float, bool]:
        fighter = fighters[index]
        value = unknown if fighter.PA is None else fighter.PA
        return not fighter.pure_caster, value, min(index, 1) == chooser_side

    return np.array(sorted(range(len(fighters)), key=rank), np.int64)


def _unknown_pa(lone: float | None, chooser_side: int, missing_pa: str) -> float:
    """Return what an unknown PA counts as, beside that of the lone fighter."""
    if missing_pa == "equal" and lone is not None:
        return lone
    first = missing_pa == "first" or (missing_pa == "equal" and chooser_side == 1)
    return -np.inf if first else np.inf


def power(profile: Profile, edition: Edition) -> tuple[int, bool]:
    """Return the power of a fighter (W-5), and whether it is assumed.

    The card's own figure, else that of its size, else the edition's default.
    """
    if profile.power is not None:
        return profile.power, False
    if profile.size:
        key = f"power.{fold(profile.size).replace(' ', '_')}"
        return edition[key], key in edition.assumed([key])
    return edition["defaults.power"], True


def charges_of_combat(fighters: int, chargers: Collection[int]) -> NDArray[np.bool_]:
    """Return who charges whom, [i, j], in one combat, the lone fighter first (M-5).

    Enemies charge him, all in one speaking turn; he charges all enemies that do not charge.
    """
    charging = np.zeros(fighters, np.bool_)
    charging[list(chargers)] = True
    charges = np.zeros((fighters, fighters), np.bool_)
    charges[1:, 0] = charging[1:]
    charges[0, 1:] = charging[0] & ~charging[1:]
    return charges


def charge_sharing(edition: Edition) -> Sharing:
    """Return how a charger's power counts against several enemies (M-5.2)."""
    return Sharing[edition["charge.sharing"].upper()]
