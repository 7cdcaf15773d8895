"""How far a run is: trials done, rate and time left, on a terminal only."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from typing import Any

from estoc.kernels import telling
from estoc.kernels.telling import SettingError as SettingError
from estoc.sim.language import tr, translated


@contextmanager
def progress(
    asked: dict[str, Any], usual_trials: int, questions: int = 1
) -> Iterator[Callable[[int], None] | None]:
    """Give a function to call with the trials just done; None where nobody watches.

    Parameters
    ----------
    asked : dict
        Options of the command: method, trials, seed, precision, sampler.
    usual_trials : int
        Of one question, where they are not told.
    questions : int
    """
    precision = asked.get("precision")
    told = asked["trials"], asked["seed"], precision, asked.get("sampler")
    sampled = asked["method"] in ("mc", "both") or any(word is not None for word in told)
    if asked["method"] == "exact" or not sampled:
        total, unit = questions, "answers"
    else:
        most = asked["trials"] or usual_trials
        if precision and not asked["trials"]:
            from estoc.sim.sequence import usual_cap

            most = usual_cap(precision)
        total, unit = questions * most, "trials"
    if not sys.stderr.isatty() or (unit == "answers" and questions == 1):
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    whole = "{task.total:,.0f}"
    total_told = (
        tr("of {total} trials", total=whole)
        if unit == "trials"
        else tr("of {total} answers", total=whole)
    )
    with Progress(
        TextColumn("{task.completed:,.0f} " + total_told),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bars:
        task = bars.add_task("", total=total, rate="")

        def advance(trials: int) -> None:
            bars.advance(task, trials)
            speed = bars.tasks[0].speed
            if speed and unit == "trials":
                shown = f"{speed / 1e6:.1f} million" if speed >= 1e5 else f"{speed:,.0f}"
                bars.update(task, rate=translated(f"{shown} a second"))

        yield advance


@contextmanager
def work_done() -> Iterator[Callable[[float], None] | None]:
    """Give a function to call with the seconds of work just finished; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task, done = bars.add_task("reading the batch"), []

        def advance(seconds: float) -> None:
            done.append(seconds)
            told = f"{len(done):,} chunks finished, {sum(done):,.0f} seconds of work"
            bars.update(task, description=told)

        yield advance


def until_stopped(partial: bool) -> AbstractContextManager[None]:
    """Return a block that Ctrl-C ends where a part of an answer is wanted, else its caller too."""
    return suppress(KeyboardInterrupt) if partial else nullcontext()


_SECONDS = {
    "duel_law": 7,
    "solve_duel": 10,
    "write_steps": 5,
    "count_literal": 10,
}  # of what is asked most


def announce_compilation(kernel: str, seconds: int = 15) -> None:
    """Have it said why the first run takes longer, should its kernel be compiled now.

    Parameters
    ----------
    kernel : str
        The function of `estoc.kernels` that is about to run.
    seconds : int
        How long it takes, about, where it is not known here.
    """
    seconds = _SECONDS.get(kernel, seconds)
    what = f"compiling the kernel {kernel}, this once: about {seconds} seconds"
    telling.before_compiling(kernel, partial(announce, what))


def announce(line: str) -> None:
    """Say something before the work begins."""
    print(f"estoc: {translated(line)}", file=sys.stderr)


def _say_not_kept(folder: str, why: str, there: str, why_not: str) -> None:
    """Say where compiled kernels are; not again in each process that works for this one."""
    from multiprocessing import parent_process

    if parent_process() is not None:
        return
    lost = f"compiled kernels cannot be kept in {folder} ({why})"
    if why_not:
        announce(
            f"{lost}, nor in {there} ({why_not}): each run compiles them again; "
            "NUMBA_CACHE_DIR=FOLDER names another place"
        )
    else:
        announce(f"{lost}; they are in {there}")


telling.not_kept = _say_not_kept  # what runs kernels loads this module
