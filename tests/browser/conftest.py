"""The browser that the tests in this folder share."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def executable() -> str | None:
    """Chromium on this machine: what CIRCUIT_CHROMIUM names, else the first of the usual names on the path."""
    return os.environ.get("CIRCUIT_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)


@pytest.fixture(scope="module")  # while it is there, its event loop runs, and no other test could run one of its own
def browser() -> Iterator[Browser]:
    found = executable()
    if found is None:
        message = f"no Chromium: set CIRCUIT_CHROMIUM, or put one of {', '.join(NAMES)} on the path"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield chromium
        chromium.close()
