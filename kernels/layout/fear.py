"""Array shapes of fear (W-4); no logic."""

import numpy as np

from .abilities import ability_fields
from .combat import Rule
from .maintenance import PERSON_COLUMNS, Custom

# All that rolling and chances look at, as one record: kernels pass it by address.
FEAR = np.dtype(
    (
        np.record,
        [
            ("scalars", np.int64, (len(Rule),)),
            ("customs", np.int64, (len(Custom),)),  # of the maintenance phase, for a rally
            ("people", np.int64, (1, PERSON_COLUMNS)),
            *ability_fields(1),  # of who tests (W-7)
            ("seed", np.uint64),
            ("cell", np.uint64),
            ("trials", np.uint64, (1,)),
            ("words", np.uint32, (1, 4, 1)),  # none are made in advance
        ],
    )
)
