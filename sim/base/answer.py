"""Kinds of answers: who tells them, draws them and puts them into reports."""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class AnswerKind:
    """What is the same in all answers to a question; declared in the file of its subject.

    Functions are told by their places in `estoc.sim`, as ``combat.table:duel_blocks``, and loaded
    when an answer is shown.

    Parameters
    ----------
    name : str
        Mostly of the command that asks.
    text : str
        Gives the blocks of its text, between title and notes.
    picture : str
        Gives its figure; empty if it has none.
    is_transcript : bool
        Whether the title is the whole text.
    """

    name: str
    text: str = "base.printed:blocks"
    picture: str = ""
    is_transcript: bool = False


def loaded(place: str) -> Callable[..., Any]:
    """Return the function at a place of `estoc.sim`, as ``combat.table:duel_blocks``."""
    module, _, name = place.partition(":")
    function: Callable[..., Any] = getattr(import_module(f"estoc.sim.{module}"), name)
    return function
