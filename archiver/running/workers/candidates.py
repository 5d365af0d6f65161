"""The task that reads a page for a campaign."""
# ruff: noqa: PLC0415 - what performs it is imported by workers alone

from __future__ import annotations

from archiver.acquisition.campaigns.model import CandidateRead
from archiver.acquisition.campaigns.page import CandidateTopic  # noqa: TC001 - read at run time
from archiver.running.workers import DocumentTask


class ReadCandidate(DocumentTask[CandidateRead], frozen=True, kw_only=True):
    """Find what a page says of a campaign's subject, and where it leads."""

    topic: CandidateTopic
    most_links: int
    # Files and folders of the knowledge base, and the digest of all; empty where nothing is known.
    knowledge: tuple[str, ...] = ()
    digest: str = ""

    def perform(self) -> CandidateRead:
        from archiver.acquisition.campaigns.page import read_candidate
        from archiver.acquisition.sites.knowledge.loading import loaded_knowledge
        from archiver.acquisition.sites.reading import VisitedDocument
        from archiver.acquisition.sites.scope import scope_of

        stored = self.stored()
        document = VisitedDocument(
            url=self.url,
            content=stored.content,
            content_type=stored.content_type,
            status=stored.status,
            headers=stored.headers,
            # What it leads to on its own host.
            scope=scope_of(self.url, "host"),
        )
        known = loaded_knowledge(self.knowledge, self.digest) if self.knowledge else None
        return read_candidate(document, self.topic, self.most_links, known)
