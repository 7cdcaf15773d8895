"""Fighters meant by words: a people, or a fighter by his name; and what their cards lack."""

from collections.abc import Iterable

from ...profiles.errors import InputError, nearest
from ...profiles.fighters.card import CHARACTERISTICS, Profile
from ...profiles.fighters.roster import Roster
from ...profiles.letters import ALIKE, BEGUN, likeness
from ...profiles.message import say
from .percent import KILLS


def needed_cells(score: str = KILLS) -> tuple[str, ...]:
    """Return the cells that a card must have for exact odds of a score."""
    return (*CHARACTERISTICS, *["PA"] * (score == "points"))


def missing_cells(profile: Profile, score: str = KILLS) -> list[str]:
    """Return the needed cells that a card lacks."""
    return [key for key in needed_cells(score) if getattr(profile, key) is None]


def left_out(profile: Profile, missing: Iterable[str]) -> str:
    """Return the remark on a fighter of a people who lacks some cells."""
    return say("left out: {}, without {}", profile.label, missing)


def fighters_of(
    named: Iterable[str | Profile], roster: Roster | None = None
) -> dict[Profile, bool]:
    """Return the fighters meant by names, each once, and whether his people was named only.

    A name is a people's, or else a fighter's; the exact name of a fighter beats what is not the
    exact name of a people.

    >>> [p.name for p in fighters_of(["guerrier de l'aube"])]
    ["Guerrier de l'aube"]
    >>> len(fighters_of(["dirz"]))
    6
    """
    found: dict[Profile, bool] = {}
    for who in named:
        if isinstance(who, Profile):
            found[who] = False
            continue
        if roster is None:
            roster = Roster.load()
        meant, as_people = _people_or_fighter(who, roster)
        for profile in meant:
            found[profile] = found.get(profile, True) and as_people
    return found


def _people_or_fighter(text: str, roster: Roster) -> tuple[tuple[Profile, ...], bool]:
    """Return the fighters whom a text means, and whether as a people."""
    ranks = [likeness(text, people) for people in roster.peoples()]
    people = min((rank for rank in ranks if rank is not None), default=BEGUN)
    fighters = [likeness(text.partition("@")[0], p.name) for p in roster.meant(text, begun=False)]
    fighter = min((rank for rank in fighters if rank is not None), default=BEGUN)
    faults = []
    if people <= fighter or fighter > ALIKE:
        try:
            return roster.people(text), True
        except InputError as error:
            faults.append(str(error))
    try:
        return (roster.find(text),), False
    except InputError as error:
        faults.insert(0, str(error))
    # a name that several bear is a better hint than one that nobody bears
    several = [fault for fault in faults if not fault.startswith("no ")]
    near = nearest(text, [*roster.peoples(), *(p.name for p in roster)])
    hint = say("nearest: {}", near) if near else say("see estoc profiles list")
    unknown = say('no people and no fighter is called "{}"; {}', text, hint)
    raise InputError([*several, unknown][0]) from None
