"""Kernels that only tests call: one trial of a test with its dice, paths as points, gaps."""

import math

import numpy as np

from estoc.kernels._jit import kernel, part
from estoc.kernels.core.rng import U64
from estoc.kernels.layout.combat import Moment
from estoc.kernels.layout.log import LOG_COLUMNS, MAX_EVENTS
from estoc.kernels.layout.rolls import Way
from estoc.kernels.layout.table import Leg
from estoc.kernels.rolls.attempts import renew_luck
from estoc.kernels.rolls.disengage import disengages
from estoc.kernels.rolls.fear import passes_courage
from estoc.kernels.rolls.shooting import shoots, shot_wound
from estoc.kernels.table.geometry import point_separation
from estoc.kernels.table.paths import turned


@kernel
def draw_path(routes, step, points):
    """Write a path as points, for drawing.

    Parameters
    ----------
    routes : ndarray of ROUTE, shape (1,)
        With a path found.
    step : float
        Greatest angle between two points of an arc, radians.
    points : ndarray of float64, shape (p, 2)

    Returns
    -------
    int
        Points of the path; only the first p of them are written.
    """
    route, count = routes[0], 0
    for k in range(route.leg_count):
        leg = route.legs[k]
        if k == 0:
            count = put(points, count, leg[Leg.X0], leg[Leg.Y0])
        count = put(points, count, leg[Leg.X1], leg[Leg.Y1])
        pieces = math.ceil(leg[Leg.TURN] / step) if leg[Leg.RADIUS] != 0 else 0
        side = 1.0 if leg[Leg.RADIUS] > 0 else -1.0
        for piece in range(1, pieces + 1):
            px, py, _, _ = turned(leg, side * leg[Leg.TURN] * piece / pieces)
            count = put(points, count, px, py)
    return count


@part
def put(points, count, x, y):
    """Write one point if there is room; how many there are then."""
    if count < len(points):
        points[count, 0], points[count, 1] = x, y
    return count + 1


@kernel
def gap_to_point(tables, i, x, y):
    """Separation of a base and a point, in cm: below 0 if it is inside; see `gap_between`."""
    return point_separation(tables[0], i, x, y)


@kernel
def shot_trial(records, aim, difficulty, difference, still, nth, turn, trial):
    """Play one trial of one shot (W-6).

    Parameters are those of `count_shots`.

    Returns
    -------
    told : ndarray of int64, shape (6,)
        Natural and final result of the test, whether it hit, the outcome, both wound dice;
        -1 the last three after a miss, and the outcome of one whose target is saved.
    log : ndarray of int64, shape (rows, LOG_COLUMNS)
        The dice, as rows of ``layout.log.Event.DIE``; and of ``FEAT``, what abilities do.
    """
    record = records[0]
    record.trials[0] = U64(trial)
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    moment = Moment(0, turn, log)
    renew_luck(record, 0)
    told = np.full(6, -1)
    told[0], told[1], told[2] = shoots(record, moment, 0, 1, nth, aim, difficulty)
    if told[2]:
        told[3], told[4], told[5] = shot_wound(record, moment, 0, 1, nth, difference, still)
    return told, log[1 : 1 + log[0, 0]]


@kernel
def courage_trial(records, courage, difficulty, nth, turn, trial):
    """Play one trial of one test of Courage (W-4.1).

    Parameters are those of `count_fear`.

    Returns
    -------
    told : ndarray of int64, shape (3,)
        Natural and final result, whether it succeeded.
    log : ndarray of int64, shape (dice, LOG_COLUMNS)
        The dice, as rows of ``layout.log.Event.DIE``; and of ``FEAT``, if luck was used.
    """
    record = records[0]
    record.trials[0] = U64(trial)
    renew_luck(record, 0)
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    told = np.zeros(3, np.int64)
    moment = Moment(0, turn, log)
    told[0], told[1], told[2] = passes_courage(record, moment, 0, nth, courage, difficulty)
    return told, log[1 : 1 + log[0, 0]]


@kernel
def disengage_trial(records, goal, fighter, turn, trial, way=Way.AGILITY.value):
    """Play one trial of one way (M-7).

    Parameters are those of `count_disengagements`; ``goal`` is the way's.

    Returns
    -------
    success : bool
    log : ndarray of int64, shape (dice, LOG_COLUMNS)
        The dice, as rows of ``layout.log.Event.DIE``.
    """
    record = records[0]
    record.trials[0] = U64(trial)
    log = np.zeros((1 + MAX_EVENTS, LOG_COLUMNS), np.int64)
    renew_luck(record, 0)
    success = disengages(record, Moment(0, turn, log), fighter, goal, way)
    return success, log[1 : 1 + log[0, 0]]
