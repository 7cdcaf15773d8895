"""Army files: what they say, and every way in which they can be wrong (A-1.1)."""

from dataclasses import replace

import pytest

from estoc.profiles import InputError, Roster
from estoc.profiles.armies.army import Army, Card, Gain, load_army
from estoc.profiles.armies.card_policy import LISTED
from estoc.profiles.compile.cards import base_value, swings
from estoc.profiles.files.toml import shipped_names
from estoc.sim.phases.card_exact import exact_odds
from estoc.sim.phases.card_question import CardQuestion

ROSTER = Roster.load()
HEAD = 'name = "x"\n'
ONE = '[[cards]]\nname = "one"\n'
TWO = '[[cards]]\nname = "two"\n'
WARRIOR = ROSTER.find("Guerrier de l'aube")


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.toml") -> str:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def load(path) -> Army:
    return load_army(path, ROSTER)


# --- what a file says -----------------------------------------------------------------


def test_the_least_that_a_file_says(file):
    path = file(HEAD + ONE)
    army = load(path)
    assert replace(army, policy=LISTED) == Army("x", (Card("one"),), file=path)
    assert replace(army.policy, title="") == LISTED


@pytest.mark.parametrize("change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n")])
def test_byte_order_marks_and_line_ends_change_nothing(file, tmp_path, change):
    text = HEAD + 'people = "Dirz"\n' + ONE + "PA = 3\n" + TWO
    plain = load(file(text))
    (tmp_path / "mine.toml").write_bytes(change(text).encode())
    assert load(tmp_path / "mine.toml") == plain


def test_a_file_with_everything(file):
    path = file(
        """
        name = "Mine"
        kind = " few  and dear "
        people = "Lions d'Alahan"
        points = 36
        alliance = "Lumière"
        policy = "wait"
        order = ["two", "ONE"]
        speak = "first"
        moves = ["top", "reserve"]

        [[cards]]
        name = "One"
        fighters = 3
        PA = 12
        threat = 9
        DIS = 4
        people = "Griffons"
        abilities = ["Alliance/Lumière", "Mercenaire"]
        routed = true
        line = 2
        wing = "left"

        [[cards]]
        name = "two"
        PA = 0

        [[gains]]
        card = "two"
        before = "b"
        gain = 1.5
        """
    )
    army = load(path)
    abilities = ("Alliance/Lumière", "Mercenaire")
    one = Card("One", 3, None, 12, 9, 4, "Griffons", abilities, True, 2, "left")
    assert army.cards == (Card("two", PA=0), one)
    assert (army.kind, army.points, army.cost, army.fighters) == ("few and dear", 36, 36, 4)
    assert (army.name, army.people, army.alliance) == ("Mine", "Lions d'Alahan", "Lumière")
    assert (army.policy.name, army.policy.order, army.policy.speak) == ("wait", "listed", "first")
    assert army.policy.moves == (0, 1)
    assert army.gains == (Gain("two", "b", 1.5),)
    assert army.file == path


def test_values_come_from_the_roster_unless_the_file_gives_them(file):
    named = f'[[cards]]\nname = "{WARRIOR.name}"\n'
    card = load(file(HEAD + named)).cards[0]
    assert card.profile == WARRIOR
    assert (card.PA, card.DIS, card.people) == (WARRIOR.PA, WARRIOR.DIS, WARRIOR.people)
    assert card.threat == WARRIOR.ATT + WARRIOR.FOR
    assert card.abilities == WARRIOR.abilities
    other = load(file(HEAD + named + "PA = 0\nthreat = 1\n")).cards[0]
    assert (other.PA, other.threat, other.DIS) == (0, 1, WARRIOR.DIS)


def test_a_profile_may_have_another_name_than_its_card(file):
    text = HEAD + f'[[cards]]\nname = "The first"\nprofile = "{WARRIOR.name.upper()}"\n'
    card = load(file(text)).cards[0]
    assert (card.name, card.profile) == ("The first", WARRIOR)


def test_a_people_is_named_by_one_of_its_words(file):
    assert load(file('name = "x"\npeople = "alahan"\n' + ONE)).people == "Lions d'Alahan"
    assert load(file('name = "x"\npeople = "Nobody\'s"\n' + ONE)).people == "Nobody's"
    with pytest.raises(InputError, match="could be"):
        load(file('name = "x"\npeople = "Nains"\n' + ONE))


def test_an_order_in_words_is_the_policy_s(file):
    army = load(file(HEAD + 'policy = "listed"\norder = "dear"\n' + ONE))
    assert army.policy == replace(LISTED, title=army.policy.title, order="dear")


