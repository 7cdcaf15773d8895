"""What a task found, as text and back: for parts of a run that outlive the program.

Only data: numbers, fractions, texts, arrays, and the dataclasses and named tuples of `estoc`
itself. Reading a parcel runs no code of whoever wrote it.
"""

import json
import re
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from importlib import import_module
from string import Formatter
from typing import Any

import numpy as np

from ...profiles.message import Message, say
from ..ask.kinds import kind_named
from ..base.answer import AnswerKind
from ..base.result import Result, Row

# Answers that finished runs hold under the names of modules that have moved since.
_MOVED = {
    "estoc.profiles.tuned_policy": "estoc.profiles.armies.tuned_policy",
    "estoc.sim.contagion": "estoc.sim.contagion.contagion",
    "estoc.sim.contagion_exact": "estoc.sim.contagion.exact",
    "estoc.sim.matchup_result": "estoc.sim.matchup.result",
    "estoc.sim.result": "estoc.sim.base.result",
    "estoc.sim.tune": "estoc.sim.contest.tune",
}
_PLAIN = (str, bool, int, float, type(None))
_LONGEST = 8  # signs of how a value of a message is written, as ",.2f"


def packed(value: Any) -> str:
    """Return a value as text.

    >>> packed((1, np.array([2, 3])))
    '{"tuple": [1, {"array": "<i8", "shape": [2], "values": [2, 3]}]}'
    """
    return json.dumps(_told(value), ensure_ascii=False)


def unpacked(text: str) -> Any:
    """Return the value that `packed` made text of; equal to it, down to the types.

    >>> unpacked(packed((1, [0.1, None])))
    (1, [0.1, None])
    """
    return _restored(json.loads(text))


def _told(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        flat = value.ravel().tolist()
        return {"array": value.dtype.str, "shape": list(value.shape), "values": flat}
    if isinstance(value, np.generic):
        return {"scalar": value.dtype.str, "value": value.item()}
    if isinstance(value, Message):
        return told_message(value)
    if isinstance(value, Result):
        value = replace(value, rows=[_as_data(row) for row in value.rows])
    if isinstance(value, _PLAIN):
        return value
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, list):
        return [_told(item) for item in value]
    if isinstance(value, dict):
        return {"dict": [[_told(key), _told(item)] for key, item in value.items()]}
    if type(value) is tuple:
        return {"tuple": [_told(item) for item in value]}
    if isinstance(value, AnswerKind):
        return {"kind": value.name}
    kind = type(value)
    if not kind.__module__.startswith("estoc."):
        raise TypeError(say("{}.{} is not data of estoc", kind.__module__, kind.__qualname__))
    name = f"{kind.__module__}:{kind.__qualname__}"
    return {"class": name, **{key: _told(getattr(value, key)) for key in _keys(kind)}}


def _restored(told: Any) -> Any:
    if isinstance(told, list):
        return [_restored(item) for item in told]
    if not isinstance(told, dict):
        return told
    if "message" in told:
        return restored_message(told)
    if "array" in told:
        return np.array(told["values"], told["array"]).reshape(told["shape"])
    if "scalar" in told:
        return np.dtype(told["scalar"]).type(told["value"])
    if "fraction" in told:
        return Fraction(told["fraction"])
    if "dict" in told:
        return {_restored(key): _restored(item) for key, item in told["dict"]}
    if "tuple" in told:
        return tuple(map(_restored, told["tuple"]))
    if "kind" in told and "class" not in told:
        return kind_named(told["kind"]) or AnswerKind(told["kind"])
    kind = _class(told["class"])
    if issubclass(kind, Result) and "question" in told:  # answers named their kind alone
        told["kind"] = {"kind": told["question"]}
    return kind(**{key: _restored(told[key]) for key in _keys(kind)})


def _as_data(row: Row) -> Row:
    """Return a row as files hold it: its words are plain English."""
    return {k: str.__str__(v) if isinstance(v, Message) else v for k, v in row.items()}


def kept_text(text: str) -> Any:
    """Return a text as a file in JSON keeps it: of a message, what it is made of."""
    return told_message(text) if isinstance(text, Message) else text


def read_text(told: Any) -> str:
    """Return the text that `kept_text` was given; also one that is kept in English alone."""
    try:
        found = restored_message(told) if isinstance(told, dict) else told
    except (LookupError, TypeError, AttributeError):
        found = None
    if not isinstance(found, str):
        raise ValueError(say("be a text of estoc"))
    return found


def told_message(message: Message) -> dict[str, Any]:
    """Return what a message is made of, so that it can be told in any language once it is read."""
    values = [[key, _told(value)] for key, value in message.values.items()]
    return {"message": message.pattern, "plural": message.plural, "values": values}


def restored_message(told: dict[str, Any]) -> Message:
    """Return the message that `told_message` took apart."""
    pattern, plural = str(told["message"]), str(told["plural"])
    values = {key: _restored(value) for key, value in told["values"]}
    for each in (pattern, plural):
        for _, name, form, _ in Formatter().parse(each):
            if name is None:
                continue
            if not re.fullmatch(r"\w*", name) or len(form or "") > _LONGEST or "{" in (form or ""):
                raise ValueError(say('"{}" is no pattern of estoc', each))
    return Message(pattern, values, plural)


def _class(name: str) -> type:
    module, _, within = name.partition(":")
    if not module.startswith("estoc."):
        raise ValueError(say('"{}" is not of estoc', name))
    found = getattr(import_module(_MOVED.get(module, module)), within)
    _keys(found)
    return found  # type: ignore[no-any-return]  # a class: it has keys


def _keys(kind: type) -> list[str]:
    """Return the fields of a dataclass or a named tuple."""
    if is_dataclass(kind):
        return [field.name for field in fields(kind) if field.init]
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return list(kind._fields)
    raise TypeError(say("{}.{} is not data of estoc", kind.__module__, kind.__qualname__))
