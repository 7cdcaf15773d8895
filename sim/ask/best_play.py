"""Requests about best play: solve, worth."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import model_validator

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.result import Result
from ..base.run import Option, Run
from ..combat.combat import ask
from .combats import ABLE, Dice, both_sides, exact_seconds, fighters_of_both
from .request import Bar, Charged, Fight, Load, Names, Words

if TYPE_CHECKING:
    from ..worth.abilities import Valuation
    from ..worth.worth import Meeting


class Solve(Charged):
    """Best play: what to place, how to decide, what habits cost.

    Worked out exactly, for what A wants and B does not (--score). A side that is given a
    --policy keeps to it, and the other one plays the best answer.

    \b
    estoc solve "garde prétorien" "guerrier de l'aube"
    estoc solve "garde prétorien" vs "guerrier de l'aube*2" --unseen
    estoc solve --book daikinee --book dirz -o book.parquet
    """

    open_play = True
    sides = "A B | A… vs B…"

    a: Words = ()
    b: Words = ()
    book: Annotated[
        Words,
        Option(
            "Instead: all pairs of a people's fighters, or of those named. Repeatable.",
            "PEOPLE|NAME",
        ),
    ] = ()
    unseen: Annotated[bool, Option("Also: both place dice without seeing the other's.")] = False
    dice: Dice = ()

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """See `Request.arranged`; two names alone are one on each side."""
        names = words.get("sides", ())
        if words.get("book"):
            if names or words.get("unseen"):
                raise InputError("solve: --book is for a list alone, without fighters and --unseen")
            return {key: value for key, value in words.items() if key != "sides"}
        if "vs" not in [name.lower() for name in names]:
            if len(names) != 2:
                raise InputError("solve: name two fighters, or A… vs B…, or a list with --book")
            words["sides"] = (names[0], "vs", names[1])
        return both_sides(words, "solve")

    @model_validator(mode="after")
    def _named(self) -> "Solve":
        if self.book and (self.a or self.b or self.unseen):
            raise ValueError(say('should have "book" alone, without a, b and unseen'))
        if not self.book and not (self.a and self.b):
            raise ValueError(say('should have "a" and "b", or "book"'))
        return self

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..base.naming import fighters_of
        from ..combat.exact import checked_exact
        from ..worth.solve import checked_open

        checked_open(self.options)
        if self.book:
            pairs = len(list(fighters_of(list(self.book), self.roster))) ** 2 // 2
            return Load(0, pairs * ABLE, pairs)
        question = ask(*fighters_of_both(self), self.options)
        checked_exact(question)
        return Load(0, 60 * exact_seconds(question), 100)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..worth.book import solve_book
        from ..worth.solve import checked_open, solve

        checked_open(self.options)
        if self.book:
            return solve_book(self.book, options=self.options, roster=self.roster)
        a, b = fighters_of_both(self)
        return solve(a, b, unseen=self.unseen, options=self.options, roster=self.roster)


class Worth(Fight):
    """What a change is worth to A: +1 of a characteristic, a charge, a second attacker.

    Exactly, and against each enemy: with the change less without it. Both sides decide as
    well as they can, unless --policy says otherwise.

    \b
    estoc worth "garde prétorien" --against dirz --plot worth.png
    estoc worth "garde prétorien" --abilities --against dirz
    estoc worth "garde prétorien" --against "guerrier de l'aube" \\
        --score points --turns 2
    """

    open_play = drawn = True

    a: Annotated[str, Option(flag="")]
    against: Annotated[
        Names, Option("Enemies: all fighters of a people, or a fighter. Repeatable.", "PEOPLE|B")
    ]
    priced: Annotated[
        bool,
        Option(
            "Does an ability pay? Each ability, and each line of the players' list of prices.",
            flag="--abilities",
        ),
    ] = False

    def bar(self) -> Bar:
        """See `Request.bar`."""
        return Bar(1, self._combats, method="exact")

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        return Load(0, self._combats * ABLE, self._combats)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..worth.abilities import ability_worth
        from ..worth.worth import worth

        asked = ability_worth if self.priced else worth
        return asked(self.a, self.against, options=self.options, roster=self.roster, run=run)

    def remarks(self) -> Sequence[str]:
        """See `Request.remarks`."""
        return self._valued[1]

    @property
    def _combats(self) -> int:
        return sum(len(one.questions) for one in self._valued[0])

    @cached_property
    def _valued(self) -> "tuple[Sequence[Meeting | Valuation], Sequence[str]]":
        from ..worth.abilities import valuations_of
        from ..worth.worth import meetings_of

        of = valuations_of if self.priced else meetings_of
        found: tuple[Any, Any] = of(self.a, self.against, self.options, self.roster)
        return found
