"""`estoc bench`: its baselines are a further witness of the rules, and its checks can fail."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from running import estoc

from estoc.sim.bench import bench
from estoc.sim.bench import growth as bench_growth
from estoc.sim.bench import kernels as bench_kernels
from estoc.sim.bench import libraries as bench_libraries
from estoc.sim.bench import samplers as bench_samplers
from estoc.sim.bench.agreement import LIMIT_Z, Disagreement, departure, disagreement
from estoc.sim.bench.baselines import numpy_counts
from estoc.sim.bench.exact import single_duel, trials_needed
from estoc.sim.bench.kernels import PLAIN, check_kernels
from estoc.sim.bench.peers import PEERS, statements
from estoc.sim.bench.samplers import LITERAL, SAMPLERS, Sampler, literal_counts, sampled
from estoc.sim.bench.start import launch
from estoc.sim.bench.table import in_words, report_table, significant, speed
from estoc.sim.bench.timing import CORES, on_cores, times_faster
from estoc.sim.bench.work import arrays, rules_of
from estoc.sim.text.printing import rendered

QUICK = ("bench", "--quick", "--rounds", 1)
ONE = "literal, one by one, 1 thread"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Everything, as a person has it written."""
    path = tmp_path_factory.mktemp("bench") / "report.json"
    done = estoc(*QUICK, "-o", path)
    assert (done.code, done.data, done.err) == (0, b"", f"estoc: wrote {path}\n")
    return json.loads(path.read_text())


# --- the report -----------------------------------------------------------------------


@pytest.mark.slow
def test_a_quick_run_has_all_parts(report: dict[str, Any]) -> None:
    assert list(report) == ["machine", "versions", "timed", *bench.PARTS]
    assert report["timed"]["rounds"] == 1
    assert int(report["machine"]["cores"]) == len(CORES)
    assert {"estoc", "python", "numba", "llvmlite", "icepool", "dyce"} <= set(report["versions"])


@pytest.mark.slow
def test_ratios_refer_to_the_plain_kernel(report: dict[str, Any]) -> None:
    for one in report["kernels"].values():
        assert {"python, plain", "numpy, batches", PLAIN, ONE} <= set(one["rows"])
        assert one["rows"][PLAIN]["times_plain"] == {"least": 1, "median": 1}
        assert 0 < one["largest_z"] < LIMIT_Z
        for row in one["rows"].values():
            ratio = one["rows"][PLAIN]["ns"]["least"] / row["ns"]["least"]
            assert row["times_plain"]["least"] == pytest.approx(ratio)
            assert row["per_second"] * row["ns"]["least"] == pytest.approx(1e9)


@pytest.mark.slow
def test_exact_odds_are_told_in_plain_duels(report: dict[str, Any]) -> None:
    found = report["exact"]
    assert len(found["rows"]) == 7
    for row in found["rows"].values():
        equal = row["ns"]["least"] / found["plain_ns"]["least"]
        assert row["plain_duels"]["least"] == pytest.approx(equal)
    trials = [row.get("trials_for_a_tenth_of_a_point") for row in found["rows"].values()]
    assert sum(number is not None for number in trials) == 3


@pytest.mark.slow
def test_growth_has_dice_fighters_and_threads(report: dict[str, Any]) -> None:
    found = report["growth"]
    assert list(found["dice"]) == ["2/0 v 2/0", "3/0 v 3/0", "4/0 v 4/0"]
    assert list(found["fighters"]) == ["1 v 1", "1 v 2", "1 v 3", "1 v 4"]
    for one in (*found["dice"].values(), *found["fighters"].values()):
        assert {ONE, bench_growth.EXACT} <= set(one["rows"])
    for rows in found["threads"].values():
        assert list(map(int, rows)) == bench_growth.threads_tried(len(CORES))
        assert rows["1"]["times_one_thread"]["least"] == 1


@pytest.mark.slow
def test_libraries_are_timed_on_the_same_tests(report: dict[str, Any]) -> None:
    found = report["peers"]
    assert found["missing"] == []
    assert set(found["rows"]) == {"attack", "damage", "opposed test"}
    for rows in found["rows"].values():
        assert list(rows) == ["estoc", "estoc, no table yet", *PEERS]
        assert rows["estoc"]["times_estoc"]["least"] == 1


@pytest.mark.slow
def test_start_up_is_timed_with_and_without_compiled_kernels(report: dict[str, Any]) -> None:
    found = report["start-up"]
    assert set(found) == {"help", "duel, warm", "duel, cold"}
    assert all(row["seconds"]["least"] > 0 for row in found.values())


