"""The sheet in words: actions, constraints, tests, facts, and its log piece by piece."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ...kernels.layout.sheet import (
    FACTS,
    FROZEN,
    NOBODY,
    Breath,
    Cohesion,
    Deed,
    Event,
    Fact,
    Kind,
    Mark,
    Order,
    Outcome,
    Tag,
    Trial,
)
from ...profiles.message import say, say_all
from ...profiles.sheet.hexes import DIRECTIONS
from .counters import Labels, word

DEEDS: dict[Deed, tuple[str, str]] = {
    Deed.RALLY: (say("rally"), "Ralliement"),
    Deed.FLEE: (say("flee"), "Fuite"),
    Deed.FACE: (say("face"), "Faire Face"),
    Deed.SHOCK: (say("shock combat"), "Combat de Choc"),
    Deed.ATTACK_MOVE: (say("attack move"), "Mouvement d'Attaque"),
    Deed.MOVE: (say("move"), "Mouvement"),
    Deed.WITHDRAW: (say("withdraw"), "Repli"),
    Deed.REST: (say("rest"), "Repos"),
    Deed.REGROUP: (say("regroup"), "Regroupement"),
    Deed.FIRE: (say("fire"), "Tir"),
    Deed.RELOAD: (say("reload"), "Rechargement"),
    Deed.HANDLE: (say("handle"), "Manipulation"),
    Deed.MERGE: (say("merge"), "Fusion"),
    Deed.FORM_CONSTITUTE: (say("constitute a formation"), "Constituer"),
    Deed.FORM_JOIN: (say("join a formation"), "Joindre"),
    Deed.FORM_BREAK: (say("break a formation"), "Briser"),
    Deed.FORM_LEAVE: (say("leave a formation"), "Quitter"),
    Deed.FORM_MODE: (say("change formation mode"), "Changer de Mode"),
    Deed.ORDERS_TROOPS: (say("special orders to troops"), "Distribution d'Ordres Particuliers"),
    Deed.ORDERS_CHARS: (say("special orders to characters"), "Distribution d'Ordres Particuliers"),
    Deed.DUEL_SHOCK: (say("shock duel"), "Duel au Choc"),
    Deed.DUEL_FIRE: (say("fire duel"), "Duel au Tir"),
    Deed.SPELL_CHOOSE: (say("choose a spell"), "Sélection d'un Sort"),
    Deed.SPELL_CAST: (say("cast a spell"), "Lancement de Sort"),
    Deed.CHANGE_ORDER: (say("change the wing's order"), "Changement de Consigne"),
    Deed.TAKE_COMMAND: (say("take command of a wing"), "Prise de Commandement"),
    Deed.RESIGN: (say("resign"), "Démission"),
    Deed.NONE: (say("no action"), "Pas d'Action"),
}
TAGS: dict[Tag, str] = say_all(
    {
        Tag.FREE: "",
        Tag.NOT_ENGAGED_AT_END: "not engaged at its end",
        Tag.STAY_FAR: "stays out of reach",
        Tag.CAN_FIRE_AT_END: "can fire at its end",
        Tag.NO_ENGAGE: "engages nobody",
        Tag.AWAY_FROM_NEAREST_THREAT: "away from the nearest threat",
        Tag.TO_RETREAT_EDGE: "to the edge of retreat",
        Tag.STAY_UNSEEN: "stays unseen",
    }
)
TESTS: dict[Trial, str] = say_all(
    {
        Trial.ROUT: "Rout test (Déroute)",
        Trial.MORALE: "Morale test (Moral)",
        Trial.ENGAGEMENT: "Engagement test",
        Trial.DISCIPLINE: "Discipline test",
        Trial.RALLY: "Rally (Ralliement)",
        Trial.RETREAT: "Retreat test (Retraite)",
        Trial.DEMORALISATION: "Demoralisation test (Démoralisation)",
    }
)
OR_FLEES = say("if it fails, it must flee")  # a rally by A1
FACT_WORDS: dict[Fact, tuple[str, str]] = say_all(
    {
        Fact.SIMPLE: ("is a Simple unit", "is no Simple unit"),
        Fact.FORMATION: ("is a Formation", "is no Formation"),
        Fact.CHARACTER: ("is a Character", "is no Character"),
        Fact.DECOY: ("is a decoy", "is no decoy"),
        Fact.SHAKEN: ("is Shaken", "is not Shaken"),
        Fact.ROUTED: ("is Routed", "is not Routed"),
        Fact.TIRED: ("is winded or exhausted", "is fresh"),
        Fact.EXHAUSTED: ("is exhausted", "is not exhausted"),
        Fact.CHARGE: ("has a Charge marker", "has no Charge marker"),
        Fact.SPECIAL: ("has a special order", "has no special order"),
        Fact.ELITE: ("is Elite", "is not Elite"),
        Fact.DODGE: ("can dodge", "cannot dodge"),
        Fact.ENGAGED: ("is engaged", "is not engaged"),
        Fact.ENGAGES: ("engages an enemy", "engages nobody"),
        Fact.ANY_FRESH_BY: ("a fresh enemy engages it", "no fresh enemy engages it"),
        Fact.ALL_FRESH_BY: ("all who engage it are fresh", "not all who engage it are fresh"),
        Fact.ALL_FRESH_TO: ("all whom it engages are fresh", "not all whom it engages are fresh"),
        Fact.NO_FRESH_TO: ("none whom it engages is fresh", "not (engages, and none fresh)"),
        Fact.FACES: ("faces one who engages it", "faces nobody who engages it"),
        Fact.CAN_FACE: ("can turn to face", "cannot turn to face"),
        Fact.STACKED: ("is stacked with a Troop", "is not stacked with a Troop"),
        Fact.FAR: ("is out of reach", "is within an enemy's reach"),
        Fact.CAN_FIRE: ("has a target", "has no target"),
        Fact.AMMO_OUT: ("is out of ammunition", "has ammunition"),
        Fact.FOLLOWS_ATTACK: ("follows Attack", "does not follow Attack"),
        Fact.FOLLOWS_DEFENCE: ("follows Defence", "does not follow Defence"),
        Fact.FOLLOWS_REGROUP: ("follows Regroup", "does not follow Regroup"),
        Fact.FOLLOWS_RETREAT: ("follows Retreat", "does not follow Retreat"),
        Fact.LEADER: ("leads a wing", "leads no wing"),
        Fact.CIC: ("is commander-in-chief", "is not commander-in-chief"),
        Fact.IN_COMMAND: ("has a command", "has no command"),
        Fact.SPELL_CHOSEN: ("has chosen a spell", "has chosen no spell"),
        Fact.FREE_WING: ("a wing has no leader", "every wing has a leader"),
        Fact.DUEL_SHOCK: ("an enemy character is adjacent", "no enemy character is adjacent"),
        Fact.DUEL_FIRE: ("an enemy character is in range", "no enemy character is in range"),
    }
)


Entry = tuple[int, int, int, int]  # event, piece or wing, two numbers
_COHESION = {
    Cohesion.GOOD: say("in good order"),
    Cohesion.SHAKEN: "shaken",
    Cohesion.ROUTED: "routed",
}


def misses(word: int, need: int, value: int) -> list[str]:
    """Return, in words, what keeps facts from matching: how the piece is instead."""
    found = []
    for number in range(FACTS):
        bit = 1 << number
        if need & bit and (word & bit) != (value & bit):
            found.append(FACT_WORDS[Fact(number)][not word & bit])
    return found


def entries_of(record: np.void) -> list[Entry]:
    """Return the log of a record that has been told."""
    return [(e, who, a, b) for e, who, a, b in record["log"][: record["logged"]].tolist()]


def lines_of(log: Sequence[Entry], labels: Labels) -> list[str]:
    """Return a log as lines; the steps of a way are one line."""
    return list(_lines(log, labels))


def _lines(log: Sequence[Entry], labels: Labels) -> Iterator[str]:
    place = 0
    while place < len(log):
        event, who, a, b = log[place]
        place += 1
        if event != Event.MOVED:
            yield line_of((event, who, a, b), labels)
            continue
        way = [a, b]
        while place < len(log) and log[place][:2] == (Event.MOVED, who):
            way.append(log[place][3])
            place += 1
        name, path = labels.piece(who), " → ".join(hex_text(at, labels) for at in way)
        yield say("{}: goes along {}", name, path)


def hex_text(at: int, labels: Labels) -> str:
    """Return a hex as in a situation: column and row."""
    row, column = divmod(at, labels.columns)
    return f"{column},{row}"


def line_of(entry: Entry, labels: Labels) -> str:
    """Return what one row of the log says."""
    event, who, a, b = entry
    if event in (Event.WING_TEST, Event.ORDER, Event.LEADER):
        return _of_wing(Event(event), labels.wings[who], a, b, labels)
    return _of_piece(Event(event), labels.piece(who), a, b, labels)


def _of_wing(event: Event, wing: str, a: int, b: int, labels: Labels) -> str:
    if event == Event.WING_TEST:
        return say("wing {}: {}, {}", wing, TESTS[Trial(a)], _fate(b))
    if event == Event.ORDER:
        return say("wing {}: order now {} (was {})", wing, word(Order(b)), word(Order(a)))
    if a == NOBODY:
        return say("wing {}: no leader any more", wing)
    return say("wing {}: now led by {}", wing, labels.piece(a))


def _of_piece(event: Event, name: str, a: int, b: int, labels: Labels) -> str:
    match event:
        case Event.TEST:
            return say("{}: {}, {}", name, TESTS[Trial(a)], _fate(b))
        case Event.COHESION:
            return say("{}: now {} (was {})", name, _COHESION[Cohesion(b)], _COHESION[Cohesion(a)])
        case Event.BREATH:
            return say("{}: now {} (was {})", name, word(Breath(b)), word(Breath(a)))
        case Event.MARK_LOST:
            return say("{}: marker lost: {}", name, word(Mark(a)))
        case Event.MARK_GAINED:
            return say("{}: marker gained: {}", name, word(Mark(a)))
        case Event.CHOSEN:
            clause = "S2c" if b == FROZEN else f"A{b}" if b else "F0"
            return say("{}: activated ({}): {}", name, clause, DEEDS[Deed(a)][0])
        case Event.TURNED:
            return say("{}: turned to {}", name, DIRECTIONS[b])
        case Event.DESTROYED:
            return say("{} is destroyed", name)
        case Event.LEFT:
            return say("{}: off the map", name)
        case Event.REVEALED:
            return say("{} is revealed", name)
        case Event.REMOVED:
            return say("{}: a decoy, removed", name)
        case Event.PLACED:
            return say("{}: placed in the hex of {}", name, labels.piece(a))
        case Event.OUTCOME:
            return say("{}: {}, row {} of its outcomes", name, word(Outcome(a)), b + 1)
        case Event.MERGED:
            return say("{}: merged with {}", name, labels.piece(a))
        case Event.KIND:
            return say("{}: now of the kind {}", name, word(Kind(b)))
        case Event.FORMATION_MODE:
            return say("{}: formation mode changed", name)
        case Event.STEP:
            return say("{}: a step lost, {} left", name, a)
        case _:
            raise AssertionError(f"{event!r} is not a piece's")


def _fate(failed: Any) -> str:
    return "failed" if failed else "passed"
