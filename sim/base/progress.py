"""How far a run is: trials done, rate and time left, on a terminal only."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from ...kernels import telling
from ...kernels.telling import SettingError as SettingError
from ...profiles.message import say
from ..text.speech import tr, translated
from .run import Progress, Run

if TYPE_CHECKING:
    from rich.progress import Progress as Bars


class Bar(NamedTuple):
    """What a progress bar counts."""

    usual_trials: int = 1  # of one question, where they are not given
    questions: int = 1
    # whether only trials are counted, if any are played: the bar is not seen before
    in_trials: bool = False
    method: str | None = None  # where the run leaves it open
    trials: int | None = None  # of one question, where the run does not say it


@contextmanager
def progress(run: Run, bar: Bar) -> Iterator[Progress | None]:
    """Give a function to call with the trials just done; None where nobody watches."""
    method, trials = bar.method or run.method, bar.trials or run.trials
    sampled = method in ("mc", "both") or any(
        word is not None for word in (trials, run.seed, run.precision, run.sampler)
    )
    questions, in_trials = bar.questions, bar.in_trials
    if method == "exact" or not (sampled or in_trials):
        total, unit = questions, "answers"
    else:
        most = trials or bar.usual_trials
        if run.precision and not trials:
            from .sequence import usual_cap

            most = usual_cap(run.precision)
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
        task = bars.add_task("", total=total, rate="", visible=not in_trials or sampled)

        def advance(trials: int) -> None:
            bars.advance(task, trials)
            bars.update(task, visible=True)
            speed = bars.tasks[0].speed
            if speed and unit == "trials":
                shown = say("{:,.0f} a second", speed)
                if speed >= 1e5:
                    shown = say("{:.1f} million a second", speed / 1e6)
                bars.update(task, rate=translated(shown))

        yield advance


class RunBar:
    """How far a run of a batch is: cells done, the time that is left by the work in them."""

    def __init__(self, bars: "Bars") -> None:
        self._bars = bars
        self._task = bars.add_task(translated("reading the batch"), total=None)
        self._cells = self._all = self._chunks = 0
        self._worked = self._done = self._inside = self._total = 0.0

    def begin(self, cells: int, seconds: float) -> None:
        """See `estoc.sim.batch.runs.Watch`."""
        self._all, self._total = cells, seconds
        self._show()

    def chunk(self, seconds: float) -> None:
        """See `estoc.sim.batch.runs.Watch`."""
        self._chunks += 1
        self._worked += seconds
        self._inside += seconds  # of a share that is not done yet
        self._show()

    def share(self, seconds: float, last: bool) -> None:
        """See `estoc.sim.batch.runs.Watch`."""
        self._done += seconds
        self._inside = 0.0
        self._cells += last
        self._show()

    def _show(self) -> None:
        told = translated(
            say(
                "{:,} of {:,} cells, {:,} chunks finished, {:,.0f} seconds of work",
                self._cells,
                self._all,
                self._chunks,
                self._worked,
            )
        )
        done = min(self._done + self._inside, self._total)
        self._bars.update(self._task, description=told, total=self._total, completed=done)


@contextmanager
def run_bar() -> Iterator[RunBar | None]:
    """Give who shows how far a run is; None where nobody watches."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        yield RunBar(bars)


# Seconds, about, of compiling the kernels for which a person waits.
_SECONDS = {
    "play_battles": 60,
    **dict.fromkeys(("count", "played_positions", "replay", "solve_combat", "solve_duels"), 15),
    **dict.fromkeys(("play_sheet", "solve_feats"), 15),
    **dict.fromkeys(("count_literal", "melees_of", "solve_duel"), 10),
    "duel_law": 7,
    **dict.fromkeys(("count_contagion", "count_phases", "phase_odds", "write_steps"), 5),
}


def _say_compiling(kernel: str) -> None:
    """Say why the first run takes longer."""
    if kernel in _SECONDS:
        seconds = _SECONDS[kernel]
        announce(say("compiling the kernel {}, this once: about {} seconds", kernel, seconds))


_silent: list[bool] = []


def announce(line: str) -> None:
    """Say something before the work begins."""
    if not _silent:
        print(f"estoc: {translated(line)}", file=sys.stderr)


def _say_not_kept(folder: str, why: str, there: str, why_not: str) -> None:
    """Say where compiled kernels are, or that they are nowhere."""
    lost = say("compiled kernels cannot be kept in {} ({})", folder, why)
    if why_not:
        announce(
            say(
                "{}, nor in {} ({}): each run compiles them again; NUMBA_CACHE_DIR=FOLDER "
                "names another place",
                lost,
                there,
                why_not,
            )
        )
    else:
        announce(say("{}; they are in {}", lost, there))


def leave_untold() -> None:
    """Say nothing of kernels in this process: another one does the same and says it."""
    _silent.append(True)


# what runs kernels loads this module
telling.not_kept, telling.compiling = _say_not_kept, _say_compiling
