"""The kernels and the reference on the same combat and the same dice.

A combat is described once, as a ``reference.state.Combat``. `Compiled` turns it into
the kernels' arrays, by way of an edition and of cards; `Compiled.tape` gives the
reference the dice that the kernels roll, computed here in plain Python from the address
scheme of ``kernels/core/rng.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import sqrt

import numpy as np

from estoc.kernels._jit import kernel
from estoc.kernels.combat.fight import fight_combat
from estoc.kernels.combat.trials import count, play, replay
from estoc.kernels.combat.wounds import is_over
from estoc.kernels.core.dice import FAILED as FAILED_KERNEL
from estoc.kernels.core.dice import SIX_OPENS, best_of, first_die, next_die
from estoc.kernels.core.rng import attack_address
from estoc.kernels.layout.abilities import Effect, Number
from estoc.kernels.layout.combat import (
    COIN,
    DEFENCE,
    PAGED_PASSES,
    Call,
    Column,
    Moment,
    Rules,
    Setup,
    Stat,
    new_fight,
)
from estoc.kernels.layout.log import LOG_COLUMNS, MAX_EVENTS, Event
from estoc.kernels.layout.policy import (
    DECISIONS,
    Decision,
    Held,
    InitiativeFighter,
    Luck,
    Parry,
    Placement,
    Reroll,
    StrikeOrder,
    Sustain,
    Target,
    Use,
)
from estoc.profiles import Edition, Profile, load_edition
from estoc.profiles.compile.combat import compile_rules, fighter_row, placing_order
from estoc.profiles.fighters.abilities import plain_numbers
from reference import combat as rules
from reference.book import DEAD, FAILED, Book, Wounds, table_penalty
from reference.feats import WORDS
from reference.state import Combat, Fighter, Policy, Position
from reference.tape import Address, FunctionTape, ScriptedTape

STATS = ("INI", "ATT", "FOR", "DEF", "RES")
MOST = 40  # on a card
CONFFEDE = load_edition("conffede")

# --- editions -------------------------------------------------------------------------


def replaced(edition: Edition, values: dict[str, object]) -> Edition:
    """The edition with values that ``with_rule`` cannot write: tables."""
    entries = tuple(replace(e, value=values.get(e.key, e.value)) for e in edition.values)
    return replace(edition, values=entries)


def edition_of(book: Book) -> Edition:
    """The edition file's form of a book."""
    edition = CONFFEDE
    values = {
        "tests.reroll_one": book.reroll_one,
        "tests.natural_one_fails": str(book.natural_one_fails).lower(),
        "tests.automatic_failure": book.automatic_failure,
        "tests.many_dice": book.many_dice,
        "tests.opposed_tie": book.opposed_tie,
        "dice.base": book.dice_base,
        "dice.per_enemy": book.dice_per_enemy,
        "initiative.numbers_bonus": book.numbers_bonus,
        "defence.sustained_penalty": book.sustained_penalty,
        "wounds.double_six_kills": str(book.double_six_kills).lower(),
        "wounds.light": book.light,
        "wounds.serious": book.serious,
        "wounds.critical": book.critical,
        "wounds.killed_level": book.killing,
        "wounds.stunned_stacks": str(book.stunned_stacks).lower(),
    }
    for stat in ("INI", "ATT", "FOR", "DEF", "RES"):
        values[f"charge.{stat}"] = table_penalty(book, "charged", stat)
        for line in ("stunned", "light", "serious", "critical"):
            values[f"penalty.{line}.{stat}"] = table_penalty(book, line, stat)
    for key, value in values.items():
        if edition.entry(key).text != str(value):
            edition = edition.with_rule(f"{key}={value}")
    lines = tuple(" ".join(line.split()[-5:]) for line in book.wound_table)
    return replaced(edition, {"wounds.table": lines})


@lru_cache(maxsize=1024)
def rules_of(book: Book) -> Rules:
    return compile_rules(edition_of(book))


