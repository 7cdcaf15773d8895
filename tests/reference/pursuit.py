"""A combat, the pursuits after it and the combats that they cause (C-8)."""

from __future__ import annotations

from reference.clash import Clash, Combat, separation
from reference.decisions import must
from reference.field import Game, Warrior
from reference.fight import fight
from reference.melees import melees
from reference.travel import go, potential, report


def resolve(clash: Clash, combat: Combat, cause: str) -> None:
    """One combat, and all that its pursuits cause (C-2.3, C-8)."""
    game = clash.game
    clash.combats.remove(combat)
    game.tell("combat", side=clash.speaker, fighters=combat, cause=cause, chooser=clash.speaker)
    fight(game, [game[i] for i in combat], clash.speaker)
    for i in combat:
        game[i].fought = True
    pursue(clash, combat)


def pursue(clash: Clash, combat: Combat) -> None:
    """What the survivors of a combat do, one side of which is dead (C-8.1)."""
    game = clash.game
    for side in (0, 1):
        fallen = [game[i] for i in combat if game[i].side == side]
        survivors = [game[i] for i in combat if game[i].side != side and game[i].alive]
        if game.over or not survivors or any(w.alive for w in fallen):
            continue
        free = [w for w in survivors if not w.routed and not w.pursued]
        while free:
            free.remove(decide(game, free))
        again(clash, survivors)


def decide(game: Game, able: list[Warrior]) -> Warrior:
    """The next survivor stays or moves (C-8.1, C-8.2)."""
    said = game.choices.take("pursuit", "C-8.1")
    warrior, choice = game[said["fighter"]], said["choice"]
    must(warrior in able, "C-8.1", f"fighter {warrior.number} may not pursue")
    must(choice in ("stay", "move", "engage"), "C-8.1", f"{choice} is no choice")
    game.tell("pursuit", fighter=warrior.number, choice=choice)
    if choice == "stay":
        return warrior
    warrior.pursued = True
    most = potential(game, warrior, "pursue", [])
    cells = go(game, warrior, "pursue", most)
    touched = [enemy.number for enemy in game.enemies(warrior)]
    if choice == "engage":
        hit = bool(cells["targets"]) and set(cells["targets"]) <= set(touched)
        must(hit, "C-8.1", f"fighter {warrior.number} does not reach {cells['targets']}")
    else:
        must(not cells["targets"], "C-8.1", f"fighter {warrior.number} engages nobody")
    report(game, warrior, "pursue", cells, cells["targets"])
    return warrior


def again(clash: Clash, survivors: list[Warrior]) -> None:
    """Combats with enemies who have not fought are resolved at once (C-8.3 to C-8.5)."""
    game = clash.game
    due = [w for w in survivors if unfought(game, w)]
    for warrior in due:
        warrior.fought = False
    join_all(clash, due)
    while True:
        ready = [
            combat for combat in clash.combats if any(w.alive and w.number in combat for w in due)
        ]
        if not ready or game.over:
            return
        resolve(clash, ready[0], "pursuit")


def unfought(game: Game, warrior: Warrior) -> list[Warrior]:
    """The enemies whom he touches who have not fought in this phase."""
    return [enemy for enemy in game.enemies(warrior) if not enemy.fought]


def join_all(clash: Clash, due: list[Warrior]) -> None:
    """Each takes part in the combat of his one enemy, or all is separated anew (C-8.4)."""
    for warrior in due:
        if any(warrior.number in combat for combat in clash.combats):
            continue  # a new separation has given him one
        foes = unfought(clash.game, warrior)
        if len(foes) != 1 or not join(clash, warrior, foes[0]):
            separate_anew(clash, warrior, due)


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
    clash.combats.append([w, e])
    return True


def separate_anew(clash: Clash, warrior: Warrior, due: list[Warrior]) -> None:
    """The pursuer's player separates those who have not fought, chained to him (C-8.4)."""
    game = clash.game
    waiting = [w for w in game.living() if not w.fought or w in due]
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
