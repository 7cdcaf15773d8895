"""Army lists looked at before a battle: cost, deployment, what is doubtful (A-1.1, C-3.2)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from ...profiles.armies.army import Army, Card, load_army
from ...profiles.armies.scenario import Scenario
from ...profiles.armies.weapons import can_shoot, weapon_of
from ...profiles.compile.muster import load_field, muster
from ...profiles.edition.edition import Edition, load_edition
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.files.toml import shipped_names
from ...profiles.letters import fold
from ...profiles.message import joined, say, say_all, say_n
from ..base.answer import SECTION, AnswerKind, columns
from ..base.percent import UNKNOWN
from ..base.result import Result, Row, sections
from ..text.printing import Block, apart, styled, table_of

ARMY = AnswerKind(
    "army",
    SECTION
    + columns("text", "file or name of the army", "army")
    + columns("text", "what the army, card or fighter is called", "name")
    + columns("text", "kind of the army", "kind")
    + columns("text", "its people", "people")
    + columns("whole", "cards that it has", "cards", unit="cards")
    + columns("whole", "fighters that it has", "fighters", unit="fighters")
    + columns("whole", "price of a fighter", "PA", unit="PA")
    + columns("whole", "what it costs", "cost", unit="PA")
    + columns("whole", "most that it may cost", "points", unit="PA")
    + columns("whole", "line in which it stands, from the front", "line")
    + columns("text", "wing in which it stands", "wing")
    + columns("text", "who stands in the line, or what is doubtful", "text"),
)
ARMIES = replace(ARMY, name="armies")

USUAL_FIELD = "open"
_UNIQUE = "personnage"  # word of the role of one who has a name of his own
_SURE = "high"
_LACKING = say_all(
    {
        ("size",): "size not known: assumed",
        ("power",): "power not known: assumed",
        ("size", "power"): "size and power not known: assumed",
    }
)


def shipped_armies() -> Result:
    """Return the armies that come with the program, one a row."""
    roster = Roster.load()
    return Result(ARMIES, [_army_row(load_army(name, roster)) for name in shipped_names("army")])


def checked(
    name: str,
    *,
    roster: Roster | None = None,
    edition: Edition | None = None,
    field: str = USUAL_FIELD,
) -> Result:
    """Return what an army is, as it would stand up for a battle.

    Parameters
    ----------
    name : str
        A ``.toml`` file, or the name of an army that comes with the program.
    roster : Roster, optional
        Where fighters are looked up.
    edition : Edition, optional
        Bases (W-5), typical weapons (W-6), what a battle needs of a card; conffede if not given.
    field : str
        A ``.toml`` file, or the name of a battlefield that comes with the program.

    Returns
    -------
    Result
        By ``section``: a row ``army``, one for each ``card``, for each ``line`` from the front,
        with its fighters from left to right, and for each ``doubt``.

    Raises
    ------
    InputError
        If the army cannot be in a battle on that field.
    """
    edition = load_edition("conffede") if edition is None else edition
    army = load_army(name, roster)
    mustered = muster(load_field(field), (army, army), edition)
    rows = [
        _army_row(army),
        *(_card_row(army, card) for card in army.cards),
        *_line_rows(army, mustered),
        *(_row("doubt", army, name=who, text=text) for who, text in doubts(army, edition)),
    ]
    return Result(ARMY, rows, title=f"{army.name} ({army.where})")


def together(results: Sequence[Result]) -> Result:
    """Return the rows of several armies as one result."""
    return Result(ARMY, [row for result in results for row in result])


def doubts(army: Army, edition: Edition) -> Iterator[tuple[str, str]]:
    """Yield cards of which something is doubtful, and what it is; the army's name for all."""
    for remark in army.remarks:
        yield army.name, remark
    peoples = dict.fromkeys(filter(None, (army.people, *(card.people for card in army.cards))))
    if len(peoples) > 1:
        yield army.name, say("several peoples: {}", peoples)
    if army.points is None:
        yield army.name, say("its file has no points: nothing limits what it costs")
    for card in army.cards:
        if card.profile is not None:
            for text in _card_doubts(card, card.profile, edition):
                yield card.name, text


