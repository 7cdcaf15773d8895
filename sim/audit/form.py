"""The form of a transcript: which steps there are, and what each must say."""

from collections.abc import Callable, Sequence
from math import dist, hypot
from typing import Any, NamedTuple

from ...profiles.errors import InputError, echoed, suggestion
from ...profiles.text import hidden

# Effects of abilities that are steps of their own (W-7).
FEATS = (
    *("luck", "fury", "chain", "hold_back", "master_stroke", "counter_attack", "parry_dice"),
    *("feint", "survival", "toxic", "diehard"),
)
_MOST = 10**6  # of any number
_MOST_OBJECTS = 200  # of a kind
_LEAST, _NEAR = 1e-3, 1e-3  # cm of a length; of a direction's length from 1
_LONGEST = 500  # letters of a text
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


class _Field(NamedTuple):
    """What a value must be, in words, and the test of it; the test knows the fighters."""

    words: str
    right: Callable[[Any, int], bool]


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST


def _number(value: Any) -> bool:
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and abs(value) <= _MOST  # false of what is no number


def _list_of(value: Any, right: Callable[[Any], bool], length: int = -1) -> bool:
    fits = isinstance(value, Sequence) and not isinstance(value, str)
    return fits and length in (-1, len(value)) and all(map(right, value))


def _is_fighter(value: Any, n: int) -> bool:
    return _whole(value) and 0 <= value < n


def _is_die(value: Any, n: int) -> bool:
    whole = _list_of(value, _whole) and len(value) in (3, 4)
    return whole and 0 <= value[0] < n and min(value[2:]) >= 0


def _is_point(value: Any) -> bool:
    return _list_of(value, _number, 2)


def _is_direction(value: Any) -> bool:
    return _is_point(value) and abs(hypot(*value) - 1) < _NEAR


def _is_length(value: Any) -> bool:
    return _number(value) and value >= _LEAST


