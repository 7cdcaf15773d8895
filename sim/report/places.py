"""What a page calls the files of a run: it is sent to others, and tells none of our folders."""

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from pathlib import PurePath
from typing import Any

from ...profiles.message import Message
from ..base.result import Result
from ..batch.folder import Run
from ..batch.results import Answered


class Places:
    """The files that a run has read, where they were, and what a page calls them.

    Below the folder of the batch, ``base``, that is the way from there; else the bare name.

    >>> places = Places("/games/game", ["/games/game/b.toml", "/games/lists/mine.csv"])
    >>> places.told("/games/game/b.toml: as in /games/lists/mine.csv")
    'b.toml: as in mine.csv'
    """

    def __init__(self, base: str, paths: Iterable[str]) -> None:
        self._base, self._paths = base, tuple(paths)

    @cached_property
    def _known(self) -> "re.Pattern[str]":
        base = re.escape(self._base.rstrip("/\\"))
        others = sorted(map(re.escape, self._paths), key=len, reverse=True)
        return re.compile("|".join([rf"{base}[/\\]", *others, rf"{base}(?![\w.-])"]))

    def told(self, text: str) -> str:
        """Return a text without the folders of whoever ran it."""
        if self._base.strip("/\\") == "":  # at the root nothing is told by a folder
            return text
        if isinstance(text, Message) and text.values:
            values = {name: self.value(value) for name, value in text.values.items()}
            return Message(text.pattern, values, text.plural)
        return self._known.sub(self._name, text)

    def _name(self, found: "re.Match[str]") -> str:
        if found[0][-1] in "/\\":
            return ""
        return "." if found[0] == self._base else PurePath(found[0]).name

    def value(self, value: Any) -> Any:
        """Return a value with all texts in it so."""
        if isinstance(value, str):
            return self.told(value)
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {key: self.value(item) for key, item in value.items()}
        return value


def without_places(run: Run, places: Places) -> Run:
    """Return a run with its files called as a page does, in all that is said of it."""
    return replace(
        run,
        batch=places.told(run.batch),
        warnings=tuple(map(places.told, run.warnings)),
        errors=tuple(map(places.told, run.errors)),
        answered=tuple(_answered(one, places) for one in run.answered),
    )


def _answered(one: Answered, places: Places) -> Answered:
    told: dict[str, str] = {}  # columns of text have few texts, many times

    def cell(value: Any) -> Any:
        if not isinstance(value, str):
            return value
        if value not in told:
            told[value] = places.told(value)
        return told[value]

    result: Result = one.result
    return replace(
        one,
        point=places.value(one.point),
        failure=places.told(one.failure),
        result=replace(
            result,
            rows=[{key: cell(value) for key, value in row.items()} for row in result.rows],
            title=places.told(result.title),
            notes=tuple(map(places.told, result.notes)),
            command=places.told(result.command),
        ),
    )
