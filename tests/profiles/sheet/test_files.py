"""The sheet's clauses, readings and tests: what their files say, and how they can be wrong."""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple

import pytest

from estoc.kernels.layout.sheet import (
    ALL_DEEDS,
    MAX_GRANTS,
    MAX_PIECES,
    MAX_ROWS,
    Deed,
    Fact,
    Mode,
    Morale,
    Reading,
    Tag,
    Trial,
)
from estoc.kernels.layout.situation import ClauseColumn
from estoc.profiles import InputError
from estoc.profiles.sheet import clauses as sheet_clauses
from estoc.profiles.sheet import tests as sheet_tests
from estoc.profiles.sheet.clauses import compile_clauses, load_clauses
from estoc.profiles.sheet.readings import changed, chosen_readings, load_switches, readings_of
from estoc.profiles.sheet.tests import TOTALS, load_tests

CLAUSES = load_clauses()
NAMES = [paragraph.id for paragraph in CLAUSES.paragraphs]


class Row(NamedTuple):
    """A row of a compiled clause table, in plain integers."""

    need: int
    value: int
    paragraph: str
    point: int
    mode: int
    grants: int
    tagged: int
    tag: int
    fallback: int
    fallback_need: int
    given: list[tuple[int, int, int]]  # facts needed, their value, deeds

    def granted(self, word: int) -> int:
        """Return the deeds that it permits to a piece of which the facts of a word hold."""
        found = self.grants
        for need, value, deeds in self.given:
            found |= deeds if word & need == value else 0
        return found


def rows_under(*readings: str) -> list[Row]:
    """Return the clause table under some readings, row by row."""
    table = compile_clauses(CLAUSES, readings_of(readings))
    rows = []
    for need, value, row in zip(*table.keys.tolist(), table.rows.tolist(), strict=True):
        number, *columns = row[: ClauseColumn.GIVEN]
        *own, fallback, fallback_need = columns
        point, mode, grants, tagged, tag = own
        rest = row[ClauseColumn.GIVEN :]
        given = list(
            zip(*(rest[k : k + MAX_GRANTS] for k in (0, MAX_GRANTS, 2 * MAX_GRANTS)), strict=True)
        )
        name = NAMES[number.bit_length() - 1]
        words = (name, point, mode, grants, tagged, tag, fallback, fallback_need)
        rows.append(Row(need, value, *words, given))
    return rows


TABLE = rows_under()


def deeds(*names: str) -> int:
    return sum(1 << Deed[name] for name in names)


def facts(*names: str) -> int:
    return sum(1 << Fact[name] for name in names)


def select(table: list[Row], word: int, feasible: int = ALL_DEEDS) -> tuple[str, int]:
    """Return which point closes, or F0, and what is permitted, as 2.1 says it under M2."""
    permitted, closed = 0, 0
    for row in table:
        if closed and row.point != closed:
            break
        if word & row.need != row.value:
            continue
        got = row.granted(word) & feasible
        if row.mode == Mode.MUST:
            stands = word & row.fallback_need == row.fallback_need
            got = got or (row.fallback & feasible if stands else 0)
            return f"A{row.point}", permitted | (got or deeds("NONE"))
        permitted |= got
        closed = row.point if row.mode != Mode.MAY else closed
    if closed:
        return f"A{closed}", permitted or deeds("NONE")
    return "F0", permitted | deeds("NONE")


# --- clauses -------------------------------------------------------------------------------


def test_paragraphs_are_those_of_section_3_in_its_order():
    text = "A1 A2 A3a A3b A4a A4b A5 A6a A6b A6c A7a A7b A7c A8 A9a A9b A10 A11 A12 A13 A14a A14b"
    assert " ".join(NAMES) == f"{text} A14c A15a A15b A16 A17a A17b"
    assert [f"A{p.point}" for p in CLAUSES.paragraphs] == [name.rstrip("abc") for name in NAMES]
    assert {c.stage for c in CLAUSES.clauses} == set("SADE")
    assert all(c.id[0] == c.stage or c.id == "F0" for c in CLAUSES.clauses)


def test_modes_are_those_of_section_3():
    def of(mode: Mode) -> str:
        return " ".join(p.id for p in CLAUSES.paragraphs if p.mode == mode)

    assert of(Mode.MAY) == "A5 A7a A7b A7c A10 A12 A13"
    assert of(Mode.MENU) == "A2 A8 A9a A9b A15a A15b A16 A17a A17b"
    assert of(Mode.MAY_CLOSING) == "A14c"


