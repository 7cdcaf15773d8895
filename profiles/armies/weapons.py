"""What a fighter shoots with (W-6, A-5.5)."""

from typing import NamedTuple

from ..edition.edition import Edition
from ..errors import InputError
from ..fighters.card import Profile
from ..fighters.cells import ranges_of
from ..message import say


class Weapon(NamedTuple):
    """A ranged weapon."""

    strength: int  # its FOR
    # short, medium and long, in cm; 0 where there is no short one
    ranges: tuple[float, float, float]
    assumed: tuple[str, ...] = ()  # keys of the edition that they come from and that nobody found
    # name of the edition's weapon if a figure is its, empty if all are the card's
    typical: str = ""


def can_shoot(profile: Profile) -> bool:
    """Return whether a fighter has TIR and a ranged weapon whose figures are known (A-5.5)."""
    own = profile.weapon_FOR is not None and bool(profile.ranges)
    return profile.TIR is not None and (own or bool(profile.weapon))


def weapon_of(profile: Profile, edition: Edition) -> Weapon:
    """Return a shooter's weapon: the card's own figures, else those of a typical one."""
    profile.need("TIR")
    if not can_shoot(profile):
        raise InputError(_lacking(profile))
    strength, ranges, keys = profile.weapon_FOR, profile.ranges, []
    if strength is None:
        keys.append(f"weapon.{profile.weapon}.strength")
        strength = int(edition[keys[-1]])
    if ranges:
        reach = ranges_of(ranges)
    else:
        keys.append(f"weapon.{profile.weapon}.ranges")
        short, medium, long = edition[keys[-1]]
        reach = float(short), float(medium), float(long)
    return Weapon(strength, reach, edition.assumed(keys), profile.weapon if keys else "")


def _lacking(profile: Profile) -> str:
    """Return which cell of a weapon is empty."""
    cell, value = "weapon", "bow"
    if profile.ranges:
        cell, value = "weapon_FOR", "6"
    elif profile.weapon_FOR is not None:
        cell, value = "ranges", "25/45/65"
    where = say("{}: ", profile.where) if profile.file else ""
    return say(
        '{0}fighter "{1}": the cell {2} is empty and is needed here: it has no ranged '
        'weapon (A-5.5); give one with --set "{1}".{2}={3}',
        where,
        profile.name,
        cell,
        value,
    )
