"""The parts of scripts/bench check before they time, and their checks can fail."""

import importlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from estoc.sim.bench.agreement import Disagreement

SCRIPTS = Path(__file__).parents[2] / "scripts"
PLAYED = ["wait v cheap", "threat v cheap", "threat v wait", "wait v random", "random v random"]


@pytest.fixture
def part(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """The file of a part, by its name."""
    monkeypatch.syspath_prepend(SCRIPTS)
    return lambda name: importlib.import_module(f"races.{name}")


@pytest.fixture
def cards(part: Callable[[str], ModuleType]) -> ModuleType:
    return part("cards")


@pytest.fixture
def battles(part: Callable[[str], ModuleType]) -> ModuleType:
    return part("battle")


def test_racers_are_told_beside_each_other(part, capsys):
    form = part("form")
    bench, run = form.Bench(3), time.sleep
    racers = {
        "a | b": form.Racer(run, bar=1.5e-3),
        "pairs": form.Racer(run, answers=2, beside="a | b", bar=1e-3),
    }
    rows = bench.tell("Two", racers, {"a | b": [1e-3, 2e-3, 4e-3], "pairs": [1e-3, 4e-3, 3e-3]})
    assert rows["pairs"]["seconds"] == {"least": 0.5e-3, "median": 1.5e-3}
    assert rows["pairs"]["ratio"] == {"least": 2, "median": 2}
    assert [row["met"] for row in rows.values()] == [True, True]
    assert [row["met_by_median"] for row in rows.values()] == [False, False]
    assert "ratio" not in rows["a | b"]
    assert bench.report == {"Two": rows}
    longer = bench.tell("Long", racers, {"a | b": [1e-3], "pairs": [1e-3]}, longer=True)
    assert longer["pairs"]["ratio"]["least"] == 0.5
    bench.facts("Facts", {"one": {"size": 1234, "share": 0.5}})
    text = capsys.readouterr().out
    assert "| a \\| b |   1 ms |   2 ms |" in text  # a bar of Markdown would begin a cell
    assert "1.5 ms min met" in text
    assert text.count("times as fast as a | b") == text.count("times as long as a | b") == 1
    assert "| one | 1,234 |   0.5 |" in text


def test_a_library_that_is_missing_is_told_in_a_line(part, monkeypatch):
    part("form")
    bench = importlib.import_module("bench")
    monkeypatch.setitem(sys.modules, "networkx", None)
    monkeypatch.delitem(sys.modules, "races.table", raising=False)
    done = CliRunner().invoke(bench.main, ["--quick", "--part", "table"])
    assert done.exit_code == 1
    assert done.output == "Error: the part table needs networkx, which scripts/bench installs\n"


def test_a_very_large_run_is_estimated_from_what_is_measured(tmp_path):
    found = reported("runs", tmp_path / "runs.json")["runs"]
    told = found["10^12 battles on 1,000 cores, from measured inputs"]
    (battle,) = found["A battle of five against five"].values()
    assert told["hours"] * 3600 == pytest.approx(1e12 * battle["seconds"]["least"] / 1000)
    assert told["chunks"] * told["battles a chunk"] == pytest.approx(1e12)
    chunk = found["A chunk"]
    assert told["GB on disk"] * 1e9 == pytest.approx(told["chunks"] * chunk["bytes on disk"])
    assert told["share of what the scheduler can"] > 0
    assert chunk["bytes there"] < 1000  # the battle itself travels once


def reported(part: str, path: Path, *more: object) -> dict[str, Any]:
    """What a part writes; in a process of its own, which it pins to a core."""
    words = ("--quick", "--rounds", 1, "--part", part, "--json", path, *more)
    command = [sys.executable, SCRIPTS / "bench.py", *words]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return json.loads(path.read_text())


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reported("exact", tmp_path_factory.mktemp("bench") / "report.json")


@pytest.fixture(scope="module")
def cards_report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reported("cards", tmp_path_factory.mktemp("bench") / "report.json")


@pytest.mark.slow
def test_only_the_part_asked_for_runs(report: dict[str, Any]) -> None:
    assert set(report) == {"machine", "exact"}


@pytest.mark.slow
def test_each_bar_has_its_rows(report: dict[str, Any]) -> None:
    rows = report["exact"]["Exact answers"]
    bars = {
        *(("fixed: 1 v 1", 4e-6), ("fixed: 1 v 2", 150e-6), ("fixed: 1 v 3", 4e-3)),
        *(("optimal: 1 v 1", 40e-6), ("optimal: 1 v 2", 50e-3)),
        *(("fixed: 77 x", 0.3), ("optimal: 77 x", 3.0)),
    }
    found = {
        (re.match(r"\w+: (\d v \d|77 x)", name)[0], row["bar"])
        for name, row in rows.items()
        if row["bar"]
    }
    assert found == bars
    for section in ("fixed", "optimal"):
        duels = [n for n, row in rows.items() if n.startswith(f"{section}: 1 v 1") and row["bar"]]
        assert len(duels) == 9
        assert any(name.startswith(f"{section}: 1 v 3, slowest of") for name in rows)


@pytest.mark.slow
def test_times_are_multiples_of_the_plain_duel(report: dict[str, Any]) -> None:
    rows = report["exact"]["Exact answers"]
    plain = rows.pop("plain numba duel")["seconds"]["least"]
    for row in rows.values():
        assert row["ratio"]["least"] == pytest.approx(row["seconds"]["least"] / plain)
        assert row["met"] == (row["seconds"]["least"] <= row["bar"] if row["bar"] else None)


@pytest.mark.slow
def test_trials_for_a_tenth_of_a_point(report: dict[str, Any]) -> None:
    found = report["exact"]["What Monte Carlo needs for A wins ± 0.1 points (95 %)"]
    assert len(found) == 5
    for row in found.values():
        chance = row["A wins"]
        half_width = 1.96 * (chance * (1 - chance) / row["trials"]) ** 0.5
        assert half_width == pytest.approx(0.001, rel=1e-3)


@pytest.mark.parametrize("pair", PLAYED)
def test_plain_phases_and_kernel_agree(cards: ModuleType, pair: str) -> None:
    assert cards.check_sizes(pair, tuple(pair.split(" v ")), 60_000) < cards.LIMIT_Z


@pytest.mark.parametrize("pair", PLAYED[:4])
def test_plain_recursion_and_exact_odds_agree(cards: ModuleType, pair: str) -> None:
    asked = cards.question(tuple(pair.split(" v ")), cards.EXACT_SIZES)
    cards.check_exact(pair, asked, cards.job_of(asked))


@pytest.mark.parametrize("fault", [{"reserves": 2}, {"reserves": 0}, {"discipline": (4, 4)}])
def test_phase_by_other_rules_is_noticed(cards: ModuleType, fault: dict[str, Any]) -> None:
    asked = cards.question(("random", "random"), cards.SIZES)
    with pytest.raises(Disagreement, match="and estoc disagree"):
        cards.check_sampled("test", asked, cards.job_of(asked)._replace(**fault), 400_000)


def test_recursion_by_other_rules_is_noticed(cards: ModuleType) -> None:
    asked = cards.question(("random", "random"), cards.EXACT_SIZES, listed=True)
    faulty = cards.job_of(asked)._replace(reserves=2)
    with pytest.raises(Disagreement, match="the plain recursion differ"):
        cards.check_exact("test", asked, faulty)


def test_what_never_happens_is_noticed(cards: ModuleType) -> None:
    odds = cards.Counts.none((1, 1))
    once = cards.Counts.none((1, 1), 1_000_000, np.int64)
    assert cards.apart(once, odds) == 0
    once.before[0, 0] = 1
    assert cards.apart(once, odds) == float("inf")


def test_phases_are_timed_beside_plain_ones(cards_report: dict[str, Any]) -> None:
    assert set(cards_report) == {"machine", "cards"}
    found = cards_report["cards"]
    who = {"python, plain", "numba, plain", "estoc, 1 thread"}
    rows = found["Activation phases of 8 against 8 cards, sampled"]
    assert set(rows) == {f"{pair}: {name}" for pair in PLAYED for name in who}
    for name, row in rows.items():
        assert ("ratio" in row) == (not name.endswith("numba, plain"))
        bar = 500e-9 if name.endswith("estoc, 1 thread") else None
        assert row["met"] == (row["seconds"]["least"] <= bar if bar else None)
    # itself, the first word, the roll, two reserves
    assert found["Phases that are compared in a trial"] == dict.fromkeys(PLAYED, 7)


def test_exact_phases_are_timed_with_and_without_the_roll(cards_report: dict[str, Any]) -> None:
    rows = cards_report["cards"]["Who acts before whom, 5 against 4 cards, exactly"]
    assert {name.partition(": ")[2] for name in rows} == {
        *("estoc", "estoc, with roll", "python, plain")
    }
    for name, row in rows.items():
        bar = None if name.endswith("python, plain") else 0.01
        assert row["met"] == (row["seconds"]["least"] <= bar if bar else None)


@pytest.fixture(scope="module")
def table_report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reported("table", tmp_path_factory.mktemp("bench") / "report.json")


@pytest.mark.slow
def test_the_table_is_timed_beside_shapely(table_report: dict[str, Any]) -> None:
    assert set(table_report) == {"machine", "table"}
    found = table_report["table"]
    rows = found["40 fighters and 12 pieces of terrain"]
    assert {name: row["bar"] for name, row in rows.items() if not name.endswith(", plain")} == {
        "contact graph": 5e-6,
        "contacts after one move": 0.3e-6,
        "sight line": 1e-6,
        "path, nothing in the way": 1e-6,
        "path with a detour": 50e-6,
        "path to an enemy's edge": None,
    }
    for row in rows.values():
        assert row["met"] == (row["seconds"]["least"] <= row["bar"] if row["bar"] else None)
        assert ("ratio" in row) == (row["bar"] is not None)
    assert 0 < found["Paths agree to within the error of the plain ones"]["most, cm"] < 0.05


def test_a_table_that_differs_is_noticed(part: Callable[[str], ModuleType]) -> None:
    table = part("table")
    job = table.work()
    assert table.check(job, 4) > 0
    apart = [table.affinity.scale(base, 0.99, 0.99) for base in job.bases]
    with pytest.raises(Disagreement, match="contacts differ"):
        table.check(job._replace(bases=apart), 4)
    with pytest.raises(Disagreement, match="differs"):
        table.check(job._replace(pieces=[table.shapely.box(0, 0, 100, 100)]), 4)
    longer = job.tables.copy()
    longer[0]["bases"][:, 5] += 0.2  # only the mover's width: its corners are not drawn anew
    with pytest.raises(Disagreement, match="is not between"):
        table.check(job._replace(tables=longer), 16)


@pytest.fixture(scope="module")
def battle_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def battle_report(battle_folder: Path) -> dict[str, Any]:
    return reported("battle", battle_folder / "report.json", "--plot", battle_folder / "grows.svg")


@pytest.mark.slow
def test_battles_are_timed_and_grow(battle_report: dict[str, Any], battle_folder: Path) -> None:
    assert set(battle_report) == {"machine", "battle"}
    found, clock = battle_report["battle"], "a duel, 2/0 v 2/0"
    kinds = found["Ten against ten, six turns, aggressive if not said"]
    growth = found["As armies grow: open table, aggressive"]
    assert set(kinds) - {clock} == {
        *("open table", "4 pieces of terrain", "4 pieces, random policy", "4 pieces, by odds")
    }
    assert list(growth) == ["5 a side", "10 a side", "20 a side", "32 a side", clock]
    for rows in (kinds, growth):
        duel = rows.pop(clock)["seconds"]["least"]
        for row in rows.values():
            assert row["ratio"]["least"] == pytest.approx(row["seconds"]["least"] / duel)
    kept = found["Bytes of a thread"]
    assert kept["most"] > kept["of its record"] > 10**6
    assert "fighters a side" in (battle_folder / "grows.svg").read_text(encoding="utf-8")


def test_armies_that_grow_stand_apart(battles: ModuleType) -> None:
    for fighters, question in battles.grown().items():
        placed = question.scenario.fighters
        assert [p.side for p in placed] == ["A"] * fighters + ["B"] * fighters
        battles.check("test", question, 1)  # the checker looks for bases on others


def test_a_battle_told_otherwise_is_noticed(
    battles: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    question, told = battles.grown()[5], battles.told
    battles.check("test", question, 3)
    monkeypatch.setattr(battles, "told", lambda steps: (told(steps)[0] - 1, told(steps)[1]))
    with pytest.raises(Disagreement, match="tell other winners"):
        battles.check("test", question, 3)
    monkeypatch.setattr(battles, "told", lambda steps: (told(steps)[0], [0, 1]))
    with pytest.raises(Disagreement, match="tell other points"):
        battles.check("test", question, 3)
    monkeypatch.setattr(battles, "audit", lambda steps, edition: ["a breach"])
    with pytest.raises(Disagreement, match="trial 0 breaks the rules"):
        battles.check("test", question, 3)


def test_memory_that_grows_is_noticed(battles: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(battles, "peak", lambda question, trials: 1000 + trials)
    with pytest.raises(Disagreement, match="memory grows with trials"):
        battles.memory(battles.grown()[5])


def test_only_battles_are_drawn(part: Callable[[str], ModuleType]) -> None:
    part("form")
    bench = importlib.import_module("bench")
    done = CliRunner().invoke(bench.main, ["--part", "exact", "--plot", "grows.svg"])
    assert done.exit_code == 2
    assert "--plot draws the part battle" in done.output


# --- matchups -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_matchup_is_reckoned(tmp_path: Path) -> None:
    report = reported("matchup", tmp_path / "report.json")["matchup"]
    needed = report["6 lists with 2 policies need, to ± 1 point"]
    battle = report["6 entrants, all against all, on all cores"]["a battle"]["seconds"]["least"]
    playing = needed["seconds"] - needed["seconds to make them ready"]
    assert playing == pytest.approx(needed["battles"] * battle)
    # 66 meetings, each at least as long as the first look
    assert needed["battles"] > 66 * 2 * 200


def test_pairs_that_differ_less_are_fewer(part: Callable[[str], ModuleType]) -> None:
    matchups = part("matchup")
    meetings = [matchups.Meeting.none((1, 1), (0, 0)) for _ in range(2)]
    meetings[0].pairs[:] = 100, 0, 0, 0, 100
    meetings[1].pairs[:] = 10, 0, 180, 0, 10
    most, few = (matchups.pairs_needed(meeting, 0.01) for meeting in meetings)
    assert few < most / 5
    assert matchups.battles_needed(meetings, 6, 2) == 66 * (most + few)


# --- chains beside C ----------------------------------------------------------------------

WALK = """
#include <stdint.h>
void c_lanes(int64_t trials, const uint32_t *rows, int64_t states, int64_t steps, int64_t seed,
             int64_t *counts) {
  uint64_t x = seed;
  for (int64_t k = 0; k < trials; k++) {
    uint32_t place = 0;
    for (int64_t t = 0; t < steps; t++) {
      uint64_t z = (x += 0x9E3779B97F4A7C15u);
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
      uint32_t u = (uint32_t)((z ^ (z >> 31)) >> 32);
      uint32_t cell = rows[((t * states + place) << 3) + (u >> 29)];
      place = (u & 0xFFFF) < (cell >> 16) ? cell & 255 : cell >> 8 & 255;
    }
    counts[FAULT place]++;
  }
}
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize("fault", ["", "1 ^"])
def test_a_chain_in_c_is_checked_before_it_is_timed(part, tmp_path, fault):
    """A C file of one's own: one that is right, and one that takes ends for each other."""
    source = tmp_path / "walk.c"
    source.write_text(WALK.replace("FAULT", fault))
    chain = part("chain")
    bench = chain.Bench(1, quick=True, source=source)
    if fault:
        with pytest.raises(Disagreement, match="c_lanes and the exact odds disagree"):
            chain.time_part(bench)
        return
    chain.time_part(bench)
    assert len(bench.report) == 2
    for rows in bench.report.values():
        assert list(rows) == [*("numba, plain", "chain, by attacks", "chain, joined", "C, c_lanes")]
        assert rows["C, c_lanes"]["ratio"] == {"least": 1, "median": 1}


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("int c_other;", "has none of the functions c_lanes, c_avx2, c_avx512"),
        ("void c_lanes(", "cannot be compiled: "),
    ],
)
def test_a_c_file_that_cannot_be_used_is_refused_in_a_line(source, message, tmp_path):
    file = tmp_path / "walk.c"
    file.write_text(source)
    done = subprocess.run(
        [sys.executable, SCRIPTS / "bench.py", "--beside-c", file], capture_output=True, text=True
    )
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
