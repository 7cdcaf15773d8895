"""The events of one trial: as tidy rows, on a board of who stands how, and in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

from ...kernels.combat import trials
from ...kernels.core.dice import FAILED
from ...kernels.layout.abilities import Effect
from ...kernels.layout.combat import ATTACK as ATTACK_SLOT
from ...kernels.layout.combat import (
    ATTACK_AGAIN,
    COIN,
    DEFENCE,
    DEFENCE_AGAIN,
    SURVIVAL_DIE,
    TOXIC_DIE,
    Column,
    Outcome,
    RerollOne,
    Rule,
    Stat,
)
from ...kernels.layout.combat import WOUND as WOUND_SLOT
from ...kernels.layout.log import MAX_EVENTS, Event
from ...profiles.compile.combat import state_names
from ...profiles.errors import InputError
from ..base.answer import FIGHTER, columns
from ..base.result import Row
from .question import Question

Log = NDArray[np.int64] | Sequence[Sequence[int]]
Chains = Sequence[Sequence[int]]

EVENT = (  # None where they do not apply
    columns("whole", "number of the turn, from 1", "turn")
    + columns("text", "kind of the event", "event")
    + columns("whole", "number of the pass, roll-off or strike, from 1", "number")
    + columns("text", "whose event it is, and against whom", "fighter", "other", unit=FIGHTER)
    + columns("whole", "dice that he placed", "attack", "defence", unit="dice")
    + columns("text", "what a die is rolled for", "purpose")
    + columns("whole", "number of the die, from 1", "die")
    + columns("whole", "number of the throw of the die, from 0", "reroll")
    + columns("whole", "what it shows", "value")
    + columns("whole", "dice that he parries with", "committed", unit="dice")
    + columns("truth", "whether he sustains", "sustained")
    + columns("text", "side that wins Initiative", "winner")
    + columns("whole", "best natural result", "natural")
    + columns("whole", "result of a test, and of the other's", "result", "other_result")
    + columns("truth", "whether an attack fails, or is parried", "failed", "parried")
    + columns("text", "how badly he is hurt, and where", "outcome", "location")
    + columns("whole", "row of the table of wounds", "row")
    + columns("text", "how he is then", "state")
    + columns("whole", "dice held back", "held", unit="dice")
    + columns("text", "ability that acts (W-7)", "effect")
    + columns("whole", "dice that it gives", "dice", unit="dice")
    + columns("whole", "wound levels that it changes", "levels", unit="wound levels")
    + columns("truth", "whether it saves him", "saved")
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
    """A row of the kernels' log; `estoc.kernels.layout.log.LOG_COLUMNS` says what it means."""

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
    """Return the events of a log as rows with the columns of `EVENT`.

    Turns, passes, roll-offs and dice are numbered from 1, re-rolls of a die from 0, its
    first throw. A result that a rule fails (W-1.3) is None.
    """
    names = fighter_names(question)
    rows = []
    for line, purpose in lines_of(log):
        row: Row = {column.name: None for column in EVENT}
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


def signed(number: int) -> str:
    """Return a number with a true minus sign."""
    return str(number).replace("-", "−")


def counted(number: int, singular: str, plural: str) -> str:
    """Return ``1 die``, ``2 dice``."""
    return f"{number} {singular if number == 1 else plural}"


