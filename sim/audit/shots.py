"""Shots, throws to cover, mystic actions and wounds of a transcript (W-2, W-6, A-5.5, A-5.6)."""

from dataclasses import dataclass
from typing import NamedTuple

from ...profiles.message import say_n
from .book import words_of
from .dice import check_test
from .fighters import Fighter, Mystic, Weapon
from .geometry import TOUCH, gap, within
from .ledger import Ledger
from .steps import Cast, Effect, Feat, Shoot, Throw, Wound

_BANDS = ("short", "medium", "long")
_WORSE = ("light", "serious", "critical", "killed")


@dataclass
class Past:
    """What a fighter has done in its activation."""

    walked: bool = False
    moved: bool = False  # turning counts
    announced: bool = False
    shots: int = 0
    disengaged: bool | None = None  # None: not tried


class Blow(NamedTuple):
    """What a wound roll comes of: its FOR, all that is added included, and how many dice (W-7)."""

    strength: int
    still: bool = False  # whether the shooter did not move (W-6)
    weapon: str = "melee"
    dice: int = 2


def read_wound(ledger: Ledger, striker: Fighter, target: Fighter, blow: Blow) -> bool:
    """Check a wound roll and give the target its new state (W-2, W-3, W-7).

    Returns
    -------
    bool
        Whether the roll was made: a die of the target may cancel it.
    """
    if target.has("survival") and _survives(ledger, striker, target):
        return False
    poison, check = ledger.accept_feat("toxic", striker), ledger.check
    coming, after = ledger.after_feats(Wound), ""
    if coming is not None:
        after = ledger.suffer(target, ledger.book.after(target.state, coming.outcome), striker)
    data = ledger.take(Wound, "C-6.5")
    right = data.striker is striker and data.target is target
    check(right, "C-6.5", "the wound roll is that of {} on {}", striker, target)
    strength, resistance = blow.strength, ledger.value(target, "RES")
    check(
        data.strength == strength,
        "W-2.1",
        "{} strikes {} with FOR {}, not {}",
        striker,
        target,
        strength,
        data.strength,
    )
    right = data.resistance == resistance
    check(right, "W-2.1", "{} has RES {}, not {}", target, resistance, data.resistance)
    check(
        data.still == blow.still,
        "W-6",
        "{} did not move" if blow.still else "{} gets no bonus for not moving",
        striker,
    )
    values = sorted(die.value for die in data.dice)
    right = len(values) == blow.dice and all(1 <= value <= 6 for value in values)
    own = all(die.roller is striker for die in data.dice)
    if check(
        right and own,
        "W-1.6",
        say_n(
            "{1} rolls {0} die for the wound, and none again",
            "{1} rolls {0} dice for the wound, and none again",
            blow.dice,
            striker,
        ),
    ):
        low, high = values[-2:]
        outcome = _outcome(ledger, data, striker, target, (low, high), blow.weapon)
        outcome = _poisoned(ledger, poison, striker, target, outcome)
        check(
            data.outcome == outcome,
            "W-2.1",
            "{}: dice {} and {} give {}, not {}",
            target,
            low,
            high,
            outcome,
            data.outcome,
        )
    states = words_of(after), data.outcome, words_of(data.state)
    check(data.state == after, "W-3.1", "{} is {} after {}, not {}", target, *states)
    ledger.set_state(target, data.state)
    return True


def _survives(ledger: Ledger, striker: Fighter, target: Fighter) -> bool:
    """Check the die of a target that may cancel the wound roll (W-7); whether it does."""
    data = ledger.accept_feat("survival", target)
    if data is None:
        ledger.breach_next("W-7", "{} rolls no die before the wound roll", target)
        return False
    die = _one_die(ledger, data, target)
    ledger.check(data.against is striker, "W-7", "{} has hit {}", striker, target)
    saved = die >= target.amount("survival_die")
    right = (data.x, data.y) == (die, int(saved))
    ledger.check(right, "W-7", "{} saved" if saved else "{} not saved", target)
    return bool(data.y)


def _one_die(ledger: Ledger, data: Feat, roller: Fighter) -> int:
    dice = data.dice
    right = len(dice) == 1 and dice[0].roller is roller and 1 <= dice[0].value <= 6
    ledger.check(right, "W-7", "{} rolls one die", roller)
    return dice[0].value if dice else 0


def _outcome(
    ledger: Ledger,
    data: Wound,
    striker: Fighter,
    target: Fighter,
    dice: tuple[int, int],
    weapon: str,
) -> str:
    """Return what two dice come to before poison, in the order of W-7."""
    lower = min(dice)
    if dice[0] == dice[1]:
        if target.has("ignore_doubles"):
            return "nothing"
        six = lower == 6 and ledger.rule["wounds.double_six_kills"]
        if six or weapon in striker.words("kill_weapons"):
            return "killed"
    if lower in target.words("ignored_locations"):
        return "nothing"
    lines = ledger.rule["shooting.still_lines"] if data.still else 0
    if target.number in striker.card.banes:
        lines += striker.amount("bane_rows")
    else:
        lines -= target.amount("tough_rows")
    outcome = ledger.book.outcome(dice, data.strength - data.resistance, lines)
    if weapon == "melee":
        outcome = striker.card.dealt.get(outcome, outcome)
    return target.card.suffered.get(outcome, outcome)


