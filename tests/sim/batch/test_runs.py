"""Runs: the same bytes for any workers and stops, the same rows as the commands alone."""

import os
import re
import shutil
import threading
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from run_batches import QUICK, left_by, write

from estoc.profiles import InputError
from estoc.sim.base.options import Options
from estoc.sim.base.parallel import Task
from estoc.sim.batch import folder as run_folder
from estoc.sim.batch import runs
from estoc.sim.batch.crew import KeepingCrew, ThreadWorkers, do_all
from estoc.sim.batch.folder import RunFolder, load_run
from estoc.sim.batch.parts import Parts
from estoc.sim.batch.runs import RunStopped, foreseen, hiring, place_of, run
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel
from estoc.sim.combat.sweep import sweep

NAMES = "Garde prétorien", "Guerrier de l'aube"
H11 = """
seed = 3
chunk = 0.01
[[job]]
name = "cells"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 1000
[job.grid]
dice = [["2/0", "1/1"], ["1/1", "1/1"], ["0/2", "1/1"]]
turns = [1, 2]
"""


@pytest.fixture(scope="module")
def once(tmp_path_factory) -> Path:
    """Return the folder of a run that nothing stopped."""
    folder = tmp_path_factory.mktemp("once")
    run(write(folder), folder / "run")
    return folder / "run"


def beside(once: Path) -> Path:
    """Return its batch file."""
    return once.parent / "batch.toml"


def begun(once: Path, folder: Path, keep: int) -> Path:
    """Make a run that was stopped when it had so many parts."""
    shutil.copytree(once, folder)
    shutil.rmtree(folder / "results")
    told = RunFolder(folder).manifest.model_copy(update={"results": {}})
    (folder / "run.json").write_bytes(told.text)
    for part in sorted((folder / "parts").iterdir())[keep:]:
        part.unlink()
    return folder


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads_change_no_byte(once, tmp_path, threads):
    run(beside(once), tmp_path / "run", hire=partial(ThreadWorkers, threads))
    assert left_by(tmp_path / "run") == left_by(once)


@pytest.mark.parametrize("keep", [0, 1, 7, 30, 1000])
def test_a_run_that_goes_on_ends_with_the_same_bytes(once, tmp_path, keep):
    folder = begun(once, tmp_path / "run", keep)
    kept = {p.name for p in (folder / "parts").iterdir()}
    run(beside(once), folder, resume=True)
    assert left_by(folder) == left_by(once)
    assert kept <= {p.name for p in (folder / "parts").iterdir()}


def test_what_a_run_has_kept_is_enough_to_go_on(once, tmp_path):
    folder = begun(once, tmp_path / "run", 5)
    other = tmp_path / "moved"
    other.mkdir()
    run(folder, folder, resume=True)
    assert left_by(folder) == left_by(once)


def test_a_finished_run_does_nothing_more(once, tmp_path):
    shutil.copytree(once, tmp_path / "run")
    hired = []
    run(beside(once), tmp_path / "run", resume=True, hire=lambda: hired.append(1))
    assert hired == []
    assert left_by(tmp_path / "run") == left_by(once)


@pytest.mark.parametrize("damage", [b"", b"PAR1 and more", None])
def test_results_that_were_changed_or_lost_are_made_again_of_the_parts(once, tmp_path, damage):
    folder = tmp_path / "run"
    shutil.copytree(once, folder)
    for name in ("duels.parquet", "answers.json"):
        if damage is None:
            (folder / "results" / name).unlink()
        else:
            (folder / "results" / name).write_bytes(damage)
    with pytest.raises(InputError, match=r'answers.json" is not what the run wrote: .* --resume'):
        load_run(folder)
    run(beside(once), folder, resume=True)
    assert left_by(folder) == left_by(once)


def test_rows_are_those_of_the_commands_alone(once):
    found = load_run(once)
    by_name = {one.job: one for one in found.answered if not one.point}
    told = Options()
    shared = duel(*NAMES, trials=2_000_001, seed=7, options=told)
    assert by_name["shared"].result.rows == shared.rows
    assert by_name["shared"].result.notes == shared.notes
    watched = combat(NAMES[0], [NAMES[1]] * 2, precision=0.004, seed=7)
    assert by_name["watched"].result == watched
    whole = sweep(NAMES, NAMES[::-1], charges=["none", "A"], best=True)
    joined = by_name["sweep"].result
    assert joined.rows == whole.rows
    assert (joined.title, joined.notes, joined.assumed, joined.readings) == (
        whole.title,
        whole.notes,
        whole.assumed,
        whole.readings,
    )


