"""feedparser, which nothing else in the archiver knows.

Its parsers are driven directly, not through `feedparser.parse()`: that function opens the file whose name it
is given, even as bytes; it chooses encodings by rules that real feeds don't follow; and it mixes up elements.
feedparser has handlers `_start_NAME` and `_end_NAME` for each element: those below replace the ones that mix
up, and leave the values under keys of their own.
"""

from __future__ import annotations

import html
import io
import xml.sax
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.sax.handler import feature_external_ges, feature_namespaces

from feedparser.api import LooseFeedParser, StrictFeedParser
from feedparser.mixin import _FeedParserMixin

from archiver.documents.feeds import fields
from archiver.errors import FeedParseError

if TYPE_CHECKING:
    from collections.abc import Mapping

Attributes = dict[str, str]

_ENTRIES = frozenset({"item", "entry"})
_CONTENT = frozenset({"title", "description", "summary", "content", "subtitle"})
_NOT_IN_A_TITLE = frozenset({"link", "guid", "id", "description", "summary", "content", "pubdate", "updated"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ParserResult:
    """What feedparser collected: its own keys, and those that the handlers below add."""

    feed: Mapping[str, object]
    entries: tuple[Mapping[str, object], ...]
    # The document ended within the last entry.
    open_entry: bool = False
    # Why the document is not well-formed XML.
    problem: str | None = None


def read(text: str, *, url: str, version: str) -> ParserResult:
    """Read an XML feed strictly, or loosely if it is not well-formed."""
    try:
        strict = _Strict(url, None, "utf-8").prepared(version)
        problem = _parse_strictly(strict, text)
        if problem is None:
            return strict.reading()
        loose = _Loose(url, None, "utf-8").prepared(version)
        loose.feed(text)
        return loose.reading(problem)
    except Exception as error:
        # feedparser raises anything on documents that it was not made for.
        raise FeedParseError(f"cannot be read: {type(error).__name__}: {error}") from error


def _parse_strictly(handler: _Strict, text: str) -> str | None:
    parser = xml.sax.make_parser()  # noqa: S317 - no DTD is left in the text, and with it no entity to expand
    parser.setFeature(feature_namespaces, True)
    parser.setFeature(feature_external_ges, False)
    parser.setContentHandler(handler)
    parser.setErrorHandler(handler)
    try:
        parser.parse(io.BytesIO(text.encode()))
    except xml.sax.SAXException as error:
        return f"not well-formed: {error.getMessage()}"
    except (ValueError, LookupError) as error:
        return f"not read strictly: {error}"
    return None


class _Elements(_FeedParserMixin):  # type: ignore[misc]  # feedparser ships no types
    """Handlers that keep apart what feedparser mixes up."""

    def prepared(self, version: str) -> _Elements:
        self.version = version
        self.media_file: dict[str, str] | None = None
        self.sanitize_html = False
        self.resolve_relative_uris = False
        return self

    def reading(self, problem: str | None = None) -> ParserResult:
        # Plain dictionaries: feedparser's own answer `updated` with `published`, under a warning.
        entries = tuple(dict(entry) for entry in self.entries)
        return ParserResult(
            feed=dict(self.feeddata), entries=entries, open_entry=bool(self.inentry), problem=problem
        )

    def resolve_uri(self, uri: str) -> str:
        return fields.link(uri, self.baseuri) or ""

    def _start_item(self, attrs: Attributes) -> None:
        super()._start_item(attrs)
        self.entries[-1]["base"] = self.baseuri
        self.media_file = None
        if "xml:lang" in attrs:
            self.entries[-1]["language"] = attrs["xml:lang"]

    _start_entry = _start_item

    def _start_author(self, attrs: Attributes) -> None:
        # feedparser gives an author without a name the name of the author before.
        self._get_context().pop("author", None)
        super()._start_author(attrs)

    def _start_title(self, attrs: Attributes) -> None:
        # Left over from an image that was not closed, it makes feedparser call itself for ever.
        self.svgOK = 0
        super()._start_title(attrs)

    def _start_link(self, attrs: Attributes) -> None:
        if attrs.get("rel") == "enclosure":
            # feedparser takes a link of no type for a page.
            attrs.setdefault("type", "")
        super()._start_link(attrs)

    # An id is kept as written: resolved against the feed's address, it would change when the feed moves.
    def _start_guid(self, attrs: Attributes) -> None:
        self.guidislink = False
        permalink = attrs.get("ispermalink", "true").strip().lower() == "true"
        self._save("guid_is_permalink", permalink, overwrite=True)
        self.push("id", 1)

    def _end_guid(self) -> None:
        self.pop("id")

    _start_id, _end_id = _start_guid, _end_guid

    # feedparser takes a second description for the content, and fills a missing summary with the content.
    def _start_description(self, attrs: Attributes) -> None:
        self.push_content("description", attrs, "text/html", 1)

    def _start_summary(self, attrs: Attributes) -> None:
        self.push_content("summary", attrs, "text/plain", 1)

    def _end_summary(self) -> None:
        self.pop_content("summary")

    def _start_content(self, attrs: Attributes) -> None:
        self.push_content("content", attrs, "text/plain", 1)
        self.contentparams["src"] = attrs.get("src")

    def _end_content(self) -> None:
        self.pop_content("content")

    _end_content_encoded = _end_fullitem = _end_body = _end_xhtml_body = _end_content

    # Dates are read elsewhere, from their text.
    def _start_pubdate(self, _: Attributes) -> None:
        self.push("published" if self.inentry else "pubdate", 1)

    def _end_pubdate(self) -> None:
        self.pop("published" if self.inentry else "pubdate")

    def _end_published(self) -> None:
        self.pop("published")

    _end_issued = _end_published

    def _end_updated(self) -> None:
        self.pop("updated")

    _end_modified = _end_lastbuilddate = _end_updated

    def _end_created(self) -> None:
        self.pop("created")

    def _start_dc_date(self, _: Attributes) -> None:
        self.push("dc_date", 1)

    def _end_dc_date(self) -> None:
        self.pop("dc_date")

    # feedparser does not say which of several files a title is of.
    def _start_media_content(self, attrs: Attributes) -> None:
        super()._start_media_content(attrs)
        self.media_file = self._get_context()["media_content"][-1]

    def _end_media_content(self) -> None:
        self.media_file = None

    def _start_media_title(self, attrs: Attributes) -> None:
        self.push_content("media_title", attrs, "text/plain", 1)

    def _end_media_title(self) -> None:
        title = self.pop_content("media_title")
        if self.media_file is not None:
            self.media_file["title"] = title

    # feedparser keeps only the last of these.
    def _end_hour(self) -> None:
        self.feeddata.setdefault("skip_hours", []).append(self.pop("hour"))

    def _end_day(self) -> None:
        self.feeddata.setdefault("skip_days", []).append(self.pop("day"))


def _keep_apart(element: str) -> None:
    """Store an element under its own name, not as the title or summary of what surrounds it."""

    def start(self: _Elements, attrs: Attributes) -> None:
        self.push_content(element, attrs, "text/plain", 1)

    def end(self: _Elements) -> None:
        self.pop_content(element)

    setattr(_Elements, f"_start_{element}", start)
    setattr(_Elements, f"_end_{element}", end)


for _element in (
    "dc_title",
    "dc_description",
    "itunes_subtitle",
    "itunes_summary",
    "media_description",
):
    _keep_apart(_element)


class _Strict(_Elements, StrictFeedParser):  # type: ignore[misc]  # as above
    pass


class _Loose(_Elements, LooseFeedParser):  # type: ignore[misc]  # as above
    """For documents whose elements are not balanced, as feedparser's handlers count on."""

    def unknown_starttag(self, tag: str, attrs: list[tuple[str, str]]) -> None:
        prefix, _, name = tag.rpartition(":")
        if name in _ENTRIES and not self.namespacemap.get(prefix, prefix):
            self._close_content()
            # An element that was not closed must not take the entries that follow with it.
            self.inimage = self.intextinput = self.insource = self.inauthor = self.incontributor = 0
        elif name in _NOT_IN_A_TITLE and self._open_element() == "title":
            self._close_content()
        with suppress(LookupError):
            super().unknown_starttag(tag, attrs)

    def unknown_endtag(self, tag: str) -> None:
        with suppress(LookupError):
            super().unknown_endtag(tag)

    def handle_charref(self, ref: str) -> None:
        # There are numbers that are no characters.
        with suppress(ValueError, OverflowError):
            super().handle_charref(ref)

    def decode_entities(self, element: str, data: str) -> str:
        decoded: str = super().decode_entities(element, data)
        # Outside of content, feedparser leaves entities: an id would change with the feed's well-formedness.
        return decoded if self.contentparams.get("type") else html.unescape(decoded)

    def _open_element(self) -> str | None:
        return self.elementstack[-1][0] if self.incontent and self.elementstack else None

    def _close_content(self) -> None:
        if (element := self._open_element()) in _CONTENT:
            self.pop_content(element)
        self.incontent = self.svgOK = 0
        self.contentparams.clear()
