"""Armies stood up for a battle on a field without fighters.

A line is a row of bases, their front edges on one straight line across the table. Of each line
the player has a left, a centre and a right third. Fighters of a wing stand side by side in the
middle of their third; those who are spread have equal shares of the whole line. Then neighbours
who are too close move apart, all as little as may be (least squares), and nobody out of the line.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import hypot
from pathlib import Path
from typing import get_args

from ...kernels.layout.table import MAX_BASES, TOUCH
from ..armies.army import Army, Card, Wing
from ..armies.scenario import Deployment, Placed, Point, Scenario, Side
from ..armies.scenario_file import GroundTable, ground_of
from ..edition.edition import Edition
from ..errors import InputError
from ..fighters.card import Profile
from ..files.toml import load
from ..letters import fold
from ..message import say
from .battle import SIDES, missing_cells
from .room import base_of

MOST_FIGHTERS = MAX_BASES // 2  # of a side

_MM = 0.1  # cm
_MIDDLE = {"left": 1 / 6, "centre": 1 / 2, "right": 5 / 6}  # of a wing


class _FieldTable(GroundTable):
    deployment: Deployment = Deployment()


@dataclass(frozen=True)
class _Post:
    """A fighter and its place in its line: how far its middle is from the left end, in cm."""

    label: str
    profile: Profile
    card: Card
    width: float
    depth: float
    across: float = 0.0


def load_field(name: str | Path) -> Scenario:
    """Return a battlefield: a scenario without fighters."""
    read, path = load("field", name, _FieldTable)
    return replace(ground_of(read, path, str(name)), deployment=read.deployment)


def muster(field: Scenario, armies: tuple[Army, Army], edition: Edition) -> Scenario:
    """Return a field with two armies on it: A on the left, B the same turned by half a turn.

    Each stands as its file says (``line``, ``wing``), whichever side it is and whoever the enemy.
    """
    for army in armies:
        check_army(army, edition)
    names = [{fold(card.name) for card in army.cards} for army in armies]
    both = names[0] & names[1]
    fighters: list[Placed] = []
    for side, army in zip(SIDES, armies, strict=True):
        fighters += _stood(field, army, side, both, edition)
    a, b = (Side(army.name, army.people, army.alliance) for army in armies)
    # no file holds it as it is now
    return replace(field, fighters=tuple(fighters), sides=(a, b), file="")


def check_army(army: Army, edition: Edition) -> None:
    """Refuse an army that cannot be in a battle."""
    seen: dict[Profile, str] = {}
    for card in army.cards:
        profile = _known(card, army)
        missing = ", ".join(missing_cells(profile, edition))
        if missing:
            raise InputError(
                '{}: "{}": {} not known, and a battle needs it: write the card in a fighter '
                "file of your own (--fighters FILE)",
                army.where,
                card.name,
                missing,
            )
        if profile in seen:
            raise InputError(
                '{}: "{}" is the same fighter as "{}"; a card stands for all fighters of its '
                "profile (A-1.1)",
                army.where,
                card.name,
                seen[profile],
            )
        seen[profile] = card.name
    origins = list(dict.fromkeys(profile.origin for profile in seen if profile.origin))
    if len(origins) > 1:
        raise InputError(
            "{}: fighters of several origins, {}: their figures and points do not go "
            "together; take those of one",
            army.where,
            origins,
        )
    if army.fighters > MOST_FIGHTERS:
        raise InputError(
            "{}: {} fighters: at most {} a side in a battle",
            army.where,
            army.fighters,
            MOST_FIGHTERS,
        )


def _known(card: Card, army: Army) -> Profile:
    """Return the fighter of a card, with what the army's file says otherwise."""
    if card.profile is None:
        what = say('"{}" is no fighter that is known', card.name)
        told = next((remark for remark in army.remarks if remark.startswith(what)), what)
        raise InputError(
            "{}: {}; a battle needs its card: see estoc profiles list, or give a file of "
            "your own (--fighters FILE)",
            army.where,
            told,
        )
    return replace(
        card.profile, PA=card.PA, DIS=card.DIS, people=card.people, abilities=card.abilities
    )


def _stood(
    field: Scenario, army: Army, side: str, both: set[str], edition: Edition
) -> list[Placed]:
    """Return an army's fighters as they stand, in the order of its cards (A-1.1)."""
    room, x = field.deployment, field.width / 2 - field.deployment.front
    found: list[tuple[int, Placed]] = []
    for number in sorted({card.line for card in army.cards}):
        where = say("{}: line {}", army.where, number)
        cards = [card for card in army.cards if card.line == number]
        posts = [post for card in cards for post in _posts(card, army, side, both, edition)]
        posts = _lined_up(posts, field.depth - 2 * room.margin, room.beside, where)
        back = x - max(post.depth for post in posts)
        if back < -TOUCH:
            raise InputError(
                "{} would stand {:.1f} cm over the edge of {}; take fewer lines",
                where,
                -back,
                _named(field),
            )
        for post in posts:
            placed = _placed(post, (x, field.depth - room.margin - post.across), field, side)
            _check_ground(post, placed, field, army)
            found.append((army.cards.index(post.card), placed))
        x = back - room.behind
    return [placed for _, placed in sorted(found, key=lambda one: one[0])]


