"""Disengagement in the kernels, against the reference (M-7), and room in contact (M-7.6)."""

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import cos, dist, pi, sin

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from single_trials import disengage_trial
from strategies import books
from witness import assert_share, die_of, rules_of, sheet_words

from estoc.kernels.layout.log import Event
from estoc.kernels.layout.rolls import WAYS, Try, Way
from estoc.kernels.rolls.disengage import (
    count_disengagements,
    new_disengagement,
    ways,
)
from estoc.profiles import Profile, load_edition
from estoc.profiles.compile.disengage import compile_disengagement
from estoc.profiles.compile.room import base_of, most_in_contact, room_round, size_of
from estoc.sim.combat.single import natural_law
from reference.book import Book, Wounds
from reference.disengage import (
    SIZES,
    Standing,
    chance,
    current,
    difficulty,
    test_passed,
    value_by_force,
)

CONFFEDE = load_edition("conffede")
CUSTOMS = compile_disengagement(CONFFEDE)
PLAIN = Book()


def weighed(book, own, enemies, customs=CUSTOMS, seed=1, cell=0):
    """The kernel's record, rows and chances of both ways."""
    record = new_disengagement(rules_of(book).scalars, seed, cell)
    rows, chances = np.full((WAYS, len(Try)), -99), np.full(WAYS, np.nan)
    mine = [SIZES.index(own.size), current(book, own, "INI"), current(book, own, "FOR")]
    foes = [[SIZES.index(foe.size), current(book, foe, "RES")] for foe in enemies]
    ways(record, customs, np.array(mine), np.array(foes), rows, chances)
    return record, rows, chances


def values_of(book, own, enemies):
    """What the die is added to by each way, None where there is none, by the reference."""
    return current(book, own, "INI"), value_by_force(book, own, enemies)


standings = st.builds(
    Standing,
    size=st.sampled_from(SIZES),
    INI=st.integers(0, 8),
    FOR=st.integers(0, 14),
    RES=st.integers(0, 12),
    wounds=st.builds(Wounds, st.integers(0, 3), st.integers(0, 1)),
    charged=st.booleans(),
)
crowds = st.lists(standings, min_size=1, max_size=8)


# --- chances --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ini", "shares"),
    [
        (2, ("3/6", "1/6", "5/36")),
        (3, ("4/6", "2/6", "5/36")),
        (4, ("5/6", "3/6", "1/6")),
        (5, ("1", "4/6", "2/6")),
    ],
)
def test_the_digests_chances(ini, shares):
    """M-7: by agility against 1, 2 and 3 enemies."""
    for touching, share in enumerate(shares, 1):
        _, rows, chances = weighed(PLAIN, Standing(INI=ini), [Standing()] * touching)
        assert rows[Way.AGILITY, Try.DIFFICULTY] == 4 + 2 * touching == difficulty(touching)
        assert chances[Way.AGILITY] == pytest.approx(float(Fraction(share)), abs=1e-15)
        low, high = chance(PLAIN, ini, difficulty(touching))
        assert low <= Fraction(share) <= high


@given(books, standings, crowds)
@settings(max_examples=150, deadline=None)
@example(Book(natural_one_fails=True), Standing(INI=8), [Standing()])
@example(Book(reroll_one="fail"), Standing(INI=1), [Standing()] * 3)
@example(Book(automatic_failure=9), Standing(INI=6), [Standing()])
@example(PLAIN, Standing("large", FOR=6), [Standing(RES=2), Standing(RES=5)])
def test_both_ways_agree_with_every_roll_enumerated(book, own, enemies):
    """M-7.2, M-7.3, W-1.1 to W-1.3, W-3.2."""
    _, rows, chances = weighed(book, own, enemies)
    for way, value in zip(Way, values_of(book, own, enemies), strict=True):
        assert rows[way, Try.POSSIBLE] == (value is not None)
        if value is None:
            assert chances[way] == 0
            continue
        assert rows[way, Try.VALUE] == value
        low, high = _bounds(book, value, difficulty(len(enemies)))
        assert float(low) - 1e-12 <= chances[way] <= float(high) + 1e-12


@cache
def _bounds(book, value, least):
    return chance(book, value, least, depth=12)


