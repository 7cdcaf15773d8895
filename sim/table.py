"""Results, cards and editions as text that any terminal or file can show."""

import codecs
import math
import unicodedata
from collections.abc import Callable, Collection, Iterable, Sequence
from fractions import Fraction
from shlex import quote, split
from typing import TYPE_CHECKING

from estoc.profiles import Edition, Profile
from estoc.profiles.rulebook import KEYS
from estoc.sim.result import Result, Row
from estoc.sim.stats import wilson

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.text import Text

UNKNOWN = "–"
_GRIDS = 12  # most tables of a sweep; more pairs make one long table
_FEW = 4  # assumed values that are named
_COLUMNS = 8  # most columns of rows of an unknown kind, printed as a table

_MARKS = {
    "seed": ("", "a document of the rules says so"),
    "source": ("cyan", "a public source says so"),
    "assumed": ("yellow", "nobody was found who says so"),
    "reading": ("magenta", "the text can be taken otherwise"),
    "yours": ("green", "replaced by you"),
}
_BADGES = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", "PA")

_PLAIN = {
    **dict.fromkeys("‘’‚‛′ʼ", "'"),
    **dict.fromkeys("“”„‟″«»", '"'),
    **dict.fromkeys("‐‑‒–—―−─━═·•", "-"),
    **dict.fromkeys("│┃║", "|"),
    **{"œ": "oe", "Œ": "OE", "æ": "ae", "Æ": "AE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"},
    **{"→": "->", "←": "<-", "↔": "<->", "⇒": "=>", "≤": "<=", "≥": ">=", "≠": "!=", "≈": "~"},
    **{"×": "x", "±": "+/-", "ß": "ss", "€": "EUR", "°": "deg", "đ": "d", "Đ": "D"},
}


def safe(text: str, encoding: str) -> str:
    """Return the text with what the encoding lacks written in another way.

    Accents are dropped, ligatures, arrows, quotes, dashes and boxes drawn with plain
    characters; ``?`` stands for the rest.

    Examples
    --------
    >>> safe("Cœur d’été → 3 ≤ 4", "ascii")
    "Coeur d'ete -> 3 <= 4"
    """
    return unicodedata.normalize("NFC", text).encode(encoding, "estoc").decode(encoding)


def _replaced(letter: str, encoding: str) -> str:
    """Return the nearest text that the encoding has for a letter."""
    parts = unicodedata.normalize("NFKD", letter)
    for other in (_PLAIN.get(letter), parts, "".join(_PLAIN.get(p, p) for p in parts)):
        bare = "".join(p for p in other or "?" if not unicodedata.combining(p))
        try:
            bare.encode(encoding)
        except UnicodeEncodeError:
            continue
        if bare != "?":
            return bare
    return "+" if "─" <= letter <= "╿" else "?"


