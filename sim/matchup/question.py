"""The question of a matchup: entrants, each against each, on one field and both ways round."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

from ...profiles.armies.scenario import Scenario
from ...profiles.compile.muster import load_field, muster
from ...profiles.errors import InputError
from ...profiles.fighters.roster import Roster
from ...profiles.message import say, say_n
from ..base.options import Options, quoted
from ..base.run import Method, WithOptions, dice_of, digest
from ..battle.policy import BEST
from ..battle.question import BattleQuestion, remarks_on
from ..phases.card_question import with_set_cards
from ..table.tabletop import Tabletop
from .entrants import Entrant, entrants_of

FIELD = "village"
NEAR = 0.95  # part of the dearest list's PA that every list should have

Cell = tuple[int, int]  # numbers of two entrants, the lower first


@dataclass(frozen=True)
class MatchupQuestion(WithOptions):
    """Entrants who meet on a field."""

    entrants: tuple[Entrant, ...]
    field: Scenario  # without fighters
    options: Options  # edition, rules, files of fighters

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("matchup: name two lists at least, or a list and two --policies")
        assert self._mirrors

    @property
    def labels(self) -> tuple[str, ...]:
        """What the entrants are called."""
        return tuple(entrant.label for entrant in self.entrants)

    @property
    def lists(self) -> tuple[str, ...]:
        """What the lists are called."""
        return tuple(dict.fromkeys(entrant.roll for entrant in self.entrants))

    @property
    def policies(self) -> tuple[str, ...]:
        """The policies."""
        return tuple(dict.fromkeys(entrant.policy for entrant in self.entrants))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Who meets whom, each once; nobody himself: that is even by symmetry."""
        return tuple(combinations(range(len(self.entrants)), 2))

    def battle(self, one: int, other: int) -> BattleQuestion:
        """Return the battle of an entrant on side A against another on side B."""
        a, b = self.entrants[one], self.entrants[other]
        scenario = muster(self.field, (a.army, b.army), self.options.edition)
        return BattleQuestion(Tabletop(scenario, self.options), (a.policy, b.policy))

    def dice(self, one: int, other: int) -> int:
        """Return the number of their dice, 32 bits: theirs alone, whoever else takes part."""
        keys = sorted(self.entrants[number].key for number in (one, other))
        return dice_of("\n".join(keys).encode())

    @cached_property
    def _mirrors(self) -> tuple[BattleQuestion, ...]:
        """Each list against itself: all that a battle's answer hangs on."""
        step = len(self.policies)
        firsts = range(0, len(self.entrants), step)
        return tuple(self.battle(i, i) for i in firsts)

    @cached_property
    def inputs(self) -> str:
        """Digest of lists, field, policies and rules, to tell whether they have changed."""
        parts = [*(mirror.inputs for mirror in self._mirrors), *self.labels, *self.policies]
        return digest("\n".join(parts).encode())

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that the answer depends on and that nobody found."""
        return _joined(mirror.assumed for mirror in self._mirrors)

    @property
    def readings(self) -> tuple[str, ...]:
        """Clauses that the answer depends on and that can be read otherwise."""
        return _joined(mirror.readings for mirror in self._mirrors)

    def remarks(self) -> tuple[str, ...]:
        """Return what a reader of the answer should know about the lists and their fighters."""
        doubts = _joined(entrant.army.remarks for entrant in self.entrants)
        fighters = [
            placed.profile for mirror in self._mirrors for placed in mirror.scenario.fighters
        ]
        about = remarks_on(
            list(dict.fromkeys(fighters)), self.options.edition, self.options.abilities
        )
        return (*self._unequal(), *doubts, *about)

    def _unequal(self) -> tuple[str, ...]:
        """Return a remark where one list costs a good deal more than another."""
        costs = {entrant.roll: entrant.points for entrant in self.entrants}
        dear, cheap = max(costs, key=costs.__getitem__), min(costs, key=costs.__getitem__)
        if costs[cheap] >= NEAR * costs[dear]:
            return ()
        return (
            say("unequal lists: {} costs {} PA, {} {}", cheap, costs[cheap], dear, costs[dear]),
        )

    @property
    def title(self) -> str:
        """What is asked, in a line."""
        lists = say_n("{} list", "{} lists", len(self.lists))
        policies = say_n("{} policy", "{} policies", len(self.policies))
        return say("{}: {}, {}, all against all, both ways round", self.field.name, lists, policies)

    @property
    def policy(self) -> str:
        """How the players decide."""
        return " ".join(self.policies)

    def command_line(self, how: Method) -> str:
        """Return the command that asks this."""
        files = [entrant.army.file for entrant in self.entrants]
        words = ["estoc", "matchup", *dict.fromkeys(files)]
        words += ["--field", self.field.file] if self.field.file != FIELD else []
        if self.policies != (BEST,):
            words += ["--policies", ",".join(self.policies)]
        words += self.options.set_arguments() + self.options.common_arguments()
        return " ".join(map(quoted, [*words, *how.arguments]))


def _joined(groups: "Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]]") -> tuple[str, ...]:
    """Return the words of groups, each once, in the order in which they come."""
    return tuple(dict.fromkeys(word for group in groups for word in group))


def ask_matchup(
    lists: Sequence[str],
    policies: Sequence[str] = (),
    *,
    field: str = FIELD,
    options: Options | None = None,
    roster: Roster | None = None,
) -> MatchupQuestion:
    """Return the question of a matchup."""
    options = Options() if options is None else options
    entrants = entrants_of(lists, policies, roster)
    # a list is on both sides, so that a side names nobody
    armies = with_set_cards([e.army for e in entrants], options.sets, [""] * len(entrants))
    entrants = tuple(replace(e, army=a) for e, a in zip(entrants, armies, strict=True))
    return MatchupQuestion(entrants, load_field(field), options)
