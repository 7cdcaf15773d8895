"""Exact odds of a combat: every final state with its chance, and the best decisions."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import Number
from ...kernels.layout.combat import Rule, Rules, Setup
from ...kernels.layout.exact import MAX_DICE, Scratch, Table
from ...kernels.layout.feats import MOST_LUCK, MOST_WAYS
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ..base.options import number_of_dice
from .combatants import Combatant
from .laws import Law, Position, TooLarge
from .question import Question, combat_feats
from .turns import Combat

MAX_EXACT = 4  # enemies of the lone fighter
MAX_BEST_TURNS, MAX_BEST_PLACING = 2, 3  # the same where best play is looked for
POSITIONS = 4096  # room of the table of positions at first
MOST_POSITIONS = 1 << 24


def obstacle(question: Question) -> str:
    """Return why a question has no exact answer here; empty if it has one."""
    enemies = len(question.others)
    if enemies > MAX_EXACT:
        return f"{enemies} enemies; exact odds are for {MAX_EXACT} at most"
    for fighter in question.fighters:
        reason = _obstacle_of(question, fighter)
        if reason:
            return reason
    return _obstacle_to_best_play(question)


def _obstacle_of(question: Question, fighter: Combatant) -> str:
    """Return what of a fighter has no room in the tables; empty if all has."""
    options, enemies = question.options, len(question.others)
    _, numbers = combat_feats(fighter, options)
    dice = number_of_dice(options.edition, enemies if fighter is question.lone else 1)
    dice += int(numbers[Number.EXTRA_DICE] + numbers[Number.CHAIN_DICE])
    if dice > MAX_DICE:
        return f"{dice} combat dice; exact odds are for {MAX_DICE} at most"
    luck = int(numbers[Number.LUCK_TESTS])
    if luck > MOST_LUCK:
        return f"{luck} tests rolled again by Chance; exact odds are for {MOST_LUCK} at most"
    held = min(int(numbers[Number.HELD_DICE]), dice)
    if (held + 1) * (dice - held + 1) > MOST_WAYS - 2:  # a sustained die is met in two ways
        return f"{held} of {dice} dice held back; exact odds are for fewer"
    return ""


def _obstacle_to_best_play(question: Question) -> str:
    """Return why best play would take hours, if policies leave decisions open."""
    enemies, options = len(question.others), question.options
    open_decisions = {key for policy in options.policies for key in policy.open_decisions}
    if open_decisions and enemies > MAX_BEST_TURNS and options.turns > 1:
        return f"best play of several turns is for {MAX_BEST_TURNS} enemies at most, not {enemies}"
    placing = "placement" in open_decisions and not all(c.dice for c in question.fighters)
    if placing and enemies > MAX_BEST_PLACING:
        return (
            f"the best dice are looked for against {MAX_BEST_PLACING} enemies at most, not "
            f"{enemies}; combat and solve can be told them with --dice"
        )
    return ""


def checked_exact(question: Question) -> None:
    """Refuse a question that has no exact answer."""
    reason = obstacle(question)
    if reason:
        raise InputError(f"exact odds: {reason}{_other_way(question)}")


def _other_way(question: Question) -> str:
    """Return what to do instead, if trials can be played."""
    fixed = not any(policy.open_decisions for policy in question.options.policies)
    if fixed and question.command in ("duel", "combat"):
        return "; sample it with --method mc"
    return ""


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
        from ...kernels.exact.laws import new_laws

        key = (edition, setup.policy.tobytes(), setup.chooser)
        if key not in self._tables:
            self._tables[key] = new_laws()
        return self._tables[key]

    def scratch(self, rules: Rules) -> Scratch:
        """Return the scratch arrays of a duel."""
        from ...kernels.exact.duel import scratch_of

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
            raise TooLarge(
                f"exact odds: the combat has more than {self._room:,} positions"
                f"{_other_way(question)}"
            )
        self._room = min(4 * self._room, self.most)
        self._table = self._feats = None
