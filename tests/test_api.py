"""The Python API is documented: what each function answers, its parameters, what it gives."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest

from estoc.sim import api

FUNCTIONS = [name for name in api.__all__ if inspect.isfunction(getattr(api, name))]
CLASSES = [name for name in api.__all__ if inspect.isclass(getattr(api, name))]


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each part of a docstring, by its underlined heading."""
    lines = inspect.cleandoc(text).splitlines()
    found: dict[str, list[str]] = {"": []}
    name = ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after and set(after) == {"-"} and len(after) == len(line):
            name = line
            found[name] = []
        elif not (line and set(line) == {"-"}):
            found[name].append(line)
    return found


def documented(lines: list[str]) -> set[str]:
    """Return the names that a part tells of: ``a, b : str``, or ``a, b`` with a line below."""
    named = [line for line in lines if line and not line.startswith(" ")]
    names = ",".join(line.partition(" : ")[0] for line in named)
    return {name.strip().lstrip("*") for name in names.split(",") if name.strip()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_is_documented(name):
    function = getattr(api, name)
    found = sections(function.__doc__)
    assert re.fullmatch(r"[A-Z].*\.", found[""][0]), "a summary in a line"
    asked = set(inspect.signature(function).parameters)
    assert documented(found.get("Parameters", [])) == asked
    gives = inspect.signature(function).return_annotation
    told = set(found) & {"Returns", "Yields"} or found[""][0].startswith(("Return", "Yield"))
    assert told or gives in (None, "None")


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_is_documented(name):
    kind = getattr(api, name)
    found = sections(kind.__doc__)
    assert found[""][0]
    if is_dataclass(kind) and "Parameters" in found:
        asked = {field.name for field in fields(kind) if field.init and field.name[0] != "_"}
        assert documented(found["Parameters"]) <= asked
    for method, function in vars(kind).items():
        if method[0] != "_" and inspect.isfunction(function):
            assert function.__doc__, f"{name}.{method}"


def test_there_is_something_to_document():
    assert len(FUNCTIONS) > 20
    assert {"Options", "Result", "Roster"} <= set(CLASSES)
    assert {"duel", "solve", "matchup", "run", "load_run", "points_audit"} <= set(FUNCTIONS)
