"""What an entry adds to an object; one of a comment says nothing of who wrote the page, or when."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from archiver.archive.warc.records import Capture
from archiver.articles.leads import Announcer, Lead
from archiver.articles.model import Article
from archiver.articles.objects.model import ArchivedObject, Version, make_object
from archiver.articles.versions.model import Change, Fingerprint
from archiver.documents.feeds.model import Enclosure, FeedDate, FeedEntry
from archiver.documents.media import Media

NOW = datetime(2026, 11, 14, 12, tzinfo=UTC)
WROTE = datetime(2026, 11, 13, 9, tzinfo=UTC)


def lead(link: str) -> Lead:
    written = FeedDate(text=WROTE.isoformat(), utc=WROTE)
    entry = FeedEntry(
        id=link, link=link, title="Comment on Ferry by Bo", content="<p>So late!</p>", authors=("Bo Reader",),
        published=written, updated=written, comments_count=3, comments_feed="http://u:pass@news.test/feed",
        enclosures=(Enclosure(url="http://news.test/talk.mp3?token=1", type="audio/mpeg", length=9),),
    )  # fmt: skip
    announcer = Announcer(id=1, entry=entry, channel_id=1, channel_title="Comments", channel_language="en")
    via = "http://news.test/comments/feed"
    return Lead(source="channels", via=via, scope=1, first_seen=NOW, announcer=announcer)


PLAYER = Media(kind="video", url="https://player.vimeo.com/video/1", type="text/html", source="player")
SAME_FILE = Media(kind="audio", url="https://news.test/talk.mp3?token=1&utm_source=page", source="page")


def written(link: str) -> tuple[tuple[str, ...], datetime | None, datetime | None]:
    made = made_of(link)
    return made.authors, made.published, made.updated


def made_of(link: str) -> ArchivedObject:
    article = Article(
        method="article", confidence=0.9, text="The ferry.", html="<p>The ferry.</p>", authors=("Ann Lee",),
        media=(SAME_FILE, PLAYER), terms=("ferri",),
    )  # fmt: skip
    capture = Capture(url=link, file="a.warc.gz", offset=0, record_id="<1>", date=NOW, digest="sha1:x")
    version = Version(
        number=1,
        change=Change(kinds=("new",)),
        fingerprint=Fingerprint(title="", text="", whole=""),
        first_seen=NOW,
        capture=capture,
        extractor="article/2",
    )
    return make_object("key", link, article, lead(link), version)


@pytest.mark.parametrize(
    "part",
    ["comment-3", "comment3", "c4711", "comment:3", "note-3", "issuecomment-99", "comment_3", "IDComment12"],
)
def test_author_and_time_of_a_comment_are_not_the_pages(part: str) -> None:
    link = f"http://news.test/ferry#{part}"
    assert written(link) == (("Ann Lee",), None, None)
    said = lead(link).announcement()
    assert (said.title, said.summary, said.content) == (None, None, None)


@pytest.mark.parametrize("end", ["", "#ferry", "#comments", "#c", "#chapter3", "#notes", "?c=3"])
def test_author_and_time_of_an_entry_are_the_pages(end: str) -> None:
    link = f"http://news.test/ferry{end}"
    assert written(link) == (("Bo Reader",), WROTE, WROTE)
    assert lead(link).announcement().content == "<p>So late!</p>"


def test_an_object_has_the_media_of_its_entry_and_of_its_page_each_once() -> None:
    made = made_of("http://news.test/ferry")
    assert [(one.kind, one.source, one.type, one.length) for one in made.media] == [
        ("audio", "feed", "audio/mpeg", 9), ("video", "player", "text/html", None),
    ]  # fmt: skip
    assert (made.comments_count, made.terms) == (3, ("ferri",))
    assert made.comments_feed is not None
    assert "pass" not in made.comments_feed


def test_what_comes_with_a_comment_is_not_the_pages() -> None:
    made = made_of("http://news.test/ferry#comment-3")
    assert [one.source for one in made.media] == ["page", "player"]
    assert (made.comments_count, made.comments_feed) == (None, None)
