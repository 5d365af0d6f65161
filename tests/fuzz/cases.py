"""A case: pages that are extracted together, and those that were learned from before."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from archiver.documents.pages.model import Announcement, RawPage

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call of the extractor, and what came before it."""

    method: str
    pages: tuple[RawPage, ...]
    before: tuple[RawPage, ...] = ()


def named(pages: tuple[RawPage, ...], prefix: str = "") -> tuple[RawPage, ...]:
    """The pages with addresses and names that are all different, as those of an archive are."""
    return tuple(
        replace(page, url=f"https://fuzz.example/{prefix}{number}.html", id=f"urn:fuzz:{prefix}{number}")
        for number, page in enumerate(pages)
    )


def write_case(folder: Path, case: Case, why: str) -> Path:
    """Keep a case under a name that only depends on it."""
    folder.mkdir(parents=True, exist_ok=True)
    fields = {
        "why": why,
        "method": case.method,
        "pages": [_fields(page) for page in case.pages],
        "before": [_fields(page) for page in case.before],
    }
    told = json.dumps(fields, indent=1, ensure_ascii=True)
    digest = hashlib.blake2b(told.encode(), digest_size=4).hexdigest()
    path = folder / f"{case.method}-{digest}.json"
    path.write_text(told + "\n", encoding="utf-8")
    return path


def read_case(path: Path) -> Case:
    fields = json.loads(path.read_bytes())
    return Case(
        method=fields["method"],
        pages=named(tuple(map(_page, fields["pages"]))),
        before=named(tuple(map(_page, fields.get("before", []))), "before-"),
    )


def read_expected(path: Path) -> list[dict[str, Any]]:
    """What a case that was kept says of each of its pages; nothing where only what always holds is meant."""
    return [page.get("expected", {}) for page in json.loads(path.read_bytes())["pages"]]


def _fields(page: RawPage) -> dict[str, Any]:
    try:
        body = {"body": page.body.decode()}
    except UnicodeDecodeError:
        body = {"base64": base64.b64encode(page.body).decode()}
    said = {"title": page.announcement.title, "summary": page.announcement.summary}
    said |= {"content": page.announcement.content, "type": page.content_type}
    return {name: value for name, value in said.items() if value is not None} | body


def _page(fields: dict[str, Any]) -> RawPage:
    body = fields["body"].encode() if "body" in fields else base64.b64decode(fields["base64"])
    return RawPage(
        url="",
        body=body,
        content_type=fields.get("type"),
        announcement=Announcement(
            title=fields.get("title"),
            summary=fields.get("summary"),
            content=fields.get("content"),
            site=fields.get("site"),
        ),
    )
