"""Several entries on one page: each has an object of its own part, and the page is fetched once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.crawl.documents import Entry, prose, rss, story
from tests.crawl.running import DAY, crawl
from tests.crawl.site import html

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import Archived
    from tests.crawl.site import Answer, Site


def _notes(first: int, count: int, edited: int | None = None) -> list[tuple[str, str, tuple[str, ...]]]:
    """A name, a title and paragraphs for each note of a page."""
    found = []
    for number in range(first, first + count):
        words = prose(number, 2)
        words = (f"{words[0]} Corrected: the pump had failed.", *words[1:]) if number == edited else words
        found.append((f"n{number}", story(number).title, words))
    return found


def _page(notes: list[tuple[str, str, tuple[str, ...]]], *, named: bool, tag: str = "section") -> Answer:
    body = ""
    for name, title, words in notes:
        mark = f' id="{name}"' if named else ""
        body += f"<{tag}{mark}><h2>{title}</h2>{''.join(f'<p>{one}</p>' for one in words)}</{tag}>"
    return html(
        f"<html><body><h1>Village notes</h1><main>{body}</main><footer>Imprint</footer></body></html>"
    )


def _entries(path: str, notes: list[tuple[str, str, tuple[str, ...]]], *, named: bool) -> list[Entry]:
    return [
        Entry(link=f"{path}#{name}" if named else path, id=f"{path}{name}", title=title, summary=words[0])
        for name, title, words in notes
    ]


def _by_page(archived: Archived, site: Site, path: str) -> list[dict[str, object]]:
    url = site.url(path)
    return [one for one in archived.objects if str(one["url"]).partition("#")[0] == url]


def _are_apart(objects: list[dict[str, object]], notes: list[tuple[str, str, tuple[str, ...]]]) -> bool:
    """Whether each object has the words of one note, all of them, and of no other."""
    texts = {str(one["title"]): str(one["text"]) for one in objects}
    return all(
        all((one in texts.get(title, "")) == (other == title) for one in words)
        for title in texts
        for _, other, words in notes
    ) and len(texts) == len(objects) == len(notes)


def test_each_entry_of_a_page_has_its_own_object(archive: Path, site: Site) -> None:
    named, plain, thread = _notes(1, 5), _notes(11, 5), _notes(21, 4)
    changelog = _notes(31, 10)
    one = story(41)
    site.add("/named.html", _page(named, named=True))
    site.add("/plain.html", _page(plain, named=False))
    site.add("/thread.html", _page(thread, named=True, tag="div"))
    site.add("/changes.html", _page(changelog, named=True, tag="article"))
    site.add(one.path, one.page)
    whole = [
        replace(one.entry, link=f"{one.path}#{mark}", id=mark)
        for mark in ("comments", "respond", "top", "nothing-of-that-name")
    ]
    feeds = [
        site.add("/named.xml", rss(_entries("/named.html", named, named=True))),
        site.add("/plain.xml", rss(_entries("/plain.html", plain, named=False))),
        site.add("/thread.xml", rss(_entries("/thread.html", thread, named=True))),
        site.add("/changes.xml", rss(_entries("/changes.html", changelog, named=True))),
        site.add("/whole.xml", rss(whole)),
        site.add("/again.xml", rss([one.entry])),
    ]
    first = crawl(archive, feeds)
    assert first.pending() == 0
    for path, notes in (
        ("/named.html", named),
        ("/plain.html", plain),
        ("/thread.html", thread),
        ("/changes.html", changelog),
    ):
        assert _are_apart(_by_page(first, site, path), notes), path
        assert len(site.to(path)) == 1, path
    assert {one["url"] for one in _by_page(first, site, "/named.html")} == {
        site.url(f"/named.html#{name}") for name, _, _ in named
    }
    assert [one["url"] for one in _by_page(first, site, one.path)] == [site.url(one.path)]
    assert len(site.to(one.path)) == 1
    known = len(first.objects)
    assert len(first.rows("SELECT id FROM entries WHERE outcome = 'stored'")) == known

    # An edit of one note is a version of that note alone, and a note that is added is one more article.
    site.forget()
    later = [*_notes(1, 5, edited=3), *_notes(6, 1)]
    site.add("/named.html", _page(later, named=True))
    site.add("/named.xml", rss(_entries("/named.html", later, named=True)))
    second = crawl(archive, feeds, clock_offset=DAY)
    assert second.pending() == 0
    changed = {(str(one["url"]), one["version"]) for one in second.objects[known:]}
    assert changed == {(site.url("/named.html#n3"), 2), (site.url("/named.html#n6"), 1)}
    assert len(site.to("/named.html")) == 1
