"""Charges and engagements that change the table (M-4).

Readings, where the seed is silent. Only the enemies that are named are assailed; others that the
base touches at the end are in contact, no more. An assault that falls short assails nobody, and
ends where the base fits and touches no enemy. A charged fighter pivots about its aim point, and
by a charge only. A square base is one that is not round. Who fails to reach a dead target goes
towards its place, and has nothing left.
"""

from collections.abc import Mapping, Sequence
from math import atan2, cos, degrees, hypot, inf, sin

import numpy as np

from ...kernels.layout.table import Base, Shape
from ...profiles.compile.combat import power
from ..phases.actions import Activation
from .measuring import within
from .standing import Move, Point, Standing, Tables, direction, put

BACK = 0.05  # cm between places looked at where an assault that falls short cannot end


class Assaults(Standing):
    """A table on which fighters charge and engage; `estoc.sim.table.moving.Moving` says more."""

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
        short = not within(far, limit)
        if short:
            far = self._fall_short(tables, i, j, limit)
        else:
            put(tables, i, *place)
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
        short = not within(gone + far, limit)
        if short:
            far = self._fall_short(tables, i, goals[0], limit - gone)
        else:
            put(tables, i, *place)
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
        from ...kernels.table import paths, places

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
            far = places.path_touching(tables, self._routes, i, first, wanted, through)
            place = tuple(self._routes[0]["place"].tolist())
        if far == inf:
            clause = "M-4.5" if len(goals) > 1 else "M-4.1" if action == "charge" else "M-4.3"
            names = ", ".join(self._labels(goals))
            self._refuse(i, f"cannot be placed in contact with {names}", clause)
        return float(far), place

    def _fall_short(self, tables: Tables, i: int, target: int, limit: float) -> float:
        """Move along the path just found as far as may be, facing the target (M-4.4)."""
        from ...kernels.table import paths

        through = self._through(tables, i)
        x, y = tables[0]["x"][target], tables[0]["y"][target]
        for far in np.append(np.arange(limit, BACK, -BACK), BACK) if limit > BACK else ():
            px, py, _, _ = paths.point_along(self._routes, far)
            fx, fy = direction(degrees(atan2(y - py, x - px)))
            trial = tables.copy()
            put(trial, i, px, py, fx, fy)
            if not paths.fits_facing(tables, i, px, py, fx, fy) or self._touched(trial, i):
                continue
            cost = float(paths.path_to_point(tables, self._trial, i, px, py, through))
            if within(cost, limit):
                put(tables, i, px, py, fx, fy)
                return cost
        return 0.0

    def _pivoted(self, i: int, goals: tuple[int, ...], pivots: Mapping[str, float]) -> Tables:
        """Return a copy of the table in which charged fighters are turned (M-4.6)."""
        from ...kernels.table import geometry

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
            put(tables, j, x, y, *direction(facing))
        for j in turned:
            if not geometry.fits_here(tables, j):
                self._refuse(i, f"{self._labels([j])[0]} has no room to turn so", "M-4.6")
        return tables


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