def test_headings():
    assert CLAUSES.heading("S1b") == "La déroute peut être communicative"
    assert CLAUSES.heading("A16") == "Les options, pour les Personnages engagés…"
    assert CLAUSES.heading("A4") == CLAUSES.heading("A4b")
    assert CLAUSES.heading("F0") == ""


def rows_of(name: str) -> list[Row]:
    return [row for row in TABLE if row.paragraph == name]


def test_the_rows_of_a6a():
    who = facts("CHARACTER", "DECOY", "ENGAGED", "ANY_FRESH_BY")
    for row, order in zip(rows_of("A6a"), ("FOLLOWS_REGROUP", "FOLLOWS_RETREAT"), strict=True):
        assert row == Row(
            need=who | facts(order),
            value=facts("ENGAGED", order),
            paragraph="A6a",
            point=6,
            mode=Mode.MUST,
            grants=deeds("WITHDRAW", "FLEE"),
            tagged=0,
            tag=Tag.FREE,
            fallback=deeds("SHOCK"),
            fallback_need=0,
            given=[(0, 0, 0)] * MAX_GRANTS,
        )


def test_the_row_of_a1_and_that_of_a6b():
    (row,) = rows_of("A1")
    assert row.granted(facts("ROUTED")) == deeds("FLEE")
    assert row.granted(facts("ROUTED", "ELITE")) == deeds("RALLY")
    assert row.granted(facts("ROUTED", "SPECIAL")) == deeds("RALLY")
    assert row.fallback == deeds("FLEE")
    (row,) = rows_of("A6b")
    assert row.fallback_need == facts("ENGAGES")
    assert (row.tag, row.tagged) == (Tag.TO_RETREAT_EDGE, deeds("MOVE", "WITHDRAW", "FLEE"))


def test_the_rows_of_a17a():
    free, stacked = rows_of("A17a")
    assert free.value == facts("CHARACTER")
    assert stacked.value == facts("CHARACTER", "STACKED")
    always = deeds("WITHDRAW", "FLEE", "ORDERS_TROOPS", "RELOAD", "HANDLE")
    assert free.granted(0) == always | deeds("SPELL_CHOOSE", "NONE")
    every = facts("CIC", "CAN_FIRE", "DUEL_SHOCK", "DUEL_FIRE", "SHAKEN", "SPELL_CHOSEN", "TIRED")
    assert free.granted(every) == always | deeds(
        "ORDERS_CHARS", "FIRE", "DUEL_SHOCK", "DUEL_FIRE", "SPELL_CAST", "REST"
    )


def test_only_some_deeds_carry_a_tag():
    (row,) = rows_of("A8")
    assert row.tagged == deeds("MOVE", "WITHDRAW", "FLEE")
    assert {row.tagged for row in rows_of("A14c")} == {deeds("ATTACK_MOVE")}
    (row,) = rows_of("A2")
    assert row.tagged == row.grants
    assert row.grants.bit_count() == 12


