"""The folder of a run: what it is a run of, what it has kept, whether it is finished."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path

from ...profiles.errors import InputError
from ...profiles.files.reading import Inputs
from ...profiles.message import say
from ..base.libraries import versions
from ..base.options import quoted
from .batch import Batch
from .locking import holds_mark, is_lock
from .manifest import FORMAT, Kept, Manifest, read_manifest
from .own_files import (
    FILE,
    FOLDER,
    UNFINISHED,
    add_line,
    check_own,
    clear_unfinished,
    kind_of,
    own_bytes,
    write_durably,
)
from .parts import clear_parts
from .results import Answered, read_results, result_names

MANIFEST, LOCK, LOG, INPUTS, PARTS, RESULTS = (
    *("run.json", "lock", "log.txt"),
    *("inputs", "parts", "results"),
)
_KINDS = {
    **dict.fromkeys((MANIFEST, LOCK, LOG), FILE),
    **dict.fromkeys((INPUTS, PARTS, RESULTS), FOLDER),
}
_NAME = 40  # characters of a file's name that are seen in the name of its copy


class RunFolder:
    """A folder that holds a run, or is going to.

    What makes it a run's is its manifest, which is written before anything else but the lock; only
    files that a run has written are written again or taken away, and no link is followed.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def manifest(self) -> Manifest:
        """What it says of itself."""
        return read_manifest(self.path / MANIFEST)

    @property
    def _named(self) -> str:
        return quoted(str(self.path))

    @property
    def is_finished(self) -> bool:
        """Whether its results are written, and still are what was written."""
        written = self.manifest.results
        return bool(written) and written == self._digests(written)

    @property
    def failed(self) -> list[str]:
        """Why which cells have no answer, once it is finished."""
        return list(self.manifest.failed)

    @property
    def is_begun(self) -> bool:
        """Whether it holds a run; nothing of it is written."""
        try:
            found = {entry.name for entry in self.path.iterdir()}
        except FileNotFoundError:
            return False
        except OSError as error:
            raise InputError('"{}" cannot be a run\'s: {}', self.path, error.strerror) from None
        if MANIFEST not in found:
            self._check_cut_off(found)
            return False
        check_own(self.path, _KINDS, (LOCK, LOG))
        _ = self.manifest
        return True

    def _check_cut_off(self, found: set[str]) -> None:
        """Refuse a folder that holds more than the lock of a run that was killed as it began."""
        if LOCK in found and kind_of(self.path / LOCK) == FILE:
            text = own_bytes(self.path / LOCK).decode(errors="replace")
            found -= {LOCK} if is_lock(text) else set()
            found -= {f"{MANIFEST}{UNFINISHED}"} if holds_mark(text) else set()
        if found:
            raise InputError(
                '"{}" holds other things, as "{}": name a folder that is new or empty',
                self.path,
                min(found),
            )

    def make(self) -> None:
        """Make the folder, if it is not there."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError('"{}" cannot be made: {}', self.path, error.strerror) from None

    def begin(self, batch: Batch, inputs: Inputs, remarks: Sequence[str]) -> None:
        """Say of what this is the run, then keep what it reads."""
        kept = {
            path: Kept(sha256=sha256(data).hexdigest(), kept=_name_of(number, path))
            for number, (path, data) in enumerate(inputs.files.items())
        }
        self._write(
            Manifest(
                format=FORMAT,
                title=batch.title,
                batch=batch.path.name,
                base=inputs.base,
                seed=batch.seed,
                chunk=batch.patience,
                cells=len(batch.cells),
                versions=versions(),
                inputs=kept,
                folders=inputs.folders,
                remarks=tuple(remarks),
                results={},
                failed=(),
            )
        )
        self.note("begun")

    def prepare(self, batch: Batch, inputs: Inputs) -> None:
        """Keep what is read and not kept yet; clear away what was cut off in writing.

        Its lock is held, and all has been checked.
        """
        for name in (INPUTS, PARTS):
            (self.path / name).mkdir(exist_ok=True)
        clear_unfinished(self.path / MANIFEST)
        clear_parts(self.path / PARTS)
        for name in result_names(batch.names):
            clear_unfinished(self.path / RESULTS / name)
        for path, kept in self.manifest.inputs.items():
            place = self.path / INPUTS / kept.kept
            clear_unfinished(place)
            if not kind_of(place):  # it was cut off before it had kept all
                write_durably(place, inputs.files[path])

    def finish(self, failed: Sequence[str], written: Sequence[str]) -> None:
        """Say that the results are written, and which cells have none."""
        told = {"results": self._digests(written), "failed": tuple(failed), "format": FORMAT}
        self._write(self.manifest.model_copy(update=told))
        self.note("finished")

    def _digests(self, names: Sequence[str] | Mapping[str, str]) -> dict[str, str]:
        """Return the SHA-256 of each file of the results that is there."""
        found = {}
        for name in sorted(names):
            place = self.path / RESULTS / name
            if kind_of(place) == FILE:
                found[name] = sha256(own_bytes(place)).hexdigest()
        return found

    def check_finished(self) -> None:
        """Refuse a run whose results are not there, or not what was written."""
        written = self.manifest.results
        found = self._digests(written)
        changed = next((name for name in written if found.get(name) != written[name]), None)
        if changed:
            raise InputError(
                '"{}" is not what the run wrote: estoc run {} --resume writes it again',
                self.path / RESULTS / changed,
                self._named,
            )
        if not written:
            raise InputError(
                '"{}" is not finished: estoc run {} --resume goes on with it',
                self.path,
                self._named,
            )

    def kept_inputs(self, instead: Mapping[str, bytes] | None = None) -> Inputs:
        """Return what the run reads, as it was when it began."""
        told = self.manifest
        files = {}
        for path, kept in told.inputs.items():
            place = self.path / INPUTS / kept.kept
            found = kind_of(place)
            if found == FILE:
                data = own_bytes(place)
            else:
                data = (instead or {}).get(path, b"") if not found else b""
            if sha256(data).hexdigest() != kept.sha256:
                remedy = say(
                    "put it back; or take it away and go on with the batch, if that has not "
                    "changed: estoc run {} -o {} --resume",
                    quoted(told.batch),
                    self._named,
                )
                if not found:
                    raise InputError('"{}" is gone: {}', place, remedy)
                raise InputError('"{}" is not what the run has kept: {}', place, remedy)
            files[path] = data
        return Inputs(told.base, files, dict(told.folders), frozen=True)

    def check_unchanged(self, inputs: Inputs | None = None) -> None:
        """Refuse to go on with another program, or with inputs that have changed; name them."""
        told = self.manifest
        now = versions()
        for name, was in told.versions.items():
            if now.get(name) != was:
                raise InputError(
                    '"{}": {} is {} here and was {} when the run began; go on with that, or '
                    "begin another run",
                    self.path,
                    _library(name),
                    now.get(name),
                    was,
                )
        if inputs is None:
            return
        digests = {path: kept.sha256 for path, kept in told.inputs.items()}
        before = {**digests, **Inputs(told.base, {}, dict(told.folders)).digests}
        after = inputs.digests
        changed = [path for path in {**before, **after} if before.get(path) != after.get(path)]
        if changed:
            names = ", ".join(f'"{path}"' for path in changed[:3])
            if len(changed) > 3:
                names = say("{} and {} more", names, len(changed) - 3)
            raise InputError(
                '"{}": changed since the run began: {}; put it back, begin another run, or go on '
                "with what the run has kept: estoc run {} --resume",
                self.path,
                names,
                self._named,
            )
        self.kept_inputs(inputs.files)

    def note(self, event: str) -> None:
        """Add a line to the log: for people, in English, nothing hangs on it."""
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        add_line(self.path / LOG, " ".join((now, event)))

    def _write(self, told: Manifest) -> None:
        write_durably(self.path / MANIFEST, told.text)


def _name_of(number: int, path: str) -> str:
    """Return the name of a kept file's copy: short, of letters that every disk has."""
    return f"{number:03}-{re.sub(r'[^A-Za-z0-9._-]', '_', Path(path).name)[-_NAME:]}"


