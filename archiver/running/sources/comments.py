"""Feeds of comments: each is asked for when its article was looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.targets import CommentFeedAsk
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.content.comment_feeds import due_comment_feeds, store_comment_feed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.items import CommentFeedFetch
    from archiver.running.sources import Room


class CommentFeedSource(Source[CommentFeedAsk]):
    name = "comments"

    @property
    def is_on(self) -> bool:
        config = self.session.archive.config
        return config.extraction and config.comments

    def due(self, connection: Connection, room: Room) -> Sequence[CommentFeedAsk]:
        return due_comment_feeds(
            connection, room.now, limit=room.limit, per_host=room.per_host, busy=room.busy, without=room.full
        )

    async def store(self, answer: CommentFeedFetch) -> Effects:
        archive = self.session.archive
        counts = await archive.write(
            store_comment_feed, answer, recorded=machine_now(), now=archive.clock.now()
        )
        archive.report.contributed(counts)
        if answer.failed is not None:
            archive.report.contributions["feeds failed"] += 1
        return Effects()
