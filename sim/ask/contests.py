"""The words of a command line as contests of armies: matchups, comparisons, tuning."""

from itertools import combinations_with_replacement
from typing import Any

from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ..base.options import Options, checked_seed
from ..contest.compare import Comparison, comparison
from ..contest.favours import favoured
from ..contest.sensitivity import varied
from ..contest.setting import FIELD, Setting
from ..contest.training import Trainer
from ..contest.variants import Variant
from ..matchup.question import MatchupQuestion, ask_matchup
from .asking import told_roster


def settings_asked(asked: dict[str, Any]) -> tuple[list[Setting], Roster]:
    """Return the battles that a comparison names, before any change, and the roster for names."""
    options = Options(
        edition_name=asked["edition_name"],
        rules=asked["rules"],
        sets=asked["sets"],
        fighters=asked["fighters"],
        abilities=asked["abilities"],
    )
    names, policies = asked["battles"], (asked["policy_a"], asked["policy_b"])
    if "vs" in [name.lower() for name in names]:
        if len(names) != 3 or names[1].lower() != "vs":
            raise InputError("compare: write two army lists as LIST vs LIST")
        field = asked["field"] or FIELD
        settings = [Setting(field, policies, options, armies=(names[0], names[2]))]
    elif len(names) > 2:
        raise InputError(f'compare: "{names[2]}" is one scenario too many; name one or two')
    elif asked["field"]:
        raise InputError("compare: --field is for two army lists, LIST vs LIST")
    else:
        settings = [Setting(name, policies, options) for name in names]
    return settings, told_roster(options)


def comparison_asked(asked: dict[str, Any]) -> Comparison:
    """Return the two battles of a comparison."""
    settings, roster = settings_asked(asked)
    if len(settings) == 1 and not asked["changes"]:
        raise InputError("compare: say what is different in the second battle: --change")
    sure = asked["until_sure"]
    return comparison(settings[0], settings[-1], asked["changes"], roster, until_sure=sure)


def variants_asked(asked: dict[str, Any]) -> tuple[str, Setting, list[Variant], Roster]:
    """Return the option that asks what changes are worth, the battle, its changes, the roster."""
    kinds = [kind for kind in ("favours", "sensitivity") if asked[kind]]
    lost = kinds[1:] + ["change"] * bool(asked["changes"]) + ["until-sure"] * asked["until_sure"]
    lost += ["precision"] * (asked["precision"] is not None)
    if lost:
        raise InputError(f"compare: --{kinds[0]} tries changes of its own: drop --{lost[0]}")
    settings, roster = settings_asked(asked)
    if len(settings) > 1:
        raise InputError(f"compare: --{kinds[0]} is about one battle, not two")
    base = settings[0].staged(roster)
    variants = favoured(base) if kinds[0] == "favours" else varied(base, roster)
    return kinds[0], base, variants, roster


def trainer_asked(asked: dict[str, Any]) -> tuple[Trainer, Roster]:
    """Return the policy to be tuned with all that its search needs, and the roster for names."""
    options = Options(
        edition_name=asked["edition_name"],
        rules=asked["rules"],
        sets=asked["sets"],
        fighters=asked["fighters"],
        abilities=asked["abilities"],
    )
    lists, scenarios = asked["lists"], asked["scenarios"]
    if asked["field"] and not lists:
        raise InputError("tune: --field is for army lists: --list LIST")
    field = asked["field"] or FIELD
    battles = [Setting(name, options=options) for name in scenarios]
    for a, b in combinations_with_replacement(lists, 2):
        battles.append(Setting(field, options=options, armies=(a, b)))
    keys = ("generations", "candidates", "trials", "fresh", "spread")
    numbers = {key: asked[key] for key in keys if asked[key] is not None}
    words = [asked["policy"]]
    for key, option in (("against", "against"), ("lists", "list"), ("scenarios", "scenario")):
        words += [word for name in asked[key] for word in (f"--{option}", name)]
    words += ["--field", asked["field"]] if asked["field"] else []
    words += [word for name in asked["keep"] for word in ("--keep", name)]
    words += [word for key, value in numbers.items() for word in (f"--{key}", str(value))]
    roster = told_roster(options)
    trainer = Trainer(
        asked["policy"],
        asked["against"],
        tuple(setting.staged(roster) for setting in battles),
        **numbers,
        seed=checked_seed(asked["seed"]),
        kept=asked["keep"],
        words=(*words, *options.set_arguments(), *options.common_arguments()),
    )
    return trainer, roster


def matchup_question(asked: dict[str, Any]) -> MatchupQuestion:
    """Return the question of a matchup."""
    options = Options(
        edition_name=asked["edition_name"],
        rules=asked["rules"],
        sets=asked["sets"],
        fighters=asked["fighters"],
        abilities=asked["abilities"],
    )
    return ask_matchup(
        asked["lists"],
        asked["policies"],
        field=asked["field"],
        options=options,
        roster=told_roster(options),
    )
