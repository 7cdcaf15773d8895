"""One trial of a battle, played and told step by step."""

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.battle import MAX_EVENTS, MAX_TRACK
from ...profiles.armies.scenario import Scenario
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from .log import Decoder, Step
from .opening import opening


def steps_to_json(steps: Sequence[Step]) -> str:
    """Return steps as a JSON list, one step a line."""
    rows = [json.dumps({"step": step.kind, **step.data}, ensure_ascii=False) for step in steps]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def battle_steps(
    battles: NDArray[np.void],
    scenario: Scenario,
    edition: Edition,
    trial: int,
    policies: Sequence[str] = ("", ""),
) -> list[Step]:
    """Play one trial of a battle and return its steps, from the table at the start to the end.

    Parameters
    ----------
    battles : ndarray of BATTLE, shape (1,)
        From `estoc.profiles.compile.battle.compile_battle`; its scratch is overwritten.
    scenario, edition
        What it was compiled from.
    trial : int
    policies : sequence of str
        For the header.

    Raises
    ------
    InputError
        If more happens in the trial than a log holds.
    """
    from ...kernels.battle import trials

    log, complete = trials.tell_battle(battles, trial)
    if not complete:
        raise InputError(f"trial {trial} has more than {MAX_EVENTS} events: ask for fewer turns")
    if battles["tracks"][0] > MAX_TRACK:
        raise InputError(
            f"trial {trial} has more than {MAX_TRACK} moves and shots: ask for fewer turns"
        )
    header = opening(battles, scenario, edition, trial, policies)
    return [header, *Decoder(battles[0], edition).steps(log)]
