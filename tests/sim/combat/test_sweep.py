"""Sweeps: every cell is the duel alone, whatever stands beside it."""

import shlex
from itertools import product

import pytest
from running import ABLE, ARKEON, BARE, GUARD, PLAIN, ROSTER, WARRIOR, answered, own_dice

from estoc.profiles import InputError, Profile
from estoc.sim.base.options import Dice, Options
from estoc.sim.base.policy import parse_policies
from estoc.sim.base.run import Run
from estoc.sim.combat import sweep as sweep_module
from estoc.sim.combat.combat import notes_of
from estoc.sim.combat.combatants import numbered
from estoc.sim.combat.duel import duel
from estoc.sim.combat.sweep import (
    allocations,
    answer,
    duels_of,
    lacking,
    method_asked,
    placings,
    score,
    sweep,
)

ALL = ["2/0", "1/1", "0/2"]
SETS = (f"{ARKEON}.ATT=5", f"{ARKEON}.RES=9")
FEW = [ROSTER.find(GUARD), ABLE[7], ABLE[30]]
EVEN = [ROSTER.find(GUARD), BARE[7], BARE[30]]  # all place two dice


def swept(a=GUARD, b=WARRIOR, trials=400, seed=2, **asked):
    return sweep(a, b, trials=trials, seed=seed, roster=ROSTER, **asked)


def cells(result):
    return {
        tuple(row[key] for key in ("a", "b", "dice_a", "dice_b", "charge")): row for row in result
    }


def test_allocations():
    options = Options()
    assert allocations("all", options) == [Dice(2, 0), Dice(1, 1), Dice(0, 2)]
    assert allocations("policy", options) == [None]
    assert allocations("2/0, 1/1", options) == [Dice(2, 0), Dice(1, 1)]
    assert allocations("2/0,policy", options) == [Dice(2, 0), None]
    assert len(allocations("ALL", Options(rules=("dice.base=2",)))) == 4


def test_every_cell_once_in_order():
    found = swept(FEW[:2], FEW[1:], charges=("none", "A"))
    assert {len(own_dice(fighter)) for fighter in FEW} == {3, 4}
    assert [tuple(r[k] for k in ("charge", "a", "b", "dice_a", "dice_b")) for r in found] == [
        (charge, a.label, b.label, *dice)
        for charge, a, b in product(["none", "A"], FEW[:2], FEW[1:])
        for dice in product(own_dice(a), own_dice(b))
    ]


def test_what_is_asked_twice_is_played_once():
    once = swept(dice="2/0,1/1", charges=("A", "none"))
    assert swept(dice="2/0,1/1,2/0", charges=("A", "none", "A")).rows == once.rows


def test_counts_add_up_in_every_cell():
    for row in swept(FEW, FEW, trials=50):
        assert row["wins_a"] + row["wins_b"] + row["undecided"] == row["trials"] == 50


def test_a_cell_is_the_duel_alone():
    # H9
    options = {"turns": 2, "policies": parse_policies(("A=bold", "B=never"))}
    for row in swept(FEW, WARRIOR, charges=("none", "B"), options=Options(**options)):
        charge = () if row["charge"] == "none" else (row["charge"],)
        alone = duel(
            row["a"],
            row["b"],
            dice=[row["dice_a"], row["dice_b"]],
            trials=400,
            seed=2,
            options=Options(charge=charge, **options),
            roster=ROSTER,
        )
        assert row == alone.rows[0]


def test_the_order_of_cells_changes_no_cell():
    # H9
    one = cells(swept(EVEN, EVEN[:2], charges=("none", "A", "B")))
    other = cells(swept(EVEN[::-1], EVEN[1::-1], charges=("B", "none", "A"), dice="0/2,2/0,1/1"))
    assert len(one) == 3 * 2 * 3 * 9
    assert one == other


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_threads_and_chunks_change_no_byte(form):
    # H8
    files = {
        swept(FEW[:2], trials=1100, threads=threads, chunk=chunk).encoded(form)
        for threads, chunk in [(1, 1000), (2, 7), (4, 1000), (8, 7), (3, 65_536), (2, 100)]
    }
    assert len(files) == 1
    if form == "csv":
        few = swept(FEW[:2], trials=60, threads=4, chunk=1).encoded(form)
        assert few == swept(FEW[:2], trials=60, threads=1).encoded(form)


