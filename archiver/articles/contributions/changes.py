"""What a look at a page changes of its contributions: which are new, edited, as they were, gone or back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.contributions.model import ContributionVersion, contribution_id, digest_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from archiver.articles.contributions.model import ContributionPage
    from archiver.documents.contributions import Contribution, ReadBy

# The digest of a text for each way in which it was read: only those of one way are compared.
Digests = dict["ReadBy", str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContribution:
    """The last version of a contribution."""

    id: str
    version: int
    digests: Digests
    first_seen: datetime
    last_seen: datetime
    # The page key of the document that showed it last; empty where that is not known.
    shown_at: str
    is_gone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenContribution:
    """A contribution that gets a line."""

    found: Contribution
    version: ContributionVersion
    digests: Digests


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenContribution:
    """A contribution that is as it was."""

    known: KnownContribution
    digests: Digests


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionChanges:
    """What a look came to."""

    written: tuple[WrittenContribution, ...] = ()
    seen: tuple[SeenContribution, ...] = ()
    gone: tuple[KnownContribution, ...] = ()


def compare(
    found: Sequence[Contribution],
    known: Mapping[str, KnownContribution],
    page: ContributionPage,
    recorded: datetime,
    *,
    is_whole: bool,
) -> ContributionChanges:
    """What is to be noted; `is_whole` says that the document shows all that it has to show."""
    written, seen, there = [], [], set()
    for one in found:
        name = contribution_id(page.article, one.kind, one.key)
        if name in there:
            continue  # the first of two with one name
        there.add(name)
        before = known.get(name)
        if before is None or _is_edited(one, before, page):
            written.append(_written(one, before, recorded))
        elif page.capture.date >= before.last_seen:
            seen.append(
                SeenContribution(known=before, digests=before.digests | {one.read_by: digest_of(one.text)})
            )
    # A document that shows nothing at all may have another template, or a notice in the place of them.
    gone = _missing(known, there, page) if is_whole and found else ()
    return ContributionChanges(written=tuple(written), seen=tuple(seen), gone=tuple(gone))


def _is_edited(one: Contribution, before: KnownContribution, page: ContributionPage) -> bool:
    """Whether the text is another than when it was last read in this way, and not one that is known."""
    digest = digest_of(one.text)
    was = before.digests.get(one.read_by)
    is_other = was is not None and was != digest and digest not in before.digests.values()
    # What an older capture shows is not news.
    return is_other and page.capture.date > before.last_seen


def _written(one: Contribution, before: KnownContribution | None, recorded: datetime) -> WrittenContribution:
    if before is None:
        version = ContributionVersion(number=1, first_seen=recorded)
    else:
        version = ContributionVersion(
            number=before.version + 1, first_seen=before.first_seen, unchanged_until=before.last_seen
        )
    return WrittenContribution(found=one, version=version, digests={one.read_by: digest_of(one.text)})


def _missing(
    known: Mapping[str, KnownContribution], there: set[str], page: ContributionPage
) -> list[KnownContribution]:
    """Those that this very document showed before. Where there are several pages of them, others go on."""
    return [
        one
        for name, one in known.items()
        if name not in there
        and not one.is_gone
        and one.shown_at == page.capture.page_key
        and one.last_seen < page.capture.date
    ]
