"""One trial of a battle as plain steps: what a transcript tells, a checker reads, a picture draws.

A step is a kind and data that JSON can hold. Fighters are numbers in the order of the scenario,
sides 0 (A) and 1 (B), points [x, y] in cm, facings unit vectors, cards numbers within a side.
``dice`` are [roller, value, index, place]: ``index`` counts the re-rolls of a die from 0, its
first throw; ``place`` tells several defence dice apart. A result that a rule failed is None.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.core.dice import FAILED
from ...kernels.layout.abilities import Effect as Ability
from ...kernels.layout.abilities import Number
from ...kernels.layout.actions import Action
from ...kernels.layout.actions import Step as ActionStep
from ...kernels.layout.battle import (
    MAX_EVENTS,
    MAX_TRACK,
    Cause,
    Deed,
    Mystic,
    Purpose,
    Story,
    Trait,
)
from ...kernels.layout.cards import Move
from ...kernels.layout.combat import (
    DEFENCE,
    DEFENCE_AGAIN,
    HELD_DIE,
    MASTER_DIE,
    Event,
    Outcome,
    Stat,
)
from ...kernels.layout.disengage import Way
from ...kernels.layout.maintenance import MAINTAINED, Kind, Marker, Stage
from ...kernels.layout.table import Base, Shape
from ...profiles.armies.scenario import Scenario
from ...profiles.compile.battle import SIDES
from ...profiles.compile.combat import state_names
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.card import SIZES
from ..combat.events import feats_cells

Log = NDArray[np.int64] | Sequence[Sequence[int]]

_MOVES = {**{a.value: a.name.lower() for a in Action}, ActionStep.TURN.value: "turn"}
_MOVES |= {deed.value: deed.name.lower() for deed in Deed}
_WAYS = [way.name.lower() for way in Way]
_CAUSES = {Cause.CHOSEN.value: "chosen", Cause.PURSUIT.value: "pursuit"}
_CHOICES = ("stay", "move", "engage")
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
    """A row of a battle's log; `estoc.kernels.layout.battle.Story` says what it means."""

    kind: int
    turn: int
    number: int
    a: int
    b: int
    slot: int
    x: int
    y: int
    z: int


def steps_to_json(steps: Sequence[Step]) -> str:
    """Return steps as a JSON list, one step a line."""
    rows = [json.dumps({"step": step.kind, **step.data}, ensure_ascii=False) for step in steps]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def battle_steps(
    battles: NDArray[np.void],
    scenario: Scenario,
    edition: Edition,
    trial: int,
    policies: Sequence[str] = ("", ""),
) -> list[Step]:
    """Play one trial of a battle and return its steps, from the table at the start to the end.

    Parameters
    ----------
    battles : ndarray of BATTLE, shape (1,)
        From `estoc.profiles.compile.battle.compile_battle`; its scratch is overwritten.
    scenario, edition
        What it was compiled from.
    trial : int
    policies : sequence of str
        For the header.

    Raises
    ------
    InputError
        If more happens in the trial than a log holds.
    """
    from ...kernels.battle import trials as battle_trials

    log, complete = battle_trials.tell_battle(battles, trial)
    if not complete:
        raise InputError(f"trial {trial} has more than {MAX_EVENTS} events: ask for fewer turns")
    if battles["tracks"][0] > MAX_TRACK:
        raise InputError(
            f"trial {trial} has more than {MAX_TRACK} moves and shots: ask for fewer turns"
        )
    header = opening(battles, scenario, edition, trial, policies)
    return [header, *_Decoder(battles[0], edition).steps(log)]


