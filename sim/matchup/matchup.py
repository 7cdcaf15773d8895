"""Matchups: which list wins against which, by how much, and what to bring."""

from collections.abc import Iterator, Sequence

from ...profiles.errors import InputError
from ...profiles.message import joined, say, say_n
from ..base.libraries import installed
from ..base.progress import announce
from ..base.run import USUAL_RUN, Run, asks, runs_sampled
from ..base.sequence import CAP, PRECISION
from .entrants import find_entrant
from .plan import DROPPED, Plan, plan_of
from .play import Played, play
from .question import MatchupQuestion, ask_matchup
from .result import PICTURES, MatchupResult
from .rows import MATCHUP, NO_RATING, rows_of


@runs_sampled
@asks(ask_matchup)
def matchup(question: MatchupQuestion, *, drop: bool = False, run: Run) -> MatchupResult:
    """Return which list wins against which.

    Parameters
    ----------
    lists, policies, field, options, roster
        As in `estoc.sim.matchup.question.ask_matchup`.
    drop : bool
        As in `estoc.sim.matchup.plan.plan_of`.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`): each pair of battles has
        the same dice, sides swapped.

    Returns
    -------
    MatchupResult
        Rows as of `answer`.
    """
    return answer(question, plan_of(run, drop), run)


def answer(
    question: MatchupQuestion,
    plan: Plan,
    run: Run = USUAL_RUN,
    *,
    losses: Sequence[tuple[str, str]] = (),
    picture: str = PICTURES[0],
) -> MatchupResult:
    """Return which entrant wins against which.

    Parameters
    ----------
    question : MatchupQuestion
    plan : Plan
    run : Run
    losses, picture
        As of `MatchupResult`.

    Returns
    -------
    MatchupResult
        Rows by ``section``: ``score`` (every entrant against every other; against itself one
        half, by symmetry, without battles), ``field``, ``list`` and ``policy`` (against all
        others), ``reply`` (the other who beats it most), ``mix`` (how often to bring each where
        everyone brings his best), ``cycle`` (rings of entrants that beat each other round),
        ``rating`` and its ``fit``, ``loss`` (fighters lost and their PA, exactly and at least so
        many), ``round`` (battles of two by the ``turn`` in which they end). A score is what is won
        and half of what is drawn; ``shown`` says whether its interval shows that it is not one
        half: of a reply and of a ring at the level of all meetings together (Bonferroni).
    """
    asked = tuple(_labels(question, names) for names in losses)
    if not installed("statsmodels"):
        announce(NO_RATING)
    judge = plan.judge(len(question.entrants))
    played = play(question, judge, plan, run)
    rows = list(rows_of(question, played, plan))
    provenance = question.provenance(plan)
    cells = provenance.cells(method=plan.name, seed=plan.seed)
    rated = any(row["section"] in ("rating", "fit") for row in rows) or not played.whole
    return MatchupResult.of(
        MATCHUP,
        [{**row, **cells} for row in rows],
        question.title,
        provenance,
        before=_ends(question, played, plan),
        after=() if rated else (NO_RATING,),
        stopped="" if played.whole else say_n("{:,} battle", "{:,} battles", _battles(played)),
        losses=asked,
        picture=picture,
    )


def _labels(question: MatchupQuestion, names: tuple[str, str]) -> tuple[str, str]:
    """Return the labels of two entrants that are told by these or by their numbers."""
    one, other = (find_entrant(name, question.entrants) for name in names)
    if one == other:
        raise InputError('matchup: --losses are those of two: "{}" is named twice', names[0])
    return question.labels[one], question.labels[other]


def _battles(played: Played) -> int:
    return sum(meeting.battles for meeting in played.meetings.values())


def _ends(question: MatchupQuestion, played: Played, plan: Plan) -> Iterator[str]:
    """Yield what ended the battles, where a look may have."""
    if plan.tuned is None or not played.whole:
        return
    ends = [played.ends[cell] for cell in question.cells]
    number = {end: ends.count(end) for end in (PRECISION, CAP, DROPPED)}
    told = {
        PRECISION: say("{} by the precision of {}", number[PRECISION], plan.precision),
        CAP: say("{} at the cap of {:,} battles", number[CAP], plan.trials),
        DROPPED: say("{} since one of the two was dropped", number[DROPPED]),
    }
    parts = [text for end, text in told.items() if number[end]]
    yield say("meetings that ended: {}", joined("; ", parts))
    yield say("intervals hold at all looks; those of mix and rating by errors widened as much")
    if played.dropped:
        names = (say("{} ({:,} battles)", question.labels[x], n) for x, n in played.dropped.items())
        yield say("dropped, clearly below the best against the field: {}", names)
