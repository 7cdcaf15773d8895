"""The kernel of the actions against the plain reading: all sequences, all facts, both editions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.actions import (
    ACTIONS,
    STEPS,
    Action,
    Attempt,
    Ban,
    Cell,
    Fact,
    Step,
)
from estoc.kernels.phases.actions import advance, bans, standing
from estoc.profiles import InputError, load_edition
from estoc.profiles.compile.actions import (
    FACTS,
    STEP_NAMES,
    ban_entry,
    compile_actions,
    facts_mask,
    step_code,
)
from estoc.profiles.edition.rulebook import KEYS
from reference import actions as plain

EDITIONS = {name: load_edition(name) for name in ("conffede", "c3")}
TABLES = {name: compile_actions(edition) for name, edition in EDITIONS.items()}
DEPTH = 4
ALL_FACTS = [set(words) for n in range(len(FACTS) + 1) for words in combinations(FACTS, n)]
ENDINGS = {"disengage": ((Attempt.SUCCEEDED, "disengaged"), (Attempt.FAILED, "failed"))}


def outcomes(step):
    """How a step can end: (attempt, word of a past)."""
    return ENDINGS.get(step, ((0, step),))


def test_both_have_the_same_words():
    assert STEP_NAMES == plain.STEPS
    assert set(FACTS) == set(plain.FACTS)
    assert (len(STEP_NAMES), len(FACTS)) == (STEPS, len(Fact))


@pytest.mark.parametrize("name", EDITIONS)
def test_all_sequences_with_all_facts(name):
    edition, table, older = EDITIONS[name], TABLES[name], name == "c3"
    met = set()

    def clause_of(ban, step, past):
        return ban_entry(edition, Ban(ban), step, plain.exclusive_before(past)).clause

    def compare(facts, mask, past, done):
        found = bans(table, mask, done).tolist()
        for code, step in enumerate(plain.STEPS):
            clauses = plain.forbidding(older, facts, past, step)
            met.add(found[code])
            assert (found[code] == Ban.NONE) == (not clauses), (facts, past, step)
            if clauses:
                assert clause_of(found[code], step, past) in clauses, (facts, past, step)
            elif len(past) < DEPTH - 1:
                for attempt, word in outcomes(step):
                    after = done.copy()
                    advance(table, after, code, attempt)
                    compare(facts, mask, (*past, word), after)

    for facts in ALL_FACTS:
        compare(facts, facts_mask(facts), (), np.zeros(STEPS, np.int64))
    assert met == set(Ban)


@settings(deadline=None)  # the first one compiles
@given(st.data())
def test_sequences_while_things_change(data):
    """A spell or a move may free a fighter, show it a target, or cost it its line of sight."""
    name = data.draw(st.sampled_from(sorted(EDITIONS)))
    table, past, done = TABLES[name], [], np.zeros(STEPS, np.int64)
    for _ in range(8):
        facts = data.draw(st.sets(st.sampled_from(FACTS), min_size=3))
        found = bans(table, facts_mask(facts), done).tolist()
        legal = [s for s in plain.STEPS if not plain.forbidding(name == "c3", facts, past, s)]
        assert [s for s, ban in zip(plain.STEPS, found, strict=True) if ban == Ban.NONE] == legal
        if legal:
            step = data.draw(st.sampled_from(legal))
            attempt, word = data.draw(st.sampled_from(outcomes(step)))
            advance(table, done, step_code(step), attempt)
            past.append(word)


@pytest.mark.parametrize("name", EDITIONS)
def test_potential_and_still_shots(name):
    """M-7.4, M-8, A-5.5."""
    table, older = TABLES[name], name == "c3"
    facts = {*FACTS} - {"assaulted", "surrounded"}
    seen = set()

    def compare(facts, past, done):
        *moves, still = standing(table, done).tolist()
        assert moves == [plain.potential(past, action) for action in plain.ACTIONS], past
        assert bool(still) == plain.is_still(past), past
        seen.add(still)
        for code, step in enumerate(plain.STEPS):
            if len(past) < DEPTH and not plain.forbidding(older, facts, past, step):
                for attempt, word in outcomes(step):
                    after = done.copy()
                    advance(table, after, code, attempt)
                    compare(facts, (*past, word), after)

    for known in (facts, facts - {"free"}):
        compare(known, (), np.zeros(STEPS, np.int64))
    assert seen == {0, 1}


# What a value of an edition changes


def walk_through(edition, facts, *steps):
    """Bans of the steps, each done if it is legal."""
    table, done, found = compile_actions(edition), np.zeros(STEPS, np.int64), []
    for step in steps:
        word, _, failed = step.partition(" ")
        ban = int(bans(table, facts_mask(facts), done)[step_code(word)])
        found.append(Ban(ban))
        if ban == Ban.NONE:
            attempt = Attempt.FAILED if failed else Attempt.SUCCEEDED
            advance(table, done, step_code(word), attempt * (word == "disengage"))
    return found, bool(standing(table, done)[ACTIONS])


SHOOTER = ("free", "aim", "ranged_weapon", "line_of_sight")
CASTER = ("caster",)


@pytest.mark.parametrize(
    ("rule", "facts", "steps", "with_rule", "without"),
    [
        ("actions.shoot.times=2", SHOOTER, "shoot shoot", Ban.NONE, Ban.TIMES),
        ("walk_announced=false", SHOOTER, "shoot walk", Ban.NONE, Ban.ANNOUNCED),
        ("turning_counts=true", SHOOTER, "turn walk", Ban.TIMES, Ban.NONE),
        ("actions.walk.times=0", SHOOTER, "walk walk walk", Ban.NONE, Ban.TIMES),
        ("actions.mystic.times=1", CASTER, "mystic mystic", Ban.TIMES, Ban.NONE),
        ("actions.mystic.in_contact=false", CASTER, "mystic", Ban.CONTACT, Ban.NONE),
        ("actions.mystic.needs=[]", (), "mystic", Ban.NONE, Ban.NEEDS),
        ('actions.mystic.after=["shoot"]', (*CASTER, "free"), "walk mystic", Ban.AFTER, Ban.NONE),
        ("disengage.after=[]", CASTER, "mystic disengage", Ban.AFTER, Ban.NONE),
        ("disengage.unless=[]", ("assaulted",), "disengage", Ban.NONE, Ban.BARRED),
        ('unless=["surrounded"]', ("assaulted",), "disengage", Ban.NONE, Ban.BARRED),
        ("run.after_disengaging=true", (), "disengage run", Ban.NONE, Ban.DISENGAGED),
        ("in_sight_after_disengaging=false", (), "disengage engage", Ban.NEEDS, Ban.NONE),
        ('actions.run.after=["walk"]', SHOOTER, "walk run", Ban.NONE, Ban.AFTER),
        (
            'shoot.after_if_combines=["run"]',
            (*SHOOTER, "combines"),
            "run shoot",
            Ban.NONE,
            Ban.EXCLUSIVE,
        ),
    ],
)
def test_each_rule_is_data(rule, facts, steps, with_rule, without):
    plainly = EDITIONS["conffede"]
    assert walk_through(plainly, facts, *steps.split())[0][-1] == without
    found, _ = walk_through(plainly.with_rule(rule), facts, *steps.split())
    assert found[-1] == with_rule
    assert set(found[:-1]) <= {Ban.NONE}


def test_who_failed_stays_even_if_its_enemy_dies():
    """M-7.5: a spell may free it; it stays, but may shoot."""
    edition = EDITIONS["conffede"]
    table, done = compile_actions(edition), np.zeros(STEPS, np.int64)
    advance(table, done, Step.DISENGAGE, Attempt.FAILED)
    found = bans(table, facts_mask([*SHOOTER, "sees_target"]), done)
    assert found[Action.WALK] == found[Action.CHARGE] == found[Step.TURN] == Ban.STAYS
    assert found[Action.SHOOT] == Ban.NONE
    free = compile_actions(edition.with_rule("failure_stays=false"))
    assert bans(free, facts_mask(SHOOTER), done)[Action.WALK] == Ban.NONE
    assert bans(free, facts_mask([*SHOOTER, "sees_target"]), done)[Action.ENGAGE] == Ban.NEEDS


def test_shots_split_around_the_walk():
    """A-5.5: an effect that allows three shots."""
    edition = EDITIONS["c3"].with_rule("actions.shoot.times=3")
    steps = ("announce_walk", "shoot", "walk", "shoot", "shoot")
    found, still = walk_through(edition, SHOOTER, *steps)
    assert set(found) == {Ban.NONE}
    assert not still
    assert walk_through(edition, SHOOTER, "shoot", "announce_walk")[0][-1] == Ban.ANNOUNCED


@pytest.mark.parametrize(
    ("rule", "steps", "still"),
    [
        ("still_bonus=true", "", True),
        ("still_bonus=false", "", False),
        ("disengaged_moved=true", "disengage", False),
        ("disengaged_moved=false", "disengage", True),
        ("disengaged_moved=true", "disengage failed", True),
        ("still_bonus=true", "turn", False),
        ("still_bonus=true", "announce_walk", False),
    ],
)
def test_the_bonus_of_a_still_shooter(rule, steps, still):
    """A-5.5, M-1.5."""
    facts = set(SHOOTER) - ({"free"} if "disengage" in steps else set())
    words = [steps] if steps else []
    assert walk_through(EDITIONS["conffede"].with_rule(rule), facts, *words)[1] is still


# The arrays


@pytest.mark.parametrize("name", EDITIONS)
def test_the_table_is_the_summary_of_moves(name):
    """M-8."""
    rows = TABLES[name].rows
    assert rows[:, Cell.POTENTIAL].tolist() == [2, 2, 2, 1, 1, 0, 0]
    assert rows[:, Cell.POTENTIAL_DISENGAGED].tolist() == [1, 1, 1, 1, 1, 0, 0]
    assert rows[:, Cell.EXCLUSIVE].tolist() == [1, 1, 1, 1, 0, 0, 0]
    assert rows[:, Cell.AFTER_DISENGAGING].tolist() == [0, 1, 0, 0, 1, 1, 1]
    contacts = [EDITIONS[name][f"actions.{a}.contact"] for a in plain.ACTIONS[:5]]
    assert contacts == ["compulsory"] * 2 + ["forbidden"] * 3


def test_every_value_has_a_clause_of_these_rules():
    for edition in EDITIONS.values():
        for key in (key for key in KEYS if key.startswith("actions.")):
            entry = edition.entry(key)
            assert entry.clause.startswith(("A-5.", "M-")), key


def test_the_older_edition_says_by_itself_what_its_chapter_has():
    """M-9: only what it does not say is taken from the newer one."""
    c3 = EDITIONS["c3"]
    assert set(c3.assumed(["actions"])) == {
        "actions.under_cover.contact",
        "actions.engage.in_sight_after_disengaging",
        *(f"actions.{name}.after_if_combines" for name in ("walk", "shoot", "mystic")),
        *(f"actions.disengage.{key}" for key in ("after", "unless", "failure_stays")),
    }
    differing = [
        a.key
        for a, b in zip(c3.values, EDITIONS["conffede"].values, strict=True)
        if a.value != b.value and a.key.startswith("actions.")
    ]
    assert set(differing) == {
        "actions.under_cover.needs",
        "actions.walk.turning_counts",
        "actions.shoot.after_if_combines",
        "actions.mystic.after_if_combines",
    }


def test_unknown_words():
    with pytest.raises(InputError, match='fact "fre": nearest: free'):
        facts_mask(["fre"])
    with pytest.raises(InputError, match='action "walks": nearest: walk'):
        step_code("walks")
    with pytest.raises(InputError, match=r"actions\.walk\.after item 1 should be"):
        EDITIONS["conffede"].with_rule('actions.walk.after=["jump"]')
