"""Does an ability pay: paired values, prices fitted by them, tables, pictures, the command."""

import json
import re
import shlex
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pyarrow.parquet as pq
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from running import ABLE, ARKEON, GUARD, ROSTER, WARRIOR, answered, estoc

from estoc.profiles import InputError, Profile
from estoc.profiles.fighters.abilities import load_abilities
from estoc.profiles.fighters.card import CHARACTERISTICS
from estoc.profiles.fighters.prices import load_prices
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY, parse_policies
from estoc.sim.base.printed import plain_text
from estoc.sim.base.result import read_rows
from estoc.sim.combat.duel import duel
from estoc.sim.combat.exact import Engine
from estoc.sim.combat.question import Question
from estoc.sim.worth.abilities import ability_worth, valuations_of
from estoc.sim.worth.fit import fitted, verdict
from estoc.sim.worth.subjects import ABILITY, CHARACTERISTIC, LINE, SITUATIONS, subjects_of
from estoc.sim.worth.worth import CHARGES, IS_CHARGED, MEAN, worth

BEST = (BEST_PLAY, BEST_PLAY)
PRICES = load_prices()
WORTH = ("worth", GUARD, "--abilities", "--against", WARRIOR)
STATS = dict.fromkeys(CHARACTERISTICS, 5)
OWNER = Profile(
    "Owner", **STATS, PA=30, power=1, abilities=("Toxique/3", "Éclaireur", "toxique", "Brutale")
)
ENEMY = Profile("Enemy", people="Orques | du Bran-Ô-Kor", **STATS, PA=30, power=1)

# What acts in no combat of two, and where it does.
ELSEWHERE = {
    "Cri de guerre/1": "in fear",
    "Cible/2": "in shooting",
    "Précision": "in shooting",
    "Stratège": "in Discipline",
    "Régénération/5": "in maintenance",
    "Rapidité": "in movement",
    "Implacable/1": "in pursuit",
    "Désengagement/4": "in disengagement",
    "+1 COU": "in fear",
    "+1 DIS": "in Discipline",
    "Cible/+2": "in shooting",
}
UNKNOWN_LINES = {"Vivacité", "Soin/5", "Résolution/2", "Aimé des dieux"}
IN_A_CHARGE = {
    "Charge bestiale": CHARGES,
    "Assassin": CHARGES,
    "Brutal": CHARGES,
    "Inébranlable": IS_CHARGED,
    "INI+1 & Assassin": CHARGES,
    "FOR+1 & Brutal": CHARGES,
    "ATT+1 DEF+1 FOR+2 & Charge bestiale": CHARGES,
    "RES+1 & Inébranlable": IS_CHARGED,
}


def valued(a=GUARD, against=WARRIOR, **asked):
    return ability_worth(a, against, roster=ROSTER, **asked)


def by_what(result, enemy=None):
    """Return the rows about an enemy, by kind and name; the mean rows by default."""
    whom = MEAN if enemy is None else enemy
    return {(row["kind"], row["what"]): row for row in result if row["b"] == whom}


def pairs(a, b, options=None):
    """Return the questions compared for each subject, by kind and name."""
    options = options or Options(policies=BEST)
    (valuation,), _ = valuations_of(a, [b], options, ROSTER)
    both = zip(valuation.subjects, valuation.compared, strict=True)
    return {(s.kind, s.what): pair for s, pair in both}


# --- what is compared -----------------------------------------------------------------


def test_every_ability_of_the_file_is_valued_or_named_with_its_reason():
    subjects = [s for s in subjects_of(ROSTER.find(GUARD), PRICES) if s.kind == ABILITY]
    names = Counter(part.entry.name for s in subjects for part in s.parts)
    assert names == Counter({e.name: 1 for e in load_abilities().ability}) | {"Immunité": 3}
    for subject in subjects:
        place = ELSEWHERE.get(subject.what)
        assert subject.reason == (f"acts only {place}" if place else "")
        assert subject.situation == IN_A_CHARGE.get(subject.what, SITUATIONS[0])


