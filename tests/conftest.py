"""Tests of whole battles come last: their kernel takes longest to compile (scripts/test begins)."""

import os
import re
from pathlib import Path

import pytest
from chromium import browser as browser

TESTS = Path(__file__).parent

os.environ["ESTOC_LANG"] = "en"  # whatever the locale of who runs the tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the order of the files otherwise."""
    long = re.compile("battle|matchup|test_compare|test_tune|whole/test_bench.py")
    items.sort(key=lambda item: bool(long.search(item.path.relative_to(TESTS).as_posix())))