MENU8 = "MOVE WITHDRAW FLEE RELOAD HANDLE MERGE"
FORM = "FORM_CONSTITUTE FORM_JOIN FORM_BREAK FORM_LEAVE FORM_MODE"
FRESH = "ENGAGED ENGAGES FACES ANY_FRESH_BY ALL_FRESH_BY ALL_FRESH_TO"
MIXED = "ENGAGED ENGAGES FACES ANY_FRESH_BY"
STALE = "ENGAGED ENGAGES FACES NO_FRESH_TO"
CASES = [  # section 7.1
    ("SIMPLE ROUTED", "A1", "FLEE"),
    ("SIMPLE ROUTED ELITE", "A1", "RALLY"),
    ("SIMPLE CHARGE FOLLOWS_ATTACK ENGAGES ENGAGED", "A3", "FACE"),
    ("FORMATION FOLLOWS_DEFENCE ENGAGED", "F0", "NONE"),
    ("FORMATION CHARGE FOLLOWS_ATTACK ENGAGED", "A4", "ATTACK_MOVE"),
    ("SIMPLE CHARGE FOLLOWS_ATTACK " + FRESH, "A4", "SHOCK"),
    ("SIMPLE CHARGE SPECIAL", "A15", f"{MENU8} {FORM} NONE"),
    ("SIMPLE CHARGE SPECIAL ENGAGES", "A4", "SHOCK"),
    ("SIMPLE FOLLOWS_ATTACK " + FRESH, "A11", "SHOCK FIRE"),
    ("SIMPLE AMMO_OUT FOLLOWS_ATTACK " + FRESH, "A11", "SHOCK"),
    ("SIMPLE SHAKEN FOLLOWS_ATTACK " + FRESH, "A11", "SHOCK FIRE WITHDRAW FLEE"),
    ("SIMPLE FOLLOWS_REGROUP " + FRESH, "F0", "SHOCK NONE"),
    ("SIMPLE FOLLOWS_REGROUP " + MIXED, "F0", "SHOCK NONE"),
    ("SIMPLE DODGE FOLLOWS_REGROUP " + FRESH, "F0", "SHOCK WITHDRAW FLEE NONE"),
    ("SIMPLE SHAKEN FOLLOWS_REGROUP " + STALE, "A6", "WITHDRAW FLEE"),
    ("SIMPLE SHAKEN ELITE TIRED EXHAUSTED FOLLOWS_REGROUP", "A6", "MOVE WITHDRAW FLEE"),
    ("SIMPLE SHAKEN FOLLOWS_REGROUP FAR", "A8", f"{MENU8} {FORM} REGROUP NONE"),
    ("SIMPLE TIRED FOLLOWS_REGROUP FAR", "A8", f"{MENU8} {FORM} REST"),
    ("SIMPLE FOLLOWS_DEFENCE " + STALE, "A9", "WITHDRAW FLEE SHOCK FORM_MODE"),
    ("SIMPLE FOLLOWS_DEFENCE " + MIXED, "A9", "SHOCK WITHDRAW FLEE"),
    (
        "SIMPLE FOLLOWS_DEFENCE ENGAGES NO_FRESH_TO",
        "A9",
        "WITHDRAW FLEE SHOCK FORM_MODE MOVE RELOAD HANDLE NONE",
    ),
    ("SIMPLE FOLLOWS_ATTACK CAN_FIRE", "A14", "MOVE FIRE"),
    ("SIMPLE FOLLOWS_ATTACK AMMO_OUT", "A14", "MOVE RELOAD ATTACK_MOVE"),
    ("SIMPLE FOLLOWS_ATTACK SHAKEN", "A14", "NONE ATTACK_MOVE"),
    ("SIMPLE FOLLOWS_ATTACK SHAKEN ELITE", "A14", "NONE ATTACK_MOVE REGROUP"),
    ("SIMPLE FOLLOWS_ATTACK TIRED EXHAUSTED", "A14", "REST NONE ATTACK_MOVE"),
    ("SIMPLE FOLLOWS_ATTACK DODGE", "A14", "MOVE WITHDRAW FLEE ATTACK_MOVE"),
    ("CHARACTER " + MIXED, "A16", "SHOCK WITHDRAW FLEE"),
    (
        "CHARACTER STACKED LEADER SPECIAL",
        "A17",
        "WITHDRAW FLEE ORDERS_TROOPS RELOAD HANDLE SPELL_CHOOSE NONE CHANGE_ORDER RESIGN",
    ),
    (
        "CHARACTER SHAKEN SPELL_CHOSEN",
        "A17",
        "WITHDRAW FLEE ORDERS_TROOPS RELOAD HANDLE SPELL_CAST NONE",
    ),
]


@pytest.mark.parametrize(("state", "closing", "permitted"), CASES)
def test_selection_cases_of_section_7(state, closing, permitted):
    assert select(TABLE, facts(*state.split())) == (closing, deeds(*permitted.split()))


def test_a_fallback_is_for_who_can_do_nothing_else():
    word = facts(*f"SIMPLE FOLLOWS_RETREAT {STALE}".split())
    feasible = ALL_DEEDS & ~deeds("WITHDRAW", "FLEE")
    assert select(TABLE, word, feasible) == ("A6", deeds("SHOCK"))
    feasible &= ~deeds("MOVE")
    free = facts("SIMPLE", "FOLLOWS_RETREAT")
    assert select(TABLE, free, feasible) == ("A6", deeds("NONE"))
    assert select(TABLE, free | facts("ENGAGES"), feasible) == ("A6", deeds("SHOCK"))
    special = facts("SIMPLE", "ROUTED", "SPECIAL")
    assert select(TABLE, special, ALL_DEEDS & ~deeds("RALLY")) == ("A1", deeds("FLEE"))


