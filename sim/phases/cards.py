"""The question of the activation phase: which card acts when, and what changes it (A-1 to A-4)."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from ...kernels.layout.cards import Winner
from ...kernels.layout.exact import DEPTH
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.answer import PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.options import MAX_TRIALS, SIDES, checked_seed
from ..base.result import Result, Row
from ..base.run import EXACT, SAMPLED, USUAL_RUN, Method, Run, asks, runs_odds
from ..base.sequence import STOPPING
from ..base.stats import paired
from ..combat.method import method_of
from .card_exact import best_line, best_pile, checked_exact, exact_odds, obstacle, solve_phase
from .card_odds import Difference, PhaseOdds
from .card_question import CardQuestion, ask, in_parts
from .card_sampling import check_sampled, counted_odds
from .card_state import count_sequences, played
from .cards_table import GAINS, SHARE

CARDS = AnswerKind(
    "cards",
    SECTION
    + columns("text", "which figure of the army, or of a change", "what")
    + columns("text", "side that the row is about", "side")
    + columns("text", "card of that side", "card")
    + columns("text", "card of the other side, army, or unit of the value", "other")
    + columns("whole", "speaking turn, place in the order, or number of plays", "turn")
    + columns("whole", "trials in which it was so", "count", unit="trials")
    + estimates(say("chance that it is so"), "p")
    + estimates(say("value to A, or what a change adds to it"), "value", unit="")
    + columns("whole", "cards, refusals, DIS or ways that there are", "number"),
    origin=PLAYED + origin_columns(lacking=["sampler"]) + STOPPING,
    text="phases.cards_table:blocks",
    picture="phases.cards_plot:timetable",
    sentences="report.words:of_cards",
)
_row = CARDS.row

PHASE = AnswerKind(
    "phase",
    columns("whole", "number of the speaking turn", "turn")
    + columns("text", "side that speaks", "side")
    + columns("text", "its army", "player")
    + columns("text", "kind of its move", "move")
    + columns("text", "card that it plays, or what it does instead", "plays")
    + columns("text", "card that goes into the reserve", "put_in_reserve")
    + columns("text", "card that comes from the reserve", "from_reserve")
    + columns("text", "card that comes from the pile", "from_pile")
    + columns("text", "cards in reserve, of at most so many", "reserve")
    + columns("whole", "refusals that are left", "refusals")
    + columns("text", "side that won the tactical roll", "won_roll")
    + columns("whole", "number of the trial", "trial"),
    origin=origin_columns(lacking=["sampler"]),
    text="phases.cards_table:phase_blocks",
    picture="phases.cards_plot:played",
)

TRIALS = 100_000
MOST_COUNTED = 15  # cards of a side of which legal sequences are counted


@runs_odds
@asks(ask)
def cards(question: CardQuestion, *, run: Run) -> Result:
    """Return which card acts when in an activation phase, and what changes it.

    Parameters
    ----------
    a, b, policies, winner, options, roster
        As in `estoc.sim.phases.card_question.ask`.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 100,000 trials where
        sampling is asked for.

    Returns
    -------
    Result
        Rows as of `answer`.

    Examples
    --------
    >>> result = cards("griffon", "scorpion", winner="A")
    >>> [row["p"] for row in result if row["section"] == "before" and row["card"] == "Abel"]
    [1.0, 0.0, 1.0, 1.0]
    """
    return answer(question, chosen(question, run), run)


def answer(question: CardQuestion, how: Method, run: Run = USUAL_RUN) -> Result:
    """Return which card acts when in an activation phase, and what changes it; see `cards`.

    Of exact odds, progress is told 1 for each phase solved.
    """
    rows: list[Row] = []
    stopped, ends = "", how.stopping.cells()
    if how.exact:
        exact = exact_odds(question, run.but(progress=None) if how.sampled else run)
        rows += [row | ends for row in _rows(question, exact, Method(EXACT))]
        cells = {"trials": None, **_cells(question, Method(EXACT)), **ends}
        rows += [{**row, **cells} for row in (*_sequences(question), *_plays(question))]
    if how.sampled:
        counted = counted_odds(question, how, run)
        done = counted.trials or 0
        stopped = "" if done == how.trials or counted.reached else how.stopping.cut_short(done)
        rows += _rows(question, counted, how.sampling(done))
    return _result(CARDS, question, rows, how, stopped)


def chosen(question: CardQuestion, run: Run) -> Method:
    """Return how to answer the question, as `estoc.sim.combat.method.method_of` says."""
    how = method_of(run, TRIALS, obstacle=obstacle(question), open_play=question.optimal)
    if how.sampled:
        check_sampled(question)
    if how.exact:
        checked_exact(question)
    return how


def transcript(question: CardQuestion, seed: int | None = None, trial: int = 0) -> Result:
    """Return one phase, speaking turn by speaking turn, in the style of the rules' example."""
    if question.optimal:
        if seed is not None or trial:
            raise InputError("policy optimal: its moves are one line, without a seed or trials")
        how = Method(EXACT)
        winner, turns = best_line(question)
        again = ["--transcript"]
    else:
        if not 0 <= trial <= MAX_TRIALS:
            raise InputError("trial {} should be from 0 to {}", trial, MAX_TRIALS)
        how = Method(SAMPLED, trial + 1, checked_seed(seed))
        winner, turns = played(question, how.seed or 0, trial)
        again = ["--seed", str(how.seed), "--transcript", "--trial", str(trial)]
    provenance = question.provenance(how).of(question.command(again))
    cells = _cells(question, how) | {"command": provenance.command}
    rows = [
        {
            "turn": told.turn,
            "side": told.side,
            "player": question.armies[SIDES.index(told.side)].name,
            "move": told.move,
            "plays": told.plays,
            "put_in_reserve": told.stored,
            "from_reserve": told.held,
            "from_pile": told.top,
            "reserve": told.reserve,
            "refusals": told.refusals,
            "won_roll": winner,
            "trial": None if how.exact else trial,
            **cells,
        }
        for told in turns
    ]
    return Result.of(PHASE, rows, question.title, provenance)


