"""The field book: exact odds and best dice of all that two armies can meet as, made beforehand."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import product
from typing import NamedTuple

from ...profiles.armies.army import Army, load_army
from ...profiles.compile.combat import placing_order, state_names
from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ..base.options import SIDES, Options, quoted
from ..base.parallel import in_order
from ..base.policy import BEST_PLAY, OPEN, SENSIBLE, Policy
from ..base.run import USUAL_RUN, Run
from ..combat.combat import notes_of
from ..combat.exact import Engine
from ..combat.laws import Law, weights
from ..combat.question import Question
from ..worth.advice import Advice, advice
from .kinds import Kind, kinds_of

BEST, PLACED, FIXED = "best", "dice", "policy"
PLAYS = (BEST, PLACED, FIXED)  # from the best one; each takes a tenth of the time of the one before
CHARGES = ("", *SIDES)
WOUNDS = ("all", "levels", "none")
MOST_ENEMIES = 3
USUAL_BEST = 1  # enemies against whom best play of all decisions is looked for


@dataclass(frozen=True)
class Meeting:
    """So many fighters of one kind against so many of another; one of the numbers is 1 (C-1.2)."""

    a: int  # kinds of A and of B, by their place
    b: int
    numbers: tuple[int, int]
    chosen_by: str  # side that chose the combat (C-3.3)


class Start(NamedTuple):
    """How a combat begins: the state of each side's fighters, and who charges."""

    wounds_a: str
    wounds_b: str
    charge: str


@dataclass(frozen=True)
class Answer:
    """What the book says of one start of a meeting."""

    question: Question
    law: Law
    advice: tuple[Advice, ...]  # decisions in words


class Part(NamedTuple):
    """The answers of one meeting that begin with one state of A, in the order of `starts`.

    ``play`` is how well they are played; empty where there is no exact answer, ``why`` then says
    why.
    """

    meeting: Meeting
    play: str
    answers: tuple[Answer, ...]
    why: str = ""


