"""Optimal play of the exact engine: against every decision branched on, and against policies.

`reference.optimal` is the other side of the comparison: plain Python, Fractions, its values
wrong by at most 6**-16 of the scores' span a test.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest
import strategies
from exact_witness import ALL, Solver, dead_score, level_score
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from witness import wounds_by_code

from estoc.kernels.exact.initiative import rerolls_initiative
from estoc.kernels.exact.laws import keeps_six
from estoc.kernels.exact.several import played_positions
from estoc.kernels.layout.exact import KEPT, REROLLED, Opening, Played
from estoc.kernels.layout.policy import Decision
from reference.book import Book, Wounds, every_blow_kills
from reference.exhaustive import exact
from reference.optimal import EVERY, NOTHING, Game, chance_to_parry
from reference.state import Combat, Fighter, Policy

LOOSE = list(HealthCheck)
CLOSE = 1e-12
NAMES = sorted(EVERY)
USUAL = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
EVEN = Policy(placement="even")


def fighter(**fields):
    return Fighter("fighter", **{**USUAL, **fields})


def opened(names):
    """The kernels' columns of decisions that the reference names."""
    return [Decision[name.upper()] for name in names]


# --- tiny combats: every decision branched on -------------------------------------------

# Few states, so that the tree can be walked: unhurt, light, dead.
PENALTIES = """
          INI ATT FOR DEF RES
light      1   1   1   1   0
serious    2   2   2   2   0
critical   3   3   3   3   0
stunned    1   1   1   1   0
charged    1   1   0   1   0
"""
WEAK = PENALTIES.replace("1", "0").replace("light      0   0   0   0", "light      0   1   2   1")
TABLE = ("- - - - L",) * 3 + ("- - L L L",) * 3 + ("- L L L K",) * 3 + ("L L K K K",) * 2
TINY = Book(killing=2, wound_table=TABLE, penalties=WEAK)


def scores_of(book, fighters, number, step=8):
    """A score for each end, drawn at random: being hit may be good, and nothing adds up."""
    random = Random(number)
    codes = [wounds for wounds in wounds_by_code(book) if not wounds.stunned]
    table = {
        states: Fraction(random.randint(-step, step), step)
        for states in product(codes, repeat=fighters)
    }
    return lambda states: table[tuple(replace(wounds, stunned=0) for wounds in states)]


def assert_best(combat, best, score):
    """The kernels' optimal play is worth what the tree of all decisions is."""
    value = Game(combat, score, best).value()
    number = float(value)
    names = opened(best[0]), opened(best[1])
    for dense in (True, False) if len(combat.fighters) == 2 else (False,):
        found = Solver(combat, names, dense=dense).value(lambda states: float(score(states)))
        assert abs(found - number) <= CLOSE, (combat, best, found, number)
    return value


tiny_books = st.builds(
    replace,
    st.just(TINY),
    double_six_kills=st.booleans(),
    sustained_penalty=st.integers(0, 3),
    reroll_one=st.sampled_from(["reset", "add", "fail"]),
    natural_one_fails=st.booleans(),
    automatic_failure=st.sampled_from([0, 0, 0, 3, 5, -99]),
    many_dice=st.sampled_from(["best_chain", "one_chain"]),
    opposed_tie=st.sampled_from(["reroll", "coin", "higher_characteristic", "first"]),
)


@st.composite
def tiny_combats(draw, enemies=1, open_placement=True):
    """Dice that are not placed are few: up to 2; placed ones may be unequal enough for C-7.1."""
    most = 2 if enemies == 1 else 1
    book = replace(draw(tiny_books), dice_base=draw(st.integers(0, most)))
    free = open_placement and (enemies > 1 or book.dice_base < 2)
    listed = []
    for i in range(1 + enemies):
        dice = book.dice_base + (enemies if i == 0 else 1)
        attack = draw(st.integers(0, dice))
        listed.append(
            fighter(
                INI=draw(st.integers(1, 4)),
                **{stat: draw(st.integers(0, 7)) for stat in ("ATT", "FOR", "DEF", "RES")},
                wounds=Wounds(draw(st.sampled_from([0, 0, 1]))),
                charged=draw(st.booleans()),
                placed=None if free else (attack, dice - attack),
            )
        )
    order = draw(st.permutations(range(1 + enemies)))
    policies = (draw(strategies.policies), draw(strategies.policies))
    return Combat(tuple(listed), policies, draw(st.integers(0, 1)), book, 1, tuple(order))


