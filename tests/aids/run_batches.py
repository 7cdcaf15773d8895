"""Batches that tests run, and what a run leaves that has to be the same."""

from hashlib import sha256
from pathlib import Path

# Small cells of every kind that is quick, some that are failures of nobody, and cells whose trials
# workers share: chunks are a hundredth of a second, so that a run has many.
QUICK = """
title = "Quick"
seed = 7
chunk = 0.01

[[job]]
name = "duels"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 3000
[job.grid]
turns = [1, 2]
charge = [[], ["A"], ["B"]]

[[job]]
name = "sweep"
command = "sweep"
a = ["garde prétorien", "guerrier de l'aube"]
b = ["guerrier de l'aube", "garde prétorien"]
charge = ["none", "A"]
best = true

[[job]]
name = "shared"
command = "duel"
a = "garde prétorien"
b = "guerrier de l'aube"
trials = 2000001

[[job]]
name = "drawn"
command = "combat"
a = "garde prétorien"
b = ["guerrier de l'aube*2"]
trials = 6000001
sampler = "chain"

[[job]]
name = "watched"
command = "combat"
a = "garde prétorien"
b = ["guerrier de l'aube*2"]
precision = 0.004

[[job]]
command = "cards"
name = "phase"
a = "griffon"
b = "scorpion"
trials = 100000

[[job]]
command = "sheet contagion"
name = "rout"
layout = "line:5"
trials = 600000
"""


def write(folder: Path, text: str = QUICK, name: str = "batch.toml") -> Path:
    """Write a batch file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def left_by(folder: Path) -> dict[str, str]:
    """Return the digest of each file that a finished run leaves, but its log and its parts."""
    kept = [p for p in folder.rglob("*") if p.is_file() and p.parent.name != "parts"]
    names = {path.relative_to(folder).as_posix(): path for path in kept}
    return {
        name: sha256(path.read_bytes()).hexdigest()
        for name, path in sorted(names.items())
        if name != "log.txt"
    }
