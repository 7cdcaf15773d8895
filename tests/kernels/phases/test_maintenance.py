"""The maintenance phase in the kernels, against the reference (T-5)."""

from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from maintenance_witness import Compiled, assert_same_trial, phases, with_steps
from witness import rules_of, wounds_by_code

from estoc.kernels.layout.maintenance import MAX_EFFECTS, MAX_PEOPLE
from estoc.kernels.layout.maintenance import Effect as Column
from estoc.kernels.layout.maintenance import Person as Row
from reference.book import DEAD, UNHURT, Book, Wounds
from reference.maintenance import ORDER, Customs, Effect, Person, Phase, play

LIGHT, CRITICAL, STUNNED = Wounds(1), Wounds(3), Wounds(0, 1)
CALM = Customs(mana_dice=0)  # no dice in cases that are about order
BRAVE = 8  # COU that rallies whatever the die


def ones(*asked):
    """Every die shows 1."""
    return 1


def no_dice(*asked):
    raise AssertionError(f"a die was rolled: {asked}")


# --- die for die ----------------------------------------------------------------------------


@given(phases(), st.integers(0, 2**40), st.integers(0, 4094), st.integers(0, 2**64 - 1))
@settings(max_examples=150, deadline=None)
def test_kernel_and_reference_agree_die_for_die(phase, trial, turn, seed):
    """T-5.1 to T-5.3."""
    assert_same_trial(phase, trial, turn, seed)


@given(phases(), st.data())
@settings(max_examples=80, deadline=None)
def test_they_agree_whatever_steps_an_edition_gives(phase, data):
    """T-5.3: a return before other effects shows that who is back has no part in them."""
    m = len(phase.effects)
    steps = data.draw(st.lists(st.integers(1, 5), min_size=m, max_size=m))
    assert_same_trial(with_steps(phase, steps))


def test_long_chains_and_the_last_places_agree():
    """W-1.2 past one word of dice (5), and the last fighter and effect that find room."""
    crowd = [Person(UNHURT) for _ in range(MAX_PEOPLE - 1)]
    last = Person(CRITICAL, routed=True, casts="mana", rank=4)
    effects = [Effect("damage", 1, 0, needs=6, outcome="St") for _ in range(MAX_EFFECTS - 1)]
    effects.append(Effect("roll_to_heal", 2, MAX_PEOPLE - 1, needs=2))
    phase = Phase([*crowd, last], effects, customs=Customs(rally_difficulty=60, mana_dice=3))
    compiled, longest = Compiled(phase), 0
    for trial in range(40_000):
        asked: list[int] = []
        roll = compiled.roll(trial, 0, asked)
        dice = [roll("rally", MAX_PEOPLE - 1, 0)]
        while dice[-1] == 6:
            dice.append(roll("rally", MAX_PEOPLE - 1, len(dice)))
        if len(dice) > longest:
            assert_same_trial(phase, trial)
        longest = max(longest, len(dice))
        if longest > 5:
            return
    raise AssertionError("no chain was longer than a word")


# --- the order of the phase ----------------------------------------------------------------


def fear_dies():
    """He touches a frightening enemy who is killed in step 1."""
    routed = Person(routed=True, courage=BRAVE, frightened_by=(1,))
    return [routed, Person()], [Effect("damage", 1, 1, outcome="K")]


def believer_dies():
    """The faithful's one believer is killed in step 1."""
    return [Person(casts="faith", rank=1, believers=(1,)), Person()], [
        Effect("damage", 1, 1, outcome="K")
    ]


def magician_dies():
    """The magician is killed in step 1; what he holds still tells whether he recovered mana."""
    return [Person(casts="mana", rank=2)], [Effect("damage", 1, 0, outcome="K")]


def pays_with_mana():
    """He can only pay with what he recovers in this phase."""
    return [Person(casts="mana", rank=2)], [Effect("upkeep", 4, source=0, cost=2)]


def pays_with_faith():
    """He can only pay with his new temporary faith."""
    return [Person(casts="faith", rank=2)], [Effect("upkeep", 4, source=0, cost=2, pays="faith")]


def wounded_and_healed(step):
    """One more wound kills him, unless he is healed first."""
    return [Person(CRITICAL)], [
        Effect("heal", step, 0, levels=1),
        Effect("damage", 1, 0, levels=1),
    ]


