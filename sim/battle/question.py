"""The question of a battle: a scenario, an edition, and how both players decide (T-1, T-6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import MAX_ENEMIES
from ...profiles.armies.scenario import Scenario
from ...profiles.armies.weapons import can_shoot, weapon_of
from ...profiles.compile.battle import NO_FAVOURS, Favours, set_dice
from ...profiles.compile.combat import power
from ...profiles.compile.room import base_of
from ...profiles.edition.edition import Edition
from ...profiles.errors import InputError
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster
from ...profiles.message import say, say_n
from ..base.memory import Memory
from ..base.options import SECTIONS, SIDES, Options, of_sides, quoted
from ..base.run import Method, Traceable, digest
from ..combat.combatants import numbered, remarks
from ..table.tabletop import Tabletop, load_table
from .odds import ready_battle
from .policy import USUAL, player_of

# Keys of the edition that every battle depends on, and those that hang on who fights.
_ALWAYS = (
    *("tactics", "cards", "melee", "sight", "cover", "disengage", "actions"),
    "maintenance.removes",
)
_IF_CASTERS = ("mystic", "actions.mystic")
_IF_SHOOTERS = ("shooting", "actions.shoot")
_IF_FRIGHTENING = ("fear",)
# Readings of what no battle does, and of what only casters and lasting effects do.
_ELSEWHERE = ("T-2.1",)
_MYSTIC = ("T-5.2", "T-5.3")

_COMPILED: Memory[tuple[NDArray[np.void]]] = Memory(64 << 20)  # some 15 battles


@dataclass(frozen=True)
class BattleQuestion(Traceable):
    """A battle that can be fought."""

    tabletop: Tabletop  # scenario, edition and rules
    # of `estoc.sim.battle.policy.policies`, with parameters: how A and B decide
    policies: tuple[str, str] = (USUAL, USUAL)
    favours: Favours = NO_FAVOURS

    def __post_init__(self) -> None:
        self.compiled(0)
        table = self.tabletop.tables[0]
        for i, placed in enumerate(self.scenario.fighters):
            enemies = int(table["touching"][i] & table["sides"][1 - SIDES.index(placed.side)])
            if enemies.bit_count() > MAX_ENEMIES:
                raise InputError(
                    "{}: {} touches {} enemies: at most {} find room in a combat",
                    self.scenario.file or self.scenario.name,
                    placed.label,
                    enemies.bit_count(),
                    MAX_ENEMIES,
                )

    @property
    def scenario(self) -> Scenario:
        """What is fought for, where and by whom."""
        return self.tabletop.scenario

    @property
    def options(self) -> Options:
        """Edition and rules."""
        return self.tabletop.options

    @property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""
        return self.options.edition

    @property
    def labels(self) -> tuple[str, ...]:
        """What the fighters are called, in the order of the file."""
        return tuple(placed.label for placed in self.scenario.fighters)

    def compiled(self, seed: int, cell: int = 0) -> NDArray[np.void]:
        """Return the battle as the kernels see it, shape (1,), with seed and cell of its dice."""
        battles = _COMPILED.get(self, self._compiled)[0].copy()
        set_dice(battles[0], seed, cell)
        return battles

    def _compiled(self) -> tuple[NDArray[np.void]]:
        players, able = [player_of(policy) for policy in self.policies], self.options.abilities
        battles = ready_battle(self.scenario, self.edition, players, 0, 0, self.favours, able)
        return (battles,)

    @cached_property
    def inputs(self) -> str:
        """Digest of fighters, table and rules, to tell whether they have changed."""
        names = repr(self.labels)
        return digest(self.compiled(0).tobytes(), names.encode())

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        profiles = [placed.profile for placed in self.scenario.fighters]
        shooters = [profile for profile in profiles if can_shoot(profile)]
        keys = [*SECTIONS, *_ALWAYS, *_IF_CASTERS, *_IF_SHOOTERS, *_IF_FRIGHTENING]
        keys += [key for p in shooters for key in weapon_of(p, self.edition).assumed]
        keys += [base_of(profile, self.edition)[1] for profile in profiles]
        keys += ["defaults.size"] if any(not profile.size for profile in profiles) else []
        keys += ["defaults.power"] if any(power(p, self.edition)[1] for p in profiles) else []
        nobodys = (
            *(() if any(profile.caster for profile in profiles) else _IF_CASTERS),
            *(() if any(profile.PEUR for profile in profiles) else _IF_FRIGHTENING),
            *(() if shooters else _IF_SHOOTERS),
        )
        assumed = [
            key
            for key in self.edition.assumed(filter(None, keys))
            if not key.startswith(nobodys) and (shooters or not key.endswith(".TIR"))
        ]
        return (*self.tabletop.assumed, *assumed)

    @cached_property
    def readings(self) -> tuple[str, ...]:
        """Clauses that the answer depends on and that can be read otherwise."""
        casters = any(placed.profile.caster for placed in self.scenario.fighters)
        left_out = (*_ELSEWHERE, *(() if casters else _MYSTIC))
        clauses = (reading.clause for reading in self.edition.readings)
        return tuple(dict.fromkeys(clause for clause in clauses if clause not in left_out))

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the fighters."""
        profiles = [placed.profile for placed in self.scenario.fighters]
        return (
            *self.tabletop.remarks,
            *remarks_on(profiles, self.edition, self.options.abilities),
        )

    @property
    def sides(self) -> tuple[str, str]:
        """What both sides are called."""
        one, other = (side.name or side.people for side in self.scenario.sides)
        return one or "A", other or "B"

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        a, b = self.sides
        turns = self.scenario.turns
        return say_n(
            "{1}: {2} against {3}, {0} turn",
            "{1}: {2} against {3}, {0} turns",
            turns,
            self.scenario.name,
            a,
            b,
        )

    @property
    def policy(self) -> str:
        """How both sides decide, in a word or two."""
        return of_sides(*self.policies)

    def command_line(self, how: Method) -> str:
        """Return the command that asks this, empty if no file holds the scenario."""
        if not self.scenario.file:
            return ""
        words = ["estoc", "battle", self.scenario.file]
        for side, policy in zip("ab", self.policies, strict=True):
            words += [f"--policy-{side}", policy] if policy != USUAL else []
        words += self.options.set_arguments() + self.options.common_arguments()
        return " ".join(map(quoted, [*words, *how.arguments]))


