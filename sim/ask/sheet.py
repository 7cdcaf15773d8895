"""Jobs about the activation sheet of the hex wargame."""

from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from ...profiles.errors import InputError
from ..base.result import Result
from ..base.run import Run
from .job import Job, Load, Odds, Seed, Trials, Words

_TRIAL, _SPREAD = 5e-5, 1e-7  # seconds of a trial of the sheet, and of contagion, about


class _Situation(Job):
    situation: str
    tests: str | None = None
    world: str | None = None
    settings: Words = Field((), alias="set")
    readings: Words = Field((), alias="reading")
    fail: str | None = None
    method: Literal["exact", "mc"] | None = None
    trials: Trials | None = None
    seed: Seed | None = None

    splits = True

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..sheet.runs import is_sampled

        is_sampled(self._run(run))
        self._question()
        trials = self.trials or 0
        return Load(trials, 1.0 + trials * _TRIAL, 20)

    def _question(self) -> Any:
        from .asking import asked_sheet

        return asked_sheet({**self.asked, "fail": _chance(self.fail)})

    def _run(self, run: Run) -> Run:
        return run.but(method=self.method, trials=self.trials, seed=self.seed)


class _Played(_Situation):
    players: Words = Field((), alias="player")
    order: str | None = None
    turns: int = 1
    side: str | None = None


class SheetLost(_Played):
    """As `estoc.sim.sheet.losses.lost`."""

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..sheet.losses import lost

        return lost(self._question(), side=self.side, run=self._run(run))


class SheetSensitivity(_Played):
    """As `estoc.sim.sheet.sensitivity.sheet_sensitivity`."""

    measure: Literal["lost", "routed"] = "lost"

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..sheet.sensitivity import TRIALS, count_flips

        super().check(run)
        readings = count_flips() + 1
        trials = readings * (self.trials or TRIALS)
        return Load(trials, trials * _TRIAL, readings)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..sheet.sensitivity import sheet_sensitivity

        return sheet_sensitivity(
            self._question(), side=self.side, measure=self.measure, run=self._run(run)
        )


class SheetWing(_Situation):
    """As `estoc.sim.sheet.losses.wing`."""

    wing: str | None = None
    lose: Words = ()

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..sheet.losses import wing

        return wing(self._question(), self.wing, losses=self.lose, run=self._run(run))


class SheetContagion(Odds):
    """As `estoc.sim.contagion.contagion.answer`."""

    layout: str
    side: str | None = None
    orders: Words = Field((), alias="order")
    routed: Words = ()
    fail: str = "1/2"
    turns: int = 1
    model: Literal["static", "flee"] = "static"

    def check(self, run: Run) -> Load:
        """See `Job.check`."""
        from ..contagion.contagion import check_method

        check_method(self.asked_run(run))
        orders = len(self._question().orders)
        trials = orders * (self.trials or 0)
        return Load(trials, 0.1 + trials * _SPREAD * self.turns, orders)

    def answer(self, run: Run) -> Result:
        """See `Job.answer`."""
        from ..contagion.contagion import answer

        return answer(self._question(), self.asked_run(run))

    def _question(self) -> Any:
        from .asking import asked_contagion

        return asked_contagion(self.asked)


def _chance(text: str | None) -> Fraction | None:
    if text is None:
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(f'fail "{text}" should be a chance as "1/3" or "0.25"') from None
