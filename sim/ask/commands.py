"""The commands that are requests, by name; each is loaded when somebody looks it up."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .request import Request


class Requests(Mapping[str, "type[Request]"]):
    """Requests by the name of their command.

    Parameters
    ----------
    places : mapping of str to str
        Module in this room and class of each, as ``combats:Duel``.
    """

    def __init__(self, places: Mapping[str, str]) -> None:
        self.places = places

    def __getitem__(self, name: str) -> "type[Request]":
        """Return the class of a command."""
        module, _, kind = self.places[name].partition(":")
        found: type[Request] = getattr(import_module(f".{module}", __package__), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


# what a batch can ask
COMMANDS = Requests(
    {
        "duel": "combats:Duel",
        "combat": "combats:Combat",
        "sweep": "combats:Sweep",
        "solve": "best_play:Solve",
        "worth": "best_play:Worth",
        "melee": "combats:Melee",
        "cards": "battles:Cards",
        "battle": "battles:Battle",
        "matchup": "contests:Matchup",
        "compare": "contests:Compare",
        "sheet lost": "sheet:SheetLost",
        "sheet wing": "sheet:SheetWing",
        "sheet contagion": "sheet:SheetContagion",
        "sheet sensitivity": "sheet:SheetSensitivity",
    }
)
# what only a command line asks
ASKED = Requests(
    {
        "shoot": "rolls:Shoot",
        "fear": "rolls:Fear",
        "disengage": "rolls:Disengage",
        "table": "battles:Table",
        "moves": "battles:Moves",
        "tune": "contests:Tune",
        "sheet check": "sheet:SheetCheck",
    }
)
