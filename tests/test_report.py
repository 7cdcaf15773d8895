"""Reports: what they say is what the run found, and a real browser shows it."""

import json
import re
from base64 import b64decode
from dataclasses import replace
from gzip import decompress
from pathlib import Path
from time import perf_counter

import pytest
from chromium import DESK, PHONE, body_scrolls, contrast, opened
from run_batches import write
from running import estoc

from estoc.profiles import InputError
from estoc.sim import report as module
from estoc.sim.language import spoken
from estoc.sim.report import contents, report, save_report
from estoc.sim.report_charts import told_apart
from estoc.sim.report_rows import rows_table
from estoc.sim.report_words import sentences, winner
from estoc.sim.run_folder import load_run
from estoc.sim.run_results import Answered
from estoc.sim.runs import run

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


@pytest.fixture(scope="module")
def page(folder) -> Path:
    path = folder.parent / "report.html"
    save_report(folder, path)
    return path


def result_of(found, job):
    return next(one.result for one in found.answered if one.job == job)


# --- what is said ------------------------------------------------------------------------


def test_each_job_has_its_answer_with_interval_and_method(found):
    said = {chapter.name: chapter.sentences for chapter in contents(found).chapters}
    assert list(said) == ["lists", "ambush", "best", "dice", "hangs", "grid", "sheet"]
    assert re.search(
        r"scores most against the field, \d+\s% \(95\s% interval \d+", said["lists"][0]
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
    text = sentences(replace(result, question="duel", rows=[row]))[0]
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
    table = rows_table(rows)
    data = unpacked(table)
    told = {column["name"]: column for column in data["columns"]}
    assert data["rows"] == 9
    assert {"a", "edition", "seed"} <= {name for name, _ in table.constant}
    assert told["wins_a"]["values"] == [row["wins_a"] for row in rows]
    texts = told["dice_a"]["texts"]
    assert [texts[place] for place in told["dice_a"]["values"]] == [r["dice_a"] for r in rows]
    assert (told["p_a"]["kind"], told["p_a_low"]["kind"]) == ("share", "end")


# --- the page ----------------------------------------------------------------------------


def cells(view, job, column):
    table = view.page.locator(f"section:has(#job-{job}) [data-ready] table")
    headings = table.locator("thead th").all_inner_texts()
    place = headings.index(column) + 1
    return table.locator(f"tbody tr td:nth-child({place})").all_inner_texts()


def test_the_page_sorts_searches_and_turns_pages(browser, page):
    with opened(browser, page) as view:
        area = view.page.locator("section:has(#job-ambush) [data-ready]")
        area.wait_for()
        before = cells(view, "ambush", "number")
        button = area.get_by_role("button", name="count", exact=True)
        button.click()
        counts = [int(text) for text in cells(view, "ambush", "count") if text]
        assert counts == sorted(counts, reverse=True)
        heading = area.locator("th:has(button:text-is('count'))")
        assert heading.get_attribute("aria-sort") == "descending"
        button.focus()
        view.page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == "ascending"
        counts = [int(text) for text in cells(view, "ambush", "count") if text]
        assert counts == sorted(counts)
        area.get_by_label("Search").fill("lama")
        assert set(cells(view, "ambush", "fighter")) == {"Lama di Smeraldo"}
        area.get_by_label("Search").fill("nobody at all")
        assert area.get_by_role("status").inner_text() == "no row has that"
        area.get_by_label("Search").fill("")
        area.get_by_role("button", name="Next", exact=True).click()
        assert area.get_by_role("status").inner_text().startswith("rows 26 to 50 of ")
        assert before != cells(view, "ambush", "number")


def test_shares_are_shown_as_the_tables_show_them(browser, page, found):
    from estoc.sim.percent import rate

    with opened(browser, page) as view:
        view.page.locator("section:has(#job-grid) [data-ready]").wait_for()
        for name in ("p_a", "p_b", "p_undecided"):
            shown = [text.partition(" (")[0] for text in cells(view, "grid", f"{name}, %")]
            rows = [one.result.rows[0] for one in found.answered if one.job == "grid"]
            assert shown == [rate(row, name) for row in rows]


def test_names_and_roles_for_a_screen_reader(browser, page):
    with opened(browser, page) as view:
        view.page.locator("[data-ready]").first.wait_for()
        assert view.page.get_by_role("heading", level=1).inner_text() == "What to bring"
        assert view.page.get_by_role("navigation", name="Contents").count() == 1
        images = view.page.locator("img")
        assert images.count() > 5
        assert all(image.get_attribute("alt") for image in images.all())
        assert view.page.locator("table:not(:has(caption))").count() == 0
        view.page.keyboard.press("Tab")
        assert view.page.evaluate("document.activeElement.textContent") == "Skip to the content"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_can_be_read_on_a_phone_in_light_and_dark(browser, page, scheme):
    with opened(browser, page, PHONE, scheme) as view:
        view.page.locator("[data-ready]").first.wait_for()
        assert not body_scrolls(view.page)
        for selector in (".answer", ".quiet", "h1", "nav a", "td", "th button"):
            assert contrast(view.page, selector) >= 4.5, selector
        dark = view.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (dark == "rgb(255, 255, 255)") == (scheme == "light")


def test_it_prints(browser, page):
    with opened(browser, page, DESK, "dark") as view:
        view.page.locator("[data-ready]").first.wait_for()
        assert view.page.pdf()[:5] == b"%PDF-"
        view.page.emulate_media(media="print")
        assert not view.page.locator(".controls").first.is_visible()
        assert view.page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"


def test_it_speaks_french(browser, folder, tmp_path):
    path = tmp_path / "rapport.html"
    with spoken("fr"):
        save_report(folder, path)
    with opened(browser, path) as view:
        view.page.locator("[data-ready]").first.wait_for()
        assert view.page.get_attribute("html", "lang") == "fr"
        shown = cells(view, "grid", "p_a, %")
        assert all("," in text and "." not in text for text in shown)


def test_a_hundred_thousand_rows_open_in_three_seconds(browser, found, tmp_path):
    """Opening, first page of the table, a search and a sort: the bar of the issue is 3 s."""
    row = result_of(found, "dice").rows[0]
    rows = [
        {**row, "a": f"Fighter {i // 300}", "b": f"Enemy {i % 300}", "wins_a": i % 2000,
         "p_a": i % 2000 / 2000, "command": f"{row['command']} --x {i}"}
        for i in range(100_000)
    ]  # fmt: skip
    big = Answered("big", 0, {}, {"command": "sweep"}, replace(result_of(found, "dice"), rows=rows))
    path = tmp_path / "big.html"
    path.write_text(page_without_charts(replace(found, answered=(big,))), encoding="utf-8")
    context = browser.new_context()
    view = context.new_page()
    began = perf_counter()
    view.goto(path.as_uri())
    area = view.locator("[data-ready]")
    area.wait_for()
    assert area.get_by_role("status").inner_text() == "rows 1 to 25 of 100,000; 100,000 in all"
    opened_in = perf_counter() - began
    area.get_by_label("Search").fill("enemy 299")
    assert area.get_by_role("status").inner_text() == "rows 1 to 25 of 333; 100,000 in all"
    area.get_by_role("button", name="wins_a").click()
    context.close()
    assert opened_in < 3


def page_without_charts(found):
    """Return a report whose pictures are left out: a heat map of so many pairs takes its time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "charts", lambda result: iter(()))
        return report(found)


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
