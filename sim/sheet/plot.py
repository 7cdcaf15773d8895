"""The sheet's map as a picture: ground, counters with their markers, chances as heat."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any

import numpy as np

from ...profiles.message import say
from ...profiles.sheet.hexes import DIRECTIONS, HOLES, Place, centre
from ...profiles.sheet.pieces import Grid
from ...profiles.sheet.world import World
from ..text.drawing import Axes, Figure, figure, style
from .counters import CACHE, Counter

# told apart by the colour-blind (Okabe and Ito)
_SIDES = ("#56B4E9", "#E69F00", "#009E73", "#CC79A7")
_GROUND = ("#F8F6EF", "#CBDDB8", "#E8DCC2", "#DED2D8", "#D3E6F2", "#EEE6B8", "#D8D8D8")
_LINE, _INK, _FIRE = "#C4BFB2", "#202020", "#E8590C"
_BORDERS: Mapping[str, dict[str, Any]] = {
    "good": {"edgecolor": "#505050", "linewidth": 0.7},
    "shaken": {"edgecolor": "#8A2BA8", "linewidth": 1.7, "linestyle": (0, (2.0, 1.0))},
    "routed": {"edgecolor": "#C00000", "linewidth": 2.2},
}
_KINDS = {"simple": "o", "formation": "s", "character": "*", "decoy": "X", CACHE: ""}
_BREATHS = {"fresh": "", "winded": "~", "exhausted": "≈"}
_MARKS = {
    **{"charge": "C", "contact": "T", "hidden": "H", "active": "a", "special": "O"},
    **{"spell": "S", "ammo out": "E", "in command": "M"},
}
_HEAT, _HOTTEST = "Reds", 0.6  # of the scale of colours: figures on it are still read

_HEX = 0.42  # inches, the side of a hex
_SMALL_HEX, _PANEL = 0.34, 26.0  # where there are several panels; inches across all of them
_WIDE, _HIGH = 1.04, 0.76  # of a counter that is alone, in sides of a hex
_LETTERS = 11  # of a name in a line
_SLOTS: Mapping[int, tuple[float, tuple[Place, ...]]] = {  # size, and places in halves of it
    1: (1.0, ((0, 0),)),
    2: (0.66, ((-1, 0), (1, 0))),
    4: (0.5, ((-1, -1), (1, -1), (-1, 1), (1, 1))),
}
_GAP = 0.10  # beside a counter, for its arrow


@dataclass(frozen=True)
class Panel:
    """A moment: its title, the counters on the map, and a chance of some of them by name."""

    title: str
    pieces: Sequence[Counter]
    chances: Mapping[str, float] = field(default_factory=dict)


def draw_panels(
    grid: Grid,
    world: World,
    panels: Sequence[Panel],
    title: str = "",
    meaning: str = "chance",
    sides: Sequence[str] = (),
) -> Figure:
    """Return pictures of one map at several moments, as after each activation or turn."""
    side = _HEX if len(panels) == 1 else _SMALL_HEX
    wide, high = (1.5 * len(grid.rows[0]) + 1.5) * side, (1.74 * len(grid.rows) + 1.8) * side
    across = max(1, min(len(panels), int(_PANEL / (wide + 0.4)), 3))
    down = -(-len(panels) // across)
    with style():
        size = max(5.0, across * (wide + 0.4)), down * (high + 0.5) + 1.3
        picture, every = figure(size, down, across)
        for axes, panel in zip(every, panels, strict=False):
            _Board(axes, side).draw(grid, world, panel)
        for axes in every[len(panels) :]:
            axes.set_axis_off()
        if title:
            picture.suptitle(title)
        _legend(picture, grid, world, panels, meaning, sides)
        return picture


@dataclass(frozen=True)
class _Board:
    """Axes in sides of a hex, and how many inches that is."""

    axes: Axes
    side: float

    def draw(self, grid: Grid, world: World, panel: Panel) -> None:
        self._ground(grid, world)
        stacks: dict[Place, list[Counter]] = defaultdict(list)
        for piece in panel.pieces:
            if piece.hex is not None:
                stacks[piece.hex].append(piece)
        for place, stack in stacks.items():
            self._stack(centre(place), stack, panel.chances)
        self._frame(len(grid.rows[0]), len(grid.rows))
        self.axes.set_title(panel.title, fontsize=max(9.0, self._points(0.36)))

    def _frame(self, columns: int, rows: int) -> None:
        """Number columns, and rows by their hexes of even columns."""
        self.axes.set_xlim(-1.05, 1.5 * columns - 0.45)
        self.axes.set_ylim(centre((1, rows - 1))[1] + 0.92, -0.92)
        self.axes.set_aspect("equal")
        self.axes.set_xticks([centre((k, 0))[0] for k in range(columns)], map(str, range(columns)))
        self.axes.set_yticks([centre((0, k))[1] for k in range(rows)], map(str, range(rows)))
        self.axes.tick_params(length=0, labelsize=self._points(0.2), labelcolor="#707070")
        self.axes.xaxis.tick_top()
        self.axes.spines[:].set_visible(False)

    def _points(self, height: float) -> float:
        """Return the size of letters so many sides of a hex high."""
        return 72 * self.side * height

    def _ground(self, grid: Grid, world: World) -> None:
        from matplotlib.collections import LineCollection, PolyCollection

        colours = dict(zip(world.terrains, _cycle(_GROUND), strict=False))
        hexes = [
            ((column, row), colours[letter])
            for row, line in enumerate(grid.rows)
            for column, letter in enumerate(line)
            if letter not in HOLES
        ]
        shapes = [corners(place) for place, _ in hexes]
        shown = [colour for _, colour in hexes]
        self.axes.add_collection(
            PolyCollection(shapes, facecolor=shown, edgecolor=_LINE, linewidth=0.6, zorder=0)
        )
        fires = [corners(place, 0.9) for place in sorted(grid.burning)]
        self.axes.add_collection(
            PolyCollection(
                fires, facecolor="none", edgecolor=_FIRE, hatch="xxxx", linewidth=1.5, zorder=1
            )
        )
        walls = [_common(*sorted(pair)) for pair in sorted(grid.walls, key=sorted)]
        self.axes.add_collection(LineCollection(walls, color=_INK, linewidth=2.6, zorder=1))

    def _stack(
        self, middle: tuple[float, float], stack: list[Counter], chances: Mapping[str, float]
    ) -> None:
        """Draw the counters of a hex side by side, and their names below."""
        slots = next((n for n in _SLOTS if n >= len(stack)), max(_SLOTS))
        scale, places = _SLOTS[slots]
        wide, high = _WIDE * scale, _HIGH * scale
        x, y = middle[0], middle[1] - {1: 0.24, 2: 0.16, 4: 0.26}[slots]
        for piece, (right, down) in zip(stack, places, strict=False):
            at = x + right * (wide + _GAP) / 2, y + down * (high + _GAP) / 2
            self._counter(piece, at, scale, chances.get(piece.name))
        lines = _names(stack)
        size = self._points(0.17 if len(lines) < 3 else 0.135)
        top = y + (high + _GAP / 2 if slots == 4 else high / 2) + 0.14
        self.axes.text(
            middle[0],
            top,
            "\n".join(lines),
            ha="center",
            va="top",
            fontsize=size,
            linespacing=0.95,
            color=_INK,
            zorder=5,
        )

    def _counter(
        self, piece: Counter, at: tuple[float, float], scale: float, chance: float | None
    ) -> None:
        """Draw a counter: a band for its side, its border for cohesion, markers on top."""
        from matplotlib.patches import Rectangle

        (x, y), wide, high = at, _WIDE * scale, _HIGH * scale
        corner = x - wide / 2, y - high / 2
        band = 0.15 * wide
        colour = _SIDES[piece.side % len(_SIDES)]
        self.axes.add_patch(Rectangle(corner, wide, high, facecolor=_face(piece, chance), zorder=3))
        self.axes.add_patch(Rectangle(corner, band, high, facecolor=colour, zorder=3))
        self.axes.add_patch(
            Rectangle(corner, wide, high, fill=False, zorder=4, **_BORDERS[piece.cohesion])
        )
        marks = "".join(_MARKS[mark] for mark in piece.marks) + _BREATHS[piece.breath]
        level = y - 0.17 * high if marks else y
        middle = x + band / 2
        left = middle if chance is None else middle - 0.2 * wide
        self._symbol(piece.kind, (left, level), scale)
        text: dict[str, Any] = {"ha": "center", "va": "center", "color": _INK, "zorder": 5}
        if chance is not None:
            size = self._points(0.27 * scale)
            self.axes.text(middle + 0.17 * wide, level, percent(chance), fontsize=size, **text)
        size = self._points(min(0.21, 1.1 / max(len(marks), 1)) * scale)
        self.axes.text(middle, y + 0.27 * high, marks, fontsize=size, weight="bold", **text)
        if piece.facing is not None:
            self._arrow(DIRECTIONS.index(piece.facing), at, (wide, high), scale)

    def _symbol(self, kind: str, at: tuple[float, float], scale: float) -> None:
        size = self._points((0.34 if kind == CACHE else 0.24) * scale)
        if kind == CACHE:
            look: dict[str, Any] = {"ha": "center", "va": "center", "weight": "bold"}
            self.axes.text(*at, "?", fontsize=size, color=_INK, zorder=5, **look)
            return
        self.axes.plot(
            *at, marker=_KINDS[kind], markersize=size, color=_INK, markeredgewidth=0, zorder=5
        )

    def _arrow(
        self, facing: int, at: tuple[float, float], size: tuple[float, float], scale: float
    ) -> None:
        """Draw a triangle outside a counter's border, in the direction it faces."""
        turn = np.pi / 3 * facing
        ahead = np.array([np.sin(turn), -np.cos(turn)])
        aside = np.array([-ahead[1], ahead[0]])
        reach = min(
            half / abs(part) for half, part in zip(np.array(size) / 2, ahead, strict=True) if part
        )
        clear = 0.02 if facing % 3 == 0 else 0.07  # a slanting foot would lie on the counter
        foot = np.array(at) + (reach + clear) * ahead
        half = 0.13 * scale**0.5
        shape = [foot + half * aside, foot + 0.11 * ahead, foot - half * aside]
        self.axes.fill(*np.transpose(shape), facecolor=_INK, linewidth=0, zorder=6)


