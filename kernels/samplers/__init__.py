"""Many trials of a combat fast: every die in lanes, chains of draws, a CUDA device."""
