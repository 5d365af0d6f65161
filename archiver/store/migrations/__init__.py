"""How a state store of an older archiver becomes one of this: plain SQL, which never changes again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.migrations.early import to_version_5, to_version_6, to_version_7
from archiver.store.migrations.fields import to_version_9
from archiver.store.migrations.sites import to_version_8
from archiver.store.migrations.version_10 import to_version_10
from archiver.store.migrations.version_11 import to_version_11

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy import Connection

# The first schema that was published: older stores have no way to here.
OLDEST_VERSION = 4
# What brings a store from version N to N + 1 stands at index N - OLDEST_VERSION.
MIGRATIONS: list[Callable[[Connection], None]] = [
    to_version_5,
    to_version_6,
    to_version_7,
    to_version_8,
    to_version_9,
    to_version_10,
    to_version_11,
]
CURRENT_VERSION = OLDEST_VERSION + len(MIGRATIONS)
# Later steps only add tables and indexes: what reads a store does without them, until a run adds them.
OLDEST_READABLE = 6
