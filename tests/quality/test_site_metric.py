"""The measure of whole sites: what stands on the pages of a crawl, held against what an application holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from bench.whole_sites.applications import Application
from bench.whole_sites.documents import blocks_of, external_links, parse
from bench.whole_sites.exchanges import Exchange
from bench.whole_sites.metric import Measure, ideal_requests, share_of_links, truth_links
from bench.whole_sites.truth import Comment, Item, Truth, TruthError, grams_of, page_key, read_truth

if TYPE_CHECKING:
    from pathlib import Path

HOST = "http://blog.example"
FERRY = Item(
    url=f"{HOST}/ferry/",
    title="The ferry",
    text="It left at noon.\n\nNobody was late today.",
    comments=(
        Comment(author="Ada", text="I was late that day."),
        Comment(author="Bo", text="So was everyone else."),
    ),
)
BRIDGE = Item(url=f"{HOST}/bridge/", title="A bridge", text="Over the river.")
TRUTH = Truth(home=f"{HOST}/", items=(FERRY, BRIDGE))
FRAME = '<footer><a href="https://maker.example/">made by</a></footer>'
FERRY_PAGE = f"""<html><head><title>The ferry</title></head><body><h1>The ferry</h1>
<div class="body"><p>It left at <b>noon</b>.</p>
<p>Nobody was <a href="http://other.example/late">late</a> today.</p></div>
<ol><li><a href="http://ada.example/">Ada</a><p>I was late that day.</p></li>
<li><a href="http://bo.example/">Bo</a><p>So was everyone else.</p></li></ol>{FRAME}</body></html>"""
BRIDGE_PAGE = f"<html><body><h1>A bridge</h1><p>Over the river.</p>{FRAME}</body></html>"


def page(path: str, html: str, status: int = 200, content_type: str = "text/html; charset=utf-8") -> Exchange:
    return Exchange(url=HOST + path, status=status, content_type=content_type, body=html.encode())


def texts(html: str) -> list[str]:
    root = parse(html.encode())
    assert root is not None
    return [text for _, text in blocks_of(root)]


def test_a_pair_of_words_does_not_cross_a_block() -> None:
    assert grams_of(["to be", "or not"]) == {("to", "be"), ("or", "not")}
    assert texts("<p>to be</p><p>or <i>n</i>ot</p>tail") == ["to be", "or not", "tail"]


def test_the_ideal_is_items_their_further_pages_and_the_lists_that_lead_there() -> None:
    app = Application(port=0, lists=r"^/(page/\d+)?$", more=r"/comment-page-\d+$")
    paths = ["/", "/page/2/", "/page/2/?s=x", "/ferry/", "/ferry/comment-page-1/", "/tag/noon/", "/page/2/"]
    crawls = [*(page(path, BRIDGE_PAGE) for path in paths), page("/page/3/", "", status=404)]
    assert ideal_requests(Measure(TRUTH), app, crawls) == 2 + 1 + 2


def test_what_is_not_seen_is_not_read() -> None:
    unseen = "<script>a()</script><style>b</style><div hidden>gone</div>"
    html = f"<head><title>x</title></head><p>seen<br>still</p>{unseen}"
    assert texts(html) == ["seen still"]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("http://a.example/x/", "https://b.example/x"),
        ("/x#part", "/x/"),
        ("/doku.php?id=a%3Ab", "/doku.php?id=a:b"),
        ("http://a.example", "/"),
    ],
)
def test_ways_to_write_an_address_are_one_page(one: str, other: str) -> None:
    assert page_key(one) == page_key(other)


def test_queries_tell_pages_apart() -> None:
    assert page_key("/x?page=2") != page_key("/x")


def test_a_crawl_of_everything_has_everything() -> None:
    reach = Measure(TRUTH).reach(
        [page("/robots.txt", ""), page("/ferry/", FERRY_PAGE), page("/bridge", BRIDGE_PAGE)]
    )
    assert (reach.requests, reach.robots) == (2, 1)
    assert (reach.items, reach.text, reach.comments) == (1.0, 1.0, 1.0)
    assert reach.requests_nearly_all == 2


def test_redirects_and_errors_are_requests_and_nothing_else() -> None:
    moved, missing = page("/ferry/", FERRY_PAGE, status=301), page("/bridge/", BRIDGE_PAGE, status=404)
    feed = page("/bridge/", BRIDGE_PAGE, content_type="application/rss+xml")
    reach = Measure(TRUTH).reach([moved, missing, feed])
    assert (reach.requests, reach.items, reach.text, reach.comments) == (3, 0.0, 0.0, 0.0)
    assert reach.requests_nearly_all is None


def test_text_counts_wherever_it_stands_and_items_only_at_their_address() -> None:
    reach = Measure(TRUTH).reach([page("/all", BRIDGE_PAGE)])
    assert reach.items == 0.0
    # 3 pairs here; the ferry has 1 + 3 + 3, its comments 4 + 3, and "was late" stands in both.
    assert reach.text == pytest.approx(3 / (3 + 1 + 3 + 3 + 4 + 3 - 1))


def test_words_in_another_order_are_not_the_truth() -> None:
    html = "<p>river the Over</p><p>everyone else So was</p>"
    reach = Measure(TRUTH).reach([page("/x", html)])
    assert reach.comments == 0.0
    assert reach.text == pytest.approx(2 / 16)  # "everyone else", "so was"


def test_pairs_across_blocks_are_counted_by_themselves() -> None:
    across = Measure(TRUTH).reach([page("/ferry/", FERRY_PAGE)]).text_across
    # The truth has "noon nobody" besides; the page has it as well.
    assert across == pytest.approx(14 / 17)


def test_a_comment_is_its_whole_words() -> None:
    assert Measure(TRUTH).reach([page("/x", "<p>So was everyone elsewhere.</p>")]).comments == 0.0


def test_a_comment_counts_once_however_many_pages_show_it() -> None:
    one = "<li><p>I was late that day. --Ada</p></li>"
    assert Measure(TRUTH).reach([page("/1", one), page("/2", one)]).comments == 0.5


def test_pages_do_not_tell_whose_comment_the_same_words_are() -> None:
    said = (Comment(author="Ada", text="Thanks!"),)
    items = [Item(url=f"{HOST}/{name}", title=name, text="b c", comments=said) for name in "ad"]
    measure = Measure(Truth(home=HOST, items=tuple(items)))
    assert measure.reach([page("/a", "<p>Thanks!</p>")]).comments == 1.0
    assert measure.reach([page("/a", "<p>Thanks</p><p>again</p>")]).comments == 1.0
    assert measure.reach([page("/a", "<p>Thanksgiving!</p>")]).comments == 0.0


def test_links_of_items_and_comments_are_inside_and_those_of_the_frame_outside() -> None:
    root = parse(FERRY_PAGE.encode())
    assert root is not None
    inside = {link.url: link.inside for link in external_links(root, FERRY.url, FERRY)}
    assert inside == {
        "http://other.example/late": True,
        "http://ada.example/": True,
        "http://bo.example/": True,
        "https://maker.example/": False,
    }


def test_links_of_the_frame_are_not_links_of_the_truth() -> None:
    pages = [page("/ferry/", FERRY_PAGE), page("/bridge/", BRIDGE_PAGE)]
    assert truth_links(Measure(TRUTH), pages) == {
        "http://other.example/late",
        "http://ada.example/",
        "http://bo.example/",
    }


def test_a_host_that_few_pages_name_is_not_the_frame() -> None:
    beside = BRIDGE_PAGE.replace("</footer>", '<a href="http://rare.example/">rare</a></footer>')
    others = [
        Item(url=f"{HOST}/{number}", title=f"title {number}", text=f"text {number}") for number in range(3)
    ]
    pages = [page(f"/{number}", f"<p>text {number}</p>{FRAME}") for number in range(3)]
    measure = Measure(Truth(home=HOST, items=(BRIDGE, *others)))
    assert truth_links(measure, [page("/bridge/", beside), *pages]) == {"http://rare.example/"}


def test_further_pages_of_comments_have_links_of_the_truth() -> None:
    more = '<ol><li><a href="http://bo.example/">Bo</a><p>So was everyone else.</p></li></ol>' + FRAME
    pages = [page("/ferry/comment-page-1/", more), page("/bridge/", BRIDGE_PAGE)]
    assert truth_links(Measure(TRUTH), pages) == {"http://bo.example/"}


def test_share_of_links() -> None:
    assert share_of_links(frozenset("ab"), frozenset("bc")) == 0.5
    assert share_of_links(frozenset(), frozenset("bc")) == 1.0


def test_a_truth_is_read_and_one_that_is_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "truth.json"
    comment = {"author": "Ada", "text": "Yes."}
    item = {"url": "/x", "title": "T", "text": "Words", "date": "2026-11-17T05:54:45Z", "comments": [comment]}
    path.write_text(json.dumps({"items": [item]}))
    (read,) = read_truth(path).items
    assert read.time == datetime(2026, 11, 17, 5, 54, 45, tzinfo=UTC)
    assert read.comments == (Comment(author="Ada", text="Yes."),)
    for written in ("{}", "[]", '{"items": []}', '{"items": [{"url": "/x"}]}', "no JSON"):
        path.write_text(written)
        with pytest.raises(TruthError, match=r"truth\.json"):
            read_truth(path)


def test_comments_are_those_that_the_application_has_and_get_its_times() -> None:
    noon = datetime(2026, 11, 17, 12, tzinfo=UTC)
    (ferry, _) = TRUTH.as_held({"i was late that day": noon}).items
    assert [(comment.author, comment.time) for comment in ferry.comments] == [("Ada", noon)]
    assert TRUTH.as_held({}) == TRUTH