# --- combats --------------------------------------------------------------------------


def policy_row(policy: Policy) -> list[int]:
    """A policy as a row of ``Setup.policy``."""
    row = [0] * DECISIONS
    row[Decision.PLACEMENT] = Placement[policy.placement.upper()]
    row[Decision.INITIATIVE] = InitiativeFighter[policy.initiative.upper()]
    row[Decision.STRIKE_ORDER] = StrikeOrder[policy.strike_order.upper()]
    row[Decision.TARGET] = Target[policy.target.upper()]
    named = isinstance(policy.parry, str)
    row[Decision.PARRY] = Parry[policy.parry.upper()] if named else policy.parry
    row[Decision.SUSTAIN] = Sustain[policy.sustain.upper()]
    row[Decision.REROLL_ATTACK] = Reroll[policy.reroll_attack.upper()]
    row[Decision.REROLL_DEFENCE] = Reroll[policy.reroll_defence.upper()]
    row[Decision.REROLL_INITIATIVE] = Reroll[policy.reroll_initiative.upper()]
    row[Decision.MARGIN] = policy.margin
    row[Decision.FURY] = Use[policy.fury.upper()]
    row[Decision.CHAIN] = policy.chain
    row[Decision.MASTER] = Use[policy.master.upper()]
    row[Decision.HELD] = Held[policy.held.upper()]
    row[Decision.FEINT] = Use[policy.feint.upper()]
    row[Decision.LUCK] = Luck[policy.luck.upper()]
    return row


def effects_of(fighter: Fighter) -> tuple[int, np.ndarray]:
    """Flags and numbers of a fighter's abilities, as the kernels have them."""
    flags = sum(1 << Effect[name.upper()] for name in fighter.effects)
    numbers = plain_numbers()
    for name, value in fighter.numbers:
        first, _, word = name.partition("_")
        if first in ("dealt", "suffered") and word in WORDS:
            numbers[Number[first.upper()] + WORDS.index(word)] = value
        else:
            numbers[Number[name.upper()]] = value
    return flags, numbers


def wounds_by_code(book: Book) -> list[Wounds]:
    """What each state code of the kernels means."""
    stunned = range(4 if book.stunned_stacks else 2)
    return [*(Wounds(*pair) for pair in product(range(book.killing), stunned)), DEAD]


def setup_of(combat: Combat, mirror: int = 0) -> Setup:
    """A combat as the kernels' arrays."""
    edition = edition_of(combat.book)
    codes = wounds_by_code(combat.book)
    cards = [
        Profile(
            fighter.name,
            caster="magician" if fighter.pure_caster else "",
            PA=fighter.PA,
            **{stat: min(max(getattr(fighter, stat), 0), MOST) for stat in STATS},
        )
        for fighter in combat.fighters
    ]
    feats = [effects_of(fighter) for fighter in combat.fighters]
    rows = [
        fighter_row(
            card,
            edition,
            state=codes.index(fighter.wounds),
            charged=fighter.charged,
            all_defence=fighter.all_defence,
            placed=fighter.placed,
            charging=fighter.charging,
            numbers=effects[1],
        )
        for card, fighter, effects in zip(cards, combat.fighters, feats, strict=True)
    ]
    for row, fighter in zip(rows, combat.fighters, strict=True):
        for stat in STATS:  # those of no card too
            row[Stat[stat]] = getattr(fighter, stat)
    banes = [[j in one.banes for j in range(len(cards))] for one in combat.fighters]
    order = placing_order(cards, combat.chooser) if combat.order is None else combat.order
    policies = [policy_row(policy) for policy in combat.policies]
    return Setup(
        np.array(rows),
        np.array(order),
        np.array(policies),
        combat.chooser,
        mirror,
        np.array([flags for flags, _ in feats]),
        np.stack([numbers for _, numbers in feats]),
        np.array(banes),
    )


