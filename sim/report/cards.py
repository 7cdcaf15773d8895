"""The cards of fighters whom a report is about, and what was changed on them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...profiles.armies.army import load_army
from ...profiles.armies.scenario_file import load_scenario
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.answer import FIGHTER
from ..base.options import SIDES
from ..batch.results import Answered
from ..combat.combatants import numbered, with_sets
from ..text.speech import tr

_CELLS = ("PA", "INI", "ATT", "FOR", "DEF", "RES")
UNKNOWN = "–"
AGAINST = "vs"


class StaticTable(NamedTuple):
    """A small table of a report."""

    title: str
    caption: str
    headings: list[str]
    lines: list[list[str]]


def card_tables(answered: Sequence[Answered], roster: Roster) -> Iterator[StaticTable]:
    """Yield the cards of all fighters whom answers name, then what was changed on them."""
    found = _fighters(answered, roster)
    if found:
        yield StaticTable(
            tr("Cards"),
            tr("Cards of the fighters, as they are without changes"),
            [tr("fighter"), tr("people"), *_CELLS, tr("abilities"), tr("from")],
            [_line(profile) for profile in found],
        )
    changes = list(dict.fromkeys(c for one in answered for c in _changes(one, roster)))
    if changes:
        yield StaticTable(
            tr("Changes"),
            tr("What was changed on cards, beside what they say"),
            [tr("job"), tr("fighter"), tr("what"), tr("on the card"), tr("here")],
            [list(change) for change in changes],
        )


def _line(profile: Profile) -> list[str]:
    cells = [getattr(profile, name) for name in _CELLS]
    told = [UNKNOWN if cell is None else str(cell) for cell in cells]
    return [profile.name, profile.people, *told, ", ".join(profile.abilities), profile.origin]


def _fighters(answered: Sequence[Answered], roster: Roster) -> list[Profile]:
    """Return the fighters whom rows name, each once, in the order of coming."""
    names = dict.fromkeys(
        name
        for one in answered
        for column in one.result.columns
        if one.result.kind.column(column).unit == FIGHTER
        for name in {row[column]: None for row in one.result}
        if isinstance(name, str)
    )
    by_label = {profile.label: profile for profile in roster}
    by_name = {profile.name: profile for profile in reversed(list(roster))}
    told = [by_label.get(name) or by_name.get(name.partition("#")[0]) for name in names]
    fought = [profile for one in answered for profile in profiles_of(one.asked, roster)]
    return list(dict.fromkeys(profile for profile in (*told, *fought) if profile is not None))


def _changes(one: Answered, roster: Roster) -> Iterator[tuple[str, ...]]:
    """Yield what a cell has changed on cards: whose, what, on the card, here."""
    for text in _listed(one.asked.get("set", [])):
        selector, _, _ = text.partition("=")
        key = selector.rpartition(".")[2]
        try:
            changed = with_sets(_combatants(one, roster), [text])
        except InputError:  # of the sheet, or of fighters that only a scenario names
            yield one.job, selector, key, UNKNOWN, text.partition("=")[2]
            continue
        for combatant in changed:
            for name, _ in combatant.sets:
                card = roster.find(combatant.profile.label)
                before, after = (getattr(profile, name) for profile in (card, combatant.profile))
                yield one.job, card.name, name, _told(before), _told(after)


def _combatants(one: Answered, roster: Roster) -> list[Any]:
    sides: list[Any] = []
    for side in ("a", "b"):
        names = _listed(one.asked.get(side, []))
        profiles = [roster.find(name.partition("*")[0]) for name in names]
        sides += numbered(profiles, side.upper())
    return sides or list(numbered(_fighters([one], roster), "A"))


def _listed(value: Any) -> Iterable[str]:
    return value if isinstance(value, list | tuple) else [value]


def _told(value: Any) -> str:
    return UNKNOWN if value is None else str(value)


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
