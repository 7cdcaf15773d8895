"""Hostile inputs, made from a seed: files of every kind, options, places and run folders.

A case is a command and the files of the folder that it runs in. `main` runs some of them in this
process, in folders of their own, with a bound of time and memory, and prints as JSON what each did
wrong: `python hostile.py SEED SHARE SHARES CASES`.
"""

import faulthandler
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import audit_cases
from running import DATA, GUARD, WARRIOR, estoc

GOLDEN = Path(__file__).parents[1] / "golden"

SECONDS = 20  # that a command may take
COMPILING = 200  # the same where kernels are compiled meanwhile
MEMORY = 1 << 30  # bytes that it may add
LONGEST = 400  # letters of a line that it may print

# Names, values and texts that a spreadsheet, a shell or a prankster writes.
TEXTS = [
    *("", " ", "\x1b]0;owned\x07", "\x9b31mred", "a\rb", "a\nb", "\ta", "\u202etxt", "\u2066x"),
    *(
        "\u200b",
        "\udce9t\udce9",
        "A" * 5_000,
        "é" * 200_000,
        "'",
        '"',
        "\\",
        "%s%n{0}{x}",
        "{",
        "$(x)",
    ),
    *("[red]x[/red]", "[/]", "🐗", "=cmd|' /C calc'!A0", "../../etc/passwd", "~", "--help", "-o"),
    *("-1", "0", "-0.0", "1e308", "nan", "inf", "9" * 400, "1/0", "2/0/0", "٣", "1_000", "0x10"),
    *("A", "A=", "=B", "A=light,light", "A.ATT=", "A.ATT=1e400", "A.nom=x", "A.ATT=\x1b[2J"),
    *("/dev/zero", ".", "no/such", "x" * 300, "x" * 300 + ".toml", "nowhere/" * 600, ".toml"),
    *("sensible:parry=" + "9" * 50, "optimal,optimal", "None", "null", "true", "[]"),
]
VALUES = [
    *('""', '"\\u001b]0;owned\\u0007"', '"\\u202e"', '"\\n"', f'"{"A" * 5_000}"', '"🐗"', '"1"'),
    *("-1", "0", "1e308", "-1e308", "nan", "inf", "9" * 30, "9" * 400, "9007199254740993", "0.1"),
    *("true", "[]", "[[]]", "[1, 2]", '["a", "a"]', "{}", "{x = 1}", '{"x": null}', "null"),
    *("1979-05-27", "'''x'''", "[0, 0]", '"/dev/zero"', '"../x.toml"', '"nul"', '"--help"'),
]
BYTES = [
    *(b"\x00", b"\xff\xfe", b"\x1b[2J", b"\xc2\x9b31m", b"\xe2\x80\xae", b"\xed\xa0\x80", b"\r"),
    *(b'"', b"'", b"[", b"]", b"{", b"}", b"=", b";", b",", b"\n\n", b"\t", b"#", b"\xe9"),
    *(b"[" * 5_000, b"{" * 5_000, b"A" * 200_000, b"9" * 5_000, b"\xef\xbb\xbf", b"x.y.z.w = 1\n"),
]
_VALUE = re.compile(rb'"[^"\n]*"|-?\d+(?:\.\d+)?|true|false|null')


@dataclass(frozen=True)
class Case:
    """A command, and the folder that it runs in.

    Parameters
    ----------
    kind : str
        What is hostile in it.
    words : tuple of str
    files : dict of bytes or Path
        By their names: contents, or a folder whose copy is there.
    places : dict of str
        Names of other things: ``folder``, ``pipe``, or ``link to PLACE``.
    """

    kind: str
    words: tuple[str, ...]
    files: dict[str, bytes | Path] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)


def shipped(name: str) -> bytes:
    return next(DATA.glob(f"*/{name}")).read_bytes()


BATCH = f"""
title = "Hostile"
seed = 7
[[job]]
name = "duels"
command = "duel"
a = "{GUARD}"
b = "{WARRIOR}"
trials = 100
[job.grid]
turns = [1, 2]
charge = [[], ["A"]]
[[job]]
name = "odds"
command = "solve"
a = "{GUARD}"
b = "{WARRIOR}"
""".encode()
CONTACTS = b'A1 = ["B1", "B2"]\nA2 = ["B2"]\n'
MELEE = ("melee", f"{GUARD}*2", "vs", f"{WARRIOR}*2", "--contacts")
SHEET = ("sheet", "check", "--unit", "0")

