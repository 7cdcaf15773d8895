"""A combat with abilities ("feats") as exact chances: its tests, then the whole."""
