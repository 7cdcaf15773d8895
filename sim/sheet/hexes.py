"""Where a unit may go: the hexes that each permitted action leaves open; the nearest threat."""

import numpy as np

from ...kernels.layout.sheet import FAR_AWAY, Deed, Kind, Tag
from ...kernels.layout.situation import Plane
from ...kernels.sheet.hexes import open_hexes
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import estoc_version
from ..base.result import Result, Row
from .cases import cases_of
from .counters import STANDING, Labels
from .question import BARE, Askable, Compiled, question_of, unit_of
from .words import DEEDS, hex_text
from .words import TAGS as TAG_WORDS

HEXES = AnswerKind(
    "sheet-hexes",
    columns("text", "kind of the row: threat, hex, off the map or none", "what")
    + columns("text", "action, and its name in English", "deed", "text")
    + columns("text", "what binds the action", "constraint")
    + columns("text", "hex where it may end, or where the threat is", "hex")
    + columns("whole", "movement points that the threat needs", "points", unit="points")
    + columns("whole", "movement points that are left there", "left", unit="points")
    + columns("text", "piece that is asked about", "unit"),
    origin=origin_columns(*BARE),
    text="sheet.table:hexes_blocks",
    blank="",
)
_row = HEXES.row

MOVES = (Deed.MOVE, Deed.ATTACK_MOVE, Deed.WITHDRAW, Deed.FLEE)
_USED_TESTS = ("reach", "effect")
_USED_WORLD = ("allowance", "front", "terrain", "stack_limit", "leave_cost", "fire_range")


def hexes(question: Askable, unit: str | None = None) -> Result:
    """Return the hexes in which the permitted actions of a unit may end (A6c, A8, A12, D5, 3.5).

    As the pieces stand now: what its tests at the start would change is not looked at, but every
    action is listed that is permitted after some fall of them.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        Of a situation with a map, by name or file: as it stands, with the shipped values.
    unit : str, optional
        A piece on it, by name or number; the only one if not given.

    Returns
    -------
    Result
        Rows of some kinds (``what``): ``threat``, the enemy units that reach it at the least cost
        (``points``); ``hex``, where an action (``deed``, ``constraint``) may end, with the
        movement points that are ``left`` there (of a flight, hexes); ``off``: it may lead off
        the map; ``none``: it leads nowhere.

    Raises
    ------
    InputError
        If there is no map, no such piece, or it is not on the map.
    """
    question = question_of(question)
    situation = question.situation
    u = unit_of(question, unit)
    piece = situation.pieces[u]
    if situation.engages is not None:
        raise InputError("hexes: the file has no map; give one with [map] and a hex for each piece")
    if piece.place is None:
        raise InputError("hexes: {} is not on the map", piece.name)
    compiled = question.compiled()
    labels = Labels.of(situation)
    rows = _threats(compiled, u, labels)
    permitted = dict.fromkeys(
        pair for case in cases_of(compiled, u) for pair in case.permitted if pair[0] in MOVES
    )
    for deed, tag in permitted:
        rows += _hexes(compiled, u, deed, tag, labels)
    command = question.command("check", "--unit", piece.name, "--hexes", played=False)
    told = {"unit": piece.name, "inputs": question.inputs, "version": estoc_version()}
    return Result(
        HEXES,
        [{**row, **told, "command": command} for row in rows],
        say("where {} may go: {}", piece.name, situation.name),
        notes=question.remarks(_USED_TESTS, _USED_WORLD),
        command=command,
    )


def _threats(compiled: Compiled, u: int, labels: Labels) -> list[Row]:
    """Return the nearest threats: enemy Units that contact the piece's hex at the least cost."""
    record, terrain = compiled.sheets[0], compiled.terrain
    begin = record["begin"]
    costs = {}
    for e in range(int(record["pieces"])):
        present = int(begin["mark"][e]) & STANDING == STANDING and begin["at"][e] >= 0
        if present and record["side"][e] != record["side"][u] and begin["kind"][e] != Kind.DECOY:
            plane = Plane.CONTACT + 2 * int(record["mover"][e])
            costs[e] = int(terrain.pairs[plane, begin["at"][e], begin["at"][u]])
    least = min(costs.values(), default=FAR_AWAY)
    if least >= FAR_AWAY:
        return [_row("threat", text=say("no enemy unit can come to it"))]
    return [
        _row("threat", text=labels.piece(e), hex=hex_text(int(begin["at"][e]), labels), points=cost)
        for e, cost in costs.items()
        if cost == least
    ]


def _hexes(compiled: Compiled, u: int, deed: Deed, tag: Tag, labels: Labels) -> list[Row]:
    """Return where one action may end."""
    own = compiled.copy()
    left = np.empty(len(own.terrain.stood), np.int64)
    off = open_hexes(own.sheets, own.terrain, u, int(deed), int(tag), left)
    start = int(compiled.sheets[0]["begin"]["at"][u])
    told = {"deed": deed.name, "text": DEEDS[deed][0], "constraint": TAG_WORDS[tag]}
    rows = [
        _row("hex", **told, hex=hex_text(int(at), labels), left=int(left[at]))
        for at in np.flatnonzero(left >= 0)
        if at != start
    ]
    if off:
        rows.append(_row("off", **told))
    return rows or [_row("none", **told)]
