"""What choices, characteristics, abilities and points are worth: best play, values, prices."""
