"""Best play of all pairs of a list: as of each pair by itself, and nobody forgotten."""

import csv
import json
import re
import shlex
from io import StringIO
from itertools import combinations

import pyarrow.parquet as pq
import pytest
from running import ABLE, ARKEON, GUARD, PLAIN, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError, Profile
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY, parse_policies
from estoc.sim.base.printed import plain_text
from estoc.sim.combat.combat import ask
from estoc.sim.combat.exact import Engine
from estoc.sim.worth.book import solve_book
from estoc.sim.worth.solve import solve

CLOSE = 1e-12
SOME = [ABLE[i] for i in range(0, len(ABLE), len(ABLE) // 7)][:7]
BOOK = ("solve", "--book", GUARD, "--book", WARRIOR, "--book", ABLE[9].label)


def fighter(name, **stats):
    return Profile(name, **{"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "PA": 10, **stats})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"score": "wounds"},
        {"score": "A.dead=-3,B.serious=1", "rules": ("killed_level=3",)},
        {"policies": parse_policies(("optimal", "B=bold")), "chosen_by": "B"},
        {"edition_name": "c3", "rules": ("opposed_tie=first",)},
    ],
)
def test_a_row_is_the_best_play_of_its_pair(options):
    some = [f for f in SOME if not options or "Enchaînement/2" not in f.abilities]  # takes long
    options = Options(**options)
    by_label = {f.label: f for f in some}
    policies = options.policies
    if not any(policy.open_decisions for policy in policies):
        policies = (BEST_PLAY, BEST_PLAY)
    engine = Engine()
    for row in solve_book(some, options=options):
        a, b = by_label[row["a"]], by_label[row["b"]]
        alone = Options(
            **{
                **{k: getattr(options, k) for k in ("edition_name", "rules", "score")},
                "policies": policies,
                "chosen_by": row["chosen_by"],
            }
        )
        question = ask([a], [b], alone)
        law = engine.law(question)
        assert row["value"] == pytest.approx(law.value, abs=CLOSE)
        assert (row["dice_a"], row["dice_b"]) == tuple(map(str, law.placed))
        assert row["p_a"] == pytest.approx(law.lone_wins, abs=CLOSE)
        assert row["p_b"] == pytest.approx(law.others_win, abs=CLOSE)
        assert row["p_undecided"] == pytest.approx(1 - row["p_a"] - row["p_b"], abs=CLOSE)
        assert row["p_first_a"] == pytest.approx(law.first, abs=CLOSE)
        assert row["remainder"] == law.remainder
        assert (row["pa_a"], row["pa_b"]) == (a.PA, b.PA)
        assert row["inputs"] == question.inputs


def test_a_row_is_what_solve_says():
    (row,) = solve_book([GUARD, WARRIOR])
    best = solve(GUARD, WARRIOR).rows[0]
    for key in ("value", "p_a", "p_b"):
        assert row[key] == pytest.approx(best[key], abs=CLOSE)
    assert f"A {row['dice_a']}, B {row['dice_b']}" == best["what"]
    (again,) = [r for r in answered(*shlex.split(row["command"])[1:]) if r["section"] == "value"]
    assert again["value"] == pytest.approx(row["value"], abs=CLOSE)
    assert again["command"] == row["command"]


def test_all_pairs_once_in_the_order_named():
    rows = solve_book(SOME).rows
    pairs = list(dict.fromkeys((row["a"], row["b"]) for row in rows))
    assert pairs == list(combinations([f.label for f in SOME], 2))
    assert len({(row["a"], row["b"], row["chosen_by"]) for row in rows}) == len(rows)
    assert solve_book([*SOME, *SOME[:3]]).rows == rows  # whoever is named twice is there once


def test_parts_do_not_show(monkeypatch):
    whole = solve_book(SOME).rows
    monkeypatch.setattr("estoc.sim.worth.book.PART", 2)
    assert solve_book(SOME).rows == whole


def test_equal_points_have_a_row_by_each_who_chose():
    # C-3.3: he who did not choose the combat places first
    one, other = fighter("one", ATT=5), fighter("other", DEF=4)
    dear = fighter("dear", PA=11)
    rows = solve_book([one, other, dear]).rows
    assert [(r["a"], r["b"], r["chosen_by"], r["places_first"]) for r in rows] == [
        ("one", "other", "A", "B"),
        ("one", "other", "B", "A"),
        ("one", "dear", "A", "A"),
        ("other", "dear", "A", "A"),
    ]
    assert rows[0]["value"] >= rows[1]["value"] - CLOSE  # to see is no loss


def test_unknown_points_are_placed_as_the_edition_says():
    rows = solve_book([fighter("known"), fighter("unknown", PA=None)]).rows
    assert [row["pa_b"] for row in rows] == [None] * len(rows)
    for row in rows:
        alone = solve(
            fighter("known"),
            fighter("unknown", PA=None),
            options=Options(chosen_by=row["chosen_by"]),
        )
        assert row["value"] == pytest.approx(alone.rows[0]["value"], abs=CLOSE)


def test_casters_place_first_whatever_the_points():
    # C-3.4
    (row,) = solve_book([fighter("mage", PA=90, caster="mage"), fighter("soldier", PA=5)]).rows
    assert row["places_first"] == "A"


def test_a_book_with_its_sides_exchanged():
    swapped = Options(chosen_by="B")
    for one, other in zip(
        solve_book([GUARD, WARRIOR]), solve_book([WARRIOR, GUARD], options=swapped), strict=True
    ):
        assert one["value"] == pytest.approx(-other["value"], abs=CLOSE)
        assert one["p_a"] == pytest.approx(other["p_b"], abs=CLOSE)


# --- peoples --------------------------------------------------------------------------


def test_fighters_of_a_people_without_all_figures_are_left_out_and_told():
    people = ROSTER.people("dirz")
    unfit = [f for f in people if None in [getattr(f, key) for key in CHARACTERISTICS]]
    able = [f for f in people if f not in unfit]
    assert unfit
    assert able
    book = solve_book(["dirz"])
    assert {row[s] for row in book for s in "ab"} == {f.label for f in able}
    told = [note for note in book.notes if note.startswith("left out: ")]
    assert len(told) == len(unfit)
    for f in unfit:
        assert any(note.startswith(f"left out: {f.label}, without ") for note in told)


def test_who_is_named_is_not_left_out():
    with pytest.raises(InputError, match=re.escape(ARKEON)):
        solve_book([GUARD, ARKEON])
    with pytest.raises(InputError, match="has no PA"):
        solve_book([GUARD, PLAIN], options=Options(score="points"))


def test_of_a_people_those_without_points_are_left_out_of_a_book_by_points():
    plain = {"abilities": False}
    points = Options(score="points", **plain)
    book = solve_book([PLAIN.people, GUARD, WARRIOR], options=points)
    assert all(row["pa_a"] is not None and row["pa_b"] is not None for row in book)
    assert f"left out: {PLAIN.label}, without PA" in book.notes
    whole = solve_book([PLAIN.people, GUARD], options=Options(**plain))
    assert PLAIN.label in {row[s] for row in whole for s in "ab"}


# --- what is refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--book", GUARD), "book: name a people, or at least two fighters"),
        (("--book", "dirz", "--turns", 2), "book: the pairs of a list are solved for one turn"),
        (("--book", "dirz", "--charge", "A"), "options about single fighters"),
        (("--book", "dirz", "--set", "A.ATT=5"), "options about single fighters"),
        (("--book", "dirz", "--dice", "A=2/0"), "options about single fighters"),
        (("--book", "dirz", "--wounds", "A=light"), "options about single fighters"),
        (("--book", "dirz", "--all-defence", "A"), "options about single fighters"),
        (("--book", "dirz", "--policy", "bold"), "both policies are fixed"),
        (("--book", "dirz", "--score", "B2.dead=1"), "there is no fighter B2"),
        (("--book", "nobody"), "nobody"),
    ],
)
def test_what_a_book_refuses(words, message):
    done = estoc("solve", *words)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("estoc: ")
    assert done.err.count("\n") == 1
    assert message in done.err


