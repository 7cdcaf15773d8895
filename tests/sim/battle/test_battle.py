"""`estoc battle` as a person asks it: counts, intervals, tables, files, refusals (T-1 to T-6)."""

import csv
import io
import json
import shlex
from dataclasses import replace
from random import Random

import numpy as np
import pyarrow.parquet as pq
import pytest
from battle_script import BATTLE
from running import answered, estoc
from scipy.stats import t

from estoc.kernels.battle import trials as battle_trials
from estoc.kernels.layout.battle import End
from estoc.profiles import InputError
from estoc.profiles.armies.scenario import Placed, Scenario
from estoc.profiles.armies.scenario_file import load_scenario
from estoc.profiles.fighters.card import Profile
from estoc.sim.base.options import Options
from estoc.sim.base.run import Method, Run
from estoc.sim.base.stats import quantile, wilson
from estoc.sim.battle import sampling as battle_sampling
from estoc.sim.battle.battle import (
    OUTCOMES,
    WATCHED,
    _half_width,
    answer,
    battle,
    sampled,
)
from estoc.sim.battle.film import save_film
from estoc.sim.battle.policy import policies
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.sampling import BATCH, CHUNK, NEVER, count_battle
from estoc.sim.battle.steps import transcript
from estoc.sim.battle.story import battle_text
from estoc.sim.cli.runs.replay import question_of

BATTLE_POLICIES = tuple(policies())

SMALL = """
name = "Small"
table = [60, 40]
turns = 3
[[fighters]]
name = "Lama di Smeraldo"
side = "A"
at = [10, 20]
[[fighters]]
name = "Fuco Daikinee"
side = "A"
at = [10, 30]
[[fighters]]
name = "Evisceratore"
side = "B"
at = [50, 20]
facing = 180
[[zones]]
name = "well"
rectangle = [25, 15, 10, 10]
points = 10
[[survival]]
fighter = "Fuco"
points = 5
"""
PA = np.array([26, 16, 28])
TURNS, REACH = 3, 26 + 16 + 28 + 10 + 5


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("battles")
    (place / "small.toml").write_text(SMALL, encoding="utf-8")
    return place


@pytest.fixture(autouse=True)
def surroundings(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)


# --- a kernel made by hand, whose every trial is known ----------------------------------


def fate(trial: int) -> tuple[list[int], list[int], int]:
    """Return the turn of death of each fighter (0: none), its killer, and the zone's points."""
    random = Random(trial)
    deaths = [random.choice([0, 0, 1, 2, 3]) for _ in PA]
    killers = [random.choice([-1, *([2] if i < 2 else [0, 1])]) for i in range(3)]
    return deaths, killers, random.choice([-10, 0, 10])


def score(trial: int) -> int:
    """Return A's points less B's."""
    deaths, _, zone = fate(trial)
    lost = [pa * bool(death) for pa, death in zip(PA, deaths, strict=True)]
    return int(lost[2] - lost[0] - lost[1] + zone + 5 * (deaths[1] == 0))


def ending(trial: int) -> list[int]:
    """Return what came of a trial, by `End`."""
    turns, _, _ = fate(trial)
    gone = [bool(death) for death in turns]
    lost = sum(gone[:2]), int(gone[2])
    points = PA[0] * gone[0] + PA[1] * gone[1], PA[2] * gone[2]
    difference = score(trial)
    winner = 2 if difference == 0 else int(difference < 0)
    return [difference, *lost, *map(int, points), winner, 1 + trial % TURNS]


