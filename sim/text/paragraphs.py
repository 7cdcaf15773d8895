"""Paragraphs and headings in lines of at most 80 columns, in the language in use."""

from textwrap import fill

from .speech import translated

WIDTH = 80


class Paragraphs:
    """A text that grows paragraph by paragraph."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def say(self, text: str, indent: int = 0, hang: int = 4) -> None:
        """Add a paragraph, its later lines further in than its first."""
        first, later = " " * indent, " " * (indent + hang)
        text = translated(text)
        self.lines.append(
            fill(text, WIDTH, initial_indent=first, subsequent_indent=later, break_on_hyphens=False)
        )

    def head(self, text: str, rule: str = "") -> None:
        """Add a heading, ruled off if there is something to rule with."""
        text = translated(text)
        self.lines += ["", text, *([rule * len(text)] if rule else [])]

    def __str__(self) -> str:
        return "\n".join(self.lines)
