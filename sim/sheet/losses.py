"""Whether a wing still attacks after its leader dies and after each further loss (8, D4)."""

from collections.abc import Sequence

from estoc.kernels.sheet_codes import Order
from estoc.kernels.sheet_trials import What
from estoc.profiles import InputError
from estoc.profiles.names import fold
from estoc.profiles.pieces import Situation
from estoc.sim.result import Result
from estoc.sim.sampling import Progress
from estoc.sim.sheet_open import open_note
from estoc.sim.sheet_question import Askable, SheetQuestion, piece_of, question_of, wing_of
from estoc.sim.sheet_runs import Measure, driven
from estoc.sim.sheet_tape import Task

USED_TESTS = ("rout", "retreat", "demoralisation")


def wing(
    question: Askable,
    name: str | None = None,
    *,
    losses: Sequence[str] = (),
    method: str | None = None,
    trials: int | None = None,
    seed: int | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Return the chance that a wing's order is still Attack as it loses pieces (D4a, D4b).

    Parameters
    ----------
    question : SheetQuestion, Situation, str or Path
        A situation by name or file: as it stands, with the shipped values.
    name : str, optional
        If not given, the first that has a leader and attacks, or else that has a leader.
    losses : sequence of str
        Pieces that are destroyed one after the other; if none are named, the leader, then the
        wing's Troops in the order of the file.
    method, trials, seed, threads, progress, partial
        As in `estoc.sim.sheet_lost.lost`.

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
    runs = driven(question, task, method, trials, seed, threads, progress, partial)
    name, pieces = question.situation.wings[number].name, question.situation.pieces
    more = ["--wing", name]
    if losses:
        more += ["--lose", ",".join(pieces[victim].name for victim in victims)]
    command = question.command("wing", *more, *runs.arguments, played=False)
    told = {"wing": name, **runs.told(question), "command": command}
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
    return Result(
        "sheet-wing",
        rows,
        f"wing {name} as it loses pieces: {question.situation.name}",
        notes=(runs.note, *question.remarks(USED_TESTS, ("front",)), *open_note(question, ())),
        command=command,
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
            raise InputError(f"lose: {situation.pieces[twice].name} is named twice")
        return named
    own = situation.wings[wing]
    troops = [
        number
        for number, piece in enumerate(situation.pieces)
        if fold(piece.wing) == fold(own.name) and piece.is_troop
    ]
    found = [*([situation.index(own.leader)] if own.leader else []), *troops]
    if not found:
        raise InputError(f"wing: {own.name} has nobody to lose; name pieces with --lose")
    return found
