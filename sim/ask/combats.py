"""Jobs about combats: duel, combat, sweep, solve, worth, melee."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ..base.options import Options
from ..base.result import Result
from ..base.run import Method, Run
from ..combat.method import chosen_method
from ..combat.question import Question
from .asking import read_options, sweep_command, without_lacking
from .job import Drawn, Fight, Job, Load, Names, Words, listed

if TYPE_CHECKING:
    from ..combat.sweep import Duels

Charges = Annotated[
    tuple[Literal["none", "A", "B"], ...],
    Field(strict=False, min_length=1),
    BeforeValidator(listed),
]
# Seconds of one core, about, as measured: of an exact duel, where abilities are played, and best
# play of several; of a turn of a sampled combat, for each fighter.
_DUEL, _ABLE, _SEVERAL, _TURN = 1e-3, 1e-2, 0.5, 4e-8


class Duel(Drawn, Fight):
    """As `estoc.sim.combat.duel.duel`."""

    a: str
    b: str
    dice: Annotated[tuple[str, ...], Field(strict=False, min_length=2, max_length=2)] | None = None

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..combat.combat import TRIALS, profiles_of
        from ..combat.duel import pairing, parsed_pair

        options, roster = read_options(self.asked)
        one, other = profiles_of([self.a, self.b], roster)
        question = pairing(one, other, options, parsed_pair(self.dice))
        return combat_load([question], chosen_method([question], self.asked_run(run), TRIALS))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..combat.duel import duel

        options, roster = read_options(self.asked)
        asked = self.asked_run(run)
        return duel(self.a, self.b, dice=self.dice, options=options, roster=roster, run=asked)


class Combat(Drawn, Fight):
    """As `estoc.sim.combat.combat.combat`."""

    a: Names
    b: Names
    dice: Words = ()

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..combat.combat import TRIALS, ask, profiles_of

        (a, b), options, roster = _sides(self)
        question = ask(profiles_of(a, roster), profiles_of(b, roster), options)
        return combat_load([question], chosen_method([question], self.asked_run(run), TRIALS))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..combat.combat import combat

        (a, b), options, roster = _sides(self)
        return combat(a, b, options=options, roster=roster, run=self.asked_run(run))


class Sweep(Drawn, Fight):
    """As `estoc.sim.combat.sweep.sweep`; a people, or one fighter or several, on each side."""

    a: Words = ()
    b: Words = ()
    people: str | None = None
    against: str | None = None
    allocations: str = "all"
    charge: Charges = ("none",)
    best: bool = False

    @model_validator(mode="after")
    def _named(self) -> "Sweep":
        for names, people, keys in (
            (self.a, self.people, '"a" or "people"'),
            (self.b, self.against, '"b" or "against"'),
        ):
            if bool(names) == bool(people):
                raise ValueError(f"should have one of {keys}")
        return self

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        duels, how = self._duels(run)
        told = duels.telling()
        load, times = combat_load(told, how), len(duels) / len(told)
        return Load(round(load.trials * times), load.seconds * times, len(duels))

    def shares(self) -> Iterator[Job]:
        """Yield the sweeps of each fighter of A, charge by charge."""
        a, b, _ = self._asked_of()
        names = tuple(profile.label for profile in b)
        alone = {"people": None, "against": None, "b": names}
        for charge in dict.fromkeys(self.charge):
            for profile in a:
                told = {**alone, "a": (profile.label,), "charge": (charge,)}
                yield self.model_copy(update=told)

    def joined(self, results: Sequence[Result], run: Run) -> Result:
        """See `Job.joined`."""
        from ..combat.sweep import sweep_result

        duels, how = self._duels(run)
        found = sweep_result(duels, list(chain.from_iterable(results)), len(duels), how)
        if max(len(self.a), len(self.b)) > 1:
            return found  # no command line names several on a side
        one, other = (next(iter(names), None) for names in (self.a, self.b))
        asked = {**self.asked, "a": one, "b": other}
        return replace(found, command=sweep_command(asked, duels.options, found))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..combat.sweep import answer

        return answer(*self._duels(run), run, best=self.best)

    def _duels(self, run: Run) -> tuple["Duels", Method]:
        from ..combat.sweep import duels_of, method_asked

        a, b, options = self._asked_of()
        duels = duels_of(a, b, options, self.allocations, self.charge)
        return duels, method_asked(duels, self.asked_run(run))

    def _asked_of(self) -> tuple[list[Profile], list[Profile], Options]:
        from ..combat.combat import profiles_of

        options, roster = read_options(self.asked)
        sides: list[Sequence[Profile]] = [
            profiles_of(names, roster) if names else roster.people(str(people))
            for names, people in ((self.a, self.people), (self.b, self.against))
        ]
        a, b = without_lacking(sides, (self.people, self.against), options)
        return a, b, options


class Solve(Fight):
    """As `estoc.sim.worth.solve.solve`, or with a book as `estoc.sim.worth.book.solve_book`."""

    a: Words = ()
    b: Words = ()
    book: Words = ()
    unseen: bool = False
    dice: Words = ()

    @model_validator(mode="after")
    def _named(self) -> "Solve":
        if self.book and (self.a or self.b or self.unseen):
            raise ValueError('should have "book" alone, without a, b and unseen')
        if not self.book and not (self.a and self.b):
            raise ValueError('should have "a" and "b", or "book"')
        return self

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..base.naming import fighters_of
        from ..combat.combat import ask, profiles_of
        from ..combat.exact import checked_exact
        from ..worth.solve import checked_open

        (a, b), options, roster = _sides(self, open_play=True)
        checked_open(options)
        if self.book:
            pairs = len(list(fighters_of(list(self.book), roster))) ** 2 // 2
            return Load(0, pairs * _ABLE, pairs)
        question = ask(profiles_of(a, roster), profiles_of(b, roster), options)
        checked_exact(question)
        return Load(0, 60 * _exact_seconds(question), 100)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..worth.book import solve_book
        from ..worth.solve import solve

        (a, b), options, roster = _sides(self, open_play=True)
        if self.book:
            return solve_book(self.book, options=options, roster=roster)
        return solve(a, b, unseen=self.unseen, options=options, roster=roster)


class Worth(Fight):
    """As `worth.worth.worth`, or with abilities as `worth.abilities.ability_worth`."""

    a: str
    against: Names
    priced: bool = False

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..worth.abilities import valuations_of
        from ..worth.worth import meetings_of

        options, roster = self._told()
        who = self.a, self.against
        valued = (valuations_of if self.priced else meetings_of)(*who, options, roster)[0]
        combats = sum(len(one.questions) for one in valued)
        return Load(0, combats * _ABLE, combats)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..worth.abilities import ability_worth
        from ..worth.worth import worth

        options, roster = self._told()
        asked = ability_worth if self.priced else worth
        return asked(self.a, self.against, options=options, roster=roster)

    def _told(self) -> tuple[Options, Roster]:
        if self.charge:
            raise InputError("worth: who charges is one of the changes: drop charge")
        return read_options({**_best_play(self.asked), "charge": (), "dice": ()})


class Melee(Drawn, Fight):
    """As `estoc.sim.table.melee.answer`."""

    a: Names
    b: Names
    contacts: str = "all"
    routed: Words = ()

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..table.melee import chosen

        question = self._question()
        return combat_load(question.questions, chosen(question, self.asked_run(run)))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..table.melee import answer, chosen

        question = self._question()
        return answer(question, chosen(question, self.asked_run(run)), run)

    def _question(self) -> Any:
        from ..combat.combat import profiles_of
        from ..table.melee_question import ask

        sides, options, roster = _sides(self)
        a, b = (profiles_of(side, roster) for side in sides)
        return ask(a, b, self.contacts, self.routed, options)


def _best_play(asked: dict[str, Any]) -> dict[str, Any]:
    """Return what is asked with best play of both sides where no policy is told."""
    from ..base.policy import OPEN

    return {**asked, "policies": (OPEN, *asked["policies"])}


def _sides(job: Any, open_play: bool = False) -> tuple[list[list[str]], Options, Roster]:
    """Return the names on both sides, options and roster of a question of one or several."""
    from ..base.options import repeated

    sides = [repeated(names) for names in (job.a, job.b)]
    asked = _best_play(job.asked) if open_play else job.asked
    options, roster = read_options({"dice": (), **asked, "fighters_met": ()})
    return sides, options, roster


def combat_load(questions: Sequence[Question], how: Method) -> Load:
    """Return how much work combats are."""
    seconds, trials = 0.0, 0
    for question in questions:
        if how.exact:
            seconds += _exact_seconds(question)
        if how.trials is not None:
            trials += how.trials
            seconds += how.trials * _TURN * question.options.turns * len(question.fighters)
    return Load(trials, seconds, len(questions))


def _exact_seconds(question: Question) -> float:
    enemies = len(question.others)
    if enemies > 1:
        return _SEVERAL * enemies
    return _ABLE if question.able else _DUEL
