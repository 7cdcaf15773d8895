"""Abilities in a combat, each played on dice given, worked out by hand from W-7.

``CASES`` are by name what `test_reference_abilities` plays and what its mutants are caught by. A
case is named after the abilities and steps that it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

from estoc.kernels.layout.abilities import MAPS, Effect, Number
from estoc.kernels.layout.combat import Outcome
from estoc.profiles import Profile
from estoc.profiles.fighters.abilities import compile_abilities
from reference.book import DEAD, Book, Wounds
from reference.combat import ATTACK, DIE, FEAT, INITIATIVE, PARRY, PLACE, STRIKE, WOUND, Log, play
from reference.state import Combat, Fighter, Policy, Position
from reference.tape import ScriptedTape

Case = Callable[[], None]
CASES: dict[str, Case] = {}
ONE_DIE = Book(dice_base=0)  # a die for each enemy
LISTED = Policy(sustain="never", strike_order="listed", target="listed", placement="even")
OPEN = replace(LISTED, parry="none")
FIRST = (5, 1)  # initiative: the lone fighter is first
SECOND = (1, 5)


def case(name: str) -> Callable[[Case], Case]:
    """A case by this name."""

    def listed(check: Case) -> Case:
        assert name not in CASES
        CASES[name] = check
        return check

    return listed


def able(*abilities: str, **fields: object) -> Fighter:
    """A fighter with these abilities, written as on a card."""
    flags, values = compile_abilities(Profile(name="fighter", abilities=abilities))
    effects = frozenset(effect.name.lower() for effect in Effect if flags >> effect & 1)
    numbers = [
        (number.name.lower(), int(values[number]))
        for number in Number
        if not any(first <= number < first + len(Outcome) for first in MAPS)
    ]
    for first in MAPS:
        for outcome in Outcome:
            if values[first + outcome] != outcome:
                name = f"{first.name}_{outcome.name}".lower()
                numbers.append((name, int(values[first + outcome])))
    usual = {"INI": 3, "ATT": 3, "FOR": 5, "DEF": 3, "RES": 5}
    fields = {**usual, **fields, "effects": effects, "numbers": tuple(numbers)}
    return Fighter("fighter", **fields)  # type: ignore[arg-type]


class Told(NamedTuple):
    """A combat that was played: its end and its log."""

    end: Position
    log: Log

    def rows(self, kind: int) -> list[tuple[int, ...]]:
        return [row for row in self.log if row[0] == kind]

    @property
    def placed(self) -> list[tuple[int, ...]]:
        """Fighter; attack, defence, held."""
        return [(row[3], *row[6:]) for row in self.rows(PLACE)]

    @property
    def feats(self) -> list[tuple[object, ...]]:
        """Whose, against whom, effect, three numbers."""
        return [(*row[3:5], Effect(row[5]).name, *row[6:]) for row in self.rows(FEAT)]

    @property
    def strikes(self) -> list[tuple[int, ...]]:
        """Striker, target; committed, sustained, defended, held 1 or master stroke 2."""
        return [row[3:] for row in self.rows(STRIKE)]

    @property
    def attacks(self) -> list[tuple[int, ...]]:
        """Natural, result, failed."""
        return [row[6:] for row in self.rows(ATTACK)]

    @property
    def parries(self) -> list[tuple[int, ...]]:
        """Natural, result, parried."""
        return [row[6:] for row in self.rows(PARRY)]

    @property
    def wounds(self) -> list[tuple[int, ...]]:
        """Outcome, location, row, state after."""
        return [row[5:] for row in self.rows(WOUND)]

    @property
    def initiative(self) -> list[tuple[int, ...]]:
        """Winner, results."""
        return [row[5:8] for row in self.rows(INITIATIVE)]


def fight(
    fighters: tuple[Fighter, ...],
    *dice: int,
    policies: tuple[Policy, Policy] = (LISTED, LISTED),
    book: Book | None = None,
    turns: int = 1,
) -> Told:
    """Play a combat on these dice, all of them."""
    tape = ScriptedTape(dice)
    told = Told(*play(Combat(fighters, policies, book=book or Book(), turns=turns), tape))
    tape.finish()
    return told


def blow(striker: Fighter, target: Fighter, *dice: int) -> Told:
    """One blow that lands, and its wound roll: FOR 5, RES 5, so the row is the higher die."""
    pair = replace(striker, placed=(1, 0)), replace(target, placed=(0, 1))
    return fight(pair, *FIRST, *dice, policies=(LISTED, OPEN), book=ONE_DIE)


def outcome(striker: Fighter, target: Fighter, *dice: int) -> int:
    """What the wound row of the blow says: 0 to 5 for nothing to killed."""
    (wound,) = blow(striker, target, *dice).wounds
    return wound[0]


NOTHING, STUNNED, LIGHT, SERIOUS, CRITICAL, KILLED = range(6)
PLAIN = able()

# What the plain table says of the dice used below, by row: legs 2 stunned; arms 5 light; abdomen 5
# serious; thorax 5 serious, 6 critical; head 5 critical.
LEGS_STUNNED, ARMS_LIGHT, ABDOMEN_SERIOUS = (1, 2), (2, 5), (3, 5)
THORAX_SERIOUS, HEAD_CRITICAL = (4, 5), (5, 5)


@case("plain")
def _() -> None:
    assert outcome(PLAIN, PLAIN, *LEGS_STUNNED) == STUNNED
    assert outcome(PLAIN, PLAIN, *ARMS_LIGHT) == LIGHT
    assert outcome(PLAIN, PLAIN, *ABDOMEN_SERIOUS) == SERIOUS
    assert outcome(PLAIN, PLAIN, *THORAX_SERIOUS) == SERIOUS
    assert outcome(PLAIN, PLAIN, *HEAD_CRITICAL) == CRITICAL
    assert outcome(PLAIN, PLAIN, 6, 6) == KILLED
    assert outcome(PLAIN, PLAIN, 1, 1) == STUNNED


# --- wounds ---------------------------------------------------------------------------


@case("Dur à cuire")
def _() -> None:
    told = blow(PLAIN, able("Dur à cuire"), *ABDOMEN_SERIOUS)
    assert told.wounds == [(LIGHT, 3, 5, 2)]  # the row told is the one before shifts
    assert outcome(PLAIN, able("Dur à cuire"), 1, 4) == STUNNED
    assert outcome(PLAIN, able("Dur à cuire/2"), 4, 5) == LIGHT  # rows 0-1
    assert outcome(replace(PLAIN, FOR=0), able("Dur à cuire", RES=10), 4, 5) == LIGHT  # first row


BANE = replace(able("Fléau/Dirz"), banes=frozenset((1,)))


@case("Fléau")
def _() -> None:
    assert outcome(BANE, PLAIN, *THORAX_SERIOUS) == CRITICAL  # rows 6-7
    assert outcome(replace(BANE, banes=frozenset()), PLAIN, *THORAX_SERIOUS) == SERIOUS
    assert outcome(replace(BANE, FOR=25), PLAIN, 1, 6) == CRITICAL  # the last row


@case("Fléau, Dur à cuire")
def _() -> None:
    assert outcome(BANE, able("Dur à cuire"), *THORAX_SERIOUS) == CRITICAL
    assert outcome(BANE, able("Dur à cuire/3"), *THORAX_SERIOUS) == CRITICAL
    other = replace(BANE, banes=frozenset())
    assert outcome(other, able("Dur à cuire/3"), *THORAX_SERIOUS) == LIGHT


@case("Féroce")
def _() -> None:
    assert blow(able("Féroce"), PLAIN, *LEGS_STUNNED).wounds == [(LIGHT, 1, 2, 2)]
    assert outcome(able("Féroce"), PLAIN, *ARMS_LIGHT) == LIGHT


@case("Épée-hache")
def _() -> None:
    assert blow(able("Épée-hache"), PLAIN, *HEAD_CRITICAL).wounds == [(KILLED, 5, 5, 8)]
    assert outcome(able("Épée-hache"), PLAIN, *THORAX_SERIOUS) == SERIOUS


@case("Arme sacrée")
def _() -> None:
    for weapon in ("Arme sacrée", "Arme sacrée/combat"):
        assert outcome(able(weapon), PLAIN, 1, 1) == KILLED
        assert outcome(able(weapon), PLAIN, *LEGS_STUNNED) == STUNNED


@case("Arme sacrée of shooting")
def _() -> None:
    bow = replace(able(), effects=frozenset(("kill_doubles",)), numbers=(("kill_weapons", 2),))
    assert outcome(bow, PLAIN, 1, 1) == STUNNED


@case("Armure sacrée")
def _() -> None:
    armour = able("Armure sacrée")
    assert blow(PLAIN, armour, *HEAD_CRITICAL).wounds == [(NOTHING, 5, 5, 0)]
    assert outcome(PLAIN, armour, *THORAX_SERIOUS) == SERIOUS


@case("Armure sacrée, 6-6")
def _() -> None:
    assert outcome(PLAIN, able("Armure sacrée"), 6, 6) == NOTHING


@case("Armure sacrée, Arme sacrée")
def _() -> None:
    assert outcome(able("Arme sacrée"), able("Armure sacrée"), 2, 2) == NOTHING
    assert outcome(able("Arme sacrée"), able("Armure sacrée"), 6, 6) == NOTHING


@case("Éthéré")
def _() -> None:
    thin = able("Éthéré")
    assert outcome(PLAIN, thin, *LEGS_STUNNED) == NOTHING
    assert outcome(PLAIN, thin, *ARMS_LIGHT) == NOTHING
    assert outcome(PLAIN, thin, *ABDOMEN_SERIOUS) == LIGHT
    assert outcome(PLAIN, thin, *HEAD_CRITICAL) == SERIOUS
    assert outcome(PLAIN, thin, 6, 6) == KILLED


@case("Vulnérable")
def _() -> None:
    soft = able("Vulnérable")
    assert outcome(PLAIN, soft, *LEGS_STUNNED) == STUNNED
    assert outcome(PLAIN, soft, *ARMS_LIGHT) == SERIOUS
    assert outcome(PLAIN, soft, *ABDOMEN_SERIOUS) == CRITICAL
    assert outcome(PLAIN, soft, *HEAD_CRITICAL) == KILLED


@case("Féroce, Éthéré")
def _() -> None:
    """Stunned, then light, then nothing; the other way round it would be nothing as well."""
    assert outcome(able("Féroce"), able("Éthéré"), *LEGS_STUNNED) == NOTHING


@case("Féroce, Vulnérable")
def _() -> None:
    """Stunned, then light, then serious; the other way round it would be light."""
    assert outcome(able("Féroce"), able("Vulnérable"), *LEGS_STUNNED) == SERIOUS


@case("Épée-hache, Éthéré")
def _() -> None:
    """Critical, then killed; the other way round it would be serious."""
    assert outcome(able("Épée-hache"), able("Éthéré"), *HEAD_CRITICAL) == KILLED


@case("Féroce, Immunité/Sonné")
def _() -> None:
    """Stunned, then light; the other way round it would be nothing."""
    assert outcome(able("Féroce"), able("Immunité/Sonné"), *LEGS_STUNNED) == LIGHT


@case("Immunité")
def _() -> None:
    assert outcome(PLAIN, able("Immunité/jambes"), 1, 6) == NOTHING
    assert outcome(PLAIN, able("Immunité/jambes"), *ARMS_LIGHT) == LIGHT
    assert outcome(PLAIN, able("Immunité/tête"), *HEAD_CRITICAL) == NOTHING
    assert outcome(PLAIN, able("Immunité/tête"), *THORAX_SERIOUS) == SERIOUS
    assert outcome(PLAIN, able("Immunité/Sonné"), *LEGS_STUNNED) == NOTHING


@case("Immunité/tête, 6-6")
def _() -> None:
    assert outcome(PLAIN, able("Immunité/tête"), 6, 6) == KILLED
    kept = Book(dice_base=0, double_six_kills=False)
    pair = replace(PLAIN, placed=(1, 0)), replace(able("Immunité/tête"), placed=(0, 1))
    told = fight(pair, *FIRST, 6, 6, policies=(LISTED, OPEN), book=kept)
    assert told.wounds[0][0] == NOTHING


@case("Arme sacrée, Immunité/tête")
def _() -> None:
    assert outcome(able("Arme sacrée"), able("Immunité/tête"), *HEAD_CRITICAL) == KILLED


@case("Toxique")
def _() -> None:
    toxic = able("Toxique/3")
    told = blow(toxic, PLAIN, *ARMS_LIGHT, 4)
    assert told.wounds == [(SERIOUS, 2, 5, 4)]
    assert told.feats == [(0, 1, "TOXIC", 4, 1, 0)]
    assert told.log[-4:-1] == [
        (DIE, 0, 0, 0, 1, 1, 3, 4, 0),
        (FEAT, 0, 0, 0, 1, 26, 4, 1, 0),
        (WOUND, 0, 0, 0, 1, SERIOUS, 2, 5, 4),
    ]
    told = blow(toxic, PLAIN, *ARMS_LIGHT, 3)
    assert told.wounds == [(CRITICAL, 2, 5, 6)]
    assert told.feats == [(0, 1, "TOXIC", 3, 2, 0)]
    assert outcome(toxic, PLAIN, *ABDOMEN_SERIOUS, 1) == KILLED
    assert outcome(toxic, PLAIN, *HEAD_CRITICAL, 1) == KILLED  # killed at most
    assert outcome(toxic, PLAIN, *LEGS_STUNNED) == STUNNED  # no die
    assert outcome(toxic, PLAIN, 6, 6) == KILLED


@case("Toxique, Mort-vivant")
def _() -> None:
    assert outcome(able("Toxique/3"), able("Mort-vivant"), *ARMS_LIGHT) == LIGHT


@case("Toxique, Éthéré")
def _() -> None:
    assert outcome(able("Toxique/3"), able("Éthéré"), *ARMS_LIGHT) == NOTHING  # no die
    assert outcome(able("Toxique/3"), able("Éthéré"), *ABDOMEN_SERIOUS, 4) == SERIOUS


@case("Toxique, Féroce")
def _() -> None:
    assert outcome(able("Toxique/3", "Féroce"), PLAIN, *LEGS_STUNNED, 3) == CRITICAL


@case("Toxique, Vulnérable")
def _() -> None:
    """Light, then serious, then two levels more: killed."""
    assert outcome(able("Toxique/1"), able("Vulnérable"), *ARMS_LIGHT, 1) == KILLED


@case("Acharné")
def _() -> None:
    pair = able(placed=(1, 1)), able("Acharné", placed=(1, 1))
    told = fight(pair, *FIRST, 6, 6, 1, 2, policies=(OPEN, OPEN))
    assert told.feats == [(1, 0, "DIEHARD", 0, 0, 0)]
    assert told.wounds == [(KILLED, 6, 6, 6), (NOTHING, 1, -1, 0)]  # FOR 5 - 3 of critical
    assert told.strikes == [(0, 1, 0, 0, 0, 0), (1, 0, 0, 0, 0, 0)]
    assert told.end.wounds[1] == DEAD
    assert [row[0] for row in told.log[-5:]] == [STRIKE, DIE, DIE, WOUND, 7]


@case("Acharné, again")
def _() -> None:
    """Whatever hits him then changes nothing, and he takes no turn more."""
    pair = able(placed=(2, 0)), able("Acharné", placed=(0, 2))
    told = fight(pair, *FIRST, 6, 6, 6, 6, policies=(OPEN, OPEN), turns=2)
    assert told.wounds == [(KILLED, 6, 6, 6), (KILLED, 6, 6, 6)]
    assert len(told.feats) == 1
    assert len(told.rows(7)) == 1


@case("Acharné, stunned")
def _() -> None:
    target = able("Acharné", wounds=Wounds(2, 1))
    assert blow(PLAIN, target, *ABDOMEN_SERIOUS).wounds == [(SERIOUS, 3, 5, 6)]  # 2 + 2 levels


@case("Acharné, Toxique")
def _() -> None:
    told = blow(able("Toxique/3"), able("Acharné"), *HEAD_CRITICAL, 6)
    assert told.wounds == [(KILLED, 5, 5, 6)]
    assert told.feats == [(0, 1, "TOXIC", 6, 1, 0), (1, 0, "DIEHARD", 0, 0, 0)]


@case("Instinct de survie")
def _() -> None:
    told = blow(PLAIN, able("Instinct de survie/4"), 4)
    assert told.wounds == []
    assert told.feats == [(1, 0, "SURVIVAL", 4, 1, 0)]
    told = blow(PLAIN, able("Instinct de survie/4"), 3, *ARMS_LIGHT)
    assert told.feats == [(1, 0, "SURVIVAL", 3, 0, 0)]
    assert told.wounds == [(LIGHT, 2, 5, 2)]
    assert told.rows(DIE)[2] == (DIE, 0, 0, 1, 0, 1, 4, 3, 0)


@case("Assassin")
def _() -> None:
    pair = able("Assassin", charging=True, placed=(2, 0)), able(placed=(0, 2))
    told = fight(pair, *FIRST, 5, 1, 4, *ARMS_LIGHT, policies=(LISTED, OPEN))
    assert told.wounds == [(SERIOUS, 4, 5, 4), (LIGHT, 2, 5, 6)]
    dice = [row[5:8] for row in told.rows(DIE)[2:]]
    assert dice == [(1, 0, 5), (1, 1, 1), (1, 2, 4), (1, 0, 2), (1, 1, 5)]


@case("Assassin, not charging")
def _() -> None:
    assert outcome(able("Assassin"), PLAIN, *ARMS_LIGHT) == LIGHT


@case("Assassin, second turn")
def _() -> None:
    pair = able("Assassin", charging=True, placed=(1, 0)), able(placed=(0, 1))
    dice = (*FIRST, 1, 1, 1, *FIRST, 1, 1)
    told = fight(pair, *dice, policies=(LISTED, OPEN), book=ONE_DIE, turns=2)
    assert [wound[0] for wound in told.wounds] == [STUNNED, STUNNED]


@case("Assassin, doubles")
def _() -> None:
    """By the two dice that count: 5-5, not 1-1 nor 1-5."""
    charged = replace(able("Assassin", "Arme sacrée"), charging=True)
    assert outcome(charged, PLAIN, 1, 1, 5) == LIGHT  # 1 and 5: legs
    assert outcome(charged, PLAIN, 1, 5, 5) == KILLED
    assert outcome(charged, able("Armure sacrée"), 1, 5, 5) == NOTHING


@case("Assassin, Instinct de survie")
def _() -> None:
    """No wound roll was made: his first one is still to come."""
    pair = (
        able("Assassin", charging=True, placed=(2, 0)),
        able("Instinct de survie/4", placed=(0, 2)),
    )
    told = fight(pair, *FIRST, 6, 2, 1, 1, 1, policies=(LISTED, OPEN))
    assert told.wounds == [(STUNNED, 1, 1, 1)]


@case("Fanatisme")
def _() -> None:
    assert blow(able("Fanatisme"), PLAIN, *THORAX_SERIOUS).wounds == [(CRITICAL, 4, 6, 6)]
    pair = able("Fanatisme", placed=(1, 1)), able(placed=(0, 2))
    told = fight(pair, *FIRST, *THORAX_SERIOUS, policies=(OPEN, OPEN))
    assert told.wounds == [(SERIOUS, 4, 5, 4)]


@case("Fanatisme, Dur à cuire")
def _() -> None:
    """The bonus is on the result, before rows are shifted: 5 + 1 is in rows 6-7, then 4-5."""
    told = blow(able("Fanatisme"), able("Dur à cuire"), *THORAX_SERIOUS)
    assert told.wounds == [(SERIOUS, 4, 6, 4)]


# --- tests ----------------------------------------------------------------------------


def parried_once(striker: Fighter, target: Fighter, *dice: int, **fields: object) -> Told:
    """One attack against one defence die."""
    pair = replace(striker, placed=(1, 0)), replace(target, placed=(0, 1))
    return fight(pair, *FIRST, *dice, book=ONE_DIE, **fields)  # type: ignore[arg-type]


@case("Bravoure, Juste")
def _() -> None:
    for ability in ("Bravoure", "Juste"):
        told = parried_once(able(ability), PLAIN, 2, 2, 1, 1)
        assert told.attacks == [(2, 6, 0)]
        assert told.parries == [(2, 5, 0)]
    pair = able("Bravoure", placed=(1, 1)), able(placed=(0, 2))
    assert fight(pair, *FIRST, 2, 2).attacks == [(2, 5, 0)]


@case("Bravoure, an automatic failure")
def _() -> None:
    """ATT -1 and 1 more: a 1 is a result of 1, so that the test is not rolled undefended."""
    pair = able("Bravoure", ATT=-1, placed=(1, 0)), able(placed=(0, 1))
    told = fight(pair, *FIRST, *ARMS_LIGHT, policies=(LISTED, OPEN), book=ONE_DIE)
    assert told.attacks == []
    plain = replace(PLAIN, ATT=-1, placed=(1, 0)), pair[1]
    told = fight(plain, *FIRST, 1, policies=(LISTED, OPEN), book=ONE_DIE)
    assert told.attacks == [(1, 0, 1)]


@case("Bravoure, Fanatisme")
def _() -> None:
    told = parried_once(able("Bravoure", "Fanatisme"), PLAIN, 2, 2, *THORAX_SERIOUS)
    assert told.attacks == [(2, 6, 0)]
    assert told.wounds == [(CRITICAL, 4, 6, 6)]


@case("Brute épaisse")
def _() -> None:
    told = parried_once(able("Brute épaisse"), PLAIN, 5, 4, 4, 1, 1)
    assert told.attacks == [(9, 12, 0)]
    told = parried_once(able("Brute épaisse"), PLAIN, 5, 1, 1)
    assert told.attacks == [(1, 4, 0)]
    assert parried_once(PLAIN, able("Brute épaisse"), 4, 5).parries == [(5, 8, 1)]


@case("Esquive")
def _() -> None:
    assert parried_once(PLAIN, able("Esquive"), 6, 5, 2).parries == [(7, 10, 1)]
    assert parried_once(PLAIN, PLAIN, 6, 5, 1, 1).parries == [(5, 8, 0)]
    assert parried_once(PLAIN, able("Esquive"), 6, 5, 1, 1, 1).parries == [(1, 4, 0)]


@case("Réflexes")
def _() -> None:
    pair = able(placed=(0, 1)), able("Réflexes", placed=(0, 1))
    told = fight(pair, 5, 5, 3, book=ONE_DIE)
    assert told.initiative == [(1, 8, 11)]


@case("Aguerri")
def _() -> None:
    pair = able("Aguerri", placed=(1, 0)), able(placed=(0, 1))
    told = fight(pair, 5, 6, 2, 1, 5, 3, 6, 2, book=ONE_DIE)
    assert told.initiative == [(0, 10, 4)]
    assert told.attacks == [(8, 11, 0)]
    assert told.parries == [(8, 11, 1)]
    assert parried_once(PLAIN, able("Aguerri"), 6, 5, 2).parries == [(7, 10, 1)]


@case("Maudit")
def _() -> None:
    told = parried_once(able("Maudit"), able(DEF=5), 6, 4)
    assert told.attacks == [(6, 9, 0)]
    assert told.parries == [(4, 9, 1)]
    assert parried_once(PLAIN, able("Maudit"), 6, 6).parries == [(6, 9, 1)]
    assert parried_once(able(ATT=4), able("Maudit"), 6, 6, 1, 1).parries == [(6, 9, 0)]


@case("Maudit, Aguerri")
def _() -> None:
    told = parried_once(able("Maudit", "Aguerri"), PLAIN, 5, 5)
    assert told.attacks == [(5, 8, 0)]
    pair = able("Maudit", "Aguerri", placed=(0, 1)), able(placed=(0, 1), INI=9)
    assert fight(pair, 6, 2, book=ONE_DIE).initiative == [(1, 9, 11)]


@case("Chance, attack")
def _() -> None:
    told = parried_once(able("Chance"), PLAIN, 2, 4, 4)
    assert told.feats == [(0, 1, "LUCK", 0, 5, 0)]
    assert told.attacks == [(4, 7, 0)]
    assert [row[5:8] for row in told.rows(DIE)[2:4]] == [(0, 0, 2), (32, 0, 4)]
    told = parried_once(able("Chance/2"), PLAIN, 2, 1, 4)  # the second result stays
    assert told.attacks == [(1, 4, 0)]
    assert told.end.luck[0] == 1
    assert parried_once(able("Chance"), PLAIN, 3, 4).feats == []
    never = replace(LISTED, luck="never")
    assert parried_once(able("Chance"), PLAIN, 1, 4, policies=(never, LISTED)).feats == []


@case("Chance, automatic failure")
def _() -> None:
    pair = able("Chance", ATT=-1, placed=(1, 0)), able(placed=(0, 1))
    told = fight(pair, *FIRST, 1, 2, *ARMS_LIGHT, policies=(LISTED, OPEN), book=ONE_DIE)
    assert told.feats == [(0, 1, "LUCK", 0, 0, 0)]
    assert told.attacks == [(2, 1, 0)]


@case("Chance, defence")
def _() -> None:
    pair = able(placed=(1, 1)), able("Chance", placed=(0, 2))
    both = replace(LISTED, parry="all")
    told = fight(pair, *SECOND, 4, 2, 1, 3, 4, policies=(LISTED, both))
    assert told.feats == [(1, 0, "LUCK", 2, 5, 0)]
    assert told.parries == [(4, 7, 1)]
    assert [row[3:8] for row in told.rows(DIE)[5:]] == [(1, 0, 34, 0, 3), (1, 0, 35, 0, 4)]


@case("Chance, initiative")
def _() -> None:
    pair = able("Chance", placed=(0, 1)), able("Chance/2", placed=(0, 1))
    told = fight(pair, 3, 4, 5, 1, 2, book=ONE_DIE)
    assert told.feats == [
        (0, 1, "LUCK", 0, 6, 0),
        (1, 0, "LUCK", 1, 7, 0),
        (1, 0, "LUCK", 1, 4, 0),
    ]
    assert told.initiative == [(0, 8, 5)]
    assert [row[5] for row in told.rows(DIE)] == [0, 1, 4, 5, 7]
    assert told.end.luck == (0, 0)


@case("Chance, a tie of initiative")
def _() -> None:
    pair = able("Chance/2", placed=(0, 1)), able(placed=(0, 1))
    told = fight(pair, 4, 4, 3, 4, 4, 2, 3, 5, book=ONE_DIE)
    assert told.initiative == [(-1, 7, 7), (-1, 7, 7), (0, 8, 6)]
    assert [feat[-3:] for feat in told.feats] == [(0, 6, 0), (0, 5, 0)]
    assert [row[2] for row in told.rows(FEAT)] == [1, 2]  # the roll-off


@case("Chance, Maudit")
def _() -> None:
    told = parried_once(able("Chance", "Maudit"), able(DEF=5), 1, 6, 4)
    assert told.attacks == [(6, 9, 0)]


@case("Chance, its own turn")
def _() -> None:
    pair = able("Chance", placed=(1, 0)), able(placed=(0, 1))
    told = fight(pair, *FIRST, 1, 4, 4, *FIRST, 1, 4, 4, book=ONE_DIE, turns=2)
    assert len(told.feats) == 2


@case("Désespéré")
def _() -> None:
    """Against a dearer enemy; not against one whose points nobody knows."""
    pair = able("Désespéré", PA=10, placed=(1, 1)), able(PA=11, RES=50, placed=(1, 1))
    told = fight(pair, *FIRST, 2, 2, 1, 1, 3, 3)
    assert told.initiative == [(0, 9, 4)]
    assert told.attacks == [(2, 6, 0), (3, 6, 0)]
    assert told.parries == [(2, 5, 0), (3, 7, 1)]
    unknown = pair[0], replace(pair[1], PA=None)
    assert fight(unknown, *FIRST, 2, 2, 3, 3).initiative == [(0, 8, 4)]


@case("Désespéré, outnumbered")
def _() -> None:
    """While two enemies live, whatever they cost; dead, the other is one against one."""
    lone = able("Désespéré", PA=30, placed=(3, 0))
    trio = lone, able(PA=10, placed=(0, 3)), able("Désespéré", PA=10, placed=(0, 3))
    told = fight(trio, 5, 1, 2, 2, 6, 6, 2, 2, 2, 2)
    assert told.initiative == [(0, 9, 5)]
    assert told.attacks == [(2, 6, 0), (2, 5, 0), (2, 5, 0)]
    assert told.parries[1:] == [(2, 6, 1), (2, 6, 1)]  # he costs more than she


# --- penalties ------------------------------------------------------------------------


@case("Endurance, Possédé")
def _() -> None:
    def attack(*abilities: str, level: int, stunned: int = 0) -> int:
        one = able(*abilities, wounds=Wounds(level, stunned), placed=(1, 0))
        pair = one, able(placed=(0, 1), INI=0)
        return fight(pair, 5, 1, 3, 6, book=ONE_DIE).attacks[0][1]

    assert [attack(level=level) for level in (0, 1, 2, 3)] == [6, 5, 4, 3]
    assert [attack("Endurance", level=level) for level in (1, 2, 3)] == [6, 4, 3]
    assert [attack("Possédé", level=level) for level in (1, 2, 3)] == [6, 5, 4]
    assert [attack("Possédé/2", level=level) for level in (1, 2, 3)] == [6, 6, 5]
    both = [attack("Endurance", "Possédé", level=level) for level in (1, 2, 3)]
    assert both == [6, 5, 4]  # a serious wound is no light one: it costs as one
    assert attack("Endurance", "Possédé", level=1, stunned=1) == 5


# --- dice -----------------------------------------------------------------------------


@case("Tueur né")
def _() -> None:
    pair = able("Tueur né/2", placed=(0, 4)), able(placed=(0, 2))
    assert fight(pair, *FIRST).placed == [(1, 0, 2, 0), (0, 0, 4, 0)]


ALL_IN = replace(LISTED, placement="attack", parry="none")


def placing(one: Fighter, policy: Policy, **fields: object) -> Told:
    """He places against one who does nothing; his blows are 1-1 and RES 50."""
    other = able(RES=50, placed=(0, 2), INI=0)
    attack = dict(fields)
    dice = attack.pop("attacks")
    blows = (1, 1) * int(dice)  # type: ignore[call-overload]
    return fight((one, other), *FIRST, *blows, policies=(policy, OPEN), **attack)  # type: ignore[arg-type]


@case("Furie guerrière")
def _() -> None:
    told = placing(able("Furie guerrière"), ALL_IN, attacks=3)
    assert told.placed[1] == (0, 3, 0, 0)
    assert told.log[1] == (FEAT, 0, 0, 0, -1, 2, 1, 0, 0)
    assert told.log[2][0] == PLACE
    assert placing(able("Furie guerrière"), OPEN, attacks=1).placed[1] == (0, 1, 1, 0)
    always = replace(OPEN, fury="always")
    assert placing(able("Furie guerrière"), always, attacks=3).placed[1] == (0, 3, 0, 0)
    never = replace(ALL_IN, fury="never")
    assert placing(able("Furie guerrière"), never, attacks=2).placed[1] == (0, 2, 0, 0)


@case("Furie guerrière, dice of the caller")
def _() -> None:
    always = replace(OPEN, fury="always")
    mixed = able("Furie guerrière", placed=(1, 1))
    assert placing(mixed, always, attacks=1).placed[1] == (0, 1, 1, 0)
    told = placing(replace(mixed, placed=(2, 0)), OPEN, attacks=3)
    assert told.placed[1] == (0, 3, 0, 0)
    forced = able("Furie guerrière", "Enchaînement/1", "Bretteur", "Charge bestiale")
    forced = replace(forced, all_defence=True, charging=True)
    assert placing(forced, always, attacks=0).placed[1] == (0, 0, 2, 0)


@case("Furie guerrière, Bravoure")
def _() -> None:
    pair = able("Furie guerrière", "Bravoure"), able(placed=(0, 2))
    told = fight(pair, *FIRST, 2, 6, 2, 6, 1, 1, policies=(ALL_IN, LISTED))
    assert told.placed[1] == (0, 3, 0, 0)
    assert told.attacks == [(2, 6, 0), (2, 6, 0)]


@case("Furie guerrière, Bretteur")
def _() -> None:
    """Who rages holds nothing back."""
    told = placing(able("Furie guerrière", "Bretteur"), ALL_IN, attacks=3)
    assert told.placed[1] == (0, 3, 0, 0)


@case("Charge bestiale")
def _() -> None:
    beast = able("Charge bestiale", placed=(1, 1))
    assert placing(beast, OPEN, attacks=1).placed[1] == (0, 1, 1, 0)
    told = placing(replace(beast, charging=True), OPEN, attacks=2)
    assert told.placed[1] == (0, 2, 1, 0)
    dice = (*FIRST, 1, 1, 1, 1, *FIRST, 1, 1)
    pair = replace(beast, charging=True), able(RES=50, placed=(0, 2))
    told = fight(pair, *dice, policies=(OPEN, OPEN), turns=2)
    assert [row for row in told.placed if row[0] == 0] == [(0, 2, 1, 0), (0, 1, 1, 0)]


@case("Enchaînement")
def _() -> None:
    two = replace(LISTED, chain=2)
    pair = able("Enchaînement/3", placed=(2, 2)), able(RES=50, placed=(1, 1))
    told = fight(pair, *FIRST, 3, 4, 3, 3, 1, 1, 1, 1, policies=(two, LISTED))
    assert told.placed[1] == (0, 2, 2, 0)
    assert told.feats == [(0, -1, "CHAIN", 2, 0, 0)]
    assert told.attacks == [(3, 4, 0), (3, 6, 0)]
    assert told.parries == [(4, 7, 1), (3, 4, 0)]
    assert told.initiative == [(0, 8, 4)]  # INI is not less


@case("Enchaînement, at most")
def _() -> None:
    greedy = replace(OPEN, chain=9)
    told = placing(able("Enchaînement/1", placed=(1, 2)), greedy, attacks=1)
    assert told.feats == [(0, -1, "CHAIN", 1, 0, 0)]
    assert told.placed[1] == (0, 1, 2, 0)
    none = replace(OPEN, chain=0)
    assert placing(able("Enchaînement/1", placed=(1, 1)), none, attacks=1).feats == []


@case("Coup de maître")
def _() -> None:
    weak = able("Coup de maître/2", FOR=4, placed=(2, 0))
    told = fight((weak, able(placed=(0, 2))), *FIRST, 1, 2, policies=(LISTED, OPEN))
    assert told.strikes == [(0, 1, 0, 0, 0, 2)]
    assert told.wounds == [(LIGHT, 1, 2 + 4 + 3 + 2 - 5, 2)]
    assert told.feats == [(0, 1, "MASTER_STROKE", 2, 0, 0)]
    strong = replace(weak, FOR=5)
    pair = strong, able(placed=(0, 2))
    told = fight(pair, *FIRST, 1, 2, 1, 2, policies=(LISTED, OPEN))
    assert told.feats == []
    always = replace(LISTED, master="always")
    assert len(fight(pair, *FIRST, 1, 2, policies=(always, OPEN)).strikes) == 1
    never = replace(LISTED, master="never")
    pair = weak, able(placed=(0, 2), RES=50)
    assert len(fight(pair, *FIRST, 1, 1, 1, 1, policies=(never, OPEN)).strikes) == 2


@case("Coup de maître, ATT as printed")
def _() -> None:
    """FOR is the current one, ATT that of the card; one die left is an attack like any other."""
    hurt = able("Coup de maître/0", FOR=5, wounds=Wounds(2), placed=(3, 0))
    trio = hurt, able(placed=(0, 3)), able(placed=(0, 3), RES=50)
    told = fight(trio, 5, 1, 1, 2, 1, 1, policies=(LISTED, OPEN))
    assert told.strikes == [(0, 1, 0, 0, 0, 2), (0, 2, 0, 0, 0, 0)]
    assert told.wounds[0][2] == 2 + (5 - 2) + 3 - 5


@case("Coup de maître, parried")
def _() -> None:
    """Both dice are gone."""
    weak = able("Coup de maître/2", FOR=4, placed=(2, 0))
    told = fight((weak, able(placed=(0, 2))), *FIRST, 3, 3)
    assert told.strikes == [(0, 1, 1, 0, 1, 2)]
    assert told.parries == [(3, 6, 1)]


@case("Feinte")
def _() -> None:
    sly = replace(LISTED, feint="always")
    pair = able("Feinte", placed=(1, 1)), able(placed=(1, 1))
    told = fight(pair, *FIRST, policies=(replace(sly, parry="none"), OPEN))
    assert told.feats == [(0, 1, "FEINT", 1, 0, 0)]
    assert told.wounds == []
    assert told.end.defence[1] == 1
    twice = able("Feinte/3", placed=(1, 1)), able(placed=(1, 1))
    told = fight(twice, *FIRST, policies=(sly, OPEN))
    assert told.feats == [(0, 1, "FEINT", 1, 1, 0)]


@case("Feinte, useful")
def _() -> None:
    """Light at least in 17 throws of 36 at FOR - RES -4, in 24 at -2."""
    pair = able("Feinte", FOR=1, placed=(2, 0)), able(placed=(0, 2))
    told = fight(pair, *FIRST, policies=(LISTED, OPEN))
    assert [feat[2] for feat in told.feats] == ["FEINT", "FEINT"]
    pair = able("Feinte", FOR=3, placed=(2, 0)), able(placed=(0, 2))
    assert fight(pair, *FIRST, 1, 1, 1, 1, policies=(LISTED, OPEN)).feats == []


@case("Feinte, no die left")
def _() -> None:
    pair = able("Feinte/2", placed=(2, 0)), able(placed=(0, 2), RES=50)
    told = fight(pair, *FIRST, 1, 1, policies=(LISTED, OPEN))
    assert told.feats == [(0, 1, "FEINT", 0, 2, 0)]
    assert len(told.wounds) == 1


@case("Feinte, Instinct de survie")
def _() -> None:
    """There is no wound roll that he could cancel."""
    pair = able("Feinte", FOR=1, placed=(1, 0)), able("Instinct de survie/2", placed=(0, 1))
    told = fight(pair, *FIRST, policies=(LISTED, OPEN), book=ONE_DIE)
    assert told.feats == [(0, 1, "FEINT", 0, 1, 0)]


# --- parries --------------------------------------------------------------------------


@case("Contre-attaque")
def _() -> None:
    """3 + 2 against 3 + 4: beaten by 2, so that he has a die more, in this very pass."""
    for ability in ("Contre-attaque", "Guerrier-mage", "Moine-guerrier"):
        pair = able(placed=(1, 0)), able(ability, placed=(0, 1), FOR=0)
        told = fight(pair, *FIRST, 2, 4, 1, 1, book=ONE_DIE)
        assert told.feats == [(1, 0, "COUNTER_ATTACK", 1, 0, 0)]
        assert told.strikes == [(0, 1, 1, 0, 1, 0), (1, 0, 0, 0, 0, 0)]
        assert [row[2] for row in told.rows(STRIKE)] == [0, 0]
        assert fight(pair, *FIRST, 3, 4, book=ONE_DIE).feats == []
    pair = able(placed=(1, 0)), able("Contre-attaque/0", placed=(0, 1), FOR=0)
    assert len(fight(pair, *FIRST, 4, 4, 1, 1, book=ONE_DIE).feats) == 1


@case("Ambidextre")
def _() -> None:
    pair = able(placed=(1, 0)), able("Ambidextre/2", placed=(0, 1), FOR=0)
    told = fight(pair, *FIRST, 4, 4, 1, 1, 1, 1, book=ONE_DIE)
    assert told.feats == [(1, 0, "PARRY_DICE", 2, 0, 0)]
    assert [row[2:5] for row in told.rows(STRIKE)] == [(0, 0, 1), (0, 1, 0), (1, 1, 0)]
    assert fight(pair, *FIRST, 4, 3, 1, 1, book=ONE_DIE).feats == []


@case("Contre-attaque, Ambidextre")
def _() -> None:
    pair = able(placed=(1, 0)), able("Contre-attaque", "Ambidextre", placed=(0, 1), FOR=0)
    told = fight(pair, *FIRST, 2, 4, 1, 1, 1, 1, book=ONE_DIE)
    assert [feat[2:4] for feat in told.feats] == [("COUNTER_ATTACK", 1), ("PARRY_DICE", 1)]
    at = told.log.index((PARRY, 0, 0, 1, 0, 0, 4, 7, 1))
    assert [row[0] for row in told.log[at + 1 : at + 3]] == [FEAT, FEAT]


SUSTAINS = replace(LISTED, sustain="always")


@case("C-7, Contre-attaque")
def _() -> None:
    pair = able(placed=(1, 0)), able("Contre-attaque", placed=(0, 1), DEF=9)
    told = fight(pair, *FIRST, 2, 4, book=ONE_DIE, policies=(LISTED, SUSTAINS))
    assert told.parries == [(4, 11, 1)]
    assert told.feats == []


@case("C-7, Ambidextre")
def _() -> None:
    pair = able(placed=(1, 0)), able("Ambidextre", placed=(0, 1), DEF=9)
    told = fight(pair, *FIRST, 2, 4, book=ONE_DIE, policies=(LISTED, SUSTAINS))
    assert told.feats == []


# --- a die held back ------------------------------------------------------------------


def held(**fields: object) -> Policy:
    return replace(LISTED, **fields)  # type: ignore[arg-type]


@case("Bretteur")
def _() -> None:
    """In defence as soon as he has no other die; used so it is a defence die."""
    pair = able(placed=(1, 0), RES=50), able("Bretteur", placed=(0, 1))
    told = fight(pair, *FIRST, 4, 4, book=ONE_DIE)
    assert told.placed == [(1, 0, 0, 1), (0, 1, 0, 0)]
    assert told.feats == [(1, 0, "HOLD_BACK", 1, 0, 0)]
    assert told.strikes == [(0, 1, 1, 0, 1, 0)]
    assert told.end.held == (0, 0)
    assert told.end.defence == (0, 0)


@case("Bretteur, attack")
def _() -> None:
    pair = able("Bretteur", placed=(1, 0)), able(placed=(0, 2), RES=50)
    told = fight(pair, *FIRST, 1, 1, 1, 1, policies=(LISTED, OPEN))
    assert told.placed[1] == (0, 1, 0, 1)
    assert told.strikes == [(0, 1, 0, 0, 0, 0), (0, 1, 0, 0, 0, 1)]
    assert told.feats == [(0, 1, "HOLD_BACK", 0, 0, 0)]


@case("Bretteur, useful")
def _() -> None:
    """In attack when no enemy has an attack die or a held one."""
    pair = able("Bretteur", placed=(1, 0), RES=50), able(placed=(1, 1), RES=50)
    told = fight(pair, *FIRST, *(1, 1) * 3, policies=(OPEN, OPEN))
    assert [row[2:5] for row in told.rows(STRIKE)] == [(0, 0, 1), (0, 1, 0), (1, 0, 1)]
    assert told.strikes[-1][-1] == 1
    told = fight(pair, *FIRST, 1, 1, 3, 2, 1, 1, policies=(LISTED, OPEN))  # used to parry
    assert [strike[:2] for strike in told.strikes] == [(0, 1), (1, 0)]


@case("Bretteur, policies")
def _() -> None:
    pair = able("Bretteur", placed=(1, 0)), able(placed=(1, 1), RES=50, FOR=0)
    told = fight(pair, *FIRST, *(1, 1) * 3, policies=(held(held="attack"), OPEN))
    assert [row[2:5] for row in told.rows(STRIKE)] == [(0, 0, 1), (0, 1, 0), (1, 0, 1)]
    pair = able("Bretteur", placed=(1, 0)), able(placed=(0, 2), RES=50)
    told = fight(pair, *FIRST, 1, 1, policies=(held(held="defence"), OPEN))
    assert len(told.strikes) == 1
    assert told.end.held == (1, 0)


@case("Bretteur, Bretteur")
def _() -> None:
    """Two who hold a die for defence wait for ever: the combat is over."""
    pair = able("Bretteur", placed=(0, 1)), able("Bretteur", placed=(0, 1))
    told = fight(pair, *FIRST)
    assert told.strikes == []


@case("Bretteur, an automatic failure")
def _() -> None:
    """The die that was declared is not lost (C-6.3): it is a defence die, and serves again."""
    pair = able(placed=(2, 0), ATT=-1, RES=50), able("Bretteur", placed=(1, 1), FOR=0)
    told = fight(pair, *FIRST, 1, *(1, 1), 2, 4, policies=(OPEN, LISTED), book=Book(dice_base=1))
    assert told.placed[0] == (1, 1, 0, 1)
    assert told.strikes[0] == (0, 1, 1, 0, 1, 0)
    assert told.strikes[2] == (0, 1, 1, 0, 1, 0)
    assert len(told.feats) == 1


@case("Bretteur, Contre-attaque")
def _() -> None:
    pair = able("Bretteur"), able("Contre-attaque", placed=(0, 1), DEF=9)
    told = fight(pair, *FIRST, 2, 4, book=ONE_DIE)
    assert told.strikes == [(0, 1, 1, 0, 1, 1)]
    assert told.parries == [(4, 13, 1)]
    assert [feat[2] for feat in told.feats] == ["HOLD_BACK"]


@case("Bretteur, Ambidextre")
def _() -> None:
    pair = able("Bretteur", RES=50), able("Ambidextre", placed=(0, 1), DEF=9)
    told = fight(pair, *FIRST, 2, 4, 1, 1, book=ONE_DIE)
    assert [feat[2] for feat in told.feats] == ["HOLD_BACK", "PARRY_DICE"]
    assert len(told.strikes) == 2


@case("Bretteur, Contre-attaque of his own")
def _() -> None:
    """He parries with a held die: it may be a counter-attack."""
    pair = able(placed=(1, 0), RES=50), able("Bretteur", "Contre-attaque")
    told = fight(pair, *FIRST, 2, 4, 1, 1, book=ONE_DIE)
    assert [feat[2] for feat in told.feats] == ["HOLD_BACK", "COUNTER_ATTACK"]


@case("Bretteur, C-7 with the held die")
def _() -> None:
    """Sustained, at no cost of DEF, and kept."""
    pair = able("Tueur né", placed=(3, 0)), able("Bretteur", placed=(0, 1))
    told = fight(pair, *FIRST, 2, 2, 3, 3, 4, 4, policies=(OPEN, SUSTAINS))
    assert told.strikes == [(0, 1, 1, 0, 1, 0), (0, 1, 1, 1, 1, 0), (0, 1, 1, 1, 1, 0)]
    assert told.parries == [(2, 5, 1), (3, 6, 1), (4, 7, 1)]
    assert told.feats == [(1, 0, "HOLD_BACK", 1, 0, 0)]


@case("Bretteur, C-7 with another die")
def _() -> None:
    """Not while a die is unplaced (C-7.5)."""
    pair = able(placed=(1, 1)), able("Bretteur", placed=(0, 1))
    told = fight(pair, *FIRST, 2, 2, policies=(OPEN, replace(SUSTAINS, held="defence")))
    assert told.strikes == [(0, 1, 1, 0, 1, 0)]
    plain = able(placed=(1, 0)), able(placed=(0, 1))
    told = fight(plain, *FIRST, 2, 4, policies=(OPEN, SUSTAINS), book=ONE_DIE)
    assert told.strikes[0] == (0, 1, 1, 1, 1, 0)


@case("Bretteur, Fanatisme")
def _() -> None:
    """All in attack once the held die is used so: the second blow, not the first."""
    pair = able("Bretteur", "Fanatisme", placed=(1, 0)), able(placed=(0, 2))
    told = fight(pair, *FIRST, 1, 2, 1, 2, policies=(LISTED, OPEN))
    assert [wound[2] for wound in told.wounds] == [2, 3]
