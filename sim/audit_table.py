"""The breaches of a transcript as lines of text."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from estoc.sim.audit_state import Breach
from estoc.sim.printing import styled, table_of

if TYPE_CHECKING:
    from rich.console import RenderableType


def breach_table(breaches: Sequence[Breach], steps: int) -> "RenderableType":
    """Return the breaches of a transcript of so many steps, or one line that there are none."""
    if not breaches:
        return styled(f"no clause is broken ({steps:,} steps)")
    lines = [[str(breach.step), breach.clause, breach.text] for breach in breaches]
    return table_of(["step", "clause", "why"], lines, "nwt")