def test_every_line_is_valued_whole_in_part_or_named_with_its_reason():
    found = {s.what: s for s in subjects_of(ROSTER.find(GUARD), PRICES) if s.kind == LINE}
    assert list(found) == [price.what for price in PRICES]
    none = {what: s.reason for what, s in found.items() if s.reason}
    assert none == {
        **{what: f"acts only {ELSEWHERE[what]}" for what in found if what in ELSEWHERE},
        **dict.fromkeys(UNKNOWN_LINES, "is not known"),
    }
    in_part = {what: s.not_counted for what, s in found.items() if not (s.is_whole or s.reason)}
    assert in_part == {
        "ATT+1 & Force en charge/4": ("Force en charge/4 (is not known)",),
        "INI+1 & Parade": ("Parade (is not known)",),
        "INI+1 ATT+1 & Fine lame": ("Fine lame (is not known)",),
        "INI+1 & Rapidité": ("Rapidité (acts only in movement)",),
        "RES+5 MOU−2.5": ("−2.5 MOU (acts only in movement)",),
        "DEF+1 RES+1 & immunity to wound penalties and Stunned": (
            "immunity to wound penalties and Stunned (is not known)",
        ),
        "Monture: MOU+7.5 RES+1, Destrier, Grande taille": (
            *("+7.5 MOU (acts only in movement)", "Destrier (is not known)"),
            "Grande taille (is not known)",
        ),
    }
    for what, subject in found.items():
        assert subject.situation == IN_A_CHARGE.get(what, SITUATIONS[0])


def test_what_an_ability_does_besides_is_named():
    found = {s.what: s.not_counted for s in subjects_of(OWNER, PRICES) if s.kind == ABILITY}
    assert {what: besides for what, besides in found.items() if besides} == {
        "Dur à cuire": ("Dur à cuire (when he is charged)",),
        "Brute épaisse": ("Brute épaisse (when he charges)",),
        "Juste": ("Juste (in fear)",),
        "Mort-vivant": ("Mort-vivant (in fear)", "Mort-vivant (in Discipline)"),
    }


def test_numbers_are_those_of_the_list_or_the_card_or_the_usual_ones_or_1():
    card = replace(OWNER, abilities=("Toxique/3", "Enchaînement/2", "Tueur né/2", "Implacable"))
    found = {s.parts[0].entry.name: s for s in subjects_of(card, PRICES) if s.kind == ABILITY}
    told = {
        name: (found[name].what, found[name].points, found[name].number_from)
        for name in ("Toxique", "Enchaînement", "Tueur né", "Implacable", "Contre-attaque", "Fléau")
    }
    assert told == {
        "Toxique": ("Toxique/1", 6, "price"),
        "Enchaînement": ("Enchaînement/2", None, "card"),
        "Tueur né": ("Tueur né/2", None, "card"),
        "Implacable": ("Implacable/1", None, "assumed"),
        "Contre-attaque": ("Contre-attaque", None, "default"),
        "Fléau": ("Fléau/X", None, "the enemy"),
    }


def test_switching_changes_the_card_of_a_and_nothing_else():
    options = Options(policies=parse_policies(("A=bold",)), wounds=("B=light",), turns=2)
    for (_, what), pair in pairs(GUARD, WARRIOR, options).items():
        if isinstance(pair, str):
            continue
        without, changed = pair
        situation = IN_A_CHARGE.get(what, SITUATIONS[0])
        for question in pair:
            assert question.options == options
            assert question.b[0].wounds == "light"
            assert question.a[0].charges == (situation == CHARGES)
            assert question.b[0].charges == (situation == IS_CHARGED)
        assert without.a[0].profile == ROSTER.find(GUARD)  # he has no abilities
        assert replace(changed.a[0], profile=without.a[0].profile) == without.a[0]
        assert replace(changed, a=without.a) == without
        assert changed.a[0].profile != without.a[0].profile


def test_who_has_the_ability_already_is_compared_without_it():
    found = pairs(OWNER, ENEMY)
    without, changed = (q.a[0].profile for q in found[ABILITY, "Toxique/1"])
    assert without.abilities == ("Éclaireur", "Brutale")  # both spellings of it are gone
    assert changed == replace(without, abilities=("Éclaireur", "Brutale", "Toxique/1"))
    without, changed = (q.a[0].profile for q in found[LINE, "FOR+1 & Brutal"])
    assert without == replace(OWNER, abilities=("Toxique/3", "Éclaireur", "toxique"))
    assert (changed.FOR, changed.abilities[-1]) == (6, "Brutal")
    without, changed = (q.a[0].profile for q in found[ABILITY, "Féroce"])
    assert (without, changed.abilities) == (OWNER, (*OWNER.abilities, "Féroce"))


