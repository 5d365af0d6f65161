"""Answers in place of articles, beginnings of articles, and input of any kind: a decided outcome each."""

from __future__ import annotations

import json
import time

import pytest

from archiver.articles.metadata.notices import why_no_article
from archiver.articles.methods.extraction import LARGEST, MOST_TAGS, parse_page
from archiver.articles.model import Article, NoArticle, ParsedPage
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.pages import BODY, TITLE, URL, article_of, outcome_of, page

STORY = f"<div id='story'><h1>{TITLE}</h1>{BODY}</div>"
LEAD = "<p>After nine years the night ferry sails again from the old harbour this Friday.</p>"
SORRY = "<p>Sorry, we looked everywhere. Try the search, or go back to the start.</p>"
LOGIN = (
    "<form><input name=u><input type=password name=p><p>Forgot your password? Create an account.</p></form>"
)


def why(markup: str, url: str = URL, announced: str | None = TITLE) -> str | None:
    """What is said of the page if all of its text is taken."""
    parsed = parse_page(RawPage(url=url, body=markup.encode(), announcement=Announcement(title=announced)))
    assert isinstance(parsed, ParsedPage)
    return why_no_article(parsed, " ".join(parsed.cleaned.itertext()))


def linked(**fields: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps({'@type': 'NewsArticle', **fields})}</script>"


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>Page not found | Island Post</title>{SORRY}",
        f"<title>404</title><h1>Oops</h1>{SORRY}",
        f"<title>Island Post</title><h1>Error 404!</h1>{SORRY}",
        f"<title>Island Post</title><body class='home error404 logged-out'>{SORRY}",
        f"<title>Quay</title><div><div class='dokuwiki notFound'><h1>Existiert nicht</h1>{SORRY}</div></div>",
        f"<title>Seite nicht gefunden</title>{SORRY}",
        f"<title>Page introuvable</title>{SORRY}",
        f"<title>Página no encontrada</title>{SORRY}",
        f"<title>Страница не найдена</title>{SORRY}",
        f"<title>页面不存在</title>{SORRY}",
        f"<title>ページが見つかりません</title>{SORRY}",
    ],
)
def test_page_that_says_it_is_not_there_is_no_article(markup: str) -> None:
    assert why(markup) == "the page says that there is nothing at this address"


def test_address_of_an_error_page_says_it_too() -> None:
    assert why(SORRY, "https://example.org/404.html")
    assert why(SORRY, "https://example.org/2024/404-reasons") is None


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>Log in | Island Post</title>{LOGIN}",
        f"<title>Island Post</title><h1>Anmelden</h1>{LOGIN}",
        f"<title>Island Post \u2013 ログイン</title>{LOGIN}",
    ],
)
def test_page_that_asks_for_a_password_is_no_article(markup: str) -> None:
    assert why(markup) == "the page asks its readers to log in"


def test_form_beside_an_article_is_no_login_page() -> None:
    assert why(f"<title>{TITLE}</title><h2>Log in</h2>{LOGIN}{LEAD}") is None
    assert why(f"<title>Log in to the harbour</title>{LEAD}") is None


def test_page_that_sends_on_or_checks_its_reader_is_no_article() -> None:
    assert why("<meta http-equiv=Refresh content='0; url=/elsewhere'><p>You are being sent on.") is not None
    assert why("<meta http-equiv=refresh content='600; url=/again'><p>Live") is None
    assert why("<meta http-equiv=refresh content='5'><p>Live") is None
    assert why("<title>Just a moment...</title><p>Enable JavaScript and cookies to continue") is not None


@pytest.mark.parametrize(
    "markup",
    [
        f"<title>404</title>{LEAD * 20}",
        f"{linked(datePublished='2024-05-03')}<title>404: how an error got its number</title>{LEAD}",
        f"<title>{TITLE}: page not found | Island Post</title>{LEAD}",
    ],
)
def test_article_about_errors_is_one(markup: str) -> None:
    assert why(markup) is None


