"""Workers that are processes: the same bytes as threads give, also when a worker is killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import pytest
from run_batches import left_by, write

from estoc.profiles import InputError
from estoc.sim import cluster as module
from estoc.sim.cluster import Heavy, local_workers, scheduled_workers
from estoc.sim.crew import ThreadWorkers
from estoc.sim.parallel import Task
from estoc.sim.runs import RunStopped, run

# Battles travel with an array of some megabytes; the duel is of many chunks, and takes seconds.
SHARED = """
title = "Shared"
seed = 11
chunk = 0.1

[[job]]
name = "small"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 20000
[job.grid]
turns = [1, 2, 3]

[[job]]
name = "battles"
command = "battle"
scenario = "ambush"
trials = 600

[[job]]
name = "long"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 16000000
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory) -> Path:
    """Return the folder of a run by threads."""
    folder = tmp_path_factory.mktemp("once")
    run(write(folder, SHARED), folder / "run", hire=partial(ThreadWorkers, 2))
    return folder / "run"


def parts_of(folder: Path) -> int:
    return len(list(folder.glob("parts/*.parquet")))


def when_it_has_parts(folder: Path, wanted: int, then) -> Thread:
    """Do something once a run has some parts."""

    def wait() -> None:
        deadline = time.monotonic() + 60
        while parts_of(folder) < wanted and time.monotonic() < deadline:
            time.sleep(0.01)
        then()

    thread = Thread(target=wait)
    thread.start()
    return thread


def test_processes_give_the_bytes_of_threads_although_one_is_killed(once, tmp_path):
    workers = local_workers(2)
    pids = workers._client.run(os.getpid)
    assert workers.count == len(pids) == 2
    killed = []

    def kill() -> None:
        killed.append(min(pids.values()))
        os.kill(killed[0], signal.SIGKILL)

    folder = tmp_path / "run"
    thread = when_it_has_parts(folder, 8, kill)
    run(once.parent / "batch.toml", folder, hire=lambda: workers)
    thread.join()
    assert killed
    assert left_by(folder) == left_by(once)


@pytest.fixture(scope="module")
def scheduler(tmp_path_factory):
    """Return the address file of a scheduler with two workers, started as the README says."""
    folder = tmp_path_factory.mktemp("cluster")
    place = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
    local = ["--host", "127.0.0.1", "--dashboard-address", "127.0.0.1:0"]
    begun = [
        subprocess.Popen(
            [*dask, "scheduler", "--port", "0", "--scheduler-file", str(place), *local], **quiet
        )
    ]
    worker = ["--scheduler-file", str(place), "--nthreads", "1", "--no-nanny", *local]
    begun += [subprocess.Popen([*dask, "worker", *worker], **quiet) for _ in range(2)]
    yield place, begun
    for process in begun[::-1]:
        process.kill()
        process.wait()


def test_a_cluster_gives_the_bytes_of_threads_although_a_worker_never_comes_back(
    once, scheduler, tmp_path
):
    place, (_, worker, _) = scheduler
    folder = tmp_path / "run"
    thread = when_it_has_parts(folder, 8, worker.kill)
    hire = partial(scheduled_workers, str(place))
    run(once.parent / "batch.toml", folder, hire=hire)
    thread.join()
    assert worker.wait(10) == -signal.SIGKILL
    assert left_by(folder) == left_by(once)


def test_workers_with_another_program_are_refused(scheduler, monkeypatch):
    place, _ = scheduler
    monkeypatch.setattr(module, "versions", module.versions)
    real = module.versions()
    monkeypatch.setattr(module, "versions", Elsewhere(real))
    with pytest.raises(InputError, match="have another estoc, Python or library"):
        scheduled_workers(str(place))


class Elsewhere:
    """Versions that are other ones where they are asked for first: on the worker."""

    def __init__(self, real):
        self.real, self.here = real, False

    def __reduce__(self):
        return dict, ({"estoc": "0"},)

    def __call__(self):
        return self.real


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "none.json"])
def test_a_scheduler_that_does_not_answer_is_told(address, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    with pytest.raises(InputError, match=f'scheduler "{address}" does not answer'):
        scheduled_workers(address)


def test_a_cluster_that_is_lost_stops_the_run_and_keeps_what_is_done(once, tmp_path):
    folder = tmp_path / "run"
    workers = local_workers(1)
    workers._client.run(os.getpid)
    fault = workers.explained(
        module._library().KilledWorker("task", SimpleNamespace(address="tcp://x"), 3)
    )
    assert isinstance(fault, ConnectionError)

    class Lost(ThreadWorkers):
        def submit(self, tasks):
            if parts_of(folder) > 3:
                raise fault
            return super().submit(tasks)

    with pytest.raises(RunStopped, match="workers were lost"):
        run(once.parent / "batch.toml", folder, hire=partial(Lost, 2))
    workers.close()
    assert parts_of(folder) > 3
    run(once.parent / "batch.toml", folder, resume=True)
    assert left_by(folder) == left_by(once)


def test_what_tasks_share_travels_once():
    workers = local_workers(1)
    try:
        heavy = np.arange(100_000)
        tasks = [Task(str(i), partial(np.dot, heavy, i)) for i in range(3)]
        tasks += [Task("list", partial(len, [heavy, 1])), Task("plain", dict)]
        light = [workers._lightened(task.do, {}) for task in tasks]
        assert light[0][1][0] == light[2][1][0]
        assert isinstance(light[0][1][0], Heavy)
        done = workers.submit(tasks).result()
        assert [a.tolist() for a in done.answers[:3]] == [(heavy * i).tolist() for i in range(3)]
        assert done.answers[3:] == [2, {}]
        assert len(workers._travelled) == 1
    finally:
        workers.close()


def test_without_the_library_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r'pip install "estoc\[cluster\]"'):
        local_workers(1)


def test_the_command_takes_processes(once, tmp_path):
    batch = once.parent / "batch.toml"
    words = ["run", str(batch), "-o", str(tmp_path / "run"), "--workers", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "estoc.sim.cli", *words], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert left_by(tmp_path / "run") == left_by(once)
    shutil.rmtree(tmp_path / "run")
