"""The field book says what `solve` and `combat` say of the same question."""

import gzip
import json
import re
import shlex
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chromium import PHONE, Seen, body_scrolls, contrast, opened
from click.testing import CliRunner

from estoc.profiles import InputError
from estoc.profiles.compile.combat import state_names
from estoc.sim.base.options import Options
from estoc.sim.base.policy import BEST_PLAY, parse_policies
from estoc.sim.base.run import Method
from estoc.sim.cli.main import cli
from estoc.sim.combat.combat import combat
from estoc.sim.report.book import CHARGES, FieldBook, Meeting, Start, field_book
from estoc.sim.report.book_page import field_book_page, write_field_book
from estoc.sim.report.numbers import (
    FALL,
    NEARLY_SURE,
    RISE,
    TINY,
    chance_codes,
    change_code,
    estimated_size,
)
from estoc.sim.worth.solve import solve

BEST = Options(policies=(BEST_PLAY, BEST_PLAY))


def army(folder: Path, name: str, *cards: str) -> str:
    path = folder / f"{name}.toml"
    text = "".join(f"\n[[cards]]\nname = {json.dumps(card)}\n" for card in cards)
    path.write_text(f'name = "{name}"\n{text}', encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def armies(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("armies")
    a = army(folder, "Leaves", "Lama di Smeraldo", "Sentinella Daikinee (1)")
    # the second has as many PA as the Sentinella: it hangs on who chose who places first
    return a, army(folder, "Teeth", "Evisceratore", "Guerriero del Sangue (2)")


@pytest.fixture(scope="module")
def book(armies: tuple[str, str]) -> FieldBook:
    return field_book(*armies, options=BEST, wounds="none")


@pytest.fixture(scope="module")
def page(armies: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "book.html"
    wounded = field_book(*armies, options=BEST, wounds="levels", enemies=1)
    write_field_book(wounded, path)
    return path


@pytest.fixture(scope="module")
def crowd(book: FieldBook, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("crowd") / "book.html"
    write_field_book(book, path)
    return path


class Read:
    """The numbers of a page, read as its script reads them."""

    def __init__(self, html: str):
        def data(name: str) -> bytes:
            found = re.search(rf'id="{name}">(.*?)</script>', html)
            assert found is not None
            return gzip.decompress(b64decode(found[1]))

        self.data: dict[str, Any] = json.loads(data("data"))
        packed, (m, n) = data("numbers-packed"), self.data["sizes"]
        low = np.frombuffer(packed[: 2 * m], np.uint8).reshape(2, m).T
        self.chances = np.ascontiguousarray(low).view("<u2").ravel()
        high = np.frombuffer(packed[2 * m :], np.uint8).reshape(4, n).T
        self.values = np.ascontiguousarray(high).view("<i4").ravel()

    def cell(self, book: FieldBook, meeting: Meeting, start: Start) -> dict[str, Any]:
        found = next(
            m
            for m in self.data["meetings"]
            if (m["a"], m["b"], *m["numbers"], m["chooser"])
            == (meeting.a, meeting.b, *meeting.numbers, meeting.chosen_by)
        )
        place, many = book.starts.index(start), len(book.starts)
        size = 6 + 2 * len(self.data["endNames"]) + max(meeting.numbers) + 1
        ways = self.data["ways"][found["ways"]]
        begin, values = found["at"]
        return {
            "chances": self.chances[begin : begin + size * many].reshape(size, many)[:, place],
            "values": self.values[values:]
            .reshape(-1)[: (1 + len(ways)) * many]
            .reshape(-1, many)[:, place],
            "ways": ways,
            "order": found["order"],
        }


def shown(chance: float) -> int:
    """The number that a page shows of a chance, in hundredths of a percent."""
    if 0 < chance < 0.00005:
        return TINY
    # a sum of all that can happen may be a rounding below 1
    return NEARLY_SURE if 0.99995 <= chance < 1 - 1e-14 else round(10000 * chance)


POLICIES = {
    1: parse_policies(["optimal"]),
    2: parse_policies(["sensible:placement=optimal"]),
    3: parse_policies(["sensible"]),
}


def told(book: FieldBook, meeting: Meeting, start: Start) -> tuple[list[Any], list[Any], Options]:
    """Return the same question as a person would ask it."""
    a = [book.kinds[0][meeting.a].profile] * meeting.numbers[0]
    b = [book.kinds[1][meeting.b].profile] * meeting.numbers[1]
    options = Options(
        policies=POLICIES[max(meeting.numbers)],
        wounds=(f"A={start.wounds_a}", f"B={start.wounds_b}"),
        charge=(start.charge,) if start.charge else (),
        chosen_by=meeting.chosen_by,
    )
    return a, b, options


# numbers, kinds, who chose; states of A and B, who charges
UNHURT = [
    (Meeting(0, 0, (1, 1), "A"), Start("unhurt", "unhurt", "")),
    (Meeting(1, 1, (1, 1), "A"), Start("unhurt", "unhurt", "B")),
    (Meeting(1, 1, (1, 1), "B"), Start("unhurt", "unhurt", "B")),
    (Meeting(0, 0, (1, 2), "A"), Start("unhurt", "unhurt", "A")),
    (Meeting(0, 1, (2, 1), "A"), Start("unhurt", "unhurt", "B")),
    (Meeting(1, 1, (2, 1), "B"), Start("unhurt", "unhurt", "")),
    (Meeting(1, 0, (1, 3), "A"), Start("unhurt", "unhurt", "B")),
    (Meeting(0, 0, (3, 1), "A"), Start("unhurt", "unhurt", "")),
]
HURT = [
    (Meeting(0, 1, (1, 1), "A"), Start("serious", "light", "A")),
    (Meeting(1, 1, (1, 1), "B"), Start("critical", "critical", "")),
    (Meeting(1, 0, (1, 1), "A"), Start("unhurt", "serious", "B")),
]


def check_odds(read: Read, book: FieldBook, meeting: Meeting, start: Start) -> None:
    a, b, options = told(book, meeting, start)
    sides, *fighters = combat(a, b, options=options, method="exact").rows
    cell = read.cell(book, meeting, start)["chances"]
    odds = [sides[name] for name in ("p_a", "p_b", "p_undecided", "p_first_a")]
    assert cell[:4].tolist() == [shown(p) for p in odds]
    names = [name.replace(", ", "_") for name in state_names(options.edition)]
    for place, side in enumerate("AB"):
        own = [row for row in fighters if row["side"] == side]
        for i, name in enumerate(names):
            mean = sum(row[f"p_{name}"] for row in own) / len(own)
            assert cell[4 + place * len(names) + i] == shown(mean), (side, name)


@pytest.mark.parametrize(("meeting", "start"), UNHURT)
def test_odds_are_those_of_combat(
    book: FieldBook, crowd: Path, meeting: Meeting, start: Start
) -> None:
    check_odds(Read(crowd.read_text(encoding="utf-8")), book, meeting, start)


@pytest.mark.parametrize(("meeting", "start"), HURT)
def test_odds_of_the_wounded_are_those_of_combat(
    armies: tuple[str, str], page: Path, meeting: Meeting, start: Start
) -> None:
    book = field_book(*armies, options=BEST, wounds="levels", enemies=1)
    check_odds(Read(page.read_text(encoding="utf-8")), book, meeting, start)


@pytest.mark.parametrize(("meeting", "start"), UNHURT[:5])
def test_dice_are_those_of_solve(
    book: FieldBook, crowd: Path, meeting: Meeting, start: Start
) -> None:
    cell = Read(crowd.read_text(encoding="utf-8")).cell(book, meeting, start)
    a, b, options = told(book, meeting, start)
    rows = solve(a, b, options=options).rows
    value = next(row for row in rows if row["section"] == "value")
    changes = {row["what"]: row["difference"] for row in rows if row["section"] == "placement"}
    assert cell["values"][0] == round(10000 * value["value"])
    found = {}
    for way, code in zip(cell["ways"], cell["values"][1:].tolist(), strict=True):
        by_name = sorted(zip(cell["order"], way, strict=True))
        sides = (" + ".join(dice for name, dice in by_name if name[0] == s) for s in "AB")
        found["A {}, B {}".format(*sides)] = code
    assert found == {what: change_code(change, 4) for what, change in changes.items()}
    own = cell["chances"][-2]
    assert found["A {}, B {}".format(*_by_side(cell, own))] == 0
    assert value["what"] == "A {}, B {}".format(*_by_side(cell, own))


def _by_side(cell: dict[str, Any], way: int) -> list[str]:
    by_name = sorted(zip(cell["order"], cell["ways"][way], strict=True))
    return [" + ".join(dice for name, dice in by_name if name[0] == side) for side in "AB"]


def test_dead_enemies_add_up(book: FieldBook, crowd: Path) -> None:
    meeting, start = UNHURT[3]
    cell = Read(crowd.read_text(encoding="utf-8")).cell(book, meeting, start)["chances"]
    a, b, options = told(book, meeting, start)
    rows = combat(a, b, options=options, method="exact").rows
    none, one, two = (0 if c == TINY else c / 10000 for c in cell[-5:-2].tolist())
    assert none + one + two == pytest.approx(1, abs=2e-4)
    assert one + 2 * two == pytest.approx(sum(row["p_dead"] for row in rows[2:]), abs=3e-4)


def test_what_is_possible_is_not_nought_nor_sure() -> None:
    assert chance_codes([1e-12, 1 - 1e-12, 0.0]) == [TINY, NEARLY_SURE, 0]
    assert chance_codes([1.0, 0.0]) == [10000, 0]
    assert chance_codes([0.5, 0.49996, 0.00004]) == [5000, 5000, TINY]
    assert [change_code(x, 4) for x in (1e-7, -1e-7, 0.0, 1e-17)] == [RISE, FALL, 0, 0]


def test_play_is_told_by_the_number_of_enemies(book: FieldBook) -> None:
    plays = {m.numbers: book.plays(m)[0] for m in book.meetings}
    assert plays == {
        (1, 1): "best",
        (1, 2): "dice",
        (2, 1): "dice",
        (1, 3): "policy",
        (3, 1): "policy",
    }
    thorough = FieldBook(book.armies, BEST, wounds="none", best=2)
    assert {thorough.plays(m)[0] for m in book.meetings if max(m.numbers) < 3} == {"best"}
    fixed = FieldBook(book.armies, Options(), wounds="none")
    assert {fixed.plays(m)[0] for m in book.meetings} == {"policy"}


def test_the_one_who_chose_matters_only_of_equal_points(book: FieldBook) -> None:
    pairs = [(m.a, m.b, m.chosen_by) for m in book.meetings if m.numbers == (1, 1)]
    assert pairs == [(0, 0, "A"), (0, 1, "A"), (1, 0, "A"), (1, 1, "A"), (1, 1, "B")]


def test_a_side_keeps_to_its_policy(armies: tuple[str, str]) -> None:
    options = Options(policies=parse_policies(["optimal", "B=cautious"]))
    book = field_book(*armies, options=options, wounds="none", enemies=1)
    html = field_book_page(book)
    assert "B keeps to the policy cautious." in html
    meeting, start = UNHURT[0]
    cell = Read(html).cell(book, meeting, start)
    side = cell["order"].index("B")
    assert {way[side] for way in cell["ways"]} == {"1/1"}  # cautious: in halves


def test_pages_are_the_same_for_any_threads(armies: tuple[str, str]) -> None:
    book = field_book(*armies, options=BEST, wounds="none", enemies=1)
    one = field_book_page(book, threads=1)
    assert one == field_book_page(book, threads=3)
    assert len(one) < 60_000


def test_the_size_is_known_before(page: Path, armies: tuple[str, str]) -> None:
    book = field_book(*armies, options=BEST, wounds="levels", enemies=1)
    html = page.read_text(encoding="utf-8")
    found = re.search(r'id="numbers-packed">(.*?)</script>', html)
    assert found is not None
    assert 0.4 < len(found[1]) / estimated_size(book) < 2.0


def test_cards_of_the_file_are_told_as_sets(tmp_path: Path, armies: tuple[str, str]) -> None:
    path = tmp_path / "cheap.toml"
    path.write_text(
        'name = "Cheap"\n[[cards]]\nname = "Lama di Smeraldo"\nPA = 11\n'
        'abilities = ["Rapidité"]\n[[cards]]\nname = "Nobody at all"\n',
        encoding="utf-8",
    )
    options = Options(policies=BEST.policies, sets=("A1.INI=9", "Evisceratore.DEF=1"))
    book = field_book(str(path), armies[1], options=options, wounds="none", enemies=1)
    assert book.kinds[0][0].sets == (("PA", "11"), ("abilities", "Rapidité"), ("INI", "9"))
    assert book.kinds[1][0].profile.DEF == 1
    assert book.left_out == ("left out: Nobody at all, no fighter that is known",)
    command = book.question(book.meetings[0], book.starts[0], "best").command_line(
        Method("exact", None, None)
    )
    assert "--set A.PA=11" in command
    assert "--set B.DEF=1" in command


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"wounds": "some"}, "should be all, levels, none"),
        ({"enemies": 4}, "should be from 1 to 3"),
        ({"best": -1}, "should be from 0 to 3"),
        ({"options": Options(charge=("A",))}, "chosen on the page itself"),
        ({"options": Options(score="fun")}, "score"),
        ({"options": Options(sets=("Nobody.INI=3",))}, "no such fighter here"),
    ],
)
def test_wrong_questions_are_refused(
    armies: tuple[str, str], change: dict[str, Any], text: str
) -> None:
    with pytest.raises(InputError, match=text):
        field_book(*armies, **change)


