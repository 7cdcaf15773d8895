"""The question of a disengagement: who touches whom, and how they stand (M-7)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import Stat
from ...kernels.layout.rolls import WAYS, Try
from ...profiles.armies.weapons import can_shoot
from ...profiles.compile.actions import FACTS
from ...profiles.compile.combat import compile_rules, state_code
from ...profiles.compile.disengage import compile_disengagement
from ...profiles.compile.room import base_of, cap_of, most_in_contact, size_of, size_rank
from ...profiles.edition.edition import Entry
from ...profiles.edition.rulebook import MOVES
from ...profiles.errors import InputError
from ...profiles.message import joined, say
from ..base.options import Options, quoted
from ..base.run import Method, dice_of, digest
from ..combat.combatants import Combatant
from ..phases.actions import NAMES, Activation
from .rolling import TESTS, Rolled, feats_data


@dataclass(frozen=True)
class Disengagement(Rolled):
    """One fighter, the enemies that touch it, and how it stands."""

    fighter: Combatant
    enemies: tuple[Combatant, ...]  # all that are in contact with it, at least one
    options: Options  # edition, rules; wounds and values of cards are in the combatants
    # whether it was charged this turn and suffers the penalty of it (M-5.1); so it was assaulted
    charged: bool = False
    assaulted: bool = False  # whether it was charged or engaged in this activation phase (M-7.1)

    def __post_init__(self) -> None:
        if not self.enemies:
            raise InputError(
                "{}: touches no enemy, and so has nobody to disengage from (M-7.1); name them "
                "with --enemies",
                self.fighter.label,
            )
        bars = self.edition.entry("actions.disengage.unless")
        for fact, reason in (("assaulted", self._assault()), ("surrounded", self._surrounded())):
            if reason and fact in bars.value:
                raise InputError(
                    "{}: may not disengage: {} ({})", self.fighter.label, reason, bars.clause
                )

    def _assault(self) -> str:
        if self.charged:  # its penalty ends with the turn, so the charge was in this phase (M-5.1)
            return say("it was charged in this activation phase")
        return say("it was charged or engaged in this activation phase") if self.assaulted else ""

    def _surrounded(self) -> str:
        number, (most, cap) = len(self.enemies), self.room
        if number < most:
            return ""
        why = (
            say("that is {} ({})", cap.key, cap.clause)
            if cap
            else say("the bases leave no more room")
        )
        return say("{} enemies touch it, and at most {} can: {}", number, most, why)

    @property
    def fighters(self) -> tuple[Combatant, ...]:
        """The fighter and its enemies."""
        return self.fighter, *self.enemies

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
        value -= int(
            rules.penalty[self.pain(combatant), state_code(self.edition, combatant.wounds), stat]
        )
        return value - int(rules.charge[stat]) * (self.charged and combatant is self.fighter)

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
        return dice_of("@".join(self.fighter.profile.key).encode())

    @property
    def inputs(self) -> str:
        """Digest of both ways and rules, to tell whether they have changed."""
        scalars = compile_rules(self.edition).scalars.tobytes()
        return digest(self.ways(0)[1].tobytes(), scalars, feats_data(self.feats(self.fighter)))

    def ways(self, seed: int) -> tuple[NDArray[np.void], NDArray[np.int64], NDArray[np.float64]]:
        """Return a record to roll with, both ways' rows and exact chances."""
        from ...kernels.rolls.disengage import new_disengagement, ways

        own, foes = self.arrays()
        feats = self.feats(self.fighter)
        scalars = compile_rules(self.edition).scalars
        records = new_disengagement(scalars, seed, self.cell, *feats)
        rows, chances = np.zeros((WAYS, len(Try)), np.int64), np.zeros(WAYS)
        ways(records, compile_disengagement(self.edition), own, foes, rows, chances)
        return records, rows, chances

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
            name = action.replace("_", " ")
            times = activation.potential(action)
            found.append(say("{} MOU x {}", name, times) if action in MOVES else name)
        return joined(", ", found) or say("nothing")

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = [*TESTS]
        keys += ["actions.disengage", "disengage.difficulty", "disengage.difficulty_per_enemy"]
        keys.append(cap_of(self.fighter.profile, self.edition).key)
        keys += ["defaults.size"] * (not all(c.profile.size for c in self.fighters))
        keys += [key for c in self.fighters if (key := base_of(c.profile, self.edition)[1])]
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
        without = dict.fromkeys(c.profile.name for c in self.fighters if not c.profile.size)
        size = self.edition["defaults.size"]
        sizes = say("size assumed to be {}: {}", size, without) if without else ""
        return tuple(filter(None, (sizes, *super().remarks())))

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        told = [say("starts {}", self.fighter.wounds)] if self.fighter.wounds else []
        told += [say("charged")] * self.charged
        foes = joined(
            " + ",
            (
                say("{} (starts {})", c.label, c.wounds) if c.wounds else c.label
                for c in self.enemies
            ),
        )
        special = say(" ({})", told) if told else ""
        return say("{}{} disengages from {}", self.fighter.label, special, foes)

    def command_line(self, method: Method, odds: bool = False) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "disengage", self.fighter.profile.label]
        words += [w for enemy in self.enemies for w in ("--enemies", enemy.profile.label)]
        words += ["--charged"] * self.charged + ["--odds"] * odds
        words += ["--assaulted"] * self.assaulted
        for c in self.fighters:
            words += c.arguments(f"B{c.place}" if c.side == "B" else "A")
        words += method.arguments
        return " ".join(quoted(word) for word in words + self.options.common_arguments())