# --- files, tables --------------------------------------------------------------------


def test_files_of_each_format(tmp_path):
    found = answered(*BOOK)
    assert len({(row["a"], row["b"]) for row in found}) == 3
    for form in ("csv", "json", "parquet"):
        path = tmp_path / f"book.{form}"
        done = estoc(*BOOK, "-o", path)
        assert (done.code, done.data) == (0, b"")
        assert f"wrote {path}, {len(found)} rows" in done.err
    assert json.loads((tmp_path / "book.json").read_bytes()) == found
    assert pq.read_table(tmp_path / "book.parquet").to_pylist() == found
    read = list(csv.DictReader(StringIO((tmp_path / "book.csv").read_text("utf-8"))))
    assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in found]


def test_the_command_gives_the_book_again():
    words = (*BOOK, "--score", "wounds", "--policy", "B=never", "--chosen-by", "B")
    command = solve_book(
        [GUARD, WARRIOR, ABLE[9].label],
        options=Options(
            score="wounds", policies=parse_policies(("optimal", "B=never")), chosen_by="B"
        ),
    ).command
    assert answered(*shlex.split(command)[1:]) == answered(*words)


def test_a_table_has_a_line_for_each_row_and_fits():
    book = solve_book([GUARD, WARRIOR, ABLE[9].label])
    text = plain_text(book, 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "3 fighters, 3 pairs" in text
    assert "+24.97" in text
    assert text.count(" / ") == len(book) + 2
    assert "chosen by" not in text  # all of unequal PA
    twins = plain_text(solve_book([fighter("one"), fighter("other", ATT=4)]), 80)
    assert "2 fighters, 1 pair\n" in twins
    assert "of equal PA, the other side places first (C-3.3)" in " ".join(twins.split())
