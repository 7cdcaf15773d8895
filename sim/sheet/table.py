"""Answers about the activation sheet as tables."""

from itertools import groupby

from ...profiles.message import say, say_all
from ..base.percent import UNKNOWN, chance
from ..base.result import Result, Row
from ..base.sequence import NORMAL, STUDENT, WILSON
from ..text.printing import Block, styled, table_of

_SHORT = 12  # most letters of a fraction that is shown
MOST_OUTCOMES = 12  # that are shown one by one


def percent(value: float) -> str:
    """Return a chance that is known exactly, in per cent."""
    return f"{chance(value)} %"


def check_blocks(result: Result, width: int) -> list[Block]:
    """Return what the sheet says about a unit: tests, actions case by case, clauses."""
    return [
        *_test_blocks(_of(result, "test")),
        *_case_blocks(_of(result, "action")),
        *_hole_blocks(_of(result, "hole")),
        *_assumed_blocks(_of(result, "assumed")),
        *_unable_blocks(_of(result, "unable")),
        *_clause_blocks(result),
    ]


def _of(result: Result, what: str) -> list[Row]:
    return [row for row in result if row["what"] == what]


def _test_blocks(rows: list[Row]) -> list[Block]:
    if not rows:
        return [styled("no test to take at the start of the activation")]
    lines = [[row["text"], row["who"], percent(row["chance"]), _fails(row)] for row in rows]
    return [table_of(["test to take", "by", "taken", "fails"], lines, "tt")]


def _case_blocks(rows: list[Row]) -> list[Block]:
    """Return what is permitted, a table for each way in which the tests matter."""
    parts: list[Block] = []
    cases = {row["case"]: row for row in rows}
    for case, first in cases.items():
        own = [row for row in rows if row["case"] == case and row["deed"]]
        if len(cases) > 1:
            parts.append(styled(_when(first)))
        parts.append(styled(_case_title(first, len(own))))
        if own:
            lines = [[row["text"], row["french"], row["constraint"]] for row in own]
            parts.append(table_of(["action", "Action", "constraint"], lines, "ttt"))
    return parts


def _hole_blocks(rows: list[Row]) -> list[Block]:
    """Return the holes of the sheet, where no clause closes."""
    if not rows:
        return []
    lines = [[row["clause"], row["text"], "here" if row["chance"] else ""] for row in rows]
    return [table_of(["hole", "for whom the sheet says nothing", ""], lines, "wtw")]


def _assumed_blocks(rows: list[Row]) -> list[Block]:
    """Return what nobody gave and the answer rests on."""
    if not rows:
        return []
    lines = [[row["text"], row["why"], row["otherwise"]] for row in rows]
    return [table_of(["assumed, the file does not say", "so it", "otherwise"], lines, "ttt")]


def _unable_blocks(rows: list[Row]) -> list[Block]:
    """Return what the sheet lists and cannot be done."""
    if not rows:
        return []
    lines = [[row["text"], row["french"], row["clauses"], row["why"]] for row in rows]
    return [table_of(["listed, not possible", "Action", "by", "it"], lines, "tttt")]


def _clause_blocks(result: Result) -> list[Block]:
    """Return clauses: those that apply, and if they were asked for the others."""
    parts: list[Block] = []
    headings = say_all({"clause": "applies", "silent": "does not apply", "later": "by events"})
    for what, told in headings.items():
        rows = _of(result, what)
        if rows:
            lines = [[row["clause"], row["says"], _remark(row)] for row in rows]
            parts.append(table_of([told, "what it says", ""], lines, "wtt"))
    return parts


def _remark(row: Row) -> str:
    """Return why a clause does not apply, or how likely it is to."""
    if row["chance"] is None:
        return str(row["why"])
    return "" if row["chance"] == 1 else say("with chance {}", percent(row["chance"]))


def _fails(row: Row) -> str:
    return "" if row["fails"] is None else percent(row["fails"])


def _when(row: Row) -> str:
    """Return how the tests must fall for what follows, and how likely they do."""
    if row["when"]:
        return say("{}: {}", row["when"], percent(row["chance"]))
    return say("with chance {}", percent(row["chance"]))


def _case_title(row: Row, actions: int) -> str:
    """Return which clause closed, and how the unit may choose."""
    closing = row["closing"]
    if not actions:
        return str(row["text"])
    told = say("no clause closes (F0)") if closing == "F0" else say("{} closes", closing)
    word = say("it takes one of")
    if actions == 1:
        word = say("all it can do" if closing == "F0" else "it must")
    return say("{}, by {}; {}:", told, row["clauses"] or say("no clause"), word)


def _figure(row: Row, prefix: str = "", scale: int = 1) -> list[str]:
    """Return a mean and, where it was sampled, its interval; else the fraction if it is short."""
    mean, low, high = (row[f"{prefix}{key}"] for key in ("mean", "low", "high"))
    exact = row[f"{prefix}exact"]
    if mean is None:
        return [UNKNOWN, ""]
    if low is not None:
        return [f"{scale * mean:.4g}", say("{:.4g} to {:.4g}", scale * low, scale * high)]
    return [f"{scale * mean:.4g}", exact if len(exact) <= _SHORT and "/" in exact else ""]


