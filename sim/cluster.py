"""Workers that are processes, here or on a cluster of machines, by dask.distributed.

Answers come back to the one who asks, who alone writes: workers need no common disk. What many
tasks share travels once; the scheduler can make it again when a worker dies.
"""

import json
import logging
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from hashlib import sha256
from pathlib import Path
from time import monotonic, perf_counter, sleep
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import compress, decompress

import numpy as np
from numpy.typing import NDArray

from estoc.profiles import InputError
from estoc.profiles.reading import Inputs
from estoc.sim.crew import Done
from estoc.sim.parallel import Task
from estoc.sim.versions import versions

if TYPE_CHECKING:
    from distributed import Client

HEAVY = 1 << 16  # bytes from which an array travels by itself
PATIENCE = 30.0  # seconds to wait for a scheduler and its first worker
_MISSING = 'workers need the library distributed: pip install "estoc[cluster]" brings it'


class Heavy(NamedTuple):
    """Stands in a task for what travels by itself."""

    digest: str


class ClusterWorkers:
    """The workers of a cluster (`estoc.sim.crew.Workers`).

    Parameters
    ----------
    client : distributed.Client
    close : callable
        Ends what was begun for it.
    """

    def __init__(self, client: "Client", close: Callable[[], None]) -> None:
        self._client, self._close = client, close
        self._executor = client.get_executor(pure=False)
        self._travelled: dict[str, Any] = {}  # futures of what travels by itself

    @property
    def count(self) -> int:
        """How many chunks are done at a time, as workers come and go."""
        threads: dict[str, int] = self._client.nthreads()
        return max(sum(threads.values()), 1)

    def submit(self, tasks: list[Task[Any]]) -> "Future[Done]":
        """Begin a chunk."""
        heavy: dict[str, Any] = {}
        light = [self._lightened(task.do, heavy) for task in tasks]
        future: Future[Done] = self._executor.submit(do_sent, light, heavy)
        return future

    def explained(self, error: Exception) -> Exception:
        """Return the error of the task; if workers were lost with it, that in words."""
        if not type(error).__module__.startswith(("distributed", "concurrent.futures")):
            return error
        return ConnectionError(f"workers were lost ({_first_line(error)})")

    def close(self) -> None:
        """Leave the cluster; what is not finished is dropped."""
        self._executor.shutdown(wait=False)
        self._close()

    def _lightened(self, do: Any, heavy: dict[str, Any]) -> tuple[Any, ...]:
        """Return a task as function, arguments, named arguments, without what is heavy."""
        if not isinstance(do, partial):
            return do, (), {}
        args = tuple(self._light(value, heavy) for value in do.args)
        return do.func, args, {key: self._light(v, heavy) for key, v in do.keywords.items()}

    def _light(self, value: Any, heavy: dict[str, Any]) -> Any:
        if isinstance(value, list):
            return [self._light(item, heavy) for item in value]
        if isinstance(value, Inputs):
            digest = sha256(repr(value.digests).encode()).hexdigest()
            if digest not in self._travelled:
                self._travelled[digest] = self._client.submit(_as_it_is, value, pure=False)
        elif isinstance(value, np.ndarray) and value.nbytes >= HEAVY:
            data = value.tobytes()
            digest = sha256(data).hexdigest()
            if digest not in self._travelled:
                parcel = (compress(data, 1), value.dtype, value.shape)
                self._travelled[digest] = self._client.submit(_inflated, *parcel, pure=False)
        else:
            return value
        heavy[digest] = self._travelled[digest]
        return Heavy(digest)


def do_sent(light: list[tuple[Any, ...]], heavy: dict[str, Any]) -> Done:
    """Do the tasks of a chunk, on a worker."""
    began = perf_counter()
    answers = []
    for function, args, named in light:
        whole = [_whole(value, heavy) for value in args]
        answers.append(function(*whole, **{key: _whole(v, heavy) for key, v in named.items()}))
    return Done(answers, perf_counter() - began)


def _whole(value: Any, heavy: dict[str, Any]) -> Any:
    if isinstance(value, Heavy):
        return heavy[value.digest]
    return [_whole(item, heavy) for item in value] if isinstance(value, list) else value


def _as_it_is(value: Any) -> Any:
    return value


def _inflated(data: bytes, dtype: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    return np.frombuffer(decompress(data), dtype).reshape(shape)


def local_workers(count: int) -> ClusterWorkers:
    """Return workers that are processes of this machine.

    Raises
    ------
    InputError
        If the library for it is not there.
    """
    distributed = _library()
    cluster = distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",  # port 8787 may be another cluster's
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )
    client = distributed.Client(cluster)

    def close() -> None:
        client.close()
        cluster.close()

    return ClusterWorkers(client, close)


def scheduled_workers(address: str) -> ClusterWorkers:
    """Return the workers of a scheduler.

    Parameters
    ----------
    address : str
        As ``tcp://host:8786``, or the JSON file that a scheduler has written.

    Raises
    ------
    InputError
        If it does not answer, has no workers, or they have another program.
    """
    distributed = _library()
    try:
        where = _written_in(Path(address)) if address.endswith(".json") else address
        client = distributed.Client(where, timeout=PATIENCE)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise InputError(
            f'scheduler "{address}" does not answer: {_first_line(error)}; give the address that '
            "dask scheduler printed, as tcp://host:8786, or its file"
        ) from None
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError:
        client.close()
        raise InputError(
            f'scheduler "{address}" has no workers; start some: dask worker {address}'
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
            f'scheduler "{address}": {len(other)} of {len(told)} workers, first {other[0]}, have '
            "another estoc, Python or library; install the same ones there"
        )


def _library() -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError(_MISSING) from None
    return distributed


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
