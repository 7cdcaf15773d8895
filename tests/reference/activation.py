"""The activation phase of a battle: cards played, actions announced and made (A-1 to A-5, M)."""

from __future__ import annotations

from reference.actions import forbidding
from reference.cards import Position, after, beginning, broken, cards_of
from reference.decisions import must
from reference.disengage import difficulty as disengage_difficulty
from reference.disengage import may_try
from reference.field import Game, Warrior
from reference.nerve import stands
from reference.penalties import Assault, penalised
from reference.sightline import sees
from reference.testing import test_of
from reference.travel import ASSAULTS, assault, potential, redirect, simple_move
from reference.volley import cast, cast_outside, shoot

MOVES = {
    "top": "top",
    "to_reserve": "reserve",
    "reserve": "play-reserve",
    "both": "both",
    "refuse": "refuse",
}


def card_name(side: int, card: int) -> str:
    return f"{side}:{card}"


def number_of(cards: tuple[str, ...]) -> int:
    """The number of the first of some cards; -1: there is none."""
    return int(cards[0].split(":")[1]) if cards else -1


# --- cards -------------------------------------------------------------------------------


def activation(game: Game, piles: list[list[int]], first: int) -> None:
    """The whole phase (A-1 to A-4); it stops when a side has nobody left."""
    for warrior in game.warriors:
        warrior.assaulted = warrior.activated = False
    names = [[card_name(side, card) for card in piles[side]] for side in (0, 1)]
    alone = game.edition["cards.refusal_alone"]
    position = beginning(names, first, refusal_alone=alone)
    while position.speaker is not None and not game.over:
        position = speak(game, position)


def speak(game: Game, position: Position) -> Position:
    """One speaking turn (A-2)."""
    side, hand = position.speaker, position.hand
    assert side is not None
    choice = game.choices.take("speak", "A-2.1")
    move = MOVES[choice["move"]]
    clauses = sorted(broken(position, move))
    must(not clauses, clauses[0] if clauses else "", f"side {side} cannot {choice['move']}")
    played = cards_of(hand, move)
    following = after(position, move)
    mine = following.hands[side]
    able = [w for w in game.living(side) if card_name(side, w.card["card"]) in played]
    order = [game[f] for f in choice["fighters"]]
    same = sorted(w.number for w in order) == sorted(w.number for w in able)
    must(same, "A-5.1", f"{choice['fighters']} are not the fighters of the cards {played}")
    top = hand.pile[:1] if move in ("top", "both") else ()
    reserve = hand.reserve if move in ("play-reserve", "both") else ()
    if move == "reserve":
        reserve = hand.pile[:1]
    game.tell(
        "speak",
        side=side,
        move=choice["move"],
        top=number_of(top),
        reserve=number_of(reserve),
        held=len(mine.reserve),
        refusals=mine.refusals,
        fighters=choice["fighters"],
    )
    act(game, order)
    return following


# --- who acts when -----------------------------------------------------------------------


def act(game: Game, order: list[Warrior]) -> None:
    """All fighters of a speaking turn: exclusive actions first, then the others (A-5)."""
    for warrior in order:
        warrior.activated = True
        warrior.markers.discard("target")  # M-6.2
    announced = announcements(game, order)
    assaults = []
    for warrior, action, targets, way in announced:
        cast_outside(game)
        if warrior.alive and not game.over:
            assaults += exclusive(game, warrior, action, targets, way)
    penalise(game, assaults)
    busy = [warrior for warrior, *_ in announced]
    for warrior in order:
        if game.over:
            return
        if warrior not in busy and warrior.alive:
            others(game, warrior)


def announcements(
    game: Game, order: list[Warrior]
) -> list[tuple[Warrior, str, list[int], str | None]]:
    """The exclusive actions, all announced before the first is made (A-5.2)."""
    found: list[tuple[Warrior, str, list[int], str | None]] = []
    while game.choices.next_is("announce"):
        said = game.choices.take("announce", "A-5.2")
        warrior, action, way = game[said["fighter"]], said["action"], said["disengages"]
        must(warrior in order, "A-5.2", f"fighter {warrior.number} is not activated now")
        must(warrior not in [w for w, *_ in found], "A-5.4", f"{warrior.number} acts twice")
        targets = [game[t] for t in said["targets"]]
        check_announced(game, warrior, action, targets, way)
        found.append((warrior, action, said["targets"], way))
        game.tell("announce", **said)
    for warrior in order:
        if warrior.routed and not game.enemies(warrior):
            flees = [action for w, action, *_ in found if w is warrior]
            must(flees == ["flee"], "W-4.3", f"fighter {warrior.number} is in rout and flees")
        elif warrior.thrown and not game.enemies(warrior):
            covers = [action for w, action, *_ in found if w is warrior]
            must(covers == ["under_cover"], "M-6.3", f"fighter {warrior.number} goes to cover")
        warrior.thrown = False
    return found


