"""What an encoding lacks is written in another way, never refused (H12)."""

import codecs
import io
import json
import os
import pickle
import sys
import unicodedata
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from estoc.profiles import InputError, Roster, load_edition, read_fighters, write_fighters
from estoc.profiles.errors import InputErrors, one_line, suggestion
from estoc.profiles.files.toml import read_toml
from estoc.profiles.letters import as_cell, from_cell, hidden, visible
from estoc.profiles.message import say
from estoc.sim.base.answer import AnswerKind
from estoc.sim.base.result import Result, read_rows
from estoc.sim.cli.listing import edition_table, profiles_table
from estoc.sim.text.encoding import safe
from estoc.sim.text.speech import spoken, translated
from estoc.sim.text.streams import make_safe
from estoc.sim.text.writing import write_whole

NARROW = ["ascii", "cp1252", "cp850", "cp437", "latin-1", "iso8859-15"]


@pytest.mark.parametrize(
    ("text", "ascii_text", "windows"),
    [
        ("Garde prétorien", "Garde pretorien", "Garde prétorien"),
        ("Cœur d’Æther", "Coeur d'AEther", "Cœur d’Æther"),
        ("6→5, 2 ≤ 3 − 1", "6->5, 2 <= 3 - 1", "6->5, 2 <= 3 - 1"),
        ("« loin » – “près”…", '" loin " - "pres"...', "« loin » – “près”…"),
        ("─│┼╔", "-|++", "-|++"),
        ("½ × ±", "1/2 x +/-", "½ × ±"),
        ("Łódź", "Lodz", "Lódz"),
        ("e\u0301", "e", "é"),
        ("剣 ☃", "? ?", "? ?"),
        ("\udc80", "?", "?"),
        ("déjà ascii?", "deja ascii?", "déjà ascii?"),
    ],
)
def test_safe(text, ascii_text, windows):
    assert safe(text, "ascii") == ascii_text
    assert safe(text, "cp1252") == windows


@given(st.text(), st.sampled_from(NARROW))
def test_everything_can_be_written(text, encoding):
    assert safe(text, encoding).encode(encoding) is not None


@given(st.text(st.characters(codec="ascii")), st.sampled_from(NARROW))
def test_ascii_is_left_alone(text, encoding):
    assert safe(text, encoding) == text


def test_decoding_is_not_for_this_handler():
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("ascii", "estoc")
    assert codecs.lookup_error("estoc")


@pytest.mark.parametrize("encoding", NARROW)
def test_stream(encoding):
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    make_safe(stream, io.StringIO(), None)
    console = Console(file=stream, width=80)
    table = Table("œ", "→")
    table.add_row("é", "−")
    for part in (table, profiles_table(Roster.load()), edition_table(load_edition("c3"))):
        console.print(part)
    stream.flush()
    text = stream.buffer.getvalue().decode(encoding)
    assert "Garde pr" in text
    assert max(map(len, text.splitlines())) <= 82  # a ligature or an arrow takes two places


# --- what cannot be seen --------------------------------------------------------------


def test_what_is_hidden_is_what_unicode_calls_so():
    categories = ("Cc", "Cf", "Cs", "Zl", "Zp")
    seen = [c for c in map(chr, range(0x110000)) if hidden(c) is None]
    assert not [c for c in seen if unicodedata.category(c) in categories]
    assert set("aé🐗—\u00a0\u202f\ufe0f") <= set(seen)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b]0;b\x07", r"a\x1b]0;b\x07"),
        ("\x9b31m", r"\x9b31m"),
        ("gdan\u202esk\u2066", r"gdan\u202esk\u2066"),
        ("a\r\tb\nc", "a\\r\\tb\nc"),
        ("r\udce9sum\udce9", r"r\xe9sum\xe9"),
        ("\U000e0041", r"\U000e0041"),
        ("Élu, « œuf » 🐗", "Élu, « œuf » 🐗"),
    ],
)
def test_visible(text, shown):
    assert visible(text) == shown
    assert visible(shown) == shown


