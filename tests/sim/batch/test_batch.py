"""Batch files: what they say, and one line for what they cannot say."""

import json
import re
import tomllib
from itertools import chain
from pathlib import Path
from typing import Any, get_args, get_origin

import pytest
from run_batches import QUICK, write

from estoc.profiles import InputError
from estoc.sim.ask.commands import COMMANDS
from estoc.sim.batch.batch import load_batch
from estoc.sim.batch.folder import load_run
from estoc.sim.batch.plan import planned
from estoc.sim.batch.runs import run
from estoc.sim.batch.table import room_of

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
    assert set(TABLES) == set(COMMANDS)
    text = "".join(job(table, command) for command, table in TABLES.items())
    plan = planned(write(tmp_path, text))
    assert [cell.command for cell in plan.batch.cells] == list(TABLES)
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
    job(DUEL + 'name = "é"\n'): "job 1: name 'é' should be of letters without accents",
    job(DUEL + 'name = "x"\n') + job(DUEL + 'name = "x"\n'): 'two jobs are named "x"',
    job(DUEL + "grid = 1\n"): "grid should be a table, headed [job.grid]",
    job(DUEL + "[job.grid]\nturns = 1\n"): "grid: turns should be a list of values to try",
    job(DUEL + "[job.grid]\ntunrs = [1]\n"): 'unknown key "tunrs"; nearest: turns',
    job(DUEL + "[job.grid]\nturns = [1, 0]\n"): 'job "duel-1" at turns = 0: turns 0 should be',
    job('a = "garde"\nb = "gard pretorian"\n'): 'job "duel-1": ',
    job(DUEL + "trials = 0\n"): "trials should be at least 1, not 0",
    job(DUEL + "trials = 9007199254740992\n"): "trials should be at most",
    job(DUEL + "turns = true\n"): "turns should be a whole number, not ",
    job(DUEL + 'abilities = "yes"\n'): "abilities should be true or false, not ",
    job(DUEL + "precision = nan\n"): "precision should be a number, not nan",
    job(DUEL + "policy = 1979-05-27\n"): "policy: item 1 should be a text, not ",
    '[[job]]\ncommand = ["duel"]\n': "job 1: command should be a word, as \"duel\", not ['duel']",
    job(DUEL + "name = 0\n"): 'job 1: name should be a word, as "first", not 0',
    job(DUEL + 'name = ""\n'): "job 1: name '' should be of letters",
    job(DUEL + 'name = "..."\n'): "job 1: name '...' should be of letters",
    job(DUEL + 'name = "a/b"\n'): "job 1: name 'a/b' should be of letters",
    job(DUEL + f'name = "{"x" * 243}"\n'): "has 243 characters; a file is named so, and 242",
    job(DUEL + 'name = "Nul.2"\n'): 'job 1: name "Nul.2" is a device where Windows runs',
    job(DUEL + 'name = "ab"\n') + job(DUEL + 'name = "Ab"\n'): 'the jobs "ab" and "Ab" would be',
    job(DUEL + f"[job.grid]\nseed = {[*range(1001)]}\ntrials = {[*range(1, 1001)]}\n"): (
        "1,001,000 cells up to here; a batch may have 1,000,000 at most"
    ),
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


