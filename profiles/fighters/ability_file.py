"""What ``abilities.toml`` says: abilities, the order in which they apply, what they do together."""

import re
from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from ...kernels.layout.abilities import MAPS, Effect, Location, Number, Roll, Weapon
from ...kernels.layout.combat import Outcome
from ..errors import InputError
from ..files.toml import Table
from ..letters import fold
from ..message import joined, say

Mark: TypeAlias = Literal["seed", "source", "assumed"]
Value: TypeAlias = int | str | list[str]

_X = "X"
_STRENGTH = 1  # of an ability with no number behind it
_COLUMNS = {number.name: int(number) for number in Number if number not in MAPS} | {
    f"{first.name}_{outcome.name}": first + outcome for first in MAPS for outcome in Outcome
}
_WORDS: dict[str, int] = {
    word.name: value
    for kind in (Outcome, Weapon, Location, Roll)
    for word in kind
    for value in [1 << word if kind is Roll else int(word)]
}


_EffectCode: TypeAlias = Annotated[Effect, BeforeValidator(dict(Effect.__members__).get)]
_RollCode: TypeAlias = Annotated[Roll, BeforeValidator(dict(Roll.__members__).get)]


class AbilityEffect(Table):
    """One effect of an ability, as the file has it."""

    kind: _EffectCode
    # by name; ``"X"`` is the card's number
    numbers: dict[Literal[*_COLUMNS], Value] = {}  # type: ignore[valid-type]
    # of this effect; those of the ability if empty
    mark: Mark | Literal[""] = ""
    confidence: Literal["", "high", "medium", "low"] = ""

    def columns(self, x: int | str | None) -> dict[int, int]:
        """Return its numbers by column, with the card's number in the place of X."""
        return {_COLUMNS[name]: _value(value, x) for name, value in self.numbers.items()}


class AbilityEntry(Table):
    """An ability of the file."""

    name: str  # in French, as on the cards
    english: str
    aliases: list[str] = []  # other spellings that are read; case, accents and hyphens never matter
    # what stands behind the name
    parameter: Literal["none", "number", "strength", "people", "choice"] = "none"
    default: int | None = None  # the number if the card gives none; None: the card must give it
    range: list[int] = Field(default=[0, 0], min_length=2, max_length=2)  # least and highest number
    text: str  # what it does, in our words; X is the parameter
    # who says so, and how sure it is for this edition
    clause: str = "W-7"
    mark: Mark = "source"
    confidence: Literal["high", "medium", "low"]
    assumed: str = ""  # what nobody found, empty if nothing
    effects: list[AbilityEffect] = []  # empty if the choice says them
    choices: dict[str, list[AbilityEffect]] = {}  # by what stands behind the name

    @property
    def usual(self) -> int | None:
        """The number that a card without one means."""
        return _STRENGTH if self.parameter == "strength" else self.default

    @property
    def expected(self) -> str:
        """How it should be on a card."""
        if self.parameter == "none":
            return say("{}, with nothing behind it", self.name)
        if self.parameter == "people":
            return say("{0}/WHOM, as {0}/Dirz", self.name)
        if self.parameter == "choice":
            forms = [f"{self.name}/{choice}" for choice in self.choices]
            return joined(say(" or "), [self.name] * bool(self.effects) + forms)
        low, high = self.range
        bare = say("{} or ", self.name) if self.usual is not None else ""
        return say("{}{}/X, X from {} to {}", bare, self.name, low, high)

    def read(self, given: str) -> int | str | None:
        """Return the parameter that a card gives."""
        found: int | str | None = None
        if self.parameter in ("number", "strength"):
            found = _number(given, self.range) if given else self.usual
        elif self.parameter == "people":
            found = given if fold(given) != fold(_X) and given else None
        elif given:
            found = {fold(choice): choice for choice in self.choices}.get(fold(given))
        needs = self.parameter not in ("none", "choice") or given or not self.effects
        if needs and found is None:
            raise InputError("should be {} ({})", self.expected, self.clause)
        return found


class Step(Table):
    """A place in the order of application: an effect, or a step of the rules."""

    effect: _EffectCode | None = None
    rule: str = ""  # the clause, where it is no effect
    rolls: list[_RollCode] = Field(min_length=1)  # what it touches
    mark: Mark  # who says that this is its place
    text: str

    @property
    def name(self) -> str:
        """Name of the effect, or the clause."""
        return self.rule if self.effect is None else self.effect.name


class Interaction(Table):
    """What one effect or rule does to another."""

    first: str  # names of steps
    second: str  # names of steps
    result: Literal["beats", "cancels", "both"]  # the first against the second; both: each applies
    fighters: Literal["same", "opposed"]  # whether one fighter has both, or two enemies
    clause: str
    mark: Mark
    text: str


class Combine(Table):
    """How one number from two abilities of a fighter counts."""

    mark: Mark
    lowest: list[str]  # names of numbers; of all others the highest counts
    union: list[str]  # names of numbers; of all others the highest counts

    def merged(self, column: int, one: int, other: int) -> int:
        """Return what a column holds that two abilities give a number to."""
        name = max(number for number in Number if number <= column).name  # of a map: its first
        if name in self.union:
            return one | other
        return min(one, other) if name in self.lowest else max(one, other)


class AbilityFile(Table):
    """All that ``abilities.toml`` says."""

    source: str
    strength: str  # what is assumed of a number behind an ability that has none in W-7
    combine: Combine
    ability: list[AbilityEntry] = Field(min_length=1)
    order: list[Step]  # what is applied before what
    interaction: list[Interaction]


def _value(value: Value, x: int | str | None) -> int:
    """Return a number of the file as an integer."""
    if isinstance(value, list):
        return sum(_WORDS[word] for word in value)
    if value == _X:
        return int(x or 0)
    return value if isinstance(value, int) else _WORDS[value]


def _number(given: str, bounds: Iterable[int]) -> int | None:
    """Return a number behind a name, as ``2`` or ``+2``; None if it is none, or too large."""
    low, high = bounds
    if not re.fullmatch(r"\+?[0-9]{1,3}", given):
        return None
    return int(given) if low <= int(given) <= high else None
