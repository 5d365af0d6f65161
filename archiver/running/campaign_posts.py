"""What APIs answer for a campaign: posts are scored like pages, and what they lead to waits in the queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.model import FoundBy, WayThere, found_link
from archiver.acquisition.campaigns.page import read_post
from archiver.documents.contributions import ContributionKind
from archiver.domains import same_owner
from archiver.store.campaigns.posts import THROUGH_API, ScoredPost, note_posts
from archiver.store.campaigns.queue import add_candidates, known_candidates

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import FoundLink
    from archiver.archive.warc.records import Capture
    from archiver.documents.apis.model import ApiPage, Post
    from archiver.documents.pages.model import Link
    from archiver.running.campaign_run import RunningCampaign

# Characters of a post that count as the words around its links.
_LONGEST_POST = 500
# What has a page of its own: a comment stands on that of another.
_PAGES = frozenset({ContributionKind.POST, ContributionKind.REVISION})


def take_links(connection: Connection, running: RunningCampaign, page: ApiPage, now: datetime) -> None:
    """Queue what posts lead to: the words of a post are those around its links."""
    links = [_posted_link(post, link) for post in page.posts for link in post.links]
    links += [found_link(link.url, link.text or "", "", None) for link in page.links]
    _add(connection, running, links, now)


def settle_posts(
    connection: Connection, running: RunningCampaign, posts: Sequence[Post], capture: Capture, now: datetime
) -> None:
    """Take posts for their pages: an address that an API has answered for is not asked for once more.

    It answers for its own site. What it says of another one, as services do that pass posts on, counts only
    where nothing else led there: any server could take the addresses of others from the queue.
    """
    shown = [post for post in posts if post.url and "#" not in post.url and post.kind in _PAGES]
    links = [found_link(post.url or "", post.title or "", "", post.language) for post in shown]
    key_of = running.models.repeats.key
    others = {key_of(post.url or "") for post in shown if not same_owner(post.url or "", capture.url)}
    known = known_candidates(connection, running.campaign.id, sorted(others))
    left = {key for key, row in known.items() if row.outcome != THROUGH_API}
    _add(connection, running, links, now)
    scored = [_scored(running, post) for post in shown if key_of(post.url or "") not in left]
    note_posts(connection, running.campaign, scored, capture, key_of, now)


def _add(connection: Connection, running: RunningCampaign, links: Sequence[FoundLink], now: datetime) -> None:
    models, way = running.models, WayThere(found_by=FoundBy.API)
    add_candidates(
        connection, running.campaign, links, now, score=models.score, way=way, repeats=models.repeats
    )


def _scored(running: RunningCampaign, post: Post) -> ScoredPost:
    read = read_post(post, running.topic)
    score, signals = running.models.judge(read.signals, read.words)
    return ScoredPost(url=post.url or "", read=read, score=score, signals=signals)


def _posted_link(post: Post, link: Link) -> FoundLink:
    return found_link(link.url, link.text or "", post.text[:_LONGEST_POST], post.language, posters=1)
