"""Activations and speaking turns: legal runs, and the clause of each refusal."""

from itertools import combinations

import pytest
from running import answered, estoc

from estoc.profiles import InputError, load_edition
from estoc.profiles.compile.actions import FACTS
from estoc.sim.phases.actions import NAMES, Activation
from estoc.sim.phases.legality import NOTHING_YET, SITUATIONS, legality
from reference import actions as plain

EDITIONS = {name: load_edition(name) for name in ("conffede", "c3")}
CONFFEDE, C3 = EDITIONS["conffede"], EDITIONS["c3"]
ABLE = {*FACTS} - {"assaulted", "surrounded", "combines"}  # all that an action needs
TOUCHING = ABLE - {"free"}
DEPTH = 4


def refused(clause, call, *words, **more):
    """The message of a refusal, which cites this clause last."""
    with pytest.raises(InputError) as caught:
        call(*words, **more)
    message = str(caught.value)
    assert message.endswith(f"({clause})"), message
    assert "\n" not in message
    return message


def word_of(step, succeeded):
    return step if succeeded is None else ("failed", "disengaged")[succeeded]


def endings(step):
    return (True, False) if step == "disengage" else (None,)


# One activation


@pytest.mark.parametrize("name", EDITIONS)
def test_an_activation_is_the_plain_reading(name):
    """All sequences of up to four steps, with all facts."""
    edition, older = EDITIONS[name], name == "c3"

    def replayed(facts, done):
        activation = Activation(edition, facts)
        for step, succeeded in done:
            activation.do(step, succeeded)
        return activation

    def compare(facts, done):
        activation = replayed(facts, done)
        past = [word_of(*step) for step in done]
        assert activation.steps == tuple(step for step, _ in done)
        for step in plain.STEPS:
            clauses = plain.forbidding(older, facts, past, step)
            clause = activation.clause(step)
            assert clause in clauses if clauses else clause == "", (facts, past, step)
            if not clauses and len(past) < DEPTH - 1:
                for succeeded in endings(step):
                    compare(facts, (*done, (step, succeeded)))

    for n in range(len(FACTS) + 1):
        for facts in combinations(FACTS, n):
            compare(facts, ())


REFUSALS = [  # edition, facts, steps; the last is refused
    ("conffede", ABLE, "charge walk", "A-5.4", "after charge a fighter does nothing else"),
    ("conffede", ABLE, "run shoot", "A-5.4", "after run"),
    ("conffede", ABLE, "walk run", "A-5.4", "it may not follow walk"),
    ("conffede", ABLE, "charge charge", "A-5.4", "after charge"),
    ("conffede", ABLE, "walk mystic walk", "M-2.2", "done as often"),
    ("conffede", ABLE, "shoot shoot", "A-5.5", "done as often"),
    ("conffede", ABLE, "shoot walk", "A-5.5", "announced once, before any shot"),
    ("conffede", ABLE, "shoot announce_walk", "A-5.5", "announced once"),
    ("conffede", ABLE, "announce_walk announce_walk", "A-5.5", "announced once"),
    ("conffede", TOUCHING, "walk", "M-2.1", "touches an enemy"),
    ("conffede", TOUCHING, "turn", "M-2.1", "touches an enemy"),
    ("conffede", TOUCHING, "announce_walk", "M-2.1", "touches an enemy"),
    ("conffede", TOUCHING, "run", "M-3.1", "touches an enemy"),
    ("conffede", TOUCHING, "charge", "M-4.1", "touches an enemy"),
    ("conffede", TOUCHING, "engage", "M-4.2", "touches an enemy"),
    ("conffede", TOUCHING, "under_cover", "M-6.1", "touches an enemy"),
    ("conffede", TOUCHING, "shoot", "A-5.5", "touches an enemy"),
    ("conffede", TOUCHING, "disengage charge", "M-7.4", "not after a disengagement"),
    ("c3", TOUCHING, "disengage charge", "M-4.1", "not after a disengagement"),
    ("conffede", TOUCHING, "disengage disengage", "M-7.1", "has tried already"),
    ("conffede", TOUCHING, "disengage walk disengage", "M-7.1", "has tried already"),
    ("conffede", ABLE, "disengage", "M-7.1", "touches no enemy"),
    ("conffede", ABLE, "walk disengage", "M-7.1", "it may not follow walk"),
    ("conffede", {"assaulted"}, "disengage", "M-7.1", "assaulted in this phase"),
    ("conffede", {"surrounded"}, "disengage", "M-7.1", "no room"),
    ("conffede", {"free"}, "charge", "M-4.1", "it needs sees_target"),
    ("conffede", {"free", "sees_target"}, "engage", "M-4.2", "it needs target_unseen"),
    ("conffede", {"free"}, "under_cover", "M-6.1", "it needs level_0"),
    ("conffede", {"free", "aim"}, "shoot", "A-5.5", "it needs ranged_weapon, line_of_sight"),
    ("conffede", {"free"}, "mystic", "A-5.6", "it needs caster"),
    ("c3", ABLE, "turn walk", "M-2.2", "done as often"),
    ("c3", TOUCHING, "turn", "M-2.1", "touches an enemy"),
    ("c3", ABLE, "run mystic", "A-5.4", "after run"),
    ("c3", {*ABLE, "combines"}, "under_cover mystic", "A-5.4", "after under_cover"),
    ("c3", {*ABLE, "combines"}, "run walk", "A-5.4", "after run"),
    ("c3", {*ABLE, "combines"}, "run shoot shoot", "A-5.5", "done as often"),
]


