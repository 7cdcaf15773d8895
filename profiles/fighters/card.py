"""A fighter's card: its columns, their headings in French and English, one profile."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import InputError, echoed, suggestion
from ..letters import fold, spelled
from ..message import say
from .cells import Base, Choice, Kind, Number, Ranges, Text, Words

CHARACTERISTICS = ("INI", "ATT", "FOR", "DEF", "RES")

SIZES = {
    "petite": ("petit", "small"),
    "moyenne": ("moyen", "medium"),
    "grande": ("grand", "large"),
    "très grande": ("très grand", "very large"),
}

# Typical weapons of an edition (W-6).
WEAPONS = {
    "pistol": ("pistolet",),
    "crossbow": ("arbalète",),
    "bow": ("arc",),
    "rifle": ("fusil",),
    "ballista": ("baliste",),
}

CASTERS = {
    "magician": ("magicien", "magicienne", "mage"),
    "faithful": ("fidèle",),
}

# Ranks on the cards of those who cast (C-3.4 needs to know them).
RANKS = {
    "initié": "magician",
    "adepte": "magician",
    "maître": "magician",
    "virtuose": "magician",
    "dévot": "faithful",
    "zélote": "faithful",
    "doyen": "faithful",
    "avatar": "faithful",
}

# Abilities of casters who fight like everyone else (C-3.4, W-7).
_FIGHTING = {"magician": "Guerrier-mage", "faithful": "Moine-guerrier"}


@dataclass(frozen=True)
class Column:
    """A column of a fighter file."""

    name: str  # heading that is written, and the attribute of `Profile`
    kind: Kind  # what its cells hold
    # other headings that are read, in any case, with or without accents
    headings: tuple[str, ...] = ()

    def read(self, raw: object, where: str) -> Any:
        """Return the value of a cell; ``where`` begins the message if it is nonsense."""
        try:
            return self.kind.read(raw)
        except InputError as error:
            raise wrong_cell(raw, error, where) from None


def wrong_cell(raw: object, error: InputError, where: str) -> InputError:
    """Return an error of a kind of cell with the cell and its place."""
    return InputError("{}: {} is not right: expected {}", where, echoed(raw), error)


_STAT = Number(high=40)

COLUMNS = {
    column.name: column
    for column in (
        Column("name", Text(required=True), ("nom", "fighter", "combattant")),
        Column("people", Text(), ("peuple", "army", "armée", "faction")),
        Column("role", Text(), ("rôle", "rang", "rank")),
        Column("caster", Choice(CASTERS), ("lanceur",)),
        Column("MOU", Number(high=100, decimals=2), ("mouvement", "movement", "move")),
        Column("INI", _STAT, ("initiative",)),
        Column("ATT", _STAT, ("attaque", "attack")),
        Column("FOR", _STAT, ("force", "strength")),
        Column("DEF", _STAT, ("défense", "defence")),
        Column("RES", _STAT, ("résistance", "resilience")),
        Column("TIR", _STAT, ("aim",)),
        Column("COU", _STAT, ("courage",)),
        Column("PEUR", _STAT, ("fear",)),
        Column("DIS", _STAT, ("discipline",)),
        Column(
            "PA",
            Number(high=9999),
            ("points", "coût", "valeur stratégique", "strategic value"),
        ),
        Column("size", Choice(SIZES), ("taille",)),
        Column("power", Number(high=20), ("puissance",)),
        Column("base", Base(), ("socle",)),
        Column("weapon", Choice(WEAPONS), ("arme", "arme de tir", "ranged weapon")),
        Column(
            "weapon_FOR",
            Number(high=40),
            ("FOR de l'arme", "FOR arme", "force de l'arme", "weapon strength", "weapon FOR"),
        ),
        Column("ranges", Ranges(), ("portées", "portée", "range")),
        Column("abilities", Words(), ("compétences", "skills", "capacités")),
        Column("origin", Text(), ("origine", "edition", "édition")),
        Column("confidence", Text(), ("confiance",)),
        Column("source", Text()),
        Column("note", Text(), ("notes", "remarque", "remark")),
    )
}

_BY_HEADING = {
    fold(heading): column
    for column in COLUMNS.values()
    for heading in (column.name, *column.headings)
}


def known_column(heading: str) -> Column | None:
    """Return the column of a heading in either language, None if there is none."""
    return _BY_HEADING.get(fold(heading))


def find_column(heading: str, where: str) -> Column:
    """Return the column of a heading in either language; ``where`` begins a refusal."""
    column = known_column(heading)
    if column is None:
        known = suggestion(heading, [column.name for column in COLUMNS.values()] + _other_words())
        raise InputError('{}: unknown heading "{}"; {}', where, heading, known)
    return column


def caster_of_role(role: str) -> str:
    """Return ``"magician"`` or ``"faithful"`` if a word of the role is a caster's rank."""
    words = re.split(r"\W+", fold(role))
    return next((caster for rank, caster in RANKS.items() if fold(rank) in words), "")


