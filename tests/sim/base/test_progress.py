"""What is said before a run that compiles its kernel."""

import os

import pytest
import rich.progress

from estoc.kernels import _jit, telling
from estoc.sim.base import progress as module
from estoc.sim.base.progress import Bar, progress, run_bar
from estoc.sim.base.run import Run


def two(x):
    return x + 2


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_compiling_is_said_where_a_person_would_wait_for_it(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(_jit, "CACHE_DIR", tmp_path)
    assert _jit.kernel(two)(1) == 3
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(module._SECONDS, "two", 15)
    said = "estoc: compiling the kernel two, this once: about 15 seconds\n"
    assert _jit.kernel(two)(1) == 3  # loaded
    assert capsys.readouterr().err == ""
    assert _jit.kernel(two)(0.5) == 2.5  # for other types there is nothing yet
    assert capsys.readouterr().err == said


def test_a_place_that_cannot_be_written_in_is_said_with_the_one_that_is_taken(capsys):
    telling.not_kept("/here", "Permission denied", "/there", "")
    telling.not_kept("/here", "No space left on device", "/tmp", "others can write there")
    assert capsys.readouterr().err.splitlines() == [
        "estoc: compiled kernels cannot be kept in /here (Permission denied); they are in /there",
        "estoc: compiled kernels cannot be kept in /here (No space left on device), nor in /tmp "
        "(others can write there): each run compiles them again; NUMBA_CACHE_DIR=FOLDER names "
        "another place",
    ]


@pytest.mark.parametrize(
    ("told", "total"),
    [
        ({"trials": 500, "seed": 1}, 4500),
        ({"precision": 0.1}, 9 * 300),
        ({"sampler": "chain"}, 9 * 1000),
        ({"method": "mc"}, 9 * 1000),
        ({"method": "exact"}, 9),
        ({}, 9),
    ],
)
def test_the_bar_knows_whether_trials_are_played(told, total, monkeypatch):
    totals = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    usual = rich.progress.Progress.add_task
    monkeypatch.setattr(
        rich.progress.Progress,
        "add_task",
        lambda bars, words, total, **more: totals.append(total) or usual(bars, words, total=total),
    )
    monkeypatch.setattr(rich.progress.Progress, "__enter__", lambda bars: bars)
    with progress(Run(**told), Bar(1000, 9)):
        pass
    assert totals == [total]


def test_a_bar_of_trials_is_not_seen_before_any_is_played(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    made = []
    usual = rich.progress.Progress.__init__
    monkeypatch.setattr(
        rich.progress.Progress,
        "__init__",
        lambda bars, *words, **more: made.append(bars) or usual(bars, *words, **more),
    )
    with progress(Run(), Bar(1000, 3, in_trials=True)) as advance:
        (task,) = made[0].tasks
        assert (task.visible, task.total) == (False, 3000)
        advance(500)
        assert (task.visible, task.completed) == (True, 500)
    with progress(Run(trials=20), Bar(1000, 3, in_trials=True)):
        assert (made[1].tasks[0].visible, made[1].tasks[0].total) == (True, 60)
    with progress(Run(method="exact"), Bar(1000, in_trials=True)) as advance:
        assert advance is None


def test_the_bar_of_a_run_counts_cells_and_knows_the_work_that_is_left(monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with run_bar() as bar:
        (task,) = bar._bars.tasks
        assert (task.description, task.total) == ("reading the batch", None)
        bar.begin(1200, 30.0)
        bar.chunk(4.0)
        assert (task.completed, task.total) == (4.0, 30.0)
        bar.share(6.0, True)
        bar.share(6.0, False)
        assert task.completed == 12.0
        bar.chunk(1_000.0)  # longer than was thought: the bar stays within
        assert task.completed == 30.0
        assert task.description == "1 of 1,200 cells, 2 chunks finished, 1,004 seconds of work"
    monkeypatch.setattr("sys.stderr.isatty", lambda: False, raising=False)
    with run_bar() as bar:
        assert bar is None
