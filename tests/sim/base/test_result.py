"""Result files: the same rows, columns and types in each format; whole or not at all."""

import builtins
import csv
import json
import os
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest
from running import ARKEON, GUARD, PLAIN, ROSTER, WARRIOR

from estoc.profiles import InputError
from estoc.sim.base.answer import AnswerKind, columns
from estoc.sim.base.options import MAX_SEED, Options
from estoc.sim.base.result import Result, command_of, format_of, read_rows
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel, pairing
from estoc.sim.combat.sweep import sweep
from estoc.sim.combat.transcript import replay
from estoc.sim.text.writing import check_writable, write_whole

OTHER = AnswerKind("other", columns("text", "what it is", "a", "b", "command"))
FORMS = ["csv", "json", "parquet"]
SETS = (f"{ARKEON}.ATT=5", f"{ARKEON}.RES=9")
ASKED = {"trials": 200, "seed": MAX_SEED, "roster": ROSTER}
QUESTION = pairing(ROSTER.find(GUARD), ROSTER.find(WARRIOR), Options())
RESULTS = {
    "duel": duel(GUARD, WARRIOR, **ASKED),
    "without PA": duel(PLAIN, PLAIN, **ASKED),
    "sweep": sweep(GUARD, WARRIOR, best=True, **ASKED),
    "some without PA": sweep([GUARD, PLAIN], WARRIOR, dice="policy", **ASKED),
    "combat": combat(GUARD, [WARRIOR, ARKEON], options=Options(sets=SETS), **ASKED),
    "combat without PA": combat(PLAIN, [PLAIN] * 2, **ASKED),
    "replay": replay(QUESTION, 1, 17),
}
results = pytest.mark.parametrize("result", RESULTS.values(), ids=list(RESULTS))

# What Arrow calls the types of columns, by question; the others are text.
WHOLE = {
    *(
        "turns",
        "trials",
        "wins_a",
        "wins_b",
        "undecided",
        "first_a",
        "pa",
        "unhurt",
        "dead",
        "stunned",
    ),
    *("light", "light_stunned", "serious", "serious_stunned", "critical", "critical_stunned"),
    *("turn", "number", "attack", "defence", "die", "reroll", "value", "committed", "natural"),
    *("result", "other_result", "row", "trial", "held", "levels"),
}
REAL = {"mean_turns", "wounds_a", "wounds_b", "wounds", "destroyed", "lost", "remainder"} | {
    p + end
    for p in ("p_a", "p_b", "p_undecided", "p_first_a", "p_dead")
    for end in ("", "_low", "_high")
}
STATES = ("unhurt", "stunned", "light", "serious", "critical")
REAL |= {f"p_{state}{more}" for state in STATES for more in ("", "_stunned")}
TRUTHS = {"best_a", "safest_a", "sustained", "failed", "parried", "saved"}


def arrow_type(column, question="duel"):
    if column == "seed":
        return "uint64"
    if column == "value" and question != "replay":  # of a combat, not of a die
        return "double"
    if column == "dice":  # of an ability; of a combat, how they are placed
        return "int64" if question == "replay" else "string"
    for names, kind in ((WHOLE, "int64"), (REAL, "double"), (TRUTHS, "bool")):
        if column in names:
            return kind
    return "string"


def saved(result, form, folder) -> Path:
    path = folder / f"result.{form}"
    result.save(path)
    return path


@results
def test_all_rows_have_the_same_columns(result):
    assert all(list(row) == result.columns for row in result)


@results
def test_json_and_parquet_hold_the_rows(result, tmp_path):
    assert read_rows(saved(result, "json", tmp_path)) == result.rows
    assert read_rows(saved(result, "parquet", tmp_path)) == result.rows


@results
def test_csv_holds_the_rows(result, tmp_path):
    path = saved(result, "csv", tmp_path)
    rows = [{c: "" if v is None else str(v) for c, v in row.items()} for row in result]
    assert read_rows(path) == rows
    frame = pd.read_csv(path)
    assert list(frame.columns) == result.columns
    whole = pq.read_table(saved(result, "parquet", tmp_path)).to_pandas()
    for column in result.columns:
        if arrow_type(column, result.question) == "double":
            assert frame[column].tolist() == pytest.approx(whole[column].tolist(), nan_ok=True)


