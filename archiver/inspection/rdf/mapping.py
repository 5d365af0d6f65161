"""What each field of an object says in RDF: the one table of it, for articles and for contributions.

A row is a statement about a node: its predicate, the field that has its value, and the form of the value.
A form is a literal (`words` has the object's language), an `address`, or the name of the node that is meant.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Mapping


class Mapped(NamedTuple):
    """One statement: `predicate` of a node is what `field` has, written in this form."""

    predicate: str
    field: str
    form: str


class NodeMap(NamedTuple):
    """What is said of a kind of node."""

    types: tuple[str, ...]
    statements: tuple[Mapped, ...]


# Literals.
TEXT, WORDS, NUMBER, DECIMAL, MOMENT, DAY = "text", "words", "number", "decimal", "moment", "day"
ADDRESS = "address"
# Nodes.
ARTICLE, CONTRIBUTION, VERSION, CHANNEL, ACCOUNT = (
    "article", "contribution", "version", "channel", "account"
)  # fmt: skip
CAPTURE, RECORD = "capture", "record"

_OF_VERSION = (
    Mapped("schema:version", "version", NUMBER),
    Mapped("dcterms:replaces", "replaces", VERSION),
    Mapped("schema:text", "text", WORDS),
    Mapped("archiver:captured", "captured", MOMENT),
    Mapped("archiver:unchangedUntil", "unchanged_until", MOMENT),
    Mapped("archiver:confidence", "confidence", DECIMAL),
)

NODES: Mapping[str, NodeMap] = MappingProxyType(
    {
        ARTICLE: NodeMap(
            ("schema:Article", "sioc:Post"),
            (
                Mapped("schema:url", "url", ADDRESS),
                Mapped("sioc:has_creator", "authors", ACCOUNT),
                Mapped("sioc:has_container", "channel", CHANNEL),
                Mapped("dcterms:identifier", "entry_id", TEXT),
                Mapped("dcterms:isReferencedBy", "led_by", ADDRESS),
                Mapped("prov:alternateOf", "twins", ARTICLE),
                Mapped("archiver:firstSeen", "first_seen", MOMENT),
            ),
        ),
        f"{VERSION} of an article": NodeMap(
            ("schema:CreativeWork",),
            (
                Mapped("dcterms:isVersionOf", "id", ARTICLE),
                *_OF_VERSION,
                Mapped("schema:headline", "title", WORDS),
                Mapped("schema:abstract", "summary", WORDS),
                Mapped("schema:inLanguage", "language", TEXT),
                Mapped("schema:keywords", "categories", TEXT),
                Mapped("schema:author", "authors", ACCOUNT),
                Mapped("schema:datePublished", "published", MOMENT),
                Mapped("schema:datePublished", "published_day", DAY),
                Mapped("schema:dateModified", "updated", MOMENT),
                Mapped("schema:mainEntityOfPage", "canonical_url", ADDRESS),
                Mapped("schema:archivedAt", "captures", CAPTURE),
                Mapped("sioc:links_to", "links", ADDRESS),
                Mapped("schema:image", "images", ADDRESS),
                Mapped("schema:associatedMedia", "media", ADDRESS),
                Mapped("schema:discussionUrl", "comments", ADDRESS),
                Mapped("sioc:feed", "comments_feed", ADDRESS),
                Mapped("schema:commentCount", "comments_count", NUMBER),
                Mapped("archiver:change", "change.kinds", TEXT),
                Mapped("archiver:similarity", "change.similarity", DECIMAL),
                Mapped("archiver:wordsAdded", "change.added", NUMBER),
                Mapped("archiver:wordsRemoved", "change.removed", NUMBER),
                Mapped("archiver:method", "method", TEXT),
            ),
        ),
        # Each kind of contribution has a type of its own, see CONTRIBUTION_TYPES.
        CONTRIBUTION: NodeMap(
            (),
            (
                Mapped("sioc:reply_of", "parent", CONTRIBUTION),
                Mapped("sioc:reply_of", "answers", ARTICLE),
                Mapped("schema:about", "article", ARTICLE),
                Mapped("schema:isPartOf", "page_url", ADDRESS),
                Mapped("dcterms:isVersionOf", "revises", ARTICLE),
                Mapped("schema:url", "url", ADDRESS),
                Mapped("sioc:has_creator", "author", ACCOUNT),
                Mapped("schema:datePublished", "published", MOMENT),
                Mapped("schema:datePublished", "published_day", DAY),
                Mapped("dcterms:identifier", "key", TEXT),
                Mapped("archiver:firstSeen", "first_seen", MOMENT),
            ),
        ),
        f"{VERSION} of a contribution": NodeMap(
            ("schema:CreativeWork",),
            (
                Mapped("dcterms:isVersionOf", "id", CONTRIBUTION),
                *_OF_VERSION,
                Mapped("schema:author", "author", ACCOUNT),
                Mapped("schema:position", "position", NUMBER),
                Mapped("schema:archivedAt", "captures", CAPTURE),
                Mapped("archiver:change", "change", TEXT),
                Mapped("archiver:method", "read_by", TEXT),
            ),
        ),
        CHANNEL: NodeMap(
            ("sioc:Container", "schema:DataFeed"),
            (Mapped("schema:name", "channel_title", TEXT),),
        ),
        ACCOUNT: NodeMap(
            ("sioc:UserAccount",),
            (
                Mapped("schema:name", "name", TEXT),
                Mapped("archiver:host", "host", TEXT),
                Mapped("schema:url", "url", ADDRESS),
            ),
        ),
        CAPTURE: NodeMap(
            ("prov:Entity",),
            (
                Mapped("prov:generatedAtTime", "captured", MOMENT),
                Mapped("prov:hadPrimarySource", "url", ADDRESS),
                # Where the payload was de-duplicated: the capture that has it.
                Mapped("prov:wasDerivedFrom", "original", RECORD),
            ),
        ),
        RECORD: NodeMap(
            (),
            (
                Mapped("archiver:warcFile", "file", TEXT),
                Mapped("archiver:warcOffset", "offset", NUMBER),
            ),
        ),
    }
)

CONTRIBUTION_TYPES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "comment": ("schema:Comment", "sioc:Post"),
        "post": ("schema:DiscussionForumPosting", "sioc:Post"),
        "revision": ("schema:CreativeWork", "sioc:Item"),
    }
)


def expanded(name: str) -> str:
    """`https://schema.org/headline` of `schema:headline`."""
    prefix, _, local = name.partition(":")
    return PREFIXES[prefix] + local


def shortened_name(iri: str) -> str:
    """The other way round, where a prefix fits."""
    for prefix, start in PREFIXES.items():
        if iri.startswith(start):
            return f"{prefix}:{iri[len(start) :]}"
    return iri