def by_hand(battles, first, trials, tally, ends):
    """Count as `battle.trials.count_battles` does, of trials that `fate` tells."""
    outcome, histogram, firsts, destroyed, squares, survived, kills, earned, deaths = tally
    for trial in range(first, first + trials):
        turns, killers, _ = fate(trial)
        difference = score(trial)
        outcome[2 if difference == 0 else int(difference < 0)] += 1
        histogram[difference + REACH] += 1
        firsts[difference + REACH] = min(firsts[difference + REACH], trial)
        for turn in range(1, TURNS + 1):
            gone = [0 < death <= turn for death in turns]
            points = int(PA[2] * gone[2]), int(PA[0] * gone[0] + PA[1] * gone[1])
            destroyed[turn - 1] += points
            squares[turn - 1] += np.square(points)
        ends[trial - first] = ending(trial)
        for i, (death, killer) in enumerate(zip(turns, killers, strict=True)):
            survived[i] += death == 0
            if death:
                deaths[i, death - 1] += 1
                if killer >= 0:
                    kills[killer] += 1
                    earned[killer] += PA[i]


@pytest.fixture
def known(monkeypatch):
    monkeypatch.setattr(battle_trials, "count_battles", by_hand)
    return ask_battle("small.toml")


def rows_of(result, section, **cells):
    wanted = {"section": section, **cells}
    return [row for row in result if wanted.items() <= row.items()]


TRIALS = 2 * CHUNK + 55


@pytest.fixture
def result(known):
    return answer(known, sampled(Run(trials=TRIALS, seed=7)))


def test_outcomes_are_those_of_the_trials(result):
    scores = [score(trial) for trial in range(TRIALS)]
    counts = [sum(s > 0 for s in scores), sum(s < 0 for s in scores), scores.count(0)]
    rows = rows_of(result, "outcome")
    assert [row["what"] for row in rows] == list(OUTCOMES)
    assert [row["count"] for row in rows] == counts
    for row in rows:
        assert row["p"] == row["count"] / TRIALS
        low, high = wilson(row["count"], TRIALS)
        assert (row["p_low"], row["p_high"]) == (low, high)


def test_columns_add_up(result):
    for section in ("outcome", "points"):
        assert sum(row["count"] for row in rows_of(result, section)) == TRIALS
    for name in ("Lama di Smeraldo", "Fuco Daikinee", "Evisceratore"):
        deaths = rows_of(result, "death", fighter=name)
        (lives,) = rows_of(result, "fighter", fighter=name, what="survives")
        assert lives["count"] + sum(row["count"] for row in deaths) == TRIALS
    assert {row["trials"] for row in result} == {TRIALS}


def test_mean_and_interval_of_the_difference(result):
    scores = np.array([score(trial) for trial in range(TRIALS)])
    (row,) = rows_of(result, "difference")
    half = quantile() * scores.std(ddof=1) / TRIALS**0.5
    assert row["value"] == pytest.approx(scores.mean())
    assert row["value_low"] == pytest.approx(scores.mean() - half)
    assert row["value_high"] == pytest.approx(scores.mean() + half)


def test_points_destroyed_by_turn(result):
    for turn in range(1, TURNS + 1):
        gone = [[0 < death <= turn for death in fate(trial)[0]] for trial in range(TRIALS)]
        for side, worth in (("A", PA * [0, 0, 1]), ("B", PA * [1, 1, 0])):
            points = (np.array(gone) * worth).sum(axis=1)
            (row,) = rows_of(result, "destroyed", side=side, turn=turn)
            half = quantile() * points.std(ddof=1) / TRIALS**0.5
            assert row["value"] == pytest.approx(points.mean())
            assert row["value_high"] == pytest.approx(points.mean() + half)


def test_what_each_fighter_does(result):
    """Kills are known by batches of trials only, and so are their intervals."""
    kills = np.zeros((TRIALS, 3))
    for trial in range(TRIALS):
        deaths, killers, _ = fate(trial)
        for death, killer in zip(deaths, killers, strict=True):
            kills[trial, killer] += bool(death) and killer >= 0
    batches = kills[: 25 * BATCH].reshape(25, BATCH, 3).sum(axis=1)
    for i, name in enumerate(("Lama di Smeraldo", "Fuco Daikinee", "Evisceratore")):
        (row,) = rows_of(result, "fighter", fighter=name, what="kills")
        assert row["value"] == pytest.approx(kills[:, i].mean())
        half = t.ppf(0.975, 24) * batches[:, i].std(ddof=1) * 25**0.5 / TRIALS
        assert row["value_high"] - row["value"] == pytest.approx(half)
        assert row["number"] == PA[i]