# What reads a file of each kind: the name of the file is the last word or follows its option.
READERS: dict[str, tuple[bytes, tuple[str, ...]]] = {
    "fighters.csv": (shipped("fighters-c3.csv"), ("profiles", "check", "fighters.csv")),
    "own.csv": (shipped("fighters-c2.csv"), ("duel", GUARD, WARRIOR, "--fighters", "own.csv")),
    "edition.toml": (shipped("edition-c3.toml"), ("edition", "show", "edition.toml")),
    "rules.toml": (
        shipped("edition-conffede.toml"),
        ("duel", GUARD, WARRIOR, "--edition", "rules.toml"),
    ),
    "army.toml": (shipped("army-griffon.toml"), ("army", "check", "army.toml")),
    "list.toml": (shipped("army-daikinee.toml"), ("army", "check", "list.toml")),
    "field.toml": (
        shipped("field-village.toml"),
        ("army", "check", "daikinee", "--field", "field.toml"),
    ),
    "scenario.toml": (shipped("scenario-ambush.toml"), ("table", "scenario.toml")),
    "moves.toml": (shipped("scenario-crossing.toml"), ("moves", "moves.toml")),
    "golden.toml": ((GOLDEN / "battle-split.toml").read_bytes(), ("table", "golden.toml")),
    "batch.toml": (BATCH, ("run", "batch.toml", "--dry-run")),
    "run.toml": (BATCH, ("run", "run.toml", "--threads", "1")),
    "cards.toml": (
        shipped("cards-threat.toml"),
        ("cards", "3", "2", "--policy", "cards.toml", "--trials", "10", "--seed", "1"),
    ),
    "contacts.toml": (CONTACTS, (*MELEE, "contacts.toml")),
    "contacts.csv": (b"fighter,touches\nA1,B1\nA2,B2\n", (*MELEE, "contacts.csv")),
    "situation.toml": (shipped("situation-skirmish.toml"), (*SHEET, "situation.toml")),
    "unit.toml": (shipped("situation-u11.toml"), (*SHEET, "unit.toml", "--explain")),
    "wing.toml": (shipped("situation-wing.toml"), (*SHEET, "wing.toml")),
    "tests.toml": (shipped("sheet-tests.toml"), (*SHEET, "u11", "--tests", "tests.toml")),
    "world.toml": (shipped("sheet-world.toml"), (*SHEET, "skirmish", "--world", "world.toml")),
}


def read_files(chance: random.Random, count: int) -> Iterator[Case]:
    """Yield files of every kind with something wrong in them."""
    kinds = sorted(READERS)
    made = _made()
    for number in range(count):
        kind = [*kinds, *sorted(made)][number % (len(kinds) + len(made))]
        data, words = READERS.get(kind) or made[kind]
        for _ in range(chance.choice((1, 1, 1, 3))):
            data = chance.choice(_CHANGES)(data, chance)
        yield Case(f"file {kind}", words, {kind: data})


def _made() -> dict[str, tuple[bytes, tuple[str, ...]]]:
    """Return files that Estoc writes and reads again: results and transcripts."""
    asked = ("duel", GUARD, WARRIOR, "--trials", "50", "--seed", "3")
    found = {}
    for form in ("csv", "json", "parquet"):
        name = f"result.{form}"
        found[name] = (estoc(*asked, "--format", form).data, ("replay", name, "--trial", "1"))
    for tale in (audit_cases.fear, audit_cases.spells, audit_cases.redirected):
        name = f"{tale.__name__}.json"
        rows = [{"step": kind, **data} for kind, data in tale()]
        found[name] = (json.dumps(rows, indent=0).encode(), ("audit", name))
    return found


def _cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _hole(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data) + 1)
    return data[:start] + data[start + chance.choice((1, 5, 50, 500)) :]


def _flip(data: bytes, chance: random.Random) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << chance.randrange(8)]) + data[place + 1 :]


def _insert(data: bytes, chance: random.Random) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(BYTES) + data[place:]


