"""Files that come with the program: where in ``profiles/data`` each of them is."""

from functools import cache
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"


@cache
def shipped_files(kind: str, ending: str = ".toml") -> dict[str, Path]:
    """Return the files of a kind, as ``edition``, by their names, which come after it.

    >>> sorted(shipped_files("field"))
    ['open', 'village']
    """
    found = sorted(DATA.glob(f"*/{kind}-*{ending}"), key=lambda path: path.name)
    return {path.stem.removeprefix(f"{kind}-"): path for path in found}


def shipped_file(name: str) -> Path:
    """Return one file by its room of ``data`` and its name, as ``sheet/sheet-world.toml``."""
    return DATA / name
