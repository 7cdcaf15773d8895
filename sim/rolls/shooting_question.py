"""The question of a shot: who shoots at whom, from how far, how both stand (W-6)."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...kernels.layout.abilities import Effect, Number
from ...kernels.layout.combat import Stat
from ...kernels.layout.rolls import BANDS, OUT_OF_RANGE, Band
from ...profiles.armies.weapons import Weapon, weapon_of
from ...profiles.compile.combat import compile_rules, state_code
from ...profiles.compile.shooting import compile_shooting
from ...profiles.errors import InputError
from ...profiles.fighters.abilities import is_bane_of
from ...profiles.message import say
from ..base.options import Options, quoted
from ..base.run import Method, dice_of, digest
from ..combat.combatants import Combatant
from ..combat.question import number_of
from .rolling import TESTS, Rolled, feats_data

MOST_COVER = 20
_STATES = ("stunned", "light", "serious", "critical")


class Variant(NamedTuple):
    """One shot of those that are asked about."""

    band: Band
    moved: bool  # whether the shooter moved
    difficulty: int


@dataclass(frozen=True)
class Shooting(Rolled):
    """One shooter, its target, and how they stand."""

    # sides A and B
    shooter: Combatant
    target: Combatant
    options: Options  # edition, rules; wounds and values of cards are in the combatants
    distance: float | None = None  # in cm; all three ranges are asked about if not given
    moved: bool | None = None  # whether the shooter moved; both are asked about if not given
    cover: int = 0  # X of the target's Target/+X in all (M-6.2)
    charged: bool = False  # whether the shooter suffers the penalty of a charge (M-5.1)

    def __post_init__(self) -> None:
        if not 0 <= self.cover <= MOST_COVER:
            raise InputError(
                "cover {} should be from 0 to {}: X of Target/+X (M-6.2)", self.cover, MOST_COVER
            )
        _ = self.aim, self.difference  # refuses what a card lacks, before a kernel is compiled
        if self.distance is None:
            return
        if not self.distance > 0:
            raise InputError("range {:g} should be a distance in cm, above 0", self.distance)
        if self._band(self.distance) == OUT_OF_RANGE:
            raise InputError(
                "{}: {:g} cm is out of its weapon's range, {:g} cm (W-6)",
                self.shooter.label,
                self.distance,
                self.weapon.ranges[-1],
            )

    @property
    def fighters(self) -> tuple[Combatant, ...]:
        """Shooter and target."""
        return self.shooter, self.target

    @cached_property
    def weapon(self) -> Weapon:
        """What it shoots with."""
        return weapon_of(self.shooter.profile, self.edition)

    def _band(self, distance: float) -> int:
        from ...kernels.rolls.shooting import bands_at

        bands = np.zeros(1, np.int64)
        bands_at(np.array(self.weapon.ranges), np.array([distance]), bands)
        return int(bands[0])

    @property
    def is_bane(self) -> bool:
        """Whether the shooter is a bane of its target (W-7)."""
        return self.options.abilities and is_bane_of(self.shooter.profile, self.target.profile)

    @property
    def hardness(self) -> int:
        """What the target's abilities add to the difficulty: X of Target/X (W-6, W-7)."""
        return number_of(self.feats(self.target), Effect.AIM_DIFFICULTY, Number.AIM_DIFFICULTY) or 0

    @property
    def aim(self) -> int:
        """TIR less what wounds and a charge take (W-3.2, M-5.1)."""
        rules = compile_shooting(self.edition)
        value = int(self.shooter.profile.need("TIR"))
        pain, state = self.pain(self.shooter), state_code(self.edition, self.shooter.wounds)
        value -= int(rules.aim_penalty[pain, state])
        return value - rules.aim_charge * self.charged

    @property
    def start(self) -> int:
        """State of the target before the shot."""
        return state_code(self.edition, self.target.wounds)

    @property
    def resistance(self) -> int:
        """RES of the target less what wounds take (W-3.2)."""
        pain = self.pain(self.target)
        taken = compile_rules(self.edition).penalty[pain, self.start, Stat.RES]
        return int(self.target.profile.need("RES")) - int(taken)

    @property
    def difference(self) -> int:
        """FOR of the weapon less RES of the target."""
        return self.weapon.strength - self.resistance

    @cached_property
    def variants(self) -> tuple[Variant, ...]:
        """The shots that are asked about, the nearest first."""
        return tuple(self._variants())

    def _variants(self) -> Iterator[Variant]:
        from ...kernels.rolls.shooting import difficulties

        table = np.zeros((BANDS, 2), np.int64)
        cover = self.cover + self.hardness
        difficulties(compile_shooting(self.edition).shots, cover, table)
        bands = [band for band in Band if self.weapon.ranges[band] > 0]
        if self.distance is not None:
            bands = [Band(self._band(self.distance))]
        for band in bands:
            for moved in (False, True) if self.moved is None else (self.moved,):
                yield Variant(band, moved, int(table[band, int(moved)]))

    @property
    def cell(self) -> int:
        """Number of the shooter, 32 bits: its shots share their dice."""
        return dice_of("@".join(self.shooter.profile.key).encode())

    @property
    def inputs(self) -> str:
        """Digest of the shot and rules, to tell whether they have changed."""
        rules, more = compile_rules(self.edition), compile_shooting(self.edition)
        shot = np.array([self.aim, self.difference, self.start, *self.weapon.ranges])
        arrays = (rules.scalars, rules.wound, rules.after, more.still_wound, more.shots, shot)
        feats = (feats_data(self.feats(fighter), self.is_bane) for fighter in self.fighters)
        return digest(*(array.tobytes() for array in arrays), *feats)

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        keys = [*TESTS, "wounds"]
        keys += [f"shooting.{v.band.name.lower()}" for v in self.variants]
        for v in self.variants:
            still = ("shooting.still_lines", "actions.shoot.still_bonus")
            keys += ("shooting.moved",) if v.moved else still
        keys += [f"penalty.{state}.TIR" for state in _STATES if self.shooter.wounds]
        keys += [f"penalty.{state}.RES" for state in _STATES if self.target.wounds]
        keys += ["charge.TIR"] * self.charged
        return (*self.weapon.assumed, *self.edition.assumed(keys))

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that can be read otherwise, and that the answer depends on."""
        return tuple(r.clause for r in self.edition.readings if r.clause == "W-6")

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        name, weapon = self.shooter.profile.name, self.weapon
        typical = say("figures of a typical {} (W-6), not of the card: {}", weapon.typical, name)
        return (*([typical] if weapon.typical else []), *super().remarks())

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        own, foe = self.shooter, self.target
        told = [say("starts {}", own.wounds)] if own.wounds else []
        told += [say("charged")] * self.charged
        special = say(" ({})", told) if told else ""
        hurt = say(" (starts {})", foe.wounds) if foe.wounds else ""
        where = say(" at {:g} cm", self.distance) if self.distance is not None else ""
        return say("{}{} shoots at {}{}{}", own.label, special, foe.label, hurt, where)

    def command_line(self, method: Method) -> str:
        """Return the command that gives the same answer again."""
        words = ["estoc", "shoot", self.shooter.profile.label, self.target.profile.label]
        words += ["--range", f"{self.distance:g}"] if self.distance is not None else []
        words += ["--moved"] * bool(self.moved) + ["--charged"] * self.charged
        words += ["--cover", str(self.cover)] if self.cover else []
        words += [*self.shooter.arguments("A"), *self.target.arguments("B")]
        words += method.arguments
        return " ".join(quoted(word) for word in words + self.options.common_arguments())
