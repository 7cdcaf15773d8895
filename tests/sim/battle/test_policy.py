"""Policies for battles: one contract that each of them keeps, and what each is for."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import random_battles
from battle_tapes import CONFFEDE

from estoc.kernels.layout.battle import LEVELS, PENS, End, Manner, Pen
from estoc.profiles import InputError, Roster
from estoc.profiles.armies.army import load_army
from estoc.profiles.armies.scenario import Scenario
from estoc.profiles.armies.tuned_policy import load_tuned_policy
from estoc.profiles.compile.muster import load_field, muster
from estoc.sim.audit.audit import audit
from estoc.sim.base.options import Options
from estoc.sim.base.policy import parse_policy
from estoc.sim.battle.odds import FIGHTING, lone_odds, ready_battle
from estoc.sim.battle.policy import battle_description, player_of, policies
from estoc.sim.battle.question import ask_battle
from estoc.sim.battle.sampling import battle_ends
from estoc.sim.battle.steps import battle_steps
from estoc.sim.combat.combat import combat
from estoc.sim.combat.single import natural_law
from reference.battle import replayed
from tests.agreement.test_battles import alike

BATTLE_POLICIES = tuple(policies())

SEEDS = range(4)
DIES, OTHERS_DIE = 0, 2  # columns of odds


class PolicyContract:
    """What every policy for battles keeps; a class for each inherits it."""

    name = ""

    def scenario(self, seed: int) -> Scenario:
        return random_battles.scenario(seed)

    def steps(self, seed: int, enemy: str):
        table, names = self.scenario(seed), (self.name, enemy)
        battles = ready_battle(table, CONFFEDE, [player_of(name) for name in names], seed)
        return battle_steps(battles, table, CONFFEDE, seed, names)

    @pytest.mark.parametrize("seed", SEEDS)
    def test_plays_by_the_rules(self, seed):
        """No clause is broken, and the plain reading does the same by the same dice."""
        enemy = BATTLE_POLICIES[seed % len(BATTLE_POLICIES)]
        steps = self.steps(seed, enemy)
        assert audit(steps, CONFFEDE) == []
        again = replayed(steps, CONFFEDE)
        assert len(steps) == len(again)
        assert all(alike(list(step), list(read)) for step, read in zip(steps, again, strict=True))

    def test_plays_every_trial_the_same_whatever_was_played_before(self):
        battles = ask_battle(self.scenario(5), (self.name, self.name)).compiled(3)
        whole = battle_ends(battles, 0, 12)
        parts = [battle_ends(battles, first, 3) for first in (9, 0, 6, 3)]
        assert np.array_equal(whole, np.concatenate([parts[1], parts[3], parts[2], parts[0]]))

    def test_plays_with_one_fighter_left_on_a_side(self):
        scenario = self.scenario(1)
        first = next(placed for placed in scenario.fighters if placed.side == "A")
        others = tuple(placed for placed in scenario.fighters if placed.side == "B")
        alone = replace(scenario, fighters=(first, *others), survival=())
        for both in ((self.name, "aggressive"), ("aggressive", self.name)):
            assert battle_ends(ask_battle(alone, both).compiled(1), 0, 5).shape[0] == 5

    def test_parameters_have_bounds_and_reach_the_kernels(self):
        for parameter in policies()[self.name].parameters:
            assert parameter.low <= parameter.default <= parameter.high
            for value in (parameter.low, parameter.high):
                player = player_of(f"{self.name}:{parameter.name}={value:g}")
                assert player.manner[Manner[parameter.name.upper()]] == value
            for value in (parameter.low - 1, parameter.high + 1, "nan", "much", ""):
                with pytest.raises(InputError, match=f"{parameter.name} should be a"):
                    player_of(f"{self.name}:{parameter.name}={value}")

    def test_an_unknown_parameter_is_refused(self):
        with pytest.raises(InputError, match='no parameter "courage"'):
            player_of(f"{self.name}:courage=1")

    def test_is_described(self):
        assert f"\n  {self.name}\n" in battle_description()


class TestRandom(PolicyContract):
    name = "random"


class TestAggressive(PolicyContract):
    name = "aggressive"


class TestDefensive(PolicyContract):
    name = "defensive"

    def test_stays_where_nobody_comes(self):
        steps = battle_steps(
            ask_battle("pitched", (self.name, self.name)).compiled(1),
            ask_battle("pitched").scenario,
            CONFFEDE,
            0,
            (self.name, self.name),
        )
        assert not [step for step in steps if step.kind == "move"]


class TestShootingLine(PolicyContract):
    name = "shooting-line"


class TestRefuseFlank(PolicyContract):
    name = "refuse-flank"


class TestByOdds(PolicyContract):
    name = "by-odds"


class TestTuned(PolicyContract):
    name = "tuned"

    def test_is_by_odds_with_the_parameters_that_were_found(self):
        read = load_tuned_policy("tuned")
        assert read.policy == "by-odds"
        assert set(dict(read.parameters)) == {p.name for p in policies()["by-odds"].parameters}
        found = player_of(read.text)
        assert np.array_equal(player_of("tuned").manner, found.manner)
        assert dict(read.found)["command"].startswith("estoc tune by-odds --against ")


def test_every_policy_has_a_contract():
    tested = {contract.name for contract in PolicyContract.__subclasses__()}
    assert tested == set(BATTLE_POLICIES)


# --- the odds that by-odds reads --------------------------------------------------------


@pytest.fixture(scope="module")
def pair():
    roster = Roster.load()
    return roster.find("Tiranno di Vile-Tis"), roster.find("Lama di Smeraldo")


def test_odds_are_the_same_seen_from_both_sides(pair):
    one, other = (lone_odds(*who, CONFFEDE, 0.25).odds[0] for who in (pair, pair[::-1]))
    swapped = [Pen.NONE, Pen.OTHERS_CHARGED, Pen.LONE_CHARGED, Pen.OTHERS_DEFEND, Pen.LONE_DEFENDS]
    seen = one[swapped].swapaxes(1, 2)[..., [2, 3, 0, 1]]
    assert np.abs(seen - other).max() < 2e-3  # who decides about a first 6 differs (W-1.5)


def test_odds_are_chances(pair):
    odds = lone_odds(*pair, CONFFEDE, 0.25).odds
    assert odds.min() >= 0
    assert odds[..., DIES].max() <= 1
    assert odds[0, ..., OTHERS_DIE].max() <= 1
    assert odds[1, ..., OTHERS_DIE].max() <= 2
    assert odds.shape[1:4] == (PENS, LEVELS, LEVELS)


def test_who_has_all_dice_in_defence_kills_nobody(pair):
    odds = lone_odds(*pair, CONFFEDE, 0.25).odds
    assert not odds[0, Pen.LONE_DEFENDS, ..., OTHERS_DIE].any()
    assert not odds[0, Pen.OTHERS_DEFEND, ..., DIES].any()


def test_chances_of_a_die_are_those_of_the_exact_engine():
    """W-1.2: a 6 that is not enough is re-rolled, and a 1 then makes the result 1."""
    chance = ask_battle("ambush", ("by-odds", "random")).compiled(0)[0]["chance"]
    for goal in range(1, 30):
        law = natural_law("needed", goal)
        reaches = sum(p for natural, p in law.items() if natural is not None and natural >= goal)
        assert chance[goal] == pytest.approx(reaches)
    assert chance[7] == pytest.approx(5 / 36)
    assert chance[0] == chance[1] == 1


def test_a_second_enemy_makes_it_worse(pair):
    odds = lone_odds(*pair, CONFFEDE, 0.25).odds[..., DIES]
    assert (odds[1, Pen.NONE] > odds[0, Pen.NONE]).all()


def test_odds_are_those_of_the_exact_engine(pair):
    a, b = pair
    usual = parse_policy(FIGHTING)
    options = Options(policies=(usual, usual), abilities=False)  # players reckon without them
    law = combat([a], [b, b], options=options).to_frame()
    both = law[law["fighter"] == "(sides)"].iloc[0]
    odds = lone_odds(a, b, CONFFEDE, 0.25).odds[1, Pen.NONE, 0, 0]
    assert odds[DIES] == pytest.approx(float(both["p_b"]), abs=1e-12)


@pytest.mark.parametrize("enemy", ["Evisceratore", "Lama di Smeraldo", "Fuco Daikinee"])
def test_in_a_duel_parries_by_odds_are_as_good_as_the_best(pair, enemy):
    """C-6.2, C-7.2: the exact engine's best parries gain nothing that counts."""
    other = Roster.load().find(enemy)
    best = parse_policy(f"{FIGHTING},parry=optimal,sustain=optimal")
    usual = parse_policy(FIGHTING)
    plain = Options(score="points", abilities=False)  # players reckon without abilities
    worth = [
        combat([pair[0]], [other], options=replace(plain, policies=(policy, usual)))
        for policy in (best, usual)
    ]
    values = [float(result.to_frame()["value"].iloc[0]) for result in worth]
    assert values[1] <= values[0] <= values[1] + 0.05  # of 70 PA


