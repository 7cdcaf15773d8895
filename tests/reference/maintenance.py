"""The maintenance phase, plain and slow, sentence by sentence (T-5, seed 004 IV-D).

Dice come from ``roll(what, whose, index)``: ("rally", fighter, place in the chain),
("mana", fighter, which die), ("effect", effect, 0 or 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from reference.book import DEAD, UNHURT, Book, Wounds, suffer
from reference.rolls import final_result, shows_six

Roll = Callable[[str, int, int], int]

# The parts of the phase in the order of T-5.1, T-5.2 and T-5.3 (steps 1 to 6).
ORDER = ("rally", "faith", "mana", 1, 2, 3, 4, 5, 6)


@dataclass(frozen=True)
class Customs:
    """What the edition says of the phase."""

    rally_difficulty: int = 8  # W-4.4
    no_rally_in_contact: bool = True
    mana_base: int = 0  # T-5.2
    mana_per_rank: int = 1
    mana_dice: int = 1
    mana_most_per_rank: int = 5
    faith_base: int = 0
    faith_per_rank: int = 1
    faith_per_believer: int = 1
    removes: frozenset[str] = frozenset({"charged", "stunned", "defence"})  # T-5.3 step 6


@dataclass
class Person:
    """A fighter; others are named by their places in the list."""

    wounds: Wounds = UNHURT
    routed: bool = False
    courage: int = 0
    discipline: int = 0
    casts: str = ""  # "mana" or "faith"
    rank: int = 0
    mana: int = 0
    faith: int = 0
    markers: frozenset[str] = frozenset()
    frightened_by: tuple[int, ...] = ()
    believers: tuple[int, ...] = ()
    returned: bool = False


@dataclass
class Effect:
    """An effect; ``lasts`` turns false when it ends."""

    kind: str
    step: int
    target: int | None = None
    source: int | None = None
    needs: int | None = None
    levels: int = 0
    outcome: str = "-"
    cost: int = 0
    pays: str = "mana"
    keep: bool = True
    sustains: int | None = None
    wounds: Wounds = UNHURT  # of one who returns
    mana: int = 0
    faith: int = 0
    lost: int = 0
    lasts: bool = True


@dataclass
class Phase:
    """Fighters and effects, changed as the phase goes on."""

    people: list[Person]
    effects: list[Effect]
    book: Book = field(default_factory=Book)
    customs: Customs = field(default_factory=Customs)

    def copy(self) -> Phase:
        return Phase(
            [replace(person) for person in self.people],
            [replace(effect) for effect in self.effects],
            self.book,
            self.customs,
        )

    def alive(self, i: int) -> bool:
        return not self.people[i].wounds.dead

    def may_act(self, i: int) -> bool:
        """Neither dead nor come back in this phase (T-5.3 step 5)."""
        return self.alive(i) and not self.people[i].returned


def play(phase: Phase, roll: Roll, order: Sequence[object] = ORDER) -> Phase:
    """The phase played in an order, which is that of T-5 unless a test turns it round."""
    after = phase.copy()
    for part in order:
        if part == "rally":
            rally(after, roll)
        elif part == "faith":
            faith(after)
        elif part == "mana":
            mana(after, roll)
        elif part == 6:
            markers(after)
        else:
            for e, effect in enumerate(after.effects):
                if effect.step == part and effect.lasts:
                    resolve(after, e, effect, roll)
    return after


def rally(phase: Phase, roll: Roll) -> None:
    """Every routed fighter tests COU or DIS, the better, against the difficulty (T-5.1, W-4.4)."""
    book, customs = phase.book, phase.customs
    for i, person in enumerate(phase.people):
        if not person.routed or not phase.may_act(i):
            continue
        if customs.no_rally_in_contact and any(phase.alive(j) for j in person.frightened_by):
            continue  # it fails automatically
        nerve = max(person.courage, person.discipline)

        def passed(dice: list[int], nerve: int = nerve) -> bool:
            result = final_result(book, dice, nerve)
            return result >= customs.rally_difficulty and result > book.automatic_failure

        dice = [roll("rally", i, 0)]
        while shows_six(dice) and not passed(dice):
            dice.append(roll("rally", i, len(dice)))
        person.routed = not passed(dice)


def faith(phase: Phase) -> None:
    """Each faithful of both players has a new score of temporary faith (T-5.2)."""
    customs = phase.customs
    for i, person in enumerate(phase.people):
        if person.casts == "faith" and phase.may_act(i):
            believers = [j for j in person.believers if phase.alive(j)]
            person.faith = (
                customs.faith_base
                + customs.faith_per_rank * person.rank
                + customs.faith_per_believer * len(believers)
            )


def mana(phase: Phase, roll: Roll) -> None:
    """Each magician rolls to recover mana, up to the most he recovers to (T-5.2)."""
    customs = phase.customs
    for i, person in enumerate(phase.people):
        if person.casts == "mana" and phase.may_act(i):
            recovered = customs.mana_base + customs.mana_per_rank * person.rank
            recovered += sum(roll("mana", i, j) for j in range(customs.mana_dice))
            most = customs.mana_most_per_rank * person.rank
            for _ in range(recovered):
                if person.mana < most:
                    person.mana += 1


def resolve(phase: Phase, e: int, effect: Effect, roll: Roll) -> None:
    """One effect of the steps 1 to 5 (T-5.3)."""
    caused = effect.source is None or phase.may_act(effect.source)

    def works(index: int = 0) -> bool:
        return effect.needs is None or roll("effect", e, index) >= effect.needs

    if effect.kind == "upkeep":
        pay(phase, effect, caused)
        return
    assert effect.target is not None
    person = phase.people[effect.target]
    if effect.kind == "return":
        own = effect.source == effect.target
        if person.wounds.dead and (caused or own):
            come_back(effect, person, 6 if effect.needs is None else roll("effect", e, 0))
        return
    if not caused or not phase.may_act(effect.target):
        return  # nothing from or for the dead, or those just back
    if effect.kind == "damage":
        if works():
            person.wounds = suffer(phase.book, person.wounds, effect.outcome)
            for _ in range(effect.levels):
                level = person.wounds.level + 1
                dead = person.wounds.dead or level >= phase.book.killing
                person.wounds = DEAD if dead else replace(person.wounds, level=level)
    elif effect.kind == "heal":
        if person.wounds.level and works():
            level = max(person.wounds.level - effect.levels, 0)
            person.wounds = replace(person.wounds, level=level)
    elif person.wounds.level and works():  # Régénération/X (W-7)
        person.wounds = replace(person.wounds, level=person.wounds.level - 1)
        if person.wounds.level and works(1):
            person.wounds = replace(person.wounds, level=person.wounds.level - 1)


def pay(phase: Phase, effect: Effect, caused: bool) -> None:
    """Points are given for what is to last; what is not paid for ends (T-5.3)."""
    assert effect.source is not None
    payer = phase.people[effect.source]
    held = payer.mana if effect.pays == "mana" else payer.faith
    wanted = effect.keep and (effect.target is None or phase.may_act(effect.target))
    if caused and wanted and held >= effect.cost:
        if effect.pays == "mana":
            payer.mana -= effect.cost
        else:
            payer.faith -= effect.cost
        return
    effect.lasts = False
    if effect.sustains is not None:
        phase.effects[effect.sustains].lasts = False


def come_back(effect: Effect, person: Person, die: int) -> None:
    """Who is back neither causes nor suffers anything more in this phase (T-5.3 step 5)."""
    if effect.needs is None or die >= effect.needs:
        person.wounds, person.returned = effect.wounds, True
        person.routed, person.markers = False, frozenset()
        person.mana, person.faith = effect.mana, effect.faith
    elif die <= effect.lost:
        effect.lasts = False


def markers(phase: Phase) -> None:
    """Markers that are not needed any more are removed (T-5.3 step 6)."""
    removes = phase.customs.removes
    for i, person in enumerate(phase.people):
        if phase.may_act(i):
            person.markers = person.markers - removes
            if "stunned" in removes:
                person.wounds = replace(person.wounds, stunned=0)
