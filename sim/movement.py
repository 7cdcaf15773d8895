"""Moves that change the table: walks, runs, assaults, cover, one speaking turn after another.

Readings, where the seed is silent. Only the enemies that are named are assailed; others that the
base touches at the end are in contact, no more. An assault that falls short assails nobody, and
ends where the base fits and touches no enemy. A charged fighter pivots about its aim point, and
by a charge only. A square base is one that is not round. Who fails to reach a dead target goes
towards its place, and has nothing left. The duty to move under cover ends where it cannot be.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, degrees, hypot, inf, radians, sin
from typing import NamedTuple, NoReturn

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.table_codes import ROUTE, Base, Hides, Shape
from estoc.profiles import InputError
from estoc.profiles.compile import power
from estoc.profiles.contact import most_in_contact
from estoc.sim.actions import Activation
from estoc.sim.charges import charged_by
from estoc.sim.tabletop import Tabletop

BACK = 0.05  # cm between places looked at where an assault that falls short cannot end
SAME = 1e-9  # cm that are no distance

Point = tuple[float, float]
Tables = NDArray[np.void]


class Move(NamedTuple):
    """What a fighter has done: its last action, how far it went in cm, whom it touches now."""

    action: str
    length: float
    meets: tuple[str, ...]
    short: bool = False  # of its target


class Moving:
    """A table through the speaking turns of an activation phase (M-1 to M-6).

    `speak` begins a speaking turn; every move is then checked, and changes the table, or is an
    InputError that cites the clause and changes nothing. That exclusive actions come first is
    `estoc.sim.actions.SpeakingTurn`'s to say.

    Parameters
    ----------
    asked : Tabletop
        As it is at the start; it is left so.

    Attributes
    ----------
    tables : ndarray of TABLE, shape (1,)
        As it is now.
    activated, assaulted : set of int
        In this phase: who was activated, and who was charged or engaged.
    charged, covered : set of int
        Who has a marker: of the penalty of a charge (M-5.1), of a move under cover (M-6.2).
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
        _update(self.tables, i)

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
        hit = np.flatnonzero(charged_by(charges, np.zeros(len(placed)), profiles, self.edition))
        self.charged |= set(hit.tolist())
        return self._labels(hit.tolist())

    # Moves without contact

    def walk(self, fighter: str, to: Point, facing: float | None = None) -> Move:
        """Walk to a point of the table (M-2).

        Parameters
        ----------
        fighter : str
        to : (float, float)
            Where the aim point ends, by the shortest path (M-1.1).
        facing : float, optional
            In degrees, at the end; as before if not given.

        Returns
        -------
        Move

        Raises
        ------
        InputError
            If it may not walk, there is no path or it is too long, or if it would not fit or
            touch an enemy there, with the clause.
        """
        return self._go("walk", fighter, to, facing)

    def run(self, fighter: str, to: Point, facing: float | None = None) -> Move:
        """Run to a point of the table (M-3); as `walk`."""
        return self._go("run", fighter, to, facing)

    def under_cover(self, fighter: str, to: Point, facing: float | None = None) -> Move:
        """Move under cover, and have a marker (M-6.1, M-6.2); as `walk`."""
        move = self._go("under_cover", fighter, to, facing)
        self._duty.discard(self._find(fighter))
        self.covered.add(self._find(fighter))
        return move

    def turn(self, fighter: str, facing: float) -> Move:
        """Turn about the aim point on the spot: the fighter has moved (M-1.5)."""
        i, activation = self._allowed(fighter, "turn")
        if self._speed(i) == 0:
            self._refuse(i, "a fighter that cannot move cannot turn", "M-1.5")
        x, y, _ = self.place(fighter)
        tables = self.tables.copy()
        self._stand(tables, i, (x, y), facing, "walk")
        return self._commit(tables, i, activation, "turn", 0.0)

    def disengage(self, fighter: str, succeeded: bool) -> None:
        """Say how a try at disengaging ended, if it is allowed (M-7.1)."""
        i, activation = self._allowed(fighter, "disengage")
        activation.do("disengage", succeeded)
        self._activate(i, activation)

    def throw_to_cover(self, fighter: str, assault_shot: bool = False) -> int:
        """Throw a fighter that is shot at to cover; it must move under cover when activated.

        Parameters
        ----------
        fighter : str
        assault_shot : bool
            Whether the shot is made in an assault.

        Returns
        -------
        int
            X of Target/+X for this shot (M-6.3).
        """
        i = self._living(fighter)
        needs = self.edition.entry("cover.throw_needs")
        if i in self.activated:
            self._refuse(i, "has been activated, and cannot throw itself to cover", "M-6.3")
        if self._touched(self.tables, i):
            self._refuse(i, "touches an enemy, and cannot throw itself to cover", "M-6.3")
        if "level_0" in needs.value and self._row(i)[Base.LEVEL] != 0:
            self._refuse(i, "is not at level 0, and cannot throw itself to cover", needs.clause)
        if "no_assault_shot" in needs.value and assault_shot:
            self._refuse(i, "no cover from a shot in an assault", needs.clause)
        self._duty.add(i)
        return int(self.edition["cover.target"])

    # Assaults

    def charge(
        self,
        fighter: str,
        targets: str | Sequence[str],
        at: Point | None = None,
        pivots: Mapping[str, float] | None = None,
    ) -> Move:
        """Charge one enemy or several (M-4).

        Parameters
        ----------
        fighter : str
        targets : str or sequence of str
            The first is the one that is faced and that the aim point touches (M-4.3).
        at : (float, float), optional
            The place at its edge that is nearest to this point; if not given, the one that the
            shortest path leads to, where all targets are touched.
        pivots : mapping of str to float, optional
            Facings in degrees that charged fighters are given (M-4.6).

        Returns
        -------
        Move
            ``short`` if the first target is out of reach (M-4.4).

        Raises
        ------
        InputError
            If it may not charge all of them, or not so, with the clause.
        """
        return self._assault("charge", fighter, targets, at, pivots or {})

    def engage(self, fighter: str, targets: str | Sequence[str], at: Point | None = None) -> Move:
        """Engage enemies out of sight, or after a disengagement (M-4.2); as `charge`."""
        return self._assault("engage", fighter, targets, at, {})

    def redirect(
        self,
        fighter: str,
        action: str,
        lost: str,
        *,
        targets: str | Sequence[str] = (),
        to: Point | None = None,
        facing: float | None = None,
    ) -> Move:
        """Go on with an assault whose target has died in this speaking turn (M-4.7).

        The fighter goes to the target's place. With what is left of its potential it assails
        other targets, or runs; or it stays there. A charge at targets that it sees from there
        is a charge, any other redirected assault is an engagement.

        Parameters
        ----------
        fighter : str
        action : {"charge", "engage"}
            What was announced.
        lost : str
            The dead target.
        targets : str or sequence of str
            Whom it assails now.
        to : (float, float), optional
            Where it runs.
        facing : float, optional
            In degrees, where it stays or runs to.

        Returns
        -------
        Move
        """
        i, j = self._find(fighter), self._find(lost)
        if action not in ("charge", "engage"):
            self._refuse(i, f"{action}: only a charge or an engagement is redirected", "M-4.7")
        if self._row(j)[Base.ALIVE] != 0 or self._start[0]["bases"][j][Base.ALIVE] == 0:
            self._refuse(i, f"{lost} has not died in this speaking turn", "M-4.7")
        activation = self._aiming(i, action, (j,))
        tables, limit = self.tables.copy(), activation.potential(action) * self._speed(i)
        far, place = self._reach(tables, i, (j,), None, action)
        short = far > limit + SAME
        if short:
            far = self._fall_short(tables, i, j, limit)
        else:
            _put(tables, i, *place)
        if short and (targets or to is not None):
            self._refuse(i, f"nothing of its potential is left at {lost}'s place", "M-4.7")
        if targets:
            goals = self._goals(i, targets)
            sees = action == "charge" and all(self._sees(tables, i, goal) for goal in goals)
            kind = "charge" if sees else "engage"
            return self._land(tables, i, activation, (action, kind), goals, None, (far, limit))
        if to is not None:
            far += self._way(tables, i, "run", to, facing, limit - far)
        elif facing is not None:
            self._stand(tables, i, tuple(tables[0]["bases"][i][:2]), facing)
        return self._commit(tables, i, activation, action, far, short)

    def _assault(
        self,
        action: str,
        fighter: str,
        targets: str | Sequence[str],
        at: Point | None,
        pivots: Mapping[str, float],
    ) -> Move:
        i = self._find(fighter)
        goals = self._goals(i, targets)
        activation = self._aiming(i, action, goals)
        tables = self._pivoted(i, goals, pivots)
        limit = activation.potential(action) * self._speed(i)
        return self._land(tables, i, activation, (action, action), goals, at, (0.0, limit))

    def _land(
        self,
        tables: Tables,
        i: int,
        activation: Activation,
        actions: tuple[str, str],
        goals: tuple[int, ...],
        at: Point | None,
        lengths: tuple[float, float],
    ) -> Move:
        """Bring an assailant to its targets; as announced and as it is, what is gone, of what."""
        announced, action = actions
        gone, limit = lengths
        far, place = self._reach(tables, i, goals, at, action)
        short = gone + far > limit + SAME
        if short:
            far = self._fall_short(tables, i, goals[0], limit - gone)
        else:
            _put(tables, i, *place)
            missed = set(goals) - set(self._touched(tables, i))
            if missed:
                self._refuse(i, f"does not touch {', '.join(self._labels(missed))}", "M-4.5")
        move = self._commit(tables, i, activation, announced, gone + far, short)
        if not short:
            self.assaulted |= set(goals)
            if action == "charge":
                self._charges.append((i, goals))
        return move._replace(action=action)

    def _reach(
        self, tables: Tables, i: int, goals: tuple[int, ...], at: Point | None, action: str
    ) -> tuple[float, tuple[float, ...]]:
        """Return how far a place at the first target's edge is, and the place (M-4.3, M-4.5)."""
        from estoc.kernels import movement, paths, places

        through, first = self._through(tables, i), goals[0]
        if at is not None:
            place = _edge_place(tables, first, at)
            if not paths.fits_facing(tables, i, *place):
                self._refuse(i, "its base does not fit there", "M-4.3")
            far = paths.path_to_point(tables, self._routes, i, *place[:2], through)
        elif len(goals) == 1:
            far = places.path_to_edge(tables, self._routes, i, first, through)
            place = tuple(self._routes[0]["place"].tolist())
        else:
            wanted = np.uint64(sum(1 << j for j in goals))
            far = movement.path_touching(tables, self._routes, i, first, wanted, through)
            place = tuple(self._routes[0]["place"].tolist())
        if far == inf:
            clause = "M-4.5" if len(goals) > 1 else "M-4.1" if action == "charge" else "M-4.3"
            names = ", ".join(self._labels(goals))
            self._refuse(i, f"cannot be placed in contact with {names}", clause)
        return float(far), place

    def _fall_short(self, tables: Tables, i: int, target: int, limit: float) -> float:
        """Move along the path just found as far as may be, facing the target (M-4.4)."""
        from estoc.kernels import movement, paths

        point, through = np.zeros(2), self._through(tables, i)
        x, y = tables[0]["x"][target], tables[0]["y"][target]
        for far in np.append(np.arange(limit, BACK, -BACK), BACK) if limit > BACK else ():
            movement.point_along(self._routes, far, point)
            px, py = point.tolist()
            fx, fy = _direction(degrees(atan2(y - py, x - px)))
            trial = tables.copy()
            _put(trial, i, px, py, fx, fy)
            if not paths.fits_facing(tables, i, px, py, fx, fy) or self._touched(trial, i):
                continue
            cost = float(paths.path_to_point(tables, self._trial, i, px, py, through))
            if cost <= limit + SAME:
                _put(tables, i, px, py, fx, fy)
                return cost
        return 0.0

    def _pivoted(self, i: int, goals: tuple[int, ...], pivots: Mapping[str, float]) -> Tables:
        """Return a copy of the table in which charged fighters are turned (M-4.6)."""
        from estoc.kernels import geometry

        tables, turned = self.tables.copy(), {self._find(name): f for name, f in pivots.items()}
        if not turned:
            return tables
        names = ", ".join(self._labels(turned))
        if self._row(i)[Base.SHAPE] == Shape.DISC:
            self._refuse(i, f"on a round base, it pivots nobody: {names}", "M-4.6")
        if set(turned) - set(goals):
            self._refuse(i, f"pivots those whom it charges only, not {names}", "M-4.6")
        fixed = [j for j in turned if self.tables[0]["touching"][j]]
        if fixed:
            self._refuse(i, f"{', '.join(self._labels(fixed))}: in contact, not pivoted", "M-4.6")
        profile = [placed.profile for placed in self.asked.scenario.fighters]
        total = sum(power(profile[j], self.edition)[0] for j in turned)
        own = power(profile[i], self.edition)[0]
        if total > own:
            self._refuse(i, f"its power {own} is less than {total}, that of {names}", "M-4.6")
        for j, facing in turned.items():
            x, y = tables[0]["bases"][j][:2].tolist()
            _put(tables, j, x, y, *_direction(facing))
        for j in turned:
            if not geometry.fits_here(tables, j):
                self._refuse(i, f"{self._labels([j])[0]} has no room to turn so", "M-4.6")
        return tables

    # What all moves share

    def _go(self, action: str, fighter: str, to: Point, facing: float | None) -> Move:
        i, activation = self._allowed(fighter, action)
        limit, tables = activation.potential(action) * self._speed(i), self.tables.copy()
        far = self._way(tables, i, action, to, facing, limit)
        return self._commit(tables, i, activation, action, far)

    def _way(
        self, tables: Tables, i: int, action: str, to: Point, facing: float | None, limit: float
    ) -> float:
        """Move a base to a point where it touches no enemy; return how far that is."""
        from estoc.kernels import paths

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
        if far > limit + SAME:
            entry = self.edition.entry(f"actions.{action}.potential")
            why = f"{action}: the way is {far:.2f} cm long, and should be at most {limit:g}"
            self._refuse(i, why, entry.clause)
        self._stand(tables, i, to, facing, action)
        return far

    def _stand(
        self, tables: Tables, i: int, at: Point, facing: float, action: str | None = None
    ) -> None:
        """Put a base where it fits, and where an action's move may end."""
        from estoc.kernels import paths

        if not paths.fits_facing(tables, i, *at, *_direction(facing)):
            self._refuse(i, "its base does not fit there", "M-1.2")
        _put(tables, i, *at, *_direction(facing))
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
        return np.uint64(sum(1 << j for j in friends if self._row(j)[Base.ALIVE] != 0))

    def _sees(self, tables: Tables, i: int, j: int) -> bool:
        from estoc.kernels import sight

        hides = Hides[self.edition["sight.hides"].upper()]
        return bool(sight.sees_target(tables, i, j, hides))

    def _touched(self, tables: Tables, i: int) -> list[int]:
        from estoc.kernels import contacts

        mask = int(contacts.enemy_contacts(tables, i))
        return [j for j in range(len(self.asked.scenario.fighters)) if mask >> j & 1]

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


