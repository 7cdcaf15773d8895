"""Requests about armies on a table: cards, battle, table, moves."""

from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.result import Result
from ..base.run import Odds, Option, Run, Sampled
from .request import Able, Bar, Edited, Load, Words, if_sampled

if TYPE_CHECKING:
    from ..battle.question import BattleQuestion
    from ..phases.card_question import CardQuestion
    from ..table.tabletop import Tabletop

_PHASE = 1e-6  # seconds of a sampled activation phase, about, for each that is compared
_EXACT_PHASES = 5.0  # of one solved exactly


class Cards(Odds, Edited):
    """Which card acts when in an activation phase, before whom, and what changes it.

    A and B are files that list a people, its cards and how they are played, or armies that
    come with the program: griffon and scorpion, the example of the rules; daikinee and
    devoreurs.

    \b
    estoc cards griffon scorpion --winner A --transcript
    estoc cards daikinee devoreurs --policy A=wait --policy B=dear --plot cards.png
    """

    played, usual = say("phases"), if_sampled(100_000)
    splits, drawn = True, True

    a: Annotated[str, Option(metavar="A.toml", flag="")]
    b: Annotated[str, Option(metavar="B.toml", flag="")]
    policies: Annotated[
        Words,
        Option(
            "How a side orders and plays its cards, instead of what its file says: "
            "listed, random, cheap, dear, threat, wait, optimal (exact odds only), or a .toml "
            "file. Repeatable.",
            "[A=|B=]NAME|FILE",
        ),
    ] = Field((), alias="policy")
    winner: Annotated[
        Literal["roll", "coin", "A", "B"],
        Option("Who wins the Tactics roll, and so says who speaks first."),
    ] = "roll"
    transcript: Annotated[
        bool,
        Option("Tell one phase, speaking turn by speaking turn.", everywhere=False),
    ] = False
    trial: Annotated[
        int | None,
        Option("Transcript: number of the trial. [default: 0]", everywhere=False),
    ] = None
    exact: Annotated[bool, Option("The same as --method exact.", everywhere=False)] = False

    apart = ("policies",)

    @cached_property
    def run(self) -> Run:
        """How it is to be answered."""
        if self.exact and self.method not in (None, "exact"):
            raise InputError("cards: --exact and --method {} are two things; take one", self.method)
        run = super().run
        return run.but(method="exact") if self.exact else run

    @cached_property
    def question(self) -> "CardQuestion":
        """What is asked."""
        from ..phases.card_question import ask

        if not self.transcript and self.trial is not None:
            raise InputError("cards: --trial says which phase --transcript tells; add --transcript")
        keys = ("method", "exact", "precision", "trials")
        lost = [key for key in keys if self.transcript and getattr(self, key)]
        if lost:
            raise InputError("cards: --transcript tells one phase: drop --{}", lost[0])
        return ask(
            self.a,
            self.b,
            policies=self.policies,
            winner=self.winner,
            options=self.options,
            roster=self.roster,
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..phases.cards import TRIALS, chosen

        if self.transcript:
            return Bar(method="exact")
        how = chosen(self.question, self.run)
        phases = len(self.question.compared.phases) if how.name == "exact" else 1
        return Bar(TRIALS, phases, method=how.name)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..phases.cards import chosen

        how = chosen(self.question, run)
        phases = len(self.question.compared.phases)
        seconds = _EXACT_PHASES * how.exact + (how.trials or 0) * _PHASE * phases
        return Load(how.trials or 0, seconds, 50 * phases)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..phases.cards import answer, chosen, transcript

        if self.transcript:
            return transcript(self.question, self.seed, self.trial or 0)
        return answer(self.question, chosen(self.question, run), run)


class Table(Edited):
    """What stands on a table: who touches whom, and in which melee.

    SCENARIO is a file that lists table, terrain and fighters placed on it, or crossing, an
    example that comes with the program.

    \b
    estoc table crossing --plot table.png
    """

    drawn = True

    scenario: Annotated[str, Option(metavar="SCENARIO", flag="")]

    @cached_property
    def tabletop(self) -> "Tabletop":
        """The table, its terrain and who stands on it."""
        from ..table.tabletop import load_table

        return load_table(self.scenario, self.options, self.roster)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..table.tabletop import table

        return table(self.tabletop)


class Moves(Table):
    """What a fighter on a table may do: how far, whom it may charge, with what odds.

    \b
    estoc moves crossing --fighter cavaliere --plot moves.png
    """

    fighter: Annotated[str, Option("Who moves, by its label.", "NAME")]
    premeasure: Annotated[bool, Option("Both players agreed to measure freely (M-1.6).")] = False

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..table.moves import moves

        return moves(self.tabletop, self.fighter, premeasure=self.premeasure)


class Battle(Sampled, Able, Table):
    """How a battle ends: who wins, what is destroyed turn by turn, who survives.

    SCENARIO is a file that lists table, terrain, fighters and what they fight for, or one that
    comes with the program: ambush, of five against five, and pitched, of ten against ten.

    \b
    estoc battle ambush --policy-b random --seed 5 --plot battle.png
    estoc replay ambush --policy-b random --seed 5 --trial 17
    """

    played, usual, splits = say("battles"), say(": {:,}", 2000), True

    policy_a: Annotated[str, Option("How A decides, see `estoc policy`.", "NAME")] = "aggressive"
    policy_b: Annotated[str, Option("How B decides.", "NAME")] = "aggressive"

    @cached_property
    def question(self) -> "BattleQuestion":
        """What is asked."""
        from ..battle.question import BattleQuestion

        return BattleQuestion(self.tabletop, (self.policy_a, self.policy_b))

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..battle.battle import TRIALS

        return Bar(TRIALS, method="mc")

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..battle.battle import sampled
        from ..battle.sampling import SECONDS

        trials = sampled(run).trials or 0
        self.question.compiled(0)
        return Load(trials, trials * SECONDS, 30 + 10 * len(self.question.labels))

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..battle.battle import answer, sampled

        return answer(self.question, sampled(run), run)
