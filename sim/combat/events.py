"""The log of one trial, of a combat or of a battle: decoded, as rows, in words."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, assert_never

import numpy as np
from numpy.typing import NDArray

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
from ...kernels.layout.log import Event, Story
from ...kernels.layout.maintenance import MAINTAINED
from ...profiles.compile.combat import state_names
from ...profiles.message import joined, say
from ..base.answer import columns
from ..base.result import Row
from ..text.paragraphs import Paragraphs
from .question import Question

Log = NDArray[np.int64] | Sequence[Sequence[int]]
Die = list[int]  # roller, value, place in the chain of re-rolls, and of several dice which it is
Dice = Sequence[Die]

EVENT = (  # None where they do not apply
    columns("whole", "number of the turn, from 1", "turn")
    + columns("text", "kind of the event", "event")
    + columns("whole", "number of the pass, roll-off or strike, from 1", "number")
    + columns("text", "whose event it is, and against whom", "fighter", "other", unit="fighter")
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
    + columns("whole", "wound levels that it changes", "levels", unit=say("wound levels"))
    + columns("truth", "whether it saves him", "saved")
)

# What sums up the dice before it.
_SUMS = {Event.INITIATIVE, Event.ATTACK, Event.PARRY, Event.WOUND, MAINTAINED, Story.OPPOSED}
_SUMS |= {Story.DISENGAGE, Story.COURAGE, Story.SHOOT, Story.WOUND, Story.CAST}


class Line(NamedTuple):
    """A row of a log; `estoc.kernels.layout.log` says what each kind of row means."""

    kind: int
    turn: int
    number: int
    a: int
    b: int
    slot: int
    x: int
    y: int
    z: int


def lines_of(log: Log) -> Iterator[Line]:
    """Yield the rows of a log, those of dice too."""
    for row in log:
        yield Line(*(int(cell) for cell in row))


def entries_of(log: Log) -> Iterator[tuple[Line, list[Line]]]:
    """Yield the rows of a log that are no dice, each with the dice that it sums up."""
    dice: list[Line] = []
    for line in lines_of(log):
        if line.kind == Event.DIE:
            dice.append(line)
            continue
        own = len(dice) if line.kind in _SUMS else 0
        if line.kind == Event.FEAT:
            taken = {Effect.LUCK: len(dice), Effect.SURVIVAL: len(dice), Effect.TOXIC: 1}
            own = taken.get(Effect(line.slot), 0)
        kept = len(dice) - own  # dice that wait for another row
        yield line, dice[kept:]
        del dice[kept:]


def known(result: int) -> int | None:
    """Return the result of a test; None if a rule failed it (W-1.3), whatever was added to it."""
    return None if result <= FAILED // 2 else result


def die_of(line: Line, roller: int, several: bool = True) -> Die:
    """Return a die of a fighter, who may defend with several."""
    return [roller, line.y, line.x, _die_number(line.slot) if several else 0]


def _die_number(slot: int) -> int:
    return max(slot - (DEFENCE_AGAIN if slot >= ATTACK_AGAIN else DEFENCE), 0)


# --- of one combat


def fighter_names(question: Question) -> list[str]:
    """Return what fighters are called in a transcript; namesakes get their side's letter."""
    labels = Counter(c.label for c in question.fighters)
    return [c.label if labels[c.label] == 1 else f"{c.label} ({c.side})" for c in question.fighters]


def event_rows(question: Question, log: Log) -> list[Row]:
    """Return the events of a log as rows with the columns of `EVENT`.

    Turns, passes, roll-offs and dice are numbered from 1, re-rolls of a die from 0, its
    first throw. A result that a rule fails (W-1.3) is None.
    """
    names, rows = fighter_names(question), []
    opening = True  # the combat has had no attack yet: its dice are initiative's
    for line in lines_of(log):
        event = Event(line.kind)
        if event in (Event.PLACE, Event.STRIKE):
            opening = event == Event.PLACE
        row: Row = {column.name: None for column in EVENT}
        row |= {"turn": line.turn + 1, "event": event.name.lower()}
        row |= {"fighter": names[line.a]} if line.a >= 0 else {}
        row |= {"other": names[line.b]} if line.b >= 0 else {}
        row |= _die_cells(line, opening) if event == Event.DIE else _cells(event, line, question)
        rows.append(row)
    return rows


