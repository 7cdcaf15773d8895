"""Matchups: which list wins against which, by how much, and what to bring."""

from collections.abc import Sequence

from estoc.profiles import InputError, Roster
from estoc.profiles.battle import MOST_TRIALS
from estoc.sim.entrants import find_entrant
from estoc.sim.matchup_play import Judge, Played, never, play
from estoc.sim.matchup_question import FIELD, MatchupQuestion, ask_matchup
from estoc.sim.matchup_result import PICTURES, MatchupResult
from estoc.sim.matchup_rows import NO_RATING, rows_of
from estoc.sim.method import SAMPLED, Method
from estoc.sim.params import Options, checked_seed, checked_trials, estoc_version
from estoc.sim.result import Row
from estoc.sim.sampling import Progress

TRIALS = 1_000  # battles of two entrants


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
) -> MatchupResult:
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
    MatchupResult
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
    losses: tuple[str, str] | None = None,
    picture: str = PICTURES[0],
) -> MatchupResult:
    """Return which entrant wins against which.

    Parameters
    ----------
    question : MatchupQuestion
    how : Method
        From `sampled`.
    threads, progress, partial
        As in `estoc.sim.matchup_play.play`.
    losses, picture
        As of `MatchupResult`.

    Returns
    -------
    MatchupResult
        Rows by ``section``: ``score`` (every entrant against every other, and itself), ``field``,
        ``list`` and ``policy`` (against all others), ``reply`` (the other who beats it most),
        ``mix`` (how often to bring each where everyone brings his best), ``cycle`` (rings of
        entrants that beat each other round), ``rating`` and its ``fit``, ``loss`` (fighters lost
        and their PA, exactly and at least so many). A score is what is won and half of what is
        drawn; ``shown`` says whether its interval shows that it is not one half: of a reply and
        of a ring at the level of all meetings together (Bonferroni).
    """
    assert how.trials is not None
    assert how.seed is not None
    asked = None if losses is None else _labels(question, losses)
    judge = Judge((how.trials // 2,), never)
    played = play(question, judge, how.seed, threads=threads, progress=progress, partial=partial)
    rows = list(rows_of(question, played, how.seed))
    origin = _origin(question, how)
    rated = any(row["section"] in ("rating", "fit") for row in rows) or not played.whole
    notes = (*question.remarks(), *(() if rated else (NO_RATING,)))
    return MatchupResult(
        "matchup",
        [{**row, **origin} for row in rows],
        question.title,
        notes=notes,
        assumed=question.assumed,
        readings=question.readings,
        command=origin["command"],
        stopped="" if played.whole else f"{_battles(played):,} battles",
        losses=asked,
        picture=picture,
    )


def _labels(question: MatchupQuestion, names: tuple[str, str]) -> tuple[str, str]:
    """Return the labels of two entrants that are told by these or by their numbers."""
    one, other = (find_entrant(name, question.entrants) for name in names)
    if one == other:
        raise InputError(f'matchup: --losses are those of two: "{names[0]}" is named twice')
    return question.labels[one], question.labels[other]


def _battles(played: Played) -> int:
    return sum(meeting.battles for meeting in played.meetings.values())


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
