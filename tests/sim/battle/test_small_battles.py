"""Small battles whose right answer a player sees at a glance, by the rules that they show."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from estoc.sim.audit.audit import audit
from estoc.sim.base.options import Options
from estoc.sim.battle.log import Step
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.steps import battle_steps
from reference.battle import replayed

FIGHTERS = """\
name,people,MOU,INI,ATT,FOR,DEF,RES,TIR,COU,PEUR,DIS,PA,size,power,base,weapon,weapon_FOR,ranges
Soldat,Rouges,10,3,3,5,3,5,,4,,3,20,moyenne,1,25x25,,,
Paysan,Rouges,10,2,2,3,2,4,,3,,2,8,moyenne,1,25x25,,,
Peureux,Rouges,10,3,3,5,3,5,,1,,3,20,moyenne,1,25x25,,,
Archer,Rouges,10,3,2,3,2,4,4,4,,3,20,moyenne,1,25x25,bow,4,25/45/65
Guerrier,Bleus,10,3,3,5,3,5,,4,,3,20,moyenne,1,25x25,,,
Colosse,Rouges,10,4,6,10,4,10,,6,,3,80,grande,2,37.5x37.5,,,
Monstre,Bleus,15,4,5,9,4,9,,,9,1,70,grande,2,37.5x37.5,,,
"""


def fighter(name: str, side: str, x: float, y: float, facing: float, label: str = "") -> str:
    return (
        f'[[fighters]]\nname = "{name}"\nlabel = "{label or name}"\nside = "{side}"\n'
        f"at = [{x}, {y}]\nfacing = {facing}\n"
    )


def told(
    folder: Path, fighters: Sequence[str], policies: tuple[str, str], trials: int, turns: int = 1
) -> Iterator[list[Step]]:
    """Battles step by step; the plain reading and the checker agree with each."""
    (folder / "fighters.csv").write_text(FIGHTERS)
    head = f'name = "small"\ntable = [90, 60]\nturns = {turns}\n'
    (folder / "small.toml").write_text("\n".join((head, *fighters)))
    options = Options(fighters=(str(folder / "fighters.csv"),))
    question = ask_battle(str(folder / "small.toml"), policies, options=options)
    battles = question.compiled(1)
    for trial in range(trials):
        steps = battle_steps(battles, question.scenario, question.edition, trial, policies)
        assert audit(steps, question.edition) == []
        assert [s.kind for s in replayed(steps, question.edition)] == [s.kind for s in steps]
        yield steps


def test_all_whom_a_frightening_pursuer_touches_test_courage(tmp_path: Path) -> None:
    """W-4.1, C-8.1: P1 and P2 stand side by side behind the one whom he has killed."""
    fighters = (
        fighter("Monstre", "B", 30, 30, 0),
        fighter("Paysan", "A", 30, 30, 180) + 'wounds = "critical"\n',
        fighter("Peureux", "A", 35, 31.25, 180, "P1"),
        fighter("Peureux", "A", 35, 28.75, 180, "P2"),
    )
    pursued = 0
    for steps in told(tmp_path, fighters, ("defensive", "aggressive"), 40):
        for number, step in enumerate(steps):
            if step.kind == "move" and step.data["action"] == "pursue":
                touched = set(step.data["touched"])
                if touched == {2, 3}:
                    after = [s.data["fighter"] for s in steps[number:] if s.kind == "courage"]
                    assert set(after) == touched
                    pursued += 1
    assert pursued > 5


@pytest.mark.parametrize("policy", ["shooting-line", "by-odds"])
def test_a_shooter_sees_past_three_melees(tmp_path: Path, policy: str) -> None:
    """W-6: the three nearest enemies cannot be shot at; the fourth stands in the open."""
    fighters = [fighter("Archer", "A", 20, 30, 0)]
    for n, y in enumerate((20, 30, 40), 1):
        fighters += [fighter("Soldat", "A", 37, y, 0, f"S{n}")]
        fighters += [fighter("Guerrier", "B", 37, y, 180, f"G{n}")]
    fighters += [fighter("Guerrier", "B", 50, 25, 180, "open")]
    shots = 0
    for steps in told(tmp_path, fighters, (policy, "defensive"), 20):
        shots += any(s.kind == "shoot" and s.data["target"] == 7 for s in steps)
    assert shots > 0


@pytest.mark.parametrize(
    ("a", "b", "edge", "axis", "sign"),
    [
        ((60, 26), (20, 26), "right", 0, 1),
        ((20, 26), (60, 26), "left", 0, -1),
        ((40, 45), (40, 10), "top", 1, 1),
        ((40, 10), (40, 45), "bottom", 1, -1),
    ],
)
def test_a_side_flees_to_the_edge_behind_it(
    tmp_path: Path, a: tuple[int, int], b: tuple[int, int], edge: str, axis: int, sign: int
) -> None:
    """W-4.3: towards its own edge, which is where it began, not past the monster."""
    fighters = [fighter("Peureux", "A", a[0], a[1] + 4 * n, 0, f"P{n}") for n in range(3)]
    fighters += [fighter("Monstre", "B", *b, 0)]
    fled = 0
    for steps in told(tmp_path, fighters, ("aggressive", "aggressive"), 20, turns=3):
        assert steps[0].data["edges"][0] == edge
        at = {n: card["at"] for n, card in enumerate(steps[0].data["fighters"])}
        for step in steps:
            if step.kind == "move":
                who, now = step.data["fighter"], step.data["at"]
                if step.data["action"] == "flee":
                    assert sign * (now[axis] - at[who][axis]) > 0
                    fled += 1
                at[who] = now
    assert fled > 5


def test_a_scenario_may_say_which_edge_is_a_side_s(tmp_path: Path) -> None:
    fighters = ['[sides.A]\nedge = "top"\n', fighter("Peureux", "A", 60, 26, 0)]
    fighters += [fighter("Monstre", "B", 20, 26, 0)]
    for steps in told(tmp_path, fighters, ("aggressive", "aggressive"), 1):
        assert steps[0].data["edges"] == ["top", "left"]


def test_one_charges_two_who_stand_side_by_side(tmp_path: Path) -> None:
    """M-4.5, M-5.2: both are named, and power 2 on 1 + 1 gives both the penalty."""
    fighters = [fighter("Colosse", "A", 20, 30, 0)]
    fighters += [fighter("Guerrier", "B", 34, y, 180, f"G{y}") for y in (31.25, 28.75)]
    charged = 0
    for steps in told(tmp_path, fighters, ("aggressive", "defensive"), 20):
        moves = [s.data for s in steps if s.kind == "move" and s.data["fighter"] == 0]
        for move in moves:
            if move["action"] == "charge":
                announced = next(s.data for s in steps if s.kind == "announce")
                assert sorted(announced["targets"]) == sorted(move["targets"]) == [1, 2]
                penalties = next(s.data for s in steps if s.kind == "penalties")
                assert penalties["fighters"] == [1, 2]
                charged += 1
    assert charged > 5
