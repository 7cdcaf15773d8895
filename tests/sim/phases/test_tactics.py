"""The Tactics roll: who may make it, what it gives (T-2.3 to T-2.6)."""

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.cards import MAX_SPOKEN
from estoc.kernels.phases import card_trials
from estoc.profiles import InputError, load_edition
from estoc.profiles.armies.army import Army, Card, load_army
from estoc.profiles.armies.card_policy import CardPolicy
from estoc.profiles.armies.tactics import Roller, bar, names, roller
from estoc.sim.base.options import Options
from estoc.sim.base.policy import POLICIES
from estoc.sim.base.run import Method
from estoc.sim.phases.card_exact import exact_odds
from estoc.sim.phases.card_question import CardQuestion
from estoc.sim.phases.card_sampling import counted_odds
from estoc.sim.phases.tactics import chance_to_win
from reference import tactics as rules
from reference.book import Book
from reference.tactics import Candidate

EDITION = load_edition("conffede")
LIONS, PATH = "Lions d'Alahan", "Lumière"
TIES = ("reroll", "coin", "higher_characteristic")


def army(*cards: Card, people: str = LIONS, alliance: str = PATH, **fields) -> Army:
    return Army("army", cards, people, alliance, **fields)


def card(people: str, *abilities: str, name: str = "card", DIS: int | None = 3, **fields) -> Card:  # noqa: N803
    return Card(name, people=people, abilities=abilities, DIS=DIS, **fields)


def may(one: Card, edition=EDITION, **fields) -> bool:
    return not bar(one, army(one, **fields), edition)


# --- who may (T-2.3) ------------------------------------------------------------------

CASES = [
    # of the people, whatever else
    (LIONS, (), True),
    (LIONS, ("Mercenaire",), True),
    (LIONS, ("Immortel/Lumière",), True),
    (LIONS, ("Élémentaire/Feu",), True),
    (LIONS, ("Alliance/Ténèbres",), True),
    # allies
    ("Griffons", (), False),
    ("Griffons", ("Bravoure",), False),
    ("Griffons", ("Immortel/Lumière",), False),
    ("Griffons", ("Élémentaire/Feu",), False),
    ("Griffons", ("Mercenaire",), False),
    # Alliance/X: the people, its path of alliance, or another
    ("Griffons", (f"Alliance/{LIONS}",), True),
    ("Griffons", (f"Alliance/{PATH}",), True),
    ("Griffons", ("Alliance/Ténèbres",), False),
    ("Griffons", ("Alliance/Griffons",), False),
    ("Griffons", ("Alliance/Ténèbres", f"Alliance/{PATH}"), True),
    # ... of those whom their ability bars, too
    ("Griffons", ("Mercenaire", f"Alliance/{LIONS}"), True),
    ("Griffons", ("Immortel/Lumière", f"Alliance/{PATH}"), True),
    ("Griffons", ("Élémentaire/Feu", f"Alliance/{PATH}"), True),
    ("Griffons", ("Mercenaire", "Alliance/Ténèbres"), False),
    # the X of another ability lets nobody in; neither does Commandement/X
    ("Griffons", (f"Immortel/{LIONS}",), False),
    ("Griffons", ("Commandement/15",), False),
    ("Griffons", (f"Fléau/{LIONS}",), False),
    ("Griffons", ("Alliance",), False),
]


@pytest.mark.parametrize(("people", "abilities", "able"), CASES)
def test_who_may_roll(people, abilities, able):
    one = card(people, *abilities)
    assert may(one) == able
    assert rules.may_roll(Candidate(people, abilities), LIONS, PATH) == able
    assert roller(army(one), EDITION).nobody != able


@pytest.mark.parametrize(
    ("abilities", "why"),
    [
        (("Immortel/Lumière",), "Immortel (T-2.3)"),
        (("élémentaire/feu",), "Élémentaire (T-2.3)"),
        (("Mercenaire",), "Mercenaire (T-2.3)"),
        ((), "an ally, of the people Griffons, not Lions d'Alahan (T-2.3)"),
    ],
)
def test_why_a_card_may_not(abilities, why):
    assert bar(card("Griffons", *abilities), army(), EDITION) == why


