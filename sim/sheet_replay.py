"""One trial of a question about the sheet told event by event, as it was rolled."""

from collections.abc import Sequence

from estoc.kernels.sheet_codes import MAX_LOG
from estoc.kernels.sheet_trials import SheetCounts
from estoc.sim.params import estoc_version
from estoc.sim.result import Result
from estoc.sim.sheet_counter import Labels
from estoc.sim.sheet_log import Entry, entries_of, lines_of
from estoc.sim.sheet_question import SheetQuestion
from estoc.sim.sheet_tape import Task


def told_trial(question: SheetQuestion, task: Task, seed: int, trial: int, run: str = "") -> Result:
    """Return one trial of a question about the sheet, event by event.

    Parameters
    ----------
    question : SheetQuestion
    task : Task
        What each of its trials runs.
    seed, trial : int
    run : str
        The command that tells trials of it, without ``--trial``; nothing if not given.

    Returns
    -------
    Result
        A row for each line: ``step``, and its ``text``.
    """
    own = question.compiled(seed)
    own.sheets[0]["telling"] = 1
    task.add(own, SheetCounts(own.sheets), trial, 1)
    log = entries_of(own.sheets[0])
    labels = Labels.of(question.situation)
    command = f"{run} --trial {trial}" if run else ""
    told = {"seed": seed, "trial": trial, "inputs": question.inputs, "version": estoc_version()}
    rows = [
        {"step": number, "text": line, **told} for number, line in enumerate(lines_of(log, labels))
    ]
    return Result(
        "sheet-replay",
        rows or [{"step": 0, "text": "nothing happens", **told}],
        f"trial {trial} of seed {seed}: {question.situation.name}",
        notes=_cut(log),
        command=command,
    )


def _cut(log: Sequence[Entry]) -> tuple[str, ...]:
    """Return the note on a log that was full."""
    return (f"only the first {MAX_LOG} events are told",) if len(log) >= MAX_LOG else ()