def _cells(event: Event, line: Line, question: Question) -> Row:
    """Return the cells of an event that is no die."""
    numbered: Row = {"number": line.number + 1}
    tested = numbered | {"natural": known(line.x), "result": known(line.y)}
    match event:
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
            results = {"result": known(line.x), "other_result": known(line.y)}
            return numbered | {"winner": winner} | results
        case Event.FEAT:
            effect = {"effect": Effect(line.slot).name.lower()}
            return (numbered if line.b >= 0 else {}) | effect | _feat_cells(line)
        case Event.END | Event.DIE:
            return {}
        case _:
            assert_never(event)


def _feat_cells(line: Line) -> Row:
    """Return what an ability does, its numbers under their names."""
    match Effect(line.slot):
        case Effect.LUCK:
            return {"result": known(line.y)}  # the one given up
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


def _die_cells(line: Line, opening: bool) -> Row:
    """Return the cells of a die; those of a wound roll are never thrown again (W-1.6)."""
    die, reroll = 1, line.x
    if opening:
        purpose = "coin" if line.slot == COIN else "initiative"
    elif line.slot == WOUND_SLOT:
        purpose = {TOXIC_DIE: "toxic", SURVIVAL_DIE: "survival"}.get(line.x, "wound")
        die, reroll = line.x + 1 if purpose == "wound" else 1, 0
    elif line.slot in (ATTACK_SLOT, ATTACK_AGAIN):
        purpose = "attack"
    else:
        purpose, die = "defence", _die_number(line.slot) + 1
    cells = {"number": line.number + 1, "purpose": purpose, "die": die}
    return cells | {"reroll": reroll, "value": line.y}


class Board:
    """How the fighters stand, as the log goes on."""

    def __init__(self, question: Question) -> None:
        setup, self.rules = question.setup, question.rules
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
        before, self.turn, self.sustained = self.state, turn, {}
        self.state = [int(self.rules.recover[state]) for state in before]
        return [i for i, state in enumerate(before) if state != self.state[i]]

    def fall(self) -> list[int]:
        """Let those die who were killed and fought on (W-7); return who."""
        fallen, self.doomed = self.doomed, []
        for i in fallen:
            self.state[i] = self.dead
        return fallen

    def penalty(self, i: int) -> NDArray[np.int64]:
        """Return what a fighter's wounds take."""
        return np.asarray(self.rules.penalty[self.fighters[i, Column.PAIN], self.state[i]])

    def charge(self, i: int) -> NDArray[np.int64]:
        """Return what being charged takes from a fighter in this turn (M-5.1)."""
        times = self.fighters[i, Column.CHARGED] if self.turn == 0 else 0
        return np.asarray(self.rules.charge * times, np.int64)

    def terms(self, i: int, stat: Stat) -> list[int]:
        """Return a characteristic as on the card, and what is added to it and taken from it."""
        terms = [self.fighters[i, stat], -self.penalty(i)[stat], -self.charge(i)[stat]]
        if stat == Stat.DEF and self.sustained.get(i):
            terms.append(-self.rules.scalars[Rule.SUSTAINED_PENALTY])
        if stat == Stat.INI and i > 0:
            terms.append(self.rules.scalars[Rule.NUMBERS_BONUS] * (self.living - 1))
        return [int(term) for k, term in enumerate(terms) if term or k == 0]

    def words(self, i: int, stat: Stat, able: int = 0) -> str:
        """Return a characteristic as ``ATT 3 (5−2)``; ``able`` is what abilities add (W-7)."""
        first, *others = self.terms(i, stat)
        value = f"{stat.name} {number(first + sum(others) + able)}"
        made_of = number(first) + "".join(map(_plus, others))
        if able:
            return say("{} ({}, abilities {})", value, made_of, _plus(able))
        return f"{value} ({made_of})" if others else value

    def natural(self, chain: list[int]) -> int | None:
        """Return the natural result of a die and its re-rolls (W-1.2)."""
        natural = chain[0]
        if natural <= self.rules.scalars[Rule.NATURAL_ONE_FAILS]:
            return None
        for die in chain[1:]:
            turned = {RerollOne.RESET: 1, RerollOne.ADD: natural + 1}
            if die == 1 and (mode := self.rules.scalars[Rule.REROLL_ONE]) not in turned:
                return None
            natural = natural + die if die > 1 else turned[mode]
        return natural


def _plus(term: int) -> str:
    return f"+{term}" if term >= 0 else number(term)