choices = st.frozensets(st.sampled_from(NAMES), min_size=1)
sides = st.tuples(choices, choices) | st.tuples(choices, st.just(NOTHING))
sides = sides | st.tuples(st.just(NOTHING), choices) | st.just((EVERY, EVERY))


def trees(examples):
    """A tree takes long: an example that fails is told as it is, not made smaller."""
    return settings(
        max_examples=examples,
        deadline=None,
        suppress_health_check=LOOSE,
        database=None,
        phases=[Phase.generate],
    )


@seed(611)
@trees(30)
@given(tiny_combats(), sides, st.integers(0, 10**6))
def test_best_play_of_a_tiny_duel(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 2, number))


@seed(612)
@trees(15)
@given(tiny_combats(2, open_placement=False), sides, st.integers(0, 10**6))
def test_best_play_of_a_tiny_one_against_two(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 3, number))


def alive(states):
    """What the lone fighter's life is worth, and a little his enemies' wounds."""
    hurt = sum(Fraction(wounds.level, 10) for wounds in states[1:])
    return Fraction(not states[0].dead) + hurt


THREE = replace(TINY, dice_base=2)
THICK = {"DEF": 6, "RES": 6}

# Dice with which a decision is sure to matter: side, dice of all, whether C-7.1 allows the last
# defence die to be sustained.
LAST_DIE = [
    (0, [(2, 1), (3, 0)], False),
    (0, [(1, 2), (3, 0)], True),
    (1, [(3, 0), (2, 1)], False),
    (1, [(3, 0), (1, 2)], True),
    (0, [(2, 1), (2, 0), (1, 1)], False),
    (0, [(1, 2), (2, 0), (2, 0)], True),
]


@pytest.mark.parametrize(("side", "placed", "allowed"), LAST_DIE)
def test_the_last_die_is_sustained_only_by_who_placed_as_many_in_defence(side, placed, allowed):
    """C-7.1, C-7.2: left open, it is done exactly where it is allowed and worth it."""
    book = THREE if len(placed) == 2 else TINY
    strong = fighter(ATT=4, FOR=9, RES=5, INI=4)
    listed = tuple(
        replace(fighter(**THICK) if (i > 0) == (side > 0) else strong, placed=dice)
        for i, dice in enumerate(placed)
    )
    score = alive if side == 0 else lambda states: -Fraction(not states[1].dead)
    policies = (Policy(sustain="never"), Policy(sustain="never"))
    combat = Combat(listed, policies, 0, book)
    names = frozenset(["sustain"])
    best = (names, NOTHING) if side == 0 else (NOTHING, names)
    value = assert_best(combat, best, score)
    never = Game(combat, score, (NOTHING, NOTHING)).value()
    assert (value != never) == allowed
    assert_best(combat, (EVERY, EVERY), score)


@pytest.mark.parametrize("placed", [((3, 0), (1, 2)), ((1, 2), (3, 0)), ((2, 1), (2, 1))])
@pytest.mark.parametrize(
    "rules",
    [
        {"natural_one_fails": True},
        {"natural_one_fails": True, "reroll_one": "fail"},
        {"automatic_failure": 5},
    ],
)
def test_no_die_is_lost_to_an_attack_that_fails_automatically(rules, placed):
    """C-6.3, C-7.6: the dice committed are kept, a sustained defence stands."""
    fighters = tuple(fighter(ATT=2, FOR=8, placed=dice) for dice in placed)
    combat = Combat(fighters, (EVEN, EVEN), 0, replace(THREE, **rules))
    for best in ((EVERY, EVERY), (frozenset(["parry"]), NOTHING)):
        assert_best(combat, best, scores_of(THREE, 2, 7))
        assert_best(combat, best, alive)


