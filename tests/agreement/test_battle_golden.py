"""Battles told in full: each is a case of the rules, and checker and reference accept it."""

import os
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest
from battle_follower import followed

from estoc.profiles import Roster, load_edition
from estoc.sim.audit.audit import audit
from estoc.sim.base.options import Options
from estoc.sim.battle.log import Step
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.steps import Transcript, transcript
from reference.battle import replayed
from tests.agreement.test_battles import alike

GOLDEN = Path(__file__).parents[1] / "golden"
FIGHTERS = "fighters.csv"
EDITION = load_edition("conffede")
Steps = tuple[Step, ...]
Combat = tuple[int, ...]


class Chase(NamedTuple):
    """What a survivor does, and what follows of it (C-8).

    reached : enemies that he touches then
    fought : those who have fought before
    waiting : combats that were still to be resolved, the lone fighter first
    combats : those that follow at once
    anew : combats of each separation that follows
    later : combats of the phase after these
    """

    fighter: int
    choice: str
    reached: list[int]
    fought: set[int]
    waiting: list[Combat]
    combats: list[Combat]
    anew: list[list[Combat]]
    later: list[Combat]


def chases(steps: Steps) -> Iterator[Chase]:
    """The pursuits of a battle."""
    fought: set[int] = set()
    waiting: list[Combat] = []
    following = list(followed(steps))
    for at, (step, field) in enumerate(following):
        if step.kind == "turn":
            fought, waiting = set(), []
        elif step.kind == "separation":
            parted = {i for combat in step.data["combats"] for i in combat}
            waiting = [combat for combat in waiting if not parted & set(combat)]
            waiting += map(tuple, step.data["combats"])
        elif step.kind == "combat":
            fought |= set(step.data["fighters"])
            waiting = [combat for combat in waiting if not fought & set(combat)]
        elif step.kind == "pursuit":
            i = step.data["fighter"]
            after = [other for other, _ in following[at + 1 :]]
            moved = step.data["choice"] != "stay" and after and after[0].kind == "move"
            reached = after[0].data["touched"] if moved else field.touched(i)
            yield Chase(
                i, step.data["choice"], reached, set(fought), list(waiting), *aftermath(after)
            )


def aftermath(after: list[Step]) -> tuple[list[Combat], list[list[Combat]], list[Combat]]:
    """Combats that a pursuit causes, its separations, and the combats after them."""
    caused: list[Combat] = []
    anew: list[list[Combat]] = []
    later: list[Combat] = []
    for step in after:
        if step.kind in ("turn", "score"):
            break
        if step.kind == "separation" and not later:
            anew.append([tuple(combat) for combat in step.data["combats"]])
        if step.kind == "combat":
            now = step.data["cause"] == "pursuit" and not later
            (caused if now else later).append(tuple(step.data["fighters"]))
    return caused, anew, later


# --- what each is an example of -------------------------------------------------------


def reaches_who_has_fought(steps: Steps) -> bool:
    """C-8.3 (a): nothing happens."""
    return any(
        chase.choice == "engage" and chase.reached and set(chase.reached) <= chase.fought
        and not any(chase.fighter in combat for combat in chase.combats)
        for chase in chases(steps)
    )  # fmt: skip


def reaches_who_is_free(steps: Steps) -> bool:
    """C-8.3 (b): a combat at once."""
    return any(
        chase.choice == "engage" and len(chase.reached) == 1
        and not any(chase.reached[0] in (*combat, *chase.fought) for combat in chase.waiting)
        and chase.reached[0] not in chase.fought
        and {chase.fighter, chase.reached[0]} in map(set, chase.combats)
        for chase in chases(steps)
    )  # fmt: skip


def joins(steps: Steps, others: int) -> bool:
    """A pursuer joins the combat of a lone enemy with so many others, at once."""
    return any(
        chase.choice == "engage" and chase.reached == [combat[0]]
        and len(combat) == 1 + others and not chase.anew
        and {*combat, chase.fighter} in map(set, chase.combats)
        for chase in chases(steps)
        for combat in chase.waiting
    )  # fmt: skip


def reaches_who_waits(steps: Steps) -> bool:
    """C-8.3 (c): his combat at once, against one more."""
    return joins(steps, 2)


def makes_two_against_one(steps: Steps) -> bool:
    """C-8.6, the first: A touches Z; B kills Y and engages Z: Z against A and B at once."""
    return any(
        chase.choice == "engage" and len(chase.reached) == 1 and len(combat) == 2
        and chase.reached[0] in combat and not chase.anew
        and (chase.reached[0], *sorted({*combat, chase.fighter} - {chase.reached[0]}))
        in chase.combats
        for chase in chases(steps)
        for combat in chase.waiting
    )  # fmt: skip


def makes_two_of_one(steps: Steps) -> bool:
    """C-8.6, the second: A touches X as well; Z against B at once, A against X later."""
    return any(
        len(chase.anew) == 1 and len(chase.anew[0]) == 2
        and [len(combat) for combat in chase.anew[0]] == [2, 2]
        and len(chase.combats) == 1 and chase.fighter in chase.combats[0]
        and set(chase.anew[0]) == {*chase.combats, *chase.later}
        for chase in chases(steps)
    )  # fmt: skip


