"""Words of the unit activation sheet: the facts of one piece, constraints, readings (1, 5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Order, Reading, Tag

Readings = Mapping[Reading, int]  # absent: 0, the reading that is chosen

CHOSEN: Readings = {}
EVERYTHING = frozenset(Deed)
FORMS = (
    Deed.FORM_CONSTITUTE,
    Deed.FORM_JOIN,
    Deed.FORM_BREAK,
    Deed.FORM_LEAVE,
    Deed.FORM_MODE,
)
SELF_ONLY = (  # Q13
    Deed.MOVE,
    Deed.ATTACK_MOVE,
    Deed.WITHDRAW,
    Deed.FLEE,
    Deed.FACE,
    Deed.REST,
    Deed.REGROUP,
    Deed.RALLY,
    Deed.RELOAD,
    Deed.HANDLE,
    Deed.FORM_MODE,
    Deed.NONE,
)


@dataclass(frozen=True, slots=True)
class Facts:
    """What selection asks of the activated piece (1.2); relations are already screened (Q9)."""

    kind: Kind = Kind.SIMPLE
    cohesion: Cohesion = Cohesion.GOOD
    breath: Breath = Breath.FRESH
    order: Order = Order.ATTACK  # of its wing
    charge: bool = False
    special: bool = False
    elite: bool = False
    dodge: bool = False
    engaged: bool = False  # E
    engages: bool = False  # G
    any_fresh_by: bool = False
    all_fresh_by: bool = False
    all_fresh_to: bool = False
    no_fresh_to: bool = False
    faces: bool = False
    can_face: bool = False
    stacked: bool = False
    far: bool = False
    can_fire: bool = False
    ammo_out: bool = False
    leader: bool = False
    cic: bool = False
    in_command: bool = False
    spell_chosen: bool = False
    free_wing: bool = False
    duel_shock: bool = False
    duel_fire: bool = False
    feasible: frozenset[Deed] = EVERYTHING

    @property
    def unit(self) -> bool:
        return self.kind is not Kind.DECOY  # Q1

    @property
    def troop(self) -> bool:
        return self.kind is Kind.SIMPLE or self.kind is Kind.FORMATION

    @property
    def shaken(self) -> bool:
        return self.cohesion is Cohesion.SHAKEN

    @property
    def exhausted(self) -> bool:
        return self.breath is Breath.EXHAUSTED

    @property
    def tired(self) -> bool:
        return self.breath is not Breath.FRESH


def reads(readings: Readings, switch: Reading) -> int:
    """The reading of a switch of section 5."""
    return readings.get(switch, 0)


def follows(facts: Facts, readings: Readings = CHOSEN) -> Order:
    """The order that a piece respects (1.2, A4, Q4)."""
    if facts.special and reads(readings, Reading.SPECIAL) == 0:
        return Order.NONE
    if facts.charge:
        return Order.ATTACK
    return facts.order


class Permitted(dict[Deed, Tag]):
    """Actions that a piece may choose, each with its constraint."""

    def grant(self, deed: Deed, tag: Tag) -> None:
        """Add an action; granted twice: fewer constraints, then the earlier clause (2.1)."""
        if deed not in self or (tag is Tag.FREE and self[deed] is not Tag.FREE):
            self[deed] = tag
