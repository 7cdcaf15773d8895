"""Tests of whole battles come last: their kernel takes longest to compile (scripts/test begins)."""

import os
import re
import sys
from pathlib import Path

import pytest
from chromium import browser as browser

from estoc.profiles.message import Message

TESTS = Path(__file__).parent
PRODUCT = tuple(str(TESTS.parent / hall) + os.sep for hall in ("sim", "profiles"))

os.environ["ESTOC_LANG"] = "en"  # whatever the locale of who runs the tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the order of the files otherwise."""
    long = re.compile("battle|matchup|test_compare|test_tune|whole/test_bench.py")
    items.sort(key=lambda item: bool(long.search(item.path.relative_to(TESTS).as_posix())))


def _swallowed(message: Message, form: str) -> str:
    """Refuse a message in an f-string of the product: its French would be lost."""
    caller = sys._getframe(1).f_code
    if caller.co_filename.startswith(PRODUCT):
        raise AssertionError(f"{caller.co_filename}: a text swallows the message {message!r}")
    return str.__format__(message, form)


Message.__format__ = _swallowed  # type: ignore[method-assign]
