"""Policies: what the rules leave to a player, decided by name (`estoc.kernels.combat.policy`)."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import IntEnum
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.policy import (
    DECISIONS,
    OPTIMAL,
    Decision,
    Held,
    InitiativeFighter,
    Luck,
    Parry,
    Placement,
    Reroll,
    StrikeOrder,
    Sustain,
    Target,
    Use,
)
from ...profiles.errors import InputError, suggestion
from ...profiles.message import say
from ..text.speech import tr, translated

_CHOICES: dict[str, type[IntEnum] | None] = {
    "placement": Placement,
    "initiative": InitiativeFighter,
    "strike_order": StrikeOrder,
    "target": Target,
    "parry": Parry,
    "sustain": Sustain,
    "reroll_attack": Reroll,
    "reroll_defence": Reroll,
    "reroll_initiative": Reroll,
    "margin": None,
    "fury": Use,
    "chain": None,
    "master": Use,
    "held": Held,
    "feint": Use,
    "luck": Luck,
}
_NUMBERS = {"parry": (1, 9), "margin": (-20, 40), "chain": (0, 9)}
OPEN = "optimal"  # of any decision but the margin
_NEVER_OPEN = ("margin",)


@dataclass(frozen=True)
class Policy:
    """How a side decides; the defaults are what a sensible player does.

    Any decision but the margin may be ``"optimal"``: the best one, for a score that A wants
    high and B wants low, against an enemy who decides by his own policy. Only exact odds
    can find it.
    """

    name: str = "sensible"  # one of `POLICIES`
    # Dice in attack and defence (C-3). *answer* puts all in attack, unless some enemy has the
    # higher sum of ATT, FOR, DEF and RES: then one in defence for each attack already placed
    # against the fighter, but one in attack; who places first splits evenly.
    placement: str = "answer"
    initiative: str = "best"  # who of several takes the Initiative test (C-4.1)
    # order in which several strike (C-5.4): the weakest first draws the parries out
    strike_order: str = "weakest"
    target: str = "wounded"  # whom the lone fighter strikes next (C-5.3)
    # dice committed to a parry (C-6.2); *spread* shares them over the attacks to come
    parry: str | int = 1
    # whether the last defence die is sustained (C-7): *useful* if another attack can come
    sustain: str = "useful"
    # whether a 6 is re-rolled (W-1.2): *needed* only when the test is not won as it stands; in
    # attack, when it leads the defence by `margin` or less
    reroll_attack: str = "needed"
    reroll_defence: str = "needed"
    reroll_initiative: str = "needed"
    # Lead over the parrier's DEF, without his die, above which an attacker keeps a 6. The default
    # is right against one die where a 1 resets the result (W-1.2); who meets more dice, or plays a
    # 1 that adds, does better with *always*.
    margin: int = 5
    # whether war fury is declared (W-7): *useful* if all dice go to attack anyway
    fury: str = "useful"
    chain: str | int = 1  # dice of a chain that are taken, each for 1 less ATT and DEF
    # whether two attack dice make a master stroke: *useful* if FOR is below the target's RES
    master: str = "useful"
    # what a fencer's unplaced dice are used for: *useful* in defence once no other die is left
    # there, in attack once no enemy has a die to strike with
    held: str = "useful"
    # whether dice are taken from the enemy instead of a wound roll: *useful* if fewer than half of
    # the throws would wound
    feint: str = "useful"
    # whether tests are rolled again: *useful* after a lost Initiative test, an attack that failed,
    # or meets a parry with a natural 1 or 2, and a defence that does not parry
    luck: str = "useful"

    def __post_init__(self) -> None:
        for key in _CHOICES:
            object.__setattr__(self, key, _checked(key, getattr(self, key)))

    def row(self) -> NDArray[np.int64]:
        """Return the policy as a row of ``Setup.policy``."""
        row = np.empty(DECISIONS, np.int64)
        for key, codes in _CHOICES.items():
            value = getattr(self, key)
            if value == OPEN:
                row[Decision[key.upper()]] = OPTIMAL
                continue
            number = value if codes is None or isinstance(value, int) else codes[value.upper()]
            row[Decision[key.upper()]] = number
        return row

    @property
    def open_decisions(self) -> tuple[str, ...]:
        """The decisions that are to be the best ones."""
        return tuple(key for key in _CHOICES if getattr(self, key) == OPEN)

    def __str__(self) -> str:
        """Return the policy as ``--policy`` reads it: its name and what differs from it."""
        named = POLICIES[self.name]
        changes = [
            f"{f.name}={getattr(self, f.name)}"
            for f in fields(self)
            if getattr(self, f.name) != getattr(named, f.name)
        ]
        return self.name + (":" + ",".join(changes) if changes else "")


def _words(key: str) -> list[str]:
    """Return what a decision may be, besides a number."""
    codes = _CHOICES[key] or ()
    return [*(code.name.lower() for code in codes), *([] if key in _NEVER_OPEN else [OPEN])]


def _checked(key: str, value: object) -> str | int:
    """Return the value of a decision, or refuse it with what would be right."""
    words = _words(key)
    if isinstance(value, str) and value.strip().lower() in words:
        return value.strip().lower()
    low, high = _NUMBERS.get(key, (1, 0))
    try:
        number = int(str(value))
    except ValueError:
        number = low - 1
    if low <= number <= high:
        return number
    wanted = words + ([say("a number from {} to {}", low, high)] if key in _NUMBERS else [])
    raise InputError("policy: {}={} is not right: expected {}", key, value, wanted)


SENSIBLE = Policy()
_ALL_OPEN: Any = dict.fromkeys((key for key in _CHOICES if key not in _NEVER_OPEN), OPEN)
POLICIES: Mapping[str, Policy] = {
    policy.name: policy
    for policy in (
        SENSIBLE,
        Policy("bold", placement="attack", strike_order="strongest", parry="all"),
        Policy("cautious", placement="even", parry="spread", target="undefended"),
        *(
            Policy(word, reroll_attack=word, reroll_defence=word, reroll_initiative=word)
            for word in ("always", "never")
        ),
        Policy(OPEN, **_ALL_OPEN),
    )
}
BEST_PLAY = POLICIES[OPEN]


def parse_policy(text: str) -> Policy:
    """Return the policy that ``NAME`` or ``NAME:key=value,key=value`` says.

    >>> str(parse_policy("sensible:reroll_attack=always,parry=2"))
    'sensible:parry=2,reroll_attack=always'
    """
    name, _, rest = text.partition(":")
    named = POLICIES.get(name.strip().lower())
    if named is None:
        raise InputError('policy "{}" is unknown; {}', name, suggestion(name, POLICIES))
    changes: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = part.partition("=")
        key = key.strip().lower()
        if key not in _CHOICES:
            raise InputError(
                'policy "{}": no decision "{}"; {}', text, key, suggestion(key, _CHOICES)
            )
        if not equals:
            raise InputError('policy "{}": "{}" should be {}=VALUE', text, part, key)
        changes[key] = value
    return replace(named, **changes)  # type: ignore[arg-type]  # checked by the policy itself


def parse_policies(texts: tuple[str, ...]) -> tuple[Policy, Policy]:
    """Return the policies of sides A and B.

    Parameters
    ----------
    texts : tuple of str
        ``NAME…`` for both sides, ``A=NAME…`` or ``B=NAME…`` for one; the last one counts.

    Raises
    ------
    InputError
        For an unknown policy, decision or way to decide.
    """
    chosen = [SENSIBLE, SENSIBLE]
    for text in texts:
        head, equals, rest = text.partition("=")
        side = {"A": (0,), "B": (1,)}.get(head.strip().upper()) if equals else None
        policy = parse_policy(text if side is None else rest)
        for index in side or (0, 1):
            chosen[index] = policy
    return chosen[0], chosen[1]


def description() -> str:
    """Return the names of the policies and of their decisions, for a person to read."""
    from ...profiles.armies.card_policy import FEATURE_TEXTS, card_policy_names, load_card_policy

    lines = [translated("Policies, and how each differs from sensible:")]
    for policy in POLICIES.values():
        changes = [
            f"{key}={getattr(policy, key)}"
            for key in _CHOICES
            if getattr(policy, key) != getattr(SENSIBLE, key)
        ]
        best = translated("every decision the best one")
        text = best if policy.name == OPEN else ", ".join(changes)
        lines.append(f"  {policy.name:<9} {text}".rstrip())
    lines.append(translated("Decisions, the one of sensible first (--policy NAME:key=value,…):"))
    for key in _CHOICES:
        default = str(getattr(SENSIBLE, key))
        words = _words(key)
        if key in _NUMBERS:
            low, high = _NUMBERS[key]
            words.append(tr("a number from {low} to {high}", low=low, high=high))
        others = [word for word in words if word != default]
        lines.append(f"  {key:<17} {', '.join([default, *others])}")
    lines.append(translated("Policies for cards (estoc cards --policy), or a .toml file:"))
    for name in card_policy_names():
        lines.append(f"  {name:<9} {translated(load_card_policy(name).title)}")
    conditions = say(
        'Conditions of its rules (when = ["lead < 0", …]), by = < <= > or >= a number:'
    )
    lines.append(translated(conditions, figures=False))
    for feature, text in FEATURE_TEXTS.items():
        lines.append(f"  {feature.name.lower():<14} {translated(text)}")
    acted = say("[not] [own] acted CARD: whether a card, the enemy's or an own one, has acted")
    lines.append(f"  {translated(acted)}")
    return "\n".join(fill(line, 80, subsequent_indent=" " * 20) for line in lines)
