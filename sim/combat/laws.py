"""Laws of combats, which are exact chances of all ends, and what an end is worth to a player."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Column
from ...profiles.compile.combat import DEAD, UNHURT, state_names
from ...profiles.errors import InputError, suggestion
from ..base.options import Dice
from ..base.percent import KILLS, SCORES
from .combatants import Combatant
from .question import Question

Floats = NDArray[np.float64]
Placed = tuple[Dice, ...]  # of all, the lone one first
ROUNDING = 1e-13  # values that differ by less, of their size, are equal
_TERM = re.compile(
    r"\s*([ABab])\s*([1-9]\d*)?\s*\.\s*([a-zA-Z]+)\s*=\s*([-+]?\d{1,9}(?:\.\d{1,9})?)\s*"
)
_FORM = "A.dead=-1,B.dead=2,B2.serious=0.5"


class TooLarge(InputError):
    """There is no room for all positions of a combat."""


@dataclass(frozen=True)
class Turn:
    """One turn of a combat from given states."""

    # shape (2, s ** n): chance of the final states of all, by the side that strikes first
    joint: Floats
    value: float  # what it is worth to the lone fighter's side, whatever follows included
    # the same by the side that strikes first; nan for one that never does
    by_first: tuple[float, float]
    placed: Placed  # what each fighter placed; dice held back are not among them (W-7)
    # what the turn is worth for each way to place dice, where policies leave it open
    placements: dict[Placed, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Law:
    """What a combat ends with, and how likely it is; `sampling.Counts` counts the same."""

    # shape (2, s, …, s): chance of the final states of all fighters, the lone one first, by the
    # side that strikes first in the first turn (0: the lone fighter's)
    joint: Floats
    turns: float  # mean number of turns fought
    value: float  # what the combat is worth to side A, by the score of the question
    remainder: float  # most that any chance can be wrong by because chains of sixes have an end
    opening: Turn  # the first turn
    positions: int = 0  # most positions that stood in the table at once; 0 for one against one

    @cached_property
    def law(self) -> Floats:
        """Chance of each final state, shape (n, s), the lone fighter first."""
        axes = range(1, self.joint.ndim)
        return np.array([self.joint.sum(tuple(a for a in (0, *axes) if a != i)) for i in axes])

    @cached_property
    def sides(self) -> Floats:
        """Chance of each final state of the lone fighter by number of dead enemies, (s, n)."""
        states, enemies = self.joint.shape[1], self.joint.ndim - 2
        found = np.zeros((states, enemies + 1))
        together = self.joint.sum(0)
        for alive in product((True, False), repeat=enemies):
            part = together
            for lives in reversed(alive):
                part = part[..., :-1].sum(-1) if lives else part[..., -1]
            found[:, alive.count(False)] += part
        return found

    @property
    def undecided(self) -> float:
        """Chance that both sides have a survivor, or neither."""
        return float(self.sides[:-1, :-1].sum() + self.sides[-1, -1])

    @property
    def first(self) -> float:
        """Chance that the lone fighter's side strikes first in the first turn."""
        return float(self.joint[0].sum())

    @property
    def lone_wins(self) -> float:
        """Chance that all enemies of the lone fighter die, and he does not."""
        return float(self.sides[:-1, -1].sum())

    @property
    def others_win(self) -> float:
        """Chance that the lone fighter dies, and not all of his enemies."""
        return float(self.sides[-1, :-1].sum())

    @property
    def placed(self) -> Placed:
        """The dice that each fighter placed in the first turn, the lone one first."""
        return self.opening.placed


@dataclass(frozen=True)
class Position:
    """A position that best play leads to, and what is decided there."""

    chance: float  # of the position, in the first turn
    first: int  # side that strikes first (0: the lone fighter's)
    row: tuple[int, ...]  # by `estoc.kernels.layout.exact.Played`
    states: tuple[int, ...]  # of all fighters, the lone one first

    def __getitem__(self, column: int) -> int:
        return self.row[column]


