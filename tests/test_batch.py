"""Batch files: what they say, and one line for what they cannot say."""

from pathlib import Path

import pytest
from run_batches import QUICK, write

from estoc.profiles import InputError
from estoc.sim.batch import load_batch
from estoc.sim.jobs import COMMANDS
from estoc.sim.runs import planned

DUEL = 'a = "garde prétorien"\nb = "guerrier de l\'aube"\n'


def job(more: str = "", command: str = "duel") -> str:
    return f'[[job]]\ncommand = "{command}"\n{more}'


def test_a_grid_has_every_point_the_last_key_fastest(tmp_path):
    batch = load_batch(write(tmp_path))
    duels = [cell for cell in batch.cells if cell.name == "duels"]
    assert [cell.point for cell in duels] == [
        {"turns": turns, "charge": charge} for turns in (1, 2) for charge in ([], ["A"], ["B"])
    ]
    assert [cell.number for cell in batch.cells] == list(range(len(batch.cells)))
    assert duels[4].told == "job \"duels\" at turns = 2, charge = ['A']"
    assert (batch.title, batch.seed, batch.patience) == ("Quick", 7, 0.01)


def test_a_batch_without_a_seed_takes_a_fresh_one(tmp_path):
    path = write(tmp_path, job(DUEL))
    seeds = {load_batch(path).seed for _ in range(3)}
    assert len(seeds) == 3
    assert load_batch(path, 5).seed == 5
    assert load_batch(path).title == "batch"


def test_every_command_can_be_in_a_batch(tmp_path):
    tables = {
        "duel": DUEL,
        "combat": 'a = "garde prétorien"\nb = "guerrier de l\'aube*2"\n',
        "sweep": 'people = "griffons"\nagainst = "dirz"\n',
        "solve": DUEL,
        "worth": 'a = "garde prétorien"\nagainst = "guerrier de l\'aube"\n',
        "melee": 'a = "garde prétorien*2"\nb = "guerrier de l\'aube*2"\n',
        "cards": 'a = "griffon"\nb = "scorpion"\n',
        "battle": 'scenario = "ambush"\n',
        "matchup": 'lists = ["daikinee-foot", "devoreurs-elite"]\n',
        "compare": 'battles = "pitched"\nchange = "policy-b=random"\n',
        "sheet lost": 'situation = "skirmish"\n',
        "sheet wing": 'situation = "wing"\n',
        "sheet contagion": 'layout = "line:5"\n',
        "sheet sensitivity": 'situation = "skirmish"\n',
    }
    assert set(tables) == set(COMMANDS)
    text = "".join(job(table, command) for command, table in tables.items())
    plan = planned(write(tmp_path, text))
    assert [cell.command for cell in plan.batch.cells] == list(tables)
    assert all(load.seconds > 0 for load in plan.loads)
    assert plan.load.rows == sum(load.rows for load in plan.loads)


WRONG = {
    'title = 1\n[[job]]\ncommand = "duel"': "title should be a text",
    "": "has no job, which is needed",
    "seed = -1\n" + job(DUEL): "seed should",
    "chunk = 0\n" + job(DUEL): "chunk should",
    "jobs = 1\n" + job(DUEL): 'unknown key "jobs"; nearest: job',
    "[[job]]\na = 1": "job 1 has no command, which is needed: one of duel, combat",
    job(DUEL, "dule"): 'job 1: command "dule" cannot be in a batch; nearest: duel',
    job(DUEL + "tuns = 2\n"): 'job "duel-1": unknown key "tuns"; nearest: turns',
    job(DUEL + "edition_name = 2\n"): 'unknown key "edition_name"; nearest: edition',
    job('a = "garde prétorien"\n'): 'job "duel-1": has no b, which is needed',
    job(DUEL + 'turns = "two"\n'): "turns should be a whole number",
    job(DUEL + 'name = "é"\n'): 'job 1: name "é" should be of letters without accents',
    job(DUEL + 'name = "x"\n') + job(DUEL + 'name = "x"\n'): 'two jobs are named "x"',
    job(DUEL + "grid = 1\n"): "grid should be a table, headed [job.grid]",
    job(DUEL + "[job.grid]\nturns = 1\n"): "grid: turns should be a list of values to try",
    job(DUEL + "[job.grid]\ntunrs = [1]\n"): 'unknown key "tunrs"; nearest: turns',
    job(DUEL + "[job.grid]\nturns = [1, 0]\n"): 'job "duel-1" at turns = 0: turns 0 should be',
    job('a = "garde"\nb = "gard pretorian"\n'): 'job "duel-1": ',
    job(DUEL + "trials = 0\n"): "trials 0 should be at least 1",
    job(DUEL + 'charge = ["A", "B"]\n'): "A and B both charge",
    job('people = "griffons"\n', "sweep"): 'should have one of "b" or "against"',
    job('book = "dirz"\na = "x"\n', "solve"): 'should have "book" alone',
    job('scenario = "ambsh"\n', "battle"): "ambush",
    job('lists = "daikinee-foot"\n', "matchup"): "name two lists at least",
    job('situation = "skirmish"\nfail = "x"\n', "sheet lost"): 'fail "x" should be a chance',
    job(DUEL + 'fighters = "none.csv"\n'): "none.csv: cannot be read",
    job(DUEL + 'edition = "none.toml"\n'): "none.toml: cannot be read",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_a_batch_cannot_say_is_one_clear_line(tmp_path, text):
    path = write(tmp_path, text)
    with pytest.raises(InputError) as caught:
        planned(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ") or message.startswith(f"{path.name}: ")
    assert WRONG[text] in message
    assert "\n" not in message


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path):
    with pytest.raises(InputError, match=r"batch.toml:2: is not right TOML"):
        planned(write(tmp_path, "title = 1\n[[job"))
    with pytest.raises(InputError, match="cannot be read"):
        planned(tmp_path / "none.toml")


def test_words_are_relative_to_the_folder_of_the_batch(tmp_path, monkeypatch):
    folder, other = tmp_path / "batches", tmp_path / "elsewhere"
    folder.mkdir()
    other.mkdir()
    (folder / "mine.csv").write_text(
        "name,people,PA,INI,ATT,FOR,DEF,RES\nUn,Les miens,10,3,3,5,3,6\n", encoding="utf-8"
    )
    monkeypatch.chdir(other)
    text = job('a = "Un"\nb = "guerrier de l\'aube"\nfighters = "mine.csv"\n')
    plan = planned(Path("..", "batches", write(folder, text).name))
    assert str(folder / "mine.csv") in plan.inputs.files


def test_what_is_read_is_noted_to_the_last_file(tmp_path):
    (tmp_path / "rules.toml").write_text(
        'extends = "conffede"\nname = "mine"\ntitle = "Mine"\n', encoding="utf-8"
    )
    plan = planned(write(tmp_path, job(DUEL + 'edition = "rules.toml"\n')))
    read = [Path(path).name for path in plan.inputs.files]
    assert read == ["batch.toml", "rules.toml"]


def test_remarks_of_reading_are_kept_and_not_printed(tmp_path, capsys):
    plan = planned(write(tmp_path, job('people = "griffons"\nagainst = "dirz"\n', "sweep")))
    assert any("left out" in line for line in plan.remarks)
    assert capsys.readouterr().err == ""


def test_the_quick_batch_has_small_cells_and_shared_ones(tmp_path):
    plan = planned(write(tmp_path, QUICK))
    small = {share.cell.name for share in plan.shares if plan.is_small(share)}
    assert "duels" in small
    assert {share.cell.name for share in plan.shares} - small >= {"shared", "watched"}
