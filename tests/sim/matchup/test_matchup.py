"""Matchups: scores by pairs, mixtures, rings, ratings, losses, early ends; battles made by hand."""

import math
import sys
import warnings
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, permutations, product
from types import SimpleNamespace

import nashpy
import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from running import DATA

from estoc.kernels.layout.battle import BATTLE, ENDS, End
from estoc.profiles import InputError
from estoc.profiles.armies.army import Army, Card
from estoc.sim.base.options import Options
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Method, Run
from estoc.sim.base.sequence import CAP, PRECISION, STOPPED, looks, proportion_sequence
from estoc.sim.base.stats import quantile
from estoc.sim.matchup import play as matchup_play
from estoc.sim.matchup import rows as matchup_rows
from estoc.sim.matchup.cycles import rings
from estoc.sim.matchup.entrants import Entrant, entrants_of, find_entrant, policies_of
from estoc.sim.matchup.matchup import answer
from estoc.sim.matchup.mix import best_mix
from estoc.sim.matchup.plan import DROPPED, Plan, dropped, plan_of
from estoc.sim.matchup.play import STEPS, Meeting, Played, play
from estoc.sim.matchup.question import MatchupQuestion, ask_matchup
from estoc.sim.matchup.rating import TENFOLD, bradley_terry
from estoc.sim.matchup.rows import NO_RATING
from estoc.sim.matchup.scores import Scores, score_of

PAIR_SCORES = np.arange(STEPS) / (STEPS - 1)
FIGHTERS, PA, TURNS = 3, 10, 4
DRAWS, ADVANTAGE = 0.1, 0.05  # of any battle; of side A
ROUND = np.array([[0.5, 0.7, 0.3], [0.3, 0.5, 0.7], [0.7, 0.3, 0.5]])  # each beats the next one


# --- battles made by hand -----------------------------------------------------------------


@dataclass(frozen=True)
class Made(MatchupQuestion):
    """Entrants of whom it is known how often one beats another."""

    odds: tuple[tuple[float, ...], ...] = ()

    def __post_init__(self) -> None:
        """There is nothing to muster."""

    def battle(self, one: int, other: int) -> SimpleNamespace:
        def compiled(seed: int, cell: int) -> np.ndarray:
            record = np.zeros(1, BATTLE)
            record["n"], record["turns"], record["cell"] = one, other, cell
            record["seed"], record["margin"] = seed, round(1000 * self.odds[one][other])
            return record

        return SimpleNamespace(compiled=compiled)

    inputs, assumed, readings = "made", (), ()

    def remarks(self) -> tuple[str, ...]:
        return ()


def ends_by_hand(record: np.ndarray, first: int, trials: int) -> np.ndarray:
    """Play with dice that hang on seed, cell and trial only, whoever is on which side."""
    battle, found = record[0], np.zeros((trials, ENDS), np.int64)
    key = np.array([battle["seed"], battle["cell"]], np.uint64)
    dice = np.random.Generator(np.random.Philox(key=key).advance(first)).random((trials, 4))
    losses = (dice[:, 2:] * (FIGHTERS + 1)).astype(np.int64)
    found[:, [End.LOST_A, End.LOST_B]] = losses
    found[:, [End.POINTS_A, End.POINTS_B]] = PA * losses
    odds = battle["margin"] / 1000 + ADVANTAGE
    found[:, End.WINNER] = np.where(dice[:, 0] < DRAWS, 2, dice[:, 1] >= odds)
    found[:, End.TURN] = 1 + losses.sum(axis=1) % TURNS
    return found


@pytest.fixture
def by_hand(monkeypatch):
    monkeypatch.setattr(matchup_play, "battle_ends", ends_by_hand)
    monkeypatch.setattr(matchup_rows, "best_mix", partial(best_mix, resamples=20))


