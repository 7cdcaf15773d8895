"""Abilities in a combat of the reference: played by hand, wrong readings caught, exact laws."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import islice

import pytest
from ability_cases import CASES, able
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from estoc.kernels.layout.abilities import Effect
from estoc.profiles.fighters.abilities import load_abilities
from reference import combat as fighting
from reference import exhaustive, wounding
from reference.book import Book, Wounds, table_outcome
from reference.feats import SIXES, amount, becomes, has, ignores_location, number
from reference.optimal import FEATS, Game
from reference.rolls import attack_test, defence_test
from reference.state import Combat, Fighter, Policy, change
from reference.tape import FunctionTape
from reference.transcript import transcript

BOOK = Book()
ELSEWHERE = {  # effects that do not act in a combat, or by what is built before it
    *("PLACES_IN_TURN", "STEADY", "BRUTAL", "POWER_CHARGING", "POWER_CHARGED", "FEARLESS"),
    *("WAR_CRY", "FRIGHTENS_ALL", "AIM_DIFFICULTY", "FAST", "PURSUITS", "DISENGAGES"),
    *("FIXED_DISCIPLINE", "REGENERATION"),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    CASES[name]()


# --- nothing is left out --------------------------------------------------------------


def words(name: str) -> set[str]:
    return set(name.split(", "))


def test_every_ability_of_a_combat_has_a_case():
    told = {word for name in CASES for word in words(name)}
    for ability in load_abilities().ability:
        effects = [*ability.effects, *(e for chosen in ability.choices.values() for e in chosen)]
        acts = {e.kind.name for e in effects} - ELSEWHERE - {"OPEN_FIVES"}
        opens = [e for e in effects if e.kind is Effect.OPEN_FIVES]
        rolls = {roll for e in opens for roll in e.numbers["OPEN_ROLLS"]}
        if acts or rolls & {"INITIATIVE", "ATTACK", "DEFENCE"}:
            alike = "Contre-attaque" if ability.name.endswith(("mage", "guerrier")) else ""
            assert {ability.name, alike} & told, ability.name


INTERACTIONS = {
    ("IGNORE_DOUBLES", "KILL_DOUBLES"): "Armure sacrée, Arme sacrée",
    ("BANE", "TOUGH"): "Fléau, Dur à cuire",
    ("IMMUNE_TOXIC", "TOXIC"): "Toxique, Mort-vivant",
    ("C-7", "COUNTER_ATTACK"): "C-7, Contre-attaque",
    ("C-7", "PARRY_DICE"): "C-7, Ambidextre",
    ("HOLD_BACK", "COUNTER_ATTACK"): "Bretteur, Contre-attaque",
    ("HOLD_BACK", "PARRY_DICE"): "Bretteur, Ambidextre",
    ("HOLD_BACK", "C-7"): "Bretteur, C-7 with another die",
    ("NO_REROLLS", "OPEN_FIVES"): "Maudit, Aguerri",
    ("NO_REROLLS", "LUCK"): "Chance, Maudit",
    ("COUNTER_ATTACK", "PARRY_DICE"): "Contre-attaque, Ambidextre",
    ("IGNORE_PENALTY", "LIGHTER_PENALTY"): "Endurance, Possédé",
    ("ALL_ATTACK_RESULT", "ALL_ATTACK_WOUND"): "Bravoure, Fanatisme",
    ("KILL_DOUBLES", "IGNORE_LOCATION"): "Arme sacrée, Immunité/tête",
    ("FURY", "ALL_ATTACK_RESULT"): "Furie guerrière, Bravoure",
    ("IGNORE_DOUBLES", "W-2.2"): "Armure sacrée, 6-6",
}


def test_every_interaction_of_a_combat_has_a_case():
    listed = {(one.first, one.second) for one in load_abilities().interaction}
    acting = {pair for pair in listed if not set(pair) & ELSEWHERE}
    assert acting == set(INTERACTIONS)
    assert set(INTERACTIONS.values()) <= set(CASES)


# --- wrong readings -------------------------------------------------------------------


def caught() -> set[str]:
    """Cases that fail now."""
    wrong = set()
    for name, check in CASES.items():
        try:
            check()
        except (AssertionError, LookupError):
            wrong.add(name)
    return wrong


Patch = pytest.MonkeyPatch


def counters_sustained(patch: Patch) -> None:
    """A sustained die counter-attacks."""
    right = fighting.gain_of

    def gain_of(combat, position, blow, counters):
        return right(combat, change(position, blow.target, sustained=False), blow, counters)

    patch.setattr(fighting, "gain_of", gain_of)


def counters_sustained_by_margin(patch: Patch) -> None:
    """The margin of a counter-attack does not look at the sustained die, nor does the gain."""
    counters_sustained(patch)
    right = fighting.counter_margin

    def counter_margin(combat, position, blow):
        return right(combat, change(position, blow.target, sustained=False), blow)

    patch.setattr(fighting, "counter_margin", counter_margin)


def counters_held(patch: Patch) -> None:
    """An attack with a held die is counter-attacked."""
    right = fighting.counter_margin
    patch.setattr(
        fighting,
        "counter_margin",
        lambda combat, position, blow: right(combat, position, blow._replace(held=False)),
    )


def held_stops_ambidextrous(patch: Patch) -> None:
    """Ambidextre counts as a counter-attack."""
    right = fighting.gain_of
    patch.setattr(
        fighting,
        "gain_of",
        lambda combat, position, blow, counters: (
            fighting.Gain() if blow.held else right(combat, position, blow, counters)
        ),
    )


def tough_against_bane(patch: Patch) -> None:
    """A bane does not cancel Dur à cuire."""

    def rows_down(hit):
        down = amount(hit.striker, "bane", "bane_rows") if hit.bane else 0
        return down - amount(hit.target, "tough", "tough_rows")

    patch.setattr(wounding, "rows_down", rows_down)


def told_by(*order: str) -> Callable[[Patch], None]:
    """What the dice say, looked at in another order."""

    def told(book, hit, lower, higher):
        double, sixes = lower == higher, (lower, higher) == (6, 6) and book.double_six_kills
        say = {
            "armour": "-" if double and has(hit.target, "ignore_doubles") else "",
            "weapon": "K" if double and wounding.kills_by_doubles(hit.striker) else "",
            "sixes": "K" if sixes else "",
            "place": "-" if ignores_location(hit.target, lower) else "",
        }
        row, down = wounding.row_of(hit, higher), wounding.rows_down(hit)
        said = [say[step] for step in order if say[step]]
        return said[0] if said else table_outcome(book, lower, row, down)

    def mutate(patch: Patch) -> None:
        patch.setattr(wounding, "told_by_dice", told)

    mutate.__name__ = " before ".join(order)
    return mutate


def suffered_first(patch: Patch) -> None:
    """What is suffered is replaced before what is dealt."""

    def read_dice(book, hit, dice):
        lower, higher = sorted(dice)[-2:]
        outcome = becomes(hit.target, "suffered", wounding.told_by_dice(book, hit, lower, higher))
        outcome = becomes(hit.striker, "dealt", outcome)
        return wounding.WoundRoll(outcome, lower, wounding.row_of(hit, higher))

    patch.setattr(wounding, "read_dice", read_dice)


def two_dice_of_three(patch: Patch) -> None:
    """Assassin counts the lowest and the highest die."""
    right = wounding.read_dice
    patch.setattr(
        wounding, "read_dice", lambda book, hit, dice: right(book, hit, [min(dice), max(dice)])
    )


def survival_ends_first(patch: Patch) -> None:
    """A wound roll that was cancelled was the first one."""

    def after(combat, position, blow, rolled):
        position = change(position, blow.striker, fresh=False)
        if rolled.survived:
            return position
        return fighting.wound(combat, position, blow.target, rolled.outcome)

    patch.setattr(fighting, "after_wound_roll", after)


def poison_without_wound(patch: Patch) -> None:
    """Toxique works on what is stunned as well."""
    patch.setattr(wounding, "POISONED", ("St", "L", "S", "C"))


def immune_in_vain(patch: Patch) -> None:
    """The undead are poisoned."""
    patch.setattr(
        wounding,
        "poisons",
        lambda hit, outcome: outcome in wounding.POISONED and has(hit.striker, "toxic"),
    )


def toxic_strictly(patch: Patch) -> None:
    """A die equal to X is one level, not two."""
    right = wounding.number
    patch.setattr(
        wounding,
        "number",
        lambda fighter, name: right(fighter, name) - (name == "toxic_twice"),
    )


def dies_at_once(patch: Patch) -> None:
    """Acharné loses his dice."""
    right = fighting.wound

    def wound(combat, position, target, outcome):
        after = right(combat, position, target, outcome)
        lost = after.doomed[target]
        return change(after, target, attack=0, defence=0) if lost else after

    patch.setattr(fighting, "wound", wound)


def dies_twice(patch: Patch) -> None:
    """Acharné is killed by the next blow."""
    right = fighting.wound

    def wound(combat, position, target, outcome):
        if position.doomed[target] and outcome == "K":
            return fighting.buried(position, target)
        return right(combat, position, target, outcome)

    patch.setattr(fighting, "wound", wound)


def lives_on(patch: Patch) -> None:
    """Acharné outlives the combat."""
    patch.setattr(fighting, "end_of_combat", lambda position: position)


def cursed_fives(patch: Patch) -> None:
    """Maudit bars 6s only: 5s are re-rolled all the same."""
    right = fighting.open_faces

    def open_faces(fighter, roll):
        if not has(fighter, "no_rerolls"):
            return right(fighter, roll)
        return (5,) if amount(fighter, "open_fives", "open_rolls") & 1 << roll else ()

    patch.setattr(fighting, "open_faces", open_faces)


def cursed_luck(patch: Patch) -> None:
    """Maudit has no luck."""
    right = fighting.tries_luck
    patch.setattr(
        fighting,
        "tries_luck",
        lambda combat, position, i: (
            right(combat, position, i) and not has(combat.fighters[i], "no_rerolls")
        ),
    )


def better_of_two(patch: Patch) -> None:
    """Luck keeps the better of both attack results."""
    right, tests = fighting.make_attack_test, []

    def make_attack_test(combat, position, blow, roll, slot=0):
        if slot == 0:
            tests.clear()
        tests.append(right(combat, position, blow, roll, slot))
        return max(tests, key=lambda test: test.result)

    patch.setattr(fighting, "make_attack_test", make_attack_test)


def sustains_at_a_cost(patch: Patch) -> None:
    """A sustained defence with a held die costs DEF."""
    right = fighting.commit

    def commit(combat, position, blow, sustains):
        after = right(combat, position, blow, sustains)
        return change(after, blow.target, free=False)

    patch.setattr(fighting, "commit", commit)


def sustains_while_holding(patch: Patch) -> None:
    """A die is sustained though another one is unplaced."""
    right = fighting.sustains_now

    def sustains_now(combat, position, defender, committed):
        return right(combat, change(position, defender, held=0), defender, committed)

    patch.setattr(fighting, "sustains_now", sustains_now)


def all_in_while_holding(patch: Patch) -> None:
    """All dice are in attack though one is unplaced."""
    right = fighting.allotted

    def allotted(combat, position, i, attack, defence):
        after = right(combat, position, i, attack, defence)
        every = defence == 0 and fighting.counts_all_attack(combat.fighters[i])
        return change(after, i, all_attack=every)

    patch.setattr(fighting, "allotted", allotted)


def rages_and_holds(patch: Patch) -> None:
    """Fury leaves the held die unplaced."""
    right = fighting.filled

    def filled(combat, position, i, placed, rage=False):
        after = right(combat, position, i, placed._replace(held=0), rage)
        return after._replace(held=placed.held)

    patch.setattr(fighting, "filled", filled)


def printed_strength(patch: Patch) -> None:
    """The master stroke takes ATT as it is now."""

    def strength_value(combat, position, i, master):
        value = fighting.current(combat, position, i, "FOR")
        if master:
            value += fighting.current(combat, position, i, "ATT")
            value += number(combat.fighters[i], "master_strength")
        return value

    patch.setattr(fighting, "strength_value", strength_value)


def feint_and_wound(patch: Patch) -> None:
    """The wound roll comes as well as the feint: that is, there is no feint instead of it."""
    patch.setattr(fighting, "feints", lambda combat, position, i, j: False)


def chain_for_nothing(patch: Patch) -> None:
    """Enchaînement costs no ATT."""
    patch.setattr(fighting, "attack_value", lambda c, p, i, j: fighting.current(c, p, i, "ATT"))


MUTANTS = {
    counters_sustained: {"C-7, Ambidextre"},
    counters_sustained_by_margin: {"C-7, Contre-attaque", "C-7, Ambidextre"},
    counters_held: {"Bretteur, Contre-attaque"},
    held_stops_ambidextrous: {"Bretteur, Ambidextre"},
    tough_against_bane: {"Fléau, Dur à cuire"},
    told_by("weapon", "armour", "sixes", "place"): {"Armure sacrée, Arme sacrée"},
    told_by("sixes", "armour", "weapon", "place"): {"Armure sacrée, 6-6"},
    told_by("armour", "place", "weapon", "sixes"): {
        "Immunité/tête, 6-6",
        "Arme sacrée, Immunité/tête",
    },
    suffered_first: {"Féroce, Vulnérable", "Épée-hache, Éthéré", "Féroce, Immunité/Sonné"},
    two_dice_of_three: {"Assassin", "Assassin, doubles"},
    survival_ends_first: {"Assassin, Instinct de survie"},
    poison_without_wound: {"Toxique"},
    immune_in_vain: {"Toxique, Mort-vivant"},
    toxic_strictly: {"Toxique", "Toxique, Féroce"},
    dies_at_once: {"Acharné"},
    dies_twice: {"Acharné, again"},
    lives_on: {"Acharné", "Acharné, again"},
    cursed_fives: {"Maudit, Aguerri"},
    cursed_luck: {"Chance, Maudit"},
    better_of_two: {"Chance, attack"},
    sustains_at_a_cost: {"Bretteur, C-7 with the held die"},
    sustains_while_holding: {"Bretteur, C-7 with another die"},
    all_in_while_holding: {"Bretteur, Fanatisme"},
    rages_and_holds: {"Furie guerrière, Bretteur"},
    printed_strength: {"Coup de maître, ATT as printed"},
    feint_and_wound: {"Feinte", "Feinte, useful", "Feinte, Instinct de survie"},
    chain_for_nothing: {"Enchaînement", "Bravoure, Juste", "Désespéré"},
}


@pytest.mark.parametrize("mutate", MUTANTS, ids=lambda mutate: mutate.__name__)
def test_mutant_is_caught(mutate, monkeypatch):
    """The cases named see the mutant."""
    mutate(monkeypatch)
    assert MUTANTS[mutate] <= caught()


# --- exact laws -----------------------------------------------------------------------

FACES = [SIXES, (5, 6), ()]


@pytest.mark.parametrize("open_to", FACES)
@pytest.mark.parametrize("reroll", ["needed", "always", "never"])
def test_law_of_an_attack_is_that_of_its_dice(reroll, open_to):
    policy = Policy(reroll_attack=reroll)
    for switch, defence in [("reset", 3), ("add", None), ("fail", 9)]:
        book = Book(reroll_one=switch)

        def test(roll, book=book, defence=defence):
            def wants(natural):
                return exhaustive.wants_attack_reroll(book, policy, natural, 3, defence)

            made = attack_test(book, roll, 3, wants, open_to)
            return (made.result if made.passed else None,)

        merged = exhaustive.attack_law(book, policy, 3, defence, exhaustive.SIX, 5, open_to)
        assert merged == exhaustive.law(test, depth=5)


@pytest.mark.parametrize("open_to", FACES)
@pytest.mark.parametrize("reroll", ["needed", "always", "never"])
@pytest.mark.parametrize("many", ["best_chain", "one_chain"])
def test_law_of_a_counter_attack_is_that_of_its_dice(many, reroll, open_to):
    for switch, difficulty, margin in [("reset", 7, 2), ("add", 9, 1), ("fail", 12, 3)]:
        book = Book(reroll_one=switch, many_dice=many, natural_one_fails=switch == "add")

        def test(roll, book=book, difficulty=difficulty, margin=margin):
            made = defence_test(book, roll, 2, 3, difficulty, reroll, open_to)
            return ("beats" if made.result >= difficulty + margin else "parries",) * made.passed

        merged = exhaustive.beaten_law(
            book, reroll, 2, 3, difficulty, margin, exhaustive.SIX, 5, open_to
        )
        words = {None: (), False: ("parries",), True: ("beats",)}
        masses = {words[end]: mass for end, mass in merged.masses.items()}
        assert (masses, merged.rest) == exhaustive.law(test, depth=5)


def test_law_of_a_counter_attack():
    """By hand: 3 and a die against 7; 4 and 5 parry, a 6 is enough and beats it by 2."""
    law = exhaustive.beaten_law(BOOK, "needed", 1, 3, 7, 2)
    assert law.masses == {None: Fraction(1, 2), False: Fraction(1, 3), True: Fraction(1, 6)}


def test_laws_of_luck():
    """A parry of 1/2 that may be tried once more: 1/2, and a half of the other half."""
    law = exhaustive.lucky_parry_law(
        BOOK, "needed", 1, 3, 7, exhaustive.SIX, 20, exhaustive.Feats(defence_luck=True)
    )
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    assert law.masses == {
        ("parried", False): half,
        ("parried", True): quarter,
        ("lands", True): quarter,
    }


def test_law_of_initiative_with_luck():
    """Even, no 6 re-rolled, ties again: 1/2; who may roll a lost test again wins more often."""
    quiet = replace(Policy(), reroll_initiative="never")
    combat = Combat((able("Chance"), able()), (quiet, quiet))
    test = fighting.InitiativeTest(1, (3, 3))
    law = exhaustive.lucky_initiative_law(combat, test, (1, 0))
    # A roll-off: 15/36 won, 6/36 tied, 15/36 lost; lost by 1..5 again: the other's die is 2..6,
    # 1..5 times; the second die is higher in 6 - d, equal in 1 of 6: 20/216 won, 15/216 tied.
    lost = sum(Fraction(d - 1, 36) * Fraction(d - 1, 6) for d in range(2, 7))
    won = Fraction(15, 36) + sum(Fraction(d - 1, 36) * Fraction(6 - d, 6) for d in range(2, 7))
    spent = sum(Fraction(d - 1, 36) * Fraction(1, 6) for d in range(2, 7))
    chance = (won + spent / 2) / (1 - Fraction(6, 36))
    assert won + spent + lost + Fraction(6, 36) == 1
    assert sum(mass for (winner, _), mass in law.masses.items() if winner == 0) == chance


def test_law_of_three_wound_dice():
    """The two highest of three are 6-6 in 16 of 216 throws: 1 + 3 * 5."""
    hit = wounding.Hit(able("Assassin"), able("Dur à cuire/9", RES=99), 0, 99, fresh=True)
    law = exhaustive.wounding_law(BOOK, hit)
    assert law.masses[wounding.Wounding(outcome="K")] == Fraction(16, 216)


def test_law_of_survival_and_poison():
    """4 or more of a die saves; what is light becomes serious by 4 to 6, critical by 1 to 3."""
    book = replace(BOOK, wound_table=("L L L L L",) * 11, double_six_kills=False)
    hit = wounding.Hit(able("Toxique/3"), able("Instinct de survie/4"), 5, 5)
    law = exhaustive.wounding_law(book, hit)
    quarter = Fraction(1, 4)
    assert law.masses == {
        wounding.Wounding(survived=True): Fraction(1, 2),
        wounding.Wounding(outcome="S"): quarter,
        wounding.Wounding(outcome="C"): quarter,
    }


# --- whole combats --------------------------------------------------------------------

TEXTS = (
    *("Dur à cuire", "Fléau/Dirz", "Féroce", "Épée-hache", "Arme sacrée", "Armure sacrée"),
    *("Éthéré", "Vulnérable", "Toxique/2", "Immunité/tête", "Brute épaisse", "Ambidextre"),
    *("Contre-attaque/1", "Enchaînement/2", "Coup de maître/2", "Bretteur", "Feinte", "Tueur né"),
    *("Furie guerrière", "Charge bestiale", "Assassin", "Esquive", "Réflexes", "Bravoure"),
    *("Fanatisme", "Possédé", "Endurance", "Acharné", "Instinct de survie/3", "Chance"),
    *("Désespéré", "Maudit", "Mort-vivant", "Chance/2", "Bretteur/2"),
)
KEPT = Policy(reroll_initiative="never")
FEW, MANY = 500, 20000  # sequences of dice


def merges_rightly(combat: Combat, faces: tuple[int, ...], most: int) -> bool:
    """Whether no more sequences of dice are played than asked for; then laws are compared."""

    def end(tape):
        return exhaustive.final(fighting.play(combat, tape)[0])

    pairs = list(islice(exhaustive.branches(end, faces, 1000), most + 1))
    if len(pairs) > most:
        return False
    law = exhaustive.exact(combat, faces, 40)
    assert law.rest == 0
    assert law.masses == exhaustive.collect(pairs)
    return True


@pytest.mark.parametrize("text", TEXTS)
def test_merged_law_is_that_of_every_die(text):
    """Each ability against a plain fighter, and against its like."""
    book, against = Book(dice_base=0, opposed_tie="first"), frozenset((0, 1))
    one = replace(able(text, PA=10), banes=against, charging=True)
    for other in (able(PA=11, FOR=6), replace(one, PA=11)):
        for faces in ((1, 4), (2, 5)):
            combat = Combat((one, other), (KEPT, KEPT), 0, book)
            assert merges_rightly(combat, faces, MANY)


rerolls = st.sampled_from(["needed", "never"])
ability_policies = st.builds(
    Policy,
    placement=st.sampled_from(["answer", "even", "attack", "defence"]),
    parry=st.sampled_from(["none", "spread", "all", 1, 2]),
    sustain=st.sampled_from(["useful", "never", "always"]),
    reroll_attack=rerolls,
    reroll_defence=rerolls,
    reroll_initiative=st.just("never"),
    fury=st.sampled_from(["useful", "never", "always"]),
    chain=st.integers(0, 3),
    master=st.sampled_from(["useful", "never", "always"]),
    held=st.sampled_from(["useful", "attack", "defence"]),
    feint=st.sampled_from(["useful", "never", "always"]),
    luck=st.sampled_from(["useful", "never"]),
)


@st.composite
def ability_fighters(draw: st.DrawFn) -> Fighter:
    texts = draw(st.lists(st.sampled_from(TEXTS), max_size=4, unique_by=lambda t: t.split("/")[0]))
    stats = {stat: draw(st.integers(0, 7)) for stat in ("INI", "ATT", "FOR", "DEF", "RES")}
    placed = draw(st.sampled_from([None, None, (1, 0), (1, 1), (0, 1)]))
    return able(
        *texts,
        **stats,
        PA=draw(st.sampled_from([None, 10, 20])),
        placed=placed,
        charging=draw(st.booleans()),
        banes=frozenset(draw(st.sampled_from([(), (0, 1, 2)]))),
    )


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(ability_fighters(), min_size=2, max_size=3).map(tuple),
    st.tuples(ability_policies, ability_policies),
    st.sampled_from([(2, 5), (1, 4), (3, 6)]),
    st.sampled_from(["best_chain", "one_chain"]),
)
def test_merged_law_is_that_of_every_die_of_any_abilities(fighters, policies, faces, many):
    book = Book(dice_base=0, opposed_tie="coin", many_dice=many)
    assume(merges_rightly(Combat(fighters, policies, 0, book), faces, FEW))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.lists(ability_fighters(), min_size=2, max_size=4).map(tuple),
    st.tuples(ability_policies, ability_policies),
    st.randoms(use_true_random=False),
)
def test_every_combat_comes_to_its_end(fighters, policies, random):
    """No die is asked twice, nobody has less than no dice, and the log can be told."""
    tape = FunctionTape(lambda address: random.randint(1, 6))
    combat = Combat(fighters, policies, turns=2)
    position, log = fighting.play(combat, tape)
    assert len(set(tape.asked)) == len(tape.asked)
    assert min(*position.attack, *position.defence, *position.held, *position.luck) >= 0
    assert not any(position.doomed)
    assert transcript(combat, log).endswith(f"turn {log[-1][1] + 1}\n")


# --- the best of every choice ---------------------------------------------------------


def hurt(code: int) -> Fraction:
    """How much a state is worth to the enemy."""
    return Fraction(5) if code == 8 else code // 2 + Fraction(code % 2, 4)


def score(wounds: tuple[Wounds, ...]) -> Fraction:
    return sum(map(hurt, (w.code for w in wounds[1:])), Fraction(0)) - hurt(wounds[0].code)


def value(combat: Combat, one: Iterable[str] = (), other: Iterable[str] = ()) -> Fraction:
    return Game(combat, score, (frozenset(one), frozenset(other))).value()


pairs = st.tuples(ability_fighters(), ability_fighters())
CLOSE = Fraction(1, 10**7)  # 5s and 6s: 16 of them in a row are rarer


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(pairs, st.tuples(ability_policies, ability_policies), st.sampled_from(["coin", "reroll"]))
def test_with_nothing_open_a_combat_is_worth_what_its_law_says(fighters, policies, tie):
    combat = Combat(fighters, policies, 0, Book(dice_base=0, opposed_tie=tie))
    law = exhaustive.exact(combat)
    mean = sum(
        mass * (sum(map(hurt, end.states[1:])) - hurt(end.states[0]))
        for end, mass in law.masses.items()
    )
    assert abs(value(combat) - mean) < CLOSE


@pytest.mark.slow
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))
@given(pairs, st.tuples(ability_policies, ability_policies), st.sampled_from(sorted(FEATS)))
def test_a_choice_left_open_is_no_worse(fighters, policies, name):
    combat = Combat(fighters, policies, 0, Book(dice_base=0, opposed_tie="coin"))
    fixed = value(combat)
    assert value(combat, [name]) >= fixed - CLOSE
    assert value(combat, (), [name]) <= fixed + CLOSE


NEVER = Policy(
    reroll_attack="never",
    reroll_defence="never",
    reroll_initiative="never",
    sustain="never",
    luck="never",
)
PINNED = replace(NEVER, placement="attack", parry="none", fury="never")
KILLS = Book(dice_base=0, double_six_kills=False, wound_table=("- - - - -", *("K K K K K",) * 10))


def duel(one: Fighter, other: Fighter, **fields: object) -> Combat:
    """A duel without any luck of initiative: the lone fighter's INI is far higher."""
    policies = replace(PINNED, **fields), PINNED  # type: ignore[arg-type]
    return Combat((replace(one, INI=50), replace(other, INI=0)), policies, 0, Book(dice_base=0))


