"""Pieces, wings and the map of the sheet, and the predicates of a piece (1.1, 1.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Morale, Order, Reading
from reference.sheet import CHOSEN, EVERYTHING, Facts, Readings, reads

Hex = int


@dataclass(eq=False)
class Piece:
    """One piece (1.1); ``number`` is its place in ``World.pieces``."""

    side: int = 0
    at: Hex | None = None
    kind: Kind = Kind.SIMPLE
    wing: int | None = None
    cohesion: Cohesion = Cohesion.GOOD
    breath: Breath = Breath.FRESH
    morale: Morale = Morale.ORDINARY
    facing: int = 0
    charge: bool = False
    contact: bool = False
    hidden: bool = False
    active: bool = False
    special: bool = False
    spell_chosen: bool = False
    ammo_out: bool = False
    in_command: bool = False
    alive: bool = True
    on_map: bool = True
    dodge: bool = False
    fearsome: bool = False
    invulnerable: bool = False
    attacks_invulnerable: bool = False
    fireproof: bool = False
    flying: bool = False
    infiltrated: bool = False
    cic: bool = False
    number: int = -1

    @property
    def unit(self) -> bool:
        return self.kind is not Kind.DECOY  # Q1

    @property
    def troop(self) -> bool:
        return self.kind is Kind.SIMPLE or self.kind is Kind.FORMATION

    @property
    def routed(self) -> bool:
        return self.cohesion is Cohesion.ROUTED

    @property
    def fresh(self) -> bool:
        return self.charge or self.contact

    @property
    def present(self) -> bool:
        return self.alive and self.on_map


@dataclass
class Wing:
    """A wing: its order, and the number of its leader."""

    side: int = 0
    order: Order = Order.ATTACK
    leader: int | None = None
    lost: int = 0
    demoralised: bool = False


def stays(world: World, piece: Piece) -> Hex | None:
    """A flight that goes nowhere: the model "static" of 8.1."""
    return piece.at


@dataclass
class World:
    """Everything about a position, its map and its hypotheses.

    ``beside`` gives the hexes around a hex. Who engages whom is given as pairs
    (``given_to``), or follows from facings: ``towards`` gives the hex in each direction and
    ``front`` the turns from the facing that are in front, by kind. ``given`` answers a
    predicate of a piece that nothing here decides, as ``(3, "far")``.
    """

    pieces: list[Piece]
    beside: dict[Hex, set[Hex]] = field(default_factory=dict)
    wings: list[Wing] = field(default_factory=list)
    given_to: set[tuple[int, int]] | None = None
    towards: dict[Hex, dict[int, Hex]] = field(default_factory=dict)
    front: dict[Kind, tuple[int, ...]] = field(default_factory=dict)
    turns: dict[Kind, tuple[int, ...]] = field(default_factory=dict)
    sight: set[frozenset[Hex]] = field(default_factory=set)
    burning: set[Hex] = field(default_factory=set)
    given: dict[tuple[int, str], bool] = field(default_factory=dict)
    infeasible: dict[int, frozenset[Deed]] = field(default_factory=dict)
    readings: Readings = field(default_factory=lambda: CHOSEN)
    flight: Callable[[World, Piece], Hex | None] = stays  # None: off the map
    decoys_left: dict[int, int] = field(default_factory=dict)
    conditions: bool = False  # whether actions have the own conditions that are assumed (6)

    def __post_init__(self) -> None:
        for number, piece in enumerate(self.pieces):
            piece.number = number

    def reads(self, switch: Reading) -> int:
        return reads(self.readings, switch)

    def asked(self, piece: Piece, predicate: str) -> bool:
        return self.given.get((piece.number, predicate), False)


# --- who is where ------------------------------------------------------------------------


def others(world: World, piece: Piece) -> list[Piece]:
    return [one for one in world.pieces if one is not piece and one.present]


def adjacent_hexes(world: World, at: Hex | None) -> set[Hex]:
    """Hexes that count as adjacent: the same one too (Q23)."""
    if at is None:
        return set()
    around = set(world.beside.get(at, ()))
    if world.reads(Reading.STACK_ADJACENT) == 0:
        around.add(at)
    return around


def adjacent_friends(world: World, piece: Piece, at: Hex | None) -> list[Piece]:
    """Friendly Units adjacent to a hex of a piece, by number."""
    around = adjacent_hexes(world, at)
    return [one for one in others(world, piece) if friend(one, piece) and one.at in around]


def friend(one: Piece, piece: Piece) -> bool:
    return one.unit and one.side == piece.side


def adjacent_enemies(world: World, piece: Piece) -> list[Piece]:
    """Enemy Units adjacent to a piece, by number."""
    around = adjacent_hexes(world, piece.at)
    return [one for one in enemy_units(world, piece) if one.at in around]


def enemy_units(world: World, piece: Piece) -> list[Piece]:
    return [one for one in others(world, piece) if one.unit and one.side != piece.side]


def see(world: World, one: Piece, other: Piece) -> bool:
    """Line of sight, both ways; a hex sees itself."""
    if one.at is None or other.at is None:
        return False
    return one.at == other.at or frozenset((one.at, other.at)) in world.sight


# --- who engages whom --------------------------------------------------------------------


def stacked(world: World, piece: Piece) -> bool:
    """A character in the hex of a friendly Troop."""
    return piece.kind is Kind.CHARACTER and any(
        one.troop and one.side == piece.side and one.at == piece.at is not None
        for one in others(world, piece)
    )


def engages(world: World, one: Piece, other: Piece) -> bool:
    """Whether one engages the other: given, or by the default geometry; screened (Q9)."""
    if not (one.present and other.present) or one.side == other.side:
        return False
    if world.reads(Reading.SCREEN) == 0 and (stacked(world, one) or stacked(world, other)):
        return False
    if not (one.unit and other.unit):  # "une Unité ennemie"
        return False
    if world.given_to is not None:
        return (one.number, other.number) in world.given_to
    if one.routed:
        return False
    if one.flying != other.flying:
        return False
    met = other.infiltrated and world.reads(Reading.INFILTRATED) == 1  # Q25
    if one.infiltrated != other.infiltrated and not met:
        return False
    return in_front(world, one, other)


def in_front(world: World, one: Piece, other: Piece) -> bool:
    if one.at is None:
        return False
    around = world.towards.get(one.at, {})
    fronts = [around.get((one.facing + turn) % 6) for turn in world.front.get(one.kind, ())]
    return other.at is not None and other.at in fronts


def engagers(world: World, piece: Piece) -> list[Piece]:
    """By."""
    return [one for one in others(world, piece) if engages(world, one, piece)]


def engaged_by(world: World, piece: Piece) -> list[Piece]:
    """To."""
    return [one for one in others(world, piece) if engages(world, piece, one)]


def any_fresh_by(world: World, piece: Piece) -> bool:
    return any(one.fresh for one in engagers(world, piece))


def facing_turns(world: World, piece: Piece) -> list[int]:
    """Facings that the action FACE may end with: it engages one that engages it (A3)."""
    kept, found = piece.facing, []
    if world.given_to is not None:
        return found
    for turn in world.turns.get(piece.kind, ()):
        piece.facing = (kept + turn) % 6
        if meets(world, piece):
            found.append(piece.facing)
    piece.facing = kept
    return found


def faces(world: World, piece: Piece) -> bool:
    if world.reads(Reading.FACES) == 1:  # Q7
        return world.asked(piece, "faces")
    return meets(world, piece)


def meets(world: World, piece: Piece) -> bool:
    """It engages one that engages it."""
    by = engagers(world, piece)
    return any(one in by for one in engaged_by(world, piece))


# --- predicates --------------------------------------------------------------------------


def order_of(world: World, piece: Piece) -> Order:
    return Order.NONE if piece.wing is None else world.wings[piece.wing].order


def wing_led(world: World, piece: Piece) -> int | None:
    led = [number for number, wing in enumerate(world.wings) if wing.leader == piece.number]
    return led[0] if led else None


def facts_of(world: World, piece: Piece) -> Facts:
    """The predicates of 1.2 of a piece, now."""
    by, to = engagers(world, piece), engaged_by(world, piece)
    formation = piece.kind is Kind.FORMATION
    turns = bool(facing_turns(world, piece)) or world.asked(piece, "can_face")
    feasible = EVERYTHING - world.infeasible.get(piece.number, frozenset())
    characters = [one for one in adjacent_enemies(world, piece) if one.kind is Kind.CHARACTER]
    return Facts(
        kind=piece.kind,
        cohesion=piece.cohesion,
        breath=piece.breath,
        order=order_of(world, piece),
        charge=piece.charge,
        special=piece.special,
        elite=piece.morale is Morale.ELITE,
        dodge=piece.dodge,
        engaged=bool(by),
        engages=bool(to),
        any_fresh_by=any(one.fresh for one in by),
        all_fresh_by=bool(by) and all(one.fresh for one in by),
        all_fresh_to=bool(to) and all(one.fresh for one in to),
        no_fresh_to=bool(to) and not any(one.fresh for one in to),
        faces=faces(world, piece),
        can_face=formation and turns,
        stacked=stacked(world, piece),
        far=world.asked(piece, "far"),
        can_fire=world.asked(piece, "can_fire") and not piece.ammo_out,
        ammo_out=piece.ammo_out,
        leader=wing_led(world, piece) is not None,
        cic=piece.cic,
        in_command=piece.in_command,
        spell_chosen=piece.spell_chosen,
        free_wing=any(w.side == piece.side and w.leader is None for w in world.wings),
        duel_shock=bool(characters),
        duel_fire=world.asked(piece, "duel_fire"),
        feasible=feasible - impossible(world, piece, bool(to)),
    )


def impossible(world: World, piece: Piece, engages_one: bool) -> set[Deed]:
    """Actions that a piece cannot do by what it is and whom it engages; a decoy feigns them."""
    if not world.conditions or not piece.unit:
        return {Deed.FIRE} if piece.ammo_out else set()
    fires = world.asked(piece, "can_fire") and not piece.ammo_out
    found = {Deed.MERGE}  # of one step; none has it here
    found |= set() if engages_one else {Deed.SHOCK}
    found |= set() if fires else {Deed.FIRE}
    found.add(Deed.DUEL_FIRE if piece.ammo_out else Deed.RELOAD)
    if piece.kind is Kind.FORMATION:
        return found | {Deed.FORM_CONSTITUTE, Deed.FORM_JOIN}
    return found | {Deed.FORM_BREAK, Deed.FORM_LEAVE, Deed.FORM_MODE}
