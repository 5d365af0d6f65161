"""Pages that end, and what is written then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from archiver.acquisition.findings import Finding
from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import RecheckRules
from archiver.store.content.leads import waiting_leads
from archiver.store.content.settlement import SettlementRules, settle_findings
from tests.store.samples import NOW, article, capture

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

FILE = "articles-2026-03-02.jsonl"
URL = "http://example.org/a"
RULES = SettlementRules(rechecks=RecheckRules(policy=RecheckPolicy(), share=0.5))


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "objects" / FILE
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def finding(
    database: Database,
    page_id: int = 1,
    words: str | None = "Many words",
    *,
    url: str = URL,
    date: datetime = NOW,
    **other: Any,
) -> Finding:
    leads = database.run(waiting_leads, [page_id]).get(page_id, ())
    found, digests = article(words) if words is not None else (None, None)
    values = {"capture": capture(page_id, url=url, date=date), "article": found, "fingerprint": digests}
    return Finding(page_id=page_id, url=url, leads=leads, known_at=date, **(values | other))


def settle(database: Database, objects: ObjectWriter, *findings: Finding, now: datetime = NOW) -> list[str]:
    ended = database.run(settle_findings, findings, objects, RULES, recorded=now, now=now)
    return [ending.outcome for ending in ended.of_each]
