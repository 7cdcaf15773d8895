"""How an answer is computed, and what it rests on: two values that are handed on whole."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import wraps
from hashlib import sha256
from inspect import Parameter, signature
from typing import Annotated, Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.files.toml import fault_of
from .device import AUTO
from .options import MAX_SEED, MAX_TRIALS, Options, estoc_version
from .sequence import Stopping

EXACT, SAMPLED, BOTH = METHODS = ("exact", "mc", "both")
LITERAL, CHAIN = SAMPLERS = ("literal", "chain")

Trials = Annotated[int, Field(ge=1, le=MAX_TRIALS)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
CHECKED = ConfigDict(
    extra="forbid",
    frozen=True,
    strict=True,  # a word is no number, a truth no count
    allow_inf_nan=False,
    populate_by_name=True,
    alias_generator=lambda name: name.replace("_", "-"),
)
Progress = Callable[[int], None]
R = TypeVar("R")


@dataclass(frozen=True)
class Option:
    """What the command line says of a field of a request."""

    help: str = ""  # empty where a command fills in what is sampled, and how often
    metavar: str | None = None
    # ``--`` and the field's key if not given; an argument without a flag if empty
    flag: str | None = None
    width: int = 1  # words of one value
    once: bool = False  # whether a command line has at most one value for a field of several
    least: int | None = None
    most: int | None = None
    everywhere: bool = True  # whether batches have it as a key


Threads = Annotated[
    int | None, Option("All cores if not given.", least=1, most=1024, everywhere=False)
]


class Sampled(BaseModel):
    """How what can be sampled is."""

    model_config = CHECKED

    trials: Annotated[Trials | None, Option()] = None
    precision: Annotated[
        float | None,
        Option(
            "Sample until no interval reaches further than P to each side, as 0.005, of those of "
            "who wins and dies, a hit, a success, which card acts when; of a battle, who wins. "
            "Trials are then the most. [default of trials: 3/P²]",
            metavar="P",
        ),
    ] = None
    seed: Annotated[
        Seed | None,
        Option("Sample: seed of the dice; if not given, a fresh one is taken and printed."),
    ] = None
    threads: Threads = None


class Odds(Sampled):
    """How what can be exact or sampled is."""

    method: Annotated[
        Literal["exact", "mc", "both"] | None,
        Option(
            "Exact odds, sampled ones, or both compared; exact where it can be, unless trials, a "
            "seed or a precision are given."
        ),
    ] = None


class Drawn(Odds):
    """How what can be exact, or sampled in two ways, is."""

    sampler: Annotated[
        Literal["literal", "chain"] | None,
        Option(
            "Sample: roll every die, so that any trial can be replayed, or draw from a chain that "
            "the exact engine has made, which is faster. [default: literal; of a melee, a chain]"
        ),
    ] = None
    device: Annotated[
        Literal["auto", "cpu", "gpu"] | None,
        Option(
            "Sample: where; no count depends on it. [default: auto, a device for many trials]",
            everywhere=False,
        ),
    ] = None


class Run(Drawn):
    """How an answer is computed.

    Parameters
    ----------
    method : {"exact", "mc", "both"}, optional
        If not given: ``mc`` where trials, a seed, a precision or a sampler are given, else
        ``exact`` where it can be.
    trials : int, optional
        To play; where sampling is asked for, what the question takes as usual.
    seed : int, optional
        0 to 2**64 - 1; `usual_seed` or a fresh one if not given, told in the result.
    precision : float, optional
        Half the width of intervals at which sampling ends; trials are then the most
        (`estoc.sim.base.sequence`).
    sampler : {"literal", "chain"}, optional
        Whether every die is rolled, so that `estoc replay` shows any trial, or a chain of draws
        is sampled that the exact engine has made; if given, it is sampled.
    device : {"auto", "cpu", "gpu"}, optional
        Where it is sampled; the counts do not depend on it.
    threads : int, optional
        All cores if not given; the counts do not depend on it.
    chunk : int, optional
        Trials played in one go; the counts do not depend on it.
    progress : callable, optional
        Called with the number of trials just done.
    partial : bool
        Whether Ctrl-C gives the answer of the trials done so far; ``stopped`` says so.
    usual_seed : int, optional
        Of what is sampled without a seed of its own.

    Raises
    ------
    InputError
        For a word that is none of these, or a value of the wrong kind.
    """

    chunk: int | None = None
    progress: Progress | None = None
    partial: bool = False
    usual_seed: int | None = None

    def __init__(self, **words: Any) -> None:
        try:
            super().__init__(**words)
        except ValidationError as error:
            raise InputError(fault_of(Run, error)) from None

    @property
    def asks_to_sample(self) -> bool:
        """Whether trials, a seed, a precision or a sampler is given."""
        return (self.trials, self.seed, self.precision, self.sampler) != (None,) * 4

    def but(self, **changed: Any) -> "Run":
        """Return this run with some fields changed."""
        return self.model_copy(update=changed)

    def advance(self, trials: int) -> None:
        """Tell `progress` of trials that were just done."""
        if self.progress is not None:
            self.progress(trials)


def until_stopped(partial: bool) -> AbstractContextManager[None]:
    """Return a block that Ctrl-C ends where a part of an answer is wanted, else its caller too."""
    return suppress(KeyboardInterrupt) if partial else nullcontext()


USUAL_RUN = Run()


@dataclass(frozen=True)
class Method:
    """How a question is answered, as it and a run settle it."""

    name: str  # "exact", "mc" or "both"
    # None of the exact one. With a precision, the most trials.
    trials: int | None = None
    seed: int | None = None
    note: str = ""  # why it is not the one that would be taken otherwise
    precision: float | None = None  # at which sampling ends (`estoc.sim.base.sequence.Stopping`)
    # "literal" or "chain": how combats are sampled (`estoc.sim.combat.sampling.count_trials`)
    sampler: str | None = None
    device: str = AUTO  # "auto", "cpu" or "gpu", where they are; no count depends on it

    @property
    def stopping(self) -> Stopping:
        """When sampling ends."""
        return Stopping(self.trials or 0, self.precision)

    @property
    def arguments(self) -> list[str]:
        """The method as arguments of the command line, defaults left out."""
        words = ["--method", BOTH] * (self.name == BOTH)
        words += [] if self.precision is None else ["--precision", str(self.precision)]
        if self.trials is not None:
            words += ["--trials", str(self.trials), "--seed", str(self.seed)]
        return words + ["--sampler", CHAIN] * (self.sampler == CHAIN)

    @property
    def exact(self) -> bool:
        """Whether there are exact odds."""
        return self.name != SAMPLED

    @property
    def sampled(self) -> bool:
        """Whether there are sampled odds."""
        return self.name != EXACT

    def sampling(self, done: int) -> "Method":
        """Return the method of the sampled part alone, of which so many trials are done."""
        return replace(self, name=SAMPLED, trials=done if self.precision is None else self.trials)


def accepting(*names: str) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let fields of a `Run` be given as keywords: ``trials=9`` for ``run=Run(trials=9)``."""
    fields = {name: Run.model_fields[name] for name in names}
    own = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=f.default, annotation=f.annotation)
        for name, f in fields.items()
    ]

    def accept(answer: Callable[..., R]) -> Callable[..., R]:
        """Let fields of a run be given to an answer as keywords."""
        shown = signature(answer)

        @wraps(answer)
        def answered(*args: Any, **words: Any) -> R:
            given = {name: words.pop(name) for name in names if name in words}
            bound = shown.bind_partial(*args, **words)
            run = bound.arguments.get("run", USUAL_RUN)
            if given:
                told = {**run.model_dump(exclude_unset=True), **given}
                run = Run(**told)
            bound.arguments["run"] = run
            return answer(*bound.args, **bound.kwargs)

        answered.__signature__ = shown.replace(  # type: ignore[attr-defined]
            parameters=[*shown.parameters.values(), *own]
        )
        return answered

    return accept