def check_announced(
    game: Game, warrior: Warrior, action: str, targets: list[Warrior], way: str | None
) -> None:
    """An exclusive action that is legal when it is announced (A-5.2, M-3 to M-6)."""
    who = f"fighter {warrior.number}"
    if warrior.routed or action == "flee":
        must(warrior.routed and action == "flee", "W-4.3", f"{who} flees in rout, and only then")
        return
    past = []
    if way:
        check_clauses(game, warrior, [], "disengage", targets)
        past = ["disengaged"]
    check_clauses(game, warrior, past, action, targets)
    must(bool(targets) == (action in ASSAULTS), "M-4.1", f"{who} names his targets")
    for target in targets:
        foe = target.alive and target.side != warrior.side
        must(foe, "M-4.1", f"{who} cannot assail {target.number}")


def check_clauses(
    game: Game, warrior: Warrior, past: list[str], step: str, targets: list[Warrior]
) -> None:
    """Refuse a step that some clause forbids now."""
    older = game.edition["actions.walk.turning_counts"]
    clauses = sorted(forbidding(older, facts(game, warrior, targets), past, step))
    text = f"fighter {warrior.number}: {step} after {past}"
    must(not clauses, clauses[0] if clauses else "", text)


def facts(game: Game, warrior: Warrior, targets: list[Warrior]) -> set[str]:
    """What is true of a fighter, and of those whom he aims at (`actions.FACTS`)."""
    card, enemies = warrior.card, game.enemies(warrior)
    room = max((card["most"][enemy.number] for enemy in enemies), default=0)
    able = may_try(False, len(enemies), room)  # M-7.1, M-7.6
    seen = [sees(game, warrior, target) for target in targets]
    truths = {
        "free": not enemies,
        "sees_target": bool(seen) and all(seen),
        "target_unseen": bool(seen) and not all(seen),
        "level_0": card["level"] == 0,
        "aim": card["TIR"] is not None,
        "ranged_weapon": card["weapon"] is not None,
        "line_of_sight": bool(seen) and all(seen),
        "caster": bool(card["mystic"]),
        "assaulted": warrior.assaulted,
        "surrounded": bool(enemies) and not able,
    }
    return {fact for fact, holds in truths.items() if holds}


# --- exclusive actions -------------------------------------------------------------------


def exclusive(
    game: Game, warrior: Warrior, action: str, named: list[int], way: str | None
) -> list[Assault]:
    """Make an exclusive action; the assaults that count for penalties (A-5.2, M-5)."""
    past: list[str] = []
    if way and game.enemies(warrior):  # else he who held him is dead, and he is free (M-4.2)
        if not disengages(game, warrior, announced=way):
            return []
        past = ["disengaged"]
    if action not in ASSAULTS:
        if game.choices.next_is("move", fighter=warrior.number, action=action):
            simple_move(game, warrior, action, past)
        if action == "under_cover":
            warrior.markers.add("target")  # M-6.2
        return []
    most = potential(game, warrior, action, past)
    living = [game[t] for t in named if game[t].alive]
    if not living:
        action, assailed = redirect(game, warrior, action, game[named[0]], most)
    elif stands(game, warrior, living, warrior if action == "charge" else None):
        assailed = assault(game, warrior, action, named, most)
    else:
        flee(game, warrior)
        return []
    for target in assailed:
        target.assaulted = True
    charger = warrior if action == "charge" else None
    if charger and assailed:
        warrior.charging = True
    for target in assailed:
        stands(game, target, [warrior], charger)
    on = frozenset(str(target.number) for target in assailed)
    power = warrior.card["power"] + warrior.amount("power_charging", "power_charging")
    return [Assault(0, power, on, action, warrior.has("brutal"))]


