"""Threads change nothing of an answer: neither its order nor its faults."""

import os
import time
from threading import Barrier, Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from estoc.sim.base.parallel import default_threads, in_order


def test_default_threads_are_the_cores_of_the_process():
    assert 1 <= default_threads() <= (os.cpu_count() or 1)


@given(st.lists(st.integers(0, 3), max_size=30), st.integers(1, 8))
@settings(max_examples=30, deadline=None)
def test_results_come_in_the_order_of_the_tasks(delays, threads):
    def task(number, delay):
        return lambda: (time.sleep(delay / 5000), number)[1]

    tasks = [task(n, delay) for n, delay in enumerate(delays)]
    assert list(in_order(tasks, threads)) == list(range(len(delays)))


def test_tasks_run_at_the_same_time():
    together = Barrier(3, timeout=20)
    assert sorted(in_order([together.wait] * 3, 3)) == [0, 1, 2]


def test_tasks_are_made_as_they_are_needed():
    made = []

    def tasks():
        for number in range(1000):
            made.append(number)
            yield lambda number=number: number

    results = in_order(tasks(), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    results.close()
    assert len(made) <= 3 + 2 * 2


def test_a_fault_of_a_task_reaches_the_caller_and_stops_the_rest():
    begun = []

    def fails():
        raise ZeroDivisionError

    def tasks():
        yield fails
        for number in range(100):
            yield lambda number=number: begun.append(number)

    with pytest.raises(ZeroDivisionError):
        list(in_order(tasks(), 1))
    assert len(begun) <= 2


def test_a_caller_who_stops_waits_for_what_has_begun_only():
    go, begun = Event(), []

    def task():
        begun.append(1)
        go.wait(20)

    results = in_order([lambda: 1, *[task] * 50], 2)
    next(results)
    go.set()
    results.close()
    count = len(begun)
    assert count < 50
    time.sleep(0.05)
    assert len(begun) == count
