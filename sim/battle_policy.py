"""Policies for battles, by name: how a player moves, fights and plays his cards."""

from textwrap import fill

from estoc.kernels.battle_codes import Style
from estoc.profiles import InputError
from estoc.profiles.battle import Player
from estoc.profiles.card_policy import load_card_policy
from estoc.profiles.errors import suggestion
from estoc.sim.policy import Policy

BATTLE_POLICIES = tuple(style.name.lower() for style in Style)
USUAL = "aggressive"

_TEXTS = {
    "random": "legal decisions at random",
    "aggressive": "charge the nearest enemy in reach, engage one that is not seen, shoot where "
    "there is a target, cast what is in range, else run at the nearest; combats as sensible",
}

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


def battle_description() -> str:
    """Return the names of the policies for battles and what they do, for a person to read."""
    width = max(map(len, BATTLE_POLICIES))
    lines = ["Policies for battles (estoc battle --policy-a, --policy-b):"]
    for name in BATTLE_POLICIES:
        text = f"{_TEXTS[name]}; cards as {_CARDS[name]}"
        lines.append(
            fill(text, 80, initial_indent=f"  {name:<{width}}  ", subsequent_indent=" " * 16)
        )
    return "\n".join(lines)
