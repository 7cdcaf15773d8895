"""Texts for people know what they are made of, whatever happens to them on the way."""

import copy
import json
import pickle

import pytest

from estoc.profiles.errors import InputError
from estoc.profiles.message import Message, joined, parts, say, say_all, say_n, series, wrapped
from estoc.sim.text.speech import spoken, translated

ROWS = say("{rows:,} rows of {path}", 1200, "a.csv")


def test_a_message_is_its_english() -> None:
    assert ROWS == "1,200 rows of a.csv"
    assert (ROWS.pattern, ROWS.values) == (
        "{rows:,} rows of {path}",
        {"rows": 1200, "path": "a.csv"},
    )
    assert json.loads(json.dumps([ROWS])) == ["1,200 rows of a.csv"]


@pytest.mark.parametrize(
    "again",
    [str, copy.deepcopy, lambda text: pickle.loads(pickle.dumps(text)), lambda text: f"{text}"],
)
def test_a_message_remembers_its_pattern(again) -> None:
    assert isinstance(again(ROWS), Message)
    assert again(ROWS).pattern == ROWS.pattern


def test_texts_put_together_are_told_part_by_part() -> None:
    text = say("dice {}", "2/0") + "; " + say("no charge")
    with spoken("fr"):
        assert translated(text) == "dés 2/0\N{NO-BREAK SPACE}; sans charge"


def test_a_refusal_in_a_message_is_told_too() -> None:
    inner = InputError("dice {}", "2/0")
    with spoken("fr"):
        assert translated(say("{where}: {fault}", "a", inner)) == "a\N{NO-BREAK SPACE}: dés 2/0"


def test_names_and_numbers() -> None:
    text = say("{name}: {p:.1f}", "Mean 0.5", 0.25)
    assert text == "Mean 0.5: 0.2"
    with spoken("fr"):
        assert translated(text) == "Mean 0.5\N{NO-BREAK SPACE}: 0,2"
        assert translated(text, figures=False) == "Mean 0.5\N{NO-BREAK SPACE}: 0.2"


def test_values_fit_the_pattern() -> None:
    for pattern in ("{} {}", "{a} {b}", "{}"):
        with pytest.raises(ValueError, match="argument 2 is "):
            say(pattern, *"abc")
    assert say("{b} {a} {b}", 1, 2) == "1 2 1"
    assert say("{1} {0} {1}", 1, 2) == "2 1 2"
    assert say("{}; {:.1f}", ["a", 1], (0.5, 2)) == "a, 1; 0.5, 2.0"


def test_plurals_lists_and_tables() -> None:
    assert [say_n("{} die", "{} dice", n) for n in (0, 1, 2)] == ["0 dice", "1 die", "2 dice"]
    assert series("a", say(" or ")) == "a"
    assert series("abc", say(" or ")) == "a, b or c"
    assert joined(", ", []) == ""
    assert parts("; ", joined("; ", ["a; b", "c"])) == ["a; b", "c"]
    assert parts("; ", "a; b") == ["a", "b"]
    table = say_all({1: ("a", ["b"]), 2: 3})
    assert table == {1: ("a", ["b"]), 2: 3}
    assert isinstance(table[1][1][0], Message)


def test_lines_are_broken_in_the_language_that_is_shown() -> None:
    assert wrapped("one two three", 8) == "one two\nthree"
