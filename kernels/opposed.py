"""An opposed test of Discipline: roll-offs until somebody wins (C-1.4, C-2.1, T-2.3, W-1.5)."""

from estoc.kernels._jit import routine
from estoc.kernels.battle_codes import Story
from estoc.kernels.dice import SIX_OPENS, note
from estoc.kernels.initiative import NO_SIDE, opposed, tie_winner
from estoc.kernels.layout import Call
from estoc.kernels.rng import attack_address, fill

CHOOSER = 3  # word of a roll-off that no die is read from


@routine
def opposed_test(record, moment, number, purpose, tester, other, value, other_value):
    """Side that wins, 0 or 1; tied ones by the edition's rule.

    Parameters
    ----------
    record
        Anything with the fields of ``battle_codes.TEST``.
    moment : Moment
    number : int
        Of the dice's addresses (`estoc.kernels.rng`).
    purpose : int
        A ``battle_codes.Purpose``, for the log.
    tester, other : int
        Fighters of sides 0 and 1, for the log.
    value, other_value : int
        Their Disciplines.
    """
    winner, roll_off = NO_SIDE, 0
    while winner == NO_SIDE:
        address = attack_address(moment.turn, number, roll_off & 15, roll_off >> 4)
        fill(record, 0, 1, address)
        if roll_off == 0:  # nobody chose the test: a coin says who is asked last
            record.chooser = record.words[0, CHOOSER, 0] >> 31
        call = Call(moment, roll_off, tester, other, address, 0)
        result, other_result = opposed(record, call, value, other_value, SIX_OPENS, SIX_OPENS)
        if result != other_result:
            winner = int(other_result > result)
        else:
            winner = tie_winner(record, call, value, other_value)
        note(
            moment, Story.OPPOSED, roll_off, tester, other, purpose, result, other_result, winner
        )  # fmt: skip
        roll_off += 1
    return winner