def test_intervals_of_kills_cover_what_they_should(known):
    """Of 80 runs of 100 trials, 4 intervals miss the mean on average; 14 or more: below 1e-4."""
    mean = 2 * 0.6 * 0.5  # two enemies, dead in 3 of 5 trials, half of them by its hand
    counted = battle_sampling._count(np.zeros(1), 0, 80 * CHUNK, (3, TURNS, REACH))
    assert counted.kills[2] / counted.trials == pytest.approx(mean, abs=0.03)
    missed = 0
    for run in range(80):
        counts = battle_sampling._count(np.zeros(1), run * CHUNK, CHUNK, (3, TURNS, REACH))
        half = _half_width(counts, 0, 2)
        missed += half is None or abs(counts.kills[2] / CHUNK - mean) > half
    assert missed < 14


def test_few_trials_have_no_interval_of_kills(known):
    for trials, whole in ((5 * BATCH - 1, False), (5 * BATCH, True)):
        rows = rows_of(answer(known, sampled(Run(trials=trials, seed=7))), "fighter", what="kills")
        assert {row["value_low"] is not None for row in rows} == {whole}


def test_turns_to_the_end_and_losses_of_both_sides(result):
    ends = [ending(trial) for trial in range(TRIALS)]
    for row in rows_of(result, "round"):
        assert row["count"] == sum(end[End.TURN] == row["turn"] for end in ends)
        assert row["p_low"] <= row["p"] <= row["p_high"]
    assert [row["turn"] for row in rows_of(result, "round")] == [1, 2, 3]
    columns = {
        ("A", "fighters lost"): End.LOST_A,
        ("B", "fighters lost"): End.LOST_B,
        ("A", "points lost"): End.POINTS_A,
        ("B", "points lost"): End.POINTS_B,
    }
    for (side, what), column in columns.items():
        found = [end[column] for end in ends]
        rows = rows_of(result, "loss", side=side, what=what)
        assert [row["number"] for row in rows] == sorted(set(found))
        for row in rows:
            assert row["count"] == found.count(row["number"])
            assert row["count_at_least"] == sum(lost >= row["number"] for lost in found)
            low, high = wilson(row["count_at_least"], TRIALS)
            ends_told = row["p_at_least_low"], row["p_at_least_high"]
            assert ends_told == pytest.approx((float(low), float(high)))


def test_the_kernel_tells_the_last_turn_of_each_trial():
    """It is the turn of the last step that a transcript of the trial has (T-1)."""
    question = ask_battle("ambush")
    ends = battle_sampling.battle_ends(question.compiled(3), 0, 12)
    stories = [transcript(question, 3, trial) for trial in range(12)]
    assert ends[:, End.TURN].tolist() == [max(r["turn"] for r in s.rows) for s in stories]
    assert len(set(ends[:, End.TURN].tolist())) > 1


def test_five_trials_are_worth_watching(result):
    scores = [score(trial) for trial in range(TRIALS)]
    ordered = sorted(scores)
    rows = rows_of(result, "watch")
    assert [row["what"] for row in rows] == list(WATCHED)
    ranks = [0, 63, 127, 191, 254]
    assert [row["number"] for row in rows] == [ordered[rank] for rank in ranks]
    for row in rows:
        assert score(row["trial"]) == row["number"]
        assert row["trial"] == scores.index(row["number"])


def test_a_single_trial_is_watched_five_times_and_has_no_interval_of_means(known):
    result = answer(known, sampled(Run(trials=1, seed=7)))
    assert [row["trial"] for row in rows_of(result, "watch")] == [0] * 5
    means = [row for row in result if row["value"] is not None]
    assert means
    assert all(row["value_low"] is None and row["value_high"] is None for row in means)
    assert "A's points less B's" in result.encoded("table", 80).decode()


