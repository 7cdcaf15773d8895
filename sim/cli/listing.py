"""Lists of fighters, cards and editions, as tables."""

from collections.abc import Collection, Iterable, Sequence
from textwrap import fill, indent
from typing import TYPE_CHECKING, Any

from ...profiles.armies.weapons import can_shoot, weapon_of
from ...profiles.compile.combat import power
from ...profiles.edition.edition import Edition, Entry, Reading, load_edition
from ...profiles.edition.rulebook import KEYS
from ...profiles.fighters.abilities import parse_ability, why_unmodelled
from ...profiles.fighters.card import COLUMNS, Profile
from ...profiles.letters import fold
from ...profiles.message import joined, say
from ..base.percent import UNKNOWN
from ..text.printing import Block, apart, styled, table_of, verbatim
from ..text.speech import language, translated

if TYPE_CHECKING:
    from rich.text import Text

_QUOTED = ("origin", "source", "note", "file")  # as the card has them
_MEANING = 38  # columns for the meaning of a value

_MARKS = {
    "seed": ("", say("a document of the rules")),
    "source": ("cyan", say("a public source")),
    "assumed": ("yellow", say("nobody: a guess of this program")),
    "reading": ("magenta", say("the rules, but they can be read otherwise")),
    "yours": ("green", say("you: a value that you replaced")),
}
_BADGES = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", "PA")


def profile_row(profile: Profile) -> dict[str, Any]:
    """Return a card as a row."""
    row = {name: getattr(profile, name) for name in COLUMNS}
    row["abilities"] = "|".join(profile.abilities)
    return row


def profiles_table(profiles: Iterable[Profile]) -> Block:
    """Return fighters as a table: what counts in a combat, and the points."""
    stats = ("INI", "ATT", "FOR", "DEF", "RES", "PA")
    lines = [
        [p.name, p.people or UNKNOWN, p.origin or UNKNOWN, *(_stat(p, stat) for stat in stats)]
        for p in profiles
    ]
    return table_of(["name", "people", "origin", *stats], lines, "ttt")


def _stat(profile: Profile, name: str) -> str:
    value = getattr(profile, name)
    return UNKNOWN if value is None else f"{value:g}"


def profile_card(profile: Profile, edition: Edition | None = None) -> Block:
    """Return all that is known of a fighter.

    Parameters
    ----------
    profile : Profile
    edition : Edition, optional
        Says what a missing size, power or base counts as (W-5), and what typical weapons do
        (W-6); conffede if not given.
    """
    words = {
        "people": profile.people,
        "role": profile.role,
        say("casts as"): profile.caster,
        **_bulk(profile, edition or load_edition("conffede")),
        "weapon": _weapon(profile, edition or load_edition("conffede")),
        "abilities": ", ".join(profile.abilities),
        "origin": profile.origin,
        "confidence": profile.confidence,
        "source": profile.source,
        "note": profile.note,
        "file": profile.where,
    }
    lines: list[list[str | Text]] = [
        [what, verbatim(text or UNKNOWN) if what in _QUOTED else text or UNKNOWN]
        for what, text in words.items()
    ]
    parts: list[Block] = [
        styled(profile.label, "bold"),
        table_of(_BADGES, [[_stat(profile, name) for name in _BADGES]], ""),
        table_of(["", ""], lines, "wt"),
    ]
    if profile.abilities:
        parts.append(_abilities_table(profile))
    return apart(parts)


def _abilities_table(profile: Profile) -> Block:
    """Return what each ability of a card does, and by which clause (W-7)."""
    unknown = why_unmodelled(profile)
    lines = [
        [text, _unmodelled(unknown[text]) if text in unknown else _known(text)]
        for text in profile.abilities
    ]
    return table_of(["ability", "what it does, and who says so"], lines, "wt")


def _unmodelled(why: str) -> str:
    return say("not modelled: {}", why) if why else say("not modelled")


