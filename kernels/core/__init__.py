"""Random words by address, dice, sets as bits, lanes of SIMD."""