@pytest.mark.parametrize("trials", [1, BATCH, CHUNK + 1, 3 * CHUNK])
def test_counts_do_not_depend_on_threads(known, trials):
    told = []
    one = count_battle(known, Method("mc", trials, 7), Run(threads=1, progress=told.append))
    three = count_battle(known, Method("mc", trials, 7), Run(threads=3))
    for name, value in vars(one).items():
        assert np.array_equal(value, getattr(three, name)), name
    assert sum(told) == one.trials == trials
    assert one.batches == trials // BATCH
    assert (one.firsts == NEVER).sum() == (one.histogram == 0).sum()


def test_ctrl_c_keeps_what_was_counted(known):
    def interrupt(trials):
        raise KeyboardInterrupt

    how = sampled(Run(trials=10 * CHUNK, seed=7))
    result = answer(known, how, Run(progress=interrupt, partial=True))
    assert result.stopped == "100 of 1,000 trials"
    assert {row["trials"] for row in result} == {CHUNK}
    with pytest.raises(KeyboardInterrupt):
        answer(known, how, Run(progress=interrupt))


# --- forms ----------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_rows_are_the_same_in_every_form(known, tmp_path, form):
    path = tmp_path / f"battle.{form}"
    words = ("battle", "small.toml", "--seed", 7, "--trials", TRIALS)
    done = estoc(*words, "-o", path)
    assert done.code == 0, done.err
    result = answer(known, sampled(Run(trials=TRIALS, seed=7)))
    if form == "json":
        assert json.loads(path.read_text(encoding="utf-8")) == result.rows
    elif form == "csv":
        rows = list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
        shown = [{k: "" if v is None else str(v) for k, v in row.items()} for row in result]
        assert rows == shown
    else:
        assert pq.read_table(path).to_pylist() == result.rows


def test_a_table_has_at_most_80_columns(known):
    done = estoc("battle", "small.toml", "--seed", 7, "--trials", TRIALS)
    assert done.code == 0
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    for text in ("A wins", "worth watching", "points destroyed by B", "estoc replay small.toml"):
        assert text in done.out
    for assumed in ("assumed values", "are read"):
        assert assumed in done.out


def test_the_command_gives_the_answer_again(known):
    words = ("battle", "small.toml", "--policy-b", "random", "--trials", 20)
    rows = answered(*words)
    again = shlex.split(rows[0]["command"])
    assert again[0] == "estoc"
    assert answered(*again[1:]) == rows
    assert rows[0]["policy"] == "A=aggressive B=random"


def test_the_picture(known):
    picture = answer(known, sampled(Run(trials=TRIALS, seed=7))).plot()
    left, middle, right = picture.axes
    shares = [bar.get_height() for bar in left.patches]
    assert sum(shares) == pytest.approx(100)
    assert [line.get_label() for line in middle.lines] == ["destroyed by A", "destroyed by B"]
    assert "A wins" in picture.get_suptitle()
    deaths = [fate(trial)[0] for trial in range(TRIALS)]
    lives = [
        sum(death[i] == 0 or death[i] > turn for death in deaths) / TRIALS
        for i in range(3)
        for turn in range(1, TURNS + 1)
    ]
    assert [text.get_text() for text in right.texts] == [f"{100 * share:.0f}" for share in lives]


def test_remarks_name_what_is_assumed(known):
    result = answer(known, sampled(Run(trials=5, seed=7)))
    assert "tests.opposed_tie" in result.assumed
    assert not [key for key in result.assumed if key.endswith(".TIR") or "weapon" in key]
    assert any("abilities not modelled" in note for note in result.notes)
    assert not any("weapons" in note for note in result.notes)
    shooting = ask_battle("ambush")
    assert {"weapon.bow.strength", "penalty.light.TIR"} <= set(shooting.assumed)
    assert any("Arciere del Sangue (bow)" in remark for remark in shooting.remarks())


# --- the kernel -----------------------------------------------------------------------