def test_the_best_feint_takes_what_harms_most():
    """A blow that does nothing, and then one that kills: the feint takes the die of that."""
    striker, enemy = able("Feinte", FOR=0, RES=0), able("Tueur né", RES=40, placed=(1, 1))
    combat = replace(duel(striker, enemy, feint="never"), book=KILLS)
    assert value(combat) == -5
    assert value(combat, ["feint"]) == 0


def test_the_best_chain_and_fury_take_all_dice():
    """Blows that are not parried: every die more is worth something, none costs anything."""
    target = able(placed=(0, 1), FOR=0, RES=8)
    chains = duel(able("Enchaînement/2"), target, chain=0)
    plain = value(chains)
    two = value(replace(chains, policies=(replace(PINNED, chain=2), PINNED)))
    assert value(chains, ["chain"]) == two > plain
    rages = duel(able("Furie guerrière"), target)
    always = value(replace(rages, policies=(replace(PINNED, fury="always"), PINNED)))
    assert value(rages, ["fury"]) == always > value(rages)
    assert always == value(duel(able("Tueur né"), target))


def test_the_best_master_stroke_is_the_better_of_both():
    """Two blows, or one with 3 more of ATT and 2 of the ability."""
    target = able(placed=(0, 2))
    for strength in (0, 40):
        combat = duel(able("Coup de maître/2", "Tueur né", FOR=strength), target)
        ways = [
            value(replace(combat, policies=(replace(PINNED, master=way), PINNED)))
            for way in ("never", "always")
        ]
        assert value(combat, ["master"]) == max(ways)
        assert ways[0] != ways[1]


