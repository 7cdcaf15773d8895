"""The sheet's test cases of selection, U1 to U14 (7.1): facts, trace, permitted actions."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from sheet_space import FRESH, MIXED, STALE, relations

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Order, Reading, Tag
from reference.sheet import CHOSEN, EVERYTHING, FORMS, SELF_ONLY, Facts, Readings
from reference.sheet_select import select

D = Deed
UNUSED = 0  # nobody engages, or is engaged


class Case(NamedTuple):
    """A state and what the sheet says of it."""

    facts: Facts
    trace: str
    permitted: dict[Deed, Tag]
    readings: Readings = CHOSEN


def deeds(*those: Deed, **tags: Tag) -> dict[Deed, Tag]:
    """Actions without a constraint, and those with one."""
    return dict.fromkeys(those, Tag.FREE) | {D[name]: tag for name, tag in tags.items()}


def between(by: int, to: int, faces: bool | None = None, **more) -> dict:
    """Engagers and engaged ones; they face each other if there are both."""
    facing = (by != UNUSED and to != UNUSED) if faces is None else faces
    return {**relations(by, to), "faces": facing, **more}


ELSEWHERE = (D.MOVE, D.WITHDRAW, D.FLEE)
MENDING = (D.RELOAD, D.HANDLE)
ROUTED = Facts(cohesion=Cohesion.ROUTED)
CHARGING = Facts(charge=True)
FORMATION = Facts(Kind.FORMATION, order=Order.DEFENCE, **between(STALE, UNUSED))
ATTACKED = Facts(**between(FRESH, FRESH, can_fire=True))
REGROUPING = Facts(order=Order.REGROUP)
FAR = Facts(order=Order.REGROUP, far=True)
DEFENDING = Facts(order=Order.DEFENCE)
ATTACKING = Facts()
SHAKEN_ONE = Facts(cohesion=Cohesion.SHAKEN)
CHARACTER = Facts(Kind.CHARACTER)
STACKED = Facts(Kind.CHARACTER, stacked=True)
AWAY = Tag.AWAY_FROM_NEAREST_THREAT
NO_ENGAGE = Tag.NO_ENGAGE
STAY = {"MOVE": Tag.STAY_FAR, "WITHDRAW": Tag.STAY_FAR, "FLEE": Tag.STAY_FAR}
QUIET = (D.WITHDRAW, D.FLEE, D.ORDERS_TROOPS, *MENDING, D.SPELL_CHOOSE, D.NONE)

CASES = {
    "U1a": Case(ROUTED, "A1", deeds(D.FLEE)),
    "U1b": Case(replace(ROUTED, elite=True), "A1", deeds(D.RALLY)),
    "U1c": Case(
        replace(ROUTED, special=True, feasible=EVERYTHING - {D.RALLY}), "A1", deeds(D.FLEE)
    ),
    "U2": Case(Facts(Kind.DECOY), "A2", dict.fromkeys(SELF_ONLY, Tag.STAY_UNSEEN)),
    "U3": Case(replace(CHARGING, **between(STALE, STALE, faces=False)), "A3a", deeds(D.FACE)),
    "U4a": Case(FORMATION, "F0", deeds(D.NONE)),
    "U4b": Case(replace(FORMATION, charge=True), "A4b", deeds(D.ATTACK_MOVE)),
    "U6a": Case(
        replace(CHARGING, special=True),
        "A15b",
        deeds(*ELSEWHERE, *MENDING, D.MERGE, *FORMS, D.NONE),
    ),
    "U6b": Case(replace(CHARGING, special=True, **between(UNUSED, STALE)), "A4a", deeds(D.SHOCK)),
    "U7a": Case(ATTACKED, "A5 A11", deeds(D.SHOCK, D.FIRE)),
    "U7b": Case(
        replace(ATTACKED, ammo_out=True, can_fire=False, feasible=EVERYTHING - {D.FIRE}),
        "A5 A11",
        deeds(D.SHOCK),
    ),
    "U7c": Case(
        replace(ATTACKED, cohesion=Cohesion.SHAKEN),
        "A5 A7a A11",
        deeds(D.SHOCK, D.FIRE, D.WITHDRAW, D.FLEE),
    ),
    "U8a": Case(replace(REGROUPING, **between(FRESH, FRESH)), "A5 F0", deeds(D.SHOCK, D.NONE)),
    "U8b": Case(replace(REGROUPING, **between(MIXED, MIXED)), "A5 F0", deeds(D.SHOCK, D.NONE)),
    "U8c": Case(
        replace(REGROUPING, dodge=True, **between(FRESH, FRESH)),
        "A5 A7a F0",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE, D.NONE),
    ),
    "U8d": Case(
        replace(REGROUPING, cohesion=Cohesion.SHAKEN, **between(STALE, STALE)),
        "A6a",
        deeds(D.WITHDRAW, D.FLEE),
    ),
    "U9": Case(
        Facts(
            order=Order.RETREAT,
            feasible=EVERYTHING - {D.WITHDRAW, D.FLEE},
            **between(STALE, STALE),
        ),
        "A6a",
        deeds(D.SHOCK),
    ),
    "U10": Case(
        replace(REGROUPING, cohesion=Cohesion.SHAKEN, breath=Breath.EXHAUSTED, elite=True),
        "A6c",
        deeds(MOVE=AWAY, WITHDRAW=AWAY, FLEE=AWAY),
    ),
    "U11a": Case(
        replace(FAR, cohesion=Cohesion.SHAKEN),
        "A7c A8",
        deeds(D.REGROUP, *MENDING, D.MERGE, *FORMS, D.NONE, **STAY),
    ),
    "U11b": Case(
        replace(FAR, breath=Breath.WINDED),
        "A7b A8",
        deeds(D.REST, *MENDING, D.MERGE, *FORMS, **STAY),
    ),
    "U12a": Case(
        replace(DEFENDING, **between(STALE, STALE)),
        "A9a",
        deeds(D.WITHDRAW, D.FLEE, D.SHOCK, D.FORM_MODE),
    ),
    "U12b": Case(
        replace(DEFENDING, **between(MIXED, MIXED)),
        "A5 A9a",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
    "U12c": Case(
        replace(DEFENDING, **between(UNUSED, STALE)),
        "A9a A9b",
        deeds(
            *(D.WITHDRAW, D.FLEE, D.SHOCK, D.FORM_MODE, *MENDING, D.NONE),
            MOVE=Tag.NOT_ENGAGED_AT_END,
        ),
    ),
    "U13a": Case(
        replace(ATTACKING, can_fire=True),
        "A12 A14a",
        deeds(D.FIRE, MOVE=Tag.CAN_FIRE_AT_END),
    ),
    "U13b": Case(
        replace(ATTACKING, ammo_out=True), "A13 A14b", deeds(D.MOVE, D.RELOAD, D.ATTACK_MOVE)
    ),
    "U13c": Case(SHAKEN_ONE, "A7c A14c", deeds(D.NONE, ATTACK_MOVE=NO_ENGAGE)),
    "U13d": Case(
        replace(SHAKEN_ONE, elite=True),
        "A7c A14c",
        deeds(D.NONE, D.REGROUP, ATTACK_MOVE=NO_ENGAGE),
    ),
    "U13e": Case(
        replace(ATTACKING, breath=Breath.EXHAUSTED),
        "A7b A14c",
        deeds(D.REST, D.NONE, ATTACK_MOVE=NO_ENGAGE),
    ),
    "U13f": Case(replace(ATTACKING, dodge=True), "A10 A14b", deeds(*ELSEWHERE, D.ATTACK_MOVE)),
    "U14a": Case(
        replace(CHARACTER, **between(MIXED, MIXED)),
        "A5 A16",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
    "U14b": Case(STACKED, "A17a", deeds(*QUIET)),
    "U14c": Case(
        replace(STACKED, leader=True, special=True),
        "A17a A17b",
        deeds(*QUIET, D.CHANGE_ORDER, D.RESIGN),
    ),
    "U14d": Case(
        replace(CHARACTER, cohesion=Cohesion.SHAKEN, spell_chosen=True),
        "A7c A17a",
        deeds(*(D.WITHDRAW, D.FLEE, D.ORDERS_TROOPS, *MENDING, D.SPELL_CAST, D.NONE)),
    ),
    "U13a M1": Case(
        replace(ATTACKING, can_fire=True),
        "A12",
        deeds(D.NONE, MOVE=Tag.CAN_FIRE_AT_END),
        {Reading.MODE: 1},
    ),
}
# not in the specification's list: Fire of each clause has its own condition, and arms nobody
UNARMED = EVERYTHING - {D.FIRE, D.DUEL_FIRE}
CASES |= {
    "A11 mixed": Case(
        replace(ATTACKING, can_fire=True, **between(MIXED, MIXED)), "A5 A11", deeds(D.SHOCK)
    ),
    "A15a mixed": Case(
        replace(ATTACKING, special=True, can_fire=True, **between(STALE, MIXED)),
        "A15a",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
    "A16 fresh by": Case(
        replace(CHARACTER, can_fire=True, **between(FRESH, MIXED)),
        "A5 A16",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE, D.FIRE),
    ),
    "A16 fresh to": Case(
        replace(CHARACTER, can_fire=True, **between(MIXED, FRESH)),
        "A5 A16",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
}
CASES |= {
    "A9a unarmed": Case(
        replace(DEFENDING, feasible=UNARMED, **between(FRESH, FRESH)),
        "A5 A9a",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
    "A11 unarmed": Case(
        replace(ATTACKING, feasible=UNARMED, **between(FRESH, FRESH)), "A5 A11", deeds(D.SHOCK)
    ),
    "A15a unarmed": Case(
        replace(ATTACKING, special=True, feasible=UNARMED, **between(FRESH, FRESH)),
        "A5 A15a",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
    "A16 unarmed": Case(
        replace(CHARACTER, feasible=UNARMED, **between(FRESH, FRESH)),
        "A5 A16",
        deeds(D.SHOCK, D.WITHDRAW, D.FLEE),
    ),
}
for order in (Order.ATTACK, Order.DEFENCE, Order.REGROUP, Order.RETREAT):
    CASES[f"U5a {order.name}"] = Case(replace(CHARGING, order=order), "A4b", deeds(D.ATTACK_MOVE))
    # By is fresh: A5 grants the same action first
    CASES[f"U5b {order.name}"] = Case(
        replace(CHARGING, order=order, **between(FRESH, FRESH)), "A4a", deeds(D.SHOCK)
    )


def impossible(facts: Facts) -> set[Deed]:
    """Actions without their own conditions, which a file without a map has too (6)."""
    if facts.kind is Kind.DECOY:  # it feigns them
        return set()
    found = {Deed.MERGE, Deed.DUEL_FIRE if facts.ammo_out else Deed.RELOAD}
    found |= set() if facts.engages else {Deed.SHOCK}
    found |= set() if facts.can_fire else {Deed.FIRE}
    formation = facts.kind is Kind.FORMATION
    joins, others = {Deed.FORM_CONSTITUTE, Deed.FORM_JOIN}, {Deed.FORM_BREAK, Deed.FORM_LEAVE}
    return found | (joins if formation else others | {Deed.FORM_MODE})


def possible(case: Case) -> dict[Deed, Tag]:
    """What is permitted by the plain reading without the actions that are impossible."""
    able = replace(case.facts, feasible=case.facts.feasible - impossible(case.facts))
    expected = select(able, case.readings).permitted
    listed = {deed: tag for deed, tag in case.permitted.items() if deed in able.feasible}
    assert expected == listed
    return expected