def test_a_6_that_still_fails_is_re_rolled_to_cost_a_die():
    """W-1.3, C-6.3: charged, ATT 0 fails on a 6; all but a 1 on the new die costs a defence die."""
    striker = fighter(ATT=0, FOR=8, placed=(3, 0), charged=True)
    book = replace(THREE, automatic_failure=5, penalties=PENALTIES)
    combat = Combat((striker, fighter(DEF=40, placed=(1, 2))), (EVEN, EVEN), 0, book)
    names = frozenset(["reroll_attack"])
    for best in ((names, NOTHING), (EVERY, EVERY)):
        assert_best(combat, best, alive)


@pytest.mark.parametrize("sign", [1, -1])
def test_who_tests_is_chosen_by_what_the_first_strike_is_worth(sign):
    """C-4.1: the swift one where they want to strike first, the slow one where they do not."""
    listed = fighter(placed=(2, 1)), fighter(INI=4, placed=(2, 0)), fighter(INI=1, placed=(2, 0))
    score = lambda states: sign * alive(states)  # noqa: E731
    values = []
    for order in ((0, 1, 2), (0, 2, 1)):
        fighters = tuple(listed[i] for i in order)
        combat = Combat(fighters, (EVEN, Policy("even", "listed")), 0, TINY)
        value = assert_best(combat, (NOTHING, frozenset(["initiative"])), score)
        named = Game(combat, score, (NOTHING, NOTHING)).value()
        values.append(value)
        assert (value == named) == ((order[1] == 1) == (sign == 1))
    assert values[0] == values[1]


@pytest.mark.slow
@seed(613)
@trees(120)
@given(tiny_combats(), sides, st.integers(0, 10**6), st.integers(1, 2))
def test_best_play_of_many_tiny_duels(combat, best, number, turns):
    combat = replace(combat, turns=turns)
    assert_best(combat, best, scores_of(combat.book, 2, number))


@pytest.mark.slow
@seed(614)
@trees(80)
@given(tiny_combats(2, open_placement=False), sides, st.integers(0, 10**6))
def test_best_play_of_many_tiny_ones_against_two(combat, best, number):
    assert_best(combat, best, scores_of(combat.book, 3, number))


@pytest.mark.slow
@seed(615)
@trees(4)
@given(tiny_combats(2), st.integers(0, 10**6))
def test_best_placement_of_a_tiny_one_against_two(combat, number):
    assert_best(combat, (EVERY, EVERY), scores_of(combat.book, 3, number))


def test_the_tree_knows_what_the_rules_give_without_choices():
    """With nothing open, the tree of decisions is the enumeration of the other reference."""
    for combat in (
        Combat((fighter(), fighter(ATT=4)), (EVEN, EVEN), 0, TINY, 2),
        Combat((fighter(), fighter(ATT=4), fighter(INI=2)), (EVEN, EVEN), 1, TINY),
    ):
        fighters = len(combat.fighters)
        score = scores_of(TINY, fighters, 5)
        law = exact(combat)
        ends = {0: Wounds(), 2: Wounds(1), 8: Wounds(dead=True)}
        worth = sum(
            mass * score(tuple(ends[code] for code in end.states))
            for end, mass in law.masses.items()
        )
        assert abs(worth - Game(combat, score, (NOTHING, NOTHING)).value()) < Fraction(1, 10**12)


@pytest.mark.parametrize("many_dice", ["best_chain", "one_chain"])
@pytest.mark.parametrize("goal", [2, 5, 6, 7, 9, 12, 13])
@pytest.mark.parametrize("dice", [1, 2, 3])
def test_the_tree_of_a_parry_is_the_policy_that_re_rolls_when_it_must(many_dice, goal, dice):
    """W-1.2: to re-roll while the difficulty is not reached is best for who wants to parry."""
    for reroll_one, enough in product(("reset", "add", "fail"), (False, True)):
        book = Book(many_dice=many_dice, reroll_one=reroll_one, natural_one_fails=enough)
        best = chance_to_parry(book, dice, goal, True)
        tables = Solver(Combat((fighter(), fighter()), book=book)).learn(dice)
        assert abs(tables.parry[0, 0, dice, goal] - float(best)) <= 1e-15