def _encoding_error(error: UnicodeError) -> tuple[str, int]:
    """Return what replaces the letters that cannot be encoded, as `codecs` asks for."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    missing = error.object[error.start : error.end]
    return "".join(_replaced(letter, error.encoding) for letter in missing), error.end


codecs.register_error("estoc", _encoding_error)


def _decimals(successes: int, trials: int) -> int:
    """Return how many decimals of a percentage a sample carries.

    The last one is worth no more than the standard error, hence what was seen at least
    once is never rounded to 0, nor to 100 what was missed at least once.
    """
    if successes in (0, trials):
        return _rarest(trials)[1]
    error = 100 * math.sqrt(successes * (trials - successes) / trials) / trials
    return max(0, math.ceil(-math.log10(error)))


def _rarest(trials: int) -> tuple[float, int]:
    """Return the most that something never seen may weigh, in percent, and its decimals."""
    high = 100 * float(wilson(0, trials)[1])
    decimals = max(0, 1 - math.floor(math.log10(high)))
    return math.ceil(high * 10**decimals) / 10**decimals, decimals


def figure(successes: int, trials: int, decimals: int = 0) -> str:
    """Return a sampled proportion in percent, without the sign.

    Parameters
    ----------
    successes, trials : int
    decimals : int
        Shown at least.

    Examples
    --------
    >>> figure(9998, 10_000), figure(0, 10_000), figure(10_000, 10_000)
    ('99.98', '< 0.039', '> 99.961')
    """
    if trials == 0:
        return UNKNOWN
    if successes in (0, trials):
        bound, places = _rarest(trials)
        return f"< {bound:.{places}f}" if successes == 0 else f"> {100 - bound:.{places}f}"
    return f"{100 * successes / trials:.{max(decimals, _decimals(successes, trials))}f}"


def percent(successes: int, trials: int) -> str:
    """Return a sampled proportion with the decimals that the sample carries.

    What was never seen is ``< x %``, what was always seen ``> x %``, x being the end of
    the interval.

    Examples
    --------
    >>> percent(74, 175), percent(470, 100_000)
    ('42 %', '0.47 %')
    """
    return f"{figure(successes, trials)} %" if trials else UNKNOWN


def exact_percent(probability: Fraction | float) -> str:
    """Return a probability that is known, with at least two digits that tell it from 0 and 1.

    Examples
    --------
    >>> exact_percent(Fraction(3, 7)), exact_percent(Fraction(99_998, 100_000))
    ('42.86 %', '99.9980 %')
    """
    p = Fraction(probability)
    if p in (0, 1):
        return f"{100 * int(p)} %"
    decimals = 2
    while 100 * min(p, 1 - p) * 10**decimals < 10:
        decimals += 1
    whole, rest = divmod(round(100 * p * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}d} %"


def interval(successes: int, trials: int) -> str:
    """Return Wilson's interval of a proportion, in percent, without the sign.

    Examples
    --------
    >>> interval(470, 100_000), interval(0, 10_000), interval(1, 10_000)
    ('0.43 – 0.51', '0 – 0.039', '0.002 – 0.057')
    """
    if trials == 0:
        return UNKNOWN
    bound, decimals = _rarest(trials)
    if successes == 0:
        return f"0 – {bound:.{decimals}f}"
    if successes == trials:
        return f"{100 - bound:.{decimals}f} – 100"
    low, high = (100 * float(end) for end in wilson(successes, trials))
    decimals = _decimals(successes, trials)
    while not 0 < round(low, decimals) <= round(high, decimals) < 100:
        decimals += 1
    return f"{low:.{decimals}f} – {high:.{decimals}f}"


def mean(value: float | None) -> str:
    """Return a mean with two decimals, more where they would hide it."""
    if value is None:
        return UNKNOWN
    return f"{value:.2f}" if value == 0 or value >= 0.1 else f"{value:.2g}"


def short_names(labels: Iterable[str]) -> dict[str, str]:
    """Return each ``name@origin`` without its origin where the name alone says who."""
    known = dict.fromkeys(labels)
    names = [label.partition("@")[0] for label in known]
    return {
        label: name if names.count(name) == 1 else label
        for label, name in zip(known, names, strict=True)
    }


def pairs(result: Result) -> dict[tuple[str, str, str], list[Row]]:
    """Return the duels of a sweep by fighter A, fighter B and who charges."""
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in result:
        found.setdefault((row["a"], row["b"], row["charge"]), []).append(row)
    return found


def charge_text(charge: str) -> str:
    """Return who charges, in words."""
    return "no charge" if charge == "none" else f"{charge} charges"


def state_columns(result: Result) -> list[str]:
    """Return the columns of a combat that count final states."""
    columns = result.columns
    return columns[columns.index("p_dead_high") + 1 : columns.index("wounds")]


def plain_text(result: Result, width: int) -> str:
    """Return what a terminal of so many columns shows, without colours."""
    return plain(answer(result, width), width)


def plain(renderable: "RenderableType", width: int) -> str:
    """Return a table, a card or an answer as lines of text without colours."""
    from io import StringIO

    from rich.console import Console

    file = StringIO()
    console = Console(
        file=file,
        width=width,
        color_system=None,
        force_terminal=False,
        force_jupyter=False,
        legacy_windows=False,
    )
    console.print(renderable, crop=False)
    return "".join(f"{line.rstrip()}\n" for line in file.getvalue().splitlines())


def show(result: Result, console: "Console") -> None:
    """Print a result in a terminal."""
    console.print(answer(result, console.width), crop=False)


def answer(result: Result, width: int) -> "RenderableType":
    """Return a result as its kind is best read, its notes, and how to get it again."""
    block = _BLOCKS.get(result.question, _other)
    parts = [_text(result.title, "bold")]
    if result.stopped:
        parts.append(_text(f"stopped after {result.stopped}", "yellow"))
    if result.rows:
        parts += [*block(result), *_notes(result), *_again(result, width)]
    return _group(parts)


def _duel(result: Result) -> "list[RenderableType]":
    row = result.rows[0]
    who = [
        f"{side}  {row[name]}: {_placed(row[dice])}{', charges' if row['charge'] == side else ''}"
        for side, name, dice in (("A", "a", "dice_a"), ("B", "b", "dice_b"))
    ]
    first = round((row["p_first_a"] or 0) * row["trials"])
    n = row["trials"]
    means = [
        ["mean wounds (dead: 4)", mean(row["wounds_a"]), mean(row["wounds_b"])],
        ["mean points destroyed", mean(row["destroyed"]), mean(row["lost"])],
        ["mean points lost", mean(row["lost"]), mean(row["destroyed"])],
        ["struck first", percent(first, n), percent(n - first, n)],
    ]
    return [_text("\n".join(who)), _outcomes(row), _table(["", "A", "B"], means)]


def _placed(dice: str) -> str:
    return "dice by policy" if dice == "policy" else f"dice {dice}"


def _outcomes(row: Row) -> "RenderableType":
    """Return the trials that each side won, and the others: they add up."""
    n = row["trials"]
    counts = {
        "A wins (B dead)": row["wins_a"],
        "B wins (A dead)": row["wins_b"],
        "undecided": row["undecided"],
    }
    decimals = max(_decimals(k, n) for k in counts.values() if 0 < k < n or k == n) if n else 0
    lines = [[what, f"{k:,}", figure(k, n, decimals), interval(k, n)] for what, k in counts.items()]
    lines.append(["all trials", f"{n:,}", "", ""])
    return _table(["", "trials", "%", "95 % interval"], lines)


def _combat(result: Result) -> "list[RenderableType]":
    sides, *fighters = result.rows
    n = sides["trials"]
    keys = _numbered([row["side"] for row in fighters])
    who = [
        [
            key,
            row["fighter"],
            mean(row["wounds"]),
            UNKNOWN if row["pa"] is None else str(row["pa"]),
            row["dice"],
            figure(row["dead"], n),
            interval(row["dead"], n),
        ]
        for key, row in zip(keys, fighters, strict=True)
    ]
    law = [
        [state.replace("_", ", "), *(figure(row[state], n) for row in fighters)]
        for state in state_columns(result)
    ]
    lost = f"mean points lost: A {mean(sides['lost'])}, B {mean(sides['destroyed'])}"
    first = percent(round((sides["p_first_a"] or 0) * n), n)
    return [
        _outcomes(sides),
        _text(f"{lost}; side A struck first: {first}"),
        _table(["", "fighter", "wounds", "PA", "dice", "dead %", "95 % interval"], who, left=2),
        _table(["final state, %", *keys], law),
    ]


def _numbered(sides: Sequence[str]) -> list[str]:
    """Return ``A1``, ``B1``, ``B2``… for the sides of fighters."""
    return [f"{side}{sides[: i + 1].count(side)}" for i, side in enumerate(sides)]


def _sweep(result: Result) -> "list[RenderableType]":
    found = pairs(result)
    one_each = all(len(rows) == 1 for rows in found.values())
    names = short_names(label for a, b, _ in found for label in (a, b))
    if one_each or len(found) > _GRIDS:
        blocks = [_long(found, names)]
    else:
        blocks = [part for pair, rows in found.items() for part in _grid(pair, rows, names)]
    n = result.rows[0]["trials"]
    legend = f"A wins / B wins, % of {n:,} trials; the others are undecided"
    if "best_a" in result.columns:
        legend += (
            "\n*: A's best answer to these dice of B; safest: best for A against B's best reply"
        )
    return [*blocks, _text(legend, "dim")]


def _grid(
    pair: tuple[str, str, str], rows: list[Row], names: dict[str, str]
) -> "list[RenderableType]":
    """Return a table of one pair: the dice of A by the dice of B."""
    a, b, charge = pair
    replies = list(dict.fromkeys(row["dice_b"] for row in rows))
    cells = {(row["dice_a"], row["dice_b"]): _odds(row) for row in rows}
    safest = {row["dice_a"] for row in rows if row.get("safest_a")}
    lines = [
        [
            f"{placed} safest" if placed in safest else placed,
            *(cells.get((placed, reply), UNKNOWN) for reply in replies),
        ]
        for placed in dict.fromkeys(row["dice_a"] for row in rows)
    ]
    title = f"{names[a]} (A) against {names[b]} (B), {charge_text(charge)}"
    return [_text(title, "bold"), _table(["A \\ B", *replies], lines)]


def _odds(row: Row) -> str:
    """Return what A and B win, with a star on A's best answer."""
    odds = " / ".join(figure(row[wins], row["trials"]) for wins in ("wins_a", "wins_b"))
    return f"{odds} {'*' if row['best_a'] else ' '}" if "best_a" in row else odds


