"""Abilities of the cards: read by any spelling, and compiled to what kernels need (W-7)."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import MAP_COLUMNS, MAPS, NUMBERS, Effect
from ..errors import InputError, nearest
from ..files.reading import shipped_file
from ..files.toml import read_toml, validated
from ..letters import fold
from ..message import say
from .ability_file import AbilityEffect, AbilityEntry, AbilityFile
from .card import Profile

_FILE = shipped_file("abilities/abilities.toml")
_LIKE = 0.8  # of a name that may have been meant


@dataclass(frozen=True)
class Ability:
    """An ability of a card."""

    entry: AbilityEntry
    parameter: int | str | None = None  # the number, whom, or the choice

    @property
    def label(self) -> str:
        """The name and what stands behind it, if it is not the usual."""
        bare = self.parameter is None or self.usual
        return self.entry.name if bare else f"{self.entry.name}/{self.parameter}"

    @property
    def text(self) -> str:
        """What it does."""
        given = self.parameter is not None and re.search(r"\bX\b", self.entry.text)
        return say("{} (X = {})", self.entry.text, self.parameter) if given else self.entry.text

    @property
    def effects(self) -> tuple[AbilityEffect, ...]:
        """What it does, as the file has it."""
        chosen = self.entry.choices.get(str(self.parameter), self.entry.effects)
        return tuple(chosen)

    @property
    def assumed(self) -> str:
        """What is assumed of it on this card, empty if nothing."""
        if self.usual:
            return ""
        strength = self.entry.parameter == "strength"
        return load_abilities().strength if strength else self.entry.assumed

    @property
    def usual(self) -> bool:
        """Whether its number is the one of a card that gives none."""
        return self.entry.usual is not None and self.parameter == self.entry.usual


@cache
def load_abilities() -> AbilityFile:
    """Return the file of abilities."""
    return validated(AbilityFile, read_toml(_FILE), str(_FILE))


def parse_ability(text: str, where: str = "ability") -> Ability:
    """Return an ability as a card has it, by any of its spellings.

    >>> parse_ability("fleau / Dirz").label, parse_ability("Tueur-né/2").parameter
    ('Fléau/Dirz', 2)
    """
    ability = ability_or_why(text)
    if isinstance(ability, str):
        raise InputError('{} "{}": {}', where, text, ability)
    return ability


def ability_or_why(text: str) -> Ability | str:
    """Return an ability as a card has it, or why there is none."""
    ability, why = _read(text)
    if ability is None and entry_of(text) is None:
        return say("is not known; {}", why or say("nothing in W-7 is like it"))
    return ability or why


def entry_of(text: str) -> AbilityEntry | None:
    """Return the ability that a text of a card names, whatever stands behind it; or None.

    >>> entry_of("Toxique").name, entry_of("Vivacité")
    ('Toxique', None)
    """
    return _split(text)[0]


def abilities_of(profile: Profile) -> tuple[Ability, ...]:
    """Return the abilities of a card that the file knows."""
    return _abilities_of(profile.abilities)


@lru_cache(maxsize=4096)
def _abilities_of(texts: tuple[str, ...]) -> tuple[Ability, ...]:
    return tuple(ability for ability, _ in map(_read, texts) if ability is not None)


def unmodelled(profile: Profile) -> tuple[str, ...]:
    """Return the abilities of a card that are not in the file, or lack what they need."""
    return tuple(why_unmodelled(profile))


def why_unmodelled(profile: Profile) -> dict[str, str]:
    """Return them, and of each what may have been meant; empty if nothing is near."""
    return {text: _read(text)[1] for text in profile.abilities if _read(text)[0] is None}


def compile_abilities(profile: Profile) -> tuple[int, NDArray[np.int64]]:
    """Return a fighter's abilities as kernels see them: bits ``1 << Effect``, and by `Number`."""
    flags, numbers = _compiled(profile.abilities)
    return flags, numbers.copy()


@lru_cache(maxsize=4096)
def _compiled(texts: tuple[str, ...]) -> tuple[int, NDArray[np.int64]]:
    flags = 0
    found: dict[int, int] = {}
    merged = load_abilities().combine.merged
    for ability in _abilities_of(texts):
        for effect in ability.effects:
            flags |= 1 << effect.kind
            for column, value in effect.columns(ability.parameter).items():
                given = column in found
                found[column] = merged(column, found[column], value) if given else value
    parameters = plain_numbers()
    for column, value in found.items():
        parameters[column] = value
    return flags, parameters


def plain_numbers() -> NDArray[np.int64]:
    """Return the numbers of a fighter without abilities."""
    numbers = np.zeros(NUMBERS, np.int64)
    for first in MAPS:
        numbers[first : first + MAP_COLUMNS] = range(MAP_COLUMNS)
    return numbers


def is_bane_of(profile: Profile, enemy: Profile) -> bool:
    """Return whether a Fléau of a card is against an enemy (W-7; how X is read is assumed).

    >>> hunter = Profile("hunter", abilities=("Fléau/Éclaireur",))
    >>> is_bane_of(hunter, Profile("x", abilities=("Éclaireur",))), is_bane_of(hunter, hunter)
    (True, False)
    """
    banes = _banes(profile.abilities)
    marks = (enemy.people, enemy.role, enemy.name, *(a.partition("/")[0] for a in enemy.abilities))
    return bool(banes) and any(_within(whom, mark) for whom in banes for mark in marks)


@lru_cache(maxsize=4096)
def _banes(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return whom banes among abilities are against."""
    banes = (a for a in _abilities_of(texts) if any(e.kind is Effect.BANE for e in a.effects))
    return tuple(str(ability.parameter) for ability in banes)


def _within(text: str, whole: str) -> bool:
    """Return whether words stand in a text, in singular or plural."""
    return f" {_singular(text)} " in f" {_singular(whole)} "


def _singular(text: str) -> str:
    return " ".join(word.rstrip("s") for word in re.findall(r"\w+", fold(text)))


def _split(text: str) -> tuple[AbilityEntry | None, str]:
    """Return the entry of an ability, None if there is none, and what stands behind its name."""
    name, _, given = (part.strip() for part in text.partition("/"))
    return _entries().get(_key(name)), given


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Ability | None, str]:
    """Return an ability of a card; where the file does not know it, None and what may be meant."""
    entry, given = _split(text)
    if entry is None:
        return None, _hint(text)
    try:
        return Ability(entry, entry.read(given)), ""
    except InputError as error:
        return None, str(error)


def _hint(text: str) -> str:
    """Return the names nearest to an unknown ability's, each ability once."""
    entries, names = _entries(), [name for e in load_abilities().ability for name in _names(e)]
    near = nearest(text.partition("/")[0], names, likeness=_LIKE)
    return say("nearest: {}", dict.fromkeys(entries[_key(n)].name for n in near)) if near else ""


def _key(name: str) -> str:
    """Return the form in which spellings of an ability are equal."""
    return fold(fold(name).replace("-", " "))


@cache
def _entries() -> dict[str, AbilityEntry]:
    return {_key(name): e for e in load_abilities().ability for name in _names(e)}


def _names(entry: AbilityEntry) -> tuple[str, ...]:
    return entry.name, entry.english, *entry.aliases
