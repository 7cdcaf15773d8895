"""Abilities in single tests and shots: kernels against the reference (W-7).

Twenty shares are compared with exact chances at four standard errors: a right program fails
about one such family in 800.
"""

from fractions import Fraction
from functools import cache, partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from single_trials import courage_trial, disengage_trial, shot_trial
from strategies import books
from witness import assert_share, edition_of, rules_of

from estoc.kernels.layout.abilities import Effect, Number, Roll
from estoc.kernels.layout.combat import OUTCOMES
from estoc.kernels.layout.log import Event
from estoc.kernels.layout.rolls import WAYS, Try, Way
from estoc.kernels.rolls.disengage import (
    count_disengagements,
    new_disengagement,
    ways,
)
from estoc.kernels.rolls.fear import (
    COURAGE,
    RALLY,
    count_fear,
    fear_chances,
    new_fear,
)
from estoc.kernels.rolls.shooting import count_shots, new_shooting, shot_law
from estoc.profiles import Profile, load_edition
from estoc.profiles.compile.disengage import compile_disengagement
from estoc.profiles.compile.maintenance import compile_maintenance
from estoc.profiles.compile.shooting import compile_shooting
from estoc.profiles.fighters.abilities import compile_abilities, is_bane_of
from estoc.sim.base.options import Options
from estoc.sim.combat.combatants import charged_by
from estoc.sim.rolls.disengage import disengage
from estoc.sim.rolls.fear import fear
from estoc.sim.rolls.shooting import shoot
from reference import exhaustive
from reference.book import OUTCOMES as OUTCOME_WORDS
from reference.book import Book
from reference.gifts import Gifts, chance, disengaging, shot, wound
from reference.shooting import MISS

CONFFEDE = load_edition("conffede")
PLAIN = Book()
OFF = Options(abilities=False)
TESTS = ("initiative", "attack", "defence", "shot", "courage", "discipline")


def able(*abilities, **cells):
    return Profile("Somebody", abilities=abilities, **cells)


# What abilities do, as the reference has it.
GIFTS = {
    (): Gifts(),
    ("Chance",): Gifts(frozenset({"luck"})),
    ("Maudit",): Gifts(frozenset({"no_rerolls"})),
    ("Aguerri",): Gifts(opens=frozenset(TESTS)),
    ("Aguerri", "Chance"): Gifts(frozenset({"luck"}), opens=frozenset(TESTS)),
    ("Maudit", "Chance"): Gifts(frozenset({"luck", "no_rerolls"})),
    ("Maudit", "Aguerri"): Gifts(frozenset({"no_rerolls"}), opens=frozenset(TESTS)),
    ("Précision",): Gifts(opens=frozenset({"shot"})),
    ("Réflexes",): Gifts(opens=frozenset({"initiative"})),
    ("Stratège",): Gifts(opens=frozenset({"discipline"})),
}
gifted = st.sampled_from(sorted(GIFTS))


def compiled(names):
    return compile_abilities(able(*names))


# --- Courage and rallies (W-4) ----------------------------------------------------------


@cache
def fear_record(book, names, seed=1):
    customs = compile_maintenance(edition_of(book)).customs
    return new_fear(rules_of(book).scalars, customs, seed, 0, *compiled(names))


@given(books, gifted, st.integers(0, 12), st.integers(0, 14))
@settings(max_examples=60, deadline=None)
@example(Book(reroll_one="add"), ("Aguerri",), 1, 14)
@example(Book(reroll_one="fail"), ("Aguerri", "Chance"), 0, 14)
@example(Book(natural_one_fails=True), ("Chance",), 9, 5)
def test_courage_agrees_with_every_roll_enumerated(book, names, courage, difficulty):
    chances = np.full(2, np.nan)
    fear_chances(fear_record(book, names), courage, difficulty, 0, chances)
    low, high = chance(book, courage, difficulty, GIFTS[names], "courage", depth=7)
    assert float(low) - 1e-12 <= chances[COURAGE] <= float(high) + 1e-12


