"""A scenario as the record that the kernels of a battle see (T-1 to T-5)."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import Effect, Number
from ...kernels.layout.battle import (
    BATTLE,
    MANNERS,
    MAX_MYSTICS,
    Custom,
    Edge,
    Mystic,
    Style,
    Trait,
)
from ...kernels.layout.cards import MAX_CARDS
from ...kernels.layout.combat import Rule as ScalarRule
from ...kernels.layout.combat import Stat, Tie, write_rules, write_wounds
from ...kernels.layout.maintenance import Caster, Person, Stage
from ...kernels.layout.rolls import Custom as Disengagement
from ...kernels.layout.table import Hides
from ..armies.army import Army, Card, threat_of
from ..armies.card_policy import LISTED, CardPolicy
from ..armies.mystic import MysticAction, load_mystic
from ..armies.scenario import Placed, Scenario
from ..armies.tactics import bar
from ..armies.weapons import can_shoot, weapon_of
from ..edition.edition import Edition
from ..errors import InputError
from ..fighters.abilities import compile_abilities, is_bane_of, plain_numbers
from ..fighters.card import RANKS, Profile
from ..letters import fold
from ..message import say
from .actions import compile_actions
from .cards import compile_phase
from .combat import charge_sharing, compile_rules, pain_of, power, state_code
from .maintenance import compile_maintenance
from .room import most_in_contact
from .shooting import compile_shooting
from .table import compile_table

SIDES = ("A", "B")
MOST_TRIALS = 2**48  # trials are numbered below it

_NONE = -1
_CASTERS = {"": Caster.NONE, "magician": Caster.MAGICIAN, "faithful": Caster.FAITHFUL}
_COMMAND = "Commandement"
_NEEDED = ("MOU", *(stat.name for stat in Stat), "DIS", "PA")


class Player(NamedTuple):
    """How a side's player decides."""

    style: Style
    fighting: NDArray[np.int64]  # his policy in combats, as a row of ``Setup.policy``
    cards: CardPolicy = LISTED  # how he plays his cards where the scenario does not say
    deals: bool = False  # whether the style itself does so, instead
    # shape (MANNERS,): the style's parameters, by `estoc.kernels.layout.battle.Manner`
    manner: NDArray[np.float64] = np.zeros(MANNERS)


class Favours(NamedTuple):
    """What is given to a side beside the rules, to see what it is worth."""

    tactics: int = -1  # side that wins every Tactics roll; -1: by the roll (T-2.3)
    # -1, 0 or 1: side that speaks first in every turn; -1: as the winner of the roll says (T-2.4)
    first: int = -1
    refusals: tuple[int, int] = (0, 0)  # more, or fewer, than A and B have in each turn


NO_FAVOURS = Favours()


def compile_battle(
    scenario: Scenario,
    edition: Edition,
    players: Sequence[Player],
    seed: int = 0,
    cell: int = 0,
    favours: Favours = NO_FAVOURS,
    abilities: bool = True,
) -> NDArray[np.void]:
    """Return a battle as a record array of shape (1,), for `estoc.kernels.battle.trials`.

    Odds that a player by odds looks at are not in it: `estoc.sim.battle.odds` adds them.
    """
    for placed in scenario.fighters:
        _check(placed, scenario, edition)
    battles = np.zeros(1, BATTLE)
    battle = battles[0]
    battle["n"], battle["turns"] = len(scenario.fighters), scenario.turns
    battle["edges"] = [Edge[name.upper()] for name in scenario.edges]
    _compile_rules(battle, edition)
    battle["table"] = compile_table(scenario, edition)[0]
    battle["first_bases"] = battle["table"]["bases"]
    armies = [army_of(scenario, side, players[side].cards) for side in range(2)]
    battle["phase"] = compile_phase(armies[0], armies[1], edition)[0]
    for side, player in enumerate(players):
        battle["style"][side], battle["fighting"][side] = player.style, player.fighting
        battle["deals"][side] = player.deals and scenario.sides[side].cards is None
    battle["phase"]["policy"] = battle["test"]["policy"] = battle["fighting"]
    _compile_mystics(battle, scenario, edition)
    for i, placed in enumerate(scenario.fighters):
        _compile_fighter(battle, i, placed, armies[SIDES.index(placed.side)], edition)
    _compile_contacts(battle, scenario, edition)
    _compile_abilities(battle, scenario, abilities)
    _compile_victory(battle, scenario)
    if favours.tactics >= 0:
        battle["phase"]["winner"] = favours.tactics
    battle["first_word"], battle["more_refusals"] = favours.first, favours.refusals
    set_dice(battle, seed, cell)
    battle["manner"] = [player.manner for player in players]
    return battles


