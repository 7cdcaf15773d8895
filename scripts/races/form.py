"""The one form of all parts: racers are timed in turn, told in tables as BENCHMARKS.md has them.

A part says what is raced on what, by which bar, and beside whom; it checks first that all agree.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from estoc.sim.bench.table import in_words, significant, speed
from estoc.sim.bench.timing import ROUND_SECONDS, Run, Timing, race, times_faster

HEADINGS = ("", "min", "median", "a second", "bar", "ratio", "by round")

Row = dict[str, Any]
Taken = dict[str, list[float]]


class Racer(NamedTuple):
    """What is timed.

    run : plays so many trials
    answers : how many a trial gives
    beside : the racer that it is compared with
    bar : seconds of an answer that are wanted
    """

    run: Run
    answers: float = 1
    beside: str = ""
    bar: float | None = None


Racers = Mapping[str, Racer]


def onward(play: Callable[[int, int], object]) -> Run:
    """The run whose trials begin where those before ended, each with dice of its own."""
    played = 0

    def run(trials: int) -> None:
        nonlocal played
        play(played, trials)
        played += trials

    return run


def in_turn(call: Callable[..., object], rows: Sequence[Any]) -> Run:
    """The run whose trial k asks about row k."""

    def run(trials: int) -> None:
        for k in range(trials):
            call(*rows[k % len(rows)])

    return run


@dataclass
class Bench:
    """How a part is taken, and what it found: by the titles of its tables, fit for JSON."""

    rounds: int
    quick: bool = False
    plot: Path | None = None  # where the part that can draws a picture
    source: Path | None = None  # the C file of the part that is beside one
    report: dict[str, Any] = field(default_factory=dict)

    def pick(self, whole: int, quick: int) -> int:
        """How much is checked: that shows that it works, if no more is wanted."""
        return quick if self.quick else whole

    def race(
        self,
        title: str,
        racers: Racers,
        *notes: str,
        seconds: float = ROUND_SECONDS,
        longer: bool = False,
    ) -> dict[str, Row]:
        """Time some racers and tell them in one table."""
        return self.tell(title, racers, self.take(racers, seconds), *notes, longer=longer)

    def take(self, racers: Racers, seconds: float = ROUND_SECONDS) -> Taken:
        """Seconds of a trial of each, round by round, in turn."""
        runs = {name: racer.run for name, racer in racers.items()}
        taken = race(runs, self.rounds, seconds)
        return {name: [1e-9 * value for value in values] for name, values in taken.items()}

    def tell(
        self, title: str, racers: Racers, taken: Taken, *notes: str, longer: bool = False
    ) -> dict[str, Row]:
        """Tell racers in a table; ``longer``: how many times as long as another, not as fast."""
        times = {name: [s / racers[name].answers for s in taken[name]] for name in racers}
        rows = {name: row_of(racer, name, times, longer) for name, racer in racers.items()}
        others = {racer.beside for racer in racers.values()} - {""}
        if others:
            (beside,) = others if len(others) == 1 else ("the other of its name",)
            notes = (f"ratio: times as {'long' if longer else 'fast'} as {beside}", *notes)
        self.show(title, HEADINGS, ([name, *cells_of(row)] for name, row in rows.items()), *notes)
        self.report[title] = rows
        return rows

    def facts(self, title: str, found: Mapping[str, Any], *notes: str) -> None:
        """Tell what was found out in other ways: values, or rows of them by their headings."""
        rows = {name: row if isinstance(row, dict) else {"": row} for name, row in found.items()}
        headings = ("", *next(iter(rows.values())))
        lines = ([name, *map(in_figures, row.values())] for name, row in rows.items())
        self.show(title, headings, lines, *notes)
        self.report[title] = dict(found)

    def show(
        self, title: str, headings: Sequence[str], lines: Iterable[Sequence[str]], *notes: str
    ) -> None:
        """Print a table below its title and above its notes."""
        under = ("", *notes) if notes else ()
        print("", f"## {title}", "", *table_of(headings, list(lines)), *under, sep="\n", flush=True)


def row_of(racer: Racer, name: str, times: Taken, longer: bool) -> Row:
    """Seconds of an answer; whether a bar holds, by the best and the middle one; the ratio."""
    timing, bar = Timing.of(times[name]), racer.bar
    row: Row = {"seconds": asdict(timing), "bar": bar}
    row["met"] = None if bar is None else timing.least <= bar
    row["met_by_median"] = None if bar is None else timing.median <= bar
    if racer.beside:
        one, other = times[racer.beside], times[name]
        row["ratio"] = asdict(times_faster(other, one) if longer else times_faster(one, other))
    return row


def cells_of(row: Row) -> list[str]:
    """A row below `HEADINGS`, its name apart."""
    met = "NOT met" if not row["met"] else "met" if row["met_by_median"] else "min met"
    return [
        *(in_words(row["seconds"][key]) for key in ("least", "median")),
        speed(1 / row["seconds"]["least"]),
        "" if row["bar"] is None else f"{in_words(row['bar'])} {met}",
        *(significant(row["ratio"][key]) if "ratio" in row else "" for key in ("least", "median")),
    ]


def in_figures(value: Any) -> str:
    """A value of `Bench.facts`."""
    if isinstance(value, float):
        return significant(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def table_of(headings: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """A table in Markdown, columns that say nothing left out."""
    shown = [[cell.replace("|", "\\|") for cell in cells] for cells in (headings, *lines)]
    columns = [column for column in zip(*shown, strict=True) if any(column[1:])]
    widths = [max(map(len, column)) for column in columns]
    told = [
        " | ".join([cells[0].ljust(widths[0]), *map(str.rjust, cells[1:], widths[1:])])
        for cells in zip(*columns, strict=True)
    ]
    rule = "|".join("-" * (width + 2) for width in widths)
    return [f"| {told[0]} |", f"|{rule}|", *(f"| {line} |" for line in told[1:])]
