"""The folder of a run: what it is a run of, what it has kept, whether it is finished."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from estoc.profiles import InputError
from estoc.profiles.reading import Inputs
from estoc.sim.batch import Batch
from estoc.sim.params import quoted
from estoc.sim.parts import UNFINISHED, write_durably
from estoc.sim.run_results import Answered, read_results
from estoc.sim.versions import versions

FORMAT = "estoc run 1"
MANIFEST, LOCK, LOG, INPUTS, PARTS, RESULTS = (
    *("run.json", "lock", "log.txt"),
    *("inputs", "parts", "results"),
)
_OWN = {MANIFEST, LOCK, LOG, INPUTS, PARTS, RESULTS}


class RunFolder:
    """A folder that holds a run, or is going to.

    Parameters
    ----------
    path : Path
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def begun(self) -> bool:
        """Whether it says of what it is the run."""
        return (self.path / MANIFEST).exists()

    @property
    def manifest(self) -> dict[str, Any]:
        """What it says of itself.

        Raises
        ------
        InputError
            If it says nothing, or not what a run says.
        """
        try:
            told = json.loads((self.path / MANIFEST).read_bytes())
        except OSError as error:
            raise InputError(
                f'"{self.path}" is no run folder: {MANIFEST}: {error.strerror}'
            ) from None
        except ValueError as error:
            raise InputError(f'"{self.path / MANIFEST}" is damaged: {error}') from None
        if not isinstance(told, dict) or told.get("format") != FORMAT:
            raise InputError(f'"{self.path / MANIFEST}" is not of a run that this estoc knows')
        return told

    @property
    def identity(self) -> str:
        """Digest of all that the answers hang on."""
        told = self.manifest
        own = {key: told[key] for key in ("seed", "chunk", "versions", "inputs", "folders")}
        return sha256(json.dumps(own, sort_keys=True).encode()).hexdigest()

    @property
    def finished(self) -> bool:
        """Whether its results are written, and still are what was written."""
        written = self.manifest["results"]
        return bool(written) and written == self._digests()

    @property
    def failed(self) -> list[str]:
        """Why which cells have no answer, once it is finished."""
        return list(self.manifest["failed"])

    def make(self) -> None:
        """Make the folder, if it is not there.

        Raises
        ------
        InputError
            If it cannot be, or holds something that is not a run's.
        """
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            found = sorted(entry.name for entry in self.path.iterdir())
        except OSError as error:
            raise InputError(f'"{self.path}" cannot be made: {error.strerror}') from None
        strange = [name for name in found if name.removesuffix(UNFINISHED) not in _OWN]
        if strange and not self.begun:
            raise InputError(
                f'"{self.path}" holds other things, as "{strange[0]}": name a folder that is new '
                "or empty"
            )

    def prepare(self, resume: bool) -> None:
        """See that a run can begin or go on here; clear away what was cut off in writing.

        Its lock is held.

        Raises
        ------
        InputError
            If it holds a run and none is to go on.
        """
        if self.begun and not resume:
            raise InputError(
                f'"{self.path}" holds a run: go on with it by --resume, or name another folder'
            )
        for path in self.path.rglob(f"*{UNFINISHED}"):
            path.unlink()

    def begin(self, batch: Batch, inputs: Inputs, remarks: Sequence[str]) -> None:
        """Keep what is read, then say of what this is the run.

        Raises
        ------
        OSError
            If it cannot be written; the folder holds no run then.
        """
        for name in (INPUTS, PARTS):
            (self.path / name).mkdir(exist_ok=True)
        for left in (self.path / INPUTS).iterdir():
            left.unlink()  # of a run that was cut off before it was one
        kept = {}
        for number, (path, data) in enumerate(inputs.files.items()):
            name = f"{number:03}-{Path(path).name}"
            write_durably(self.path / INPUTS / name, data)
            kept[path] = {"sha256": sha256(data).hexdigest(), "kept": name}
        self._write(
            {
                "format": FORMAT,
                "title": batch.title,
                "batch": batch.path.name,
                "base": inputs.base,
                "seed": batch.seed,
                "chunk": batch.patience,
                "cells": len(batch.cells),
                "versions": versions(),
                "inputs": kept,
                "folders": inputs.folders,
                "remarks": list(remarks),
                "results": {},
                "failed": [],
            }
        )
        self.note("begun")

    def finish(self, failed: Sequence[str]) -> None:
        """Say that the results are written, and which cells have none."""
        self._write({**self.manifest, "results": self._digests(), "failed": list(failed)})
        self.note("finished")

    def _digests(self) -> dict[str, str]:
        """Return the SHA-256 of each file of the results."""
        folder = self.path / RESULTS
        paths = sorted(folder.iterdir()) if folder.is_dir() else []
        return {path.name: sha256(path.read_bytes()).hexdigest() for path in paths}

    def kept_inputs(self) -> Inputs:
        """Return what the run reads, as it was when it began.

        Raises
        ------
        InputError
            If a kept file is not what was kept.
        """
        told = self.manifest
        files = {}
        for path, about in told["inputs"].items():
            place = self.path / INPUTS / about["kept"]
            data = place.read_bytes() if place.exists() else b""
            if sha256(data).hexdigest() != about["sha256"]:
                raise InputError(f'"{place}" is not what the run has kept: it cannot go on')
            files[path] = data
        return Inputs(told["base"], files, told["folders"], frozen=True)

    def check_unchanged(self, inputs: Inputs | None = None) -> None:
        """Refuse to go on with another program, or with inputs that have changed; name them.

        Raises
        ------
        InputError
        """
        told = self.manifest
        now = versions()
        for name, was in told["versions"].items():
            if now.get(name) != was:
                raise InputError(
                    f'"{self.path}": {_library(name)} is {now.get(name)} here and was {was} when '
                    "the run began; go on with that, or begin another run"
                )
        if inputs is None:
            return
        before = self.kept_inputs().digests
        after = inputs.digests
        changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
        if changed:
            names = ", ".join(f'"{path}"' for path in changed[:3])
            more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            raise InputError(
                f'"{self.path}": changed since the run began: {names}{more}; put it back, begin '
                f"another run, or go on with what the run has kept: estoc run {self.path} --resume"
            )

    def note(self, event: str) -> None:
        """Add a line to the log: for people, nothing hangs on it."""
        line = f"{datetime.now().astimezone().isoformat(timespec='seconds')} {event}\n"
        with (self.path / LOG).open("a", encoding="utf-8") as file:
            file.write(line)

    def _write(self, told: dict[str, Any]) -> None:
        text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
        write_durably(self.path / MANIFEST, f"{text}\n".encode())