def test_the_best_use_of_a_held_die():
    """Against one who only defends in vain it is an attack; against one who only strikes none."""
    attacks = duel(able("Bretteur"), able(placed=(0, 1)), held="defence")
    assert value(attacks) == 0
    one_blow = value(duel(able(), able(placed=(0, 1))))
    assert value(attacks, ["held"]) == one_blow
    fencer, striker = able("Bretteur", DEF=50, FOR=0, RES=0), able(RES=50, placed=(1, 0))
    parries = replace(duel(fencer, striker, held="attack"), book=KILLS)
    assert value(parries) == -5
    assert value(parries, ["held"]) == 0


def test_luck_at_its_best_is_no_more_than_a_test_again():
    """A blow that kills lands if the second die is lower: once, or twice in a row."""
    striker, target = able(placed=(1, 0), ATT=0), able("Chance", placed=(0, 1), DEF=0, RES=0)
    pair = replace(striker, INI=50), target
    combat = Combat(pair, (NEVER, NEVER), 0, KILLS)
    once = sum(Fraction(1, 6) * Fraction(d - 1, 6) for d in range(1, 7))
    again = sum(Fraction(1, 6) * Fraction(d - 1, 6) ** 2 for d in range(1, 7))
    assert value(combat) == 5 * once
    useful = replace(combat, policies=(NEVER, replace(NEVER, luck="useful")))
    assert value(useful) == 5 * once  # spent on the initiative, which he cannot win
    assert value(combat, (), ["luck"]) == 5 * again