@pytest.mark.parametrize("policies", [("aggressive", "aggressive"), ("random", "aggressive")])
def test_counts_are_those_of_the_battles_that_are_replayed(policies):
    """Each trial told alone, its points, dead and killers added up."""
    question = ask_battle("small.toml", policies)
    trials = 25
    counts = count_battle(question, Method("mc", trials, 11), Run(threads=2))
    outcome, destroyed = [0, 0, 0], np.zeros((TURNS, 2), int)
    kills, deaths, differences = np.zeros(3, int), np.zeros((3, TURNS), int), []
    lasted = np.zeros(TURNS + 1, int)
    for trial in range(trials):
        turn, so_far = 0, (0, 0)
        for kind, data in transcript(question, 11, trial).steps:
            if kind == "turn":
                turn = data["turn"]
            elif kind == "wound" and data["state"] == "dead":
                kills[data["striker"]] += 1
                deaths[data["target"], turn - 1] += 1
            elif kind == "score":
                so_far = data["destroyed"]
                destroyed[turn - 1] += so_far
            elif kind == "end":
                outcome[data["winner"]] += 1
                differences.append(data["points"][0] - data["points"][1])
        destroyed[turn:] += so_far
        lasted[turn] += 1
    assert counts.outcome.tolist() == outcome
    assert counts.kills.tolist() == kills.tolist()
    assert counts.deaths.tolist() == deaths.tolist()
    assert counts.destroyed.tolist() == destroyed.tolist()
    assert counts.lasted.tolist() == lasted.tolist()
    assert (counts.lost @ np.arange(4)).tolist() == [deaths[:2].sum(), deaths[2].sum()]
    assert (counts.paid @ np.arange(REACH + 1)).tolist() == destroyed[-1, ::-1].tolist()
    assert [counts.histogram[d + counts.reach] for d in differences] == [
        differences.count(d) for d in differences
    ]
    rows = rows_of(answer(question, sampled(Run(trials=trials, seed=11))), "watch")
    assert [differences[row["trial"]] for row in rows] == [row["number"] for row in rows]
    assert {row["number"] for row in rows} >= {min(differences), max(differences)}


@pytest.mark.parametrize("name", ["ambush", "pitched"])
def test_shipped_battles_are_played_and_drawn(name, tmp_path):
    question = ask_battle(name)
    counts = count_battle(question, Method("mc", 4, 1))
    assert counts.trials == counts.outcome.sum() == 4
    found = transcript(question, 1, 3)
    assert max(map(len, found.title.splitlines())) <= 80
    assert save_film(found.steps, tmp_path / "film") >= 3


# --- one battle -----------------------------------------------------------------------


@pytest.fixture
def scripted(known, monkeypatch):
    """Let every trial be the battle made by hand; return which were asked for."""
    asked = []

    def steps(battles, scenario, edition, trial, policies):
        asked.append((int(battles["seed"][0]), scenario.file, trial, policies))
        return BATTLE

    monkeypatch.setattr("estoc.sim.battle.steps.battle_steps", steps)
    return asked


REPLAY = ("small.toml", "--seed", 5, "--policy-b", "random")


@pytest.mark.parametrize("head", [("replay",), ("replay", "battle"), ("replay", "estoc", "battle")])
def test_a_trial_is_told_in_words(scripted, head):
    done = estoc(*head, *REPLAY, "--trial", 3)
    assert done.code == 0, done.err
    assert scripted == [(5, "small.toml", 3, ("aggressive", "random"))]
    assert battle_text(BATTLE) in "\n".join(line.rstrip() for line in done.out.splitlines())
    lines = done.out.splitlines()
    assert max(map(len, lines)) <= 80
    again = " ".join(lines[lines.index("again:") + 1 :]).replace("\\ ", "")
    words = shlex.split(again)
    assert words[:2] == ["estoc", "replay"]
    assert estoc(*words[1:]).out == done.out


def test_a_trial_as_json_is_its_steps(scripted, tmp_path):
    path = tmp_path / "steps.json"
    done = estoc("replay", *REPLAY, "--trial", 3, "-o", path)
    assert "wrote" in done.err
    rows = json.loads(path.read_text(encoding="utf-8"))
    assert [(row.pop("step"), row) for row in rows] == BATTLE
    assert estoc("replay", *REPLAY, "--trial", 3, "--format", "json").data == path.read_bytes()


