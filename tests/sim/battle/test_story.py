"""A battle told in words: every step, in lines of at most 80 columns."""

from pathlib import Path

import pytest
from battle_script import ADA, BATTLE, BEN, CID, DOT, FIGHTERS, HEADER, moved, step, wounded

from estoc.sim.battle.log import Step
from estoc.sim.battle.story import battle_text

GOLDEN = Path(__file__).parents[2] / "golden" / "battle.txt"
FRAMES = {"battle", "combat"}  # what comes after them hangs on them
SILENT = {"end_combat"}


def after(*steps: Step) -> str:
    """Return what some steps say, after the header of the battle."""
    return battle_text([HEADER, *steps]).removeprefix(battle_text([HEADER])).strip("\n")


def test_a_whole_battle():
    assert battle_text(BATTLE) + "\n" == GOLDEN.read_text(encoding="utf-8")


@pytest.mark.parametrize("i", [i for i, s in enumerate(BATTLE) if s.kind not in FRAMES])
def test_every_step_is_told(i):
    """Without a step the story is another one."""
    without = battle_text([*BATTLE[:i], *BATTLE[i + 1 :]])
    assert (without == battle_text(BATTLE)) == (BATTLE[i].kind in SILENT)


def test_lines_have_at_most_80_columns():
    long = [{**f, "label": f"{f['label']}, {'Extraordinairement' * 3}"} for f in FIGHTERS]
    steps = [Step("battle", {**HEADER.data, "fighters": long}), *BATTLE[1:]]
    lines = battle_text(steps).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) > len(battle_text(BATTLE).splitlines())


@pytest.mark.parametrize(
    ("told_step", "text"),
    [
        (moved(ADA, "turn", (10, 15), length=0.0), "Ada turns on the spot"),
        (moved(ADA, "run", (1, 2.25), length=12.345), "Ada runs: 12.3 cm, to 1, 2.2"),
        (
            moved(ADA, "charge", (1, 2), targets=[CID, DOT], redirected=True, touched=[CID, DOT]),
            "Ada charges Cid and Dot#1, redirected (M-4.7): 5 cm, to 1, 2; touches Cid and Dot#1",
        ),
        (
            step("coin", purpose="separation", winner=1),
            "Test for the separation: a coin decides; B wins",
        ),
        (
            wounded(ADA, CID, "nothing", "unhurt", 1, 2),
            "wound 1, 2: 2 + FOR 5 − RES 6 = 1: nothing; Cid: unhurt",
        ),
        (wounded(ADA, CID, "serious", "dead", 5, 2), "serious; Cid is dead (wounds add up, W-3.1)"),
        (wounded(ADA, CID, "killed", "dead", 6, 6), "killed (6-6, W-2.2); Cid is dead"),
        (
            step(
                "separation", melee=1, side=0, combats=[[CID, ADA, BEN]], cause="melee", by=-1
            ),
            "Melee 2, separated by A: Cid against Ada and Ben",
        ),
        (
            step(
                "separation", melee=1, side=1, combats=[[CID, ADA]], cause="pursuit", by=CID
            ),
            "B separates anew (C-8.4): Cid against Ada",
        ),
        (step("penalties", fighters=[]), ""),
        (step("end", turn=3, points=[4, 4], winner=-1), "End after turn 3: 4 points to 4: a draw."),
        (
            step(
                "upkeep", fighter=BEN, stage="other", source=BEN, effect=0, before=1, after=1,
                goes_on=False, dice=[],
            ),
            "Ben does not pay an upkeep (T-5.3): the effect ends",
        ),
    ],
)  # fmt: skip
def test_what_a_step_says(told_step, text):
    said = " ".join(after(told_step).split())
    assert said.endswith(text)
    assert bool(said) == bool(text)


def test_a_side_without_a_card_has_an_empty_pile():
    assert after(step("sequence", side=1, cards=[])) == "B's pile, the top first: no card"


def test_who_plays_a_card_of_the_dead_activates_nobody():
    spoken = {"side": 0, "move": "top", "top": 0, "reserve": -1, "held": 0, "refusals": 0}
    text = "A plays Ada (A-2.1): nobody of it is alive"
    assert after(Step("speak", {**spoken, "fighters": []})) == text
    assert after(Step("speak", {**spoken, "fighters": [ADA]})) == "A plays Ada (A-2.1)"
