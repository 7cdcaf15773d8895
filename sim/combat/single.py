"""Exact chances of single tests, up to a whole blow (W-1, W-2, C-4, C-6)."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import COLUMNS, Outcome, Setup
from ...kernels.layout.exact import GOALS, MAX_DICE
from ...kernels.layout.policy import Reroll
from ...profiles.compile.combat import compile_rules
from ...profiles.errors import InputError
from ..base.options import Options

REROLLS = tuple(reroll.name.lower() for reroll in Reroll)
OUTCOMES = tuple(outcome.name.lower() for outcome in Outcome)


class Opposed(NamedTuple):
    """Chances of an opposed test, rolled once."""

    win: float
    tie: float
    lose: float


class Attack(NamedTuple):
    """Chances of an attack: automatic failure, parried, landed."""

    failed: float
    parried: float
    lands: float


def natural_law(
    reroll: str = "always", needed: int = 0, options: Options | None = None
) -> dict[int | None, float]:
    """Return the law of one die's natural result (W-1.2, W-1.3).

    Parameters
    ----------
    reroll : {"always", "never", "needed"}
        Whether a 6 is re-rolled; *needed*: while the result is below ``needed``.
    needed : int
    options : Options, optional
        Edition and rules.

    Returns
    -------
    dict
        Chance by natural result; None stands for a test that a rule fails. Chains end after
        24 sixes, the last of them kept.

    Examples
    --------
    >>> law = natural_law()
    >>> round(law[1], 12), round(sum(law.values()), 12)
    (0.2, 1.0)
    """
    from ...kernels.exact import laws

    if reroll not in REROLLS:
        raise InputError('reroll "{}" should be one of {}', reroll, REROLLS)
    law = np.empty(GOALS)
    laws.natural_law(*_kernel(options), Reroll[reroll.upper()].value, needed, law)
    return {natural or None: float(p) for natural, p in enumerate(law) if p > 0}


def opposed_law(own: int, other: int, options: Options | None = None) -> Opposed:
    """Return the chances of an opposed test, its re-rolled sixes included (W-1.5, C-4).

    Parameters
    ----------
    own, other : int
        Characteristics of side A, who chose the combat unless the options say otherwise,
        and of side B.
    options : Options, optional
        Edition, rules, and the policies about re-rolls in Initiative.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from estoc.sim.base.policy import POLICIES
    >>> always = Options(policies=(POLICIES["always"], POLICIES["always"]))
    >>> [Fraction(p).limit_denominator(1000) for p in opposed_law(3, 3, always)]
    [Fraction(74, 175), Fraction(27, 175), Fraction(74, 175)]
    """
    from ...kernels.exact import initiative

    _check_fixed(options)
    return Opposed(*map(float, initiative.opposed_law(*_kernel(options), own - other)))


def attack_law(attack: int, defence: int, dice: int = 1, options: Options | None = None) -> Attack:
    """Return the chances of an attack against so many defence dice (C-6.3, C-6.4, W-1.4).

    Parameters
    ----------
    attack, defence : int
        Current ATT of the striker, side A, and DEF of side B.
    dice : int
        Committed to the parry; 0 for an attack that is not defended.
    options : Options, optional
        Edition, rules, and the policies about re-rolls.

    Examples
    --------
    >>> round(attack_law(3, 3).lands, 6)  # 5/12: the 6 is kept
    0.416667
    """
    from ...kernels.exact import laws

    _check_fixed(options)
    if not 0 <= dice <= MAX_DICE:
        raise InputError("dice {} should be from 0 to {}", dice, MAX_DICE)
    return Attack(*map(float, laws.attack_law(*_kernel(options), 0, dice, attack, defence)))


def wound_law(strength: int, resistance: int, options: Options | None = None) -> dict[str, float]:
    """Return the chances of the results of a wound roll (W-2).

    Parameters
    ----------
    strength, resistance : int
        Current FOR and RES.
    options : Options, optional
        Edition and rules.

    Examples
    --------
    >>> round(36 * wound_law(5, 5)["killed"], 9)
    3.0
    """
    from ...kernels.exact import laws

    law = np.empty(len(OUTCOMES))
    laws.wound_law(*_kernel(options), strength - resistance, law)
    return {name: float(p) for name, p in zip(OUTCOMES, law, strict=True)}


def _check_fixed(options: Options | None) -> None:
    for policy in (options or Options()).policies:
        if policy.open_decisions:
            raise InputError('policy "{}": what is best in one test hangs on the combat', policy)


def _kernel(options: Options | None) -> tuple[NDArray[np.void], NDArray[Any]]:
    """Return two nobodies who test by these options, and empty tables."""
    from ...kernels.layout.combat import new_fight
    from ...kernels.layout.exact import new_laws

    options = options or Options()
    setup = Setup(
        fighters=np.zeros((2, COLUMNS), np.int64),
        order=np.arange(2),
        policy=np.stack([policy.row() for policy in options.policies]),
        chooser=0 if options.chosen_by == "A" else 1,
        mirror=0,
    )
    return new_fight(setup, compile_rules(options.edition), 0, 0), new_laws()
