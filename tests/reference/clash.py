"""Melees of a battle and their separations into combats (C-1)."""

from __future__ import annotations

from collections.abc import Iterable

from reference.decisions import must
from reference.field import Game, Warrior
from reference.melees import Contacts, is_combat, melees, something_to_separate
from reference.testing import contest

Combat = list[int]  # the lone fighter first
LETTERS = ("A", "B")


class Clash:
    """The phase: the combats that are still to be fought."""

    def __init__(self, game: Game):
        self.game = game
        self.combats: list[Combat] = []
        self.due: set[int] = set()  # who fights again at once (C-8)
        self.speaker = 0
        self.side = {w.number: LETTERS[w.side] for w in game.warriors}

    def contacts(self, among: Iterable[Warrior]) -> Contacts:
        """Who touches whom, of some fighters."""
        some = list(among)
        return {
            frozenset({one.number, other.number})
            for one in some
            for other in self.game.touching(one)
            if other in some
        }


def separate_all(clash: Clash) -> None:
    """All melees, then who separates each of them, and how (C-1.4, C-1.6)."""
    game = clash.game
    contacts = clash.contacts(game.living())
    found = sorted(sorted(melee) for melee in melees(clash.side, contacts))
    for number, melee in enumerate(found):
        game.tell("melee", melee=number, fighters=melee)
    for number, melee in enumerate(found):
        side = -1
        if something_to_separate(melee, clash.side):
            members = [game[i] for i in melee]
            side = contest(
                game,
                "separation",
                [tester(game, members, side) for side in (0, 1)],
                game.edition["melee.discipline_tie"],
                game.edition["melee.nobody_able"],
                led=True,
            )
        combats = separation(clash, melee, contacts)
        game.tell("separation", melee=number, side=side, combats=combats, cause="melee", by=-1)
        clash.combats += combats


def tester(game: Game, fighters: list[Warrior], side: int) -> Warrior | None:
    """Who makes a side's test: the best DIS of those not in rout (C-1.4, C-2.1)."""
    able = [w for w in fighters if w.side == side and w.alive and not w.routed]
    known = [w for w in able if game.led(w, "DIS") is not None]
    return max(known, key=lambda w: game.led(w, "DIS") or 0, default=None)


def separation(clash: Clash, melee: list[int], contacts: Contacts) -> list[Combat]:
    """The combats that a player makes of a melee (C-1.2, C-1.3)."""
    combats: list[Combat] = clash.game.choices.take("separation", "C-1.3")["combats"]
    everybody = sorted(i for combat in combats for i in combat)
    must(everybody == sorted(melee), "C-1.3", f"{combats} are not the fighters of {melee}")
    for combat in combats:
        check_star(clash, combat, contacts)
    return [list(combat) for combat in combats]


def check_star(clash: Clash, combat: Combat, contacts: Contacts) -> None:
    """The first fighter touches each of the others, all enemies (C-1.2)."""
    lone, *others = combat
    for other in others:
        pair = [lone, other]
        must(is_combat(pair, clash.side, contacts), "C-1.2", f"{combat}: {lone} alone")
    must(bool(others), "C-1.2", f"{combat} is no combat")
