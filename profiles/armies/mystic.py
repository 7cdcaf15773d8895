"""Mystic actions as data: spells of magicians, miracles of faithful (A-5.6).

The chapters on magic and on faith are not among the documents of the rules: how a mystic action
is tested (one die and the rank of the caster, against its difficulty) is assumed, and the actions
that come with the package are invented examples, no spells of the game.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field

from ...kernels.layout.combat import Outcome
from ...kernels.layout.maintenance import Kind
from ..errors import InputError, suggestion
from ..files.toml import Table, load, shared, shipped_names
from ..letters import tidy
from ..message import say

_KINDS = {kind.name.lower(): kind for kind in Kind}
_OUTCOMES = {o.name.lower(): o for o in Outcome if o is not Outcome.NOTHING}
_DONE = (Kind.DAMAGE, Kind.HEAL)


@dataclass(frozen=True)
class MysticEffect:
    """What a mystic action does to its target."""

    kind: Kind  # ``DAMAGE`` or ``HEAL``
    levels: int = 0  # wound levels, more or less (W-3.1); 0 where an outcome says it
    # of damage: a result of the wound table (W-2.1), ``NOTHING`` where levels say it
    outcome: Outcome = Outcome.NOTHING
    # least die that makes a lasting one act again in a maintenance phase (T-5.3), 0 if none is
    # rolled; when it is cast, none is
    needs: int = 0


@dataclass(frozen=True)
class MysticAction:
    """A spell or a miracle."""

    name: str
    caster: str  # who may know it; a magician pays in mana, a faithful in faith
    cost: int
    difficulty: int  # of the test: one die and the rank of the caster (assumed)
    range: float  # in cm
    target: str  # the caster is a friend of its own
    effect: MysticEffect
    title: str = ""  # the title says in a line what it is
    line_of_sight: bool = True  # whether the caster must see the target
    outside: bool = False  # whether it may be cast outside the caster's activation
    # most times a turn that one caster takes it, 0 as often as mana or faith allow
    times: int = 1
    # of a lasting one, which acts again in each maintenance phase: what its caster pays there,
    # after it has acted, or it ends (T-5.3); None acts once
    upkeep: int | None = None
    file: str = ""  # where it was read, empty if it came with the package

    def __str__(self) -> str:
        """Return its name."""
        return self.name


class _EffectTable(Table):
    kind: str
    levels: int = Field(default=0, ge=0, le=9)
    outcome: str = ""
    needs: int = Field(default=0, ge=0, le=6)


class _UpkeepTable(Table):
    cost: int = Field(ge=0, le=99)


class _ActionTable(Table):
    name: str = Field(min_length=1)
    title: str = ""
    caster: Literal["magician", "faithful"]
    cost: int = Field(ge=0, le=99)
    difficulty: int = Field(ge=0, le=99)
    range: float = Field(ge=0, le=500)
    line_of_sight: bool = True
    target: Literal["friend", "enemy"]
    outside: bool = False
    times: int = Field(default=1, ge=0, le=9)
    effect: _EffectTable
    upkeep: _UpkeepTable | None = None


def mystic_names() -> tuple[str, ...]:
    """Return the names of the mystic actions that come with the package: invented examples."""
    return shipped_names("mystic")


def load_mystic(name: str, folder: Path | None = None) -> MysticAction:
    """Return a mystic action.

    >>> bolt = load_mystic("example-bolt")
    >>> bolt.caster, bolt.target, bolt.effect.kind.name
    ('magician', 'enemy', 'DAMAGE')
    """
    read, path = load("mystic", name, _ActionTable, folder)
    where, file = str(path), "" if name in mystic_names() else str(path)
    if not tidy(read.name):
        raise InputError("{}: name should not be blank", where)
    if read.cost == 0 and read.times == 0:
        raise InputError(
            "{}: times should be 1 or more: what costs nothing could be cast for ever", where
        )
    if read.effect.needs and read.upkeep is None:
        raise InputError(
            "{}: effect: needs is a die of the maintenance phase (T-5.3); give an [upkeep] "
            "too, or leave it out",
            where,
        )
    made = {
        "name": tidy(read.name),
        "title": tidy(read.title),
        "effect": _effect(read.effect, say("{}: effect", where)),
        "upkeep": None if read.upkeep is None else read.upkeep.cost,
        "file": file,
    }
    return MysticAction(**shared(read, MysticAction) | made)


def _effect(table: _EffectTable, where: str) -> MysticEffect:
    kind = _KINDS.get(table.kind)
    if kind is None:
        known = suggestion(table.kind, [done.name.lower() for done in _DONE])
        raise InputError('{}: kind "{}" is unknown; {}', where, table.kind, known)
    if kind not in _DONE:
        raise InputError(
            '{}: kind "{}" belongs to the maintenance phase alone (T-5.3); a mystic action '
            "does damage or heal",
            where,
            table.kind,
        )
    if table.outcome and table.outcome not in _OUTCOMES:
        known = suggestion(table.outcome, _OUTCOMES)
        raise InputError('{}: outcome "{}" is unknown (W-2.1); {}', where, table.outcome, known)
    if kind is Kind.DAMAGE and bool(table.levels) == bool(table.outcome):
        raise InputError("{}: damage should have either levels or an outcome (W-3.1)", where)
    if kind is Kind.HEAL and (not table.levels or table.outcome):
        raise InputError("{}: heal should have levels, 1 or more, and no outcome (W-3.1)", where)
    outcome = _OUTCOMES.get(table.outcome, Outcome.NOTHING)
    return MysticEffect(kind, table.levels, outcome, table.needs)
