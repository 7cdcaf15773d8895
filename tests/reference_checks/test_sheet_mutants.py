"""Wrong implementations of the sheet, each caught by name (section 4)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest
from sheet_cases import CASES
from sheet_event_cases import EVENTS
from sheet_rout import laws, line, sizes
from sheet_space import reduced_space

from estoc.kernels.layout.sheet import Cohesion, Deed, Order, Reading
from reference import sheet_events, sheet_select, sheet_stages
from reference.sheet import Facts, Readings
from reference.sheet_select import POINTS, Paragraph, Point

HALF = Fraction(1, 2)


def caught() -> set[str]:
    """Cases of 7.1 and 7.2 that fail now."""
    wrong = set()
    for name, case in CASES.items():
        selected = sheet_select.select(case.facts, case.readings)
        if (" ".join(selected.trace), selected.permitted) != (case.trace, case.permitted):
            wrong.add(name)
    for name, event in EVENTS.items():
        try:
            event()
        except (AssertionError, LookupError):
            wrong.add(name)
    return wrong


def points(patch: pytest.MonkeyPatch, **changed: Point) -> None:
    """Replace points of stage A."""
    new = [changed.get(point.__name__, point) for point in POINTS]
    patch.setattr(sheet_select, "POINTS", tuple(new))


def seeing(point: Point, change: Callable[[Facts], Facts]) -> Point:
    """A point that reads other facts."""

    def read(facts: Facts, readings: Readings) -> list[Paragraph]:
        return point(change(facts), readings)

    return read


# --- section 4 ---------------------------------------------------------------------------


def chain_reaction(patch):
    """1: who fails S1b makes its neighbours test at once."""
    right = sheet_stages.s1b

    def s1b(play, piece):
        right(play, piece)
        if piece.routed:
            sheet_stages.s1a(play, piece)

    patch.setattr(sheet_stages, "s1b", s1b)


def spares_active(patch):
    """2: S1a excludes units that were activated."""
    right = sheet_stages.spread_to
    patch.setattr(
        sheet_stages,
        "spread_to",
        lambda world, piece: [one for one in right(world, piece) if not one.active],
    )


def charge_before_reflex(patch):
    """3: A4 before A3."""
    patch.setattr(sheet_select, "POINTS", (*POINTS[:2], POINTS[3], POINTS[2], *POINTS[4:]))


def charge_ignored(patch):
    """4: the order of the wing is followed whatever the charge."""

    def a4(facts, readings):
        live = sheet_select.a4(facts, readings)
        return live if facts.order is Order.ATTACK or facts.special else []

    points(patch, a4=a4)
    patch.setattr(
        sheet_select,
        "follows",
        lambda facts, readings: Order.NONE if facts.special else facts.order,
    )


def a8_gated(patch):
    """5: Regroup in A8 for the elite and those under a special order only."""

    def a8(facts, readings):
        gated = facts.elite or facts.special
        return [
            one._replace(items=[item for item in one.items if gated or item[0] is not Deed.REGROUP])
            for one in sheet_select.a8(facts, readings)
        ]

    points(patch, a8=a8)


def a7c_not_gated(patch):
    """5: Regroup in A7c for everybody."""
    points(patch, a7=seeing(sheet_select.a7, lambda facts: replace(facts, elite=True)))


def shaken_stays(patch):
    """6: a SHAKEN piece that fails S2 stays so."""
    right = sheet_stages.panic

    def panic(play, piece):
        if piece.cohesion is Cohesion.GOOD:
            right(play, piece)

    patch.setattr(sheet_stages, "panic", panic)


def frozen_skips_end(patch):
    """7: a formation that does nothing skips stage E."""
    right = sheet_stages.end

    def end(play, piece, chosen, frozen):
        if not frozen:
            right(play, piece, chosen, frozen)

    patch.setattr(sheet_stages, "end", end)


def charge_lost_twice(patch):
    """8: S2a and D1a each take the charge."""

    def panic(play, piece):
        charged = piece.charge
        sheet_events.lose_cohesion(play, piece)
        sheet_events.settle(play)
        if charged:
            sheet_events.tire(play, piece)

    patch.setattr(sheet_stages, "panic", panic)


def everybody_pursues(patch):
    """9: D3 tests enemies that engage another unit too."""

    def pursuers_of(world, piece):
        return tuple(
            one
            for one in sheet_stages.engagers(world, piece)
            if one.cohesion is Cohesion.GOOD and one.breath < 2
        )

    patch.setattr(sheet_stages, "pursuers_of", pursuers_of)


def stacked_is_engaged(patch):
    """10: A16 for a stacked character."""
    points(
        patch,
        a16=seeing(
            sheet_select.a16,
            lambda facts: replace(facts, engaged=facts.engaged or facts.stacked),
        ),
    )


def first_is_only(patch):
    """11: M1 instead of M2."""
    right = sheet_select.select
    patch.setattr(
        sheet_select,
        "select",
        lambda facts, readings: right(facts, {**readings, Reading.MODE: 1}),
    )


def some_are_fresh(point: str) -> Callable[[pytest.MonkeyPatch], None]:
    """12: Fire when only some of those engaged are fresh."""

    def mutate(patch: pytest.MonkeyPatch) -> None:
        def change(facts: Facts) -> Facts:
            return replace(facts, all_fresh_to=facts.engages and not facts.no_fresh_to)

        points(patch, **{point: seeing(getattr(sheet_select, point), change)})

    return mutate


CHARGERS = {f"U5a {order}" for order in ("DEFENCE", "REGROUP", "RETREAT")}
MUTANTS = [
    ("1", chain_reaction, {"U16 played", "U16_fled played"}),
    ("2", spares_active, {"U17 played"}),
    ("3", charge_before_reflex, {"U3", "U3 played"}),
    ("4", charge_ignored, CHARGERS),
    ("5 A8", a8_gated, {"U11a"}),
    ("5 A7c", a7c_not_gated, {"U13c"}),
    ("6", shaken_stays, {"U19b played"}),
    ("7", frozen_skips_end, {"U19d played"}),
    ("8", charge_lost_twice, {"U19a played"}),
    ("9", everybody_pursues, {"U21 played"}),
    ("10", stacked_is_engaged, {"U14b", "U14c", "U14b played"}),
    ("11", first_is_only, {"U7a", "U8c", "U11a", "U11b", "U12b", "U13a", "U13f", "U14a"}),
    ("12 A9a", some_are_fresh("a9"), {"U12b"}),
    ("12 A11", some_are_fresh("a11"), {"A11 mixed"}),
    ("12 A15a", some_are_fresh("a15"), {"A15a mixed"}),
]


def test_nothing_is_caught_without_a_mutant():
    assert caught() == set()


@pytest.mark.parametrize(("number", "mutate", "cases"), MUTANTS, ids=[m[0] for m in MUTANTS])
def test_mutant_is_caught(number, mutate, cases, monkeypatch):
    """The cases named see the mutant."""
    mutate(monkeypatch)
    assert cases <= caught()


def test_chain_reaction_changes_the_laws(monkeypatch):
    """The golden values of 8.1 of the first mutant."""
    chain_reaction(monkeypatch)
    outward = [Fraction(1, 4), Fraction(3, 16), Fraction(9, 16)]
    assert sizes(laws(line(3), (0, 1, 2), HALF)) == outward
    assert sizes(laws(line(3), (2, 1, 0), HALF)) == [Fraction(1, 4), HALF, Fraction(1, 4)]


def test_a_charge_changes_the_order_under_other_readings_only(monkeypatch):
    """A4 closes first: that a charge follows Attack shows where a special order adds (Q4)."""
    charged = [facts for facts in reduced_space() if facts.charge][::3]
    wing = {Reading.SPECIAL: 2}
    right = [(sheet_select.select(one), sheet_select.select(one, wing)) for one in charged]
    monkeypatch.setattr(
        sheet_select,
        "follows",
        lambda facts, readings: (
            Order.NONE if facts.special and not readings.get(Reading.SPECIAL) else facts.order
        ),
    )
    wrong = [(sheet_select.select(one), sheet_select.select(one, wing)) for one in charged]
    assert [chosen for chosen, _ in wrong] == [chosen for chosen, _ in right]
    assert [other for _, other in wrong] != [other for _, other in right]
