"""A blog of a few pages: lists, posts, tags that show posts again, a page to log in."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from archiver.acquisition.sites.reading import VisitedDocument
from archiver.inspection.sites.simulation.site import SimulatedSite
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

HOST = "http://blog.example"
POSTS, ON_A_PAGE, TAGS = 60, 5, 6
_WORDS = [
    f"{a}{b}{c}" for a in "bdfglmnprstv" for b in ("an", "el", "or", "us") for c in ("a", "e", "ik", "on")
]


def blog_pages() -> dict[str, str]:
    """Its pages by their paths."""
    chance = random.Random(7)
    posts = [
        [" ".join(chance.choices(_WORDS, k=4)), " ".join(chance.choices(_WORDS, k=60))] for _ in range(POSTS)
    ]
    pages = {
        f"/post/{number}-{title.split()[0]}/": _post(number, title, text)
        for number, (title, text) in enumerate(posts)
    }
    paths = list(pages)
    shown = [_teaser(path, title, text) for path, (title, text) in zip(paths, posts, strict=True)]
    last = POSTS // ON_A_PAGE
    for page in range(1, last + 1):
        body = "".join(shown[(page - 1) * ON_A_PAGE : page * ON_A_PAGE])
        following = f'<div id="navigation"><a href="/page/{page + 1}/">older</a></div>' if page < last else ""
        pages["/" if page == 1 else f"/page/{page}/"] = _page(body + following)
    for tag in range(TAGS):
        pages[f"/tag/t{tag}/"] = _page("".join(shown[tag::TAGS]))
    pages["/login/"] = _page("<p>Please log in with your name and your password</p>")
    return pages


def _post(number: int, title: str, text: str) -> str:
    login = f'<a class="login" href="/login/?back={number}">log in</a>'
    tag = f'<p id="tags"><a href="/tag/t{number % TAGS}/">t{number % TAGS}</a></p>'
    return _page(f'<div id="post-{number}"><h1>{title}</h1><p>{text}</p></div>{tag}{login}')


def _teaser(path: str, title: str, text: str) -> str:
    return (
        f'<div class="teaser"><h2><a href="{path}">{title}</a></h2><p>{" ".join(text.split()[:20])}</p></div>'
    )


def _page(body: str) -> str:
    menu = '<ul id="menu"><li><a href="/">home</a></li><li><a href="/tag/t0/">first tag</a></li></ul>'
    return f'<html><body><div id="wrapper">{menu}<div id="content">{body}</div></div></body></html>'


class PagesOfSite:
    """Captures that are not in an archive."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = {same_page_key(HOST + path): (HOST + path, body) for path, body in pages.items()}

    def urls(self) -> Iterable[str]:
        return [url for url, _ in self._pages.values()]

    def document(self, url: str) -> VisitedDocument | None:
        found = self._pages.get(same_page_key(url))
        if found is None:
            return None
        return VisitedDocument(
            url=found[0],
            content=found[1].encode(),
            content_type="text/html",
            status=200,
            scope="blog.example/",
        )


def small_blog() -> SimulatedSite:
    return SimulatedSite(f"{HOST}/", "blog.example/", PagesOfSite(blog_pages()))
