"""Compiled kernels on disk: whatever is wrong with a file or a folder, kernels run."""

import errno
import os
import pickle
import random
import shutil
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from estoc.kernels import _cache, _jit, telling
from estoc.kernels._cache import private_folder, sources_key, usual_folder

SOURCES = Path(_jit.__file__).parent
ROOMS = [".", *sorted(path.parent.name for path in SOURCES.glob("*/__init__.py"))]
pytestmark = pytest.mark.skipif("NUMBA_DISABLE_JIT" in os.environ, reason="nothing is compiled")


def thrice(values):
    total = 0
    for value in values:
        total += 3 * value
    return total


def total() -> int:
    """What a kernel answers that is new in this process."""
    return _jit.kernel(thrice)(np.arange(5))


@pytest.fixture
def told(monkeypatch):
    """Return what is told of folders that cannot be written in."""
    lines: list[tuple[str, ...]] = []
    monkeypatch.setattr(telling, "not_kept", lambda *line: lines.append(line))
    monkeypatch.setattr(telling, "_told", set())
    return lines


@pytest.fixture
def compiled(monkeypatch):
    """Return the names of the kernels that are compiled, one for each time."""
    names: list[str] = []
    monkeypatch.setattr(telling, "compiling", names.append)
    return names


@pytest.fixture
def folder(tmp_path, monkeypatch, told, compiled):
    """Return a folder of kernels that is not there yet, nor is the one among temporary files."""
    monkeypatch.setattr(_jit, "CACHE_DIR", tmp_path / "home" / "kernels-0")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "tmp"))
    (tmp_path / "tmp").mkdir()
    return tmp_path / "home" / "kernels-0"


@pytest.fixture
def file(folder, compiled):
    """Return the file of a kernel that was compiled."""
    assert total() == 30
    compiled.clear()
    (file,) = folder.iterdir()
    return file


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def signed(content: object) -> bytes:
    """What a file of this content would be, by its digest."""
    data = pickle.dumps(content)
    return sha256(data).digest() + data


DAMAGES = {
    "empty": lambda data: b"",
    "cut in its digest": lambda data: data[:20],
    "cut after its digest": lambda data: data[:32],
    "cut in the middle": lambda data: data[: len(data) // 2],
    "cut by a byte": lambda data: data[:-1],
    "longer": lambda data: data + b"\0",
    "a bit of its digest": lambda data: flipped(data, 9),
    "a bit of its code": lambda data: flipped(data, 4 * len(data)),
    "numba's own": lambda data: data[32:],
    "something else": lambda data: b"hello\n",
    "another content": lambda data: signed("hello"),
    "another pair": lambda data: signed(("hello", "world")),
    "another kernel": lambda data: signed(((), pickle.loads(data[32:])[1])),
}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """Return a copy of the sources of all kernels."""
    copy = tmp_path_factory.mktemp("sources") / "kernels"
    shutil.copytree(SOURCES, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def test_the_folder_is_that_of_all_sources(sources):
    assert _jit.CACHE_DIR.name == f"kernels-{sources_key(sources)}"
    assert len(ROOMS) > 10
    assert {path.parent for path in SOURCES.rglob("*.py")} == {SOURCES / room for room in ROOMS}


@pytest.mark.parametrize("room", ROOMS)
def test_a_change_in_any_room_gives_another_folder(sources, room):
    """Else a kernel of yesterday would run, and nobody would see it."""
    keys, files = [sources_key(sources)], sorted((sources / room).glob("*.py"))
    for path in files:
        text = path.read_bytes()
        path.write_bytes(flipped(text, 8 * len(text) - 1))
        keys.append(sources_key(sources))
        path.write_bytes(text)
    renamed = files[-1].rename(files[-1].with_name("renamed.py"))
    keys.append(sources_key(sources))
    renamed.rename(files[-1])
    new = sources / room / "new.py"
    new.touch()
    keys.append(sources_key(sources))
    new.unlink()
    assert sources_key(sources) == keys[0]
    assert len(files) > 1
    assert len(set(keys)) == len(keys) == len(files) + 3


def test_what_is_whole_is_loaded_and_stays(file, compiled, told):
    before = file.stat().st_mtime_ns, file.read_bytes()
    assert total() == 30
    assert (file.stat().st_mtime_ns, file.read_bytes()) == before
    assert (compiled, told) == ([], [])


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_made_again(file, damage, compiled, told):
    whole = file.read_bytes()
    file.write_bytes(DAMAGES[damage](whole))
    assert total() == 30
    assert (compiled, told) == (["thrice"], [])
    assert total() == 30
    assert compiled == ["thrice"]  # the second time it was whole
    assert [path.name for path in file.parent.iterdir()] == [file.name]


def test_no_bit_can_change_unseen(file):
    whole, moments = file.read_bytes(), random.Random(1)
    for bit in moments.sample(range(8 * len(whole)), 200):
        file.write_bytes(flipped(whole, bit))
        with pytest.raises(ValueError, match="damaged"):
            _cache._read_whole(file)


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo], ids=["folder", "pipe"])
def test_what_is_no_file_is_neither_read_nor_in_the_way(file, make, compiled, told):
    file.unlink()
    make(file)
    assert total() == 30
    assert compiled == ["thrice"]
    assert total() == 30
    assert compiled == ["thrice"]


