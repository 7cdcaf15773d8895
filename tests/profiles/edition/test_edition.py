import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from estoc.profiles import InputError, edition_names, load_edition
from estoc.profiles.edition.edition import Reading
from estoc.profiles.edition.rulebook import KEYS


@pytest.fixture(scope="module")
def conffede():
    return load_edition("conffede")


@pytest.fixture
def house(tmp_path):
    def write(text):
        path = tmp_path / "house.toml"
        path.write_text('name = "house"\ntitle = "House rules"\n' + text, "utf-8")
        return path

    return write


EXTENDS = 'extends = "conffede"\n'
CHAIN = '[tests]\nmany_dice = {{ value = {}, mark = "assumed", clause = "W-1.4" }}\n'
SEEN = '[shooting.moved]\nvalue = 2\nmark = "source"\nclause = "W-6"\nsource = "seen in play"\n'


def refusal(path):
    with pytest.raises(InputError) as caught:
        load_edition(path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# The shipped editions


def test_names():
    assert edition_names() == ("c3", "conffede")


def test_conffede_values(conffede):
    assert conffede.name == str(conffede) == "conffede"
    assert conffede["tests.reroll_one"] == "reset"
    assert conffede["tests.many_dice"] == "best_chain"
    assert conffede["tests.natural_one_fails"] is False
    assert conffede["square.grande_cavalerie"] == (25, 50)
    assert conffede["weapon.bow.ranges"] == (25, 45, 65)
    assert [entry.key for entry in conffede.values] == list(KEYS)


def test_conffede_marks(conffede):
    for stat in ("INI", "ATT", "FOR", "DEF", "RES", "TIR"):
        for state in ("stunned", "light", "serious", "critical"):
            known = state in ("stunned", "light") and stat in ("ATT", "FOR", "RES")
            mark = "seed" if known else "assumed"
            assert conffede.entry(f"penalty.{state}.{stat}").mark == mark
    for key, _, mark, clause, source in conffede.entries():
        assert mark in ("seed", "source", "assumed", "reading"), key
        assert clause, key
        assert (mark == "source") == bool(source), key


def test_assumed_keys_by_section(conffede):
    assert conffede.assumed(["tests"]) == ("tests.many_dice", "tests.opposed_tie")
    assert conffede.assumed(["penalty.light"]) == tuple(
        f"penalty.light.{stat}" for stat in ("INI", "DEF", "TIR")
    )
    assert conffede.assumed(["wound"]) == ()
    assert conffede.assumed(["wounds", "defence"]) == (
        "wounds.killed_level",
        "wounds.stunned_stacks",
    )


def test_readings_have_clauses(conffede):
    clauses = [reading.clause for reading in conffede.readings]
    assert {"W-1.5", "C-3.3", "C-7.2", "C-7.6", "C-8.3"} <= set(clauses)
    assert all(reading.mark in ("assumed", "reading") for reading in conffede.readings)


def test_c3_differs_by_what_a_one_does(conffede):
    c3 = load_edition("c3")
    differing = [a for a, b in zip(c3.values, conffede.values, strict=True) if a.value != b.value]
    # see test_actions, test_movement
    own = [e.key for e in differing if not e.key.startswith(("actions.", "cover."))]
    assert own == ["tests.reroll_one", "tests.natural_one_fails"]
    assert (c3["tests.reroll_one"], c3["tests.natural_one_fails"]) == ("fail", True)
    assert {c3.entry(key).mark for key in own} == {"source"}
    assert c3.name == "c3"


def test_what_c3_inherits_is_not_vouched_for(conffede):
    c3 = load_edition("c3")
    # see test_actions, test_movement
    others = [e for e in c3.values if not e.key.startswith(("actions.", "cover."))]
    inherited = [e for e in others if e.mark != "source"]
    assert len(inherited) == len(others) - 2
    marks = {"seed": "assumed", "source": "assumed", "assumed": "assumed", "reading": "reading"}
    for entry in inherited:
        theirs = conffede.entry(entry.key).mark
        assert (entry.mark, entry.source) == (marks[theirs], "as conffede")
    assert [r.clause for r in c3.readings[len(conffede.readings) :]] == ["M-9"]
    for mine, theirs in zip(c3.readings, conffede.readings, strict=False):
        assert (mine.clause, mine.text) == (theirs.clause, theirs.text)
        assert (mine.mark, mine.source) == (marks[theirs.mark], "as conffede")
    assert c3.assumed(["tests.many_dice", "dice"]) == (
        "tests.many_dice",
        "dice.base",
        "dice.per_enemy",
    )


# Overrides


@pytest.mark.parametrize(
    ("rule", "key", "value", "name"),
    [
        ("many_dice=one_chain", "tests.many_dice", "one_chain", "many_dice=one_chain"),
        ("tests.many_dice = one_chain", "tests.many_dice", "one_chain", "many_dice=one_chain"),
        ('many_dice="one_chain"', "tests.many_dice", "one_chain", "many_dice=one_chain"),
        ("sustained_penalty=3", "defence.sustained_penalty", 3, "sustained_penalty=3"),
        ("stunned_stacks=true", "wounds.stunned_stacks", True, "stunned_stacks=true"),
        ("light.INI=2", "penalty.light.INI", 2, "light.INI=2"),
        ("defaults.base=[30, 30]", "defaults.base", (30, 30), "base=[30.0,30.0]"),
    ],
)
def test_with_rule(conffede, rule, key, value, name):
    if name.startswith("base"):
        name = "defaults." + name  # dice.base ends so too
    changed = conffede.with_rule(rule)
    assert changed[key] == value
    assert changed.entry(key).mark == "yours"
    assert changed.name == f"conffede+{name}"
    assert changed != conffede
    assert hash(changed) == hash(conffede.with_rule(rule))
    assert conffede.name == "conffede"


def test_the_name_says_each_override_once_in_the_order_of_the_keys(conffede):
    changed = conffede.with_rule("numbers_bonus=2").with_rule("many_dice=one_chain")
    changed = changed.with_rule("numbers_bonus=3")
    assert str(changed) == "conffede+many_dice=one_chain+numbers_bonus=3"
    again = conffede
    for rule in changed.name.split("+")[1:]:
        again = again.with_rule(rule)
    assert again == changed


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("per_enemy=" + "9" * 5000, 'rule "per_enemy=999'),
        ("per_enemy=" + "[" * 5000, 'rule "per_enemy=[[['),
        ("many_dice", 'rule "many_dice": expected KEY=VALUE, like many_dice=one_chain'),
        ("many_dise=x", 'rule "many_dise=x": no key "many_dise"; nearest: many_dice'),
        ("=x", 'rule "=x": no key ""'),
        ("INI=3", 'rule "INI=3": "INI" could be charge.INI, penalty.stunned.INI, penalty.light'),
        (
            "many_dice=all",
            "rule \"many_dice=all\": tests.many_dice should be 'best_chain' or 'one_chain', not",
        ),
        (
            "stunned_stacks=1",
            'rule "stunned_stacks=1": wounds.stunned_stacks should be true or false, not 1',
        ),
        ("per_enemy=9", 'rule "per_enemy=9": dice.per_enemy should be at most 3'),
        ("per_enemy=-1", 'rule "per_enemy=-1": dice.per_enemy should be at least 0'),
        ("per_enemy=true", 'rule "per_enemy=true": dice.per_enemy should be a whole number'),
        ("defaults.base=[1,-1]", 'rule "defaults.base=[1,-1]": defaults.base item 2 should be'),
        ("starts=[0,2]", "conffede: wounds.starts should have 10 rows, one less than wounds.table"),
        (
            "starts=[0,2,4,6,8,10,12,14,18,16]",
            "conffede: wounds.starts should be ascending, not (0, 2",
        ),
        ("wounds.light=2", "conffede: wounds.light should be 1 and lower than serious"),
    ],
)
def test_with_rule_refuses(conffede, rule, message):
    with pytest.raises(InputError) as caught:
        conffede.with_rule(rule)
    assert str(caught.value).startswith(message)


