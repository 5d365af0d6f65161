"""A subscription and how it changes: pure functions of what a feed and its hub say and when."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, replace
from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.urls import LONGEST_URL, is_web

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from archiver.documents.feeds.model import FeedInfo

_HOUR = timedelta(hours=1)
# How long a hub that was asked may take to ask back.
_PATIENCE = _HOUR
_LONGEST_WAIT = timedelta(days=1)
# A hub that does not want us, or never answers, is left alone for this long.
_TRUCE = timedelta(days=7)
_MOST_TRIES = 6
_SHORTEST_LEASE = timedelta(seconds=1)
LONGEST_LEASE = timedelta(days=90)
# The lease is renewed when this much of it is over.
_RENEWED_AFTER = 0.8
# However often a hub calls, a channel is not asked again sooner than this.
BETWEEN_PINGS = timedelta(seconds=10)
# A hub signs as it likes; each of these is sound as an HMAC.
_SIGNATURES = {"sha1", "sha256", "sha384", "sha512"}
_GONE = 410


class State(StrEnum):
    WANTED = "wanted"  # the hub is to be asked
    ASKED = "asked"  # the hub was asked and will ask back
    ACTIVE = "active"  # the hub tells us, until the lease is over
    DENIED = "denied"  # the hub does not want to
    LEAVING = "leaving"  # the hub is to be asked to stop


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """What we agreed on with a hub, or want to."""

    channel_id: int
    hub: str
    topic: str
    path: str  # of the callback: it cannot be guessed
    secret: str  # with which the hub signs
    state: State
    next_step: datetime
    expires: datetime | None = None
    tries: int = 0
    pinged: datetime | None = None  # when the hub last told us something
    # The hub has proved that it tells us: polls may be sparse.
    trusted: bool = False

    def is_alive(self, now: datetime) -> bool:
        return self.state is State.ACTIVE and self.expires is not None and self.expires > now


def after_poll(
    known: Subscription | None,
    wanted: Announced | None,
    channel_id: int,
    tokens: tuple[str, str],
    now: datetime,
) -> Subscription | None:
    """What holds after a feed that names this hub, or none; `tokens` are the path and secret of a new one."""
    if wanted is None:
        if known is None or known.state is State.LEAVING:
            return known
        return replace(known, state=State.LEAVING, next_step=now, tries=0, trusted=False)
    if known is not None and (known.hub, known.topic) == (wanted.hub, wanted.topic):
        is_leaving = known.state is State.LEAVING
        return replace(known, state=State.WANTED, next_step=now, tries=0) if is_leaving else known
    # Another hub or another name: what the old one still sends goes to a path that no longer exists.
    path, secret = tokens
    return Subscription(
        channel_id=channel_id,
        hub=wanted.hub,
        topic=wanted.topic,
        path=path,
        secret=secret,
        state=State.WANTED,
        next_step=now,
    )


def form(subscription: Subscription, callback: str, lease: timedelta) -> tuple[tuple[str, str], ...]:
    """What is sent to the hub."""
    is_leaving = subscription.state is State.LEAVING
    fields = (
        ("hub.mode", "unsubscribe" if is_leaving else "subscribe"),
        ("hub.topic", subscription.topic),
        ("hub.callback", callback),
    )
    if is_leaving:
        return fields
    return (
        *fields,
        ("hub.lease_seconds", f"{lease.total_seconds():.0f}"),
        ("hub.secret", subscription.secret),
    )


def asking(subscription: Subscription, now: datetime) -> Subscription:
    """What holds from the moment on that we ask the hub: some ask back before they answer."""
    state = State.ASKED if subscription.state is State.WANTED else subscription.state
    return replace(subscription, state=state, tries=subscription.tries + 1, next_step=now + _PATIENCE)


def after_answer(subscription: Subscription, status: int | None, now: datetime) -> Subscription | None:
    """What holds after the hub's answer; None: nothing any more. None as status: there was no answer."""
    is_verified = subscription.tries == 0
    is_accepted = status is not None and 200 <= status < 300
    if is_verified or (is_accepted and subscription.tries < _MOST_TRIES):
        return subscription
    if subscription.tries >= _MOST_TRIES or status == _GONE:
        return None if subscription.state is State.LEAVING else _denied(subscription, now)
    wait = min(_HOUR * 2 ** (subscription.tries - 1), _LONGEST_WAIT)
    state = State.WANTED if subscription.state is State.ASKED else subscription.state
    return replace(subscription, state=state, next_step=now + wait)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """What to answer a hub that asks back, and what holds from then on."""

    challenge: str | None  # None: we did not ask for this
    subscription: Subscription | None


