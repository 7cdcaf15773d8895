"""An activation phase that is played move by move, and the kernels of its moves (A-1 to A-4)."""

from dataclasses import replace

import numpy as np

from estoc.kernels._jit import kernel
from estoc.kernels.layout.cards import Fault, LogColumn
from estoc.kernels.phases.cards import (
    deal,
    fault_of,
    make_move,
    speaker_after,
    speaker_at,
    write_move,
)
from estoc.profiles.armies.army import Army
from estoc.profiles.armies.card_policy import LISTED, MOVE_WORDS
from estoc.profiles.compile.cards import compile_phase
from estoc.profiles.edition.edition import Edition, load_edition
from estoc.profiles.errors import InputError, suggestion
from estoc.sim.base.options import DEFAULT_EDITION, SIDES
from estoc.sim.phases.card_state import _WHY, Spoken, spoken


@kernel
def start(phases, first):
    """Deal the cards of a phase that a person plays, and fix who speaks first.

    Parameters
    ----------
    phases : ndarray of PHASE, shape (1,)
    first : int
        Side that speaks first.

    Returns
    -------
    int
        Who speaks, ``NOBODY`` if nobody has a card.
    """
    phase = phases[0]
    deal(phase)
    phase.first = first
    return speaker_at(phase)


@kernel
def fault(phases, side, move):
    """Why a side may not make a move, as a `Fault`."""
    return fault_of(phases[0], side, move)


@kernel
def write(phases, row, side, chosen):
    """Write down a move that is about to be made, as a row of `LogColumn`."""
    write_move(phases[0], row, side, chosen)


@kernel
def moved(phases, side, chosen):
    """Make a legal move; who speaks next, ``NOBODY`` at the end."""
    phase = phases[0]
    make_move(phase, side, chosen)
    return speaker_after(phase, side)


class Phase:
    """An activation phase that players, or a program, play move by move (A-1 to A-4).

    Parameters
    ----------
    a, b : Army
        Their cards in the order of their files; policies are not looked at.
    first : {"A", "B"}
        Who speaks first.
    edition : Edition, optional
        The community edition if not given.
    """

    def __init__(self, a: Army, b: Army, first: str = "A", edition: Edition | None = None):
        if first not in SIDES:
            raise InputError(f'first "{first}" should be A or B (A-1.3)')
        self.armies = (a, b)
        self.turns: list[Spoken] = []
        plain = [replace(army, policy=LISTED, gains=()) for army in (a, b)]
        rules = edition or load_edition(DEFAULT_EDITION)
        self._phases = compile_phase(plain[0], plain[1], rules, first)
        self._dead: set[tuple[int, str]] = set()
        self._speaker = start(self._phases, SIDES.index(first))

    @property
    def speaker(self) -> str | None:
        """Who speaks, None once the phase is over (A-4)."""
        return None if self._speaker < 0 else SIDES[self._speaker]

    def refusals(self, side: str) -> int:
        """Return how many refusals a side has left (A-3.1)."""
        return int(self._phases["refusals"][0, SIDES.index(side)])

    def legal(self) -> list[str]:
        """Return the moves that the speaker may make (A-2)."""
        return [word for word, move in MOVE_WORDS.items() if not self._fault(move)]

    def play(self, move: str) -> Spoken:
        """Make a move; who speaks next follows from it.

        Raises
        ------
        InputError
            If there is no such move, or it is not legal; the message cites the clause.
        """
        if move not in MOVE_WORDS:
            raise InputError(f'"{move}" is no move; {suggestion(move, MOVE_WORDS)}')
        side, code = int(self._speaker), MOVE_WORDS[move]
        if side < 0:
            raise InputError(f'"{move}": the phase is over: both have played all cards (A-4.1)')
        fault = self._fault(code)
        if fault:
            raise InputError(
                f'speaking turn {len(self.turns) + 1}, {self.armies[side].name}: "{move}" is not '
                f"legal: {_WHY[Fault(fault)]}; legal: {', '.join(self.legal())}"
            )
        row = np.zeros(len(LogColumn), np.int64)
        write(self._phases, row, side, code)
        self._speaker = moved(self._phases, side, code)
        told = spoken(self.armies, len(self.turns), row, self._dead)
        self.turns.append(told)
        return told

    def eliminate(self, side: str, card: str) -> None:
        """Remove all fighters of a card: it stays, and is played without effect (A-1.2)."""
        index = SIDES.index(side)
        army = self.armies[index]
        self._dead.add((index, army.cards[army.index(card, "eliminate")].name))

    def _fault(self, move: int) -> int:
        if self._speaker < 0:
            return Fault.NO_CARD
        return int(fault(self._phases, self._speaker, move))
