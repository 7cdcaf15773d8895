"""A situation of the sheet as a picture: the map, what a player sees of it, how rout spreads."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ...kernels.sheet.trials import What
from ...profiles.errors import InputError
from ...profiles.message import joined, say
from ..base.run import USUAL_RUN, Run, runs_fixed
from ..text.drawing import check_plot, save_figure
from .counters import Counter, Labels, counters, view
from .losses import assumptions
from .plot import Panel, draw_panels
from .question import SheetQuestion, side_of
from .runs import Runs, Task, driven

TRIALS = 10_000


class Drawn(NamedTuple):
    """What was drawn, in a line, what it depends on, and what was done if Ctrl-C came."""

    told: str
    notes: tuple[str, ...] = ()
    stopped: str = ""


@runs_fixed
def save_map(
    question: SheetQuestion,
    path: str | Path,
    run: Run = USUAL_RUN,
    *,
    side: str | None = None,
    routed: bool = False,
) -> Drawn:
    """Draw a situation into a file."""
    check_plot(path)
    situation = question.situation
    if all(piece.place is None for piece in situation.pieces):
        raise InputError("{}: has no map to draw", situation.name)
    if side is not None and routed:
        raise InputError("--routed tells what --as-seen-by hides: take one of them")
    panels = [Panel("now" if routed else "", _seen(question, side))]
    methods: dict[str, None] = {}
    stopped = ""
    for turn in range(1, question.turns + 1) if routed else ():
        until = replace(question, turns=turn)
        runs = driven(until, Task(What.TURNS), run, usual=TRIALS)
        stopped = runs.stopped
        if runs.how.trials == 0:
            break
        panels.append(Panel(say("after turn {}", turn), panels[0].pieces, _chances(until, runs)))
        how = runs.how
        drawn = (how.trials, how.seed)
        methods[say("exact") if how.exact else say("{:,} trials, seed {}", *drawn)] = None
        if stopped:
            break
        if how.sampled:  # all sampled panels show the same trials
            run = run.but(trials=how.trials, seed=how.seed)
    meaning = say("chance to be routed at the end of the turn, or to have left in rout")
    figure = draw_panels(
        situation.grid, question.world, panels, situation.name, meaning, situation.sides
    )
    save_figure(figure, path)
    notes = assumptions(question) if routed else ()
    return Drawn(joined(", ", [say("drew {}", path), *methods]), notes, stopped)


def _seen(question: SheetQuestion, side: str | None) -> tuple[Counter, ...]:
    record, labels = question.compiled().sheets[0], Labels.of(question.situation)
    if side is None:
        return counters(record, labels, "begin")
    return tuple(view(record, labels, side_of(question.situation, side), "begin").pieces)


def _chances(question: SheetQuestion, runs: Runs) -> dict[str, float]:
    """Return each piece's chance to be routed at the end."""
    pieces = question.situation.pieces
    shares = np.zeros(len(pieces))
    for weight, counts in runs.exact or ():
        shares += float(weight) * counts.routed
    if runs.counts is not None and runs.how.trials:
        shares += runs.counts.routed / runs.how.trials
    return {piece.name: float(share) for piece, share in zip(pieces, shares, strict=True)}
