"""The field book as one page for the table: choices, odds, dice, without a network."""

import json
from itertools import groupby
from pathlib import Path
from typing import Any

from ...profiles.compile.combat import state_names
from ...profiles.message import joined, say, say_n
from ..ask.output import tell
from ..base.options import SIDES, estoc_version
from ..base.percent import KILLS, unit
from ..base.policy import BEST_PLAY
from ..base.run import USUAL_RUN, Run, runs_watched
from ..text.pages import packed_data, page, spaced
from ..text.speech import language, tr, translated
from ..text.writing import write_whole
from .book import BEST, FIXED, PLACED, PLAYS, FieldBook
from .kinds import Kind
from .numbers import FALL, NEARLY_SURE, NOTHING, RISE, TINY, UNKNOWN, Numbers, estimated_size

CARD = ("PA", "INI", "ATT", "FOR", "DEF", "RES")
_REST = 35_000  # bytes of a page besides its numbers, about


@runs_watched
def field_book_page(book: FieldBook, run: Run) -> str:
    """Return a field book as HTML, worked out."""
    numbers = Numbers(book)
    for _, parts in groupby(book.parts(run), lambda part: part.meeting):
        numbers.add(list(parts))
    packed, sizes = numbers.packed()
    data = json.dumps(_data(book, numbers, sizes), ensure_ascii=False, separators=(",", ":"))
    edition = book.options.edition
    return page(
        "report/field_book.html.j2",
        sides=list(zip(SIDES, book.armies, _cards(book), strict=True)),
        columns=CARD,
        data=packed_data(data),
        packed=packed,
        edition=edition.title or edition.name,
        assumed=[f"{key} = {_value_text(edition[key])}" for key in book.assumed],
        rules=book.options.rules,
        plays=[_play_text(book, enemies) for enemies in range(1, book.enemies + 1)],
        policies=[
            tr("{side} keeps to the policy {policy}.", side=side, policy=policy)
            for side, policy in zip(SIDES, book.options.policies, strict=True)
            if policy != BEST_PLAY
        ],
        score=translated(unit(book.options.score)),
        turns=book.options.turns,
        remarks=[translated(text) for text in book.remarks],
        abilities=book.options.abilities,
        command=book.command,
        version=estoc_version(),
    )


def write_field_book(
    book: FieldBook,
    path: str | Path,
    run: Run = USUAL_RUN,
) -> None:
    """Work a field book out and write its page; say on stderr how large it will be, and is."""
    pairs = len(book.kinds[0]) * len(book.kinds[1])
    many = say(
        "{:,} situations of {} of fighters", book.situations, say_n("{} pair", "{} pairs", pairs)
    )
    tell(say("{}, a page of about {}", many, _size(estimated_size(book) + _REST)))
    text = field_book_page(book, run).encode()
    write_whole(path, text)
    tell(say("wrote {}, {}", path, _size(len(text))))


def _size(size: int) -> str:
    return (
        say("{:.1f} MB", size / 1000000.0)
        if size >= 950_000
        else say("{} kB", max(round(size / 1000), 1))
    )


def _data(book: FieldBook, numbers: Numbers, sizes: list[int]) -> dict[str, Any]:
    """Return what the script of the page reads besides the numbers."""
    return {
        "language": language(),
        "kinds": [[_kind(kind) for kind in side] for side in book.kinds],
        "states": book.states,
        "startNames": [_state_text(name) for name in book.states],
        "endNames": [_state_text(name) for name in state_names(book.options.edition)],
        "meetings": [{**one, "why": translated(one["why"])} for one in numbers.directory],
        "ways": numbers.ways,
        "texts": [[side, translated(text)] for side, text in numbers.texts],
        "advices": numbers.advices,
        "sizes": sizes,
        "decimals": numbers.decimals,
        "percent": book.options.score == KILLS,
        "codes": {
            **{"tiny": TINY, "nearly": NEARLY_SURE, "unknown": UNKNOWN},
            **{"nothing": NOTHING, "rise": RISE, "fall": FALL},
        },
        "commands": {play: {side: _command(book, play, side) for side in SIDES} for play in PLAYS},
        "plays": _plays(),
        "words": _words(),
    }


