"""Battles compared with the same dice: one change, favours, assumed values (T-1 to T-6)."""

import csv
import io
import shlex
from dataclasses import replace

import numpy as np
import pytest
from running import answered, estoc

from estoc.kernels.layout.battle import End
from estoc.profiles import InputError
from estoc.profiles.compile.battle import Favours
from estoc.sim.base.options import Options
from estoc.sim.base.run import Run
from estoc.sim.base.sequence import CAP, PRECISION, looks, proportion_sequence
from estoc.sim.base.stats import wilson
from estoc.sim.battle.battle import sampled
from estoc.sim.battle.sampling import battle_ends
from estoc.sim.contest import compare as comparing
from estoc.sim.contest.compare import (
    BATTLES,
    ENDS,
    MEASURES,
    SHOWN,
    answer,
    compare,
    comparison,
    planned,
)
from estoc.sim.contest.favours import (
    FEWER,
    FIRST,
    MORE,
    REFUSAL,
    TACTICS,
    favoured,
    without,
)
from estoc.sim.contest.paired import LEAD, SCORE, marks_of
from estoc.sim.contest.sensitivity import varied
from estoc.sim.contest.setting import CHANGES, Setting
from estoc.sim.contest.variants import BASE, CHANGED, KEPT
from estoc.sim.contest.variants import answer as answer_all

SMALL = """
name = "Small"
table = [60, 40]
turns = 2
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
[[survival]]
fighter = "Fuco"
points = 5
"""
LISTS = ("daikinee-riders", "devoreurs-elite")
TRIALS = 60


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("compared")
    (place / "small.toml").write_text(SMALL, encoding="utf-8")
    return place


