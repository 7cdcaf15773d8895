"""The activation phase as a state machine: moves, what they do, who decides how (A-1 to A-4)."""

import numpy as np

from .._jit import part, routine
from ..core.rng import HALF, LOW, U64, card_words
from ..layout.cards import (
    ANY,
    ENEMY_ACTED,
    FEATURES,
    MOVES,
    OWN_ACTED,
    Fault,
    Feature,
    LogColumn,
    Move,
    RuleColumn,
)
from ..layout.combat import Moment
from .opposed import tactics_roll

NOBODY = -1
PERCENT = U64(100)
PICKS = U64(60)  # one of 1, 2, 3, 4 or 5 moves is picked without bias
SHUFFLE, CHANCE, PICK = 0, 2, 6  # purposes of words; the side is added


@part
def cards_left(phase, side):
    """Cards in pile and reserve."""
    return phase.size[side] - phase.next[side] + (phase.held[side] >= 0)


@part
def legal_moves(phase, side):
    """Mask of the moves that the side may make (A-2, A-4)."""
    pile = phase.next[side] < phase.size[side]
    held = phase.held[side] >= 0
    may_store = pile and not phase.used[side]
    in_company = cards_left(phase, 1 - side) > 0 or phase.refusals_alone
    may_refuse = (pile or held) and phase.refusals[side] > 0 and in_company
    return (
        pile << Move.TOP
        | may_store << Move.TO_RESERVE
        | held << Move.RESERVE
        | (pile and held) << Move.BOTH
        | may_refuse << Move.REFUSE
    )


@part
def is_legal(phase, side, move):
    """Whether the side may make this move."""
    return (legal_moves(phase, side) >> move) & 1


@routine
def fault_of(phase, side, move):
    """Why the side may not make this move; ``Fault.NONE`` if it may."""
    if is_legal(phase, side, move):
        return Fault.NONE.value
    if cards_left(phase, side) == 0:
        return Fault.NO_CARD.value
    if move == Move.REFUSE:
        return Fault.ALONE.value if phase.refusals[side] > 0 else Fault.NO_REFUSAL.value
    if move != Move.RESERVE and phase.next[side] == phase.size[side]:
        return Fault.PILE_EMPTY.value
    return Fault.RESERVE_USED.value if move == Move.TO_RESERVE else Fault.RESERVE_EMPTY.value


@part
def act(phase, side, place):
    """Play the card at this place of the pile."""
    card = phase.order[side, place]
    phase.acted[side] |= 1 << card
    phase.when[side, card] = phase.spoken[0] + phase.spoken[1]


@part
def make_move(phase, side, move):
    """Make a legal move (A-2)."""
    if move == Move.TO_RESERVE:
        phase.held[side] = phase.next[side]
        phase.used[side] = 1
    if move == Move.RESERVE or move == Move.BOTH:
        act(phase, side, phase.held[side])
        phase.held[side] = -1
    if move == Move.TOP or move == Move.BOTH:
        act(phase, side, phase.next[side])
    if move == Move.TOP or move == Move.BOTH or move == Move.TO_RESERVE:
        phase.next[side] += 1
    if move == Move.REFUSE:
        phase.refusals[side] -= 1
    phase.spoken[side] += 1


@part
def speaker_after(phase, side):
    """Who speaks after this side (A-4.1); ``NOBODY`` at the end of the phase."""
    if cards_left(phase, 1 - side) > 0:
        return 1 - side
    return side if cards_left(phase, side) > 0 else NOBODY


@part
def speaker_at(phase):
    """Who speaks, of a phase in which both have spoken so often."""
    left_0, left_1 = cards_left(phase, 0), cards_left(phase, 1)
    if left_0 == 0 or left_1 == 0:
        if left_0 == left_1:
            return NOBODY
        return 0 if left_0 > 0 else 1
    return phase.first if phase.spoken[0] == phase.spoken[1] else 1 - phase.first


