"""The command line: reads words, asks one question of `estoc.sim`, prints the answer.

Most commands are made of requests (`estoc.sim.ask`); the others stand in files of their own.
"""

import atexit
import gc
import os
import sys
from ast import ClassDef, FunctionDef, get_docstring, parse
from collections import UserDict
from errno import ENAMETOOLONG
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from ...profiles.message import say
from ..ask.commands import ASKED, COMMANDS
from ..text.speech import LANGUAGES, language_of, spoken, translated, usual_language
from ..text.streams import UnwritableError, give_up_output, prepare, shown
from .help import FAILED, Command, Group, show_error, speak

WRONG_USE = 2

# The commands that are delivered in a way of their own, or are no requests: their files.
_FILES = {
    **{name: f".{name}" for name in ("book", "tune", "audit", "sheet")},
    **{
        name: f".lists.{name}"
        for name in ("actions", "profiles", "army", "edition", "policy", "columns")
    },
    **{name: f".runs.{name}" for name in ("run", "report", "replay", "bench")},
}
_PLACES = {**COMMANDS.places, **ASKED.places}
_REQUESTS = {name: place for name, place in _PLACES.items() if " " not in name}


class Files(UserDict[str, Any]):
    """Commands by name, of which each is made when somebody looks it up."""

    def __getitem__(self, name: str) -> click.Command:
        """Return a command."""
        found = super().__getitem__(name)
        if not isinstance(found, click.Command):
            found = self[name] = _loaded(name)
        return found


def _loaded(name: str) -> click.Command:
    """Return a command: one of a file, or one that a request makes."""
    if name in _FILES:
        found: click.Command = getattr(import_module(_FILES[name], __package__), name)
        return found
    from .requests import command

    module, _, kind = _REQUESTS[name].partition(":")
    return command(getattr(import_module(f"..ask.{module}", __package__), kind), name)


def _outline(name: str) -> click.Command:
    """Return a command with its help alone, read in its source: nothing else is loaded."""
    place = f"..ask.{_REQUESTS[name]}" if name in _REQUESTS else f"{_FILES[name]}:{name}"
    module, _, defined = place.partition(":")
    spec = find_spec(module, __package__)
    assert spec is not None
    assert spec.origin is not None
    tree = parse(Path(spec.origin).read_text(encoding="utf-8"))
    named = [node for node in tree.body if isinstance(node, ClassDef | FunctionDef)]
    docs = {node.name.lower(): get_docstring(node) for node in named}
    return Command(name, help=docs[defined.lower()])


class Commands(Group):
    """Commands of which one whose reader has had enough of it does not fail."""

    def invoke(self, ctx: click.Context) -> Any:
        """Call a command, which may not write what it reads.

        Of a closed pipe's own error click would leave with 1.
        """
        from ...profiles.files.reading import one_command

        try:
            with one_command():
                return super().invoke(ctx)
        except BrokenPipeError:
            raise BrokenPipeError from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the commands are for; nothing of them is loaded."""
        names = self.list_commands(ctx)
        limit = formatter.width - 6 - max(map(len, names))
        rows = [(name, _outline(name).get_short_help_str(limit)) for name in names]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


@click.group(
    cls=Commands,
    commands=Files(_FILES | _REQUESTS),
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--lang",
    type=click.Choice(LANGUAGES),
    expose_value=False,
    help="Language of what is shown, anywhere in the line. [default: ESTOC_LANG, or the locale]",
)
@click.version_option(package_name="estoc", prog_name="estoc", message="%(prog)s %(version)s")
def cli() -> None:
    """Odds of the combats of the miniatures game Confrontation (unofficial).

    A fighter is named as on its card, in any case, with or without accents, or by a
    unique beginning; name@origin says which card. `estoc profiles list` shows them.
    """


def keep_garbage() -> None:
    """Look seldom for what can be freed, and not at the end: a quarter of a short command's time.

    Nearly all that a start makes is used, and all of it is freed when the process ends.
    """
    gc.set_threshold(50_000)
    atexit.register(gc.freeze)


def main() -> None:
    """Run the command line: one line for what a person did wrong, never a trace."""
    keep_garbage()
    prepare()
    asked, words = language_of(sys.argv[1:])
    with spoken(asked if asked in LANGUAGES else usual_language()):
        speak()
        if asked not in (None, *LANGUAGES):
            words = ["--lang", str(asked)]  # click says what would be right
        run_words(words)


def run_words(words: list[str]) -> None:
    """Run a command in the language in use, and leave."""
    try:
        os.getcwd()
    except OSError:
        echo_error("the working folder is gone or cannot be read; go to another one with cd")
        sys.exit(FAILED)
    try:
        try:
            code = cli.main(words, standalone_mode=False)
        finally:
            sys.stdout.flush()  # what the end of the process would fail to write
        sys.exit(code)
    except click.ClickException as error:
        show_error(error)
        sys.exit(WRONG_USE)
    except (KeyboardInterrupt, click.Abort) as stop:
        if isinstance(stop.__cause__, EOFError):  # click takes it for a person's, at a prompt
            sys.exit(refused(stop.__cause__))
        echo_error("stopped by Ctrl-C; nothing was done")
        sys.exit(FAILED)
    except BrokenPipeError:
        give_up_output()  # whoever read it had enough of it
        sys.exit(0)
    except UnwritableError as error:
        give_up_output()
        echo_error(say("cannot write to standard output: {}", error))
        sys.exit(FAILED)
    except Exception as error:
        sys.exit(refused(error))


def echo_error(*lines: str) -> None:
    """Print a line about what went wrong, or several, in the language in use."""
    told = "\n".join(shown(translated(line, figures=False), cut=True) for line in lines)
    click.echo(f"estoc: {told}", err=True)


def refused(error: Exception) -> int:
    """Print one line about what went wrong; the exit code."""
    from ...profiles.errors import InputError
    from ..base.progress import SettingError

    if isinstance(error, InputError):
        echo_error(*error.args)
        return WRONG_USE
    if isinstance(error, SettingError):
        echo_error(say("numba cannot be loaded: {}", error))
        return WRONG_USE
    if os.environ.get("ESTOC_DEBUG"):
        raise error
    if isinstance(error, OSError) and error.filename is not None:  # a place that cannot be used
        echo_error(say('"{}": {}', os.fsdecode(error.filename), error.strerror))
        return WRONG_USE if error.errno == ENAMETOOLONG else FAILED
    kind = type(error).__name__
    echo_error(
        say("the run failed: {}: {} (a fault of estoc; ESTOC_DEBUG=1 shows where)", kind, error)
    )
    return 1


if __name__ == "__main__":
    main()
