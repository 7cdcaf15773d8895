"""A combat without abilities as exact chances: its tests, one against one, or several."""
