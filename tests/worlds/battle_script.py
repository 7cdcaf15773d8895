"""A battle made by hand, with every kind of step: two against two, over two turns."""

from typing import Any

from estoc.sim.battle.log import Step


def step(kind: str, **cells: Any) -> Step:
    return Step(kind, cells)


def fighter(label: str, side: int, at: tuple[float, float], **changes: Any) -> dict[str, Any]:
    """Return a fighter of the header: a medium one in good health who looks at the enemy."""
    numbers = {"MOU": 10, "INI": 3, "ATT": 4, "FOR": 5, "DEF": 4, "RES": 6, "PA": 20, "DIS": 2}
    cells = {
        "label": label,
        "name": label.partition("#")[0],
        "side": side,
        "card": 0,
        **numbers,
        **dict.fromkeys(("TIR", "PEUR", "weapon")),
        "COU": 4,
        "power": 1,
        "size": 1,
        "shape": "rectangle",
        "width": 2.5,
        "depth": 2.5,
        "level": 0,
        "state": "unhurt",
        "routed": False,
        "caster": False,
        "tactics": True,
        "command": 0,
        "at": list(at),
        "facing": [1.0 - 2 * side, 0.0],
        "mystic": [],
        "rank": 0,
        "mana": 0,
        "faith": 0,
    }
    return {**cells, **changes}


ADA, BEN, CID, DOT = range(4)
FIGHTERS = [
    fighter("Ada", 0, (10, 15)),
    fighter("Ben", 0, (10, 20), card=1, TIR=3, caster=True, mana=4, mystic=[0]),
    fighter("Cid", 1, (28, 15), COU=None, PEUR=5, width=3.75, depth=3.75, size=2),
    fighter("Dot#1", 1, (30, 24), card=1, shape="disc", width=3.0, depth=3.0, state="light"),
]
HEADER = step(
    "battle",
    scenario="Two against two",
    edition="conffede",
    seed=5,
    trial=3,
    policies=["aggressive", "random"],
    turns=2,
    width=40,
    depth=30,
    terrain=[
        {
            "name": "wall",
            "corners": [[17, 2], [20, 2], [20, 8], [17, 8]],
            "impassable": False,
            "height": 2,
            "size": 0,
        }
    ],
    fighters=FIGHTERS,
    mystics=[
        {"name": "Bolt", "in_faith": False, "cost": 2, "difficulty": 6, "range": 20, "sight": True}
    ],
    zones=[{"name": "well", "corners": [[18, 12], [24, 12], [24, 18], [18, 18]], "points": 10}],
    survival=[{"fighter": ADA, "points": 5}],
    margin=1,
)


def moved(who: int, action: str, at: tuple[float, float], **changes: Any) -> Step:
    """Return a move: a straight one without obstacles that ends free, unless told."""
    cells = {
        "fighter": who,
        "action": action,
        "targets": [],
        "at": list(at),
        "facing": FIGHTERS[who]["facing"],
        "length": 5.0,
        "toll": 0.0,
        "short": False,
        "redirected": False,
        "touched": [],
    }
    return Step("move", {**cells, **changes})


def opposed(purpose: str, testers: list[int], winner: int, **changes: Any) -> Step:
    a, b = testers
    cells = {
        "purpose": purpose,
        "roll_off": 0,
        "testers": testers,
        "values": [2, 3],
        "results": [6, 11],
        "winner": winner,
        "dice": [[a, 4, 0], [b, 6, 0], [b, 2, 1]],
    }
    return Step("opposed", {**cells, **changes})


def announced(who: int, action: str, *targets: int, way: str | None = None) -> Step:
    cells = {"fighter": who, "action": action, "targets": list(targets), "disengages": way}
    return Step("announce", cells)


def tested(kind: str, who: int, value: int, result: int | None, *dice: int, **cells: Any) -> Step:
    """Return a test of one fighter against a difficulty."""
    rolled = [[who, die, k] for k, die in enumerate(dice)]
    return Step(kind, {"fighter": who, "value": value, "result": result, "dice": rolled, **cells})


def spoken(side: int, move: str, *who: int, top: int = -1, reserve: int = -1) -> Step:
    cards = {"top": top, "reserve": reserve, "held": int(move == "to_reserve"), "refusals": 0}
    return Step("speak", {"side": side, "move": move, **cards, "fighters": list(who)})


def wounded(striker: int, target: int, outcome: str, state: str, *dice: int, still=False) -> Step:
    cells = {"striker": striker, "target": target, "strength": 5, "resistance": 6}
    rolled = [[striker, die, k] for k, die in enumerate(dice)]
    return Step(
        "wound", {**cells, "dice": rolled, "outcome": outcome, "state": state, "still": still}
    )


