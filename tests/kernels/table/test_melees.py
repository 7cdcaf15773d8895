"""Melees from contacts and their separations: kernels against sets read plainly (C-1, C-2)."""

import random
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.table import melees as kernels
from estoc.kernels.table import separations
from reference import melees as rules

A, B = "A", "B"


def fighters_of(a, b):
    """Names of fighters, A's and B's, and each one's side."""
    names = [f"A{i:02}" for i in range(a)] + [f"B{j:02}" for j in range(b)]
    return names, {name: name[0] for name in names}


def touching_of(names, contacts):
    """Masks of whom each touches, in the order of the names."""
    masks = np.zeros(len(names), np.uint64)
    for one, other in map(tuple, contacts):
        i, j = names.index(one), names.index(other)
        masks[i] |= np.uint64(1 << j)
        masks[j] |= np.uint64(1 << i)
    return masks


def side_mask(names, side):
    return np.uint64(sum(1 << i for i, name in enumerate(names) if side[name] == A))


def bits(mask):
    return {i for i in range(64) if int(mask) >> i & 1}


def compiled_melees(names, side, contacts):
    found = kernels.melees_of(touching_of(names, contacts), side_mask(names, side))
    return [frozenset(names[i] for i in bits(mask)) for mask in found]


def compiled(names, side, contacts, melee):
    """A melee's fighters by the kernels' numbers, its enemies, fighters of A, ways."""
    mask = np.uint64(sum(1 << names.index(f) for f in melee))
    numbers, enemies, own, n = separations.numbered(
        touching_of(names, contacts), side_mask(names, side), mask
    )
    assert n == len(melee)
    return [names[i] for i in numbers], enemies, own, separations.ways_of(enemies, own)


def named(listed, combats):
    """A row of a kernel as a separation by names."""
    return frozenset(frozenset(listed[i] for i in bits(c)) for c in combats if c)


def all_compiled(names, side, contacts, melee):
    listed, enemies, own, ways = compiled(names, side, contacts, melee)
    rows = separations.separations(enemies, own, ways, 0, ways[-1])
    assert len(rows) == ways[-1]
    return [named(listed, row) for row in rows]


def all_touch(a, b):
    names, side = fighters_of(a, b)
    own, foes = names[:a], names[a:]
    return names, side, {frozenset(pair) for pair in product(own, foes)}


