"""The order of a turn: its phases and what happens in each, with clauses (T-1)."""

from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from ...profiles.errors import InputError, suggestion

T = TypeVar("T")


class Moment(NamedTuple):
    """A part of a turn.

    Parameters
    ----------
    phase : str
        "strategic", "activation", "combat" or "maintenance".
    name : str
        What happens, unlike that of any other moment.
    clause : str
        Where the rules say so.
    step : int
        Of the six ordered steps of T-5.3; 0 elsewhere.
    """

    phase: str
    name: str
    clause: str
    step: int = 0


TURN = (
    Moment("strategic", "effects", "T-2.1"),
    Moment("strategic", "sequences", "T-2.2"),
    Moment("strategic", "before tactics", "T-2.1"),
    Moment("strategic", "tactics", "T-2.3"),
    Moment("strategic", "choice", "T-2.4"),
    Moment("activation", "activation", "T-3"),
    Moment("combat", "combat", "T-4"),
    Moment("maintenance", "rally", "T-5.1"),
    Moment("maintenance", "faith", "T-5.2"),
    Moment("maintenance", "mana", "T-5.2"),
    Moment("maintenance", "harm", "T-5.3", 1),
    Moment("maintenance", "passive", "T-5.3", 2),
    Moment("maintenance", "active", "T-5.3", 3),
    Moment("maintenance", "other", "T-5.3", 4),
    Moment("maintenance", "return", "T-5.3", 5),
    Moment("maintenance", "markers", "T-5.3", 6),
)


def moments(phase: str) -> tuple[Moment, ...]:
    """Return the moments of a phase, in their order.

    Raises
    ------
    InputError
        If there is no such phase (T-1).

    Examples
    --------
    >>> [moment.name for moment in moments("strategic")]
    ['effects', 'sequences', 'before tactics', 'tactics', 'choice']
    """
    found = tuple(moment for moment in TURN if moment.phase == phase)
    if not found:
        known = dict.fromkeys(moment.phase for moment in TURN)
        raise InputError(
            f'phase "{phase}": a turn has no such phase (T-1); {suggestion(phase, known)}'
        )
    return found


def strategic_order(effects: Iterable[tuple[T, str]]) -> tuple[tuple[Moment, tuple[T, ...]], ...]:
    """Return every moment of the strategic phase with the effects to be resolved in it (T-2.1).

    Parameters
    ----------
    effects : iterable of (effect, when)
        Anything, and ``""`` for an effect of this phase without more precision, or
        ``"before tactics"`` for one that must come before the Tactics roll. Those of one
        moment keep their order (a reading).

    Raises
    ------
    InputError
        If an effect is of another moment.

    Examples
    --------
    >>> found = strategic_order([("omen", "before tactics"), ("rain", "")])
    >>> [(moment.name, names) for moment, names in found if names]
    [('effects', ('rain',)), ('before tactics', ('omen',))]
    """
    names = {"": "effects", "before tactics": "before tactics"}
    by_moment: dict[str, list[T]] = {name: [] for name in names.values()}
    for effect, when in effects:
        if when not in names:
            raise InputError(
                f'effect "{effect}": when "{when}" should be empty (it comes before the sequences '
                'are arranged) or "before tactics" (it comes after): T-2.1'
            )
        by_moment[names[when]].append(effect)
    return tuple((m, tuple(by_moment.get(m.name, ()))) for m in moments("strategic"))
