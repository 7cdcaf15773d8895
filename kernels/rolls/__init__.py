"""Single tests: a shot, a Courage test, a disengagement, with their exact chances."""