# --- what a policy leaves open, and what is forced --------------------------------------


def test_keeping_the_6_is_better():
    """The handout's R2: attack 3 on defence 3, one die, lands 5/12, and 2/5 always re-rolling."""
    book = every_blow_kills(Book())
    for reroll, best, lands in (
        ("always", (), Fraction(2, 5)),
        ("never", (), Fraction(5, 12)),
        ("always", (Decision.REROLL_ATTACK,), Fraction(5, 12)),
    ):
        policies = Policy(reroll_attack=reroll), Policy("defence")
        fighters = fighter(placed=(1, 1)), fighter(placed=(0, 2))
        for dense in (True, False):
            solver = Solver(Combat(fighters, policies, 0, book), (best, ()), dense=dense)
            assert solver.value(dead_score) == pytest.approx(float(lands), abs=1e-15)


def test_who_wants_his_6_to_be_enough_keeps_it():
    """R2: INI 3 against 9: 1/6 of the rolls if the 6 may be kept."""
    tables = Solver(Combat((fighter(), fighter())), ((), ())).learn(1)
    assert tables.parry[0, 0, 1, 6] == pytest.approx(1 / 6, abs=1e-15)


def test_being_hit_may_be_good():
    """A side that wants to be hit commits no die, and re-rolls what would parry."""
    fighters = fighter(placed=(1, 1)), fighter(placed=(0, 2))
    book = every_blow_kills(Book())
    wants_to_die = lambda states: -float(states[1].dead)  # noqa: E731
    best = (), (Decision.PARRY,)
    combat = Combat(fighters, (Policy(), Policy("defence")), 0, book)
    assert Solver(combat, best).value(wants_to_die) == pytest.approx(-1, abs=1e-15)
    forced = replace(combat, policies=(Policy(reroll_attack="never"), Policy("defence")))
    kept = Solver(forced).value(wants_to_die)
    spoilt = Solver(forced, ((), (Decision.REROLL_DEFENCE,))).value(wants_to_die)
    assert spoilt < kept - 0.01


# --- against the kernels' policies ------------------------------------------------------


def any_score(draw, combat):
    """Dead, levels of wounds, or any numbers."""
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return dead_score
    if kind == 1:
        return level_score(combat.book)
    random = Random(draw(st.integers(0, 10**6)))
    codes = wounds_by_code(combat.book)
    table = {
        states: random.uniform(-1, 1) for states in product(codes, repeat=len(combat.fighters))
    }
    return table.__getitem__


@st.composite
def scored(draw, most=2, turns=2):
    """A combat of few states and dice, and what its ends are worth."""
    combat = draw(strategies.combats(most=most))
    fighters = len(combat.fighters)
    book = combat.book
    stacks = book.stunned_stacks and fighters == 2
    book = replace(book, stunned_stacks=stacks)
    if fighters > 2:
        book = replace(book, dice_base=min(book.dice_base, 1), dice_per_enemy=1)
    hurt = lambda w: replace(w, stunned=min(w.stunned, 3 if stacks else 1))  # noqa: E731
    listed = tuple(replace(f, wounds=hurt(f.wounds)) for f in combat.fighters)
    combat = replace(combat, fighters=listed, book=book, turns=min(combat.turns, turns))
    if fighters > 2:
        combat = replace(combat, turns=1)
    return combat, any_score(draw, combat)


def other_policies(draw, combat):
    return replace(combat, policies=(draw(strategies.policies), draw(strategies.policies)))


@seed(621)
@trees(40)
@given(scored(), st.data())
def test_best_play_is_never_worse_than_a_policy(problem, data):
    """Best against policy, policy against policy, best against best, in this order (a saddle)."""
    combat, score = problem
    fixed = Solver(combat).value(score)
    best_0 = Solver(combat, (ALL, ())).value(score)
    best_1 = Solver(combat, ((), ALL)).value(score)
    both = Solver(combat, (ALL, ALL)).value(score)
    assert best_1 - CLOSE <= fixed <= best_0 + CLOSE
    assert best_1 - CLOSE <= both <= best_0 + CLOSE
    for _ in range(3):
        other = other_policies(data.draw, combat)
        one = replace(combat, policies=(other.policies[0], combat.policies[1]))
        assert Solver(one).value(score) <= best_0 + CLOSE
        assert Solver(one, ((), ALL)).value(score) <= both + CLOSE
        two = replace(combat, policies=(combat.policies[0], other.policies[1]))
        assert Solver(two).value(score) >= best_1 - CLOSE
        assert Solver(two, (ALL, ())).value(score) >= both - CLOSE