@routine
def shuffle(phase, side):
    """Put a pile in any order, all of them as likely."""
    order, last = phase.order, phase.size[side] - 1
    w0 = w1 = w2 = w3 = U64(0)
    for place in range(last, 0, -1):
        if (last - place) & 7 == 0:  # a block is good for eight places, each word for two
            w0, w1, w2, w3 = card_words(phase, SHUFFLE + side, (last - place) >> 3)
        drawn = w0 * U64(place + 1)
        other = np.int64(drawn >> HALF)
        w0, w1, w2, w3 = w1, w2, w3, drawn & LOW
        order[side, place], order[side, other] = order[side, other], order[side, place]


@part
def deal(phase):
    """Arrange both piles of the cards that are left, and fix the refusals (A-1, A-3.1)."""
    for side in range(2):
        size = 0
        for i in range(phase.cards[side]):
            card = phase.listed[side, i]
            if (phase.present[side] >> card) & 1:
                phase.order[side, size] = card
                size += 1
        phase.size[side] = size
        if phase.shuffled[side]:
            shuffle(phase, side)
        phase.next[side] = 0
        phase.held[side] = -1
        phase.used[side] = phase.no_reserve[side]
        phase.spoken[side] = 0
        phase.acted[side] = 0
        phase.pick_block[side] = -1
    for side in range(2):
        fewer = max(phase.size[1 - side] - phase.size[side], 0)
        phase.refusals[side] = 0 if phase.no_refusals[side] else fewer


@part
def observe(phase, side):
    """What the rules of the side's policy may look at."""
    enemy, seen = 1 - side, phase.features
    seen[Feature.OWN_CARDS] = cards_left(phase, side)
    seen[Feature.ENEMY_CARDS] = cards_left(phase, enemy)
    seen[Feature.LEAD] = seen[Feature.OWN_CARDS] - seen[Feature.ENEMY_CARDS]
    seen[Feature.PILE] = phase.size[side] - phase.next[side]
    seen[Feature.HELD] = phase.held[side] >= 0
    seen[Feature.REFUSALS] = phase.refusals[side]
    seen[Feature.ENEMY_HELD] = phase.held[enemy] >= 0
    seen[Feature.ENEMY_REFUSALS] = phase.refusals[enemy]
    seen[Feature.TURN] = phase.spoken[side] + 1
    seen[Feature.TOP] = seen[Feature.RESERVED] = 0
    if seen[Feature.PILE] > 0:
        seen[Feature.TOP] = phase.rank[side, phase.order[side, phase.next[side]]]
    if seen[Feature.HELD]:
        seen[Feature.RESERVED] = phase.rank[side, phase.order[side, phase.held[side]]]


@part
def feature(phase, side, code):
    """One of the things that a condition looks at."""
    if code < FEATURES:
        return phase.features[code]
    if code < ENEMY_ACTED:
        return (phase.acted[side] >> (code - OWN_ACTED)) & 1
    return (phase.acted[1 - side] >> (code - ENEMY_ACTED)) & 1


@part
def holds(phase, side, rule, legal):
    """Whether a rule applies: its move is among the legal ones and all of its conditions hold."""
    move = rule[RuleColumn.MOVE]
    if move != ANY and not (legal >> move) & 1:
        return False
    for condition in range(rule[RuleColumn.CONDITIONS]):
        column = RuleColumn.CONDITIONS + 1 + 3 * condition
        seen = feature(phase, side, rule[column])
        if seen < rule[column + 1] or seen > rule[column + 2]:
            return False
    return True


@part
def usual_move(phase, side):
    """What a policy does where no rule of it applies: the top card, else the reserve."""
    return Move.TOP.value if phase.next[side] < phase.size[side] else Move.RESERVE.value


# How many moves each mask has, and which is the n-th, in the order of the codes.
COUNT_OF = np.array([mask.bit_count() for mask in range(1 << MOVES)], np.uint8)
NTH_OF = np.zeros((1 << MOVES, MOVES), np.uint8)
for _mask in range(1 << MOVES):
    _moves = [move for move in range(MOVES) if _mask >> move & 1]
    NTH_OF[_mask, : len(_moves)] = _moves


