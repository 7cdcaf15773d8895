"""The fields of the steps of a transcript: which each step has, and what each may hold."""

from collections.abc import Callable, Sequence
from math import dist, hypot
from typing import Any, NamedTuple

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


class Field(NamedTuple):
    """What a value must be, in words, and the test of it; the test knows the fighters."""

    words: str
    right: Callable[[Any, int], bool]


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number of a size that can be meant."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST


def is_number(value: Any) -> bool:
    """Whether a value is a number of a size that can be meant."""
    known = isinstance(value, int | float) and not isinstance(value, bool)
    return known and abs(value) <= _MOST  # false of what is no number


def is_list_of(value: Any, right: Callable[[Any], bool], length: int = -1) -> bool:
    """Whether a value is a list of what is right, of a length if one is told."""
    fits = isinstance(value, Sequence) and not isinstance(value, str)
    return fits and length in (-1, len(value)) and all(map(right, value))


def is_fighter(value: Any, n: int) -> bool:
    """Whether a value is the number of one of ``n`` fighters."""
    return is_whole(value) and 0 <= value < n


def _is_die(value: Any, n: int) -> bool:
    whole = is_list_of(value, is_whole) and len(value) in (3, 4)
    return whole and 0 <= value[0] < n and min(value[2:]) >= 0


def _is_point(value: Any) -> bool:
    return is_list_of(value, is_number, 2)


def _is_direction(value: Any) -> bool:
    return _is_point(value) and abs(hypot(*value) - 1) < _NEAR


def _is_length(value: Any) -> bool:
    return is_number(value) and value >= _LEAST


def _is_shape(value: Any) -> bool:
    points = is_list_of(value, _is_point) and len(value) > 2
    return points and all(dist(value[i - 1], value[i]) >= _LEAST for i in range(len(value)))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST and hidden(value) is None


FIGHTER = Field("the number of a fighter", is_fighter)
_OR_NONE = Field("the number of a fighter, or -1", lambda v, n: v == -1 or is_fighter(v, n))
FIGHTERS = Field(
    "a list of numbers of fighters", lambda v, n: is_list_of(v, lambda f: is_fighter(f, n))
)
_GROUPS = Field(
    "a list of lists of fighters",
    lambda v, n: is_list_of(v, lambda g: is_list_of(g, lambda f: is_fighter(f, n)) and len(g) > 1),
)
_GROUP = Field(
    "a list of two or more fighters",
    lambda v, n: is_list_of(v, lambda f: is_fighter(f, n)) and len(v) > 1,
)
_DICE = Field(
    "a list of dice [roller, value, index]", lambda v, n: is_list_of(v, lambda d: _is_die(d, n))
)
WHOLE = Field("a whole number", lambda v, n: is_whole(v))
WHOLE_OR_NULL = Field("a whole number or null", lambda v, n: v is None or is_whole(v))
WHOLES = Field("a list of whole numbers", lambda v, n: is_list_of(v, is_whole))
NUMBER = Field("a number", lambda v, n: is_number(v))
_PAIR = Field("a list of two whole numbers", lambda v, n: is_list_of(v, is_whole, 2))
_NUMBERS = Field("a list of two numbers", lambda v, n: is_list_of(v, is_number, 2))
POINT = Field("a point [x, y]", lambda v, n: _is_point(v))
FLAG = Field("true or false", lambda v, n: v is True or v is False or v in (0, 1))
SIDE = Field("0 or 1", lambda v, n: is_whole(v) and v in (0, 1))
_WINNER = Field("-1, 0 or 1", lambda v, n: is_whole(v) and v in (-1, 0, 1))
DIRECTION = Field("a direction [x, y] of length 1", lambda v, n: _is_direction(v))
LENGTH = Field("a length above 0", lambda v, n: _is_length(v))
SHAPE = Field("a list of three or more points", lambda v, n: _is_shape(v))
TEXT = Field("a short text without invisible characters", lambda v, n: _is_text(v))
_TESTERS = Field(
    "a list of two fighters, or -1",
    lambda v, n: is_list_of(v, lambda f: f == -1 or is_fighter(f, n), 2),
)
_VALUES = Field(
    "a list of two whole numbers, or null",
    lambda v, n: is_list_of(v, lambda x: x is None or is_whole(x), 2),
)


