"""What a player wants from a combat: a number for each final state of each fighter."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Column
from ...profiles.compile.combat import DEAD, UNHURT, state_names
from ...profiles.errors import InputError, suggestion
from ..base.scores import KILLS, SCORES
from .combatants import Combatant
from .question import Question

ROUNDING = 1e-13  # values that differ by less, of their size, are equal
_TERM = re.compile(
    r"\s*([ABab])\s*([1-9]\d*)?\s*\.\s*([a-zA-Z]+)\s*=\s*([-+]?\d{1,9}(?:\.\d{1,9})?)\s*"
)
_FORM = "A.dead=-1,B.dead=2,B2.serious=0.5"


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
                f'score points: "{c.profile.name}" has no PA; give it with '
                f'--set "{c.profile.name}".PA=…, or take another score'
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
                f'score "{score}": "{term.strip()}" should be one of {", ".join(SCORES)}, or terms '
                f"as {_FORM}"
            )
        side, place, word, number = match[1].upper(), match[2], match[3].lower(), match[4]
        if word not in known:
            raise InputError(f'score "{score}": no state "{word}"; {suggestion(word, known)}')
        meant = [i for i, c in enumerate(question.fighters) if _is_meant(c, side, place)]
        if not meant:
            raise InputError(f'score "{score}": there is no fighter {side}{place or ""}')
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
            raise InputError(f'score "{score}": there is no fighter {who[0]}{who[1] or ""}')
        if not match or any(_is_meant(c, *who) for c in met):
            kept.append(term)  # what cannot be read is refused where it is weighed
    return ",".join(kept) or (score if score in SCORES else f"A.{DEAD}=0")


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
        f'score "{score}": expected one of {", ".join(SCORES)}, or terms as {_FORM}; '
        f"states are {UNHURT}, stunned, light, serious, critical, {DEAD}"
    )
