"""What a page says of itself."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime

import pytest

from archiver.articles.metadata.fields import Metadata, main_image, metadata_of
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import ParsedPage
from archiver.documents.pages.model import Announcement, Image, RawPage


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


ARTICLE_SCOPE = "<div itemscope itemtype='https://schema.org/NewsArticle'>{}</div>"
TWO = ("Ada Lovelace", "Charles Babbage")
FOG = "Fog | World News | Island Post"
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
        (linked(**{"@type": "NewsArticle", "headline": "Ferry &amp; harbour"}), "", None, "Ferry & harbour"),
        # The page's own wording, not that for social networks.
        (
            "<meta property='og:title' content='Never such a ferry!'><title>The ferry sails | X</title>",
            "<h1>World news</h1><h1>The ferry sails</h1>",
            None,
            "The ferry sails",
        ),
        ("<title>Fog | World News | Island Post</title>", "<h1>World News</h1><h1>x</h1>", None, FOG),
        ("<title>Ferry sails | Example.org</title>", "", None, "Ferry sails"),
        ("<title>example \u2014 Ferry sails</title>", "<h1>Example</h1>", None, "Ferry sails"),
        (
            linked(**{"@type": "Article", "headline": "The ferry\u2026"})
            + "<meta property='og:title' content='The ferry sails again'>",
            "",
            None,
            "The ferry sails again",
        ),
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
        (linked(**{"@type": "WebPage", "mainEntity": {"@type": "Article", "author": "Ada"}}), "", ("Ada",)),
        (
            "<script type='application/ld+json'>{'@type': 'Article', 'author': 'Ada',}</script>".replace(
                "'", '"'
            ),
            "",
            ("Ada",),
        ),
        ("<meta name='author' content='By Ada Lovelace and Charles Babbage'>", "", TWO),
        ("<meta name='author' content='Ada Lovelace, Charles Babbage'>", "", TWO),
        ("<meta name='author' content='Ada Lovelace, Staff Writer'>", "", TWO[:1]),
        ("<meta name='author' content='Lovelace, Ada'>", "", ("Lovelace, Ada",)),
        ("<meta name='author' content='admin'>", "<a rel='author'>Ada Lovelace</a>", TWO[:1]),
        (
            "<meta name='author' content='Ada Lovelace'><meta name='author' content='Charles Babbage'>",
            "",
            TWO,
        ),
        ("", "<div id='comments'><a rel='author'>A reader</a></div>", ()),
        (
            "",
            ARTICLE_SCOPE.format("<p itemprop='author' itemscope><a itemprop='name'>Ada Lovelace</a></p>")
            + ARTICLE_SCOPE.format("<b itemprop='author'>Other One</b>"),
            TWO[:1],
        ),
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
        ("<meta name='date' content='Fri, 03 May 2024 14:00:00 +0200'>", "", NOON),
        (
            "",
            ARTICLE_SCOPE.format("<b itemprop='datePublished' content='2024-05-03T12:00:00.000Z'>3 May</b>"),
            NOON,
        ),
        ("", ARTICLE_SCOPE.format("<b itemprop='datePublished'>Fri 14:00</b>"), None),
        ("<meta name='date' content='1970-01-01T00:00:00Z'>", "", None),
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
        (
            "",
            "<abbr class='published' title='2024-05-03T12:00Z'>3 May</abbr><abbr title='HTML'>H</abbr>",
            NOON,
        ),
        (
            "",
            "<time class='dt-published' datetime='2024-05-03T12:00Z'></time><time datetime='x'></time>",
            NOON,
        ),
        ("", "<div id='comments'><abbr class='published' title='2024-05-03T12:00Z'></abbr></div>", None),
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


MAY_3 = date(2024, 5, 3)


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        # As it is written there, whatever day it was in Greenwich.
        ("<meta property='article:published_time' content='2024-05-03T23:30:00-06:00'>", "", MAY_3),
        (linked(**{"@type": "Article", "datePublished": "2024-05-03 10:00:00"}), "", MAY_3),
        (linked(**{"@type": "Article", "datePublished": "2024-05-03"}), "", MAY_3),
        ("<meta name='date' content='0001-01-01T00:00:00Z'>", "", None),
        ("", "<p class='published'>May 3, 2024</p><p>The ferry of 12 April 1912 sails.</p>", MAY_3),
        ("", "<p>The ferry sails.</p>", None),
    ],
)
def test_day_of_publication_is_stated_or_shown(head: str, body: str, expected: date | None) -> None:
    assert metadata(head, f"{body}<p>x</p>").published_day == expected


def test_a_day_in_the_address_counts() -> None:
    raw = RawPage(url="https://example.org/2024/05/03/ferry", body=b"<p>The ferry sails.</p>")
    page = parse_page(raw)
    assert isinstance(page, ParsedPage)
    assert metadata_of(page).published_day == MAY_3


@pytest.mark.parametrize(
    ("head", "body", "expected"),
    [
        ("<meta property='article:section' content='Port'><meta property='article:tag' content='A, B'>", "",
         ("Port", "A", "B")),
        (linked(**{"@type": "Article", "articleSection": ["Harbour &amp; sea"]}), "", ("Harbour & sea",)),
        (linked(**{"@type": "Article", "keywords": ["Ferry", "Fog"]}), "", ("Ferry", "Fog")),
        (linked(**{"@type": "Article", "keywords": "best ferry, cheap ferry"}), "", ()),
        ("", "<a rel='nofollow tag' href='/t'>Ferry</a>", ("Ferry",)),
        ("", "".join(f"<a rel='tag'>Tag {number}</a>" for number in range(50)), ()),
    ],
)  # fmt: skip
def test_categories_are_sections_and_tags_but_no_cloud(
    head: str, body: str, expected: tuple[str, ...]
) -> None:
    assert metadata(head, f"{body}<p>x</p>").categories == expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<meta property='og:image' content='/ship.jpg'>", "https://example.org/ship.jpg"),
        (linked(**{"@type": "Article", "image": [{"@type": "ImageObject", "url": "/ship.jpg"}]}),
         "https://example.org/ship.jpg"),
        (linked(**{"@type": "Article", "image": "/l.png", "publisher": {"logo": "/l.png"}}), None),
        ("<meta property='og:image' content='data:,'>", None),
    ],
)  # fmt: skip
def test_image_is_what_the_page_shows_elsewhere(head: str, expected: str | None) -> None:
    image = metadata(head).image
    assert (image.url if image else None) == expected


def test_main_image_has_its_words_from_the_article() -> None:
    ship = Image(url="https://example.org/ship.jpg?w=800", alt="A ship", caption="The ferry")
    fog = Image(url="https://example.org/fog.jpg")
    assert main_image(Image(url="https://example.org/ship.jpg?w=1200"), (fog, ship)) == ship
    assert main_image(None, (fog, ship)) == fog
    assert main_image(None, ()) is None


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<a href='#comments'>3 comments</a>", "https://example.org/a/b.html#comments"),
        ("<a href='/a/b.html#respond'>Reply</a>", "https://example.org/a/b.html#respond"),
        ("<a href='/other.html#comments'>3 comments</a>", None),
        ("<a href='#top'>Up</a>", None),
    ],
)
def test_comments_are_where_a_link_to_this_page_calls_them_so(body: str, expected: str | None) -> None:
    assert metadata(body=f"{body}<p>x</p>").comments == expected
    stated = linked(**{"@type": "Article", "discussionUrl": "/talk"})
    assert metadata(stated, f"{body}<p>x</p>").comments == "https://example.org/talk"


def test_a_language_that_the_script_contradicts_is_not_believed() -> None:
    page = parse_page(
        RawPage(url="https://example.org/", body="<html lang=en><p>渡轮今天晚上再次启航".encode())
    )
    assert isinstance(page, ParsedPage)
    assert metadata_of(page, "渡轮今天晚上再次启航").language == "zh"


def evidence(head: str, body: str = "", url: str = "https://example.org/a") -> set[tuple[str, str, str]]:
    """What, who and the day, of all that a page says of its times."""
    page = parse_page(RawPage(url=url, body=f"<html><head>{head}</head><body>{body}<p>x</p>".encode()))
    assert isinstance(page, ParsedPage)
    return {(one.what, one.source, str(one.day)) for one in metadata_of(page).dated}


def test_each_date_is_kept_with_its_source() -> None:
    head = (
        "<meta property='article:published_time' content='2024-05-01T14:00:00Z'>"
        "<meta property='article:modified_time' content='2024-05-02T14:00:00Z'>"
        "<meta name='date' content='2024-05-03'>"
        + linked(**{"@type": "Article", "datePublished": "2024-05-04", "dateModified": "2024-05-05"})
    )
    body = (
        ARTICLE_SCOPE.format("<b itemprop='datePublished' content='2024-05-06'></b>")
        + "<time datetime='2024-05-07'>8 May 2024</time>"
        + "<div id='comments'><time datetime='2024-06-01'>1 June 2024</time></div>"
    )
    assert evidence(head, body, "https://example.org/2024/05/09/ferry") == {
        ("published", "meta", "2024-05-01"),
        ("modified", "meta", "2024-05-02"),
        ("published", "vague_meta", "2024-05-03"),
        ("published", "json_ld", "2024-05-04"),
        ("modified", "json_ld", "2024-05-05"),
        ("published", "microdata", "2024-05-06"),
        ("published", "time", "2024-05-07"),
        ("published", "text", "2024-05-08"),
        ("published", "address", "2024-05-09"),
    }


def test_a_day_that_only_readers_see_is_of_the_text_and_one_of_the_address_counts_once() -> None:
    shown = "<p class='published'>May 3, 2024</p>"
    assert evidence("", shown) == {("published", "text", "2024-05-03")}
    assert evidence("", "", "https://example.org/2024/05/03/ferry") == {
        ("published", "address", "2024-05-03")
    }


def test_a_time_element_that_nobody_closed_is_no_date() -> None:
    words = "<p>The ferry sails.</p>" * 1000
    assert evidence("", f"<time>{words}" * 50) == set()
