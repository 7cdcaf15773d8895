"""The log of one trial of a battle as plain steps: what a transcript tells.

A step is a kind and data that JSON can hold; `estoc.sim.audit.steps` says what each kind has to be.
Fighters are numbers in the order of the scenario, sides 0 (A) and 1 (B), points [x, y] in cm,
facings unit vectors, cards numbers within a side. ``dice`` are [roller, value, index, place]:
``index`` counts the re-rolls of a die from 0, its first throw; ``place`` tells several defence dice
apart. A result that a rule failed is None.
"""

from typing import Any, NamedTuple

import numpy as np

from ...kernels.layout.abilities import Effect, Number
from ...kernels.layout.actions import Action
from ...kernels.layout.actions import Step as ActionStep
from ...kernels.layout.battle import Cause, Deed, Mystic, Purpose, Trait
from ...kernels.layout.cards import Move
from ...kernels.layout.combat import Outcome, Stat
from ...kernels.layout.log import HELD_DIE, MASTER_DIE, Event, Story
from ...kernels.layout.maintenance import MAINTAINED, Kind, Marker, Stage
from ...kernels.layout.rolls import Way
from ...profiles.compile.combat import state_names
from ...profiles.edition.edition import Edition
from ..combat.events import Die, Line, Log, die_of, entries_of, known

_MOVES = {**{a.value: a.name.lower() for a in Action}, ActionStep.TURN.value: "turn"}
_MOVES |= {deed.value: deed.name.lower() for deed in Deed}
_WAYS = [way.name.lower() for way in Way]
_ASSAULTS = ("charge", "engage", "pursue")
_CAUSES = {Cause.CHOSEN.value: "chosen", Cause.PURSUIT.value: "pursuit"}
_CHOICES = ("stay", "move", "engage")


class Step(NamedTuple):
    """Something that happened in a battle."""

    kind: str  # as ``"move"``
    data: dict[str, Any]  # what JSON can hold


def _members(mask: int) -> list[int]:
    """Return the fighters of a mask."""
    mask &= 2**64 - 1
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _lone_first(lone: int, mask: int) -> list[int]:
    return [lone, *(i for i in _members(mask) if i != lone)]


