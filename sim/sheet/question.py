"""What is asked of the activation sheet: a situation, how the sheet is read, who decides how."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.sheet import Reading
from ...kernels.layout.situation import ClauseTable, HexMap
from ...profiles.errors import InputError, place_of
from ...profiles.letters import fold
from ...profiles.message import joined, say
from ...profiles.sheet.clauses import compile_clauses, load_clauses
from ...profiles.sheet.compile import check_view, compile_situation
from ...profiles.sheet.hexes import hex_map
from ...profiles.sheet.pieces import Situation
from ...profiles.sheet.players import SheetPlayer, fill_player, sheet_player
from ...profiles.sheet.readings import changed, readings_of
from ...profiles.sheet.situation import load_situation
from ...profiles.sheet.tests import SheetTests, load_tests
from ...profiles.sheet.unit import described_unit
from ...profiles.sheet.world import World, load_world
from ..base.options import quoted
from ..base.run import digest
from .assumed import tests_told, world_told

PLAYER = "bold"
MOST_TURNS = 100
BARE = ("inputs", "version", "command")  # where any answer about the sheet comes from
OF_TURNS = ("--player", "--order", "--turns")  # options that matter where turns are played


class Compiled(NamedTuple):
    """A question as arrays: the record, the map and the clause table."""

    sheets: NDArray[np.void]
    terrain: HexMap
    table: ClauseTable

    def copy(self) -> "Compiled":
        """Return the same with scratch of its own, for another thread."""
        return Compiled(self.sheets.copy(), self.terrain.copy(), self.table)


@dataclass(frozen=True)
class SheetQuestion:
    """A situation and all that its answer depends on.

    Parameters
    ----------
    situation : Situation
    tests : SheetTests
    world : World
    readings : dict of Reading to int
    players : dict of str to SheetPlayer
        By side.
    order : tuple of int
        In which pieces are activated in each turn.
    turns : int
    asked : tuple of str
        Options by which it was asked, as on the command line.
    described : tuple of str
        Options that describe its one unit, in place of a situation.
    """

    situation: Situation
    tests: SheetTests
    world: World
    readings: Mapping[Reading, int]
    players: Mapping[str, SheetPlayer]
    order: tuple[int, ...]
    turns: int = 1
    asked: tuple[str, ...] = ()
    described: tuple[str, ...] = ()

    def command(self, name: str, *more: str, played: bool = True) -> str:
        """Return the line that asks a command of the sheet about this."""
        situation = self.situation.file or self.situation.name
        pairs = zip(self.asked[::2], self.asked[1::2], strict=True)
        asked = [word for pair in pairs if played or pair[0] not in OF_TURNS for word in pair]
        subject = self.described or (situation,)
        words = ("estoc", "sheet", name, *subject, *more, *asked)
        return " ".join(quoted(word) for word in words)

    @cached_property
    def terrain(self) -> HexMap:
        """The map as arrays."""
        return hex_map(self.situation.grid, self.world)

    def compiled(self, seed: int = 0) -> Compiled:
        """Return the question as arrays."""
        sheets, _ = compile_situation(self.situation, self.tests, self.world, self.readings)
        check_view(self.situation, self.terrain)
        sheet = sheets[0]
        sheet["sequence"][: len(self.order)] = self.order
        sheet["turns"], sheet["seed"] = self.turns, seed
        for side, name in enumerate(self.situation.sides):
            fill_player(sheet, side, self.players[name])
        table = compile_clauses(load_clauses(), self.readings)
        return Compiled(sheets, self.terrain.copy(), table)

    @property
    def inputs(self) -> str:
        """What tells this question from others, a few letters."""
        compiled = self.compiled()
        arrays = (compiled.sheets, *compiled.terrain, *compiled.table)
        return digest(*(array.tobytes() for array in arrays))

    @property
    def policy(self) -> str:
        """How each side's player decides."""
        return " ".join(f"{side}={player.name}" for side, player in self.players.items())

    def of(self, situation: Situation) -> "SheetQuestion":
        """Return the question about other pieces on the same map."""
        other = replace(self, situation=situation)
        other.__dict__["terrain"] = self.terrain
        return other

    def read_as(self, reading: Reading, value: int) -> "SheetQuestion":
        """Return the question under another reading of one switch, with the same map."""
        other = replace(self, readings={**self.readings, reading: value})
        other.__dict__["terrain"] = self.terrain
        return other

    def remarks(self, tests: Iterable[str], world: Iterable[str]) -> tuple[str, ...]:
        """Return the notes on what an answer depends on: assumed values, and readings."""
        values = tests_told(self.tests, self.situation, tuple(tests))
        around = world_told(self.world, self.situation, tuple(world))
        notes = [
            say("assumed ({} {}): {}", what, digest[:8], joined("; ", told))
            for what, digest, told in (
                ("tests", self.tests.digest, values),
                ("world", self.world.digest, around),
            )
            if told
        ]
        told = changed(self.readings)
        return (*notes, *[say("read otherwise than chosen: {}", told)] * bool(told))

    def decided(self) -> str:
        """Return the note on who decides, which is assumed too."""
        found = {player.name: player for player in self.players.values()}
        who = ", ".join(f"{side} {player.name}" for side, player in self.players.items())
        names = who if len(found) > 1 else say("all {}", next(iter(found)))
        wants = dict.fromkeys(
            " ".join(deed.name.lower() for deed in player.wanted) for player in found.values()
        )
        return say("assumed players: {}, who want {}", names, joined(say(" or "), wants))