def _is_shape(value: Any) -> bool:
    points = _list_of(value, _is_point) and len(value) > 2
    return points and all(dist(value[i - 1], value[i]) >= _LEAST for i in range(len(value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and hidden(value) is None


_FIGHTER = _Field("the number of a fighter", _is_fighter)
_OR_NONE = _Field("the number of a fighter, or -1", lambda v, n: v == -1 or _is_fighter(v, n))
_FIGHTERS = _Field(
    "a list of numbers of fighters", lambda v, n: _list_of(v, lambda f: _is_fighter(f, n))
)
_GROUPS = _Field(
    "a list of lists of fighters",
    lambda v, n: _list_of(v, lambda g: _list_of(g, lambda f: _is_fighter(f, n)) and len(g) > 1),
)
_GROUP = _Field(
    "a list of two or more fighters",
    lambda v, n: _list_of(v, lambda f: _is_fighter(f, n)) and len(v) > 1,
)
_DICE = _Field(
    "a list of dice [roller, value, index]", lambda v, n: _list_of(v, lambda d: _is_die(d, n))
)
_WHOLE = _Field("a whole number", lambda v, n: _whole(v))
_WHOLE_OR_NULL = _Field("a whole number or null", lambda v, n: v is None or _whole(v))
_WHOLES = _Field("a list of whole numbers", lambda v, n: _list_of(v, _whole))
_NUMBER = _Field("a number", lambda v, n: _number(v))
_PAIR = _Field("a list of two whole numbers", lambda v, n: _list_of(v, _whole, 2))
_NUMBERS = _Field("a list of two numbers", lambda v, n: _list_of(v, _number, 2))
_POINT = _Field("a point [x, y]", lambda v, n: _is_point(v))
_FLAG = _Field("true or false", lambda v, n: v is True or v is False or v in (0, 1))
_SIDE = _Field("0 or 1", lambda v, n: _whole(v) and v in (0, 1))
_WINNER = _Field("-1, 0 or 1", lambda v, n: _whole(v) and v in (-1, 0, 1))
_DIRECTION = _Field("a direction [x, y] of length 1", lambda v, n: _is_direction(v))
_LENGTH = _Field("a length above 0", lambda v, n: _is_length(v))
_SHAPE = _Field("a list of three or more points", lambda v, n: _is_shape(v))
_TEXT = _Field("a short text without invisible characters", lambda v, n: _is_text(v))
_TESTERS = _Field(
    "a list of two fighters, or -1",
    lambda v, n: _list_of(v, lambda f: f == -1 or _is_fighter(f, n), 2),
)
_VALUES = _Field(
    "a list of two whole numbers, or null",
    lambda v, n: _list_of(v, lambda x: x is None or _whole(x), 2),
)


def _one_of(*words: str) -> _Field:
    return _Field(f"one of {', '.join(words)}", lambda v, n: isinstance(v, str) and v in words)


_PURPOSE = _one_of("tactics", "separation", "authority", "initiative")
_CAUSE_OF_SEPARATION, _CAUSE = _one_of("melee", "pursuit"), _one_of("chosen", "pursuit")
_OUTCOME = _one_of("nothing", "stunned", "light", "serious", "critical", "killed")
_WAY_OR_NULL = _Field("agility, force or null", lambda v, n: v in ("agility", "force", None))
_MOVE = _one_of("charge", "engage", "run", "under_cover", "walk", "turn", "flee", "pursue")
_OBJECTS = _Field(
    f"a list of at most {_MOST_OBJECTS} objects",
    lambda v, n: _list_of(v, lambda o: isinstance(o, dict)) and len(v) <= _MOST_OBJECTS,
)

_TEST = {
    "value": _WHOLE,
    "difficulty": _WHOLE,
    "result": _WHOLE_OR_NULL,
    "success": _FLAG,
    "dice": _DICE,
}
_PURSE = {"fighter": _FIGHTER, "before": _WHOLE, "after": _WHOLE, "dice": _DICE}
_MARKS = _Field(
    "a state or a list of markers",
    lambda v, n: isinstance(v, str) or _list_of(v, lambda word: isinstance(word, str)),
)
_STAGE = _one_of("harm", "passive", "active", "other", "return")
_STATE_OR_NUMBER = _Field("a state or a whole number", lambda v, n: isinstance(v, str) or _whole(v))
_EFFECT = {
    "fighter": _FIGHTER,
    "before": _STATE_OR_NUMBER,
    "after": _STATE_OR_NUMBER,
    "stage": _STAGE,
    "source": _OR_NONE,
    "effect": _WHOLE,
    "dice": _DICE,
}

FIELDS: dict[str, dict[str, _Field]] = {
    "battle": {
        "turns": _WHOLE,
        "width": _LENGTH,
        "depth": _LENGTH,
        "terrain": _OBJECTS,
        "fighters": _OBJECTS,
        "mystics": _OBJECTS,
        "zones": _OBJECTS,
        "survival": _OBJECTS,
        "margin": _NUMBER,
    },
    "turn": {"turn": _WHOLE},
    "sequence": {"side": _SIDE, "cards": _WHOLES},
    "opposed": {
        "purpose": _PURPOSE,
        "testers": _TESTERS,
        "values": _VALUES,
        "results": _VALUES,
        "winner": _WINNER,
        "dice": _DICE,
    },
    "coin": {"purpose": _PURPOSE, "winner": _SIDE},
    "first": {"side": _SIDE, "winner": _SIDE},
    "speak": {
        "side": _SIDE,
        "move": _one_of("top", "to_reserve", "reserve", "both", "refuse"),
        "top": _WHOLE,
        "reserve": _WHOLE,
        "held": _WHOLE,
        "refusals": _WHOLE,
        "fighters": _FIGHTERS,
    },
    "announce": {
        "fighter": _FIGHTER,
        "action": _one_of("charge", "engage", "run", "under_cover", "flee"),
        "targets": _FIGHTERS,
        "disengages": _WAY_OR_NULL,
    },
    "disengage": {
        "fighter": _FIGHTER,
        "way": _one_of("agility", "force"),
        "enemies": _WHOLE,
        **_TEST,
    },
    "courage": {"fighter": _FIGHTER, "against": _FIGHTER, **_TEST},
    "move": {
        "fighter": _FIGHTER,
        "action": _MOVE,
        "targets": _FIGHTERS,
        "at": _POINT,
        "facing": _DIRECTION,
        "length": _NUMBER,
        "toll": _NUMBER,
        "short": _FLAG,
        "touched": _FIGHTERS,
    },
    "announce_walk": {"fighter": _FIGHTER},
    "shoot": {
        "shooter": _FIGHTER,
        "target": _FIGHTER,
        "distance": _NUMBER,
        "band": _WHOLE,
        "moved": _FLAG,
        "cover": _WHOLE,
        "value": _WHOLE,
        "difficulty": _WHOLE,
        "result": _WHOLE_OR_NULL,
        "hit": _FLAG,
        "dice": _DICE,
    },
    "throw": {"fighter": _FIGHTER, "shooter": _FIGHTER},
    "wound": {
        "striker": _FIGHTER,
        "target": _FIGHTER,
        "strength": _WHOLE,
        "resistance": _WHOLE,
        "dice": _DICE,
        "outcome": _OUTCOME,
        "state": _TEXT,
        "still": _FLAG,
    },
    "cast": {
        "fighter": _FIGHTER,
        "mystic": _WHOLE,
        "target": _OR_NONE,
        "held": _WHOLE,
        "outside": _FLAG,
        **_TEST,
    },
    "effect": {"fighter": _FIGHTER, "mystic": _WHOLE, "before": _TEXT, "after": _TEXT},
    "nothing": {"fighter": _FIGHTER},
    "penalties": {"fighters": _FIGHTERS},
    "melee": {"melee": _WHOLE, "fighters": _FIGHTERS},
    "separation": {
        "melee": _WHOLE,
        "side": _WINNER,
        "combats": _GROUPS,
        "cause": _CAUSE_OF_SEPARATION,
        "by": _OR_NONE,
    },
    "named": {"side": _SIDE, "combat": _GROUP, "fighter": _OR_NONE},
    "combat": {"side": _SIDE, "fighters": _GROUP, "cause": _CAUSE, "chooser": _SIDE},
    "place": {"fighter": _FIGHTER, "attack": _WHOLE, "defence": _WHOLE},
    "strike": {"striker": _FIGHTER, "target": _FIGHTER, "committed": _WHOLE, "sustained": _FLAG},
    "attack": {
        "striker": _FIGHTER,
        "target": _FIGHTER,
        "natural": _WHOLE_OR_NULL,
        "result": _WHOLE_OR_NULL,
        "failed": _FLAG,
        "dice": _DICE,
    },
    "parry": {
        "fighter": _FIGHTER,
        "striker": _FIGHTER,
        "natural": _WHOLE_OR_NULL,
        "result": _WHOLE_OR_NULL,
        "parried": _FLAG,
        "dice": _DICE,
    },
    "end_combat": {},
    "feat": {
        "fighter": _FIGHTER,
        "against": _Field(
            "the number of a fighter, or null", lambda v, n: v is None or _is_fighter(v, n)
        ),
        "effect": _one_of(*FEATS),
        "x": _WHOLE,
        "y": _WHOLE_OR_NULL,
        "z": _WHOLE,
        "dice": _DICE,
    },
    "fall": {"fighter": _FIGHTER, "by": _OR_NONE},
    "pursuit": {"fighter": _FIGHTER, "choice": _one_of("stay", "move", "engage")},
    "rally": {
        "fighter": _FIGHTER,
        "value": _WHOLE_OR_NULL,
        "difficulty": _WHOLE,
        "result": _WHOLE_OR_NULL,
        "routed": _FLAG,
        "barred": _FLAG,
        "dice": _DICE,
    },
    "faith": _PURSE,
    "mana": _PURSE,
    "upkeep": _EFFECT,
    "lasting": _EFFECT,
    "markers": {
        "fighter": _FIGHTER,
        "before": _MARKS,
        "after": _MARKS,
        "what": _one_of("state", "markers"),
    },
    "score": {"turn": _WHOLE, "destroyed": _NUMBERS, "points": _NUMBERS},
    "end": {"turn": _WHOLE, "points": _NUMBERS, "winner": _WINNER},
}

_STAT = _WHOLE_OR_NULL
_STATS = ("MOU", "INI", "ATT", "FOR", "DEF", "RES", "TIR", "COU", "PEUR", "DIS", "PA")
_FIGHTER_FIELDS: dict[str, _Field] = {
    "label": _TEXT,
    "side": _SIDE,
    "card": _WHOLE,
    **dict.fromkeys(_STATS, _Field("a number or null", lambda v, n: v is None or _number(v))),
    "power": _WHOLE,
    "size": _Field("a size rank from 0 to 3", lambda v, n: _whole(v) and 0 <= v <= 3),
    "shape": _Field("rectangle or disc", lambda v, n: v in ("rectangle", "disc")),
    "width": _LENGTH,
    "depth": _LENGTH,
    "level": _WHOLE,
    "state": _TEXT,
    "routed": _FLAG,
    "caster": _FLAG,
    "tactics": _FLAG,
    "weapon": _Field("an object or null", lambda v, n: v is None or _is_weapon(v)),
    "command": _NUMBER,
    "at": _POINT,
    "facing": _DIRECTION,
    "mystic": _WHOLES,
    "rank": _WHOLE_OR_NULL,
    "mana": _WHOLE_OR_NULL,
    "faith": _WHOLE_OR_NULL,
}
# Of a fighter whose abilities are played (W-7).
_FEAT_FIELDS = {
    "effects": _Field("a list of effects", lambda v, n: _list_of(v, lambda e: e in _EFFECTS)),
    "numbers": _Field("an object of numbers and lists", lambda v, n: _are_numbers(v)),
    "dealt": _Field("an object of outcomes", lambda v, n: _are_outcomes(v)),
    "suffered": _Field("an object of outcomes", lambda v, n: _are_outcomes(v)),
    "banes": _FIGHTERS,
}
_TERRAIN_FIELDS = {
    "name": _TEXT,
    "corners": _SHAPE,
    "impassable": _FLAG,
    "height": _NUMBER,
    "size": _WHOLE,
}
_ZONE_FIELDS = {"corners": _TERRAIN_FIELDS["corners"], "points": _NUMBER}
_SURVIVAL_FIELDS = {"fighter": _FIGHTER, "points": _NUMBER}
_MYSTIC_FIELDS = {
    "name": _TEXT,
    "in_faith": _FLAG,
    "cost": _NUMBER,
    "difficulty": _WHOLE,
    "range": _NUMBER,
    "sight": _FLAG,
    "friend": _FLAG,
    "outside": _FLAG,
    "times": _WHOLE,
    "kind": _one_of("damage", "heal"),
    "levels": _WHOLE,
    "outcome": _OUTCOME,
}


def _is_weapon(value: Any) -> bool:
    whole = isinstance(value, dict) and _whole(value.get("strength"))
    return whole and _list_of(value.get("ranges"), _number, 3)


def _are_numbers(value: Any) -> bool:
    lists = ("open_rolls", "kill_weapons", "ignored_locations")
    return (
        isinstance(value, dict)
        and all(_list_of(value.get(name), lambda v: True) for name in lists)
        and all(name in lists or (name in _NUMBER_NAMES and _whole(value[name])) for name in value)
    )


def _are_outcomes(value: Any) -> bool:
    return isinstance(value, dict) and all(
        _OUTCOME.right(outcome, 0) for pair in value.items() for outcome in pair
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


def _check_fields(data: dict[str, Any], fields: dict[str, _Field], n: int, where: str) -> None:
    for name, field in fields.items():
        if name not in data:
            raise InputError(f'{where}: has no "{name}"; it should be {field.words}')
        if not field.right(data[name], n):
            raise InputError(f'{where}: "{name}" should be {field.words}, not {echoed(data[name])}')
