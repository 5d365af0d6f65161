"""Which pages a wrapper that begins on a page could be for."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.fields.model import FieldScope
from archiver.fields.scopes import common_form
from archiver.inspection.announced import announced_page
from archiver.inspection.marking.model import ScopeChoice
from archiver.store.polling.channels import find_channel
from archiver.urls import host_of, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection


def scope_choices(
    state: Connection, url: str, siblings: Sequence[str], known: FieldScope | None
) -> tuple[ScopeChoice, ...]:
    """Those that a person may mean, the likeliest first: the channel, addresses of this form, the site.

    Before them what a file says that is there already.
    """
    filed = () if known is None else (ScopeChoice(name="file", words="as its file says", scope=known),)
    return (*filed, *_of_channel(state, url), *_of_site(url, siblings))


def _of_channel(state: Connection, url: str) -> Iterator[ScopeChoice]:
    page = announced_page(state, url)
    channel = find_channel(state, str(page.channel_id)) if page is not None else None
    # An address with a password or a token in it is not for a file that may be passed on.
    if channel is not None and redact(channel.url) == channel.url:
        words = f"pages of the channel {channel.title or channel.url}"
        yield ScopeChoice(name="channel", words=words, scope=FieldScope(channel=channel.url))


def _of_site(url: str, siblings: Sequence[str]) -> Iterator[ScopeChoice]:
    site = _site(url)
    form = common_form([url, *siblings])
    if form:
        words = f"pages of {site} such as {form}"
        yield ScopeChoice(name="form", words=words, scope=FieldScope(site=site, url=form))
    yield ScopeChoice(name="site", words=f"all pages of {site}", scope=FieldScope(site=site))


def _site(url: str) -> str:
    parts = urlsplit(url)
    return f"{host_of(url)}:{parts.port}" if parts.port else host_of(url)