def test_a_bane_is_one_of_each_enemy():
    _, changed = pairs(GUARD, WARRIOR)[ABILITY, "Fléau/X"]
    assert changed.a[0].profile.abilities == ("Fléau/Dirz",)
    _, changed = pairs(GUARD, ENEMY)[ABILITY, "Fléau/X"]
    assert changed.a[0].profile.abilities == ("Fléau/Orques du Bran-Ô-Kor",)
    _, changed = pairs(GUARD, replace(ENEMY, people=""))[ABILITY, "Fléau/X"]
    assert changed.a[0].profile.abilities == ("Fléau/Enemy",)


def test_a_bundle_that_no_card_may_have_has_no_value():
    giant = Profile("Giant", **STATS | {"FOR": 38, "DEF": 0}, PA=30)
    rows = by_what(valued(giant, [WARRIOR]))
    assert rows[LINE, "FOR+5 DEF−1"]["difference"] is None
    assert rows[LINE, "FOR+5 DEF−1"]["reason"] == "no card has FOR 43"
    assert rows[LINE, "(two-handed) FOR+3 & Brute épaisse"]["reason"] == "no card has FOR 41"
    assert rows[LINE, "+2 FOR"]["difference"] is not None


def test_an_ability_without_exact_answer_has_its_reason_and_stops_nothing(monkeypatch):
    def many(question):
        return "9 combat dice" * ("Tueur né" in question.a[0].profile.abilities)

    monkeypatch.setattr(Question, "obstacle", property(many))
    rows = by_what(valued())
    for kind in (ABILITY, LINE):
        row = rows[kind, "Tueur né"]
        assert (row["difference"], row["whole"], row["reason"]) == (None, False, "9 combat dice")
    assert rows[ABILITY, "Feinte"]["reason"] == ""


# --- values ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def people():
    return valued(against="dirz")


def test_values_of_characteristics_are_those_of_the_duel_alone():
    options = Options(policies=BEST, turns=2, score="wounds")
    rows = by_what(valued(options=options))
    plain = {row["change"]: row for row in worth(GUARD, WARRIOR, options=options, roster=ROSTER)}
    for key in CHARACTERISTICS:
        for kind in (CHARACTERISTIC, LINE):
            for column in ("value", "without", "with", "difference"):
                assert rows[kind, f"+1 {key}"][column] == plain[f"+1 {key}"][column]
    sets = ("A.INI=4", "A.ATT=6", "A.DEF=6")
    asked = replace(options, sets=sets)
    (row,) = duel(GUARD, WARRIOR, options=asked, roster=ROSTER)
    bundle = rows[LINE, "INI+1 ATT+1 DEF+1"]
    assert bundle["with"] == pytest.approx(row["value"], abs=1e-12)
    charged = replace(options, charge=("B",))
    (row,) = duel(GUARD, WARRIOR, options=charged, roster=ROSTER)
    assert rows[LINE, "RES+1 & Inébranlable"]["without"] == pytest.approx(row["value"], abs=1e-12)


def test_an_ability_in_play_has_the_value_of_both_cards_asked_alone():
    # a magician places his dice first, a warrior-mage does not (C-3.4)
    mage = Profile("Mage", **STATS | {"ATT": 3}, PA=30, power=1, caster="magician")
    options = Options(policies=BEST)
    row = by_what(valued(mage, [ENEMY], options=options))[ABILITY, "Guerrier-mage"]
    warrior = replace(mage, abilities=("Guerrier-mage",))
    alone = [duel(a, ENEMY, options=options).rows[0]["value"] for a in (mage, warrior)]
    assert (row["without"], row["with"]) == (pytest.approx(alone[0]), pytest.approx(alone[1]))
    assert row["difference"] != 0
    owner = by_what(valued(warrior, [ENEMY], options=options))[ABILITY, "Guerrier-mage"]
    for column in ("without", "with", "difference"):
        assert owner[column] == pytest.approx(row[column])
    assert owner["value"] == pytest.approx(row["with"])


