"""The parts of a run on disk: each is a finished chunk, whole or not there.

A part is a Parquet file of answers by their task's key. It is written under a temporary name,
flushed and renamed; its own name holds its digest, so that one that was cut or changed is known
by it, put aside and done again.
"""

import re
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from ...profiles.message import say
from .own_files import UNFINISHED, clear_unfinished, own_bytes, put_aside, write_durably
from .parcel import packed, unpacked

MARK = "estoc part 1"  # of the format
SUFFIX, DAMAGED = ".parquet", ".damaged"
_DIGITS = 16  # of the digest, in a name
_NAME = re.compile(rf"(\d{{6,}})\.([0-9a-f]{{{_DIGITS}}})\{SUFFIX}")


class Parts:
    """Answers of tasks in a folder, found by key; for one process at a time.

    Parameters
    ----------
    folder : Path
        It is there.
    run : str
        Digest of all that the answers hang on: parts of other runs are not taken.

    Attributes
    ----------
    chunks : int
        Parts that were there already.
    faults : list of str
        What was wrong in the folder.
    """

    def __init__(self, folder: Path, run: str) -> None:
        self.folder, self.run = folder, run
        self.faults: list[str] = []
        self.chunks = 0  # that were there
        self._places: dict[str, tuple[Path, int]] = {}
        self._open: tuple[Path | None, list[str]] = (None, [])
        self._lock = Lock()
        self._next = 0
        for path in sorted(folder.iterdir()):
            if path.suffix == SUFFIX:
                self._take(path)

    def __contains__(self, key: str) -> bool:
        return key in self._places

    def __len__(self) -> int:
        return len(self._places)

    @property
    def questions(self) -> set[str]:
        """What the answers that are kept are about: the first words of their keys."""
        return {key.partition("/")[0] for key in self._places}

    def __getitem__(self, key: str) -> Any:
        """Return the answer of a task."""
        path, row = self._places[key]
        if self._open[0] != path:  # answers are asked for in about the order of their parts
            self._open = path, _read(own_bytes(path), self.run)[1]
        return unpacked(self._open[1][row])

    def add(self, answers: Iterable[tuple[str, Any]]) -> None:
        """Keep the answers of a chunk, as one part."""
        keys, texts = [], []
        for key, answer in answers:
            keys.append(key)
            texts.append(packed(answer))
        if not keys:
            return
        data = _written(keys, texts, self.run)
        with self._lock:
            name = f"{self._next:06}.{_digest(data)}{SUFFIX}"
            path = self.folder / name
            write_durably(path, data)
            self._next += 1
            self._places |= {key: (path, row) for row, key in enumerate(keys)}

    def _take(self, path: Path) -> None:
        """Note what a part holds, or put it aside; what has another name is not ours."""
        name = _NAME.fullmatch(path.name)
        if name is None:
            self.faults.append(say("{} is no part of this run: left where it is", path.name))
            return
        self._next = max(self._next, int(name[1]) + 1)
        try:
            data = own_bytes(path)
            if name[2] != _digest(data):
                raise ValueError(say("{:,} bytes that are not those that were written", len(data)))
            keys, _ = _read(data, self.run)
        except (ValueError, OSError) as error:
            put_aside(path, DAMAGED)
            self.faults.append(
                say("{} is damaged ({}): put aside, its chunk done again", path.name, error)
            )
            return
        self.chunks += 1
        self._places |= {key: (path, row) for row, key in enumerate(keys)}


def clear_parts(folder: Path) -> None:
    """Take away the parts that were cut off while they were written."""
    for path in folder.glob(f"*{SUFFIX}{UNFINISHED}"):
        if _NAME.fullmatch(path.name.removesuffix(UNFINISHED)):
            clear_unfinished(path.with_suffix(""))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:_DIGITS]


def _written(keys: list[str], texts: list[str], run: str) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {"task": pa.array(keys, pa.string()), "answer": pa.array(texts, pa.large_string())}
    table = pa.table(columns).replace_schema_metadata({"format": MARK, "run": run})
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink, compression="zstd")
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _read(data: bytes, run: str) -> tuple[list[str], list[str]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data), use_threads=False)
    about = table.schema.metadata or {}
    if (about.get(b"format"), about.get(b"run")) != (MARK.encode(), run.encode()):
        raise ValueError(say("of another run"))
    return table.column("task").to_pylist(), table.column("answer").to_pylist()
