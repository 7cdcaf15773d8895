"""What the command line says of itself, and of what cannot be understood, in any language."""

import re
from collections.abc import Iterable

import click

from ...profiles.message import say
from ..text.speech import language, tr, translated
from ..text.streams import shown

FAILED = 1  # as an exit code

_MARK = "\b"  # click's mark of a paragraph that is kept as it is
_KIND = re.compile(r" is not a valid (integer|float)( range)?\.$")
_RANGE = re.compile(
    r" is not in the range (?:(?P<low>\S+)<=)?x(?:<=(?P<high>\S+)|>=(?P<least>\S+))?\.$"
)
_EXTRA = re.compile(r"(.*?)\s*\[([^\[\]]*)\]", re.DOTALL)


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
    told = translated(plainly(" ".join(error.format_message().split())), figures=False)
    click.echo(shown(tr("Error: {message}", message=told), cut=True), err=True)


def plainly(message: str) -> str:
    """Return what click says of a value in words of people who do not write programs."""
    found = _KIND.search(message)
    if found:
        kind = "number" if found[1].startswith("float") else say("whole number")
        return say("{} should be a {}.", message[: found.start()], kind)
    found = _RANGE.search(message)
    if found:
        low, high = found["low"] or found["least"], found["high"]
        limits = say("at least {}", low) if low else say("at most {}", high)
        limits = say("from {} to {}", low, high) if low and high else limits
        return say("{} should be {}.", message[: found.start()], limits)
    return message


def _paragraph(text: str) -> str:
    """Return a paragraph of a help in the language in use."""
    if language() == "en" or text.lstrip().startswith(_MARK):
        return text
    return translated(" ".join(text.split()), figures=False)


def _sentence(text: str | None) -> str:
    """Return the first sentence of a command's help, without its full stop."""
    return _paragraph((text or "").split("\n\n")[0]).partition(". ")[0].rstrip(".")


def _explained(text: str) -> str:
    """Return what an option is for, and its default."""
    told = translated(text)
    extra = _EXTRA.fullmatch(text)
    if told != text or extra is None:
        return told
    items = "; ".join(map(_extra, extra[2].split("; ")))
    return f"{translated(extra[1])}  [{items}]".strip()


def _extra(item: str) -> str:
    """Return what click adds to an option's help; a default stays as it is typed."""
    default = item.removeprefix("default: ")
    if default == item:
        return translated(item, figures=False)
    return tr("default: {default}").format(default=default)


def _placeholders(text: str) -> str:
    """Return how an option is called, with the words that stand for values translated."""
    if language() == "en":
        return text
    return re.sub(r"(?<![\w-])[A-Z_]{3,}(?![\w])", lambda word: translated(word[0]), text)
