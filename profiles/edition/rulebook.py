"""Every key that an edition file must have: what its value may be and what it means."""

from typing import Annotated, Any, Literal, NamedTuple, get_args

from pydantic import ConfigDict, Field, TypeAdapter

from ..message import say


class Key(NamedTuple):
    """A value of the rules that could differ between editions."""

    kind: TypeAdapter[Any]  # its type, choices and range
    text: str  # what it means, on one line


def _kind(annotation: Any) -> TypeAdapter[Any]:
    return TypeAdapter(annotation, config=ConfigDict(strict=True))


_Length = Annotated[float, Field(gt=0, le=500)]
_Place = Literal["legs", "arms", "abdomen", "thorax", "head"]
_Line = Annotated[str, Field(pattern=r"^ *(-|St|L|S|C|K)( +(-|St|L|S|C|K)){4} *$")]
_Start = Annotated[int, Field(ge=-99, le=99)]

_FLAG = _kind(bool)
_COUNT = _kind(Annotated[int, Field(ge=0, le=99)])
_FINAL = _kind(Annotated[int, Field(ge=-99, le=99)])
_DICE = _kind(Annotated[int, Field(ge=0, le=3)])  # dice addresses have room for 30
_LEVEL = _kind(Annotated[int, Field(ge=1, le=9)])
_LENGTH = _kind(_Length)
_RECTANGLE = _kind(tuple[_Length, _Length])
_RANGES = _kind(tuple[_Length, _Length, _Length])
_STEPS = _kind(Annotated[tuple[Annotated[int, Field(ge=1, le=5)], ...], Field(min_length=1)])
_SHARE = _kind(Annotated[float, Field(ge=0, le=1)])
_NEARNESS = _kind(Annotated[float, Field(ge=0, le=5)])
_DIE = _kind(Annotated[int, Field(ge=0, le=6)])

STATS = ("INI", "ATT", "FOR", "DEF", "RES", "TIR")
LEVELS = ("light", "serious", "critical")

_ACTION = Literal["charge", "engage", "run", "under_cover", "walk", "shoot", "mystic"]
_NEED = Literal[
    "sees_target", "target_unseen", "level_0", "aim", "ranged_weapon", "line_of_sight", "caster"
]
_ACTIONS = _kind(tuple[_ACTION, ...])
_TIMES = _kind(Annotated[int, Field(ge=0, le=9)])
MOVES = ("charge", "engage", "run", "under_cover", "walk")
CUMULATIVE = ("walk", "shoot", "mystic")

