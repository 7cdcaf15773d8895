"""What records that kernels pass by address have in common; no logic."""

from typing import Any

import numpy as np

from .abilities import NUMBERS

DICE: list[tuple[Any, ...]] = [
    ("seed", np.uint64),
    ("cell", np.uint64),
    ("trials", np.uint64, (1,)),
    ("words", np.uint32, (1, 4, 1)),  # a page, where one is made in advance
]


def record(*fields: tuple[Any, ...]) -> np.dtype[np.void]:
    """Return the type of a record whose fields are attributes: name, type, shape if it is one."""
    return np.dtype((np.record, list(fields)))


def ability_fields(fighters: int) -> list[tuple[Any, ...]]:
    """Return the fields of a record that say what so many fighters' abilities are (W-7)."""
    return [
        ("able", np.int64),  # the flags of all; 0: nobody has an ability
        ("effects", np.int64, (fighters,)),  # bits of `Effect`
        ("numbers", np.int64, (fighters, NUMBERS)),
        ("banes", np.uint8, (fighters, fighters)),
        ("luck", np.int64, (fighters,)),  # tests of this turn that may be rolled again still
    ]