def flee(game: Game, warrior: Warrior) -> None:
    """The flight of an assailant who did not stand (W-4.3)."""
    if game.choices.next_is("move", fighter=warrior.number, action="flee"):
        must(not game.enemies(warrior), "W-4.3", f"fighter {warrior.number} is not free to flee")
        simple_move(game, warrior, "flee", [])


def penalise(game: Game, assaults: list[Assault]) -> None:
    """The charge penalties of a speaking turn (M-5)."""
    powers = {
        str(w.number): w.card["power"] + w.amount("power_charged", "power_charged")
        for w in game.warriors
    }
    found = penalised(assaults, powers, game.edition["charge.sharing"])
    hit = [w for w in game.living() if str(w.number) in found and "charged" not in w.markers]
    hit = [w for w in hit if not w.has("steady")]  # W-7
    for warrior in hit:
        warrior.markers.add("charged")
    if hit:
        game.tell("penalties", fighters=[warrior.number for warrior in hit])


def force_left(game: Game, warrior: Warrior) -> int | None:
    """What a test of force is made with, None where there is none (M-7.3)."""
    enemies = game.enemies(warrior)
    larger = all(warrior.card["size"] > enemy.card["size"] for enemy in enemies)
    left = game.current(warrior, "FOR") - max(game.current(e, "RES") for e in enemies)
    return left if larger and left > 0 else None


def disengages(game: Game, warrior: Warrior, announced: str = "") -> bool:
    """A test to disengage (M-7), by the way announced with an engagement while it is possible."""
    way = game.choices.take("disengage", "M-7.1", fighter=warrior.number)["way"]
    enemies, force = game.enemies(warrior), force_left(game, warrior)
    same = announced in ("", way) or force is None
    must(same, "A-5.2", f"fighter {warrior.number} announced {announced}, not {way}")
    value = game.current(warrior, "INI")
    if way == "force":
        must(force is not None, "M-7.3", f"fighter {warrior.number} cannot use force")
        value = force or 0
    edition = game.edition
    needed = disengage_difficulty(
        len(enemies), edition["disengage.difficulty"], edition["disengage.difficulty_per_enemy"]
    )
    if warrior.has("disengages"):  # W-7
        needed = min(needed, warrior.amount("disengages", "disengage_most"))
    tests = "initiative" if way == "agility" else "strength"
    test = test_of(game, warrior, value, tests, warrior, warrior.number, needed)
    success = test.reaches(game, needed)
    game.tell(
        "disengage",
        fighter=warrior.number,
        way=way,
        enemies=len(enemies),
        value=value,
        difficulty=needed,
        result=test.result,
        success=success,
        dice=test.dice,
    )
    if not success:
        warrior.markers.add("defence")  # M-7.5
    return success


# --- cumulative actions ------------------------------------------------------------------


def others(game: Game, warrior: Warrior) -> None:
    """The cumulative actions of a fighter, in the order that its player chose (A-5.3)."""
    past: list[str] = []
    told = len(game.steps)
    while warrior.alive and not game.over and not warrior.routed:
        step = next_step(game, warrior)
        if step is None:
            break
        past.append(step)
        cumulative(game, warrior, past, step)
    if len(game.steps) == told:
        game.tell("nothing", fighter=warrior.number)


def next_step(game: Game, warrior: Warrior) -> str | None:
    """What he does next; None: his player is done with him."""
    i, choices = warrior.number, game.choices
    if choices.next_is("disengage", fighter=i):
        return "disengage"
    if choices.next_is("announce_walk", fighter=i):
        return "announce_walk"
    for action in ("walk", "turn"):
        if choices.next_is("move", fighter=i, action=action):
            return action
    if choices.next_is("shoot", shooter=i) or choices.next_is("throw", shooter=i):
        return "shoot"
    return "mystic" if choices.next_is("cast", fighter=i, outside=False) else None


def cumulative(game: Game, warrior: Warrior, past: list[str], step: str) -> None:
    """Make one of them; the last entry of the past is it."""
    before = past[:-1]
    if step == "shoot":
        shoot(game, warrior, before, check_clauses)
        return
    check_clauses(game, warrior, before, step, [])
    if step == "disengage":
        past[-1] = "disengaged" if disengages(game, warrior) else "failed"
    elif step == "announce_walk":
        game.choices.take("announce_walk", "A-5.5")
        game.tell("announce_walk", fighter=warrior.number)
    elif step == "mystic":
        cast(game, warrior)
    else:
        simple_move(game, warrior, step, before)
