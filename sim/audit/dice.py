"""Tests in a transcript: chains of re-rolled sixes, results, opposed tests (W-1)."""

from collections.abc import Sequence
from typing import NamedTuple

from .ledger import SIDES, Data, Fighter, Ledger

_FAILED = float("-inf")  # below any result: a test that a rule failed

_TIE_RULES = {
    "tactics": ("tactics.tie", "T-2.4"),
    "separation": ("melee.discipline_tie", "C-1.4"),
    "authority": ("melee.discipline_tie", "C-2.1"),
    "initiative": ("tests.opposed_tie", "C-4.3"),
}


class Tested(NamedTuple):
    """A die with its re-rolls; ``failed``: by a rule, whatever the characteristic (W-1.3)."""

    natural: int
    failed: bool


def open_dice(fighter: Fighter, test: str) -> tuple[int, ...]:
    """Return which dice a fighter may re-roll in a test: 6s, by abilities 5s, or none (W-7).

    ``test`` is a word of kernels' `layout.abilities.Roll`, or "" for one that no ability touches.
    """
    if test and fighter.has("no_rerolls"):
        return ()
    return (5, 6) if test in fighter.words("open_rolls") else (6,)


def chain_of(
    ledger: Ledger, dice: Sequence[Sequence[int]], who: str, faces: tuple[int, ...]
) -> Tested:
    """Return what one die and its re-rolls come to, in the order rolled (W-1.2)."""
    values = [die[1] for die in dice]
    for value in values:
        ledger.check(1 <= value <= 6, "W-1.1", f"{who}: a die shows {value}")
    ledger.check(
        [die[2] for die in dice] == list(range(len(dice))),
        "W-1.2",
        f"{who}: the dice of one chain are not numbered one after the other",
    )
    for value in values[:-1]:
        right = " or a ".join(map(str, faces)) or "nothing"
        text = f"{who} re-rolls a {value}; only a {right} may be re-rolled"
        ledger.check(value in faces, "W-1.2", text)
    rule = ledger.rule
    if len(values) > 1 and values[-1] == 1 and rule["tests.reroll_one"] != "add":
        return Tested(1, rule["tests.reroll_one"] == "fail")
    return Tested(sum(values), values == [1] and rule["tests.natural_one_fails"])


def one_die(ledger: Ledger, dice: Sequence[Sequence[int]], roller: int, test: str) -> Tested:
    """Return what the test of one fighter with one die comes to."""
    who = ledger.name(roller)
    if not ledger.check(bool(dice), "W-1.1", f"{who}: a test without a die"):
        return Tested(0, True)
    strangers = [die[0] for die in dice if die[0] != roller]
    ledger.check(not strangers, "W-1.1", f"{ledger.name(strangers)} rolls dice of {who}'s test")
    return chain_of(ledger, dice, who, open_dice(ledger.fighters[roller], test))


def many_dice(ledger: Ledger, dice: Sequence[Sequence[int]], roller: int, count: int) -> Tested:
    """Return the best of several dice, each with its re-rolls (W-1.4, C-6.4)."""
    who = ledger.name(roller)
    places: dict[int, list[Sequence[int]]] = {}
    for die in dice:
        places.setdefault(die[3] if len(die) > 3 else 0, []).append(die)
    ledger.check(
        len(places) == count, "C-6.4", f"{who} rolls {len(places)} dice, but committed {count}"
    )
    faces = open_dice(ledger.fighters[roller], "defence")
    chains = [chain_of(ledger, rolled, who, faces) for rolled in places.values()]
    again = sum(len(rolled) > 1 for rolled in places.values())
    one = ledger.rule["tests.many_dice"] == "one_chain"
    ledger.check(not one or again < 2, "W-1.4", f"{who} re-rolls more than one 6")
    strangers = [die[0] for die in dice if die[0] != roller]
    ledger.check(not strangers, "W-1.1", f"{ledger.name(strangers)} rolls dice of {who}'s test")
    sound = [chain for chain in chains if not chain.failed]
    return max(sound, default=Tested(0, True))


def passes(ledger: Ledger, tested: Tested, value: int, difficulty: int) -> bool:
    """Whether a test is passed (W-1.1, W-1.3)."""
    result = tested.natural + value
    enough = result >= difficulty and result > ledger.rule["tests.automatic_failure"]
    return enough and not tested.failed


def use_luck(ledger: Ledger, data: Data, who: int) -> None:
    """Check that a fighter may roll a test again, and take his luck (W-7)."""
    fighter = ledger.fighters[who]
    ledger.check(
        data["fighter"] == who and fighter.luck > 0,
        "W-7",
        f"{fighter.label} has no luck to roll this test again",
    )
    fighter.luck -= 1


def check_luck(ledger: Ledger, data: Data, who: int, test: str) -> None:
    """Check that a test that was rolled again had failed (W-7); told is its natural result."""
    for k, luck in enumerate(ledger.take_lucks()):
        use_luck(ledger, luck, who)
        name = ledger.name(who)
        ledger.check(k == 0, "W-7", f"{name} rolls a test again twice")
        first = one_die(ledger, luck["dice"], who, test)
        said = first.failed or luck["y"] == first.natural
        ledger.check(said, "W-7", f"{name} gives up {first.natural}, not {luck['y']}")
        failed = not passes(ledger, first, data["value"], data["difficulty"])
        ledger.check(failed, "W-7", f"{name} rolls a success again")


