"""The battle as the checker of transcripts keeps it: fighters, their dice, contacts, breaches."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...profiles.message import Message, say
from .book import DEAD, Book, words_of
from .fighters import Battle, Fighter, as_written
from .geometry import gap, on_table, overlap, point_gap, polygon, seen, touch, within
from .steps import Cast, Fall, Feat, S, Step, kinds_of

_DOUBT = 0.01  # cm by which what hides is shrunk or grown where sight is in doubt


class Breach(NamedTuple):
    """A step that breaks a clause."""

    step: int  # its number in the transcript, from 0
    clause: str
    text: str  # why, in one sentence that names fighters by label


class Astray(Exception):
    """The steps cannot be followed any further."""


class Ledger:
    """A transcript that is read step by step, and the battle as it stands."""

    def __init__(self, fighters: Sequence[Fighter], steps: Sequence[Step], book: Book) -> None:
        assert isinstance(steps[0], Battle)
        self.header, self.fighters, self.steps = steps[0], fighters, steps
        self.book, self.rule = book, book.rule
        self.at = 0
        self.breaches: list[Breach] = []
        self.aside: Callable[[], None] | None = None  # checks a cast outside an activation
        self.terrain = [(polygon(piece.corners), piece) for piece in self.header.terrain]
        self.turn = 0
        self.lucks: list[Feat] = []  # before the step that comes
        self.waiting: list[Feat] = []  # before the step just taken, still to be looked at

    # reading

    def _here(self) -> Step | None:
        return self.steps[self.at] if self.at < len(self.steps) else None

    def next(self) -> Step | None:
        """Return the next step, None at the end; casts aside and luck are read before it."""
        while self.aside and isinstance(step := self._here(), Cast) and step.outside:
            aside, self.aside = self.aside, None  # it reads steps itself
            aside()
            self.aside = aside
        while isinstance(step := self._here(), Feat) and step.effect == "luck":
            self.lucks.append(step)
            self.at += 1
        return step

    def coming(self, kind: type[S], fighter: Fighter | None = None) -> S | None:
        """Return the next step if it is of a kind, and of a fighter if one is given."""
        step = self.next()
        right = isinstance(step, kind) and fighter in (None, getattr(step, "fighter", None))
        return step if right else None  # type: ignore[return-value]

    def after_feats(self, kind: type[S]) -> S | None:
        """Return the next step but for those of abilities, if it is of a kind."""
        self.next()
        step = next((s for s in self.steps[self.at :] if not isinstance(s, Feat)), None)
        return step if isinstance(step, kind) else None

    def read(self, step: S) -> S:
        """Take the next step; luck before the one before has to be of its test (W-7)."""
        if self.waiting:
            self.breach("W-7", "a test is rolled again by luck where none was made")
        self.waiting, self.lucks = self.lucks, []
        self.at += 1
        return step

    def accept(self, kind: type[S], fighter: Fighter | None = None) -> S | None:
        """Take the next step if it is of a kind, and of a fighter if one is given."""
        step = self.coming(kind, fighter)
        return step and self.read(step)

    def accept_feat(self, effect: str, fighter: Fighter) -> Feat | None:
        """Take the next step, if an ability of a fighter has this effect in it (W-7)."""
        step = self.coming(Feat, fighter)
        return self.read(step) if step and step.effect == effect else None

    def take(self, kind: type[S], clause: str) -> S:
        """Take the next step, which should be of that kind.

        Raises
        ------
        Astray
            If it is another one; the breach is noted.
        """
        step = self.next()
        if isinstance(step, kind):
            return self.read(step)
        wanted = as_written(kinds_of(kind)[0])
        if step:
            self.breach_next(clause, "{} comes where {} should", as_written(step.step), wanted)
        else:
            self.breach_next(clause, "the transcript ends where {} should", wanted)
        raise Astray

    def take_lucks(self) -> list[Feat]:
        """Return who rolls again by luck in the step just taken, and mark it as looked at."""
        lucks, self.waiting = self.waiting, []
        return lucks

    def breach(self, clause: str, why: str, *values: Any, step: int | None = None) -> None:
        """Note that a step, the one taken last if not given, breaks a clause.

        ``why`` is a message, or the pattern of one for the values: it is filled only where a
        clause is broken, since most are kept.
        """
        number = self.at - 1 if step is None else step
        text = why if isinstance(why, Message) else say(why, *values)
        self.breaches.append(Breach(min(number, len(self.steps) - 1), clause, text))

    def breach_next(self, clause: str, why: str, *values: Any) -> None:
        """Note that the step that comes breaks a clause."""
        self.breach(clause, why, *values, step=self.at)

    def check(self, right: object, clause: str, why: str, *values: Any) -> bool:
        """Note a breach of the step taken last unless it is right; return whether it is."""
        if not right:
            self.breach(clause, why, *values)
        return bool(right)

    def check_next(self, right: object, clause: str, why: str, *values: Any) -> None:
        """Note a breach of the step that comes unless it is right."""
        if not right:
            self.breach_next(clause, why, *values)

    # who

    def living(self, side: int = -1) -> Iterator[Fighter]:
        """Yield the living, of one side or of both."""
        return (f for f in self.fighters if f.alive and side in (-1, f.side))

    def over(self) -> bool:
        """Whether one side has nobody left."""
        return not any(self.living(0)) or not any(self.living(1))

    def value(self, fighter: Fighter, stat: str) -> int:
        """Return a current characteristic (W-3.2, M-5.1); unknown ones count 0."""
        charge = self.book.charge.get(stat, 0) if "charged" in fighter.markers else 0
        ignored, lighter = fighter.amount("ignored_level"), fighter.amount("lighter_levels")
        taken = self.book.penalty(fighter.state, stat, ignored, lighter)
        return int(getattr(fighter.card, stat) or 0) - taken - charge

    def own(self, fighter: Fighter, stat: str) -> int | None:
        """Return COU or DIS of a card, or what an ability has in its stead (W-7)."""
        if stat == "DIS" and fighter.has("fixed_discipline"):
            return fighter.amount("discipline")
        value: int | None = getattr(fighter.card, stat)
        return value

    def with_command(self, fighter: Fighter, stat: str) -> int | None:
        """Return COU or DIS, a leader's if that is higher (W-4.5)."""
        values = [self.own(fighter, stat)]
        for other in self.living(fighter.side):
            reach, leads = other.card.command, other is not fighter and not other.routed
            if reach and leads and within(gap(fighter.shape, other.shape), reach):
                values.append(self.own(other, stat))
        return max((value for value in values if value is not None), default=None)

    # where

    def touches(self, one: Fighter, other: Fighter) -> bool:
        """Whether two living fighters are in contact."""
        here = one.alive and other.alive and one.card.level == other.card.level
        return here and one is not other and touch(one.shape, other.shape)

    def contacts(self, fighter: Fighter) -> list[Fighter]:
        """Return the living enemies that a fighter touches."""
        return [e for e in self.living(1 - fighter.side) if self.touches(fighter, e)]

    def free(self, fighter: Fighter) -> bool:
        """Whether a fighter touches no enemy."""
        return not self.contacts(fighter)

    def overlapped(self, fighter: Fighter) -> str:
        """Return the name of what a base overlaps, or nothing (M-1.2)."""
        level = fighter.card.level
        for other in self.living():
            same = other is not fighter and other.card.level == level
            if same and overlap(fighter.shape, other.shape):
                return str(other)
        for shape, piece in self.terrain if level == 0 else ():
            if piece.impassable and overlap(fighter.shape, shape):
                return piece.name
        return ""

    def inside(self, fighter: Fighter) -> bool:
        """Whether a base stands on the table."""
        return on_table(fighter.shape, self.header.width, self.header.depth)

    def sees(self, viewer: Fighter, target: Fighter, *, surely: bool = False) -> bool:
        """Whether a fighter sees another (M-4.1); in doubt yes, or no if it must be sure."""
        sizes = viewer.card.size, target.card.size
        high = max(sizes) if self.rule["sight.hides"] == "higher" else min(sizes)
        others = (f for f in self.living() if f is not viewer and f is not target)
        hiding = [f.shape for f in others if f.card.size >= high]
        for shape, piece in self.terrain:
            stood = overlap(viewer.shape, shape) or overlap(target.shape, shape)
            if piece.size >= high and not stood:
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
        data = self.accept_feat("diehard", fighter)
        said = data is not None and data.against is killer and data.x == 0
        self.check_next(said, "W-7", "{} is killed and fights on, which is not told", fighter)
        fighter.killer = killer
        return self.book.unstunned(fighter.amount("diehard_level"))

    def read_falls(self) -> None:
        """Check that those die who were killed and fought on: what they did is over (W-7)."""
        for fighter in self.fighters:
            if fighter.killer is None:
                continue
            if data := self.accept(Fall, fighter):
                self.check(
                    data.by is fighter.killer, "W-7", "{} killed {}", fighter.killer, fighter
                )
            else:
                self.breach_next("W-7", "{} was killed, and dies now", fighter)
            fighter.state, fighter.killer = DEAD, None

    def check_state(self, clause: str, fighter: Fighter, state: str, said: object) -> None:
        """Note a breach unless what is said of a state is right."""
        values = fighter, words_of(state), words_of(said)
        self.check(said == state, clause, "{} is {}, not {}", *values)

    def set_state(self, fighter: Fighter, state: str) -> None:
        """Give a fighter the state that the transcript says, if there is such a state."""
        if self.check(
            self.book.knows(state), "W-3.1", "{}: no state is {}", fighter, as_written(state)
        ):
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
