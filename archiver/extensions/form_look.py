"""The forms of an archived page or of a file, as `scrapy forms look` shows them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import TableColumn
from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.withheld import Withheld
    from archiver.documents.pages.forms.finding import FoundForm, PageForms

FIELD_COLUMNS = (
    TableColumn(title="INPUT", narrowest=8),
    TableColumn(title="KIND"),
    TableColumn(title="LABEL", narrowest=10),
    TableColumn(title="VALUES", narrowest=8, is_optional=True),
)
_SHOWN_VALUES = 6


def forms_of_file(path: Path, url: str) -> PageForms:
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - no help needs it
    from archiver.documents.pages.forms.finding import forms_of  # noqa: PLC0415 - likewise

    return forms_of(parse_html(path.read_bytes(), None, url), url)


def forms_of_page(folder: Path, withheld: Withheld, url: str) -> PageForms:
    """Of the newest capture; ConfigurationError where there is none."""
    from archiver.archive.cdxj.index import Index  # noqa: PLC0415 - no help needs it
    from archiver.documents.pages.forms.finding import forms_of  # noqa: PLC0415 - likewise
    from archiver.inspection.pages import find_document  # noqa: PLC0415 - likewise

    withheld.refuse(url)
    found = find_document(Index(folder / "index", withheld.hides), folder / "warc", url, None)
    if found is None:
        raise ConfigurationError(f"{url} is not in the archive: crawl it first, or name a file")
    return forms_of(found.tree, found.url or url)


def chosen_form(found: PageForms, number: int | None) -> FoundForm:
    """The form with this number, or the first one of search."""
    if number is not None:
        for form in found.forms:
            if form.number == number:
                return form
        raise ConfigurationError(f"--number {number}: the page has {len(found.forms)} forms")
    for form in found.forms:
        if form.kind == "search":
            return form
    raise ConfigurationError("The page has no search form: --number N chooses another one")


def form_title(form: FoundForm) -> str:
    return f"Form {form.number}: {form.kind}, {form.method} {form.action}"


def field_rows(form: FoundForm) -> Iterator[tuple[str, ...]]:
    for field in form.fields:
        values = [one.text or one.value for one in field.choices] or [field.value]
        more = f" … {len(values)}" if len(values) > _SHOWN_VALUES else ""
        name = f"{field.name} – {field.until}" if field.until else field.name
        kind = "trap" if field.is_trap else field.kind
        yield name, kind, field.label, ", ".join(values[:_SHOWN_VALUES]) + more