def sustained(kind, step, wounds=CRITICAL):
    """An effect that is not paid for any more is resolved once more, if its step comes first."""
    effect = Effect(kind, step, 0, levels=0 if kind == "return" else 1)
    return [Person(wounds), Person()], [
        Effect("upkeep", 4, source=1, keep=False, sustains=1),
        effect,
    ]


def killed_and_back():
    """Who dies in step 1 may return in step 5."""
    return [Person()], [Effect("return", 5, 0, source=0), Effect("damage", 1, 0, outcome="K")]


def stunned_by_effect():
    """What stuns in step 1 is gone after step 6."""
    return [Person()], [Effect("damage", 1, 0, outcome="St")]


def fear_or_faith(part, other):
    """Parts before step 1 that are swapped with one after it come after what step 1 did."""
    cases = {"rally": fear_dies, "faith": believer_dies, "mana": magician_dies}
    if other in (4, 5, 6) and part != "rally":
        cases = {"mana": pays_with_mana, "faith": pays_with_faith}
    return cases[part]


# Swapped pairs that change how the phase ends, each with a case of its own.
SWAPS = {(part, k): fear_or_faith(part, k) for part in ORDER[:3] for k in range(1, 7)} | {
    (1, 2): lambda: wounded_and_healed(2),
    (1, 3): lambda: wounded_and_healed(3),
    (1, 4): lambda: sustained("damage", 1),
    (1, 5): killed_and_back,
    (1, 6): stunned_by_effect,
    (2, 4): lambda: sustained("heal", 2),
    (2, 5): lambda: sustained("heal", 2),  # 2 comes after 4
    (2, 6): lambda: sustained("heal", 2),  # 2 comes after 4
    (3, 4): lambda: sustained("heal", 3),
    (3, 5): lambda: sustained("heal", 3),  # 3 comes after 4
    (3, 6): lambda: sustained("heal", 3),  # 3 comes after 4
    (4, 5): lambda: sustained("return", 5, DEAD),
    (4, 6): lambda: sustained("return", 5, DEAD),  # 4 comes after 5
}
# Pairs whose swap cannot change how the phase ends, and why.
COMMUTE = {
    ("rally", "faith"): "faith counts believers who live, in rout or not",
    ("rally", "mana"): "mana hangs on rank and dice alone",
    ("faith", "mana"): "different fighters, nothing of one enters the other",
    (2, 3): "only healing is in either: levels healed add up in any order",
    (5, 6): "step 6 touches neither the dead nor those just back, who have no markers",
}


def swapped(pair):
    order = list(ORDER)
    i, j = map(order.index, pair)
    order[i], order[j] = order[j], order[i]
    return order


def test_every_pair_is_accounted_for():
    assert sorted(map(str, [*SWAPS, *COMMUTE])) == sorted(map(str, combinations(ORDER, 2)))


@pytest.mark.parametrize("pair", SWAPS, ids=str)
def test_a_swap_changes_the_end(pair):
    """T-5: the kernel ends as the right order does, which is not as the swapped one does."""
    phase = Phase(*SWAPS[pair](), customs=CALM)
    right, wrong = play(phase, no_dice), play(phase, ones, swapped(pair))
    compiled = Compiled(phase)
    people, effects, dice = compiled.kernel(0, 0)
    assert (people, effects) == compiled.told(right) != compiled.told(wrong)
    assert dice == []


@pytest.mark.parametrize("pair", COMMUTE, ids=str)
@given(phase=phases())
@settings(max_examples=30, deadline=None)
def test_these_swaps_change_nothing(pair, phase):
    """T-5.3: `COMMUTE` says why."""
    compiled = Compiled(phase)
    right, other = (play(phase, compiled.roll(0, 0, []), o) for o in (ORDER, swapped(pair)))
    assert compiled.told(right) == compiled.told(other)


# --- rally (T-5.1, W-4.4) -------------------------------------------------------------------


@pytest.mark.parametrize(("courage", "discipline", "rallies"), [(8, 0, True), (0, 8, True)])
def test_the_higher_of_courage_and_discipline(courage, discipline, rallies):
    person = Person(routed=True, courage=courage, discipline=discipline)
    assert_rallies(person, rallies)


