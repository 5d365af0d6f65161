"""A feed that broke off: the entries that came are kept, and nothing else of it is believed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import Shown, moment_of, overlaps
from archiver.documents.feeds.entries import identify
from archiver.store.entries import find_changes, store_changes
from archiver.store.sightings import note_document

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.documents.feeds.entries import EntryChanges
    from archiver.documents.feeds.model import ParsedFeed
    from archiver.store.entries import Arrival, PageStagger


def keep_entries(
    connection: Connection, row: Row[Any], feed: ParsedFeed, arrival: Arrival, turns: PageStagger
) -> int:
    """Store the new entries that came before the feed broke off; how many there were."""
    changes = find_changes(connection, row.id, feed.entries)
    if not changes.new or not _reaches_back(row, feed, changes):
        return 0
    # What changed may be what was cut: it is told by the next document that is whole.
    new = replace(changes, changed=(), renamed=())
    store_changes(connection, row.id, new, arrival, turns)
    note_document(connection, row, new, recorded=arrival.recorded, is_whole=False)
    return len(new.new)


def _reaches_back(row: Row[Any], feed: ParsedFeed, changes: EntryChanges) -> bool:
    """Whether nothing can be missing between these entries and those that were known.

    Otherwise they are left to the next document: were they known by then, it would not show the gap.
    """
    new = {one.key for one in changes.new}
    shown = [Shown(known=one.key not in new, at=moment_of(one.entry)) for one in identify(feed.entries)]
    return not row.entries or overlaps(shown)