def test_rows_are_paired_enemy_by_enemy_and_their_mean(people):
    enemies = list(dict.fromkeys(row["b"] for row in people))
    assert len(enemies) == 6
    subjects = subjects_of(ROSTER.find(GUARD), PRICES)
    assert [(row["kind"], row["what"]) for row in people] == 6 * [
        (s.kind, s.what) for s in subjects
    ]
    for key, mean in by_what(people).items():
        rows = [by_what(people, enemy)[key] for enemy in enemies[:-1]]
        if mean["difference"] is None:
            assert (mean["enemies"], mean["reason"]) == (0, rows[0]["reason"])
            assert mean["reason"]
            continue
        assert mean["enemies"] == 5
        for column in ("value", "without", "with", "difference"):
            assert mean[column] == pytest.approx(np.mean([row[column] for row in rows]))
        assert {row["value"] - row["without"] for row in rows} == {0.0} or key[1] in IN_A_CHARGE


def test_an_enemy_alone_is_the_same(people):
    enemy = ABLE[[p.label for p in ABLE].index(f"{WARRIOR}@Conf'Fédé")]
    assert by_what(valued(against=[enemy]), enemy.label) == by_what(people, enemy.label)


def test_what_does_not_act_is_never_0(people):
    for row in people:
        acts = row["what"] not in ELSEWHERE | dict.fromkeys(UNKNOWN_LINES)
        assert (row["difference"] is not None) == acts == (not row["reason"])


# --- an engine that plays abilities, as far as these tests need one -----------------------


def priced_engine(special):
    """Return an engine by which each whole line is worth 0.01 a point, but special ones."""

    class Priced:
        def law(self, question):
            return SimpleNamespace(value=self.value(question.a[0].profile), remainder=0.0)

        def value(self, profile):
            for (kind, what), pair in asked.items():
                if kind == LINE and not isinstance(pair, str) and pair[1].a[0].profile == profile:
                    points = next(p.points for p in PRICES if p.what == what)
                    return special.get(what, 0.01 * points + wobble[what])
            return 0.0

    asked = pairs(GUARD, WARRIOR)
    wobble = {p.what: 0.002 * (-1) ** i for i, p in enumerate(PRICES)}
    return Priced


@pytest.fixture
def played(monkeypatch):
    """An answer in which one line is far too cheap, and one far too dear."""
    monkeypatch.setattr(
        "estoc.sim.worth.worth.Engine", priced_engine({"Chance": 0.4, "Aguerri": -0.2})
    )
    return valued()


def test_outliers_both_ways(played):
    rows = by_what(played)
    lines = [row for (kind, _), row in rows.items() if kind == LINE and row["whole"]]
    assert len(lines) == 61 - 7 - 9
    verdicts = {row["what"]: row["verdict"] for row in lines if row["verdict"]}
    assert verdicts == {"Chance": "cheap", "Aguerri": "dear"}
    fit = fitted([row["price"] for row in lines], [row["difference"] for row in lines])
    for row, residual, z in zip(lines, fit.residuals, fit.standardised, strict=True):
        assert row["value_of_price"] == pytest.approx(fit.per_point * row["price"])
        assert row["difference"] - row["value_of_price"] == pytest.approx(residual)
        assert row["z_residual"] == z
        assert row["value_per_point"] == pytest.approx(row["difference"] / row["price"])


def test_what_is_not_whole_has_no_verdict(played):
    for row in played:
        if row["b"] != MEAN or row["kind"] != LINE or not row["whole"]:
            assert (row["value_of_price"], row["z_residual"], row["verdict"]) == (None, None, "")
    assert by_what(played)[ABILITY, "Chance"]["value_per_point"] == pytest.approx(0.04)
    assert by_what(played)[LINE, "RES+5 MOU−2.5"]["value_per_point"] is None


def test_where_no_ability_changes_anything_nothing_is_claimed_of_one(monkeypatch):
    class Deaf(Engine):
        """An engine that plays no abilities."""

        def law(self, question):
            (own,) = question.a
            plain = replace(own, profile=own.profile.with_values({"abilities": ()}))
            return super().law(replace(question, a=(plain,)))

    monkeypatch.setattr("estoc.sim.worth.worth.Engine", Deaf)
    result = valued()
    rows = by_what(result)
    assert rows[ABILITY, "Chance"]["unseen"] == "Chance"
    assert rows[LINE, "FOR+1 & Féroce"]["unseen"] == "Féroce"
    for row in rows.values():
        assert not (row["unseen"] and (row["whole"] or row["verdict"] or row["value_per_point"]))
    assert rows[LINE, "FOR+5 DEF−1"]["whole"]
    text = " ".join(plain_text(result, 80).split())
    assert "no ability changes any value here, so nothing is claimed of one: Guerrier-mage" in text


