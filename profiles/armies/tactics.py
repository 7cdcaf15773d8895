"""Who may make the Tactics roll (T-2.3, T-2.6)."""

import re
from dataclasses import dataclass

from ..edition.edition import Edition
from ..letters import fold
from ..message import say
from .army import Army, Card

ANY_PEOPLE = "(toutes)"  # of the bases on which a person builds a fighter of any people
_BARRED = ("Immortel", "Élémentaire", "Mercenaire")
_ALLIANCE = "Alliance"


@dataclass(frozen=True)
class Roller:
    """Who makes the Tactics roll of a side."""

    card: str  # empty if nobody may
    DIS: int | None  # none if it is not known of anybody who may
    barred: tuple[tuple[str, str], ...]  # cards that may not, and why
    unknown: tuple[str, ...]  # cards that may, but whose DIS is not known

    @property
    def nobody(self) -> bool:
        """Whether nobody may make the roll (T-2.5)."""
        return not self.card and not self.unknown


def bar(card: Card, army: Army, edition: Edition) -> str:
    """Return why a card's fighters may not make the Tactics roll, empty if they may.

    They must belong to the army's people, or have Alliance/X with X the people or its path
    of alliance (T-2.3). Command/X lends nobody its Discipline here: a card's own counts.
    """
    if card.routed and not edition["tactics.routed_may_roll"]:
        return say("in rout (T-2.6)")
    if card.people == ANY_PEOPLE or (card.people and names(card.people, army.people)):
        return ""
    allies = [x for name, x in map(_parts, card.abilities) if fold(name) == fold(_ALLIANCE)]
    if any(names(x, army.people) or names(x, army.alliance) for x in allies):
        return ""
    known = [fold(name) for name, _ in map(_parts, card.abilities)]
    for barred in _BARRED:
        if fold(barred) in known:
            return say("{} (T-2.3)", barred)
    if not army.people or not card.people:
        return ""  # nothing says that it is not of the army's people
    return say("an ally, of the people {}, not {} (T-2.3)", card.people, army.people)


def names(text: str, people: str) -> bool:
    """Return whether a text names a people: the whole of it, or one of its words.

    >>> names("Lions", "Lions d'Alahan"), names("Lion", "Lions d'Alahan"), names("", "Griffons")
    (True, False, False)
    """
    wanted = fold(text)
    return bool(wanted) and bool(re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", fold(people)))


def roller(army: Army, edition: Edition) -> Roller:
    """Return the fighter with the best Discipline of those who may make the roll (T-2.3)."""
    barred, unknown, able = [], [], []
    for card in army.cards:
        reason = bar(card, army, edition)
        if reason:
            barred.append((card.name, reason))
        elif card.DIS is None:
            unknown.append(card.name)
        else:
            able.append(card)
    best = max(able, key=lambda card: card.DIS or 0, default=None)
    name, dis = (best.name, best.DIS) if best else ("", None)
    return Roller(name, dis, tuple(barred), tuple(unknown))


def _parts(ability: str) -> tuple[str, str]:
    """Return the name and the X of ``Alliance/X``."""
    name, _, x = ability.partition("/")
    return name.strip(), x.strip()
