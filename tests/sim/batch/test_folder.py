"""Folders of runs: only what Estoc wrote is ever changed, and nothing else is believed."""

import json
import os
import random
import shutil
import signal
from collections.abc import Iterator
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from run_batches import left_by, write

from estoc.profiles import InputError
from estoc.sim.batch import locking, own_files
from estoc.sim.batch import manifest as run_manifest
from estoc.sim.batch.crew import ThreadWorkers
from estoc.sim.batch.folder import RunFolder, load_run
from estoc.sim.batch.locking import locked
from estoc.sim.batch.own_files import add_line, write_durably
from estoc.sim.batch.runs import run

BATCH = """
seed = 3
[[job]]
name = "one"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 1000
"""
OWN = ("inputs", "parts", "results", "lock", "log.txt", "run.json")


@pytest.fixture(scope="module")
def batch(tmp_path_factory) -> Path:
    """Return a batch file."""
    return write(tmp_path_factory.mktemp("batch"), BATCH)


@pytest.fixture(scope="module")
def once(batch) -> Path:
    """Return the folder of its run, finished."""
    run(batch, batch.parent / "run")
    return batch.parent / "run"


@pytest.fixture
def folder(once, tmp_path) -> Path:
    """Return a copy of the run."""
    return shutil.copytree(once, tmp_path / "run")


