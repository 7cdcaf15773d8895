"""The opposed Initiative test that opens a combat (C-4, W-1.5)."""

from .._jit import part, routine
from ..core.dice import added, chain, final, first_die, next_die, note, opening
from ..core.rng import ROLL_OFFS, initiative_address
from ..layout.abilities import Effect, Roll
from ..layout.combat import COIN, INITIATIVE_AGAIN, LONE, OTHERS, Call, Rule, Stat, Tie
from ..layout.log import Event
from ..layout.policy import Decision, Luck
from .feats import initiative_bonus, is_able, note_feat, opens_at
from .policy import initiative_fighter, keep_at
from .wounds import current

NO_SIDE = -1


@part
def wants_reroll(fight, side, die, opens, result, other_result):
    """Whether a side re-rolls its 6 in an opposed test (W-1.5)."""
    reroll = fight.policy[side, Decision.REROLL_INITIATIVE]
    return die >= opens and keep_at(reroll, other_result + 1) > result


@part
def side_behind(fight, result_0, result_1):
    """The side that decides first about its 6 (W-1.5)."""
    if result_0 == result_1:
        return 1 - fight.chooser
    return 0 if result_0 < result_1 else 1


@routine
def reroll_sixes(
    fight, call: Call, natural_0, natural_1, ini_0, ini_1, rest_0, rest_1, opens_0, opens_1
):
    """Natural results after each side re-rolled, in turn, the 6 that it wanted to (W-1.5)."""
    slot_0, slot_1 = LONE ^ fight.mirror, OTHERS ^ fight.mirror
    die_0, die_1 = natural_0, natural_1
    index_0 = index_1 = 0
    while True:
        result_0, result_1 = final(natural_0, ini_0), final(natural_1, ini_1)
        wants_0 = wants_reroll(fight, 0, die_0, opens_0, result_0, result_1)
        wants_1 = wants_reroll(fight, 1, die_1, opens_1, result_1, result_0)
        if not (wants_0 or wants_1):
            return natural_0, natural_1
        if wants_0 and (not wants_1 or side_behind(fight, result_0, result_1) == 0):
            index_0 += 1
            die_0, rest_0 = next_die(fight, call, call.striker, slot_0, index_0, rest_0)
            natural_0 = added(fight, natural_0, die_0)
        else:
            index_1 += 1
            die_1, rest_1 = next_die(fight, call, call.target, slot_1, index_1, rest_1)
            natural_1 = added(fight, natural_1, die_1)


@part
def opposed(fight, call: Call, ini_0, ini_1, opens_0, opens_1):
    """Results of one opposed Initiative test, sixes re-rolled in turn (W-1.5).

    ``opens_0`` and ``opens_1`` are the least dice of both sides that are re-rolled like 6s.
    """
    slot_0, slot_1 = LONE ^ fight.mirror, OTHERS ^ fight.mirror
    die_0, rest_0 = first_die(fight, call, call.striker, slot_0)
    die_1, rest_1 = first_die(fight, call, call.target, slot_1)
    natural_0, natural_1 = opening(fight, die_0), opening(fight, die_1)
    if die_0 >= opens_0 or die_1 >= opens_1:
        natural_0, natural_1 = reroll_sixes(
            fight, call, natural_0, natural_1, ini_0, ini_1, rest_0, rest_1, opens_0, opens_1
        )
    return final(natural_0, ini_0), final(natural_1, ini_1)


@part
def tie_winner(fight, call: Call, ini_0, ini_1):
    """Side that an edition lets win an equal test (C-4.3); ``NO_SIDE``: roll again."""
    tie = fight.scalars[Rule.OPPOSED_TIE]
    # an address has room for so many roll-offs; so many ties in a row never happen
    if tie == Tie.COIN or call.number == ROLL_OFFS - 1:
        die, _ = first_die(fight, call, call.striker, COIN)
        return int(die > 3) ^ fight.mirror
    if tie == Tie.FIRST:
        return fight.chooser
    if tie == Tie.HIGHER_CHARACTERISTIC and ini_0 != ini_1:
        return int(ini_1 > ini_0)
    return NO_SIDE


@routine
def try_again(fight, call: Call, ini_0, ini_1, result_0, result_1):
    """Results after those who lost have rolled again by luck, in turn (W-7)."""
    slot = INITIATIVE_AGAIN
    rolled_0, rolled_1 = slot, slot
    while result_0 != result_1:
        side = 0 if result_0 < result_1 else 1
        i = call.striker if side == 0 else call.target
        if fight.luck[i] == 0 or fight.policy[side, Decision.LUCK] == Luck.NEVER:
            return result_0, result_1
        fight.luck[i] -= 1
        slot = rolled_0 if side == 0 else rolled_1
        own, ini = (result_0, ini_0) if side == 0 else (result_1, ini_1)
        standing = result_1 if side == 0 else result_0
        other = call.striker + call.target - i
        note_feat(call.moment, call.number, i, other, Effect.LUCK, side, own, 0)
        reroll = fight.policy[side, Decision.REROLL_INITIATIVE]
        keep = keep_at(reroll, standing + 1 - ini)
        opens = fight.opens[i, Roll.INITIATIVE]
        result = final(chain(fight, call, i, slot + (side ^ fight.mirror), keep, opens), ini)
        if side == 0:
            result_0, rolled_0 = result, rolled_0 + 2
        else:
            result_1, rolled_1 = result, rolled_1 + 2
    return result_0, result_1


@part
def testers(fight, turn, able):
    """Who tests for the others, and both sides' Initiatives (C-4.1, C-4.2)."""
    tester = 1 if fight.n == 2 else initiative_fighter(fight, turn)
    bonus = fight.scalars[Rule.NUMBERS_BONUS] * (fight.living - 1)
    ini_0 = current(fight, turn, 0, Stat.INI)
    ini_1 = current(fight, turn, tester, Stat.INI) + bonus
    if is_able(able, fight) and fight.able >> Effect.DESPERATE & 1:
        ini_0 += initiative_bonus(fight, 0)
        ini_1 += initiative_bonus(fight, tester)
    return tester, ini_0, ini_1


@part
def initiative(fight, moment, able):
    """Side that strikes first (C-4)."""
    turn = moment.turn
    tester, ini_0, ini_1 = testers(fight, turn, able)
    opens_0 = opens_at(fight, 0, Roll.INITIATIVE, able)
    opens_1 = opens_at(fight, tester, Roll.INITIATIVE, able)
    winner, roll_off = NO_SIDE, 0
    while winner == NO_SIDE:
        page = 0 if roll_off == 0 else -1
        address = initiative_address(turn, roll_off)
        call = Call(moment, roll_off, 0, tester, address, page)
        result_0, result_1 = opposed(fight, call, ini_0, ini_1, opens_0, opens_1)
        if is_able(able, fight) and fight.able >> Effect.LUCK & 1:
            result_0, result_1 = try_again(fight, call, ini_0, ini_1, result_0, result_1)
        if result_0 != result_1:
            winner = int(result_1 > result_0)
        else:
            winner = tie_winner(fight, call, ini_0, ini_1)
        note(moment, Event.INITIATIVE, roll_off, 0, tester, winner, result_0, result_1, 0)
        roll_off += 1
    return winner
