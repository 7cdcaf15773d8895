"""What changes are worth: every value is that of a combat asked alone."""

import csv
import json
import re
import shlex
from dataclasses import replace
from io import StringIO

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import PathCollection
from running import ABLE, ARKEON, BARE, GUARD, PLAIN, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError, Profile
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.sim.base.naming import fighters_of
from estoc.sim.base.options import Options
from estoc.sim.base.percent import signed
from estoc.sim.base.policy import BEST_PLAY, parse_policies
from estoc.sim.base.printed import plain_text
from estoc.sim.base.result import Result
from estoc.sim.combat.combat import combat
from estoc.sim.combat.duel import duel
from estoc.sim.worth.worth import CHANGES, MEAN, WORTH, worth

BEST = (BEST_PLAY, BEST_PLAY)
PEOPLE = [p for p in ROSTER.people("dirz") if p in ABLE]
ASKED = ("worth", GUARD, "--against", "dirz")
WOLF = Profile("Wolf", INI=4, ATT=5, FOR=6, DEF=4, RES=6, PA=30, power=1)
BEAR = Profile("Bear", INI=3, ATT=4, FOR=8, DEF=3, RES=9, PA=30, power=2)
STATS = dict.fromkeys(CHARACTERISTICS, 3)


def worths(a=GUARD, against=WARRIOR, **asked):
    return worth(a, against, roster=ROSTER, **asked)


def by_change(result, enemy=0):
    """Return the rows about one enemy, by change; the first enemy by default."""
    whom = list(dict.fromkeys(row["b"] for row in result))[enemy]
    return {row["change"]: row for row in result if row["b"] == whom}


def differences(result, enemy=0):
    return {change: row["difference"] for change, row in by_change(result, enemy).items()}


def value(a, b, *, sets=(), policies=BEST, **options):
    """Return what a combat is worth, asked by itself."""
    asked = Options(policies=policies, sets=sets, **options)
    found = combat(a, b, options=asked, roster=ROSTER) if isinstance(a, list) else None
    return (found or duel(a, b, options=asked, roster=ROSTER)).rows[0]["value"]


# --- values ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"turns": 2, "policies": parse_policies(("A=bold", "B=cautious"))},
        {"score": "wounds", "chosen_by": "B", "policies": parse_policies(("sensible",))},
        {"score": "A.dead=-3,B.serious=1", "wounds": ("B=light",), "edition_name": "c3"},
    ],
)
def test_every_value_is_that_of_the_combat_alone(options):
    options = {"policies": BEST, **options}
    found = by_change(worths(options=Options(**options)))
    base = value(GUARD, WARRIOR, **options)
    own, other = options["policies"]
    never = {**options, "policies": (replace(own, sustain="never"), other)}
    expected = {
        **{
            f"+1 {key}": value(
                GUARD, WARRIOR, sets=(f"A.{key}={getattr(ROSTER.find(GUARD), key) + 1}",), **options
            )
            for key in CHARACTERISTICS
        },
        "charges": value(GUARD, WARRIOR, charge=("A",), **options),
        "is charged": value(GUARD, WARRIOR, charge=("B",), **options),
        "second attacker": value([GUARD, GUARD], WARRIOR, **options),
    }
    for change, changed in expected.items():
        assert found[change]["without"] == pytest.approx(base, abs=1e-12)
        assert found[change]["with"] == pytest.approx(changed, abs=1e-12)
    sustained = found["sustained defence"]
    assert sustained["without"] == pytest.approx(value(GUARD, WARRIOR, **never), abs=1e-12)
    assert sustained["with"] == pytest.approx(base, abs=1e-12)
    assert {row["value"] for row in found.values()} == {found["charges"]["without"]}


def test_counted_by_hand():
    # A puts two dice in attack, B cannot strike and does not parry: of each 36 wound rolls
    # one kills, 8 are light, and four light wounds kill as well
    a = Profile("A", INI=3, ATT=5, FOR=0, DEF=0, RES=20, PA=10)
    b = Profile("B", INI=3, ATT=5, FOR=0, DEF=5, RES=39, PA=20)
    hand = Options(policies=parse_policies(("A=bold", "B=sensible:parry=none")), all_defence=("B",))
    rows = by_change(worths(a, [b], options=hand))
    assert rows["+1 INI"]["value"] == pytest.approx(1 - (35 / 36) ** 2)
    assert rows["second attacker"]["with"] == pytest.approx(1 - (35 / 36) ** 4 + (8 / 36) ** 4)
    assert {c: r["difference"] for c, r in rows.items() if c != "second attacker"} == {
        change: 0 for change in CHANGES if change != "second attacker"
    }


