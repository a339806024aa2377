"""A real browser for tests, with its restrictions, errors and screenshots."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
NEEDS_BROWSER = pytest.mark.skipif(
    CHROMIUM is None and os.environ.get("CI") != "true",
    reason="no Chromium here; apt-get install chromium",
)
PHONE: ViewportSize = {"width": 390, "height": 844}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
WALL: ViewportSize = {"width": 1920, "height": 1080}
SMALL: ViewportSize = {"width": 320, "height": 568}
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}

QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A name of a local network, which is no secure context, unlike localhost.
    "--host-resolver-rules=MAP cornerlight.local 127.0.0.1",
]

PATIENCE_MS = 20_000

SERIOUS = ("serious", "critical")


@contextmanager
def browser() -> Iterator[Browser]:
    """Runs Chromium, without a network beyond this machine."""
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield started
        started.close()


@dataclass
class PageVisit:
    """A page in the browser.

    Attributes:
        page: page of Playwright.
        complaints: errors of scripts and of the console.
        requested: every requested address.
    """

    page: Page
    complaints: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)

    @staticmethod
    def begin(context: BrowserContext) -> "PageVisit":
        visit = PageVisit(context.new_page())

        def complain(message: ConsoleMessage) -> None:
            # A table that is late is no fault of the page: another test may load the machine.
            if message.type == "error" and "status of 504" not in message.text:
                visit.complaints.append(message.text)

        visit.page.on("console", complain)
        visit.page.on("pageerror", lambda error: visit.complaints.append(str(error)))
        visit.page.on("request", lambda request: visit.requested.append(request.url))
        return visit

    def shoot(self, name: str) -> None:
        """Saves a screenshot in the folder CORNERLIGHT_SHOTS, if it is set."""
        if folder := os.environ.get("CORNERLIGHT_SHOTS"):
            self.page.screenshot(path=Path(folder) / f"{name}.png")

    def faults(self) -> list[str]:
        """Returns the serious accessibility faults that axe finds."""
        options = {"resultTypes": ["violations"], "runOnly": ["wcag2a", "wcag2aa", "wcag21aa"]}
        found = Axe().run(self.page, options=options).response["violations"]
        return [
            f"{one['id']}: {one['nodes'][0]['html'][:120]}"
            for one in found
            if one["impact"] in SERIOUS
        ]

    def reads(self, selector: str, text: str) -> None:
        """Waits until the selected element has the text."""
        expect(self.page.locator(selector)).to_have_text(text, timeout=PATIENCE_MS)

    def is_too_wide(self) -> bool:
        """True if the page needs horizontal scrolling."""
        wide = self.page.evaluate("document.documentElement.scrollWidth")
        return bool(wide > self.page.evaluate("innerWidth"))
