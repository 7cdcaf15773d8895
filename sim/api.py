"""All that Estoc can be asked from Python, in one place: ``from estoc.sim import api as estoc``.

Files that come with the program are given by name, as ``estoc.check("skirmish", "Lion archers")``.
A function of ``estoc.sim`` often has the name of its module (``estoc.sim.duel``), which is what
that name means once the module is imported; here a name is always the function.
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
    "estoc.sim.ability_worth": ("ability_worth",),
    "estoc.sim.battle": ("battle",),
    "estoc.sim.cards": ("cards",),
    "estoc.sim.combat": ("combat",),
    "estoc.sim.compare": ("compare",),
    "estoc.sim.contest": ("Setting",),
    "estoc.sim.contagion": ("contagion",),
    "estoc.sim.disengage": ("disengage",),
    "estoc.sim.duel": ("duel",),
    "estoc.sim.fear": ("fear",),
    "estoc.sim.field_book": ("field_book",),
    "estoc.sim.effects": ("Effect", "Fighter", "effect_of_ability"),
    "estoc.sim.maintenance": ("maintain",),
    "estoc.sim.matchup": ("matchup",),
    "estoc.sim.melee": ("melee",),
    "estoc.sim.moves": ("moves",),
    "estoc.sim.params": ("Options",),
    "estoc.sim.points": ("points_audit",),
    "estoc.sim.policy": ("parse_policies",),
    "estoc.sim.report": ("save_report",),
    "estoc.sim.result": ("Result",),
    "estoc.sim.run_folder": ("load_run",),
    "estoc.sim.runs": ("run",),
    "estoc.sim.sheet_check": ("check",),
    "estoc.sim.sheet_follow": ("follow",),
    "estoc.sim.sheet_hexes": ("hexes",),
    "estoc.sim.sheet_lost": ("lost",),
    "estoc.sim.sheet_question": ("SheetQuestion", "ask_sheet"),
    "estoc.sim.sheet_sensitivity": ("sheet_sensitivity",),
    "estoc.sim.sheet_wing": ("wing",),
    "estoc.sim.shooting": ("shoot",),
    "estoc.sim.solve": ("solve",),
    "estoc.sim.sweep": ("sweep",),
    "estoc.sim.tabletop": ("Tabletop", "load_table"),
    "estoc.sim.tune": ("Trainer", "tune"),
    "estoc.sim.worth": ("worth",),
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