def test_answer_in_place_of_an_article_is_an_outcome() -> None:
    body = page(f"<h1>Page not found</h1><div>{TITLE} {SORRY}</div>").replace(
        TITLE.encode() + b" | Island Post", b"Page not found"
    )
    found = outcome_of(body, Announcement(title=TITLE))
    assert isinstance(found, NoArticle)
    assert found.outcome == "not_article"


@pytest.mark.parametrize(
    ("head", "notice"),
    [
        ("", None),
        (linked(isAccessibleForFree=True), None),
        (linked(isAccessibleForFree=False), "paywall"),
        (linked(isAccessibleForFree="False"), "paywall"),
        (linked(hasPart={"isAccessibleForFree": False, "cssSelector": ".paid"}), "paywall"),
        (linked(hasPart=[3, {"isAccessibleForFree": "false"}]), "paywall"),
        (linked(isAccessibleForFree=False, wordCount=130), None),
        (linked(isAccessibleForFree=False, wordCount="900"), "paywall"),
        (linked(isAccessibleForFree=False, wordCount=[None]), "paywall"),
        ("<meta property='article:content_tier' content='locked'>", "paywall"),
        ("<meta property='article:content_tier' content='free'>", None),
    ],
)
def test_beginning_of_a_locked_article_is_kept_and_marked(head: str, notice: str | None) -> None:
    article = article_of(page(STORY, head=head))
    assert "Fishermen fear" in article.text
    assert article.notice == notice


@pytest.mark.parametrize(
    "words",
    ["Subscribe to continue reading.", "Dieser Text ist frei. Jetzt abonnieren!", "この記事は会員限定です。"],
)
def test_words_that_ask_for_a_subscription_mark_a_short_text(words: str) -> None:
    story = STORY.replace("</div>", f"<p>{words}</p></div>")
    assert article_of(page(story)).notice == "paywall"
    assert article_of(page(story.replace(BODY, BODY * 6))).notice is None


LINKS = "".join(f"<li><a href='/{number}'>{TITLE} {number}</a></li>" for number in range(60))
FRAMES = f"<html><head><title>{TITLE}</title></head><frameset cols='20%,80%'><frame src='a'><frame src='b'>"


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"", "empty"),
        (b"<html><head><title>x</title></head></html>", "empty"),
        (f"{FRAMES}<noframes><body>Get a browser.</body></noframes></frameset></html>".encode(), "empty"),
        (f"{FRAMES}</frameset></html>".encode(), "empty"),
        (bytes(range(256)) * 40, "not_html"),
        (b"\x89PNG\r\n\x1a\n" + b"<html>" * 100, "not_html"),
        (page(f"<ul>{LINKS}</ul>"), "not_article"),
        (page(f"<h1>{TITLE}</h1><p>{'x' * LARGEST}</p>"), "not_article"),
        (page(f"<h1>{TITLE}</h1>{'<p>x' * MOST_TAGS}"), "not_article"),
        (b"<div>" * 10_000 + b"x", "not_article"),
    ],
    ids=["empty", "no body", "frames", "frames alone", "binary", "image", "links", "bytes", "tags", "levels"],
)
def test_bad_input_has_its_outcome_soon(body: bytes, outcome: str) -> None:
    started = time.process_time()
    found = outcome_of(body)
    assert isinstance(found, NoArticle)
    assert found.outcome == outcome
    assert found.reason
    assert time.process_time() - started < 5


def test_page_of_50_megabytes_is_refused_before_it_is_read() -> None:
    started = time.process_time()
    found = outcome_of(page(STORY) + b"<p>fog</p>" * 5_000_000)
    assert isinstance(found, NoArticle)
    assert found.outcome == "not_article"
    assert time.process_time() - started < 1


def test_image_inside_a_page_does_not_make_it_too_large() -> None:
    image = f"<img src='data:image/png;base64,{'A' * 5_000_000}'>"
    assert isinstance(outcome_of(page(STORY.replace("</h1>", f"</h1>{image}"))), Article)