def _long(
    found: dict[tuple[str, str, str], list[Row]], names: dict[str, str]
) -> "RenderableType":
    """Return a table with a line for each duel, each pair named once."""
    lines = []
    for (a, b, charge), rows in found.items():
        who = [names[a], names[b], charge]
        for row in rows:
            safest = "safest" if row.get("safest_a") else ""
            lines.append([*who, row["dice_a"], row["dice_b"], safest, _odds(row)])
            who = ["", "", ""]
    shown = ["A", "B", "charge", "dice A", "dice B", "", "A / B wins, %"]
    used = [i for i, name in enumerate(shown) if name or any(line[i] for line in lines)]
    return _table([shown[i] for i in used], [[line[i] for i in used] for line in lines], left=2)


def _replay(result: Result) -> "list[RenderableType]":
    return []  # the title is the text of the transcript


def _other(result: Result) -> "list[RenderableType]":
    """Return rows of any kind: a table, or a list of cells where there are many columns."""
    columns = result.columns
    if len(columns) <= _COLUMNS:
        return [_table(columns, [[_cell(row[c]) for c in columns] for row in result])]
    return [_table(["", ""], [[c, _cell(row[c])] for c in columns], left=2) for row in result]


def _cell(value: object) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_BLOCKS: "dict[str, Callable[[Result], list[RenderableType]]]" = {
    "duel": _duel,
    "combat": _combat,
    "sweep": _sweep,
    "replay": _replay,
}