def no_writing(monkeypatch, where: Path, number: int) -> None:
    """Let nothing be written in a folder, as a full disk would."""
    write_bytes = Path.write_bytes

    def write(path, data):
        if path.is_relative_to(where):
            write_bytes(path, data[: len(data) // 2])
            raise OSError(number, os.strerror(number), str(path))
        return write_bytes(path, data)

    monkeypatch.setattr(Path, "write_bytes", write)


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES])
def test_what_cannot_be_kept_is_kept_elsewhere_once(
    folder, tmp_path, monkeypatch, number, compiled, told
):
    no_writing(monkeypatch, folder, number)
    assert total() == 30
    there = private_folder() / folder.name
    assert there == tmp_path / "tmp" / f"estoc-{os.getuid()}" / "kernels-0"
    assert (there.parent.stat().st_mode & 0o777, len(list(there.iterdir()))) == (0o700, 1)
    assert told == [(str(folder), os.strerror(number), str(there), "")]
    assert list(folder.iterdir()) == []
    assert total() == 30
    assert (compiled, len(told)) == (["thrice"], 1)


def test_what_cannot_be_kept_anywhere_runs_and_is_told_once(
    folder, tmp_path, monkeypatch, compiled, told
):
    no_writing(monkeypatch, tmp_path, errno.ENOSPC)
    assert [total(), total()] == [30, 30]
    assert compiled == ["thrice", "thrice"]
    ((where, why, there, why_not),) = told
    assert (where, why, why_not) == (str(folder), *["No space left on device"] * 2)
    assert Path(there).is_relative_to(tmp_path / "tmp")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_a_folder_that_can_only_be_read_serves(file, tmp_path, monkeypatch, compiled, told):
    no_writing(monkeypatch, file.parent, errno.EROFS)
    assert total() == 30
    assert (compiled, told, list((tmp_path / "tmp").iterdir())) == ([], [], [])
    shutil.rmtree(file.parent.parent)
    file.parent.parent.touch()  # a home that is a file
    assert total() == 30
    assert (compiled, len(told)) == (["thrice"], 1)


def test_a_folder_of_others_is_not_taken(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    own = tmp_path / f"estoc-{os.getuid()}"
    with pytest.raises(FileNotFoundError):
        private_folder()
    assert list(tmp_path.iterdir()) == []
    assert private_folder(make=True) == private_folder() == private_folder(make=True) == own
    own.chmod(0o777)
    with pytest.raises(PermissionError, match="others can write there"):
        private_folder(make=True)
    own.chmod(0o755)
    assert private_folder() == own
    with monkeypatch.context() as patch:
        patch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        with pytest.raises(PermissionError, match="others can write there"):
            private_folder(make=True)
    own.rename(tmp_path / "mine")
    own.symlink_to("mine")
    with pytest.raises(NotADirectoryError):
        private_folder(make=True)


def test_nothing_is_kept_among_a_persons_files(tmp_path, monkeypatch):
    """Python's last resort for temporary files is where the person works."""
    monkeypatch.chdir(tmp_path)
    for place in (str(tmp_path), os.curdir):
        monkeypatch.setattr("tempfile.tempdir", place)
        with pytest.raises(OSError, match="no place for temporary files"):
            private_folder(make=True)
    tmp_path.chmod(0o1777)  # but some work where all temporary files are
    assert private_folder(make=True).parent == Path(os.curdir)


@pytest.mark.parametrize(
    ("environment", "folder"),
    [
        ({"XDG_CACHE_HOME": "/c", "HOME": "/h"}, "/c/estoc"),
        ({"XDG_CACHE_HOME": "", "HOME": "/h"}, "/h/.cache/estoc"),
        ({"XDG_CACHE_HOME": "c", "HOME": "/h"}, "/h/.cache/estoc"),
        ({"HOME": "/"}, "/.cache/estoc"),
        ({"HOME": "h"}, "/dev/null/estoc"),
    ],
)
def test_the_usual_folder(monkeypatch, environment, folder):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert usual_folder() == Path(folder)


def test_who_has_no_home_has_no_usual_folder(monkeypatch):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert usual_folder() == Path("/dev/null/estoc")


def test_writers_at_once_leave_a_whole_file(tmp_path):
    path = tmp_path / "kernels" / "file.nbc"
    contents = [bytes([number]) * 100_000 for number in range(4)]
    seen = set()

    def write(content: bytes) -> None:
        for _ in range(25):
            _cache._write_whole(path, content)
            with suppress(FileNotFoundError):
                seen.add(_cache._read_whole(path))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, contents))
    assert seen <= set(contents)
    assert [file.name for file in path.parent.iterdir()] == ["file.nbc"]
