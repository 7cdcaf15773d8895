"""Many trials: laws against the exhaustive reference, addressable trials, mirrors.

Error rates. Seeds are fixed, so a test passes always or never; what counts is the chance
that a right program had to fail when the seed was chosen. `test_chance_of_a_false_alarm`
computes it from the laws: the binomial mass beyond four standard errors, for every cell
(cells expected fewer than 100 times are taken together), and ``CHI_LEVEL`` for each
chi-square.
"""

import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from math import ceil, floor, sqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st
from running import TEST_PATHS
from scipy.stats import binom, chi2
from strategies import combats
from witness import CONFFEDE, Compiled, replaced

from estoc.kernels.combat.trials import count, play
from estoc.kernels.layout.combat import LANES, new_fight
from estoc.kernels.layout.log import Event
from estoc.profiles.compile.combat import compile_rules
from reference.book import Book, Wounds, every_blow_kills, only_double_six_kills
from reference.exhaustive import Final, exact
from reference.state import Combat, Fighter, Policy

ROOT = Path(__file__).parents[3]
DEPTH = 14  # dice of a test that are enumerated: the rest weighs about 6**-14
TRIALS = 200_000
RARE = 100  # cells expected less often are taken together
USUAL = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
BOOK = Book()
LOOSE = list(HealthCheck)


def fighter(**fields):
    return Fighter("fighter", **{**USUAL, **fields})


# --- laws -----------------------------------------------------------------------------

STRONG, SWIFT, WALL = fighter(ATT=5, FOR=8), fighter(INI=6, DEF=5), fighter(DEF=5, RES=10)
EVEN, ALWAYS = Policy(placement="even"), Policy("attack", reroll_attack="always")
WARY = Policy("even", parry="spread", sustain="always", reroll_defence="always")
ALL_IN = Policy("attack", strike_order="strongest", target="frail", parry="none")
SHIELD = Policy("defence", parry="all", sustain="never", reroll_initiative="never")
LISTED = Policy("even", "listed", "listed", "listed", 2, reroll_attack="never")
DEAR = Policy("even", target="dearest", parry="all", margin=0, reroll_initiative="always")
BARE = Policy("answer", target="undefended", strike_order="listed", margin=9)


def books(**fields):
    return replace(BOOK, **fields)


DUELS = [
    Combat((fighter(), fighter())),
    Combat((fighter(), fighter()), chooser=1, turns=3),
    Combat((STRONG, WALL), (EVEN, WARY), turns=2),
    Combat((STRONG, WALL), (ALWAYS, SHIELD), turns=3),
    Combat((SWIFT, STRONG), (WARY, ALWAYS), 1),
    Combat((fighter(PA=5), fighter(PA=9)), (LISTED, DEAR), turns=2),
    Combat((fighter(charged=True), STRONG), (WARY, WARY), turns=2),
    Combat((fighter(wounds=Wounds(1)), SWIFT), (EVEN, ALL_IN), turns=2),
    Combat((fighter(wounds=Wounds(2, 1)), fighter(wounds=Wounds(3))), (EVEN, EVEN)),
    Combat((STRONG, fighter(all_defence=True)), (EVEN, SHIELD), turns=2),
    Combat((fighter(placed=(1, 1)), fighter(placed=(0, 2))), (ALWAYS, WARY), turns=2),
    Combat((fighter(ATT=0), fighter(DEF=0)), (EVEN, EVEN), 0, books(automatic_failure=3)),
    Combat((fighter(), fighter()), (EVEN, EVEN), 0, books(natural_one_fails=True)),
    Combat((fighter(), SWIFT), (WARY, LISTED), 1, books(reroll_one="add"), 2),
    Combat((fighter(), SWIFT), (LISTED, WARY), 1, books(reroll_one="fail"), 2),
    Combat((fighter(), fighter()), (EVEN, EVEN), 1, books(opposed_tie="coin")),
    Combat((fighter(), fighter()), (EVEN, DEAR), 1, books(opposed_tie="first")),
    Combat((SWIFT, fighter()), (DEAR, EVEN), 0, books(opposed_tie="higher_characteristic"), 2),
    Combat((STRONG, WALL), (ALWAYS, WARY), 0, books(dice_base=2, many_dice="one_chain")),
    Combat((STRONG, WALL), (EVEN, SHIELD), 0, books(dice_base=2, sustained_penalty=0)),
    Combat((STRONG, WALL), (EVEN, WARY), 0, books(stunned_stacks=True), 2),
    Combat((fighter(), fighter()), (EVEN, WARY), 0, books(killing=2, double_six_kills=False), 3),
    Combat((fighter(), fighter()), (ALWAYS, ALWAYS), 0, only_double_six_kills(BOOK), 4),
    Combat((fighter(), fighter()), (WARY, DEAR), 0, every_blow_kills(BOOK), 2),
]