def _result(
    kind: AnswerKind, question: CardQuestion, rows: list[Row], how: Method, stopped: str
) -> Result:
    provenance = question.provenance(how)
    return Result.of(kind, rows, question.title, provenance, note=how.note, stopped=stopped)


def _cells(question: CardQuestion, how: Method) -> Row:
    """Return what a row comes from, and the command that gives it again."""
    remainder = _remainder(question) if how.name == EXACT else None
    return question.provenance(how).cells(method=how.name, remainder=remainder, seed=how.seed)


def _remainder(question: CardQuestion) -> float:
    """Return the mass of what is not looked at: the longest chains of sixes of the roll."""
    return 6.0**-DEPTH if question.phase["winner"][0] == Winner.ROLL else 0.0


def _rows(question: CardQuestion, odds: PhaseOdds, how: Method) -> list[Row]:
    """Return odds as rows, with where they come from; none of no trial."""
    if odds.trials == 0:
        return []
    found = [*_armies(question, odds), *_before(question, odds), *_acts(question, odds)]
    for difference in odds.differences:
        found += _change(question, difference, odds)
    cells = _cells(question, how)
    if odds.trials is not None:
        cells |= odds.stopping.cells(odds.shares, odds.trials)
    return [{**row, "trials": odds.trials, **cells} for row in found]


def _proportion(mass: Any, odds: PhaseOdds) -> Row:
    """Return a chance, or a proportion with its interval."""
    trials = odds.trials
    if trials is None:
        return {"p": min(max(float(mass), 0.0), 1.0)}
    count = int(mass)
    low, high = (float(end) for end in odds.stopping.proportions(count, trials))
    return {"count": count, "p": count / trials if trials else None, "p_low": low, "p_high": high}


def _armies(question: CardQuestion, odds: PhaseOdds) -> Iterator[Row]:
    """Yield each side's cards and refusals, and the chances of roll and first word."""
    refusals, chance = question.refusals(), question.chance
    for index, (side, army) in enumerate(zip(SIDES, question.armies, strict=True)):
        who = question.rollers[index]
        cells = {"side": side, "other": army.name}
        yield _row("army", what="cards", **cells, number=len(army.cards))
        yield _row("army", what="refusals", **cells, number=refusals[index])
        p = chance if index == 0 else 1 - chance
        yield _row(
            "army", what=say("wins the roll"), **cells, card=who.card or None, number=who.DIS, p=p
        )
        first = odds.first if index == 0 else (odds.trials or 1) - odds.first
        yield _row("army", what=say("speaks first"), **cells, **_proportion(first, odds))
    value = _worth(question, odds.value) + question.base
    unit = GAINS if question.scored else SHARE
    cells = _interval(question, value, odds.error, odds)
    yield _row("army", what=say("value to A"), side="A", other=unit, **cells)


