"""Batches of jobs: runs in folders that survive what stops them, by any workers."""
