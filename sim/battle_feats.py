"""Abilities in the transcript of a battle: what a header says of them, and words for them (W-7)."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from estoc.kernels.ability_codes import (
    MAP_COLUMNS,
    MAPS,
    NUMBERS,
    Effect,
    Number,
    Roll,
    Weapon,
)
from estoc.kernels.layout import Outcome

Chains = Sequence[Sequence[int]]

_LISTS = (Number.OPEN_ROLLS, Number.KILL_WEAPONS, Number.IGNORED_LOCATIONS)
_COLUMNS = {number.value: number.name.lower() for number in Number}


def feats_cells(battle: np.void, i: int) -> dict[str, Any]:
    """Return what a header says of a fighter's abilities; nothing of one who has none.

    Returns
    -------
    dict
        ``effects``, names of `Effect`; ``numbers``, those of `Number` that are not 0, lists in
        words where they are masks; ``dealt`` and ``suffered``, what outcomes become; ``banes``,
        the fighters whom he is a bane of.
    """
    flags, numbers = int(battle["effects"][i]), battle["numbers"][i].tolist()
    if not flags:
        return {}
    mapped = range(min(MAPS), max(MAPS) + MAP_COLUMNS)
    plain = [n for n in range(NUMBERS) if n not in mapped and n not in _LISTS and numbers[n]]
    dealt, suffered = (_changed(numbers[first : first + MAP_COLUMNS]) for first in MAPS)
    return {
        "effects": [effect.name.lower() for effect in Effect if flags >> effect & 1],
        "numbers": {
            **{_COLUMNS[n]: numbers[n] for n in plain},
            "open_rolls": [r.name.lower() for r in Roll if numbers[Number.OPEN_ROLLS] >> r & 1],
            "kill_weapons": [w.name.lower() for w in Weapon if numbers[Number.KILL_WEAPONS] & w],
            "ignored_locations": [
                die for die in range(1, 7) if numbers[Number.IGNORED_LOCATIONS] >> (die - 1) & 1
            ],
        },
        "dealt": dealt,
        "suffered": suffered,
        "banes": [j for j in range(battle["n"]) if battle["banes"][i, j]],
    }


def _changed(becomes: list[int]) -> dict[str, str]:
    return {
        outcome.name.lower(): Outcome(becomes[outcome]).name.lower()
        for outcome in Outcome
        if becomes[outcome] != outcome
    }


def feat_words(name: str, other: str, data: dict[str, Any], chains: Chains = ()) -> str:
    """Return what an ability does in words.

    Parameters
    ----------
    name, other : str
        Whose it is, and his enemy.
    data : dict
        Its effect, and the three numbers of its step.
    chains : sequence of sequence of int
        The dice that luck gives up, each with its re-rolls.
    """
    x, y, z = data["x"], data["y"], data["z"]
    match Effect[data["effect"].upper()]:
        case Effect.LUCK:
            what = f"{name} gives up {given_up(chains, y)} and, by luck, rolls again"
        case Effect.FURY:
            what = f"{name} is furious: dice +{x}, all in attack"
        case Effect.CHAIN:
            what = f"{name} takes dice +{x}, for ATT and DEF −{x}"
        case Effect.HOLD_BACK:
            what = f"{name} {'defends' if x else 'attacks'} with a held die"
        case Effect.MASTER_STROKE:
            what = f"{name} makes a master stroke with {x} dice"
        case Effect.COUNTER_ATTACK:
            what = f"{name} counter-attacks: attack dice +{x}"
        case Effect.PARRY_DICE:
            what = f"{name} has attack dice +{x} for the parry"
        case Effect.FEINT:
            what = f"{name} feints: {other} loses {x} attack, {y} defence, {z} held dice"
        case Effect.SURVIVAL:
            what = f"{name} rolls {x} to survive: {'unhurt' if y else 'no'}"
        case Effect.TOXIC:
            what = f"poison of {name}: {x}, so {y} worse"
        case Effect.DIEHARD:
            what = f"{name} is killed, and fights on"
        case other_effect:  # its own numbers are not known here
            what = f"{name}: {other_effect.name.lower()} {x}, {y}, {z}"
    return f"{what} (W-7)"


def given_up(chains: Chains, result: int | None) -> str:
    """Return dice that luck gives up as ``6→4, in all 13``; only the result if it says the same."""
    shown = ", ".join("→".join(map(str, chain)) for chain in chains)
    if result is None:
        return f"{shown}, an automatic failure" if shown else "an automatic failure"
    total = str(result).replace("-", "−")
    return f"{shown}, in all {total}" if shown and shown != total else total