def makes_several_combats(steps: Steps) -> bool:
    """C-8.4: two pursuers of one combat, each with a combat of his own, one after the other."""
    found = list(chases(steps))
    return any(
        one.choice == other.choice == "engage" and one.fought == other.fought
        and len(one.combats) >= 2
        and one.fighter in one.combats[0] and other.fighter in one.combats[1]
        for one, other in pairwise(found)
    )  # fmt: skip


def stays_by_another(steps: Steps) -> bool:
    """C-8.5: B kills Y and stays by Z: Z against A and B at once."""
    return any(
        chase.choice == "stay" and len(combat) == 2
        and set(combat) & set(chase.reached) - chase.fought
        and {*combat, chase.fighter} in map(set, chase.combats)
        for chase in chases(steps)
        for combat in chase.waiting
    )  # fmt: skip


def splits(steps: Steps) -> bool:
    """C-1.6: a melee separated into two combats by the side that may."""
    return any(
        step.kind == "separation" and step.data["cause"] == "melee"
        and step.data["side"] >= 0 and len(step.data["combats"]) == 2
        for step in steps
    )  # fmt: skip


def rallies(steps: Steps) -> bool:
    """W-4.4."""
    return any(step.kind == "rally" and not step.data["routed"] for step in steps)


def is_redirected(steps: Steps) -> bool:
    """M-4.7, A-5.4: a spell cast meanwhile kills the target of a charge, which goes elsewhere."""
    killed: set[int] = set()
    for step, field in followed(steps):
        if step.kind == "effect" and step.data["after"] == "dead":
            killed = set(field.dead)
        if step.kind == "move" and step.data["redirected"] and step.data["touched"] and killed:
            return True
    return False


def throws(steps: Steps) -> bool:
    """M-6.3."""
    return any(step.kind == "throw" for step in steps)


def is_whole(steps: Steps) -> bool:
    """Two turns, with shots, spells, charges and a courage test."""
    kinds = {step.kind for step in steps}
    actions = {step.data["action"] for step in steps if step.kind == "move"}
    wanted = {"shoot", "cast", "courage", "combat", "wound", "markers"}
    return wanted <= kinds and "charge" in actions and steps[-1].data["turn"] == 2


class Example(NamedTuple):
    """A trial, and what it shows."""

    scenario: str
    policies: tuple[str, str]
    seed: int
    trial: int
    shows: Callable[[Steps], bool]


BOLD, RANDOM = ("aggressive", "aggressive"), ("random", "random")
EXAMPLES = {
    "fought": Example("fought", BOLD, 1, 744, reaches_who_has_fought),
    "free": Example("free", BOLD, 1, 4, reaches_who_is_free),
    "lone": Example("lone", BOLD, 1, 4, reaches_who_waits),
    "several": Example("free", BOLD, 1, 3, makes_several_combats),
    "stays": Example("split", BOLD, 1, 21, stays_by_another),
    "pair": Example("pair", BOLD, 1, 31, makes_two_against_one),
    "chain": Example("chain", BOLD, 1, 6, makes_two_of_one),
    "split": Example("split", BOLD, 1, 1, splits),
    "rally": Example("rally", BOLD, 1, 8, rallies),
    "redirected": Example("spark", RANDOM, 1, 30, is_redirected),
    "cover": Example("cover", RANDOM, 1, 1, throws),
    "skirmish": Example("skirmish", BOLD, 1, 10, is_whole),
    "skirmish-random": Example("skirmish", ("aggressive", "random"), 1, 4, is_whole),
}


def played(example: Example) -> Transcript:
    """The trial, played in the folder of its files."""
    options = Options(fighters=(FIGHTERS,))
    file, roster = f"battle-{example.scenario}.toml", Roster.load([FIGHTERS])
    question = ask_battle(file, example.policies, options=options, roster=roster)
    return transcript(question, example.seed, example.trial)


@cache
def example(name: str) -> Transcript:
    return played(EXAMPLES[name])


@pytest.fixture(params=EXAMPLES)
def name(request, monkeypatch) -> str:
    monkeypatch.chdir(GOLDEN)
    return request.param


def test_golden(name):
    path, text = GOLDEN / f"battle-{name}.txt", example(name).title + "\n"
    if os.environ.get("ESTOC_REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8", newline="\n")
        pytest.skip(f"{path.name} written")
    assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()


def test_it_shows_what_it_is_an_example_of(name):
    assert EXAMPLES[name].shows(example(name).steps)


def test_the_checker_finds_no_breach(name):
    assert audit(example(name).steps, EDITION) == []


def test_the_reference_plays_the_same(name):
    steps = example(name).steps
    again = replayed(steps, EDITION)
    assert len(again) == len(steps)
    for step, other in zip(steps, again, strict=True):
        assert alike(list(step), list(other)), (step, other)