def after_question(
    subscription: Subscription, query: Mapping[str, str], *, lease: timedelta, now: datetime
) -> Verified:
    """A hub asks whether we want what it was asked for, or says that it will not do it."""
    mode = query.get("hub.mode")
    nothing = Verified(challenge=None, subscription=subscription)
    if query.get("hub.topic") != subscription.topic:
        return nothing
    if mode == "denied":
        return Verified(challenge="", subscription=_denied(subscription, now))
    challenge = query.get("hub.challenge")
    if not challenge:
        return nothing
    if mode == "subscribe" and subscription.state in {State.ASKED, State.ACTIVE}:
        until = _lease(query.get("hub.lease_seconds"), lease)
        agreed = replace(
            subscription,
            state=State.ACTIVE,
            expires=now + until,
            next_step=now + until * _RENEWED_AFTER,
            tries=0,
        )
        return Verified(challenge=challenge, subscription=agreed)
    if mode == "unsubscribe" and subscription.state is State.LEAVING:
        return Verified(challenge=challenge, subscription=None)
    return nothing


def lapsed(subscription: Subscription, now: datetime) -> Subscription:
    """A lease that was not renewed in time is over: the hub is asked as if for the first time."""
    if subscription.state is State.ACTIVE and not subscription.is_alive(now):
        return replace(subscription, state=State.WANTED, expires=None, trusted=False, tries=0)
    if subscription.state in {State.ASKED, State.DENIED}:
        return replace(subscription, state=State.WANTED)
    return subscription


def is_signed(secret: str, body: bytes, header: str) -> bool:
    """Whether the sender knows the secret: `sha256=HEX` over the body."""
    method, _, given = header.strip().partition("=")
    if method.lower() not in _SIGNATURES:
        return False
    expected = hmac.new(secret.encode(), body, getattr(hashlib, method.lower())).hexdigest()
    return hmac.compare_digest(expected.encode(), given.strip().lower().encode("utf-8", "replace"))


def _denied(subscription: Subscription, now: datetime) -> Subscription:
    return replace(
        subscription, state=State.DENIED, next_step=now + _TRUCE, expires=None, trusted=False, tries=0
    )


def _lease(given: str | None, asked: timedelta) -> timedelta:
    is_number = given is not None and given.isascii() and given.isdigit()
    until = timedelta(seconds=int(given[:9])) if is_number and given else asked
    return min(max(until, _SHORTEST_LEASE), LONGEST_LEASE)


# `<URL>; rel="a b"; other=x`: a value may hold commas and semicolons only in quotes.
_LINK = re.compile(r"<([^>]+)>((?:\s*;\s*[\w*-]+\s*(?:=\s*(?:\"[^\"]*\"|[^\s;,\"]*))?)*)")
_REL = re.compile(r";\s*rel\s*=\s*(?:\"([^\"]*)\"|([^\s;,\"]+))", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Announced:
    """Where to subscribe, and to what."""

    hub: str
    topic: str


def announced(head: str, info: FeedInfo, url: str) -> Announced | None:
    """By the Link header, where it says both; otherwise by the feed. None if there is no hub to go to."""
    links = list(_links(head, url))
    hubs = [target for rel, target in links if rel == "hub"]
    topics = [target for rel, target in links if rel == "self"]
    if not (hubs and topics):
        hubs, topics = list(info.hubs), [info.self_url] if info.self_url else []
    usable = [hub for hub in hubs if _is_usable(hub)]
    if not usable or not topics or not _is_usable(topics[0]):
        return None
    return Announced(hub=usable[0], topic=topics[0])


def _links(head: str, url: str) -> Iterator[tuple[str, str]]:
    for target, parameters in _LINK.findall(head):
        found = _REL.search(parameters)
        for rel in (found[1] or found[2] or "").lower().split() if found else ():
            yield rel, _absolute(url, target)


def _absolute(url: str, target: str) -> str:
    try:
        return urljoin(url, target.strip())
    except ValueError:
        return ""


def _is_usable(url: str) -> bool:
    return is_web(url) and len(url.encode("utf-8", "replace")) <= LONGEST_URL
