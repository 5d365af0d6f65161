"""What a failure, or the end of failing, changes in a channel besides its next poll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.outcomes import Failure
from archiver.store import merging, moving

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.items import ChannelPoll
    from archiver.polling.schedule import NextPoll

Changes = tuple[dict[str, object], tuple[str, ...]]


def changes(connection: Connection, row: Row[Any], poll: ChannelPoll, decision: NextPoll) -> Changes:
    """What to write, and what to tell the operator."""
    named, notes = _named(connection, row, poll)
    if not named.get("url"):
        named |= merging.elsewhere(connection, row, decision.failures)
        if "url" in named:
            notes = (*notes, f"{row.url} fails, and is asked at {named['url']} from now on")
    is_gone = poll.failed is not None and poll.failed.failure is Failure.GONE
    if decision.retired and row.status != "retired" and not is_gone:
        notes = (*notes, f"{row.url}: {decision.why}")
    return named, notes


def revived(row: Row[Any]) -> Changes:
    """A retired channel that answers is a channel again."""
    if row.status != "retired":
        return {}, ()
    return {"status": "active"}, (f"{row.url} answers again, and is polled as before",)


def _named(connection: Connection, row: Row[Any], poll: ChannelPoll) -> Changes:
    """The feed that a page names in whose place there was one, believed when it is named again."""
    if poll.names is None:
        return {}, ()
    url = moving.seen_again(row, poll.names)
    if url is None:
        return {"moved_to": poll.names}, ()
    if moving.others_at(connection, row, url) is not None:
        return {}, (f"{row.url} is a web page now; the feed that it names, {url}, is polled already",)
    return moving.move(connection, row, url), (f"{row.url} is a web page now: followed to its feed {url}",)