# --- who plays best ---------------------------------------------------------------------

LISTS = (
    *("daikinee-foot", "daikinee-riders", "devoreurs-archers"),
    *("devoreurs-elite", "devoreurs-horde", "devoreurs-mixed"),
)


def scores(rival: str, lists: tuple[str, ...], trials: int) -> np.ndarray:
    """What by-odds scores in each trial, all lists against all on both sides of the village."""
    armies, field = [load_army(name) for name in lists], load_field("village")
    total = np.zeros(trials)
    for pair in product(armies, repeat=2):
        scenario = muster(field, pair, CONFFEDE)
        for side, names in enumerate((("by-odds", rival), (rival, "by-odds"))):
            battles = ready_battle(scenario, CONFFEDE, [player_of(name) for name in names], 21)
            winner = battle_ends(battles, 0, trials)[:, End.WINNER]
            total += np.where(winner == 2, 0.5, winner == side)
    return total / (2 * len(armies) ** 2)


def beats(rival: str, lists: tuple[str, ...], trials: int) -> None:
    """Four standard errors, of trials whose battles roll the same dice."""
    found = scores(rival, lists, trials)
    assert found.mean() - 4 * found.std(ddof=1) / trials**0.5 > 0.5, found.mean()


@pytest.mark.parametrize("rival", ["random", "aggressive", "shooting-line", "refuse-flank"])
def test_by_odds_beats_the_others(rival):
    beats(rival, LISTS[1:6:2], 40)


@pytest.mark.slow
@pytest.mark.parametrize(
    "rival", ["random", "aggressive", "defensive", "shooting-line", "refuse-flank"]
)
def test_by_odds_beats_every_other_with_all_lists(rival):
    """Averaged over all pairs of shipped lists, each side played by each."""
    beats(rival, LISTS, 400)


def test_a_die_sustained_in_one_combat_does_not_count_when_dice_are_placed_in_the_next():
    """H9, C-7.2: what the last trial left in the record changed how an enemy placed."""
    scenario = replace(random_battles.scenario(163), turns=2)
    players = [player_of(name) for name in ("by-odds", "aggressive")]
    battles = ready_battle(scenario, CONFFEDE, players, 9_465_735_922)
    alone = [battle_ends(battles, trial, 1) for trial in range(333, 337)]
    assert np.array_equal(battle_ends(battles, 333, 4), np.concatenate(alone))
