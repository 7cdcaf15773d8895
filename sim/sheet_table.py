"""Answers about the activation sheet as tables."""

from typing import TYPE_CHECKING

from estoc.sim.printing import styled, table_of
from estoc.sim.result import Result, Row

if TYPE_CHECKING:
    from rich.console import RenderableType


def percent(chance: float) -> str:
    """Return a chance that is known exactly, in per cent; certainty without decimals."""
    if chance in (0.0, 1.0):
        return f"{chance:.0%}"
    return f"{100 * chance:.1f}%"


def check_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return what the sheet says about a unit: tests, actions case by case, clauses."""
    parts: list[RenderableType] = []
    tests = [row for row in result if row["what"] == "test"]
    if tests:
        lines = [[row["text"], row["who"], percent(row["chance"]), _fails(row)] for row in tests]
        parts.append(table_of(["test to take", "by", "taken", "fails"], lines, "tw"))
    else:
        parts.append(styled("no test to take at the start of the activation"))
    cases = {row["case"]: row for row in result if row["what"] == "action"}
    for case, first in cases.items():
        own = [row for row in result if row["what"] == "action" and row["case"] == case]
        parts.append(styled(_case_title(first, len(cases))))
        parts.append(table_of(["action", "Action", "constraint"], map(_action, own), "ttt"))
    for what, heading in (("clause", "applies"), ("silent", "does not apply")):
        rows = [row for row in result if row["what"] == what]
        if rows:
            columns = [heading, "heading", *["why not"] * (what == "silent")]
            lines = [
                [row["clause"], row["heading"], *[row["why"]] * (what == "silent")] for row in rows
            ]
            parts.append(table_of(columns, lines, "wtt"[: len(columns)]))
    return parts


def _fails(row: Row) -> str:
    return "" if row["fails"] is None else percent(row["fails"])


def _case_title(row: Row, cases: int) -> str:
    """Return when the unit may do what follows, and which clause closed."""
    when = "" if cases == 1 else f"with chance {percent(row['chance'])}: "
    closing = row["closing"]
    if closing == "gone":
        return f"{when}it is gone"
    if closing == "S2c":
        return f"{when}no action: a shaken Formation that fails its Engagement test (S2c)"
    told = "no clause closes (F0)" if closing == "F0" else f"{closing} closes"
    word = "it must" if row["must"] else "it takes one of"
    return f"{when}{told}, by {row['clauses'] or 'no clause'}; {word}:"


def _action(row: Row) -> list[str]:
    return [row["text"], row["french"], row["constraint"]]


def _figure(row: Row, prefix: str = "", percents: bool = False) -> list[str]:
    """Return a mean and, where it was sampled, its interval."""
    scale = 100 if percents else 1
    mean = row[f"{prefix}mean"] * scale
    exact = row[f"{prefix}exact"]
    if row["method"] == "exact":
        short = exact if len(exact) <= 12 and "/" in exact else ""
        return [f"{mean:.4g}", short]
    low, high = row[f"{prefix}low"] * scale, row[f"{prefix}high"] * scale
    return [f"{mean:.4g}", f"{low:.4g} to {high:.4g}"]


def _interval_heading(result: Result) -> str:
    return "exactly" if result.rows[0]["method"] == "exact" else "95 % interval"


def lost_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return activations lost by cause."""
    causes = [row for row in result if row["cause"] not in ("lost", "routed")]
    ends = [row for row in result if row["cause"] in ("lost", "routed")]
    names = {"lost": "all causes", "routed": "pieces routed at the end"}
    lines = [[row["cause"], row["clause"], *_figure(row)] for row in causes]
    lines += [[names[row["cause"]], "", *_figure(row)] for row in ends]
    heading = _interval_heading(result)
    return [table_of(["lost to", "clause", "mean", heading], lines, "tw")]


def wing_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return how a wing stands after each loss."""
    heading = _interval_heading(result)
    lines = [
        [
            *(str(row["losses"]), row["lost"]),
            *_figure(row, "attack_", percents=True),
            *_figure(row, "bound_"),
        ]
        for row in result
    ]
    columns = ["", "lost", "% still attack", heading, "troops bound", heading]
    return [table_of(columns, lines, "nt")]


def sensitivity_blocks(result: Result, width: int) -> "list[RenderableType]":
    """Return readings by how much they change the answer."""
    base = result.rows[0]["before"]
    lines = []
    for row in result:
        sampled = row["low"] is not None
        told = [f"{row['low']:+.3g} to {row['high']:+.3g}"] if sampled else []
        where = [row["switch"], row["question"], row["read_as"]]
        lines.append([*where, f"{row['mean']:.4g}", f"{row['difference']:+.3g}", *told])
    columns = ["switch", "", "read as", "mean", "change"]
    more = ["95 % interval"] if result.rows[0]["low"] is not None else []
    return [
        styled(f"as it is read now: {base:.4g}"),
        table_of([*columns, *more], lines, "ttt"),
    ]
