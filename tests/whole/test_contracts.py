"""Contracts between halls and rooms: each is kept, and a single import that breaks it is seen."""

from copy import deepcopy
from pathlib import Path

import grimp
import pytest
from importlinter.application.use_cases import read_user_options
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

configure()
READ = read_user_options(str(Path(__file__).parents[2] / "pyproject.toml"))
OPTIONS = READ.session_options
CONTRACTS = {told["name"]: told for told in READ.contracts_options}
KINDS = {
    "layers": LayersContract,
    "forbidden": ForbiddenContract,
    "acyclic_siblings": AcyclicSiblingsContract,
}

# For each contract, imports any of which breaks it: who would import whom.
BREACHES = {
    "data flows one way": [
        ("estoc.kernels.core.rng", "estoc.profiles.errors"),
        ("estoc.profiles.compile.battle", "estoc.sim.battle.odds"),
    ],
    "floors of the kernels": [
        ("estoc.kernels.combat.fight", "estoc.kernels.battle.battle"),
        ("estoc.kernels.layout.combat", "estoc.kernels.core.dice"),
        ("estoc.kernels.sheet.run", "estoc.kernels.battle.trials"),
    ],
    "floors of the profiles": [
        ("estoc.profiles.fighters.card", "estoc.profiles.compile.combat"),
        ("estoc.profiles.errors", "estoc.profiles.files.toml"),
    ],
    "floors of the questions": [
        ("estoc.sim.base.result", "estoc.sim.combat.duel"),
        ("estoc.sim.combat.duel", "estoc.sim.worth.worth"),
        ("estoc.sim.text.speech", "estoc.sim.base.options"),
    ],
    "nothing goes in a circle, in no room and on no floor": [
        ("estoc.sim.combat.question", "estoc.sim.combat.duel"),
        ("estoc.kernels.core.rng", "estoc.kernels.core.dice"),
    ],
    "kernels see arrays only": [("estoc.kernels.battle.battle", "pandas")],
    "profiles know the layout of arrays, not how a fight runs": [
        ("estoc.profiles.compile.combat", "estoc.kernels.combat.trials"),
        ("estoc.profiles.letters", "estoc.kernels._jit"),
    ],
    "only the command line knows click": [
        ("estoc.sim.ask.output", "click"),
        ("estoc.profiles.errors", "click"),
    ],
    "the command line asks sim, not kernels": [
        ("estoc.sim.cli.main", "estoc.kernels.layout.combat"),
    ],
    "the checker of transcripts reads the rules apart from kernels": [
        ("estoc.sim.audit.dice", "estoc.kernels.core.dice"),
        ("estoc.sim.audit.dice", "estoc.sim.combat.exact"),  # which knows kernels
    ],
    "nothing that is installed knows the tests": [
        ("estoc.sim.base.stats", "hypothesis"),
        ("estoc.kernels.core.rng", "reference"),
    ],
}


@pytest.fixture(scope="module")
def graph():
    return grimp.build_graph(
        *OPTIONS["root_packages"],
        include_external_packages=True,
        exclude_type_checking_imports=True,
        cache_dir=None,
    )


def is_kept(name, graph):
    told = CONTRACTS[name]
    return KINDS[told["type"]](name, OPTIONS, told).check(deepcopy(graph), verbose=False).kept


def test_each_contract_has_its_breaches():
    assert list(BREACHES) == list(CONTRACTS)


@pytest.mark.parametrize("name", CONTRACTS)
def test_it_is_kept(name, graph):
    assert is_kept(name, graph)


@pytest.mark.parametrize(
    ("name", "importer", "imported"),
    [(name, *breach) for name, breaches in BREACHES.items() for breach in breaches],
)
def test_a_breach_is_seen(name, importer, imported, graph):
    broken = deepcopy(graph)
    if imported not in broken.modules:
        broken.add_module(imported, is_squashed=True)
    assert {importer, imported} <= broken.modules
    broken.add_import(importer=importer, imported=imported)
    assert not is_kept(name, broken)


@pytest.mark.parametrize(
    ("container", "name"),
    [
        ("estoc.kernels", "floors of the kernels"),
        ("estoc.profiles", "floors of the profiles"),
        ("estoc.sim", "floors of the questions"),
    ],
)
def test_a_new_room_needs_a_floor(container, name, graph):
    more = deepcopy(graph)
    more.add_module(f"{container}.attic")
    assert not is_kept(name, more)
