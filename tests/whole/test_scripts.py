"""The launchers of scripts/, run against a fake Python: no network, no real virtual environment."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import INTERRUPTIBLE

SCRIPTS = Path(__file__).parents[2] / "scripts"
LAUNCHERS = ("estoc", "test", "bench")
UTILITIES = (
    *("cat", "chmod", "cksum", "dirname", "find", "ln", "mkdir", "mv", "readlink"),
    *("rm", "sed", "sh", "sleep", "tail"),
)

# Plays python3 and, copied into .venv/bin, its python. CHECK, PIP and HOLD say how it fares.
FAKE_PYTHON = """#!/bin/sh
case "$*" in
    *ensurepip*) exit "${CHECK:-0}" ;;
    *"import pip"*) exit 0 ;;
    *"-m venv"*)
        echo venv >>"$CALLS"
        for folder do :; done
        mkdir -p "$folder/bin"
        cat "$0" >"$folder/bin/python"
        echo 'echo "estoc $*; cache $XDG_CACHE_HOME"' >"$folder/bin/estoc"
        for tool in ruff mypy lint-imports pytest; do
            echo 't=${0##*/}; echo ran $t "$*"; [ $t != "$BROKEN" ] || exit 9' >"$folder/bin/$tool"
        done
        chmod +x "$folder"/bin/* ;;
    *"-m pip"*)
        "$PYTHON_OF_TESTS" -ISc "$HOLDER" "$CALLS" "pip in $PWD: $*" "${HOLD:-0}"
        [ "${PIP:-0}" = 0 ] || echo "ERROR: no such index" >&2
        exit "${PIP:-0}" ;;
esac
"""

# A shell may put off a signal that comes just before it starts a child: the call is noted by the
# child, once all who wait for it can be interrupted.
HOLDER = """
import sys, time
with open(sys.argv[1], "a") as calls:
    print(sys.argv[2], file=calls)
time.sleep(float(sys.argv[3]))
"""


class Sandbox:
    """A copy of the launchers, in a folder with a space, that sees only a fake Python."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "my repo"
        self.bin = folder / "bin"
        self.calls_file = folder / "calls"
        shutil.copytree(
            SCRIPTS, self.root / "scripts", ignore=shutil.ignore_patterns("__pycache__")
        )
        (self.root / "pyproject.toml").write_text("[project]\n")
        (self.root / "constraints.txt").write_text("numpy==2\n")
        self.bin.mkdir()
        for utility in UTILITIES:
            (self.bin / utility).symlink_to(shutil.which(utility) or utility)
        self.add_python("python3")
        self.environment = {
            "PATH": str(self.bin),
            "HOME": str(folder),
            "CALLS": str(self.calls_file),
            "HOLDER": HOLDER,
            "PYTHON_OF_TESTS": sys.executable,
        }
        self.started: list[subprocess.Popen[str]] = []

    def add_python(self, name: str) -> None:
        (self.bin / name).write_text(FAKE_PYTHON)
        (self.bin / name).chmod(0o755)

    def command(self, script: str | Path, *arguments: str) -> list[str]:
        return [str(self.root / "scripts" / script), *arguments]

    def run(
        self, script: str | Path, *arguments: str, cwd: Path | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(script, *arguments),
            cwd=cwd or self.root,
            env=self.environment | environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=60,
        )

    def start(self, script: str, *arguments: str, **environment: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            self.command(script, *arguments),
            env=self.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            **INTERRUPTIBLE,
        )
        self.started.append(process)
        return process

    def end_all(self) -> None:
        """Leave nothing of a failed test running: its ends would be told of other tests."""
        for process in self.started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def calls(self, what: str) -> list[str]:
        """What the fake Python was asked for, as venv or pip."""
        if not self.calls_file.exists():
            return []
        return [line for line in self.calls_file.read_text().splitlines() if line.startswith(what)]

    def wait_for_calls(self, what: str, number: int) -> None:
        deadline = time.monotonic() + 20
        while len(self.calls(what)) < number:
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    box = Sandbox(tmp_path)
    yield box
    box.end_all()


def one_line(text: str) -> str:
    assert text.count("\n") == 1, text
    return text


def test_first_run_sets_up_and_says_so_on_stderr_only(sandbox: Sandbox) -> None:
    done = sandbox.run("estoc", "duel", "a b")
    assert (done.returncode, done.stdout) == (0, "estoc duel a b; cache \n")
    assert one_line(done.stderr).startswith("estoc: setting up .venv")
    (call,) = sandbox.calls("pip")
    assert call.startswith(f"pip in {sandbox.root}: -I -m pip ")
    assert call.endswith("--constraint constraints.txt --editable .")


def test_second_run_installs_nothing_and_is_silent(sandbox: Sandbox) -> None:
    sandbox.run("estoc")
    done = sandbox.run("estoc", CHECK="1", PIP="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(sandbox.calls("venv")) == len(sandbox.calls("pip")) == 1


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_requirements_are_installed_again(sandbox: Sandbox, name: str) -> None:
    sandbox.run("estoc")
    (sandbox.root / name).write_text("changed\n")
    assert one_line(sandbox.run("estoc").stderr).startswith("estoc: updating .venv")
    assert (len(sandbox.calls("venv")), len(sandbox.calls("pip"))) == (1, 2)


def test_dev_satisfies_plain_but_not_the_reverse(sandbox: Sandbox) -> None:
    sandbox.run("estoc")
    assert sandbox.run("test").returncode == 0
    assert sandbox.calls("pip")[1].endswith("--editable .[dev]")
    sandbox.run("estoc")
    assert len(sandbox.calls("pip")) == 2


def test_works_through_a_link_and_from_any_folder(sandbox: Sandbox, tmp_path: Path) -> None:
    link = tmp_path / "deep" / "er"
    link.parent.mkdir()
    link.symlink_to("../my repo/scripts/estoc")
    done = sandbox.run(link, "x", cwd=Path("/"))
    assert (done.returncode, done.stdout) == (0, "estoc x; cache \n")


def test_moved_checkout_is_set_up_again(sandbox: Sandbox) -> None:
    sandbox.run("estoc")
    sandbox.root = sandbox.root.rename(sandbox.root.with_name("elsewhere"))
    assert sandbox.run("estoc").returncode == 0
    assert len(sandbox.calls("pip")) == 2


def test_vanished_interpreter_is_replaced(sandbox: Sandbox) -> None:
    sandbox.run("estoc")
    python = sandbox.root / ".venv/bin/python"
    python.unlink()
    python.symlink_to("/nonexistent/python3")
    assert sandbox.run("estoc").returncode == 0
    assert (len(sandbox.calls("venv")), len(sandbox.calls("pip"))) == (2, 2)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("3", "Python 3.11 or newer is needed: python3 is older"),
        ("2", "Python 3.11 or newer is needed: python3 is older"),
        ("4", "python3 lacks the venv module"),
        ("127", "Python 3.11 or newer is needed and none was found"),
    ],
)
def test_unusable_python_is_one_clear_line(sandbox: Sandbox, check: str, message: str) -> None:
    done = sandbox.run("estoc", CHECK=check)
    assert (done.returncode, done.stdout) == (1, "")
    assert one_line(done.stderr).startswith(f"estoc: {message}")
    assert not sandbox.calls("venv")


def test_no_python_at_all(sandbox: Sandbox) -> None:
    (sandbox.bin / "python3").unlink()
    done = sandbox.run("estoc")
    assert done.returncode == 1
    assert "none was found" in one_line(done.stderr)


def test_newer_python_is_found_beside_an_old_one(sandbox: Sandbox) -> None:
    (sandbox.bin / "python3").write_text("#!/bin/sh\nexit 3\n")
    sandbox.add_python("python3.12")
    assert sandbox.run("estoc").returncode == 0


def test_python_variable_chooses(sandbox: Sandbox) -> None:
    (sandbox.bin / "python3").rename(sandbox.bin / "my python")
    assert sandbox.run("estoc", PYTHON=str(sandbox.bin / "my python")).returncode == 0


def test_wrong_python_variable_is_not_replaced_by_another(sandbox: Sandbox) -> None:
    done = sandbox.run("estoc", PYTHON="nonsense")
    assert done.returncode == 1
    assert one_line(done.stderr) == "estoc: PYTHON=nonsense cannot be run\n"


def test_failed_install_is_reported_and_tried_again(sandbox: Sandbox) -> None:
    done = sandbox.run("estoc", PIP="1")
    assert (done.returncode, done.stdout) == (1, "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("estoc: installing the packages failed (no network?): no such index;")
    assert sandbox.run("estoc").returncode == 0
    assert (len(sandbox.calls("venv")), len(sandbox.calls("pip"))) == (1, 2)


def test_unwritable_checkout_is_one_clear_line(sandbox: Sandbox) -> None:
    (sandbox.root / ".venv").write_text("in the way")
    done = sandbox.run("estoc")
    assert done.returncode == 1
    assert "cannot write in" in one_line(done.stderr)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_cut_off_set_up_is_begun_anew(sandbox: Sandbox, number: int) -> None:
    first = sandbox.start("estoc", HOLD="30")
    sandbox.wait_for_calls("pip", 1)
    os.killpg(first.pid, number)
    first.communicate(timeout=20)
    assert first.returncode != 0
    assert sandbox.run("estoc").returncode == 0
    assert (len(sandbox.calls("venv")), len(sandbox.calls("pip"))) == (2, 2)
    assert not (sandbox.root / ".venv/setup.lock").is_symlink()


def test_two_launches_at_once_set_up_once(sandbox: Sandbox) -> None:
    first = sandbox.start("estoc", "1", HOLD="0.5")
    sandbox.wait_for_calls("pip", 1)
    second = sandbox.run("estoc", "2")
    output, _ = first.communicate(timeout=20)
    assert output.startswith("estoc 1")
    assert second.stdout.startswith("estoc 2")
    assert "waiting for the set-up of .venv" in one_line(second.stderr)
    assert len(sandbox.calls("pip")) == 1


@pytest.mark.parametrize("home", [{"HOME": "/dev/null/nobody"}, {"HOME": ""}])
def test_unwritable_home_moves_the_cache(sandbox: Sandbox, home: dict[str, str]) -> None:
    done = sandbox.run("estoc", **home)
    assert done.returncode == 0
    assert done.stdout == f"estoc ; cache {sandbox.root}/.venv/cache\n"


def test_kernels_that_can_only_be_read_are_read(sandbox: Sandbox, tmp_path: Path) -> None:
    cache = tmp_path / "image" / "estoc"
    (cache / "kernels-0123456789ab").mkdir(parents=True)
    cache.chmod(0o555)
    obeying: list[str] = []
    if os.geteuid() == 0:  # root obeys permissions without its capabilities only
        setpriv = shutil.which("setpriv")
        if setpriv is None:
            pytest.skip("root writes anywhere")
        obeying = [setpriv, "--bounding-set=-all", "--inh-caps=-all"]
    sandbox.run("estoc")
    done = subprocess.run(
        [*obeying, *sandbox.command("estoc")],
        env=sandbox.environment | {"XDG_CACHE_HOME": str(cache.parent)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (0, f"estoc ; cache {cache.parent}\n")


def test_a_relative_cache_is_none(sandbox: Sandbox, tmp_path: Path) -> None:
    assert sandbox.run("estoc", XDG_CACHE_HOME="here").stdout == "estoc ; cache here\n"
    assert (tmp_path / ".cache" / "estoc").is_dir()
    assert not (sandbox.root / "here").exists()


def test_checks_run_in_order_and_pass_arguments_on(sandbox: Sandbox) -> None:
    done = sandbox.run("test", "tests/a b.py", "--slow", "-x")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        "== ruff check",
        "ran ruff check",
        "== ruff format --check",
        "ran ruff format --check",
        "== mypy",
        "ran mypy ",
        "== lint-imports",
        "ran lint-imports ",
        "== pytest -n 2 --dist loadfile --no-loadscope-reorder -m  tests/a b.py -x",
        "ran pytest -n 2 --dist loadfile --no-loadscope-reorder -m  tests/a b.py -x",
    ]
    assert sandbox.run("test").stdout.endswith(
        "ran pytest -n 2 --dist loadfile --no-loadscope-reorder -m not slow\n"
    )


def test_first_failing_check_ends_the_run(sandbox: Sandbox) -> None:
    done = sandbox.run("test", BROKEN="mypy")
    assert done.returncode == 9
    assert done.stdout.endswith("ran mypy \n")


def test_kernel_caches_unused_for_days_are_removed(sandbox: Sandbox, tmp_path: Path) -> None:
    cache = tmp_path / ".cache" / "estoc"
    old, read_lately, other = (
        cache / name for name in ("kernels-0123456789ab", "kernels-ba9876543210", "kernels-mine")
    )
    long_ago = time.time() - 5 * 86400
    for folder in (old, read_lately, other):
        folder.mkdir(parents=True)
        (folder / "combat.nbc").write_text("x")
        os.utime(folder / "combat.nbc", (long_ago, long_ago))
        os.utime(folder, (long_ago, long_ago))
    os.utime(read_lately / "combat.nbc", (time.time(), long_ago))
    sandbox.run("test")
    assert sorted(cache.iterdir()) == sorted([read_lately, other])


@pytest.mark.parametrize("script", LAUNCHERS)
def test_launcher_is_posix_shell_and_executable(script: str) -> None:
    path = SCRIPTS / script
    assert os.access(path, os.X_OK)
    assert path.read_text().startswith("#!/bin/sh\n")
    subprocess.run(["sh", "-n", path], check=True)
