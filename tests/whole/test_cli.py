"""The command line: what a person types, reads, gets wrong, redirects and interrupts."""

import ast
import csv
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import suppress
from io import StringIO
from pathlib import Path
from random import Random

import click
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from running import (
    ARKEON,
    GUARD,
    KNOWN,
    PLAIN,
    ROOT,
    ROSTER,
    WARRIOR,
    Done,
    answered,
    command,
    estoc,
    process,
    started,
    surroundings,
)

from estoc.profiles import InputError
from estoc.profiles.letters import hidden
from estoc.sim.base.result import command_of
from estoc.sim.cli.main import cli
from estoc.sim.cli.runs.replay import question_of
from estoc.sim.combat.transcript import replay

FEW = ("--trials", 200, "--seed", 3)
DUEL = ("duel", GUARD, WARRIOR, *FEW)
SWEEP = ("sweep", GUARD, WARRIOR, *FEW)
COMBAT = ("combat", GUARD, "vs", f"{WARRIOR}*2", ARKEON, *KNOWN, *FEW)
FORMS = ["csv", "json", "parquet"]
HOUSE = 'name = "house"\ntitle = "House rules"\nextends = "conffede"\n'
OWN = "nom;INI;ATT;FOR;DEF;RES;PA\nCœur d'acier → Élan;3;4;5;3;6;12\nSans points;3;4;5;3;6;\n"
STEEL = "Cœur d'acier → Élan"


@pytest.fixture
def own(tmp_path) -> Path:
    path = tmp_path / "my-fighters.csv"
    path.write_text(OWN, encoding="utf-8")
    return path


# --- what a user does -----------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "profiles list --people dirz",
        'profiles show "garde prétorien"',
        f'duel "{GUARD}" "{WARRIOR}" --dice 2/0 1/1 --turns 3 --charge A --trials 200',
        f'combat "{GUARD}" vs "{WARRIOR}*2" "{ARKEON}" --set "{ARKEON}".ATT=5'
        f' --set "{ARKEON}".RES=9 --trials 200',
        f'combat "{WARRIOR}*2" "{GUARD}" vs "{GUARD}" --charge A --trials 200',
        f'combat "{GUARD}" vs "{WARRIOR}" --dice A=2/0 --dice B=1/1 --trials 200',
        f'sweep "{GUARD}" "{WARRIOR}" --trials 200',
        f'sweep "{GUARD}" "{WARRIOR}" --best --charge none --charge A --trials 200',
        "sweep --people griffons --against dirz --allocations policy --trials 20",
        f'sweep "{GUARD}" --against dirz --allocations 2/0,1/1 --trials 20',
        f'sweep --people dirz "{GUARD}" --allocations 2/0 --trials 20',
        f'duel "{GUARD}" "{WARRIOR}" --edition c3 --rule many_dice=one_chain --trials 200',
        f'duel "{GUARD}" "{WARRIOR}" --policy bold --policy B=never:parry=2 --trials 200',
        f'duel "{GUARD}" "{WARRIOR}" --wounds A=light,stunned --wounds B=grave --trials 200',
        f'duel "{GUARD}" "{WARRIOR}" --all-defence A --chosen-by b --threads 1 --trials 200',
        f'replay duel "{GUARD}" "{WARRIOR}" --seed 5 --trial 17',
        f'replay estoc combat "{GUARD}" vs "{WARRIOR}*2" --seed 5 --trial 17',
        *("edition list", "edition show", "edition show c3 --rule many_dice=one_chain", "policy"),
        *("actions", "actions --edition c3 --rule actions.shoot.times=2 --format csv"),
        *("--help", "--version", "duel -h"),
    ],
)
def test_commands_work(line):
    done = estoc(*shlex.split(line))
    assert done.code == 0, done.err
    assert done.out.endswith("\n")
    assert "Traceback" not in done.err


def test_the_issue_has_quotes_that_a_shell_takes_off():
    (quoted,) = answered(*DUEL, "--set", f'"{GUARD}".ATT=6')
    (bare,) = answered(*DUEL, "--set", "garde.ATT=6")
    assert quoted == bare | {"command": quoted["command"]}
    assert quoted["wins_a"] != answered(*DUEL)[0]["wins_a"]


@pytest.mark.parametrize("words", [DUEL, SWEEP, COMBAT])
def test_files_of_each_format(words, tmp_path):
    rows = answered(*words)
    for form in FORMS:
        path = tmp_path / f"table.{form}"
        done = estoc(*words, "-o", path)
        assert (done.code, done.data) == (0, b"")
        plural = "" if len(rows) == 1 else "s"
        assert done.err == f"estoc: wrote {path}, {len(rows)} row{plural}, seed 3\n"
    assert json.loads((tmp_path / "table.json").read_bytes()) == rows
    assert pq.read_table(tmp_path / "table.parquet").to_pylist() == rows
    read = list(csv.DictReader(StringIO((tmp_path / "table.csv").read_text("utf-8"))))
    assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    estoc(*words, "-o", tmp_path / "table.txt")
    assert "seed 3" in (tmp_path / "table.txt").read_text("utf-8")
    assert len(os.listdir(tmp_path)) == 4


@pytest.mark.parametrize("words", [DUEL, SWEEP, COMBAT])
@pytest.mark.parametrize("form", FORMS)
def test_standard_output_is_what_a_file_would_hold(words, form, tmp_path):
    estoc(*words, "-o", tmp_path / "table", "--format", form)
    done = estoc(*words, "--format", form)
    assert done.data == (tmp_path / "table").read_bytes()
    assert done.err == ""


@pytest.mark.parametrize(
    ("words", "ending"), [(SWEEP, "png"), (SWEEP, "svg"), (DUEL, "pdf"), (COMBAT, "png")]
)
def test_pictures(words, ending, tmp_path):
    path = tmp_path / f"heat.{ending}"
    done = estoc(*words, "--format", "csv", "--plot", path)
    assert (done.code, done.err) == (0, f"estoc: drew {path}\n")
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[ending]
    assert path.read_bytes().startswith(start)
    assert os.listdir(tmp_path) == [path.name]
    assert done.data.startswith(b"fighter" if words is COMBAT else b"a,b,")


def test_the_table_tells_counts_that_add_up_and_how_to_get_it_again():
    done = estoc(*DUEL)
    row = answered(*DUEL)[0]
    for key in ("wins_a", "wins_b", "undecided", "trials"):
        assert re.search(rf"\b{row[key]}\b", done.out)
    assert "--seed 3" in done.out
    assert "assumed" in done.out


@pytest.mark.parametrize(
    "words",
    [
        (*DUEL, "--charge", "A", "--policy", "B=never:parry=2"),
        COMBAT,
        (*SWEEP, "--best", "--charge", "A", "--charge", "none", "--allocations", "2/0,1/1"),
        ("sweep", "--people", "griffons", WARRIOR, "--turns", 2, "--allocations", "policy", *FEW),
        ("replay", *DUEL, "--trial", 3),
    ],
    ids=lambda words: words[0],
)
def test_the_table_tells_a_command_that_prints_it_again(words):
    table = estoc(*words).out
    told = table.rpartition("again:\n")[2].replace("\\\n", " ")
    again = shlex.split(told)
    assert again[0] == "estoc"
    assert estoc(*again[1:]).out == table
    assert answered(*again[1:]) == answered(*words)