def test_a_trial_has_a_row_for_each_step(scripted, tmp_path):
    path = tmp_path / "steps.parquet"
    estoc("replay", *REPLAY, "--trial", 3, "-o", path)
    rows = pq.read_table(path).to_pylist()
    assert [row["step"] for row in rows] == [step.kind for step in BATTLE]
    assert [json.loads(row["cells"]) for row in rows] == [step.data for step in BATTLE]
    turns = [row["turn"] for row in rows]
    assert turns == sorted(turns)
    assert set(turns) == {0, 1, 2}
    done = estoc("replay", *REPLAY, "--trial", 3, "--format", "csv")
    assert len(list(csv.DictReader(io.StringIO(done.out)))) == len(BATTLE)


def test_a_trial_of_a_result_file(scripted, tmp_path):
    path = tmp_path / "battle.csv"
    assert estoc("battle", "small.toml", "--seed", 9, "--trials", 5, "-o", path).code == 0
    assert estoc("replay", path, "--trial", 4).code == 0
    assert scripted == [(9, "small.toml", 4, ("aggressive", "aggressive"))]
    done = estoc("replay", path, "--trial", 5)
    assert (done.code, done.err) == (2, "estoc: trial 5: the run has trials 0 to 4\n")


def test_a_trial_is_drawn(scripted, tmp_path):
    folder, film = tmp_path / "film", tmp_path / "film.gif"
    done = estoc("replay", *REPLAY, "--trial", 3, "--plot", folder)
    assert done.err.endswith(f"estoc: drew {folder}, 6 pictures\n")
    assert len(list(folder.iterdir())) == 6
    done = estoc("replay", *REPLAY, "--trial", 3, "--plot", film)
    assert done.err.endswith(f"estoc: drew {film}, 9 pictures\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((*REPLAY, "--trial", -1), "trial -1 should be from 0"),
        ((*REPLAY, "--trial", 2_000), "trial 2000: the run has trials 0 to 1999"),
        (("small.toml", "--trial", 1), "give the --seed"),
        (("none.toml", "--seed", 1, "--trial", 1), "none.toml: cannot be read"),
        (("ambsh", "--seed", 1, "--trial", 1), '"ambsh" should be duel, combat, cards or battle'),
        ((*REPLAY, "--trial", 1, "--plot", "x.png"), "drawn in a folder, or in a .gif"),
        (
            ("cards", "griffon", "scorpion", "--seed", 1, "--trial", 1, "--plot", "x"),
            "replay: --plot draws battles",
        ),
    ],
)
def test_what_cannot_be_replayed(scripted, words, message):
    done = estoc("replay", *words)
    assert (done.code, done.data, scripted) == (2, b"", [])
    assert message in done.err
    assert done.err.count("\n") == 1


def test_policies_for_battles_are_listed():
    lines = estoc("policy").out.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith("Policies for battles"))
    named = [line.split()[0] for line in lines[at + 1 :] if not line.startswith("   ")]
    assert tuple(named) == BATTLE_POLICIES
    assert max(map(len, lines)) <= 80


# --- refusals -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--policy-a", "agressive"), 'policy "agressive" is no policy for battles; nearest: agg'),
        (("--trials", 0), "trials should be at least 1, not 0"),
        (("--trials", 2**48 + 1), f"trials {2**48 + 1} should be at most {2**48}"),
        (("--seed", -1), "seed should be at least 0, not -1"),
        (("--plot", "x.gif"), "the ending of a picture should be"),
        (("--edition", "none"), "none"),
    ],
)
def test_what_cannot_be_asked(known, words, message):
    done = estoc("battle", "small.toml", *words)
    assert (done.code, done.data) == (2, b"")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_a_battle_needs_two_sides_and_whole_cards(known, tmp_path):
    one = "\n".join(SMALL.replace('side = "B"', 'side = "A"').splitlines())
    (tmp_path / "one.toml").write_text(one, encoding="utf-8")
    with pytest.raises(InputError, match="side B has no fighter"):
        ask_battle(str(tmp_path / "one.toml"))
    lacking = SMALL.replace("Fuco Daikinee", "Arciere Daikinee").replace("Fuco", "Arciere")
    (tmp_path / "lacking.toml").write_text(lacking, encoding="utf-8")
    with pytest.raises(InputError, match=r'fighter "Arciere Daikinee": .* not known'):
        ask_battle(str(tmp_path / "lacking.toml"))


