"""Battles to be compared: a scenario, or two army lists on a field, and changes to them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from estoc.profiles import InputError, Roster
from estoc.profiles.battle import NO_FAVOURS, Favours
from estoc.profiles.errors import suggestion
from estoc.profiles.scenario import Scenario, load_scenario
from estoc.sim.battle_policy import USUAL
from estoc.sim.battle_question import BattleQuestion
from estoc.sim.combatants import Combatant, with_sets
from estoc.sim.params import SIDES, Options
from estoc.sim.tabletop import Tabletop

DEFAULTS = Options()
MOST_REFUSALS = 9  # more, or fewer, than the rules give


@dataclass(frozen=True)
class Contest:
    """A battle as it is fought, and once more with the sides changed where it can be.

    Parameters
    ----------
    questions : tuple of BattleQuestion
        One, or two: in the second, what is A's stands where B's stood, and the other way round.
    """

    questions: tuple[BattleQuestion, ...]

    @property
    def question(self) -> BattleQuestion:
        """The battle with A as side A."""
        return self.questions[0]

    def compiled(self, seed: int) -> tuple[NDArray[np.void], ...]:
        """Return the records of the kernels, one for each way to place the sides."""
        return tuple(question.compiled(seed) for question in self.questions)


@dataclass(frozen=True)
class Setting:
    """What a person says of a battle, whichever of its sides stands where.

    Parameters
    ----------
    scenario : str or Scenario
        A file, a name, or a scenario that was made.
    policies : (str, str)
        How A and B decide.
    options : Options
        Edition, rules, files of fighters; ``sets`` replace values of cards.
    favours : Favours
    """

    scenario: str | Scenario
    policies: tuple[str, str] = (USUAL, USUAL)
    options: Options = DEFAULTS
    favours: Favours = NO_FAVOURS

    def staged(self, roster: Roster | None = None) -> "Setting":
        """Return the same with its files read, so that it can be changed man by man."""
        if isinstance(self.scenario, Scenario):
            return self
        return replace(self, scenario=load_scenario(self.scenario, roster))

    def contest(self, roster: Roster | None = None) -> Contest:
        """Return the battle, ready to be fought.

        Raises
        ------
        InputError
            If it cannot be fought.
        """
        scenario = self.staged(roster).scenario
        assert isinstance(scenario, Scenario)
        table = Tabletop(set_cards(scenario, self.options.sets), self.options)
        return Contest((BattleQuestion(table, self.policies, self.favours),))

    def changed(self, change: str) -> "Setting":
        """Return the battle with one change, ``WHAT=VALUE``.

        Raises
        ------
        InputError
            If nothing can be changed so.

        Examples
        --------
        >>> Setting("pitched").changed("policy-a=random").policies
        ('random', 'aggressive')
        >>> Setting("pitched").changed("refusals-b=+1").favours.refusals
        (0, 1)
        """
        what, equals, value = (part.strip() for part in change.partition("="))
        if not equals or not value:
            raise InputError(f'change "{change}" should be WHAT=VALUE, as policy-a=random')
        if what not in CHANGES:
            raise InputError(f'change "{change}": no "{what}"; {suggestion(what, CHANGES)}')
        return CHANGES[what](self, value)

    def arguments(self) -> list[str]:
        """Return what the command line says of it, empty if no file holds it."""
        file = self.scenario.file if isinstance(self.scenario, Scenario) else self.scenario
        if not file:
            return []
        words = [file]
        for side, policy in zip("ab", self.policies, strict=True):
            words += [f"--policy-{side}", policy] if policy != USUAL else []
        words += [word for text in self.options.sets for word in ("--set", text)]
        return [*words, *self.options.common_arguments()]


Change = Callable[[Setting, str], Setting]


def _policy(side: int) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        policies = list(setting.policies)
        policies[side] = value
        return replace(setting, policies=(policies[0], policies[1]))

    return change


def _option(field: str) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        old = getattr(setting.options, field)
        new: Any = (*old, value) if isinstance(old, tuple) else value
        return replace(setting, options=replace(setting.options, **{field: new}))

    return change


def _favoured(field: str) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        side = value.upper()
        if side not in SIDES:
            raise InputError(f'change "{field}={value}": the side should be A or B')
        return _with_favour(setting, field, SIDES.index(side))

    return change


def _refusals(side: int) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        refusals = list(setting.favours.refusals)
        try:
            refusals[side] = int(value)
        except ValueError:
            refusals[side] = MOST_REFUSALS + 1
        if abs(refusals[side]) > MOST_REFUSALS:
            raise InputError(
                f'change "refusals-{SIDES[side].lower()}={value}": how many more should be a '
                f"whole number from {-MOST_REFUSALS} to {MOST_REFUSALS}"
            )
        return _with_favour(setting, "refusals", (refusals[0], refusals[1]))

    return change


def _with_favour(setting: Setting, field: str, value: Any) -> Setting:
    return replace(setting, favours=setting.favours._replace(**{field: value}))


CHANGES: dict[str, Change] = {
    "policy-a": _policy(0),
    "policy-b": _policy(1),
    "rule": _option("rules"),
    "set": _option("sets"),
    "edition": _option("edition_name"),
    "tactics": _favoured("tactics"),
    "first": _favoured("first"),
    "refusals-a": _refusals(0),
    "refusals-b": _refusals(1),
}


def set_cards(scenario: Scenario, sets: Sequence[str]) -> Scenario:
    """Return a scenario with cells of its fighters' cards replaced, ``NAME.KEY=VALUE``.

    NAME is a side, a fighter's label, or a card's name.
    """
    if not sets:
        return scenario
    combatants = with_sets(_combatants(scenario), sets)
    fighters = (
        replace(placed, profile=combatant.profile)
        for placed, combatant in zip(scenario.fighters, combatants, strict=True)
    )
    return replace(scenario, fighters=tuple(fighters))


def _combatants(scenario: Scenario) -> Iterable[Combatant]:
    sides = [placed.side for placed in scenario.fighters]
    for i, placed in enumerate(scenario.fighters):
        place = sides[: i + 1].count(placed.side)
        yield Combatant(placed.profile, placed.label, placed.side, place)
