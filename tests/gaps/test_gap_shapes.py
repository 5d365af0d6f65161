"""What looks like a channel's articles, learned from their addresses alone."""

from __future__ import annotations

import pytest

from archiver.documents.lists.addresses import listing_pages, own_links, same_site, usual_sitemaps, with_page
from archiver.documents.lists.shapes import learn, matches

HOST = "http://example.org"


@pytest.mark.parametrize(
    ("known", "same", "others"),
    [
        pytest.param(
            ["/2026/03/a-first-post/", "/2026/02/and-a-second/"],
            [
                "/2025/12/another-one/",
                "/2026/03/a-first-post",
                "/2026/03/x-y/?utm_source=rss",
                "/2024/01/42/",
            ][:3],
            ["/2026/03/", "/category/a-first-post/", "/2026/03/a-first-post/feed/", "/about/", "/"],
            id="dated paths",
        ),
        pytest.param(
            ["/stories/1.html", "/stories/22.html"],
            ["/stories/333.html"],
            ["/stories/1.php", "/stories/", "/stories/1", "/pictures/1.html", "/stories/1.html.gz"],
            id="numbers",
        ),
        pytest.param(
            ["/politics/vote-is-close", "/sport/final-is-lost", "/culture/opera-is-full"],
            ["/science/moon-is-far"],
            ["/politics", "/politics/2026/vote-is-close", "/science/moon-is-far.jpg", "/tag/far-moons"],
            id="any section",
        ),
        pytest.param(
            ["/news/vote-is-close", "/news/final-is-lost"],
            ["/news/moon-is-far"],
            ["/sport/moon-is-far", "/news/"],
            id="one section",
        ),
        pytest.param(
            ["/?p=12", "/?p=13"], ["/?p=999"], ["/?paged=2", "/?cat=3", "/", "/?p=1&q=2"], id="parameters"
        ),
        pytest.param(
            ["/posts/hello", "/posts/goodbye", "/posts/morning", "/posts/a-long-night"],
            ["/posts/evening", "/posts/a-b"],
            ["/tags/evening", "/posts"],
            id="names of one word",
        ),
        pytest.param(["/a/on-go-1.18/", "/a/on-go/"], ["/a/on-go-1.19/"], ["/a/on-go.html"], id="versions"),
        pytest.param(["/a/%E4%BD%A0%E5%A5%BD"], ["/a/%E5%86%8D%E8%A7%81"], ["/b/x"], id="other scripts"),
    ],
)
def test_what_looks_the_same(known: list[str], same: list[str], others: list[str]) -> None:
    shapes = learn(HOST + path for path in known)
    assert [path for path in same if not matches(HOST + path, shapes)] == []
    assert [path for path in others if matches(HOST + path, shapes)] == []


def test_a_section_that_is_called_like_a_list_is_one_where_articles_were_seen_there() -> None:
    known = [f"{HOST}/{section}/some-words" for section in ("people", "sport", "culture")]
    assert matches(f"{HOST}/people/other-words", learn(known))
    assert not matches(f"{HOST}/author/other-words", learn(known))


def test_other_hosts_do_not_look_the_same() -> None:
    shapes = learn([f"{HOST}/stories/1.html"])
    assert matches("https://www.example.org/stories/2.html", shapes)
    assert not matches("http://example.com/stories/2.html", shapes)
    assert not matches("http://evil.example.org.test/stories/2.html", shapes)


@pytest.mark.parametrize(
    "link", ["", "mailto:a@b", "http://", "http://[", "javascript:x", "http://a b/c", "//"]
)
def test_what_is_no_address_looks_like_nothing(link: str) -> None:
    assert learn([link]) == ()
    assert not matches(link, learn([f"{HOST}/stories/1.html"]))


def test_one_site() -> None:
    assert same_site("http://www.example.org/a", ["http://example.org"])
    assert same_site("http://blog.example.org/a", ["http://example.org"])
    assert same_site("http://example.org/a", ["http://blog.example.org"])
    assert not same_site("http://badexample.org", ["http://example.org"])
    assert not same_site("http://example.org.test", ["http://example.org"])
    assert not same_site("http://org", ["http://example.org"])
    assert not same_site("mailto:x", ["http://example.org"])
    assert not same_site("http://example.com", ["http://example.org"])


def test_pages_of_a_feed() -> None:
    assert with_page(f"{HOST}/feed/", "paged", 2) == f"{HOST}/feed/?paged=2"
    assert with_page(f"{HOST}/?feed=rss2&paged=2&x=", "paged", 3) == f"{HOST}/?feed=rss2&x=&paged=3"


def test_where_a_site_lists_what_it_published() -> None:
    links = [f"{HOST}/news/2026/03/a", f"{HOST}/news/2026/02/b", "http://example.com/x/y"]
    assert listing_pages("http://example.org/blog", links) == ["http://example.org/blog", f"{HOST}/news/"]
    assert listing_pages(None, [f"{HOST}/a", f"{HOST}/b"]) == [f"{HOST}/"]
    assert listing_pages("javascript:x", []) == []


def test_links_to_other_sites_are_not_a_channels_own() -> None:
    links = ["http://a.test/1", "http://www.example.org/2", "http://example.com/3"]
    assert own_links(links, "http://feeds.test/x", "http://example.org") == ["http://www.example.org/2"]
    assert own_links(links, "http://planet.test/x", None) == []


def test_usual_sitemaps_are_at_the_top() -> None:
    assert f"{HOST}/sitemap.xml" in usual_sitemaps(f"{HOST}/robots.txt")
