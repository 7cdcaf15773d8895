"""The table of a battle as its steps go on: who stands where, and what just happened."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from ...profiles.compile.combat import DEAD, UNHURT
from ...profiles.message import joined, say
from ..base.options import SIDES
from ..base.result import Row
from ..table.tabletop import base_outline, corners_text
from .log import Step

Point = tuple[float, float]

START, ACTIVATION, COMBAT, END = "start", "activation", "combat", "end"
_MAINTENANCE = ("rally", "faith", "mana", "lasting", "upkeep", "markers", "score")


class Moved(NamedTuple):
    """A move: who, from where, as the corners of its base, and to where."""

    fighter: int
    corners: str
    start: Point
    end: Point
    action: str


class Shot(NamedTuple):
    """A shot, or a mystic action: between which points, and whether it came off."""

    start: Point
    end: Point
    hit: bool


class Frame(NamedTuple):
    """What a picture shows.

    ``rows`` are as `estoc.sim.table.tabletop.table` gives them; a fighter also has a ``key`` as A1,
    its ``state`` in words, and whether it is ``alive`` and was ``hurt`` since the last picture.
    """

    turn: int
    part: str  # START, ACTIVATION, COMBAT, END
    title: str
    rows: list[Row]
    moves: list[Moved]
    shots: list[Shot]


class Field:
    """Follows the steps of a battle, from the data of its header."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.header = header
        self.fighters: list[dict[str, Any]] = [dict(f) for f in header["fighters"]]
        self.melees: list[list[int]] = []
        self.moves: list[Moved] = []
        self.shots: list[Shot] = []
        self.hurt: set[int] = set()  # since the last picture
        sides = [fighter["side"] for fighter in self.fighters]
        self.keys = [f"{SIDES[s]}{sides[: i + 1].count(s)}" for i, s in enumerate(sides)]

    def take(self, step: Step) -> None:
        """Follow a step."""
        kind, data = step
        match kind:
            case "move":
                self._move(data)
            case "shoot":
                self._shot(data["shooter"], data["target"], data["hit"])
            case "cast":
                self._shot(data["fighter"], data["target"], data["success"])
            case "wound":
                self.fighters[data["target"]]["state"] = data["state"]
                if data["outcome"] != "nothing":
                    self.hurt.add(data["target"])
            case "fall":
                self.fighters[data["fighter"]]["state"] = "dead"
                self.hurt.add(data["fighter"])
            case "melee":
                self.melees.append(data["fighters"])
            case "courage":
                self.fighters[data["fighter"]]["routed"] = not data["success"]
            case "rally":
                self.fighters[data["fighter"]]["routed"] = data["routed"]
            case "turn":
                self.melees = []
            case _:  # an effect or the end of a turn may change a state
                if isinstance(data.get("after"), str):
                    self.fighters[data["fighter"]]["state"] = data["after"]

    def _move(self, data: dict[str, Any]) -> None:
        i, (x, y) = data["fighter"], data["at"]
        if self._at(i) != (x, y):
            move = Moved(i, self._corners(i), self._at(i), (x, y), data["action"])
            self.moves.append(move)
        self.fighters[i] |= {"at": data["at"], "facing": data["facing"]}

    def _shot(self, who: int, target: int, hit: bool) -> None:
        self.shots.append(Shot(self._at(who), self._at(target), hit))

    def _at(self, i: int) -> Point:
        x, y = self.fighters[i]["at"]
        return x, y

    def _corners(self, i: int) -> str:
        fighter = self.fighters[i]
        size = fighter["width"], fighter["depth"]
        (fx, fy), disc = fighter["facing"], fighter["shape"] == "disc"
        return corners_text(base_outline(self._at(i), (fx, fy), size, disc=disc))

    def rows(self) -> list[Row]:
        """Return what stands on the table, as `estoc.sim.table.tabletop.table` does."""
        header = self.header
        size = {"width": header["width"], "depth": header["depth"]}
        rows: list[Row] = [{"section": "table", "name": header["scenario"], **size}]
        for piece in header["terrain"]:
            kind = "impassable" if piece["impassable"] else "relief"
            shape = {"corners": corners_text(piece["corners"]), "height": piece["height"]}
            rows.append({"section": "terrain", "name": piece["name"], "kind": kind, **shape})
        for zone in header["zones"]:
            corners = corners_text(zone["corners"])
            cells = {"name": zone["name"], "points": zone["points"], "corners": corners}
            rows.append({"section": "zone", **cells})
        rows += [self._row(i) for i in range(len(self.fighters))]
        return rows

    def _row(self, i: int) -> Row:
        fighter = self.fighters[i]
        melees = [number for number, melee in enumerate(self.melees, 1) if i in melee]
        (x, y), state = self._at(i), fighter["state"]
        words = [] if state == UNHURT else [state]
        words += [say("in rout")] if fighter["routed"] and state != DEAD else []
        return {
            "section": "fighter",
            "key": self.keys[i],
            "name": fighter["label"],
            "state": joined(", ", words),
            "side": SIDES[fighter["side"]],
            "x": x,
            "y": y,
            "corners": self._corners(i),
            "melee": melees[0] if melees else None,
            "alive": state != DEAD,
            "hurt": i in self.hurt,
        }


