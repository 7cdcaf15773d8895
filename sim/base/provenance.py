"""What an answer rests on, and what questions tell of it."""

from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Protocol

from ...profiles.edition.edition import Edition
from .options import Options, estoc_version
from .run import Method


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
