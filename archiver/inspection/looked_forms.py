"""The forms of an archived page, and whether each search may be asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.rules import address_of, planned
from archiver.documents.pages.forms.description import FormDescription, SelectedForm
from archiver.documents.pages.forms.finding import PageForms, forms_of
from archiver.errors import ConfigurationError
from archiver.inspection.pages import read_document
from archiver.inspection.robots import RobotsVerdict, archived_verdict, newest_answer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.documents.pages.forms.finding import FoundForm

# In place of a word that would be asked for.
_WORD = "word"


class SearchVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether a search form may be asked: by our own rules, then by robots.txt."""

    form: int
    refused: str = ""  # why it is never asked
    robots: RobotsVerdict | None = None


class LookedForms(PageForms, frozen=True, kw_only=True):
    """The forms of a page, with a verdict for each that searches."""

    searches: tuple[SearchVerdict, ...] = ()


def kept_page(index: Index, warc_folder: Path, url: str) -> CdxLine | None:
    """The newest capture of a page, behind its redirects; None where none came, or an error alone."""
    line = newest_answer(index, warc_folder, url)
    return None if line is None or (line.status or "").startswith(("3", "4", "5")) else line


def looked_forms(index: Index, warc_folder: Path, line: CdxLine, agent: str) -> LookedForms:
    page = read_document(index, warc_folder, line)
    found = forms_of(page.tree, page.url or line.url)
    verdicts = []
    for form, address, why in searched(found):
        robots = archived_verdict(index, warc_folder, agent, address) if address else None
        verdicts.append(SearchVerdict(form=form.number, refused=why, robots=robots))
    return LookedForms(
        url=found.url, forms=found.forms, opensearch=found.opensearch, searches=tuple(verdicts)
    )


def searched(found: PageForms) -> Iterator[tuple[FoundForm, str, str]]:
    """The search forms of a page, each with the address that a word would lead to, or why it has none."""
    for form in found.forms:
        if form.kind == "search":
            try:
                yield form, _address(found, form), ""
            except ConfigurationError as error:
                yield form, "", str(error)


def _address(found: PageForms, form: FoundForm) -> str:
    said = FormDescription(
        form="look", page=found.url, allow_post=True, select=SelectedForm(number=form.number)
    )
    plan = planned(found, said, allows_post=True)
    text = next((one.name for one in plan.inputs if one.kind == "text"), "")
    return address_of(plan, Probe(inputs={text: _WORD} if text else {}, chosen_by="word"))
