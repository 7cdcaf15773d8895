"""The checker of transcripts: what it accepts, and which clause it names for what is broken."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import audit_cases
import pytest
from audit_cases import LEFT, RIGHT, Steps, Tale, die, fighter
from running import estoc

from estoc.profiles import InputError, load_edition
from estoc.sim.audit.audit import audit, edition_of, read_transcript

CONFFEDE = load_edition("conffede")


def place_of(steps: Steps, kind: str, nth: int = 0, **wanted: Any) -> int:
    """Number of the nth step of a kind that says this."""
    found = [
        number
        for number, (name, data) in enumerate(steps)
        if name == kind and all(data[key] == value for key, value in wanted.items())
    ]
    return found[nth]


def data_of(steps: Steps, kind: str, nth: int = 0, **wanted: Any) -> dict[str, Any]:
    return steps[place_of(steps, kind, nth, **wanted)][1]


def drop(steps: Steps, kind: str, nth: int = 0, **wanted: Any) -> None:
    del steps[place_of(steps, kind, nth, **wanted)]


def put_after(steps: Steps, kind: str, new: tuple[str, dict[str, Any]], **wanted: Any) -> None:
    steps.insert(place_of(steps, kind, **wanted) + 1, new)


def change(kind: str, nth: int = 0, *, of: dict[str, Any] | None = None, **new: Any) -> Any:
    """A mutation that changes what one step says."""

    def mutate(steps: Steps) -> None:
        data_of(steps, kind, nth, **(of or {})).update(new)

    return mutate


def without(kind: str, nth: int = 0, **wanted: Any) -> Any:
    """A mutation that leaves one step out."""
    return lambda steps: drop(steps, kind, nth, **wanted)


def swapped(kind: str, one: int, other: int) -> Any:
    """A mutation that exchanges two steps of a kind."""

    def mutate(steps: Steps) -> None:
        a, b = place_of(steps, kind, one), place_of(steps, kind, other)
        steps[a], steps[b] = steps[b], steps[a]

    return mutate


def card(number: int, **new: Any) -> Any:
    """A mutation of a fighter as it is at the start."""
    return lambda steps: steps[0][1]["fighters"][number].update(new)


def all_of(*mutations: Any) -> Any:
    def mutate(steps: Steps) -> None:
        for one in mutations:
            one(steps)

    return mutate


def extra(kind: str, step: tuple[str, dict[str, Any]], **wanted: Any) -> Any:
    return lambda steps: put_after(steps, kind, step, **wanted)


def second_shot(steps: Steps) -> None:
    shot = place_of(steps, "shoot", shooter=1)
    steps[shot + 2 : shot + 2] = [
        steps[shot],
        ("wound", {**steps[shot + 1][1], "state": "critical"}),
    ]
    steps[shot + 3][1]["outcome"] = "light"


def walk_after_shot(steps: Steps) -> None:
    """The walk is not announced, nor the shot counted as one after a move."""
    drop(steps, "announce_walk")
    data_of(steps, "shoot").update(moved=False, difficulty=9)
    data_of(steps, "wound").update(still=True, outcome="serious", dice=[[0, 3, 0], [0, 5, 0]])


def hidden(steps: Steps) -> None:
    corners = [[29.0, 5.0], [31.0, 5.0], [31.0, 55.0], [29.0, 55.0]]
    wall = {"name": "wall", "corners": corners, "impassable": True, "height": 0.0, "size": 3}
    steps[0][1]["terrain"].append(wall)


def run_after_shot(steps: Steps) -> None:
    """The still shooter runs as well."""
    run = data_of(steps, "move", fighter=0) | {"fighter": 1, "action": "run", "at": [20.0, 15.0]}
    shot = place_of(steps, "shoot", shooter=1)
    steps.insert(shot + 2, ("move", run | {"length": 10.0}))


def dead_card(steps: Steps) -> None:
    """In turn 2 the dead one is activated with his card."""
    data_of(steps, "speak", -1)["fighters"].append(1)
    steps.insert(place_of(steps, "nothing", -1) + 1, ("nothing", {"fighter": 1}))


def dead_strikes(steps: Steps) -> None:
    wound = place_of(steps, "wound")
    strike = {"striker": 1, "target": 3, "committed": 0, "sustained": 0}
    hurt = steps[wound][1] | {"striker": 1, "target": 3, "dice": [[1, 6, 0], [1, 6, 0]]}
    steps[wound + 1 : wound + 1] = [("strike", strike), ("wound", hurt)]


def fights_twice(steps: Steps) -> None:
    """The combat that a pursuit caused is fought again as if nothing had happened."""
    data_of(steps, "combat", -1)["fighters"] = [0, 2, 3]


def screen(steps: Steps) -> None:
    """What hides Bob from where Bea stood, and is too low to be gone round."""
    corners = [[33.0, 25.0], [33.5, 25.0], [33.5, 40.0], [33.0, 40.0]]
    hedge = {"name": "hedge", "corners": corners, "impassable": False, "height": 0.0, "size": 3}
    steps[0][1]["terrain"].append(hedge)
    data_of(steps, "move", 1).update(at=[37.0, 34.0], length=7.0)


def under_cover_in_contact(steps: Steps) -> None:
    announce = {"fighter": 0, "action": "under_cover", "targets": [], "disengages": None}
    steps[place_of(steps, "nothing")] = ("announce", announce)


def disengages_after_a_charge(steps: Steps) -> None:
    test = {"fighter": 2, "way": "agility", "enemies": 1, "value": 2, "difficulty": 6}
    test |= {"result": 6, "success": True, "dice": die(2, 4)}
    steps[place_of(steps, "nothing")] = ("disengage", test)


def refusal_alone(steps: Steps) -> None:
    """Side A, with fewer cards, keeps one in reserve and refuses when B has none left."""
    steps[0][1]["fighters"].append(fighter("Bim", 1, (80, 5), LEFT, card=1))
    data_of(steps, "sequence", 1)["cards"] = [0, 1]
    data_of(steps, "first")["side"] = 1
    usual = {"top": -1, "reserve": -1, "held": 1, "refusals": 0, "fighters": []}
    idle = [("nothing", {"fighter": number}) for number in range(5)]
    both = {"side": 1, "move": "both", "reserve": 0, "top": 1, "held": 0, "fighters": [2, 3, 4]}
    last = {"side": 0, "move": "reserve", "reserve": 0, "held": 0, "fighters": [0, 1]}
    start, melee = place_of(steps, "speak"), place_of(steps, "melee")
    steps[start:melee] = [
        ("speak", usual | {"side": 1, "move": "to_reserve", "reserve": 0}),
        ("speak", usual | {"side": 0, "move": "to_reserve", "reserve": 0, "refusals": 1}),
        ("speak", usual | both),
        *idle[2:],
        ("speak", usual | {"side": 0, "move": "refuse"}),
        ("speak", usual | last),
        *idle[:2],
    ]


def dead_one_strikes(steps: Steps) -> None:
    """He who has just been killed strikes back."""
    strike = {"striker": 3, "target": 1, "committed": 0, "sustained": 0}
    end = place_of(steps, "end_combat")
    steps.insert(end, ("strike", strike))


def under_cover_left_out(steps: Steps) -> None:
    drop(steps, "announce")
    drop(steps, "move", action="under_cover")


def moves_after_failing(steps: Steps) -> None:
    move = data_of(steps, "move", 0) | {"fighter": 1, "at": [16.0, 12.0], "length": 5.0}
    put_after(steps, "disengage", ("move", move), fighter=1)


def stunned_kept(steps: Steps) -> None:
    drop(steps, "markers", what="state")


def stays_out(steps: Steps) -> None:
    """The pursuer's combat is left until later."""
    number = place_of(steps, "separation", cause="pursuit")
    end = place_of(steps, "end_combat", 1)
    del steps[number : end + 1]


