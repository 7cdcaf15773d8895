"""A table on which fighters act: who stands where, was activated, has which marker (A-5, M-1)."""

from collections.abc import Iterable, Sequence
from math import atan2, cos, degrees, hypot, inf, radians, sin
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.table import ROUTE, Base
from ...profiles.compile.room import most_in_contact
from ...profiles.errors import InputError
from ..combat.combatants import charged_by
from ..phases.actions import Activation
from .measuring import within
from .tabletop import Tabletop, sees, touched

SAME = 1e-9  # cm that are no distance

Point = tuple[float, float]
Tables = NDArray[np.void]


class Move(NamedTuple):
    """What a fighter has done: its last action, how far it went in cm, whom it touches now."""

    action: str
    length: float
    meets: tuple[str, ...]
    short: bool = False  # of its target


class Standing:
    """A table through the speaking turns of an activation phase, and what all moves share.

    Parameters
    ----------
    asked : Tabletop
        As it is at the start; it is left so.
    """

    def __init__(self, asked: Tabletop):
        self.asked, self.edition = asked, asked.options.edition
        self.tables = asked.tables.copy()
        self.activated, self.assaulted = set[int](), set[int]()
        self.charged, self.covered = set[int](), set[int]()
        self._routes, self._trial = np.zeros(1, ROUTE), np.zeros(1, ROUTE)
        self._start = self.tables.copy()
        self._speaking: tuple[int, ...] = ()
        self._activations: dict[int, Activation] = {}
        self._charges: list[tuple[int, tuple[int, ...]]] = []
        self._duty = set[int]()

    def speak(self, fighters: Iterable[str]) -> None:
        """Begin a speaking turn in which these are activated; what is seen, is seen now (A-5.2)."""
        chosen = tuple(map(self._living, fighters))
        for i in chosen:
            if i in self.activated:
                self._refuse(i, "has been activated in this phase", "A-5.1")
        self.penalties()
        self._speaking, self._activations, self._charges = chosen, {}, []
        self._start = self.tables.copy()

    def next_turn(self) -> None:
        """Begin the next turn: who was charged is so no more (M-5.1); cover stays (M-6.2)."""
        self.speak(())
        for marks in (self.activated, self.assaulted, self.charged, self._duty):
            marks.clear()

    def kill(self, fighter: str) -> None:
        """Say that a fighter is dead: its base is in nobody's way."""
        i = self._living(fighter)
        self.tables[0]["bases"][i][Base.ALIVE] = 0
        update(self.tables, i)

    def enemies(self, fighter: str) -> tuple[str, ...]:
        """Return the enemies that a fighter touches now."""
        return self._labels(self._touched(self.tables, self._find(fighter)))

    def place(self, fighter: str) -> tuple[float, float, float]:
        """Return where the aim point is, in cm, and the facing in degrees."""
        x, y, fx, fy = self.tables[0]["bases"][self._find(fighter)][:4].tolist()
        return x, y, degrees(atan2(fy, fx)) % 360 % 360  # of less than nothing, % makes 360

    def penalties(self) -> tuple[str, ...]:
        """Return who suffers the charges of this speaking turn, and mark them (M-5)."""
        placed = self.asked.scenario.fighters
        charges = np.zeros((len(placed), len(placed)), np.bool_)
        for i, goals in self._charges:
            charges[i, list(goals)] = True
        profiles = [fighter.profile for fighter in placed]
        charged = charged_by(charges, np.zeros(len(placed)), profiles, self.edition)
        hit = np.flatnonzero(charged)
        self.charged |= set(hit.tolist())
        return self._labels(hit.tolist())

    def _way(
        self, tables: Tables, i: int, action: str, to: Point, facing: float | None, limit: float
    ) -> float:
        """Move a base to a point where it touches no enemy; return how far that is."""
        from ...kernels.table import paths

        x, y, fx, fy = tables[0]["bases"][i][:4].tolist()
        if hypot(to[0] - x, to[1] - y) <= SAME:
            if facing is not None:
                self._refuse(i, "its aim point does not move: turn it on the spot", "M-1.5")
            return 0.0
        facing = degrees(atan2(fy, fx)) if facing is None else facing
        through = self._through(tables, i)
        far = float(paths.path_to_point(tables, self._routes, i, *to, through))
        if far == inf:
            self._refuse(i, "no way leads there", "M-1.2")
        if not within(far, limit):
            entry = self.edition.entry(f"actions.{action}.potential")
            why = f"{action}: the way is {far:.2f} cm long, and should be at most {limit:g}"
            self._refuse(i, why, entry.clause)
        self._stand(tables, i, to, facing, action)
        return far

    def _stand(
        self, tables: Tables, i: int, at: Point, facing: float, action: str | None = None
    ) -> None:
        """Put a base where it fits, and where an action's move may end."""
        from ...kernels.table import paths

        if not paths.fits_facing(tables, i, *at, *direction(facing)):
            self._refuse(i, "its base does not fit there", "M-1.2")
        put(tables, i, *at, *direction(facing))
        met = self._touched(tables, i)
        if action is None or not met:
            return
        entry = self.edition.entry(f"actions.{action}.contact")
        if entry.value == "forbidden":
            self._refuse(i, f"{action}: touches {self._labels(met)[0]} at the end", entry.clause)

    def _allowed(self, fighter: str, step: str) -> tuple[int, Activation]:
        """Return a fighter and its activation, if a step is allowed now."""
        i = self._living(fighter)
        activation = self._activation(i, step)
        activation.see(self._facts(i))
        activation.check(step)
        return i, activation

    def _aiming(self, i: int, action: str, goals: Sequence[int]) -> Activation:
        """Return the activation of a fighter that may assail all of these (M-4.1, M-4.2)."""
        activation = self._activation(self._living(self._labels([i])[0]), action)
        for j in goals:
            seen = self._sees(self._start, i, j)
            activation.see(self._facts(i) | {"sees_target" if seen else "target_unseen"})
            activation.check(action)
        return activation

    def _activation(self, i: int, step: str) -> Activation:
        """Return the activation of a fighter, a new one before its first step."""
        if i not in self._speaking:
            self._refuse(i, "is not activated in this speaking turn", "A-5.1")
        if i in self._activations:
            return self._activations[i]
        fresh = Activation(self.edition, self._facts(i), self._labels([i])[0])
        if i in self._duty and step != "under_cover" and fresh.may("under_cover"):
            self._refuse(i, f"{step}: has thrown itself to cover, moves under cover now", "M-6.3")
        return fresh

    def _facts(self, i: int) -> set[str]:
        """Return how a fighter stands, as `Activation` takes it."""
        placed, met = self.asked.scenario.fighters, self._touched(self.tables, i)
        foes = [placed[j].profile for j in met]
        full = bool(met) and len(met) >= most_in_contact(placed[i].profile, foes, self.edition)[0]
        holds = {
            "free": not met,
            "level_0": self._row(i)[Base.LEVEL] == 0,
            "assaulted": i in self.assaulted,
            "surrounded": full,
        }
        return {fact for fact, so in holds.items() if so}

    def _commit(
        self,
        tables: Tables,
        i: int,
        activation: Activation,
        step: str,
        length: float,
        short: bool = False,
    ) -> Move:
        """Take up the table after a step."""
        activation.do(step)
        self._activate(i, activation)
        self.tables = tables
        return Move(step, length, self._labels(self._touched(tables, i)), short)

    def _activate(self, i: int, activation: Activation) -> None:
        """Note that a fighter acts: its marker of cover goes with its first step (M-6.2)."""
        if i not in self.activated:
            self.covered.discard(i)
        self.activated.add(i)
        self._activations[i] = activation

    def _goals(self, i: int, targets: str | Sequence[str]) -> tuple[int, ...]:
        """Return whom a fighter wants to assail: living enemies."""
        names = (targets,) if isinstance(targets, str) else tuple(targets)
        goals = tuple(dict.fromkeys(map(self._find, names)))
        if not goals:
            self._refuse(i, "an assault has a target", "M-4.3")
        for j, name in zip(goals, self._labels(goals), strict=True):
            if self._row(j)[Base.ALIVE] == 0:
                self._refuse(i, f"{name} is dead: the assault is to be redirected", "M-4.7")
            if self._row(j)[Base.SIDE] == self._row(i)[Base.SIDE]:
                self._refuse(i, f"{name} is no enemy", "M-4.3")
        return goals

    def _through(self, tables: Tables, i: int) -> np.uint64:
        """Return the mask of the friends that a fighter passes through (M-1.3)."""
        friends = (j for j in self._speaking if j != i and not self._touched(tables, j))
        return np.uint64(sum(1 << j for j in friends))

    def _sees(self, tables: Tables, i: int, j: int) -> bool:
        return sees(tables, i, j, self.edition)

    def _touched(self, tables: Tables, i: int) -> list[int]:
        return touched(tables, i)

    def _speed(self, i: int) -> float:
        return float(self.asked.scenario.fighters[i].profile.need("MOU"))

    def _row(self, i: int) -> NDArray[np.float64]:
        row: NDArray[np.float64] = self.tables[0]["bases"][i]
        return row

    def _find(self, fighter: str) -> int:
        return self.asked.scenario.find(fighter)

    def _living(self, fighter: str) -> int:
        i = self._find(fighter)
        if self._row(i)[Base.ALIVE] == 0:
            self._refuse(i, "is dead, and does nothing", "A-1.2")
        return i

    def _labels(self, fighters: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.asked.scenario.fighters[j].label for j in fighters)

    def _refuse(self, i: int, reason: str, clause: str) -> NoReturn:
        raise InputError(f"{self._labels([i])[0]}: {reason} ({clause})")


def direction(facing: float) -> Point:
    """Return the unit vector of a facing in degrees."""
    return cos(radians(facing)), sin(radians(facing))


def update(tables: Tables, i: int) -> None:
    """Take up the row of a base that has changed, and its contacts."""
    from ...kernels.table import contacts

    contacts.update(tables, i)


def put(tables: Tables, i: int, x: float, y: float, fx: float, fy: float) -> None:
    """Stand a base somewhere, and find its contacts."""
    tables[0]["bases"][i][[Base.X, Base.Y, Base.FX, Base.FY]] = x, y, fx, fy
    update(tables, i)
