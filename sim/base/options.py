"""What a person asks with: options, dice, seeds, names on both sides."""

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.metadata import version

import numpy as np

from ...kernels.layout.combat import MAX_ENEMIES, MAX_TURNS
from ...profiles.edition.edition import Edition, load_edition
from ...profiles.errors import InputError
from ...profiles.files.reading import made_once
from ...profiles.letters import hidden
from ...profiles.message import say
from .policy import SENSIBLE, Policy

_ENDINGS = (".toml", ".csv", ".json", ".parquet", ".html")
# A space, or a part of a word: in one of three quotations, behind \, or plain.
_PIECE = re.compile(
    r"""\s+|(?<!\S)\$'(?:[^'\\]|\\.)*'|'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^\s'"\\]+""", re.DOTALL
)

SIDES = ("A", "B")
MAX_SEED = 2**64 - 1
MAX_TRIALS = 2**53 - 1  # of which a float can tell each
DEFAULT_EDITION = "conffede"
# Sections of an edition that a combat depends on.
SECTIONS = ("tests", "dice", "initiative", "defence", "charge", "wounds", "penalty")


def number_of_dice(edition: Edition, enemies: int) -> int:
    """Return the number of combat dice against so many enemies (C-3.1)."""
    return int(edition["dice.base"] + edition["dice.per_enemy"] * enemies)


@dataclass(frozen=True, order=True)
class Dice:
    """Dice placed in attack and in defence, written ``2/0``."""

    attack: int
    defence: int

    def __str__(self) -> str:
        return f"{self.attack}/{self.defence}"

    @classmethod
    def parse(cls, text: str) -> "Dice | None":
        """Return the dice that ``ATTACK/DEFENCE`` says; None for ``policy``."""
        if text.strip().lower() == "policy":
            return None
        match = re.fullmatch(r"\s*(\d{1,2})\s*/\s*(\d{1,2})\s*", text)
        if not match:
            raise InputError('dice "{}" should be ATTACK/DEFENCE, as 1/1 or 2/0, or policy', text)
        return cls(int(match[1]), int(match[2]))


@dataclass(frozen=True)
class Options:
    """What a question adds to the fighters' names, as a person writes it.

    Parameters
    ----------
    edition_name : str
        Name or file of an edition.
    rules : tuple of str
        ``KEY=VALUE``: values that replace the edition's.
    policies : tuple of Policy
        Of sides A and B.
    turns : int
        Most turns fought.
    chosen_by : {"A", "B"}
        Side that chose the combat (C-3.3).
    sets : tuple of str
        ``NAME.KEY=VALUE``: values that replace those of a card.
    wounds, dice : tuple of str
        ``NAME=light,stunned`` and ``NAME=2/0``.
    charge, all_defence : tuple of str
        Names. In all of these a name is a fighter's, or a side: ``A``, ``B``.
    fighters : tuple of str
        Files of fighters that the roster was read from, besides those shipped.
    score : str
        What A wants and B does not want (`estoc.sim.combat.laws.weights`).
    abilities : bool
        Whether the abilities on the cards are played (W-7).
    """

    edition_name: str = DEFAULT_EDITION
    rules: tuple[str, ...] = ()
    policies: tuple[Policy, Policy] = (SENSIBLE, SENSIBLE)
    turns: int = 1
    chosen_by: str = "A"
    sets: tuple[str, ...] = ()
    wounds: tuple[str, ...] = ()
    dice: tuple[str, ...] = ()
    charge: tuple[str, ...] = ()
    all_defence: tuple[str, ...] = ()
    fighters: tuple[str, ...] = ()
    score: str = "kills"
    abilities: bool = True

    def __post_init__(self) -> None:
        if self.chosen_by not in SIDES:
            raise InputError('chosen by "{}" should be A or B', self.chosen_by)
        if not 1 <= self.turns <= MAX_TURNS:
            raise InputError("turns {} should be from 1 to {}", self.turns, MAX_TURNS)

    @cached_property
    def edition(self) -> Edition:
        """The edition, with the replaced values."""

        def made() -> Edition:
            edition = load_edition(self.edition_name)
            for rule in self.rules:
                edition = edition.with_rule(rule)
            return edition

        return made_once(("edition", self.edition_name, self.rules), made)

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """Keys of the edition that a combat depends on and that nobody found."""
        keys = self.edition.assumed(SECTIONS)
        # nobody shoots; whether a charge is shared, the question knows
        return tuple(key for key in keys if not key.endswith((".TIR", ".sharing")))

    @property
    def policy(self) -> str:
        """How both sides decide, in a word or two."""
        return of_sides(*self.policies)

    def common_arguments(self, usual: Policy = SENSIBLE) -> list[str]:
        """Return the options about no fighter as arguments, defaults left out.

        ``usual`` is the policy of a side that is told none.
        """
        found = [word for file in self.fighters for word in ("--fighters", file)]
        found += [word for rule in self.rules for word in ("--rule", rule)]
        if self.edition_name != DEFAULT_EDITION:
            found += ["--edition", self.edition_name]
        for side, policy in zip(SIDES, self.policies, strict=True):
            if policy != usual:
                found += ["--policy", f"{side}={policy}"]
        if self.turns != 1:
            found += ["--turns", str(self.turns)]
        if self.chosen_by != "A":
            found += ["--chosen-by", self.chosen_by]
        if self.score != "kills":
            found += ["--score", self.score]
        if not self.abilities:
            found.append("--no-abilities")
        return found

    def set_arguments(self) -> list[str]:
        """Return what replaces values of cards as arguments."""
        return [word for text in self.sets for word in ("--set", text)]

    def arguments(self) -> list[str]:
        """Return the options as arguments of the command line, defaults left out."""
        named = {
            "--set": self.sets,
            "--wounds": self.wounds,
            "--charge": self.charge,
            "--all-defence": self.all_defence,
        }
        about = [word for option, texts in named.items() for t in texts for word in (option, t)]
        return about + self.common_arguments()


