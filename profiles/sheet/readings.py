"""The switches of the sheet: where it can be read two ways, and what each reading means."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Annotated

from pydantic import BeforeValidator, Field

from ...kernels.layout.sheet import Reading
from ..errors import InputError, place_of
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, validated
from ..letters import fold
from ..message import say

_FILE = shipped_file("sheet/sheet-readings.toml")


class Switch(Table):
    """A question that the sheet leaves open, and the answers that can be run."""

    code: Annotated[Reading, BeforeValidator(Reading.__getitem__)]
    key: str  # as it is named in section 5 and by the user: ``a6a``
    question: str  # its number, as ``Q14``
    text: str  # the question, in words
    # name of each reading and what it means; the first is the one that is chosen
    values: dict[str, str] = Field(min_length=2)

    def word(self, value: int) -> str:
        """Return how a user names a reading of it: ``a6a=any_stale``."""
        return f"{self.key}={list(self.values)[value]}"


class _ReadingsTable(Table):
    reading: list[Switch]


@cache
def load_switches() -> tuple[Switch, ...]:
    """Return the switches of section 5, one for each `Reading`, in the order of the questions."""
    return tuple(validated(_ReadingsTable, read_toml(_FILE), str(_FILE)).reading)


def chosen_readings() -> dict[Reading, int]:
    """Return the reading that is chosen of every question (section 5)."""
    return dict.fromkeys(Reading, 0)


def readings_of(words: Iterable[str], where: str = "reading") -> dict[Reading, int]:
    """Return the readings that words as ``a6a=any_stale`` ask for, and the usual ones."""
    found: dict[Reading, int] = {}
    for word in words:
        code, value = parse_reading(word, where)
        if found.setdefault(code, value) != value:
            raise InputError(
                '{}: "{}" contradicts "{}"', where, word, _switch(code).word(found[code])
            )
    return chosen_readings() | found


def parse_reading(word: str, where: str = "reading") -> tuple[Reading, int]:
    """Return the switch and the value that a word as ``a6a=any_stale`` names."""
    key, equals, value = (part.strip() for part in word.partition("="))
    keys = [switch.key for switch in load_switches()]
    switch = load_switches()[place_of(key, keys, say('{}: no switch "{}"', where, key))]
    values = [fold(name) for name in switch.values]
    if not equals or fold(value) not in values:
        fault = say('"{}" is no reading of it', value) if equals else say("has no value")
        raise InputError("{}: {}: {}; known: {}", where, switch.key, fault, switch.values)
    return switch.code, values.index(fold(value))


def changed(readings: Mapping[Reading, int]) -> list[str]:
    """Return in words the readings that are not the chosen ones, as a result names them."""
    return [switch.word(value) for switch in load_switches() if (value := readings[switch.code])]


def _switch(code: Reading) -> Switch:
    return next(switch for switch in load_switches() if switch.code == code)
