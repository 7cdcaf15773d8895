"""Results as text that any terminal or file can show."""

from collections.abc import Callable
from importlib import import_module
from math import floor, log10
from typing import TYPE_CHECKING, Any

from ...profiles.message import joined, say, say_n
from ..text.printing import Block, apart, group, rendered, standard_output, styled, table_of
from .options import quoted, words_of
from .percent import UNKNOWN

if TYPE_CHECKING:
    from .result import Result


_FEW = 4  # assumed values that are named
_COLUMNS = 8  # most columns of rows that are a table where a kind has no other


def loaded(place: str) -> Callable[..., Any]:
    """Return the function at a place of `estoc.sim`, as ``combat.duel:duel_blocks``."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"estoc.sim.{module}"), name)
    return function


def plain_text(result: "Result", width: int) -> str:
    """Return what a terminal of so many columns shows, without colours."""
    return rendered(answer(result, width), width)


def print_result(result: "Result") -> None:
    """Print a result on standard output, in colours where it has some."""
    console = standard_output()
    console.print(answer(result, console.width), crop=False)


def answer(result: "Result", width: int) -> Block:
    """Return a result as its kind is best read, its notes, and how to get it again."""
    kind = result.kind
    parts: list[Block] = [styled(result.title, "" if kind.is_transcript else "bold")]
    if result.stopped:
        parts.append(styled(say("stopped after {}", result.stopped), "yellow"))
    if result.rows and not kind.is_transcript:
        parts += loaded(kind.text)(result, width)
    return apart([*parts, *_notes(result), *_again(result, width)])


def blocks(result: "Result", width: int) -> list[Block]:
    """Return the parts of any answer: a table, or a list of cells where there are many columns."""
    columns = result.columns
    if len(columns) <= _COLUMNS:
        return [table_of(columns, [[_cell(row[c]) for c in columns] for row in result])]
    return [table_of(["", ""], [[c, _cell(row[c])] for c in columns], "wt") for row in result]


def _cell(value: object) -> str:
    if value is None:
        return UNKNOWN
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _notes(result: "Result") -> list[Block]:
    """Return where the answer comes from, remarks, and what it takes for granted."""
    lines = []
    if {"seed", "edition"} <= set(result.columns):  # answers about the sheet have no edition
        lines.append(_origin(result))
    lines += result.notes
    assumed = result.assumed
    if assumed:
        some = ", ".join(assumed[:_FEW]) + (", …" if len(assumed) > _FEW else "")
        lines.append(
            say_n(
                "depends on {} assumed value: {} (see estoc edition show --assumed)",
                "depends on {} assumed values: {} (see estoc edition show --assumed)",
                len(assumed),
                some,
            )
        )
    if result.readings:
        several = (len(result.readings), result.readings)
        lines.append(
            say_n("and on how {1} is read", "and on how {1} are read", *several)
            if assumed
            else say_n("depends on how {1} is read", "depends on how {1} are read", *several)
        )
    return [styled(joined("\n", lines))] if lines else []


def _origin(result: "Result") -> str:
    """Return by which method, policies and edition, and in which version."""
    row = result.rows[0]
    seeds = dict.fromkeys(r["seed"] for r in result if r["seed"] is not None)
    how = [say("seed {}", seed) for seed in seeds]
    if row["method"] == "exact":
        rest = max(r["remainder"] for r in result.exact_rows)
        exact = say("exact odds")
        how.insert(0, say("{}, remainder below {}", exact, _rounded_up(rest)) if rest else exact)
    edition = [say("edition {}", row["edition"])] if "edition" in row else []
    samplers = dict.fromkeys(r["sampler"] for r in result if r.get("sampler"))
    how += [say("{} sampler", sampler) for sampler in samplers]
    how += [say("policy {}", row["policy"]), *edition, f"estoc {row['version']}"]
    return joined(", ", how)


def _rounded_up(rest: float) -> str:
    """Return a power of ten above a small number."""
    return f"1e{floor(log10(rest)) + 1}"


def _again(result: "Result", width: int) -> list[Block]:
    """Return the command that gives the answer again."""
    if not result.command:
        return []
    lines = _command_lines(result.command, width)
    return [group([styled("again:"), styled("\n".join(lines), "cyan", whole=True)])]


def _command_lines(command: str, width: int) -> list[str]:
    """Return a command on lines that a shell reads as one."""
    lines = [""]
    for word in map(quoted, words_of(command)):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines.append("  ")
        lines[-1] += word if not lines[-1].strip() else f" {word}"
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]
