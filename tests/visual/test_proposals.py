"""A site's wrapper without any example: models propose, and pages that agree are the examples."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urljoin
from urllib.request import urlopen

import pytest
from msgspec.structs import replace

from archiver.articles.methods.extraction import parse_page
from archiver.articles.methods.visual.proposals import PROPOSED, PROPOSED_TYPES, largest_group, proposed_page
from archiver.articles.model import ParsedPage
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.pages.model import RawPage
from archiver.fields.execution import read_fields
from archiver.fields.induction.inducing import induce
from archiver.fields.induction.model import ExamplePage
from archiver.fields.model import Field, FieldScope, FieldWrapper
from sample.server import SampleWeb
from tests.visual.pages import markup, page

if TYPE_CHECKING:
    from collections.abc import Mapping

    from archiver.articles.methods.visual.proposals import ProposedGroup
    from sample.model import TrueEntry

DAY = 8
PAGES = 14


def pages_of(web: SampleWeb, site: str) -> dict[str, tuple[TrueEntry, ParsedPage]]:
    told = [one for one in web.truth(DAY) if one.site == site and one.kind == "article" and one.link]
    found = {}
    for one in told[:PAGES]:
        assert one.link is not None
        with urlopen(one.link, timeout=5) as answer:
            body, content_type = answer.read(), answer.headers["Content-Type"]
        parsed = parse_page(RawPage(url=one.link, body=body, content_type=content_type))
        assert isinstance(parsed, ParsedPage)
        found[one.link] = one, parsed
    return found


def wrapper_of(group: ProposedGroup, pages: Mapping[str, tuple[TrueEntry, ParsedPage]]) -> FieldWrapper:
    documents = {url: VirtualDocument(tree=one.tree, url=url) for url, (_, one) in pages.items()}
    fields = []
    for name in group.fields:
        field = Field(field=PROPOSED[name])
        field = replace(field, type=PROPOSED_TYPES.get(field.field, "text"))
        given = [
            ExamplePage(document=documents[one.url], value=one.fields[name].value) for one in group.pages[:3]
        ]
        fields.append(induce(field, given, list(documents.values()), guess=False).field)
    return FieldWrapper(wrapper="seen", scope=FieldScope(site="127.0.0.1"), fields=tuple(fields))


def truth_of(told: TrueEntry, site: str) -> dict[str, str]:
    assert told.link is not None
    found = {"headline": told.title, "dateline": f"{told.published:%Y-%m-%d}"}
    if site == "newspaper":  # the other has no pictures
        found["picture"] = urljoin(told.link, f"/img/{told.entry_id.rpartition('-')[2]}.gif")
    return found


@pytest.mark.parametrize("site", ["newspaper", "wordpress"])
def test_fields_of_a_site_equal_the_truth_with_no_example_given(site: str) -> None:
    with SampleWeb(day=DAY, port=0) as web:
        pages = pages_of(web, site)
    group = largest_group([proposed_page(one) for _, one in pages.values()])
    assert group.is_enough
    wrapper = wrapper_of(group, pages)
    for url, (told, parsed) in pages.items():
        read = read_fields(VirtualDocument(tree=parsed.tree, url=url), wrapper).readings
        values = {name: one.values[0].value for name, one in read.items() if one.values}
        assert values == truth_of(told, site), url


def test_fields_that_move_about_are_not_proposed() -> None:
    few = largest_group([proposed_page(page(markup())) for _ in range(3)])
    assert not few.is_enough
    tags = ("section", "article", "main", "div", "aside")
    others = [
        proposed_page(page(markup().replace("<h1>", f"<{tag}><h1>").replace("</h1>", f"</h1></{tag}>")))
        for tag in tags
        for _ in range(3)
    ]
    # What stands in the same place everywhere is proposed all the same.
    assert largest_group(others).fields == ("published",)
