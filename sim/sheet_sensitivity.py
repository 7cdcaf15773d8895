"""How much each reading of the sheet matters: the same question with one switch flipped (5, 8)."""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt

from estoc.kernels.sheet_codes import Reading
from estoc.kernels.sheet_trials import SheetCounts, What
from estoc.profiles import InputError
from estoc.profiles.errors import suggestion
from estoc.profiles.sheet_readings import load_switches
from estoc.sim.method import EXACT, SAMPLED
from estoc.sim.params import checked_seed, checked_trials, estoc_version
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress
from estoc.sim.sheet_lost import USED_TESTS, USED_WORLD, Runs, Values, lost_of, routed_of
from estoc.sim.sheet_question import SheetQuestion, side_of
from estoc.sim.sheet_tape import CHUNK, Task, exact_runs, sampled
from estoc.sim.stats import student

TRIALS = 10_000
MEASURES: dict[str, tuple[str, Callable[[int], Callable[[SheetCounts], Values]]]] = {
    "lost": ("activations lost", lost_of),
    "routed": ("pieces routed", routed_of),
}


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


def sheet_sensitivity(
    question: SheetQuestion,
    *,
    side: str | None = None,
    measure: str = "lost",
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Result:
    """Return a mean under each other reading of the sheet, most changed first.

    Sampled differences are paired: both readings play the same trials, which roll the same dice
    while they ask for the same tests.

    Parameters
    ----------
    question : SheetQuestion
    side : str, optional
        The first of the situation if not given.
    measure : {"lost", "routed"}
        Activations lost in all turns, or pieces routed at the end.
    method : {"exact", "mc"}, optional
    trials, seed, threads : int, optional
    progress : callable, optional
        Told how many trials were just done.

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
    if measure not in MEASURES:
        raise InputError(f'measure: no "{measure}"; {suggestion(measure, MEASURES)}')
    own = side_of(question.situation, side)
    text, of_side = MEASURES[measure]
    values = of_side(own)
    asked = method == SAMPLED or (method is None and (trials, seed) != (None, None))
    base = None if asked else _exactly(question)
    if base is None and method == EXACT:
        raise InputError("there are too many ways for the dice to fall: take --method mc")
    rows: list[Row] = []
    used = number = None
    if base is None:
        used, number = checked_seed(seed), checked_trials(TRIALS if trials is None else trials)
    batches = None if number is None or used is None else _batches(question, number, used, threads)
    for flip in flips(question):
        other = question.read_as(flip.reading, flip.value)
        if base is not None:
            rows.append(_exact_row(flip, base, _exactly(other), values))
        elif batches is not None and number is not None and used is not None:
            more = _batches(other, number, used, threads)
            rows.append(_sampled_row(flip, batches, more, values))
            if progress:
                progress(number)
    rows.sort(key=lambda row: -abs(row["difference"]))
    name = question.situation.sides[own]
    told = {
        "side": name,
        "measure": measure,
        "turns": question.turns,
        "method": SAMPLED if base is None else EXACT,
        "remainder": None if base is None else 0.0,
        "trials": number,
        "seed": used,
        "policy": question.policy,
        "inputs": question.inputs,
        "version": estoc_version(),
    }
    runs = Runs([] if base is not None else None, None, number, used)
    more_words = ["--side", name, "--measure", measure, *runs.arguments]
    return Result(
        "sheet-sensitivity",
        [{**row, **told} for row in rows],
        f"{text} of {name} by how the sheet is read: {question.situation.name}",
        notes=question.remarks(USED_TESTS, USED_WORLD),
        command=question.command("sensitivity", *more_words),
    )


def _exactly(question: SheetQuestion) -> Runs | None:
    runs = exact_runs(question.compiled(), Task(What.TURNS))
    return None if runs is None else Runs(runs)


def _batches(question: SheetQuestion, trials: int, seed: int, threads: int) -> list[Runs]:
    """Return what came of the trials in batches, each of which both readings play."""
    compiled = question.compiled(seed)
    size = min(CHUNK, max(trials // 20, 1))
    found = []
    for first in range(0, trials, size):
        most = min(size, trials - first)
        counts, done = sampled(compiled, Task(What.TURNS), most, threads, first=first)
        found.append(Runs(None, counts, done, seed))
    return found


def _exact_row(
    flip: Flip, base: Runs, other: Runs | None, values: Callable[[SheetCounts], Values]
) -> Row:
    before = base.mean(values)
    if other is None:
        raise InputError(f"{flip.key}: too many ways for the dice to fall: take --method mc")
    after = other.mean(values)
    return _row(flip, before.mean, after.mean, after.mean - before.mean, None)


def _sampled_row(
    flip: Flip, base: list[Runs], other: list[Runs], values: Callable[[SheetCounts], Values]
) -> Row:
    before = [runs.mean(values).mean for runs in base]
    after = [runs.mean(values).mean for runs in other]
    steps = [b - a for a, b in zip(before, after, strict=True)]
    n = len(steps)
    mean = sum(steps) / n
    spread = sqrt(sum((step - mean) ** 2 for step in steps) / max(n - 1, 1) / n)
    half = student(max(n - 1, 1)) * spread
    return _row(flip, sum(before) / n, sum(after) / n, mean, half)


def _row(flip: Flip, before: float, after: float, difference: float, half: float | None) -> Row:
    return {
        "switch": flip.key,
        "question": flip.question,
        "chosen": flip.chosen,
        "read_as": flip.other,
        "before": before,
        "mean": after,
        "difference": difference,
        "low": None if half is None else difference - half,
        "high": None if half is None else difference + half,
    }
