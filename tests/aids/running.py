"""The command line as a person runs it, in this process or in one of its own."""

import io
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import replace
from pathlib import Path
from threading import Timer
from typing import Any, NamedTuple
from unittest.mock import patch

from hypothesis import strategies as st

from estoc.profiles import Profile, Roster
from estoc.profiles.fighters.abilities import abilities_of
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.sim.base.policy import POLICIES
from estoc.sim.cli.main import main

ROOT = Path(__file__).parents[2]
DATA = ROOT / "profiles" / "data"
# what a Python beside pytest needs to import tests and their helpers
TEST_PATHS = os.pathsep.join(str(ROOT / p) for p in ("", "tests", "tests/aids", "tests/worlds"))
GUARD, WARRIOR, ARKEON = "Garde prétorien", "Guerrier de l'aube", "Arkéon Sanath"
KNOWN = ("--set", f"{ARKEON}.ATT=5", "--set", f"{ARKEON}.RES=9")
ROSTER = Roster.load()
ABLE = [f for f in ROSTER if None not in [getattr(f, stat) for stat in CHARACTERISTICS]]
BARE = [replace(f, abilities=()) for f in ABLE]  # the same cards for plain odds
PLAIN = next(f for f in ABLE if f.PA is None)  # a fighter without PA


def own_dice(fighter: Profile) -> list[str]:
    """Ways in which a fighter may place his dice in a duel (C-3.1, W-7), most attack first."""
    dice = 2
    for ability in abilities_of(fighter):
        if ability.entry.name in ("Tueur né", "Bretteur"):
            assert isinstance(ability.parameter, int)
            dice += ability.parameter if ability.entry.name == "Tueur né" else -ability.parameter
    return [f"{dice - defence}/{defence}" for defence in range(dice + 1)]


class Done(NamedTuple):
    """What a command did."""

    code: int
    data: bytes
    err: str

    @property
    def out(self) -> str:
        return self.data.decode()

    @property
    def rows(self) -> list[dict[str, Any]]:
        return json.loads(self.data)


def estoc(*words: object) -> Done:
    """Run a command by ``main``, as the installed program does, in this process."""
    out = io.TextIOWrapper(io.BytesIO(), "utf-8")
    err = io.TextIOWrapper(io.BytesIO(), "utf-8")
    code: object = None
    argv = patch.object(sys, "argv", ["estoc", *map(str, words)])
    with argv, redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    out.flush()
    err.flush()
    return Done(int(code or 0), out.buffer.getvalue(), err.buffer.getvalue().decode())


def answered(*words: object) -> list[dict[str, Any]]:
    """Run a command that succeeds; its rows."""
    done = estoc(*words, "--format", "json")
    assert done.code == 0, done.err
    return done.rows


def command(words: Iterable[object]) -> list[str]:
    return [sys.executable, "-m", "estoc.sim.cli.main", *map(str, words)]


def surroundings(**changes: str) -> dict[str, str]:
    """Environment of a process, without what says how it should encode or where it is shown."""
    personal = ("PYTHONIOENCODING", "PYTHONUTF8", "LC_ALL", "LANG", "COLUMNS", "FORCE_COLOR")
    return {k: v for k, v in os.environ.items() if k not in personal} | changes


def heed_ctrl_c() -> None:
    """Let Ctrl-C end the process that is about to be: a shell's background job ignores it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


INTERRUPTIBLE: dict[str, Any] = {} if sys.platform == "win32" else {"preexec_fn": heed_ctrl_c}


@contextmanager
def started(line: list[str], longest: float = 90, **more: Any) -> Iterator["subprocess.Popen[str]"]:
    """Start a process that heeds Ctrl-C; it is killed with the block, or when it takes too long."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    child = subprocess.Popen(line, **pipes, **INTERRUPTIBLE, **more)
    timer = Timer(longest, child.kill)
    timer.start()
    try:
        yield child
    finally:
        timer.cancel()
        child.kill()
        child.communicate()


def process(*words: object, cwd: Path = ROOT, data: bytes = b"", **environment: str) -> Done:
    """Run a command in a process of its own, with data on its standard input."""
    done = subprocess.run(
        command(words),
        cwd=cwd,
        env=surroundings(**environment),
        input=data,
        capture_output=True,
        timeout=120,
    )
    return Done(done.returncode, done.stdout, done.stderr.decode(errors="replace"))


# What a person may add to a duel, as arguments.

policy_texts = st.builds(
    lambda side, name, changes: side + name + (":" + ",".join(changes) if changes else ""),
    st.sampled_from(["", "A=", "B="]),
    st.sampled_from(sorted(POLICIES)),
    st.lists(
        st.sampled_from(["parry=2", "parry=all", "margin=3", "target=frail", "sustain=never"]),
        max_size=2,
        unique_by=lambda change: change.partition("=")[0],
    ),
)
_dice = st.sampled_from(["2/0", "1/1", "0/2", "policy"])
_extras = st.one_of(
    st.tuples(st.just("--policy"), policy_texts),
    st.tuples(
        st.just("--rule"),
        st.sampled_from(
            ["many_dice=one_chain", "tests.reroll_one=fail", "wounds.double_six_kills=false"]
        ),
    ),
    st.tuples(st.just("--edition"), st.sampled_from(["conffede", "c3"])),
    st.tuples(
        st.just("--wounds"), st.sampled_from(["A=light", "B=grave", "A=stunned", "b=light,sonné"])
    ),
    st.tuples(st.just("--set"), st.sampled_from(["A.ATT=5", '"A".PA=30', "B.DEF=0"])),
    st.tuples(st.just("--charge"), st.sampled_from(["A", "a"])),
    st.tuples(st.just("--all-defence"), st.sampled_from(["A", "B"])),
    st.tuples(st.just("--chosen-by"), st.sampled_from(["A", "B", "b"])),
    st.tuples(st.just("--turns"), st.sampled_from(["1", "2", "3"])),
    st.tuples(st.just("--dice"), _dice, _dice),
)
duel_options = st.lists(_extras, max_size=5).map(lambda parts: [w for part in parts for w in part])