@pytest.mark.parametrize(
    ("complete", "tracks", "message"),
    [(False, 0, "more than 131072 events"), (True, 8193, "more than 8192 moves and shots")],
)
def test_a_trial_that_no_log_holds_is_not_told(known, monkeypatch, complete, tracks, message):
    def tell(battles, trial):
        battles["tracks"] = tracks
        return [], complete

    monkeypatch.setattr(battle_trials, "tell_battle", tell)
    with pytest.raises(InputError, match=message):
        transcript(known, seed=1)


def card(name: str, size: str = "moyenne") -> Profile:
    stats = dict.fromkeys(("MOU", "INI", "ATT", "FOR", "DEF", "RES", "COU", "DIS", "PA"), 5)
    return Profile(name, size=size, **stats)


def ringed(enemies: int) -> Scenario:
    """Return a very large fighter in the middle of so many small ones of the enemy, ten at most."""
    rows = [(x, y) for x in (46.0, 48.5, 51.0) for y in (53.75, 46.25)]
    rows += [(x, y) for x in (45.0, 52.5) for y in (48.75, 51.25)]
    ring = [Placed(f"Rat#{n}", card("Rat"), "B", at, 0.0) for n, at in enumerate(rows[:enemies], 1)]
    troll = Placed("Troll", card("Troll", "très grande"), "A", (50.0, 50.0), 0.0)
    return Scenario("Ring", 100.0, 100.0, (), (troll, *ring))


def test_no_fighter_touches_more_enemies_than_a_combat_has_room_for():
    assert ask_battle(ringed(8)).labels[0] == "Troll"
    with pytest.raises(InputError, match="Ring: Troll touches 9 enemies: at most 8 find room"):
        ask_battle(ringed(9))


def test_no_side_has_more_cards_than_there_is_room_for():
    places = [(5.0 + 5 * (n % 18), 5.0 + 5 * (n // 18)) for n in range(34)]
    own = [Placed(f"{n}", card(f"{n}"), "A", at, 0.0) for n, at in enumerate(places[:-1])]
    enemy = Placed("Rat", card("Rat"), "B", places[-1], 0.0)
    made = Scenario("Many", 100.0, 100.0, (), (*own, enemy))
    with pytest.raises(InputError, match=r"Many: side A has fighters of 33 profiles.*at most 32"):
        ask_battle(made)
    assert ask_battle(replace(made, fighters=made.fighters[1:])).labels[0] == "1"


def test_a_scenario_of_a_program_has_no_command(known):
    made = replace(load_scenario("small.toml"), file="")
    found = battle(made, trials=5, seed=1)
    assert found.command == ""
    assert "Small: A against B, 3 turns" in found.encoded("table", 80).decode()


def test_a_card_is_changed_in_a_battle_and_in_the_command_that_gives_it_again():
    told = Options(sets=("A.ATT=9",))
    question = ask_battle("ambush", options=told)
    plain = ask_battle("ambush")
    attacks = {p.side: p.profile.ATT for p in question.scenario.fighters}
    assert attacks["A"] == 9
    assert [p.profile for p in question.scenario.fighters if p.side == "B"] == [
        p.profile for p in plain.scenario.fighters if p.side == "B"
    ]
    assert question.inputs != plain.inputs
    command = question.command_line(Method("mc", 10, 1))
    assert "--set A.ATT=9" in command
    again, seed, trials = question_of(tuple(shlex.split(command)))
    assert (again.inputs, seed, trials) == (question.inputs, 1, 10)
