"""What came of a matchup, as rows."""

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from ...profiles.message import say
from ..base.answer import COUNTED, PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.libraries import how_to_install, installed
from ..base.result import Row
from ..battle.losses import AT_LEAST
from .cycles import rings
from .entrants import Entrant
from .losses import losses, rounds
from .mix import best_mix
from .plan import Plan
from .play import Meeting, Played
from .question import MatchupQuestion
from .rating import bradley_terry
from .scores import Interval, Scores

NO_RATING = say("no rating: it needs statsmodels; {} brings it", how_to_install("statsmodels"))

_PAIRS = ("pairs_0", "pairs_half", "pairs_1", "pairs_3_halves", "pairs_2")
MATCHUP = AnswerKind(
    "matchup",
    SECTION
    + columns("text", "ring of entrants, or the test of a fit", "what")
    + columns("text", "entrant, its list and its policy", "entrant", "list", "plays")
    + columns("text", "the other, its list and its policy", "other", "other_list", "other_plays")
    + PLAYED
    + columns("whole", "battles that it won, drew, lost", "wins", "draws", "losses", unit="trials")
    + columns("whole", "pairs of battles with so many points of two", *_PAIRS, unit="pairs")
    + estimates(say("what it won, and half of what it drew"), "score", unit="score")
    + columns("truth", "whether the interval shows who is better", "shown")
    + columns("number", "score by the ratings", "expected")
    + columns("text", "what ended the battles of the two", "ended")
    + columns("whole", "turn in which battles ended", "turn")
    + estimates(say("how often to bring it where everyone brings his best"), "share", unit="score")
    + estimates(say("rating, gain against the mixture, or chi²"), "value", unit="")
    + columns("whole", "fighters or PA lost, entrants of a ring, or degrees", "number")
    + COUNTED
    + AT_LEAST,
    origin=origin_columns(lacking=["sampler", "remainder"]),
    text="matchup.table:blocks",
    picture="matchup.plot:matrix_and_forest",
    sentences="report.words:of_matchup",
    charts="report.charts:of_matchup",
)


def rows_of(question: MatchupQuestion, played: Played, plan: Plan) -> Iterator[Row]:
    """Yield what came of a matchup, none of no battle."""
    if not any(meeting.battles for meeting in played.meetings.values()):
        return
    scores = Scores(played, len(question.entrants), plan.tuned)
    yield from _meetings(question, played, scores)
    yield from _against_the_field(question, played, scores)
    if scores.complete:
        yield from _replies(question, played, scores)
        yield from _mix(question, scores, plan.seed or 0)
        yield from _cycles(question, scores)
        yield from _rating(question, scores)
    yield from _losses(question, played, plan)
    yield from _rounds(question, played, plan)


def _who(one: Entrant, other: Entrant | None = None) -> Row:
    """Return the cells that say which entrant, and which other."""
    found = {"entrant": one.label, "list": one.roll, "plays": one.policy}
    if other is not None:
        found |= {"other": other.label, "other_list": other.roll, "other_plays": other.policy}
    return found


def _counts(meetings: Sequence[Meeting]) -> Row:
    """Return the battles of some meetings: won, drawn, lost, and pairs by points."""
    wins, draws, lost = (sum(int(m.outcome[k]) for m in meetings) for k in range(3))
    pairs = {name: sum(int(m.pairs[k]) for m in meetings) for k, name in enumerate(_PAIRS)}
    return {"trials": wins + draws + lost, "wins": wins, "draws": draws, "losses": lost, **pairs}


def _interval(found: Interval) -> Row:
    """Return a score, its interval, and whether that shows who is better."""
    return {
        "score": found.value,
        "score_low": found.low,
        "score_high": found.high,
        "shown": found.above or found.below,
    }


def _meetings(question: MatchupQuestion, played: Played, scores: Scores) -> Iterator[Row]:
    for x, one in enumerate(question.entrants):
        for y, other in enumerate(question.entrants):
            row = MATCHUP.row("score", **_who(one, other), **_interval(scores.against(x, y)))
            if x != y:
                row |= _counts([played.seen_by(x, y)])
                row["ended"] = played.ends[min(x, y), max(x, y)]
            yield row


