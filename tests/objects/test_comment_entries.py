"""Entries that point at a comment say nothing of who wrote the page, or when."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from archiver.archive.warc.records import Capture
from archiver.articles.leads import Announcer, Lead
from archiver.articles.model import Article
from archiver.articles.objects.model import Version, make_object
from archiver.articles.versions.model import Change, Fingerprint
from archiver.documents.feeds.model import FeedDate, FeedEntry

NOW = datetime(2026, 11, 14, 12, tzinfo=UTC)
WROTE = datetime(2026, 11, 13, 9, tzinfo=UTC)


def lead(link: str) -> Lead:
    written = FeedDate(text=WROTE.isoformat(), utc=WROTE)
    entry = FeedEntry(
        id=link, link=link, title="Comment on Ferry by Bo", content="<p>So late!</p>", authors=("Bo Reader",),
        published=written, updated=written,
    )  # fmt: skip
    announcer = Announcer(id=1, entry=entry, channel_id=1, channel_title="Comments", channel_language="en")
    via = "http://news.test/comments/feed"
    return Lead(source="channels", via=via, scope=1, first_seen=NOW, announcer=announcer)


def written(link: str) -> tuple[tuple[str, ...], datetime | None, datetime | None]:
    article = Article(
        method="article", confidence=0.9, text="The ferry.", html="<p>The ferry.</p>", authors=("Ann Lee",)
    )
    capture = Capture(url=link, file="a.warc.gz", offset=0, record_id="<1>", date=NOW, digest="sha1:x")
    version = Version(
        number=1,
        change=Change(kinds=("new",)),
        fingerprint=Fingerprint(title="", text="", whole=""),
        first_seen=NOW,
        capture=capture,
        extractor="article/2",
    )
    made = make_object("key", link, article, lead(link), version)
    return made.authors, made.published, made.updated


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
