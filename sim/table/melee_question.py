"""Melees as they are asked: who touches whom, and the combats that each may become (C-1)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import MAX_ENEMIES
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ..base.options import SIDES, Options, quoted
from ..base.policy import SENSIBLE
from ..base.run import LITERAL, Method, WithOptions, digest
from ..combat.combat import notes_of
from ..combat.combatants import Combatant, chosen, numbered, with_options
from ..combat.laws import restricted, weights
from ..combat.question import Question
from ..phases.tactics import chance_of_test
from .melee_contacts import Told, bits, charged_of, key_of, touching_of


@dataclass(frozen=True, eq=False)
class Melee:
    """Fighters chained by contacts between enemies (C-1.1)."""

    fighters: tuple[Combatant, ...]  # side A first; sets of them are bits in this order
    enemies: NDArray[np.int64]  # whom each touches of his enemies
    own: int  # the fighters of side A
    routed: int  # fighters in rout, as bits
    options: Options

    @cached_property
    def ways(self) -> NDArray[np.int64]:
        """In how many ways each set of fighters can be separated; the last is all of them."""
        from ...kernels.table.separations import ways_of

        found: NDArray[np.int64] = ways_of(self.enemies, self.own)
        return found

    @property
    def count(self) -> int:
        """In how many ways it can be separated (C-1.3)."""
        return int(self.ways[-1])

    @property
    def whole(self) -> int:
        """All its fighters, as bits."""
        return len(self.ways) - 1

    @property
    def separable(self) -> bool:
        """Whether there is a roll for who separates: several on each side (C-1.6)."""
        return min(self.own, len(self.fighters) - self.own) > 1

    def separations(self) -> list[tuple[int, ...]]:
        """Return every separation: its combats, as sets of fighters (C-1.3)."""
        from ...kernels.table.separations import separations

        rows = separations(self.enemies, self.own, self.ways, 0, self.count)
        return [tuple(int(c) for c in row if c) for row in rows]

    def best(self, values: NDArray[np.float64], side: str) -> tuple[tuple[int, ...], float]:
        """Return the separation that a side likes best, by the value of each set to A."""
        from ...kernels.table.separations import best_of

        value, row = best_of(self.enemies, self.own, self.ways, values, 1 if side == "A" else -1)
        return tuple(int(c) for c in row if c), float(value)

    def combats(self) -> list[int]:
        """Return every combat that one of its separations has, each once (C-1.2)."""
        from ...kernels.table.separations import combats_of

        return [int(c) for c in combats_of(self.enemies, self.own, self.ways)]

    def name(self, combat: int) -> str:
        """Return ``A1 v B1+B2``."""
        keys = [key_of(self.fighters[i]) for i in bits(combat)]
        sides = ("+".join(key for key in keys if key[0] == side) for side in SIDES)
        return " v ".join(sides)

    def question(self, combat: int) -> Question:
        """Return one of its combats as a question; the score is that about its fighters."""
        met = tuple(self.fighters[i] for i in bits(combat))
        score = restricted(self.options.score, self.fighters, met)
        options = self.options
        if score != options.score:
            options = replace(options, score=score)
        a, b = (tuple(c for c in met if c.side == side) for side in SIDES)
        return Question(a, b, options)

    def disciplines(self, fighters: int) -> list[int | None]:
        """Return the best Discipline of A and of B of who may make the test (C-1.4, C-2.1).

        It is -1 where all are in rout, None where their cards do not say it.
        """
        from ...kernels.table.melees import NOBODY, testers

        known = [c.profile.DIS for c in self.fighters]
        unknown = sum(1 << i for i, dis in enumerate(known) if dis is None)
        dis = np.array([0 if d is None else d for d in known])
        sure = testers(fighters, self.own, dis, self.routed | unknown)
        able = testers(fighters, self.own, dis, self.routed)
        return [
            None if best == NOBODY != anybody else int(best)
            for best, anybody in zip(sure, able, strict=True)
        ]

    def chance_a(self, fighters: int) -> float | None:
        """Return the chance that A wins the test of Discipline (C-1.4, C-2.1).

        None where it hangs on a Discipline that no card says. A side whose policy is best
        play re-rolls its sixes here as the policy *sensible* does: while it is behind.
        """
        from ...kernels.table.melees import NOBODY

        own, other = self.disciplines(fighters)
        if None in (own, other) and NOBODY not in (own, other):
            return None
        options, edition = self.options, self.options.edition
        a, b = (SENSIBLE if p.open_decisions else p for p in options.policies)
        return chance_of_test(
            own or 0,
            other or 0,
            Options(options.edition_name, options.rules, (a, b)),
            edition["melee.discipline_tie"],
            edition["melee.nobody_able"],
        )


@dataclass(frozen=True, eq=False)
class MeleeQuestion(WithOptions):
    """Fighters of two sides and who touches whom, ready to be answered."""

    # side A first, as the options say, without what contacts make of them
    fighters: tuple[Combatant, ...]
    touching: NDArray[np.uint64]  # as `touching_of` returns it
    melees: tuple[Melee, ...]
    contacts: str  # ``all`` or the file, for the command; empty if neither was given
    routed: frozenset[int]  # numbers of the fighters in rout
    options: Options

    @cached_property
    def _asked(self) -> tuple[list[Question], list[dict[int, int]]]:
        """The combats to work out, each once, and which of them a combat of a melee is."""
        places: dict[tuple[Any, ...], int] = {}
        questions: list[Question] = []
        index: list[dict[int, int]] = []
        for melee in self.melees:
            index.append({})
            for combat in melee.combats():
                question = melee.question(combat)
                place = places.setdefault(_identity(question), len(questions))
                if place == len(questions):
                    questions.append(question)
                index[-1][combat] = place
        return questions, index

    @property
    def questions(self) -> list[Question]:
        """The combats of all separations, those of equal fighters once."""
        return self._asked[0]

    @property
    def index(self) -> list[dict[int, int]]:
        """For each melee, which of the questions each of its combats is."""
        return self._asked[1]

    def touched(self, fighter: int) -> list[Combatant]:
        """Return the enemies whom a fighter touches."""
        others = (self.fighters[i] for i in bits(int(self.touching[fighter])))
        return [c for c in others if c.side != self.fighters[fighter].side]

    @property
    def inputs(self) -> str:
        """Digest of all combats, to tell whether they have changed."""
        return digest(*(asked.inputs.encode() for asked in self.questions))

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = [key for asked in self.questions for key in asked.assumed]
        if any(c.charges for c in self.fighters):
            keys += self.edition.assumed(["charge.sharing"])
        if any(melee.separable for melee in self.melees):
            keys += self.edition.assumed(("melee",))
        return tuple(dict.fromkeys(keys))

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        clauses = [clause for asked in self.questions for clause in asked.readings]
        if any(melee.separable for melee in self.melees):
            listed = self.edition.readings
            clauses = [r.clause for r in listed if r.clause in ("C-1.4", "C-2.1")] + clauses
        return tuple(dict.fromkeys(clauses))

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        return notes_of(self.questions)

    def command_line(self, method: Method) -> str:
        """Return the command that gives the same answer again; empty if none can."""
        if not self.contacts:
            return ""
        # chains are drawn where no sampler is given
        rolled = ["--sampler", LITERAL] * (method.sampler == LITERAL)
        words = ["estoc", "melee", *method.arguments, *rolled]
        words += self.options.common_arguments()
        for i, c in enumerate(self.fighters):
            words += c.arguments(key_of(c))
            words += ["--routed", key_of(c)] if i in self.routed else []
        a, b = ([c.profile.label for c in self.fighters if c.side == side] for side in SIDES)
        words += [*a, "vs", *b, "--contacts", self.contacts]
        return " ".join(quoted(word) for word in words)


def _identity(question: Question) -> tuple[Any, ...]:
    """Return what two combats have in common if their odds and values are the same."""
    setup = question.setup
    worth = weights(question).tobytes()
    return question.cell, question.inputs, setup.chooser, question.lone_side, worth


def ask(
    a: Sequence[Profile],
    b: Sequence[Profile],
    contacts: Told,
    routed: Sequence[str],
    options: Options,
) -> MeleeQuestion:
    """Return the question of fighters of two sides who touch one another."""
    from ...kernels.table.melees import MAX_TABLE, melees_of

    if options.dice:
        raise InputError("melee: the number of dice hangs on the separation (C-3.1): no --dice")
    if options.turns != 1:
        raise InputError("melee: each turn has a separation of its own (C-1): --turns 1 only")
    if len(a) + len(b) > MAX_TABLE:
        raise InputError("melee: {} fighters; there is room for {}", len(a) + len(b), MAX_TABLE)
    told = with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    touching = touching_of(contacts, told)
    fled = frozenset(i for text in routed for i in chosen(text, "--routed", told))
    met = _in_contact(told, touching, fled, options)
    side_a = np.uint64((1 << len(a)) - 1)
    masks = melees_of(touching, side_a)
    found = [_melee(met, touching, side_a, mask, fled, options) for mask in masks]
    if not found:
        raise InputError("melee: no fighter touches an enemy: there is no melee (C-1.1)")
    shown = str(contacts) if isinstance(contacts, str | Path) else ""
    return MeleeQuestion(told, touching, tuple(found), shown, fled, options)


def _melee(
    fighters: Sequence[Combatant],
    touching: NDArray[np.uint64],
    side_a: np.uint64,
    mask: np.uint64,
    routed: Iterable[int],
    options: Options,
) -> Melee:
    from ...kernels.table.melees import MAX_MELEE
    from ...kernels.table.separations import numbered

    numbers, enemies, own, n = numbered(touching, side_a, mask)
    if n > MAX_MELEE:
        first = key_of(fighters[bits(int(mask))[0]])
        raise InputError(
            "the melee of {} has {} fighters: at most {} can be separated (C-1)",
            first,
            n,
            MAX_MELEE,
        )
    met = tuple(fighters[i] for i in numbers)
    for combatant, foes in zip(met, enemies, strict=True):
        if len(bits(foes)) > MAX_ENEMIES:
            raise InputError(
                "{} touches {} enemies: at most {} find room",
                key_of(combatant),
                len(bits(foes)),
                MAX_ENEMIES,
            )
    fled = sum(1 << place for place, i in enumerate(numbers) if i in set(routed))
    return Melee(met, enemies, int(own), fled, options)


def _in_contact(
    fighters: Sequence[Combatant],
    touching: NDArray[np.uint64],
    routed: Iterable[int],
    options: Options,
) -> list[Combatant]:
    """Return the fighters with what their contacts make of them: charged, all in defence."""
    charged = charged_of(fighters, touching, options)
    fled = set(routed) if options.edition["fear.routed_all_defence"] else set()
    return [
        replace(c, charged=i in charged, all_defence=c.all_defence or i in fled)  # W-4.3
        for i, c in enumerate(fighters)
    ]