def one_of(*words: str) -> Field:
    """Return the field of a value that is one of some words."""
    return Field(f"one of {', '.join(words)}", lambda v, n: isinstance(v, str) and v in words)


_PURPOSE = one_of("tactics", "separation", "authority", "initiative")
_CAUSE_OF_SEPARATION, _CAUSE = one_of("melee", "pursuit"), one_of("chosen", "pursuit")
OUTCOME = one_of("nothing", "stunned", "light", "serious", "critical", "killed")
_WAY_OR_NULL = Field("agility, force or null", lambda v, n: v in ("agility", "force", None))
_MOVE = one_of("charge", "engage", "run", "under_cover", "walk", "turn", "flee", "pursue")
_OBJECTS = Field(
    f"a list of at most {_MOST_OBJECTS} objects",
    lambda v, n: is_list_of(v, lambda o: isinstance(o, dict)) and len(v) <= _MOST_OBJECTS,
)

_TEST = {
    "value": WHOLE,
    "difficulty": WHOLE,
    "result": WHOLE_OR_NULL,
    "success": FLAG,
    "dice": _DICE,
}
_PURSE = {"fighter": FIGHTER, "before": WHOLE, "after": WHOLE, "dice": _DICE}
_MARKS = Field(
    "a state or a list of markers",
    lambda v, n: isinstance(v, str) or is_list_of(v, lambda word: isinstance(word, str)),
)
_STAGE = one_of("harm", "passive", "active", "other", "return")
_STATE_OR_NUMBER = Field(
    "a state or a whole number", lambda v, n: isinstance(v, str) or is_whole(v)
)
_EFFECT = {
    "fighter": FIGHTER,
    "before": _STATE_OR_NUMBER,
    "after": _STATE_OR_NUMBER,
    "stage": _STAGE,
    "source": _OR_NONE,
    "effect": WHOLE,
    "dice": _DICE,
}