def test_a_list_of_cards_replaces_the_policy_s_order(file):
    army = load(file(HEAD + 'policy = "wait"\norder = ["two", "one"]\n' + ONE + TWO))
    assert [card.name for card in army.cards] == ["two", "one"]
    assert army.policy.order == "listed"


def test_cards_stand_in_the_first_line_and_all_along_it_unless_the_file_says_otherwise(file):
    card = load(file(HEAD + ONE)).cards[0]
    assert (card.line, card.wing) == (1, "spread")


def test_what_an_army_costs_is_known_if_all_its_cards_are(file):
    assert load(file(HEAD + ONE + "PA = 5\nfighters = 3\n" + TWO + "PA = 0")).cost == 15
    assert load(file(HEAD + ONE + "PA = 5\nfighters = 3\n" + TWO)).cost is None


def test_points_limit_what_an_army_costs(file):
    """Of those who are left, and of those who were eliminated before (A-1.2)."""
    cards = ONE + "PA = 5\nfighters = 3\n" + TWO + "PA = 1\nfighters = {}"
    assert load(file(HEAD + "points = 16\n" + cards.format(1))).points == 16
    with pytest.raises(InputError, match=r"x costs 17 PA, 1 more than its points = 16"):
        load(file(HEAD + "points = 16\n" + cards.format(2)))


LISTS = {
    "daikinee-foot": 4 * 16 + 3 * 18 + 3 * 18 + 3 * 25 + 2 * 26,
    "daikinee-riders": 2 * 56 + 4 * 37 + 21 + 14,
    "devoreurs-archers": 4 * 16 + 6 * 18 + 3 * 25 + 49,
    "devoreurs-elite": 70 + 98 + 2 * 50 + 28,
    "devoreurs-horde": 7 * 16 + 4 * 18 + 7 * 16,
    "devoreurs-mixed": 4 * 16 + 50 + 2 * 30 + 43 + 2 * 18 + 28 + 16,
}


@pytest.mark.parametrize("name", LISTS)
def test_shipped_lists_cost_what_their_cards_say(name):
    """Of one people and one edition, nobody twice who has a name of his own, no caster."""
    army = load(name)
    assert (army.points, army.cost) == (300, LISTS[name])
    assert 285 <= army.cost <= 300
    assert army.kind
    assert {card.people for card in army.cards} == {army.people}
    assert {card.profile.origin for card in army.cards} == {"C5"}
    assert not [c.name for c in army.cards if "personnage" in c.profile.role and c.fighters > 1]
    assert not [card.name for card in army.cards if card.profile.caster]


@pytest.mark.parametrize("name", shipped_names("army"))
def test_shipped_armies(name):
    """Each plays by its own policy against itself, where its gains name nobody else."""
    army = load(name)
    assert army.file == name
    plain = replace(army, gains=(), policy=replace(army.policy, moves=()))
    exact_odds(CardQuestion(plain, plain, "coin"))


def test_the_shipped_example_of_real_fighters():
    a, b = load("daikinee"), load("devoreurs")
    assert all(card.profile for army in (a, b) for card in army.cards)
    assert exact_odds(CardQuestion(a, b, "A")).before.shape == (len(a.cards), len(b.cards))


def test_thirty_two_cards_are_not_too_many(file):
    cards = "".join(f'[[cards]]\nname = "c{n}"\n' for n in range(32))
    assert len(load(file(HEAD + cards)).cards) == 32


# --- names of cards -------------------------------------------------------------------


def test_cards_that_differ_by_accents_are_two(file):
    cards = "".join(f'[[cards]]\nname = "{name}"\n' for name in ("Péché", "Pêche", "Ada"))
    army = load(file(HEAD + cards))
    assert [army.index(name, "x") for name in ("péché", "PÊCHE", "pê", "ada")] == [0, 1, 1, 2]
    assert army.has("peche")
    with pytest.raises(InputError, match='x: "peche" could be Péché; Pêche'):
        army.index("peche", "x")
    with pytest.raises(InputError, match='item 4: "PÉCHÉ" is already item 1'):
        load(file(HEAD + cards + '[[cards]]\nname = "PÉCHÉ"\n'))


