"""The log of one trial of a battle: its rows, and the steps that the rows of activations become."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.core.dice import FAILED
from ...kernels.layout.abilities import Effect
from ...kernels.layout.actions import Action
from ...kernels.layout.actions import Step as ActionStep
from ...kernels.layout.battle import Deed, Mystic, Purpose, Trait
from ...kernels.layout.cards import Move
from ...kernels.layout.combat import DEFENCE, DEFENCE_AGAIN, Outcome, Stat
from ...kernels.layout.rolls import Way
from ...profiles.compile.combat import state_names
from ...profiles.edition.edition import Edition

Log = NDArray[np.int64] | Sequence[Sequence[int]]

_MOVES = {**{a.value: a.name.lower() for a in Action}, ActionStep.TURN.value: "turn"}
_MOVES |= {deed.value: deed.name.lower() for deed in Deed}
_WAYS = [way.name.lower() for way in Way]
_ASSAULTS = ("charge", "engage", "pursue")


class Step(NamedTuple):
    """Something that happened in a battle.

    Parameters
    ----------
    kind : str
        As ``"move"``; the module `estoc.sim.audit.audit` says what each kind has to be.
    data : dict
        What JSON can hold.
    """

    kind: str
    data: dict[str, Any]


class Line(NamedTuple):
    """A row of a battle's log; `estoc.kernels.layout.log.Story` says what it means."""

    kind: int
    turn: int
    number: int
    a: int
    b: int
    slot: int
    x: int
    y: int
    z: int


def members(mask: int) -> list[int]:
    """Return the fighters of a mask of the log."""
    mask &= 2**64 - 1
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def known(result: int) -> int | None:
    """Return a result of the log; None if a rule failed it."""
    return None if result <= FAILED // 2 else result


def lone_first(lone: int, mask: int) -> list[int]:
    """Return the fighters of a mask, the lone one first."""
    return [lone, *(i for i in members(mask) if i != lone)]