KEYS: dict[str, Key] = {
    "tests.reroll_one": Key(
        _kind(Literal["reset", "add", "fail"]),
        "a 1 that ends the re-roll of a 6: natural result 1, adds 1, or failure",
    ),
    "tests.natural_one_fails": Key(_FLAG, "a first die of 1 fails (a 1 after a 6: reroll_one)"),
    "tests.automatic_failure": Key(_FINAL, "a final result at or below it fails; at -99 none does"),
    "tests.many_dice": Key(
        _kind(Literal["best_chain", "one_chain"]),
        "of several dice: every 6 may be re-rolled, or one 6 only",
    ),
    "tests.opposed_tie": Key(
        _kind(Literal["reroll", "coin", "higher_characteristic", "first"]),
        "equal opposed test; first: the side that chose the combat wins",
    ),
    "dice.base": Key(_DICE, "combat dice of every fighter"),
    "dice.per_enemy": Key(_DICE, "combat dice for each enemy in the combat"),
    "initiative.numbers_bonus": Key(_COUNT, "INI for each additional friend in the combat"),
    "defence.sustained_penalty": Key(_COUNT, "DEF lost once the last die is sustained"),
    **{f"charge.{stat}": Key(_COUNT, say("{} lost by a charged fighter", stat)) for stat in STATS},
    "charge.sharing": Key(
        _kind(Literal["pooled", "equal"]),
        "power of who charges several: with all his group's, or shared equally among them",
    ),
    "wounds.places": Key(
        _kind(tuple[_Place, _Place, _Place, _Place, _Place, _Place]),
        "place hit by the lower die, from 1 to 6",
    ),
    "wounds.starts": Key(
        _kind(Annotated[tuple[_Start, ...], Field(min_length=1)]),
        "first row of each line of the table but the first line",
    ),
    "wounds.table": Key(
        _kind(Annotated[tuple[_Line, ...], Field(min_length=2)]),
        "results by line, for legs, arms, abdomen, thorax and head",
    ),
    "wounds.double_six_kills": Key(_FLAG, "6-6 on the wound dice kills outright"),
    **{
        f"wounds.{level}": Key(_LEVEL, say("levels that a {} wound adds", level))
        for level in LEVELS
    },
    "wounds.killed_level": Key(_LEVEL, "a fighter with that many levels is dead"),
    "wounds.stunned_stacks": Key(_FLAG, "several stunned results add up, three at most"),
    **{
        f"penalty.{state}.{stat}": Key(_COUNT, say("{} lost by a fighter in state {}", stat, state))
        for state in ("stunned", *LEVELS)
        for stat in STATS
    },
    "fear.immune_after_success": Key(_FLAG, "success: immune to that PEUR for the game"),
    "fear.own_fear_as_courage": Key(
        _FLAG, "a frightening fighter tests only against a higher PEUR, its own as COU"
    ),
    "fear.routed_all_defence": Key(_FLAG, "in rout and in contact: all dice in defence"),
    "fear.flight": Key(_COUNT, "a fighter in rout flees MOU times this"),
    "fear.rally_difficulty": Key(_COUNT, "difficulty of the rally, by COU or DIS"),
    "fear.no_rally_in_contact": Key(_FLAG, "touching a frightening enemy, the rally fails"),
    **{
        f"power.{size}": Key(_COUNT, say("power of a fighter of size {}", size))
        for size in ("petite", "moyenne", "grande", "tres_grande")
    },
    **{
        f"{shape}.{size}": Key(kind, say("{} of a fighter of size {}", what, size))
        for shape, kind, what in (
            ("square", _RECTANGLE, say("width and depth in mm of the square base")),
            ("round", _LENGTH, say("diameter in mm of the round base")),
        )
        for size in ("petite", "moyenne", "grande", "grande_cavalerie", "tres_grande")
    },
    "shooting.short": Key(_COUNT, "difficulty at short range"),
    "shooting.medium": Key(_COUNT, "difficulty at medium range"),
    "shooting.long": Key(_COUNT, "difficulty at long range"),
    "shooting.moved": Key(_COUNT, "difficulty added if the shooter moved"),
    "shooting.still_lines": Key(_COUNT, "lines down on the wound table if it did not move"),
    "shooting.into_melee": Key(
        _FLAG, "a target in contact with a friend of the shooter may be shot at"
    ),
    **{
        f"weapon.{weapon}.{key}": Key(kind, say("{} of a {}", what, weapon))
        for weapon in ("pistol", "crossbow", "bow", "rifle", "ballista")
        for key, kind, what in (
            ("strength", _COUNT, "FOR"),
            ("ranges", _RANGES, say("short, medium and long range in cm")),
        )
    },
    "tactics.tie": Key(
        _kind(Literal["reroll", "coin", "higher_characteristic"]), "equal results of the roll"
    ),
    "tactics.no_fighter": Key(
        _kind(Literal["loses", "coin"]), "a side of which no fighter may make the roll"
    ),
    "tactics.routed_may_roll": Key(_FLAG, "a fighter in rout may make the roll"),
    "melee.discipline_tie": Key(
        _kind(Literal["reroll", "coin", "higher_characteristic"]),
        "equal results of the test for who separates a melee, or speaks first",
    ),
    "melee.nobody_able": Key(
        _kind(Literal["loses", "coin"]), "a side of which no fighter may make that test"
    ),
    "cards.refusal_alone": Key(_FLAG, "a refusal may be used when the enemy has no card left"),
    **{
        f"actions.{action}.{key}": Key(kind, text)
        for action in get_args(_ACTION)
        for key, kind, text in (
            (
                "kind",
                _kind(Literal["exclusive", "cumulative"]),
                say("whether it is all that a fighter does in an activation phase"),
            ),
            ("in_contact", _FLAG, say("possible while touching an enemy, without disengaging")),
            ("after_disengaging", _FLAG, say("possible after a disengagement")),
            ("times", _TIMES, say("most times in an activation, 0 as often as resources allow")),
            ("after", _ACTIONS, say("other actions that may come before it in an activation")),
            ("needs", _kind(tuple[_NEED, ...]), say("what must be so")),
        )
    },
    **{
        f"actions.{action}.{key}": Key(kind, text)
        for action in MOVES
        for key, kind, text in (
            ("potential", _LEVEL, say("how far it goes, as a multiple of MOU")),
            (
                "contact",
                _kind(Literal["forbidden", "compulsory"]),
                say("whether it ends in contact with an enemy"),
            ),
        )
    },
    **{
        f"actions.{action}.after_if_combines": Key(
            _ACTIONS, "actions that may come before it where an ability lets a fighter combine"
        )
        for action in CUMULATIVE
    },
    "actions.engage.in_sight_after_disengaging": Key(
        _FLAG, "after a disengagement the target may be in sight"
    ),
    "actions.walk.turning_counts": Key(_FLAG, "turning on the spot is a walk"),
    "actions.shoot.walk_announced": Key(_FLAG, "a walk after a shot is announced before it"),
    "actions.shoot.disengaged_moved": Key(_FLAG, "after a disengagement it is as after a walk"),
    "actions.shoot.still_bonus": Key(_FLAG, "a bonus if the shooter does not move (still_lines)"),
    "actions.disengage.after": Key(_ACTIONS, "actions that may come before a disengagement"),
    "actions.disengage.unless": Key(
        _kind(tuple[Literal["assaulted", "surrounded"], ...]), "what bars a disengagement"
    ),
    "actions.disengage.failure_stays": Key(_FLAG, "who fails to disengage does not move"),
    "actions.disengage.potential": Key(_LEVEL, "multiple of MOU of a move after disengaging"),
    "measuring.error": Key(
        _SHARE, "standard deviation of an estimated distance, as a share of the true one"
    ),
    "measuring.contact": Key(
        _NEARNESS, "mm by which bases that touch may overlap, or be apart, where a scenario begins"
    ),
    "cover.target": Key(_COUNT, "Target/+X of who moves under cover or throws itself to cover"),
    "cover.throw_needs": Key(
        _kind(tuple[Literal["level_0", "no_assault_shot"], ...]),
        "what throwing oneself to cover needs, besides not yet activated and free of enemies",
    ),
    "sight.hides": Key(
        _kind(Literal["lower", "higher"]),
        "sizes that hide a target: those of at least the smaller, or the bigger, of both",
    ),
    "defaults.size": Key(
        _kind(Literal["petite", "moyenne", "grande", "très grande"]),
        "size of a fighter whose card does not say",
    ),
    "defaults.power": Key(_COUNT, "power of a fighter whose card gives neither it nor a size"),
    "defaults.base": Key(_RECTANGLE, "base in mm of a fighter whose card gives no size"),
    "defaults.missing_PA": Key(
        _kind(Literal["equal", "first", "last"]),
        "order of placing: an unknown PA is equal to the enemy's, or before or after all others",
    ),
    "mystic.mana_base": Key(_COUNT, "mana that every magician recovers in maintenance"),
    "mystic.mana_per_rank": Key(_COUNT, "mana recovered for each rank"),
    "mystic.mana_dice": Key(_DICE, "dice added to the mana recovered"),
    "mystic.mana_most_per_rank": Key(_COUNT, "most mana that a magician recovers up to, per rank"),
    "mystic.faith_base": Key(_COUNT, "temporary faith of every faithful"),
    "mystic.faith_per_rank": Key(_COUNT, "temporary faith for each rank"),
    "mystic.faith_per_believer": Key(_COUNT, "temporary faith for each believer in the aura"),
    **{
        f"mystic.rank.{rank}": Key(_LEVEL, say("rank of a caster who is {}", rank))
        for rank in (
            *("initie", "adepte", "maitre", "virtuose"),
            *("devot", "zelote", "doyen", "avatar"),
        )
    },
    **{
        f"maintenance.steps.{kind}": Key(
            _STEPS,
            say("steps of maintenance that {} may be resolved in, its usual one first", effect),
        )
        for kind, effect in (
            ("damage", say("damage")),
            ("heal", say("healing")),
            ("roll_to_heal", say("a roll to heal (Régénération/X)")),
            ("upkeep", say("an upkeep")),
            ("return", say("a return to play")),
        )
    },
    **{
        f"maintenance.removes.{marker}": Key(_FLAG, say("step 6 removes the marker {}", marker))
        for marker in ("charged", "stunned", "defence", "target")
    },
    "maintenance.reinforcement_returns": Key(_DIE, "Renfort: least die that brings him back"),
    "maintenance.reinforcement_lost": Key(_DIE, "Renfort: greatest die that loses him for good"),
    "disengage.difficulty": Key(_COUNT, "difficulty of a disengagement, to which is added"),
    "disengage.difficulty_per_enemy": Key(_COUNT, "difficulty for each enemy in contact"),
    **{
        f"disengage.most.{size}": Key(
            _LEVEL,
            say("most enemies that may touch a fighter of size {}, whatever the bases", size),
        )
        for size in ("petite", "moyenne", "grande", "tres_grande")
    },
}


def alternatives(key: str, value: Any) -> list[str]:
    """Return the other values that a key of an edition may have: all words, or one less and more.

    >>> alternatives("tests.many_dice", "best_chain"), alternatives("penalty.light.INI", 1)
    (['one_chain'], ['0', '2'])
    """
    schema = KEYS[key].kind.json_schema()
    if "enum" in schema:
        return [word for word in schema["enum"] if word != value]
    if schema.get("type") == "boolean":
        return ["false" if value else "true"]
    if schema.get("type") != "integer":
        return []
    low, high = schema.get("minimum", value - 1), schema.get("maximum", value + 1)
    return [str(v) for v in (value - 1, value + 1) if low <= v <= high]
