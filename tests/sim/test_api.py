"""The Python API is documented: what each function answers, its parameters, what it gives."""

import inspect
import re
from dataclasses import fields, is_dataclass

import pytest

from estoc.sim import api
from estoc.sim.base.run import Run

FUNCTIONS = [name for name in api.__all__ if inspect.isfunction(getattr(api, name))]
CLASSES = [name for name in api.__all__ if inspect.isclass(getattr(api, name))]


def sections(text: str) -> dict[str, list[str]]:
    """Return the lines of each part of a docstring, by its underlined heading."""
    lines = inspect.cleandoc(text).splitlines()
    found: dict[str, list[str]] = {"": []}
    name = ""
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if after and set(after) == {"-"} and len(after) == len(line):
            name = line
            found[name] = []
        elif not (line and set(line) == {"-"}):
            found[name].append(line)
    return found


def documented(lines: list[str]) -> set[str]:
    """Return the names that a part tells of: ``a, b : str``, or ``a, b`` with a line below."""
    named = [line for line in lines if line and not line.startswith(" ")]
    names = ",".join(line.partition(" : ")[0] for line in named)
    return {name.strip().lstrip("*") for name in names.split(",") if name.strip()}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_is_documented(name):
    function = getattr(api, name)
    found = sections(function.__doc__)
    assert re.fullmatch(r"[A-Z].*\.", found[""][0]), "a summary in a line"
    asked = set(inspect.signature(function).parameters)
    if "run" in asked:
        asked -= set(Run.model_fields)  # which its own documentation tells
    assert documented(found.get("Parameters", [])) == asked
    gives = inspect.signature(function).return_annotation
    told = set(found) & {"Returns", "Yields"} or found[""][0].startswith(("Return", "Yield"))
    assert told or gives in (None, "None")


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_is_documented(name):
    kind = getattr(api, name)
    found = sections(kind.__doc__)
    assert found[""][0]
    if is_dataclass(kind) and "Parameters" in found:
        asked = {field.name for field in fields(kind) if field.init and field.name[0] != "_"}
        assert documented(found["Parameters"]) <= asked
    for method, function in vars(kind).items():
        if method[0] != "_" and inspect.isfunction(function):
            assert function.__doc__, f"{name}.{method}"


GUARD, WARRIOR = "Garde prétorien", "Guerrier de l'aube"
FEW = {"trials": 40, "seed": 5}
ARMIES = ("daikinee-riders", "devoreurs-elite")
BATCH = """
seed = 5
[[job]]
command = "sheet wing"
situation = "wing"
"""


def batch(folder):
    path = folder / "small.toml"
    path.write_text(BATCH, encoding="utf-8")
    return str(path)


def ran(folder):
    api.run(batch(folder), str(folder / "small.run"))
    return str(folder / "small.run")


def trained():
    battles = (api.Setting("ambush"),)
    return api.Trainer(
        "by-odds", ("aggressive",), battles, generations=1, candidates=4, trials=2, fresh=2
    )


# every function, asked as a person would from what the API has, with names of shipped files
CALLS = {
    "ability_worth": lambda to: api.ability_worth(GUARD, WARRIOR),
    "ask_sheet": lambda to: api.ask_sheet("skirmish", readings=["a6a=any_stale"]),
    "battle": lambda to: api.battle("ambush", trials=4, seed=5),
    "cards": lambda to: api.cards(*ARMIES, **FEW),
    "check": lambda to: api.check("skirmish", "Lion archers"),
    "combat": lambda to: api.combat(GUARD, [WARRIOR, WARRIOR], **FEW),
    "compare": lambda to: api.compare("ambush", "pitched", trials=4, seed=5),
    "contagion": lambda to: api.contagion("line:3"),
    "disengage": lambda to: api.disengage(GUARD, WARRIOR),
    "duel": lambda to: api.duel(GUARD, WARRIOR, dice=["2/0", "1/1"]),
    "edition_names": lambda to: api.edition_names(),
    "effect_of_ability": lambda to: api.effect_of_ability("Renfort", GUARD),
    "fear": lambda to: api.fear("Guerrier de pierre", "Killyox"),
    "field_book": lambda to: api.field_book(*ARMIES),
    "load_edition": lambda to: api.load_edition("c3"),
    "load_run": lambda to: api.load_run(ran(to)),
    "load_table": lambda to: api.load_table("ambush"),
    "follow": lambda to: api.follow("skirmish", "Marshal", "dies"),
    "hexes": lambda to: api.hexes("skirmish", "Marshal"),
    "lost": lambda to: api.lost("skirmish", **FEW),
    "maintain": lambda to: api.maintain(
        [GUARD, api.Fighter(WARRIOR, "light")], [api.Effect("damage", GUARD, levels=1)], seed=5
    ),
    "matchup": lambda to: api.matchup(ARMIES, ["by-odds"], trials=4, seed=5),
    "melee": lambda to: api.melee(GUARD, WARRIOR, **FEW),
    "moves": lambda to: api.moves("ambush", api.load_table("ambush").scenario.fighters[0].label),
    "parse_policies": lambda to: api.parse_policies(("sensible", "bold")),
    "points_audit": lambda to: api.points_audit(["C3"]),
    "read_fighters": lambda to: read_back(to),
    "run": lambda to: api.run(batch(to), str(to / "small.run")),
    "save_report": lambda to: api.save_report(ran(to), str(to / "small.html")),
    "sheet_sensitivity": lambda to: api.sheet_sensitivity("wing", **FEW),
    "shoot": lambda to: api.shoot("Alahel", GUARD, distance=20.0),
    "solve": lambda to: api.solve(GUARD, WARRIOR),
    "sweep": lambda to: api.sweep(GUARD, WARRIOR),
    "tune": lambda to: api.tune(trained()),
    "wing": lambda to: api.wing("wing"),
    "worth": lambda to: api.worth(GUARD, WARRIOR),
    "write_fighters": lambda to: api.write_fighters(str(to / "own.csv"), api.Roster.load()),
}


def read_back(folder):
    fighters = [api.Roster.load().find(GUARD)]
    api.write_fighters(str(folder / "own.csv"), fighters)
    return api.read_fighters(str(folder / "own.csv"))


def test_each_function_is_called():
    assert set(CALLS) == set(FUNCTIONS)


@pytest.mark.parametrize("name", CALLS)
def test_each_function_can_be_called_with_names(name, tmp_path):
    """From what the API exports, with names of files that come with the program."""
    answer = CALLS[name](tmp_path)
    if name not in ("save_report", "write_fighters", "effect_of_ability"):
        assert answer
    if isinstance(answer, api.Result):
        assert answer.rows


def test_there_is_something_to_document():
    assert len(FUNCTIONS) > 20
    assert {"Options", "Result", "Roster"} <= set(CLASSES)
    assert {"duel", "solve", "matchup", "run", "load_run", "points_audit"} <= set(FUNCTIONS)
