"""`scrapy explain`: why this part of a page is taken for the article, and that one is not."""

from __future__ import annotations

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import similar_urls
from archiver.articles.labels.model import LabelKnowledge
from archiver.clock import rfc3339
from archiver.commands.extract_record import tell_instead
from archiver.display.tables import printable
from archiver.display.terminal import Colours, show
from archiver.documents.pages.model import RawPage
from archiver.errors import ArchiverError, ConfigurationError, WithheldError
from archiver.extensions.arguments import in_a_folder, moment_from, one_argument
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_folder, archive_to_read, wrappers_folder
from archiver.files import write_text
from archiver.inspection.pages import find_page
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import datetime

    from lxml.etree import _Element as Element

    from archiver.archive.withheld import Withheld
    from archiver.articles.explain.explanation import Drawing, Explanation
    from archiver.articles.explain.sources import ExplainedSource
    from archiver.articles.model import Wrapper
    from archiver.documents.requisites.model import Stored
    from archiver.fields.explaining import ExplainedFields
    from archiver.inspection.explaining import PageContext
    from archiver.inspection.pages import PageCapture

    Lists = Sequence[tuple[str, Element]]

# Links of a file are read against an address; this one leads nowhere.
_NOWHERE = "https://page.invalid/"


class Command(ArchiveCommand):
    usage = "URL | FILE [--at TIME] [--title TEXT] [--summary TEXT] [--sibling FILE…] [options]"
    about = (
        "Read a page of the archive, or a file, with the method `article`, and show what chose the node: "
        "the wrapper, or the voters with their candidates; then each block, whether it is kept, and why "
        "not. A page of the archive is read with its feed entry, its wrappers and its siblings. --method "
        "visual shows how each block looks instead, and what in that speaks for it. "
        "Exit codes: 0 explained, whatever the outcome; 1 not there, or not readable; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--at", metavar="TIME", help="the capture nearest to this time, not the newest")
        parser.add_argument(
            "--method", default="article", choices=("article", "visual"), help="the method (article)"
        )
        parser.add_argument("--title", metavar="TEXT", help="the title that a feed gives the page")
        parser.add_argument("--summary", metavar="TEXT", help="the summary that a feed gives the page")
        parser.add_argument(
            "--sibling", metavar="FILE", nargs="+", action="extend", default=[], help="pages to read it with"
        )
        parser.add_argument("--html", metavar="OUT", help="write the page with its blocks in colours there")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--all", action="store_true", help="print every block")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        name, at, out = one_argument(args, "URL or file"), moment_from(opts.at), _output(opts.html, args)
        siblings = [_path(one) for one in opts.sibling]
        found = self._archived(name, at) if is_web(name) else _Pages([_file_page(_path(name))])
        others = [_file_page(path) for path in siblings]
        if found is None:
            return
        if opts.method == "visual":
            self._seen([_announced(found.pages[0], opts), *found.pages[1:], *others], opts)
            return
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.articles.explain.explanation import explain  # noqa: PLC0415

        page, *more = found.pages
        drawing = _renamed(explain([_announced(page, opts), *more, *others], found.memory))
        told = replace(drawing.explanation, fields=self._fields(found), sources=self._sources(drawing, found))
        drawing = replace(drawing, explanation=told)
        _show(drawing.explanation, opts)
        if out is not None:
            from archiver.articles.explain.as_html import html_of  # noqa: PLC0415 - likewise

            look = () if found.stored is None else (page, found.stored)
            write_text(out, html_of(drawing, *look))

    def _sources(self, drawing: Drawing, found: _Pages) -> tuple[ExplainedSource, ...]:
        """What feed, structured data and people say of the text, beside the extractor."""
        from archiver.articles.explain.sources import explained_sources  # noqa: PLC0415 - likewise
        from archiver.articles.labels.marks import marks_on  # noqa: PLC0415 - likewise
        from archiver.fields.files import load_wrappers  # noqa: PLC0415 - likewise

        folder, page = wrappers_folder(self.its_settings), found.pages[0]
        marks = marks_on(page.url, load_wrappers(folder).wrappers) if folder is not None else ()
        return explained_sources(page, drawing.article, replace(found.labels, marks=marks))

    def _seen(self, pages: Sequence[RawPage], opts: argparse.Namespace) -> None:
        """What the method `visual` sees, by the archive's own models where it has any."""
        from archiver.articles.methods.extraction import parse_page  # noqa: PLC0415 - likewise
        from archiver.articles.methods.registry import MODELS  # noqa: PLC0415 - likewise
        from archiver.articles.methods.visual.explaining import explain_seen, lines_of  # noqa: PLC0415 - likewise
        from archiver.articles.methods.visual.inlinks import with_inlinks  # noqa: PLC0415 - likewise
        from archiver.articles.methods.visual.method import VisualMethod  # noqa: PLC0415 - likewise
        from archiver.articles.model import NoArticle  # noqa: PLC0415 - likewise

        parsed, *others = map(parse_page, pages)
        if isinstance(parsed, NoArticle):
            self.fail(f"{redact(pages[0].url)}: {parsed.reason}")
            return
        siblings = [one for one in others if not isinstance(one, NoArticle)]
        linked, method = with_inlinks([parsed, *siblings], self._lists(parsed.url))[0], VisualMethod()
        method.use(archive_folder(self.its_settings) / MODELS)
        told = explain_seen(linked, method)
        if opts.json:
            print(msgspec.json.format(msgspec.json.encode(told)).decode())
        else:
            show(map(printable, lines_of(told, is_whole=opts.all)))

    def _lists(self, url: str) -> Lists:
        """The documents of the archive that may lead to a page of it; nothing is known without its state."""
        from archiver.inspection.announced import announced_page  # noqa: PLC0415 - likewise
        from archiver.inspection.inlinks import lists_leading_to  # noqa: PLC0415 - likewise

        warcs = archive_folder(self.its_settings) / "warc"
        try:
            with self.state() as state:
                page = announced_page(state, url)
                return list(lists_leading_to(state, self.withheld(), warcs, [page.id])) if page else []
        except ArchiverError:
            return []

    def _fields(self, found: _Pages) -> ExplainedFields | None:
        """What the field wrapper of a page reads; None where none is for it."""
        from archiver.articles.methods.extraction import parse_page  # noqa: PLC0415 - likewise
        from archiver.articles.model import NoArticle  # noqa: PLC0415 - likewise
        from archiver.documents.expressions.document import VirtualDocument  # noqa: PLC0415 - likewise
        from archiver.fields.explaining import explain_fields  # noqa: PLC0415 - likewise
        from archiver.fields.files import load_wrappers  # noqa: PLC0415 - likewise
        from archiver.fields.scopes import wrappers_for  # noqa: PLC0415 - likewise

        folder, page = wrappers_folder(self.its_settings), found.pages[0]
        loaded = load_wrappers(folder) if folder is not None else None
        fitting = wrappers_for(loaded.wrappers, page.url, found.channels) if loaded else []
        parsed = parse_page(page) if fitting else None
        if parsed is None or isinstance(parsed, NoArticle):
            return None
        return explain_fields(VirtualDocument(tree=parsed.tree, url=page.url), fitting[0])

    def _archived(self, url: str, at: datetime | None) -> _Pages | None:
        """A page of the archive, and what is known beside it; None where it is not there."""
        folder = archive_to_read(self.its_settings)
        withheld, warc = self.withheld(), folder / "warc"
        withheld.refuse(url)
        index = Index(folder / "index", withheld.hides)
        known = self._state_of(url, withheld)
        page = find_page(index, warc, url, at, known.page)
        if page is None:
            self.fail(f"{url} is not in the archive")
            tell_instead(similar_urls(index, url), missing_indexes(warc, folder / "index"), self.program)
            return None
        print(_told(page), file=sys.stderr)
        from archiver.inspection.explaining import read_siblings  # noqa: PLC0415 - likewise
        from archiver.inspection.requisites import stored_files  # noqa: PLC0415 - likewise

        stored = stored_files(index, warc, page.line.date)
        channels = frozenset({known.page.channel_url} if known.page else ())
        pages = [page.raw, *read_siblings(warc, known.siblings, self.tell)]
        return _Pages(pages, known.memory, stored, channels, known.labels)

    def _state_of(self, page_url: str, withheld: Withheld) -> PageContext:
        """An archive can be read without its state store, by the pages alone."""
        from archiver.inspection.explaining import PageContext, known_page  # noqa: PLC0415 - no help needs it

        try:
            with self.state() as state:
                return known_page(state, page_url, withheld)
        except WithheldError:
            raise
        except ArchiverError as error:
            self.tell(f"{error}; the page is read without its entry")
            return PageContext()


