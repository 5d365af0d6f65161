"""Which entries of a feed are new, which changed, and which only got another id."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from w3lib.html import remove_tags, replace_entities

from archiver.digests import first_digest, name_digest, short_key
from archiver.documents.parts import fragment_part, is_zone, part_key, part_of_key, zone_part
from archiver.urls import differ_in_session, is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from archiver.documents.feeds.model import FeedEntry

# A page that more entries of one document lead to is a home, and each of them is somewhere else.
_MOST_PARTS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentifiedEntry:
    """An entry with what tells it from the channel's others."""

    entry: FeedEntry
    key: str
    link: str | None
    link_key: str | None
    digest: str
    # The part of its page that it announces; empty: all of it.
    part: str = ""

    @property
    def is_change(self) -> bool:
        """Whether it announces a change of its page: all such entries of a page are about all of it."""
        return self.entry.changed_page is not None

    @property
    def page_key(self) -> str | None:
        return part_key(self.link_key, self.part) if self.link_key else None

    @property
    def place(self) -> str | None:
        """Where its link leads."""
        return place_of(self.link_key, self.part)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEntry:
    """What the store knows of an entry."""

    id: int
    key: str
    link_key: str | None
    digest: str
    # The address of its page, and the key of that page or part of one.
    url: str | None = None
    page_key: str | None = None

    @property
    def place(self) -> str | None:
        return place_of(self.link_key, part_of_key(self.page_key or ""))


def place_of(link_key: str | None, part: str) -> str | None:
    """Where a link leads; what it does not say itself does not count."""
    return part_key(link_key, "" if is_zone(part) else part) if link_key else None


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryChanges:
    new: tuple[IdentifiedEntry, ...]
    changed: tuple[tuple[KnownEntry, IdentifiedEntry], ...]
    renamed: tuple[tuple[KnownEntry, IdentifiedEntry], ...]  # another id, all else the same
    # The keys of all entries of the document, in its order: no change by itself.
    shown: tuple[str, ...] = field(default=(), compare=False)


def identify(entries: Iterable[FeedEntry]) -> tuple[IdentifiedEntry, ...]:
    """Give each entry its key: its id, or its link where it has none or shares it with another."""
    # Once for each entry: to look at an address takes longer than all the rest.
    links = [(entry, _link(entry)) for entry in entries]
    linked = [
        (entry, link, same_page_key(link) if link else None, fragment_part(link or ""))
        for entry, link in links
    ]
    shared = _shared_ids([(entry, place_of(link_key, part)) for entry, _, link_key, part in linked])
    found: dict[str, IdentifiedEntry] = {}
    for entry, link, link_key, part in linked:
        key = _key(entry, _announced(entry) or place_of(link_key, part), id_counts=entry.id not in shared)
        # A document that repeats an entry means the first one.
        found.setdefault(
            key,
            IdentifiedEntry(
                entry=entry,
                key=key,
                link=link,
                link_key=link_key,
                digest=_digest(entry, link_key),
                part=part,
            ),
        )
    return tuple(found.values())


def with_zones(entries: Sequence[IdentifiedEntry], shared: Collection[str]) -> tuple[IdentifiedEntry, ...]:
    """The entries; those that share their page and do not say where on it have a part of their own.

    `shared` are pages that other entries of the channel lead to.
    """
    times = Counter(entry.place for entry in entries if entry.link_key and not entry.part)
    return tuple(
        replace(entry, part=zone_part(entry.key))
        if entry.link_key
        and not entry.part
        and not entry.is_change
        and times[entry.place] <= _MOST_PARTS
        and (times[entry.place] > 1 or entry.link_key in shared)
        else entry
        for entry in entries
    )


def _key(entry: FeedEntry, link_key: str | None, *, id_counts: bool) -> str:
    if entry.id and id_counts:
        return short_key(entry.id)
    # Marked, for one entry's id may be another one's link.
    if link_key:
        return f"link {link_key}"
    return name_digest(f"{entry.title}\n{entry.summary}\n{entry.content}")


def compare(
    current: tuple[IdentifiedEntry, ...], by_key: Mapping[str, KnownEntry], by_link: Mapping[str, KnownEntry]
) -> EntryChanges:
    """What this document says that the store does not know yet; `by_link` has links of one entry only."""
    present = {entry.key for entry in current}
    links = Counter(entry.place for entry in current)
    new, changed, renamed = [], [], []
    for entry in current:
        known = by_key.get(entry.key)
        # A link that several entries share, such as a podcast's home, tells none of them.
        if known is None and links[entry.place] == 1 and not entry.is_change:
            known = _same_link(entry, by_link, present)
        if known is None:
            new.append(entry)
            continue
        entry = _at_its_page(entry, known)  # noqa: PLW2901 - the same entry
        if known.digest != entry.digest:
            changed.append((known, entry))
        elif known.key != entry.key:
            renamed.append((known, entry))
    shown = tuple(entry.key for entry in current)
    return EntryChanges(new=tuple(new), changed=tuple(changed), renamed=tuple(renamed), shown=shown)


def _same_link(
    entry: IdentifiedEntry, by_link: Mapping[str, KnownEntry], present: set[str]
) -> KnownEntry | None:
    known = by_link.get(entry.place) if entry.place else None
    # Where both ids stand in the feed, they are two entries that share a link.
    return known if known and known.key not in present else None


def _at_its_page(entry: IdentifiedEntry, known: KnownEntry) -> IdentifiedEntry:
    """The entry with the link that is known, where the new one differs in a session id only."""
    if known.key != entry.key or known.link_key == entry.link_key or not known.url or not entry.link:
        return entry
    if not differ_in_session(known.url, entry.link):
        return entry
    return replace(entry, link_key=known.link_key, digest=_digest(entry.entry, known.link_key))


def _shared_ids(links: list[tuple[FeedEntry, str | None]]) -> set[str]:
    """Ids that one document gives to entries with different links: no ids at all."""
    found: defaultdict[str, set[str | None]] = defaultdict(set)
    for entry, link_key in links:
        if entry.id:
            found[entry.id].add(link_key)
    return {entry_id for entry_id, different in found.items() if len(different) > 1}


def _link(entry: FeedEntry) -> str | None:
    link = entry.page_link
    return link if link and is_web(link) else None


def _announced(entry: FeedEntry) -> str | None:
    """The key of the difference that a change of a page is announced with: it tells it from others."""
    return same_page_key(entry.link) if entry.changed_page and entry.link and is_web(entry.link) else None


def _digest(entry: FeedEntry, link_key: str | None) -> str:
    """Changes when the publisher changed what a reader sees, not when markup or a tracking parameter did."""
    updated = entry.updated.text if entry.updated else ""
    parts = (entry.title, _words(entry.summary), _words(entry.content), link_key, updated)
    return first_digest("\n".join(part or "" for part in parts))


def _words(markup: str | None) -> str:
    return replace_entities(remove_tags(markup)) if markup else ""
