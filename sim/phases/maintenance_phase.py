"""One maintenance phase as arrays: who is in it, what is to be resolved, by which edition (T-5)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Outcome, Rules
from ...kernels.layout.maintenance import (
    MAX_EFFECTS,
    MAX_PEOPLE,
    Caster,
    Kind,
    MaintenanceRules,
    Marker,
    Person,
    Stage,
)
from ...kernels.layout.maintenance import Effect as Column
from ...profiles.compile.combat import compile_rules, state_code
from ...profiles.compile.maintenance import compile_maintenance
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError, suggestion
from ...profiles.letters import fold
from ...profiles.message import joined, say
from ..base.options import Options
from .effects import Effect, Fighter

_CASTERS = {"": Caster.NONE, "magician": Caster.MAGICIAN, "faithful": Caster.FAITHFUL}

_TESTS = ("reroll_one", "natural_one_fails", "automatic_failure")  # a rally is one die alone


@dataclass(frozen=True)
class Phase:
    """One maintenance phase, ready to be played."""

    fighters: tuple[Fighter, ...]  # of both sides
    effects: tuple[Effect, ...]  # in the order in which those of one step are resolved
    edition: Edition

    def __post_init__(self) -> None:
        for what, found, most in (
            ("fighters", self.fighters, MAX_PEOPLE),
            ("effects", self.effects, MAX_EFFECTS),
        ):
            if len(found) > most:
                raise InputError("{} {}: at most {} find room", len(found), what, most)
        names = [fighter.name for fighter in self.fighters]
        for name in names:
            if names.count(name) > 1:
                raise InputError('fighter "{}": a name should be of one fighter only', name)
        _ = self.people, self.rows, self.touches, self.aura  # refuse what they cannot hold

    @cached_property
    def people(self) -> NDArray[np.int64]:
        """Fighters as rows: shape (n, len(Person))."""
        return np.array([self._person(fighter) for fighter in self.fighters], np.int64).reshape(
            -1, len(Person)
        )

    def _person(self, fighter: Fighter) -> list[int]:
        row = [0] * len(Person)
        row[Person.STATE] = state_code(self.edition, fighter.state, dead=True)
        row[Person.ROUTED] = fighter.routed
        row[Person.NERVE] = max(fighter.courage or 0, fighter.discipline or 0)
        row[Person.CASTER] = _CASTERS[fighter.caster]
        if fighter.rank:
            row[Person.RANK] = self.edition[f"mystic.rank.{fold(fighter.rank)}"]
        row[Person.MANA], row[Person.FAITH] = fighter.mana, fighter.faith
        row[Person.MARKERS] = sum(Marker[marker.upper()] for marker in set(fighter.markers))
        return row

    @cached_property
    def rows(self) -> NDArray[np.int64]:
        """Effects as rows: shape (m, len(Effect columns))."""
        return np.array([self._row(effect) for effect in self.effects], np.int64).reshape(
            -1, len(Column)
        )

    def _row(self, effect: Effect) -> list[int]:
        where = say('effect "{}"', effect.label)
        row = [0] * len(Column)
        row[Column.KIND] = Kind[effect.kind.upper()]
        row[Column.STAGE] = Stage.HARM - 1 + self.step_of(effect)
        row[Column.TARGET] = self._place(effect.target, where) if effect.target else -1
        row[Column.SOURCE] = self._place(effect.source, where) if effect.source else -1
        row[Column.NEEDS], row[Column.LEVELS] = effect.needs or 0, effect.levels
        row[Column.OUTCOME] = Outcome[effect.outcome.upper()] if effect.outcome else 0
        row[Column.COST], row[Column.IN_FAITH] = effect.cost, effect.pays == "faith"
        row[Column.KEEP], row[Column.LOST] = effect.keep, effect.lost
        row[Column.SUSTAINS] = self._sustained(effect, where)
        row[Column.STATE] = state_code(self.edition, effect.state)
        row[Column.MANA], row[Column.FAITH] = effect.mana, effect.faith
        row[Column.GOES_ON] = 1
        return row

    def step_of(self, effect: Effect) -> int:
        """Return the step of T-5.3 that an effect is resolved in."""
        steps: tuple[int, ...] = self.edition[f"maintenance.steps.{effect.kind}"]
        if effect.step is None:
            return steps[0]
        if effect.step not in steps:
            right = joined(say(" or "), map(str, steps))
            raise InputError(
                'effect "{}": step {} should be {} for {}, whoever causes it (T-5.3)',
                effect.label,
                effect.step,
                right,
                effect.kind,
            )
        return effect.step

    def _place(self, name: str, where: str) -> int:
        names = [fighter.name for fighter in self.fighters]
        if name not in names:
            raise InputError(
                '{}: no fighter "{}" in this phase; {}', where, name, _known(name, names)
            )
        return names.index(name)

    def _sustained(self, effect: Effect, where: str) -> int:
        if not effect.sustains:
            return -1
        labels = [other.name for other in self.effects]
        if labels.count(effect.sustains) != 1:
            raise InputError(
                '{}: sustains "{}" should be the name of one effect (T-5.3)', where, effect.sustains
            )
        return labels.index(effect.sustains)

    @cached_property
    def touches(self) -> NDArray[np.bool_]:
        """[i, j]: fighter i touches j, who frightens him (W-4.4)."""
        pairs = self._pairs("touching_fear")
        dead = self.people[:, Person.STATE] == self.dead
        for i, j in np.argwhere(pairs):
            if dead[i] or dead[j]:
                name = self.fighters[i if dead[i] else j].name
                raise InputError(
                    'fighter "{}": "{}" is dead; the dead touch nobody (W-4.4)',
                    self.fighters[i].name,
                    name,
                )
        return pairs

    @cached_property
    def aura(self) -> NDArray[np.bool_]:
        """[i, j]: the faithful i has temporary faith from j (T-5.2)."""
        for fighter in self.fighters:
            if fighter.believers and fighter.caster != "faithful":
                raise InputError(
                    'fighter "{}": only a faithful should have believers (T-5.2)', fighter.name
                )
        return self._pairs("believers")

    def _pairs(self, word: str) -> NDArray[np.bool_]:
        pairs = np.zeros((len(self.fighters), len(self.fighters)), np.bool_)
        for i, fighter in enumerate(self.fighters):
            for name in getattr(fighter, word):
                j = self._place(name, say('fighter "{}", {}', fighter.name, word))
                if i == j:
                    raise InputError('fighter "{}": {} should not name himself', name, word)
                pairs[i, j] = True
        return pairs

    @property
    def rules(self) -> Rules:
        """The edition as arrays."""
        return compile_rules(self.edition)

    @cached_property
    def maintenance(self) -> MaintenanceRules:
        """The rest of the edition that the phase needs."""
        return compile_maintenance(self.edition)

    @property
    def dead(self) -> int:
        """Code of the state dead."""
        return len(self.rules.level) - 1

    @property
    def cell(self) -> int:
        """Number of the fighters, 32 bits: phases of the same fighters share their dice."""
        names = "\n".join(fold(fighter.name) for fighter in self.fighters)
        return int.from_bytes(sha256(names.encode()).digest()[:4])

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        below = ["maintenance.removes"]
        if any(fighter.routed for fighter in self.fighters):
            below += ["fear.rally_difficulty", "fear.no_rally_in_contact"]
            below += [f"tests.{key}" for key in _TESTS]
        for caster, word in (("magician", "mana"), ("faithful", "faith")):
            if any(fighter.caster == caster for fighter in self.fighters):
                keys = (e.key for e in self.edition.values)
                below += [key for key in keys if key.startswith(f"mystic.{word}_")]
        below += [f"mystic.rank.{fold(fighter.rank)}" for fighter in self.fighters if fighter.rank]
        below += [f"maintenance.steps.{effect.kind}" for effect in self.effects]
        if self.effects:
            below.append("wounds.killed_level")
        if any(effect.kind == "return" and effect.lost for effect in self.effects):
            below += ["maintenance.reinforcement_returns", "maintenance.reinforcement_lost"]
        return self.edition.assumed(below)


def phase_of(
    fighters: Sequence[Fighter], effects: Sequence[Effect], options: Options | None
) -> Phase:
    """Return the phase of some fighters and effects by the edition of the options."""
    return Phase(tuple(fighters), tuple(effects), (options or Options()).edition)


def _known(name: str, names: Sequence[str]) -> str:
    return suggestion(name, names) if names else say("there are none")
