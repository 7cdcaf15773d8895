"""`estoc cards` as a person asks it: tables, rows, files, pictures, refusals (A-1 to A-4)."""

import csv
import io
import json
import re
import shlex
import sys
import tomllib
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from functools import cache
from itertools import permutations
from pathlib import Path
from unittest.mock import patch

import matplotlib
import pyarrow.parquet as pq
import pytest
from running import GUARD, answered, estoc

from estoc.profiles import Roster
from estoc.profiles.armies.card_policy import OPTIMAL, card_policy_names, load_card_policy
from estoc.profiles.letters import fold
from estoc.sim.base import parallel
from estoc.sim.base.options import Options
from estoc.sim.base.percent import figure
from estoc.sim.base.run import Run
from estoc.sim.base.stats import paired, wilson
from estoc.sim.cli.main import main
from estoc.sim.phases.card_question import ask
from estoc.sim.phases.card_state import count_sequences
from estoc.sim.phases.cards import answer, chosen

GOLDEN = Path(__file__).parents[2] / "golden" / "cards-worked-example.txt"
EXAMPLE = ("cards", "griffon", "scorpion", "--winner", "A")
REAL = ("cards", "daikinee", "devoreurs")
SHIPPED = [name for name in card_policy_names() if name != OPTIMAL]
FORMS = ["csv", "json", "parquet"]
LONG = "Extraordinairementlonguement"


# Small armies, so that all orders of their piles are few: files in the folder of every test.
MINE = """
name = "Mine"
people = "Griffons"
policy = "random"
[[cards]]
name = "Abel"
DIS = 4
[[cards]]
name = "Fusilier"
[[cards]]
name = "Templier"
[[gains]]
card = "Abel"
before = "Clone"
gain = 2
[[gains]]
card = "Templier"
before = "Tigre"
gain = -0.75
"""
THEIRS = """
name = "Theirs"
people = "Dirz"
policy = "random"
[[cards]]
name = "Tigre"
DIS = 3
[[cards]]
name = "Clone"
[[gains]]
card = "Clone"
before = "Fusilier"
gain = 1.5
"""
RANDOM = ("cards", "mine.toml", "theirs.toml")
CARDS = 5


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("armies")
    (place / "mine.toml").write_text(MINE, encoding="utf-8")
    (place / "theirs.toml").write_text(THEIRS, encoding="utf-8")
    return place


# Commands are many here, and each would read and compare all names anew.
LOADED, FOLDED = cache(Roster.load), cache(fold)


@pytest.fixture(autouse=True)
def surroundings(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)
    monkeypatch.setattr(Roster, "load", LOADED)
    monkeypatch.setattr("estoc.profiles.letters.fold", FOLDED)


@pytest.fixture
def file(tmp_path):
    """Write an army's file: cards by name, or tables of their keys; gains as triples."""

    def write(name, cards, gains=(), **head) -> Path:
        lines = [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in head.items()]
        lines.insert(0, f'name = "{name}"')
        for card in cards:
            keys = {"name": card} if isinstance(card, str) else card
            lines.append("[[cards]]")
            lines += [f"{k} = {json.dumps(v, ensure_ascii=False)}" for k, v in keys.items()]
        for card, before, gain in gains:
            lines += ["[[gains]]", f'card = "{card}"', f'before = "{before}"', f"gain = {gain}"]
        path = tmp_path / f"{name}.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def policy(tmp_path):
    """Write a policy's file: moves that its rules make, without conditions."""

    def write(name, *moves, speak="first") -> Path:
        text = f'name = "{name}"\nspeak = "{speak}"\n'
        text += "".join(f'[[rules]]\ndo = "{move}"\n' for move in moves)
        path = tmp_path / f"{name}.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def of(rows, section, **cells):
    """Return the rows of a section that have these cells."""
    return [row for row in rows if row["section"] == section and cells.items() <= row.items()]


def value_of(rows) -> float:
    return of(rows, "army", what="value to A")[0]["value"]


def line_of(done) -> str:
    """Return the one line that a command said, its usage left out."""
    lines = [line for line in done.err.splitlines() if not re.match(r"Usage:|Try |$", line)]
    assert len(lines) == 1, done.err
    return lines[0]


def refused(*words) -> str:
    """Return the line by which a command is refused."""
    done = estoc(*words)
    assert (done.code, done.data) == (2, b""), done.out
    line = line_of(done)
    assert line.startswith(("estoc: ", "Error: "))
    return line


def command_again(text: str) -> list[str]:
    """Return the words of the command at a table's end."""
    return shlex.split(text.rpartition("again:\n")[2].replace("\\\n", " "))


# --- the worked example ---------------------------------------------------------------


def turns_of(text: str) -> list[str]:
    """Return the speaking turns of a table as the golden file has them."""
    lines = [line for line in text.splitlines() if re.match(r" +\d+  \S", line)]
    return [" | ".join(re.split(r"\s{2,}", line.strip())) for line in lines]


def test_the_worked_example_is_told_turn_by_turn():
    done = estoc(*EXAMPLE, "--transcript", "--seed", 1)
    assert (done.code, done.err) == (0, "")
    assert turns_of(done.out) == GOLDEN.read_text(encoding="utf-8").splitlines()
    assert "Griffon wins the Tactics roll and lets Scorpion speak first." in done.out
    assert re.search(r"^turn  player +plays +reserve after *$", done.out, re.MULTILINE)
    assert "seed 1" in done.out
    assert command_again(done.out)[1:] == [*EXAMPLE, "--seed", "1", "--transcript", "--trial", "0"]


def test_who_wins_may_speak_first():
    words = ("cards", "scorpion", "griffon", "--winner", "A", "--policy", "listed", "--transcript")
    text = estoc(*words).out
    assert "Scorpion wins the Tactics roll and speaks first." in text
    assert turns_of(text)[0] == "1 | Scorpion | Tigre | 0/1"


def test_the_rows_of_a_transcript_are_its_table():
    rows = answered(*EXAMPLE, "--transcript", "--seed", 1)
    lines = [f"{r['turn']} | {r['player']} | {r['plays']} | {r['reserve']}" for r in rows]
    assert lines == GOLDEN.read_text(encoding="utf-8").splitlines()
    assert {row["won_roll"] for row in rows} == {"A"}
    assert [row["refusals"] for row in rows if row["side"] == "B"] == [0] * 5
    both = next(row for row in rows if row["move"] == "both")
    assert (both["from_reserve"], both["from_pile"]) == ("Tigre", "Guerrier Kératis")
    assert [row["put_in_reserve"] for row in rows if row["put_in_reserve"]] == ["Tigre", "Templier"]


# --- tables fit -----------------------------------------------------------------------


