"""Steps of a battle's transcript: plain data, as a file of them holds it."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple


class Step(NamedTuple):
    """One step of a battle: what it is, and its cells.

    Fighters are numbers in the order of the scenario, sides 0 (A) and 1 (B), points [x, y] in cm.
    """

    kind: str
    data: dict[str, Any]


def steps_json(steps: Iterable[Step]) -> str:
    """Return steps as the text of a JSON file, one a line."""
    lines = (json.dumps({"step": s.kind, **s.data}, ensure_ascii=False) for s in steps)
    return "[\n" + ",\n".join(lines) + "\n]\n"


def steps_by_turn(steps: Iterable[Step]) -> Iterator[tuple[int, Step]]:
    """Yield each step with its turn, 0 before the first."""
    turn = 0
    for step in steps:
        if step.kind == "turn":
            turn = step.data["turn"]
        yield turn, step
