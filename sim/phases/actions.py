"""What a fighter may do in its activation, and who acts when in a speaking turn (A-5)."""

from collections.abc import Iterable, Mapping

import numpy as np

from ...kernels.layout.actions import ACTIONS, STEPS, Attempt, Ban
from ...kernels.phases.actions import advance, bans, standing
from ...profiles.compile.actions import (
    STEP_NAMES,
    ban_entry,
    compile_actions,
    facts_mask,
    step_code,
)
from ...profiles.edition.edition import Edition, Entry
from ...profiles.errors import InputError

NAMES = STEP_NAMES[:ACTIONS]


class Activation:
    """What one fighter does in one activation, step by step.

    A step is an action (`NAMES`), ``"turn"`` on the spot, ``"announce_walk"``, said before
    a shot (A-5.5), or ``"disengage"``, a try at it (M-7).

    Parameters
    ----------
    edition : Edition
    facts : iterable of str
        How the fighter stands, words of `estoc.profiles.compile.actions.FACTS`.
    fighter : str
        How refusals call it.
    late : bool
        The exclusive actions of its speaking turn have been resolved (A-5.3).

    Raises
    ------
    InputError
        For an unknown word.
    """

    def __init__(
        self,
        edition: Edition,
        facts: Iterable[str] = (),
        fighter: str = "fighter",
        late: bool = False,
    ):
        self.edition, self.fighter, self.steps = edition, fighter, tuple[str, ...]()
        self._table = compile_actions(edition)
        self._done = np.zeros(STEPS, np.int64)
        self._late, self._over = late, ("", "")
        self.see(facts)

    def see(self, facts: Iterable[str]) -> None:
        """Say how the fighter stands now, all facts anew."""
        self._facts = frozenset(facts)
        self._mask = facts_mask(self._facts)

    def may(self, step: str) -> bool:
        """Whether the fighter may do a step now."""
        return not self.clause(step)

    def clause(self, step: str) -> str:
        """Return the clause that forbids a step now, ``""`` if none does."""
        return self._why(step)[1]

    def check(self, step: str) -> None:
        """Refuse a step that is not legal now, with the clause that forbids it."""
        reason, clause = self._why(step)
        if clause:
            raise InputError(f"{self.fighter}: {step}: {reason} ({clause})")

    def do(self, step: str, succeeded: bool | None = None) -> None:
        """Do a step.

        Parameters
        ----------
        step : str
        succeeded : bool, optional
            How a try at disengaging ended; for no other step.

        Raises
        ------
        InputError
            If the step is unknown or not legal, with the clause that forbids it.
        """
        self.check(step)
        if (succeeded is not None) != (step == "disengage"):
            raise InputError(
                f"{self.fighter}: {step}: whether it succeeded is said of a disengagement, and "
                "of nothing else (M-7)"
            )
        attempt = 0
        if succeeded is not None:
            attempt = Attempt.SUCCEEDED if succeeded else Attempt.FAILED
        advance(self._table, self._done, step_code(step), attempt)
        self.steps += (step,)

    def close(self, reason: str, clause: str) -> None:
        """End the activation: any step is refused for this reason from now on."""
        if not self._over[1]:
            self._over = reason, clause

    def potential(self, action: str) -> int:
        """Return how far an action moves the fighter, as a multiple of its MOU (M-7.4, M-8)."""
        if action not in NAMES:
            raise InputError(f'"{action}" should be an action: {", ".join(NAMES)} (M-8)')
        return int(standing(self._table, self._done)[step_code(action)])

    @property
    def still(self) -> bool:
        """Whether a shot now has the bonus of a shooter that does not move (A-5.5)."""
        return bool(standing(self._table, self._done)[ACTIONS])

    def _why(self, step: str) -> tuple[str, str]:
        """Return why a step is not legal, and the clause; both empty if it is."""
        code = step_code(step)
        if self._over[1]:
            return self._over
        if self._late and is_exclusive(self.edition, step):
            return "exclusive actions are announced and resolved before all others", "A-5.2"
        ban = Ban(bans(self._table, self._mask, self._done)[code])
        if ban == Ban.NONE:
            return "", ""
        done = next((s for s in self.steps if is_exclusive(self.edition, s)), "")
        entry = ban_entry(self.edition, ban, step, done)
        return self._reason(ban, entry, done), entry.clause

    def _reason(self, ban: Ban, entry: Entry, exclusive: str) -> str:
        if ban == Ban.NEEDS:
            return f"it needs {', '.join(f for f in entry.value if f not in self._facts)}"
        return {
            Ban.EXCLUSIVE: f"after {exclusive} a fighter does nothing else in this phase",
            Ban.AFTER: f"it may not follow {', '.join(self.steps)}",
            Ban.TIMES: "done as often as it may be in one activation",
            Ban.STAYS: "a fighter that failed to disengage stays where it is",
            Ban.CONTACT: "the fighter touches an enemy and has not disengaged",
            Ban.DISENGAGED: "not after a disengagement",
            Ban.ANNOUNCED: "a walk after a shot is announced once, before any shot",
            Ban.FREE: "the fighter touches no enemy",
            Ban.TRIED: "the fighter has tried already",
            Ban.BARRED: "not when assaulted in this phase, nor when no room is left around it",
        }[ban]


