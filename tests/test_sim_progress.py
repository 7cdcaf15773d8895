"""What is said before a run that compiles its kernel."""

import pytest
import rich.progress

from estoc.kernels import _jit
from estoc.sim.progress import announce_compilation, progress


@_jit.kernel
def two():
    return 2


def test_the_compiler_names_the_files_as_they_are_looked_for(capsys):
    assert two() == 2
    announce_compilation("two")
    assert capsys.readouterr().err == ""
    announce_compilation("wo")
    assert "compiling the kernel wo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("compiled", "silent"),
    [(["trials.count-155.py311.nbi"], "count"), (["trials.replay-137.py311.nbi"], "replay")],
)
def test_another_kernel_in_the_cache_is_no_reason_for_silence(
    compiled, silent, tmp_path, monkeypatch, capsys
):
    monkeypatch.setattr(_jit, "CACHE_DIR", tmp_path)
    (tmp_path / "kernels_1").mkdir()
    for name in compiled:
        (tmp_path / "kernels_1" / name).touch()
    for kernel in ("count", "replay"):
        announce_compilation(kernel)
        told = capsys.readouterr().err
        assert (told == "") == (kernel == silent)
        assert told in ("", f"estoc: compiling the kernel {kernel}, this once: about 15 seconds\n")


@pytest.mark.parametrize(
    ("told", "total"),
    [
        ({"trials": 500, "seed": 1}, 4500),
        ({"precision": 0.1}, 9 * 300),
        ({"sampler": "chain"}, 9 * 1000),
        ({"method": "mc"}, 9 * 1000),
        ({"method": "exact"}, 9),
        ({}, 9),
    ],
)
def test_the_bar_knows_whether_trials_are_played(told, total, monkeypatch):
    totals = []
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    usual = rich.progress.Progress.add_task
    monkeypatch.setattr(
        rich.progress.Progress,
        "add_task",
        lambda bars, words, total, **more: totals.append(total) or usual(bars, words, total=total),
    )
    asked = dict.fromkeys(("trials", "seed", "precision", "sampler", "method")) | told
    monkeypatch.setattr(rich.progress.Progress, "__enter__", lambda bars: bars)
    with progress(asked, 1000, 9):
        pass
    assert totals == [total]