@dataclass(frozen=True)
class Run:
    """A finished run.

    Parameters
    ----------
    folder : Path
    title : str
    command : str
        That gives the run again, from the folder that its batch file was in.
    seed : int
        Where a cell has none of its own.
    versions : dict of str
        Of estoc, of Python and of the libraries.
    inputs : dict of str
        SHA-256 of each file that was read, by its path.
    batch : str
        Text of the batch file.
    warnings : tuple of str
        What was noticed when the batch was read.
    errors : tuple of str
        Why which cells failed.
    answered : tuple of Answered
        What came of each cell, in order.
    """

    folder: Path
    title: str
    command: str
    seed: int
    versions: dict[str, str]
    inputs: dict[str, str]
    batch: str
    warnings: tuple[str, ...]
    errors: tuple[str, ...]
    answered: tuple[Answered, ...]


def load_run(folder: str | Path) -> Run:
    """Return what a finished run found.

    Parameters
    ----------
    folder : str or Path

    Raises
    ------
    InputError
        If the folder holds no run, one that is not finished, or one that is damaged.
    """
    there = RunFolder(Path(folder))
    told = there.manifest
    if not there.finished:
        raise InputError(f'"{folder}" is not finished: estoc run {folder} --resume goes on with it')
    kept = there.kept_inputs()
    text = kept.files[str(Path(told["base"], told["batch"]))].decode("utf-8-sig")
    words = ["estoc", "run", told["batch"], "-o", there.path.name]
    return Run(
        there.path,
        told["title"],
        " ".join(map(quoted, words)),
        told["seed"],
        told["versions"],
        {path: about["sha256"] for path, about in told["inputs"].items()},
        text,
        tuple(told["remarks"]),
        tuple(told["failed"]),
        read_results(there.path / RESULTS),
    )


def _library(name: str) -> str:
    return "the program of estoc" if name == "program" else name
