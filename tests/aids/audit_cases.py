"""Transcripts of battles made by hand, for the checker: each breaks no clause."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

Steps = list[tuple[str, dict[str, Any]]]
RIGHT, LEFT, UP = [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]
BOW = {"strength": 4, "ranges": [25.0, 45.0, 65.0]}


def die(roller: int, *values: int) -> list[list[int]]:
    """One die and its re-rolls."""
    return [[roller, value, index] for index, value in enumerate(values)]


def fighter(
    label: str, side: int, at: Sequence[float], facing: Sequence[float], **other: Any
) -> dict[str, Any]:
    return {
        **{"label": label, "name": label, "side": side, "card": 0},
        **{"MOU": 10, "INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "TIR": None},
        **{"COU": 3, "PEUR": None, "DIS": 3, "PA": 20, "power": 1, "size": 1},
        **{"shape": "rectangle", "width": 2.5, "depth": 2.5, "level": 0, "state": "unhurt"},
        **{"routed": False, "caster": False, "tactics": True, "weapon": None, "command": 0},
        **{"at": list(at), "facing": list(facing), "mystic": [], "rank": 0, "mana": 0, "faith": 0},
        **other,
    }


class Tale:
    """A transcript that grows step by step."""

    def __init__(self, *fighters: dict[str, Any], turns: int = 1, **head: Any) -> None:
        self.steps: Steps = []
        self.fighters = fighters
        head = {
            **{"scenario": "by hand", "edition": "conffede", "seed": 1, "trial": 0},
            **{"policies": ["sensible", "sensible"], "turns": turns, "width": 90.0, "depth": 60.0},
            **{"terrain": [], "mystics": [], "zones": [], "survival": [], "margin": 1},
            **head,
        }
        self.add("battle", fighters=list(fighters), **head)

    def add(self, kind: str, **data: Any) -> None:
        self.steps.append((kind, copy.deepcopy(data)))

    def opposed(self, purpose: str, testers: list[int], values: list[int], a: int, b: int) -> None:
        results = [values[0] + a, values[1] + b]
        winner = -1 if results[0] == results[1] else int(results[1] > results[0])
        dice = die(testers[0], a) + die(testers[1], b)
        self.add(
            "opposed",
            **{"purpose": purpose, "roll_off": 0, "testers": testers, "values": values},
            **{"results": results, "winner": winner, "dice": dice},
        )

    def begin(self, turn: int, piles: list[list[int]], testers: list[int], first: int) -> None:
        """Strategic phase; side A wins the Tactics roll."""
        self.add("turn", turn=turn)
        for side in (0, 1):
            self.add("sequence", side=side, cards=piles[side])
        self.opposed("tactics", testers, [3, 3], 4, 2)
        self.add("first", side=first, winner=0)

    def speak(self, side: int, move: str, fighters: list[int], **cards: int) -> None:
        data = {"top": -1, "reserve": -1, "held": 0, "refusals": 0, **cards}
        self.add("speak", side=side, move=move, fighters=fighters, **data)

    def announce(self, fighter: int, action: str, *targets: int) -> None:
        self.add("announce", fighter=fighter, action=action, targets=list(targets), disengages=None)

    def move(
        self,
        fighter: int,
        action: str,
        at: Sequence[float],
        facing: Sequence[float],
        length: float,
        **other: Any,
    ) -> None:
        data = {"targets": [], "toll": 0.0, "short": False, "redirected": False, "touched": []}
        self.add(
            "move",
            **{"fighter": fighter, "action": action, "at": list(at), "facing": list(facing)},
            **{"length": length, **data, **other},
        )

    def test(
        self, kind: str, fighter: int, value: int, difficulty: int, *values: int, **other: Any
    ) -> None:
        """A Courage test or a disengagement, with one die and its re-rolls."""
        result = value + sum(values)
        self.add(
            kind,
            **{"fighter": fighter, "value": value, "difficulty": difficulty, "result": result},
            **{"success": result >= difficulty, "dice": die(fighter, *values), **other},
        )

    def melee(self, number: int, fighters: list[int]) -> None:
        self.add("melee", melee=number, fighters=fighters)

    def separation(self, melee: int, side: int, *combats: list[int], **other: Any) -> None:
        data = {"cause": "melee", "by": -1, **other}
        self.add("separation", melee=melee, side=side, combats=list(combats), **data)

    def authority(self, a: list[int], b: list[int], testers: list[int]) -> None:
        """Both sides name a combat, and side A wins the roll."""
        self.add("named", side=0, combat=a, fighter=testers[0])
        self.add("named", side=1, combat=b, fighter=testers[1])
        self.opposed("authority", testers, [3, 3], 5, 2)

    def combat(self, side: int, fighters: list[int], cause: str = "chosen") -> None:
        self.add("combat", side=side, fighters=fighters, cause=cause, chooser=side)

    def place(self, *rows: tuple[int, int, int]) -> None:
        for fighter, attack, defence in rows:
            self.add("place", fighter=fighter, attack=attack, defence=defence)

    def strike(self, striker: int, target: int, committed: int = 0, sustained: int = 0) -> None:
        self.add("strike", striker=striker, target=target, committed=committed, sustained=sustained)

    def attack(self, striker: int, target: int, natural: int, result: int, *values: int) -> None:
        self.add(
            "attack",
            **{"striker": striker, "target": target, "natural": natural, "result": result},
            **{"failed": False, "dice": die(striker, *values)},
        )

    def parry(
        self, fighter: int, striker: int, natural: int, result: int, parried: bool, *values: int
    ) -> None:
        self.add(
            "parry",
            **{"fighter": fighter, "striker": striker, "natural": natural, "result": result},
            **{"parried": parried, "dice": [[*d, 0] for d in die(fighter, *values)]},
        )

    def wound(
        self,
        pair: tuple[int, int],
        forces: tuple[int, int],
        dice: tuple[int, int],
        outcome: str,
        state: str,
        still: bool = False,
    ) -> None:
        self.add(
            "wound",
            **{"striker": pair[0], "target": pair[1], "strength": forces[0]},
            **{"resistance": forces[1], "dice": [[pair[0], d, 0] for d in dice]},
            **{"outcome": outcome, "state": state, "still": still},
        )

    def end(self, turn: int, points: list[int], winner: int) -> None:
        self.add("score", turn=turn, destroyed=points, points=points)
        self.add("end", turn=turn, points=points, winner=winner)


def assault() -> Steps:
    """A charge, the reserve, a run, a walk; a combat with a sustained defence; maintenance."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (20, 15), RIGHT, card=1),
        fighter("Bea", 1, (40, 30), LEFT),
        fighter("Bob", 1, (60, 45), LEFT, card=1),
        terrain=[
            {
                **{"name": "ruin", "corners": [[30, 40], [34, 40], [34, 50], [30, 50]]},
                **{"impassable": True, "height": 0.0, "size": 3},
            }
        ],
    )
    tale.begin(1, [[0, 1], [0, 1]], [0, 2], 1)
    tale.speak(1, "to_reserve", [], top=0, held=1)
    tale.speak(0, "top", [0], top=0)
    tale.announce(0, "charge", 2)
    tale.move(0, "charge", (40, 30), RIGHT, 20.0, targets=[2], touched=[2])
    tale.add("penalties", fighters=[2])
    tale.speak(1, "both", [2, 3], reserve=0, top=1)
    tale.announce(3, "run")
    tale.move(3, "run", (42, 45), LEFT, 18.0)
    tale.add("nothing", fighter=2)
    tale.speak(0, "top", [1], top=1)
    tale.move(1, "walk", (29, 15), RIGHT, 9.0)
    tale.melee(0, [0, 2])
    tale.separation(0, -1, [0, 2])
    tale.authority([0, 2], [0, 2], [0, 2])
    tale.combat(0, [0, 2])
    tale.place((2, 1, 1), (0, 1, 1))
    tale.opposed("initiative", [0, 2], [3, 2], 3, 4)
    tale.opposed("initiative", [0, 2], [3, 2], 5, 2)
    tale.strike(0, 2, 1, 1)
    tale.attack(0, 2, 10, 13, 6, 4)
    tale.parry(2, 0, 1, 1, False, 6, 1)
    tale.wound((0, 2), (5, 5), (2, 3), "light", "light")
    tale.strike(2, 0, 1)
    tale.attack(2, 0, 5, 6, 5)
    tale.parry(0, 2, 2, 5, False, 2)
    tale.wound((2, 0), (4, 5), (1, 1), "stunned", "stunned")
    tale.add("end_combat")
    tale.add("markers", fighter=0, what="state", before="stunned", after="unhurt")
    tale.add("markers", fighter=2, what="markers", before=["charged"], after=[])
    tale.end(1, [0, 0], -1)
    return tale.steps


