"""What a person reads: every figure of a known result, within the width of a terminal."""

import io
import re
import shlex
from contextlib import redirect_stdout
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from running import estoc
from strategies import profiles

from estoc.profiles import Profile, Roster, edition_names, load_edition
from estoc.sim.base.answer import AnswerKind
from estoc.sim.base.options import Options
from estoc.sim.base.printed import answer, plain_text, print_result
from estoc.sim.base.result import Result
from estoc.sim.cli.listing import edition_table, profile_card, profiles_table
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel
from estoc.sim.combat.sweep import SWEEP, sweep
from estoc.sim.combat.table import pairs, state_columns
from estoc.sim.combat.transcript import REPLAY
from estoc.sim.text.printing import print_renderable, rendered, short_names

ROSTER = Roster.load()
GUARD, WARRIOR, ARKEON = (
    ROSTER.find(name) for name in ("Garde prétorien", "Guerrier de l'aube", "Arkéon Sanath")
)
CENSUS = AnswerKind("census")
KNOWN = Options(sets=("Arkéon Sanath.ATT=5", "Arkéon Sanath.RES=9"))
ABLE = [p for p in ROSTER if None not in (p.INI, p.ATT, p.FOR, p.DEF, p.RES)]


@pytest.fixture(scope="module")
def a_duel():
    return duel(GUARD, WARRIOR, trials=100, seed=1)


@pytest.fixture(scope="module")
def a_combat():
    return combat(ARKEON, [WARRIOR] * 3, trials=1000, seed=1, options=KNOWN)


