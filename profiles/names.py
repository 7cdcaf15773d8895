"""Comparing names as people type them: any case, with or without accents."""

import unicodedata
from functools import lru_cache

_LETTERS = str.maketrans({"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "’": "'", "ʼ": "'", "‑": "-"})


def tidy(text: str) -> str:
    """Return the text with every run of white space, line ends included, as one space."""
    return " ".join(text.split())


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the form in which two spellings of a name are equal.

    Examples
    --------
    >>> fold("  L’Animæ  SYLVESTRE ") == fold("l'animae sylvestre")
    True
    """
    parts = unicodedata.normalize("NFKD", tidy(text).casefold())
    bare = "".join(letter for letter in parts if not unicodedata.combining(letter))
    return bare.translate(_LETTERS)
