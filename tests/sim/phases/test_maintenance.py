"""The maintenance phase as a person asks it: what happens, exact, sampled, refused (T-5, T-1)."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest
from hypothesis import assume, given, settings
from maintenance_exact import chances, chances_of, count
from maintenance_witness import branches, phases, sensible, written
from witness import wounds_by_code

from estoc.kernels.layout.maintenance import Stage
from estoc.profiles import InputError, load_edition
from estoc.profiles.compile.combat import state_names
from estoc.profiles.edition.rulebook import KEYS
from estoc.profiles.fighters.card import RANKS
from estoc.sim.base.options import Options
from estoc.sim.phases.effects import Effect, Fighter, effect_of_ability
from estoc.sim.phases.maintenance import maintain
from estoc.sim.phases.maintenance_phase import Phase
from estoc.sim.phases.turn import TURN, moments

SEED = 20260728
C3 = Options(edition_name="c3")


# --- exact ----------------------------------------------------------------------------------


@given(phases())
@settings(max_examples=40, deadline=None)
def test_exact_chances_are_those_of_all_dice_of_the_reference(phase):
    """T-5: every way the dice fall, as fractions, for any edition."""
    phase = sensible(phase)
    ways = branches(phase)
    assume(ways is not None)
    fighters, effects, edition = written(phase)
    found = chances_of(Phase(tuple(fighters), tuple(effects), edition))
    names = dict(zip(wounds_by_code(phase.book), state_names(edition), strict=True))
    n, m = len(fighters), len(effects)
    states, mana, faith = ([Counter() for _ in range(n)] for _ in range(3))
    routed, goes_on = [Fraction(0)] * n, [Fraction(0)] * m
    for after, p in ways:
        for i, person in enumerate(after.people):
            states[i][names[person.wounds]] += p
            mana[i][person.mana] += p
            faith[i][person.faith] += p
            routed[i] += p * (person.routed and not person.wounds.dead)
        for e, effect in enumerate(after.effects):
            goes_on[e] += p * effect.lasts
    assert list(found.states.values()) == states
    assert list(found.mana.values()) == mana
    assert list(found.faith.values()) == faith
    assert list(found.routed.values()) == routed
    assert list(found.goes_on) == goes_on


def rally_chance(nerve, options=None):
    fighter = Fighter("a", routed=True, courage=nerve)
    return 1 - chances([fighter], options=options).routed["a"]


def test_chances_of_a_rally_by_hand():
    """W-4.4 and W-1.2: difficulty 8; a 6 that is not enough is re-rolled, a 1 then resets."""
    assert rally_chance(7) == 1
    assert rally_chance(4) == Fraction(3, 6)
    assert rally_chance(2) == Fraction(1, 6)
    assert rally_chance(1) == Fraction(1, 6) * Fraction(5, 6)
    assert rally_chance(7, C3) == Fraction(5, 6)  # there a natural 1 fails


@pytest.mark.parametrize("x", range(1, 7))
def test_chances_of_regeneration_by_hand(x):
    """W-7: none with 1 - p, one level with p (1 - p), two with p²."""
    p = Fraction(7 - x, 6)
    effect = effect_of_ability(f"Régénération/{x}", "a")
    expected = {"unhurt": p**2, "light": p * (1 - p), "serious": 1 - p}
    found = chances([Fighter("a", "serious")], [effect]).states["a"]
    assert found == {state: q for state, q in expected.items() if q}


def test_chances_of_reinforcement_by_hand():
    """T-5.3 step 5: back on 5 and 6, lost for good on 1 and 2."""
    found = chances([Fighter("a", "dead")], [effect_of_ability("Renfort", "a")])
    assert found.states["a"] == {"unhurt": Fraction(1, 3), "dead": Fraction(2, 3)}
    assert found.goes_on == (Fraction(2, 3),)


def test_too_many_ways_are_refused():
    magicians = [Fighter(f"m{i}", rank="virtuose") for i in range(8)]
    with pytest.raises(InputError, match="more than 20000 ways for the dice of this phase"):
        chances(magicians)


# --- sampled --------------------------------------------------------------------------------

BUSY = (
    [
        Fighter("troll", "serious, stunned", routed=True, courage=4, touching_fear=("ghoul",)),
        Fighter("mage", "light", routed=True, discipline=3, rank="initié", mana=1),
        Fighter("priest", rank="zélote", believers=("mage", "troll")),
        Fighter("ghoul", "critical"),
        Fighter("goblin", "dead"),
    ],
    [
        effect_of_ability("Régénération/4", "troll"),
        Effect("damage", "ghoul", "mage", "fire", needs=3, levels=1),
        Effect("damage", "mage", needs=6, outcome="killed"),
        Effect("upkeep", "ghoul", "mage", cost=3, sustains="fire"),
        Effect("heal", "mage", "priest", needs=4, levels=1),
        effect_of_ability("Renfort", "goblin"),
        Effect("return", "ghoul", "priest", needs=5, state="serious"),
    ],
)


@pytest.mark.parametrize("options", [None, C3], ids=["conffede", "c3"])
def test_sampled_and_exact_agree(options):
    """About 2 × 35 shares, each within four standard errors: a right program fails with 0.5 %."""
    trials = 200_000
    exact, sampled = chances(*BUSY, options), count(*BUSY, options, trials=trials, seed=SEED)
    for name, law in exact.states.items():
        assert sum(sampled.states[name].values()) == trials
        assert set(sampled.states[name]) == set(law)
        for state, p in law.items():
            assert_share(sampled.states[name][state], trials, p)
        assert_share(sampled.routed[name], trials, exact.routed[name])
        for held, laws in ((sampled.mana, exact.mana), (sampled.faith, exact.faith)):
            mean = sum(value * p for value, p in laws[name].items())
            variance = sum((value - mean) ** 2 * p for value, p in laws[name].items())
            assert abs(held[name] - mean) <= 4 * sqrt(variance / trials) + 1e-12
    for went_on, p in zip(sampled.goes_on, exact.goes_on, strict=True):
        assert_share(went_on, trials, p)


def assert_share(hits, trials, p):
    assert abs(hits - trials * p) <= 4 * sqrt(trials * p * (1 - p))


def test_counts_are_those_of_the_trials_one_by_one():
    """DESIGN 4: trial k is the same alone."""
    whole = count(*BUSY, trials=50, seed=SEED, turn=2)
    alone = [maintain(*BUSY, seed=SEED, trial=trial, turn=2) for trial in range(50)]
    for i, fighter in enumerate(BUSY[0]):
        states = Counter(done.fighters[i].state for done in alone)
        assert whole.states[fighter.name] == states
        mana = sum(done.fighters[i].mana for done in alone)
        assert whole.mana[fighter.name] == mana / 50


# --- what happens ---------------------------------------------------------------------------


def test_the_log_tells_the_phase_in_order():
    """T-5: steps in their order, each with its clause, its dice and what changed."""
    done = maintain(*BUSY, seed=SEED)
    steps = [row.step for row in done.log]
    order = [moment.name for moment in moments("maintenance")]
    assert steps == sorted(steps, key=order.index)
    assert {row.clause for row in done.log} == {"T-5.1", "T-5.2", "T-5.3"}
    by_kind = {(row.fighter, row.kind): row for row in done.log}
    barred = by_kind["troll", "rally"]
    assert (barred.dice, barred.before, barred.after) == ((), "routed", "routed")
    faith = by_kind["priest", "faith"]
    assert (faith.dice, faith.before, faith.after) == ((), "0", "4")
    mana = by_kind["mage", "mana"]
    assert (mana.before, int(mana.after)) == ("1", min(1 + 1 + mana.dice[0], 5))
    assert len(by_kind["ghoul", "damage"].dice) == 1
    assert by_kind["ghoul", "damage"].effect == "fire"


def test_what_an_upkeep_costs_and_ends():
    """T-5.3 step 4."""
    mage, calm = Fighter("m", rank="initié", mana=9), Options(rules=("mana_dice=0",))
    spell = Effect("heal", "m", "m", "balm", levels=1)
    paid = Effect("upkeep", "m", "m", cost=4, sustains="balm")
    done = maintain([mage], [spell, paid], calm)
    assert done.effects == (spell, paid)
    assert [(row.before, row.after) for row in done.log] == [("9", "9"), ("9 mana", "5 mana")]
    done = maintain([mage], [spell, replace(paid, keep=False)], calm)
    assert (done.effects, done.fighters[0].mana) == ((), 9)
    assert done.log[-1].after == "ended"


def test_stunned_lasts_to_step_six_and_is_gone_next_turn():
    """T-5.3 step 6: all that comes before finds him stunned."""
    done = maintain([Fighter("a", "stunned")], [Effect("damage", "a", levels=1)])
    assert [(row.step, row.before, row.after) for row in done.log] == [
        ("harm", "stunned", "light, stunned"),
        ("markers", "light, stunned", "light"),
    ]
    again = maintain(done.fighters, turn=1)
    assert again.fighters == done.fighters
    assert again.log == ()


def test_markers_of_the_turn_go_and_target_stays():
    """T-5.3 step 6, M-7.5, M-6.2."""
    done = maintain([Fighter("a", markers=("charged", "target", "defence"))])
    assert done.fighters[0].markers == ("target",)
    (row,) = done.log
    assert (row.before, row.after) == ("charged, defence, target", "target")
    done = maintain([Fighter("a", markers=("charged",))])
    assert done.log[0].after == "none"


def test_who_is_back_has_no_part_in_the_phase_that_brought_him():
    """T-5.3 step 5; in the next phase he has."""
    mage = Fighter("m", "dead", routed=True, courage=9, rank="initié", markers=("target",))
    effects = [
        Effect("damage", "m", levels=1),
        Effect("heal", "m", levels=1),
        Effect("upkeep", source="m", cost=1),
        Effect("return", "m", state="light, stunned", mana=5),
    ]
    done = maintain([mage], effects)
    expected = replace(mage, state="light, stunned", routed=False, mana=5, markers=())
    assert done.fighters == (expected,)
    assert [row.kind for row in done.log] == ["upkeep", "return"]
    again = maintain(done.fighters, done.effects)
    assert [row.kind for row in again.log] == ["mana", "damage", "heal", "markers"]


def test_the_dead_touch_nobody_afterwards():
    """W-4.4: what is returned can be asked again."""
    fighters = [Fighter("a", touching_fear=("b", "c")), Fighter("b"), Fighter("c")]
    done = maintain(fighters, [Effect("damage", "b", outcome="killed")])
    assert done.fighters[0].touching_fear == ("c",)
    done = maintain(fighters, [Effect("damage", "a", outcome="killed")])
    assert done.fighters[0].touching_fear == ()
    assert maintain(done.fighters).fighters == done.fighters


def test_the_answer_says_what_was_assumed():
    """DESIGN 1."""
    assert maintain([Fighter("a")]).assumed == ()
    assert maintain([Fighter("a", rank="dévot")]).assumed == (
        *(f"mystic.faith_{key}" for key in ("base", "per_rank", "per_believer")),
        "mystic.rank.devot",
    )
    heals = Effect("heal", "a", levels=1)
    assert maintain([Fighter("a")], [heals]).assumed == (
        "wounds.killed_level",
        "maintenance.steps.heal",
    )
    found = maintain([Fighter("a", routed=True, courage=3)], [], C3).assumed
    assert {"fear.rally_difficulty", "maintenance.removes.stunned"} <= set(found)
    assert "tests.opposed_tie" not in found


# --- abilities and editions -----------------------------------------------------------------


def test_abilities_of_the_cards():
    """W-7, T-5.3."""
    heals = Effect("roll_to_heal", "a", "a", "Régénération/5", needs=5)
    assert effect_of_ability("Régénération/5", "a") == heals
    assert effect_of_ability("regeneration / 5", "a") == replace(heals, name="regeneration / 5")
    back = Effect("return", "a", "a", "Renfort", needs=5, lost=2)
    assert effect_of_ability("Renfort", "a") == back
    house = Options(rules=("reinforcement_returns=4", "reinforcement_lost=1"))
    assert effect_of_ability("Renfort", "a", house) == replace(back, needs=4, lost=1)
    assert effect_of_ability("Instinct de survie/5", "a") is None
    for wrong in ("Régénération", "Régénération/7", "Régénération/x"):
        with pytest.raises(InputError, match=r"Régénération/X, X from 1 to 6 \(W-7\)"):
            effect_of_ability(wrong, "a")


@pytest.mark.parametrize("name", ["conffede", "c3"])
def test_what_no_seed_says_is_marked(name):
    """The chapters on magic and faith are not among the seeds (T-5.2)."""
    edition = load_edition(name)
    unsure = edition.assumed(["mystic"])
    assert list(unsure) == [key for key in KEYS if key.startswith("mystic.")]
    clauses = {reading.clause for reading in edition.readings}
    assert {"T-2.1", "T-5.1", "T-5.2", "T-5.3"} <= clauses


def test_ranks_are_those_of_the_cards():
    for rank, caster in RANKS.items():
        assert Fighter("a", rank=rank).caster == caster
    done = maintain([Fighter("a", rank="maître", mana=14)], options=Options(rules=("maitre=2",)))
    assert done.fighters[0].mana == 14  # more than the most of rank 2: kept (reading of T-5.2)


# --- refusals -------------------------------------------------------------------------------

A = Fighter("a")
REFUSED = {
    "caster": (lambda: Fighter("a", caster="bard"), "caster should be magician or faithful"),
    "rank": (lambda: Fighter("a", rank="dean"), r'rank "dean" is no rank of a caster \(T-5\.2\)'),
    "no rank": (lambda: Fighter("a", caster="magician"), r"should have a rank \(T-5\.2\): initié"),
    "other rank": (
        lambda: Fighter("a", caster="faithful", rank="adepte"),
        r"a faithful should have a rank \(T-5\.2\): dévot",
    ),
    "nerve": (lambda: Fighter("a", routed=True), r"courage or discipline \(W-4\.4\)"),
    "marker": (lambda: Fighter("a", markers=("chargd",)), r"\(T-5\.3\); nearest: charged"),
    "stunned": (lambda: Fighter("a", markers=("stunned",)), r"stunned is a state \(W-3\.3\)"),
    "mana": (lambda: Fighter("a", mana=-1), "mana should be from 0 to 999, not -1"),
    "state": (lambda: maintain([Fighter("a", "sad")]), 'state "sad": no state'),
    "twice": (lambda: maintain([A, A]), 'fighter "a": a name should be of one fighter only'),
    "crowd": (lambda: maintain([Fighter(str(i)) for i in range(65)]), "65 fighters: at most 64"),
    "many": (lambda: maintain([A], [Effect("heal", "a", levels=1)] * 257), "at most 256 find room"),
    "touch": (
        lambda: maintain([replace(A, touching_fear=("b",))]),
        'touching_fear: no fighter "b"',
    ),
    "touch dead": (
        lambda: maintain([replace(A, touching_fear=("b",)), Fighter("b", "dead")]),
        r'"b" is dead; the dead touch nobody \(W-4\.4\)',
    ),
    "dead touch": (
        lambda: maintain([Fighter("a", "dead", touching_fear=("b",)), Fighter("b")]),
        r'"a" is dead; the dead touch nobody \(W-4\.4\)',
    ),
    "itself": (lambda: maintain([replace(A, touching_fear=("a",))]), "should not name himself"),
    "believers": (
        lambda: maintain([replace(A, believers=("b",)), Fighter("b")]),
        r"only a faithful should have believers \(T-5\.2\)",
    ),
    "kind": (lambda: Effect("healing", "a"), 'kind "healing" is unknown; nearest: heal'),
    "word": (lambda: Effect("heal", "a", levels=1, cost=2), "heal should not say cost, only needs"),
    "needs": (lambda: Effect("roll_to_heal", "a", needs=7), "needs should be from 1 to 6, not 7"),
    "no needs": (lambda: Effect("roll_to_heal", "a"), r"needs the least die that heals \(W-7\)"),
    "nothing": (lambda: Effect("damage", "a"), r"either levels or an outcome \(W-3\.1\)"),
    "both": (lambda: Effect("damage", "a", levels=1, outcome="light"), "either levels or an outc"),
    "outcome": (lambda: Effect("damage", "a", outcome="dead"), r'"dead" is unknown \(W-2\.1\)'),
    "levels": (lambda: Effect("heal", "a"), r"heal should have levels, 1 or more \(W-3\.1\)"),
    "pays": (lambda: Effect("upkeep", source="a", pays="gold"), r"mana or faith \(T-5\.3\)"),
    "payer": (lambda: Effect("upkeep", "a", cost=1), r"have a source, who pays it \(T-5\.3\)"),
    "target": (lambda: Effect("heal", levels=1), r"heal should have a target \(T-5\.3\)"),
    "lost": (lambda: Effect("return", "a", needs=3, lost=3), "lost should be from 0 to 2, not 3"),
    "unknown target": (lambda: maintain([A], [Effect("return", "b")]), 'no fighter "b" in this'),
    "nobody": (lambda: maintain([], [Effect("return", "b")]), "there are none"),
    "sustains": (
        lambda: maintain([A], [Effect("upkeep", source="a", sustains="x")]),
        r'sustains "x" should be the name of one effect \(T-5\.3\)',
    ),
    "harm first": (
        lambda: maintain([A], [Effect("damage", "a", "a", step=3, levels=1)]),
        r"step 3 should be 1 for damage, whoever causes it \(T-5\.3\)",
    ),
    "return last": (
        lambda: maintain([A], [Effect("return", "a", step=2)]),
        r"step 2 should be 5 for return, whoever causes it \(T-5\.3\)",
    ),
    "healing": (
        lambda: maintain([A], [Effect("heal", "a", step=1, levels=1)]),
        r"step 1 should be 2 or 3 or 4 for heal, whoever causes it \(T-5\.3\)",
    ),
    "dead return": (lambda: maintain([A], [Effect("return", "a", state="dead")]), "would be dead"),
    "turn": (lambda: maintain([A], turn=4095), "turn 4095 should be from 0 to 4094"),
    "trial": (lambda: maintain([A], trial=-1), "trial -1 should be 0 or more"),
    "phase": (lambda: moments("night"), r"a turn has no such phase \(T-1\)"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refusals_are_one_line_with_the_clause(case):
    call, message = REFUSED[case]
    with pytest.raises(InputError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


# --- the turn (T-1, T-2) --------------------------------------------------------------------


def test_phases_come_in_the_order_of_the_rules():
    """T-1, T-2.1 to T-2.4, T-5.1 to T-5.3."""
    phases_of_turn = list(dict.fromkeys(moment.phase for moment in TURN))
    assert phases_of_turn == ["strategic", "activation", "combat", "maintenance"]
    assert [moment.clause for moment in moments("strategic")] == [
        *("T-2.1", "T-2.2", "T-2.1", "T-2.3", "T-2.4"),
    ]
    assert len({moment.name for moment in TURN}) == len(TURN)


def test_moments_of_maintenance_are_the_stages_of_the_kernel():
    found = moments("maintenance")
    assert [moment.name for moment in found] == [stage.name.lower() for stage in Stage]
    assert [moment.step for moment in found] == [0, 0, 0, 1, 2, 3, 4, 5, 6]