@pytest.mark.parametrize(
    ("names", "share"),
    [
        ((), Fraction(5, 36)),  # COU 4 against 12: natural 8, a 6 and then 2 or more
        (("Maudit",), Fraction(0)),
        (("Chance",), 1 - Fraction(31, 36) ** 2),
        # a 6 and 2 to 6; a 5 and 3 to 6: 9 of 36; a 5 and a 2 is 7, and over
        (("Aguerri",), Fraction(9, 36)),
        (("Maudit", "Aguerri"), Fraction(0)),
        (("Réflexes",), Fraction(5, 36)),
    ],
)
def test_courage_by_hand(names, share):
    chances = np.full(2, np.nan)
    fear_chances(fear_record(PLAIN, names), 4, 12, 0, chances)
    assert chances[COURAGE] == pytest.approx(float(share))


@pytest.mark.parametrize("names", [("Aguerri",), ("Chance",), ("Maudit", "Chance")])
def test_courage_sampled(names):
    records, counts, chances = fear_record(PLAIN, names), np.zeros(2, np.int64), np.zeros(2)
    count_fear(records, 4, 10, 4, 0, 0, 0, 100_000, counts)
    fear_chances(records, 4, 10, 4, chances)
    assert_share(counts[COURAGE], 100_000, chances[COURAGE])


def test_luck_is_told():
    """The result that is given up, then the dice of the second test."""
    records, seen = fear_record(PLAIN, ("Chance",)), set()
    for trial in range(60):
        told, log = courage_trial(records, 4, 8, 0, 0, trial)
        kinds = [row[0] for row in log.tolist()]
        feats = [row for row in log.tolist() if row[0] == Event.FEAT]
        seen.add(len(feats))
        if feats:
            at = kinds.index(Event.FEAT)
            assert kinds[:at].count(Event.DIE) >= 1
            assert kinds[at + 1 :].count(Event.DIE) >= 1
            assert log[at][5] == Effect.LUCK
            assert log[at][7] + 4 < 8
        else:
            assert told[2] == 1
    assert seen == {0, 1}


# --- disengaging (M-7) ------------------------------------------------------------------


def tries(book, names, own, foes):
    records = new_disengagement(rules_of(book).scalars, 1, 0, *compiled(names))
    rows, chances = np.zeros((WAYS, len(Try)), np.int64), np.zeros(WAYS)
    ways(records, compile_disengagement(CONFFEDE), np.array(own), np.array(foes), rows, chances)
    return records, rows, chances


@given(books, gifted, st.integers(0, 8), st.integers(1, 4))
@settings(max_examples=60, deadline=None)
def test_disengaging_agrees_with_every_roll_enumerated(book, names, ini, enemies):
    """By agility INI is tested (M-7.2), by force FOR, of which no ability re-rolls 5s."""
    _, _, chances = tries(book, names, [2, ini, 7], [[1, 3]] * enemies)
    for way, value, test in ((Way.AGILITY, ini, "initiative"), (Way.FORCE, 4, "strength")):
        low, high = chance(book, value, 4 + 2 * enemies, GIFTS[names], test, depth=7)
        assert float(low) - 1e-12 <= chances[way] <= float(high) + 1e-12


def test_disengagement_x_by_hand():
    """Désengagement/5: INI 3 against two enemies needs 5, not 8; and never more than usual."""
    _, rows, chances = tries(PLAIN, ("Désengagement/5",), [1, 3, 0], [[1, 0]] * 2)
    assert rows[Way.AGILITY, Try.DIFFICULTY] == 5
    assert chances[Way.AGILITY] == pytest.approx(5 / 6)
    _, rows, _ = tries(PLAIN, ("Désengagement/9",), [1, 3, 0], [[1, 0]] * 2)
    assert rows[Way.AGILITY, Try.DIFFICULTY] == 8
    own = Gifts(frozenset({"disengages"}), {"disengage_most": 5})
    assert (disengaging(2, own), disengaging(2, Gifts())) == (5, 8)


@pytest.mark.parametrize("names", [("Chance",), ("Réflexes",)])
def test_disengaging_sampled(names):
    records, rows, chances = tries(PLAIN, names, [2, 3, 7], [[1, 3]])
    counts = np.zeros(WAYS, np.int64)
    count_disengagements(records, rows, 0, 0, 0, 100_000, counts)
    for way in Way:
        assert_share(counts[way], 100_000, chances[way])