def ask_sheet(
    situation: str | Path | Situation,
    *,
    tests: str | Path | None = None,
    world: str | Path | None = None,
    settings: Iterable[str] = (),
    readings: Iterable[str] = (),
    players: Sequence[str] = (),
    order: str | None = None,
    turns: int = 1,
    fail: Fraction | None = None,
) -> SheetQuestion:
    """Return a question about a situation of the sheet.

    Parameters
    ----------
    situation : str, Path or Situation
        One that comes with the package, by name, or a file.
    tests, world : str or Path, optional
        Files of assumed values; the shipped ones if not given.
    settings : iterable of str
        Values of the tests that are replaced, as ``rout.ELITE=2``.
    readings : iterable of str
        Switches of section 5, as ``select.mode=M1``.
    players : sequence of str
        ``NAME`` for all sides, or ``SIDE=NAME``.
    order : str, optional
        Pieces by name or number, with commas, in which they are activated; those of the file.
    turns : int
    fail : Fraction, optional
        Chance with which every Rout test fails, whatever else (8.1).

    Raises
    ------
    InputError
        If a file, a name or a value cannot be used.
    """
    found = situation if isinstance(situation, Situation) else load_situation(situation)
    settings, readings, players = tuple(settings), tuple(readings), tuple(players)
    if not 1 <= turns <= MOST_TURNS:
        raise InputError("turns: {} should be from 1 to {}", turns, MOST_TURNS)
    values = load_tests(tests, settings)
    return SheetQuestion(
        found,
        values if fail is None else values.pure(fail),
        load_world(world),
        readings_of(readings),
        _players(players, found.sides),
        sequence_of(found, order),
        turns,
        _asked(tests, world, settings, readings, players, order, turns, fail),
    )


Askable: TypeAlias = SheetQuestion | Situation | str | Path  # a situation as it stands, by name


def question_of(question: Askable) -> SheetQuestion:
    """Return a question about the sheet; a situation or its name is asked about as it stands."""
    return question if isinstance(question, SheetQuestion) else ask_sheet(question)


def ask_unit(
    words: Sequence[str], engaged_by: str = "", engages: str = "", **asked: Any
) -> SheetQuestion:
    """Return a question about one unit that words describe (`described_unit`).

    ``asked`` is as of `ask_sheet`.
    """
    options = [word for text in words for word in ("--is", text)]
    options += ["--engaged-by", engaged_by] if engaged_by else []
    options += ["--engages", engages] if engages else []
    question = ask_sheet(described_unit(words, engaged_by, engages), **asked)
    return replace(question, described=tuple(options))


def _asked(
    tests: str | Path | None,
    world: str | Path | None,
    settings: Sequence[str],
    readings: Sequence[str],
    players: Sequence[str],
    order: str | None,
    turns: int,
    fail: Fraction | None,
) -> tuple[str, ...]:
    """Return what was asked as options of the command line."""
    words: list[str] = []
    for option, value in (("--tests", tests), ("--world", world), ("--order", order)):
        words += [] if value is None else [option, str(value)]
    for option, values in (("--set", settings), ("--reading", readings), ("--player", players)):
        words += [word for value in values for word in (option, value)]
    words += [] if turns == 1 else ["--turns", str(turns)]
    return (*words, *([] if fail is None else ["--fail", str(fail)]))


def sequence_of(situation: Situation, order: str | None) -> tuple[int, ...]:
    """Return the order of activation: the named pieces first, the others as in the file."""
    if order is None:
        return tuple(range(len(situation.pieces)))
    named = [piece_of(situation, word.strip(), "order") for word in order.split(",")]
    twice = next((number for number in named if named.count(number) > 1), None)
    if twice is not None:
        raise InputError("order: {} is named twice", situation.pieces[twice].name)
    rest = [number for number in range(len(situation.pieces)) if number not in named]
    return (*named, *rest)


def piece_of(situation: Situation, word: str, where: str) -> int:
    """Return a piece by its name, or by its number from 0."""
    named = fold(word) in [fold(piece.name) for piece in situation.pieces]
    if not named and word.isdecimal() and int(word) < len(situation.pieces):
        return int(word)
    return situation.index(word, where)


def unit_of(question: SheetQuestion, unit: str | None) -> int:
    """Return the piece that is asked about: the only one, or the described one, if not named."""
    pieces = question.situation.pieces
    if unit is not None:
        return piece_of(question.situation, unit, "unit")
    if len(pieces) > 1 and not question.described:
        names = ", ".join(piece.name for piece in pieces[:5])
        more = ", …" * (len(pieces) > 5)
        raise InputError("--unit: say which: {}{}", names, more)
    return 0


def wing_of(situation: Situation, word: str, where: str = "wing") -> int:
    """Return a wing's number by its name."""
    names = [wing.name for wing in situation.wings]
    return place_of(word, names, say('{}: no wing "{}"', where, word))


def side_of(situation: Situation, word: str | None) -> int:
    """Return a side's number by its name; the first if none is named."""
    if word is None:
        return 0
    return place_of(word, situation.sides, say('side: no "{}"', word))


def _players(words: Sequence[str], sides: Sequence[str]) -> dict[str, SheetPlayer]:
    found = dict.fromkeys(sides, sheet_player(PLAYER))
    for word in words:
        side, equals, name = word.rpartition("=")
        if not equals:
            found = dict.fromkeys(sides, sheet_player(name))
            continue
        place = place_of(side, sides, say('player: no side "{}"', side))
        found[sides[place]] = sheet_player(name)
    return found