def _poisoned(
    ledger: Ledger, poison: Feat | None, striker: Fighter, target: Fighter, outcome: str
) -> str:
    """Check poison (W-7); the outcome after it."""
    due = striker.has("toxic") and not target.has("immune_toxic") and outcome in _WORSE[:3]
    ledger.check((poison is not None) == due, "W-7", "{}: a die of poison, or none", striker)
    if poison is None or not due:
        return outcome
    die = _one_die(ledger, poison, striker)
    worse = 2 if die <= striker.amount("toxic_twice") else 1
    right = (poison.x, poison.y) == (die, worse) and poison.against is target
    if not right:
        values = worse, striker, die
        ledger.breach(
            "W-7",
            say_n("poison of {1}: {2}, so {0} worse", "poison of {1}: {2}, so {0} worse", *values),
        )
    return _WORSE[min(_WORSE.index(outcome) + worse, len(_WORSE) - 1)]


def read_shot(ledger: Ledger, shooter: Fighter, past: Past) -> None:
    """Check a shot and all that follows from it (A-5.5, W-6), and add it to what was done."""
    thrown, check = _read_throw(ledger, shooter), ledger.check
    data = ledger.take(Shoot, "A-5.5")
    target = data.target
    if thrown is not None:
        check(thrown is target, "M-6.3", "{} is not shot at by {}", thrown, shooter)
    _check_may_shoot(ledger, shooter, target, past)
    past.shots += 1
    away = past.disengaged and ledger.rule["actions.shoot.disengaged_moved"]
    moved = past.moved or bool(away)
    check(
        data.moved == moved,
        "A-5.5",
        "{} has moved before its shot" if moved else "{} has not moved before its shot",
        shooter,
    )
    _check_difficulty(ledger, data, shooter, thrown is not None)
    value = ledger.value(shooter, "TIR")
    check(data.value == value, "W-6", "{} shoots with TIR {}, not {}", shooter, value, data.value)
    if check_test(ledger, data, data.hit, shooter, "shot"):
        weapon = shooter.card.weapon or Weapon()
        still = not moved and not past.announced and ledger.rule["actions.shoot.still_bonus"]
        read_wound(ledger, shooter, target, Blow(weapon.strength, bool(still), "ranged"))


def _read_throw(ledger: Ledger, shooter: Fighter) -> Fighter | None:
    """Check a throw to cover (M-6.3); who throws itself, if anybody."""
    data, check = ledger.accept(Throw), ledger.check
    if data is None:
        return None
    who = data.fighter
    check(data.shooter is shooter, "M-6.3", "{}: the shooter is another one", who)
    check(who.alive, "M-6.3", "{} is dead", who)
    check(who.side != shooter.side, "M-6.3", "{} is a friend of {}", who, shooter)
    check(not who.activated, "M-6.3", "{} has been activated already", who)
    check(ledger.free(who), "M-6.3", "{} touches an enemy", who)
    check(not who.routed, "W-4.3", "{} is in rout", who)
    if "level_0" in ledger.rule["cover.throw_needs"]:
        check(who.card.level == 0, "M-6.3", "{} is not at level 0", who)
    who.thrown = True
    return who


def _check_may_shoot(ledger: Ledger, shooter: Fighter, target: Fighter, past: Past) -> None:
    card, check = shooter.card, ledger.check
    able = card.TIR is not None and card.weapon is not None
    check(able, "A-5.5", "{} cannot shoot", shooter)
    check(not shooter.routed, "W-4.3", "{} is in rout and shoots", shooter)
    free = ledger.free(shooter) or past.disengaged
    check(free, "A-5.5", "{} touches an enemy: it cannot shoot", shooter)
    times = ledger.rule["actions.shoot.times"]
    check(not times or past.shots < times, "A-5.5", "{} shoots a second time", shooter)
    enemy = target.alive and target.side != shooter.side
    if check(enemy, "A-5.5", "{} is no living enemy of {}", target, shooter):
        check(ledger.sees(shooter, target), "A-5.5", "{} does not see {}", shooter, target)
        into = ledger.rule.get("shooting.into_melee", False)
        friends = [f for f in ledger.contacts(target) if f is not shooter]
        right = into or not friends
        check(right, "A-5.5", "{} touches a friend of {}: no shot at it", target, shooter)


