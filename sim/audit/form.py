"""The form of a transcript: which steps there are, and what each must say."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ...profiles.errors import InputError, echoed, suggestion
from .fields import (
    DIRECTION,
    FIELDS,
    FIGHTER,
    FIGHTERS,
    FLAG,
    LENGTH,
    NUMBER,
    OUTCOME,
    POINT,
    SHAPE,
    SIDE,
    TEXT,
    WHOLE,
    WHOLE_OR_NULL,
    WHOLES,
    Field,
    is_list_of,
    is_number,
    is_whole,
    one_of,
)

STEP_LIKE = '{"step": "turn", "turn": 1}'

# What a header may say of abilities (W-7).
_EFFECTS = (
    *("places_in_turn", "extra_dice", "fury", "charge_dice", "chain", "hold_back"),
    *("no_rerolls", "open_fives", "luck", "desperate", "all_attack_result"),
    *("master_stroke", "counter_attack", "parry_dice", "feint", "survival"),
    *("wound_dice", "ignore_doubles", "kill_doubles", "ignore_location"),
    *("all_attack_wound", "bane", "tough", "replace_dealt", "replace_suffered"),
    *("immune_toxic", "toxic", "diehard", "ignore_penalty", "lighter_penalty"),
    *("steady", "brutal", "power_charging", "power_charged", "fearless", "war_cry"),
    *("frightens_all", "aim_difficulty", "fast", "pursuits", "disengages"),
    *("fixed_discipline", "regeneration"),
)
_NUMBER_NAMES = (
    *("extra_dice", "fury_dice", "charge_dice", "chain_dice", "chain_cost"),
    *("held_dice", "open_rolls", "luck_tests", "desperate_result"),
    *("all_attack_result", "master_dice", "master_strength", "counter_margin"),
    *("counter_dice", "parry_dice", "feint_dice", "survival_die", "wound_dice"),
    *("kill_weapons", "ignored_locations", "all_attack_wound", "bane_rows"),
    *("tough_rows", "toxic_twice", "diehard_level", "ignored_level"),
    *("lighter_levels", "power_charging", "power_charged", "war_cry_fear"),
    *("aim_difficulty", "fast_factor", "extra_pursuits", "disengage_most"),
    *("discipline", "regeneration_die"),
)


class Step(NamedTuple):
    """One step of a transcript: its kind and what it says."""

    kind: str
    data: dict[str, Any]


_STATS = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", "PA")
_FIGHTER_FIELDS: dict[str, Field] = {
    "label": TEXT,
    "side": SIDE,
    "card": WHOLE,
    **dict.fromkeys(_STATS, Field("a number or null", lambda v, n: v is None or is_number(v))),
    "power": WHOLE,
    "size": Field("a size rank from 0 to 3", lambda v, n: is_whole(v) and 0 <= v <= 3),
    "shape": Field("rectangle or disc", lambda v, n: v in ("rectangle", "disc")),
    "width": LENGTH,
    "depth": LENGTH,
    "level": WHOLE,
    "state": TEXT,
    "routed": FLAG,
    "caster": FLAG,
    "tactics": FLAG,
    "weapon": Field("an object or null", lambda v, n: v is None or _is_weapon(v)),
    "command": NUMBER,
    "at": POINT,
    "facing": DIRECTION,
    "mystic": WHOLES,
    "rank": WHOLE_OR_NULL,
    "mana": WHOLE_OR_NULL,
    "faith": WHOLE_OR_NULL,
}
# Of a fighter whose abilities are played (W-7).
_FEAT_FIELDS = {
    "effects": Field("a list of effects", lambda v, n: is_list_of(v, lambda e: e in _EFFECTS)),
    "numbers": Field("an object of numbers and lists", lambda v, n: _are_numbers(v)),
    "dealt": Field("an object of outcomes", lambda v, n: _are_outcomes(v)),
    "suffered": Field("an object of outcomes", lambda v, n: _are_outcomes(v)),
    "banes": FIGHTERS,
}
_TERRAIN_FIELDS = {
    "name": TEXT,
    "corners": SHAPE,
    "impassable": FLAG,
    "height": NUMBER,
    "size": WHOLE,
}
_ZONE_FIELDS = {"corners": _TERRAIN_FIELDS["corners"], "points": NUMBER}
_SURVIVAL_FIELDS = {"fighter": FIGHTER, "points": NUMBER}
_MYSTIC_FIELDS = {
    "name": TEXT,
    "in_faith": FLAG,
    "cost": NUMBER,
    "difficulty": WHOLE,
    "range": NUMBER,
    "sight": FLAG,
    "friend": FLAG,
    "outside": FLAG,
    "times": WHOLE,
    "kind": one_of("damage", "heal"),
    "levels": WHOLE,
    "outcome": OUTCOME,
}


def _is_weapon(value: Any) -> bool:
    whole = isinstance(value, dict) and is_whole(value.get("strength"))
    return whole and is_list_of(value.get("ranges"), is_number, 3)


def _are_numbers(value: Any) -> bool:
    lists = ("open_rolls", "kill_weapons", "ignored_locations")
    return (
        isinstance(value, dict)
        and all(is_list_of(value.get(name), lambda v: True) for name in lists)
        and all(
            name in lists or (name in _NUMBER_NAMES and is_whole(value[name])) for name in value
        )
    )


def _are_outcomes(value: Any) -> bool:
    return isinstance(value, dict) and all(
        OUTCOME.right(outcome, 0) for pair in value.items() for outcome in pair
    )


def check_form(steps: Sequence[Step], where: str = "transcript") -> None:
    """Refuse what is no transcript: unknown steps, and values missing or of another kind.

    Raises
    ------
    InputError
        Names the step and the value, and says what would be right.
    """
    if not steps or steps[0].kind != "battle":
        raise InputError(f'{where}: the first step should be "battle", the fighters on the table')
    _check_header(steps[0].data, where)
    n = len(steps[0].data["fighters"])
    for number, (kind, data) in enumerate(steps):
        if kind not in FIELDS:
            raise InputError(
                f'{where}: step {number}: no step "{kind}"; {suggestion(kind, FIELDS)}'
            )
        _check_fields(data, FIELDS[kind], n, f"{where}: step {number} ({kind})")


def _check_header(header: dict[str, Any], where: str) -> None:
    _check_fields(header, FIELDS["battle"], 0, f"{where}: step 0 (battle)")
    n = len(header["fighters"])
    for key, fields in (
        ("fighters", _FIGHTER_FIELDS),
        ("terrain", _TERRAIN_FIELDS),
        ("zones", _ZONE_FIELDS),
        ("survival", _SURVIVAL_FIELDS),
        ("mystics", _MYSTIC_FIELDS),
    ):
        for number, item in enumerate(header[key]):
            _check_fields(item, fields, n, f"{where}: step 0 (battle): {key} item {number}")
            if key == "fighters" and "effects" in item:
                place = f"{where}: step 0 (battle): {key} item {number}"
                _check_fields(item, _FEAT_FIELDS, n, place)


def _check_fields(data: dict[str, Any], fields: dict[str, Field], n: int, where: str) -> None:
    for name, field in fields.items():
        if name not in data:
            raise InputError(f'{where}: has no "{name}"; it should be {field.words}')
        if not field.right(data[name], n):
            raise InputError(f'{where}: "{name}" should be {field.words}, not {echoed(data[name])}')
