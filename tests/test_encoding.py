"""What an encoding lacks is written in another way, never refused (H12)."""

import codecs
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.table import Table

from estoc.profiles import Roster, load_edition
from estoc.sim.encoding import make_safe, safe
from estoc.sim.listing import edition_table, profiles_table

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