def frames(steps: Sequence[Step], *, each: bool = False) -> Iterator[Frame]:
    """Yield the pictures of a battle.

    Parameters
    ----------
    steps : sequence of Step
        A transcript, its header first.
    each : bool
        Whether each speaking turn and each combat has a picture; else a turn has three: at its
        start, after the activation phase, after the combat phase.
    """
    header, *others = steps
    camera = _Camera(Field(header.data))
    for step in others:
        yield from camera.before(step, each)
        camera.table.take(step)
        yield from camera.after(step)


class _Camera:
    """Says when a picture is taken, and what it is called."""

    def __init__(self, table: Field) -> None:
        self.table = table
        self.turn, self.title = 0, ""
        self.phase = START  # "melees" while they are listed

    def before(self, step: Step, each: bool) -> Iterator[Frame]:
        """Yield what stands before a step that begins something new."""
        kind, table = step.kind, self.table
        seen = each and (table.moves or table.shots or table.hurt)
        if kind == "speak":
            if seen and self.phase == ACTIVATION:
                yield self.taken(ACTIVATION)
            self.phase = ACTIVATION
            self.title = self._spoken(step) if each else say("after the activation phase")
        elif kind == "melee":
            self.phase = "melees"
        elif self.phase == "melees":
            yield self.taken(ACTIVATION)
            self.phase, self.title = COMBAT, say("after the combat phase")
        elif seen and kind == "combat" and self.phase == COMBAT:
            yield self.taken(COMBAT)
        if kind in _MAINTENANCE and self.phase in (ACTIVATION, COMBAT):
            yield self.taken(self.phase)
            self.phase = END

    def after(self, step: Step) -> Iterator[Frame]:
        """Yield how a turn begins, and how the battle ends."""
        if step.kind == "turn":
            self.turn, self.phase = step.data["turn"], START
            yield self.taken(START)
        elif step.kind == "end":
            a, b = step.data["points"]
            winner = step.data["winner"]
            if winner < 0:
                self.title = say("end, {} points to {}: a draw", a, b)
            else:
                self.title = say("end, {} points to {}: {} wins", a, b, SIDES[winner])
            yield self.taken(END)

    def _spoken(self, step: Step) -> str:
        labels = [self.table.fighters[i]["label"] for i in step.data["fighters"]]
        side = SIDES[step.data["side"]]
        return say("{} activates {}", side, labels) if labels else say("{} activates nobody", side)

    def taken(self, part: str) -> Frame:
        """Take a picture; what happened before it is not in the next one."""
        title = say("turn {}, {}", self.turn, self.title)
        title = say("turn {}, start", self.turn) if part == START else title
        table = self.table
        frame = Frame(self.turn, part, title, table.rows(), table.moves, table.shots)
        table.moves, table.shots, table.hurt = [], [], set()
        return frame


def described(frame_list: Iterable[Frame]) -> list[tuple[str, Frame]]:
    """Return pictures with the names of their files."""
    places = {START: 0, ACTIVATION: 1, COMBAT: 2, END: 3}
    return [(f"turn-{f.turn}-{places[f.part]}-{f.part}.png", f) for f in frame_list]