# --- the fit --------------------------------------------------------------------------

points = st.integers(1, 25)
worths = st.floats(-1, 1).filter(lambda x: x == 0 or abs(x) > 1e-3)
made_up = st.lists(st.tuples(points, worths), min_size=3, max_size=30)


@settings(deadline=None)
@given(made_up, st.sampled_from([0.01, 3.0, 100.0]))
def test_the_fit_is_that_of_a_library(rows, scale):
    x, y = np.array([p for p, _ in rows], float), np.array([v for _, v in rows])
    found = fitted(x, y)
    model = sm.OLS(y, x).fit()
    assert found.per_point == pytest.approx(model.params[0])
    assert found.residuals == pytest.approx(model.resid, abs=1e-12)
    if model.ssr > 1e-6:
        expected = model.get_influence().resid_studentized_internal
        assert found.standardised == pytest.approx(expected, abs=1e-9)
        scaled = fitted(x, scale * y)
        assert scaled.per_point == pytest.approx(scale * found.per_point)
        assert scaled.standardised == pytest.approx(found.standardised, abs=1e-9)


def test_the_fit_by_hand():
    # 1 for 1 and 3 for 2: (1 + 6) / (1 + 4); residuals -0.4 and 0.2, their spread sqrt(0.2)
    found = fitted([1, 2], [1, 3])
    assert found.per_point == pytest.approx(1.4)
    assert found.residuals == pytest.approx((-0.4, 0.2))
    assert found.standardised == pytest.approx((-1, 1))
    exact = fitted([1, 2, 3], [0.1, 0.2, 0.3])
    assert exact.standardised == (0, 0, 0)
    assert fitted([1], [1]) is None
    assert [verdict(z) for z in (2.01, 2, -2, -2.01)] == ["cheap", "", "", "dear"]


# --- the table and the picture ---------------------------------------------------------


def test_tables_have_80_columns(people, played):
    for result in (people, played):
        text = plain_text(result, 80)
        assert max(map(len, text.splitlines())) <= 80
        for price in PRICES:  # broken over lines, but there
            assert price.what.split()[0] in text
        for name in ELSEWHERE:
            assert name in text


def test_abilities_are_sorted_by_value(played):
    text = plain_text(played, 80)
    assert text.startswith(f"Does an ability pay? {GUARD} against {WARRIOR}, 1 turn\n")
    table = text.partition("no value in a combat of two")[0].splitlines()[4:]
    values = [
        float(match[1].replace("−", "-"))
        for match in (re.match(r"\S.{20,21} +(?:\d+ +)?([+−]?[\d.]+) ", line) for line in table)
        if match
    ]
    assert values == sorted(values, reverse=True)
    assert len(values) > 40
    assert table[0].startswith("Chance ")


def test_the_table_names_the_outliers_and_what_a_point_buys(played):
    text = " ".join(plain_text(played, 80).split())
    row = by_what(played)[LINE, "Chance"]
    per_point = 100 * row["value_of_price"] / row["price"]
    assert f"one PA buys +{per_point:.2f}: least squares through 0, 45 of 61 lines" in text
    assert "beyond 2 standardised residuals: 2 of 45" in text
    assert "cheap: Chance (10 PA)" in text
    assert "dear: Aguerri (15 PA)" in text
    assert "no value in a combat of two (acts only in movement): Rapidité" in text
    assert "Dur à cuire 4 +3.80 0 +3.80 not counted: when he is charged" in text


def test_the_table_of_too_few_lines(played):
    rows = [{**row, "whole": False, "value_of_price": None, "verdict": ""} for row in played]
    text = plain_text(replace(played, rows=rows), 80)
    assert "too few lines whose parts are all valued" in text
    replace(played, rows=rows).plot()


