"""The production method on small sites: what it learns of a template, and when it stops believing it."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from msgspec import structs

from archiver.articles.methods.article.wrappers import ENOUGH_SAMPLES
from archiver.articles.methods.extraction import extract_group, extract_known
from archiver.articles.model import Article, Extracted, NoArticle
from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.articles.model import Wrapper

_WORDS = [
    "harbour", "ferry", "council", "winter", "bridge", "night", "company", "islands", "timetable", "captain",
    "summer", "bread", "market", "river", "school", "library", "budget", "roof", "storm", "village", "engine",
    "orchard", "doctor", "letter", "theatre", "valley", "lantern", "quarry",
]  # fmt: skip


def paragraphs(number: int) -> list[str]:
    """Five paragraphs that no other number has."""
    chance = random.Random(number)
    sentence = lambda: "The " + " ".join(chance.choices(_WORDS, k=11)) + f", said number {number}."  # noqa: E731
    return [" ".join(sentence() for _ in range(4)) for _ in range(5)]


def old_template(title: str, body: Sequence[str], number: int) -> str:
    return f"""<body><div class="top"><a href="/">Home</a> <a href="/a">Sport</a></div>
    <div class="frame"><div class="story"><h1>{title}</h1><p class="signed">By Ann Lee</p>
    <div class="story-text">{"".join(f"<p>{one}</p>" for one in body)}</div>
    <div class="ad-slot"><p>Buy {number} lamps at the old mill, and get the oil for nothing.</p></div></div>
    <div class="rail"><h3>Most read</h3><ul>{_links(number)}</ul></div></div>
    <div class="bottom"><p>Island Post, 12 Quay Street. All rights reserved.</p></div></body>"""


def new_template(title: str, body: Sequence[str], number: int) -> str:
    return f"""<body><section class="shell"><header class="bar"><a href="/">Island Post</a></header>
    <section class="piece"><h2>{title}</h2>{"".join(f"<p class='para'>{one}</p>" for one in body)}</section>
    <section class="further"><ol>{_links(number)}</ol></section>
    <footer>Island Post, 12 Quay Street. All rights reserved.</footer></section></body>"""


def _links(number: int) -> str:
    return "".join(
        f"<li><a href='/{number + step}'>Of {_WORDS[(number + step) % 28]}</a></li>" for step in range(5)
    )


def page(number: int, template: Callable[[str, Sequence[str], int], str]) -> RawPage:
    body = paragraphs(number)
    title = " ".join(body[0].split()[1:7])
    html = f"<html lang='en'><head><title>{title}</title></head>{template(title, body, number)}</html>"
    said = Announcement(title=title, summary=body[0][:120])
    return RawPage(
        url=f"http://post.test/{number:03}", id=f"<{number}>", body=html.encode(), announcement=said
    )


def texts(found: Extracted) -> list[str]:
    return [one.text if isinstance(one, Article) else one.reason for one in found.results]


def wanted(numbers: Sequence[int]) -> list[str]:
    return ["\n\n".join(paragraphs(number)) for number in numbers]


def taught(numbers: Sequence[int], template: Callable[[str, Sequence[str], int], str]) -> tuple[Wrapper, ...]:
    return extract_group([page(number, template) for number in numbers], "article").learned


OLD = taught(range(5), old_template)
MUCH = "".join(f"<p>{one}</p>" for one in paragraphs(99) + paragraphs(98)).encode()


@pytest.mark.parametrize("template", [old_template, new_template])
def test_article_alone_is_found(template: Callable[[str, Sequence[str], int], str]) -> None:
    assert texts(extract_group([page(7, template)], "article")) == wanted([7])


def test_pages_teach_a_wrapper_that_reads_the_next_ones() -> None:
    (wrapper,) = OLD
    assert "story" in wrapper.xpath
    assert len(wrapper.samples) == 5
    found = extract_group([page(30, old_template)], "article", OLD)
    assert texts(found) == wanted([30])
    assert [one.wrapper for one in found.results if isinstance(one, Article)] == [wrapper.id]
    assert (found.learned, found.outdated) == ((), ())


def test_what_is_known_is_read_without_studying_and_what_is_not_is_left_to_others() -> None:
    known, new = page(30, old_template), page(70, new_template)
    assert extract_known([known], "article", OLD) == extract_group([known], "article", OLD)
    assert extract_known([known, new], "article", OLD) is None
    assert extract_known([known], "article") is None


def test_large_group_is_studied_in_part_and_read_with_what_that_taught() -> None:
    numbers = list(range(12))
    found = extract_group([page(number, old_template) for number in numbers], "article")
    assert texts(found) == wanted(numbers)
    served = [one for one in found.results if isinstance(one, Article) and one.wrapper]
    assert len(served) == 7


def test_order_of_pages_changes_nothing() -> None:
    pages = [page(number, old_template) for number in range(8)] + [page(50, new_template)]
    one, other = extract_group(pages, "article"), extract_group(pages[::-1], "article")
    assert one.results == other.results[::-1]
    assert one.learned == other.learned


def test_two_templates_in_one_group_teach_a_wrapper_each() -> None:
    pages = [page(number, old_template) for number in range(2)] + [
        page(number, new_template) for number in (60, 61)
    ]
    found = extract_group(pages, "article")
    assert texts(found) == wanted([0, 1, 60, 61])
    assert len({one.xpath for one in found.learned}) == 2


def test_redesign_is_noticed_on_the_first_page_and_learned_within_three() -> None:
    memory: dict[str, Wrapper] = {one.id: one for one in OLD}
    for count, number in enumerate((70, 71, 72, 73), start=1):
        found = extract_group([page(number, new_template)], "article", list(memory.values()))
        assert texts(found) == wanted([number])
        (article,) = found.results
        assert isinstance(article, Article)
        assert article.wrapper not in {one.id for one in OLD}
        assert (article.wrapper is not None) == (count > ENOUGH_SAMPLES)
        memory = {name: one for name, one in memory.items() if name not in found.outdated}
        memory |= {one.id: one for one in found.learned}


def test_wrapper_of_few_pages_is_not_used_alone() -> None:
    few = [structs.replace(one, samples=one.samples[: ENOUGH_SAMPLES - 1]) for one in OLD]
    (article,) = extract_group([page(31, old_template)], "article", few).results
    assert isinstance(article, Article)
    assert article.wrapper is None


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda html: html.replace(b'class="story-text"', b'class="body-copy"'), "the text is elsewhere"),
        (
            lambda html: html.replace(b'<div class="ad-slot">', MUCH + b'<div class="ad-slot">'),
            "much more text stands beside it",
        ),
    ],
)  # fmt: skip
def test_wrapper_is_not_used_where_the_page_is_another(change: Callable[[bytes], bytes], why: str) -> None:
    known = page(32, old_template)
    changed = replace(known, body=change(known.body))
    assert changed.body != known.body
    (article,) = extract_group([changed], "article", OLD).results
    assert isinstance(article, Article)
    assert article.wrapper is None, why


def test_wrapper_is_not_used_for_another_article_than_was_announced() -> None:
    said = Announcement(title="Parliament dissolves after crisis", summary="Ministers resigned at dawn.")
    (found,) = extract_group([replace(page(33, old_template), announcement=said)], "article", OLD).results
    assert not isinstance(found, Article) or found.wrapper is None


def test_advertisements_links_and_the_headline_are_no_text() -> None:
    (article,) = extract_group([page(34, old_template)], "article").results
    assert isinstance(article, Article)
    assert "lamps" not in article.text
    assert "Most read" not in article.text
    assert (article.title or "") not in article.text.split("\n")


def test_code_and_lists_are_kept_whole() -> None:
    body = paragraphs(35)
    code, items = (
        "<pre>def swarm(hive):\n    return hive > 1.5</pre>",
        "<li>flour;</li><li>salt, and patience;</li>",
    )
    html = old_template(
        "Of bees", [body[0], body[1] + f"</p>{code}<ul>{items}</ul><p>" + body[2], *body[3:]], 35
    )
    (article,) = extract_group([replace(page(35, old_template), body=html.encode())], "article").results
    assert isinstance(article, Article)
    assert "def swarm(hive):\n    return hive > 1.5" in article.text
    assert "- flour;\n- salt, and patience;" in article.text


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body><p>x</p></body></html>",
        b"<html><body>" + b"<a href='/x'>Home and away</a> " * 400 + b"</body></html>",
        b"<html><body><form>Name <input> Password <input type='password'></form></body></html>",
    ],
)
def test_page_without_an_article_has_none(body: bytes) -> None:
    (found,) = extract_group([RawPage(url="http://post.test/", body=body)], "article").results
    assert isinstance(found, NoArticle)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("zh", "经过九年之后,岛屿之间的夜间渡轮将于本周五再次从旧港口启航,公司今年春天购买了这艘船。"),
        ("ja", "九年ぶりに、島々を結ぶ夜のフェリーが今週の金曜日に古い港から再び出航すると会社が発表した。"),
        (
            "ko",
            "아홉 해 만에 섬 사이를 오가는 야간 여객선이 이번 금요일 다시 떠난다고 회사가 밝혔다.",
        ),
        ("th", "หลังจากเก้าปีเรือข้ามฟากกลางคืนระหว่างเกาะจะออกจากท่าเรือเก่าอีกครั้งในวันศุกร์นี้"),
        (
            "ar",
            "بعد تسع سنوات تبحر العبارة الليلية بين الجزر مرة أخرى من الميناء القديم يوم الجمعة، كما قالت.",
        ),
        ("he", "אחרי תשע שנים תפליג שוב מעבורת הלילה בין האיים מהנמל הישן ביום שישי הקרוב, כך אמרה החברה."),
        (
            "ru",
            "Спустя девять лет ночной паром между островами снова отправится из старой гавани в эту пятницу.",
        ),
        (
            "de",
            "Nach neun Jahren legt die Nachtfähre zwischen den Inseln am Freitag wieder im alten Hafen ab.",
        ),
    ],
)
def test_article_is_found_in_every_language(language: str, sentence: str) -> None:
    body = [f"{sentence} {number}. {sentence}" for number in range(6)]
    title = sentence[:14]
    html = f"<html lang='{language}'><title>{title}</title>{old_template(title, body, 3)}</html>"
    said = Announcement(title=title, summary=sentence[:40])
    (article,) = extract_group(
        [RawPage(url="http://post.test/", body=html.encode(), announcement=said)], "article"
    ).results
    assert isinstance(article, Article)
    assert article.text == "\n\n".join(body)