def test_the_second_try_has_dice_of_its_own():
    records, rows, _ = tries(PLAIN, ("Chance",), [1, 3, 0], [[1, 0]] * 2)
    pairs = set()
    for trial in range(40):
        _, log = disengage_trial(records, rows[0, Try.GOAL], 0, 0, trial, 0)
        dice = [row[7] for row in log.tolist() if row[0] == Event.DIE and row[6] == 0]
        pairs |= {tuple(dice)} if len(dice) == 2 else set()
    assert len(pairs) > 10


# --- shots (W-6) ------------------------------------------------------------------------

TOUGH = Gifts(frozenset({"tough"}), {"tough_rows": 1})
ETHEREAL = {"St": "-", "L": "-", "S": "L", "C": "S"}
VULNERABLE = {"L": "S", "S": "C", "C": "K"}
SHOOTERS = {
    (): Gifts(),
    ("Arme sacrée",): Gifts(frozenset({"kill_doubles"})),
    ("Arme sacrée/Combat",): Gifts(),
    ("Féroce", "Épée-hache"): Gifts(),  # in melee only
    ("Fléau/Dirz",): Gifts(numbers={"bane_rows": 1}),
    ("Toxique/2",): Gifts(frozenset({"toxic"}), {"toxic_twice": 2}),
}
TARGETS = {
    (): Gifts(),
    ("Armure sacrée",): Gifts(frozenset({"ignore_doubles"})),
    ("Dur à cuire",): TOUGH,
    ("Dur à cuire/3",): Gifts(frozenset({"tough"}), {"tough_rows": 3}),
    ("Immunité/tête",): Gifts(locations=frozenset({5, 6})),
    ("Immunité/jambes",): Gifts(locations=frozenset({1})),
    ("Immunité/Sonné",): Gifts(suffered={"St": "-"}),
    ("Éthéré",): Gifts(suffered=ETHEREAL),
    ("Vulnérable",): Gifts(suffered=VULNERABLE),
    ("Instinct de survie/4",): Gifts(frozenset({"survival"}), {"survival_die": 4}),
    ("Mort-vivant",): Gifts(frozenset({"immune_toxic"})),
    ("Éthéré", "Instinct de survie/5"): Gifts(
        frozenset({"survival"}), {"survival_die": 5}, suffered=ETHEREAL
    ),
}


def shot_record(book, shooter, target, seed=1):
    more = compile_shooting(edition_of(book))
    own, foe = able(*shooter), able(*target, people="Dirz")
    flags, numbers = zip(*(compile_abilities(card) for card in (own, foe)), strict=True)
    return new_shooting(
        *(rules_of(book), more.still_wound, more.shots, seed, 0, more.still_lines),
        *(np.array(flags), np.stack(numbers), is_bane_of(own, foe)),
    )


def law_of(records, difference, still, aim=99):
    law = np.full(1 + OUTCOMES, np.nan)
    shot_law(records, aim, 4, difference, still, law)
    return law


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("shooter", SHOOTERS)
def test_wounds_of_shots_agree_with_every_roll_enumerated(shooter, target):
    """W-7's order: doubles, 6-6, locations, rows, what is suffered, poison."""
    bane = shooter == ("Fléau/Dirz",)
    for book in (PLAIN, Book(double_six_kills=False)):
        records = shot_record(book, shooter, target)
        for difference in (-7, 0, 3, 12):
            for still in (False, True):
                roll = partial(
                    wound, book, difference=difference, still_lines=int(still),
                    own=SHOOTERS[shooter], foe=TARGETS[target], bane=bane,
                )  # fmt: skip
                exact = exhaustive.law(lambda dice, roll=roll: roll(roll=dice)).masses
                found = law_of(records, difference, still)
                assert found.sum() == pytest.approx(1)
                for place, word in enumerate(OUTCOME_WORDS):
                    assert found[1 + place] == pytest.approx(float(exact.get(word, 0)), abs=1e-12)