@pytest.mark.parametrize("ini", range(-2, 9))
def test_they_agree_with_the_law_of_one_die(ini):
    """W-1.2: the law of a die whose 6 is re-rolled while it is not enough."""
    for touching in range(1, 9):
        _, rows, chances = weighed(PLAIN, Standing(INI=ini), [Standing()] * touching)
        goal = int(rows[Way.AGILITY, Try.GOAL])
        law = natural_law("needed", goal)
        total = sum(p for natural, p in law.items() if natural is not None and natural >= goal)
        assert chances[Way.AGILITY] == pytest.approx(total, abs=1e-12)


@pytest.mark.parametrize(
    ("own", "enemies", "value"),
    [
        (Standing("large", FOR=6), [Standing(RES=5)], 1),
        (Standing("large", FOR=6), [Standing(RES=6)], None),  # FOR brought to 0
        (Standing("large", FOR=6), [Standing(RES=7)], None),  # and below
        (Standing("large", FOR=9), [Standing(RES=3), Standing(RES=5)], 4),  # the highest RES
        (Standing("large", FOR=9), [Standing("large", RES=1)], None),  # not larger
        (Standing("large", FOR=9), [Standing("small", RES=1), Standing("large", RES=1)], None),
        (Standing("very large", FOR=9), [Standing("large", RES=1)], 8),
        (Standing("large", FOR=9, wounds=Wounds(1)), [Standing(RES=5)], 3),  # W-3.2
        (Standing("large", FOR=9), [Standing(RES=5, wounds=Wounds(2))], 4),  # RES is not reduced
        (Standing("large", FOR=9, charged=True), [Standing(RES=5)], 4),  # nor FOR by a charge
    ],
)
def test_who_may_try_by_force(own, enemies, value):
    """M-7.3."""
    assert value_by_force(PLAIN, own, enemies) == value
    _, rows, chances = weighed(PLAIN, own, enemies)
    assert rows[Way.FORCE, Try.POSSIBLE] == (value is not None)
    assert (chances[Way.FORCE] > 0) == (value is not None)
    if value is not None:
        assert rows[Way.FORCE, Try.VALUE] == value
        assert rows[Way.FORCE, Try.DIFFICULTY] == difficulty(len(enemies))


def test_the_edition_says_the_difficulty():
    """M-7.2."""
    edition = CONFFEDE.with_rule("disengage.difficulty=3").with_rule("difficulty_per_enemy=1")
    _, rows, _ = weighed(PLAIN, Standing(), [Standing()] * 4, compile_disengagement(edition))
    assert rows[Way.AGILITY, Try.DIFFICULTY] == 7
    assert [CONFFEDE.entry(f"disengage.{key}").mark for key in ("difficulty", "most.petite")] == [
        "seed",
        "assumed",
    ]


# --- dice -----------------------------------------------------------------------------


