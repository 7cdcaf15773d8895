"""What a command loads and compiles before it answers: no more than it needs, and once."""

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from running import GUARD, ROOT, WARRIOR, surroundings

from estoc.kernels import _jit
from estoc.sim.cli.main import _FILES, cli

# Ours that are for other questions, and other people's.
OTHERS = {
    *("estoc.sim.battle.battle", "estoc.sim.phases.cards", "estoc.sim.table.melee"),
    *("estoc.sim.contest.tune", "estoc.sim.combat.plot", "estoc.sim.text.html"),
    "estoc.profiles.compile.battle",
    "estoc.kernels.battle.battle",
    "estoc.kernels.table.geometry",
}
HEAVY = {
    *("pandas", "pyarrow", "matplotlib", "jinja2", "statsmodels", "cma", "distributed"),
    *("scipy.linalg", "scipy.stats", "scipy.special", "scipy.optimize", "IPython"),
}
COMPILER = {
    "numba",
    "numpy",
    "scipy",
    "pydantic",
    "rich",
    "estoc.kernels._jit",
    "estoc.profiles.errors",
}
WARM = [
    ["duel", GUARD, WARRIOR],
    ["combat", GUARD, "vs", WARRIOR, WARRIOR],
    ["sweep", GUARD, WARRIOR, "--best"],
    ["duel", GUARD, WARRIOR, "--trials", "1000", "--seed", "1"],
]
MAIN = """
import sys
from estoc.sim.cli.main import main
try:
    main()
except SystemExit as end:
    assert not end.code
"""
OWN = """
import numba, numpy as np
@numba.njit
def own(a):
    return np.dot(a, a) + np.linalg.norm(a)
print(own(np.array([3.0, 4.0])))
"""
# The installed program, stopped while it is loaded.
STOPPED = """
import builtins, os, signal, sys
from estoc.sim.start import main

class Stop:
    def find_spec(self, name, *where):
        if name == sys.argv[1]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Stop())
main()
"""
LOADED = MAIN + "import json\nprint(json.dumps(sorted(sys.modules)))\n"


def run(code: str, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env=surroundings(PYTHONUTF8="1", **environment),
    )
    assert done.returncode == 0, done.stderr
    return done


