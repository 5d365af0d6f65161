"""Comments of announced articles, over two days of a crawl: objects of their own, no versions of articles."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.crawl.checks import assert_index_agrees
from tests.crawl.documents import page, publish, rss, story
from tests.crawl.running import DAY, crawl, scrapy
from tests.crawl.site import Answer, Site
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("comments")
SETTINGS = {"COMMENTS": True, "RECHECK_SHARE": 0.9, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
STORY = story(1)
# Its page shows no comments, and its feed entry names a feed of them.
TOLD = story(2)
COMMENTS = "/told/comments.xml"
NAMES = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:wfw="http://wellformedweb.org/CommentAPI/"'


def comment(number: int, author: str, words: str, answers: str = "") -> str:
    moment = f'<time datetime="2026-03-0{number}T08:00:00Z">March {number}</time>'
    return (
        f'<li class="comment" id="comment-{number}"><div class="comment-body">'
        f'<div class="vcard"><cite class="fn">{author}</cite> <span class="says">says:</span></div>'
        f'<div class="comment-meta"><a href="#comment-{number}">{moment}</a></div>'
        f'<p>{words}</p></div><ul class="children">{answers}</ul></li>'
    )


def shown(*comments: str) -> Answer:
    plain = page(STORY.title, STORY.paragraphs, comments=["LISTED"])
    listed = b'<li class="comment"><p>LISTED</p></li>'
    assert listed in plain.body
    return replace(plain, body=plain.body.replace(listed, "".join(comments).encode()))


ANSWER = comment(2, "Bo", "The <em>pump</em> needs oil.")
DAYS = [
    shown(comment(1, "Ada", "A fine account of the harbour."), comment(3, "Cy", "Nothing to add.")),
    shown(comment(1, "Ada", "A fine account of the harbour. Edit: and of the ferry.", ANSWER)),
]


def comment_feed(site: Site, *numbers: int) -> bytes:
    items = "".join(
        f"<item><title>By: Dee</title><link>{site.url(TOLD.path)}#comment-{number}</link>"
        f"<dc:creator>Dee</dc:creator><pubDate>Mon, 02 Mar 2026 0{number}:00:00 +0000</pubDate>"
        f"<description>&lt;p&gt;Said &lt;b&gt;{number}&lt;/b&gt;.&lt;/p&gt;</description></item>"
        for number in numbers
    )
    return f'<rss version="2.0" {NAMES}><channel><title>Comments</title>{items}</channel></rss>'.encode()


def serve_comments(site: Site, *numbers: int) -> None:
    headers = (("Content-Type", "application/rss+xml"), ("ETag", f'"{len(numbers)}"'))
    site.add(COMMENTS, Answer(headers=headers, body=comment_feed(site, *numbers)))


class Commented(NamedTuple):
    runs: list[CrawlRun]
    asked: list[Request]  # for the feed of comments

    @property
    def folder(self) -> Path:
        return self.runs[-1].folder

    def lines(self, told: Story = STORY) -> list[dict[str, Any]]:
        files = sorted((self.folder / "objects").glob("contributions-*.jsonl"))
        lines = [json.loads(line) for path in files for line in path.read_bytes().splitlines()]
        return [one for one in lines if one["page_url"].endswith(told.path)]

    def article(self, told: Story = STORY) -> dict[str, Any]:
        (found,) = [one for one in self.runs[-1].objects if one["url"].endswith(told.path)]
        return found


@pytest.fixture(scope="module")
def commented(tmp_path_factory: pytest.TempPathFactory) -> Commented:
    archive = tmp_path_factory.mktemp("commented") / "archive"
    runs = []
    with Site() as site:
        publish(site, [STORY])
        named = f"<wfw:commentRss {NAMES}>{site.url(COMMENTS)}</wfw:commentRss>"
        feed = site.add("/feed.xml", rss([STORY.entry, replace(TOLD.entry, extra=named)]))
        site.add(TOLD.path, page(TOLD.title, TOLD.paragraphs, comments=()))
        for day, answer in enumerate(DAYS):
            site.add(STORY.path, answer)
            serve_comments(site, *range(5, 6 + day))
            runs.append(crawl(archive, [feed], clock_offset=day * DAY, **SETTINGS))
    return Commented(runs, site.to(COMMENTS))


def test_each_comment_and_each_edit_of_one_is_a_line(commented: Commented) -> None:
    assert [(one["key"], one["version"], one["author"], one["parent"]) for one in commented.lines()] == [
        ("comment-1", 1, "Ada", None),
        ("comment-3", 1, "Cy", None),
        ("comment-1", 2, "Ada", None),
        ("comment-2", 1, "Bo", "comment-1"),
    ]
    last = commented.lines()[-1]
    assert (last["text"], last["published"]) == ("The pump needs oil.", "2026-03-02T08:00:00Z")
    assert "<em>pump</em>" in last["html"]
    assert "Comments   3 new" in commented.runs[0].stdout
    assert "Comments   2 new, 1 changed, 1 no longer there" in commented.runs[1].stdout


def test_comments_make_no_version_of_their_article(commented: Commented) -> None:
    article = commented.article()
    assert article["version"] == 1
    assert {one["article"] for one in commented.lines()} == {article["id"]}
    assert not any(words in article["text"] for words in ("fine account", "pump needs oil"))


def test_the_feed_of_the_comments_is_asked_for_with_each_look(commented: Commented) -> None:
    first, second = commented.asked
    assert (first.header("If-None-Match"), second.header("If-None-Match")) == (None, '"1"')
    found = [(one["key"], one["version"], one["text"], one["read_by"]) for one in commented.lines(TOLD)]
    assert found == [("comment-5", 1, "Said 5.", "feed"), ("comment-6", 1, "Said 6.", "feed")]
    last = commented.lines(TOLD)[-1]
    assert (last["author"], last["published"]) == ("Dee", "2026-03-02T06:00:00Z")
    assert last["article"] == commented.article(TOLD)["id"]
    assert commented.article(TOLD)["version"] == 1
    channels = scrapy(commented.folder, "channels").stdout
    assert "/feed.xml" in channels
    assert COMMENTS not in channels, "it is not a channel"


def test_the_archive_is_whole_with_them(commented: Commented) -> None:
    verified = scrapy(commented.folder, "verify")
    assert verified.exit_code == 0, verified.stdout
    assert "8 objects" in verified.stdout


def test_they_are_shown_with_the_article_and_found_by_who_wrote_them(commented: Commented) -> None:
    article = commented.article()
    with browsing(commented.folder) as shown:
        read = shown.get("/article.json", url=article["url"]).json()
        told = [(one["key"], one["depth"], len(one["versions"])) for one in read["contributions"]]
        assert told == [("comment-1", 0, 2), ("comment-2", 1, 1), ("comment-3", 0, 1)]
        assert [bool(one["gone"]) for one in read["contributions"]] == [False, False, True]
        page = shown.get("/article", url=article["url"]).text
        assert 'id="contribution-comment-2"' in page
        assert "2 versions" in page
        (hit,) = shown.get("/articles.json", author="bo").json()["result"]["hits"]
        assert (hit["kind"], hit["key"], hit["title"]) == ("comment", "comment-2", STORY.title)
        listed = shown.get("/articles", q="pump oil", kind="comment").text
        assert "#contribution-comment-2" in listed
    found = scrapy(commented.folder, "search", "--author", "Bo")
    assert f"Comment by Bo on {STORY.title}" in found.stdout
    assert_index_agrees(commented.folder)


def test_a_lost_state_store_knows_them_again(commented: Commented, tmp_path: Path) -> None:
    folder = tmp_path / "archive"
    shutil.copytree(commented.folder, folder)
    for path in folder.glob("state.sqlite*"):
        path.unlink()
    recovered = scrapy(folder, "recover")
    assert "6 versions of comments and other contributions" in recovered.stdout, recovered
    assert scrapy(folder, "verify").exit_code == 0
    found = json.loads(scrapy(folder, "history", commented.article()["url"], "--json").stdout)
    assert found["contributions"] == 3
