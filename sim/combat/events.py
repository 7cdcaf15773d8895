"""The events of one trial as tidy rows, and words for abilities in a transcript (W-7)."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from ...kernels.combat import trials
from ...kernels.core.dice import FAILED
from ...kernels.layout.abilities import MAP_COLUMNS, MAPS, NUMBERS, Effect, Number, Roll, Weapon
from ...kernels.layout.combat import ATTACK as ATTACK_SLOT
from ...kernels.layout.combat import (
    ATTACK_AGAIN,
    COIN,
    DEFENCE,
    DEFENCE_AGAIN,
    MAX_EVENTS,
    SURVIVAL_DIE,
    TOXIC_DIE,
    Event,
    Outcome,
)
from ...kernels.layout.combat import WOUND as WOUND_SLOT
from ...profiles.compile.combat import state_names
from ...profiles.errors import InputError
from ..base.result import Row
from .question import Question

Log = NDArray[np.int64] | Sequence[Sequence[int]]

# Columns of an event; None where they do not apply.
COLUMNS = (
    *("turn", "event", "number", "fighter", "other"),
    *("attack", "defence"),  # dice placed
    *("purpose", "die", "reroll", "value"),
    *("committed", "sustained"),
    *("winner", "natural", "result", "other_result", "failed", "parried"),
    *("outcome", "location", "row", "state"),
    *("held", "effect", "dice", "levels", "saved"),  # of abilities (W-7)
)


def trial_log(question: Question, seed: int, trial: int) -> NDArray[np.int64]:
    """Return the kernels' log of a trial, whole."""
    fights = trials.new_fight(question.setup, question.rules, seed, question.cell)
    log, complete = trials.replay(fights, trial, question.options.turns)
    if complete:
        return np.asarray(log, np.int64)
    told = int((log[: MAX_EVENTS - 1, 0] == Event.END).sum())
    raise InputError(
        f"trial {trial} has more than the {MAX_EVENTS} events that a transcript holds; "
        f"ask for at most {told} turns"
    )


def fighter_names(question: Question) -> list[str]:
    """Return what fighters are called in a transcript; namesakes get their side's letter."""
    labels = Counter(c.label for c in question.fighters)
    return [c.label if labels[c.label] == 1 else f"{c.label} ({c.side})" for c in question.fighters]


class Line(NamedTuple):
    """A row of the kernels' log; `estoc.kernels.layout.combat.LOG_COLUMNS` says what it means."""

    event: Event
    turn: int
    number: int
    fighter: int
    other: int
    slot: int
    x: int
    y: int
    z: int


def lines_of(log: Log) -> Iterator[tuple[Line, str]]:
    """Return the lines of a log, each with what it is for if it is a die."""
    opening = True  # the combat has had no attack yet: its dice are initiative's
    for row in log:
        kind, *cells = (int(cell) for cell in row)
        line = Line(Event(kind), *cells)
        if line.event in (Event.PLACE, Event.STRIKE):
            opening = line.event == Event.PLACE
        yield line, _purpose(line, opening) if line.event == Event.DIE else ""


def _purpose(line: Line, opening: bool) -> str:
    if opening:
        return "coin" if line.slot == COIN else "initiative"
    if line.slot == WOUND_SLOT:
        return {TOXIC_DIE: "toxic", SURVIVAL_DIE: "survival"}.get(line.x, "wound")
    return "attack" if line.slot in (ATTACK_SLOT, ATTACK_AGAIN) else "defence"


def event_rows(question: Question, log: Log) -> list[Row]:
    """Return the events of a log as rows with the columns of `COLUMNS`.

    Turns, passes, roll-offs and dice are numbered from 1, re-rolls of a die from 0, its
    first throw. A result that a rule fails (W-1.3) is None.
    """
    names = fighter_names(question)
    rows = []
    for line, purpose in lines_of(log):
        row: Row = dict.fromkeys(COLUMNS)
        row |= {"turn": line.turn + 1, "event": line.event.name.lower()}
        row |= {"fighter": names[line.fighter]} if line.fighter >= 0 else {}
        row |= {"other": names[line.other]} if line.other >= 0 else {}
        row |= _die_cells(line, purpose) if purpose else _cells(line, question)
        rows.append(row)
    return rows


def _cells(line: Line, question: Question) -> Row:
    """Return the cells of an event that is no die."""
    numbered: Row = {"number": line.number + 1}
    tested = numbered | {"natural": _known(line.x), "result": _known(line.y)}
    match line.event:
        case Event.PLACE:
            return {"attack": line.x, "defence": line.y, "held": line.z or None}
        case Event.STRIKE:
            return numbered | {"committed": line.slot, "sustained": bool(line.x)}
        case Event.ATTACK:
            return tested | {"failed": bool(line.z)}
        case Event.PARRY:
            return tested | {"parried": bool(line.z)}
        case Event.WOUND:
            edition = question.options.edition
            wound = {"outcome": Outcome(line.slot).name.lower(), "row": line.y}
            place = {"location": edition["wounds.places"][line.x - 1]}
            return numbered | wound | place | {"state": state_names(edition)[line.z]}
        case Event.INITIATIVE:
            winner = None if line.slot < 0 else question.fighters[line.slot].side
            results = {"result": _known(line.x), "other_result": _known(line.y)}
            return numbered | {"winner": winner} | results
        case Event.FEAT:
            effect = {"effect": Effect(line.slot).name.lower()}
            return (numbered if line.other >= 0 else {}) | effect | _feat_cells(line)
        case Event.END | Event.DIE:
            return {}
        case _:
            assert_never(line.event)


