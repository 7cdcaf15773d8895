"""The commands that a batch can ask, by name."""

from .battles import Battle, Cards, Compare, Matchup
from .combats import Combat, Duel, Melee, Solve, Sweep, Worth
from .job import Job
from .sheet import SheetContagion, SheetLost, SheetSensitivity, SheetWing

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