def made(odds, lists=None, policies=("aggressive",)):
    """Return a question about entrants who beat each other so often."""
    names = lists or [chr(ord("p") + i) for i in range(len(odds) // len(policies))]
    entrants = [
        Entrant(name if len(policies) == 1 else f"{name}/{policy}", name, army_of(name), policy)
        for name in names
        for policy in policies
    ]
    field = SimpleNamespace(name="Meadow", file="meadow.toml", turns=TURNS)
    return Made(tuple(entrants), field, Options(), tuple(map(tuple, odds)))


def army_of(name):
    return Army(name, (Card("Someone", FIGHTERS, None, PA),), file=f"{name}.toml")


def rows_of(result, section, **cells):
    wanted = {"section": section, **cells}
    return [row for row in result if wanted.items() <= row.items()]


def meeting_of(pairs):
    """Return a meeting by its pairs of battles alone."""
    found = Meeting.none((FIGHTERS, FIGHTERS), (0, 0))
    pairs = np.asarray(pairs, np.int64)
    drawn = pairs[1] + pairs[3]  # any outcome with these points: a win and a loss are a pair of 1
    wins = pairs[2] + pairs[3] + 2 * pairs[4]
    outcome = np.array([wins, drawn, 2 * pairs.sum() - wins - drawn])
    return replace(found, pairs=pairs, outcome=outcome)


def played_of(pairs):
    """Return a matchup by the pairs of each meeting, of X below Y."""
    return Played({cell: meeting_of(counts) for cell, counts in pairs.items()})


# --- battles and scores -------------------------------------------------------------------


def test_columns_add_up(by_hand):
    question = made(ROUND.repeat(2, 0).repeat(2, 1), policies=("aggressive", "random"))
    result = answer(question, Plan("mc", 60, 4))
    assert len(rows_of(result, "score")) == 36
    rows = [row for row in rows_of(result, "score") if row["entrant"] != row["other"]]
    for row in [
        *rows,
        *rows_of(result, "field"),
        *rows_of(result, "list"),
        *rows_of(result, "policy"),
    ]:
        pairs = [row[key] for key in row if key.startswith("pairs_")]
        assert row["wins"] + row["draws"] + row["losses"] == row["trials"] == 2 * sum(pairs)
        assert 2 * row["wins"] + row["draws"] == np.dot(pairs, range(STEPS))
        assert row["score"] == pytest.approx((row["wins"] + row["draws"] / 2) / row["trials"])
        assert 0 <= row["score_low"] <= row["score"] <= row["score_high"] <= 1
    for row in rows:
        assert row["trials"] == 60
        (back,) = rows_of(result, "score", entrant=row["other"], other=row["entrant"])
        for key, other in (("wins", "losses"), ("draws", "draws"), ("pairs_0", "pairs_2")):
            assert row[key] == back[other]
        assert row["score"] == pytest.approx(1 - back["score"])
        assert row["score_low"] == pytest.approx(1 - back["score_high"])


def test_against_the_field_is_against_all_that_are_not_one_s_own(by_hand):
    question = made(ROUND.repeat(2, 0).repeat(2, 1), policies=("aggressive", "random"))
    result = answer(question, Plan("mc", 20, 4))
    scores = rows_of(result, "score")

    def won(outside, **own):
        return sum(
            row["wins"]
            for row in scores
            if own.items() <= row.items() and row[f"other_{outside}"] != row[outside]
        )

    for row in rows_of(result, "field"):
        others = [r for r in scores if r["entrant"] == row["entrant"] != r["other"]]
        assert row["wins"] == sum(r["wins"] for r in others)
        assert row["score"] == pytest.approx(np.mean([r["score"] for r in others]))
    assert [row["list"] for row in rows_of(result, "list")] == ["p", "q", "r"]
    for row in rows_of(result, "list"):
        assert row["wins"] == won("list", list=row["list"])
    for row in rows_of(result, "policy"):
        assert row["wins"] == won("plays", plays=row["plays"])


def test_an_entrant_against_itself_is_even(by_hand):
    done = []
    result = answer(made(ROUND), Plan("mc", 80, 4), Run(progress=done.append))
    assert sum(done) == 3 * 80
    for name in "pqr":
        (row,) = rows_of(result, "score", entrant=name, other=name)
        assert (row["score"], row["score_low"], row["score_high"]) == (0.5, 0.5, 0.5)
        counts = [key for key in row if key.startswith("pairs")]
        counts += ["trials", "wins", "draws", "losses", "ended"]
        assert all(row[key] is None for key in counts)
        assert not row["shown"]
    lines = plain_text(result, 80).splitlines()
    (own,) = [line.split() for line in lines if line.split()[:2] == ["2", "q"]][:1]
    assert own[3] == "50"
    assert "against itself: not played, 50 by symmetry" in lines


@pytest.mark.parametrize(
    "plan",
    [Plan("mc", 500, 9), Plan("mc", 4_000, 9, precision=0.07), Plan("mc", 2_000, 9, drop=True)],
)
def test_neither_threads_nor_chunks_nor_order_change_the_counts(by_hand, plan):
    odds = np.array([[0.5, 0.7, 0.9], [0.3, 0.5, 0.9], [0.1, 0.1, 0.5]])
    question = made(odds)
    judge = plan.judge(3)
    first = play(question, judge, Method("mc", seed=9), Run(threads=1))
    assert first.whole
    for threads, chunk in ((2, 100), (1, 7), (3, 1_000)):
        again = play(question, judge, Method("mc", seed=9), Run(threads=threads, chunk=chunk))
        assert again.ends == first.ends
        assert again.dropped == first.dropped
        for cell, meeting in first.meetings.items():
            assert_same(again.meetings[cell], meeting)
    turned = play(made(odds[::-1, ::-1], lists=["r", "q", "p"]), judge, Method("mc", seed=9))
    for x, y in permutations(range(3), 2):
        assert_same(turned.seen_by(2 - x, 2 - y), first.seen_by(x, y))


def assert_same(one, other):
    assert np.array_equal(one.pairs, other.pairs)
    assert np.array_equal(one.outcome, other.outcome)
    for k in range(2):
        assert np.array_equal(one.fighters[k], other.fighters[k])
        assert np.array_equal(one.points[k], other.points[k])


def test_another_entrant_changes_no_meeting_of_the_others(by_hand):
    few = play(made(ROUND[:2, :2]), Plan("mc", 40, 9).judge(2), Method("mc", seed=9))
    many = play(made(ROUND), Plan("mc", 40, 9).judge(3), Method("mc", seed=9))
    assert_same(few.meetings[0, 1], many.meetings[0, 1])


def test_both_battles_of_a_pair_have_the_same_dice(by_hand):
    # even entrants: side A wins a little more often, and that is all that the dice decide
    plan = Plan("mc", 400, 3)
    found = play(made(np.full((2, 2), 0.5)), plan.judge(2), plan).meetings[0, 1]
    assert found.pairs[0] + found.pairs[1] + found.pairs[3] == 0
    assert found.pairs[2] + found.pairs[4] == 200


def test_losses_add_up(by_hand):
    result = answer(made(ROUND), Plan("mc", 60, 4))
    for one, other in product("pqr", repeat=2):
        for what in ("fighters lost", "points lost"):
            rows = rows_of(result, "loss", entrant=one, other=other, what=what)
            if one == other:
                assert rows == []
                continue
            assert sum(row["count"] for row in rows) == 60
            numbers = [row["number"] for row in rows]
            assert numbers == sorted(set(numbers))
            for k, row in enumerate(rows):
                assert row["count_at_least"] == sum(later["count"] for later in rows[k:])
                assert row["p_low"] <= row["p"] == row["count"] / 60 <= row["p_high"]
    for row in rows_of(result, "loss", what="points lost"):
        cells = {"entrant": row["entrant"], "other": row["other"], "number": row["number"] // PA}
        (fighters,) = rows_of(result, "loss", what="fighters lost", **cells)
        assert fighters["count"] == row["count"]


def test_each_battle_ends_in_a_turn(by_hand):
    result = answer(made(ROUND), Plan("mc", 60, 4))
    for one, other in ("pq", "pr", "qr"):
        rows = rows_of(result, "round", entrant=one, other=other)
        assert [row["turn"] for row in rows] == [1, 2, 3, 4]
        assert sum(row["count"] for row in rows) == 60 == rows[0]["trials"]
        for row in rows:
            assert row["p_low"] <= row["p"] == row["count"] / 60 <= row["p_high"]
    # X loses a fighters and Y b: the turn is known of their sum
    meeting = play(made(ROUND), Plan("mc", 60, 4).judge(3), Method("mc", seed=4)).meetings[0, 1]
    assert meeting.lasted[0] == 0
    assert meeting.mirrored.lasted.tolist() == meeting.lasted.tolist()


def test_losses_are_each_side_s_own(monkeypatch):
    # side A always loses two fighters, side B none
    def one_sided(record, first, trials):
        found = np.zeros((trials, ENDS), np.int64)
        found[:, End.LOST_A], found[:, End.POINTS_A] = 2, 2 * PA
        if record[0]["n"] == 1:  # q on side A
            found[:, End.LOST_A], found[:, End.POINTS_A] = 3, 3 * PA
        return found

    monkeypatch.setattr(matchup_play, "battle_ends", one_sided)
    meeting = play(made(ROUND[:2, :2]), Plan("mc", 20, 4).judge(2), Method("mc", seed=4)).meetings[
        0, 1
    ]
    assert meeting.fighters[0].tolist() == [10, 0, 10, 0]
    assert meeting.fighters[1].tolist() == [10, 0, 0, 10]
    assert np.flatnonzero(meeting.points[1]).tolist() == [0, 3 * PA]


# --- intervals ----------------------------------------------------------------------------

LAWS = {
    "even": [0.2, 0.1, 0.4, 0.1, 0.2],
    "sides decide": [0.01, 0.0, 0.98, 0.0, 0.01],
    "nearly always won": [0.0, 0.0, 0.01, 0.02, 0.97],
    "often won": [0.05, 0.05, 0.3, 0.1, 0.5],
}


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
@pytest.mark.parametrize("pairs", [50, 500])
def test_intervals_cover(law, pairs):
    random = np.random.default_rng(5)
    truth, runs = np.dot(law, PAIR_SCORES), 1_000
    covered = 0
    for counts in random.multinomial(pairs, law, runs):
        found = Scores(played_of({(0, 1): counts}), 2).against(0, 1)
        covered += found.low <= truth <= found.high
    # four standard errors below the level, and a point for small samples
    assert covered / runs >= 0.95 - 0.01 - 4 * math.sqrt(0.95 * 0.05 / runs)


def test_intervals_against_the_field_cover():
    random, runs = np.random.default_rng(6), 1_000
    laws = list(LAWS.values())[:3]
    truth = np.mean([np.dot(law, PAIR_SCORES) for law in laws])
    covered = 0
    for _ in range(runs):
        pairs = {(0, y): random.multinomial(80, law) for y, law in enumerate(laws, 1)}
        others = {(x, y): [0, 0, 1, 0, 0] for x in (1, 2) for y in range(x + 1, 4)}
        found = Scores(played_of(pairs | others), 4).field(0)
        covered += found.low <= truth <= found.high
    assert 0.92 <= covered / runs <= 0.985


def runs_at_looks(law, most, random):
    """Return the pairs by points after each look."""
    numbers = list(looks(most))
    steps = np.diff([0, *numbers])
    return np.cumsum([random.multinomial(step, law) for step in steps], axis=0)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_intervals_with_looks_cover_at_all_of_them(law):
    random, runs = np.random.default_rng(7), 200
    truth = np.dot(law, PAIR_SCORES)
    missed = 0
    for _ in range(runs):
        found = [
            Scores(played_of({(0, 1): counts}), 2, 1_000.0).against(0, 1)
            for counts in runs_at_looks(law, 2_000, random)
        ]
        missed += any(not interval.low <= truth <= interval.high for interval in found)
    assert missed / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


def test_the_precision_ends_meetings(by_hand):
    plan = Plan("mc", 20_000, 5, precision=0.05)
    odds = np.array([[0.5, 0.97], [0.03, 0.5]])
    result = answer(made(odds), plan)
    (row,) = rows_of(result, "score", entrant="p", other="q")
    assert row["ended"] == PRECISION
    assert row["trials"] // 2 in looks(plan.pairs)
    assert row["trials"] < plan.trials
    assert (row["score_high"] - row["score_low"]) / 2 <= 0.05
    assert any("by the precision of 0.05" in note for note in result.notes)
    capped = answer(made(odds), Plan("mc", 600, 5, precision=0.001))
    (row,) = rows_of(capped, "score", entrant="p", other="q")
    assert (row["ended"], row["trials"]) == (CAP, 600)


def test_what_is_made_of_scores_is_as_wide_as_they_are(by_hand):
    """Mixes, ratings and losses after looks: with the intervals that hold at all of them."""
    counts = {(0, 1): [100, 0, 180, 0, 120], (0, 2): [5, 5, 10, 20, 160]}
    counts |= {(1, 2): [0, 0, 0, 0, 200]}  # of different lengths, and all alike
    played, tuned = played_of(counts), 400.0
    wide, fixed = Scores(played, 3, tuned), Scores(played, 3)
    assert wide.errors() == pytest.approx(wide.errors().T)
    off = ~np.eye(3, dtype=bool)
    assert (wide.errors() > fixed.errors())[off].all()
    inside = wide.against(0, 1)  # whose ends are neither 0 nor 1
    assert wide.errors()[0, 1] * quantile() == pytest.approx(inside.half)
    rated, narrow = (bradley_terry(s.means(), s.errors()) for s in (wide, fixed))
    assert (rated.high - rated.low > narrow.high - narrow.low).all()
    one = Scores(played_of({(0, 1): [0, 0, 1, 0, 0]}), 2, tuned)  # one pair tells nothing
    assert one.errors()[0, 1] * quantile() == pytest.approx(1)


def test_losses_after_looks_have_intervals_that_hold_at_all_of_them(by_hand):
    for plan in (Plan("mc", 1_200, 4, drop=True), Plan("mc", 1_200, 4, precision=0.05)):
        rows = rows_of(answer(made(ROUND), plan), "loss")
        assert len(rows) == 3 * 2 * 2 * (FIGHTERS + 1)
        for row in rows:
            for end in ("", "_at_least"):
                counts = row[f"count{end}"] / 2, row["trials"] / 2
                ends = (row[f"p{end}_low"], row[f"p{end}_high"])
                wanted = map(float, proportion_sequence(*counts, tuned=plan.tuned))
                assert ends == pytest.approx(tuple(wanted))


# five entrants: two nearly the best, three below them
STRENGTHS = np.array([0.02, 0.0, -0.25, -0.3, -0.35])


def law_of(score):
    """Return a law of pairs with that score."""
    return [(1 - score) ** 2, 0, 2 * score * (1 - score), 0, score**2]


def race(random, most=2_000):
    """Play a matchup of `STRENGTHS` with early drop; who is dropped."""
    size = len(STRENGTHS)
    counts = {(x, y): np.zeros(STEPS, np.int64) for x in range(size) for y in range(x + 1, size)}
    played, before = Played({}), 0
    for look in looks(most):
        for (x, y), pairs in counts.items():
            if not {x, y} & set(played.dropped):
                score = 0.5 + STRENGTHS[x] - STRENGTHS[y]
                pairs += random.multinomial(look - before, law_of(score))
        before = look
        found = played_of(counts)
        played = replace(found, dropped=played.dropped)
        played.dropped.update(dropped(played, Scores(played, size, float(most))))
    return played.dropped


def test_the_best_is_hardly_ever_dropped_and_the_worst_are():
    random, runs = np.random.default_rng(8), 100
    found = [race(random) for _ in range(runs)]
    assert sum(0 in gone for gone in found) / runs <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)
    assert sum({2, 3, 4} <= set(gone) for gone in found) / runs > 0.95
    assert max(min(gone.values()) for gone in found) < 2 * 2_000


def test_those_dropped_have_no_more_battles(by_hand):
    odds = np.array([[0.5, 0.52, 0.95], [0.48, 0.5, 0.95], [0.05, 0.05, 0.5]])
    plan = Plan("mc", 2_400, 5, drop=True)
    result = answer(made(odds), plan)
    trials = {(row["entrant"], row["other"]): row["trials"] for row in rows_of(result, "score")}
    assert trials["p", "q"] == 2_400
    assert trials["p", "r"] == trials["r", "q"] < 2_400
    (row,) = rows_of(result, "score", entrant="r", other="p")
    assert row["ended"] == DROPPED
    assert any("dropped" in note and "r (" in note for note in result.notes)


# --- mixtures -----------------------------------------------------------------------------


def test_rock_paper_scissors():
    mix = best_mix(ROUND, np.full((3, 3), 0.001), 1)
    assert mix.shares == pytest.approx([1 / 3] * 3)
    assert (mix.low < 1 / 3).all()
    assert (mix.high > 1 / 3).all()
    assert (mix.kept == 1).all()
    assert mix.gains == pytest.approx([0] * 3, abs=1e-12)
    assert (mix.most > 0).all()


def mixture_by_nashpy(worth):
    """The rows' mixture of its supports; where rounding makes it miss all, of its own program."""
    game = nashpy.Game(worth)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that it found none
        found = [*islice(game.support_enumeration(), 1), game.linear_program()]
    return found[0][0]


@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
@settings(max_examples=60, deadline=None)
def test_mixtures_agree_with_nashpy(size, seed):
    worth = np.triu(np.random.default_rng(seed).uniform(-0.5, 0.5, (size, size)), 1)
    worth -= worth.T
    mix = best_mix(worth + 0.5, np.zeros((size, size)), seed, resamples=2)
    rows = mixture_by_nashpy(worth)
    # without ties there is one mixture only
    assert mix.shares == pytest.approx(rows, abs=1e-7)
    assert mix.gains.max() <= 1e-9
    assert mix.low == pytest.approx(mix.shares)


def test_a_wide_error_makes_the_mixture_unsure():
    scores = np.array([[0.5, 0.51], [0.49, 0.5]])
    sure, unsure = (best_mix(scores, np.full((2, 2), e), 1) for e in (0.001, 0.1))
    assert sure.kept.tolist() == [1.0, 0.0]
    assert 0.3 < unsure.kept[1] < 0.6
    assert unsure.most[1] > 0.1 > sure.most[1]


# --- rings --------------------------------------------------------------------------------


@given(st.integers(3, 6), st.integers(0, 2**32 - 1), st.floats(0, 1))
@settings(max_examples=80, deadline=None)
def test_rings_are_those_of_networkx(size, seed, decided):
    random = np.random.default_rng(seed)
    won = np.triu(random.random((size, size)) < 0.5, 1)
    known = np.triu(random.random((size, size)) < decided, 1)
    won = (won & known) | (~won & known).T
    graph = networkx.from_numpy_array(won, create_using=networkx.DiGraph)
    expected = set()
    for ring in networkx.simple_cycles(graph, length_bound=4):
        turned = ring.index(min(ring))
        order = tuple(ring[turned:] + ring[:turned])
        across = [(ring[k], ring[k + 2]) for k in range(len(ring) - 2)][: len(ring) - 2]
        if len(ring) == 3 or not any(won[x, y] or won[y, x] for x, y in across):
            expected.add(order)
    found = rings(won)
    assert len(found) == len(set(found))
    assert set(found) == expected


def test_a_cycle_is_named(by_hand):
    result = answer(made(ROUND), Plan("mc", 1_000, 4))
    (row,) = rows_of(result, "cycle")
    assert row["what"] == "p > q > r > p"
    assert row["number"] == 3
    assert row["score_low"] > 0.5
    text = plain_text(result, 80)
    assert "p > q > r > p" in text
    assert "The ratings fit badly" in text
    shares = [row["share"] for row in rows_of(result, "mix")]
    assert shares == pytest.approx([1 / 3] * 3, abs=0.1)


def test_replies_are_those_that_beat_most(by_hand):
    result = answer(made(ROUND), Plan("mc", 1_000, 4))
    replies = {row["entrant"]: row for row in rows_of(result, "reply")}
    assert {name: row["other"] for name, row in replies.items()} == {"p": "r", "q": "p", "r": "q"}
    assert all(row["shown"] and row["score"] < 0.5 for row in replies.values())
    alone = answer(made(np.array([[0.5, 0.9], [0.1, 0.5]])), Plan("mc", 200, 4))
    assert [row["shown"] for row in rows_of(alone, "reply")] == [False, True]


# --- ratings ------------------------------------------------------------------------------


@given(st.floats(0.05, 0.95), st.floats(0.001, 0.1))
@settings(max_examples=40, deadline=None)
def test_a_rating_of_two_is_that_of_the_books(score, error):
    found = bradley_terry([[0.5, score], [1 - score, 0.5]], np.full((2, 2), error))
    difference = TENFOLD * math.log10(score / (1 - score))
    assert found.points == pytest.approx([difference / 2, -difference / 2], abs=1e-6)
    slope = TENFOLD / math.log(10) / (score * (1 - score))
    assert found.high - found.low == pytest.approx([1.959964 * slope * error] * 2, rel=1e-5)
    assert found.freedom == 0
    assert found.p is None


def made_of(strengths):
    """Return the scores that strengths make."""
    return 1 / (1 + np.exp(strengths[None] - strengths[:, None]))


def test_known_strengths_come_back_and_fit():
    strengths = np.array([0.9, 0.1, -0.4, -0.6])
    found = bradley_terry(made_of(strengths), np.full((4, 4), 0.01))
    assert found.points == pytest.approx(TENFOLD / math.log(10) * strengths, abs=1e-6)
    assert found.chi2 == pytest.approx(0, abs=1e-9)
    assert found.freedom == 3
    assert found.p == pytest.approx(1)
    assert found.expected == pytest.approx(made_of(strengths))


def test_the_check_of_fit_has_its_level_and_sees_a_cycle():
    random, error = np.random.default_rng(2), 0.01
    truth = made_of(np.array([0.6, 0.2, 0.0, -0.3, -0.5]))
    chances = []
    for _ in range(200):
        noise = np.triu(error * random.standard_normal(truth.shape), 1)
        chances.append(bradley_terry(truth + noise - noise.T, np.full(truth.shape, error)).p)
    assert 0.4 < np.mean(chances) < 0.6
    cyclic = bradley_terry(ROUND, np.full((3, 3), error))
    assert cyclic.p < 1e-10
    assert cyclic.points == pytest.approx([0, 0, 0], abs=1e-6)


def test_the_worst_fitted_pair_is_named():
    scores = made_of(np.array([0.6, 0.2, 0.0, -0.3]))
    scores[1, 2], scores[2, 1] = 0.2, 0.8
    assert bradley_terry(scores, np.full((4, 4), 0.02)).worst == (1, 2)


def test_without_statsmodels_the_rest_is_there(by_hand, monkeypatch, capsys):
    for name in [name for name in sys.modules if name.partition(".")[0] == "statsmodels"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "statsmodels", None)
    result = answer(made(ROUND), Plan("mc", 40, 4))
    assert NO_RATING in capsys.readouterr().err
    assert rows_of(result, "rating") == rows_of(result, "fit") == []
    assert NO_RATING in result.notes
    assert len(rows_of(result, "mix")) == 3
    assert "rating" not in plain_text(result, 80).replace(NO_RATING, "")


# --- what is asked, and how it is shown ---------------------------------------------------


@pytest.mark.parametrize(
    ("told", "otherwise"),
    [
        ("line = 2", "line = 3"),
        ('wing = "right"', 'wing = "left"'),
        ("fighters = 2", "fighters = 1"),
        ('name = "Evisceratore"', 'name = "Evisceratore"\nPA = 20'),
        ('policy = "threat"', 'policy = "listed"'),
    ],
)
def test_the_dice_hang_on_all_that_a_list_is(tmp_path, told, otherwise):
    shipped = (DATA / "armies" / "army-devoreurs-elite.toml").read_text(encoding="utf-8")
    files = [tmp_path / name for name in ("one.toml", "other.toml")]
    for file, text in zip(files, (shipped, shipped.replace(told, otherwise)), strict=True):
        file.write_text(text, encoding="utf-8")
    known, same, other, enemy = entrants_of(
        ["devoreurs-elite", *map(str, files), "daikinee-foot"], ["aggressive"]
    )
    asked = Made((known, same, other, enemy), SimpleNamespace(turns=TURNS), Options())
    assert asked.dice(0, 3) == asked.dice(3, 0) == asked.dice(1, 3) != asked.dice(2, 3)
    (hurt, *rest) = known.army.cards
    weak = replace(hurt, profile=replace(hurt.profile, RES=hurt.profile.RES - 1))
    assert replace(known, army=replace(known.army, cards=(weak, *rest))).key != known.key


def test_policies_with_commas():
    assert policies_of(["aggressive,random"]) == ("aggressive", "random")
    assert policies_of(["odds:a=1,b=2,random", "x"]) == ("odds:a=1,b=2", "random", "x")
    assert policies_of(["a:b=1, c:d=2"]) == ("a:b=1", "c:d=2")


def test_entrants_are_named_by_what_tells_them_apart(tmp_path):
    one = ["daikinee", "devoreurs"]
    assert [e.label for e in entrants_of(one)] == one
    both = entrants_of(one, ["aggressive,random"])
    assert [e.label for e in both] == [f"{a}/{p}" for a in one for p in ("aggressive", "random")]
    alone = entrants_of(one[:1], ["aggressive", "random"])
    assert [e.label for e in alone] == ["aggressive", "random"]
    assert find_entrant("devoreurs/random", both) == find_entrant("4", both) == 3


@pytest.mark.parametrize(
    ("lists", "policies", "words"),
    [
        (["daikinee", "daikinee"], [], "named twice"),
        (["daikinee"], ["random", "random"], "named twice"),
        (["daikinee"], ["brave"], "no policy for battles"),
        (["nobody"], [], "nobody"),
    ],
)
def test_wrong_entrants_are_refused(lists, policies, words):
    with pytest.raises(InputError, match=words):
        entrants_of(lists, policies)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"trials": 3}, "even"),
        ({"trials": 0}, "at least 1"),
        ({"precision": 0.7}, "precision"),
        ({"seed": -1}, "seed"),
    ],
)
def test_wrong_plans_are_refused(asked, words):
    with pytest.raises(InputError, match=words):
        plan_of(Run(**asked))


