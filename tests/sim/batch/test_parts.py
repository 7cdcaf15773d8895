"""Parts are there whole or not at all: what was cut, changed or misplaced is never taken."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.sim.batch import own_files as module
from estoc.sim.batch.own_files import write_durably
from estoc.sim.batch.parts import Parts

RUN = "0" * 64
CHUNK = [("1/0/0+5", np.arange(5)), ("1/0/5+5", (2, [0.5, None]))]


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """Return the file of a part."""
    Parts(tmp_path, RUN).add(CHUNK)
    (path,) = tmp_path.iterdir()
    return path


def test_what_was_added_is_found_again(tmp_path):
    Parts(tmp_path, RUN).add(CHUNK)
    Parts(tmp_path, RUN).add([("2/0/0+1", 3)])
    parts = Parts(tmp_path, RUN)
    assert (len(parts), parts.faults) == (3, [])
    assert parts["1/0/0+5"].tolist() == [0, 1, 2, 3, 4]
    assert (parts["1/0/5+5"], parts["2/0/0+1"]) == ((2, [0.5, None]), 3)
    assert "1/0/5+5" in parts
    assert "1/0/5+6" not in parts
    assert len(list(tmp_path.iterdir())) == 2


def test_the_same_chunk_is_the_same_bytes_and_name(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        Parts(tmp_path / name, RUN).add(CHUNK)
    (a,), (b,) = (list((tmp_path / name).iterdir()) for name in ("a", "b"))
    assert (a.name, a.read_bytes()) == (b.name, b.read_bytes())


def aside(path: Path) -> tuple[int, list[str]]:
    """Return how many answers a folder gives, and what it says of its faults."""
    parts = Parts(path.parent, RUN)
    return len(parts), parts.faults


def test_a_part_that_was_cut_anywhere_is_put_aside_and_said(one):
    data = one.read_bytes()
    for length in [*range(0, len(data), 37), len(data) - 1]:
        one.write_bytes(data[:length])
        found, faults = aside(one)
        assert found == 0
        assert len(faults) == 1
        assert one.name in faults[0]
        assert not one.exists()
        damaged = one.with_suffix(".damaged")
        assert damaged.read_bytes() == data[:length]
        damaged.unlink()


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_a_part_with_any_bit_turned_is_put_aside(tmp_path_factory, data):
    folder = tmp_path_factory.mktemp("parts")
    Parts(folder, RUN).add(CHUNK)
    (path,) = folder.iterdir()
    content = bytearray(path.read_bytes())
    bit = data.draw(st.integers(0, 8 * len(content) - 1))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(bytes(content))
    assert aside(path)[0] == 0


def test_parts_of_another_run_are_not_taken(one):
    parts = Parts(one.parent, "1" * 64)
    assert len(parts) == 0
    assert "of another run" in parts.faults[0]


@pytest.mark.parametrize("name", ["x.parquet", "1.2.3.parquet", "000000.parquet", "a.b.parquet"])
def test_files_with_other_names_are_left_where_they_are(tmp_path, name):
    (tmp_path / name).write_bytes(b"PAR1")
    parts = Parts(tmp_path, RUN)
    assert (len(parts), len(parts.faults)) == (0, 1)
    assert name in parts.faults[0]
    assert os.listdir(tmp_path) == [name]


def test_a_part_is_never_a_link_and_none_that_was_put_aside_is_lost(one, tmp_path_factory):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "mine"
    data = one.read_bytes()
    one.with_suffix(".damaged").write_bytes(b"before")
    one.rename(elsewhere)
    one.symlink_to(elsewhere)
    assert aside(one)[0] == 0
    assert one.with_suffix(".damaged").read_bytes() == b"before"
    assert one.with_suffix(".2.damaged").is_symlink()
    assert elsewhere.read_bytes() == data


def test_a_number_that_was_used_is_not_used_again(one):
    one.write_bytes(b"")
    parts = Parts(one.parent, RUN)
    parts.add(CHUNK)
    assert sorted(p.suffix for p in one.parent.iterdir()) == [".damaged", ".parquet"]
    assert len(Parts(one.parent, RUN)) == 2


def test_an_empty_chunk_leaves_nothing(tmp_path):
    Parts(tmp_path, RUN).add([])
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_what_cannot_be_written_leaves_what_was_there(tmp_path, monkeypatch, fails):
    path = tmp_path / "run.json"
    path.write_bytes(b"before")

    def full(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module.os, fails, full)
    with pytest.raises(OSError, match="No space"):
        write_durably(path, b"after")
    assert path.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["run.json"]
