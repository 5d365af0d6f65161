"""The tables of the state store."""

from __future__ import annotations

from archiver.store.schema.articles import articles, entries, pages, requisites, versions
from archiver.store.schema.base import metadata, object_files, payloads, schema_version
from archiver.store.schema.channels import (
    addresses,
    channels,
    gaps,
    listings,
    poll_prices,
    subscriptions,
    validators,
    wrappers,
)

__all__ = [
    "addresses",
    "articles",
    "channels",
    "entries",
    "gaps",
    "listings",
    "metadata",
    "object_files",
    "pages",
    "payloads",
    "poll_prices",
    "requisites",
    "schema_version",
    "subscriptions",
    "validators",
    "versions",
    "wrappers",
]
