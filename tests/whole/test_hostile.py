"""A seeded corpus of hostile inputs: each gets a plain answer, soon, and spoils nothing."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SEED = 20261129
WHOLE = 3_000  # cases of the corpus; a tenth of them is tried each time
SHARES = 10
SCRIPT = Path(__file__).parents[1] / "aids" / "hostile.py"


@pytest.mark.parametrize(
    "share", [0, *(pytest.param(n, marks=pytest.mark.slow) for n in range(1, SHARES))]
)
def test_hostile_inputs_get_a_plain_answer(share: int) -> None:
    """No fault of estoc, no line over 400 letters, no control characters, 20 s and 1 GB at most."""
    asked = [sys.executable, SCRIPT, SEED, share, SHARES, WHOLE]
    done = subprocess.run(
        list(map(str, asked)),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=1_200,
        env={**os.environ, "ESTOC_LANG": "en", "COLUMNS": "80", "PYTHONWARNINGS": "error"},
    )
    last = done.stderr.splitlines()[-3:]
    assert done.returncode == 0, last
    *faults, end = map(json.loads, done.stdout.splitlines())
    assert end["cases"] >= WHOLE // SHARES - 1, end
    assert not faults, "\n".join(json.dumps(fault)[:600] for fault in faults[:20])
