"""The forms of a page, and the description of one that people edit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import msgspec

from archiver.documents.pages.dom import absolute_url, base_url
from archiver.documents.pages.forms.description import DescribedInput, FormDescription, SelectedForm
from archiver.documents.pages.forms.fields import FormField, fields_of
from archiver.documents.pages.forms.kinds import kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

_OPENSEARCH = "application/opensearchdescription+xml"
_NAME = re.compile(r"[^a-z0-9]+")


class FoundForm(msgspec.Struct, frozen=True, kw_only=True):
    """A form of a page: its number there, from 1 on, what it is for, and what it asks for."""

    number: int
    kind: str
    method: str
    action: str
    fields: tuple[FormField, ...]


class PageForms(msgspec.Struct, frozen=True, kw_only=True):
    """All forms of a page, and the descriptions of search that it names (OpenSearch)."""

    url: str
    forms: tuple[FoundForm, ...] = ()
    opensearch: tuple[str, ...] = ()


def forms_of(tree: Element, url: str) -> PageForms:
    base = base_url(tree, url)
    found = tuple(_found(form, number, base) for number, form in enumerate(tree.iter("form"), 1))
    links = [one for one in tree.iter("link") if str(one.get("type") or "").lower() == _OPENSEARCH]
    addresses = dict.fromkeys(absolute_url(base, str(one.get("href"))) for one in links if one.get("href"))
    return PageForms(url=url, forms=found, opensearch=tuple(filter(None, addresses)))


def _found(form: Element, number: int, base: str) -> FoundForm:
    fields = fields_of(form)
    return FoundForm(
        number=number,
        kind=kind_of(form, fields),
        method=str(form.get("method") or "GET").strip().upper(),
        action=_action(base, str(form.get("action") or "").strip()),
        fields=fields,
    )


def _action(base: str, stated: str) -> str:
    """Where a form leads; what is no address stays as it stands, and is never asked."""
    try:
        return urljoin(base, stated)
    except ValueError:  # such as an unfinished IPv6 host
        return stated


def described(found: FoundForm, page: str) -> FormDescription:
    """What a person begins with: text is typed, choices are kept as they stand, traps are left empty."""
    host = urlsplit(page).hostname or "form"
    return FormDescription(
        form=_NAME.sub("-", host.removeprefix("www.")).strip("-"),
        page=page,
        method=found.method,
        action=found.action,
        select=SelectedForm(number=found.number),
        inputs=dict(_inputs(found.fields)),
    )


def _inputs(fields: tuple[FormField, ...]) -> Iterator[tuple[str, DescribedInput]]:
    for field in fields:
        if not field.name or field.kind == "submit" or field.is_trap:
            continue
        values = tuple(dict.fromkeys(one.value for one in field.choices))
        yield (
            field.name,
            DescribedInput(
                kind=field.kind,
                label=field.label if field.kind != "hidden" else "",
                values=values,
                fixed=field.value if field.kind == "option" and field.value else None,
                keep=field.kind == "hidden",
                until=field.until,
            ),
        )
