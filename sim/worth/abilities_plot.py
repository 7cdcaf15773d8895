"""Whether abilities pay, as a picture: prices across, values up, and the line of the fit."""

from ...profiles.fighters.prices import what_told
from ...profiles.message import say, wrapped
from ..base.percent import scaled, shown, unit
from ..base.result import Result, Row
from ..text.drawing import Axes, Figure, figure
from .abilities_table import counted_lines, means_of, per_point_of
from .fit import FAR
from .subjects import LINE

_COUNTED, _FAR, _LINE_COLOUR = "#0072B2", "#D55E00", "#606060"  # told apart by the colour-blind


def prices_and_values(result: Result) -> Figure:
    """Return the picture: a dot for each priced line, outliers named, and what a point buys.

    Lines that are valued in part only are hollow, and not in the fit.
    """
    from matplotlib.ticker import MaxNLocator

    counted = counted_lines(result)
    lines = [row for row in means_of(result) if row["kind"] == LINE]
    in_part = [row for row in lines if row["difference"] is not None and not row["whole"]]
    far = [row for row in counted if row["verdict"]]
    near = [row for row in counted if not row["verdict"]]
    picture, (axes,) = figure((7.5, 5.4), 1, 1)
    axes.axhline(0, color="black", linewidth=0.8, zorder=1)
    _dots(axes, in_part, "none", _LINE_COLOUR, "o", say("valued in part only, not in the fit"))
    _dots(axes, near, _COUNTED, _COUNTED, "o", say("priced line"))
    _dots(axes, far, _FAR, _FAR, "D", say("beyond {:g} standardised residuals", FAR))
    _draw_fit(axes, counted)
    for row in far:
        _name(axes, row)
    axes.set_xlim(left=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel("price, PA")
    axes.set_ylabel(wrapped(say("change of {}", unit(lines[0]["score"])), 60))
    picture.legend(loc="outside lower center", ncols=2, frameon=False)
    return picture


def _dots(axes: Axes, rows: list[Row], inside: str, edge: str, shape: str, label: str) -> None:
    """Draw some lines of prices, if there are any."""
    if rows:
        axes.scatter(
            [row["price"] for row in rows],
            [_worth(row) for row in rows],
            marker=shape,
            facecolors=inside,
            edgecolors=edge,
            s=24,
            label=label,
            zorder=3,
        )


def _draw_fit(axes: Axes, counted: list[Row]) -> None:
    """Draw what so many points buy."""
    per_point = per_point_of(counted)
    if per_point is None:
        return
    score, most = counted[0]["score"], max(row["price"] for row in counted)
    end = scaled(per_point * most, score)
    assert end is not None  # a number scaled
    label = say("one PA buys {} (least squares through 0)", shown(per_point, score))
    axes.plot([0, most], [0, end], color=_LINE_COLOUR, linewidth=1.2, label=label, zorder=2)


def _name(axes: Axes, row: Row) -> None:
    """Write what an outlier buys beside its dot, towards the middle of the picture."""
    axes.annotate(
        wrapped(what_told(row["what"]), 26),
        (row["price"], _worth(row)),
        xytext=(6, 4 if row["z_residual"] > 0 else -4),
        textcoords="offset points",
        va="bottom" if row["z_residual"] > 0 else "top",
        fontsize=8,
    )


def _worth(row: Row) -> float:
    """Return what a line is worth, in the unit of the picture."""
    return float(scaled(row["difference"], row["score"]) or 0.0)
