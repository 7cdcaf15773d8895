"""The same combat as exact chances: one against one, one against several."""
