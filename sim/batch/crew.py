"""The crew of a run: gives tasks to workers, keeps each finished chunk, and takes up where it was.

A chunk is some tasks that take about as long as the run is patient. Answers come in the order of
the tasks, so that whoever adds them up finds the same for any workers; chunks are kept as soon as
they are finished, in any order.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Protocol

from ..base.parallel import Task
from .parts import Parts

AHEAD = 3  # chunks in flight for each worker
GLANCE = 2.0  # seconds after which somebody who waits looks whether workers are left
_GROWTH = 4  # times as many tasks as in a chunk that was measured, at most


class Done(NamedTuple):
    """A finished chunk: its tasks' answers, and the seconds that they took."""

    answers: list[Any]
    seconds: float


class Workers(Protocol):
    """Those who do chunks: threads here, or processes anywhere."""

    @property
    def count(self) -> int:
        """How many chunks are done at a time."""

    def submit(self, tasks: list[Task[Any]]) -> "Future[Done]":
        """Begin a chunk."""

    def check(self) -> None:
        """Raise where nobody is left who could finish what was begun; asked while it is waited."""

    def explained(self, error: Exception) -> Exception:
        """Return what is to be raised where a chunk came to nothing."""

    def close(self) -> None:
        """Send them home; what they have not begun is dropped."""


def do_all(tasks: Iterable[Callable[[], Any]]) -> Done:
    """Do the tasks of a chunk."""
    began = perf_counter()
    answers = [task() for task in tasks]
    return Done(answers, perf_counter() - began)


class ThreadWorkers:
    """Threads of this process."""

    def __init__(self, count: int) -> None:
        self.count = count
        self._pool = ThreadPoolExecutor(count)

    def submit(self, tasks: list[Task[Any]]) -> "Future[Done]":
        """Begin a chunk."""
        return self._pool.submit(do_all, tasks)

    def check(self) -> None:
        """Do nothing: threads cannot be lost."""

    def explained(self, error: Exception) -> Exception:
        """Return the error of the task."""
        return error

    def close(self) -> None:
        """Drop what has not begun, and wait for the rest."""
        self._pool.shutdown(wait=True, cancel_futures=True)


@dataclass(eq=False)
class _Chunk:
    """Tasks of a question that workers do together."""

    about: str
    keys: list[str]
    future: "Future[Done]"


class KeepingCrew:
    """A crew that keeps what its workers have found (`estoc.sim.base.parallel.Crew`).

    Parameters
    ----------
    parts : Parts
        Where answers are kept, and looked for before a task is given out.
    patience : float
        Seconds that a chunk should take.
    told : callable, optional
        Told of each finished chunk: how many seconds a worker took.
    worth_keeping : callable, optional
        Whether an answer is kept; all are if not given.
    """

    def __init__(
        self,
        workers: Workers,
        parts: Parts,
        patience: float,
        told: Callable[[float], None] | None = None,
        worth_keeping: Callable[[Any], bool] = lambda answer: True,
    ) -> None:
        self.workers, self.parts, self.patience = workers, parts, patience
        self._told, self._worth_keeping = told, worth_keeping
        self._about, self._asked = "", 0
        self._sizes: dict[str, int] = {}  # tasks of the next chunk, by what they are about

    def ask_about(self, what: str) -> None:
        """Begin with another question; all its tasks are of it until the next one."""
        self._about, self._asked = what, 0

    def in_order(self, tasks: Iterable[Task[Any]]) -> Iterator[Any]:
        """Yield the answers of tasks in their order.

        Tasks of a question are told apart by their keys and by which time it asks for tasks.
        """
        about = f"{self._about}/{self._asked}/"
        self._asked += 1
        return self._answers(about, iter(tasks))

    def _answers(self, about: str, pending: Iterator[Task[Any]]) -> Iterator[Any]:
        queue: deque[str | _Chunk] = deque()
        flying: list[_Chunk] = []
        more = True
        try:
            while more or queue:
                while more and len(flying) < AHEAD * self.workers.count and len(queue) < 10_000:
                    more = self._give(about, pending, queue, flying)
                if not queue:
                    continue
                first = queue.popleft()
                if isinstance(first, str):
                    yield self.parts[first]
                    continue
                answers = self._wait(first, flying)
                yield from answers
        finally:
            for chunk in flying:
                chunk.future.cancel()

    def _give(
        self,
        about: str,
        pending: Iterator[Task[Any]],
        queue: "deque[str | _Chunk]",
        flying: list[_Chunk],
    ) -> bool:
        """Give workers the next chunk; whether there may be more tasks."""
        keys, tasks, found = [], [], []
        wanted = self._sizes.get(about, 1)
        for task in pending:
            key = about + task.key
            if key in self.parts:
                found.append(key)
                break
            keys.append(key)
            tasks.append(task)
            if len(tasks) == wanted:
                break
        if tasks:
            chunk = _Chunk(about, keys, self.workers.submit(tasks))
            queue.append(chunk)
            flying.append(chunk)
        queue.extend(found)
        return bool(tasks or found)

    def _wait(self, wanted: _Chunk, flying: list[_Chunk]) -> list[Any]:
        """Keep each chunk that is finished until the one that is wanted is; its answers."""
        while wanted in flying:  # not if it was done before those that were wanted earlier
            futures = [chunk.future for chunk in flying]
            while not wait(futures, GLANCE, return_when=FIRST_COMPLETED).done:
                self.workers.check()
            for chunk in [chunk for chunk in flying if chunk.future.done()]:
                flying.remove(chunk)
                self._keep(chunk)
        return wanted.future.result().answers

    def _keep(self, chunk: _Chunk) -> None:
        try:
            answers, seconds = chunk.future.result()
        except Exception as error:
            raise self.workers.explained(error) from None
        found = list(zip(chunk.keys, answers, strict=True))
        self.parts.add([(key, answer) for key, answer in found if self._worth_keeping(answer)])
        if self._told is not None:
            self._told(seconds)
        fitting = int(self.patience * len(answers) / max(seconds, 1e-9))
        self._sizes[chunk.about] = max(min(fitting, _GROWTH * len(answers)), 1)
