"""Matchups: which list wins against which, by how much, and what to bring."""

from collections.abc import Iterator, Sequence
from typing import Any

from estoc.profiles import InputError, Roster
from estoc.profiles.battle import MOST_TRIALS
from estoc.sim.entrants import Entrant
from estoc.sim.matchup_play import Judge, Meeting, Played, never, play
from estoc.sim.matchup_question import FIELD, MatchupQuestion, ask_matchup
from estoc.sim.matchup_scores import Interval, Scores
from estoc.sim.method import SAMPLED, Method
from estoc.sim.params import Options, checked_seed, checked_trials, estoc_version
from estoc.sim.result import Result, Row
from estoc.sim.sampling import Progress

TRIALS = 1_000  # battles of two entrants

_PAIRS = ("pairs_0", "pairs_half", "pairs_1", "pairs_3_halves", "pairs_2")
_COLUMNS = (
    *(
        "section",
        "what",
        "entrant",
        "list",
        "plays",
        "other",
        "other_list",
        "other_plays",
        "trials",
    ),
    *("wins", "draws", "losses", *_PAIRS, "score", "score_low", "score_high", "shown", "ended"),
)


def matchup(
    lists: Sequence[str],
    policies: Sequence[str] = (),
    *,
    field: str = FIELD,
    trials: int | None = None,
    seed: int | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    threads: int | None = None,
) -> Result:
    """Return which list wins against which.

    Parameters
    ----------
    lists, policies, field, options, roster
        As in `estoc.sim.matchup_question.ask_matchup`.
    trials : int, optional
        Battles of two entrants, an even number: each pair of them has the same dice, sides
        swapped.
    seed, threads : int, optional
        A fresh seed and all cores if not given; the counts do not depend on threads.

    Returns
    -------
    Result
        Rows as of `answer`.
    """
    question = ask_matchup(lists, policies, field=field, options=options, roster=roster)
    return answer(question, sampled(trials, seed), threads=threads)


def sampled(trials: int | None, seed: int | None) -> Method:
    """Return how battles are counted: a fresh seed if none is given."""
    wanted = checked_trials(TRIALS if trials is None else trials)
    if wanted > MOST_TRIALS or wanted % 2:
        raise InputError(
            f"matchup: trials {wanted} should be an even number, at most {MOST_TRIALS}: each "
            "battle is played both ways round"
        )
    return Method(SAMPLED, wanted, checked_seed(seed))


def answer(
    question: MatchupQuestion,
    how: Method,
    *,
    threads: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Return which entrant wins against which."""
    assert how.trials is not None
    assert how.seed is not None
    judge = Judge((how.trials // 2,), never)
    played = play(question, judge, how.seed, threads=threads, progress=progress, partial=partial)
    rows = list(_rows(question, played))
    origin = _origin(question, how)
    return Result(
        "matchup",
        [{**row, **origin} for row in rows],
        question.title,
        notes=question.remarks(),
        assumed=question.assumed,
        readings=question.readings,
        command=origin["command"],
        stopped="" if played.whole else f"{_battles(played):,} battles",
    )


def _battles(played: Played) -> int:
    return sum(meeting.battles for meeting in played.meetings.values())


def _row(section: str, what: str | None = None, **cells: Any) -> Row:
    return {**dict.fromkeys(_COLUMNS), "section": section, "what": what, **cells}


def _interval(found: Interval) -> Row:
    """Return a score, its interval, and whether that shows who is better."""
    return {
        "score": found.value,
        "score_low": found.low,
        "score_high": found.high,
        "shown": found.above or found.below,
    }


def _rows(question: MatchupQuestion, played: Played) -> Iterator[Row]:
    scores = Scores(played, len(question.entrants))
    yield from _meetings(question, played, scores)
    yield from _against_the_field(question, played, scores)


def _meetings(question: MatchupQuestion, played: Played, scores: Scores) -> Iterator[Row]:
    for x, one in enumerate(question.entrants):
        for y, other in enumerate(question.entrants):
            meeting = played.seen_by(x, y)
            yield _row(
                "score",
                **_who(one, other),
                ended=played.ends.get((min(x, y), max(x, y))),
                **_counts([meeting]),
                **_interval(scores.against(x, y)),
            )


def _who(one: Entrant, other: Entrant | None = None) -> Row:
    """Return the cells that say which entrant, and which other."""
    found = {"entrant": one.label, "list": one.roll, "plays": one.policy}
    if other is not None:
        found |= {"other": other.label, "other_list": other.roll, "other_plays": other.policy}
    return found


def _counts(meetings: Sequence[Meeting]) -> Row:
    """Return the battles of some meetings: won, drawn, lost, and pairs by points."""
    wins, draws, losses = (sum(int(m.outcome[k]) for m in meetings) for k in range(3))
    pairs = {name: sum(int(m.pairs[k]) for m in meetings) for k, name in enumerate(_PAIRS)}
    return {
        "trials": wins + draws + losses,
        "wins": wins,
        "draws": draws,
        "losses": losses,
        **pairs,
    }


def _against_the_field(question: MatchupQuestion, played: Played, scores: Scores) -> Iterator[Row]:
    """Yield what each entrant, each list and each policy scores against all others."""
    every = list(enumerate(question.entrants))
    groups = [("field", _who(e), [i]) for i, e in every]
    if len(question.lists) > 1 and len(question.policies) > 1:
        for roll in question.lists:
            groups.append(("list", {"list": roll}, [i for i, e in every if e.roll == roll]))
        for policy in question.policies:
            groups.append(
                ("policy", {"plays": policy}, [i for i, e in every if e.policy == policy])
            )
    for section, who, own in groups:
        others = [y for y, _ in every if y not in own]
        yield _row(
            section,
            **who,
            **_counts([played.seen_by(x, y) for x in own for y in others]),
            **_interval(scores.between(own)),
        )


def _origin(question: MatchupQuestion, how: Method) -> Row:
    """Return what a row came from, and the command that gives it again."""
    return {
        "method": how.name,
        "policy": question.policy,
        "edition": question.options.edition.name,
        "seed": how.seed,
        "inputs": question.inputs,
        "assumed": " ".join(question.assumed),
        "readings": " ".join(question.readings),
        "remarks": "; ".join(question.remarks()),
        "version": estoc_version(),
        "command": question.command_line("--trials", str(how.trials), "--seed", str(how.seed)),
    }
