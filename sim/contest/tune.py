"""A policy for battles made better by playing, and what it gained on fresh trials."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...profiles.armies.tuned_policy import TunedPolicy
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say
from ..base.answer import COUNTED, PLAYED, SECTION, AnswerKind, columns, estimates, origin_columns
from ..base.libraries import check_installed
from ..base.options import quoted
from ..base.result import Result, Row
from ..base.run import SAMPLED, USUAL_RUN, Provenance, Run, runs_watched
from ..battle.question import BattleQuestion
from .compare import CHANCE, DIFFERING, MEASURES, gain_cells, share_ends
from .paired import SCORE, Paired
from .search import Generation, search
from .training import Trainer, bouts, gained, worth_in

TUNE = AnswerKind(
    "tune",
    SECTION
    + columns("text", "parameter, generation, outcome or figure", "what")
    + columns("text", "what the parameter is, or the best values", "text")
    + COUNTED
    + estimates(say("value that was found, or a mean"), "value", unit="")
    + columns("number", "value at which the search started", "start")
    + columns("number", "least and most that it may be", "low", "high")
    + columns("number", "how far candidates lay apart", "spread")
    + CHANCE
    + DIFFERING,
    origin=PLAYED
    + origin_columns("method", "policy", "edition", "seed")
    + columns("long", "seed of the trials that compare both", "fresh_seed")
    + origin_columns("assumed", "readings", "version", "command"),
    text="contest.tune_table:blocks",
)

POLICIES = ("untuned", "tuned")
OUTCOMES = ("wins", "losses", "draws")


@runs_watched
def tune(trainer: Trainer, run: Run = USUAL_RUN, *, roster: Roster | None = None) -> "Tuned":
    """Return a policy with better parameters, how they were found and what they gain.

    Parameters
    ----------
    trainer : Trainer
    run : Run
        Threads, and who is told of the battles that have been fought. If it may be partial, Ctrl-C
        ends the search and keeps what was found; a second one ends the fresh trials.
    roster : Roster, optional
        Where fighters are looked up.

    Returns
    -------
    Tuned
        Rows by ``section``: ``parameter``, ``generation`` (score of its candidates: the mean and,
        in ``value_high``, the best), ``untuned`` and ``tuned`` (fresh battles won, lost, drawn, and
        the score), ``gain`` (tuned less untuned, paired).
    """
    check_installed("cma", "tune")
    fought = bouts(trainer, roster)
    generations = search(
        trainer.parameters,
        trainer.start,
        worth_in(trainer, fought, run),
        generations=trainer.generations,
        candidates=trainer.candidates,
        seed=trainer.seed,
        spread=trainer.spread,
        partial=run.partial,
    )
    tuned = trainer.named(generations[-1].values if generations else trainer.start)
    counts = None
    if generations:
        counts = gained(trainer, fought, tuned, run)
    questions = [question for bout in fought for question in bout.contest.questions]
    return _result(trainer, tuned, generations, counts, questions)


@dataclass(frozen=True)
class Tuned(Result):
    """A tuned policy: rows, and the file that keeps it."""

    policy: TunedPolicy | None = None  # None if the search was stopped before anything was found


def _result(
    trainer: Trainer,
    tuned: TunedPolicy,
    generations: Sequence[Generation],
    counts: Paired | None,
    questions: Sequence[BattleQuestion],
) -> Tuned:
    assumed = tuple(dict.fromkeys(key for q in questions for key in q.assumed))
    readings = tuple(dict.fromkeys(clause for q in questions for clause in q.readings))
    told = ["estoc", "tune", *trainer.words, "--seed", str(trainer.seed)]
    provenance = Provenance(
        trainer.policy,
        questions[0].edition.name,
        assumed=assumed,
        readings=readings,
        command=" ".join(map(quoted, told)) if trainer.words else "",
    )
    cells = provenance.cells(method=SAMPLED, seed=trainer.seed, fresh_seed=trainer.fresh_seed)
    policy = replace(tuned, found=tuple(_found(trainer, generations, counts, cells).items()))
    rows = [*_parameters(trainer, tuned), *_history(generations)]
    if counts is not None:
        rows += _gains(counts)
    done = counts.trials if counts else 0
    stopped = ""
    if len(generations) < trainer.generations:
        stopped = say("{:,} of {:,} generations", len(generations), trainer.generations)
    elif done < trainer.fresh:
        stopped = say("{:,} of {:,} fresh trials", done, trainer.fresh)
    return Tuned.of(
        TUNE,
        [{**row, "trials": done or (None if generations else 0), **cells} for row in rows],
        say("{} tuned against {}", trainer.policy, joined(say(" and "), trainer.against)),
        provenance,
        stopped=stopped,
        policy=policy if generations else None,
    )


def _found(
    trainer: Trainer, generations: Sequence[Generation], counts: Paired | None, cells: Row
) -> dict[str, Any]:
    """Return how parameters were found, as the file says it."""
    found: dict[str, Any] = {
        "command": cells["command"],
        "version": cells["version"],
        "seed": trainer.seed,
        "generations": len(generations),
        "candidates": trainer.candidates,
        "trials": trainer.trials,
        "spread": trainer.spread,
        "against": list(trainer.against),
        "battles": [" ".join(setting.arguments()) for setting in trainer.battles],
    }
    if counts is not None:
        gain = counts.gain(SCORE)
        found |= {"fresh_seed": trainer.fresh_seed, "fresh_trials": counts.trials}
        found |= {"gain": gain.value, "gain_low": gain.low, "gain_high": gain.high}
    return found


def _parameters(trainer: Trainer, tuned: TunedPolicy) -> Iterator[Row]:
    values = dict(tuned.parameters)
    for p in trainer.parameters:
        cells = {"start": trainer.start[p.name], "low": p.low, "high": p.high}
        yield TUNE.row("parameter", p.name, text=p.text, value=values[p.name], **cells)


def _history(generations: Sequence[Generation]) -> Iterator[Row]:
    for generation in generations:
        text = ",".join(f"{name}={value:g}" for name, value in generation.values.items())
        cells = {"value": generation.mean, "value_high": generation.best}
        yield TUNE.row(
            "generation", str(generation.number), text=text, spread=generation.spread, **cells
        )


def _gains(counts: Paired) -> Iterator[Row]:
    battles = counts.trials * counts.ways
    for contest, name in enumerate(POLICIES):
        for what, count in zip(OUTCOMES, counts.outcomes[contest].tolist(), strict=True):
            yield TUNE.row(name, what, count=count, p=count / battles, **share_ends(count, counts))
        for what, measure in MEASURES.items():
            yield TUNE.row(name, what, value=counts.mean(contest, measure))
    for what, measure in MEASURES.items():
        yield TUNE.row("gain", what, **gain_cells(counts.gain(measure)))
