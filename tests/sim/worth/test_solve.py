"""Best play: what it is worth, how it is told, what habits cost; rules in words that are so."""

import csv
import json
import re
import shlex
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from io import StringIO
from unittest.mock import patch

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, ARKEON, BARE, GUARD, KNOWN, ROSTER, WARRIOR, answered, estoc, process

from estoc.kernels.layout.exact import KEPT, UNROLLED
from estoc.kernels.layout.exact import Played as Is
from estoc.profiles import InputError, Profile
from estoc.profiles.compile.combat import state_names
from estoc.profiles.edition.rulebook import alternatives
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY, POLICIES, parse_policies, parse_policy
from estoc.sim.base.printed import plain_text
from estoc.sim.combat.combat import ask
from estoc.sim.combat.exact import Engine
from estoc.sim.worth import solve as solving
from estoc.sim.worth.advice import advice, percent
from estoc.sim.worth.solve import SECTIONS, solve

CLOSE = 1e-12
BEST = Options(policies=(BEST_PLAY, BEST_PLAY))
SURE = 0.0005  # a share of exceptions that a rule in words may leave out
PAIR = ("solve", GUARD, WARRIOR)
QUICK = ("--score", "points", "--chosen-by", "B", "--policy", "A=bold")  # leaves less to solve
SEVERAL = ("solve", GUARD, "vs", f"{WARRIOR}*2")


@contextmanager
def short():
    """Let solve leave out what takes long: most habits, and the sensitivity to rules."""
    with (
        patch.object(solving, "_HABITS", {"sustain": solving._HABITS["sustain"]}),
        patch.object(solving, "alternatives", lambda *_: []),
    ):
        yield


def habits(*sides, **asked):
    """The rows of all habits, without sensitivity."""
    with patch.object(solving, "alternatives", lambda *_: []):
        return section("habit", result.__wrapped__(*sides, **asked))


@pytest.fixture
def quick():
    with short():
        yield


@cache
def result(a=GUARD, b=WARRIOR, **asked):
    """A whole solution."""
    several = list(b) if isinstance(b, tuple) else b
    return solve(a, several, roster=ROSTER, **asked)


@cache
def rows(a=GUARD, b=WARRIOR, **asked):
    """Rows of a solution, without most habits and without sensitivity."""
    with short():
        return result.__wrapped__(a, b, **asked).rows


def section(name, found):
    return [row for row in found if row["section"] == name]


def value(found):
    (row,) = section("value", found)
    return row["value"]


def law_value(policies, a=GUARD, b=WARRIOR, **options):
    """What the engine says by itself, for A."""
    others = [b] if isinstance(b, str) else b
    asked = ask([ROSTER.find(a)], [ROSTER.find(n) for n in others], Options(**options))
    return Engine().law(replace(asked, options=replace(asked.options, policies=policies))).value


