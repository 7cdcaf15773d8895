"""Who and what: fighters' cards, editions of the rules, and both as arrays for kernels."""

if __name__ != "estoc.profiles":
    raise ImportError("import estoc.profiles, not profiles (the repository root is on sys.path)")

from .edition.edition import Edition, edition_names, load_edition
from .errors import InputError
from .fighters.card import Profile
from .fighters.csv import read_fighters, write_fighters
from .fighters.roster import Roster

__all__ = [
    "Edition",
    "InputError",
    "Profile",
    "Roster",
    "edition_names",
    "load_edition",
    "read_fighters",
    "write_fighters",
]
