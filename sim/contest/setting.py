"""Battles to be compared: a scenario, or two army lists on a field, and changes to them."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...profiles.armies.army import Army, load_army
from ...profiles.armies.scenario import Scenario
from ...profiles.armies.scenario_file import load_scenario
from ...profiles.compile.battle import NO_FAVOURS, Favours
from ...profiles.compile.muster import load_field, muster
from ...profiles.errors import InputError, suggestion
from ...profiles.fighters.roster import Roster
from ..base.options import SIDES, Options
from ..battle.policy import USUAL
from ..battle.question import BattleQuestion
from ..table.tabletop import Tabletop, set_cards

DEFAULTS = Options()
FIELD = "village"  # where two lists meet, if nothing else is said
MOST_REFUSALS = 9  # more, or fewer, than the rules give


@dataclass(frozen=True)
class Contest:
    """A battle as it is fought, and once more with the sides changed where it can be."""

    # one, or two: in the second, what is A's stands where B's stood, and the other way round
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
        A file, a name, or a scenario that was made; of two army lists, their field.
    policies : (str, str)
        How A and B decide.
    options : Options
        Edition, rules, files of fighters; ``sets`` replace values of cards.
    favours : Favours
    armies : (str or Army, str or Army), optional
        Lists that meet on the field: files, names, or armies that were made.
    """

    scenario: str | Scenario
    policies: tuple[str, str] = (USUAL, USUAL)
    options: Options = DEFAULTS
    favours: Favours = NO_FAVOURS
    armies: tuple[str | Army, str | Army] | None = None

    def staged(self, roster: Roster | None = None) -> "Setting":
        """Return the same with its files read, so that it can be changed man by man."""
        ground = self.scenario
        if isinstance(ground, str):
            ground = load_scenario(ground, roster) if self.armies is None else load_field(ground)
        if self.armies is None:
            return replace(self, scenario=ground)
        a, b = (load_army(a, roster) if isinstance(a, str) else a for a in self.armies)
        return replace(self, scenario=ground, armies=(a, b))

    def contest(self, roster: Roster | None = None) -> Contest:
        """Return the battle, ready to be fought; of two lists, from both sides of the field."""
        staged = self.staged(roster)
        if self.armies is None:
            return Contest((staged._question(swapped=False),))
        return Contest((staged._question(swapped=False), staged._question(swapped=True)))

    def _question(self, *, swapped: bool) -> BattleQuestion:
        """Return the battle, or the one with A's list on the side of B."""
        policies, favours = self.policies, self.favours
        if swapped:
            policies, favours = policies[::-1], _swapped(favours)
        scenario = set_cards(self._stood(swapped), self.options.sets, swapped=swapped)
        return BattleQuestion(Tabletop(scenario, self.options), policies, favours)

    def _stood(self, swapped: bool) -> Scenario:
        assert isinstance(self.scenario, Scenario)
        if self.armies is None:
            return self.scenario
        a, b = self.armies[::-1] if swapped else self.armies
        assert isinstance(a, Army)
        assert isinstance(b, Army)
        # no file holds the whole battle, so no command could name one
        return replace(muster(self.scenario, (a, b), self.options.edition), file="")

    def changed(self, change: str) -> "Setting":
        """Return the battle with one change, ``WHAT=VALUE``.

        Examples
        --------
        >>> Setting("pitched").changed("policy-a=random").policies
        ('random', 'aggressive')
        >>> Setting("pitched").changed("refusals-b=+1").favours.refusals
        (0, 1)
        """
        what, equals, value = (part.strip() for part in change.partition("="))
        if not equals or not value:
            raise InputError('change "{}" should be WHAT=VALUE, as policy-a=random', change)
        if what not in CHANGES:
            raise InputError('change "{}": no "{}"; {}', change, what, suggestion(what, CHANGES))
        return CHANGES[what](self, value)

    def arguments(self) -> list[str]:
        """Return what the command line says of it, empty if it cannot say all of it."""
        named = self._named()
        if named is None or not self._is_sayable(named):
            return []
        assert isinstance(named.scenario, str)
        ground, armies = named.scenario, [str(army) for army in named.armies or ()]
        words = [armies[0], "vs", armies[1], "--field", ground] if armies else [ground]
        for side, policy in zip("ab", self.policies, strict=True):
            words += [f"--policy-{side}", policy] if policy != USUAL else []
        words += self.options.set_arguments()
        return [*words, *self.options.common_arguments()]

    def _named(self) -> "Setting | None":
        """Return the same by the names of its files, None if one has none."""
        ground, *armies = (
            told if isinstance(told, str) else told.file
            for told in (self.scenario, *(self.armies or ()))
        )
        if not all((ground, *armies)):
            return None
        return replace(self, scenario=ground, armies=(armies[0], armies[1]) if armies else None)

    def _is_sayable(self, named: "Setting") -> bool:
        """Whether options of the command line and the files, as they are, give this battle."""
        told = self.options
        said = Options(told.edition_name, told.rules, sets=told.sets, fighters=told.fighters)
        if self.favours != NO_FAVOURS or told != said:
            return False
        if named == self:
            return True
        try:
            roster = Roster.load(told.fighters)
            return named.staged(roster) == self.staged(roster)
        except InputError:
            return False


Change = Callable[[Setting, str], Setting]


def _policy(side: int) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        policies = list(setting.policies)
        policies[side] = value
        return replace(setting, policies=(policies[0], policies[1]))

    return change


def _army(side: int) -> Change:
    def change(setting: Setting, value: str) -> Setting:
        if setting.armies is None:
            name = f"army-{SIDES[side].lower()}"
            raise InputError('change "{}={}": a scenario has no army lists; name two', name, value)
        armies = list(setting.armies)
        armies[side] = value
        return replace(setting, armies=(armies[0], armies[1]))

    return change


def _field(setting: Setting, value: str) -> Setting:
    if setting.armies is None:
        raise InputError('change "field={}": a scenario is a field of its own', value)
    return replace(setting, scenario=value)


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
            raise InputError('change "{}={}": the side should be A or B', field, value)
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
                'change "refusals-{}={}": how many more should be a whole number from {} to {}',
                SIDES[side].lower(),
                value,
                -MOST_REFUSALS,
                MOST_REFUSALS,
            )
        return _with_favour(setting, "refusals", (refusals[0], refusals[1]))

    return change


def _with_favour(setting: Setting, field: str, value: Any) -> Setting:
    return replace(setting, favours=setting.favours._replace(**{field: value}))


def _swapped(favours: Favours) -> Favours:
    """Return the same favours where A's list is side B."""
    tactics, first = (1 - side if side >= 0 else side for side in favours[:2])
    return Favours(tactics, first, favours.refusals[::-1])


CHANGES: dict[str, Change] = {
    "policy-a": _policy(0),
    "policy-b": _policy(1),
    "army-a": _army(0),
    "army-b": _army(1),
    "field": _field,
    "rule": _option("rules"),
    "set": _option("sets"),
    "edition": _option("edition_name"),
    "tactics": _favoured("tactics"),
    "first": _favoured("first"),
    "refusals-a": _refusals(0),
    "refusals-b": _refusals(1),
}


def setting_of(battle: str | Setting) -> Setting:
    """Return a battle; of a scenario's name, the one that it describes."""
    return Setting(battle) if isinstance(battle, str) else battle
