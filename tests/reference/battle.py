"""A whole battle by the rules, turn by turn, from two tapes (T-1).

``replayed(transcript, edition)`` takes the dice and the decisions out of a transcript and plays
the battle again: everything else it works out from the clauses, so that its steps are those of
the transcript only where both read the rules alike. A decision that a clause forbids raises
`decisions.Illegal`.

Left to the tapes: which way a move goes round obstacles, so how long it is (no shorter than the
straight way, no longer than the potential); the coin that says who is asked first about a 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from estoc.profiles.edition.edition import Edition
from reference.activation import activation
from reference.aftermath import end, maintenance, score
from reference.decisions import Choices, Dice, Step, decided, dice_of, must
from reference.field import Game, Warrior
from reference.order import combat_phase
from reference.testing import contest


def replayed(
    transcript: Sequence[Step | tuple[str, dict[str, Any]]], edition: Edition
) -> list[Step]:
    """Play a transcript again; the steps as the reference has them."""
    steps = [Step(*step) for step in transcript]
    must(bool(steps) and steps[0].kind == "battle", "T-1", "a transcript begins with its battle")
    game = Game(steps[0].data, edition, Dice(dice_of(steps)), Choices(decided(steps)))
    play(game)
    must(not game.dice.left, "T-1", f"{len(game.dice.left)} dice were not rolled")
    must(not game.choices.left, "T-1", f"{game.choices.left[-1:]} was never to be decided")
    return game.steps


def play(game: Game) -> None:
    """Turns until the last one, or until a side has nobody left."""
    while not game.over and game.turn < game.head["turns"]:
        game.turn += 1
        game.tell("turn", turn=game.turn)
        play_turn(game)
        score(game)
    end(game)


def play_turn(game: Game) -> None:
    """The four phases; what is left of them is cut where a side has nobody left (T-1)."""
    for warrior in game.warriors:
        warrior.cast, warrior.charging = {}, False
        warrior.luck = warrior.amount("luck", "luck_tests")
    piles = [arrange(game, side) for side in (0, 1)]
    activation(game, piles, speaks_first(game))
    game.fall()
    if not game.over:
        combat_phase(game)
    if not game.over:
        maintenance(game)


# --- T-2 ---------------------------------------------------------------------------------


def arrange(game: Game, side: int) -> list[int]:
    """A side's pile: its cards that have a living fighter, in any order (T-2.2, A-1.2)."""
    cards: list[int] = game.choices.take("sequence", "T-2.2", side=side)["cards"]
    due = {warrior.card["card"] for warrior in game.living(side)}
    must(sorted(cards) == sorted(due), "A-1.2", f"side {side} has the cards {due}, not {cards}")
    game.tell("sequence", side=side, cards=cards)
    return cards


def speaks_first(game: Game) -> int:
    """The Tactics roll and what its winner decides (T-2.3, T-2.4)."""
    edition = game.edition
    winner = contest(
        game,
        "tactics",
        [tactician(game, side) for side in (0, 1)],
        edition["tactics.tie"],
        edition["tactics.no_fighter"],
        led=False,
    )
    side: int = game.choices.take("first", "T-2.4")["side"]
    must(side in (0, 1), "T-2.4", f"{side} is no side")
    game.tell("first", side=side, winner=winner)
    return side


def tactician(game: Game, side: int) -> Warrior | None:
    """Who makes the roll: the best printed DIS of those who may (T-2.3, T-2.6)."""
    able = [
        warrior
        for warrior in game.living(side)
        if warrior.card["tactics"]
        and game.own(warrior, "DIS") is not None
        and (not warrior.routed or game.edition["tactics.routed_may_roll"])
    ]
    return max(able, key=lambda warrior: game.own(warrior, "DIS") or 0, default=None)
