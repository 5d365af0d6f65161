"""The tables of the state store."""

from __future__ import annotations

from archiver.store.schema.articles import (
    absences,
    articles,
    entries,
    leads,
    pages,
    requisites,
    scopes,
    sightings,
    sketches,
    twins,
    versions,
)
from archiver.store.schema.base import metadata, object_files, payloads, runs, schema_version
from archiver.store.schema.channels import (
    addresses,
    channels,
    gaps,
    listings,
    poll_prices,
    recheck_prices,
    subscriptions,
    told_lines,
    validators,
    wrappers,
)
from archiver.store.schema.hosts import host_rests
from archiver.store.schema.quotas import day_uses
from archiver.store.schema.sitemaps import lastmods, sitemaps
from archiver.store.schema.withheld import taken_requests, withheld

__all__ = [
    "absences",
    "addresses",
    "articles",
    "channels",
    "day_uses",
    "entries",
    "gaps",
    "host_rests",
    "lastmods",
    "leads",
    "listings",
    "metadata",
    "object_files",
    "pages",
    "payloads",
    "poll_prices",
    "recheck_prices",
    "requisites",
    "runs",
    "schema_version",
    "scopes",
    "sightings",
    "sitemaps",
    "sketches",
    "subscriptions",
    "taken_requests",
    "told_lines",
    "twins",
    "validators",
    "versions",
    "withheld",
    "wrappers",
]
