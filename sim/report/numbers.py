"""The numbers of a field book as small arrays, and how a page finds them.

Of each start of a meeting there are chances, in hundredths of a percent, and values; a meeting's
stand together, field by field, the starts in the order of the book.
"""

import gzip
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..base.options import SIDES, number_of_dice
from ..base.percent import KILLS
from ..combat.laws import Placed, clean
from ..combat.question import Question, more_dice
from .book import Answer, FieldBook, Meeting, Part

PARTS = 10_000  # of a chance
TINY, NEARLY_SURE, UNKNOWN = 65535, 65534, 65533  # chances that would be shown as 0 or 1; none
NOTHING, RISE, FALL = (
    -(2**31),
    2**31 - 1,
    -(2**31) + 1,
)  # no value; changes that would be shown as 0
DECIMALS = {KILLS: 4}  # of a value that are shown, by the score
USUAL_DECIMALS = 3
_PACKED = 0.42  # of a byte is left of it on a page, about


def chance_codes(chances: Sequence[float]) -> list[int]:
    """Return chances that add up to 1 in hundredths of a percent.

    What is possible and would be 0 is `TINY`, what is not sure and would be 1 `NEARLY_SURE`.

    >>> chance_codes([0.25, 0.75 - 1e-9, 1e-9, 0])
    [2500, 7500, 65535, 0]
    >>> chance_codes([1 - 1e-9, 1e-9]), chance_codes([1, 0])
    ([65534, 65535], [10000, 0])
    """
    possible = [chance > 0 for chance in chances]
    return [
        _code(float(chance), possible[i], sum(possible) > possible[i])
        for i, chance in enumerate(chances)
    ]


def _code(chance: float, possible: bool, otherwise: bool) -> int:
    """Return a chance; ``otherwise`` tells whether something else is possible."""
    code = min(round(chance * PARTS), PARTS)
    if code == 0 and possible:
        return TINY
    return NEARLY_SURE if code == PARTS and otherwise else code


def change_code(change: float, decimals: int) -> int:
    """Return a change of a value in units of its last decimal shown; none that is there is 0.

    >>> change_code(-0.12344, 4), change_code(0, 4), change_code(1e-9, 4) == RISE
    (-1234, 0, True)
    """
    code: int = round(change * 10**decimals)
    if code == 0 and clean(change) != 0:
        return RISE if change > 0 else FALL
    return code


