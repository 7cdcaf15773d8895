"""The maintenance kernels and the reference on the same phase and the same dice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

import numpy as np
from hypothesis import strategies as st
from strategies import books
from witness import die_of, edition_of, replaced, rules_of, sheet_words, wounds_by_code

from estoc.kernels.layout.combat import Outcome
from estoc.kernels.layout.log import Event
from estoc.kernels.layout.maintenance import Caster, Kind, MaintenanceRules, Marker, Stage
from estoc.kernels.layout.maintenance import Effect as Column
from estoc.kernels.layout.maintenance import Person as Row
from estoc.kernels.phases.maintenance_trials import maintain_trial, new_maintenance
from estoc.profiles import Edition
from estoc.profiles.compile.combat import state_names
from estoc.profiles.compile.maintenance import compile_maintenance
from estoc.sim.phases import effects as sim
from reference.book import DEAD, OUTCOMES, Book
from reference.maintenance import Customs, Effect, Person, Phase, Roll, play
from reference.tape import ReplayTape

MARKERS = tuple(marker.name.lower() for marker in Marker)
_MYSTIC = ("mana_base", "mana_per_rank", "mana_dice", "mana_most_per_rank")
_MYSTIC += ("faith_base", "faith_per_rank", "faith_per_believer")


def edition_with(book: Book, customs: Customs) -> Edition:
    """The edition file's form of a book and of customs."""
    values = {f"mystic.{key}": getattr(customs, key) for key in _MYSTIC}
    values |= {f"maintenance.removes.{m}": m in customs.removes for m in (*MARKERS, "stunned")}
    values["fear.rally_difficulty"] = customs.rally_difficulty
    values["fear.no_rally_in_contact"] = customs.no_rally_in_contact
    return replaced(edition_of(book), values)


@lru_cache(maxsize=256)
def maintenance_of(book: Book, customs: Customs) -> MaintenanceRules:
    return compile_maintenance(edition_with(book, customs))


# --- a phase as arrays ------------------------------------------------------------------


def person_row(person: Person, codes: list) -> list[int]:
    row = [0] * len(Row)
    row[Row.STATE], row[Row.ROUTED] = codes.index(person.wounds), person.routed
    row[Row.NERVE] = max(person.courage, person.discipline)
    casters = {"": Caster.NONE, "mana": Caster.MAGICIAN, "faith": Caster.FAITHFUL}
    row[Row.CASTER], row[Row.RANK] = casters[person.casts], person.rank
    row[Row.MANA], row[Row.FAITH] = person.mana, person.faith
    row[Row.MARKERS] = sum(Marker[marker.upper()] for marker in person.markers)
    row[Row.RETURNED] = person.returned
    return row


def effect_row(effect: Effect, codes: list) -> list[int]:
    row = [0] * len(Column)
    row[Column.KIND], row[Column.STAGE] = Kind[effect.kind.upper()], Stage.HARM + effect.step - 1
    row[Column.TARGET] = -1 if effect.target is None else effect.target
    row[Column.SOURCE] = -1 if effect.source is None else effect.source
    row[Column.NEEDS], row[Column.LEVELS] = effect.needs or 0, effect.levels
    row[Column.OUTCOME] = OUTCOMES.index(effect.outcome)
    row[Column.COST], row[Column.IN_FAITH] = effect.cost, effect.pays == "faith"
    row[Column.KEEP], row[Column.LOST] = effect.keep, effect.lost
    row[Column.SUSTAINS] = -1 if effect.sustains is None else effect.sustains
    row[Column.STATE] = codes.index(effect.wounds)
    row[Column.MANA], row[Column.FAITH] = effect.mana, effect.faith
    row[Column.GOES_ON] = effect.lasts
    return row


