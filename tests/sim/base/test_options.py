"""What a person asks with: dice, repeated names, options, seeds."""

import os
import shlex
import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import policy_texts

from estoc.profiles import InputError, load_edition
from estoc.profiles.letters import hidden
from estoc.sim.base.options import (
    MAX_SEED,
    Dice,
    Options,
    checked_seed,
    checked_trials,
    number_of_dice,
    quoted,
    repeated,
    sides_of,
    words_of,
)
from estoc.sim.base.policy import parse_policies

words = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=12
)


@given(st.integers(0, 99), st.integers(0, 99))
def test_dice_are_read_as_they_are_written(attack, defence):
    assert Dice.parse(str(Dice(attack, defence))) == Dice(attack, defence)


@pytest.mark.parametrize("text", ["policy", " Policy ", "POLICY"])
def test_dice_may_be_left_to_the_policy(text):
    assert Dice.parse(text) is None


@pytest.mark.parametrize("text", ["", "2", "2-0", "a/b", "-1/3", "1/1/1", "1.5/0.5", "100/0", "/"])
def test_other_dice_are_refused_with_an_example(text):
    with pytest.raises(InputError, match=r"ATTACK/DEFENCE, as 1/1 or 2/0, or policy"):
        Dice.parse(text)


@pytest.mark.parametrize(("enemies", "dice"), [(1, 2), (2, 3), (8, 9)])
def test_number_of_dice(enemies, dice):
    assert number_of_dice(load_edition("conffede"), enemies) == dice  # C-3.1


def test_names_are_repeated():
    assert repeated(["a*2", "b", "c * 3"]) == ["a", "a", "b", "c", "c", "c"]


@pytest.mark.parametrize("word", ["a*0", "a*9", "a*", "a*x", "a*-1", "a*1.5"])
def test_wrong_repetitions_are_refused(word):
    with pytest.raises(InputError, match="from 1 to 8"):
        repeated([word])


def test_sides():
    assert sides_of(["a", "VS", "b*2"]) == (["a"], ["b", "b"])


@pytest.mark.parametrize("words", [[], ["a"], ["a", "vs"], ["vs", "b"], ["a", "vs", "b", "vs"]])
def test_sides_need_one_vs_and_somebody_on_both_sides(words):
    with pytest.raises(InputError, match="vs"):
        sides_of(words)


@given(words)
def test_a_shell_reads_a_quoted_word_as_it_was(word):
    assert words_of(quoted(word)) == [word]
    if hidden(word) is None:
        assert shlex.split(quoted(word)) == [word]


def test_a_name_with_an_apostrophe_is_easy_to_read():
    assert quoted("Guerrier de l'aube") == '"Guerrier de l\'aube"'


@pytest.mark.parametrize("seed", [0, 1, MAX_SEED])
def test_seeds_are_kept(seed):
    assert checked_seed(seed) == seed


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1])
def test_seeds_out_of_range_are_refused(seed):
    with pytest.raises(InputError, match=f"seed {seed} should be from 0 to {MAX_SEED}"):
        checked_seed(seed)


def test_fresh_seeds_differ():
    assert len({checked_seed(None) for _ in range(20)}) == 20


@pytest.mark.parametrize("trials", [0, -1, 2**53])
def test_impossible_numbers_of_trials_are_refused(trials):
    with pytest.raises(InputError, match=f"trials {trials}"):
        checked_trials(trials)


def test_defaults_say_nothing():
    assert Options().arguments() == []


@given(st.lists(policy_texts, max_size=3).map(tuple))
def test_policies_are_read_as_they_are_written(texts):
    options = Options(policies=parse_policies(texts))
    arguments = options.arguments()
    assert parse_policies(tuple(arguments[1::2])) == options.policies
    assert set(arguments[::2]) <= {"--policy"}


@pytest.mark.parametrize("turns", [0, -1, 4096])
def test_impossible_numbers_of_turns_are_refused(turns):
    with pytest.raises(InputError, match=f"turns {turns} should be from 1 to 4095"):
        Options(turns=turns)


def test_a_third_side_is_refused():
    with pytest.raises(InputError, match='"C" should be A or B'):
        Options(chosen_by="C")


def test_rules_replace_values_of_the_edition():
    options = Options(rules=("many_dice=one_chain", "reroll_one=add"))
    assert options.edition["tests.many_dice"] == "one_chain"
    assert options.edition["tests.reroll_one"] == "add"
    assert options.edition.name == "conffede+reroll_one=add+many_dice=one_chain"


HOSTILE = [
    "a\tb",
    "a\rb.csv",
    "a\nb",
    "r\udce9sum\udce9.csv",
    "a\x1b'\\\"b",
    "\u202e$(x)`y`",
    "\u202exe9",
]


@given(st.lists(words | st.sampled_from(HOSTILE), max_size=4))
def test_quoted_words_are_read_again(told):
    command = " ".join(map(quoted, told))
    assert words_of(command) == told
    assert hidden(command) is None


@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_a_shell_reads_quoted_words():
    told = [*HOSTILE, "--help", "it's", "a $'b' c", "é$\t", "50 %", "-o.csv"]
    line = "printf '%s\\0' " + " ".join(map(quoted, told))
    done = subprocess.run(["bash", "-c", line], capture_output=True, timeout=60, check=True)
    assert os.fsdecode(done.stdout).split("\0")[:-1] == [*told[:-1], "./-o.csv"]


@pytest.mark.parametrize("command", ["a 'b", 'a "b', "a $'b", "a \\"])
def test_quotations_that_are_not_closed_are_refused(command):
    with pytest.raises(ValueError, match="a quotation is not closed"):
        words_of(command)


def test_a_long_command_is_read_soon():
    begun = time.monotonic()
    assert words_of("z" * 1_000_000 + " 'a b'") == ["z" * 1_000_000, "a b"]
    assert time.monotonic() - begun < 5


@given(st.text("ab $'\"\\\n", max_size=12).filter(lambda text: "$'" not in text))
def test_commands_are_read_as_a_shell_reads_them(command):
    try:
        told = shlex.split(command)
    except ValueError:
        with pytest.raises(ValueError, match="a quotation is not closed"):
            words_of(command)
    else:
        assert words_of(command) == told
