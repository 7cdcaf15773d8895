"""The activation phase, exactly: all states of both sides, by policy or best play (A-1 to A-4).

What a side has done does not hang on the enemy, so the states of a phase are the pairs of
one state of each side; who speaks follows from how often both have spoken. States are
listed in the order of speaking turns, so that a move leads to a later one.
"""

import numpy as np

from .._jit import kernel, part, routine
from ..layout.cards import (
    ANY,
    LOG_COLUMNS,
    MAX_SPOKEN,
    MAX_STATES,
    MOVES,
    STATE_COLUMNS,
    RuleColumn,
    StateColumn,
)
from .cards import (
    COUNT_OF,
    NOBODY,
    deal,
    holds,
    is_legal,
    legal_moves,
    make_move,
    observe,
    scripted_move,
    speaker_at,
    usual_move,
    write_move,
)


@part
def put(phase, side, state):
    """Let a side stand as a state says."""
    phase.next[side] = state[StateColumn.NEXT]
    phase.held[side] = state[StateColumn.HELD]
    phase.used[side] = state[StateColumn.USED]
    phase.refusals[side] = state[StateColumn.REFUSALS]
    phase.spoken[side] = state[StateColumn.SPOKEN]
    phase.acted[side] = state[StateColumn.ACTED]


@part
def take(phase, side, state):
    """Write down how a side stands."""
    state[StateColumn.NEXT] = phase.next[side]
    state[StateColumn.HELD] = phase.held[side]
    state[StateColumn.USED] = phase.used[side]
    state[StateColumn.REFUSALS] = phase.refusals[side]
    state[StateColumn.SPOKEN] = phase.spoken[side]
    state[StateColumn.ACTED] = phase.acted[side]
    state[StateColumn.LEFT] = phase.size[side] - phase.next[side] + (phase.held[side] >= 0)


@part
def find(states, known, next_layer, wanted):
    """Place of a state in the list, from the layer of its speaking turn on; -1 = not there."""
    for index in range(next_layer, known):
        same = True
        for column in range(STATE_COLUMNS):
            same = same and states[index, column] == wanted[column]
        if same:
            return index
    return -1


@routine
def list_states(phase, side, states, moves_to, wanted):
    """Fill a side's states and where each move leads (-1 = nowhere); how many there are.

    The enemy is taken to have cards; where he has none, refusals are looked at apart.
    """
    take(phase, side, states[0])
    known, next_layer, at = 1, 1, 0
    while at < known:
        if at == next_layer:  # its moves lead to a speaking turn later
            next_layer = known
        for move in range(MOVES):
            put(phase, side, states[at])
            moves_to[at, move] = -1
            if not is_legal(phase, side, move):
                continue
            make_move(phase, side, move)
            take(phase, side, wanted)
            index = find(states, known, next_layer, wanted)
            if index < 0:
                take(phase, side, states[known])
                index = known
                known += 1
            moves_to[at, move] = index
        at += 1
    put(phase, side, states[0])
    return known


@kernel
def phase_states(phases, side):
    """List every state that a side can be in during a phase, as both begin it.

    Returns the states, int64 of shape (s, STATE_COLUMNS), in the order of the speaking turns, and
    (s, MOVES) the state after each `Move`, -1 where it is not legal while the enemy has cards.
    """
    phase = phases[0]
    deal(phase)
    found = np.empty((MAX_STATES, STATE_COLUMNS), np.int64)
    moves_to = np.empty((MAX_STATES, MOVES), np.int64)
    known = list_states(phase, side, found, moves_to, np.empty(STATE_COLUMNS, np.int64))
    return found[:known].copy(), moves_to[:known].copy()


@routine
def spread(phase, side, chances):
    """Chance of each move by the side's policy."""
    chances[:] = 0.0
    scripted = scripted_move(phase, side)
    if scripted >= 0:
        chances[scripted] = 1.0
        return
    observe(phase, side)
    legal, left = legal_moves(phase, side), 1.0
    for r in range(phase.rule_count[side]):
        rule = phase.rules[side, r]
        if not holds(phase, side, rule, legal):
            continue
        applies = left * rule[RuleColumn.CHANCE] / 100.0
        move = rule[RuleColumn.MOVE]
        if move == ANY:
            share = applies / COUNT_OF[legal]
            for any_move in range(MOVES):
                chances[any_move] += share * ((legal >> any_move) & 1)
        else:
            chances[move] += applies
        left -= applies
        if rule[RuleColumn.CHANCE] == 100:
            return
    chances[usual_move(phase, side)] += left


@part
def gain(phase, side, before, after, enemy_acted):
    """Swing of the cards that A plays between two of its states; 0 of B's."""
    total = 0
    if side == 0:
        played = after & ~before
        for i in range(phase.cards[0]):
            if (played >> i) & 1:
                for j in range(phase.cards[1]):
                    if not (enemy_acted >> j) & 1:
                        total += phase.swing[i, j]
    return total


@routine
def best_move(phase, side, moves_to, row, acted, other_acted, own, values, at):
    """Move that is best for a side, by the values of what follows; the first of equals."""
    best, best_value = -1, 0.0
    for move in range(MOVES):
        if not is_legal(phase, side, move):
            continue
        to = moves_to[row, move]
        value = values[to, at] if side == 0 else values[at, to]
        value += gain(phase, side, acted, own[to, StateColumn.ACTED], other_acted)
        if side == 1:
            value = -value
        if best < 0 or value > best_value:
            best, best_value = move, value
    return best


