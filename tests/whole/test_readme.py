"""The README is true: its commands run, and print what it says that they print."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2].joinpath("README.md").read_text(encoding="utf-8")
SHELL = re.compile(r"```sh\n(.*?)```(?:\n+```text\n(.*?)```)?", re.DOTALL)
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def commands(block: str) -> list[str]:
    joined = block.replace("\\\n", " ")
    lines = (line for line in joined.splitlines() if line and not line.startswith("#"))
    return [line for line in lines if line.startswith("estoc ")]


def run(command: str, folder: Path, *more: str) -> str:
    words = [*shlex.split(command)[1:], *more]
    done = subprocess.run(
        [sys.executable, "-m", "estoc.sim.cli.main", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


SHOWN = [(commands(block)[0], text) for block, text in SHELL.findall(README) if text]
TOML = re.compile(r"```toml\n# (\S+)\n(.*?)```", re.DOTALL)
ALONE = [block for block, text in SHELL.findall(README) if not text]
OTHERS = [c for block in ALONE if "estoc run" not in block for c in commands(block)]
BATCHES = [commands(block) for block in ALONE if "estoc run" in block]


@pytest.mark.parametrize(("command", "text"), SHOWN)
def test_commands_print_what_is_shown(command: str, text: str, tmp_path: Path) -> None:
    printed = "\n".join(line.rstrip() for line in run(command, tmp_path).rstrip().splitlines())
    assert printed + "\n" == text


@pytest.mark.parametrize("command", OTHERS)
def test_other_commands_run(command: str, tmp_path: Path) -> None:
    run(command, tmp_path, *(["--trials", "200"] if "--seed" in command else []))


@pytest.mark.parametrize("following", BATCHES)
def test_batches_run_one_command_after_the_other(following: list[str], tmp_path: Path) -> None:
    for name, text in TOML.findall(README):
        tmp_path.joinpath(name).write_text(text, encoding="utf-8")
    for command in following:
        run(command, tmp_path)
    one, two = (read_all(tmp_path / f"{name}.run" / "results") for name in ("griffons", "again"))
    assert one == two != {}
    assert tmp_path.joinpath("griffons.html").stat().st_size > 100_000


def read_all(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("code", PYTHON.findall(README))
def test_python_runs(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_there_is_something_to_run() -> None:
    assert len(SHOWN) == 5
    assert len(OTHERS) >= 8
    assert len(BATCHES) == 1
    assert "./scripts/test" in README


def test_its_figures_of_the_cards_are_those_of_the_files() -> None:
    from estoc.profiles import Roster

    roster = Roster.load()
    bases = [p for p in roster if p.role == "base de personnage"]
    peoples = {p.people for p in roster} - {"(toutes)"}
    said = f"{len(roster) - len(bases)} fighters of {len(peoples)} peoples and {len(bases)} build"
    assert said in README