def test_an_army_of_nobody_known_is_refused(armies: tuple[str, str]) -> None:
    with pytest.raises(InputError, match="griffon: no card has a fighter"):
        field_book("griffon", armies[1])


# --- in a browser -----------------------------------------------------------------------


def said(command: str) -> list[dict[str, Any]]:
    """Return the rows that a command of the page prints."""
    found = CliRunner().invoke(cli, [*shlex.split(command)[1:], "--format", "json"])
    assert found.exit_code == 0, found.output
    rows: list[dict[str, Any]] = json.loads(found.stdout)
    return rows


@contextmanager
def unpacked(browser: Any, file: Path, *look: Any) -> Iterator[Seen]:
    """Open a page, and wait until it has unpacked its numbers."""
    with opened(browser, file, *look) as seen:
        seen.page.locator("#odds td").first.wait_for()
        yield seen


def odds_shown(page: Any) -> list[str]:
    return [text.replace("\u00a0", " ") for text in page.locator("#odds td").all_inner_texts()]


def written(chance: float) -> str:
    code = shown(chance)
    if code in (TINY, NEARLY_SURE):
        return "< 0.01 %" if code == TINY else "> 99.99 %"
    return f"{code / 100:.2f} %" if code % 10000 else f"{code // 100} %"


def test_the_keyboard_chooses(browser: Any, page: Path) -> None:
    with unpacked(browser, page) as seen:
        sheet = seen.page
        before = odds_shown(sheet)
        sheet.get_by_label("Fighter of A").focus()
        sheet.keyboard.press("ArrowDown")
        sheet.get_by_label("Wounds of B").focus()
        sheet.keyboard.press("ArrowDown")
        sheet.keyboard.press("ArrowDown")
        sheet.get_by_role("radio", name="Nobody").focus()
        sheet.keyboard.press("ArrowRight")
        command = sheet.locator("#command").inner_text()
        assert '"Sentinella Daikinee (1)@C5"' in command
        assert "--wounds B=serious" in command
        assert "--charge A" in command
        value = next(row for row in said(command) if row["section"] == "value")
        after = odds_shown(sheet)
        assert after != before
        assert [after[0], after[2]] == [written(value["p_a"]), written(value["p_b"])]
        pressed = sheet.locator("#dice button[aria-pressed=true]").all()
        names = [one.get_attribute("data-dice") for one in pressed]
        heads = sheet.locator("#dice li > span").all_inner_texts()
        placed = dict(sorted((head[0], dice) for head, dice in zip(heads, names, strict=True)))
        assert value["what"] == f"A {placed['A']}, B {placed['B']}"


