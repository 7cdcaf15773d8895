"""Which clauses a transcript of a battle breaks: the rules read apart from the kernels."""
