"""Everything that is shown can be shown in French; what is data stays as it is (issue 11, 8)."""

import importlib.util
import re
import string
import sys
from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import GUARD, ROOT, WARRIOR, estoc, process

from estoc.profiles.message import say
from estoc.sim.base.options import Options
from estoc.sim.base.printed import plain_text
from estoc.sim.cli import main as commands
from estoc.sim.combat.duel import duel
from estoc.sim.text.drawing import save_figure
from estoc.sim.text.printing import rendered, styled
from estoc.sim.text.speech import (
    LANGUAGES,
    language,
    language_of,
    spoken,
    tr,
    translated,
    use_language,
    usual_language,
)

HOLE = re.compile(r"(?<!\{)\{(\w*)(?::([^{}]*))?\}")


def script(name: str):
    """A module of scripts/."""
    folder = str(ROOT / "scripts")
    sys.path.insert(0, folder)
    try:
        spec = importlib.util.spec_from_file_location(name, f"{folder}/{name}.py")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(folder)
    return module


@pytest.fixture(scope="module")
def translate():
    pytest.importorskip("babel")
    return script("translate")


@pytest.fixture(scope="module")
def all_help() -> dict[str, str]:
    """The help of every command, in French."""
    return {" ".join(words): estoc(*words, "--help", "--lang", "fr").out for words in paths()}


def paths(group: click.Group = commands.cli, before: tuple[str, ...] = ()):
    """Every command, as its words."""
    yield before
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from paths(command, (*before, name))
        else:
            yield (*before, name)


def test_catalogue_is_the_source_s_whole_and_compiled(translate) -> None:
    written = translate.current()
    fresh = translate.updated(written, translate.template())
    assert translate.faults(fresh) == []
    assert not written.obsolete
    assert not [message.id for message in written if message.fuzzy and message.id]
    assert translate.text_of(fresh) == translate.PO.read_bytes(), "run scripts/translate"
    assert translate.compiled(written) == translate.MO.read_bytes(), "run scripts/translate"


def test_every_text_that_people_read_is_marked(translate) -> None:
    """What looks like a text for people stands in a call that marks it (`scripts/marks.py`)."""
    marks = script("marks")
    files = [path for folder in marks.FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found = {path: marks.unmarked(path) for path in files}
    assert {path: texts for path, texts in found.items() if texts} == {}


def test_what_nobody_marked_is_found(tmp_path: Path) -> None:
    pytest.importorskip("babel")
    source = tmp_path / "one.py"
    source.write_text(
        '"""Not shown."""\n\nA = say("marked text")\nB = "seen by all"\nC = f"of {B}"\n'
    )
    assert script("marks").unmarked(source) == [("seen by all", 4), ("of {}", 5)]


def test_what_is_missing_or_fits_badly_is_told(translate) -> None:
    catalogue = translate.current()
    catalogue.add("new {a}", "")
    catalogue.add("other {a}", "autre {b}")
    told = "\n".join(translate.faults(catalogue))
    assert "not translated: 'new {a}'" in told
    assert "other placeholders: 'other {a}'" in told


def test_telling_french_again_changes_nothing() -> None:
    with spoken("fr"):
        text = translated(say("{}: {:,} trials", say("policy {}", "sensible"), 1234.5))
        assert translated(text) == text


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("12.50 / 0.5", "12,50 / 0,5"),
        ("1,234,567", "1\u202f234\u202f567"),
        ("2/0", "2/0"),
        ("estoc 0.1.0", "estoc 0.1.0"),
        ("W-1.4, C-3.2", "W-1.4, C-3.2"),
        ("charges", "charge"),
        ("stunned", "sonné"),
        ("A of whom nobody has ever said a thing", "A of whom nobody has ever said a thing"),
        ("tests.many_dice", "tests.many_dice"),
    ],
)
def test_texts(english: str, french: str) -> None:
    with spoken("fr"):
        assert translated(english).replace("\u00a0", " ") == french
    assert translated(english) == english


def test_numbers_to_be_typed_keep_their_points() -> None:
    with spoken("fr"):
        assert translated("7.5", figures=False) == "7.5"


def test_a_message_is_told_with_its_values() -> None:
    assert tr("{side} charges", side="A") == "A charges"
    with spoken("fr"):
        assert tr("{side} charges", side="A") == "A charge"
        assert translated(say("{:,} to {:,}", 0.5, 1.5)) == "0,5 à 1,5"
        assert tr("nobody wrote this: {n}", n=3) == "nobody wrote this: 3"


@given(st.text(string.printable, max_size=60))
def test_any_text_can_be_asked_for(text: str) -> None:
    with spoken("fr"):
        translated(text)