@pytest.mark.parametrize(("name", "facts", "steps", "clause", "reason"), REFUSALS)
def test_each_refusal_cites_its_clause(name, facts, steps, clause, reason):
    activation = Activation(EDITIONS[name], facts, "Abel")
    *before, last = steps.split()
    for step in before:
        activation.do(step, True if step == "disengage" else None)
    assert not activation.may(last)
    message = refused(clause, activation.do, last, succeeded=True if last == "disengage" else None)
    assert message.startswith(f"Abel: {last}: ")
    assert reason in message
    assert activation.steps == tuple(before)


def test_a_failed_disengagement():
    """M-7.5: it stays; a caster may still cast."""
    activation = Activation(CONFFEDE, TOUCHING)
    activation.do("disengage", succeeded=False)
    refused("M-7.5", activation.do, "walk")
    refused("A-5.5", activation.do, "shoot")
    activation.do("mystic")
    assert activation.steps == ("disengage", "mystic")


def test_things_change_during_an_activation():
    """A-5.6: a spell kills the enemy in contact, then the caster walks."""
    activation = Activation(CONFFEDE, TOUCHING)
    activation.do("mystic")
    refused("M-2.1", activation.do, "walk")
    activation.see(ABLE)
    activation.do("walk")
    activation.do("mystic")


def test_potential_and_still():
    """M-7.4, A-5.5."""
    activation = Activation(CONFFEDE, TOUCHING)
    assert (activation.potential("engage"), activation.still) == (2, True)
    activation.do("disengage", succeeded=True)
    assert (activation.potential("engage"), activation.potential("walk")) == (1, 1)
    assert activation.potential("shoot") == 0
    assert not activation.still
    refused("M-8", activation.potential, "turn")


def test_words_that_are_wrong():
    with pytest.raises(InputError, match='fact "fre": nearest: free'):
        Activation(CONFFEDE, ["fre"])
    activation = Activation(CONFFEDE, ABLE)
    with pytest.raises(InputError, match='action "wlk": nearest: walk'):
        activation.do("wlk")
    refused("M-7", activation.do, "walk", succeeded=True)
    activation.see(TOUCHING)
    refused("M-7", activation.do, "disengage")
    assert activation.steps == ()


# The table of what may follow what


@pytest.mark.parametrize("name", EDITIONS)
def test_the_table_is_the_plain_reading(name):
    """Every pair, with all that actions need: the plain reading asked by itself."""
    older = name == "c3"
    rows = legality(EDITIONS[name])
    assert len(rows) == len(SITUATIONS) * (1 + len(NAMES)) * len(NAMES)

    def legal(facts, *steps):
        return not any(
            plain.forbidding(older, facts, steps[:i], "disengage" if s == "disengaged" else s)
            for i, s in enumerate(steps)
        )

    for row in rows:
        facts = ABLE if row["situation"] == "free" else TOUCHING
        before = ["disengaged"] if row["situation"] == "disengaged" else []
        steps = [row["then"]] if row["first"] == NOTHING_YET else [row["first"], row["then"]]
        if legal(facts, *before, *steps):
            expected = "yes"
        elif legal(facts, *before, "announce_walk", *steps):
            expected = "told"
        elif legal({*facts, "combines"}, *before, *steps):
            expected = "some"
        else:
            expected = "no"
        assert row["allowed"] == expected, row


