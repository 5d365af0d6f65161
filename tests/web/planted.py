"""An archive that no crawl made: exchanges as a test has them, written and indexed as a run does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.archive.cdxj.update import write_index
from archiver.clock import machine_now
from archiver.fields.model import FieldReading, FieldsRead
from archiver.store.database import Database
from archiver.store.field_values.fields import PageFields, tally_fields
from archiver.store.schema import field_pages, field_watches
from tests.warc.samples import KnownPayloads, exchange, warcs, writer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FIRST = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
DAY = timedelta(days=1)
HTML = "text/html; charset=utf-8"
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8cfc000000301"
    "0100c9fe92ef0000000049454e44ae426082"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """One exchange."""

    url: str
    body: bytes | str = b""
    kind: str | None = HTML
    at: datetime = FIRST
    status: str = "200 OK"
    headers: tuple[tuple[str, str], ...] = ()

    @property
    def received(self) -> bytes:
        kind = (("Content-Type", self.kind),) if self.kind else ()
        lines = [f"HTTP/1.1 {self.status}", *(f"{name}: {value}" for name, value in (*kind, *self.headers))]
        body = self.body.encode() if isinstance(self.body, str) else self.body
        return "\r\n".join([*lines, "", ""]).encode() + body


def plant(archive: Path, exchanges: Iterable[Planted]) -> Path:
    """Make the archive; a payload that came before makes a revisit."""
    for name in ("warc", "index", "objects"):
        (archive / name).mkdir(parents=True)
    file = writer(archive / "warc", KnownPayloads())
    for one in exchanges:
        sent = f"GET {one.url} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        file.write([exchange(one.received, url=one.url, started=one.at, sent=sent)])
    file.close()
    for path in warcs(archive / "warc"):
        write_index(path, archive / "index")
    Database(f"sqlite:///{archive / 'state.sqlite'}").close()
    return archive


SITE = "http://site.example"
STYLE = """@import "more.css"; @import url(//outside.example/no.css);
body { background: u\\72l("bg.png") } i { background: url(http://outside.example/dot.png) }
@font-face { font-family: f; src: url(font.woff2) format("woff2") } b::after { content: "url(x)</style>" }"""
PAGE = """<!DOCTYPE html><html><head><meta charset="iso-8859-1"><title>Caf\xe9</title>
<base href="/"><meta http-equiv="refresh" content="0;url=http://outside.example/refresh">
<meta http-equiv="Content-Security-Policy" content="script-src *">
<link rel="stylesheet" href="style.css" integrity="sha256-x" onload="mark()">
<link rel="stylesheet" href="look.css?v=2">
<link rel="stylesheet" href="http://outside.example/gone.css">
<link rel="preload" as="image" href="bg.png">
<link rel="dns-prefetch" href="//outside.example"><script src="app.js"></script><script>mark()</script>
<style>p { background: url(bg.png) } q { background: url("http://outside.example/q.png") }</style></head>
<body onload="mark()" background="http://outside.example/body.png">
<h1>Caf\xe9</h1><p style="background: url('bg.png')">Text</p>
<a id="in" href="other#part" ping="http://outside.example/ping" target="_top">in</a>
<a id="out" href="http://outside.example/page">out</a><a id="js" href="javascript:mark()">js</a>
<a id="here" href="#part">here</a>
<img id="own" src="bg.png" srcset="http://outside.example/2.png 2x" onerror="mark()">
<img id="late" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" data-src="bg.png">
<picture><source srcset="http://outside.example/3.webp"><img id="pic" src="http://outside.example/3.png"></picture>
<iframe src="other" srcdoc="<script>mark()</script>"></iframe><iframe src="http://outside.example/f"></iframe>
<object data="http://outside.example/o"></object><embed src="http://outside.example/e">
<form action="http://outside.example/form"><button formaction="javascript:mark()">send</button></form>
<svg><script>mark()</script><a xlink:href="javascript:mark()"><text>x</text></a>
<use href="#own"></use><image href="bg.png"/><animate attributeName="href" values="javascript:mark()"/></svg>
<video src="http://outside.example/v" poster="bg.png" autoplay></video>
<noscript><p id="without">Without scripts</p></noscript><xmp><script>mark()</script></xmp>
<input type="image" src="bg.png" autofocus onfocus="mark()"></body></html>"""


def gazette() -> list[Planted]:
    """A site with a page full of mischief, and all kinds of captures."""
    page = PAGE.encode("latin-1")
    return [
        Planted(url=f"{SITE}/page", body=page, kind="text/html"),
        Planted(url=f"{SITE}/page", body=page + b"<p>Second", kind="text/html", at=FIRST + DAY),
        Planted(url=f"{SITE}/page", body="<h1>failed", status="500 Failed", at=FIRST + DAY * 1.9),
        Planted(url=f"{SITE}/page", body=page, kind="text/html", at=FIRST + 3 * DAY),
        Planted(url=f"{SITE}/other", body="<title>Other</title><p>Other"),
        Planted(url=f"{SITE}/style.css", body=STYLE, kind="text/css"),
        Planted(url=f"{SITE}/more.css", body="h1 { color: rgb(1, 2, 3) }", kind="text/css"),
        Planted(url=f"{SITE}/look.css?v=1", body="h1 { margin: 0 }", kind="text/css"),
        Planted(url=f"{SITE}/bg.png", body=PNG, kind="image/png"),
        Planted(url=f"{SITE}/font.woff2", body=b"wOF2", kind="font/woff2"),
        Planted(url=f"{SITE}/app.js", body="mark()", kind="application/javascript"),
        Planted(
            url=f"{SITE}/evil.svg", body="<svg xmlns='x'><script>mark()</script></svg>", kind="image/svg+xml"
        ),
        Planted(url=f"{SITE}/paper.pdf", body=b"%PDF-1.4 x", kind="application/pdf"),
        Planted(url=f"{SITE}/feed", body="<rss><channel><title>T</title></channel></rss>", kind="text/xml"),
        Planted(url=f"{SITE}/old", status="301 Moved", headers=(("Location", "/page?a=1"),)),
        Planted(url=f"{SITE}/page?a=1", body="<p>With a query"),
        Planted(url=f"{SITE}/never", body="<h1>no", status="404 Not Found"),
        Planted(
            url="http://secure.example/",
            status="301 Moved",
            headers=(("Location", "https://secure.example/"),),
        ),
        Planted(url="https://secure.example/", body="<p>Secure", at=FIRST + timedelta(seconds=1)),
    ]


def plant_failure(archive: Path) -> None:
    """Have a field of a shop be missing on pages that the wrapper read later."""
    database = Database(f"sqlite:///{archive / 'state.sqlite'}")
    watch = database.run(lambda connection: connection.execute(select(field_watches)).first())
    rows = database.run(lambda connection: connection.execute(select(field_pages)).all())
    assert watch is not None
    missing = FieldsRead(wrapper=f"bookshop/{watch.digest}", readings={"price": FieldReading()})
    later = [
        PageFields(page_id=row.page_id, url=row.url, capture=row.capture, read=missing) for row in rows[:8]
    ]
    database.run(tally_fields, later, machine_now())
    database.close()