def _worth(question: CardQuestion, swing: float) -> float:
    """Return a sum of swings as gains, or as a share of all pairs in percent."""
    if question.scored:
        return in_parts(swing)
    return 100 * in_parts(swing) / (len(question.a.cards) * len(question.b.cards))


def _interval(question: CardQuestion, value: float, error: float, odds: PhaseOdds) -> Row:
    """Return a value and its interval, none if it is exact."""
    if odds.trials is None:
        return {"value": value}
    half = odds.stopping.errors(odds.trials) * abs(_worth(question, error))
    return {"value": value, "value_low": value - half, "value_high": value + half}


def _before(question: CardQuestion, odds: PhaseOdds) -> Iterator[Row]:
    for i, card in enumerate(question.a.cards):
        for j, other in enumerate(question.b.cards):
            chance = _proportion(odds.before[i, j], odds)
            yield _row("before", side="A", card=card.name, other=other.name, **chance)


def _acts(question: CardQuestion, odds: PhaseOdds) -> Iterator[Row]:
    for index, army in enumerate(question.armies):
        for i, card in enumerate(army.cards):
            for turn in np.flatnonzero(odds.acts[index, i] > 0):
                chance = _proportion(odds.acts[index, i, turn], odds)
                yield _row("acts", side=SIDES[index], card=card.name, turn=int(turn) + 1, **chance)


def _change(question: CardQuestion, found: Difference, odds: PhaseOdds) -> Iterator[Row]:
    """Yield what a change is worth to its side, then what it makes of each pair."""
    change = found.change
    sign = 1 if change.side == "A" else -1
    value = sign * _worth(question, found.value)
    trials = odds.trials
    cells = _interval(question, value, found.error, odds)
    yield _row("change", what=change.name, side=change.side, **cells)
    for i, card in enumerate(question.a.cards):
        for j, other in enumerate(question.b.cards):
            cells = {"value": 100 * float(found.before[i, j])}
            if trials is not None:
                moved, flips = int(found.before[i, j]), int(found.flips[i, j])
                low, high = paired(moved, flips, trials, odds.stopping.errors(trials))
                cells = {
                    "value": 100 * moved / trials,
                    "value_low": 100 * low,
                    "value_high": 100 * high,
                }
            names = {"card": card.name, "other": other.name}
            yield _row("pair", what=change.name, side=change.side, **names, **cells)


def _sequences(question: CardQuestion) -> Iterator[Row]:
    """Yield how many complete sequences of moves are legal, of armies that are not large."""
    sizes = [len(army.cards) for army in question.armies]
    if max(sizes) > MOST_COUNTED:
        return
    alone = question.options.edition["cards.refusal_alone"]
    for index, side in enumerate(SIDES):
        ways = count_sequences(sizes[index], sizes[1 - index], refusal_alone=alone)
        yield _row("sequences", what=say("complete legal sequences"), side=side, number=ways)


def _plays(question: CardQuestion) -> Iterator[Row]:
    """Yield what best play, and the best pile of one side, are worth to A."""
    if not question.scored:
        return
    fixed = [index for index, army in enumerate(question.armies) if not army.policy.optimal]
    told = [bool(army.policy.moves) for army in question.armies]  # may not be legal any more
    plays = [(say("as their policies say"), (False, False))]
    if len(fixed) == 2:
        plays += [(say("A plays its best"), (True, False))] * (not told[1])
        plays += [(say("B plays its best"), (False, True))] * (not told[0])
    plays += [(say("both play their best"), (True, True))] * bool(fixed)
    for what, best in plays:
        solved = solve_phase(question, question.replayed(best))
        value = _worth(question, solved.value) + question.base
        yield _row("play", what=what, side="A", value=value)
    for index in fixed or range(2):
        side = SIDES[index]
        found = None if told[1 - index] else best_pile(question, index)
        if found is not None:
            swing, pile = found
            names = "; ".join(question.armies[index].cards[i].name for i in pile)
            value = _worth(question, swing) + question.base
            what = say("{} plays its best, with its best pile", side)
            yield _row("play", what=what, side=side, card=names, value=value)
