"""Entrants of a matchup: army lists, each with a policy that plays it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...profiles.armies.army import Army, load_army
from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ...profiles.files.toml import shipped_names
from ...profiles.message import say
from ..battle.policy import BEST, player_of


@dataclass(frozen=True)
class Entrant:
    """A list, and how its player decides."""

    label: str  # unlike that of any other
    roll: str  # what the list is called
    army: Army  # the list
    policy: str  # of `estoc.sim.battle.policy.policies`, with its parameters

    @property
    def fighters(self) -> int:
        """How many the list has."""
        return sum(card.fighters for card in self.army.cards)

    @property
    def points(self) -> int:
        """What they cost, in PA."""
        return sum(card.fighters * (card.PA or 0) for card in self.army.cards)

    @cached_property
    def key(self) -> str:
        """The policy, and a digest of all that the list is, wherever its file lies."""
        return f"{sha256(repr(_told(self.army)).encode()).hexdigest()} {self.policy}"


def entrants_of(
    lists: Sequence[str], policies: Sequence[str] = (), roster: Roster | None = None
) -> tuple[Entrant, ...]:
    """Return every list with every policy."""
    told = policies_of(policies) or (BEST,)
    _refuse_twice(lists, say('matchup: the list "{}" is named twice; once is enough'))
    _refuse_twice(told, say('matchup: the policy "{}" is named twice; once is enough'))
    for policy in told:
        player_of(policy)
    names = _short(lists)
    armies = [load_army(name, roster) for name in lists]
    return tuple(
        Entrant(_label(name, policy, len(armies), len(told)), name, army, policy)
        for name, army in zip(names, armies, strict=True)
        for policy in told
    )


def policies_of(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the policies that texts with commas name.

    What has a ``=`` and no name before it is one more parameter of the policy before it.

    >>> policies_of(["random,by-odds:caution=0.4,reach=2", "aggressive"])
    ('random', 'by-odds:caution=0.4,reach=2', 'aggressive')
    """
    found: list[str] = []
    for text in texts:
        for number, part in enumerate(map(str.strip, text.split(","))):
            if number and "=" in part and ":" not in part:
                found[-1] += f",{part}"
            else:
                found.append(part)
    return tuple(found)


def find_entrant(name: str, entrants: Sequence[Entrant]) -> int:
    """Return the number of an entrant, from 0, by its label, or by its number from 1."""
    labels = [entrant.label for entrant in entrants]
    if name.isdecimal() and name not in labels and 1 <= int(name) <= len(labels):
        return int(name) - 1
    if name not in labels:
        raise InputError('matchup: no entrant is "{}"; there are {}', name, labels)
    return labels.index(name)


def _told(value: Any) -> Any:
    """Return what is told of an army, of its cards and of their fighters, but in which file."""
    if is_dataclass(value):
        told = [field.name for field in fields(value) if field.compare and field.name != "file"]
        return [(name, _told(getattr(value, name))) for name in told]
    return [_told(part) for part in value] if isinstance(value, tuple) else value


def _label(name: str, policy: str, lists: int, policies: int) -> str:
    """Return what tells an entrant from the others: its list, its policy, or both."""
    if policies == 1:
        return name
    return policy if lists == 1 else f"{name}/{policy}"


def _short(lists: Sequence[str]) -> list[str]:
    """Return names of files without folder and ending, where these tell them apart."""
    stems = [n if n in shipped_names("army") else Path(n).stem for n in lists]
    return [
        stem if stems.count(stem) == 1 else name for name, stem in zip(lists, stems, strict=True)
    ]


def _refuse_twice(words: Sequence[str], fault: str) -> None:
    for word in words:
        if words.count(word) > 1:
            raise InputError(fault, word)
