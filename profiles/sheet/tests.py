"""The tests that the sheet names and does not define: dice and targets, all assumed (6)."""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import product
from math import lcm
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from ...kernels.layout.sheet import MAX_PIECES, Morale, Trial
from ..errors import InputError, suggestion
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, validated
from ..letters import fold
from ..message import say

TOTALS = 32  # of modifiers that an array of ways holds
MOST_WAYS = 100_000  # of dice to fall: chances are rolled from 32 bits

_FILE = shipped_file("sheet/sheet-tests.toml")
_OF_WINGS = (Trial.RETREAT, Trial.DEMORALISATION)

Value: TypeAlias = int | bool | str | list[str]

_Total = Annotated[int, Field(ge=-999, le=999)]  # what dice are compared with, or shifted by


class _DiceTable(Table):
    count: int = Field(ge=1, le=4)
    sides: int = Field(ge=2, le=100)
    natural_min_fails: bool
    natural_max_passes: bool


class _EveryProfile(Table):
    ORDINARY: _Total
    ELITE: _Total
    MAGICAL: _Total
    UNSHAKEABLE: _Total
    DEMONIC: _Total


class _SomeProfiles(Table):
    ORDINARY: _Total
    ELITE: _Total


class _TargetTable(Table):
    rout: _EveryProfile
    morale: _SomeProfiles
    engagement: _EveryProfile
    discipline: _EveryProfile
    rally: _EveryProfile


class _WingTable(Table):
    retreat_target: _Total
    demoralisation_base: _Total
    demoralisation_slope: _Total
    on_retreat_fail: list[Literal["order=RETREAT"]] = Field(min_length=1, max_length=1)
    on_demoralisation_fail: list[Literal["order=RETREAT", "demoralised"]] = Field(
        min_length=2, max_length=2
    )


class _ModifierTable(Table):
    applies_to: list[Literal["rout", "engagement", "discipline", "rally"]] = []
    shaken: _Total = 0
    exhausted: _Total = 0
    leader_stacked_or_adjacent: _Total = 0
    engaged_not_facing: _Total = 0

    @property
    def shifts(self) -> tuple[int, ...]:
        """What each `Modifier` shifts a total by."""
        return (
            self.shaken,
            self.exhausted,
            self.leader_stacked_or_adjacent,
            self.engaged_not_facing,
        )


class _EffectTable(Table):
    rally: Literal["ROUTED->SHAKEN"]
    regroup: Literal["SHAKEN->GOOD"]
    rest: int = Field(ge=-2, le=0)
    flee_hexes: int = Field(ge=0, le=50)


class _ReachTable(Table):
    turns: int = Field(ge=1, le=10)


class _TestsTable(Table):
    basis: Literal["assumption"]
    dice: _DiceTable
    target: _TargetTable
    wing: _WingTable
    modifier: _ModifierTable
    effect: _EffectTable
    reach: _ReachTable


