"""Situation files of the sheet, made for a test: from pieces, or from a state of 7.1."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from estoc.kernels.layout.sheet import Breath, Cohesion, Deed, Kind, Order
from reference.sheet import EVERYTHING, Facts

SHOTS = {Deed.FIRE, Deed.DUEL_FIRE}  # that the file itself denies to who is no shooter
U, FRESH_ONE, STALE_ONE, OTHER_FRESH, OTHER_STALE = "u", "fresh", "stale", "fresh 2", "stale 2"


def write(
    path: Path,
    pieces: Iterable[dict],
    wings: Iterable[dict],
    engages: Sequence[Sequence[str]] | None = None,
    rows: Sequence[str] = (),
    **of_map: list,
) -> str:
    """Write a situation file; its path."""
    lines = ['name = "made"']
    if engages is not None:
        lines.append(f"engages = {json.dumps([list(pair) for pair in engages])}")
    if rows:
        lines.append(f"[map]\nrows = {json.dumps(list(rows))}")
        lines += [f"{key} = {json.dumps(value)}" for key, value in of_map.items()]
    for heading, tables in (("wings", wings), ("pieces", pieces)):
        for table in tables:
            lines.append(f"[[{heading}]]")
            lines += [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def wing(name: str = "ours", side: str = "Lion", order: str = "defence", **more: object) -> dict:
    return {"name": name, "side": side, "order": order, **more}


def piece(name: str, side: str = "Lion", **more: object) -> dict:
    own = {"wing": "ours" if side == "Lion" else "theirs"}
    return {"name": name, "side": side, "kind": "simple", **own, **more}


def line(path: Path, n: int = 5) -> str:
    """A line of units of which the first is routed; nobody moves, flees or rallies (8.1)."""
    still = {"cannot": ["flee", "rally"]}
    pieces = [piece(f"unit {k}", hex=f"0,{k}", **still) for k in range(n)]
    pieces[0]["cohesion"] = "routed"
    return write(path, pieces, [wing()], rows=["."] * n)


def state(path: Path, facts: Facts) -> str:
    """A state of 7.1 as a situation with given relations, the piece under test named u."""
    by, to = _enemies(facts)
    engages = [(enemy, U) for enemy in by] + [(U, enemy) for enemy in to]
    enemies = [
        piece(name, "Raven", marks=["contact"] * ("fresh" in name))
        for name in dict.fromkeys((FRESH_ONE, *by, *to))
    ]
    leads = {"leader": U} if facts.leader else {}
    ours = wing(order=Order(facts.order).name.lower(), **leads)
    return write(path, [_under_test(facts), *enemies], [ours, wing("theirs", "Raven")], engages)


def _enemies(facts: Facts) -> tuple[list[str], list[str]]:
    """Who engages the piece, and whom it engages: others if it does not face them."""
    by: list[str] = []
    to: list[str] = []
    if facts.engaged:
        by = [FRESH_ONE] * facts.any_fresh_by + [STALE_ONE] * (not facts.all_fresh_by)
    if facts.engages:
        to = [FRESH_ONE] * (not facts.no_fresh_to) + [STALE_ONE] * (not facts.all_fresh_to)
        if by and not facts.faces:
            to = [{FRESH_ONE: OTHER_FRESH, STALE_ONE: OTHER_STALE}[name] for name in to]
    return by, to


def _under_test(facts: Facts) -> dict:
    marks = {
        "charge": facts.charge,
        "special": facts.special,
        "spell": facts.spell_chosen,
        "ammo_out": facts.ammo_out,
    }
    return piece(
        U,
        kind=Kind(facts.kind).name.lower(),
        cohesion=Cohesion(facts.cohesion).name.lower(),
        breath=Breath(facts.breath).name.lower(),
        morale="elite" if facts.elite else "ordinary",
        marks=[mark for mark, holds in marks.items() if holds],
        faculties=["dodge"] * facts.dodge + ["cic"] * facts.cic,
        far=facts.far,
        can_fire=facts.can_fire,
        can_face=facts.can_face,
        stacked=facts.stacked,
        duel_shock=facts.duel_shock,
        duel_fire=facts.duel_fire,
        caster=True,
        cannot=[deed.name.lower() for deed in sorted(EVERYTHING - facts.feasible - SHOTS)],
    )
