"""One activation phase to ask about: two armies, their policies, who wins the Tactics roll."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.card_codes import Winner
from estoc.profiles import InputError, Roster
from estoc.profiles.army import GAIN_PARTS, Army, load_army
from estoc.profiles.card_policy import load_card_policy
from estoc.profiles.phase import WINNERS, base_value, compile_phase
from estoc.profiles.tactics import Roller, roller
from estoc.sim.params import SIDES, Options, quoted
from estoc.sim.tactics import chance_of_phase

CELL = 0  # every phase of a run rolls the same dice, whatever is compared


@dataclass(frozen=True)
class Change:
    """What one thing changes: the phase with it, less the phase without it.

    Parameters
    ----------
    name : str
    side : {"A", "B"}
        Whose it is.
    with_it, without : ndarray of PHASE, shape (1,)
    """

    name: str
    side: str
    with_it: NDArray[np.void]
    without: NDArray[np.void]


@dataclass(frozen=True)
class CardQuestion:
    """One activation phase, ready to be played.

    Parameters
    ----------
    a, b : Army
    winner : {"roll", "coin", "A", "B"}
        Who wins the Tactics roll, or how it is found.
    options : Options
        Edition, rules, files of fighters.
    policies : tuple of str
        What replaced the armies' own policies, as ``A=wait``.
    """

    a: Army
    b: Army
    winner: str = "roll"
    options: Options = field(default_factory=Options)
    policies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.winner not in WINNERS:
            raise InputError(
                f'winner "{self.winner}" should be one of {", ".join(WINNERS)} (T-2.3)'
            )

    @property
    def armies(self) -> tuple[Army, Army]:
        """Both armies."""
        return self.a, self.b

    @cached_property
    def phase(self) -> NDArray[np.void]:
        """The phase as the kernels see it, shape (1,); copy it before use."""
        phases = compile_phase(self.a, self.b, self.options.edition, self.winner)
        for side, policy in enumerate(self.options.policies):
            phases["policy"][0, side] = policy.row()
        phases["cell"] = CELL
        return phases

    @cached_property
    def chance(self) -> float:
        """Chance that A wins the Tactics roll."""
        phase = self.phase[0]
        own, other = (int(d) for d in phase["discipline"])
        return chance_of_phase(int(phase["winner"]), (own, other), self.options)

    @property
    def rollers(self) -> tuple[Roller, Roller]:
        """Who makes the Tactics roll on each side."""
        return roller(self.a, self.options.edition), roller(self.b, self.options.edition)

    @property
    def scored(self) -> bool:
        """Whether a file says what it is worth that a card acts before another."""
        return bool(self.a.gains or self.b.gains)

    @property
    def optimal(self) -> bool:
        """Whether a side plays its best, which only exact odds can find."""
        return any(army.policy.optimal for army in self.armies)

    @property
    def scripted(self) -> bool:
        """Whether a file tells moves in advance."""
        return any(army.policy.moves for army in self.armies)

    @property
    def base(self) -> float:
        """Value to A before any card has acted before another."""
        return base_value(self.a, self.b)

    def refusals(self) -> tuple[int, int]:
        """Return the refusals of both sides (A-3.1)."""
        one, other = len(self.a.cards), len(self.b.cards)
        return max(other - one, 0), max(one - other, 0)

    def changes(self) -> Iterator[Change]:
        """Yield what may be compared: the Tactics roll, refusals, the reserve.

        Nothing where moves are told in advance: they would not be legal without them.
        """
        if self.scripted:
            return
        base = self.phase
        won = [self._with(winner=side) for side in range(2)]
        yield Change("winning the Tactics roll", "A", won[0], won[1])
        for side, refusals in enumerate(self.refusals()):
            if refusals:
                without = self._with(no_refusals=side)
                yield Change(f"its {_plural(refusals, 'refusal')}", SIDES[side], base, without)
        for side in range(2):
            yield Change("its reserve", SIDES[side], base, self._with(no_reserve=side))

    def _with(self, winner: int | None = None, **without: int) -> NDArray[np.void]:
        """Return the phase with another winner of the roll, or a side without something."""
        phases = self.phase.copy()
        if winner is not None:
            phases["winner"] = winner
        for what, side in without.items():
            phases[what][0, side] = 1
        return phases

    def replayed(self, sides: tuple[bool, bool]) -> NDArray[np.void]:
        """Return the phase with best play of some sides."""
        phases = self.phase.copy()
        for side, best in enumerate(sides):
            if best:
                phases["optimal"][0, side] = 1
                phases["scripted"][0, side] = 0
        return phases

    @property
    def inputs(self) -> str:
        """Digest of cards, policies and rules, to tell whether they have changed."""
        return sha256(self.phase.tobytes()).hexdigest()[:12]

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        if self.phase["winner"][0] != Winner.ROLL:
            return self.options.edition.assumed(("cards",))
        return self.options.edition.assumed(("tests", "tactics", "cards"))

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that the answer depends on and that can be read otherwise."""
        wanted = ("W-1.5", "T-2.4", "T-2.5") * int(self.phase["winner"][0] == Winner.ROLL)
        return tuple(r.clause for r in self.options.edition.readings if r.clause in wanted)

    def remarks(self) -> list[str]:
        """Return what is worth knowing about the armies."""
        found = []
        if self.winner == "roll":
            if self.phase["winner"][0] == Winner.COIN:
                found.append("no Discipline is known: a coin decides the Tactics roll (DIS = …)")
            for side, who in zip(SIDES, self.rollers, strict=True):
                found += [
                    f"{side}: {card} may not make the roll: {why}" for card, why in who.barred
                ]
                if who.unknown and who.card:
                    found.append(f"{side}: Discipline not known: {', '.join(who.unknown)}")
                if who.nobody:
                    found.append(f"{side}: nobody may make the Tactics roll (T-2.5)")
        if self.scripted:
            found.append("moves are told in advance: nothing to compare them with")
        if self.optimal:
            found.append("best play: both players know both piles")
        return found

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        return f"{self.a.name} against {self.b.name}: activation phase"

    def command_line(self, method: str, trials: int | None, seed: int | None) -> str:
        """Return the command that asks this."""
        words = ["estoc", "cards", self.a.file, self.b.file]
        words += [word for policy in self.policies for word in ("--policy", policy)]
        if self.winner != "roll":
            words += ["--winner", self.winner]
        words += self.options.common_arguments()
        for name, value in (("method", method), ("trials", trials), ("seed", seed)):
            words += [] if value is None else [f"--{name}", str(value)]
        return " ".join(map(quoted, words))


