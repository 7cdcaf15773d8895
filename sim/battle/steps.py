"""One trial of a battle, played and told step by step, from the table at its start."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import MAP_COLUMNS, MAPS, Effect, Number, Roll, Weapon
from ...kernels.layout.battle import MAX_EVENTS, MAX_TRACK, Mystic, Trait
from ...kernels.layout.combat import Outcome, Stat
from ...kernels.layout.maintenance import Kind
from ...kernels.layout.table import Base, Shape
from ...profiles.armies.scenario import Scenario
from ...profiles.compile.battle import MOST_TRIALS, SIDES
from ...profiles.compile.combat import state_names
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.card import SIZES
from ..base.answer import AnswerKind, columns, origin_columns
from ..base.options import checked_seed
from ..base.result import Result
from ..base.run import SAMPLED, Method
from .log import Decoder, Step
from .question import BattleQuestion
from .story import battle_text

_LISTS = (Number.OPEN_ROLLS, Number.KILL_WEAPONS, Number.IGNORED_LOCATIONS)
REPLAY = AnswerKind(
    "replay-battle",
    columns("whole", "number of the step", "number")
    + columns("whole", "turn of the step", "turn")
    + columns("text", "kind of the step", "step")
    + columns("text", "what it holds, as JSON", "cells")
    + columns("whole", "number of the trial", "trial"),
    origin=origin_columns(lacking=["sampler", "remainder"]),
    is_transcript=True,
)


@dataclass(frozen=True)
class Transcript(Result):
    """One battle, step by step; as JSON it is the list of its steps."""

    steps: tuple[Step, ...] = ()

    def text(self, form: str) -> str:
        """Return the steps as ``"json"``, or a row for each as ``"csv"``."""
        return steps_to_json(self.steps) if form == "json" else super().text(form)


def transcript(question: BattleQuestion, seed: int | None = None, trial: int = 0) -> Transcript:
    """Return one battle, step by step.

    Parameters
    ----------
    question : BattleQuestion
    seed : int, optional
        A fresh one if not given.
    trial : int
        Number of the trial in the run.

    Returns
    -------
    Transcript
        A row for each step: its turn, what it is, its cells as JSON.
    """
    if not 0 <= trial < MOST_TRIALS:
        raise InputError("trial {} should be from 0 to {}", trial, MOST_TRIALS - 1)
    how = Method(SAMPLED, trial + 1, checked_seed(seed))
    battles = question.compiled(how.seed or 0)
    scenario, edition = question.scenario, question.edition
    steps = tuple(battle_steps(battles, scenario, edition, trial, question.policies))
    provenance = question.provenance(how)
    words = provenance.command.removeprefix("estoc battle ")
    provenance = provenance.of(f"estoc replay {words} --trial {trial}" if words else "")
    cells = provenance.cells(method=how.name, seed=how.seed)
    rows = [
        {
            "number": number,
            "turn": turn,
            "step": step.kind,
            "cells": json.dumps(step.data, ensure_ascii=False),
            "trial": trial,
            **cells,
        }
        for number, (turn, step) in enumerate(_by_turn(steps), 1)
    ]
    return Transcript.of(REPLAY, rows, battle_text(steps), provenance, steps=steps)


def _by_turn(steps: Iterable[Step]) -> Iterator[tuple[int, Step]]:
    """Yield each step with its turn, 0 before the first."""
    turn = 0
    for step in steps:
        turn = step.data["turn"] if step.kind == "turn" else turn
        yield turn, step


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
    """Play one trial of a battle that was compiled from a scenario, and return its steps.

    The policies are for the header; the scratch of the record is overwritten.
    """
    from ...kernels.battle import trials

    log, complete = trials.tell_battle(battles, trial)
    if not complete:
        raise InputError("trial {} has more than {} events: ask for fewer turns", trial, MAX_EVENTS)
    if battles["tracks"][0] > MAX_TRACK:
        raise InputError(
            "trial {} has more than {} moves and shots: ask for fewer turns", trial, MAX_TRACK
        )
    header = _opening(battles, scenario, edition, trial, policies)
    return [header, *Decoder(battles[0], edition).steps(log)]


def _opening(
    battles: NDArray[np.void],
    scenario: Scenario,
    edition: Edition,
    trial: int,
    policies: Sequence[str],
) -> Step:
    """Return the first step: all that was there before the battle began."""
    battle, victory = battles[0], scenario.victory
    run = {"seed": int(battle["seed"]), "trial": trial, "policies": list(policies)}
    table = {"turns": scenario.turns, "width": scenario.width, "depth": scenario.depth}
    data: dict[str, Any] = {
        "scenario": scenario.file or scenario.name,
        "edition": edition.name,
        **run,
        **table,
        "edges": list(scenario.edges),
        "margin": victory.margin,
        "destroyed": victory.destroyed,
        "terrain": [
            {
                "name": piece.name,
                "corners": [list(corner) for corner in piece.corners],
                "impassable": piece.impassable,
                "height": piece.height,
                "size": list(SIZES).index(piece.size),
            }
            for piece in scenario.terrain
        ],
        "fighters": [_fighter(battle, scenario, edition, i) for i in range(battle["n"])],
        "mystics": _mystics(battle, scenario),
        "zones": [
            {"name": zone.name, "corners": [list(c) for c in zone.corners], "points": zone.points}
            for zone in scenario.zones
        ],
        "survival": [{"fighter": s.fighter, "points": s.points} for s in scenario.survival],
    }
    return Step("battle", data)


def _fighter(battle: np.void, scenario: Scenario, edition: Edition, i: int) -> dict[str, Any]:
    placed, row, base = scenario.fighters[i], battle["traits"][i], battle["first_bases"][i]
    profile = placed.profile
    shown = ("MOU", *(stat.name for stat in Stat), "TIR", "COU", "PEUR", "DIS", "PA")
    weapon = None
    if row[Trait.WEAPON] >= 0 and row[Trait.TIR] >= 0:
        weapon = {"strength": int(row[Trait.WEAPON]), "ranges": battle["ranges"][i].tolist()}
    return {
        "label": placed.label,
        "name": profile.name,
        "side": SIDES.index(placed.side),
        "card": int(row[Trait.CARD]),
        **{name: getattr(profile, name) for name in shown},
        "power": int(row[Trait.POWER]),
        "size": int(base[Base.SIZE]),
        "shape": "disc" if base[Base.SHAPE] == Shape.DISC else "rectangle",
        "width": float(base[Base.WIDTH]),
        "depth": float(base[Base.DEPTH]),
        "level": placed.level,
        "state": state_names(edition)[row[Trait.START]],
        "routed": bool(row[Trait.ROUTED]),
        "caster": profile.pure_caster,
        "tactics": bool(row[Trait.TACTICS]),
        "weapon": weapon,
        "command": float(battle["command"][i]),
        "at": [float(base[Base.X]), float(base[Base.Y])],
        "facing": [float(base[Base.FX]), float(base[Base.FY])],
        "casts": profile.caster,
        "mystic": [m for m in range(len(battle["mystics"])) if battle["known"][i] >> m & 1],
        **{name.lower(): int(row[Trait[name]]) for name in ("RANK", "MANA", "FAITH")},
        "most": battle["most"][i][: battle["n"]].tolist(),
        **_abilities(battle, i),
    }


def _abilities(battle: np.void, i: int) -> dict[str, Any]:
    """Return a fighter's effects, what is not 0 of his numbers, and whom he is a bane of."""
    flags, numbers = int(battle["effects"][i]), battle["numbers"][i].tolist()
    if not flags:
        return {}
    dealt, suffered = (_outcomes(numbers[first : first + MAP_COLUMNS]) for first in MAPS)
    rolls, weapons = numbers[Number.OPEN_ROLLS], numbers[Number.KILL_WEAPONS]
    ignored = numbers[Number.IGNORED_LOCATIONS]
    plain = [n for n in Number if n not in (*MAPS, *_LISTS) and numbers[n]]
    return {
        "effects": [effect.name.lower() for effect in Effect if flags >> effect & 1],
        "numbers": {
            **{n.name.lower(): numbers[n] for n in plain},
            "open_rolls": [roll.name.lower() for roll in Roll if rolls >> roll & 1],
            "kill_weapons": [weapon.name.lower() for weapon in Weapon if weapons & weapon],
            "ignored_locations": [die for die in range(1, 7) if ignored >> (die - 1) & 1],
        },
        "dealt": dealt,
        "suffered": suffered,
        "banes": [j for j in range(battle["n"]) if battle["banes"][i, j]],
    }


