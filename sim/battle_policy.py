"""Policies for battles, by name: how a player moves, fights and plays his cards."""

from estoc.kernels.battle_codes import Style
from estoc.profiles import InputError
from estoc.profiles.battle import Player
from estoc.profiles.card_policy import load_card_policy
from estoc.profiles.errors import suggestion
from estoc.sim.policy import Policy

BATTLE_POLICIES = tuple(style.name.lower() for style in Style)
USUAL = "aggressive"

# How each plays its cards where the scenario does not say.
_CARDS = {"random": "random", "aggressive": "listed"}


def player_of(name: str) -> Player:
    """Return how a player of a named policy decides.

    Raises
    ------
    InputError
        If there is no such policy.

    Examples
    --------
    >>> player_of("aggressive").style.name
    'AGGRESSIVE'
    """
    if name not in BATTLE_POLICIES:
        raise InputError(
            f'policy "{name}" is no policy for battles; {suggestion(name, BATTLE_POLICIES)}'
        )
    return Player(Style[name.upper()], Policy().row(), load_card_policy(_CARDS[name]))