@given(st.sampled_from([*KEYS]), st.text(max_size=10))
def test_any_value_is_taken_or_refused(key, value):
    conffede = load_edition("conffede")
    try:
        changed = conffede.with_rule(f"{key}={value}")
    except InputError:
        return
    assert changed.entry(key).mark == "yours"


def test_unknown_key(conffede):
    with pytest.raises(InputError, match=r'no key "tests.manydice"; nearest: tests\.many_dice'):
        conffede["tests.manydice"]


# Files that people write


def test_a_file_extends_a_shipped_edition(house):
    edition = load_edition(house(EXTENDS + CHAIN.format('"one_chain"')))
    assert edition.name == "house"
    assert edition["tests.many_dice"] == "one_chain"
    assert edition["tests.opposed_tie"] == "reroll"


def test_own_values_keep_their_mark(house):
    own = CHAIN.format('"one_chain"').replace("assumed", "reading")
    edition = load_edition(house(EXTENDS + own + SEEN))
    chain, shape = edition.entry("tests.many_dice"), edition.entry("shooting.moved")
    assert (chain.mark, chain.source) == ("reading", "")
    assert (shape.mark, shape.source) == ("source", "seen in play")
    assert edition.entry("dice.base").source == "as conffede"


def test_what_is_inherited_twice_says_who_says_it(house, tmp_path):
    seed = 'many_dice = { value = "one_chain", mark = "seed", clause = "W-1.4" }\n'
    reading = '[[readings]]\nclause = "C-8.1"\nmark = "reading"\ntext = "a"\n'
    house(EXTENDS + "[tests]\n" + seed + SEEN + reading + reading.replace('"reading"', '"seed"'))
    child = tmp_path / "child.toml"
    child.write_text('name = "child"\ntitle = "x"\nextends = "house.toml"\n')
    edition = load_edition(child)
    for key, base in (("many_dice", "house"), ("opposed_tie", "conffede")):
        entry = edition.entry(f"tests.{key}")
        assert (entry.mark, entry.source) == ("assumed", f"as {base}")
    moved = edition.entry("shooting.moved")
    assert (moved.mark, moved.source) == ("assumed", "as house")
    ends = [(r.mark, r.source) for r in edition.readings[-3:]]
    assert ends == [("assumed", "as conffede"), ("reading", "as house"), ("assumed", "as house")]


