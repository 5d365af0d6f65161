"""`scrapy site detect`: what the knowledge base makes of a page of the archive, or of a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import similar_urls
from archiver.commands.extract_record import tell_instead
from archiver.display.tables import folded
from archiver.display.terminal import show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import moment_from, one_argument
from archiver.extensions.places import archive_to_read, knowledge_sources
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.extensions.command import ArchiveCommand

# Links of a file are read against an address; this one leads nowhere.
_NOWHERE = "https://page.invalid/"


def detect(command: ArchiveCommand, names: Sequence[str], opts: argparse.Namespace) -> None:
    """Tell the type, the level, which pattern fired on what, and what each action finds."""
    name, at = one_argument(names, "URL or file"), moment_from(opts.at)
    from archiver.acquisition.sites.knowledge.explaining import explain_page  # noqa: PLC0415 - no help needs it
    from archiver.acquisition.sites.knowledge.loading import load_knowledge  # noqa: PLC0415 - likewise
    from archiver.acquisition.sites.knowledge.telling import explanation_lines  # noqa: PLC0415 - likewise

    base = load_knowledge(knowledge_sources(command.its_settings))
    document = _archived(command, name, at) if is_web(name) else _of_file(name)
    if document is None:
        return
    told = explain_page(document, base)
    command.exitcode = 0 if told.type else 1
    if opts.json:
        show([msgspec.json.format(msgspec.json.encode(told)).decode()])
    else:
        width = window_width(sys.stdout)
        show(folded(line, width, indent="      ") for line in explanation_lines(told))


def _archived(command: ArchiveCommand, url: str, at: datetime | None) -> VirtualDocument | None:
    from archiver.inspection.pages import find_document  # noqa: PLC0415 - no help needs it

    folder = archive_to_read(command.its_settings)
    withheld = command.withheld()
    withheld.refuse(url)
    index = Index(folder / "index", withheld.hides)
    document = find_document(index, folder / "warc", url, at)
    if document is None:
        command.fail(f"{redact(url)} is not in the archive")
        missing = missing_indexes(folder / "warc", folder / "index")
        tell_instead(similar_urls(index, url), missing, command.program)
    return document


def _of_file(name: str) -> VirtualDocument:
    from archiver.documents.expressions.document import VirtualDocument  # noqa: PLC0415 - no help needs it
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - likewise

    path = Path(name)
    if not path.is_file():
        told = f"{redact(name)}: there is no such file, and a URL begins with http:// or https://"
        raise ConfigurationError(told)
    url = _NOWHERE + quote(path.name)
    return VirtualDocument(tree=parse_html(path.read_bytes(), "text/html", url), url=url)
