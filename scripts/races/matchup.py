"""Matchups: battles a second of all shipped lists with two policies, on all cores.

How long six lists with two policies each would take against each other to a point of percentage is
reckoned from that speed, and from how much the scores of pairs of battles differ: the intervals
hold at all looks, so that a meeting ends at the first one at which its interval is narrow.
"""

from collections.abc import Iterable
from math import comb

from races.form import Bench, Racer

from estoc.sim.base.run import Method, Run
from estoc.sim.base.sequence import looks, mean_sequence, usual_cap
from estoc.sim.bench.agreement import demand
from estoc.sim.bench.samplers import SEED
from estoc.sim.bench.timing import CORES, all_cores, seconds
from estoc.sim.matchup.plan import Plan
from estoc.sim.matchup.play import CHUNK, Meeting, Played, play
from estoc.sim.matchup.question import MatchupQuestion, ask_matchup
from estoc.sim.matchup.scores import spread_of

LISTS = (
    *("daikinee-foot", "daikinee-riders", "devoreurs-archers"),
    *("devoreurs-elite", "devoreurs-horde", "devoreurs-mixed"),
)
POLICIES = ("by-odds", "aggressive")
PRECISION = 0.01
WANTED_LISTS = 6
TRIALS = 400  # battles of two entrants, in a round
BATTLE = "a battle"
NEEDED = f"{WANTED_LISTS} lists with {len(POLICIES)} policies need, to ± 1 point"


def check(question: MatchupQuestion, trials: int) -> None:
    """End the run where threads or chunks change what comes of a few battles."""
    one, two = (played(question, trials, threads, chunk) for threads, chunk in ((1, 100), (2, 3)))
    for cell, meeting in one.meetings.items():
        same = meeting.pairs.tolist() == two.meetings[cell].pairs.tolist()
        demand(same, f"matchup: meeting {cell} differs on 2 threads")


def played(
    question: MatchupQuestion, trials: int, threads: int = len(CORES), chunk: int = CHUNK
) -> Played:
    """What comes of so many battles of every two entrants."""
    judge = Plan("mc", trials, SEED).judge(len(question.entrants))
    return play(question, judge, Method("mc", seed=SEED), Run(threads=threads, chunk=chunk))


def pairs_needed(meeting: Meeting, precision: float) -> int:
    """Pairs after which a meeting's interval is narrow enough, if pairs go on to differ as much."""
    spread = spread_of(meeting)
    most = usual_cap(precision)
    for pairs in looks(most):
        squares = pairs * (spread.variance + (spread.mean - 0.5) ** 2)
        total = pairs * (spread.mean - 0.5)
        low, high = mean_sequence(total, squares, pairs, tuned=precision**-2, reach=0.5)
        if high - low <= 2 * precision:
            return pairs
    return most


def battles_needed(meetings: Iterable[Meeting], lists: int, policies: int) -> int:
    """Battles of so many lists, each with so many policies: all against all, to `PRECISION`."""
    needed = [pairs_needed(meeting, PRECISION) for meeting in meetings]
    entrants = lists * policies
    return round(2 * comb(entrants, 2) * sum(needed) / len(needed))


def time_part(bench: Bench) -> None:
    """Time battles of all against all; reckon how long a point takes."""
    question = ask_matchup(LISTS[: bench.pick(len(LISTS), 3)], POLICIES)
    trials, entrants = bench.pick(TRIALS, 20), len(question.entrants)
    with all_cores():
        check(question, 10)
        # two battles each: nearly all of it is making them ready, once a run
        ready = min(seconds(lambda: played(question, 2)) for _ in range(2))
        whole = [seconds(lambda: played(question, trials)) for _ in range(min(bench.rounds, 3))]
        found = played(question, trials)
    taken = {BATTLE: [max(value - ready, value / 10) for value in whole]}
    battles = (trials - 2) * comb(entrants, 2)
    title = f"{entrants} entrants, all against all, on all cores"
    racer = Racer(lambda n: played(question, n), battles)
    rows = bench.tell(title, {BATTLE: racer}, taken, f"{len(CORES)} threads")
    needed = battles_needed(found.meetings.values(), WANTED_LISTS, len(POLICIES))
    ready *= comb(WANTED_LISTS * len(POLICIES), 2) / comb(entrants, 2)
    told = {
        "battles": needed,
        "seconds to make them ready": ready,
        "seconds": ready + needed * rows[BATTLE]["seconds"]["least"],
    }
    bench.facts(NEEDED, told)
