"""Each kind of answer finds who shows it."""

import inspect

import pytest

from estoc.sim.ask.registry import MEDIA, PICTURES, TEXTS, loaded


@pytest.mark.parametrize("place", [*MEDIA.values(), *TEXTS.values(), *PICTURES.values()])
def test_the_function_is_there_and_is_told_a_result(place):
    shows = loaded(place)
    assert shows.__module__ == f"estoc.sim.{place.partition(':')[0]}"
    first, *more = inspect.signature(shows).parameters
    assert first == "result"
    assert len(more) == (place in TEXTS.values() or place == MEDIA["text"])  # and a width


def test_what_has_a_picture_has_a_text():
    assert set(PICTURES) <= set(TEXTS)
