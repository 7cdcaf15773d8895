"""Abilities of a fighter (W-7): which effects he has, and the numbers of them.

Effects and numbers are called as in `kernels/layout/abilities.py`, in lower case. A number counts
only if he has its effect. What a wound becomes is a pair like ``("dealt_stunned", 2)``, for the
results that change: a place in ``OUTCOMES``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from estoc.kernels.layout.abilities import Effect, Location, Roll, Weapon
from reference.book import OUTCOMES

if TYPE_CHECKING:
    from reference.state import Fighter

EFFECTS = frozenset(effect.name.lower() for effect in Effect)
CODES = {effect.name.lower(): int(effect) for effect in Effect}
WORDS = ("nothing", "stunned", "light", "serious", "critical", "killed")  # as in ``OUTCOMES``
SIXES = (6,)


def has(fighter: Fighter, effect: str) -> bool:
    """Whether he has an effect."""
    if effect not in EFFECTS:
        raise KeyError(effect)
    return effect in fighter.effects


def number(fighter: Fighter, name: str) -> int:
    """A number of an effect that he has; 0 if it is not given."""
    return dict(fighter.numbers).get(name, 0)


def amount(fighter: Fighter, effect: str, name: str = "") -> int:
    """The number of an effect, called like it unless named; 0 if he does not have it."""
    return number(fighter, name or effect) if has(fighter, effect) else 0


def open_faces(fighter: Fighter, roll: Roll) -> tuple[int, ...]:
    """Faces of a die that may be re-rolled in a test (W-1.2): 6, or 5 as well, or none."""
    if has(fighter, "no_rerolls"):
        return ()
    if amount(fighter, "open_fives", "open_rolls") & 1 << roll:
        return (5, 6)
    return SIXES


def becomes(fighter: Fighter, which: str, outcome: str) -> str:
    """What a result that he "dealt" or "suffered" is turned into."""
    if not has(fighter, f"replace_{which}"):
        return outcome
    place = OUTCOMES.index(outcome)
    return OUTCOMES[dict(fighter.numbers).get(f"{which}_{WORDS[place]}", place)]


def ignores_location(fighter: Fighter, lower: int) -> bool:
    """Whether wounds where the lower die hits are ignored (W-2.1)."""
    return amount(fighter, "ignore_location", "ignored_locations") & 1 << (lower - 1) != 0


def kills_by_doubles(fighter: Fighter) -> bool:
    """Whether any double of his kills in melee."""
    return amount(fighter, "kill_doubles", "kill_weapons") & Weapon.MELEE != 0


LEGS, HEAD = int(Location.LEGS), int(Location.HEAD)
