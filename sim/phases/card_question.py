"""One activation phase to ask about: two armies, their policies, who wins the Tactics roll."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.cards import Winner
from ...profiles.armies.army import GAIN_PARTS, Army, Card, load_army, threat_of
from ...profiles.armies.card_policy import load_card_policy
from ...profiles.armies.tactics import Roller, roller
from ...profiles.compile.cards import BEST_WORD, WINNERS, base_value, compile_phase
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import joined, say, say_n
from ..base.options import SIDES, Options, of_sides, quoted
from ..base.run import Method, WithOptions, digest
from ..combat.combatants import Combatant, with_sets
from .tactics import chance_of_phase

Phases = NDArray[np.void]  # of dtype PHASE

CELL = 0  # every phase of a run rolls the same dice, whatever is compared


@dataclass(frozen=True)
class Change:
    """What one thing changes: the phase with it, less the phase without it."""

    name: str
    side: str  # "A" or "B", whose it is
    with_it: Phases
    without: Phases


@dataclass(frozen=True)
class Compared:
    """The phases that a question is about, and those that they are compared with."""

    phases: Phases  # shape (k,): the first is the one asked about
    changes: tuple[Change, ...]
    places: tuple[tuple[int, int], ...]  # for each change, the phase with it and the one without it


@dataclass(frozen=True)
class CardQuestion(WithOptions):
    """One activation phase, ready to be played."""

    a: Army
    b: Army
    # "roll", "coin", "A" or "B": who wins the Tactics roll, or how it is found
    winner: str = "roll"
    options: Options = field(default_factory=Options)  # edition, rules, files of fighters
    policies: tuple[str, ...] = ()  # what replaced the armies' own policies, as ``A=wait``

    def __post_init__(self) -> None:
        if self.winner not in WINNERS:
            raise InputError('winner "{}" should be one of {} (T-2.3)', self.winner, WINNERS)

    @property
    def armies(self) -> tuple[Army, Army]:
        """Both armies."""
        return self.a, self.b

    @cached_property
    def phase(self) -> Phases:
        """The phase as the kernels see it, shape (1,); copy it before use."""
        phases = compile_phase(self.a, self.b, self.options.edition, self.winner)
        for side, policy in enumerate(self.options.policies):
            phases["policy"][0, side] = policy.row()
        phases["cell"] = CELL
        return phases

    @cached_property
    def chance(self) -> float:
        """Chance that A wins the Tactics roll."""
        phase = self.phase[0]
        own, other = (int(d) for d in phase["discipline"])
        return chance_of_phase(int(phase["winner"]), (own, other), self.options)

    @property
    def rollers(self) -> tuple[Roller, Roller]:
        """Who makes the Tactics roll on each side."""
        return roller(self.a, self.options.edition), roller(self.b, self.options.edition)

    @property
    def scored(self) -> bool:
        """Whether a file says what it is worth that a card acts before another."""
        return bool(self.a.gains or self.b.gains)

    @property
    def optimal(self) -> bool:
        """Whether a side plays its best, which only exact odds can find."""
        return any(army.policy.optimal for army in self.armies)

    @property
    def scripted(self) -> bool:
        """Whether a file tells moves in advance."""
        return any(army.policy.moves for army in self.armies)

    @property
    def base(self) -> float:
        """Value to A before any card has acted before another."""
        return base_value(self.a, self.b)

    def refusals(self) -> tuple[int, int]:
        """Return the refusals of both sides (A-3.1)."""
        one, other = len(self.a.cards), len(self.b.cards)
        return max(other - one, 0), max(one - other, 0)

    @cached_property
    def compared(self) -> Compared:
        """The phase, and those that it is compared with."""
        phases, places, changes = [self.phase], [], tuple(self.changes())
        for change in changes:
            pair = []
            for one in (change.with_it, change.without):
                same = [k for k, known in enumerate(phases) if known is one]
                pair.append(same[0] if same else len(phases))
                phases += [] if same else [one]
            places.append((pair[0], pair[1]))
        return Compared(np.concatenate(phases), changes, tuple(places))

    def changes(self) -> Iterator[Change]:
        """Yield what may be compared: the first word, the Tactics roll, refusals, the reserve.

        Nothing where moves are told in advance: they would not be legal without them.
        """
        if self.scripted:
            return
        words = [self._with(winner=0, speaks_second=(0, second)) for second in range(2)]
        yield Change(say("speaking first, not second"), "A", words[0], words[1])
        won = [self._with(winner=side) for side in range(2)]
        yield Change(say("winning the Tactics roll"), "A", won[0], won[1])
        for side, refusals in enumerate(self.refusals()):
            if refusals:
                without = self._with(no_refusals=(side, 1))
                what = say_n("its {} refusal", "its {} refusals", refusals)
                yield Change(what, SIDES[side], self.phase, without)
        for side in range(2):
            without = self._with(no_reserve=(side, 1))
            yield Change(say("its reserve"), SIDES[side], self.phase, without)

    def _with(self, winner: int | None = None, **values: tuple[int, int]) -> Phases:
        """Return the phase with another winner of the roll, or another value of a side."""
        phases = self.phase.copy()
        if winner is not None:
            phases["winner"] = winner
        for what, (side, value) in values.items():
            phases[what][0, side] = value
        return phases

    def replayed(self, sides: tuple[bool, bool]) -> Phases:
        """Return the phase with best play of some sides."""
        phases = self.phase.copy()
        for side, best in enumerate(sides):
            if best:
                phases["optimal"][0, side] = 1
                phases["speaks_second"][0, side] = BEST_WORD
                phases["scripted"][0, side] = 0
        return phases

    @property
    def policy(self) -> str:
        """How both sides decide."""
        return of_sides(*(str(army.policy) for army in self.armies))

    @property
    def inputs(self) -> str:
        """Digest of cards, policies and rules, to tell whether they have changed."""
        names = repr([[card.name for card in army.cards] for army in self.armies])
        return digest(self.phase.tobytes(), names.encode())

    @cached_property
    def _rolled(self) -> bool:
        """Whether both sides have a fighter who rolls dice (T-2.3)."""
        known = (self.phase["discipline"][0] >= 0).all()
        return bool(self.phase["winner"][0] == Winner.ROLL and known)

    @property
    def _wanting(self) -> int:
        """How many sides have nobody who may make the roll (T-2.5)."""
        return sum(who.nobody for who in self.rollers) if self.winner == "roll" else 0

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = []
        if self._rolled:
            keys += ["tests.reroll_one", "tests.natural_one_fails", "tactics.tie"]
        if self._wanting == 1:
            keys.append("tactics.no_fighter")
        routed = any(card.routed for army in self.armies for card in army.cards)
        if routed and self.winner == "roll":
            keys.append("tactics.routed_may_roll")
        if any(self.refusals()):
            keys.append("cards.refusal_alone")
        return self.options.edition.assumed(keys)

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that the answer depends on and that can be read otherwise."""
        wanted = ["W-1.5", "T-2.4"] * self._rolled + ["T-2.5"] * (self._wanting == 2)
        return tuple(r.clause for r in self.options.edition.readings if r.clause in wanted)

    def remarks(self) -> tuple[str, ...]:
        """Return what is worth knowing about the armies."""
        found = [*self.a.remarks, *self.b.remarks]
        for own, enemy in ((self.a, self.b), (self.b, self.a)):
            absent = dict.fromkeys(g.before for g in own.gains if not enemy.has(g.before))
            found += [
                say('{}: a gain is left out: {} has no "{}"', own.name, enemy.name, c)
                for c in absent
            ]
        if self.winner == "roll":
            found += self._remarks_on_roll()
        if self.scripted:
            found.append(say("moves are told in advance: nothing to compare them with"))
        if self.optimal:
            found.append(say("best play: who plays it knows both piles"))
        return tuple(found)

    def _remarks_on_roll(self) -> Iterator[str]:
        """Yield who may not make the Tactics roll, and whose Discipline is not known."""
        if self.phase["winner"][0] == Winner.COIN:
            yield say(
                "no Discipline is known: a coin decides the Tactics roll (give cards a DIS = …)"
            )
        for side, who in zip(SIDES, self.rollers, strict=True):
            for card, why in who.barred:
                yield say("{}: {} may not make the roll: {}", side, card, why)
            if who.unknown and who.card:
                yield say(
                    "{}: left out of the roll, DIS not known: {}", side, joined("; ", who.unknown)
                )
            if who.nobody:
                yield say("{}: nobody may make the Tactics roll (T-2.5)", side)

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        return say("{} against {}: activation phase", self.a.name, self.b.name)

    def command_line(self, how: Method) -> str:
        """Return the command that asks this, empty if no file holds the armies."""
        told = {"method": how.name, "precision": how.precision, "trials": how.trials}
        words = {**told, "seed": how.seed}.items()
        return self.command([w for k, v in words if v is not None for w in (f"--{k}", str(v))])

    def command(self, more: Sequence[str]) -> str:
        """Return the command that asks this, with more words; empty if no file holds the armies."""
        if not (self.a.file and self.b.file):
            return ""  # armies made by a program
        words = ["estoc", "cards", self.a.file, self.b.file]
        words += [word for policy in self.policies for word in ("--policy", policy)]
        if self.winner != "roll":
            words += ["--winner", self.winner]
        words += self.options.set_arguments() + self.options.common_arguments()
        return " ".join(map(quoted, [*words, *more]))