def chain(n, closed=False):
    """A row, or a ring, of fighters of alternating sides."""
    names, side = fighters_of((n + 1) // 2, n // 2)
    order = [names[i // 2] if i % 2 == 0 else names[(n + 1) // 2 + i // 2] for i in range(n)]
    pairs = list(pairwise(order)) + [(order[-1], order[0])] * closed
    return names, side, {frozenset(pair) for pair in pairs}


H5 = [
    (all_touch(2, 2), 2),
    (all_touch(2, 3), 6),
    (all_touch(3, 3), 15),
    (all_touch(2, 4), 14),
    (chain(4), 1),
    (chain(5), 2),
    (chain(6), 2),
    (chain(7), 3),
    (chain(6, closed=True), 5),
    (chain(8, closed=True), 10),
]


@pytest.mark.parametrize(("case", "number"), H5)
def test_numbers_of_separations(case, number):
    # H5
    names, side, contacts = case
    assert compiled_melees(*case) == [frozenset(names)]
    found = all_compiled(*case, names)
    assert len(found) == len(set(found)) == number
    assert set(found) == rules.separations(names, side, contacts)


@st.composite
def tables(draw, most=5):
    """Fighters of both sides in any order, and who touches whom, friends too."""
    names, side = fighters_of(draw(st.integers(1, most)), draw(st.integers(1, most)))
    pairs = [(f, g) for i, f in enumerate(names) for g in names[:i]]
    contacts = {frozenset(p) for p in draw(st.sets(st.sampled_from(pairs)))}
    return draw(st.permutations(names)), side, contacts


@given(tables())
@settings(deadline=None)
def test_melees_are_those_of_the_reference(table):
    # C-1.1
    names, side, contacts = table
    found = compiled_melees(*table)
    assert set(found) == rules.melees(side, contacts)
    assert len(set(found)) == len(found)
    firsts = [min(names.index(f) for f in melee) for melee in found]
    assert firsts == sorted(firsts)
    for melee in found:
        assert {side[f] for f in melee} == {A, B}


@given(tables(most=4))
@settings(deadline=None, max_examples=150)
def test_separations_are_those_of_the_reference(table):
    # H5, C-1.2, C-1.3: every one once, nobody twice, nobody left out, and at least one
    _, side, contacts = table
    for melee in compiled_melees(*table):
        found = all_compiled(*table, melee)
        assert len(found) == len(set(found)) >= 1
        assert set(found) == rules.separations(melee, side, contacts)
        for separation in found:
            assert sorted(f for combat in separation for f in combat) == sorted(melee)
        listed, enemies, own, ways = compiled(*table, melee)
        combats = separations.combats_of(enemies, own, ways)
        assert list(combats) == sorted(set(combats))
        met = {frozenset(listed[i] for i in bits(c)) for c in combats}
        assert met == {combat for separation in found for combat in separation}


def test_friends_who_touch_link_nothing():
    # H5: a-b and c-d enemies, b-c friends
    names, side = ["a", "b", "c", "d"], {"a": A, "b": B, "c": B, "d": A}
    contacts = {frozenset(pair) for pair in ("ab", "bc", "cd")}
    assert compiled_melees(names, side, contacts) == [frozenset("ab"), frozenset("cd")]
    free = {**side, "e": B}
    assert len(compiled_melees([*names, "e"], free, contacts | {frozenset("be")})) == 2


@given(tables(most=4), st.randoms(use_true_random=False))
@settings(deadline=None, max_examples=60)
def test_names_order_and_sides_do_not_matter(table, luck):
    names, side, contacts = table
    shuffled = luck.sample(names, len(names))
    swapped = {name: {A: B, B: A}[s] for name, s in side.items()}
    assert set(compiled_melees(shuffled, side, contacts)) == set(compiled_melees(*table))
    for melee in compiled_melees(*table):
        found = set(all_compiled(*table, melee))
        assert set(all_compiled(shuffled, side, contacts, melee)) == found
        assert set(all_compiled(names, swapped, contacts, melee)) == found


def test_the_order_is_stable_and_a_part_of_it_can_be_asked_for():
    names, side, contacts = all_touch(3, 3)
    _, enemies, own, ways = compiled(names, side, contacts, names)
    rows = separations.separations(enemies, own, ways, 0, 15)
    assert [list(row) for row in rows[:2]] == [[9, 18, 36] + [0] * 5, [9, 34, 20] + [0] * 5]
    for first in range(15):
        assert (separations.separations(enemies, own, ways, first, 1) == rows[first]).all()
    # who is met first is in ascending order within each separation
    assert all([c & -c for c in row if c] == sorted(c & -c for c in row if c) for row in rows)


@given(tables(most=4), st.randoms(use_true_random=False), st.sampled_from([1, -1]))
@settings(deadline=None, max_examples=100)
def test_the_best_separation_is_that_of_brute_force(table, luck, sign):
    # whole numbers, so that sums are exact and equal ones happen
    _, side, contacts = table
    for melee in compiled_melees(*table):
        listed, enemies, own, ways = compiled(*table, melee)
        values = np.full(len(ways), np.nan)  # of what is no combat of a separation: not looked at
        for combat in separations.combats_of(enemies, own, ways):
            values[combat] = luck.randint(-4, 4)
        value, combats = separations.best_of(enemies, own, ways, values, sign)
        by_name = {frozenset(listed[i] for i in bits(c)): v for c, v in enumerate(values)}
        sums = [rules.value(s, by_name) for s in rules.separations(melee, side, contacts)]
        assert value == (max if sign > 0 else min)(sums)
        assert rules.value(named(listed, combats), by_name) == value
        # of equal ones, the first of the order
        rows = separations.separations(enemies, own, ways, 0, ways[-1])
        first = next(r for r in rows if sum(values[c] for c in r if c) == value)
        assert (combats == first).all()


def test_large_melees_are_counted_and_their_best_found():
    names, side, contacts = all_touch(8, 8)
    listed, enemies, own, ways = compiled(names, side, contacts, names)
    assert ways[-1] == 58_746_304
    luck = random.Random(5)
    values = np.array([luck.random() for _ in ways])
    value, combats = separations.best_of(enemies, own, ways, values, 1)
    assert value == pytest.approx(sum(values[c] for c in combats if c))
    assert named(listed, combats) <= {
        frozenset(listed[i] for i in bits(c)) for c in separations.combats_of(enemies, own, ways)
    }
    for k in (0, 1, 12_345_678, ways[-1] - 1):
        (row,) = separations.separations(enemies, own, ways, k, 1)
        assert sum(row) == (1 << 16) - 1
        assert sum(values[c] for c in row if c) <= value


def test_of_more_than_sixteen_fighters_only_their_number_is_told():
    names, side, contacts = chain(17)
    _, _, own, n = separations.numbered(
        touching_of(names, contacts), side_mask(names, side), np.uint64((1 << 17) - 1)
    )
    assert (own, n) == (9, 17)


def test_sixty_four_fighters_fit():
    names, side, contacts = chain(64)
    assert compiled_melees(names, side, contacts) == [frozenset(names)]
    pairs = {frozenset((names[i], names[63 - i])) for i in range(32)}
    assert len(compiled_melees(names, side, pairs)) == 32


@given(
    st.integers(1, 4),
    st.integers(1, 4),
    st.lists(st.integers(0, 9), min_size=8, max_size=8),
    st.sets(st.integers(0, 7)),
    st.sets(st.integers(0, 7)),
)
@settings(deadline=None)
def test_who_may_make_the_test(a, b, discipline, routed, chosen):
    # C-1.4, C-2.1: of those of the melee or combat who are not in rout, the best
    names, side = fighters_of(a, b)
    within = {i for i in chosen if i < a + b}
    found = kernels.testers(
        sum(1 << i for i in within),
        a,
        np.array(discipline[: a + b]),
        sum(1 << i for i in routed),
    )
    lost = {names[i] for i in routed if i < a + b}
    for whose, best in zip(A + B, found, strict=True):
        able = rules.testers({names[i] for i in within}, side, lost, whose)
        expected = max((discipline[names.index(f)] for f in able), default=kernels.NOBODY)
        assert best == expected
