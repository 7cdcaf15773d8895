"""The odds of the Tactics roll (T-2.3 to T-2.5)."""

from dataclasses import replace
from functools import lru_cache

from ...kernels.layout.cards import Winner
from ...profiles.compile.cards import NO_ROLLER
from ..base.options import Options
from ..combat.single import Opposed, opposed_law


def chance_to_win(own: int, other: int, options: Options | None = None) -> float:
    """Return the exact chance that side A wins the Tactics roll; -1 where no fighter may roll.

    >>> chance_to_win(4, 4), chance_to_win(-1, 3), chance_to_win(-1, -1)
    (0.5, 0.0, 0.5)
    """
    options = Options() if options is None else options
    tie, no_fighter = (options.edition[f"tactics.{key}"] for key in ("tie", "no_fighter"))
    return chance_of_test(own, other, options, tie, no_fighter)


@lru_cache(maxsize=256)
def chance_of_test(own: int, other: int, options: Options, tie: str, no_fighter: str) -> float:
    """Return the exact chance that side A wins an opposed Discipline test (T-2.4, C-1.4, C-2.1)."""
    if NO_ROLLER in (own, other):
        if own == other or no_fighter == "coin":
            return 0.5
        return float(other == NO_ROLLER)
    # nobody chose the test: a coin says who is asked last about his 6
    laws = [opposed_law(own, other, replace(options, chosen_by=side)) for side in "AB"]
    return sum(_settled(law, own, other, tie) for law in laws) / 2


def _settled(law: Opposed, own: int, other: int, tie: str) -> float:
    """Return the chance that A wins in the end, a tied roll being settled by the rule for it."""
    if tie == "coin":
        return law.win + law.tie / 2
    if tie == "higher_characteristic" and own != other:
        return law.win + law.tie * (own > other)
    return law.win / (law.win + law.lose)


def chance_of_phase(winner: int, disciplines: tuple[int, int], options: Options) -> float:
    """Return the chance that A wins, by ``winner`` of a phase and both sides' Discipline."""
    if winner < Winner.ROLL:
        return float(winner == 0)
    if winner == Winner.COIN:
        return 0.5
    return chance_to_win(*disciplines, options)