@pytest.mark.slow
@seed(629)
@trees(30)
@given(strategies.combats(most=3, least=3), st.data())
def test_best_play_of_one_against_three_is_never_worse_than_a_policy(combat, data):
    dice = data.draw(st.tuples(st.integers(0, 4), *(st.integers(0, 2),) * 3))
    book = replace(combat.book, dice_base=1, dice_per_enemy=1, stunned_stacks=False, killing=2)
    listed = tuple(
        replace(f, placed=(attack, most - attack), wounds=Wounds(min(f.wounds.level, 1)))
        for f, attack, most in zip(combat.fighters, dice, (4, 2, 2, 2), strict=True)
    )
    combat = replace(combat, fighters=listed, book=book, turns=1)
    score = any_score(data.draw, combat)
    fixed = Solver(combat).value(score)
    best_0 = Solver(combat, (ALL, ())).value(score)
    best_1 = Solver(combat, ((), ALL)).value(score)
    both = Solver(combat, (ALL, ALL)).value(score)
    assert best_1 - CLOSE <= fixed <= best_0 + CLOSE
    assert best_1 - CLOSE <= both <= best_0 + CLOSE


@seed(622)
@trees(40)
@given(scored(), st.sampled_from(ALL), st.integers(0, 1), st.data())
def test_each_decision_left_open_alone(problem, decision, side, data):
    """One decision made best is never worse than any way to make it, the others as they are."""
    combat, score = problem
    best = ((decision,), ()) if side == 0 else ((), (decision,))
    sign = 1 - 2 * side
    value = sign * Solver(combat, best).value(score)
    name = decision.name.lower()
    for _ in range(3):
        policies = list(combat.policies)
        drawn = getattr(data.draw(strategies.policies), name)
        policies[side] = replace(policies[side], **{name: drawn})
        fixed = Solver(replace(combat, policies=tuple(policies))).value(score)
        assert value >= sign * fixed - CLOSE
    more = data.draw(st.sampled_from(ALL))
    wider = ((decision, more), ()) if side == 0 else ((), (decision, more))
    assert sign * Solver(combat, wider).value(score) >= value - CLOSE


@seed(623)
@trees(60)
@given(scored(most=1), st.lists(st.sampled_from(ALL)), st.lists(st.sampled_from(ALL)))
def test_the_board_of_a_duel_is_the_table_of_positions(problem, own, other):
    combat, score = problem
    dense, sparse = (
        Solver(combat, (own, other), dense=dense).value(score) for dense in (True, False)
    )
    assert abs(dense - sparse) <= 1e-13 * max(1, abs(dense))


@seed(624)
@trees(40)
@given(scored(), st.lists(st.sampled_from(ALL)), st.lists(st.sampled_from(ALL)))
def test_the_value_is_that_of_the_law(problem, own, other):
    """Also with decisions solved: masses sum to 1, and the law is worth what it is said to be."""
    combat, score = problem
    solver = Solver(combat, (own, other))
    final = solver.final(score)
    solved = solver.turn(0, solver.starts, final)
    assert (solved.joint >= 0).all()
    assert solved.joint.sum() == pytest.approx(1, abs=1e-12)
    worth = solved.joint.sum(axis=0).ravel() @ final
    assert worth == pytest.approx(solved.value, abs=1e-12)


