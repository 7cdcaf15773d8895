"""The steps of a transcript, a model for each kind: what it says, and of which form."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from pydantic import Field, TypeAdapter, ValidationError

from ...profiles.errors import InputError, echoed, suggestion
from ...profiles.files.toml import keys_of, wanted
from ...profiles.message import joined, say
from .fighters import (
    Battle,
    Direction,
    Fighter,
    Flag,
    Number,
    Outcome,
    Part,
    Place,
    Side,
    Text,
    Who,
    Whoever,
    Whole,
    Winner,
    as_written,
)

Group = Annotated[list[Who], Field(min_length=2)]
Purpose = Literal["tactics", "separation", "authority", "initiative"]


class Die(NamedTuple):
    """A die: who rolls it, its place in its chain of re-rolls, and of several dice which it is."""

    roller: Who
    value: Whole
    order: Annotated[Whole, Field(ge=0)]
    place: Annotated[Whole, Field(ge=0)] = 0


class Turn(Part):
    step: Literal["turn"]
    turn: Whole


class Pile(Part):
    step: Literal["sequence"]
    side: Side
    cards: list[Whole]


class Opposed(Part):
    step: Literal["opposed"]
    purpose: Purpose
    testers: tuple[Whoever, Whoever]
    values: tuple[Whole | None, Whole | None]
    results: tuple[Whole | None, Whole | None]
    winner: Winner
    dice: list[Die]


class Coin(Part):
    step: Literal["coin"]
    purpose: Purpose
    winner: Side


class First(Part):
    step: Literal["first"]
    side: Side
    winner: Side


class Speak(Part):
    step: Literal["speak"]
    side: Side
    move: Literal["top", "to_reserve", "reserve", "both", "refuse"]
    top: Whole
    reserve: Whole
    held: Whole
    refusals: Whole
    fighters: list[Who]


class Announce(Part):
    step: Literal["announce"]
    fighter: Who
    action: Literal["charge", "engage", "run", "under_cover", "flee"]
    targets: list[Who]
    disengages: Literal["agility", "force"] | None


class Test(Part):
    value: Whole | None
    difficulty: Whole
    result: Whole | None
    dice: list[Die]


class Disengage(Test):
    step: Literal["disengage"]
    fighter: Who
    way: Literal["agility", "force"]
    enemies: Whole
    success: Flag


class Courage(Test):
    step: Literal["courage"]
    fighter: Who
    against: Who
    success: Flag


class Move(Part):
    step: Literal["move"]
    fighter: Who
    action: Literal["charge", "engage", "run", "under_cover", "walk", "turn", "flee", "pursue"]
    targets: list[Who]
    aimed: Whoever = None
    at: Place
    facing: Direction
    length: Number
    toll: Number
    short: Flag
    redirected: Flag = False
    touched: list[Who]


class AnnounceWalk(Part):
    step: Literal["announce_walk"]
    fighter: Who


class Nothing(Part):
    step: Literal["nothing"]
    fighter: Who


class Shoot(Test):
    step: Literal["shoot"]
    shooter: Who
    target: Who
    distance: Number
    band: Literal[0, 1, 2]
    moved: Flag
    cover: Whole
    hit: Flag


class Throw(Part):
    step: Literal["throw"]
    fighter: Who
    shooter: Who


class Wound(Part):
    step: Literal["wound"]
    striker: Who
    target: Who
    strength: Whole
    resistance: Whole
    dice: list[Die]
    outcome: Outcome
    state: Text
    still: Flag


class Cast(Test):
    step: Literal["cast"]
    fighter: Who
    mystic: Whole
    target: Whoever
    held: Whole
    outside: Flag
    success: Flag


class Effect(Part):
    step: Literal["effect"]
    fighter: Who
    mystic: Whole
    before: Text
    after: Text


class Penalties(Part):
    step: Literal["penalties"]
    fighters: list[Who]


class Melee(Part):
    step: Literal["melee"]
    melee: Whole
    fighters: list[Who]


class Separation(Part):
    step: Literal["separation"]
    melee: Whole
    side: Winner
    combats: list[Group]
    cause: Literal["melee", "pursuit"]
    by: Whoever


class Named(Part):
    step: Literal["named"]
    side: Side
    combat: Group
    fighter: Whoever


class Fight(Part):
    step: Literal["combat"]
    side: Side
    fighters: Group
    cause: Literal["chosen", "pursuit"]
    chooser: Side


class Placing(Part):
    step: Literal["place"]
    fighter: Who
    attack: Whole
    defence: Whole
    held: Whole = 0


class Strike(Part):
    step: Literal["strike"]
    striker: Who
    target: Who
    committed: Whole
    sustained: Flag
    held: Flag = False
    master: Flag = False


class Attack(Part):
    step: Literal["attack"]
    striker: Who
    target: Who
    natural: Whole | None
    result: Whole | None
    failed: Flag
    dice: list[Die]


class Parry(Part):
    step: Literal["parry"]
    fighter: Who
    striker: Who
    natural: Whole | None
    result: Whole | None
    parried: Flag
    dice: list[Die]


class EndCombat(Part):
    step: Literal["end_combat"]


class Feat(Part):
    step: Literal["feat"]
    fighter: Who
    against: Whoever
    effect: Literal[
        "luck", "fury", "chain", "hold_back", "master_stroke", "counter_attack", "parry_dice",
        "feint", "survival", "toxic", "diehard",
    ]  # fmt: skip
    x: Whole
    y: Whole | None
    z: Whole
    dice: list[Die]


class Fall(Part):
    step: Literal["fall"]
    fighter: Who
    by: Whoever


class Pursuit(Part):
    step: Literal["pursuit"]
    fighter: Who
    choice: Literal["stay", "move", "engage"]


class Rally(Test):
    step: Literal["rally"]
    fighter: Who
    routed: Flag
    barred: Flag


class Purse(Part):
    step: Literal["faith", "mana"]
    fighter: Who
    before: Whole
    after: Whole
    dice: list[Die]


class Lasting(Part):
    step: Literal["upkeep", "lasting"]
    fighter: Who
    before: str | Whole
    after: str | Whole
    stage: Literal["harm", "passive", "active", "other", "return"]
    source: Whoever
    effect: Whole
    dice: list[Die]


class Markers(Part):
    step: Literal["markers"]
    fighter: Who
    before: str | list[str]
    after: str | list[str]
    what: Literal["state", "markers"]


class Score(Part):
    step: Literal["score"]
    turn: Whole
    destroyed: tuple[Number, Number]
    points: tuple[Number, Number]


class End(Part):
    step: Literal["end"]
    turn: Whole
    points: tuple[Number, Number]
    winner: Winner


Step = (
    Battle | Turn | Pile | Opposed | Coin | First | Speak | Announce | Disengage | Courage | Move
    | AnnounceWalk | Nothing | Shoot | Throw | Wound | Cast | Effect | Penalties | Melee
    | Separation | Named | Fight | Placing | Strike | Attack | Parry | EndCombat | Feat | Fall
    | Pursuit | Rally | Purse | Lasting | Markers | Score | End
)  # fmt: skip


S = TypeVar("S", bound=Part)


def kinds_of(model: type[Part]) -> tuple[str, ...]:
    """Return what steps of a model are called in a transcript."""
    return get_args(model.model_fields["step"].annotation)


KINDS = tuple(kind for model in get_args(Step) for kind in kinds_of(model))


@cache
def _steps() -> TypeAdapter[list[Step]]:
    return TypeAdapter(list[Annotated[Step, Field(discriminator="step")]])


def checked(rows: Sequence[dict[str, Any]], where: str) -> tuple[list[Fighter], list[Step]]:
    """Return the fighters of a transcript and its steps, of which the first has all on the table.

    Raises
    ------
    InputError
        For the first step that is none: it names the step and the value, and what would be right.
    """
    if not rows or rows[0]["step"] != "battle":
        raise InputError('{}: the first step should be "battle", the fighters on the table', where)
    fighters: list[Fighter] = []
    try:
        steps = _steps().validate_python(rows, context=fighters)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        raise InputError(_message(fault, where)) from None
    return fighters, steps


_FLAG = say("be true or false")


def _message(fault: Any, where: str) -> str:
    """Say which step and value is wrong, and what would be right."""
    number, *parts = (part for part in keys_of(fault) if part != "[key]")
    if not parts:
        kind = fault["ctx"]["tag"]
        return say('{}: step {}: no step "{}"; {}', where, number, kind, suggestion(kind, KINDS))
    kind, *parts, last = parts
    within = [part if isinstance(part, str) else say("item {}", part) for part in parts]
    place = joined(": ", [where, say("step {} ({})", number, kind), *within])
    what = say("item {}", last) if isinstance(last, int) else as_written(last)
    if fault["type"] == "missing":
        return say("{}: has no {}", place, what)
    is_flag = fault.get("ctx", {}).get("expected", "").startswith("False")
    right = _FLAG if is_flag else wanted(fault)
    if right.startswith("have "):
        return say("{}: {} should {}", place, what, right)
    return say("{}: {} should {}, not {}", place, what, right, echoed(fault["input"]))
