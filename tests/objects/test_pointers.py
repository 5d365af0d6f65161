"""What leads nowhere is named, also where an article has several pages."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from archiver.articles.objects.schema import ArticleKind
from archiver.inspection.verification.explain import explain
from archiver.inspection.verification.references import MissingReference, WantedReference, key_of, pointer_key
from tests.objects.test_model import OLD

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("page", [1, 2, 3])
def test_the_file_of_the_page_that_is_lost_is_named(tmp_path: Path, page: int) -> None:
    warcs = [
        {"file": f"{number}.warc.gz", "offset": 5, "record_id": f"<{number}>", "capture_id": f"<c{number}>"}
        for number in (1, 2, 3)
    ]
    pages = [{"url": "http://news.test/1", "captured": OLD["captured"], "warc": warc} for warc in warcs]
    path = tmp_path / "articles-2026-03-01.jsonl"
    path.write_text(json.dumps(OLD | {"warc": warcs[0], "pages": pages}) + "\n")
    key = pointer_key(f"{page}.warc.gz", 5, f"<{page}>")
    found = explain(MissingReference(key, 0, WantedReference.POINTER, 0), path, tmp_path, ArticleKind())
    assert f"points to {page}.warc.gz:5, but {page}.warc.gz is not in" in found.text
    found = explain(
        MissingReference(key_of(f"<c{page}>"), 0, WantedReference.CAPTURE, 0), path, tmp_path, ArticleKind()
    )
    assert f"the capture <c{page}> of this object" in found.text
