"""Reports: what they say is what the run found, and a real browser shows it."""

import json
import re
from base64 import b64decode
from dataclasses import replace
from gzip import decompress
from html import unescape
from pathlib import Path

import pytest
from chromium import opened
from run_batches import write
from running import estoc

from estoc.profiles import InputError
from estoc.profiles.files.reading import using
from estoc.sim.ask.combats import Duel
from estoc.sim.batch.folder import load_run
from estoc.sim.batch.results import PLACE, Answered
from estoc.sim.batch.runs import run
from estoc.sim.combat.duel import DUEL
from estoc.sim.combat.sweep import SWEEP
from estoc.sim.report.charts import told_apart
from estoc.sim.report.report import contents, report, rows_table, save_report
from estoc.sim.report.words import sentences, winner
from estoc.sim.text.speech import spoken

BATCH = """
title = "What to bring"
seed = 5

[[job]]
name = "lists"
command = "matchup"
lists = ["daikinee-foot", "devoreurs-elite", "devoreurs-horde"]
policies = "aggressive"
trials = 20

[[job]]
name = "ambush"
command = "battle"
scenario = "ambush"
trials = 60

[[job]]
name = "best"
command = "solve"
a = "garde prétorien"
b = "guerrier de l'aube"
set = "A.ATT=6"

[[job]]
name = "dice"
command = "sweep"
a = "garde prétorien"
b = "guerrier de l'aube"
best = true
trials = 2000

[[job]]
name = "hangs"
command = "compare"
battles = "ambush"
sensitivity = true
trials = 10

[[job]]
name = "grid"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 20000
[job.grid]
turns = [1, 2, 3]

[[job]]
name = "sheet"
command = "sheet contagion"
layout = "line:5"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Return the folder of a run of every kind."""
    place = tmp_path_factory.mktemp("report")
    run(write(place, BATCH), place / "run")
    return place / "run"


@pytest.fixture(scope="module")
def found(folder):
    return load_run(folder)


def result_of(found, job):
    return next(one.result for one in found.answered if one.job == job)


# --- what is said ------------------------------------------------------------------------


def test_each_job_has_its_answer_with_interval_and_method(found):
    said = {chapter.name: chapter.sentences for chapter in contents(found).chapters}
    assert list(said) == ["lists", "ambush", "best", "dice", "hangs", "grid", "sheet"]
    assert re.search(
        r"scores most against the field, \d+\s% \(95\s% interval by pairs of battles \d+",
        said["lists"][0],
    )
    assert "(sampled, n = 60)" in said["ambush"][0]
    assert "best play is A 2/0, B 1/1" in said["best"][0]
    assert said["best"][0].endswith("(exact).")
    assert "the safest dice are 2/0" in said["dice"][1]
    assert [text.partition(":")[0] for text in said["grid"]] == ["turns=1", "turns=2", "turns=3"]
    assert all("sampled, n = 20,000" in text for text in said["grid"])
    assert "2.75" in " ".join(said["sheet"])


def test_who_wins_more_often_is_said_only_where_it_can_be_told():
    row = {"trials": 1000, "wins_a": 120, "wins_b": 100}
    assert winner(row) == 0  # 20 against an error of about 15
    assert winner({**row, "wins_a": 140}) == 1
    assert winner({**row, "wins_b": 160}) == -1
    assert winner({"trials": None, "p_a": 0.1, "p_b": 0.1}) == 0
    assert winner({"trials": None, "p_a": 0.1, "p_b": 0.2}) == -1


def test_percentages_in_sentences_are_neither_0_nor_100_of_what_is_possible(found):
    result = result_of(found, "dice")
    row = {**result.rows[0], "wins_a": 0, "p_a": 0.0}
    text = sentences(replace(result, kind=DUEL, rows=[row]))[0]
    assert re.search(r"A wins < 0\.\d+\s%", text)
    assert not re.search(r"\b0\s%", text)


def test_meetings_are_told_apart_all_together():
    def row(entrant, other, score, half):
        ends = {"score_low": score - half, "score_high": score + half}
        return {"entrant": entrant, "other": other, "score": score, **ends}

    # half the interval is 1.96 errors: p of 0.0455 alone, above 5 % among four
    rows = [row("a", "b", 0.52, 0.0196), row("c", "d", 0.5, 0.02), row("e", "f", 0.6, 0.02)]
    rows += [row("g", "h", 0.505, 0.02), row("b", "a", 0.48, 0.0196)]
    told = {(r["entrant"], r["other"]): shown for r, shown in told_apart(rows)}
    assert told["e", "f"]
    assert not told["c", "d"]
    assert not told["a", "b"]
    assert not told["b", "a"]
    assert [shown for _, shown in told_apart(rows[:1])] == [True]  # alone it is told


