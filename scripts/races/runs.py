"""Runs: what a chunk costs beside its work, and a paper estimate of a very large run.

Measured here: a battle; the part that a chunk of battles leaves on disk; what travels for a chunk
there and back; and how many chunks that do nothing a scheduler gives to workers in a second. The
estimate puts 10^12 battles on 1,000 cores together from them, with chunks of ten minutes.
"""

import logging
import os
import pickle
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

import distributed
from races.form import Bench, Racer

from estoc.sim.base.parallel import Task
from estoc.sim.batch.cluster import ClusterWorkers
from estoc.sim.batch.crew import KeepingCrew
from estoc.sim.batch.parts import Parts
from estoc.sim.batch.sending import lightened
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.sampling import BattleCounts, _count
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import all_cores, repeated, seconds

BATTLES, CORES, CHUNK_SECONDS = 10**12, 1_000, 600.0
CHUNK = 200  # battles of a measured chunk
EMPTY = 400  # chunks that do nothing
ROUND_SECONDS = 0.02
BATTLE, MEASURED = "a battle", "A chunk"
ESTIMATE = f"10^12 battles on {CORES:,} cores, from measured inputs"


def part_bytes(folder: Path, counts: BattleCounts) -> int:
    """Size of the part that a chunk leaves."""
    Parts(folder, "0" * 64).add([("battle/0/0+24000", counts)])
    (path,) = folder.iterdir()
    return path.stat().st_size


def local_cluster(count: int) -> ClusterWorkers:
    """A scheduler and workers on this machine, for nothing but the measure: its ports are open."""
    cluster = distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )
    client = distributed.Client(cluster)

    def close() -> None:
        client.close()
        cluster.close()

    return ClusterWorkers(client, close)


def travelling(task: Task[Any], counts: BattleCounts) -> tuple[int, int]:
    """Bytes of a chunk on its way to a worker, without what travels once, and back."""
    light = lightened(task.do, {})
    return len(pickle.dumps([light])), len(pickle.dumps(counts))


def chunks_a_second(workers: ClusterWorkers, folder: Path, chunks: int) -> float:
    """How many chunks that do nothing go round in a second, each kept on disk."""
    crew = KeepingCrew(workers, Parts(folder, "0" * 64), 0.0)
    crew.ask_about("empty")
    tasks = [Task(str(number), partial(abs, number)) for number in range(chunks)]
    taken = seconds(lambda: list(crew.in_order(tasks)))
    return chunks / taken


def estimate(battle: float, part: int, there: int, back: int, rate: float) -> dict[str, float]:
    """Time, traffic and size of the large run."""
    per_chunk = int(CHUNK_SECONDS / battle)
    chunks, taken = BATTLES / per_chunk, BATTLES * battle / CORES
    return {
        "battles a chunk": per_chunk,
        "chunks": chunks,
        "hours": taken / 3600,
        "chunks a second": chunks / taken,
        "share of what the scheduler can": chunks / taken / rate,
        "GB to workers": chunks * there / 1e9,
        "GB from workers": chunks * back / 1e9,
        "GB on disk": chunks * part / 1e9,
    }


def time_part(bench: Bench) -> None:
    """Time a battle, measure a chunk, and reckon the large run."""
    question = ask_battle("ambush")
    record = question.compiled(SEED)
    shape = len(question.labels), question.scenario.turns, int(record["reach"][0])
    battles = bench.pick(CHUNK, 20)
    count = partial(_count, record, 0, battles, shape)
    counts = count()
    racers = {BATTLE: Racer(repeated(count), battles)}
    timed = bench.race("A battle of five against five", racers, seconds=ROUND_SECONDS)
    with all_cores(), tempfile.TemporaryDirectory() as place:
        folders = [Path(place, name) for name in ("part", "empty")]
        for folder in folders:
            folder.mkdir()
        workers = local_cluster(min(2, os.cpu_count() or 1))
        try:
            task = Task("0+24000", partial(_count, record, 0, 24_000, shape))
            there, back = travelling(task, counts)
            rate = chunks_a_second(workers, folders[1], bench.pick(EMPTY, 40))
        finally:
            workers.close()
        part = part_bytes(folders[0], counts)
    sizes = {"bytes on disk": part, "bytes there": there, "bytes back": back}
    bench.facts(MEASURED, sizes | {"empty chunks a second, kept": rate})
    least = timed[BATTLE]["seconds"]["least"]
    bench.facts(ESTIMATE, estimate(least, part, there, back, rate))