ABILITIES = st.sampled_from(
    [
        *("Mercenaire", "Immortel/Lumière", "Élémentaire/Eau", "Commandement/15", "Bravoure"),
        *(f"Alliance/{x}" for x in (LIONS, "Griffons", "Lumière", "Ténèbres", "Destin")),
    ]
)


@given(
    st.sampled_from([LIONS, "Griffons", "Dirz"]),
    st.lists(ABILITIES, max_size=4),
    st.booleans(),
    st.sampled_from([LIONS, "Griffons"]),
    st.sampled_from(["Lumière", "Ténèbres"]),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_eligibility_is_that_of_the_reference(people, abilities, routed, own, path, routed_may):
    edition = EDITION.with_rule(f"tactics.routed_may_roll={str(routed_may).lower()}")
    one = card(people, *abilities, routed=routed)
    expected = rules.may_roll(Candidate(people, tuple(abilities), routed), own, path, routed_may)
    assert may(one, edition, people=own, alliance=path) == expected


@pytest.mark.parametrize(("value", "able"), [("true", True), ("false", False)])
def test_the_routed_may_roll_unless_an_edition_bars_them(value, able):
    edition = EDITION.with_rule(f"tactics.routed_may_roll={value}")
    routed = card(LIONS, routed=True)
    assert may(routed, edition) == able
    if not able:
        assert bar(routed, army(), edition) == "in rout (T-2.6)"
    assert may(card(LIONS), edition)


def test_cards_without_a_people_are_the_army_s():
    assert may(card(""))
    assert may(card("Griffons"), people="")
    assert may(card("(toutes)"))


@pytest.mark.parametrize(
    ("text", "people", "named"),
    [
        ("Lions", LIONS, True),
        ("LIONS D'ALAHAN", LIONS, True),
        ("Alahan", LIONS, True),
        ("Lion", LIONS, False),
        ("", LIONS, False),
        ("Dirz", "", False),
        ("Daikinee", "Elfes Daïkinee", True),
        ("Elfes Cynwälls", "Elfes Daïkinee", False),
        ("Lumière", "Immortels (Lumière)", True),
        ("Mid-Nor", "Nains de Mid-Nor", True),
        ("Tir-Nâ-Bor", "Nains de Tir-Nâ-Bor", True),
        ("Achéron", "Morts-vivants d'Achéron", True),
        ("Morts-vivants", "Morts-vivants d'Achéron", True),
    ],
)
def test_how_a_people_is_named(text, people, named):
    assert names(text, people) == named


# --- who does -------------------------------------------------------------------------


def test_the_best_discipline_of_those_who_may():
    one = army(
        card("Griffons", name="ally", DIS=9),
        card(LIONS, name="low", DIS=2),
        card(LIONS, "Commandement/15", name="best", DIS=4),
        card(LIONS, name="equal", DIS=4),
        card(LIONS, name="unknown", DIS=None),
    )
    found = roller(one, EDITION)
    assert (found.card, found.DIS, found.unknown) == ("best", 4, ("unknown",))
    assert [name for name, _ in found.barred] == ["ally"]
    assert not found.nobody


def test_a_discipline_of_nought_is_one():
    assert roller(army(card(LIONS, DIS=0)), EDITION) == Roller("card", 0, (), ())


def test_command_lends_nobody_its_discipline():
    """The commander is an ally: he may not roll, and nobody rolls with his Discipline."""
    one = army(card("Griffons", "Commandement/30", DIS=9), card(LIONS, name="own", DIS=1))
    assert roller(one, EDITION).DIS == 1


def question(own: int | None, other: int | None, winner: str = "roll", **options) -> CardQuestion:
    """One card each; None: its fighters may not roll."""
    sides = [
        army(card("Griffons" if dis is None else LIONS, DIS=dis or 0), file=f"{name}.toml")
        for name, dis in (("a", own), ("b", other))
    ]
    return CardQuestion(*sides, winner, Options(**options))


def test_a_discipline_that_is_not_known_is_asked_for():
    asked = replace(question(3, 3), b=army(card(LIONS, name="Bob", DIS=None)))
    with pytest.raises(InputError) as caught:
        exact_odds(asked)
    assert "no Discipline is known" in str(caught.value)
    assert "Bob" in str(caught.value)
    assert "T-2.3" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("no_fighter", ["loses", "coin"])
def test_a_discipline_is_not_needed_where_nobody_rolls(no_fighter):
    """T-2.5: the other side has nobody, so that no test is made."""
    unknown = army(card(LIONS, name="Bob", DIS=None))
    asked = replace(question(None, 3, rules=(f"tactics.no_fighter={no_fighter}",)), b=unknown)
    assert asked.chance == rules.won_without_a_roll((False, True), no_fighter)
    assert exact_odds(asked).first == asked.chance


def test_a_coin_where_no_discipline_is_known():
    bare = army(card(LIONS, DIS=None))
    asked = CardQuestion(bare, bare)
    assert asked.chance == 0.5
    assert any("coin" in remark for remark in asked.remarks())
    trials = 20_000
    assert_share(counted_odds(asked, Method("mc", trials, 3)).first, trials, 0.5)


# --- nobody may (T-2.5) ---------------------------------------------------------------

# Every sampled share below is compared once, within 4 standard errors: each fails for a right
# program with chance 6e-5, the file's forty or so together with less than 1 in 300. The
# seeds are fixed, so that a pass stays a pass.


def assert_share(count: float, trials: int, chance: float) -> None:
    error = sqrt(chance * (1 - chance) / trials)
    assert abs(count / trials - chance) <= 4 * error


@pytest.mark.parametrize("no_fighter", ["loses", "coin"])
@pytest.mark.parametrize(("own", "other"), [(None, 3), (9, None), (None, None), (0, None)])
def test_nobody_who_may_roll(no_fighter, own, other):
    asked = question(own, other, rules=(f"tactics.no_fighter={no_fighter}",))
    expected = rules.won_without_a_roll((own is not None, other is not None), no_fighter)
    codes = [-1 if dis is None else dis for dis in (own, other)]
    assert asked.chance == chance_to_win(*codes, asked.options) == expected
    assert exact_odds(asked).first == expected
    trials = 10_000
    assert_share(counted_odds(asked, Method("mc", trials, 11)).first, trials, float(expected))
    assert sum("nobody may make" in r for r in asked.remarks()) == [own, other].count(None)


# --- the odds of the roll -------------------------------------------------------------


def options(tie: str, one: str = "needed", other: str = "needed", *more: str) -> Options:
    chosen = tuple(replace(POLICIES["sensible"], reroll_initiative=r) for r in (one, other))
    return Options(rules=(f"tactics.tie={tie}", *more), policies=chosen)


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("dis", [(3, 3), (4, 3), (3, 4), (2, 6), (0, 0), (9, 1)])
def test_exact_odds_are_those_of_all_dice(tie, dis):
    low, high = rules.chance_to_win(Book(opposed_tie=tie), dis, ("needed", "needed"))
    assert high - low < 1e-8
    found = chance_to_win(*dis, options(tie))
    assert float(low) - 1e-9 <= found <= float(high) + 1e-9


@pytest.mark.parametrize("rerolls", [("never", "always"), ("always", "needed"), ("never", "never")])
@pytest.mark.parametrize("one", ["reset", "add"])
@pytest.mark.parametrize("tie", TIES)
def test_exact_odds_with_other_ways_to_reroll(rerolls, one, tie):
    low, high = rules.chance_to_win(Book(opposed_tie=tie, reroll_one=one), (3, 4), rerolls)
    found = chance_to_win(3, 4, options(tie, *rerolls, f"tests.reroll_one={one}"))
    assert float(low) - 1e-9 <= found <= float(high) + 1e-9


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize("reroll", ["needed", "always", "never"])
@pytest.mark.parametrize("dis", [0, 3, 7])
def test_equals_win_as_often(tie, reroll, dis):
    assert chance_to_win(dis, dis, options(tie, reroll, reroll)) == pytest.approx(0.5, abs=1e-12)


@pytest.mark.parametrize("tie", TIES)
def test_it_does_not_matter_which_file_comes_first(tie):
    chosen = options(tie)
    for own, other in ((0, 0), (0, 1), (2, 5), (3, 4), (6, 0)):
        both = chance_to_win(own, other, chosen), chance_to_win(other, own, chosen)
        assert sum(both) == pytest.approx(1, abs=1e-12)


def test_more_discipline_wins_more_often():
    for tie in TIES:
        chosen = options(tie)
        chances = [chance_to_win(own, 3, chosen) for own in range(0, 9, 2)]
        assert chances == sorted(chances)
        assert chances[0] < 0.5 < chances[-1]


def test_each_tie_is_another_roll():
    """4 against 3: the three rules give three numbers, the higher Discipline gains by its own."""
    chances = {tie: chance_to_win(4, 3, options(tie)) for tie in TIES}
    assert chances["higher_characteristic"] > chances["reroll"] > chances["coin"] > 0.5


@pytest.mark.parametrize("tie", TIES)
@pytest.mark.parametrize(
    ("dis", "rerolls"),
    [
        ((3, 3), ("needed", "needed")),
        ((4, 3), ("always", "needed")),
        ((2, 4), ("needed", "never")),
        ((5, 5), ("always", "never")),
    ],
)
def test_sampled_rolls(tie, dis, rerolls):
    chosen = options(tie, *rerolls)
    asked = replace(question(*dis), options=chosen)
    trials = 40_000
    expected = chance_to_win(*dis, chosen)
    assert asked.chance == expected
    assert_share(speaks(asked, trials), trials, expected)
    assert exact_odds(asked).first == pytest.approx(expected, abs=1e-12)


def speaks(asked: CardQuestion, trials: int, first: int = 0) -> int:
    """How often A speaks first, counted by the kernel."""
    phases = asked.phase.copy()
    phases["seed"] = 21
    pairs = np.zeros((2, 1, 1, 1), np.int64)
    acts, tally = np.zeros((2, 1, MAX_SPOKEN), np.int64), np.zeros((1, 3), np.int64)
    count = np.zeros(1, np.int64)
    card_trials.count_phases(
        phases, np.zeros(1, np.int64), first, trials, pairs[0], pairs[1], tally, acts, count
    )
    return int(count[0])


@pytest.mark.parametrize(("own", "other"), [("first", "second"), ("second", "first")])
def test_the_winner_says_who_speaks_first(own, other):
    """A-1.3: A, which wins with 9 against 1 nearly always, and B choose as their policies say."""
    asked = question(9, 1)
    for side, speak in (("a", own), ("b", other)):
        chosen = replace(getattr(asked, side), policy=CardPolicy("p", speak=speak))
        asked = replace(asked, **{side: chosen})
    exact = exact_odds(asked).first
    # A first where it wins and wants to, or B wins and lets A speak
    expected = asked.chance * (own == "first") + (1 - asked.chance) * (other == "second")
    assert exact == pytest.approx(expected, abs=1e-12)
    trials = 5_000
    assert_share(speaks(asked, trials), trials, expected)


@pytest.mark.parametrize("winner", ["A", "B", "coin"])
def test_a_winner_who_is_told(winner):
    asked = question(9, 0, winner)
    expected = {"A": 1.0, "B": 0.0, "coin": 0.5}[winner]
    assert asked.chance == exact_odds(asked).first == expected
    trials = 10_000
    assert_share(speaks(asked, trials), trials, expected)


def test_a_winner_of_another_name():
    with pytest.raises(InputError, match=r'winner "C" should be one of A, B, roll, coin'):
        question(3, 3, "C")


# --- by way of files ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("people", "barred"),
    [("Lions d'Alahan", []), ("Lions", []), ("alahan", []), ("Griffons", ["Ours"])],
)
def test_an_army_s_people_is_named_as_fighters_are(tmp_path, people, barred):
    path = tmp_path / "a.toml"
    text = f'name = "a"\npeople = "{people}"\n[[cards]]\nname = "Ours"\nDIS = 3\n'
    path.write_text(text + 'people = "Lions d\'Alahan"\n', encoding="utf-8")
    assert [name for name, _ in roller(load_army(path), EDITION).barred] == barred


def test_the_shipped_example_has_no_discipline():
    asked = CardQuestion(load_army("griffon"), load_army("scorpion"))
    assert asked.chance == 0.5