MUTATIONS: list[tuple[str, str, str, Callable[[Steps], None]]] = [
    # cards
    ("same side speaks twice", "assault", "A-2", change("speak", 1, side=1)),
    ("not the top card", "assault", "A-2.1", change("speak", 1, top=1)),
    ("reserve twice", "assault", "A-2.2", change("speak", 2, move="to_reserve", fighters=[])),
    ("reserve that is empty", "assault", "A-2.3", change("speak", 1, move="reserve", reserve=0)),
    ("another card in reserve", "assault", "A-2.4", change("speak", 2, reserve=1)),
    ("refusal too many", "assault", "A-2.5", change("speak", 0, move="refuse")),
    ("refusals left", "assault", "A-3.1", change("speak", 0, refusals=1)),
    ("a card left in the pile", "assault", "A-4.1", without("speak", 3)),
    ("card of the dead", "parting", "A-1.2", change("sequence", 2, cards=[0, 1])),
    ("a fighter left out", "assault", "A-5.1", change("speak", 1, fighters=[])),
    ("not activated", "shots", "A-5.1", under_cover_left_out),
    ("activated twice", "chain", "A-5.1", extra("nothing", ("nothing", {"fighter": 0}), fighter=1)),
    ("dead fighter acts", "parting", "A-5.1", dead_card),
    # tactics
    ("who won the roll", "assault", "T-2.4", change("first", winner=1)),
    ("barred from the roll", "assault", "T-2.3", card(0, tactics=False)),
    ("Discipline of another", "assault", "T-2.3", change("opposed", 0, values=[4, 3])),
    # exclusive actions
    ("announced too late", "assault", "A-5.2", swapped("announce", 1, 0)),
    ("charge at the unseen", "assault", "M-4.1", hidden),
    ("charge too far", "assault", "M-4.1", card(0, MOU=9)),
    ("shorter than straight", "assault", "M-1.1", change("move", 0, length=15.0)),
    ("through a wall", "assault", "M-1.2", hidden),
    (
        "not on the edge",
        "assault",
        "M-4.3",
        all_of(card(0, MOU=11), change("move", 0, at=[40.0, 31.4], length=21.0)),
    ),
    ("facing away", "assault", "M-4.3", change("move", 0, facing=LEFT)),
    ("charge that touches nobody", "assault", "M-4.3", change("move", 0, at=[39.0, 30.0])),
    ("run too far", "assault", "M-3.1", change("move", 1, at=[38.0, 45.0], length=22.0)),
    (
        "run into contact",
        "assault",
        "M-3.1",
        all_of(card(3, MOU=13), change("move", 1, at=[39.0, 32.5], length=25.0)),
    ),
    (
        "run onto another",
        "assault",
        "M-1.2",
        all_of(card(3, MOU=13), change("move", 1, at=[39.0, 31.5], length=25.5)),
    ),
    ("run off the table", "assault", "M-1.2", change("move", 1, at=[60.0, 61.0], length=18.0)),
    ("toll too low", "assault", "M-1.4", change("move", 0, toll=-1.0)),
    ("walk too far", "assault", "M-2.2", change("move", 2, at=[32.0, 15.0], length=12.0)),
    ("walk after a charge", "assault", "A-5.4", change("move", 2, fighter=0)),
    ("penalty missing", "assault", "M-5.1", without("penalties")),
    ("penalty of the strong", "assault", "M-5.1", card(2, power=2)),
    ("under cover in contact", "chain", "M-6.1", under_cover_in_contact),
    # shots
    ("second shot", "shots", "A-5.5", second_shot),
    ("walk not announced", "shots", "A-5.5", walk_after_shot),
    ("run after a shot", "shots", "A-5.2", run_after_shot),
    ("shot at the unseen", "shots", "A-5.5", hidden),
    ("shot without TIR", "shots", "A-5.5", card(0, TIR=None)),
    ("wrong band", "shots", "W-6", change("shoot", 0, band=0)),
    ("wrong distance", "shots", "M-1.1", change("shoot", 0, distance=39.0)),
    ("out of range", "shots", "W-6", card(0, weapon={"strength": 4, "ranges": [5.0, 10.0, 15.0]})),
    ("cover forgotten", "shots", "M-6.2", change("shoot", 0, cover=0)),
    ("difficulty", "shots", "W-6", change("shoot", 1, difficulty=6)),
    ("bonus for a mover", "shots", "W-6", change("wound", 0, still=True)),
    ("one line too far", "shots", "W-2.1", change("wound", 1, outcome="serious", state="serious")),
    ("thrown and not moved", "shots", "M-6.3", change("announce", 0, action="run")),
    # disengagement
    ("after being charged", "assault", "M-7.1", disengages_after_a_charge),
    ("easy disengagement", "parting", "M-7.2", change("disengage", 0, difficulty=4)),
    ("value of another", "parting", "M-7.2", change("disengage", 0, value=4, result=8)),
    ("force of the small", "parting", "M-7.3", change("disengage", 0, way="force")),
    ("walk without it", "parting", "M-2.1", without("disengage", 0)),
    ("attack after failing", "parting", "C-3.6", change("place", 1, attack=1, defence=1)),
    # fear
    ("courage not tested", "fear", "W-4.1", without("courage", 1)),
    ("routed one assails", "fear", "A-5.2", change("move", 0, action="charge")),
    ("courage of another", "fear", "W-4.1", change("courage", 0, value=4, result=6)),
    ("flight the wrong way", "fear", "W-4.3", change("move", 0, at=[36.0, 42.0])),
    ("easy rally", "fear", "W-4.4", change("rally", 0, difficulty=7)),
    ("no try to rally", "fear", "T-5.1", without("rally")),
    ("no fear, a test", "fear", "W-4.1", card(2, PEUR=None, COU=3)),
    # dice and wounds
    ("re-rolled 5", "assault", "W-1.2", change("attack", 0, dice=die(0, 5, 5))),
    ("a die of 7", "assault", "W-1.1", change("attack", 1, dice=die(2, 7), natural=7, result=8)),
    ("a 1 that adds", "assault", "W-1.4", change("parry", 0, natural=7, result=7)),
    ("a sum that is wrong", "assault", "W-1.1", change("attack", 1, result=7)),
    ("wound from the table", "assault", "W-2.1", change("wound", 0, outcome="serious")),
    ("wrong wound state", "assault", "W-3.1", change("wound", 0, state="serious")),
    ("strength of the unhurt", "assault", "W-2.1", change("wound", 1, strength=5)),
    (
        "three wound dice",
        "assault",
        "W-1.6",
        lambda s: data_of(s, "wound")["dice"].append([0, 1, 0]),
    ),
    # melees, separations, authority
    ("melee left out", "chain", "C-1.1", without("melee", 1)),
    ("melee of friends", "crowd", "C-1.1", change("melee", 0, fighters=[0, 1, 2])),
    ("left out", "crowd", "C-1.3", change("separation", 0, combats=[[0, 2]])),
    ("in two combats", "crowd", "C-1.3", change("separation", 0, combats=[[0, 2], [1, 3], [0, 2]])),
    ("no contact", "chain", "C-1.2", change("separation", 0, combats=[[2, 0, 3]])),
    ("the loser separates", "crowd", "C-1.4", change("separation", 0, side=0)),
    ("not the best Discipline", "crowd", "C-1.4", card(0, DIS=5)),
    ("test for a lone one", "assault", "C-1.6", change("separation", 0, melee=1)),
    ("routed one tests", "crowd", "C-2.1", card(3, routed=True, MOU=0)),
    ("starts elsewhere", "crowd", "C-2.2", change("combat", 0, fighters=[1, 3])),
    ("the loser starts", "crowd", "C-2.2", change("combat", 0, side=1, chooser=1)),
    ("same side chooses twice", "crowd", "C-2.3", change("combat", 1, side=0, chooser=0)),
    ("a combat left out", "crowd", "C-2.3", lambda s: s.__delitem__(slice(-7, -2))),
    # combats
    ("a die too many", "assault", "C-3.1", change("place", 0, attack=2)),
    ("chooser places first", "assault", "C-3.3", swapped("place", 0, 1)),
    ("dear one first", "assault", "C-3.2", card(2, PA=30)),
    ("magician last", "assault", "C-3.4", card(0, caster=True)),
    ("initiative with a bonus", "assault", "C-4.2", card(0, INI=2)),
    ("tie that is won", "assault", "C-4.3", change("opposed", 2, winner=0)),
    ("loser strikes first", "assault", "C-5.1", change("strike", 0, striker=2, target=0)),
    ("attack left out", "assault", "C-5.4", lambda s: s.__delitem__(slice(-9, -5))),
    ("no attack die left", "parting", "C-5.5", dead_strikes),
    ("lost die", "parting", "C-6.2", change("strike", 1, committed=2)),
    ("attack not rolled", "assault", "C-6.3", without("attack", 1)),
    ("equal parries", "parting", "C-6.4", change("parry", 0, parried=False)),
    ("sustained too early", "parting", "C-7.1", change("strike", 0, sustained=1)),
    ("sustained without penalty", "assault", "C-7.2", change("parry", 0, result=3)),
    # pursuit
    ("pursuit too far", "chain", "C-8.1", card(1, MOU=8)),
    (
        "pursuit in two directions",
        "chain",
        "C-8.1",
        extra("pursuit", ("pursuit", {"fighter": 1, "choice": "move"})),
    ),
    (
        "pursuit with enemies alive",
        "assault",
        "C-8.1",
        extra("end_combat", ("pursuit", {"fighter": 0, "choice": "stay"})),
    ),
    ("not at once", "chain", "C-8.3", stays_out),
    ("left out of the new one", "chain", "C-8.4", change("separation", 2, combats=[[1, 2]])),
    ("no new separation", "chain", "C-8.4", without("separation", 2)),
    ("the enemy separates", "chain", "C-8.4", change("separation", 2, side=1)),
    ("who speaks chose it", "chain", "C-3.3", change("combat", 1, chooser=1)),
    ("fights twice", "chain", "C-1.3", fights_twice),
    # one fighter against two, sustained defence, a survivor who stays
    ("refusal of one alone", "stays", "A-4.2", refusal_alone),
    ("tester of another combat", "stays", "C-4.1", change("opposed", 3, testers=[2, 3])),
    ("strikes one enemy twice", "stays", "C-5.3", change("strike", 4, target=0)),
    ("no dice for an attack", "stays", "C-5.2", change("place", 1, attack=0, defence=2)),
    ("another is struck", "stays", "C-6.1", change("attack", 2, target=0)),
    ("no wound roll", "stays", "C-6.5", without("wound", 2)),
    ("a dead one strikes", "stays", "C-6.6", dead_one_strikes),
    ("sustained no more", "stays", "C-7.3", change("strike", 2, committed=0, sustained=0)),
    ("left for later", "stays", "C-8.5", change("combat", 1, cause="chosen", side=1, chooser=1)),
    ("a 1 that fails", "stays", "W-1.3", change("attack", 2, failed=True)),
    ("the lower result wins", "stays", "W-1.5", change("opposed", 1, winner=1)),
    ("who touches fights", "crowd", "T-4", change("separation", 0, combats=[[0, 2]])),
    ("no pile arranged", "stays", "T-2.2", without("sequence", 1)),
    # mystic actions
    ("unknown action", "spells", "A-5.6", card(0, mystic=[1])),
    ("no mana left", "spells", "A-5.6", card(0, mana=1)),
    ("spell at the unseen", "spells", "A-5.6", hidden),
    ("spell out of range", "spells", "A-5.6", lambda s: s[0][1]["mystics"][0].update({"range": 9})),
    ("spell at a friend", "spells", "A-5.6", change("cast", 0, target=1)),
    ("too often", "spells", "A-5.6", change("cast", 1, mystic=0, target=2)),
    ("wound of a spell", "spells", "W-3.1", change("effect", 0, after="serious")),
    ("mana from nowhere", "spells", "T-5.2", change("mana", 0, after=9)),
    ("mana left out", "spells", "T-5.2", without("mana")),
    ("mana without a die", "spells", "T-5.2", change("mana", 0, dice=[])),
    # assaults
    ("engages what it sees", "spells", "M-4.2", lambda s: s[0][1]["terrain"].clear()),
    ("too short a way round", "spells", "M-1.2", change("move", 2, length=16.0)),
    ("short, and in contact", "spells", "M-4.4", change("move", 3, targets=[0])),
    ("short, facing away", "spells", "M-4.4", change("move", 3, facing=[1.0, 0.0])),
    ("turns without MOU", "spells", "M-1.5", card(1, MOU=0)),
    ("assails one not named", "spells", "M-4.5", change("announce", 0, targets=[0])),
    ("nobody assailed", "spells", "M-8", change("move", 2, targets=[])),
    ("engages too far", "parted", "M-7.4", card(0, MOU=8)),
    ("engages in contact", "parted", "M-4.2", change("announce", 0, disengages=None)),
    ("no try to disengage", "parted", "M-7.4", without("disengage", 0)),
    ("moves after failing", "parted", "M-7.5", moves_after_failing),
    ("redirected at the unseen", "redirected", "M-4.7", screen),
    ("redirected too far", "redirected", "M-4.1", card(1, MOU=8)),
    (
        "cast by another's leave",
        "redirected",
        "A-5.6",
        lambda s: s[0][1]["mystics"][0].update({"outside": False}),
    ),
    ("disengages from nobody", "spells", "M-7.1", change("announce", 0, disengages="force")),
    # maintenance and end
    ("stunned kept", "assault", "T-5.3", stunned_kept),
    ("marker kept", "assault", "T-5.3", without("markers", what="markers")),
    ("wounds that heal", "assault", "T-5.3", change("markers", 0, before="stunned", after="light")),
    ("destroyed", "chain", "T-1", change("score", 0, destroyed=[0, 0])),
    ("points", "chain", "T-1", change("end", 0, points=[40, 0])),
    ("winner", "chain", "T-1", change("end", 0, winner=1)),
    ("turn left out", "parting", "T-1", change("turn", 1, turn=3)),
    ("no end", "chain", "T-1", without("end")),
    ("steps after the end", "chain", "T-1", lambda s: s.append(("turn", {"turn": 2}))),
    ("ends too early", "chain", "T-1", lambda s: s[0][1].update(turns=3)),
]


