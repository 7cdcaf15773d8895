"""Faults of the machine: kills at random moments, full disks, two writers, Ctrl-C."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from killed_runs import killed_until_finished
from run_batches import left_by, write
from running import command, started

from estoc.sim.batch.folder import load_run
from estoc.sim.batch.runs import run

LONGEST = 0.5  # seconds after which a process is killed: a run takes about as long
LONG = """
seed = 1
chunk = 0.2
[[job]]
name = "long"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 400000000
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory) -> Path:
    """Return the folder of a run that nothing stopped."""
    folder = tmp_path_factory.mktemp("once")
    run(write(folder), folder / "run")
    return folder / "run"


def kill_runs(once: Path, folder: Path, wanted: int, seed: int) -> None:
    kills = number = 0
    while kills < wanted:
        number += 1
        place = folder / f"run-{number}"
        kills += killed_until_finished(once.parent / "batch.toml", place, seed + number, LONGEST)
        assert left_by(place) == left_by(once)


def test_kills_at_random_moments_change_no_byte(once, tmp_path):
    kill_runs(once, tmp_path, 10, seed=0)


@pytest.mark.slow
def test_two_hundred_kills_change_no_byte(once, tmp_path):
    kill_runs(once, tmp_path, 200, seed=1000)


def estoc(*words: str, cwd: Path, **more) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "estoc.sim.cli.main", *words],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        **more,
    )


def wait_for_parts(folder: Path, wanted: int) -> None:
    deadline = time.monotonic() + 60
    while len(list(folder.glob("parts/*.parquet"))) < wanted:
        assert time.monotonic() < deadline, "no part was finished in a minute"
        time.sleep(0.02)


@pytest.fixture
def small_disk(tmp_path):
    """Return a file system without much room."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], capture_output=True
    )
    if done.returncode:
        pytest.skip("no file system can be mounted here")
    yield place
    subprocess.run(["umount", place], check=True)


def test_a_full_disk_stops_a_run_in_a_line_and_costs_nothing(once, small_disk, tmp_path):
    batch = once.parent / "batch.toml"
    first = estoc("run", str(batch), "-o", str(small_disk / "run"), cwd=tmp_path)
    out, err = first.communicate(timeout=120)
    assert first.returncode == 1
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "No space left on device; what is finished is kept: go on with --resume" in err
    assert not list(small_disk.rglob("*.part"))
    kept = {path.name for path in small_disk.glob("run/parts/*")}
    assert kept
    subprocess.run(["mount", "-o", "remount,size=10m", small_disk], check=True)
    more = estoc("run", str(batch), "-o", str(small_disk / "run"), "--resume", cwd=tmp_path)
    assert more.wait(120) == 0
    more.communicate()
    assert left_by(small_disk / "run") == left_by(once)
    assert kept <= {path.name for path in small_disk.glob("run/parts/*")}


def test_two_writers_are_told_of_each_other(tmp_path):
    batch = write(tmp_path, LONG)
    first = estoc("run", str(batch), "-o", "there", cwd=tmp_path)
    try:
        wait_for_parts(tmp_path / "there", 1)
        second = estoc("run", str(batch), "-o", "there", "--resume", cwd=tmp_path)
        out, err = second.communicate(timeout=60)
        assert (second.returncode, out) == (2, "")
        assert err == (
            f'estoc: "there": process {first.pid} is at work there; wait for it, or stop it first\n'
        )
    finally:
        first.kill()
        first.communicate()
    # who was killed holds nothing any more
    third = estoc("run", str(batch), "-o", "there", "--resume", cwd=tmp_path)
    before = len(list(tmp_path.glob("there/parts/*")))
    try:
        wait_for_parts(tmp_path / "there", before + 1)
    finally:
        third.kill()
        third.communicate()


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    batch = write(tmp_path, LONG)
    with started(command(["run", batch, "-o", "there"]), cwd=tmp_path) as process:
        wait_for_parts(tmp_path / "there", 2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (1, "")
    assert err == (
        'estoc: stopped by Ctrl-C; what is finished is kept in "there": go on with --resume\n'
    )
    assert len(list(tmp_path.glob("there/parts/*.parquet"))) >= 2


def test_the_command_runs_a_batch_and_says_what_came_of_it(once, tmp_path):
    batch = once.parent / "batch.toml"
    dry = estoc("run", str(batch), "--dry-run", cwd=tmp_path)
    out, err = dry.communicate(timeout=60)
    assert (dry.returncode, err) == (0, "")
    assert "one core" in out
    assert "duels" in out
    assert list(tmp_path.iterdir()) == []
    first = estoc("run", str(batch), "--threads", "2", cwd=tmp_path)
    out, err = first.communicate(timeout=60)
    assert (first.returncode, err) == (0, "")
    assert "results/duels.parquet" in out
    assert left_by(tmp_path / "batch.run") == left_by(once)
    assert load_run(tmp_path / "batch.run").command == "estoc run batch.toml -o batch.run"