@dataclass(frozen=True)
class Run:
    """A finished run."""

    folder: Path
    title: str
    command: str  # that gives the run again, from the folder that its batch file was in
    seed: int  # where a cell has none of its own
    versions: dict[str, str]  # of estoc, of Python and of the libraries
    inputs: dict[str, str]  # SHA-256 of each file that was read, by its path
    batch: str  # text of the batch file
    warnings: tuple[str, ...]  # what was noticed when the batch was read
    errors: tuple[str, ...]  # why which cells failed
    answered: tuple[Answered, ...]  # what came of each cell, in order
    base: str = ""  # the folder where the batch file was
    folders: tuple[str, ...] = ()  # folders that were looked into


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
    check_own(there.path, _KINDS, ())
    there.check_finished()
    text = there.kept_inputs().files[told.batch_path].decode("utf-8-sig")
    words = ["estoc", "run", told.batch, "-o", there.path.name]
    return Run(
        there.path,
        told.title,
        " ".join(map(quoted, words)),
        told.seed,
        told.versions,
        {path: kept.sha256 for path, kept in told.inputs.items()},
        text,
        told.remarks,
        told.failed,
        read_results(there.path / RESULTS),
        told.base,
        tuple(told.folders),
    )


def _library(name: str) -> str:
    return say("the program of estoc") if name == "program" else name
