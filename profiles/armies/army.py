"""Army files: a side's people, its cards and how its player plays them (A-1.1)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from pydantic import Field

from ...kernels.layout.cards import MAX_CARDS, MAX_MOVES, Move
from ..errors import InputError, first_of, meant_place, nearest
from ..fighters.card import Profile
from ..fighters.roster import Roster
from ..files.toml import Table, load, shared
from ..letters import meant, spelled, tidy
from ..message import say
from .card_policy import LISTED, CardPolicy, Order, load_card_policy, parse_moves

Wing = Literal["left", "centre", "right", "spread"]

MOST_LINES = 9
GAIN_PARTS = 1000  # a gain is counted in thousandths
_MISTYPED = 0.85  # likeness of two names of which one is the other mistyped


@dataclass(frozen=True)
class Card:
    """A reference card of an army: all fighters of one profile (A-1.1)."""

    name: str
    # how many it stands for; one of which none is left is not in the sequence
    fighters: int = 1
    # None where the file names no fighter that is known: only the sequence matters then
    profile: Profile | None = None
    # of one fighter, where they are known
    PA: int | None = None
    threat: int | None = None
    DIS: int | None = None
    people: str = ""  # of the fighters; empty: the army's
    abilities: tuple[str, ...] = ()
    routed: bool = False  # whether its fighters are in rout
    line: int = 1  # in which line they stand up for a battle, 1 in front
    # "left", "centre", "right" or "spread": in which part of that line, as their player sees it;
    # spread is all of it
    wing: Wing = "spread"


@dataclass(frozen=True)
class Gain:
    """What it is worth to a player that one of his cards acts before one of the enemy's."""

    card: str
    before: str
    gain: float


@dataclass(frozen=True)
class Army:
    """A side: its cards in the order of its activation sequence, and its player's policy."""

    name: str
    cards: tuple[Card, ...]  # no two of one name
    people: str = ""  # the army's people (T-2.3)
    alliance: str = ""  # the people's path of alliance
    policy: CardPolicy = LISTED
    # "", "first" or "second": what its file says, whatever the policy, of who speaks first if it
    # wins the roll
    speak: str = ""
    gains: tuple[Gain, ...] = ()
    file: str = ""  # as it was named
    remarks: tuple[str, ...] = ()  # what is doubtful in the file
    points: int | None = None  # most PA that its fighters may cost together
    kind: str = ""  # what sort of army it is, in a few words

    @property
    def cost(self) -> int | None:
        """PA of all its fighters together (C-3.2); None if those of some are not known."""
        each = [card.PA for card in self.cards]
        if None in each:
            return None
        return sum(card.fighters * (card.PA or 0) for card in self.cards)

    @property
    def fighters(self) -> int:
        """How many they are."""
        return sum(card.fighters for card in self.cards)

    @property
    def where(self) -> str:
        """How a message names it."""
        return self.file or self.name

    def has(self, name: str) -> bool:
        """Whether a card, or several, answer to a name."""
        return bool(meant(name, [card.name for card in self.cards]))

    def index(self, name: str, where: str) -> int:
        """Return the place of a card, named in any case, with or without accents, or begun."""
        listed = [card.name for card in self.cards]
        return meant_place(name, listed, where, say('{} has no card "{}"', self.name, name))


class _CardTable(Table):
    name: str = Field(min_length=1)
    fighters: int = Field(default=1, ge=0, le=99)
    profile: str = ""
    PA: int | None = Field(default=None, ge=0, le=9999)
    threat: int | None = Field(default=None, ge=0, le=9999)
    DIS: int | None = Field(default=None, ge=0, le=40)
    people: str = ""
    abilities: list[str] = []
    routed: bool = False
    line: int = Field(default=1, ge=1, le=MOST_LINES)
    wing: Wing = "spread"


class _GainTable(Table):
    card: str
    before: str
    gain: float = Field(ge=-1000, le=1000, allow_inf_nan=False)


class _ArmyTable(Table):
    name: str = Field(min_length=1)
    kind: str = ""
    people: str = ""
    alliance: str = ""
    points: int | None = Field(default=None, ge=1, le=99999)
    policy: str = "listed"
    order: str | list[str] = ""
    speak: str = ""
    moves: list[str] = Field(default=[], max_length=MAX_MOVES)
    cards: list[_CardTable] = Field(min_length=1, max_length=MAX_CARDS)
    gains: list[_GainTable] = []


def load_army(name: str | Path, roster: Roster | None = None) -> Army:
    """Return an army."""
    read, path = load("army", name, _ArmyTable)
    roster = Roster.load() if roster is None else roster
    people = people_named(read.people, roster, say("{}: people", path))
    cards = [
        _card(table, roster, say("{}: cards item {}", path, n))
        for n, table in enumerate(read.cards, 1)
    ]
    _distinct(cards, path)
    made = {
        "cards": tuple(cards),
        "people": people,
        "policy": _policy(read, path),
        "gains": tuple(
            _gain(row, say("{}: gains item {}", path, n)) for n, row in enumerate(read.gains, 1)
        ),
        "file": str(name),
        "remarks": tuple(_doubts(cards, roster)),
        "kind": tidy(read.kind),
    }
    army = Army(**shared(read, Army) | made)
    _within_points(army)
    army = _in_play(_ordered(army, read.order, say("{}: order", path)))
    if read.moves:
        _check_moves(army)
    return army


def people_named(name: str, roster: Roster, where: str) -> str:
    """Return a people as the cards write it; one that is like none of theirs is taken as it is."""
    try:
        return roster.people(name)[0].people if name else ""
    except InputError as error:
        if "known:" in str(error):
            return name
        raise InputError("{}: {}", where, error) from None


