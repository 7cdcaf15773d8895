"""A maintenance phase: exact chances, every way its dice can fall, and counts of trials (T-5)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from estoc.kernels._jit import kernel
from estoc.kernels.layout.combat import Moment, Outcome, RerollOne, Rule
from estoc.kernels.layout.maintenance import FIRST_STEP, LAST_STEP, Caster, Custom, Kind
from estoc.kernels.layout.maintenance import Effect as Column
from estoc.kernels.layout.maintenance import Person as Row
from estoc.kernels.phases.maintenance import maintain
from estoc.kernels.phases.maintenance_trials import begin
from estoc.profiles.compile.combat import state_names
from estoc.profiles.errors import InputError
from estoc.sim.base.options import Options
from estoc.sim.phases import maintenance
from estoc.sim.phases.effects import Effect, Fighter
from estoc.sim.phases.maintenance_phase import Phase, phase_of

MOST_WORLDS = 20_000
_SURE = Fraction(1)


@dataclass(frozen=True)
class Chances:
    """Exact chances of how a phase ends.

    Parameters
    ----------
    states : dict
        By name of the fighter, then of the final state: its chance.
    routed : dict
        By name: the chance that he lives and is in rout.
    mana, faith : dict
        By name, then by what he holds at the end: its chance.
    goes_on : tuple of Fraction
        For each effect: the chance that it does not end.
    assumed : tuple of str
        Keys of the edition that it depends on and that nobody found.
    """

    states: dict[str, dict[str, Fraction]]
    routed: dict[str, Fraction]
    mana: dict[str, dict[int, Fraction]]
    faith: dict[str, dict[int, Fraction]]
    goes_on: tuple[Fraction, ...]
    assumed: tuple[str, ...]


class _Person(NamedTuple):
    """What of a fighter may change."""

    state: int
    routed: int
    mana: int
    faith: int
    markers: int
    returned: int = 0


class _World(NamedTuple):
    """One way in which the phase may stand."""

    people: tuple[_Person, ...]
    goes_on: tuple[bool, ...]

    def put(self, i: int, **changes: int) -> "_World":
        """Return the world with a fighter changed."""
        people = list(self.people)
        people[i] = people[i]._replace(**changes)
        return self._replace(people=tuple(people))

    def ended(self, *effects: int) -> "_World":
        """Return the world with effects ended."""
        goes_on = (on and e not in effects for e, on in enumerate(self.goes_on))
        return self._replace(goes_on=tuple(goes_on))


_Law = dict[_World, Fraction]
_Branches = Iterable[tuple[_World, Fraction]]


def chances(
    fighters: Sequence[Fighter],
    effects: Sequence[Effect] = (),
    options: Options | None = None,
) -> Chances:
    """Return the exact chances of how a maintenance phase ends (T-5).

    Parameters
    ----------
    fighters, effects, options
        As in `estoc.sim.phases.maintenance.maintain`.

    Raises
    ------
    InputError
        If a fighter or an effect cannot be, or too many dice are rolled: count trials then.

    Examples
    --------
    >>> troll = Fighter("Troll", "serious")
    >>> heals = Effect("roll_to_heal", "Troll", needs=5)
    >>> {state: str(p) for state, p in chances([troll], [heals]).states["Troll"].items()}
    {'unhurt': '1/9', 'light': '2/9', 'serious': '2/3'}
    """
    return chances_of(phase_of(fighters, effects, options))


def chances_of(phase: Phase) -> Chances:
    """Return the exact chances of how a phase ends; as `chances`, once the phase is made."""
    law = _Exact(phase).law()
    names = [fighter.name for fighter in phase.fighters]
    words = state_names(phase.edition)

    def held(word: str) -> dict[str, dict[int, Fraction]]:
        return {
            name: _shares((getattr(world.people[i], word), p) for world, p in law.items())
            for i, name in enumerate(names)
        }

    def chance(holds: Callable[[_World], bool]) -> Fraction:
        return sum((p for world, p in law.items() if holds(world)), Fraction(0))

    def in_rout(world: _World, i: int) -> bool:
        return bool(world.people[i].routed) and world.people[i].state != phase.dead

    def goes_on(world: _World, e: int) -> bool:
        return world.goes_on[e]

    return Chances(
        {n: {words[code]: p for code, p in law.items()} for n, law in held("state").items()},
        {name: chance(partial(in_rout, i=i)) for i, name in enumerate(names)},
        held("mana"),
        held("faith"),
        tuple(chance(partial(goes_on, e=e)) for e in range(len(phase.effects))),
        phase.assumed,
    )


def _shares(values: Iterable[tuple[int, Fraction]]) -> dict[int, Fraction]:
    found: dict[int, Fraction] = {}
    for value, p in values:
        found[value] = found.get(value, Fraction(0)) + p
    return dict(sorted(found.items()))


class _Exact:
    """A phase with the rules that its worlds go by."""

    def __init__(self, phase: Phase):
        self.phase = phase
        self.people, self.rows = phase.people.tolist(), phase.rows.tolist()
        self.customs = phase.maintenance.customs.tolist()
        self.scalars = phase.rules.scalars.tolist()
        self.after, self.healed = phase.rules.after.tolist(), phase.maintenance.healed.tolist()

    def law(self) -> _Law:
        """Return every world that the phase may end in, with its chance."""
        words = (Row.STATE, Row.ROUTED, Row.MANA, Row.FAITH, Row.MARKERS)
        start = _World(
            tuple(_Person(*(row[word] for word in words)) for row in self.people),
            (True,) * len(self.rows),
        )
        law: _Law = {start: _SURE}
        for step in self._steps():
            following: _Law = {}
            for world, p in law.items():
                for after, q in filter(itemgetter(1), step(world)):
                    following[after] = following.get(after, Fraction(0)) + p * q
            if len(following) > MOST_WORLDS:
                raise InputError(
                    f"more than {MOST_WORLDS} ways for the dice of this phase to fall: count "
                    "trials instead"
                )
            law = following
        return law

    def _steps(self) -> Iterator[Callable[[_World], _Branches]]:
        """Yield what is done, in the order of T-5."""
        everyone = range(len(self.people))
        for one in (self._rally, self._faith, self._mana):
            yield from (partial(one, i=i) for i in everyone)
        for stage in range(FIRST_STEP, LAST_STEP + 1):
            for e, row in enumerate(self.rows):
                if row[Column.STAGE] == stage:
                    yield partial(self._effect, e=e)
        yield from (partial(self._markers, i=i) for i in everyone)

    def _lives(self, world: _World, i: int) -> bool:
        return world.people[i].state != self.phase.dead

    def _takes_part(self, world: _World, i: int) -> bool:
        return self._lives(world, i) and not world.people[i].returned

    # --- T-5.1, T-5.2 ---

    def _rally(self, world: _World, i: int) -> _Branches:
        if not world.people[i].routed or not self._lives(world, i):
            return [(world, _SURE)]
        touched = (j for j in range(len(self.people)) if self.phase.touches[i, j])
        if self.customs[Custom.NO_RALLY_IN_CONTACT] and any(self._lives(world, j) for j in touched):
            return [(world, _SURE)]
        least = max(self.customs[Custom.RALLY_DIFFICULTY], self.scalars[Rule.AUTOMATIC_FAILURE] + 1)
        passes = self._passes(least - self.people[i][Row.NERVE], 0)
        return _split(world.put(i, routed=0), world, passes)

    def _passes(self, goal: int, shown: int) -> Fraction:
        """Chance of a natural result of ``goal``, 6s re-rolled while below it (W-1.2)."""
        good = Fraction(0)
        for die in range(1, 7):
            if die == 6 and shown + 6 < goal:
                good += self._passes(goal, shown + 6)
            else:
                natural = self._natural(shown, die)
                good += natural is not None and natural >= goal
        return good / 6

    def _natural(self, shown: int, die: int) -> int | None:
        """Natural result of a last die after some 6s; None: a rule fails it (W-1.2, W-1.3)."""
        if die > 1 or (not shown and not self.scalars[Rule.NATURAL_ONE_FAILS]):
            return shown + die
        mode = self.scalars[Rule.REROLL_ONE] if shown else RerollOne.FAIL
        return {RerollOne.RESET: 1, RerollOne.ADD: shown + 1}.get(mode)

    def _faith(self, world: _World, i: int) -> _Branches:
        person = self.people[i]
        if person[Row.CASTER] != Caster.FAITHFUL or not self._lives(world, i):
            return [(world, _SURE)]
        believers = (j for j in range(len(self.people)) if self.phase.aura[i, j])
        faith = (
            self.customs[Custom.FAITH_BASE]
            + self.customs[Custom.FAITH_PER_RANK] * person[Row.RANK]
            + self.customs[Custom.FAITH_PER_BELIEVER]
            * sum(self._lives(world, j) for j in believers)
        )
        return [(world.put(i, faith=faith), _SURE)]

    def _mana(self, world: _World, i: int) -> _Branches:
        person = self.people[i]
        if person[Row.CASTER] != Caster.MAGICIAN or not self._lives(world, i):
            return [(world, _SURE)]
        before = world.people[i].mana
        sums = {before + self.customs[Custom.MANA_BASE]: _SURE}
        for _ in range(self.customs[Custom.MANA_DICE]):
            sums = _shares((s + die, p / 6) for s, p in sums.items() for die in range(1, 7))
        more = self.customs[Custom.MANA_PER_RANK] * person[Row.RANK]
        most = self.customs[Custom.MANA_MOST_PER_RANK] * person[Row.RANK]
        return [(world.put(i, mana=max(before, min(s + more, most))), p) for s, p in sums.items()]

    # --- T-5.3 ---

    def _effect(self, world: _World, e: int) -> _Branches:
        row = self.rows[e]
        target, source = row[Column.TARGET], row[Column.SOURCE]
        causes = source < 0 or self._takes_part(world, source)
        if not world.goes_on[e]:
            return [(world, _SURE)]
        if row[Column.KIND] == Kind.UPKEEP:
            held = target < 0 or self._takes_part(world, target)
            return [(self._upkeep(world, e, causes and held), _SURE)]
        if row[Column.KIND] == Kind.RETURN:
            if self._lives(world, target) or not (causes or source == target):
                return [(world, _SURE)]
            return self._return(world, e)
        if not (causes and self._takes_part(world, target)):
            return [(world, _SURE)]
        state = world.people[target].state
        works = _chance(row[Column.NEEDS])
        if row[Column.KIND] == Kind.ROLL_TO_HEAL:
            once, twice = (
                world.put(target, state=self._lighter(state, levels)) for levels in (1, 2)
            )
            return [(twice, works**2), (once, works * (1 - works)), (world, 1 - works)]
        if row[Column.KIND] == Kind.HEAL:
            state = self._lighter(state, row[Column.LEVELS])
            return _split(world.put(target, state=state), world, works)
        state = self.after[state][row[Column.OUTCOME]]
        for _ in range(row[Column.LEVELS]):
            state = self.after[state][Outcome.LIGHT]
        return _split(world.put(target, state=state), world, works)

    def _lighter(self, state: int, levels: int) -> int:
        for _ in range(levels):
            state = self.healed[state]
        return state

    def _upkeep(self, world: _World, e: int, able: bool) -> _World:
        row = self.rows[e]
        purse = "faith" if row[Column.IN_FAITH] else "mana"
        left = getattr(world.people[row[Column.SOURCE]], purse) - row[Column.COST]
        if able and row[Column.KEEP] and left >= 0:
            return world.put(row[Column.SOURCE], **{purse: left})
        return world.ended(e, row[Column.SUSTAINS])

    def _return(self, world: _World, e: int) -> _Branches:
        row = self.rows[e]
        back = world.put(
            row[Column.TARGET],
            state=row[Column.STATE],
            routed=0,
            mana=row[Column.MANA],
            faith=row[Column.FAITH],
            markers=0,
            returned=1,
        )
        works, lost = _chance(row[Column.NEEDS]), Fraction(row[Column.LOST], 6)
        return [(back, works), (world.ended(e), lost), (world, 1 - works - lost)]

    def _markers(self, world: _World, i: int) -> _Branches:
        person = world.people[i]
        if self._takes_part(world, i):
            state = person.state
            if self.customs[Custom.REMOVES_STUNNED]:
                state = int(self.phase.rules.recover[state])
            kept = person.markers & ~self.customs[Custom.REMOVED_MARKERS]
            world = world.put(i, state=state, markers=kept)
        return [(world, _SURE)]


def _chance(needs: int) -> Fraction:
    """Chance of a die that is enough; sure where none is rolled."""
    return Fraction(7 - needs, 6) if needs else _SURE


def _split(good: _World, bad: _World, p: Fraction) -> _Branches:
    return [(good, p), (bad, 1 - p)]


@dataclass(frozen=True)
class Counts:
    """How many trials of a phase ended.

    Parameters
    ----------
    states : dict
        By name of the fighter, then of the final state: trials.
    routed : dict
        By name: trials in which he lives and is in rout.
    mana, faith : dict
        By name: what he holds at the end, on average.
    goes_on : tuple of int
        For each effect: trials in which it did not end.
    trials, seed : int
    assumed : tuple of str
        As in `Maintained`.
    """

    states: dict[str, dict[str, int]]
    routed: dict[str, int]
    mana: dict[str, float]
    faith: dict[str, float]
    goes_on: tuple[int, ...]
    trials: int
    seed: int
    assumed: tuple[str, ...]


def count(
    fighters: Sequence[Fighter],
    effects: Sequence[Effect] = (),
    options: Options | None = None,
    *,
    trials: int = 100_000,
    seed: int,
    turn: int = 0,
) -> Counts:
    """Return how many trials of a maintenance phase end in which way (T-5).

    Parameters
    ----------
    fighters, effects, options, turn
        As in `maintain`.
    """
    phase = phase_of(fighters, effects, options)
    n, m = len(phase.fighters), len(phase.effects)
    law = np.zeros((n, phase.dead + 1, 2), np.int64)
    goes_on, held = np.zeros(m, np.int64), np.zeros((n, 2), np.int64)
    record = maintenance._record(phase, seed)
    count_maintenance(record, 0, trials, turn, law, goes_on, held)
    names = [fighter.name for fighter in phase.fighters]
    states = state_names(phase.edition)
    by_state = law.sum(axis=2).tolist()
    return Counts(
        {
            name: {state: k for state, k in zip(states, row, strict=True) if k}
            for name, row in zip(names, by_state, strict=True)
        },
        dict(zip(names, law[:, :-1, 1].sum(axis=1).tolist(), strict=True)),
        dict(zip(names, (held[:, 0] / trials).tolist(), strict=True)),
        dict(zip(names, (held[:, 1] / trials).tolist(), strict=True)),
        tuple(goes_on.tolist()),
        trials,
        seed,
        phase.assumed,
    )


@kernel
def count_maintenance(phases, first, trials, turn, law, goes_on, held):
    """Add how trials ``first`` to ``first + trials - 1`` ended to counts.

    Parameters
    ----------
    phases, turn
        As in `maintain_trial`.
    first, trials : int
    law : ndarray of int64, shape (n, s, 2)
        By fighter, final state, and whether in rout.
    goes_on : ndarray of int64, shape (m,)
        Trials in which each effect did not end.
    held : ndarray of int64, shape (n, 2)
        Mana and temporary faith at the end, all trials together.
    """
    phase = phases[0]
    for trial in range(first, first + trials):
        begin(phase, trial)
        maintain(phase, Moment(0, turn, None))
        for i in range(phase.n):
            law[i, phase.people[i, Row.STATE], phase.people[i, Row.ROUTED]] += 1
            held[i, 0] += phase.people[i, Row.MANA]
            held[i, 1] += phase.people[i, Row.FAITH]
        for e in range(phase.listed):
            goes_on[e] += phase.effects[e, Column.GOES_ON]
