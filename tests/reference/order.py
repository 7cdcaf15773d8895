"""The combat phase of a battle: all its combats in their order (C-2)."""

from __future__ import annotations

from reference.clash import Clash, separate_all, tester
from reference.decisions import must
from reference.field import Game
from reference.pursuit import speak
from reference.testing import contest


def combat_phase(game: Game) -> None:
    """The phase from its melees to its last combat (C-1, C-2)."""
    clash = Clash(game)
    for warrior in game.warriors:
        warrior.fought, warrior.pursued = False, 0
    separate_all(clash)
    if clash.combats:
        begin(clash)


def begin(clash: Clash) -> None:
    """The Authority roll, then combat after combat (C-2)."""
    game = clash.game
    named, testers = [], []
    for side in (0, 1):
        combat = game.choices.take("named", "C-2.1", side=side)["combat"]
        must(combat in clash.combats, "C-2.1", f"{combat} is no combat")
        who = tester(game, [game[i] for i in combat], side)
        game.tell("named", side=side, combat=combat, fighter=-1 if who is None else who.number)
        named.append(combat)
        testers.append(who)
    clash.speaker = contest(
        game,
        "authority",
        testers,
        game.edition["melee.discipline_tie"],
        game.edition["melee.nobody_able"],
        led=True,
    )
    wanted = named[clash.speaker]
    while clash.combats and not game.over:
        chosen = game.choices.take("combat", "C-2.3")["fighters"]
        must(chosen in clash.combats, "C-2.3", f"{chosen} is no combat that is left")
        must(wanted in (None, chosen), "C-2.2", f"{chosen} is not the one named, {wanted}")
        wanted = None
        speak(clash, chosen)
        clash.speaker = 1 - clash.speaker
