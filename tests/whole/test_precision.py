"""Runs that end at a wanted precision: where, why, the same for any threads and chunks."""

import json
import shlex

import numpy as np
import pytest
from running import GUARD, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError
from estoc.sim.base.options import Options
from estoc.sim.base.percent import interval
from estoc.sim.base.printed import plain_text
from estoc.sim.base.run import Method, Run
from estoc.sim.base.sequence import Stopping, looks
from estoc.sim.battle.battle import answer, sampled
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.sampling import count_battle
from estoc.sim.combat.combat import ask
from estoc.sim.combat.duel import duel
from estoc.sim.combat.sampling import count_trials
from estoc.sim.combat.sweep import sweep
from estoc.sim.phases.card_question import ask as ask_cards
from estoc.sim.phases.card_sampling import counted_odds
from estoc.sim.rolls.disengage import disengage
from estoc.sim.rolls.fear import fear
from estoc.sim.rolls.shooting import shoot
from estoc.sim.table.melee import melee

SEED = 11
COMMANDS = {
    "duel": ("duel", GUARD, WARRIOR),
    "combat": ("combat", GUARD, "vs", f"{WARRIOR}*2"),
    "sweep": ("sweep", GUARD, WARRIOR, "--allocations", "2/0,0/2"),
    "melee": ("melee", f"{GUARD}*2", "vs", f"{WARRIOR}*2"),
    "cards": ("cards", "daikinee", "devoreurs", "--policy", "random"),
    "shoot": ("shoot", "alahel", GUARD, "--range", "30"),
    "fear": ("fear", "guerrier de pierre", "killyox"),
    "disengage": ("disengage", GUARD, "--enemies", WARRIOR, "--odds"),
}
# the proportions of a row that a precision is about
WATCHED = ("p_a", "p_b", "p_undecided", "p_dead", "p", "p_hit", "p_success", "success", "rally")


def question():
    return ask([ROSTER.find(GUARD)], [ROSTER.find(WARRIOR)], Options())


def widest(rows):
    halves = [
        (row[f"{name}_high"] - row[f"{name}_low"]) / 2
        for row in rows
        for name in WATCHED
        if row.get(f"{name}_low") is not None
    ]
    return max(halves)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_run_ends_when_its_intervals_are_narrow_and_says_so(name):
    words = (*COMMANDS[name], "--precision", 0.03, "--seed", SEED)
    rows = answered(*words)
    runs = [row for row in rows if row["ended"]]
    assert runs
    assert {row["method"] for row in rows} == {"mc"}
    assert {(row["precision"], row["most_trials"], row["ended"]) for row in runs} == {
        (0.03, 3334, "precision")
    }
    allowed = set(looks(3334))
    assert all(row["trials"] in allowed for row in runs if row["trials"] is not None)
    assert 0.015 < widest(rows) <= 0.03
    shown = estoc(*words).out
    assert "ended at the precision 0.03, after" in shown
    assert "confidence sequence" in " ".join(shown.split())


@pytest.mark.parametrize("name", COMMANDS)
def test_the_command_that_is_printed_gives_the_same_rows(name):
    rows = answered(*COMMANDS[name], "--precision", 0.04, "--seed", SEED)
    words = shlex.split(rows[0]["command"])[1:]
    assert "--precision" in words
    again = answered(*words)
    if name == "sweep":  # the command of one duel
        again = [{k: v for k, v in again[0].items() if k in rows[0]}]
    assert again == rows[: len(again)]


@pytest.mark.parametrize("name", COMMANDS)
def test_trials_are_the_cap(name):
    rows = answered(*COMMANDS[name], "--precision", 0.01, "--trials", 250, "--seed", SEED)
    runs = [row for row in rows if row["ended"] and row["trials"]]
    assert all(row["trials"] in (200, 250) for row in runs)
    assert "trials" in {row["ended"] for row in runs}
    assert {row["most_trials"] for row in runs} == {250}


def test_without_a_precision_nothing_is_said_of_it():
    (row,) = answered(*COMMANDS["duel"], "--trials", 300, "--seed", SEED)
    assert not {"precision", "most_trials", "ended"} & set(row)


