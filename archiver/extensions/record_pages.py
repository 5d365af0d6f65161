"""Pages on which records are looked for: captures of the archive, or files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from archiver.errors import ConfigurationError
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.withheld import Withheld
    from archiver.records.model import AnswerPage

# Links of a file are read against an address; this one leads nowhere.
NOWHERE = "https://page.invalid/"


def answer_pages(
    folder: Path | None, withheld: Withheld, names: Sequence[str], words: Sequence[str]
) -> list[AnswerPage]:
    """The newest capture of each address, or each file; `words` are what was searched for, one each."""
    asked = [*words, *[""] * (len(names) - len(words))]
    return [_page(folder, withheld, name, word) for name, word in zip(names, asked, strict=True)]


def _page(folder: Path | None, withheld: Withheld, name: str, word: str) -> AnswerPage:
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - no help needs it
    from archiver.records.model import AnswerPage  # noqa: PLC0415 - likewise

    words = tuple(word.split())
    if not is_web(name):
        if not Path(name).is_file():
            raise ConfigurationError(f"{name} is neither a web address nor a file")
        tree = parse_html(Path(name).read_bytes(), None, NOWHERE)
        return AnswerPage(url=NOWHERE, tree=tree, words=words)
    from archiver.archive.cdxj.index import Index  # noqa: PLC0415 - as above
    from archiver.inspection.pages import find_document  # noqa: PLC0415 - as above

    withheld.refuse(name)
    if folder is None:
        raise ConfigurationError(f"{name} is not in the archive: crawl it first, or name a file")
    found = find_document(Index(folder / "index", withheld.hides), folder / "warc", name, None)
    if found is None:
        raise ConfigurationError(f"{name} is not in the archive: crawl it first, or name a file")
    return AnswerPage(url=found.url or name, tree=found.tree, words=words)
