"""A situation of the activation sheet as arrays: clause table, map, record; no logic."""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .sheet import (
    DEEDS,
    EDGES,
    ENDS,
    FACTS,
    MAX_GRANTS,
    MAX_LOG,
    MAX_OUTCOMES,
    MAX_PIECES,
    MAX_SIDES,
    MAX_TAPE,
    MAX_WINGS,
    MODIFIERS,
    OUTCOMES,
    READINGS,
    TAGS,
    TRIALS,
    Morale,
)


class ClauseColumn(IntEnum):
    """Columns of a row of the clause table."""

    PARAGRAPH = 0  # a bit: a paragraph counts once however many of its rows match
    POINT = 1
    MODE = 2
    GRANTS = 3  # deeds, whatever else holds
    TAGGED = 4  # those of all grants that carry the tag
    TAG = 5
    FALLBACK = 6  # deeds of a MUST of which none is feasible
    FALLBACK_NEED = 7  # facts that those need
    GIVEN = 8  # conditional grants: facts needed by each, their values, deeds; 0: there is none


CLAUSE_COLUMNS = ClauseColumn.GIVEN + 3 * MAX_GRANTS


class ClauseTable(NamedTuple):
    """Section 3.2 compiled: one row for each conjunction of facts of a paragraph, in text order."""

    keys: NDArray[np.uint64]  # (2, rows): a word of facts P matches if P & keys[0] == keys[1]
    rows: NDArray[np.uint64]  # (rows, CLAUSE_COLUMNS)


class HexColumn(IntEnum):
    """Columns of a hex; from ``EDGE`` on, for each mover the cost to leave by each edge."""

    BESIDE = 0  # the hex in each direction, clockwise from north; -1: none, or an impassable side
    BURNING = 6
    EDGE = 7  # movement points, the last step included; FAR_AWAY: there is no way


class Plane(IntEnum):
    """What is known of two hexes; from ``COST`` on, for each mover two planes."""

    APART = 0  # hexes from one to the other, as the crow flies
    SIGHT = 1  # whether they see each other
    COST = 2  # least movement points of a way, units ignored; FAR_AWAY: there is none
    CONTACT = 3  # the same to the nearest hex beside the other


class HexMap(NamedTuple):
    """A map as arrays; hexes are numbered row by row, those that are holes included."""

    hexes: NDArray[np.int16]  # (hexes, HexColumn.EDGE + movers * EDGES)
    pairs: NDArray[np.int16]  # (Plane.COST + 2 * movers, hexes, hexes)
    stood: NDArray[np.uint64]  # (hexes,): pieces in each hex now: scratch, threads need one each

    @property
    def beside(self) -> NDArray[np.int16]:
        """The hex in each direction, shape (hexes, 6)."""
        return np.asarray(self.hexes[:, : HexColumn.BURNING])

    @property
    def burning(self) -> NDArray[np.int16]:
        """Whether each hex burns."""
        return np.asarray(self.hexes[:, HexColumn.BURNING])

    @property
    def edge(self) -> NDArray[np.int16]:
        """Costs to leave the map, shape (movers, EDGES, hexes)."""
        columns = self.hexes[:, HexColumn.EDGE :].T
        return np.asarray(columns.reshape(-1, EDGES, len(self.hexes)))

    @property
    def apart(self) -> NDArray[np.int16]:
        """Distances, shape (hexes, hexes)."""
        return np.asarray(self.pairs[Plane.APART])

    @property
    def sight(self) -> NDArray[np.int16]:
        """Who sees whom, shape (hexes, hexes)."""
        return np.asarray(self.pairs[Plane.SIGHT])

    @property
    def cost(self) -> NDArray[np.int16]:
        """Costs of ways, shape (movers, hexes, hexes)."""
        return np.asarray(self.pairs[Plane.COST :: 2])

    @property
    def contact(self) -> NDArray[np.int16]:
        """Costs of ways to beside a hex, shape (movers, hexes, hexes)."""
        return np.asarray(self.pairs[Plane.CONTACT :: 2])

    def copy(self) -> "HexMap":
        """Return the same map with scratch of its own, for another thread."""
        return self._replace(stood=np.zeros_like(self.stood))