def is_exclusive(edition: Edition, step: str) -> bool:
    """Whether a step is an exclusive action (A-5.2)."""
    return step in NAMES and edition[f"actions.{step}.kind"] == "exclusive"


class SpeakingTurn:
    """One speaking turn: cards played, exclusive actions, then the others (A-5.1 to A-5.4).

    `play` every card, `announce` the exclusive actions (or none), `resolve` them one by
    one, `activate` the others one by one. Every call that the rules do not allow is an
    InputError that cites the clause, and changes nothing.

    Parameters
    ----------
    edition : Edition
    """

    def __init__(self, edition: Edition):
        self.edition = edition
        self._cards: dict[str, tuple[str, ...]] = {}
        self._announced: dict[str, tuple[str, Activation, bool]] | None = None
        self._acted: list[str] = []
        self._dead: set[str] = set()
        self._current = Activation(edition)

    @property
    def fighters(self) -> tuple[str, ...]:
        """The fighters of the cards played, in that order."""
        return tuple(fighter for fighters in self._cards.values() for fighter in fighters)

    @property
    def order(self) -> tuple[str, ...]:
        """The fighters activated so far, in the order in which they acted."""
        return tuple(self._acted)

    @property
    def pending(self) -> tuple[str, ...]:
        """Who may act next: the living that announced and did not act, else the others."""
        left = [f for f in self.fighters if f not in self._acted and f not in self._dead]
        announced = [f for f in left if f in (self._announced or {})]
        return tuple(announced or left)

    @property
    def done(self) -> bool:
        """Whether exclusive actions were announced and every living fighter was activated."""
        return self._announced is not None and not self.pending

    def play(self, card: str, fighters: Iterable[str]) -> None:
        """Play a card, with all its fighters that live (A-5.1)."""
        names = tuple(fighters)
        if self._announced is not None:
            raise InputError(f"{card}: all cards are played before any fighter acts (A-5.1)")
        if card in self._cards:
            raise InputError(f"{card}: this card has been played in this speaking turn (A-1.1)")
        for i, name in enumerate(names):
            if name in self.fighters or name in names[:i]:
                raise InputError(f"{name}: a fighter has one card, and is activated once (A-5.1)")
        self._cards[card] = names

    def announce(self, actions: Mapping[str, str], facts: Mapping[str, Iterable[str]]) -> None:
        """Announce all exclusive actions together, once (A-5.2).

        Parameters
        ----------
        actions : mapping of str to str
            The exclusive action of each fighter that makes one.
        facts : mapping of str to iterable of str
            How each of them stands now, words of `estoc.profiles.compile.actions.FACTS`.
        """
        if not self._cards:
            raise InputError("announce: all cards are played first (A-5.1)")
        if self._announced is not None:
            raise InputError("announce: exclusive actions are announced together, once (A-5.2)")
        announced = {}
        for fighter, action in actions.items():
            self._check_waits(fighter)
            step_code(action)
            if not is_exclusive(self.edition, action):
                raise InputError(f"{fighter}: {action} is not exclusive, nor announced (A-5.3)")
            announced[fighter] = (action, *self._prepared(fighter, action, facts.get(fighter, ())))
        self._announced = announced

    def _prepared(self, fighter: str, action: str, facts: Iterable[str]) -> tuple[Activation, bool]:
        """Return the activation of an exclusive action, and whether it begins by disengaging."""
        words = tuple(facts)
        activation = Activation(self.edition, words, fighter)
        where = f"actions.{action}"
        touching = "free" not in words and not self.edition[f"{where}.in_contact"]
        disengages = touching and self.edition[f"{where}.after_disengaging"]
        trial = Activation(self.edition, words, fighter)
        if disengages:
            trial.do("disengage", True)
        trial.check(action)
        return activation, disengages

    def resolve(self, fighter: str, disengaged: bool | None = None) -> Activation:
        """Resolve an announced action (A-5.2).

        Parameters
        ----------
        fighter : str
        disengaged : bool, optional
            For who engages from a contact: whether it disengaged (M-7.4). If not, it has
            had its action.

        Returns
        -------
        Activation
            What a fighter does that an ability lets combine (M-9), until the next one acts.
        """
        self._check_waits(fighter)
        if self._announced is None or fighter not in self._announced:
            raise InputError(f"{fighter}: has announced no exclusive action (A-5.2)")
        action, activation, disengages = self._announced[fighter]
        if (disengaged is not None) != disengages:
            raise InputError(
                f"{fighter}: whether it disengaged is said of who engages from a contact, and of "
                "nobody else (M-7.4)"
            )
        if disengaged is not None:
            activation.do("disengage", disengaged)
        if disengaged is not False:
            activation.do(action)
        self._begin(fighter, activation)
        if disengaged is False:
            activation.close(f"it announced {action}, and failed to disengage", "M-7.4")
        return activation

    def activate(self, fighter: str, facts: Iterable[str]) -> Activation:
        """Begin the activation of a fighter that announced nothing (A-5.3).

        Parameters
        ----------
        fighter : str
        facts : iterable of str
            How it stands now; `Activation.see` changes it.

        Returns
        -------
        Activation
            What it does, until the next fighter acts.
        """
        self._check_waits(fighter)
        if self._announced is None:
            raise InputError(
                f"{fighter}: exclusive actions, or that there are none, are announced first (A-5.2)"
            )
        if fighter in self._announced:
            raise InputError(f"{fighter}: its exclusive action is all that it does (A-5.4)")
        if fighter not in self.pending:
            raise InputError(
                f"{fighter}: the exclusive actions are resolved first, of "
                f"{', '.join(self.pending)} (A-5.2)"
            )
        activation = Activation(self.edition, facts, fighter, late=True)
        self._begin(fighter, activation)
        return activation

    def kill(self, fighter: str) -> None:
        """Say that a fighter has died: it does nothing any more (A-1.2)."""
        self._check_known(fighter)
        self._dead.add(fighter)
        if fighter == self._current.fighter:
            self._current.close("it is dead", "A-1.2")

    def _begin(self, fighter: str, activation: Activation) -> None:
        self._current.close("another fighter has acted since", "A-5.3")
        self._acted.append(fighter)
        self._current = activation

    def _check_known(self, fighter: str) -> None:
        if fighter not in self.fighters:
            raise InputError(
                f"{fighter}: its card is not played in this speaking turn; it should be one of "
                f"{', '.join(self.fighters)} (A-5.1)"
            )
        if fighter in self._dead:
            raise InputError(f"{fighter}: is dead, and does nothing (A-1.2)")

    def _check_waits(self, fighter: str) -> None:
        """Refuse a fighter that cannot act, or acted."""
        self._check_known(fighter)
        if fighter in self._acted:
            exclusive = fighter in (self._announced or {})
            clause = "A-5.4" if exclusive else "A-5.1"
            raise InputError(f"{fighter}: has been activated, once and for all ({clause})")
