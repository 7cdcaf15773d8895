"""One combat of one fighter against one or several (C-3 to C-7), sampled."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from estoc.kernels.layout import Rules, Setup
from estoc.profiles import Profile, Roster
from estoc.profiles.compile import state_names
from estoc.sim.combatants import Combatant, numbered, remarks, with_options
from estoc.sim.parallel import default_threads, in_order
from estoc.sim.params import Options, checked_seed, checked_trials, estoc_version
from estoc.sim.question import Question
from estoc.sim.result import Result, Row
from estoc.sim.stats import wilson

CHUNK = 65_536  # trials played in one go, fewer of many turns: Ctrl-C waits for a chunk
TRIALS = 1_000_000

Progress = Callable[[int], None]


@dataclass
class Counts:
    """What happened in some trials of one combat.

    Parameters
    ----------
    law : ndarray of int64, shape (n, s)
        Final states by fighter, the lone one first.
    sides : ndarray of int64, shape (s, n)
        Final state of the lone fighter by number of dead enemies.
    first : int
        Trials in which the lone fighter's side struck first in the first turn.
    turns : int
        Turns fought, all trials together.
    trials : int
    """

    law: NDArray[np.int64]
    sides: NDArray[np.int64]
    first: int = 0
    turns: int = 0
    trials: int = 0

    @classmethod
    def none(cls, n: int, states: int) -> "Counts":
        """Return the counts of no trial."""
        return cls(np.zeros((n, states), np.int64), np.zeros((states, n), np.int64))

    def __add__(self, other: "Counts") -> "Counts":
        """Return the counts of these and of other trials of the same combat."""
        return Counts(
            self.law + other.law,
            self.sides + other.sides,
            self.first + other.first,
            self.turns + other.turns,
            self.trials + other.trials,
        )

    @property
    def lone_wins(self) -> int:
        """Trials in which all enemies of the lone fighter died."""
        return int(self.sides[:, -1].sum())

    @property
    def others_win(self) -> int:
        """Trials in which the lone fighter died."""
        return int(self.sides[-1].sum())


def count_chunk(
    setup: Setup, rules: Rules, seed: int, cell: int, first: int, trials: int, turns: int
) -> Counts:
    """Play trials ``first`` to ``first + trials - 1`` and count how they end."""
    from estoc.kernels.trials import count, new_fight

    counts = Counts.none(len(setup.fighters), len(rules.level))
    tally = np.zeros(2, np.int64)
    fights = new_fight(setup, rules, seed, cell)
    count(fights, first, trials, turns, counts.law, counts.sides, tally)  # type: ignore[no-untyped-call]
    counts.first, counts.turns, counts.trials = int(tally[0]), int(tally[1]), trials
    return counts


def count_trials(
    questions: Sequence[Question],
    trials: int,
    seed: int,
    *,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> list[Counts]:
    """Count the same trials of each question.

    Parameters
    ----------
    questions : sequence of Question
    trials : int
        Of each question.
    seed : int
    threads : int, optional
        All cores that the process may use if not given; the counts do not depend on it.
    chunk : int, optional
        Trials played in one go; the counts do not depend on it either.
    progress : callable, optional
        Told how many trials were just done.
    partial : bool
        Whether Ctrl-C ends the counting, not the caller: the last question begun may then
        have fewer trials, and later ones none.

    Returns
    -------
    list of Counts
        One a question.
    """

    def tasks() -> Iterator[Callable[[], tuple[int, Counts]]]:
        for index, question in enumerate(questions):
            setup, rules = question.setup, question.rules
            cell, turns = question.cell, question.options.turns
            step = chunk or min(CHUNK, max(CHUNK // 64, 16 * CHUNK // turns))
            for first in range(0, trials, step):
                size = min(step, trials - first)
                yield _task(index, setup, rules, seed, cell, first, size, turns)

    found = [Counts.none(len(q.fighters), len(q.rules.level)) for q in questions]
    try:
        for index, counts in in_order(tasks(), threads or default_threads()):
            found[index] += counts  # a new object: Ctrl-C leaves no half of a sum
            if progress is not None:
                progress(counts.trials)
    except KeyboardInterrupt:
        if not partial:
            raise
    return found


def _task(index: int, *arguments: Any) -> Callable[[], tuple[int, Counts]]:
    return lambda: (index, count_chunk(*arguments))


def proportion(name: str, successes: int, trials: int) -> Row:
    """Return a proportion and its interval as three cells."""
    if trials == 0:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    low, high = wilson(successes, trials)
    return {
        name: successes / trials,
        f"{name}_low": float(low),
        f"{name}_high": float(high),
    }


def side_cells(question: Question, counts: Counts) -> Row:
    """Return how many trials each side won, with proportions and intervals."""
    wins = [counts.lone_wins, counts.others_win]
    if question.lone_side == 1:
        wins.reverse()
    undecided = counts.trials - sum(wins)
    first = counts.first if question.lone_side == 0 else counts.trials - counts.first
    return {
        "trials": counts.trials,
        "wins_a": wins[0],
        "wins_b": wins[1],
        "undecided": undecided,
        **proportion("p_a", wins[0], counts.trials),
        **proportion("p_b", wins[1], counts.trials),
        **proportion("p_undecided", undecided, counts.trials),
        "first_a": first,
        **proportion("p_first_a", first, counts.trials),
        "mean_turns": counts.turns / counts.trials if counts.trials else None,
    }


def mean_wounds(question: Question, counts: Counts, fighter: int) -> float | None:
    """Return a fighter's mean wound level at the end; the dead count as the killing level."""
    if counts.trials == 0:
        return None
    return float(counts.law[fighter] @ question.rules.level) / counts.trials


