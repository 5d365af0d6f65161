"""The tables of sites that are crawled as a whole, and of what is visited on them."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Table,
    UniqueConstraint,
    false,
)

from archiver.acquisition.pages import PageValidators
from archiver.archive.warc.records import Capture
from archiver.store.schema.base import Id, index_where, metadata
from archiver.store.types import Instant, Json, PlainText

sites = Table(
    "sites",
    metadata,
    Column("id", Id, primary_key=True),
    Column("url", PlainText, nullable=False, unique=True),
    Column("scope", PlainText, nullable=False),  # what the addresses of its pages begin with
    Column("strategy", String(12), nullable=False),  # that was asked for
    Column("way", String(12), nullable=False, server_default=""),  # that was found to work
    Column("type", String(80), nullable=False, server_default=""),  # of its software
    Column("software", String(80), nullable=False, server_default=""),  # for people
    Column("state", String(10), nullable=False),  # open, done, paused, stopped
    Column("why", PlainText),  # it is in that state
    Column("plan", PlainText),  # what was found and expected, in words
    Column("added", Instant, nullable=False),
    Column("ended", Instant),
    Column("again", Instant),  # since when it is crawled again, by the machine's clock
    Column("requests", Integer, nullable=False, server_default="0"),
    Column("failures", Integer, nullable=False, server_default="0"),  # in a row
    Column("rest_until", Instant),  # as it asked for
    Column("request_limit", Integer),
    # Where patterns are learned: what decides on the order of links of one kind; how many pairs of words are
    # kept, and of how many one is.
    Column("seed", Integer, nullable=False, server_default="0"),
    Column("pairs", Integer, nullable=False, server_default="0"),
    Column("grain", Integer, nullable=False, server_default="1"),
    # How much text was seen after how many requests: see acquisition/sites/coverage.py.
    Column("text", LargeBinary),
    Column("curve", Json(tuple[tuple[int, int], ...])),
    Column("contributions", Integer, nullable=False, server_default="0"),  # found on its pages
)

# The documents of a site: its lists, sitemaps and pages. What has something to keep is a page as well.
visits = Table(
    "visits",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", Id, ForeignKey("sites.id"), nullable=False),
    Column("key", PlainText, nullable=False),
    Column("url", PlainText, nullable=False),
    Column("host", PlainText, nullable=False),
    Column("via", PlainText, nullable=False),
    Column("action", String(80), nullable=False),
    Column("reading", String(10), nullable=False),
    Column("level", String(80), nullable=False),
    Column("whole", PlainText),  # the address of the item that it is a further page of
    Column("sought", PlainText),  # of the sitemaps that it names: a regular expression
    Column("is_further", Boolean, nullable=False),  # a further page of a list or an item
    Column("depth", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    # pending, held, deferred (until more is known of its family), ranked (until its label pays), settled,
    # skipped
    Column("state", String(10), nullable=False),
    Column("next_try", Instant, nullable=False),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("outcome", String(16)),
    Column("is_content", Boolean, nullable=False, server_default=false()),  # it has something to keep
    Column("visited", Instant),
    Column("capture", Json(Capture)),
    Column("validators", Json(PageValidators)),
    Column("family_id", Id, ForeignKey("families.id")),
    Column("stale", Integer, nullable=False, server_default="0"),  # how long its series showed nothing new
    Column("digest", String(24)),  # of what it shows
    Column("empty", Json(tuple[str, ...])),  # actions of its level that found nothing on it
    Column("earlier", Json(Capture)),  # the one before `capture`
    Column("label_id", Id, ForeignKey("labels.id")),  # of the links that lead there
    Column("teaser", Json(tuple[int, ...])),  # what a list says of it: pairs of words as hashes
    UniqueConstraint("site_id", "key"),
    # The order in which they are handed out.
    index_where("visits_pending", "site_id", "rank", "id", where="state = 'pending'"),
    # What came of them, counted without reading the rows; and the last ones.
    Index("visits_outcome", "site_id", "state", "outcome", "level", "is_content"),
    Index("visits_visited", "site_id", "visited"),
    Index("visits_family", "family_id", "state"),
    index_where("visits_deferred", "site_id", "family_id", where="state = 'deferred'"),
    Index("visits_digest", "site_id", "digest"),
    index_where("visits_ranked", "label_id", "id", where="state = 'ranked'"),
)

# Links of a site that are alike, and what came of those that were followed.
labels = Table(
    "labels",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", Id, ForeignKey("sites.id"), nullable=False),
    Column("path", PlainText, nullable=False),  # root to link
    Column("shape", PlainText, nullable=False),  # of the addresses that they lead to
    Column("example", PlainText, nullable=False),  # one of these addresses
    Column("source_id", Id),  # the label of the page on which the first one stood
    Column("is_poor", Boolean, nullable=False),  # all stand on pages that say nothing themselves
    Column("is_last", Boolean, nullable=False),  # the site asks not to follow them
    Column("series", Integer, nullable=False, server_default="0"),  # that are said to lead to a further page
    Column("others", Integer, nullable=False, server_default="0"),  # that do not
    Column("waiting", Integer, nullable=False, server_default="0"),  # addresses that were not asked for
    Column("fetched", Integer, nullable=False, server_default="0"),
    Column("gained", Float, nullable=False, server_default="0"),  # new pairs of words on all pages
    Column("paid", Integer, nullable=False, server_default="0"),  # pages that had any
    Column("found", Integer, nullable=False, server_default="0"),  # new addresses on all pages
    Column("gains", Json(tuple[float, ...])),  # of the last pages
    Column("leads", Json(tuple[tuple[tuple[int, int], ...], ...])),  # of each: labels, and how many new ones
    Column("checked", Integer, nullable=False, server_default="0"),  # pages compared with their teaser
    Column("held", Integer, nullable=False, server_default="0"),  # of them, those that contain it
    Column("again", Integer, nullable=False, server_default="0"),  # tries after it did not pay
    Column("again_at", Integer, nullable=False, server_default="64"),  # waiting, for the next one
    # Of lists that are looked at again: pages with something unknown; and since the last one of any list,
    # pages with news that others have shown, and pages without news.
    Column("fresh", Integer, nullable=False, server_default="0"),
    Column("covered", Integer, nullable=False, server_default="0"),
    Column("idle", Integer, nullable=False, server_default="0"),
    UniqueConstraint("site_id", "path", "shape"),
)

# Pairs of words that the pages of a site have shown, as hashes: one in `sites.grain` of them.
pairs = Table(
    "pairs",
    metadata,
    Column("site_id", Id, ForeignKey("sites.id"), primary_key=True, autoincrement=False),
    Column("pair", BigInteger, primary_key=True, autoincrement=False),
)

# Addresses of a site that are alike, what those of them gave that were asked for, and what was skipped.
families = Table(
    "families",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", Id, ForeignKey("sites.id"), nullable=False),
    Column("kind", String(10), nullable=False),  # family, kin, parameter, form
    Column("name", PlainText, nullable=False),
    Column("kin", PlainText, nullable=False, server_default=""),
    Column("parameters", PlainText, nullable=False, server_default=""),  # each between two spaces
    Column("state", String(10), nullable=False),
    Column("fresh", Integer, nullable=False, server_default="0"),
    Column("listed", Integer, nullable=False, server_default="0"),
    Column("barren", Integer, nullable=False, server_default="0"),
    Column("run", Integer, nullable=False, server_default="0"),
    Column("same", Integer, nullable=False, server_default="0"),
    Column("differ", Integer, nullable=False, server_default="0"),
    Column("last", PlainText, nullable=False, server_default=""),  # the page that was judged last
    Column("again", Integer, nullable=False, server_default="0"),  # how often it was tried again
    Column("again_at", Integer, nullable=False, server_default="64"),  # skipped, for the next try
    Column("skipped", Integer, nullable=False, server_default="0"),
    Column("examples", Json(tuple[str, ...])),
    UniqueConstraint("site_id", "kind", "name"),
)

# The runs of text that a site has shown, as hashes.
marks = Table(
    "marks",
    metadata,
    Column("site_id", Id, ForeignKey("sites.id"), primary_key=True, autoincrement=False),
    Column("mark", BigInteger, primary_key=True, autoincrement=False),
)

# Further pages that lead to a document that waits, or that failed: a few for each, the first is its `via`.
referrers = Table(
    "referrers",
    metadata,
    Column("visit_id", Id, primary_key=True, autoincrement=False),
    Column("via_id", Id, primary_key=True, autoincrement=False),  # the visit of the page that leads there
)

# What the knowledge base expects on pages of a level and was not there.
failed_actions = Table(
    "failed_actions",
    metadata,
    Column("site_id", Id, primary_key=True, autoincrement=False),
    Column("level", String(80), primary_key=True),
    Column("action", String(80), primary_key=True),
    Column("pages", Integer, nullable=False),  # looks in which it found nothing
    Column("example", PlainText, nullable=False),  # the last of them
    Column("seen", Instant, nullable=False),
)

# What was learned on pages of a site in place of actions that fail there.
learned_actions = Table(
    "learned_actions",
    metadata,
    Column("id", Id, primary_key=True),
    Column("site_id", Id, ForeignKey("sites.id"), nullable=False),
    Column("type", String(80), nullable=False),  # of the site's software
    Column("level", String(80), nullable=False),
    Column("action", String(80), nullable=False),
    Column("path", PlainText, nullable=False),
    Column("learned_from", String(10), nullable=False),
    Column("cost", Float, nullable=False),  # how far it is from what the knowledge base has
    Column("pages", Json(tuple[str, ...]), nullable=False),  # that it was learned from
    Column("tried", Integer, nullable=False),  # pages beyond these that it was tried on
    Column("passed", Integer, nullable=False),  # of these
    Column("learned", Instant, nullable=False),
    Column("applied", Instant),  # since when all pages that were visited before are read by it
    Column("outdated", Instant),  # since when it fails, or another one is in its place
    Index("learned_actions_site", "site_id", "outdated"),
)
