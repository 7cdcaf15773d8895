"""Exact odds of questions: whole combats of several turns, beside the trials of the kernels.

`test_exact` and `test_exact_optimal` hold the kernels to a plain reading of the rules; here
is what `estoc.sim.combat.exact` makes of them.
"""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, GUARD, ROSTER, WARRIOR

from estoc.profiles import InputError
from estoc.profiles.compile.combat import state_names
from estoc.sim.base.options import Dice, Options
from estoc.sim.base.policy import BEST_PLAY, POLICIES, parse_policies
from estoc.sim.base.run import Method
from estoc.sim.combat import exact
from estoc.sim.combat.combat import ask, side_cells
from estoc.sim.combat.duel import pairing, parsed_pair
from estoc.sim.combat.exact import Engine, dice_of, remainder_of
from estoc.sim.combat.laws import weights
from estoc.sim.combat.sampling import count_trials

CLOSE = 1e-12
BEST = (BEST_PLAY, BEST_PLAY)


def question(a=(GUARD,), b=(WARRIOR,), **options):
    return ask([ROSTER.find(n) for n in a], [ROSTER.find(n) for n in b], Options(**options))


def law(*sides, **options):
    return Engine().law(question(*sides, **options))


KINDS = {
    "a duel": {},
    "three turns": {"turns": 3},
    "wounded": {"wounds": ("A=light", "B=serious,stunned"), "turns": 2},
    "two enemies": {"b": (WARRIOR,) * 2},
    "two enemies, three turns": {"b": (WARRIOR,) * 2, "turns": 3, "wounds": ("B2=light",)},
    "two on side A": {"a": (WARRIOR,) * 2, "b": (GUARD,), "turns": 2},
    "three enemies": {"b": (WARRIOR,) * 3, "policies": parse_policies(("bold", "A=cautious"))},
    "a charge": {"charge": ("B",), "turns": 2},
    "all in defence": {"all_defence": ("A",), "turns": 2},
    "best play": {"policies": BEST},
    "best play, two turns": {"policies": BEST, "turns": 2, "b": (WARRIOR,)},
}


@pytest.fixture(params=KINDS, scope="module")
def asked(request):
    kind = dict(KINDS[request.param])
    return question(kind.pop("a", (GUARD,)), kind.pop("b", (WARRIOR,)), **kind)


@pytest.fixture(scope="module")
def found(asked):
    return Engine().law(asked)


# --- a law and its parts ----------------------------------------------------------------


def test_the_joint_law_is_one_of_probabilities(asked, found):
    states, n = len(asked.rules.level), len(asked.fighters)
    assert found.joint.shape == (2, *(states,) * n)
    assert (found.joint >= 0).all()
    assert found.joint.sum() == pytest.approx(1, abs=CLOSE)


def test_law_sides_and_winners_are_sums_of_the_joint_one(asked, found):
    """Each end by itself, instead of sums over axes."""
    states, n = len(asked.rules.level), len(asked.fighters)
    law, sides = np.zeros((n, states)), np.zeros((states, n))
    first = lone_wins = others_win = 0.0
    for side, *ends in product(range(2), *[range(states)] * n):
        chance = found.joint[(side, *ends)]
        for fighter, state in enumerate(ends):
            law[fighter, state] += chance
        dead = [state == states - 1 for state in ends]
        sides[ends[0], sum(dead[1:])] += chance
        first += chance * (side == 0)
        lone_wins += chance * (all(dead[1:]) and not dead[0])
        others_win += chance * (dead[0] and not all(dead[1:]))
    assert found.law == pytest.approx(law, abs=CLOSE)
    assert found.sides == pytest.approx(sides, abs=CLOSE)
    assert found.first == pytest.approx(first, abs=CLOSE)
    assert found.lone_wins == pytest.approx(lone_wins, abs=CLOSE)
    assert found.others_win == pytest.approx(others_win, abs=CLOSE)


def test_the_value_is_the_score_of_the_ends(asked, found):
    assert found.value == pytest.approx(float((weights(asked) * found.law).sum()), abs=CLOSE)


def test_nobody_gets_better_and_both_sides_never_die(asked, found):
    level = asked.rules.level
    for fighter, combatant in enumerate(asked.fighters):
        begun = {"light": 1, "serious": 2}.get(combatant.wounds.partition(",")[0], 0)
        assert found.law[fighter, level < begun].sum() == 0
    assert found.sides[-1, -1] == 0


def test_turns_are_between_one_and_all(asked, found):
    assert 1 <= found.turns <= asked.options.turns + CLOSE
    assert (found.turns == 1) == (asked.options.turns == 1)