def _notes(result: Result) -> "list[RenderableType]":
    """Return where the answer comes from, remarks, and what it takes for granted."""
    row = result.rows[0]
    lines = []
    if "seed" in row:
        lines.append(
            f"seed {row['seed']}, policy {row['policy']}, edition {row['edition']}, "
            f"estoc {row['version']}"
        )
    lines += [note for note in result.notes if not note.startswith("assumed: ")]
    assumed = list(dict.fromkeys(k for row in result for k in row.get("assumed", "").split()))
    if assumed:
        some = ", ".join(assumed[:_FEW]) + (", …" if len(assumed) > _FEW else "")
        plural = "s" if len(assumed) > 1 else ""
        lines.append(f"depends on {len(assumed)} assumed value{plural}: {some}")
        lines.append("(see estoc edition show)")
    return [_text("\n".join(lines))] if lines else []


def _again(result: Result, width: int) -> "list[RenderableType]":
    """Return the command that gives the answer, or its first duel, again."""
    command = result.rows[0].get("command")
    if not command:
        return []
    what = "again:" if result.question != "sweep" else "the first of these duels again:"
    return [_text(what), _text("\n".join(_command_lines(command, width)), "cyan", whole=True)]


def _command_lines(command: str, width: int) -> list[str]:
    """Return a command on lines that a shell reads as one."""
    lines = [""]
    for word in map(_quoted, split(command)):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines.append("  ")
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def _quoted(word: str) -> str:
    """Return a word as a shell wants it, in double quotes where these are enough."""
    plain_word = quote(word)
    if plain_word != word and not set(word) & set('"$`\\!%'):
        return f'"{word}"'
    return plain_word