def test_rows_of_a_pair_share_their_dice():
    # more dice in attack never kills less, on the same dice
    found = cells(swept(trials=5000, seed=9))
    p = [
        found[FEW[0].label, ROSTER.find(WARRIOR).label, dice, "0/2", "none"]["p_a"] for dice in ALL
    ]
    assert p[0] > p[1] > p[2] == 0


@pytest.mark.parametrize("options", [Options(), Options(turns=3)])
def test_best_marks_the_best_answer_and_the_safest_dice(options):
    rows = swept(FEW, WARRIOR, best=True, trials=3000, options=options).rows
    for a in FEW:
        pair = [row for row in rows if row["a"] == a.label]
        for reply in ALL:
            column = [row for row in pair if row["dice_b"] == reply]
            best = [row for row in column if row["best_a"]]
            assert len(best) == 1
            assert score(best[0]) == max(map(score, column))
        own = own_dice(a)
        worst = {dice: min(score(row) for row in pair if row["dice_a"] == dice) for dice in own}
        safest = {row["dice_a"] for row in pair if row["safest_a"]}
        assert len(safest) == 1
        assert worst[safest.pop()] == max(worst.values())
        assert sum(row["safest_a"] for row in pair) == len(ALL)


def test_without_best_no_such_columns():
    assert {"best_a", "safest_a"}.isdisjoint(swept(trials=10).columns)


def test_options_may_be_about_some_fighters_only():
    options = Options(sets=SETS, wounds=(f"{GUARD}=light",))
    rows = sweep(
        FEW, [WARRIOR, ARKEON], trials=30, seed=1, dice="policy", options=options, roster=ROSTER
    ).rows
    for row in rows:
        assert answered(*shlex.split(row["command"])[1:]) == [row]
        assert (ARKEON in row["command"]) == row["b"].startswith(ARKEON)


def test_an_option_about_nobody_is_refused():
    with pytest.raises(InputError, match='--set "Nobody": no such fighter here'):
        swept(options=Options(sets=("Nobody.ATT=5",)))


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"charges": ("C",)}, 'charge "C" should be one of none, A, B'),
        ({"dice": "3/0"}, "should be 2 in all"),
        ({"dice": "some"}, "ATTACK/DEFENCE"),
        ({"dice": ""}, "ATTACK/DEFENCE"),
        ({"trials": 0}, "trials should be at least 1"),
        ({"b": ARKEON}, "the cell ATT is empty"),
    ],
)
def test_wrong_questions_are_refused(asked, message):
    with pytest.raises(InputError, match=message):
        swept(**asked)


def test_who_can_fight():
    fighters = [ROSTER.find(name) for name in (GUARD, ARKEON)]
    guard = fighters[:1]
    assert lacking(fighters, guard, Options()) == {("A", f"{ARKEON}@Conf'Fédé"): ["ATT", "RES"]}
    assert lacking(guard, fighters, Options(sets=SETS)) == {}


def test_a_fighter_without_pa():
    rows = swept([PLAIN], FEW[0], trials=20).rows
    assert {row["lost"] for row in rows} == {None}


def test_an_interrupted_sweep_has_the_cells_that_are_complete():
    told = []

    def interrupt(trials):
        told.append(trials)
        if sum(told) >= 4.5 * 1000:
            raise KeyboardInterrupt

    result = swept(FEW, trials=1000, chunk=100, progress=interrupt, partial=True)
    assert result.stopped == "4 of 33 cells"  # 3, 4 and 4 ways by 3
    assert result.rows == swept(FEW, trials=1000).rows[:4]
    told.clear()
    best = swept(FEW, trials=1000, chunk=5000, progress=interrupt, best=True, partial=True)
    assert {row["safest_a"] for row in best} == {None}  # its pair has duels not played
    told.clear()
    with pytest.raises(KeyboardInterrupt):
        swept(FEW, trials=1000, chunk=100, progress=interrupt)


