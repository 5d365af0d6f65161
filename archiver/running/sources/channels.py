"""Channels: polled when they are due, for the entries that they announce."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.model import CAMPAIGNS
from archiver.acquisition.targets import DueChannel
from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.store.polling.due import HostLimit, due_channels, next_due, pollable_channels
from archiver.store.polling.polls import store_poll

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.items import ChannelPoll
    from archiver.running.session import Session
    from archiver.running.sources import Room


class ChannelSource(Source[DueChannel]):
    name = "channels"
    every = float("inf")
    stage = 1

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        # Hundreds of feeds of one host may fall due at once: the others go on beside them.
        self.per_host = max(1, session.places.per_host // 2)

    def due(self, connection: Connection, room: Room) -> Sequence[DueChannel]:
        polled = [host for host, count in room.at_host.items() for _ in range(count)]
        return due_channels(
            connection,
            room.now,
            limit=room.limit,
            busy=room.busy,
            sources=self.session.seeds,
            # A run that ends polls each channel once, however short its interval.
            not_since=room.since,
            hosts=HostLimit(most=room.per_host, polled=polled, without=room.elsewhere),
            moment=room.moment,
        )

    def next_due(self, connection: Connection, now: datetime) -> datetime | None:  # noqa: ARG002
        return next_due(connection, self.session.seeds)

    def recorded(self, connection: Connection) -> Sequence[DueChannel]:
        return pollable_channels(connection)

    async def store(self, answer: ChannelPoll) -> Effects:
        archive = self.session.archive
        rules = archive.config.polls
        times = {"recorded": machine_now(), "now": archive.clock.now()}
        result = await archive.database.run_async(store_poll, answer, rules=rules, **times)
        archive.report.polled(result)
        wants = ["pages"]
        if result.gap is not None:
            wants.append("gaps")
        if self.session.campaign_run is not None and result.new:
            wants.append(CAMPAIGNS)
        if rules.channel_pages:
            wants.append("requisites")
        return Effects(wants=tuple(wants), reads=bool(result.new))
