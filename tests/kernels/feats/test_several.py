"""Exact laws of combats with abilities (W-7): the reference's Fractions, trials, best play."""

from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest
from ability_cases import able
from exact_witness import FeatSolver, Solver
from hypothesis import HealthCheck, given, seed, settings

from estoc.kernels.layout.abilities import COMBAT
from estoc.kernels.layout.policy import Decision
from estoc.profiles import InputError, Profile
from estoc.profiles.fighters.abilities import load_abilities
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY, POLICIES, parse_policy
from estoc.sim.base.run import Method
from estoc.sim.combat.combat import ask, profiles_of
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.sampling import count_trials
from reference.book import Book, Wounds
from reference.exhaustive import exact
from reference.optimal import EVERY, FEATS, Game
from reference.state import Combat, Policy
from tests.kernels.combat.test_feats import TEXTS, THEMSELVES, able_combats, effects_of, without

LOOSE = list(HealthCheck)
CLOSE = 1e-12

# Few states, and an Initiative test that comes to an end: the reference then needs no time.
TABLE = ("- - St L L",) * 4 + ("- St L L K",) * 4 + ("L L K K K",) * 3
FEW = Book(dice_base=0, killing=3, wound_table=TABLE, opposed_tie="first")
QUIET = Policy(placement="even", reroll_initiative="never")
BOLD = replace(QUIET, placement="attack", fury="always", chain=2, master="always", feint="always")
SHY = replace(QUIET, placement="defence", parry="all", held="defence", chain=1)
EAGER = replace(QUIET, held="attack", reroll_attack="always", reroll_defence="always")


def assert_law(combat: Combat) -> None:
    """The kernels' law is the reference's, end by end."""
    fives = any("open_fives" in fighter.effects for fighter in combat.fighters)
    law = exact(combat, depth=30 if fives else 20)  # 3**-30 and 6**-20 are left out, a chain
    assert law.rest <= CLOSE
    found = FeatSolver(combat).law()
    assert sum(found.values()) == pytest.approx(1, abs=CLOSE)
    for end in found.keys() | law.masses.keys():
        assert abs(found.get(end, 0) - float(law.masses.get(end, 0))) <= CLOSE, (combat, end)


def owner(*texts: str, **fields: object):
    """A fighter with abilities, in a state in which they matter."""
    feats = able(*texts, **{"PA": 10, "INI": 4, "charging": True, **fields})
    wounds = next((THEMSELVES[text] for text in texts if text in THEMSELVES), Wounds())
    banes = frozenset({0, 1, 2} if "bane" in feats.effects else ())
    return replace(feats, wounds=wounds, banes=banes)


OTHER = able(PA=15, ATT=4, FOR=6)


# --- each ability, and pairs ------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
def test_an_ability_alone(text):
    """One enemy and two, on either side, one turn and two."""
    one, more = owner(text), replace(FEW, dice_base=1)
    for policy in (QUIET, BOLD, SHY, EAGER):
        assert_law(Combat((one, OTHER), (policy, QUIET), 0, more))
    assert_law(Combat((one, replace(owner(text), PA=12)), (BOLD, EAGER), 0, FEW, 2))
    assert_law(Combat((one, OTHER, OTHER), (QUIET, BOLD), 1, FEW))
    assert_law(Combat((OTHER, one, able(PA=9)), (EAGER, QUIET), 1, FEW, 2))


def shared_roll() -> set[tuple[str, str]]:
    """Pairs of abilities that touch one roll, by the order of application."""
    touched: dict[str, set] = {}
    for step in load_abilities().order:
        if step.effect is not None:
            touched.setdefault(step.effect.name, set()).update(step.rolls)
    texts: dict[str, str] = {}  # one ability for each effect that acts in a combat
    for text in TEXTS:
        for effect in effects_of(text):
            if COMBAT >> effect & 1:
                texts.setdefault(effect.name, text)
    listed = sorted((texts[name], rolls) for name, rolls in touched.items() if name in texts)
    return {
        (one, other)
        for (one, of_one), (other, of_other) in combinations(listed, 2)
        if one != other and of_one & of_other
    }


PAIRS = sorted(shared_roll())


