"""What is said before a run that compiles its kernel."""

import pytest

from estoc.kernels import _jit
from estoc.sim.progress import announce_compilation


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
