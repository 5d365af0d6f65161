"""Requests with a body in an index: the body becomes part of the key, in the way that pywb looks for it."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote_plus, urlencode

from archiver.submissions import FORM, submission_of

if TYPE_CHECKING:
    from collections.abc import Iterator

# As pywb and cdxj-indexer cut it.
_LONGEST_QUERY = 4096
_METHODS = frozenset({"POST", "PUT"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmittedQuery:
    """A body in the form of a query."""

    method: str
    query: str

    def appended_to(self, url: str) -> str:
        parts = (f"__wb_method={self.method}", self.query)
        return f"{url}{'&' if '?' in url else '?'}{'&'.join(filter(None, parts))}"


def submitted_query(sent: bytes) -> SubmittedQuery | None:
    """What the bytes of a request add to the key of its capture; None where nothing was submitted."""
    submission = submission_of(sent)
    if submission is None or submission.method not in _METHODS:
        return None
    query = _query(submission.content_type, submission.body)
    return SubmittedQuery(method=submission.method, query=query[:_LONGEST_QUERY])


def _query(content_type: str, body: bytes) -> str:
    if content_type.startswith(FORM):
        try:
            return unquote_plus(body.decode())
        except UnicodeDecodeError:
            return _binary(body)
    is_text = content_type.startswith("text/plain")
    if is_text or content_type.startswith("application/json"):
        try:
            return urlencode(_named(_leaves("", json.loads(body))))
        except (ValueError, RecursionError):
            return _binary(body) if is_text else ""
    return _binary(body)


def _binary(body: bytes) -> str:
    return f"__wb_post_data={base64.b64encode(body).decode('ascii')}"


def _leaves(name: str, value: object) -> Iterator[tuple[str, object]]:
    """Every value of a JSON document, by the innermost name that it has."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(key, inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(name, inner)
    elif name:
        yield name, value


def _named(leaves: Iterator[tuple[str, object]]) -> dict[str, str]:
    """Names that come again are numbered: `a`, `a.2_`, `a.3_`."""
    found: dict[str, str] = {}
    times: dict[str, int] = {}
    for name, value in leaves:
        times[name] = times.get(name, 0) + 1
        found[name if times[name] == 1 else f"{name}.{times[name]}_"] = _value(value)
    return found


def _value(value: object) -> str:
    """As JavaScript writes it, which is what a browser's request is looked up by."""
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