def test_errors_and_warnings_come_first(found):
    bad = replace(found, errors=("job x: it failed",), warnings=("left out: y",))
    text = report(bad)
    assert text.index("Error: job x: it failed") < text.index("Warning: left out: y")
    assert text.index("Warning: left out: y") < text.index('<h2 id="job-lists">')


def test_a_cell_that_failed_is_said(found):
    failed = Answered("odd", 9, {"turns": 2}, {"command": "duel"}, result_of(found, "grid"))
    failed = replace(failed, result=replace(failed.result, rows=[]), failure="no such fighter")
    chapters = contents(replace(found, answered=(*found.answered, failed))).chapters
    assert chapters[-1].sentences == ["failed: no such fighter"]
    assert chapters[-1].rows is None


def test_names_are_text_not_html(found):
    odd = replace(found, title="<script>alert(1)</script>", warnings=("<b>x</b>",))
    text = report(odd)
    assert "<script>alert" not in text
    assert "&lt;b&gt;x" in text


def test_cards_and_what_was_changed_on_them(found):
    cards, changes = contents(found).cards
    by_name = {line[0]: line for line in cards.lines}
    assert by_name["Garde prétorien"][2:8] == ["49", "3", "5", "8", "5", "11"]
    assert changes.lines == [["best", "Garde prétorien", "ATT", "5", "6"]]


def test_five_trials_are_worth_replaying(found):
    (table,) = next(c for c in contents(found).chapters if c.name == "ambush").tables
    assert len(table.lines) == 5
    for line in table.lines:
        assert line[3].startswith("estoc replay ambush ")
        assert line[3].endswith(f"--seed 5 --trial {line[2]}")


def test_what_to_place_and_what_habits_cost(found):
    placed, habits = next(c for c in contents(found).chapters if c.name == "best").tables
    assert len(placed.lines) == 9
    assert [line[0] for line in placed.lines if line[2] == "0"] == ["A 2/0, B 1/1"]
    assert len(habits.lines) == 12


def test_charts_are_there_and_the_same_to_the_byte(found):
    titles = {c.name: [chart.title for chart in c.charts] for c in contents(found).chapters}
    assert titles["lists"][:2] == ["Each against each", "Each against the field"]
    assert sum(title.startswith("Losses: ") for title in titles["lists"]) == 3
    assert titles["lists"][-1] == "Turns to the end"
    assert titles["ambush"][1:] == [
        "Losses: Ambush at the well: Daikinee against Dévoreurs, 5 turns",
        "Turns to the end",
    ]
    assert titles["hangs"] == titles["best"] == ["What the answer hangs on"]
    assert report(found) == report(found)


# --- rows --------------------------------------------------------------------------------


def unpacked(table):
    return json.loads(decompress(b64decode(table.data)))


def test_rows_lose_nothing_but_what_is_told_once(found):
    rows = [{"cell": 1, **row} for row in result_of(found, "dice").rows]
    table = rows_table(rows, {c.name: c for c in (*PLACE, *SWEEP.schema)})
    data = unpacked(table)
    told = {column["name"]: column for column in data["columns"]}
    assert data["rows"] == 9
    assert {"a", "edition", "seed"} <= {name for name, _ in table.constant}
    assert told["wins_a"]["values"] == [row["wins_a"] for row in rows]
    texts = told["dice_a"]["texts"]
    assert [texts[place] for place in told["dice_a"]["values"]] == [r["dice_a"] for r in rows]
    assert (told["p_a"]["kind"], told["p_a_low"]["kind"]) == ("share", "end")


def test_seeds_that_javascript_rounds_travel_as_text():
    rows = [{"seed": seed} for seed in (2**53 - 1, None, 2**64 - 1)]
    (column,) = unpacked(rows_table(rows, {"seed": SWEEP.column("seed")}))["columns"]
    assert column["kind"] == "long"
    assert column["values"] == ["9007199254740991", None, str(2**64 - 1)]


# --- where it was made -------------------------------------------------------------------

CARD = "name,people,PA,INI,ATT,FOR,DEF,RES\n{name},Les miens,10,3,3,5,3,6\n"
ELSEWHERE = """
seed = 3
[[job]]
name = "mine"
command = "duel"
a = "Un"
b = "Deux"
fighters = ["lists/un.csv", "../deux.csv", "{game}/lists/trois.csv"]
trials = 1000
[job.grid]
turns = [1, 2, 3]
"""


