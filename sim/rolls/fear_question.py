"""The question of fear: who must test against whom, with what (W-4)."""

import re
from dataclasses import dataclass

import numpy as np

from ...kernels.layout.abilities import Effect, Number, Roll
from ...profiles.compile.combat import compile_rules
from ...profiles.compile.maintenance import compile_maintenance
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.message import say
from ..base.options import Options, quoted
from ..base.run import Method, dice_of, digest
from ..combat.combatants import Combatant
from ..combat.question import has, number_of, opening
from .rolling import TESTS, Rolled, feats_data

MOST = 40  # of COU and DIS, as on a card


@dataclass(frozen=True)
class Leader:
    """COU and DIS of a leader whose command reaches a fighter (W-4.5)."""

    courage: int
    discipline: int | None = None

    def __str__(self) -> str:
        """Return what ``--command`` reads."""
        return f"{self.courage}" + (f"/{self.discipline}" if self.discipline is not None else "")

    @classmethod
    def parse(cls, text: str) -> "Leader":
        """Return the leader that ``COU`` or ``COU/DIS`` says."""
        found = re.fullmatch(r"\s*(\d{1,2})\s*(?:/\s*(\d{1,2})\s*)?", text)
        numbers = [int(number) for number in found.groups() if number] if found else []
        if not numbers or max(numbers) > MOST:
            raise InputError(
                'command "{}" should be COU or COU/DIS of the leader, as 7 or 7/6 (W-4.5)', text
            )
        return cls(*numbers)


@dataclass(frozen=True)
class Test:
    """A test of Courage that a fighter must take, or why it need not (W-4.1)."""

    fighter: Combatant
    enemy: Combatant
    needed: bool
    why: str = ""  # why not
    stat: str = ""  # what the die is added to: ``"COU"``, ``"PEUR"`` or ``"command"``
    value: int | None = None
    difficulty: int | None = None


@dataclass(frozen=True)
class Fright(Rolled):
    """Two enemies who meet: one charges or engages the other (W-4.1)."""

    a: Combatant
    b: Combatant
    options: Options  # edition, rules; values of cards are in the combatants
    leader: Leader | None = None  # whose command reaches A

    def __post_init__(self) -> None:
        _ = self.tests

    @property
    def fighters(self) -> tuple[Combatant, ...]:
        """Both of them."""
        return self.a, self.b

    @property
    def tests(self) -> tuple[Test, Test]:
        """A's test against B, and B's against A."""
        return self._test(self.a, self.b, self.leader), self._test(self.b, self.a, None)

    def fear_of(self, combatant: Combatant) -> int | None:
        """Return the PEUR of a fighter, a war cry's while it charges (W-7); None: none."""
        cry = number_of(self.feats(combatant), Effect.WAR_CRY, Number.WAR_CRY_FEAR)
        fears = [combatant.profile.PEUR, cry if combatant.charges else None]
        return max((fear for fear in fears if fear is not None), default=None)

    def _test(self, own: Combatant, enemy: Combatant, leader: Leader | None) -> Test:
        card, difficulty, fear = own.profile, self.fear_of(enemy), self.fear_of(own)
        if difficulty is None:
            _check_nerve(enemy.profile)
            return Test(own, enemy, False, say("the enemy is not frightening"))
        if has(self.feats(own), Effect.FEARLESS):
            return Test(own, enemy, False, say("it knows no fear (W-7)"))
        if fear is not None and self.edition["fear.own_fear_as_courage"]:
            if difficulty <= fear and not has(self.feats(enemy), Effect.FRIGHTENS_ALL):
                return Test(own, enemy, False, say("the enemy's PEUR is not higher than its own"))
            if leader is not None and leader.courage > fear:
                return Test(own, enemy, True, "", "command", leader.courage, difficulty)
            return Test(own, enemy, True, "", "PEUR", fear, difficulty)
        value = int(card.need("COU"))
        if leader is not None and leader.courage > value:
            return Test(own, enemy, True, "", "command", leader.courage, difficulty)
        return Test(own, enemy, True, "", "COU", value, difficulty)

    def nerve(self, test: Test) -> int | None:
        """Return what the die of a fighter's rally is added to, None if no cell says (W-4.4)."""
        values = [value for values in self._nerves(test).values() for value in values]
        return max(values, default=None)

    def _nerves(self, test: Test) -> dict[Roll, list[int]]:
        """Return what a rally may be tested with: COU, DIS, a leader's (W-4.4, W-4.5)."""
        card, fixed = test.fighter.profile, Effect.FIXED_DISCIPLINE
        discipline = number_of(self.feats(test.fighter), fixed, Number.DISCIPLINE)
        found = {Roll.COURAGE: [card.COU], Roll.DISCIPLINE: [card.DIS]}
        if discipline is not None:
            found[Roll.DISCIPLINE] = [discipline]
        if self.leader is not None and test.fighter is self.a:
            found[Roll.COURAGE].append(self.leader.courage)
            found[Roll.DISCIPLINE].append(self.leader.discipline)
        return {roll: [v for v in values if v is not None] for roll, values in found.items()}

    def rally_opening(self, test: Test) -> int:
        """Return which dice of a rally are re-rolled besides 6s (``Person.OPEN``, W-7)."""
        best, nerves = self.nerve(test), self._nerves(test)
        used = [roll for roll, values in nerves.items() if best in values]
        return opening(self.feats(test.fighter), used)

    @property
    def cell(self) -> int:
        """Number of the meeting, 32 bits."""
        return dice_of("@".join((*self.a.profile.key, *self.b.profile.key)).encode())

    def values(self, test: Test) -> tuple[int, int, int]:
        """Return what the kernels take; 0 where there is no test, whose result is not told."""
        return test.value or 0, test.difficulty or 0, self.nerve(test) or 0

    @property
    def inputs(self) -> str:
        """Digest of the fighters and rules, to tell whether they have changed."""
        scalars = compile_rules(self.edition).scalars.tobytes()
        customs = compile_maintenance(self.edition).customs.tobytes()
        feats = (feats_data(self.feats(test.fighter)) for test in self.tests)
        values = np.array([self.values(test) for test in self.tests])
        return digest(scalars, customs, *feats, values.tobytes())

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        return self.edition.assumed([*TESTS, "fear"])

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        wanted = ["W-4.1", "T-5.1"] + ["W-4.5"] * (self.leader is not None)
        return tuple(r.clause for r in self.edition.readings if r.clause in wanted)

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        led = say(" (command {})", self.leader) if self.leader else ""
        return say("{}{} meets {}", self.a.label, led, self.b.label)

    def command_line(self, method: Method) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "fear", self.a.profile.label, self.b.profile.label]
        words += ["--command", str(self.leader)] if self.leader else []
        words += [*self.a.arguments("A"), *self.b.arguments("B")]
        words += method.arguments
        return " ".join(quoted(word) for word in words + self.options.common_arguments())


def _check_nerve(card: Profile) -> None:
    """Refuse a fighter of whom nobody knows whether it frightens: it has COU or PEUR (W-4.1)."""
    if card.COU is None:
        card.need("PEUR")
