"""What a page says of itself."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from archiver.extract.metadata import Metadata, metadata_of
from archiver.extract.methods import parse_page
from archiver.extract.model import Announcement, ParsedPage, RawPage


def metadata(
    head: str = "", body: str = "<p>x</p>", announced: str | None = None, html: str = ""
) -> Metadata:
    markup = f"<!doctype html><html {html}><head>{head}</head><body>{body}</body></html>"
    announcement = Announcement(title=announced, language="fr")
    raw = RawPage(url="https://example.org/a/b.html", body=markup.encode(), announcement=announcement)
    parsed = parse_page(raw)
    assert isinstance(parsed, ParsedPage)
    return metadata_of(parsed)


def linked(**fields: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(fields)}</script>"


SITE = "<meta property='og:site_name' content='Island Post'>"


@pytest.mark.parametrize(
    ("head", "body", "announced", "expected"),
    [
        (
            "<meta property='og:title' content='Ferry &amp; harbour'><title>Z</title>",
            "",
            None,
            "Ferry & harbour",
        ),
        ("<title>Ferry | Island Post</title>", "<h1> The  ferry </h1>", None, "The ferry"),
        ("<title>Ferry | Island Post</title>", "<h1>Logo</h1><h1>Ferry</h1>", None, "Ferry | Island Post"),
        (f"{SITE}<title>Ferry | Island Post</title>", "", None, "Ferry"),
        (f"{SITE}<title>Island Post \u2013 Ferry - again</title>", "", None, "Ferry - again"),
        ("<title>Ferry: news - Island Post</title>", "", "Ferry: News", "Ferry: news"),
        ("<title>Ferry - Island Post</title>", "", "Rain", "Ferry - Island Post"),
        (linked(**{"@type": "NewsArticle", "headline": "Ferry"}), "", None, "Ferry"),
        ("", "", "Ferry &amp; <b>harbour</b>", "Ferry & harbour"),
        ("", "", None, None),
    ],
)
def test_title_is_the_headline_without_the_site(
    head: str, body: str, announced: str | None, expected: str
) -> None:
    assert metadata(head, f"{body}<p>x</p>", announced).title == expected


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<meta name='author' content='By Ada  Lovelace'>", "", ("Ada Lovelace",)),
        ("<meta property='article:author' content='https://example.org/ada'>", "", ()),
        (
            "",
            "<a rel='author' href='/ada'>Ada Lovelace</a><a rel='author'>Ada Lovelace</a>",
            ("Ada Lovelace",),
        ),
        (linked(**{"@type": "Article", "author": {"name": "Ada"}}), "", ("Ada",)),
        (
            linked(**{"@type": ["BlogPosting"], "author": [{"name": "Ada"}, "Charles", 3]}),
            "",
            ("Ada", "Charles"),
        ),
        (linked(**{"@graph": [{"@type": "WebSite"}, {"@type": "Article", "author": "Ada"}]}), "", ("Ada",)),
        (linked(**{"@type": "Article", "author": "A\ud800da\x00"}), "", ("Ada",)),
        ("<script type='application/ld+json'>{broken</script>", "", ()),
        (f"<script type='application/ld+json'>{'[' * 100_000}</script>", "", ()),
    ],
)
def test_authors_are_names(head: str, body: str, expected: tuple[str, ...]) -> None:
    assert metadata(head, f"{body}<p>x</p>").authors == expected


@pytest.mark.parametrize(
    ("html", "head", "expected"),
    [
        ("lang='en-GB'", "", "en-GB"),
        ("lang=''", "<meta property='og:locale' content='pt_BR'>", "pt-BR"),
        ("lang='not a language'", "<meta http-equiv='Content-Language' content='de'>", "de"),
        ("", "", "fr"),
    ],
)
def test_language_is_what_the_page_states_else_what_the_feed_does(
    html: str, head: str, expected: str
) -> None:
    assert metadata(head, html=html).language == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<link rel='canonical' href='/a/b'>", "https://example.org/a/b"),
        (
            "<link rel='canonical' href='javascript:x'><meta property='og:url' content='https://e.org/'>",
            "https://e.org/",
        ),
        ("<link rel='alternate' href='/a'>", None),
    ],
)
def test_canonical_address_is_absolute(head: str, expected: str | None) -> None:
    assert metadata(head).canonical_url == expected


NOON = datetime(2024, 5, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<meta property='article:published_time' content='2024-05-03T14:00:00+02:00'>", "", NOON),
        ("<meta property='article:published_time' content='2024-05-03T14:00:00'>", "", None),
        ("<meta property='article:published_time' content='yesterday'>", "", None),
        (linked(**{"@type": "Article", "datePublished": "2024-05-03T12:00:00Z"}), "", NOON),
        (linked(**{"@type": "Article", "datePublished": ["2024"]}), "", None),
        (
            "",
            "<time itemprop='datePublished' datetime='2024-05-03T12:00Z'></time><time datetime='x'></time>",
            NOON,
        ),
        ("", "<time datetime='2024-05-03T12:00Z'>3 May</time>", NOON),
        ("", "<time datetime='2024-05-03T12:00Z'></time><time datetime='2024-05-04T12:00Z'></time>", None),
        ("", "<div id='comments'><time datetime='2024-05-03T12:00Z'></time></div>", None),
        ("<meta name='date' content='0001-01-01T00:00:00Z'>", "", None),
        ("<meta name='date' content='9999-12-31T23:59:59-23:00'>", "", None),
    ],
)
def test_date_of_publication_is_certain_and_in_utc(head: str, body: str, expected: datetime | None) -> None:
    assert metadata(head, f"{body}<p>x</p>").published == expected


def test_date_of_change_is_read_beside_that_of_publication() -> None:
    head = "<meta property='article:modified_time' content='2024-05-03T12:00:00Z'>"
    assert metadata(head).modified == NOON
    assert metadata(head).published is None
