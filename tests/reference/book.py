"""The edition: every value that another edition could change, in plain form.

Tables are written as on the rules pages and read word by word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# W-2.1: one line for each row of the table, columns legs, arms, abdomen, thorax, head.
WOUND_TABLE = (
    "<0     -   St  St  L   L",
    "0-1    St  St  L   L   S",
    "2-3    St  L   L   S   C",
    "4-5    L   L   S   S   C",
    "6-7    L   S   S   C   K",
    "8-9    L   S   C   C   K",
    "10-11  S   S   C   K   K",
    "12-13  S   C   C   K   K",
    "14-15  S   C   K   K   K",
    "16-17  C   C   K   K   K",
    ">=18   C   K   K   K   K",
)

# W-2.1: location by lower die 1..6.
LOCATIONS = ("legs", "arms", "abdomen", "thorax", "head", "head")
COLUMNS = ("legs", "arms", "abdomen", "thorax", "head")

# W-3.2 and M-5.1: what is taken from each characteristic.
PENALTIES = """
          INI ATT FOR DEF RES
light      1   1   1   1   0
serious    2   2   2   2   0
critical   3   3   3   3   0
stunned    1   1   1   1   0
charged    1   1   0   1   0
"""

OUTCOMES = ("-", "St", "L", "S", "C", "K")
LEVEL_NAMES = ("unhurt", "light", "serious", "critical")

FAILED = -999  # final result of a test failed by a rule: the lowest possible


@dataclass(frozen=True)
class Book:
    """One edition."""

    wound_table: tuple[str, ...] = WOUND_TABLE
    double_six_kills: bool = True  # W-2.2
    light: int = 1  # W-3.1
    serious: int = 2
    critical: int = 3
    killing: int = 4
    penalties: str = PENALTIES
    stunned_stacks: bool = False  # W-3.3
    dice_base: int = 1  # C-3.1
    dice_per_enemy: int = 1
    numbers_bonus: int = 1  # C-4.2, for each additional fighter
    sustained_penalty: int = 2  # C-7.2
    reroll_one: str = "reset"  # W-1.2: "reset", "add" or "fail"
    natural_one_fails: bool = False  # W-1.3
    automatic_failure: int = 0  # W-1.3: a final result at or below it
    many_dice: str = "best_chain"  # W-1.4: or "one_chain"
    opposed_tie: str = "reroll"  # C-4.3: "reroll", "coin", "higher_characteristic", "first"


def only_double_six_kills(book: Book) -> Book:
    """The handout's table: no blow does anything but a double 6, which kills."""
    return replace(book, wound_table=("- - - - -",) * 11)


def every_blow_kills(book: Book) -> Book:
    """The handout's table: every blow that lands kills."""
    return replace(book, wound_table=("K K K K K",) * 11)


def table_penalty(book: Book, line: str, characteristic: str) -> int:
    """What the line of the table of penalties takes from the characteristic (W-3.2)."""
    head, *lines = book.penalties.strip().splitlines()
    column = head.split().index(characteristic)
    for text in lines:
        name, *values = text.split()
        if name == line:
            return int(values[column])
    raise KeyError(line)


@dataclass(frozen=True, order=True)
class Wounds:
    """State of a fighter: level 0..3, stunned, dead (W-3)."""

    level: int = 0
    stunned: int = 0  # 0 or 1, up to 3 if ``stunned_stacks``
    dead: bool = False

    @property
    def code(self) -> int:
        """2 * level + stunned, 8 for the dead: the number that a log row holds."""
        return 8 if self.dead else 2 * self.level + min(self.stunned, 1)


UNHURT = Wounds()
DEAD = Wounds(dead=True)


def suffer(book: Book, wounds: Wounds, outcome: str) -> Wounds:
    """State after the outcome of a wound roll (W-3.1, W-3.3)."""
    if wounds.dead or outcome == "K":
        return DEAD
    if outcome == "-":
        return wounds
    if outcome == "St":
        stunned = min(wounds.stunned + 1, 3) if book.stunned_stacks else 1
        return replace(wounds, stunned=stunned)
    level = wounds.level + {"L": book.light, "S": book.serious, "C": book.critical}[outcome]
    return DEAD if level >= book.killing else replace(wounds, level=level)


def wound_penalty(book: Book, wounds: Wounds, characteristic: str) -> int:
    """What his wounds take from a characteristic, level and stunned together (W-3.2)."""
    penalty = wounds.stunned * table_penalty(book, "stunned", characteristic)
    if wounds.level > 0:
        penalty += table_penalty(book, LEVEL_NAMES[wounds.level], characteristic)
    return penalty


def maintain(wounds: Wounds) -> Wounds:
    """State after the maintenance phase: stunned is removed (W-3.3)."""
    return wounds if wounds.dead else replace(wounds, stunned=0)


def wound_outcome(book: Book, lower: int, higher: int, row: int) -> str:
    """Outcome of a wound roll whose row is higher die + FOR - RES (W-2.1, W-2.2)."""
    if (lower, higher) == (6, 6) and book.double_six_kills:
        return "K"
    return table_outcome(book, lower, row)


def table_outcome(book: Book, lower: int, row: int, down: int = 0) -> str:
    """What the table says, read so many lines towards killed (W-2.1, W-7)."""
    last = len(book.wound_table) - 1
    line = 0 if row < 0 else min(1 + row // 2, last)
    line = max(0, min(line + down, last))
    cells = book.wound_table[line].split()[-len(COLUMNS) :]
    return cells[COLUMNS.index(LOCATIONS[lower - 1])]