def test_other_dice_show_what_they_cost(browser: Any, page: Path) -> None:
    with unpacked(browser, page) as seen:
        sheet = seen.page
        rows = said(sheet.locator("#command").inner_text())
        changes = {r["what"]: r["difference"] for r in rows if r["section"] == "placement"}
        first, second = sheet.locator("#dice [role=group]").all()
        assert "A (Lama di Smeraldo) places" in first.get_attribute("aria-label")
        other = first.get_by_role("button", name="0/2")
        wanted = min(change for what, change in changes.items() if what.startswith("A 0/2"))
        assert f"costs {-100 * wanted:.2f}" in other.inner_text()
        other.focus()
        sheet.keyboard.press("Enter")
        assert other.get_attribute("aria-pressed") == "true"
        changed = sheet.locator("#changed").inner_text()
        assert f"changes by −{-100 * wanted:.2f}" in changed
        best = min((c, w) for w, c in changes.items() if w.startswith("A 0/2"))[1]
        answer = second.locator("button[aria-pressed=true]").get_attribute("data-dice")
        assert best.endswith(f"B {answer}")


def test_several_and_who_chose(browser: Any, crowd: Path) -> None:
    with unpacked(browser, crowd) as seen:
        sheet = seen.page
        assert sheet.get_by_role("group", name="Who chose the combat").is_hidden()
        sheet.get_by_label("Fighter of A").select_option(label="Sentinella Daikinee (1)")
        sheet.get_by_label("Fighter of B").select_option(label="Guerriero del Sangue (2)")
        sheet.get_by_role("radio", name="2 against 1").check()
        sheet.get_by_role("group", name="Who chose the combat").get_by_role(
            "radio", name="B"
        ).check()
        command = sheet.locator("#command").inner_text()
        assert "--chosen-by B" in command
        value = next(row for row in said(command) if row["section"] == "value")
        odds = odds_shown(sheet)
        assert [odds[0], odds[2]] == [written(value["p_a"]), written(value["p_b"])]
        assert sheet.locator("#dead tbody tr").count() == 3
        sheet.get_by_role("radio", name="1 against 3").check()
        command = sheet.locator("#command").inner_text()
        assert command.startswith("estoc combat ")
        sides = said(command)[0]
        assert odds_shown(sheet)[:3] == [
            written(sides[name]) for name in ("p_a", "p_undecided", "p_b")
        ]
        assert sheet.locator("#dice button:enabled").count() == 0
        assert "were not looked for" in sheet.locator("#play").inner_text()


