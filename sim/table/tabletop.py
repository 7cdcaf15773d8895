"""What stands on a table: who touches whom, which melees there are (C-1, M-1)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.table import MAX_BASES, Base, Hides, Shape
from ...profiles.armies.scenario import Scenario
from ...profiles.armies.scenario_file import load_scenario
from ...profiles.compile.combat import state_code
from ...profiles.compile.room import base_of
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ...profiles.message import say, say_n
from ..base.answer import PLAYED, SECTION, AnswerKind, columns, origin_columns
from ..base.options import SIDES, Options, estoc_version, quoted
from ..base.result import Result, Row
from ..combat.combatants import Combatant, with_sets
from .settling import KEY, prepared, settled

PLACED = (  # what stands on a table
    SECTION
    + columns("text", "name of the scenario, terrain, zone or fighter", "name")
    + columns("text", "side of the fighter", "side")
    + columns("text", "card of the fighter", "profile", unit="fighter")
    + columns("number", "place of its aim point", "x", "y", unit="cm")
    + columns("number", "where it faces, from north clockwise", "facing", unit="degrees")
    + columns("number", "size of the table", "width", "depth", unit="cm")
    + columns("text", "its base in mm, and who says so", "base", "base_from")
    + columns("whole", "level on which it stands", "level")
    + columns("whole", "number of its melee", "melee")
    + columns("text", "whom it touches", "touches")
    + columns("text", "kind of the terrain", "kind")
    + columns("number", "height of the terrain", "height", unit="cm")
    + columns("text", "corners x,y of what it is, or places", "corners")
    + columns("whole", "points of the zone", "points")
    + PLAYED
)
TABLE = AnswerKind(
    "table",
    PLACED + origin_columns("edition", "version", "command"),
    text="table.tabletop_table:blocks",
    picture="table.tabletop_plot:drawn",
)
_row = TABLE.row

ALONE = -1  # no melee


@dataclass(frozen=True)
class Tabletop:
    """A scenario by the rules of an edition, prepared for the kernels.

    Parameters
    ----------
    scenario : Scenario
        Those who nearly touch are moved until they do (`estoc.sim.table.settling`).
    options : Options
        Edition and rules.

    Attributes
    ----------
    remarks : tuple of str
        Who was moved.

    Raises
    ------
    InputError
        If bases overlap, or stand on impassable terrain or over the table's edge.
    """

    scenario: Scenario
    options: Options
    remarks: tuple[str, ...] = field(default=(), init=False, compare=False)

    def __post_init__(self) -> None:
        from ...kernels.table import geometry

        edition = self.options.edition
        scenario, remarks = settled(self.scenario, edition)
        object.__setattr__(self, "scenario", scenario)
        object.__setattr__(self, "remarks", remarks)
        labels = [placed.label for placed in self.scenario.fighters]
        where = self.scenario.file or self.scenario.name
        for n, placed in enumerate(self.scenario.fighters, 1):
            try:
                state_code(edition, placed.wounds)
            except InputError as error:
                raise InputError("{}: fighters item {}: wounds: {}", where, n, error) from None
        for i, label in enumerate(labels):
            if not geometry.is_on_table(self.tables, i):
                raise InputError("{}: {} stands over the edge of the table (M-1.2)", where, label)
            other = int(geometry.overlapped(self.tables, i))
            if other >= MAX_BASES:
                piece = self.scenario.terrain[other - MAX_BASES].name
                raise InputError(
                    "{}: {} stands on {}, which is impassable (M-1.2)", where, label, piece
                )
            if other >= 0:
                raise InputError("{}: {} overlaps {} (M-1.2)", where, label, labels[other])

    @cached_property
    def tables(self) -> NDArray[np.void]:
        """The record of the kernels, shape (1,), prepared; copy it before anything moves."""
        return prepared(self.scenario, self.options.edition)

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that say who was moved, if nobody found them."""
        return self.options.edition.assumed([KEY] * bool(self.remarks))

    def enemies(self, i: int) -> list[int]:
        """Return the enemies in contact with a fighter."""
        return touched(self.tables, i)

    def outline(self, i: int) -> list[tuple[float, float]]:
        """Return the corners of a base, the front ones last; of a disc, centre and aim point."""
        row = self.tables[0]["bases"][i]
        x, y, fx, fy = (float(row[c]) for c in (Base.X, Base.Y, Base.FX, Base.FY))
        size = float(row[Base.WIDTH]), float(row[Base.DEPTH])
        return base_outline((x, y), (fx, fy), size, disc=bool(row[Base.SHAPE] == Shape.DISC))

    @cached_property
    def melees(self) -> list[int]:
        """The melee of each fighter, from 0 in the order of the file; ``ALONE`` without (C-1)."""
        from ...kernels.table.melees import melees_of

        table = self.tables[0]
        found = melees_of(table["touching"][: table["n"]], table["sides"][0])
        labels = [ALONE] * len(self.scenario.fighters)
        for number, melee in enumerate(found.tolist()):
            for i in range(len(labels)):
                if melee >> i & 1:
                    labels[i] = number
        return labels


def base_outline(
    at: tuple[float, float], facing: tuple[float, float], size: tuple[float, float], *, disc: bool
) -> list[tuple[float, float]]:
    """Return the corners of a base, the front ones last; of a disc, centre and aim point."""
    (x, y), (fx, fy), half, depth = at, facing, size[0] / 2, size[1]
    if disc:
        return [(x - half * fx, y - half * fy), (x, y)]
    left, right = (x - half * fy, y + half * fx), (x + half * fy, y - half * fx)
    back = [(px - depth * fx, py - depth * fy) for px, py in (left, right)]
    return [*back, right, left]