def check_test(
    ledger: Ledger, data: Data, who: int, success: str = "success", *, test: str
) -> bool:
    """Check a test against a difficulty whose value and difficulty are right; its success.

    ``test`` is as in `open_dice`.
    """
    check_luck(ledger, data, who, test)
    tested = one_die(ledger, data["dice"], who, test)
    name = ledger.name(who)
    result = tested.natural + data["value"]
    ledger.check(
        tested.failed or data["result"] == result,
        "W-1.1",
        f"{name}: {tested.natural} and {data['value']} make {result}, not {data['result']}",
    )
    right = passes(ledger, tested, data["value"], data["difficulty"])
    words = "is a success" if right else "is no success"
    ledger.check(
        bool(data[success]) == right,
        "W-1.1",
        f"{name}: a result of {result} against {data['difficulty']} {words}",
    )
    return bool(data[success])


def check_roll_off(ledger: Ledger, data: Data, chooser: int = -1) -> int:
    """Check one roll-off of an opposed test (W-1.5); the winner it names, -1 for none yet.

    ``chooser`` is the tester whose side chose the combat, where there is one.
    """
    lucks = ledger.take_lucks()
    rolled = [*(luck["dice"] for luck in lucks), data["dice"]]
    results = [_rolled(ledger, data, k, rolled[0]) for k in range(2)]
    for luck, dice in zip(lucks, rolled[1:], strict=True):
        k = int(results[1] < results[0])
        who = data["testers"][k]
        behind = luck["fighter"] == who and results[0] != results[1]
        ledger.check(behind, "W-7", f"{ledger.name(luck['fighter'])} has not lost this roll-off")
        said = results[k] == (_FAILED if luck["y"] is None else luck["y"])
        ledger.check(said, "W-7", f"{ledger.name(who)} gives up {results[k]}, not {luck['y']}")
        use_luck(ledger, luck, who)
        results[k] = _rolled(ledger, data, k, dice)
    for tester, result, said in zip(data["testers"], results, data["results"], strict=True):
        ledger.check(
            result == _FAILED or said == result,
            "W-1.1",
            f"{ledger.name(tester)}: dice and value make {result}, not {said}",
        )
    strangers = [die[0] for dice in rolled for die in dice if die[0] not in data["testers"]]
    ledger.check(not strangers, "W-1.1", f"{ledger.name(strangers)} rolls in a test of others")
    key, clause = _TIE_RULES[data["purpose"]]
    if results[0] != results[1]:
        better = int(results[1] > results[0])
        names = ledger.name(data["testers"][better])
        ledger.check(data["winner"] == better, "W-1.5", f"{names} has the higher result")
        return int(data["winner"])
    _check_tie(ledger, data, ledger.rule[key], clause, chooser)
    return int(data["winner"])


def _rolled(ledger: Ledger, data: Data, k: int, dice: Sequence[Sequence[int]]) -> float:
    """Return the result of the k-th tester of a roll-off, by these dice."""
    tester = data["testers"][k]
    own = [die for die in dice if die[0] == tester]
    test = "initiative" if data["purpose"] == "initiative" else "discipline"
    tested = one_die(ledger, own, tester, test)
    return _FAILED if tested.failed else tested.natural + (data["values"][k] or 0)


def _check_tie(ledger: Ledger, data: Data, tie: str, clause: str, chooser: int) -> None:
    winner = data["winner"]
    values = [value or 0 for value in data["values"]]
    if tie == "coin":
        return
    wanted = -1
    if tie == "higher_characteristic" and values[0] != values[1]:
        wanted = int(values[1] > values[0])
    if tie == "first":
        wanted = chooser
    who = "nobody" if wanted < 0 else ledger.name(data["testers"][wanted])
    ledger.check(winner == wanted, clause, f"of equal results, {who} wins by the edition's rule")


def opposed_winner(ledger: Ledger, purpose: str, able: tuple[bool, bool]) -> tuple[int, list[Data]]:
    """Read an opposed Discipline test of the two sides; winner, and its roll-offs.

    Parameters
    ----------
    ledger : Ledger
    purpose : {"tactics", "separation", "authority"}
    able : tuple of bool
        Whether each side has a fighter who may make it (C-1.4, C-2.1, T-2.5).
    """
    clause = _TIE_RULES[purpose][1]
    alone = ledger.rule["tactics.no_fighter" if purpose == "tactics" else "melee.nobody_able"]
    if not all(able):
        if able[0] != able[1] and alone == "loses":
            winner = int(able[1])
            if ledger.peek() in ("opposed", "coin") and ledger.next()["purpose"] == purpose:
                loser = SIDES[1 - winner]
                ledger.breach(clause, f"side {loser} has nobody for the test: it loses", ledger.at)
                return opposed_winner(ledger, purpose, (True, True))
            return winner, []
        return _coin(ledger, purpose, clause), []
    rows: list[Data] = []
    while True:
        if rows and ledger.peek() == "coin":
            return _coin(ledger, purpose, clause), rows
        data = ledger.take("opposed", clause)
        rows.append(data)
        ledger.check(
            data["purpose"] == purpose,
            clause,
            f"a test of {purpose} comes here, not {data['purpose']}",
        )
        winner = check_roll_off(ledger, data)
        if winner >= 0:
            return winner, rows


def _coin(ledger: Ledger, purpose: str, clause: str) -> int:
    data = ledger.take("coin", clause)
    ledger.check(
        data["purpose"] == purpose,
        clause,
        f"a coin for {purpose} comes here, not {data['purpose']}",
    )
    return int(data["winner"])


def check_tester(ledger: Ledger, rows: Sequence[Data], side: int, value: int | None) -> None:
    """Check that a side tests with a value (C-1.4, C-2.1, T-2.3)."""
    for data in rows[:1]:
        clause = _TIE_RULES[data["purpose"]][1]
        tester = data["testers"][side]
        ledger.check(
            data["values"][side] == value,
            clause,
            f"{ledger.name(tester)} tests with {value}, not {data['values'][side]}",
        )