def assert_fits(words, monkeypatch, width=80) -> str:
    """No line is too long, and each number is one that a terminal without end shows."""
    monkeypatch.setenv("COLUMNS", str(width))
    done = estoc(*words)
    assert done.code == 0, done.err
    shown = done.out.partition("\nagain:\n")[0]  # a path in the command is not broken
    assert max(map(len, shown.splitlines())) <= width
    monkeypatch.setenv("COLUMNS", "1000")
    wide = estoc(*words)
    found, whole = (
        {word for word in text.split() if re.search(r"\d", word)} for text in (done.out, wide.out)
    )
    assert found <= whole, found - whole
    return done.out


@pytest.mark.parametrize(
    "words",
    [
        (*EXAMPLE, "--transcript", "--seed", 1),
        REAL,
        (*REAL, "--policy", "random", "--trials", 2000, "--seed", 1),
        (*REAL, "--policy", "A=optimal"),
        (*REAL, "--policy", "A=optimal", "--transcript"),
        ("actions",),
        ("policy",),
        (*RANDOM, "--method", "both", "--trials", 1000, "--seed", 5),
    ],
    ids=lambda words: " ".join(map(str, words)),
)
def test_the_tables_of_the_readme_fit(words, monkeypatch):
    assert_fits(words, monkeypatch)


def name_of(side: str, number: int) -> str:
    """Return a name of 40 letters, and no digit."""
    return (side + "abcdefghijklmnopqrstuvwxyz"[number] + LONG).ljust(40, "x")


def test_twelve_against_twelve_in_any_order(file, monkeypatch):
    cards = [[name_of(side, n) for n in range(12)] for side in "ab"]
    armies = [file(name, c, policy="random") for name, c in zip("AB", cards, strict=True)]
    words = ("cards", *armies, "--winner", "coin", "--trials", 4000, "--seed", 1)
    text = assert_fits(words, monkeypatch)
    rows = answered(*words)
    # the blocks of the grid make it whole, each figure once
    grid: dict[tuple[str, str], str] = {}
    blocks = re.findall(r"^A before B, %(.*)\n─+\n((?:A\d.*\n)+)", text, re.MULTILINE)
    assert len(blocks) > 1
    for headings, lines in blocks:
        for line in lines.splitlines():
            own, *cells = line.split()
            assert len(cells) == len(headings.split())
            for enemy, cell in zip(headings.split(), cells, strict=True):
                assert (own, enemy) not in grid
                grid[own, enemy] = cell
    wanted = {
        (f"A{cards[0].index(r['card']) + 1}", f"B{cards[1].index(r['other']) + 1}"): figure(
            r["count"], 4000
        )
        for r in of(rows, "before")
    }
    assert grid == wanted
    assert len(grid) == 144


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("--transcript", "--seed", 1),
        ("--method", "both", "--trials", 500, "--seed", 1),
        ("--trials", 500, "--seed", 1, "--policy", "random"),
        ("--policy", "B=optimal"),
    ],
    ids=lambda more: " ".join(map(str, more)),
)
def test_names_of_forty_letters_fit(more, file, monkeypatch):
    cards = [
        [{"name": name_of(side, n), "PA": n + 5, "DIS": 3} for n in range(size)]
        for side, size in (("a", 5), ("b", 4))
    ]
    gains = [(name_of("a", 0), name_of("b", 1), 1.5)]
    a = file(f"a{LONG}".ljust(40, "y"), cards[0], gains, people="Griffons", policy="wait")
    b = file(f"b{LONG}".ljust(40, "z"), cards[1], people="Dirz", policy="cheap")
    monkeypatch.chdir(a.parent)
    text = assert_fits(("cards", a.name, b.name, *more), monkeypatch)
    bare = re.sub(r"\s", "", text)
    assert bare.count("x") >= 9 * 10  # nothing is cut off


def test_the_grid_has_the_cards_names_where_they_fit():
    text = estoc(*EXAMPLE).out
    assert re.search(r"^A before B, %  Tigre  Clone  Guerrier Kératis  Cypher Lukhan", text, re.M)
    assert re.search(r"^Abel +100 +0 +100 +100 *$", text, re.MULTILINE)


# --- rows: chances --------------------------------------------------------------------

SAMPLED = (*RANDOM, "--trials", 3000, "--seed", 7)


def test_sampled_rows_add_up_and_have_wilsons_interval():
    rows = answered(*SAMPLED)
    sections = dict.fromkeys(row["section"] for row in rows)
    assert set(sections) == {"army", "before", "acts", "change", "pair"}
    counted = [row for row in rows if row["count"] is not None]
    assert len(counted) == len(of(rows, "before")) + len(of(rows, "acts")) + 2
    for row in counted:
        low, high = wilson(row["count"], 3000)
        assert (row["p"], row["p_low"], row["p_high"]) == (row["count"] / 3000, low, high)
    firsts = of(rows, "army", what="speaks first")
    assert sum(row["count"] for row in firsts) == 3000
    cards = dict.fromkeys((row["side"], row["card"]) for row in of(rows, "acts"))
    assert len(cards) == CARDS
    for side, card in cards:
        assert sum(row["count"] for row in of(rows, "acts", side=side, card=card)) == 3000
    # in a speaking turn one side acts, with two cards at most
    for turn in range(1, 5):
        assert sum(row["count"] for row in of(rows, "acts", turn=turn)) <= 2 * 3000
    assert {(row["trials"], row["method"], row["seed"]) for row in rows} == {(3000, "mc", 7)}


def test_exact_rows_have_no_interval():
    rows = answered(*RANDOM, "--exact")
    assert rows == answered(*RANDOM)
    assert list(dict.fromkeys(row["section"] for row in rows if row["section"] != "pair")) == [
        *("army", "before", "acts", "change", "sequences", "play")
    ]
    empty = ("count", "p_low", "p_high", "value_low", "value_high", "trials", "seed")
    assert {row[key] for row in rows for key in empty} == {None}
    assert {row["method"] for row in rows} == {"exact"}
    for side, card in dict.fromkeys((row["side"], row["card"]) for row in of(rows, "acts")):
        total = sum(row["p"] for row in of(rows, "acts", side=side, card=card))
        assert total == pytest.approx(1, abs=1e-12)


def test_the_value_is_that_of_the_pairs():
    rows = answered(*RANDOM)
    gains = {  # A's, and B's, which A loses unless its card acts first
        ("Abel", "Clone"): 2,
        ("Templier", "Tigre"): -0.75,
        ("Fusilier", "Clone"): 1.5,
    }
    p = {(row["card"], row["other"]): row["p"] for row in of(rows, "before")}
    expected = sum(gain * p[pair] for pair, gain in gains.items()) - 1.5
    assert value_of(rows) == pytest.approx(expected)
    assert of(rows, "army", what="value to A")[0]["other"] == "gains"


def test_without_gains_the_value_is_a_share(file):
    a, b = file("A", ["p", "q"]), file("B", ["r"])
    rows = answered("cards", a, b, "--winner", "A")
    assert [row["p"] for row in of(rows, "before")] == [1, 0]  # p, r, q
    assert value_of(rows) == 50
    assert of(rows, "play") == []


