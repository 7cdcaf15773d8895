"""Many trials of a combat at once: dice in SIMD lanes, random walks of positions, CUDA."""
