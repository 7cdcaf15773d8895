"""A battle as tables: who wins, points by turn, fighters, trials worth watching."""

from collections.abc import Sequence
from math import ceil, log10

from ...profiles.message import say
from ..base.options import SIDES
from ..base.percent import UNKNOWN, decimals_of, mean, share_cells, signed
from ..base.result import Result, Row, sections
from ..base.sequence import SEQUENCE, STUDENT, stopping_of
from ..text.printing import Block, group, styled, table_of


def blocks(result: Result, width: int) -> list[Block]:
    """Return what came of a battle, each part with its heading."""
    found = sections(result)
    return [
        _outcomes(found["outcome"], found["difference"][0]),
        _destroyed(found["destroyed"]),
        _fighters(found["fighter"], found["death"]),
        _rounds(found["round"]),
        _watch(found["watch"], result),
    ]


def _outcomes(rows: Sequence[Row], difference: Row) -> Block:
    n = rows[0]["trials"]
    decimals = max((decimals_of(r["count"], n) for r in rows if 0 < r["count"] < n), default=0)
    lines = [
        [
            row["what"],
            f"{row['count']:,}",
            *share_cells(row["count"], n, stopping_of(row), decimals),
        ]
        for row in rows
    ]
    lines.append([say("all trials"), f"{n:,}", "", ""])
    table = table_of(["", "trials", "%", stopping_of(rows[0]).of_proportion], lines)
    return group([table, styled(_difference(difference))])


def _difference(row: Row) -> str:
    """Return the mean difference of points, with its interval where there is one."""
    value = signed(row["value"])
    if row["value_low"] is None:
        return say("A's points less B's: {} on average", value)
    return say(
        "A's points less B's: {} on average ({} {} to {})",
        value,
        _of_mean(row),
        signed(row["value_low"]),
        signed(row["value_high"]),
    )


def _of_mean(row: Row) -> str:
    """Return what the interval of a mean by batches is called (`estoc.sim.battle.battle`)."""
    return STUDENT if row.get("precision") is None else SEQUENCE


def _between(row: Row) -> str:
    """Return a mean and half its interval, with as many decimals as the mean carries.

    >>> _between({"value": 5.18, "value_low": 4.51, "value_high": 5.85})
    '5.2 ± 0.7'
    """
    if row["value_low"] is None:
        return mean(row["value"])
    half = (row["value_high"] - row["value_low"]) / 2
    if half == 0:
        return f"{row['value']:g}"
    decimals = max(ceil(-log10(half)), 0)
    return f"{row['value']:.{decimals}f} ± {half:.{decimals}f}"


def _destroyed(rows: Sequence[Row]) -> Block:
    turns = list(dict.fromkeys(row["turn"] for row in rows))
    cells = {(row["side"], row["turn"]): row for row in rows}
    lines = [[str(turn), *(_between(cells[side, turn]) for side in SIDES)] for turn in turns]
    headings = [say("turn"), *(say("points destroyed by {}", side) for side in SIDES)]
    legend = say("so far, on average, ± half a {}", _of_mean(rows[0]))
    return table_of(headings, lines, "nnn", legend=legend)


def _fighters(rows: Sequence[Row], deaths: Sequence[Row]) -> Block:
    """Return a line for each fighter: how often it lives, what it kills, when it dies."""
    cells: dict[tuple[str, str], dict[str, Row]] = {}
    for row in rows:
        cells.setdefault((row["side"], row["fighter"]), {})[row["what"]] = row
    lines = []
    for (side, name), row in sorted(cells.items(), key=lambda item: item[0][0]):
        lives = row["survives"]
        lines.append(
            [
                side,
                name,
                UNKNOWN if lives["number"] is None else str(lives["number"]),
                *share_cells(lives["count"], lives["trials"], stopping_of(lives)),
                _dies(side, name, deaths),
                _between(row["kills"]),
                _between(row["points earned"]),
            ]
        )
    headings = [
        "",
        say("fighter"),
        say("PA"),
        say("lives, %"),
        stopping_of(rows[0]).of_proportion,
        say("dies"),
        say("kills"),
        say("points"),
    ]
    legend = say(
        "dies: its likeliest turn; kills and PA of those killed, on average, ± half a {}",
        _of_mean(rows[0]),
    )
    return table_of(headings, lines, "wtnnnn", legend=legend)


def _dies(side: str, name: str, deaths: Sequence[Row]) -> str:
    """Return the turn in which a fighter dies most often."""
    own = [row for row in deaths if (row["side"], row["fighter"]) == (side, name)]
    most = max(own, key=lambda row: row["count"])
    return str(most["turn"]) if most["count"] else UNKNOWN


def _rounds(rows: Sequence[Row]) -> Block:
    """Return how often the battle ends in which turn."""
    lines = [
        [str(row["turn"]), *share_cells(row["count"], row["trials"], stopping_of(row))]
        for row in rows
    ]
    return table_of(["ends in turn", "%", stopping_of(rows[0]).of_proportion], lines, "nnn")


def _watch(rows: Sequence[Row], result: Result) -> Block:
    lines = [
        [row["what"], f"{row['number']:+}".replace("-", "−"), str(row["trial"])] for row in rows
    ]
    run = result.command.replace("estoc battle", "estoc replay", 1)
    legend = say("to read or draw one: {} --trial N", run) if run else ""
    headings = [say("worth watching"), say("A's points less B's"), say("trial")]
    return table_of(headings, lines, "tnn", legend=legend)