_P, _W = (MAX_PIECES,), (MAX_WINGS,)
STATE = [  # what a replicate changes
    ("kind", np.int64, _P),
    ("cohesion", np.int64, _P),
    ("breath", np.int64, _P),
    ("steps", np.int64, _P),
    ("mark", np.int64, _P),
    ("faculty", np.int64, _P),
    ("wing", np.int64, _P),  # NOBODY: none
    ("at", np.int64, _P),  # OFF_MAP
    ("facing", np.int64, _P),  # 0 to 5, clockwise from north
    ("formation_mode", np.int64, _P),
    ("order", np.int64, _W),
    ("leader", np.int64, _W),  # NOBODY
    ("lost", np.int64, _W),  # troops
    ("demoralised", np.int64, _W),
]
SHEET = np.dtype(
    [
        # what does not change
        ("pieces", np.int64),  # at the beginning
        ("decoys", np.int64, (MAX_SIDES,)),  # that a side may place
        ("decoys_under", np.int64, (MAX_SIDES,)),  # 1: below what they cover, 0: on it (S4b)
        ("n", np.int64),  # decoys that were placed included
        ("wings", np.int64),
        ("sequence", np.int64, _P),  # in which pieces are activated in a turn
        ("turns", np.int64),
        ("side", np.int64, _P),
        ("morale", np.int64, _P),
        ("mover", np.int64, _P),  # row of HexMap.cost
        ("allowance", np.int64, _P),  # movement points
        ("fire_range", np.int64, _P),  # 0: cannot fire
        ("wing_side", np.int64, _W),
        ("retreat_edge", np.int64, _W),
        ("front", np.int64, (4,)),  # by kind: bits of the directions, from the facing, in front
        ("faces_by", np.int64, (4,)),  # by kind: bits of the turns that the action FACE may make
        ("readings", np.int64, (READINGS,)),
        # tests: ways to fail of all, by total of modifiers less `least`
        ("fails", np.int64, (TRIALS, len(Morale), 32)),
        ("least", np.int64),
        ("ways", np.int64),
        ("modifier", np.int64, (MODIFIERS,)),
        ("modified", np.int64, (TRIALS,)),
        ("retreat_fails", np.int64),
        ("demoralised_fails", np.int64, (MAX_PIECES + 1,)),  # by troops lost
        ("outcome_weight", np.int64, (OUTCOMES, MAX_OUTCOMES)),
        ("outcome_actor", np.int64, (OUTCOMES, MAX_OUTCOMES)),
        ("outcome_target", np.int64, (OUTCOMES, MAX_OUTCOMES)),
        ("rest", np.int64),  # levels of breath, below 0
        ("flee_hexes", np.int64),
        ("reach_turns", np.int64),
        ("stack_limit", np.int64),  # troops in a hex
        ("order_range", np.int64),  # hexes to whom an order is given
        ("spell_range", np.int64),
        ("decoys_left", np.int64, (MAX_SIDES,)),
        # relations and facts that are given; -1 in a fact: it follows from the map
        ("given", np.int64),  # 1: `to` is given and stays
        ("given_to", np.uint64, _P),
        ("given_facts", np.int64, (MAX_PIECES, FACTS)),
        ("feasible", np.int64, _P),  # deeds that the world allows; all: ALL_DEEDS
        ("begin", STATE),
        ("now", STATE),
        ("watched", np.uint64, _P),  # infiltrated enemies that a charger engages already (D1b)
        ("to", np.uint64, _P),
        # players, by side
        ("style", np.int64, (MAX_SIDES,)),
        ("rank", np.int64, (MAX_SIDES, DEEDS)),  # the highest is chosen
        ("wanted", np.int64, (MAX_SIDES,)),  # deeds without which an activation is lost
        ("hides", np.int64, (MAX_SIDES,)),  # S4a
        ("reveals", np.int64, (MAX_SIDES,)),  # S5
        ("new_order", np.int64, (MAX_SIDES,)),  # by CHANGE_ORDER
        ("contact_mark", np.int64),  # of who comes to engage by an attack move
        # events that wait: sets of pieces, and of who engaged those who fled
        ("hooked", np.int64),
        ("destroyed", np.uint64),
        ("left", np.uint64),
        ("undisciplined", np.uint64),
        ("frozen", np.int64),
        ("tags", np.uint32, (TAGS,)),  # deeds that carry each, of the last selection
        ("other_tags", np.uint32, (TAGS,)),
        ("wasted", np.int64, (MAX_SIDES, ENDS)),  # activations of a trial
        ("fled", np.int64, (MAX_SIDES,)),  # pieces of a trial
        ("permitted", np.uint32),
        ("closing", np.int64),
        ("trace", np.uint64),  # paragraphs
        ("facts", np.uint64),
        ("able", np.int64),  # feasible deeds
        ("chosen", np.int64),
        ("end", np.int64, _P),  # of each piece's last activation
        ("telling", np.int64),
        ("logged", np.int64),
        ("log", np.int64, (MAX_LOG, 4)),
        # chances
        ("words", np.uint64, (4,)),
        ("seed", np.uint64),
        ("cell", np.uint64),
        ("trial", np.uint64),
        ("taped", np.int64),  # 1: chances are read from the tape
        ("drawn", np.int64),
        ("tape", np.int64, (MAX_TAPE,)),
        ("tape_ways", np.int64, (MAX_TAPE,)),
        ("tape_of", np.int64, (MAX_TAPE,)),
        ("tape_options", np.int64, (MAX_TAPE,)),
    ]
)
