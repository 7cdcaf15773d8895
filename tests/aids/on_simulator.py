"""Trials on numba's CUDA simulator; started by test_device.py with the files to read and write.

Compiled code cannot be called by the simulator's threads: NUMBA_DISABLE_JIT is set as well.
"""

import pickle
import sys
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore", RuntimeWarning)  # numpy tells that words wrap round


def main() -> None:
    """Answer every case of a file: (function of `estoc.sim.base.device`, arguments)."""
    from estoc.sim.base import device

    source, target = map(Path, sys.argv[1:])
    cases = pickle.loads(source.read_bytes())
    found = [getattr(device, name)(*told) for name, told in cases]
    assert all(part is not None for part in found)
    target.write_bytes(pickle.dumps([[np.asarray(part) for part in parts] for parts in found]))


if __name__ == "__main__":
    main()