def _outcomes(becomes: list[int]) -> dict[str, str]:
    """Return the outcomes of wound rolls that abilities change, and what they become."""
    words = [outcome.name.lower() for outcome in Outcome]
    return {words[o]: words[becomes[o]] for o in Outcome if becomes[o] != o}


def _mystics(battle: np.void, scenario: Scenario) -> list[dict[str, Any]]:
    names = list(dict.fromkeys(name for placed in scenario.fighters for name in placed.mystics))
    rows = zip(names, battle["mystics"], battle["mystic_range"], strict=False)
    return [
        {
            "name": name,
            "in_faith": bool(row[Mystic.IN_FAITH]),
            "cost": int(row[Mystic.COST]),
            "difficulty": int(row[Mystic.DIFFICULTY]),
            "range": float(reach),
            "sight": bool(row[Mystic.SIGHT]),
            "friend": bool(row[Mystic.FRIEND]),
            "outside": bool(battle["outside"] >> m & 1),
            "times": int(row[Mystic.TIMES]),
            "kind": Kind(int(row[Mystic.KIND])).name.lower(),
            "levels": int(row[Mystic.LEVELS]),
            "outcome": Outcome(int(row[Mystic.OUTCOME])).name.lower(),
            "needs": int(row[Mystic.NEEDS]),
            "upkeep": int(row[Mystic.UPKEEP]) if row[Mystic.UPKEEP] >= 0 else None,
        }
        for m, (name, row, reach) in enumerate(rows)
    ]