@pytest.mark.parametrize("case", audit_cases.ALL)
def test_a_right_transcript_breaks_nothing(case):
    assert audit(audit_cases.ALL[case](), CONFFEDE) == []


@pytest.mark.parametrize(
    ("case", "clause", "mutate"),
    [pytest.param(*rest, id=name) for name, *rest in MUTATIONS],
)
def test_a_broken_transcript_names_the_clause(case, clause, mutate):
    steps = audit_cases.ALL[case]()
    mutate(steps)
    breaches = audit(steps, CONFFEDE)
    assert clause in [breach.clause for breach in breaches], breaches


def written(path: Path, steps: Steps) -> Path:
    rows = [{"step": kind, **data} for kind, data in steps]
    path.write_text(json.dumps(rows), "utf-8")
    return path


def test_a_file_is_read_as_its_steps(tmp_path):
    steps = audit_cases.chain()
    assert read_transcript(written(tmp_path / "battle.json", steps)) == steps


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is no JSON"),
        ("{}", "should be a list of steps"),
        ("[]", "should be a list of steps"),
        ("[3]", "step 0: should be like"),
        ('[{"step": "turn", "turn": 1}]', 'the first step should be "battle"'),
        ('[{"step": "battle"}]', r'step 0 \(battle\): has no "turns"'),
    ],
)
def test_a_wrong_file_gets_one_clear_message(tmp_path, text, message):
    path = tmp_path / "battle.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: {message}"):
        read_transcript(path)