@pytest.fixture(autouse=True)
def surroundings(folder, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(folder)


def small(**told):
    return Setting("small.toml", **told)


def lists(**told):
    return Setting("open", armies=LISTS, **told)


def compared(*changes, first=None, trials=TRIALS, seed=1, **asked):
    return compare(first or small(), changes=changes, trials=trials, seed=seed, **asked)


def gains(result):
    return {row["what"]: row for row in result if row["section"] == "gain"}


# --- pairing -----------------------------------------------------------------------------


@pytest.mark.parametrize("first", [small(), lists()])
def test_nothing_differs_between_a_battle_and_itself(first):
    result = compared(first=first, trials=20)
    for row in gains(result).values():
        cells = [row[key] for key in ("value", "value_low", "value_high", "differing", "saving")]
        assert cells == [0, 0, 0, 0, None]
    assert comparing.SAME in result.notes


def test_the_same_battle_played_twice_gives_the_same_trials():
    question = small().contest().compiled(3)
    again = small().contest().compiled(3)
    assert (marks_of(question, 0, 30) == marks_of(again, 0, 30)).all()


def test_differences_are_those_of_the_trials():
    changed = small(policies=("aggressive", "random"))
    result = compared("policy-b=random")
    ends = [battle_ends(s.contest().compiled(1)[0], 0, TRIALS) for s in (small(), changed)]
    score = [np.array([1, 0, 0.5])[e[:, End.WINNER]] for e in ends]
    lead = [e[:, End.LEAD] for e in ends]
    found = gains(result)
    for what, (one, other) in (("score", score), ("points", lead)):
        assert found[what]["value"] == pytest.approx((other - one).mean())
        assert found[what]["differing"] == (other != one).sum()
    for name, end in zip(BATTLES, ends, strict=True):
        counts = [row["count"] for row in result if row["section"] == name][: len(ENDS)]
        assert counts == [(end[:, End.WINNER] == k).sum() for k in range(3)]
        assert sum(counts) == TRIALS


def test_lists_are_fought_from_both_sides():
    result = compared("policy-b=random", first=lists(), trials=10)
    contest = lists().contest()
    here, there = contest.questions
    assert [q.sides for q in (here, there)] == [here.sides, here.sides[::-1]]
    ends = [battle_ends(question.compiled(1), 0, 10) for question in (here, there)]
    wins = (ends[0][:, End.WINNER] == 0).sum() + (ends[1][:, End.WINNER] == 1).sum()
    assert result.rows[0]["count"] == wins
    # battles of one trial are not apart: Wilson's interval is that of ten, each by its share
    ends_of_ten = tuple(map(float, wilson(wins / 2, 10)))
    assert (result.rows[0]["p_low"], result.rows[0]["p_high"]) == ends_of_ten
    marks = marks_of(contest.compiled(1), 0, 10)
    assert (marks[:, 0, LEAD] == ends[0][:, End.LEAD]).all()
    assert (marks[:, 1, LEAD] == -ends[1][:, End.LEAD]).all()


def test_what_is_a_s_goes_with_its_list_to_the_other_side():
    told = lists(
        policies=("random", "aggressive"), favours=Favours(tactics=0, first=1, refusals=(1, -2))
    )
    cards = replace(told.options, sets=("A.ATT=9",))
    here, there = replace(told, options=cards).contest().questions
    assert (here.policies, there.policies) == (("random", "aggressive"), ("aggressive", "random"))
    assert there.favours == Favours(tactics=1, first=0, refusals=(-2, 1))
    for question, side in ((here, "A"), (there, "B")):
        attacks = {p.side: {p.profile.ATT} for p in question.scenario.fighters}
        assert attacks[side] == {9}
        assert attacks["AB".replace(side, "")] != {9}


@pytest.mark.parametrize("enemy", ["devoreurs-elite", "devoreurs-mixed"])
@pytest.mark.parametrize(("label", "there"), [("Evisceratore#A", "B"), ("Carnivoro (1)#A2", "B2")])
def test_a_label_goes_with_its_list_to_the_other_side(enemy, label, there):
    told = Options(sets=(f"{label}.FOR=13",))
    contest = Setting("open", options=told, armies=("devoreurs-elite", enemy)).contest()
    set_ones = [
        [(p.side, p.label) for p in question.scenario.fighters if p.profile.FOR == 13]
        for question in contest.questions
    ]
    name = label.partition("#")[0]
    assert set_ones == [[("A", label)], [("B", f"{name}#{there}")]]


def test_labels_of_a_scenario_stay_as_they_are():
    scenario = small().staged().scenario
    odd = replace(scenario.fighters[0], label="Lama#A")
    scenario = replace(scenario, fighters=(odd, *scenario.fighters[1:]))
    question = Setting(scenario, options=Options(sets=("Lama#A.FOR=9",))).contest().question
    assert [p.label for p in question.scenario.fighters if p.profile.FOR == 9] == ["Lama#A"]


@pytest.mark.parametrize("first", [small(), lists()])
def test_threads_chunks_and_blocks_change_nothing(first, monkeypatch):
    wanted = compared("policy-b=random", first=first, trials=25, threads=1)
    monkeypatch.setattr("estoc.sim.contest.paired.CHUNK", 4)
    monkeypatch.setattr(comparing, "BLOCK", 7)
    for threads in (1, 3):
        assert compared("policy-b=random", first=first, trials=25, threads=threads) == wanted


def test_a_change_for_the_worse_is_told_by_its_sign():
    assert gains(compared("policy-b=random", trials=200))["score"]["value_low"] > 0
    assert gains(compared("policy-a=random", trials=200))["score"]["value_high"] < 0
    better = gains(compared("set=A.FOR=12", "set=A.RES=12", trials=200))
    assert better["score"]["value_low"] > 0
    assert better["points"]["value_low"] > 0


def test_the_same_dice_save_trials_where_little_is_different():
    found = gains(compared("rule=penalty.light.INI=2", trials=400))
    assert 0 < found["points"]["differing"] < 100
    assert found["points"]["saving"] > 3


def test_ctrl_c_keeps_whole_blocks(monkeypatch):
    monkeypatch.setattr(comparing, "BLOCK", 10)
    asked = comparison(small(), small(), ("policy-b=random",))
    done = []

    def advance(battles):
        done.append(battles)
        if sum(done) > 55:
            raise KeyboardInterrupt

    result = answer(asked, sampled(Run(trials=1000, seed=1)), Run(progress=advance, partial=True))
    assert result.stopped == "20 of 1,000 trials"
    whole = answer(asked, sampled(Run(trials=20, seed=1)))
    assert [row["value"] for row in result] == [row["value"] for row in whole]
    with pytest.raises(KeyboardInterrupt):
        answer(asked, sampled(Run(trials=1000, seed=1)), Run(progress=advance))


# --- what may be changed -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("policy-a=random", "policies", ("random", "aggressive")),
        ("policy-b=random", "policies", ("aggressive", "random")),
        ("tactics=a", "favours", Favours(tactics=0)),
        ("first=B", "favours", Favours(first=1)),
        ("refusals-a=+2", "favours", Favours(refusals=(2, 0))),
        ("refusals-b=-1", "favours", Favours(refusals=(0, -1))),
        ("army-a=devoreurs-horde", "armies", ("devoreurs-horde", LISTS[1])),
        ("army-b=devoreurs-horde", "armies", (LISTS[0], "devoreurs-horde")),
        ("field=village", "scenario", "village"),
    ],
)
def test_a_change_changes_one_thing(change, field, value):
    changed = lists().changed(change)
    assert getattr(changed, field) == value
    assert replace(changed, **{field: getattr(lists(), field)}) == lists()