def seen(folder: Path) -> dict[str, Any]:
    """Return all that is in a folder: links with where they lead, files with what they hold."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = os.readlink(path)
        else:
            found[name] = path.read_bytes() if path.is_file() else None
    return found


def never():
    raise AssertionError("nobody is hired for that")


def refused(path: Path, folder: Path, place: Path, resume: bool = False) -> str:
    """Return why a run is refused; nothing of a place was touched."""
    before = seen(place)
    with pytest.raises(InputError) as caught:
        run(path, folder, resume=resume, hire=never)
    assert seen(place) == before
    text = str(caught.value)
    assert len(text.splitlines()) == 1
    return text


# --- folders that are no run's -----------------------------------------------------------


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("name", [*OWN, "run.json.part", "parts/x.part"])
def test_a_folder_with_the_names_of_a_run_is_none(batch, tmp_path, name, resume):
    folder = tmp_path / "proj"
    mine = folder / name if "." in name or name == "lock" else folder / name / "batch.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine", encoding="utf-8")
    text = refused(batch, folder, tmp_path, resume)
    assert "run.json" in text if name == "run.json" else "holds other things" in text


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("name", OWN)
def test_no_link_is_followed(batch, once, tmp_path, name, resume):
    folder, elsewhere = tmp_path / "proj", tmp_path / "mine"
    folder.mkdir()
    shutil.move(shutil.copytree(once, tmp_path / "copy") / name, elsewhere)
    (folder / name).symlink_to(elsewhere)
    refused(batch, folder, tmp_path, resume)


@pytest.mark.parametrize("name", OWN)
def test_no_link_is_followed_in_a_run_that_goes_on(once, folder, tmp_path, name):
    (folder / name).rename(tmp_path / "mine")
    (folder / name).symlink_to(tmp_path / "mine")
    for path in (once.parent / "batch.toml", folder):
        refused(path, folder, tmp_path, resume=True)


@pytest.mark.parametrize("name", ["lock", "log.txt"])
def test_no_second_name_of_a_file_is_written(batch, folder, tmp_path, name):
    (folder / name).unlink()
    (tmp_path / "mine").write_text("12", encoding="utf-8")
    os.link(tmp_path / "mine", folder / name)
    assert "a hard link" in refused(batch, folder, tmp_path, resume=True)


def test_a_lock_that_holds_a_text_of_somebody_is_left_alone(batch, folder, tmp_path):
    (folder / "lock").write_text("my key: 4711", encoding="utf-8")
    assert "no lock of Estoc" in refused(batch, folder, tmp_path, resume=True)


@pytest.mark.parametrize("name", OWN)
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_is_not_waited_for(batch, folder, name):
    path = folder / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    os.mkfifo(path)
    with pytest.raises(InputError, match="is no file where a run has"):
        run(batch, folder, resume=True, hire=never)


def test_nothing_is_cleared_before_a_run_is_known_to_go_on(batch, folder, tmp_path):
    changed = write(tmp_path, BATCH.replace("1000", "1001"))
    for name in ("x.part", "run.json.part", "parts/000000.0123456789abcdef.parquet.part"):
        (folder / name).write_text("mine", encoding="utf-8")
    assert "changed since the run began" in refused(changed, folder, folder, resume=True)


def test_only_what_estoc_left_is_cleared(batch, folder):
    (folder / "inputs" / "deep").mkdir()
    theirs = ("song.part", "parts/x.part", "inputs/deep/y.part", "results/z.parquet.part")
    ours = ("run.json.part", "parts/000009.0123456789abcdef.parquet.part")
    ours += ("inputs/000-batch.toml.part", "results/one.parquet.part", "results/answers.json.part")
    for name in (*theirs, *ours):
        (folder / name).write_text("x", encoding="utf-8")
    run(batch, folder, resume=True)
    assert [name for name in theirs if not (folder / name).exists()] == []
    assert [name for name in ours if (folder / name).exists()] == []


def test_files_of_others_in_the_results_are_not_lost(batch, once, folder, tmp_path):
    unfinish(folder)
    (folder / "results" / "one.parquet").write_text("mine", encoding="utf-8")
    (folder / "results" / "answers.json").unlink()
    (folder / "results" / "answers.json").mkdir()
    (folder / "results" / ".ipynb_checkpoints").mkdir()
    (folder / "results" / "notes.txt").write_text("mine", encoding="utf-8")
    run(batch, folder, resume=True)
    assert (folder / "results" / "one.aside").read_text(encoding="utf-8") == "mine"
    assert (folder / "results" / "answers.aside").is_dir()
    assert left_by(once).items() <= left_by(folder).items()
    assert len(load_run(folder).answered) == 1


def unfinish(folder: Path) -> None:
    told = RunFolder(folder).manifest.model_copy(update={"results": {}})
    (folder / "run.json").write_bytes(told.text)


def test_what_is_in_the_way_of_writing_is_left_there(tmp_path):
    (tmp_path / "mine").write_text("mine", encoding="utf-8")
    (tmp_path / "x.part").symlink_to(tmp_path / "mine")
    (tmp_path / "log").symlink_to(tmp_path / "mine")
    before = seen(tmp_path)
    with pytest.raises(FileExistsError):
        write_durably(tmp_path / "x", b"new")
    with pytest.raises(OSError, match="symbolic links"):
        add_line(tmp_path / "log", "new")
    with pytest.raises(OSError, match="symbolic links"), locked(tmp_path / "log", "it"):
        pass
    assert seen(tmp_path) == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.parametrize("number", range(1, 13))
def test_a_beginning_that_is_killed_at_any_file_is_taken_over(batch, once, tmp_path, number):
    folder = tmp_path / "run"
    child = os.fork()
    if not child:
        steps, true = iter(range(1, number)), own_files.own_number

        def dies(path: Path, flags: int) -> int:
            found = true(path, flags)
            if next(steps, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return found

        own_files.own_number, locking.own_number = dies, dies
        run(batch, folder, hire=partial(ThreadWorkers, 1))
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    run(batch, folder, resume=(folder / "run.json").exists())
    assert left_by(folder) == left_by(once)


# --- what a run says of itself -----------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("seed", 4),
        ("title", "Other"),
        ("versions", {"estoc": "9"}),
        ("cells", 2),
        ("failed", ["x"]),
    ],
)
def test_a_finished_run_that_was_edited_is_not_believed(folder, key, value):
    path = folder / "run.json"
    told = json.loads(path.read_bytes())
    path.write_text(json.dumps(told | {key: value}), encoding="utf-8")
    with pytest.raises(InputError, match=r'run.json" is not what Estoc wrote: .*--resume cannot'):
        load_run(folder)
    assert "is not what Estoc wrote" in refused(folder, folder, folder, resume=True)


def test_a_run_of_before_is_still_read(folder):
    told = RunFolder(folder).manifest.model_copy(update={"format": run_manifest.BEFORE})
    (folder / "run.json").write_bytes(told.text)
    assert "digest" not in json.loads((folder / "run.json").read_bytes())
    assert load_run(folder).seed == 3


@pytest.mark.parametrize("what", ["a folder", "a link", "other", "gone"])
def test_a_kept_input_that_is_not_one_is_said(batch, folder, tmp_path, what):
    place = folder / "inputs" / "000-batch.toml"
    place.rename(tmp_path / "kept")
    if what == "a folder":
        place.mkdir()
    elif what == "a link":
        place.symlink_to(tmp_path / "kept")
    elif what == "other":
        place.write_text("x", encoding="utf-8")
    word = "gone" if what == "gone" else "not what the run has kept"
    with pytest.raises(InputError, match=rf'000-batch.toml" is {word}: .* --resume$'):
        load_run(folder)
    assert word in refused(folder, folder, tmp_path, resume=True)
    if what != "gone":
        assert word in refused(batch, folder, tmp_path, resume=True)


def test_strangers_in_the_results_change_nothing(folder):
    (folder / "results" / ".ipynb_checkpoints").mkdir()
    (folder / "results" / "mine.csv").write_text("a", encoding="utf-8")
    assert load_run(folder).title == "batch"
    run(folder, folder, resume=True, hire=never)


VALUES = (None, True, -1, 2**70, 0.5, float("nan"), "", "x", "../x", "a\0b", "\ud800", [], {}, [1])


def edits(told: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a text of a run without each of its keys, and with other values and keys."""
    places = [(key,) for key in told]
    places += [(key, inner) for key in told if isinstance(told[key], dict) for inner in told[key]]
    places += [("inputs", path, key) for path in told["inputs"] for key in ("kept", "sha256")]
    for place in places:
        for value in ("(gone)", "(renamed)", *VALUES):
            edited = deepcopy(told)
            inner: Any = edited
            for key in place[:-1]:
                inner = inner[key]
            before = inner.pop(place[-1])
            if value == "(renamed)":
                inner["renamed"] = before
            elif value != "(gone)":
                inner[place[-1]] = value
            if edited != told:
                yield edited


