"""Who touches whom, as a person says it, and who suffers a charge by it (C-1, M-5)."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...profiles.armies.contacts import Contact, read_contacts
from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.options import Options
from ..combat.combatants import Combatant, charged_by, chosen

ALL = "all"

Told = str | Path | Mapping[str, Sequence[str]] | Iterable[tuple[str, str]]


def contacts_told(contacts: Told) -> list[Contact]:
    """Return contacts as a file, a mapping or pairs of names say them."""
    if isinstance(contacts, str | Path):
        return read_contacts(Path(contacts))
    if isinstance(contacts, Mapping):
        contacts = [(one, other) for one, touched in contacts.items() for other in touched]
    return [Contact(*pair, say("contact {}", number)) for number, pair in enumerate(contacts, 1)]


def touching_of(contacts: Told, fighters: Sequence[Combatant]) -> NDArray[np.uint64]:
    """Return whom each fighter touches, as bits in the order of the fighters."""
    touching = np.zeros(len(fighters), np.uint64)
    if isinstance(contacts, str) and contacts.lower() == ALL:
        pairs = [
            (i, j)
            for i, one in enumerate(fighters)
            for j, other in enumerate(fighters)
            if one.side != other.side
        ]
    else:
        pairs = [_pair(contact, fighters) for contact in contacts_told(contacts)]
    for i, j in pairs:
        touching[i] |= np.uint64(1 << j)
        touching[j] |= np.uint64(1 << i)
    return touching


def _pair(contact: Contact, fighters: Sequence[Combatant]) -> tuple[int, int]:
    """Return the numbers of two fighters who touch."""
    one, other = (_one(name, contact.where, fighters) for name in contact[:2])
    if one == other:
        raise InputError('{}: "{}" cannot touch himself', contact.where, contact.one)
    return one, other


def _one(name: str, where: str, fighters: Sequence[Combatant]) -> int:
    """Return the number of the one fighter that a name means."""
    found = sorted(chosen(name, say("{}:", where), fighters))
    if len(found) > 1:
        known = ", ".join(key_of(fighters[i]) for i in found)
        raise InputError('{}: "{}" is {} fighters: write one of {}', where, name, len(found), known)
    return found[0]


def key_of(combatant: Combatant) -> str:
    """Return ``A1``: side and place of a fighter."""
    return f"{combatant.side}{combatant.place}"


def bits(mask: int) -> list[int]:
    """Return the numbers of the fighters of a set."""
    return [i for i in range(int(mask).bit_length()) if int(mask) >> i & 1]


def charged_of(
    fighters: Sequence[Combatant], touching: NDArray[np.uint64], options: Options
) -> set[int]:
    """Return who suffers the penalty of a charge, whatever the separation (M-5.1, M-5.2).

    Whoever charges is taken to charge all enemies whom he touches, those of a side in one
    speaking turn. Each connected group of chargers and charged is taken together.
    """
    side = np.array([c.side == "B" for c in fighters])
    charging = np.array([c.charges for c in fighters])
    everybody = np.arange(len(fighters), dtype=np.uint64)
    touches = ((touching[:, None] >> everybody) & np.uint64(1)).astype(np.bool_)
    charges = touches & charging[:, None] & (side[:, None] != side)
    for i, j in np.argwhere(charges & charges.T):
        raise InputError(
            "{} and {} touch and both charge: who is charged is in contact, and cannot (M-4.1)",
            key_of(fighters[i]),
            key_of(fighters[j]),
        )
    profiles, able = [c.profile for c in fighters], options.abilities
    charged = charged_by(charges, side, profiles, options.edition, able)
    return set(np.flatnonzero(charged).tolist())