def test_both_has_both_and_how_far_apart_they_are():
    words = (*RANDOM, "--trials", 3000, "--seed", 7, "--method", "both")
    rows = answered(*words)
    by_method = {m: [row for row in rows if row["method"] == m] for m in ("exact", "mc")}
    assert by_method["exact"] == answered(*RANDOM)
    assert by_method["mc"] == answered(*SAMPLED)
    text = estoc(*words).out
    said = re.search(
        r"sampled besides, 3,000 trials: at most (\d\.\d) standard errors from these, of (\d+) "
        r"proportions that are not certain",
        " ".join(text.split()),
    )

    def by_place(rows):
        place = ("section", "side", "card", "other", "turn")
        chances = [row for row in rows if row["section"] in ("before", "acts")]
        return {tuple(row[key] for key in place): row["p"] for row in chances}

    exact = by_place(by_method["exact"])
    gaps = [
        abs(seen - exact[place]) / (exact[place] * (1 - exact[place]) / 3000) ** 0.5
        for place, seen in by_place(by_method["mc"]).items()
        if 1e-9 < exact[place] < 1 - 1e-9
    ]
    assert float(said[1]) == round(max(gaps), 1)
    assert int(said[2]) == len(gaps)
    assert float(said[1]) < 5


def test_both_where_all_is_certain():
    text = estoc(*REAL, "--method", "both", "--trials", 200, "--seed", 1).out
    assert "sampled besides, 200 trials: all is certain, and so it was there" in text
    assert re.search(r"A4 +100 +100 +0 +100", text)


# --- rows: what changes are worth -----------------------------------------------------

OWN, ENEMY = ["a", "b", "c"], ["u", "v", "w", "x", "y"]
GAINS = [("a", "v", 2), ("b", "u", -0.5), ("c", "x", 1.25)]
ENEMY_GAINS = [("w", "b", 0.75), ("y", "c", 3)]


def sides(file, policy, scored):
    """Two armies whose players refuse, hold a card and use it again, nothing by chance."""
    one = policy("one", "refuse", "both", "reserve", speak="second")
    other = policy("other", "reserve", "top", speak="first")
    a = file("A", OWN, GAINS if scored else (), policy=one.name)
    return a, file("B", ENEMY, ENEMY_GAINS if scored else (), policy=other.name)


def before(rows, key):
    return {(row["card"], row["other"]): row[key] for row in of(rows, "before")}


# each change: whose it is, then what gives the phase with it and without it
FIRST = "speaking first, not second"
ROLL = "winning the Tactics roll"
CHANGES = {
    (FIRST, "A"): (("winner", "A", "speak", "first"), ("winner", "A", "speak", "second")),
    (ROLL, "A"): (("winner", "A"), ("winner", "B")),
    ("its 2 refusals", "A"): ((), ("without", "A", "both", "reserve")),
    ("its reserve", "A"): ((), ("without", "A", "refuse")),
    ("its reserve", "B"): ((), ("without", "B", "top")),
}


@pytest.mark.parametrize("scored", [True, False])
@pytest.mark.parametrize("how", [(), ("--trials", 400, "--seed", 3)], ids=["exact", "sampled"])
def test_a_change_is_the_phase_with_it_less_that_without(scored, how, file, policy):
    """Each asked for by files that say it: other words, or rules without the move."""
    a, b = sides(file, policy, scored)
    rows = answered("cards", a, b, "--winner", "coin", *how)

    def variant(*said):
        words, winner, one = [], "coin", a
        if "winner" in said:
            winner = said[said.index("winner") + 1]
        if "speak" in said:
            text = a.read_text(encoding="utf-8").replace(
                'name = "A"', f'name = "A"\nspeak = "{said[-1]}"'
            )
            one = a.with_name("spoken.toml")
            one.write_text(text, encoding="utf-8")
        if "without" in said:
            speak = "second" if said[1] == "A" else "first"
            left = policy("left", *said[2:], speak=speak)
            words = ["--policy", f"{said[1]}={left}"]
        return answered("cards", one, b, "--winner", winner, *words, *how)

    changes = of(rows, "change")
    assert {(row["what"], row["side"]) for row in changes} == set(CHANGES)
    key = "count" if how else "p"
    trials = 400 if how else 1
    for row in changes:
        with_it, without = (variant(*said) for said in CHANGES[row["what"], row["side"]])
        sign = 1 if row["side"] == "A" else -1
        worth = value_of(with_it) - value_of(without)
        assert row["value"] == pytest.approx(sign * worth, abs=1e-9)
        more, less = before(with_it, key), before(without, key)
        pairs = of(rows, "pair", what=row["what"], side=row["side"])
        assert len(pairs) == 15
        for pair in pairs:
            place = pair["card"], pair["other"]
            points = 100 * (more[place] - less[place]) / trials
            assert pair["value"] == pytest.approx(points, abs=1e-9)  # of A's card, on each side


def test_intervals_of_what_changes(file, policy):
    """Nothing is by chance but the coin: a pair is changed always one way, or never."""
    a, b = sides(file, policy, scored=True)
    rows = answered("cards", a, b, "--winner", "A", "--trials", 400, "--seed", 3)
    for row in of(rows, "pair"):
        moved = round(row["value"] * 4)
        assert moved in (-400, 0, 400)
        low, high = paired(moved, abs(moved), 400)
        assert (row["value_low"], row["value_high"]) == pytest.approx((100 * low, 100 * high))
    for row in [*of(rows, "change"), *of(rows, "army", what="value to A")]:
        assert row["value_low"] < row["value"] < row["value_high"]
        assert row["value_high"] - row["value"] == pytest.approx(row["value"] - row["value_low"])


def test_what_the_table_says_of_changes(file, policy):
    a, b = sides(file, policy, scored=True)
    words = ("cards", a, b, "--winner", "A")
    rows = {(r["side"], r["what"]): r for r in of(answered(*words), "change")}
    text = estoc(*words).out
    assert re.search(r"worth to its side +gains +changes most, percentage points", text)
    for (side, what), row in rows.items():
        shown = f"{row['value']:+.2f}".replace("-", "−") if row["value"] else "0"
        assert re.search(rf"^{side}  {re.escape(what)} +{re.escape(shown)}  ", text, re.M)


# --- rows: best play ------------------------------------------------------------------

SMALL = [("a", "v", 2), ("b", "u", -1.5), ("c", "v", 1.25), ("a", "u", 0.5)]
SMALL_ENEMY = [("w", "b", 0.75), ("u", "c", 2), ("v", "b", -1)]


@pytest.fixture
def small(file, policy):
    """Write two armies of three cards, their piles in this order."""
    plan = policy("plan", "reserve", "both", speak="second")

    def write(a="abc", b="uvw"):
        return (
            file("A", "abc", SMALL, order=list(a), policy=plan.name),
            file("B", "uvw", SMALL_ENEMY, order=list(b)),
        )

    return write