def test_a_run_without_a_seed_prints_one_that_repeats_it(tmp_path):
    words = ("duel", GUARD, WARRIOR, "--trials", 300)
    seed = re.search(r"seed (\d+)", estoc(*words).out)[1]
    printed = estoc(*words, "--seed", seed).out
    assert f"seed {seed}" in printed
    path = tmp_path / "a.json"
    told = re.search(r"seed (\d+)$", estoc(*words, "-o", path).err.strip())[1]
    assert json.loads(path.read_text("utf-8")) == answered(*words, "--seed", told)
    (fresh,) = answered(*words)
    assert answered(*words, "--seed", fresh["seed"]) == [fresh]


def test_fresh_seeds_differ():
    words = ("duel", GUARD, WARRIOR, "--trials", 1)
    assert answered(*words)[0]["seed"] != answered(*words)[0]["seed"]


@pytest.mark.parametrize("words", [SWEEP, COMBAT])
@pytest.mark.parametrize("form", FORMS)
def test_threads_change_no_byte(words, form):
    # H8
    files = {estoc(*words, "--threads", n, "--format", form).data for n in (1, 2, 4, 8)}
    assert len(files) == 1


# --- fighters, editions ---------------------------------------------------------------


def test_fighters_of_a_file_a_folder_and_the_users_own(own, tmp_path, monkeypatch):
    words = ("duel", "coeur d'acier", "sans points", *FEW)
    (row,) = answered(*words, "--fighters", own)
    assert (row["a"], row["lost"], row["destroyed"]) == (STEEL, row["p_b"] * 12, None)
    in_folder = answered(*words, "--fighters", tmp_path)[0]
    home = tmp_path / "config" / "estoc" / "fighters"
    home.mkdir(parents=True)
    (home / "mine.csv").write_text(OWN, encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    of_user = answered(*words)[0]
    for other in (in_folder, of_user):
        assert other | {"command": row["command"]} == row
    assert answered(*shlex.split(row["command"])[1:]) == [row]


def test_fighters_are_checked(own):
    done = estoc("profiles", "check", own)
    assert done.code == 0
    assert done.out.splitlines() == [
        f"{own}: 2 fighters, every cell can be read",
        f"{own}:3: Sans points has no PA",
    ]


def test_fighters_are_listed_and_shown_as_rows(own):
    dirz = answered("profiles", "list", "--people", "dirz")
    assert [r["name"] for r in dirz] == [f.name for f in ROSTER.people("dirz")]
    assert len(answered("profiles", "list", "--fighters", own)) == len(ROSTER) + 2
    (card,) = answered("profiles", "show", "garde prétorien", "--set", "A.ATT=7")
    assert (card["name"], card["ATT"], card["PA"]) == (GUARD, 7, 49)
    table = estoc("profiles", "list", "--people", "dirz").out
    assert GUARD not in table
    assert all(re.search(rf"\b{number}\b", table) for number in ("19", "74"))


def test_an_edition_of_a_file(tmp_path):
    path = tmp_path / "house.toml"
    rule = 'tests.many_dice = { value = "one_chain", mark = "seed", clause = "W-1.4" }\n'
    path.write_text(HOUSE + rule, encoding="utf-8")
    (row,) = answered(*DUEL, "--dice", "1/1", "0/2", "--edition", path)
    (rule_given,) = answered(*DUEL, "--dice", "1/1", "0/2", "--rule", "many_dice=one_chain")
    assert row["edition"] == "house"
    assert rule_given["edition"] == "conffede+many_dice=one_chain"
    assert row["inputs"] == rule_given["inputs"]
    assert row["wounds_b"] == rule_given["wounds_b"]
    assert answered(*shlex.split(row["command"])[1:]) == [row]
    shown = answered("edition", "show", path)
    assert {"one_chain"} == {entry["value"] for entry in shown if entry["key"] == "tests.many_dice"}


def test_an_edition_is_shown_with_its_marks():
    done = estoc("edition", "show")
    for word in ("tests.many_dice", "best_chain", "assumed", "seed", "W-1.4"):
        assert word in done.out
    marks = {
        entry["mark"] for entry in answered("edition", "show", "--rule", "many_dice=one_chain")
    }
    assert {"seed", "assumed", "yours"} <= marks


def test_fighters_left_out_of_a_sweep_are_told():
    done = estoc(
        *("sweep", GUARD, "--against", "dirz", "--allocations", "policy", *FEW, "--format", "csv")
    )
    assert done.code == 0
    assert done.err == f"estoc: left out: {ARKEON}@Conf'Fédé, without ATT, RES\n"
    assert ARKEON not in done.out
    completed = estoc(
        *("sweep", GUARD, "--against", "dirz", "--allocations", "policy", *FEW, "--format", "csv"),
        *KNOWN,
    )
    assert (completed.code, completed.err) == (0, "")
    assert ARKEON in completed.out


# --- replay ---------------------------------------------------------------------------

COUNTED = 200


def tally(path, row):
    """How often each side dies in the replays of all trials of a row."""
    words, inputs = command_of(path, row)
    question, seed, trials = question_of(words)
    assert trials == COUNTED
    assert question.inputs == inputs
    names = [c.label for c in (question.a[0], question.b[0])]
    assert names[0] != names[1]
    deaths = dict.fromkeys(names, 0)
    for trial in range(COUNTED):
        rows = replay(question, seed, trial).rows
        for dead in {r["other"] for r in rows if r["event"] == "wound" and r["state"] == "dead"}:
            deaths[dead] += 1
    return deaths[names[1]], deaths[names[0]]


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (("duel", GUARD, WARRIOR, "--turns", 2, "--policy", "A=bold", "--charge", "A"), 1),
        (("duel", WARRIOR, GUARD, "--wounds", "B=serious", "--edition", "c3"), 1),
        (("sweep", GUARD, WARRIOR, "--charge", "A", "--turns", 3), 2),
    ],
)
def test_a_row_of_a_file_replays_the_trials_that_it_counts(words, row, tmp_path):
    words = (*words, "--trials", COUNTED, "--seed", 11)
    rows = answered(*words)
    command = shlex.split(rows[row - 1]["command"])
    told = estoc("replay", *command, "--trial", 7)
    assert told.code == 0
    assert estoc("replay", *command[1:], "--trial", 7) == told
    for form in FORMS:
        path = tmp_path / f"table.{form}"
        assert estoc(*words, "-o", path).code == 0
        assert estoc("replay", path, "--row", row, "--trial", 7) == told
    wins = tally(path, row)
    assert wins == (rows[row - 1]["wins_a"], rows[row - 1]["wins_b"])
    assert sum(wins) > 0


def test_a_combat_is_replayed(tmp_path):
    path = tmp_path / "table.csv"
    estoc(*COMBAT, "-o", path)
    sides = answered(*COMBAT)[0]
    question, seed, _ = question_of(command_of(path, 3)[0])
    lost = 0
    for trial in range(COUNTED):
        rows = replay(question, seed, trial).rows
        lost += any(r["other"] == GUARD and r["state"] == "dead" for r in rows)
    assert lost == sides["wins_b"] > 0


def test_a_replay_is_a_result_too(tmp_path):
    words = ("replay", *DUEL, "--trial", 4)
    rows = answered(*words)
    assert rows[-1]["event"] == "end"
    assert answered(*shlex.split(rows[0]["command"])[1:]) == rows
    assert estoc(*words, "-o", tmp_path / "trial.txt").code == 0
    text = (tmp_path / "trial.txt").read_text("utf-8")
    assert text.partition("\nseed")[0] == estoc(*words).out.partition("\nseed")[0]
    assert "The combat ends" in text


