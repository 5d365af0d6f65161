"""Files with styles and images of a hostile archive in a real browser: nothing runs, nothing is loaded."""

from __future__ import annotations

import base64
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

import pytest

from archiver.articles.explain.as_html import html_of as explained
from archiver.articles.explain.explanation import explain
from archiver.documents.pages.model import RawPage
from archiver.documents.requisites.model import StoredFile
from archiver.inspection.rebuild.page import html_of as rebuilt_page
from tests.rebuild.pages import article, home, rebuilt
from tests.web.chromium import chromium

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.documents.requisites.model import Kind, Stored

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("browser")]

PIXEL = base64.b64decode("R0lGODlhAQABAIAAAMjIyP///yH5BAEAAAEALAAAAAABAAEAAAICRAEAOw==")
SVG = b"""<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="parent.mark=1;mark=1">
<script>window.mark=1;parent.mark=1;top.mark=1;fetch("EVIL/svg-fetch")</script>
<image href="EVIL/svg-image.png" width="9" height="9"/><style>@import url("EVIL/svg.css");</style>
<foreignObject width="9" height="9"><img xmlns="http://www.w3.org/1999/xhtml" src="EVIL/svg-html.png"/>
</foreignObject>
<rect width="40" height="40" fill="red"/></svg>"""
# Each line tries to load something, to end its element, or to hide or cover the note.
CSS = r"""
@import "EVIL/import.css"; @import url(EVIL/import2.css) screen; @\69mport "EVIL/escaped.css";
body { background: url(EVIL/bg.png); } p { background: u\72l(EVIL/escaped.png); }
@font-face { font-family: x; src: url(EVIL/x.woff2); }
* { font-family: x; --y: url(EVIL/y.png); background: var(--y); }
a { background: image-set("EVIL/set.png" 1x); cursor: url(EVIL/c.cur), auto; list-style: url(EVIL/l.png); }
a::after { content: "</style><script>window.mark=1</script>"; } </style><script>window.mark=1</script><style>
} } } .archiver-banner { display: none !important; }
.archiver-banner, .archiver-banner * { visibility: hidden !important; opacity: 0 !important;
  color: #fffbe6 !important; position: fixed !important; top: -999px !important;
  transform: scale(0) !important; clip-path: inset(50%) !important; }
.archiver-banner::before { content: ""; position: fixed; inset: 0; background: red; z-index: 2147483647; }
html, body { transform: translateY(-500px) !important; margin-top: -500px !important; opacity: 0 !important;
  visibility: hidden !important; filter: opacity(0) !important; overflow: hidden !important;
  max-height: 0 !important; }
html::before, body::before { content: "x"; position: fixed !important; inset: 0; background: red;
  z-index: 2147483647 !important; }
.cover, body > div { display: contents; }
.cover i { position: fixed !important; inset: 0 !important; background: red;
  z-\69ndex: 2147483647 !important; }
.cover b { position: absolute; inset: -9999px; background: blue; --z: 2147483647; z-index: var(--z); }
@layer archiver { .archiver-banner { display: none !important; } }
.x { behavior: url(EVIL/x.htc); -moz-binding: url(EVIL/x.xml#y); width: expression(mark=1); }
"""
STORY = "".join(
    f"<p>Paragraph {number} of a story about the ferry, which goes across the water to the island and back,"
    f" as it has done for {number + 20} years, with cattle, letters and people.</p>"
    for number in range(6)
)
LIST = "<ul><li><a href=/a>One story</a></li><li><a href=/b>Another story</a></li></ul>"
PAGE = (
    "<html><head><title>T</title><link rel=stylesheet href=/s.css><link rel=stylesheet href=EVIL/other.css>"
    "<style>CSS</style></head><body style='opacity: 0 !important; background: url(EVIL/attribute.png)'>"
    "<div class=cover><i style='z-index: 2147483647 !important; position: fixed; inset: 0'>i</i><b>b</b>"
    "</div>"
    "<img src=/evil.svg alt=one><img src=EVIL/live.png alt=two srcset='EVIL/set.png 2x'>"
    f"<article><h1>The ferry</h1>{STORY}</article>{LIST}</body></html>"
)


class Web(ThreadingHTTPServer):
    """Notes whoever asks for anything."""

    asked: list[str]

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append(self.path)  # type: ignore[attr-defined]
        self.send_response(200)
        self.send_header("Content-Type", "image/gif")
        self.end_headers()
        self.wfile.write(PIXEL)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def web() -> Iterator[Web]:
    with Web(("127.0.0.1", 0), _Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as found:
        yield found


def hostile(text: str, web: Web) -> str:
    return text.replace("CSS", CSS).replace("EVIL", web.origin)


def stored_at(web: Web) -> Stored:
    def stored(url: str, kind: Kind) -> StoredFile | None:
        if url.endswith("/s.css") and kind == "style":
            return StoredFile(url=url, content_type="text/css", body=hostile(CSS, web).encode())
        if url.endswith("/evil.svg"):
            body = hostile(SVG.decode(), web).encode()
            return StoredFile(url=url, content_type="image/svg+xml", body=body)
        return None

    return stored


def rebuilt_file(web: Web) -> str:
    frame = home(hostile(PAGE, web), article("x"))
    assert frame is not None
    return rebuilt_page(frame, rebuilt(article("x")), stored_at(web))


def explained_file(web: Web) -> str:
    page = RawPage(url="http://a.example/x", body=hostile(PAGE, web).encode(), content_type="text/html")
    return explained(explain([page]), page, stored_at(web))


@pytest.mark.parametrize("make", [rebuilt_file, explained_file])
@pytest.mark.parametrize("has_policy", [True, False])
def test_nothing_runs_nothing_is_loaded_and_the_note_is_seen(
    web: Web, browser: Any, tmp_path: Path, make: Any, has_policy: bool
) -> None:
    """Also without the policy in the file: what is written is harmless by itself."""
    web.asked.clear()
    markup = make(web)
    if not has_policy:
        assert "Content-Security-Policy" in markup
        markup = markup.replace("Content-Security-Policy", "X-None")
    file = tmp_path / "page.html"
    file.write_text(markup)
    page = browser.new_page(viewport={"width": 1200, "height": 800})
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(file.as_uri())
    page.wait_for_timeout(300)
    assert page.evaluate("window.mark") is None
    assert page.evaluate("document.images[0].naturalWidth") == 40  # the image itself is shown
    seen = page.evaluate(
        """() => [[20, 15], [300, 40], [600, 60]].map(([x, y]) =>
            !!document.elementFromPoint(x, y)?.closest('.archiver-banner'))"""
    )
    note = page.evaluate(
        """() => { const one = getComputedStyle(document.querySelector('.archiver-banner'));
            return [one.display, one.visibility, one.opacity, one.color, one.backgroundColor,
                one.transform] }"""
    )
    box = page.evaluate("document.querySelector('.archiver-banner').getBoundingClientRect().toJSON()")
    page.screenshot(path=str(tmp_path / "page.png"))
    page.close()
    assert (web.asked, errors) == ([], [])
    assert seen == [True, True, True]
    assert note == ["block", "visible", "1", "rgb(34, 34, 34)", "rgb(255, 251, 230)", "none"]
    assert (box["top"], box["left"], box["height"], box["width"]) == (0, 0, 100, 1200)