def plays(rows):
    return {row["what"]: row for row in of(rows, "play")}


PILE = "{} plays its best, with its best pile"


@pytest.mark.parametrize("winner", ["A", "B", "coin"])
def test_best_play_is_what_policy_optimal_gives(winner, small):
    words = ("cards", *small(), "--winner", winner)
    found = plays(answered(*words))
    assert list(found) == [
        "as their policies say",
        "A plays its best",
        "B plays its best",
        "both play their best",
        PILE.format("A"),
        PILE.format("B"),
    ]
    for what, policies in (
        ("as their policies say", ()),
        ("A plays its best", ("--policy", "A=optimal")),
        ("B plays its best", ("--policy", "B=optimal")),
        ("both play their best", ("--policy", "optimal")),
    ):
        rows = answered(*words, *policies)
        assert found[what]["value"] == pytest.approx(value_of(rows), abs=1e-9), what
    worth = {what: row["value"] for what, row in found.items()}
    assert worth["B plays its best"] <= worth["as their policies say"] <= worth["A plays its best"]
    both = worth["both play their best"]
    assert worth["B plays its best"] - 1e-9 <= both <= worth["A plays its best"] + 1e-9


@pytest.mark.parametrize("side", ["A", "B"])
def test_the_best_pile_is_the_best_of_all_orders(side, small):
    row = plays(answered("cards", *small(), "--winner", "coin"))[PILE.format(side)]
    assert row["side"] == side
    worths = {}
    for order in permutations("abc" if side == "A" else "uvw"):
        armies = small(**{side.lower(): order})
        asked = ("cards", *armies, "--winner", "coin", "--policy", f"{side}=optimal")
        worths["; ".join(order)] = value_of(answered(*asked))
    best = max(worths.values()) if side == "A" else min(worths.values())
    assert len(set(worths.values())) > 1
    assert row["value"] == pytest.approx(best, abs=1e-9)
    assert worths[row["card"]] == pytest.approx(best, abs=1e-9)


def test_best_play_where_no_pile_is_tried(file):
    """Of piles with so many orders that neither side's best one is looked for."""
    a = file("A", [f"a{n}" for n in range(9)], [("a1", "b1", 1)])
    b = file("B", [f"b{n}" for n in range(9)])
    words = ("cards", a, b, "--winner", "A")
    found = plays(answered(*words))
    assert [what for what in found if "pile" in what] == []
    done = estoc(*words)
    assert done.code == 0, done.err
    for what, row in found.items():
        shown = f"{row['value']:+.2f}".replace("-", "−") if row["value"] else "0"
        assert re.search(rf"^{what} +{re.escape(shown)} *$", done.out, re.MULTILINE)


def test_the_best_pile_is_given_against_best_play_too(small):
    found = plays(answered("cards", *small(), "--winner", "A", "--policy", "A=optimal"))
    assert list(found) == ["as their policies say", "both play their best", PILE.format("B")]
    worths = [
        value_of(answered("cards", *small(b=order), "--winner", "A", "--policy", "optimal"))
        for order in permutations("uvw")
    ]
    assert found[PILE.format("B")]["value"] == pytest.approx(min(worths), abs=1e-9)


def test_a_pile_of_many_orders_is_not_tried(file):
    a = file("A", [f"a{n}" for n in range(9)], [("a1", "b1", 1)])
    b = file("B", ["b1"])
    found = plays(answered("cards", a, b, "--winner", "A"))
    assert PILE.format("A") not in found
    assert PILE.format("B") in found


@pytest.mark.parametrize("told", ["A", "B", "AB"])
def test_no_best_play_against_moves_told_in_advance(told, file):
    """They need not be legal any more once the other plays otherwise."""
    moves = {side: {"moves": ["top", "top"]} if side in told else {} for side in "AB"}
    a = file("A", "abc", SMALL, **moves["A"])
    b = file("B", "uvw", SMALL_ENEMY, **moves["B"])
    words = ("cards", a, b, "--winner", "A")
    rows = answered(*words)
    found = plays(rows)
    assert ("A plays its best" in found) == (PILE.format("A") in found) == ("B" not in told)
    assert ("B plays its best" in found) == (PILE.format("B") in found) == ("A" not in told)
    assert {"as their policies say", "both play their best"} <= set(found)
    assert of(rows, "change") == of(rows, "pair") == []
    done = estoc(*words)
    assert done.code == 0, done.err
    assert "moves are told in advance: nothing to compare them with" in done.out


# --- rows: sequences ------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (5, 4), (3, 7), (15, 1)])
def test_sequences_of_moves(sizes, file):
    own, enemy = sizes
    a, b = (
        file(name, [f"{name}{n}" for n in range(size)])
        for name, size in zip("ab", sizes, strict=True)
    )
    words = ("cards", a, b, "--winner", "A")
    for alone in (False, True):
        rule = ("--rule", "cards.refusal_alone=true") if alone else ()
        found = of(answered(*words, *rule), "sequences")
        assert [(row["side"], row["number"]) for row in found] == [
            ("A", count_sequences(own, enemy, refusal_alone=alone)),
            ("B", count_sequences(enemy, own, refusal_alone=alone)),
        ]
    assert of(answered(*words, "--trials", 5), "sequences") == []


def test_sequences_of_the_example_in_words():
    plain, alone = (
        " ".join(estoc(*EXAMPLE, *rule).out.split())
        for rule in ((), ("--rule", "cards.refusal_alone=true"))
    )
    counted = "complete legal sequences of moves: {:,} if A speaks first, {:,} if B speaks first"
    assert counted.format(2360, 2470) in plain
    assert "depends on 1 assumed value: cards.refusal_alone" in plain
    more = count_sequences(5, 4, refusal_alone=True), count_sequences(4, 5, refusal_alone=True)
    assert counted.format(*more) in alone
    assert more > (2360, 2470)
    assert "assumed" not in alone


def test_sequences_of_many_cards_are_not_counted(file):
    a, b = file("a", [f"a{n}" for n in range(16)]), file("b", ["b"])
    assert of(answered("cards", a, b, "--winner", "A"), "sequences") == []


# --- files ----------------------------------------------------------------------------

ASKED = {
    "exact": (*RANDOM, "--winner", "B"),
    "sampled": SAMPLED,
    "both": (*SAMPLED, "--method", "both"),
    "told": (*REAL, "--policy", "random", "--transcript", "--seed", 4, "--trial", 3),
}