def ask(
    a: str | Army,
    b: str | Army,
    *,
    policies: Sequence[str] = (),
    winner: str = "roll",
    options: Options | None = None,
    roster: Roster | None = None,
) -> CardQuestion:
    """Return the question about the activation phase of two armies.

    Parameters
    ----------
    a, b : str or Army
        A ``.toml`` file, or the name of an army that comes with the package.
    policies : sequence of str
        ``NAME|FILE``, ``A=…`` or ``B=…``: replace the armies' own policies for cards.
    winner : {"roll", "coin", "A", "B"}
        Who wins the Tactics roll, or how it is found.
    options : Options, optional
        Edition and rules.
    roster : Roster, optional
        Where fighters are looked up.
    """
    options = Options() if options is None else options
    roster = Roster.load(options.fighters) if roster is None else roster
    armies = [army if isinstance(army, Army) else load_army(army, roster) for army in (a, b)]
    one, other = with_policies(armies[0], armies[1], tuple(policies))
    return CardQuestion(one, other, winner, options, tuple(policies))


def with_policies(a: Army, b: Army, texts: tuple[str, ...]) -> tuple[Army, Army]:
    """Return armies whose policies are replaced by ``NAME|FILE``, ``A=…`` or ``B=…``.

    What an army's file says of moves told in advance is then forgotten.
    """
    armies = [a, b]
    for text in texts:
        head, equals, rest = text.partition("=")
        side = (
            SIDES.index(head.strip().upper()) if equals and head.strip().upper() in SIDES else None
        )
        policy = load_card_policy(text if side is None else rest.strip())
        for index in (0, 1) if side is None else (side,):
            armies[index] = replace(armies[index], policy=policy)
    return armies[0], armies[1]


def in_parts(value: float) -> float:
    """Return a swing of the kernels in the unit of gains."""
    return value / GAIN_PARTS


def _plural(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