def test_the_picture_has_a_dot_for_each_line_and_names_the_outliers(played):
    (axes,) = played.plot().axes
    dots = [c.get_offsets().tolist() for c in axes.collections]
    assert [len(found) for found in dots] == [7, 43, 2]
    assert sorted(map(tuple, dots[2])) == [(10, pytest.approx(40)), (15, pytest.approx(-20))]
    assert sorted(t.get_text() for t in axes.texts) == ["Aguerri", "Chance"]
    row = by_what(played)[LINE, "Chance"]
    slope = 100 * row["value_of_price"] / row["price"]
    assert any(
        line.get_ydata()[-1] == pytest.approx(slope * 20)
        for line in axes.lines
        if list(line.get_xdata()) == [0, 20]
    )


# --- the command ----------------------------------------------------------------------


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_files_of_each_format(form, tmp_path):
    path = tmp_path / f"pay.{form}"
    done = estoc(*WORTH, "-o", path)
    assert (done.code, done.data) == (0, b"")
    rows = valued().rows
    rows = [{**row, "command": ""} for row in rows]
    if form == "json":
        read = json.loads(path.read_bytes())
    elif form == "parquet":
        read = pq.read_table(path).to_pylist()
    else:
        read = read_rows(path)  # without the apostrophes before what looks like a formula
        rows = [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows]
    assert [{**row, "command": ""} for row in read] == rows


def test_commands_give_the_answer_again():
    options = ("--set", "A.abilities=Bravoure|Toxique/3", "--turns", 2, "--policy", "B=bold")
    rows = answered(*WORTH, *options, "--wounds", f"{WARRIOR}=light")
    assert rows[0]["policy"] == "A=optimal B=bold"
    assert "its abilities: Bravoure, Toxique/3" in rows[-1]["remarks"]
    for row in (rows[0], rows[-1]):
        again = answered(*shlex.split(row["command"])[1:])
        assert [r | {"command": ""} for r in again] == [r | {"command": ""} for r in rows]


def test_the_command_prints_tables_and_draws(tmp_path):
    data = set()
    for name in ("one", "two"):
        path = tmp_path / f"{name}.svg"
        done = estoc(*WORTH, "--plot", path)
        assert (done.code, done.err) == (0, f"estoc: drew {path}\n")
        data.add(path.read_bytes())
    assert len(data) == 1
    assert max(map(len, done.out.splitlines())) <= 80
    assert f'estoc worth "{GUARD}" --abilities --against "{WARRIOR}"' in done.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("worth", "xyzzy", "--abilities", "--against", "dirz"), 'no fighter is called "xyzzy"'),
        (("worth", GUARD, "--abilities", "--against", "dirs"), "nearest: Dirz"),
        (("worth", ARKEON, "--abilities", "--against", WARRIOR), "the cell ATT is empty"),
        ((*WORTH, "--score", "fun"), 'score "fun": expected one of kills'),
        ((*WORTH, "--policy", "meek"), 'policy "meek" is unknown'),
        ((*WORTH, "--plot", "pay.txt"), "ending of a picture"),
        ((*WORTH, "--rule", "dice.base=12"), "combat dice"),
        ((*WORTH, "--no-abilities"), "drop --no-abilities"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(words, message):
    done = estoc(*words)
    assert (done.code, done.data) == (2, b"")
    assert message in done.err
    assert done.err.count("\n") == 1


def test_no_enemy_and_no_number():
    assert estoc("worth", GUARD, "--abilities").code == 2
    assert "No such option" in estoc(*WORTH, "--trials", 100).err
    with pytest.raises(InputError, match="name at least one enemy"):
        valued(against=[])


def test_progress_counts_each_combat_once_and_a_stopped_run_has_whole_enemies():
    told = []
    (one, other), _ = valuations_of(GUARD, ABLE[:2], Options(policies=BEST), ROSTER)
    assert len(set(one.questions)) == len(one.questions) == len(other.questions)

    def interrupt(answers):
        told.append(answers)
        if len(told) == len(one.questions) + 5:
            raise KeyboardInterrupt

    result = valued(against=ABLE[:2], progress=interrupt, partial=True)
    assert result.stopped == "1 of 2 enemies"
    assert {row["b"] for row in result} == {ABLE[0].label, MEAN}
    assert "stopped after 1 of 2 enemies" in plain_text(result, 80)
    told[:] = [0] * (len(one.questions) + 4)
    with pytest.raises(KeyboardInterrupt):
        valued(against=ABLE[:2], progress=interrupt)
    told[:] = [0] * (len(one.questions) + 4)
    assert valued(against=ABLE[:2], progress=interrupt, partial=True).rows == []
