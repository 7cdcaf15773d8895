"""How many enemies find room in contact with a fighter (M-7.1, M-7.6).

The model. An enemy stands with the middle of its front edge, its aim point, on the edge of
the base that it touches, facing it (M-4.3), and bases may touch but not overlap. All enemies
are taken to be as wide as the narrowest of those given, and nothing else is in the way:
friends in contact, other fighters and terrain are left out.

- Square by square: each enemy stands flush on a side and may stick out past a corner by up
  to half its width; at each corner one of the two sides does. The best choice counts.
- Square enemies round a disc: their fronts are tangents that meet at their ends.
- Discs round a disc: each touches both of its neighbours.
- Discs round a square: their centres lie on the line at one radius from it, round the
  corners too, and are put one after the other as near as they may be.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import asin, atan, cos, dist, floor, pi, sin

from ..edition.edition import Edition, Entry
from ..fighters.card import SIZES, Profile
from ..letters import fold

Base = tuple[float, ...]  # width and depth in mm, or a diameter alone

_SLACK = 1e-9  # bases that touch exactly do not overlap
_STARTS = 64  # first places tried for discs round a square


def size_of(profile: Profile, edition: Edition) -> tuple[str, bool]:
    """Return the size of a fighter, and whether it is assumed (W-5)."""
    return profile.size or str(edition["defaults.size"]), not profile.size


def size_rank(size: str) -> int:
    """Return the place of a size among all, the smallest 0 (W-5)."""
    return list(SIZES).index(size)


def base_of(profile: Profile, edition: Edition) -> tuple[Base, str]:
    """Return the base of a fighter in mm, and the key that says so, empty if its card does (W-5).

    The square base of its size where the card gives none: a large fighter's is a creature's.
    """
    if profile.base:
        return tuple(map(float, profile.base.split("x"))), ""
    key = f"square.{_word(profile.size)}" if profile.size else "defaults.base"
    return tuple(map(float, edition[key])), key


def cap_of(profile: Profile, edition: Edition) -> Entry:
    """Return the most enemies that may touch a fighter of its size, whatever the bases (M-7.6)."""
    return edition.entry(f"disengage.most.{_word(size_of(profile, edition)[0])}")


def most_in_contact(
    profile: Profile, enemies: Sequence[Profile], edition: Edition
) -> tuple[int, Entry | None]:
    """Return the most enemies like these that may touch a fighter, and the value that says so.

    Of no value (None): the bases leave no more room. The narrowest base counts for all (M-7.1).
    """
    base, _ = base_of(profile, edition)
    narrowest = min((base_of(enemy, edition)[0] for enemy in enemies), key=lambda b: b[0])
    cap = cap_of(profile, edition)
    room = room_round(base, narrowest[0], len(narrowest) == 1)
    return (room, None) if room <= cap.value else (int(cap.value), cap)


def _word(size: str) -> str:
    return fold(size).replace(" ", "_")


@lru_cache(maxsize=256)
def room_round(base: Base, width: float, disc: bool) -> int:
    """Return how many bases of one front, or discs, fit in contact round a base, in mm.

    >>> room_round((25, 25), 25, False), room_round((50, 50), 25, False)
    (6, 10)
    >>> room_round((30,), 30, True)
    6
    """
    if len(base) == 2:
        return _discs_round(base[0], base[1], width / 2) if disc else _squares_round(base, width)
    radius = base[0] / 2
    half = asin(width / (2 * radius + width)) if disc else atan(width / (2 * radius))
    return floor(pi / half + _SLACK)


def _squares_round(base: Base, width: float) -> int:
    """Return how many flush fronts find room on the four sides."""
    sides = (base[0], base[1], base[0], base[1])

    def fitting(corners: tuple[int, ...]) -> int:
        """Corner k, between sides k and k + 1, is the first one's where it is 1."""
        past = (corners[k] + 1 - corners[k - 1] for k in range(4))
        lengths = zip(sides, past, strict=True)
        return sum(floor(side / width + n / 2 + _SLACK) for side, n in lengths)

    return max(map(fitting, product((0, 1), repeat=4)))


def _discs_round(wide: float, deep: float, radius: float) -> int:
    """Return how many discs of a radius find room round a rectangle."""
    half = wide + deep + pi * radius  # of the line on which the centres lie
    starts = [half * k / _STARTS for k in range(_STARTS)]
    starts += [0.0, wide / 2, wide, wide + pi * radius / 4, wide + pi * radius / 2]

    def place(at: float) -> tuple[float, float]:
        """Point of the line, from the beginning of a long side on; half way is opposite."""
        turns, at = divmod(at, half)
        x, y = _quarters(at, wide, deep, radius)
        return (x, y) if turns % 2 == 0 else (-x, -y)

    def following(at: float) -> float:
        """Nearest place further on of a centre two radii away."""
        low, high, here = at, at + half, place(at)
        while high - low > _SLACK / 100:
            middle = (low + high) / 2
            if dist(here, place(middle)) < 2 * radius - _SLACK / 100:
                low = middle
            else:
                high = middle
        return high

    def fitting(start: float) -> int:
        number, at = 0, following(start)
        while at <= start + 2 * half + _SLACK * 10:
            number, at = number + 1, following(at)
        return number

    return max(map(fitting, starts))


def _quarters(at: float, wide: float, deep: float, radius: float) -> tuple[float, float]:
    """Return a point of half the line: a side, a corner, the next side, its corner."""
    quarter = pi * radius / 2
    x, y = wide / 2, deep / 2
    if at <= wide:
        return at - x, -y - radius
    if at <= wide + quarter:
        angle = (at - wide) / radius
        return x + radius * sin(angle), -y - radius * cos(angle)
    if at <= wide + quarter + deep:
        return x + radius, at - wide - quarter - y
    angle = (at - wide - quarter - deep) / radius
    return x + radius * cos(angle), y + radius * sin(angle)
