"""The assumed values that an answer about the sheet used, in few words, to print beside it."""

from collections.abc import Collection

from ...kernels.layout.sheet import Faculty, Kind, Mark, Morale
from ...profiles.message import joined, say, say_all, say_n
from ...profiles.sheet.pieces import Piece, Situation
from ...profiles.sheet.tests import SheetTests
from ...profiles.sheet.world import World

MODIFIED = ("rout", "engagement", "discipline", "rally")  # tests that modifiers can apply to
LONG = 50  # letters of what is not told but named
ROLLED = ("rout", "morale", "engagement", "discipline", "rally", "retreat", "demoralisation")

_SHIFTS = say_all(
    {
        "shaken": "shaken {:+d}",
        "exhausted": "exhausted {:+d}",
        "leader_stacked_or_adjacent": "leader stacked or adjacent {:+d}",
        "engaged_not_facing": "engaged not facing {:+d}",
    }
)


def tests_told(tests: SheetTests, situation: Situation, parts: Collection[str]) -> list[str]:
    """Return assumed values of the tests, a phrase a part.

    Targets are those of the profiles that a situation has; modifiers that shift nothing are left
    out, and so is what no test of ``parts`` uses.
    """
    used = [name for name in ROLLED if name in parts and _is_rolled(name, situation)]
    told = [_target(tests, situation, name) for name in used]
    if any(name != "rout" or tests.rout is None for name in used):
        told.insert(0, _dice(tests))
    told += [_modifiers(tests, used)]
    told += [say("a wing that fails retreats")] * bool({"retreat", "demoralisation"} & set(used))
    if "effect" in parts:
        told += [say("flight of {} hexes", tests.flee_hexes), say("rest {} level", tests.rest)]
    if "reach" in parts and _units(situation):
        turns = tests.reach_turns
        told += [say_n("reach of {} turn", "reach of {} turns", turns)]
    return [phrase for phrase in told if phrase]


def _is_rolled(name: str, situation: Situation) -> bool:
    """Whether the pieces can lead to a test: Morale needs one that frightens, Retreat a leader."""
    if name == "morale":
        fear = Faculty.FEARSOME | Faculty.INVULNERABLE
        return any(piece.faculty & fear for piece in situation.pieces)
    leads = Faculty.LEADER | Faculty.CIC
    return name != "retreat" or any(piece.faculty & leads for piece in situation.pieces)


def _dice(tests: SheetTests) -> str:
    values = tests.values
    words = [say("dice {}d{}", values["dice.count"], values["dice.sides"])]
    words += [say("the least roll fails")] * bool(values["dice.natural_min_fails"])
    words += [say("the highest passes")] * bool(values["dice.natural_max_passes"])
    return joined(", ", words)


def _target(tests: SheetTests, situation: Situation, name: str) -> str:
    """Return the targets of a test, those unlike an ordinary piece's in brackets."""
    if name == "rout" and tests.rout is not None:
        return say("rout fails with {}", tests.rout)
    if name == "retreat":
        return say("retreat {}", tests.values["wing.retreat_target"])
    if name == "demoralisation":
        base, slope = tests.wing_line
        return say("demoralisation {} + {} a Troop lost", base, slope)
    profiles = {piece.morale for piece in situation.pieces if piece.kind != Kind.DECOY}
    targets = {
        morale: tests.values[f"{name}.{morale.name}"]
        for morale in Morale
        if morale in profiles and f"{name}.{morale.name}" in tests.values
    }
    usual = targets.pop(Morale.ORDINARY, None)
    others = [f"{morale.name} {value}" for morale, value in targets.items() if value != usual]
    if usual is None:
        return say("{} {}", name, others) if others else ""
    return say("{} {} ({})", name, usual, others) if others else say("{} {}", name, usual)


def _modifiers(tests: SheetTests, used: Collection[str]) -> str:
    given = tests.values.get("modifier.applies_to", [])
    applied = given if isinstance(given, list) else []
    to = [
        name
        for name in MODIFIED
        if name in used and name in applied and (name != "rout" or tests.rout is None)
    ]
    shifts = [
        say(_SHIFTS[key.removeprefix("modifier.")], value)
        for key, value in tests.values.items()
        if key.startswith("modifier.") and isinstance(value, int) and value
    ]
    return say("modifiers of {}: {}", to, shifts) if to and shifts else ""


def world_told(world: World, situation: Situation, parts: Collection[str]) -> list[str]:
    """Return assumed values of the world, a phrase a part; of long ones the name, at the end."""
    found: dict[str, list[str]] = {}
    for key, value in world.assumed(parts):
        part, _, name = key.partition(".")
        if name in Kind.__members__ and not _uses(part, Kind[name], situation):
            continue
        if part == "outcome" or _matters(part, situation):
            found.setdefault(part, []).append(f"{name} {value.replace(',', '')}".strip())
    told = {part: say("{} {}", part.replace("_", " "), each) for part, each in found.items()}
    short = [phrase for phrase in told.values() if len(phrase) <= LONG]
    rest = [part.replace("_", " ") for part, phrase in told.items() if len(phrase) > LONG]
    return [*short, *[say("the file's {}", rest)] * bool(rest)]


def _units(situation: Situation) -> list[Piece]:
    """Return the pieces that are on the map."""
    return [piece for piece in situation.pieces if piece.place is not None]


def _uses(part: str, kind: Kind, situation: Situation) -> bool:
    """Whether a value of a kind of pieces is used: there are such, without one of their own."""
    own = [piece for piece in _units(situation) if piece.kind == kind]
    if part == "allowance":
        return any(piece.allowance is None for piece in own)
    return bool(own) and situation.engages is None and kind != Kind.DECOY


def _matters(part: str, situation: Situation) -> bool:
    """Whether a value that is one number is used."""
    units = _units(situation)
    if part == "fire_range":
        return any(piece.fire_range is None for piece in units)
    if part in ("order_range", "spell_range"):
        return any(piece.kind == Kind.CHARACTER for piece in units)
    if part == "decoys":
        return any(piece.kind == Kind.DECOY or piece.mark & Mark.HIDDEN for piece in units)
    return bool(units)