@pytest.mark.slow
def test_a_report_is_tables_of_80_columns(report: dict[str, Any]) -> None:
    text = rendered(report_table(report), 200)
    tables = text.partition("Sampled duels")[2].splitlines()
    assert max(map(len, tables)) <= 80
    for told in ("Exact odds of a duel", "Single tests", "By threads", "Start-up", "largest |z|"):
        assert told in text


def test_only_the_part_asked_for_runs() -> None:
    done = estoc(*QUICK, "--part", "peers", "--format", "json")
    assert done.code == 0
    assert list(json.loads(done.data)) == ["machine", "versions", "timed", "peers"]


def test_a_table_may_go_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "bench.txt"
    done = estoc(*QUICK, "--part", "peers", "-o", path)
    assert done.code == 0
    assert max(map(len, path.read_text().splitlines())) <= 80
    assert "opposed test" in path.read_text()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--part", "kernel"), 'bench: "kernel" should be one of kernels, exact, peers, growth'),
        (("-o", "report.csv"), "bench: a report is a table or json, not csv"),
        (("--rounds", "0"), "Invalid value for '--rounds'"),
    ],
)
def test_wrong_use_is_refused(
    words: tuple[str, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = estoc("bench", *words)
    assert (done.code, done.data) == (2, b"")
    assert told in done.err
    assert not list(tmp_path.iterdir())


# --- agreement ------------------------------------------------------------------------


# 1/1 and 0/2 against 2/0 sustain the last defence die.
@pytest.mark.parametrize(
    "dice", [((1, 1), (1, 1)), ((1, 1), (2, 0)), ((2, 0), (0, 2)), ((2, 0), (2, 0))]
)
def test_baselines_and_kernels_agree(dice: tuple[tuple[int, int], tuple[int, int]]) -> None:
    found = check_kernels(*arrays(dice), 400_000)
    assert found["largest_z"] < LIMIT_Z


def test_a_doctored_kernel_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def doctored(setup: Any, rules: Any, first: int, last: int) -> bench_samplers.Counts:
        law = literal_counts(setup, rules, first, last)
        moved = law[1, -1] // 50
        law[1, [0, -1]] += [moved, -moved]
        return law

    monkeypatch.setitem(SAMPLERS, "doctored", Sampler(doctored))
    for part in ("kernels", "growth"):
        done = estoc(*QUICK, "--part", part)
        assert (done.code, done.data) == (1, b"")
        assert "doctored and the exact odds disagree: |z| = " in done.err


def test_a_kernel_that_minds_threads_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(setup: Any, rules: Any, first: int, last: int) -> bench_samplers.Counts:
        return literal_counts(setup, rules, 0, last - first)

    monkeypatch.setitem(SAMPLERS, "forgetful", Sampler(forgetful))
    with pytest.raises(Disagreement, match="forgetful counts differently on 2 threads"):
        bench.bench(["kernels"], 1, quick=True)


@pytest.mark.parametrize("name", ["python_counts", "numpy_counts", "numba_counts"])
def test_a_baseline_by_other_rules_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = getattr(bench_kernels, name)
    stronger = np.array([[0, 0, 1, 0, 0], [0] * 5])

    def played(job: Any, trials: int, seed: int) -> bench_samplers.Counts:
        return right(job._replace(fighters=job.fighters + stronger), trials, seed)

    monkeypatch.setattr(bench_kernels, name, played)
    with pytest.raises(Disagreement, match="disagree"):
        check_kernels(*arrays(((1, 1), (1, 1))), 800_000)


def test_a_sampler_that_cannot_play_many_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def two_only(setup: Any, rules: Any, first: int, last: int) -> bench_samplers.Counts:
        assert len(setup.fighters) == 2
        return literal_counts(setup, rules, first, last)

    monkeypatch.setitem(SAMPLERS, "two only", Sampler(two_only, enemies=1))
    monkeypatch.setattr(bench_growth, "MOST_ENEMIES", 2)
    found = bench_growth.by_fighters(1, 10_000)
    assert "two only, 1 thread" in found["1 v 1"]["rows"]
    own = {f"{name}, 1 thread" for name in SAMPLERS if name != "two only"}
    assert set(found["1 v 2"]["rows"]) == {*own, bench_growth.EXACT}


def test_a_point_of_strength_is_noticed() -> None:
    job, _, _ = arrays(((1, 1), (1, 1)))
    stronger = job._replace(fighters=job.fighters + np.array([[0, 0, 1, 0, 0], [0] * 5]))
    one, other = (numpy_counts(played, 100_000, seed=1) for played in (job, stronger))
    assert disagreement(one, other)[0] > 2 * LIMIT_Z


def test_rare_cells_count_together() -> None:
    common = np.array([100_000, 0])
    spread = np.pad(np.ones(40, np.int64), (2, 0))
    assert disagreement(np.pad(common, (0, 40)), np.pad(common, (0, 40)) + spread)[0] > 5


def test_counts_that_leave_their_law_are_noticed() -> None:
    law = np.array([0.7, 0.2995, 0.0005, 0.0])
    assert departure(np.array([70_000, 29_950, 50, 0]), law) == 0
    assert departure(np.array([70_000, 29_950, 90, 0]), law) > LIMIT_Z
    assert departure(np.array([69_000, 30_950, 50, 0]), law) > LIMIT_Z
    assert departure(np.array([70_000, 29_950, 50, 1]), law) == float("inf")


def test_more_dice_are_the_rules_own() -> None:
    dice = ((4, 0), (4, 0))
    _, setup, rules = arrays(dice, rules_of(4))
    counts = sampled(LITERAL, setup, rules, 200_000)
    law = single_duel(setup, rules=rules).law.reshape(len(rules.level), -1)
    assert departure(counts[0], law.sum(axis=1)) < LIMIT_Z


# --- dice libraries -------------------------------------------------------------------


@pytest.mark.parametrize("peer", PEERS)
def test_library_agrees_to_12_digits(peer: str) -> None:
    stated, test = statements(peer), bench_libraries.the_test()
    assert stated is not None
    bench_libraries.check_peer(peer, stated, test)
    assert stated["damage"](test).sum() == pytest.approx(1, abs=1e-14)
    assert stated["opposed test"](test).sum() == pytest.approx(1, abs=1e-14)
    off = {name: lambda test, f=f: f(test) * (1 + 1e-11) for name, f in stated.items()}
    with pytest.raises(Disagreement, match="estoc says"):
        bench_libraries.check_peer(peer, off, test)


def test_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for peer in PEERS:
        monkeypatch.setitem(sys.modules, peer, None)
    done = estoc(*QUICK, "--part", "peers")
    assert done.code == 0
    assert "not installed: icepool, dyce" in done.out
    assert "opposed test" in done.out


# --- times ----------------------------------------------------------------------------


def test_speed_up_is_taken_round_by_round() -> None:
    ratio = times_faster([10.0, 20.0, 40.0], [5.0, 10.0, 4.0])
    assert (ratio.least, ratio.median) == (2.5, 2.0)


def test_a_system_that_cannot_pin_times_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("os.sched_setaffinity")
    monkeypatch.delattr("os.getloadavg")
    monkeypatch.setattr("estoc.sim.bench.bench._CPUS", Path("nowhere"))
    with on_cores(CORES):
        report = bench.bench(["peers"], 1, quick=True)
    assert report["timed"]["pinned_to_core"] is None
    assert set(report["machine"]) == {"system", "processor", "compiled for", "cores"}
    assert "not pinned to a core" in rendered(report_table(report), 80)


def test_a_launch_that_fails_is_told(tmp_path: Path) -> None:
    with pytest.raises(Disagreement, match=r'estoc duel nobody nobody: estoc: .*"nobody"'):
        launch(("duel", "nobody", "nobody"), str(tmp_path))


def test_a_launch_writes_what_people_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path))
    launch(("--help",), str(tmp_path / "cache"))
    assert list(tmp_path.rglob("start.*.pyc"))


def test_trials_for_a_tenth_of_a_point() -> None:
    assert 1.96 * (0.2 * 0.8 / trials_needed(0.2)) ** 0.5 == pytest.approx(0.001, rel=1e-3)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(2.0, "2 s"), (0.3, "300 ms"), (4e-6, "4 µs"), (1.234e-6, "1.23 µs"), (5e-8, "50 ns")],
)
def test_seconds_have_a_unit(seconds: float, text: str) -> None:
    assert in_words(seconds) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(15519.09, "15,500"), (999.6, "1,000"), (23.07, "23.1"), (1.0, "1"), (6.44e-5, "0.0000644")],
)
def test_ratios_have_no_exponent(value: float, text: str) -> None:
    assert significant(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.395e9, "1.40 G"), (2.29e7, "22.9 M"), (1.29e5, "129 k"), (129.4, "129"), (0.5, "0.500")],
)
def test_speeds_have_a_unit(value: float, text: str) -> None:
    assert speed(value) == text