@pytest.mark.parametrize("words", ASKED.values(), ids=list(ASKED))
def test_files_of_each_format(words, tmp_path):
    rows = answered(*words)
    for form in FORMS:
        path = tmp_path / f"table.{form}"
        done = estoc(*words, "-o", path)
        assert (done.code, done.data) == (0, b"")
        assert done.err.startswith(f"estoc: wrote {path}, {len(rows)} rows")
        assert path.read_bytes() == estoc(*words, "--format", form).data
    assert json.loads((tmp_path / "table.json").read_bytes()) == rows
    assert pq.read_table(tmp_path / "table.parquet").to_pylist() == rows
    read = list(csv.DictReader(io.StringIO((tmp_path / "table.csv").read_text("utf-8"))))
    assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    assert estoc(*words, "-o", tmp_path / "table.txt").code == 0
    text = (tmp_path / "table.txt").read_text("utf-8")
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[0].endswith(": activation phase")


def test_the_type_of_a_column_does_not_hang_on_the_method(tmp_path):
    schemas = []
    for name in ("exact", "sampled", "both"):
        path = tmp_path / f"{name}.parquet"
        assert estoc(*ASKED[name], "-o", path).code == 0
        schemas.append(pq.read_schema(path).remove_metadata())
    assert schemas[0] == schemas[1] == schemas[2]


def test_threads_change_no_byte():
    files = {estoc(*SAMPLED, "--threads", n, "--format", "csv").data for n in (1, 2, 4)}
    assert len(files) == 1


@pytest.mark.parametrize(
    "words",
    [
        *ASKED.values(),
        (*EXAMPLE, "--rule", "cards.refusal_alone=true"),
        (*REAL, "--edition", "c3", "--winner", "coin", "--policy", "A=threat"),
        (*REAL, "--policy", "B=optimal", "--transcript"),
    ],
)
def test_the_command_of_each_row_gives_it_again(words):
    rows = answered(*words)
    for command in dict.fromkeys(row["command"] for row in rows):
        made = [row for row in rows if row["command"] == command]
        assert answered(*shlex.split(command)[1:]) == made
    table = estoc(*words).out
    assert estoc(*command_again(table)[1:]).out == table


def test_the_command_of_armies_and_policies_in_files(file, policy, tmp_path):
    folder = tmp_path / "my best armies'$"
    folder.mkdir()
    plan = policy("plan", "any")
    a, b = file("A", OWN), file("B", ENEMY)
    moved = [path.rename(folder / path.name) for path in (a, b, plan)]
    words = ("cards", *moved[:2], "--policy", f"b={moved[2]}", "--trials", 50, "--winner", "a")
    rows = answered(*words)
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    again = command_again(estoc(*words, "--seed", rows[0]["seed"]).out)
    assert answered(*again[1:]) == rows


# --- replay ---------------------------------------------------------------------------


def test_a_run_is_replayed_by_its_file_or_its_command(tmp_path):
    words = (*SAMPLED, "--rule", "cards.refusal_alone=true")
    told = estoc(*RANDOM, *words[5:], "--transcript", "--trial", 17)
    assert told.code == 0, told.err
    assert "trial 17" in told.out
    assert estoc("replay", *words, "--trial", 17) == told
    assert estoc("replay", "estoc", *words, "--trial", 17) == told
    assert estoc("replay", *words, "--trial", 18).out != told.out
    for form in FORMS:
        path = tmp_path / f"table.{form}"
        assert estoc(*words, "-o", path).code == 0
        assert estoc("replay", path, "--trial", 17) == told
        assert estoc("replay", path, "--trial", 17, "--row", 40) == told
    rows = answered("replay", *words, "--trial", 17)
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows


def test_replays_are_the_trials_that_were_counted(file, policy):
    a = file("A", OWN, policy=policy("any", "any").name)
    b = file("B", ENEMY, policy="random")
    words = ("cards", a, b, "--winner", "coin", "--trials", 30, "--seed", 12)
    counted, acts, firsts = answered(*words), {}, {"A": 0, "B": 0}
    for trial in range(30):
        rows = answered("replay", *words, "--trial", trial)
        firsts[rows[0]["side"]] += 1
        for row in rows:
            for card in filter(None, (row["from_reserve"], row["from_pile"])):
                place = row["side"], card, row["turn"]
                acts[place] = acts.get(place, 0) + 1
    assert acts == {(r["side"], r["card"], r["turn"]): r["count"] for r in of(counted, "acts")}
    assert firsts == {r["side"]: r["count"] for r in of(counted, "army", what="speaks first")}


def test_rows_of_both_methods_are_replayed_if_they_were_sampled(tmp_path):
    path = tmp_path / "table.json"
    assert estoc(*ASKED["both"], "-o", path).code == 0
    rows = json.loads(path.read_bytes())
    sampled = next(n for n, row in enumerate(rows, 1) if row["method"] == "mc")
    assert estoc("replay", path, "--trial", 2, "--row", sampled).code == 0
    assert "exact odds have no trials" in refused("replay", path, "--trial", 2)


def test_a_replay_wants_a_trial_of_the_run(tmp_path):
    path = tmp_path / "table.csv"
    assert estoc(*SAMPLED, "-o", path).code == 0
    assert "the run has trials 0 to 2999" in refused("replay", path, "--trial", 3000)
    assert "trial -1" in refused("replay", path, "--trial", -1)
    assert "--seed" in refused("replay", *REAL, "--trial", 0)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('name = "b"', 'name = "bb"'),
        ("PA = 7", "PA = 1"),
        ('policy = "cheap"', 'policy = "dear"'),
        ('speak = "second"', 'speak = "first"'),
        ("gain = 2", "gain = 3"),
    ],
)
def test_a_result_of_an_army_that_was_changed_is_not_replayed(old, new, file, tmp_path):
    cards = [{"name": name, "PA": 5 + n} for n, name in enumerate("abc")]
    a = file("A", cards, [("a", "u", 2)], policy="cheap", speak="second")
    b = file("B", ENEMY)
    path = tmp_path / "table.parquet"
    assert estoc("cards", a, b, "--winner", "A", "--trials", 9, "-o", path).code == 0
    assert estoc("replay", path, "--trial", 2).code == 0
    text = a.read_text(encoding="utf-8")
    assert old in text
    a.write_text(text.replace(old, new), encoding="utf-8")
    assert "not those of the result any more" in refused("replay", path, "--trial", 2)
    a.write_text(text, encoding="utf-8")
    assert estoc("replay", path, "--trial", 2).code == 0


# --- pictures -------------------------------------------------------------------------