TABLES = {
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
# Values by what they are; whatever of them a key does not mean is refused.
STRANGE = {
    "truth": "true",
    "whole": "3",
    "number": "0.5",
    "words": ['"3"', '"true"', '""'],
    "never": ["nan", "inf", "-1", "9" * 40, "1979-05-27", "07:32:00", "{x = 1}", "[{}]", "[[]]"],
    "list": ['[["x"]]', "[1]", "[true]", '["A", 1]', "[nan]"],
}
MEANT = {bool: {"truth"}, int: {"whole"}, float: {"whole", "number"}, str: {"words"}}


def meant_by(field: Any) -> set[str]:
    """Return what of the strange values a key may mean."""
    alone = {field.annotation, *get_args(field.annotation)}
    kinds = alone | {getattr(kind, "__origin__", kind) for kind in alone}  # of what is annotated
    return set().union(*(MEANT.get(kind, set()) for kind in kinds)) | (
        {"words"} if any(get_origin(kind) is tuple for kind in kinds) else set()
    )


def checked_elsewhere(key: str, value: str) -> bool:
    """Whether a whole number is of the right type, and its size is looked at with the rest."""
    return key in ("turns", "precision") and value in ("-1", "9" * 40)


@pytest.mark.parametrize("command", TABLES)
def test_no_key_takes_a_value_of_another_type(tmp_path, command):
    model, tried = COMMANDS[command], 0
    keys = {field.alias or name: meant_by(field) for name, field in model.model_fields.items()}
    for key, meant in {**keys, "name": {"words"}, "command": {"words"}, "grid": set()}.items():
        strange = {kind: values for kind, values in STRANGE.items() if kind not in meant}
        for value in chain.from_iterable(
            [v] if isinstance(v, str) else v for v in strange.values()
        ):
            if checked_elsewhere(key, value):
                continue
            told = tomllib.loads(f'command = "{command}"\n{TABLES[command]}')
            told.pop(key, None)
            rest = "".join(f"{name} = {json.dumps(v)}\n" for name, v in told.items())
            path = write(tmp_path, f"[[job]]\n{rest}{key} = {value}\n")
            with pytest.raises(InputError) as caught:
                load_batch(path)
            message, tried = str(caught.value), tried + 1
            assert message.startswith(f"{path}: job "), (key, value)
            assert key in message, (key, value)
            assert "\n" not in message, (key, value)
    assert tried > 12 * len(keys)


@pytest.mark.parametrize("value", ["-1", "0", "1" + "0" * 40])
@pytest.mark.parametrize("command", TABLES)
def test_no_number_of_turns_or_trials_is_a_fault(tmp_path, command, value):
    for key in {"turns", "trials", "precision", "seed"} & set(COMMANDS[command].model_fields):
        if (key, value) != ("seed", "0"):
            with pytest.raises(InputError, match=key):
                planned(write(tmp_path, job(f"{TABLES[command]}{key} = {value}\n", command)))


def test_the_longest_name_of_a_job_can_be_run(tmp_path):
    name = "x" * 242
    there = run(write(tmp_path, job(f'{DUEL}name = "{name}"\n')), tmp_path / "b.run")
    assert [one.job for one in load_run(there.path).answered] == [name]


def test_a_grid_of_very_many_cells_is_read_by_its_values(tmp_path):
    grid = f"[job.grid]\nturns = [1, 2]\nseed = {[*range(2000)]}\ncharge = [[], ['A']]\n"
    text = job(f"{DUEL}trials = 1000\n{grid}")
    plan = planned(write(tmp_path, text))
    assert len(plan.batch.cells) == len(plan.loads) == 8000
    assert plan.load.trials == 8_000_000
    assert plan.remarks[0].startswith("8,000 cells: each value of a grid was checked")
    by_turns = dict.fromkeys((1, 2), 0.0)
    for cell, load in zip(plan.batch.cells, plan.loads, strict=True):
        by_turns[cell.point["turns"]] += load.seconds
    assert by_turns[2] > by_turns[1]
    wrong = text.replace("[1, 2]", "[1, 2, 0]")
    told = 'job "duel-1" at turns = 0, seed = 0, charge = []: turns 0 should be from 1 to'
    with pytest.raises(InputError, match=re.escape(told)):
        planned(write(tmp_path, wrong))


class Counter:
    """Who watches a run and adds up."""

    def __init__(self):
        self.all, self.cells, self.seconds, self.chunks = (0, 0.0), 0, 0.0, 0

    def begin(self, cells, seconds):
        self.all = cells, seconds

    def chunk(self, seconds):
        self.chunks += 1

    def share(self, seconds, last):
        self.cells += last
        self.seconds += seconds


def test_who_watches_a_run_is_told_of_every_cell(tmp_path):
    text = job(DUEL + "[job.grid]\nturns = [1, 2, 3]\n") + job(
        'a = ["garde prétorien", "guerrier de l\'aube"]\nb = "guerrier de l\'aube"\n', "sweep"
    )
    seen = Counter()
    run(write(tmp_path, text), tmp_path / "b.run", watch=seen)
    assert (seen.cells, seen.all[0]) == (4, 4)
    assert seen.seconds == pytest.approx(seen.all[1])
    assert seen.chunks > 0


def test_what_a_batch_of_many_small_cells_needs_is_told_within_a_factor_of_two(tmp_path):
    grid = "[job.grid]\nturns = [1, 2, 3]\nset = ["
    grid += ", ".join(f'"A.FOR={force}"' for force in range(1, 41)) + "]\n"
    plan = planned(write(tmp_path, job(DUEL + grid)))
    there = run(tmp_path / "batch.toml", tmp_path / "b.run")
    took = sum(path.stat().st_size for path in there.path.rglob("*") if path.is_file())
    told = room_of(plan.loads)
    assert told / 2 < took < 2 * told


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


@pytest.mark.parametrize(
    "told",
    [
        'command = "battle"\nscenario = "ambush"\ntrials = 10',
        'command = "matchup"\nlists = ["daikinee", "daikinee-foot"]\ntrials = 10',
        'command = "cards"\na = "griffon"\nb = "scorpion"',
    ],
)
def test_cards_are_changed_in_jobs_about_armies_too(tmp_path, told):
    named = "Templier" if "griffon" in told else "Lama di Smeraldo"
    text = f'[[job]]\nname = "one"\n{told}\nset = "{named}.ATT=9"\n'
    (cell,) = load_batch(write(tmp_path, text)).cells
    question = cell.job.question
    assert question.options.sets == (f"{named}.ATT=9",)
