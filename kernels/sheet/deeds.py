"""The sheet's actions: whether their own conditions hold, and what they do.

The sheet names them; what they do is in a rulebook that is missing. Fights and spells are outcome
tables, moves and the rest are assumed (6): all of it data, or said here.
"""

from .._jit import part, routine
from ..core.sets import NONE, bit, lowest, without_lowest
from ..layout.sheet import (
    FAR_AWAY,
    NOBODY,
    Cohesion,
    Deed,
    Effect,
    Event,
    Faculty,
    Kind,
    Mark,
    Outcome,
    Tag,
    Trial,
)
from ..layout.situation import Plane
from .chance import fails_test, outcome_of, tell
from .events import (
    destroy,
    gain_mark,
    lose_charge,
    lose_cohesion,
    lose_mark,
    note_flight,
    set_cohesion,
    set_order,
    take_up,
    tire,
)
from .moves import after_move, approach, go_off, has_way_off
from .relations import (
    adjacent_enemies,
    by_of,
    can_fire,
    facing_that_faces,
    friends_of,
    is_present,
    is_troop,
    target_at,
    to_of,
)

ANY_COST = FAR_AWAY
PRESENT = int(Mark.ALIVE | Mark.ON_MAP)
COMMANDS = int(Mark.IN_COMMAND)
LEADS = int(Faculty.LEADER)
APART = int(Plane.APART)


# --- with whom -------------------------------------------------------------------------------


