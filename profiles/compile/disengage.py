"""What a disengagement needs of an edition, as an array (M-7)."""

import numpy as np
from numpy.typing import NDArray

from ...kernels.layout.rolls import Custom
from ..edition.edition import Edition


def compile_disengagement(edition: Edition) -> NDArray[np.int64]:
    """Return what `estoc.kernels.rolls.disengage` needs, by `Custom` (M-7.2)."""
    customs = np.zeros(len(Custom), np.int64)
    for custom in Custom:
        customs[custom] = edition[f"disengage.{custom.name.lower()}"]
    return customs