VARIANTS = [  # Q5, Q14, Q15, Q17, Q18: state, what is permitted as chosen, and what otherwise
    ("menu.unlisted_none=yes", f"SIMPLE FOLLOWS_DEFENCE {STALE}", "", "NONE"),
    ("menu.unlisted_none=yes", f"SIMPLE SPECIAL {STALE}", "", "NONE"),
    ("menu.unlisted_none=yes", f"CHARACTER {STALE}", "", "NONE"),
    ("a6a=any_stale", f"SIMPLE FOLLOWS_RETREAT {MIXED}", "NONE", "WITHDRAW FLEE"),
    ("a7a.dodge_needs_g=no", "SIMPLE DODGE FOLLOWS_DEFENCE FAR", "", ""),
    ("a7a.dodge_needs_g=no", "FORMATION DODGE ENGAGED FOLLOWS_DEFENCE", "", "WITHDRAW FLEE"),
    ("a17.move=yes", "CHARACTER", "", "MOVE"),
    ("a17b.special_required=no", "CHARACTER STACKED LEADER", "", "CHANGE_ORDER RESIGN"),
    ("a17b.special_required=no", "CHARACTER LEADER", "", ""),
]


@pytest.mark.parametrize(("reading", "state", "lost", "gained"), VARIANTS)
def test_readings_that_are_data(reading, state, lost, gained):
    other = rows_under(reading)
    word = facts(*state.split())
    before, after = select(TABLE, word)[1], select(other, word)[1]
    assert before & ~after == deeds(*lost.split())
    assert after & ~before == deeds(*gained.split())
    assert {row.paragraph for row in other} == set(NAMES)


def test_holes_are_the_states_that_no_point_closes():
    orders = [f for f in Fact if f.name.startswith("FOLLOWS")]
    between = ["", "ENGAGED", "ENGAGED ANY_FRESH_BY", "ENGAGED ANY_FRESH_BY ALL_FRESH_BY"]
    to = ["", "ENGAGES", "ENGAGES NO_FRESH_TO", "ENGAGES ALL_FRESH_TO"]
    flags = [f"{a} {b}" for a in ("", "FACES") for b in ("", "CAN_FACE")]
    seen, open_states = 0, 0
    for kind, spirit, breath, order, by, on, turned, far, special in product(
        ["SIMPLE", "FORMATION", "CHARACTER"],
        ["", "SHAKEN", "ROUTED"],
        ["", "TIRED", "TIRED EXHAUSTED"],
        orders,
        between,
        to,
        flags,
        ["", "FAR"],
        ["", "SPECIAL"],
    ):
        faces = "FACES" in turned.split()
        if (faces and not (by and on)) or (far and (by or on)):
            continue
        follows = special or order.name
        word = facts(*f"{kind} {spirit} {breath} {by} {on} {turned} {far} {follows}".split())
        hole = any(word & f.need == f.value for each in CLAUSES.holes for f in each.when)
        assert (select(TABLE, word)[0] == "F0") == hole
        seen, open_states = seen + 1, open_states + hole
    assert seen > 8000
    assert open_states > 100


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('when = ["DECOY"]', 'when = ["DECOI"]', 'A2: when: no fact "DECOI"; nearest: DECOY'),
        ('grants = ["FACE"]', 'grants = ["FASE"]', 'A3a: grants: no deed "FASE"; nearest: FACE'),
        ('tag = "stay_far"', 'tag = "far"', 'A8: tag: no tag "far"'),
        ('["UNIT ROUTED"]', '["UNIT DECOY"]', "A1: when: "),
        ("a6a=any_stale", "a6a=any", 'A6a: under: a6a: "any" is no reading of it'),
        ("CIC =", "KING =", 'A17a: given: no deed "KING"'),
        ('tagged = ["ATTACK_MOVE"]', 'tagged = ["FIRE"]', "A14c: tagged: has a deed that"),
        ("point = 1\n", "pont = 1\n", 'item 1: unknown key "pont"; nearest: point'),
    ],
)
def test_a_wrong_clause_file(tmp_path, old, new, fault):
    text = sheet_clauses._FILE.read_text(encoding="utf-8")
    text = text.replace("ORDERS_CHARS = ", "CIC = ") if old == "CIC =" else text
    assert old in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(InputError) as error:
        load_clauses(path)
    assert str(error.value).startswith(f"{path}: ")
    assert fault in str(error.value)


