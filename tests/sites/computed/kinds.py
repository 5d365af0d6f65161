"""The five kinds of generated sites, as data: addresses, lists, and how much is said."""
# ruff: noqa: E501 - data, one thing a line

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ListForm:
    """Lists of one grouping: categories, tags, boards."""

    name: str
    paths: tuple[str, ...]
    # How many groups: so many, and one more for every so many items; at most so many.
    least: int = 1
    per: int = 0
    most: int = 10_000
    each: int = 1  # groups of one item
    length: int = 0  # consecutive items: so many in a group; -1: by month
    is_main: bool = False  # it leads to all items, and stands in the menu


@dataclass(frozen=True, slots=True, kw_only=True)
class KindForm:
    items: tuple[str, ...]
    lists: tuple[ListForm, ...]
    words: tuple[int, int]
    paragraphs: int
    comments: int  # at most, on one page
    per_page: tuple[int, ...]
    further: int = 0  # one item of so many has further pages
    home: str = "groups"  # or `list`: the newest items, page after page
    looks: tuple[str, ...] = ()  # traps of its own: facets, orders, versions, …


_BY_MONTH = -1

KINDS = {
    "blog": KindForm(
        items=("/{year}/{month:02}/{slug}/", "/{slug}/", "/?p={id}", "/blog/{slug}-{id}.html"),
        lists=(
            ListForm(name="", paths=("/",), length=1 << 40, is_main=True),
            ListForm(name="category", paths=("/category/{group}/", "/c/{group}/", "/?cat={gid}"), least=8),
            ListForm(name="tag", paths=("/tag/{group}/", "/topics/{group}/", "/?tag={group}"), least=20, per=40, most=300, each=3),
            ListForm(name="author", paths=("/author/{group}/", "/by/{group}/", "/?author={gid}"), least=4),
            ListForm(name="month", paths=("/{year}/{month:02}/", "/archive/{year}-{month:02}/", "/?m={year}{month:02}"), length=_BY_MONTH),
        ),
        words=(25, 60), paragraphs=4, comments=8, per_page=(5, 10, 12), home="list",
    ),
    "forum": KindForm(
        items=("/viewtopic.php?t={id}", "/threads/{slug}.{id}/", "/topic/{id}", "/t/{slug}/{id}"),
        lists=(
            ListForm(name="board", paths=("/viewforum.php?f={gid}", "/forums/{group}.{gid}/", "/board/{gid}", "/c/{group}/{gid}"), least=12, is_main=True),
            ListForm(name="starter", paths=("/search.php?author={gid}", "/members/{gid}/threads/", "/user/{gid}/topics", "/u/{group}/activity"), least=50, per=20, most=600),
        ),
        words=(15, 50), paragraphs=1, comments=10, per_page=(20, 25, 30), further=4, looks=("sorts", "facets"),
    ),
    "news": KindForm(
        items=("/{section}/{slug}-{id}.html", "/{year}/{month:02}/{day:02}/{slug}/", "/article/{id}/{slug}", "/{section}/{year}/{slug}.html"),
        lists=(
            ListForm(name="section", paths=("/{group}/", "/section/{group}", "/rubrik/{group}/"), least=8, is_main=True),
            ListForm(name="topic", paths=("/topic/{group}/", "/themen/{group}.html", "/tag/{group}"), least=40, per=50, most=400, each=2),
            ListForm(name="author", paths=("/author/{group}/", "/autoren/{group}.html", "/by/{group}"), least=30),
            ListForm(name="month", paths=("/archive/{year}/{month:02}/", "/archiv/{year}-{month:02}.html", "/sitemap/{year}/{month:02}"), length=_BY_MONTH),
        ),
        words=(30, 60), paragraphs=6, comments=4, per_page=(15, 20, 25),
    ),
    "docs": KindForm(
        items=("/docs/{section}/{slug}.html", "/en/latest/{section}/{slug}/", "/manual/{slug}.html", "/wiki/{slug}"),
        lists=(
            ListForm(name="chapter", paths=("/docs/{group}/", "/en/latest/{group}/", "/manual/part-{gid}.html", "/wiki/Category:{group}"), length=25, is_main=True),
            ListForm(name="keyword", paths=("/docs/keyword/{group}.html", "/en/latest/tags/{group}/", "/index/{group}.html", "/wiki/Topic:{group}"), least=40, per=100, most=300, each=2),
        ),
        words=(25, 60), paragraphs=5, comments=0, per_page=(25,), looks=("versions", "edits"),
    ),
    "shop": KindForm(
        items=("/product/{id}", "/p/{slug}/", "/{slug}-p{id}.html", "/item?id={id}"),
        lists=(
            ListForm(name="category", paths=("/category/{group}", "/c/{group}/", "/shop/{group}.html", "/list?cat={gid}"), least=40, is_main=True),
            ListForm(name="brand", paths=("/brand/{group}", "/marke/{group}/", "/brands/{group}.html", "/list?maker={gid}"), least=30),
        ),
        words=(12, 30), paragraphs=2, comments=5, per_page=(12, 24, 36), looks=("sorts", "facets", "carts"),
    ),
}  # fmt: skip
