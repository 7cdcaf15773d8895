"""Work in threads, or by a crew of workers: the same answer, in the same order, for any of them."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

from numpy.typing import ArrayLike

from .run import Run, until_stopped
from .sequence import Stopping

T = TypeVar("T")


@dataclass(frozen=True)
class Task(Generic[T]):
    """A piece of work that another process can do, another day."""

    key: str  # tells it from the other tasks of its question, whatever came of these
    do: Callable[[], T]  # can be pickled

    def __call__(self) -> T:
        """Do it."""
        return self.do()


class Crew(Protocol):
    """Those who do the tasks of all questions that are asked while they are at work."""

    @property
    def patience(self) -> float:
        """How long one task should take, in seconds."""

    def in_order(self, tasks: Iterable[Task[Any]]) -> Iterator[Any]:
        """Yield the results of tasks in their order."""


_crew: ContextVar[Crew | None] = ContextVar("crew", default=None)


@contextmanager
def at_work(crew: Crew) -> Iterator[None]:
    """Give a crew the tasks of all questions that are asked in this block, by this thread."""
    token = _crew.set(crew)
    try:
        yield
    finally:
        _crew.reset(token)


def is_alone() -> bool:
    """Return whether no crew is at work: everything happens in this process."""
    return _crew.get() is None


def default_threads() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def piece(usual: int, seconds: float) -> int:
    """Return how many trials, of so many seconds each, are played in one go: Ctrl-C waits for them.

    A crew plays a multiple of what is usual for threads.
    """
    crew = _crew.get()
    if crew is None:
        return usual
    return usual * max(int(crew.patience / (seconds * usual)), 1)


def in_order(tasks: Iterable[Callable[[], T]], threads: int | None = None) -> Iterator[T]:
    """Yield the results of tasks in their order, computed by threads or a crew that runs ahead.

    Kernels release the lock of the interpreter, so threads are enough. When the caller
    stops early, or Ctrl-C arrives, tasks not yet begun are dropped. A crew does what is a
    `Task`; threads do all else.
    """
    crew, pending = _crew.get(), iter(tasks)
    ahead = list(islice(pending, 1))
    if crew is not None and all(isinstance(task, Task) for task in ahead):
        return crew.in_order(_chained(ahead, pending))  # type: ignore[arg-type]  # looked at
    return by_threads(_chained(ahead, pending), threads or default_threads())


def _chained(first: list[T], rest: Iterator[T]) -> Iterator[T]:
    yield from first
    yield from rest


def by_threads(tasks: Iterable[Callable[[], T]], threads: int) -> Iterator[T]:
    """Yield the results of tasks in their order, computed by threads that run ahead."""
    pending = iter(tasks)
    pool = ThreadPoolExecutor(threads)
    try:
        ahead: deque[Future[T]] = deque(pool.submit(t) for t in islice(pending, 2 * threads))
        while ahead:
            result = ahead.popleft().result()
            for task in islice(pending, 1):
                ahead.append(pool.submit(task))
            yield result
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


class Counted(Protocol):
    """Counts of some trials."""

    @property
    def trials(self) -> int:
        """How many."""

    @property
    def shares(self) -> ArrayLike:
        """Trials of what a precision is about."""

    def __add__(self, other: Any, /) -> Any:
        """Return the counts of these and of other trials."""


C = TypeVar("C", bound=Counted)


def count_each(
    kinds: Iterable[tuple[Callable[[int, int], C], int]],
    found: list[C],
    stopping: Stopping,
    run: Run,
) -> list[C]:
    """Return the counts of trials of each kind, each until its run ends.

    A kind plays trials, given the first and how many, and says how many it plays in one go.
    ``found`` has counts of no trial of each; of a partial run, later kinds may keep them.
    """
    ended: set[int] = set()

    def tasks() -> Iterator[Task[tuple[int, C]]]:
        for index, (play, step) in enumerate(kinds):
            for first, size in stopping.spans(run.chunk or step):
                if index in ended:
                    break
                yield Task(f"{index}/{first}+{size}", partial(_indexed, index, play, first, size))

    with until_stopped(run.partial):
        for index, counts in in_order(tasks(), run.threads):
            if index in ended:  # played ahead by threads
                continue
            found[index] = found[index] + counts  # a new object: Ctrl-C leaves no half of a sum
            run.advance(counts.trials)
            if stopping.reached(found[index].shares, found[index].trials):
                ended.add(index)
                if len(ended) == len(found):
                    break
    return found


def _indexed(index: int, play: Callable[[int, int], C], first: int, trials: int) -> tuple[int, C]:
    return index, play(first, trials)
