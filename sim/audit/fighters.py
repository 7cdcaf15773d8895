"""What is on the table: the first step of a transcript, and a fighter as the battle goes on."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import dist, hypot
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    ValidationInfo,
)

from ...profiles.errors import suggestion
from ...profiles.letters import hidden
from ...profiles.message import say
from .book import DEAD
from .geometry import Point, base

SIDES = "AB"
_MOST = 10**6  # of any number
_LEAST, _NEAR = 1e-3, 1e-3  # cm of a length; of a direction's length from 1

# What a header may say of abilities (W-7).
EFFECTS = (
    *("places_in_turn", "extra_dice", "fury", "charge_dice", "chain", "hold_back"),
    *("no_rerolls", "open_fives", "luck", "desperate", "all_attack_result"),
    *("master_stroke", "counter_attack", "parry_dice", "feint", "survival"),
    *("wound_dice", "ignore_doubles", "kill_doubles", "ignore_location"),
    *("all_attack_wound", "bane", "tough", "replace_dealt", "replace_suffered"),
    *("immune_toxic", "toxic", "diehard", "ignore_penalty", "lighter_penalty"),
    *("steady", "brutal", "power_charging", "power_charged", "fearless", "war_cry"),
    *("frightens_all", "aim_difficulty", "fast", "pursuits", "disengages"),
    *("fixed_discipline", "regeneration"),
)
NUMBERS = (
    *("extra_dice", "fury_dice", "charge_dice", "chain_dice", "chain_cost"),
    *("held_dice", "open_rolls", "luck_tests", "desperate_result"),
    *("all_attack_result", "master_dice", "master_strength", "counter_margin"),
    *("counter_dice", "parry_dice", "feint_dice", "survival_die", "wound_dice"),
    *("kill_weapons", "ignored_locations", "all_attack_wound", "bane_rows"),
    *("tough_rows", "toxic_twice", "diehard_level", "ignored_level"),
    *("lighter_levels", "power_charging", "power_charged", "war_cry_fear"),
    *("aim_difficulty", "fast_factor", "extra_pursuits", "disengage_most"),
    *("discipline", "regeneration_die"),
)


def _one_of(words: Sequence[str]) -> AfterValidator:
    def known(word: str) -> str:
        if word not in words:
            raise ValueError(say("be a word that is known; {}", suggestion(word, words)))
        return word

    return AfterValidator(known)


def _direction(at: Point) -> Point:
    if abs(hypot(*at) - 1) >= _NEAR:
        raise ValueError(say("be a direction [x, y] of length 1"))
    return at


def _shape(points: list[Point]) -> list[Point]:
    if len(points) < 3 or any(dist(points[i - 1], p) < _LEAST for i, p in enumerate(points)):
        raise ValueError(say("be a list of three or more points"))
    return points


def _shown(text: str) -> str:
    if hidden(text) is not None:
        raise ValueError(say("be a short text without invisible characters"))
    return text


Whole = Annotated[int, Field(strict=True, ge=-_MOST, le=_MOST)]
Number = Annotated[float, Field(strict=True, ge=-_MOST, le=_MOST)]
Length = Annotated[float, Field(strict=True, ge=_LEAST, le=_MOST)]
Flag = Literal[False, True]
Side = Literal[0, 1]
Winner = Literal[-1, 0, 1]
Place = tuple[Number, Number]
Direction = Annotated[Place, AfterValidator(_direction)]
Text = Annotated[str, StringConstraints(max_length=500), AfterValidator(_shown)]
Outcome = Literal["nothing", "stunned", "light", "serious", "critical", "killed"]
_FEW = Field(max_length=200)
_Corners = Annotated[list[Place], AfterValidator(_shape)]


class Part(BaseModel):
    model_config = ConfigDict(defer_build=True)


class Weapon(Part):
    strength: Whole = 0
    ranges: tuple[Number, Number, Number] = (0, 0, 0)


class Card(Part):
    label: Text
    side: Side
    card: Whole
    MOU: Number | None
    INI: Whole | None
    ATT: Whole | None
    FOR: Whole | None
    DEF: Whole | None
    RES: Whole | None
    TIR: Whole | None
    COU: Whole | None
    PEUR: Whole | None
    DIS: Whole | None
    PA: Whole | None
    power: Whole
    size: Literal[0, 1, 2, 3]
    shape: Literal["rectangle", "disc"]
    width: Length
    depth: Length
    level: Whole
    state: Text
    routed: Flag
    caster: Flag
    casts: str | None = None
    tactics: Flag
    weapon: Weapon | None
    command: Number
    at: Place
    facing: Direction
    mystic: list[Whole]
    rank: Whole | None
    mana: Whole | None
    faith: Whole | None
    effects: frozenset[Annotated[str, _one_of(EFFECTS)]] = frozenset()
    numbers: dict[Annotated[str, _one_of(NUMBERS)], Whole | list[Whole | str]] = {}
    dealt: dict[str, Outcome] = {}
    suffered: dict[str, Outcome] = {}
    banes: list[Whole] = []


class Fighter:
    """A fighter as the battle goes on; what is printed is in ``card``."""

    def __init__(self, number: int, card: Card) -> None:
        self.number, self.card = number, card
        self.side, self.group, self.state = card.side, card.card, card.state
        self.routed: bool = card.routed
        self.markers: set[str] = set()
        self.immune = 0
        self.killer: Fighter | None = None  # of one who is killed and fights on (W-7)
        self.mana, self.faith = card.mana, card.faith
        self.fear = card.PEUR or 0
        self.place(card.at, card.facing)
        self.new_turn()

    def __str__(self) -> str:
        return self.card.label

    def new_turn(self) -> None:
        """Forget what lasts a turn."""
        self.assaulted = self.activated = self.thrown = self.fought = self.charging = False
        self.exclusive, self.pursued = "", 0
        self.luck = self.amount("luck_tests")
        self.casts: Counter[int] = Counter()  # by mystic action

    def place(self, at: Point, facing: Point) -> None:
        """Put the base at a place."""
        self.at, self.facing = at, facing
        self.shape = base(self.card.shape, self.card.width, self.card.depth, at, facing)

    def has(self, effect: str) -> bool:
        """Whether an ability of its has an effect (W-7)."""
        return effect in self.card.effects

    def amount(self, number: str) -> int:
        """Return a number of an ability; 0 without it."""
        value = self.card.numbers.get(number, 0)
        return value if isinstance(value, int) else 0

    def words(self, number: str) -> Sequence[int | str]:
        """Return a list among the numbers of abilities; an empty one without it."""
        value = self.card.numbers.get(number, ())
        return () if isinstance(value, int) else value

    @property
    def alive(self) -> bool:
        """Whether it lives."""
        return self.state != DEAD


def _enter(cards: list[Card], info: ValidationInfo) -> list[Card]:
    """Put the fighters into the context, for those steps that name them by their numbers."""
    known: Any = info.context
    known[:] = [Fighter(number, card) for number, card in enumerate(cards)]
    return cards


def _fighter(value: Any, info: ValidationInfo) -> Fighter:
    """Return the fighter of a number; the context of the check has them all."""
    known: Any = info.context
    if type(value) is not int or not 0 <= value < len(known):
        raise ValueError(say("be the number of a fighter"))
    fighter: Fighter = known[value]
    return fighter


def _fighter_or_nobody(value: Any, info: ValidationInfo) -> Fighter | None:
    return None if value is None or value == -1 else _fighter(value, info)


Who = Annotated[Fighter, PlainValidator(_fighter)]
Whoever = Annotated[Fighter | None, PlainValidator(_fighter_or_nobody)]


class Terrain(Part):
    name: Text
    corners: _Corners
    impassable: Flag
    height: Number
    size: Whole


class Zone(Part):
    corners: _Corners
    points: Number


class Survivor(Part):
    fighter: Who
    points: Number


class Mystic(Part):
    name: Text
    in_faith: Flag
    cost: Whole
    difficulty: Whole
    range: Number
    sight: Flag
    friend: Flag
    outside: Flag
    times: Whole
    kind: Literal["damage", "heal"]
    levels: Whole
    outcome: Outcome


Edge = Literal["left", "right", "bottom", "top"]


class Battle(Part):
    step: Literal["battle"]
    turns: Whole
    width: Length
    depth: Length
    margin: Number
    destroyed: Flag = True
    edges: tuple[Edge, Edge] = ("left", "right")
    fighters: Annotated[list[Card], AfterValidator(_enter)] = _FEW
    terrain: list[Terrain] = _FEW
    mystics: list[Mystic] = _FEW
    zones: list[Zone] = _FEW
    survival: list[Survivor] = _FEW


def ordered(fighters: Iterable[Fighter]) -> list[Fighter]:
    """Return fighters in the order of their numbers."""
    return sorted(fighters, key=lambda fighter: fighter.number)


def names(fighters: Iterable[Fighter]) -> str:
    """Return what some fighters are called, in the order of their numbers."""
    return ", ".join(map(str, ordered(fighters))) or "nobody"


def as_written(word: str) -> str:
    """Return a word of a transcript as it stands in the file, in every language."""
    return f'"{word}"'
