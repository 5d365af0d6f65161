"""Archived pages in their frame: from an origin of their own, without scripts, with what the archive kept."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from tests.web.browsing import Shown, browsing
from tests.web.planted import PNG, SITE

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Answer

pytestmark = pytest.mark.xdist_group("web")

STAMP = "20260302070509"


def frame_of(shown: Shown, url: str, **asked: object) -> str:
    """The address of the frame in which the application shows a page."""
    page = shown.get("/replay", url=url, **asked)
    assert page.status == 200, page.text
    found = re.search(r'<iframe [^>]*src="([^"]+)" sandbox="([^"]*)"', page.text)
    assert found is not None
    assert found[2] == "allow-same-origin"
    return unescape(found[1])


@pytest.fixture(scope="module")
def frames(planted: Shown) -> Shown:
    """The origin of frames, with the name that is in all of its paths."""
    parts = urlsplit(frame_of(planted, f"{SITE}/page"))
    return Shown(f"{parts.scheme}://{parts.netloc}/{parts.path.split('/')[1]}")


def plain(frames: Shown, path: str, stamp: str = STAMP) -> Answer:
    return frames.get(f"/plain/{stamp}/{SITE}{path}")


def test_frames_have_an_origin_of_their_own(planted: Shown, frames: Shown) -> None:
    assert urlsplit(frames.base).netloc != urlsplit(planted.base).netloc
    policy = planted.get("/captures").headers["content-security-policy"]
    assert f"frame-src http://{urlsplit(frames.base).netloc};" in policy


@pytest.mark.parametrize("path", ["/page", "/evil.svg", "/app.js", "/feed", "/paper.pdf", "/never-seen"])
def test_nothing_runs_and_nothing_is_sent_whatever_is_shown(frames: Shown, planted: Shown, path: str) -> None:
    headers = plain(frames, path).headers
    policy = headers["content-security-policy"]
    if path != "/never-seen":
        assert policy.startswith("sandbox allow-same-origin; default-src 'none'; ")
        assert policy.endswith(f"frame-ancestors {planted.base}")
        assert headers["referrer-policy"] == "no-referrer"
    assert "script" not in policy.replace("script-src 'self'", "")
    assert headers["x-content-type-options"] == "nosniff"


def test_a_page_is_in_its_own_letters(frames: Shown) -> None:
    answer = plain(frames, "/page")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "<h1>Café</h1>" in answer.text
    assert "mark()" not in re.sub(r"<pre>.*</pre>", "", answer.text)
    assert answer.headers["memento-datetime"] == "Mon, 02 Mar 2026 07:05:09 GMT"


def test_styles_and_images_come_from_the_same_origin(frames: Shown) -> None:
    page = plain(frames, "/page").text
    name = urlsplit(frames.base).path
    style = f"/kept/{STAMP}/{SITE}/style.css"
    assert f'href="{name}{style}"' in page
    answer = frames.get(style)
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    assert f'@import url("{name}/kept/{STAMP}/{SITE}/more.css");' in answer.text
    assert f'background: url("{name}/kept/{STAMP}/{SITE}/bg.png")' in answer.text
    assert "outside" not in answer.text
    image = frames.get(f"/kept/{STAMP}/{SITE}/bg.png")
    assert (image.body, image.headers["content-type"]) == (PNG, "image/png")


def test_a_style_is_shown_as_it_was_with_another_query(frames: Shown) -> None:
    style = f"/kept/{STAMP}/{SITE}/look.css?v=2"
    assert f'href="{urlsplit(frames.base).path}{style}"' in plain(frames, "/page").text
    assert frames.get(style).text == "h1 { margin: 0 }"


@pytest.mark.parametrize("path", ["/app.js", "/page", "/paper.pdf", "/never"])
def test_nothing_else_is_served_for_a_page(frames: Shown, path: str) -> None:
    assert frames.get(f"/kept/{STAMP}/{SITE}{path}").status == 404


@pytest.mark.parametrize(
    ("path", "kind", "disposition"),
    [
        ("/app.js", "text/plain; charset=utf-8", None),
        ("/feed", "text/plain; charset=utf-8", None),
        ("/bg.png", "image/png", None),
        ("/paper.pdf", "application/octet-stream", 'attachment; filename="paper.pdf"'),
    ],
)
def test_what_is_not_a_page_is_shown_as_what_it_is_or_saved(
    frames: Shown, path: str, kind: str, disposition: str | None
) -> None:
    headers = plain(frames, path).headers
    assert (headers["content-type"], headers["content-disposition"]) == (kind, disposition)


def test_redirects_are_followed_at_the_same_time(frames: Shown) -> None:
    answer = plain(frames, "/old")
    assert "With a query" in answer.text


def test_a_redirect_to_itself_shows_what_it_leads_to(frames: Shown) -> None:
    for scheme in ("http", "https"):
        answer = frames.get(f"/plain/{STAMP}/{scheme}://secure.example/")
        assert "Secure" in answer.text


def test_no_one_finds_frames_without_their_name(frames: Shown) -> None:
    bare = Shown(frames.base.rpartition("/")[0])
    for path in (f"/plain/{STAMP}/{SITE}/page", "/captures", f"/guess/plain/{STAMP}/{SITE}/page", "/"):
        assert bare.get(path).status == 404


def test_frames_heed_the_name_that_they_are_asked_by(frames: Shown) -> None:
    assert frames.get(f"/plain/{STAMP}/{SITE}/page", headers={"Host": "evil.example"}).status == 421


@pytest.mark.parametrize("rest", ["x/http://a/", f"{STAMP}/ftp://a/", f"{STAMP}/", "", f"{STAMP}/http://[/"])
def test_what_is_asked_wrongly_is_told(frames: Shown, rest: str) -> None:
    assert frames.get(f"/plain/{rest}").status == 400


def test_a_file_is_not_put_into_a_frame(planted: Shown) -> None:
    page = planted.get("/replay", url=f"{SITE}/paper.pdf").text
    assert "<iframe" not in page
    assert f'href="/memento/{STAMP}/{SITE}/paper.pdf"' in page


def test_the_times_before_and_after_are_named(planted: Shown) -> None:
    told = planted.get("/replay.json", url=f"{SITE}/page", at="2026-03-03").json()
    times = [told[name]["time"][:10] for name in ("earlier", "capture", "later")]
    assert times == ["2026-03-02", "2026-03-03", "2026-03-05"]  # not the failure of the 4th
    page = planted.get("/replay", url=f"{SITE}/page", at="2026-03-03").text
    assert 'rel="prev"' in page
    assert 'rel="next"' in page
    assert "REPLAY_PYWB" in page


def test_frames_ask_for_no_password_and_tell_it_to_no_one(planted_archive: Path) -> None:
    with browsing(planted_archive, "-s", "BROWSE_PASSWORD=sesame", "-s", "REPLAY_PYWB=") as shown:
        assert shown.get("/replay", url=f"{SITE}/page").status == 401
        known = {"Authorization": "Basic cmVhZGVyOnNlc2FtZQ=="}
        page = shown.get("/replay", headers=known, url=f"{SITE}/page")
        address = re.search(r'<iframe [^>]*src="([^"]+)"', page.text)
        assert address is not None
        split = urlsplit(unescape(address[1]))
        assert Shown(f"http://{split.netloc}").get(split.path).status == 200
