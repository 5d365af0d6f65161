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
from archiver.store.schema.campaigns import (
    campaign_feeds,
    campaigns,
    candidates,
    definitions,
    host_yields,
    inlinks,
    relevances,
)
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
from archiver.store.schema.contributions import comment_feeds, contributions
from archiver.store.schema.fields import field_days, field_pages, field_watches, field_wrappers
from archiver.store.schema.hosts import host_rests
from archiver.store.schema.posts import api_posts, api_sources, posts
from archiver.store.schema.quotas import day_uses
from archiver.store.schema.reliability import (
    date_verdicts,
    host_software,
    host_validators,
    page_looks,
    source_reliability,
)
from archiver.store.schema.sitemaps import lastmods, sitemaps
from archiver.store.schema.sites import (
    failed_actions,
    families,
    labels,
    learned_actions,
    marks,
    pairs,
    referrers,
    sites,
    visits,
)
from archiver.store.schema.withheld import taken_requests, withheld

__all__ = [
    "absences",
    "addresses",
    "api_posts",
    "api_sources",
    "articles",
    "campaign_feeds",
    "campaigns",
    "candidates",
    "channels",
    "comment_feeds",
    "contributions",
    "date_verdicts",
    "day_uses",
    "definitions",
    "entries",
    "failed_actions",
    "families",
    "field_days",
    "field_pages",
    "field_watches",
    "field_wrappers",
    "gaps",
    "host_rests",
    "host_software",
    "host_validators",
    "host_yields",
    "inlinks",
    "labels",
    "lastmods",
    "leads",
    "learned_actions",
    "listings",
    "marks",
    "metadata",
    "object_files",
    "page_looks",
    "pages",
    "pairs",
    "payloads",
    "poll_prices",
    "posts",
    "recheck_prices",
    "referrers",
    "relevances",
    "requisites",
    "runs",
    "schema_version",
    "scopes",
    "sightings",
    "sitemaps",
    "sites",
    "sketches",
    "source_reliability",
    "subscriptions",
    "taken_requests",
    "told_lines",
    "twins",
    "validators",
    "versions",
    "visits",
    "withheld",
    "wrappers",
]