def _known(text: str) -> str:
    """Return lines on an ability that is known: what it does, what is guessed, its clause."""
    ability = parse_ability(text)
    entry = ability.entry
    lines = [say("{}: {}", entry.english, ability.text) if language() == "en" else ability.text]
    if ability.assumed:
        lines.append(say("assumed: {}", ability.assumed))
    return joined("\n", [*lines, entry.clause])


def _bulk(profile: Profile, edition: Edition) -> dict[str, str]:
    """Return size, power and base, or what they count as where the card says nothing (W-5)."""
    strength, assumed = power(profile, edition)
    why = say("assumed" if assumed else "of its size")
    size = fold(profile.size).replace(" ", "_")
    base = edition[f"square.{size}" if size else "defaults.base"]
    sides = "x".join(f"{side:g}" for side in base)
    return {
        "size": profile.size or say("{} (assumed: {})", UNKNOWN, edition["defaults.size"]),
        "power": say("{} ({}: {})", UNKNOWN, why, strength)
        if profile.power is None
        else f"{strength}",
        say("base, mm"): profile.base or say("{} (assumed: {})", UNKNOWN, sides),
    }


def _weapon(profile: Profile, edition: Edition) -> str:
    """Return what a shooter shoots with, and whether the figures are a typical one's (W-6)."""
    if not can_shoot(profile):
        return ""
    weapon = weapon_of(profile, edition)
    ranges = "/".join(f"{reach:g}" if reach else UNKNOWN for reach in weapon.ranges)
    figures = say("FOR {}, {} cm", weapon.strength, ranges)
    if profile.weapon:
        figures = say("{} {}", profile.weapon, figures)
    if not weapon.typical:
        return figures
    return say("{} (typical, assumed)" if weapon.assumed else "{} (typical)", figures)


def edition_table(edition: Edition, keys: Collection[str] | None = None) -> Block:
    """Return the values of an edition, who says so, and what the marks mean.

    Parameters
    ----------
    edition : Edition
    keys : collection of str, optional
        Keys that are shown; all, and the readings, if not given.
    """
    entries = [e for e in edition.values if keys is None or e.key in keys]
    readings = edition.readings if keys is None else ()
    vouched: list[Entry | Reading] = [*entries, *readings]
    sources = list(dict.fromkeys(e.source for e in vouched if e.source))
    lines: list[list[str | Text]] = [
        [
            styled(e.key).append(f"\n{_meaning(e.key)}", "dim"),
            _value(e),
            _mark(e.mark, _number(e, sources)),
            e.clause,
        ]
        for e in entries
    ]
    parts: list[Block] = [
        styled(say("{}: {}", edition.name, edition.title), "bold"),
        table_of(["key, and what it means", "value", "mark", "clause"], lines, "wkww"),
    ]
    if readings:
        texts: list[list[str | Text]] = [
            [r.clause, _mark(r.mark, _number(r, sources)), r.text] for r in readings
        ]
        parts.append(table_of(["clause", "mark", "how the text is read"], texts, "wwt"))
    used = {e.mark for e in entries} | {r.mark for r in readings}
    legend: list[list[str | Text]] = [
        [_mark(mark), text] for mark, (_, text) in _MARKS.items() if mark in used
    ]
    legend += [[_mark("source", f" {i}"), verbatim(text)] for i, text in enumerate(sources, 1)]
    return apart([*parts, table_of(["mark", "who says so"], legend, "wt")])


def _meaning(key: str) -> str:
    """Return what a key means, on short lines."""
    text = translated(KEYS[key].text)
    return indent(fill(text, _MEANING, break_on_hyphens=False), "  ")


def _value(entry: Entry) -> str:
    """Return a value as one reads it: the lines of a table below one another."""
    if not isinstance(entry.value, tuple) or not entry.value:
        return entry.text
    words = list(map(str, entry.value))
    return ("\n" if any(" " in word for word in words) else ", ").join(words)


def _number(entry: Entry | Reading, sources: Sequence[str]) -> str:
    """Return the number that the legend gives to its source, after a space."""
    return f" {sources.index(entry.source) + 1}" if entry.source else ""


def _mark(mark: str, more: str = "") -> "Text":
    return styled(mark + more, _MARKS[mark][0])