def test_cards_are_named_as_people_type():
    army = Army("Mine", (Card("Guerrier Kératis"), Card("Tigre"), Card("Tigre blanc")))
    assert army.index("guerrier  keratis", "x") == 0
    assert army.index("guer", "x") == 0
    assert army.index("TIGRE", "x") == 1
    assert army.index("Tigre b", "x") == 2
    for text, message in (
        ("t", 'x: "t" could be Tigre; Tigre blanc'),
        ("Tigra", 'x: Mine has no card "Tigra"; nearest: Tigre'),
        ("", 'x: Mine has no card ""; known:'),
    ):
        with pytest.raises(InputError) as caught:
            army.index(text, "x")
        assert str(caught.value).startswith(message)


# --- gains ----------------------------------------------------------------------------


def gained(a=(), b=()) -> tuple[Army, Army]:
    cards = [tuple(Card(f"{side}{n}") for n in (1, 2)) for side in "ab"]
    return (
        Army("A", cards[0], gains=tuple(a), file="a.toml"),
        Army("B", cards[1], gains=tuple(b), file="b.toml"),
    )


def test_swings_of_both_files():
    """B's gain by its card acting first is lost to A unless A's acts first."""
    a, b = gained([Gain("a1", "b2", 3.5)], [Gain("b2", "a1", 0.25), Gain("b1", "a2", -1)])
    assert swings(a, b)[:2, :2].tolist() == [[0, 3750], [-1000, 0]]
    assert not swings(a, b)[2:].any()
    assert base_value(a, b) == 0.75


def test_without_gains_each_pair_is_one():
    assert swings(*gained())[:2, :2].tolist() == [[1000, 1000], [1000, 1000]]
    assert not swings(*gained())[2:].any()


def test_the_value_of_a_phase_is_what_both_files_say():
    """a1 acts before b1 and b2, b1 before a2: 2.5 gained, 0.25 not lost; 4 lost to b1."""
    a, b = gained([Gain("a1", "b2", 2.5)], [Gain("b2", "a1", 0.25), Gain("b1", "a2", 4)])
    asked = CardQuestion(a, b, "A")
    assert exact_odds(asked).value / 1000 + asked.base == pytest.approx(2.5 - 4)


@pytest.mark.parametrize(
    ("gain", "message"),
    [
        (Gain("a3", "b1", 1), 'a.toml: gains: A has no card "a3"; known: a1, a2'),
        (Gain("a", "b1", 1), 'a.toml: gains: "a" could be a1; a2'),
    ],
)
def test_gains_of_cards_that_nobody_has(gain, message):
    with pytest.raises(InputError) as caught:
        exact_odds(CardQuestion(*gained([gain]), "A"))
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


# --- wrong files ----------------------------------------------------------------------