class Compiled:
    """A phase in the kernels, with a seed and a cell."""

    def __init__(self, phase: Phase, seed: int = 1, cell: int = 0):
        self.phase, self.seed, self.cell = phase, seed, cell
        self.codes = wounds_by_code(phase.book)
        people = [person_row(person, self.codes) for person in phase.people]
        effects = [effect_row(effect, self.codes) for effect in phase.effects]
        n = len(people)
        touches, aura = np.zeros((n, n), bool), np.zeros((n, n), bool)
        for i, person in enumerate(phase.people):
            touches[i, list(person.frightened_by)] = True
            aura[i, list(person.believers)] = True
        self.record = new_maintenance(
            np.array(people, np.int64).reshape(-1, len(Row)),
            np.array(effects, np.int64).reshape(-1, len(Column)),
            touches,
            aura,
            rules_of(phase.book),
            maintenance_of(phase.book, phase.customs),
            seed,
            cell,
        )

    def roll(self, trial: int, turn: int, asked: list[int]) -> Roll:
        """The dice of the addresses of ``kernels/core/rng.py``; they are also put in a list."""

        def die(what: str, whose: int, index: int) -> int:
            if what == "rally":
                number, slot = 0, whose
            elif what == "mana":
                number, slot, index = 1 + index, whose, 0
            else:
                number, slot, index = 4 + 2 * (whose // 64) + index, whose % 64, 0
            first = turn << 20 | 29 << 15 | number % 16 << 11 | number // 16 << 10
            block, digit = divmod(index, 5)
            sheet, word = (first + 64 * block + slot, 0) if block else (first + slot // 4, slot % 4)
            asked.append(die_of(sheet_words(self.seed, self.cell, trial, sheet)[word], digit))
            return asked[-1]

        return die

    def kernel(self, trial: int, turn: int) -> tuple[list[list[int]], list[list[int]], list[int]]:
        """Rows of fighters and of effects after a trial, and its dice in order."""
        log = maintain_trial(self.record, trial, turn)
        n, m = len(self.phase.people), len(self.phase.effects)
        record = self.record[0]
        dice = log[log[:, 0] == Event.DIE, 7]
        return record.people[:n].tolist(), record.effects[:m].tolist(), dice.tolist()

    def told(self, phase: Phase) -> tuple[list[list[int]], list[list[int]]]:
        """A phase of the reference as rows."""
        return (
            [person_row(person, self.codes) for person in phase.people],
            [effect_row(effect, self.codes) for effect in phase.effects],
        )


def assert_same_trial(phase: Phase, trial: int = 0, turn: int = 0, seed: int = 1) -> None:
    """Kernel and reference end a trial alike, with the same dice in the same order."""
    compiled = Compiled(phase, seed)
    asked: list[int] = []
    after = play(phase, compiled.roll(trial, turn, asked))
    people, effects, dice = compiled.kernel(trial, turn)
    assert (people, effects) == compiled.told(after)
    assert dice == asked


def branches(phase: Phase, most: int = 3000) -> Iterator[tuple[Phase, Fraction]] | None:
    """Every way the dice of the reference can fall, with its chance; None: too many."""
    found, beginning = [], []
    while beginning is not None:
        tape = ReplayTape(beginning, range(1, 7), depth=12)
        after = play(phase, lambda *_, tape=tape: tape.next_die())
        found.append((after, Fraction(1, 6**tape.used)))
        if len(found) > most:
            return None
        beginning = tape.following()
    return iter(found)


# --- a phase as a person writes it --------------------------------------------------------

_RANKS = {
    "mana": ("initié", "adepte", "maître", "virtuose"),
    "faith": ("dévot", "zélote", "doyen", "avatar"),
}


def sensible(phase: Phase) -> Phase:
    """The phase without what a person may not write: casters without rank, the dead touching."""
    dead = {i for i, person in enumerate(phase.people) if person.wounds.dead}
    made = []
    for i, person in enumerate(phase.people):
        touched = () if i in dead else (j for j in person.frightened_by if j not in {i, *dead})
        believers = (j for j in person.believers if j != i) if person.casts == "faith" else ()
        made.append(
            replace(
                person,
                rank=max(person.rank, 1) if person.casts else 0,
                frightened_by=tuple(touched),
                believers=tuple(believers),
            )
        )
    return replace(phase, people=made)


def written(phase: Phase) -> tuple[list[sim.Fighter], list[sim.Effect], Edition]:
    """Fighters 0, 1, … and effects 0, 1, … of a sensible phase, and its edition."""
    edition, codes = edition_with(phase.book, phase.customs), wounds_by_code(phase.book)
    states = dict(zip(codes, state_names(edition), strict=True))
    fighters = [
        sim.Fighter(
            str(i),
            states[person.wounds],
            person.routed,
            person.courage,
            person.discipline,
            rank=_RANKS[person.casts][person.rank - 1] if person.casts else "",
            mana=person.mana,
            faith=person.faith,
            markers=tuple(person.markers),
            touching_fear=tuple(map(str, person.frightened_by)),
            believers=tuple(map(str, person.believers)),
        )
        for i, person in enumerate(phase.people)
    ]
    effects = []
    for e, effect in enumerate(phase.effects):
        said = {
            "damage": {"needs": effect.needs, "levels": effect.levels},
            "heal": {"needs": effect.needs, "levels": effect.levels},
            "roll_to_heal": {"needs": effect.needs},
            "upkeep": {"cost": effect.cost, "pays": effect.pays, "keep": effect.keep},
            "return": {
                "needs": effect.needs,
                "state": states[effect.wounds],
                "mana": effect.mana,
                "faith": effect.faith,
                "lost": effect.lost,
            },
        }[effect.kind]
        if effect.kind == "damage" and effect.outcome != "-":
            said["outcome"] = Outcome(OUTCOMES.index(effect.outcome)).name.lower()
        if effect.sustains is not None:
            said["sustains"] = str(effect.sustains)
        target, source = ("" if i is None else str(i) for i in (effect.target, effect.source))
        effects.append(sim.Effect(effect.kind, target, source, str(e), effect.step, **said))
    return fighters, effects, edition


# --- any phase ----------------------------------------------------------------------------

customs = st.builds(
    Customs,
    rally_difficulty=st.integers(0, 20),
    no_rally_in_contact=st.booleans(),
    mana_base=st.integers(0, 2),
    mana_per_rank=st.integers(0, 2),
    mana_dice=st.integers(0, 3),
    mana_most_per_rank=st.integers(0, 6),
    faith_base=st.integers(0, 2),
    faith_per_rank=st.integers(0, 2),
    faith_per_believer=st.integers(0, 2),
    removes=st.frozensets(st.sampled_from([*MARKERS, "stunned"])),
)


@st.composite
def people(draw: st.DrawFn, n: int, codes: list) -> Person:
    others = st.lists(st.integers(0, n - 1), max_size=2, unique=True).map(tuple)
    return Person(
        draw(st.sampled_from(codes)),
        draw(st.booleans()),
        draw(st.integers(0, 9)),
        draw(st.integers(0, 9)),
        draw(st.sampled_from(["", "mana", "faith"])),
        draw(st.integers(0, 4)),
        draw(st.integers(0, 9)),
        draw(st.integers(0, 9)),
        draw(st.frozensets(st.sampled_from(MARKERS))),
        draw(others),
        draw(others),
    )


@st.composite
def effects(draw: st.DrawFn, n: int, m: int, codes: list) -> Effect:
    kind = draw(st.sampled_from(["damage", "heal", "roll_to_heal", "upkeep", "return"]))
    steps = {"damage": [1], "upkeep": [4], "return": [5]}.get(kind, [2, 3, 4])
    who = st.integers(0, n - 1)
    needs = draw(st.integers(1, 6) if kind == "roll_to_heal" else st.none() | st.integers(1, 6))
    by_levels = kind != "damage" or draw(st.booleans())
    return Effect(
        kind,
        draw(st.sampled_from(steps)),
        draw(st.none() | who if kind == "upkeep" else who),
        draw(who if kind == "upkeep" else st.none() | who),
        needs,
        draw(st.integers(1, 3)) if by_levels else 0,
        "-" if by_levels else draw(st.sampled_from(OUTCOMES[1:])),
        draw(st.integers(0, 5)),
        draw(st.sampled_from(["mana", "faith"])),
        draw(st.sampled_from([True, True, True, False])),
        draw(st.none() | st.integers(0, m - 1)) if kind == "upkeep" else None,
        draw(st.sampled_from([code for code in codes if code != DEAD])),
        draw(st.integers(0, 3)),
        draw(st.integers(0, 3)),
        draw(st.integers(0, (needs or 1) - 1)),
    )


@st.composite
def phases(draw: st.DrawFn) -> Phase:
    book = draw(st.just(Book()) | books)
    codes = wounds_by_code(book)
    n, m = draw(st.integers(1, 4)), draw(st.integers(0, 6))
    return Phase(
        [draw(people(n, codes)) for _ in range(n)],
        [draw(effects(n, m, codes)) for _ in range(m)],
        book,
        draw(st.just(Customs()) | customs),
    )


def with_steps(phase: Phase, steps: list[int]) -> Phase:
    """The phase with its effects in other steps, as a house edition may have them."""
    changed = [
        replace(effect, step=step) for effect, step in zip(phase.effects, steps, strict=True)
    ]
    return replace(phase, effects=changed)
