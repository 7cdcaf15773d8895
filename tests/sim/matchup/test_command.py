"""`estoc matchup` as a person asks it: whole battles, tables, files, pictures, refusals."""

import csv
import io
import shlex
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from running import DATA, answered, estoc

from estoc.sim.matchup.matchup import matchup

LISTS = ("daikinee-riders", "devoreurs-elite")
FEW = ("--seed", 3, "--trials", 40)


@pytest.fixture(autouse=True)
def surroundings(tmp_path, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)


def scores(rows):
    """Return the rows of the matrix by who meets whom."""
    return {(row["entrant"], row["other"]): row for row in rows if row["section"] == "score"}


def test_a_matchup():
    done = estoc("matchup", *LISTS, *FEW)
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert lines[0] == "Village: 2 lists, 1 policy, all against all, both ways round"
    assert max(map(len, lines)) <= 80
    for words in (
        "score against",
        "against the field",
        "what to bring",
        "fighters lost",
        "points lost",
    ):
        assert any(line.strip().startswith(words) for line in lines)
    assert "depends on" in done.out


def test_turned_round_it_is_the_same_mirrored():
    one = scores(matchup(LISTS, trials=40, seed=3, threads=1))
    other = scores(matchup(LISTS[::-1], trials=40, seed=3, threads=2))
    assert one.keys() == other.keys()
    for who, row in one.items():
        counts = [
            key for key in row if key in ("wins", "draws", "losses") or key.startswith("pairs")
        ]
        assert [row[key] for key in counts] == [other[who][key] for key in counts]
    met = [row for row in one.values() if row["entrant"] != row["other"]]
    assert sum(row["wins"] for row in met) == sum(row["losses"] for row in met)


def test_files_and_the_command_that_gives_them_again():
    asked = ("matchup", LISTS[0], *FEW, "--policies", "aggressive,random", "--field", "open")
    rows = answered(*asked)
    text = list(csv.DictReader(io.StringIO(estoc(*asked, "--format", "csv").out)))
    assert [row["section"] for row in text] == [row["section"] for row in rows]
    assert estoc(*asked, "-o", "all.parquet").code == 0
    assert pq.read_table("all.parquet").to_pylist() == rows
    again = shlex.split(rows[0]["command"])
    assert again[0] == "estoc"
    assert answered(*again[1:]) == rows
    assert {row["entrant"] for row in rows if row["entrant"]} == {"aggressive", "random"}
    assert "--field open" in rows[0]["command"]


def test_a_list_of_one_s_own():
    Path("mine.toml").write_bytes((DATA / "armies" / f"army-{LISTS[1]}.toml").read_bytes())
    rows = answered("matchup", "mine.toml", LISTS[0], *FEW)
    assert {row["list"] for row in rows if row["section"] == "field"} == {"mine", LISTS[0]}
    assert "matchup mine.toml" in rows[0]["command"]


def test_pictures():
    for kind in ("heat", "forest", "both"):
        done = estoc("matchup", *LISTS, *FEW, "--plot", f"{kind}.svg", "--plot-kind", kind)
        assert done.code == 0, done.err
    sizes = [Path(f"{kind}.svg").stat().st_size for kind in ("heat", "forest", "both")]
    assert sizes[2] > max(sizes[:2])


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ((LISTS[0],), "two lists"),
        ((*LISTS, "--trials", "7"), "even"),
        ((*LISTS, "none.toml"), "none.toml"),
        ((*LISTS, "--losses", "x", "y"), 'no entrant is "x"'),
        ((*LISTS, "--losses", "1", "1"), "named twice"),
        ((*LISTS, "--field", "nowhere"), "nowhere"),
        ((*LISTS, "--precision", "2"), "precision"),
        ((*LISTS, "--policies", "brave"), "brave"),
    ],
)
def test_wrong_questions_are_refused_in_a_line(words, fault):
    done = estoc("matchup", *words)
    assert done.code == 2
    assert done.out == ""
    assert fault in done.err
    assert len(done.err.splitlines()) == 1
