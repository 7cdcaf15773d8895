"""How a battle's answer moves with each value of the edition that nobody found."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ...profiles.edition.rulebook import KEYS, alternatives
from ...profiles.fighters.roster import Roster
from ...profiles.message import say
from .setting import Setting
from .variants import Variant


def varied(setting: Setting, roster: Roster | None = None) -> list[Variant]:
    """Return the battle with each other value, one step off, of each key that it depends on."""
    question = setting.contest(roster).question
    return [variant for key in question.assumed for variant in _steps(setting, key)]


def _steps(setting: Setting, key: str) -> Iterator[Variant]:
    value = setting.options.edition[key]
    texts = alternatives(key, value) or [str(list(row)) for row in _stretched(key, value)]
    if not texts:
        yield Variant(key, None, text=_why(key))
    for text in texts:
        rule = f"{key}={text.replace(' ', '')}"
        options = replace(setting.options, rules=(*setting.options.rules, rule))
        yield Variant(rule, replace(setting, options=options))


def _stretched(key: str, value: Any) -> list[tuple[float, ...]]:
    """Return lengths that belong together, all one less and all one more."""
    parts = KEYS[key].kind.json_schema().get("prefixItems", [])
    if not parts or any(part.get("type") != "number" for part in parts):
        return []
    return [tuple(length + step for length in value) for step in (-1, 1)]


def _why(key: str) -> str:
    """Return why a key has no value that is one step off."""
    words = "enum" in KEYS[key].kind.json_schema().get("items", {})
    return say("a set of words has no next one") if words else say("a table has no next one")
