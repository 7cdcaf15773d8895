"""The order of a turn: its phases and what happens in each, with clauses (T-1)."""

from typing import NamedTuple

from ...profiles.errors import InputError, suggestion
from ...profiles.message import say


class Moment(NamedTuple):
    """A part of a turn."""

    phase: str  # "strategic", "activation", "combat" or "maintenance"
    name: str  # what happens, unlike that of any other moment
    clause: str  # where the rules say so
    step: int = 0  # of the six ordered steps of T-5.3; 0 elsewhere


TURN = (
    Moment("strategic", "effects", "T-2.1"),
    Moment("strategic", "sequences", "T-2.2"),
    Moment("strategic", say("before tactics"), "T-2.1"),
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

    >>> [moment.name for moment in moments("strategic")]
    ['effects', 'sequences', 'before tactics', 'tactics', 'choice']
    """
    found = tuple(moment for moment in TURN if moment.phase == phase)
    if not found:
        known = dict.fromkeys(moment.phase for moment in TURN)
        raise InputError(
            'phase "{}": a turn has no such phase (T-1); {}', phase, suggestion(phase, known)
        )
    return found