def _value(data: bytes, chance: random.Random) -> bytes:
    """Put something else in the place of a value."""
    places = list(_VALUE.finditer(data))
    if not places:
        return data
    place = chance.choice(places)
    return data[: place.start()] + chance.choice(VALUES).encode() + data[place.end() :]


def _text(data: bytes, chance: random.Random) -> bytes:
    """Put a hostile text in the place of a text, or of a cell of a table."""
    places = list(re.finditer(rb'"[^"\n]*"|(?<=[,;\n])[^,;\n"]+(?=[,;\n])', data))
    if not places:
        return data
    place = chance.choice(places)
    text = chance.choice(TEXTS).encode("utf-8", "surrogateescape").replace(b'"', b"")
    return data[: place.start()] + b'"' + text + b'"' + data[place.end() :]


def _lines(data: bytes, chance: random.Random) -> bytes:
    """Leave out, repeat or move a line."""
    lines = data.splitlines(keepends=True)
    if not lines:
        return data
    place = chance.randrange(len(lines))
    line = lines.pop(place)
    if chance.random() < 0.5:
        lines.insert(chance.randrange(len(lines) + 1), line * chance.choice((1, 2, 300)))
    return b"".join(lines)


def _encoded(data: bytes, chance: random.Random) -> bytes:
    encoding = chance.choice(("utf-16", "utf-32", "utf-8-sig", "cp1252", "cp500", "utf-7"))
    return data.decode("utf-8", "replace").encode(encoding, "replace")


_CHANGES: list[Callable[[bytes, random.Random], bytes]] = [
    *(_cut, _hole, _flip, _insert, _encoded),
    *(_value,) * 6,
    *(_text,) * 4,
    *(_lines,) * 3,
]

NAMES = [
    "\x1b]0;owned\x07",
    "a\nb",
    "\u202eb",
    "caf\udce9",
    "x" * 200,
    "--help",
    " ",
    "a'b\"c",
    "$(id)",
]