class Reader:
    """Turns the rows of activations into steps; dice wait for the step that they belong to."""

    def __init__(self, battle: np.void, edition: Edition) -> None:
        self.battle, self.edition = battle, edition
        self.states = state_names(edition)
        n = battle["n"]
        self.state = battle["traits"][:n, Trait.START].tolist()
        self.resistance = battle["traits"][:n, Stat.RES].tolist()
        self.penalty = battle["fight"]["penalty"][battle["pain"][:n]].tolist()
        self.dice: list[list[int]] = []
        self.combat: list[int] = []  # fighters by their place in the combat
        self.values: list[int] = []
        self.aim = (0, 0)
        self.nerve: dict[int, int] = {}
        self.charged: set[int] = set()
        self.doomed: dict[int, int] = {}  # killed, fight on; by whom
        self.struck = False  # whether somebody has struck in this combat
        self.bonus = int(edition["initiative.numbers_bonus"])
        self.found: list[Step] = []

    def _add(self, kind: str, **data: Any) -> None:
        self.found.append(Step(kind, data))

    def _taken(self) -> list[list[int]]:
        dice, self.dice = self.dice, []
        return dice

    # --- dice and tests

    def _die(self, line: Line) -> None:
        first = DEFENCE_AGAIN if line.slot >= DEFENCE_AGAIN - DEFENCE else DEFENCE
        place = max(line.slot - first, 0) if self.struck else 0
        roller = self.combat[line.a] if self.combat else line.a
        self.dice.append([roller, line.y, line.x, place])

    def _values(self, line: Line) -> None:
        self.values = [line.a, line.b]

    def _opposed(self, line: Line) -> None:
        self._test(Purpose(line.slot).name.lower(), line, [line.a, line.b], line.z)

    def _test(self, purpose: str, line: Line, testers: list[int], winner: int) -> None:
        results = [known(line.x), known(line.y)]
        data = {"roll_off": line.number, "testers": testers, "values": list(self.values)}
        self._add(
            "opposed", purpose=purpose, **data, results=results, winner=winner, dice=self._taken()
        )

    def _coin(self, line: Line) -> None:
        self._add("coin", purpose=Purpose(line.slot).name.lower(), winner=line.z)

    # --- abilities (W-7)

    def _feat(self, line: Line) -> None:
        """Tell what an ability does: of luck with the dice that are given up."""
        effect = Effect(line.slot)
        fighter, other = (self.combat[i] if self.combat else i for i in (line.a, line.b))
        if effect == Effect.DIEHARD and line.x:
            self._fall(fighter, other)
            return
        dice: list[list[int]] = []
        if effect in (Effect.LUCK, Effect.SURVIVAL):
            dice = self._taken()
        elif effect == Effect.TOXIC:
            dice = [self.dice.pop()]
        elif effect == Effect.DIEHARD:
            self.doomed[fighter] = other
        x, y = line.x, known(line.y)
        against = other if line.b >= 0 else None
        cells = {"fighter": fighter, "against": against, "effect": effect.name.lower()}
        self._add("feat", **cells, x=x, y=y, z=line.z, dice=dice)

    def _fall(self, fighter: int, killer: int) -> None:
        """Tell the death of one who was killed before and fought on."""
        self.doomed.pop(fighter, None)
        self.state[fighter] = len(self.states) - 1
        self._add("fall", fighter=fighter, by=killer)

    # --- turn and cards

    def _turn(self, line: Line) -> None:
        self._add("turn", turn=line.turn)
        self._add("sequence", side=0, cards=[])
        self._add("sequence", side=1, cards=[])

    def _card(self, line: Line) -> None:
        self.found[-2 + line.a].data["cards"].append(line.x)

    def _first(self, line: Line) -> None:
        self._add("first", side=line.a, winner=line.b)

    def _speak(self, line: Line) -> None:
        reserve, top = line.x, line.y
        self._add(
            "speak",
            side=line.a,
            move=Move(line.b).name.lower(),
            top=top,
            reserve=reserve,
            held=line.slot,
            refusals=line.z,
            fighters=[],
        )

    def _activate(self, line: Line) -> None:
        self.found[-1].data["fighters"].append(line.a)

    def _announce(self, line: Line) -> None:
        targets = [line.b] if line.b >= 0 else []
        way = _WAYS[line.x - 1] if line.x else None
        self._add(
            "announce", fighter=line.a, action=_MOVES[line.slot], targets=targets, disengages=way
        )

    # --- activations

    def _disengage(self, line: Line) -> None:
        self._add(
            "disengage",
            fighter=line.a,
            way=_WAYS[line.b],
            enemies=line.slot,
            value=line.x,
            difficulty=line.number,
            result=known(line.y),
            success=bool(line.z),
            dice=self._taken(),
        )

    def _courage(self, line: Line) -> None:
        self._add(
            "courage",
            fighter=line.a,
            against=line.b,
            value=line.x,
            difficulty=line.slot,
            result=known(line.y),
            success=bool(line.z),
            dice=self._taken(),
        )

    def _move(self, line: Line) -> None:
        track, action = self.battle["track"][line.number].tolist(), _MOVES[line.slot]
        reached = line.b >= 0 and not line.x and action in _ASSAULTS
        self._add(
            "move",
            fighter=line.a,
            action=action,
            targets=[line.b] if reached else [],
            aimed=line.b if line.b >= 0 else None,
            at=track[:2],
            facing=track[2:4],
            length=track[4],
            toll=track[5],
            short=bool(line.x),
            redirected=bool(line.y),
            touched=members(line.z),
        )

    def _announce_walk(self, line: Line) -> None:
        self._add("announce_walk", fighter=line.a)

    def _aim(self, line: Line) -> None:
        self.aim = line.x, line.y

    def _shoot(self, line: Line) -> None:
        value, difficulty = self.aim
        self._add(
            "shoot",
            shooter=line.a,
            target=line.b,
            distance=float(self.battle["track"][line.number][4]),
            band=line.slot % 4,
            moved=line.slot >= 4,
            cover=line.x,
            value=value,
            difficulty=difficulty,
            result=known(line.y),
            hit=bool(line.z),
            dice=self._taken(),
        )

    def _throw(self, line: Line) -> None:
        self._add("throw", fighter=line.a, shooter=line.b)

    def _wounded(self, line: Line, striker: int, target: int, strength: int, state: int) -> None:
        resistance = self._current_resistance(target)
        still = state >= 256
        self.state[target] = state % 256
        self._add(
            "wound",
            striker=striker,
            target=target,
            strength=strength,
            resistance=resistance,
            outcome=Outcome(line.slot).name.lower(),
            state=self.states[self.state[target]],
            still=still,
            dice=self._taken(),
        )

    def _current_resistance(self, i: int) -> int:
        return int(self.resistance[i] - self.penalty[i][self.state[i]][Stat.RES])

    def _cast(self, line: Line) -> None:
        row = self.battle["mystics"][line.number]
        self._add(
            "cast",
            fighter=line.a,
            mystic=line.number,
            target=line.b,
            value=line.x,
            difficulty=int(row[Mystic.DIFFICULTY]),
            result=known(line.y),
            success=bool(line.z),
            held=0,
            outside=bool(line.slot),
            dice=self._taken(),
        )

    def _purse(self, line: Line) -> None:
        self.found[-1].data["held"] = line.x

    def _effect(self, line: Line) -> None:
        self.state[line.a] = line.y
        before, after = self.states[line.x], self.states[line.y]
        self._add("effect", fighter=line.a, mystic=line.number, before=before, after=after)

    def _nothing(self, line: Line) -> None:
        self._add("nothing", fighter=line.a)

    def _penalties(self, line: Line) -> None:
        self.charged |= set(members(line.x))
        self._add("penalties", fighters=members(line.x))
