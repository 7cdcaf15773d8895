"""Workers that are processes: the same bytes as threads give, also when a worker is killed."""

import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import Thread
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
from run_batches import left_by, write

from estoc.profiles import InputError
from estoc.sim.base.parallel import Task
from estoc.sim.batch import cluster as module
from estoc.sim.batch import crew
from estoc.sim.batch.cluster import ClusterWorkers, scheduled_workers
from estoc.sim.batch.crew import ThreadWorkers
from estoc.sim.batch.processes import ProcessWorkers
from estoc.sim.batch.runs import RunStopped, hiring, run
from estoc.sim.batch.sending import Heavy, lightened

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
    workers = ProcessWorkers(2)
    killed = []

    def kill() -> None:
        killed.extend(workers.numbers)
        os.kill(killed[0], signal.SIGKILL)

    folder = tmp_path / "run"
    thread = when_it_has_parts(folder, 8, kill)
    run(once.parent / "batch.toml", folder, hire=lambda: workers)
    thread.join()
    assert len(killed) == 2
    assert left_by(folder) == left_by(once)
    assert not [number for number in killed if psutil.pid_exists(number)]


def ports_of(number: int) -> list[object]:
    """Return the connections of a process by which others could reach it."""
    return [one for one in psutil.Process(number).net_connections("inet") if not one.raddr]


def test_processes_open_no_port():
    before = ports_of(os.getpid())
    workers = ProcessWorkers(2)
    try:
        first = [workers.submit([Task(str(n), partial(time.sleep, 0.2))]) for n in range(2)]
        assert [one.result().answers for one in first] == [[None], [None]]
        assert len(workers.numbers) == 2
        assert [ports_of(number) for number in workers.numbers] == [[], []]
        assert ports_of(os.getpid()) == before
    finally:
        workers.close()
    assert workers.numbers == []


def test_processes_need_no_library(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    workers = hiring(None, 1, None)()
    assert workers.count == 1
    workers.close()


def test_what_goes_wrong_in_a_process_is_told():
    workers = ProcessWorkers(1)
    try:
        with pytest.raises(ValueError, match="invalid literal"):
            workers.submit([Task("wrong", partial(int, "x"))]).result()
        with pytest.raises(ConnectionError, match="3 processes ended in one chunk"):
            workers.submit([Task("dies", partial(os._exit, 1))]).result()
        assert workers.submit([Task("prints", partial(print, "no answer"))]).result().answers == [
            None
        ]
    finally:
        workers.close()


def test_ctrl_c_ends_processes_in_a_line(tmp_path):
    batch = write(tmp_path, SHARED.replace("16000000", "16000000000"))
    words = ["run", str(batch), "-o", "there", "--workers", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "estoc.sim.cli.main", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        start_new_session=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.default_int_handler),
    )
    folder = tmp_path / "there"
    when_it_has_parts(folder, 3, lambda: None).join()
    begun = psutil.Process(process.pid).children()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert err == (
        'estoc: stopped by Ctrl-C; what is finished is kept in "there": go on with --resume\n'
    )
    assert len(begun) == 2
    assert not [child for child in begun if child.is_running()]


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


def test_a_scheduler_that_cannot_be_had_leaves_no_folder(once, tmp_path, monkeypatch):
    batch = once.parent / "batch.toml"
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r'pip install "estoc\[cluster\]"'):
        run(batch, tmp_path / "run", hire=hiring(None, None, "tcp://127.0.0.1:9"))
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_is_lost_stops_the_run_and_keeps_what_is_done(once, tmp_path):
    folder = tmp_path / "run"
    lost = module._library().KilledWorker("task", SimpleNamespace(address="tcp://x"), 3)
    fault = ClusterWorkers.explained(SimpleNamespace(), lost)
    assert isinstance(fault, ConnectionError)

    class Lost(ThreadWorkers):
        def submit(self, tasks):
            if parts_of(folder) > 3:
                raise fault
            return super().submit(tasks)

    with pytest.raises(RunStopped, match="workers were lost"):
        run(once.parent / "batch.toml", folder, hire=partial(Lost, 2))
    assert parts_of(folder) > 3
    run(once.parent / "batch.toml", folder, resume=True)
    assert left_by(folder) == left_by(once)


class Cluster:
    """A client of a cluster whose workers take all and give nothing back."""

    def __init__(self, *threads):
        self.threads = iter(threads)  # how many each time it is asked, or an error

    def nthreads(self):
        found = next(self.threads)
        if isinstance(found, Exception):
            raise found
        return {"tcp://x": found} if found else {}

    def get_executor(self, pure):
        return SimpleNamespace(submit=lambda *_: Future(), shutdown=lambda wait: None)


class NoParts(dict):
    def add(self, found):
        self.update(found)


@pytest.mark.parametrize(
    ("threads", "why"),
    [
        ([2, 2, *[0] * 1000], "all workers were lost"),
        # they come back once; after that it is waited as long again
        ([2, 2, *[0] * 5, 1, *[0] * 1000], "all workers were lost"),
        ([2, 2, 2, OSError("reset by peer")], "the scheduler was lost"),
    ],
)
def test_nobody_waits_for_ever_for_workers_that_are_lost(threads, why, monkeypatch):
    monkeypatch.setattr(module, "PATIENCE", 0.2)
    monkeypatch.setattr(crew, "GLANCE", 0.01)
    cluster = Cluster(*threads)
    workers = module.ClusterWorkers(cluster, lambda: None)
    keeping = crew.KeepingCrew(workers, NoParts(), 1.0)
    with pytest.raises(ConnectionError, match=why):
        list(keeping.in_order([Task("one", dict)]))
    asked = len(threads) - len(list(cluster.threads))
    assert asked > threads.index(0) + 5 if 0 in threads else asked == 4
    assert asked < 200


def test_what_tasks_share_travels_once(scheduler):
    heavy = np.arange(100_000)
    tasks = [Task(str(i), partial(np.dot, heavy, i)) for i in range(3)]
    tasks += [Task("list", partial(len, [heavy, 1])), Task("plain", dict)]
    shared: dict[str, object] = {}
    light = [lightened(task.do, shared) for task in tasks]
    assert light[0][1][0] == light[2][1][0] == Heavy(next(iter(shared)))
    assert len(shared) == 1
    for workers in (ProcessWorkers(1), scheduled_workers(str(scheduler[0]))):
        try:
            for _ in range(2):
                done = workers.submit(tasks).result()
                products = [answer.tolist() for answer in done.answers[:3]]
                assert products == [(heavy * i).tolist() for i in range(3)]
                assert done.answers[3:] == [2, {}]
        finally:
            workers.close()


def test_the_command_takes_processes(once, tmp_path):
    batch = once.parent / "batch.toml"
    words = ["run", str(batch), "-o", str(tmp_path / "run"), "--workers", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "estoc.sim.cli.main", *words], capture_output=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert left_by(tmp_path / "run") == left_by(once)
    shutil.rmtree(tmp_path / "run")
