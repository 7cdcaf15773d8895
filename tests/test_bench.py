"""The benchmark's baselines are a further witness of the rules, and its check can fail."""

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPTS = Path(__file__).parents[1] / "scripts"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(SCRIPTS)
    return importlib.import_module("bench")


# 1/1 and 0/2 against 2/0 sustain the last defence die.
@pytest.mark.parametrize(
    "dice", [((1, 1), (1, 1)), ((1, 1), (2, 0)), ((2, 0), (0, 2)), ((2, 0), (2, 0))]
)
def test_baselines_and_kernel_agree(
    bench: ModuleType, dice: tuple[tuple[int, int], tuple[int, int]]
) -> None:
    found = bench.check("test", *bench.arrays(dice), quick=True)
    assert found["largest_z"] < bench.LIMIT_Z


def test_a_point_of_strength_is_noticed(bench: ModuleType) -> None:
    job, _, _ = bench.arrays(((1, 1), (1, 1)))
    stronger = job._replace(fighters=job.fighters + np.array([[0, 0, 1, 0, 0], [0] * 5]))
    one, other = (bench.numpy_counts(played, 100_000, seed=1) for played in (job, stronger))
    assert bench.disagreement(one, other)[0] > 2 * bench.LIMIT_Z


def test_rare_cells_count_together(bench: ModuleType) -> None:
    common = np.array([100_000, 0])
    spread = np.pad(np.ones(40, np.int64), (2, 0))
    assert bench.disagreement(np.pad(common, (0, 40)), np.pad(common, (0, 40)) + spread)[0] > 5


def test_speed_up_is_taken_round_by_round(bench: ModuleType) -> None:
    ratio = bench.times_faster([10.0, 20.0, 40.0], [5.0, 10.0, 4.0])
    assert (ratio.least, ratio.median) == (2.5, 2.0)