def test_a_table_that_is_too_long_is_refused():
    first = CLAUSES.paragraphs[0]
    long = replace(first, when=first.when * (MAX_ROWS + 1))
    with pytest.raises(InputError, match=f"of at most {MAX_ROWS}"):
        compile_clauses(replace(CLAUSES, paragraphs=(long,)), chosen_readings())
    many = replace(first, given=first.given * 3)
    with pytest.raises(InputError, match="A1 has 9 conditional grants, of at most 8"):
        compile_clauses(replace(CLAUSES, paragraphs=(many,)), chosen_readings())


# --- readings ------------------------------------------------------------------------------


def test_every_reading_has_a_switch_with_its_values():
    switches = load_switches()
    assert sorted(s.code for s in switches) == sorted(Reading)
    assert [s.key for s in switches if len(s.values) == 3] == ["special", "contagion.immediate"]
    assert len({s.key for s in switches}) == len(switches)
    assert [int(s.question[1:]) for s in switches] == [
        *range(2, 13), 14, 15, 16, 17, 18, 19, 21, 23, 24, 25
    ]  # fmt: skip


def test_readings_in_words():
    found = readings_of(["a6a=any_stale", "Special = WING", "select.mode=M2"])
    assert found == chosen_readings() | {Reading.A6A: 1, Reading.SPECIAL: 2}
    assert changed(found) == ["special=wing", "a6a=any_stale"]
    assert changed(readings_of([])) == []
    assert readings_of(changed(found)) == found


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["a6b=any_stale"], 'reading: no switch "a6b"; nearest: a6a'),
        (["a6a=some"], 'reading: a6a: "some" is no reading of it; known: none_fresh, any_stale'),
        (["a6a"], "reading: a6a: has no value; known: none_fresh, any_stale"),
        (["hooks=action", "hooks=activation"], '"hooks=activation" contradicts "hooks=action"'),
    ],
)
def test_wrong_readings(words, fault):
    with pytest.raises(InputError) as error:
        readings_of(words)
    assert fault in str(error.value)


# --- tests ---------------------------------------------------------------------------------

TESTS = load_tests()


def fails_by_hand(target: int, total: int, settings: dict[str, int]) -> int:
    """Return in how many ways dice miss a target, one way after the other."""
    count, sides = settings.get("dice.count", 1), settings.get("dice.sides", 6)
    missed = 0
    for dice in product(range(1, sides + 1), repeat=count):
        roll = sum(dice)
        fails = roll + total < target if target > count else False
        if settings.get("dice.natural_min_fails") and roll == count:
            fails = True
        if settings.get("dice.natural_max_passes") and roll == count * sides:
            fails = False
        missed += fails
    return missed


DICE = [
    {},
    {"dice.sides": 10},
    {"dice.count": 2},
    {"dice.count": 3, "dice.sides": 4},
    {"dice.natural_min_fails": 1},
    {"dice.natural_max_passes": 1},
    {"dice.count": 2, "dice.natural_min_fails": 1, "dice.natural_max_passes": 1},
]


@pytest.mark.parametrize("settings", DICE)
def test_ways_to_fail_are_those_of_dice_one_by_one(settings):
    words = {1: "true"}
    tests = load_tests(
        settings=[f"{k}={words[v] if 'natural' in k else v}" for k, v in settings.items()]
    )
    assert tests.ways == settings.get("dice.sides", 6) ** settings.get("dice.count", 1)
    assert tests.least == -3
    for trial, morale in product((Trial.ROUT, Trial.DISCIPLINE, Trial.RALLY), Morale):
        name = f"{trial.name.lower()}.{morale.name}"
        target = tests.values[name]
        by_hand = [fails_by_hand(target, total, settings) for total in range(-3, 2)]
        assert tests.fail_ways(trial, morale)[:5].tolist() == by_hand
    morale = tests.fail_ways(Trial.MORALE, Morale.ELITE)
    assert morale.tolist() == [fails_by_hand(3, 0, settings)] * TOTALS  # S1c: no modifiers
    lost = [fails_by_hand(1 + k, 0, settings) for k in range(MAX_PIECES + 1)]
    assert tests.demoralised_fails().tolist() == lost
    assert tests.retreat_fails() == fails_by_hand(4, 0, settings)


