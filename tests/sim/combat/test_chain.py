"""Chains of draws: the exact engine's positions, their law, and trials of them."""

from fractions import Fraction

import numpy as np
import pytest
import strategies
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis import strategies as st

from estoc.kernels.core.rng import CHAIN, attack_address
from estoc.kernels.layout.samplers import JOINED_BITS, WORD
from estoc.kernels.samplers.chain import COPIES, LANES, count_chain
from estoc.profiles import InputError, Profile
from estoc.sim.base.memory import OWN, Memory, size_of
from estoc.sim.base.options import Options
from estoc.sim.base.run import Method, Run
from estoc.sim.combat import chain as module
from estoc.sim.combat.chain import KEPT, Builder, Chain, TooLarge, chain_of
from estoc.sim.combat.combat import ask, combat, profiles_of
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.question import Question
from estoc.sim.combat.sampling import count_draws, count_trials
from estoc.sim.combat.sweep import sweep
from estoc.sim.table.melee import melee
from tests.kernels.core.test_rng import philox

GUARD, WARRIOR = "Garde prétorien", "Guerrier de l'aube"
LOOSE = list(HealthCheck)
HALF_A_COLUMN = 2.0 ** -(WORD + 1)


def asked(enemies: int = 1, **options: object) -> Question:
    one, other = profiles_of([GUARD, WARRIOR], None)
    return ask([one], [other] * enemies, Options(**options))


def dead_of(question: Question) -> int:
    return len(question.rules.level) - 1


def drawn(chain: Chain, question: Question, number: int, first: int, trials: int):
    return count_draws(
        chain, dead_of(question), number, question.cell, first, trials, question.options.turns
    )


def same(one, other) -> bool:
    arrays = (one.law == other.law).all() and (one.sides == other.sides).all()
    return arrays and (one.first, one.turns, one.trials) == (other.first, other.turns, other.trials)


# --- the law of the rows ----------------------------------------------------------------


def step_law(chain: Chain, step: int, place: int) -> dict[int, Fraction]:
    """Exact chances of a row: each draw of 32 bits is as likely."""
    begin, bits = chain.steps[step].tolist()
    found: dict[int, Fraction] = {}
    for column in range(1 << bits):
        cell = int(chain.rows[begin + (place << bits) + column])
        own, other, threshold = cell & 0xFFFF, cell >> 16 & 0xFFFF, cell >> 32
        whole = 1 << (WORD - bits)
        assert threshold < whole or own == other
        for target, share in ((own, threshold), (other, whole - threshold)):
            if share:
                found[target] = found.get(target, Fraction(0)) + Fraction(share, 1 << WORD)
    assert sum(found.values()) == 1
    return found


def law_of(chain: Chain, steps: range, begin: dict[int, Fraction]) -> dict[int, Fraction]:
    """Law of the ends of a turn's steps."""
    now = begin
    for step in steps:
        after: dict[int, Fraction] = {}
        for place, mass in now.items():
            for target, chance in step_law(chain, step, place).items():
                after[target] = after.get(target, Fraction(0)) + mass * chance
        now = after
    return now


def opening_law(chain: Chain) -> dict[tuple[int, ...], Fraction]:
    law = law_of(chain, range(chain.opening), {0: Fraction(1)})
    return {tuple(chain.ends[end].tolist()): chance for end, chance in law.items()}


def assert_opening(chain: Chain, question: Question) -> None:
    """The rows' law is the exact one, as far as thresholds resolve it, and says never alike."""
    joint = Engine().law(question).joint
    law = opening_law(chain)
    assert set(law) == {tuple(cell) for cell in np.argwhere(joint > 0).tolist()}
    columns = sum(2 << int(bits) for bits in chain.steps[: chain.opening, 1])
    for cell, chance in law.items():
        assert abs(float(chance) - joint[cell]) <= columns * HALF_A_COLUMN


@pytest.mark.parametrize("joined", [0, 3, JOINED_BITS])
@pytest.mark.parametrize("enemies", [1, 2])
def test_the_law_of_the_rows_is_the_exact_one(enemies, joined):
    question = asked(enemies)
    assert_opening(Builder(question, Engine(), joined).chain(), question)