@pytest.mark.parametrize("policies", [BEST, parse_policies(("B=bold",))])
def test_who_strikes_first_is_a_mixture(policies):
    for enemy in (WARRIOR, BEAR, ABLE[7]):
        options = Options(policies=policies, turns=2)
        row = by_change(worths(WOLF, [enemy], options=options))["is struck first"]
        alone = duel(WOLF, enemy, options=options, roster=ROSTER).rows[0]
        p = alone["p_first_a"]
        assert 0 < p < 1
        assert row["with"] != row["without"]
        assert p * row["without"] + (1 - p) * row["with"] == pytest.approx(alone["value"])


def test_striking_first_counted_by_hand():
    # two dice each in attack: of 36 wound rolls 25 kill and 11 are critical, and a critical
    # wound after another kills
    deadly = {"INI": 3, "ATT": 9, "FOR": 40, "DEF": 0, "RES": 0}
    a, b = Profile("A", PA=10, **deadly), Profile("B", PA=20, **deadly)
    row = by_change(worths(a, [b], options=Options(policies=parse_policies(("bold",)))))
    first = 25 / 36 + 11 / 36 * 11 / 36 - 11 / 36 * 25 / 36
    assert row["is struck first"]["without"] == pytest.approx(first)
    assert row["is struck first"]["with"] == pytest.approx(-first)
    assert row["is struck first"]["difference"] == pytest.approx(-2 * first)


def test_nothing_is_said_of_a_side_that_never_strikes_first():
    quick = Profile("Quick", **STATS | {"INI": 39})
    options = Options(policies=parse_policies(("never",)))
    result = worths(quick, [WARRIOR, Profile("Match", **STATS | {"INI": 38})], options=options)
    rows = by_change(result)
    assert (rows["is struck first"]["with"], rows["is struck first"]["difference"]) == (None, None)
    assert rows["is struck first"]["without"] == pytest.approx(rows["is struck first"]["value"])
    mean = by_change(result, -1)["is struck first"]
    assert (mean["enemies"], mean["difference"]) == (1, differences(result, 1)["is struck first"])


def test_a_card_has_no_more_than_the_most():
    rows = by_change(worths(Profile("Quick", **STATS | {"INI": 40}), [WARRIOR]))
    assert (rows["+1 INI"]["with"], rows["+1 INI"]["difference"]) == (None, None)
    assert rows["+1 ATT"]["difference"] is not None


def test_what_cannot_matter_is_0():
    found = by_change(worths(WOLF, [BEAR]))
    assert found["charges"]["difference"] == 0  # power 1 against 2: no penalty (M-5.1)
    assert found["is charged"]["difference"] < 0
    never = parse_policies(("A=sensible:sustain=never",))
    row = by_change(worths(options=Options(policies=never)))["sustained defence"]
    assert row["difference"] == 0
    useful = by_change(worths(WARRIOR, GUARD, options=Options()))["sustained defence"]
    assert useful["difference"] != 0


@pytest.mark.parametrize("score", ["kills", "wounds"])
def test_seen_from_the_other_side(score):
    one = differences(worths(WOLF, [BEAR], options=Options(policies=BEST, score=score)))
    swapped = Options(policies=BEST, score=score, chosen_by="B")
    other = differences(worths(BEAR, [WOLF], options=swapped))
    assert one["is charged"] == pytest.approx(-other["charges"])
    assert one["charges"] == pytest.approx(-other["is charged"])
    assert one["is struck first"] == pytest.approx(other["is struck first"])
    assert one["is struck first"] < 0 > one["is charged"]


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(BARE),  # best play of several with abilities takes minutes
    st.sampled_from(BARE),
    st.sampled_from(["kills", "wounds", "survival-a"]),
)
def test_the_best_player_never_loses_by_what_he_need_not_use(a, b, score):
    found = differences(worths(a, [b], options=Options(policies=BEST, score=score)))
    for change in ("+1 ATT", "+1 FOR", "+1 DEF", "+1 RES", "sustained defence"):
        assert found[change] >= 0


