"""Requests about the activation sheet of the hex wargame."""

from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.result import Result
from ..base.run import Odds, Option, Run, Seed, Threads, Trials
from .request import Bar, Load, Request, Words, if_sampled

if TYPE_CHECKING:
    from ..contagion.question import Contagion
    from ..sheet.question import SheetQuestion

_TRIAL, _SPREAD = 5e-5, 1e-7  # seconds of a trial of the sheet, and of contagion, about

Pieces = Annotated[str, Option(metavar="SITUATION", flag="")]


class Situation(Request):
    """What questions about a situation of the sheet are told."""

    situation: Pieces
    tests: Annotated[str | None, Option("Values of the tests: all are assumed.", "FILE")] = None
    world: Annotated[str | None, Option("Ground, moves, outcomes: all are assumed.", "FILE")] = None
    settings: Annotated[
        Words,
        Option("Replace a value of the tests, as rout.ELITE=2. Repeatable.", "KEY=VALUE"),
    ] = Field((), alias="set")
    readings: Annotated[
        Words,
        Option(
            "Read the sheet otherwise, as select.mode=M1; see `estoc sheet readings`.",
            "SWITCH=VALUE",
        ),
    ] = Field((), alias="reading")
    fail: Annotated[
        str | None,
        Option("Every Rout test fails with this chance, as 1/3, whatever else.", "Q"),
    ] = None

    @cached_property
    def question(self) -> "SheetQuestion":
        """What is asked."""
        from ..sheet.question import ask_sheet

        return ask_sheet(self.situation, **self._told())

    def _told(self) -> dict[str, Any]:
        names = ("tests", "world", "settings", "readings", "players", "order", "turns")
        own = [name for name in names if name in type(self).model_fields]
        fail = None if self.fail is None else _chance(self.fail)
        return {name: getattr(self, name) for name in own} | {"fail": fail}


class SheetCheck(Situation):
    """What the sheet says about a unit, clause by clause: its tests, what it must or may do.

    \b
    estoc sheet check skirmish --unit "Lion archers" --explain
    estoc sheet check --is 'formation, defence, shaken' --engaged-by fresh
    estoc sheet check skirmish --unit "Marshal" --if dies
    estoc sheet check skirmish --unit "Wolf riders" --hexes
    """

    situation: Annotated[str | None, Option(metavar="[SITUATION]", flag="")] = None  # type: ignore[assignment]
    unit: Annotated[str | None, Option("Who is about to be activated.", "NAME")] = None
    words: Annotated[
        Words,
        Option(
            "In place of a situation, one unit in words with commas, as "
            "'formation, defence, shaken, dodge'. Repeatable.",
            "WORDS",
        ),
    ] = Field((), alias="is")
    engaged_by: Annotated[
        str | None, Option("Who engages it: fresh (has just come), stale, mixed.", "WHO")
    ] = None
    engages: Annotated[str | None, Option("Whom it engages: fresh, stale, mixed.", "WHO")] = None
    explain: Annotated[bool, Option("Also what does not apply, and why.")] = False
    event: Annotated[
        str | None,
        Option(
            "What follows if it flees, dies, leaves, is-shaken, routs, loses-charge, or ends its "
            "activation: who tests, and how it comes out.",
            "EVENT",
        ),
    ] = Field(None, alias="if")
    hexes: Annotated[bool, Option("Where its actions may end; the nearest threat.")] = False

    @cached_property
    def question(self) -> "SheetQuestion":
        """What is asked."""
        from ..sheet.question import ask_sheet, ask_unit

        if not (self.words or self.engaged_by or self.engages):
            if self.situation is None:
                raise InputError("sheet: name a SITUATION, or describe a unit with --is")
            return ask_sheet(self.situation, **self._told())
        if self.situation is not None:
            raise InputError(
                "sheet: --is describes a unit without a situation; leave out one of them"
            )
        return ask_unit(self.words, self.engaged_by or "", self.engages or "", **self._told())

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..sheet.check import check
        from ..sheet.follow import follow
        from ..sheet.hexes import hexes

        if self.explain + (self.event is not None) + self.hexes > 1:
            raise InputError("check: --explain, --if and --hexes are three questions; take one")
        if self.event is not None:
            return follow(self.question, self.unit, self.event)
        if self.hexes:
            return hexes(self.question, self.unit)
        return check(self.question, self.unit, explain=self.explain)


class Rolled(Situation):
    """What can be all ways in which the dice can fall, or trials."""

    played, usual = say("trials"), say(": {:,}", 100_000)
    splits = True

    method: Annotated[
        Literal["exact", "mc"] | None,
        Option("All ways in which the dice can fall, or trials; the first where it can be."),
    ] = None
    trials: Annotated[Trials | None, Option()] = None
    seed: Annotated[
        Seed | None,
        Option("Sample: seed of the dice; if not given, a fresh one is taken and printed."),
    ] = None
    threads: Threads = None

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..sheet.runs import TRIALS

        return Bar(TRIALS, in_trials=True)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..sheet.runs import is_sampled

        is_sampled(run)
        self.question  # noqa: B018  # is made, or refuses
        trials = self.trials or 0
        return Load(trials, 1.0 + trials * _TRIAL, 20)


