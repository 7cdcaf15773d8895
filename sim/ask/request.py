"""What all requests have in common: a command's arguments and options as one checked value."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import prod
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, Field

from ...profiles.fighters.roster import Roster
from ...profiles.files.reading import made_once
from ...profiles.files.toml import validated
from ...profiles.message import say
from ..base.options import DEFAULT_EDITION, Options
from ..base.policy import OPEN, parse_policies
from ..base.progress import Bar as Bar
from ..base.result import Result
from ..base.run import CHECKED, Option, Run
from ..combat.laws import checked_score
from .output import tell


def listed(value: Any) -> Any:
    """Return a list as it is, a single value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


# what a file writes is a list; of its items each has to be of its kind
Words = Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(listed)]
Names = Annotated[tuple[str, ...], Field(strict=False, min_length=1), BeforeValidator(listed)]
Side = Literal["A", "B"]


class Load(NamedTuple):
    """About how much work a request is."""

    trials: int  # at most; 0 if it is exact
    seconds: float  # of one core
    rows: int

    def __add__(self, other: "Load") -> "Load":  # type: ignore[override]  # of work, not of tuples
        trials, seconds, rows = other
        return Load(self.trials + trials, self.seconds + seconds, self.rows + rows)

    def changed(self, ways: "Sequence[Load]") -> "Load":
        """Return about what it is where it is changed in some ways, of what each alone makes it."""
        trials, seconds, rows = zip(*ways, strict=True) if ways else ((), (), ())
        return Load(
            round(_multiplied(self.trials, trials)),
            _multiplied(self.seconds, seconds),
            round(_multiplied(self.rows, rows)),
        )


def _multiplied(base: float, changed: Sequence[float]) -> float:
    if not base:
        return max(changed, default=base)
    return base * prod(value / base for value in changed)


class Request(BaseModel):
    """A command with its arguments and options, as a command line or a batch says them.

    Its docstring is the command's help. A field's key in a batch is its alias, with ``--`` before
    it the option of the command line, unless its `Option` says otherwise.
    """

    model_config = CHECKED

    splits: ClassVar[bool] = False  # whether workers can share its trials
    played: ClassVar[str] = say("combats")  # what trials are of
    usual: ClassVar[str] = ""  # how many trials are usual, as the help tells it
    sides: ClassVar[str] = ""  # how fighters on both sides are written, instead of a and b
    without: ClassVar[tuple[str, ...]] = ()  # options of a run that mean nothing here
    drawn: ClassVar[bool] = False  # whether there is a picture of its answer

    @classmethod
    def arranged(cls, words: dict[str, Any]) -> dict[str, Any]:
        """Return the words of a command line by the fields that they are for."""
        return words

    @cached_property
    def run(self) -> Run:
        """How it is to be answered."""
        own = type(self).model_fields.keys() & Run.model_fields.keys()
        return Run(**{name: getattr(self, name) for name in own})

    def but(self, **changed: Any) -> "Request":
        """Return this request with some fields changed."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_construct(**{**fields, **changed})

    def check(self, run: Run) -> Load:
        """Read all that the answer hangs on; how much work it is.

        Raises
        ------
        InputError
            For what cannot be asked so.
        """
        raise NotImplementedError

    def bar(self) -> Bar:
        """Return what a progress bar counts."""
        return Bar()

    def answer(self, run: Run) -> Result:
        """Return the answer."""
        raise NotImplementedError

    def remarks(self) -> Sequence[str]:
        """Return what is said of a request whose answer is no table with notes."""
        return ()

    def shares(self) -> Iterator["Request"]:
        """Yield requests whose answers are this one's, one after the other."""
        yield self

    def joined(self, results: Sequence[Result], run: Run) -> Result:
        """Return the answer, of those of the shares."""
        (result,) = results
        return result


def key_of(model: type[BaseModel], name: str) -> str:
    """Return the key of a field in a batch."""
    return model.model_fields[name].alias or name


def option_of(model: type[BaseModel], name: str) -> Option | None:
    """Return what the command line says of a field; None of one that it does not have."""
    return next((m for m in model.model_fields[name].metadata if isinstance(m, Option)), None)