def die_at(seed, cell, trial, turn, fighter):
    """The dice of the address that ``kernels/core/rng.py`` gives to disengagements."""
    block, slot = divmod(fighter, 64)
    first = turn << 20 | 27 << 15 | block % 16 << 11 | block // 16 << 10

    def die(index):
        more, digit = divmod(index, 5)
        sheet, word = (first + 64 * more + slot, 0) if more else (first + slot // 4, slot % 4)
        return die_of(sheet_words(seed, cell, trial, sheet)[word], digit)

    return die


def assert_same_trial(book, value, least, fighter, turn, trial, seed=1, cell=0):
    record = new_disengagement(rules_of(book).scalars, seed, cell)
    goal = max(least, book.automatic_failure + 1) - value
    success, log = disengage_trial(record, goal, fighter, turn, trial)
    asked = []

    def die(index):
        asked.append(die_at(seed, cell, trial, turn, fighter)(index))
        return asked[-1]

    assert success == test_passed(book, die, value, least)
    assert set(log[:, 0].tolist()) == {Event.DIE}
    assert log[:, 7].tolist() == asked
    return asked


@given(
    books,
    st.integers(-3, 9),
    st.integers(4, 20),
    st.integers(0, 2047),
    st.integers(0, 4094),
    st.integers(0, 2**40),
    st.integers(0, 2**64 - 1),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=150, deadline=None)
def test_kernel_and_reference_agree_die_for_die(
    book, value, least, fighter, turn, trial, seed, cell
):
    """M-7.2, W-1.2."""
    assert_same_trial(book, value, least, fighter, turn, trial, seed, cell)


def test_long_chains_agree():
    """W-1.2 past one word of dice (5)."""
    for trial in range(60_000):
        dice = [die_at(1, 0, trial, 3, 2047)(index) for index in range(6)]
        if dice[:5] == [6] * 5:
            assert len(assert_same_trial(PLAIN, 0, 60, 2047, 3, trial)) > 5
            return
    raise AssertionError("no chain was longer than a word")


def test_no_two_fighters_or_turns_share_dice():
    """Every address of a try is its own."""
    places = [
        (fighter, turn) for fighter in (0, 1, 3, 4, 63, 64, 1023, 1024, 2047) for turn in (0, 1)
    ]
    found = [
        [die_at(1, 0, trial, turn, fighter)(0) for trial in range(60)] for fighter, turn in places
    ]
    assert len({tuple(dice) for dice in found}) == len(places)


def test_counts_are_of_the_exact_chances_and_of_any_chunks():
    """M-7: and a way that is not possible never succeeds."""
    own, enemies = Standing("large", INI=3, FOR=8), [Standing(RES=3), Standing(RES=4)]
    record, rows, chances = weighed(PLAIN, own, enemies, seed=5)
    n = 200_000
    counts, parts = np.zeros(WAYS, np.int64), np.zeros(WAYS, np.int64)
    count_disengagements(record, rows, 0, 0, 0, n, counts)
    for first in range(0, n, 70_000):
        count_disengagements(record, rows, 0, 0, first, min(70_000, n - first), parts)
    assert counts.tolist() == parts.tolist()
    for k, p in zip(counts, chances, strict=True):
        assert_share(int(k), n, float(p))
    record, rows, _ = weighed(PLAIN, replace(own, size="medium"), enemies)
    count_disengagements(record, rows, 0, 0, 0, 1000, counts := np.zeros(WAYS, np.int64))
    assert counts[Way.FORCE] == 0 < counts[Way.AGILITY]


# --- room in contact ------------------------------------------------------------------


def squares_that_fit(wide, deep, width):
    """Most squares whose front's middle lies on the edge: every choice on a grid, tried."""
    step = 2.5
    boxes = []
    for k in range(int(wide / step) + 1):
        x = k * step
        boxes += [(x - width / 2, -width, x + width / 2, 0)]
        boxes += [(x - width / 2, deep, x + width / 2, deep + width)]
    for k in range(int(deep / step) + 1):
        y = k * step
        boxes += [(-width, y - width / 2, 0, y + width / 2)]
        boxes += [(wide, y - width / 2, wide + width, y + width / 2)]

    def apart(a, b):
        return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]

    best, stack = 0, [(0, boxes)]
    while stack:
        number, free = stack.pop()
        best = max(best, number)
        if free and number + len(free) > best:
            first = min(free, key=lambda box: (box[2], box[3]))
            # it, or one that it is in the way of, is in some largest set
            for box in (b for b in free if not apart(first, b)):
                stack.append((number + 1, [b for b in free if apart(box, b)]))
    return best


@pytest.mark.parametrize(
    ("base", "width", "room"),
    [
        ((25, 25), 25, 6),
        ((25, 50), 25, 8),
        ((25, 25), 50, 4),
        ((25, 25), 37.5, 4),
        ((37.5, 37.5), 25, 8),
        ((10, 10), 25, 2),
    ],
)
def test_squares_round_squares(base, width, room):
    """M-7.1: the formula against all choices of places."""
    assert room_round(base, width, False) == room
    assert room_round(base[::-1], width, False) == room


@pytest.mark.parametrize(
    ("base", "width"),
    [((5, 5), 5), ((5, 10), 5), ((7.5, 7.5), 5), ((10, 10), 5), ((5, 5), 10), ((10, 10), 15)],
)
def test_squares_round_squares_by_trying_all(base, width):
    """M-7.1."""
    assert room_round(base, width, False) == squares_that_fit(*base, width)