def taken_words(penalty: NDArray[np.int64]) -> str:
    """Return what a row of penalties takes, as ``−2 INI, ATT, FOR, DEF``."""
    by_value: dict[int, list[str]] = {}
    for stat in Stat:
        by_value.setdefault(int(penalty[stat]), []).append(stat.name)
    return joined(
        "; ", (f"{_plus(-value)} {', '.join(stats)}" for value, stats in by_value.items() if value)
    )


# --- in words


def number(value: float) -> str:
    """Return a number with a true minus sign, and at most one decimal."""
    return f"{round(value, 1):g}".replace("-", "−")


def chains_of(dice: Dice, roller: int | None = None) -> list[list[int]]:
    """Return the dice of a fighter as chains: each die, then its re-rolls (W-1.2)."""
    chains: dict[int, list[int]] = {}
    for die in dice:
        if roller is None or die[0] == roller:
            chains.setdefault(die[3] if len(die) > 3 else 0, []).append(die[1])
    return list(chains.values())


def rolled(dice: Dice, roller: int | None = None) -> str:
    """Return dice as ``6→4, 3``."""
    return ", ".join("→".join(map(str, chain)) for chain in chains_of(dice, roller))


def total(shown: str, characteristic: str, value: int, result: int | None) -> str:
    """Return a test of dice that are shown as ``6→4`` as ``6→4: 10 + ATT 3 = 13``."""
    if result is None:
        return say("{}: automatic failure (W-1.3)", shown)
    natural = result - value
    told = natural, characteristic, number(result)
    if shown == str(natural):
        return say("{} + {} = {}", *told)
    return say("{}: {} + {} = {}", shown, *told)


def placed_words(attack: int, defence: int, held: int) -> str:
    """Return how dice are placed."""
    if held:
        return say("{} in attack, {} in defence, {} held", attack, defence, held)
    return say("{} in attack, {} in defence", attack, defence)


class Teller(Paragraphs):
    """Tells what abilities do, and keeps the dice that were not given up by luck (W-7)."""

    def __init__(self) -> None:
        super().__init__()
        self.standing: list[Die] = []  # until the test that they belong to is told

    def all_dice(self, dice: Dice) -> list[Die]:
        """Return the dice of a test: those before it, and those that stand."""
        dice, self.standing = [*self.standing, *dice], []
        return dice

    def feat_words(self, feat: dict[str, Any], name: str, other: str) -> str:
        """Return what an ability does: the cells of its step, whose it is, and his enemy."""
        x, y, z = feat["x"], feat["y"], feat["z"]
        match Effect[feat["effect"].upper()]:
            case Effect.LUCK:
                dice, who = self.all_dice(feat["dice"]), feat["fighter"]
                self.standing = [die for die in dice if die[0] != who]
                given_up = _given_up(rolled(dice, who), y)
                what = say("{} gives up {} and, by luck, rolls again", name, given_up)
            case Effect.FURY:
                what = say("{} is furious: dice +{}, all in attack", name, x)
            case Effect.CHAIN:
                what = say("{} takes dice +{}, for ATT and DEF −{}", name, x, x)
            case Effect.HOLD_BACK:
                what = say(
                    "{} defends with a held die" if x else "{} attacks with a held die", name
                )
            case Effect.MASTER_STROKE:
                what = say("{} makes a master stroke with {} dice", name, x)
            case Effect.COUNTER_ATTACK:
                what = say("{} counter-attacks: attack dice +{}", name, x)
            case Effect.PARRY_DICE:
                what = say("{} has attack dice +{} for the parry", name, x)
            case Effect.FEINT:
                what = say(
                    "{} feints: {} loses {} attack, {} defence, {} held dice", name, other, x, y, z
                )
            case Effect.SURVIVAL:
                what = say(
                    "{} rolls {} to survive: unhurt" if y else "{} rolls {} to survive: no", name, x
                )
            case Effect.TOXIC:
                what = say("poison of {}: {}, so {} worse", name, x, y)
            case Effect.DIEHARD:
                what = say("{} is killed, and fights on", name)
            case other_effect:  # its own numbers are not known here
                what = say("{}: {} {}, {}, {}", name, other_effect.name.lower(), x, y, z)
        return say("{} (W-7)", what)


def _given_up(shown: str, result: int | None) -> str:
    """Return dice that luck gives up as ``6→4, in all 13``; only the result if it says the same."""
    if result is None:
        return say("{}, an automatic failure", shown) if shown else say("an automatic failure")
    in_all = number(result)
    return say("{}, in all {}", shown, in_all) if shown and shown != in_all else in_all
