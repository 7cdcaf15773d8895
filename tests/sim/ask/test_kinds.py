"""Each kind of answers: real ones have the declared columns, with the declared types."""

import inspect
import io
import re

import pyarrow.parquet as pq
import pytest
from running import GUARD, WARRIOR, answered, estoc

from estoc.profiles.compile.combat import state_names
from estoc.profiles.edition.edition import load_edition
from estoc.sim.ask.kinds import kind_named, kinds
from estoc.sim.base.printed import loaded

FEW = ("--trials", 20, "--seed", 1)
BOTH = ("--method", "both", *FEW)
SURE = ("--precision", 0.2, "--seed", 1)
CARDS = ("daikinee", "devoreurs")
BATTLE = ("ambush", "--trials", 4, "--seed", 1)
SHEET = ("skirmish", *FEW)
MELEE = (f"{GUARD}*2", "vs", f"{WARRIOR}*2", "--set", "A1.DIS=4")
CHANGE = ("--change", "policy-a=random")
MEETING = ("guerrier de pierre", "killyox")
SEARCH = ("--generations", 1, "--candidates", 4, "--trials", 1, "--fresh", 1, "--seed", 1)
# Commands that together give every column of a kind.
ASKED = {
    "duel": [("duel", GUARD, WARRIOR), ("duel", GUARD, WARRIOR, *BOTH, "--precision", 0.2)],
    "combat": [
        ("combat", GUARD, "vs", f"{WARRIOR}*2", *BOTH),
        ("combat", GUARD, "vs", WARRIOR, *SURE),
    ],
    "sweep": [("sweep", GUARD, WARRIOR, "--best", *BOTH), ("sweep", GUARD, WARRIOR, *SURE)],
    "replay": [("replay", "duel", GUARD, WARRIOR, "--seed", 5, "--trial", 7)],
    "solve": [("solve", GUARD, "vs", WARRIOR, "--unseen")],
    "book": [("solve", "--book", GUARD, "--book", WARRIOR)],
    "worth": [("worth", GUARD, "--against", WARRIOR)],
    "worth-abilities": [("worth", GUARD, "--abilities", "--against", WARRIOR)],
    "points": [("audit", "C3")],
    "melee": [("melee", *MELEE, *BOTH), ("melee", *MELEE, *SURE)],
    "battle": [("battle", *BATTLE), ("battle", "ambush", *SURE)],
    "replay-battle": [("replay", "ambush", "--seed", 1, "--trial", 0)],
    "compare": [("compare", *BATTLE, *CHANGE), ("compare", "ambush", *CHANGE, *SURE)],
    "favours": [("compare", *BATTLE, "--favours")],
    "sensitivity": [("compare", *BATTLE, "--sensitivity")],
    "tune": [("tune", "defensive", "--against", "random", "--scenario", "ambush", *SEARCH)],
    "matchup": [("matchup", *CARDS, "--trials", 8, "--seed", 1)],
    "cards": [("cards", *CARDS, *FEW), ("cards", *CARDS, *SURE)],
    "phase": [("cards", *CARDS, "--transcript", "--seed", 1)],
    "disengage": [
        ("disengage", GUARD, "--enemies", WARRIOR, *o) for o in ((*BOTH, "--odds"), SURE)
    ],
    "shoot": [("shoot", "alahel", GUARD, *BOTH), ("shoot", "alahel", GUARD, *SURE)],
    "fear": [("fear", *MEETING, *BOTH), ("fear", *MEETING, *SURE)],
    "table": [("table", "crossing")],
    "moves": [("moves", "crossing", "--fighter", "Lama 1")],
    "actions": [("actions",)],
    "sheet-check": [("sheet", "check", "skirmish", "--unit", "Marshal", "--explain")],
    "sheet-follow": [("sheet", "check", "skirmish", "--unit", "Marshal", "--if", "dies")],
    "sheet-hexes": [("sheet", "check", "skirmish", "--unit", "Marshal", "--hexes")],
    "sheet-lost": [("sheet", "lost", *SHEET)],
    "sheet-wing": [("sheet", "wing", *SHEET)],
    "sheet-sensitivity": [("sheet", "sensitivity", *SHEET)],
    "sheet-replay": [("replay", "sheet", "lost", *SHEET, "--trial", 0)],
    "sheet-situations": [("sheet", "list")],
    "sheet-readings": [("sheet", "readings")],
    "contagion": [("sheet", "contagion", "line:3", *BOTH), ("sheet", "contagion", "line:3", *SURE)],
    "army": [("army", "check", "daikinee")],
    "armies": [("army", "list")],
    "profiles": [("profiles", "list"), ("profiles", "show", GUARD)],
    "columns": [("columns", "duel")],
    "edition": [("edition", "show")],
}
KINDS = {kind.name: kind for kind in kinds()}
each_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
HOLDS = {"text": str, "whole": int, "long": int, "number": int | float, "truth": bool}
STATES = {name.replace(", ", "_") for name in state_names(load_edition("conffede"))}