_FIRST_TURN = [
    step("turn", turn=1),
    step("sequence", side=0, cards=[0, 1]),
    step("sequence", side=1, cards=[1, 0]),
    opposed("tactics", [ADA, CID], -1, results=[8, 8], dice=[[0, 6, 0], [2, 5, 0]]),
    opposed("tactics", [ADA, CID], 1, roll_off=1),
    step("first", side=0, winner=1),
    spoken(0, "top", ADA, top=0),
    announced(ADA, "charge", CID),
    tested("courage", ADA, 4, 9, 5, against=CID, difficulty=5, success=True),
    moved(ADA, "charge", (28, 15), targets=[CID], length=18.0, toll=2.0, touched=[CID]),
    step("penalties", fighters=[CID]),
    spoken(1, "to_reserve", top=1),
    spoken(0, "top", BEN, top=1),
    step("announce_walk", fighter=BEN),
    step(
        "shoot",
        shooter=BEN,
        target=DOT,
        distance=18.4,
        band=0,
        moved=False,
        cover=2,
        value=3,
        difficulty=6,
        result=7,
        hit=True,
        dice=[[BEN, 4, 0]],
    ),
    step("throw", fighter=DOT, shooter=BEN),
    wounded(BEN, DOT, "serious", "serious", 5, 2, still=True),
    tested(
        "cast", BEN, 1, None, 1, mystic=0, target=DOT, difficulty=6, success=False, held=2,
        outside=False,
    ),
    moved(BEN, "walk", (14, 20), length=4.0),
    spoken(1, "both", DOT, CID, top=0, reserve=1),
    announced(DOT, "run"),
    tested("courage", DOT, 4, 6, 2, against=ADA, difficulty=8, success=False),
    tested("disengage", CID, 3, 5, 2, way="agility", enemies=1, difficulty=6, success=False),
    moved(DOT, "run", (24, 22), length=6.3),
    step("nothing", fighter=CID),
    step("melee", melee=0, fighters=[ADA, CID]),
    step("separation", melee=0, side=-1, combats=[[ADA, CID]], cause="melee", by=-1),
    step("named", side=0, combat=[ADA, CID], fighter=ADA),
    step("named", side=1, combat=[ADA, CID], fighter=CID),
    opposed("authority", [ADA, CID], 0, results=[7, 4], dice=[[0, 5, 0], [2, 1, 0]]),
    step("combat", side=0, fighters=[ADA, CID], cause="chosen", chooser=0),
    step("place", fighter=ADA, attack=2, defence=0),
    step("place", fighter=CID, attack=1, defence=1),
    opposed(
        "initiative", [ADA, CID], 0, values=[3, 2], results=[8, 6], dice=[[0, 5, 0], [2, 4, 0]]
    ),
    step("strike", striker=ADA, target=CID, committed=1, sustained=False),
    step(
        "attack", striker=ADA, target=CID, natural=10, result=14, failed=False,
        dice=[[ADA, 6, 0], [ADA, 4, 1]],
    ),
    step(
        "parry", fighter=CID, striker=ADA, natural=3, result=6, parried=False,
        dice=[[CID, 3, 0, 0], [CID, 1, 0, 1]],
    ),
    wounded(ADA, CID, "light", "light", 4, 4),
    step("strike", striker=CID, target=ADA, committed=0, sustained=False),
    step(
        "attack", striker=CID, target=ADA, natural=1, result=None, failed=True, dice=[[CID, 1, 0]]
    ),
    step("strike", striker=ADA, target=CID, committed=1, sustained=True),
    step(
        "attack", striker=ADA, target=CID, natural=5, result=9, failed=False, dice=[[ADA, 5, 0]]
    ),
    step(
        "parry", fighter=CID, striker=ADA, natural=4, result=3, parried=False,
        dice=[[CID, 4, 0, 0]],
    ),
    wounded(ADA, CID, "killed", "dead", 6, 6),
    step("end_combat"),
    step("pursuit", fighter=ADA, choice="move"),
    moved(ADA, "pursue", (30, 18), length=3.6),
    step("rally", fighter=DOT, value=4, difficulty=7, result=6, routed=True, barred=False,
         dice=[[DOT, 2, 0]]),
    step("mana", fighter=BEN, before=2, after=5, dice=[[BEN, 3, 0]]),
    step("markers", fighter=CID, what="markers", before=["charged"], after=[]),
    step("score", turn=1, destroyed=[20, 0], points=[20, 0]),
]  # fmt: skip
_SECOND_TURN = [
    step("turn", turn=2),
    step("sequence", side=0, cards=[0, 1]),
    step("sequence", side=1, cards=[1]),
    step("coin", purpose="tactics", winner=0),
    step("first", side=0, winner=0),
    spoken(0, "reserve", BEN, reserve=1),
    announced(BEN, "engage", DOT),
    moved(BEN, "engage", (20, 21), targets=[], aimed=DOT, short=True, length=6.1),
    tested(
        "cast", BEN, 1, 7, 6, mystic=0, target=DOT, difficulty=6, success=True, held=0,
        outside=True,
    ),
    step("effect", fighter=DOT, mystic=0, before="serious", after="critical"),
    spoken(1, "top", DOT, top=1),
    announced(DOT, "flee"),
    moved(DOT, "flee", (37, 23), length=15.0),
    step(
        "rally", fighter=DOT, value=4, difficulty=7, result=None, routed=True, barred=True, dice=[]
    ),
    step(
        "lasting", fighter=DOT, stage="active", source=DOT, effect=0, before="critical",
        after="serious", goes_on=True, dice=[],
    ),
    step(
        "upkeep", fighter=BEN, stage="other", source=BEN, effect=1, before=3, after=1,
        goes_on=True, dice=[],
    ),
    step("markers", fighter=BEN, what="state", before="stunned", after="unhurt"),
    step("score", turn=2, destroyed=[20, 0], points=[25, 0]),
    step("end", turn=2, points=[25, 0], winner=0),
]  # fmt: skip
BATTLE = [HEADER, *_FIRST_TURN, *_SECOND_TURN]
