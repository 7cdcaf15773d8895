"""Runs of batches: in a folder that survives whatever stops them, the same for any workers."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from ...profiles.errors import InputError
from ...profiles.files.reading import Inputs
from ...profiles.message import joined, say
from ..ask.output import tell
from ..ask.request import Request
from ..base.parallel import Task, at_work, default_threads
from ..base.result import Result
from .crew import KeepingCrew, ThreadWorkers, Workers
from .folder import LOCK, PARTS, RESULTS, RunFolder
from .locking import locked
from .manifest import is_plain
from .parts import Parts
from .plan import Plan, Share, asking, planned
from .processes import ProcessWorkers
from .results import Answered, result_names, write_results

_SMALL_ONES = "cells"  # what the crew calls all shares that are done in one go


class Watch(Protocol):
    """Who is told how far a run is."""

    def begin(self, cells: int, seconds: float) -> None:
        """Begin with so many cells, work of so many seconds, about."""

    def chunk(self, seconds: float) -> None:
        """Note a finished chunk, and how long a worker took."""

    def share(self, seconds: float, last: bool) -> None:
        """Note a share that is answered: its seconds, about, and whether its cell is done."""


class RunStopped(Exception):
    """A run cannot go on now; what it has done is kept."""


@dataclass(frozen=True)
class Failure:
    """Why a cell has no answer."""

    why: str


def run(
    path: str | Path,
    folder: str | Path,
    *,
    resume: bool = False,
    hire: Callable[[], Workers] | None = None,
    watch: Watch | None = None,
) -> RunFolder:
    """Run a batch in a folder, or go on with it.

    Parameters
    ----------
    path : str or Path
        The batch file. Of a run that goes on, its folder will do: what it has kept is taken then.
    folder : str or Path
        Made if it is not there. It holds ``run.json`` (what is run, by what), ``inputs`` (all that
        is read, as it was), ``parts`` (what is finished), at the end ``results``, and a log.
    resume : bool
        Whether a run that is there goes on.
    hire : callable, optional
        Gives the workers; threads on all cores if not given. See `estoc.sim.batch.cluster`.
    watch : Watch, optional
        Told how far it is.

    Returns
    -------
    RunFolder
        Finished; some cells may have failed, and say why.

    Raises
    ------
    InputError
        If the batch cannot be run, or not in this folder; if what it reads has changed.
    RunStopped
        If the machine stops it, as a full disk.
    """
    there, path, hire = RunFolder(Path(folder)), Path(path), hire or hiring(None, None, None)
    new = None if _goes_on(there, resume) else _new(path)
    try:
        with ExitStack() as stack:

            def hired() -> Workers:
                return stack.enter_context(closing(hire()))

            # a batch that cannot be run, or workers that cannot be had, leave no folder behind
            workers = hired() if new else None
            there.make()
            with locked(there.path / LOCK, f'"{there.path}"'):
                begun = _goes_on(there, resume)
                plan = _plan(path, there, None if begun else new)
                return _done(plan, there, begun, lambda: workers or hired(), watch)
    except OSError as error:
        raise RunStopped(
            say(
                '"{}": {}; what is finished is kept: go on with --resume',
                there.path,
                error.strerror or error,
            )
        ) from None


def _goes_on(there: RunFolder, resume: bool) -> bool:
    """Whether a run is there that goes on, and nothing else that a run would have to spare."""
    begun = there.is_begun
    if begun and not resume:
        raise InputError(
            '"{}" holds a run: go on with it by --resume, or name another folder', there.path
        )
    return begun


def _new(path: Path) -> Plan:
    """Return what a new run does."""
    if path.is_dir():
        raise InputError('"{}" holds no run that could go on; give a batch file', path)
    plan = planned(path)
    for name in (*plan.inputs.files, *plan.inputs.folders):
        if not name.isprintable() and name.encode(errors="replace").decode() != name:
            raise InputError("{!a}: its name is not UTF-8, so no run can keep it: rename it", name)
    if not is_plain(path.name):
        raise InputError(
            '"{}": no run can keep a batch of this name: rename it, without a backslash or '
            "characters that cannot be seen",
            path,
        )
    return plan


def foreseen(path: str | Path) -> Plan:
    """Return what a batch, or a run that is there, would do, without doing it."""
    path = Path(path)
    if not path.is_dir():
        return planned(path)
    there = RunFolder(path)
    told = there.manifest
    return planned(Path(told.batch_path), there.kept_inputs(), told.seed)


def place_of(batch: str, folder: str | None, resume: bool) -> Path:
    """Return the folder of a run: told, the run itself, or the batch's name with ``.run``."""
    if Path(batch).is_dir():
        if folder is not None or not resume:
            raise InputError('"{}" is a folder: of a run that goes on, without -o: --resume', batch)
        return Path(batch)
    return Path(folder) if folder is not None else Path(Path(batch).stem + ".run")


def hiring(
    threads: int | None, workers: int | None, scheduler: str | None
) -> Callable[[], Workers]:
    """Return what gives the workers that are asked for: threads, processes, or a cluster's."""
    told = {"threads": threads, "workers": workers, "scheduler": scheduler}
    given = [f"--{key}" for key, value in told.items() if value is not None]
    if len(given) > 1:
        raise InputError("run: {} and {} are two ways to work; take one", given[0], given[1])
    if workers is not None:
        return partial(ProcessWorkers, workers)
    if scheduler is not None:
        return partial(_scheduled, scheduler)
    return partial(ThreadWorkers, threads or default_threads())