@seed(625)
@trees(60)
@given(scored(most=1), st.lists(st.sampled_from(ALL)), st.lists(st.sampled_from(ALL)))
def test_a_duel_with_its_sides_swapped(problem, own, other):
    """Best play of A against B and of B against A: the value is the negated one."""
    combat, score = problem
    combat = replace(combat, order=combat.order or (0, 1))
    (a, b), (p, q) = combat.fighters, combat.policies
    swapped = replace(
        combat,
        fighters=(b, a),
        policies=(q, p),
        chooser=1 - combat.chooser,
        order=tuple(1 - i for i in combat.order),
    )
    value = Solver(combat, (own, other)).value(score)
    back = Solver(swapped, (other, own)).value(lambda states: -score(states[::-1]))
    assert back == pytest.approx(-value, abs=1e-12)


# --- what best play is, told ------------------------------------------------------------


def test_a_6_is_kept_where_the_tree_keeps_it():
    """W-1.2, C-6.3: a 6 on the attack die, by how far ATT leads and by the dice against it."""
    for book in (Book(), Book(reroll_one="add"), Book(reroll_one="fail")):
        policies = (Decision.REROLL_ATTACK, Decision.REROLL_DEFENCE)
        solver = Solver(Combat((fighter(), fighter()), book=book), (policies, policies))
        for dice, lead in product((1, 2), range(-9, 6)):

            def lands(natural, dice=dice, lead=lead, book=book):
                return 1 - chance_to_parry(book, dice, natural + lead, True)

            def worth(natural):
                """Of an open 6, decided as well as can be."""
                return max(lands(natural), rolled(natural)) if natural < 60 else lands(natural)

            def rolled(natural, book=book):
                one = {"reset": lands(1), "add": lands(natural + 1), "fail": 0}[book.reroll_one]
                return (one + sum(lands(natural + k) for k in range(2, 6)) + worth(natural + 6)) / 6

            gain = rolled(6) - lands(6)
            kept = keeps_six(solver.fights, solver.tables, 0, dice, 5, lead, 6)
            assert kept == (gain <= 0) or abs(gain) < 1e-9


def test_what_the_re_roll_of_an_initiative_die_gains():
    """W-1.5: INI 3 behind, his 6 against a closed 5, 8 in all: 3 to 6 win, 2 is rolled again."""
    for side in (0, 1):
        fighters = [fighter(INI=5), fighter(INI=2)]
        if side == 0:
            fighters.reverse()
        choices = ((Decision.REROLL_INITIATIVE,),) * 2
        solver = Solver(Combat(tuple(fighters), (EVEN, EVEN), 0), choices)
        gains = np.full(6, np.nan)
        difference = fighters[0].INI - fighters[1].INI
        rerolls_initiative(solver.fights, solver.tables, 0, difference, side, gains)
        score = lambda states: 0.0  # noqa: E731
        joint = solver.turn(0, solver.starts, solver.final(score)).joint
        tied = joint[side].sum()
        assert gains[4] == pytest.approx(4 / 6 + tied / 6, abs=1e-14)
        assert gains[0] < 0  # he is ahead of a 1


def test_positions_that_best_play_leads_to():
    """One attack, met with one of two dice: the 6 is kept at equal values, else re-rolled."""
    book = every_blow_kills(Book())
    for defence, six in ((3, KEPT), (9, REROLLED)):
        fighters = fighter(placed=(1, 1)), fighter(placed=(0, 2), DEF=defence)
        best = (Decision.REROLL_ATTACK,), ()
        solver = Solver(Combat(fighters, (EVEN, EVEN), 0, book), best)
        _, (row,), (mass,) = played_positions(
            solver.fights,
            solver.tables,
            Opening(0, np.array(solver.starts), solver.dice(0, solver.starts)),
            0,
            solver.final(dead_score),
            solver.table,
            solver.rubbish(2 * solver.ends),
        )
        assert mass == 1
        told = {column.name: int(row[column]) for column in Played}
        assert told == {
            "HALF": 0,
            "STRIKER": 0,
            "TARGET": 1,
            "CHOICES": 1,
            "DEFENCE": 2,
            "SUSTAINED": 0,
            "COMING": 0,
            "OPTIONS": 1,
            "COMMITTED": 1,
            "SUSTAINS": 0,
            "ATTACK": 3,
            "LEAD": 3 - defence,
            "SIX": six,
        }
        assert row[len(Played) :].tolist() == list(solver.starts)


