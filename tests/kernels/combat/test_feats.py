"""Abilities in the kernels' combats (W-7): row by row the reference's, on the same dice.

The reference is what `test_reference_abilities` plays by hand.
"""

from collections.abc import Iterator
from dataclasses import replace

import ability_cases
import numpy as np
import pytest
import strategies
from ability_cases import CASES, able
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st
from witness import Compiled, assert_same_trial, scripted

from estoc.kernels.layout.abilities import COMBAT, Effect
from estoc.profiles.fighters.abilities import load_abilities, parse_ability
from reference.book import Book, Wounds
from reference.combat import FEAT, PLACE, Log, play
from reference.state import Combat, Fighter, Policy, Position
from reference.tape import ScriptedTape

LOOSE = list(HealthCheck)
SEEDS = st.integers(0, 2**64 - 1)

# Every ability that acts in a combat, as a card has it; with a number, two numbers.
TEXTS = (
    *("Guerrier-mage", "Moine-guerrier", "Dur à cuire", "Dur à cuire/2", "Fléau/Dirz", "Féroce"),
    *("Épée-hache", "Arme sacrée", "Arme sacrée/Combat", "Armure sacrée", "Éthéré", "Vulnérable"),
    *("Toxique/0", "Toxique/3", "Immunité/jambes", "Immunité/tête", "Immunité/Sonné"),
    *("Brute épaisse", "Ambidextre", "Ambidextre/2", "Contre-attaque", "Contre-attaque/0"),
    *("Enchaînement/1", "Enchaînement/3", "Coup de maître/0", "Coup de maître/4", "Bretteur"),
    *("Bretteur/2", "Feinte", "Feinte/2", "Tueur né", "Tueur né/2", "Furie guerrière"),
    *("Furie guerrière/2", "Charge bestiale", "Charge bestiale/2", "Assassin", "Esquive"),
    *("Réflexes", "Aguerri", "Bravoure", "Bravoure/2", "Juste", "Fanatisme", "Fanatisme/2"),
    *("Possédé", "Possédé/2", "Endurance", "Acharné", "Instinct de survie/3"),
    *("Instinct de survie/6", "Chance", "Chance/2", "Désespéré", "Maudit", "Mort-vivant"),
)
TOLD = (  # effects that have rows of their own
    *(Effect.FURY, Effect.CHAIN, Effect.HOLD_BACK, Effect.LUCK, Effect.MASTER_STROKE),
    *(Effect.COUNTER_ATTACK, Effect.PARRY_DICE, Effect.FEINT, Effect.SURVIVAL, Effect.TOXIC),
    Effect.DIEHARD,
)
# Flags that a combat does not look at: they act where it is compiled, or in other phases.
PENALTIES = (Effect.IGNORE_PENALTY, Effect.LIGHTER_PENALTY)


# --- nothing is left out ----------------------------------------------------------------


def effects_of(text: str) -> set[Effect]:
    return {effect.kind for effect in parse_ability(text).effects}


def acts(entry: object) -> bool:
    """Whether an ability of the file acts in a combat."""
    listed = [*entry.effects, *(e for chosen in entry.choices.values() for e in chosen)]
    rolls = {roll for e in listed for roll in e.numbers.get("OPEN_ROLLS", ())}
    kinds = {e.kind for e in listed} - {Effect.OPEN_FIVES}
    in_tests = rolls & {"INITIATIVE", "ATTACK", "DEFENCE"}
    return bool(in_tests) or any(COMBAT >> kind & 1 or kind in PENALTIES for kind in kinds)


def test_every_ability_of_a_combat_is_played():
    acting = {entry.name for entry in load_abilities().ability if acts(entry)}
    assert {parse_ability(text).entry.name for text in TEXTS} == acting
    choices = {
        (entry.name, choice) for entry in load_abilities().ability for choice in entry.choices
    }
    told = {(parse_ability(text).entry.name, str(parse_ability(text).parameter)) for text in TEXTS}
    assert choices <= told


# --- each of them alone -----------------------------------------------------------------

