"""Pages that stand alone: the report of a run, the field book of two armies."""
