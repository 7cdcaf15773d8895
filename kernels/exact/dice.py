"""Exact chances of dice that are re-rolled (W-1): that a chain, or the best of several, is enough.

What `laws` says of sixes without end, and of values that may be fractions, holds here too.
"""

from .._jit import part, routine
from ..layout.combat import RerollOne, Rule
from ..layout.policy import Reroll

REFUSED = 3  # besides Reroll: whoever wants his parry to fail re-rolls what succeeds
FAILED = 0  # in place of a natural result: a test that a rule failed


@part
def natural_after_one(fight, natural):
    """Natural result when a 1 ends the re-roll of a 6 (W-1.2)."""
    mode = fight.scalars[Rule.REROLL_ONE]
    if mode == RerollOne.ADD:
        return natural + 1
    return 1 if mode == RerollOne.RESET else FAILED


@part
def reaches(natural, goal):
    """Whether a natural result is enough; a test that a rule failed never is."""
    return natural != FAILED and natural >= goal


@part
def failing_faces(fight, goal):
    """How many of the faces 1 to 5 of a first die are not enough (W-1.3)."""
    faces = min(max(goal - 1, 0), 5)
    return max(faces, 1) if fight.scalars[Rule.NATURAL_ONE_FAILS] else faces


@routine
def six_reaches(fight, one, goal, reroll):
    """Chance that a chain which shows a 6 ends at ``goal`` or above.

    ``one`` is the number 1, float or Fraction; ``reroll`` a `Reroll`, or ``REFUSED``.
    """
    if reroll == Reroll.NEVER or (reroll == Reroll.NEEDED and goal <= 6):
        return one if goal <= 6 else one - one
    if reroll == REFUSED and goal > 6:
        return one - one
    chance, share, natural = one - one, one / 6, 6
    while natural < goal - (reroll != Reroll.NEEDED):  # some of the next faces are too low
        faces = 0
        for die in range(2, 6):
            faces += natural + die >= goal
        faces += reaches(natural_after_one(fight, natural), goal)
        chance += share * faces
        natural += 6
        if natural >= goal and reroll == Reroll.NEEDED:
            return chance + share
        share /= 6
    # each further die adds the same share of the way, to the end of days
    faces = 4 + reaches(natural_after_one(fight, natural), goal)
    return chance + share * faces * 6 / 5


@routine
def parry_chance(fight, one, dice, goal, reroll):
    """Chance that the best of several defence dice reaches ``goal`` (C-6.4, W-1.4)."""
    fails = one * failing_faces(fight, goal) / 6
    six = six_reaches(fight, one, goal, reroll)
    if not fight.scalars[Rule.ONE_CHAIN] or reroll == Reroll.NEVER:
        return one - (fails + (one - six) / 6) ** dice
    if reroll == Reroll.NEEDED or goal > 6:
        # one of the sixes is re-rolled, the others stay too low
        if goal <= 6:
            return one - fails**dice
        return (one - (one * 5 / 6) ** dice) * six
    # the others stay, and are enough
    return one - fails**dice - dice * fails ** (dice - 1) * (one - six) / 6


@part
def keeps(reroll, natural, needed):
    """Whether a policy keeps a 6 (W-1.2)."""
    return reroll == Reroll.NEVER or (reroll == Reroll.NEEDED and natural >= needed)