def set_dice(battle: np.void, seed: int, cell: int) -> None:
    """Write into a battle which dice it rolls: those of a run, and of what is played."""
    for part in (battle, *(battle[name] for name in ("phase", "fight", "upkeep", "test"))):
        part["seed"], part["cell"] = seed, cell


def army_of(scenario: Scenario, side: int, usual: CardPolicy = LISTED) -> Army:
    """Return a side as an army: one card for each of its profiles, in their order (A-1.1)."""
    told = scenario.sides[side]
    own = [placed.profile for placed in scenario.fighters if placed.side == SIDES[side]]
    if not own:
        raise InputError("{}: side {} has no fighter", _where(scenario), SIDES[side])
    cards = tuple(_card(profile, own.count(profile)) for profile in dict.fromkeys(own))
    if len(cards) > MAX_CARDS:
        raise InputError(
            "{}: side {} has fighters of {} profiles, each a card (A-1.1): at most {}",
            _where(scenario),
            SIDES[side],
            len(cards),
            MAX_CARDS,
        )
    policy = usual if told.cards is None else told.cards
    where = say("{}: side {}", _where(scenario), SIDES[side])
    return Army(told.name or where, cards, told.people, told.alliance, policy, file=where)


def card_number(army: Army, profile: Profile) -> int:
    """Return which card of its army a fighter has."""
    return [card.profile for card in army.cards].index(profile)


def command_of(profile: Profile) -> float:
    """Return the X of Command/X in cm, 0 without it (W-4.5)."""
    for ability in profile.abilities:
        name, _, x = ability.partition("/")
        if fold(name) == fold(_COMMAND):
            try:
                return float(x.replace(",", "."))
            except ValueError:
                return 0.0
    return 0.0


def rank_of(profile: Profile, edition: Edition) -> int:
    """Return the rank of a caster, the lowest if its card has no word for it; else 0 (T-5.2)."""
    if not profile.caster:
        return 0
    words = fold(profile.role).replace(",", " ").split()
    of_his = [fold(rank) for rank, caster in RANKS.items() if caster == profile.caster]
    found = [edition[f"mystic.rank.{rank}"] for rank in of_his if rank in words]
    return int(found[0]) if found else min(edition[f"mystic.rank.{rank}"] for rank in of_his)


def missing_cells(profile: Profile, edition: Edition) -> list[str]:
    """Return the empty cells of a card without which its fighter cannot be in a battle."""
    missing = [name for name in _NEEDED if getattr(profile, name) is None]
    fear_serves = edition["fear.own_fear_as_courage"]
    if profile.COU is None and not (fear_serves and profile.PEUR):
        missing.append(say("COU or PEUR") if fear_serves else "COU")
    return missing


def _where(scenario: Scenario) -> str:
    return scenario.file or scenario.name


def _card(profile: Profile, fighters: int) -> Card:
    return Card(
        profile.name,
        fighters,
        profile,
        profile.PA,
        threat_of(profile),
        profile.DIS,
        profile.people,
        profile.abilities,
    )


def _check(placed: Placed, scenario: Scenario, edition: Edition) -> None:
    """Refuse a fighter whose card lacks what a battle needs."""
    missing = missing_cells(placed.profile, edition)
    if missing:
        cells = ", ".join(missing)
        raise InputError(
            '{}: fighter "{}": {} not known, and a battle needs it: write the card in a '
            "fighter file of your own (--fighters FILE)",
            _where(scenario),
            placed.label,
            cells,
        )


