"""Commands about runs: batches, their reports, one trial told, the program timed."""