def line_round(base, radius, points):
    """Points of the line on which the centres of discs lie that touch a base."""
    if len(base) == 1:
        far = base[0] / 2 + radius
        return [(far * cos(a), far * sin(a)) for a in np.linspace(0, 2 * pi, points, False)]
    x, y = base[0] / 2, base[1] / 2
    corners = [(x, -y), (x, y), (-x, y), (-x, -y)]
    ends = []
    for k, (a, b) in enumerate(corners):
        angles = [(k - 1) * pi / 2 + t * pi / 2 for t in np.linspace(0, 1, points // 8)]
        ends += [(a + radius * cos(t), b + radius * sin(t)) for t in angles]
    found = []
    for (a, b), (c, d) in pairwise([*ends, ends[0]]):
        pieces = max(1, round(dist((a, b), (c, d)) / 0.05))
        found += [(a + (c - a) * t / pieces, b + (d - b) * t / pieces) for t in range(pieces)]
    return found


@pytest.mark.parametrize("base", [(30,), (40,), (60,), (25, 25), (25, 50), (37.5, 37.5), (50, 50)])
@pytest.mark.parametrize("width", [30, 40, 50])
def test_discs_round_anything(base, width):
    """M-7.1: against discs put one after the other on many points of the line."""
    line = np.array([complex(*point) for point in line_round(base, width / 2, 1680)])
    n = len(line)
    ahead = np.arange(n)[:, None] + np.arange(n // 2)
    step = np.argmax(np.abs(line[ahead % n] - line[:, None]) >= width - 0.03, axis=1)
    best = 0
    for start in range(n):
        discs, gone = 0, int(step[start])
        while gone <= n:  # the place found next is no further than the first disc
            discs, gone = discs + 1, gone + int(step[(start + gone) % n])
        best = max(best, discs)
    assert room_round(base, width, True) == best


@pytest.mark.parametrize(
    ("base", "width", "room"), [((30,), 25, 4), ((60,), 25, 7), ((50,), 50, 4)]
)
def test_squares_round_discs(base, width, room):
    """M-7.1: fronts of this half width, tangent, reach their neighbours' ends or are apart."""
    assert room_round(base, width, False) == room
    radius = base[0] / 2

    def end(number, angle, side):
        """End of the front of a square at an angle."""
        x, y = cos(angle), sin(angle)
        return radius * x - side * width / 2 * y, radius * y + side * width / 2 * x

    def overlap(number):
        """Whether a square's end lies behind the front of its neighbour, within its width."""
        x, y = end(number, 0, 1)
        angle = 2 * pi / number
        ahead = x * cos(angle) + y * sin(angle)
        beside = -x * sin(angle) + y * cos(angle)
        return ahead > radius + 1e-9 and abs(beside) < width / 2

    assert not overlap(room)
    assert overlap(room + 1)


def test_the_cap_and_the_bases_of_fighters():
    """M-7.6, W-5: the base of the card, else of the size, else the default."""
    medium, huge = Profile("m", size="moyenne"), Profile("h", size="très grande")
    assert most_in_contact(medium, [medium], CONFFEDE) == (6, None)
    most, cap = most_in_contact(huge, [medium], CONFFEDE)
    assert (most, cap.key, cap.clause) == (8, "disengage.most.tres_grande", "M-7.6")
    assert most_in_contact(huge, [medium, huge], CONFFEDE)[0] == 8
    assert most_in_contact(huge, [huge], CONFFEDE) == (6, None)
    capped = CONFFEDE.with_rule("most.moyenne=4")
    assert most_in_contact(medium, [medium], capped)[0] == 4
    assert most_in_contact(Profile("d", base="30"), [Profile("e", base="30")], CONFFEDE)[0] == 6
    assert base_of(Profile("x", base="25x50"), CONFFEDE) == ((25, 50), "")
    assert base_of(huge, CONFFEDE) == ((50, 50), "square.tres_grande")
    assert base_of(Profile("x"), CONFFEDE) == ((25, 25), "defaults.base")
    assert size_of(Profile("x"), CONFFEDE) == ("moyenne", True)
    assert size_of(huge, CONFFEDE) == ("très grande", False)