def test_a_precision_has_battles_enough():
    # pairs of any kind: no score is further from its mean than one half
    plan = plan_of(Run(seed=1, precision=0.02))
    worst = played_of({(0, 1): [plan.pairs // 2, 0, 0, 0, plan.pairs - plan.pairs // 2]})
    assert Scores(worst, 2, plan.tuned).against(0, 1).half <= 0.02


def test_ctrl_c_keeps_what_was_played(by_hand):
    done = []

    def stop(battles):
        done.append(battles)
        if len(done) == 3:
            raise KeyboardInterrupt

    result = answer(made(ROUND), Plan("mc", 400, 4), Run(threads=1, progress=stop, partial=True))
    assert "battles" in result.stopped
    rows = rows_of(result, "score")
    others = [row for row in rows if row["entrant"] != row["other"]]
    assert {row["trials"] for row in others} == {0, 200, 400}
    assert {row["ended"] for row in others} == {STOPPED}
    assert [row["score"] is None for row in others] == [row["trials"] == 0 for row in others]
    assert rows_of(result, "mix") == []
    assert "stopped after" in plain_text(result, 80)


def test_six_entrants_fit_a_terminal(by_hand):
    names = [f"a-rather-long-list-{k}" for k in range(3)]
    question = made(
        ROUND.repeat(2, 0).repeat(2, 1), lists=names, policies=("aggressive", "defensive")
    )
    result = answer(question, Plan("mc", 400, 4))
    lines = plain_text(replace(result, losses=(question.labels[:2],)), 80).splitlines()
    assert max(map(len, lines)) <= 80
    table = [
        line.split() for line in lines if line.startswith(tuple("123456")) and "against" not in line
    ]
    assert sum(len(line) == 8 for line in table) >= 6
    assert any("fighters lost" in line for line in lines)


def test_the_pictures(by_hand):
    odds = np.array([[0.5, 0.5, 0.9], [0.5, 0.5, 0.85], [0.1, 0.15, 0.5]])
    result = answer(made(odds), Plan("mc", 200, 4))
    heat, forest, bar = result.plot().axes
    assert bar.get_ylim() == (0, 100)
    assert len(heat.texts) == 9
    assert [heat.texts[k].get_text() for k in (0, 4, 8)] == ["50"] * 3
    colours = heat.collections[0].get_facecolor()[:, :3].reshape(3, 3, 3)
    strong = np.ptp(colours, axis=2)  # how far from grey
    assert strong[0, 1] < strong[0, 2] / 3
    shown = {(row["entrant"], row["other"]): row["shown"] for row in rows_of(result, "score")}
    assert not shown["p", "q"]
    assert shown["p", "r"]
    order = [label.get_text() for label in forest.get_yticklabels()]
    scores = {row["entrant"]: row["score"] for row in rows_of(result, "field")}
    assert order == sorted(scores, key=scores.get)
    for kind, places in (("heat", 2), ("forest", 1), ("both", 3)):
        assert len(replace(result, picture=kind).plot().axes) == places


def test_a_score_is_wins_and_half_of_the_draws():
    assert score_of(meeting_of([1, 1, 1, 1, 0])) == pytest.approx(6 / 16)
    assert score_of(meeting_of([0] * 5)) is None


def test_a_card_of_the_lists_is_changed_in_each_that_has_it():
    lists = ("daikinee-foot", "daikinee")
    told = Options(sets=("Lama di Smeraldo.ATT=9",))
    question = ask_matchup(lists, options=told)
    attacks = [
        {card.name: card.profile.ATT for card in entrant.army.cards if card.profile}
        for entrant in question.entrants
    ]
    plain = [
        {card.name: card.profile.ATT for card in entrant.army.cards if card.profile}
        for entrant in ask_matchup(lists).entrants
    ]
    assert plain[0]["Lama di Smeraldo"] != 9
    assert attacks == [{**each, "Lama di Smeraldo": 9} for each in plain]
    assert '--set "Lama di Smeraldo.ATT=9"' in question.command_line(Plan("mc", 2, 1))
    with pytest.raises(InputError, match='--set "A": no such fighter here; one of "'):
        ask_matchup(lists, options=Options(sets=("A.ATT=9",)))
