"""Seeds written as OPML 2.0, for feed readers and for us to read again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lxml import etree

from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Row

# Characters that XML 1.0 cannot hold.
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_DATE = "%a, %d %b %Y %H:%M:%S GMT"  # RFC 822, as OPML asks for


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportedChannel:
    """What is written of a channel."""

    url: str
    title: str
    labels: tuple[str, ...] = ()
    is_site: bool = False  # a page on which feeds are looked for
    page: str | None = None  # the page that a feed belongs to


def exported(row: Row[Any]) -> ExportedChannel:
    """What is written of a channel of the state store."""
    return ExportedChannel(
        url=row.url,
        title=row.title or redact(row.url),
        labels=row.labels,
        is_site=row.kind == "site",
        page=row.link,
    )


def write_opml(subscriptions: Iterable[ExportedChannel], made: datetime) -> bytes:
    """An outline for each subscription, in folders: what `read_opml` reads as the same labels."""
    root = etree.Element("opml", version="2.0")
    head = etree.SubElement(root, "head")
    etree.SubElement(head, "title").text = "Channels of archiver"
    etree.SubElement(head, "dateCreated").text = made.strftime(_DATE)
    body = etree.SubElement(root, "body")
    folders: dict[tuple[str, ...], etree._Element] = {(): body}
    for one in subscriptions:
        around, categories = _split(one.labels)
        attributes = _attributes(one) | ({"category": ",".join(categories)} if categories else {})
        etree.SubElement(_folder(folders, around), "outline", attributes)
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def _split(labels: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders of a subscription, and its categories: readers show folders, and know one for each.

    A category cannot have a comma, nor a slash at its ends: such a label must be a folder, and with it all
    that come before.
    """
    texts = tuple(_text(label) for label in labels)
    unfit = [place for place, label in enumerate(texts) if "," in label or label != label.strip("/")]
    cut = unfit[-1] + 1 if unfit else min(len(texts), 1)
    return texts[:cut], texts[cut:]


def _folder(folders: dict[tuple[str, ...], etree._Element], path: tuple[str, ...]) -> etree._Element:
    if path not in folders:
        around = _folder(folders, path[:-1])
        folders[path] = etree.SubElement(around, "outline", {"text": path[-1]})
    return folders[path]


def _attributes(one: ExportedChannel) -> dict[str, str]:
    names = {"text": _text(one.title), "title": _text(one.title)}
    if one.is_site:
        return {"type": "link", **names, "url": _text(one.url)}
    page = {"htmlUrl": _text(one.page)} if one.page else {}
    return {"type": "rss", **names, "xmlUrl": _text(one.url), **page}


def _text(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
