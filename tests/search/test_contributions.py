"""Comments are searched with articles: by their words and their authors, with the article they are on."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from archiver.articles.contributions.model import ContributionPage
from archiver.search.listing import lines_of
from archiver.store.content.contributions import write_contributions
from archiver.store.object_files import lines_settled
from archiver.urls import same_page_key
from tests.history.made import HOUR, START
from tests.search.made import SearchedArchive, searched
from tests.store.samples import capture
from tests.store.test_contributions import comment

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.documents.contributions import Contribution

URL = "http://example.org/ferry"


def contribute(archive: SearchedArchive, *found: Contribution, at: datetime = START) -> None:
    page = ContributionPage(key=same_page_key(URL), url=URL, capture=capture(9, url=URL, date=at))

    def work(connection: Connection) -> None:
        with lines_settled(connection, archive.objects):
            write_contributions(connection, archive.objects, page, found, at, is_whole=True)

    archive.database.run(work)


@pytest.fixture
def commented(store_url: str, tmp_path: Path) -> Iterator[SearchedArchive]:
    own = None if store_url.startswith("sqlite") else store_url
    with searched(tmp_path / "archive", own) as archive:
        channel = archive.channel("http://example.org/feed")
        archive.add("ferry", "The ferry was late.", channel=channel, title="Harbour news")
        archive.add("other", "A bridge.", title="Bridges")
        contribute(
            archive,
            comment(text="The ferry is never late, said the captain.", url=f"{URL}#comment-1"),
            comment("comment-2", "I walk.", author="Bo Quill"),
        )
        archive.feed()
        yield archive


def test_comments_are_found_with_articles(commented: SearchedArchive) -> None:
    hits = commented.search("ferry").hits
    assert {(hit.kind, hit.url) for hit in hits} == {("article", URL), ("comment", URL)}
    (hit,) = commented.search("captain").hits
    assert (hit.title, hit.key, hit.own_url) == ("Harbour news", "comment-1", f"{URL}#comment-1")
    (article,) = commented.search("ferry", kind="article").hits
    assert (hit.article, article.contribution) == (article.article, "")
    assert hit.channel == article.channel
    assert [piece.text for piece in hit.snippet if piece.marked] == ["captain"]


def test_comments_are_found_by_who_wrote_them(commented: SearchedArchive) -> None:
    (hit,) = commented.search(author="quill").hits
    assert (hit.kind, hit.authors, hit.key) == ("comment", ("Bo Quill",), "comment-2")
    assert [one.kind for one in commented.search("walk", kind="comment").hits] == ["comment"]
    assert commented.search("ferry", kind="post").hits == ()
    assert len(commented.search("ferry", channel=("http://example.org/feed",)).hits) == 2


def test_lists_of_articles_are_without_comments_unless_these_are_asked_for(
    commented: SearchedArchive,
) -> None:
    assert {hit.kind for hit in commented.search().hits} == {"article"}
    assert commented.search().total == 2
    assert [hit.key for hit in commented.search(kind="comment").hits] == ["comment-2", "comment-1"]


def test_edited_comments_are_found_as_they_are(commented: SearchedArchive) -> None:
    contribute(commented, comment(text="The ferry is late at times."), at=START + HOUR)
    commented.feed()
    assert commented.search("captain").hits == ()
    (before,) = commented.search("captain", all_versions=True).hits
    assert (before.version, before.newest) == (1, False)
    (now,) = commented.search("times", change="edited").hits
    assert (now.version, now.gone) == (2, False)
    (gone,) = commented.search("walk").hits
    assert gone.gone, "the page does not show it any more"


def test_comments_on_withheld_pages_are_not_found(commented: SearchedArchive) -> None:
    assert commented.search("captain", hidden=lambda url: url == URL).hits == ()


def test_a_hit_says_what_it_is_and_where(commented: SearchedArchive) -> None:
    (hit,) = commented.search("captain").hits
    first, second, third = lines_of(hit, lambda text, _: text, with_snippet=True)
    assert first.endswith("Comment by Ada on Harbour news")
    assert f"{URL}#comment-1" in second
    assert "captain" in third


def test_a_comment_whose_line_is_lost_is_not_shown(commented: SearchedArchive) -> None:
    (path,) = (commented.folder / "objects").glob("contributions-*.jsonl")
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"x" * (len(lines[0]) - 1) + b"\n" + lines[1])
    assert commented.search("captain").hits == ()
    assert json.loads(lines[1])["key"] == "comment-2"
    assert len(commented.search("walk").hits) == 1


def test_all_of_it_is_taken_in_again(commented: SearchedArchive) -> None:
    feeder = commented.feed()
    assert (feeder.fed, feeder.unreadable) == (0, 0)
    result: Any = commented.search("ferry")
    assert result.behind == 0
