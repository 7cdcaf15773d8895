"""A combat, the pursuits after it and the combats that they cause (C-8)."""

from __future__ import annotations

from reference.clash import Clash, Combat, separation
from reference.decisions import must
from reference.field import TOUCH, Game, Warrior, away
from reference.fight import fight
from reference.melees import melees
from reference.nerve import stands
from reference.travel import go, potential, report


def speak(clash: Clash, combat: Combat) -> None:
    """A combat, and all that its pursuits cause, in the speaker's order (C-2.3, C-8.4)."""
    game = clash.game
    resolve(clash, combat, "chosen")
    while not game.over:
        ready = [combat for combat in clash.combats if clash.due & set(combat)]
        if not ready:
            return
        chosen = game.choices.take("combat", "C-8.4")["fighters"]
        alike = [c for c in ready if sorted(c) == sorted(chosen) and c[0] == chosen[0]]
        must(bool(alike), "C-8.3", f"{chosen} is none of the combats that follow, {ready}")
        clash.combats[clash.combats.index(alike[0])] = chosen
        resolve(clash, chosen, "pursuit")


def resolve(clash: Clash, combat: Combat, cause: str) -> None:
    """Fight one combat; who survives may pursue (C-8.1)."""
    game = clash.game
    clash.combats.remove(combat)
    clash.due -= set(combat)
    game.tell("combat", side=clash.speaker, fighters=combat, cause=cause, chooser=clash.speaker)
    fight(game, [game[i] for i in combat], clash.speaker)
    for i in combat:
        game[i].fought, game[i].charging = True, False
    for side in (0, 1):
        fallen = [game[i] for i in combat if game[i].side == side]
        survivors = [game[i] for i in sorted(combat) if game[i].side != side and game[i].alive]
        if survivors and not game.over and not any(w.alive for w in fallen):
            pursue(game, survivors)
            again(clash, survivors)


def pursue(game: Game, survivors: list[Warrior]) -> None:
    """All survivors stay or move, one by one, before any combat follows (C-8.1)."""
    left = list(survivors)
    while left:
        left.remove(decide(game, left))


def decide(game: Game, left: list[Warrior]) -> Warrior:
    """The next survivor stays or moves; in rout, or a second time, he can only stay (C-8.1)."""
    said = game.choices.take("pursuit", "C-8.1")
    warrior, choice = game[said["fighter"]], said["choice"]
    must(warrior in left, "C-8.1", f"fighter {warrior.number} is no survivor")
    most = 1 + warrior.amount("pursuits", "extra_pursuits")  # W-7
    able = choice == "stay" or not (warrior.routed or warrior.pursued >= most)
    must(able, "C-8.1", f"fighter {warrior.number} may not pursue")
    must(choice in ("stay", "move", "engage"), "C-8.1", f"{choice} is no choice")
    game.tell("pursuit", fighter=warrior.number, choice=choice)
    if choice == "stay":
        return warrior
    warrior.pursued += 1
    if choice == "move":
        step_off(game, warrior)
        return warrior
    must(said["then"] is not None, "C-8.1", f"fighter {warrior.number} engages somebody")
    target = game[said["then"]]
    foe = target.alive and target.side != warrior.side
    must(foe, "C-8.1", f"fighter {warrior.number} cannot engage {target.number}")
    if stands(game, warrior, [target]):
        engage(game, warrior, target)
    return warrior


def step_off(game: Game, warrior: Warrior) -> None:
    """A pursuit move that engages nobody (C-8.1)."""
    cells = go(game, warrior, "pursue", potential(game, warrior, "pursue", []))
    report(game, warrior, "pursue", cells, [])


def engage(game: Game, warrior: Warrior, target: Warrior) -> None:
    """A pursuit move to an enemy; all whom he comes to touch test Courage (C-8.1, W-4.1)."""
    before = [enemy for enemy in game.enemies(warrior) if enemy is not target]
    cells = go(game, warrior, "pursue", potential(game, warrior, "pursue", []))
    reached = cells["targets"] == [target.number] and target in game.enemies(warrior)
    must(reached, "C-8.1", f"fighter {warrior.number} does not reach {target.number}")
    placed = abs(away(warrior.at, target)) <= TOUCH
    must(placed, "M-4.3", f"the aim point of fighter {warrior.number} touches no target")
    report(game, warrior, "pursue", cells, [target.number])
    for enemy in game.enemies(warrior):
        if enemy not in before:
            stands(game, enemy, [warrior])


def again(clash: Clash, survivors: list[Warrior]) -> None:
    """Who touches an enemy who has not fought fights again, at once (C-8.3 to C-8.5)."""
    due = [w for w in survivors if unfought(clash.game, w)]
    for warrior in due:
        warrior.fought = False
        clash.due.add(warrior.number)
    for warrior in due:
        if any(warrior.number in combat for combat in clash.combats):
            continue  # a new separation has given him one
        foes = unfought(clash.game, warrior)
        if len(foes) != 1 or not join(clash, warrior, foes[0]):
            separate_anew(clash, warrior)


def unfought(game: Game, warrior: Warrior) -> list[Warrior]:
    """The enemies whom he touches who have not fought in this phase."""
    return [enemy for enemy in game.enemies(warrior) if not enemy.fought]


def join(clash: Clash, warrior: Warrior, enemy: Warrior) -> bool:
    """Join the combat of an enemy where that stays one against several (C-1.2, C-8.3)."""
    w, e = warrior.number, enemy.number
    for place, combat in enumerate(clash.combats):
        if e not in combat:
            continue
        if combat[0] == e:
            clash.combats[place] = [*combat, w]
        elif len(combat) == 2:
            clash.combats[place] = [e, combat[0], w]
        else:
            return False
        return True
    clash.combats.append(sorted([w, e], key=lambda i: clash.game[i].side))
    return True


def separate_anew(clash: Clash, warrior: Warrior) -> None:
    """The pursuer's player separates those who have not fought, chained to him (C-8.4)."""
    game = clash.game
    waiting = [w for w in game.living() if not w.fought]
    contacts = clash.contacts(waiting)
    melee = next(m for m in melees(clash.side, contacts) if warrior.number in m)
    clash.combats = [combat for combat in clash.combats if not melee & set(combat)]
    combats = separation(clash, sorted(melee), contacts)
    game.tell(
        "separation",
        melee=-1,
        side=warrior.side,
        combats=combats,
        cause="pursuit",
        by=warrior.number,
    )
    clash.combats += combats