def test_joined_steps_are_fewer():
    question = asked(2)
    steps = [len(Builder(question, Engine(), joined).chain().steps) for joined in (0, 3, 6)]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > steps[2]


@pytest.mark.parametrize("enemies", [1, 2])
def test_a_whole_turn_can_be_one_draw(enemies):
    question = asked(enemies)
    chain = Builder(question, Engine(), whole=True).chain()
    assert len(chain.steps) == 1
    assert_opening(chain, question)


def test_the_chain_of_fewer_rows_is_taken_where_there_are_many(monkeypatch):
    question = asked(2)
    one, other = (Builder(question, Engine(), whole=whole).chain() for whole in (False, True))
    assert len(one.rows) > len(other.rows)
    for few, taken in ((len(one.rows), one), (len(one.rows) - 1, other)):
        monkeypatch.setattr(module, "_chains", module.Memory(KEPT))
        monkeypatch.setattr(module, "FEW", few)
        assert chain_of(question, Engine()).steps.tolist() == taken.steps.tolist()


def test_four_enemies_have_room_for_whole_turns_only():
    question = asked(4)
    with pytest.raises(TooLarge):
        Builder(question, Engine()).chain()
    law, counts = Engine().law(question), drawn(chain_of(question, Engine()), question, 2, 0, 10**6)
    for found, chance in ((counts.law, law.law), (counts.sides, law.sides)):
        error = np.sqrt(10**6 * chance * (1 - chance))
        assert (np.abs(found - 10**6 * chance) <= 4.5 * error + 25).all()


def test_abilities_are_one_draw_a_turn():
    one = Profile("one", INI=3, ATT=4, FOR=6, DEF=3, RES=5, PA=20, abilities=("Toxique/2",))
    question = ask([one], profiles_of([WARRIOR], None), Options())
    assert question.able
    chain = chain_of(question, Engine())
    assert len(chain.steps) == 1
    assert_opening(chain, question)


@pytest.mark.parametrize("joined", [0, 3, JOINED_BITS])
def test_many_turns(joined):
    """Later turns go on where the one before has ended: to the exact law of all together."""
    question = asked(turns=4)
    chain, law = Builder(question, Engine(), joined).chain(), Engine().law(question)
    now = law_of(chain, range(chain.opening), {0: Fraction(1)})
    now_later: dict[int, Fraction] = {}
    for end, chance in now.items():
        place = int(chain.again[end])
        assert chain.later[place].tolist() == chain.ends[end, 1:].tolist()
        now_later[place] = now_later.get(place, Fraction(0)) + chance
    for _ in range(3):
        now_later = law_of(chain, range(chain.opening, len(chain.steps)), now_later)
    joint = law.joint.sum(0)
    for place, chance in now_later.items():
        assert abs(float(chance) - joint[tuple(chain.later[place])]) < 1e-7
    assert float(sum(now_later.values())) == 1


# --- trials -----------------------------------------------------------------------------


def walked(chain: Chain, trial: int, cell: int, number: int, turns: int) -> tuple[list[int], int]:
    """The walk by plain Python, from the words of the addresses: states, turns fought."""
    place, fought = 0, 0
    for turn in range(turns):
        if turn > 0 and not chain.goes_on[place]:
            break
        fought += 1
        steps = range(chain.opening) if turn == 0 else range(chain.opening, len(chain.steps))
        for step in steps:
            address = int(attack_address.py_func(turn, CHAIN, 0, 0)) | step
            word = philox((trial >> 2, 0, cell, address), (number, 0))[trial & 3]
            begin, bits = chain.steps[step].tolist()
            drawn = int(chain.rows[begin + (place << bits) + (word >> (WORD - bits))])
            below = word & ((1 << (WORD - bits)) - 1)
            place = drawn & 0xFFFF if below < drawn >> 32 else drawn >> 16 & 0xFFFF
        if turn == 0:
            place = int(chain.again[place])
    return chain.later[place].tolist(), fought