def test_commands_are_those_of_the_book(browser: Any, page: Path, armies: tuple[str, str]) -> None:
    book = field_book(*armies, options=BEST, wounds="levels", enemies=1)
    with unpacked(browser, page) as seen:
        for a, b, state, charge in ((0, 1, 1, 2), (1, 0, 3, 1), (0, 0, 0, 0)):
            seen.page.get_by_label("Fighter of A").select_option(str(a))
            seen.page.get_by_label("Fighter of B").select_option(str(b))
            seen.page.get_by_label("Wounds of A").select_option(str(state))
            seen.page.locator(f"#charge input[value='{charge}']").check()
            start = Start(book.states[state], "unhurt", CHARGES[charge])
            question = book.question(Meeting(a, b, (1, 1), "A"), start, "best")
            assert seen.page.locator("#command").inner_text() == question.command_line(
                Method("exact", None, None)
            )


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_phones_show_it(browser: Any, crowd: Path, scheme: str) -> None:
    with unpacked(browser, crowd, PHONE, scheme) as seen:
        for label in seen.page.locator("#numbers label").all():
            label.click()
            assert not body_scrolls(seen.page)
        for selector in ("#summary", "#odds td", "#dice small", ".side-b", "#numbers span"):
            assert contrast(seen.page, selector) >= 4.5, selector
        boxes = [
            one.bounding_box() for one in seen.page.locator("#numbers input, #charge input").all()
        ]
        assert min(box["height"] for box in boxes) >= 44
        assert min(one.bounding_box()["height"] for one in seen.page.locator("select").all()) >= 44