def test_the_remainder_is_told_and_small(asked, found):
    assert found.remainder == remainder_of(asked)
    assert 0 < found.remainder < 1e-15


def test_positions_are_counted_where_there_is_a_table(asked, found):
    assert (found.positions > 0) == (len(asked.others) > 1)


def test_dice_placed_are_all_the_dice(asked, found):
    # C-3.1
    placed = found.placed
    assert [dice.attack + dice.defence for dice in placed] == dice_of(asked)
    assert dice_of(asked) == [1 + len(asked.others)] + [2] * len(asked.others)
    for dice, combatant in zip(placed, asked.fighters, strict=True):
        assert not combatant.all_defence or dice.attack == 0  # C-3.6


# --- beside trials ----------------------------------------------------------------------

TRIALS = 40_000
# Each of some 400 compared counts of the 9 kinds without best play is allowed 5 standard
# errors, and 1e-6: by a normal law, all of them together fail by chance for one seed in
# some 4000; rare counts are a little wilder. The seed is fixed.
ERRORS = 5


@pytest.mark.parametrize("asked", [k for k in KINDS if "best" not in k], indirect=True)
def test_trials_agree(asked, found):
    (counts,) = count_trials([asked], Method("mc", TRIALS, 20261128))
    pairs = [
        (counts.law, found.law),
        (counts.sides, found.sides),
        (np.array([counts.first]), np.array([found.first])),
    ]
    for seen, chance in pairs:
        error = np.sqrt(TRIALS * chance * (1 - chance).clip(0))
        assert (np.abs(seen - TRIALS * chance) <= ERRORS * error + 1e-6).all()
    # turns are from 1 to T, so that their spread is T / 2 at most
    spread = asked.options.turns / 2 / np.sqrt(TRIALS)
    assert abs(counts.turns / TRIALS - found.turns) <= ERRORS * spread * (asked.options.turns > 1)


# --- turns ------------------------------------------------------------------------------


@given(st.sampled_from(ABLE), st.sampled_from(ABLE), st.integers(1, 3))
@settings(max_examples=15, deadline=None)
def test_a_further_turn_begins_where_the_last_one_ended(a, b, turns):
    """T-5.3: each end of the earlier turns, maintained, is a start of its own."""
    options = Options(turns=turns)
    engine = Engine()
    shorter, longer = (
        engine.law(ask([a], [b], replace(options, turns=t))) for t in (turns, turns + 1)
    )
    rules = ask([a], [b], options).rules
    dead = len(rules.level) - 1
    expected = np.zeros((dead + 1, dead + 1))
    names = state_names(options.edition)
    going_on = 0.0
    for i, j in product(range(dead + 1), repeat=2):
        chance = shorter.joint[:, i, j].sum()
        if dead in (i, j):
            expected[i, j] += chance
        elif chance > 0:
            going_on += chance
            wounds = [f"{s}={names[rules.recover[k]]}" for s, k in (("A", i), ("B", j))]
            kept = tuple(text for text in wounds if not text.endswith("=unhurt"))
            expected += chance * engine.law(ask([a], [b], Options(wounds=kept))).joint.sum(0)
    assert longer.joint.sum(0) == pytest.approx(expected, abs=CLOSE)
    assert longer.turns == pytest.approx(shorter.turns + going_on, abs=CLOSE)


def test_who_strikes_first_is_told_of_the_first_turn():
    # C-4.1 is tested again in each turn; the joint law keeps the first one
    assert law(turns=4).first == pytest.approx(law().first, abs=CLOSE)


def test_a_charge_and_a_failed_disengagement_count_in_the_first_turn_only():
    # M-5.1, C-3.6
    plain, charged = law(turns=40), law(turns=40, charge=("A",))
    assert charged.lone_wins > plain.lone_wins
    kept = law(all_defence=("A",), turns=2)
    assert law(all_defence=("A",)).lone_wins == 0 < kept.lone_wins


def test_best_play_of_several_turns_looks_ahead():
    # worth more than the best play of one turn, played in each
    options = {"turns": 3, "b": (WARRIOR,)}
    best = law(**options, policies=(BEST_PLAY, POLICIES["sensible"])).value
    for name, policy in POLICIES.items():
        other = law(**options, policies=(policy, POLICIES["sensible"])).value
        assert best >= other - CLOSE, name


