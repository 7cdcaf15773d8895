"""One maintenance phase, with all that happens in it (T-5)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import MAX_TURNS
from ...kernels.layout.maintenance import Effect as Column
from ...kernels.layout.maintenance import Marker, Person, Stage
from ...profiles.compile.combat import state_names
from ...profiles.errors import InputError
from ...profiles.fighters.card import RANKS, Profile
from ...profiles.fighters.roster import Roster
from ...profiles.letters import fold
from ...profiles.message import joined, say
from ..base.options import Options, checked_seed
from ..combat.events import entries_of
from .effects import MARKERS, Effect, Fighter
from .maintenance_phase import Phase, phase_of
from .turn import moments

_MOMENTS = moments("maintenance")


@dataclass(frozen=True)
class Happening:
    """One thing that happened in the phase."""

    step: str  # moment of the phase, one of `estoc.sim.phases.turn.moments`
    clause: str
    fighter: str  # whom it happened to; of an upkeep, who pays
    kind: str  # kind of the effect, or the step again for what is not an effect of somebody
    effect: str  # label of the effect, or empty
    dice: tuple[int, ...]  # rolled for it, in order
    # what changed: rout, mana, faith, state or markers
    before: str
    after: str


@dataclass(frozen=True)
class Maintained:
    """How a phase ended."""

    fighters: tuple[Fighter, ...]  # as they are now; who is dead or just back touches nobody
    effects: tuple[Effect, ...]  # those that did not end
    log: tuple[Happening, ...]  # in order
    # they give the same dice again
    seed: int
    trial: int
    assumed: tuple[str, ...]  # keys of the edition that it depends on and that nobody found


def maintain(
    fighters: Sequence[str | Profile | Fighter],
    effects: Sequence[Effect] = (),
    options: Options | None = None,
    *,
    seed: int | None = None,
    trial: int = 0,
    turn: int = 0,
) -> Maintained:
    """Return the fighters after one maintenance phase, and what happened in it (T-5).

    Parameters
    ----------
    fighters : sequence of str, Profile or Fighter
        Of both sides, the dead who may return among them; a card's name: unhurt, with its COU, DIS
        and rank.
    effects : sequence of Effect
        Those of one step are resolved in this order (T-5.3).
    options : Options, optional
        Edition and rules.
    seed : int, optional
        A fresh one if not given.
    trial, turn : int
        Which dice, from 0.

    Raises
    ------
    InputError
        If a fighter or an effect cannot be; the message has the clause.

    Examples
    --------
    >>> poison = Effect("damage", "Troll", levels=2)
    >>> done = maintain([Fighter("Troll", "light, stunned")], [poison])
    >>> done.fighters[0].state
    'critical'
    >>> [(row.step, row.before, row.after) for row in done.log]  # doctest: +NORMALIZE_WHITESPACE
    [('harm', 'light, stunned', 'critical, stunned'),
     ('markers', 'critical, stunned', 'critical')]
    """
    from ...kernels.phases.maintenance_trials import maintain_trial

    phase = phase_of(_persons(fighters, options), effects, options)
    _check_turn(turn)
    if not 0 <= trial < 2**53:
        raise InputError("trial {} should be 0 or more", trial)
    seed = checked_seed(seed)
    record = _record(phase, seed)
    rows = maintain_trial(record, trial, turn)
    people, ended = record[0].people, record[0].effects[:, Column.GOES_ON] == 0
    return Maintained(
        tuple(_after(phase, people, i) for i in range(len(phase.fighters))),
        tuple(effect for e, effect in enumerate(phase.effects) if not ended[e]),
        tuple(_happenings(phase, rows)),
        seed,
        trial,
        phase.assumed,
    )


def _persons(fighters: Sequence[str | Profile | Fighter], options: Options | None) -> list[Fighter]:
    """Return fighters as the phase sees them; those of a card unhurt, with what it says."""
    roster = None
    found = []
    for fighter in fighters:
        if isinstance(fighter, str):
            roster = roster or Roster.load(options.fighters if options else ())
            fighter = roster.find(fighter)
        found.append(_of_card(fighter) if isinstance(fighter, Profile) else fighter)
    return found


def _of_card(card: Profile) -> Fighter:
    words = fold(card.role).split()
    rank = next((rank for rank in RANKS if card.caster and fold(rank) in words), "")
    return Fighter(card.name, courage=card.COU, discipline=card.DIS, rank=rank)


def _check_turn(turn: int) -> None:
    if not 0 <= turn < MAX_TURNS:
        raise InputError("turn {} should be from 0 to {}", turn, MAX_TURNS - 1)


def _record(phase: Phase, seed: int) -> NDArray[np.void]:
    from ...kernels.phases.maintenance_trials import new_maintenance

    return new_maintenance(
        phase.people,
        phase.rows,
        phase.touches,
        phase.aura,
        phase.rules,
        phase.maintenance,
        seed,
        phase.cell,
    )


def _after(phase: Phase, people: NDArray[np.int64], i: int) -> Fighter:
    """Return a fighter as the phase left him."""
    row, fighter = people[i], phase.fighters[i]
    away = (people[:, Person.STATE] == phase.dead) | (people[:, Person.RETURNED] == 1)
    gone = {other.name for j, other in enumerate(phase.fighters) if away[j] or away[i]}
    return replace(
        fighter,
        state=state_names(phase.edition)[row[Person.STATE]],
        routed=bool(row[Person.ROUTED]),
        mana=int(row[Person.MANA]),
        faith=int(row[Person.FAITH]),
        markers=_markers(int(row[Person.MARKERS])),
        touching_fear=tuple(name for name in fighter.touching_fear if name not in gone),
    )


def _markers(bits: int) -> tuple[str, ...]:
    return tuple(word for word in MARKERS if bits & Marker[word.upper()])


def _happenings(phase: Phase, log: NDArray[np.int64]) -> Iterator[Happening]:
    """Yield what the rows of a log say, each with the dice before it."""
    for line, dice in entries_of(log):
        moment, name = _MOMENTS[line.number], phase.fighters[line.a].name
        effect = phase.effects[line.slot] if line.slot >= 0 else None
        kind, label = (effect.kind, effect.label) if effect else (moment.name, "")
        texts = _texts(phase, line.number, effect, line.x, line.y, line.z)
        faces = tuple(die.y for die in dice)
        yield Happening(moment.name, moment.clause, name, kind, label, faces, *texts)


def _texts(
    phase: Phase, stage: int, effect: Effect | None, before: int, after: int, more: int
) -> tuple[str, str]:
    """Return what changed, as a person says it."""
    states = state_names(phase.edition)
    if stage == Stage.RALLY:
        return say("routed"), say("routed" if after else "rallied")
    if stage in (Stage.FAITH, Stage.MANA):
        return str(before), str(after)
    if stage == Stage.MARKERS and more:
        return joined(", ", _markers(before)), joined(", ", _markers(after)) or say("none")
    if effect and effect.kind == "upkeep":
        now = say("{} {}", after, effect.pays) if more else say("ended")
        return say("{} {}", before, effect.pays), now
    lost = effect is not None and effect.kind == "return" and not more
    return states[before], say("{}, for good", states[after]) if lost else states[after]