def points_lost(question: Question, counts: Counts, side: str) -> float | None:
    """Return the mean strategic value that a side loses; None where a PA is not known."""
    total = 0
    for i, combatant in enumerate(question.fighters):
        if combatant.side == side:
            if combatant.profile.PA is None:
                return None
            total += combatant.profile.PA * int(counts.law[i, -1])
    return total / counts.trials if counts.trials else None


def origin_cells(question: Question, trials: int, seed: int) -> Row:
    """Return what the answer came from, and the command that gives it again."""
    a, b = question.options.policies
    return {
        "method": "mc",
        "policy": str(a) if a == b else f"A={a} B={b}",
        "edition": question.options.edition.name,
        "seed": seed,
        "inputs": question.inputs,
        "assumed": " ".join(question.assumed),
        "readings": " ".join(question.readings),
        "remarks": "; ".join(question.remarks()),
        "version": estoc_version(),
        "command": question.command_line(trials, seed),
    }


def result_of(
    question: str, asked: Sequence[Question], rows: list[Row], title: str, stopped: str = ""
) -> Result:
    """Return rows as a result, with the remarks on what was asked and what they assume."""
    return Result(
        question,
        rows,
        title,
        notes=notes_of(asked),
        readings=tuple(dict.fromkeys(clause for q in asked for clause in q.readings)),
        assumed=tuple(dict.fromkeys(key for q in asked for key in q.assumed)),
        command=rows[0]["command"] if rows else "",
        stopped=stopped,
    )


def notes_of(asked: Sequence[Question]) -> tuple[str, ...]:
    """Return the remarks on all fighters of some questions together."""
    if len(asked) == 1:
        return asked[0].remarks()
    fighters = {(c.profile.key, c.charges): c for q in asked for c in q.fighters}
    return remarks(fighters.values(), asked[0].options.edition) if asked else ()


def profiles_of(
    fighters: str | Profile | Sequence[str | Profile], roster: Roster | None
) -> list[Profile]:
    """Return the profiles of names, looked up in a roster (the shipped one by default)."""
    listed = [fighters] if isinstance(fighters, str | Profile) else list(fighters)
    if roster is None and any(isinstance(f, str) for f in listed):
        roster = Roster.load()
    return [f if isinstance(f, Profile) else _found(f, roster) for f in listed]


def _found(name: str, roster: Roster | None) -> Profile:
    assert roster is not None  # made above if any name is to be looked up
    return roster.find(name)


def ask(a: Sequence[Profile], b: Sequence[Profile], options: Options) -> Question:
    """Return the question of some fighters against others."""
    both = with_options((*numbered(a, "A"), *numbered(b, "B")), options)
    return Question(
        tuple(c for c in both if c.side == "A"), tuple(c for c in both if c.side == "B"), options
    )


