"""What the command line says of itself, and of what cannot be understood, in any language."""

import gettext
import os
import re
from collections.abc import Iterable
from typing import Any

import click

from ...profiles.message import say
from ..text.speech import CATALOGUE, language, tr, translated
from ..text.streams import shown

FAILED = 1  # as an exit code

_MARK = "\b"  # click's mark of a paragraph that is kept as it is
_EXTRA = re.compile(r"(.*\S)(  \[[^\[\]]*\])", re.DOTALL)


def speak() -> None:
    """Let click speak the language in use: it asks gettext, and that the environment."""
    gettext.bindtextdomain(*CATALOGUE)
    gettext.textdomain(CATALOGUE[0])
    os.environ["LANGUAGE"] = language()


class Formatter(click.HelpFormatter):
    """Help in the language in use; names of options and what is typed stay as they are."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write how a command is called."""
        super().write_usage(prog, _placeholders(args), prefix or f"{tr('Usage:')} ")

    def write_heading(self, heading: str) -> None:
        """Write the heading of a section."""
        told = translated(heading)
        super().write_heading(f"{told} " if language() == "fr" else told)

    def write_text(self, text: str) -> None:
        """Write paragraphs."""
        super().write_text("\n\n".join(map(_paragraph, text.split("\n\n"))))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        """Write options, or commands, and what each is for."""
        told = [(_placeholders(first), _explained(second)) for first, second in rows]
        super().write_dl(told, col_max, col_spacing)


class Context(click.Context):
    """What click knows of a command while it runs."""

    formatter_class = Formatter


class Command(click.Command):
    """A command whose help is in the language in use."""

    context_class = Context

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return what the command is for, in a sentence."""
        return _sentence(self.help) if language() == "fr" else super().get_short_help_str(limit)


class HelpedOption(click.Option):
    """An option whose help may have values in it."""

    def __init__(self, *names: Any, **how: Any) -> None:
        super().__init__(*names, **how)
        self.message = how["help"]  # click keeps its English alone

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return how the option is called, and what it is for."""
        record = super().get_help_record(ctx)
        if record is None:
            return None
        return record[0], translated(self.message) + record[1].removeprefix(self.help or "")


class Number(click.ParamType):  # type: ignore[type-arg]  # click before 8.4 has no argument
    """A number, whole if its kind is int."""

    def __init__(self, kind: type[int] | type[float]) -> None:
        self.kind, self.name = kind, "integer" if kind is int else "float"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> int | float:
        """Return the number that a word is."""
        try:
            number: int | float = self.kind(value)
        except ValueError:
            whole = say("{!r} should be a whole number.", value)
            told = whole if self.kind is int else say("{!r} should be a number.", value)
            self.fail(translated(told, figures=False), param, ctx)
        return number


class Whole(click.IntRange):
    """A whole number from one to another, or from one on."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number that a word is."""
        number = int(Number(int).convert(value, param, ctx))
        assert self.min is not None
        if self.max is not None and not self.min <= number <= self.max:
            told = say("{} should be from {} to {}.", value, self.min, self.max)
            self.fail(translated(told, figures=False), param, ctx)
        if number < self.min:
            told = say("{} should be at least {}.", value, self.min)
            self.fail(translated(told, figures=False), param, ctx)
        return number


class Group(click.Group):
    """Commands whose help is in the language in use."""

    context_class = Context
    command_class = Command
    group_class = type

    def get_short_help_str(self, limit: int = 45) -> str:
        """Return what the commands are for, in a sentence."""
        return _sentence(self.help) if language() == "fr" else super().get_short_help_str(limit)


def show(text: str) -> None:
    """Print text on standard output, line by line."""
    click.echo("\n".join(map(shown, text.split("\n"))))


def show_error(error: click.ClickException) -> None:
    """Print what was wrong about a command, and how to be told more."""
    if type(error).__name__ == "NoArgsIsHelpError":  # click before 8.2 has none
        error.show()
        return
    if isinstance(error, click.UsageError) and error.ctx is not None:
        names = error.ctx.command.get_help_option_names(error.ctx)
        hint = tr(
            "Try '{command} {option}' for help.",
            command=error.ctx.command_path,
            option=max(names, key=len),
        )
        click.echo(f"{error.ctx.get_usage()}\n{hint}\n", err=True)
    told = re.sub(r"[ \t\n]+", " ", error.format_message())  # click breaks lists into lines
    click.echo(shown(tr("Error: {message}", message=told), cut=True), err=True)


def _paragraph(text: str) -> str:
    """Return a paragraph of a help in the language in use."""
    if language() == "en" or text.lstrip().startswith(_MARK):
        return text
    return translated(" ".join(text.split()), figures=False)


def _sentence(text: str | None) -> str:
    """Return the first sentence of a command's help, without its full stop."""
    return _paragraph((text or "").split("\n\n")[0]).partition(". ")[0].rstrip(".")


def _explained(text: str) -> str:
    """Return what an option is for, and what click says of its default."""
    extra = _EXTRA.fullmatch(text)
    return translated(extra[1]) + extra[2] if extra else translated(text)


def _placeholders(text: str) -> str:
    """Return how an option is called, with the words that stand for values translated."""
    if language() == "en":
        return text
    return re.sub(r"(?<![\w-])[A-Z_]{3,}(?![\w])", lambda word: translated(word[0]), text)