def test_there_are_many_pairs():
    assert len(PAIRS) > 100
    assert len({text for pair in PAIRS for text in pair}) > 20


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_two_that_touch_one_roll(first, second):
    """Both of one fighter's, and each of one of two enemies."""
    if first.partition("/")[0] != second.partition("/")[0]:
        assert_law(Combat((owner(first, second), OTHER), (BOLD, QUIET), 0, FEW))
    book = replace(FEW, dice_base=1)
    assert_law(Combat((owner(first), owner(second, PA=11)), (QUIET, QUIET), 0, book))
    assert_law(Combat((owner(second), owner(first, PA=11)), (EAGER, BOLD), 1, book))


# the reference takes long with luck, and with 5s re-rolled at will
CHANCE, AGUERRI = (pytest.param(text, marks=pytest.mark.slow) for text in ("Chance", "Aguerri"))


@pytest.mark.parametrize("text", ["Réflexes", "Aguerri", "Maudit", "Désespéré", CHANCE])
@pytest.mark.parametrize("tie", ["reroll", "higher_characteristic"])
def test_initiative(text, tie):
    """With 6s, and 5s, re-rolled in turn, and ties rolled again."""
    book = replace(FEW, opposed_tie=tie)
    needed = replace(QUIET, reroll_initiative="needed")
    assert_law(Combat((owner(text), OTHER), (needed, needed), 0, book))
    assert_law(Combat((OTHER, owner(text), able(INI=2)), (needed, needed), 1, book))


@seed(721)
@settings(max_examples=40, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(2))
def test_any_of_them_together(combat):
    """The editions too; dice are few, and the Initiative test comes to an end."""
    book = replace(
        combat.book, opposed_tie="first", dice_base=1, dice_per_enemy=0, stunned_stacks=False
    )
    policies = tuple(replace(p, reroll_initiative="never") for p in combat.policies)
    listed = tuple(
        replace(f, placed=None, wounds=replace(f.wounds, stunned=min(f.wounds.stunned, 1)))
        for f in combat.fighters
    )
    assert_law(replace(combat, fighters=listed, policies=policies, book=book, turns=1))


# --- without abilities ------------------------------------------------------------------


@seed(722)
@settings(max_examples=40, deadline=None, suppress_health_check=LOOSE, database=None)
@given(able_combats(2))
def test_without_abilities_both_tables_give_one_law(combat):
    """The kernels of abilities, asked of plain fighters, answer what the others do."""
    for i in range(len(combat.fighters)):
        combat = without(combat, i)
    book = replace(combat.book, stunned_stacks=False, dice_base=1, dice_per_enemy=1)
    wounds = [replace(f.wounds, stunned=min(f.wounds.stunned, 1)) for f in combat.fighters]
    listed = tuple(replace(f, wounds=w) for f, w in zip(combat.fighters, wounds, strict=True))
    combat = replace(combat, fighters=listed, book=book, turns=1)
    one, other = FeatSolver(combat).joint(), Solver(combat).joint()
    for end in one.keys() | other.keys():
        assert abs(one.get(end, 0) - other.get(end, 0)) <= 1e-13


def card(name: str = "fighter", *texts: str, **stats: int) -> Profile:
    usual = {"INI": 3, "ATT": 4, "FOR": 6, "DEF": 3, "RES": 5, "PA": 20}
    return Profile(name, origin="x", people="Dirz", abilities=texts, **{**usual, **stats})


FOE = card("foe", PA=25, INI=4)
ONLY = {
    "Dur à cuire": ("Arme sacrée",),
    "Fléau/Dirz": ("Dur à cuire",),
    "Mort-vivant": ("Toxique/2",),
}


def against(text: str) -> Profile:
    """An enemy to whom an ability matters."""
    return replace(FOE, abilities=ONLY.get(text, ()))


@pytest.mark.parametrize("text", TEXTS)
def test_abilities_switched_off_are_abilities_not_there(text):
    """To the integer, and to the last bit of an exact chance."""
    options = Options(turns=2, charge=("A",), wounds=("A=light",))
    off = ask([card("one", text)], [FOE], replace(options, abilities=False))
    bare = ask([card("one")], [FOE], options)
    one, other = Engine().law(off), Engine().law(bare)
    np.testing.assert_array_equal(one.joint, other.joint)
    assert (one.value, one.turns, one.placed) == (other.value, other.turns, other.placed)
    counted, plain = (count_trials([q], Method("mc", 2_000, 5))[0] for q in (off, bare))
    np.testing.assert_array_equal(counted.law, plain.law)
    np.testing.assert_array_equal(counted.sides, plain.sides)
    assert (counted.first, counted.turns) == (plain.first, plain.turns)


