"""The activation phase move by move: H7 of the handout, the worked example, every sequence."""

import re
from pathlib import Path

import numpy as np
import pytest
from card_phase import Phase, start
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import card_name

from estoc.kernels.layout.cards import LogColumn
from estoc.kernels.phases import card_trials
from estoc.profiles import InputError, load_edition
from estoc.profiles.armies.army import Army, Card, load_army
from estoc.profiles.compile.cards import compile_phase
from estoc.sim.phases.card_question import CardQuestion, ask
from estoc.sim.phases.card_state import count_sequences
from estoc.sim.phases.cards import transcript
from reference import cards as rules
from reference.cards import MOVES

GOLDEN = Path(__file__).parents[2] / "golden" / "cards-worked-example.txt"
EDITION = load_edition("conffede")
REFUSAL_ALONE = EDITION.with_rule("cards.refusal_alone=true")
WRITTEN = ["refuse", "top", "reserve", "reserve", "top", "top", "both", "top", "top", "both"]  # H7
CLAUSE = re.compile(r"[AT]-\d\.\d")


def names(side: int, size: int) -> list[str]:
    return [card_name(side, n + 1) for n in range(size)]


def army(side: int, size: int) -> Army:
    return Army("AB"[side], tuple(map(Card, names(side, size))))


def phase(own: int, enemy: int, first: str = "A", edition=EDITION) -> Phase:
    return Phase(army(0, own), army(1, enemy), first, edition)


def beginning(own: int, enemy: int, first: int = 0, **changes) -> rules.Position:
    return rules.beginning([names(0, own), names(1, enemy)], first, **changes)


def walk(own: int, enemy: int, moves, first: str = "A") -> Phase:
    walked = phase(own, enemy, first)
    for move in moves:
        walked.play(move)
    return walked


def walked_sequences(own: int, enemy: int, edition=EDITION) -> list[tuple[str, ...]]:
    """Every complete sequence that `Phase` lets a person play, by what it says is legal."""
    found, open_ended = [], [()]
    while open_ended:
        moves = open_ended.pop()
        walked = phase(own, enemy, "A", edition)
        for move in moves:
            walked.play(move)
        if walked.speaker is None:
            found.append(moves)
        open_ended += [(*moves, move) for move in walked.legal()]
    return found


# --- H7 -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "enemy", "refusals"),
    [(6, 11, (5, 0)), (11, 6, (0, 5)), (4, 5, (1, 0)), (7, 7, (0, 0)), (1, 32, (31, 0))],
)
def test_h7_refusals(own, enemy, refusals):
    asked = CardQuestion(army(0, own), army(1, enemy), "A")
    started = phase(own, enemy)
    assert asked.refusals() == refusals
    assert (started.refusals("A"), started.refusals("B")) == refusals
    assert tuple(hand.refusals for hand in beginning(own, enemy).hands) == refusals


@pytest.mark.parametrize("first", ["A", "B"])
def test_h7_complete_sequence(first):
    sizes = (4, 5) if first == "A" else (5, 4)
    played = walk(*sizes, WRITTEN, first)
    assert played.speaker is None
    assert played.legal() == []
    sides = [told.side for told in played.turns]
    assert sides == [first, "AB"[first == "A"]] * 5
    assert sum(len(told.acting) for told in played.turns) == 9
    position = beginning(*sizes, "AB".index(first))
    for told in played.turns:
        row, position = rules.told(position, told.move)
        assert (told.plays, told.reserve) == rules.in_words(row)
        assert told.acting == (() if told.move == "reserve" else row.cards)
        assert told.refusals == row.refusals
    assert position.speaker is None


@pytest.mark.parametrize(
    ("moves", "wrong", "clause"),
    [
        # "a second reserve": by either player, held or played in between
        (WRITTEN[:4], "reserve", "A-2.2"),
        (WRITTEN[:5], "reserve", "A-2.2"),
        (WRITTEN[:8], "reserve", "A-2.2"),
        # "a second refusal"; the larger side has none
        (WRITTEN[:2], "refuse", "A-3.1"),
        (WRITTEN[:1], "refuse", "A-3.1"),
        # "two top cards": both is the reserve and the top, once
        ([], "both", "A-2.3"),
        (WRITTEN[:8], "both", "A-2.3"),
        ([], "play-reserve", "A-2.3"),
        # no card in the pile, none at all
        (["reserve", *["top"] * 7], "top", "A-2.1"),
        (WRITTEN, "top", "A-4.1"),
    ],
)
def test_h7_illegal_moves(moves, wrong, clause):
    played = walk(4, 5, moves)
    speaker, told = played.speaker, list(played.turns)
    legal = played.legal()
    assert wrong not in legal
    with pytest.raises(InputError) as caught:
        played.play(wrong)
    message = str(caught.value)
    assert clause in message
    assert "\n" not in message
    assert all(move in message for move in legal)
    if legal:
        assert f"speaking turn {len(moves) + 1}" in message
    # nothing has happened
    assert (played.speaker, played.turns, played.legal()) == (speaker, told, legal)


