"""Activations lost by cause, and how many are routed: turns of a situation played (8)."""

from estoc.kernels.sheet_codes import End
from estoc.kernels.sheet_trials import What
from estoc.sim.result import Result
from estoc.sim.sampling import Progress
from estoc.sim.sheet_open import open_note
from estoc.sim.sheet_question import Askable, SheetQuestion, question_of, side_of
from estoc.sim.sheet_runs import Measure, driven
from estoc.sim.sheet_tape import Task

TURNS = Task(What.TURNS)  # what a trial is
CAUSES: dict[End, tuple[str, str]] = {
    End.ROUT: ("A1", "routed: rally or flee"),
    End.FROZEN: ("S2c", "shaken formation frozen"),
    End.FACING: ("A3", "turns to face"),
    End.RETREAT: ("A6", "has to go away"),
    End.HOLE: ("F0", "the sheet says nothing"),
    End.OTHER: ("", "nothing wanted is permitted"),
}
# what whole turns can use
USED_TESTS = (
    *("rout", "morale", "engagement", "discipline", "rally", "retreat", "demoralisation"),
    *("effect", "reach"),
)
USED_WORLD = (
    *("stack_limit", "leave_cost", "order_range", "spell_range", "fire_range", "decoys"),
    *("contact_mark", "allowance", "front", "face", "terrain", "outcome"),
)


def lost(
    question: Askable,
    *,
    side: str | None = None,
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Return how many activations a side loses in some turns, by cause (8, question 3).

    An activation is lost if the clauses permit none of the actions that the side's player wants.
    Exact by the tape while there are few runs, else sampled.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    side : str, optional
        The first of the situation if not given.
    method : {"exact", "mc"}, optional
    trials, seed, threads : int, optional
    progress : callable, optional
    partial : bool
        Whether Ctrl-C gives the answer of the trials done so far.

    Returns
    -------
    Result
        A row for each cause, one for all (``lost``), one for the side's pieces that are routed
        at the end or left in rout (``routed``): ``mean``, its 95 % interval, ``exact`` as a
        fraction. None: no trial was done.

    Raises
    ------
    InputError
        If the side is unknown, or exact odds are asked for of what has too many runs.
    """
    question = question_of(question)
    own = side_of(question.situation, side)
    runs = driven(question, TURNS, method, trials, seed, threads, progress, partial)
    rows = [
        {"cause": text, "clause": clause, **runs.row(_cause(own, cause))}
        for cause, (clause, text) in CAUSES.items()
    ]
    rows.append({"cause": "lost", "clause": "", **runs.row(lost_of(own))})
    rows.append({"cause": "routed", "clause": "", **runs.row(routed_of(own))})
    name = question.situation.sides[own]
    command = question.command("lost", "--side", name, *runs.arguments)
    told = {"side": name, **runs.told(question), "command": command}
    turns = "1 turn" if question.turns == 1 else f"{question.turns} turns"
    return Result(
        "sheet-lost",
        [{**row, **told} for row in rows],
        f"activations that {name} loses in {turns}: {question.situation.name}",
        notes=(runs.note, *assumptions(question)),
        command=command,
        stopped=runs.stopped,
    )


def assumptions(question: SheetQuestion) -> tuple[str, ...]:
    """Return the notes on what an answer about whole turns depends on."""
    remarks = question.remarks(USED_TESTS, USED_WORLD)
    return (question.decided(), *remarks, *open_note(question))


def lost_of(side: int) -> Measure:
    """Trials by number of activations that a side loses."""
    return lambda counts: counts.lost[side, End.USED]


def routed_of(side: int) -> Measure:
    """Trials by number of a side's pieces that are routed at the end, or left in rout."""
    return lambda counts: counts.sizes[side]


def _cause(side: int, cause: End) -> Measure:
    return lambda counts: counts.lost[side, cause]