TRIOS = [
    Combat((STRONG, fighter(), fighter())),
    Combat((WALL, STRONG, SWIFT), (WARY, ALWAYS), 1),
    Combat((STRONG, fighter(PA=3), fighter(PA=7)), (DEAR, BARE)),
    Combat((WALL, fighter(), SWIFT), (LISTED, LISTED)),
    Combat((STRONG, fighter(RES=4), fighter(RES=7)), (ALL_IN, WARY)),
    Combat((fighter(charged=True), fighter(), SWIFT), (BARE, EVEN), turns=2),
    Combat((WALL, fighter(charged=True), fighter(wounds=Wounds(1, 1))), (EVEN, ALL_IN)),
    Combat((STRONG, fighter(placed=(1, 1)), fighter(placed=(0, 2))), (EVEN, WARY), turns=2),
    Combat((STRONG, fighter(), fighter()), (EVEN, EVEN), 0, books(numbers_bonus=2)),
    Combat((STRONG, fighter(), fighter()), (SHIELD, ALWAYS), 1, books(many_dice="one_chain")),
    Combat((WALL, fighter(), STRONG), (WARY, WARY), 0, books(reroll_one="add", dice_base=0)),
    Combat((WALL, fighter(), fighter()), (ALWAYS, ALWAYS), 0, only_double_six_kills(BOOK), 2),
    Combat((SWIFT, fighter(), fighter()), (EVEN, LISTED), 1, every_blow_kills(BOOK)),
    Combat((fighter(wounds=Wounds(1)), SWIFT, WALL), (EVEN, EVEN), order=(2, 0, 1)),
]

COMBATS = DUELS + TRIOS
CHI_LEVEL = 0.01 / len(COMBATS)


@cache
def law_of(index):
    return exact(COMBATS[index], depth=DEPTH)


def observed(compiled, trials):
    """Number of trials by how they ended, in the reference's words."""
    states = compiled.play(0, trials)[:, :-1]
    ends, counts = np.unique(states, axis=0, return_counts=True)
    found = Counter()
    for (*codes, first), total in zip(ends.tolist(), counts.tolist(), strict=True):
        found[Final(tuple(compiled.codes[code].code for code in codes), first)] += total
    return found


def cells(law, trials):
    """Groups of ends and their probability: rare ends are one group."""
    common = {end: float(mass) for end, mass in law.masses.items() if mass * trials >= RARE}
    groups = [({end}, p) for end, p in common.items()]
    rare = set(law.masses) - set(common)
    if rare:
        groups.append((rare, float(sum(law.masses[end] for end in rare))))
    return groups


def bounds(p, rest, trials, errors=4):
    """Counts within four standard errors, the rest of the law on either side."""
    error = errors * sqrt(trials * p * (1 - p)) + trials * float(rest) + 1e-6
    return ceil(trials * p - error), floor(trials * p + error)


def assert_law(combat, law, compiled, trials, chi_level, errors=4):
    found = observed(compiled, trials)
    assert sum(law.masses.values()) + law.rest == 1
    assert law.rest * trials < 0.01
    assert found.keys() <= law.masses.keys()
    groups = cells(law, trials)
    counts = [sum(found[end] for end in ends) for ends, _ in groups]
    for (ends, p), total in zip(groups, counts, strict=True):
        low, high = bounds(p, law.rest, trials, errors)
        assert low <= total <= high, (combat, ends, p, total)
    if len(groups) > 1 and trials * groups[-1][1] < RARE:  # too rare for a chi-square
        *counts, one, other = counts
        *groups, (_, p), (_, q) = groups
        counts, groups = [*counts, one + other], [*groups, (None, p + q)]
    if len(groups) > 1:
        expected = trials * np.array([p for _, p in groups])
        statistic = ((np.array(counts) - expected) ** 2 / expected).sum()
        assert chi2.sf(statistic, len(groups) - 1) > chi_level, combat


@pytest.mark.parametrize("index", range(len(COMBATS)))
def test_law(index):
    compiled = Compiled(COMBATS[index], seed=2024, cell=index)
    assert_law(COMBATS[index], law_of(index), compiled, TRIALS, CHI_LEVEL)


def test_chance_of_a_false_alarm():
    beyond = 0.0
    for index in range(len(COMBATS)):
        for _, p in cells(law_of(index), TRIALS):
            low, high = bounds(p, law_of(index).rest, TRIALS)
            beyond += binom.cdf(low - 1, TRIALS, p) + binom.sf(high, TRIALS, p)
    assert beyond + CHI_LEVEL * len(COMBATS) < 0.3