def weights(question: Question) -> NDArray[np.float64]:
    """Return what side A gets for each final state of each fighter.

    Parameters
    ----------
    question : Question
        ``options.score`` is one of `SCORES`, or a sum of terms SIDE.STATE=NUMBER.

    Returns
    -------
    ndarray of float64, shape (n, s)
        The lone fighter first; the value of a combat is the sum over its fighters.

    Raises
    ------
    InputError
        For a score that cannot be read, or points of a fighter without PA.
    """
    score = question.options.score
    signs = np.array([[-1.0 if c.side == "A" else 1.0] for c in question.fighters])
    level = question.rules.level.astype(np.float64)
    dead = (np.arange(len(level)) == len(level) - 1).astype(np.float64)
    if score == KILLS:
        return np.asarray(signs * dead)
    if score == "wounds":  # those of the beginning were dealt by nobody here
        begun = level[question.setup.fighters[:, Column.START]]
        return np.asarray(signs * (level - begun[:, np.newaxis]))
    if score == "points":
        return np.asarray(signs * dead * _points(question))
    if score in SCORES:
        side = score[-1].upper()
        mine = np.array([[c.side == side] for c in question.fighters])
        return np.asarray(-signs * mine * (1 - dead))
    return _linear(question, score)


def _points(question: Question) -> NDArray[np.float64]:
    for c in question.fighters:
        if c.profile.PA is None:
            raise InputError(
                'score points: "{}" has no PA; give it with --set "{}".PA=…, or take another score',
                c.profile.name,
                c.profile.name,
            )
    return np.array([[float(c.profile.PA or 0)] for c in question.fighters])


def _linear(question: Question, score: str) -> NDArray[np.float64]:
    """Return the weights of a score written as terms; the words of a state add up."""
    names = state_names(question.options.edition)
    words = [name.split(", ") for name in names]
    known = sorted({word for state in words for word in state})
    found = np.zeros((len(question.fighters), len(names)))
    for term in score.split(","):
        match = _TERM.fullmatch(term)
        if match is None:
            raise InputError(
                'score "{}": "{}" should be one of {}, or terms as {}',
                score,
                term.strip(),
                SCORES,
                _FORM,
            )
        side, place, word, number = match[1].upper(), match[2], match[3].lower(), match[4]
        if word not in known:
            raise InputError('score "{}": no state "{}"; {}', score, word, suggestion(word, known))
        meant = [i for i, c in enumerate(question.fighters) if _is_meant(c, side, place)]
        if not meant:
            raise _nobody(score, side, place)
        for state, words_of_state in enumerate(words):
            found[meant, state] += float(number) * words_of_state.count(word)
    return found


def restricted(score: str, there: Sequence[Combatant], met: Sequence[Combatant]) -> str:
    """Return the part of a score that is about some fighters of several combats.

    Parameters
    ----------
    score : str
        What A wants from all combats together.
    there : sequence of Combatant
        All fighters, whose places the score names.
    met : sequence of Combatant
        Those of one combat.

    Raises
    ------
    InputError
        If it names a fighter who is in none of them.
    """
    kept = []
    for term in () if score in SCORES else score.split(","):
        match = _TERM.fullmatch(term)
        who = (match[1].upper(), match[2]) if match else ("", None)
        if match and not any(_is_meant(c, *who) for c in there):
            raise _nobody(score, *who)
        if not match or any(_is_meant(c, *who) for c in met):
            kept.append(term)  # what cannot be read is refused where it is weighed
    return ",".join(kept) or (score if score in SCORES else f"A.{DEAD}=0")


def _nobody(score: str, side: str, place: str | None) -> InputError:
    """Return the refusal of a score about a fighter who is not there."""
    return InputError('score "{}": there is no fighter {}', score, f"{side}{place or ''}")


def _is_meant(combatant: Combatant, side: str, place: str | None) -> bool:
    """Whether a term about a side, or about one place of it, is about a fighter."""
    return combatant.side == side and place in (None, str(combatant.place))


def clean(value: float) -> float:
    """Return a value without what is only rounding."""
    return 0.0 if abs(value) < ROUNDING else value


def checked_score(score: str) -> str:
    """Return a score as it is written in results; its states are looked up with an edition."""
    text = score.strip().lower()
    if text in SCORES:
        return text
    if all(_TERM.fullmatch(term) for term in score.split(",")):
        return score.strip()
    raise InputError(
        'score "{}": expected one of {}, or terms as {}; states are {}, stunned, light, '
        "serious, critical, {}",
        score,
        SCORES,
        _FORM,
        UNHURT,
        DEAD,
    )