def test_a_missing_file_gets_one_clear_message(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        read_transcript(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("kind", "new", "message"),
    [
        ("speak", {"move": "pass"}, r"step 6 \(speak\): \"move\" should be 'top', 'to_reserve'"),
        ("move", {"fighter": 9}, r'"fighter" should be the number of a fighter, not 9'),
        ("move", {"at": [1.0]}, r"step 9 \(move\): at: has no item 1"),
        ("move", {"short": 2}, '"short" should be true or false, not 2'),
        ("wound", {"dice": [[0, 1]]}, "dice: item 0: has no item 2"),
        (
            "wound",
            {"dice": [[0, "6", 0]]},
            "dice: item 0: item 1 should be a whole number, not '6'",
        ),
        ("markers", {"before": [3]}, '"before" should be a text'),
        ("battle", {"terrain": [{"name": "x"}]}, 'terrain: item 0: has no "corners"'),
        ("battle", {"survival": [{"fighter": 9, "points": 1}]}, "the number of a fighter, not 9"),
    ],
)
def test_a_wrong_value_names_step_and_value(kind, new, message):
    steps = audit_cases.assault()
    data_of(steps, kind).update(new)
    with pytest.raises(InputError, match=message):
        audit(steps, CONFFEDE)


def test_an_unknown_step_gets_the_nearest_one():
    steps = audit_cases.assault()
    steps[3] = ("sequense", steps[3][1])
    with pytest.raises(InputError, match='step 3: no step "sequense"; nearest: sequence'):
        audit(steps, CONFFEDE)


def test_the_edition_is_the_one_that_the_transcript_names():
    steps = audit_cases.assault()
    assert edition_of(steps) is CONFFEDE
    steps[0][1]["edition"] = "conffede+many_dice=one_chain"
    assert edition_of(steps) == CONFFEDE.with_rule("many_dice=one_chain")
    steps[0][1]["edition"] = "conffedee"
    with pytest.raises(InputError, match=r"nearest: conffede.*give --edition"):
        edition_of(steps)


def mangled(steps: Steps, rng: Random) -> None:
    """Leave out, repeat or exchange steps, or give a value that another step has."""
    at = rng.randrange(1, len(steps))
    kind, data = steps[at]
    way = rng.randrange(4)
    if way == 0:
        del steps[at]
    elif way == 1:
        steps.insert(rng.randrange(1, len(steps)), (kind, dict(data)))
    elif way == 2:
        other = rng.randrange(1, len(steps))
        steps[at], steps[other] = steps[other], steps[at]
    else:
        known = [(key, value) for _, other in steps for key, value in other.items() if key in data]
        key, value = rng.choice(known or [("fighter", 0)])
        data[key] = value


@pytest.mark.parametrize("case", audit_cases.ALL)
def test_whatever_is_wrong_the_checker_answers(case):
    rng = Random(case)
    found = 0
    for _ in range(150):
        steps = audit_cases.ALL[case]()
        for _ in range(rng.randint(1, 4)):
            mangled(steps, rng)
        with suppress(InputError):
            found += bool(audit(steps, CONFFEDE))
    assert found > 60


# What no battle says.
STRANGE = (
    *(None, True, -1, 0, 7, 10**30, -(2**70), 0.5, 5e-324, 1e308, float("nan"), float("inf")),
    *("", "dead", "x" * 1000, "\x1b[31m", [], {}, [0, 0], [1e308, 1e308], [1e-200, 0], [[0, 1, 2]]),
    *([None], {"a": 1}),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Any:
    """Yield where something stands in what a step says, each as keys and numbers."""
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield (*path, key)
            yield from places(value[key], (*path, key))


def damaged(steps: Steps, rng: Random) -> None:
    """Replace, leave out or repeat something at any depth of one step, often the first."""
    data = rng.choice([steps[0], rng.choice(steps)])[1]
    *path, last = rng.choice(list(places(data)) or [("new",)])
    box: Any = data
    for key in path:
        box = box[key]
    if isinstance(box, list) and rng.random() < 0.1:
        box.insert(last, copy.deepcopy(box[last]))
    elif last in (box if isinstance(box, dict) else range(len(box))) and rng.random() < 0.1:
        del box[last]
    else:
        box[last] = copy.deepcopy(rng.choice(STRANGE))


@pytest.mark.parametrize("case", audit_cases.ALL)
def test_a_damaged_transcript_is_refused_or_checked(case):
    rng = Random(f"damaged {case}")
    refused = 0
    for _ in range(35):
        steps = audit_cases.ALL[case]()
        for _ in range(rng.choice((1, 1, 2, 3))):
            damaged(steps, rng)
        refused += 1
        with suppress(InputError):
            audit(steps, edition_of(steps))
            refused -= 1
    assert refused > 15


@pytest.mark.parametrize(
    ("number", "new", "wanted"),
    [
        (0, {"facing": [0, 0]}, r'"facing" should be a direction \[x, y\] of length 1'),
        (0, {"facing": [1, 1]}, r'"facing" should be a direction \[x, y\] of length 1'),
        (0, {"at": [1e308, 0]}, "at: item 0 should be at most 1000000"),
        (0, {"width": 5e-324}, r'"width" should be at least 0\.001'),
        (0, {"depth": float("nan")}, '"depth" should be at most 1000000, not nan'),
        (0, {"label": "\x1b[31m"}, '"label" should be a short text without invisible'),
        (0, {"INI": 10**30}, '"INI" should be at most 1000000'),
        (
            0,
            {"effects": ["lucky"]},
            "effects: item 0 should be a word that is known; nearest: luck",
        ),
        (0, {"numbers": {"luck_test": 1}}, 'numbers: "luck_test" should be a word that is known'),
    ],
)
def test_numbers_that_no_battle_has_are_refused(number, new, wanted):
    steps = audit_cases.assault()
    steps[0][1]["fighters"][number].update(new)
    with pytest.raises(InputError, match=rf"step 0 \(battle\): fighters: item {number}: {wanted}"):
        audit(steps, CONFFEDE)


def test_terrain_without_area_is_refused():
    steps = audit_cases.assault()
    flat = {"name": "x", "corners": [[1, 1], [1, 1], [2, 2]], "impassable": True, "height": 1}
    steps[0][1]["terrain"] = [{**flat, "size": 1}]
    with pytest.raises(InputError, match='"corners" should be a list of three or more points'):
        audit(steps, CONFFEDE)


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 40 + "]" * 40, '[{"step": "battle"'])
def test_deep_or_broken_json_is_refused_in_a_line(text, tmp_path):
    path = tmp_path / "battle.json"
    path.write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"is no JSON|objects and lists in one another"):
        read_transcript(path)


