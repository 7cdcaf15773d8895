"""Small battles by hand: fighters, decisions and dice, to be played by the reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from estoc.profiles.edition.edition import Edition, load_edition
from reference.battle import play
from reference.decisions import Choice, Choices, Dice, Step, must
from reference.field import Game

CONFFEDE = load_edition("conffede")
RIGHT, LEFT, UP, DOWN = (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)
KILLS = (6, 6)  # wound dice that kill outright


def fighter(side: int, at: tuple[float, float], **other: Any) -> dict[str, Any]:
    """A fighter of the header; A looks right and B left."""
    card = {
        "label": "",
        "name": "somebody",
        "side": side,
        "card": 0,
        **dict.fromkeys(("MOU", "INI", "ATT", "FOR", "DEF", "RES"), 4),
        "MOU": 10,
        "TIR": None,
        "COU": 4,
        "PEUR": None,
        "DIS": 3,
        "PA": 10,
        "power": 1,
        "size": 1,
        "shape": "rectangle",
        "width": 2.5,
        "depth": 2.5,
        "level": 0,
        "state": "unhurt",
        "routed": False,
        "caster": False,
        "tactics": False,
        "rank": 0,
        "mana": 0,
        "faith": 0,
        "command": 0,
        "casts": "",
        "mystic": [],
        "weapon": None,
        "at": list(at),
        "facing": list(LEFT if side else RIGHT),
    }
    return card | other


def battle(*fighters: dict[str, Any], **other: Any) -> dict[str, Any]:
    """The header of a battle; side A wins every Tactics roll, since nobody of B may make it."""
    for i, card in enumerate(fighters):
        card |= {"label": f"fighter {i}", "most": [6] * len(fighters)}
    first = next(card for card in fighters if card["side"] == 0)
    first["tactics"] = True
    head = {
        "scenario": "by hand",
        "edition": "conffede",
        "seed": 0,
        "trial": 0,
        "policies": ["by hand", "by hand"],
        "turns": 1,
        "width": 100.0,
        "depth": 100.0,
        "terrain": [],
        "fighters": list(fighters),
        "mystics": [],
        "zones": [],
        "survival": [],
        "margin": 1,
        "destroyed": True,
    }
    return head | other


class Tapes:
    """Both tapes of a battle, written one after the other."""

    def __init__(self, head: dict[str, Any]):
        self.head = head
        self.choices: list[Choice] = []
        self.rolled: list[list[int]] = []

    def says(self, kind: str, **cells: Any) -> Tapes:
        """A decision."""
        self.choices.append(Choice(kind, cells))
        return self

    def rolls(self, roller: int, *chain: int, place: int = 0) -> Tapes:
        """A die and its re-rolls."""
        self.rolled += [[roller, value, index, place] for index, value in enumerate(chain)]
        return self

    def wounds(self, striker: int, *dice: int) -> Tapes:
        """Both dice of a wound roll."""
        self.rolled += [[striker, value, index, 0] for index, value in enumerate(dice)]
        return self

    def cards(self, a: Sequence[int] = (0,), b: Sequence[int] = (0,), first: int = 0) -> Tapes:
        """Both sequences, and who speaks first."""
        self.says("sequence", side=0, cards=list(a)).says("sequence", side=1, cards=list(b))
        return self.says("first", side=first)

    def speaks(self, move: str, *fighters: int) -> Tapes:
        """A speaking turn."""
        return self.says("speak", move=move, fighters=list(fighters))

    def idle(self) -> Tapes:
        """An activation phase of one card a side in which nobody does anything."""
        sides = [
            [i for i, card in enumerate(self.head["fighters"]) if card["side"] == side]
            for side in (0, 1)
        ]
        return self.cards().speaks("top", *sides[0]).speaks("top", *sides[1])

    def announces(self, fighter: int, action: str, *targets: int, way: str | None = None) -> Tapes:
        """An exclusive action."""
        cells = {"fighter": fighter, "action": action, "targets": list(targets)}
        return self.says("announce", **cells, disengages=way)

    def moves(
        self,
        fighter: int,
        action: str,
        at: tuple[float, float],
        facing: tuple[float, float],
        length: float,
        *targets: int,
        aimed: int | None = None,
        toll: float = 0.0,
        then: int | None = None,
    ) -> Tapes:
        """A move."""
        cells = {"at": list(at), "facing": list(facing), "length": length, "toll": toll}
        cells |= {"targets": list(targets), "aimed": aimed, "then": then}
        return self.says("move", fighter=fighter, action=action, **cells)

    def places(self, **dice: tuple[int, int]) -> Tapes:
        """Attack and defence dice, in the order of placing: ``f3=(2, 0)``."""
        for name, (attack, defence) in dice.items():
            self.says("place", fighter=int(name[1:]), attack=attack, defence=defence)
        return self

    def initiative(self, lone: int, other: int, first: int) -> Tapes:
        """An Initiative test that one of both wins by 5 against 2."""
        self.says("testers", testers=[lone, other])
        self.rolls(lone, 5 if first == lone else 2)
        return self.rolls(other, 2 if first == lone else 5)

    def kills(self, striker: int, target: int) -> Tapes:
        """An undefended attack that kills."""
        self.strikes(striker, target)
        return self.wounds(striker, *KILLS)

    def strikes(
        self, striker: int, target: int, committed: int = 0, *, sustained: bool = False
    ) -> Tapes:
        """A target named, and the defence dice against the attack."""
        cells = {"striker": striker, "target": target}
        return self.says("strike", **cells, committed=committed, sustained=sustained)

    def duel(self, lone: int, other: int, killer: int, *, order: str = "") -> Tapes:
        """A combat of two in which the first blow kills; they place as in ``order``."""
        first, second = map(int, order.split()) if order else (lone, other)
        self.places(**{f"f{first}": (2, 0), f"f{second}": (2, 0)})
        self.initiative(lone, other, killer)
        return self.kills(killer, other if killer == lone else lone)

    def harmless(self, lone: int, *others: int, order: str = "") -> Tapes:
        """A combat in which nobody strikes."""
        placing = list(map(int, order.split())) if order else [lone, *others]
        for i in placing:
            self.says("place", fighter=i, attack=0, defence=1 + (len(others) if i == lone else 1))
        return self.initiative(lone, others[0], lone)

    def play(self, edition: Edition = CONFFEDE) -> list[Step]:
        """The steps; both tapes have to be used up."""
        game = Game(self.head, edition, Dice(self.rolled), Choices(self.choices))
        play(game)
        must(not game.dice.left, "T-1", f"{game.dice.left} were not rolled")
        must(not game.choices.left, "T-1", f"{game.choices.left} were never to be decided")
        return game.steps


def only(steps: Sequence[Step], *kinds: str) -> list[Step]:
    """The steps of some kinds."""
    return [step for step in steps if step.kind in kinds]