def test_unknown_moves_and_speakers_are_refused():
    with pytest.raises(InputError, match='"refuze" is no move; nearest: refuse'):
        phase(2, 2).play("refuze")
    with pytest.raises(InputError, match="should be A or B"):
        Phase(army(0, 1), army(1, 1), first="C")


H7_COUNTS = {(1, 1): 4, (1, 2): 25, (2, 2): 25, (2, 3): 180, (3, 3): 100, (4, 5): 2470}


@pytest.mark.parametrize(("sizes", "count"), H7_COUNTS.items())
def test_h7_counts(sizes, count):
    assert count_sequences(*sizes) == count
    assert rules.count_sequences(*sizes) == count
    assert len(set(rules.sequences(beginning(*sizes)))) == count


@pytest.mark.parametrize(("sizes", "count"), [((1, 2), 2), ((2, 3), 3), ((4, 5), 5)])
def test_h7_counts_without_reserve(sizes, count):
    assert count_sequences(*sizes, reserve=False) == count
    assert rules.count_sequences(*sizes, reserve=False) == count
    start = beginning(*sizes, no_reserve=(True, True))
    assert len(set(rules.sequences(start))) == count


@pytest.mark.parametrize("sizes", [(1, 1), (1, 2), (2, 1), (2, 2), (1, 3)])
def test_counts_by_walking(sizes):
    found = walked_sequences(*sizes)
    assert len(found) == len(set(found)) == count_sequences(*sizes)
    assert set(found) == set(rules.sequences(beginning(*sizes)))


SIZES = [(a, b) for a in range(6) for b in range(6) if a + b <= 9]


@pytest.mark.parametrize("reserve", [True, False])
def test_more_counts(reserve):
    for sizes in SIZES:
        expected = rules.count_sequences(*sizes, reserve=reserve)
        assert count_sequences(*sizes, reserve=reserve) == expected, sizes


def test_equal_sizes_alternate_in_as_many_ways_as_the_squares():
    """Without refusals only the reserve matters: what each does apart, multiplied.

    (1, 1) 2², (2, 2) 5², (3, 3) 10²: a player's own sequences do not hang on the enemy's.
    """
    for size in range(1, 9):
        own = len(set(rules.sequences(beginning(size, 0))))
        assert own == size**2 + 1  # where to put in reserve, and when to play it, or never
        assert count_sequences(size, size) == own**2


@pytest.mark.parametrize("sizes", [(-1, 2), (33, 1), (2, 33)])
def test_sizes_that_no_side_has(sizes):
    with pytest.raises(InputError, match="0 to 32 cards"):
        count_sequences(*sizes)


# --- the worked example ---------------------------------------------------------------


def golden() -> list[str]:
    return GOLDEN.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("seed", [0, 7])
def test_golden_transcript_of_the_worked_example(seed):
    """Griffon wins the Tactics roll and lets Scorpion speak first; no chance is left."""
    told = transcript(ask("griffon", "scorpion", winner="A"), seed=seed)
    rows = [f"{r['turn']} | {r['player']} | {r['plays']} | {r['reserve']}" for r in told]
    assert rows == golden()


def test_the_worked_example_with_the_sides_changed():
    told = transcript(ask("scorpion", "griffon", winner="B"), seed=1)
    rows = [f"{r['turn']} | {r['player']} | {r['plays']} | {r['reserve']}" for r in told]
    assert rows == golden()


def test_the_worked_example_by_hand_and_by_the_reference():
    griffon, scorpion = load_army("griffon"), load_army("scorpion")
    played = Phase(griffon, scorpion, first="B")
    piles = [[card.name for card in army.cards] for army in (griffon, scorpion)]
    position = rules.beginning(piles, 1)
    assert (played.refusals("A"), played.refusals("B")) == (0, 1)
    moves = ["refuse", "top", "reserve", "reserve", "top", "top", "both", "top", "top", "both"]
    by_hand, by_reference = [], []
    for turn, move in enumerate(moves, 1):
        told = played.play(move)
        row, position = rules.told(position, move)
        plays, reserve = rules.in_words(row)
        by_hand.append(
            f"{turn} | {('Griffon', 'Scorpion')['AB'.index(told.side)]} | {told.plays} | "
            f"{told.reserve}"
        )
        by_reference.append(f"{turn} | {('Griffon', 'Scorpion')[row.side]} | {plays} | {reserve}")
    assert by_hand == by_reference == golden()
    assert played.speaker is position.speaker is None


