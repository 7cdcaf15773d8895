"""How far a command goes through the files of the project: scripts/trace duel A B.

Runs the command twice: first in a process of its own, so that kernels are compiled and cached, then
here, counting each call of a Python function in sim, kernels and profiles. What happens while
modules are imported is left out (module bodies, class bodies, decorators), and so are compiled
kernels, libraries and other threads. A *change of file* is a call into another file than the call
before it.
"""

import inspect
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import estoc.sim.cli.main as program

ROOT = Path(__file__).resolve().parents[1]
MOST = 25  # functions that are listed


@cache
def project_file(path: str) -> str:
    """Return a file's path below the root; empty if it is none of the project's."""
    real = Path(os.path.realpath(path))
    halls = (ROOT / hall for hall in ("sim", "kernels", "profiles"))
    return str(real.relative_to(ROOT)) if any(hall in real.parents for hall in halls) else ""


class Calls:
    """Calls of the project's functions, by function, and how often the file changes."""

    def __init__(self) -> None:
        self.functions: Counter[tuple[str, str]] = Counter()
        self.changes = 0
        self._file = ""
        self._importing = 0  # module bodies under way

    def __call__(self, frame: FrameType, event: str, _: Any) -> None:
        """Count an event, as ``sys.setprofile`` tells it."""
        code = frame.f_code
        if event not in ("call", "return") or not (file := project_file(code.co_filename)):
            return
        if code.co_name == "<module>":
            self._importing += 1 if event == "call" else -1
        elif event == "call" and not self._importing and code.co_flags & inspect.CO_OPTIMIZED:
            self.functions[file, code.co_qualname] += 1
            self.changes += self._file not in ("", file)
            self._file = file

    @property
    def files(self) -> Counter[str]:
        """Calls by file."""
        found: Counter[str] = Counter()
        for (file, _), count in self.functions.items():
            found[file] += count
        return found


def traced(words: list[str]) -> Calls:
    """Return the calls of a command; what it prints goes to standard error."""
    command = [sys.executable, "-m", "estoc.sim.start", *words]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    calls = Calls()
    sys.argv[1:] = words
    sys.setprofile(calls)
    try:
        program.main()
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    return calls


def main() -> None:
    """Trace the command that is given; its own output goes to standard error."""
    output = os.dup(1)
    os.dup2(2, 1)
    calls = traced(sys.argv[1:])
    sys.stdout.flush()
    os.dup2(output, 1)
    files = calls.files
    print(f"{len(files)} files, {calls.changes:,} changes of file, {files.total():,} calls\n")
    for file, count in files.most_common():
        print(f"{count:9,}  {file}")
    print()
    for (file, name), count in calls.functions.most_common(MOST):
        print(f"{count:9,}  {file}: {name}")


if __name__ == "__main__":
    main()
