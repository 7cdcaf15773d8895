"""How questions are answered: exactly, by sampling, or both ways."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.device import AUTO, GPU, checked_device
from ..base.options import checked_seed, checked_trials
from ..base.run import CHAIN, EXACT, LITERAL, SAMPLED, USUAL_RUN, Method, Run, until_stopped
from ..base.sequence import checked_precision, usual_cap
from .chain import chain_of, new_engine
from .exact import Engine, checked_exact
from .laws import Law, weights
from .question import Question
from .sampling import WORTH, Counts, check_sampled, count_trials

Odds = Law | Counts


@dataclass(frozen=True)
class Answer:
    """The odds of one question."""

    question: Question
    law: Law | None = None  # exact odds
    counts: Counts | None = None  # sampled odds

    @property
    def odds(self) -> tuple[Odds, ...]:
        """The odds there are, exact ones first."""
        return tuple(odds for odds in (self.law, self.counts) if odds is not None)

    def is_whole(self, method: Method) -> bool:
        """Whether nothing is missing of what was asked for."""
        counted = self.counts is not None and (
            self.counts.trials == method.trials or self.counts.reached
        )
        return (self.law is not None or not method.exact) and (counted or not method.sampled)


def method_of(run: Run, usual_trials: int, *, obstacle: str, open_play: bool) -> Method:
    """Return how to answer a question of any kind.

    ``obstacle`` says why there are no exact odds; ``open_play``: somebody plays his best, which
    only exact odds can find.
    """
    note, name = "", run.method or (SAMPLED if run.asks_to_sample else EXACT)
    if run.method is None and name == EXACT and obstacle:
        if open_play:
            raise InputError("best play needs exact odds: {}; take another policy", obstacle)
        name, note = SAMPLED, say("sampled: {}", obstacle)
    if name == EXACT:
        if run.trials is not None or run.seed is not None:
            raise InputError("method exact has no trials and no seed: drop them, or take both")
        if run.precision is not None:
            raise InputError("method exact has no precision, it is exact: drop it, or take both")
        return Method(name)
    return sampled_method(run, usual_trials, name, note)


def sampled_method(run: Run, usual_trials: int, name: str = SAMPLED, note: str = "") -> Method:
    """Return a method that samples; its seed is the run's, its usual one or a fresh one."""
    trials = checked_trials(most_trials(run, usual_trials))
    seed = checked_seed(run.seed, run.usual_seed)
    return Method(name, trials, seed, note, run.precision)


def most_trials(run: Run, usual: int) -> int:
    """Return the trials at which a run ends at the latest."""
    precision = checked_precision(run.precision)
    if run.trials is not None:
        return run.trials
    return usual if precision is None else usual_cap(precision)


def chosen_method(
    questions: Sequence[Question], run: Run, usual_trials: int, *, totals: bool = False
) -> Method:
    """Return how to answer questions about combats, as `method_of` does.

    ``totals``: nobody will look at a single trial; then chains are sampled where all can be.
    """
    reasons = [q.obstacle for q in questions if q.obstacle]
    open_play = any(policy.open_decisions for q in questions for policy in q.options.policies)
    method = method_of(
        run, usual_trials, obstacle=reasons[0] if reasons else "", open_play=open_play
    )
    for question in questions:
        question.setup  # noqa: B018  # refuses what a card lacks, before a kernel is compiled
        weights(question)  # refuses a score that cannot be told
        if method.sampled:
            check_sampled(question)
        if method.exact:
            checked_exact(question)
    return _with_sampler(method, questions, run, totals)


def _with_sampler(method: Method, questions: Sequence[Question], run: Run, totals: bool) -> Method:
    """Return a method with the sampler and the device that it takes."""
    sampler, where = run.sampler, run.device and checked_device(run.device)
    if not method.sampled:
        if sampler is not None:
            raise InputError("method exact has no sampler: drop it, or take method mc or both")
        if where == GPU:
            raise InputError("device gpu: exact odds are not sampled; take method mc or both")
        return method
    found = replace(method, sampler=sampler or LITERAL, device=where or AUTO)
    if sampler == CHAIN and not _can_be_chains(questions):
        more = say("it has too many positions, fewer turns or enemies have less")
        why = next((q.obstacle for q in questions if q.obstacle), more)
        raise InputError("sampler chain: {}; take literal", why)
    if sampler is None and totals and _can_be_chains(questions, method.trials):
        found = replace(found, sampler=CHAIN)
    return found


def _can_be_chains(questions: Sequence[Question], trials: int | None = None) -> bool:
    """Return whether all questions can be chains of draws, worth making for so many trials."""
    if any(question.obstacle for question in questions):
        return False
    engine = new_engine() if trials is None else new_engine(trials // WORTH)
    return all(chain_of(question, engine) is not None for question in questions)


def answers(questions: Sequence[Question], how: Method, run: Run = USUAL_RUN) -> list[Answer]:
    """Return the odds of some questions.

    Progress is told of an exact answer as of one trial, where no trials are played.
    """
    laws: list[Law | None] = [None] * len(questions)
    counts: list[Counts | None] = [None] * len(questions)
    if how.exact:
        exactly = run.but(progress=None) if how.sampled else run
        for index, law in enumerate(_laws(questions, exactly)):
            laws[index] = law
    if how.sampled and not (how.exact and None in laws):
        counts = list(count_trials(questions, how, run))
    return [Answer(*found) for found in zip(questions, laws, counts, strict=True)]


def _laws(questions: Sequence[Question], run: Run) -> Iterator[Law]:
    """Yield exact odds; of a partial run those found before Ctrl-C."""
    engine = Engine()
    with until_stopped(run.partial):
        for question in questions:
            yield engine.law(question)
            run.advance(1)
