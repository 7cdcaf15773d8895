"""Jobs about armies: activation cards, battles, matchups, comparisons."""

from typing import Any, Literal

from pydantic import Field

from ..base.result import Result
from ..base.run import Run
from .job import Edited, Load, Names, Odds, Sampled, Words

_PHASE = 1e-6  # seconds of a sampled activation phase, about, for each that is compared
_EXACT_PHASES = 5.0  # of one solved exactly


class Cards(Odds, Edited):
    """As `estoc.sim.phases.cards.answer`."""

    a: str
    b: str
    policies: Words = Field((), alias="policy")
    winner: Literal["roll", "coin", "A", "B"] = "roll"
    sets: Words = Field((), alias="set")

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        question, how = self._question(run)
        phases = len(question.compared.phases)
        seconds = _EXACT_PHASES * how.exact + (how.trials or 0) * _PHASE * phases
        return Load(how.trials or 0, seconds, 50 * phases)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..phases.cards import answer

        return answer(*self._question(run), run)

    def _question(self, run: Run) -> tuple[Any, Any]:
        from ..phases.cards import chosen
        from .asking import card_question

        question = card_question({**self.asked, "transcript": False, "trial": None})
        return question, chosen(question, self.asked_run(run))


class Battle(Sampled, Edited):
    """As `estoc.sim.battle.battle.answer`."""

    scenario: str
    policy_a: str = "aggressive"
    policy_b: str = "aggressive"
    sets: Words = Field((), alias="set")
    abilities: bool = True

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..battle.sampling import SECONDS

        question, how = self._question(run)
        question.compiled(0)
        trials = how.trials or 0
        return Load(trials, trials * SECONDS, 30 + 10 * len(question.labels))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..battle.battle import answer

        return answer(*self._question(run), run)

    def _question(self, run: Run) -> tuple[Any, Any]:
        from ..battle.battle import sampled
        from .asking import battle_question

        return battle_question(self.asked), sampled(self.asked_run(run))


class Matchup(Sampled, Edited):
    """As `estoc.sim.matchup.matchup.answer`."""

    lists: Names
    field: str = "village"
    policies: Words = ()
    drop: bool = False
    sets: Words = Field((), alias="set")
    abilities: bool = True

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..battle.sampling import SECONDS

        question, plan = self._question(run)
        battles = plan.trials * len(question.cells)
        return Load(battles, battles * SECONDS, 40 * len(question.cells))

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..matchup.matchup import answer

        return answer(*self._question(run), run)

    def _question(self, run: Run) -> tuple[Any, Any]:
        from ..matchup.plan import plan_of
        from .contests import matchup_question

        plan = plan_of(self.asked_run(run), self.drop)
        return matchup_question(self.asked), plan


class Compare(Sampled, Edited):
    """As `contest.compare.answer`, or `contest.variants.answer` of favours and sensitivity."""

    battles: Names
    field: str | None = None
    changes: Words = Field((), alias="change")
    until_sure: bool = False
    favours: bool = False
    sensitivity: bool = False
    policy_a: str = "aggressive"
    policy_b: str = "aggressive"
    sets: Words = Field((), alias="set")
    abilities: bool = True

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..battle.sampling import SECONDS
        from .contests import comparison_asked, variants_asked

        trials = self._method(run).trials or 0
        if self.favours or self.sensitivity:
            _, base, changes, _ = variants_asked(self.asked)
            battles = (len(changes) + 1) * (1 if base.armies is None else 2)
        else:
            battles = 2 * comparison_asked(self.asked).ways
        return Load(trials * battles, trials * battles * SECONDS, 4 * battles)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..contest import compare, variants
        from .contests import comparison_asked, variants_asked

        how = self._method(run)
        if self.favours or self.sensitivity:
            kind, base, changes, roster = variants_asked(self.asked)
            return variants.answer(kind, base, changes, how, run, roster=roster)
        return compare.answer(comparison_asked(self.asked), how, run)

    def _method(self, run: Run) -> Any:
        from ..contest.compare import planned

        return planned(self.asked_run(run), self.until_sure)