def ask(
    a: str | Army,
    b: str | Army,
    *,
    policies: Sequence[str] = (),
    winner: str = "roll",
    options: Options | None = None,
    roster: Roster | None = None,
) -> CardQuestion:
    """Return the question about the activation phase of two armies."""
    options = Options() if options is None else options
    roster = Roster.load(options.fighters) if roster is None else roster
    armies = [army if isinstance(army, Army) else load_army(army, roster) for army in (a, b)]
    armies = with_set_cards(armies, options.sets, SIDES)
    one, other = with_policies(armies[0], armies[1], tuple(policies))
    return CardQuestion(one, other, winner, options, tuple(policies))


def with_policies(a: Army, b: Army, texts: tuple[str, ...]) -> tuple[Army, Army]:
    """Return armies whose policies are replaced by ``NAME|FILE``, ``A=…`` or ``B=…``.

    Of an army's file, an order by a word and moves told in advance are then forgotten; a
    list of cards as the order, and who it lets speak first, are kept.
    """
    armies = [a, b]
    for text in texts:
        head, equals, rest = (part.strip() for part in text.partition("="))
        if equals and head.upper() not in SIDES:
            raise InputError('policy "{}": "{}" should be A or B, as in A=wait', text, head)
        policy = load_card_policy(rest if equals else text)
        for index in (SIDES.index(head.upper()),) if equals else (0, 1):
            speak = armies[index].speak or policy.speak
            armies[index] = replace(armies[index], policy=replace(policy, speak=speak))
    return armies[0], armies[1]


def in_parts(value: float) -> float:
    """Return a swing of the kernels in the unit of gains."""
    return value / GAIN_PARTS


def with_set_cards(armies: Sequence[Army], sets: Sequence[str], sides: Sequence[str]) -> list[Army]:
    """Return armies with cells of their fighters' cards replaced: ``NAME.KEY=VALUE``.

    NAME is a card's, in whichever army it is, or one of the ``sides``, in the armies' order.
    """
    told = [
        Combatant(card.profile or Profile(card.name), card.name, side, place)
        for army, side in zip(armies, sides, strict=True)
        for place, card in enumerate(army.cards, 1)
    ]
    changed = iter(with_sets(told, sets))
    return [replace(a, cards=tuple(_set_card(c, next(changed)) for c in a.cards)) for a in armies]


def _set_card(card: Card, told: Combatant) -> Card:
    """Return a card with what was replaced: also what its army's file says of the fighter."""
    if not told.sets:
        return card
    own = {"PA", "DIS", "people", "abilities"} & {key for key, _ in told.sets}
    values = {key: getattr(told.profile, key) for key in own}
    if card.threat == threat_of(card.profile):
        values["threat"] = threat_of(told.profile)
    return replace(card, profile=told.profile, **values)
