"""How far a rout spreads, by the order in which units are activated (S1, section 8.1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ...profiles.errors import InputError
from ...profiles.message import joined, say
from ..base.answer import PLAYED, AnswerKind, Columns, columns, origin_columns
from ..base.options import estoc_version
from ..base.result import Result, Row
from ..base.run import BOTH, EXACT, SAMPLED, USUAL_RUN, Method, Run, asks, runs_odds
from ..base.sequence import STOPPING
from ..combat.method import method_of
from .exact import Law, Number, rational_law
from .layout import BEST, WORST
from .play import Counts, count_orders
from .question import Contagion, ask_contagion
from .search import Found, Odds, search


def _mean(meaning: str, name: str) -> Columns:
    """Return the columns of a mean."""
    return (
        columns("number", meaning, name)
        + columns("text", "the mean as a fraction, where it is known", f"{name}_exact")
        + columns("number", "end of its interval", f"{name}_low", f"{name}_high")
    )


CONTAGION = AnswerKind(
    "contagion",
    columns("text", "how units stand", "layout")
    + columns("whole", "how many there are", "units", unit="units")
    + columns("text", "units in rout at the start", "first")
    + columns("text", "order of activation as it was asked, and unit by unit", "order", "sequence")
    + columns("text", "how that order was found", "searched")
    + columns("text", "chance that a Rout test fails", "fail")
    + columns("whole", "turns that are played", "turns", unit="turns")
    + columns("text", "whether units in rout flee or stay: flee or static", "model")
    + columns("whole", "number of units in rout at the end", "routed", unit="units")
    + origin_columns("method")
    + columns("number", "chance that so many are", "p_routed", unit="share")
    + columns("text", "the chance as a fraction, where it is known", "exact")
    + columns("whole", "trials in which so many were", "count", unit="trials")
    + columns("number", "end of its interval", "p_routed_low", "p_routed_high", unit="share")
    + _mean(say("units in rout at the end on average"), "mean_routed")
    + _mean(say("activations of units in rout on average"), "mean_lost"),
    origin=PLAYED
    + origin_columns("seed")
    + STOPPING
    + origin_columns("assumed", "readings")
    + origin_columns("inputs", "version", "command"),
    text="contagion.table:blocks",
    picture="contagion.plot:plot_contagion",
    sentences="report.words:of_means",
)

TRIALS = 1_000_000
_MEANS = ("mean_routed", "mean_lost")


@dataclass(frozen=True)
class ContagionResult(Result):
    """The answer to how far a rout spreads."""

    # exact odds of each order, fractions where they were found as such; none if there are only
    # trials
    laws: tuple[Law, ...] = ()
    searched: tuple[str, ...] = ()  # how each order was found; empty where nobody searched


@runs_odds
@asks(ask_contagion)
def contagion(question: Contagion, *, run: Run) -> ContagionResult:
    """Return the odds of the number of units in rout after some turns (S1a, S1b, A1).

    Parameters
    ----------
    layout, orders, routed, fail, turns, model
        As in `estoc.sim.contagion.question.ask_contagion`.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`); 1,000,000 trials of each
        order where sampling is asked for.

    Returns
    -------
    ContagionResult
        A row for each order and number of units in rout (``routed``), with ``both`` the exact
        ones first. ``exact`` is ``p_routed`` as a fraction where it is known; ``mean_routed``
        counts units in rout, ``mean_lost`` activations of units in rout at their action step.

    Raises
    ------
    InputError
        If something asked for cannot be used, or not exactly.

    Examples
    --------
    >>> result = contagion("line:3", orders=["inward"])
    >>> [row["exact"] for row in result]
    ['1/4', '3/4', '0']
    """
    return answer(question, run)


def answer(question: Contagion, run: Run = USUAL_RUN) -> ContagionResult:
    """Return the odds of each order of a question; see `contagion`."""
    check_method(run)
    found = _orders(question, run.threads)
    wanted = run.method in (EXACT, BOTH) or not (run.method or run.asks_to_sample)
    laws = _laws(question, found) if wanted else ()
    obstacle = ""
    if wanted and not laws:
        units = len(question.layout)
        obstacle = say("{} units can be in too many states for exact odds", units)
    if obstacle and run.method is not None:
        raise InputError("method {}: {}; take --method mc", run.method, obstacle)
    how = method_of(run, TRIALS, obstacle=obstacle, open_play=False)
    rows = [
        row
        for f, o, law in zip(found, question.orders, laws, strict=False)
        for row in _exact_rows(question, how, o, f, law)
    ]
    stopped = ""
    if how.sampled:
        counts = count_orders(question, [f.order for f in found], how, run)
        stopped = _stopped(counts)
        for name, one, tally in zip(question.orders, found, counts, strict=True):
            rows += _sampled_rows(question, how, name, one, tally) if tally.trials else []
    provenance = question.provenance(how)
    # what is assumed is no key of an edition
    cells = {"assumed": "fail", "readings": "", **provenance.cells()}
    return ContagionResult.of(
        CONTAGION,
        [{**row, **cells} for row in rows],
        question.title(),
        provenance,
        before=[_told_by(how)],
        note=how.note,
        after=[_taken_for_granted(question)],
        stopped=stopped,
        laws=laws,
        searched=tuple(f.told for f in found),
    )


def check_method(run: Run) -> None:
    """Refuse, before any search, what no method allows."""
    method_of(run, TRIALS, obstacle="", open_play=False)


def _orders(question: Contagion, threads: int | None) -> list[Found]:
    """Return the orders asked for, found where they are the best or worst."""
    ends = [order for order in question.orders if order in (BEST, WORST)]
    searched = search(question, ends, threads) if ends else {}
    return [searched.get(order) or Found(question.listed(order)) for order in question.orders]


def _laws(question: Contagion, found: Sequence[Found]) -> tuple[Law, ...]:
    """Return exact odds of all orders, none if those of one cannot be found."""
    odds, laws = Odds(question), []
    for one in found:
        law = rational_law(
            question.layout.neighbours,
            question.start,
            one.order,
            question.fail,
            question.turns,
            question.flee,
        )
        if law is None and odds.known:
            law = odds.law(one.order)
        if law is None:
            return ()
        laws.append(law)
    return tuple(laws)


def _stopped(counts: Sequence[Counts]) -> str:
    """Return how far a run came that Ctrl-C ended; empty if nothing did."""
    if all(c.trials == c.stopping.most or c.reached for c in counts):
        return ""
    return counts[0].stopping.cut_short(sum(c.trials for c in counts), len(counts))


# --- rows -----------------------------------------------------------------------------


def _told(question: Contagion, name: str, found: Found) -> Row:
    """Return what is the same in all rows of an order."""
    layout = question.layout
    return {
        "layout": layout.told,
        "units": len(layout),
        "first": ",".join(layout.names[unit] for unit in question.routed),
        "order": name,
        "sequence": layout.told_order(found.order),
        "searched": found.told,
        "fail": str(question.fail),
        "turns": question.turns,
        "model": question.model,
    }


def text_of(value: Number) -> str:
    """Return an exact number as a fraction; empty where it is known as a float only."""
    return str(value) if isinstance(value, Fraction) else ""


def _exact_rows(question: Contagion, how: Method, name: str, found: Found, law: Law) -> list[Row]:
    """Return an order's rows by exact odds."""
    means: Row = {}
    for key, value in zip(_MEANS, (law.mean, law.lost), strict=True):
        means |= {key: float(value), f"{key}_exact": text_of(value)}
    cells = {"method": EXACT, **means, "trials": None, "seed": None, **how.stopping.cells()}
    return [
        CONTAGION.row(
            **_told(question, name, found),
            routed=k,
            p_routed=float(chance),
            exact=text_of(chance),
            **cells,
        )
        for k, chance in enumerate(law.chances[1:], start=1)  # somebody is in rout at the start
    ]


def _sampled_rows(
    question: Contagion, how: Method, name: str, found: Found, counts: Counts
) -> list[Row]:
    """Return an order's rows by trials."""
    means: Row = {}
    for key, values in zip(_MEANS, (counts.mean_routed(), counts.mean_lost()), strict=True):
        mean, low, high = values
        means |= {key: mean, f"{key}_exact": "", f"{key}_low": low, f"{key}_high": high}
    lows, highs = how.stopping.proportions(counts.law, counts.trials)
    return [
        {
            **_told(question, name, found),
            "routed": k,
            "method": SAMPLED,
            "p_routed": count / counts.trials,
            "exact": "",
            "count": count,
            "p_routed_low": low,
            "p_routed_high": high,
            **means,
            "trials": counts.trials,
            "seed": how.seed,
            **how.stopping.cells(counts.law, counts.trials),
        }
        for k, (count, low, high) in enumerate(
            zip(counts.law.tolist(), lows.tolist(), highs.tolist(), strict=True)
        )
        if k
    ]


def _told_by(how: Method) -> str:
    """Return where the answer comes from."""
    exact, seed = [say("exact odds")] * how.exact, [say("seed {}", how.seed)] * how.sampled
    return joined(", ", [*exact, *seed, f"estoc {estoc_version()}"])


def _taken_for_granted(question: Contagion) -> str:
    moves = say(
        "a unit in rout at its action step leaves everybody's side, and loses its activation in "
        "each later turn too"
        if question.flee
        else "nobody moves"
    )
    return say(
        "assumed, the sheet does not say: every Rout test fails with chance {}; {}; nobody rallies",
        question.fail,
        moves,
    )
