"""Results as text that any terminal or file can show."""

from collections.abc import Callable, Iterable, Sequence
from shlex import split
from typing import TYPE_CHECKING

from estoc.sim.params import quoted
from estoc.sim.percent import UNKNOWN, decimals_of, figure, interval, mean, percent
from estoc.sim.printing import apart, group, rendered, standard_output, styled, table_of
from estoc.sim.result import Result, Row
from estoc.sim.sweep import pair_of

if TYPE_CHECKING:
    from rich.console import RenderableType

Pair = tuple[str, str, str]  # fighter A, fighter B, who charges

_GRIDS = 12  # most tables of a sweep; more pairs make one long table
_FEW = 4  # assumed values that are named
_COLUMNS = 8  # most columns of rows of an unknown kind, printed as a table


def short_names(labels: Iterable[str]) -> dict[str, str]:
    """Return each ``name@origin`` without its origin where the name alone says who."""
    known = dict.fromkeys(labels)
    names = [label.partition("@")[0] for label in known]
    return {
        label: name if names.count(name) == 1 else label
        for label, name in zip(known, names, strict=True)
    }


def pairs(result: Result) -> dict[Pair, list[Row]]:
    """Return the duels of a sweep by fighter A, fighter B and who charges."""
    found: dict[Pair, list[Row]] = {}
    for row in result:
        found.setdefault(pair_of(row), []).append(row)
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
    return rendered(answer(result, width), width)


def print_result(result: Result) -> None:
    """Print a result on standard output, in colours where it has some."""
    console = standard_output()
    console.print(answer(result, console.width), crop=False)


def answer(result: Result, width: int) -> "RenderableType":
    """Return a result as its kind is best read, its notes, and how to get it again."""
    block = _BLOCKS.get(result.question, _other)
    parts: list[RenderableType] = [
        styled(result.title, "" if result.question == "replay" else "bold")
    ]
    if result.stopped:
        parts.append(styled(f"stopped after {result.stopped}", "yellow"))
    if result.rows:
        parts += block(result, width)
    return apart([*parts, *_notes(result), *_again(result, width)])


def _duel(result: Result, width: int) -> "list[RenderableType]":
    row = result.rows[0]
    who = [
        f"{side}  {row[name]}: {_placed(row[dice])}{', charges' if row['charge'] == side else ''}"
        for side, name, dice in (("A", "a", "dice_a"), ("B", "b", "dice_b"))
    ]
    first = row["first_a"]
    n = row["trials"]
    means = [
        ["mean wounds taken (dead: 4)", mean(row["wounds_a"]), mean(row["wounds_b"])],
        ["mean points destroyed", mean(row["destroyed"]), mean(row["lost"])],
        ["struck first", percent(first, n), percent(n - first, n)],
    ]
    return [styled("\n".join(who)), _outcomes(row), table_of(["", "A", "B"], means)]


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
    decimals = max((decimals_of(k, n) for k in counts.values() if 0 < k < n), default=0)
    lines = [
        [what, f"{k:,}", figure(k, n, decimals), interval(k, n, decimals)]
        for what, k in counts.items()
    ]
    lines.append(["all trials", f"{n:,}", "", ""])
    return table_of(["", "trials", "%", "95 % interval"], lines)


