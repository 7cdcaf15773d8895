"""A line through prices and values: how it fits, who lies far from it, what a point buys."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...profiles.errors import InputError
from ...profiles.message import say
from ..base.libraries import check_installed
from ..combat.laws import ROUNDING

FEWEST = 8  # cards to which a line is fitted
FEWEST_PRICES = 3  # of them that differ
DOUBTFUL = "doubtful"  # begins what speaks against the line
_BAND = 0.05  # outside the intervals
_STEPS = 2000  # of the prices that are looked at for a fair one
_REACH = 4.0  # times the lowest and the highest price that are looked at

Floats = NDArray[np.float64]


FAR = 2.0  # standardised residuals beyond it are outliers
CHEAP, DEAR = "cheap", "dear"


@dataclass(frozen=True)
class PriceFit:
    """Values fitted by prices, by ordinary least squares."""

    form: str  # "PA" or "log PA": what the line is in: whichever has the lower AIC
    expected: Floats
    # externally studentised residuals, their two-sided chances by Student's law, and these adjusted
    # over all of them (Holm)
    t: Floats
    p: Floats
    p_adjusted: Floats
    # how much each could, and does, move the line
    leverage: Floats
    cook: Floats
    dffits: Floats
    pulls: NDArray[np.bool_]  # whether its Cook's distance is above 4 / n
    # cells of the rows about the line and about its assumptions
    told: tuple[dict[str, Any], ...]
    diagnostics: tuple[dict[str, Any], ...]
    model: Any  # of statsmodels
    prices: Floats

    def band(self, prices: Floats) -> tuple[Floats, Floats, Floats]:
        """Return the line at prices, and the ends of where 95 % of single cards lie."""
        frame = self.model.get_prediction(_design(prices, self.form)).summary_frame(alpha=_BAND)
        names = ("obs_ci_lower", "mean", "obs_ci_upper")
        low, middle, high = (np.asarray(frame[name], np.float64) for name in names)
        return low, middle, high

    def fair_price(self, value: float) -> tuple[float | None, float | None, float | None]:
        """Return the price that the line gives for a value, between those that the band allows.

        None where it is beyond a quarter of the lowest, or four times the highest, price.
        """
        prices = np.geomspace(self.prices.min() / _REACH, self.prices.max() * _REACH, _STEPS)
        low, middle, high = self.band(prices)
        inside = (low <= value) & (value <= high)
        ends = np.flatnonzero(inside)
        first = float(prices[ends[0]]) if len(ends) and ends[0] > 0 else None
        last = float(prices[ends[-1]]) if len(ends) and ends[-1] < _STEPS - 1 else None
        crossing = np.flatnonzero(np.diff(np.sign(middle - value)))
        return first, float(prices[crossing[0]]) if len(crossing) else None, last


def price_fit(prices: Floats, values: Floats) -> PriceFit:
    """Return the line through prices and values."""
    check_installed("statsmodels", "audit")
    check_prices(prices)
    import statsmodels.api as sm
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.outliers_influence import OLSInfluence

    models = {form: sm.OLS(values, _design(prices, form)).fit() for form in ("PA", "log PA")}
    form = min(models, key=lambda name: models[name].aic)
    model = models[form]
    influence = OLSInfluence(model)
    t = np.asarray(influence.resid_studentized_external, np.float64)
    p = _chances(t, len(prices) - 3)
    cook = np.asarray(influence.cooks_distance[0], np.float64)
    return PriceFit(
        form=form,
        expected=np.asarray(model.fittedvalues, np.float64),
        t=t,
        p=p,
        p_adjusted=np.asarray(multipletests(p, method="holm")[1], np.float64),
        leverage=np.asarray(influence.hat_matrix_diag, np.float64),
        cook=cook,
        dffits=np.asarray(influence.dffits[0], np.float64),
        pulls=cook > 4 / len(prices),
        told=_told(model, form),
        diagnostics=_diagnostics(model, prices, values),
        model=model,
        prices=prices,
    )


def check_prices(prices: Floats) -> None:
    """Refuse prices that no line can be laid through: too few, alike, or not above 0."""
    if len(prices) < FEWEST:
        raise InputError("audit: {} cards; {} are needed to fit their prices", len(prices), FEWEST)
    if prices.min() <= 0:
        raise InputError(
            "audit: {} of {} cards have no PA above 0, and the line of prices is for cards "
            "that cost something",
            int((prices <= 0).sum()),
            len(prices),
        )
    different = len(np.unique(prices))
    if different < FEWEST_PRICES:
        raise InputError(
            "audit: {} cards have {} different PA; {} are needed to fit their prices",
            len(prices),
            different,
            FEWEST_PRICES,
        )


def _design(prices: Floats, form: str) -> Floats:
    x = np.log(prices) if form == "log PA" else prices
    return np.column_stack([np.ones(len(x)), x])


def _chances(t: Floats, freedom: int) -> Floats:
    from scipy.stats import t as student

    return np.asarray(2 * student.sf(np.abs(t), freedom), np.float64)


def _told(model: Any, form: str) -> tuple[dict[str, Any], ...]:
    """Return the line, with intervals that hold where values do not spread alike (HC3)."""
    robust = model.get_robustcov_results("HC3")
    ends = robust.conf_int(alpha=_BAND)
    names = (say("at 0" if form == "PA" else "at 1 PA"), say("per {}", form))
    found = [
        {"what": name, "number": float(model.params[i]), "low": float(ends[i][0]),
         "high": float(ends[i][1]), "p": float(robust.pvalues[i])}
        for i, name in enumerate(names)
    ]  # fmt: skip
    return (*found, {"what": "R²", "number": float(model.rsquared), "text": form})


def _diagnostics(model: Any, prices: Floats, values: Floats) -> tuple[dict[str, Any], ...]:
    """Return what would speak against the line: a small p does."""
    from scipy.stats import shapiro
    from statsmodels.stats.diagnostic import het_breuschpagan, linear_reset

    spread = het_breuschpagan(model.resid, model.model.exog)
    normal = shapiro(model.resid)
    straight = linear_reset(model, power=3, use_f=True)
    rows = (
        ("Breusch–Pagan", spread[0], spread[1], say("values spread alike at all prices")),
        ("Shapiro–Wilk", normal.statistic, normal.pvalue, say("residuals are normal")),
        ("RESET", straight.fvalue, straight.pvalue, say("the line is straight")),
    )
    return tuple(
        {"what": what, "number": float(number), "p": float(p),
         "text": say("{}: {}", DOUBTFUL if p < _BAND else say("not contradicted"), claim)}
        for what, number, p, claim in rows
    )  # fmt: skip


@dataclass(frozen=True)
class Fit:
    """Values fitted by their prices, as ``value = per_point * price``."""

    per_point: float  # what a point buys
    residuals: tuple[float, ...]  # values less what their prices buy
    # residuals by their own standard deviations, of which dear lines, which pull the fit more, have
    # smaller ones
    standardised: tuple[float, ...]


def fitted(prices: Sequence[float], values: Sequence[float]) -> Fit | None:
    """Return the line through the origin with the least squares; None of fewer than two points.

    >>> found = fitted([1, 2, 3], [2, 4, 7])
    >>> round(found.per_point, 3), [round(z, 2) for z in found.standardised]
    (2.214, [-0.53, -1.2, 1.41])
    """
    if len(prices) < 2:
        return None
    x, y = np.array(prices, float), np.array(values, float)
    per_point = float(x @ y / (x @ x))
    residuals = y - per_point * x
    spread = float(np.sqrt(residuals @ residuals / (len(x) - 1)))
    if spread <= ROUNDING * max(1.0, float(np.abs(y).max())):
        residuals = np.zeros(len(x))
        spread = 1.0
    errors = spread * np.sqrt(1 - x**2 / (x @ x))
    return Fit(per_point, tuple(map(float, residuals)), tuple(map(float, residuals / errors)))


def verdict(standardised: float) -> str:
    """Return what an outlier is: cheap, worth more than its price, or dear; else nothing."""
    if abs(standardised) <= FAR:
        return ""
    return CHEAP if standardised > 0 else DEAR
