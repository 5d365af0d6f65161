"""WARC and WACZ files as other programs make them."""

from __future__ import annotations

import hashlib
import json
import zipfile
from io import BytesIO
from typing import TYPE_CHECKING

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_WORDS = (
    "the council of the town met at the river and heard what the engineers had found out about the bridge",
    "traders of the market asked for a ferry until the works are done, and the mayor promised one for spring",
    "the cost is shared by the county, by the railway and by those who own the mills on the other bank",
)


def story(name: str, *, edited: str = "") -> bytes:
    """A page with an article."""
    told = [f"{line}, says report {name} in its part {number}." for number in range(3) for line in _WORDS]
    text = "".join(f"<p>{line.capitalize()}</p>" for line in [*told, *([edited] if edited else [])])
    return (
        f"<html><head><title>Report {name}</title></head><body><nav><a href='/'>Home</a></nav>"
        f"<article><h1>Report {name}</h1>{text}</article><footer>Imprint</footer></body></html>"
    ).encode()


class _Writer(WARCWriter):  # type: ignore[misc]  # warcio has no types
    """Keeps no open files behind, as warcio does."""

    def _create_temp_file(self) -> BytesIO:
        return BytesIO()


class Made:
    """Writes records one after another."""

    def __init__(self, *, gzip: bool = True, version: str = "1.1") -> None:
        self._out = BytesIO()
        self._writer = _Writer(self._out, gzip=gzip, warc_version=version)

    def info(self, software: str) -> None:
        self._writer.write_record(self._writer.create_warcinfo_record("file.warc.gz", {"software": software}))

    def page(
        self,
        url: str,
        body: bytes,
        date: str,
        *,
        status: str = "200 OK",
        protocol: str = "HTTP/1.1",
        headers: tuple[tuple[str, str], ...] = (),
        warc: dict[str, str] | None = None,
    ) -> None:
        kind = ("Content-Type", "text/html; charset=utf-8")
        http = StatusAndHeaders(status, [kind, *headers], protocol=protocol)
        record = self._writer.create_warc_record(
            url,
            "response",
            BytesIO(body),
            http_headers=http,
            warc_headers_dict={"WARC-Date": date, **(warc or {})},
        )
        self._writer.write_record(record)

    def other(self, kind: str, url: str, content: bytes, content_type: str, date: str) -> None:
        record = self._writer.create_warc_record(
            url, kind, BytesIO(content), warc_content_type=content_type, warc_headers_dict={"WARC-Date": date}
        )
        self._writer.write_record(record)

    def revisit(self, url: str, date: str, digest: str, first: str) -> None:
        http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        record = self._writer.create_revisit_record(url, digest, url, first, http, {"WARC-Date": date})
        self._writer.write_record(record)

    def save(self, path: Path) -> Path:
        path.write_bytes(self._out.getvalue())
        return path

    @property
    def data(self) -> bytes:
        return self._out.getvalue()


def heritrix(path: Path) -> Path:
    """WARC 1.0 with DNS and robots.txt, metadata of the crawl, and a revisit."""
    made = Made(version="1.0")
    made.info("Heritrix/3.4.0 http://crawler.archive.org")
    date = "2019-05-04T10:00:00Z"
    made.other("response", "dns:old.example", b"20190504\nold.example. 60 IN A 192.0.2.1\n", "text/dns", date)
    made.page("http://old.example/robots.txt", b"User-agent: *\nDisallow:\n", date)
    made.page("http://old.example/bridge", story("bridge"), date)
    made.other(
        "metadata", "http://old.example/bridge", b"hopsFromSeed: L\r\n", "application/warc-fields", date
    )
    made.revisit("http://old.example/bridge", "2019-05-05T10:00:00Z", "sha1:" + "A" * 32, date)
    return made.save(path)


def browsertrix(path: Path, *, damage: Callable[[bytes], bytes] = lambda data: data) -> Path:
    """A WACZ file: bodies decoded and headers kept, HTTP/2, frames, resource records, a list of pages."""
    made, date = Made(), "2023-01-02T03:04:05.678Z"
    made.info("Browsertrix-Crawler 1.0 (with warcio.js 2.2)")
    codings = (("Content-Encoding", "gzip"), ("Transfer-Encoding", "chunked"))
    h2 = {"WARC-Protocol": "h2", "WARC-Page-ID": "1"}
    made.page("https://new.example/ferry", story("ferry"), date, headers=codings, warc=h2, protocol="HTTP/2")
    made.page("https://ads.example/frame", story("advert"), date, warc=h2, protocol="HTTP/2")
    made.other("resource", "urn:pageinfo:https://new.example/ferry", b"{}", "application/json", date)
    made.other("resource", "urn:text:https://new.example/ferry", b"Report ferry", "text/plain", date)
    warc = damage(made.data)
    pages = [{"format": "json-pages-1.0"}, {"url": "https://new.example/ferry", "title": "Ferry", "ts": date}]
    package = {
        "profile": "data-package",
        "wacz_version": "1.1.1",
        "resources": [
            {
                "name": "d.warc.gz",
                "path": "archive/d.warc.gz",
                "hash": f"sha256:{hashlib.sha256(made.data).hexdigest()}",
            }
        ],
    }
    with zipfile.ZipFile(path, "w") as wacz:
        wacz.writestr("archive/d.warc.gz", warc)
        wacz.writestr("pages/pages.jsonl", "\n".join(json.dumps(one) for one in pages))
        wacz.writestr("datapackage.json", json.dumps(package))
    return path
