"""What is missing is told from what merely cannot be seen."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from archiver.acquisition.outcomes import Failure, failure_of_status
from archiver.acquisition.rechecks.absence import AbsenceKind, RecheckAnswer, absence_of, is_believed
from archiver.articles.metadata.notices import why_no_article
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import RawPage
from archiver.lexicon.notices import NOTHING_THERE

URL = "https://news.example/politics/2026/harbour-reopens"
HOME = "https://news.example/"
MINUTE = timedelta(minutes=1)
OK = RecheckAnswer(original_url=URL, final_url=URL, home_url=HOME)


def article(title: str = "Harbour reopens", notice: str | None = None) -> Article:
    return Article(method="m", confidence=1.0, text="words", html="<p>words</p>", title=title, notice=notice)


def sent_to(url: str, *, similarity: float | None = 0.0, title: str = "Latest news") -> AbsenceKind | None:
    return absence_of(replace(OK, final_url=url, found=article(title), similarity=similarity))


@pytest.mark.parametrize(
    ("status", "how"),
    [
        (404, "not_found"),
        (410, "gone"),
        (403, None),
        (401, None),
        (451, None),
        (429, None),
        (500, None),
        (503, None),
    ],
)
def test_only_404_and_410_say_so_by_their_number(status: int, how: str | None) -> None:
    assert absence_of(replace(OK, failure=failure_of_status(status))) == how


def test_a_server_that_cannot_be_reached_says_nothing() -> None:
    for failure in set(Failure) - {Failure.NOT_FOUND, Failure.GONE}:
        assert absence_of(replace(OK, failure=failure)) is None


def test_an_article_that_is_there_is_not_gone() -> None:
    assert absence_of(OK) is None
    assert absence_of(replace(OK, found=article(), similarity=1.0)) is None
    assert absence_of(replace(OK, found=article(), similarity=0.0)) is None
    assert absence_of(replace(OK, found=article("Bridge collapses"), similarity=None)) is None


@pytest.mark.parametrize(
    "url",
    [
        HOME,
        "https://www.news.example/",
        "https://news.example/index.html?from=archive",
        "https://news.example/en/",
        "https://news.example/politics/",
        "https://news.example/politics/2026/index.php",
    ],
)
def test_the_front_page_or_a_section_above_is_no_article(url: str) -> None:
    assert sent_to(url) is AbsenceKind.FRONT_PAGE
    no_article = NoArticle(outcome="not_article", reason="no block stands out")
    assert absence_of(replace(OK, final_url=url, found=no_article)) is AbsenceKind.FRONT_PAGE


def test_a_front_page_that_is_not_at_the_root() -> None:
    home = "https://portal.example/papers/news"
    answer = RecheckAnswer(
        original_url="https://portal.example/read/17", final_url=home, home_url=home, found=article()
    )
    assert absence_of(answer) is AbsenceKind.FRONT_PAGE
    assert absence_of(replace(answer, home_url=None)) is None


def test_another_article_is_elsewhere_and_the_same_one_is_not() -> None:
    other = "https://news.example/politics/2026/bridge-collapses"
    assert sent_to(other) is AbsenceKind.ELSEWHERE
    assert sent_to(other, similarity=0.8) is None
    assert sent_to(other, similarity=0.2) is None
    assert sent_to(other, similarity=None) is None
    assert sent_to("https://news.example/", similarity=0.8) is None


def test_the_same_address_with_other_tracking_is_no_redirect() -> None:
    assert sent_to(f"{URL}?utm_source=feed") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://consent.portal.example/",
        "https://news.example/consent?return=/politics",
        "https://news.example/account/login",
        "https://news.example/subscribe/offer",
        "https://news.example/maintenance.html",
    ],
)
def test_walls_are_not_absence(url: str) -> None:
    assert sent_to(url) is None


def test_a_beginning_behind_a_paywall_is_not_absence() -> None:
    other = "https://news.example/plus/harbour"
    locked = replace(OK, final_url=other, found=article("Harbour", "paywall"), similarity=0.0)
    assert absence_of(locked) is None


@pytest.mark.parametrize("reason", ["the page asks its readers to log in", "there is no text", "robot"])
def test_pages_without_an_article_say_nothing_by_themselves(reason: str) -> None:
    assert absence_of(replace(OK, found=NoArticle(outcome="not_article", reason=reason))) is None


@pytest.mark.parametrize(
    "heading",
    ["Page not found", "Seite nicht gefunden", "Страница не найдена", "ページが見つかりません", "Error 404"],
)
def test_what_extraction_takes_for_no_page_is_a_soft_404(heading: str) -> None:
    html = f"<html><head><title>{heading}</title></head><body><h1>{heading}</h1><p>Sorry.</p></body></html>"
    page = parse_page(RawPage(url=URL, body=html.encode(), content_type="text/html; charset=utf-8"))
    assert not isinstance(page, NoArticle)
    reason = why_no_article(page, "Sorry.")
    assert reason == NOTHING_THERE
    assert (
        absence_of(replace(OK, found=NoArticle(outcome="not_article", reason=reason))) is AbsenceKind.SOFT_404
    )


@pytest.mark.parametrize(
    "title",
    [
        "This article has been removed",
        "Story no longer available",
        "404",
        "Artikel nicht mehr verfügbar",
        "Cet article a été supprimé",
        "La página ya no existe",
        "Artigo removido",
        "Articolo non più disponibile",
        "Страница удалена",
        "文章已被删除",
        "記事は削除されました",
        "기사가 삭제되었습니다",
    ],
)
def test_a_title_that_says_so_over_other_words_is_a_soft_404(title: str) -> None:
    answer = replace(OK, found=article(title), similarity=0.02)
    assert absence_of(answer) is AbsenceKind.SOFT_404
    assert absence_of(replace(answer, similarity=0.6)) is None
    assert absence_of(replace(answer, similarity=None)) is None


@pytest.mark.parametrize(
    "title",
    [
        "Why 404 voters changed their minds",
        "Removed statue returns to the square",
        "Court says article 50 cannot be revoked",
        "Page turner of the year",
        "Der Artikel des Jahres",
    ],
)
def test_headlines_are_not_mistaken(title: str) -> None:
    assert absence_of(replace(OK, found=article(title), similarity=0.0)) is None


def test_a_redirect_to_a_page_for_errors_is_a_soft_404() -> None:
    assert sent_to("https://news.example/404.html") is AbsenceKind.SOFT_404
    assert sent_to("https://news.example/page-not-found/") is AbsenceKind.SOFT_404


@pytest.mark.parametrize(
    ("how", "looks", "minutes", "believed"),
    [
        (AbsenceKind.GONE, 1, 0, True),
        (AbsenceKind.NOT_FOUND, 1, 0, False),
        (AbsenceKind.NOT_FOUND, 2, 2, False),
        (AbsenceKind.NOT_FOUND, 2, 15, True),
        (AbsenceKind.FRONT_PAGE, 2, 60, False),
        (AbsenceKind.SOFT_404, 3, 30, True),
        (AbsenceKind.ELSEWHERE, 3, 5, False),
    ],
)
def test_how_often_it_must_be_missing(how: AbsenceKind, looks: int, minutes: int, believed: bool) -> None:
    assert is_believed(how, looks, minutes * MINUTE) is believed