def test_each_kind_has_a_name_of_its_own():
    names = [kind.name for kind in kinds()]
    assert len(set(names)) == len(names)
    assert kind_named("nothing") is None


def test_columns_are_printed():
    shown = estoc("columns", "sheet", "lost").out
    assert re.search(r"\bcause +text +why activations are lost", shown)
    rows = answered("columns", "combat")
    assert {"name": "p_a", "type": "number", "unit": "share"}.items() <= rows[8].items()
    assert [row["name"] for row in rows if row["is_optional"]][:2] == ["precision", "most_trials"]
    wrong = estoc("columns", "dual")
    assert wrong.code == 2
    assert 'no answers are called "dual"; nearest: duel' in wrong.err


@each_kind
def test_who_shows_it_is_there(kind):
    assert list(inspect.signature(loaded(kind.text)).parameters) == ["result", "width"]
    if kind.picture:
        assert list(inspect.signature(loaded(kind.picture)).parameters) == ["result"]


@each_kind
def test_columns_are_told_apart_and_told(kind):
    names = [column.name for column in kind.schema]
    assert len(set(names)) == len(names)
    assert all(column.meaning for column in kind.schema)


def rows_of(*words):
    """Rows of a command; by Parquet where its JSON is not of rows."""
    if words[:2] != ("replay", "ambush"):
        return answered(*words)
    return pq.read_table(io.BytesIO(estoc(*words, "--format", "parquet").data)).to_pylist()


def place_in(schema, name):
    """The place of a column, or of its family with the longest name."""
    fitting = [(c.name == name, len(c.name), n) for n, c in enumerate(schema) if c.fits(name)]
    return max(fitting)[2]


@each_kind
def test_real_answers_have_the_declared_columns(kind):
    seen = set()
    for words in ASKED[kind.name]:
        rows = rows_of(*words)
        seen |= set(rows[0])
        places = [place_in(kind.schema, column) for column in rows[0]]
        always = [place for place in places if not kind.schema[place].is_optional]
        assert always == sorted(always), "in another order than declared"
        missing = set(range(len(kind.schema))).difference(places)
        assert all(kind.schema[place].is_optional for place in missing)
        for column in map(kind.column, rows[0]):
            cells = [row[column.name] for row in rows]
            assert column.meaning, column
            kept = [cell for cell in cells if cell is not None]
            assert all(isinstance(cell, HOLDS[column.type]) for cell in kept), column
            assert column.type == "truth" or not any(isinstance(c, bool) for c in kept), column
    assert all(any(map(column.fits, seen)) for column in kind.schema)
    if kind.name == "combat":
        assert {column for column in seen if kind.column(column).unit == "trials"} > STATES


def test_parquet_tells_types_units_and_meanings():
    schema = pq.read_schema(io.BytesIO(estoc("duel", GUARD, WARRIOR, "--format", "parquet").data))
    seed, chance = schema.field("seed"), schema.field("p_a")
    assert (str(seed.type), str(chance.type)) == ("uint64", "double")
    assert chance.metadata == {b"unit": b"share", b"meaning": b"chance that the other side dies"}
