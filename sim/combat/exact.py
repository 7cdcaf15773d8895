"""Exact odds of a combat: every final state with its chance, and the best decisions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Rule, Rules, Setup
from ...kernels.layout.exact import Scratch, Table
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.message import say
from .laws import Law, Position, TooLarge
from .question import Question
from .turns import Combat

POSITIONS = 4096  # room of the table of positions at first
MOST_POSITIONS = 1 << 24


def checked_exact(question: Question) -> None:
    """Refuse a question that has no exact answer."""
    if question.obstacle:
        raise InputError(_refusal(question, question.obstacle))


def _refusal(question: Question, why: str) -> str:
    """Return why there are no exact odds, and what to do instead if trials can be played."""
    fixed = not any(policy.open_decisions for policy in question.options.policies)
    if fixed and question.command in ("duel", "combat"):
        return say("exact odds: {}; sample it with --method mc", why)
    return say("exact odds: {}", why)


class Engine:
    """Works out laws, with tables and scratch that questions share; for one thread.

    Parameters
    ----------
    most : int, optional
        Positions of one combat for which there is room; ``MOST_POSITIONS`` if not given.
    """

    def __init__(self, most: int | None = None) -> None:
        self._tables: dict[tuple[Any, ...], NDArray[np.void]] = {}
        self._scratch: dict[tuple[int, ...], Scratch] = {}
        self._table: tuple[int, Table] | None = None
        self._feats: Table | None = None
        self._room, self.most = POSITIONS, most or MOST_POSITIONS

    def law(self, question: Question) -> Law:
        """Return the exact answer to a question."""
        checked_exact(question)
        return Combat(self, question).law()

    def played(self, question: Question) -> list[Position]:
        """Return every position of the first turn that best play leads to, and its decisions."""
        checked_exact(question)
        return Combat(self, question).positions_played()

    def laws(self, question: Question) -> NDArray[np.void]:
        """Return the tables of single tests for a question's edition and policies."""
        return self.tables_of(question.options.edition, question.setup)

    def tables_of(self, edition: Edition, setup: Setup) -> NDArray[np.void]:
        """Return the tables of single tests for an edition and the policies of a combat."""
        from ...kernels.layout.exact import new_laws

        key = (edition, setup.policy.tobytes(), setup.chooser)
        if key not in self._tables:
            self._tables[key] = new_laws()
        return self._tables[key]

    def scratch(self, rules: Rules) -> Scratch:
        """Return the scratch arrays of a duel."""
        from ...kernels.layout.exact import scratch_of

        size = (
            len(rules.level),
            int(rules.scalars[Rule.DICE_BASE]),
            int(rules.scalars[Rule.DICE_PER_ENEMY]),
        )
        if size not in self._scratch:
            self._scratch[size] = scratch_of(rules)
        return self._scratch[size]

    def table(self, fighters: int) -> Table:
        """Return an empty table of positions."""
        from ...kernels.exact.several import table_of

        if self._table is None or self._table[0] != fighters:
            self._table = fighters, table_of(fighters, self._room)
        return self._table[1]

    def feats_table(self) -> Table:
        """Return an empty table of positions where somebody has an ability."""
        from ...kernels.feats.several import table_of

        self._feats = self._feats or table_of(self._room)
        return self._feats

    def enlarge(self, question: Question) -> None:
        """Make room for four times as many positions."""
        if self._room >= self.most:
            why = say("the combat has more than {:,} positions", self._room)
            raise TooLarge(_refusal(question, why))
        self._room = min(4 * self._room, self.most)
        self._table = self._feats = None