def test_it_prints_the_combat_that_is_chosen(browser: Any, page: Path) -> None:
    with unpacked(browser, page) as seen:
        assert seen.page.pdf()[:5] == b"%PDF-"
        seen.page.emulate_media(media="print")
        assert seen.page.get_by_label("Fighter of A").is_hidden()
        assert seen.page.locator("#meeting").is_visible()
        assert seen.page.locator("#dice button").first.is_visible()


def test_readers_are_told(browser: Any, page: Path) -> None:
    with unpacked(browser, page) as seen:
        sheet = seen.page
        assert "wins" in sheet.get_by_role("status").first.inner_text()
        for name in ("How it ends, exactly", "Chance of each state"):
            assert sheet.get_by_role("table", name=name).count() == 1
        assert sheet.get_by_role("group", name="Who charges").get_by_role("radio").count() == 3


def test_plain_cards_are_advised(browser: Any, armies: tuple[str, str], tmp_path: Path) -> None:
    options = Options(policies=BEST.policies, abilities=False)
    path = tmp_path / "plain.html"
    write_field_book(field_book(*armies, options=options, wounds="none", enemies=1), path)
    with unpacked(browser, path) as seen:
        texts = seen.page.locator("#advice li").all_inner_texts()
        rows = said(seen.page.locator("#command").inner_text())
        assert texts == [
            f"{row['side']}: {row['text']}" for row in rows if row["section"] == "rule"
        ]
        assert texts


def test_the_command_writes_a_page(armies: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "book.html"
    words = ["book", *armies, "--wounds", "none", "--enemies", "1", "-o"]
    found = CliRunner().invoke(cli, [*words, str(path)])
    assert found.exit_code == 0, found.output
    assert found.stdout == ""
    assert "15 situations of 4 pairs of fighters" in found.stderr
    assert "<h1>Field book: Leaves – Teeth</h1>" in path.read_text(encoding="utf-8")
    refused = CliRunner().invoke(cli, [*words, str(tmp_path / "book.txt")])
    assert isinstance(refused.exception, InputError)
