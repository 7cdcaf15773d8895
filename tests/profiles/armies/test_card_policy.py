"""Policies for cards: what every one of them owes the rules, and what their files may say."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import ORDERS, army_of, card_name, card_players, policy_of

from estoc.kernels.layout.cards import LogColumn, Move
from estoc.kernels.phases import card_trials
from estoc.profiles import InputError
from estoc.profiles.armies.army import Army, Card
from estoc.profiles.armies.card_policy import (
    MOVE_WORDS,
    Condition,
    Rule,
    card_policy_names,
    load_card_policy,
    parse_moves,
)
from estoc.sim.base.run import Method
from estoc.sim.phases.card_exact import exact_odds
from estoc.sim.phases.card_question import CardQuestion, ask, with_policies
from estoc.sim.phases.card_sampling import counted_odds
from estoc.sim.phases.cards import transcript
from reference import cards as rules
from reference.cards import Plan, Player

SHIPPED = tuple(name for name in card_policy_names() if name != "optimal")
WORDS = {code: word for word, code in MOVE_WORDS.items()}
MOST = 12  # cards of a side in the contract


def army(side: int, size: int, policy) -> Army:
    """Cards of which several are worth the same."""
    cards = tuple(
        Card(card_name(side, n + 1), 1 + n % 3, PA=5 * (n * 7 % 4), threat=n * 5 % 6)
        for n in range(size)
    )
    return Army("AB"[side], cards, policy=policy, file=f"{'AB'[side]}.toml")


def told_log(question: CardQuestion, trial: int, seed: int = 5) -> np.ndarray:
    phases = question.phase.copy()
    phases["seed"] = seed
    log = card_trials.tell_phase(phases, trial)
    assert phases["fault"][0, 0] == 0
    return log


def piles_of(question: CardQuestion, log: np.ndarray) -> list[list[str]]:
    """Both piles as they lay: cards leave them from the top."""
    piles: list[list[str]] = [[], []]
    for row in log.tolist():
        column = LogColumn.RESERVE if row[LogColumn.MOVE] == Move.TO_RESERVE else LogColumn.TOP
        if row[column] >= 0:
            side = row[LogColumn.SIDE]
            piles[side].append(question.armies[side].cards[row[column]].name)
    return piles


def assert_legal_and_complete(question: CardQuestion, log: np.ndarray) -> None:
    """The reference makes the same moves, none of which it refuses, to the end (A-1 to A-4)."""
    names = [[card.name for card in army.cards] for army in question.armies]
    piles = piles_of(question, log)
    for side in (0, 1):
        assert sorted(piles[side]) == sorted(names[side])  # every card once, and only once
    position = rules.beginning(piles, int(log[0, LogColumn.SIDE]))
    acted: list[str] = []
    reserves, refusals = [0, 0], [0, 0]
    for row in log.tolist():
        side, word = row[LogColumn.SIDE], WORDS[row[LogColumn.MOVE]]
        assert side == position.speaker
        assert rules.broken(position, word) == set(), (position, word)
        told, position = rules.told(position, word)
        cards = [row[c] for c in (LogColumn.RESERVE, LogColumn.TOP) if row[c] >= 0]
        assert tuple(names[side][card] for card in cards) == told.cards
        assert bool(row[LogColumn.HELD]) == bool(told.held)
        assert bool(row[LogColumn.USED]) != told.right
        assert row[LogColumn.REFUSALS] == told.refusals
        acted += () if word == "reserve" else told.cards
        reserves[side] += word == "reserve"
        refusals[side] += word == "refuse"
    assert position.speaker is None
    assert [hand.cards for hand in position.hands] == [0, 0]
    assert sorted(acted) == sorted(piles[0] + piles[1])
    assert max(reserves) <= 1
    sizes = list(map(len, piles))
    assert refusals[0] <= max(sizes[1] - sizes[0], 0)
    assert refusals[1] <= max(sizes[0] - sizes[1], 0)


def dealt_as(army: Army, pile: list[str]) -> Army:
    """The army with its cards listed as they lay."""
    policy = replace(army.policy, order="listed", speak="first")
    return replace(army, cards=tuple(army.cards[army.index(c, "")] for c in pile), policy=policy)


class PolicyContract:
    """What every policy for cards owes, whoever made it.

    A subclass says by ``questions`` which phases its policies are tried in.
    """

    def questions(self, policy):
        """Phases of the policy against others, on both sides."""
        raise NotImplementedError

    def test_no_illegal_move_and_every_card_once(self, policy):
        for trial, question in enumerate(self.questions(policy)):
            assert_legal_and_complete(question, told_log(question, trial))

    def test_the_same_trial_makes_the_same_moves(self, policy):
        for n, question in enumerate(self.questions(policy)):
            if n % 5 == 0:
                once = [told_log(question, trial).tolist() for trial in (3, 1, 2)]
                again = [told_log(question, trial).tolist() for trial in (1, 2, 3)]
                assert once == [again[2], again[0], again[1]]

    def test_a_phase_that_was_played_can_be_told_in_advance(self, policy):
        """As in the worked example: the moves written down, whole or in part, are played again."""
        for n, question in enumerate(self.questions(policy)):
            if n % 7:
                continue
            log = told_log(question, n)
            piles = piles_of(question, log)
            for part in (len(log), len(log) // 4):
                armies = []
                for side, own in enumerate(question.armies):
                    told = dealt_as(own, piles[side])
                    moves = log[log[:, LogColumn.SIDE] == side][:part, LogColumn.MOVE].tolist()
                    armies.append(replace(told, policy=replace(told.policy, moves=tuple(moves))))
                first = "AB"[log[0, LogColumn.SIDE]]
                written = CardQuestion(*armies, winner=first)
                again = told_log(written, n)
                assert_legal_and_complete(written, again)
                if part == len(log):
                    same = [c for c in LogColumn if c not in (LogColumn.TOP, LogColumn.RESERVE)]
                    assert again[:, same].tolist() == log[:, same].tolist()
                    assert piles_of(written, again) == piles


@pytest.mark.parametrize("policy", SHIPPED)
class TestShippedPolicies(PolicyContract):
    """Every policy that comes with the package, sizes 1 to 12 on both sides; half the pairs."""

    def questions(self, policy):
        own = load_card_policy(policy)
        for n, (a, b) in enumerate(np.ndindex(MOST, MOST)):
            if (a + b // 2 + len(policy)) % 2:
                continue
            enemy = load_card_policy(SHIPPED[n % len(SHIPPED)])
            pair = (own, enemy) if n % 2 else (enemy, own)
            armies = [army(side, size + 1, pair[side]) for side, size in enumerate((a, b))]
            yield CardQuestion(*armies, winner="AB"[n // 2 % 2])


def pseudo_random_plans(count: int) -> list[tuple[Player, Player]]:
    """Players that hypothesis makes, always the same."""
    found: list[tuple[Player, Player]] = []

    @given(card_players(most=MOST))
    @settings(max_examples=count, database=None, derandomize=True, deadline=None)
    def collect(players):
        found.append(players)

    collect()
    return found


MADE = pseudo_random_plans(60)


@pytest.mark.parametrize("policy", range(0, len(MADE), 20))
class TestMadePolicies(PolicyContract):
    """Any rules, conditions, chances and orders."""

    def questions(self, policy):
        for n, players in enumerate(MADE[policy : policy + 20]):
            yield CardQuestion(*map(army_of, players), winner="AB"[n % 2])


@given(card_players(most=6), st.sampled_from("AB"), st.integers(0, 2**40))
@settings(max_examples=60, deadline=None)
def test_any_policy_keeps_to_the_rules(players, winner, trial):
    question = CardQuestion(*map(army_of, players), winner=winner)
    assert_legal_and_complete(question, told_log(question, trial))


# --- what the shipped ones do ---------------------------------------------------------


def moves_of(a, b, sizes, winner="A") -> list[tuple[str, str]]:
    armies = [
        army(side, size, load_card_policy(name))
        for side, (size, name) in enumerate(zip(sizes, (a, b), strict=True))
    ]
    log = told_log(CardQuestion(*armies, winner=winner), 0)
    return [("AB"[row[LogColumn.SIDE]], WORDS[int(row[LogColumn.MOVE])]) for row in log]


def test_listed_plays_one_card_each_turn():
    assert moves_of("listed", "listed", (2, 3)) == [
        *(("A", "top"), ("B", "top")) * 2,
        ("B", "top"),
    ]


def test_cheap_refuses_as_long_as_it_can():
    assert moves_of("cheap", "listed", (1, 3))[::2] == [
        ("A", "refuse"),
        ("A", "refuse"),
        ("A", "top"),
    ]


def test_wait_speaks_second_refuses_and_keeps_its_dearest_card_for_the_end():
    told = moves_of("wait", "listed", (2, 3))
    assert told == [
        *(("B", "top"), ("A", "refuse")),
        *(("B", "top"), ("A", "reserve")),
        *(("B", "top"), ("A", "both")),
    ]


def test_policies_with_known_words():
    assert set(SHIPPED) == {"listed", "random", "cheap", "dear", "threat", "wait"}
    for name in SHIPPED:
        policy = load_card_policy(name)
        assert (policy.name, str(policy), policy.where) == (name, name, f'policy "{name}"')
        assert policy.title
        assert policy.order in ORDERS


# --- files ----------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path):
    def write(text: str, name: str = "mine.toml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


RULES = """
name = "mine"
order = "dear"
value = "threat"
speak = "second"
moves = ["reserve", "top"]

