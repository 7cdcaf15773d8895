"""Policies for battles, by name and parameters: how a player moves, fights and plays his cards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from textwrap import fill
from typing import NamedTuple

import numpy as np

from ...kernels.layout.battle import MANNERS, Manner, Style
from ...profiles.armies.card_policy import load_card_policy
from ...profiles.compile.battle import Player
from ...profiles.errors import InputError, suggestion
from ...profiles.files.toml import shipped_names
from ...profiles.message import say
from ..base.policy import parse_policy
from ..text.speech import translated
from .odds import FIGHTING

USUAL = "aggressive"
BEST = "by-odds"  # where lists are compared, by good players


class Parameter(NamedTuple):
    """A number by which a policy decides."""

    name: str
    default: float
    low: float
    high: float
    text: str  # what it says, for a person to read
    whole: bool = False  # whether only whole numbers will do

    @property
    def column(self) -> Manner:
        """Where kernels look for it."""
        return Manner[self.name.upper()]


@dataclass(frozen=True)
class BattlePolicy:
    """A way to play battles."""

    style: Style
    text: str  # what it does, for a person to read
    cards: str  # the policy for cards where the scenario does not say; empty: the style's
    fighting: str = "sensible"  # the policy in combats
    parameters: tuple[Parameter, ...] = ()

    def player(self, values: dict[str, float]) -> Player:
        """Return how a player decides, by the defaults but for some parameters."""
        manner = np.zeros(MANNERS)
        for parameter in (*_COMMON, *self.parameters):
            manner[parameter.column] = values.get(parameter.name, parameter.default)
        cards = load_card_policy(self.cards or "listed")
        row = parse_policy(self.fighting).row()
        return Player(self.style, row, cards, not self.cards, manner)


_WOUND = Parameter("wound", 0.4, 0, 1, "worth of a wound level, in shares of the fighter's PA")
_COMMON = (_WOUND,)
_LOOKS = Parameter("looks", 2, 1, 8, "enemies looked at for an assault, the nearest first", True)
_FULL = Parameter("full", 4, 1, 8, "enemies in contact from which one is not assailed", True)
_REACH = Parameter("reach", 0.6, 0, 1, "share of a charge's reach within which it charges")

_BUILT_IN = {
    "random": BattlePolicy(Style.RANDOM, say("legal decisions at random"), "random"),
    "aggressive": BattlePolicy(
        Style.AGGRESSIVE,
        say(
            "charges the nearest enemy in reach, engages one that is not seen, shoots where there "
            "is a target, casts what is in range, else runs at the nearest"
        ),
        "listed",
        parameters=(_LOOKS, _FULL),
    ),
    "defensive": BattlePolicy(
        Style.DEFENSIVE,
        say(
            "holds its ground, charges who comes well within reach, shoots and casts, never pursues"
        ),
        "wait",
        parameters=(_LOOKS, _FULL, _REACH),
    ),
    "shooting-line": BattlePolicy(
        Style.SHOOTING_LINE,
        say(
            "shooters come into range and keep out of charges, the others hold; without shooters "
            "as aggressive"
        ),
        "listed",
        parameters=(
            *(_LOOKS, _FULL, _REACH),
            Parameter("gap", 2, 0, 20, "cm that shooters keep from an enemy's reach"),
        ),
    ),
    "refuse-flank": BattlePolicy(
        Style.REFUSE_FLANK,
        say("holds on the flank where the enemy is stronger, is aggressive elsewhere"),
        "listed",
        parameters=(
            *(_LOOKS, _FULL, _REACH),
            Parameter("wing", 0.4, 0, 0.5, "share of the table's depth that is refused"),
            Parameter("until", 2, 0, 32, "turn after which the flank comes on", True),
        ),
    ),
    "by-odds": BattlePolicy(
        Style.BY_ODDS,
        say(
            "weighs charges, shots, separations, dice, pursuits, disengagements, cards and who "
            "speaks first by expected PA from exact odds, and the enemy's next reply"
        ),
        "",
        FIGHTING,
        parameters=(
            Parameter("looks", 3, 1, 8, "enemies tried for an assault, the best first", True),
            _FULL,
            Parameter("caution", 0.5, 0, 1, "weight of the enemy's best reply"),
            _WOUND,
            Parameter("crowd", 2, 1, 4, "enemies who come to a reply together", True),
            Parameter("least", 0, -20, 20, "PA above waiting that an assault has to be worth"),
            Parameter(
                "advance", -20, -20, 20, "PA a prey has to be worth, unless behind in points"
            ),
            Parameter("spacing", 1, 0, 2, "of a feared enemy's reach, kept while he can act"),
            Parameter("later", 1, 0, 2, "of a feared enemy's reach, kept when he has acted"),
            Parameter("eager", 0, 0, 1, "share of both given up by the last turn"),
            Parameter("danger", 1, 0, 2, "weight of being charged, in a card's haste"),
            Parameter("wait", 1, 0, 40, "PA of haste below which a card waits"),
            Parameter("shot", 1, 0, 3, "weight of a shot's worth against an assault's"),
        ),
    ),
}


def _values(policy: BattlePolicy, word: str, typed: str) -> Iterator[tuple[str, float]]:
    known = {parameter.name: parameter for parameter in policy.parameters}
    for item in filter(None, (part.strip() for part in typed.split(","))):
        key, equals, text = (part.strip() for part in item.partition("="))
        if not equals:
            raise InputError('policy {}: "{}" should be KEY=VALUE', word, item)
        if key not in known:
            about = suggestion(key, known) if known else say("it has no parameters")
            raise InputError('policy {}: no parameter "{}"; {}', word, key, about)
        yield key, _value(known[key], word, text)


def _value(parameter: Parameter, word: str, text: str) -> float:
    wanted = say(
        "a whole number from {:g} to {:g}" if parameter.whole else "a number from {:g} to {:g}",
        parameter.low,
        parameter.high,
    )
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    whole = not parameter.whole or value == int(value) if np.isfinite(value) else False
    if not (whole and parameter.low <= value <= parameter.high):
        raise InputError('policy {}: {} should be {}, not "{}"', word, parameter.name, wanted, text)
    return value


def tuned(name: str) -> BattlePolicy:
    """Return a policy whose parameters were tuned, from its file or that of a shipped one.

    Raises
    ------
    InputError
        If the file is wrong, or its policy or a parameter is unknown or out of its bounds.
    """
    return _tuned(name, policies())


def _tuned(name: str, known: Mapping[str, BattlePolicy]) -> BattlePolicy:
    from ...profiles.armies.tuned_policy import load_tuned_policy

    read = load_tuned_policy(name)
    if read.policy not in known:
        about = suggestion(read.policy, known)
        raise InputError('{}: policy "{}" is no policy for battles; {}', name, read.policy, about)
    policy = known[read.policy]
    typed = ",".join(f"{key}={value!r}" for key, value in read.parameters)
    values = dict(_values(policy, say("{}: {}", name, read.policy), typed))
    own = tuple(p._replace(default=values.get(p.name, p.default)) for p in policy.parameters)
    text = say("as {}, by parameters that estoc tune found", read.policy)
    return replace(policy, text=text, parameters=own)


@cache
def policies() -> Mapping[str, BattlePolicy]:
    """Return all policies for battles by name, those in shipped files last."""
    return _BUILT_IN | {name: _tuned(name, _BUILT_IN) for name in shipped_names("policy")}


def policy_of(name: str) -> tuple[BattlePolicy, dict[str, float]]:
    """Return a policy and the parameters that ``NAME:key=value,…`` gives it.

    NAME may be the file of a tuned policy (`estoc tune`).

    Raises
    ------
    InputError
        If there is no such policy or parameter, or a value is out of its bounds.
    """
    word, _, typed = name.partition(":")
    policy = _BUILT_IN.get(word) or policies().get(word)
    if policy is None:
        if not word.endswith(".toml"):
            about = suggestion(word, policies())
            raise InputError('policy "{}" is no policy for battles; {}', word, about)
        policy = tuned(word)
    return policy, dict(_values(policy, word, typed))


def player_of(name: str) -> Player:
    """Return how a player of a named policy decides, ``NAME`` or ``NAME:key=value,…``.

    Raises
    ------
    InputError
        As `policy_of`.

    Examples
    --------
    >>> player_of("aggressive").style.name
    'AGGRESSIVE'
    """
    policy, values = policy_of(name)
    return policy.player(values)


def battle_description() -> str:
    """Return the names of the policies for battles and what they do, for a person to read."""
    title = say("Policies for battles (estoc battle --policy-a, --policy-b), NAME:key=value,…:")
    neither = say("(none looks at zones or survival: they fight for the PA of the enemy's dead)")
    lines = [translated(title), _indented(neither, 4)]
    for name, policy in policies().items():
        cards = say("cards as {}", policy.cards) if policy.cards else say("cards by haste")
        lines.append(f"  {name}")
        lines.append(_indented(say("{}; {}", policy.text, cards), 4))
        for parameter in policy.parameters:
            typed = f"{parameter.name}={parameter.default:g}"
            lines.append(_indented(say("{}: {}", typed, parameter.text), 6))
    return "\n".join(lines)


def _indented(text: str, width: int) -> str:
    first, later = " " * width, " " * (width + 2)
    return fill(translated(text), 80, initial_indent=first, subsequent_indent=later)
