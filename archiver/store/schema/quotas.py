"""The table of what each host and each channel has given on a day."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Integer, String, Table

from archiver.store.schema.base import metadata
from archiver.store.types import PlainText

# By the schedule's clock; the rows of days that are over are deleted.
day_uses = Table(
    "day_uses",
    metadata,
    Column("day", Integer, primary_key=True, autoincrement=False),  # since 1970, in UTC
    Column("kind", String(8), primary_key=True),  # host, channel, asked
    Column("name", PlainText, primary_key=True),  # the host, the channel's number, or requisites and others
    Column("pages", Integer, nullable=False),  # documents other than feeds; of what was asked, requests
    Column("bytes", BigInteger, nullable=False),  # of all bodies as they were received
)
