"""The tables of crawl workers that share a store: who is alive, what each holds and has counted."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, Float, Index, Integer, Sequence, String, Table, false

from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, PlainText

# One row for each archive folder that a worker writes to; all times are those of the database server.
workers = Table(
    "workers",
    metadata,
    Column("id", Id, primary_key=True),
    Column("name", PlainText, nullable=False, unique=True),  # of its files: archive/writers.py
    Column("host", PlainText, nullable=False),
    Column("process", Integer, nullable=False),
    Column("folder", PlainText, nullable=False),
    Column("started", Instant, nullable=False),
    Column("beat", Instant, nullable=False),  # its last sign of life
    Column("patience", Float, nullable=False),  # seconds without one after which it counts as dead
    Column("watches", Boolean, nullable=False, server_default=false()),  # it does not end by itself
    Column("backend", Integer, nullable=False),  # the server's process for its connection
    Column("ended", Instant),
    Column("end", String(8)),  # how: finished, silent
)

# Who may ask the hosts of a registered domain; rows of those that are free are deleted after a while.
leases = Table(
    "leases",
    metadata,
    Column("domain", PlainText, primary_key=True),
    Column("worker_id", BigInteger),  # that has it, or had it last
    Column("held", Boolean, nullable=False),
    Column("since", Instant, nullable=False),
    Column("turn", BigInteger, nullable=False),  # of lease_turns, when it was given back
    Column("free_at", Instant, nullable=False),  # when another worker may ask: politeness
    index_where("leases_held", "worker_id", where="held"),
    Index("leases_free", "free_at"),
)
# Orders what is given back and what is looked for; SQLite does without.
lease_turns = Sequence("lease_turns", metadata=metadata)

# What each worker has counted since the sums were last used: none of them waits for another's row.
worker_counts = Table(
    "worker_counts",
    metadata,
    Column("worker_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", String(12), primary_key=True),  # polls, rechecks, others
    Column("count", BigInteger, nullable=False),
)

# What one worker does alone: a site, a campaign, a form.
worker_works = Table(
    "worker_works",
    metadata,
    Column("work", PlainText, primary_key=True),
    Column("worker_id", BigInteger, nullable=False),
)

# Who captured a page last, where several workers share a store: the record is in the files of that one.
page_holders = Table(
    "page_holders",
    metadata,
    Column("page_id", Id, primary_key=True, autoincrement=False),
    Column("writer", PlainText, nullable=False),
    Index("page_holders_writer", "writer"),
)