def _interval_heading(result: Result, named: str = NORMAL) -> str:
    return "exactly" if result.rows[0]["method"] == "exact" else named


def lost_blocks(result: Result, width: int) -> list[Block]:
    """Return activations lost by cause."""
    names = say_all({"lost": "all causes", "routed": "pieces routed at the end"})
    lines = [
        [names.get(row["cause"], row["cause"]), row["clause"], *_figure(row)] for row in result
    ]
    heading = _interval_heading(result)
    return [table_of(["lost to", "clause", "mean", heading], lines, "tw")]


def wing_blocks(result: Result, width: int) -> list[Block]:
    """Return how a wing stands after each loss."""
    heading = _interval_heading(result)
    lines = [
        [
            *(str(row["losses"]), row["lost"]),
            *_figure(row, "attack_", 100),
            *_figure(row, "bound_"),
        ]
        for row in result
    ]
    attack = _interval_heading(result, WILSON)
    columns = say_all(["", "lost", "% still attack", attack, "troops bound", heading])
    return [table_of(columns, lines, "nt")]


def sensitivity_blocks(result: Result, width: int) -> list[Block]:
    """Return readings by how much they change the answer; those that do not, in a line."""
    rows = result.rows
    parts: list[Block] = [styled(say("as it is read now: {:.4g}", rows[0]["before"]))]
    moved = [row for row in rows if row["difference"]]
    still = [f"{row['question']} {row['read_as']}" for row in rows if not row["difference"]]
    columns = say_all(["", "read as", "mean", "change"])
    is_exact = rows[0]["method"] == "exact"
    if moved:
        lines = [
            [row["question"], row["read_as"], f"{row['mean']:.4g}", f"{row['difference']:+.3g}"]
            + ([] if is_exact else [say("{:+.2g} to {:+.2g}", row["low"], row["high"])])
            for row in moved
        ]
        parts.append(table_of([*columns, *([] if is_exact else [STUDENT])], lines, "wt"))
    if moved and not is_exact:
        parts.append(styled("1 interval in 20 misses what it is of", "dim"))
    if still:
        reach = max(float(row["high"] or 0) for row in rows if not row["difference"])
        most = "" if is_exact else say(" (at most {:.2g} each)", reach)
        parts.append(styled(say("no change{}: {}", most, still), "dim"))
    return parts


def follow_blocks(result: Result, width: int) -> list[Block]:
    """Return what follows an event: who tests, then the outcomes, the most likely first."""
    tests = [row for row in result if row["what"] == "test"]
    outcomes = [row for row in result if row["what"] == "outcome"]
    parts: list[Block] = [styled("nobody takes a test")]
    if tests:
        headings = say_all(["test", "by", "clause", "taken", "fails"])
        parts = [table_of(headings, [_test(row) for row in tests], "ttw")]
    cases = [list(rows) for _, rows in groupby(outcomes, key=lambda row: row["case"])]
    lines = [
        [percent(row["chance"]) if place == 0 else "", row["text"]]
        for rows in cases[:MOST_OUTCOMES]
        for place, row in enumerate(rows)
    ]
    parts.append(table_of(["chance", "what has happened then"], lines, "nt"))
    rest = cases[MOST_OUTCOMES:]
    if rest:
        chance = percent(sum(rows[0]["chance"] for rows in rest))
        told = say("and {} rarer outcomes, {} together: --format csv lists them", len(rest), chance)
        parts.append(styled(told, "dim"))
    return parts


def _test(row: Row) -> list[str]:
    fails = "" if row["fails"] is None else percent(row["fails"])
    return [row["text"], row["who"], row["clause"], percent(row["chance"]), fails]


def hexes_blocks(result: Result, width: int) -> list[Block]:
    """Return the nearest threats, then where each permitted action may end."""
    parts: list[Block] = []
    threats = [row for row in result if row["what"] == "threat"]
    if threats[0]["points"] is None:
        parts.append(styled(threats[0]["text"]))
    else:
        lines = [[row["text"], row["hex"], str(row["points"])] for row in threats]
        parts.append(table_of(["nearest threat", "hex", "its points to contact"], lines, "tw"))
    moves = [row for row in result if row["what"] != "threat"]
    if not moves:
        parts.append(styled("no permitted action goes anywhere"))
        return parts
    lines = [_move(list(rows)) for _, rows in groupby(moves, key=_asked)]
    parts.append(table_of(["action", "constraint", "may end in"], lines, "ttk"))
    if any(row["what"] == "off" for row in moves):
        parts.append(styled("↦: or off the map, over the edge of its wing", "dim"))
    return parts


def _asked(row: Row) -> tuple[str, str]:
    return row["deed"], row["constraint"]


def _move(rows: list[Row]) -> list[str]:
    places = [row["hex"] for row in rows if row["what"] == "hex"]
    ends = " ".join(places) if places else "–"
    if rows[-1]["what"] == "off":
        ends = f"{ends} ↦"
    return [rows[0]["text"], rows[0]["constraint"], ends]


def replay_blocks(result: Result, width: int) -> list[Block]:
    """Return one trial, a line each event."""
    return [table_of(["", ""], [[str(row["step"]), row["text"]] for row in result], "nt")]