@pytest.mark.parametrize(
    ("change", "field", "value"),
    [
        ("rule=wounds.killed_level=5", "rules", ("wounds.killed_level=5",)),
        ("set=A.ATT=5", "sets", ("A.ATT=5",)),
        ("edition=c3", "edition_name", "c3"),
    ],
)
def test_a_change_changes_one_option(change, field, value):
    assert getattr(small().changed(change).options, field) == value


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("policy-a", 'change "policy-a" should be WHAT=VALUE'),
        ("polcy-a=random", 'no "polcy-a"; nearest: policy-a'),
        ("first=C", "the side should be A or B"),
        ("refusals-a=10", "whole number from -9 to 9"),
        ("refusals-b=x", "whole number from -9 to 9"),
        ("army-a=devoreurs-elite", "a scenario has no army lists"),
        ("field=village", "a field of its own"),
        ("policy-a=brave", 'policy "brave"'),
        ("set=Nobody.ATT=5", "no such fighter"),
        ("rule=no_rule=1", 'no key "no_rule"'),
    ],
)
def test_a_wrong_change_is_told_in_one_line(change, words):
    done = estoc("compare", "small.toml", "--change", change, "--seed", 1)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1


def test_help_names_every_change():
    shown = estoc("compare", "--help").out
    assert [what for what in CHANGES if f"{what}=" not in shown] == ["refusals-b"]


# --- until it is sure --------------------------------------------------------------------


def test_a_run_ends_at_a_look_where_one_is_shown_to_be_better(monkeypatch):
    worse = compared("policy-a=random", until_sure=True, trials=3000)
    assert worse.rows[-1]["what"] == "first is better for A"
    assert worse.rows[-1]["ended"] == SHOWN
    done = worse.rows[-1]["trials"]
    assert done in looks(3000)
    assert done < 3000
    assert worse.stopped == ""
    assert gains(worse)["score"]["value_high"] < 0
    fixed = compared("policy-a=random", trials=done)
    for row, other in zip(worse.rows[:-3], fixed.rows[:-2], strict=True):
        assert (row["value"], row["count"]) == (other["value"], other["count"])
    # and so have the shares of each battle
    for row in [row for row in worse if row["section"] in BATTLES and row["what"] in ENDS]:
        assert (row["p_low"], row["p_high"]) == tuple(
            map(float, proportion_sequence(row["count"], done, tuned=2_000))
        )
        low, high = wilson(row["count"], done)
        assert row["p_high"] - row["p_low"] > high - low
    wide, narrow = gains(worse)["score"], gains(fixed)["score"]
    assert wide["value"] == narrow["value"]
    assert wide["value_low"] < narrow["value_low"]
    monkeypatch.setattr("estoc.sim.contest.paired.CHUNK", 7)
    for threads in (1, 3):
        assert compared("policy-a=random", until_sure=True, trials=3000, threads=threads) == worse


