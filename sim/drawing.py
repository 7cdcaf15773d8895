"""Figures that no window knows, drawn the same whatever a person's settings are."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STYLE: Mapping[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, and has all accents
    "font.size": 9,
    "axes.titlesize": 9,
    "figure.titlesize": 11,
    "text.parse_math": False,  # a $ in a name is a $
    "text.usetex": False,
    "hatch.linewidth": 0.4,
    "svg.hashsalt": "estoc",
    "svg.fonttype": "path",
}


def figure(size: tuple[float, float], down: int, across: int) -> "tuple[Figure, list[Axes]]":
    """Return a figure that no window knows, and its axes."""
    from matplotlib.figure import Figure
    from matplotlib.layout_engine import ConstrainedLayoutEngine

    engine = ConstrainedLayoutEngine(compress=True, h_pad=0.1, w_pad=0.1)
    picture = Figure(figsize=size, layout=engine)
    return picture, list(picture.subplots(down, across, squeeze=False).flat)


@contextmanager
def style() -> Iterator[None]:
    """Draw with this module's settings, whatever a person's own are."""
    import matplotlib

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(_STYLE)
        yield