def remarks_on(profiles: Sequence[Profile], edition: Edition, abilities: bool) -> tuple[str, ...]:
    """Return what a reader should know about the fighters of battles, whatever their sides."""
    texts = remarks(numbered(profiles, SIDES[0]), edition, abilities)
    shooters = dict.fromkeys(profile for profile in profiles if can_shoot(profile))
    weapons = {profile.name: weapon_of(profile, edition).typical for profile in shooters}
    typical = [say("{} ({})", name, weapon) for name, weapon in weapons.items() if weapon]
    return (*texts, say("typical weapons (W-6): {}", typical)) if typical else texts


def ask_battle(
    scenario: str | Scenario,
    policies: tuple[str, str] = (USUAL, USUAL),
    *,
    options: Options | None = None,
    roster: Roster | None = None,
) -> BattleQuestion:
    """Return the question about a battle.

    Parameters
    ----------
    scenario : str or Scenario
        A ``.toml`` file, or the name of a scenario that comes with the package.
    policies : (str, str)
        Of `estoc.sim.battle.policy.policies`, with parameters: how A and B decide.
    options : Options, optional
        Edition, rules, files of fighters.
    roster : Roster, optional
        Where fighters are looked up.
    """
    options = Options() if options is None else options
    if isinstance(scenario, Scenario):
        return BattleQuestion(Tabletop(scenario, options), policies)
    return BattleQuestion(load_table(scenario, options, roster), policies)
