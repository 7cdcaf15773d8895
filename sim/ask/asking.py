"""The words of a command line as what they ask for: options, fighters, the command again."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...profiles.errors import InputError
from ...profiles.fighters.card import COLUMNS, Profile
from ...profiles.fighters.roster import Roster
from ...profiles.files.reading import made_once
from ..base.naming import left_out
from ..base.options import SIDES, Options, quoted, repeated, sides_of
from ..base.policy import parse_policies
from ..base.result import Result
from ..base.run import Run
from ..combat.score import checked_score
from .output import tell

if TYPE_CHECKING:
    from ..battle.question import BattleQuestion
    from ..contagion.question import Contagion
    from ..phases.card_question import CardQuestion
    from ..sheet.question import SheetQuestion
    from ..table.tabletop import Tabletop


def read_options(asked: dict[str, Any]) -> tuple[Options, Roster]:
    """Return the options of a question, and the roster that names are looked up in."""
    options = Options(
        edition_name=asked["edition_name"],
        rules=asked["rules"],
        policies=parse_policies(asked["policies"]),
        turns=asked["turns"],
        chosen_by=asked["chosen_by"],
        sets=asked["sets"],
        wounds=asked["wounds"],
        dice=asked["dice"] if "fighters_met" in asked else (),
        charge=asked["charge"] if "people" not in asked else (),
        all_defence=asked["all_defence"],
        fighters=asked["fighters"],
        score=checked_score(asked["score"]),
        abilities=asked["abilities"],
    )
    return options, told_roster(options)


def told_roster(options: Options) -> Roster:
    """Return the roster that names are looked up in; say which fighters replaced others."""

    def loaded() -> Roster:
        roster = Roster.load(options.fighters)
        for remark in roster.remarks:
            tell(remark)
        return roster

    return made_once(("roster", options.fighters), loaded)


def few_options(asked: dict[str, Any]) -> tuple[Options, Roster]:
    """Return the options of a question without a combat, and the roster for names."""
    keys = ("edition_name", "rules", "sets", "wounds", "fighters", "abilities")
    options = Options(**{key: asked[key] for key in keys}, charge=asked.get("charge", ()))
    return options, told_roster(options)


def card_question(asked: dict[str, Any]) -> "CardQuestion":
    """Return the question about an activation phase.

    Raises
    ------
    InputError
        Also for options that do not go together.
    """
    from ..phases.card_question import ask

    if not asked["transcript"] and asked["trial"] is not None:
        raise InputError("cards: --trial says which phase --transcript tells; add --transcript")
    lost = [
        key
        for key in ("method", "exact", "precision", "trials")
        if asked["transcript"] and asked[key]
    ]
    if lost:
        raise InputError(f"cards: --transcript tells one phase: drop --{lost[0]}")
    keys = ("edition_name", "rules", "sets", "fighters")
    options = Options(**{key: asked[key] for key in keys})
    return ask(
        asked["a"],
        asked["b"],
        policies=asked["policies"],
        winner=asked["winner"],
        options=options,
        roster=told_roster(options),
    )


def tabletop_asked(asked: dict[str, Any]) -> "Tabletop":
    """Return the table of a scenario, and the options of a question about it."""
    from ..table.tabletop import load_table

    options = Options(
        edition_name=asked["edition_name"],
        rules=asked["rules"],
        sets=asked["sets"],
        fighters=asked["fighters"],
        abilities=asked.get("abilities", True),
    )
    return load_table(asked["scenario"], options, told_roster(options))


def battle_question(asked: dict[str, Any]) -> "BattleQuestion":
    """Return the question about a battle."""
    from ..battle.question import BattleQuestion

    return BattleQuestion(tabletop_asked(asked), (asked["policy_a"], asked["policy_b"]))


def method_asked(asked: dict[str, Any]) -> str | None:
    """Return the method that ``--method`` or ``--exact`` asks for."""
    if asked["exact"] and asked["method"] not in (None, "exact"):
        raise InputError(f"cards: --exact and --method {asked['method']} are two things; take one")
    return "exact" if asked["exact"] else asked["method"]


def sweep_sides(asked: dict[str, Any], roster: Roster, options: Options) -> list[list[Profile]]:
    """Return the fighters of both sides of a sweep: one named, or those of a people."""
    names = [name for name in (asked["a"], asked["b"]) if name]
    sides: list[Sequence[Profile]] = []
    for people, option in ((asked["people"], "--people"), (asked["against"], "--against")):
        if people:
            sides.append(roster.people(people))
        elif names:
            sides.append([roster.find(names.pop(0))])
        else:
            raise InputError(f"sweep: name two fighters, or a people with {option}")
    if names:
        raise InputError(f'sweep: "{names[0]}" is one name too many beside --people or --against')
    return without_lacking(sides, (asked["people"], asked["against"]), options)


def solve_sides(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the names on each side: two names, or A… vs B…."""
    if "vs" not in [word.lower() for word in words]:
        if len(words) != 2:
            raise InputError("solve: name two fighters, or A… vs B…, or a list with --book")
        return repeated(words[:1]), repeated(words[1:])
    return sides_of(words, "solve")


