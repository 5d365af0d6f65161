"""What other pages call a page: words of real links, between pages that are read together and on lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.withheld import Withheld
from archiver.articles.methods.extraction import extract_group
from archiver.articles.methods.visual.anchors import anchors_of
from archiver.articles.methods.visual.inlinks import anchor_texts, with_inlinks
from archiver.articles.model import Article, ParsedPage
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.model import Announcement, RawPage
from archiver.inspection.inlinks import lists_leading_to
from archiver.store.database import Database
from archiver.store.schema import pages, requisites
from tests.rendering.shelf import HOST, MOMENT, Shelf
from tests.visual.pages import PARAGRAPHS, markup

if TYPE_CHECKING:
    from pathlib import Path

    from lxml.etree import _Element as Element
    from sqlalchemy import Connection

SITE = "https://gazette.test"


def parsed(path: str, body: str, **said: str) -> ParsedPage:
    tree = parse_markup(f"<html><body>{body}</body></html>")
    assert tree is not None
    return ParsedPage(url=SITE + path, base_url=SITE + path, tree=tree, announcement=Announcement(**said))


def test_pages_that_are_read_together_call_each_other() -> None:
    bell = parsed("/bell", "<a href=/bell>About this page</a>", title="The bell")
    quay = parsed("/quay", "<p>As told in <a href='/bell?utm_source=x#top'>the bell of the ferry</a>.</p>")
    mill = parsed("/mill", "<ul><li><a href=/bell><img alt='Bell in the mud' src=/b.jpg></a></ul>")
    found = with_inlinks([bell, quay, mill])
    assert list(anchors_of(found[0])) == ["The bell", "the bell of the ferry", "Bell in the mud"]
    assert found[1] is quay  # nothing leads there
    assert with_inlinks([bell]) == [bell]


def test_lists_count_and_words_that_lead_everywhere_do_not() -> None:
    pages = [parsed(f"/{number}", "<p>x</p>") for number in range(5)]
    items = "".join(f"<h2><a href=/{at}>Story {at}</a></h2><a href=/{at}>Read more</a>" for at in range(5))
    listing = parsed("/archive", items)
    found = with_inlinks(pages, [(listing.url, listing.tree)])
    assert [list(anchors_of(page)) for page in found] == [[f"Story {number}"] for number in range(5)]


def test_the_most_frequent_words_come_first_and_are_bounded() -> None:
    links = "".join(f"<a href=/bell>Name {number}</a>" for number in range(40)) + "<a href=/bell>Name 7</a>"
    listing = parsed("/list", links)
    found = anchor_texts([(listing.url, listing.tree)], {"x"}, key=lambda url: "x" if "bell" in url else url)
    assert found["x"][0] == "Name 7"
    assert len(found["x"]) == 20


def test_the_method_reads_a_group_with_its_links() -> None:
    other = markup().replace("</body>", "<a href=/bell>Harbour master finds bell</a></body>")
    raws = [
        RawPage(url=f"{SITE}/{name}", body=html.encode(), content_type="text/html")
        for name, html in (("bell", markup()), ("quay", other))
    ]
    found = extract_group(raws, "visual").results
    assert all(isinstance(one, Article) for one in found)
    assert isinstance(found[0], Article)
    assert found[0].text.split("\n\n") == PARAGRAPHS


def test_the_page_of_a_channel_is_a_list_that_leads_to_its_articles(tmp_path: Path) -> None:
    home = "<html><body><h1>Gazette</h1><a href=/bell>The bell is found</a></body></html>"
    shelf = Shelf(tmp_path, {"/": home, "/bell": markup()})
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    waits = {"host": "js.example", "state": "settled", "next_try": MOMENT}

    def filled(state: Connection) -> list[tuple[str, Element]]:
        state.execute(pages.insert().values(id=1, key="bell", url=f"{HOST}/bell", **waits))
        about = {"kind": "home", "via": HOST, "depth": 0, **waits}
        for url in (f"{HOST}/", f"{HOST}/gone"):
            state.execute(requisites.insert().values(url=url, **about))
        return list(lists_leading_to(state, Withheld(), shelf.warc, [1]))

    try:
        found = database.run(filled)
    finally:
        database.close()
    assert [url for url, _ in found] == [f"{HOST}/"]
    bell = ParsedPage(url=f"{HOST}/bell", base_url=HOST, tree=parsed("/bell", "<p>x</p>").tree)
    assert list(anchors_of(with_inlinks([bell], found)[0])) == ["The bell is found"]