def opening(
    battles: NDArray[np.void],
    scenario: Scenario,
    edition: Edition,
    trial: int,
    policies: Sequence[str],
) -> Step:
    """Return the first step: all that was there before the battle began."""
    battle = battles[0]
    data: dict[str, Any] = {
        "scenario": scenario.file or scenario.name,
        "edition": edition.name,
        "seed": int(battle["seed"]),
        "trial": trial,
        "policies": list(policies),
        "turns": scenario.turns,
        "width": scenario.width,
        "depth": scenario.depth,
        "margin": scenario.victory.margin,
        "destroyed": scenario.victory.destroyed,
        "terrain": [
            {
                "name": piece.name,
                "corners": [list(corner) for corner in piece.corners],
                "impassable": piece.impassable,
                "height": piece.height,
                "size": list(SIZES).index(piece.size),
            }
            for piece in scenario.terrain
        ],
        "fighters": [_fighter(battle, scenario, edition, i) for i in range(battle["n"])],
        "mystics": _mystics(battle, scenario),
        "zones": [
            {"name": zone.name, "corners": [list(c) for c in zone.corners], "points": zone.points}
            for zone in scenario.zones
        ],
        "survival": [{"fighter": s.fighter, "points": s.points} for s in scenario.survival],
    }
    return Step("battle", data)


def _fighter(battle: np.void, scenario: Scenario, edition: Edition, i: int) -> dict[str, Any]:
    placed, row, base = scenario.fighters[i], battle["traits"][i], battle["first_bases"][i]
    profile = placed.profile
    shown = ("MOU", *(stat.name for stat in Stat), "TIR", "COU", "PEUR", "DIS", "PA")
    weapon = None
    if row[Trait.WEAPON] >= 0 and row[Trait.TIR] >= 0:
        weapon = {"strength": int(row[Trait.WEAPON]), "ranges": battle["ranges"][i].tolist()}
    return {
        "label": placed.label,
        "name": profile.name,
        "side": SIDES.index(placed.side),
        "card": int(row[Trait.CARD]),
        **{name: getattr(profile, name) for name in shown},
        "power": int(row[Trait.POWER]),
        "size": int(base[Base.SIZE]),
        "shape": "disc" if base[Base.SHAPE] == Shape.DISC else "rectangle",
        "width": float(base[Base.WIDTH]),
        "depth": float(base[Base.DEPTH]),
        "level": placed.level,
        "state": state_names(edition)[row[Trait.START]],
        "routed": bool(row[Trait.ROUTED]),
        "caster": profile.pure_caster,
        "tactics": bool(row[Trait.TACTICS]),
        "weapon": weapon,
        "command": float(battle["command"][i]),
        "at": [float(base[Base.X]), float(base[Base.Y])],
        "facing": [float(base[Base.FX]), float(base[Base.FY])],
        "casts": profile.caster,
        "mystic": [m for m in range(len(battle["mystics"])) if battle["known"][i] >> m & 1],
        "rank": int(row[Trait.RANK]),
        "mana": int(row[Trait.MANA]),
        "faith": int(row[Trait.FAITH]),
        "most": battle["most"][i][: battle["n"]].tolist(),
        **feats_cells(battle, i),
    }


def _mystics(battle: np.void, scenario: Scenario) -> list[dict[str, Any]]:
    names = list(dict.fromkeys(name for placed in scenario.fighters for name in placed.mystics))
    rows = zip(names, battle["mystics"], battle["mystic_range"], strict=False)
    return [
        {
            "name": name,
            "in_faith": bool(row[Mystic.IN_FAITH]),
            "cost": int(row[Mystic.COST]),
            "difficulty": int(row[Mystic.DIFFICULTY]),
            "range": float(reach),
            "sight": bool(row[Mystic.SIGHT]),
            "friend": bool(row[Mystic.FRIEND]),
            "outside": bool(battle["outside"] >> m & 1),
            "times": int(row[Mystic.TIMES]),
            "kind": Kind(int(row[Mystic.KIND])).name.lower(),
            "levels": int(row[Mystic.LEVELS]),
            "outcome": Outcome(int(row[Mystic.OUTCOME])).name.lower(),
            "needs": int(row[Mystic.NEEDS]),
            "upkeep": int(row[Mystic.UPKEEP]) if row[Mystic.UPKEEP] >= 0 else None,
        }
        for m, (name, row, reach) in enumerate(rows)
    ]


def members(mask: int) -> list[int]:
    """Return the fighters of a mask of the log."""
    mask &= 2**64 - 1
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _known(result: int) -> int | None:
    return None if result <= FAILED // 2 else result


