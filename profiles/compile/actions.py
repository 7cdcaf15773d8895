"""The actions of an activation as the arrays of `estoc.kernels.layout.actions`."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from ...kernels.layout.actions import (
    ACTIONS,
    Action,
    ActionRule,
    ActionTable,
    Ban,
    Cell,
    Fact,
    Step,
)
from ..edition.edition import Edition, Entry
from ..edition.rulebook import CUMULATIVE, MOVES
from ..errors import InputError, suggestion

FACTS = tuple(fact.name.lower() for fact in Fact)
STEP_NAMES = tuple(step.name.lower() for step in (*Action, *Step))


@lru_cache(maxsize=64)
def compile_actions(edition: Edition) -> ActionTable:
    """Return the actions of an edition as arrays (A-5, M-7.4, M-8)."""
    rows = np.zeros((ACTIONS, len(Cell)), np.int64)
    for action in Action:
        name = action.name.lower()
        where = f"actions.{name}"
        row = rows[action]
        row[Cell.EXCLUSIVE] = edition[f"{where}.kind"] == "exclusive"
        row[Cell.IN_CONTACT] = edition[f"{where}.in_contact"]
        row[Cell.AFTER_DISENGAGING] = edition[f"{where}.after_disengaging"]
        row[Cell.TIMES] = edition[f"{where}.times"]
        row[Cell.AFTER] = _mask(edition[f"{where}.after"], Action)
        row[Cell.NEEDS] = row[Cell.NEEDS_DISENGAGED] = facts_mask(edition[f"{where}.needs"])
        if name in CUMULATIVE:
            row[Cell.AFTER_COMBINING] = _mask(edition[f"{where}.after_if_combines"], Action)
        if name in MOVES:
            row[Cell.POTENTIAL] = edition[f"{where}.potential"]
            row[Cell.POTENTIAL_DISENGAGED] = edition["actions.disengage.potential"]
    if edition["actions.engage.in_sight_after_disengaging"]:
        rows[Action.ENGAGE, Cell.NEEDS_DISENGAGED] &= ~(1 << Fact.TARGET_UNSEEN)
    return ActionTable(rows, _scalars(edition))


def _scalars(edition: Edition) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    scalars = np.zeros(len(ActionRule), np.int64)
    scalars[ActionRule.TURNING_IS_WALK] = edition["actions.walk.turning_counts"]
    scalars[ActionRule.WALK_ANNOUNCED] = edition["actions.shoot.walk_announced"]
    scalars[ActionRule.DISENGAGED_SHOT_MOVED] = edition["actions.shoot.disengaged_moved"]
    scalars[ActionRule.STILL_BONUS] = edition["actions.shoot.still_bonus"]
    scalars[ActionRule.DISENGAGE_AFTER] = _mask(edition["actions.disengage.after"], Action)
    scalars[ActionRule.DISENGAGE_UNLESS] = facts_mask(edition["actions.disengage.unless"])
    scalars[ActionRule.FAILURE_STAYS] = edition["actions.disengage.failure_stays"]
    return scalars


def facts_mask(words: Iterable[str]) -> int:
    """Return facts as a mask of `Fact` bits."""
    return _mask(words, Fact)


def _mask(words: Iterable[str], codes: type[Action] | type[Fact]) -> int:
    mask = 0
    for word in words:
        if word.upper() not in codes.__members__:
            known = [code.name.lower() for code in codes]
            raise InputError('{} "{}": {}', codes.__name__.lower(), word, suggestion(word, known))
        mask |= 1 << codes[word.upper()]
    return mask


def step_code(word: str) -> int:
    """Return the code of an action or another step, as ``"walk"``, ``"disengage"``."""
    if word not in STEP_NAMES:
        raise InputError('action "{}": {}', word, suggestion(word, STEP_NAMES))
    return STEP_NAMES.index(word)


# Keys, below "actions.", of the values that forbid a step; the action's own if it has no dot.
_KEYS = {
    Ban.AFTER: "after",
    Ban.TIMES: "times",
    Ban.STAYS: "disengage.failure_stays",
    Ban.CONTACT: "in_contact",
    Ban.DISENGAGED: "after_disengaging",
    Ban.NEEDS: "needs",
    Ban.ANNOUNCED: "shoot.walk_announced",
    Ban.FREE: "disengage.after",
    Ban.TRIED: "disengage.after",
    Ban.BARRED: "disengage.unless",
}


def ban_entry(edition: Edition, ban: Ban, step: str, exclusive: str = "") -> Entry:
    """Return the value of an edition that forbids a step, with its clause."""
    if ban == Ban.EXCLUSIVE:
        return edition.entry(f"actions.{exclusive}.after")
    key = _KEYS[ban]
    if "." not in key:
        walks = step in ("turn", "announce_walk")
        key = f"{'walk' if walks else step}.{key}"
    return edition.entry(f"actions.{key}")