def test_sustained_defence_is_worth_something_to_the_best_player():
    options = Options(policies=BEST, score="wounds")
    found = differences(worths(WARRIOR, GUARD, options=options))
    assert found["sustained defence"] > 1e-4


# --- rows -----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def people():
    return worths(against="dirz")


def test_a_row_for_each_enemy_and_change_and_a_mean_for_each_change(people):
    labels = [p.label for p in PEOPLE]
    assert [(row["b"], row["change"]) for row in people] == [
        (b, change) for b in (*labels, MEAN) for change in CHANGES
    ]
    assert len({tuple(row) for row in people}) == 1
    for change, mean in by_change(people, -1).items():
        rows = [r for r in people if r["change"] == change and r["b"] != MEAN]
        assert mean["enemies"] == len(rows) == 5
        for key in ("value", "without", "with", "difference"):
            assert mean[key] == pytest.approx(sum(row[key] for row in rows) / 5)
    assert by_change(people, -1)["+1 FOR"]["difference"] > 0.05


def test_enemies_do_not_touch_each_other(people):
    for place, enemy in enumerate(PEOPLE):
        alone = by_change(worths(against=[enemy]))
        assert alone == by_change(people, place)


def test_the_command_of_a_row_gives_it_again():
    options = (
        *("--turns", 2, "--score", "points", "--policy", "B=bold", "--wounds", "B=light"),
        *("--set", f"{GUARD}.ATT=6", "--chosen-by", "B", "--rule", "many_dice=one_chain"),
    )
    rows = answered("worth", GUARD, "--against", WARRIOR, *options)
    assert rows[0]["policy"] == "A=optimal B=bold"
    for row in (rows[0], rows[-1]):
        again = answered(*shlex.split(row["command"])[1:])
        assert [r | {"command": ""} for r in again] == [r | {"command": ""} for r in rows]


def test_the_best_play_of_both_is_the_default():
    plain = worths()
    assert plain.rows[0]["policy"] == "optimal"
    assert plain.command == f'estoc worth "{GUARD}" --against "{WARRIOR}"'
    assert answered(*shlex.split(plain.command)[1:]) == plain.rows
    sensible = worths(options=Options())
    assert sensible.rows[0]["policy"] == "sensible"
    assert answered(*shlex.split(sensible.command)[1:]) == sensible.rows
    assert sensible.rows[0]["value"] != plain.rows[0]["value"]


def test_rows_carry_what_they_depend_on():
    found = by_change(worths())
    assert "M-5.3" in found["charges"]["readings"].split()
    assert "M-5.3" not in found["+1 ATT"]["readings"]
    assert "defaults.power" in found["is charged"]["assumed"].split()
    assert len({row["inputs"] for row in found.values()}) == len(CHANGES)
    assert {row["method"] for row in found.values()} == {"exact"}


def test_options_may_be_about_some_enemies_only():
    options = Options(
        policies=BEST, sets=(f"{ARKEON}.ATT=5", f"{ARKEON}.RES=9"), wounds=(f"{WARRIOR}=light",)
    )
    rows = worths(against=[WARRIOR, ARKEON], options=options).rows
    for first, hurt in ((0, True), (len(CHANGES), False)):
        command = rows[first]["command"]
        assert (ARKEON in command, "light" in command) == (not hurt, hurt)
        assert answered(*shlex.split(command)[1:])[0] == rows[first]
    with pytest.raises(InputError, match='--set "Nobody": no such fighter here'):
        worths(options=Options(sets=("Nobody.ATT=5",)))


# --- who -----------------------------------------------------------------------------


def test_a_people_comes_before_a_fighter_but_for_an_exact_name():
    assert list(fighters_of(["dirz"], ROSTER)) == list(ROSTER.people("dirz"))
    assert next(iter(fighters_of([WARRIOR.lower(), "DIRZ"], ROSTER))) == ROSTER.find(WARRIOR)
    assert set(fighters_of([WARRIOR, "dirz"], ROSTER)) == set(ROSTER.people("dirz"))
    lions = Profile("Lions", **STATS)
    named = replace(ROSTER, fighters=(*ROSTER, lions))
    assert list(fighters_of(["lions"], named)) == [lions]
    assert len(fighters_of(["lion"], named)) == len(ROSTER.people("lion")) > 1
    dirz = Profile("Dirz", **STATS)
    both = replace(ROSTER, fighters=(*ROSTER, dirz))
    assert list(fighters_of(["dirz"], both)) == list(ROSTER.people("dirz"))


