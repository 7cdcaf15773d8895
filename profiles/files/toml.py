"""TOML files: editions, armies, policies."""

import re
import tomllib
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from ..errors import InputError, echoed, suggestion
from ..letters import code_point, hidden_in
from ..message import Message, joined, say, say_all, say_n, series
from .reading import DEEPEST, is_too_deep, read_bytes, shipped_files

M = TypeVar("M", bound=BaseModel)

_MOST_BYTES = 2**20  # tomllib needs some seconds for so much
# a key of more parts than any, for each of which tomllib keeps all those before
_LONG_KEY = re.compile(
    rf"""(?<![\w-])(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{DEEPEST}}}"""
)


# What a file of each kind is.
_WHAT = say_all(
    {
        "army": "an army",
        "cards": "a policy for cards",
        "edition": "an edition",
        "field": "a battlefield",
        "mystic": "a mystic action",
        "policy": "a tuned policy",
        "scenario": "a scenario",
        "situation": "a situation",
    }
)


class Table(BaseModel):
    """A table of a file: no other keys, no other kinds of values, nothing infinite."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


@cache
def shipped_names(kind: str) -> tuple[str, ...]:
    """Return the names of the files of a kind, as ``edition``, that come with the package."""
    return tuple(sorted(shipped_files(kind)))


def load(kind: str, name: str | Path, model: type[M], folder: Path | None = None) -> tuple[M, Path]:
    """Return what a file of a kind says, by its name as `toml_path`, and where it is."""
    path = toml_path(kind, str(name), folder)
    return validated(model, read_toml(path), str(path)), path


def toml_path(kind: str, name: str, folder: Path | None = None, where: str = "") -> Path:
    """Return the file of a name that comes with the package, or of a path below the folder.

    ``where`` begins a refusal.
    """
    what = _WHAT[kind]
    where = where or what.partition(" ")[2]
    if name in shipped_names(kind):
        return shipped_files(kind)[name]
    if Path(name).suffix == ".toml" and "\0" not in name:
        return (folder or Path()) / name
    raise InputError(
        '{}: "{}" is neither {} nor a .toml file; {}',
        where,
        name,
        what,
        suggestion(name, shipped_names(kind)),
    )


def read_toml(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds."""
    try:
        text = read_bytes(path, _MOST_BYTES).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("{}: is not UTF-8 text (byte {})", path, error.start + 1) from None
    except OSError as error:
        raise InputError("{}: cannot be read: {}", path, error.strerror) from None
    try:
        tables = None if _LONG_KEY.search(text) else tomllib.loads(text)
    except RecursionError:
        tables = None
    except ValueError as error:
        at = re.search(r"line (\d+)", str(error))
        line = at[1] if at else text.count("\n") + 1
        raise InputError("{}:{}: is not right TOML: {}", path, line, error) from None
    if tables is None or is_too_deep(tables):
        raise InputError("{}: has more than {} tables and lists in one another", path, DEEPEST)
    unseen = hidden_in(tables, text)
    if unseen is not None:
        key, letter, place = unseen
        raise InputError(
            "{}:{}: {} holds the invisible character {}; leave it out",
            path,
            place,
            key or say("a key"),
            code_point(letter),
        )
    return tables


def validated(model: type[M], table: dict[str, Any], where: str) -> M:
    """Return a table as a model of it."""
    try:
        return model.model_validate(table)
    except ValidationError as error:
        raise InputError("{}: {}", where, fault_of(model, error)) from None


def fault_of(model: type[BaseModel], error: ValidationError) -> str:
    """Return what is wrong first with a table, and what would be right."""
    # an unknown key says more than the key that is missing since it was mistyped
    faults = error.errors(include_url=False)
    first = next((f for f in faults if f["type"] == "extra_forbidden"), faults[0])
    return _fault(model, first, faults)


def shared(read: Table, kind: type[Any]) -> dict[str, Any]:
    """Return what a table says of the fields of a dataclass that are called the same."""
    keys = [field.name for field in fields(kind) if field.name in type(read).model_fields]
    return {key: getattr(read, key) for key in keys}