# --- properties of every phase --------------------------------------------------------


class Walker:
    """`Phase` and the reference side by side, move by move."""

    def __init__(self, own: int, enemy: int, first: int, refusal_alone: bool = False):
        edition = REFUSAL_ALONE if refusal_alone else EDITION
        self.phase = phase(own, enemy, "AB"[first], edition)
        self.position = beginning(own, enemy, first, refusal_alone=refusal_alone)
        self.rows: list[rules.Told] = []

    def check(self) -> None:
        """Who speaks and which moves are legal; the others cite a clause that they break."""
        speaker = self.position.speaker
        assert self.phase.speaker == (None if speaker is None else "AB"[speaker])
        assert self.phase.legal() == (rules.legal(self.position) if speaker is not None else [])
        for move in MOVES:
            wrong = rules.broken(self.position, move)
            if wrong:
                with pytest.raises(InputError) as caught:
                    self.phase.play(move)
                assert set(CLAUSE.findall(str(caught.value))) & wrong, (move, wrong, caught.value)

    def move(self, move: str) -> None:
        told = self.phase.play(move)
        row, self.position = rules.told(self.position, move)
        self.rows.append(row)
        assert (told.turn, told.side, told.move) == (len(self.rows), "AB"[row.side], move)
        assert (told.plays, told.reserve) == rules.in_words(row)
        assert told.acting == (() if move == "reserve" else row.cards)
        assert self.phase.refusals("AB"[row.side]) == told.refusals == row.refusals


@given(
    st.integers(1, 7),
    st.integers(1, 7),
    st.integers(0, 1),
    st.booleans(),
    st.lists(st.integers(0, 119), max_size=40),
)
@settings(max_examples=60, deadline=None)
@example(1, 7, 0, False, [4] * 8)
@example(3, 3, 1, False, [1] * 10)
def test_any_play_keeps_to_the_rules(own, enemy, first, refusal_alone, choices):
    walker = Walker(own, enemy, first, refusal_alone)
    choices = iter(choices)
    while walker.phase.speaker is not None:
        walker.check()
        legal = walker.phase.legal()
        walker.move(legal[next(choices, 0) % len(legal)])
    walker.check()
    assert_complete(walker.rows, (own, enemy), first, refusal_alone)


def assert_complete(rows, sizes, first, refusal_alone=False):
    """What is true of every complete phase (A-1 to A-4), said without the state machine."""
    left = list(sizes)
    for n, row in enumerate(rows):
        acting = () if row.move == "reserve" else row.cards
        # alternation while both have cards; then one goes on alone
        if all(left):
            assert row.side == (first if n == 0 else 1 - rows[n - 1].side)
        else:
            assert left[row.side] > 0
            assert row.move != "refuse" or refusal_alone
        # never two cards of the pile: at most one, and at most two in all
        assert len(acting) == {"top": 1, "play-reserve": 1, "both": 2}.get(row.move, 0)
        left[row.side] -= len(acting)
    assert left == [0, 0]
    for side in (0, 1):
        own = [row for row in rows if row.side == side]
        played = [card for row in own if row.move != "reserve" for card in row.cards]
        assert sorted(played) == sorted(names(side, sizes[side]))  # each exactly once
        assert sum(row.move == "reserve" for row in own) <= 1
        used = sum(row.move == "refuse" for row in own)
        assert used <= max(sizes[1 - side] - sizes[side], 0)
        assert own[-1].held == 0
        waited = [row for row in own if row.move == "reserve"]
        back = [row for row in own if row.move in ("play-reserve", "both")]
        assert [row.cards[0] for row in waited] == [row.cards[0] for row in back]
        # the pile's order is kept but for the card in reserve
        held = {row.cards[0] for row in waited}
        assert [c for c in played if c not in held] == [
            c for c in names(side, sizes[side]) if c not in held
        ]


def test_one_goes_on_alone_under_the_same_rules():
    """A-4.2: three cards left, one of them may be put in reserve and played with the next."""
    played = walk(1, 4, ["top", "top"])
    assert played.speaker == "B"
    assert played.legal() == ["top", "reserve"]
    told = [played.play(move) for move in ("reserve", "both", "top")]
    assert [t.side for t in told] == ["B"] * 3
    assert [t.acting for t in told] == [(), ("b2", "b3"), ("b4",)]
    assert played.speaker is None


