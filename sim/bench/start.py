"""What a command costs a person: seconds from the shell's point of view, on all cores."""

import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from functools import partial
from typing import Any

from ...profiles.message import say
from .agreement import demand
from .timing import Timing, all_cores, seconds
from .work import FIGHTERS

HELP = ("--help",)
FIRST_DUEL = ("duel", *FIGHTERS)
_OURS = ("NUMBA_CACHE_DIR", "PYTHONDONTWRITEBYTECODE")  # people have neither


def launch(words: tuple[str, ...], cache: str) -> None:
    """Run estoc with its compiled kernels in a cache folder of its own."""
    environment = {key: value for key, value in os.environ.items() if key not in _OURS}
    environment["XDG_CACHE_HOME"] = cache
    command = [sys.executable, "-P", "-m", "estoc.sim.start", *words]
    done = subprocess.run(command, env=environment, capture_output=True)
    lines = done.stderr.decode(errors="replace").strip().splitlines() or [say("no message")]
    demand(done.returncode == 0, say("{}: {}", " ".join(("estoc", *words)), lines[-1]))


def time_start(rounds: int, quick: bool) -> dict[str, Any]:
    """Return how long help takes, and the first duel with and without compiled kernels."""
    taken: dict[str, list[float]] = {"help": [], say("duel, warm"): [], say("duel, cold"): []}
    repeats = 1 if quick else max(1, rounds // 2)
    with all_cores(), tempfile.TemporaryDirectory() as warm:
        for _ in range(max(1, repeats // 3)):
            with tempfile.TemporaryDirectory() as cold:
                taken["duel, cold"].append(seconds(partial(launch, FIRST_DUEL, cold)))
        launch(FIRST_DUEL, warm)
        for _ in range(repeats):
            taken["help"].append(seconds(partial(launch, HELP, warm)))
            taken["duel, warm"].append(seconds(partial(launch, FIRST_DUEL, warm)))
    return {name: {"seconds": asdict(Timing.of(values))} for name, values in taken.items()}
