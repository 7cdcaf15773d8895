"""How players of the sheet decide among what is permitted: named, and all assumed."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from pydantic import Field

from ...kernels.layout.sheet import DEEDS, MAX_SIDES, Deed, Order, Style
from ..errors import InputError, place_of, suggestion
from ..files.reading import shipped_file
from ..files.toml import Table, read_toml, shared, validated
from ..message import say

_FILE = shipped_file("sheet/sheet-players.toml")
_ORDERS = ("attack", "defence", "regroup", "retreat")


@dataclass(frozen=True)
class SheetPlayer:
    """How a side decides."""

    name: str
    text: str  # what it does, in words
    # the first that is permitted is chosen; what is not listed comes after them
    ranks: tuple[Deed, ...]
    style: Style
    wanted: tuple[Deed, ...]  # an activation that permits none of them is lost (8, question 3)
    # whether units are hidden where they can be (S4a), decoys placed with those that are (S4b),
    # hidden ones and decoys revealed (S5)
    hides: bool
    decoys: bool
    reveals: bool
    order: Order  # which a leader gives who changes his wing's
    # whether a decoy is laid under what it covers, and played after it; else on top, and before
    under: bool = False


class _PlayerTable(Table):
    text: str
    ranks: list[str] = Field(default_factory=list)
    style: Literal["ranks", "random"] = "ranks"
    wanted: list[str]
    hides: bool = False
    decoys: bool | Literal["on", "under"] = True
    reveals: bool = False
    order: Literal["attack", "defence", "regroup", "retreat"] = "attack"


class _PlayersTable(Table):
    basis: Literal["assumption"]
    players: dict[str, _PlayerTable]


@cache
def load_sheet_players() -> dict[str, SheetPlayer]:
    """Return the players, by name."""
    read = validated(_PlayersTable, read_toml(_FILE), str(_FILE))
    return {name: _player(name, table, str(_FILE)) for name, table in read.players.items()}


def _player(name: str, read: _PlayerTable, where: str) -> SheetPlayer:
    place = say("{}: {}", where, name)
    made = {
        "name": name,
        "ranks": deeds_of(read.ranks, say("{}: ranks", place)),
        "style": Style[read.style.upper()],
        "wanted": deeds_of(read.wanted, say("{}: wanted", place)),
        "decoys": read.decoys is not False,
        "order": Order(_ORDERS.index(read.order)),
        "under": read.decoys == "under",
    }
    return SheetPlayer(**shared(read, SheetPlayer) | made)


def deeds_of(words: list[str], where: str) -> tuple[Deed, ...]:
    """Return actions by their names."""
    known = {deed.name.lower(): deed for deed in Deed}
    for word in words:
        if word.lower() not in known:
            raise InputError('{}: no action "{}"; {}', where, word, suggestion(word, known))
    return tuple(known[word.lower()] for word in words)


def sheet_player(name: str) -> SheetPlayer:
    """Return a player by his name, in any case."""
    players = load_sheet_players()
    return [*players.values()][place_of(name, list(players), say('player: no "{}"', name))]


def fill_player(sheet: Any, side: int, player: SheetPlayer) -> None:
    """Write a side's player into a record of `SHEET`."""
    if not 0 <= side < MAX_SIDES:
        raise InputError("side {}: a situation has at most {}", side, MAX_SIDES)
    sheet["style"][side] = player.style
    sheet["rank"][side] = 0
    for place, deed in enumerate(player.ranks):
        sheet["rank"][side, deed] = DEEDS - place
    sheet["wanted"][side] = sum(1 << deed for deed in player.wanted)
    if not player.decoys:
        sheet["decoys"][side] = 0
    sheet["decoys_under"][side] = player.under
    sheet["hides"][side], sheet["reveals"][side] = player.hides, player.reveals
    sheet["new_order"][side] = player.order
