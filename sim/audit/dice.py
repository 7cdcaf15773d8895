"""Tests in a transcript: chains of re-rolled sixes, results, opposed tests (W-1)."""

from collections.abc import Sequence
from typing import NamedTuple

from ...profiles.message import say, say_n
from .fighters import SIDES, Fighter, names
from .ledger import Ledger
from .steps import Coin, Die, Feat, Opposed, Purpose, Test

_FAILED = float("-inf")  # below any result: a test that a rule failed

_TIE_RULES: dict[Purpose, tuple[str, str]] = {
    "tactics": ("tactics.tie", "T-2.4"),
    "separation": ("melee.discipline_tie", "C-1.4"),
    "authority": ("melee.discipline_tie", "C-2.1"),
    "initiative": ("tests.opposed_tie", "C-4.3"),
}


class Tested(NamedTuple):
    """A die with its re-rolls; ``failed``: by a rule, whatever the characteristic (W-1.3)."""

    natural: int
    failed: bool


def _chain(ledger: Ledger, dice: Sequence[Die], who: Fighter, faces: tuple[int, ...]) -> Tested:
    """Return what one die and its re-rolls come to, in the order rolled (W-1.2)."""
    values, rule = [die.value for die in dice], ledger.rule
    for value in values:
        ledger.check(1 <= value <= 6, "W-1.1", "{}: a die shows {}", who, value)
    numbered = [die.order for die in dice] == list(range(len(dice)))
    ledger.check(
        numbered, "W-1.2", "{}: the dice of one chain are not numbered one after the other", who
    )
    for value in values[:-1]:
        if value not in faces:
            ledger.breach("W-1.2", _no_reroll(who, value, faces))
    if len(values) > 1 and values[-1] == 1 and rule["tests.reroll_one"] != "add":
        return Tested(1, rule["tests.reroll_one"] == "fail")
    return Tested(sum(values), values == [1] and rule["tests.natural_one_fails"])


def _no_reroll(who: Fighter, value: int, faces: tuple[int, ...]) -> str:
    """Return that a fighter re-rolls what is none of these."""
    if not faces:
        return say("{} re-rolls a {}; nothing may be re-rolled", who, value)
    if 5 in faces:
        return say("{} re-rolls a {}; only a 5 or a 6 may be re-rolled", who, value)
    return say("{} re-rolls a {}; only a 6 may be re-rolled", who, value)


def _faces(fighter: Fighter, test: str) -> tuple[int, ...]:
    """Return what a fighter may re-roll in a test: 6s, by abilities 5s, or nothing (W-7).

    ``test`` is a word of kernels' `layout.abilities.Roll`, or "" for one that no ability touches.
    """
    if test and fighter.has("no_rerolls"):
        return ()
    return (5, 6) if test in fighter.words("open_rolls") else (6,)


def _check_rollers(ledger: Ledger, dice: Sequence[Die], who: Fighter) -> None:
    strangers = {die.roller for die in dice} - {who}
    ledger.check(not strangers, "W-1.1", "{} rolls dice of {}'s test", names(strangers), who)


def one_die(ledger: Ledger, dice: Sequence[Die], who: Fighter, test: str) -> Tested:
    """Return what the test of one fighter with one die comes to; ``test`` as in `_faces`."""
    if not ledger.check(dice, "W-1.1", "{}: a test without a die", who):
        return Tested(0, True)
    _check_rollers(ledger, dice, who)
    return _chain(ledger, dice, who, _faces(who, test))


def many_dice(ledger: Ledger, dice: Sequence[Die], who: Fighter, count: int) -> Tested:
    """Return the best of several dice, each with its re-rolls (W-1.4, C-6.4)."""
    places: dict[int, list[Die]] = {}
    for die in dice:
        places.setdefault(die.place, []).append(die)
    ledger.check(
        len(places) == count,
        "C-6.4",
        say_n(
            "{1} rolls {0} die, but committed {2}",
            "{1} rolls {0} dice, but committed {2}",
            len(places),
            who,
            count,
        ),
    )
    chains = [_chain(ledger, rolled, who, _faces(who, "defence")) for rolled in places.values()]
    again = sum(len(rolled) > 1 for rolled in places.values())
    one = ledger.rule["tests.many_dice"] == "one_chain"
    ledger.check(not one or again < 2, "W-1.4", "{} re-rolls more than one 6", who)
    _check_rollers(ledger, dice, who)
    return max((chain for chain in chains if not chain.failed), default=Tested(0, True))


def passes(ledger: Ledger, tested: Tested, value: int, difficulty: int) -> bool:
    """Whether a test is passed (W-1.1, W-1.3)."""
    result = tested.natural + value
    enough = result >= difficulty and result > ledger.rule["tests.automatic_failure"]
    return enough and not tested.failed


def use_luck(ledger: Ledger, luck: Feat, who: Fighter) -> None:
    """Check that a fighter may roll a test again, and take his luck (W-7)."""
    may = luck.fighter is who and who.luck > 0
    ledger.check(may, "W-7", "{} has no luck to roll this test again", who)
    who.luck -= 1


