"""Work in threads, or by a crew of workers: the same answer, in the same order, for any of them."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Task(Generic[T]):
    """A piece of work that another process can do, another day.

    Parameters
    ----------
    key : str
        Tells it from the other tasks of its question, whatever came of these.
    do : callable
        Can be pickled.
    """

    key: str
    do: Callable[[], T]

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
    """Return how many trials are played in one go.

    Parameters
    ----------
    usual : int
        By threads: Ctrl-C waits for them. A crew plays a multiple of it.
    seconds : float
        That one trial takes, about.
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