def _kind(kind: Kind) -> dict[str, Any]:
    return {
        "name": kind.profile.name,
        "label": kind.profile.label,
        "sets": [f"{key}={value}" for key, value in kind.sets],
        "card": ", ".join(f"{cell} {getattr(kind.profile, cell)}" for cell in CARD),
        "abilities": ", ".join(kind.profile.abilities),
    }


def _cards(book: FieldBook) -> list[list[dict[str, Any]]]:
    """Return the cards of both sides as a table shows them."""
    return [
        [
            {
                "name": kind.profile.label,
                "fighters": kind.fighters,
                "cells": ["–" if v is None else v for v in _cells(kind)],
                "abilities": ", ".join(kind.profile.abilities),
                "sets": ", ".join(f"{key}={value}" for key, value in kind.sets),
            }
            for kind in side
        ]
        for side in book.kinds
    ]


def _cells(kind: Kind) -> list[Any]:
    return [getattr(kind.profile, cell) for cell in CARD]


def _command(book: FieldBook, play: str, side: str) -> list[str]:
    """Return the words with which a command about one situation begins."""
    meeting = book.meetings[0]
    asked = book.question(meeting, book.starts[0], play)
    usual = (BEST_PLAY,) if asked.command == "solve" else ()
    words = ["estoc", asked.command, *asked.options.common_arguments(*usual)]
    if "--chosen-by" in words:
        at = words.index("--chosen-by")
        del words[at : at + 2]
    return words + ["--chosen-by", side] * (side != "A")


def _value_text(value: Any) -> str:
    """Return a value of an edition as its file writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _state_text(name: str) -> str:
    """Return a state as people read it."""
    return translated(joined(", ", name.split(", ")))


def _plays() -> dict[str, str]:
    """Return how well a situation is played, in words."""
    return {
        BEST: tr("Best play: every decision is the best one for the score."),
        PLACED: tr(
            "The best dice; all later decisions are those of a sensible player. Best play of all "
            "decisions was not looked for against so many enemies."
        ),
        FIXED: tr(
            "Dice and decisions of a policy, that of a sensible player unless another was told. "
            "The best dice were not looked for, so what others cost is not known."
        ),
    }


def _play_text(book: FieldBook, enemies: int) -> str:
    """Return how well combats against so many enemies are played."""
    meeting = next(m for m in book.meetings if max(m.numbers) == enemies)
    play = book.plays(meeting)[0]
    return tr("1 against {enemies}: {how}", enemies=enemies, how=_plays()[play])


def _words() -> dict[str, str]:
    """Return the texts that the script puts together, with what it fills in left in braces."""
    return {
        "of": f"{{what}}{spaced(':')} {{value}}",
        "between": f"{spaced(';')} ",
        "against": tr("{a} against {b}"),
        "charges": tr("{side} charges"),
        "wins": tr("{side} wins"),
        "undecided": tr("Undecided"),
        "dies": tr("{who} dies"),
        "below": tr("see below"),
        "first": tr("{who} strikes first"),
        "places": tr("{who} places"),
        "in_attack": tr("in attack"),
        "in_defence": tr("in defence"),
        "best": tr("best"),
        "equal": tr("as good"),
        "costs": tr("costs {cost}"),
        "fixed": tr("placed"),
        "changed": tr(
            "With these dice, instead of the best ones, A's score changes by {cost}; the odds "
            "above are those of the best dice."
        ),
        "dead_of": tr("How many die: {who}"),
        "no_answer": tr("There is no exact answer for this one: {why}."),
        "each": tr("{who}, each on average"),
    }
