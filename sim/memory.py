"""What was made once and may be asked for again, by its content; for any thread."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Memory(Generic[T]):
    """The last things made, each by a key that says all that it hangs on.

    Parameters
    ----------
    most : int
        How many are kept.
    """

    def __init__(self, most: int):
        self._most = most
        self._known: OrderedDict[Hashable, T] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the thing of a key, made now if it is not known; two threads may both make it."""
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]
        found = make()
        with self._lock:
            self._known[key] = found
            while len(self._known) > self._most:
                self._known.popitem(last=False)
        return found
