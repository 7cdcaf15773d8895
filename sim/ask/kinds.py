"""All kinds of answers by name, wherever they are declared."""

from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

from ... import sim
from ..base.answer import AnswerKind

PROFILES = AnswerKind("profiles")
EDITION = AnswerKind("edition")

_ABOVE = ("ask", "audit", "batch", "bench", "cli", "report")  # rooms that declare none


def kinds() -> Iterator[AnswerKind]:
    """Yield all kinds of answers, loading one after the other the rooms that declare them."""
    yield from (PROFILES, EDITION)
    for room in iter_modules(sim.__path__, "estoc.sim."):
        if room.ispkg and room.name.rpartition(".")[2] not in _ABOVE:
            for file in iter_modules(import_module(room.name).__path__, f"{room.name}."):
                module = import_module(file.name)
                yield from (kind for kind in vars(module).values() if isinstance(kind, AnswerKind))


def kind_named(name: str) -> AnswerKind | None:
    """Return the kind that has a name, as ``duel`` or ``sheet-lost``; None if there is none."""
    return next((kind for kind in kinds() if kind.name == name), None)
