"""Sound, video and players that stand in an article, and the terms that it is about."""

from __future__ import annotations

from typing import Any

import pytest

from archiver.articles.metadata.terms import terms_of_article
from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article
from archiver.documents.feeds.model import Enclosure, FeedEntry
from archiver.documents.media import Media, kind_of, media_of_entry
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.media import media_in
from archiver.documents.pages.model import Announcement, RawPage

URL = "https://example.org/2024/ferry"
WORDS = [
    "The ferry to the island leaves the harbour soon after eight in the evening.",
    "Those who miss it walk home along the sea wall, which takes about an hour.",
    "The council has promised a later ferry for years, and says it will come next winter.",
    "Until then the harbour master keeps a lamp in his window for everyone who waits.",
]
SIDEBAR = "<aside><h3>Seen by many other readers</h3>{}<p>Ten cats that look like ministers</p></aside>"


def article(*inside: str, beside: str = "", head: str = "") -> Article:
    """The article of a page with these elements between its paragraphs."""
    body = "".join(
        f"<p>{words}</p>{element}" for words, element in zip(WORDS, (*inside, *[""] * 4), strict=False)
    )
    page = (
        f"<html lang=en><head><title>The last ferry</title></head><body>{head}"
        f"<main><h1>The last ferry</h1><div class=body>{body}</div></main>{SIDEBAR.format(beside)}"
    )
    said = Announcement(title="The last ferry", summary=WORDS[0])
    (found,) = extract([RawPage(url=URL, body=page.encode(), announcement=said)])
    assert isinstance(found, Article)
    return found


def told(found: Article) -> list[tuple[str, str, str | None, str]]:
    return [(one.kind, one.url, one.type, one.source) for one in found.media]


def test_files_and_players_in_the_article_are_its_media() -> None:
    found = article(
        "<figure><video title='On deck'><source src='blob:x'><source src='/v.mp4' type='video/mp4; codecs=x'>"
        "<source src='/v.webm'></video><figcaption>A film of the old ferry on its way</figcaption></figure>",
        "<div><iframe src='//www.youtube-nocookie.com/embed/abc?rel=0' title='Sea wall'></iframe></div>",
        "<iframe data-src='https://w.soundcloud.com/player/?url=x'></iframe><audio src='talk.mp3'></audio>",
    )
    assert told(found) == [
        ("video", "https://example.org/v.mp4", "video/mp4", "page"),
        ("video", "https://www.youtube-nocookie.com/embed/abc?rel=0", "text/html", "player"),
        ("audio", "https://w.soundcloud.com/player/?url=x", "text/html", "player"),
        ("audio", "https://example.org/2024/talk.mp3", None, "page"),
    ]
    assert [one.title for one in found.media] == ["On deck", "Sea wall", None, None]


@pytest.mark.parametrize(
    "element",
    [
        "<iframe src='https://ads.example/frame.html'></iframe>",
        "<iframe src='https://www.youtube.com/subscribe_embed?c=1'></iframe>",
        "<video></video>",
        "<video src='blob:https://example.org/1'></video>",
        "<lite-youtube></lite-youtube>",
    ],
)
def test_what_plays_nothing_that_is_known_is_left_out(element: str) -> None:
    assert article(element).media == ()


def test_players_beside_the_article_are_not_its_media() -> None:
    player = "<iframe src='https://www.youtube.com/embed/{}'></iframe>"
    beside = f"<div>{player.format('side')}</div>"
    head = f"<header><p>Our channel has all that is new today</p>{player.format('head')}</header>"
    assert told(article(beside=beside, head=head)) == []
    (own,) = article(player.format("own"), beside=beside).media
    assert own.url.endswith("/own")


@pytest.mark.parametrize(
    ("markup", "is_its"),
    [
        # Between other words at the end of what holds the article.
        ("<p>{0}</p><p>{1}</p><p>Write to our newsletter</p>{player}<p>More of this paper here</p>", False),
        # After a teaser that repeats a sentence of it, among many others.
        ("<div><p>{0}</p>{player}<p>{other}</p><p>{other}</p></div><p>{1}</p>", False),
        ("<p>{0}</p>{player}<p>More of this newspaper here</p>", True),
    ],
)
def test_what_is_around_it_and_beside_it_must_be_the_articles(markup: str, *, is_its: bool) -> None:
    player = "<iframe src='https://www.youtube.com/embed/a'></iframe>"
    other = "Ten other stories that readers liked as much as this one, and a few that they did not like."
    tree = parse_markup(f"<main>{markup.format(*WORDS, player=player, other=other)}</main>")
    assert tree is not None
    assert bool(media_in(tree, URL, "\n\n".join(WORDS))) is is_its


def test_a_caption_that_is_not_of_the_text_does_not_hide_its_film() -> None:
    caption = "<p class=caption>Watch the ferry arrive, by Ann Lee.</p>"
    found = article(
        f"<div><div><iframe src='https://player.vimeo.com/video/7'></iframe></div>{caption}</div>"
    )
    assert [one.url for one in found.media] == ["https://player.vimeo.com/video/7"]


def test_a_player_above_the_first_paragraph_is_of_the_article_once() -> None:
    player = "<amp-youtube data-videoid='abc'></amp-youtube>"
    found = article(player, player.replace("amp-youtube data-", "lite-youtube ").replace("amp-", "lite-"))
    assert told(found) == [("video", "https://www.youtube.com/embed/abc", "text/html", "player")]


@pytest.mark.parametrize(
    ("url", "stated", "kind"),
    [
        ("http://e/a.mp3", {}, "audio"),
        ("http://e/a.mp3?x=1.jpg", {"mime": "video/mp4"}, "video"),
        ("http://e/a", {"mime": "video/mp4", "medium": "image"}, "image"),
        ("http://e/a.PDF", {"mime": "application/pdf"}, "document"),
        ("https://www.youtube.com/v/abc?version=3", {"mime": "application/x-shockwave-flash"}, "video"),
        ("https://tube.example/videos/embed/1-2", {}, "video"),
        ("http://e/a.torrent", {"medium": "executable"}, "other"),
        ("http://[e/a.mp3", {}, "other"),
    ],
)
def test_the_kind_is_what_is_stated_else_what_the_address_shows(
    url: str, stated: dict[str, Any], kind: str
) -> None:
    assert kind_of(url, **stated) == kind


def test_enclosures_are_media_of_the_feed() -> None:
    entry = FeedEntry(
        enclosures=(Enclosure(url="http://e/1.m4a", type="audio/x-m4a", length=24, title="One"),)
    )
    assert media_of_entry(entry) == (
        Media(kind="audio", url="http://e/1.m4a", type="audio/x-m4a", length=24, title="One", source="feed"),
    )


def test_terms_are_the_most_frequent_stems_of_what_the_feed_says() -> None:
    said = Announcement(
        title="Ferries", summary="<p>The ferry, the island and the ferries of the islands</p>"
    )
    assert terms_of_article(said, "Not asked", "nor this") == ("ferri", "island")
    # Whatever else the channel has: a line that is made again is the same line.
    others = Announcement(title=said.title, summary=said.summary, other_summaries=("ferry", "island") * 9)
    assert terms_of_article(others, None, "") == ("ferri", "island")
    many = Announcement(title=" ".join(f"wort{n}" for n in range(30)))
    assert len(terms_of_article(many, None, "")) == 10


def test_terms_of_a_page_that_nothing_announced_are_its_own() -> None:
    assert terms_of_article(Announcement(), "Der Hafen", "Der Hafen und die Fähren im Hafen") == (
        "haf",
        "fahr",
    )