@pytest.mark.parametrize(
    ("text", "where", "letter"),
    [
        ('name = "a"\ntitle = "b\\u001b[31m"', ":2: title", "U+001B"),
        ('name = "a\\u202Eb"', ":1: name", "U+202E"),
        ('name = "a"\ntitle = "\x9b31m"', ":2: title", "U+009B"),
        ('title = "a\\nestoc: b"', ":1: title", "U+000A"),
        ('[[job]]\n"a\\tb" = 1', ":2: a key", "U+0009"),
        ('[[job]]\nx = ["a", "zero\u200bwidth"]', ":2: x", "U+200B"),
    ],
)
def test_toml_files_hold_nothing_hidden(text, where, letter, tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_toml(path)
    assert str(refused.value) == (
        f"{path}{where} holds the invisible character {letter}; leave it out"
    )


def test_toml_texts_of_several_lines_stay(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('text = """a\n\tb"""\r\nname = "a # \\\\u001b"\r\n', encoding="utf-8")
    assert read_toml(path) == {"text": "a\n\tb", "name": "a # \\u001b"}


@pytest.mark.parametrize("letter", ["\x1b", "\x9b", "\u202e", "\u200b", "\xad"])
def test_cells_hold_nothing_hidden(letter, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"nom;note\nOgre;a{letter}b\n", encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_fighters(path)
    told = f"is not right: expected text without the invisible character U+{ord(letter):04X}"
    assert str(refused.value).endswith(told)
    assert str(refused.value).startswith(f'{path}:2, column 2 "note": ')
    assert hidden(str(refused.value)) is None


# --- errors are lines that can be read ------------------------------------------------


@pytest.mark.parametrize("size", [101, 5_000, 1_000_000])
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('"{}" should be A', '"{cut}" should be A'),
        ("name should be a number, not '{}'", "name should be a number, not '{cut}'"),
        ("a.toml: {}: unknown", "a.toml: {cut}: unknown"),
    ],
)
def test_long_values_are_cut(line, told, size):
    left_out = size - 60
    cut = f"{'a' * 60}… ({left_out:,} more characters)"
    assert str(InputError(line.format("a" * size))) == told.replace("{cut}", cut)


@pytest.mark.parametrize("letter", ["a", "a ", '"', '" ', "'", "/", "/ ", "\x1b", "é\n", "a, "])
@pytest.mark.parametrize("size", [100, 390, 5_000, 300_000])
def test_no_line_is_longer_than_400_letters_or_loses_its_advice(letter, size):
    value = letter * size
    for start in ('"{}"', "{}:3", "'{}'"):
        told = str(InputError(f"{start.format(value)}: should be a number; known: 1, 2"))
        assert len(told) <= 400
        assert told.endswith(": should be a number; known: 1, 2")
        assert hidden(told) is None
        assert str(InputError(told)) == told  # as part of another
        assert len(str(InputError(told + told))) <= 400


def test_a_path_keeps_its_end():
    told = str(InputError(f'"/tmp/{"a" * 3000}/b.csv": there is no folder'))
    assert told.startswith('"/tmp/aaa')
    assert told.endswith('aaa/b.csv": there is no folder')
    assert len(told) < 240
    usual = f'"/tmp/{"a" * 150}/b.csv": there is no folder'
    assert str(InputError(usual)) == usual


def test_several_faults_are_a_line_each():
    error = InputErrors("a\nb", str(InputError("c")))
    assert str(error) == "a\\nb\nc"
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_suggestions_are_short():
    names = [f"{letter * 40}" for letter in "abcdefghij"]
    assert suggestion("zz", names) == f"known: {', '.join(names[:4])}, …"
    assert suggestion("z" * 1_000_000, ["a"]) == "known: a"
    assert len(suggestion("z", ["a" * 1_000_000])) < 110


def test_long_values_are_cut_in_french():
    with spoken("fr"):
        line = one_line(say('"{}": there is no folder "{}"', "a" * 5000, "b"))
        told = translated(line, figures=False)
    assert told == (
        f"«\xa0{'a' * 60}… (4,940 caractères de plus)\xa0»\xa0: il n'y a pas de dossier «\xa0b\xa0»"
    )


# --- cells that spreadsheets would work out ----------------------------------------------


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"),
        ("@SUM(1)", "'@SUM(1)"),
        ("+1+cmd|x", "'+1+cmd|x"),
        ("-HYPERLINK(1)", "'-HYPERLINK(1)"),
        ("'=x", "''=x"),
        ("\t=x", "'\t=x"),
        *((same, same) for same in ("-5", "+1 ATT", "-0.5", "-/5/10", "'abc", "a=b", "", "'")),
    ],
)
def test_cells_are_no_formulas(text, cell):
    assert as_cell(text) == cell
    assert from_cell(cell) == text


@given(st.text("'=+-@\t\ra1(|", max_size=5))
def test_cells_are_read_again(text):
    assert from_cell(as_cell(text)) == text


def test_fighters_with_formulas_are_written_and_read_again(tmp_path):
    card = replace(Roster.load().find("Garde prétorien"), name="=cmd|x", note="+1|A1", PA=5)
    path = tmp_path / "a.csv"
    write_fighters(path, [card])
    text = path.read_text("utf-8")
    assert "\n'=cmd|x," in text
    assert ",'+1|A1" in text
    (read,) = read_fighters(path)
    assert (read.name, read.note, read.PA) == ("=cmd|x", "+1|A1", 5)


def test_results_with_formulas_are_written_and_read_again(tmp_path):
    path = tmp_path / "a.csv"
    result = Result(
        AnswerKind("x"), [{"a": "=1+2", "what": "+1 ATT", "n": -5, "p": -0.5, "command": "estoc x"}]
    )
    result.save(path)
    assert path.read_text("utf-8") == "a,what,n,p,command\n'=1+2,+1 ATT,-5,-0.5,estoc x\n"
    assert read_rows(path) == [
        {"a": "=1+2", "what": "+1 ATT", "n": "-5", "p": "-0.5", "command": "estoc x"}
    ]


def test_json_means_the_same():
    rows = [{"a": "\x1b\x9b\u202e\udce9\U000e0041é"}]
    text = Result(AnswerKind("x"), rows).text("json")
    assert hidden(text, "\n") is None
    assert json.loads(text) == rows


@pytest.mark.skipif(sys.platform == "win32", reason="has no such modes")
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_a_file_that_is_replaced_keeps_its_mode(mode, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("old")
    path.chmod(mode)
    write_whole(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", mode)
    mask = os.umask(0o027)
    try:
        write_whole(tmp_path / "b.csv", b"new")
    finally:
        os.umask(mask)
    assert (tmp_path / "b.csv").stat().st_mode & 0o777 == 0o640
