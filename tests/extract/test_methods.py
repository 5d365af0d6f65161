"""The one way into extraction, whatever comes."""

from __future__ import annotations

import time

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.articles.methods.extraction import extract
from archiver.articles.methods.registry import OURS, method_of
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.pages import ANNOUNCEMENT, BODY, LEAD, TITLE, URL, article_of, outcome_of, page

PIECES = [
    b"<div>", b"</div>", b"<p>", b"<td>", b"<a href='", b"'>", b"<img srcset='", b"\xff\xfe", b"\x00",
    b"<h1>", b"&#xd800;", b"&#1;", b"<base href='http://['>", b"<meta charset='utf-16'>", b"{", b"}", b"<li>",
    b"<script type='application/ld+json'>", b"<table><tr>", b"<div class='comments'>", b"<svg>", b"<pre>\n",
    b"<time datetime='2024-01-01T00:00Z'>", TITLE.encode(), LEAD.encode(), "渡轮".encode(), b"<!--", b"-->",
    b"<![CDATA[", b"<?xml", b"</html>", b"<frameset>",
]  # fmt: skip
ANYTHING = st.binary(max_size=400) | st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)
CONTENT_TYPES = st.sampled_from([None, "", "text/html", "text/html; charset=utf-16", "a\ud800; charset=idna"])


def round_trip(outcome: Article | NoArticle) -> Article | NoArticle:
    return msgspec.json.decode(msgspec.json.encode(outcome), type=type(outcome))


@settings(max_examples=300)
@given(ANYTHING, CONTENT_TYPES, st.text(max_size=80) | st.just(TITLE))
def test_no_bytes_make_it_raise_and_every_result_is_json(
    body: bytes, content_type: str | None, title: str
) -> None:
    announcement = Announcement(title=title, summary=LEAD, content=title, other_summaries=(title, LEAD))
    outcome = outcome_of(body, announcement, content_type)
    assert round_trip(outcome) == outcome


@settings(max_examples=100)
@given(st.lists(st.sampled_from(PIECES), max_size=20).map(b"".join))
def test_damage_inside_an_article_never_raises(damage: bytes) -> None:
    outcome = outcome_of(
        page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>").replace(b"</h1>", b"</h1>" + damage, 1)
    )
    assert round_trip(outcome) == outcome


@settings(max_examples=100)
@given(st.lists(ANYTHING | st.just(page(f"<div>{BODY}</div>")), max_size=4), st.sampled_from(sorted(OURS)))
def test_no_siblings_make_any_method_raise(bodies: list[bytes], method: str) -> None:
    pages = [RawPage(url=URL, body=body, announcement=ANNOUNCEMENT) for body in bodies]
    outcomes = extract(pages, method)
    assert len(outcomes) == len(pages)
    assert [round_trip(outcome) for outcome in outcomes] == outcomes


def test_all_fields_of_an_article_survive_json() -> None:
    head = """<meta property="article:published_time" content="2024-05-03T12:00:00Z">
        <meta name="author" content="Ada"><link rel="canonical" href="/ferry">"""
    article = article_of(page(f"<div><h1>{TITLE}</h1><img src='ship.jpg'>{BODY}</div>", head=head))
    assert round_trip(article) == article
    assert all(
        getattr(article, field) for field in ("published", "authors", "canonical_url", "links", "images")
    )


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"<!-- x -->", "empty"),
        (b"<html><head><title>App</title></head><body><script>app()</script></body></html>", "empty"),
        (b"%PDF-1.4", "not_html"),
        (b'{"title": "x"}', "not_html"),
        (b"\x00\x01\x02\x03" * 100, "not_html"),
        (b"<html><body><div>Sorry, this page is gone.</div></body></html>", "not_article"),
    ],
)
def test_page_without_an_article_has_its_outcome_and_a_reason(body: bytes, outcome: str) -> None:
    found = outcome_of(body)
    assert isinstance(found, NoArticle)
    assert found.outcome == outcome
    assert found.reason


@pytest.mark.parametrize("method", sorted(OURS))
def test_article_names_the_method_that_found_it(method: str) -> None:
    body = page(f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>")
    (article,) = extract([RawPage(url=URL, body=body, announcement=ANNOUNCEMENT)], method)
    assert isinstance(article, Article)
    assert article.method == method


def test_reason_tells_that_the_feed_was_silent() -> None:
    silent = outcome_of(page("<div>Fog.</div>"), Announcement())
    other = outcome_of(page("<div>Fog.</div>"))
    assert isinstance(silent, NoArticle)
    assert isinstance(other, NoArticle)
    assert "announced no words" in silent.reason
    assert "announced no words" not in other.reason


def test_outcomes_come_in_the_order_of_the_pages() -> None:
    good = page(f"<div><h1>{TITLE}</h1>{BODY}</div>")
    bodies = [b"", good, b"%PDF-1.4", good]
    pages = [RawPage(url=URL, body=body, announcement=ANNOUNCEMENT) for body in bodies]
    assert [type(outcome) for outcome in extract(pages)] == [NoArticle, Article, NoArticle, Article]
    assert extract([]) == []


def test_the_facts_of_every_method_lead_to_it() -> None:
    assert {"sigfeed", "forest-tfidf", "forest-feeds", "coverage", "description"} <= set(OURS)
    assert len({id(method_of(name)) for name in OURS}) == len(OURS)


@pytest.mark.parametrize(
    "tag",
    [
        "div",
        "table><tr><td",
        *(pytest.param(tag, marks=pytest.mark.zoo) for tag in ("span", "ul><li", "h1", "a href='x'")),
    ],
)
def test_ten_thousand_levels_do_not_hide_the_article(tag: str) -> None:
    article = article_of(page(f"{f'<{tag}>' * 10_000}</div></table></ul><div><h1>{TITLE}</h1>{BODY}</div>"))
    assert "Fishermen fear" in article.text


def test_article_below_ten_thousand_levels_is_found() -> None:
    article = article_of(page("<div>" * 10_000 + f"<section><h1>{TITLE}</h1>{BODY}</section>"))
    assert "Fishermen fear" in article.text


@pytest.mark.zoo
def test_page_of_five_megabytes_takes_seconds() -> None:
    more = f"<p>{LEAD * 4} <a href='/there'>There</a> and <i>back</i> again, says the captain.</p>"
    body = page(f"<div><h1>{TITLE}</h1>{BODY}{more * 11_500}</div>")
    assert len(body) > 5_000_000
    started = time.process_time()
    article = article_of(body)
    assert time.process_time() - started < 20
    assert len(article.text) > 4_000_000


def test_sigfeed_to_the_letter_and_with_its_guard_can_both_be_chosen() -> None:
    headline = "<div><h1>Old Ferry Sails Again After Winter</h1></div>"
    words = " ".join(f"word{number}" for number in range(150))
    body = f"<html><body><main>{headline}<div><p>{words}</p></div></main></body></html>"
    page = RawPage(
        url="https://example.org/a",
        body=body.encode(),
        announcement=Announcement(title="Old Ferry Sails Again After Winter"),
    )
    (literal,) = extract([page], method="sigfeed")
    (guarded,) = extract([page], method="sigfeed-guarded")
    assert isinstance(literal, Article)
    assert isinstance(guarded, Article)
    assert (literal.method, guarded.method) == ("sigfeed", "sigfeed-guarded")
    assert "word149" not in literal.text
    assert "word149" in guarded.text
