"""Keep the French catalogue in step with the source: extract, update, compile (Babel)."""

import io
import sys
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from marks import ROOT, messages

PO = ROOT / "sim" / "text" / "fr" / "LC_MESSAGES" / "estoc.po"
MO = PO.with_suffix(".mo")
_PLURALS = "nplurals=2; plural=(n > 1);"  # "0 dé", "2 dés", "1 000 000 dés"
_DAY = datetime(2026, 11, 29, tzinfo=UTC)  # of the file's head: no run changes it


def template(root: Path = ROOT) -> Catalog:
    """Return the messages of the source, without translations."""
    found = Catalog(project="estoc", charset="utf-8")
    for text, files in messages(root).items():
        found.add(text, locations=[(file, None) for file in dict.fromkeys(files)])
    return found


def current(path: Path = PO) -> Catalog:
    """Return the catalogue as it is."""
    with path.open("rb") as file:
        return read_po(file, locale="fr")


def updated(catalogue: Catalog, source: Catalog) -> Catalog:
    """Return the messages of the source with the translations that the catalogue has.

    Nothing is guessed from messages that are alike, and what the source lacks is dropped.
    """
    fresh = Catalog(locale="fr", project="estoc", charset="utf-8", fuzzy=False)
    fresh.mime_headers = [("Plural-Forms", _PLURALS)]
    fresh.header_comment = "# French translations of Estoc."
    fresh.revision_date = fresh.creation_date = _DAY
    for message in source:
        if message.id:
            had = catalogue.get(message.id)
            told = had.string if had and had.pluralizable == message.pluralizable else ""
            new = fresh.add(message.id, told, locations=message.locations)
            new.flags.discard("python-format")  # "95 % interval" only looks like one
    return fresh


def text_of(catalogue: Catalog) -> bytes:
    """Return a catalogue as a .po file."""
    file = io.BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, sort_output=False)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as a .mo file."""
    file = io.BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def faults(catalogue: Catalog) -> list[str]:
    """Return what is wrong: not translated, or with other placeholders than the English."""
    found = []
    for message in catalogue:
        if not message.id:
            continue
        french = _forms(message.string)
        places = [_places(text) for text in _forms(message.id)]
        if not all(french):
            found.append(f"not translated: {message.id!r}")
        elif any(_places(text) not in places for text in french):
            found.append(f"other placeholders: {message.id!r}: {message.string!r}")
    return found


def _forms(text: str | tuple[str, ...]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


def _places(text: str) -> set[str]:
    """Return the places for values in a text, those without a name by their number."""
    fields = [field for field in Formatter().parse(text) if field[1] is not None]
    return {
        f"{name or number}:{spec.removesuffix('n')}"
        for number, (_, name, spec, _) in enumerate(fields)
    }


def main(words: list[str]) -> int:
    """Bring the catalogue up to date, or with --check say whether it is; the exit code."""
    catalogue = updated(current(), template())
    text, binary = text_of(catalogue), compiled(catalogue)
    wrong = faults(catalogue)
    if "--check" in words:
        if text != PO.read_bytes() or binary != MO.read_bytes():
            wrong.append("estoc.po or .mo is not what scripts/translate writes")
    else:
        PO.write_bytes(text)
        MO.write_bytes(binary)
    print("\n".join([*wrong, f"{len(catalogue)} messages, {len(wrong)} to look at"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