def test_a_run_that_shows_nothing_ends_at_its_cap():
    result = compared("rule=tests.many_dice=one_chain", until_sure=True, trials=220)
    assert (result.rows[-1]["what"], result.rows[-1]["ended"]) == ("neither is shown better", CAP)
    assert result.rows[-1]["trials"] == 220
    assert gains(result)["score"]["value_low"] < 0 < gains(result)["score"]["value_high"]


def test_a_verdict_is_printed_with_what_ended_the_run():
    words = ("compare", "small.toml", "--change", "policy-b=random", "--until-sure")
    done = estoc(*words, "--seed", 3, "--trials", 2500)
    assert "Second is better for A: shown after " in done.out
    assert "--until-sure --trials 2500" in done.out
    done = estoc(*words[:3], "first=A", "--until-sure", "--seed", 3, "--trials", 30)
    assert "Neither is shown better: after 30 trials, the most" in done.out


# --- until it is precise -----------------------------------------------------------------


def test_a_run_ends_at_a_look_where_its_difference_is_known_well_enough():
    words = ("compare", "small.toml", "--change", "rule=penalty.light.INI=2", "--seed", 1)
    rows = answered(*words, "--precision", 0.05)
    row = next(row for row in rows if row["section"] == "gain")
    assert row["trials"] in looks(1200)
    assert (row["precision"], row["most_trials"], row["ended"]) == (0.05, 1200, PRECISION)
    assert row["value_high"] - row["value_low"] <= 0.1
    fixed = gains(compared("rule=penalty.light.INI=2", trials=row["trials"]))["score"]
    assert (row["value"], row["differing"]) == (fixed["value"], fixed["differing"])
    assert row["value_low"] < fixed["value_low"]
    done = estoc(*words, "--precision", 0.05)
    assert f"ended at the precision 0.05, after {row['trials']:,} trials" in done.out
    assert "--precision 0.05 --trials 1200" in " ".join(done.out.replace("\\\n", "").split())


def test_a_precision_that_is_not_reached_ends_at_its_cap():
    result = compared("policy-b=random", precision=0.01, trials=250)
    assert {(row["ended"], row["trials"]) for row in result} == {(CAP, 250)}


# --- favours and assumed values ----------------------------------------------------------


def test_a_fighter_who_is_left_out_takes_his_points_along():
    scenario = small().staged().scenario
    assert [p.label for p in without(scenario, 0).fighters] == ["Fuco Daikinee", "Evisceratore"]
    assert [s.fighter for s in without(scenario, 0).survival] == [0]
    assert without(scenario, 1).survival == ()
    assert [s.fighter for s in without(scenario, 2).survival] == [1]


def test_every_favour_is_given_to_both_sides():
    found = favoured(small().staged())
    given = [(v.what, v.side) for v in found if v.what in (TACTICS, FIRST, REFUSAL)]
    assert given == [(what, side) for what in (TACTICS, FIRST, REFUSAL) for side in "AB"]
    fewer = [(v.text, v.side, v.number) for v in found if v.what == FEWER]
    assert fewer == [
        ("Lama di Smeraldo", "A", 26),
        ("Fuco Daikinee", "A", 16),
        ("Evisceratore", "B", 28),
    ]


def test_each_card_of_a_list_has_one_fighter_more():
    base = lists().staged()
    found = [v for v in favoured(base) if v.what == MORE]
    cards = [
        (card.name, side)
        for army, side in zip(base.armies, "AB", strict=True)
        for card in army.cards
    ]
    assert [(v.text, v.side) for v in found] == cards
    many = len(base.contest().question.scenario.fighters)
    for variant in found:
        fighters = variant.setting.contest().question.scenario.fighters
        assert len(fighters) == many + 1
        own = [p for p in fighters if p.side == variant.side]
        assert len(own) == 1 + sum(
            p.side == variant.side for p in base.contest().question.scenario.fighters
        )


