"""Comparing names as people type them: any case, with or without accents."""

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import filterfalse

_SIGNS = str.maketrans({"’": "'", "ʼ": "'", "‑": "-"})
_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l"})

SPELLED, ALIKE, BEGUN_SO, BEGUN = range(4)  # how a text is like a name, best first


def tidy(text: str) -> str:
    """Return the text with every run of white space, line ends included, as one space."""
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def spelled(text: str) -> str:
    """Return the form in which two names are the same one: in any case, with the same accents.

    >>> spelled("L’ÉLU") == spelled("l'élu"), spelled("élu") == spelled("elu")
    (True, False)
    """
    return unicodedata.normalize("NFC", tidy(text).casefold()).translate(_SIGNS)


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form in which two spellings of a name are equal, whatever their accents.

    >>> fold("  L’Animæ  SYLVESTRE ") == fold("l'animae sylvestre")
    True
    """
    parts = unicodedata.normalize("NFKD", " ".join(text.split()).casefold())
    bare = "".join(filterfalse(unicodedata.combining, parts))
    return bare.translate(_SIGNS).translate(_LETTERS)


def likeness(text: str, name: str) -> int | None:
    """Return how a text is like a name: 0 the same, more the less it is; None if it is not.

    >>> [likeness(text, "Péché") for text in ("péché", "peche", "péc", "pec", "ché")]
    [0, 1, 2, 3, None]
    """
    typed, full = fold(text), fold(name)
    if typed == full:
        return SPELLED if spelled(text) == spelled(name) else ALIKE
    if not typed or not full.startswith(typed):
        return None
    # accents that were typed are meant; those that were not may have been left out
    accents = spelled(text) != typed
    return BEGUN_SO if accents and spelled(name).startswith(spelled(text)) else BEGUN


def meant(text: str, names: Sequence[str], begun: bool = True) -> list[int]:
    """Return the places of the names that a text is most like; of none: none.

    Case and accents count only where names differ by nothing else. Without ``begun`` a beginning
    of a name is not like it.

    >>> meant("elu", ["Élu", "Elu", "Elue"]), meant("elu", ["Élu", "Élue"])
    ([1], [0])
    >>> meant("peche", ["Péché", "Pêche"]), meant("pê", ["Péché", "Pêche"])
    ([0, 1], [1])
    """
    found = [(likeness(text, name), place) for place, name in enumerate(names)]
    last = BEGUN if begun else ALIKE
    like = [(rank, place) for rank, place in found if rank is not None and rank <= last]
    return [place for rank, place in like if rank == min(like)[0]]
