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

from importlib import import_module
from typing import Any

_HOMES = {
    "estoc.profiles": (
        *("Edition", "InputError", "Profile", "Roster", "edition_names", "load_edition"),
        *("read_fighters", "write_fighters"),
    ),
    "estoc.sim.worth.abilities": ("ability_worth",),
    "estoc.sim.battle.battle": ("battle",),
    "estoc.sim.phases.cards": ("cards",),
    "estoc.sim.combat.combat": ("combat",),
    "estoc.sim.contest.compare": ("compare",),
    "estoc.sim.contest.setting": ("Setting",),
    "estoc.sim.contagion.contagion": ("contagion",),
    "estoc.sim.rolls.disengage": ("disengage",),
    "estoc.sim.combat.duel": ("duel",),
    "estoc.sim.rolls.fear": ("fear",),
    "estoc.sim.report.book": ("field_book",),
    "estoc.sim.phases.effects": ("Effect", "Fighter", "effect_of_ability"),
    "estoc.sim.phases.maintenance": ("maintain",),
    "estoc.sim.matchup.matchup": ("matchup",),
    "estoc.sim.table.melee": ("melee",),
    "estoc.sim.table.moves": ("moves",),
    "estoc.sim.base.options": ("Options",),
    "estoc.sim.worth.points": ("points_audit",),
    "estoc.sim.base.policy": ("parse_policies",),
    "estoc.sim.report.report": ("save_report",),
    "estoc.sim.base.result": ("Result",),
    "estoc.sim.batch.folder": ("load_run",),
    "estoc.sim.batch.runs": ("run",),
    "estoc.sim.sheet.check": ("check",),
    "estoc.sim.sheet.follow": ("follow",),
    "estoc.sim.sheet.hexes": ("hexes",),
    "estoc.sim.sheet.losses": ("lost", "wing"),
    "estoc.sim.sheet.question": ("SheetQuestion", "ask_sheet"),
    "estoc.sim.sheet.sensitivity": ("sheet_sensitivity",),
    "estoc.sim.rolls.shooting": ("shoot",),
    "estoc.sim.worth.solve": ("solve",),
    "estoc.sim.combat.sweep": ("sweep",),
    "estoc.sim.table.tabletop": ("Tabletop", "load_table"),
    "estoc.sim.contest.training": ("Trainer",),
    "estoc.sim.contest.tune": ("tune",),
    "estoc.sim.worth.worth": ("worth",),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_HOME[name]), name)
    return found


def __dir__() -> list[str]:
    return __all__