class Board:
    """How the fighters stand, as the log goes on."""

    def __init__(self, question: Question) -> None:
        setup, self.rules = question.setup, question.rules
        self.edition = question.options.edition
        self.fighters = setup.fighters
        self.state: list[int] = setup.fighters[:, Column.START].tolist()
        self.defence = [0] * len(self.state)  # dice
        self.sustained: dict[int, bool] = {}  # whether it takes from DEF
        self.doomed: list[int] = []  # killed, fight on to the end of the combat (W-7)
        self.turn = 0
        self.dead = len(self.rules.level) - 1

    @property
    def living(self) -> int:
        """Living enemies of the lone fighter."""
        return len(self.state) - 1 - self.state[1:].count(self.dead)

    @property
    def loser(self) -> int | None:
        """The side that is all dead."""
        if self.state[0] == self.dead:
            return 0
        return 1 if self.living == 0 else None

    def begin_turn(self, turn: int) -> list[int]:
        """Go on to a turn; return whose state the maintenance phase changed (T-5.3)."""
        before, self.turn = self.state, turn
        self.sustained = {}
        self.state = [int(self.rules.recover[state]) for state in before]
        return [i for i, state in enumerate(before) if state != self.state[i]]

    def begin_sustained(self, i: int, held: bool) -> bool:
        """Note a defence that is sustained (C-7.2); return whether it begins.

        With a die held back it takes nothing from DEF (W-7).
        """
        begins = i not in self.sustained
        if begins:
            self.sustained[i] = not held
        return begins

    def lose_defence(self, i: int, dice: int) -> None:
        """Take defence dice away; without one, nothing is sustained."""
        self.defence[i] -= dice
        if self.defence[i] == 0:
            self.sustained.pop(i, None)

    def fall(self) -> list[int]:
        """Let those die who were killed and fought on (W-7); return who."""
        fallen, self.doomed = self.doomed, []
        for i in fallen:
            self.state[i] = self.dead
        return fallen

    def charge(self, i: int) -> NDArray[np.int64]:
        """Return what being charged takes from a fighter in this turn (M-5.1)."""
        times = self.fighters[i, Column.CHARGED] if self.turn == 0 else 0
        return np.asarray(self.rules.charge * times, np.int64)

    def terms(self, i: int, stat: Stat) -> list[int]:
        """Return a characteristic as on the card, and what is added to it and taken from it."""
        taken = [self.rules.penalty[self.fighters[i, Column.PAIN], self.state[i], stat]]
        taken.append(self.charge(i)[stat])
        if stat == Stat.DEF and self.sustained.get(i):
            taken.append(self.rules.scalars[Rule.SUSTAINED_PENALTY])
        added = [-value for value in taken]
        if stat == Stat.INI and i > 0:
            added.append(self.rules.scalars[Rule.NUMBERS_BONUS] * (self.living - 1))
        return [int(self.fighters[i, stat]), *(int(value) for value in added if value)]

    def words(self, i: int, stat: Stat, able: int = 0) -> str:
        """Return a characteristic as ``ATT 3 (5−2)``; ``able`` is what abilities add (W-7)."""
        terms = self.terms(i, stat)
        made_of = "".join(f"+{t}" if t >= 0 else signed(t) for t in terms[1:])
        if able:
            plus = "+" if able > 0 else ""
            made_of += f", abilities {plus}{signed(able)}"
        shown = f" ({signed(terms[0])}{made_of})" if made_of else ""
        return f"{stat.name} {signed(sum(terms) + able)}{shown}"

    def natural(self, chain: list[int]) -> int:
        """Return the natural result of a die and its re-rolls (W-1.2)."""
        total = chain[0]
        if total <= self.rules.scalars[Rule.NATURAL_ONE_FAILS]:
            return FAILED
        for die in chain[1:]:
            turned = {RerollOne.RESET: 1, RerollOne.ADD: total + 1}
            mode = self.rules.scalars[Rule.REROLL_ONE]
            total = total + die if die > 1 else turned.get(mode, FAILED)
        return total

    def tie_words(self, winner: int, coin: list[list[int]]) -> str:
        """Say what decides an equal test (C-4.3)."""
        if winner < 0:
            how = "both roll again"
        elif coin:
            how = f"a coin decides, {coin[0][0]} on a die"
        elif self.edition["tests.opposed_tie"] == "first":
            how = "the side that chose the combat wins"
        else:
            how = "the higher INI wins"
        return f"Equal: {how} (C-4.3)."

    def sum_words(
        self, dice: list[list[int]], natural: int, result: int, i: int, stat: Stat
    ) -> str:
        """Return a test as ``6→4: 10 + ATT 3 = 13``."""
        shown = ", ".join("→".join(map(str, chain)) for chain in dice)
        if natural <= FAILED:
            return f"{shown}: automatic failure (W-1.3)"
        counts = "" if dice == [[natural]] else f"{shown}: "
        able = result - natural - sum(self.terms(i, stat))
        return f"{counts}{natural} + {self.words(i, stat, able)} = {signed(result)}"

    def outcome_words(self, line: Line, dice: list[int]) -> str:
        """Return the outcome of a wound roll, and that of the table where abilities change it."""
        outcome = Outcome(line.slot)
        low, high = sorted(dice)[-2:]
        row = line.y - high + self.rules.scalars[Rule.WOUND_OFFSET]
        row = min(max(row, 0), len(self.rules.wound) - 1)
        plain = Outcome(int(self.rules.wound[row, (high - 1) * 6 + low - 1]))
        if plain == outcome:
            return outcome.name.lower()
        changed = outcome.name.lower()
        return f"{plain.name.lower()}, with abilities {changed} (W-7)"


def taken_words(penalty: NDArray[np.int64]) -> str:
    """Return what a row of penalties takes, as ``−2 INI, ATT, FOR, DEF``."""
    by_value: dict[int, list[str]] = {}
    for stat in Stat:
        by_value.setdefault(int(penalty[stat]), []).append(stat.name)
    return "; ".join(
        f"{signed(-value) if value > 0 else f'+{-value}'} {', '.join(names)}"
        for value, names in by_value.items()
        if value
    )
