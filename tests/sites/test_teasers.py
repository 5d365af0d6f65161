"""Which text of a page announces other pages, and what links of one kind have in common."""

from __future__ import annotations

import lxml.html

from archiver.acquisition.sites.learning.labels import LabelPaths, label_of, step_of
from archiver.acquisition.sites.learning.reading import read_to_learn
from archiver.acquisition.sites.learning.teasers import is_title
from archiver.acquisition.sites.reading import SitePage, VisitedDocument, inner_links, site_page

URL = "http://gazette.example/news"
LONG = "the ferry left the harbour late because the crew had to wait for the tide to turn again that day"


def page_of(body: str, url: str = URL) -> SitePage:
    content = f"<html><head><title>News</title></head><body>{body}</body></html>".encode()
    document = VisitedDocument(
        url=url, content=content, content_type="text/html; charset=utf-8", scope="gazette.example/"
    )
    page = site_page(document)
    assert page is not None
    return page


def post(number: int, text: str) -> str:
    title = f'<h2><a href="/2026/{number}/a-post">Post {number} here</a></h2>'
    return f'<article class="post">{title}<p>{text}</p></article>'


def words(text: str, number: int) -> str:
    return " ".join(f"{word}{number}" for word in text.split())


def test_text_beside_the_titles_of_a_list_belongs_to_their_pages() -> None:
    page = page_of(f"<p>{LONG}</p>" + "".join(post(n, words(LONG, n)) for n in range(4)))
    shown = read_to_learn(page).shown
    assert shown is not None
    assert {one.url for one in shown.teasers} == {f"http://gazette.example/2026/{n}/a-post" for n in range(4)}
    assert all(one.is_title and one.pairs for one in shown.teasers)
    alone = read_to_learn(page_of(f"<p>{LONG}</p>")).shown
    assert alone is not None
    assert shown.own == alone.own


def test_an_item_that_stands_alone_owns_no_more_than_the_others() -> None:
    def card(*numbers: int) -> str:
        items = "".join(f'<li><a href="/2026/{n}/a-post">Post {n} is here</a></li>' for n in numbers)
        return f"<ul>{items}</ul>"

    page = page_of(f"<div><p>{LONG}</p>{card(1)}</div><div>{card(2, 3, 4)}</div>")
    shown, alone = read_to_learn(page).shown, read_to_learn(page_of(f"<p>{LONG}</p>")).shown
    assert shown is not None
    assert alone is not None
    assert set(alone.own) <= set(shown.own)


def test_a_list_of_one_item_is_a_list_where_its_markup_says_so() -> None:
    shown = read_to_learn(page_of(post(1, LONG))).shown
    assert shown is not None
    assert [one.url for one in shown.teasers] == ["http://gazette.example/2026/1/a-post"]
    plain = f'<div><h2><a href="/2026/1/a-post">Post 1 here</a></h2><p>{LONG}</p></div>'
    other = read_to_learn(page_of(plain)).shown
    assert other is not None
    assert not other.teasers


def test_links_to_the_page_itself_in_another_way_own_nothing() -> None:
    comments = "".join(
        f'<li><p>{words(LONG, n)}</p><a href="/news?reply={n}">Reply to this comment</a></li>'
        for n in range(4)
    )
    shown = read_to_learn(page_of(f"<ul>{comments}</ul>")).shown
    assert shown is not None
    assert not shown.teasers


def test_the_name_of_an_author_is_no_title() -> None:
    page = page_of(
        '<h4><a href="/r/1">RE: boats</a> by <a href="/u/1">Ada King</a></h4><h3><a href="/a">Boats</a></h3>'
    )
    assert [is_title(link) for link in inner_links(page)] == [False, False, True]


def test_names_that_hold_for_one_page_alone_are_no_part_of_a_path() -> None:
    def step(markup: str) -> str:
        return step_of(lxml.html.fragment_fromstring(markup))

    assert step('<li id="ca-history" class="item mw-3f9a2b">x</li>') == "li#ca-history.item"
    assert step('<h2 id="boats" class="b a c">x</h2>') == "h2.a.b"
    assert step('<div id="a-weary-signal-for-boats">x</div>') == "div"
    assert step('<li id="post-123">x</li>') == "li"


def test_a_label_is_the_path_and_the_form_of_the_address() -> None:
    page = page_of('<nav class="pages"><a href="/page/2">2</a></nav>')
    (link,) = inner_links(page)
    path = LabelPaths().path_of(link.element)
    assert path == "/html/body/nav.pages/a"
    assert label_of(path, link.url) == label_of(path, "http://gazette.example/page/77")
    assert label_of(path, link.url) != label_of(path, "http://gazette.example/tag/boats")


def test_links_say_whether_they_lead_on_and_whether_they_are_to_be_followed() -> None:
    read = read_to_learn(
        page_of(
            '<a href="/page/2">2</a><a href="/p" rel="next">x</a><a href="/older">Older posts</a>'
            '<a href="/login" rel="nofollow">Log in</a>'
        )
    )
    told = {one.url.rpartition("/")[2]: (one.is_next, one.is_last) for one in read.follow}
    assert told == {"2": (True, False), "p": (True, False), "older": (True, False), "login": (False, True)}