# --- sampled ----------------------------------------------------------------------------

SAMPLED = 60_000


@pytest.mark.parametrize("text", TEXTS)
def test_an_ability_sampled(text):
    """Within 4 standard errors of the exact law.

    About 20 shares of each of 57 abilities: were they independent, one of all would be out by
    chance with a probability of 7 %. The seed is fixed.
    """
    options = Options(
        turns=2,
        charge=("A",),
        policies=(parse_policy("sensible:placement=even,chain=2"), parse_policy("bold")),
        wounds=("A=light",),
    )
    question = ask([card("one", text)], [against(text)], options)
    law, counts = Engine().law(question), count_trials([question], Method("mc", SAMPLED, 2026))[0]
    pairs = [*zip(law.law.ravel(), counts.law.ravel(), strict=True), (law.first, counts.first)]
    for chance, number in pairs:
        error = sqrt(max(chance * (1 - chance), 1e-6) / SAMPLED)
        assert abs(number / SAMPLED - chance) <= 4 * error


def test_the_comparison_sees_an_ability():
    """The trials of a fighter with an ability are far from the law of one without it."""
    question = ask([card("one", "Tueur né")], [FOE], Options())
    law = Engine().law(ask([card("one")], [FOE], Options()))
    share = count_trials([question], Method("mc", SAMPLED, 2026))[0].lone_wins / SAMPLED
    assert abs(share - law.lone_wins) > 40 * sqrt(share * (1 - share) / SAMPLED)


# --- swapped ----------------------------------------------------------------------------


@pytest.mark.parametrize("text", TEXTS)
def test_a_duel_with_its_sides_swapped(text):
    policies = POLICIES["bold"], POLICIES["cautious"]
    one = ask([card("one", text)], [against(text)], Options(policies=policies, charge=("A",)))
    options = Options(policies=policies[::-1], charge=("B",), chosen_by="B")
    other = ask([against(text)], [card("one", text)], options)
    there, back = Engine().law(one), Engine().law(other)
    np.testing.assert_allclose(back.joint[::-1].swapaxes(1, 2), there.joint, rtol=0, atol=1e-13)
    assert back.value == pytest.approx(-there.value, abs=1e-13)
    assert back.placed == there.placed[::-1]


# --- best play --------------------------------------------------------------------------

TINY = replace(FEW, killing=2, wound_table=("- - - L L",) * 4 + ("- L L L K",) * 7)
CHOICES = EVERY | FEATS
OPEN_TEXTS = (
    *("Furie guerrière", "Enchaînement/1", "Coup de maître/2", "Bretteur", "Feinte", "Chance"),
    *("Contre-attaque/1", "Ambidextre", "Acharné", "Toxique/2", "Instinct de survie/4"),
    *("Esquive", "Aguerri", "Maudit", "Assassin", "Bravoure", "Fanatisme"),
)


def kills(states: tuple[Wounds, ...]) -> Fraction:
    """Enemies dead, and a little hurt, less himself."""
    hurt = sum(Fraction(wounds.level, 8) for wounds in states[1:])
    return sum(map(Fraction, (w.dead for w in states[1:]))) + hurt - Fraction(states[0].dead)


def assert_best(combat: Combat, best: tuple[frozenset, frozenset]) -> None:
    """Best play is worth what the tree of all decisions is."""
    value = float(Game(combat, kills, best).value())
    names = [[Decision[name.upper()] for name in sorted(side)] for side in best]
    found = FeatSolver(combat, (names[0], names[1])).value(lambda states: float(kills(states)))
    assert found == pytest.approx(value, abs=CLOSE), (combat, best)


NOBODY: frozenset[str] = frozenset()


@pytest.mark.parametrize(
    "text", [*(text for text in OPEN_TEXTS if text not in ("Chance", "Aguerri")), CHANCE, AGUERRI]
)
def test_best_play_with_an_ability(text):
    """Every decision of one side, of the other, and of both, dice given and dice free."""
    one = owner(text, FOR=6, placed=(1, 1))
    other = able(PA=15, ATT=4, placed=(1, 1))
    book = replace(TINY, dice_base=1)
    for best in ((CHOICES, NOBODY), (NOBODY, CHOICES), (CHOICES, CHOICES)):
        assert_best(Combat((one, other), (QUIET, QUIET), 0, book), best)
    free = Combat((replace(one, placed=None), replace(other, placed=None)), (QUIET, QUIET), 0, TINY)
    assert_best(free, (CHOICES, CHOICES))