def test_an_option_is_about_the_same_fighters_in_every_cell():
    orc, brute, troll = (
        Profile(name, INI=3, ATT=4, FOR=6, DEF=4, RES=7) for name in ("Orc", "Orc brutal", "Troll")
    )
    plain = cells(swept([orc, brute], troll, options=Options()))
    for key, row in cells(
        swept([orc, brute], troll, options=Options(sets=("Orc.FOR=30",)))
    ).items():
        assert (row["wins_a"] == plain[key]["wins_a"]) == (row["a"] != "Orc" or key[2] == "0/2")


def test_a_fighter_all_in_defence_tries_nothing_else():
    found = swept(options=Options(all_defence=("A",)))
    assert [row["dice_a"] for row in found] == ["0/2"] * 3
    longer = swept(options=Options(all_defence=("A",), turns=2), trials=20)
    assert len(longer) == 9


def test_dice_are_told_in_one_way():
    with pytest.raises(InputError, match="told by dice"):
        swept(options=Options(dice=("A=2/0",)))


@pytest.mark.parametrize("asked", [{"charges": "none"}, {"options": Options(charge=("A",))}])
def test_who_charges_is_told_in_one_way(asked):
    with pytest.raises(InputError, match="told by charges"):
        swept(**asked)


def test_the_number_of_duels_is_known_before_they_are_made():
    options = Options()
    duels = duels_of(ABLE[:40], ABLE[-9:], options, "all", ("none", "A", "none"))
    assert duels.charges == ("none", "A")
    tried = {len(dice) for _, dice in duels.a}
    assert len(tried) > 1  # some have more dice than C-3.1 gives
    made = list(duels)
    assert len(made) == len(duels)
    told = duels.telling()
    assert len(told) < len(made) / 5
    for about in ("readings", "assumed"):
        found = [{word for duel in some for word in getattr(duel, about)} for some in (told, made)]
        assert found[0] == found[1]
    assert notes_of(told) == notes_of(made)


def test_a_sweep_tells_as_many_answers_as_it_has_duels():
    fighters = [max(ABLE, key=lambda one: len(placings(numbered([one], "A")[0], "all", Options())))]
    duels = duels_of(fighters, FEW[:2], Options(), "all", ("none",))
    told = []
    result = answer(duels, method_asked(duels, Run()), Run(progress=told.append))
    assert sum(told) == len(duels) == len(result) > 18


@pytest.mark.parametrize("method", ["exact", "mc"])
def test_a_sweep_that_is_stopped_keeps_what_is_done(method, monkeypatch):
    def interrupted(found, how):
        if len(made) == 14:
            raise KeyboardInterrupt
        made.append(found)
        return usual(found, how)

    trials = 100 if method == "mc" else None
    asked = {"best": True, "method": method, "trials": trials, "seed": trials}
    whole = sweep(GUARD, [GUARD, WARRIOR], **asked)
    made, usual = [], sweep_module.duel_rows
    monkeypatch.setattr(sweep_module, "duel_rows", interrupted)
    part = sweep(GUARD, [GUARD, WARRIOR], partial=True, **asked)
    assert part.stopped == "14 of 18 cells"
    assert part.rows[:9] == whole.rows[:9]
    assert [row["p_a"] for row in part] == [row["p_a"] for row in whole.rows[:14]]
    assert {row["best_a"] for row in part.rows[9:]} == {None}


def test_a_stopped_sweep_is_in_order_whatever_is_answered_together(monkeypatch):
    whole = sweep([GUARD, WARRIOR], [WARRIOR, GUARD], trials=500, seed=3)
    monkeypatch.setattr(sweep_module, "_TOGETHER", 7)
    assert sweep([GUARD, WARRIOR], [WARRIOR, GUARD], trials=500, seed=3).rows == whole.rows
