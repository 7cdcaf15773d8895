"""How an answer is computed, and what it rests on: two values that are handed on whole."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from inspect import Parameter, signature
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict

from ...profiles.files.toml import validated
from .options import estoc_version

Progress = Callable[[int], None]
Answering = Callable[..., Any]


@dataclass(frozen=True)
class Option:
    """What the command line says of a field of a request.

    Parameters
    ----------
    help : str
        With ``{played}`` and ``{usual}`` where a command fills in what is sampled, how often.
    metavar : str, optional
    flag : str, optional
        ``--`` and the field's key if not given; an argument without a flag if empty.
    kind : type or callable, optional
        What makes a value of a word, where the field's type does not say it.
    default : str, optional
        The default as the help tells it, where it is not the field's.
    least, most : int, optional
    everywhere : bool
        Whether batches have it as a key.
    """

    help: str = ""
    metavar: str | None = None
    flag: str | None = None
    kind: Any = None
    default: str | None = None
    least: int | None = None
    most: int | None = None
    everywhere: bool = True


class Sampled(BaseModel):
    """How what can be sampled is."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,  # a word is no number, a truth no count
        allow_inf_nan=False,
        populate_by_name=True,
        alias_generator=lambda name: name.replace("_", "-"),
    )

    trials: Annotated[int | None, Option("Sample: {played} to play. [default{usual}]")] = None
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
        int | None,
        Option("Sample: seed of the dice; if not given, a fresh one is taken and printed."),
    ] = None


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

    device: Annotated[
        Literal["auto", "cpu", "gpu"] | None,
        Option(
            "Sample: where; no count depends on it. [default: auto, a device for many trials]",
            everywhere=False,
        ),
    ] = None
    threads: Annotated[
        int | None, Option("All cores if not given.", least=1, most=1024, everywhere=False)
    ] = None
    progress: Progress | None = None
    partial: bool = False
    usual_seed: int | None = None

    def but(self, **changed: Any) -> "Run":
        """Return this run with some fields changed."""
        return self.model_copy(update=changed)


USUAL = Run()


def runs(answer: Answering) -> Answering:
    """Let the fields of a `Run` be given as keywords: ``trials=9`` for ``run=Run(trials=9)``."""
    shown = signature(answer)
    own = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field.annotation)
        for name, field in Run.model_fields.items()
        if name not in shown.parameters
    ]

    @wraps(answer)
    def answered(*args: Any, run: Run = USUAL, **words: Any) -> Any:
        given = {p.name: words.pop(p.name) for p in own if p.name in words}
        if given:
            run = validated(Run, {**run.model_dump(exclude_unset=True), **given}, answer.__name__)
        return answer(*args, run=run, **words)

    answered.__signature__ = shown.replace(  # type: ignore[attr-defined]
        parameters=[*shown.parameters.values(), *own]
    )
    return answered


@dataclass(frozen=True)
class Provenance:
    """What an answer rests on, and the command that gives it again.

    Parameters
    ----------
    policy, edition : str
    inputs : str
        Digest of fighters, rules and policies, to tell whether they have changed.
    assumed : tuple of str
        Keys of the edition that the answer depends on and that nobody found.
    readings : tuple of str
        Clauses that the answer depends on and that can be read otherwise.
    remarks : tuple of str
        What a reader should know of what was asked.
    command : str
    """

    policy: str = ""
    edition: str = ""
    inputs: str = ""
    assumed: tuple[str, ...] = ()
    readings: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    command: str = ""

    def cells(self, **run: Any) -> dict[str, Any]:
        """Return the cells of a row, with those of its run: method, sampler, remainder, seed."""
        seed: dict[str, Any] = {n: run.pop(n) for n in ("seed", "fresh_seed") if n in run}
        return {
            **run,
            "policy": self.policy,
            "edition": self.edition,
            **seed,
            "inputs": self.inputs,
            "assumed": " ".join(self.assumed),
            "readings": " ".join(self.readings),
            "remarks": "; ".join(self.remarks),
            "version": estoc_version(),
            "command": self.command,
        }

    def of(self, command: str) -> "Provenance":
        """Return it with another command."""
        return replace(self, command=command)
