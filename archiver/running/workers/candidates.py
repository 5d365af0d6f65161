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

    def perform(self) -> CandidateRead:
        from archiver.acquisition.campaigns.page import read_candidate

        stored = self.stored()
        return read_candidate(stored.content, stored.content_type, self.url, self.topic, self.most_links)
