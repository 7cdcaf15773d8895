"""Sets of up to 64 fighters as the bits of a word."""

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic

from .._jit import part

U64 = np.uint64
ONE = np.uint64(1)
NONE = np.uint64(0)


@part
def bit(i):
    """The mask of one fighter."""
    return ONE << U64(i)


def _population(_typing: Any, mask: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


def _trailing_zeros(_typing: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], context.get_constant(types.boolean, 0))

    return types.int64(types.uint64), generate


population: Any = intrinsic(_population)  # one instruction of the processor each
trailing_zeros: Any = intrinsic(_trailing_zeros)


@part
def count_bits(mask):
    """Number of fighters in a mask."""
    return population(U64(mask))


@part
def lowest(mask):
    """The first fighter in a mask; 64: it is empty."""
    return trailing_zeros(U64(mask))


@part
def without_lowest(mask):
    """The mask less its first fighter."""
    return mask & (mask - ONE)