@part
def scripted_move(phase, side):
    """The scripted move for this speaking turn, or -1; an illegal one is remembered."""
    spoken = phase.spoken[side]
    if spoken >= phase.scripted[side]:
        return -1
    move = phase.script[side, spoken]
    if is_legal(phase, side, move):
        return move
    if phase.fault[0] == Fault.NONE:
        phase.fault[0] = fault_of(phase, side, move)
        phase.fault[1] = 2 * spoken + side
    return -1


@part
def drawn_pick(phase, side):
    """A digit to base ``PICKS`` by which one of several moves is picked in a speaking turn.

    A word is good for two of them, so that eight speaking turns share a block.
    """
    spoken = phase.spoken[side]
    block = spoken >> 3
    if phase.pick_block[side] != block:
        phase.pick_block[side] = block
        words = phase.picks[side]
        words[0], words[1], words[2], words[3] = card_words(phase, PICK + side, block)
    product = phase.picks[side, (spoken >> 1) & 3] * PICKS
    if spoken & 1:
        product = (product & LOW) * PICKS
    return product >> HALF


@part
def choose(phase, side):
    """The move that the side's policy makes: always a legal one."""
    scripted = scripted_move(phase, side)
    if scripted >= 0:
        return scripted
    if phase.rule_count[side] == 0:
        return usual_move(phase, side)
    if phase.looks[side]:
        observe(phase, side)
    rest = later = U64(0)
    if phase.by_chance[side]:
        rest, later, _, _ = card_words(phase, CHANCE + side, phase.spoken[side])
    legal, draws = legal_moves(phase, side), 0
    for r in range(phase.rule_count[side]):
        rule = phase.rules[side, r]
        drawn = U64(0)
        if rule[RuleColumn.CHANCE] < 100:
            drawn = rest * PERCENT
            draws += 1
            rest = later if draws == 2 else drawn & LOW
        if np.int64(drawn >> HALF) < rule[RuleColumn.CHANCE] and holds(phase, side, rule, legal):
            move = rule[RuleColumn.MOVE]
            if move == ANY:
                pick = drawn_pick(phase, side) * U64(COUNT_OF[legal]) // PICKS
                return np.int64(NTH_OF[legal, pick])
            return move
    return usual_move(phase, side)


@part
def begin(phase):
    """Deal the cards, make the Tactics roll, let its winner say who speaks first (A-1.3)."""
    deal(phase)
    phase.won = tactics_roll(phase, Moment(0, phase.turn, None), 0, 1)
    phase.first = 1 - phase.won if phase.speaks_second[phase.won] else phase.won


@part
def play_phase(phase, log):
    """Play one phase to its end; a row of ``log``, if it has any, for each speaking turn."""
    begin(phase)
    side = speaker_at(phase)
    while side != NOBODY:
        move = choose(phase, side)
        if len(log):
            write_move(phase, log[phase.spoken[0] + phase.spoken[1]], side, move)
        make_move(phase, side, move)
        side = speaker_after(phase, side)


@routine
def write_move(phase, row, side, move):
    """Write down a move about to be made, and the reserve after it."""
    top, held = phase.next[side], phase.held[side]
    row[LogColumn.SIDE] = side
    row[LogColumn.MOVE] = move
    row[LogColumn.TOP] = row[LogColumn.RESERVE] = -1
    if move == Move.TOP or move == Move.BOTH:
        row[LogColumn.TOP] = phase.order[side, top]
    if move == Move.RESERVE or move == Move.BOTH:
        row[LogColumn.RESERVE] = phase.order[side, held]
    if move == Move.TO_RESERVE:
        row[LogColumn.RESERVE] = phase.order[side, top]
    stays = held >= 0 and move != Move.RESERVE and move != Move.BOTH
    row[LogColumn.HELD] = stays or move == Move.TO_RESERVE
    row[LogColumn.USED] = phase.used[side] or move == Move.TO_RESERVE
    row[LogColumn.REFUSALS] = phase.refusals[side] - (move == Move.REFUSE)
