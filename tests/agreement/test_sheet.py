"""Random small worlds: the sheet's kernels and its plain reading activate a piece alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest
from sheet_random import RNG, Field, chance, one_of, random_world
from sheet_worlds import UNLIKE, Game, Told, difference, duel, follow, on_map, taken_in

from estoc.kernels.layout.sheet import MAX_PIECES, Deed, End, Reading
from estoc.kernels.sheet.trials import What
from estoc.profiles.sheet.readings import load_switches
from reference import sheet_stages
from reference.sheet_stages import Policy
from tests.reference_checks.test_sheet_mutants import MUTANTS

WANTED = {Deed.SHOCK, Deed.FIRE, Deed.ATTACK_MOVE}
NUMBERS = [mutant[0] for mutant in MUTANTS]
ALL_READINGS = [
    {each.code: value} for each in load_switches() for value in range(1, len(each.values))
]


def random_wants(rng: RNG) -> list[Deed]:
    """A player's order of all actions; those that only one engine performs may come last."""
    wants = [Deed(deed) for deed in rng.permutation(len(Deed))]
    return sorted(wants, key=UNLIKE.__contains__) if chance(rng, 0.5) else wants


def play(seed: int, worlds: int, readings: dict[Reading, int]) -> Counter:
    """Activate a piece of each of some worlds; how many came to what."""
    rng, seen = np.random.default_rng(seed), Counter()
    for number in range(worlds):
        game, world = random_world(rng, readings)
        present = [one for one in world.pieces if one.present]
        mapped = all(on_map(one) for one in world.pieces)
        if not present:
            continue
        piece = one_of(rng, present)
        wants = random_wants(rng)
        hide, decoy, reveal = (mapped and chance(rng, 0.4) for _ in range(3))
        below = "under" if chance(rng, 0.5) else "on"
        policy = Policy(wants, hide, below if decoy else "", reveal)
        fails = rng.random(40) < 0.5
        try:
            result = duel(game, world, piece.number, policy, fails)
        except AssertionError as error:
            raise AssertionError(f"world {number} of seed {seed}, piece {piece}") from error
        seen["whole" if result.whole else "up to the action"] += 1
        seen[result.chosen] += 1
    return seen


def test_activations():
    """The actions that both perform come up; most activations are compared to their end."""
    seen = play(seed=11, worlds=600, readings={})
    assert seen["whole"] > 2 * seen["up to the action"]
    rare = {Deed.RESIGN, Deed.DUEL_SHOCK, Deed.DUEL_FIRE}
    assert set(Deed) - set(seen) <= rare | set(UNLIKE)


@pytest.mark.parametrize("readings", ALL_READINGS, ids=str)
def test_readings(readings):
    play(seed=100 + min(readings), worlds=40, readings=readings)


def test_readings_together():
    rng = np.random.default_rng(5)
    for seed in range(150):
        switches = rng.choice(len(ALL_READINGS), 4, replace=False)
        together = {key: value for k in switches for key, value in ALL_READINGS[k].items()}
        play(seed, worlds=1, readings=together)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "mutate"), [mutant[:2] for mutant in MUTANTS], ids=NUMBERS)
def test_mutants_of_the_reading_are_caught(number, mutate, monkeypatch):
    """Section 4: both engines no longer agree."""
    mutate(monkeypatch)
    with pytest.raises(AssertionError, match=r"world \d+ of seed 3"):
        play(seed=3, worlds=1500, readings={})


# --- whole turns -----------------------------------------------------------------------------


def test_turns():
    """Two turns where relations are given and nobody moves: all that happens, and every loss."""
    rng, causes = np.random.default_rng(8), Counter()
    for number in range(150):
        readings = ALL_READINGS[number // 2 % len(ALL_READINGS)] if number % 2 else {}
        game, world = random_world(rng, readings, related=1)
        policies = stand_still(rng, game, world)
        game.script(rng.random(200) < 0.5)
        game.play(What.TURNS)
        told = Told(world, taken_in(game))
        try:
            ends = play_turns(
                world, policies, told, game.sheet["sequence"][: len(world.pieces)].tolist()
            )
            differences = difference(game, world, facing=False)
            assert not differences, differences
            assert not told.left, told.left
            lost = game.counts.ends[:, 1:]
            found = {(u, End(k + 1)): lost[u, k] for u, k in np.argwhere(lost)}
            plain = {key: count for key, count in ends.items() if key[1] is not End.USED}
            assert found == plain, (found, plain)
        except AssertionError as error:
            raise AssertionError(f"world {number}") from error
        causes.update(cause for _, cause in ends.elements())
    assert set(causes) == set(End)


def stand_still(rng: RNG, game: Game, world: Field) -> list[Policy]:
    """The players; what only one engine performs is not feasible, nor is any move."""
    sheet, n = game.sheet, len(world.pieces)
    sheet["turns"], sheet["flee_hexes"] = 2, 0
    sheet["sequence"][:n] = rng.permutation(n)
    sheet["allowance"], world.allowance = 0, [0] * MAX_PIECES
    for piece in world.pieces:
        sheet["feasible"][piece.number] &= ~sum(1 << deed for deed in UNLIKE)
        able = int(sheet["feasible"][piece.number])
        world.infeasible[piece.number] = frozenset(deed for deed in Deed if not able >> deed & 1)
    mapped = all(on_map(one) for one in world.pieces)
    policies = []
    for side in (0, 1):
        hide, decoy = mapped and chance(rng, 0.4), mapped and chance(rng, 0.4)
        policies.append(Policy(random_wants(rng), hide, "on" if decoy else ""))
        follow(sheet, policies[side], side)
        sheet["wanted"][side] = sum(1 << deed for deed in WANTED)
    game.restart()
    return policies


def play_turns(
    world: Field, policies: list[Policy], told: Told, sequence: Sequence[int]
) -> Counter:
    """Two turns by the plain reading; causes of lost activations, by piece."""
    ends: Counter = Counter()
    for turn in range(2):
        for piece in world.pieces:
            piece.active = piece.active and turn == 0  # who is active to begin with has acted
        for number in [*sequence, *range(len(sequence), MAX_PIECES)]:
            if number >= len(world.pieces):
                break
            piece = world.pieces[number]
            if piece.present and not piece.active:
                activation = sheet_stages.activate(world, number, policies[piece.side], told)
                if number < len(sequence):
                    ends[number, sheet_stages.lost_to(activation, WANTED)] += 1
    return ends
