"""The activation sheet of the hex wargame and the contagion of rout."""
