"""Policies for cards: how to order the pile, what to do in a speaking turn (A-1, A-2)."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from pydantic import Field

from ...kernels.layout.cards import (
    ANY,
    MAX_CHANCES,
    MAX_CONDITIONS,
    MAX_MOVES,
    MAX_RULES,
    Feature,
    Move,
)
from ..errors import InputError, suggestion
from ..files.toml import Table, load, shared, shipped_names, toml_path
from ..message import say, say_all

MOVE_WORDS: Final = {
    "top": Move.TOP.value,
    "reserve": Move.TO_RESERVE.value,
    "play-reserve": Move.RESERVE.value,
    "both": Move.BOTH.value,
    "refuse": Move.REFUSE.value,
}
ANY_WORD: Final = "any"
Order = Literal["listed", "random", "cheap", "dear", "threat", "patient"]
OPTIMAL: Final = "optimal"  # best play, which only exact odds can find
MOST = 10_000

FEATURE_TEXTS: Final = say_all(
    {
        Feature.OWN_CARDS: "own cards in pile and reserve",
        Feature.ENEMY_CARDS: "the enemy's",
        Feature.LEAD: "own cards less the enemy's",
        Feature.PILE: "own cards in the pile",
        Feature.HELD: "own cards in reserve, 0 or 1",
        Feature.REFUSALS: "refusals left",
        Feature.ENEMY_HELD: "the enemy's cards in reserve",
        Feature.ENEMY_REFUSALS: "the enemy's refusals left",
        Feature.TURN: "own speaking turns, this one included",
        Feature.TOP: 'rank of the top card, 1 the dearest (value = "threat": the greatest threat)',
        Feature.RESERVED: "rank of the card in reserve, 0 without one",
    }
)
_CONDITION = re.compile(r"(\w+)\s*(<=|>=|=|<|>)\s*(-?\d{1,6})")
_ACTED = re.compile(r"(not\s+)?(own\s+)?acted\s+(\S.*)")
_EXAMPLES = say('"lead <= 0", "top = 1" or "acted Abel"')


@dataclass(frozen=True)
class Condition:
    """What must be so for a rule to apply."""

    feature: str  # name of a `Feature`, or ``acted``
    least: int  # of the feature
    most: int
    card: str = ""  # of ``acted``: the card
    own: bool = False  # of ``acted``: whether the card is the player's own, not the enemy's

    @classmethod
    def parse(cls, text: str, where: str) -> "Condition":
        """Return the condition that ``lead <= 0`` or ``not acted Abel`` says."""
        acted = _ACTED.fullmatch(text.strip())
        if acted:
            value = 0 if acted[1] else 1
            return cls("acted", value, value, acted[3].strip(), bool(acted[2]))
        compared = _CONDITION.fullmatch(text.strip())
        if not compared:
            raise InputError('{}: "{}" is no condition; write it like {}', where, text, _EXAMPLES)
        name, sign, number = compared[1].lower(), compared[2], int(compared[3])
        known = [feature.name.lower() for feature in Feature]
        if name not in known:
            raise InputError('{}: nothing is called "{}"; {}', where, name, suggestion(name, known))
        least = {"=": number, ">=": number, ">": number + 1}.get(sign, -MOST)
        most = {"=": number, "<=": number, "<": number - 1}.get(sign, MOST)
        return cls(name, least, most)


@dataclass(frozen=True)
class Rule:
    """A move, made when it is legal and all conditions hold; ``chance`` in percent."""

    move: int
    when: tuple[Condition, ...] = ()
    chance: int = 100


@dataclass(frozen=True)
class CardPolicy:
    """How a player orders and plays his cards."""

    name: str
    title: str = ""
    # order of the pile: ``listed`` as in the army's file, ``random``, ``cheap`` or ``dear`` first,
    # ``threat`` the greatest first, ``patient`` the dearest (to be put in reserve), then cheap
    # first
    order: str = "listed"
    value: str = "PA"  # what ``top`` and ``reserved`` rank cards by
    speak: str = "first"  # what the winner of the Tactics roll chooses for himself (T-2.4)
    moves: tuple[int, ...] = ()  # moves told in advance, before the rules decide
    # the first that applies is the move; if none does, the top card, else the reserve
    rules: tuple[Rule, ...] = ()
    file: str = ""  # where it was read

    @property
    def where(self) -> str:
        """How a message names it."""
        return self.file or say('policy "{}"', self.name)

    @property
    def optimal(self) -> bool:
        """Whether moves are the best ones."""
        return self.name == OPTIMAL

    def __str__(self) -> str:
        """Return what ``--policy`` reads."""
        return self.file or self.name


LISTED: Final = CardPolicy("listed")


class _RuleTable(Table):
    do: str
    when: list[str] = Field(default=[], max_length=MAX_CONDITIONS)
    chance: int = Field(default=100, ge=1, le=100)


class _PolicyTable(Table):
    name: str = Field(min_length=1)
    title: str = ""
    order: Order = "listed"
    value: Literal["PA", "threat"] = "PA"
    speak: Literal["first", "second"] = "first"
    moves: list[str] = Field(default=[], max_length=MAX_MOVES)
    rules: list[_RuleTable] = Field(default=[], max_length=MAX_RULES)


def card_policy_names() -> tuple[str, ...]:
    """Return the names of the policies for cards that come with the package."""
    return (*shipped_names("cards"), OPTIMAL)


def card_policy_text(name: str) -> str:
    """Return the file of a policy that comes with the package, as it stands."""
    if name not in shipped_names("cards"):
        raise InputError(
            'policy "{}": no file of it comes with the program; {}',
            name,
            suggestion(name, shipped_names("cards")),
        )
    path = toml_path("cards", name)
    return path.read_text(encoding="utf-8").rstrip()


def load_card_policy(name: str, folder: Path | None = None) -> CardPolicy:
    """Return a policy for cards."""
    if name == OPTIMAL:
        return CardPolicy(OPTIMAL, say("the best move at each speaking turn (exact odds only)"))
    if not name.endswith(".toml") and name not in card_policy_names():
        raise InputError(
            'policy "{}" is neither a policy for cards nor a .toml file; {}',
            name,
            suggestion(name, card_policy_names()),
        )
    read, path = load("cards", name, _PolicyTable, folder)
    where, file = str(path), "" if name in shipped_names("cards") else str(path)
    rules = [_rule(rule, say("{}: rules {}", where, n)) for n, rule in enumerate(read.rules, 1)]
    if sum(rule.chance < 100 for rule in rules) > MAX_CHANCES:
        raise InputError("{}: at most {} rules may have a chance below 100", where, MAX_CHANCES)
    made = {"moves": parse_moves(read.moves, where), "rules": tuple(rules), "file": file}
    return CardPolicy(**shared(read, CardPolicy) | made)


def _rule(table: _RuleTable, where: str) -> Rule:
    known = [*MOVE_WORDS, ANY_WORD]
    if table.do not in known:
        raise InputError(
            '{}: do = "{}" is no move; {}', where, table.do, suggestion(table.do, known)
        )
    when = tuple(Condition.parse(text, where) for text in table.when)
    return Rule(MOVE_WORDS.get(table.do, ANY), when, table.chance)


def parse_moves(words: Iterable[str], where: str) -> tuple[int, ...]:
    """Return the codes of moves told in advance."""
    moves = []
    for number, word in enumerate(words, 1):
        if word not in MOVE_WORDS:
            known = suggestion(word, MOVE_WORDS)
            raise InputError('{}: moves, item {}: "{}" is no move; {}', where, number, word, known)
        moves.append(MOVE_WORDS[word])
    return tuple(moves)