def _direction(facing: float) -> Point:
    return cos(radians(facing)), sin(radians(facing))


def _update(tables: Tables, i: int) -> None:
    from estoc.kernels import contacts

    contacts.update(tables, i)


def _put(tables: Tables, i: int, x: float, y: float, fx: float, fy: float) -> None:
    """Stand a base somewhere, and find its contacts."""
    tables[0]["bases"][i][[Base.X, Base.Y, Base.FX, Base.FY]] = x, y, fx, fy
    _update(tables, i)


def _edge_place(tables: Tables, j: int, at: Point) -> tuple[float, float, float, float]:
    """Return aim point and facing of who stands at a base's edge as near to a point as may be."""
    table = tables[0]
    if table["bases"][j][Base.SHAPE] == Shape.DISC:
        x, y, reach = float(table["x"][j]), float(table["y"][j]), float(table["reach"][j])
        turn = atan2(at[1] - y, at[0] - x)
        return x + reach * cos(turn), y + reach * sin(turn), -cos(turn), -sin(turn)
    best = (inf, (0.0, 0.0, 0.0, 0.0))
    corners = table["hull"][j].tolist()
    for (ax, ay), (bx, by) in zip(corners, [*corners[1:], corners[0]], strict=True):
        length = hypot(bx - ax, by - ay)
        ux, uy = (bx - ax) / length, (by - ay) / length
        t = min(max((at[0] - ax) * ux + (at[1] - ay) * uy, 0.0), length)
        x, y = ax + t * ux, ay + t * uy
        best = min(best, (hypot(at[0] - x, at[1] - y), (x, y, -uy, ux)))
    return best[1]