def _compile_rules(battle: np.void, edition: Edition) -> None:
    rules, shooting = compile_rules(edition), compile_shooting(edition)
    rows, states = len(rules.wound), len(rules.level)
    write_rules(battle["fight"], rules)
    battle["fight"]["page_of"] = _NONE
    write_wounds(battle, rules)
    battle["still_wound"][:rows] = shooting.still_wound
    battle["shots"], battle["aim_charge"] = shooting.shots, shooting.aim_charge
    battle["aim_penalty"][:, :states] = shooting.aim_penalty
    battle["still_lines"] = shooting.still_lines
    battle["test"]["scalars"] = rules.scalars
    tie = Tie[edition["melee.discipline_tie"].upper()]
    battle["test"]["scalars"][ScalarRule.OPPOSED_TIE] = tie
    battle["customs"] = _customs(edition, shooting.into_melee)
    for custom in Disengagement:
        key = f"disengage.{custom.name.lower()}"
        battle["disengagement"][custom] = edition[key]
    actions = compile_actions(edition)
    battle["actions"]["rows"], battle["actions"]["scalars"] = actions.rows, actions.scalars
    upkeep, maintenance = battle["upkeep"], compile_maintenance(edition)
    upkeep["customs"], upkeep["scalars"] = maintenance.customs, rules.scalars
    step = edition["maintenance.steps.roll_to_heal"][0]
    battle["healing_stage"] = Stage.HARM + step - 1
    upkeep["after"][:states], upkeep["recover"][:states] = rules.after, rules.recover
    upkeep["healed"][:states], upkeep["dead"] = maintenance.healed, states - 1


def _customs(edition: Edition, into_melee: bool) -> NDArray[np.int64]:
    customs = np.zeros(len(Custom), np.int64)
    customs[Custom.HIDES] = Hides[edition["sight.hides"].upper()]
    customs[Custom.SHARING] = charge_sharing(edition)
    customs[Custom.COVER] = edition["cover.target"]
    customs[Custom.THROW_LEVEL_0] = "level_0" in edition["cover.throw_needs"]
    customs[Custom.INTO_MELEE] = into_melee
    customs[Custom.NOBODY_LOSES] = edition["melee.nobody_able"] == "loses"
    customs[Custom.ROUTED_MAY_ROLL] = edition["tactics.routed_may_roll"]
    customs[Custom.IMMUNE] = edition["fear.immune_after_success"]
    customs[Custom.OWN_FEAR] = edition["fear.own_fear_as_courage"]
    customs[Custom.ROUTED_DEFENCE] = edition["fear.routed_all_defence"]
    customs[Custom.FLIGHT] = edition["fear.flight"]
    customs[Custom.UPKEEP_STAGE] = Stage.HARM + edition["maintenance.steps.upkeep"][0] - 1
    return customs


def _compile_fighter(battle: np.void, i: int, placed: Placed, army: Army, edition: Edition) -> None:
    profile, row = placed.profile, battle["traits"][i]
    for stat in Stat:
        row[stat] = profile.need(stat.name)
    for trait in (Trait.TIR, Trait.COU, Trait.PEUR, Trait.DIS, Trait.PA):
        value = getattr(profile, trait.name)
        row[trait] = _NONE if value is None else value
    number = card_number(army, profile)
    row[Trait.SIDE], row[Trait.CARD] = SIDES.index(placed.side), number
    row[Trait.POWER], row[Trait.PURE] = power(profile, edition)[0], profile.pure_caster
    row[Trait.TACTICS] = not bar(army.cards[number], army, edition)
    row[Trait.START] = state_code(edition, placed.wounds)
    row[Trait.ROUTED], row[Trait.CASTER] = placed.routed, _CASTERS[profile.caster]
    row[Trait.RANK], row[Trait.MANA] = rank_of(profile, edition), placed.mana
    row[Trait.FAITH], row[Trait.WEAPON] = placed.faith, _NONE
    battle["mou"][i], battle["command"][i] = profile.need("MOU"), command_of(profile)
    if battle["command"][i] > 0:
        battle["commanders"][row[Trait.SIDE]] |= np.uint64(1 << i)
    if can_shoot(profile):
        weapon = weapon_of(profile, edition)
        row[Trait.WEAPON], battle["ranges"][i] = weapon.strength, weapon.ranges
    person = battle["upkeep"]["people"][i]
    person[Person.CASTER], person[Person.RANK] = row[Trait.CASTER], row[Trait.RANK]


