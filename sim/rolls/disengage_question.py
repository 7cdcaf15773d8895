"""The question of a disengagement: who touches whom, and how they stand (M-7)."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.abilities import Number, pain_of
from ...kernels.layout.combat import Stat
from ...profiles.armies.weapons import can_shoot
from ...profiles.compile.actions import FACTS
from ...profiles.compile.combat import compile_rules, state_code
from ...profiles.compile.room import base_of, cap_of, most_in_contact, size_of, size_rank
from ...profiles.edition.edition import Edition, Entry
from ...profiles.edition.rulebook import MOVES
from ...profiles.errors import InputError
from ..base.options import Options, quoted
from ..base.run import Method
from ..combat.combatants import Combatant, remarks
from ..combat.question import Feats, feats_of
from ..phases.actions import NAMES, Activation


@dataclass(frozen=True)
class Disengagement:
    """One fighter, the enemies that touch it, and how it stands.

    Parameters
    ----------
    fighter : Combatant
    enemies : tuple of Combatant
        All that are in contact with it, at least one.
    options : Options
        Edition, rules; wounds and values of cards are in the combatants.
    charged : bool
        Whether it was charged this turn and suffers the penalty of it (M-5.1); so it was
        assaulted.
    assaulted : bool
        Whether it was charged or engaged in this activation phase (M-7.1).

    Raises
    ------
    InputError
        If it may not try at all, with the clause.
    """

    fighter: Combatant
    enemies: tuple[Combatant, ...]
    options: Options
    charged: bool = False
    assaulted: bool = False

    def __post_init__(self) -> None:
        if not self.enemies:
            raise InputError(
                f"{self.fighter.label}: touches no enemy, and so has nobody to disengage from "
                "(M-7.1); name them with --enemies"
            )
        bars = self.edition.entry("actions.disengage.unless")
        for fact, reason in (("assaulted", self._assault()), ("surrounded", self._surrounded())):
            if reason and fact in bars.value:
                raise InputError(
                    f"{self.fighter.label}: may not disengage: {reason} ({bars.clause})"
                )

    def _assault(self) -> str:
        if self.charged:  # its penalty ends with the turn, so the charge was in this phase (M-5.1)
            return "it was charged in this activation phase"
        return "it was charged or engaged in this activation phase" * self.assaulted

    def _surrounded(self) -> str:
        number, (most, cap) = len(self.enemies), self.room
        if number < most:
            return ""
        why = f"that is {cap.key} ({cap.clause})" if cap else "the bases leave no more room"
        return f"{number} enemies touch it, and at most {most} can: {why}"

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""
        return self.options.edition

    @property
    def room(self) -> tuple[int, Entry | None]:
        """The most enemies that may touch it, and the edition's value if that says so."""
        foes = [enemy.profile for enemy in self.enemies]
        return most_in_contact(self.fighter.profile, foes, self.edition)

    def _size(self, combatant: Combatant) -> int:
        return size_rank(size_of(combatant.profile, self.edition)[0])

    def _current(self, combatant: Combatant, stat: Stat) -> int:
        """Return a characteristic less what wounds and a charge take (W-3.2, M-5.1)."""
        rules = compile_rules(self.edition)
        value = int(combatant.profile.need(stat.name))
        _, numbers = feats_of(combatant.profile, self.options)
        pain = pain_of(int(numbers[Number.IGNORED_LEVEL]), int(numbers[Number.LIGHTER_LEVELS]))
        value -= int(rules.penalty[pain, state_code(self.edition, combatant.wounds), stat])
        return value - int(rules.charge[stat]) * (self.charged and combatant is self.fighter)

    @property
    def feats(self) -> Feats:
        """The abilities of the fighter that are played (W-7)."""
        return feats_of(self.fighter.profile, self.options)

    @property
    def larger(self) -> bool:
        """Whether it is larger than each enemy in contact (M-7.3)."""
        return self._size(self.fighter) > max(map(self._size, self.enemies))

    def arrays(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the fighter and its enemies, as `estoc.kernels.rolls.disengage.ways` takes them.

        FOR and RES are looked at only where a try by force is possible by size.
        """
        ini = self._current(self.fighter, Stat.INI)
        strength = self._current(self.fighter, Stat.FOR) if self.larger else 0
        foes = [
            (self._size(enemy), self._current(enemy, Stat.RES) if self.larger else 0)
            for enemy in self.enemies
        ]
        return np.array([self._size(self.fighter), ini, strength]), np.array(foes)

    @property
    def cell(self) -> int:
        """Number of the fighter, 32 bits: its tries share their dice."""
        digest = sha256("@".join(self.fighter.profile.key).encode()).digest()
        return int.from_bytes(digest[:4])

    def follows(self, succeeded: bool) -> str:
        """Return the actions that are possible after a try, with their potential (M-7.4, M-7.5)."""
        profile = self.fighter.profile
        facts = set(FACTS) - {"free", "combines", "assaulted", "surrounded"}
        facts -= set() if profile.caster else {"caster"}
        facts -= set() if can_shoot(profile) else {"aim", "ranged_weapon"}
        activation = Activation(self.edition, facts, self.fighter.label)
        activation.do("disengage", succeeded)
        found = []
        for action in filter(activation.may, NAMES):
            times = f" MOU x {activation.potential(action)}" if action in MOVES else ""
            found.append(action.replace("_", " ") + times)
        return ", ".join(found) or "nothing"

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = ["tests.reroll_one", "tests.natural_one_fails", "tests.automatic_failure"]
        keys += ["actions.disengage", "disengage.difficulty", "disengage.difficulty_per_enemy"]
        keys.append(cap_of(self.fighter.profile, self.edition).key)
        both = (self.fighter, *self.enemies)
        keys += ["defaults.size"] * (not all(c.profile.size for c in both))
        keys += [key for c in both if (key := base_of(c.profile, self.edition)[1])]
        keys += [f"penalty.{key}" for key in self._penalties()]
        keys += ["charge.INI"] * self.charged + ["charge.FOR"] * (self.charged and self.larger)
        return self.edition.assumed(keys)

    def _penalties(self) -> list[str]:
        """Return the keys of the wounds that count, below ``penalty``."""
        told = [(self.fighter, "INI")]
        told += [(self.fighter, "FOR"), *((foe, "RES") for foe in self.enemies)] * self.larger
        states = ("stunned", "light", "serious", "critical")
        return [f"{state}.{stat}" for c, stat in told if c.wounds for state in states]

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        return tuple(r.clause for r in self.edition.readings if r.clause.startswith("M-7."))

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        both = (self.fighter, *self.enemies)
        without = dict.fromkeys(c.profile.name for c in both if not c.profile.size)
        size = self.edition["defaults.size"]
        sizes = f"size assumed to be {size}: {', '.join(without)}" if without else ""
        told = remarks(both, self.edition, self.options.abilities)
        skilled = [r for r in told if r.startswith("abilities")]
        return tuple(filter(None, (sizes, *skilled)))

    def command_line(self, method: Method, odds: bool) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "disengage", self.fighter.profile.label]
        words += [w for enemy in self.enemies for w in ("--enemies", enemy.profile.label)]
        words += ["--charged"] * self.charged + ["--odds"] * odds
        words += ["--assaulted"] * self.assaulted
        for c in (self.fighter, *self.enemies):
            words += c.arguments(f"B{c.place}" if c.side == "B" else "A")
        words += method.arguments
        return " ".join(quoted(word) for word in words + self.options.common_arguments())
