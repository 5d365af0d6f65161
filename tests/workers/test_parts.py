"""Which part of a page an entry's article is: its own, an older entry's, or the whole page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.articles.methods.extraction import extract
from archiver.articles.model import Article, NoArticle
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.parts import zone_part
from archiver.running.workers.page_tasks import Beside, PageToRead
from archiver.running.workers.pages import read_part
from tests.crawl.documents import prose

if TYPE_CHECKING:
    from typing import Any

URL = "http://a.test/notes.html"
NOTES = {f"n{number}": " ".join(prose(number, 3)) for number in range(1, 4)}


def _page(markup: str, **said: str) -> RawPage:
    body = f"<html><body><h1>Notes</h1>{markup}</body></html>".encode()
    return RawPage(url=URL, body=body, content_type="text/html", announcement=Announcement(**said))


def _read(page: RawPage, part: str, **other: Any) -> tuple[Article | NoArticle, str]:
    asked = PageToRead(id="", url=URL, file="", offset=0, announcement=page.announcement, part=part, **other)
    (whole,) = extract([page])
    return read_part(asked, page, whole)


def _sections(notes: dict[str, str] = NOTES) -> str:
    return "".join(f"<div id={name}><h2>Note {name}</h2><p>{text}</p></div>" for name, text in notes.items())


def test_a_part_is_read_by_its_name() -> None:
    found, part = _read(_page(_sections()), "n2")
    assert isinstance(found, Article)
    assert part == "n2"
    assert [name for name, text in NOTES.items() if text in found.text] == ["n2"]


def test_a_name_for_all_of_the_article_is_the_page() -> None:
    found, part = _read(_page(f"<div id=body>{_sections()}</div>"), "body")
    assert isinstance(found, Article)
    assert (part, found.method) == ("", "article")
    assert all(text in found.text for text in NOTES.values())


def test_a_name_of_nothing_is_the_page() -> None:
    assert _read(_page(_sections()), "nothing")[1] == ""


def test_a_part_that_is_no_longer_there_is_gone_and_not_the_rest_of_the_page() -> None:
    found, part = _read(_page(_sections()), "n9", is_known_part=True)
    assert isinstance(found, NoArticle)
    assert part == "n9"


def test_a_part_that_came_to_be_most_of_its_page_is_still_that_part() -> None:
    found, part = _read(_page(_sections({"n1": NOTES["n1"]})), "n1", is_known_part=True)
    assert isinstance(found, Article)
    assert part == "n1"


def test_two_names_of_one_part_are_one_article() -> None:
    markup = f"<div id=outer><div id=inner>{_sections({'n1': NOTES['n1']})}</div></div>" + _sections(
        {"n2": NOTES["n2"], "n3": NOTES["n3"]}
    )
    older, newer = Beside(part="outer"), Beside(part="outer", is_older=False)
    assert _read(_page(markup), "inner", beside=(older,))[1] == "outer"
    assert _read(_page(markup), "inner", beside=(newer,))[1] == "inner"


def test_without_a_name_what_was_announced_tells() -> None:
    page = _page(_sections(), title="Note n2", summary=NOTES["n2"][:200])
    other = Announcement(title="Note n3", summary=NOTES["n3"][:200])
    for part in (zone_part("other"), ""):
        found, mine = _read(page, zone_part("mine"), beside=(Beside(part=part, announcement=other),))
        assert mine == zone_part("mine")
        assert isinstance(found, Article)
        assert [name for name, text in NOTES.items() if text in found.text] == ["n2"]


def test_an_article_that_is_announced_twice_is_one() -> None:
    page = _page(_sections(), title="Note n2", summary=NOTES["n2"][:200])
    same = Beside(part=zone_part("same"), announcement=page.announcement, is_older=False)
    assert _read(page, zone_part("mine"), beside=(same,))[1] == ""
    third = Beside(part="", announcement=Announcement(title="Note n3", summary=NOTES["n3"][:200]))
    older = Beside(part=zone_part("same"), announcement=page.announcement)
    assert _read(page, zone_part("mine"), beside=(third, older))[1] == zone_part("same")


RELEASES = {f"Release 1.{number}": prose(number, 2) for number in range(10)}


def _release(name: str, *, heading: bool = True) -> str:
    items = "".join(f"<li>{one}</li>" for one in RELEASES[name])
    return f"<div class=release>{f'<h2>{name}</h2>' if heading else ''}<ul>{items}</ul></div>"


@pytest.mark.parametrize("heading", [True, False])
def test_a_changelog_that_is_announced_ten_times_without_fragments_is_ten_articles(heading: bool) -> None:
    markup = "".join(_release(name, heading=heading) for name in RELEASES)
    said = {name: Announcement(title=name, summary=words[0]) for name, words in RELEASES.items()}
    for name, words in list(RELEASES.items())[::4]:
        others = [other for other in RELEASES if other != name]
        beside = tuple(Beside(part=zone_part(one), announcement=said[one]) for one in others)
        found, part = _read(_page(markup, title=name, summary=words[0]), zone_part(name), beside=beside)
        assert isinstance(found, Article)
        assert part == zone_part(name)
        assert all(one in found.text for one in words)
        assert not [one for other in others for one in RELEASES[other] if one in found.text]


def test_a_changelog_that_is_announced_ten_times_in_the_same_words_is_one_article() -> None:
    markup = "".join(map(_release, RELEASES))
    said = {"title": "The changelog was updated", "summary": "See what is new in this release."}
    beside = tuple(Beside(part=zone_part(str(one)), announcement=Announcement(**said)) for one in range(9))
    found, part = _read(_page(markup, **said), zone_part("mine"), beside=beside)
    assert isinstance(found, Article)
    assert part == ""
    assert all(one in found.text for words in RELEASES.values() for one in words)