def places(chance: random.Random, count: int) -> Iterator[Case]:
    """Yield files that are something else, or have strange names."""
    kinds = sorted(READERS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        data, words = READERS[kind]
        if chance.random() < 0.5:
            name = chance.choice(NAMES) + Path(kind).suffix
            words = tuple(f"./{name}" if word == kind else word for word in words)
            yield Case(
                f"name {name!r} of {kind}", words, {name: data} if chance.random() < 0.8 else {}
            )
            continue
        thing = chance.choice(
            ("folder", "pipe", f"link to {kind}", "link to /dev/zero", "link to nowhere", "nothing")
        )
        yield Case(f"{thing} for {kind}", words, {}, {} if thing == "nothing" else {kind: thing})


# Right uses of each command, quick to answer; an option's value is put after them.
RIGHT: dict[str, tuple[str, ...]] = {
    "duel": (GUARD, WARRIOR),
    "combat": (GUARD, "vs", WARRIOR),
    "melee": (GUARD, "vs", WARRIOR, "--trials", "10"),
    "sweep": (GUARD, WARRIOR),
    "solve": (GUARD, "vs", WARRIOR),
    "book": ("scorpion", "griffon", "-o", "book.html"),
    "worth": (GUARD, "--against", WARRIOR),
    "cards": ("3", "2", "--trials", "10"),
    "battle": ("nothing",),
    "matchup": ("griffon", "nothing"),
    "compare": ("nothing",),
    "tune": ("nothing",),
    "run": ("nothing.toml",),
    "report": ("nothing.run", "-o", "report.html"),
    "replay": ("duel", GUARD, WARRIOR, "--seed", "1", "--trial", "1"),
    "profiles list": (),
    "profiles show": (GUARD,),
    "profiles check": (),
    "army list": (),
    "army check": ("griffon",),
    "edition list": (),
    "edition show": ("c3",),
    "actions": (),
    "disengage": (GUARD, "--enemies", WARRIOR),
    "shoot": (GUARD, WARRIOR, "--range", "10"),
    "fear": (GUARD, WARRIOR),
    "table": ("ambush",),
    "moves": ("ambush",),
    "sheet list": (),
    "sheet readings": (),
    "sheet new": ("new.toml",),
    "sheet check": ("u11", "--unit", "Winded spears"),
    "sheet contagion": ("field",),
    "sheet lost": ("skirmish", "--trials", "10"),
    "sheet wing": ("wing",),
    "sheet sensitivity": ("nothing",),
    "sheet map": ("skirmish",),
    "audit": ("nothing.json",),
    "bench": ("--part", "nothing"),
    "policy": (),
    "columns": ("duel",),
}
# Their answers to values that are right take longer than a test should: minutes of sampling.
_LONG = {"--trials", "--precision", "--turns", "--people", "--generations", "--candidates"}
_OUTPUTS = {"--output", "--plot"}


def options(chance: random.Random, count: int) -> Iterator[Case]:
    """Yield commands with a hostile value for each of their options and arguments."""
    asked = list(_asked())
    for number in range(count):
        command, option = asked[number % len(asked)]
        text = chance.choice(TEXTS)
        words = (*command.split(), *RIGHT[command])
        if option is None:
            words = (*command.split(), text)
        elif option in _OUTPUTS:
            text = text.replace("/dev/zero", "x").replace("~", "x")
            words = (*words, option, text)
        else:
            words = (*words, option, text)
        yield Case(f"{command} {option or 'argument'}", words)


def _asked() -> Iterator[tuple[str, str | None]]:
    """Yield each command with each of its options, and with None for its arguments."""
    import click

    from estoc.sim.cli.main import cli

    def walk(command: click.Command, name: str) -> Iterator[tuple[str, str | None]]:
        if isinstance(command, click.Group):
            for word in command.list_commands(click.Context(command)):
                found = command.get_command(click.Context(command), word)
                assert found is not None
                yield from walk(found, f"{name} {word}".strip())
            return
        yield name, None
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.is_flag:
                yield name, parameter.opts[-1]

    for command, option in walk(cli, ""):
        if option not in _LONG:
            yield command, option


def runs(chance: random.Random, count: int) -> Iterator[Case]:
    """Yield run folders that something has changed, and folders that are not a run's."""
    whole = _finished_run()
    held = sorted(p.relative_to(whole).as_posix() for p in whole.rglob("*") if p.is_file())
    for number in range(count):
        words = (
            ("report", "r.run", "-o", "report.html"),
            ("run", "r.run", "--resume", "--threads", "1"),
            ("run", "batch.toml", "-o", "r.run", "--resume", "--threads", "1"),
            ("run", "batch.toml", "-o", "r.run", "--threads", "1"),
        )[number % 4]
        # half of the changes are of what the run says of itself
        name = "run.json" if chance.random() < 0.5 else chance.choice(held)
        data = (whole / name).read_bytes()
        for _ in range(chance.choice((1, 1, 2))):
            data = chance.choice(_CHANGES)(data, chance)
        files: dict[str, bytes | Path] = {
            "r.run": whole,
            "batch.toml": BATCH,
            f"r.run/{name}": data,
        }
        kinds = ("folder", "pipe", "link to ../batch.toml", "link to ..", "link to /dev/zero")
        if chance.random() < 0.15:
            part = chance.choice(
                (name, "lock", "inputs", "parts", "results", "run.json", "log.txt")
            )
            yield Case(
                f"run folder: {part}", words, {"r.run": whole, "batch.toml": BATCH},
                {f"r.run/{part}": chance.choice(kinds)},
            )  # fmt: skip
            continue
        yield Case(f"run folder: {name}", words, files)


def _finished_run() -> Path:
    """Return a run that is finished, made once a process."""
    folder = Path(tempfile.mkdtemp(prefix="run-"))
    (folder / "batch.toml").write_bytes(BATCH)
    done = estoc("run", folder / "batch.toml", "-o", folder / "r.run", "--threads", "1")
    assert done.code == 0, done.err
    return folder / "r.run"


def corpus(seed: int, count: int) -> list[Case]:
    """Return so many cases of all kinds: files, options, places, run folders."""
    shares = [
        (read_files, 0.45),
        (options, 0.3),
        (places, 0.1),
        (runs, 0.15),
    ]
    found: list[Case] = []
    for number, (make, share) in enumerate(shares):
        found += make(random.Random(f"{seed} {number}"), round(count * share))
    random.Random(seed).shuffle(found)  # each part of it has some of all kinds
    return found


class Late(BaseException):
    """A command took too long; nothing but the one who asked should take it for an error."""


def _late(number: int, frame: object) -> None:
    raise Late


def lay(case: Case) -> None:
    """Put the files of a case into this folder."""
    for name, held in case.files.items():
        if isinstance(held, Path):
            shutil.copytree(held, name)
        elif not name.startswith("r.run/") or not Path(name).is_dir():
            Path(name).write_bytes(held)
    for name, thing in case.places.items():
        path = Path(name)
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        if thing == "folder":
            path.mkdir()
        elif thing == "pipe":
            os.mkfifo(path)
        else:
            path.symlink_to(thing.removeprefix("link to "))


def held_here() -> dict[str, object]:
    """Return what this folder holds: kinds and contents."""
    found: dict[str, object] = {}
    for path in sorted(Path().rglob("*")):
        kind = path.lstat().st_mode
        regular = path.is_file() and not path.is_symlink()
        found[str(path)] = path.read_bytes() if regular else kind
    return found


def faults(case: Case, seconds: int) -> list[str]:
    """Run a command in this folder; what it did wrong."""
    before = held_here()
    signal.signal(signal.SIGALRM, _late)
    signal.alarm(seconds)
    faulthandler.dump_traceback_later(2 * seconds, exit=True)
    try:
        done = estoc(*case.words)
    except Late:
        return [f"took over {seconds} s"]
    except BaseException as error:
        return [f"{type(error).__name__}: {error!s:.200}"]
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
    found = []
    shown = done.data.decode("utf-8", "replace")
    if "a fault of estoc" in done.err or "Traceback" in done.err:
        found.append(done.err[:300])
    if any(len(line) > LONGEST for line in done.err.splitlines()):
        found.append(f"a line of {max(map(len, done.err.splitlines()))} letters")
    as_table = not {"csv", "json", "parquet"} & set(case.words)
    for where, text in (("output", shown if as_table else ""), ("errors", done.err)):
        strange = sorted({c for c in text if c != "\n" and unicodedata.category(c) in _CONTROLS})
        if strange:
            found.append(f"control characters in the {where}: {strange}")
    if done.code not in (0, 1, 2):
        found.append(f"exit code {done.code}")
    if done.code == 2 and not done.err.startswith(("estoc", "Usage", "Error")):
        found.append(f"a refusal that does not begin with the program: {done.err[:100]!r}")
    if done.code == 2 and held_here() != before:
        now = held_here()
        changed = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        found.append(f"refused, and changed {changed}")
    return found


_CONTROLS = ("Cc", "Cf", "Cs")


def load_modules() -> None:
    """Load what commands load when they need it: it is no command's memory."""
    for module in ("pandas", "pyarrow.parquet", "matplotlib.pyplot", "scipy.special", "jinja2"):
        __import__(module)


def limit_memory() -> None:
    """Let this process have so much more memory than it has now."""
    status = Path("/proc/self/status")
    if not status.exists():
        return
    used = re.search(r"VmData:\s+(\d+)", status.read_text())
    assert used is not None
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, ((int(used[1]) << 10) + MEMORY, most))


def main(seed: int, share: int, shares: int, total: int) -> None:
    """Print what each case of a share did wrong, a JSON line each; at the end how many were run."""
    with tempfile.TemporaryDirectory(prefix="estoc-hostile-") as folder:
        tempfile.tempdir = os.environ["XDG_CONFIG_HOME"] = folder
        cases = corpus(seed, total)[share::shares]
        load_modules()
        for case in cases:
            print(json.dumps({"runs": _told(case)}), file=sys.__stderr__, flush=True)
            for fault in tried(case):
                print(json.dumps({**_told(case), "fault": fault}), flush=True)
    print(json.dumps({"cases": len(cases)}))


def tried(case: Case) -> list[str]:
    """Return what a case does wrong in a folder of its own; who compiles kernels tries again."""
    for seconds in (COMPILING, SECONDS):
        with tempfile.TemporaryDirectory(prefix="case-") as folder:
            os.chdir(folder)
            lay(case)
            limit_memory()
            began = monotonic()
            found = faults(case, seconds)
            took = monotonic() - began
            os.chdir("/")
        if took <= SECONDS:
            break
    return found


def _told(case: Case) -> dict[str, Any]:
    return {"kind": case.kind, "words": [word[:80] for word in case.words]}


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
