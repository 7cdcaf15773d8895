"""What a choice or a card is worth: best play, +1 of a characteristic, abilities, points."""