ALWAYS = {f"reroll_{test}": "always" for test in ("attack", "defence", "initiative")}
WARY = Policy(placement="even", parry=1, **ALWAYS)
BOLD = Policy(placement="attack", fury="always", chain=3, master="always", feint="always")
TRIALS = 10  # of each combat

# What an enemy must have, or the fighter himself, for an ability to be of matter.
ENEMIES = {
    "Fléau/Dirz": ("Dur à cuire",),
    "Mort-vivant": ("Toxique/3",),
    "Dur à cuire": ("Arme sacrée",),
}
THEMSELVES = {"Possédé": Wounds(2), "Possédé/2": Wounds(2), "Endurance": Wounds(1)}


def combats_of(text: str) -> Iterator[Combat]:
    """An ability against somebody whom it matters to, and against its like."""
    one = able(text, PA=10, INI=4, wounds=THEMSELVES.get(text, Wounds()))
    one = replace(one, banes=frozenset((1, 2)), charging=True)
    other = able(*ENEMIES.get(text, ()), PA=15, ATT=4, FOR=6)
    like = replace(one, PA=12, banes=frozenset((0,)), charging=False)
    for policy in (WARY, BOLD, replace(WARY, placement="defence", parry="all")):
        yield Combat((one, other), (policy, WARY), 0, turns=2)
    yield Combat((one, other, other), (BOLD, WARY), 1)
    yield Combat((other, like, replace(like, PA=9)), (WARY, BOLD), 1)
    yield Combat((one, like), (BOLD, WARY), 0, turns=2)


def without(combat: Combat, i: int) -> Combat:
    """The combat without the abilities of one fighter."""
    bare = replace(combat.fighters[i], effects=frozenset(), numbers=(), banes=frozenset())
    listed = tuple(bare if k == i else f for k, f in enumerate(combat.fighters))
    return replace(combat, fighters=listed)


@pytest.mark.parametrize("text", TEXTS)
def test_an_ability_alone(text):
    """All its trials are the reference's, and it is seen to act."""
    seen, told = set(), set()
    for number, combat in enumerate(combats_of(text)):
        compiled = Compiled(combat, 41, number)
        owner = 1 if len(combat.fighters[0].effects) < len(combat.fighters[1].effects) else 0
        plain = Compiled(without(combat, owner), 41, number)
        for trial in range(TRIALS):
            assert_same_trial(compiled, trial)
            log = compiled.log(trial)
            told |= {row[5] for row in log if row[0] == FEAT}
            if log != plain.log(trial):
                seen.add(owner)
    assert seen
    assert effects_of(text) & set(TOLD) <= told


# --- by hand ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_a_case_worked_out_by_hand(name, monkeypatch):
    """The kernels play it row by row on the dice given, to the same end."""
    played = []

    def by_kernels(combat: Combat, tape: ScriptedTape) -> tuple[Position, Log]:
        position, log = play(combat, tape)
        assert scripted(combat, tape.values) == log
        played.append(combat)
        return position, log

    monkeypatch.setattr(ability_cases, "play", by_kernels)
    CASES[name]()
    assert played


# --- any of them together ---------------------------------------------------------------

uses = st.sampled_from(["useful", "never", "always"])
policies = st.builds(
    replace,
    strategies.policies,
    fury=uses,
    chain=st.integers(0, 3),
    master=uses,
    held=st.sampled_from(["useful", "attack", "defence"]),
    feint=uses,
    luck=st.sampled_from(["useful", "useful", "never"]),
)
cards = st.lists(
    st.sampled_from(TEXTS), max_size=4, unique_by=lambda text: text.partition("/")[0]
)  # fmt: skip


@st.composite
def able_combats(draw: st.DrawFn, most: int = 3) -> Combat:
    combat = draw(strategies.combats(most=most))
    everybody = range(len(combat.fighters))

    def gifted(fighter: Fighter) -> Fighter:
        feats = able(*draw(cards))
        banes = draw(st.sampled_from([(), everybody]))
        return replace(
            fighter,
            effects=feats.effects,
            numbers=feats.numbers,
            banes=frozenset(banes if "bane" in feats.effects else ()),
            charging=draw(st.booleans()),
        )

    listed = tuple(gifted(fighter) for fighter in combat.fighters)
    return replace(combat, fighters=listed, policies=(draw(policies), draw(policies)))


