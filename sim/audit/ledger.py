"""The battle as the checker of transcripts keeps it: fighters, their dice, contacts, breaches."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .book import DEAD, Book
from .form import Step
from .geometry import (
    Point,
    Shape,
    base,
    gap,
    on_table,
    overlap,
    point_gap,
    polygon,
    seen,
    touch,
    within,
)

Data = dict[str, Any]

SIDES = "AB"
_DOUBT = 0.01  # cm by which what hides is shrunk or grown where sight is in doubt


class Breach(NamedTuple):
    """A step that breaks a clause.

    Parameters
    ----------
    step : int
        Its number in the transcript, from 0.
    clause : str
    text : str
        Why, in one sentence that names fighters by label.
    """

    step: int
    clause: str
    text: str


class Astray(Exception):
    """The steps cannot be followed any further."""


class Fighter:
    """A fighter during the battle; characteristics as printed are in ``card``."""

    __slots__ = (
        *("number", "label", "side", "card", "group", "state", "routed", "at", "facing"),
        *("shape", "markers", "immune", "assaulted", "activated", "exclusive", "thrown"),
        *("fought", "pursued", "mana", "faith", "casts"),
        *("luck", "charging", "killer"),
    )

    def __init__(self, number: int, card: Data) -> None:
        self.number = number
        self.label: str = card["label"]
        self.side: int = card["side"]
        self.card = card
        self.group: int = card["card"]
        self.state: str = card["state"]
        self.routed = bool(card["routed"])
        self.markers: set[str] = set()
        self.immune = 0
        self.killer: int | None = None  # of one who is killed and fights on (W-7)
        self.mana, self.faith = card["mana"], card["faith"]
        self.place(tuple(card["at"]), tuple(card["facing"]))
        self.new_turn()

    def new_turn(self) -> None:
        """Forget what lasts a turn."""
        self.assaulted = self.activated = self.thrown = self.fought = self.charging = False
        self.exclusive, self.pursued = "", 0
        self.luck = self.amount("luck", "luck_tests")
        self.casts: dict[int, int] = {}

    def place(self, at: Point, facing: Point) -> None:
        """Put the base at a place."""
        self.at, self.facing = at, facing
        card = self.card
        self.shape = base(card["shape"], card["width"], card["depth"], at, facing)

    def has(self, effect: str) -> bool:
        """Whether an ability of its has an effect (W-7)."""
        return effect in self.card.get("effects", ())

    def amount(self, effect: str, number: str) -> int:
        """Return a number of an effect; 0 without it."""
        return int(self.card["numbers"].get(number, 0)) if self.has(effect) else 0

    def words(self, name: str) -> Sequence[Any]:
        """Return a list among its numbers."""
        found: Sequence[Any] = self.card["numbers"][name] if "numbers" in self.card else ()
        return found

    @property
    def alive(self) -> bool:
        """Whether it lives."""
        return self.state != DEAD

    @property
    def fear(self) -> int:
        """Its PEUR, 0 without."""
        return int(self.card["PEUR"] or 0)


class Ledger:
    """A transcript that is read step by step, and the battle as it stands.

    Parameters
    ----------
    steps : sequence of Step
        Of the right form (`form.check_form`).
    book : Book
    """

    def __init__(self, steps: Sequence[Step], book: Book) -> None:
        self.steps, self.book, self.rule = steps, book, book.rule
        self.at = 0
        self.breaches: list[Breach] = []
        self.aside: Callable[[], None] | None = None
        self.header = steps[0].data
        self.fighters = [Fighter(i, card) for i, card in enumerate(self.header["fighters"])]
        self.terrain = [(polygon(piece["corners"]), piece) for piece in self.header["terrain"]]
        self.turn = 0
        self.lucks: list[Data] = []  # before the step that comes
        self.waiting: list[Data] = []  # before the step just taken, still to be looked at

    # reading

    def peek(self) -> str:
        """Return the kind of the next step; empty at the end. Casts aside are read first."""
        while self.aside and self._aside():
            aside, self.aside = self.aside, None  # it reads steps itself
            aside()
            self.aside = aside
        while self._comes("feat") and self.next()["effect"] == "luck":
            self.lucks.append(self.next())
            self.at += 1
        return self.steps[self.at].kind if self.at < len(self.steps) else ""

    def _aside(self) -> bool:
        """Whether the next step is cast outside its caster's activation."""
        if self.at >= len(self.steps):
            return False
        kind, data = self.steps[self.at]
        return kind == "cast" and bool(data["outside"])

    def _comes(self, kind: str) -> bool:
        return self.at < len(self.steps) and self.steps[self.at].kind == kind

    def _advance(self) -> Data:
        """Take the next step; luck told before the one before has to be of its test (W-7)."""
        if self.waiting:
            self.breach("W-7", "a test is rolled again by luck where none was made")
        self.waiting, self.lucks = self.lucks, []
        self.at += 1
        return self.steps[self.at - 1].data

    def take_lucks(self) -> list[Data]:
        """Return who rolls again by luck in the step just taken, and mark it as looked at."""
        found, self.waiting = self.waiting, []
        return found

    def take_feat(self, effect: str, fighter: Fighter) -> Data | None:
        """Take the next step, if an ability of a fighter has this effect in it (W-7)."""
        here = self.peek() == "feat" and self.next()["effect"] == effect
        return self._advance() if here and self.next()["fighter"] == fighter.number else None

    def coming(self, kind: str) -> Data | None:
        """Return the next step but for those of abilities, if it is of a kind."""
        self.peek()
        for step in self.steps[self.at :]:
            if step.kind != "feat":
                return step.data if step.kind == kind else None
        return None

    def next(self) -> Data:
        """Return what the next step says, without taking it."""
        return self.steps[self.at].data

    def take(self, kind: str, clause: str) -> Data:
        """Return what the next step says, if it is of that kind.

        Raises
        ------
        Astray
            If it is another one; the breach is noted.
        """
        found = self.peek()
        if found != kind:
            there = f'"{found}" comes' if found else "the transcript ends"
            self.breach(clause, f'{there} where "{kind}" should', self.at)
            raise Astray
        return self._advance()

    def read(self) -> Data:
        """Take the next step, whatever it is."""
        return self._advance()

    def breach(self, clause: str, text: str, step: int | None = None) -> None:
        """Note that a step, the last one taken if not given, breaks a clause."""
        number = self.at - 1 if step is None else step
        self.breaches.append(Breach(min(number, len(self.steps) - 1), clause, text))

    def check(self, right: bool, clause: str, text: str) -> bool:
        """Note a breach of the step just taken unless it is right; return whether it is."""
        if not right:
            self.breach(clause, text)
        return right

    # who

    def name(self, numbers: int | Iterable[int]) -> str:
        """Return the label of a fighter, or the labels of several."""
        if isinstance(numbers, int):
            return self.fighters[numbers].label if numbers >= 0 else "nobody"
        return ", ".join(self.fighters[i].label for i in numbers) or "nobody"

    def living(self, side: int = -1) -> Iterator[Fighter]:
        """Yield the living, of one side or of both."""
        return (f for f in self.fighters if f.alive and side in (-1, f.side))

    def over(self) -> bool:
        """Whether one side has nobody left."""
        return not any(self.living(0)) or not any(self.living(1))

    def value(self, fighter: Fighter, stat: str) -> int:
        """Return a current characteristic (W-3.2, M-5.1); unknown ones count 0."""
        printed = int(fighter.card[stat] or 0)
        charge = self.book.charge.get(stat, 0) if "charged" in fighter.markers else 0
        ignored = fighter.amount("ignore_penalty", "ignored_level")
        lighter = fighter.amount("lighter_penalty", "lighter_levels")
        return printed - self.book.penalty(fighter.state, stat, ignored, lighter) - charge

    def own(self, fighter: Fighter, stat: str) -> int | None:
        """Return COU or DIS of a card, or what an ability has in its stead (W-7)."""
        if stat == "DIS" and fighter.has("fixed_discipline"):
            return fighter.amount("fixed_discipline", "discipline")
        value: int | None = fighter.card[stat]
        return value

    def with_command(self, fighter: Fighter, stat: str) -> int | None:
        """Return COU or DIS, a leader's if that is higher (W-4.5)."""
        own = self.own(fighter, stat)
        values = [own] if own is not None else []
        for other in self.living(fighter.side):
            reach = other.card["command"]
            led = reach and other is not fighter and not other.routed
            led = led and within(gap(fighter.shape, other.shape), reach)
            theirs = self.own(other, stat)
            if led and theirs is not None:
                values.append(theirs)
        return max(values, default=None)

    # where

    def touches(self, one: Fighter, other: Fighter) -> bool:
        """Whether two living fighters are in contact."""
        here = one.alive and other.alive and one.card["level"] == other.card["level"]
        return here and one is not other and touch(one.shape, other.shape)

    def contacts(self, fighter: Fighter) -> list[Fighter]:
        """Return the living enemies that a fighter touches."""
        return [e for e in self.living(1 - fighter.side) if self.touches(fighter, e)]

    def free(self, fighter: Fighter) -> bool:
        """Whether a fighter touches no enemy."""
        return not self.contacts(fighter)

    def overlapped(self, fighter: Fighter) -> str:
        """Return the name of what a base overlaps, or nothing (M-1.2)."""
        level = fighter.card["level"]
        for other in self.living():
            if other is fighter or other.card["level"] != level:
                continue
            if overlap(fighter.shape, other.shape):
                return other.label
        if level == 0:
            for shape, piece in self.terrain:
                if piece["impassable"] and overlap(fighter.shape, shape):
                    return str(piece["name"])
        return ""

    def inside(self, fighter: Fighter) -> bool:
        """Whether a base stands on the table."""
        return on_table(fighter.shape, self.header["width"], self.header["depth"])

    def sees(self, viewer: Fighter, target: Fighter, *, surely: bool = False) -> bool:
        """Whether a fighter sees another (M-4.1); in doubt yes, or no if it must be sure."""
        sizes = viewer.card["size"], target.card["size"]
        high = max(sizes) if self.rule["sight.hides"] == "higher" else min(sizes)
        hiding: list[Shape] = [
            f.shape
            for f in self.living()
            if f is not viewer and f is not target and f.card["size"] >= high
        ]
        for shape, piece in self.terrain:
            stood = overlap(viewer.shape, shape) or overlap(target.shape, shape)
            if piece["size"] >= high and not stood:
                hiding.append(shape)
        return seen(viewer.at, target.shape, hiding, _DOUBT if surely else -_DOUBT)

    def distance(self, fighter: Fighter, target: Fighter) -> float:
        """Return how far it is from an aim point to the nearest point of a base (M-1.1)."""
        return max(point_gap(target.shape, fighter.at), 0.0)

    # what happens

    def suffer(self, fighter: Fighter, state: str, killer: Fighter) -> str:
        """Return the state that harm leaves; who would be dead may fight on (W-7)."""
        if fighter.killer is not None:
            return fighter.state
        if state != DEAD or not fighter.has("diehard"):
            return state
        data = self.take_feat("diehard", fighter)
        told = data is not None and (data["against"], data["x"]) == (killer.number, 0)
        if not told:
            text = f"{fighter.label} is killed and fights on, which is not told"
            self.breach("W-7", text, self.at)
        fighter.killer = killer.number
        return self.book.unstunned(fighter.amount("diehard", "diehard_level"))

    def read_falls(self) -> None:
        """Check that those die who were killed and fought on: what they did is over (W-7)."""
        for fighter in self.fighters:
            if fighter.killer is None:
                continue
            if self.peek() != "fall" or self.next()["fighter"] != fighter.number:
                self.breach("W-7", f"{fighter.label} was killed, and dies now", self.at)
            else:
                data = self._advance()
                by = self.name(fighter.killer)
                self.check(data["by"] == fighter.killer, "W-7", f"{by} killed {fighter.label}")
            fighter.state, fighter.killer = DEAD, None

    def set_state(self, fighter: Fighter, state: str) -> None:
        """Give a fighter the state that the transcript says, if there is such a state."""
        if self.check(self.book.knows(state), "W-3.1", f'{fighter.label}: no state is "{state}"'):
            fighter.state = state


@dataclass
class Hand:
    """Dice left, and those allocated so far."""

    attack: int = 0
    defence: int = 0
    held: int = 0  # unplaced
    into_attack: int = 0
    into_defence: int = 0
    chain: int = 0  # taken for less ATT and DEF
    sustains: bool = False
    slowed: bool = False  # a sustained defence that costs DEF
    fresh: bool = False  # the first wound roll after a charge is to come

    @property
    def all_attack(self) -> bool:
        """Whether all dice are in attack: none in defence, none unplaced."""
        return self.into_attack > 0 and self.into_defence == 0 and self.held == 0
