"""One trial of a battle as plain steps: what a transcript tells, a checker reads, a picture draws.

A step is a kind and data that JSON can hold. Fighters are numbers in the order of the scenario,
sides 0 (A) and 1 (B), points [x, y] in cm, facings unit vectors, cards numbers within a side.
``dice`` are [roller, value, index, place]: ``index`` counts the re-rolls of a die from 0, its
first throw; ``place`` tells several defence dice apart. A result that a rule failed is None.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import Effect, Number
from ...kernels.layout.battle import MAX_EVENTS, MAX_TRACK, Cause, Trait
from ...kernels.layout.combat import Stat
from ...kernels.layout.log import HELD_DIE, MASTER_DIE, Event, Story
from ...kernels.layout.maintenance import MAINTAINED, Kind, Marker, Stage
from ...profiles.armies.scenario import Scenario
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from .log import Line, Log, Reader, Step, known, lone_first, members
from .opening import opening

_CAUSES = {Cause.CHOSEN.value: "chosen", Cause.PURSUIT.value: "pursuit"}
_CHOICES = ("stay", "move", "engage")


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
    from ...kernels.battle import trials

    log, complete = trials.tell_battle(battles, trial)
    if not complete:
        raise InputError(f"trial {trial} has more than {MAX_EVENTS} events: ask for fewer turns")
    if battles["tracks"][0] > MAX_TRACK:
        raise InputError(
            f"trial {trial} has more than {MAX_TRACK} moves and shots: ask for fewer turns"
        )
    header = opening(battles, scenario, edition, trial, policies)
    return [header, *_Decoder(battles[0], edition).steps(log)]


class _Decoder(Reader):
    """Turns all rows of a log into steps, those of combats and of maintenance too."""

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
        self.found[-1].data["combats"].append(lone_first(line.a, line.x))

    def _named(self, line: Line) -> None:
        self._add("named", side=line.a, combat=lone_first(line.slot, line.x), fighter=line.b)

    def _combat(self, line: Line) -> None:
        self.combat, self.struck = lone_first(line.a, line.x), False
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
        if not int(self.battle["effects"][i]) >> Effect.DESPERATE & 1:
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
            natural=known(line.x),
            result=known(line.y),
            failed=bool(line.z),
            dice=self._taken(),
        )

    def _parry(self, line: Line) -> None:
        self._add(
            "parry",
            fighter=self.combat[line.a],
            striker=self.combat[line.b],
            natural=known(line.x),
            result=known(line.y),
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


def _markers(mask: int) -> Iterator[str]:
    for marker in Marker:
        if mask & marker:
            yield marker.name.lower()