def fighter(name="fighter", **stats):
    return Profile(name, **{"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5, "PA": 10, **stats})


# --- sections ---------------------------------------------------------------------------


def test_sections_and_columns():
    found = result(unseen=True).rows
    listed = list(dict.fromkeys(row["section"] for row in found))
    assert listed == [name for name in SECTIONS if name != "order"]
    assert all(list(row) == list(found[0]) for row in found)
    assert {row["a"] for row in found} == {GUARD}
    assert {row["trials"] for row in found} == {None}
    assert {row["method"] for row in found} == {"exact"}


def test_the_value_is_that_of_exact_odds_by_best_play():
    (best,) = section("value", rows())
    (duel,) = answered("duel", GUARD, WARRIOR, "--policy", "optimal")
    for key in ("value", "p_a", "p_b"):
        assert best[key] == pytest.approx(duel[key], abs=CLOSE)
    assert best["difference"] == 0


# --- placement (C-3) --------------------------------------------------------------------


def grid(found):
    """What each way to place is worth to A, by the attack dice of A and of B."""
    pattern = re.compile(r"A (\d)/\d, B (\d)/\d")
    listed = section("placement", found)
    return {tuple(map(int, pattern.fullmatch(row["what"]).groups())): row for row in listed}


@given(st.sampled_from(BARE), st.sampled_from(BARE), st.integers(1, 40), st.integers(1, 40))
@settings(max_examples=6, deadline=None)
def test_the_value_is_the_best_answer_to_who_places_first(a, b, pa_a, pa_b):
    # C-3.2, C-3.3: in ascending PA; of equal PA he who did not choose the combat, here B
    a, b = replace(a, PA=pa_a, caster=""), replace(b, PA=pa_b, caster="")
    found = rows(a, b)
    worth = {placed: row["value"] for placed, row in grid(found).items()}
    assert len(worth) == 9
    if pa_a < pa_b:
        expected = max(min(worth[x, y] for y in range(3)) for x in range(3))
    else:
        expected = min(max(worth[x, y] for x in range(3)) for y in range(3))
    assert value(found) == pytest.approx(expected, abs=1e-10)
    (played,) = [row for row in grid(found).values() if row["text"] == "played"]
    assert played["what"] == section("value", found)[0]["what"]
    assert played["difference"] == pytest.approx(0, abs=1e-10)


def test_both_orders_of_equal_points():
    twins = fighter("one", ATT=5, PA=20), fighter("other", DEF=4, PA=20)
    found = rows(*twins)
    orders = section("order", found)
    assert [row["what"] for row in orders] == [
        "A chose the combat: of equals, B places first",
        "B chose the combat: of equals, A places first",
    ]
    for row, chooser in zip(orders, "AB", strict=True):
        again = rows(*twins, options=Options(chosen_by=chooser))
        assert row["value"] == pytest.approx(value(again), abs=CLOSE)
        assert row["text"] == section("value", again)[0]["what"]
    assert orders[0]["value"] >= orders[1]["value"] - CLOSE  # to see is no loss
    assert section("order", rows()) == []  # 49 against 19 points


def test_who_of_equals_places_first_beside_a_cheaper_friend():
    lone, cheap, equal = fighter("lone", PA=20), fighter("cheap", PA=5), fighter("equal", PA=20)
    orders = section("order", rows(lone, (cheap, equal)))
    assert [row["what"] for row in orders] == [
        "A chose the combat: of equals, B places first",
        "B chose the combat: of equals, A places first",
    ]


def test_dice_told_are_not_chosen():
    told = rows(options=Options(dice=("A=1/1",)))
    assert sorted(grid(told)) == [(1, 0), (1, 1), (1, 2)]
    free = grid(rows())
    for placed, row in grid(told).items():
        assert row["value"] == pytest.approx(free[placed]["value"], abs=CLOSE)
    assert not [r for r in section("habit", told) if r["side"] == "A" and "placement" in r["what"]]
    both = rows(options=Options(dice=("A=1/1", "B=2/0")))
    assert value(both) == pytest.approx(free[1, 2]["value"], abs=CLOSE)
    assert list(grid(both)) == [(1, 2)]


def test_placed_unseen_is_worth_between_both_orders():
    for a, b in ((GUARD, WARRIOR), (BARE[5], BARE[40])):
        found = rows(a, b, unseen=True)
        worth = {placed: row["value"] for placed, row in grid(found).items()}
        low = max(min(worth[x, y] for y in range(3)) for x in range(3))
        high = min(max(worth[x, y] for x in range(3)) for y in range(3))
        game = section("unseen", found)[0]
        assert low - 1e-9 <= game["value"] <= high + 1e-9
        for side in "AB":
            shares = [r["share"] for r in section("unseen", found) if r["side"] == side]
            assert sum(shares) == pytest.approx(1)


# --- habits -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("b", "options"),
    [
        (WARRIOR, {}),
        (WARRIOR, {"turns": 2, "score": "wounds"}),
        ((WARRIOR,) * 2, {"wounds": ("A=light",)}),
        (ABLE[30].label, {"score": "A.dead=-3,B.serious=1"}),
        (WARRIOR, {"policies": parse_policies(("optimal", "B=bold"))}),
    ],
)
def test_a_habit_costs_what_the_engine_says_and_never_helps(b, options):
    """The value is a saddle: no habit of A raises it, none of B lowers it."""
    found = rows(b=b, options=Options(**options))
    policies = options.get("policies", (BEST_PLAY, BEST_PLAY))
    plain = {k: v for k, v in options.items() if k != "policies"}
    listed = habits(b=b, options=Options(**options))
    assert len(listed) > 15
    for number, row in enumerate(listed):
        sign = 1 if row["side"] == "A" else -1
        assert sign * row["difference"] <= CLOSE, row["what"]
        if isinstance(b, tuple) and number % 8:
            continue  # a few are enough
        key, _, word = row["what"].partition("=")
        habit = POLICIES[word] if key == "policy" else parse_policy(f"optimal:{row['what']}")
        both = (habit, policies[1]) if row["side"] == "A" else (policies[0], habit)
        expected = law_value(both, b=b, **plain)
        assert row["value"] == pytest.approx(expected, abs=CLOSE), row["what"]
        assert row["difference"] == pytest.approx(expected - value(found), abs=CLOSE)


def test_only_decisions_that_a_side_takes_are_habits():
    # one against one chooses no target, no striker and no tester
    keys = {(r["side"], r["what"].partition("=")[0]) for r in habits()}
    assert not {key for _, key in keys} & {"target", "strike_order", "initiative"}
    several = habits(b=(WARRIOR,) * 2, options=Options(dice=("A=3/0", "B=1/1")))
    keys = {(r["side"], r["what"].partition("=")[0]) for r in several}
    assert {side for side, key in keys if key == "target"} == {"A"}
    assert {side for side, key in keys if key in ("strike_order", "initiative")} == {"B"}


# --- one side by policy -----------------------------------------------------------------


@pytest.mark.parametrize("name", ["sensible", "bold", "cautious", "never"])
def test_against_a_policy_best_play_is_the_best_answer(name):
    policies = parse_policies(("optimal", f"B={name}"))
    found = rows(options=Options(policies=policies))
    assert value(found) == pytest.approx(law_value(policies), abs=CLOSE)
    assert value(found) >= value(rows()) - CLOSE  # B does not do his best
    for policy in POLICIES.values():
        assert law_value((policy, POLICIES[name])) <= value(found) + CLOSE
    assert {row["side"] for row in found if row["section"] in ("rule", "habit")} == {"A"}
    mirrored = rows(WARRIOR, GUARD, options=Options(policies=policies[::-1], chosen_by="B"))
    assert value(mirrored) == pytest.approx(-value(found), abs=CLOSE)
    assert {row["side"] for row in section("rule", mirrored)} == {"B"}


@pytest.mark.usefixtures("quick")
def test_a_policy_that_answers_what_it_sees_leaves_a_grid_with_holes():
    # placement "answer": 2/2 dice are B's only where A places them
    a, b = ABLE[0], ABLE[4]
    for policies in (("optimal", "B=sensible"), ("A=sensible", "B=optimal")):
        for one, other in ((a, b), (b, a)):
            options = Options(policies=parse_policies(policies))
            text = plain_text(solve(one, other, options=options), 80)
            assert "Dice in attack / in defence" in text


# --- what nobody found ------------------------------------------------------------------


def test_sensitivity_is_a_solution_by_the_other_rule():
    found = result(unseen=True).rows
    listed = section("assumed", found)
    assert {row["what"].partition("=")[0] for row in listed} <= set(found[0]["assumed"].split())
    assert len({row["what"] for row in listed}) == len(listed) > 15
    for row in listed[::9]:
        again = rows(options=Options(rules=(row["what"],)))
        assert row["value"] == pytest.approx(value(again), abs=CLOSE), row["what"]
        assert row["difference"] == pytest.approx(value(again) - value(found), abs=CLOSE)
        assert row["text"] == section("value", again)[0]["what"]


def test_every_assumed_value_has_another():
    edition = Options().edition
    for key in rows()[0]["assumed"].split():
        others = alternatives(key, edition[key])
        assert others, key
        assert str(edition[key]) not in others


# --- rules in words ---------------------------------------------------------------------


def told(asked):
    """The engine's positions of best play, and the rules in words of each side."""
    engine = Engine()
    law = engine.law(asked)
    return law, engine.played(asked), advice(asked, engine, law)


def texts_of(rules, side, start):
    return [r.text for r in rules if r.side == side and r.text.startswith(start)]


def numbers(text):
    """``0 to 2, 4 or 5`` as a set."""
    found = set()
    for part in re.split(r" or |, ", text.replace("−", "-")):
        ends = [int(n) for n in part.split(" to ")]
        found |= set(range(ends[0], ends[-1] + 1))
    return found


def keeps(text, dice, lead):
    """Whether the rule of the attack die keeps a 6 against so many dice."""
    assert text.startswith("Attack die: ")
    assert text.endswith(".")
    text = text[len("Attack die: ") : -1].removesuffix("; keep a 12")
    if text in ("keep a 6", "re-roll a first 6 while it may be parried"):
        return text == "keep a 6"
    unless = re.fullmatch(r"keep a 6 unless the enemy commits (\d+) dice or more", text)
    if unless:
        return dice < int(unless[1])
    for part in text.split("; "):
        match = re.fullmatch(r"against (.+?) (?:die|dice) (.+)", part)
        if dice not in numbers(match[1]):
            continue
        if match[2] in ("keep a 6", "re-roll a first 6"):
            return match[2] == "keep a 6"
        cond = re.fullmatch(r"keep a 6 if your ATT less his DEF is (.+), else re-roll it", match[2])
        return lead in numbers(cond[1])
    raise AssertionError(f"{text!r} says nothing of {dice} dice")


def met(position):
    """How an attack is met, as rules say it."""
    if position[Is.COMMITTED] == 0:
        return ["do not defend"]
    if position[Is.SUSTAINS]:
        return ["defend, sustained"]
    if position[Is.DEFENCE] == 1:
        return ["defend", "defend, not sustained"]
    return [f"commit {position[Is.COMMITTED]} {'die' if position[Is.COMMITTED] == 1 else 'dice'}"]


def assert_plain(text):
    assert re.fullmatch(r"[\w'#()’é, :;%.−-]+\.", text), text
    assert not re.search(r"\b(\d+) (die|attack)s?\b", text) or all(
        (n == "1") == (noun in ("die", "attack"))
        for n, noun in re.findall(r"\b(?<!to )(?<!or )(\d+) (dice|die|attacks?)\b", text)
    ), text


def assert_defences(asked, positions, rules):
    """Every decision to defend is the one that the rule of its case says."""
    names = state_names(asked.options.edition)
    for index, fighter in enumerate(asked.fighters):
        side = fighter.side
        mine = [p for p in positions if p[Is.TARGET] == index and p[Is.OPTIONS] > 1]
        for dice, coming in {(p[Is.DEFENCE], p[Is.COMING]) for p in mine}:
            group = [p for p in mine if (p[Is.DEFENCE], p[Is.COMING]) == (dice, coming)]
            later = {0: "no attack", 1: "1 attack"}.get(coming, f"{coming} attacks")
            case = (
                f"With {dice} {'die' if dice == 1 else 'dice'} left and {later} to come "
                "after this one: "
            )
            (text,) = [
                r.text.partition(case)[2].removesuffix(".")
                for r in rules
                if r.side == side
                and case in r.text
                and r.text.partition(case)[0] in ("", f"{fighter.label}: ")
            ]
            whole = sum(p.chance for p in group)
            if "%" in text:
                shares = dict(re.findall(r"([a-z][^%]*?) \(((?:under )?\d+) %\)", text))
                for word, share in shares.items():
                    real = sum(p.chance for p in group if word in met(p)) / whole
                    assert percent(real) == f"{share} %", (text, word, real)
                continue
            usual, *cases = text.split("; ")
            said = {}
            who = None
            for exception in cases:
                match = re.fullmatch(r"(?:but )?(.+?) if (you are|the attacker is) (.+)", exception)
                who = Is.TARGET if match[2] == "you are" else Is.STRIKER
                for state in match[3].split(" or "):
                    said[names.index(state.replace(" and ", ", "))] = match[1]
            wrong = sum(
                p.chance
                for p in group
                if said.get(p.states[p[who]] if who is not None else -1, usual) not in met(p)
            )
            assert wrong <= 2 * SURE * whole, (text, wrong / whole)


def assert_sixes(asked, positions, rules):
    """Every 6 on an attack die becomes what the rule says."""
    for position in positions:
        if position[Is.SIX] == UNROLLED or position[Is.COMMITTED] == 0:
            continue
        if position[Is.ATTACK] < 0:  # who may fail automatically decides by what that costs
            continue
        side = asked.fighters[position[Is.STRIKER]].side
        (text,) = texts_of(rules, side, "Attack die")
        kept = keeps(text, position[Is.COMMITTED], position[Is.LEAD])
        assert kept == (position[Is.SIX] == KEPT), (text, position)


def assert_first(asked, positions, rules):
    """Who strikes first, and who is struck, in the first pass, while all can be chosen."""
    several = len(asked.others)
    for decision, column in (("target", Is.TARGET), ("strike_order", Is.STRIKER)):
        lone = column == Is.TARGET
        opening = [
            p
            for p in positions
            if p[Is.CHOICES] == several and (p[Is.STRIKER] == 0) == lone and p[Is.HALF] < 2
        ]
        texts = [r.text for r in rules if r.decision == decision]
        assert len(texts) == bool(opening)
        whole = sum(p.chance for p in opening)
        for text in texts:
            for i, fighter in enumerate(asked.fighters):
                real = sum(p.chance for p in opening if p[column] == i) / whole
                told = (f"{fighter.label}{end}" for end in (" first.", " strikes first.", " ("))
                named = any(words in text for words in told)
                assert named == (real > 0)
                if f"{fighter.label} (" in text:
                    assert f"{fighter.label} ({percent(real)})" in text


@given(st.sampled_from(BARE), st.sampled_from(BARE), st.sampled_from(["kills", "wounds"]))
@settings(max_examples=40, deadline=None)
def test_rules_in_words_say_what_best_play_decides(a, b, score):
    asked = ask([a], [b], replace(BEST, score=score))
    _, positions, rules = told(asked)
    for rule in rules:
        assert_plain(rule.text)
    assert_defences(asked, positions, rules)
    assert_sixes(asked, positions, rules)


@given(
    st.sampled_from(BARE),
    st.lists(st.sampled_from(BARE), min_size=2, max_size=2),
    st.booleans(),
    st.sampled_from(["optimal", "sensible", "bold"]),
)
@settings(max_examples=8, deadline=None)
def test_rules_in_words_of_one_against_several(lone, foes, swapped, name):
    sides = (foes, [lone]) if swapped else ([lone], foes)
    policies = parse_policies(("A=optimal", f"B={name}"))
    asked = ask(*sides, Options(policies=policies))
    _, positions, rules = told(asked)
    assert {rule.side for rule in rules} <= ({"A", "B"} if name == "optimal" else {"A"})
    mine = [p for p in positions if name == "optimal" or asked.fighters[p[Is.STRIKER]].side == "A"]
    parried = [p for p in positions if name == "optimal" or p not in mine]
    assert_defences(asked, parried, rules)
    assert_sixes(asked, mine, rules)
    if name == "optimal":
        assert_first(asked, positions, rules)


def lands(lead, dice, keep):
    """Chance that an attack that shows a 6 lands, by W-1.2, W-1.4 and C-6.4 alone.

    The new die is added, a 1 makes the whole a 1; the parriers re-roll their 6 as needed.
    """

    def parried(goal):
        one = max(0, 7 - max(goal, 1)) / 6 if goal <= 6 else chain(goal - 6) / 6
        return 1 - (1 - one) ** dice

    def chain(goal, depth=8):
        """Chance that a 6 and its re-rolls make `goal` more."""
        if depth == 0:
            return 1.0
        faces = sum(die >= goal for die in range(2, 6))
        return (faces + (chain(goal - 6, depth - 1) if goal > 6 else 1)) / 6

    def roll(natural, depth):
        ends = [1 - parried(1 + lead)] + [1 - parried(natural + die + lead) for die in range(2, 6)]
        further = 1 - parried(natural + 6 + lead)
        if depth:
            further = max(further, roll(natural + 6, depth - 1))
        return (sum(ends) + further) / 6

    return 1 - parried(6 + lead) if keep else roll(6, 4)


@pytest.mark.parametrize(("dice", "kept"), [(1, True), (2, False)])
def test_a_six_at_equal_att_and_def(dice, kept):
    """Kept against one die, 5/6 against 0.766; re-rolled against two, 0.694 against 0.704."""
    assert lands(0, 1, True) == pytest.approx(5 / 6)
    assert (lands(0, dice, True) > lands(0, dice, False)) == kept
    options = replace(BEST, dice=("A=1/1", "B=0/2"))
    _, _, rules = told(ask([fighter("a")], [fighter("b")], options))
    (text,) = texts_of(rules, "A", "Attack die")
    assert keeps(text, dice, 0) == kept


@pytest.mark.parametrize("att", range(1, 9))
def test_a_six_is_kept_where_it_lands_more_often(att):
    options = replace(BEST, dice=("A=2/0", "B=1/1"))
    _, positions, rules = told(ask([fighter("a", ATT=att)], [fighter("b")], options))
    leads = {p[Is.LEAD] for p in positions if p[Is.STRIKER] == 0}
    (text,) = texts_of(rules, "A", "Attack die")
    for lead in leads:
        gain = lands(lead, 1, True) - lands(lead, 1, False)
        if abs(gain) > 1e-4:
            assert keeps(text, 1, lead) == (gain > 0), (text, lead, gain)


@pytest.mark.parametrize("ini", range(1, 8))
def test_a_six_in_initiative_is_re_rolled_where_that_wins_more_often(ini):
    # W-1.5, against 2 to 5 of an enemy who has no 6 to re-roll; equal results: rolled again
    enemy = 4
    law, _, rules = told(ask([fighter("a", INI=ini)], [fighter("b", INI=enemy)], BEST))
    difference = ini - enemy

    def wins(natural, die):
        lead = natural + difference - die
        return law.first if lead == 0 else float(lead > 0)

    def rolled(natural, die, depth=6):
        ends = [wins(1, die)] + [wins(natural + more, die) for more in range(2, 6)]
        further = wins(natural + 6, die)
        if depth:
            further = max(further, rolled(natural + 6, die, depth - 1))
        return (sum(ends) + further) / 6

    (text,) = texts_of(rules, "A", "Initiative")
    for die in (*range(1, 6), *range(8, 12)):
        gain = rolled(6, die) - wins(6, die)
        if abs(gain) > 1e-6:
            assert rerolls_initiative(text, 6 + difference - die) == (gain > 0), (text, die, gain)


def rerolls_initiative(text, ahead):
    """Whether the rule of Initiative re-rolls a 6 that is so far ahead."""
    text = text.removeprefix("Initiative: ").removesuffix(".").split(";")[0]
    if text in ("keep a 6", "re-roll a 6"):
        return text == "re-roll a 6"
    when = re.fullmatch(r"re-roll a 6 when you are (.+), else keep it", text)[1]
    if ahead <= 0:
        return ("behind" if ahead else "level") in when
    more = re.search(r"ahead by (\d+) or more", when)
    if more:
        return ahead >= int(more[1])
    listed = re.search(r"ahead by (.+)", when)
    return ahead in numbers(listed[1]) if listed else when.endswith("ahead")


@pytest.mark.parametrize("ini", range(1, 8))
def test_a_rule_to_keep_a_six_costs_nothing_where_it_is_given(ini):
    """Who is told only to keep a 6 loses nothing by keeping each."""
    sides = [fighter("a", INI=ini)], [fighter("b", INI=4)]
    law, _, rules = told(ask(*sides, BEST))
    (text,) = texts_of(rules, "A", "Initiative")
    keeping = replace(BEST, policies=(replace(BEST_PLAY, reroll_initiative="never"), BEST_PLAY))
    cost = law.value - Engine().law(ask(*sides, keeping)).value
    assert (cost > 1e-12) == ("re-roll" in text), (text, cost)


def test_who_wants_to_strike_second_is_told_so():
    """Who wants to die wants to be struck first: his rules are those of a worse Initiative."""
    sides = [fighter("a", INI=2)], [fighter("b", INI=5)]
    options = replace(BEST, dice=("A=2/0", "B=2/0"))
    _, _, usual = told(ask(*sides, options))
    law, _, strange = told(ask(*sides, replace(options, score="A.dead=1,B.dead=-1")))
    lone, others = law.opening.by_first
    assert lone < others
    assert texts_of(usual, "A", "Initiative") == [
        "Initiative: re-roll a 6 when you are behind or level, else keep it."
    ]
    # to strike second, a 6 that is ahead is the one to re-roll
    (text,) = texts_of(strange, "A", "Initiative")
    assert "ahead" in text
    assert "behind" not in text


def test_nothing_is_said_of_initiative_where_nothing_hangs_on_it():
    options = replace(BEST, dice=("A=0/2", "B=2/0"))
    law, _, rules = told(ask([fighter("a")], [fighter("b")], options))
    assert law.opening.by_first[0] == pytest.approx(law.opening.by_first[1], abs=CLOSE)
    assert texts_of(rules, "A", "Initiative") == texts_of(rules, "B", "Initiative") == []


def test_the_last_die_is_not_sustained_against_the_last_attack():
    # C-7.2: it would cost DEF 2 and save nothing
    options = replace(BEST, dice=("A=1/1", "B=1/1"))
    _, _, rules = told(ask([fighter("a")], [fighter("b")], options))
    assert texts_of(rules, "A", "With 1 die left and no attack to come") == [
        "With 1 die left and no attack to come after this one: defend, not sustained."
    ]


def test_who_parries_anyhow_sustains_against_two_attacks():
    # C-7: DEF 9 - 2 and a die of 1 against ATT 1 and a die of 5: only a 6 may pass
    options = replace(BEST, dice=("A=1/1", "B=2/0"))
    _, positions, rules = told(ask([fighter("a", DEF=9)], [fighter("b", ATT=1, FOR=9)], options))
    assert texts_of(rules, "A", "With 1 die left and 1 attack to come") == [
        "With 1 die left and 1 attack to come after this one: defend, sustained."
    ]
    assert {p[Is.SUSTAINS] for p in positions if p[Is.TARGET] == 0 and p[Is.COMING] == 1} == {1}


def test_who_has_more_attack_than_defence_dice_cannot_sustain():
    # C-7.1: the guard's 2/1 against two; then nothing is said of sustaining
    options = replace(BEST, dice=("A=2/1", "B=2/0"))
    _, _, rules = told(ask([ROSTER.find(GUARD)], [ROSTER.find(WARRIOR)] * 2, options))
    mine = texts_of(rules, "A", "With 1 die left")
    assert mine
    assert not any("sustained" in text for text in mine)


def test_a_sustained_defence_alone_left_open_is_told():
    policies = parse_policies(("sensible:sustain=optimal,placement=even", "B=bold"))
    options = Options(policies=policies)
    found = rows(options=options)
    texts = [row["text"] for row in section("rule", found)]
    assert texts
    assert all("sustained" in text for text in texts)


def test_rules_are_those_of_the_first_turn():
    one, three = (rows(options=Options(turns=turns)) for turns in (1, 3))
    assert [r["text"][:11] for r in section("rule", one)] == [
        r["text"][:11] for r in section("rule", three)
    ]
    assert value(one) != value(three)
    assert {row["turns"] for row in three} == {3}


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100 %"), (0.9999, "99 %"), (0.5, "50 %"), (0.004, "under 1 %"), (1e-9, "under 1 %")],
)
def test_only_what_is_always_is_100_percent(share, text):
    assert percent(share) == text


