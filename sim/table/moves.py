"""What a fighter on a table may do: how far, whom it may assault, with what odds (M-1 to M-5)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil, floor, hypot

import numpy as np

from ...kernels.layout.table import ROUTE, TOUCH, Base
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.answer import AnswerKind, columns
from ..base.options import quoted
from ..base.result import Result, Row
from ..combat.combat import combat
from ..combat.combatants import charged_by
from ..phases.actions import Activation
from .measuring import thought_in_reach, within
from .tabletop import TABLE, Tabletop, command_line, load_table, sees, table, touched

MOVES = AnswerKind(
    "moves",
    TABLE.columns
    + columns("text", "what the fighter does", "action")
    + columns("text", "whom it assaults", "enemy")
    + columns("truth", "whether it sees the enemy", "seen")
    + columns("number", "how far it goes", "reach", unit="cm")
    + columns("number", "how far the enemy is", "distance", unit="cm")
    + columns("number", "chance that players judge it in reach", "p_judged", unit="share")
    + columns("truth", "whether it may do so", "allowed")
    + columns("text", "clause that says so", "clause")
    + columns("text", "enemies that it would meet", "meets")
    + columns("text", "enemies against whom it charges under a penalty", "penalty")
    + columns("number", "chance that the other side dies in it", "p_a", "p_b", unit="share")
    + columns("number", "chance that neither does", "p_undecided", unit="share"),
    text="table.moves_table:blocks",
    picture="table.tabletop_plot:reach",
)

GRID = 1.0  # cm between places that are looked at
MOST_MET = 4  # enemies against whom there are exact odds
ACTIONS = ("walk", "run", "under_cover")
_COLUMNS = [column.name for column in MOVES.columns[len(TABLE.columns) :]]  # of moves alone


def moves(asked: str | Tabletop, fighter: str, *, premeasure: bool = False) -> Result:
    """Return what a fighter may do by each action, and whom it may charge or engage.

    Parameters
    ----------
    asked : str or Tabletop
        A table; of a scenario, by name or file, the one that it describes.
    fighter : str
        Its label, or a beginning of it.
    premeasure : bool
        Both players agreed to measure freely: nobody misjudges a distance (M-1.6).

    Returns
    -------
    Result
        The rows of `estoc.sim.table.tabletop.table`, then by ``section``: ``action`` (reach in cm,
        whether it is allowed, and the clause), ``assault`` (for each enemy: whether it is
        seen, how far its edge is along the shortest path, how likely a player judges that in
        reach before he may measure (M-1.6), whether it is charged or engaged or
        by which clause it cannot be, whom the fighter then touches, who suffers the penalty
        of the charge, and the exact odds of the combat) and ``places`` (where its aim point
        may end, on a grid of a centimetre). It moves alone: no friends are passed through.
    """
    asked = load_table(asked) if isinstance(asked, str) else asked
    i = asked.scenario.find(fighter)
    mover = _Mover(asked, i, premeasure)
    base = table(asked)
    command = command_line("moves", asked)
    label = asked.scenario.fighters[i].label
    command += (f" --fighter {quoted(label)}" + " --premeasure" * premeasure) * bool(command)
    empty = dict.fromkeys(_COLUMNS)
    origin = {key: base.rows[0][key] for key in ("trials", "edition", "version")}
    blank = dict.fromkeys(base.columns)
    found = [
        {**blank, **empty, **row, **origin, "command": command}
        for row in (*mover.actions(), *mover.assaults(), *mover.places())
    ]
    rows = [{**row, **empty, "command": command} for row in base] + found
    keys = (
        *asked.options.edition.assumed(["sight", *["measuring.error"] * (not premeasure)]),
        *mover.assumed,
    )
    return Result(
        MOVES,
        rows,
        say("{}: moves of {}", asked.scenario.name, label),
        notes=base.notes,
        assumed=tuple(dict.fromkeys((*base.assumed, *keys))),
        readings=tuple(dict.fromkeys((*_readings(asked), *mover.readings))),
        command=command,
    )


def _readings(asked: Tabletop) -> tuple[str, ...]:
    """Return the clauses that paths and sight hang on, and that can be read otherwise."""
    return tuple(
        r.clause for r in asked.options.edition.readings if r.clause in ("M-1.2", "M-4.1", "M-4.5")
    )


class _Mover:
    """One fighter that may move."""

    def __init__(self, asked: Tabletop, i: int, premeasure: bool):
        self.asked, self.i, self.premeasure = asked, i, premeasure
        self.placed = asked.scenario.fighters[i]
        self.edition = asked.options.edition
        self.speed = float(self.placed.profile.need("MOU"))
        self.touching = asked.enemies(i)
        self.routes = np.zeros(1, ROUTE)
        self.assumed: tuple[str, ...] = ()  # what odds depend on
        self.readings: tuple[str, ...] = ()

    def facts(self, *more: str) -> set[str]:
        """Return how the fighter stands, as `Activation` takes it."""
        profile = self.placed.profile
        found = set(more)
        found |= {"free"} if not self.touching else set()
        found |= {"level_0"} if self.placed.level == 0 else set()
        found |= {"aim"} if profile.TIR is not None else set()
        return found | ({"caster"} if profile.caster else set())

    def actions(self) -> Iterator[Row]:
        """Yield how far each move without contact goes, and whether it is allowed."""
        for action in ACTIONS:
            activation = Activation(self.edition, self.facts(), self.placed.label)
            clause = activation.clause(action)
            yield {
                "section": "action",
                "action": action,
                "reach": activation.potential(action) * self.speed,
                "allowed": not clause,
                "clause": clause or self.edition.entry(f"actions.{action}.potential").clause,
            }

    def assaults(self) -> Iterator[Row]:
        """Yield whom the fighter may charge or engage, and what would come of it."""
        for j, other in enumerate(self.asked.scenario.fighters):
            if other.side != self.placed.side:
                yield {"section": "assault", "enemy": other.label, **self._assault(j)}

    def _assault(self, j: int) -> Row:
        from ...kernels.table import places

        if j in self.touching:
            return {"seen": True, "distance": 0.0, "allowed": False, "clause": "M-7.1"}
        seen = sees(self.asked.tables, self.i, j, self.edition)
        distance = float(
            places.path_to_edge(self.asked.tables, self.routes, self.i, j, np.uint64(0))
        )
        action = "charge" if seen else "engage"
        facts = self.facts("sees_target" if seen else "target_unseen")
        activation = Activation(self.edition, facts, self.placed.label)
        reach, clause = activation.potential(action) * self.speed, activation.clause(action)
        cells = {
            "action": action,
            "seen": seen,
            "reach": reach,
            "distance": None if distance == np.inf else distance,
            "allowed": not clause and within(distance, reach),
        }
        if not clause and distance < np.inf:
            judged = thought_in_reach(distance, reach, self.edition, self.premeasure)
            cells["p_judged"] = judged
        if not cells["allowed"]:
            return {**cells, "clause": clause or ("M-1.2" if distance == np.inf else "M-4.4")}
        clause = self.edition.entry(f"actions.{action}.potential").clause
        return {**cells, "clause": clause, **self._met(self._after(), action)}

    def _after(self) -> list[int]:
        """Return whom the fighter touches at the end of the path just found (M-4.3, M-4.5)."""
        from ...kernels.table import contacts

        tables = self.asked.tables.copy()
        row = tables[0]["bases"][self.i]
        row[[Base.X, Base.Y, Base.FX, Base.FY]] = self.routes[0]["place"]
        contacts.update(tables, self.i)
        return touched(tables, self.i)

    def _met(self, met: Sequence[int], action: str) -> Row:
        """Return who is met, who suffers the charge, and the odds of one against them."""
        fighters = [self.placed, *(self.asked.scenario.fighters[j] for j in met)]
        profiles = [placed.profile for placed in fighters]
        charges = np.zeros((len(fighters), len(fighters)), np.bool_)
        charges[0, 1:] = action == "charge"
        able, when = self.asked.options.abilities, np.zeros(len(fighters))
        charged = charged_by(charges, when, profiles, self.edition, able)
        cells: Row = {
            "meets": "; ".join(placed.label for placed in fighters[1:]),
            "penalty": "; ".join(p.label for p, hit in zip(fighters, charged, strict=True) if hit),
        }
        if len(met) > MOST_MET:
            return cells
        wounds = [
            f"{'A' if n == 0 else f'B{n}' if len(met) > 1 else 'B'}={placed.wounds}"
            for n, placed in enumerate(fighters)
            if placed.wounds
        ]
        options = replace(
            self.asked.options,
            charge=("A",) if action == "charge" else (),
            wounds=tuple(wounds),
        )
        try:
            found = combat(profiles[:1], profiles[1:], method="exact", options=options)
        except InputError:
            return cells  # a card lacks what odds need
        self.assumed += found.assumed
        self.readings += found.readings
        row = found.rows[0]
        return cells | {key: row[key] for key in ("p_a", "p_b", "p_undecided")}

    def places(self) -> Iterator[Row]:
        """Yield where the aim point may end by a walk and by a run (M-2.2, M-3.1)."""
        if self.touching:
            return
        found = self._reached(2 * self.speed)
        for action in ("walk", "run"):
            limit = Activation(self.edition).potential(action) * self.speed
            near = [f"{x:g},{y:g}" for x, y, far in found if within(far, limit)]
            yield {"section": "places", "action": action, "reach": limit, "corners": " ".join(near)}

    def _reached(self, limit: float) -> list[tuple[float, float, float]]:
        """Return places on a grid and how far they are, as far as the fighter may stop there."""
        from ...kernels.table import paths

        scenario, (x0, y0) = self.asked.scenario, self.placed.at
        found = []
        for x in _grid(x0 - limit, x0 + limit, scenario.width):
            for y in _grid(y0 - limit, y0 + limit, scenario.depth):
                if not (within(hypot(x - x0, y - y0), limit) and self._may_stop(x, y)):
                    continue
                far = paths.path_to_point(
                    self.asked.tables, self.routes, self.i, x, y, np.uint64(0)
                )
                if within(far, limit):
                    found.append((float(x), float(y), float(far)))
        return found

    def _may_stop(self, x: float, y: float) -> bool:
        """Whether the base fits there in one of eight facings."""
        from ...kernels.table import paths

        turns = np.arange(8) * np.pi / 4
        return any(
            paths.fits_facing(self.asked.tables, self.i, x, y, np.cos(t), np.sin(t)) for t in turns
        )


def _grid(low: float, high: float, size: float) -> list[float]:
    """Return the places that are looked at from one coordinate to another, both included."""
    first, last = ceil((max(low, 0.0) - TOUCH) / GRID), floor((min(high, size) + TOUCH) / GRID)
    return [GRID * n for n in range(first, last + 1)]
