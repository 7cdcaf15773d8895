"""What a run's folder says of itself: one model that is checked whenever it is read.

The text carries a digest of all that it says, so that an edit is known from what Estoc wrote.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import (
    AfterValidator,
    Field,
    PlainSerializer,
    PlainValidator,
    StringConstraints,
    model_validator,
)

from ...profiles.errors import InputError
from ...profiles.files.toml import Table, validated
from ...profiles.message import say
from ..base.options import MAX_SEED
from .own_files import own_bytes
from .parcel import kept_text, read_text

FORMAT: Final = "estoc run 2"
BEFORE: Final = "estoc run 1"  # had no digest of itself
_MOST = 1 << 26  # bytes of a text that is read
_REMEDY = say(
    "--resume cannot go on with it: put it back as it was, or begin another run elsewhere"
)


def is_plain(name: str) -> bool:
    """Whether a name is one of a file in a folder, on any system, and can be shown."""
    return name not in ("", ".", "..") and not set(name) & set("/\\") and name.isprintable()


def _plain(name: str) -> str:
    if not is_plain(name):
        raise ValueError(say("be the name of a file"))
    return name


Name = Annotated[str, AfterValidator(_plain)]
Text = Annotated[str, PlainValidator(read_text), PlainSerializer(kept_text)]
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


class Kept(Table):
    """A file that the run has read: what it held, and the name of its copy."""

    sha256: Digest
    kept: Name


class Manifest(Table):
    """What a run is of, by what it is made, and what came of it."""

    format: Literal["estoc run 2", "estoc run 1"]
    title: str
    batch: Name  # name of the batch file
    # the folder where that was, which relative paths start from
    base: Annotated[str, Field(min_length=1)]
    seed: Annotated[int, Field(ge=0, le=MAX_SEED)]  # where a cell has none of its own
    chunk: Annotated[float, Field(ge=0.01, le=86_400)]  # seconds that a chunk should take
    cells: Annotated[int, Field(ge=1)]
    versions: dict[str, str]  # of estoc, of Python and of the libraries
    inputs: dict[str, Kept]  # what is read, by its path
    # names of the CSV files of a folder, by its path; None of one that is not there
    folders: dict[str, list[Name] | None]
    # what was noticed when the batch was read
    remarks: Annotated[tuple[Text, ...], Field(strict=False)]
    # SHA-256 of each file of the results; none until the run is finished
    results: dict[Name, Digest]
    failed: Annotated[tuple[Text, ...], Field(strict=False)]  # why which cells have no answer

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        names = [kept.kept for kept in self.inputs.values()]
        if len(set(names)) < len(names):
            raise ValueError(say("keep each input under a name of its own"))
        if self.batch_path not in self.inputs:
            raise ValueError(say("have the batch among the inputs"))
        if "estoc" not in self.versions:
            raise ValueError(say("tell the version of estoc"))
        return self

    @property
    def batch_path(self) -> str:
        """The batch file, where it was."""
        return str(Path(self.base, self.batch))

    @property
    def identity(self) -> str:
        """Digest of all that the answers hang on."""
        told = self.model_dump(include={"seed", "chunk", "versions", "inputs", "folders"})
        return _digest(told)

    @property
    def text(self) -> bytes:
        """All of it, with its digest."""
        told = self.model_dump(mode="json")
        if self.format == FORMAT:
            told["digest"] = _digest(told)
        return f"{json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)}\n".encode()


def _digest(told: dict[str, Any]) -> str:
    return sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def read_manifest(path: Path) -> Manifest:
    """Return what a run's folder says of itself."""
    try:
        if path.lstat().st_size > _MOST:
            raise ValueError(say("it is longer than {:,} bytes", _MOST))
        told = json.loads(own_bytes(path))
        json.dumps(told, ensure_ascii=False).encode()  # half a character can be told, not written
    except OSError as error:
        raise InputError(
            '"{}" is no run folder: {}: {}', path.parent, path.name, error.strerror
        ) from None
    except (ValueError, RecursionError) as error:
        raise InputError('"{}" is damaged ({}); {}', path, error, _REMEDY) from None
    known = (FORMAT, BEFORE)
    if not isinstance(told, dict) or told.get("format") not in known:
        raise InputError('"{}" is not of a run that this estoc knows', path)
    digest = told.pop("digest", None) if told["format"] == FORMAT else None
    try:
        found = validated(Manifest, told, say('"{}" is damaged', path))
    except InputError as error:
        raise InputError("{}; {}", error, _REMEDY) from None
    if found.format == FORMAT and digest != _digest(told):
        raise InputError(
            '"{}" is not what Estoc wrote: it was edited or damaged; {}', path, _REMEDY
        )
    return found
