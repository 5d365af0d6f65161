"""A real browser, and what went wrong in it: console messages, errors of scripts, requests elsewhere."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
DESKTOP, PHONE = {"width": 1100, "height": 900}, {"width": 390, "height": 844}
_LOOPBACK = {"127.0.0.1", "localhost"}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium; skipped where it is missing, but not in CI."""
    path = shutil.which("chromium")
    if path is None or not AXE.exists():
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium or axe-core is missing: make tests/web/node_modules/.ready")
        pytest.skip("Chromium or axe-core is missing: make tests/web/node_modules/.ready")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - other tests need none of it

    with sync_playwright() as playwright:
        # Chromium refuses its sandbox to root.
        browser = playwright.chromium.launch(executable_path=path, chromium_sandbox=os.geteuid() != 0)
        try:
            yield browser
        finally:
            browser.close()


@dataclass  # not with slots: Playwright notes its listeners in the object
class Watched:
    """A page of the browser with all that it complained of, and all that left this machine."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.on("console", self._on_console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._on_request(request.url))

    def forget(self) -> None:
        for noted in (self.complaints, self.elsewhere, self.asked):
            noted.clear()

    def _on_console(self, message: Any) -> None:
        if message.type in {"error", "warning"}:
            self.complaints.append(f"{message.type}: {message.text} ({message.location.get('url')})")

    def _on_request(self, url: str) -> None:
        self.asked.append(url)
        parts = urlsplit(url)
        if parts.scheme in {"http", "https", "ws", "wss"} and parts.hostname not in _LOOPBACK:
            self.elsewhere.append(url)


@contextmanager
def watched(browser: Browser, **options: Any) -> Iterator[Watched]:
    context = browser.new_context(**({"viewport": DESKTOP} | options))
    try:
        yield Watched(context.new_page())
    finally:
        context.close()


def violations(page: Page) -> list[str]:
    """What axe-core finds that is serious or worse, with the elements."""
    # Through the protocol of the browser, since the page itself allows no script but its own.
    page.evaluate(AXE.read_text())
    found = page.evaluate("axe.run(document, {resultTypes: ['violations'], iframes: false})")
    return [
        f"{one['id']}: {one['help']}: {[node['html'] for node in one['nodes']][:3]}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
    ]


def is_too_wide(page: Page) -> bool:
    """Whether the page itself has to be moved sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"))