def favours(setting, **run):
    base = setting.staged()
    return answer_all("favours", base, favoured(base), sampled(Run(**run)))


def test_favours_are_what_comparisons_of_their_own_say():
    result = favours(small(), trials=TRIALS, seed=1)
    rows = {(row["what"], row["side"]): row for row in result if row["section"] == CHANGED}
    for change, key in (
        ("tactics=A", (TACTICS, "A")),
        ("first=B", (FIRST, "B")),
        ("refusals-b=1", (REFUSAL, "B")),
    ):
        alone = gains(compared(change))
        assert rows[key]["value"] == alone["score"]["value"]
        assert rows[key]["mean_points"] == alone["points"]["value"]
        assert rows[key]["mean_points_high"] == alone["points"]["value_high"]
    kept = [row for row in result if row["section"] == KEPT]
    assert [(row["what"], row["side"]) for row in kept] == [(FEWER, "B")]
    assert "side B has no fighter" in kept[0]["text"]


def test_sensitivity_has_a_row_for_each_step_of_each_assumed_value():
    base = small().staged()
    question = base.contest().question
    found = varied(base)
    assert list(dict.fromkeys(v.what.partition("=")[0] for v in found)) == list(question.assumed)
    for variant in found:
        key, _, text = variant.what.partition("=")
        if variant.setting is None:
            assert "no next one" in variant.text
            continue
        edition = variant.setting.options.edition
        assert edition[key] != base.options.edition[key]
        assert edition.entry(key).text == text
    ranges = [v.what for v in varied(Setting("pitched").staged()) if ".ranges" in v.what]
    assert ranges == [
        "weapon.bow.ranges=[24.0,44.0,64.0]",
        "weapon.bow.ranges=[26.0,46.0,66.0]",
    ]


def test_sensitivity_is_what_comparisons_of_their_own_say():
    base = small().staged()
    result = answer_all("sensitivity", base, varied(base), sampled(Run(trials=TRIALS, seed=1)))
    changed = [row for row in result if row["section"] == CHANGED]
    assert len(result) == 1 + len(varied(small().staged()))
    for row in changed[::30]:
        alone = gains(compared(f"rule={row['what']}"))
        assert row["value"] == alone["score"]["value"]
    still = [row for row in changed if not row["differing"]]
    assert still
    assert {row["value"] for row in still} == {0}
    alone = gains(compared(f"rule={still[0]['what']}"))["points"]
    assert still[0]["mean_points_high"] == alone["value_high"]
    assert all(row["chance"] <= row["chance_any"] <= 1 for row in changed)


@pytest.mark.parametrize("first", [small(), lists()])
def test_ctrl_c_keeps_all_changes_after_the_same_trials(first, monkeypatch):
    monkeypatch.setattr("estoc.sim.contest.variants.BLOCK", 10)
    base = first.staged()
    changes = [variant for variant in favoured(base) if variant.what in (TACTICS, FIRST)]
    battles_each = 5 * len(base.contest().questions)  # of a trial: the base and four changes
    done = []

    def advance(battles):
        done.append(battles)
        if sum(done) > 25 * battles_each:
            raise KeyboardInterrupt

    asked = ("favours", base, changes)
    result = answer_all(
        *asked, sampled(Run(trials=1000, seed=1)), Run(progress=advance, partial=True)
    )
    whole = answer_all(*asked, sampled(Run(trials=20, seed=1)), Run(threads=1))
    assert [row["section"] for row in result] == [BASE] + [CHANGED] * 4
    assert result.stopped == "20 of 1,000 trials"
    keys = ("trials", "value", "value_low", "value_high", "chance_any", "mean_points_low")
    assert [[r[key] for key in keys] for r in result] == [[r[key] for key in keys] for r in whole]
    with pytest.raises(KeyboardInterrupt):
        answer_all(*asked, sampled(Run(trials=1000, seed=1)), Run(progress=advance))