WRONG = [
    ("", "has no name, which is needed"),
    (HEAD, "has no cards, which is needed"),
    (HEAD + "cards = []", "cards should have at least 1"),
    (HEAD + "".join(f'[[cards]]\nname = "c{n}"\n' for n in range(33)), "at most 32"),
    ('name = ""\n' + ONE, "name should not be empty"),
    (HEAD + 'ordre = "dear"\n' + ONE, 'unknown key "ordre"; nearest: order'),
    (HEAD + ONE + "tread = 3", 'cards: item 1: unknown key "tread"; nearest: threat'),
    (HEAD + "[[cards]]\nPA = 3", "cards: item 1: has no name, which is needed"),
    (HEAD + ONE + "fighters = 0", "no card has a fighter left (A-1.2)"),
    (HEAD + ONE + TWO + "fighters = 100", "cards: item 2: fighters should be at most"),
    (HEAD + ONE + "fighters = 1.0", "cards: item 1: fighters should be"),
    (HEAD + ONE + 'fighters = "2"', "cards: item 1: fighters should be"),
    (HEAD + ONE + "PA = -1", "PA should be at least"),
    (HEAD + ONE + "DIS = 41", "DIS should be at most"),
    (HEAD + ONE + 'routed = "no"', "routed should be"),
    (HEAD + ONE + 'abilities = "Mercenaire"', "abilities should be"),
    (HEAD + ONE + TWO + '[[cards]]\nname = " ONE"', '" ONE" is already item 1'),
    (HEAD + ONE + "line = 0", "cards: item 1: line should be at least"),
    (HEAD + ONE + "line = 10", "cards: item 1: line should be at most"),
    (HEAD + ONE + "ligne = 1", 'unknown key "ligne"; nearest: line'),
    (HEAD + ONE + 'wing = "middle"', "cards: item 1: wing should be 'left', 'centre', 'right'"),
    (HEAD + "points = 0\n" + ONE, "points should be at least"),
    (HEAD + "point = 300\n" + ONE, 'unknown key "point"; nearest: points'),
    (HEAD + "points = 3\n" + ONE + "PA = 2\nfighters = 2", "x costs 4 PA, 1 more than its points"),
    (HEAD + "points = 3\n" + ONE, 'points = 3, and what "one" costs is not known; give its PA'),
    (HEAD + 'order = "deer"\n' + ONE, "order should be a list of cards, or one of listed, random"),
    (HEAD + 'order = ["one"]\n' + ONE + TWO, "order has no two; it should name each card once"),
    (HEAD + 'order = ["one", "one"]\n' + ONE + TWO, "it should name each card once"),
    (HEAD + 'order = ["one", "two", "one"]\n' + ONE + TWO, "order has one twice"),
    (HEAD + 'order = ["one", "three"]\n' + ONE + TWO, 'order: x has no card "three"'),
    (HEAD + "order = [1]\n" + ONE, "order"),
    (HEAD + 'speak = "third"\n' + ONE, 'speak should be "first" or "second", not "third"'),
    (HEAD + 'moves = ["tob"]\n' + ONE, 'moves, item 1: "tob" is no move; nearest: top'),
    (
        HEAD + 'moves = ["reserve", "both", "top", "top"]\n' + ONE + TWO,
        "moves: there are 4, and move 2 plays the last card (A-4.1); leave out the 2 after it",
    ),
    (HEAD + ONE + '[[gains]]\ncard = "one"\ngain = 1', "gains: item 1: has no before"),
    (HEAD + ONE + '[[gains]]\ncard = "one"\nbefore = "b"\ngain = 1001', "gain should be at most"),
    (HEAD + ONE + '[[gains]]\ncard = "one"\nbefore = "b"\ngain = nan', "gain should be"),
    (HEAD + ONE + '[[gains]]\ncard = "one"\nbefore = "b"\ngain = 0.0001', "at most 3 decimals"),
    (
        HEAD + ONE + '[[gains]]\ncard = "one"\nbefore = "b"\ngain = 1\nvalue = 3',
        'gains: item 1: unknown key "value"',
    ),
    (HEAD + ONE + 'profile = "Nobody at all"', "cards item 1: profile: "),
    ('name = "x', "is not right TOML"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_wrong_files_are_refused_in_one_line_that_says_where(file, text, message):
    path = file(text)
    with pytest.raises(InputError) as caught:
        load(path)
    told = str(caught.value)
    assert told.startswith(path)
    assert message in told
    assert "\n" not in told


def test_a_card_that_several_fighters_answer_to_is_asked_about(file):
    twice = Roster((replace(WARRIOR, origin="one"), replace(WARRIOR, origin="two", DIS=9)))
    path = file(HEAD + f'[[cards]]\nname = "{WARRIOR.name}"\n')
    with pytest.raises(InputError) as caught:
        load_army(path, twice)
    told = str(caught.value)
    assert told.startswith(f'{path}: cards item 1: "{WARRIOR.name}" could be')
    assert f"{WARRIOR.name}@one, {WARRIOR.name}@two" in told
    assert "\n" not in told
    named = f'[[cards]]\nname = "{WARRIOR.name}"\nprofile = "{WARRIOR.name}@two"\n'
    assert load_army(file(HEAD + named), twice).cards[0].DIS == 9


def test_a_wrong_policy_is_told_with_its_file(file, tmp_path):
    with pytest.raises(InputError, match=r'"waite" is neither .* nearest: wait'):
        load(file(HEAD + 'policy = "waite"\n' + ONE))
    path = file(HEAD + 'policy = "other.toml"\n' + ONE)
    with pytest.raises(InputError, match=r"other\.toml: cannot be read"):
        load(path)
    file('name = "other"\norder = "deer"', "other.toml")
    with pytest.raises(InputError) as caught:
        load(path)
    assert str(caught.value).startswith(str(tmp_path / "other.toml"))


def test_a_policy_s_file_is_looked_for_beside_the_army_s(file, tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    file('name = "mine"\n[[rules]]\ndo = "both"', "below/policy.toml")
    path = file(HEAD + 'policy = "below/policy.toml"\n' + ONE)
    monkeypatch.chdir("/")
    assert load(path).policy.name == "mine"
    assert load(path).policy.file == str(tmp_path / "below" / "policy.toml")


def test_unknown_armies(tmp_path):
    with pytest.raises(InputError, match=r'"grifon" is neither an army nor a \.toml file'):
        load("grifon")
    with pytest.raises(InputError, match="cannot be read"):
        load(tmp_path / "none.toml")
