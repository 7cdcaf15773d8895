"""A real headless Chromium for pages: what it says, draws and asks for."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser")
DESK, PHONE = (1280, 900), (390, 844)
OWN = ("file:", "data:", "blob:", "about:")


@dataclass
class Seen:
    """What a browser noticed of a page: errors of its console, requests to anywhere else."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def check(self) -> None:
        """Refuse errors and requests."""
        assert self.errors == []
        assert self.requests == []


def _path() -> str:
    """Return where Chromium is; without it a test is skipped, but in CI it fails."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        why = "Debian's chromium is not installed"
        if os.environ.get("CI"):
            pytest.fail(f"{why}: .ci/run should have installed it")
        pytest.skip(why)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Give a browser for all tests of a process."""
    path = _path()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def opened(
    browser: Any, file: Path, size: tuple[int, int] = DESK, scheme: str = "light"
) -> Iterator[Seen]:
    """Open a file as a page; at the end nothing may have gone wrong, nor asked a network."""
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]}, color_scheme=scheme
    )
    page = context.new_page()
    seen = Seen(page)
    page.on("console", lambda m: m.type == "error" and seen.errors.append(m.text))
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("request", lambda r: r.url.startswith(OWN) or seen.requests.append(r.url))
    page.goto(file.resolve().as_uri())
    yield seen
    context.close()
    seen.check()


def body_scrolls(page: Any) -> bool:
    """Whether the page as a whole is wider than its window."""
    return bool(
        page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
    )


def contrast(page: Any, selector: str) -> float:
    """Return the contrast of a text with what is behind it (WCAG), 21 at most."""
    colours = page.eval_on_selector(
        selector,
        """element => {
            let behind = element;
            const clear = c => c === 'transparent' || c === 'rgba(0, 0, 0, 0)';
            while (behind && clear(getComputedStyle(behind).backgroundColor))
                behind = behind.parentElement;
            return [getComputedStyle(element).color,
                    behind ? getComputedStyle(behind).backgroundColor : 'rgb(255, 255, 255)'];
        }""",
    )
    dark, light = sorted(map(_luminance, colours))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [float(p) / 255 for p in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