@pytest.mark.parametrize(("b", "turns"), [((WARRIOR,), 2), ((WARRIOR,), 3), ((WARRIOR,) * 2, 2)])
def test_best_play_of_both_is_a_saddle_over_turns(b, turns):
    """No fixed policy of A does better against best play, none of B does."""
    engine = Engine()
    options = Options(turns=turns, policies=BEST)
    a, b = [ROSTER.find(GUARD)], [ROSTER.find(name) for name in b]
    value = engine.law(ask(a, b, options)).value
    for policy in POLICIES.values():
        mine = replace(options, policies=(policy, BEST_PLAY))
        theirs = replace(options, policies=(BEST_PLAY, policy))
        assert engine.law(ask(a, b, mine)).value <= value + CLOSE
        assert engine.law(ask(a, b, theirs)).value >= value - CLOSE


def test_best_play_of_many_turns_settles():
    """Plans are made until a further turn changes nothing: 400 turns are no more work."""
    many, more = law(turns=200, policies=BEST), law(turns=400, policies=BEST)
    assert many.value == pytest.approx(more.value, abs=1e-9)
    assert many.lone_wins + many.others_win == pytest.approx(1, abs=1e-9)


# --- sides ------------------------------------------------------------------------------

SWAP = str.maketrans("AB", "BA")


@given(
    st.sampled_from(ABLE),
    st.lists(st.sampled_from(ABLE), min_size=1, max_size=2),
    st.sampled_from(["sensible", "optimal", "bold"]),
    st.sampled_from("AB"),
)
@settings(max_examples=15, deadline=None)
def test_the_lone_fighter_may_be_on_either_side(lone, foes, name, chooser):
    played = name != "optimal" or len(foes) == 1  # best play of several takes minutes
    policies = (POLICIES[name], POLICIES["cautious"])
    options = Options(policies=policies, chosen_by=chooser, abilities=played)
    swapped = replace(options, policies=policies[::-1], chosen_by=chooser.translate(SWAP))
    one, other = Engine().law(ask([lone], foes, options)), Engine().law(ask(foes, [lone], swapped))
    if len(foes) == 1:  # then A's is the lone one, and both laws are told from A's side
        assert other.joint[::-1].swapaxes(1, 2) == pytest.approx(one.joint, abs=CLOSE)
    else:
        assert other.joint == pytest.approx(one.joint, abs=CLOSE)
    assert other.value == pytest.approx(-one.value, abs=CLOSE)


def test_cells_of_sides_are_about_a_and_b():
    asked = question((WARRIOR,) * 2, (GUARD,))
    cells = side_cells(asked, Engine().law(asked))
    mirrored = question((GUARD,), (WARRIOR,) * 2, chosen_by="B")
    law = Engine().law(mirrored)
    assert cells["p_a"] == pytest.approx(law.others_win)
    assert cells["p_b"] == pytest.approx(law.lone_wins)
    assert cells["p_first_a"] == pytest.approx(1 - law.first)
    total = cells["p_a"] + cells["p_b"] + cells["p_undecided"]
    assert total == pytest.approx(1, abs=CLOSE)


def test_one_engine_answers_questions_of_any_size_in_any_order():
    """Tables and scratch are shared, also between editions and numbers of dice."""
    asked = [
        question(b=(WARRIOR,) * 2),
        question(rules=("killed_level=3",)),
        question(rules=("dice.base=3",)),
        question(policies=BEST),
        question(b=(WARRIOR,) * 3, edition_name="c3"),
        question(policies=BEST, chosen_by="B", b=(GUARD,)),
        question(rules=("tests.reroll_one=fail",), turns=2),
    ]
    alone = [Engine().law(q) for q in asked]
    engine = Engine()
    for _ in range(2):
        for one, other in zip(map(engine.law, asked), alone, strict=True):
            assert (one.joint == other.joint).all()
            assert (one.turns, one.value) == (other.turns, other.value)
    for one, other in zip(map(engine.law, asked[::-1]), alone[::-1], strict=True):
        assert (one.joint == other.joint).all()


# --- what best play leaves and finds ----------------------------------------------------


def test_placements_are_what_given_dice_are_worth():
    found = law(policies=BEST)
    ways = [Dice(n, 2 - n) for n in range(3)]
    assert sorted(found.opening.placements) == list(product(ways, repeat=2))
    a, b = ROSTER.find(GUARD), ROSTER.find(WARRIOR)
    for placed, value in found.opening.placements.items():
        dice = parsed_pair([str(d) for d in placed])
        given_dice = Engine().law(pairing(a, b, Options(policies=BEST), dice))
        assert value == pytest.approx(given_dice.value, abs=CLOSE)
        assert not set(given_dice.opening.placements) - {placed}


def test_a_fixed_policy_leaves_no_placements():
    assert law().opening.placements == {}
    assert law(b=(WARRIOR,) * 2).opening.placements == {}


