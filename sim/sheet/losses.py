"""Activations lost by cause, whether a wing still attacks, and one such trial told (8, D4)."""

from collections.abc import Sequence

from ...kernels.layout.sheet import MAX_LOG, End, Order
from ...kernels.sheet.trials import SheetCounts, What
from ...profiles.errors import InputError
from ...profiles.letters import fold
from ...profiles.message import say, say_all, say_n
from ...profiles.sheet.pieces import Situation
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import estoc_version
from ..base.result import Result
from ..base.run import USUAL_RUN, Run, runs_fixed
from .counters import Labels
from .open import open_note
from .question import Askable, SheetQuestion, piece_of, question_of, side_of, wing_of
from .runs import ORIGIN, Measure, Task, cells, driven, note, provenance
from .words import entries_of, lines_of

LOST = AnswerKind(
    "sheet-lost",
    columns("text", "why activations are lost; all that are lost, all that are routed", "cause")
    + columns("text", "clause of that", "clause")
    + columns("number", "how many there are on average", "mean")
    + columns("number", "end of its interval", "low", "high")
    + columns("text", "the mean as a fraction, where it is exact", "exact")
    + columns("text", "side that loses them", "side"),
    origin=ORIGIN,
    text="sheet.table:lost_blocks",
    sentences="report.words:of_means",
)

WING = AnswerKind(
    "sheet-wing",
    columns("whole", "how many pieces the wing has lost", "losses")
    + columns("text", "piece that it loses then", "lost")
    + columns("number", "chance that the wing attacks", "attack_mean")
    + columns("number", "end of its interval", "attack_low", "attack_high")
    + columns("text", "the chance as a fraction, where it is exact", "attack_exact")
    + columns("number", "pieces that its order binds on average", "bound_mean")
    + columns("number", "end of its interval", "bound_low", "bound_high")
    + columns("text", "the mean as a fraction, where it is exact", "bound_exact")
    + columns("text", "the wing", "wing"),
    origin=ORIGIN,
    text="sheet.table:wing_blocks",
)

REPLAY = AnswerKind(
    "sheet-replay",
    columns("whole", "number of the event, from 0", "step")
    + columns("text", "the event in words", "text")
    + columns("long", "seed of the run", "seed")
    + columns("whole", "number of the trial", "trial"),
    origin=origin_columns("inputs", "version"),
    text="sheet.table:replay_blocks",
)

_WING_TESTS = ("rout", "retreat", "demoralisation")


TURNS = Task(What.TURNS)  # what a trial is
CAUSES: dict[End, tuple[str, str]] = say_all(
    {
        End.ROUT: ("A1", "routed: rally or flee"),
        End.FROZEN: ("S2c", "shaken formation frozen"),
        End.FACING: ("A3", "turns to face"),
        End.RETREAT: ("A6", "has to go away"),
        End.HOLE: ("F0", "the sheet says nothing"),
        End.OTHER: ("", "nothing wanted is permitted"),
    }
)
# what whole turns can use
_LOST_TESTS = (
    *("rout", "morale", "engagement", "discipline", "rally", "retreat", "demoralisation"),
    *("effect", "reach"),
)
USED_WORLD = (
    *("stack_limit", "leave_cost", "order_range", "spell_range", "fire_range", "decoys"),
    *("contact_mark", "allowance", "front", "face", "terrain", "outcome"),
)


@runs_fixed
def wing(
    question: Askable,
    name: str | None = None,
    run: Run = USUAL_RUN,
    *,
    losses: Sequence[str] = (),
) -> Result:
    """Return the chance that a wing's order is still Attack as it loses pieces (D4a, D4b).

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    name : str, optional
        If not given, the first that has a leader and attacks, or else that has a leader.
    run : Run
        As in `lost`.
    losses : sequence of str
        Pieces that are destroyed one after the other; if none are named, the leader, then the
        wing's Troops in the order of the file.

    Returns
    -------
    Result
        A row for each loss: ``lost``, chance of ``attack``, and the mean number of the wing's
        Troops that still follow Attack (``bound``), chargers included, whom A4 keeps at it.

    Raises
    ------
    InputError
        If there is no such wing or piece.
    """
    question = question_of(question)
    task = losing(question, name, losses)
    number, victims = task.wing, task.pieces
    runs = driven(question, task, run)
    name, pieces = question.situation.wings[number].name, question.situation.pieces
    more = ["--wing", name]
    if losses:
        more += ["--lose", ",".join(pieces[victim].name for victim in victims)]
    rested = provenance(question, runs.how, "wing", *more, played=False)
    told = {"wing": name, **cells(question, runs.how, rested)}
    rows = []
    for place, victim in enumerate(victims):
        attack, bound = runs.row(_attacks(place)), runs.row(_bound(place))
        rows.append(
            {
                "losses": place + 1,
                "lost": pieces[victim].name,
                **{f"attack_{key}": value for key, value in attack.items()},
                **{f"bound_{key}": value for key, value in bound.items()},
                **told,
            }
        )
    remarks = (*question.remarks(_WING_TESTS, ("front",)), *open_note(question, ()))
    return Result.of(
        WING,
        rows,
        say("wing {} as it loses pieces: {}", name, question.situation.name),
        rested,
        before=(note(runs.how), *remarks),
        stopped=runs.stopped,
    )