def test_a_page_does_not_tell_where_it_was_made(tmp_path, monkeypatch):
    home = tmp_path / "someone"
    game, theirs = home / "game", home / "config" / "estoc" / "fighters"
    for folder, name in ((game / "lists", "un"), (home, "deux"), (theirs, "quatre")):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.csv").write_text(CARD.format(name=name.title()), encoding="utf-8")
    (game / "lists" / "trois.csv").write_text(CARD.format(name="Trois"), encoding="utf-8")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    answer = Duel.answer

    def fails(self, run):
        if self.turns == 3:
            raise InputError(f"{theirs}/quatre.csv: as in {game}: {home}/deux.csv is gone")
        return answer(self, run)

    monkeypatch.setattr(Duel, "answer", fails)
    there = run(write(game, ELSEWHERE.format(game=game)), tmp_path / "run")
    assert str(home) in there.failed[0]
    found = load_run(tmp_path / "run")
    warned = replace(found, warnings=(f"{game}/lists/un.csv: something",))
    with using(there.kept_inputs()):
        page, shown = report(warned), contents(warned)
    save_report(tmp_path / "run", tmp_path / "page.html")
    assert "someone" not in (tmp_path / "page.html").read_text(encoding="utf-8")
    rows = json.dumps(unpacked(shown.chapters[0].rows))
    assert "--fighters lists/trois.csv" in rows
    assert "someone" not in page + rows
    names = {"batch.toml", "lists/un.csv", "deux.csv", "lists/trois.csv", "quatre.csv"}
    assert {name for name, _ in shown.inputs} == names
    assert shown.run.warnings == ("lists/un.csv: something",)
    assert shown.run.errors[0].endswith("quatre.csv: as in .: deux.csv is gone")


FAILS = """
seed = 3
[[job]]
name = "mine"
command = "duel"
a = "Garde prétorien"
b = "Guerrier de l'aube"
"""


def test_why_a_cell_failed_is_told_in_french_without_folders(tmp_path, monkeypatch):
    game = tmp_path / "game"
    game.mkdir()

    def fails(self, run):
        raise InputError('"{}" could not be read: {}', game / "a.csv", "Permission denied")

    monkeypatch.setattr(Duel, "answer", fails)
    run(write(game, FAILS), tmp_path / "run")
    with spoken("fr"):
        (shown,) = contents(load_run(tmp_path / "run")).chapters[0].sentences
        page = report(load_run(tmp_path / "run"))
    told = "«_a.csv_» n'a pas pu être lu_: accès refusé"
    error = f"Erreur_: tâche «_mine_»_: {told}"
    assert shown == f"échec_: {told}".replace("_", "\N{NO-BREAK SPACE}")
    assert error.replace("_", "\N{NO-BREAK SPACE}") in unescape(page)


# --- the page ----------------------------------------------------------------------------


def cells(view, job, column):
    table = view.page.locator(f"section:has(#job-{job}) [data-ready] table")
    headings = table.locator("thead th").all_inner_texts()
    place = headings.index(column) + 1
    return table.locator(f"tbody tr td:nth-child({place})").all_inner_texts()


def test_it_speaks_french(browser, folder, tmp_path):
    path = tmp_path / "rapport.html"
    with spoken("fr"):
        save_report(folder, path)
    with opened(browser, path) as view:
        view.page.locator("[data-ready]").first.wait_for()
        assert view.page.get_attribute("html", "lang") == "fr"
        shown = cells(view, "grid", "p_a, %")
        assert all("," in text and "." not in text for text in shown)


# --- the command -------------------------------------------------------------------------


def test_the_command_writes_the_page(folder, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = estoc("report", str(folder), "-o", "x.html")
    assert (done.code, done.data, done.err) == (0, b"", "estoc: wrote x.html\n")
    assert (tmp_path / "x.html").read_text(encoding="utf-8") == report(load_run(folder))
    assert estoc("report", str(folder)).code == 0
    assert (tmp_path / "run.html").exists()


def test_what_is_no_run_is_refused(tmp_path, folder):
    with pytest.raises(InputError, match="is no run folder"):
        save_report(tmp_path, tmp_path / "x.html")
    with pytest.raises(InputError, match="there is no folder"):
        save_report(folder, tmp_path / "none" / "x.html")
    assert not list(tmp_path.glob("*.html"))


def test_sentences_are_french_to_the_comma(found):
    with spoken("fr"):
        said = [text for one in found.answered for text in sentences(one.result)]
    assert not [text for text in said if re.search(r"\S[:;] |\d\.\d| against | wins ", text)]
    assert any("gagne" in text for text in said)


def test_a_page_is_french_though_files_are_english(found):
    with spoken("fr"):
        chapters = {chapter.name: chapter for chapter in contents(found).chapters}
        heading = chapters["best"].heading
    assert heading == "Toutes les lignes de best"  # a name, not a word
    sheet = chapters["sheet"]
    assert sheet.sentences[0].startswith("contagion de la déroute\N{NO-BREAK SPACE}: line:5")
    assert any(note.startswith("supposé, la fiche n'en dit rien") for note in sheet.notes)
    _, habits = chapters["best"].tables
    assert any(line[0].startswith("toute la politique ") for line in habits.lines)
    assert not [line for line in habits.lines if "." in line[2]]