@dataclass(frozen=True)
class FieldBook:
    """What a field book is asked: two armies, and the situations in which they meet."""

    armies: tuple[Army, Army]  # A and B
    # As in `worth.solve.solve`: a side that is told no policy plays best. ``sets`` may be about any
    # kind of fighter; wounds, dice and charges are the book's own.
    options: Options
    # "all", "levels" or "none": states in which fighters begin: all of them, those in which nobody
    # is stunned, or unhurt
    wounds: str = "all"
    enemies: int = MOST_ENEMIES  # most enemies of one fighter, up to `MOST_ENEMIES`
    # best play of all decisions is looked for against so many enemies; against one more only the
    # best dice, the rest being the policy's; against yet more all is the policy's
    best: int = USUAL_BEST

    def __post_init__(self) -> None:
        options = self.options
        if options.wounds or options.dice or options.charge or options.all_defence:
            raise InputError("book: wounds, dice and charges are chosen on the page itself")
        if self.wounds not in WOUNDS:
            raise InputError('book: wounds "{}" should be {}', self.wounds, WOUNDS)
        if not 1 <= self.enemies <= MOST_ENEMIES:
            raise InputError("book: enemies {} should be from 1 to {}", self.enemies, MOST_ENEMIES)
        if not 0 <= self.best <= MOST_ENEMIES:
            raise InputError("book: best {} should be from 0 to {}", self.best, MOST_ENEMIES)
        for meeting in self.meetings:  # refuses a score or a cell before anything is solved
            weights(self.question(meeting, self.starts[0], FIXED))

    @cached_property
    def _kinds(self) -> tuple[tuple[tuple[Kind, ...], tuple[Kind, ...]], tuple[str, ...]]:
        return kinds_of(self.armies, self.options)

    @property
    def kinds(self) -> tuple[tuple[Kind, ...], tuple[Kind, ...]]:
        """The kinds of fighters of A and of B."""
        return self._kinds[0]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Remarks on cards of which nothing can be said."""
        return self._kinds[1]

    @cached_property
    def states(self) -> tuple[str, ...]:
        """States in which a fighter may begin."""
        alive = state_names(self.options.edition)[:-1]
        if self.wounds == "levels":
            return tuple(name for name in alive if "stunned" not in name)
        return tuple(alive if self.wounds == "all" else alive[:1])

    @property
    def starts(self) -> tuple[Start, ...]:
        """All starts of a meeting, those of one state of A together."""
        return tuple(Start(*one) for one in product(self.states, self.states, CHARGES))

    @cached_property
    def meetings(self) -> tuple[Meeting, ...]:
        """Who may meet whom; twice where it hangs on who chose the combat who places first."""
        numbers = [(1, n) for n in range(1, self.enemies + 1)]
        numbers += [(n, 1) for n in range(2, self.enemies + 1)]
        a, b = self.kinds
        return tuple(
            Meeting(i, j, many, side)
            for many in numbers
            for i, j in product(range(len(a)), range(len(b)))
            for side in (SIDES if self._hangs_on_chooser(i, j) else (self.options.chosen_by,))
        )

    def _hangs_on_chooser(self, i: int, j: int) -> bool:
        """Whether who places first depends on who chose the combat (C-3.3)."""
        pair = [self.kinds[0][i].profile, self.kinds[1][j].profile]
        missing = self.options.edition["defaults.missing_PA"]
        return bool((placing_order(pair, 0, missing) != placing_order(pair, 1, missing)).any())

    @property
    def situations(self) -> int:
        """How many situations the book answers."""
        return len(self.meetings) * len(self.starts)

    def question(self, meeting: Meeting, start: Start, play: str) -> Question:
        """Return one situation as a question."""
        policies = self.policies(play)
        options = replace(self.options, sets=(), policies=policies, chosen_by=meeting.chosen_by)
        a, b = self.kinds[0][meeting.a], self.kinds[1][meeting.b]
        is_open = any(policy.open_decisions for policy in policies)
        return Question(
            a.combatants("A", meeting.numbers[0], _told(start.wounds_a), start.charge == "A"),
            b.combatants("B", meeting.numbers[1], _told(start.wounds_b), start.charge == "B"),
            options,
            "solve" if is_open else "combat",
        )

    def policies(self, play: str) -> tuple[Policy, Policy]:
        """Return how both sides decide: as they were told, else as well as ``play`` says."""
        usual = {
            BEST: BEST_PLAY,
            PLACED: replace(SENSIBLE, placement=OPEN),
            FIXED: SENSIBLE,
        }[play]
        a, b = (usual if policy == BEST_PLAY else policy for policy in self.options.policies)
        return a, b

    def plays(self, meeting: Meeting) -> tuple[str, ...]:
        """Return how well a meeting may be played, from the best that is looked for."""
        if BEST_PLAY not in self.options.policies:
            return (FIXED,)
        beyond = max(max(meeting.numbers) - self.best, 0)
        return PLAYS[min(beyond, len(PLAYS) - 1) :]

    @property
    def remarks(self) -> tuple[str, ...]:
        """Return what a reader should know about the fighters."""
        asked = [
            self.question(meeting, Start(self.states[0], self.states[0], "A"), FIXED)
            for meeting in self.meetings
            if meeting.numbers == (1, 1)
        ]
        return self.left_out + notes_of(asked)

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the book depends on and that nobody found."""
        asked = (
            self.question(meeting, Start(self.states[0], self.states[0], charge), FIXED)
            for meeting in self.meetings
            for charge in CHARGES
        )
        return tuple(dict.fromkeys(key for question in asked for key in question.assumed))

    @property
    def command(self) -> str:
        """The command that makes the book again."""
        words = ["estoc", "book", *(army.file or army.name for army in self.armies)]
        words += ["--wounds", self.wounds] if self.wounds != "all" else []
        words += ["--enemies", str(self.enemies)] if self.enemies != MOST_ENEMIES else []
        words += ["--best", str(self.best)] if self.best != USUAL_BEST else []
        words += [word for text in self.options.sets for word in ("--set", text)]
        words += self.options.common_arguments(BEST_PLAY)
        return " ".join(map(quoted, [*words, "-o", "book.html"]))

    def parts(self, run: Run = USUAL_RUN) -> Iterator[Part]:
        """Yield the answers of all meetings in their order, each in a part for every state of A."""
        engines = threading.local()
        tasks = (
            partial(self._part, engines, meeting, state)
            for meeting in self.meetings
            for state in self.states
        )
        for part in in_order(tasks, run.threads):
            run.advance(len(self.starts) // len(self.states))
            yield part

    def _part(self, engines: threading.local, meeting: Meeting, state: str) -> Part:
        if not hasattr(engines, "own"):
            engines.own = Engine()
        starts = [start for start in self.starts if start.wounds_a == state]
        why = ""
        for play in self.plays(meeting):
            try:
                answers = [
                    _answer(engines.own, self.question(meeting, start, play)) for start in starts
                ]
            except InputError as error:
                why = str(error)
            else:
                return Part(meeting, play, tuple(answers))
        return Part(meeting, "", (), why)


def _told(state: str) -> str:
    """Return a state as a combatant has it: nothing of one who is unhurt."""
    return "" if state == "unhurt" else state


def _answer(engine: Engine, question: Question) -> Answer:
    law = engine.law(question)
    best = any(policy == BEST_PLAY for policy in question.options.policies)
    told = advice(question, engine, law) if best and not question.able else ()
    return Answer(question, law, tuple(told))


def field_book(
    a: str | Army,
    b: str | Army,
    *,
    options: Options | None = None,
    roster: Roster | None = None,
    **shape: object,
) -> FieldBook:
    """Return the field book of two armies, not yet worked out: `FieldBook.parts` does that.

    Parameters
    ----------
    a, b : str or Army
        Sides A and B: ``.toml`` files, or names of armies that come with the program.
    options : Options, optional
        As in `FieldBook`; both sides play best if not given.
    roster : Roster, optional
        Where fighters are looked up; the shipped ones if not given.
    **shape
        ``wounds``, ``enemies`` and ``best``, as in `FieldBook`.

    Raises
    ------
    InputError
        As in `FieldBook`, and if an army cannot be read.

    Examples
    --------
    >>> book = field_book("daikinee", "devoreurs", wounds="none", enemies=1)
    >>> len(book.meetings), len(book.starts)
    (21, 3)
    """
    options = options or Options(policies=(BEST_PLAY, BEST_PLAY))
    armies = [one if isinstance(one, Army) else load_army(one, roster) for one in (a, b)]
    return FieldBook((armies[0], armies[1]), options, **shape)  # type: ignore[arg-type]