def losing(question: SheetQuestion, name: str | None, losses: Sequence[str]) -> Task:
    """Return what a trial is: pieces destroyed one after the other, as `wing` takes them."""
    number = _chosen(question.situation, name)
    return Task(What.LOSE, tuple(_victims(question.situation, number, losses)), number)


def _attacks(place: int) -> Measure:
    return lambda counts: counts.attacks[place]


def _bound(place: int) -> Measure:
    return lambda counts: counts.bound[place]


def _chosen(situation: Situation, name: str | None) -> int:
    if name is not None:
        return wing_of(situation, name)
    led = [number for number, each in enumerate(situation.wings) if each.leader]
    if not led:
        raise InputError("wing: no wing of the situation has a leader; name one with --wing")
    attacking = [number for number in led if situation.wings[number].order == Order.ATTACK]
    return (attacking or led)[0]


def _victims(situation: Situation, wing: int, losses: Sequence[str]) -> list[int]:
    """Return who dies, in order."""
    if losses:
        named = [piece_of(situation, word.strip(), "lose") for word in losses]
        twice = next((number for number in named if named.count(number) > 1), None)
        if twice is not None:
            raise InputError("lose: {} is named twice", situation.pieces[twice].name)
        return named
    own = situation.wings[wing]
    troops = [
        number
        for number, piece in enumerate(situation.pieces)
        if fold(piece.wing) == fold(own.name) and piece.is_troop
    ]
    found = [*([situation.index(own.leader)] if own.leader else []), *troops]
    if not found:
        raise InputError("wing: {} has nobody to lose; name pieces with --lose", own.name)
    return found


@runs_fixed
def lost(question: Askable, run: Run = USUAL_RUN, *, side: str | None = None) -> Result:
    """Return how many activations a side loses in some turns, by cause (8, question 3).

    An activation is lost if the clauses permit none of the actions that the side's player wants.
    Exact by the tape while there are few runs, else sampled.

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    run : Run
        How it is computed, also as keywords (`estoc.sim.base.run.Run`): by method ``exact`` or
        ``mc``; 100,000 trials where sampling is asked for.
    side : str, optional
        The first of the situation if not given.

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
    runs = driven(question, TURNS, run)
    rows = [
        {"cause": text, "clause": clause, **runs.row(_cause(own, cause))}
        for cause, (clause, text) in CAUSES.items()
    ]
    rows.append({"cause": "lost", "clause": "", **runs.row(lost_of(own))})
    rows.append({"cause": "routed", "clause": "", **runs.row(routed_of(own))})
    name = question.situation.sides[own]
    rested = provenance(question, runs.how, "lost", "--side", name)
    told = {"side": name, **cells(question, runs.how, rested)}
    turns = say_n("{} turn", "{} turns", question.turns)
    return Result.of(
        LOST,
        [{**row, **told} for row in rows],
        say("activations that {} loses in {}: {}", name, turns, question.situation.name),
        rested,
        before=(note(runs.how), *assumptions(question)),
        stopped=runs.stopped,
    )


def assumptions(question: SheetQuestion) -> tuple[str, ...]:
    """Return the notes on what an answer about whole turns depends on."""
    remarks = question.remarks(_LOST_TESTS, USED_WORLD)
    return (question.decided(), *remarks, *open_note(question))


def lost_of(side: int) -> Measure:
    """Trials by number of activations that a side loses."""
    return lambda counts: counts.lost[side, End.USED]


def routed_of(side: int) -> Measure:
    """Trials by number of a side's pieces that are routed at the end, or left in rout."""
    return lambda counts: counts.sizes[side]


def _cause(side: int, cause: End) -> Measure:
    return lambda counts: counts.lost[side, cause]


def told_trial(question: SheetQuestion, task: Task, seed: int, trial: int, run: str = "") -> Result:
    """Return one trial of a question about the sheet, event by event."""
    own = question.compiled(seed)
    own.sheets[0]["telling"] = 1
    task.add(own, SheetCounts.none(own.sheets), trial, 1)
    log = entries_of(own.sheets[0])
    labels = Labels.of(question.situation)
    command = f"{run} --trial {trial}" if run else ""
    told = {"seed": seed, "trial": trial, "inputs": question.inputs, "version": estoc_version()}
    rows = [
        {"step": number, "text": line, **told} for number, line in enumerate(lines_of(log, labels))
    ]
    return Result(
        REPLAY,
        rows or [{"step": 0, "text": say("nothing happens"), **told}],
        say("trial {} of seed {}: {}", trial, seed, question.situation.name),
        notes=(say("only the first {} events are told", MAX_LOG),) * (len(log) >= MAX_LOG),
        command=command,
    )