class _Decoder:
    """Turns the rows of a log into steps; dice wait for the step that they belong to."""

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

    def steps(self, log: Log) -> list[Step]:
        """Return all steps of a log."""
        tellers: dict[int, Callable[[Line], None]] = {
            **{kind.value: getattr(self, f"_{kind.name.lower()}") for kind in Story},
            **{kind.value: getattr(self, f"_{kind.name.lower()}") for kind in Event},
            MAINTAINED: self._maintained,
        }
        for row in log:
            line = Line(*(int(cell) for cell in row))
            tellers[line.kind](line)
        return self.found

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
        results = [_known(line.x), _known(line.y)]
        data = {"roll_off": line.number, "testers": testers, "values": list(self.values)}
        self._add(
            "opposed", purpose=purpose, **data, results=results, winner=winner, dice=self._taken()
        )

    def _coin(self, line: Line) -> None:
        self._add("coin", purpose=Purpose(line.slot).name.lower(), winner=line.z)

    # --- abilities (W-7)

    def _feat(self, line: Line) -> None:
        """Tell what an ability does: of luck with the dice that are given up."""
        effect = Ability(line.slot)
        fighter, other = (self.combat[i] if self.combat else i for i in (line.a, line.b))
        if effect == Ability.DIEHARD and line.x:
            self._fall(fighter, other)
            return
        dice: list[list[int]] = []
        if effect in (Ability.LUCK, Ability.SURVIVAL):
            dice = self._taken()
        elif effect == Ability.TOXIC:
            dice = [self.dice.pop()]
        elif effect == Ability.DIEHARD:
            self.doomed[fighter] = other
        x, y = line.x, _known(line.y)
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
            result=_known(line.y),
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
            result=_known(line.y),
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
            result=_known(line.y),
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
            result=_known(line.y),
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

    # --- the combat phase

    def _melee(self, line: Line) -> None:
        self._add("melee", melee=line.number, fighters=members(line.x))

    def _separation(self, line: Line) -> None:
        self._add(
            "separation",
            melee=line.number,
            side=line.a,
            cause="pursuit" if line.slot == Cause.PURSUIT else "melee",
            by=line.b,
            combats=[],
        )

    def _star(self, line: Line) -> None:
        self.found[-1].data["combats"].append(_lone_first(line.a, line.x))

    def _named(self, line: Line) -> None:
        self._add("named", side=line.a, combat=_lone_first(line.slot, line.x), fighter=line.b)

    def _combat(self, line: Line) -> None:
        self.combat, self.struck = _lone_first(line.a, line.x), False
        self._add(
            "combat",
            side=line.b,
            fighters=list(self.combat),
            cause=_CAUSES[line.slot],
            chooser=line.y,
        )

    def _place(self, line: Line) -> None:
        held = {"held": line.z} if line.z else {}
        self._add("place", fighter=self.combat[line.a], attack=line.x, defence=line.y, **held)

    def _initiative(self, line: Line) -> None:
        testers = [self.combat[line.a], self.combat[line.b]]
        self.values = [self._initiative_of(i) + self._despair(i) for i in testers]
        self.values[1] += self.bonus * (len(self.combat) - 2)
        self._test("initiative", line, testers, line.slot)

    def _initiative_of(self, i: int) -> int:
        """Return a fighter's INI less what wounds and a charge take (W-3.2, M-5.1)."""
        card = int(self.battle["traits"][i][Stat.INI])
        taken = int(self.penalty[i][self.state[i]][Stat.INI])
        return card - taken - (i in self.charged) * int(self.battle["fight"]["charge"][Stat.INI])

    def _despair(self, i: int) -> int:
        """Return what is added for one outnumbered, or against a dearer enemy (W-7)."""
        if not int(self.battle["effects"][i]) >> Ability.DESPERATE & 1:
            return 0
        lone = i == self.combat[0]
        worth = self.battle["traits"][:, Trait.PA]
        foes = self.combat[1:] if lone else self.combat[:1]
        dearer = any(worth[foe] > worth[i] >= 0 for foe in foes)
        desperate = dearer or (lone and len(foes) > 1)
        return int(self.battle["numbers"][i, Number.DESPERATE_RESULT]) * desperate

    def _natural(self, roller: int) -> int | None:
        """Return the natural result of a roller's waiting dice (W-1.2)."""
        total: int | None = 0
        for who, value, index, _ in self.dice:
            if who != roller or total is None:
                continue
            if not index and value == 1 and self.edition["tests.natural_one_fails"]:
                total = None
            elif index and value == 1:
                mode = self.edition["tests.reroll_one"]
                total = {"reset": 1, "add": total + 1, "fail": None}[mode]
            else:
                total += value
        return total

    def _strike(self, line: Line) -> None:
        self._add(
            "strike",
            striker=self.combat[line.a],
            target=self.combat[line.b],
            committed=line.slot,
            sustained=bool(line.x),
            **{"held": True} if line.z & HELD_DIE else {},
            **{"master": True} if line.z & MASTER_DIE else {},
        )
        self.struck = True

    def _attack(self, line: Line) -> None:
        self._add(
            "attack",
            striker=self.combat[line.a],
            target=self.combat[line.b],
            natural=_known(line.x),
            result=_known(line.y),
            failed=bool(line.z),
            dice=self._taken(),
        )

    def _parry(self, line: Line) -> None:
        self._add(
            "parry",
            fighter=self.combat[line.a],
            striker=self.combat[line.b],
            natural=_known(line.x),
            result=_known(line.y),
            parried=bool(line.z),
            dice=self._taken(),
        )

    def _wound(self, line: Line) -> None:
        if line.kind == Story.WOUND:
            self._wounded(line, line.a, line.b, line.x, line.z)
            return
        striker, target = self.combat[line.a], self.combat[line.b]
        high = max(value for _, value, _, _ in self.dice)
        difference = line.y - high
        resistance = self._current_resistance(target)
        self._wounded(line, striker, target, difference + resistance, line.z)

    def _end(self, line: Line) -> None:
        if line.kind == Event.END:
            for fighter, killer in sorted(self.doomed.items()):
                self._fall(fighter, killer)
            self.combat, self.struck = [], False
            self._add("end_combat")
            return
        self._add("end", turn=line.turn, points=[line.x, line.y], winner=line.z)

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
            kind = stage.name.lower()
            self._add(kind, fighter=line.a, before=line.x, after=line.y, dice=self._taken())
        elif stage == Stage.MARKERS:
            self._markers(line)
        else:
            self._upkeep(line, stage)

    def _rally(self, line: Line) -> None:
        dice = self._taken()
        self.dice = dice
        natural = self._natural(line.a) if dice else None
        value = self.nerve[line.a]
        self._add(
            "rally",
            fighter=line.a,
            value=value,
            difficulty=int(self.edition["fear.rally_difficulty"]),
            result=None if natural is None else natural + value,
            routed=bool(line.y),
            barred=bool(line.z),
            dice=self._taken(),
        )

    def _markers(self, line: Line) -> None:
        if line.z == 0:
            self.state[line.a] = line.y
            before, after = self.states[line.x], self.states[line.y]
            self._add("markers", fighter=line.a, what="state", before=before, after=after)
            return
        if not line.y & Marker.CHARGED:
            self.charged.discard(line.a)
        shown = [list(_markers(mask)) for mask in (line.x, line.y)]
        self._add("markers", fighter=line.a, what="markers", before=shown[0], after=shown[1])

    def _upkeep(self, line: Line, stage: Stage) -> None:
        paid = int(self.battle["upkeep"]["effects"][line.slot][0]) == Kind.UPKEEP
        before: Any = line.x
        after: Any = line.y
        if not paid:
            self.state[line.a] = line.y
            before, after = self.states[line.x], self.states[line.y]
        self._add(
            "upkeep" if paid else "lasting",
            fighter=line.a,
            stage=stage.name.lower(),
            source=line.b,
            effect=line.slot,
            before=before,
            after=after,
            goes_on=bool(line.z),
            dice=self._taken(),
        )

    def _score(self, line: Line) -> None:
        self._add("score", turn=line.turn, destroyed=[line.a, line.b], points=[line.x, line.y])


def _lone_first(lone: int, mask: int) -> list[int]:
    return [lone, *(i for i in members(mask) if i != lone)]


def _markers(mask: int) -> Iterator[str]:
    for marker in Marker:
        if mask & marker:
            yield marker.name.lower()