def combat(
    a: str | Profile | Sequence[str | Profile],
    b: str | Profile | Sequence[str | Profile],
    *,
    trials: int = TRIALS,
    seed: int | None = None,
    options: Options | None = None,
    roster: Roster | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    partial: bool = False,
) -> Result:
    """Play a combat of one fighter against one or several many times.

    Parameters
    ----------
    a, b : str, Profile or a sequence of them
        Sides A and B; one of them has a single fighter (C-1.2).
    trials : int
    seed : int, optional
        0 to 2**64 - 1; a fresh one if not given, told in the result.
    options : Options, optional
        Edition, policies, wounds, charges, dice, turns.
    roster : Roster, optional
        Where names are looked up; the shipped fighters if not given.
    threads : int, optional
        The counts do not depend on it.
    progress : callable, optional
        Told how many trials were just done.
    partial : bool
        Whether Ctrl-C gives the answer of the trials done so far; ``stopped`` says so.

    Returns
    -------
    Result
        A row for each fighter, with its final states, and one for the sides.

    Raises
    ------
    InputError
        If a name, a cell or an option cannot be used.

    Examples
    --------
    >>> result = combat("Garde prétorien", ["Guerrier de l'aube"] * 2, trials=1000, seed=1)
    >>> [row["fighter"] for row in result]
    ['(sides)', 'Garde prétorien', "Guerrier de l'aube#1", "Guerrier de l'aube#2"]
    """
    options = options or Options()
    question = ask(profiles_of(a, roster), profiles_of(b, roster), options)
    seed, trials = checked_seed(seed), checked_trials(trials)
    counts = count_trials(
        [question], trials, seed, threads=threads, progress=progress, partial=partial
    )[0]
    return combat_result(question, counts, trials, seed)


def combat_result(question: Question, counts: Counts, trials: int, seed: int) -> Result:
    """Return the rows of a combat: the sides, then its fighters, side A first."""
    states = state_names(question.options.edition)
    origin = origin_cells(question, counts.trials, seed)
    sides = side_cells(question, counts)
    empty = dict.fromkeys(state_column(s) for s in states)
    rows: list[Row] = [
        {
            "fighter": "(sides)",
            "side": None,
            "pa": None,
            "dice": None,
            **sides,
            **proportion("p_dead", 0, 0),
            **empty,
            "wounds": None,
            "destroyed": points_lost(question, counts, "B"),
            "lost": points_lost(question, counts, "A"),
            "turns": question.options.turns,
            **origin,
        }
    ]
    for i, c in sorted(enumerate(question.fighters), key=lambda pair: pair[1].side):
        rows.append(
            {
                **dict.fromkeys(rows[0]),
                "fighter": c.label,
                "side": c.side,
                "pa": c.profile.PA,
                "dice": str(c.dice or "policy"),
                "trials": counts.trials,
                **proportion("p_dead", int(counts.law[i, -1]), counts.trials),
                **{state_column(s): int(n) for s, n in zip(states, counts.law[i], strict=True)},
                "wounds": mean_wounds(question, counts, i),
                "turns": question.options.turns,
                **origin,
            }
        )
    return result_of("combat", [question], rows, title_of(question), cut_short(counts, trials))


def cut_short(counts: Counts, trials: int) -> str:
    """Return how far a run came that was to have so many trials; empty if it is whole."""
    return "" if counts.trials == trials else f"{counts.trials:,} of {trials:,} trials"


def state_column(state: str) -> str:
    """Return the column that counts a state: ``light_stunned``."""
    return state.replace(", ", "_")


def _described(combatant: Combatant) -> str:
    """Return a fighter's name, and what is special about his start."""
    special = [f"starts {combatant.wounds}"] if combatant.wounds else []
    special += ["charges"] * combatant.charges + ["all in defence"] * combatant.all_defence
    return combatant.label + (f" ({', '.join(special)})" if special else "")


def title_of(question: Question) -> str:
    """Return who meets whom, and for how long."""
    names = [" + ".join(map(_described, side)) for side in (question.a, question.b)]
    turns = question.options.turns
    return f"{names[0]} against {names[1]}, {turns} turn{'s' if turns > 1 else ''}"
