"""How questions are answered: exactly, by sampling, or both ways."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ...profiles.errors import InputError
from ..base.device import AUTO, GPU, checked_device
from ..base.options import checked_seed, checked_trials, sample_arguments
from ..base.progress import announce_compilation, until_stopped
from ..base.sequence import Stopping, checked_precision, usual_cap
from .chain import chain_of, new_engine
from .exact import Engine, checked_exact, obstacle
from .laws import Law
from .question import Question
from .sampling import (
    CHAIN,
    LITERAL,
    SAMPLERS,
    WORTH,
    Counts,
    Progress,
    check_sampled,
    count_trials,
    literal_kernel,
)
from .score import weights

EXACT, SAMPLED, BOTH = METHODS = ("exact", "mc", "both")

Odds = Law | Counts


@dataclass(frozen=True)
class Method:
    """One way to answer some questions.

    Parameters
    ----------
    name : {"exact", "mc", "both"}
    trials, seed : int, optional
        None for the exact one. With a precision, the most trials.
    note : str
        Why it is not the one that would be taken otherwise.
    precision : float, optional
        At which sampling ends (`estoc.sim.base.sequence.Stopping`).
    sampler : {"literal", "chain"}, optional
        How combats are sampled (`estoc.sim.combat.sampling.count_trials`).
    device : {"auto", "cpu", "gpu"}
        Where they are; no count depends on it.
    """

    name: str
    trials: int | None = None
    seed: int | None = None
    note: str = ""
    precision: float | None = None
    sampler: str | None = None
    device: str = AUTO

    @property
    def stopping(self) -> Stopping:
        """When sampling ends."""
        return Stopping(self.trials or 0, self.precision)

    @property
    def arguments(self) -> list[str]:
        """Precision, trials, seed and sampler as arguments of the command line."""
        return sample_arguments(self.trials, self.seed, self.precision, self.sampler_told)

    @property
    def sampler_told(self) -> str | None:
        """The sampler, if a command line has to tell it."""
        return self.sampler if self.sampler == CHAIN else None

    @property
    def exact(self) -> bool:
        """Whether there are exact odds."""
        return self.name != SAMPLED

    @property
    def sampled(self) -> bool:
        """Whether there are sampled odds."""
        return self.name != EXACT


@dataclass(frozen=True)
class Answer:
    """The odds of one question.

    Parameters
    ----------
    question : Question
    law : Law, optional
        Exact odds.
    counts : Counts, optional
        Sampled odds.
    """

    question: Question
    law: Law | None = None
    counts: Counts | None = None

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


def method_of(
    name: str | None,
    trials: int | None,
    seed: int | None,
    usual_trials: int,
    *,
    obstacle: str,
    open_play: bool,
    precision: float | None = None,
) -> Method:
    """Return how to answer a question of any kind.

    Parameters
    ----------
    name : {"exact", "mc", "both"}, optional
        If not given: sampling where trials, a seed or a precision are told, else exact where
        it can be.
    trials, seed : int, optional
    usual_trials : int
        Where neither trials nor a precision are told.
    obstacle : str
        Why there are no exact odds, empty if there are.
    open_play : bool
        Whether somebody plays his best, which only exact odds can find.
    precision : float, optional
        At which sampling ends; after the trials told, or `base.sequence.usual_cap`, at most.

    Raises
    ------
    InputError
        If it cannot be answered so.
    """
    note = ""
    if name is None:
        name = EXACT if trials is None and seed is None and precision is None else SAMPLED
        if name == EXACT and obstacle:
            if open_play:
                raise InputError(f"best play needs exact odds: {obstacle}; take another policy")
            name, note = SAMPLED, f"sampled: {obstacle}"
    if name not in METHODS:
        raise InputError(f'method "{name}" should be one of {", ".join(METHODS)}')
    if name == EXACT:
        if trials is not None or seed is not None:
            raise InputError("method exact has no trials and no seed: drop them, or take both")
        if precision is not None:
            raise InputError("method exact has no precision, it is exact: drop it, or take both")
        return Method(name)
    return sampled_method(name, trials, seed, usual_trials, precision, note)


def sampled_method(
    name: str,
    trials: int | None,
    seed: int | None,
    usual_trials: int,
    precision: float | None = None,
    note: str = "",
) -> Method:
    """Return a method that samples, a fresh seed if none is given; parameters of `method_of`."""
    wanted = most_trials(trials, usual_trials, precision)
    return Method(name, checked_trials(wanted), checked_seed(seed), note, precision)


def most_trials(trials: int | None, usual_trials: int, precision: float | None) -> int:
    """Return the trials at which a run ends at the latest."""
    checked = checked_precision(precision)
    if trials is not None:
        return trials
    return usual_trials if checked is None else usual_cap(checked)


def chosen_method(
    questions: Sequence[Question],
    name: str | None,
    trials: int | None,
    seed: int | None,
    usual_trials: int,
    precision: float | None = None,
    *,
    sampler: str | None = None,
    device: str | None = None,
    totals: bool = False,
) -> Method:
    """Return how to answer questions about combats, as `method_of` does.

    Parameters
    ----------
    questions, name, trials, seed, usual_trials, precision
        As in `method_of`; a sampler told asks for sampling as well.
    sampler : {"literal", "chain"}, optional
    device : {"auto", "cpu", "gpu"}, optional
    totals : bool
        Whether nobody will look at a single trial, or at differences die by die: then chains
        are sampled where no sampler is told and all questions can be chains.

    Raises
    ------
    InputError
        If the questions cannot be answered so.
    """
    reasons = [reason for reason in map(obstacle, questions) if reason]
    open_play = any(policy.open_decisions for q in questions for policy in q.options.policies)
    method = method_of(
        SAMPLED if name is None and sampler is not None else name,
        trials,
        seed,
        usual_trials,
        obstacle=reasons[0] if reasons else "",
        open_play=open_play,
        precision=precision,
    )
    for question in questions:
        question.setup  # noqa: B018  # refuses what a card lacks, before a kernel is compiled
        weights(question)  # refuses a score that cannot be told
        if method.sampled:
            check_sampled(question)
        if method.exact:
            checked_exact(question)
    return _with_sampler(method, questions, sampler, device, totals)


def _with_sampler(
    method: Method,
    questions: Sequence[Question],
    sampler: str | None,
    device: str | None,
    totals: bool,
) -> Method:
    """Return a method with the sampler and the device that it takes."""
    if sampler is not None and sampler not in SAMPLERS:
        raise InputError(f'sampler "{sampler}" should be one of {", ".join(SAMPLERS)}')
    where = checked_device(device)
    if not method.sampled:
        if sampler is not None:
            raise InputError("method exact has no sampler: drop it, or take method mc or both")
        if where == GPU:
            raise InputError("device gpu: exact odds are not sampled; take method mc or both")
        return method
    found = replace(method, sampler=sampler or LITERAL, device=where)
    if sampler == CHAIN and not _can_be_chains(questions):
        more = "it has too many positions, fewer turns or enemies have less"
        why = next(filter(None, map(obstacle, questions)), more)
        raise InputError(f"sampler chain: {why}; take literal")
    if sampler is None and totals and _can_be_chains(questions, method.trials):
        found = replace(found, sampler=CHAIN)
    return found


def _can_be_chains(questions: Sequence[Question], trials: int | None = None) -> bool:
    """Return whether all questions can be chains of draws, worth making for so many trials."""
    if any(map(obstacle, questions)):
        return False
    for kernel in sorted({exact_kernel(question) for question in questions} | {"write_steps"}):
        announce_compilation(kernel)
    engine = new_engine() if trials is None else new_engine(trials // WORTH)
    return all(chain_of(question, engine) is not None for question in questions)


def answers(
    questions: Sequence[Question],
    method: Method,
    *,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> list[Answer]:
    """Return the odds of some questions.

    Parameters
    ----------
    questions : sequence of Question
    method : Method
    threads, chunk, progress, partial
        As in `estoc.sim.combat.sampling.count_trials`; progress is told of an exact answer as of
        one trial, where no trials are played.
    """
    for kernel in _kernels(questions, method):
        announce_compilation(kernel)
    laws: list[Law | None] = [None] * len(questions)
    counts: list[Counts | None] = [None] * len(questions)
    told = None if method.sampled else progress
    if method.exact:
        for index, law in enumerate(_laws(questions, told, partial)):
            laws[index] = law
    if method.sampled and not (method.exact and None in laws):
        assert method.trials is not None
        assert method.seed is not None
        counts = list(
            count_trials(
                questions,
                method.trials,
                method.seed,
                precision=method.precision,
                threads=threads,
                chunk=chunk,
                progress=progress,
                partial=partial,
                sampler=method.sampler or LITERAL,
                device=method.device,
            )
        )
    return [Answer(*found) for found in zip(questions, laws, counts, strict=True)]


def _kernels(questions: Sequence[Question], method: Method) -> list[str]:
    """Return the kernels that answer questions."""
    found = sorted({exact_kernel(question) for question in questions})
    if method.sampler != LITERAL:  # a chain was made before, what draws from it is small
        return found * method.exact
    counting = {literal_kernel(question.setup, method.trials or 0) for question in questions}
    return found * method.exact + sorted(counting)


def exact_kernel(question: Question) -> str:
    """Return the kernel that works out exact odds."""
    if question.able:
        return "solve_feats"
    if len(question.fighters) > 2:
        return "solve_combat"
    best_play = any(policy.open_decisions for policy in question.options.policies)
    return "solve_duel" if best_play else "duel_law"


def _laws(
    questions: Sequence[Question], progress: Callable[[int], None] | None, partial: bool
) -> Iterator[Law]:
    """Yield exact odds; with ``partial`` those found before Ctrl-C."""
    engine = Engine()
    with until_stopped(partial):
        for question in questions:
            yield engine.law(question)
            if progress is not None:
                progress(1)
