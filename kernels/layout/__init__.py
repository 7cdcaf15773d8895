"""Codes, columns, records and array shapes that kernels and Python share; no logic."""