def of_sides(a: object, b: object) -> str:
    """Return what is said of A and of B, once where it is the same."""
    return str(a) if a == b else f"A={a} B={b}"


def repeated(words: Iterable[str]) -> list[str]:
    """Return names, those written ``name*3`` three times."""
    found: list[str] = []
    for word in words:
        name, star, count = word.rpartition("*")
        if not star:
            found.append(word)
        elif count.strip().isdigit() and 1 <= int(count) <= MAX_ENEMIES:
            found += [name.strip()] * int(count)
        else:
            raise InputError('"{}": the number after * should be from 1 to {}', word, MAX_ENEMIES)
    return found


def sides_of(words: Sequence[str], command: str = "combat") -> tuple[list[str], list[str]]:
    """Return the names on each side of ``vs``."""
    places = [i for i, word in enumerate(words) if word.lower() == "vs"]
    if len(places) != 1:
        raise InputError(
            '{}: write the fighters as A… vs B…, with one "vs" between the sides', command
        )
    sides = repeated(words[: places[0]]), repeated(words[places[0] + 1 :])
    if not all(sides):
        raise InputError('{}: name at least one fighter on each side of "vs"', command)
    return sides


def quoted(word: str) -> str:
    """Return a word as a shell reads it, in double quotes where these are enough.

    What cannot be seen is told by its bytes, as bash, zsh and ksh read it in ``$'…'``; a file
    whose name begins as an option does, by its folder. `words_of` reads the words again.
    """
    if word.startswith("-") and word.endswith(_ENDINGS):
        word = f"./{word}"
    if hidden(word) is not None:
        return f"$'{''.join(map(_escaped, word))}'"
    plain = shlex.quote(word)
    if plain != word and not set(word) & set('"$`\\!%'):
        return f'"{word}"'
    return plain


def _escaped(letter: str) -> str:
    """Return a letter as it stands in ``$'…'``."""
    if letter in "'\\":
        return f"\\{letter}"
    if hidden(letter) is None:
        return letter
    return "".join(f"\\x{byte:02x}" for byte in letter.encode("utf-8", "surrogateescape"))


def words_of(command: str) -> list[str]:
    """Return the words of a command line that is made of `quoted` words, or that a person wrote."""
    words: list[str] = []
    place, begins = 0, True
    for found in _PIECE.finditer(command):  # shlex takes the square of a long word
        if found.start() != place:
            break
        place = found.end()
        if found[0].isspace():
            begins = True
            continue
        words += [""] * begins
        words[-1] += _piece(found[0])
        begins = False
    if place != len(command):
        raise ValueError(say("a quotation is not closed"))
    return words


def _piece(text: str) -> str:
    """Return what a piece of a word means to a shell."""
    if text.startswith("$'"):
        return _unescaped(text[2:-1])
    if text[0] == "'":
        return text[1:-1]
    if text[0] == '"':
        return re.sub(r'\\(["\\])', r"\1", text[1:-1])
    return text[1:] if text[0] == "\\" else text


def _unescaped(text: str) -> str:
    """Return what stands in ``$'…'`` as `quoted` writes it."""
    data = re.sub(
        rb"\\(?:x([0-9a-f]{2})|(.))",
        lambda found: bytes.fromhex(found[1].decode()) if found[1] else found[2],
        text.encode("utf-8", "surrogateescape"),
    )
    return data.decode("utf-8", "surrogateescape")


@cache
def estoc_version() -> str:
    """Return the version of the program."""
    return version("estoc")


def checked_seed(seed: int | None, usual: int | None = None) -> int:
    """Return a seed; where none is given, the usual or a fresh one."""
    seed = usual if seed is None else seed
    if seed is None:
        return int(np.random.SeedSequence().generate_state(1)[0])
    if not 0 <= seed <= MAX_SEED:
        raise InputError("seed {} should be from 0 to {}", seed, MAX_SEED)
    return int(seed)


def checked_trials(trials: int) -> int:
    """Return a number of trials that can be run."""
    if trials < 1:
        raise InputError("trials {} should be at least 1", trials)
    if trials > MAX_TRIALS:
        raise InputError("trials {} should be at most {}", trials, MAX_TRIALS)
    return int(trials)
