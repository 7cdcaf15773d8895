"""Fear as a table."""

from collections.abc import Sequence

from ...profiles.message import joined, say
from ..base.percent import UNKNOWN, chance, share_cells
from ..base.result import Result, Row
from ..base.sequence import stopping_of, trials_told
from ..text.printing import Block, styled, table_of


def blocks(result: Result, width: int) -> list[Block]:
    """Return the parts of the table: both tests, what follows, then rallies."""
    exact, sampled = result.rows[:2], result.rows[-2:]
    tests = [_test(one, other) for one, other in zip(exact, sampled, strict=True)]
    rallies = [_rally(one, other) for one, other in zip(exact, sampled, strict=True)]
    more = _headings(sampled, exact[0])
    told = [line for row in exact for line in _told(row)]
    return [
        table_of(["who tests Courage", "test", "difficulty", "die", *more], tests, "tw"),
        styled(joined("\n", told)),
        table_of(
            ["rally in maintenance (W-4.4)", "test", "difficulty", "die", *more], rallies, "tw"
        ),
    ]


def _headings(sampled: Sequence[Row], exact: Row) -> list[str]:
    """Return the headings of what is told of chances."""
    found = ["%"] if exact["trials"] is None else []
    if sampled[0]["trials"] is None:
        return found
    testing = [row for row in sampled if row["tests"]] or sampled
    n = trials_told(row["trials"] for row in testing)
    return [*found, say("% of {} trials", n), stopping_of(testing[0]).of_proportion]


def _chances(name: str, exact: Row, sampled: Row) -> list[str]:
    """Return the cells of a chance."""
    cells = []
    if exact["trials"] is None:
        p = exact[f"p_{name}"]
        cells.append(UNKNOWN if p is None else chance(p))
    if sampled["trials"] is not None:
        count, n = sampled[f"{name}_count"], sampled["trials"]
        cells += [UNKNOWN, ""] if count is None else share_cells(count, n, stopping_of(sampled))
    return cells


def _test(exact: Row, sampled: Row) -> list[str]:
    """Return the cells of a test of Courage."""
    if not exact["tests"]:
        return [exact["fighter"], "none", UNKNOWN, UNKNOWN, *_chances("success", exact, sampled)]
    test = f"{exact['stat']} {exact['value']}"
    die = f"{max(exact['goal'], 1)}+"
    chances = _chances("success", exact, sampled)
    return [exact["fighter"], test, str(exact["difficulty"]), die, *chances]


def _rally(exact: Row, sampled: Row) -> list[str]:
    """Return the cells of a rally of one in rout, free of frightening enemies."""
    if exact["p_rally"] is None:
        return [exact["fighter"], *[UNKNOWN] * 3, *_chances("rally", exact, sampled)]
    cells = [exact["fighter"], str(exact["nerve"]), str(exact["rally_difficulty"])]
    return [*cells, f"{max(exact['rally_goal'], 1)}+", *_chances("rally", exact, sampled)]


def _told(row: Row) -> list[str]:
    """Return what follows a fighter's test, in words."""
    name = row["fighter"]
    if not row["tests"]:
        return [say("{} does not test: {} ({})", name, row["why"], row["clause"])]
    lines = [say("{}: success: {} (W-4.2)", name, row["success"])]
    lines.append(say("{}: failure: {} (W-4.3)", name, row["failure"]))
    if row["p_rally_in_contact"] == 0:
        lines.append(say("{}: no rally while it touches a frightening enemy (W-4.4)", name))
    return lines
