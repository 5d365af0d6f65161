"""Requests as the sites see them and the answers that they give: values, no sockets."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass, field, replace
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from sample import clock

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request, the day on which it came, and how many the server had answered before it."""

    method: str
    path: str
    headers: Mapping[str, str]
    day: int
    serial: int
    query: str = ""  # what follows the question mark
    body: bytes = b""


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer; `chunked` sends it in pieces, `gzip` compresses it when the client can read that."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    gzip: bool = False
    chunked: bool = False
    delay: float = 0.0


HTML = "text/html; charset=utf-8"


def page(text: str, *, status: int = 200, content_type: str = HTML, encoding: str = "utf-8") -> Response:
    body = text.encode(encoding, "xmlcharrefreplace")
    return Response(status=status, body=body, headers={"Content-Type": content_type})


def error(status: int, words: str, *, headers: Mapping[str, str] | None = None) -> Response:
    title = f"{status} {HTTPStatus(status).phrase}"
    head = f"<!DOCTYPE html><html><head><title>{title}</title></head>"
    answer = page(f"{head}<body><h1>{title}</h1><p>{words}</p></body></html>", status=status)
    return replace(answer, headers={**answer.headers, **(headers or {})})


def redirect(status: int, location: str) -> Response:
    return error(status, f'The page is <a href="{location}">here</a>.', headers={"Location": location})


def with_etag(request: Request, answer: Response) -> Response:
    """The answer with an entity tag, or a 304 when the client already holds these bytes."""
    tag = f'"{hashlib.sha256(answer.body).hexdigest()[:20]}"'
    headers = {**answer.headers, "ETag": tag}
    if tag in request.headers.get("If-None-Match", ""):
        return Response(status=304, headers={"ETag": tag})
    return replace(answer, headers=headers)


def with_last_modified(request: Request, answer: Response, changed: datetime) -> Response:
    """The answer with its date, or a 304 when the client's copy is as recent."""
    stamp = clock.http_date(changed)
    since = request.headers.get("If-Modified-Since")
    if since and parsedate_to_datetime(since) >= changed:
        return Response(status=304, headers={"Last-Modified": stamp})
    return replace(answer, headers={**answer.headers, "Last-Modified": stamp})


def compressed(request: Request, answer: Response) -> Response:
    if not (answer.gzip and answer.body and "gzip" in request.headers.get("Accept-Encoding", "")):
        return answer
    headers = {**answer.headers, "Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return replace(answer, body=gzip.compress(answer.body, 5, mtime=0), headers=headers)
