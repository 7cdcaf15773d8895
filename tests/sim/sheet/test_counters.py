"""What a player sees: all of his own, no difference between two truths that are hidden alike."""

import json
from copy import copy
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.sheet import (
    NOBODY,
    OFF_MAP,
    Breath,
    Cohesion,
    Faculty,
    Kind,
    Mark,
    Morale,
    Order,
)
from estoc.kernels.layout.situation import SHEET
from estoc.profiles.sheet.compile import compile_situation
from estoc.profiles.sheet.readings import readings_of
from estoc.profiles.sheet.situation import load_situation
from estoc.profiles.sheet.tests import load_tests
from estoc.profiles.sheet.world import load_world
from estoc.sim.sheet.counters import CACHE, Labels, counters, view

COLUMNS, WINGS = 6, 3  # wing 0 is side 0's, wings 1 and 2 are side 1's
STANDING = Mark.ALIVE | Mark.ON_MAP
ON_TOP = Mark.CHARGE | Mark.CONTACT | Mark.ACTIVE | Mark.SPECIAL | Mark.AMMO_OUT
KEYS = ("n", "wings", "side", "morale", "wing_side", "now", "begin", "decoys_left")
BELOW = {  # what a cache covers, and its values
    "kind": (Kind.SIMPLE, Kind.FORMATION, Kind.CHARACTER),
    "steps": range(4),
    "faculty": range(2 * max(Faculty)),
    "wing": (NOBODY, 1, 2),
    "facing": range(6),
    "formation_mode": range(3),
}


def standing(record):
    state = record["now"]
    return state["mark"] & STANDING == STANDING


def hidden(record):
    """Numbers of side 1's caches."""
    state, n = record["now"], record["n"]
    caches = (state["kind"] == Kind.DECOY) | (state["mark"] & Mark.HIDDEN != 0)
    return np.flatnonzero((standing(record) & caches & (record["side"] == 1))[:n]).tolist()


class Shown(dict):
    """A record that is shown in few words."""

    def copy(self):
        return Shown({key: copy(part) for key, part in self.items()})

    def __repr__(self):
        n, state = self["n"], self["now"]
        parts = {"side": self["side"][:n]} | {key: state[key][:n] for key in ("kind", "mark", "at")}
        return f"Shown({parts})"


@st.composite
def records(draw):
    parts = np.zeros(1, SHEET)[0]
    record = Shown({key: parts[key] for key in KEYS})
    state = record["now"]
    record["n"], record["wings"] = draw(st.integers(1, 8)), WINGS
    record["wing_side"][:WINGS] = 0, 1, 1
    for i in range(record["n"]):
        record["side"][i] = draw(st.integers(0, 1))
        record["morale"][i] = draw(st.sampled_from(Morale))
        state["cohesion"][i] = draw(st.sampled_from(Cohesion))
        state["breath"][i] = draw(st.sampled_from(Breath))
        state["mark"][i] = draw(st.integers(0, 2 * max(Mark) - 1)) | STANDING * draw(st.booleans())
        state["at"][i] = draw(st.integers(OFF_MAP, 11))
        state["mark"][i] &= ~Mark.ON_MAP if state["at"][i] == OFF_MAP else ~0
        for key, values in BELOW.items():
            state[key][i] = draw(st.sampled_from(values))
        if draw(st.integers(0, 3)) == 0:
            state["kind"][i] = Kind.DECOY
        if record["side"][i] == 0:
            state["wing"][i] = draw(st.sampled_from((NOBODY, 0)))
    for wing in range(WINGS):
        state["order"][wing] = draw(st.integers(0, 3))
        side = record["side"][: record["n"]] == record["wing_side"][wing]
        state["leader"][wing] = draw(st.sampled_from([NOBODY, *np.flatnonzero(side).tolist()]))
        state["lost"][wing] = draw(st.integers(0, 3))
        state["demoralised"][wing] = draw(st.integers(0, 1))
    return record


def labels(record, letter="p"):
    names = [f"{letter if record['side'][i] else 'p'}{i}" for i in range(record["n"])]
    return Labels(tuple(names), ("ours", "theirs", "others"), COLUMNS)


def all_told(record, names, side=0):
    seen = view(record, names, side)
    return seen, seen.text(), seen.json(), json.dumps(seen.rows())


