"""Abilities of a question's fighters, as the kernels of single tests take them (W-7)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.ability_codes import Effect, Number, Roll
from estoc.profiles import Profile
from estoc.profiles.abilities import compile_abilities, plain_numbers
from estoc.sim.params import Options

Feats = tuple[int, NDArray[np.int64]]


def feats_of(profile: Profile, options: Options) -> Feats:
    """Return flags and numbers of a fighter; none where abilities are not played."""
    return compile_abilities(profile) if options.abilities else (0, plain_numbers())


def number_of(feats: Feats, effect: Effect, number: Number) -> int | None:
    """Return a number of an effect; None without the effect."""
    flags, numbers = feats
    return int(numbers[number]) if flags >> effect & 1 else None


def has(feats: Feats, effect: Effect) -> bool:
    """Whether a fighter has an effect."""
    return bool(feats[0] >> effect & 1)


def opening(feats: Feats, rolls: Sequence[Roll]) -> int:
    """Return which dice are re-rolled besides 6s in a test of any of these kinds.

    As ``Person.OPEN`` has it: 1: 5s; -1: not even 6s.
    """
    if has(feats, Effect.NO_REROLLS):
        return -1
    opens = number_of(feats, Effect.OPEN_FIVES, Number.OPEN_ROLLS) or 0
    return int(any(opens >> roll & 1 for roll in rolls))