def test_who_lacks_something_is_left_out_of_a_people_only():
    result = worths(against="dirz")
    assert "left out: Arkéon Sanath@Conf'Fédé, without ATT, RES" in result.notes
    assert ARKEON in result.rows[-1]["remarks"]
    with pytest.raises(InputError, match="the cell ATT is empty"):
        worths(against=["dirz", ARKEON])
    points = worths(against="dirz", options=Options(policies=BEST, score="points"))
    assert {row["b"] for row in points} == {f"{WARRIOR}@Conf'Fédé", MEAN}
    assert any(note.endswith("without PA") for note in points.notes)
    with pytest.raises(InputError, match=r"score points: .* has no PA"):
        worths(against=[PLAIN], options=Options(score="points"))


def test_nobody_is_left():
    empty = tuple(Profile(name, people="Ghosts", INI=3) for name in ("Boo", "Bah"))
    ghosts = replace(ROSTER, fighters=(*ROSTER, *empty))
    with pytest.raises(InputError, match='no fighter of "Ghosts" has all of INI, ATT'):
        worth(GUARD, "ghosts", roster=ghosts)


def test_the_cost_of_a_second_attacker_is_told():
    assert f"second attacker: another {GUARD}, 49 PA more; his own death counts too" in (
        worths().notes
    )
    unknown = replace(PLAIN, abilities=())  # his take minutes against two
    notes = worths(unknown, WARRIOR).notes
    assert any("whose points are not known" in note for note in notes)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"against": []}, "name at least one enemy"),
        ({"options": Options(charge=("A",))}, "who charges is one of its changes"),
        ({"options": Options(dice=("A=2/0",))}, "policies place the dice"),
        ({"options": Options(rules=("dice.base=12",))}, "combat dice"),
        ({"options": Options(score="A2.dead=-1")}, "there is no fighter A2"),
    ],
)
def test_wrong_questions_are_refused(asked, message):
    with pytest.raises(InputError, match=message):
        worths(**asked)


def test_an_interrupted_run_has_the_enemies_that_are_complete():
    told = []

    def interrupt(answers):
        told.append(answers)
        if len(told) == 27:
            raise KeyboardInterrupt

    result = worths(against="dirz", progress=interrupt, partial=True)
    assert result.stopped == "2 of 5 enemies"
    assert {row["b"] for row in result} == {PEOPLE[0].label, PEOPLE[1].label, MEAN}
    assert {row["enemies"] for row in result if row["b"] == MEAN} == {2}
    assert "stopped after 2 of 5 enemies" in plain_text(result, 80)
    told[:] = [0] * 20
    with pytest.raises(KeyboardInterrupt):
        worths(against="dirz", progress=interrupt)
    told[:] = [0] * 26
    assert worths(against="dirz", progress=interrupt, partial=True).rows == []


def test_progress_counts_every_answer():
    told = []
    worths(against=[WARRIOR, BEAR], progress=told.append)
    assert told == [1] * 20


# --- the table ------------------------------------------------------------------------


def lines_of(text):
    """Return the lines of a table by what stands first in them."""
    return {re.split(r" {2,}", line)[0]: re.split(r" {2,}", line)[1:] for line in text.splitlines()}


def test_signed():
    assert [signed(x) for x in (1, -0.5, 12.345, 0.004, -0.00047, 0, -0.0, None)] == [
        "+1.00", "−0.50", "+12.35", "+0.0040", "−0.00047", "0", "0", "–",
    ]  # fmt: skip
    assert signed(0.0004, 3) == "+0.00040"