@dataclass
class Numbers:
    """All numbers of a book, as they are gathered."""

    book: FieldBook
    directory: list[dict[str, Any]] = field(default_factory=list)
    ways: list[list[list[str]]] = field(default_factory=list)
    texts: list[list[str]] = field(default_factory=list)
    advices: list[list[int]] = field(default_factory=lambda: [[]])
    chances: list[NDArray[np.uint16]] = field(default_factory=list)
    values: list[NDArray[np.int32]] = field(default_factory=list)
    _at: tuple[int, int] = (0, 0)

    @property
    def decimals(self) -> int:
        """How many decimals of a value are shown."""
        return DECIMALS.get(self.book.options.score, USUAL_DECIMALS)

    def add(self, parts: Sequence[Part]) -> None:
        """Add the answers of one meeting: its parts, in order."""
        meeting = parts[0].meeting
        first = self.book.question(meeting, self.book.starts[0], "policy")
        order = [int(i) for i in first.setup.order]
        listed = list(dict.fromkeys(chain.from_iterable(map(_ways, parts))))
        width = len(self.book.starts) // len(self.book.states)
        size = 6 + 2 * len(first.rules.level) + (max(meeting.numbers) + 1)
        chances = np.full((size, len(parts), width), UNKNOWN, np.uint16)
        values = np.full((1 + len(listed), len(parts), width), NOTHING, np.int32)
        for p, part in enumerate(parts):
            for s, answer in enumerate(part.answers):
                chances[:, p, s] = self._chances(answer, listed)
                values[:, p, s] = self._values(answer, listed)
        told = [[str(placed[i]) for i in order] for placed in listed]
        self.directory.append(
            {
                "a": meeting.a,
                "b": meeting.b,
                "numbers": meeting.numbers,
                "chooser": meeting.chosen_by,
                "order": [_name(first, i) for i in order],
                "ways": _place(self.ways, told),
                "plays": [part.play for part in parts],
                "why": next((part.why for part in parts if part.why), ""),
                "at": self._at,
            }
        )
        self._at = self._at[0] + chances.size, self._at[1] + values.size
        self.chances.append(chances.ravel())
        self.values.append(values.ravel())

    def _chances(self, answer: Answer, ways: Sequence[Placed]) -> list[int]:
        """Return the chances of one start: wins, first blow, states, enemies dead; then places."""
        law, question = answer.law, answer.question
        wins = [law.lone_wins, law.others_win][:: 1 if question.lone_side == 0 else -1]
        first = [float(law.joint[0].sum()), float(law.joint[1].sum())]
        states = [law.law[0], law.law[1:].mean(0)]
        if question.lone_side == 1:
            first.reverse()
            states.reverse()
        told = [
            *chance_codes([*wins, law.undecided]),
            chance_codes(first)[0],
            *chance_codes(states[0].tolist()),
            *chance_codes(states[1].tolist()),
            *chance_codes(law.sides.sum(0).tolist()),
        ]
        own = [_place(self.texts, [side, text]) for side, _, text in answer.advice]
        return [*told, ways.index(law.placed), _place(self.advices, own)]

    def _values(self, answer: Answer, ways: Sequence[Placed]) -> list[int]:
        """Return what one start is worth to A, and how each way to place dice changes that."""
        law, sign = answer.law, 1 if answer.question.lone_side == 0 else -1
        found = law.opening.placements
        changes = (
            change_code(sign * found[way] - law.value, self.decimals) if way in found else NOTHING
            for way in ways
        )
        return [round(clean(law.value) * 10**self.decimals), *changes]

    def packed(self) -> tuple[str, list[int]]:
        """Return the arrays as text: chances and values, packed; and how many there are of each."""
        arrays = np.concatenate(self.chances), np.concatenate(self.values)
        data = b"".join(_planes(array) for array in arrays)
        return b64encode(gzip.compress(data, 9, mtime=0)).decode(), [a.size for a in arrays]


def _ways(part: Part) -> list[Placed]:
    """Return the ways to place dice that are told in a part."""
    told = (
        way
        for answer in part.answers
        for way in (answer.law.placed, *answer.law.opening.placements)
    )
    return list(dict.fromkeys(told))


def _name(question: Question, index: int) -> str:
    """Return a fighter by side and number: ``A``, ``B2``."""
    one = question.fighters[index]
    alone = len(question.a if one.side == "A" else question.b) == 1
    return one.side if alone else f"{one.side}{one.place}"


def _place(listed: list[Any], item: Any) -> int:
    """Return the place of an item in a list, to which it is added if it is new."""
    if item not in listed:
        listed.append(item)
    return listed.index(item)


def _planes(array: NDArray[Any]) -> bytes:
    """Return an array byte by byte, the lowest bytes of all numbers first: they pack better."""
    width = array.dtype.itemsize
    little = array.astype(array.dtype.newbyteorder("<")).view(np.uint8).reshape(-1, width)
    return little.T.tobytes()


def estimated_size(book: FieldBook) -> int:
    """Return how many bytes the numbers of a book take on a page, about."""
    return round(sum(_PACKED * len(book.starts) * _bytes(book, m) for m in book.meetings))


def _bytes(book: FieldBook, meeting: Meeting) -> int:
    """Return how many bytes a start of a meeting takes before it is packed."""
    play = book.plays(meeting)[0]
    question = book.question(meeting, book.starts[0], play)
    numbers = 6 + 2 * len(question.rules.level) + max(meeting.numbers) + 1
    ways = 1
    for one in question.fighters:
        policy = question.options.policies[SIDES.index(one.side)]
        if "placement" in policy.open_decisions:
            enemies = len(question.others) if one is question.lone else 1
            dice = number_of_dice(question.options.edition, enemies)
            ways *= max(dice + more_dice(one, question.options), 0) + 1
    return 2 * numbers + 4 * (1 + ways)