@pytest.mark.parametrize("form", FORMS)
def test_a_result_of_other_inputs_is_not_replayed(form, own, tmp_path):
    path = tmp_path / f"table.{form}"
    assert estoc("duel", STEEL, GUARD, "--fighters", own, *FEW, "-o", path).code == 0
    assert estoc("replay", path, "--trial", 1).code == 0
    own.write_text(OWN.replace("12", "13"), encoding="utf-8")
    assert estoc("replay", path, "--trial", 1).code == 2  # PA say who places first
    own.write_text(OWN.replace("3;4;5", "3;5;5"), encoding="utf-8")
    done = estoc("replay", path, "--trial", 1)
    assert (done.code, done.data) == (2, b"")
    assert "not those of the result any more" in done.err


# --- wrong input ----------------------------------------------------------------------

BAD_CSV = "nom;ATT\nLoup;cinq\n"

WRONG = {
    "unknown fighter": (
        ["duel", "Gard prétorien", WARRIOR],
        ["Gard prétorien", f"nearest: {GUARD}"],
    ),
    "ambiguous": (["duel", "gue", GUARD], ['"gue" could be Guerrier', "in all)"]),
    "unknown origin": (["duel", f"{GUARD}@C9", WARRIOR], ["C9", f"there is {GUARD}@Conf'Fédé"]),
    "no B": (["duel", GUARD], ["Missing argument", "B"]),
    "dice sum": ([*DUEL, "--dice", "2/1", "1/1"], ["dice 2/1", GUARD, "2 in all", "C-3.1"]),
    "dice shape": ([*DUEL, "--dice", "2", "1/1"], ['dice "2"', "as 1/1 or 2/0"]),
    "negative dice": ([*DUEL, "--dice", "-1/3", "1/1"], ['"-1/3"', "as 1/1 or 2/0"]),
    "2 vs 2": (["combat", f"{GUARD}*2", "vs", f"{WARRIOR}*2"], ["2 against 2", "C-1.2"]),
    "9 enemies": (["combat", GUARD, "vs", f"{WARRIOR}*8", WARRIOR], ["9 enemies", "at most 8"]),
    "star 9": (["combat", GUARD, "vs", f"{WARRIOR}*9"], ["*9", "from 1 to 8"]),
    "no vs": (["combat", GUARD, WARRIOR], ['one "vs" between']),
    "nobody": (["combat", "vs", WARRIOR], ['each side of "vs"']),
    "policy": ([*DUEL, "--policy", "brave"], ['"brave"', "sensible, bold"]),
    "policy side": ([*DUEL, "--policy", "C=bold"], ['"C=bold"', "bold"]),
    "policy key": ([*DUEL, "--policy", "bold:pary=1"], ['"pary"', "nearest: parry"]),
    "policy value": ([*DUEL, "--policy", "bold:parry=x"], ["parry=x", "none, spread, all"]),
    "rule key": ([*DUEL, "--rule", "many_dise=x"], ['"many_dise"', "nearest: many_dice"]),
    "rule value": ([*DUEL, "--rule", "many_dice=x"], ["'best_chain' or 'one_chain'", "'x'"]),
    "rule shape": ([*DUEL, "--rule", "many_dice"], ["KEY=VALUE"]),
    "edition": ([*DUEL, "--edition", "confede"], ['"confede"', "nearest: conffede"]),
    "edition file": ([*DUEL, "--edition", "none.toml"], ["none.toml", "No such file"]),
    "state": ([*DUEL, "--wounds", "A=ligth"], ['"ligth"', "nearest: light"]),
    "state of nobody": ([*DUEL, "--wounds", "C=light"], ['--wounds "C"', GUARD, WARRIOR]),
    "dead start": ([*DUEL, "--wounds", "A=dead"], ["he would be dead", "starts alive"]),
    "set key": ([*DUEL, "--set", "A.ATTT=5"], ['"ATTT"', "nearest: ATT"]),
    "set value": ([*DUEL, "--set", "A.ATT=five"], [f'"{GUARD}".ATT', "'five'", "0 to 40"]),
    "set name": ([*DUEL, "--set", "Nobody.ATT=5"], ['--set "Nobody"', "A, B, or one of", GUARD]),
    "set shape": ([*DUEL, "--set", "A=5"], ["NAME.KEY=VALUE"]),
    "set identity": ([*DUEL, "--set", "A.name=x"], ['--set "A.name=x"', "stay"]),
    "both charge": ([*DUEL, "--charge", "A", "--charge", "B"], ["both charge", "M-4.1"]),
    "charge of nobody": ([*DUEL, "--charge", "C"], ['--charge "C"', GUARD]),
    "missing cell": (
        ["duel", ARKEON, GUARD],
        ["fighters-conffede.csv:4", ARKEON, "ATT is empty", f'--set "{ARKEON}".ATT='],
    ),
    "trials 0": ([*DUEL, "--trials", 0], ["trials should be at least 1, not 0"]),
    "trials -5": ([*DUEL, "--trials", -5], ["trials should be at least 1, not -5"]),
    "trials x": ([*DUEL, "--trials", "x"], ["--trials", "'x'"]),
    "seed -1": ([*DUEL, "--seed", -1], ["seed should be at least 0, not -1"]),
    "seed 2**64": ([*DUEL, "--seed", 2**64], ["seed should be at most 18446744073709551615"]),
    "turns 0": ([*DUEL, "--turns", 0], ["turns 0", "from 1 to 4095"]),
    "threads 0": ([*DUEL, "--threads", 0], ["--threads", "from 1 to 1024"]),
    "threads without end": ([*DUEL, "--threads", 10**9], ["--threads", "from 1 to 1024"]),
    "chooser": ([*DUEL, "--chosen-by", "C"], ["--chosen-by", "'C'"]),
    "no folder": ([*DUEL, "-o", "none/a.csv"], ["none/a.csv", 'no folder "none"']),
    "a folder": ([*DUEL, "-o", "."], ["is a folder"]),
    "another ending": (
        [*DUEL, "--format", "json", "-o", "a.csv"],
        ["a.csv", "the ending of a json file should be .json"],
    ),
    "ending of an input": ([*DUEL, "-o", "a.toml"], ["a.toml", ".csv, .json, .parquet, .txt"]),
    "ending of a page": (["report", "a.run", "-o", "b.toml"], ["b.toml", "a file .html"]),
    "a device": ([*DUEL, "-o", "/dev/zero", "--format", "csv"], ["/dev/zero", "is a device"]),
    "fighters of a device": ([*DUEL, "--fighters", "/dev/zero"], ["/dev/zero", "it is a device"]),
    "edition of a device": ([*DUEL, "--edition", "zero.toml"], ["zero.toml", "it is a device"]),
    "batch of a device": (["run", "zero.toml"], ["zero.toml", "it is a device"]),
    "replay of a device": (["replay", "zero.csv", "--trial", 1], ["zero.csv", "it is a device"]),
    "audit of a device": (["audit", "zero.json"], ["zero.json", "it is a device"]),
    "check of a pipe": (["profiles", "check", "pipe.csv"], ["pipe.csv", "it is a pipe, not a"]),
    "pipe in a folder": ([*DUEL, "--fighters", "pipes"], ["pipes/pipe.csv", "it is a pipe"]),
    "a large file": ([*DUEL, "--fighters", "large.csv"], ["large.csv", "more than 4 MB"]),
    "ending": ([*DUEL, "-o", "a.xls"], ["a.xls", ".csv, .json, .parquet, .txt"]),
    "plot ending": ([*DUEL, "--plot", "a.xls"], ["a.xls", ".png, .svg, .pdf"]),
    "plot over table": (
        [*DUEL, "--format", "csv", "-o", "a.png", "--plot", "./a.png"],
        ["a.png", ".csv"],
    ),
    "plot folder": ([*DUEL, "--plot", "none/a.png"], ['no folder "none"']),
    "format": ([*DUEL, "--format", "excel"], ["'excel'", "'table', 'csv', 'json', 'parquet'"]),
    "fighters file": ([*DUEL, "--fighters", "none.csv"], ["none.csv", "No such file"]),
    "people": (["profiles", "list", "--people", "dirtz"], ['"dirtz"', "nearest: Dirz"]),
    "profile": (["profiles", "show", "Gardes pretorien"], ['no fighter is called "Gardes', GUARD]),
    "check": (["profiles", "check", "bad.csv"], ["bad.csv:2, column 2", '"ATT"', "'cinq'"]),
    "check nothing": (["profiles", "check", "none.csv"], ["none.csv", "No such file"]),
    "allocations": ([*SWEEP, "--allocations", "3/0"], ["dice 3/0", "2 in all"]),
    "sweep charge": ([*SWEEP, "--charge", "C"], ["--charge", "'C'", "'none'"]),
    "one name": (["sweep", GUARD], ["name two fighters", "--against"]),
    "three names": (["sweep", GUARD, WARRIOR, "--people", "dirz"], [WARRIOR, "one name too many"]),
    "replay nothing": (["replay", "none.csv", "--trial", 1], ["none.csv", "No such file"]),
    "replay other": (["replay", "bad.csv", "--trial", 1], ["bad.csv", "not the result of a run"]),
    "replay word": (["replay", "table", "--trial", 1], ['"table"', "cards or battle"]),
    "replay itself": (["replay", "estoc", "--trial", 1], ["cards or battle"]),
    "replay sweep": (["replay", *SWEEP, "--trial", 1], ['"sweep"', "--row"]),
    "replay unseeded": (["replay", "duel", GUARD, WARRIOR, "--trial", 1], ["--seed"]),
    "replay no trial": (["replay", *DUEL], ["--trial"]),
    "replay trial -1": (["replay", *DUEL, "--trial", -1], ["trial -1", "from 0"]),
    "replay row": (["replay", "good.csv", "--row", 2, "--trial", 1], ["row 2", "rows 1 to 1"]),
    "replay row 0": (["replay", "good.csv", "--row", 0, "--trial", 1], ["row 0", "rows 1 to 1"]),
    "command": (["dual", GUARD, WARRIOR], ["'dual'", "duel"]),
    "option": ([*DUEL, "--trails", 5], ["--trails", "--trials"]),
}