def test_ctrl_c_before_the_first_trials_leaves_nothing():
    def advance(battles):
        raise KeyboardInterrupt

    base = small().staged()
    asked = ("favours", base, favoured(base), sampled(Run(trials=20, seed=1)))
    result = answer_all(*asked, Run(progress=advance, partial=True))
    assert (list(result), result.stopped) == ([], "0 of 20 trials")


def test_a_favour_is_given_beside_those_that_there_are():
    had = Favours(tactics=1, first=0, refusals=(2, -1))
    found = {(v.what, v.side): v.setting.favours for v in favoured(small(favours=had).staged())}
    assert found[TACTICS, "A"] == Favours(tactics=0, first=0, refusals=(2, -1))
    assert found[FIRST, "B"] == Favours(tactics=1, first=1, refusals=(2, -1))
    assert found[REFUSAL, "A"] == Favours(tactics=1, first=0, refusals=(3, -1))
    assert found[REFUSAL, "B"] == Favours(tactics=1, first=0, refusals=(2, 0))
    assert found[FEWER, "A"] == had
    assert favours(small(favours=had), trials=2, seed=1).command == ""


# --- the command that gives it again -----------------------------------------------------


@pytest.mark.parametrize("first", [small(), lists()])
def test_what_words_can_say_is_a_command(first):
    for setting in (first, first.staged()):
        words = comparison(setting, setting, ("first=A",)).words
        assert words[-2:] == ("--change", "first=A")
    assert comparison(small(), Setting("pitched"), ("first=A",)).words[:2] == (
        *("small.toml", "pitched"),
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (small(favours=Favours(first=0)), None),
        (small(options=Options(turns=3)), None),
        (small(), small(policies=("random", "random"))),
        (small(), small(options=Options(rules=("wounds.killed_level=5",)))),
        (small(), small(favours=Favours(tactics=0))),
        (lists(), lists(policies=("random", "random"))),
        (lists(), Setting("open", armies=LISTS[::-1])),
    ],
)
def test_what_words_cannot_say_has_no_command(first, second):
    for changes in ((), ("first=A",)) if second else (("first=A",),):
        assert comparison(first, second or first, changes).words == ()


def test_a_scenario_that_is_not_as_its_file_says_has_no_command():
    scenario = replace(small().staged().scenario, turns=1)
    assert Setting(scenario).arguments() == []
    assert Setting(replace(scenario, file="nowhere.toml")).arguments() == []
    assert small().staged().arguments() == ["small.toml"]


def test_rows_name_what_both_battles_depend_on():
    changes = ("policy-b=random", "edition=c3")
    result = compared(*changes, trials=2)
    first = small().contest().question
    second = small().changed(changes[0]).changed(changes[1]).contest().question
    assert set(second.assumed) - set(first.assumed)
    for row in result:
        assert set(row["assumed"].split()) == {*first.assumed, *second.assumed}
        assert set(row["readings"].split()) == {*first.readings, *second.readings}
        assert set(row["remarks"].split("; ")) >= {*first.remarks(), *second.remarks()}
        assert row["policy"] == "aggressive; A=aggressive B=random"
        assert row["edition"] == f"{first.edition.name}; {second.edition.name}"
    alone = compared("first=A", first=lists(policies=("random", "aggressive")), trials=2)
    assert alone.rows[0]["policy"] == "A=random B=aggressive"


@pytest.mark.parametrize("kind", [("--change", "first=A"), ("--favours",), ("--sensitivity",)])
def test_no_trial_at_all_is_refused(kind):
    done = estoc("compare", "small.toml", *kind, "--trials", 0, "--seed", 1)
    assert done.code == 2
    assert "trials should be at least 1, not 0" in done.err
    for until_sure in (False, True):
        with pytest.raises(InputError, match="trials should be at least 1, not 0"):
            planned(Run(trials=0, seed=1), until_sure)


