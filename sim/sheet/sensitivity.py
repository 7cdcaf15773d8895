"""How much each reading of the sheet matters: one switch flipped, as numbers and picture (5, 8)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import NamedTuple

from ...kernels.layout.sheet import Reading
from ...kernels.sheet.trials import What
from ...profiles.errors import InputError, suggestion
from ...profiles.message import say
from ...profiles.sheet.readings import load_switches
from ..base.answer import AnswerKind, columns
from ..base.result import Result, Row
from ..base.run import EXACT, USUAL_RUN, Method, Run, runs_fixed, until_stopped
from ..base.stats import student
from ..combat.method import sampled_method
from ..text.drawing import Figure, strips
from .losses import assumptions, lost_of, routed_of
from .question import Askable, SheetQuestion, question_of, side_of
from .runs import (
    CHUNK,
    ORIGIN,
    Measure,
    Task,
    batches,
    cells,
    exact_runs,
    expected,
    is_sampled,
    note,
    provenance,
    too_many,
    total,
    unseen,
)

SENSITIVITY = AnswerKind(
    "sheet-sensitivity",
    columns("text", "switch by which the sheet is read, and its question", "switch", "question")
    + columns("text", "reading that is chosen, and the other", "chosen", "read_as")
    + columns("number", "mean by the chosen reading", "before")
    + columns("number", "mean by the other", "mean")
    + columns("number", "the other less the chosen one", "difference")
    + columns("number", "end of its interval", "low", "high")
    + columns("text", "side that it is about", "side")
    + columns("text", "what is counted: lost or routed", "measure"),
    origin=ORIGIN,
    text="sheet.table:sensitivity_blocks",
    picture="sheet.sensitivity:plot_sheet_sensitivity",
)

TRIALS = 10_000
BATCHES = 20  # at least: their spread gives the interval
MEASURES: dict[str, tuple[str, Callable[[int], Measure]]] = {
    "lost": (say("activations lost"), lost_of),
    "routed": (say("pieces routed"), routed_of),
}


class Sums(NamedTuple):
    """What a measure adds up to in batches of trials; of exact odds one of weight 1."""

    sums: list[float]
    sizes: list[int]

    @property
    def mean(self) -> float:
        """The mean of all."""
        return sum(self.sums) / sum(self.sizes)


Play = Callable[[SheetQuestion], Sums | None]  # None: too many ways for the dice to fall


@dataclass(frozen=True)
class Flip:
    """One switch read otherwise: its key, question, what is chosen and what is not."""

    key: str
    question: str
    chosen: str
    other: str
    reading: Reading
    value: int


def flips(question: SheetQuestion) -> list[Flip]:
    """Return every other value of every switch, against those of the question."""
    found = []
    for switch in load_switches():
        now = question.readings[switch.code]
        for value in range(len(switch.values)):
            if value != now:
                words = (switch.word(now), switch.word(value))
                found.append(Flip(switch.key, switch.question, *words, switch.code, value))
    return found


def count_flips() -> int:
    """Return how many other readings there are, of all switches together."""
    return sum(len(switch.values) - 1 for switch in load_switches())


@runs_fixed
def sheet_sensitivity(
    question: Askable, run: Run = USUAL_RUN, *, side: str | None = None, measure: str = "lost"
) -> Result:
    """Return a mean under each other reading of the sheet, most changed first.

    Sampled differences are paired: both readings play the same trials, which roll the same dice
    while they ask for the same tests.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`): by method ``exact`` or
        ``mc``; 10,000 trials where sampling is asked for. A partial run gives the readings done
        so far.
    side : str, optional
        The first of the situation if not given.
    measure : {"lost", "routed"}
        Activations lost in all turns, or pieces routed at the end.

    Returns
    -------
    Result
        A row for each reading: ``mean``, ``difference`` from the question's own and its 95 %
        interval where it was sampled.

    Raises
    ------
    InputError
        If side or measure is unknown, or exact odds are asked for of what has too many runs.
    """
    question = question_of(question)
    if measure not in MEASURES:
        raise InputError('measure: no "{}"; {}', measure, suggestion(measure, MEASURES))
    own = side_of(question.situation, side)
    text, of_side = MEASURES[measure]
    how, rows = Method(EXACT), None
    if not is_sampled(run):
        rows = _compared(question, _exactly(of_side(own), run.method == EXACT), run)
        if rows is None and run.method == EXACT:
            raise too_many()
    if rows is None:
        how = _enough(sampled_method(run, TRIALS))
        rows = _compared(question, _rolled(of_side(own), how, run), run) or []
    name, every = question.situation.sides[own], count_flips()
    rows.sort(key=lambda row: -abs(row["difference"]))
    rested = provenance(question, how, "sensitivity", "--side", name, "--measure", measure)
    told = {"side": name, "measure": measure, **cells(question, how, rested)}
    return Result.of(
        SENSITIVITY,
        [{**row, **told} for row in rows],
        say("{} of {} by how the sheet is read: {}", text, name, question.situation.name),
        rested,
        before=(note(how), *assumptions(question)),
        stopped="" if len(rows) == every else say("{} of {} readings", len(rows), every),
    )


def _enough(how: Method) -> Method:
    """Return a method with trials whose spread can be told."""
    if how.stopping.most < BATCHES:
        raise InputError(
            "trials: {} should be at least {} to compare readings", how.trials, BATCHES
        )
    return how


def _exactly(measure: Measure, patient: bool) -> Play:
    def play(question: SheetQuestion) -> Sums | None:
        runs = exact_runs(question.compiled(), Task(What.TURNS), patient)
        if runs is None:
            return None
        return Sums([float(expected(runs, lambda counts: total(measure(counts))))], [1])

    return play


def _rolled(measure: Measure, how: Method, run: Run) -> Play:
    """Return how trials are played in batches, the same ones under every reading."""
    trials = how.stopping.most
    parts = max(BATCHES, ceil(trials / CHUNK))
    bounds = [trials * part // parts for part in range(parts + 1)]

    def play(question: SheetQuestion) -> Sums:
        found = Sums([], [])
        compiled = question.compiled(how.seed or 0)
        for counts, size in batches(compiled, Task(What.TURNS), bounds, run.threads):
            found.sums.append(total(measure(counts)))
            found.sizes.append(size)
            run.advance(size)
        return found

    return play


def _compared(question: SheetQuestion, play: Play, run: Run) -> list[Row] | None:
    """Return a row for each other reading that was played; None: one has too many runs."""
    rows: list[Row] = []
    with until_stopped(run.partial):
        base = play(question)
        for flip in flips(question):
            other = base and play(question.read_as(flip.reading, flip.value))
            if base is None or other is None:
                return None
            rows.append(_row(flip, base, other))
    return rows


def _row(flip: Flip, base: Sums, other: Sums) -> Row:
    difference, half = other.mean - base.mean, _half(base, other)
    return {
        "switch": flip.key,
        "question": flip.question,
        "chosen": flip.chosen,
        "read_as": flip.other,
        "before": base.mean,
        "mean": other.mean,
        "difference": difference,
        "low": None if half is None else difference - half,
        "high": None if half is None else difference + half,
    }


def _half(base: Sums, other: Sums) -> float | None:
    """Return half the 95 % interval of a difference, from its batches; None: it is exact.

    Where no batch differs, it is the upper bound of the chance that a trial does.
    """
    parts = zip(base.sums, other.sums, base.sizes, strict=True)
    steps: Sequence[float] = [(after - before) / size for before, after, size in parts]
    n = len(steps)
    if n == 1:
        return None
    mean = sum(steps) / n
    spread = sqrt(sum((step - mean) ** 2 for step in steps) / (n - 1) / n)
    return student(n - 1) * spread or unseen(sum(base.sizes))


_MORE, _LESS = "#D55E00", "#0072B2"  # told apart by the colour-blind


def plot_sheet_sensitivity(result: Result) -> Figure:
    """Return the picture of an answer: a bar for each reading, with its interval of 95 %."""
    bars = [
        (f"{row['question']}  {row['read_as']}", row["difference"], row["low"], row["high"])
        for row in result
    ]
    label = say("change; as it is read now: {:.4g}", result.rows[0]["before"])
    return strips(bars, label, [_MORE if change > 0 else _LESS for _, change, *_ in bars])