def test_language_in_use_is_one_that_there_is() -> None:
    assert language() == "en"
    with pytest.raises(ValueError, match="should be one of en, fr"):
        use_language("de")
    with spoken("fr"):
        assert language() == "fr"
    assert language() == "en"


@pytest.mark.parametrize(
    ("surroundings", "name"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "fr_BE"}, "fr"),
        ({"LC_ALL": "C", "LANG": "fr_FR"}, "en"),
        ({"ESTOC_LANG": "en", "LC_ALL": "fr_FR"}, "en"),
        ({"ESTOC_LANG": "fr", "LANG": "en_GB"}, "fr"),
        ({"ESTOC_LANG": "", "LANG": "fr"}, "fr"),
    ],
)
def test_surroundings(surroundings: dict[str, str], name: str) -> None:
    assert usual_language(surroundings) == name


def test_language_is_asked_for_anywhere_but_behind_two_dashes() -> None:
    assert language_of(["duel", "--lang", "fr", "A"]) == ("fr", ["duel", "A"])
    assert language_of(["--lang=fr", "--lang", "en"]) == ("en", [])
    assert language_of(["duel", "--", "--lang", "fr"]) == (None, ["duel", "--", "--lang", "fr"])
    assert language_of(["--lang"]) == (None, ["--lang"])


def test_locale_makes_a_table_french() -> None:
    words = ("duel", GUARD, WARRIOR, "--trials", "2000", "--seed", "7")
    asked = process(*words, LANG="fr_FR.UTF-8", ESTOC_LANG="", COLUMNS="80", PYTHONUTF8="1")
    assert asked.code == 0, asked.err
    for piece in (
        "A gagne (B mort)",
        "intervalle de",
        "Wilson à 95 %",
        "2\u202f000",
        "points détruits en moyenne",
        "graine 7, sampler literal, politique sensible, édition conffede",
        "pour le refaire",
        "estoc duel --trials 2000 --seed 7",
    ):
        assert piece in asked.out
    assert max(map(len, asked.out.splitlines())) <= 80


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_narrow_encodings_show_french_too(encoding: str) -> None:
    words = ("--lang", "fr", "duel", GUARD, WARRIOR, "--trials", "2000", "--seed", "7")
    done = process(*words, PYTHONIOENCODING=encoding, COLUMNS="80")
    assert done.code == 0, done.err
    text = done.data.decode(encoding)
    assert "intervalle" in text
    assert "2 000" in text


def test_wrong_use_is_told_in_french() -> None:
    assert "Il manque l'argument 'B'." in estoc("--lang", "fr", "duel", GUARD).err
    unknown = estoc("duel", "--lang=fr", GUARD, WARRIOR, "--nothing")
    assert (unknown.code, "Erreur" in unknown.err) == (2, True)
    assert "Il n'y a pas d'option '--nothing'" in unknown.err
    nobody = estoc("--lang", "fr", "duel", GUARD, "xyzzy")
    told = "estoc: aucun combattant ne s'appelle « xyzzy » ; voir estoc profiles list\n"
    assert nobody.err.replace("\u00a0", " ") == told
    assert nobody.code == 2
    neither = estoc("--lang", "de", "duel", GUARD, WARRIOR)
    assert (neither.code, "--lang" in neither.err) == (2, True)


def test_nobody_is_left_speaking_french() -> None:
    estoc("--lang", "fr", "policy")
    assert language() == "en"
    assert "Usage:" in estoc("--help").out


@pytest.mark.parametrize("form", ["csv", "json"])
def test_data_are_the_same_in_every_language(form: str) -> None:
    words = ("sweep", GUARD, WARRIOR, "--best", "--format", form)
    english, french = (estoc(*words, "--lang", name) for name in LANGUAGES)
    assert english.data == french.data
    assert english.code == french.code == 0


def test_an_answer_found_in_english_is_told_in_french(tmp_path: Path) -> None:
    result = duel(GUARD, WARRIOR, options=Options(turns=2))
    with spoken("fr"):
        assert "chances exactes, reste inférieur" in plain_text(result, 80)
        picture = result.plot()
        save_figure(result.plot(), tmp_path / "duel.png")
    assert "exact odds, remainder below" in plain_text(result, 80)
    assert result.title == f"{GUARD} against {WARRIOR}, 2 turns"
    assert picture is not None


def test_pictures_are_told_in_french() -> None:
    from matplotlib.text import Text

    from estoc.sim.text.drawing import translate_figure

    picture = duel(GUARD, WARRIOR).plot()
    with spoken("fr"):
        translate_figure(picture)
    texts = " ".join(text.get_text() for text in picture.findobj(Text))
    assert "contre" in texts
    assert "A gagne" in texts
    assert "against" not in texts


