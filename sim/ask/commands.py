"""The commands that a batch can ask, by name."""

from estoc.sim.job import Job
from estoc.sim.job_battles import Battle, Cards, Compare, Matchup
from estoc.sim.job_combats import Combat, Duel, Melee, Solve, Sweep, Worth
from estoc.sim.job_sheet import SheetContagion, SheetLost, SheetSensitivity, SheetWing

COMMANDS: dict[str, type[Job]] = {
    "duel": Duel,
    "combat": Combat,
    "sweep": Sweep,
    "solve": Solve,
    "worth": Worth,
    "melee": Melee,
    "cards": Cards,
    "battle": Battle,
    "matchup": Matchup,
    "compare": Compare,
    "sheet lost": SheetLost,
    "sheet wing": SheetWing,
    "sheet contagion": SheetContagion,
    "sheet sensitivity": SheetSensitivity,
}