def corners_text(corners: Sequence[tuple[float, float]]) -> str:
    """Return corners as a row of a table holds them."""
    return " ".join(f"{x:.9g},{y:.9g}" for x, y in corners)


def touched(tables: NDArray[np.void], i: int) -> list[int]:
    """Return the enemies in contact with a fighter, on a prepared table."""
    from ...kernels.table import contacts

    mask = int(contacts.enemy_contacts(tables, i))
    return [j for j in range(mask.bit_length()) if mask >> j & 1]


def sees(tables: NDArray[np.void], i: int, j: int, edition: Edition) -> bool:
    """Whether a fighter sees another, even partly (M-4.1), on a prepared table."""
    from ...kernels.table import sight

    hides = Hides[edition["sight.hides"].upper()]
    return bool(sight.sees_target(tables, i, j, hides))


def load_table(name: str, options: Options | None = None, roster: Roster | None = None) -> Tabletop:
    """Return the table of a scenario.

    Parameters
    ----------
    name : str
        One that comes with the package, or a file.
    options : Options, optional
        Edition, rules, files of fighters; the usual ones if not given.
    roster : Roster, optional
        Where fighters are looked up.
    """
    options = Options() if options is None else options
    roster = Roster.load(options.fighters) if roster is None else roster
    return Tabletop(set_cards(load_scenario(name, roster), options.sets), options)


def set_cards(scenario: Scenario, sets: Sequence[str], *, swapped: bool = False) -> Scenario:
    """Return a scenario with cells of its fighters' cards replaced, ``NAME.KEY=VALUE``.

    NAME is a side, a fighter's label, or a card's name; where the sides are ``swapped``, A's are
    those of side B.
    """
    if not sets:
        return scenario
    combatants = with_sets(_combatants(scenario, swapped), sets)
    fighters = (
        replace(placed, profile=combatant.profile)
        for placed, combatant in zip(scenario.fighters, combatants, strict=True)
    )
    return replace(scenario, fighters=tuple(fighters))


def _combatants(scenario: Scenario, swapped: bool) -> Iterator[Combatant]:
    sides = [placed.side for placed in scenario.fighters]
    letters = dict(zip(SIDES, SIDES[::-1] if swapped else SIDES, strict=True))
    for i, placed in enumerate(scenario.fighters):
        place, side = sides[: i + 1].count(placed.side), letters[placed.side]
        # of a card that both lists have, the label ends with the side (`muster`)
        label = re.sub(rf"#{placed.side}(\d*)$", rf"#{side}\1", placed.label)
        yield Combatant(placed.profile, label, side, place)


def table(asked: Tabletop) -> Result:
    """Return what stands on a table: who touches whom, and in which melee (C-1).

    Lengths are in cm, facings in degrees, melees from 1.
    """
    scenario, edition = asked.scenario, asked.options.edition
    rows = [_row("table", name=scenario.name, width=scenario.width, depth=scenario.depth)]
    for piece in scenario.terrain:
        kind = "impassable" if piece.impassable else "relief"
        corners = corners_text(piece.corners)
        rows.append(
            _row("terrain", name=piece.name, kind=kind, height=piece.height, corners=corners)
        )
    for zone in scenario.zones:
        corners = corners_text(zone.corners)
        rows.append(_row("zone", name=zone.name, corners=corners, points=zone.points))
    rows += [_fighter(asked, i) for i in range(len(scenario.fighters))]
    keys = {row["base_from"] for row in rows} - {None, "card"}
    command = command_line("table", asked)
    origin = {
        "trials": None,
        "edition": edition.name,
        "version": estoc_version(),
        "command": command,
    }
    melees = say_n("{} melee", "{} melees", max(asked.melees, default=ALONE) + 1)
    size = say("{:g} by {:g} cm", scenario.width, scenario.depth)
    fighters = say_n("{} fighter", "{} fighters", len(scenario.fighters))
    return Result(
        TABLE,
        [{**row, **origin} for row in rows],
        say("{}: {}, {}, {}", scenario.name, size, fighters, melees),
        notes=asked.remarks,
        assumed=(*asked.assumed, *edition.assumed(sorted(keys))),
        command=command,
    )


def _fighter(asked: Tabletop, i: int) -> Row:
    """Return a fighter on the table as a row."""
    placed, melee = asked.scenario.fighters[i], asked.melees[i]
    base, key = base_of(placed.profile, asked.options.edition)
    return _row(
        "fighter",
        name=placed.label,
        side=placed.side,
        profile=placed.profile.label,
        x=placed.at[0],
        y=placed.at[1],
        facing=placed.facing,
        base="x".join(f"{mm:g}" for mm in base),
        base_from=key or "card",
        level=placed.level,
        melee=None if melee == ALONE else melee + 1,
        touches="; ".join(asked.scenario.fighters[j].label for j in asked.enemies(i)),
        corners=corners_text(asked.outline(i)),
    )


def command_line(command: str, asked: Tabletop) -> str:
    """Return the command that asks about a table, empty if no file holds it."""
    if not asked.scenario.file:
        return ""
    options = asked.options
    told = (*options.set_arguments(), *options.common_arguments())
    words = ["estoc", command, asked.scenario.file, *told]
    return " ".join(map(quoted, words))
