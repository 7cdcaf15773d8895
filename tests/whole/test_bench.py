"""The parts of scripts/bench check before they time, and their checks can fail."""

import importlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from estoc.sim.bench.agreement import Disagreement

SCRIPTS = Path(__file__).parents[2] / "scripts"
PLAYED = ["wait v cheap", "threat v cheap", "threat v wait", "wait v random", "random v random"]


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("bench")


@pytest.fixture
def cards(bench: ModuleType) -> ModuleType:
    return bench.bench_cards


def test_a_very_large_run_is_estimated_from_what_is_measured(bench, tmp_path):
    found = reported("runs", tmp_path / "runs.json")["runs"]
    told = found["estimate"]
    assert told["seconds"] == pytest.approx(1e12 * found["battle"]["least"] / 1000)
    assert told["chunks"] * told["battles_per_chunk"] == pytest.approx(1e12)
    assert told["bytes_on_disk"] == pytest.approx(told["chunks"] * found["part_bytes"])
    assert told["share_of_scheduler"] > 0
    assert found["there"] < 1000  # the battle itself travels once


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
    rows = report["exact"]["rows"]
    barred = {(row["enemies"], row["optimal"]) for row in rows.values() if row["bar"]}
    assert barred == {
        (0, False),
        (0, True),
        (1, False),
        (1, True),
        (2, False),
        (2, True),
        (3, False),
    }
    assert [name for name in rows if "77 x 77 cards x 9 pairs" in name and rows[name]["bar"]]
    for section in ("policies fixed", "every decision optimal"):
        assert sum(name.startswith(f"{section}: 1 v 1") and "/" in name for name in rows) >= 9
        assert any(name.startswith(f"{section}: 1 v 3, slowest of") for name in rows)


@pytest.mark.slow
def test_times_are_multiples_of_the_plain_duel(report: dict[str, Any]) -> None:
    plain = report["exact"]["plain_seconds"]["least"]
    for row in report["exact"]["rows"].values():
        assert row["plain_duels"]["least"] == pytest.approx(row["seconds"]["least"] / plain)
        assert row["met"] == (row["seconds"]["least"] <= row["bar"] if row["bar"] else None)


@pytest.mark.slow
def test_trials_for_a_tenth_of_a_point(report: dict[str, Any]) -> None:
    for row in report["exact"]["monte_carlo"].values():
        chance = row["p_a_wins"]
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
    assert list(cards_report["cards"]["sampled"]) == PLAYED
    for row in cards_report["cards"]["sampled"].values():
        assert set(row["rows"]) == {"python, plain", "numba, plain", "estoc, 1 thread"}
        assert row["rows"]["numba, plain"]["times_faster"]["least"] == 1
        assert row["met"] == (row["rows"]["estoc, 1 thread"]["ns_per_phase"]["least"] <= 500)
        assert row["compared"]["phases"] == 7  # itself, the first word, the roll, two reserves


def test_exact_phases_are_timed_with_and_without_the_roll(cards_report: dict[str, Any]) -> None:
    for rows in cards_report["cards"]["exact"].values():
        assert set(rows) == {"estoc", "estoc, with roll", "python, plain"}
        assert rows["python, plain"]["bar"] is None
        assert rows["estoc"]["met"] == (rows["estoc"]["seconds"]["least"] <= 0.01)


@pytest.fixture(scope="module")
def table_report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return reported("table", tmp_path_factory.mktemp("bench") / "report.json")


@pytest.mark.slow
def test_the_table_is_timed_beside_shapely(table_report: dict[str, Any]) -> None:
    assert set(table_report) == {"machine", "table"}
    rows = table_report["table"]["rows"]
    assert {name: row["bar"] for name, row in rows.items()} == {
        "contact graph": 5e-6,
        "contacts after one move": 0.3e-6,
        "sight line": 1e-6,
        "path, nothing in the way": 1e-6,
        "path with a detour": 50e-6,
        "path to an enemy's edge": None,
    }
    for row in rows.values():
        assert row["met"] == (row["seconds"]["least"] <= row["bar"] if row["bar"] else None)
    assert all("times_faster" in row for row in rows.values() if row["bar"])
    assert 0 < table_report["table"]["plain_error_cm"] < 0.05


def test_a_table_that_differs_is_noticed(bench: ModuleType) -> None:
    table = bench.bench_table
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
    found = battle_report["battle"]
    assert set(found["rows"]) == {
        *("open table", "4 pieces of terrain", "4 pieces, random policy", "4 pieces, by odds")
    }
    assert list(found["growth"]) == ["5 a side", "10 a side", "20 a side", "32 a side"]
    for row in (*found["rows"].values(), *found["growth"].values()):
        times = row["seconds"]["least"] * row["battles_per_second"]["least"]
        assert times == pytest.approx(1)
        assert row["duels"]["least"] == pytest.approx(
            row["seconds"]["least"] * 1e9 / found["duel_ns"]["least"]
        )
    assert found["checked"] > 0
    assert found["memory"]["peak_bytes"] > found["memory"]["record_bytes"] > 10**6
    assert "fighters a side" in (battle_folder / "grows.svg").read_text(encoding="utf-8")


def test_armies_that_grow_stand_apart(bench: ModuleType) -> None:
    for fighters, question in bench.bench_battle.grown().items():
        placed = question.scenario.fighters
        assert [p.side for p in placed] == ["A"] * fighters + ["B"] * fighters
        bench.bench_battle.check("test", question, 1)  # the checker looks for bases on others


def test_a_battle_told_otherwise_is_noticed(
    bench: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    battles = bench.bench_battle
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


def test_memory_that_grows_is_noticed(bench: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    battles = bench.bench_battle
    monkeypatch.setattr(battles, "peak", lambda question, trials: 1000 + trials)
    with pytest.raises(Disagreement, match="memory grows with trials"):
        battles.memory(battles.grown()[5])


def test_only_battles_are_drawn(bench: ModuleType) -> None:
    from click.testing import CliRunner

    done = CliRunner().invoke(bench.main, ["--part", "exact", "--plot", "grows.svg"])
    assert done.exit_code == 2
    assert "--plot draws the part battle" in done.output


# --- matchups -------------------------------------------------------------------------


@pytest.mark.slow
def test_a_matchup_is_reckoned(bench: ModuleType, tmp_path: Path) -> None:
    report = reported("matchup", tmp_path / "report.json")["matchup"]
    speed = report["battles_per_second"]["least"]
    playing = report["seconds_needed"] - report["ready_seconds"]
    assert playing == pytest.approx(report["battles_needed"] / speed)
    # 66 meetings, each at least as long as the first look
    assert report["battles_needed"] > 66 * 2 * 200


def test_pairs_that_differ_less_are_fewer(bench: ModuleType) -> None:
    matchups = bench.bench_matchup
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
def test_a_chain_in_c_is_checked_before_it_is_timed(bench, tmp_path, fault):
    """A C file of one's own: one that is right, and one that takes ends for each other."""
    source = tmp_path / "walk.c"
    source.write_text(WALK.replace("FAULT", fault))
    library = bench.bench_chain.compiled(source, str(tmp_path))
    job, setup, rules = bench.bench_chain.arrays(((1, 1), (1, 1)))
    if fault:
        with pytest.raises(Disagreement, match="c_lanes and the exact odds disagree"):
            bench.bench_chain.runs_of(library, job, setup, rules)
    else:
        assert "C, c_lanes" in bench.bench_chain.runs_of(library, job, setup, rules)


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