class Played(Rolled):
    """What is played for some turns."""

    players: Annotated[
        Words,
        Option(
            "Who decides: bold, careful, still, random; all assumed. Repeatable.", "[SIDE=]NAME"
        ),
    ] = Field((), alias="player")
    order: Annotated[str | None, Option("Who is activated first, with commas.", "PIECES")] = None
    turns: Annotated[int, Option("Turns to play.")] = 1


Whose = Annotated[str | None, Option("The first of the situation if not given.", "NAME")]


class SheetLost(Played):
    """Activations that a side loses, by cause: routed, frozen, made to turn or to go away.

    \b
    estoc sheet lost skirmish --turns 2
    """

    side: Whose = None

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..sheet.losses import lost

        return lost(self.question, run, side=self.side)


class SheetSensitivity(Played):
    """The same question with each reading of the sheet changed, most changed first.

    \b
    estoc sheet sensitivity skirmish --turns 2
    """

    drawn = True

    side: Whose = None
    measure: Annotated[
        Literal["lost", "routed"],
        Option("Activations lost in all turns, or pieces routed at the end."),
    ] = "lost"

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..sheet.sensitivity import TRIALS, count_flips

        return Bar(TRIALS, count_flips() + 1, in_trials=True)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..sheet.sensitivity import TRIALS, count_flips

        super().check(run)
        readings = count_flips() + 1
        trials = readings * (self.trials or TRIALS)
        return Load(trials, trials * _TRIAL, readings)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..sheet.sensitivity import sheet_sensitivity

        return sheet_sensitivity(self.question, run, side=self.side, measure=self.measure)


class SheetWing(Rolled):
    """Whether a wing still attacks after its leader dies, and after each further loss.

    \b
    estoc sheet wing wing
    """

    wing: Annotated[str | None, Option("The first that has a leader if not given.", "NAME")] = None
    lose: Annotated[Words, Option("Who dies, in order, with commas.", "PIECES", once=True)] = ()

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """See `Request.arranged`."""
        lose = words.pop("lose", None)
        return {**words, "lose": tuple(lose.split(","))} if lose else words

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..sheet.losses import wing

        return wing(self.question, self.wing, run, losses=self.lose)


class SheetContagion(Odds, Request):
    """How far a rout spreads, by the order in which units are activated.

    LAYOUT is line:N, double:N, block:RxC, flower, or a situation.

    \b
    estoc sheet contagion line:5 --turns 2
    estoc sheet contagion flower --order best --order worst --fail 1/3
    """

    played, usual = say("trials of each order"), if_sampled(1_000_000)
    splits, drawn = True, True

    layout: Annotated[str, Option(metavar="LAYOUT", flag="")]
    side: Annotated[str | None, Option("Of a situation; its first side if not given.", "NAME")] = (
        None
    )
    orders: Annotated[
        Words,
        Option(
            "In which units are activated: outward and inward from the rout, best and worst for "
            "containing it, or a list as 2,0,1. Repeatable. [default: outward and inward]",
            "ORDER",
        ),
    ] = Field((), alias="order")
    routed: Annotated[Words, Option("Who is routed at the start.", "UNIT")] = ()
    fail: Annotated[str, Option("Chance to rout.", "Q")] = "1/2"
    turns: Annotated[int, Option("Turns to play.")] = 1
    model: Annotated[
        Literal["static", "flee"],
        Option("Nobody moves, or who is routed flees out of the way."),
    ] = "static"

    @cached_property
    def question(self) -> "Contagion":
        """What is asked; of a situation too."""
        from ...profiles.files.toml import shipped_names
        from ...profiles.sheet.situation import load_situation
        from ..contagion.layout import layout_of_situation
        from ..contagion.question import ask_contagion

        layout: Any = self.layout
        routed = list(self.routed)
        if self.layout.endswith(".toml") or self.layout in shipped_names("situation"):
            layout, now = layout_of_situation(load_situation(self.layout), self.side)
            routed = routed or now
        elif self.side is not None:
            raise InputError('--side: "{}" is no situation and has no sides', self.layout)
        orders = {"orders": self.orders} if self.orders else {}
        return ask_contagion(
            layout, routed=routed, fail=self.fail, turns=self.turns, model=self.model, **orders
        )

    def bar(self) -> Bar:
        """See `Request.bar`."""
        from ..contagion.contagion import TRIALS

        return Bar(TRIALS, len(self.question.orders), in_trials=True)

    def check(self, run: Run) -> Load:
        """See `Request.check`."""
        from ..contagion.contagion import check_method

        check_method(run)
        orders = len(self.question.orders)
        trials = orders * (self.trials or 0)
        return Load(trials, 0.1 + trials * _SPREAD * self.turns, orders)

    def answer(self, run: Run) -> Result:
        """See `Request.answer`."""
        from ..contagion.contagion import answer

        return answer(self.question, run)


def _chance(text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError('fail "{}" should be a chance as 1/3 or 0.25', text) from None
