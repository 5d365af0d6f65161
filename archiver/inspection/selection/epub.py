"""A selection as a book: EPUB 3, a chapter for each article."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING, BinaryIO

from archiver.display.page import plain, safe
from archiver.inspection.history.model import urn_of
from archiver.inspection.selection.markup import article_markup, language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from archiver.inspection.selection.model import ChosenArticle

_CONTAINER = """<?xml version="1.0" encoding="utf-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="OEBPS/content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>
"""
_STYLE = "body { line-height: 1.5; }\n.soft { font-size: .85em; }\n"
_XHTML = "application/xhtml+xml"
_UNKNOWN = "und"  # BCP 47 for a language that is not known
_EARLIEST = 1980  # of a ZIP file


def write_epub(file: BinaryIO, title: str, articles: Sequence[ChosenArticle], made: datetime) -> None:
    """Write a whole book; the same articles at the same time give the same bytes."""
    moment = (max(made.year, _EARLIEST), made.month, made.day, made.hour, made.minute, made.second)
    with zipfile.ZipFile(file, "w") as book:
        for number, (name, content) in enumerate(_files(title, articles, made)):
            entry = zipfile.ZipInfo(name, moment)
            # As the format has it: the first file says what this is, as it is.
            entry.compress_type = zipfile.ZIP_DEFLATED if number else zipfile.ZIP_STORED
            book.writestr(entry, content.encode())


def _files(title: str, articles: Sequence[ChosenArticle], made: datetime) -> Iterator[tuple[str, str]]:
    yield "mimetype", "application/epub+zip"
    yield "META-INF/container.xml", _CONTAINER
    yield "OEBPS/content.opf", _package(title, articles, made)
    yield "OEBPS/nav.xhtml", _document(title, _contents(title, articles))
    yield "OEBPS/style.css", _STYLE
    for number, one in enumerate(articles, 1):
        yield f"OEBPS/{_name(number)}", _document(one.title, article_markup(one, level=1), language_of(one))


def _name(number: int) -> str:
    return f"article-{number:05}.xhtml"


def _package(title: str, articles: Sequence[ChosenArticle], made: datetime) -> str:
    name = urn_of(
        ("selection", title, f"{made:%Y%m%dT%H%M%S}", *(f"{one.id} {one.version}" for one in articles))
    )
    languages = list(dict.fromkeys(filter(None, map(language_of, articles)))) or [_UNKNOWN]
    numbers = range(1, len(articles) + 1)
    items = "".join(
        f'<item id="a{number}" href="{_name(number)}" media-type="{_XHTML}"/>\n' for number in numbers
    )
    spine = "".join(f'<itemref idref="a{number}"/>' for number in numbers)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="name">\n'
        '<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="name">{name}</dc:identifier><dc:title>{_titled(title)}</dc:title>'
        f"{''.join(f'<dc:language>{one}</dc:language>' for one in languages)}"
        f'<meta property="dcterms:modified">{made:%Y-%m-%dT%H:%M:%SZ}</meta></metadata>\n'
        f'<manifest><item id="nav" href="nav.xhtml" media-type="{_XHTML}" properties="nav"/>\n'
        f'<item id="style" href="style.css" media-type="text/css"/>\n{items}</manifest>\n'
        f'<spine><itemref idref="nav"/>{spine}</spine></package>\n'
    )


def _contents(title: str, articles: Sequence[ChosenArticle]) -> str:
    listed = "".join(
        f'<li><a href="{_name(number)}">{_titled(one.title)}</a></li>'
        for number, one in enumerate(articles, 1)
    )
    # A list without entries is not valid.
    listed = listed or '<li><a href="nav.xhtml">Nothing was found</a></li>'
    return f'<nav epub:type="toc" id="toc"><h1>{_titled(title)}</h1><ol>{listed}</ol></nav>'


def _document(title: str, body: str, language: str = "") -> str:
    lang = f' lang="{language}" xml:lang="{language}"' if language else ""
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        f"{lang}><head><title>{_titled(title)}</title>"
        f'<link rel="stylesheet" type="text/css" href="style.css"/></head><body>{body}</body></html>\n'
    )


def _titled(title: str) -> str:
    """A title that is not empty: readers refuse those."""
    return safe(title) if plain(title).strip() else "Untitled"