def _feat_cells(line: Line) -> Row:
    """Return what an ability does, its numbers under their names."""
    match Effect(line.slot):
        case Effect.LUCK:
            return {"result": _known(line.y)}  # the one given up
        case Effect.HOLD_BACK:
            return {"purpose": "defence" if line.x else "attack", "dice": 1}
        case Effect.FEINT:
            return {"attack": line.x, "defence": line.y, "held": line.z}
        case Effect.SURVIVAL:
            return {"value": line.x, "saved": bool(line.y)}
        case Effect.TOXIC:
            return {"value": line.x, "levels": line.y}
        case Effect.DIEHARD:
            return {}
        case _:  # those by which more dice are rolled
            return {"dice": line.x}


def _die_cells(line: Line, purpose: str) -> Row:
    """Return the cells of a die; those of a wound roll are never thrown again (W-1.6)."""
    die, reroll = 1, line.x
    if purpose == "wound":
        die, reroll = line.x + 1, 0
    elif purpose in ("toxic", "survival"):
        reroll = 0
    elif purpose == "defence":
        first = DEFENCE_AGAIN if line.slot >= DEFENCE_AGAIN else DEFENCE
        die = line.slot - first + 1
    cells = {"number": line.number + 1, "purpose": purpose, "die": die}
    return cells | {"reroll": reroll, "value": line.y}


def _known(number: int) -> int | None:
    return None if number <= FAILED else number


Chains = Sequence[Sequence[int]]

_LISTS = (Number.OPEN_ROLLS, Number.KILL_WEAPONS, Number.IGNORED_LOCATIONS)
_COLUMNS = {number.value: number.name.lower() for number in Number}


def feats_cells(battle: np.void, i: int) -> dict[str, Any]:
    """Return what a header says of a fighter's abilities; nothing of one who has none.

    Returns
    -------
    dict
        ``effects``, names of `Effect`; ``numbers``, those of `Number` that are not 0, lists in
        words where they are masks; ``dealt`` and ``suffered``, what outcomes become; ``banes``,
        the fighters whom he is a bane of.
    """
    flags, numbers = int(battle["effects"][i]), battle["numbers"][i].tolist()
    if not flags:
        return {}
    mapped = range(min(MAPS), max(MAPS) + MAP_COLUMNS)
    plain = [n for n in range(NUMBERS) if n not in mapped and n not in _LISTS and numbers[n]]
    dealt, suffered = (_changed(numbers[first : first + MAP_COLUMNS]) for first in MAPS)
    return {
        "effects": [effect.name.lower() for effect in Effect if flags >> effect & 1],
        "numbers": {
            **{_COLUMNS[n]: numbers[n] for n in plain},
            "open_rolls": [r.name.lower() for r in Roll if numbers[Number.OPEN_ROLLS] >> r & 1],
            "kill_weapons": [w.name.lower() for w in Weapon if numbers[Number.KILL_WEAPONS] & w],
            "ignored_locations": [
                die for die in range(1, 7) if numbers[Number.IGNORED_LOCATIONS] >> (die - 1) & 1
            ],
        },
        "dealt": dealt,
        "suffered": suffered,
        "banes": [j for j in range(battle["n"]) if battle["banes"][i, j]],
    }


def _changed(becomes: list[int]) -> dict[str, str]:
    return {
        outcome.name.lower(): Outcome(becomes[outcome]).name.lower()
        for outcome in Outcome
        if becomes[outcome] != outcome
    }


def feat_words(name: str, other: str, data: dict[str, Any], chains: Chains = ()) -> str:
    """Return what an ability does in words.

    Parameters
    ----------
    name, other : str
        Whose it is, and his enemy.
    data : dict
        Its effect, and the three numbers of its step.
    chains : sequence of sequence of int
        The dice that luck gives up, each with its re-rolls.
    """
    x, y, z = data["x"], data["y"], data["z"]
    match Effect[data["effect"].upper()]:
        case Effect.LUCK:
            what = f"{name} gives up {given_up(chains, y)} and, by luck, rolls again"
        case Effect.FURY:
            what = f"{name} is furious: dice +{x}, all in attack"
        case Effect.CHAIN:
            what = f"{name} takes dice +{x}, for ATT and DEF −{x}"
        case Effect.HOLD_BACK:
            what = f"{name} {'defends' if x else 'attacks'} with a held die"
        case Effect.MASTER_STROKE:
            what = f"{name} makes a master stroke with {x} dice"
        case Effect.COUNTER_ATTACK:
            what = f"{name} counter-attacks: attack dice +{x}"
        case Effect.PARRY_DICE:
            what = f"{name} has attack dice +{x} for the parry"
        case Effect.FEINT:
            what = f"{name} feints: {other} loses {x} attack, {y} defence, {z} held dice"
        case Effect.SURVIVAL:
            what = f"{name} rolls {x} to survive: {'unhurt' if y else 'no'}"
        case Effect.TOXIC:
            what = f"poison of {name}: {x}, so {y} worse"
        case Effect.DIEHARD:
            what = f"{name} is killed, and fights on"
        case other_effect:  # its own numbers are not known here
            what = f"{name}: {other_effect.name.lower()} {x}, {y}, {z}"
    return f"{what} (W-7)"


def given_up(chains: Chains, result: int | None) -> str:
    """Return dice that luck gives up as ``6→4, in all 13``; only the result if it says the same."""
    shown = ", ".join("→".join(map(str, chain)) for chain in chains)
    if result is None:
        return f"{shown}, an automatic failure" if shown else "an automatic failure"
    total = str(result).replace("-", "−")
    return f"{shown}, in all {total}" if shown and shown != total else total