def test_tables_have_each_cell_once_with_its_point(once):
    table = pq.read_table(once / "results" / "duels.parquet").to_pylist()
    assert [row["cell"] for row in table] == [0, 1, 2, 3, 4, 5]
    assert [row["point"] for row in table][1] == "turns=1, charge=A"
    assert [row["turns"] for row in table] == [1, 1, 1, 2, 2, 2]
    assert all(row["wins_a"] + row["wins_b"] + row["undecided"] == 3000 for row in table)


def test_h11_a_run_killed_in_the_writing_of_a_chunk_has_each_cell_once(tmp_path):
    batch = write(tmp_path, H11)
    run(batch, tmp_path / "whole")
    folder = begun(tmp_path / "whole", tmp_path / "run", 2)
    part = next((tmp_path / "whole" / "parts").iterdir())
    cut = folder / "parts" / f"{part.name}.part"
    cut.write_bytes(part.read_bytes()[:100])  # killed while it was written
    last = sorted((folder / "parts").iterdir())[-2]
    last.write_bytes(last.read_bytes()[:-40])  # and one that the disk has lost the end of
    run(batch, folder, resume=True)
    assert left_by(folder) == left_by(tmp_path / "whole")
    table = pq.read_table(folder / "results" / "cells.parquet").to_pylist()
    assert [row["cell"] for row in table] == list(range(6))
    assert sum(row["trials"] for row in table) == 6000
    assert not cut.exists()


def test_a_damaged_part_is_said_in_a_line_and_done_again(once, tmp_path, capsys):
    folder = begun(once, tmp_path / "run", 9)
    part = sorted((folder / "parts").iterdir())[4]
    part.write_bytes(part.read_bytes().replace(b"task", b"tusk"))
    run(beside(once), folder, resume=True)
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 2
    assert part.name in told[0]
    assert "goes on: " in told[1]
    assert "is damaged" in told[0]
    assert left_by(folder) == left_by(once)


def test_a_folder_that_holds_something_else_is_refused(tmp_path):
    batch = write(tmp_path)
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "thesis.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=r'holds other things, as "thesis.txt"'):
        run(batch, folder)
    assert [p.name for p in folder.iterdir()] == ["thesis.txt"]
    with pytest.raises(InputError, match="Not a directory"):
        run(batch, batch / "run")