@part
def decide(phase, side, own, row, other, at, moves_to, values, chances):
    """Chance of each move, by policy or best play."""
    if phase.optimal[side]:
        chances[:] = 0.0
        acted, other_acted = own[row, StateColumn.ACTED], other[at, StateColumn.ACTED]
        move = best_move(phase, side, moves_to, row, acted, other_acted, own, values, at)
        chances[move] = 1.0
    else:
        spread(phase, side, chances)


@part
def note_play(phase, side, played, mass, other_acted, turn, before, acts):
    """Add the mass of cards that are played in a speaking turn."""
    for card in range(phase.cards[side]):
        if (played >> card) & 1:
            acts[side, card, turn] += mass
            for other in range(phase.cards[1 - side]):
                if not (other_acted >> other) & 1:
                    if side == 0:
                        before[0, card, other] += mass
                    else:
                        before[1, other, card] += mass


@part
def decide_at(phase, side, i, j, own, own_to, enemy, enemy_to, values, chances):
    """Chance of each move of who speaks, by policy or best play."""
    if side == 0:
        decide(phase, 0, own, i, enemy, j, own_to, values, chances)
    else:
        decide(phase, 1, enemy, j, own, i, enemy_to, values, chances)


@part
def stand_at(phase, own, i, enemy, j):
    """Let both sides stand as their states say; who speaks."""
    put(phase, 0, own[i])
    put(phase, 1, enemy[j])
    return speaker_at(phase)


@kernel
def phase_values(phases, first, own, own_to, enemy, enemy_to):
    """Return what the rest of a phase is worth to A in each state, by policies or best play.

    That is the expected sum of the swings still to come, by the states of A and of B
    (`phase_states`); ``first`` is the side that speaks first.
    """
    phase = phases[0]
    phase.first = first
    values = np.zeros((len(own), len(enemy)))
    chances = np.zeros(MOVES)
    for i in range(len(own) - 1, -1, -1):
        for j in range(len(enemy) - 1, -1, -1):
            side = stand_at(phase, own, i, enemy, j)
            if side == NOBODY:
                continue
            decide_at(phase, side, i, j, own, own_to, enemy, enemy_to, values, chances)
            acted, other_acted = own[i, StateColumn.ACTED], enemy[j, StateColumn.ACTED]
            for move in range(MOVES):
                if chances[move] > 0.0:
                    to_i = own_to[i, move] if side == 0 else i
                    to_j = enemy_to[j, move] if side == 1 else j
                    swing = gain(phase, side, acted, own[to_i, StateColumn.ACTED], other_acted)
                    values[i, j] += chances[move] * (swing + values[to_i, to_j])
    return values


@kernel
def phase_odds(phases, first, own, own_to, enemy, enemy_to, values, weight, before, acts):
    """Add to the chances of who acts when, under policies or best play.

    As `phase_values`, which gives ``values`` if a side plays its best; ``weight`` is the chance of
    these orders of the piles and this first speaker. ``before`` gets the chances that A's card i
    acts before B's card j, and that it acts after; ``acts`` those that a card acts in a speaking
    turn. Returns the `Fault` of a scripted move, and where.
    """
    phase = phases[0]
    phase.first = first
    phase.fault[:] = 0
    masses = np.zeros((len(own), len(enemy)))
    masses[0, 0] = weight
    chances = np.zeros(MOVES)
    for i in range(len(own)):
        for j in range(len(enemy)):
            if masses[i, j] == 0.0:
                continue
            side = stand_at(phase, own, i, enemy, j)
            if side == NOBODY:
                continue
            decide_at(phase, side, i, j, own, own_to, enemy, enemy_to, values, chances)
            turn = own[i, StateColumn.SPOKEN] + enemy[j, StateColumn.SPOKEN]
            acted, other_acted = own[i, StateColumn.ACTED], enemy[j, StateColumn.ACTED]
            for move in range(MOVES):
                share = masses[i, j] * chances[move]
                if share == 0.0:
                    continue
                if side == 0:
                    to = own_to[i, move]
                    played = own[to, StateColumn.ACTED] & ~acted
                    note_play(phase, 0, played, share, other_acted, turn, before, acts)
                    masses[to, j] += share
                else:
                    to = enemy_to[j, move]
                    played = enemy[to, StateColumn.ACTED] & ~other_acted
                    note_play(phase, 1, played, share, acted, turn, before, acts)
                    masses[i, to] += share
    return phase.fault.copy()


@kernel
def phase_line(phases, first, own, own_to, enemy, enemy_to, values):
    """Return the likeliest moves of a phase, rows of `LogColumn`; as `phase_odds`."""
    phase = phases[0]
    phase.first = first
    log = np.zeros((MAX_SPOKEN, LOG_COLUMNS), np.int64)
    chances = np.zeros(MOVES)
    turn = i = j = 0
    while True:
        side = stand_at(phase, own, i, enemy, j)
        if side == NOBODY:
            return log[:turn]
        decide_at(phase, side, i, j, own, own_to, enemy, enemy_to, values, chances)
        move = np.argmax(chances)
        write_move(phase, log[turn], side, move)
        turn += 1
        if side == 0:
            i = own_to[i, move]
        else:
            j = enemy_to[j, move]