def test_each_places_in_his_turn_what_is_best_for_him():
    # C-3.2: 19 PA before 49 PA
    found = law(policies=BEST).opening
    dice = [Dice(n, 2 - n) for n in range(3)]
    answers = {his: max((found.placements[x, his], x) for x in dice) for his in dice}
    value, his = min((value, his) for his, (value, _) in answers.items())
    assert found.value == pytest.approx(value, abs=CLOSE)
    assert found.placed == (answers[his][1], his)


def test_played_positions_are_those_of_the_first_turn():
    asked = question(policies=BEST, turns=2)
    played = Engine().played(asked)
    opening = [p for p in played if p[0] == 0]
    assert sum(p.chance for p in opening) == pytest.approx(1, abs=1e-9)
    assert {p.first for p in played} == {0, 1}
    assert all(len(p.states) == 2 and 0 < p.chance <= 1 for p in played)


def test_no_positions_without_an_open_decision():
    with pytest.raises(InputError, match="no policy leaves a decision open"):
        Engine().played(question())


# --- what is too much -------------------------------------------------------------------


def test_too_many_enemies_are_refused():
    asked = question(b=(WARRIOR,) * 5)
    assert asked.obstacle == "5 enemies; exact odds are for 4 at most"
    with pytest.raises(InputError, match=r"exact odds: 5 enemies; .* sample it with --method mc"):
        Engine().law(asked)


def test_an_edition_has_never_too_many_dice_for_as_many_enemies_as_can_be(monkeypatch):
    most = question(b=(WARRIOR,) * 4, rules=("dice.base=3", "dice.per_enemy=3"))
    assert most.obstacle == ""
    monkeypatch.setattr("estoc.sim.combat.question.MAX_DICE", 14)
    assert replace(most).obstacle == "15 combat dice; exact odds are for 14 at most"


def test_the_table_grows_as_it_must(monkeypatch):
    asked = question(b=(WARRIOR,) * 2, policies=BEST)
    usual = Engine().law(asked)
    monkeypatch.setattr(exact, "POSITIONS", 16)
    engine = Engine()
    grown = engine.law(asked)
    assert engine._room > grown.positions > 16
    assert (grown.joint == usual.joint).all()
    assert grown.value == usual.value
    assert engine.played(asked) == Engine().played(asked)


def test_a_table_that_would_be_too_large_is_refused(monkeypatch):
    monkeypatch.setattr(exact, "POSITIONS", 16)
    monkeypatch.setattr(exact, "MOST_POSITIONS", 64)
    with pytest.raises(InputError, match="more than 64 positions; sample it"):
        Engine().law(question(b=(WARRIOR,) * 2))


# --- what is told of positions needs more room than the odds ------------------------------


@pytest.mark.parametrize("room", [64, 4096, 65_536])
def test_positions_are_whole_in_a_table_of_any_size(room, monkeypatch):
    """The table may be full where it was not for the odds."""
    monkeypatch.setattr("estoc.sim.combat.exact.POSITIONS", room)
    asked = ask([ROSTER.find(GUARD)], [ROSTER.find(WARRIOR)] * 2, Options(policies=BEST))
    law, positions = Engine().law(asked), Engine().played(asked)
    assert {position.first for position in positions} == {0, 1}
    for first in range(2):
        opening = max(p.chance for p in positions if p.first == first)
        assert opening == pytest.approx(law.joint[first].sum(), abs=1e-14)


def test_the_undecided_are_summed_not_left_over():
    """What is left of 1 after both wins is rounding where nearly nobody is undecided."""
    asked = ask([ROSTER.find(GUARD)], [ROSTER.find(WARRIOR)], Options(turns=50))
    law = Engine().law(asked)
    alive = law.joint[:, :-1, :-1].sum()
    assert law.undecided == pytest.approx(alive, rel=1e-9)
    assert 0 < law.undecided < 1e-20


def test_best_play_that_takes_hours_is_refused_and_says_what_would_be_right():
    guard, warrior = ROSTER.find(GUARD), ROSTER.find(WARRIOR)
    asked = ask([guard], [warrior] * 3, Options(policies=BEST, turns=2))
    assert "for 2 enemies at most" in asked.obstacle
    assert "with --dice" in ask([guard], [warrior] * 4, Options(policies=BEST)).obstacle
    told = ("A=5/0", "B=1/1")
    assert ask([guard], [warrior] * 4, Options(policies=BEST, dice=told)).obstacle == ""
    assert ask([guard], [warrior] * 4, Options(turns=9)).obstacle == ""
