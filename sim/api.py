"""All that Estoc can be asked from Python, in one place: ``from estoc.sim import api as estoc``.

Files that come with the program are given by name, as ``estoc.check("skirmish", "Lion archers")``.
A function of ``estoc.sim`` often has the name of its module (``estoc.sim.combat.duel``);
here a name is always the function.
Each is imported when it is first used.

>>> from estoc.sim import api as estoc
>>> found = estoc.duel("Garde prétorien", "Guerrier de l'aube", dice=["2/0", "1/1"])
>>> round(found.rows[0]["p_a"], 4)
0.3023
"""

from ast import ImportFrom, parse, walk
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the one list of names, read below as well
    from ..profiles import Edition as Edition
    from ..profiles import InputError as InputError
    from ..profiles import Profile as Profile
    from ..profiles import Roster as Roster
    from ..profiles import edition_names as edition_names
    from ..profiles import load_edition as load_edition
    from ..profiles import read_fighters as read_fighters
    from ..profiles import write_fighters as write_fighters
    from .base.options import Options as Options
    from .base.policy import parse_policies as parse_policies
    from .base.result import Result as Result
    from .batch.folder import load_run as load_run
    from .batch.runs import run as run
    from .battle.battle import battle as battle
    from .combat.combat import combat as combat
    from .combat.duel import duel as duel
    from .combat.sweep import sweep as sweep
    from .contagion.contagion import contagion as contagion
    from .contest.compare import compare as compare
    from .contest.setting import Setting as Setting
    from .contest.training import Trainer as Trainer
    from .contest.tune import tune as tune
    from .matchup.matchup import matchup as matchup
    from .phases.cards import cards as cards
    from .phases.effects import Effect as Effect
    from .phases.effects import Fighter as Fighter
    from .phases.effects import effect_of_ability as effect_of_ability
    from .phases.maintenance import maintain as maintain
    from .report.book import field_book as field_book
    from .report.report import save_report as save_report
    from .rolls.disengage import disengage as disengage
    from .rolls.fear import fear as fear
    from .rolls.shooting import shoot as shoot
    from .sheet.check import check as check
    from .sheet.follow import follow as follow
    from .sheet.hexes import hexes as hexes
    from .sheet.losses import lost as lost
    from .sheet.losses import wing as wing
    from .sheet.question import SheetQuestion as SheetQuestion
    from .sheet.question import ask_sheet as ask_sheet
    from .sheet.sensitivity import sheet_sensitivity as sheet_sensitivity
    from .table.melee import melee as melee
    from .table.moves import moves as moves
    from .table.tabletop import Tabletop as Tabletop
    from .table.tabletop import load_table as load_table
    from .worth.abilities import ability_worth as ability_worth
    from .worth.points import points_audit as points_audit
    from .worth.solve import solve as solve
    from .worth.worth import worth as worth

_HOME = {
    alias.name: f"{'.' * node.level}{node.module}"
    for node in walk(parse(Path(__file__).read_text(encoding="utf-8")))
    if isinstance(node, ImportFrom) and node.level
    for alias in node.names
}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name], __package__), name)
    return found


def __dir__() -> list[str]:
    return __all__