# --- the command line -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "solve: name two fighters, or A… vs B…, or a list with --book"),
        ((GUARD,), "solve: name two fighters, or A… vs B…, or a list with --book"),
        ((GUARD, WARRIOR, GUARD), "solve: name two fighters, or A… vs B…"),
        ((GUARD, "vs"), "name at least one fighter on each side"),
        ((f"{GUARD}*2", "vs", f"{WARRIOR}*2"), "2 against 2: a combat is one fighter against"),
        ((GUARD, "vs", f"{WARRIOR}*5"), "exact odds: 5 enemies; exact odds are for 4 at most"),
        ((GUARD, "nobody at all"), 'no fighter is called "nobody at all"'),
        ((GUARD, WARRIOR, "--book", "dirz"), "solve: --book is for a list alone"),
        (("--book", "dirz", "--unseen"), "solve: --book is for a list alone"),
        ((GUARD, WARRIOR, "--unseen", "--turns", 2), "unseen: dice placed unseen are worked out"),
        ((GUARD, WARRIOR, "--unseen", "--policy", "B=sensible"), "answers the dice it sees"),
        ((GUARD, WARRIOR, "--unseen", "--dice", "A=2/0", "--dice", "B=2/0"), "no dice are left"),
        ((GUARD, WARRIOR, "--policy", "bold"), "solve: both policies are fixed"),
        ((GUARD, WARRIOR, "--policy", "sensible"), "solve: both policies are fixed"),
        ((GUARD, WARRIOR, "--policy", "A=never", "--policy", "B=bold"), "both policies are fixed"),
        ((GUARD, ARKEON), "Arkéon Sanath"),
        ((GUARD, WARRIOR, "--dice", "A=3/0"), 'dice 3/0 of "Garde prétorien" should be 2'),
        ((GUARD, WARRIOR, "--trials", 5), "No such option"),
        ((GUARD, WARRIOR, "-o", "rows.pdf"), "the ending should be one of"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_what_solve_refuses(words, message):
    done = estoc("solve", *words)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "--method" not in done.err  # which solve has not
    if "No such option" not in message:
        assert done.err.startswith("estoc: ")
        assert done.err.count("\n") == 1


@pytest.mark.usefixtures("quick")
def test_two_names_may_be_repeated():
    bare, with_vs = (
        answered("solve", GUARD, *vs, f"{WARRIOR}*2", *QUICK[:-1], "B=bold", "--dice", "A=2/1")
        for vs in ((), ("vs",))
    )
    assert bare == with_vs


@pytest.mark.parametrize(
    "words",
    [
        (*PAIR, "--unseen"),
        (*PAIR, "--turns", 2, "--charge", "A", "--wounds", "B=light", "--policy", "B=bold:parry=2"),
        ("solve", f"{WARRIOR}*2", "vs", GUARD, "--dice", "A1=2/0", "--dice", "A2=1/1", *QUICK),
        ("solve", ARKEON, WARRIOR, *KNOWN, "--dice", "A=1/1", "--rule", "killed_level=3"),
    ],
)
@pytest.mark.usefixtures("quick")
def test_the_command_of_a_row_gives_the_rows_again(words):
    found = answered(*words)
    (command,) = {row["command"] for row in found}
    assert answered(*shlex.split(command)[1:]) == found
    assert command in estoc(*words).out.replace(" \\\n  ", " ")


@pytest.mark.usefixtures("quick")
def test_files_of_each_format(tmp_path):
    words = (*PAIR, "--unseen")
    found = answered(*words)
    for form in ("csv", "json", "parquet"):
        path = tmp_path / f"solved.{form}"
        done = estoc(*words, "-o", path)
        assert (done.code, done.data) == (0, b"")
        assert f"wrote {path}, {len(found)} rows" in done.err
    assert json.loads((tmp_path / "solved.json").read_bytes()) == found
    assert pq.read_table(tmp_path / "solved.parquet").to_pylist() == found
    read = list(csv.DictReader(StringIO((tmp_path / "solved.csv").read_text("utf-8"))))
    assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in found]


