"""A matchup as tables: everyone against everyone, against the field, what to bring."""

from collections.abc import Sequence
from math import ceil, log10

from ...profiles.message import joined, say
from ..base.percent import UNKNOWN, figure
from ..base.result import Result, Row, sections
from ..battle.losses import LOSSES
from ..text.printing import Block, apart, group, natural_width, styled, table_of
from .result import MatchupResult

_MEETINGS = 15  # most meetings that have a line each: of six entrants
_CYCLES = 8  # most that are named
_RING = 55  # letters of a cycle that fit a line
_LINES = 16  # most of a distribution
_NAME = 29  # letters of a name that fit beside the rest
_SHORTEST = 13  # letters of a name that are worth showing
_DOUBTFUL = 0.05  # a rating fits less well than this by chance

_TWO = 2  # entrants: their losses are shown unasked


def blocks(result: Result, width: int) -> list[Block]:
    """Return what came of a matchup, each part with its heading."""
    found = sections(result)
    names = [row["entrant"] for row in found["field"]]
    numbers = {name: str(number) for number, name in enumerate(names, 1)}
    groups = [row for key in ("field", "list", "policy") for row in found.get(key, [])]
    parts = [_matrix(found["score"], numbers, width), _field(groups, numbers)]
    if len(found["score"]) <= 2 * _MEETINGS + len(names):
        parts.append(_meetings(found["score"], numbers))
    if "mix" in found:
        parts.append(_bring(found, numbers))
        parts.append(
            styled(joined("\n", [*_cycle_lines(found, numbers), *_fit_lines(found, numbers)]))
        )
    asked = result.losses if isinstance(result, MatchupResult) else ()
    if len(names) == _TWO and not asked:
        asked = ((names[0], names[1]),)
    parts += [_losses(found.get("loss", []), pair, numbers) for pair in asked]
    return parts


def score_text(row: Row) -> str:
    """Return a score in percent, with as many decimals as its interval carries.

    What was won or drawn once is never 0, nor 100 what was not won once.

    >>> score_text({"score": 0.61234, "score_low": 0.59, "score_high": 0.635})
    '61'
    >>> score_text({"score": 0.998, "score_low": 0.95, "score_high": 1.0})
    '99.8'
    >>> score_text({"score": 0.5, "score_low": 0.5, "score_high": 0.5})
    '50'
    """
    if row["score"] is None:
        return UNKNOWN
    decimals = _decimals(row)
    while 0 < row["score"] < 1 and round(100 * row["score"], decimals) in (0, 100):
        decimals += 1
    return f"{100 * row['score']:.{decimals}f}"


def range_text(row: Row) -> str:
    """Return the interval of a score in percent."""
    if row["score"] is None:
        return UNKNOWN
    ends = (f"{100 * row[key]:.{_decimals(row)}f}" for key in ("score_low", "score_high"))
    return " – ".join(ends)


def _decimals(row: Row) -> int:
    """Return the decimals of a percentage of which the last is worth no more than its error."""
    half = 100 * (row["score_high"] - row["score_low"]) / 2
    return max(0, ceil(-log10(half / 2))) if half else 0


def _brief(name: str, room: int = _NAME) -> str:
    most = min(room, _NAME)
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _matrix(rows: Sequence[Row], numbers: dict[str, str], width: int) -> Block:
    """Return all scores, the rows' against the columns'."""
    cells = {(row["entrant"], row["other"]): row for row in rows}
    scores = [[_cell(cells[name, other]) for other in numbers] for name in numbers]
    grid = [list(numbers.values()), *scores]
    room = width - natural_width(grid) - natural_width([list(numbers.values())[-1:]]) - 2
    if room < 0:
        return styled("too many for a table of all against all: see --plot, or -o FILE", "dim")
    heads = [[number, _brief(name, room)] for name, number in numbers.items()]
    named = 2 if room >= _SHORTEST else 1
    headings = ["", say("score against")][:named] + list(numbers.values())
    lines = [[*head[:named], *line] for head, line in zip(heads, scores, strict=True)]
    legend = say(
        "%: battles won and half of those drawn; ( ): not told from 50\nagainst itself: not "
        "played, 50 by symmetry"
    )
    return table_of(headings, lines, "nw"[:named], legend=legend)


def _cell(row: Row) -> str:
    text, itself = score_text(row), row["entrant"] == row["other"]
    return text if row["shown"] or itself or row["score"] is None else f"({text})"


def _outcome(row: Row) -> list[str]:
    """Return how many battles, and how many of them won, drawn and lost."""
    return [f"{row[key]:,}" for key in ("trials", "wins", "draws", "losses")]


def _field(rows: Sequence[Row], numbers: dict[str, str]) -> Block:
    """Return what each scores against all others."""
    lines = [
        [
            numbers.get(row["entrant"], ""),
            _group_name(row),
            *_outcome(row)[1:],
            score_text(row),
            range_text(row),
        ]
        for row in rows
    ]
    headings = [
        "",
        say("against the field"),
        say("won"),
        say("drawn"),
        say("lost"),
        say("score"),
        say("interval"),
    ]
    legend = say("score: %, on average of all others, with a 95 % interval by pairs of battles")
    return table_of(headings, lines, "nw", legend=legend)


def _group_name(row: Row) -> str:
    """Return who it is about: an entrant, a list whoever plays it, a policy with any list."""
    if row["section"] == "list":
        return say("{}, any policy", row["list"])
    return (
        say("any list, {}", row["plays"]) if row["section"] == "policy" else _brief(row["entrant"])
    )


