"""Requests about a few rolls of a fighter: shots, Courage, disengagement."""

from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from ...profiles.message import say
from ..base.options import repeated
from ..base.result import Result
from ..base.run import Odds, Option, Run
from ..combat.combat import TRIALS
from .request import Able, Bar, Names, Words, if_sampled

if TYPE_CHECKING:
    from ..rolls.disengage_question import Disengagement
    from ..rolls.fear_question import Fright
    from ..rolls.shooting_question import Shooting

_USUAL = if_sampled(TRIALS)


class Shoot(Odds, Able):
    """Odds of a shot of A at B: to hit, of each wound, of how B stands after it.

    \b
    estoc shoot alahel "garde prétorien"
    estoc shoot alahel "garde prétorien" --range 30 --moved --cover 2
    """

    played, usual = say("shots of each kind"), _USUAL
    without = ("threads",)

    a: Annotated[str, Option(flag="")]
    b: Annotated[str, Option(flag="")]
    distance: Annotated[
        float | None,
        Option("How far B is; all three ranges of the weapon if not given.", "CM", flag="--range"),
    ] = None
    moved: Annotated[bool, Option("A moved; if not given, and no --range: both.")] = False
    cover: Annotated[
        int, Option("Target/+X of B in all, added to the difficulty (M-6.2).", "X")
    ] = 0
    charged: Annotated[bool, Option("A suffers the penalty of a charge (M-5.1).")] = False
    wounds: Annotated[
        Words, Option("State at the start, as A=light,stunned. Repeatable.", "NAME=STATE")
    ] = ()

    @cached_property
    def question(self) -> "Shooting":
        """What is asked."""
        from ..rolls.shooting import shooting

        return shooting(
            self.a,
            self.b,
            distance=self.distance,
            moved=self.moved or None,
            cover=self.cover,
            charged=self.charged,
            options=self.options,
            roster=self.roster,
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..rolls.rolling import chosen

        how = chosen(self.run)
        return Bar(TRIALS, len(self.question.variants) if how.sampled else 1, method=how.name)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..rolls.rolling import chosen
        from ..rolls.shooting import answer

        return answer(self.question, chosen(run), run)


class Fear(Odds, Able):
    """Who is afraid of whom: tests of Courage of A and of B, and the chance to rally.

    \b
    estoc fear "guerrier de pierre" killyox
    estoc fear "guerrier de pierre" killyox --command 7/6
    """

    played, usual = say("tests of each kind"), _USUAL
    without = ("threads",)

    a: Annotated[str, Option(flag="")]
    b: Annotated[str, Option(flag="")]
    command: Annotated[
        str | None,
        Option("A is within reach of a leader with this COU and DIS (W-4.5).", "COU[/DIS]"),
    ] = None
    charge: Annotated[
        Words, Option("Who charged: A, B or a fighter's name (M-5). Repeatable.", "NAME")
    ] = ()

    @cached_property
    def question(self) -> "Fright":
        """What is asked."""
        from ..rolls.fear import fright

        return fright(
            self.a, self.b, command=self.command, options=self.options, roster=self.roster
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..rolls.rolling import chosen

        how = chosen(self.run)
        return Bar(TRIALS, 2 if how.sampled else 1, method=how.name)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..rolls.fear import answer
        from ..rolls.rolling import chosen

        return answer(self.question, chosen(run), run)


class Disengage(Odds, Able):
    """Chances to get away from all enemies in contact, by agility and by force.

    \b
    estoc disengage "garde prétorien" --enemies "guerrier de l'aube*2"
    estoc disengage kal-torog --enemies "garde prétorien" --wounds A=light --odds
    """

    played, usual = say("tries by each way"), _USUAL

    fighter: Annotated[str, Option(flag="")]
    enemies: Annotated[
        Names, Option('All enemies that touch it; "NAME*2" are two. Repeatable.', "NAME")
    ]
    wounds: Annotated[
        Words,
        Option(
            "State at the start, as A=light,stunned; A is the fighter, B its enemies. Repeatable.",
            "NAME=STATE",
        ),
    ] = ()
    charged: Annotated[
        bool,
        Option(
            "It was charged this turn, with the penalty (M-5.1); as --assaulted, it may not "
            "disengage unless the edition says so."
        ),
    ] = False
    assaulted: Annotated[
        bool,
        Option("It was charged or engaged in this activation phase: it may not disengage (M-7.1)."),
    ] = False
    odds: Annotated[bool, Option("Also: the odds of the combat after a failure (M-7.5).")] = False

    @cached_property
    def question(self) -> "Disengagement":
        """What is asked."""
        from ..rolls.disengage import disengagement

        return disengagement(
            self.fighter,
            repeated(self.enemies),
            charged=self.charged,
            assaulted=self.assaulted,
            options=self.options,
            roster=self.roster,
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        return Bar(TRIALS, in_trials=True)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..rolls.disengage import answer
        from ..rolls.rolling import chosen

        return answer(self.question, chosen(run), run, odds=self.odds)
