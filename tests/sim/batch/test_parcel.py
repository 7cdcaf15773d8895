"""Answers survive as text, down to their types; nothing else gets in or out."""

from dataclasses import dataclass, fields
from fractions import Fraction
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from estoc.profiles.armies.tuned_policy import TunedPolicy
from estoc.profiles.message import joined, say, say_n
from estoc.sim.base.options import Dice
from estoc.sim.base.result import Result
from estoc.sim.base.sequence import Stopping
from estoc.sim.batch.parcel import kept_text, packed, read_text, restored_message, unpacked
from estoc.sim.combat.duel import DUEL
from estoc.sim.combat.sampling import Counts
from estoc.sim.contagion.contagion import CONTAGION, ContagionResult
from estoc.sim.contagion.exact import Law
from estoc.sim.contest.tune import TUNE, Tuned
from estoc.sim.matchup.matchup import MATCHUP
from estoc.sim.matchup.play import Meeting
from estoc.sim.matchup.result import MatchupResult
from estoc.sim.text.speech import spoken, translated

plain = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    plain,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers() | st.tuples(st.integers()), inner)
    ),
    max_leaves=20,
)


def same(one, other):
    """Whether two values are equal, and their parts of the same types."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return list(one) == list(other) and all(map(same, one.values(), other.values()))
    return one == other


@given(values)
def test_plain_values_come_back_as_they_were(value):
    assert same(unpacked(packed(value)), value)


@pytest.mark.parametrize(
    "message",
    [
        say("no charge"),
        say("{:,} rows of {}", 1200, "a.csv"),
        say_n("{} die", "{} dice", 2),
        joined("; ", [say("seed {}", 5), say("no charge"), "as it is"]),
        say("nearest: {}", ["one", "two"]),
        say("{} and {}", Fraction(1, 3), np.float64(0.5)),
    ],
)
def test_messages_can_be_told_in_french_once_they_are_read(message):
    for again in (unpacked(packed(message)), read_text(kept_text(message))):
        assert again == message
        with spoken("fr"):
            assert translated(again) == translated(message)


def test_cells_of_rows_are_kept_in_english():
    result = Result(DUEL, [{"what": say("no charge")}], say("no charge"))
    again = unpacked(packed(result))
    assert type(again.rows[0]["what"]) is str
    with spoken("fr"):
        assert translated(again.title) == "sans charge"


@pytest.mark.parametrize("pattern", ["{0.__class__}", "{0[0]}", "{:>999999999}", "{:{}}", "{"])
def test_no_pattern_looks_into_values_or_fills_the_memory(pattern):
    with pytest.raises(ValueError, match=r"pattern|expected|encountered"):
        restored_message({"message": pattern, "plural": "", "values": [[0, "a"], [1, 5]]})


@pytest.mark.parametrize("told", [None, 5, ["a"], {}, {"message": "{}", "values": [[0, 1]]}])
def test_what_is_no_text_is_refused(told):
    with pytest.raises(ValueError, match="be a text of estoc"):
        read_text(told)


@pytest.mark.parametrize("dtype", ["int64", "uint64", "float64", "bool", "int8"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (0, 4)])
def test_arrays_keep_type_shape_and_every_bit(dtype, shape):
    rng = np.random.default_rng(5)
    array = rng.integers(0, 200, shape).astype(dtype)
    if dtype == "float64":
        array = rng.standard_normal(shape) * 1e-300
    back = unpacked(packed(array))
    assert (back.dtype, back.shape, back.tobytes()) == (
        np.asarray(array).dtype,
        np.shape(array),
        np.asarray(array).tobytes(),
    )


def test_extremes_survive():
    array = np.array([-(2**63), 2**63 - 1])
    assert unpacked(packed(array)).tolist() == array.tolist()
    assert unpacked(packed(np.array([2**64 - 1], np.uint64))).tolist() == [2**64 - 1]
    assert unpacked(packed([inf, -inf, 0.1])) == [inf, -inf, 0.1]
    assert isinstance(unpacked(packed(np.float64(0.1))), np.float64)


def test_counts_and_results_survive():
    counts = Counts(np.eye(2, dtype=np.int64), np.ones((2, 2), np.int64), 3, 4, 5, Stopping(6, 0.1))
    back = unpacked(packed((7, counts)))
    assert (back[0], back[1].trials, back[1].stopping) == (7, 5, Stopping(6, 0.1))
    assert back[1].law.tolist() == counts.law.tolist()
    meeting = Meeting.none((2, 3), (40, 50))
    assert unpacked(packed(meeting)).points[1].shape == (51,)
    assert unpacked(packed({(Dice(2, 0),): 0.5})) == {(Dice(2, 0),): 0.5}
    assert unpacked(packed((Fraction(1, 3),))) == (Fraction(1, 3),)
    result = Result(DUEL, [{"a": "é", "p": 0.1, "n": None}], "t", notes=("x",), stopped="y")
    assert unpacked(packed(result)) == result
    assert unpacked(packed(result)).stopped == "y"


@pytest.mark.parametrize(
    ("before", "answer"),
    [
        ("estoc.sim.result", Result(DUEL, [], "t")),
        ("estoc.sim.contagion", ContagionResult(CONTAGION, [], searched=("x",))),
        ("estoc.sim.matchup_result", MatchupResult(MATCHUP, [], losses=(("a", "b"),))),
        ("estoc.sim.tune", Tuned(TUNE, [])),
        ("estoc.sim.contagion_exact", Law(*range(len(fields(Law))))),
        ("estoc.profiles.tuned_policy", TunedPolicy(*range(len(fields(TunedPolicy))))),
    ],
)
def test_answers_of_runs_before_modules_moved_are_read(before, answer):
    text = packed(answer).replace(type(answer).__module__, before)
    assert f'"class": "{before}:' in text
    assert unpacked(text) == answer


def test_answers_of_runs_before_kinds_were_declared_are_read():
    result = Result(DUEL, [], "t")
    text = packed(result).replace('"kind": {"kind": "duel"}', '"question": "duel"')
    assert "kind" not in text
    assert unpacked(text) == result
    strange = unpacked(text.replace("duel", "sheet wing"))
    assert strange.question == "sheet wing"


@dataclass
class Ours:
    x: int


@pytest.mark.parametrize("value", [{1, 2}, object(), Ours(1), b"x"])
def test_what_is_not_data_of_estoc_is_refused(value):
    with pytest.raises(TypeError, match="is not data of estoc"):
        packed(value)


@pytest.mark.parametrize(
    "text",
    [
        '{"class": "os:system"}',
        '{"class": "subprocess:Popen", "args": ["true"]}',
        '{"class": "estoc.sim.base.result:write_whole"}',
        '{"class": "estoc.sim.batch.parts:Parts"}',
        '{"class": "estoc.sim.batch.parcel:import_module"}',
    ],
)
def test_a_parcel_makes_nothing_but_data(text):
    with pytest.raises((ValueError, TypeError), match=r"estoc|class"):
        unpacked(text)