@pytest.mark.usefixtures("quick")
def test_columns_of_a_file_have_the_same_types_with_and_without_unseen(tmp_path):
    for name, words in (("with", ("--unseen",)), ("without", ())):
        estoc(*PAIR, *words, "-o", tmp_path / f"{name}.parquet")
    schemas = [pq.read_schema(tmp_path / f"{name}.parquet") for name in ("with", "without")]
    assert schemas[0].equals(schemas[1])


@pytest.mark.parametrize("width", [80, 100])
@pytest.mark.parametrize("b", [WARRIOR, (WARRIOR,) * 2])
def test_no_line_is_wider_than_the_terminal(b, width):
    lines = plain_text(result(b=b, unseen=(b == WARRIOR)), width).splitlines()
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if "…" in line and "see estoc edition" not in line]


def test_a_process_of_80_columns():
    done = process(*PAIR, "--policy", "B=sensible", COLUMNS="80")
    assert (done.code, done.err) == (0, "")
    assert max(map(len, done.out.splitlines())) <= 80


def test_the_table_tells_all_sections():
    text = plain_text(result(unseen=True), 80)
    for title in (
        *("best play of both: A 2/0, B 1/1", "worth +24.97 to A", "Dice in attack / in defence"),
        *("Placed unseen by both", "How to decide (first turn)", "What a habit costs"),
        *("With another value of what nobody found", "exact odds"),
    ):
        assert title in text
    with short():
        fixed = estoc(*PAIR, "--policy", "B=bold").out
    assert fixed.count("policy A=optimal B=bold: A") == 1


def test_python_refuses_the_same():
    with pytest.raises(InputError, match="both policies are fixed"):
        solve(GUARD, WARRIOR, options=Options(policies=parse_policies(("bold",))))
    with pytest.raises(InputError, match="placed unseen are worked out for one turn"):
        solve(GUARD, WARRIOR, unseen=True, options=Options(turns=2))


# --- what the figures are, in words (issue 23, 8) -----------------------------------------


@pytest.mark.parametrize(
    ("score", "told"),
    [
        ("kills", "to A (expected kills minus own deaths, per 100 fights)"),
        ("points", "to A (PA of B destroyed minus PA of A lost, on average per combat)"),
    ],
)
def test_worth_and_wins_say_what_they_count(score, told):
    """Against two, the worth counts kills of either; to win is that all of the other side die."""
    done = estoc("solve", GUARD, "vs", f"{WARRIOR}*2", "--score", score, "--dice", "A=3/0")
    assert done.code == 0, done.err
    flat = " ".join(done.out.split())
    assert told in flat
    wins = r"A wins \(all of B dead\) [\d.]+ %, B wins \(all of A dead\) [\d.]+ %"
    assert re.search(wins, flat)