def _meetings(rows: Sequence[Row], numbers: dict[str, str]) -> Block:
    """Return a line for every two entrants."""
    lines = [
        [
            say("{} against {}", numbers[row["entrant"]], numbers[row["other"]]),
            *_outcome(row),
            score_text(row),
            range_text(row),
        ]
        for row in rows
        if int(numbers[row["entrant"]]) < int(numbers[row["other"]])
    ]
    headings = [
        "",
        say("battles"),
        say("won"),
        say("drawn"),
        say("lost"),
        say("score"),
        say("interval"),
    ]
    return table_of(headings, lines, "w")


def _bring(found: dict[str, list[Row]], numbers: dict[str, str]) -> Block:
    """Return who beats each most, how much of each to bring, and its rating."""
    rated = {row["entrant"]: row for row in found.get("rating", [])}
    lines = []
    for reply, mix in zip(found["reply"], found["mix"], strict=True):
        name = reply["entrant"]
        beaten = f"{numbers[reply['other']]} ({100 - 100 * reply['score']:.0f})"
        share, low, high = (f"{100 * mix[key]:.0f}" for key in ("share", "share_low", "share_high"))
        line = [numbers[name], _brief(name), beaten if reply["shown"] else UNKNOWN]
        line += [share, f"{low} – {high}", f"{100 * mix['p']:.0f}"]
        lines.append([*line, *([_rated(rated[name])] if rated else [])])
    headings = [
        "",
        say("what to bring"),
        say("beaten by"),
        say("mix"),
        say("interval"),
        say("kept"),
        say("rating"),
    ]
    legend = say(
        "beaten by: whoever beats it most, and his score, %, if that is shown\nmix: %, so that "
        "none beats it; {}\nkept: in so many % of mixes of scores that are drawn anew within "
        "their errors",
        _gain_text(found["mix"]),
    )
    return table_of(headings[: len(lines[0])], lines, "nw", legend=legend)


def _gain_text(rows: Sequence[Row]) -> str:
    most = 50 + max(100 * row["value_high"] for row in rows)
    return say("against it nobody scores more than {:.1f} % (95 %)", most)


def _rated(row: Row) -> str:
    half = (row["value_high"] - row["value_low"]) / 2
    return f"{round(row['value']):+} ± {half:.0f}".replace("-", "−")


def _cycle_lines(found: dict[str, list[Row]], numbers: dict[str, str]) -> list[str]:
    """Return the rings of entrants that beat each other round."""
    rows = found.get("cycle", [])
    if not rows:
        return [
            say("No cycle is shown: none beat each other round, all intervals together at 95 %.")
        ]
    lines = [
        say("Cycles: {}, who beat each other round, all intervals together at 95 %", len(rows))
    ]
    for row in rows[:_CYCLES]:
        who = row["what"]
        if len(who) > _RING:
            who = " > ".join(numbers[name] for name in who.split(" > "))
        lines.append(say("  {}, the closest by {} %", who, score_text(row)))
    return lines + ["  …"] * (len(rows) > _CYCLES)


def _fit_lines(found: dict[str, list[Row]], numbers: dict[str, str]) -> list[str]:
    """Return how well ratings fit what was played."""
    if "fit" not in found:
        return []
    row = found["fit"][0]
    if row["p"] is None:
        return [say("Ratings of two always fit: there is nothing to check them with.")]
    test = say(
        "chi² {:.1f} of {} degrees of freedom, p {:.2g}", row["value"], row["number"], row["p"]
    )
    who = say("{} against {}", numbers[row["entrant"]], numbers[row["other"]])
    worst = say(
        "worst: {}, {} % played, {:.0f} % by ratings", who, score_text(row), 100 * row["expected"]
    )
    if row["p"] < _DOUBTFUL:
        return [
            say("The ratings fit badly ({}): read the table of all against all; {}.", test, worst)
        ]
    return [say("The ratings fit ({}); {}.", test, worst)]


def _losses(rows: Sequence[Row], names: tuple[str, str], numbers: dict[str, str]) -> Block:
    """Return what two entrants lose against each other, exactly and at least so many."""
    parts = []
    for what in LOSSES:
        of_both = [
            {
                row["number"]: row
                for row in rows
                if (row["what"], row["entrant"], row["other"]) == (what, *pair)
            }
            for pair in (names, names[::-1])
        ]
        parts.append(_distribution(what, [numbers[name] for name in names], of_both))
    one, other = (f"{numbers[name]} {name}" for name in names)
    legend = say("% of the battles of {} against {}; at least: so many or more", one, other)
    return apart([*parts[:-1], group([parts[-1], styled(legend, "dim")])])


def _distribution(what: str, names: Sequence[str], of_both: Sequence[dict[int, Row]]) -> Block:
    """Return a table of so many, exactly and at least, for both."""
    most = max((number for own in of_both for number in own), default=0)
    step = _step(most)
    lines = []
    for low in range(0, most + 1, step):
        line = [str(low) if step == 1 else f"{low} – {low + step - 1}"]
        for own in of_both:
            trials = next((row["trials"] for row in own.values()), 0)
            counts = [sum(own[n]["count"] for n in own if n >= end) for end in (low, low + step)]
            line += [_part(counts[0] - counts[1], trials), _part(counts[0], trials)]
        lines.append(line)
    headings = [what]
    for name in names:
        headings += [
            say("{}: exactly" if step == 1 else "{}: so many", name),
            say("at least"),
        ]
    return table_of(headings, lines, "n")


def _step(most: int) -> int:
    """Return the width of the classes of a distribution: a round number, few enough lines."""
    return next(
        n for n in (1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000, 10**6) if most // n < _LINES
    )


def _part(count: int, trials: int) -> str:
    """Return a part in percent; nothing where there was none."""
    return figure(count, trials) if 0 < count < trials else "100" if count else ""
