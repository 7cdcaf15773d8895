"""The choice among the separations of a melee: what each is worth, which each side likes best."""

from dataclasses import dataclass
from math import fsum

import numpy as np

from ..base.options import SIDES
from ..combat.laws import ROUNDING
from .melee_question import Melee

MOST_LISTED = 10_000  # separations of a melee; of more, only the best of each side
Separation = tuple[int, ...]


@dataclass(frozen=True)
class Choice:
    """What both sides would make of a melee."""

    # value to A of each separation that is listed, the best for A first
    values: dict[Separation, float]
    best: dict[str, float]  # value of the separation that A, or B, would choose
    # chance that A separates it; None if nobody does, or a Discipline is not known
    chance_a: float | None

    @property
    def expected(self) -> float | None:
        """Value before the test for who separates; None if its odds are not known."""
        if self.best["A"] == self.best["B"]:
            return self.best["A"]
        if self.chance_a is None:
            return None
        return self.chance_a * self.best["A"] + (1 - self.chance_a) * self.best["B"]

    def best_for(self, separation: Separation) -> str:
        """Return the sides that like this separation best: A, B, both or none."""
        value = self.values[separation]
        liked = (s for s in SIDES if abs(value - self.best[s]) <= ROUNDING * max(1.0, abs(value)))
        return " ".join(liked)


def choice(
    melee: Melee, values: dict[int, float], kinds: dict[int, int], order: Choice | None = None
) -> Choice:
    """Return what both sides would make of a melee."""
    table = np.full(melee.whole + 1, np.nan)
    table[list(values)] = list(values.values())
    best = {side: melee.best(table, side) for side in SIDES}
    if order is not None:
        listed = list(order.values)
    elif melee.count <= MOST_LISTED:
        listed = melee.separations()
    else:
        listed = list(dict.fromkeys(separation for separation, _ in best.values()))
    # fsum: the same combats in another order have the same sum
    worth = {separation: fsum(values[c] for c in separation) for separation in listed}
    if order is None:
        worth = dict(sorted(worth.items(), key=lambda i: (-i[1], sorted(kinds[c] for c in i[0]))))
    chance = melee.chance_a(melee.whole) if melee.separable else None
    return Choice(worth, {side: value for side, (_, value) in best.items()}, chance)