def texts_of(picture) -> list[str]:
    return [t.get_text() for t in picture.findobj(matplotlib.text.Text) if t.get_text()]


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
@pytest.mark.parametrize("asked", ["sampled", "told"])
def test_pictures(ending, asked, tmp_path):
    drawn = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        done = estoc(*ASKED[asked], "--format", "csv", "--plot", path)
        assert (done.code, done.err) == (0, f"estoc: drew {path}\n")
        drawn.append(path.read_bytes())
    assert drawn[0] == drawn[1]
    assert drawn[0].startswith({"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending])
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"one.{ending}", f"two.{ending}"]


def example():
    question = ask("griffon", "scorpion", winner="A")
    return answer(question, chosen(question, Run()))


def test_the_picture_of_certain_chances():
    picture = example().plot()
    (axes,) = picture.axes
    assert [t.get_text() for t in axes.texts] == ["100"] * 9
    assert [t.get_text() for t in axes.get_yticklabels()] == [
        *(f"{n}  A" for n in ("Conscrit", "Templier", "Abel", "Inquisiteur", "Fusilier")),
        *(f"{n}  B" for n in ("Tigre", "Clone", "Guerrier Kératis", "Cypher Lukhan")),
    ]
    places = [(t.get_position()[0], t.get_position()[1]) for t in axes.texts]
    assert places == [(2, 0), (10, 1), (6, 2), (8, 3), (10, 4), (7, 5), (5, 6), (7, 7), (9, 8)]
    assert "darkest 100;" in axes.get_title()
    assert "exact odds" in axes.get_xlabel()


@pytest.mark.parametrize("p", [0.994, 0.996, 0.9996, 1 - 1e-9])
def test_what_is_not_certain_is_not_drawn_as_100(p):
    result = example()
    rows = [row | {"p": p} if row["section"] == "acts" else row for row in result]
    picture = replace(result, rows=rows).plot()
    assert [t.get_text() for t in picture.axes[0].texts] == ["99"] * 9
    assert not any("100" in text for text in texts_of(picture))


def test_the_picture_of_chances():
    question = ask("daikinee", "devoreurs", policies=("random",))
    result = answer(question, chosen(question, Run(trials=500, seed=3)))
    (axes,) = result.plot().axes
    acts = [row for row in result if row["section"] == "acts"]
    assert len(axes.patches) == len(acts)
    written = [f"{100 * row['p']:.0f}" for row in acts if row["p"] >= 0.05]
    assert sorted(t.get_text() for t in axes.texts) == sorted(written)
    assert "seed 3" in axes.get_xlabel()
    assert axes.get_xlim()[1] == max(row["turn"] for row in acts) + 0.5


def test_the_picture_of_one_phase():
    from estoc.sim.phases.cards import transcript

    result = transcript(ask("griffon", "scorpion", winner="A"), seed=1)
    picture = result.plot()
    (axes,) = picture.axes
    assert [t.get_text() for t in axes.get_yticklabels()] == [
        *(f"{n}  A" for n in ("Conscrit", "Abel", "Inquisiteur", "Templier", "Fusilier")),
        *(f"{n}  B" for n in ("Clone", "Tigre", "Guerrier Kératis", "Cypher Lukhan")),
    ]
    bars = {(p.get_x(), p.get_width()) for p in axes.patches}
    assert {(3.5, 6.5), (2.5, 4.5)} <= bars  # Templier and Tigre, in reserve until they act
    assert (0.5, 1.0) in bars  # the refusal
    assert len(axes.patches) == 9 + 2 + 1


def test_names_in_pictures_are_never_formulas(file):
    a, b = file("$x^2$ & <b>", ["$a_1$", "<i>&"]), file("B", ["$u$"])
    for more in (("--trials", 9), ("--transcript",)):
        path = a.with_name("picture.svg")
        done = estoc("cards", a, b, "--winner", "A", *more, "--plot", path)
        assert done.code == 0, done.err
    question = ask(str(a), str(b), winner="A")
    picture = answer(question, chosen(question, Run())).plot()
    assert {"$a_1$  A", "<i>&  A", "$u$  B"} <= set(texts_of(picture))
    assert not any(
        t.get_parse_math() for t in picture.findobj(matplotlib.text.Text) if "$" in t.get_text()
    )


# --- refusals -------------------------------------------------------------------------

WRONG = {
    "exact and mc": ((*REAL, "--exact", "--method", "mc"), ["--exact", "--method mc"]),
    "exact and both": ((*REAL, "--exact", "--method", "both"), ["--exact", "--method both"]),
    "exact and seed": ((*REAL, "--exact", "--seed", 1), ["exact", "seed"]),
    "exact and trials": ((*REAL, "--exact", "--trials", 5), ["exact", "trials"]),
    "no trial": ((*REAL, "--trials", 0), ["trials should be at least 1, not 0"]),
    "trial": ((*REAL, "--trial", 3), ["--trial ", "--transcript"]),
    "told trials": ((*REAL, "--transcript", "--trials", 3), ["--transcript", "--trials"]),
    "told exactly": ((*REAL, "--transcript", "--exact"), ["--transcript", "--exact"]),
    "told by a method": ((*REAL, "--transcript", "--method", "mc"), ["--transcript", "--method"]),
    "told trial -1": ((*REAL, "--transcript", "--trial", -1), ["trial -1", "from 0"]),
    "best sampled": ((*REAL, "--policy", "A=optimal", "--method", "mc"), ["optimal", "exact"]),
    "best both": ((*REAL, "--policy", "optimal", "--method", "both"), ["optimal", "exact"]),
    "best seed": ((*REAL, "--policy", "B=optimal", "--seed", 3), ["optimal", "exact"]),
    "winner": ((*REAL, "--winner", "C"), ["--winner", "'C'", "coin"]),
    "side": ((*REAL, "--policy", "C=wait"), ['"C=wait"', "A or B"]),
    "policy": ((*REAL, "--policy", "xyzzy"), ['"xyzzy"', "wait", "optimal"]),
    "policy of a side": ((*REAL, "--policy", "B=waite"), ['"waite"', "nearest: wait"]),
    "best mistyped": ((*REAL, "--policy", "optimum"), ['"optimum"', "nearest: optimal"]),
    "policy file": ((*REAL, "--policy", "no.toml"), ["no.toml", "cannot be read"]),
    "army": (("cards", "grifon", "scorpion"), ['"grifon"', "nearest: griffon"]),
    "army file": (("cards", "griffon", "no.toml"), ["no.toml", "cannot be read"]),
    "one army": (("cards", "griffon"), ["B.toml"]),
    "rule": ((*REAL, "--rule", "cards.refusal=true"), ["cards.refusal", "cards.refusal_alone"]),
    "fighters": ((*REAL, "--fighters", "no.csv"), ["no.csv"]),
    "picture": ((*REAL, "--plot", "cards.jpg"), ["cards.jpg", ".png"]),
    "file": ((*REAL, "-o", "cards.doc"), ["cards.doc", ".csv"]),
    "no DIS": (("cards", "griffon", "devoreurs"), ["DIS", "--winner"]),
    "no PA": ((*EXAMPLE, "--policy", "A=dear"), ["PA", "griffon"]),
}


@pytest.mark.parametrize(("words", "fragments"), WRONG.values(), ids=list(WRONG))
def test_wrong_questions_are_refused_in_a_line(words, fragments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = refused(*words)
    assert [f for f in fragments if f not in line] == []
    assert list(tmp_path.iterdir()) == []


def test_random_piles_of_many_orders(file, tmp_path):
    """The players look at which card is which, so that each order counts."""
    text = 'name = "looks"\norder = "random"\n[[rules]]\ndo = "reserve"\nwhen = ["{} {}"]'
    for side, enemy in ("AB", "BA"):
        path = tmp_path / f"{side}-looks.toml"
        path.write_text(text.format("not acted", f"{enemy}0"), encoding="utf-8")
    a, b = (
        file(name, [f"{name}{n}" for n in range(6)], policy=f"{name}-looks.toml") for name in "AB"
    )
    words = ("cards", a, b, "--winner", "A")
    for method in (("--exact",), ("--method", "exact"), ("--method", "both")):
        line = refused(*words, *method)
        assert "518,400 pairs of orders" in line
        assert "--method mc" in line
    assert "518,400" in refused(*words, "--policy", "B=random", "--exact")
    assert estoc(*words, "--policy", "B=listed", "--exact").code == 0  # 720 orders
    assert "best play needs exact odds" in refused(
        *("cards", a, file("C", [f"c{n}" for n in range(7)], policy="random")),
        *("--winner", "A", "--policy", "A=optimal"),
    )
    done = estoc(*words)  # sampled, and it says why
    assert done.code == 0
    assert "518,400 pairs of orders" in done.out
    assert "--method mc --trials 100000" in " ".join(command_again(done.out))


def test_the_same_gain_twice(file):
    b = file("B", ["Tigre", "Clone"])
    for again in (("Abel", "Tigre", 1), ("abel", "TIG", 1)):
        a = file("A", ["Abel", "Templier"], [("Abel", "Tigre", 2), again])
        for order in ((a, b), (b, a)):
            line = refused("cards", *order, "--winner", "A")
            assert line.startswith(f"estoc: {a}: gains: ")
            assert "twice" in line


def test_a_gain_on_a_card_that_the_enemy_lacks(file):
    a = file("A", ["Abel"], [("Abel", "Tigre", 2), ("Abel", "Dragon", 5)])
    b = file("B", ["Tigre"])
    words = ("cards", a, b, "--winner", "A")
    remark = 'A: a gain is left out: B has no "Dragon"'
    assert remark in estoc(*words).out
    rows = answered(*words)
    assert {row["remarks"] for row in rows} == {remark}
    assert value_of(rows) == 2
    assert "a gain is left out" in estoc(*words, "--transcript").out
    line = refused("cards", file("C", ["Abel"], [("Able", "Tigre", 2)]), b, "--winner", "A")
    assert 'C has no card "Able"; nearest: Abel' in line


def test_a_people_that_was_mistyped(file):
    a, b = file("A", ["Abel"], people="Grifons"), file("B", ["Tigre"])
    line = refused("cards", a, b, "--winner", "A")
    assert line.startswith(f"estoc: {a}: people: ")
    assert "nearest: Griffons" in line
    a = file("A", [{"name": "Abel", "people": "Grifons"}])
    assert "cards item 1: people: " in refused("cards", a, b, "--winner", "A")


def test_a_fighter_whose_name_was_mistyped(file):
    a, b = file("A", ["Garde pretoriem", "Nobody at all"]), file("B", ["Tigre"])
    words = ("cards", a, b, "--winner", "A")
    remark = f'"Garde pretoriem" is no fighter that is known; nearest: {GUARD}'
    assert remark in " ".join(estoc(*words).out.split())
    assert {row["remarks"] for row in answered(*words)} == {remark}


def test_cards_without_fighters_are_left_out(file):
    """A-1.2, and the refusals are those of the cards that remain (A-3.1)."""
    whole = [{"name": name} for name in OWN]
    gone = [whole[0] | {"fighters": 0}, *whole[1:]]
    enemy = file("B", ["u", "v", "w"], [("u", "a", 3), ("v", "b", 1)])
    for cards, refusals in ((whole, 0), (gone, 1)):
        rows = answered("cards", file("A", cards), enemy, "--winner", "A")
        assert of(rows, "army", what="cards", side="A")[0]["number"] == 3 - refusals
        assert of(rows, "army", what="refusals", side="A")[0]["number"] == refusals
        assert of(rows, "army", what="refusals", side="B")[0]["number"] == 0
        assert ("a" in {row["card"] for row in of(rows, "acts")}) == (not refusals)
        assert bool(of(rows, "change", what="its 1 refusal", side="A")) == bool(refusals)
    assert rows[0]["remarks"] == 'B: a gain is left out: A has no "a"'
    assert value_of(rows) == pytest.approx(-1 + of(rows, "before", card="b", other="v")[0]["p"])
    line = refused("cards", file("A", [c | {"fighters": 0} for c in whole]), enemy)
    assert "no card has a fighter left (A-1.2)" in line


@pytest.mark.parametrize("speak", ["first", "second"])
@pytest.mark.parametrize("name", [None, *(n for n in SHIPPED if n != "random")])
def test_who_the_file_lets_speak_first_is_kept(speak, name, file):
    cards = [{"name": card, "PA": 3, "threat": 4} for card in OWN]
    a, b = file("A", cards, speak=speak), file("B", ENEMY)
    words = ("cards", a, b, "--winner", "A", *(("--policy", f"A={name}") if name else ()))
    for told, expected in ((a, speak), (file("N", cards), name and load_card_policy(name).speak)):
        rows = answered(words[0], told, *words[2:])
        first = of(rows, "army", what="speaks first", side="A")[0]["p"]
        assert first == (expected != "second")


# --- the best line --------------------------------------------------------------------


def worth_of_line(rows, gains, enemy_gains) -> float:
    """What a phase told move by move is worth to A."""
    turns = {
        (row["side"], card): row["turn"]
        for row in rows
        for card in (row["from_reserve"], row["from_pile"])
        if card
    }
    won = sum(gain for own, enemy, gain in gains if turns["A", own] < turns["B", enemy])
    lost = sum(gain for own, enemy, gain in enemy_gains if turns["B", own] < turns["A", enemy])
    return won - lost


@pytest.mark.parametrize("winner", ["A", "B"])
@pytest.mark.parametrize("policies", ["A=optimal", "B=optimal", "optimal"])
def test_the_best_line_is_worth_what_best_play_is(winner, policies, file, policy):
    a, b = sides(file, policy, scored=True)
    words = ("cards", a, b, "--winner", winner, "--policy", policies)
    rows = answered(*words, "--transcript")
    assert {row["won_roll"] for row in rows} == {winner}
    assert {(row["method"], row["seed"], row["trial"]) for row in rows} == {("exact", None, None)}
    worth = worth_of_line(rows, GAINS, ENEMY_GAINS)
    exact = answered(*words)
    assert value_of(exact) == pytest.approx(worth, abs=1e-9)
    acts = {(r["side"], r["card"], r["turn"]) for r in of(exact, "acts") if r["p"] == 1}
    assert acts == {
        (r["side"], card, r["turn"])
        for r in rows
        for card in (r["from_reserve"], r["from_pile"])
        if card
    }


def test_a_random_pile_has_no_best_line():
    for policies in (("A=optimal", "B=random"), ("random", "B=optimal")):
        words = [word for text in policies for word in ("--policy", text)]
        assert "no one best line" in refused(*REAL, *words, "--transcript")


# --- Ctrl-C ---------------------------------------------------------------------------


def at_once(*_):
    raise KeyboardInterrupt


def after_one(tasks, threads, in_order=parallel.in_order):
    yield next(in_order(tasks, threads))
    raise KeyboardInterrupt


LONGER = (*RANDOM, "--seed", 6, "--trials", 1000)


def test_interrupted_before_the_first_trial(monkeypatch, tmp_path):
    monkeypatch.setattr("estoc.sim.base.parallel.in_order", at_once)
    for words in (LONGER, (*LONGER, "--format", "json"), (*LONGER, "-o", tmp_path / "a.csv")):
        done = estoc(*words)
        assert (done.code, done.data) == (1, b"")
        assert done.err == "estoc: stopped by Ctrl-C after 0 of 1,000 trials\n"
    assert list(tmp_path.iterdir()) == []


def test_exact_odds_are_kept_when_the_trials_are_interrupted(monkeypatch):
    exact = answered(*RANDOM)
    monkeypatch.setattr("estoc.sim.base.parallel.in_order", at_once)
    done = estoc(*LONGER, "--method", "both", "--format", "json")
    assert done.code == 1
    assert done.err == "estoc: stopped by Ctrl-C after 0 of 1,000 trials\n"
    assert done.rows == exact
    table = estoc(*LONGER, "--method", "both")
    assert table.code == 1
    assert "stopped after 0 of 1,000 trials" in table.out
    assert "exact odds" in table.out
    assert "sampled besides" not in table.out


def test_interrupted_after_some_trials(monkeypatch):
    few = answered(*RANDOM, "--seed", 6, "--trials", 100)
    exact = answered(*RANDOM)
    monkeypatch.setattr("estoc.sim.phases.card_sampling.CHUNK", 100)
    monkeypatch.setattr("estoc.sim.base.parallel.in_order", after_one)
    said = "estoc: stopped by Ctrl-C after 100 of 1,000 trials\n"
    done = estoc(*LONGER, "--format", "json")
    assert (done.code, done.err) == (1, said)
    assert done.rows == few  # with the command that gives them again
    table = estoc(*LONGER)
    assert table.code == 1
    assert "stopped after 100 of 1,000 trials" in table.out
    assert "of 100 trials; 95 % Wilson interval" in table.out
    both = estoc(*LONGER, "--method", "both", "--format", "json")
    assert (both.code, both.err) == (1, said)
    assert both.rows == [*exact, *few]
    assert "sampled besides, 100 trials" in estoc(*LONGER, "--method", "both").out


def test_exact_odds_interrupted(monkeypatch):
    monkeypatch.setattr("estoc.sim.phases.cards.exact_odds", at_once)
    done = estoc(*REAL)
    assert (done.code, done.data) == (1, b"")
    assert line_of(done) == "estoc: stopped by Ctrl-C; nothing was done"


# --- policies as files ----------------------------------------------------------------


@pytest.mark.parametrize("name", SHIPPED)
def test_the_file_of_a_policy_reads_as_that_policy(name, tmp_path):
    done = estoc("policy", name)
    assert (done.code, done.err) == (0, "")
    path = tmp_path / "mine.toml"
    path.write_bytes(done.data)
    read = load_card_policy(str(path))
    assert replace(read, file="") == load_card_policy(name)
    asked = [
        [
            {**row, "policy": "", "command": ""}
            for row in answered(*REAL, "--policy", f"A={text}", "--trials", 50, "--seed", 2)
        ]
        for text in (name, path)
    ]
    assert asked[0] == asked[1]


def test_unknown_policies_have_no_file():
    assert "nearest: wait" in refused("policy", "weit")
    assert "wait" in refused("policy", "xyzzy")
    line = refused("policy", OPTIMAL)  # it is one, only not made of rules
    assert '"optimal" is neither a policy' not in line


# --- terminals that lack letters ------------------------------------------------------


def shown(encoding, *words) -> str:
    """Return what a terminal of another encoding shows."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding) for _ in range(2))
    code: object = None
    argv = patch.object(sys, "argv", ["estoc", *map(str, words)])
    with argv, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    out.flush()
    assert not code
    return out.buffer.getvalue().decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize(
    ("words", "figures"),
    [
        (EXAMPLE, ["2,360", "40.00"]),
        ((*EXAMPLE, "--transcript"), ["Tigre (reserve) + Guerrier K", "0/-"]),
        (
            (*RANDOM, "--method", "both", "--trials", 100, "--seed", 1),
            ["sampled besides, 100 trials"],
        ),
        ((*RANDOM, "--trials", 100, "--seed", 1), ["of 100 trials", " to "]),
    ],
    ids=["exact", "told", "both", "sampled"],
)
def test_terminals_that_lack_letters(encoding, words, figures):
    text = shown(encoding, *words)
    assert [part for part in figures if part not in text] == []
    assert "?" not in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_the_file_of_a_policy_on_terminals_that_lack_letters(encoding):
    assert tomllib.loads(shown(encoding, "policy", "wait"))["name"] == "wait"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_names_that_a_terminal_lacks(encoding, file):
    a, b = file("Épée", ["Œil → 剣", "Łódź"]), file("Ñandú", ["Étoile"])
    text = shown(encoding, "cards", a, b, "--winner", "A", "--trials", 20, "--seed", 1)
    assert "Lodz" in text or "Lódz" in text
    assert "-> ?" in text


def test_a_card_is_changed_as_in_a_combat():
    told = Options(sets=("Tigre.DIS=4", "A.PA=7", "Templier.ATT=9", "Templier.FOR=3"))
    question = ask("griffon", "scorpion", options=told)
    plain = ask("griffon", "scorpion", winner="coin")
    assert {card.PA for card in question.a.cards} == {7}
    assert [card.PA for card in question.b.cards] == [card.PA for card in plain.b.cards]
    tigre = question.b.cards[question.b.index("Tigre", "")]
    assert (tigre.DIS, tigre.profile and tigre.profile.DIS) == (4, 4)
    templier = question.a.cards[question.a.index("Templier", "")]
    assert templier.threat == 12
    dis = ("--set", "Tigre.DIS=4", "--set", "Abel.DIS=5")
    rows = answered("cards", "griffon", "scorpion", *dis, "--exact")
    assert "--set Tigre.DIS=4" in rows[0]["command"]
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