# --- dice by address ------------------------------------------------------------------

M32 = 0xFFFFFFFF


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, ...]:
    """Philox4x32-10 as its paper gives it: four words of a counter and a key."""
    c0, c1, c2, c3 = counter
    k0, k1 = key
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * c0, 1 << 32)
        high_1, low_1 = divmod(0xCD9E8D57 * c2, 1 << 32)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0, k1 = (k0 + 0x9E3779B9) & M32, (k1 + 0xBB67AE85) & M32
    return c0, c1, c2, c3


@lru_cache(maxsize=1 << 14)
def sheet_words(seed: int, cell: int, trial: int, sheet: int) -> tuple[int, ...]:
    """The four words of a sheet, named by its whole address."""
    return philox((trial & M32, trial >> 32, cell, sheet), (seed & M32, seed >> 32))


def place_of(address: Address, mirror: int = 0) -> tuple[int, int, int]:
    """Where a die is: sheet, word of the sheet, die of the word."""
    turn, kind, number, striker, target, slot, index = address
    if kind == "initiative":
        number, pair, direction = 31, number % 16, number // 16
        if slot != COIN:
            slot ^= mirror
    else:
        pair, direction = max(striker, target), int(striker > 0) ^ mirror
    first = turn << 20 | number << 15 | pair << 11 | direction << 10
    block, digit = divmod(index, 5)
    if block == 0:
        return first + slot // 4, slot % 4, digit
    return first + 64 * block + slot, 0, digit


def die_of(word: int, digit: int) -> int:
    """A die of a word: its fraction of 2**32 in base 6, one digit after the other."""
    return word * 6 ** (digit + 1) // 2**32 % 6 + 1