FIELDS: dict[str, dict[str, Field]] = {
    "battle": {
        "turns": WHOLE,
        "width": LENGTH,
        "depth": LENGTH,
        "terrain": _OBJECTS,
        "fighters": _OBJECTS,
        "mystics": _OBJECTS,
        "zones": _OBJECTS,
        "survival": _OBJECTS,
        "margin": NUMBER,
    },
    "turn": {"turn": WHOLE},
    "sequence": {"side": SIDE, "cards": WHOLES},
    "opposed": {
        "purpose": _PURPOSE,
        "testers": _TESTERS,
        "values": _VALUES,
        "results": _VALUES,
        "winner": _WINNER,
        "dice": _DICE,
    },
    "coin": {"purpose": _PURPOSE, "winner": SIDE},
    "first": {"side": SIDE, "winner": SIDE},
    "speak": {
        "side": SIDE,
        "move": one_of("top", "to_reserve", "reserve", "both", "refuse"),
        "top": WHOLE,
        "reserve": WHOLE,
        "held": WHOLE,
        "refusals": WHOLE,
        "fighters": FIGHTERS,
    },
    "announce": {
        "fighter": FIGHTER,
        "action": one_of("charge", "engage", "run", "under_cover", "flee"),
        "targets": FIGHTERS,
        "disengages": _WAY_OR_NULL,
    },
    "disengage": {
        "fighter": FIGHTER,
        "way": one_of("agility", "force"),
        "enemies": WHOLE,
        **_TEST,
    },
    "courage": {"fighter": FIGHTER, "against": FIGHTER, **_TEST},
    "move": {
        "fighter": FIGHTER,
        "action": _MOVE,
        "targets": FIGHTERS,
        "at": POINT,
        "facing": DIRECTION,
        "length": NUMBER,
        "toll": NUMBER,
        "short": FLAG,
        "touched": FIGHTERS,
    },
    "announce_walk": {"fighter": FIGHTER},
    "shoot": {
        "shooter": FIGHTER,
        "target": FIGHTER,
        "distance": NUMBER,
        "band": WHOLE,
        "moved": FLAG,
        "cover": WHOLE,
        "value": WHOLE,
        "difficulty": WHOLE,
        "result": WHOLE_OR_NULL,
        "hit": FLAG,
        "dice": _DICE,
    },
    "throw": {"fighter": FIGHTER, "shooter": FIGHTER},
    "wound": {
        "striker": FIGHTER,
        "target": FIGHTER,
        "strength": WHOLE,
        "resistance": WHOLE,
        "dice": _DICE,
        "outcome": OUTCOME,
        "state": TEXT,
        "still": FLAG,
    },
    "cast": {
        "fighter": FIGHTER,
        "mystic": WHOLE,
        "target": _OR_NONE,
        "held": WHOLE,
        "outside": FLAG,
        **_TEST,
    },
    "effect": {"fighter": FIGHTER, "mystic": WHOLE, "before": TEXT, "after": TEXT},
    "nothing": {"fighter": FIGHTER},
    "penalties": {"fighters": FIGHTERS},
    "melee": {"melee": WHOLE, "fighters": FIGHTERS},
    "separation": {
        "melee": WHOLE,
        "side": _WINNER,
        "combats": _GROUPS,
        "cause": _CAUSE_OF_SEPARATION,
        "by": _OR_NONE,
    },
    "named": {"side": SIDE, "combat": _GROUP, "fighter": _OR_NONE},
    "combat": {"side": SIDE, "fighters": _GROUP, "cause": _CAUSE, "chooser": SIDE},
    "place": {"fighter": FIGHTER, "attack": WHOLE, "defence": WHOLE},
    "strike": {"striker": FIGHTER, "target": FIGHTER, "committed": WHOLE, "sustained": FLAG},
    "attack": {
        "striker": FIGHTER,
        "target": FIGHTER,
        "natural": WHOLE_OR_NULL,
        "result": WHOLE_OR_NULL,
        "failed": FLAG,
        "dice": _DICE,
    },
    "parry": {
        "fighter": FIGHTER,
        "striker": FIGHTER,
        "natural": WHOLE_OR_NULL,
        "result": WHOLE_OR_NULL,
        "parried": FLAG,
        "dice": _DICE,
    },
    "end_combat": {},
    "feat": {
        "fighter": FIGHTER,
        "against": Field(
            "the number of a fighter, or null", lambda v, n: v is None or is_fighter(v, n)
        ),
        "effect": one_of(*FEATS),
        "x": WHOLE,
        "y": WHOLE_OR_NULL,
        "z": WHOLE,
        "dice": _DICE,
    },
    "fall": {"fighter": FIGHTER, "by": _OR_NONE},
    "pursuit": {"fighter": FIGHTER, "choice": one_of("stay", "move", "engage")},
    "rally": {
        "fighter": FIGHTER,
        "value": WHOLE_OR_NULL,
        "difficulty": WHOLE,
        "result": WHOLE_OR_NULL,
        "routed": FLAG,
        "barred": FLAG,
        "dice": _DICE,
    },
    "faith": _PURSE,
    "mana": _PURSE,
    "upkeep": _EFFECT,
    "lasting": _EFFECT,
    "markers": {
        "fighter": FIGHTER,
        "before": _MARKS,
        "after": _MARKS,
        "what": one_of("state", "markers"),
    },
    "score": {"turn": WHOLE, "destroyed": _NUMBERS, "points": _NUMBERS},
    "end": {"turn": WHOLE, "points": _NUMBERS, "winner": _WINNER},
}