def _fault(model: type[BaseModel], error: Any, others: list[Any]) -> str:
    """Return what is wrong with a table, and what would be right."""
    where = keys_of(error)
    if not where:  # of the table as a whole
        text = _said(error)
        return text if text.startswith("should ") else say("should {}", text)
    *path, last = where
    place = joined(
        "", (say("{}: ", p) if isinstance(p, str) else say("item {}: ", p + 1) for p in path)
    )
    if error["type"] == "extra_forbidden":
        known = _fields(model, [part for part in path if isinstance(part, str)])
        return say('{}unknown key "{}"; {}', place, last, suggestion(str(last), known))
    if error["type"] == "missing":
        return say("{}has no {}, which is needed", place, last)
    if error["type"] in ("too_long", "too_short"):
        limit = say("at most" if error["type"] == "too_long" else "at least")
        number = next(iter(v for k, v in error["ctx"].items() if k in ("max_length", "min_length")))
        items = say_n("{} item", "{} items", number)
        return say(
            "{}{} should have {} {}, not {}",
            place,
            last,
            limit,
            items,
            error["ctx"]["actual_length"],
        )
    if error["type"] == "list_type" and isinstance(error["input"], dict):
        return say("{0}{1} should be a list of tables, each headed [[{1}]], not [{1}]", place, last)
    item = say("item {}", last + 1) if isinstance(last, int) else str(last)
    same = [wanted(other) for other in others if keys_of(other) == where]
    return say(
        "{}{} should {}, not {}",
        place,
        item,
        joined(say(" or "), dict.fromkeys(same)),
        echoed(error["input"]),
    )


# What pydantic calls a kind of value, and what a person calls it.
_KINDS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (say("be a text"), ("string_type", "string_sub_type", "string_unicode")),
    (say("be a whole number"), ("int_type", "int_parsing", "int_from_float", "int_parsing_size")),
    (say("be a number"), ("float_type", "float_parsing", "finite_number")),
    (say("be true or false"), ("bool_type", "bool_parsing")),
    (say("be a list"), ("list_type", "tuple_type", "set_type", "iterable_type")),
    (say("be a table"), ("dict_type", "mapping_type", "model_type", "model_attributes_type")),
    (say("not be empty"), ("string_too_short",)),
)
_WANTED = {kind: words for words, kinds in _KINDS for kind in kinds}
# Parts of a place that are no keys: which of several kinds was tried.
_TRIED = re.compile(r"(str|int|float|bool|dict|list|tuple|literal|function|constrained)\b[^ ]*")


def _whole(limit: float) -> float:
    """Return a limit without a decimal part of nothing."""
    return int(limit) if limit == int(limit) else limit


def wanted(error: Any) -> str:
    """Return what a value of a file should be, behind "should": checks of ours say just that."""
    if error["type"] in _WANTED:
        return _WANTED[error["type"]]
    if error["type"] == "greater_than_equal":
        return say("be at least {}", _whole(error["ctx"]["ge"]))
    if error["type"] == "less_than_equal":
        return say("be at most {}", _whole(error["ctx"]["le"]))
    if error["type"] == "literal_error":
        words = re.split(", | or ", error["ctx"]["expected"])
        return say("be {}", series(words, say(" or ")))
    message = _said(error)
    if isinstance(message, Message):
        return message
    return message.partition("should ")[2] or message[0].lower() + message[1:]


def _said(error: Any) -> str:
    """Return what a check of ours says, or else pydantic."""
    return str(error.get("ctx", {}).get("error", error["msg"]))


def keys_of(error: Any) -> tuple[Any, ...]:
    """Return the keys and items at which an error is."""
    parts: tuple[Any, ...] = error["loc"]
    first, others = parts[:1], parts[1:]
    return first + tuple(p for p in others if isinstance(p, int) or not _TRIED.fullmatch(p))


def _fields(model: type[BaseModel], path: list[str]) -> list[str]:
    """Return the keys of a table, or of one of the tables in it."""
    for part in (part for part in path if part in model.model_fields):  # others are keys of a dict
        found = model.model_fields[part].annotation
        model = next(t for t in (found, *getattr(found, "__args__", ())) if _is_model(t))
    return [field.alias or name for name, field in model.model_fields.items()]


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)