@results
def test_types_of_columns(result, tmp_path):
    schema = pq.read_schema(saved(result, "parquet", tmp_path))
    types = dict(zip(schema.names, map(str, schema.types), strict=True))
    assert types == {column: arrow_type(column, result.question) for column in result.columns}


@results
@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_the_same_each_time(result, form):
    assert result.encoded(form) == result.encoded(form)


def test_points_that_nobody_knows_are_null(tmp_path):
    result = RESULTS["without PA"]
    assert pq.read_table(saved(result, "parquet", tmp_path))["lost"].null_count == 1
    assert json.loads(result.text("json"))[0]["destroyed"] is None
    (row,) = csv.DictReader(result.text("csv").splitlines())
    assert (row["destroyed"], row["lost"]) == ("", "")


def test_text_is_utf_8_without_a_mark():
    for form in ("csv", "json", "table"):
        data = RESULTS["duel"].encoded(form)
        assert "Garde prétorien".encode() in data
        assert not data.startswith(b"\xef\xbb\xbf")
        assert b"\r" not in data
        assert data.endswith(b"\n")


@results
def test_a_frame_has_the_rows(result):
    frame = result.to_frame()
    assert frame.shape == (len(result), len(result.columns))
    assert list(frame.columns) == result.columns


@results
def test_a_notebook_shows_it(result):
    page = result._repr_html_()
    assert "Garde prétorien" in page or PLAIN.name in page


def test_a_notebook_shows_names_as_text():
    assert "&lt;b&gt;" in Result(AnswerKind("made up"), [{"a": "<b>"}], title="<i>")._repr_html_()


# --- files ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "form"),
    [("a.csv", "csv"), ("a.b.JSON", "json"), ("a.parquet", "parquet"), ("a.txt", "table")],
)
def test_the_ending_says_the_format(name, form):
    assert format_of(name) == form


@pytest.mark.parametrize("name", ["a", "a.xls", "csv", "a.csv.gz", ".csv"])
def test_other_endings_are_refused(name):
    with pytest.raises(InputError, match=r"should be one of \.csv, \.json, \.parquet, \.txt"):
        format_of(name)


def test_places_that_cannot_be_written_are_refused_before_the_work(tmp_path):
    check_writable(tmp_path / "new.csv")
    check_writable("new.csv")
    with pytest.raises(InputError, match="is a folder; give the name of a file"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        check_writable(tmp_path / "none" / "a.csv")
    with pytest.raises(InputError, match="there is no folder"):
        check_writable(Path(__file__) / "a.csv")


def test_a_file_is_replaced_whole(tmp_path):
    path = tmp_path / "é→.csv"
    write_whole(path, b"old and long")
    write_whole(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == [path.name]


def test_a_link_is_followed_and_stays(tmp_path):
    (tmp_path / "folder").mkdir()
    link, path = tmp_path / "a.csv", tmp_path / "folder" / "b.csv"
    link.symlink_to(path)
    for data in (b"new", b"newer"):
        write_whole(link, data)
        assert link.is_symlink()
        assert path.read_bytes() == data
    assert os.listdir(tmp_path / "folder") == ["b.csv"]


def test_a_stream_is_written_and_not_replaced():
    reader, writer = os.pipe()
    write_whole(f"/dev/fd/{writer}", b"data")
    assert os.read(reader, 100) == b"data"
    os.close(reader)
    os.close(writer)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="has no such files")
def test_what_is_no_file_is_neither_written_nor_replaced(tmp_path):
    path = tmp_path / "a.csv"
    os.mkfifo(path)
    for place, what in ((path, "a pipe"), ("/dev/zero", "a device")):
        with pytest.raises(InputError, match=f"is {what}; give the name of a file"):
            write_whole(place, b"data")
    assert path.is_fifo()


def test_a_device_is_never_replaced(monkeypatch):
    def replaced(*_):
        raise AssertionError("a device was about to be replaced by a file")

    monkeypatch.setattr(os, "replace", replaced)
    write_whole(os.devnull, b"data")


def test_a_file_that_is_protected_stays(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda place, mode: place != path)  # root may write all
    with pytest.raises(InputError, match="is there and cannot be written"):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")
    for owner, name in ((os, "replace"), (builtins, "open")):
        with monkeypatch.context() as patched:

            def fails(*_, **__):
                raise OSError(28, "No space left on device")

            patched.setattr(owner, name, fails)
            with pytest.raises(InputError, match="could not be written: No space left"):
                write_whole(path, b"new")
        assert os.listdir(tmp_path) == ["a.csv"]
        assert path.read_bytes() == b"old"


@pytest.mark.parametrize("form", FORMS)
def test_the_command_of_a_row(form, tmp_path):
    path = saved(RESULTS["sweep"], form, tmp_path)
    for number in (1, 9):
        words, inputs = command_of(path, number)
        row = RESULTS["sweep"].rows[number - 1]
        assert words[-3:] == ("--dice", row["dice_a"], row["dice_b"])
        assert inputs == row["inputs"]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("number", [0, -1, 10])
def test_rows_that_are_not_there_are_refused(form, number, tmp_path):
    path = saved(RESULTS["sweep"], form, tmp_path)
    with pytest.raises(InputError, match=f"row {number}: .* has rows 1 to 9"):
        command_of(path, number)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "data",
    [b"", b"\xff\xfe\x00a", b"{}", b"[]", b"[1, 2]", b"[{]", b"PAR1", b"PAR1PAR1", b"a,b\n"],
)
def test_files_that_are_no_results_are_refused(form, data, tmp_path):
    path = tmp_path / f"wrong.{form}"
    path.write_bytes(data)
    with pytest.raises(InputError, match="wrong") as refusal:
        command_of(path, 1)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("form", FORMS)