def _compile_contacts(battle: np.void, scenario: Scenario, edition: Edition) -> None:
    profiles = [placed.profile for placed in scenario.fighters]
    battle["upkeep"]["n"] = len(profiles)
    for i, profile in enumerate(profiles):
        for j, other in enumerate(profiles):
            if scenario.fighters[i].side != scenario.fighters[j].side:
                battle["most"][i, j] = most_in_contact(profile, [other], edition)[0]
    battle["powers"] = battle["traits"][:, Trait.POWER]


def _compile_abilities(battle: np.void, scenario: Scenario, played: bool) -> None:
    """Write what abilities do; the DIS of who has a fixed one stands in the place of the card's."""
    profiles = [placed.profile for placed in scenario.fighters]
    battle["numbers"][: len(profiles)] = plain_numbers()
    if not played:
        return
    for i, profile in enumerate(profiles):
        flags, numbers = compile_abilities(profile)
        battle["effects"][i], battle["numbers"][i] = flags, numbers
        battle["able"] |= flags
        battle["pain"][i] = pain_of(numbers)
        battle["powers"][i] += numbers[Number.POWER_CHARGED]
        if flags >> Effect.FIXED_DISCIPLINE & 1:
            battle["traits"][i, Trait.DIS] = numbers[Number.DISCIPLINE]
        for j, enemy in enumerate(profiles):
            battle["banes"][i, j] = is_bane_of(profile, enemy)


def _compile_mystics(battle: np.void, scenario: Scenario, edition: Edition) -> None:
    names = list(dict.fromkeys(n for placed in scenario.fighters for n in placed.mystics))
    if len(names) > MAX_MYSTICS:
        raise InputError(
            "{}: {} mystic actions: at most {}", _where(scenario), len(names), MAX_MYSTICS
        )
    actions = [load_mystic(name) for name in names]
    for m, action in enumerate(actions):
        battle["mystics"][m] = _mystic_row(action, edition)
        battle["mystic_range"][m] = action.range
        battle["outside"] |= action.outside << m
    for i, placed in enumerate(scenario.fighters):
        for name in placed.mystics:
            action = actions[names.index(name)]
            if action.caster != placed.profile.caster:
                raise InputError(
                    '{}: fighter "{}": {} is for a {}, and its card says {}',
                    _where(scenario),
                    placed.label,
                    name,
                    action.caster,
                    placed.profile.caster or say("no caster"),
                )
            battle["known"][i] |= 1 << names.index(name)


def _mystic_row(action: MysticAction, edition: Edition) -> NDArray[np.int64]:
    effect, kind = action.effect, action.effect.kind.name.lower()
    row = np.zeros(len(Mystic), np.int64)
    row[Mystic.COST], row[Mystic.DIFFICULTY] = action.cost, action.difficulty
    row[Mystic.IN_FAITH], row[Mystic.TIMES] = action.caster == "faithful", action.times
    row[Mystic.SIGHT], row[Mystic.FRIEND] = action.line_of_sight, action.target == "friend"
    row[Mystic.OUTSIDE], row[Mystic.KIND] = action.outside, effect.kind
    row[Mystic.LEVELS], row[Mystic.OUTCOME] = effect.levels, effect.outcome
    row[Mystic.UPKEEP] = _NONE if action.upkeep is None else action.upkeep
    row[Mystic.STAGE] = Stage.HARM + edition[f"maintenance.steps.{kind}"][0] - 1
    row[Mystic.NEEDS] = effect.needs
    return row


def _compile_victory(battle: np.void, scenario: Scenario) -> None:
    battle["zones"] = len(scenario.zones)
    for k, zone in enumerate(scenario.zones):
        battle["zone_corners"][k], battle["zone_points"][k] = len(zone.corners), zone.points
        battle["zone"][k, : len(zone.corners)] = zone.corners
    for survival in scenario.survival:
        battle["survival"][survival.fighter] += survival.points
    battle["margin"], battle["destruction"] = scenario.victory.margin, scenario.victory.destroyed
    worth = sum(placed.profile.PA or 0 for placed in scenario.fighters)
    zones = sum(zone.points for zone in scenario.zones)
    battle["reach"] = worth + zones + int(battle["survival"].sum())
