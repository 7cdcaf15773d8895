"""Single tests by estoc's kernels and by the dice libraries that are installed."""

from dataclasses import asdict
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...kernels.exact.initiative import opposed_law
from ...kernels.exact.laws import attack_law, wound_law
from ...kernels.layout.combat import OUTCOMES, Rule, Stat, new_fight
from ...kernels.layout.exact import new_laws
from ...kernels.layout.policy import Decision, Reroll
from ...profiles.message import say
from .agreement import CLOSE, demand
from .peers import PEERS, Chances, Statements, Test, statements
from .samplers import SEED
from .timing import Timing, race, repeated, times_faster
from .work import combat, fixed_policy, usual_rules

OURS, FRESH = "estoc", say("estoc, no table yet")
_DICE = ((1, 1), (1, 1))


def the_test() -> Test:
    """Return the guard's attack on a warrior with two defence dice, and INI 3 against INI 4."""
    guard, warrior = combat(_DICE, fixed_policy()).fighters
    row = guard[Stat.FOR] - warrior[Stat.RES] + usual_rules().scalars[Rule.WOUND_OFFSET]
    wound = usual_rules().wound[row].tolist()
    return Test(int(guard[Stat.ATT]), int(warrior[Stat.DEF]), 2, (3, 4), wound, OUTCOMES)


def own_statements(fresh: bool) -> Statements:
    """Return the tests by the kernels; ``fresh``: without the tables of an earlier answer."""
    setup = combat(_DICE, fixed_policy())
    setup.policy[:, Decision.REROLL_DEFENCE] = Reroll.ALWAYS
    fight, kept = new_fight(setup, usual_rules(), SEED, 0), new_laws()
    blow = int(setup.fighters[0, Stat.FOR] - setup.fighters[1, Stat.RES])
    law = np.empty(OUTCOMES)

    def laws() -> NDArray[np.void]:
        """Return the tables."""
        return new_laws() if fresh else kept

    def attack(test: Test) -> Chances:
        """Return the chance that an attack lands."""
        return np.array(attack_law(fight, laws(), 0, test.dice, test.attack, test.defence)[2:])

    def damage(test: Test) -> Chances:
        """Return the chances that it does not, and of each outcome."""
        tables = laws()
        lands = attack_law(fight, tables, 0, test.dice, test.attack, test.defence)[2]
        wound_law(fight, tables, blow, law)
        return np.append(1 - lands, lands * law)

    def opposed(test: Test) -> Chances:
        """Return the chances of first, neither and second."""
        return np.array(opposed_law(fight, laws(), test.ini[0] - test.ini[1]))

    return {"attack": attack, "damage": damage, say("opposed test"): opposed}


def check_peer(peer: str, stated: Statements, test: Test) -> None:
    """Demand that a library and the kernels agree to 12 digits."""
    for name, own in own_statements(fresh=True).items():
        ours, theirs = own(test), stated[name](test)
        demand(
            np.allclose(ours, theirs, rtol=CLOSE, atol=0),
            say("{}: estoc says {}, {} {}", name, ours.tolist(), peer, theirs.tolist()),
        )


def time_peers(rounds: int, quick: bool) -> dict[str, Any]:
    """Return single tests by estoc and by each library; no time before they agree."""
    test = the_test()
    stated = {OURS: own_statements(fresh=False), FRESH: own_statements(fresh=True)}
    found = {peer: statements(peer) for peer in PEERS}
    for peer, jobs in found.items():
        if jobs is not None:
            check_peer(peer, jobs, test)
            stated[peer] = jobs
    runs = {
        say("{}: {}", name, who): repeated(partial(jobs[name], test))
        for who, jobs in stated.items()
        for name in jobs
    }
    taken = race(runs, rounds, 0.005 if quick else 0.02)
    rows: dict[str, Any] = {}
    for name in stated[OURS]:
        times = {who: taken[say("{}: {}", name, who)] for who in stated}
        rows[name] = {
            who: {
                "ns": asdict(Timing.of(values)),
                "times_estoc": asdict(times_faster(values, times[OURS])),
                "times_estoc_no_table": asdict(times_faster(values, times[FRESH])),
            }
            for who, values in times.items()
        }
    missing = [peer for peer, jobs in found.items() if jobs is None]
    return {"missing": missing, "test": test._asdict(), "rows": rows}