def test_a_table_of_something_else_is_refused(form, tmp_path):
    path = saved(
        Result(OTHER, [{"a": "1", "b": "x"}]),
        form,
        tmp_path,
    )
    with pytest.raises(InputError, match='no column "command"'):
        command_of(path, 1)


def test_a_command_that_was_spoilt_is_refused(tmp_path):
    path = saved(Result(OTHER, [{"command": 'estoc duel "a b'}]), "csv", tmp_path)
    with pytest.raises(
        InputError, match="row 1: the command cannot be read: a quotation is not closed"
    ):
        command_of(path, 1)


@pytest.mark.parametrize("command", ["estoc", "5", "duel a b", "a1b2c3", "", "  "])
@pytest.mark.parametrize("form", FORMS)
def test_what_is_no_command_is_refused(form, command, tmp_path):
    path = saved(
        Result(OTHER, [{"command": command}]),
        form,
        tmp_path,
    )
    with pytest.raises(InputError, match='row 1: the command should be like "estoc duel …", not'):
        command_of(path, 1)


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ('{"command": 5}', "command should be a text, not 5"),
        ('{"command": null}', "command should be a text, not None"),
        ('{"command": "estoc duel a b", "inputs": [1]}', "inputs should be a text"),
    ],
)
def test_a_row_is_read_by_its_model(row, wanted, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(f"[{row}]", encoding="utf-8")
    with pytest.raises(InputError, match=f"row 1: {wanted}"):
        command_of(path, 1)


@pytest.mark.parametrize("row", ["estoc duel a b", "1,estoc duel a b,x", '"a\n",1,2,3'])
def test_a_row_of_shifted_cells_is_refused(row, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"command,inputs\n{row}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"line \d has \d cells and the headings are 2"):
        command_of(path, 1)


def test_deep_json_is_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(InputError, match="is not a json file"):
        command_of(path, 1)


@pytest.mark.parametrize("form", FORMS)
def test_a_missing_file_is_refused(form, tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_rows(tmp_path / f"none.{form}")


def test_a_result_saved_by_a_spreadsheet_is_read(tmp_path):
    path = tmp_path / "saved.csv"
    path.write_bytes(b"\xef\xbb\xbf" + RESULTS["sweep"].encoded("csv").replace(b"\n", b"\r\n"))
    assert command_of(path, 2)[1] == RESULTS["sweep"].rows[1]["inputs"]


def test_no_way_to_look_at_a_result_rounds_a_long_seed():
    seed = 2**53 + 1
    result = duel(GUARD, WARRIOR, method="both", trials=200, seed=seed)
    assert [row["seed"] for row in result] == [None, seed]
    assert int(result.to_frame()["seed"].iloc[1]) == seed
    assert pd.isna(result.to_frame()["seed"].iloc[0])
    assert str(seed) in result._repr_html_()
    assert f'"seed": {seed},' in result.text("json")  # a whole number of JSON
    assert f"--seed {seed}" in json.loads(result.text("json"))[1]["command"]
