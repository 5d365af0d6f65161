"""What pages need to be shown: fetched with them, once, and no more than asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import page, publish, rss, story
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site

TELLING = story(1)
HEAD = '<link rel="stylesheet" href="/main.css"><script src="/app.js"></script>'
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8


def dressed(site: Site, *, head: str = HEAD) -> str:
    """A site whose one story needs styles, a font, pictures and a script."""
    feed = publish(site, [TELLING])
    answer = page(TELLING.title, TELLING.paragraphs, head=head)
    picture = b'<div class="body">\n<img src="/boat.png" alt="A boat" width="400" height="300">'
    logo = b'<header><img src="/logo.png" width="90" height="30">'
    body = answer.body.replace(b'<div class="body">', picture).replace(b"<header>", logo)
    site.add(TELLING.path, html(body.decode()))
    css = (("Content-Type", "text/css"),)
    site.add("/main.css", Answer(headers=css, body=b'@import "more.css"; body{background:url(bg.png)}'))
    face = b'@font-face{font-family:x;src:url("x.woff2") format("woff2")}'
    site.add("/more.css", Answer(headers=css, body=face))
    for path in ("/boat.png", "/logo.png", "/bg.png"):
        site.add(path, Answer(headers=(("Content-Type", "image/png"),), body=PICTURE + path.encode()))
    site.add("/x.woff2", Answer(headers=(("Content-Type", "font/woff2"),), body=PICTURE))
    site.add("/app.js", Answer(headers=(("Content-Type", "text/javascript"),), body=b"1"))
    return feed


NEEDS = {"/main.css", "/more.css", "/boat.png", "/logo.png", "/bg.png", "/x.woff2", "/app.js"}


LOOK = {"/main.css", "/more.css", "/boat.png"}


# None: the default of the profile.
@pytest.mark.parametrize(
    ("scope", "wanted"), [("none", set()), ("article", {"/boat.png"}), (None, LOOK), ("page", NEEDS)]
)
def test_as_much_as_asked_for_is_kept(site: Site, archive: Path, scope: str | None, wanted: set[str]) -> None:
    run = crawl(archive, seeds=[dressed(site)], REQUISITES=scope)
    assert run.exit_code == 0, run
    assert set(site.paths) & NEEDS == wanted
    assert run.report["requisites_fetched"] == len(wanted)
    for path in wanted:
        assert run.responses(site.url(path)), path


def test_what_is_beyond_the_share_waits_and_is_told(site: Site, archive: Path) -> None:
    styles = "".join(f'<link rel="stylesheet" href="/{number}.css">' for number in range(60))
    feed = dressed(site, head=styles)
    for number in range(60):
        site.add(f"/{number}.css", Answer(headers=(("Content-Type", "text/css"),), body=b"p{}"))
    run = crawl(archive, seeds=[feed], REQUISITES="look")
    fetched = [path for path in site.paths if path.endswith((".css", ".png"))]
    # No more than 50 and a third of what the page and its feed took; many styles keep out no image.
    assert (len(fetched), "/boat.png" in fetched) == (50, True)
    assert (run.report["requisites_fetched"], run.report["requisites_waiting"]) == (50, 11)
    assert "50 fetched, 11 waiting (REQUISITES_SHARE)" in run.stdout
    # Nothing is lost, and nothing is fetched twice: another day goes on with them.
    later = crawl(archive, seeds=[feed], REQUISITES="look", clock_offset=DAY)
    assert (later.report["requisites_fetched"], later.report["requisites_waiting"]) == (11, 0)
    assert len(site.to("/0.css")) == len(site.to("/59.css")) == len(site.to("/boat.png")) == 1


@pytest.mark.zoo
def test_what_is_known_is_not_fetched_again_until_it_is_old(site: Site, archive: Path) -> None:
    feed = dressed(site)
    crawl(archive, seeds=[feed], REQUISITES="page")
    site.forget()
    second = story(2)
    site.add(second.path, page(second.title, second.paragraphs, head=HEAD))
    site.add("/feed.xml", rss([second.entry, TELLING.entry]))
    crawl(archive, seeds=[feed], REQUISITES="page", clock_offset=DAY)
    assert not set(site.paths) & NEEDS
    third = story(3)
    site.add(third.path, page(third.title, third.paragraphs, head=HEAD))
    site.add("/feed.xml", rss([third.entry, second.entry]))
    crawl(archive, seeds=[feed], REQUISITES="page", clock_offset=60 * DAY)
    assert {"/main.css", "/app.js"} <= set(site.paths)


def test_a_page_may_only_ask_for_so_much(site: Site, archive: Path) -> None:
    head = "".join(f'<link rel="stylesheet" href="/{number}.css">' for number in range(50))
    run = crawl(archive, seeds=[dressed(site, head=head)], REQUISITES="page", MAX_REQUISITES_PER_PAGE=5)
    assert len([path for path in site.paths if path.endswith(".css")]) == 5
    assert run.exit_code == 0


def test_a_style_that_imports_itself_in_circles_ends(site: Site, archive: Path) -> None:
    feed = dressed(site)
    css = (("Content-Type", "text/css"),)
    for number in range(10):
        site.add(f"/{number}.css", Answer(headers=css, body=f'@import "{number + 1}.css";'.encode()))
    site.add("/main.css", Answer(headers=css, body=b'@import "0.css"; @import "main.css";'))
    run = crawl(archive, seeds=[feed], REQUISITES="page")
    assert run.exit_code == 0
    assert len(site.to("/main.css")) == 1
    assert not site.to("/5.css")


def test_missing_requisites_are_no_error(site: Site, archive: Path) -> None:
    feed = dressed(site)
    site.remove("/bg.png")
    site.remove("/app.js")
    run = crawl(archive, seeds=[feed], REQUISITES="page")
    assert run.exit_code == 0
    assert run.report["requisite_failures"] == {"not_found": 2}
    assert "Requisites" in run.stdout


def test_an_unknown_scope_is_wrong_usage(site: Site, archive: Path) -> None:
    run = crawl(archive, seeds=[dressed(site)], REQUISITES="everything")
    assert run.exit_code == 2
    assert "none, article, look, page" in run.stderr
    assert site.paths == []


@pytest.mark.zoo
def test_the_channels_own_page_is_kept_whenever_its_feed_has_something_new(site: Site, archive: Path) -> None:
    feed = publish(site, [TELLING])
    head = '<link rel="stylesheet" href="/front.css">'
    site.add("/", page("The Harbour Gazette", ["One story today."], head=head))
    site.add("/front.css", Answer(headers=(("Content-Type", "text/css"),), body=b"p{top:0}"))
    crawl(archive, seeds=[feed], CHANNEL_PAGES=True, REQUISITES="look")
    assert len(site.to("/front.css")) == 1
    crawl(archive, seeds=[feed], CHANNEL_PAGES=True, clock_offset=DAY)
    assert len(site.to("/")) == 1
    second = story(2)
    site.add(second.path, second.page)
    site.add("/feed.xml", rss([second.entry, TELLING.entry]))
    run = crawl(archive, seeds=[feed], CHANNEL_PAGES=True, clock_offset=2 * DAY)
    assert len(site.to("/")) == 2
    assert len(run.objects) == 2