def test_the_command_prints_that_no_clause_is_broken(tmp_path):
    steps = audit_cases.chain()
    done = estoc("audit", written(tmp_path / "battle.json", steps))
    assert (done.code, done.out, done.err) == (0, f"no clause is broken ({len(steps)} steps)\n", "")


def test_the_command_prints_each_breach(tmp_path):
    steps = audit_cases.chain()
    data_of(steps, "end")["winner"] = 1
    done = estoc("audit", written(tmp_path / "battle.json", steps))
    assert done.code == 1
    assert re.search(rf"^ *{len(steps) - 1} +T-1 +side A wins *$", done.out, re.MULTILINE)


def test_the_command_takes_another_edition(tmp_path):
    path = written(tmp_path / "battle.json", audit_cases.assault())
    assert estoc("audit", path, "--edition", "conffede").code == 0
    for words in (("--edition", "conffede"), ()):
        done = estoc("audit", path, *words, "--rule", "penalty.light.FOR=0")
        assert done.code == 1
        assert "Bea strikes Ada with FOR 5, not 4" in " ".join(done.out.split())


def test_the_command_refuses_a_wrong_file_in_one_line(tmp_path):
    path = tmp_path / "battle.json"
    path.write_text('[{"step": "battle"}]', "utf-8")
    done = estoc("audit", path)
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1


def test_nobody_is_touched_by_more_than_eight():
    many = [fighter(f"B{k}", 1, (40, 20 + 2.5 * k), LEFT) for k in range(9)]
    tale = Tale(fighter("Gog", 0, (40, 30), RIGHT, width=30.0, depth=5.0), *many)
    tale.begin(1, [[0], [0]], [0, 1], 0)
    tale.speak(0, "top", [0], top=0)
    tale.move(0, "turn", (40, 30), RIGHT, 0.0, touched=list(range(1, 10)))
    assert "M-7.6" in [breach.clause for breach in audit(tale.steps, CONFFEDE)]
    del tale.steps[0][1]["fighters"][-1]
    data_of(tale.steps, "move")["touched"].pop()
    assert "M-7.6" not in [breach.clause for breach in audit(tale.steps, CONFFEDE)]