def assert_rallies(person, rallies, others=()):
    phase = Phase([person, *others], [], customs=CALM)
    assert_same_trial(phase)
    for trial in range(30):
        people, _, _ = Compiled(phase).kernel(trial, 0)
        assert people[0][Row.ROUTED] == (not rallies)


def test_touching_a_frightening_enemy_fails_without_a_die():
    """W-4.4; a dead one frightens nobody."""
    person = Person(routed=True, courage=BRAVE, frightened_by=(1,))
    assert_rallies(person, False, [Person()])
    assert_rallies(person, True, [Person(DEAD)])


def test_a_six_that_is_enough_is_kept():
    """W-1.2: with COU 2 a 6 is 8, enough; with COU 1 it is re-rolled, and a 1 resets it."""
    for courage, most in ((2, 1), (1, 2)):
        phase = Phase([Person(routed=True, courage=courage)], [], customs=CALM)
        lengths = {len(Compiled(phase).kernel(trial, 0)[2]) for trial in range(200)}
        assert max(lengths) == most


def test_a_result_that_fails_automatically_does_not_rally():
    """W-1.3: whatever the difficulty."""
    book, customs = Book(automatic_failure=9), Customs(rally_difficulty=0)
    compiled = Compiled(Phase([Person(routed=True, courage=3)], [], book, customs))
    for trial in range(30):
        people, _, dice = compiled.kernel(trial, 0)
        assert people[0][Row.ROUTED] == (dice[0] < 6 or dice[1] == 1)
        assert_same_trial(compiled.phase, trial)


# --- effects (T-5.3) ------------------------------------------------------------------------


def ended(people, effects, **fields):
    """People and effects after the phase, in both witnesses."""
    phase = Phase(people, effects, customs=CALM, **fields)
    after = play(phase, no_dice)
    assert_same_trial(phase)
    return after.people, after.effects


def test_effects_of_a_step_are_resolved_as_listed():
    """T-5.3 (reading): with mana for one upkeep, the first listed is paid."""
    first, second = (Effect("upkeep", 4, source=0, cost=c) for c in (2, 3))
    _, effects = ended([Person(mana=3)], [first, second])
    assert [effect.lasts for effect in effects] == [True, False]
    _, effects = ended([Person(mana=3)], [second, first])
    assert [effect.lasts for effect in effects] == [True, False]


def test_who_is_dead_neither_causes_nor_suffers():
    """T-5.3 (reading): a source killed in step 1 does nothing more, nobody pays for him."""
    kill = Effect("damage", 1, 0, outcome="K")
    strikes = Effect("damage", 1, 1, source=0, levels=1)
    people, effects = ended(
        [Person(mana=5), Person(LIGHT)],
        [
            kill,
            strikes,
            Effect("heal", 2, 1, source=0, levels=1),
            Effect("upkeep", 4, 1, source=0, cost=1),
            Effect("upkeep", 4, 0, source=1, cost=0),
        ],
    )
    assert people[1].wounds == LIGHT
    assert people[0].mana == 5
    assert [effect.lasts for effect in effects] == [True, True, True, False, False]
    people, _ = ended([Person(mana=5), Person(LIGHT)], [strikes, kill])  # in time
    assert people[1].wounds == Wounds(2)


def test_who_is_back_has_no_part_in_this_phase():
    """T-5.3 step 5: he is not healed or hurt, does not pay, brings nobody back, keeps stunned."""
    back = Effect("return", 1, 0, source=0, wounds=Wounds(1, 1), mana=3)
    people, effects = ended(
        [Person(DEAD, routed=True, mana=9, markers=frozenset({"target"})), Person(), Person(DEAD)],
        [
            back,
            Effect("damage", 1, 0, levels=1),
            Effect("damage", 1, 1, source=0, levels=1),
            Effect("heal", 2, 0, levels=1),
            Effect("upkeep", 4, source=0, cost=1),
            Effect("return", 5, 2, source=0),
        ],
    )
    assert people[0] == Person(Wounds(1, 1), mana=3, returned=True)
    assert people[1].wounds == UNHURT
    assert people[2].wounds == DEAD
    assert effects[4].lasts is False