def _check_difficulty(ledger: Ledger, data: Shoot, shooter: Fighter, thrown: bool) -> None:
    rule, check, target = ledger.rule, ledger.check, data.target
    distance = ledger.distance(shooter, target)
    check(
        abs(data.distance - distance) <= TOUCH,
        "M-1.1",
        "{} is {:.2f} cm from {}, not {:.2f}",
        target,
        distance,
        shooter,
        data.distance,
    )
    ranges = (shooter.card.weapon or Weapon()).ranges
    bands = [band for band, reach in enumerate(ranges) if reach and within(distance, reach)]
    if not check(bands, "W-6", "{} is out of range of {}", target, shooter):
        return
    if not check(
        data.band == bands[0], "W-6", "{} is at {} range of {}", target, _BANDS[bands[0]], shooter
    ):
        return
    cover = rule["cover.target"]
    steady = cover if "target" in target.markers else 0
    hard = target.amount("aim_difficulty")  # W-7
    allowed = {cover + hard, cover + steady + hard} if thrown else {steady + hard}
    right = data.cover in allowed
    check(right, "M-6.2", "{} has Target/+{}, not +{}", target, max(allowed), data.cover)
    difficulty = rule[f"shooting.{_BANDS[data.band]}"] + data.cover
    difficulty += rule["shooting.moved"] if data.moved else 0
    right = data.difficulty == difficulty
    check(right, "W-6", "the difficulty of {} is {}, not {}", shooter, difficulty, data.difficulty)


def read_cast(ledger: Ledger, caster: Fighter | None = None) -> None:
    """Check a mystic action and its effect (A-5.6); ``caster`` where it is activated."""
    data, check = ledger.take(Cast, "A-5.6"), ledger.check
    who, mystics = data.fighter, ledger.header.mystics
    known = data.mystic in who.card.mystic and 0 <= data.mystic < len(mystics)
    if not check(known, "A-5.6", "{} knows no mystic action {}", who, data.mystic):
        return
    mystic = mystics[data.mystic]
    spell = mystic.name
    check(who.alive, "A-5.6", "{} is dead and casts {}", who, spell)
    within_activation = caster is not None or mystic.outside
    check(within_activation, "A-5.6", "{} casts {} outside its activation", who, spell)
    right = not who.exclusive or mystic.outside
    check(right, "A-5.4", "{} has made an exclusive action and casts {}", who, spell)
    who.casts[data.mystic] += 1
    often = mystic.times and who.casts[data.mystic] > mystic.times
    check(not often, "A-5.6", "{} casts {} too often in a turn", who, spell)
    _check_cast_target(ledger, data, mystic)
    _pay(ledger, data, mystic)
    rank = who.card.rank or 0
    check(data.value == rank, "A-5.6", "{} casts with its rank, {}", who, rank)
    right = data.difficulty == mystic.difficulty
    check(right, "A-5.6", "the difficulty of {} is {}", spell, mystic.difficulty)
    if check_test(ledger, data, data.success, who, ""):
        _read_effect(ledger, data, mystic)


def _check_cast_target(ledger: Ledger, data: Cast, mystic: Mystic) -> None:
    who, target, check, spell = data.fighter, data.target, ledger.check, mystic.name
    if target is None:
        ledger.breach("A-5.6", "{} casts {} at nobody", who, spell)
        return
    check(target.alive, "A-5.6", "{} casts {} at {}, who is dead", who, spell, target)
    right = (target.side == who.side) == mystic.friend
    check(
        right,
        "A-5.6",
        "{} is cast at a friend" if mystic.friend else "{} is cast at an enemy",
        spell,
    )
    if target is not who:
        far = min(ledger.distance(who, target), max(gap(who.shape, target.shape), 0.0))
        check(within(far, mystic.range), "A-5.6", "{} is out of range of {}", target, who)
        seen = not mystic.sight or ledger.sees(who, target)
        check(seen, "A-5.6", "{} does not see {}", who, target)


def _pay(ledger: Ledger, data: Cast, mystic: Mystic) -> None:
    who = data.fighter
    left = ((who.faith if mystic.in_faith else who.mana) or 0) - mystic.cost
    ledger.check(left >= 0, "A-5.6", "{} cannot pay for {}", who, mystic.name)
    ledger.check(data.held == left, "A-5.6", "{} has {} left, not {}", who, left, data.held)
    if mystic.in_faith:
        who.faith = data.held
    else:
        who.mana = data.held


def _read_effect(ledger: Ledger, cast: Cast, mystic: Mystic) -> None:
    target, book, check = cast.target or ledger.fighters[0], ledger.book, ledger.check
    before = target.state
    if mystic.kind == "heal":
        after = book.with_levels(before, -mystic.levels)
    else:
        after = book.with_levels(book.after(before, mystic.outcome), mystic.levels)
    after = ledger.suffer(target, after, cast.fighter)
    data = ledger.take(Effect, "A-5.6")
    who = data.fighter
    check(who is cast.target, "A-5.6", "{} is not the one aimed at", who)
    check(data.mystic == cast.mystic, "A-5.6", "{} suffers another effect", who)
    ledger.check_state("W-3.1", who, before, data.before)
    check(data.after == after, "W-3.1", "{} is {} after {}", who, words_of(after), mystic.name)
    ledger.set_state(target, data.after)