def test_exact_rows_beside_have_no_end():
    exact, sampled_row = answered(*COMMANDS["duel"], "--precision", 0.05, "--method", "both")
    assert (exact["precision"], exact["ended"], exact["trials"]) == (None, None, None)
    assert sampled_row["ended"] == "precision"
    assert list(exact) == list(sampled_row)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--precision", "0.5"), "precision 0.5 should be from 0.000001 to less than 0.5"),
        (("--precision", "0"), "precision 0 should be from 0.000001 to less than 0.5"),
        (("--precision", "-1", "--trials", "10"), "precision -1 should be"),
        (("--precision", "0.01", "--method", "exact"), "method exact has no precision"),
        (("--precision", "0.01", "--trials", "0"), "trials should be at least 1, not 0"),
        (("--precision", "nan"), "precision should be a number, not nan"),
        (
            ("--precision", "0.01", "--policy", "optimal"),
            "take --method exact without --trials, --seed, --precision and --sampler",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(words, message):
    done = estoc(*COMMANDS["duel"], *words)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize("word", ["5%", "0,01", "fine"])
def test_what_is_no_number_is_refused(word):
    for words in (COMMANDS["duel"], ("matchup", "daikinee", "devoreurs")):
        done = estoc(*words, "--precision", word)
        assert (done.code, done.data) == (2, b"")
        told = f'"{word}" should be a number as 0.005, for 0.5 % to each side'
        assert f"Invalid value for '--precision': {told}" in done.err


def test_a_transcript_has_no_precision():
    done = estoc("cards", "griffon", "scorpion", "--transcript", "--precision", "0.1")
    assert done.code == 2
    assert "drop --precision" in done.err


# --- threads, chunks, splits --------------------------------------------------------------


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
@pytest.mark.parametrize("chunk", [7, 100, 1000, None])
def test_any_threads_and_chunks_end_at_the_same_trial(threads, chunk):
    asked = [question()] * 3
    whole = count_trials(asked, Method("mc", 20_000, SEED, precision=0.02), Run(threads=1))
    found = count_trials(
        asked, Method("mc", 20_000, SEED, precision=0.02), Run(threads=threads, chunk=chunk)
    )
    for one, other in zip(whole, found, strict=True):
        assert one.trials == other.trials < 20_000
        np.testing.assert_array_equal(one.sides, other.sides)
        np.testing.assert_array_equal(one.law, other.law)
        assert (one.first, one.turns) == (other.first, other.turns)


def test_the_trials_played_are_those_of_a_run_of_that_length():
    (ended,) = count_trials([question()], Method("mc", 20_000, SEED, precision=0.02))
    (told,) = count_trials([question()], Method("mc", ended.trials, SEED))
    np.testing.assert_array_equal(ended.law, told.law)
    np.testing.assert_array_equal(ended.sides, told.sides)


def test_the_run_did_not_end_at_an_earlier_look():
    (ended,) = count_trials([question()], Method("mc", 20_000, SEED, precision=0.02))
    stopping = Stopping(20_000, 0.02)
    for look in stopping.looks():
        (counts,) = count_trials([question()], Method("mc", look, SEED))
        assert stopping.reached(counts.shares, look) == (look >= ended.trials)
        if look == ended.trials:
            break


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("chunk", [7, 1000])
def test_cards_end_at_the_same_trial(threads, chunk):
    asked = ask_cards("daikinee", "devoreurs", policies=("random",))
    whole = counted_odds(asked, Method("mc", 20_000, SEED, precision=0.03), Run(threads=1))
    found = counted_odds(
        asked, Method("mc", 20_000, SEED, precision=0.03), Run(threads=threads, chunk=chunk)
    )
    assert found.trials == whole.trials < 20_000
    np.testing.assert_array_equal(found.before, whole.before)
    np.testing.assert_array_equal(found.acts, whole.acts)


def test_each_duel_of_a_sweep_ends_by_itself():
    rows = sweep(GUARD, WARRIOR, roster=ROSTER, precision=0.02, seed=SEED).rows
    assert len({row["trials"] for row in rows}) > 2
    for row in rows:
        dice = [row["dice_a"], row["dice_b"]]
        (alone,) = duel(GUARD, WARRIOR, dice=dice, roster=ROSTER, precision=0.02, seed=SEED)
        assert alone == row
    told = sweep(GUARD, WARRIOR, roster=ROSTER, precision=0.02, seed=SEED, threads=4, chunk=77)
    assert told.rows == rows


def test_replay_knows_the_trials_of_such_a_run(tmp_path):
    path = tmp_path / "run.json"
    assert estoc(*COMMANDS["duel"], "--precision", 0.03, "--seed", SEED, "-o", path).code == 0
    (row,) = json.loads(path.read_text())
    assert estoc("replay", path, "--trial", row["trials"] - 1).code == 0
    beyond = estoc("replay", path, "--trial", 3334)
    assert "the run has trials 0 to 3333" in beyond.err


# --- Ctrl-C, what is shown ----------------------------------------------------------------


def test_ctrl_c_gives_what_was_done_with_intervals_that_hold_there():
    def interrupt(trials):
        raise KeyboardInterrupt

    result = duel(
        *(GUARD, WARRIOR),
        roster=ROSTER,
        precision=0.004,
        seed=SEED,
        progress=interrupt,
        partial=True,
    )
    (row,) = result.rows
    assert (row["trials"], row["ended"]) == (200, "Ctrl-C")
    assert result.stopped == "200 of at most 187,500 trials"
    low, high = Stopping(187_500, 0.004).proportions(row["wins_a"], 200)
    assert (row["p_a_low"], row["p_a_high"]) == (float(low), float(high))
    assert "ended by Ctrl-C, after 200 trials" in " ".join(plain_text(result, 90).split())


def stopped_at(monkeypatch, calls, *words):
    """Run a command that Ctrl-C stops when it tells of its progress for that many times."""
    left = iter(range(calls - 1))

    def advance(trials):
        if next(left, None) is None:
            raise KeyboardInterrupt

    def answered(request, run):
        return request.answer(run.but(progress=advance))

    with monkeypatch.context() as patched:
        patched.setattr("estoc.sim.cli.requests.answered", answered)
        return estoc(*words)


ONE_RUN = {name: words for name, words in COMMANDS.items() if name != "sweep"}


@pytest.mark.parametrize("name", ONE_RUN)
def test_ctrl_c_after_some_chunks_gives_what_was_done(monkeypatch, name):
    words = (*ONE_RUN[name], "--seed", SEED, "--format", "json", "--trials")
    most = 9_000_000 if name == "melee" else 900_000  # of a chain, more are drawn in one go
    done = stopped_at(monkeypatch, 2, *words, most)
    (trials,) = {row["trials"] for row in done.rows if row["trials"]}
    kinds = "2 x " * (name == "fear")
    told = f"estoc: stopped by Ctrl-C after {trials:,} of {kinds}{most:,} trials\n"
    assert (done.code, done.err) == (1, told)
    assert 0 < trials < most
    for row, short in zip(done.rows, estoc(*words, trials).rows, strict=True):
        if row["trials"] == 0:  # the second test of fear
            assert row["p_success"] is None
            continue
        # the combat after a failed disengagement was not played
        other = ("command", "remarks", "assumed", "readings")
        same = [key for key in row if key not in other and not key.startswith("failure_")]
        assert [row[key] for key in same] == [short[key] for key in same]


@pytest.mark.parametrize("name", ONE_RUN)
def test_ctrl_c_in_a_run_to_a_precision_is_said_and_its_intervals_hold(monkeypatch, name):
    words = (*ONE_RUN[name], "--seed", SEED, "--precision", 0.004)
    done = stopped_at(monkeypatch, 2, *words, "--format", "json")
    assert done.code == 1
    assert "stopped by Ctrl-C after 300 of at most " in done.err
    runs = [row for row in done.rows if row["trials"] and row["ended"]]
    assert {(row["trials"], row["ended"]) for row in runs} == {(300, "Ctrl-C")}
    stopping = Stopping(runs[0]["most_trials"], 0.004)
    counts = {"p_a": "wins_a", "p_hit": "hit", "success": "success_count"}
    counts |= {"p_success": "successes", "p": "count"}
    checked = 0
    for row in runs:
        for column, count in counts.items():
            if row.get(count) is not None and row.get(f"{column}_low") is not None:
                low, high = map(float, stopping.proportions(row[count], 300))
                assert (row[f"{column}_low"], row[f"{column}_high"]) == (low, high)
                checked += 1
    assert checked
    shown = " ".join(stopped_at(monkeypatch, 2, *words).out.split())
    assert "stopped after 300 of at most " in shown
    assert "ended by Ctrl-C, after 300 trials, short of the precision 0.004" in shown


@pytest.mark.parametrize("name", ["fear", "shoot", "disengage"])
def test_ctrl_c_before_the_first_trial_leaves_exact_odds(monkeypatch, name):
    def interrupt(*_):
        raise KeyboardInterrupt

    exact = answered(*COMMANDS[name])
    monkeypatch.setattr("estoc.sim.base.sequence.Stopping.spans", interrupt)
    done = estoc(*COMMANDS[name], "--seed", SEED)
    kinds = "2 x " * (name == "fear")
    told = f"estoc: stopped by Ctrl-C after 0 of {kinds}1,000,000 trials\n"
    assert (done.code, done.data, done.err) == (1, b"", told)
    both = estoc(*COMMANDS[name], "--method", "both", "--seed", SEED, "--format", "json")
    assert (both.code, both.err) == (1, told)
    chances = [key for key in exact[0] if key.startswith("p_")]
    for row, other in zip(exact, both.rows, strict=False):
        assert [row[key] for key in chances] == [other[key] for key in chances]
    assert {row["trials"] for row in both.rows[len(exact) :]} == {0}
    assert (
        f"stopped after 0 of {kinds}1,000,000"
        in estoc(*COMMANDS[name], "--method", "both", "--seed", SEED).out
    )


def test_without_partial_ctrl_c_ends_the_caller():
    def interrupt(trials):
        raise KeyboardInterrupt

    for ask_for in (
        lambda: fear("guerrier de pierre", "killyox", seed=1, progress=interrupt),
        lambda: shoot("alahel", GUARD, seed=1, progress=interrupt),
        lambda: disengage(GUARD, WARRIOR, seed=1, progress=interrupt),
        lambda: melee(GUARD, WARRIOR, seed=1, progress=interrupt),
    ):
        with pytest.raises(KeyboardInterrupt):
            ask_for()


def test_ctrl_c_in_the_combat_after_a_failure_keeps_the_tries(monkeypatch):
    def interrupt(*_):
        raise KeyboardInterrupt

    words = (*COMMANDS["disengage"], "--trials", 1000, "--seed", SEED)
    whole = answered(*words)
    monkeypatch.setattr("estoc.sim.base.parallel.in_order", interrupt)
    done = estoc(*words, "--format", "json")
    assert done.err == (
        "estoc: stopped by Ctrl-C after 0 of 1,000 trials of the combat after a failure\n"
    )
    for row, other in zip(whole, done.rows, strict=True):
        assert (row["successes"], row["trials"]) == (other["successes"], other["trials"])
        assert list(row) == list(other)
        assert other["failure_p_a"] is None
    assert "combat after a failure  " not in estoc(*words).out


def test_ctrl_c_in_a_melee_gives_the_combats_done_without_separations(monkeypatch):
    words = (
        "melee",
        f"{GUARD}*2",
        "vs",
        WARRIOR,
        "Fauconnier d'Alahan",
        "--seed",
        SEED,
        "--trials",
        1000,
    )
    whole = answered(*words)
    done = stopped_at(monkeypatch, 1, *words, "--format", "json")
    assert (done.code, done.err) == (1, "estoc: stopped by Ctrl-C after 1 of 2 combats\n")
    assert {row["section"] for row in done.rows} == {"fighter", "combat"}
    (row,) = (row for row in done.rows if row["section"] == "combat")
    (other,) = (
        other
        for other in whole
        if other["what"] == row["what"] == "A1 v B1" and other["section"] == "combat"
    )
    different = {key for key in row if row[key] != other[key]}
    assert different == {"separation"}
    shown = stopped_at(monkeypatch, 1, *words).out
    assert "A1 v B1" in shown
    assert "no separations: some combats have no odds" in " ".join(shown.split())
    both = stopped_at(monkeypatch, 1, *words, "--method", "both", "--format", "json")
    exact = answered(*words[:-4], "--method", "exact")
    kept = [row for row in both.rows if row["method"] == "exact"]
    assert [row["value"] for row in kept] == [row["value"] for row in exact]
    (sampled_row,) = (r for r in both.rows if r["section"] == "combat" and r["trials"])
    assert (sampled_row["wins_a"], sampled_row["z_a"] is None) == (row["wins_a"], False)


def test_tables_show_the_intervals_of_the_rows():
    result = duel(GUARD, WARRIOR, roster=ROSTER, precision=0.03, seed=SEED)
    (row,) = result.rows
    shown = interval(row["wins_a"], row["trials"], 1, Stopping(row["most_trials"], 0.03))
    assert shown in plain_text(result, 90)
    assert shown != interval(row["wins_a"], row["trials"], 1)


def test_a_table_of_shots_fits_beside_exact_odds():
    result = shoot("alahel", GUARD, method="both", precision=0.03, seed=SEED)
    lines = plain_text(result, 80).splitlines()
    assert max(map(len, lines)) <= 80
    shots = [row for row in result if row["method"] == "mc"]
    for row in shots:
        told = interval(row["hit"], row["trials"], 0, Stopping(3334, 0.03))
        assert any(line.endswith(told) for line in lines)  # on one line


def test_the_combat_after_a_failure_is_told_with_trials_and_intervals():
    result = disengage(GUARD, WARRIOR, odds=True, precision=0.03, seed=SEED)
    row = result.rows[0]
    n, stopping = row["failure_trials"], Stopping(3334, 0.03)
    lines = plain_text(result, 80).split("after a failure", 1)[1].splitlines()
    assert lines[0].split() == f"% of {n:,} trials 95 % confidence sequence".split()
    (line,) = (line for line in lines if line.startswith("it dies"))
    assert line.endswith(interval(round(row["failure_p_b"] * n), n, 0, stopping))


def test_an_interval_that_reaches_0_after_a_success_is_shown():
    assert interval(1, 200, 0, Stopping(1000, 0.05)).startswith("0 – ")


# --- battles ------------------------------------------------------------------------------


def test_a_battle_ends_by_who_wins_for_any_threads():
    asked = ask_battle("ambush")
    whole = count_battle(asked, Method("mc", 2_000, SEED, precision=0.08), Run(threads=1))
    assert whole.trials in set(looks(2_000)) - {2_000}
    found = count_battle(asked, Method("mc", 2_000, SEED, precision=0.08), Run(threads=3))
    told = count_battle(asked, Method("mc", whole.trials, SEED))
    for other in (found, told):
        assert other.trials == whole.trials
        np.testing.assert_array_equal(other.outcome, whole.outcome)
        np.testing.assert_array_equal(other.histogram, whole.histogram)
        np.testing.assert_array_equal(other.kills, whole.kills)


def test_a_battle_says_what_ended_it_and_how_to_have_it_again():
    result = answer(ask_battle("ambush"), sampled(Run(seed=SEED, precision=0.1)))
    assert result.command.endswith(f"--precision 0.1 --trials 300 --seed {SEED}")
    assert {row["ended"] for row in result} == {"precision"}
    assert widest([row for row in result if row["section"] == "outcome"]) <= 0.1
    assert any("the precision is of who wins" in note for note in result.notes)
    fixed = answer(ask_battle("ambush"), sampled(Run(trials=result.rows[0]["trials"], seed=SEED)))
    for row, other in zip(result, fixed, strict=True):
        assert (row["count"], row["value"]) == (other["count"], other["value"])
        if other["value_low"] is not None and other["value_high"] > other["value_low"]:
            assert row["value_low"] < other["value_low"]
            assert row["value_high"] > other["value_high"]


def test_a_battle_refuses_what_cannot_be_a_precision():
    with pytest.raises(InputError, match=r"precision 0\.9 should be"):
        sampled(Run(precision=0.9))
