"""An activation phase as arrays: two armies, their policies and an edition (A-1 to A-4)."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.cards import ENEMY_ACTED, OWN_ACTED, PHASE, Feature, RuleColumn, Winner
from ...kernels.layout.combat import Rule as ScalarRule
from ...kernels.layout.combat import Tie
from ..armies.army import GAIN_PARTS, Army
from ..armies.card_policy import Condition, Rule
from ..armies.tactics import Roller, roller
from ..edition.edition import Edition
from ..errors import InputError
from ..message import say
from .combat import compile_rules

WINNERS = {"A": 0, "B": 1, "roll": Winner.ROLL.value, "coin": Winner.COIN.value}
NO_ROLLER, UNKNOWN = -1, -2  # instead of a Discipline
BEST_WORD = -1  # of who speaks second: whichever is better, as only best play can tell

_RANKED = (Feature.TOP.name.lower(), Feature.RESERVED.name.lower())
_ORDERED_BY = {"cheap": "PA", "dear": "PA", "patient": "PA", "threat": "threat"}


def compile_phase(a: Army, b: Army, edition: Edition, winner: str = "roll") -> NDArray[np.void]:
    """Return the activation phase of two armies as a record array of shape (1,).

    Seed, cell and the policy about re-rolled sixes are the caller's to fill in. The winner of the
    Tactics roll is A or B, or found by "roll" or "coin".
    """
    phases = np.zeros(1, PHASE)
    phase = phases[0]
    for side, (own, enemy) in enumerate(((a, b), (b, a))):
        _compile_side(phase, side, own, enemy)
    phase.winner = WINNERS[winner]
    if winner == "roll":
        phase.discipline[:] = disciplines(roller(a, edition), roller(b, edition), (a, b))
        if (phase.discipline == UNKNOWN).all():
            phase.winner = Winner.COIN
    phase.no_fighter_loses = edition["tactics.no_fighter"] == "loses"
    phase.refusals_alone = edition["cards.refusal_alone"]
    phase.swing[:] = swings(a, b)
    phase.scalars[:] = compile_rules(edition).scalars
    phase.scalars[ScalarRule.OPPOSED_TIE] = Tie[edition["tactics.tie"].upper()]
    return phases


def disciplines(one: Roller, other: Roller, armies: Sequence[Army]) -> list[int]:
    """Return the Discipline of both sides' rollers; ``NO_ROLLER`` where nobody may (T-2.5).

    ``UNKNOWN`` for both if no Discipline is known of either. Against nobody none is needed.
    """
    rollers = (one, other)
    if one.nobody or other.nobody:
        return [NO_ROLLER if who.nobody else who.DIS or 0 for who in rollers]
    found = [UNKNOWN if who.DIS is None else who.DIS for who in rollers]
    if UNKNOWN in found and found != [UNKNOWN, UNKNOWN]:
        index = found.index(UNKNOWN)
        cards = "; ".join(rollers[index].unknown)
        raise InputError(
            "{}: no Discipline is known of those who may make the Tactics roll ({}), and "
            "it needs one (T-2.3): give one of them a DIS = …, or say who wins it "
            "(--winner A, B or coin)",
            armies[index].where,
            cards,
        )
    return found


def swings(a: Army, b: Army) -> NDArray[np.int64]:
    """Return, in thousandths, what A gains by its card i acting before B's card j, not after.

    Without gains in either file, 1 for each pair.
    """
    table = np.zeros(PHASE["swing"].shape, np.int64)
    if not a.gains and not b.gains:
        table[: len(a.cards), : len(b.cards)] = GAIN_PARTS
        return table
    for own, enemy in ((a, b), (b, a)):
        for (i, j), gain in placed_gains(own, enemy).items():
            table[(i, j) if own is a else (j, i)] += round(gain * GAIN_PARTS)
    return table


def placed_gains(own: Army, enemy: Army) -> dict[tuple[int, int], float]:
    """Return an army's gains by its card and the enemy's; those on a card he has not left out."""
    found: dict[tuple[int, int], float] = {}
    for gain in own.gains:
        where = say("{}: gains", own.where)
        i = own.index(gain.card, where)
        if not enemy.has(gain.before):
            continue
        j = enemy.index(gain.before, where)
        if (i, j) in found:
            raise InputError(
                '{}: "{}" before "{}" is there twice; keep one of them',
                where,
                gain.card,
                gain.before,
            )
        found[i, j] = gain.gain
    return found


def base_value(a: Army, b: Army) -> float:
    """Return the value to A where none of its cards acts before any of B's."""
    return -sum(placed_gains(b, a).values())