def word_of(dice: list[int]) -> int:
    """A word that begins with these dice."""
    value = 0
    for die in dice:
        value = 6 * value + die - 1
    return -(-value * 2**32 // 6 ** len(dice))


# --- logs -----------------------------------------------------------------------------


def told_alike(log: np.ndarray, codes: list[Wounds], mirror: int = 0) -> list[tuple[int, ...]]:
    """Rows of a kernel in the reference's words: state codes, tests failed by a rule, sides."""
    told = []
    in_initiative = True
    for row in log.tolist():
        kind = row[0]
        if kind == Event.PLACE:
            in_initiative = True
        elif kind == Event.STRIKE:
            in_initiative = False
        elif kind == Event.DIE and in_initiative:
            if row[5] != COIN:
                row[5] ^= mirror
            elif mirror:
                row[7] = 7 - row[7]
        elif kind == Event.FEAT and row[5] == Effect.LUCK and row[7] <= FAILED_KERNEL:
            row[7] = FAILED
        elif kind == Event.INITIATIVE:
            row[6:8] = (FAILED if result <= FAILED_KERNEL else result for result in row[6:8])
        elif kind in (Event.ATTACK, Event.PARRY) and row[7] <= FAILED_KERNEL:
            row[6:8] = 1, FAILED
        elif kind == Event.WOUND:
            row[8] = codes[row[8]].code
        told.append(tuple(row))
    return told


@dataclass(frozen=True)
class Ending:
    """How a trial ended."""

    wounds: tuple[Wounds, ...]
    first: int  # side that struck first in the first turn
    turns: int

    @staticmethod
    def of(position: Position) -> Ending:
        return Ending(position.wounds, position.opening, position.turn + 1)


class Compiled:
    """A combat in the kernels, with a seed and a cell."""

    def __init__(self, combat: Combat, seed: int = 1, cell: int = 0, mirror: int = 0):
        self.combat, self.seed, self.cell, self.mirror = combat, seed, cell, mirror
        self.codes = wounds_by_code(combat.book)
        self.setup, self.rules = setup_of(combat, mirror), rules_of(combat.book)
        self.fights = new_fight(self.setup, self.rules, seed, cell)

    def die(self, trial: int, address: Address) -> int:
        sheet, word, digit = place_of(address, self.mirror)
        die = die_of(sheet_words(self.seed, self.cell, trial, sheet)[word], digit)
        coin = address.kind == "initiative" and address.slot == COIN
        return 7 - die if coin and self.mirror else die

    def tape(self, trial: int) -> FunctionTape:
        """The dice that the kernels roll in a trial."""
        return FunctionTape(lambda address: self.die(trial, address))

    def reference(self, trial: int) -> tuple[Ending, rules.Log]:
        """The trial as the reference plays it."""
        position, log = rules.play(self.combat, self.tape(trial))
        return Ending.of(position), log

    def rows(self, trial: int) -> np.ndarray:
        """The log of a trial as the kernel writes it."""
        log, complete = replay(self.fights, trial, self.combat.turns)
        assert complete
        return log

    def log(self, trial: int) -> list[tuple[int, ...]]:
        """The log of a trial in the reference's words."""
        return told_alike(self.rows(trial), self.codes, self.mirror)

    def play(self, first: int, trials: int) -> np.ndarray:
        return play(self.fights, first, trials, self.combat.turns)

    def ending(self, row: np.ndarray) -> Ending:
        *states, first, turns = row.tolist()
        return Ending(tuple(self.codes[state] for state in states), first, turns)

    def count(self, first: int, trials: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Law by fighter, sides and tally of trials."""
        n, s = len(self.combat.fighters), len(self.codes)
        law, sides = np.zeros((n, s), np.int64), np.zeros((s, n), np.int64)
        tally = np.zeros(2, np.int64)
        count(self.fights, first, trials, self.combat.turns, law, sides, tally)
        return law, sides, tally


def assert_same_trial(compiled: Compiled, trial: int) -> None:
    """Kernels and reference play a trial alike, row by row."""
    ending, log = compiled.reference(trial)
    assert compiled.log(trial) == log
    assert compiled.ending(compiled.play(trial, 1)[0]) == ending


# --- chosen dice ----------------------------------------------------------------------


@kernel
def play_pages(fights, lane, turns, written):
    """Log of some turns and the states after them, played on words written on their pages.

    ``written`` : rows of turn, page, word of the page, value.
    """
    fight = fights[0]
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    for i in range(fight.n):
        fight.state[i] = fight.fighters[i, Column.START]
    for turn in range(turns):
        for row in written:
            if row[0] == turn:
                fight.words[row[1], row[2], lane] = row[3]
        fight.living = 0
        for i in range(fight.n):
            if turn > 0:
                fight.state[i] = fight.recover[fight.state[i]]
            fight.living += i > 0 and fight.state[i] != fight.dead
        fight_combat(fight, Moment(lane, turn, log), True)
        if is_over(fight):
            break
    return log[1 : 1 + log[0, 0]], fight.state[: fight.n].copy()


class Recorder(ScriptedTape):
    """A scripted tape that remembers who asked for its dice."""

    def __init__(self, values: list[int]):
        super().__init__(values)
        self.asked: list[Address] = []

    def die(self, address: Address) -> int:
        self.asked.append(address)
        return super().die(address)


Dice = dict[int, int]  # of one word: place in it, and the die
MOST_TRIALS = 1 << 16  # that are looked through for dice that stand on no page


def page_of(fights: np.ndarray, sheet: int) -> int:
    """The page of a sheet, -1 if its words are made when they are needed."""
    number, pair, direction = sheet >> 15 & 31, sheet >> 11 & 15, sheet >> 10 & 1
    if sheet & 1023:
        return -1
    if number == 31:
        return 0 if pair == direction == 0 else -1
    return int(fights[0].page_of[number, pair, direction]) if number < PAGED_PASSES else -1


def trial_with(compiled: Compiled, wanted: dict[tuple[int, int], Dice]) -> int:
    """A trial that has these dice where no page is: by sheet and word of it."""
    for trial in range(MOST_TRIALS):
        if all(
            die_of(sheet_words(compiled.seed, compiled.cell, trial, sheet)[word], digit) == die
            for (sheet, word), dice in wanted.items()
            for digit, die in dice.items()
        ):
            return trial
    raise LookupError("no trial has these dice")


def scripted(combat: Combat, values: list[int], lane: int = 0) -> rules.Log:
    """Log of the kernels' combat on these dice, in the order in which they are rolled.

    The reference says where each die is; it plays the same rows to the same end, all dice are
    used. Those that stand on no page are looked for: a trial that has them is played.
    """
    tape = Recorder(values)
    position, log = rules.play(combat, tape)
    tape.finish()
    compiled = Compiled(combat)
    by_word: dict[tuple[int, int], Dice] = {}
    for address, die in zip(tape.asked, values, strict=True):
        sheet, word, digit = place_of(address)
        by_word.setdefault((sheet, word), {})[digit] = die
    paged = {at: page_of(compiled.fights, at[0]) for at in by_word}
    written = [
        (sheet >> 20, page, word, word_of([dice.get(k, 1) for k in range(max(dice) + 1)]))
        for (sheet, word), dice in by_word.items()
        if (page := paged[sheet, word]) >= 0
    ]
    trial = trial_with(compiled, {at: d for at, d in by_word.items() if paged[at] < 0})
    compiled.fights[0].trials[lane] = trial
    pages = np.array(written, np.int64).reshape(-1, 4)
    if lane:  # the block's first trial places dice for all
        play_pages(compiled.fights, 0, 1, pages[:0])
    rows, states = play_pages(compiled.fights, lane, combat.turns, pages)
    told = told_alike(rows, compiled.codes)
    assert told == [row for row in log if not lane or row[0] != Event.PLACE]
    assert tuple(compiled.codes[state] for state in states) == position.wounds
    return log


# --- many dice ------------------------------------------------------------------------


@kernel
def chains(fights, trials, length):
    """The first dice of one defence die's chain, by trial."""
    fight = fights[0]
    dice = np.empty((trials, length), np.int64)
    for trial in range(trials):
        fight.trials[0] = np.uint64(trial)
        call = Call(Moment(0, 0, None), 0, 0, 1, attack_address(0, 0, 1, 0), -1)
        dice[trial, 0], rest = first_die(fight, call, 1, DEFENCE)
        for index in range(1, length):
            dice[trial, index], rest = next_die(fight, call, 1, DEFENCE, index, rest)
    return dice


@kernel
def best_naturals(fights, trials, dice, goal, keep_at):
    """Natural result of several defence dice, by trial."""
    fight = fights[0]
    naturals = np.empty(trials, np.int64)
    for trial in range(trials):
        fight.trials[0] = np.uint64(trial)
        call = Call(Moment(0, 0, None), 0, 0, 1, attack_address(0, 0, 1, 0), -1)
        naturals[trial] = best_of(fight, call, 1, DEFENCE, dice, goal, keep_at, SIX_OPENS)
    return naturals


@kernel
def natural_of(fights, words, goal, keep_at):
    """Natural result of as many defence dice as words, and of the rest of their chains."""
    fight = fights[0]
    for j in range(len(words)):
        fight.words[0, DEFENCE + j, 0] = words[j]
    call = Call(Moment(0, 0, None), 0, 0, 1, attack_address(0, 0, 1, 0), 0)
    return best_of(fight, call, 1, DEFENCE, len(words), goal, keep_at, SIX_OPENS)


def assert_share(hits: int, trials: int, probability: float) -> None:
    """The handout's tolerance: four standard errors (0.006 % of right programs fail it)."""
    error = 4 * sqrt(probability * (1 - probability) / trials)
    assert abs(hits / trials - probability) <= error