def counted(result, a, b, undecided, **more):
    """Return the duel as if it had ended so many times in each way."""
    n = a + b + undecided
    counts = {"wins_a": a, "wins_b": b, "undecided": undecided, "trials": n, "first_a": n // 2}
    return replace(result, rows=[{**result.rows[0], **counts, **more}])


def cells(text, start):
    """Return the cells of the first line that starts so."""
    line = next(line for line in text.splitlines() if line.startswith(start))
    return re.split(r"\s{2,}", line.strip())


def test_duel(a_duel):
    means = {"wounds_a": 0.25, "wounds_b": 1.5, "destroyed": 13.3, "lost": None, "first_a": 50_000}
    text = plain_text(counted(a_duel, 7010, 470, 92_520, **means), 80)
    assert text.startswith("Garde prétorien against Guerrier de l'aube, 1 turn\n")
    assert cells(text, "A wins (B dead)")[1:] == ["7,010", "7.01", "6.85 – 7.17"]
    assert cells(text, "B wins (A dead)")[1:] == ["470", "0.47", "0.43 – 0.51"]
    assert cells(text, "undecided")[1:] == ["92,520", "92.52", "92.36 – 92.68"]
    assert cells(text, "all trials")[1:] == ["100,000"]
    assert cells(text, "mean wounds")[1:] == ["0.25", "1.50"]
    assert cells(text, "mean points destroyed")[1:] == ["13.30", "–"]
    assert cells(text, "struck first")[1:] == ["50.0 %", "50.0 %"]
    assert "seed 1, literal sampler, policy sensible, edition conffede" in text
    assert "dice by policy" in text


@given(st.lists(st.integers(0, 10**6), min_size=3, max_size=3).filter(any))
@settings(max_examples=50)
def test_outcomes_add_up_and_are_never_adjusted(a_duel, counts):
    text = plain_text(counted(a_duel, *counts), 80)
    rows = [cells(text, what) for what in ("A wins", "B wins", "undecided", "all trials")]
    shown = [int(row[1].replace(",", "")) for row in rows]
    assert shown[:3] == counts
    assert shown[3] == sum(counts)
    for row, k in zip(rows, counts, strict=False):
        if 0 < k < sum(counts):
            assert 0 < float(row[2]) < 100
            decimals = len(row[2].partition(".")[2])
            assert row[2] == f"{100 * k / sum(counts):.{decimals}f}"
        else:
            assert row[2][:2] == ("> " if k else "< ")


def test_initiative_3_against_3(a_duel):
    text = plain_text(counted(a_duel, 74, 74, 27), 80)  # H6: 42 + 15 + 42 is 99
    assert [cells(text, w)[1:3] for w in ("A wins", "B wins", "undecided")] == [
        ["74", "42"],
        ["74", "42"],
        ["27", "15"],
    ]
    assert cells(text, "all trials")[1] == "175"


def test_nearly_always_is_not_always(a_duel):
    text = plain_text(counted(a_duel, 9998, 0, 2), 80)
    assert cells(text, "A wins")[2] == "99.98"
    assert cells(text, "B wins")[2] == "< 0.039"
    assert "100.0" not in text


def test_interrupted_before_the_first_trial(a_duel):
    nothing = {"first_a": 0} | dict.fromkeys(["wounds_a", "wounds_b", "destroyed", "lost"])
    result = replace(counted(a_duel, 0, 0, 0, **nothing), stopped="0 of 100 trials")
    text = plain_text(result, 80)
    assert "stopped after 0 of 100 trials" in text
    assert cells(text, "A wins")[1:] == ["0", "–", "–"]
    assert cells(text, "struck first")[1:] == ["–", "–"]


def test_combat(a_combat):
    text = plain_text(a_combat, 80)
    assert state_columns(a_combat)[0] == "unhurt"
    assert state_columns(a_combat)[-1] == "dead"
    assert cells(text, "B3")[1:4] == ["Guerrier de l'aube#3", "19", "policy"]
    assert len(cells(text, "light, stunned")) == 5
    sides = a_combat.rows[0]
    assert cells(text, "A wins")[1] == f"{sides['wins_a']:,}"
    assert cells(text, "all trials")[1] == "1,000"
    assert f"B {sides['destroyed']:.2f}" in text


def test_combat_of_an_army_fits():
    text = plain_text(combat(GUARD, [WARRIOR] * 6, trials=50, seed=1), 80)
    assert max(map(len, text.splitlines())) <= 80
    assert "B6" in text


def test_sweep_of_one_pair():
    result = sweep(GUARD, WARRIOR, trials=100, seed=1, charges=("none", "A"), best=True)
    rows = [{**row, "wins_a": 50, "wins_b": 10, "best_a": False} for row in result]
    rows = [{**row, "best_a": row["dice_a"] == "2/0"} for row in rows]
    rows = [{**row, "safest_a": row["dice_a"] == "1/1"} for row in rows]
    text = plain_text(replace(result, rows=rows, command="estoc sweep A B"), 80)
    title = "Garde prétorien (A) against Guerrier de l'aube (B), "
    assert f"{title}no charge" in text
    assert f"{title}A charges" in text
    assert cells(text, "A \\ B") == ["A \\ B", "2/0", "1/1", "0/2"]
    assert cells(text, "2/0") == ["2/0", *["50 / 10 *"] * 3]
    assert cells(text, "1/1") == ["1/1 safest", *["50 / 10"] * 3]
    assert "again:\nestoc sweep A B" in text


def test_slashes_are_aligned():
    text = plain_text(sweep(GUARD, WARRIOR, trials=1000, seed=1), 80)
    grid = text[text.index("A \\ B") :].splitlines()[:5]
    del grid[1]
    places = [[m.start() for m in re.finditer("/", row[6:])] for row in grid]
    assert all(place == places[0] for place in places)


def test_unknown_cell_of_a_sweep():
    result = sweep(GUARD, WARRIOR, trials=100, seed=1)
    assert cells(plain_text(replace(result, rows=result.rows[:-1]), 80), "0/2")[-1] == "–"


def test_sweep_of_many_pairs_is_one_table():
    plain = Options(abilities=False)  # all place two dice
    result = sweep(
        ABLE[:4], ABLE[4:8], trials=20, seed=1, charges=("none", "B"), best=True, options=plain
    )
    text = plain_text(result, 80)
    lines = [row for row in text.splitlines() if re.search(r"\d/\d +\d/\d ", row)]
    assert len(lines) == len(result) == 4 * 4 * 2 * 9
    assert sum("*" in row for row in lines) == len(pairs(result)) * 3
    assert sum("safest" in row for row in lines) == len(pairs(result)) * 3
    assert " more" in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_grid_too_wide_is_one_table():
    result = sweep(GUARD, WARRIOR, trials=50, seed=1, options=Options(rules=("dice.base=3",)))
    assert "A \\ B" in plain_text(result, 120)
    text = plain_text(result, 60)
    assert "A \\ B" not in text
    assert len(re.findall(r" \d/\d +\d/\d ", text)) == 25


def test_sweep_with_policies_says_no_dice():
    text = plain_text(
        sweep(GUARD, [WARRIOR, ARKEON], trials=20, seed=1, dice="policy", options=KNOWN), 80
    )
    assert "dice A" not in text
    assert "charge" not in text
    assert len(cells(text, "Garde prétorien  ")) == 3


def test_replay_shows_its_text_as_it_is():
    result = Result(REPLAY, [], "Turn 1\n======\n  [bold] 6→5: parried\n")
    assert plain_text(result, 80).startswith("Turn 1\n======\n  [bold] 6→5: parried\n")


def test_rows_of_another_kind():
    few = Result(CENSUS, [{"name": "Été", "x": 1 / 3, "y": None}], "Title", ("a note",))
    assert cells(plain_text(few, 80), "Été") == ["Été", "0.333333", "–"]
    assert "Title" in plain_text(few, 80)
    assert "a note" in plain_text(few, 80)
    many = Result(CENSUS, [{f"column {i}": i for i in range(30)}])
    assert cells(plain_text(many, 40), "column 29") == ["column 29", "29"]
    assert plain_text(Result(SWEEP, [], "no duel", stopped="0 of 9 cells"), 80) == (
        "no duel\n\nstopped after 0 of 9 cells\n"
    )


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_nothing_is_wider_than_the_terminal(a_duel, a_combat, width):
    for result in (a_duel, a_combat, sweep(GUARD, WARRIOR, trials=10, seed=1)):
        text = plain_text(result, width)
        assert max(map(len, text.splitlines())) <= max(width, 62)
        assert not re.search(r"[ \t]$|\x1b", text, re.MULTILINE)


def test_the_command_can_be_pasted(a_duel, a_combat):
    for result in (a_duel, a_combat):
        for width in (30, 80, 500):
            pasted = plain_text(result, width).partition("again:\n")[2]
            command = result.rows[0]["command"]
            assert shlex.split(pasted.replace("\\\n", " ")) == shlex.split(command)
    command = shlex.join(["estoc", 'it\'s "so"', "$HOME", "a!b", "a\\b", "%x%"])
    pasted = plain_text(Result(CENSUS, [{"x": 1}], command=command), 80).partition("again:\n")[2]
    assert shlex.split(pasted.replace("\\\n", " ")) == shlex.split(command)


def test_assumed_values_are_named_shortly(a_duel):
    keys = a_duel.rows[0]["assumed"].split()
    text = " ".join(plain_text(a_duel, 80).split())
    assert f"depends on {len(keys)} assumed values: {', '.join(keys[:4])}, …" in text
    assert keys[-1] not in text
    assert "assumed: " not in text
    one = replace(a_duel, assumed=("tests.many_dice",))
    assert "depends on 1 assumed value: tests.many_dice (see" in plain_text(one, 80)


def test_print(a_duel, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for printed, expected in (
        (lambda: print_result(a_duel), answer(a_duel, 80)),
        (lambda: print_renderable(profiles_table([GUARD])), profiles_table([GUARD])),
    ):
        out = io.StringIO()
        with redirect_stdout(out):
            printed()
        stripped = "".join(f"{row.rstrip()}\n" for row in out.getvalue().splitlines())
        assert stripped == rendered(expected, 80)


def test_short_names():
    labels = ["A@x", "A@y", "B@x", "C", "B@x"]
    assert short_names(labels) == {"A@x": "A@x", "A@y": "A@y", "B@x": "B", "C": "C"}


def test_profiles_table():
    text = rendered(profiles_table(ROSTER), 80)
    assert max(map(len, text.splitlines())) <= 80
    found = cells(rendered(profiles_table([GUARD, Profile("Inconnu")]), 80), "Garde")
    assert found == ["Garde prétorien", "Griffons", "Conf'Fédé", "3", "5", "8", "5", "11", "49"]
    assert cells(rendered(profiles_table([Profile("Inconnu")]), 80), "Inconnu")[1:] == ["–"] * 8


@given(profiles)
@settings(max_examples=30)
def test_profile_card_of_any_profile(profile):
    text = rendered(profile_card(profile), 80)
    assert max(map(cell_len, text.splitlines())) <= 80
    assert "MOU" in text


def test_profile_card():
    text = rendered(profile_card(GUARD), 80)
    assert text.startswith("Garde prétorien@Conf'Fédé\n")
    assert cells(text, "  –") == ["–", "3", "5", "8", "5", "11", "–", "–", "–", "–", "49"]
    assert cells(text, "people") == ["people", "Griffons"]
    assert cells(text, "role") == ["role", "troupe"]
    assert cells(text, "note") == ["note", "–"]
    assert "fighters-conffede.csv:" in "".join(text.split())  # a long path is broken into lines


@pytest.mark.parametrize(
    ("card", "rules", "size", "strength", "base"),
    [
        (Profile("x"), (), "– (assumed: moyenne)", "– (assumed: 1)", "– (assumed: 25x25)"),
        (
            Profile("x"),
            ("defaults.size=grande", "defaults.power=2", "defaults.base=[37.5,40]"),
            "– (assumed: grande)",
            "– (assumed: 2)",
            "– (assumed: 37.5x40)",
        ),
        (
            Profile("x", size="très grande"),
            (),
            "très grande",
            "– (of its size: 3)",
            "– (assumed: 50x50)",
        ),
        (Profile("x", size="petite", power=0, base="30"), (), "petite", "0", "30"),
    ],
)
def test_profile_card_says_what_is_assumed(card, rules, size, strength, base):
    edition = load_edition("conffede")
    for rule in rules:
        edition = edition.with_rule(rule)
    text = rendered(profile_card(card, edition if rules else None), 80)
    assert cells(text, "size")[1] == size
    assert cells(text, "power")[1] == strength
    assert cells(text, "base, mm")[1] == base


@pytest.mark.parametrize("name", edition_names())
def test_edition_table(name):
    edition = load_edition(name).with_rule("many_dice=one_chain")
    text = rendered(edition_table(edition), 80)
    assert max(map(len, text.splitlines())) <= 80
    for entry in edition.values:
        assert cells(text, f"{entry.key} ")[0] == entry.key
    assert cells(text, "tests.many_dice") == ["tests.many_dice", "one_chain", "yours", "W-1.4"]
    assert cells(text, "wounds.table")[1].startswith("-")
    assert "C  K  K  K  K" in text
    assert cells(text, "yours") == ["yours", "you: a value that you replaced"]
    sources = {entry.source for entry in edition.values if entry.source}
    assert all(re.search(rf"^source \d+ +{re.escape(s)}$", text, re.MULTILINE) for s in sources)
    assert all(reading.clause in text for reading in edition.readings)


def test_edition_table_of_some_keys():
    edition = load_edition("conffede")
    text = rendered(edition_table(edition, edition.assumed(["tests"])), 80)
    assert "tests.many_dice" in text
    assert "tests.reroll_one" not in text
    assert "how the text is read" not in text
    assert not re.search("^(seed|source|reading)", text, re.MULTILINE)


def test_marks_are_coloured():
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="standard", _environ={})
    console.print(edition_table(load_edition("conffede")))
    assert "\x1b[33massumed" in out.getvalue()
    assert "\x1b[36msource" in out.getvalue()


@pytest.mark.parametrize(
    ("name", "told"), [("en", "95 % Wilson interval"), ("fr", "intervalle de Wilson à 95 %")]
)
def test_an_interval_has_its_name(name, told):
    done = estoc(
        "duel",
        "garde prétorien",
        "guerrier de l'aube",
        "--trials",
        "10",
        "--seed",
        "1",
        "--lang",
        name,
    )
    assert told in done.out.replace("\N{NO-BREAK SPACE}", " ")