@routine
def comrade(sheet, terrain, u):
    """The friendly Troop with which a Troop can merge, of one step each; -1: none.

    Both are as steady and as tired (assumed): nothing is lost or won by it.
    """
    at = sheet.now.at[u]
    if at < 0 or not is_troop(sheet, u) or sheet.now.steps[u] != 1:
        return NOBODY
    left = terrain.stood[at] & ~bit(u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        own = sheet.side[k] == sheet.side[u] and is_troop(sheet, k) and is_present(sheet, k)
        if own and sheet.now.steps[k] == 1 and is_like(sheet, u, k):
            return k
    return NOBODY


@part
def is_like(sheet, u, k):
    """Whether two pieces have the same cohesion and breath."""
    now = sheet.now
    return now.cohesion[u] == now.cohesion[k] and now.breath[u] == now.breath[k]


@routine
def to_order(sheet, terrain, u, characters):
    """The first friend near enough who has no special order: to whom one is given; -1: none."""
    at, left = sheet.now.at[u], friends_of(sheet, u) & ~bit(u)
    while left != NONE:
        k, left = lowest(left), without_lowest(left)
        fits = sheet.now.kind[k] == Kind.CHARACTER if characters else is_troop(sheet, k)
        if not fits or sheet.now.mark[k] & Mark.SPECIAL or at < 0 or sheet.now.at[k] < 0:
            continue
        if terrain.pairs[APART, at, sheet.now.at[k]] <= sheet.order_range:
            return k
    return NOBODY


@routine
def free_wing(sheet, u):
    """The first wing of a piece's side that has no leader; -1: none."""
    for wing in range(sheet.wings):
        if sheet.wing_side[wing] == sheet.side[u] and sheet.now.leader[wing] < 0:
            return wing
    return NOBODY


@routine
def rival(sheet, terrain, u):
    """The first enemy character beside a piece; -1: none."""
    left = adjacent_enemies(sheet, terrain, u)
    while left != NONE:
        e, left = lowest(left), without_lowest(left)
        if sheet.now.kind[e] == Kind.CHARACTER:
            return e
    return NOBODY


@routine
def spell_target(sheet, terrain, u):
    """The nearest enemy Unit that a spell reaches; -1: none."""
    old = sheet.fire_range[u]
    sheet.fire_range[u] = sheet.spell_range
    found = target_at(sheet, terrain, u, sheet.now.at[u], 0)
    sheet.fire_range[u] = old
    return found


# --- own conditions --------------------------------------------------------------------------


@routine
def feasible_deeds(sheet, terrain, u):
    """Actions whose own conditions hold; the world's word goes first."""
    deeds, at, now = sheet.feasible[u], sheet.now.at[u], sheet.now
    if now.kind[u] == Kind.DECOY:  # it simulates what it likes (A2)
        return deeds
    deeds &= ~own_faults(sheet, terrain, u)
    if sheet.given or at < 0:  # no map tells the rest
        return deeds
    if comrade(sheet, terrain, u) < 0:
        deeds &= ~(1 << Deed.MERGE)
    if not has_way_off(sheet, terrain, u, 0):
        deeds &= ~(1 << Deed.WITHDRAW)
    if now.cohesion[u] != Cohesion.ROUTED and not has_way_off(sheet, terrain, u, 1):
        deeds &= ~(1 << Deed.FLEE)
    if now.kind[u] == Kind.CHARACTER:
        deeds &= ~orders_that_fail(sheet, terrain, u)
    return deeds


@routine
def own_faults(sheet, terrain, u):
    """Actions that a piece cannot do by what it is and whom it engages, map or none."""
    deeds, now = 0, sheet.now
    if to_of(sheet, terrain, u) == NONE:
        deeds |= 1 << Deed.SHOCK
    if not can_fire(sheet, terrain, u):
        deeds |= 1 << Deed.FIRE
    deeds |= 1 << Deed.DUEL_FIRE if now.mark[u] & Mark.AMMO_OUT else 1 << Deed.RELOAD
    if now.kind[u] == Kind.FORMATION:
        deeds |= 1 << Deed.FORM_CONSTITUTE | 1 << Deed.FORM_JOIN
    else:
        deeds |= 1 << Deed.FORM_BREAK | 1 << Deed.FORM_LEAVE | 1 << Deed.FORM_MODE
    if now.steps[u] != 1:
        deeds |= 1 << Deed.MERGE
    return deeds


@routine
def orders_that_fail(sheet, terrain, u):
    """A character's actions for which there is nobody."""
    deeds = 0
    if to_order(sheet, terrain, u, 0) < 0:
        deeds |= 1 << Deed.ORDERS_TROOPS
    if to_order(sheet, terrain, u, 1) < 0:
        deeds |= 1 << Deed.ORDERS_CHARS
    if spell_target(sheet, terrain, u) < 0:
        deeds |= 1 << Deed.SPELL_CAST
    return deeds


# --- fights ----------------------------------------------------------------------------------


@routine
def suffer(sheet, terrain, u, effects, other):
    """What a row of an outcome table does to a piece."""
    if not is_present(sheet, u):
        return
    if effects & Effect.AMMO_OUT:
        gain_mark(sheet, u, Mark.AMMO_OUT)
    if effects & Effect.BREATH:
        tire(sheet, u)
    if effects & Effect.COHESION:
        lose_cohesion(sheet, u)
    if effects & Effect.COHESION_AGAIN:
        lose_cohesion(sheet, u)
    if effects & Effect.STEP:
        sheet.now.steps[u] -= 1
        tell(sheet, Event.STEP, u, sheet.now.steps[u], other)
        if sheet.now.steps[u] <= 0:
            destroy(sheet, terrain, u)
            return
    if effects & Effect.PUSHED and sheet.now.at[u] >= 0:
        go_off(sheet, terrain, u, Tag.AWAY_FROM_NEAREST_THREAT, ANY_COST, 1)


@routine
def clash(sheet, terrain, u, e, table):
    """Roll on an outcome table: what it does to an enemy, then to oneself."""
    if e < 0:
        return
    row = outcome_of(sheet, table)
    tell(sheet, Event.OUTCOME, u, table, row)
    suffer(sheet, terrain, e, sheet.outcome_target[table, row], u)
    suffer(sheet, terrain, u, sheet.outcome_actor[table, row], e)


# --- what they do ----------------------------------------------------------------------------


@routine
def flee(sheet, terrain, u, tag):
    """Flee: who engaged may charge after (D3); the way is to the edge, or away from threats.

    Who is told to go away from threats (A6c), or to stay out of their reach (A8), does so.
    """
    note_flight(sheet, terrain, u)
    if sheet.now.at[u] >= 0 and sheet.flee_hexes > 0:
        wing = sheet.now.wing[u]
        to_edge = wing >= 0 and sheet.retreat_edge[wing] >= 0
        way = Tag.TO_RETREAT_EDGE.value if to_edge else Tag.AWAY_FROM_NEAREST_THREAT.value
        if tag == Tag.AWAY_FROM_NEAREST_THREAT or tag == Tag.STAY_FAR:
            way = tag
        go_off(sheet, terrain, u, way, ANY_COST, sheet.flee_hexes)


@routine
def rally(sheet, terrain, u):
    """Try to rally; who fails flees in the same activation (A1). Else it is feigned (A2)."""
    if sheet.now.cohesion[u] != Cohesion.ROUTED:
        return
    if fails_test(sheet, terrain, Trial.RALLY, u):
        flee(sheet, terrain, u, Tag.FREE)
    else:
        set_cohesion(sheet, u, Cohesion.SHAKEN.value)


@routine
def turn_to_face(sheet, terrain, u):
    """Face an engager; who charged charges no more (A3)."""
    lose_charge(sheet, u)
    if sheet.given:
        sheet.to[u] = by_of(sheet, terrain, u)
        return
    facing = facing_that_faces(sheet, terrain, u)
    if facing >= 0:
        tell(sheet, Event.TURNED, u, sheet.now.facing[u], facing)
        sheet.now.facing[u] = facing


@routine
def move(sheet, terrain, u, deed, tag):
    """Movement, attack move, withdrawal: on a map."""
    if sheet.now.at[u] < 0:
        return
    before = to_of(sheet, terrain, u) != NONE
    if deed == Deed.ATTACK_MOVE:
        approach(sheet, terrain, u, tag)
        after_move(sheet, terrain, u, before)
    elif deed == Deed.MOVE and tag != Tag.AWAY_FROM_NEAREST_THREAT and tag != Tag.TO_RETREAT_EDGE:
        approach(sheet, terrain, u, Tag.NO_ENGAGE.value if tag == Tag.FREE else tag)
    else:
        go_off(sheet, terrain, u, tag, sheet.allowance[u], 1 << 6)


@routine
def fight(sheet, terrain, u, deed):
    """Shock, fire, duels and spells: the outcome tables."""
    at = sheet.now.at[u]
    if deed == Deed.SHOCK:
        met = to_of(sheet, terrain, u)
        if met != NONE:
            clash(sheet, terrain, u, lowest(met), Outcome.SHOCK)
    elif deed == Deed.FIRE:
        clash(sheet, terrain, u, target_at(sheet, terrain, u, at, 0), Outcome.FIRE)
    elif deed == Deed.DUEL_SHOCK:
        clash(sheet, terrain, u, rival(sheet, terrain, u), Outcome.DUEL_SHOCK)
    elif deed == Deed.DUEL_FIRE:
        clash(sheet, terrain, u, target_at(sheet, terrain, u, at, 1), Outcome.DUEL_FIRE)
    elif deed == Deed.SPELL_CAST:
        lose_mark(sheet, u, Mark.SPELL)
        clash(sheet, terrain, u, spell_target(sheet, terrain, u), Outcome.SPELL)


@routine
def merge(sheet, terrain, u):
    """Two Troops of one step become one of two."""
    k = comrade(sheet, terrain, u)
    if k < 0:
        return
    sheet.now.steps[u] = 2
    tell(sheet, Event.MERGED, u, k, 0)
    sheet.now.mark[k] &= ~PRESENT
    take_up(sheet, terrain, k)


@routine
def form(sheet, u, deed):
    """Formation actions: opaque to the sheet; a Troop becomes or ceases to be a Formation."""
    old = sheet.now.kind[u]
    if deed == Deed.FORM_MODE:
        mode = sheet.now.formation_mode[u]
        sheet.now.formation_mode[u] = 1 - mode
        tell(sheet, Event.FORMATION_MODE, u, mode, 1 - mode)
        return
    joins = deed == Deed.FORM_CONSTITUTE or deed == Deed.FORM_JOIN
    sheet.now.kind[u] = Kind.FORMATION if joins else Kind.SIMPLE
    tell(sheet, Event.KIND, u, old, sheet.now.kind[u])


@routine
def command(sheet, terrain, u, deed):
    """Orders, commands and resignations."""
    wing = sheet.now.wing[u]
    if deed == Deed.ORDERS_TROOPS or deed == Deed.ORDERS_CHARS:
        k = to_order(sheet, terrain, u, int(deed == Deed.ORDERS_CHARS))
        if k >= 0:
            gain_mark(sheet, k, Mark.SPECIAL)
    elif deed == Deed.CHANGE_ORDER and wing >= 0:
        set_order(sheet, wing, sheet.new_order[sheet.side[u]])
    elif deed == Deed.RESIGN and wing >= 0:
        sheet.now.leader[wing] = NOBODY
        sheet.now.faculty[u] &= ~LEADS
        sheet.now.mark[u] &= ~COMMANDS
        tell(sheet, Event.LEADER, wing, NOBODY, 0)
    elif deed == Deed.TAKE_COMMAND and free_wing(sheet, u) >= 0:
        wing = free_wing(sheet, u)
        sheet.now.leader[wing], sheet.now.wing[u] = u, wing
        sheet.now.faculty[u] |= LEADS
        sheet.now.mark[u] |= COMMANDS
        tell(sheet, Event.LEADER, wing, u, 0)


@part
def is_move(deed):
    """Whether an action goes somewhere of its own will."""
    return deed == Deed.MOVE or deed == Deed.ATTACK_MOVE or deed == Deed.WITHDRAW


@routine
def perform(sheet, terrain, u, deed, tag):
    """Do what was chosen; no action, and what the sheet does not tell of, change nothing."""
    if deed == Deed.NONE or deed == Deed.HANDLE:
        return
    if deed == Deed.FLEE:
        flee(sheet, terrain, u, tag)
    elif is_move(deed):
        move(sheet, terrain, u, deed, tag)
    elif deed == Deed.RALLY:
        rally(sheet, terrain, u)
    elif deed == Deed.FACE:
        turn_to_face(sheet, terrain, u)
    elif deed == Deed.REST:
        old = sheet.now.breath[u]
        sheet.now.breath[u] = max(old + sheet.rest, 0)
        tell(sheet, Event.BREATH, u, old, sheet.now.breath[u])
    elif deed == Deed.REGROUP:
        if sheet.now.cohesion[u] == Cohesion.SHAKEN:
            set_cohesion(sheet, u, Cohesion.GOOD.value)
    elif deed == Deed.RELOAD:
        lose_mark(sheet, u, Mark.AMMO_OUT)
    elif deed == Deed.MERGE:
        merge(sheet, terrain, u)
    elif deed == Deed.SPELL_CHOOSE:
        gain_mark(sheet, u, Mark.SPELL)
    elif Deed.FORM_CONSTITUTE <= deed <= Deed.FORM_MODE:
        form(sheet, u, deed)
    elif Deed.ORDERS_TROOPS <= deed <= Deed.ORDERS_CHARS or deed >= Deed.CHANGE_ORDER:
        command(sheet, terrain, u, deed)
    else:
        fight(sheet, terrain, u, deed)