@pytest.mark.parametrize("names", sorted(FEATS))
def test_one_decision_left_open(names):
    texts = (
        "Furie guerrière",
        "Enchaînement/1",
        "Coup de maître/2",
        "Bretteur",
        "Feinte",
        "Chance",
    )
    one, other = owner(*texts), able("Contre-attaque/1", PA=15, ATT=4)
    assert_best(Combat((one, other), (QUIET, QUIET), 0, TINY), (frozenset([names]), NOBODY))


@pytest.mark.parametrize("text", OPEN_TEXTS)
def test_no_policy_beats_best_play(text):
    """A saddle: best play gains against any policy, none gains against it."""
    engine, sides = Engine(), ([card("one", text)], [against(text)])
    dice = ("A=1/0" if text == "Bretteur" else "A=1/1", "B=1/1")
    value = engine.law(ask(*sides, Options(policies=(BEST_PLAY, BEST_PLAY), dice=dice))).value
    for policy in (*POLICIES.values(), parse_policy("sensible:feint=always,master=always")):
        mine = Options(policies=(policy, BEST_PLAY), dice=dice)
        theirs = Options(policies=(BEST_PLAY, policy), dice=dice)
        assert engine.law(ask(*sides, mine)).value <= value + CLOSE
        assert engine.law(ask(*sides, theirs)).value >= value - CLOSE


# --- what has no room -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        (("Tueur né/9", "Enchaînement/9"), "20 combat dice"),
        (("Chance/3",), "3 tests rolled again by Chance"),
        (("Tueur né/9", "Bretteur/6"), "6 of 11 dice held back"),
    ],
)
def test_what_has_no_room_is_refused(texts, told):
    """Rather than written beyond the tables."""
    question = ask([card("one", *texts)], [FOE], Options())
    if "held" in told:
        assert not question.obstacle
        return
    assert told in question.obstacle
    with pytest.raises(InputError, match=told):
        Engine().law(question)
    assert not replace(question, options=Options(abilities=False)).obstacle


def test_as_many_dice_as_there_is_room_for():
    many = card("one", "Tueur né/9", "Enchaînement/4", "Esquive", "Chance/2")
    policy = parse_policy("sensible:placement=defence,parry=all,chain=4")
    question = ask([many], [card("foe", "Tueur né/3")], Options(policies=(policy, policy)))
    law = Engine().law(question)
    assert law.joint.sum() == pytest.approx(1, abs=CLOSE)
    counts = count_trials([question], Method("mc", SAMPLED, 3))[0]
    error = sqrt(law.others_win * (1 - law.others_win) / SAMPLED)
    assert abs(counts.others_win / SAMPLED - law.others_win) <= 4 * error


def test_a_table_too_small_grows():
    combat = Combat((owner("Bretteur"), owner("Contre-attaque", PA=11)), (QUIET, QUIET))
    joint = FeatSolver(combat, positions=1).joint()
    assert joint == FeatSolver(combat).joint()


def test_one_engine_for_fighters_with_and_without():
    """Tables that questions share hold nothing of one that another reads."""
    cards = [card("one", *texts) for texts in ((), ("Bretteur",), ("Tueur né", "Chance"), ())]
    asked = [ask([a], [b], Options()) for a, b in product(cards, repeat=2)]
    engine = Engine()
    for question in (*asked, *asked[::-1]):
        np.testing.assert_array_equal(engine.law(question).joint, Engine().law(question).joint)


def test_the_best_chain_is_the_best_fixed_one():
    """A fixed number of dice of a chain leaves the best split of all dice open."""
    able = ("Enchaînement/2", "Bretteur")
    one = Profile("one", INI=3, ATT=5, FOR=8, DEF=5, RES=11, PA=49, abilities=able)
    enemy = profiles_of("guerrier de l'aube", None)[0]
    engine, found = Engine(), {}
    for chain in ("optimal", 0, 1, 2):
        policy = replace(BEST_PLAY, chain=chain)
        question = ask([one], [enemy], Options(policies=(policy, BEST_PLAY)))
        found[chain] = engine.law(question).value
    assert found["optimal"] == pytest.approx(max(found[chain] for chain in (0, 1, 2)), abs=CLOSE)
    assert found[0] < found[1] < found[2]
