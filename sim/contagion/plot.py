"""The contagion of rout as a picture: how many units are in rout, order beside order."""

from collections.abc import Mapping, Sequence

from ...profiles.message import say
from ..base.result import Result
from ..text.drawing import Axes, Figure, figure
from .table import Law, laws, short_orders

# told apart by the colour-blind
_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_WIDTH = 0.8  # of all bars at one number


def plot_contagion(result: Result) -> Figure:
    """Return the picture of an answer: a bar for each order and number of units in rout.

    Exact odds where there are some; intervals of 95 % on what was sampled.
    """
    found, names = laws(result), short_orders(result)
    picture, (axes,) = figure((7.0, 3.8), 1, 1)
    _bars(axes, {names[order]: methods[0] for order, methods in found.items()})
    axes.set_xlabel("units in rout at the end")
    axes.set_ylabel("chance, %")
    axes.set_ylim(bottom=0)
    axes.legend(title="order of activation", frameon=False)
    return picture


def _bars(axes: Axes, drawn: Mapping[str, Law]) -> None:
    from matplotlib.ticker import MaxNLocator

    wide = _WIDTH / len(drawn)
    for place, (name, law) in enumerate(drawn.items()):
        shift = wide * (place + 0.5) - _WIDTH / 2
        axes.bar(
            [row["routed"] + shift for row in law],
            [100 * row["p_routed"] for row in law],
            wide,
            yerr=_errors(law),
            color=_COLOURS[place % len(_COLOURS)],
            error_kw={"linewidth": 0.8},
            label=say("{}: mean {:.3f}", name, law[0]["mean_routed"]),
        )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))


def _errors(law: Law) -> "Sequence[Sequence[float]] | None":
    """Return how far intervals reach down and up; None of exact odds."""
    if law[0]["trials"] is None:
        return None
    return [
        [100 * (row["p_routed"] - row["p_routed_low"]) for row in law],
        [100 * (row["p_routed_high"] - row["p_routed"]) for row in law],
    ]