def test_the_table_against_a_people(people):
    text = plain_text(people, 80)
    assert max(map(len, text.splitlines())) <= 80
    lines = lines_of(text)
    mean = by_change(people, -1)
    assert set(CHANGES) <= set(lines)
    assert lines["as he is"][0] == signed(100 * mean["+1 INI"]["value"])
    for change in CHANGES:
        rows = [r["difference"] for r in people if r["change"] == change and r["b"] != MEAN]
        cells = [signed(100 * x) for x in (mean[change]["difference"], min(rows), max(rows))]
        assert [lines[change][i] for i in (0, 1, 3)] == cells
    assert lines["is struck first"][2] == "Guerrier de"  # broken, as it is long
    assert lines["is struck first"][4] == "3 enemies"
    assert lines["+1 DEF"][1:] == ["0", "all", "0", "all"]
    shown = [line for line in lines if line in CHANGES]
    assert shown == sorted(shown, key=lambda change: -mean[change]["difference"])
    assert "of 5 enemies" in text
    assert "estoc worth" in text


def test_the_table_against_one():
    text = plain_text(worths(options=Options(policies=BEST, score="wounds")), 80)
    row = by_change(worths(options=Options(policies=BEST, score="wounds")))["+1 FOR"]
    keys = ("without", "with", "difference")
    assert lines_of(text)["+1 FOR"] == [signed(row[key], 3) for key in keys]
    assert "wound levels dealt to B minus levels taken by A" in text
    assert max(map(len, text.splitlines())) <= 80


def test_nothing_that_is_not_0_is_shown_as_0(people):
    rows = [{**row, "difference": (row["difference"] or 1) * 1e-7} for row in people]
    cells = lines_of(plain_text(replace(people, rows=rows), 80))
    for change in CHANGES:
        assert re.fullmatch(r"[+−]0\.0*[1-9]\d?", cells[change][0])
    assert {r["difference"] for r in people} & {0}
    assert any(0 < abs(r["difference"]) < 1 for r in people)


def test_a_missing_difference_is_shown_and_stands_last(people):
    rows = [
        row | dict.fromkeys(("without", "with", "difference"))
        if row["change"] == "second attacker"
        else row
        for row in people
    ]
    text = plain_text(Result(WORTH, rows), 80)
    assert lines_of(text)["second attacker"] == ["–"] * 5
    assert [line for line in lines_of(text) if line in CHANGES][-1] == "second attacker"
    Result(WORTH, rows).plot()


# --- the picture ----------------------------------------------------------------------


def dots(axes):
    """Return the collections of dots of a panel, and where they are."""
    found = [c for c in axes.collections if isinstance(c, PathCollection)]
    return [c.get_offsets().tolist() for c in found]


def test_the_picture_has_a_dot_for_each_enemy_in_each_strip(people):
    picture = people.plot()
    strips, second = picture.axes
    names = [t.get_text().partition("  ")[0] for t in strips.get_yticklabels()]
    mean = by_change(people, -1)
    by_mean = sorted(CHANGES, key=lambda change: -mean[change]["difference"])
    assert names == [change for change in by_mean if change != "second attacker"]
    assert strips.get_yticklabels()[0].get_text() == (
        f"charges  {signed(100 * mean['charges']['difference'])}"
    )
    for axes, changes in ((strips, names), (second, ["second attacker"])):
        assert len(dots(axes)) == 5
        for place, found in enumerate(dots(axes)):
            rows = by_change(people, place)
            for (x, y), change in zip(found, changes, strict=True):
                assert x == pytest.approx(100 * rows[change]["difference"])
                assert round(y) == changes.index(change)
    labels = [t.get_text() for t in picture.legends[0].get_texts()]
    assert labels == ["mean", *(p.name for p in PEOPLE)]
    marks = [c for c in strips.collections if isinstance(c, PathCollection)]
    assert len({str(c.get_paths()) for c in marks}) == 5
    assert "per 100 fights" in second.get_xlabel()


def test_many_enemies_share_a_mark():
    result = worths(against=ABLE[:9])
    picture = result.plot()
    assert [len(dots(axes)) for axes in picture.axes] == [9, 9]
    assert [t.get_text() for t in picture.legends[0].get_texts()] == ["mean", "an enemy"]


def test_one_enemy_has_no_mean():
    picture = worths().plot()
    assert [t.get_text() for t in picture.legends[0].get_texts()] == [WARRIOR]


