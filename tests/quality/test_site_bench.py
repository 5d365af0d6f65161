"""bench/sites.py on a small site: our crawl and the peers, each against what the site holds."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.zoo
ROOT = Path(__file__).resolve().parents[2]
POSTS = {
    number: [
        f"Word{number}{line} " + " ".join(f"w{number}x{line}x{word}" for word in range(30)) + "."
        for line in range(5)
    ]
    for number in range(6)
}
HEAD = '<meta name="generator" content="Pelican">'


def page_of(path: str) -> str | None:
    if path == "/":
        links = "".join(f'<li><a href="/{number}.html">Post {number}</a></li>' for number in POSTS)
        more = '<a rel="nofollow" href="/tag.html">tag</a><a href="/tag.html?again">tag again</a>'
        return f'<ol id="posts-list">{links}</ol>{more}'
    if path == "/archives.html":
        entries = "".join(f'<dd><a href="/{number}.html">Post {number}</a></dd>' for number in POSTS)
        return f'<section id="content"><dl>{entries}</dl></section>'
    if path.startswith("/tag.html"):
        return "<p>A list that shows nothing new.</p>"
    number = path.removeprefix("/").removesuffix(".html")
    if not number.isdigit() or int(number) not in POSTS:
        return None
    text = "".join(f"<p>{line}</p>" for line in POSTS[int(number)])
    told = '<abbr class="published" title="2026-05-01T09:00:00+00:00">May</abbr>'
    author = '<address class="author"><a class="fn" href="/">Cy Dee</a></address>'
    return f"""<section id="content"><article><h1 class="entry-title">Post {number}</h1>
    <div class="entry-content"><footer class="post-info">{told}{author}</footer>{text}</div></article>
    </section>
    <a href="http://maker.example/">made by</a>"""


class Site(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        inside = page_of(self.path)
        html = f"<html><head>{HEAD}<title>Blog</title></head><body>{inside or 'gone'}</body></html>".encode()
        self.send_response(200 if inside else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(html)))
        self.end_headers()
        self.wfile.write(html)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("sites")
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    date = "2026-05-01T09:00:00Z"
    items = [
        {
            "url": f"{url}{number}.html",
            "title": f"Post {number}",
            "text": "\n\n".join(lines),
            "author": "Cy Dee",
            "date": date,
            "comments": [],
        }
        for number, lines in POSTS.items()
    ]
    truth, written = folder / "truth.json", folder / "rows.json"
    truth.write_text(json.dumps({"home": url, "items": items}))
    options = ["--peers", "--cache", str(folder / "peers"), "--json", str(written), "--seconds", "120"]
    command = [sys.executable, "bench/sites.py", "--app", f"blog={url},{truth}", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    server.shutdown()
    server.server_close()
    assert done.returncode == 0, done.stderr + done.stdout
    return {row["strategy"]: row for row in json.loads(written.read_text())}


def test_our_crawl_asks_for_the_archives_and_has_all(rows: dict[str, dict[str, Any]]) -> None:
    row = rows["auto"]
    assert row["requests"] == len(POSTS) + 2
    assert (row["text"], row["items"], row["authors"], row["times"]) == (1.0, 1.0, 1.0, 1.0)


def test_a_spider_that_obeys_nofollow_goes_through_all_other_links(rows: dict[str, dict[str, Any]]) -> None:
    # The first page twice: Scrapy does not know it again when a page leads there.
    assert rows["breadth-first"]["requests"] == len(POSTS) + 3
    assert rows["breadth-first"]["items"] == 1.0


def test_a_site_without_a_sitemap_gives_nothing_to_a_spider_of_sitemaps(
    rows: dict[str, dict[str, Any]],
) -> None:
    row = rows["sitemap-spider"]
    assert (row["requests"], row["items"], row["text"]) == (1, 0.0, 0.0)


@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
def test_wget_follows_every_link(rows: dict[str, dict[str, Any]]) -> None:
    assert rows["wget"]["requests"] == len(POSTS) + 3
    assert rows["wget"]["text"] == 1.0
    assert rows["wget"]["links_raw"] == 1.0
