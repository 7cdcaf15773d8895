"""Situations of one piece for selection: the reduced space of 7.3, and that of characters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Fact, Kind, Order
from reference.sheet import CHOSEN, EVERYTHING, Facts, Readings, follows

ORDERS = (Order.ATTACK, Order.DEFENCE, Order.REGROUP, Order.RETREAT)
NOBODY, STALE, MIXED, FRESH = range(4)  # who engages, or is engaged
BOTH = (False, True)


class Columns(NamedTuple):
    """Situations as words: bit ``Fact.X`` of ``facts``, bit ``Deed.X`` of ``feasible``."""

    facts: NDArray[np.uint64]
    feasible: NDArray[np.uint32]


# --- the reduced space -------------------------------------------------------------------


def reduced_space() -> Iterator[Facts]:
    """The 132,872 consistent situations of 7.3.

    Contradictions that are left out: a charge while SHAKEN or ROUTED, or of a character; a
    ROUTED piece that engages; Far while engaged or engaging; facing without engaging both
    ways; a turn to face of what isn't an engaged formation; a troop stacked with a troop. The
    engagers of a stacked character vary although they are screened (Q9). A decoy varies by
    order and special order only. What is
    without ammunition can't fire.
    """
    for kind in (Kind.SIMPLE, Kind.FORMATION, Kind.CHARACTER):
        for cohesion, charge in postures(kind):
            for relations in around(kind, cohesion):
                yield from those(kind, cohesion, charge, relations)
    for order, special in product(ORDERS, BOTH):
        yield Facts(Kind.DECOY, order=order, special=special)


def postures(kind: Kind) -> Iterator[tuple[Cohesion, bool]]:
    for cohesion in Cohesion:
        yield cohesion, False
    if kind is not Kind.CHARACTER:
        yield Cohesion.GOOD, True


def around(kind: Kind, cohesion: Cohesion) -> Iterator[dict[str, bool]]:
    """Relations, and what depends on them."""
    for by, to in product(range(4), range(4)):
        if cohesion is Cohesion.ROUTED and to != NOBODY:
            continue
        faced = BOTH if by != NOBODY and to != NOBODY else (False,)
        turns = BOTH if kind is Kind.FORMATION and by != NOBODY else (False,)
        fars = BOTH if by == NOBODY and to == NOBODY else (False,)
        stacks = BOTH if kind is Kind.CHARACTER else (False,)
        for faces, can_face, far, stacked in product(faced, turns, fars, stacks):
            related = {} if stacked else {**relations(by, to), "faces": faces}
            yield {**related, "can_face": can_face, "far": far, "stacked": stacked}


def relations(by: int, to: int) -> dict[str, bool]:
    """Predicates of engagers and of those engaged (1.2)."""
    return {
        "engaged": by != NOBODY,
        "any_fresh_by": by in (MIXED, FRESH),
        "all_fresh_by": by == FRESH,
        "engages": to != NOBODY,
        "all_fresh_to": to == FRESH,
        "no_fresh_to": to == STALE,
    }


def those(kind: Kind, cohesion: Cohesion, charge: bool, around: dict[str, bool]) -> Iterator[Facts]:
    """What varies freely."""
    for in_range, ammo_out in product(BOTH, BOTH):
        fire = in_range and not ammo_out
        feasible = EVERYTHING - {Deed.FIRE} if ammo_out else EVERYTHING
        for breath, order, special, elite, dodge in product(Breath, ORDERS, BOTH, BOTH, BOTH):
            yield Facts(
                kind,
                cohesion,
                breath,
                order,
                charge,
                special,
                elite,
                dodge,
                can_fire=fire,
                ammo_out=ammo_out,
                feasible=feasible,
                **around,
            )


# --- characters, and what the world forbids ----------------------------------------------


def command_space() -> Iterator[Facts]:
    """Characters who are free or stacked: everything that A17 asks."""
    flags = ("leader", "cic", "in_command", "spell_chosen", "free_wing")
    flags += ("duel_shock", "duel_fire", "special", "stacked", "can_fire")
    for breath in (Breath.FRESH, Breath.WINDED):
        for cohesion in (Cohesion.GOOD, Cohesion.SHAKEN):
            for bits in product(BOTH, repeat=len(flags)):
                held = dict(zip(flags, bits, strict=True))
                yield Facts(Kind.CHARACTER, cohesion, breath, **held)


def hampered(space: Iterable[Facts], every: int, seed: int) -> Iterator[Facts]:
    """One situation out of ``every``, where the world allows about half of the actions."""
    rng = np.random.default_rng(seed)
    for number, facts in enumerate(space):
        if number % every == 0:
            allowed = rng.integers(0, 2, len(Deed))
            some = frozenset(deed for deed in facts.feasible if allowed[deed])
            yield replace(facts, feasible=some)


# --- words -------------------------------------------------------------------------------


KIND_BITS = {kind: 1 << Fact[kind.name] for kind in Kind}
ORDER_BITS = {order: 1 << Fact[f"FOLLOWS_{order.name}"] for order in ORDERS}
NAMED_BITS = [
    (1 << fact, fact.name.lower())
    for fact in Fact
    if fact.name in ("SHAKEN", "TIRED", "EXHAUSTED")
    or fact.name.lower() in Facts.__dataclass_fields__
]


def word(facts: Facts, readings: Readings = CHOSEN) -> int:
    """The facts as a word of `Fact` bits."""
    order = follows(facts, readings)
    total = KIND_BITS[facts.kind]
    if order is not Order.NONE:
        total |= ORDER_BITS[order]
    if facts.cohesion is Cohesion.ROUTED:
        total |= 1 << Fact.ROUTED
    for bit, name in NAMED_BITS:
        if getattr(facts, name):
            total |= bit
    return total


def columns(space: Iterable[Facts], readings: Readings = CHOSEN) -> Columns:
    """Situations as columns for kernels."""
    words, masks = [], []
    for facts in space:
        words.append(word(facts, readings))
        masks.append(mask(facts.feasible))
    return Columns(np.array(words, np.uint64), np.array(masks, np.uint32))


@cache
def mask(deeds: frozenset[Deed]) -> int:
    return sum(1 << deed for deed in deeds)