# --- the command ----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_files_of_each_format(form, people, tmp_path):
    path = tmp_path / f"worth.{form}"
    done = estoc(*ASKED, "-o", path)
    assert (done.code, done.data) == (0, b"")
    assert "estoc: left out: Arkéon Sanath@Conf'Fédé, without ATT, RES\n" in done.err
    rows = people.rows
    if form == "json":
        assert json.loads(path.read_bytes()) == rows
    elif form == "parquet":
        assert pq.read_table(path).to_pylist() == rows
    else:
        read = list(csv.DictReader(StringIO(path.read_text("utf-8"))))
        assert read == [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    assert estoc(*ASKED, "--format", form).data == path.read_bytes()


def test_the_command_prints_a_table_of_80_columns():
    done = estoc(*ASKED)
    assert (done.code, done.err) == (0, "")  # who is left out stands among the notes
    assert "left out: Arkéon Sanath" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    assert done.out.startswith(f"What is it worth? {GUARD} against 5 fighters, 1 turn\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((GUARD, "--against", "dirs"), 'no fighter is called "dirs"; nearest: Dirz'),
        ((GUARD, "--against", "orque"), "could be Orques du Bran-Ô-Kor, Orques du Béhémoth"),
        ((GUARD, "--against", "garde pretoriens"), f"nearest: {GUARD}"),
        ((GUARD, "--against", "xyzzy"), "see estoc profiles list"),
        ((GUARD, "--against", "gua"), "could be Guardiano"),
        (("xyzzy", "--against", "dirz"), 'no fighter is called "xyzzy"'),
        ((GUARD, "--against", ARKEON), "the cell ATT is empty"),
        ((GUARD, "--against", WARRIOR, "--score", "fun"), 'score "fun": expected one of kills'),
        ((GUARD, "--against", WARRIOR, "--policy", "meek"), 'policy "meek" is unknown'),
        ((GUARD, "--against", WARRIOR, "--plot", "worth.txt"), "ending of a picture"),
        ((ARKEON, "--against", WARRIOR), "the cell ATT is empty"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(words, message):
    done = estoc("worth", *words)
    assert (done.code, done.data) == (2, b"")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_no_enemy_and_no_trials():
    assert estoc("worth", GUARD).code == 2
    done = estoc("worth", GUARD, "--against", "dirz", "--trials", 100)
    assert (done.code, "No such option" in done.err) == (2, True)


def test_a_policy_of_one_side_leaves_the_best_play_to_the_other():
    rows = answered("worth", GUARD, "--against", WARRIOR, "--policy", "A=bold")
    assert rows[0]["policy"] == "A=bold B=optimal"
    both = answered("worth", GUARD, "--against", WARRIOR, "--policy", "cautious")
    assert both[0]["policy"] == "cautious"


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_pictures_are_the_same_each_time(ending, tmp_path):
    data = set()
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{ending}"
        done = estoc("worth", GUARD, "--against", WARRIOR, "--plot", path)
        assert (done.code, done.err) == (0, f"estoc: drew {path}\n")
        data.add(path.read_bytes())
    assert len(data) == 1


def test_the_second_attacker_comes_unhurt():
    found = worth(
        GUARD, [WARRIOR], options=Options(policies=BEST, wounds=("A=critical",)), roster=ROSTER
    )
    second = next(row for row in found if row["change"] == "second attacker")
    options = Options(policies=BEST, wounds=("A1=critical",))
    both = combat([GUARD, GUARD], [WARRIOR], options=options, roster=ROSTER).rows[0]
    assert second["with"] == pytest.approx(both["value"], abs=1e-12)


def test_equal_fighters_are_worth_nothing_to_each_other_exactly():
    for row in worth(GUARD, [GUARD], options=Options(policies=BEST), roster=ROSTER):
        assert row["value"] == 0


def test_french_says_who_is_struck_first():
    """Being struck first costs: the sign is negative, in rows, texts and picture."""
    command = ("worth", GUARD, "--against", WARRIOR)
    row = by_change(worth(GUARD, [WARRIOR]))["is struck first"]
    assert row["difference"] == pytest.approx(-0.0826, abs=5e-5)
    english, french = (estoc(*command, "--lang", name).out for name in ("en", "fr"))
    assert re.search(r"^is struck first .*−8\.26 *$", english, re.MULTILINE)
    assert re.search(r"^est frappé en premier .*−8,26 *$", french, re.MULTILINE)
    assert "a frappé" not in french
    axes = worth(GUARD, [WARRIOR]).plot().axes[0]
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    assert "is struck first  −8.26" in labels
