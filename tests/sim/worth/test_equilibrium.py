"""Dice placed unseen (C-3): the equilibrium of a matrix game, against nashpy.

nashpy tries every support; `estoc.sim.worth.equilibrium` solves a linear program. That nobody
gains by leaving his mixture is checked besides, by the matrix alone.
"""

import warnings
from itertools import islice

import nashpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, GUARD, ROSTER, WARRIOR

from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY
from estoc.sim.combat.duel import pairing, parsed_pair
from estoc.sim.combat.exact import Engine
from estoc.sim.worth.equilibrium import equilibrium
from estoc.sim.worth.solve import solve

CLOSE = 1e-9
BEST = Options(policies=(BEST_PLAY, BEST_PLAY), abilities=False)

shapes = st.tuples(st.integers(1, 4), st.integers(1, 4))
# small whole numbers, many of them equal, and any numbers
matrices = shapes.flatmap(
    lambda shape: st.lists(
        st.integers(-4, 4), min_size=shape[0] * shape[1], max_size=shape[0] * shape[1]
    ).map(lambda values: np.array(values, float).reshape(shape) / 4)
) | st.builds(
    lambda shape, seed: np.random.default_rng(seed).uniform(-1, 1, shape),
    shapes,
    st.integers(0, 2**32 - 1),
)


def gain(worth, rows, columns):
    """What either side gains at most by leaving its mixture."""
    return (worth @ columns).max() - (rows @ worth).min()


def value_by_nashpy(worth):
    """The value of a matrix game, from any of its equilibria: they are all worth the same.

    The first one of its supports; where rounding makes it miss all, that of its own program.
    """
    game = nashpy.Game(np.asarray(worth, float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that it found none, or an even number
        found = [*islice(game.support_enumeration(), 1), game.linear_program()]
    rows, columns = found[0]
    assert gain(np.asarray(worth), rows, columns) < 1e-11
    return rows @ worth @ columns


def assert_equilibrium(worth, game):
    """No row is worth more against the columns' mixture, no column less against the rows'."""
    worth = np.asarray(worth, float)
    for mixture, ways in ((game.rows, worth.shape[0]), (game.columns, worth.shape[1])):
        assert len(mixture) == ways
        assert (mixture >= 0).all()
        assert mixture.sum() == pytest.approx(1, abs=1e-12)
    assert (worth @ game.columns).max() <= game.value + CLOSE
    assert (game.rows @ worth).min() >= game.value - CLOSE


@pytest.mark.parametrize(
    ("worth", "value", "rows", "columns"),
    [
        pytest.param([[1, -1], [-1, 1]], 0, [1 / 2] * 2, [1 / 2] * 2, id="matching pennies"),
        pytest.param(
            [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3, id="rock, paper"
        ),
        pytest.param([[3, 0], [1, 2]], 3 / 2, [1 / 4, 3 / 4], [1 / 2, 1 / 2], id="two by two"),
        pytest.param([[4, 1], [5, 2]], 2, [0, 1], [0, 1], id="a dominated row"),
        pytest.param([[1, 5, 9], [0, 2, 3]], 1, [1, 0], [1, 0, 0], id="a saddle"),
        pytest.param([[7]], 7, [1], [1], id="nothing to choose"),
        pytest.param([[2, -3, 1]], -3, [1], [0, 1, 0], id="one row"),
        pytest.param([[2], [-3], [5]], 5, [0, 0, 1], [1], id="one column"),
    ],
)
def test_games_of_the_books(worth, value, rows, columns):
    game = equilibrium(worth)
    assert game.value == pytest.approx(value, abs=1e-12)
    assert game.rows == pytest.approx(rows, abs=1e-12)
    assert game.columns == pytest.approx(columns, abs=1e-12)


@given(matrices)
@settings(max_examples=150, deadline=None)
def test_any_game_agrees_with_nashpy(worth):
    game = equilibrium(worth)
    assert_equilibrium(worth, game)
    assert game.value == pytest.approx(value_by_nashpy(worth), abs=CLOSE)


@given(matrices)
@settings(max_examples=50, deadline=None)
def test_the_other_side_sees_the_game_transposed_and_negated(worth):
    assert equilibrium(-worth.T).value == pytest.approx(-equilibrium(worth).value, abs=CLOSE)


@given(matrices, st.floats(-5, 5), st.floats(0.125, 8))
@settings(max_examples=50, deadline=None)
def test_another_unit_changes_the_value_alone(worth, shift, scale):
    game = equilibrium(scale * worth + shift)
    assert game.value == pytest.approx(scale * equilibrium(worth).value + shift, abs=8 * CLOSE)


# --- dice placed unseen -------------------------------------------------------------------


def grid(a, b, options=BEST):
    """What each pair of placements is worth to A, by an engine law with these dice told."""
    dice = ["2/0", "1/1", "0/2"]
    engine = Engine()
    return np.array(
        [
            [engine.law(pairing(a, b, options, parsed_pair((x, y)))).value for y in dice]
            for x in dice
        ]
    )


@pytest.mark.parametrize("number", range(6))
def test_placement_unseen_agrees_with_nashpy(number):
    # the criterion: to 1e-9
    names = [(GUARD, WARRIOR), *[(ABLE[7 * i].label, ABLE[11 * i + 3].label) for i in range(1, 6)]]
    a, b = (ROSTER.find(name) for name in names[number])
    rows = [row for row in solve(a, b, unseen=True, options=BEST) if row["section"] == "unseen"]
    worth = grid(a, b)
    assert rows[0]["value"] == pytest.approx(value_by_nashpy(worth), abs=CLOSE)
    mixtures = {
        side: np.array([row["share"] for row in rows[1:] if row["side"] == side]) for side in "AB"
    }
    listed = [row["what"] for row in rows[1:]]
    assert listed == ["2/0", "1/1", "0/2"] * 2
    for mixture in mixtures.values():
        assert mixture.sum() == pytest.approx(1, abs=1e-12)
    assert (worth @ mixtures["B"]).max() <= rows[0]["value"] + CLOSE
    assert (mixtures["A"] @ worth).min() >= rows[0]["value"] - CLOSE
