"""Lists in an article, beside lists of links that stand on the same path of sibling pages."""

from __future__ import annotations

import pytest

from archiver.articles.methods.extraction import extract_group
from archiver.articles.model import Article
from archiver.documents.pages.model import Announcement, RawPage
from tests.extract.test_article_method import paragraphs

ITEMS = ["two tonnes of rope", "a crane", "lamps and oil for the winter", "a second cook"]


def wiki_page(number: int, items: list[str] | None = None, *, before: int = 3) -> RawPage:
    """A page whose see-also list has the path that another page's list has, after so many paragraphs."""
    body = paragraphs(number)
    title = " ".join(body[0].split()[1:7])
    listed = f"<ul>{''.join(f'<li>{one}</li>' for one in items)}</ul>" if items else ""
    also = "".join(f"<li><a href='/{number + step}'>Of page {number + step}</a></li>" for step in range(1, 6))
    above, below = ("".join(f"<p>{one}</p>" for one in part) for part in (body[:before], body[before:]))
    text = f"{above}{listed}{below}<h2>See also</h2><ul>{also}</ul>"
    html = (
        f"<html lang='en'><head><title>{title}</title></head><body><div><a href='/'>Home</a></div>"
        f"<div class='page'><h1>{title}</h1><div class='text'>{text}</div></div></body></html>"
    )
    said = Announcement(title=title, summary=body[0][:120])
    return RawPage(
        url=f"http://wiki.test/{number:03}", id=f"<{number}>", body=html.encode(), announcement=said
    )


def text_on(page: RawPage, others: list[RawPage], learned: bool) -> str:
    if learned:
        found = extract_group([page], "article", extract_group(others, "article").learned).results[0]
    else:
        found = extract_group([*others, page], "article").results[-1]
    assert isinstance(found, Article)
    assert bool(found.wrapper) == learned
    return found.text


def test_list_without_links_is_text_where_siblings_have_lists_of_links() -> None:
    others = [wiki_page(number) for number in range(4)]
    text = text_on(wiki_page(60, ITEMS), others, learned=False)
    assert "\n".join(f"- {item}" for item in ITEMS) in text
    assert "Of page" not in text


@pytest.mark.parametrize("before", [3, 99], ids=["in mid-article", "at its end"])
def test_wrapper_of_pages_with_lists_of_links_keeps_a_list_without(before: int) -> None:
    others = [wiki_page(number) for number in range(5)]
    text = text_on(wiki_page(60, ITEMS, before=before), others, learned=True)
    assert "\n".join(f"- {item}" for item in ITEMS) in text
    assert "Of page" not in text