def test_help_of_every_command_is_french(all_help: dict[str, str]) -> None:
    assert len(all_help) > 40
    for name, text in all_help.items():
        assert text.startswith(f"Usage\u00a0: estoc {name}".rstrip()), name
        assert "Options\u00a0:" in text.replace("Options :", "Options\u00a0:"), name
        assert max(map(len, text.splitlines())) <= 100, name


def test_no_english_is_left_in_the_help(all_help: dict[str, str]) -> None:
    def words(text: str) -> str:
        return " ".join(text.split())

    options = [p for path in paths() for p in command_of(path).params if getattr(p, "help", None)]
    texts = [getattr(option, "message", option.help) for option in options]
    texts += [words(command_of(path).help.split("\n\n")[0]) for path in paths()]
    helps = {text for text in texts if len(text.split()) > 2}
    everything = words(" ".join(all_help.values()))
    with spoken("fr"):
        same = {text for text in helps if translated(text) == text}
    assert same == {".png, .svg, .pdf."}
    assert [text for text in helps - same if text in everything] == []


def command_of(path: tuple[str, ...]) -> click.Command:
    found: click.Command = commands.cli
    for name in path:
        assert isinstance(found, click.Group)
        found = found.commands[name]
    return found


def translations(translate) -> dict[str, str]:
    """All messages and their French, of a plural the last forms."""
    forms = ((message.id, message.string) for message in translate.current() if message.id)
    return dict(each if isinstance(each[0], str) else (each[0][-1], each[1][-1]) for each in forms)


def test_every_translation_keeps_what_is_typed(translate) -> None:
    """Options and commands stand in the French as in the English."""
    typed = re.compile(r"(?<![\w-])--[a-z][\w-]+|\bestoc [a-z]+\b|\bW-\d[\d.]*|\b[CMAT]-\d[\d.]*")
    lost = {
        english: missing
        for english, french in translations(translate).items()
        if (missing := set(typed.findall(english)) - set(typed.findall(french)))
        and "estoc" not in " ".join(missing)
    }
    assert lost == {}


@pytest.mark.parametrize(
    "words",
    [
        ("duel", GUARD, WARRIOR, "--turns", "2", "--charge", "A"),
        ("duel", GUARD, WARRIOR, "--method", "both", "--trials", "2000", "--seed", "7"),
        ("combat", GUARD, "vs", f"{WARRIOR}*2"),
        ("sweep", GUARD, WARRIOR, "--best"),
        ("solve", GUARD, WARRIOR),
        ("worth", GUARD, "--against", WARRIOR),
        ("melee", f"{GUARD}*2", "vs", f"{WARRIOR}*2"),
        ("cards", "daikinee", "devoreurs"),
        ("cards", "daikinee", "devoreurs", "--winner", "A", "--transcript", "--seed", "1"),
        ("replay", "duel", GUARD, WARRIOR, "--seed", "1", "--trial", "5"),
        ("actions",),
        ("disengage", GUARD, "--enemies", f"{WARRIOR}*2", "--odds"),
        ("shoot", "alahel", GUARD),
        ("fear", "guerrier de pierre", "killyox"),
        ("army", "list"),
        ("sheet", "wing", "wing"),
        ("sheet", "contagion", "line:5", "--turns", "2"),
        ("edition", "list"),
    ],
    ids=" ".join,
)
def test_tables_leave_no_english(words: tuple[str, ...], translate, monkeypatch) -> None:
    """Words of the English messages that no French one has are names of options at most."""
    monkeypatch.setenv("COLUMNS", "80")
    done = estoc(*words, "--lang", "fr")
    assert done.code == 0, done.err
    shown = done.out.partition("pour le refaire")[0]
    assert max(len(line.rstrip()) for line in shown.splitlines()) <= 80
    typed = re.compile(r"[\w*]+(?:[-_./=@][\w*]+)+|--[\w-]+")
    found = set(re.findall(r"[^\W\d_]{2,}", typed.sub("", shown)))
    messages = translations(translate)
    assert found & (vocabulary(messages) - vocabulary(messages.values())) <= {
        "sensible",  # a policy
        "gains",
    }


def vocabulary(messages) -> set[str]:
    words = (re.findall(r"[^\W\d_]{2,}", HOLE.sub("", text)) for text in messages)
    return {word for each in words for word in each if word.islower()}


@pytest.mark.parametrize("width", range(12, 30))
def test_no_line_breaks_at_a_no_break_space(width: int) -> None:
    text = "une somme\u00a0: 1\u202f234\u202f567 combats\u00a0; la suite"
    lines = rendered(styled(text), width).splitlines()
    assert " ".join(line.strip(" ") for line in lines) == text
