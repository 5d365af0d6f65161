"""A page of the archive as extraction would read it now: with its entry, its wrappers and its siblings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from archiver.articles.labels.model import LabelKnowledge
from archiver.articles.methods.registry import DEFAULT, extractor_of
from archiver.errors import RecordError
from archiver.inspection.announced import announced_page, led_page, siblings_of
from archiver.inspection.pages import read_sibling
from archiver.inspection.reliability.queries import known_records
from archiver.store.content.wrappers import memory_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.articles.model import Wrapper
    from archiver.documents.pages.model import RawPage
    from archiver.inspection.announced import AnnouncedPage

# With so many pages of its channel an archived page is read.
_SIBLINGS = 4


class PageContext(NamedTuple):
    """What the state store has on a page."""

    page: AnnouncedPage | None = None
    siblings: Sequence[AnnouncedPage] = ()
    memory: Sequence[Wrapper] = ()
    labels: LabelKnowledge = LabelKnowledge()


def known_page(state: Connection, url: str, withheld: Withheld) -> PageContext:
    """Raises WithheldError where the page is withheld under the address of its capture."""
    page = announced_page(state, url) or led_page(state, url)
    if page is None:
        return PageContext()
    withheld.refuse(page.capture.url)
    siblings = [one for one in siblings_of(state, page, 2 * _SIBLINGS) if not withheld.hides(one.capture.url)]
    memory = memory_of(state, [page.channel_id], extractor_of(DEFAULT))
    labels = LabelKnowledge(records=known_records(state), channel=page.channel_id)
    return PageContext(page, siblings[:_SIBLINGS], memory.get(page.channel_id, ()), labels)


def read_siblings(
    warc_folder: Path, siblings: Sequence[AnnouncedPage], on_problem: Callable[[str], object]
) -> list[RawPage]:
    """Those that can be read."""
    found = []
    for sibling in siblings:
        try:
            found.append(read_sibling(warc_folder, sibling))
        except RecordError as error:
            on_problem(f"a sibling is left out: {error}")
    return found
