"""The activation phase move by move: a state machine, sequences counted, a phase told."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.cards import MAX_CARDS, PHASE, Fault, LogColumn, Move, StateColumn
from ...profiles.armies.army import Army
from ...profiles.armies.card_policy import MOVE_WORDS
from ...profiles.errors import InputError
from ...profiles.message import joined, say, say_all
from ..base.options import SIDES

if TYPE_CHECKING:
    from .card_question import CardQuestion

_WORDS = {code: word for word, code in MOVE_WORDS.items()}
_WHY = say_all(
    {
        Fault.NO_CARD: "no card is left in pile or reserve, so the other goes on alone (A-4.1)",
        Fault.PILE_EMPTY: "the pile is empty (A-2.1)",
        Fault.RESERVE_USED: "a card was put in reserve before in this phase (A-2.2)",
        Fault.RESERVE_EMPTY: "no card is in reserve (A-2.3)",
        Fault.NO_REFUSAL: "no refusal is left (A-2.5, A-3.1)",
        Fault.ALONE: "the enemy has no card left, so that a refusal changes nothing (A-4.2)",
    }
)


class Spoken(NamedTuple):
    """One speaking turn."""

    turn: int  # from 1
    side: str  # "A" or "B"
    move: str  # as in a policy file: ``top``, ``reserve``, ``play-reserve``, ``both``, ``refuse``
    plays: str  # in words, as in the rules' example
    # card put in reserve, card played from it, card played from the pile; or empty
    stored: str
    held: str
    top: str
    acting: tuple[str, ...]  # cards whose fighters are activated, that of the reserve first
    # state of the reserve after it: cards in it / most, ``-`` once the right is used up and the
    # reserve is empty
    reserve: str
    refusals: int  # left


def spoken(
    armies: tuple[Army, Army],
    turn: int,
    row: NDArray[np.int64],
    dead: set[tuple[int, str]] | frozenset[tuple[int, str]] = frozenset(),
) -> Spoken:
    """Return a row of the kernels' log in words."""
    side, move = int(row[LogColumn.SIDE]), int(row[LogColumn.MOVE])
    own = armies[side].cards
    acting: list[str] = []
    held, top = (
        own[row[column]].name if row[column] >= 0 else ""
        for column in (LogColumn.RESERVE, LogColumn.TOP)
    )
    if move == Move.TO_RESERVE:
        plays = say("{} to reserve", held)
    elif move == Move.REFUSE:
        plays = say("refusal")
    else:
        acting = [name for name in (held, top) if name]
        plays = joined(
            " + ", (say("{} (reserve)", name) if name == held else name for name in acting)
        )
        lost = [name for name in acting if (side, name) in dead]
        if lost:
            plays += say(" ({}: no fighter left, without effect)", lost)
            acting = [name for name in acting if name not in lost]
    held_after, used = int(row[LogColumn.HELD]), bool(row[LogColumn.USED])
    most = "-" if used and not held_after else "1"
    return Spoken(
        turn + 1,
        SIDES[side],
        _WORDS[move],
        plays,
        held if move == Move.TO_RESERVE else "",
        "" if move == Move.TO_RESERVE else held,
        top,
        tuple(acting),
        f"{held_after}/{most}",
        int(row[LogColumn.REFUSALS]),
    )


def told_fault(question: "CardQuestion", fault: NDArray[np.int64]) -> None:
    """Refuse a move told in advance that was not legal when its turn came."""
    if fault[0] == Fault.NONE:
        return
    number, side = divmod(int(fault[1]), 2)
    army = question.armies[side]
    word = _WORDS[army.policy.moves[number]]
    raise InputError(
        '{}: moves, item {}: "{}" is not legal there: {}',
        army.where,
        number + 1,
        word,
        _WHY[Fault(int(fault[0]))],
    )


def played(question: "CardQuestion", seed: int, trial: int) -> tuple[str, list[Spoken]]:
    """Return who wins the Tactics roll in one trial of a phase, and its speaking turns."""
    from ...kernels.phases import card_trials

    phases = question.phase.copy()
    phases["seed"] = seed
    log = card_trials.tell_phase(phases, trial)
    told_fault(question, phases["fault"][0])
    turns = [spoken(question.armies, turn, row) for turn, row in enumerate(log)]
    return SIDES[phases["won"][0]], turns


@cache
def count_sequences(
    first: int, second: int, *, reserve: bool = True, refusal_alone: bool = False
) -> int:
    """Return how many different complete legal sequences of moves a phase can have.

    >>> count_sequences(1, 2), count_sequences(4, 5), count_sequences(4, 5, reserve=False)
    (25, 2470, 5)
    """
    if not (0 <= first <= MAX_CARDS and 0 <= second <= MAX_CARDS):
        raise InputError("a side has 0 to {} cards, not {} and {}", MAX_CARDS, first, second)
    phases = np.zeros(1, PHASE)
    for side, cards in enumerate((first, second)):
        phases["cards"][0, side] = cards
        phases["listed"][0, side] = np.arange(MAX_CARDS)
        phases["present"][0, side] = (1 << cards) - 1
    phases["no_reserve"] = not reserve
    return _count_ways(listed_states(phases, 0), listed_states(phases, 1), refusal_alone)


States = tuple[NDArray[np.int64], NDArray[np.int64]]


def listed_states(phases: NDArray[np.void], side: int) -> States:
    """Return every state that a side can be in during a phase, and where each move leads."""
    from ...kernels.phases import card_odds

    states: States = card_odds.phase_states(phases, side)
    return states


def _count_ways(one: States, other: States, refusal_alone: bool) -> int:
    """Return the number of paths through the states, the last of them first."""
    (own, own_to), (enemy, enemy_to) = one, other
    own_left, enemy_left = (s[:, StateColumn.LEFT].tolist() for s in (own, enemy))
    own_spoken, enemy_spoken = (s[:, StateColumn.SPOKEN].tolist() for s in (own, enemy))
    own_next = [list(_leads(row)) for row in own_to.tolist()]
    enemy_next = [list(_leads(row)) for row in enemy_to.tolist()]
    ways = [[0] * len(enemy) for _ in own_next]
    for i in reversed(range(len(own))):
        for j in reversed(range(len(enemy))):
            if not own_left[i] and not enemy_left[j]:
                ways[i][j] = 1
                continue
            alone = not (own_left[i] and enemy_left[j])
            speaks = enemy_left[j] == 0 if alone else own_spoken[i] == enemy_spoken[j]
            moves = own_next[i] if speaks else enemy_next[j]
            ways[i][j] = sum(
                ways[to][j] if speaks else ways[i][to]
                for move, to in moves
                if move != Move.REFUSE or refusal_alone or not alone
            )
    return ways[0][0]


def _leads(row: list[int]) -> Iterator[tuple[int, int]]:
    return ((move, to) for move, to in enumerate(row) if to >= 0)
