"""Workers that are processes of this machine, at the ends of pipes that nobody else can reach.

No port is opened: whoever could talk to a worker could run code in it. A process that dies is
replaced, and its chunk done again.
"""

import os
import pickle
import subprocess
import sys
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, local
from typing import IO, Any

from ...profiles.message import say
from ..base.parallel import Task
from ..base.progress import leave_untold
from .crew import Done, ThreadWorkers
from .sending import Light, do_sent, lightened

DEATHS = 3  # of processes in one chunk, after which it is given up
QUIET = "quiet"
_ALONE = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


class ProcessWorkers(ThreadWorkers):
    """Processes of this machine, each at the beck of a thread (`estoc.sim.batch.crew.Workers`)."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self._mine = local()  # the process of each thread
        self._lock = Lock()
        self._all: list[_Process] = []
        self._closed = False

    @property
    def numbers(self) -> list[int]:
        """The processes that are at work, by their numbers in the system."""
        return [process.number for process in self._all]

    def submit(self, tasks: list[Task[Any]]) -> "Future[Done]":
        """Begin a chunk."""
        return self._pool.submit(self._done, tasks)

    def close(self) -> None:
        """Stop the processes; what is not finished is dropped."""
        with self._lock:
            self._closed = True
            for process in self._all:
                process.kill()
        super().close()
        for process in list(self._all):
            self._bury(process)

    def _done(self, tasks: list[Task[Any]]) -> Done:
        """Have a chunk done by the process of this thread."""
        heavy: dict[str, Any] = {}
        light = [lightened(task.do, heavy) for task in tasks]
        for _ in range(DEATHS):
            process = self._process()
            try:
                return process.do(light, heavy)
            except (EOFError, BrokenPipeError, pickle.UnpicklingError):
                self._bury(process)
        raise ConnectionError(say("workers were lost: {} processes ended in one chunk", DEATHS))

    def _process(self) -> "_Process":
        found: _Process | None = getattr(self._mine, "process", None)
        if found is None:
            with self._lock:
                if self._closed:
                    raise ConnectionError(say("the workers were sent home"))
                found = _Process(*[QUIET] * bool(self._all))  # one tells what kernels do
                self._all.append(found)
            self._mine.process = found
        return found

    def _bury(self, process: "_Process") -> None:
        process.end()
        self._mine.process = None
        with self._lock:
            self._all.remove(process)


class _Process:
    """A process that does chunks; its words are for `serve`."""

    def __init__(self, *words: str) -> None:
        # in a session of its own Ctrl-C is for the run alone; -P: no module of the folder we are in
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            env={**_ALONE, **os.environ},
        )
        self._known: set[str] = set()

    @property
    def number(self) -> int:
        return self._process.pid

    def do(self, light: list[Light], heavy: dict[str, Any]) -> Done:
        """Return what comes of a chunk; raise what it raised."""
        there, back = self._process.stdin, self._process.stdout
        assert there is not None
        assert back is not None
        new = {digest: value for digest, value in heavy.items() if digest not in self._known}
        _send(there, (light, new))
        self._known |= set(new)
        found = pickle.load(back)  # of our own process, by a pipe of its own
        if isinstance(found, Exception):
            raise found
        done: Done = found
        return done

    def kill(self) -> None:
        """Stop it, whatever it does."""
        self._process.kill()

    def end(self) -> None:
        """Stop it, and leave nothing of it."""
        self.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe.close()  # type: ignore[union-attr]  # both are there


def _send(pipe: IO[bytes], value: Any) -> None:
    pickle.dump(value, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()


def serve() -> None:
    """Do the chunks that come by standard input, until it is closed."""
    back = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what is printed is no answer
    known: dict[str, Any] = {}
    if QUIET in sys.argv:
        leave_untold()
    with suppress(EOFError, BrokenPipeError):
        while True:
            light, new = pickle.load(sys.stdin.buffer)  # of the run that began us
            known |= new
            _send(back, _outcome(light, known))


def _outcome(light: list[Light], known: dict[str, Any]) -> "Done | Exception":
    try:
        return do_sent(light, known)
    except Exception as error:
        try:
            pickle.loads(pickle.dumps(error))  # our own
        except Exception:
            return RuntimeError(say("{}: {}", type(error).__name__, error))
        return error


if __name__ == "__main__":
    serve()
