"""The rooms of the three halls as a picture, floor by floor: scripts/rooms [FILE.svg|FILE.png].

Floors are those of the contracts in ``pyproject.toml``. An arrow leads from a room to one that it
imports; those that follow from other arrows are left out.
"""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import grimp
import networkx as nx
from matplotlib.axes import Axes

from estoc.sim.text.drawing import figure, save_figure, style

ROOT = Path(__file__).parents[1]
HALLS = ("estoc.sim", "estoc.profiles", "estoc.kernels")
COLOURS = {"sim": "#DCEBF7", "profiles": "#FBE5D0", "kernels": "#DDEFD9"}
PICTURE = ROOT / ".readme" / "rooms.svg"
ACROSS, HIGH = 12.0, 0.62  # of the picture, of a box


class Box(NamedTuple):
    """A room in the picture: where its middle is."""

    name: str
    x: float
    y: float


def floors() -> dict[str, list[list[str]]]:
    """Return the rooms of each hall, floor by floor, the highest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    return {
        told["containers"][0]: [floor.split(" | ") for floor in told["layers"]]
        for told in contracts
        if "containers" in told
    }


def arrows() -> Iterator[tuple[str, str]]:
    """Yield who imports whom, as ``sim.combat``, without what follows from other arrows."""
    graph = grimp.build_graph(*HALLS, exclude_type_checking_imports=True, cache_dir=None)
    known = {f"{hall}.{room}" for hall, rows in floors().items() for row in rows for room in row}
    found = nx.DiGraph()
    for importer in graph.modules:
        for imported in graph.find_modules_directly_imported_by(importer):
            one, other = (".".join(name.split(".")[:3]) for name in (importer, imported))
            if one != other and {one, other} <= known:
                found.add_edge(one, other)
    found.remove_edges_from([("estoc.sim.base", "estoc.sim.ask")])  # the one look upward
    for one, other in sorted(nx.transitive_reduction(found).edges):
        yield one.removeprefix("estoc."), other.removeprefix("estoc.")


def boxes() -> Iterator[Box]:
    """Yield the rooms where they are drawn."""
    y = 0.0
    for hall in HALLS:
        for row in floors()[hall]:
            for place, room in enumerate(row):
                x = ACROSS * (place + 1) / (len(row) + 1)
                yield Box(f"{hall.removeprefix('estoc.')}.{room}", x, y)
            y -= 1
        y -= 0.7


def draw(axes: Axes) -> None:
    """Draw boxes and arrows."""
    placed = {box.name: box for box in boxes()}
    for one, other in arrows():
        a, b = placed[one], placed[other]
        start, end = (a.x, a.y - HIGH / 2), (b.x, b.y + HIGH / 2)
        bent = "arc3,rad=0.12" if abs(a.x - b.x) < 0.1 and a.y - b.y > 1.5 else "arc3"
        within = one.split(".")[0] == other.split(".")[0]
        colour, line = ("#707070", "-") if within else ("#B5B5B5", "--")
        arrow = {"arrowstyle": "-|>", "color": colour, "linewidth": 0.6, "linestyle": line}
        axes.annotate("", end, start, arrowprops={**arrow, "connectionstyle": bent})
    for name, x, y in placed.values():
        hall, room = name.split(".")
        folder = ROOT / hall / room
        files = len(list(folder.rglob("*.py"))) - len(list(folder.rglob("__init__.py")))
        told = f"{room}  {files}" if folder.is_dir() else f"{room}.py"
        box = {"boxstyle": "round,pad=0.3", "facecolor": COLOURS[hall], "edgecolor": "#666666"}
        axes.text(x, y, told, ha="center", va="center", fontsize=9, bbox=box)
    for hall in HALLS:
        name = hall.removeprefix("estoc.")
        top = max(box.y for box in placed.values() if box.name.startswith(f"{name}."))
        axes.text(0, top, f"{name}/", ha="left", va="center", fontsize=12, fontweight="bold")
    axes.set_xlim(-0.2, ACROSS)
    axes.set_ylim(min(box.y for box in placed.values()) - 0.6, 0.6)
    axes.set_axis_off()


def main(path: Path) -> None:
    """Draw the rooms into a file."""
    with style():
        picture, (axes,) = figure((8, 12), 1, 1)
        draw(axes)
        save_figure(picture, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURE)
