"""Mystic actions as data (A-5.6)."""

import pytest

from estoc.kernels.layout.combat import Outcome
from estoc.kernels.layout.maintenance import Kind
from estoc.profiles import InputError
from estoc.profiles.armies.mystic import MysticEffect, load_mystic, mystic_names
from estoc.profiles.files.toml import toml_path

BOLT = """
name = "Mine"
caster = "magician"
cost = 2
difficulty = 6
range = 30
target = "enemy"
[effect]
kind = "damage"
levels = 2
"""


@pytest.fixture
def mystic_file(tmp_path):
    def write(text):
        path = tmp_path / "mine.toml"
        path.write_text(text, "utf-8")
        return path

    return write


def test_the_shipped_ones_say_that_they_are_invented():
    """No real spell: file, name and title tell."""
    assert mystic_names() == ("example-bolt", "example-mend")
    for name in mystic_names():
        action = load_mystic(name)
        text = toml_path("mystic", name).read_text("utf-8")
        assert text.startswith("# An INVENTED EXAMPLE: no ")
        assert action.name.startswith("Example ")
        assert action.title.startswith("an invented example of ")
        assert action.file == ""


def test_the_bolt_and_the_one_that_heals():
    bolt, mend = map(load_mystic, mystic_names())
    assert bolt.effect == MysticEffect(Kind.DAMAGE, outcome=Outcome.LIGHT)
    assert (bolt.caster, bolt.target, bolt.line_of_sight) == ("magician", "enemy", True)
    assert (bolt.outside, bolt.times, bolt.upkeep) == (False, 1, None)
    assert mend.effect == MysticEffect(Kind.HEAL, levels=1, needs=3)
    assert (mend.caster, mend.target, mend.line_of_sight) == ("faithful", "friend", False)
    assert (mend.outside, mend.times, mend.upkeep) == (True, 0, 1)


def test_one_of_ones_own(mystic_file):
    """What is left out: seen, within the activation, once a turn, not lasting."""
    path = mystic_file(BOLT)
    action = load_mystic(str(path))
    assert (str(action), action.cost, action.difficulty, action.range) == ("Mine", 2, 6, 30.0)
    assert action.effect == MysticEffect(Kind.DAMAGE, levels=2)
    assert (action.line_of_sight, action.outside, action.times) == (True, False, 1)
    assert action.upkeep is None
    assert action.file == str(path)
    assert load_mystic("mine.toml", path.parent) == action


BAD = {
    "key": (BOLT.replace("cost", "costs"), ': unknown key "costs"; nearest: cost'),
    "missing": (BOLT.replace("cost = 2", ""), ": has no cost, which is needed"),
    "caster": (BOLT.replace('"magician"', '"bard"'), ": caster"),
    "target": (BOLT.replace('"enemy"', '"all"'), ": target"),
    "cost": (BOLT.replace("cost = 2", "cost = -1"), ": cost"),
    "range": (BOLT.replace("range = 30", "range = nan"), ": range"),
    "name": (BOLT.replace('"Mine"', '" "'), ": name should not be blank"),
    "for ever": (
        BOLT.replace("cost = 2", "cost = 0\ntimes = 0"),
        ": times should be 1 or more: what costs nothing could be cast for ever",
    ),
    "kind": (BOLT.replace('"damage"', '"damag"'), ': effect: kind "damag" is unknown; nearest: da'),
    "not done": (
        BOLT.replace('"damage"', '"return"'),
        ': effect: kind "return" belongs to the maintenance phase alone (T-5.3); a mystic action',
    ),
    "both": (
        BOLT + 'outcome = "light"\n',
        ": effect: damage should have either levels or an outcome (W-3.1)",
    ),
    "neither": (
        BOLT.replace("levels = 2", ""),
        ": effect: damage should have either levels or an outcome (W-3.1)",
    ),
    "outcome": (
        BOLT.replace("levels = 2", 'outcome = "lite"'),
        ': effect: outcome "lite" is unknown (W-2.1); nearest: light',
    ),
    "heal": (
        BOLT.replace('"damage"\nlevels = 2', '"heal"'),
        ": effect: heal should have levels, 1 or more, and no outcome (W-3.1)",
    ),
    "needs": (BOLT + "needs = 7\n", ": effect: needs"),
    "no needs": (BOLT + "needs = 3\n", ": effect: needs is a die of the maintenance phase (T-5.3)"),
    "upkeep": (BOLT + "[upkeep]\n", ": upkeep: has no cost, which is needed"),
    "toml": (BOLT + "=", ":11: is not right TOML"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_file_is_one_clear_line(mystic_file, case):
    text, message = BAD[case]
    path = mystic_file(text)
    with pytest.raises(InputError) as caught:
        load_mystic(str(path))
    assert str(caught.value).startswith(f"{path}{message}")
    assert "\n" not in str(caught.value)


def test_no_such_action(tmp_path):
    with pytest.raises(InputError, match=r'"bolt" is neither a mystic action nor a \.toml file'):
        load_mystic("bolt")
    with pytest.raises(InputError, match=r"gone\.toml: cannot be read"):
        load_mystic("gone.toml", tmp_path)
