"""Selection of an action, paragraph by paragraph (2.1, 3.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from estoc.kernels.layout.sheet import Cohesion, Deed, Kind, Mode, Order, Reading, Tag
from reference.sheet import (
    CHOSEN,
    FORMS,
    SELF_ONLY,
    Facts,
    Permitted,
    Readings,
    follows,
    reads,
)

D = Deed
Item = tuple[Deed, Tag]


class Paragraph(NamedTuple):
    """A paragraph whose condition holds: what it grants."""

    name: str
    mode: Mode
    items: list[Item]
    fallback: list[Item]


class Selected(NamedTuple):
    """Paragraphs that held in text order, the one that closed, actions and constraints.

    ``closing`` is the last paragraph of the point that closed, or F0; it ends the trace.
    """

    trace: list[str]
    closing: str
    permitted: dict[Deed, Tag]


Point = Callable[[Facts, Readings], list[Paragraph]]


def free(*deeds: Deed) -> list[Item]:
    return [(deed, Tag.FREE) for deed in deeds]


def tagged(tag: Tag, *deeds: Deed) -> list[Item]:
    return [(deed, tag) for deed in deeds]


def must(name: str, items: list[Item], fallback: list[Item] | None = None) -> Paragraph:
    return Paragraph(name, Mode.MUST, items, fallback or [])


def may(name: str, items: list[Item]) -> Paragraph:
    return Paragraph(name, Mode.MAY, items, [])


def menu(name: str, items: list[Item]) -> Paragraph:
    return Paragraph(name, Mode.MENU, items, [])


def idle(facts: Facts) -> list[Item]:
    """No action, or Rest for one that is out of breath (1.3)."""
    return free(D.REST if facts.tired else D.NONE)


def unlisted_none(readings: Readings) -> list[Item]:
    """No action where a menu doesn't list it (Q5)."""
    return free(D.NONE) if reads(readings, Reading.UNLISTED_NONE) == 1 else []


# --- all kinds, and the reflexes ---------------------------------------------------------


