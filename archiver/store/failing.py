"""What a failure, or the end of failing, changes in a channel besides its next poll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import case, func, select

from archiver.acquisition.outcomes import Failure
from archiver.store import merging, moving
from archiver.store.channels import listed_in
from archiver.store.schema import channels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.channels.polling.schedule import NextPoll
    from archiver.acquisition.items import ChannelPoll

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


def failing_share(connection: Connection, sources: Sequence[str] | None, since: datetime) -> float:
    """How much of what is polled with these files fails, and was found to fail by polls since this moment.

    Of all these channels and of those that were polled, the lower share: one failing channel that happens to
    be polled alone says nothing of the others, and others that were not polled say nothing of this run.
    """
    fails, polled = channels.c.failures > 0, channels.c.last_poll >= since
    counts = [func.sum(case((what, 1), else_=0)) for what in (fails, polled, fails & polled)]
    mine = (channels.c.status == "active") & listed_in(connection, sources)
    row = connection.execute(select(func.count(), *counts).where(mine)).one()
    listed, failing, polled_now, failed_now = (int(number or 0) for number in row)
    return min(failing / listed, failed_now / polled_now) if polled_now else 0.0
