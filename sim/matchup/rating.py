"""Ratings by Bradley and Terry's model, and whether it fits what was played.

By the model, one entrant beats another with the odds of their strengths. It knows no cycles:
where there are some it does not fit, and a rating says little.
"""

import warnings
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..base.stats import LEVEL, quantile

TENFOLD = 400.0  # points by which one is rated above another whom he beats ten times in eleven

_CLOSE = 1e-12  # two deviances of a fit that is found

Floats = NDArray[np.float64]


class Rating(NamedTuple):
    """Points of entrants, 0 on average, and how well the model fits."""

    # with the ends of their intervals
    points: Floats
    low: Floats
    high: Floats
    expected: Floats  # shape (n, n): scores, rows against columns, that the model expects
    chi2: float  # squares of what was scored less what is expected, in standard errors, added up
    freedom: int  # its degrees of freedom: what it is on average if the model holds
    # chance of as much, or more, if the model holds; None without a degree of freedom
    p: float | None
    worst: tuple[int, int]  # the two whose score is the farthest from what is expected


def bradley_terry(scores: ArrayLike, errors: ArrayLike, level: float = LEVEL) -> Rating:
    """Return the rating that fits scores best; (n, n), as their errors, rows against columns."""
    from statsmodels.genmod.families import Binomial
    from statsmodels.genmod.generalized_linear_model import GLM

    scored = np.asarray(scores, np.float64)
    one, other = np.triu_indices(len(scored), 1)
    score = scored[one, other]
    # so many independent battles tell as much as those that were played in pairs
    battles = score * (1 - score) / np.asarray(errors, np.float64)[one, other] ** 2
    signs = np.zeros((len(score), len(scored)))
    signs[np.arange(len(score)), one], signs[np.arange(len(score)), other] = 1.0, -1.0
    counts = np.column_stack((score * battles, (1 - score) * battles))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it fits to the last digit, as of two entrants
        fit = GLM(counts, signs[:, 1:], family=Binomial()).fit(tol=_CLOSE)
    strengths = np.concatenate(([0.0], fit.params))
    points = TENFOLD / log(10) * (strengths - strengths.mean())
    half = quantile(level) * _errors(np.asarray(fit.cov_params()), len(scored))
    freedom = len(score) - (len(scored) - 1)
    worst = int(np.argmax(np.abs(fit.resid_pearson)))
    return Rating(
        points,
        points - half,
        points + half,
        1 / (1 + np.exp(strengths[np.newaxis] - strengths[:, np.newaxis])),
        float(fit.pearson_chi2),
        freedom,
        _chance(float(fit.pearson_chi2), freedom),
        (int(one[worst]), int(other[worst])),
    )


def _errors(covariance: Floats, entrants: int) -> Floats:
    """Return the standard errors of points less their mean; the first's strength is fixed."""
    whole = np.zeros((entrants, entrants))
    whole[1:, 1:] = covariance
    centred = np.eye(entrants) - 1 / entrants
    return TENFOLD / log(10) * np.sqrt(np.diag(centred @ whole @ centred.T))


def _chance(chi2: float, freedom: int) -> float | None:
    from scipy.special import chdtrc

    return float(chdtrc(freedom, chi2)) if freedom else None
