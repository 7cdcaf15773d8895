"""The sheet's world and situations: what their files say, as arrays, and how they can be wrong."""

from dataclasses import replace

import numpy as np
import pytest

from estoc.kernels.layout.sheet import (
    ALL_DEEDS,
    Breath,
    Cohesion,
    Deed,
    Edge,
    Effect,
    Fact,
    Faculty,
    Kind,
    Mark,
    Morale,
    Order,
    Outcome,
    Reading,
    Trial,
)
from estoc.profiles import InputError
from estoc.profiles.files.toml import shipped_names
from estoc.profiles.sheet import world as sheet_world
from estoc.profiles.sheet.compile import compile_situation
from estoc.profiles.sheet.hexes import neighbour
from estoc.profiles.sheet.pieces import Grid, Piece, Situation
from estoc.profiles.sheet.readings import chosen_readings, readings_of
from estoc.profiles.sheet.situation import load_situation, parse_hex
from estoc.profiles.sheet.tests import load_tests
from estoc.profiles.sheet.world import load_world

TESTS, WORLD = load_tests(), load_world()
READINGS = chosen_readings()


def compiled(situation: Situation) -> np.void:
    return compile_situation(situation, TESTS, WORLD, READINGS)[0][0]


# --- the world -----------------------------------------------------------------------------


def test_the_shipped_world():
    assert WORLD.terrains["w"].cost == {"foot": 2, "mounted": 3, "flying": 1}
    assert WORLD.terrains["~"].cost["foot"] is None
    assert WORLD.front[Kind.SIMPLE] == 0b100011
    assert WORLD.front[Kind.DECOY] == 0
    assert WORLD.face[Kind.FORMATION] == 0b001000
    assert WORLD.contact_mark == Mark.CONTACT
    assert set(WORLD.outcomes) == set(Outcome)
    assert WORLD.digest == load_world().digest


def test_outcome_tables_as_arrays():
    weight, actor, target = WORLD.outcome_arrays()
    assert weight.sum(axis=1).tolist() == [6] * 5  # rows of a d6
    assert actor[Outcome.SHOCK, 0] == Effect.COHESION | Effect.PUSHED
    assert target[Outcome.SHOCK, 5] == Effect.STEP | Effect.COHESION
    assert target[Outcome.SPELL, 2] == Effect.COHESION | Effect.COHESION_AGAIN
    assert weight[Outcome.FIRE].tolist() == [1, 2, 2, 1] + [0] * 8


def test_what_of_the_world_was_assumed_is_named():
    assert WORLD.assumed(("fire_range", "face")) == [
        ("fire_range", "4"),
        ("face.SIMPLE", "1, 2, 3, 4, 5"),
        ("face.FORMATION", "3"),
        ("face.CHARACTER", "1, 2, 3, 4, 5"),
        ("face.DECOY", "1, 2, 3, 4, 5"),
    ]
    told = dict(WORLD.assumed())
    assert told["terrain.w"] == "wood: foot 2, mounted 3, flying 1; blocks sight"
    assert told["outcome.FIRE"] == (
        "1: actor ammo_out; 2: nothing; 2: target cohesion; 1: target step"
    )
    assert "basis" not in told