def a1(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not (facts.unit and facts.cohesion is Cohesion.ROUTED):
        return []
    if (facts.elite or facts.special) and D.RALLY in facts.feasible:
        return [must("A1", free(D.RALLY))]
    return [must("A1", free(D.FLEE))]


def a2(facts: Facts, readings: Readings) -> list[Paragraph]:
    if facts.kind is not Kind.DECOY:
        return []
    return [menu("A2", tagged(Tag.STAY_UNSEEN, *SELF_ONLY))]


def a3(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not facts.engaged or facts.faces:
        return []
    if facts.kind is Kind.SIMPLE:
        return [must("A3a", free(D.FACE))]
    if facts.kind is Kind.FORMATION and facts.can_face:
        return [must("A3b", free(D.FACE))]
    return []


def a4(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not facts.charge:
        return []
    if facts.engages:
        return [must("A4a", free(D.SHOCK))]
    if not facts.special:
        return [must("A4b", free(D.ATTACK_MOVE))]
    return []


def a5(facts: Facts, readings: Readings) -> list[Paragraph]:
    return [may("A5", free(D.SHOCK))] if facts.any_fresh_by else []


def a6(facts: Facts, readings: Readings) -> list[Paragraph]:
    order = follows(facts, readings)
    if not facts.troop or order not in (Order.REGROUP, Order.RETREAT):
        return []
    if facts.engaged:
        if reads(readings, Reading.A6A) == 0:
            applies = not facts.any_fresh_by
        else:
            applies = not facts.all_fresh_by
        return [must("A6a", free(D.WITHDRAW, D.FLEE), free(D.SHOCK))] if applies else []
    away = (D.MOVE, D.WITHDRAW, D.FLEE)
    if order is Order.RETREAT:
        fallback = free(D.SHOCK) if facts.engages else []
        return [must("A6b", tagged(Tag.TO_RETREAT_EDGE, *away), fallback)]
    if not facts.far:
        return [must("A6c", tagged(Tag.AWAY_FROM_NEAREST_THREAT, *away))]
    return []


def a7(facts: Facts, readings: Readings) -> list[Paragraph]:
    live = []
    weak = facts.shaken or facts.exhausted
    dodges_anyway = facts.dodge and reads(readings, Reading.DODGE_NEEDS_G) == 1
    if (facts.engages and (weak or facts.dodge)) or dodges_anyway:
        live.append(may("A7a", free(D.WITHDRAW, D.FLEE)))
    if facts.tired and not facts.engaged:
        live.append(may("A7b", free(D.REST)))
    if facts.shaken and not facts.engaged:
        regroup = free(D.REGROUP) if facts.elite or facts.special else []
        live.append(may("A7c", free(D.NONE) + regroup))
    return live


# --- orders of troops --------------------------------------------------------------------


def a8(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not facts.troop or follows(facts, readings) is not Order.REGROUP:
        return []
    if facts.engaged or not facts.far:
        return []
    items = tagged(Tag.STAY_FAR, D.MOVE, D.WITHDRAW, D.FLEE)
    if facts.can_fire:
        items += free(D.FIRE)
    items += free(D.RELOAD, D.HANDLE)
    if facts.shaken:
        items += free(D.REGROUP)
    return [menu("A8", items + free(D.MERGE, *FORMS) + idle(facts))]


def a9(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not facts.troop or follows(facts, readings) is not Order.DEFENCE:
        return []
    live = []
    if facts.engages:
        items = free(D.WITHDRAW, D.FLEE, D.SHOCK)
        if facts.all_fresh_to:
            items += free(D.FIRE)
        if facts.no_fresh_to:
            items += free(D.FORM_MODE)
        live.append(menu("A9a", items + unlisted_none(readings)))
    if not facts.engaged:
        items = tagged(Tag.NOT_ENGAGED_AT_END, D.MOVE) + free(D.WITHDRAW, D.FLEE)
        if facts.can_fire:
            items += free(D.FIRE)
        items += free(D.RELOAD, D.HANDLE, D.FORM_MODE)
        live.append(menu("A9b", items + idle(facts)))
    return live


def attacks(facts: Facts, readings: Readings) -> bool:
    return facts.troop and follows(facts, readings) is Order.ATTACK


def a10(facts: Facts, readings: Readings) -> list[Paragraph]:
    if attacks(facts, readings) and facts.dodge:
        return [may("A10", free(D.MOVE, D.WITHDRAW, D.FLEE))]
    return []


def a11(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not (attacks(facts, readings) and facts.engages):
        return []
    return [must("A11", free(D.SHOCK) + (free(D.FIRE) if facts.all_fresh_to else []))]


def a12(facts: Facts, readings: Readings) -> list[Paragraph]:
    if attacks(facts, readings) and not facts.engages and facts.can_fire:
        return [may("A12", tagged(Tag.CAN_FIRE_AT_END, D.MOVE))]
    return []


def a13(facts: Facts, readings: Readings) -> list[Paragraph]:
    if attacks(facts, readings) and not facts.engages and facts.ammo_out:
        return [may("A13", free(D.MOVE, D.RELOAD))]
    return []


def a14(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not attacks(facts, readings) or facts.engages:
        return []
    live = []
    if facts.can_fire:
        live.append(must("A14a", free(D.FIRE)))
    if facts.exhausted or facts.shaken:
        items = tagged(Tag.NO_ENGAGE, D.ATTACK_MOVE) + free(D.NONE)
        live.append(Paragraph("A14c", Mode.MAY_CLOSING, items, []))
    else:
        live.append(must("A14b", free(D.ATTACK_MOVE)))
    return live


def a15(facts: Facts, readings: Readings) -> list[Paragraph]:
    if not (facts.troop and facts.special):
        return []
    if facts.engages:
        items = free(D.WITHDRAW, D.FLEE, D.SHOCK)
        if facts.all_fresh_to:
            items += free(D.FIRE)
        return [menu("A15a", items + unlisted_none(readings))]
    items = free(D.MOVE, D.WITHDRAW, D.FLEE)
    if facts.can_fire:
        items += free(D.FIRE)
    if facts.shaken:
        items += free(D.REGROUP)
    items += free(D.RELOAD, D.HANDLE, D.MERGE, *FORMS)
    return [menu("A15b", items + idle(facts))]


# --- characters --------------------------------------------------------------------------


def a16(facts: Facts, readings: Readings) -> list[Paragraph]:
    if facts.kind is not Kind.CHARACTER or not facts.engaged:
        return []
    items = free(D.WITHDRAW, D.FLEE, D.SHOCK)
    if facts.all_fresh_by:
        items += free(D.FIRE)
    return [menu("A16", items + unlisted_none(readings))]


def a17(facts: Facts, readings: Readings) -> list[Paragraph]:
    if facts.kind is not Kind.CHARACTER or (facts.engaged and not facts.stacked):
        return []
    live = [menu("A17a", a17a_items(facts, readings))]
    if facts.special or (facts.stacked and reads(readings, Reading.A17B_STACKED) == 1):
        live.append(menu("A17b", a17b_items(facts)))
    return live


def a17a_items(facts: Facts, readings: Readings) -> list[Item]:
    items = free(D.WITHDRAW, D.FLEE, D.ORDERS_TROOPS)
    if facts.cic:
        items += free(D.ORDERS_CHARS)
    if facts.can_fire:
        items += free(D.FIRE)
    items += free(D.RELOAD, D.HANDLE)
    if facts.duel_shock:
        items += free(D.DUEL_SHOCK)
    if facts.duel_fire:
        items += free(D.DUEL_FIRE)
    if not facts.shaken:
        items += free(D.SPELL_CHOOSE)
    if facts.spell_chosen:
        items += free(D.SPELL_CAST)
    if reads(readings, Reading.A17_MOVE) == 1:
        items += free(D.MOVE)
    return items + idle(facts)


def a17b_items(facts: Facts) -> list[Item]:
    items = []
    if facts.leader:
        items += free(D.CHANGE_ORDER, D.RESIGN)
    if facts.free_wing and not facts.in_command:
        items += free(D.TAKE_COMMAND)
    return items


POINTS: tuple[Point, ...] = (
    a1,
    a2,
    a3,
    a4,
    a5,
    a6,
    a7,
    a8,
    a9,
    a10,
    a11,
    a12,
    a13,
    a14,
    a15,
    a16,
    a17,
)
TEXT = [*"12", "3a", "3b", "4a", "4b", "5", "6a", "6b", "6c", "7a", "7b", "7c", "8", "9a", "9b"]
TEXT += ["10", "11", "12", "13", "14a", "14b", "14c", "15a", "15b", "16", "17a", "17b"]
TEXT = ["A" + name for name in TEXT]  # every paragraph, in text order


# --- the first point that applies (2.1, Q3) ----------------------------------------------


def feasible(facts: Facts, items: list[Item]) -> list[Item]:
    return [item for item in items if item[0] in facts.feasible]


class Walked(NamedTuple):
    """A reading of the points; ``idle``: no action is allowed though nothing lists it."""

    trace: list[str]
    closing: str
    granted: Permitted
    idle: bool


def walk(facts: Facts, readings: Readings, points: Sequence[Point]) -> Walked:
    """A may adds, a must or a menu closes (M2)."""
    trace: list[str] = []
    granted = Permitted()
    for point in points:
        live = point(facts, readings)
        for paragraph in live:
            trace.append(paragraph.name)
            got = feasible(facts, paragraph.items)
            if paragraph.mode is Mode.MUST and not got:
                got = feasible(facts, paragraph.fallback)
            for item in got:
                granted.grant(*item)
            if paragraph.mode is Mode.MUST:
                return Walked(trace, paragraph.name, granted, not got)
        if any(paragraph.mode is not Mode.MAY for paragraph in live):
            return Walked(trace, trace[-1], granted, not granted)
    return Walked(trace, "F0", granted, True)


def first_point_only(facts: Facts, readings: Readings, points: Sequence[Point]) -> Walked:
    """The first point of which a paragraph holds is the only source; a may is declined (M1)."""
    for point in points:
        if point(facts, readings):
            walked = walk(facts, readings, [point])
            return walked._replace(closing=walked.trace[-1])
    return walk(facts, readings, [])


def with_order(facts: Facts, readings: Readings, points: Sequence[Point]) -> Walked:
    """A special order adds to what the wing's order lets do: a union (Q4, adds)."""
    read = walk if reads(readings, Reading.MODE) == 0 else first_point_only
    alone = read(facts, {**readings, Reading.SPECIAL: 0}, points)
    ordered = read(facts, {**readings, Reading.SPECIAL: 2}, points)
    granted = Permitted(alone.granted)
    for deed, tag in ordered.granted.items():
        granted.grant(deed, tag)
    trace = [name for name in TEXT if name in alone.trace or name in ordered.trace]
    return Walked(trace, alone.closing, granted, alone.idle and ordered.idle)


def select(facts: Facts, readings: Readings = CHOSEN) -> Selected:
    """What the sheet lets a piece do (2.1)."""
    if facts.special and reads(readings, Reading.SPECIAL) == 1:
        walked = with_order(facts, readings, POINTS)
    elif reads(readings, Reading.MODE) == 1:
        walked = first_point_only(facts, readings, POINTS)
    else:
        walked = walk(facts, readings, POINTS)
    permitted = Permitted(walked.granted)
    if walked.idle:
        permitted.grant(D.NONE, Tag.FREE)
    trace = walked.trace + (["F0"] if walked.closing == "F0" else [])
    return Selected(trace, walked.closing, permitted)