def _against_the_field(question: MatchupQuestion, played: Played, scores: Scores) -> Iterator[Row]:
    """Yield what each entrant, each list and each policy scores against all others."""
    every = list(enumerate(question.entrants))
    groups = [("field", _who(e), [i]) for i, e in every]
    if len(question.lists) > 1 and len(question.policies) > 1:
        for roll in question.lists:
            groups.append(("list", {"list": roll}, [i for i, e in every if e.roll == roll]))
        for policy in question.policies:
            own = [i for i, e in every if e.policy == policy]
            groups.append(("policy", {"plays": policy}, own))
    for section, who, own in groups:
        others = [y for y, _ in every if y not in own]
        counts = _counts([played.seen_by(x, y) for x in own for y in others])
        yield MATCHUP.row(section, **who, **counts, **_interval(scores.between(own)))


def _replies(question: MatchupQuestion, played: Played, scores: Scores) -> Iterator[Row]:
    """Yield for each entrant the other that beats it most, if the level of the family shows it."""
    matrix = scores.matrix()
    for x, one in enumerate(question.entrants):
        y = min((y for y in range(scores.entrants) if y != x), key=lambda y: float(matrix[x, y]))
        found = scores.against(x, y, scores.family)
        cells = _interval(found) | {"shown": found.below}
        counts = _counts([played.seen_by(x, y)])
        yield MATCHUP.row("reply", **_who(one, question.entrants[y]), **counts, **cells)


def _mix(question: MatchupQuestion, scores: Scores, seed: int) -> Iterator[Row]:
    """Yield the share of each in the best mixture; what each gains against it, and at most."""
    mix = best_mix(scores.matrix(), scores.errors(), seed)
    for x, one in enumerate(question.entrants):
        yield MATCHUP.row(
            "mix",
            **_who(one),
            share=float(mix.shares[x]),
            share_low=float(mix.low[x]),
            share_high=float(mix.high[x]),
            p=float(mix.kept[x]),
            value=float(mix.gains[x]),
            value_high=float(mix.most[x]),
        )


def _cycles(question: MatchupQuestion, scores: Scores) -> Iterator[Row]:
    """Yield rings, the surest first: by the score of the weakest of its links."""
    found = []
    for ring in rings(scores.beats()):
        links = [scores.against(*link) for link in zip(ring, ring[1:] + ring[:1], strict=True)]
        found.append((min(links), ring))
    for link, ring in sorted(found, key=lambda pair: pair[0], reverse=True):
        names = [question.entrants[x].label for x in (*ring, ring[0])]
        yield MATCHUP.row("cycle", what=" > ".join(names), number=len(ring), **_interval(link))


def _rating(question: MatchupQuestion, scores: Scores) -> Iterator[Row]:
    if not installed("statsmodels"):
        return
    found = bradley_terry(scores.means(), scores.errors())
    for x, one in enumerate(question.entrants):
        ends = {"value_low": float(found.low[x]), "value_high": float(found.high[x])}
        yield MATCHUP.row("rating", **_who(one), value=float(found.points[x]), **ends)
    x, y = found.worst
    yield MATCHUP.row(
        "fit",
        what="chi²",
        **_who(question.entrants[x], question.entrants[y]),
        **_interval(scores.against(x, y)),
        expected=float(found.expected[x, y]),
        value=found.chi2,
        number=found.freedom,
        p=found.p,
    )


def _losses(question: MatchupQuestion, played: Played, plan: Plan) -> Iterator[Row]:
    for (x, one), (y, other) in permutations(enumerate(question.entrants), 2):
        for cells in losses(one, played.seen_by(x, y), plan.tuned):
            yield MATCHUP.row("loss", **(_who(one, other) | cells))


def _rounds(question: MatchupQuestion, played: Played, plan: Plan) -> Iterator[Row]:
    """Yield how often the battles of two entrants end in which turn."""
    for (x, one), (y, other) in combinations(enumerate(question.entrants), 2):
        for cells in rounds(played.seen_by(x, y), plan.tuned):
            yield MATCHUP.row("round", **_who(one, other), **cells)