# of many turns, those who are over are left out long before the last one
@pytest.mark.parametrize(("turns", "first", "trials"), [(2, 37, 1), (40, 101, 60)])
def test_a_trial_is_its_words(turns, first, trials):
    question = asked(turns=turns)
    chain, number = Builder(question, Engine(), 0).chain(), 11
    found = drawn(chain, question, number, first, trials)
    law, fought = np.zeros_like(found.law), 0
    for trial in range(first, first + trials):
        states, own = walked(chain, trial, question.cell, number, turns)
        law[range(2), states] += 1
        fought += own
    np.testing.assert_array_equal(found.law, law)
    assert found.turns == fought


@pytest.mark.parametrize("turns", [1, 3, 30])
@pytest.mark.parametrize("size", [1, 7, 1000, 65_536])
def test_chunks(size, turns):
    question = asked(turns=turns)
    chain = chain_of(question, Engine())
    first, trials = 4 * 2**32 - 1_001, max(3 * LANES + 5, size + 3)
    whole = drawn(chain, question, 3, first, trials)
    parts = [
        drawn(chain, question, 3, first + done, min(size, trials - done))
        for done in range(0, trials, size)
    ]
    assert same(sum(parts[1:], parts[0]), whole)
    assert whole.law.sum(1).tolist() == [trials, trials]


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_threads(threads):
    question = asked(turns=2)
    how = Method("mc", 30_000, 3, sampler="chain")
    whole = count_trials([question], how, Run(threads=1))[0]
    assert same(count_trials([question], how, Run(threads=threads, chunk=1000))[0], whole)


# 4 standard errors in each of some 2,000 cells of 60 combats: about one case in eight of these
# tests would miss it by chance; the seeds are fixed.
@seed(1203)
@settings(max_examples=60, deadline=None, suppress_health_check=LOOSE, database=None)
@given(st.lists(strategies.fighters, min_size=2, max_size=4), st.integers(1, 3))
def test_trials_agree_with_the_exact_law(cards, turns):
    listed = [card for card in cards if card.caster == ""]
    assume(len(listed) > 1)
    question = ask(listed[:1], listed[1:], Options(turns=turns if len(listed) == 2 else 1))
    chain, trials = chain_of(question, Engine()), 200_000
    assert chain is not None
    law, counts = Engine().law(question), drawn(chain, question, 4, 0, trials)
    for found, chance in ((counts.law, law.law), (counts.sides, law.sides)):
        assert (found[chance < 1e-15] == 0).all()
        error = np.sqrt(trials * chance * (1 - np.minimum(chance, 1)))
        common = trials * chance > 25
        assert (np.abs(found - trials * chance)[common] <= 4.5 * error[common] + 1e-6).all()
    spread = 4.5 * np.sqrt(trials) * turns
    assert abs(counts.first - trials * law.first) <= spread
    assert abs(counts.turns - trials * law.turns) <= spread


# --- who can be a chain, and who is -----------------------------------------------------


def test_too_many_positions(monkeypatch):
    monkeypatch.setattr(module, "MOST_NODES", 10)
    monkeypatch.setattr(module, "ROOM", 100)
    for whole in (False, True):
        with pytest.raises(TooLarge):
            Builder(asked(2), Engine(), whole=whole).chain()
    monkeypatch.setattr(module, "_chains", module.Memory(KEPT))
    assert chain_of(asked(2), Engine()) is None
    with pytest.raises(InputError, match=r"sampler chain: it has too many positions, .* literal"):
        combat(GUARD, [WARRIOR] * 2, trials=10, seed=1, sampler="chain")


def test_what_has_no_exact_odds_is_no_chain():
    with pytest.raises(InputError, match="sampler chain: 5 enemies; exact odds are for 4 at most"):
        combat(GUARD, [WARRIOR] * 5, trials=10, seed=1, sampler="chain")
    with pytest.raises(InputError, match="sampler should be 'literal' or 'chain'"):
        combat(GUARD, WARRIOR, sampler="coin")
    with pytest.raises(InputError, match="method exact has no sampler"):
        combat(GUARD, WARRIOR, method="exact", sampler="chain")