@seed(711)
@settings(max_examples=150, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(), SEEDS, st.integers(0, 2**32 - 1), st.integers(0, 2**62), st.integers(0, 1))
def test_every_row_is_the_reference_s(combat, number, cell, first, mirror):
    compiled = Compiled(combat, number, cell, mirror * (len(combat.fighters) == 2))
    for trial in range(first, first + 4):
        assert_same_trial(compiled, trial)


@pytest.mark.slow
@seed(712)
@settings(max_examples=5000, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(8), SEEDS, st.integers(0, 2**32 - 1), st.integers(0, 2**62), st.integers(0, 1))
def test_every_row_is_the_reference_s_for_long(combat, number, cell, first, mirror):
    compiled = Compiled(combat, number, cell, mirror * (len(combat.fighters) == 2))
    for trial in range(first, first + 4):
        assert_same_trial(compiled, trial)


# --- what must always hold --------------------------------------------------------------


@seed(713)
@settings(max_examples=100, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(), SEEDS)
def test_counts_are_those_of_single_trials(combat, number):
    """In blocks, with whatever stood in the arrays before: a trial is that which is replayed."""
    compiled = Compiled(combat, number)
    rows = compiled.play(0, 20)
    assert (rows[7:] == compiled.play(7, 13)).all()
    assert [compiled.ending(row) for row in rows[::5]] == [
        compiled.reference(trial)[0] for trial in range(0, 20, 5)
    ]


@seed(714)
@settings(max_examples=60, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(), SEEDS)
def test_without_abilities_every_count_is_that_of_plain_cards(combat, number):
    """To the integer: no flag, no difference, whatever the policies of abilities say."""
    bare = replace(
        combat,
        fighters=tuple(
            replace(f, effects=frozenset(), numbers=(), banes=frozenset()) for f in combat.fighters
        ),
    )
    usual = replace(bare, policies=tuple(usual_feats(p) for p in bare.policies))
    for one, other in zip(
        Compiled(bare, number).count(0, 500), Compiled(usual, number).count(0, 500), strict=True
    ):
        np.testing.assert_array_equal(one, other)


def usual_feats(policy: Policy) -> Policy:
    """The policy with the usual decisions about abilities."""
    usual = Policy()
    names = ("fury", "chain", "master", "held", "feint", "luck")
    return replace(policy, **{name: getattr(usual, name) for name in names})


def test_a_fighter_who_can_do_nothing_differently_changes_nothing():
    """Abilities that nothing calls for: the trials are the plain ones, die by die."""
    idle = able("Charge bestiale", "Assassin", "Fléau/Dirz", "Furie guerrière")
    quiet = Policy(placement="even", fury="never")
    with_feats = Compiled(Combat((idle, able()), (quiet, quiet), turns=3), 5)
    plain = Compiled(Combat((able(), able()), (quiet, quiet), turns=3), 5)
    for trial in range(100):
        assert with_feats.log(trial) == plain.log(trial)


def test_dice_held_back_are_told_when_all_place():
    """The last column of a PLACE row; none are held by who has to defend (C-3.6)."""
    fencer = able("Bretteur/2", placed=(1, 0))
    rows = Compiled(Combat((fencer, replace(fencer, all_defence=True, placed=None)))).log(0)
    placed = {row[3]: row[6:] for row in rows if row[0] == PLACE}
    assert placed == {0: (0, 0, 2), 1: (0, 2, 0)}


def test_more_dice_than_pages():
    """Passes of arms that C-3.1 would not lead to: their dice are made when they are needed."""
    many = able("Tueur né/9", "Ambidextre/2", RES=40, FOR=0)
    book = Book(dice_base=3, dice_per_enemy=3, double_six_kills=False)
    for policy in (BOLD, replace(WARY, parry=1)):
        compiled = Compiled(Combat((many, many), (policy, WARY), 0, book), 3)
        for trial in range(10):
            assert_same_trial(compiled, trial)
        assert max(row[2] for row in compiled.log(0)) > 8
