"""What a fighter may do in its activation, and who acts when in a speaking turn (A-5)."""

from collections.abc import Iterable

import numpy as np

from ...kernels.layout.actions import ACTIONS, STEPS, Attempt, Ban
from ...kernels.phases.actions import advance, bans, standing
from ...profiles.compile.actions import (
    STEP_NAMES,
    ban_entry,
    compile_actions,
    facts_mask,
    step_code,
)
from ...profiles.edition.edition import Edition, Entry
from ...profiles.errors import InputError
from ...profiles.message import say

NAMES = STEP_NAMES[:ACTIONS]


class Activation:
    """What one fighter does in one activation, step by step.

    A step is an action (`NAMES`), ``"turn"`` on the spot, ``"announce_walk"``, said before
    a shot (A-5.5), or ``"disengage"``, a try at it (M-7).
    Facts, how the fighter stands, are words of `estoc.profiles.compile.actions.FACTS`; refusals
    call it ``fighter``.
    """

    def __init__(
        self, edition: Edition, facts: Iterable[str] = (), fighter: str = "fighter"
    ) -> None:
        self.edition, self.fighter, self.steps = edition, fighter, tuple[str, ...]()
        self._table = compile_actions(edition)
        self._done = np.zeros(STEPS, np.int64)
        self.see(facts)

    def see(self, facts: Iterable[str]) -> None:
        """Say how the fighter stands now, all facts anew."""
        self._facts = frozenset(facts)
        self._mask = facts_mask(self._facts)

    def may(self, step: str) -> bool:
        """Whether the fighter may do a step now."""
        return not self.clause(step)

    def clause(self, step: str) -> str:
        """Return the clause that forbids a step now, ``""`` if none does."""
        return self._why(step)[1]

    def check(self, step: str) -> None:
        """Refuse a step that is not legal now, with the clause that forbids it."""
        reason, clause = self._why(step)
        if clause:
            raise InputError("{}: {}: {} ({})", self.fighter, step, reason, clause)

    def do(self, step: str, succeeded: bool | None = None) -> None:
        """Do a step."""
        self.check(step)
        if (succeeded is not None) != (step == "disengage"):
            raise InputError(
                "{}: {}: whether it succeeded is said of a disengagement, and of nothing else "
                "(M-7)",
                self.fighter,
                step,
            )
        attempt = 0
        if succeeded is not None:
            attempt = Attempt.SUCCEEDED if succeeded else Attempt.FAILED
        advance(self._table, self._done, step_code(step), attempt)
        self.steps += (step,)

    def potential(self, action: str) -> int:
        """Return how far an action moves the fighter, as a multiple of its MOU (M-7.4, M-8)."""
        if action not in NAMES:
            raise InputError('"{}" should be an action: {} (M-8)', action, NAMES)
        return int(standing(self._table, self._done)[step_code(action)])

    @property
    def still(self) -> bool:
        """Whether a shot now has the bonus of a shooter that does not move (A-5.5)."""
        return bool(standing(self._table, self._done)[ACTIONS])

    def _why(self, step: str) -> tuple[str, str]:
        """Return why a step is not legal, and the clause; both empty if it is."""
        code = step_code(step)
        ban = Ban(bans(self._table, self._mask, self._done)[code])
        if ban == Ban.NONE:
            return "", ""
        done = next((s for s in self.steps if is_exclusive(self.edition, s)), "")
        entry = ban_entry(self.edition, ban, step, done)
        return self._reason(ban, entry, done), entry.clause

    def _reason(self, ban: Ban, entry: Entry, exclusive: str) -> str:
        if ban == Ban.NEEDS:
            return say("it needs {}", [f for f in entry.value if f not in self._facts])
        return {
            Ban.EXCLUSIVE: say("after {} a fighter does nothing else in this phase", exclusive),
            Ban.AFTER: say("it may not follow {}", self.steps),
            Ban.TIMES: say("done as often as it may be in one activation"),
            Ban.STAYS: say("a fighter that failed to disengage stays where it is"),
            Ban.CONTACT: say("the fighter touches an enemy and has not disengaged"),
            Ban.DISENGAGED: say("not after a disengagement"),
            Ban.ANNOUNCED: say("a walk after a shot is announced once, before any shot"),
            Ban.FREE: say("the fighter touches no enemy"),
            Ban.TRIED: say("the fighter has tried already"),
            Ban.BARRED: say("not when assaulted in this phase, nor when no room is left around it"),
        }[ban]


def is_exclusive(edition: Edition, step: str) -> bool:
    """Whether a step is an exclusive action (A-5.2)."""
    return step in NAMES and edition[f"actions.{step}.kind"] == "exclusive"