def sweep_command(asked: dict[str, Any], options: Options, result: Result) -> str:
    """Return the command that gives a sweep again."""
    words = ["estoc", "sweep", *(name for name in (asked["a"], asked["b"]) if name)]
    told = ("people", "against", "allocations", "charge", "method", "precision", "trials")
    for key in (*told, "sampler"):
        values = asked[key] if isinstance(asked[key], tuple) else (asked[key],)
        words += [word for v in values if v is not None for word in (f"--{key}", str(v))]
    words += ["--best"] * asked["best"] + options.arguments()
    seeds = {row["seed"] for row in result} | {asked["seed"]}
    words += [word for seed in seeds if seed is not None for word in ("--seed", str(seed))]
    return " ".join(quoted(word) for word in words)


def without_lacking(
    sides: list[Sequence[Profile]], peoples: tuple[str | None, ...], options: Options
) -> list[list[Profile]]:
    """Leave out those of a people whose characteristics are not known; say who."""
    from ..combat.sweep import lacking

    missing = lacking(sides[0], sides[1], options)
    kept = []
    for side, profiles, people in zip(SIDES, sides, peoples, strict=True):
        unfit = [p for p in profiles if people and (side, p.label) in missing]
        for p in unfit:
            tell(left_out(p, missing[side, p.label]))
        if len(unfit) == len(profiles):
            raise InputError(f'sweep: no fighter of "{people}" has all five characteristics')
        kept.append([p for p in profiles if p not in unfit])
    return kept


def profile_row(profile: Profile) -> dict[str, Any]:
    """Return a card as a row."""
    row = {name: getattr(profile, name) for name in COLUMNS}
    row["abilities"] = "|".join(profile.abilities)
    return row


def asked_sheet(asked: dict[str, Any]) -> "SheetQuestion":
    """Return the question about a situation of the sheet that options ask."""
    from ..sheet.question import ask_sheet, ask_unit

    names = ("tests", "world", "settings", "readings", "players", "order", "turns", "fail")
    given = {name: asked[name] for name in names if name in asked}
    words = [asked.get(name) for name in ("words", "engaged_by", "engages")]
    if not any(words):
        if asked["situation"] is None:
            raise InputError("sheet: name a SITUATION, or describe a unit with --is")
        return ask_sheet(asked["situation"], **given)
    if asked["situation"] is not None:
        raise InputError("sheet: --is describes a unit without a situation; leave out one of them")
    return ask_unit(words[0] or (), words[1] or "", words[2] or "", **given)


def run_of(asked: dict[str, Any], advance: Callable[[int], None] | None = None) -> Run:
    """Return how a command line is answered: what Ctrl-C leaves is told."""
    told = {name: asked[name] for name in Run.model_fields if name in asked}
    return Run(**told, progress=advance, partial=True)


def asked_contagion(asked: dict[str, Any]) -> "Contagion":
    """Return the question of how far a rout spreads that options ask; of a situation too."""
    from ...profiles.files.toml import shipped_names
    from ...profiles.sheet.situation import load_situation
    from ..contagion.layout import layout_of_situation
    from ..contagion.question import ask_contagion

    layout, routed = asked["layout"], list(asked["routed"])
    if layout.endswith(".toml") or layout in shipped_names("situation"):
        layout, now = layout_of_situation(load_situation(layout), asked["side"])
        routed = routed or now
    elif asked["side"] is not None:
        raise InputError(f'--side: "{layout}" is no situation and has no sides')
    names = ("fail", "turns", "model")
    more = {"orders": asked["orders"]} if asked["orders"] else {}
    return ask_contagion(layout, routed=routed, **more, **{name: asked[name] for name in names})