def _scheduled(address: str) -> Workers:
    from .cluster import scheduled_workers

    return scheduled_workers(address)


def _plan(path: Path, there: RunFolder, new: Plan | None) -> Plan:
    """Return what is run: begun now, or as it was begun."""
    if new is not None:
        there.begin(new.batch, new.inputs, new.remarks)
        there.prepare(new.batch, new.inputs)
        return new
    told = there.manifest
    if path.is_dir():
        there.check_unchanged()
        plan = planned(Path(told.batch_path), there.kept_inputs(), told.seed)
    else:
        plan = planned(path, seed=told.seed)
        there.check_unchanged(plan.inputs)
    there.prepare(plan.batch, plan.inputs)
    return plan


def _done(
    plan: Plan,
    there: RunFolder,
    begun: bool,
    hire: Callable[[], Workers],
    watch: Watch | None,
) -> RunFolder:
    """Do what is not done yet, and write the results."""
    before = there.manifest
    if there.is_finished and not before.failed:
        tell(say('"{}" was finished: nothing is left to do', there.path))
        return there
    parts = Parts(there.path / PARTS, before.identity)
    for fault in parts.faults:
        tell(fault)
        there.note(fault)
    if begun:
        taken = _taken_over(plan, parts)
        tell(say('"{}" goes on: {}', there.path, taken))
        there.note(say("goes on: {}", taken))
    crew = KeepingCrew(hire(), parts, plan.batch.patience, watch.chunk if watch else None, _is_kept)
    if watch is not None:
        watch.begin(len(plan.batch.cells), plan.load.seconds)
    answers = {}
    for share, answer in _answers(plan, crew):
        answers[share.key] = answer
        if watch is not None:
            watch.share(share.load.seconds, share.is_last)
    found = _answered_cells(plan, answers)
    write_results(there.path / RESULTS, found, before.results)
    cells = zip(plan.batch.cells, found, strict=True)
    failed = [joined(": ", [cell.told, one.failure]) for cell, one in cells if one.failure]
    there.finish(failed, result_names(plan.batch.names))
    return there


def _taken_over(plan: Plan, parts: Parts) -> str:
    """Return what a run that goes on has finished, and what is left."""
    kept = parts.questions
    large = [share.key for share in plan.shares if not plan.is_small(share)]
    begun = [key for key in large if key in kept]  # one after the other: all but the last are done
    done = set(begun[:-1]) | {
        share.key
        for share in plan.shares
        if plan.is_small(share) and f"{_SMALL_ONES}/0/{share.key}" in parts
    }
    left = {share.cell.number for share in plan.shares if share.key not in done}
    cells = len(plan.batch.cells)
    return say(
        "{:,} of {:,} cells were finished (chunks taken over: {:,}), {:,} to do",
        cells - len(left),
        cells,
        parts.chunks,
        len(left),
    )


def _is_kept(answer: object) -> bool:
    return not isinstance(answer, Failure)


def _answers(plan: Plan, crew: KeepingCrew) -> Iterator[tuple[Share, Result | Failure]]:
    """Yield each share with its answer: small ones together, then each large one."""
    shares = plan.shares
    small = [share for share in shares if plan.is_small(share)]
    crew.ask_about(_SMALL_ONES)
    tasks = (
        Task(share.key, partial(answer_alone, share.job, plan.inputs, plan.batch.seed))
        for share in small
    )
    yield from zip(small, crew.in_order(tasks), strict=True)
    for share in shares:
        if not plan.is_small(share):
            crew.ask_about(share.key)
            with at_work(crew):
                answer = _answered(share.job, plan.inputs, plan.batch.seed, None)
            yield share, answer


def answer_alone(job: Request, inputs: Inputs, seed: int) -> Result | Failure:
    """Return the answer of a small share, worked out by one thread, anywhere."""
    return _answered(job, inputs, seed, 1)


def _answered(job: Request, inputs: Inputs, seed: int, threads: int | None) -> Result | Failure:
    with asking(inputs):
        try:
            return job.answer(job.run.but(usual_seed=seed, threads=threads))
        except InputError as error:
            return Failure(str(error))
        except (OSError, MemoryError):
            raise  # of the machine, not of the cell
        except Exception as error:  # a fault of estoc costs its cell, not the others
            return Failure(say("{}: {} (a fault of estoc)", type(error).__name__, error))


def _answered_cells(plan: Plan, answers: dict[str, Result | Failure]) -> list[Answered]:
    """Return what came of each cell, of the answers of its shares."""
    shares: dict[int, list[Share]] = {}
    for share in plan.shares:
        shares.setdefault(share.cell.number, []).append(share)
    found = []
    with asking(plan.inputs):
        for cell in plan.batch.cells:
            own = [answers[share.key] for share in shares[cell.number]]
            failed = [answer.why for answer in own if isinstance(answer, Failure)]
            job = cell.job
            run = job.run.but(usual_seed=plan.batch.seed)
            results = [answer for answer in own if isinstance(answer, Result)]
            whole = None if failed else job.joined(results, run)
            found.append(Answered.of(cell, whole, *failed[:1]))
    return found
