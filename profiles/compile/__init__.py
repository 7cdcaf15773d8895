"""All of it as the arrays of `estoc.kernels.layout`: one file for each kind of record."""
