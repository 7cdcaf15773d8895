"""The question of how far a rout spreads: units, who is in rout first, tests, turns (8.1)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...profiles.errors import InputError, suggestion
from ...profiles.message import joined, say, say_n
from ..base.options import quoted
from ..base.run import Method, Provenance, dice_of, digest
from .layout import INWARD, OUTWARD, Layout, Order, checked_order, layout_of

STATIC, FLEE = MODELS = ("static", "flee")
MAX_TURNS = 100
MAX_WAYS = 10_000  # of a test, as kernels roll it

READINGS = ("Q2", "Q6")  # S conditions in sequence; a failure triggers nobody at once


@dataclass(frozen=True)
class Contagion:
    """Units of which some are in rout, and how they are activated."""

    layout: Layout
    orders: tuple[str, ...]  # ``outward``, ``inward``, ``best``, ``worst`` or lists
    routed: tuple[int, ...]  # who is in rout at the start
    fail: Fraction  # chance that a Rout test fails: an assumption, the sheet has no dice
    turns: int  # each with the same order
    # "static" or "flee": nobody moves, or a unit in rout at its action step leaves everybody's side
    model: str

    @property
    def flee(self) -> bool:
        """Whether units flee."""
        return self.model == FLEE

    @property
    def start(self) -> int:
        """Who is in rout at the start, as bits."""
        return sum(1 << unit for unit in self.routed)

    @property
    def cell(self) -> int:
        """Number of what is played, 32 bits: the same dice for every order."""
        return dice_of(self._data)

    @property
    def inputs(self) -> str:
        """Digest of what the answer hangs on, but for orders."""
        told = (self._data, str(self.fail).encode(), self.model.encode(), bytes([self.turns]))
        return digest(b";".join(told))

    @property
    def _data(self) -> bytes:
        return repr((self.layout.neighbours, self.start)).encode()

    def listed(self, order: str) -> Order:
        """Return the units of an order that isn't searched for."""
        if order == OUTWARD:
            return self.layout.outward(self.routed)
        return self.layout.inward(self.routed) if order == INWARD else self.layout.listed(order)

    def title(self) -> str:
        """Return the question in a line."""
        names = ", ".join(self.layout.names[unit] for unit in self.routed)
        turns = say_n("{} turn", "{} turns", self.turns)
        moves = say("units in rout flee" if self.flee else "nobody moves")
        return say(
            "rout contagion: {}, {} in rout at the start, a Rout test fails with chance {}, {}, {}",
            self.layout.told,
            names,
            self.fail,
            turns,
            moves,
        )

    def provenance(self, how: Method) -> Provenance:
        """Return what the answer by a method rests on; the sheet has no edition."""
        return Provenance(
            inputs=self.inputs,
            readings=READINGS,
            command=self.command_line(how),
        )

    def command_line(self, how: Method) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "sheet", "contagion", self.layout.told]
        words += ["--side", self.layout.side] if self.layout.side else []
        words += [word for order in self.orders for word in ("--order", order)]
        words += [w for u in self.routed for w in ("--routed", self.layout.names[u])]
        words += ["--fail", str(self.fail), "--turns", str(self.turns), "--model", self.model]
        return " ".join(quoted(word) for word in [*words, *how.arguments])


def ask_contagion(
    layout: str | Layout,
    *,
    orders: Sequence[str] = (OUTWARD, INWARD),
    routed: Sequence[str] = (),
    fail: str | Fraction = "1/2",
    turns: int = 1,
    model: str = STATIC,
) -> Contagion:
    """Return the question of how far a rout spreads.

    Parameters
    ----------
    layout : str or Layout
        As `estoc.sim.contagion.layout.layout_of` reads it.
    orders : sequence of str
        Orders of activation, in the order of the answer: ``outward`` and ``inward`` from the
        units in rout at the start, ``best`` and ``worst`` by the mean number of units in rout,
        or a list of all units, as ``2,0,1``.
    routed : sequence of str
        Numbers or names of who is in rout at the start, one or a list each; the first unit if
        there is none.
    fail : str or Fraction
        From 0 to 1, as ``1/2``, ``0.35`` or ``35%``; with 10,000 as the largest denominator.
    turns : int
    model : {"static", "flee"}

    Raises
    ------
    InputError
        If one of these cannot be used.

    Examples
    --------
    >>> ask_contagion("line:3", fail="25%").title()
    'rout contagion: line:3, 0 in rout at the start, a Rout test fails with chance 1/4, 1 turn, \
nobody moves'
    """
    units = layout_of(layout) if isinstance(layout, str) else layout
    if model not in MODELS:
        raise InputError(
            'model "{}" should be {}; {}',
            model,
            joined(say(" or "), MODELS),
            suggestion(model, MODELS),
        )
    if not 1 <= turns <= MAX_TURNS:
        raise InputError("turns {} should be from 1 to {}", turns, MAX_TURNS)
    words = [word for text in routed for word in text.split(",")]
    first = dict.fromkeys(units.place(word, say('routed "{}"', word.strip())) for word in words)
    told = dict.fromkeys(checked_order(units, order) for order in orders)
    if not told:
        raise InputError("order: name at least one, as outward, inward, best, worst or a list")
    return Contagion(units, tuple(told), tuple(first) or (0,), checked_chance(fail), turns, model)


def checked_chance(text: str | Fraction) -> Fraction:
    """Return the chance that a text says.

    >>> checked_chance("0.35"), checked_chance("1/3"), checked_chance("5 %")
    (Fraction(7, 20), Fraction(1, 3), Fraction(1, 20))
    """
    if isinstance(text, Fraction):
        found = text
    else:
        match = re.fullmatch(r"\s*(\d+/[1-9]\d*|\d+\.?\d*|\.\d+)\s*(%?)\s*", text, re.ASCII)
        if not match or len(text) > 40:
            raise InputError('fail "{}" should be a chance, as 1/2, 0.5 or 50%', text)
        found = Fraction(match[1]) / (100 if match[2] else 1)
    if not 0 <= found <= 1:
        raise InputError('fail "{}" should be from 0 to 1, as 1/2, 0.5 or 50%', text)
    if found.denominator > MAX_WAYS:
        near = found.limit_denominator(MAX_WAYS)
        raise InputError(
            'fail "{}" has the denominator {:,}: {:,} is the largest; nearest: {}',
            text,
            found.denominator,
            MAX_WAYS,
            near,
        )
    return found
