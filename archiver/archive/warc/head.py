"""What a record says of itself, in its head."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.warc.wire import parse_headers

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordHead:
    headers: Mapping[str, str]  # by names in lower case; of repeated ones the first

    @property
    def id(self) -> str:
        return self.headers.get("warc-record-id", "")

    @property
    def kind(self) -> str:
        return self.headers.get("warc-type", "")


def parse_head(head: bytes) -> RecordHead:
    return RecordHead(headers={name.lower(): value for name, value in reversed(parse_headers(head))})