def other_truth(draw, record):
    """Draw a truth that differs from another one in all that is hidden from side 0."""
    record, caches = record.copy(), hidden(record)
    state = record["now"]
    for i in caches:
        for key, values in BELOW.items():
            state[key][i] = draw(st.sampled_from(values))
        record["morale"][i] = draw(st.sampled_from(Morale))
        decoy = draw(st.booleans())
        marks = int(state["mark"][i]) & (ON_TOP | STANDING)
        marks |= draw(st.sampled_from((0, Mark.SPELL, Mark.SPELL | Mark.IN_COMMAND)))
        state["kind"][i] = Kind.DECOY if decoy else state["kind"][i]
        state["mark"][i] = marks | (Mark.HIDDEN if not decoy or draw(st.booleans()) else 0)
    for i in range(record["n"]):
        if record["side"][i] == 1 and i not in caches:
            state["mark"][i] ^= Mark.SPELL * draw(st.booleans())
    for wing in (1, 2):
        state["order"][wing] = draw(st.integers(0, 3))
        state["lost"][wing] = draw(st.integers(0, 3))
        state["demoralised"][wing] = draw(st.integers(0, 1))
        if state["leader"][wing] in (NOBODY, *caches):
            state["leader"][wing] = draw(st.sampled_from([NOBODY, *caches]))
    record["decoys_left"][1] = draw(st.integers(0, 3))
    gone = np.flatnonzero(~standing(record) & (record["side"] == 1))
    state["cohesion"][gone] = draw(st.sampled_from(Cohesion))
    return record


def shuffled(draw, record):
    """Draw other numbers for the caches of side 1, their leaders following them."""
    turned, caches = record.copy(), hidden(record)
    order = draw(st.permutations(caches))
    for now, then in zip(caches, order, strict=True):
        turned["morale"][then] = record["morale"][now]
        for key in ("kind", "cohesion", "breath", "mark", "at", *BELOW):
            turned["now"][key][then] = record["now"][key][now]
    return turned


@given(records(), st.data())
def test_two_truths_that_are_hidden_alike_are_seen_alike(record, data):
    other = shuffled(data.draw, other_truth(data.draw, record))
    names, others = labels(record), labels(record, "q")
    others = replace(
        others,
        pieces=tuple(
            (others if i in hidden(record) else names).pieces[i] for i in range(record["n"])
        ),
    )
    assert all_told(record, names) == all_told(other, others)


@given(records())
def test_no_name_of_what_is_hidden_is_told(record):
    _, *texts = all_told(record, labels(record, "covert"))
    for i in hidden(record):
        assert not any(f"covert{i}" in text for text in texts)


@given(records())
def test_all_that_is_on_the_map_is_seen_once(record):
    found = view(record, labels(record), 0)
    there = [(p.side, p.hex) for p in counters(record, labels(record))]
    assert sorted(there) == sorted((p.side, p.hex) for p in found.pieces if p.hex is not None)
    assert sum(piece.kind == CACHE for piece in found.pieces) == len(hidden(record))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("kind", Kind.DECOY), ("cohesion", 2), ("breath", 2), ("steps", 9), ("faculty", 3)),
        *(("at", 30), ("facing", 5), ("formation_mode", 7), ("wing", NOBODY)),
        *(("mark", STANDING | Mark.SPELL), ("mark", STANDING | Mark.HIDDEN)),
    ],
)
@settings(max_examples=25, suppress_health_check=[HealthCheck.filter_too_much])
@given(records())
def test_a_player_knows_all_of_his_own(key, value, record):
    assume(standing(record)[0] and record["now"][key][0] != value)
    assume(key == "at" or record["now"]["at"][0] != OFF_MAP)
    record["side"][0] = 0
    record["now"]["wing"][0] = 0
    before = all_told(record, labels(record))
    record["now"][key][0] = value
    after = all_told(record, labels(record))
    assert after[0] != before[0]
    assert after[2] != before[2]