def test_a_batch_that_cannot_be_run_leaves_no_folder(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        run(tmp_path / "none.toml", tmp_path / "run")
    with pytest.raises(InputError, match="unknown key"):
        run(write(tmp_path, H11.replace("trials", "trails")), tmp_path / "run")
    assert [path.name for path in tmp_path.iterdir()] == ["batch.toml"]


def test_workers_that_cannot_be_had_leave_no_folder(tmp_path, once):
    def none() -> None:
        raise InputError("no workers")

    with pytest.raises(InputError, match="no workers"):
        run(beside(once), tmp_path / "run", hire=none)
    assert not (tmp_path / "run").exists()
    folder = begun(once, tmp_path / "other", 3)
    before = left_by(folder)
    with pytest.raises(InputError, match="no workers"):
        run(beside(once), folder, resume=True, hire=none)
    assert left_by(folder) == before
    assert (folder / "lock").read_bytes() == b""


@pytest.mark.parametrize(("keep", "least", "most"), [(0, 0, 0), (9, 1, 11), (1000, 11, 11)])
def test_what_is_taken_over_is_told_and_noted(once, tmp_path, capsys, keep, least, most):
    folder = begun(once, tmp_path / "run", keep)
    chunks = len(list((folder / "parts").iterdir()))
    run(beside(once), folder, resume=True)
    line = capsys.readouterr().err.splitlines()[0]
    told = re.fullmatch(rf'estoc: "{folder}" (goes on: (\d+) of 12 cells .*, (\d+) to do)', line)
    assert f"(chunks taken over: {chunks})" in line
    assert least <= int(told[2]) <= most  # the last of the large ones may always lack a chunk
    assert int(told[2]) + int(told[3]) == 12
    assert told[1] in (folder / "log.txt").read_text(encoding="utf-8")
    run(beside(once), folder, resume=True)
    assert capsys.readouterr().err == f'estoc: "{folder}" was finished: nothing is left to do\n'


def test_a_run_is_not_begun_again_over_another(once):
    with pytest.raises(InputError, match="holds a run: go on with it by --resume"):
        run(beside(once), once)


def test_a_start_that_was_cut_off_can_be_made_again(once, tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "lock").write_text("estoc 123", encoding="utf-8")
    (folder / "run.json.part").write_bytes(b"{")
    run(beside(once), folder)
    assert left_by(folder) == left_by(once)


def test_a_run_killed_before_it_had_kept_its_inputs_goes_on_with_the_batch(once, tmp_path):
    folder = begun(once, tmp_path / "run", 0)
    shutil.rmtree(folder / "inputs")
    shutil.rmtree(folder / "parts")
    with pytest.raises(InputError, match=r'000-batch.toml" is gone: .* -o \S+run --resume'):
        run(folder, folder, resume=True)
    run(beside(once), folder, resume=True)
    assert left_by(folder) == left_by(once)


def mine(folder: Path, strength: int = 5) -> Path:
    (folder / "mine.csv").write_text(
        f"name,people,PA,INI,ATT,FOR,DEF,RES\nUn,Les miens,10,3,3,{strength},3,6\n",
        encoding="utf-8",
    )
    text = H11.replace("garde prétorien", "Un").replace("trials", 'fighters = "mine.csv"\ntrials')
    return write(folder, text)


def test_changed_inputs_are_refused_by_name_and_never_mixed_in(tmp_path):
    batch = mine(tmp_path)
    run(batch, tmp_path / "whole")
    folder = begun(tmp_path / "whole", tmp_path / "run", 2)
    before = left_by(folder)
    mine(tmp_path, 6)
    with pytest.raises(InputError, match=r'changed since the run began: ".*mine.csv"') as caught:
        run(batch, folder, resume=True)
    assert f"estoc run {folder} --resume" in str(caught.value)
    assert left_by(folder) == before
    run(folder, folder, resume=True)  # with what it has kept
    assert left_by(folder) == left_by(tmp_path / "whole")


@pytest.mark.parametrize("edit", ["seed = 4", "chunk = 0.02"])
def test_a_changed_batch_is_refused(tmp_path, edit):
    batch = write(tmp_path, H11)
    run(batch, tmp_path / "whole")
    folder = begun(tmp_path / "whole", tmp_path / "run", 2)
    key = edit.split()[0]
    write(tmp_path, "\n".join(edit if t.startswith(key) else t for t in H11.splitlines()))
    with pytest.raises(InputError, match=r'changed since the run began: ".*batch.toml"'):
        run(batch, folder, resume=True)


def test_fighters_that_appear_in_the_users_folder_are_a_change(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    batch = write(tmp_path, H11)
    run(batch, tmp_path / "whole")
    folder = begun(tmp_path / "whole", tmp_path / "run", 2)
    theirs = tmp_path / "estoc" / "fighters"
    theirs.mkdir(parents=True)
    (theirs / "new.csv").write_text(
        "name,people,PA,INI,ATT,FOR,DEF,RES\nGarde prétorien,Griffons,1,9,9,9,9,9\n",
        encoding="utf-8",
    )
    with pytest.raises(InputError, match="changed since the run began"):
        run(batch, folder, resume=True)
    run(folder, folder, resume=True)
    assert left_by(folder) == left_by(tmp_path / "whole")


@pytest.mark.parametrize("name", ["numpy", "program", "python"])
def test_another_program_is_refused(once, tmp_path, monkeypatch, name):
    folder = begun(once, tmp_path / "run", 3)
    now = run_folder.versions()
    monkeypatch.setattr(run_folder, "versions", lambda: {**now, name: "9.9"})
    for path in (beside(once), folder):
        with pytest.raises(InputError, match=r"is 9\.9 here and was .* when the run began"):
            run(path, folder, resume=True)


def test_a_manifest_that_was_damaged_is_told(once, tmp_path):
    folder = begun(once, tmp_path / "run", 3)
    (folder / "run.json").write_text('{"format"', encoding="utf-8")
    with pytest.raises(InputError, match=r"run.json\" is damaged"):
        run(beside(once), folder, resume=True)
    (folder / "run.json").write_text('{"format": "estoc run 0"}', encoding="utf-8")
    with pytest.raises(InputError, match="is not of a run that this estoc knows"):
        load_run(folder)
    with pytest.raises(InputError, match="is no run folder"):
        load_run(tmp_path)


def test_a_kept_input_that_was_changed_is_told(once, tmp_path):
    folder = begun(once, tmp_path / "run", 3)
    (folder / "inputs" / "000-batch.toml").write_text("x = 1", encoding="utf-8")
    with pytest.raises(InputError, match="is not what the run has kept"):
        run(folder, folder, resume=True)


def test_one_cell_that_fails_costs_no_other(tmp_path, monkeypatch):
    batch = write(tmp_path, H11)
    run(batch, tmp_path / "whole")
    true = runs.Failure

    def fails(self, run):
        if self.turns == 2 and self.dice[0] == "1/1":
            raise ZeroDivisionError("by nothing")
        return answer(self, run)

    from estoc.sim.ask.combats import Duel

    answer = Duel.answer
    monkeypatch.setattr(Duel, "answer", fails)
    there = run(batch, tmp_path / "run")
    assert len(there.failed) == 1
    assert "job \"cells\" at dice = ['1/1', '1/1'], turns = 2: ZeroDivisionError" in there.failed[0]
    found = load_run(tmp_path / "run")
    assert [len(one.result) for one in found.answered] == [1, 1, 1, 0, 1, 1]
    assert found.errors == tuple(there.failed)
    monkeypatch.setattr(Duel, "answer", answer)
    assert run(batch, tmp_path / "run", resume=True).failed == []
    assert left_by(tmp_path / "run") == left_by(tmp_path / "whole")
    assert true is runs.Failure


def test_a_fault_of_the_machine_stops_the_run_and_keeps_what_is_done(once, tmp_path, monkeypatch):
    folder = tmp_path / "run"
    added = []

    def full(self, answers):
        if len(added) == 5:
            raise OSError(28, "No space left on device")
        added.append(1)
        return add(self, answers)

    add = runs.Parts.add
    monkeypatch.setattr(runs.Parts, "add", full)
    with pytest.raises(RunStopped, match=r"No space left on device; what is finished is kept"):
        run(beside(once), folder)
    assert len(list((folder / "parts").iterdir())) == 5
    monkeypatch.setattr(runs.Parts, "add", add)
    run(beside(once), folder, resume=True)
    assert left_by(folder) == left_by(once)


def test_where_a_run_is_and_who_works(tmp_path, once):
    assert place_of("x/griffons.toml", None, False) == Path("griffons.run")
    assert place_of("x.toml", "there", True) == Path("there")
    assert place_of(str(once), None, True) == once
    for folder, resume in ((None, False), ("there", True)):
        with pytest.raises(InputError, match="is a folder"):
            place_of(str(once), folder, resume)
    with pytest.raises(InputError, match="--threads and --workers are two ways to work"):
        hiring(1, 2, None)
    with pytest.raises(InputError, match="holds no run that could go on"):
        run(tmp_path, tmp_path, resume=True)
    assert foreseen(once).loads == foreseen(beside(once)).loads


def test_the_seed_of_a_batch_without_one_is_kept(tmp_path):
    batch = write(tmp_path, H11.replace("seed = 3\n", ""))
    run(batch, tmp_path / "run")
    folder = begun(tmp_path / "run", tmp_path / "again", 3)
    run(batch, folder, resume=True)
    assert left_by(folder) == left_by(tmp_path / "run")
    run(batch, tmp_path / "other")
    seeds = {RunFolder(tmp_path / name).manifest.seed for name in ("run", "other")}
    assert len(seeds) == 2


def test_nothing_of_a_run_hangs_on_the_clock(once, tmp_path):
    folder = begun(once, tmp_path / "run", 6)
    for number, path in enumerate(sorted(folder.rglob("*"))):
        os.utime(path, (0, 0) if number % 2 else (4e9, 4e9))
    run(beside(once), folder, resume=True)
    assert left_by(folder) == left_by(once)


def test_a_clock_that_jumps_changes_nothing(once, tmp_path, monkeypatch):
    import time

    jumps = iter(range(10**9))
    monkeypatch.setattr(time, "time", lambda: 1e9 * (-1) ** next(jumps))
    monkeypatch.setattr("estoc.sim.batch.crew.perf_counter", lambda: 100.0 * (-1) ** next(jumps))
    run(beside(once), tmp_path / "run")
    assert left_by(tmp_path / "run") == left_by(once)
    assert QUICK in load_run(tmp_path / "run").batch


class AtOnce:
    """Workers who are done with whatever they are given, before anybody asks."""

    count = 1

    def submit(self, tasks):
        done = Future()
        done.set_result(do_all(tasks))
        return done

    def check(self):
        """Nobody can be lost."""

    def explained(self, error):
        return error


def test_what_is_done_before_it_is_wanted_is_not_waited_for(tmp_path):
    """Chunks in the air that were all done at once ended never."""
    crew = KeepingCrew(AtOnce(), Parts(tmp_path, "run"), patience=1e-9)
    found = []

    def ask():
        tasks = (Task(str(number), partial(int, number)) for number in range(9))
        found.extend(crew.in_order(tasks))

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(30)
    assert found == list(range(9))


@pytest.mark.parametrize("name", ["a\nb.toml", "\u202eb.toml", "a\\b.toml"])
def test_a_batch_whose_name_cannot_be_kept_is_refused(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(QUICK, "utf-8")
    with pytest.raises(InputError, match="no run can keep a batch of this name: rename it"):
        run(name, "r")
    assert not Path("r").exists()
