"""The points of cards as a picture: value against price, the line, who lies far from it."""

import numpy as np

from ...profiles.message import say, wrapped
from ..base.result import Result, Row, sections
from ..text.drawing import Axes, Figure, figure
from ..text.printing import short_names
from .fit import price_fit
from .points import named_origin
from .points_table import verdict

_BLUE, _ORANGE, _GREY = "#0072B2", "#D55E00", "#8C8C8C"
_NAMED = 4  # named besides those with a verdict: those that lie farthest


def prices(result: Result) -> Figure:
    """Return the picture: a panel for each origin."""
    origins = list(dict.fromkeys(row["origin"] for row in result))
    picture, panels = figure((7.5, 4.6 * len(origins) + 0.6), len(origins), 1)
    for axes, origin in zip(panels, origins, strict=True):
        own = [row for row in result if row["origin"] == origin]
        _panel(axes, "" if origins == [""] else named_origin(origin), sections(own)["fighter"])
    return picture


def _panel(axes: Axes, origin: str, rows: list[Row]) -> None:
    costs = np.array([float(row["PA"]) for row in rows])
    values = np.array([row["value"] for row in rows])
    fit = price_fit(costs, values)
    ground = np.linspace(costs.min(), costs.max(), 200)
    low, middle, high = fit.band(ground)
    axes.fill_between(ground, low, high, color="#E8EEF3", label="95 % of cards")
    axes.plot(ground, middle, color="black", linewidth=1.0, label=say("line in {}", fit.form))
    sizes = 18 + 160 * np.sqrt(np.array([row["cook"] for row in rows]).clip(0, 1))
    told = [bool(row["verdict"]) for row in rows]
    colours = [_ORANGE if sure else _BLUE for sure in told]
    axes.scatter(costs, values, s=sizes, c=colours, alpha=0.8, linewidths=0, zorder=3)
    names = short_names(row["fighter"] for row in rows)
    far = sorted(range(len(rows)), key=lambda i: -abs(rows[i]["t"]))[:_NAMED]
    for i, row in enumerate(rows):
        if told[i] or i in far:
            axes.annotate(
                names[row["fighter"]],
                (costs[i], values[i]),
                xytext=(5, 4),
                textcoords="offset points",
                fontsize=7,
                color=colours[i] if told[i] else _GREY,
            )
    said = verdict(rows)
    axes.set_title(wrapped(say("{}: {}", origin, said) if origin else said, 95))
    axes.set_xlabel("price, PA; larger: pulls the line more (Cook's distance)")
    axes.set_ylabel("value")
    axes.legend(frameon=False, fontsize=8, loc="best")