def check_test(ledger: Ledger, data: Test, success: bool, who: Fighter, test: str) -> bool:
    """Check a test against a difficulty whose value and difficulty are right; its success.

    ``test`` is as in `_faces`.
    """
    value, difficulty = data.value or 0, data.difficulty
    for k, luck in enumerate(ledger.take_lucks()):  # its ``y`` is the natural result given up
        use_luck(ledger, luck, who)
        ledger.check(k == 0, "W-7", "{} rolls a test again twice", who)
        first = one_die(ledger, luck.dice, who, test)
        said = first.failed or luck.y == first.natural
        ledger.check(said, "W-7", "{} gives up {}, not {}", who, first.natural, luck.y)
        failed = not passes(ledger, first, value, difficulty)
        ledger.check(failed, "W-7", "{} rolls a success again", who)
    tested = one_die(ledger, data.dice, who, test)
    result = tested.natural + value
    ledger.check(
        tested.failed or data.result == result,
        "W-1.1",
        "{}: {} and {} make {}, not {}",
        who,
        tested.natural,
        value,
        result,
        data.result,
    )
    right = passes(ledger, tested, value, difficulty)
    ledger.check(
        success == right,
        "W-1.1",
        "{}: a result of {} against {} is a success"
        if right
        else "{}: a result of {} against {} is no success",
        who,
        result,
        difficulty,
    )
    return success


def check_roll_off(ledger: Ledger, data: Opposed, chooser: int = -1) -> int:
    """Check one roll-off of an opposed test (W-1.5); the winner it names, -1 for none yet.

    ``chooser`` is the tester whose side chose the combat, where there is one.
    """
    lucks, testers = ledger.take_lucks(), data.testers
    rolled = [*(luck.dice for luck in lucks), data.dice]
    results = [_rolled(ledger, data, k, rolled[0]) for k in range(2)]
    for luck, dice in zip(lucks, rolled[1:], strict=True):
        k = int(results[1] < results[0])
        who = testers[k]
        behind = luck.fighter is who and results[0] != results[1]
        ledger.check(behind, "W-7", "{} has not lost this roll-off", luck.fighter)
        said = results[k] == (_FAILED if luck.y is None else luck.y)
        ledger.check(said, "W-7", "{} gives up {}, not {}", who or "nobody", results[k], luck.y)
        if who:
            use_luck(ledger, luck, who)
        results[k] = _rolled(ledger, data, k, dice)
    for tester, result, given in zip(testers, results, data.results, strict=True):
        right = result in (_FAILED, given)
        ledger.check(
            right, "W-1.1", "{}: dice and value make {}, not {}", tester or "nobody", result, given
        )
    strangers = {die.roller for dice in rolled for die in dice} - {*testers}
    ledger.check(not strangers, "W-1.1", "{} rolls in a test of others", names(strangers))
    if results[0] == results[1]:
        _check_tie(ledger, data, chooser)
    else:
        better = int(results[1] > results[0])
        ledger.check(
            data.winner == better, "W-1.5", "{} has the higher result", testers[better] or "nobody"
        )
    return data.winner


def _rolled(ledger: Ledger, data: Opposed, k: int, dice: Sequence[Die]) -> float:
    """Return the result of the k-th tester of a roll-off, by these dice."""
    tester = data.testers[k]
    if tester is None:
        ledger.breach("W-1.1", "nobody: a test without a die")
        return _FAILED
    test = "initiative" if data.purpose == "initiative" else "discipline"
    tested = one_die(ledger, [die for die in dice if die.roller is tester], tester, test)
    return _FAILED if tested.failed else tested.natural + (data.values[k] or 0)


def _check_tie(ledger: Ledger, data: Opposed, chooser: int) -> None:
    key, clause = _TIE_RULES[data.purpose]
    tie, values = ledger.rule[key], [value or 0 for value in data.values]
    if tie == "coin":
        return
    wanted = -1
    if tie == "higher_characteristic" and values[0] != values[1]:
        wanted = int(values[1] > values[0])
    if tie == "first":
        wanted = chooser
    who = (data.testers[wanted] if wanted >= 0 else None) or "nobody"
    ledger.check(
        data.winner == wanted, clause, "of equal results, {} wins by the edition's rule", who
    )


def opposed_winner(
    ledger: Ledger, purpose: Purpose, able: tuple[bool, bool]
) -> tuple[int, list[Opposed]]:
    """Read an opposed Discipline test of the two sides; winner, and its roll-offs.

    ``able`` says whether each side has a fighter who may make it (C-1.4, C-2.1, T-2.5).
    """
    _, clause = _TIE_RULES[purpose]
    alone = ledger.rule["tactics.no_fighter" if purpose == "tactics" else "melee.nobody_able"]
    if not all(able):
        if able[0] == able[1] or alone != "loses":
            return _coin(ledger, purpose, clause), []
        winner = int(able[1])
        test = ledger.coming(Opposed) or ledger.coming(Coin)
        if test is None or test.purpose != purpose:
            return winner, []
        loser = SIDES[1 - winner]
        ledger.breach_next(clause, "side {} has nobody for the test: it loses", loser)
    rows: list[Opposed] = []
    while True:
        if rows and ledger.coming(Coin):
            return _coin(ledger, purpose, clause), rows
        data = ledger.take(Opposed, clause)
        rows.append(data)
        right = data.purpose == purpose
        ledger.check(right, clause, "a test of {} comes here, not {}", purpose, data.purpose)
        winner = check_roll_off(ledger, data)
        if winner >= 0:
            return winner, rows


def _coin(ledger: Ledger, purpose: Purpose, clause: str) -> int:
    data = ledger.take(Coin, clause)
    ledger.check(
        data.purpose == purpose, clause, "a coin for {} comes here, not {}", purpose, data.purpose
    )
    return data.winner


def check_tester(ledger: Ledger, rows: Sequence[Opposed], side: int, value: int | None) -> None:
    """Check that a side tests with a value (C-1.4, C-2.1, T-2.3)."""
    for data in rows[:1]:
        _, clause = _TIE_RULES[data.purpose]
        tester, said = data.testers[side] or "nobody", data.values[side]
        ledger.check(said == value, clause, "{} tests with {}, not {}", tester, value, said)