def loaded(code: str, *words: str, **environment: str) -> set[str]:
    """Modules that a process has loaded in the end."""
    return set(json.loads(run(code, *words, **environment).stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with a folder of kernels in which the first duel is compiled."""
    folder = str(tmp_path_factory.mktemp("cache"))
    environment = {"XDG_CACHE_HOME": folder, "NUMBA_CACHE_DIR": ""}
    told = run(MAIN, *WARM[0], **environment).stderr
    assert told == "estoc: compiling the kernel duel_law, this once: about 7 seconds\n"
    return environment


def kept(folder: str) -> dict[str, int]:
    """When each file of a folder was written."""
    return {str(path): path.stat().st_mtime_ns for path in Path(folder).rglob("*.nb?")}


def test_others_are_there():
    assert [name for name in sorted(OTHERS) if find_spec(name) is None] == []


def test_the_command_line_loads_no_library():
    found = loaded("import json, sys, estoc.sim.cli.main\nprint(json.dumps(sorted(sys.modules)))")
    assert found.isdisjoint(HEAVY | COMPILER | OTHERS)


def commands_among(modules: set[str]) -> set[str]:
    """Files of commands, as lists.policy."""
    names = {name.removeprefix("estoc.sim.cli") for name in modules}
    return {name.removeprefix(".") for name in names & set(_FILES.values())}


@pytest.mark.parametrize(
    ("words", "files"),
    [
        (["policy"], {"lists.policy"}),
        (["sheet", "list"], {"sheet"}),
        (["duell"], set()),
        (["--help"], set()),
    ],
    ids=("policy", "sheet list", "duell", "--help"),
)
def test_a_command_is_loaded_when_it_is_used(words, files):
    assert commands_among(loaded(LOADED.replace("assert not end.code", "pass"), *words)) == files


def test_every_file_of_a_command_is_in_the_list():
    files = {f".{path.parent.name}.{path.stem}" for path in (ROOT / "sim/cli").glob("*/[a-z]*.py")}
    assert files == {place for place in _FILES.values() if place.count(".") == 2}
    assert [name for name, command in cli.commands.items() if command.name != name] == []


HITS = """
from estoc.kernels.exact.duel import duel_law
print(sum(duel_law.stats.cache_hits.values()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is no signal there")
@pytest.mark.parametrize("module", ["estoc.sim.cli.main", "click", "estoc.sim.text.speech"])
def test_ctrl_c_while_it_is_loaded_shows_no_trace(module):
    done = subprocess.run(
        [sys.executable, "-c", STOPPED, module], capture_output=True, text=True, cwd=ROOT,
        env=surroundings(ESTOC_LANG="en"), timeout=60,
    )  # fmt: skip
    told = "estoc: stopped by Ctrl-C; nothing was done\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", told)


def test_a_second_run_compiles_nothing(compiled):
    before = kept(compiled["XDG_CACHE_HOME"])
    done = run(MAIN + HITS, *WARM[0], **compiled)
    assert kept(compiled["XDG_CACHE_HOME"]) == before != {}
    assert done.stdout.splitlines()[-1] == "1"
    assert done.stderr == ""


def test_a_home_that_cannot_be_written_in_is_one_where_others_kept_kernels(compiled, tmp_path):
    """The user's own folder among the temporary ones is looked in without a word or a change."""
    home = tmp_path / "file"
    home.touch()
    own = tmp_path / f"estoc-{os.getuid()}"
    shutil.copytree(Path(compiled["XDG_CACHE_HOME"], "estoc"), own)
    own.chmod(0o700)
    before = kept(str(tmp_path))
    nowhere = {"HOME": str(home), "XDG_CACHE_HOME": "", "TMPDIR": str(tmp_path)}
    done = run(MAIN + HITS, *WARM[0], **compiled | nowhere)
    assert (done.stdout.splitlines()[-1], done.stderr) == ("1", "")
    assert kept(str(tmp_path)) == before
    assert len(list(tmp_path.iterdir())) == 2


def test_a_duel_loads_what_it_needs(compiled):
    found = loaded(LOADED, *WARM[0], **compiled)
    assert found.isdisjoint(HEAVY | OTHERS)
    assert found > COMPILER
    assert commands_among(found) == set()
    # what numba needs to compile, its linear algebra first of all
    assert found.isdisjoint({"numba.np.arraymath", "numba.typed.typeddict", "numba.np.linalg"})


@pytest.mark.parametrize("words", WARM[1:], ids=" ".join)
def test_other_questions_load_what_they_need(words):
    run(MAIN, *words)  # compiles them where nobody has yet
    assert loaded(LOADED, *words).isdisjoint(HEAVY | OTHERS)


def test_ones_own_numba_code_finds_all_of_numba_after_a_kernel(compiled):
    done = run(MAIN + OWN, *WARM[0], **compiled)
    assert done.stdout.splitlines()[-1] == "30.0"


@_jit.part
def twice(x):
    return 2 * x


@_jit.routine
def more(x):
    return twice(x) + 1


def most(values):
    for i in range(len(values)):
        values[i] = more(values[i])


@pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")
def test_only_kernels_become_machine_code(tmp_path, monkeypatch):
    monkeypatch.setattr(_jit, "CACHE_DIR", tmp_path)  # nothing is there
    kernel = _jit.kernel(most)
    values = np.arange(3.0)
    kernel(values)
    assert values.tolist() == [1, 3, 5]
    for function, is_kernel in ((kernel, True), (more, False), (twice, False)):
        (result,) = function.overloads.values()
        assert result.library._compiled is is_kernel