[[rules]]
do = "refuse"
when = ["lead < 0", "turn <= 2", "top=1", "not own acted a1"]
chance = 35

[[rules]]
do = "any"
when = ["acted b2", "Pile >= -1", "held > 0"]
"""


def test_a_file_says_what_a_plan_says(file):
    plan = Plan(
        "dear",
        "threat",
        "second",
        ("reserve", "top"),
        (
            rules.Rule("refuse", ("lead < 0", "turn <= 2", "top = 1", "not own acted a1"), 35),
            rules.Rule("any", ("acted b2", "pile >= -1", "held > 0")),
        ),
    )
    read = load_card_policy(file(RULES))
    assert replace(read, name="test", file="") == policy_of(plan)
    assert str(read) == read.where == read.file


@pytest.mark.parametrize(
    ("text", "feature", "least", "most"),
    [
        ("lead <= 0", "lead", -10_000, 0),
        ("lead < 0", "lead", -10_000, -1),
        ("LEAD>=-2", "lead", -2, 10_000),
        ("  turn  >  3 ", "turn", 4, 10_000),
        ("top = 1", "top", 1, 1),
    ],
)
def test_conditions(text, feature, least, most):
    assert Condition.parse(text, "") == Condition(feature, least, most)


@pytest.mark.parametrize(
    ("text", "value", "card", "own"),
    [
        ("acted Abel", 1, "Abel", False),
        ("not acted Cypher Lukhan", 0, "Cypher Lukhan", False),
        ("own acted Abel", 1, "Abel", True),
        ("not own acted Abel", 0, "Abel", True),
    ],
)
def test_conditions_about_cards(text, value, card, own):
    assert Condition.parse(text, "") == Condition("acted", value, value, card, own)


WRONG_FILES = [
    ('name = "x"\nordre = "dear"', 'unknown key "ordre"; nearest: order'),
    ('title = "x"', "has no name, which is needed"),
    ('name = ""', "name"),
    ('name = "x"\norder = "chea"', "order should be "),
    ('name = "x"\nvalue = "PAs"', "value should be "),
    ('name = "x"\nspeak = "third"', "speak should be "),
    ('name = "x"\nmoves = ["tob"]', 'moves, item 1: "tob" is no move; nearest: top'),
    ('name = "x"\nmoves = ["any"]', 'moves, item 1: "any" is no move'),
    ('name = "x"\nmoves = [3]', "moves: item 1"),
    (
        'name = "x"\n[[rules]]\ndo = "top"\nwhem = []',
        'rules: item 1: unknown key "whem"; nearest: when',
    ),
    ('name = "x"\n[[rules]]\nwhen = []', "has no do, which is needed"),
    ('name = "x"\n[[rules]]\ndo = "refus"', 'do = "refus" is no move; nearest: refuse'),
    ('name = "x"\n[[rules]]\ndo = "top"\nchance = 0', "chance should be at least"),
    ('name = "x"\n[[rules]]\ndo = "top"\nchance = 101', "chance should be at most"),
    ('name = "x"\n[[rules]]\ndo = "top"\nchance = 50.0', "chance should be "),
    ('name = "x"\n[[rules]]\ndo = "top"\nwhen = ["lead"]', '"lead" is no condition; write it like'),
    ('name = "x"\n[[rules]]\ndo = "top"\nwhen = ["lead ! 3"]', "is no condition"),
    ('name = "x"\n[[rules]]\ndo = "top"\nwhen = ["acted"]', "is no condition"),
    ('name = "x"\n[[rules]]\ndo = "top"\nwhen = ["laed < 3"]', 'nothing is called "laed"; nearest'),
    (
        'name = "x"\n[[rules]]\ndo = "top"\nwhen = ["turn=1","turn=2","turn=3","turn=4","turn=5"]',
        "when should have at most 4",
    ),
    ('name = "x"\n' + '[[rules]]\ndo = "top"\n' * 17, "rules should have at most 16"),
    (
        'name = "x"\n' + '[[rules]]\ndo = "top"\nchance = 5\n' * 5,
        "at most 4 rules may have a chance below 100",
    ),
    ('name = "x"\nmoves = [' + '"top",' * 65 + "]", "moves should have at most 64"),
    ('name = "x', "is not right TOML"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_FILES)
def test_wrong_files_are_refused_in_one_line_that_says_where(file, text, message):
    path = file(text)
    with pytest.raises(InputError) as caught:
        load_card_policy(path)
    assert str(caught.value).startswith(path)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_place_of_a_wrong_rule_is_told(file):
    path = file('name = "x"\n[[rules]]\ndo = "top"\n[[rules]]\ndo = "nothing"')
    with pytest.raises(InputError, match=r"rules 2: do"):
        load_card_policy(path)


def test_unknown_policies_and_files(tmp_path):
    with pytest.raises(InputError, match=r'"waite" is neither .* nearest: wait'):
        load_card_policy("waite")
    with pytest.raises(InputError, match="cannot be read"):
        load_card_policy(str(tmp_path / "none.toml"))


def test_a_relative_file_is_looked_for_beside_the_army(file, tmp_path):
    file('name = "mine"', "mine.toml")
    assert load_card_policy("mine.toml", tmp_path).name == "mine"


def test_moves_in_words():
    words = ["top", "reserve", "play-reserve", "both", "refuse"]
    assert parse_moves(words, "") == tuple(Move)


def test_a_policy_asked_for_replaces_the_file_s_with_its_moves():
    told = ask("griffon", "scorpion", policies=("A=listed", "b=random"), winner="A")
    assert [army.policy.name for army in told.armies] == ["listed", "random"]
    assert [army.policy.moves for army in told.armies] == [(), ()]
    both = with_policies(told.a, told.b, ("random",))
    assert [army.policy.name for army in both] == ["random", "random"]
    with pytest.raises(InputError, match="neither a policy for cards"):
        ask("griffon", "scorpion", policies=("A=no",))


# --- what a policy needs of the cards -------------------------------------------------


def bare(policy, **fields) -> Army:
    return Army("A", (Card("one", **fields), Card("two")), policy=policy, file="a.toml")


@pytest.mark.parametrize(
    ("name", "need"),
    [("cheap", "PA"), ("dear", "PA"), ("wait", "PA"), ("threat", "ATT and FOR")],
)
def test_values_that_an_order_needs(name, need):
    own, enemy = bare(load_card_policy(name)), bare(load_card_policy("listed"))
    with pytest.raises(InputError) as caught:
        exact_odds(CardQuestion(own, enemy, "A"))
    message = str(caught.value)
    assert message.startswith(f'a.toml: card "one": {need} not known')
    assert f'policy "{name}"' in message
    assert "\n" not in message


def test_ranks_need_a_value_even_without_an_order():
    ranked = replace(load_card_policy("listed"), rules=(Rule(Move.TOP, (Condition("top", 1, 1),)),))
    enemy = bare(load_card_policy("listed"))
    with pytest.raises(InputError, match=r'card "two": PA not known'):
        exact_odds(CardQuestion(bare(ranked, PA=3), enemy, "A"))


@pytest.mark.parametrize(("own", "side"), [(True, "A"), (False, "B")])
def test_a_condition_about_a_card_that_nobody_has(own, side):
    acted = Condition("acted", 1, 1, "three", own)
    policy = replace(load_card_policy("listed"), rules=(Rule(Move.TOP, (acted,)),), file="p.toml")
    enemy = replace(bare(load_card_policy("listed")), name="B")
    with pytest.raises(InputError, match=rf'p.toml: {side} has no card "three"; known: one, two'):
        exact_odds(CardQuestion(bare(policy), enemy, "A"))


@pytest.mark.parametrize(
    ("moves", "number", "clause"),
    [
        (("refuse",), 1, "A-3.1"),
        (("top", "both"), 2, "A-2.3"),
        (("play-reserve",), 1, "A-2.3"),
        (("reserve", "reserve"), 2, "A-2.2"),
        (("reserve", "top", "top"), 3, "A-2.1"),
    ],
)
@pytest.mark.parametrize("odds", ["exact", "counted", "told"])
def test_an_illegal_move_told_in_advance_cites_its_clause(moves, number, clause, odds):
    told = replace(load_card_policy("listed"), moves=parse_moves(moves, ""))
    question = CardQuestion(bare(told), bare(load_card_policy("listed")), "A")
    ask_for = {
        "exact": exact_odds,
        "counted": lambda asked: counted_odds(asked, Method("mc", 10, 1)),
        "told": lambda asked: transcript(asked, seed=1),
    }
    with pytest.raises(InputError) as caught:
        ask_for[odds](question)
    message = str(caught.value)
    assert message.startswith(f'a.toml: moves, item {number}: "{moves[number - 1]}" is not legal')
    assert clause in message
    assert "\n" not in message


def test_best_play_is_not_sampled():
    question = ask("griffon", "scorpion", policies=("A=optimal",), winner="A")
    with pytest.raises(InputError, match="policy optimal"):
        counted_odds(question, Method("mc", 10, 1))
