"""Whose cards a battle, a matchup or a comparison is about: those of its scenario, or its lists."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ...profiles.armies.army import load_army
from ...profiles.armies.scenario_file import load_scenario
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.options import SIDES

AGAINST = "vs"


def profiles_of(asked: Mapping[str, Any], roster: Roster) -> Iterator[Profile]:
    """Yield the profiles of all who fight in what a cell asks, as often as they are named."""
    for name, load in _named(asked):
        try:
            yield from load(name, roster)
        except InputError:
            continue


def _named(asked: Mapping[str, Any]) -> Iterator[tuple[str, Callable[..., Iterator[Profile]]]]:
    """Yield names of scenarios and of lists, with what reads them."""
    if asked["command"] == "battle":
        yield asked["scenario"], _in_scenario
    elif asked["command"] == "matchup":
        yield from ((name, _in_list) for name in asked["lists"])
    elif asked["command"] == "compare":
        battles = asked["battles"]
        names = battles.split() if isinstance(battles, str) else battles
        load = _in_list if AGAINST in names else _in_scenario
        yield from ((name, load) for name in names if name != AGAINST)
        yield from ((name, _in_list) for name in _other_lists(asked))


def _other_lists(asked: Mapping[str, Any]) -> Iterator[str]:
    """Yield the lists that a comparison puts in the place of others."""
    told = asked.get("change", asked.get("changes", ()))
    for change in [told] if isinstance(told, str) else told:
        key, _, value = change.partition("=")
        if key in {f"army-{side.lower()}" for side in SIDES}:
            yield value


def _in_scenario(name: str, roster: Roster) -> Iterator[Profile]:
    return (placed.profile for placed in load_scenario(name, roster).fighters)


def _in_list(name: str, roster: Roster) -> Iterator[Profile]:
    return (card.profile for card in load_army(name, roster).cards if card.profile is not None)