def test_the_shipped_tests_are_those_of_section_6():
    assert TESTS.modifiers.tolist() == [-1, -1, 1, -1]
    assert [t for t in Trial if TESTS.is_modified(t)] == [
        Trial.ROUT,
        Trial.ENGAGEMENT,
        Trial.DISCIPLINE,
        Trial.RALLY,
    ]
    targets = {
        "rout": "43312",
        "engagement": "43312",
        "discipline": "43335",
        "rally": "44444",
    }
    for test, expected in targets.items():
        found = "".join(str(TESTS.values[f"{test}.{morale.name}"]) for morale in Morale)
        assert found == expected
    assert (TESTS.flee_hexes, TESTS.rest, TESTS.reach_turns) == (4, -1, 1)
    assert TESTS.wing_line == (1, 1)
    assert not TESTS.fail_ways(Trial.MORALE, Morale.DEMONIC).any()  # never takes it


@pytest.mark.parametrize("q", [Fraction(0), Fraction(1, 7), Fraction(5, 6), Fraction(1)])
def test_pure_rout_fails_with_exactly_q_and_changes_nothing_else(q):
    pure = TESTS.pure(q)
    for morale in Morale:
        assert {Fraction(int(w), pure.ways) for w in pure.fail_ways(Trial.ROUT, morale)} == {q}
        for trial in (Trial.ENGAGEMENT, Trial.MORALE, Trial.RALLY):
            one = TESTS.fail_ways(trial, morale) * pure.ways
            assert (one == pure.fail_ways(trial, morale) * TESTS.ways).all()
    assert not pure.is_modified(Trial.ROUT)
    assert pure.is_modified(Trial.RALLY)
    assert pure.retreat_fails() * 2 == pure.ways


def test_every_value_has_a_key():
    assert len(TESTS.values) == 41  # 4 + 22 + 5 + 5 + 4 + 1
    assert TESTS.values["dice.natural_min_fails"] is False


def test_values_are_set_by_key_and_change_the_hash():
    other = load_tests(settings=["rout.ELITE = 2", "MODIFIER.shaken=-2"])
    assert other.fail_ways(Trial.ROUT, Morale.ELITE)[-other.least] == 1
    assert other.least == -4
    assert other.digest != TESTS.digest == load_tests().digest
    assert load_tests(settings=["rout.ELITE=3"]).digest == TESTS.digest
    assert TESTS.pure(Fraction(1, 2)).digest != TESTS.digest


def test_a_table_of_modifiers_may_be_empty(tmp_path):
    text = sheet_tests._FILE.read_text(encoding="utf-8")
    begin, end = text.index("applies_to"), text.index("[effect]")
    path = tmp_path / "pure.toml"
    path.write_text(text[:begin] + text[end:], encoding="utf-8")
    tests = load_tests(path)
    assert not tests.modifiers.any()
    assert {int(w) for w in tests.fail_ways(Trial.ROUT, Morale.ORDINARY)} == {3}
    path.write_text(text.replace('basis = "assumption"', 'basis = "game"'), encoding="utf-8")
    with pytest.raises(InputError, match="basis should be 'assumption', not 'game'"):
        load_tests(path)


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (["rout.ELIT=2"], 'set: no value "rout.ELIT"; nearest: rout.ELITE'),
        (["rout.ELITE"], 'set: "rout.ELITE" should be KEY=VALUE'),
        (["MODIFIER.shaken=1000000000000000000000"], "shaken should be at most 999"),
        (["rout.ELITE=high"], "target: rout: ELITE should be a whole number, not 'high'"),
        (["effect.rally=GOOD"], "effect: rally should be 'ROUTED->SHAKEN', not 'GOOD'"),
        (["dice.count=3", "dice.sides=60"], "the dice fall in 216000 ways; at most 100000"),
        (["modifier.shaken=-40"], "modifier: all together should shift less than 32"),
    ],
)
def test_wrong_settings(words, fault):
    with pytest.raises(InputError) as error:
        load_tests(settings=words)
    assert fault in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("q", [Fraction(-1, 2), Fraction(3, 2), Fraction(1, 100_001)])
def test_wrong_chances(q):
    with pytest.raises(InputError, match="fail "):
        TESTS.pure(q)
