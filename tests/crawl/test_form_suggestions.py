"""Words that a site suggests are asked for, within robots.txt and the budget, and find its records."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest

from tests.crawl.running import Archived, crawl
from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Request, Site

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("forms")]
TREES = ("alder", "almond", "apple", "aspen", "beech", "birch", "cedar", "cherry", "chestnut", "cypress")
KINDS = ("white", "black", "common", "silver")
FORM = '<form action="/find"><label>Search <input name="q" type="search"></label></form>'
DESCRIPTION = """<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<Url type="application/x-suggestions+json" template="/suggest?q={searchTerms}"/></OpenSearchDescription>"""


def asked(request: Request) -> str:
    return parse_qs(request.target.partition("?")[2]).get("q", [""])[0].casefold()


def suggest(request: Request) -> Answer:
    found = [one for one in TREES if one.startswith(asked(request))]
    return Answer(
        headers=(("Content-Type", "application/json"),), body=json.dumps([asked(request), found]).encode()
    )


def find(request: Request) -> Answer:
    names = [(one, kind) for one in TREES for kind in KINDS if asked(request) in {one, kind}]
    rows = "".join(
        f"<li class=tree><a href='/tree/{kind}-{one}'>{kind} {one}</a> <b class=height>{len(one)} m</b></li>"
        for one, kind in names
    )
    listed = (
        f"<p>{len(names)} results</p><ul class=found>{rows}</ul>" if rows else "<p>Nothing was found.</p>"
    )
    return html(f"<html><body>{FORM}{listed}</body></html>")


def serve(site: Site, robots: str) -> str:
    link = "<link rel=search type='application/opensearchdescription+xml' href='/os.xml'>"
    site.add("/robots.txt", Answer(headers=(("Content-Type", "text/plain"),), body=robots.encode()))
    site.add("/os.xml", Answer(headers=(("Content-Type", "text/xml"),), body=DESCRIPTION.encode()))
    site.add("/suggest", suggest)
    site.add("/find", find)
    return site.add(
        "/", html(f"<html><head>{link}</head><body>{FORM}<p>A catalogue. Be curious!</p></body></html>")
    )


@pytest.mark.parametrize("is_allowed", [True, False])
def test_words_that_a_site_suggests_find_its_records(archive: Path, site: Site, is_allowed: bool) -> None:
    page = serve(site, f"User-agent: *\nDisallow: {'/private' if is_allowed else '/suggest'}\n")
    archive.parent.mkdir(exist_ok=True)
    file = archive.parent / "trees.yaml"
    said = "words: {from: [page, suggestions]}\nbudget: {requests: 60}\n"
    file.write_text(f"form: trees\npage: {page}\n{said}")
    run = crawl(archive, arguments={"file": str(file)}, spider="forms", CONTACT="https://archive.example/")
    paths = [one.path for one in site.requests]
    assert paths[:3] == ["/robots.txt", "/", "/os.xml"], run
    assert paths.count("/suggest") == (3 if is_allowed else 0), "a twentieth of the budget"
    objects = [
        line for path in (archive / "objects").glob("records-*") for line in path.read_bytes().splitlines()
    ]
    if is_allowed:
        assert len(objects) == len(TREES) * len(KINDS)
        assert Archived(archive).responses(f"{page}suggest?q=c"), "kept in WARC"
    else:
        assert "words are not suggested" in run.stdout.replace("\n", " ")
        assert "/find" in paths, "the form itself is asked"
        assert objects == []
