"""Text that announces another page: it belongs to the page that a link within leads to, not to the list.

On a list of posts each one has its heading, which is a link, and some text. The largest element around a link
that holds no other link of the same kind is the record of what it leads to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import takewhile
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.lexicon.elements import HEADINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.learning.labels import LinkLabel
    from archiver.documents.pages.links import PageLink

# So many links of a kind to different pages are a list.
LEAST_ITEMS = 3
# A title has so many words, or is all of a heading.
_LEAST_TITLE = 3
_ITEMS = frozenset({"article", "li"})


def records_of(links: Sequence[tuple[PageLink, LinkLabel]], url: str) -> dict[Element, int]:
    """The record of each link of a list, with the place of the link; `url` is the address of the page."""
    kinds: dict[LinkLabel, list[int]] = defaultdict(list)
    for at, (_, label) in enumerate(links):
        kinds[label].append(at)
    own = urlsplit(url).path
    found: dict[Element, int] = {}
    for places in kinds.values():
        # What has the path of the page itself is the page in another way, and no other one.
        others = {at: links[at][0] for at in places if urlsplit(links[at][0].url).path != own}
        is_list = len({link.url for link in others.values()}) >= LEAST_ITEMS
        for at, record in _of_list(others) if is_list else _alone(others):
            found.setdefault(record, at)
    return found


def _of_list(links: Mapping[int, PageLink]) -> Iterator[tuple[int, Element]]:
    """All records of a list are as high: where one item of it stands alone, all around it is not its own."""
    held: Counter[Element] = Counter()
    for link in links.values():
        held.update((link.element, *link.element.iterancestors()))
    own = {
        at: [link.element, *takewhile(lambda one: held[one] == 1, link.element.iterancestors())]
        for at, link in links.items()
    }
    height = min(map(len, own.values()))
    yield from ((at, elements[height - 1]) for at, elements in own.items())


def _alone(links: Mapping[int, PageLink]) -> Iterator[tuple[int, Element]]:
    """A list with one item or two: what has a heading that is a link, and says that it is one of several."""
    for at, link in links.items():
        if any(one.tag in HEADINGS for one in link.element.iterancestors()):
            record = next((one for one in link.element.iterancestors() if one.tag in _ITEMS), None)
            if record is not None:
                yield at, record


def is_title(link: PageLink) -> bool:
    """Whether what a link says can be the title of a page; the name of an author is not."""
    if len(link.text.split()) >= _LEAST_TITLE:
        return True
    headings = (one for one in link.element.iterancestors() if one.tag in HEADINGS)
    return any(_words(one.itertext()) == link.text.split() for one in headings)


def _words(texts: Iterable[object]) -> list[str]:
    return "".join(str(text) for text in texts).split()