def _compile_side(phase: np.void, side: int, own: Army, enemy: Army) -> None:
    policy, cards = own.policy, own.cards
    phase["cards"][side] = len(cards)
    phase["present"][side] = (1 << len(cards)) - 1
    phase["listed"][side, : len(cards)] = arranged(own)
    phase["shuffled"][side] = policy.order == "random"
    if any(c.feature in _RANKED for rule in policy.rules for c in rule.when):
        worth = _worth(own, policy.value, say("ranks the cards by it"))
        by_worth = sorted(range(len(cards)), key=lambda i: -worth[i])
        for rank, i in enumerate(by_worth, 1):
            phase["rank"][side, i] = rank
    phase["speaks_second"][side] = BEST_WORD if policy.optimal else policy.speak == "second"
    phase["scripted"][side] = len(policy.moves)
    phase["script"][side, : len(policy.moves)] = policy.moves
    phase["rule_count"][side] = len(policy.rules)
    phase["looks"][side] = any(rule.when for rule in policy.rules)
    phase["by_chance"][side] = any(rule.chance < 100 for rule in policy.rules)
    phase["optimal"][side] = policy.optimal
    for row, rule in zip(phase["rules"][side], policy.rules, strict=False):
        _compile_rule(row, rule, own, enemy)


def arranged(army: Army) -> list[int]:
    """Return the cards in the order of the army's pile; of a random one, as listed (A-1.1)."""
    places = list(range(len(army.cards)))
    key = _ORDERED_BY.get(army.policy.order)
    if key is None:
        return places
    worth = _worth(army, key, say("puts the cards in the order {}", army.policy.order))
    if army.policy.order in ("dear", "threat"):
        return sorted(places, key=lambda i: -worth[i])
    cheap_first = sorted(places, key=lambda i: worth[i])
    if army.policy.order == "cheap":
        return cheap_first
    dearest = max(places, key=lambda i: worth[i])
    return [dearest, *(i for i in cheap_first if i != dearest)]


def _worth(army: Army, key: str, why: str) -> list[int]:
    """Return what each card is worth: all of its fighters together."""
    found = []
    for card in army.cards:
        value = card.threat if key == "threat" else card.PA
        if value is None:
            need = say("ATT and FOR") if key == "threat" else key
            raise InputError(
                '{}: card "{}": {} not known, and policy "{}" {}; give the card {} = …',
                army.where,
                card.name,
                need,
                army.policy.name,
                why,
                key,
            )
        found.append(value * card.fighters)
    return found


def _compile_rule(row: NDArray[np.int64], rule: Rule, own: Army, enemy: Army) -> None:
    row[RuleColumn.MOVE], row[RuleColumn.CHANCE] = rule.move, rule.chance
    row[RuleColumn.CONDITIONS] = len(rule.when)
    for n, condition in enumerate(rule.when):
        start = RuleColumn.CONDITIONS + 1 + 3 * n
        row[start] = _feature(condition, own, enemy)
        row[start + 1], row[start + 2] = condition.least, condition.most


def _feature(condition: Condition, own: Army, enemy: Army) -> int:
    if condition.feature != "acted":
        return int(Feature[condition.feature.upper()])
    where = own.policy.where
    if condition.own:
        return OWN_ACTED + own.index(condition.card, where)
    return ENEMY_ACTED + enemy.index(condition.card, where)
