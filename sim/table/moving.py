"""Moves that change the table: walks, runs, assaults, cover, one speaking turn after another.

Reading: the duty to move under cover (M-6.3) ends where the fighter cannot. Those of assaults are
in `estoc.sim.table.assaults`.
"""

from ...kernels.layout.table import Base
from .assaults import Assaults
from .standing import Move, Point


class Moving(Assaults):
    """A table through the speaking turns of an activation phase (M-1 to M-6).

    `speak` begins a speaking turn; every move is then checked, and changes the table, or is an
    InputError that cites the clause and changes nothing. That exclusive actions come first is
    `estoc.sim.phases.actions.SpeakingTurn`'s to say.

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

    def _go(self, action: str, fighter: str, to: Point, facing: float | None) -> Move:
        i, activation = self._allowed(fighter, action)
        limit, tables = activation.potential(action) * self._speed(i), self.tables.copy()
        far = self._way(tables, i, action, to, facing, limit)
        return self._commit(tables, i, activation, action, far)
