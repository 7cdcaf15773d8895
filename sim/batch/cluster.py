"""Workers of a cluster of machines, by dask.distributed.

Answers come back to the one who asks, who alone writes: workers need no common disk. What many
tasks share travels once; the scheduler can make it again when a worker dies.
"""

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any
from zlib import compress, decompress

import numpy as np
from numpy.typing import NDArray

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.libraries import versions
from ..base.parallel import Task
from .crew import Done
from .sending import do_sent, lightened

if TYPE_CHECKING:
    from distributed import Client

PATIENCE = 30.0  # seconds to wait for a scheduler and its first worker
_MISSING = say('a scheduler needs the library distributed: pip install "estoc[cluster]" brings it')


class ClusterWorkers:
    """The workers of a cluster (`estoc.sim.batch.crew.Workers`).

    Parameters
    ----------
    close : callable
        Ends what was begun for it.
    """

    def __init__(self, client: "Client", close: Callable[[], None]) -> None:
        self._client, self._close = client, close
        self._executor = client.get_executor(pure=False)
        self._travelled: dict[str, Any] = {}  # futures of what travels by itself
        self._alone_since: float | None = None

    @property
    def count(self) -> int:
        """How many chunks are done at a time, as workers come and go."""
        return max(self._threads(), 1)

    def _threads(self) -> int:
        try:
            threads: dict[str, int] = self._client.nthreads()
        except OSError:
            raise ConnectionError(say("the scheduler was lost")) from None
        if threads:
            self._alone_since = None
        return sum(threads.values())

    def submit(self, tasks: list[Task[Any]]) -> "Future[Done]":
        """Begin a chunk."""
        heavy: dict[str, Any] = {}
        light = [lightened(task.do, heavy) for task in tasks]
        sent = {digest: self._travelling(digest, value) for digest, value in heavy.items()}
        future: Future[Done] = self._executor.submit(do_sent, light, sent)
        return future

    def check(self) -> None:
        """Raise where there has been no worker for a while: what was begun would wait for ever."""
        if self._threads():
            return
        now = monotonic()
        self._alone_since = self._alone_since or now
        if now > self._alone_since + PATIENCE:
            raise ConnectionError(say("all workers were lost"))

    def explained(self, error: Exception) -> Exception:
        """Return the error of the task; if workers were lost with it, that in words."""
        if not type(error).__module__.startswith(("distributed", "concurrent.futures")):
            return error
        return ConnectionError(say("workers were lost ({})", _first_line(error)))

    def close(self) -> None:
        """Leave the cluster; what is not finished is dropped."""
        self._executor.shutdown(wait=False)
        self._close()

    def _travelling(self, digest: str, value: Any) -> Any:
        """Return what many tasks share as a future, begun but once."""
        if digest not in self._travelled:
            if isinstance(value, np.ndarray):
                parcel = (compress(value.tobytes(), 1), value.dtype, value.shape)
                future = self._client.submit(_inflated, *parcel, pure=False)
            else:
                future = self._client.submit(_as_it_is, value, pure=False)
            self._travelled[digest] = future
        return self._travelled[digest]


def _as_it_is(value: Any) -> Any:
    return value


def _inflated(data: bytes, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    return np.frombuffer(decompress(data), dtype).reshape(shape)


def scheduled_workers(address: str) -> ClusterWorkers:
    """Return the workers of a scheduler."""
    distributed = _library()
    try:
        where = _written_in(Path(address)) if address.endswith(".json") else address
        client = distributed.Client(where, timeout=PATIENCE)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(
            'scheduler "{}" does not answer: {}; give the address that dask scheduler '
            "printed, as tcp://host:8786, or its file",
            address,
            _first_line(error),
        ) from None
    # a connection that is lost is told in a line, not by the library's own trace
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise InputError(
            'scheduler "{}" has no workers; start some: dask worker {}', address, address
        ) from None
    _check_program(client, address)
    return ClusterWorkers(client, client.close)


def _written_in(file: Path) -> str:
    """Return the address that a scheduler has written, or is about to write, in a file."""
    deadline = monotonic() + PATIENCE
    while not file.exists() and monotonic() < deadline:
        sleep(0.1)
    return str(json.loads(file.read_bytes())["address"])


def _check_program(client: "Client", address: str) -> None:
    """Refuse workers that would play by another program than this."""
    told = client.run(versions, on_error="return")
    other = [name for name, found in told.items() if found != versions()]
    if other:
        client.close()
        raise InputError(
            'scheduler "{}": {} of {} workers, first {}, have another estoc, Python or '
            "library; install the same ones there",
            address,
            len(other),
            len(told),
            other[0],
        )


def _library() -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError(_MISSING) from None
    return distributed


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
