"""Files of policies for battles whose parameters were tuned, and how they were found."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import Field

from ..files.toml import Table, load


@dataclass(frozen=True)
class TunedPolicy:
    """A policy for battles with tuned parameters."""

    name: str
    policy: str  # of which it has the parameters
    parameters: tuple[tuple[str, float], ...]
    # how they were found: command, seeds, generations, trials, gain
    found: tuple[tuple[str, Any], ...] = ()

    @property
    def text(self) -> str:
        """How it is named elsewhere, as ``by-odds:caution=0.31,wound=0.2``.

        >>> TunedPolicy("tuned", "by-odds", (("caution", 0.31), ("looks", 3.0))).text
        'by-odds:caution=0.31,looks=3'
        """
        values = ",".join(f"{name}={value:.10g}" for name, value in self.parameters)
        return f"{self.policy}:{values}" if values else self.policy

    def toml(self) -> str:
        """Return the file that holds it."""
        head = {"name": self.name, "policy": self.policy}
        tables = {"parameters": dict(self.parameters), "found": dict(self.found)}
        lines = [*_lines(head)]
        for table, cells in tables.items():
            lines += ["", f"[{table}]", *_lines(cells)]
        return "\n".join(lines) + "\n"


class _FoundTable(Table):
    command: str = ""
    version: str = ""
    seed: int = Field(ge=0)
    generations: int = Field(ge=0)
    candidates: int = Field(ge=1)
    trials: int = Field(ge=1)
    spread: float | None = Field(default=None, gt=0)
    against: list[str] = Field(min_length=1)
    battles: list[str] = Field(min_length=1)
    fresh_seed: int | None = Field(default=None, ge=0)
    fresh_trials: int | None = Field(default=None, ge=1)
    gain: float | None = None
    gain_low: float | None = None
    gain_high: float | None = None


class _TunedTable(Table):
    name: str = Field(min_length=1)
    policy: str = Field(min_length=1)
    parameters: dict[str, float] = {}
    found: _FoundTable


def load_tuned_policy(name: str | Path) -> TunedPolicy:
    """Return a tuned policy; whether its policy and parameters are known, its user says."""
    read, _ = load("policy", name, _TunedTable)
    found = {key: value for key, value in read.found.model_dump().items() if value is not None}
    parameters = {key: float(value) for key, value in read.parameters.items()}
    return TunedPolicy(read.name, read.policy, tuple(parameters.items()), tuple(found.items()))


def _lines(cells: dict[str, Any]) -> list[str]:
    # what JSON writes of a text, a number or a list of texts, TOML reads
    return [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in cells.items()]
