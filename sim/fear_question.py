"""The question of fear: who must test against whom, with what (W-4)."""

import re
from dataclasses import dataclass
from hashlib import sha256

from estoc.profiles import Edition, InputError, Profile
from estoc.sim.combatants import Combatant, remarks
from estoc.sim.method import BOTH, Method
from estoc.sim.params import Options, quoted

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
        """Return the leader that ``COU`` or ``COU/DIS`` says.

        Raises
        ------
        InputError
            For any other text.
        """
        found = re.fullmatch(r"\s*(\d{1,2})\s*(?:/\s*(\d{1,2})\s*)?", text)
        numbers = [int(number) for number in found.groups() if number] if found else []
        if not numbers or max(numbers) > MOST:
            raise InputError(
                f'command "{text}" should be COU or COU/DIS of the leader, as 7 or 7/6 (W-4.5)'
            )
        return cls(*numbers)


@dataclass(frozen=True)
class Test:
    """A test of Courage that a fighter must take, or why it need not (W-4.1).

    Parameters
    ----------
    fighter, enemy : Combatant
    needed : bool
    why : str
        Why not.
    stat : str
        What the die is added to: ``"COU"``, ``"PEUR"`` or ``"command"``.
    value, difficulty : int, optional
    """

    fighter: Combatant
    enemy: Combatant
    needed: bool
    why: str = ""
    stat: str = ""
    value: int | None = None
    difficulty: int | None = None


@dataclass(frozen=True)
class Fright:
    """Two enemies who meet: one charges or engages the other (W-4.1).

    Parameters
    ----------
    a, b : Combatant
    options : Options
        Edition, rules; values of cards are in the combatants.
    leader : Leader, optional
        Whose command reaches A.

    Raises
    ------
    InputError
        If a cell that is needed is empty.
    """

    a: Combatant
    b: Combatant
    options: Options
    leader: Leader | None = None

    def __post_init__(self) -> None:
        _ = self.tests

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""
        return self.options.edition

    @property
    def tests(self) -> tuple[Test, Test]:
        """A's test against B, and B's against A."""
        return self._test(self.a, self.b, self.leader), self._test(self.b, self.a, None)

    def _test(self, own: Combatant, enemy: Combatant, leader: Leader | None) -> Test:
        card, difficulty = own.profile, enemy.profile.PEUR
        if difficulty is None:
            _check_nerve(enemy.profile)
            return Test(own, enemy, False, "the enemy is not frightening")
        if card.PEUR is not None and self._is_own_courage:
            if difficulty <= card.PEUR:
                return Test(own, enemy, False, "the enemy's PEUR is not higher than its own")
            if leader is not None and leader.courage > card.PEUR:
                return Test(own, enemy, True, "", "command", leader.courage, difficulty)
            return Test(own, enemy, True, "", "PEUR", card.PEUR, difficulty)
        value = int(card.need("COU"))
        if leader is not None and leader.courage > value:
            return Test(own, enemy, True, "", "command", leader.courage, difficulty)
        return Test(own, enemy, True, "", "COU", value, difficulty)

    @property
    def _is_own_courage(self) -> bool:
        """Whether a frightening fighter has its own PEUR as COU (W-4.1)."""
        return bool(self.edition["fear.own_fear_as_courage"])

    def nerve(self, test: Test) -> int | None:
        """Return what the die of a fighter's rally is added to, None if no cell says (W-4.4)."""
        card = test.fighter.profile
        values = [card.COU, card.DIS]
        if self.leader is not None and test.fighter is self.a:
            values += [self.leader.courage, self.leader.discipline]
        return max((value for value in values if value is not None), default=None)

    @property
    def cell(self) -> int:
        """Number of the meeting, 32 bits."""
        keys = "@".join((*self.a.profile.key, *self.b.profile.key))
        return int.from_bytes(sha256(keys.encode()).digest()[:4])

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = ["tests.reroll_one", "tests.natural_one_fails", "tests.automatic_failure", "fear"]
        return self.edition.assumed(keys)

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        wanted = ["W-4.1", "T-5.1"] + ["W-4.5"] * (self.leader is not None)
        return tuple(r.clause for r in self.edition.readings if r.clause in wanted)

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        found = remarks((self.a, self.b), self.edition)
        return tuple(remark for remark in found if remark.startswith("abilities"))

    def command_line(self, method: Method) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "fear", self.a.profile.label, self.b.profile.label]
        words += ["--command", str(self.leader)] if self.leader else []
        words += [*self.a.arguments("A"), *self.b.arguments("B")]
        words += ["--method", method.name] if method.name == BOTH else []
        words += method.arguments
        return " ".join(quoted(word) for word in words + self.options.common_arguments())


def _check_nerve(card: Profile) -> None:
    """Refuse a fighter of whom nobody knows whether it frightens: it has COU or PEUR (W-4.1)."""
    if card.COU is None:
        card.need("PEUR")
