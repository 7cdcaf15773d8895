"""The combat dice of a fighter, as the checker of transcripts keeps them (C-3, C-7, W-7)."""

from dataclasses import dataclass


@dataclass
class Hand:
    """Dice left, and those allocated so far."""

    attack: int = 0
    defence: int = 0
    held: int = 0  # unplaced
    into_attack: int = 0
    into_defence: int = 0
    chain: int = 0  # taken for less ATT and DEF
    sustains: bool = False
    slowed: bool = False  # a sustained defence that costs DEF
    fresh: bool = False  # the first wound roll after a charge is to come

    @property
    def all_attack(self) -> bool:
        """Whether all dice are in attack: none in defence, none unplaced."""
        return self.into_attack > 0 and self.into_defence == 0 and self.held == 0
