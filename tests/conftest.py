"""Tests of whole battles come last: their kernel takes longest to compile (scripts/test begins)."""

import os

import pytest
from chromium import browser as browser

os.environ["ESTOC_LANG"] = "en"  # whatever the locale of who runs the tests


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the order of the files otherwise."""
    items.sort(key=lambda item: "battle" in item.path.name or item.path.name == "test_bench.py")