class Decoder:
    """Turns the rows of a log into steps.

    The method for a kind of row is called like it, with ``_`` before its name.
    """

    def __init__(self, battle: np.void, edition: Edition) -> None:
        self.battle, self.edition = battle, edition
        self.states = state_names(edition)
        n = battle["n"]
        self.state = battle["traits"][:n, Trait.START].tolist()
        self.penalty = battle["fight"]["penalty"][battle["pain"][:n]].tolist()
        self.dice: list[Die] = []  # that the row sums up
        self.combat: list[int] = []  # fighters by their place in the combat
        self.values: list[int] = []  # with which both test
        self.aim = (0, 0)  # value and difficulty of a shot
        self.named: dict[int, list[int]] = {}  # targets of the last assault that one announced
        self.nerve: dict[int, int] = {}
        self.charged: set[int] = set()
        self.doomed: dict[int, int] = {}  # killed, fight on; by whom
        self.struck = False  # whether somebody has struck in this combat
        self.done: list[Step] = []

    def steps(self, log: Log) -> list[Step]:
        """Return all steps of a log."""
        kinds: dict[int, str] = {kind.value: kind.name.lower() for kind in (*Story, *Event)}
        kinds[MAINTAINED] = "maintained"
        for line, dice in entries_of(log):
            self.dice = [die_of(die, self._who(die.a), self.struck) for die in dice]
            getattr(self, f"_{kinds[line.kind]}")(line)
        return self.done

    def _who(self, i: int) -> int:
        """Return a fighter; rows of a combat have his place in it."""
        return self.combat[i] if self.combat else i

    def _add(self, kind: str, **data: Any) -> None:
        self.done.append(Step(kind, data))

    # --- tests

    def _tried(self, line: Line, difficulty: int, success: str = "success") -> dict[str, Any]:
        """Return the cells of a test against a difficulty."""
        test = {"value": line.x, "difficulty": difficulty, "result": known(line.y)}
        return {**test, success: bool(line.z), "dice": self.dice}

    def _values(self, line: Line) -> None:
        self.values = [line.a, line.b]

    def _opposed(self, line: Line) -> None:
        self._both(Purpose(line.slot).name.lower(), line, [line.a, line.b], line.z)

    def _initiative(self, line: Line) -> None:
        testers = [self.combat[line.a], self.combat[line.b]]
        self.values = [self._initiative_of(i) for i in testers]
        bonus = int(self.edition["initiative.numbers_bonus"])
        self.values[1] += bonus * (len(self.combat) - 2)
        self._both("initiative", line, testers, line.slot)

    def _both(self, purpose: str, line: Line, testers: list[int], winner: int) -> None:
        test = {"roll_off": line.number, "testers": testers, "values": list(self.values)}
        results = [known(line.x), known(line.y)]
        self._add(
            "opposed", purpose=purpose, **test, results=results, winner=winner, dice=self.dice
        )

    def _initiative_of(self, i: int) -> int:
        """Return INI less what wounds and a charge take, with despair (W-3.2, M-5.1, W-7)."""
        taken = int(self.penalty[i][self.state[i]][Stat.INI])
        taken += (i in self.charged) * int(self.battle["fight"]["charge"][Stat.INI])
        value = int(self.battle["traits"][i][Stat.INI]) - taken
        if not int(self.battle["effects"][i]) >> Effect.DESPERATE & 1:
            return value
        lone, worth = i == self.combat[0], self.battle["traits"][:, Trait.PA]
        foes = self.combat[1:] if lone else self.combat[:1]
        dearer = any(worth[foe] > worth[i] >= 0 for foe in foes)
        desperate = dearer or (lone and len(foes) > 1)
        return value + int(self.battle["numbers"][i, Number.DESPERATE_RESULT]) * desperate

    def _coin(self, line: Line) -> None:
        self._add("coin", purpose=Purpose(line.slot).name.lower(), winner=line.z)

    # --- abilities (W-7)

    def _feat(self, line: Line) -> None:
        effect = Effect(line.slot)
        fighter, other = self._who(line.a), self._who(line.b)
        if effect == Effect.DIEHARD and line.x:
            self._fall(fighter, other)
            return
        if effect == Effect.DIEHARD:
            self.doomed[fighter] = other
        cells = {"against": other if line.b >= 0 else None, "effect": effect.name.lower()}
        numbers = {"x": line.x, "y": known(line.y), "z": line.z}
        self._add("feat", fighter=fighter, **cells, **numbers, dice=self.dice)

    def _fall(self, fighter: int, killer: int) -> None:
        """Add the death of one who was killed before and fought on."""
        self.doomed.pop(fighter, None)
        self.state[fighter] = len(self.states) - 1
        self._add("fall", fighter=fighter, by=killer)

    # --- turn and cards

    def _turn(self, line: Line) -> None:
        self._add("turn", turn=line.turn)
        self._add("sequence", side=0, cards=[])
        self._add("sequence", side=1, cards=[])

    def _card(self, line: Line) -> None:
        self.done[-2 + line.a].data["cards"].append(line.x)

    def _first(self, line: Line) -> None:
        self._add("first", side=line.a, winner=line.b)

    def _speak(self, line: Line) -> None:
        cards = {"top": line.y, "reserve": line.x, "held": line.slot, "refusals": line.z}
        self._add("speak", side=line.a, move=Move(line.b).name.lower(), **cards, fighters=[])

    def _activate(self, line: Line) -> None:
        self.done[-1].data["fighters"].append(line.a)

    # --- activations

    def _announce(self, line: Line) -> None:
        targets = [line.b, *_members(line.z)] if line.b >= 0 else []
        self.named[line.a] = targets
        way = _WAYS[line.x - 1] if line.x else None
        action = _MOVES[line.slot]
        self._add("announce", fighter=line.a, action=action, targets=targets, disengages=way)

    def _disengage(self, line: Line) -> None:
        test = self._tried(line, line.number)
        self._add("disengage", fighter=line.a, way=_WAYS[line.b], enemies=line.slot, **test)

    def _courage(self, line: Line) -> None:
        self._add("courage", fighter=line.a, against=line.b, **self._tried(line, line.slot))

    def _move(self, line: Line) -> None:
        track, action = self.battle["track"][line.number].tolist(), _MOVES[line.slot]
        reached = line.b >= 0 and not line.x and action in _ASSAULTS
        met = _members(line.z)
        named = [] if line.y or action == "pursue" else self.named.get(line.a, [])
        targets = [t for t in named if t in met] if line.b in named else [line.b]
        aim = {"targets": targets if reached else [], "aimed": line.b if line.b >= 0 else None}
        way = {"at": track[:2], "facing": track[2:4], "length": track[4], "toll": track[5]}
        end = {"short": bool(line.x), "redirected": bool(line.y), "touched": met}
        self._add("move", fighter=line.a, action=action, **aim, **way, **end)

    def _announce_walk(self, line: Line) -> None:
        self._add("announce_walk", fighter=line.a)

    def _aim(self, line: Line) -> None:
        self.aim = line.x, line.y

    def _shoot(self, line: Line) -> None:
        value, difficulty = self.aim
        distance = float(self.battle["track"][line.number][4])
        how = {"distance": distance, "band": line.slot % 4, "moved": line.slot >= 4}
        test = self._tried(line._replace(x=value), difficulty, "hit")
        self._add("shoot", shooter=line.a, target=line.b, **how, cover=line.x, **test)

    def _throw(self, line: Line) -> None:
        self._add("throw", fighter=line.a, shooter=line.b)

    def _cast(self, line: Line) -> None:
        difficulty = int(self.battle["mystics"][line.number][Mystic.DIFFICULTY])
        test = self._tried(line, difficulty)
        test |= {"held": 0, "outside": bool(line.slot), "dice": test.pop("dice")}
        self._add("cast", fighter=line.a, mystic=line.number, target=line.b, **test)

    def _purse(self, line: Line) -> None:
        self.done[-1].data["held"] = line.x

    def _effect(self, line: Line) -> None:
        change = self._changed(line)
        self._add("effect", fighter=line.a, mystic=line.number, **change)

    def _changed(self, line: Line) -> dict[str, Any]:
        """Return the states of a fighter before and after a change; he has the latter now."""
        self.state[line.a] = line.y
        return {"before": self.states[line.x], "after": self.states[line.y]}

    def _nothing(self, line: Line) -> None:
        self._add("nothing", fighter=line.a)

    def _penalties(self, line: Line) -> None:
        self.charged |= set(_members(line.x))
        self._add("penalties", fighters=_members(line.x))

    # --- the combat phase

    def _melee(self, line: Line) -> None:
        self._add("melee", melee=line.number, fighters=_members(line.x))

    def _separation(self, line: Line) -> None:
        cause = "pursuit" if line.slot == Cause.PURSUIT else "melee"
        who = {"melee": line.number, "side": line.a, "cause": cause, "by": line.b}
        self._add("separation", **who, combats=[])

    def _star(self, line: Line) -> None:
        self.done[-1].data["combats"].append(_lone_first(line.a, line.x))

    def _named(self, line: Line) -> None:
        self._add("named", side=line.a, combat=_lone_first(line.slot, line.x), fighter=line.b)

    def _combat(self, line: Line) -> None:
        self.combat, self.struck = _lone_first(line.a, line.x), False
        why = {"cause": _CAUSES[line.slot], "chooser": line.y}
        self._add("combat", side=line.b, fighters=list(self.combat), **why)

    def _place(self, line: Line) -> None:
        held = {"held": line.z} if line.z else {}
        self._add("place", fighter=self.combat[line.a], attack=line.x, defence=line.y, **held)

    def _strike(self, line: Line) -> None:
        who = {"striker": self.combat[line.a], "target": self.combat[line.b]}
        manner = {"held": True} if line.z & HELD_DIE else {}
        manner |= {"master": True} if line.z & MASTER_DIE else {}
        self._add("strike", **who, committed=line.slot, sustained=bool(line.x), **manner)
        self.struck = True

    def _attack(self, line: Line) -> None:
        who = {"striker": self.combat[line.a], "target": self.combat[line.b]}
        self._add("attack", **who, **self._rolled(line, "failed"))

    def _parry(self, line: Line) -> None:
        who = {"fighter": self.combat[line.a], "striker": self.combat[line.b]}
        self._add("parry", **who, **self._rolled(line, "parried"))

    def _rolled(self, line: Line, what: str) -> dict[str, Any]:
        results = {"natural": known(line.x), "result": known(line.y)}
        return {**results, what: bool(line.z), "dice": self.dice}

    def _wound(self, line: Line) -> None:
        striker, target, strength, state = line.a, line.b, line.x, line.z
        if line.kind == Event.WOUND:
            striker, target = self.combat[line.a], self.combat[line.b]
        penalty = self.penalty[target][self.state[target]][Stat.RES]
        resistance = int(self.battle["traits"][target][Stat.RES] - penalty)
        if line.kind == Event.WOUND:
            strength = line.y - max(die[1] for die in self.dice) + resistance
        self.state[target] = state % 256
        who = {"striker": striker, "target": target}
        who |= {"strength": strength, "resistance": resistance}
        end = {"outcome": Outcome(line.slot).name.lower(), "state": self.states[state % 256]}
        self._add("wound", **who, **end, still=state >= 256, dice=self.dice)

    def _end(self, line: Line) -> None:
        if line.kind == Story.END:
            self._add("end", turn=line.turn, points=[line.x, line.y], winner=line.z)
            return
        for fighter, killer in sorted(self.doomed.items()):
            self._fall(fighter, killer)
        self.combat, self.struck = [], False
        self._add("end_combat")

    def _pursuit(self, line: Line) -> None:
        self._add("pursuit", fighter=line.a, choice=_CHOICES[line.b])

    # --- maintenance and the end

    def _nerve(self, line: Line) -> None:
        self.nerve[line.a] = line.x

    def _maintained(self, line: Line) -> None:
        stage = Stage(line.number)
        if stage == Stage.RALLY:
            self._rally(line)
        elif stage in (Stage.FAITH, Stage.MANA):
            change = {"before": line.x, "after": line.y}
            self._add(stage.name.lower(), fighter=line.a, **change, dice=self.dice)
        elif stage == Stage.MARKERS:
            self._marked(line)
        else:
            self._lasting(line, stage)

    def _rally(self, line: Line) -> None:
        natural, value = self._natural(), self.nerve[line.a]
        difficulty = int(self.edition["fear.rally_difficulty"])
        result = None if natural is None else natural + value
        test = {"value": value, "difficulty": difficulty, "result": result}
        test |= {"routed": bool(line.y), "barred": bool(line.z)}
        self._add("rally", fighter=line.a, **test, dice=self.dice)

    def _natural(self) -> int | None:
        """Return the natural result of a chain of dice (W-1.2)."""
        natural: int | None = 0 if self.dice else None
        for _, value, index, _ in self.dice:
            first_fails = index == 0 and self.edition["tests.natural_one_fails"]
            if natural is None or (first_fails and value == 1):
                return None
            if index and value == 1:
                mode = self.edition["tests.reroll_one"]
                natural = {"reset": 1, "add": natural + 1, "fail": None}[mode]
            else:
                natural += value
        return natural

    def _marked(self, line: Line) -> None:
        if line.z == 0:
            self._add("markers", fighter=line.a, what="state", **self._changed(line))
            return
        if not line.y & Marker.CHARGED:
            self.charged.discard(line.a)
        before, after = (
            [marker.name.lower() for marker in Marker if mask & marker] for mask in (line.x, line.y)
        )
        self._add("markers", fighter=line.a, what="markers", before=before, after=after)

    def _lasting(self, line: Line, stage: Stage) -> None:
        paid = int(self.battle["upkeep"]["effects"][line.slot][0]) == Kind.UPKEEP
        change = {"before": line.x, "after": line.y} if paid else self._changed(line)
        cause = {"stage": stage.name.lower(), "source": line.b, "effect": line.slot}
        end = {"goes_on": bool(line.z), "dice": self.dice}
        self._add("upkeep" if paid else "lasting", fighter=line.a, **cause, **change, **end)

    def _score(self, line: Line) -> None:
        self._add("score", turn=line.turn, destroyed=[line.a, line.b], points=[line.x, line.y])
