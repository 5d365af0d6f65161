"""Versions as the state store knows them, made again from the objects that were written for them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.articles.continuation.model import NONE, Further
from archiver.articles.model import Article
from archiver.articles.objects.model import Version, article_id
from archiver.articles.versions.fingerprints import fingerprint
from archiver.articles.versions.model import Making
from archiver.documents.parts import fragment_part, part_key, part_of_key, zone_part
from archiver.store.content.articles import NewVersion
from archiver.store.content.twins import canonical_key
from archiver.submissions import request_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.archive.warc.records import Capture
    from archiver.articles.objects.model import ArchivedObject
    from archiver.articles.versions.model import Fingerprint
    from archiver.running.restoring.lines import KeptObject


def version_of(
    kept: KeptObject, key: str, capture: Capture, further: Sequence[Capture], channel_id: int
) -> NewVersion:
    """What the state store knew of the version that an object is of."""
    told = kept.object
    return NewVersion(
        key=key,
        url=told.url,
        channel_id=channel_id,
        version=Version(
            number=told.version,
            change=told.change,
            fingerprint=_fingerprint(told),
            first_seen=told.first_seen,
            capture=capture,
            extractor=told.extractor,
            further=Further(captures=tuple(further), lacks=told.incomplete)
            if further or told.incomplete
            else NONE,
            unchanged_until=told.unchanged_until,
            reextracted=told.reextracted,
        ),
        published=told.published,
        modified=told.updated,
        title=told.title,
        method=told.method,
        making=Making(
            extractor=told.extractor,
            wrapper=told.wrapper,
            siblings=told.siblings if told.wrapper is None else (),
        ),
        canonical=canonical_key(told.canonical_url, key),
        place=kept.place,
    )


def _fingerprint(told: ArchivedObject) -> Fingerprint:
    made = fingerprint(
        Article(
            method=told.method,
            confidence=told.confidence,
            text=told.text,
            html=told.html,
            title=told.title,
            links=told.links,
            images=told.images,
        )
    )
    # The title may be the entry's: then nothing is known of that of the page.
    return made if made.whole == told.digest else replace(made, whole=told.digest, title="")


def key_of(told: ArchivedObject, page_key: str, capture: Capture, known: Iterable[str]) -> str | None:
    """The key of an article: the one that its id was made from. None where the archive does not tell."""
    wholes = (capture.page_key, request_key(told.url, capture.submission), page_key.partition("#")[0])
    parts = ("", part_of_key(page_key), fragment_part(told.url), zone_part(told.entry_id or ""))
    candidates = (*known, page_key, *(part_key(whole, part) for whole in wholes for part in parts))
    return next((key for key in candidates if article_id(key) == told.id), None)
