"""The activation sheet: what a unit may do, what follows, what is lost, its map."""