def chain() -> Steps:
    """The second example of C-8.6: a pursuer makes a new separation necessary."""
    tale = Tale(
        fighter("Ada", 0, (20, 20), RIGHT),
        fighter("Alan", 0, (21.25, 14), RIGHT),
        fighter("Zoe", 1, (20, 20), LEFT),
        fighter("Xan", 1, (17.5, 20), RIGHT),
        fighter("Yves", 1, (21.25, 14), LEFT),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.add("nothing", fighter=0)
    tale.add("nothing", fighter=1)
    tale.speak(1, "top", [2, 3, 4], top=0)
    for number in (2, 3, 4):
        tale.add("nothing", fighter=number)
    tale.melee(0, [0, 2, 3])
    tale.melee(1, [1, 4])
    tale.separation(0, -1, [0, 2, 3])
    tale.separation(1, -1, [1, 4])
    tale.authority([1, 4], [0, 2, 3], [1, 2])
    tale.combat(0, [1, 4])
    tale.place((4, 1, 1), (1, 2, 0))
    tale.opposed("initiative", [1, 4], [3, 3], 5, 2)
    tale.strike(1, 4)
    tale.wound((1, 4), (5, 5), (6, 6), "killed", "dead")
    tale.add("end_combat")
    tale.add("pursuit", fighter=1, choice="engage")
    tale.move(1, "pursue", (21.25, 18.75), UP, 4.75, targets=[2], touched=[2])
    tale.separation(0, 0, [1, 2], [0, 3], cause="pursuit", by=1)
    tale.combat(0, [1, 2], "pursuit")
    tale.place((2, 0, 2), (1, 0, 2))
    tale.opposed("initiative", [1, 2], [3, 3], 4, 3)
    tale.add("end_combat")
    tale.combat(1, [0, 3])
    tale.place((0, 0, 2), (3, 0, 2))
    tale.opposed("initiative", [0, 3], [3, 3], 4, 3)
    tale.add("end_combat")
    tale.end(1, [20, 0], 0)
    return tale.steps


def shots() -> Steps:
    """A throw to cover, a walk announced before the shot, a shot without moving."""
    tale = Tale(
        fighter("Ada", 0, (10, 30), RIGHT, TIR=3, weapon=BOW),
        fighter("Alan", 0, (10, 15), RIGHT, TIR=3, weapon=BOW),
        fighter("Bea", 1, (50, 30), LEFT),
        fighter("Bob", 1, (50, 15), LEFT),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.add("announce_walk", fighter=0)
    tale.add("throw", fighter=2, shooter=0)
    shot = {"band": 1, "value": 3, "distance": 40.0, "hit": True}
    tale.add(
        "shoot",
        **{"shooter": 0, "target": 2, "moved": False, "cover": 2, "difficulty": 9},
        **{"result": 11, "dice": die(0, 6, 2), **shot},
    )
    tale.wound((0, 2), (4, 5), (4, 5), "serious", "serious")
    tale.move(0, "walk", (14, 30), RIGHT, 4.0)
    tale.add(
        "shoot",
        **{"shooter": 1, "target": 3, "moved": False, "cover": 0, "difficulty": 7},
        **{"result": 7, "dice": die(1, 4), **shot},
    )
    tale.wound((1, 3), (4, 5), (2, 3), "light", "light", still=True)
    tale.speak(1, "top", [2, 3], top=0)
    tale.announce(2, "under_cover")
    tale.move(2, "under_cover", (45, 30), LEFT, 5.0)
    tale.move(3, "turn", (50, 15), UP, 0.0)
    tale.end(1, [0, 0], -1)
    return tale.steps


def fear() -> Steps:
    """An assailant in rout flees and rallies; an assailed one passes its test."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (40, 15), RIGHT),
        fighter("Bea", 1, (40, 30), LEFT, PEUR=6, COU=None),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.announce(0, "charge", 2)
    tale.test("courage", 0, 3, 6, 2, against=2)
    tale.move(0, "flee", (0, 30), LEFT, 20.0)
    tale.add("nothing", fighter=1)
    tale.speak(1, "top", [2], top=0)
    tale.announce(2, "charge", 1)
    tale.move(2, "charge", (40, 16.25), [0.0, -1.0], 13.75, targets=[1], touched=[1])
    tale.test("courage", 1, 3, 6, 3, against=2)
    tale.add("penalties", fighters=[1])
    tale.melee(0, [1, 2])
    tale.separation(0, -1, [1, 2])
    tale.authority([1, 2], [1, 2], [1, 2])
    tale.combat(0, [1, 2])
    tale.place((2, 0, 2), (1, 0, 2))
    tale.opposed("initiative", [1, 2], [2, 3], 3, 4)
    tale.add("end_combat")
    tale.add(
        "rally",
        **{"fighter": 0, "value": 3, "difficulty": 8, "result": 11, "routed": False},
        **{"barred": False, "dice": die(0, 6, 2)},
    )
    tale.add("markers", fighter=1, what="markers", before=["charged"], after=[])
    tale.end(1, [0, 0], -1)
    return tale.steps


def parting() -> Steps:
    """One gets away and walks, the other fails and puts all dice in defence; two turns."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (20, 15), RIGHT),
        fighter("Bea", 1, (20, 30), LEFT),
        fighter("Bob", 1, (20, 15), LEFT),
        turns=2,
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.test("disengage", 0, 3, 6, 4, way="agility", enemies=1)
    tale.move(0, "walk", (12, 30), RIGHT, 8.0)
    tale.test("disengage", 1, 3, 6, 2, way="agility", enemies=1)
    tale.speak(1, "top", [2, 3], top=0)
    tale.add("nothing", fighter=2)
    tale.add("nothing", fighter=3)
    tale.melee(0, [1, 3])
    tale.separation(0, -1, [1, 3])
    tale.authority([1, 3], [1, 3], [1, 3])
    tale.combat(0, [1, 3])
    tale.place((3, 2, 0), (1, 0, 2))
    tale.opposed("initiative", [1, 3], [3, 3], 3, 4)
    tale.strike(3, 1, 1)
    tale.attack(3, 1, 2, 5, 2)
    tale.parry(1, 3, 3, 6, True, 3)
    tale.strike(3, 1)
    tale.wound((3, 1), (5, 5), (6, 6), "killed", "dead")
    tale.add("end_combat")
    tale.add("pursuit", fighter=3, choice="stay")
    tale.add("score", turn=1, destroyed=[0, 20], points=[0, 20])
    tale.begin(2, [[0], [0]], [0, 2], 1)
    tale.speak(1, "top", [2, 3], top=0)
    tale.add("nothing", fighter=2)
    tale.add("nothing", fighter=3)
    tale.speak(0, "top", [0], top=0)
    tale.add("nothing", fighter=0)
    tale.end(2, [0, 20], 1)
    return tale.steps


def crowd() -> Steps:
    """Two against two, separated by a test, one combat after the other."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (20, 27.5), RIGHT, DIS=4),
        fighter("Bea", 1, (20, 30), LEFT),
        fighter("Bob", 1, (20, 27.5), LEFT),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.add("nothing", fighter=0)
    tale.add("nothing", fighter=1)
    tale.speak(1, "top", [2, 3], top=0)
    tale.add("nothing", fighter=2)
    tale.add("nothing", fighter=3)
    tale.melee(0, [0, 1, 2, 3])
    tale.opposed("separation", [1, 2], [4, 3], 2, 4)
    tale.separation(0, 1, [0, 2], [1, 3])
    tale.authority([0, 2], [1, 3], [0, 3])
    tale.combat(0, [0, 2])
    tale.place((2, 0, 2), (0, 0, 2))
    tale.opposed("initiative", [0, 2], [3, 3], 4, 3)
    tale.add("end_combat")
    tale.combat(1, [1, 3])
    tale.place((1, 0, 2), (3, 0, 2))
    tale.opposed("initiative", [1, 3], [3, 3], 4, 3)
    tale.add("end_combat")
    tale.end(1, [0, 0], -1)
    return tale.steps


def stays() -> Steps:
    """The example of C-8.5: a survivor stays; a defence that is sustained twice."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (20, 27.5), RIGHT),
        fighter("Bea", 1, (20, 30), LEFT),
        fighter("Bob", 1, (20, 27.5), LEFT),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    tale.add("nothing", fighter=0)
    tale.add("nothing", fighter=1)
    tale.speak(1, "top", [2, 3], top=0)
    tale.add("nothing", fighter=2)
    tale.add("nothing", fighter=3)
    tale.melee(0, [0, 1, 2, 3])
    tale.opposed("separation", [1, 2], [3, 3], 5, 4)
    tale.separation(0, 0, [0, 2], [1, 3])
    tale.authority([1, 3], [0, 2], [1, 2])
    tale.combat(0, [1, 3])
    tale.place((3, 1, 1), (1, 2, 0))
    tale.opposed("initiative", [1, 3], [3, 3], 5, 2)
    tale.strike(1, 3, 1, 1)
    tale.attack(1, 3, 2, 5, 2)
    tale.parry(3, 1, 4, 5, True, 4)
    tale.strike(3, 1)
    tale.wound((3, 1), (5, 5), (1, 1), "stunned", "stunned")
    tale.strike(1, 3, 1, 1)
    tale.attack(1, 3, 3, 5, 3)
    tale.parry(3, 1, 2, 3, False, 2)
    tale.wound((1, 3), (4, 5), (6, 6), "killed", "dead")
    tale.add("end_combat")
    tale.add("pursuit", fighter=1, choice="stay")
    tale.combat(0, [2, 0, 1], "pursuit")
    tale.place((2, 2, 1), (0, 1, 1), (1, 0, 2))
    tale.opposed("initiative", [2, 0], [3, 4], 5, 2)
    tale.strike(2, 0)
    tale.wound((2, 0), (5, 5), (1, 1), "stunned", "stunned")
    tale.strike(2, 1, 1)
    tale.attack(2, 1, 3, 6, 3)
    tale.parry(1, 2, 4, 6, True, 4)
    tale.strike(0, 2)
    tale.wound((0, 2), (4, 5), (2, 3), "light", "light")
    tale.add("end_combat")
    tale.add("markers", fighter=0, what="state", before="stunned", after="unhurt")
    tale.add("markers", fighter=1, what="state", before="stunned", after="unhurt")
    tale.end(1, [20, 0], 0)
    return tale.steps


BOLT = {"name": "bolt", "friend": False, "kind": "damage", "levels": 1, "outcome": "nothing"}
BALM = {"name": "balm", "friend": True, "kind": "heal", "levels": 1, "outcome": "nothing"}


def spells() -> Steps:
    """A spell that works and one that does not, an engagement round a wall, a charge too short."""
    usual = {"in_faith": False, "cost": 2, "difficulty": 6, "range": 30.0, "sight": True}
    usual |= {"outside": False, "times": 1, "upkeep": None}
    wall = [[30, 17], [31, 17], [31, 23], [30, 23]]
    tale = Tale(
        fighter(
            "Ada", 0, (20, 40), RIGHT, rank=2, mana=5, mystic=[0, 1], caster=True, casts="magician"
        ),
        fighter("Alan", 0, (25, 20), RIGHT, state="light"),
        fighter("Bea", 1, (40, 20), LEFT),
        fighter("Bob", 1, (70, 40), LEFT),
        terrain=[{"name": "wall", "corners": wall, "impassable": True, "height": 0.0, "size": 3}],
        mystics=[BOLT | usual, BALM | usual],
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    cast = {"fighter": 0, "value": 2, "difficulty": 6, "outside": False}
    tale.add(
        "cast",
        **{"mystic": 0, "target": 2, "result": 6, "success": True, "held": 3},
        **{"dice": die(0, 4), **cast},
    )
    tale.add("effect", fighter=2, mystic=0, before="unhurt", after="light")
    tale.move(0, "walk", (22, 40), RIGHT, 2.0)
    tale.add(
        "cast",
        **{"mystic": 1, "target": 1, "result": 3, "success": False, "held": 1},
        **{"dice": die(0, 1), **cast},
    )
    tale.move(1, "turn", (25, 20), RIGHT, 0.0)
    tale.speak(1, "top", [2, 3], top=0)
    tale.announce(2, "engage", 1)
    tale.announce(3, "charge", 0)
    tale.move(2, "engage", (25, 20), LEFT, 18.5, targets=[1], touched=[1])
    tale.move(3, "charge", (50, 40), LEFT, 20.0, short=True, aimed=0)
    tale.melee(0, [1, 2])
    tale.separation(0, -1, [1, 2])
    tale.authority([1, 2], [1, 2], [1, 2])
    tale.combat(0, [1, 2])
    tale.place((2, 0, 2), (1, 0, 2))
    tale.opposed("initiative", [1, 2], [2, 2], 5, 4)
    tale.add("end_combat")
    tale.add("mana", fighter=0, before=1, after=6, dice=die(0, 3))
    tale.end(1, [0, 0], -1)
    return tale.steps


def parted() -> Steps:
    """One disengages and engages another, one fails to."""
    tale = Tale(
        fighter("Ada", 0, (20, 30), RIGHT),
        fighter("Alan", 0, (20, 15), RIGHT),
        fighter("Bea", 1, (20, 30), LEFT),
        fighter("Bob", 1, (14, 36), RIGHT),
        fighter("Cat", 1, (20, 15), LEFT),
    )
    tale.begin(1, [[0], [0]], [0, 2], 0)
    tale.speak(0, "top", [0, 1], top=0)
    for number, target in ((0, 3), (1, 2)):
        tale.announce(number, "engage", target)
        tale.steps[-1][1]["disengages"] = "agility"
    tale.test("disengage", 0, 3, 6, 4, way="agility", enemies=1)
    tale.move(0, "engage", (14, 36), LEFT, 8.5, targets=[3], touched=[3])
    tale.test("disengage", 1, 3, 6, 2, way="agility", enemies=1)
    tale.speak(1, "top", [2, 3, 4], top=0)
    tale.move(2, "walk", (26, 34), LEFT, 7.5)
    tale.add("nothing", fighter=3)
    tale.add("nothing", fighter=4)
    tale.melee(0, [0, 3])
    tale.melee(1, [1, 4])
    tale.separation(0, -1, [0, 3])
    tale.separation(1, -1, [1, 4])
    tale.authority([0, 3], [0, 3], [0, 3])
    tale.combat(0, [0, 3])
    tale.place((3, 0, 2), (0, 0, 2))
    tale.opposed("initiative", [0, 3], [3, 3], 5, 2)
    tale.add("end_combat")
    tale.combat(1, [1, 4])
    tale.place((1, 0, 2), (4, 0, 2))
    tale.opposed("initiative", [1, 4], [3, 3], 5, 2)
    tale.add("end_combat")
    tale.add("markers", fighter=1, what="markers", before=["defence"], after=[])
    tale.end(1, [0, 0], -1)
    return tale.steps


def redirected() -> Steps:
    """A spell kills the target of a charge, which goes to another (M-4.7)."""
    usual = {"in_faith": False, "cost": 2, "difficulty": 6, "range": 60.0, "sight": False}
    usual |= {"outside": True, "times": 1, "upkeep": None}
    tale = Tale(
        fighter("Ada", 0, (5, 5), RIGHT, rank=2, mana=4, mystic=[0], caster=True, MOU=0),
        fighter("Alan", 0, (20, 30), RIGHT, card=1),
        fighter("Bea", 1, (32, 30), LEFT),
        fighter("Bob", 1, (37, 33), LEFT),
        mystics=[BOLT | usual | {"levels": 4}],
    )
    tale.begin(1, [[1, 0], [0]], [0, 2], 0)
    tale.speak(0, "top", [1], top=1)
    tale.announce(1, "charge", 2)
    tale.add(
        "cast",
        **{"fighter": 0, "mystic": 0, "target": 2, "value": 2, "difficulty": 6, "result": 6},
        **{"success": True, "held": 2, "outside": True, "dice": die(0, 4)},
    )
    tale.add("effect", fighter=2, mystic=0, before="unhurt", after="dead")
    tale.move(1, "charge", (32, 30), RIGHT, 12.0, short=True, redirected=True, aimed=2)
    other = {"targets": [3], "touched": [3], "redirected": True}
    tale.move(1, "charge", (37, 32), RIGHT, 5.5, **other)
    tale.add("penalties", fighters=[3])
    tale.speak(1, "top", [3], top=0, refusals=1)
    tale.add("nothing", fighter=3)
    tale.speak(0, "top", [0], top=0)
    tale.add("nothing", fighter=0)
    tale.melee(0, [1, 3])
    tale.separation(0, -1, [1, 3])
    tale.authority([1, 3], [1, 3], [1, 3])
    tale.combat(0, [1, 3])
    tale.place((3, 0, 2), (1, 0, 2))
    tale.opposed("initiative", [1, 3], [3, 2], 5, 2)
    tale.add("end_combat")
    tale.add("markers", fighter=3, what="markers", before=["charged"], after=[])
    tale.end(1, [20, 0], 0)
    return tale.steps


CASES = (assault, chain, shots, fear, parting, crowd, stays, spells, parted, redirected)
ALL = {case.__name__: case for case in CASES}