def make_strange(words):
    """Make the files that words name and that are none, or too large."""
    for word in map(str, words):
        if word.startswith("zero."):
            Path(word).symlink_to("/dev/zero")
        elif word.startswith("pipe"):
            Path("pipes").mkdir()
            for place in ("pipe.csv", "pipes/pipe.csv"):
                os.mkfifo(place)
        elif word == "large.csv":
            os.truncate(os.open(word, os.O_CREAT | os.O_WRONLY), 2**23)


@pytest.mark.parametrize(("words", "fragments"), WRONG.values(), ids=list(WRONG))
def test_wrong_input_is_refused_in_a_line(words, fragments, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bad.csv").write_text(BAD_CSV, encoding="utf-8")
    if "good.csv" in words:
        assert estoc(*DUEL, "-o", "good.csv").code == 0
    make_strange(words)
    before = sorted(os.listdir())
    done = estoc(*words)
    assert (done.code, done.data) == (2, b"")
    lines = [line for line in done.err.splitlines() if not re.match(r"Usage:|Try |$", line)]
    assert len(lines) == 1
    assert lines[0].startswith(("estoc: ", "Error: "))
    assert [f for f in fragments if f not in lines[0]] == []
    assert sorted(os.listdir()) == before


def test_exit_code_and_streams_of_a_refusal_in_a_process():
    done = process("duel", "Gard prétorien", WARRIOR)
    assert (done.code, done.data) == (2, b"")
    assert done.err == f'estoc: no fighter is called "Gard prétorien"; nearest: {GUARD}\n'


def test_a_fault_of_the_program_is_told_as_such(monkeypatch):
    def fails(*_, **__):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("estoc.sim.combat.duel.answer", fails)
    done = estoc(*DUEL)
    assert (done.code, done.data) == (1, b"")
    assert re.fullmatch("estoc: the run failed: ZeroDivisionError: .*ESTOC_DEBUG=1.*\n", done.err)
    monkeypatch.setenv("ESTOC_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        estoc(*DUEL)


def test_a_disk_that_is_full_leaves_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    done = estoc(*DUEL, "-o", tmp_path / "a.csv")
    assert (done.code, done.data) == (2, b"")
    assert "a.csv" in done.err
    assert "No space left on device" in done.err
    assert os.listdir(tmp_path) == []


STRANGE = (
    *(b"", b"estoc", b"5", b"--help", b"-1", b"1e308", b"nan", b"vs", b"*99", b"A=", b"--seed"),
    *(
        b"9" * 5000,
        b"\x1b[0m",
        b"\x00",
        b"\xff",
        b'"',
        b"'",
        b",",
        b"\n",
        b"[" * 3000,
        b"{}",
        b"null",
    ),
)


def damaged(data: bytes, rng: Random) -> bytes:
    """Cut data, or put something strange, or something else of it, in a place."""
    at, length = rng.randrange(len(data)), rng.choice((0, 1, 5, 40))
    if rng.random() < 0.05:
        return data[:at]
    of_it = rng.randrange(len(data))
    new = rng.choice([rng.choice(STRANGE), data[of_it : of_it + length]])
    return data[:at] + new + data[at + length :]


@pytest.mark.parametrize("form", FORMS)
def test_damaged_results_are_refused_in_a_line(form, tmp_path):
    rng, refused, path = Random(form), 0, tmp_path / f"a.{form}"
    assert estoc("duel", GUARD, WARRIOR, "--dice", "1/1", "1/1", *FEW, "-o", path).code == 0
    whole = path.read_bytes()
    for _ in range(100):
        data = whole
        for _ in range(rng.choice((1, 1, 2, 4))):
            data = damaged(data, rng)
        path.write_bytes(data)
        refused += 1
        with suppress(InputError, click.ClickException, click.exceptions.Exit):
            question_of(command_of(path, rng.choice((1, 1, 1, 2)))[0])
            refused -= 1
    assert refused > 30


@pytest.mark.parametrize("command", ["estoc", "5", "", " ", "estoc estoc", "estoc sweep a b"])
def test_a_row_of_no_command_is_not_replayed(command, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f'command\n"{command}"\n', encoding="utf-8")
    done = estoc("replay", path, "--trial", 1)
    assert (done.code, done.data, done.err.count("\n")) == (2, b"", 1)


# --- what is read is not written ------------------------------------------------------

FILES = {
    "own.csv": OWN,
    "folder/own.csv": OWN,
    "contacts.csv": "fighter,touches\nA1,B1\n",
    "base.toml": HOUSE,
    "house.toml": 'name = "mine"\ntitle = "Mine"\nextends = "base.toml"\n',
    "army.toml": 'name = "x"\n[[cards]]\nname = "c"\n',
    "scene.toml": 'name = "x"\n[[fighters]]\nname = "garde prétorien"\nside = "A"\nat = [9, 9]\n',
    "table.csv": 'command,inputs\n"estoc duel ""garde prétorien"" crâne --seed 3",\n',
}
OWN_DUEL = ("duel", STEEL, GUARD, "--fighters", "own.csv")
READ = {
    "fighters": ("own.csv", (*OWN_DUEL, "-o")),
    "fighters of a folder": (
        "folder/own.csv",
        ("duel", STEEL, GUARD, "--fighters", "folder", "-o"),
    ),
    "fighters drawn over": ("own.csv", (*OWN_DUEL, "--plot")),
    "fighters of a list": ("own.csv", ("profiles", "list", "--fighters", "own.csv", "-o")),
    "fighters of a replay": (
        "own.csv",
        ("replay", *OWN_DUEL, "--seed", 3, "--trial", 1, "-o"),
    ),
    "contacts": (
        "contacts.csv",
        ("melee", GUARD, "vs", WARRIOR, "--contacts", "contacts.csv", "-o"),
    ),
    "edition": ("house.toml", (*DUEL, "--edition", "house.toml", "-o")),
    "edition below": ("base.toml", ("edition", "show", "house.toml", "-o")),
    "army": ("army.toml", ("army", "check", "army.toml", "-o")),
    "army of a page": ("army.toml", ("book", "army.toml", "griffon", "-o")),
    "scenario": ("scene.toml", ("table", "scene.toml", "-o")),
    "scenario drawn over": ("scene.toml", ("battle", "scene.toml", "--plot")),
    "result": ("table.csv", ("replay", "table.csv", "--trial", 1, "-o")),
}


@pytest.mark.parametrize("how", ["itself", "link", "hard link"])
@pytest.mark.parametrize(("read", "words"), READ.values(), ids=list(READ))
def test_what_is_read_is_not_written(read, words, how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("folder").mkdir()
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    ending = ".png" if "--plot" in words else ".html" if words[0] == "book" else ".csv"
    if how == "itself" and not read.endswith(ending):
        done = estoc(*words, read)
        assert (done.code, done.data) == (2, b"")
        assert "ending" in done.err or "a file .html" in done.err
        return
    written = read if how == "itself" else f"out{ending}"
    if how != "itself":
        (os.symlink if how == "link" else os.link)(read, written)
    done = estoc(*words, written)
    assert (done.code, done.data) == (2, b"")
    told = f'estoc: "{written}" is one of the files that the command reads: write to another file\n'
    assert done.err == told
    assert {name: Path(name).read_text("utf-8") for name in FILES} == FILES


def test_what_a_run_has_read_is_not_its_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    batch = Path("b.toml")
    batch.write_text(
        f'title = "x"\nseed = 1\n[[job]]\nname = "d"\ncommand = "duel"\na = "{GUARD}"\n'
        f'b = "{WARRIOR}"\n',
        "utf-8",
    )
    assert estoc("run", "b.toml", "-o", "r.run").code == 0
    text = batch.read_text("utf-8")
    Path("page.html").symlink_to("b.toml")
    done = estoc("report", "r.run", "-o", "page.html")
    assert (done.code, "one of the files that the command reads" in done.err) == (2, True)
    assert batch.read_text("utf-8") == text


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="has no such names")
def test_streams_are_read_and_written(own):
    words = ("duel", STEEL, GUARD, "--dice", "1/1", "1/1", "--format", "csv")
    expected = estoc(*words, "--fighters", own).data.replace(str(own).encode(), b"/dev/stdin")
    stream = own.read_bytes()
    done = process(*words, "--fighters", "/dev/stdin", "-o", "/dev/stdout", data=stream)
    assert (done.code, done.data) == (0, expected)


def test_a_stream_without_a_word_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr("estoc.profiles.files.reading._PATIENCE", 0.01)
    reader, writer = os.pipe()
    done = estoc(*DUEL, "--fighters", f"/dev/fd/{reader}")
    os.close(reader)
    os.close(writer)
    assert done.code == 2
    assert "cannot be read: nothing came from it for" in done.err


# --- terminals, pipes, encodings ------------------------------------------------------


def on_terminal(*words, stream, **environment):
    """Run with standard output or error on a terminal; exit code, what it shows, the other."""
    import pty

    ours, theirs = pty.openpty()
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: theirs}
    child = subprocess.Popen(
        command(words), cwd=ROOT, env=surroundings(TERM="xterm", **environment), **streams
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux says so when the other end closes
            break
        if not part:
            break
        shown += part
    other = child.communicate(timeout=60)[0 if stream == "stderr" else 1]
    os.close(ours)
    return child.returncode, shown.decode(), other


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_progress_is_shown_on_a_terminal_and_standard_output_stays_pure():
    code, shown, out = on_terminal(
        *("duel", GUARD, WARRIOR, "--trials", 1_000_000, "--seed", 1, "--format", "csv"),
        stream="stderr",
        COLUMNS="100",
    )
    assert code == 0
    assert "of 1,000,000 trials" in shown
    assert "million a second" in shown
    (row,) = csv.DictReader(StringIO(out.decode()))
    assert row["trials"] == "1000000"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_parquet_is_not_for_a_terminal():
    code, shown, err = on_terminal(*DUEL, "--format", "parquet", stream="stdout")
    assert (code, shown) == (2, "")
    assert err == b"estoc: parquet is not for a terminal: add -o FILE\n"


@pytest.mark.parametrize("words", [("profiles", "list", "--format", "json"), SWEEP])
def test_a_reader_who_has_enough_is_no_fault(words):
    with subprocess.Popen(
        command(words),
        cwd=ROOT,
        env=surroundings(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as child:
        if words[0] == "profiles":
            assert child.stdout.read(1) == b"["
        child.stdout.close()
        assert child.stderr.read() == b""
    assert child.returncode == 0


CLOSED_PIPE = """
import errno, sys, click
from estoc.sim.cli import main as cli

def closed(*arguments, **options):
    raise BrokenPipeError(errno.EPIPE, "as the system says it")

click.echo, sys.argv = closed, ["estoc", "policy"]
cli.main()
"""


def test_a_pipe_that_closes_while_a_command_writes_is_no_fault():
    """click alone would leave with 1 for what the system raises."""
    done = subprocess.run(
        [sys.executable, "-c", CLOSED_PIPE], cwd=ROOT, env=surroundings(), capture_output=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


# --- streams that are closed or full, places that are gone -----------------------------

PRINTED = ["profiles list", "profiles list --format csv", "policy", "--help", "edition list"]
PRINTED += ["profiles list --format json", "duel --help"]
needs_shell = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX shell")


def in_shell(line: str, folder: Path = ROOT, **environment: str) -> Done:
    """Run a line in which ``estoc`` is the program, as a shell does."""
    program = f'estoc() {{ {shlex.quote(sys.executable)} -m estoc.sim.start "$@"; }}\n'
    done = subprocess.run(
        ["bash", "-c", program + line], cwd=folder, env=surroundings(**environment),
        capture_output=True, timeout=120,
    )  # fmt: skip
    return Done(done.returncode, done.stdout, done.stderr.decode())


@needs_shell
@pytest.mark.parametrize("words", PRINTED)
def test_a_full_device_is_told(words):
    if not Path("/dev/full").exists():
        pytest.skip("has no /dev/full")
    told = "estoc: cannot write to standard output: No space left on device\n"
    assert in_shell(f"estoc {words} >/dev/full") == (1, b"", told)
    assert in_shell(f"estoc {words} >/dev/full", PYTHONUNBUFFERED="1") == (1, b"", told)


@needs_shell
@pytest.mark.parametrize("words", PRINTED[:4])
def test_a_closed_standard_output_is_told(words):
    told = "estoc: cannot write to standard output: it is closed\n"
    assert in_shell(f"estoc {words} >&-") == (1, b"", told)
    assert in_shell(f"estoc {words} 2>&- >&-") == (1, b"", "")


@needs_shell
def test_other_closed_streams_do_not_matter(tmp_path):
    listed = in_shell("estoc profiles list").data
    assert in_shell("estoc profiles list <&- 2>&-") == (0, listed, "")
    done = in_shell("estoc profiles list -o a.csv >&- 2>&-; echo $?", tmp_path)
    assert done.data == b"0\n"
    assert (tmp_path / "a.csv").read_bytes() == estoc("profiles", "list", "--format", "csv").data
    assert in_shell("estoc profiles lost 2>/dev/full; echo $?").data == b"2\n"


@needs_shell
@pytest.mark.parametrize("words", PRINTED[:4])
def test_a_reader_who_reads_nothing_is_no_fault(words):
    assert in_shell(f"estoc {words} | true; echo ${{PIPESTATUS[0]}}") == (0, b"0\n", "")


@pytest.mark.parametrize("columns", ["0", "-5", "3", "x", "²", "", "9" * 30])
def test_a_width_that_cannot_be_is_none(columns, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    usual = estoc(*DUEL)
    monkeypatch.setenv("COLUMNS", columns)
    assert estoc(*DUEL) == usual
    assert len(usual.data) > 500


@needs_shell
def test_a_working_folder_that_is_gone_is_told(tmp_path):
    (tmp_path / "gone").mkdir()
    done = in_shell("cd gone; rmdir ../gone; estoc profiles list", tmp_path)
    told = "the working folder is gone or cannot be read; go to another one with cd"
    assert done == (1, b"", f"estoc: {told}\n")


@pytest.mark.parametrize("backend", ["foo", "TkAgg"])
def test_pictures_need_no_window_whatever_matplotlib_is_told(backend, tmp_path):
    done = process(*DUEL, "--plot", tmp_path / "a.png", MPLBACKEND=backend)
    assert (done.code, done.err) == (0, f"estoc: drew {tmp_path / 'a.png'}\n")


# --- what is shown can be read ---------------------------------------------------------

HIDDEN = "a\x1b]0;b\x07\x9b31m\u202ec\rd\ne\tf"
HIDDEN_SHOWN = r"a\x1b]0;b\x07\x9b31m\u202ec\rd\ne\tf"


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    "words",
    [
        ("duel", HIDDEN, GUARD),
        ("duel", GUARD, GUARD, "--edition", HIDDEN),
        ("duel", GUARD, GUARD, "--edition", f"{HIDDEN}.toml"),
        ("duel", GUARD, GUARD, "--rule", HIDDEN),
        ("duel", GUARD, GUARD, "--set", f"A.{HIDDEN}=1"),
        ("duel", GUARD, GUARD, "--seed", HIDDEN),
        ("duel", GUARD, GUARD, "--method", HIDDEN),
        ("duel", GUARD, GUARD, f"--{HIDDEN}"),
        ("duel", GUARD, GUARD, "-o", f"{HIDDEN}/{HIDDEN}.csv"),
        ("duel", GUARD, GUARD, "--plot", HIDDEN),
        ("duel", GUARD, GUARD, "--fighters", HIDDEN),
        ("profiles", "check", HIDDEN),
        ("battle", HIDDEN),
        ("run", HIDDEN),
        ("replay", HIDDEN, "--trial", "1"),
        ("sheet", "check", HIDDEN, "--unit", "U"),
        (HIDDEN,),
    ],
    ids=lambda words: "-".join(word for word in words if HIDDEN not in word) or "command",
)
def test_errors_show_what_cannot_be_seen_and_cut_what_is_long(words, lang):
    for value in (HIDDEN, "z" * 5_000, "z" * 100_000, "z " * 2_500):
        done = estoc("--lang", lang, *(word.replace(HIDDEN, value) for word in words))
        assert (done.code, done.data) == (2, b"")
        assert all(len(line) <= 400 for line in done.err.splitlines())
        assert hidden(done.err, "\n") is None
        last = done.err.splitlines()[-1]
        assert last.startswith(("estoc: ", "Error: ", "Erreur"))
        if value == HIDDEN:
            assert HIDDEN_SHOWN in last.replace("\\\\", "\\")
        else:
            assert "more characters)" in last or "caractères de plus)" in last


@pytest.mark.parametrize(
    ("words", "english", "french"),
    [
        (("--trials", "x"), "'x' should be a whole number.", "'x' devrait être un nombre entier."),
        (("--threads", "0"), "0 should be from 1 to 1024.", "0 devrait valoir de 1 à 1024."),
    ],
)
def test_wrong_numbers_are_told_in_plain_words(words, english, french):
    assert estoc("duel", GUARD, GUARD, *words).err.splitlines()[-1].endswith(f": {english}")
    told = estoc("--lang", "fr", "duel", GUARD, GUARD, *words).err.splitlines()[-1]
    assert told.endswith(f": {french}")


@needs_shell
@pytest.mark.parametrize("name", ["a\tb", "a\rb", "a\nb", "r\udce9sum", "-o", "it's $x", "\u202eb"])
def test_the_command_of_an_answer_runs_whatever_a_file_is_called(name, tmp_path):
    path = tmp_path / f"{name}.csv"
    path.write_text(OWN, encoding="utf-8")
    (tmp_path / f"{name}.toml").write_text(HOUSE, encoding="utf-8")
    file = shlex.quote(str(path) if name != "-o" else path.name)
    house = f"--edition {shlex.quote(f'{name}.toml')}"
    table = in_shell(f"estoc duel 'coeur d' 'sans points' --fighters {file} {house}", tmp_path)
    assert (table.code, table.err) == (0, "")
    again = table.out.rpartition("again:\n")[2]
    assert hidden(again, "\n") is None
    assert in_shell(again, tmp_path) == table


def test_a_name_that_looks_like_an_option_is_refused(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("nom;INI\n--help;3\n", encoding="utf-8")
    done = estoc("profiles", "check", path)
    told = "is not right: expected a name, without @, nor a quote or - in front"
    assert done == (2, b"", f"estoc: {path}:2, column 1 \"nom\": '--help' {told}\n")


ENCODINGS = [
    {"PYTHONIOENCODING": "ascii"},
    {"PYTHONIOENCODING": "cp1252"},
    {"LC_ALL": "C"},
]
READABLE = {"ascii": "Coeur d'acier -> Elan", "cp1252": "Cœur d'acier -> Élan", "utf-8": STEEL}


@pytest.mark.parametrize("environment", ENCODINGS, ids=str)
@pytest.mark.parametrize(
    "words",
    [
        ("duel", STEEL, GUARD, *FEW),
        ("profiles", "list"),
        ("profiles", "show", STEEL),
        ("replay", "duel", STEEL, GUARD, *FEW, "--trial", 1),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_any_encoding_is_readable(words, environment, own):
    # H12
    encoding = environment.get("PYTHONIOENCODING", "utf-8")
    done = process(*words, "--fighters", own, **environment, COLUMNS="200")
    assert done.code == 0, done.err
    assert READABLE[encoding] in done.data.decode(encoding)


def test_files_and_csv_are_utf_8_whatever_the_encoding(own, tmp_path):
    # H12
    words = ("duel", STEEL, GUARD, *FEW, "--fighters", own)
    expected = estoc(*words, "--format", "csv").data
    assert STEEL.encode() in expected
    assert process(*words, "--format", "csv", PYTHONIOENCODING="ascii").data == expected
    path = tmp_path / "é→.csv"
    for environment in ({"PYTHONIOENCODING": "cp1252"}, {"LC_ALL": "C"}):
        done = process(*words, "-o", path, **environment)
        assert done.code == 0, done.err
        assert path.read_bytes() == expected
        path.unlink()


def test_messages_of_any_encoding():
    done = process("duel", "Gard prétorien", WARRIOR, PYTHONIOENCODING="cp1252")
    assert done.code == 2
    assert "Gard pr" in done.err


# --- Ctrl-C ---------------------------------------------------------------------------


# The program, which says so on standard error once two parts of a run are counted.
TELLING = """
import os
from estoc.sim.cli import main as cli
from estoc.sim.base import parallel

said = []

def telling(tasks, threads, in_order=parallel.in_order):
    for number, counts in enumerate(in_order(tasks, threads)):
        if number == 2 and not said:
            said.append("once: a sweep counts each cell anew")
            os.write(2, b"counting\\n")  # a stream would write it again after the signal
        yield counts

parallel.in_order = telling
cli.main()
"""


def interrupted(words, folder):
    """Interrupt a run once it counts; what it did, and how long it took to end."""
    line = [sys.executable, "-c", TELLING, *map(str, words)]
    with started(line, cwd=folder, env=surroundings(PYTHONUTF8="1")) as child:
        while child.stderr.readline() != "counting\n":  # compiling the kernels is told too
            assert child.poll() is None
        child.send_signal(signal.SIGINT)
        begun = time.monotonic()
        out, err = child.communicate(timeout=60)
        return child.returncode, out, err, time.monotonic() - begun


needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
ENDLESS = ("--trials", 10**11, "--seed", 4, "--threads", 2)


@needs_signals
def test_who_ignores_ctrl_c_can_test_it_and_never_waits_for_ever():
    """A shell's background job ignores it, and so does all that it starts."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        code = "import time; print('begun', flush=True); time.sleep(60)"
        with started([sys.executable, "-c", code]) as child:
            assert child.stdout.readline() == "begun\n"
            child.send_signal(signal.SIGINT)
            assert "KeyboardInterrupt" in child.communicate(timeout=20)[1]
        with started([sys.executable, "-c", code], longest=0.1) as child:
            assert child.wait(20) == -signal.SIGKILL
    finally:
        signal.signal(signal.SIGINT, before)


@needs_signals
def test_an_interrupted_duel_tells_the_trials_that_it_did(tmp_path):
    code, out, err, seconds = interrupted(
        ("duel", GUARD, WARRIOR, *ENDLESS, "--format", "json"), tmp_path
    )
    assert code == 1
    assert seconds < 5
    (row,) = json.loads(out)
    said = re.fullmatch(r"estoc: stopped by Ctrl-C after ([\d,]+) of 100,000,000,000 trials\n", err)
    assert int(said[1].replace(",", "")) == row["trials"] > 0
    assert f"--trials {row['trials']} " in row["command"]
    assert answered(*shlex.split(row["command"])[1:]) == [row]


@needs_signals
def test_a_run_of_many_turns_ends_soon_too(tmp_path):
    words = ("duel", GUARD, WARRIOR, *ENDLESS, "--dice", "0/2", "0/2", "--turns", 4095)
    code, _, err, seconds = interrupted(words, tmp_path)
    assert code == 1
    assert re.match("estoc: stopped by Ctrl-C after ", err), err
    assert seconds < 5


@needs_signals
def test_an_interrupted_sweep_has_whole_cells_only(tmp_path):
    words = ("sweep", "--people", "griffons", "--against", "dirz", *KNOWN)
    words += ("--trials", 60_000, "--seed", 4, "--threads", 1, "--turns", 5)
    code, out, err, seconds = interrupted((*words, "-o", "table.csv"), tmp_path)
    assert (code, out) == (1, "")
    assert seconds < 5
    wrote, said = err.splitlines()
    # 7 by 6 fighters, each in 3 ways; Arkhos holds a die back (Bretteur), and has 2
    cells = int(re.fullmatch(r"estoc: stopped by Ctrl-C after (\d+) of 360 cells", said)[1])
    assert wrote == f"estoc: wrote table.csv, {cells} rows, seed 4"
    assert os.listdir(tmp_path) == ["table.csv"]
    rows = list(csv.DictReader(StringIO((tmp_path / "table.csv").read_text("utf-8"))))
    assert len(rows) == cells >= 2
    again = answered(*shlex.split(rows[1]["command"])[1:])
    assert {k: "" if v is None else str(v) for k, v in again[0].items()} == rows[1]


@needs_signals
def test_a_run_interrupted_before_it_counted_prints_nothing(monkeypatch):
    def interrupt(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("estoc.sim.base.parallel.in_order", interrupt)
        for words, did in ((DUEL, "0 of 200 trials"), (SWEEP, "0 of 9 cells")):
            done = estoc(*words)
            assert (done.code, done.data) == (1, b"")
            assert done.err == f"estoc: stopped by Ctrl-C after {did}\n"
    monkeypatch.setattr("estoc.profiles.Roster.load", interrupt)
    done = estoc(*DUEL)
    assert (done.code, done.data) == (1, b"")
    assert done.err.strip() == "estoc: stopped by Ctrl-C; nothing was done"


def test_a_file_that_ends_early_is_no_ctrl_c(monkeypatch):
    """click takes EOFError for a person's, who ends a prompt that Estoc does not have."""

    def ends(*_, **__):
        raise EOFError("Ran out of input")

    monkeypatch.setattr("estoc.profiles.Roster.load", ends)
    done = estoc(*DUEL)
    assert (done.code, done.data) == (1, b"")
    assert done.err.strip() == (
        "estoc: the run failed: EOFError: Ran out of input (a fault of estoc; "
        "ESTOC_DEBUG=1 shows where)"
    )


# --- the environment ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("NUMBA_NUM_THREADS", "0", "Number of threads specified must be > 0"),
        ("NUMBA_NUM_THREADS", "abc", "Environment variable 'NUMBA_NUM_THREADS' is defined but"),
        ("NUMBA_OPT", "7", "Environment variable 'NUMBA_OPT' is defined but"),
    ],
)
def test_a_setting_that_numba_cannot_use_is_one_line(name, value, why):
    done = process("duel", GUARD, WARRIOR, **{name: value})
    assert (done.code, done.data) == (2, b"")
    assert done.err.startswith(f"estoc: numba cannot be loaded: {why}")
    assert f"{name}={value}" in done.err
    assert len(done.err.splitlines()) == 1


# --- advice ---------------------------------------------------------------------------


# Which commands can print a text of a module that names an option: all of them have it.
COMBATS = "duel, combat, melee, sweep, worth, book"
BATTLES = "battle, matchup, compare, tune"
ADVISED = {
    ("sim/ask/battles.py", "--trial --transcript --exact --method"): "cards",
    ("sim/ask/combats.py", "--people --against"): "sweep",
    ("sim/ask/best_play.py", "--book --unseen"): "solve",
    (
        "sim/ask/request.py",
        "--method",
    ): "duel, combat, melee, sweep, disengage, fear, shoot, cards, sheet contagion",
    ("sim/ask/contests.py", "--trials"): "compare",
    ("sim/ask/rolls.py", "--assaulted"): "disengage",
    ("sim/ask/rolls.py", "--range"): "shoot",
    ("sim/ask/sheet.py", "--side"): "sheet contagion",
    ("sim/ask/sheet.py", "--is --explain --if --hexes"): "sheet check",
    ("sim/ask/contests.py", "--change"): "compare",
    ("sim/ask/contests.py", "--list"): "tune",
    ("sim/ask/contests.py", "--field"): "compare, tune",
    ("sim/base/printed.py", "--assumed"): "edition show",  # which it names
    ("sim/audit/audit.py", "--edition"): "audit",
    ("sim/base/policy.py", "--policy"): f"{COMBATS}, solve, cards",
    ("sim/batch/folder.py", "--resume"): "run",
    ("sim/batch/manifest.py", "--resume"): "run",
    ("sim/batch/runs.py", "--resume"): "run",
    ("sim/battle/policy.py", "--policy-a --policy-b"): "battle",  # which it names
    ("sim/battle/table.py", "--trial"): "replay",
    ("sim/combat/combatants.py", "--set"): f"{COMBATS}, solve, {BATTLES}, cards, table, moves, "
    "fear",
    ("sim/combat/exact.py", "--method"): "duel, combat",
    ("sim/combat/question.py", "--dice"): "combat, solve",  # which it names
    ("sim/combat/sampling.py", "--method --trials --seed --precision --sampler"): "duel, combat, "
    "sweep",
    ("sim/combat/laws.py", "--set"): f"{COMBATS}, solve",
    ("sim/contagion/contagion.py", "--method"): "sheet contagion",
    ("sim/contest/training.py", "--against --list --scenario"): "tune",
    ("sim/matchup/matchup.py", "--losses"): "matchup",
    ("sim/matchup/question.py", "--policies"): "matchup",
    ("sim/matchup/table.py", "--plot"): "matchup",
    ("sim/phases/card_exact.py", "--method"): "cards",
    ("sim/phases/card_sampling.py", "--method --trials --seed"): "cards",
    ("sim/report/kinds.py", "--fighters"): "book",
    ("sim/rolls/disengage_question.py", "--enemies"): "disengage",
    ("sim/sheet/losses.py", "--wing --lose"): "sheet wing",
    ("sim/sheet/picture.py", "--routed --as-seen-by"): "sheet map",
    ("sim/sheet/question.py", "--unit"): "sheet check",
    ("sim/sheet/runs.py", "--method"): "sheet lost, sheet wing, sheet sensitivity, sheet map",
    ("sim/sheet/table.py", "--format"): "sheet check",
    ("sim/table/melee.py", "--set"): "melee",
    ("sim/table/melee_question.py", "--turns"): "melee",
    ("sim/worth/abilities.py", "--no-abilities"): "worth",
    ("sim/worth/solve.py", "--dice --policy"): "solve",
    ("profiles/armies/weapons.py", "--set"): "shoot, battle, matchup, compare, tune",
    ("profiles/compile/battle.py", "--fighters"): f"{BATTLES}, army check",
    ("profiles/compile/cards.py", "--winner"): "cards",
    ("profiles/compile/muster.py", "--fighters"): f"{BATTLES}, army check",
    ("profiles/fighters/card.py", "--set"): f"{COMBATS}, solve, {BATTLES}, cards, table, moves, "
    "disengage, shoot, fear, audit",
    ("profiles/sheet/unit.py", "--is"): "sheet check",
}
REFUSED = {("sim/table/melee_question.py", "--dice")}  # named as one that there is not
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")


def advised(path: Path) -> set[str]:
    """Options that texts of a module name; in a command that is put together they stand alone."""
    tree = ast.parse(path.read_text("utf-8"))
    described = (ast.Module, ast.ClassDef, ast.FunctionDef)
    docs = {ast.get_docstring(n, clean=False) for n in ast.walk(tree) if isinstance(n, described)}
    texts = [
        n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)
    ]
    shown = [t for t in texts if t not in docs and not OPTION.fullmatch(t.strip().rstrip("="))]
    return {option for text in shown for option in OPTION.findall(text)}


def test_every_option_that_a_text_advises_is_known_to_the_commands_that_print_it():
    modules = [p for f in ("sim", "profiles") for p in (ROOT / f).rglob("*.py")]
    found = {
        (path.relative_to(ROOT).as_posix(), option)
        for path in modules
        if path.relative_to(ROOT).parts[1] not in ("cli", "bench")
        for option in advised(path)
    }
    known = {(path, option) for path, options in ADVISED for option in options.split()}
    assert found == known | REFUSED
    items = {" ".join(path): item for path, item in commands()}
    for (_, options), names in ADVISED.items():
        for name in names.split(", "):
            has = {word for option in items[name].params for word in option.opts}
            assert set(options.split()) <= has, name


# --- help -----------------------------------------------------------------------------


def commands(group=cli, path=()):
    for name, item in group.commands.items():
        yield (*path, name), item
        if isinstance(item, click.Group):
            yield from commands(item, (*path, name))


COMMANDS = [pytest.param(path, item, id=" ".join(path)) for path, item in commands()]


@pytest.mark.parametrize(("path", "item"), COMMANDS)
def test_every_command_and_option_has_help(path, item):
    assert item.help
    for parameter in item.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, parameter.name
    shown = CliRunner().invoke(cli, [*path, "--help"])
    assert shown.exit_code == 0
    assert "Usage:" in shown.output
    assert max(map(len, shown.output.splitlines())) <= 100


def test_help_loads_nothing_heavy():
    heavy = ["numba", "numpy", "pandas", "matplotlib", "scipy", "pyarrow", "rich", "pydantic"]
    code = (
        "import sys\n"
        "sys.argv = ['estoc', '--help']\n"
        "from estoc.sim.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n"
        f"    print([m for m in {heavy} if m in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == "[]\n"
    assert "Commands:" in done.stdout


def test_a_listing_loads_no_compiler():
    code = (
        "import sys\n"
        "sys.argv = ['estoc', 'profiles', 'list']\n"
        "from estoc.sim.cli.main import main\n"
        "try:\n    main()\n"
        "except SystemExit:\n"
        "    print([m for m in ('numba', 'matplotlib', 'scipy') if m in sys.modules],"
        " file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, cwd=ROOT, env=surroundings()
    )
    assert done.stderr == b"[]\n"


def test_a_fighter_without_pa_is_told_in_the_table():
    done = estoc("duel", PLAIN.label, GUARD, *FEW)
    assert "no PA, placed as if equal" in done.out


def test_a_fighter_that_replaces_a_shipped_one_is_told(tmp_path):
    mine = tmp_path / "mine.csv"
    mine.write_text(
        "name,INI,ATT,FOR,DEF,RES,origin\nGarde prétorien,9,9,9,9,9,Conf'Fédé\n", "utf-8"
    )
    done = estoc(*DUEL, "--fighters", str(mine))
    assert done.code == 0
    assert "mine.csv:2" in done.err
    assert "replaces" in done.err


def test_only_what_is_assumed_of_an_edition():
    rows = answered("edition", "show", "--assumed")
    assert {row["mark"] for row in rows} == {"assumed", "reading"}
    assert {"tests.many_dice", "cards.refusal_alone"} <= {row["key"] for row in rows}


def test_a_trial_that_was_not_in_the_run_is_refused():
    done = estoc("replay", *DUEL, "--trial", 200)
    assert (done.code, done.data) == (2, b"")
    assert "trial 200: the run has trials 0 to 199" in done.err


def test_a_result_says_what_was_asked():
    done = estoc(*DUEL, "--wounds", "A=léger", "--charge", "B")
    assert f"{GUARD} (starts léger) against {WARRIOR} (charges)" in done.out
    done = estoc("combat", WARRIOR, "vs", f"{WARRIOR}*2", "--all-defence", "B2", *FEW)
    assert f"{WARRIOR}#2 (all in defence)" in " ".join(done.out.split())
    assert "equal PA: A chose the combat, B places first (C-3.3)" in done.out


def test_a_table_is_not_replayed(tmp_path):
    path = tmp_path / "d.txt"
    estoc(*DUEL, "-o", path)
    done = estoc("replay", path, "--trial", 2)
    assert done.code == 2
    assert "is a table to read" in done.err


def test_a_file_without_a_fighter_is_no_good(tmp_path):
    path = tmp_path / "none.csv"
    path.write_text("nom;INI;coût\n", "utf-8")
    done = estoc("profiles", "check", path)
    assert done.code == 2
    assert "no fighter below the headings" in done.err
