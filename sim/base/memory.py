"""What was made once and may be asked for again, by its content; for any thread."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T", bound=tuple[object, ...] | None)
OWN = 1024  # bytes that anything takes with its key, about


class Memory(Generic[T]):
    """The last things made, each by a key that says all that it hangs on.

    Arrays in all of them take ``room`` bytes, about; the last thing made is kept whatever it takes.
    """

    def __init__(self, room: int):
        self._room = room
        self._taken = 0
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
            if key not in self._known:
                self._known[key] = found
                self._taken += size_of(found)
            while self._taken > self._room and len(self._known) > 1:
                self._taken -= size_of(self._known.popitem(last=False)[1])
        return found


def size_of(found: tuple[object, ...] | None) -> int:
    """Return the bytes that a tuple of arrays takes, about."""
    return OWN + sum(getattr(part, "nbytes", 0) for part in found or ())