WORLD_TEXT = sheet_world._FILE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('basis = "assumption"', 'basis = "sheet"', "basis should be 'assumption', not 'sheet'"),
        ("flying = 1 }", "flyng = 1 }", 'terrain: item 1: cost: no mover "flyng"; nearest: flying'),
        ('letter = "w"', 'letter = "."', 'terrain: item 2: letter "." is another terrain\'s'),
        ('letter = "w"', 'letter = "#"', 'terrain: item 2: letter "#" is no hex'),
        ("stack_limit", "stack_limits", 'unknown key "stack_limits"; nearest: stack_limit'),
        ("FORMATION = [3]", "FORMATION = [6]", "face: FORMATION: item 1 should be at most"),
        ('target = ["step"]', 'target = ["pas"]', "target: item 1 should be 'cohesion'"),
        ('contact_mark = "contact"', 'contact_mark = "mark"', "contact_mark should be 'charge'"),
        ("CHARACTER = 5\n", "", "allowance: has no CHARACTER, which is needed"),
    ],
)
def test_a_wrong_world(tmp_path, old, new, fault):
    path = tmp_path / "mine.toml"
    assert old in WORLD_TEXT
    path.write_text(WORLD_TEXT.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_world(path)
    assert str(error.value).startswith(f"{path}: ")
    assert fault in str(error.value)


def test_another_world_has_another_hash(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(WORLD_TEXT.replace("leave_cost = 1", "leave_cost = 2"), encoding="utf-8")
    assert load_world(path).digest != WORLD.digest


SHOTS = 1 << Deed.FIRE | 1 << Deed.DUEL_FIRE

# --- what a situation says -----------------------------------------------------------------

SMALL = """
name = "small"

[map]
rows = ["..w", ".~.", "#.."]
burning = ["0,1"]
walls = [["0,0", "0,1"]]

[[wings]]
name = "van"
side = "A"
order = "defence"
leader = "Chief"
retreat_edge = "west"
lost = 2

[[wings]]
name = "host"
side = "B"
order = "retreat"

[[pieces]]
name = "Spears"
kind = "formation"
side = "A"
wing = "van"
hex = "0,0"
facing = "sw"
cohesion = "shaken"
breath = "exhausted"
morale = "unshakeable"
marks = ["contact", "special"]
faculties = ["dodge", "fireproof"]
steps = 3
formation_mode = 1
can_face = false
far = true
cannot = ["WITHDRAW", "merge"]

[[pieces]]
name = "Chief"
kind = "character"
side = "A"
wing = "Van"
hex = "0000"

[[pieces]]
name = "Hawks"
kind = "simple"
side = "B"
wing = "host"
hex = "0101"
mover = "flying"
shooter = true
allowance = 9
"""


@pytest.fixture
def file(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "mine.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_a_situation_with_everything(file):
    found = load_situation(file(SMALL))
    assert found.grid.burning == {(0, 1)}
    assert found.grid.walls == {frozenset(((0, 0), (0, 1)))}
    assert found.sides == ("A", "B")
    assert found.index("SPEARS") == 0
    spears, chief, hawks = found.pieces
    assert spears == Piece(
        "Spears",
        Kind.FORMATION,
        "A",
        "van",
        (0, 0),
        4,
        Cohesion.SHAKEN,
        Breath.EXHAUSTED,
        Morale.UNSHAKEABLE,
        Mark.CONTACT | Mark.SPECIAL,
        Faculty.DODGE | Faculty.FIREPROOF,
        3,
        formation_mode=1,
        given={Fact.FAR: True, Fact.CAN_FACE: False},
        cannot=1 << Deed.WITHDRAW | 1 << Deed.MERGE,
    )
    assert (chief.faculty, chief.mark) == (Faculty.LEADER, Mark.IN_COMMAND)
    assert (hawks.place, hawks.fire_range, hawks.allowance) == ((1, 1), None, 9)
    assert found.engages is None


def test_a_situation_as_arrays(file):
    found = load_situation(file(SMALL))
    sheets, grid = compile_situation(found, TESTS, WORLD, readings_of(["a6a=any_stale"]))
    assert (sheets.shape, grid) == ((1,), found.grid)
    sheet = sheets[0]
    begin = sheet["begin"]
    present = Mark.ALIVE | Mark.ON_MAP

    def first(array, count=3):
        return array[:count].tolist()

    assert (sheet["n"], sheet["pieces"], sheet["wings"], sheet["given"]) == (3, 3, 2, 0)
    assert first(sheet["side"]) == [0, 0, 1]
    assert first(sheet["morale"]) == [Morale.UNSHAKEABLE, 0, 0]
    assert first(sheet["mover"]) == [0, 0, 2]
    assert first(sheet["allowance"]) == [3, 5, 9]
    assert first(sheet["fire_range"]) == [0, 0, WORLD.fire_range]
    assert first(sheet["feasible"]) == [
        ALL_DEEDS & ~(1 << Deed.WITHDRAW | 1 << Deed.MERGE | SHOTS),
        ALL_DEEDS & ~SHOTS,
        ALL_DEEDS,
    ]
    assert first(begin["kind"]) == [Kind.FORMATION, Kind.CHARACTER, Kind.SIMPLE]
    assert first(begin["cohesion"]) == [1, 0, 0]
    assert first(begin["breath"]) == [2, 0, 0]
    assert first(begin["steps"]) == [3, 2, 2]
    assert first(begin["mark"]) == [
        present | Mark.CONTACT | Mark.SPECIAL,
        present | Mark.IN_COMMAND,
        present,
    ]
    assert first(begin["faculty"]) == [Faculty.DODGE | Faculty.FIREPROOF, Faculty.LEADER, 0]
    assert first(begin["wing"]) == [0, 0, 1]
    assert first(begin["at"]) == [0, 0, 4]
    assert first(begin["facing"]) == [4, 0, 0]
    assert first(begin["formation_mode"]) == [1, 0, 0]
    assert first(begin["order"], 2) == [Order.DEFENCE, Order.RETREAT]
    assert first(begin["leader"], 2) == [1, -1]
    assert first(begin["lost"], 2) == [2, 0]
    assert first(sheet["wing_side"], 2) == [0, 1]
    assert first(sheet["retreat_edge"], 2) == [Edge.WEST, -1]
    given = sheet["given_facts"]
    assert (given[0, Fact.FAR], given[0, Fact.CAN_FACE]) == (1, 0)
    assert (given >= 0).sum() == 2
    assert sheet["readings"].nonzero()[0].tolist() == [Reading.A6A]


def test_tests_and_world_as_arrays(file):
    sheet = compiled(load_situation(file(SMALL)))
    for trial in Trial:
        assert sheet["modified"][trial] == TESTS.is_modified(trial)
        for morale in Morale:
            assert (sheet["fails"][trial, morale] == TESTS.fail_ways(trial, morale)).all()
    assert (sheet["ways"], sheet["least"]) == (6, -3)
    assert sheet["modifier"].tolist() == [-1, -1, 1, -1]
    assert sheet["retreat_fails"] == 3
    assert sheet["demoralised_fails"][:4].tolist() == [0, 1, 2, 3]
    assert (sheet["flee_hexes"], sheet["rest"], sheet["reach_turns"]) == (4, -1, 1)
    assert sheet["front"].tolist() == [WORLD.front[kind] for kind in Kind]
    assert sheet["faces_by"].tolist() == [WORLD.face[kind] for kind in Kind]
    arrays = [sheet[f"outcome_{part}"] for part in ("weight", "actor", "target")]
    assert all((a == b).all() for a, b in zip(arrays, WORLD.outcome_arrays(), strict=True))
    assert (sheet["stack_limit"], sheet["order_range"], sheet["spell_range"]) == (2, 6, 6)
    assert sheet["contact_mark"] == Mark.CONTACT
    assert sheet["decoys"].tolist() == sheet["decoys_left"].tolist() == [2] * 4
    assert not sheet["now"]["kind"].any()
    assert not sheet["now"]["mark"].any()


def test_relations_that_are_given_need_no_map(file):
    text = SMALL[: SMALL.index("[map]")] + SMALL[SMALL.index("[[wings]]") :]
    text = "".join(line for line in text.splitlines(True) if not line.startswith("hex"))
    text = text.replace("far = true\n", "")
    text = text.replace("[[wings]]", 'engages = [["hawks", "Spears"]]\n[[wings]]', 1)
    found = load_situation(file(text))
    assert found.engages == (("Hawks", "Spears"),)
    sheet = compiled(found)
    assert sheet["given"] == 1
    assert sheet["given_to"][:3].tolist() == [0, 0, 1]
    assert sheet["begin"]["at"][:3].tolist() == [-1] * 3
    assert found.grid == Grid(("#",))


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('name = "Chief"', 'name = "spears"', 'pieces: item 2: "spears" is already item 1'),
        ('name = "host"', 'name = "Van"', 'wings: item 2: "Van" is already item 1'),
        ('kind = "simple"', 'kind = "simpel"', 'Hawks: kind: "simpel" is unknown; nearest: simple'),
        ('order = "retreat"', 'order = "rout"', 'wing host: order: "rout" is unknown'),
        ('order = "retreat"', 'order = "none"', 'wing host: order: "none" is unknown'),
        ('retreat_edge = "west"', 'retreat_edge = "wset"', "retreat_edge: "),
        ('facing = "sw"', 'facing = "w"', 'Spears: facing: "w" is unknown'),
        ('morale = "unshakeable"', 'morale = "unshakable"', "nearest: unshakeable"),
        ('"contact", ', '"contcat", ', 'marks: "contcat" is unknown; nearest: contact'),
        ('"contact", ', '"alive", ', 'marks: "alive" is unknown'),
        ('"contact", ', '"charge", ', "marks: a piece that is shaken has lost its charge (D1a)"),
        ('"contact", ', '"spell", ', "Spears: only a character has spell, in_command or cic"),
        (
            'name = "Spears"',
            'name = "Spears"\nstacked = true',
            "Spears: stacked: only a character is stacked with a Troop (Q9); give it to the",
        ),
        ('["dodge"', '["leader"', 'faculties: "leader" is unknown'),
        ('["dodge"', '["cic"', "Spears: only a character has spell, in_command or cic"),
        ('["WITHDRAW"', '["WITHDRAWS"', "cannot: "),
        ('leader = "Chief"', 'leader = "Cheif"', 'leader: no piece "Cheif"; nearest: Chief'),
        ('leader = "Chief"', 'leader = "Spears"', "Spears is no character; only a character can"),
        ('wing = "Van"', "", 'Chief is of no wing; give it wing = "van"'),
        ('wing = "van"', "", "Spears: has no wing; a Troop follows the order of one"),
        ('wing = "van"', 'wing = "vann"', 'Spears: wing: no wing "vann"; nearest: van'),
        ('wing = "van"', 'wing = "host"', "Spears: wing: host is of side B, not A"),
        ('side = "B"\norder', 'side = "C"\norder', 'wing host: side "C" has no piece'),
        ('hex = "0101"', 'hex = "1"', 'Hawks: hex: "1" should be column,row or CCRR'),
        ('hex = "0101"', 'hex = "0,2"', "Hawks: hex: 0,2 is no hex of the map"),
        ('hex = "0101"', 'hex = "3,0"', "Hawks: hex: 3,0 is no hex of the map"),
        ('hex = "0101"', "", "Hawks: has no hex, and the file has no engages"),
        ('burning = ["0,1"]', 'burning = ["9,9"]', "map: burning: 9,9 is no hex of the map, which"),
        ('["0,0", "0,1"]', '["0,0", "2,0"]', "map: walls: 0,0 and 2,0 are not neighbours"),
        ('".~."', '".~"', "map: rows: row 2 has 2 hexes, row 1 has 3"),
        ("steps = 3", "steps = 0", "pieces: item 1: steps should be at least 1"),
        ("shooter", "shoter", 'pieces: item 3: unknown key "shoter"; nearest: shooter'),
    ],
)
def test_a_wrong_situation(file, old, new, fault):
    assert old in SMALL
    path = file(SMALL.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        load_situation(path)
    assert str(error.value).startswith(f"{path}: ")
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("pair", "fault"),
    [
        ('["Spears", "Chief"]', "engages: Spears and Chief are of one side"),
        ('["Spears", "Hawk"]', 'engages: no piece "Hawk"; nearest: Hawks'),
        ('["Spears"]', "should have at least 2 items, not 1"),
        ('["Spears", "Ghost"]', "engages: Ghost is a decoy; only Units"),
    ],
)
def test_wrong_relations(file, pair, fault):
    ghost = '[[pieces]]\nname = "Ghost"\nkind = "decoy"\nside = "B"\n'
    with pytest.raises(InputError) as error:
        load_situation(file(f"engages = [{pair}]\n{SMALL}{ghost}"))
    assert fault in str(error.value)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('mover = "flying"', "", "Hawks: hex: water is impassable to foot"),
        ('mover = "flying"', 'mover = "fly"', 'Hawks: mover: no mover "fly"; nearest: flying'),
        ('"..w"', '"..x"', 'map: rows: no terrain "x"; known: ., w, r, v, ~'),
        ('hex = "0101"', 'hex = "0,0"', "hex 0,0: Spears and Hawks are enemies in one hex"),
    ],
)
def test_situations_that_this_world_refuses(file, old, new, fault):
    path = file(SMALL.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        compiled(load_situation(path))
    assert str(error.value) == f"{path}: {fault}"


def test_a_stack_has_room_for_so_many_troops(file):
    found = load_situation(file(SMALL))
    more = [replace(found.pieces[0], name=f"Spears {k}") for k in (2, 3)]
    compiled(replace(found, pieces=(*found.pieces, more[0])))
    with pytest.raises(InputError, match="Spears, Spears 2, Spears 3 are too many Troops; at most"):
        compiled(replace(found, pieces=(*found.pieces, *more)))


def test_limits_of_a_situation(file):
    head = 'name = "x"\nengages = []\n'
    piece = '[[pieces]]\nname = "{0}"\nkind = "decoy"\nside = "{1}"\n'
    assert len(load_situation(file(head + "".join(piece.format(k, 0) for k in range(64)))).pieces)
    with pytest.raises(InputError, match="pieces should have at most 64 items, not 65"):
        load_situation(file(head + "".join(piece.format(k, 0) for k in range(65))))
    with pytest.raises(InputError, match="5 sides are too many; at most 4"):
        load_situation(file(head + "".join(piece.format(k, k) for k in range(5))))
    rows = f"[map]\nrows = [{', '.join(['%r' % ('.' * 41)] * 40)}]\n"
    with pytest.raises(InputError, match="41 x 40 hexes are too many; at most 1600"):
        load_situation(file(head + rows + piece.format(1, 1)))


@pytest.mark.parametrize(
    ("text", "place"), [("3,4", (3, 4)), ("0304", (3, 4)), ("12 , 7", (12, 7))]
)
def test_hexes_in_words(text, place):
    assert parse_hex(text, "x") == place


def test_hexes_are_numbered_row_by_row():
    grid = Grid(("....", "...."))
    assert [grid.number((column, 1)) for column in range(4)] == [4, 5, 6, 7]


# --- those that come with the package ------------------------------------------------------


@pytest.mark.parametrize("name", shipped_names("situation"))
def test_shipped_situations_are_right(name):
    found = load_situation(name)
    sheet = compiled(found)
    assert sheet["n"] == len(found.pieces)
    for number, piece in enumerate(found.pieces):  # round trip
        begin = sheet["begin"]
        assert begin["kind"][number] == piece.kind
        if piece.place is not None:
            row, column = divmod(int(begin["at"][number]), found.grid.columns)
            assert (column, row) == piece.place
        if piece.wing:
            assert found.wings[begin["wing"][number]].name == piece.wing
        assert found.sides[sheet["side"][number]] == piece.side


def test_the_skirmish_has_all_that_it_should():
    found = load_situation("skirmish")
    assert len(found.wings) == 4
    assert {piece.kind for piece in found.pieces} == set(Kind)
    assert any(piece.mark & Mark.HIDDEN for piece in found.pieces)
    assert sum(piece.fire_range is None for piece in found.pieces) == 3
    block, riders = (found.pieces[found.index(name)] for name in ("Pike block", "Wolf riders"))
    assert block.place == neighbour(riders.place, riders.facing)
    assert riders.place == neighbour(block.place, block.facing)


def test_the_wing_whose_leader_dies():
    found = load_situation("wing")
    leader = found.pieces[found.index(found.wings[0].leader)]
    troops = [piece for piece in found.pieces if piece.wing == "left" and piece.is_troop]
    assert [bool(piece.mark & Mark.CHARGE) for piece in troops] == [False, False, True]
    assert leader.place in found.grid.burning
    around = {neighbour(leader.place, direction) for direction in range(6)}
    assert not around & {piece.place for piece in troops}


def test_the_field_has_sixty_units():
    found = load_situation("field")
    assert [sum(p.side == side for p in found.pieces) for side in found.sides] == [30, 30]
    assert all(piece.kind != Kind.DECOY for piece in found.pieces)


@pytest.mark.parametrize(
    ("keys", "fault"),
    [
        ("shooter = false\ncan_fire = true", "can_fire: but shooter is false"),
        ("fire_range = 0\nduel_fire = true", "duel_fire: but fire_range is 0"),
        ('shooter = false\nmarks = ["ammo_out"]', "marks: ammo_out: but shooter is false"),
        ("shooter = false\nfire_range = 2", "fire_range: but shooter is false"),
        ('marks = ["ammo_out"]\ncan_fire = true', "can_fire: but its marks say ammo_out"),
        ('caster = false\nmarks = ["spell"]', "marks: spell: but caster is false"),
    ],
)
def test_who_shoots_and_casts_is_not_said_twice(keys, fault, file):
    """A fact of a shooter given of one who is none: refused, not believed (A9a, A14a, E2)."""
    text = SMALL.replace('hex = "0000"', f'hex = "0000"\n{keys}')
    with pytest.raises(InputError, match=f"Chief: {fault}"):
        load_situation(file(text))


@pytest.mark.parametrize(
    ("keys", "reach"),
    [
        ("", 0),
        ("shooter = false", 0),
        ("shooter = true", None),
        ("fire_range = 3", 3),
        ("can_fire = true", None),
        ("can_fire = false", 0),
        ('marks = ["ammo_out"]', None),
    ],
)
def test_who_is_a_shooter(keys, reach, file):
    text = SMALL.replace('hex = "0000"', f'hex = "0000"\n{keys}')
    assert load_situation(file(text)).pieces[1].fire_range == reach


def test_u11():
    sheet = compiled(load_situation("u11"))
    assert sheet["begin"]["cohesion"][:2].tolist() == [Cohesion.SHAKEN, Cohesion.GOOD]
    assert sheet["begin"]["breath"][:2].tolist() == [Breath.FRESH, Breath.WINDED]
    assert sheet["given_facts"][:2, Fact.FAR].tolist() == [1, 1]
    assert sheet["begin"]["order"][0] == Order.REGROUP