def corners(place: Place, size: float = 1.0) -> list[tuple[float, float]]:
    """Return the corners of a hex, or of a smaller one inside."""
    x, y = centre(place)
    turns = np.pi / 3 * np.arange(6)
    return [(x + size * np.cos(turn), y + size * np.sin(turn)) for turn in turns]


def percent(chance: float) -> str:
    """Return a chance in whole percent; what is neither 0 nor 1 is never rounded to it."""
    if 0 < chance < 0.01:
        return "<1"
    if 0.99 < chance < 1:
        return ">99"
    return f"{100 * chance:.0f}"


def _common(a: Place, b: Place) -> list[tuple[float, float]]:
    """Return the ends of the side that two hexes share."""
    others = corners(b)
    return [end for end in corners(a) if any(np.allclose(end, other) for other in others)]


def _cycle(colours: Sequence[str]) -> Iterator[str]:
    while True:
        yield from colours


def _face(piece: Counter, chance: float | None) -> Any:
    """Return the colour of a counter: heat for its chance, grey below a cache, else white."""
    from matplotlib import colormaps

    if chance is not None:
        return colormaps[_HEAT](_HOTTEST * chance)
    return "#D9D9D9" if piece.kind in (CACHE, "decoy") or "hidden" in piece.marks else "white"