def profiles_table(profiles: Iterable[Profile]) -> "RenderableType":
    """Return fighters as a table: what counts in a combat, and the points."""
    stats = ("INI", "ATT", "FOR", "DEF", "RES", "PA")
    lines = [
        [p.name, p.people or UNKNOWN, p.origin or UNKNOWN, *(_stat(p, stat) for stat in stats)]
        for p in profiles
    ]
    return _table(["name", "people", "origin", *stats], lines, left=3)


def _stat(profile: Profile, name: str) -> str:
    value = getattr(profile, name)
    return UNKNOWN if value is None else f"{value:g}"


def profile_card(profile: Profile) -> "RenderableType":
    """Return all that is known of a fighter."""
    words = {
        "people": profile.people,
        "role": profile.role,
        "casts as": profile.caster,
        "size": profile.size,
        "power": _stat(profile, "power"),
        "base, mm": profile.base,
        "abilities": ", ".join(profile.abilities),
        "origin": profile.origin,
        "confidence": profile.confidence,
        "source": profile.source,
        "note": profile.note,
        "file": profile.where,
    }
    lines = [[what, text or UNKNOWN] for what, text in words.items()]
    return _group(
        [
            _text(profile.label, "bold"),
            _table(_BADGES, [[_stat(profile, name) for name in _BADGES]], left=0),
            _table(["", ""], lines, left=2),
        ]
    )


def edition_table(edition: Edition, keys: Collection[str] | None = None) -> "RenderableType":
    """Return the values of an edition, who says so, and what the marks mean.

    Parameters
    ----------
    edition : Edition
    keys : collection of str, optional
        Keys that are shown; all, and the readings, if not given.
    """
    entries = [e for e in edition.values if keys is None or e.key in keys]
    lines: list[list[str | Text]] = [
        [
            e.key,
            "\n".join(map(str, e.value)) if isinstance(e.value, tuple) else e.text,
            _mark(e.mark),
            e.clause,
            KEYS[e.key].text + (f" ({e.source})" if e.source else ""),
        ]
        for e in entries
    ]
    parts = [
        _text(f"{edition.name}: {edition.title}", "bold"),
        _table(["key", "value", "mark", "clause", "meaning"], lines, left=5),
    ]
    readings = edition.readings if keys is None else ()
    if readings:
        texts: list[list[str | Text]] = [[r.clause, _mark(r.mark), r.text] for r in readings]
        parts.append(_table(["clause", "mark", "how the text is read"], texts, left=3))
    used = {e.mark for e in entries} | {r.mark for r in readings}
    legend: list[list[str | Text]] = [
        [_mark(mark), text] for mark, (_, text) in _MARKS.items() if mark in used
    ]
    parts.append(_table(["mark", ""], legend, left=2))
    return _group(parts)


def _mark(mark: str) -> "Text":
    return _text(mark, _MARKS[mark][0])


def _text(text: str, style: str = "", whole: bool = False) -> "Text":
    """Return text as it is, without markup; ``whole`` lines are never broken."""
    from rich.text import Text

    return Text(text, style, no_wrap=whole, overflow="ignore" if whole else "fold")


def _group(parts: "Sequence[RenderableType]") -> "RenderableType":
    from rich.console import Group

    return Group(*parts)


def _table(
    headings: Sequence[str], lines: "Iterable[Sequence[str | Text]]", left: int = 1
) -> "RenderableType":
    """Return a table whose first ``left`` columns are words, and the others numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_header=any(headings), pad_edge=False)
    for i, heading in enumerate(headings):
        words = i < left
        table.add_column(
            _text(heading), justify="left" if words else "right", overflow="fold", no_wrap=not words
        )
    for line in lines:
        table.add_row(*(_text(cell) if isinstance(cell, str) else cell for cell in line))
    return table