@dataclass(frozen=True)
class Profile:
    """A fighter as on its card; None or the empty string where the card is not known.

    Values may be given as cells of a file (``"12,5"``) or as Python values.

    Parameters
    ----------
    name, people, role : str
        As on the card.
    caster : {"", "magician", "faithful"}
        Whether it casts, and what.
    MOU : float, optional
        Movement in cm.
    INI, ATT, FOR, DEF, RES, TIR, COU, PEUR, DIS, PA, power : int, optional
        Characteristics, strategic value (C-3.2) and power (W-5).
    size : {"", "petite", "moyenne", "grande", "très grande"}
        Size (W-5).
    base : str
        ``"25x50"`` or a diameter ``"30"``, in mm.
    weapon : {"", "pistol", "crossbow", "bow", "rifle", "ballista"}
        What it shoots with (W-6); the edition's typical figures where the card has none.
    weapon_FOR : int, optional
        FOR of its own weapon.
    ranges : str
        Short, medium and long range of its own weapon, in cm: ``"25/45/65"``.
    abilities : tuple of str
        As on the card.
    origin : str
        Edition that the card comes from.
    confidence, source, note : str
        Where the figures were read and how sure they are.
    file, line
        Where the profile was read; not part of equality.

    Raises
    ------
    InputError
        If a value is nonsense.
    """

    name: str
    people: str = ""
    role: str = ""
    caster: str = ""
    MOU: float | None = None
    INI: int | None = None
    ATT: int | None = None
    FOR: int | None = None
    DEF: int | None = None
    RES: int | None = None
    TIR: int | None = None
    COU: int | None = None
    PEUR: int | None = None
    DIS: int | None = None
    PA: int | None = None
    size: str = ""
    power: int | None = None
    base: str = ""
    weapon: str = ""
    weapon_FOR: int | None = None
    ranges: str = ""
    abilities: tuple[str, ...] = ()
    origin: str = ""
    confidence: str = ""
    source: str = ""
    note: str = ""
    file: str = field(default="", compare=False, repr=False)
    line: int = field(default=0, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name, column in COLUMNS.items():
            value = column.read(getattr(self, name), say('fighter "{}", {}', self.name, name))
            object.__setattr__(self, name, value)

    @classmethod
    def of_values(cls, values: Mapping[str, Any], file: str, line: int) -> "Profile":
        """Return a profile of values that columns have read, so that none is read again."""
        profile = object.__new__(cls)
        vars(profile).update(values, file=file, line=line)
        return profile

    @cached_property
    def key(self) -> tuple[str, str]:
        """Name in any case, and origin: two profiles with the same key are the same fighter."""
        return spelled(self.name), fold(self.origin)

    @property
    def label(self) -> str:
        """``name@origin``, which names the fighter without doubt."""
        return f"{self.name}@{self.origin}" if self.origin else self.name

    @property
    def where(self) -> str:
        """``file:line`` where the profile was read, empty if it was made by a program."""
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def pure_caster(self) -> bool:
        """Whether it places its dice before everyone else (C-3.4)."""
        if not self.caster:
            return False
        fighting = fold(_FIGHTING[self.caster])
        return fighting not in map(fold, self.abilities) and fighting not in fold(self.role)

    def need(self, name: str) -> float:
        """Return a number of the card."""
        value: float | None = getattr(self, name)
        if value is None:
            where = say("{}: ", self.where) if self.file else ""
            raise InputError(
                '{0}fighter "{1}": the cell {2} is empty and is needed here; give one with '
                '--set "{1}".{2}=…',
                where,
                self.name,
                name,
            )
        return value

    def with_values(self, values: Mapping[str, object]) -> "Profile":
        """Return the profile with some cells replaced."""
        changed = {name: getattr(self, name) for name in COLUMNS}
        for heading, raw in values.items():
            column = find_column(heading, say('fighter "{}"', self.name))
            changed[column.name] = column.read(raw, f'"{self.name}".{column.name}')
        return self.of_values(changed, self.file, self.line)


def _other_words() -> list[str]:
    return [heading for column in COLUMNS.values() for heading in column.headings]