@seed(626)
@trees(30)
@given(scored(), st.integers(0, 1))
def test_masses_of_the_positions_of_best_play(problem, first):
    """Each attack of a pass is made in positions that weigh no more than 1 together."""
    combat, score = problem
    combat = replace(combat, fighters=tuple(replace(f, placed=(1, 1)) for f in combat.fighters))
    solver = Solver(combat, (ALL, ALL))
    _, rows, masses = played_positions(
        solver.fights,
        solver.tables,
        Opening(0, np.array(solver.starts), solver.dice(0, solver.starts)),
        first,
        solver.final(score),
        solver.table,
        solver.rubbish(2 * solver.ends),
    )
    assert (masses > 0).all()
    attacks = {}
    for row, mass in zip(rows.tolist(), masses.tolist(), strict=True):
        assert row[Played.COMMITTED] <= row[Played.DEFENCE]
        key = row[Played.HALF], row[Played.STRIKER], row[Played.TARGET]
        attacks[key] = attacks.get(key, 0) + mass
        if row[Played.HALF] == 0:
            assert (row[Played.STRIKER] == 0) == (first == 0)
    assert all(mass <= 1 + 1e-12 for mass in attacks.values())
    assert not solver.table.rows["mass"].any()


@seed(627)
@trees(40)
@given(scored(most=1), st.integers(0, 10**6))
def test_the_law_of_best_play_with_its_sides_swapped(problem, number):
    """Scores that no two decisions share: the same decisions are made, seen from either side."""
    combat, _ = problem
    combat = replace(combat, order=combat.order or (0, 1), turns=1)
    random = Random(number)
    codes = wounds_by_code(combat.book)
    table = {states: random.uniform(-1, 1) for states in product(codes, repeat=2)}
    solver = Solver(combat, (ALL, ALL))
    back = Solver(
        replace(
            combat,
            fighters=combat.fighters[::-1],
            policies=combat.policies[::-1],
            chooser=1 - combat.chooser,
            order=tuple(1 - i for i in combat.order),
        ),
        (ALL, ALL),
    )
    one = solver.turn(0, solver.starts, solver.final(table.__getitem__))
    other = back.turn(0, back.starts, back.final(lambda states: -table[states[::-1]]))
    assert one.value == pytest.approx(-other.value, abs=1e-12)
    turned = other.joint[::-1].transpose(0, 2, 1)
    np.testing.assert_allclose(one.joint, turned, atol=1e-12, rtol=0)


@seed(628)
@trees(25)
@given(strategies.combats(most=3, least=2), st.randoms(use_true_random=False))
def test_best_play_does_not_know_the_order_of_the_list(combat, random):
    """Enemies listed in another order, who place their dice as before: the same value."""
    book = replace(combat.book, stunned_stacks=False, dice_base=1, dice_per_enemy=1)
    if len(combat.fighters) == 4:
        book = replace(book, killing=min(book.killing, 2))
    n = len(combat.fighters)
    dice = [book.dice_base + (n - 1 if i == 0 else 1) for i in range(n)]
    listed = []
    for f, most in zip(combat.fighters, dice, strict=True):
        attack = random.randint(0, most)
        level = min(f.wounds.level, book.killing - 1)
        wounds = Wounds(level, min(f.wounds.stunned, 1))
        listed.append(replace(f, placed=(attack, most - attack), wounds=wounds))
    combat = replace(combat, fighters=tuple(listed), book=book, turns=1, order=tuple(range(n)))
    others = list(range(1, n))
    random.shuffle(others)
    shuffled = [0, *others]
    again = replace(
        combat,
        fighters=tuple(listed[i] for i in shuffled),
        order=tuple(shuffled.index(i) for i in combat.order),
    )
    weights = [random.uniform(-1, 1) for _ in range(n)]

    def score(states, order):
        return sum(
            weights[i] * (wounds.level + 4 * wounds.dead + wounds.stunned / 3) ** 2
            for i, wounds in zip(order, states, strict=True)
        )

    one = Solver(combat, (ALL, ALL)).value(lambda states: score(states, range(n)))
    other = Solver(again, (ALL, ALL)).value(lambda states: score(states, shuffled))
    assert one == pytest.approx(other, abs=1e-11)
