"""A writer of objects files for tests: articles and contributions, in files without the name of a writer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.objects.writer import ObjectWriter
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.objects.schema import ArticleKind
from archiver.articles.posts.schema import PostObjects
from archiver.records.objects.schema import RecordObjects

if TYPE_CHECKING:
    from pathlib import Path


def object_writer(folder: Path, mark: str = "") -> ObjectWriter:
    return ObjectWriter(
        folder, [ArticleKind(), ContributionObjects(), PostObjects(), RecordObjects()], mark=mark
    )
