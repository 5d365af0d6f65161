"""Which application is behind a page: by literals first, then by the patterns that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.knowledge import BUILTIN
from archiver.acquisition.sites.knowledge.anchors import LiteralAnchor, anchors_of
from archiver.acquisition.sites.knowledge.detecting import Detector, known_type, level_of
from archiver.acquisition.sites.knowledge.loading import KnowledgeBase, load_knowledge
from archiver.acquisition.sites.knowledge.model import SiteType, TypePattern
from archiver.documents.expressions.document import VirtualDocument
from archiver.documents.expressions.model import Test
from archiver.documents.expressions.parsing import parse
from archiver.documents.pages.dom import parse_markup

if TYPE_CHECKING:
    from collections.abc import Sequence

PAGE = """<html><head><meta name="description" content="About Quill and WordPress">
<meta name="generator" content="Quill 2.4.1"><script src="/quill/assets/a.js"></script></head>
<body class="quill-page post"><div id="quill-app"><a href="https://quill.example/">Quill</a></div></body></html>"""


def document(
    markup: str = PAGE, url: str = "https://b.example/a", headers: Sequence[tuple[str, str]] = ()
) -> VirtualDocument:
    tree = parse_markup(markup)
    assert tree is not None
    return VirtualDocument(tree=tree, url=url, headers=headers)


def pattern(*texts: str, weight: int = 100, version: str = "") -> TypePattern:
    return TypePattern(
        all=tuple(map(parse, texts)), weight=weight, version=parse(version) if version else None
    )


def detector(*types: SiteType) -> Detector:
    by_name = {one.type: one for one in types}
    lines = {one.type: (one.type, *([one.parent] if one.parent else [])) for one in types}
    return Detector(KnowledgeBase(types=by_name, ancestry=lines, files={}, digest="", sources=()))


def named(name: str, *patterns: TypePattern, parent: str = "", site: tuple[str, ...] = ()) -> SiteType:
    return SiteType(type=name, category="blog", detect=patterns, parent=parent, site=site)


@pytest.mark.parametrize(
    "text",
    [
        "meta[@name='generator'][contains(@content,'Quill')]",
        "meta[@name='generator']/@content[starts-with(.,'Quill')]",
        "script/@src[contains(.,'/quill/')]",
        "body.quill-page",
        "div[@id='quill-app']",
        "a[@href='https://quill.example/']",
        "http/header[@name='x-quill'][contains(@value,'yes')]",
        "http/cookie[@name='quill_session']",
        "url[contains(@path,'/quill/')]",
        "url[@host='b.example']",
        "form[@action='/none-here'] | div[@id='quill-app']",
    ],
)
def test_a_pattern_fires_on_what_its_literal_is_in(text: str) -> None:
    headers = [("X-Quill", "yes, always"), ("Set-Cookie", "quill_session=1; Path=/")]
    found = detector(named("quill", pattern(text))).detect(
        document(url="https://b.example/quill/a", headers=headers)
    )
    assert found.type == "quill"
    assert found.types[0].fired[0].pattern == str(parse(text))
    assert (
        detector(named("quill", pattern(text))).detect(document("<p>No", "https://c.example/")).type is None
    )


@pytest.mark.parametrize("others", [0, 100])
@pytest.mark.parametrize("text", ["script[contains(@src,'/{}/')]", "div[@id='{}-app']", "body.{}-page"])
def test_a_pattern_is_found_among_few_and_among_many(text: str, others: int) -> None:
    names = ["quill", *(f"other{number}" for number in range(others))]
    found = detector(*(named(name, pattern(text.format(name))) for name in names)).detect(document())
    assert [one.type for one in found.types] == ["quill"]


def test_a_literal_elsewhere_does_not_fire() -> None:
    words = named("wordpress", pattern("meta[@name='generator'][contains(@content,'WordPress')]"))
    assert detector(words).detect(document()).types == ()


def test_weights_add_up() -> None:
    light = named("quill", pattern("body.quill-page", weight=60), pattern("div[@id='quill-app']", weight=60))
    assert detector(light).detect(document()).types[0].weight == 120
    lighter = named("quill", pattern("body.quill-page", weight=60), pattern("div[@id='none']", weight=60))
    assert detector(lighter).detect(document()).types == ()


def test_all_expressions_of_a_pattern_must_find_something() -> None:
    assert detector(named("quill", pattern("body.quill-page", "a[.='Quill']"))).detect(document()).type
    assert not detector(named("quill", pattern("body.quill-page", "a[.='None']"))).detect(document()).type


def test_the_deepest_type_wins_then_the_heaviest_and_a_tie_is_told() -> None:
    parent = named("quill", pattern("body.quill-page"), pattern("div[@id='quill-app']"))
    child = named("quill-theme", pattern("script[contains(@src,'/quill/')]"), parent="quill")
    other = named("other", pattern("a[@href='https://quill.example/']"))
    again = named("again", pattern("a[@href='https://quill.example/']"))
    found = detector(parent, child, other, again).detect(document())
    assert [one.type for one in found.types] == ["quill-theme", "quill", "again", "other"]
    assert found.tied == ()
    assert detector(other, again).detect(document()).tied == ("other",)


def test_the_version_is_read_from_the_page() -> None:
    one = pattern("body.quill-page", version="meta[@name='generator']/@content")
    assert detector(named("quill", one)).detect(document()).version == "2.4.1"


def test_a_type_of_one_site_is_found_there_alone() -> None:
    here = named("mine", site=("b.example", "https://c.example/blog/"))
    assert detector(here).detect(document()).type == "mine"
    assert detector(here).detect(document(url="https://c.example/blog/a")).type == "mine"
    assert detector(here).detect(document(url="https://c.example/news/a")).type is None
    marked = named("mine", pattern("body.quill-page"), site=("c.example",))
    assert detector(marked).detect(document()).type is None


def test_too_many_candidates_are_ambiguous() -> None:
    types = [named(f"t{number}", pattern("body.quill-page", "p.none")) for number in range(250)]
    found = detector(*types).detect(document())
    assert found.is_ambiguous
    assert found.types == ()


def test_the_rarest_literal_is_the_anchor() -> None:
    choices = anchors_of(pattern("meta[@name='generator'][contains(@content,'Quill')]"))
    assert (LiteralAnchor("meta[@name='generator']", "content", Test.CONTAINS, "Quill"),) in choices
    assert anchors_of(pattern("*.quill-page")) == []
    assert anchors_of(pattern("div[contains(.,'Powered by Quill')]")) == []
    assert anchors_of(pattern("div[@id='x']")) == []
    assert anchors_of(pattern("div[not(@id='quill')]")) == []
    assert anchors_of(pattern("div[@id='quill'] | p")) == []


def test_words_that_most_pages_have_are_no_anchors() -> None:
    types = [named("quill", pattern("meta[@name='description'][@content='Quill']")), named("other")]
    index = detector(*types)._index
    assert list(index.candidates(document())) == []
    assert list(index.candidates(document("<meta name=description content=Quill>"))) == [("quill", 0)]


def test_levels_are_found_in_the_order_of_the_file() -> None:
    wordpress = load_knowledge([BUILTIN]).types["wordpress"]
    found = level_of(wordpress, document("<body class='single single-post'><p>x"))
    assert found is not None
    assert found.level.name == "post"
    assert level_of(wordpress, document("<body class='none'><p>x")) is None


def test_a_page_of_a_known_type_is_known() -> None:
    base = load_knowledge([BUILTIN])
    page = document("<meta name='generator' content='WordPress 6.1.9'><p>x")
    assert known_type(page, base) is base.types["wordpress"]
    assert known_type(document(), base) is None