def batch_keys(model: type[BaseModel]) -> list[str]:
    """Return the keys that a batch has for a request."""
    options = {name: option_of(model, name) for name in model.model_fields}
    return [key_of(model, n) for n, o in options.items() if o is None or o.everywhere]


class Edited(Request):
    """What hangs on an edition of the rules and on fighters."""

    apart: ClassVar[tuple[str, ...]] = ()  # fields that are not those of `Options`

    fighters: Annotated[
        Words,
        Option("Fighters of your own: a CSV file, or a folder of them. Repeatable.", "FILE"),
    ] = ()
    sets: Annotated[
        Words,
        Option(
            'Replace a value of a card, as "Arkéon Sanath".ATT=5. Repeatable.', "NAME.KEY=VALUE"
        ),
    ] = Field((), alias="set")
    edition_name: Annotated[str, Option("Edition of the rules.", "NAME|FILE")] = Field(
        DEFAULT_EDITION, alias="edition"
    )
    rules: Annotated[
        Words,
        Option("Replace a value of the edition, as many_dice=one_chain. Repeatable.", "KEY=VALUE"),
    ] = Field((), alias="rule")

    @cached_property
    def options(self) -> Options:
        """What the question adds to the fighters' names."""
        own = type(self).model_fields.keys() & Options.__dataclass_fields__.keys()
        values = {name: getattr(self, name) for name in own if name not in self.apart}
        if "score" in values:
            values["score"] = checked_score(values["score"])
        return Options(**values | self._policies())

    def _policies(self) -> dict[str, Any]:
        return {}

    @cached_property
    def roster(self) -> Roster:
        """Where names are looked up; said is which fighters replaced others."""
        return roster_of(self.fighters)


class Able(Edited):
    """Of fighters with abilities."""

    abilities: Annotated[
        bool, Option("Leave out the abilities on the cards (W-7).", flag="--no-abilities")
    ] = True


class Wishing(Able):
    """What both sides of combats want, and how they decide."""

    open_play: ClassVar[bool] = False  # whether a side without a policy plays its best
    apart: ClassVar[tuple[str, ...]] = ("policies",)

    policies: Annotated[
        Words,
        Option(
            "How a side decides: sensible, bold, cautious, always, never, optimal (exact odds "
            "only); see `estoc policy`.",
            "[A=|B=]NAME[:key=value,…]",
        ),
    ] = Field((), alias="policy")
    chosen_by: Annotated[
        Side,
        Option(
            "Side that chose the combat: of equal PA the other places first (C-3.3); level in "
            "Initiative, the other decides first about a 6 (W-1.5)."
        ),
    ] = "A"
    turns: Annotated[int, Option("Fight at most so many turns.")] = 1
    score: Annotated[
        str,
        Option(
            "What A wants and B does not: kills, points, wounds, survival-a, survival-b.",
            "NAME|A.STATE=X,…",
        ),
    ] = "kills"

    def _policies(self) -> dict[str, Any]:
        # said first, so that what a person says of a side replaces it
        return {"policies": parse_policies((OPEN,) * self.open_play + self.policies)}


class Fight(Wishing):
    """What all questions about combats are told."""

    wounds: Annotated[
        Words,
        Option("State at the start, as A=light,stunned. Repeatable.", "NAME=STATE"),
    ] = ()
    all_defence: Annotated[
        Words,
        Option(
            "All dice in defence in the first turn: failed disengagement (C-3.6). Repeatable.",
            "NAME",
        ),
    ] = ()


class Charged(Fight):
    """Of fighters of whom some may have charged."""

    charge: Annotated[
        Words, Option("Who charged: A, B or a fighter's name (M-5). Repeatable.", "NAME")
    ] = ()


def if_sampled(trials: int) -> str:
    """Return how many trials are usual where odds are exact otherwise, as a help tells it."""
    return say(" with --method mc or both: {:,}", trials)


def roster_of(files: tuple[str, ...]) -> Roster:
    """Return the roster of the shipped fighters and of files; say who replaced others."""

    def loaded() -> Roster:
        roster = Roster.load(files)
        for remark in roster.remarks:
            tell(remark)
        return roster

    return made_once(("roster", files), loaded)


def request_of(model: type[Request], words: Mapping[str, Any], where: str) -> Request:
    """Return the request that the words of a command line make."""
    return validated(model, model.arranged(dict(words)), where)