@pytest.mark.parametrize(
    ("shooter", "target"),
    [
        (("Toxique/2",), ("Dur à cuire",)),
        (("Arme sacrée", "Chance"), ("Instinct de survie/4",)),
        (("Précision",), ("Éthéré", "Instinct de survie/5")),
    ],
)
def test_shots_sampled(shooter, target):
    records, counts = shot_record(PLAIN, shooter, target), np.zeros(1 + OUTCOMES, np.int64)
    count_shots(records, 3, 7, 2, 1, 0, 0, 0, 100_000, counts)
    law = np.zeros(1 + OUTCOMES)
    shot_law(records, 3, 7, 2, 1, law)
    for count, share in zip(counts, law, strict=True):
        assert_share(count, 100_000, share)


@given(st.integers(0, 10_000))
@settings(max_examples=80, deadline=None)
def test_each_shot_is_that_of_the_reference(trial):
    """The reference with the dice of the log, which knows where they belong."""
    shooter, target = ("Toxique/2", "Précision", "Chance"), ("Instinct de survie/4",)
    told, log = shot_trial(shot_record(PLAIN, shooter, target), 3, 7, 2, 1, 0, 0, trial)
    dice = {(row[5], row[6]): row[7] for row in log.tolist() if row[0] == Event.DIE}
    own = Gifts(frozenset({"toxic", "luck"}), {"toxic_twice": 2}, frozenset({"shot"}))
    found = shot(
        PLAIN, lambda slot, index: dice.pop((slot, index)), 3, 7, 2, 1,
        own, TARGETS[target],
    )  # fmt: skip
    assert not dice
    expected = MISS if not told[2] else OUTCOME_WORDS[max(told[3], 0)]
    assert found == expected


def test_off_is_as_without_abilities():
    plain = Profile("Own", TIR=3, weapon="bow"), Profile("Foe", RES=4)
    gifted = plain[0].with_values({}), plain[1]
    own = Profile("Own", TIR=3, weapon="bow", abilities=("Précision", "Chance", "Toxique/3"))
    foe = Profile("Foe", RES=4, abilities=("Cible/2", "Dur à cuire"))
    cells = ("p_hit", "difficulty", "p_outcome_killed", "p_state_light")
    off, bare = shoot(own, foe, options=OFF), shoot(*gifted)
    for row, other in zip(off, bare, strict=True):
        assert [row[cell] for cell in cells] == [other[cell] for cell in cells]
    on = shoot(own, foe)
    assert [row["difficulty"] for row in on] == [row["difficulty"] + 2 for row in bare]


# --- who tests (W-4) --------------------------------------------------------------------


def fears(own, foe, **options):
    one, other = fear(own, foe, options=Options(**options))
    return one, other


def test_the_fearless_make_no_test():
    troll = Profile("Troll", PEUR=7)
    for name in ("Juste", "Mort-vivant"):
        one, _ = fears(Profile("Own", COU=2, abilities=(name,)), troll)
        assert (one["tests"], one["why"]) == (False, "it knows no fear (W-7)")
    one, _ = fears(Profile("Own", COU=2, abilities=("Juste",)), troll, abilities=False)
    assert one["tests"]


def test_the_undead_frighten_the_frightening():
    """Against their PEUR, whatever that of the enemy, who tests with its own."""
    undead = Profile("Undead", PEUR=5, DIS=4, abilities=("Mort-vivant",))
    troll = Profile("Troll", PEUR=7, DIS=1)
    own, foe = fears(undead, troll)
    assert not own["tests"]
    assert (foe["tests"], foe["stat"], foe["value"], foe["difficulty"]) == (True, "PEUR", 7, 5)
    assert own["nerve"] == 0  # DIS 0, and no COU
    assert fears(undead, troll, abilities=False)[0]["nerve"] == 4


def test_a_war_cry_counts_while_it_charges():
    """The higher of X and its own PEUR; and with it he need not fear less."""
    crier = Profile("Crier", COU=3, abilities=("Cri de guerre/6",))
    foe = Profile("Foe", PEUR=5, COU=4)
    _, other = fears(crier, Profile("Foe", COU=4))
    assert not other["tests"]
    own, other = fears(crier, Profile("Foe", COU=4), charge=("A",))
    assert (other["tests"], other["difficulty"]) == (True, 6)
    assert not own["tests"]
    own, other = fears(crier, foe, charge=("A",))
    assert not own["tests"]
    assert (other["tests"], other["value"]) == (True, 5)
    assert fears(crier, foe)[0]["tests"]


