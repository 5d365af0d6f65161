"""What a PDF document says. The one module that knows pypdf."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from io import BytesIO
from itertools import islice

from pypdf import PdfReader
from pypdf.errors import PyPdfError

_MOST_PAGES = 500
_MOST_TEXT = 500_000  # characters
_LONGEST_TITLE = 300
# What pypdf raises for documents that break the rules: there are many ways to.
_BROKEN = (PyPdfError, ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError, OSError)


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfText:
    """The text of a document, page by page, and the title that it gives itself."""

    title: str = ""
    text: str = ""
    problem: str = ""


def read_pdf(content: bytes) -> PdfText:
    """As much as can be read; `problem` says why the rest, or all of it, cannot."""
    # It warns of every small mistake in a document.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages: list[str] = []
    title = problem = ""
    try:
        reader = PdfReader(BytesIO(content))
        title = str(reader.metadata.title or "") if reader.metadata else ""
        length = 0
        for page in islice(reader.pages, _MOST_PAGES):
            pages.append(page.extract_text())
            length += len(pages[-1])
            if length > _MOST_TEXT:
                break
    except _BROKEN as error:
        problem = f"{type(error).__name__}: {error}"
    text = "\n\n".join(page.strip() for page in pages if page.strip())[:_MOST_TEXT]
    return PdfText(title=_clean(title)[:_LONGEST_TITLE].strip(), text=_clean(text), problem=problem)


def _clean(text: str) -> str:
    """Without what no text may have: fonts without a table of characters give anything."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()
