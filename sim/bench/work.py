"""What `estoc bench` plays: fighters, the policies of the baselines, combats as arrays."""

from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.combat import STATS, Column, Rule, Rules, Setup, Tie
from ...kernels.layout.policy import OPTIMAL, Decision, Reroll, Sustain
from ...profiles.compile.combat import compile_rules, fighter_row, placing_order
from ...profiles.edition.edition import Edition, load_edition
from ...profiles.fighters.card import Profile
from ...profiles.fighters.roster import Roster, read_fighters
from ...profiles.files.reading import shipped_files
from ..base.options import Dice as PlacedDice
from ..base.options import Options
from ..base.policy import Policy
from ..combat.combat import ask
from ..combat.question import Question
from .baselines import Job

FIGHTERS = ("garde prétorien", "guerrier de l'aube")

Dice = tuple[int, int]


@cache
def usual_edition() -> Edition:
    """Return the edition that everything is measured by."""
    return load_edition("conffede")


@cache
def usual_rules() -> Rules:
    """Return its rules as arrays."""
    return compile_rules(usual_edition())


def shipped(*names: str) -> Roster:
    """Return the fighters of some files; `Roster.load` would know the user's own as well."""
    paths = shipped_files("fighters", ".csv")
    return Roster(tuple(p for name in names for p in read_fighters(paths[name])))


def fixed_policy() -> NDArray[np.int64]:
    """Return the policy that the baselines play, for both sides."""
    policy = np.zeros((2, len(Decision)), np.int64)
    policy[:, Decision.PARRY] = 1
    policy[:, Decision.SUSTAIN] = Sustain.USEFUL
    policy[:, [Decision.REROLL_ATTACK, Decision.REROLL_INITIATIVE]] = Reroll.ALWAYS
    policy[:, Decision.REROLL_DEFENCE] = Reroll.NEEDED
    return policy


def open_policy(*sides: int) -> NDArray[np.int64]:
    """Return the policy whose decisions are the best ones on these sides, else fixed."""
    policy = fixed_policy()
    for side in sides:
        policy[side, : Decision.MARGIN] = OPTIMAL
    return policy


def setup_of(profiles: list[Profile], dice: tuple[Dice, ...], policy: NDArray[np.int64]) -> Setup:
    """Return the first against the others, their dice placed."""
    rows = [fighter_row(p, usual_edition(), placed=d) for p, d in zip(profiles, dice, strict=True)]
    return Setup(np.array(rows), placing_order(profiles, 0), policy, 0, 0)


def duellists() -> list[Profile]:
    """Return the two fighters."""
    roster = shipped("conffede")
    return [roster.find(name) for name in FIGHTERS]


def combat(dice: tuple[Dice, ...], policy: NDArray[np.int64]) -> Setup:
    """Return the guard against as many warriors as place dice."""
    one, other = duellists()
    return setup_of([one] + [other] * (len(dice) - 1), dice, policy)


def text_of(dice: tuple[Dice, ...]) -> str:
    """Return what the lone fighter and his enemies place: ``3/0 v 2/0 2/0``."""
    texts = [f"{attack}/{defence}" for attack, defence in dice]
    return f"{texts[0]} v {' '.join(texts[1:])}"


def rules_of(dice: int) -> Rules:
    """Return the rules by which a duellist has so many dice."""
    base = dice - usual_edition()["dice.per_enemy"]
    return compile_rules(usual_edition().with_rule(f"dice.base={base}"))


def arrays(dice: tuple[Dice, Dice], rules: Rules | None = None) -> tuple[Job, Setup, Rules]:
    """Return one job for the baselines, and the same for estoc's kernels."""
    rules = rules or usual_rules()
    setup = combat(dice, fixed_policy())
    scalars = rules.scalars
    # What the baselines take for granted.
    assert scalars[Rule.AUTOMATIC_FAILURE] == scalars[Rule.NATURAL_ONE_FAILS] == 0
    assert scalars[Rule.REROLL_ONE] == 0
    assert scalars[Rule.OPPOSED_TIE] == Tie.REROLL
    job = Job(
        fighters=setup.fighters[:, :STATS].copy(),
        dice=np.array(dice),
        wound=rules.wound,
        after=rules.after,
        penalty=rules.penalty[0],
        offset=int(scalars[Rule.WOUND_OFFSET]),
        sustained_penalty=int(scalars[Rule.SUSTAINED_PENALTY]),
    )
    return job, setup, rules


def question_of(setup: Setup, rules: Rules) -> Question:
    """Return a combat of `estoc.sim.combat.combat`, with `fixed_policy`, as a question."""
    both = Policy(
        "sensible", parry=1, reroll_attack="always", reroll_initiative="always", margin=0, chain=0
    )
    base = f"dice.base={rules.scalars[Rule.DICE_BASE]}"
    options = Options(rules=(base,), policies=(both, both))
    one, other = duellists()
    asked = ask([one], [other] * (len(setup.fighters) - 1), options)
    placed = setup.fighters[:, [Column.PLACED_ATTACK, Column.PLACED_DEFENCE]].tolist()
    dice = [PlacedDice(*row) for row in placed]
    sides = (
        (replace(asked.a[0], dice=dice[0]),),
        tuple(replace(c, dice=d) for c, d in zip(asked.b, dice[1:], strict=True)),
    )
    found = Question(*sides, options)
    assert np.array_equal(found.setup.fighters, setup.fighters)
    assert np.array_equal(found.setup.policy, setup.policy)
    return found
