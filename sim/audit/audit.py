"""Which clauses the transcript of a battle breaks, as lines of text: apart from the kernels."""

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...profiles.edition.edition import Edition, load_edition
from ...profiles.errors import InputError, echoed
from ...profiles.files.reading import DEEPEST, is_too_deep, read_bytes
from ...profiles.message import say
from ..text.printing import Block, styled, table_of
from .book import book_of
from .cards import activation_phase, strategic_phase
from .fighters import Battle, Fighter, as_written
from .ledger import Astray, Breach, Ledger
from .maintenance import maintenance_phase, read_end, read_score
from .melees import Phase
from .shots import read_cast
from .steps import End, Turn, checked
from .steps import Step as CheckedStep

_MOST_BYTES = 32 * 2**20


class Step(NamedTuple):
    """One step of a transcript: its kind and what it says."""

    kind: str
    data: dict[str, Any]


def audit(steps: Iterable[tuple[str, Mapping[str, Any]]], edition: Edition) -> list[Breach]:
    """Return the breaches of a transcript, in the order of its steps.

    Parameters
    ----------
    steps : iterable of (str, mapping)
        Kind of each step, and what it says.
    edition : Edition
        By whose values the battle was fought.

    Raises
    ------
    InputError
        If it is no transcript: an unknown step, or a value missing or of a wrong kind.
    """
    ledger = Ledger(*_checked(steps, say("transcript")), book_of(edition))
    for fighter in ledger.fighters:
        if not ledger.book.knows(fighter.state):
            raise InputError(
                'transcript: step 0 (battle): {}: state "{}" should be one of the edition\'s: '
                "unhurt, light, stunned and so on",
                fighter,
                fighter.state,
            )
    ledger.aside = lambda: read_cast(ledger)
    with suppress(Astray):
        _battle(ledger)
    return sorted(ledger.breaches, key=lambda breach: breach.step)


def _checked(
    steps: Iterable[tuple[str, Mapping[str, Any]]], where: str
) -> tuple[list[Fighter], list[CheckedStep]]:
    return checked([{**data, "step": kind} for kind, data in steps], where)


def _battle(ledger: Ledger) -> None:
    """Check a battle from its first step to its last."""
    ledger.take(Battle, "T-1")
    for fighter in ledger.living():
        met = ledger.overlapped(fighter)
        ledger.check(not met, "M-1.2", "{} starts on {}", fighter, met)
        ledger.check(ledger.inside(fighter), "M-1.2", "{} starts beyond the table", fighter)
    while not ledger.coming(End):
        _turn(ledger)
    read_end(ledger)
    ledger.check(not ledger.waiting, "W-7", "the last test rolled again by luck is none")
    if after := ledger.next():
        ledger.breach_next("T-1", "{} comes after the end of the battle", as_written(after.step))


def _turn(ledger: Ledger) -> None:
    data = ledger.take(Turn, "T-1")
    ledger.turn += 1
    ledger.check(data.turn == ledger.turn, "T-1", "this is turn {}", ledger.turn)
    ledger.check(ledger.turn <= ledger.header.turns, "T-1", "the battle has no such turn")
    ledger.check(not ledger.over(), "T-1", "a side has nobody left: the battle is over")
    for fighter in ledger.fighters:
        fighter.new_turn()
    hands, first = strategic_phase(ledger)
    activation_phase(ledger, hands, first)
    ledger.read_falls()
    if not ledger.over():
        Phase(ledger).read()
    if not ledger.over():
        maintenance_phase(ledger)
    read_score(ledger)


def read_transcript(path: str | Path) -> list[Step]:
    """Return the steps of a transcript file: a JSON list of objects with their kind as ``step``.

    Raises
    ------
    InputError
        If it cannot be read, or is no transcript.
    """
    try:
        rows = json.loads(read_bytes(Path(path), _MOST_BYTES).decode("utf-8-sig"))
    except IsADirectoryError:
        raise InputError("{}: is a folder, not a transcript", path) from None
    except OSError as error:
        raise InputError("{}: cannot be read: {}", path, error.strerror) from None
    except UnicodeDecodeError:
        raise InputError("{}: is no text; a transcript is JSON in UTF-8", path) from None
    except InputError:
        raise
    except (ValueError, RecursionError) as error:
        raise InputError("{}: is no JSON: {}", path, error) from None
    if is_too_deep(rows):
        raise InputError("{}: has more than {} objects and lists in one another", path, DEEPEST)
    if not isinstance(rows, list) or not rows:
        raise InputError(
            '{}: should be a list of steps, each like {{"step": "turn", "turn": 1}}', path
        )
    steps = [_step(row, say("{}: step {}", path, number)) for number, row in enumerate(rows)]
    _checked(steps, str(path))
    return steps


def _step(row: Any, where: str) -> Step:
    if not isinstance(row, dict) or not isinstance(row.get("step"), str):
        raise InputError(
            '{}: should be like {{"step": "turn", "turn": 1}}, not {}', where, echoed(row)
        )
    return Step(row["step"], {key: value for key, value in row.items() if key != "step"})


def edition_of(
    steps: Sequence[tuple[str, Mapping[str, Any]]], where: str = say("transcript")
) -> Edition:
    """Return the edition that a transcript names, with the values replaced in it.

    Raises
    ------
    InputError
        If there is no such edition.
    """
    name = steps[0][1].get("edition")
    if not isinstance(name, str):
        raise InputError('{}: step 0 (battle): "edition" should be a name, like "conffede"', where)
    base, *rules = name.split("+")
    try:
        edition = load_edition(base)
        for rule in rules:
            edition = edition.with_rule(rule)
    except InputError as error:
        raise InputError("{}: step 0 (battle): edition: {}; give --edition", where, error) from None
    return edition


def breach_table(breaches: Sequence[Breach], steps: int) -> Block:
    """Return the breaches of a transcript of so many steps, or one line that there are none."""
    if not breaches:
        return styled(say("no clause is broken ({:,} steps)", steps))
    lines = [[str(breach.step), breach.clause, breach.text] for breach in breaches]
    return table_of(["step", "clause", "why"], lines, "nwt")