def said_of(folder: Path) -> str:
    """Return the line in which a run is refused; nothing if it is read."""
    try:
        load_run(folder)
    except InputError as error:
        (line,) = str(error).splitlines()
        return line
    return ""


def test_no_edit_of_what_a_run_says_is_a_fault_of_estoc(folder):
    path = folder / "run.json"
    told = json.loads(path.read_bytes())
    found = [json.dumps(edited).encode() for edited in edits(told)]
    found += [json.dumps(value).encode() for value in VALUES]
    found += [b"[" * 100_000, b'{"format": ' + b"9" * 5000 + b"}", b"\xff\xfe", b"\0"]
    assert len(found) >= 400
    for data in found:
        path.write_bytes(data)
        text = refused(folder, folder, folder, resume=True)
        with pytest.raises(InputError, match=r"run\.json"):
            load_run(folder)
        assert len(text) <= 400


def test_no_damage_to_what_a_run_says_is_a_fault_of_estoc(folder):
    path = folder / "run.json"
    whole = path.read_bytes()
    chance = random.Random(23)
    found = [whole[:length] for length in range(0, len(whole) - 1, 29)]
    for _ in range(150):
        turned = bytearray(whole)
        turned[chance.randrange(len(whole))] ^= 1 << chance.randrange(8)
        found.append(bytes(turned))
    for data in found:
        path.write_bytes(data)
        # all but a space that became another, say
        assert said_of(folder) or json.loads(data) == json.loads(whole)


def test_no_edit_that_is_signed_is_a_fault_of_estoc(folder):
    path = folder / "run.json"
    told = json.loads(path.read_bytes())
    del told["digest"]
    for edited in edits(told):
        signed = edited | {"digest": run_manifest._digest(edited)}
        path.write_text(json.dumps(signed), encoding="utf-8")
        said_of(folder)


def test_a_name_that_no_text_can_hold_is_refused_before_there_is_a_folder(tmp_path):
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/b\xff.toml"))
    try:
        path.write_text(BATCH, encoding="utf-8")
    except OSError:
        pytest.skip("such names cannot be here")
    with pytest.raises(InputError, match="is not UTF-8"):
        run(path, tmp_path / "run", hire=never)
    assert not (tmp_path / "run").exists()


def test_a_long_name_of_a_file_is_kept_under_a_short_one(tmp_path):
    path = write(tmp_path, BATCH, f"{'l' * 240}é.toml")
    run(path, tmp_path / "run")
    (kept,) = (tmp_path / "run" / "inputs").iterdir()
    assert kept.name == f"000-{'l' * 34}_.toml"
    assert load_run(tmp_path / "run").batch == BATCH