def asks(ask: Callable[..., Any]) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Let a function answer what another one asks: it takes the parameters of that one."""
    asked = signature(ask)

    def decorate(answer: Callable[..., R]) -> Callable[..., R]:
        """Have an answer ask its question itself."""
        own = list(signature(answer).parameters.values())[1:]

        @wraps(answer)
        def answered(*args: Any, **words: Any) -> R:
            more = {p.name: words.pop(p.name) for p in own if p.name in words}
            return answer(ask(*args, **words), **more)

        answered.__signature__ = signature(answer).replace(  # type: ignore[attr-defined]
            parameters=[*asked.parameters.values(), *own]
        )
        return answered

    return decorate


_PLAYED = ("threads", "chunk", "progress", "partial")
runs_watched = accepting(*_PLAYED)  # of what is exact, or has its own trials and seed
runs_sampled = accepting(*Sampled.model_fields, *_PLAYED)
runs_fixed = accepting("method", "trials", "seed", *_PLAYED)  # without a precision
runs_odds = accepting(*Odds.model_fields, *_PLAYED)
runs = accepting(*Drawn.model_fields, "device", *_PLAYED)


@dataclass(frozen=True)
class Provenance:
    """What an answer rests on, and the command that gives it again.

    What is None has no column; `answer` says what each column means.
    """

    policy: str | None = None
    edition: str | None = None
    inputs: str | None = None
    assumed: tuple[str, ...] | None = None
    readings: tuple[str, ...] | None = None
    remarks: tuple[str, ...] | None = None
    command: str = ""

    def cells(self, **run: Any) -> dict[str, Any]:
        """Return the cells of a row, with those of its run: method, sampler, remainder, seed."""
        seeds: dict[str, Any] = {
            name: run.pop(name) for name in ("seed", "fresh_seed") if name in run
        }
        texts = {
            "policy": self.policy,
            "edition": self.edition,
            "inputs": self.inputs,
            "assumed": _joined(" ", self.assumed),
            "readings": _joined(" ", self.readings),
            "remarks": _joined("; ", self.remarks),
        }
        told = {name: text for name, text in texts.items() if text is not None}
        first: dict[str, Any] = {
            name: told.pop(name) for name in ("policy", "edition") if name in told
        }
        own = {"version": estoc_version(), "command": self.command}
        return {**run, **first, **seeds, **told, **own}

    def of(self, command: str) -> "Provenance":
        """Return it with another command."""
        return replace(self, command=command)


def digest(*parts: bytes) -> str:
    """Return a digest of what an answer depends on."""
    return sha256(b"".join(parts)).hexdigest()[:12]


def dice_of(data: bytes) -> int:
    """Return the number of what is asked about, 32 bits: questions of one number share dice."""
    return int.from_bytes(sha256(data).digest()[:4])


def _joined(by: str, words: tuple[str, ...] | None) -> str | None:
    return None if words is None else by.join(words)


class Traceable(Protocol):
    """A question that tells what its answer rests on."""

    @property
    def policy(self) -> str:
        """How both sides decide."""

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""

    @property
    def inputs(self) -> str:
        """Digest of all that the answer depends on."""

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""

    def command_line(self, how: Method) -> str:
        """Return the command that gives the same answer again."""

    def provenance(self, how: Method) -> Provenance:
        """Return what the answer by a method rests on."""
        return Provenance(
            self.policy,
            self.edition.name,
            self.inputs,
            self.assumed,
            self.readings,
            self.remarks(),
            self.command_line(how),
        )


class WithOptions(Traceable, Protocol):
    """A question with options of its own."""

    options: Options

    @property
    def policy(self) -> str:
        """How both sides decide."""
        return self.options.policy

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""
        return self.options.edition
