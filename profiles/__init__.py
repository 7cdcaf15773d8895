"""Who and what: fighters' cards, editions of the rules, and both as arrays for kernels."""

if __name__ != "estoc.profiles":
    raise ImportError("import estoc.profiles, not profiles (the repository root is on sys.path)")

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .edition.edition import Edition, edition_names, load_edition
    from .errors import InputError
    from .fighters.card import Profile
    from .fighters.roster import Roster, read_fighters, write_fighters

# For Python and notebooks; each is loaded when it is first used.
_HOMES = {
    "Edition": "edition.edition",
    "InputError": "errors",
    "Profile": "fighters.card",
    "Roster": "fighters.roster",
    "edition_names": "edition.edition",
    "load_edition": "edition.edition",
    "read_fighters": "fighters.roster",
    "write_fighters": "fighters.roster",
}

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


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found
