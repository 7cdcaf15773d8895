"""What all jobs of a batch have in common: keys, how much work they are, their answer."""

from collections.abc import Iterator, Sequence
from math import prod
from typing import Annotated, Any, ClassVar, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ..base.options import DEFAULT_EDITION, MAX_SEED, MAX_TRIALS
from ..base.result import Result
from ..base.run import Run


def listed(value: Any) -> Any:
    """Return a list as it is, a single value as a list of it."""
    return value if isinstance(value, list | tuple) else [value]


# what a file writes is a list; of its items each has to be of its kind
Words = Annotated[tuple[str, ...], Field(strict=False), BeforeValidator(listed)]
Names = Annotated[tuple[str, ...], Field(strict=False, min_length=1), BeforeValidator(listed)]
Trials = Annotated[int, Field(ge=1, le=MAX_TRIALS)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
MethodName = Literal["exact", "mc", "both"]
SamplerName = Literal["literal", "chain"]


class Load(NamedTuple):
    """About how much work a cell is.

    Parameters
    ----------
    trials : int
        At most; 0 if it is exact.
    seconds : float
        Of one core.
    rows : int
    """

    trials: int
    seconds: float
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


class Job(BaseModel):
    """A command with its arguments and options, as a table of a batch says them.

    Keys are the options' words; what a command line says without an option has a key as well.
    """

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,  # a word is no number, a truth no count
        allow_inf_nan=False,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    splits: ClassVar[bool] = False  # whether workers can share its trials

    @property
    def asked(self) -> dict[str, Any]:
        """What the command line calls its arguments and options, with their values."""
        return self.model_dump()

    def check(self, run: Run) -> Load:
        """Read all that the answer hangs on; how much work it is, computed so.

        Raises
        ------
        InputError
            For what cannot be asked so.
        """
        raise NotImplementedError

    def answer(self, run: Run) -> Result:
        """Return the answer, computed so."""
        raise NotImplementedError

    def shares(self) -> Iterator["Job"]:
        """Yield jobs whose answers are this one's, one after the other."""
        yield self

    def joined(self, results: Sequence[Result], run: Run) -> Result:
        """Return the answer, of those of the shares."""
        (result,) = results
        return result


class Edited(Job):
    """What hangs on an edition of the rules and on fighters."""

    fighters: Words = ()
    edition_name: str = Field(DEFAULT_EDITION, alias="edition")
    rules: Words = Field((), alias="rule")


class Fight(Edited):
    """What all questions about combats are told."""

    abilities: bool = True
    sets: Words = Field((), alias="set")
    policies: Words = Field((), alias="policy")
    wounds: Words = ()
    all_defence: Words = ()
    chosen_by: Literal["A", "B"] = "A"
    turns: int = 1
    score: str = "kills"
    charge: Words = ()


class Sampled(Job):
    """How what can be sampled is."""

    trials: Trials | None = None
    seed: Seed | None = None
    precision: float | None = None

    splits: ClassVar[bool] = True

    def asked_run(self, run: Run) -> Run:
        """Return a run with what this job says of it."""
        told = (name for name in Run.model_fields if name in type(self).model_fields)
        return run.but(**{name: getattr(self, name) for name in told})


class Odds(Sampled):
    """How what can be exact or sampled is."""

    method: MethodName | None = None


class Drawn(Odds):
    """How what can be exact, or sampled in two ways, is."""

    sampler: SamplerName | None = None
