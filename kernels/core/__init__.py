"""What every kernel stands on: random words by address, one die read, sets as bits, SIMD."""