@pytest.mark.parametrize(("edition", "may"), [(EDITION, False), (REFUSAL_ALONE, True)])
def test_a_refusal_alone_is_an_edition_s_affair(edition, may):
    """A refuses never, B throws two cards at once and has none left before A (A-4.2)."""
    played = phase(2, 3, "B", edition)
    for move in ("reserve", "top", "both", "reserve", "top"):
        played.play(move)
    assert (played.speaker, played.refusals("A")) == ("A", 1)
    assert ("refuse" in played.legal()) == may
    if may:
        assert played.play("refuse").refusals == 0
        assert played.speaker == "A"  # nobody else has a card
        assert played.legal() == ["play-reserve"]
    else:
        with pytest.raises(InputError, match=r"A-4\.2"):
            played.play("refuse")


def test_cards_of_the_dead_are_played_without_effect():
    """A-1.2: fighters that die in this phase leave their card where it is."""
    played = phase(2, 2)
    played.play("reserve")
    played.eliminate("A", "a1")  # in reserve
    played.eliminate("B", "b2")  # in the pile
    assert (played.refusals("A"), played.refusals("B")) == (0, 0)  # fixed
    assert played.play("top").acting == ("b1",)
    told = played.play("both")
    assert told.acting == ("a2",)
    assert "a1" in told.plays
    assert "without effect" in told.plays
    last = played.play("top")
    assert last.acting == ()
    assert "b2" in last.plays
    assert "without effect" in last.plays
    assert played.speaker is None


def test_the_dead_change_no_move_that_is_legal():
    alive, dead = Walker(3, 4, 0), Walker(3, 4, 0)
    for side, card in (("A", "a1"), ("A", "a2"), ("A", "a3"), ("B", "b1")):
        dead.phase.eliminate(side, card)
    for move in ["reserve", "top", "refuse", "top", "both", "reserve", "top", "both"]:
        assert dead.phase.legal() == alive.phase.legal()
        alive.move(move)
        assert dead.phase.play(move).reserve == alive.phase.turns[-1].reserve
    assert dead.phase.speaker is alive.phase.speaker is None
    assert [c for told in dead.phase.turns for c in told.acting] == ["b2", "b3", "b4"]


def test_eliminating_a_card_that_nobody_has():
    with pytest.raises(InputError, match='has no card "zz"'):
        phase(2, 2).eliminate("A", "zz")


# --- cards whose fighters died in earlier turns ---------------------------------------


@given(st.integers(1, 6), st.integers(1, 6), st.data())
@settings(max_examples=40, deadline=None)
def test_cards_of_those_who_died_earlier_are_left_out(own, enemy, data):
    """A-1.2, and the refusals are those of the cards that remain (consequence of T-5)."""
    present = [data.draw(st.sets(st.integers(0, size - 1), min_size=1)) for size in (own, enemy)]
    phases = compile_phase(army(0, own), army(1, enemy), EDITION, "A")
    phases["present"] = [[sum(1 << card for card in cards) for cards in present]]
    piles = [
        [name for n, name in enumerate(names(side, size)) if n in present[side]]
        for side, size in enumerate((own, enemy))
    ]
    log = card_trials.tell_phase(phases, 0)
    position = rules.beginning(piles, 0)
    assert phases["size"][0].tolist() == [len(pile) for pile in piles]
    for row in log:
        told, position = rules.told(position, "top")
        assert row[LogColumn.SIDE] == told.side
        assert names(told.side, 6)[row[LogColumn.TOP]] == told.cards[0]
        assert row[LogColumn.REFUSALS] == told.refusals
    assert position.speaker is None
    assert np.bitwise_count(phases["acted"][0].astype(np.uint64)).tolist() == list(map(len, piles))


def test_losing_a_card_changes_the_refusals_of_the_next_turn():
    """4 against 4; without one of its cards A has one refusal, without two it has two."""
    phases = compile_phase(army(0, 4), army(1, 4), EDITION, "A")
    for mask, refusals in ((0b1111, [0, 0]), (0b1011, [1, 0]), (0b1000, [3, 0])):
        phases["present"][0, 0] = mask
        start(phases, 0)
        assert phases["refusals"][0].tolist() == refusals
    phases["present"][0] = 0b1000, 0b0110
    start(phases, 0)
    assert phases["refusals"][0].tolist() == [1, 0]
