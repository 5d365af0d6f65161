"""The step to version 10: one function for each room that has new tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.migrations.campaigns import campaigns_have_queues
from archiver.store.migrations.posts import apis_are_asked
from archiver.store.migrations.reliability import trust_is_counted
from archiver.store.migrations.rendering import pages_are_rendered

if TYPE_CHECKING:
    from sqlalchemy import Connection


def to_version_10(connection: Connection) -> None:
    trust_is_counted(connection)
    apis_are_asked(connection)
    pages_are_rendered(connection)
    campaigns_have_queues(connection)
