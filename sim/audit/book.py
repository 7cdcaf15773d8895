"""What the checker of transcripts needs of an edition: states, penalties, wound table, tests."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from ...profiles.edition.edition import Edition
from ...profiles.edition.rulebook import LEVELS, STATS

DEAD = "dead"
UNHURT = "unhurt"
STUNNED = "stunned"
OUTCOMES = {
    **{"-": "nothing", "St": "stunned", "L": "light"},
    **{"S": "serious", "C": "critical", "K": "killed"},
}
SIZES = ("petite", "moyenne", "grande", "tres_grande")  # by rank
_COLUMNS = ("legs", "arms", "abdomen", "thorax", "head")

Penalty = dict[str, int]


def words_of(state: object) -> list[str]:
    """Return the words that a state is made of: each is told by itself."""
    return str(state).split(", ")


class Book:
    """The values of an edition as the clauses use them, read apart from the kernels."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.rule: dict[str, Any] = {entry.key: entry.value for entry in edition.values}
        self.charge: Penalty = {stat: self.rule[f"charge.{stat}"] for stat in STATS}
        self._stacks = 3 if self.rule["wounds.stunned_stacks"] else 1
        self._states = dict(self._named())
        self._names = {state: name for name, state in self._states.items()}
        self._table = [line.split() for line in self.rule["wounds.table"]]

    def _named(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Yield the name, wound level and stunned results of every state (W-3.1, W-3.3)."""
        for level in range(self.rule["wounds.killed_level"]):
            words, left = [], level
            for wound in reversed(LEVELS):
                while left >= self.rule[f"wounds.{wound}"]:
                    words.append(wound)
                    left -= self.rule[f"wounds.{wound}"]
            for stunned in range(self._stacks + 1):
                yield ", ".join(words + [STUNNED] * stunned) or UNHURT, (level, stunned)

    def _penalty(self, level: int, stunned: int) -> Penalty:
        """Return what a state takes from each characteristic (W-3.2)."""
        worst = [wound for wound in LEVELS if self.rule[f"wounds.{wound}"] <= level][-1:]
        return {
            stat: sum(self.rule[f"penalty.{wound}.{stat}"] for wound in worst)
            + stunned * self.rule[f"penalty.stunned.{stat}"]
            for stat in STATS
        }

    def knows(self, state: str) -> bool:
        """Whether a state has that name."""
        return state == DEAD or state in self._states

    def level(self, state: str) -> int:
        """Return the wound level of a state (W-3.1)."""
        return self.rule["wounds.killed_level"] if state == DEAD else self._states[state][0]

    def penalty(self, state: str, stat: str, ignored: int = 0, lighter: int = 0) -> int:
        """Return what a state takes from a characteristic (W-3.2).

        Wounds up to the level ``ignored`` take nothing, others as those of ``lighter`` levels
        less (W-7).
        """
        if state == DEAD:
            return 0
        level, stunned = self._states[state]
        level = 0 if level <= ignored else level - lighter
        return self._penalty(level, stunned).get(stat, 0)

    def unstunned(self, level: int) -> str:
        """Return the state of a wound level; of one that kills, the worst that does not."""
        return self._names[min(level, self.rule["wounds.killed_level"] - 1), 0]

    def with_levels(self, state: str, levels: int) -> str:
        """Return a state after so many wound levels more, or less if below 0 (W-3.1)."""
        if state == DEAD:
            return DEAD
        level, stunned = self._states[state]
        return self._names.get((max(level + levels, 0), stunned), DEAD)

    def after(self, state: str, outcome: str) -> str:
        """Return a state after the result of a wound roll (W-3.1, W-3.3)."""
        if outcome == "killed" or state == DEAD:
            return DEAD
        if outcome in LEVELS:
            return self.with_levels(state, self.rule[f"wounds.{outcome}"])
        level, stunned = self._states[state]
        return self._names[level, min(stunned + (outcome == STUNNED), self._stacks)]

    def recovered(self, state: str) -> str:
        """Return a state without its stunned results (T-5.3)."""
        return DEAD if state == DEAD else self._names[self._states[state][0], 0]

    def outcome(self, dice: tuple[int, int], difference: int, lines: int = 0) -> str:
        """Return the result of a wound roll with FOR minus RES (W-2).

        It may be read some lines further down (W-6), or up if below 0 (W-7).
        """
        if dice == (6, 6) and self.rule["wounds.double_six_kills"]:
            return "killed"
        row = max(dice) + difference
        line = sum(start <= row for start in self.rule["wounds.starts"]) + lines
        place = self.rule["wounds.places"][min(dice) - 1]
        cells = self._table[min(max(line, 0), len(self._table) - 1)]
        return OUTCOMES[cells[_COLUMNS.index(place)]]

    def most_enemies(self, size: int) -> int:
        """Return how many enemies may touch a fighter of a size rank (M-7.6)."""
        return int(self.rule[f"disengage.most.{SIZES[size]}"])


@cache
def book_of(edition: Edition) -> Book:
    """Return the book of an edition, made once."""
    return Book(edition)