class _Pages(NamedTuple):
    """The page first, then its siblings; and the wrappers that are known."""

    pages: list[RawPage]
    memory: Sequence[Wrapper] = ()
    stored: Stored | None = None  # what the archive has of their styles and images
    channels: frozenset[str] = frozenset()  # the addresses of feeds that announced the page
    labels: LabelKnowledge = LabelKnowledge()


def _told(page: PageCapture) -> str:
    line = page.line
    return f"{redact(line.url)} at {rfc3339(line.date)[:19]}Z, {line.filename}:{line.offset}"


def _path(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        told = f"{redact(name)}: there is no such file, and a URL begins with http:// or https://"
        raise ConfigurationError(told)
    return path


def _output(name: str | None, args: list[str]) -> Path | None:
    if name is None:
        return None
    path = in_a_folder("--html", name)
    if path.is_dir() or (path.exists() and Path(args[0]).exists() and path.samefile(args[0])):
        raise ConfigurationError(f"--html {path}: name another file, which is written over")
    return path


def _file_page(path: Path) -> RawPage:
    return RawPage(
        url=_NOWHERE + quote(path.name), body=path.read_bytes(), content_type="text/html", id=str(path)
    )


def _announced(page: RawPage, opts: argparse.Namespace) -> RawPage:
    """The page with what the options say of it."""
    said = page.announcement
    said = replace(said, title=opts.title) if opts.title is not None else said
    said = replace(said, summary=opts.summary) if opts.summary is not None else said
    return replace(page, announcement=said)


def _renamed(drawing: Drawing) -> Drawing:
    """With addresses that may be shown; files have their names again."""
    told = drawing.explanation
    url, *siblings = (redact(one.removeprefix(_NOWHERE)) for one in (told.url, *told.siblings))
    return replace(drawing, explanation=replace(told, url=url, siblings=tuple(siblings)))


def _show(told: Explanation, opts: argparse.Namespace) -> None:
    if opts.json:
        print(msgspec.json.format(msgspec.json.encode(told)).decode())
        return
    from archiver.articles.explain.as_text import lines_of  # noqa: PLC0415 - likewise

    width = shutil.get_terminal_size().columns
    for line in lines_of(told, Colours(sys.stdout).paint, width=width, is_whole=opts.all):
        print(line)