def test_an_edition_is_cheap_to_look_up_and_travels(conffede):
    changed = conffede.with_rule("many_dice=one_chain")
    assert hash(changed) == hash(replace(changed)) != hash(conffede)
    assert {conffede: 1, changed: 2}[replace(changed)] == 2
    sent = pickle.dumps(changed)
    assert pickle.loads(sent) == changed
    code = (  # strings have other hashes in another process
        f"import pickle; e = pickle.loads({sent!r})\n"
        "print({e.with_rule('many_dice=one_chain'): 'found'}[e])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "found\n"
    with pytest.raises(FrozenInstanceError):
        changed.base = "x"


def test_a_file_extends_its_neighbour(house, tmp_path):
    house(EXTENDS + CHAIN.format('"one_chain"'))
    child = tmp_path / "child.toml"
    child.write_bytes(b'\xef\xbb\xbfname = "child"\ntitle = "x"\nextends = "house.toml"\n')
    assert load_edition(child)["tests.many_dice"] == "one_chain"


def test_own_readings_are_added(house, conffede):
    reading = '[[readings]]\nclause = "C-8.1"\nmark = "reading"\ntext = """a\nb"""\n'
    edition = load_edition(house(EXTENDS + reading))
    assert [r.text for r in edition.readings[:-1]] == [r.text for r in conffede.readings]
    assert edition.readings[-1] == Reading("C-8.1", "a b", "reading")


BAD_FILES = {
    "syntax": ("[tests\n", ":3: is not right TOML: "),
    "cut": ('a = "', ":3: is not right TOML: "),
    "unknown key": (EXTENDS + "[tests]\nmany_dise = { value = 1 }\n", ': unknown key "tests.many'),
    "unknown section": (EXTENDS + "[test]\nx = 1\n", ': unknown key "test"; '),
    "missing": ("", f": {len(KEYS)} keys are missing, first tests.reroll_one (a 1 that ends"),
    "choice": (
        EXTENDS + CHAIN.format('"both"'),
        ": tests.many_dice should be 'best_chain' or 'one_chain', not 'both' (of several dice",
    ),
    "type": (EXTENDS + CHAIN.format("1"), ": tests.many_dice should be 'best_chain' or"),
    "bare value": (
        EXTENDS + "[tests]\nmany_dice = 1\n",
        ": tests.many_dice should be a table like",
    ),
    "no value": (
        EXTENDS + '[tests.many_dice]\nmark = "seed"\nclause = "W-1.4"\n',
        ": tests.many_dice: has no value, which is needed",
    ),
    "mark": (
        EXTENDS + '[tests.many_dice]\nvalue = "one_chain"\nmark = "yours"\nclause = "W-1.4"\n',
        ": tests.many_dice: mark should be 'seed', 'source', 'assumed' or 'reading', not 'yours'",
    ),
    "clause": (
        EXTENDS + '[tests.many_dice]\nvalue = "one_chain"\nmark = "seed"\nclause = "4"\n',
        ": tests.many_dice: clause should be like \"W-1.4\", not '4'",
    ),
    "source": (
        EXTENDS + '[tests.many_dice]\nvalue = "one_chain"\nmark = "source"\nclause = "W-1.4"\n',
        ': tests.many_dice: a source (a text) goes with mark = "source"',
    ),
    "field": (
        EXTENDS + '[tests.many_dice]\nvalue = "one_chain"\nmarks = "seed"\n',
        ': tests.many_dice: unknown key "marks"; nearest: mark',
    ),
    "extends": (
        "extends = 4\n",
        ': extends: "4" is neither an edition nor a .toml file; known: c3',
    ),
    "head": ('tittle = "x"\n', ': unknown key "tittle"; nearest: title'),
    "reading": (
        EXTENDS + '[[readings]]\nclause = "C-1.1"\n',
        ": reading 1: has no mark, which is needed",
    ),
    "readings": (EXTENDS + "readings = 3\n", ": readings should be a list"),
    "itself": ('extends = "house.toml"\n', ": extends itself; "),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file_is_one_clear_line(house, case):
    text, message = BAD_FILES[case]
    path = house(text)
    assert refusal(path).startswith(f"{path}{message}")


def chain(folder, length):
    """Write editions of which each extends the next, the last one conffede; the first."""
    for n in range(length):
        parent = "conffede" if n == length - 1 else f"e{n + 1}.toml"
        text = f'name = "e{n}"\ntitle = "t"\nextends = "{parent}"\n'
        (folder / f"e{n}.toml").write_text(text, "utf-8")
    return folder / "e0.toml"


def test_a_chain_of_editions_has_an_end(tmp_path):
    assert load_edition(chain(tmp_path, 15)).base == "e0"
    for length in (17, 3000):
        told = refusal(chain(tmp_path, length))
        assert told.endswith("e16.toml: is the end of a chain of more than 16 editions")


def test_links_that_lead_in_a_circle_are_refused(house, tmp_path):
    (tmp_path / "a.toml").symlink_to("b.toml")
    (tmp_path / "b.toml").symlink_to("a.toml")
    path = house('extends = "a.toml"\n')
    assert refusal(path) == f"{tmp_path}/a.toml: cannot be read: Too many levels of symbolic links"
    (tmp_path / "here").symlink_to(".")
    assert "extends itself" in refusal(house('extends = "here/house.toml"\n'))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = " + "[" * 33 + "]" * 33, "has more than 32 tables and lists in one another"),
        ("x = " + "[" * 9000, "has more than 32 tables and lists in one another"),
        (".".join(["a"] * 9000) + " = 1", "has more than 32 tables and lists in one another"),
        ("[" + ".".join(['"a"'] * 33) + "]", "has more than 32 tables and lists in one another"),
        ("#" * 2**20, "cannot be read: it has more than 1 MB, which no such file needs"),
        ('extends = "a\\u0000.toml"', "extends"),
    ],
)
def test_files_that_would_never_end_are_refused(house, text, message):
    assert message in refusal(house(text))


def test_file_without_name(tmp_path):
    path = tmp_path / "x.toml"
    path.write_text('title = "x"\n')
    assert refusal(path) == f'{path}: name should be a text without +, like name = "house"'


def test_files_that_cannot_be_read(tmp_path):
    assert refusal("c4") == (
        'edition: "c4" is neither an edition nor a .toml file; known: c3, conffede'
    )
    gone = tmp_path / "gone.toml"
    assert refusal(gone) == f"{gone}: cannot be read: No such file or directory"
    gone.write_bytes(b"\xff")
    assert refusal(gone) == f"{gone}: is not UTF-8 text (byte 1)"