def _posts(card: Card, army: Army, side: str, both: set[str], edition: Edition) -> Iterator[_Post]:
    """Yield the fighters of a card, called by it: numbered, with their side's letter if need be."""
    profile = _known(card, army)
    base, _ = base_of(profile, edition)
    letter = side if fold(card.name) in both else ""
    for n in range(1, card.fighters + 1):
        told = letter + (str(n) if card.fighters > 1 else "")
        label = f"{card.name}#{told}" if told else card.name
        yield _Post(label, profile, card, base[0] * _MM, base[-1] * _MM)


def _lined_up(posts: Sequence[_Post], length: float, beside: float, where: str) -> list[_Post]:
    """Return the fighters of a line from left to right, each with its place."""
    needed = sum(post.width for post in posts) + beside * (len(posts) - 1)
    if needed > length + TOUCH:
        raise InputError(
            "{} is {:.1f} cm wide, and {:.1f} cm are free; put some in another line",
            where,
            needed,
            length,
        )
    wanted = [(at, n) for n, at in enumerate(_wanted(posts, length, beside))]
    order = [n for _, n in sorted(wanted)]
    row = [posts[n] for n in order]
    # where each would be if those on its left took no room: then nobody may pass another
    steps = [(a.width + b.width) / 2 + beside for a, b in pairwise(row)]
    offsets = list(accumulate(steps, initial=row[0].width / 2))
    most = max(length - needed, 0.0)
    pressed = rising([wanted[n][0] - offset for n, offset in zip(order, offsets, strict=True)])
    return [
        replace(post, across=min(max(at, 0.0), most) + offset)
        for post, at, offset in zip(row, pressed, offsets, strict=True)
    ]


def _wanted(posts: Sequence[_Post], length: float, beside: float) -> list[float]:
    """Return where in the line each fighter would stand if it were alone with its like."""
    found = [0.0] * len(posts)
    for wing in get_args(Wing):
        own = [n for n, post in enumerate(posts) if post.card.wing == wing]
        widths = [posts[n].width for n in own]
        ends = list(accumulate(width + beside for width in widths))
        for place, n in enumerate(own):
            if wing == "spread":
                found[n] = length * (place + 0.5) / len(own)
            else:
                middle = ends[place] - beside - widths[place] / 2
                found[n] = length * _MIDDLE[wing] + middle - (ends[-1] - beside) / 2
    return found


def rising(values: Sequence[float]) -> list[float]:
    """Return the numbers nearest to some (least squares) of which none is below the one before.

    >>> rising([1, 3, 1, 4])
    [1, 2.0, 2.0, 4]
    """
    blocks: list[tuple[float, int]] = []  # mean and number of neighbours that share it
    for value in values:
        mean, number = value, 1
        while blocks and blocks[-1][0] > mean:
            before, many = blocks.pop()
            mean, number = (before * many + mean * number) / (many + number), many + number
        blocks.append((mean, number))
    return [mean for mean, number in blocks for _ in range(number)]


def _placed(post: _Post, at: Point, field: Scenario, side: str) -> Placed:
    """Return a fighter at a place of A's half of the table, or turned to B's."""
    facing = 0.0
    if side == SIDES[1]:
        at, facing = (field.width - at[0], field.depth - at[1]), 180.0
    return Placed(post.label, post.profile, side, at, facing, routed=post.card.routed)


def _check_ground(post: _Post, placed: Placed, field: Scenario, army: Army) -> None:
    """Refuse a place on impassable terrain, for a disc where the square round it would be (M-1.2).

    Two convex shapes are apart if a side of one of them has the other on its far side.
    """
    (x, y), ahead = placed.at, placed.direction[0]
    low, high = sorted((x, x - ahead * post.depth))
    left, right = y - post.width / 2, y + post.width / 2
    box = (low, left), (high, left), (high, right), (low, right)
    for piece in field.terrain:
        if piece.impassable and not (_beside(piece.corners, box) or _beside(box, piece.corners)):
            raise InputError(
                "{}: {} would stand on {} of {}, which is impassable (M-1.2); take another "
                "wing or line, or another field",
                army.where,
                post.label,
                piece.name,
                _named(field),
            )


def _beside(shape: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether a side of a counter-clockwise shape has all of another on its right."""
    for (ax, ay), (bx, by) in pairwise([*shape, shape[0]]):
        room = TOUCH * hypot(bx - ax, by - ay)
        if all((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= room for x, y in other):
            return True
    return False


def _named(field: Scenario) -> str:
    return field.file or field.name