def test_a_rally_of_the_seasoned():
    """5s of the characteristic that is tested: COU or DIS, whichever is higher."""
    troll = Profile("Troll", PEUR=9)
    shares = {}
    for name in ("Stratège", "Aguerri", "Maudit"):
        for cou, dis in ((2, 1), (1, 2)):
            card = Profile("Own", COU=cou, DIS=dis, abilities=(name,))
            shares[name, cou] = fears(card, troll)[0]["p_rally"]
    assert shares["Stratège", 2] == pytest.approx(1 / 6)  # COU 2 against 8: a 6
    assert shares["Stratège", 1] == pytest.approx(11 / 36)  # or a 5, and no 1 after it
    assert shares["Aguerri", 2] == shares["Aguerri", 1] == shares["Stratège", 1]
    assert shares["Maudit", 2] == pytest.approx(1 / 6)


def test_rallies_sampled():
    records = fear_record(PLAIN, ("Chance", "Stratège"))
    records["people"][0, 0, 9] = 1
    counts, chances = np.zeros(2, np.int64), np.zeros(2)
    count_fear(records, 4, 10, 2, 0, 0, 0, 100_000, counts)
    fear_chances(records, 4, 10, 2, chances)
    assert chances[RALLY] == pytest.approx(1 - (25 / 36) ** 2)
    assert_share(counts[RALLY], 100_000, chances[RALLY])


# --- charges (M-5) ----------------------------------------------------------------------


def charged(charges, *cards, **kwargs):
    n = len(cards)
    table = np.zeros((n, n), np.bool_)
    for i, j in charges:
        table[i, j] = True
    return charged_by(table, np.zeros(n), cards, CONFFEDE, **kwargs).tolist()


def card(*abilities, power=1):
    return Profile("Somebody", power=power, abilities=abilities)


@pytest.mark.parametrize(
    ("charger", "target", "hit"),
    [
        (card(), card(), True),
        (card(), card("Dur à cuire"), False),  # power 2 when it is charged
        (card("Brute épaisse"), card("Dur à cuire"), True),  # 2 on 2
        (card("Brute épaisse"), card("Dur à cuire/2"), False),  # 2 on 3
        (card(), card("Inébranlable"), False),
        (card("Brutal"), card(power=3), True),
        (card("Brutal"), card("Inébranlable", power=3), False),  # never beats always
        (card(), card(power=3), False),
        (card("Fléau/Dirz"), card("Dur à cuire"), False),  # it cancels rows, not power
    ],
)
def test_charges(charger, target, hit):
    assert charged([(0, 1)], charger, target) == [False, hit]


def test_charges_without_abilities():
    cards = card("Brutal"), card("Inébranlable", power=3)
    assert charged([(0, 1)], *cards, abilities=False) == [False, False]
    assert charged([(0, 1)], card(), card("Dur à cuire"), abilities=False) == [False, True]


def test_the_steady_weigh_in_a_group():
    """He is charged, so his power is in the balance; only the penalty is not his (M-5.2)."""
    cards = card(power=1), card("Inébranlable"), card()
    assert charged([(0, 1), (0, 2)], *cards) == [False, False, False]
    cards = card(power=2), card("Inébranlable"), card()
    assert charged([(0, 1), (0, 2)], *cards) == [False, False, True]


# --- the commands -----------------------------------------------------------------------


def test_disengaging_in_the_command():
    own = Profile("Own", INI=3, abilities=("Désengagement/5",))
    agility, _ = disengage(own, [Profile("Foe")] * 2)
    assert (agility["difficulty"], round(agility["p_success"], 6)) == (5, 0.833333)
    agility, _ = disengage(own, [Profile("Foe")] * 2, options=OFF)
    assert agility["difficulty"] == 8


def test_open_rolls_are_bits_of_the_codes():
    flags, numbers = compiled(("Aguerri",))
    assert flags == 1 << Effect.OPEN_FIVES
    named = [Roll[test.upper()] for test in TESTS]
    assert numbers[Number.OPEN_ROLLS] == sum(1 << roll for roll in named)