@pytest.mark.parametrize("mark", [mark for mark in Mark if not mark & (STANDING | Mark.HIDDEN)])
def test_which_markers_lie_on_a_cache(mark):
    record = np.zeros(1, SHEET)[0]
    record["n"], record["side"][0] = 1, 1
    record["now"]["mark"][0] = STANDING | Mark.HIDDEN
    names = Labels(("covert",), (), COLUMNS)
    before = view(record, names, 0)
    record["now"]["mark"][0] |= mark
    assert (view(record, names, 0) != before) == bool(mark & ON_TOP)


@given(records(), st.data())
def test_what_lies_open_is_seen(record, data):
    """Cohesion, breath and place show on all of the enemy's counters."""
    key = data.draw(st.sampled_from(("cohesion", "breath", "at")))
    there = np.flatnonzero((standing(record) & (record["side"] == 1))[: record["n"]])
    assume(there.size)
    before = view(record, labels(record), 0)
    i = data.draw(st.sampled_from(there.tolist()))
    record["now"][key][i] = (record["now"][key][i] + 1) % 3
    assert view(record, labels(record), 0) != before


def test_a_decoy_that_was_placed_has_a_name_for_its_player_only():
    record = np.zeros(1, SHEET)[0]
    record["n"], record["now"]["kind"][1] = 2, Kind.DECOY
    record["now"]["mark"][:2] = STANDING
    names = Labels(("Scout",), ("ours",), COLUMNS)
    assert [piece.name for piece in view(record, names, 0).pieces] == ["Scout", "placed decoy 1"]
    assert [piece.name for piece in view(record, names, 1).pieces] == ["Scout", "cache 1"]


def test_a_situation_is_seen_from_both_sides():
    situation = load_situation("skirmish")
    sheets, _ = compile_situation(situation, load_tests(), load_world(), readings_of([]))
    names = Labels.of(situation)
    shown = counters(sheets[0], names, "begin")
    assert [(p.name, p.hex) for p in shown] == [(p.name, p.place) for p in situation.pieces]
    covered = {"Woodsmen": 0, "Shadow": 1}
    for side, name in enumerate(situation.sides):
        seen = view(sheets[0], names, side, "begin")
        caches = sorted(piece.hex for piece in seen.pieces if piece.kind == CACHE)
        hexes = [p.place for p in situation.pieces if covered.get(p.name, side) != side]
        assert caches == sorted(hexes)
        assert [wing.name for wing in seen.wings] == [
            wing.name for wing in situation.wings if wing.side == name
        ]


def test_a_view_in_words():
    record = np.zeros(1, SHEET)[0]
    record["n"], record["wings"] = 4, 2
    record["side"][:4] = 0, 1, 1, 1
    record["wing_side"][:2] = 0, 1
    state = record["now"]
    state["leader"][:2], state["order"][:2] = (0, 3), (Order.DEFENCE, Order.RETREAT)
    state["kind"][:4] = Kind.CHARACTER, Kind.FORMATION, Kind.DECOY, Kind.CHARACTER
    state["wing"][:4], state["at"][:4] = (0, 1, 1, 1), (0, 7, 9, 8)
    state["steps"][:4] = 1
    state["faculty"][:4] = Faculty.LEADER, 0, 0, Faculty.LEADER
    state["mark"][:4] = STANDING
    state["mark"][0] |= Mark.SPELL
    state["mark"][3] |= Mark.HIDDEN | Mark.SPELL
    state["cohesion"][3], state["breath"][1] = Cohesion.SHAKEN, Breath.WINDED
    names = Labels(("Sage", "Phalanx", "Lure", "Chief"), ("ours", "theirs"), COLUMNS)
    assert view(record, names, 0).text().splitlines() == [
        "wing ours: defence, led by Sage, lost 0",
        "own: Sage: at 0,0, facing n, good, fresh, spell, character, ordinary morale, steps 1, "
        "wing ours, leads it, leader",
        "side 1: Phalanx: at 1,1, facing n, good, winded, formation, ordinary morale, steps 1, "
        "wing theirs",
        "side 1: cache 1: at 2,1, shaken, fresh",
        "side 1: cache 2: at 3,1, good, fresh",
    ]
    assert "Chief" in view(record, names, 1).text()
    record["begin"] = state
    state["at"][0] = OFF_MAP
    assert view(record, names, 0).pieces[0].hex is None
    assert view(record, names, 0, "begin").pieces[0].hex == (0, 0)
