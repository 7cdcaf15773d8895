"""One unit described in words: a situation without a map, with the enemies that it needs."""

from collections.abc import Sequence
from typing import Any

from ...kernels.layout.sheet import Breath, Cohesion, Faculty, Kind, Mark, Morale, Order
from ..errors import InputError, suggestion
from ..message import say
from .french import french_keys, french_words, plain
from .pieces import Situation
from .situation import GIVEN, situation_of

UNIT = "unit"
ENEMIES = ("fresh", "stale", "mixed")  # with a Contact marker, without, one of each
_FRESH, _STALE = "Fresh", "Stale"  # their names
_SAID = {"fresh": (_FRESH,), "stale": (_STALE,), "mixed": (_FRESH, _STALE)}
_FRENCH_ENEMIES = {"frais": "fresh", "ancien": "stale", "anciens": "stale", "mixte": "mixed"}
_NO = ("not ", "no ", "pas ", "non ")
_CODES = {
    "kind": tuple(Kind),
    "order": tuple(each for each in Order if each != Order.NONE),
    "cohesion": tuple(Cohesion),
    "breath": tuple(Breath),
    "morale": tuple(Morale),
    "marks": tuple(mark for mark in Mark if mark < Mark.ALIVE),
    "faculties": tuple(each for each in Faculty if each != Faculty.LEADER),
}
_FLAGS = ("shooter", "caster", "leader", *GIVEN)


def described_unit(words: Sequence[str], engaged_by: str = "", engages: str = "") -> Situation:
    """Return a situation with one unit, called ``unit``, and whom it meets.

    Its words are English or French, as ``formation``, ``défense``, ``not far``. Enemies that it
    engages or who engage it are fresh, stale or mixed: with a Contact marker, without, one of each.
    """
    found: dict[str, Any] = {"name": UNIT, "side": "own", "marks": [], "faculties": []}
    for word in (part.strip() for text in words for part in text.split(",")):
        if word:
            _add(found, word)
    order, leads = found.pop("order", None), found.pop("leader", False)
    found.setdefault("kind", "simple")
    troop = found["kind"] in ("simple", "formation")
    if order is None and troop and not {"special", "charge"} & set(found["marks"]):
        orders = ", ".join(each.name.lower() for each in _CODES["order"])
        raise InputError("--is: a Troop follows an order: say which: {}", orders)
    by, to = _met(engaged_by, "--engaged-by"), _met(engages, "--engages")
    if by and to and found.get("faces") is False:
        to = tuple(f"{name}-2" for name in to)
    pieces = [found | {"wing": "wing"} if troop or leads or order else found]
    for name in dict.fromkeys((*by, *to)):
        marks = ["contact"] * name.startswith(_FRESH)
        enemy = {"name": name, "side": "enemy", "kind": "simple", "wing": "enemies"}
        pieces.append(enemy | {"marks": marks})
    wing = {"name": "wing", "side": "own", "order": order or "attack"}
    wings = [wing | ({"leader": UNIT} if leads else {})]
    wings += [{"name": "enemies", "side": "enemy", "order": "attack"}] * (len(pieces) > 1)
    relations = [[name, UNIT] for name in by] + [[UNIT, name] for name in to]
    table = {"name": say("a unit"), "wings": wings, "pieces": pieces, "engages": relations}
    return situation_of(table, "--is")


def _met(word: str, option: str) -> tuple[str, ...]:
    """Return the names of enemies that a word describes."""
    if not word:
        return ()
    known = {**{name: name for name in ENEMIES}, **_FRENCH_ENEMIES}
    if plain(word) not in known:
        raise InputError('{}: "{}" is unknown; {}', option, word, suggestion(word, ENEMIES))
    return _SAID[known[plain(word)]]


def _add(found: dict[str, Any], word: str) -> None:
    """Note a word about a unit."""
    negation = next((no for no in _NO if plain(word).startswith(no)), "")
    bare = plain(word).removeprefix(negation)
    flags = {plain(flag): flag for flag in _FLAGS}
    flags |= {french: key for french, key in french_keys().items() if key in _FLAGS}
    if bare in flags:
        _set(found, flags[bare], not negation, word)
        return
    english = dict(french_words())
    known = {plain(code.name): (key, code) for key, codes in _CODES.items() for code in codes}
    bare = plain(english.get(bare, bare))
    if negation or bare not in known:
        raise InputError('--is: "{}" is unknown; {}', word, suggestion(word, [*known, *flags]))
    key, code = known[bare]
    if key in ("marks", "faculties"):
        found[key].append(code.name.lower())
    else:
        _set(found, key, code.name.lower(), word)


def _set(found: dict[str, Any], key: str, value: object, word: str) -> None:
    if found.get(key, value) != value:
        raise InputError('--is: "{}" contradicts "{}"; say one of them', word, found[key])
    found[key] = value
