"""The step to version 11: one function for each room that has new tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.store.migrations.campaigns import feeds_outlast_campaigns
from archiver.store.migrations.forms import forms_are_asked
from archiver.store.migrations.imports import files_are_imported
from archiver.store.migrations.looks import lists_are_looked_at_again
from archiver.store.migrations.workers import workers_share_a_store

if TYPE_CHECKING:
    from sqlalchemy import Connection


def to_version_11(connection: Connection) -> None:
    files_are_imported(connection)
    workers_share_a_store(connection)
    forms_are_asked(connection)
    lists_are_looked_at_again(connection)
    feeds_outlast_campaigns(connection)
