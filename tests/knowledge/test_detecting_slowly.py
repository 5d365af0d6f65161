"""Detection by literals finds what trying every pattern of every type finds."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.acquisition.sites.knowledge.detecting import Detector, _Verifying
from archiver.acquisition.sites.knowledge.loading import KnowledgeBase, load_knowledge
from archiver.acquisition.sites.knowledge.model import SiteType, TypePattern
from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.parsing import parse
from archiver.documents.pages.dom import parse_markup

if TYPE_CHECKING:
    from collections.abc import Mapping

PATTERNS = (
    "meta[@name='generator'][contains(@content,'{0}')]",
    "meta[@name='generator']/@content[starts-with(.,'{0} ')]",
    "meta[@property='og:site'][@content='{0}']",
    "script[contains(@src,'/{0}/')]",
    "link[@rel='{0}'] | link[contains(@href,'{0}-content')]",
    "body.{0}-page",
    "div.{0}",
    "div[@id='{0}']",
    "div.{0}//a[starts-with(@href,'/{0}')]",
    "a[contains(@href,'{0}')]",
    "header[@name='{0}']",
    "http/header[@name='x-{0}']",
    "http/header[@name='server'][contains(@value,'{0}')]",
    "http/cookie[@name='{0}']",
    "url[contains(@path,'/{0}')]",
    "url[@host='{0}.example']",
    "url[starts-with(@query,'{0}=')]",
)
# What a page has, whole, in capitals, and beside what is looked for.
WRITTEN = ("{}", "x{}", "{}x", "x {} y", "/{}/", "/{}-content/a.css", "{}-page", "{} 1.2", "&#47;{}&#47;")
PLACES = (
    '<meta name="generator" content="{}">', '<meta property="og:site" content="{}">',
    '<script src="{}"></script>', '<link rel="{}">', '<link href="{}">', '<div class="{}">', '<div id="{}">',
    '<div class="{}"><a href="/{}">', '<a href="{}">', '<header name="{}">', "<p>{}",
)  # fmt: skip
NAMES = ("quill", "quilt", "inkwell", "folio", "Press", "harbour")


def base_of(types: Mapping[str, SiteType]) -> KnowledgeBase:
    lines = {name: (name,) for name in types}
    return KnowledgeBase(types=dict(types), ancestry=lines, files={}, digest="", sources=())


def generated_types(choose: random.Random) -> dict[str, SiteType]:
    # Above eight parts of an attribute, another way of looking for them begins.
    names = [*NAMES, *(f"{name}{number}" for name in NAMES for number in range(choose.choice((0, 5))))]
    return {
        name: SiteType(
            type=name,
            category="blog",
            detect=tuple(
                TypePattern(all=(parse(text.format(name)),), weight=choose.choice((60, 100)))
                for text in choose.sample(PATTERNS, 5)
            ),
        )
        for name in names
    }


def generated_page(choose: random.Random) -> VirtualDocument:
    def written() -> str:
        return choose.choice(WRITTEN).format(choose.choice(NAMES) + choose.choice(("", "", "0", "3")))

    parts = [choose.choice(PLACES).format(written(), written()) for _ in range(choose.randint(1, 30))]
    if not choose.randrange(5):
        parts.append(f'<script src="data:text/javascript,{"a" * 3000}/{choose.choice(NAMES)}/"></script>')
    tree = parse_markup(f'<body class="{written()} {written()}">' + "".join(parts))
    assert tree is not None
    name = choose.choice(NAMES)
    url = f"https://{choose.choice((name, name.upper(), 'a'))}.example/{written()}?{name}=1"
    headers = [(f"X-{name}", "1"), ("Server", written()), ("Set-Cookie", f"{name.lower()}=1; Path=/")]
    return VirtualDocument(tree=tree, url=url, headers=choose.sample(headers, choose.randint(0, 3)))


def found_slowly(types: Mapping[str, SiteType], page: VirtualDocument) -> dict[str, tuple[int, list[str]]]:
    verifying = _Verifying(types, page, Budget())
    tried = [verifying.found(name, one.detect, None) for name, one in types.items()]
    return {one.type: (one.weight, sorted(map(str, one.fired))) for one in tried if one is not None}


def found_by_literals(detector: Detector, page: VirtualDocument) -> dict[str, tuple[int, list[str]]]:
    found = detector.detect(page, thorough=True)
    return {one.type: (one.weight, sorted(map(str, one.fired))) for one in found.types}


@pytest.mark.parametrize("seed", range(8))
def test_generated_pages_are_detected_as_by_trying_every_pattern(seed: int) -> None:
    choose = random.Random(seed)
    types = generated_types(choose)
    detector = Detector(base_of(types))
    pages = [generated_page(choose) for _ in range(60)]
    slowly = [found_slowly(types, page) for page in pages]
    assert [found_by_literals(detector, page) for page in pages] == slowly
    assert sum(map(bool, slowly)) > 20  # else there is nothing to compare


def test_pages_of_applications_are_detected_as_by_trying_every_pattern() -> None:
    types = load_knowledge([BUILTIN]).types
    detector = Detector(base_of(types))
    for path in sorted((Path(__file__).parents[1] / "comments" / "pages").glob("*.html")):
        tree = parse_markup(path.read_text())
        assert tree is not None
        page = VirtualDocument(tree=tree, url="https://a.example/b")
        assert found_by_literals(detector, page) == found_slowly(types, page), path.name