# --- as a person asks it -----------------------------------------------------------------


def test_two_scenarios_are_compared(folder):
    (folder / "other.toml").write_text(SMALL.replace("turns = 2", "turns = 3"), encoding="utf-8")
    done = estoc("compare", "small.toml", "other.toml", "--seed", 1, "--trials", 30)
    assert done.code == 0
    assert done.err == ""
    assert "second: Small" in done.out
    assert "estoc compare small.toml other.toml --trials 30 --seed 1" in done.out


def test_the_table_fits_its_terminal_and_names_the_command_that_gives_it_again():
    words = ("compare", "small.toml", "--policy-b", "random", "--set", "A.ATT=5")
    done = estoc(*words, "--change", "set=B.PA=30", "--seed", 4, "--trials", 40)
    assert max(map(len, done.out.splitlines()[:20])) <= 80
    again = done.out.partition("again:\n")[2].replace("\\\n", " ")
    assert estoc(*shlex.split(again)[1:]).data == done.data


@pytest.mark.parametrize("kind", ["--favours", "--sensitivity"])
def test_tables_of_many_changes(kind, monkeypatch):
    monkeypatch.setattr(
        "estoc.sim.contest.sensitivity.varied", lambda *asked: varied(*asked)[:40:4]
    )
    done = estoc("compare", "small.toml", kind, "--seed", 4, "--trials", 30)
    assert done.code == 0, done.err
    table = done.out.partition("seed 4")[0]
    assert max(map(len, table.splitlines())) <= 80
    assert "Holm's test of all" in table
    assert ("cannot be changed" in table) == (kind == "--favours")
    again = done.out.partition("again:\n")[2]
    assert estoc(*shlex.split(again)[1:]).data == done.data


def test_every_form_says_the_same():
    words = ("compare", "small.toml", "--change", "first=A", "--seed", 2, "--trials", 20)
    rows = answered(*words)
    table = estoc(*words, "--format", "csv").out
    read = list(csv.DictReader(io.StringIO(table)))
    assert [row["value"] for row in read] == [
        "" if r["value"] is None else str(r["value"]) for r in rows
    ]
    assert {row["what"] for row in rows if row["section"] == "gain"} == set(MEASURES)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["small.toml"], "say what is different"),
        (["small.toml", "small.toml", "small.toml"], "one scenario too many"),
        (["small.toml", "--field", "open", "--change", "first=A"], "--field is for two army lists"),
        (["vs", "devoreurs-elite"], "LIST vs LIST"),
        (["small.toml", "--favours", "--sensitivity"], "drop --sensitivity"),
        (["small.toml", "--favours", "--change", "first=A"], "drop --change"),
        (["small.toml", "--favours", "--until-sure"], "drop --until-sure"),
        (["small.toml", "--favours", "--precision", 0.1], "drop --precision"),
        (["small.toml", "small.toml", "--favours"], "about one battle"),
        (["nowhere", "--change", "first=A"], "neither a scenario"),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(words, told):
    done = estoc("compare", *words, "--trials", 10)
    assert done.code == 2
    assert told in done.err
    assert done.err.count("\n") == 1


def test_a_scenario_against_lists_is_refused():
    with pytest.raises(InputError, match="not one of each"):
        comparison(small(), lists())


def test_scores_of_a_comparison_are_wins_and_half_of_draws():
    result = compared("policy-b=random")
    for name in BATTLES:
        rows = {row["what"]: row for row in result if row["section"] == name}
        score = (rows["A wins"]["count"] + rows["draw"]["count"] / 2) / TRIALS
        assert rows["score"]["value"] == pytest.approx(score)
    found = {
        name: next(r for r in result if r["section"] == name and r["what"] == "score")
        for name in BATTLES
    }
    assert gains(result)["score"]["value"] == pytest.approx(
        found["second"]["value"] - found["first"]["value"]
    )
    assert SCORE == 0