def test_a_wrong_law_is_found():
    """The comparison sees one point of DEF and one of the initiative bonus."""
    for wrong, right in (
        (Combat((fighter(DEF=4), fighter()), (EVEN, EVEN)), (fighter(), fighter())),
        (Combat((fighter(INI=4), fighter()), (EVEN, EVEN)), (fighter(), fighter())),
    ):
        law = exact(replace(wrong, fighters=right), depth=DEPTH)
        with pytest.raises(AssertionError):
            assert_law(wrong, law, Compiled(wrong), TRIALS, CHI_LEVEL)


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(COMBATS)))
def test_law_for_long(index):
    compiled = Compiled(COMBATS[index], seed=2025, cell=index)
    assert_law(COMBATS[index], law_of(index), compiled, 10 * TRIALS, CHI_LEVEL)


@pytest.mark.slow
@seed(2026)
@settings(max_examples=150, deadline=None, suppress_health_check=LOOSE, database=None)
@given(combats(most=2), st.integers(0, 2**32 - 1))
def test_law_of_random_combats(combat, cell):
    combat = replace(combat, turns=min(combat.turns, 2))
    law = exact(combat, depth=12)
    if law.rest * 100_000 < 0.01:
        assert_law(combat, law, Compiled(combat, 2026, cell), 100_000, 0.01 / 300, errors=5)


# --- counts ---------------------------------------------------------------------------

RUN = 4000
SPLIT = Compiled(Combat((STRONG, fighter(), WALL), (EVEN, WARY), turns=3), seed=7, cell=3)


@lru_cache(maxsize=1)
def whole_run():
    return SPLIT.play(0, RUN), SPLIT.count(0, RUN)


def test_counts_are_those_of_the_states():
    states, (law, sides, tally) = whole_run()
    dead = len(SPLIT.codes) - 1
    for i in range(3):
        np.testing.assert_array_equal(law[i], np.bincount(states[:, i], minlength=dead + 1))
    assert (law.sum(axis=1) == RUN).all()
    assert sides.sum() == RUN
    np.testing.assert_array_equal(sides.sum(axis=1), law[0])
    killed = (states[:, 1:3] == dead).sum(axis=1)
    np.testing.assert_array_equal(sides.sum(axis=0), np.bincount(killed, minlength=3))
    assert sides[dead, 2] == 0  # no "both dead"
    assert tally.tolist() == [(states[:, 3] == 0).sum(), states[:, 4].sum()]
    assert states[:, 4].max() == 3


def test_counts_are_added_to_what_is_there():
    _, once = whole_run()
    first = SPLIT.count(0, 10)
    totals = [part.copy() for part in first]
    count(SPLIT.fights, 10, RUN - 10, 3, *totals)
    for total, part in zip(totals, once, strict=True):
        np.testing.assert_array_equal(total, part)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, RUN), max_size=6))
@example([2000])
@example([1, 2, LANES, LANES + 1])
@example([RUN])
def test_h9_any_split_gives_the_same_sum(cuts):
    states, once = whole_run()
    ends = [0, *sorted(cuts), RUN]
    parts = [SPLIT.count(a, b - a) for a, b in pairwise(ends)]
    for total, split in zip(once, zip(*parts, strict=True), strict=True):
        np.testing.assert_array_equal(total, sum(split))
    played = [SPLIT.play(a, b - a) for a, b in pairwise(ends)]
    np.testing.assert_array_equal(np.concatenate(played), states)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, RUN - 1))
@example(1234)
def test_h9_a_trial_alone_is_what_it_was_in_the_run(trial):
    states, _ = whole_run()
    np.testing.assert_array_equal(SPLIT.play(trial, 1)[0], states[trial])
    last = dict.fromkeys(range(3), 0)
    for row in SPLIT.rows(trial).tolist():
        if row[0] == Event.WOUND:
            last[row[4]] = row[8]
        elif row[0] == Event.END and row[1] + 1 < states[trial, 4]:
            last = {i: int(SPLIT.rules.recover[state]) for i, state in last.items()}
    assert list(last.values()) == states[trial, :3].tolist()


def test_h8_threads_change_nothing():
    _, once = whole_run()
    for workers in (1, 2, 4, 8):

        def part(k, step=RUN // workers):
            return Compiled(SPLIT.combat, SPLIT.seed, SPLIT.cell).count(k * step, step)

        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(part, range(workers)))
        for total, split in zip(once, zip(*parts, strict=True), strict=True):
            np.testing.assert_array_equal(total, sum(split))


def test_h9_order_of_the_cells_changes_nothing():
    compiled = [Compiled(SPLIT.combat, 7, cell) for cell in range(4)]
    forth = [c.play(0, 500) for c in compiled]
    back = [c.play(0, 500) for c in reversed(compiled)][::-1]
    for one, other in zip(forth, back, strict=True):
        np.testing.assert_array_equal(one, other)
    assert len({states.tobytes() for states in forth}) == 4


