"""Tasks on their way to other processes: what many of them share travels once."""

from collections.abc import Callable
from functools import partial
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from ...profiles.files.reading import Inputs
from .crew import Done

HEAVY = 1 << 16  # bytes from which an array travels by itself


class Heavy(NamedTuple):
    """Stands in a task for what travels by itself."""

    digest: str


Light = tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]


def lightened(do: Callable[[], Any], heavy: dict[str, Any]) -> Light:
    """Return a task as function, arguments, named arguments, without what is heavy."""
    if not isinstance(do, partial):
        return do, (), {}
    args = tuple(_light(value, heavy) for value in do.args)
    return do.func, args, {key: _light(value, heavy) for key, value in do.keywords.items()}


def _light(value: Any, heavy: dict[str, Any]) -> Any:
    if isinstance(value, list):
        return [_light(item, heavy) for item in value]
    if isinstance(value, Inputs):
        digest = sha256(repr(value.digests).encode()).hexdigest()
    elif isinstance(value, np.ndarray) and value.nbytes >= HEAVY:
        digest = sha256(value.tobytes()).hexdigest()
    else:
        return value
    heavy[digest] = value
    return Heavy(digest)


def do_sent(light: list[Light], heavy: dict[str, Any]) -> Done:
    """Do the tasks of a chunk where they have come to."""
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
