"""`estoc replay`: one trial of a run, a phase or a battle, told."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ....profiles.errors import InputError
from ....profiles.message import joined, say, say_n
from ...ask.commands import COMMANDS
from ...ask.output import Output, tell
from ...base.options import checked_seed, quoted
from ...base.run import Run
from ...combat.method import most_trials
from ..help import Command, Number
from ..options import output_options
from ..requests import asked, command

if TYPE_CHECKING:
    from ...battle.question import BattleQuestion
    from ...combat.question import Question
    from ...phases.card_question import CardQuestion

_TOLD = ("duel", "combat", "cards", "battle")


@click.command(cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("made_by", nargs=-1, required=True, type=click.UNPROCESSED, metavar="WHAT…")
@click.option("--trial", type=Number(int), required=True, help="Number of the trial, from 0.")
@click.option("--row", type=Number(int), default=1, show_default=True, help="Row of a result file.")
@click.option(
    "--plot",
    type=click.Path(),
    metavar="DIR|FILE.gif",
    help="Draw a battle turn by turn: pictures in a folder, or an animation.",
)
@output_options
def replay(
    made_by: tuple[str, ...],
    trial: int,
    row: int,
    plot: str | None,
    form: str | None,
    output: str | None,
) -> None:
    """Print one trial of a run, die by die, one activation phase of it, or one battle.

    WHAT is a result file (.csv, .json, .parquet), or the command that made the run, with
    its --seed; of a battle, its SCENARIO is enough. With --format json, a battle is a list
    of its steps.

    \b
    estoc replay table.parquet --row 3 --trial 17
    estoc replay duel "garde prétorien" "guerrier de l'aube" --seed 5 --trial 17
    estoc replay ambush --seed 5 --trial 17 --plot battle.gif
    """
    from ...base.result import SUFFIXES, command_of
    from ...battle.question import BattleQuestion
    from ...combat.transcript import replay as replayed
    from ...phases.card_question import CardQuestion
    from ...phases.cards import transcript

    place = Output(form, output)
    inputs = None
    if len(made_by) == 1 and Path(made_by[0]).suffix.lower() in SUFFIXES:
        made_by, inputs = command_of(made_by[0], row)
    made_by = made_by[made_by[:1] == ("estoc",) :]
    if made_by[:1] == ("sheet",):
        if plot:
            raise InputError("replay: --plot draws battles; estoc sheet map draws a situation")
        replay_sheet(made_by[1:], inputs, trial, place)
        return
    question, seed, trials = question_of(made_by)
    if trial >= trials:
        raise InputError("trial {}: the run has trials 0 to {}", trial, trials - 1)
    if inputs not in (None, question.inputs):
        raise InputError(
            "the fighters or the edition are not those of the result any more: {}",
            joined(" ", made_by),
        )
    if isinstance(question, BattleQuestion):
        deliver_battle(question, seed, trial, place, plot)
        return
    if plot:
        raise InputError("replay: --plot draws battles; duel, combat and cards have their own")
    if isinstance(question, CardQuestion):
        place.deliver(transcript(question, seed, trial))
        return
    place.deliver(replayed(question, seed, trial))


def deliver_battle(
    question: "BattleQuestion", seed: int, trial: int, place: Output, plot: str | None
) -> None:
    """Print or write one battle, and draw it."""
    from ...battle.film import check_film, save_film
    from ...battle.steps import transcript

    if plot:
        check_film(plot)
    result = transcript(question, seed, trial)
    place.deliver(result)
    if plot:
        tell(
            say(
                "drew {}, {}",
                plot,
                say_n("{} picture", "{} pictures", save_film(result.steps, plot)),
            )
        )


def question_of(
    words: tuple[str, ...],
) -> tuple["Question | CardQuestion | BattleQuestion", int, int]:
    """Return the question that a command asks, its seed and its trials."""
    from ....profiles.files.toml import shipped_names

    words = words[words[:1] == ("estoc",) :]
    if words and (words[0].endswith(".toml") or words[0] in shipped_names("scenario")):
        words = ("battle", *words)
    if not words or words[0] not in _TOLD:
        raise InputError(
            'replay: "{}" should be duel, combat, cards or battle with its arguments, a '
            "scenario, or a result file; of a sweep, give the file and --row",
            joined(" ", words[:1]),
        )
    request, run = _parsed(words[0], words[1:])
    if run.sampler == "chain":
        raise InputError(
            "replay: a chain of draws has no dice to tell; sample with --sampler literal"
        )
    return request.question, _seed(run), most_trials(run, request.bar().usual_trials)


def _parsed(name: str, words: tuple[str, ...]) -> tuple[Any, Run]:
    """Return the request of a command line, and how it was answered."""
    model = COMMANDS[name]
    made = command(model, name.split()[-1])
    return asked(model, made.make_context(name, list(words)).params, name)


def _seed(run: Run) -> int:
    """Return the seed that a command was given; without one there is no trial to tell."""
    if run.seed is None:
        raise InputError(
            "replay: give the --seed that the run printed; exact odds have no trials to replay"
        )
    return checked_seed(run.seed)


def replay_sheet(words: tuple[str, ...], inputs: str | None, trial: int, place: Output) -> None:
    """Print one trial of a question about the sheet, event by event."""
    from ...sheet.losses import TURNS, losing, told_trial
    from ...sheet.runs import TRIALS

    if not words or words[0] not in ("lost", "wing"):
        raise InputError(
            'replay: sheet "{}" should be sheet lost or sheet wing', joined(" ", words[:1])
        )
    request, run = _parsed(" ".join(("sheet", words[0])), words[1:])
    seed = _seed(run)
    trials = TRIALS if run.trials is None else run.trials
    if not 0 <= trial < trials:
        raise InputError("trial {}: the run has trials 0 to {}", trial, trials - 1)
    question = request.question
    if inputs not in (None, question.inputs):
        raise InputError(
            "the situation or its values are not those of the result any more: {}",
            joined(" ", words),
        )
    task = TURNS if words[0] == "lost" else losing(question, request.wing, request.lose)
    again = " ".join(map(quoted, ("estoc", "replay", "sheet", *words)))
    place.deliver(told_trial(question, task, seed, trial, again))