@dataclass(frozen=True)
class SheetTests:
    """Dice, targets and effects of the tests; every one is an assumption."""

    read: _TestsTable  # the file
    # the same by key, as users name them: ``rout.ELITE``, ``dice.sides``, ``modifier.shaken``
    values: Mapping[str, Value]
    rout: Fraction | None = None  # chance that every Rout test fails; None: by dice (8.1)

    @property
    def flee_hexes(self) -> int:
        """How far a flight goes."""
        return self.read.effect.flee_hexes

    @property
    def rest(self) -> int:
        """What a Repos changes the level of breath by."""
        return self.read.effect.rest

    @property
    def reach_turns(self) -> int:
        """In how many turns an enemy that can come is a threat (Far, E1)."""
        return self.read.reach.turns

    @property
    def wing_line(self) -> tuple[int, int]:
        """Base and slope of the target of Demoralisation."""
        return self.read.wing.demoralisation_base, self.read.wing.demoralisation_slope

    @property
    def digest(self) -> str:
        """Hash of all that the tests depend on, to print beside results."""
        return sha256(f"{sorted(self.values.items())} {self.rout}".encode()).hexdigest()[:12]

    @property
    def ways(self) -> int:
        """Ways in which the dice of any test can fall, all as likely."""
        of_dice: int = self.read.dice.sides**self.read.dice.count
        return of_dice if self.rout is None else lcm(of_dice, self.rout.denominator)

    @property
    def modifiers(self) -> NDArray[np.int64]:
        """What each `Modifier` shifts a total by."""
        return np.array(self.read.modifier.shifts, np.int64)

    @property
    def least(self) -> int:
        """Least total of modifiers."""
        return sum(shift for shift in self.read.modifier.shifts if shift < 0)

    def is_modified(self, trial: Trial) -> bool:
        """Whether modifiers apply to a test; never to Morale (S1c)."""
        if trial == Trial.ROUT and self.rout is not None:
            return False
        return trial.name.lower() in self.read.modifier.applies_to

    def fail_ways(self, trial: Trial, morale: Morale) -> NDArray[np.int64]:
        """Return in how many of `ways` a piece fails a test, by total of modifiers.

        The first is for the `least` total; a test to which none apply fails alike for all.
        """
        if trial == Trial.ROUT and self.rout is not None:
            return np.full(TOTALS, self.rout * self.ways, np.int64)
        totals = [self.least + k if self.is_modified(trial) else 0 for k in range(TOTALS)]
        target = self._target(trial, morale)
        fails = [0 if target is None else self._fails(target, total) for total in totals]
        return np.array(fails, np.int64)

    def retreat_fails(self) -> int:
        """Return in how many of `ways` a wing fails a Retreat test."""
        return self._fails(self.read.wing.retreat_target, 0)

    def demoralised_fails(self) -> NDArray[np.int64]:
        """Return in how many of `ways` a wing fails a Demoralisation test, by troops lost."""
        base, slope = self.wing_line
        each = [self._fails(base + slope * lost, 0) for lost in range(MAX_PIECES + 1)]
        return np.array(each, np.int64)

    def pure(self, q: Fraction) -> "SheetTests":
        """Return the tests with every Rout test failing with chance q, whatever else (8.1)."""
        if not 0 <= q <= 1:
            raise InputError("fail {} should be from 0 to 1, as 1/2", q)
        return _countable(replace(self, rout=q), say("fail {}", q))

    def _target(self, trial: Trial, morale: Morale) -> int | None:
        if trial in _OF_WINGS:
            return None
        target: int | None = getattr(
            getattr(self.read.target, trial.name.lower()), morale.name, None
        )
        return target

    def _fails(self, target: int, total: int) -> int:
        """Return in how many of `ways` dice and modifiers miss a target."""
        dice = self.read.dice
        low, high = dice.count, dice.count * dice.sides
        missed = 0
        for roll, times in _rolls(dice.count, dice.sides).items():
            fails = target > low and roll + total < target
            fails = fails or (roll == low and dice.natural_min_fails)
            missed += times * (fails and not (roll == high and dice.natural_max_passes))
        share: int = self.ways // dice.sides**dice.count
        return missed * share


def _rolls(count: int, sides: int) -> Counter[int]:
    """Return in how many ways dice show each sum."""
    found = Counter({0: 1})
    for _ in range(count):
        more: Counter[int] = Counter()
        for (total, times), face in product(found.items(), range(1, sides + 1)):
            more[total + face] += times
        found = more
    return found


def load_tests(path: str | Path | None = None, settings: Iterable[str] = ()) -> SheetTests:
    """Return the tests of a file, or the shipped ones, with some values set."""
    where = str(path or _FILE)
    raw = read_toml(Path(where))
    validated(_TestsTable, raw, where)
    for word in settings:
        where = say("{}, set {}", where, word)
        _set(raw, word)
    read = validated(_TestsTable, raw, where)
    tests = SheetTests(read, {key: _at(raw, place) for key, place in _keys(raw).items()})
    spread = sum(abs(shift) for shift in read.modifier.shifts)
    if spread >= TOTALS:
        raise InputError("{}: modifier: all together should shift less than {}", where, TOTALS)
    return _countable(tests, where)


def _countable(tests: SheetTests, where: str) -> SheetTests:
    if tests.ways > MOST_WAYS:
        raise InputError(
            "{}: the dice fall in {} ways; at most {} can be told apart",
            where,
            tests.ways,
            MOST_WAYS,
        )
    return tests


def _set(raw: dict[str, Any], word: str) -> None:
    """Change a value of a file that was read, as ``rout.ELITE=2`` says."""
    key, equals, text = (part.strip() for part in word.partition("="))
    places = {fold(known): place for known, place in _keys(raw).items()}
    if not equals:
        raise InputError('set: "{}" should be KEY=VALUE, as rout.ELITE=2', word)
    if fold(key) not in places:
        raise InputError('set: no value "{}"; {}', key, suggestion(key, _keys(raw)))
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    *path, last = places[fold(key)]
    _at(raw, path)[last] = value


def _keys(raw: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the place of each value by its key; a target's begins with its test's name."""
    found: dict[str, tuple[str, ...]] = {}
    for name, table in raw.items():
        for key, value in table.items() if isinstance(table, dict) else ():
            if isinstance(value, dict):
                found |= {f"{key}.{inner}": (name, key, inner) for inner in value}
            else:
                found[f"{name}.{key}"] = (name, key)
    return found


def _at(raw: Any, place: Iterable[str]) -> Any:
    for key in place:
        raw = raw[key]
    return raw