def _card(table: _CardTable, roster: Roster, where: str) -> Card:
    profile = None
    if table.profile:
        try:
            profile = roster.find(table.profile)
        except InputError as error:
            raise InputError("{}: profile: {}", where, error) from None
    else:
        named = roster.meant(table.name, begun=False)
        if len(named) > 1:
            labels = first_of(f.label for f in named)
            raise InputError(
                '{}: "{}" could be {}; say which: profile = "…"', where, table.name, labels
            )
        profile = named[0] if named else None
    known = profile or Profile(table.name)
    made = {
        "profile": profile,
        "PA": known.PA if table.PA is None else table.PA,
        "threat": threat_of(profile) if table.threat is None else table.threat,
        "DIS": known.DIS if table.DIS is None else table.DIS,
        "people": people_named(table.people, roster, say("{}: people", where)) or known.people,
        "abilities": tuple(table.abilities) or known.abilities,
    }
    return Card(**shared(table, Card) | made)


def _doubts(cards: Sequence[Card], roster: Roster) -> Iterator[str]:
    """Yield cards that look like a fighter's, but are not quite."""
    for card in cards:
        near = [] if card.profile else nearest(card.name, [f.name for f in roster], 1, _MISTYPED)
        if near:
            yield say('"{}" is no fighter that is known; nearest: {}', card.name, near[0])


def threat_of(profile: Profile | None) -> int | None:
    """Return what a fighter threatens by its card: ATT and FOR together."""
    if profile is None or profile.ATT is None or profile.FOR is None:
        return None
    return profile.ATT + profile.FOR


def _within_points(army: Army) -> None:
    """Refuse an army that costs more than its points, or nobody knows what."""
    if army.points is None:
        return
    if army.cost is None:
        unknown = next(card.name for card in army.cards if card.PA is None)
        raise InputError(
            '{}: points = {}, and what "{}" costs is not known; give its PA, or drop points',
            army.file,
            army.points,
            unknown,
        )
    if army.cost > army.points:
        raise InputError(
            "{}: {} costs {} PA, {} more than its points = {}",
            army.file,
            army.name,
            army.cost,
            army.cost - army.points,
            army.points,
        )


def _in_play(army: Army) -> Army:
    """Return the army without the cards whose fighters were eliminated before (A-1.2)."""
    cards = tuple(card for card in army.cards if card.fighters)
    if not cards:
        raise InputError("{}: no card has a fighter left (A-1.2)", army.file)
    names = [card.name for card in army.cards]
    gone = [i for i, card in enumerate(army.cards) if not card.fighters]
    gains = tuple(
        gain for gain in army.gains if not set(meant(gain.card, names, begun=False)) & set(gone)
    )
    return replace(army, cards=cards, gains=gains)


def _distinct(cards: Sequence[Card], path: Path) -> None:
    names = [spelled(card.name) for card in cards]
    for number, name in enumerate(names):
        if names.index(name) < number:
            raise InputError(
                '{}: cards item {}: "{}" is already item {}; a card stands for all fighters of '
                "its profile (fighters = …)",
                path,
                number + 1,
                cards[number].name,
                names.index(name) + 1,
            )


def _policy(read: _ArmyTable, path: Path) -> CardPolicy:
    policy = load_card_policy(read.policy, path.parent)
    if isinstance(read.order, str) and read.order:
        if read.order not in get_args(Order):
            raise InputError(
                '{}: order should be a list of cards, or one of {}, not "{}"',
                path,
                get_args(Order),
                read.order,
            )
        policy = replace(policy, order=read.order)
    elif read.order:
        policy = replace(policy, order="listed")
    if read.speak not in ("", "first", "second"):
        raise InputError('{}: speak should be "first" or "second", not "{}"', path, read.speak)
    moves = parse_moves(read.moves, str(path))
    if moves and policy.optimal:
        raise InputError('{}: policy "optimal" finds its moves itself; drop moves, or it', path)
    return replace(policy, speak=read.speak or policy.speak, moves=moves or policy.moves)


def _check_moves(army: Army) -> None:
    """Refuse moves told in advance after the one that plays the last card (A-4.1).

    Moves that are not legal when they are made are refused there, with why.
    """
    pile, reserve = len(army.cards), 0
    for number, move in enumerate(army.policy.moves, 1):
        if pile + reserve <= 0:
            raise InputError(
                "{}: moves: there are {}, and move {} plays the last card (A-4.1); leave out "
                "the {} after it",
                army.file,
                len(army.policy.moves),
                number - 1,
                len(army.policy.moves) - number + 1,
            )
        pile -= move in (Move.TOP, Move.TO_RESERVE, Move.BOTH)
        reserve += (move == Move.TO_RESERVE) - (move in (Move.RESERVE, Move.BOTH))


def _gain(table: _GainTable, where: str) -> Gain:
    if round(table.gain * GAIN_PARTS, 6) % 1:
        raise InputError("{}: gain should have at most 3 decimals, not {}", where, table.gain)
    return Gain(table.card, table.before, table.gain)


def _ordered(army: Army, order: str | list[str], where: str) -> Army:
    """Return the army with its cards in the order of a list that names each once."""
    if isinstance(order, str) or not order:
        return army
    places = [army.index(name, where) for name in order]
    if sorted(places) != list(range(len(army.cards))):
        missing = [card.name for i, card in enumerate(army.cards) if i not in places]
        twice = [army.cards[i].name for i in places if places.count(i) > 1]
        fault = say("has no {}", missing[0]) if missing else say("has {} twice", twice[0])
        raise InputError("{} {}; it should name each card once", where, fault)
    return replace(army, cards=tuple(army.cards[i] for i in places))
