"""Work in threads: the same answer, in the same order, for any number of them."""

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def default_threads() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def in_order(tasks: Iterable[Callable[[], T]], threads: int) -> Iterator[T]:
    """Yield the results of tasks in their order, computed by threads that run ahead.

    Kernels release the lock of the interpreter, so threads are enough. When the caller
    stops early, or Ctrl-C arrives, tasks not yet begun are dropped.
    """
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
