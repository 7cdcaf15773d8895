"""What the Tactics roll, speaking first, a refusal, one fighter more are worth (T-2, A-3)."""

from collections.abc import Iterator
from dataclasses import replace

from ...profiles.armies.army import Army
from ...profiles.armies.scenario import Scenario
from ...profiles.message import say
from ..base.options import SIDES
from .setting import Setting
from .variants import Variant

TACTICS, FIRST = say("wins every Tactics roll"), say("speaks first in every turn")
REFUSAL = say("one refusal more in every turn")
FEWER, MORE = say("one fewer"), say("one more")


def favoured(setting: Setting) -> list[Variant]:
    """Return the battle with each favour given to each side."""
    had = setting.favours
    a, b = had.refusals
    given = {
        TACTICS: (had._replace(tactics=0), had._replace(tactics=1)),
        FIRST: (had._replace(first=0), had._replace(first=1)),
        REFUSAL: (had._replace(refusals=(a + 1, b)), had._replace(refusals=(a, b + 1))),
    }
    found = [
        Variant(what, replace(setting, favours=favour), side)
        for what, both in given.items()
        for side, favour in zip(SIDES, both, strict=True)
    ]
    return [*found, *_fighters(setting)]


def _fighters(setting: Setting) -> Iterator[Variant]:
    """Yield the battle with one fighter more of each profile of a list, one fewer of a scenario."""
    if setting.armies is None:
        yield from _fewer(setting)
        return
    for index, side in enumerate(SIDES):
        army = setting.armies[index]
        assert isinstance(army, Army)
        for card in army.cards:
            more = replace(card, fighters=card.fighters + 1)
            cards = tuple(more if one is card else one for one in army.cards)
            armies = list(setting.armies)
            armies[index] = replace(army, cards=cards)
            changed = replace(setting, armies=(armies[0], armies[1]))
            yield Variant(MORE, changed, side, card.name, card.PA)


def _fewer(setting: Setting) -> Iterator[Variant]:
    scenario = setting.scenario
    assert isinstance(scenario, Scenario)
    for side in SIDES:
        own = [
            (placed.profile, i) for i, placed in enumerate(scenario.fighters) if placed.side == side
        ]
        for profile, last in dict(own).items():
            changed = replace(setting, scenario=without(scenario, last))
            yield Variant(FEWER, changed, side, profile.name, profile.PA)


def without(scenario: Scenario, fighter: int) -> Scenario:
    """Return a scenario without one fighter, nor the points for its survival."""
    survival = (
        replace(gain, fighter=gain.fighter - (gain.fighter > fighter))
        for gain in scenario.survival
        if gain.fighter != fighter
    )
    fighters = scenario.fighters[:fighter] + scenario.fighters[fighter + 1 :]
    return replace(scenario, fighters=fighters, survival=tuple(survival))