def _combat(result: Result, width: int) -> "list[RenderableType]":
    sides, *fighters = result.rows
    n = sides["trials"]
    keys = _numbered([row["side"] for row in fighters])
    who = [
        [
            key,
            row["fighter"],
            UNKNOWN if row["pa"] is None else str(row["pa"]),
            row["dice"],
            mean(row["wounds"]),
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
    first = percent(sides["first_a"], n)
    return [
        _outcomes(sides),
        styled(f"{lost}; side A struck first: {first}"),
        table_of(["", "fighter", "PA", "dice", "wounds", "dead %", "95 % interval"], who, "wt"),
        table_of(["final state, %", *keys], law),
    ]


def _numbered(sides: Sequence[str]) -> list[str]:
    """Return ``A1``, ``B1``, ``B2``… for the sides of fighters."""
    return [f"{side}{sides[: i + 1].count(side)}" for i, side in enumerate(sides)]


def _sweep(result: Result, width: int) -> "list[RenderableType]":
    found = pairs(result)
    names = short_names(label for a, b, _ in found for label in (a, b))
    blocks: list[RenderableType] = []
    if len(found) <= _GRIDS and any(len(rows) > 1 for rows in found.values()):
        grids = {pair: _grid(rows) for pair, rows in found.items()}
        if all(_natural_width(grid) <= width for grid in grids.values()):
            blocks = [_titled(pair, grid, names) for pair, grid in grids.items()]
    if not blocks:
        blocks = [_long(found, names)]
    n = result.rows[0]["trials"]
    legend = f"A wins / B wins, % of {n:,} trials; the others are undecided"
    if "best_a" in result.columns:
        legend += (
            "\n*: A's best answer to these dice of B; safest: best for A against B's best reply"
        )
    return [*blocks, styled(legend, "dim")]


def _grid(rows: list[Row]) -> list[list[str]]:
    """Return the lines of a table of one pair, headings first: dice of A by dice of B."""
    by_reply: dict[str, list[Row]] = {}
    for row in rows:
        by_reply.setdefault(row["dice_b"], []).append(row)
    columns = []
    headings = ["A \\ B"]
    for reply, column in by_reply.items():
        odds = _odds(column)
        columns.append(dict(zip([row["dice_a"] for row in column], odds, strict=True)))
        headings.append(" " * (odds[0].index("/") - 1) + reply)
    safest = {row["dice_a"] for row in rows if row.get("safest_a")}
    lines = [
        [
            f"{placed} safest" if placed in safest else placed,
            *(column.get(placed, UNKNOWN) for column in columns),
        ]
        for placed in dict.fromkeys(row["dice_a"] for row in rows)
    ]
    return [headings, *lines]


def _natural_width(grid: list[list[str]]) -> int:
    """Return how wide a table is when no cell is broken."""
    return sum(max(map(len, column)) + 2 for column in zip(*grid, strict=True))


def _titled(pair: Pair, grid: list[list[str]], names: dict[str, str]) -> "RenderableType":
    a, b, charge = pair
    title = f"{names[a]} (A) against {names[b]} (B), {charge_text(charge)}"
    headings, *lines = grid
    return group([styled(title, "bold"), table_of(headings, lines, "w" * len(headings))])


def _odds(rows: list[Row]) -> list[str]:
    """Return what A and B win in each row, slashes aligned, with a star on A's best answers."""
    both = [[figure(row[wins], row["trials"]) for wins in ("wins_a", "wins_b")] for row in rows]
    widest = max(len(a) for a, _ in both)
    stars = [" *" if row.get("best_a") else "" for row in rows]
    return [f"{a:>{widest}} / {b}{star}" for star, (a, b) in zip(stars, both, strict=True)]


def _long(found: dict[Pair, list[Row]], names: dict[str, str]) -> "RenderableType":
    """Return a table with a line for each duel, each pair named once."""
    odds = iter(_odds([row for rows in found.values() for row in rows]))
    lines = []
    for (a, b, charge), rows in found.items():
        who = [names[a], names[b], charge]
        for row in rows:
            safest = "safest" if row.get("safest_a") else ""
            lines.append([*who, row["dice_a"], row["dice_b"], safest, next(odds)])
            who = ["", "", ""]
    headings = ["A", "B", "charge", "dice A", "dice B", "", "A / B wins, %"]
    dull = {"none", "policy", ""}  # a column that says only this is left out
    used = [i for i in range(len(headings)) if any(line[i] not in dull for line in lines)]
    kinds = "".join("ttwwwww"[i] for i in used)
    return table_of([headings[i] for i in used], [[line[i] for i in used] for line in lines], kinds)


def _replay(result: Result, width: int) -> "list[RenderableType]":
    return []  # the title is the text of the transcript


def _other(result: Result, width: int) -> "list[RenderableType]":
    """Return rows of any kind: a table, or a list of cells where there are many columns."""
    columns = result.columns
    if len(columns) <= _COLUMNS:
        return [table_of(columns, [[_cell(row[c]) for c in columns] for row in result])]
    return [table_of(["", ""], [[c, _cell(row[c])] for c in columns], "wt") for row in result]


def _cell(value: object) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:.6g}" if isinstance(value, float) else str(value)


_BLOCKS: "dict[str, Callable[[Result, int], list[RenderableType]]]" = {
    "duel": _duel,
    "combat": _combat,
    "sweep": _sweep,
    "replay": _replay,
}


def _notes(result: Result) -> "list[RenderableType]":
    """Return where the answer comes from, remarks, and what it takes for granted."""
    lines = []
    if "seed" in result.columns:
        row = result.rows[0]
        lines.append(
            f"seed {row['seed']}, policy {row['policy']}, edition {row['edition']}, "
            f"estoc {row['version']}"
        )
    lines += result.notes
    assumed = result.assumed
    if assumed:
        some = ", ".join(assumed[:_FEW]) + (", …" if len(assumed) > _FEW else "")
        plural = "s" if len(assumed) > 1 else ""
        lines.append(
            f"depends on {len(assumed)} assumed value{plural}: {some} "
            "(see estoc edition show --assumed)"
        )
    if result.readings:
        lines.append(f"and on how {', '.join(result.readings)} are read")
    return [styled("\n".join(lines))] if lines else []


def _again(result: Result, width: int) -> "list[RenderableType]":
    """Return the command that gives the answer again."""
    if not result.command:
        return []
    lines = _command_lines(result.command, width)
    return [group([styled("again:"), styled("\n".join(lines), "cyan", whole=True)])]


def _command_lines(command: str, width: int) -> list[str]:
    """Return a command on lines that a shell reads as one."""
    lines = [""]
    for word in map(quoted, split(command)):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines.append("  ")
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]
