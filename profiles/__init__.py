"""Who and what: fighters' cards, editions of the rules, and both as arrays for kernels."""

if __name__ != "estoc.profiles":
    raise ImportError("import estoc.profiles, not profiles (the repository root is on sys.path)")

from estoc.profiles.edition import Edition, edition_names, load_edition
from estoc.profiles.errors import InputError
from estoc.profiles.files import read_fighters, write_fighters
from estoc.profiles.load import Roster
from estoc.profiles.schema import Profile

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