def test_a_melee_that_can_be_no_chain_is_literal():
    """Neither what has no room in the exact engine, nor what takes longer than its trials."""
    wide, large = (
        Options(rules=("stunned_stacks=true", f"dice.per_enemy={n}", f"dice.base={n}"))
        for n in (3, 2)
    )
    for options in (wide, large):
        found = melee(GUARD, [WARRIOR] * 4, trials=100, seed=1, options=options)
        assert {row["sampler"] for row in found} == {"literal"}
    with pytest.raises(InputError, match=r"sampler chain: it has too many positions, .* literal"):
        combat(GUARD, [WARRIOR] * 4, trials=9, seed=1, options=wide, sampler="chain")


def test_a_chain_is_made_automatically_if_the_trials_are_worth_it():
    """Whether it has been made before or not."""
    four, few, many = (GUARD, [WARRIOR] * 4), 10_000, 1_000_000
    samplers = [melee(*four, trials=n, seed=1).rows[-1]["sampler"] for n in (few, many, few)]
    assert samplers == ["literal", "chain", "literal"]


def test_results_say_which_sampler_ran():
    """Literal where a trial can be replayed or rows share dice; chains for totals."""
    samplers = {
        row["sampler"]
        for result in (
            combat(GUARD, WARRIOR, trials=100, seed=1),
            sweep(GUARD, WARRIOR, trials=100, seed=1),
        )
        for row in result
    }
    assert samplers == {"literal"}
    result = melee([GUARD] * 2, [WARRIOR] * 3, trials=100, seed=1)
    assert {row["sampler"] for row in result} == {"chain"}
    assert "--sampler chain" in result.command
    forced = melee([GUARD] * 2, [WARRIOR] * 3, trials=100, seed=1, sampler="literal")
    assert {row["sampler"] for row in forced} == {"literal"}
    assert "--sampler literal" in forced.command  # not what a melee takes if nothing is told
    both = combat(GUARD, WARRIOR, method="both", trials=100, seed=1, sampler="chain")
    assert [row["sampler"] for row in both if row["fighter"] == "(sides)"] == [None, "chain"]
    told = combat(GUARD, WARRIOR, sampler="chain", seed=1)  # a sampler asks for sampling
    assert told.rows[0]["trials"] == 1_000_000


def test_chains_are_made_once(monkeypatch):
    made = []
    usual = Builder.chain
    room = sum(size_of(chain_of(question, Engine())) for question in (asked(1), asked(2)))
    monkeypatch.setattr(module, "_chains", module.Memory(room))
    monkeypatch.setattr(Builder, "chain", lambda self: made.append(1) or usual(self))
    for turns in (1, 1, 2, 3, 1):  # of two turns and of more, it is the same
        chain_of(asked(turns=turns), Engine())
    assert len(made) == 2
    chain_of(asked(2), Engine())  # the one used longest ago, of two turns, is forgotten
    chain_of(asked(1), Engine())
    assert len(made) == 3


def test_copies_of_counts_are_added_up():
    question = asked()
    chain = chain_of(question, Engine())
    openings = np.zeros(len(chain.ends) * COPIES, np.int64)
    tables = chain.rows, chain.steps, chain.opening, chain.again, chain.goes_on
    for _ in range(2):
        count_chain(*tables, 1, 0, 0, 4096, 1, openings, np.zeros(0, np.int64))
    assert openings.sum() == 8192


def test_what_is_kept_is_bounded_by_its_size():
    made = []

    def make(cells: int) -> tuple[np.ndarray, int]:
        made.append(cells)
        return np.zeros(cells, np.uint8), 1

    memory = Memory[tuple[np.ndarray, int]](10 * OWN)
    assert size_of(make(2 * OWN)) == 3 * OWN
    assert size_of(None) == OWN
    made.clear()
    for cells in (2 * OWN, 3 * OWN, 2 * OWN, OWN, 4 * OWN, 2 * OWN, 3 * OWN):
        memory.get(cells, lambda cells=cells: make(cells))
    assert made == [2 * OWN, 3 * OWN, OWN, 4 * OWN, 3 * OWN]
    for _ in range(2):  # the last one is kept, however large
        memory.get(0, lambda: make(20 * OWN))
    assert made[5:] == [20 * OWN]
