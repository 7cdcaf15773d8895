"""The plain reading of sight beside the kernel's (M-4.1)."""

from __future__ import annotations

import numpy as np
import tables as build
from battle_tapes import CONFFEDE, battle, fighter
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.table import Base, Hides, Shape
from estoc.kernels.table.geometry import gap_between
from estoc.kernels.table.sight import sees_target
from reference.decisions import Choices, Dice
from reference.field import Game
from reference.sightline import sees

SEEDS = st.integers(0, 2**32 - 1)


def game_of(tables, edition):
    """The same table as the header of a battle."""
    made = tables[0]
    cards = [
        fighter(
            int(row[Base.SIDE]),
            (row[Base.X], row[Base.Y]),
            facing=[row[Base.FX], row[Base.FY]],
            shape="disc" if row[Base.SHAPE] == Shape.DISC else "rectangle",
            width=row[Base.WIDTH],
            depth=row[Base.DEPTH],
            size=int(row[Base.SIZE]),
            state="unhurt" if row[Base.ALIVE] else "dead",
        )
        for row in made["bases"][: made["n"]]
    ]
    pieces = [
        {
            "corners": made["terrain"][k, : made["corners"][k]].tolist(),
            "size": int(made["sizes"][k]),
            "impassable": False,
        }
        for k in range(made["pieces"])
    ]
    cards[0] |= {"side": 0}
    return Game(battle(*cards, terrain=pieces), edition, Dice([]), Choices([]))


@given(SEEDS, st.sampled_from(["lower", "higher"]))
@settings(max_examples=200, deadline=None)
def test_who_sees_whom(seed, hides):
    rng = np.random.default_rng(seed)
    pieces = [build.random_piece(rng, 40, size=int(rng.integers(4))) for _ in range(3)]
    rows = []
    for _ in range(16):
        row = build.random_base(rng, 40, alive=not rows or rng.integers(8) > 0)
        tables = build.table([*rows, row])
        if all(gap_between(tables, len(rows), j) > 0 for j in range(len(rows))):
            rows.append(row)
    tables = build.table(rows, pieces)
    game = game_of(tables, CONFFEDE.with_rule(f"sight.hides={hides}"))
    for target in range(1, len(rows)):
        if game[target].alive:
            seen = sees_target(tables, 0, target, Hides[hides.upper()])
            assert sees(game, game[0], game[target]) == seen
