"""Runs of bench.py: what a chunk costs beside its work, and a paper estimate of a very large run.

Measured here: a battle; the part that a chunk of battles leaves on disk; what travels for a chunk
there and back; and how many chunks that do nothing a scheduler gives to workers in a second. The
estimate puts 10^12 battles on 1,000 cores together from them, with chunks of ten minutes.
"""

import logging
import os
import pickle
import tempfile
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import distributed
from bench_part import table_of
from rich.console import Console
from rich.table import Table

from estoc.sim.base.parallel import Task
from estoc.sim.batch.cluster import ClusterWorkers
from estoc.sim.batch.crew import KeepingCrew
from estoc.sim.batch.parts import Parts
from estoc.sim.batch.sending import lightened
from estoc.sim.batch.table import duration
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.sampling import BattleCounts, _count
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import Timing, all_cores, seconds

BATTLES, CORES, CHUNK_SECONDS = 10**12, 1_000, 600.0
CHUNK = 200  # battles of a measured chunk
EMPTY = 400  # chunks that do nothing


def chunk_of(record: Any, shape: tuple[int, int, int], battles: int) -> BattleCounts:
    """What comes of a chunk of battles."""
    return _count(record, 0, battles, shape)


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
    chunks = BATTLES / per_chunk
    seconds_needed = BATTLES * battle / CORES
    return {
        "battles_per_chunk": per_chunk,
        "chunks": chunks,
        "seconds": seconds_needed,
        "chunks_per_second": chunks / seconds_needed,
        "share_of_scheduler": chunks / seconds_needed / rate,
        "bytes_to_workers": chunks * there,
        "bytes_from_workers": chunks * back,
        "bytes_on_disk": chunks * part,
    }


def shown(report: dict[str, Any]) -> Table:
    told = report["estimate"]
    rows = {
        "a battle, best round": f"{1e3 * report['battle']['least']:.2f} ms",
        "part of a chunk on disk": f"{report['part_bytes']:,} bytes",
        "a chunk travels there, and back": f"{report['there']:,} and {report['back']:,} bytes",
        "empty chunks a second, kept": f"{report['rate']:,.0f}",
        "battles of a chunk of ten minutes": f"{told['battles_per_chunk']:,}",
        "chunks": f"{told['chunks']:,.0f}",
        "time": duration(told["seconds"]),
        "chunks a second, of what the scheduler can": f"{told['chunks_per_second']:.2f}, "
        f"{100 * told['share_of_scheduler']:.1f} %",
        "traffic to workers, and back": f"{told['bytes_to_workers'] / 1e9:.1f} and "
        f"{told['bytes_from_workers'] / 1e9:.1f} GB",
        "parts on disk": f"{told['bytes_on_disk'] / 1e9:.1f} GB",
    }
    title = f"10^12 battles on {CORES:,} cores, from measured inputs"
    return table_of(title, ("run", ""), rows.items())


def time_runs(console: Console, rounds: int, quick: bool) -> dict[str, Any]:
    """Print the table; what goes into the file."""
    question = ask_battle("ambush")
    record = question.compiled(SEED)
    shape = len(question.labels), question.scenario.turns, int(record["reach"][0])
    battles = 20 if quick else CHUNK
    count = partial(chunk_of, record, shape, battles)
    counts = count()
    timing = Timing.of([seconds(count) / battles for _ in range(min(rounds, 5))])
    with all_cores(), tempfile.TemporaryDirectory() as place:
        folders = [Path(place, name) for name in ("part", "empty")]
        for folder in folders:
            folder.mkdir()
        workers = local_cluster(min(2, os.cpu_count() or 1))
        try:
            task = Task("0+24000", partial(_count, record, 0, 24_000, shape))
            there, back = travelling(task, counts)
            rate = chunks_a_second(workers, folders[1], 40 if quick else EMPTY)
        finally:
            workers.close()
        part = part_bytes(folders[0], counts)
    report = {
        "battle": asdict(timing),
        "part_bytes": part,
        "there": there,
        "back": back,
        "rate": rate,
        "estimate": estimate(timing.least, part, there, back, rate),
    }
    console.print(shown(report))
    return report