def cell(edition, situation, first, then):
    (row,) = (r for r in legality(edition) if list(r.values())[:3] == [situation, first, then])
    return f"{row['allowed']} {row['clause']}"


@pytest.mark.parametrize(
    ("name", "situation", "first", "then", "expected"),
    [
        ("conffede", "free", "charge", "walk", "no A-5.4"),
        ("conffede", "free", "walk", "shoot", "yes A-5.3"),
        ("conffede", "free", "shoot", "walk", "told A-5.5"),
        ("conffede", "free", "mystic", "walk", "yes M-2.3"),
        ("conffede", "free", "walk", "walk", "no M-2.2"),
        ("conffede", "free", "mystic", "mystic", "yes A-5.6"),
        ("conffede", "free", NOTHING_YET, "under_cover", "yes M-6.1"),
        ("conffede", "free", "run", "mystic", "no A-5.4"),
        ("c3", "free", "run", "mystic", "some M-9"),
        ("c3", "free", "run", "walk", "no A-5.4"),
        ("conffede", "disengaged", NOTHING_YET, "engage", "yes M-7.4"),
        ("conffede", "disengaged", NOTHING_YET, "run", "no M-7.4"),
        ("conffede", "in contact", NOTHING_YET, "mystic", "yes A-5.6"),
        ("conffede", "in contact", NOTHING_YET, "shoot", "no A-5.5"),
        ("conffede", "in contact", "mystic", "walk", "no M-2.1"),
        ("c3", "disengaged", NOTHING_YET, "run", "no M-3.1"),
    ],
)
def test_cells_of_the_table(name, situation, first, then, expected):
    assert cell(EDITIONS[name], situation, first, then) == expected


def test_the_answer_says_what_is_not_sure():
    for edition in EDITIONS.values():
        result = legality(edition)
        assert result.assumed == edition.assumed(["actions"])
        assert {"A-5.2", "A-5.5", "M-7.1", "M-7.4"} <= set(result.readings)
    assert "M-9" in legality(C3).readings


@pytest.mark.parametrize("name", EDITIONS)
def test_the_command_prints_it_in_80_columns(name):
    done = estoc("actions", "--edition", name)
    assert done.code == 0, done.err
    assert max(map(len, done.out.splitlines())) <= 80
    lines = [line.split() for line in done.out.splitlines()]
    assert ["nothing", "yet", *["yes"] * 7] in lines
    assert ["A-5.4"] * 4 + ["M-2.2", "A-5.3", "A-5.3"] in lines  # after a walk
    assert ("some" in done.out) == (name == "c3")
    turning = {
        "conffede": "is possible when a walk is, and leaves the walk (M-1.5).",
        "c3": "is a walk (M-9).",
    }
    assert turning[name] in " ".join(done.out.split())
    assert answered("actions", "--edition", name) == legality(EDITIONS[name]).rows


def test_the_command_takes_rules():
    rows = answered("actions", "--rule", "actions.shoot.times=2")
    (row,) = (
        r for r in rows if (r["situation"], r["first"], r["then"]) == ("free", *["shoot"] * 2)
    )
    assert row["allowed"] == "yes"


def test_how_far_and_whom_after_a_disengagement():
    """MOU x 1 instead of x 2, and the enemy just left may be engaged again (M-7.4, M-4.2)."""
    rows = {
        (row["situation"], row["then"]): row["potential"]
        for row in legality(load_edition("conffede"))
    }
    assert [rows[where, "engage"] for where in SITUATIONS] == [2, None, 1]
    assert [rows[where, "walk"] for where in SITUATIONS] == [1, None, 1]
    assert [rows["disengaged", action] for action in ("charge", "run", "shoot")] == [None] * 3
    flat = " ".join(estoc("actions").out.split())
    assert "engage exclusive MOU x 2 / x 1" in flat
    assert (
        "every move is MOU x 1 (M-7.4). After it, an engagement may be of an enemy just left "
        "(M-4.2)." in flat
    )