def _card_doubts(card: Card, profile: Profile, edition: Edition) -> Iterator[str]:
    if _UNIQUE in fold(profile.role).split() and card.fighters > 1:
        yield say("a personage, unique, and there are {}", card.fighters)
    if can_shoot(profile):
        weapon = weapon_of(profile, edition)
        if weapon.typical:
            figures = say("typical figures, assumed") if weapon.assumed else say("typical figures")
            yield say("its weapon is taken to be a {} ({})", weapon.typical, figures)
    elif profile.TIR is not None:
        yield say("TIR, and no weapon that is known: it does not shoot")
    if profile.caster:
        yield say("a {} whose mystic actions are not known: it only fights", profile.caster)
    empty = tuple(cell for cell in ("size", "power") if getattr(profile, cell) in ("", None))
    if empty:
        yield _LACKING[empty]
    if not profile.confidence.startswith(_SURE):
        confidence = say("confidence {}", profile.confidence or say("not said"))
        yield say("{}: {}", confidence, profile.note) if profile.note else confidence


def _line_rows(army: Army, mustered: Scenario) -> Iterator[Row]:
    """Yield the lines from the front, each with its fighters from left to right."""
    names = [card.name for card in army.cards for _ in range(card.fighters)]
    own = [placed.at for placed in mustered.fighters if placed.side == "A"]
    stood = sorted((-x, -y, name) for (x, y), name in zip(own, names, strict=True))
    for number, (_, line) in enumerate(groupby(stood, lambda one: one[0]), 1):
        cards = [name for _, _, name in line]
        words = [f"{len(list(run))} {name}" for name, run in groupby(cards)]
        yield _row("line", army, line=number, fighters=len(cards), text=joined("; ", words))


def _army_row(army: Army) -> Row:
    who = {"name": army.name, "kind": army.kind or None, "people": army.people or None}
    size = {"cards": len(army.cards), "fighters": army.fighters}
    return _row("army", army, **who, **size, cost=army.cost, points=army.points)


def _card_row(army: Army, card: Card) -> Row:
    cost = None if card.PA is None else card.PA * card.fighters
    who = {"name": card.name, "people": card.people or None, "fighters": card.fighters}
    place = {"line": card.line, "wing": card.wing}
    return _row("card", army, **who, PA=card.PA, cost=cost, **place)


def _row(section: str, army: Army, **cells: object) -> Row:
    return ARMY.row(section=section, army=army.where, **cells)


def armies_table(result: Result) -> Block:
    """Return armies as a list: what they are called, what they cost, of which kind they are."""
    lines = [
        [
            row["army"],
            *(_shown(row[key]) for key in ("people", "fighters", "cost", "points", "kind")),
        ]
        for row in result
    ]
    return table_of(["army", "people", "fighters", "PA", "limit", "kind"], lines, "wtnnnt")


def army_blocks(result: Result) -> Block:
    """Return an army: its cards with what they cost, its lines, what is doubtful in it."""
    rows = sections(result)
    (army,) = rows["army"]
    keys = ("name", "fighters", "PA", "cost", "line", "wing")
    cards = [[_shown(row[key]) for key in keys] for row in rows["card"]]
    cards.append(["all", str(army["fighters"]), "", _shown(army["cost"]), "", ""])
    lines = [[str(row["line"]), row["text"]] for row in rows["line"]]
    parts = [
        styled(_titled(result.title, army["kind"]), "bold"),
        styled(_summary(army)),
        table_of(["card", "fighters", "PA", "in all", "line", "wing"], cards, "tnnnnw"),
        table_of(["line", "from left to right, as its player sees it"], lines, "nt"),
    ]
    of_whom: dict[str, list[str]] = {}
    for row in rows.get("doubt", []):
        of_whom.setdefault(row["text"], []).append(row["name"])
    doubts = [[joined("; ", names), text] for text, names in of_whom.items()]
    return apart([*parts, *([table_of(["doubtful", ""], doubts, "tt")] if doubts else [])])


def _summary(army: Row) -> str:
    cost, points = army["cost"], army["points"]
    return joined(
        ", ",
        [
            army["people"] or say("no people"),
            say_n("{} card", "{} cards", army["cards"]),
            say_n("{} fighter", "{} fighters", army["fighters"]),
            say("{} PA", cost) if points is None else say("{} PA of {}", cost, points),
        ],
    )


def _titled(title: str, kind: str | None) -> str:
    return say("{}: {}", title, kind) if kind else title


def _shown(value: int | str | None) -> str:
    return UNKNOWN if value is None else str(value)