def test_a_run_leaves_nothing_behind():
    """Eight enemies, several turns, sustained dice: then the same arrays play another run."""
    combat = Combat((WALL, *(fighter(),) * 8), (WARY, WARY), turns=3)
    used = Compiled(combat)
    used.play(0, 300)
    used.rows(5)
    np.testing.assert_array_equal(used.play(100, 50), Compiled(combat).play(100, 50))


def test_editions_with_the_most_states_and_rows_of_wounds():
    edition = CONFFEDE
    for rule in ("killed_level=9", "stunned_stacks=true", "charge.ATT=99"):
        edition = edition.with_rule(rule)
    table = "- - - - -", "St L L S S", "K K K K K"
    edition = replaced(edition, {"wounds.starts": (-99, 99), "wounds.table": table})
    rules = compile_rules(edition)
    states = play(new_fight(SPLIT.setup, rules, 1, 0), 0, 300, 4)
    assert len(rules.level) == 37
    assert states[:, :3].min() >= 0
    assert len(np.unique(states[:, 0])) > 9
    assert states[:, :3].max() == 36


def test_seeds_and_large_numbers():
    states = [
        Compiled(SPLIT.combat, seed, cell).play(0, 300).tobytes()
        for seed in (0, 1, 2**32, 2**64 - 1)
        for cell in (0, 1, 2**32 - 1)
    ]
    assert len(set(states)) == len(states)
    far = Compiled(SPLIT.combat)
    for first in (2**32 - 3, 2**40, 2**62):
        np.testing.assert_array_equal(
            far.play(first, 600), np.concatenate([far.play(first, 3), far.play(first + 3, 597)])
        )


# --- mirror ---------------------------------------------------------------------------


@st.composite
def duels(draw):
    combat = draw(combats(most=1))
    return replace(combat, order=None)


@settings(max_examples=150, deadline=None, suppress_health_check=LOOSE)
@given(duels(), st.integers(0, 2**64 - 1))
def test_the_mirrored_duel_is_the_duel(combat, run):
    a, b = combat.fighters
    p, q = combat.policies
    swapped = replace(combat, fighters=(b, a), policies=(q, p), chooser=1 - combat.chooser)
    there, back = Compiled(combat, run).play(0, 40), Compiled(swapped, run, mirror=1).play(0, 40)
    np.testing.assert_array_equal(there[:, :2], back[:, 1::-1])
    np.testing.assert_array_equal(there[:, 2], 1 - back[:, 2])
    np.testing.assert_array_equal(there[:, 3], back[:, 3])


def test_without_the_mirror_other_dice_are_rolled():
    combat = Combat((STRONG, WALL), (EVEN, EVEN))
    swapped = replace(combat, fighters=(WALL, STRONG), chooser=1)
    there, back = Compiled(combat).play(0, 500), Compiled(swapped).play(0, 500)
    assert (there[:, :2] != back[:, 1::-1]).any()


# --- without compilation --------------------------------------------------------------

PLAIN = [
    Combat((STRONG, WALL), (EVEN, WARY), turns=3),
    Combat((fighter(charged=True), fighter()), (ALWAYS, DEAR), 1, books(reroll_one="add")),
    Combat((STRONG, fighter(), SWIFT, WALL), (WARY, BARE), turns=3),
    Combat((WALL, *(fighter(wounds=Wounds(1)),) * 3), (LISTED, ALL_IN), 1, books(dice_base=2), 2),
    Combat(
        (WALL, SWIFT), (SHIELD, ALWAYS), 0, books(natural_one_fails=True, many_dice="one_chain")
    ),
    Combat((fighter(), fighter()), (WARY, EVEN), 0, books(reroll_one="fail", opposed_tie="coin")),
]
PLAIN_TRIALS = LANES + 50  # more than a block


def plain_states():
    """States of every combat, and the rows of a trial: what the two ways must agree on."""
    found = []
    for cell, combat in enumerate(PLAIN):
        compiled = Compiled(combat, seed=2**64 - 5, cell=cell)
        found += [compiled.play(2**32 - 20, PLAIN_TRIALS), compiled.rows(12)]
        found += compiled.count(0, 30)
    return found


def save_plain_states(path):
    np.savez(path, *plain_states())


@pytest.mark.slow
def test_without_compilation_it_plays_the_same(tmp_path):
    path = tmp_path / "states.npz"
    module = "tests.kernels.combat.test_trials"
    script = f"from {module} import save_plain_states; save_plain_states({str(path)!r})"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": TEST_PATHS}
    subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", script],
        env=environment,
        cwd=tmp_path,
        check=True,
        timeout=300,
    )
    compiled = plain_states()
    with np.load(path) as plain:
        assert len(plain.files) == len(compiled)
        for name, array in zip(plain.files, compiled, strict=True):
            np.testing.assert_array_equal(plain[name], array)