def _names(stack: Sequence[Counter]) -> list[str]:
    """Return the lines with the names of a stack, at most three."""
    if len(stack) == 1:
        lines = wrap(stack[0].name, _LETTERS)
        return lines if len(lines) <= 2 else [lines[0], _cut(" ".join(lines[1:]))]
    names = [_cut(piece.name, _LETTERS + 3) for piece in stack]
    rest = [say("+ {} more", len(stack) - 2)] if len(stack) > 3 else []
    return [*(names[:2] if rest else names), *rest]


def _cut(text: str, letters: int = _LETTERS) -> str:
    return text if len(text) <= letters else f"{text[: letters - 1]}…"


def _legend(
    picture: Figure,
    grid: Grid,
    world: World,
    panels: Sequence[Panel],
    meaning: str,
    sides: Sequence[str],
) -> None:
    """Explain what is in the picture, and nothing else."""
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    pieces = [piece for panel in panels for piece in panel.pieces if piece.hex is not None]
    letters = set("".join(grid.rows))
    handles: list[Any] = [
        Patch(facecolor=colour, edgecolor=_LINE, label=terrain.name)
        for (letter, terrain), colour in zip(world.terrains.items(), _cycle(_GROUND), strict=False)
        if letter in letters
    ]
    if grid.burning:
        handles.append(Patch(fill=False, edgecolor=_FIRE, hatch="xxxx", label="burning"))
    if grid.walls:
        handles.append(Line2D([], [], color=_INK, linewidth=2.6, label="impassable side"))
    for side in sorted({piece.side for piece in pieces}):
        name = sides[side] if side < len(sides) else say("side {}", side)
        handles.append(Patch(facecolor=_SIDES[side % len(_SIDES)], label=name))
    for kind, marker in _KINDS.items():
        if any(piece.kind == kind for piece in pieces):
            text = say("? {}", kind) if kind == CACHE else kind
            handles.append(
                Line2D([], [], color=_INK, marker=marker, linestyle="", mew=0, label=text)
            )
    for cohesion, border in _BORDERS.items():
        if any(piece.cohesion == cohesion for piece in pieces):
            handles.append(Patch(facecolor="white", **border, label=cohesion))
    words = [
        say("{} {}", a, mark) for mark, a in _MARKS.items() if any(mark in p.marks for p in pieces)
    ]
    words += [
        say("{} {}", a, b) for b, a in _BREATHS.items() if a and any(p.breath == b for p in pieces)
    ]
    words += [say("number: {}, %", meaning)] * any(panel.chances for panel in panels)
    handles += [Line2D([], [], linestyle="", label=text) for text in words]
    across = max(2, int(picture.get_figwidth() / 1.35))
    picture.legend(handles=handles, loc="outside lower center", ncols=across, fontsize=7)
