"""What other pages call a page: words of real links, between pages that are read together and on lists."""

from __future__ import annotations

from archiver.articles.methods.extraction import extract_group
from archiver.articles.methods.visual.inlinks import anchor_texts, with_inlinks
from archiver.articles.methods.visual.recognition import anchors_of
from archiver.articles.model import Article, ParsedPage
from archiver.documents.pages.dom import parse_markup
from archiver.documents.pages.model import Announcement, RawPage
from tests.visual.pages import PARAGRAPHS, markup

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
