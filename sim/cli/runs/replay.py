"""`estoc replay`: one trial of a run, a phase or a battle, told."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..battle.battle import battle
from ..battle.cards import cards
from ..combat.combat import combat
from ..combat.duel import duel
from ..help import Command
from ..options import output_options
from ..sheet.sheet import sheet_lost, sheet_wing

if TYPE_CHECKING:
    from ...ask.output import Output
    from ...battle.question import BattleQuestion
    from ...combat.question import Question
    from ...phases.card_question import CardQuestion


@click.command(cls=Command, context_settings={"ignore_unknown_options": True})
@click.argument("made_by", nargs=-1, required=True, type=click.UNPROCESSED, metavar="WHAT…")
@click.option("--trial", type=int, required=True, help="Number of the trial, from 0.")
@click.option("--row", type=int, default=1, show_default=True, help="Row of a result file.")
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
    from ....profiles.errors import InputError
    from ...ask.output import Output
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
        raise InputError(f"trial {trial}: the run has trials 0 to {trials - 1}")
    if inputs not in (None, question.inputs):
        raise InputError(
            f"the fighters or the edition are not those of the result any more: {' '.join(made_by)}"
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
    question: "BattleQuestion", seed: int, trial: int, place: "Output", plot: str | None
) -> None:
    """Print or write one battle, and draw it."""
    from ...ask.output import tell
    from ...base.naming import plural
    from ...battle.battle import transcript
    from ...battle.film import check_film, save_film

    if plot:
        check_film(plot)
    result = transcript(question, seed, trial)
    place.deliver(result)
    if plot:
        tell(f"drew {plot}, {plural(save_film(result.steps, plot), 'picture')}")


def question_of(
    words: tuple[str, ...],
) -> tuple["Question | CardQuestion | BattleQuestion", int, int]:
    """Return the question that a command asks, its seed and its trials."""
    from ....profiles.errors import InputError
    from ....profiles.files.toml import shipped_names
    from ...ask.asking import battle_question, card_question, read_options, run_of
    from ...base.options import sides_of
    from ...battle import battle as battles
    from ...combat.combat import TRIALS, ask, profiles_of
    from ...combat.duel import pairing, parsed_pair
    from ...combat.method import most_trials
    from ...phases import cards as activation

    commands = {"duel": duel, "combat": combat, "cards": cards, "battle": battle}
    words = words[words[:1] == ("estoc",) :]
    if words and (words[0].endswith(".toml") or words[0] in shipped_names("scenario")):
        words = ("battle", *words)
    if not words or words[0] not in commands:
        raise InputError(
            f'replay: "{" ".join(words[:1])}" should be duel, combat, cards or battle with its '
            "arguments, a scenario, or a result file; of a sweep, give the file and --row"
        )
    asked = commands[words[0]].make_context(words[0], list(words[1:])).params
    seed = seed_to_replay(asked)
    if asked.get("sampler") == "chain":
        raise InputError(
            "replay: a chain of draws has no dice to tell; sample with --sampler literal"
        )
    usual = {"battle": battles.TRIALS, "cards": activation.TRIALS}.get(words[0], TRIALS)
    trials = most_trials(run_of(asked), usual)
    if words[0] == "battle":
        return battle_question(asked), seed, trials
    if words[0] == "cards":
        return card_question(asked), seed, trials
    options, roster = read_options(asked)
    if words[0] == "combat":
        a, b = sides_of(asked["fighters_met"])
        return ask(profiles_of(a, roster), profiles_of(b, roster), options), seed, trials
    one, other = profiles_of([asked["a"], asked["b"]], roster)
    return pairing(one, other, options, parsed_pair(asked["dice"])), seed, trials


def seed_to_replay(asked: dict[str, Any]) -> int:
    """Return the seed that a command was given; without one there is no trial to tell."""
    from ....profiles.errors import InputError
    from ...base.options import checked_seed

    if asked["seed"] is None:
        raise InputError(
            "replay: give the --seed that the run printed; exact odds have no trials to replay"
        )
    return checked_seed(asked["seed"])


def replay_sheet(words: tuple[str, ...], inputs: str | None, trial: int, place: "Output") -> None:
    """Print one trial of a question about the sheet, event by event."""
    from ....profiles.errors import InputError
    from ...ask.asking import asked_sheet
    from ...base.options import quoted
    from ...sheet.losses import TURNS, losing, told_trial
    from ...sheet.runs import TRIALS

    commands = {"lost": sheet_lost, "wing": sheet_wing}
    if not words or words[0] not in commands:
        raise InputError(
            f'replay: sheet "{" ".join(words[:1])}" should be sheet lost or sheet wing'
        )
    asked = commands[words[0]].make_context(words[0], list(words[1:])).params
    seed = seed_to_replay(asked)
    trials = TRIALS if asked["trials"] is None else asked["trials"]
    if not 0 <= trial < trials:
        raise InputError(f"trial {trial}: the run has trials 0 to {trials - 1}")
    question = asked_sheet(asked)
    if inputs not in (None, question.inputs):
        raise InputError(
            f"the situation or its values are not those of the result any more: {' '.join(words)}"
        )
    lose = asked.get("lose")
    losses = lose.split(",") if lose else ()
    task = TURNS if words[0] == "lost" else losing(question, asked["wing"], losses)
    run = " ".join(map(quoted, ("estoc", "replay", "sheet", *words)))
    place.deliver(told_trial(question, task, seed, trial, run))