def test_a_priest_who_is_back_brings_nobody_back_in_the_same_step():
    """T-5.3 step 5; another who lives does."""
    own, other = Effect("return", 5, 0, source=0), Effect("return", 5, 1, source=0)
    people, _ = ended([Person(DEAD), Person(DEAD)], [own, other])
    assert [person.wounds for person in people] == [UNHURT, DEAD]
    people, _ = ended([Person(), Person(DEAD)], [own, other])
    assert [person.wounds for person in people] == [UNHURT, UNHURT]


def test_a_second_phase_treats_who_came_back_like_anyone():
    """T-5.3 step 5: *this same* phase."""
    phase = Phase([Person(LIGHT, returned=True)], [Effect("heal", 2, 0, levels=1)], customs=CALM)
    people, _, _ = Compiled(phase).kernel(0, 0)
    assert people[0][Row.STATE] == 0
    assert people[0][Row.RETURNED] == 0


def test_each_face_of_a_return():
    """T-5.3 step 5, Renfort: 5 and 6 bring him back, 1 and 2 lose him for good."""
    phase = Phase([Person(DEAD)], [Effect("return", 5, 0, source=0, needs=5, lost=2)])
    faces = set()
    for trial in range(60):
        people, effects, (die,) = Compiled(phase).kernel(trial, 0)
        assert (people[0][Row.STATE] == 0) == (die >= 5)
        assert effects[0][Column.GOES_ON] == (die > 2)
        faces.add(die)
    assert faces == set(range(1, 7))


@pytest.mark.parametrize("stacks", [False, True])
def test_stunned_goes_in_step_six_and_the_wound_stays(stacks):
    """T-5.3 step 6, W-3.3: as between the turns of a combat (``Rules.recover``)."""
    book = Book(stunned_stacks=stacks)
    codes = wounds_by_code(book)
    phase = Phase([Person(code) for code in codes], [], book, CALM)
    people, _, _ = Compiled(phase).kernel(0, 0)
    assert [row[Row.STATE] for row in people] == rules_of(book).recover.tolist()
    assert_same_trial(phase)


def test_markers_are_removed_but_target():
    """T-5.3 step 6, M-7.5; M-6.2 lasts longer."""
    people, _ = ended([Person(markers=frozenset({"charged", "defence", "target"}))], [])
    assert people[0].markers == {"target"}


def test_regeneration_rolls_once_more_after_a_success_and_no_third_time():
    """W-7: d6 >= X heals one level; only a wounded fighter rolls."""
    for level, most in ((0, 0), (1, 1), (2, 2), (3, 2)):
        phase = Phase([Person(Wounds(level))], [Effect("roll_to_heal", 2, 0, needs=1)])
        people, _, dice = Compiled(phase).kernel(0, 0)
        assert people[0][Row.STATE] == 2 * (level - most)
        assert len(dice) == most
    phase = Phase([Person(CRITICAL)], [Effect("roll_to_heal", 2, 0, needs=5)])
    found = {tuple(Compiled(phase).kernel(trial, 0)[2]) for trial in range(300)}
    assert {len(dice) for dice in found if dice[0] < 5} == {1}
    assert {len(dice) for dice in found if dice[0] >= 5} == {2}


@given(phases())
@example(Phase([Person(DEAD)], [Effect("heal", 2, 0, levels=3)]))
@settings(max_examples=100, deadline=None)
def test_nobody_returns_without_a_return(phase):
    """T-5.3: healing is not for the dead."""
    assume(all(effect.kind != "return" for effect in phase.effects))
    people, _, _ = Compiled(phase).kernel(0, 0)
    dead = len(wounds_by_code(phase.book)) - 1
    for person, row in zip(phase.people, people, strict=True):
        assert not person.wounds.dead or row[Row.STATE] == dead


def test_dice_of_one_shift_nobody_elses():
    """DESIGN 4: a fighter more, or an effect more at the end, leaves the others' dice alone."""
    healing = Effect("roll_to_heal", 2, 0, needs=4)
    small = Phase([Person(CRITICAL, routed=True)], [healing])
    large = Phase(
        [*small.people, Person(CRITICAL, routed=True, casts="mana", rank=1)],
        [healing, replace(healing, target=1)],
    )
    for trial in range(50):
        alone, together = (Compiled(p).kernel(trial, 3)[0][0] for p in (small, large))
        assert alone == together
